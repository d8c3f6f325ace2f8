//! The two computations never disagree.

use super::super::fight::{Fight, Intent};
use super::super::formula::Roll;
use super::super::read;
use super::*;
use crate::types::Problems;
use proptest::prelude::*;
use serde_json::json;

/// An amount as authors write them, mostly; any formula, sometimes.
fn amount() -> impl Strategy<Value = Value> {
    prop_oneof![
        2 => (1..12_i64).prop_map(constant),
        1 => Just(json!({"op": "dice", "formula": "2d6"})),
        1 => any_formula(true),
    ]
}

/// A speed that lets a fight begin, mostly; any formula, sometimes.
fn speed() -> impl Strategy<Value = Value> {
    let dex = json!({"op": "attribute", "id": "dex"});
    prop_oneof![
        4 => Just(dex.clone()),
        4 => (1..60_i64).prop_map(move |base| json!({"op": "add", "args": [dex, constant(base)]})),
        1 => any_formula(false),
    ]
}

fn constant(value: i64) -> Value {
    json!({"op": "constant", "value": value})
}

/// A formula over what every rule here has.
fn any_formula(may_read: bool) -> impl Strategy<Value = Value> {
    let number = prop_oneof![
        8 => (-3..30_i64).boxed(),
        1 => Just(i64::MAX).boxed(),
        1 => prop::sample::select(&[-100_001, -100_000, 100_000, 100_001_i64][..]).boxed()
    ];
    let leaf = prop_oneof![
        3 => number.prop_map(constant),
        3 => Just(json!({"op": "attribute", "id": "dex"})),
        if may_read { 2 } else { 0 } => prop_oneof![
            Just(json!({"op": "resource", "id": "qi"})),
            Just(json!({"op": "dice", "formula": "2d6"}))
        ],
    ];
    leaf.prop_recursive(3, 7, 2, |inner| {
        let one_or_two = prop::collection::vec(inner.clone(), 1..3);
        let two = prop::collection::vec(inner.clone(), 2);
        let of = |(op, args): (&str, Vec<Value>)| json!({"op": op, "args": args});
        prop_oneof![
            (prop::sample::select(&["add", "min", "max"][..]), one_or_two).prop_map(of),
            (prop::sample::select(&["subtract", "multiply"][..]), two).prop_map(of),
            inner.prop_map(|arg| json!({"op": "negate", "args": [arg]})),
        ]
    })
}

fn effect() -> impl Strategy<Value = Value> {
    let pool = prop::sample::select(&["hp", "qi", "ward", "ward", "barrier", "barrier"][..]);
    let damage_type = prop::sample::select(&[Some("fire"), Some("cold"), None][..]);
    prop_oneof![
        (amount(), damage_type).prop_map(|(amount, damage_type)| match damage_type {
            Some(damage_type) => json!({"kind": "damage", "amount": amount, "damage_type": damage_type}),
            None => json!({"kind": "damage", "amount": amount}),
        }),
        (amount(), pool).prop_map(|(amount, resource)| {
            json!({"kind": "resource_change", "resource": resource, "amount": amount})
        }),
        (amount(), prop::sample::select(&["action_speed", "qi"][..]), 1..4_i64).prop_map(|(amount, stat, duration)| {
            json!({"kind": "modify_stat", "resource": stat, "duration": duration, "amount": amount})
        }),
    ]
}

fn action() -> impl Strategy<Value = Value> {
    let cost = prop::option::weighted(0.3, (amount(), prop::sample::select(&["hp", "qi"][..])));
    let item = prop::option::weighted(0.3, 1..3_i64);
    (prop::collection::vec(effect(), 1..3), cost, item).prop_map(|(effects, cost, item)| {
        let costs: Vec<Value> =
            cost.map(|(amount, pool)| json!({"resource": pool, "amount": amount})).into_iter().collect();
        let mut action = json!({"kind": "ability", "costs": costs, "effects": effects});
        if let Some(quantity) = item {
            action["consume_item"] = json!({"item": "pill", "qty": quantity});
        }
        action
    })
}

fn scheduler() -> impl Strategy<Value = Value> {
    let threshold = (
        // Small ones, so that some arrive at the same moment with different speeds.
        prop_oneof![4 => 1..13_i64, 5 => 1..200_i64, 1 => Just(i64::MAX)],
        prop::sample::select(&["carry", "clamp"][..]),
        prop::sample::select(&["reset", "carry"][..]),
        prop::option::weighted(0.9, speed()),
    );
    let threshold = threshold.prop_map(|(threshold, overflow, consume, speed)| {
        let mut scheduler =
            json!({"kind": "threshold", "threshold": threshold, "overflow": overflow, "consume": consume});
        if let Some(speed) = speed {
            scheduler["speed_formula"] = speed;
        }
        scheduler
    });
    prop_oneof![
        6 => threshold,
        1 => Just(json!({"kind": "initiative"})),
        1 => Just(json!({"kind": "round_robin"})),
    ]
}

