//! D21 to D24: worlds.

use super::Folder;
use crate::diceframe::codes;

const RULES: [(&str, &str); 4] = [
    ("p/content/rules/harbor.json", r#"{"rule_id": "harbor"}"#),
    ("p/content/rules/base.json", r#"{"rule_id": "base", "abstract": true}"#),
    ("p/content/rules/broken.json", r#"{"rule_id": "broken", "extends": "nowhere"}"#),
    ("p/content/rules/odd.json", r#"{"rule_id": "odd", "dice_system": "d6"}"#),
];

fn found_in(world: &str) -> Vec<String> {
    let files: Vec<(&str, &str)> = RULES.into_iter().chain([("p/content/worlds/w.json", world)]).collect();
    let found = Folder::of(&files).found(None, &["p"]);
    let of_the_world = found.into_iter().filter(|(_, file, _)| file.ends_with("w.json"));
    of_the_world.map(|(code, _, pointer)| format!("{code} {pointer}")).collect()
}

#[test]
fn a_world_names_itself_and_a_rule_that_can_be_played() {
    assert_eq!(found_in(r#"{"world_id": "w", "default_rule": " harbor "}"#), [""; 0]);
}

#[test]
fn d21_a_world_is_a_json_object() {
    for wrong in ["", "{", "[]", "\u{feff}{}"] {
        assert_eq!(found_in(wrong), ["D21 "], "{wrong:?}");
    }
}

#[test]
fn d22_d23_its_names_are_not_blank() {
    for blank in ["\" \"", "null", "3"] {
        let world = format!(r#"{{"world_id": {blank}, "default_rule": {blank}}}"#);
        assert_eq!(found_in(&world), ["D22 /world_id", "D23 /default_rule"], "{blank}");
    }
    assert_eq!(found_in("{}"), ["D22 /world_id", "D23 /default_rule"]);
}

#[test]
fn d24_its_rule_is_there_loads_and_is_no_base() {
    for (rule, told) in
        [("harbr", "unknown rule"), ("base", "abstract"), ("broken", "does not load"), ("odd", "does not load")]
    {
        let world = format!(r#"{{"world_id": "w", "default_rule": "{rule}"}}"#);
        assert_eq!(found_in(&world), ["D24 /default_rule"], "{rule}");
        let folder = Folder::of(&[RULES[0], RULES[1], RULES[2], RULES[3], ("p/content/worlds/w.json", &world)]);
        let (report, _) = folder.audited(None, &["p"]).unwrap();
        let problem = report.problems.into_iter().find(|problem| problem.code == codes::D24).unwrap();
        assert!(problem.message.contains(told), "{}", problem.message);
        assert_eq!(problem.hint.is_some(), rule == "harbr", "{:?}", problem.hint);
    }
}

#[test]
fn a_rule_that_can_be_played_counts_over_a_base_of_the_same_id() {
    let folder = Folder::of(&[
        ("rules/a.json", r#"{"rule_id": "one", "abstract": true}"#),
        ("rules/b.json", r#"{"rule_id": "one"}"#),
        ("w.json", r#"{"world_id": "w", "default_rule": "one"}"#),
    ]);
    assert_eq!(folder.codes(None, &["rules", "w.json"]), [""; 0]);
}

#[test]
fn d36_keys_of_worlds_stand_once_too() {
    assert_eq!(found_in(r#"{"world_id": "w", "world_id": "w", "default_rule": "harbor"}"#), ["D36 /world_id"]);
}
