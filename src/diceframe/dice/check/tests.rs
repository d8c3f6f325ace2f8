use super::d100::verdict;
use super::*;
use crate::diceframe::codes;
use crate::diceframe::dice::faces::{Generator, Scripted};
use crate::diceframe::dice::verdict::Verdict::{self, *};
use proptest::prelude::*;
use serde_json::json;

fn d20(rule: Value) -> D20 {
    match Checks::of(&rule) {
        Ok(Checks::D20(rule)) => rule,
        other => panic!("{other:?}"),
    }
}

fn d100(rule: Value) -> D100 {
    match Checks::of(&rule) {
        Ok(Checks::D100(rule)) => rule,
        other => panic!("{other:?}"),
    }
}

fn mechanic(mechanic: Value) -> D20 {
    d20(json!({ "check_mechanic": mechanic }))
}

/// What comes of a request with these faces, all of which are thrown.
#[track_caller]
fn with(rule: &D20, request: &Request, faces: &[u32]) -> D20Outcome {
    let mut script = Scripted::new(faces.iter().copied());
    let outcome = rule.resolve(request, &mut script).unwrap();
    assert_eq!(script.left(), 0, "dice are left over");
    outcome
}

/// The verdict on a natural roll against a difficulty class.
#[track_caller]
fn verdict_on(rule: &D20, natural: u32, dc: i32) -> Verdict {
    with(rule, &Request { target: Some(dc), ..Request::default() }, &[natural]).verdict
}

const ADVANTAGE: &str = r#"{"type":"d20_keep_high_low","allow_explicit":true,"assistance_grants":"advantage"}"#;

fn with_advantage() -> D20 {
    mechanic(json!({ "advantage": serde_json::from_str::<Value>(ADVANTAGE).unwrap() }))
}

// d20: modifiers.

#[test]
fn an_attribute_modifier_rounds_down_also_below_ten() {
    let rule = d20(json!({}));
    for (value, wanted) in [
        (1, -5),
        (7, -2),
        (8, -1),
        (9, -1),
        (10, 0),
        (11, 0),
        (12, 1),
        (20, 5),
        (0, 0),
        (-3, -7),
        (i32::MIN, -1_073_741_829),
    ] {
        let request = Request { attribute: Some(value), ..Request::default() };
        assert_eq!(with(&rule, &request, &[10]).modifier, wanted, "{value}");
    }
    assert_eq!(with(&rule, &Request::default(), &[10]).modifier, 0);
}

#[test]
fn circumstances_reach_twenty_either_way() {
    let rule = d20(json!({}));
    for (given, counts) in [(20, 20), (21, 20), (-20, -20), (i32::MIN, -20), (3, 3)] {
        let request = Request { circumstance: given, ..Request::default() };
        let outcome = with(&rule, &request, &[10]);
        assert_eq!((outcome.modifier, outcome.total), (counts, counts + 10), "{given}");
    }
}

#[test]
fn a_skill_brings_the_bonus_of_the_highest_value_it_reaches_whatever_the_order() {
    // The original takes the last that it reaches in the order of the file: 0 for 80.
    let rule = d20(json!({ "skill_value_to_bonus": { "80": 4, "20": 0, "50": 2, "x": 9, "60": "y" } }));
    let modifier = |skill: Option<Skill>| with(&rule, &Request { skill, ..Request::default() }, &[10]).modifier;
    for (value, bonus) in [(19, 0), (49, 0), (50, 2), (79, 2), (80, 4), (i32::MAX, 4), (-5, 0)] {
        assert_eq!(modifier(Some(Skill { value: Some(value) })), bonus, "{value}");
    }
    let rule = d20(json!({ "skill_value_to_bonus": { "20": 3, "10": 1 } }));
    let modifier = |skill: Option<Skill>| with(&rule, &Request { skill, ..Request::default() }, &[10]).modifier;
    assert_eq!(modifier(Some(Skill { value: None })), 3, "a bare skill counts as 20");
    assert_eq!(modifier(Some(Skill { value: Some(0) })), 3, "so does one at 0");
    assert_eq!(modifier(None), 0, "no skill, no bonus");
}