fn rule() -> impl Strategy<Value = Value> {
    (scheduler(), prop::collection::vec(action(), 1..4)).prop_map(|(scheduler, mut actions)| {
        for (at, action) in actions.iter_mut().enumerate() {
            action["id"] = json!(format!("a{at}"));
        }
        json!({
            "rule_id": "t",
            "attributes": [{"key": "dex", "name": "Dexterity", "min": 0, "max": 40}],
            "combat": {
                "scheduler": scheduler,
                "resources": [
                    {"id": "hp", "source": "hp"},
                    {"id": "qi", "source": "special_stat", "stat": "qi"},
                    {"id": "ward", "source": "combat_state", "maximum": 20, "damage_priority": "before_hp",
                     "damage_types": ["fire"]},
                    {"id": "barrier", "source": "combat_state", "damage_priority": "before_hp"}
                ],
                "actions": actions
            }
        })
    })
}

fn sheets() -> impl Strategy<Value = Vec<Sheet>> {
    let dex = prop_oneof![1..7_i64, 0..40_i64];
    let sheet = (dex, 0..4_i64, 0..60_i64, 0..30_i64, 0..3_i64);
    prop::collection::vec(sheet, 1..6).prop_map(|sheets| {
        let sheet = |(at, (dex, initiative, hp, qi, pills)): (usize, (i64, i64, i64, i64, i64))| Sheet {
            id: format!("f{at}"),
            attributes: [("dex".to_owned(), dex)].into(),
            initiative,
            pools: [("hp".to_owned(), (hp, Some(60))), ("qi".to_owned(), (qi, None))].into(),
            inventory: vec![("pill".to_owned(), 1), ("pill".to_owned(), pills)],
        };
        sheets.into_iter().enumerate().map(sheet).collect()
    })
}

/// What somebody tries: the numbers choose among those there are, and sometimes beyond them.
fn moves() -> impl Strategy<Value = Vec<(u8, u8, u8, u8)>> {
    prop::collection::vec((any::<u8>(), any::<u8>(), any::<u8>(), any::<u8>()), 1..80)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(800))]

    #[test]
    fn the_fight_and_its_referee_never_disagree(rule in rule(), sheets in sheets(), moves in moves()) {
        let mut problems = Problems::default();
        let combat = read(&rule, &mut problems);
        prop_assert!(combat.is_some(), "{:?}", problems);
        let combat = combat.unwrap();
        let fight = Fight::start(&combat, sheets.clone(), None);
        let referee = Referee::start(&rule, &sheets);
        prop_assert_eq!(fight.is_ok(), referee.is_ok(), "{:?}", fight.err());
        let (Ok(mut fight), Ok(mut referee)) = (fight, referee) else { return Ok(()) };
        prop_assert_eq!(fight.snapshot(), referee.snapshot());
        for (at, (what, who, action, target)) in moves.into_iter().enumerate() {
            // Mostly somebody who may act; sometimes anybody, or nobody there is.
            let ready: Vec<String> = fight.ready().into_iter().map(str::to_owned).collect();
            let actor = match ready.get(usize::from(who) % ready.len().max(1)) {
                Some(ready) if who < 200 => ready.clone(),
                _ => format!("f{}", who % 6),
            };
            let (done, went) = match what % 4 {
                0 => (Move::Advance, fight.advance()),
                1 if what > 200 => (Move::Pass { actor: actor.clone() }, fight.pass(&actor)),
                _ => {
                    let target = (target < 200).then(|| format!("f{}", target % 6));
                    let action = format!("a{}", action % 4);
                    let mut throws = Vec::new();
                    let mut throw = |roll: Roll| {
                        let above = i64::from(what) % i64::from(roll.count * (roll.sides - 1) + 1);
                        let sum = i64::from(roll.count) + above;
                        throws.push(sum);
                        sum
                    };
                    let targets = target.clone().into_iter().collect();
                    let intent = Intent { id: at.to_string(), actor: actor.clone(), action: action.clone(), targets };
                    let went = fight.perform(&intent, &mut throw);
                    (Move::Act { actor, action, target, throws }, went)
                }
            };
            let followed = referee.follow(&done);
            prop_assert_eq!(went.is_ok(), followed.is_ok(), "{:?}: {:?}", done, went);
            prop_assert_eq!(fight.snapshot(), referee.snapshot(), "{:?}", done);
        }
    }
}
