//! How a check is resolved: what a rule declares, and what comes of it for one request.

mod d100;
mod d20;
mod mode;
mod read;
mod request;
mod roll;
#[cfg(test)]
pub(in crate::diceframe::dice) mod tests;

pub use d20::{D20, D20Outcome};
pub use d100::{D100, D100Outcome};
pub use mode::Mode;
pub use request::{CheckKind, Defender, Refusal, Request, Skill};
pub use roll::Roll;
#[cfg(test)]
pub use {d20::Parts, mode::Modes};

use super::faces::Faces;
use super::verdict::Verdict;
use crate::diceframe::rules::DiceSystem;
use crate::types::Problem;
use serde_json::Value;

/// What a sheet or a target without an attribute, or with 0, counts as having.
const USUAL_ATTRIBUTE: i64 = 10;
/// What a matched skill without a value, or with 0, counts as.
const USUAL_SKILL: i64 = 20;
/// How far circumstances reach either way.
const MAX_CIRCUMSTANCE: i64 = 20;

/// How a rule resolves checks. Only what it declares is in force: a tag in `mechanics` or `bonus_dice` brings nothing
/// (docs/spec/diceframe.md#reading-3).
#[derive(Clone, Debug)]
pub enum Checks {
    D20(D20),
    D100(D100),
    /// Nothing is ever checked.
    None,
}

/// What a check came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    D20(D20Outcome),
    D100(D100Outcome),
}

impl Checks {
    /// What a resolved rule declares. A value that is missing or of another type is the default of its key, as it is
    /// for the host; the audit of rules reports it.
    ///
    /// Fails for an unknown dice system (D08) and for a proficiency formula that is needed and has no meaning (D19).
    pub fn of(resolved: &Value) -> Result<Self, Box<Problem>> {
        Ok(match DiceSystem::of(resolved)? {
            DiceSystem::D20 => Checks::D20(D20::of(resolved)?),
            DiceSystem::D100 => Checks::D100(D100::of(resolved)),
            DiceSystem::None => Checks::None,
        })
    }

    /// Resolves one request; nothing comes of it where a rule has no checks.
    pub fn resolve(&self, request: &Request, dice: &mut impl Faces) -> Result<Option<Outcome>, Refusal> {
        match self {
            Checks::D20(rule) => rule.resolve(request, dice).map(|outcome| Some(Outcome::D20(outcome))),
            Checks::D100(rule) => rule.resolve(request, dice).map(|outcome| Some(Outcome::D100(outcome))),
            Checks::None => Ok(None),
        }
    }
}

impl Outcome {
    pub const fn verdict(&self) -> Verdict {
        match self {
            Outcome::D20(outcome) => outcome.verdict,
            Outcome::D100(outcome) => outcome.verdict,
        }
    }
}

/// An attribute as it counts: none and 0 are the usual one.
fn attribute(value: Option<i32>) -> i64 {
    value.filter(|value| *value != 0).map_or(USUAL_ATTRIBUTE, i64::from)
}

fn circumstance(value: i32) -> i64 {
    i64::from(value).clamp(-MAX_CIRCUMSTANCE, MAX_CIRCUMSTANCE)
}
