//! The dice of one check.

use super::mode::Mode;
use super::request::{MAX_EXTRA_DICE, Refusal};
use crate::diceframe::dice::faces::Faces;

/// What was thrown and which of it counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Roll {
    pub value: u32,
    /// d20: the faces. d100: the candidates, which share their units digit.
    pub rolls: Vec<u32>,
}

impl Roll {
    /// One d20, or the higher or lower of two.
    pub fn d20(mode: Option<Mode>, dice: &mut impl Faces) -> Result<Self, Refusal> {
        let first = face(20, dice)?;
        let Some(mode) = mode else {
            return Ok(Roll { value: first, rolls: vec![first] });
        };
        let second = face(20, dice)?;
        let value = match mode {
            Mode::Advantage => first.max(second),
            Mode::Disadvantage => first.min(second),
        };
        Ok(Roll { value, rolls: vec![first, second] })
    }

    /// A d100 of tens and units, with so many bonus and penalty dice, of which each of the one takes away one of the
    /// other. 00 and 0 are 100 before anything is chosen.
    pub fn d100(bonus: u32, penalty: u32, dice: &mut impl Faces) -> Result<Self, Refusal> {
        if bonus > MAX_EXTRA_DICE || penalty > MAX_EXTRA_DICE {
            return Err(Refusal::TooManyDice);
        }
        if bonus == penalty {
            let value = face(100, dice)?;
            return Ok(Roll { value, rolls: vec![value] });
        }
        let units = face(10, dice)? % 10;
        let mut candidate = || {
            let candidate = 10 * (face(10, dice)? % 10) + units;
            Ok::<_, Refusal>(if candidate == 0 { 100 } else { candidate })
        };
        let first = candidate()?;
        let (mut value, mut rolls) = (first, vec![first]);
        for _ in 0..bonus.abs_diff(penalty) {
            let next = candidate()?;
            value = if bonus > penalty { value.min(next) } else { value.max(next) };
            rolls.push(next);
        }
        Ok(Roll { value, rolls })
    }

    /// The roll of a structured check, which has at most one extra die.
    pub fn d100_in(mode: Option<Mode>, dice: &mut impl Faces) -> Result<Self, Refusal> {
        match mode {
            None => Roll::d100(0, 0, dice),
            Some(Mode::Advantage) => Roll::d100(1, 0, dice),
            Some(Mode::Disadvantage) => Roll::d100(0, 1, dice),
        }
    }
}

/// A face, if it is one of the die.
fn face(sides: u32, dice: &mut impl Faces) -> Result<u32, Refusal> {
    match dice.face(sides) {
        face if (1..=sides).contains(&face) => Ok(face),
        face => Err(Refusal::NoSuchFace { face, sides }),
    }
}