#[test]
fn proficiency_counts_where_a_skill_is_matched_and_in_attacks_where_declared() {
    let table = json!({ "20": 7 });
    let rule = json!({ "skill_mode": "proficiency", "skill_value_to_bonus": table });
    let trained = json!({ "skill_mode": "proficiency", "attack_proficiency": true });
    let own = json!({ "skill_mode": "proficiency", "proficiency_formula": "level * 2 - 1" });
    let modifier = |rule: &Value, kind, skill: bool, level| {
        let skill = skill.then_some(Skill { value: Some(90) });
        with(&d20(rule.clone()), &Request { kind, skill, level, ..Request::default() }, &[10]).modifier
    };
    let attack = CheckKind::Attack { defender: None };
    assert_eq!(modifier(&rule, CheckKind::Ordinary, true, None), 2);
    assert_eq!(
        [1, 4, 5, 8, 9, 20].map(|level| modifier(&rule, CheckKind::Ordinary, true, Some(level))),
        [2, 2, 3, 3, 4, 6]
    );
    assert_eq!(modifier(&rule, CheckKind::Ordinary, false, Some(9)), 0);
    assert_eq!(modifier(&rule, attack, false, Some(9)), 0);
    assert_eq!(modifier(&trained, attack, false, Some(9)), 4);
    assert_eq!(modifier(&trained, CheckKind::Ordinary, false, Some(9)), 0);
    assert_eq!(modifier(&own, CheckKind::Ordinary, true, Some(5)), 9);
}

#[test]
fn each_part_of_a_modifier_is_recorded() {
    let skill = Some(Skill { value: Some(90) });
    let request = Request { attribute: Some(16), skill, level: Some(9), circumstance: 25, ..Request::default() };
    let parts = |rule: Value| {
        let outcome = with(&d20(rule), &request, &[10]);
        let Parts { attribute, skill, proficiency, circumstance } = outcome.parts;
        assert_eq!(outcome.modifier, attribute + skill + proficiency + circumstance);
        (attribute, skill, proficiency, circumstance)
    };
    let table = json!({ "20": 7 });
    assert_eq!(parts(json!({ "skill_value_to_bonus": table })), (3, 7, 0, 20));
    assert_eq!(parts(json!({ "skill_mode": "proficiency", "skill_value_to_bonus": table })), (3, 0, 4, 20));
    assert_eq!(parts(json!({})), (3, 0, 0, 20));
}

#[test]
fn a_proficiency_formula_without_meaning_is_found_when_it_is_needed() {
    for text in [json!("level %"), json!("1 / 0"), json!(4), json!("")] {
        let rule = json!({ "skill_mode": "proficiency", "proficiency_formula": text });
        assert_eq!(Checks::of(&rule).unwrap_err().code, codes::D19, "{text}");
        let unused = json!({ "skill_mode": "point_buy", "proficiency_formula": text });
        assert!(Checks::of(&unused).is_ok());
    }
    let rule = d20(json!({ "skill_mode": "proficiency", "proficiency_formula": "10 // (level - 1)" }));
    let request = Request { skill: Some(Skill::default()), ..Request::default() };
    let refusal = rule.resolve(&request, &mut Generator::seeded(1)).unwrap_err();
    assert_eq!(refusal.to_string(), "the proficiency formula divides by zero");
}

// d20: difficulty classes.

