use super::super::read::seed;
use super::*;
use serde_json::{Value, json};

/// The findings of a rule's fights, and its report.
fn audited(rule: Value) -> (Vec<(String, String)>, RuleReport) {
    let order = Order { rounds: 400, players: 2, seed: 7, trace: true, ..Order::default() };
    let subject = Subject { name: "t".into(), file: None, resolved: rule, chain: Vec::new() };
    let (report, problems) = one(&subject, &order, &Cancel::default());
    assert_eq!(report.disagreements, 0, "{problems:?}");
    let told =
        problems.into_iter().map(|problem| (problem.code.to_string(), problem.pointer.unwrap_or_default())).collect();
    (told, report)
}

fn with_actions(actions: Value) -> Value {
    let mut rule = seed();
    rule["combat"]["actions"] = actions;
    rule
}

fn told(rule: Value) -> Vec<(String, String)> {
    audited(rule).0
}

fn one_of(code: &str, pointer: &str) -> Vec<(String, String)> {
    vec![(code.to_owned(), pointer.to_owned())]
}

fn strike() -> Value {
    let damage = json!({"kind": "damage", "amount": {"op": "dice", "formula": "2d6"}});
    json!({"id": "strike", "kind": "attack", "effects": [damage]})
}

fn costing(resource: &str, amount: i64) -> Value {
    let mut action = strike();
    action["id"] = json!("costly");
    action["costs"] = json!([{"resource": resource, "amount": {"op": "constant", "value": amount}}]);
    action
}

#[test]
fn the_example_of_the_seed_is_fought_without_a_disagreement() {
    let mut rule = seed();
    // Its powers are finite; with a strike that costs nothing every fight ends.
    rule["combat"]["actions"].as_array_mut().unwrap().push(strike());
    let (told, report) = audited(rule);
    assert_eq!(told, []);
    assert!(report.ended > 3 && report.rounds == 400 && report.comparisons > 400, "{report:?}");
    assert!(report.actions.iter().all(|action| action.done > 0), "{report:?}");
    let trace = report.trace.unwrap();
    assert_eq!((trace[0].round, &trace[0].what, &trace[1].what), (0, &Move::Start, &Move::Advance));
    assert_eq!(
        trace[0].fighters.iter().map(|fighter| fighter.id.as_str()).collect::<Vec<_>>(),
        ["e1", "e2", "p1", "p2"]
    );
}

#[test]
fn a_block_with_errors_is_not_fought_and_a_rule_without_one_has_nothing_to_fight() {
    let mut broken = seed();
    broken["combat"]["scheduler"]["threshold"] = json!(0);
    let (told, report) = audited(broken);
    assert_eq!(told, one_of("C03", "/combat/scheduler/threshold"));
    assert!(report.declared && !report.fought && report.fights == 0);
    let (told, report) = audited(json!({"rule_id": "t"}));
    assert_eq!(told, []);
    assert!(!report.declared && !report.fought && report.fights == 0);
}

#[test]
fn what_can_never_be_paid_is_proven() {
    let amount = "/combat/actions/1/costs/0/amount";
    assert_eq!(told(with_actions(json!([strike(), costing("ling_li", 101)]))), one_of("action-never-payable", amount));
    assert_eq!(told(with_actions(json!([strike(), costing("ling_li", 100)]))), []);
    assert_eq!(told(with_actions(json!([strike(), costing("ling_li", -1)]))), one_of("action-never-payable", amount));
    let mut rule = with_actions(json!([strike(), costing("focus", 1)]));
    let pools = rule["combat"]["resources"].as_array_mut().unwrap();
    pools.push(json!({"id": "focus", "source": "combat_state", "maximum": 9}));
    assert_eq!(told(rule), one_of("action-never-payable", amount), "nothing fills it");
}

#[test]
fn a_pool_filled_only_by_what_nobody_can_pay_stays_empty() {
    let mut filling = costing("ling_li", 101);
    filling["id"] = json!("fill");
    filling["effects"] =
        json!([{"kind": "resource_change", "resource": "focus", "amount": {"op": "constant", "value": 5}}]);
    let mut rule = with_actions(json!([strike(), filling, costing("focus", 1)]));
    let pools = rule["combat"]["resources"].as_array_mut().unwrap();
    pools.push(json!({"id": "focus", "source": "combat_state"}));
    let codes: Vec<_> = told(rule).into_iter().collect();
    let expected = [1, 2].map(|at| ("action-never-payable".to_owned(), format!("/combat/actions/{at}/costs/0/amount")));
    assert_eq!(codes, expected);
}

