use super::super::check;
use crate::types::Problems;
use serde_json::{Value, json};

/// DiceFrame's page's own example, with the id a rule needs.
pub(in crate::diceframe::combat) fn seed() -> Value {
    json!({
        "rule_id": "t",
        "attributes": [{"key": "wu_xing", "name": "悟性"}, {"key": "shen_fa", "name": "身法"}],
        "special_stats": [{"key": "ling_li", "name": "灵力", "max": 100, "initial": 100}],
        "combat": {
            "scheduler": {
                "kind": "threshold", "gauge": "action_gauge", "speed": "action_speed",
                "threshold": 100, "overflow": "carry", "consume": "reset",
                "speed_formula": {"op": "multiply", "args": [
                    {"op": "attribute", "id": "shen_fa"}, {"op": "constant", "value": 4}]}
            },
            "resources": [
                {"id": "hp", "source": "hp"},
                {"id": "ling_li", "source": "special_stat", "stat": "ling_li"}
            ],
            "actions": [
                {"id": "spell:fireball", "kind": "ability", "name": "火球术",
                 "costs": [{"resource": "ling_li", "amount": {"op": "constant", "value": 10}}],
                 "effects": [{"kind": "damage", "damage_type": "fire", "amount": {
                     "op": "multiply", "args": [
                         {"op": "attribute", "id": "wu_xing"}, {"op": "constant", "value": 3}]}}]},
                {"id": "technique:escape_light", "kind": "ability", "name": "遁术·轻身",
                 "costs": [{"resource": "ling_li", "amount": {"op": "constant", "value": 5}}],
                 "effects": [{"kind": "modify_stat", "resource": "action_speed",
                              "duration": 2, "amount": {"op": "constant", "value": 40}}]}
            ]
        }
    })
}

fn told(rule: &Value) -> Vec<(String, String)> {
    let mut problems = Problems::default();
    check(rule, &mut problems);
    problems.into_iter().map(|problem| (problem.code.to_string(), problem.pointer.unwrap_or_default())).collect()
}

/// The example of DiceFrame's page with one value written anew; `null` as text takes it away.
fn changed(at: &str, to: Value) -> Value {
    let mut rule = seed();
    let (parent, key) = at.rsplit_once('/').unwrap();
    match rule.pointer_mut(parent).unwrap() {
        Value::Object(map) => {
            map.insert(key.to_owned(), to);
        }
        Value::Array(list) => match key {
            "-" => list.push(to),
            index => list[index.parse::<usize>().unwrap()] = to,
        },
        _ => panic!("{at}"),
    }
    rule
}

fn without(at: &str) -> Value {
    let mut rule = seed();
    let (parent, key) = at.rsplit_once('/').unwrap();
    rule.pointer_mut(parent).unwrap().as_object_mut().unwrap().remove(key).unwrap();
    rule
}

#[test]
fn the_example_of_the_seed_has_no_finding() {
    assert_eq!(told(&seed()), []);
}

#[test]
fn a_rule_without_the_block_has_no_finding() {
    assert_eq!(told(&json!({"rule_id": "t", "speed": 30})), []);
}

const SCHEDULER: &str = "/combat/scheduler";
const SPEED: &str = "/combat/scheduler/speed_formula";
const AMOUNT: &str = "/combat/actions/0/effects/0/amount";
const EFFECT: &str = "/combat/actions/1/effects/0";
const POOL: &str = "/combat/resources/-";

