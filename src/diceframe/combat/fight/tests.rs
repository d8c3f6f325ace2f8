use super::super::read;
use super::super::read::seed;
use super::*;
use crate::types::Problems;
use serde_json::{Value, json};

fn combat(rule: &Value) -> Combat {
    let mut problems = Problems::default();
    let combat = read(rule, &mut problems);
    combat.unwrap_or_else(|| panic!("{problems:?}"))
}

fn sheet(id: &str, shen_fa: i64) -> Sheet {
    Sheet {
        id: id.into(),
        attributes: [("wu_xing".into(), 10), ("shen_fa".into(), shen_fa)].into(),
        initiative: 0,
        pools: [("hp".into(), (60, Some(60))), ("ling_li".into(), (12, Some(100)))].into(),
        inventory: vec![("回春丹".into(), 1), ("rope".into(), 3), ("回春丹".into(), 2)],
    }
}

fn intent(id: &str, actor: &str, action: &str, targets: &[&str]) -> Intent {
    let targets = targets.iter().map(ToString::to_string).collect();
    Intent { id: id.into(), actor: actor.into(), action: action.into(), targets }
}

fn pools<'f>(fight: &'f Fight<'_>, id: &str) -> BTreeMap<&'f str, i64> {
    fight.snapshot().fighters.into_iter().find(|fighter| fighter.id == id).unwrap().pools
}

fn gauge(fight: &Fight<'_>, id: &str) -> i128 {
    fight.snapshot().fighters.into_iter().find(|fighter| fighter.id == id).unwrap().gauge.unwrap()
}

fn no_dice(_: Roll) -> i64 {
    panic!("no die is thrown here")
}

fn time(events: &[Event]) -> i64 {
    let [Event::Advanced { time }, ..] = events else { panic!("{events:?}") };
    *time
}

#[test]
fn the_example_of_the_seed_is_fought_as_it_says() {
    let combat = combat(&seed());
    let mut fight = Fight::start(&combat, vec![sheet("me", 10), sheet("foe", 3)], None).unwrap();
    assert_eq!(time(&fight.advance().unwrap()), 3);
    assert_eq!((gauge(&fight, "me"), fight.ready()), (120, vec!["me"]));

    let events = fight.perform(&intent("1", "me", "technique:escape_light", &[]), &mut no_dice).unwrap();
    let source_action = "technique:escape_light".to_owned();
    assert_eq!(
        events,
        [
            Event::ResourceChanged {
                entity: "me".into(),
                resource: "ling_li".into(),
                before: 12,
                delta: -5,
                after: 7,
                source_action: source_action.clone()
            },
            Event::BuffApplied {
                target: "me".into(),
                stat: "action_speed".into(),
                delta: 40,
                duration: 2,
                source_action
            },
            Event::Consumed { entity: "me".into() },
        ]
    );
    // 80 instead of 40, for two advances.
    assert_eq!((time(&fight.advance().unwrap()), gauge(&fight, "me")), (2, 160));
    assert_eq!(fight.snapshot().modifiers[0].remaining, 1);
    fight.pass("me").unwrap();
    assert_eq!((time(&fight.advance().unwrap()), gauge(&fight, "me")), (2, 160));
    assert_eq!(fight.snapshot().modifiers, []);
    fight.pass("me").unwrap();
    // The foe, at 84 by now, is the first.
    assert_eq!((time(&fight.advance().unwrap()), gauge(&fight, "me"), fight.ready()), (2, 80, vec!["foe"]));
}