#[test]
fn a_difficulty_class_is_what_is_asked_for_else_the_rules_own_within_the_cap() {
    let dc = |rule: Value, target, difficulty| {
        with(&d20(rule), &Request { target, difficulty, ..Request::default() }, &[10]).dc
    };
    assert_eq!(dc(json!({}), None, None), 15);
    assert_eq!(dc(json!({}), None, Some("硬核")), 17);
    assert_eq!(dc(json!({}), None, Some("轻松")), 13);
    assert_eq!(dc(json!({}), None, Some("unheard of")), 15);
    assert_eq!(
        dc(json!({ "dc_table": { "normal": 12 }, "difficulty_dc_modifiers": { "hard": 3 } }), None, Some("hard")),
        15
    );
    assert_eq!(dc(json!({ "dc_table": { "easy": 8 } }), None, None), 15);
    assert_eq!(dc(json!({}), Some(18), Some("硬核")), 18);
    for (cap, wanted) in [
        (json!(20), 20),
        (json!(30), 30),
        (json!(40), 40),
        (json!(41), 40),
        (json!(0), 1),
        (json!(u64::MAX), 40),
        (json!("30"), 20),
        (json!(29.5), 20),
        (json!(null), 20),
    ] {
        assert_eq!(dc(json!({ "max_check_dc": cap }), Some(1000), None), wanted, "{cap}");
    }
    assert_eq!(dc(json!({}), Some(-7), None), 1);
    // Recommendations never raise the cap.
    assert_eq!(dc(json!({ "dc_table": { "normal": 35 } }), None, None), 20);
}

#[test]
fn an_attack_is_against_the_armor_class_of_its_target() {
    let rule = |target: Value| mechanic(json!({ "attack_target": target }));
    let dc = |rule: &D20, attribute, armor| {
        let kind = CheckKind::Attack { defender: Some(Defender { attribute, armor }) };
        with(rule, &Request { kind, target: Some(5), ..Request::default() }, &[10]).dc
    };
    let usual = rule(json!({ "type": "armor_class" }));
    assert_eq!(dc(&usual, Some(14), 3), 15);
    assert_eq!(dc(&usual, None, 0), 10);
    assert_eq!(dc(&usual, Some(30), 12), 32, "beyond the cap of ordinary checks");
    assert_eq!(dc(&usual, Some(30), 100), 40);
    assert_eq!(dc(&usual, Some(1), -100), 1);
    let own = rule(json!({ "type": "armor_class", "base": 8, "include_armor": false, "min": 9, "max": 12 }));
    assert_eq!([(Some(10), 50), (Some(14), 0), (Some(40), 0)].map(|(a, armor)| dc(&own, a, armor)), [9, 10, 12]);
    // Nothing is known of the target, or the rule does not declare how: what is asked for counts.
    assert_eq!(dc(&rule(json!({ "type": "dodge" })), Some(14), 3), 5);
    let blind = Request { kind: CheckKind::Attack { defender: None }, target: Some(5), ..Request::default() };
    assert_eq!(with(&usual, &blind, &[10]).dc, 5);
}

#[test]
fn an_opposed_check_is_against_what_the_other_side_rolls_and_ties_go_to_the_actor() {
    let rule = d20(json!({ "max_check_dc": 18 }));
    let opposed =
        |opponent| Request { kind: CheckKind::Opposed { opponent }, attribute: Some(14), ..Request::default() };
    let outcome = with(&rule, &opposed(Some(16)), &[9, 10]);
    assert_eq!((outcome.opponent, outcome.dc, outcome.total, outcome.verdict), (Some(12), 12, 12, Success));
    let clamped = with(&rule, &opposed(Some(30)), &[15, 10]);
    assert_eq!((clamped.opponent, clamped.dc), (Some(25), 18));
    assert_eq!(with(&rule, &opposed(Some(-40)), &[1, 9]).dc, 1);
}

// d20: verdicts.

