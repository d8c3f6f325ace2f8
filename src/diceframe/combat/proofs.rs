//! What can be told of a block without a fight: formulas whose every value is refused.

use super::block::{Combat, Effect, Turns};
use super::formula::{Formula, Limits};
use super::range::Range;
use crate::types::Pointer;
use std::fmt;

/// Why every value a formula can have is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// Always beyond ±100000.
    OutOfBounds(Range),
    /// A cost that is always below 0.
    NegativeCost(Range),
    /// Damage that is never above 0.
    NoDamage(Range),
    /// A change that is always 0.
    NoChange,
    /// A speed that is never above 0.
    NoSpeed(Range),
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::OutOfBounds(range) => {
                write!(f, "the result is always refused: it is {range}, beyond ±{}", Limits::RESULT)
            }
            Flaw::NegativeCost(range) => write!(f, "the cost is always refused: it is {range}, below 0"),
            Flaw::NoDamage(range) => write!(f, "the damage is always refused: it is {range}, never above 0"),
            Flaw::NoChange => f.write_str("the change is always refused: it is always 0"),
            Flaw::NoSpeed(range) => write!(f, "the speed is always refused: it is {range}, never above 0"),
        }
    }
}

/// Where a formula of a block stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormulaPlace {
    Speed,
    /// The place of an action, and of one of its costs.
    Cost(usize, usize),
    /// The place of an action, and of one of its effects.
    Effect(usize, usize),
}

impl FormulaPlace {
    /// The pointer to the formula within its rule.
    pub fn pointer(self) -> Pointer {
        let block = Pointer::root().at("combat");
        let action = |at: usize| block.at("actions").at(at);
        match self {
            FormulaPlace::Speed => block.at("scheduler").at("speed_formula"),
            FormulaPlace::Cost(at, cost) => action(at).at("costs").at(cost).at("amount"),
            FormulaPlace::Effect(at, effect) => action(at).at("effects").at(effect).at("amount"),
        }
    }

    /// The place of the action it belongs to.
    pub fn action(self) -> Option<usize> {
        match self {
            FormulaPlace::Speed => None,
            FormulaPlace::Cost(action, _) | FormulaPlace::Effect(action, _) => Some(action),
        }
    }
}

/// Every formula of a block, in the order of the block.
pub fn formulas(combat: &Combat) -> Vec<(FormulaPlace, &Formula)> {
    let mut formulas = Vec::new();
    if let Some(Turns::Threshold(threshold)) = combat.scheduler.as_ref().map(|scheduler| &scheduler.turns) {
        formulas.extend(threshold.speed.as_ref().map(|formula| (FormulaPlace::Speed, formula)));
    }
    for (at, action) in combat.actions.iter().enumerate() {
        let costs = action.costs.iter().enumerate().map(|(cost, of)| (FormulaPlace::Cost(at, cost), &of.amount));
        let effects =
            action.effects.iter().enumerate().map(|(effect, of)| (FormulaPlace::Effect(at, effect), of.amount()));
        formulas.extend(costs.chain(effects));
    }
    formulas
}

/// The flaws of a block's formulas that no sheet and no throw can avoid.
pub fn flaws(combat: &Combat) -> Vec<(FormulaPlace, Flaw)> {
    let flaw = |(place, formula): (FormulaPlace, &Formula)| {
        flaw(combat, place, combat.range(formula)).map(|flaw| (place, flaw))
    };
    formulas(combat).into_iter().filter_map(flaw).collect()
}

fn flaw(combat: &Combat, place: FormulaPlace, range: Range) -> Option<Flaw> {
    let bound = i128::from(Limits::RESULT);
    if range.is_outside(-bound, bound) {
        return Some(Flaw::OutOfBounds(range));
    }
    match place {
        FormulaPlace::Speed => (range.high <= 0).then_some(Flaw::NoSpeed(range)),
        FormulaPlace::Cost(..) => (range.high < 0).then_some(Flaw::NegativeCost(range)),
        FormulaPlace::Effect(action, effect) => match combat.actions[action].effects[effect] {
            Effect::Damage { .. } => (range.high <= 0).then_some(Flaw::NoDamage(range)),
            Effect::Change { .. } | Effect::Modify { .. } => (range == Range::new(0, 0)).then_some(Flaw::NoChange),
        },
    }
}