#[test]
fn what_is_always_out_of_bounds_is_proven_and_what_is_sometimes_is_seen() {
    let amount = "/combat/actions/1/effects/0/amount";
    let hitting =
        |amount: Value| json!({"id": "hit", "kind": "attack", "effects": [{"kind": "damage", "amount": amount}]});
    let constant = |value: i64| json!({"op": "constant", "value": value});
    assert_eq!(
        told(with_actions(json!([strike(), hitting(constant(100_001))]))),
        one_of("formula-out-of-bounds", amount)
    );
    assert_eq!(told(with_actions(json!([strike(), hitting(constant(0))]))), one_of("action-never-payable", amount));
    let sometimes = json!({"op": "subtract", "args": [{"op": "dice", "formula": "1d6"}, constant(3)]});
    assert_eq!(told(with_actions(json!([strike(), hitting(sometimes)]))), one_of("formula-refused", amount));
}

#[test]
fn gauges_that_never_fill_are_proven_and_those_that_sometimes_stop_are_seen() {
    let speed = "/combat/scheduler/speed_formula";
    let mut rule = with_actions(json!([strike()]));
    rule["combat"]["scheduler"]["speed_formula"] = json!({"op": "constant", "value": 0});
    let codes: Vec<String> = told(rule.clone()).into_iter().map(|(code, _)| code).collect();
    assert_eq!(codes, ["C42", "gauge-never-fills"]);
    rule["combat"]["scheduler"]["speed_formula"] =
        json!({"op": "subtract", "args": [{"op": "attribute", "id": "shen_fa"}, {"op": "constant", "value": 8}]});
    let expected = [("C42".to_owned(), speed.to_owned()), ("gauge-stalled".to_owned(), speed.to_owned())];
    assert_eq!(told(rule), expected);
}

#[test]
fn fights_that_cannot_end_are_proven_and_those_that_do_not_are_seen() {
    let actions = "/combat/actions";
    let rest = json!({"id": "rest", "kind": "ability", "effects": [
        {"kind": "resource_change", "resource": "hp", "amount": {"op": "constant", "value": 5}}]});
    let (found, report) = audited(with_actions(json!([rest])));
    assert_eq!((found, report.ended), (one_of("fight-never-ends", actions), 0));
    let (found, _) = audited(with_actions(json!([])));
    assert_eq!(found, one_of("fight-not-ended", actions));
    // Nobody has the means to bring anybody down.
    let (found, report) = audited(with_actions(json!([costing("ling_li", 60)])));
    assert_eq!(found, one_of("fight-not-ended", actions));
    assert!(report.stuck > 0, "{report:?}");
}

#[test]
fn every_kind_of_scheduler_and_none_is_fought() {
    for scheduler in [json!({"kind": "initiative"}), json!({"kind": "round_robin"}), json!(null)] {
        let mut rule = with_actions(json!([strike(), costing("hp", 3)]));
        rule["combat"]["scheduler"] = scheduler;
        let (told, report) = audited(rule);
        assert_eq!(told, []);
        assert!(report.ended > 3, "{report:?}");
    }
}

#[test]
fn the_largest_numbers_are_no_danger() {
    let heal = json!({"id": "heal", "kind": "ability", "effects": [
        {"kind": "resource_change", "resource": "hp", "amount": {"op": "constant", "value": 100_000}},
        {"kind": "resource_change", "resource": "well", "amount": {"op": "constant", "value": 100_000}}]});
    let mut rule = with_actions(json!([strike(), heal, costing("well", i64::MAX), costing("ling_li", 1)]));
    rule["combat"]["actions"][3]["id"] = json!("another");
    rule["combat"]["resources"].as_array_mut().unwrap().push(json!({"id": "well", "source": "combat_state"}));
    rule["attributes"] = json!([
        {"key": "wu_xing", "min": i64::MIN, "max": i64::MAX},
        {"key": "shen_fa", "min": i64::MAX, "max": i64::MIN},
        {"key": "con", "min": i64::MIN, "max": i64::MIN}
    ]);
    rule["special_stats"][0]["max"] = json!(i64::MAX);
    rule["combat"]["scheduler"]["threshold"] = json!(i64::MAX);
    for (hp, speed) in [("9223372036854775807", 1), ("con_mod - 9", 100_000), ("1 // 0", 3), ("import os", 7)] {
        rule["hp_formula"] = json!(hp);
        rule["combat"]["scheduler"]["speed_formula"] = json!({"op": "constant", "value": speed});
        audited(rule.clone());
    }
}

#[test]
fn the_same_seed_gives_the_same_report() {
    let report = |seed| {
        let order = Order { rounds: 50, players: 3, seed, trace: true, ..Order::default() };
        let subject = Subject { name: "t".into(), file: None, resolved: read::seed(), chain: Vec::new() };
        serde_json::to_string(&one(&subject, &order, &Cancel::default()).0).unwrap()
    };
    assert_eq!(report(1), report(1));
    assert_ne!(report(1), report(2));
}
