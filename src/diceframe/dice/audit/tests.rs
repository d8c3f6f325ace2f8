use super::*;
use serde_json::{Value, json};

/// Nobody interrupts.
fn audit(subjects: &[Subject], order: &Order) -> Result<Report, NoAudit> {
    super::audit(subjects, Vec::new(), order, &Cancel::default())
}

fn order(rounds: u32, players: u32) -> Order {
    Order { rounds, players, distribution_samples: 5000, seed: DEFAULT_SEED, only: Vec::new(), details: false }
}

fn subject(name: &str, resolved: Value) -> Subject {
    Subject { name: name.to_owned(), file: None, resolved, chain: Vec::new() }
}

/// The three of every audit, and one of each kind beside them.
fn subjects() -> Vec<Subject> {
    let mut subjects = synthetic();
    subjects.push(subject(
        "dnd5e",
        json!({
            "skill_mode": "proficiency",
            "attack_proficiency": true,
            "check_mechanic": {
                "critical": { "success": null, "failure": null },
                "attack_critical": { "success": 20, "failure": 1 },
                "attack_target": { "type": "armor_class" },
                "advantage": { "type": "d20_keep_high_low", "allow_explicit": false, "assistance_grants": "advantage" },
            },
        }),
    ));
    subjects.push(subject(
        "mystery",
        json!({ "dice_system": "d100", "check_mechanic": { "advantage": { "type": "coc_bonus_penalty" } } }),
    ));
    subjects.push(subject("free", json!({ "dice_system": "none" })));
    subjects
}

#[test]
fn every_check_of_every_rule_is_verified() {
    let report = audit(&subjects(), &order(400, 6)).unwrap();
    assert!(report.ok, "{report:#?}");
    assert_eq!((report.total_actions, report.total_checks), (6 * 2400, 5 * 2400));
    assert_eq!(report.formulas.len(), 9);
    assert_eq!(report.distributions.len(), 6);
    for scenario in &report.scenarios {
        let verdicts = &scenario.verdicts;
        let d20 = verdicts.success;
        let d100 = verdicts.extreme + verdicts.hard + verdicts.regular;
        let ends = verdicts.critical + verdicts.failure + verdicts.fumble;
        assert_eq!(d20 + d100 + ends, scenario.checks, "{}", scenario.name);
        assert_eq!(d20 > 0, scenario.dice_system == "d20", "{}", scenario.name);
        assert_eq!(d100 > 0, scenario.dice_system == "d100", "{}", scenario.name);
    }
    // Ordinary checks of this rule have no criticals, its attacks have.
    let strict = &report.scenarios[0].verdicts;
    assert_eq!((strict.critical, strict.fumble), (0, 0));
    assert!(report.scenarios[3].verdicts.critical > 0);
}

#[test]
fn the_same_order_gives_the_same_report_and_rules_do_not_touch_each_other() {
    let detailed = Order { details: true, ..order(20, 3) };
    let all = audit(&subjects(), &detailed).unwrap();
    assert_eq!(all, audit(&subjects(), &detailed).unwrap());
    let one = Order { only: vec!["mystery".to_owned()], ..detailed.clone() };
    let one = audit(&subjects(), &one).unwrap();
    assert_eq!(one.scenarios, all.scenarios[4..5]);
    let other = Order { seed: 7, ..detailed };
    assert_ne!(audit(&subjects(), &other).unwrap().scenarios, all.scenarios);
}

#[test]
fn with_a_choice_of_rules_only_their_dice_are_held_to_account() {
    let of = |only: &[&str]| {
        let only = only.iter().map(|id| (*id).to_owned()).collect();
        let report = audit(&subjects(), &Order { only, ..order(1, 1) }).unwrap();
        let formulas: Vec<String> = report.formulas.into_iter().map(|formula| formula.formula).collect();
        let dice: Vec<String> = report.distributions.into_iter().map(|distribution| distribution.dice).collect();
        (formulas, dice)
    };
    let (formulas, dice) = of(&["mystery"]);
    assert_eq!(formulas, ["d100"]);
    assert_eq!(dice, ["d100", "d100 bonus", "d100 penalty"]);
    assert_eq!(of(&["free"]), (vec![], vec![]));
    assert_eq!(of(&["dnd5e", "mystery"]).0, ["d20", "d100"]);
}

