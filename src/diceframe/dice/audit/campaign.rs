//! A campaign by one rule: round for round every player makes a check, and the referee computes it anew.

use super::plan::{Action, Plan};
use super::referee::Referee;
use super::report::{CheckDetail, ScenarioReport, mode_name};
use super::subject::Subject;
use super::{Order, seed_of};
use crate::diceframe::dice::check::{CheckKind, Checks, Mode, Outcome, Refusal};
use crate::diceframe::dice::faces::{Faces, Generator};
use crate::diceframe::rules::DiceSystem;
use crate::types::{Cancel, Problem};

/// How many errors of a campaign are told in words.
const MAX_ERRORS: usize = 20;

/// Plays the campaign of a rule, or as much of it as there is time for. Fails for one whose checks cannot be told (D08,
/// D18, D19).
pub(super) fn play(subject: &Subject, order: &Order, cancel: &Cancel) -> Result<ScenarioReport, Box<Problem>> {
    let dice = Generator::seeded(seed_of(order, &subject.name));
    play_with(subject, order, cancel, dice).map_err(|mut problem| {
        subject.place(std::slice::from_mut(&mut problem));
        problem
    })
}

fn play_with(
    subject: &Subject,
    order: &Order,
    cancel: &Cancel,
    mut dice: impl Faces,
) -> Result<ScenarioReport, Box<Problem>> {
    let system = DiceSystem::of(&subject.resolved)?;
    let checks = Checks::of(&subject.resolved)?;
    let plan = Plan::of(subject, system, order.players)?;
    let referee = Referee::of(&subject.resolved);
    let mut values = Generator::seeded(seed_of(order, &subject.name) ^ 0xD1CE);
    let mut report = ScenarioReport {
        name: subject.name.clone(),
        file: subject.file.clone(),
        dice_system: system.name().to_owned(),
        ..ScenarioReport::default()
    };
    for round in (1..=order.rounds).take_while(|_| !cancel.is_asked()) {
        let mut recorded = 0;
        for player in 1..=order.players {
            let action = plan.action(round, player, &mut values);
            let resolved = checks.resolve(&action.request, &mut dice);
            recorded += u32::from(matches!(resolved, Ok(Some(_))));
            report.note(&action, resolved, &referee, system, order.details);
        }
        let wanted = if system == DiceSystem::None { 0 } else { order.players };
        if recorded != wanted {
            report.fail(format!("round {round}: E14: {recorded} checks are recorded, but should be {wanted}"));
        }
    }
    Ok(report)
}

impl ScenarioReport {
    fn note(
        &mut self,
        action: &Action,
        resolved: Result<Option<Outcome>, Refusal>,
        referee: &Referee,
        system: DiceSystem,
        details: bool,
    ) {
        self.actions += 1;
        let (outcome, complaints) = match resolved {
            Ok(outcome) => {
                let complaints = referee.complaints(&action.request, outcome.as_ref());
                (outcome, complaints)
            }
            Err(refusal) => (None, vec![format!("the check was rejected: {refusal}")]),
        };
        if let Some(outcome) = &outcome {
            self.checks += 1;
            self.verdicts.count(outcome.verdict());
        }
        if details {
            self.details.push(detail(action, outcome, system, complaints.is_empty()));
        }
        for complaint in complaints {
            self.fail(format!("round {}, player {}: {complaint}", action.round, action.player));
        }
    }

    fn fail(&mut self, error: String) {
        self.error_count += 1;
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(error);
        }
    }
}

fn detail(action: &Action, outcome: Option<Outcome>, system: DiceSystem, verified: bool) -> CheckDetail {
    let request = &action.request;
    let is_d20 = system == DiceSystem::D20;
    let by_skill = request.skill.filter(|_| system != DiceSystem::None);
    let by_attribute = is_d20 || by_skill.is_none();
    let frame = CheckDetail {
        round: action.round,
        player: action.player,
        action: match request.kind {
            CheckKind::Ordinary => "ordinary",
            CheckKind::Attack { .. } => "attack",
            CheckKind::Opposed { .. } => "opposed",
        },
        roll_required: system != DiceSystem::None,
        attribute: by_attribute.then(|| action.attribute.to_owned()),
        attribute_value: request.attribute.filter(|_| by_attribute),
        skill: by_skill.map(|_| "audit"),
        skill_value: by_skill.and_then(|skill| skill.value),
        level: request.level.filter(|_| is_d20),
        requested_dc: request.target.filter(|_| is_d20),
        circumstance_modifier: (system != DiceSystem::None).then_some(request.circumstance),
        requested_advantage_mode: mode_name(action.requested),
        advantage_mode: mode_name(None),
        independently_verified: verified,
        ..CheckDetail::default()
    };
    let rolled = |mode: Option<Mode>| CheckDetail {
        advantage_mode: mode_name(mode),
        advantage_note: match (action.requested, mode) {
            (None, Some(_)) => "assistance",
            (Some(_), None) => "not in force under this rule",
            _ => "",
        },
        ..frame.clone()
    };
    match outcome {
        None => frame,
        Some(Outcome::D20(outcome)) => CheckDetail {
            dc: Some(outcome.dc),
            rolls: Some(outcome.roll.rolls),
            natural: Some(outcome.roll.value),
            attribute_modifier: Some(outcome.parts.attribute),
            skill_bonus: Some(outcome.parts.skill),
            proficiency_bonus: Some(outcome.parts.proficiency),
            modifier: Some(outcome.modifier),
            total: Some(outcome.total),
            verdict: Some(outcome.verdict),
            ..rolled(outcome.mode)
        },
        Some(Outcome::D100(outcome)) => CheckDetail {
            threshold: Some(outcome.threshold),
            rolls: Some(outcome.roll.rolls),
            roll: Some(outcome.roll.value),
            verdict: Some(outcome.verdict),
            ..rolled(outcome.mode)
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diceframe::dice::audit::synthetic;

    /// Dice that show what no die shows.
    struct Loaded;

    impl Faces for Loaded {
        fn face(&mut self, sides: u32) -> u32 {
            sides + 1
        }
    }

    #[test]
    fn what_is_refused_is_an_error_of_the_campaign_and_only_the_first_are_told() {
        let order =
            Order { rounds: 30, players: 2, distribution_samples: 1000, seed: 1, only: Vec::new(), details: true };
        let report = play_with(&synthetic()[0], &order, &Cancel::default(), Loaded).unwrap();
        // Each action and each round.
        assert_eq!((report.actions, report.checks, report.error_count, report.errors.len()), (60, 0, 90, 20));
        assert_eq!(report.errors[0], "round 1, player 1: the check was rejected: a die with 20 sides has no 21");
        assert_eq!(report.errors[2], "round 1: E14: 0 checks are recorded, but should be 2");
        assert!(report.details.iter().all(|detail| !detail.independently_verified));
    }
}