#[test]
fn all_or_nothing() {
    let mut rule = seed();
    rule["combat"]["actions"] = json!([
        {"id": "dear", "kind": "ability", "consume_item": {"item": "回春丹", "qty": 2},
         "costs": [{"resource": "hp", "amount": {"op": "constant", "value": 5}},
                   {"resource": "ling_li", "amount": {"op": "constant", "value": 13}}],
         "effects": [{"kind": "damage", "amount": {"op": "constant", "value": 5}}]},
        {"id": "rare", "kind": "consumable", "consume_item": {"item": "回春丹", "qty": 4},
         "costs": [{"resource": "ling_li", "amount": {"op": "constant", "value": 1}}],
         "effects": [{"kind": "damage", "amount": {"op": "constant", "value": 5}}]},
        {"id": "weak", "kind": "ability",
         "costs": [{"resource": "ling_li", "amount": {"op": "constant", "value": 1}}],
         "effects": [{"kind": "resource_change", "resource": "hp", "amount": {"op": "constant", "value": -7}},
                     {"kind": "damage", "amount": {"op": "dice", "formula": "1d6"}}]},
        {"id": "pill", "kind": "consumable", "consume_item": {"item": "回春丹", "qty": 2},
         "effects": [{"kind": "resource_change", "resource": "hp", "amount": {"op": "constant", "value": 10}}]}
    ]);
    let combat = combat(&rule);
    let mut fight = Fight::start(&combat, vec![sheet("me", 10), sheet("foe", 3)], None).unwrap();
    fight.advance().unwrap();
    let before = fight.clone();
    let mut refused = |action: &str, targets: &[&str], throw: i64| {
        let refusal = fight.perform(&intent("x", "me", action, targets), &mut |_| throw).unwrap_err();
        assert_eq!(fight.snapshot(), before.snapshot(), "{action}");
        refusal
    };
    assert_eq!(refused("dear", &["foe"], 1), Refusal::TooDear { resource: "ling_li".into(), amount: 13, there: 12 });
    assert_eq!(refused("rare", &["foe"], 1), Refusal::ItemMissing { item: "回春丹".into(), quantity: 4, there: 3 });
    assert_eq!(refused("weak", &["foe"], 0), Refusal::NoEffect { effect: 1, amount: 0 });
    assert_eq!(
        refused("weak", &["foe"], 100_001),
        Refusal::NoAmount { effect: 1, why: FormulaError::OutOfBounds(100_001) }
    );
    assert_eq!(refused("weak", &["nobody"], 1), Refusal::NoTarget("nobody".into()));
    assert_eq!(refused("weak", &["foe", "me"], 1), Refusal::TooManyTargets);
    assert_eq!(refused("none", &["foe"], 1), Refusal::NoAction("none".into()));

    fight.perform(&intent("ok", "me", "weak", &["foe"]), &mut |_| 3).unwrap();
    assert_eq!((pools(&fight, "foe")["hp"], pools(&fight, "me")["ling_li"]), (50, 11));
    let refusal = fight.perform(&intent("again", "me", "weak", &["foe"]), &mut no_dice).unwrap_err();
    assert_eq!(refusal, Refusal::NotReady("me".into()));
    // Three more turns of mine, and the foe's gauge is full.
    for _ in 0..3 {
        fight.advance().unwrap();
        if fight.ready() != ["foe"] {
            fight.pass("me").unwrap();
        }
    }
    // Taken across rows; what is above the maximum is lost.
    fight.perform(&intent("pill", "foe", "pill", &[]), &mut no_dice).unwrap();
    assert_eq!(pools(&fight, "foe")["hp"], 60);
    let foe = fight.snapshot().fighters.into_iter().next().unwrap();
    assert_eq!(foe.items, [("回春丹".into(), 0), ("rope".into(), 3), ("回春丹".into(), 1)]);
}

#[test]
fn the_same_intent_is_done_once() {
    let combat = combat(&seed());
    let mut fight = Fight::start(&combat, vec![sheet("me", 10), sheet("foe", 3)], None).unwrap();
    fight.advance().unwrap();
    let fireball = intent("7", "me", "spell:fireball", &["foe"]);
    let events = fight.perform(&fireball, &mut no_dice).unwrap();
    let after = fight.clone();
    assert_eq!(pools(&fight, "foe")["hp"], 30);
    assert_eq!(fight.perform(&fireball, &mut no_dice), Ok(events));
    let other = intent("7", "me", "spell:fireball", &["me"]);
    assert_eq!(fight.perform(&other, &mut no_dice), Err(Refusal::IntentConflict("7".into())));
    assert_eq!(fight.snapshot(), after.snapshot());
    for id in ["", &"x".repeat(161)] {
        assert_eq!(fight.perform(&intent(id, "me", "spell:fireball", &[]), &mut no_dice), Err(Refusal::BadIntentId));
    }
}

