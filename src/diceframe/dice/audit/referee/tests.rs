use super::*;
use crate::diceframe::dice::check::tests::{any_request, any_rule};
use crate::diceframe::dice::check::{CheckKind, Checks, D20Outcome, D100Outcome, Modes, Parts, Skill};
use crate::diceframe::dice::faces::{Generator, Scripted};
use crate::diceframe::dice::verdict::Verdict;
use proptest::prelude::*;
use serde_json::json;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn resolver_and_referee_never_disagree(rule in any_rule(), request in any_request(), seed: u64) {
        let checks = Checks::of(&rule).unwrap();
        let resolved = checks.resolve(&request, &mut Generator::seeded(seed));
        // A formula without a value at this level is refused by the one and has no value for the other.
        if let Ok(outcome) = resolved {
            let complaints = Referee::of(&rule).complaints(&request, outcome.as_ref());
            prop_assert!(complaints.is_empty(), "{:?}: {:?}", complaints, outcome);
        }
    }
}

#[test]
fn resolver_and_referee_agree_on_all_9900_pairs_of_threshold_and_roll() {
    let rule = d100_rule();
    let (checks, referee) = (Checks::of(&rule).unwrap(), Referee::of(&rule));
    for threshold in 1..=99 {
        let request = Request { skill: Some(Skill { value: Some(threshold) }), ..Request::default() };
        for roll in 1..=100 {
            let outcome = checks.resolve(&request, &mut Scripted::new([roll])).unwrap();
            assert_eq!(referee.complaints(&request, outcome.as_ref()), [""; 0], "{roll} at {threshold}");
        }
    }
}

fn d20_rule() -> Value {
    json!({
        "max_check_dc": 20,
        "check_mechanic": {
            "critical": { "success": 20, "failure": 1 },
            "advantage": { "type": "d20_keep_high_low", "assistance_grants": "advantage" },
        },
    })
}

fn d100_rule() -> Value {
    json!({ "dice_system": "d100", "check_mechanic": { "advantage": { "type": "coc_bonus_penalty" } } })
}

/// The statements that no longer hold when one thing of an outcome is changed.
fn broken(rule: &Value, request: &Request, outcome: Option<Outcome>) -> Vec<String> {
    let mut statements: Vec<String> = Referee::of(rule)
        .complaints(request, outcome.as_ref())
        .iter()
        .map(|complaint| complaint.split(':').next().unwrap_or_default().to_owned())
        .collect();
    statements.dedup();
    statements
}

fn d20(modes: Modes, change: impl Fn(&mut D20Outcome)) -> Vec<String> {
    let request = Request { attribute: Some(14), target: Some(12), modes, ..Request::default() };
    let two = modes.net().is_some();
    let mut outcome = D20Outcome {
        mode: modes.net(),
        roll: Roll { value: 11, rolls: if two { vec![11, 11] } else { vec![11] } },
        modifier: 2,
        parts: Parts { attribute: 2, ..Parts::default() },
        total: 13,
        dc: 12,
        opponent: None,
        verdict: Verdict::Success,
    };
    assert_eq!(broken(&d20_rule(), &request, Some(Outcome::D20(outcome.clone()))), [""; 0]);
    change(&mut outcome);
    broken(&d20_rule(), &request, Some(Outcome::D20(outcome)))
}

fn d100(modes: Modes, change: impl Fn(&mut D100Outcome)) -> Vec<String> {
    let request = Request { skill: Some(Skill { value: Some(60) }), modes, luck: 50, ..Request::default() };
    let two = modes.net().is_some();
    let mut outcome = D100Outcome {
        mode: modes.net(),
        roll: Roll { value: 75, rolls: if two { vec![75, 75] } else { vec![75] } },
        threshold: 60,
        verdict: Verdict::Failure,
        luck_cost: Some(15),
    };
    assert_eq!(broken(&d100_rule(), &request, Some(Outcome::D100(outcome.clone()))), [""; 0]);
    change(&mut outcome);
    broken(&d100_rule(), &request, Some(Outcome::D100(outcome)))
}

const PLAIN: Modes = Modes { advantage: false, disadvantage: false };
const UP: Modes = Modes { advantage: true, disadvantage: false };
const DOWN: Modes = Modes { advantage: false, disadvantage: true };

#[test]
fn e01_a_face_is_of_the_die_and_candidates_share_their_units() {
    assert_eq!(d20(UP, |o| o.roll.rolls = vec![0, 11]), ["E01"]);
    assert_eq!(d100(UP, |o| o.roll.rolls = vec![75, 175]), ["E01"]);
    assert_eq!(d100(UP, |o| o.roll.rolls = vec![75, 86]), ["E01"]);
    assert_eq!(d100(DOWN, |o| o.roll.rolls = vec![75, 65]), [""; 0]);
}

#[test]
fn e02_what_counts_was_thrown() {
    assert!(d20(PLAIN, |o| o.roll.rolls = vec![12]).contains(&"E02".to_owned()));
    assert!(d100(PLAIN, |o| o.roll.rolls = vec![74]).contains(&"E02".to_owned()));
}