#[test]
fn criticals_and_fumbles_are_as_declared_and_off_where_they_are_not_naturals() {
    let usual = d20(json!({}));
    assert_eq!([(20, 40), (1, -40)].map(|(natural, dc)| verdict_on(&usual, natural, dc)), [Critical, Fumble]);
    assert_eq!([(19, 19), (2, 2), (18, 19)].map(|(n, dc)| verdict_on(&usual, n, dc)), [Success, Success, Failure]);
    // A mechanic without `critical`, or with one that is no object, is the usual one.
    for said in
        [json!({ "dice": "d20" }), json!({ "critical": null }), json!({ "critical": [20, 1] }), json!([]), json!({})]
    {
        assert_eq!(verdict_on(&mechanic(said.clone()), 20, 40), Critical, "{said}");
    }
    // An empty one switches both off, and each that is not a natural is off alone.
    for said in [
        json!({}),
        json!({ "success": null, "failure": null }),
        json!({ "success": "20", "failure": "1" }),
        json!({ "success": 0, "failure": 21 }),
        json!({ "success": 20.5, "failure": true }),
    ] {
        let rule = mechanic(json!({ "critical": said }));
        assert_eq!([verdict_on(&rule, 20, 20), verdict_on(&rule, 1, 1)], [Success, Success], "{said}");
    }
    let half = mechanic(json!({ "critical": { "success": 20 } }));
    assert_eq!([verdict_on(&half, 20, 40), verdict_on(&half, 1, 1)], [Critical, Success]);
    let wide = mechanic(json!({ "critical": { "success": 19, "failure": 2 } }));
    assert_eq!([18, 19].map(|natural| verdict_on(&wide, natural, 20)), [Failure, Critical]);
    assert_eq!([2, 3].map(|natural| verdict_on(&wide, natural, 1)), [Fumble, Success]);
    let overlapping = mechanic(json!({ "critical": { "success": 5, "failure": 15 } }));
    assert_eq!([4, 5, 15].map(|natural| verdict_on(&overlapping, natural, 10)), [Fumble, Critical, Critical]);
}

#[test]
fn attacks_have_their_own_criticals_where_declared_clamped_into_the_naturals() {
    let off = json!({ "success": null, "failure": null });
    let verdict = |rule: &D20, natural| {
        let kind = CheckKind::Attack { defender: None };
        with(rule, &Request { kind, target: Some(15), ..Request::default() }, &[natural]).verdict
    };
    let dnd = mechanic(json!({ "critical": off, "attack_critical": { "success": 20, "failure": 1 } }));
    assert_eq!([20, 1].map(|natural| verdict(&dnd, natural)), [Critical, Fumble]);
    assert_eq!([20, 1].map(|natural| verdict_on(&dnd, natural, 15)), [Success, Failure]);
    let clamped = mechanic(json!({ "critical": off, "attack_critical": { "success": 99, "failure": -4 } }));
    assert_eq!([20, 19, 1].map(|natural| verdict(&clamped, natural)), [Critical, Success, Fumble]);
    let same = mechanic(json!({ "critical": { "success": 18, "failure": null } }));
    assert_eq!([18, 1].map(|natural| verdict(&same, natural)), [Critical, Failure]);
}

// Modes.

#[test]
fn advantage_keeps_the_higher_of_two_and_disadvantage_the_lower() {
    let rule = with_advantage();
    let roll = |modes: Modes, faces: &[u32]| with(&rule, &Request { modes, ..Request::default() }, faces).roll;
    let up = Modes { advantage: true, disadvantage: false };
    let down = Modes { advantage: false, disadvantage: true };
    assert_eq!(roll(up, &[4, 17]), Roll { value: 17, rolls: vec![4, 17] });
    assert_eq!(roll(down, &[4, 17]), Roll { value: 4, rolls: vec![4, 17] });
    let both = Modes { advantage: true, disadvantage: true };
    assert_eq!(roll(both, &[4]), Roll { value: 4, rolls: vec![4] });
}

#[test]
fn the_means_of_advantage_and_disadvantage_are_exact() {
    let rule = with_advantage();
    let sum = |mode: Mode| -> u32 {
        (1..=20_u32)
            .flat_map(|first| (1..=20).map(move |second| [first, second]))
            .map(|faces| with(&rule, &Request { modes: Some(mode).into(), ..Request::default() }, &faces).roll.value)
            .sum()
    };
    assert_eq!((sum(Mode::Advantage), sum(Mode::Disadvantage)), (5530, 2870), "13.825 and 7.175 times 400");
}

