//! Whatever a file holds, it is findings and no crash.

use super::super::check;
use super::super::{DiceSystem, SourceFile};
use super::{Folder, found_in};
use crate::types::Problems;
use proptest::prelude::*;
use serde_json::Value;
use std::sync::Arc;

#[test]
fn d01_d21_nesting_without_end_is_a_finding() {
    let nested = |open: &str, close: &str| open.repeat(100_000) + "0" + &close.repeat(100_000);
    for text in [nested("[", "]"), nested("{\"rule_id\":", "}"), nested("{\"combat\":[", "]}"), "[".repeat(100_000)] {
        assert_eq!(found_in(&text), ["D01 "]);
        let folder =
            Folder::of(&[("p/content/worlds/w.json", &text), ("p/content/rules/r.json", r#"{"rule_id": "r"}"#)]);
        assert_eq!(folder.codes(None, &["p"]), ["D21"]);
    }
}

#[test]
fn d01_bytes_that_are_no_text_are_a_finding() {
    let folder = Folder::of(&[]);
    std::fs::write(folder.path("r.json"), b"{\"rule_id\": \"\xff\"}").unwrap();
    assert_eq!(folder.codes(None, &["r.json"]), ["D01"]);
    std::fs::create_dir(folder.path("folder.json")).unwrap();
    assert!(folder.audited(None, &["folder.json"]).is_err());
}

/// Where a number is read, anything else is told.
#[test]
fn values_of_the_wrong_kind_are_findings() {
    for (key, code) in [
        ("skill_point_total", "D25"),
        ("max_skill_value", "D25"),
        ("max_check_dc", "D16"),
        ("attributes", "D18"),
        ("special_stats", "D04"),
        ("hp_formula", "D19"),
        ("dice_system", "D08"),
        ("extends", "D05"),
        ("check_mechanic", "D33"),
        ("combat", "C01"),
    ] {
        let found = found_in(&format!(r#"{{"rule_id": "t", "{key}": [1]}}"#));
        let expected = if ["attributes", "special_stats"].contains(&key) {
            format!("{code} /{key}/0")
        } else {
            format!("{code} /{key}")
        };
        assert_eq!(found, [expected]);
    }
}

#[cfg(unix)]
#[test]
fn d01_a_pipe_is_not_waited_for() {
    let folder = Folder::of(&[("p/content/rules/r.json", r#"{"rule_id": "r", "extends": "pipe"}"#)]);
    let pipe = folder.path("p/content/rules/pipe.json");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    assert_eq!(folder.codes(None, &["p"]), ["D05"]);
    assert_eq!(folder.codes(None, &["p/content/rules/pipe.json"]), ["D01"]);
}

/// Anything at all, under the keys that are looked at.
fn any_rule() -> impl Strategy<Value = Value> {
    const KEYS: [&str; 30] = [
        "rule_id",
        "abstract",
        "dice_system",
        "check_mechanic",
        "critical",
        "success",
        "failure",
        "failure_rule",
        "attack_critical",
        "advantage",
        "type",
        "allow_explicit",
        "assistance_grants",
        "max_check_dc",
        "attributes",
        "key",
        "min",
        "max",
        "special_stats",
        "initial",
        "hp_formula",
        "skill_value_to_bonus",
        "80",
        "skills",
        "currency_system",
        "schema_version",
        "units",
        "rate",
        "bonus_dice",
        "dice",
    ];
    const TEXTS: [&str; 10] =
        ["", " ", "d20", "d100", "none", "d20_keep_high_low", "coc_bonus_penalty", "10 + con", "1 // 0", "\u{202e}"];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (0..3_i64).prop_map(Value::from),
        prop::sample::select(&TEXTS[..]).prop_map(Value::from),
    ];
    let nested = leaf.prop_recursive(4, 48, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(prop::sample::select(&KEYS[..]), inner, 0..6)
                .prop_map(|map| Value::Object(map.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()))
        ]
    });
    prop::collection::btree_map(prop::sample::select(&KEYS[..]), nested, 0..12)
        .prop_map(|map| Value::Object(map.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()))
}

proptest! {
    #[test]
    fn no_rule_panics_and_every_pointer_leads_near_something(rule in any_rule()) {
        let source = Arc::new(SourceFile::new("r.json".into(), rule.to_string(), rule.clone()));
        for dice in [DiceSystem::D20, DiceSystem::D100, DiceSystem::None] {
            let mut problems = Problems::default();
            check::always(&rule, &mut problems);
            check::loaded(&rule, dice, std::slice::from_ref(&source), &mut problems);
            for problem in problems {
                let pointer = problem.pointer.unwrap();
                let above = &pointer[..pointer.rfind('/').unwrap_or(0)];
                prop_assert!(rule.pointer(above).is_some(), "{} of {}", pointer, rule);
            }
        }
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(prop::sample::select(b"{}[]:,\"\\ a1.e-\xff".to_vec()), 0..60)) {
        let folder = Folder::of(&[]);
        std::fs::write(folder.path("r.json"), bytes).unwrap();
        let (report, _) = folder.audited(None, &["r.json"]).unwrap();
        prop_assert!(report.summary.errors > 0);
    }
}
