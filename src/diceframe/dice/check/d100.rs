//! A check of percentile dice, as in Call of Cthulhu 7th edition: the roll must not exceed the threshold.

use super::mode::{Advantage, Mode};
use super::read::mechanic;
use super::request::{Refusal, Request};
use super::roll::Roll;
use super::{USUAL_SKILL, attribute, circumstance};
use crate::diceframe::dice::faces::Faces;
use crate::diceframe::dice::verdict::Verdict;
use serde_json::Value;

/// Attributes up to here are of sheets that count from 3 to 18.
const OLD_SHEET: i64 = 20;
const OLD_SHEET_FACTOR: i64 = 5;

/// A rule whose checks are d100. Its criticals and fumbles are fixed: what `critical` says has no effect
/// (docs/spec/diceframe.md#reading-13).
#[derive(Clone, Debug)]
pub struct D100 {
    advantage: Advantage,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct D100Outcome {
    pub mode: Option<Mode>,
    pub roll: Roll,
    /// From 1 to 99.
    pub threshold: u32,
    pub verdict: Verdict,
    /// What a regular success costs in luck, where there is enough.
    pub luck_cost: Option<u32>,
}

impl D100 {
    pub(super) fn of(resolved: &Value) -> Self {
        D100 { advantage: Advantage::of(mechanic(resolved), "coc_bonus_penalty") }
    }

    /// Resolves a check. Nobody helps with it: assistance is of the d20.
    pub fn resolve(&self, request: &Request, dice: &mut impl Faces) -> Result<D100Outcome, Refusal> {
        let mode = self.advantage.mode(request.modes, request.claimed, false);
        let roll = Roll::d100_in(mode, dice)?;
        let threshold = threshold(request);
        let verdict = verdict(roll.value, threshold);
        let luck_cost = match verdict {
            Verdict::Failure => {
                let cost = roll.value - threshold;
                (i64::from(cost) <= i64::from(request.luck)).then_some(cost)
            }
            _ => None,
        };
        Ok(D100Outcome { mode, roll, threshold, verdict, luck_cost })
    }
}

fn threshold(request: &Request) -> u32 {
    let base = match request.skill {
        Some(skill) => skill.value.filter(|value| *value != 0).map_or(USUAL_SKILL, i64::from),
        None => match attribute(request.attribute) {
            small if small <= OLD_SHEET => small * OLD_SHEET_FACTOR,
            value => value,
        },
    };
    (base + circumstance(request.circumstance)).clamp(1, 99) as u32
}

/// The verdict on a roll from 1 to 100 at a threshold from 1 to 99.
pub(super) fn verdict(roll: u32, threshold: u32) -> Verdict {
    match roll {
        ..=1 => Verdict::Critical,
        100.. => Verdict::Fumble,
        96.. if threshold < 50 => Verdict::Fumble,
        _ if roll > threshold => Verdict::Failure,
        _ if roll <= threshold / 5 => Verdict::Extreme,
        _ if roll <= threshold / 2 => Verdict::Hard,
        _ => Verdict::Regular,
    }
}