#[test]
fn a_mode_that_the_rule_does_not_declare_is_dropped() {
    let up = Request { modes: Modes { advantage: true, disadvantage: false }, ..Request::default() };
    for rule in [
        json!({}),
        // What the original infers from tags is not declared (docs/spec/diceframe.md#reading-3).
        json!({ "mechanics": "dnd5e_core" }),
        json!({ "mechanics": "coc7e_core", "bonus_dice": true }),
        json!({ "check_mechanic": { "advantage": {} } }),
        json!({ "check_mechanic": { "advantage": "d20_keep_high_low" } }),
        json!({ "check_mechanic": { "advantage": { "type": "coc_bonus_penalty" } } }),
        json!({ "check_mechanic": { "advantage": { "type": "" } } }),
    ] {
        let outcome = with(&d20(rule.clone()), &up, &[4]);
        assert_eq!((outcome.mode, outcome.roll.rolls), (None, vec![4]), "{rule}");
    }
    let mut dice = Scripted::new([42]);
    for rule in [
        json!({ "mechanics": "coc7e_core" }),
        json!({ "check_mechanic": { "advantage": { "type": "d20_keep_high_low" } } }),
    ] {
        let mut rule = rule;
        rule["dice_system"] = json!("d100");
        assert_eq!(d100(rule).resolve(&up, &mut dice).unwrap().mode, None);
        dice = Scripted::new([42]);
    }
}

#[test]
fn a_player_may_claim_a_mode_only_where_the_rule_lets_players() {
    let claim = Request { modes: Modes { advantage: true, disadvantage: false }, claimed: true, ..Request::default() };
    let mode = |declared: Value, request: &Request| {
        let rule = mechanic(json!({ "advantage": declared }));
        rule.resolve(request, &mut Generator::seeded(1)).unwrap().mode
    };
    let kept = "d20_keep_high_low";
    assert_eq!(mode(json!({ "type": kept }), &claim), Some(Mode::Advantage), "the default of a declared type");
    assert_eq!(mode(json!({ "type": kept, "allow_explicit": true }), &claim), Some(Mode::Advantage));
    assert_eq!(mode(json!({ "type": kept, "allow_explicit": false }), &claim), None);
    let granted = Request { claimed: false, ..claim };
    assert_eq!(mode(json!({ "type": kept, "allow_explicit": false }), &granted), Some(Mode::Advantage));
}

#[test]
fn helpers_bring_what_the_rule_grants_where_no_mode_is_asked_for() {
    let rule =
        |grants: &str| mechanic(json!({ "advantage": { "type": "d20_keep_high_low", "assistance_grants": grants } }));
    let mode = |rule: &D20, modes| {
        rule.resolve(&Request { modes, helped: true, ..Request::default() }, &mut Generator::seeded(1)).unwrap().mode
    };
    let (none, up) = (Modes::default(), Modes::from(Some(Mode::Advantage)));
    let down = Modes::from(Some(Mode::Disadvantage));
    assert_eq!(mode(&rule("advantage"), none), Some(Mode::Advantage));
    assert_eq!(mode(&rule("disadvantage"), none), Some(Mode::Disadvantage));
    assert_eq!(mode(&rule(""), none), None);
    assert_eq!(mode(&rule("luck"), none), None);
    assert_eq!(mode(&rule("advantage"), down), Some(Mode::Disadvantage), "a mode is set already");
    assert_eq!(mode(&rule("advantage"), up), Some(Mode::Advantage), "and it does not stack");
    let both = Modes { advantage: true, disadvantage: true };
    assert_eq!(mode(&rule("advantage"), both), None, "what cancels out was asked for all the same");
}

#[test]
fn nobody_helps_with_a_d100() {
    let rule = d100(json!({
        "dice_system": "d100",
        "check_mechanic": { "advantage": { "type": "coc_bonus_penalty", "assistance_grants": "advantage" } },
    }));
    let outcome = rule.resolve(&Request { helped: true, ..Request::default() }, &mut Scripted::new([42])).unwrap();
    assert_eq!(outcome.mode, None);
}