/// Every change here is one fault, and one finding.
#[test]
fn one_finding_for_one_fault() {
    let one = |op: &str, args: Value| json!({"op": op, "args": args});
    let c = |value: Value| json!({"op": "constant", "value": value});
    let cases = [
        ("C01", "/combat", json!("threshold"), "/combat"),
        ("C01", "/combat", json!([]), "/combat"),
        ("C02", SCHEDULER, json!([]), SCHEDULER),
        ("C02", SCHEDULER, json!({"kind": "atb"}), "/combat/scheduler/kind"),
        ("C03", "/combat/scheduler/threshold", json!(0), "/combat/scheduler/threshold"),
        ("C03", "/combat/scheduler/threshold", json!(true), "/combat/scheduler/threshold"),
        ("C03", "/combat/scheduler/threshold", json!(100.0), "/combat/scheduler/threshold"),
        ("C04", "/combat/scheduler/overflow", json!("spill"), "/combat/scheduler/overflow"),
        ("C05", "/combat/scheduler/consume", json!("clamp"), "/combat/scheduler/consume"),
        ("C06", "/combat/scheduler/gauge", json!(""), "/combat/scheduler/gauge"),
        ("C07", SPEED, json!(4), SPEED),
        ("C08", SPEED, json!({"op": "dice", "formula": "1d6"}), SPEED),
        ("C09", SPEED, json!({"op": "resource", "id": "hp"}), SPEED),
        ("C09", SPEED, json!({"op": "derived_stat", "id": "x"}), SPEED),
        ("C09", SPEED, json!({"op": "equipment_stat", "id": "x"}), SPEED),
        ("C10", POOL, json!("hp"), "/combat/resources/2"),
        ("C11", POOL, json!({"id": " ", "source": "combat_state"}), "/combat/resources/2/id"),
        ("C11", POOL, json!({"id": "hp", "source": "combat_state"}), "/combat/resources/2/id"),
        ("C12", POOL, json!({"id": "x", "source": "sheet"}), "/combat/resources/2/source"),
        ("C12", "/combat/resources/0/source", json!("mana"), "/combat/resources/0/source"),
        ("C13", POOL, json!({"id": "life", "source": "hp"}), "/combat/resources"),
        ("C14", POOL, json!({"id": "x", "source": "special_stat"}), "/combat/resources/2"),
        ("C14", "/combat/resources/0/stat", json!("ling_li"), "/combat/resources/0/stat"),
        ("C15", "/combat/resources/1/stat", json!("mana"), "/combat/resources/1/stat"),
        ("C16", "/combat/resources/1/maximum", json!(true), "/combat/resources/1/maximum"),
        ("C17", "/combat/resources/1/costable", json!("yes"), "/combat/resources/1/costable"),
        ("C18", "/combat/resources/0/damage_priority", json!("before_hp"), "/combat/resources/0/damage_priority"),
        (
            "C18",
            POOL,
            json!({"id": "x", "source": "combat_state", "damage_priority": "first"}),
            "/combat/resources/2/damage_priority",
        ),
        ("C19", "/combat/damage_types", json!("fire"), "/combat/damage_types"),
        ("C19", "/combat/damage_types", json!(["fire", ""]), "/combat/damage_types/1"),
        ("C20", "/combat/actions", json!({}), "/combat/actions"),
        ("C20", "/combat/actions/-", json!(null), "/combat/actions/2"),
        ("C21", "/combat/actions/1/id", json!("spell:fireball"), "/combat/actions/1/id"),
        ("C21", "/combat/actions/1/id", json!(""), "/combat/actions/1/id"),
        ("C22", "/combat/actions/1/kind", json!("spell"), "/combat/actions/1/kind"),
        ("C23", "/combat/actions/1/name", json!(""), "/combat/actions/1/name"),
        ("C24", "/combat/actions/1/costs", json!({}), "/combat/actions/1/costs"),
        ("C24", "/combat/actions/1/costs/0/resource", json!("mana"), "/combat/actions/1/costs/0/resource"),
        (
            "C24",
            "/combat/actions/1/costs/-",
            json!({"resource": "ling_li", "amount": {"op": "constant", "value": 1}}),
            "/combat/actions/1/costs/1/resource",
        ),
        ("C25", "/combat/actions/1/effects", json!([]), "/combat/actions/1/effects"),
        ("C26", "/combat/actions/1/effects/0/kind", json!("barrier"), "/combat/actions/1/effects/0/kind"),
        ("C27", "/combat/actions/1/effects/0/duration", json!(0), "/combat/actions/1/effects/0/duration"),
        ("C27", "/combat/actions/1/effects/0/damage_type", json!("x"), "/combat/actions/1/effects/0/damage_type"),
        ("C27", "/combat/actions/0/effects/0/duration", json!(1), "/combat/actions/0/effects/0/duration"),
        ("C27", "/combat/actions/0/effects/0/target_policy", json!("all"), "/combat/actions/0/effects/0/target_policy"),
        (
            "C28",
            EFFECT,
            json!({"kind": "resource_change", "resource": "x", "amount": c(json!(1))}),
            "/combat/actions/1/effects/0/resource",
        ),
        ("C29", "/combat/actions/1/effects/0/resource", json!("speed"), "/combat/actions/1/effects/0/resource"),
        ("C30", "/combat/damage_types", json!(["cold"]), "/combat/actions/0/effects/0/damage_type"),
        ("C31", AMOUNT, json!({"op": "divide", "args": []}), "/combat/actions/0/effects/0/amount/op"),
        ("C31", AMOUNT, json!({"op": "derived_stat", "id": "x"}), "/combat/actions/0/effects/0/amount/op"),
        ("C31", AMOUNT, json!("2 + 2"), AMOUNT),
        ("C31", AMOUNT, one("add", json!([])), "/combat/actions/0/effects/0/amount/args"),
        ("C31", AMOUNT, one("negate", json!([c(json!(1)), c(json!(1))])), "/combat/actions/0/effects/0/amount/args"),
        ("C31", SPEED, one("subtract", json!([c(json!(1))])), "/combat/scheduler/speed_formula/args"),
        ("C32", AMOUNT, one("add", json!(vec![c(json!(1)); 64])), "/combat/actions/0/effects/0/amount/args/63"),
        ("C33", AMOUNT, c(json!(1.0)), "/combat/actions/0/effects/0/amount/value"),
        ("C33", AMOUNT, c(json!(true)), "/combat/actions/0/effects/0/amount/value"),
        ("C33", AMOUNT, c(json!(u64::MAX)), "/combat/actions/0/effects/0/amount/value"),
        ("C34", AMOUNT, json!({"op": "attribute", "id": "str"}), "/combat/actions/0/effects/0/amount/id"),
        ("C35", AMOUNT, json!({"op": "resource", "id": "mana"}), "/combat/actions/0/effects/0/amount/id"),
        ("C36", AMOUNT, json!({"op": "dice", "formula": "d6"}), "/combat/actions/0/effects/0/amount/formula"),
        ("C36", AMOUNT, json!({"op": "dice", "formula": "999d9999"}), "/combat/actions/0/effects/0/amount/formula"),
        ("C37", "/combat/actions/1/consume_item", json!({"item": ""}), "/combat/actions/1/consume_item/item"),
        (
            "C37",
            "/combat/actions/1/consume_item",
            json!({"item": "x", "qty": 1.0}),
            "/combat/actions/1/consume_item/qty",
        ),
        ("C42", SPEED, json!({"op": "subtract", "args": [{"op": "attribute", "id": "shen_fa"}, c(json!(3))]}), SPEED),
        ("C42", SPEED, c(json!(0)), SPEED),
        ("C43", AMOUNT, c(json!(100_001)), AMOUNT),
        ("C43", AMOUNT, c(json!(0)), AMOUNT),
        ("C43", "/combat/actions/0/costs/0/amount", c(json!(-1)), "/combat/actions/0/costs/0/amount"),
        ("C43", "/combat/actions/1/effects/0/amount", c(json!(0)), "/combat/actions/1/effects/0/amount"),
        ("C44", "/combat/scheduler/speedformula", json!(1), "/combat/scheduler/speedformula"),
        ("C44", "/combat/actions/0/effects/0/amount/note", json!(""), "/combat/actions/0/effects/0/amount/note"),
    ];
    for (code, at, to, pointer) in cases {
        let found = told(&changed(at, to.clone()));
        assert_eq!(found, [(code.to_owned(), pointer.to_owned())], "{code}: {at} = {to}");
    }
}

