use super::block::{Combat, Threshold, Turns};
use super::formula::{Formula, Roll, Scope};
use super::proofs;
use crate::diceframe::codes;
use crate::types::{Pointer, Problem, Problems};

/// What is allowed and most likely not meant: C40 and C42. (C44 is told while the block is read.)
pub(super) fn warn(combat: &Combat, problems: &mut Problems) {
    if let Some(Turns::Threshold(threshold)) = combat.scheduler.as_ref().map(|scheduler| &scheduler.turns) {
        match &threshold.speed {
            None => {
                let message = format!("`speed_formula` is missing, so everybody has speed {}", Threshold::USUAL_SPEED);
                let at = Pointer::root().at("combat").at("scheduler");
                problems.push(Problem::new(codes::C40, &at, message));
            }
            Some(formula) => warn_of_the_slowest(combat, formula, problems),
        }
    }
}

/// C43: what the fights' audit tells as errors, under codes of their own.
pub(super) fn warn_of_flaws(combat: &Combat, problems: &mut Problems) {
    for (place, flaw) in proofs::flaws(combat) {
        // A speed that is never above 0 is not above 0 at the minima either.
        if !matches!(flaw, proofs::Flaw::NoSpeed(_)) {
            problems.push(Problem::new(codes::C43, &place.pointer(), flaw.to_string()));
        }
    }
}

fn warn_of_the_slowest(combat: &Combat, formula: &Formula, problems: &mut Problems) {
    let slowest = formula.evaluate(&mut Weakest(combat));
    let message = match slowest {
        Ok(speed) if speed <= 0 => {
            format!("a fighter with minimum attributes has speed {speed} and can never act")
        }
        _ if combat.range(formula).high <= 0 => "the speed is never above 0, so nobody can ever act".to_owned(),
        _ => return,
    };
    problems.push(Problem::new(codes::C42, &proofs::FormulaPlace::Speed.pointer(), message));
}

/// A sheet with every attribute at its minimum.
struct Weakest<'c>(&'c Combat);

impl Scope for Weakest<'_> {
    fn attribute(&self, id: &str) -> Option<i64> {
        self.0.attributes.get(id).map(|attribute| attribute.min)
    }

    fn resource(&self, _: &str) -> Option<i64> {
        None
    }

    fn roll(&mut self, dice: Roll) -> i64 {
        dice.count.into()
    }
}
