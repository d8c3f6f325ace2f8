//! Formulas rolled many times, their sums added up again.

use super::report::FormulaReport;
use super::{Order, seed_of};
use crate::diceframe::dice::faces::Generator;
use crate::diceframe::dice::formula::{DiceFormula, Rolled};
use crate::diceframe::rules::DiceSystem;

/// A formula and what it must come to.
pub(super) struct Formula {
    text: &'static str,
    dice: usize,
    sides: u32,
    modifier: i64,
}

/// What a roller of these games must be able to roll. The parts stand here anew and not in the parser's words: it is
/// held to them.
const FORMULAS: [Formula; 9] = [
    Formula { text: "d4", dice: 1, sides: 4, modifier: 0 },
    Formula { text: "d6", dice: 1, sides: 6, modifier: 0 },
    Formula { text: "d8", dice: 1, sides: 8, modifier: 0 },
    Formula { text: "d10", dice: 1, sides: 10, modifier: 0 },
    Formula { text: "d12", dice: 1, sides: 12, modifier: 0 },
    Formula { text: "d20", dice: 1, sides: 20, modifier: 0 },
    Formula { text: "d100", dice: 1, sides: 100, modifier: 0 },
    Formula { text: "2d6+3", dice: 2, sides: 6, modifier: 3 },
    Formula { text: "3d8-2", dice: 3, sides: 8, modifier: -2 },
];

/// All formulas, or where rules were chosen those that are the dice of one.
pub(super) fn chosen(dice: &[DiceSystem], order: &Order) -> Vec<&'static Formula> {
    let is_chosen =
        |formula: &&Formula| order.only.is_empty() || dice.iter().any(|system| system.name() == formula.text);
    FORMULAS.iter().filter(is_chosen).collect()
}

/// Rolls one as often as there are rounds, from 1,000 to 10,000 times.
pub(super) fn roll(formula: &Formula, order: &Order) -> FormulaReport {
    let samples = order.rounds.clamp(1000, 10_000);
    let mut report = FormulaReport {
        formula: formula.text.to_owned(),
        samples,
        observed_min: i64::MAX,
        observed_max: i64::MIN,
        error_count: 0,
    };
    let Ok(parsed) = formula.text.parse::<DiceFormula>() else {
        return FormulaReport { samples: 0, observed_min: 0, observed_max: 0, error_count: 1, ..report };
    };
    let mut dice = Generator::seeded(seed_of(order, formula.text));
    for _ in 0..samples {
        let rolled = parsed.roll(&mut dice);
        report.observed_min = report.observed_min.min(rolled.total.into());
        report.observed_max = report.observed_max.max(rolled.total.into());
        report.error_count += formula.faults(&rolled);
    }
    report
}

impl Formula {
    /// How many of the statements on a roll do not hold: number of dice, range of each, sum, and sum with modifier.
    fn faults(&self, rolled: &Rolled) -> u64 {
        let is_face = |face: &u32| *face >= 1 && *face <= self.sides;
        let mut sum = 0;
        for face in &rolled.faces {
            sum += i64::from(*face);
        }
        let holds = [
            rolled.faces.len() == self.dice,
            rolled.faces.iter().all(is_face),
            i64::from(rolled.natural) == sum,
            i64::from(rolled.total) == sum + self.modifier,
        ];
        holds.iter().filter(|holds| !**holds).count() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_wrong_with_a_roll_is_counted() {
        let formula = &FORMULAS[7];
        let faults = |faces: &[u32], natural, total| formula.faults(&Rolled { faces: faces.to_vec(), natural, total });
        assert_eq!(faults(&[1, 6], 7, 10), 0);
        assert_eq!(faults(&[7], 7, 10), 2);
        assert_eq!(faults(&[0, 6], 6, 9), 1);
        assert_eq!(faults(&[1, 6], 8, 11), 2);
        assert_eq!(faults(&[1, 6], 7, 7), 1);
    }
}