#[test]
fn every_cost_in_what_nothing_can_be_paid_with_is_told() {
    let costs = ["/combat/actions/0/costs/0/resource", "/combat/actions/1/costs/0/resource"];
    let expected = costs.map(|at| ("C24".to_owned(), at.to_owned()));
    assert_eq!(told(&changed("/combat/resources/1/costable", json!(false))), expected);
}

#[test]
fn what_is_missing_is_told_of_the_object_it_is_missing_from() {
    let cases = [
        ("C02", "/combat/scheduler/kind", "/combat/scheduler"),
        ("C10", "/combat/resources", "/combat"),
        ("C11", "/combat/resources/0/id", "/combat/resources/0"),
        ("C20", "/combat/actions", "/combat"),
        ("C21", "/combat/actions/0/id", "/combat/actions/0"),
        ("C22", "/combat/actions/0/kind", "/combat/actions/0"),
        ("C24", "/combat/actions/0/costs/0/resource", "/combat/actions/0/costs/0"),
        ("C25", "/combat/actions/0/effects", "/combat/actions/0"),
        ("C26", "/combat/actions/0/effects/0/kind", "/combat/actions/0/effects/0"),
        ("C27", "/combat/actions/0/effects/0/amount", "/combat/actions/0/effects/0"),
        ("C27", "/combat/actions/1/effects/0/resource", "/combat/actions/1/effects/0"),
        ("C27", "/combat/actions/1/effects/0/duration", "/combat/actions/1/effects/0"),
        ("C40", "/combat/scheduler/speed_formula", "/combat/scheduler"),
    ];
    for (code, at, pointer) in cases {
        assert_eq!(told(&without(at)), [(code.to_owned(), pointer.to_owned())], "{at}");
    }
    // Without its vocabulary of resources a block cannot say what is not declared.
    assert_eq!(told(&without("/attributes")).iter().filter(|(code, _)| code == "C34").count(), 2);
}