// d100.

#[test]
fn all_9900_pairs_of_threshold_and_roll_have_their_verdict() {
    let count = |thresholds: std::ops::RangeInclusive<u32>| {
        let all = thresholds.flat_map(|threshold| (1..=100).map(move |roll| verdict(roll, threshold)));
        let mut counts = [0; 6];
        for verdict in all {
            let place = [Critical, Extreme, Hard, Regular, Failure, Fumble].iter().position(|one| *one == verdict);
            counts[place.unwrap()] += 1;
        }
        counts
    };
    assert_eq!(count(1..=99), [99, 855, 1497, 2499, 4655, 295]);
    for (threshold, wanted) in [
        (1, [1, 0, 0, 0, 94, 5]),
        (5, [1, 0, 1, 3, 90, 5]),
        (10, [1, 1, 3, 5, 85, 5]),
        (49, [1, 8, 15, 25, 46, 5]),
        (50, [1, 9, 15, 25, 49, 1]),
        (99, [1, 18, 30, 50, 0, 1]),
    ] {
        assert_eq!(count(threshold..=threshold), wanted, "{threshold}");
    }
    assert_eq!(
        [(1, 1), (100, 99), (96, 50), (96, 49), (97, 98)].map(|(roll, t)| verdict(roll, t)),
        [Critical, Fumble, Failure, Fumble, Regular]
    );
}

#[test]
fn a_threshold_is_of_the_skill_else_of_the_attribute() {
    let rule = d100(json!({ "dice_system": "d100" }));
    let threshold = |skill: Option<Option<i32>>, attribute, circumstance| {
        let skill = skill.map(|value| Skill { value });
        // The target that is asked for has no say.
        let request = Request { skill, attribute, circumstance, target: Some(3), ..Request::default() };
        rule.resolve(&request, &mut Scripted::new([42])).unwrap().threshold
    };
    assert_eq!(threshold(Some(Some(63)), Some(50), 0), 63);
    assert_eq!([None, Some(0)].map(|value| threshold(Some(value), Some(50), 0)), [20, 20]);
    assert_eq!([20, 21, 3, 55].map(|value| threshold(None, Some(value), 0)), [99, 21, 15, 55]);
    assert_eq!([None, Some(0)].map(|value| threshold(None, value, 0)), [50, 50]);
    assert_eq!([20, -20, 400].map(|shift| threshold(Some(Some(90)), None, shift)), [99, 70, 99]);
    assert_eq!(threshold(Some(Some(10)), None, -20), 1);
}

#[test]
fn luck_buys_a_plain_failure_and_nothing_else() {
    let rule = d100(json!({ "dice_system": "d100" }));
    let cost = |roll, luck| {
        let request = Request { skill: Some(Skill { value: Some(40) }), luck, ..Request::default() };
        rule.resolve(&request, &mut Scripted::new([roll])).unwrap().luck_cost
    };
    assert_eq!(
        [(41, 1), (60, 20), (60, 19), (60, 0), (40, 99)].map(|(roll, luck)| cost(roll, luck)),
        [Some(1), Some(20), None, None, None]
    );
    assert_eq!(cost(96, 99), None, "a fumble is not for sale");
}