#[test]
fn e03_e04_e05_modifier_total_and_difficulty_class_are_as_computed() {
    assert_eq!(d20(PLAIN, |o| o.modifier = 3), ["E03"]);
    let parts: [fn(&mut Parts) -> &mut i64; 4] =
        [|p| &mut p.attribute, |p| &mut p.skill, |p| &mut p.proficiency, |p| &mut p.circumstance];
    for part in parts {
        assert_eq!(d20(PLAIN, |o| *part(&mut o.parts) += 1), ["E03"]);
    }
    assert_eq!(d20(PLAIN, |o| o.total = 14), ["E04"]);
    assert_eq!(d20(PLAIN, |o| o.dc = 13), ["E05"]);
}

#[test]
fn e05_an_opponent_has_rolled_a_d20_and_once() {
    let outcome = |opponent| {
        Some(Outcome::D20(D20Outcome {
            mode: None,
            roll: Roll { value: 11, rolls: vec![11] },
            modifier: 0,
            parts: Parts::default(),
            total: 11,
            dc: 11,
            opponent,
            verdict: Verdict::Success,
        }))
    };
    let against = |opponent| Request { kind: CheckKind::Opposed { opponent }, ..Request::default() };
    let rolls = against(Some(30));
    assert_eq!(broken(&d20_rule(), &rolls, outcome(Some(11))), [""; 0]);
    assert_eq!(broken(&d20_rule(), &against(Some(32)), outcome(Some(11))), ["E05"]);
    assert_eq!(broken(&d20_rule(), &rolls, outcome(None)), ["E05"]);
}

#[test]
fn e06_a_threshold_is_as_computed() {
    assert_eq!(d100(PLAIN, |o| o.threshold = 61), ["E06"]);
}

#[test]
fn e07_a_verdict_is_as_derived_anew() {
    for verdict in Verdict::ALL {
        if verdict != Verdict::Success {
            assert_eq!(d20(PLAIN, |o| o.verdict = verdict), ["E07"]);
        }
        if verdict != Verdict::Failure {
            assert_eq!(d100(PLAIN, |o| o.verdict = verdict), ["E07"]);
        }
    }
    assert_eq!(d100(PLAIN, |o| o.luck_cost = None), ["E07"]);
}

#[test]
fn e08_a_mode_is_what_the_rule_makes_of_the_request() {
    assert_eq!(d20(UP, |o| o.mode = None), ["E08"]);
    assert_eq!(d20(PLAIN, |o| o.mode = Some(Mode::Advantage)), ["E08"]);
    assert_eq!(d100(DOWN, |o| o.mode = Some(Mode::Advantage)), ["E08"]);
}

#[test]
fn e09_e10_e11_there_are_as_many_dice_as_the_mode_has_and_the_right_one_is_kept() {
    assert_eq!(d20(UP, |o| o.roll.rolls = vec![11]), ["E09"]);
    assert_eq!(d20(UP, |o| o.roll.rolls = vec![11, 12]), ["E09"]);
    assert_eq!(d20(UP, |o| o.roll.rolls = vec![3, 11]), [""; 0]);
    assert_eq!(d20(DOWN, |o| o.roll.rolls = vec![3, 11]), ["E10"]);
    assert_eq!(d20(DOWN, |o| o.roll.rolls = vec![11, 12]), [""; 0]);
    assert_eq!(d20(DOWN, |o| o.roll.rolls = vec![11, 12, 13]), ["E10"]);
    assert_eq!(d100(UP, |o| o.roll.rolls = vec![65, 75]), ["E09"]);
    assert_eq!(d100(UP, |o| o.roll.rolls = vec![75, 85]), [""; 0]);
    assert_eq!(d100(DOWN, |o| o.roll.rolls = vec![75, 85]), ["E10"]);
    assert_eq!(d20(PLAIN, |o| o.roll.rolls = vec![11, 11]), ["E11"]);
    assert_eq!(d100(PLAIN, |o| o.roll.rolls = vec![75, 75]), ["E11"]);
}

#[test]
fn e14_e15_a_check_is_made_where_the_rule_has_checks_and_only_there() {
    assert_eq!(broken(&d20_rule(), &Request::default(), None), ["E14"]);
    assert_eq!(broken(&d100_rule(), &Request::default(), None), ["E14"]);
    let none = json!({ "dice_system": "none" });
    assert_eq!(broken(&none, &Request::default(), None), [""; 0]);
    let mut dice = Generator::seeded(1);
    let outcome = Checks::of(&d20_rule()).unwrap().resolve(&Request::default(), &mut dice).unwrap();
    assert_eq!(broken(&none, &Request::default(), outcome), ["E15"]);
}

#[test]
fn a_check_by_other_dice_than_the_rules_is_found() {
    let mut dice = Generator::seeded(1);
    let outcome = Checks::of(&d20_rule()).unwrap().resolve(&Request::default(), &mut dice).unwrap();
    assert_eq!(broken(&d100_rule(), &Request::default(), outcome), ["E01"]);
}