#[test]
fn what_may_be_absent_or_odd_is_no_finding() {
    for at in
        ["/combat/scheduler/threshold", "/combat/scheduler/gauge", "/combat/actions/0/costs", "/combat/actions/0/name"]
    {
        assert_eq!(told(&without(at)), [], "{at}");
    }
    for (at, to) in [
        ("/combat/scheduler/kind", json!(" threshold ")),
        ("/combat/damage_types", json!([])),
        ("/combat/damage_types", json!(["fire", "cold"])),
        ("/combat/actions", json!([])),
        ("/combat/actions/1/effects/0/resource", json!("ling_li")),
        ("/combat/actions/1/consume_item", json!({"item": "回春丹", "qty": 2})),
        (
            POOL,
            json!({"id": "ward", "source": "combat_state", "damage_priority": "before_hp", "damage_types": ["fire"]}),
        ),
    ] {
        assert_eq!(told(&changed(at, to.clone())), [], "{at} = {to}");
    }
    // The threshold is looked at only where there is one; nobody is named where no scheduler names a speed.
    let other = changed("/combat/scheduler", json!({"kind": "initiative", "threshold": "x", "speed": "action_speed"}));
    assert_eq!(told(&other), []);
    assert_eq!(
        told(&changed("/combat/scheduler", json!(null))),
        [("C29".into(), "/combat/actions/1/effects/0/resource".into())]
    );
}