#[test]
fn an_unknown_rule_is_told_with_its_neighbours() {
    let only = vec!["mystry".to_owned()];
    let unknown = audit(&subjects(), &Order { only, ..order(1, 1) }).unwrap_err();
    assert_eq!(
        unknown,
        NoAudit::UnknownRule { id: "mystry".to_owned(), nearest: vec!["mystery".to_owned()], unread: 0 }
    );
}

#[test]
fn the_fixed_party_asks_for_what_it_always_asks_for() {
    let only = vec!["dnd5e".to_owned()];
    let report = audit(&subjects(), &Order { only, details: true, ..order(5, 6) }).unwrap();
    let details = &report.scenarios[0].details;
    let first: Vec<_> = details[..6]
        .iter()
        .map(|detail| {
            (detail.attribute.as_deref().unwrap(), detail.attribute_value.unwrap(), detail.requested_dc.unwrap())
        })
        .collect();
    assert_eq!(
        first,
        [("str", 16, 10), ("dex", 16, 12), ("int", 15, 13), ("wis", 14, 11), ("cha", 16, 13), ("con", 14, 14)]
    );
    let targets: Vec<i32> = details.iter().filter_map(|detail| detail.requested_dc).collect();
    assert!(targets.iter().all(|dc| (10..=18).contains(dc)), "{targets:?}");
}

#[test]
fn requests_are_those_of_the_plan() {
    let report = audit(&synthetic(), &Order { details: true, ..order(30, 2) }).unwrap();
    let (d20, d100) = (&report.scenarios[0].details, &report.scenarios[2].details);
    let first = &d20[0];
    assert_eq!((first.requested_dc, first.circumstance_modifier), (Some(18), Some(-4)), "1 + 17, 1 - 5");
    assert!(d20.iter().any(|detail| detail.dc == Some(30)), "the cap is met");
    let modes: Vec<&str> = d20[..4].iter().map(|detail| detail.requested_advantage_mode).collect();
    assert_eq!(modes, ["normal", "advantage", "advantage", "disadvantage"]);
    assert!(d20.iter().all(|detail| detail.advantage_mode == "normal"), "the rule declares no advantage");
    assert!(d20.iter().filter_map(|detail| detail.attribute_value).all(|value| (3..=20).contains(&value)));
    assert_eq!((d100[1].skill_value, d100[1].circumstance_modifier, d100[1].threshold), (Some(75), Some(-2), Some(73)));
}

#[test]
fn a_rule_that_cannot_be_played_is_a_finding() {
    let wrong = [
        ("D08", json!({ "dice_system": "d6" })),
        ("D18", json!({ "attributes": [{ "key": "str", "min": 9, "max": 3 }] })),
        ("D19", json!({ "skill_mode": "proficiency", "proficiency_formula": "level **" })),
    ];
    for (code, rule) in wrong {
        let report = audit(&[subject("wrong", rule)], &order(1, 1)).unwrap();
        assert_eq!(report.problems[0].code.as_str(), code);
        assert!(!report.ok && report.scenarios.is_empty());
    }
}

#[test]
fn a_formula_without_a_value_at_some_level_is_an_error_of_the_campaign() {
    let rule = json!({ "skill_mode": "proficiency", "proficiency_formula": "10 // (level - 3)" });
    let report = audit(&[subject("uneven", rule)], &order(40, 1)).unwrap();
    assert!(!report.ok && report.scenario_error_count > 0);
    assert!(report.scenarios[0].errors[0].contains("divides by zero"), "{:?}", report.scenarios[0].errors);
}

#[test]
fn an_audit_can_be_interrupted() {
    let cancel = Cancel::default();
    cancel.flag().store(true, std::sync::atomic::Ordering::Relaxed);
    let order = Order { distribution_samples: u32::MAX, ..order(u32::MAX, 6) };
    let stopped = super::audit(&subjects(), Vec::new(), &order, &cancel);
    assert_eq!(stopped.unwrap_err(), NoAudit::Interrupted);
}