#[test]
fn zero_and_zero_is_a_hundred_before_anything_is_chosen() {
    // Units first, then tens; the face 10 is the digit 0.
    let roll = |bonus, penalty, faces: &[u32]| {
        let mut script = Scripted::new(faces.iter().copied());
        let roll = Roll::d100(bonus, penalty, &mut script).unwrap();
        assert_eq!(script.left(), 0);
        roll
    };
    assert_eq!(roll(1, 0, &[10, 10, 3]), Roll { value: 30, rolls: vec![100, 30] });
    assert_eq!(roll(0, 1, &[10, 10, 3]), Roll { value: 100, rolls: vec![100, 30] });
    assert_eq!(roll(1, 0, &[5, 10, 3]), Roll { value: 5, rolls: vec![5, 35] });
    assert_eq!(roll(3, 1, &[5, 10, 3, 7]), Roll { value: 5, rolls: vec![5, 35, 75] });
    assert_eq!(roll(1, 3, &[5, 10, 3, 7]), Roll { value: 75, rolls: vec![5, 35, 75] });
    assert_eq!(roll(2, 2, &[100]), Roll { value: 100, rolls: vec![100] });
    assert_eq!(roll(100, 99, &[5, 1, 2]).rolls, [15, 25]);
    assert_eq!(Roll::d100(101, 0, &mut Scripted::new([])), Err(Refusal::TooManyDice));
    assert_eq!(Roll::d100(0, 101, &mut Scripted::new([])), Err(Refusal::TooManyDice));
}

#[test]
fn all_thousand_rolls_with_an_extra_die_are_as_often_what_they_should_be() {
    let values = |bonus, penalty| -> Vec<u32> {
        let faces = (1..=10_u32).flat_map(|a| (1..=10).flat_map(move |b| (1..=10).map(move |c| [a, b, c])));
        faces.map(|faces| Roll::d100(bonus, penalty, &mut Scripted::new(faces)).unwrap().value).collect()
    };
    let summary = |values: &[u32]| {
        let of = |is: fn(u32) -> bool| values.iter().filter(|value| is(**value)).count();
        (values.iter().sum::<u32>(), of(|v| v == 1), of(|v| v == 100), of(|v| v <= 50), of(|v| v >= 96))
    };
    assert_eq!(summary(&values(1, 0)), (34_000, 19, 1, 750, 5));
    assert_eq!(summary(&values(0, 1)), (67_000, 1, 19, 250, 95));
}

// All of them.

#[test]
fn a_rule_without_checks_makes_none_and_an_unknown_dice_system_is_refused() {
    let none = Checks::of(&json!({ "dice_system": "none" })).unwrap();
    assert_eq!(none.resolve(&Request::default(), &mut Scripted::new([])), Ok(None));
    assert_eq!(Checks::of(&json!({ "dice_system": "d6" })).unwrap_err().code, codes::D08);
}

#[test]
fn a_face_that_no_die_has_is_refused() {
    let rule = d20(json!({}));
    for face in [0, 21] {
        let refused = rule.resolve(&Request::default(), &mut Scripted::new([face])).unwrap_err();
        assert_eq!(refused, Refusal::NoSuchFace { face, sides: 20 });
    }
}