#[test]
fn no_duration_is_spent_where_somebody_is_ready_without_time_going_by() {
    let mut rule = seed();
    rule["combat"]["scheduler"]["consume"] = json!("carry");
    let effect = |kind: &str, value: i64| json!({"kind": kind, "amount": {"op": "constant", "value": value}});
    let (kill, mut raise, mut slow) = (effect("damage", 999), effect("resource_change", 9), effect("modify_stat", -1));
    raise["resource"] = json!("hp");
    slow["resource"] = json!("action_speed");
    slow["duration"] = json!(1);
    rule["combat"]["actions"] = json!([
        {"id": "kill", "kind": "attack", "effects": [kill]},
        {"id": "raise", "kind": "ability", "effects": [raise, slow]}
    ]);
    let combat = combat(&rule);
    // Gauges of 400 at the first advance: three turns each and more.
    let mut fight = Fight::start(&combat, vec![sheet("foe", 100), sheet("me", 100)], None).unwrap();
    fight.advance().unwrap();
    fight.perform(&intent("1", "me", "kill", &["foe"]), &mut no_dice).unwrap();
    fight.perform(&intent("2", "me", "raise", &["foe"]), &mut no_dice).unwrap();
    assert_eq!(fight.ready(), ["me"]);
    assert_eq!(time(&fight.advance().unwrap()), 0);
    assert_eq!(fight.ready(), ["me", "foe"]);
    assert_eq!(fight.snapshot().modifiers[0].remaining, 1);
}

#[test]
fn the_dead_do_nothing() {
    let combat = combat(&seed());
    let mut fight = Fight::start(&combat, vec![sheet("me", 10), sheet("foe", 10)], None).unwrap();
    fight.advance().unwrap();
    assert_eq!(fight.ready(), ["foe", "me"]);
    fight.fighters[0].pools.change(fight.hp, -31);
    fight.perform(&intent("1", "me", "spell:fireball", &["foe"]), &mut no_dice).unwrap();
    assert_eq!((fight.alive().collect::<Vec<_>>(), fight.ready()), (vec!["me"], vec![]));
    let act = intent("2", "foe", "spell:fireball", &["me"]);
    assert_eq!(fight.perform(&act, &mut no_dice), Err(Refusal::ActorDown("foe".into())));
    assert_eq!(fight.pass("nobody"), Err(Refusal::NoActor("nobody".into())));
}

#[test]
fn who_cannot_move_begins_no_fight() {
    let mut rule = seed();
    rule["combat"]["scheduler"]["speed_formula"]["args"][1]["value"] = json!(0);
    let combat = combat(&rule);
    let started = Fight::start(&combat, vec![sheet("me", 10)], None);
    assert_eq!(started.unwrap_err(), Refusal::StandsStill("me".into()));
    let twice = Fight::start(&combat, vec![sheet("me", 10), sheet("me", 3)], None);
    assert_eq!(twice.unwrap_err(), Refusal::TwoOfOneId("me".into()));
    let mut nameless = sheet("me", 10);
    nameless.attributes.clear();
    let why = FormulaError::NoAttribute("shen_fa".into());
    let started = Fight::start(&combat, vec![nameless], None);
    assert_eq!(started.unwrap_err(), Refusal::NoSpeed { who: "me".into(), why });
}

#[test]
fn turns_one_after_the_other() {
    let mut rule = seed();
    rule["combat"]["scheduler"] = json!({"kind": "round_robin"});
    let combat = combat(&rule);
    let order = ["me", "foe"].map(str::to_owned);
    let mut fight = Fight::start(&combat, vec![sheet("me", 10), sheet("foe", 3)], Some(&order)).unwrap();
    assert_eq!(fight.ready(), [""; 0]);
    fight.advance().unwrap();
    assert_eq!(fight.ready(), ["me"]);
    assert_eq!(fight.pass("foe"), Err(Refusal::NotReady("foe".into())));
    fight.pass("me").unwrap();
    fight.advance().unwrap();
    assert_eq!((fight.ready(), fight.snapshot().round), (vec!["foe"], Some(1)));
    for wrong in [&["me"][..], &["me", "me"], &["me", "you"], &["me", "foe", "foe"]] {
        let order: Vec<String> = wrong.iter().map(ToString::to_string).collect();
        let started = Fight::start(&combat, vec![sheet("me", 10), sheet("foe", 3)], Some(&order));
        assert_eq!(started.unwrap_err(), Refusal::BadOrder, "{wrong:?}");
    }
}

#[test]
fn a_speed_is_nobodys_guess_but_the_documented_one() {
    let mut rule = seed();
    rule["combat"]["scheduler"].as_object_mut().unwrap().remove("speed_formula");
    let combat = combat(&rule);
    let mut fight = Fight::start(&combat, vec![sheet("me", 10)], None).unwrap();
    assert_eq!(time(&fight.advance().unwrap()), 4);
    assert_eq!(fight.advance(), Ok(vec![]), "everybody is ready");
}
