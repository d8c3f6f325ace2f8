//! Which files are looked at, and D39.

use super::Folder;
use crate::diceframe::codes;
use crate::types::Code;

const RULE: &str = r#"{"rule_id": "r"}"#;
const WORLD: &str = r#"{"world_id": "w", "default_rule": "r"}"#;
const MANIFEST: &str =
    r#"{"contributes": {"rules": "content/rules/*.json", "world_templates": ["content/worlds/*.json"]}}"#;

fn a_pack() -> Folder {
    Folder::of(&[
        ("shelf/p/plugin.json", MANIFEST),
        ("shelf/p/content/rules/r.json", RULE),
        ("shelf/p/content/rules/note.txt", "no rule"),
        ("shelf/p/content/rules/locales/en/r.json", "{"),
        ("shelf/p/content/worlds/w.json", WORLD),
        ("shelf/deep/er/q/content/rules/r.json", "{"),
    ])
}

/// How many rules, worlds and packs are looked at, and how many paths lead to nothing.
fn looked_at(folder: &Folder, paths: &[&str]) -> (usize, usize, usize, usize) {
    let (report, warnings) = folder.audited(None, paths).unwrap();
    assert!(warnings.iter().all(|warning| warning.code == codes::NOTHING_TO_AUDIT));
    (report.summary.rules, report.summary.worlds, report.summary.packs, warnings.len())
}

#[test]
fn a_pack_is_found_by_its_folder_its_shelf_and_its_manifest() {
    let folder = a_pack();
    for path in ["shelf", "shelf/p", "shelf/p/plugin.json", "shelf/../shelf/p/."] {
        assert_eq!(looked_at(&folder, &[path]), (1, 1, 1, 0), "{path}");
    }
    assert_eq!(looked_at(&folder, &["shelf/p/content/rules"]), (1, 0, 0, 0));
    assert_eq!(looked_at(&folder, &["shelf/p/content/rules/r.json", "shelf/p/content/worlds"]), (1, 1, 0, 0));
    // Each file once, however often it is named.
    assert_eq!(looked_at(&folder, &["shelf", "shelf/p", "shelf/p/content/rules/r.json"]), (1, 1, 1, 0));
}

#[test]
fn a_single_file_is_what_its_content_says() {
    let folder = Folder::of(&[("a.json", RULE), ("b.JSON", WORLD), ("c.txt", "x")]);
    assert_eq!(looked_at(&folder, &["a.json", "b.JSON", "c.txt"]), (1, 1, 0, 1));
}

#[test]
fn what_leads_to_nothing_is_told_and_what_is_not_there_is_wrong_usage() {
    let folder = a_pack();
    assert_eq!(looked_at(&folder, &["shelf/p", "shelf/deep", "shelf/p/content"]), (1, 1, 1, 2));
    for paths in [&["shelf/deep"][..], &["nowhere"], &["shelf", "nowhere"]] {
        assert_eq!(folder.audited(None, paths).unwrap_err().code, Code::Usage, "{paths:?}");
    }
    for host in ["nowhere", "shelf/p/plugin.json", "shelf/deep"] {
        assert_eq!(folder.audited(Some(host), &[]).unwrap_err().code, Code::Usage, "{host}");
    }
}