/// Any JSON, of which some has the keys that are read.
pub(in crate::diceframe::dice) fn any_rule() -> impl Strategy<Value = Value> {
    let number = prop_oneof![
        8 => (-5_i64..45).prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<u64>().prop_map(Value::from),
        1 => any::<f64>().prop_map(Value::from),
    ];
    let odd = prop_oneof![Just(json!(null)), Just(json!("20")), Just(json!(true)), Just(json!([])), Just(json!({}))];
    let value = prop_oneof![6 => number, 1 => odd.clone()].boxed();
    let criticals = prop_oneof![
        3 => prop::collection::hash_map("success|failure|x", value.clone(), 0..3).prop_map(|map| json!(map)),
        1 => odd.clone(),
    ];
    let types = prop_oneof![
        4 => Just(json!("d20_keep_high_low")),
        4 => Just(json!("coc_bonus_penalty")),
        1 => odd.clone(),
    ];
    let grants = prop_oneof![Just(json!("advantage")), Just(json!("disadvantage")), Just(json!("")), odd.clone()];
    let advantage = (types, prop::option::of(prop_oneof![any::<bool>().prop_map(Value::from), odd.clone()]), grants)
        .prop_map(|(kind, explicit, grants)| match explicit {
            Some(explicit) => json!({ "type": kind, "allow_explicit": explicit, "assistance_grants": grants }),
            None => json!({ "type": kind, "assistance_grants": grants }),
        });
    let target = (prop::option::of(value.clone()), value.clone(), value.clone(), any::<bool>()).prop_map(
        |(base, min, max, armor)| json!({ "type": "armor_class", "base": base, "min": min, "max": max, "include_armor": armor }),
    );
    let mechanic = (criticals.clone(), prop::option::of(criticals), prop::option::of(advantage), prop::option::of(target))
        .prop_map(|(critical, attack, advantage, target)| {
            json!({ "critical": critical, "attack_critical": attack, "advantage": advantage, "attack_target": target })
        });
    let table =
        prop::collection::hash_map("-?[0-9]{1,3}|1[0-9]|20| 5 |x", value.clone(), 0..5).prop_map(|map| json!(map));
    let formula = prop_oneof![
        Just(json!("max(2, 2 + (level - 1) // 4)")),
        Just(json!("level / 2 - (level - 7) // 3 * 2")),
        Just(json!("10 // (level - 3)")),
        Just(json!("level * level * level * level * level")),
        Just(json!(null)),
    ];
    let mechanic = prop_oneof![9 => mechanic, 1 => odd.clone()];
    let system = prop_oneof![4 => Just(json!("d20")), 3 => Just(json!("D100")), 1 => Just(json!("none")), 1 => Just(json!(null))];
    let mode = prop_oneof![Just(json!("proficiency")), Just(json!("point_buy")), odd];
    let difficulties = prop_oneof![Just(json!(null)), Just(json!({ "hard": 4, "odd": "x" }))];
    (system, mechanic, table, formula, mode, value.clone(), value, difficulties, any::<bool>()).prop_map(
        |(system, mechanic, table, formula, mode, cap, normal, difficulties, attack)| {
            json!({
                "rule_id": "any",
                "dice_system": system,
                "check_mechanic": mechanic,
                "skill_value_to_bonus": table,
                "proficiency_formula": formula,
                "skill_mode": mode,
                "max_check_dc": cap,
                "dc_table": { "normal": normal },
                "difficulty_dc_modifiers": difficulties,
                "attack_proficiency": attack,
            })
        },
    )
}

/// Any request, most of them within what happens.
pub(in crate::diceframe::dice) fn any_request() -> impl Strategy<Value = Request<'static>> {
    // Where something changes: nothing, the middle of an attribute, the end of an old sheet.
    let edge = || prop::sample::select(&[0, 9, 10, 20, 21][..]);
    let number = move || prop_oneof![6 => -30_i32..120, 2 => edge(), 1 => any::<i32>()];
    let some = move || prop::option::weighted(0.8, number());
    let kind = prop_oneof![
        2 => Just(CheckKind::Ordinary),
        1 => prop::option::of((some(), number())).prop_map(|defender| CheckKind::Attack {
            defender: defender.map(|(attribute, armor)| Defender { attribute, armor }),
        }),
        1 => some().prop_map(|opponent| CheckKind::Opposed { opponent }),
    ];
    let difficulty =
        prop_oneof![Just(None), Just(Some("hard")), Just(Some("硬核")), Just(Some("轻松")), Just(Some("odd"))];
    let flags = any::<[bool; 4]>();
    (kind, some(), prop::option::of(some()), some(), number(), prop::option::of(number()), difficulty, flags, number())
        .prop_map(|(kind, attribute, skill, level, circumstance, target, difficulty, flags, luck)| {
            let [advantage, disadvantage, claimed, helped] = flags;
            Request {
                kind,
                attribute,
                skill: skill.map(|value| Skill { value }),
                level,
                circumstance,
                target,
                difficulty,
                modes: Modes { advantage, disadvantage },
                claimed,
                helped,
                luck,
            }
        })
}

proptest! {
    #[test]
    fn whatever_a_rule_says_it_is_read_and_checks_are_made(rule in any_rule(), request in any_request(), seed: u64) {
        if let Ok(checks) = Checks::of(&rule) {
            let _ = checks.resolve(&request, &mut Generator::seeded(seed));
        }
    }
}