/// As DiceFrame takes them: switched off where that makes sense, no value where there must be one.
#[test]
fn null_says_nothing_where_nothing_need_be_said() {
    assert_eq!(told(&changed("/combat", json!(null))), []);
    for at in [
        "/combat/damage_types",
        "/combat/resources/0/stat",
        "/combat/resources/1/maximum",
        "/combat/resources/1/damage_types",
        "/combat/resources/1/damage_priority",
        "/combat/actions/1/consume_item",
        "/combat/actions/1/effects/0/damage_type",
        "/combat/actions/0/effects/0/damage_type",
        "/combat/actions/0/effects/0/resource",
        "/combat/actions/0/effects/0/duration",
        "/combat/actions/0/effects/0/target_policy",
    ] {
        assert_eq!(told(&changed(at, json!(null))), [], "{at}");
    }
    for (code, at) in [
        ("C03", "/combat/scheduler/threshold"),
        ("C04", "/combat/scheduler/overflow"),
        ("C06", "/combat/scheduler/gauge"),
        ("C14", "/combat/resources/1/stat"),
        ("C17", "/combat/resources/1/costable"),
        ("C23", "/combat/actions/1/name"),
        ("C24", "/combat/actions/1/costs"),
        ("C24", "/combat/actions/1/costs/0/resource"),
        ("C27", "/combat/actions/1/effects/0/duration"),
        ("C27", "/combat/actions/1/effects/0/resource"),
        ("C40", SPEED),
    ] {
        let found = told(&changed(at, json!(null)));
        assert_eq!(found.iter().map(|(code, _)| code.as_str()).collect::<Vec<_>>(), [code], "{at}");
    }
}

#[test]
fn blanks_around_the_key_of_an_attribute_or_a_stat_are_none_of_it() {
    assert_eq!(told(&changed("/attributes/0/key", json!(" wu_xing "))), []);
    assert_eq!(told(&changed("/special_stats/0/key", json!(" ling_li "))), []);
}

#[test]
fn nine_levels_sixty_four_nodes_and_eight_dice_are_as_far_as_it_goes() {
    let nested = |levels: usize| {
        (1..levels).fold(json!({"op": "constant", "value": 5}), |inner, _| json!({"op": "add", "args": [inner]}))
    };
    assert_eq!(told(&changed(AMOUNT, nested(9))), []);
    let deep = told(&changed(AMOUNT, nested(10)));
    assert_eq!(deep.iter().map(|(code, _)| code.as_str()).collect::<Vec<_>>(), ["C32"]);
    let sum = |count: usize, leaf: Value| json!({"op": "add", "args": vec![leaf; count]});
    assert_eq!(told(&changed(AMOUNT, sum(63, json!({"op": "constant", "value": 5})))), []);
    let dice = json!({"op": "dice", "formula": "1d6"});
    assert_eq!(told(&changed(AMOUNT, sum(8, dice.clone()))), []);
    assert_eq!(told(&changed(AMOUNT, sum(9, dice))), [("C32".into(), format!("{AMOUNT}/args/8"))]);
}

mod any_json {
    use super::*;
    use proptest::prelude::*;

    /// Any JSON, made of words that mean something here.
    fn value() -> impl Strategy<Value = Value> {
        const WORDS: [&str; 10] =
            ["hp", "op", "add", "constant", "dice", "1d6", "threshold", "damage", "modify_stat", ""];
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            proptest::sample::select(&WORDS[..]).prop_map(Value::from),
        ];
        const KEYS: [&str; 11] =
            ["kind", "id", "op", "args", "value", "amount", "effects", "costs", "resource", "source", "other"];
        leaf.prop_recursive(4, 40, 5, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                proptest::collection::btree_map(proptest::sample::select(&KEYS[..]), inner, 0..5)
                    .prop_map(|map| Value::Object(map.into_iter().map(|(k, v)| (k.to_owned(), v)).collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn no_json_panics(block in value(), place in 0..PLACES.len()) {
            told(&json!({"combat": block}));
            told(&changed(PLACES[place], block));
        }
    }

    const PLACES: [&str; 9] = [
        "/attributes",
        "/special_stats",
        SCHEDULER,
        SPEED,
        AMOUNT,
        EFFECT,
        POOL,
        "/combat/actions/-",
        "/combat/damage_types",
    ];
}