#[test]
fn a_host_has_rules_worlds_and_packs_of_its_own() {
    let named = |id: &str| format!(r#"{{"rule_id": "{id}"}}"#);
    let folder = Folder::of(&[
        ("host/templates/rules/a.json", &named("a")),
        ("host/templates/worlds/w.json", r#"{"world_id": "w", "default_rule": "c"}"#),
        ("host/plugins/b/content/rules/b.json", &named("b")),
        ("host/plugins/examples/not_this/content/rules/x.json", "{"),
        ("host/data/plugin-packages/c/content/rules/c.json", &named("c")),
        ("d/content/worlds/w.json", r#"{"world_id": "w", "default_rule": "a"}"#),
    ]);
    let (report, _) = folder.audited(Some("host"), &["d"]).unwrap();
    let summary = report.summary;
    assert_eq!((summary.rules, summary.worlds, summary.packs, summary.errors), (3, 2, 3, 0), "{report:#?}");
    // Without it the rule is nowhere, and that is said.
    let (report, _) = folder.audited(None, &["d"]).unwrap();
    assert_eq!(report.problems[0].code, codes::D24);
    assert!(report.problems[0].hint.as_deref().unwrap().contains("--host"));
}

/// The pointers and messages of D39 for a manifest.
fn disagreements(contributes: &str) -> Vec<(String, String)> {
    let manifest = format!(r#"{{"contributes": {contributes}}}"#);
    let folder = Folder::of(&[
        ("p/plugin.json", &manifest),
        ("p/content/rules/r.json", RULE),
        ("p/content/worlds/w.json", WORLD),
        ("p/pool/deep/extra.json", r#"{"rule_id": "extra"}"#),
    ]);
    let (report, _) = folder.audited(None, &["p"]).unwrap();
    assert!(report.problems.iter().all(|problem| problem.code == codes::D39), "{report:#?}");
    report.problems.into_iter().map(|problem| (problem.pointer.unwrap(), problem.message)).collect()
}

#[test]
fn d39_folders_and_manifest_agree() {
    let worlds = r#""world_templates": "content/worlds/*.json""#;
    let told = |rules: &str| disagreements(&format!(r#"{{"rules": {rules}, {worlds}}}"#));
    assert_eq!(told(r#""content/rules/*.json""#), []);
    assert_eq!(told(r#"["content\\rules\\r.json"]"#), []);
    assert_eq!(told(r#""content/*/r.json""#), []);
    for (rules, pointers) in [
        (r#""pool/*.json""#, &["/contributes/rules", "/contributes/rules"][..]),
        (r#"["content/rules/*.json", "pool/**/*.json"]"#, &["/contributes/rules"]),
        (r#"["content/rules/*.json", "content/rules/x.json"]"#, &["/contributes/rules/1"]),
        (
            r#"["content/rules/*.json", "../r.json", "a//b", "/etc/passwd", "C:/x", 3, "[", ""]"#,
            &[
                "/contributes/rules/1",
                "/contributes/rules/2",
                "/contributes/rules/3",
                "/contributes/rules/4",
                "/contributes/rules/5",
                "/contributes/rules/6",
                "/contributes/rules/7",
            ],
        ),
        ("{}", &["/contributes/rules", "/contributes/rules"]),
    ] {
        let found = told(rules);
        let places: Vec<&str> = found.iter().map(|(pointer, _)| pointer.as_str()).collect();
        assert_eq!(places, pointers, "{rules}: {found:?}");
    }
    // What is contributed from elsewhere is audited all the same.
    let folder = Folder::of(&[
        ("p/plugin.json", r#"{"contributes": {"rules": "pool/*.json"}}"#),
        ("p/pool/r.json", r#"{"rule_id": "r", "max_check_dc": 0}"#),
    ]);
    assert_eq!(folder.codes(None, &["p"]), ["D39", "D16"]);
    assert_eq!(disagreements("null").len(), 2);
    assert_eq!(disagreements("[]").len(), 3);
}

#[test]
fn d01_a_manifest_that_cannot_be_read_is_told() {
    let folder = Folder::of(&[("p/plugin.json", "{"), ("p/content/rules/r.json", RULE)]);
    assert_eq!(folder.found(None, &["p"]), [("D01".into(), "p/plugin.json".into(), String::new())]);
}

#[cfg(unix)]
#[test]
fn d39_links_are_not_followed() {
    let folder = Folder::of(&[
        ("p/plugin.json", r#"{"contributes": {"rules": "content/rules/*.json"}}"#),
        ("p/content/rules/r.json", RULE),
        ("elsewhere.json", r#"{"rule_id": "e"}"#),
    ]);
    std::os::unix::fs::symlink(folder.path("elsewhere.json"), folder.path("p/content/rules/e.json")).unwrap();
    std::os::unix::fs::symlink(folder.path("p"), folder.path("p/content/rules/again")).unwrap();
    let found = folder.found(None, &["p"]);
    let link = ("D01".into(), "p/content/rules/e.json".into(), String::new());
    assert_eq!(found, [link, ("D39".into(), "p/plugin.json".into(), "/contributes/rules".into())]);
}

#[cfg(unix)]
#[test]
fn d01_a_link_below_what_was_named_is_an_error_and_what_was_named_is_read() {
    use std::os::unix::fs::symlink;
    let folder = Folder::of(&[("p/content/rules/r.json", RULE), ("elsewhere/secret.json", "{\"rule_id\": 7}")]);
    symlink(folder.path("elsewhere/secret.json"), folder.path("p/content/rules/e.json")).unwrap();
    assert_eq!(folder.found(None, &["p"]), [("D01".into(), "p/content/rules/e.json".into(), String::new())]);
    // Who names a link means what it leads to.
    symlink(folder.path("p/content/rules/r.json"), folder.path("link.json")).unwrap();
    symlink(folder.path("p"), folder.path("q")).unwrap();
    assert_eq!(folder.codes(None, &["link.json"]), [""; 0]);
    assert_eq!(folder.codes(None, &["q"]), ["D01"]);
    // Among the folders on the way as well.
    std::fs::remove_file(folder.path("p/content/rules/e.json")).unwrap();
    std::fs::rename(folder.path("p/content/rules"), folder.path("moved")).unwrap();
    symlink(folder.path("moved"), folder.path("p/content/rules")).unwrap();
    let refused = folder.audited(None, &["p"]).unwrap_err().message;
    assert!(refused.contains("is a link") && !refused.contains("r.json"), "{refused}");
}
