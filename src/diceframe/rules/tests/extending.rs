//! D05, D06, D07, D17, D20 and `extends`: rules of several files.

use super::super::{host::Host, load};
use super::Folder;
use serde_json::json;

const CHILD: &str = r#"{"rule_id": "child", "extends": "base"}"#;

#[test]
fn a_rule_has_everything_it_extends_but_what_a_base_says_of_itself() {
    let folder = Folder::of(&[
        ("child.json", r#"{"extends": "middle", "rule_name": "C", "check_mechanic": {"critical": {"success": null}}}"#),
        ("middle.json", r#"{"extends": "base.json", "rule_id": " m ", "rule_name": "M"}"#),
        ("base.json", r#"{"abstract": true, "check_mechanic": {"critical": {"success": 20, "failure": 1}}}"#),
    ]);
    let rule = load(&folder.path("child.json"), None).unwrap();
    assert_eq!(rule.rule_id, "m");
    assert_eq!(rule.chain.len(), 3);
    assert_eq!(
        rule.resolved,
        json!({"extends": "middle", "rule_id": " m ", "rule_name": "C",
            "check_mechanic": {"critical": {"success": null, "failure": 1}}})
    );
    assert_eq!(rule.chain[0].value.get("rule_id"), None);
}

#[test]
fn d02_d08_a_rule_without_an_id_or_of_unknown_dice_does_not_load() {
    let folder = Folder::of(&[("a.json", "{}"), ("b.json", r#"{"rule_id": "t", "dice_system": "d6"}"#)]);
    for (name, code) in [("a.json", "D02"), ("b.json", "D08"), ("c.json", "D01")] {
        let problem = load(&folder.path(name), None).unwrap_err();
        assert_eq!(problem.code.as_str(), code);
        assert!(problem.file.unwrap().ends_with(name));
    }
}

#[test]
fn a_parent_is_looked_for_beside_the_rule_and_then_among_the_built_in_ones() {
    let folder = Folder::of(&[
        ("host/templates/rules/base.json", r#"{"rule_name": "built in"}"#),
        ("host/templates/rules/p.v1", r#"{"rule_name": "with a suffix"}"#),
        ("alone/child.json", CHILD),
        ("beside/child.json", CHILD),
        ("beside/base.json", r#"{"rule_name": "beside"}"#),
        ("far/child.json", r#"{"rule_id": "c", "extends": "../x/base"}"#),
        ("suffix/child.json", r#"{"rule_id": "c", "extends": "p.v1"}"#),
        ("none/child.json", r#"{"rule_id": "c", "extends": ""}"#),
        ("null/child.json", r#"{"rule_id": "c", "extends": null}"#),
    ]);
    let host = Host::at(folder.path("host"));
    for (place, name) in [
        ("alone", Some("built in")),
        ("beside", Some("beside")),
        ("far", Some("built in")),
        ("suffix", Some("with a suffix")),
        ("none", None),
        ("null", None),
    ] {
        let rule = load(&folder.path(place).join("child.json"), Some(&host)).unwrap();
        assert_eq!(rule.resolved.get("rule_name").and_then(|name| name.as_str()), name, "{place}");
    }
}

#[test]
fn d05_a_parent_is_there_and_there_is_one() {
    for wrong in ["\"base\"", "[\"base\"]", "3", "true", "{}", "\"..\"", "\"a\\u0000b\""] {
        let rule = format!(r#"{{"rule_id": "t", "extends": {wrong}}}"#);
        let folder = Folder::of(&[("rule.json", &rule)]);
        assert_eq!(folder.codes(None, &["rule.json"]), ["D05"], "{wrong}");
    }
}

#[test]
fn d06_nobody_is_their_own_ancestor() {
    let folder = Folder::of(&[
        ("own.json", r#"{"rule_id": "own", "extends": "own"}"#),
        ("a.json", r#"{"rule_id": "a", "extends": "b"}"#),
        ("b.json", r#"{"rule_id": "b", "extends": "c"}"#),
        ("c.json", r#"{"rule_id": "c", "extends": "./a.json"}"#),
    ]);
    assert_eq!(folder.codes(None, &["own.json"]), ["D06"]);
    // The file that closes the circle is told once, however it is reached; alone, it is told of the one that was named.
    assert_eq!(folder.found(None, &["a.json"]), [("D06".into(), "a.json".into(), "/extends".into())]);
    assert_eq!(folder.codes(None, &["a.json", "b.json", "c.json"]), ["D06"; 3]);
}

#[test]
fn d07_every_ancestor_can_be_read() {
    for wrong in ["{", "[]", "\u{feff}{}"] {
        let folder = Folder::of(&[("child.json", CHILD), ("base.json", wrong)]);
        assert_eq!(folder.found(None, &["child.json"]), [("D07".into(), "child.json".into(), "/extends".into())]);
        assert_eq!(folder.codes(None, &["child.json", "base.json"]), ["D01", "D07"]);
    }
}

#[test]
fn d07_what_all_rules_inherit_together_has_an_end() {
    let base = format!(r#"{{"abstract": true, "description": "{}"}}"#, "x".repeat(10_000_000));
    let rules: Vec<(String, String)> = (0..82)
        .map(|n| (format!("rules/{n:02}.json"), format!(r#"{{"rule_id": "{n}", "extends": "base"}}"#)))
        .chain([
            ("rules/alone.json".to_owned(), r#"{"rule_id": "alone"}"#.to_owned()),
            ("rules/base.json".to_owned(), base),
        ])
        .collect();
    let rules: Vec<(&str, &str)> = rules.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let folder = Folder::of(&rules);
    let too_much = |n: usize| ("D07".to_owned(), format!("rules/{n}.json"), "/extends".to_owned());
    assert_eq!(folder.found(None, &["rules"]), [79, 80, 81].map(too_much));
    assert_eq!(folder.codes(None, &["rules/81.json"]), [""; 0]);
}

#[test]
fn d20_a_rule_extends_its_own_pack_or_what_is_built_in() {
    let base = r#"{"abstract": true}"#;
    let extending = |path: &str| format!(r#"{{"rule_id": "t", "extends": "{path}"}}"#);
    let folder = Folder::of(&[
        ("host/templates/rules/built_in.json", base),
        ("p/content/rules/sub/base.json", base),
        ("p/content/rules/sub/up.json", &extending("../base")),
        ("p/content/rules/base.json", base),
        ("p/content/rules/down.json", &extending("sub/base")),
        ("p/content/rules/named.json", &extending("../../../host/templates/rules/built_in.json")),
        ("p/content/rules/out.json", &extending("../base")),
        ("p/content/base.json", base),
    ]);
    let codes = |name: &str| folder.codes(Some("host"), &[&format!("p/content/rules/{name}")]);
    assert_eq!(codes("out.json"), ["D20"]);
    for right in ["sub/up.json", "down.json", "named.json"] {
        assert_eq!(codes(right), [""; 0], "{right}");
    }
    // Even one that leads into the pack leads there on this machine alone.
    let absolute = extending(&folder.path("p/content/rules/base.json").display().to_string().replace('\\', "/"));
    std::fs::write(folder.path("p/content/rules/absolute.json"), absolute).unwrap();
    assert_eq!(codes("absolute.json"), ["D20"]);
}

#[test]
fn what_is_inherited_is_told_once_and_where_it_stands() {
    let base = r#"{"abstract": true, "max_check_dc": 99, "special_stats": [{"key": "oil"}], "a": 1, "a": 2}"#;
    let folder = Folder::of(&[
        ("rules/base.json", base),
        ("rules/one.json", r#"{"rule_id": "one", "extends": "base"}"#),
        ("rules/two.json", r#"{"rule_id": "two", "extends": "base", "max_check_dc": 41}"#),
    ]);
    let of = |code: &str, file: &str, pointer: &str| (code.to_owned(), format!("rules/{file}"), pointer.to_owned());
    assert_eq!(
        folder.found(None, &["rules"]),
        [
            of("D16", "base.json", "/max_check_dc"),
            of("D31", "base.json", "/special_stats/0"),
            of("D36", "base.json", "/a"),
            of("D38", "base.json", "/a"),
            of("D16", "two.json", "/max_check_dc"),
        ]
    );
    // Without the base among the paths, all of it is told of the child.
    let found = folder.found(None, &["rules/one.json"]);
    assert_eq!(
        found.iter().filter(|problem| **problem == of(&problem.0, "one.json", "/extends")).count(),
        4,
        "{found:?}"
    );
}

#[test]
fn d17_an_id_is_of_one_rule_and_its_translations() {
    let rule = r#"{"rule_id": "harbor"}"#;
    let base = r#"{"rule_id": "harbor", "abstract": true}"#;
    let folder = Folder::of(&[
        ("p/content/rules/harbor.json", rule),
        ("p/content/rules/harbor_en.json", rule),
        ("p/content/rules/base.json", base),
        ("q/content/rules/harbor.json", rule),
    ]);
    assert_eq!(folder.codes(None, &["p"]), [""; 0]);
    let found = folder.found(None, &["p", "q"]);
    assert_eq!(found, [("D17".into(), "q/content/rules/harbor.json".into(), "/rule_id".into())]);
}

#[cfg(unix)]
#[test]
fn d20_a_link_out_of_the_pack_leaves_it() {
    let folder = Folder::of(&[("p/content/rules/child.json", CHILD), ("elsewhere.json", "{}")]);
    std::os::unix::fs::symlink(folder.path("elsewhere.json"), folder.path("p/content/rules/base.json")).unwrap();
    assert_eq!(folder.codes(None, &["p/content/rules/child.json"]), ["D20"]);
}
