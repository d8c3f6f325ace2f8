//! The dice formula of the general roller: `[count]d<sides>[±modifier]`.

use super::faces::Faces;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

const COUNT: RangeInclusive<u32> = 1..=100;
const SIDES: RangeInclusive<u32> = 2..=10_000;
const MODIFIER: u32 = 100;

/// One to 100 dice of 2 to 10,000 sides and a modifier of at most 100 either way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiceFormula {
    count: u32,
    sides: u32,
    modifier: i32,
}

/// Why a text is no dice formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidFormula {
    #[error("it is not of the form 2d6+3, 2d6 or d20")]
    Shape,
    #[error("it rolls fewer than {} or more than {} dice", COUNT.start(), COUNT.end())]
    Count,
    #[error("its dice have fewer than {} or more than {} sides", SIDES.start(), SIDES.end())]
    Sides,
    #[error("its modifier is beyond {MODIFIER}")]
    Modifier,
}

/// What a formula came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rolled {
    pub faces: Vec<u32>,
    /// The sum of the faces.
    pub natural: u32,
    pub total: i32,
}

impl DiceFormula {
    pub fn roll(&self, dice: &mut impl Faces) -> Rolled {
        let faces: Vec<u32> = (0..self.count).map(|_| dice.face(self.sides)).collect();
        let natural: u32 = faces.iter().sum();
        // At most 100 dice of 10,000 sides.
        Rolled { total: natural as i32 + self.modifier, faces, natural }
    }
}

impl FromStr for DiceFormula {
    type Err = InvalidFormula;

    /// In any case, with blanks anywhere and zeros before any number.
    fn from_str(text: &str) -> Result<Self, InvalidFormula> {
        let text: String = text.chars().filter(|sign| !sign.is_whitespace()).collect();
        let (count, rest) = text.split_once(['d', 'D']).ok_or(InvalidFormula::Shape)?;
        let (sides, modifier) = match rest.find(['+', '-']) {
            Some(at) => (&rest[..at], Some(rest[at..].split_at(1))),
            None => (rest, None),
        };
        let count = if count.is_empty() { 1 } else { number(count)?.ok_or(InvalidFormula::Count)? };
        let sides = number(sides)?.ok_or(InvalidFormula::Sides)?;
        let modifier = match modifier {
            None => 0,
            Some((sign, digits)) => {
                let size = number(digits)?.filter(|size| *size <= MODIFIER).ok_or(InvalidFormula::Modifier)?;
                if sign == "-" { -(size as i32) } else { size as i32 }
            }
        };
        match (COUNT.contains(&count), SIDES.contains(&sides)) {
            (false, _) => Err(InvalidFormula::Count),
            (true, false) => Err(InvalidFormula::Sides),
            (true, true) => Ok(DiceFormula { count, sides, modifier }),
        }
    }
}

/// Digits as a number; none for one beyond all limits.
fn number(digits: &str) -> Result<Option<u32>, InvalidFormula> {
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { Ok(digits.parse().ok()) } else { Err(InvalidFormula::Shape) }
}

impl fmt::Display for DiceFormula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.count != 1 {
            write!(f, "{}", self.count)?;
        }
        write!(f, "d{}", self.sides)?;
        if self.modifier != 0 {
            write!(f, "{:+}", self.modifier)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::faces::{Generator, Scripted};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn it_is_read_loosely_and_written_plainly() {
        for (text, plain) in [
            ("d20", "d20"),
            ("1D20", "d20"),
            (" 2 d 6 + 3 ", "2d6+3"),
            ("d020", "d20"),
            ("003d008-02", "3d8-2"),
            ("100d10000-100", "100d10000-100"),
            ("d2+100", "d2+100"),
            ("d6+0", "d6"),
        ] {
            assert_eq!(text.parse::<DiceFormula>().map(|formula| formula.to_string()), Ok(plain.to_owned()), "{text}");
        }
    }

    #[test]
    fn what_is_beyond_the_limits_or_no_formula_is_refused() {
        use InvalidFormula::*;
        for (text, why) in [
            ("", Shape),
            ("20", Shape),
            ("d", Shape),
            ("d20+", Shape),
            ("2d6+1d4", Shape),
            ("-1d6", Shape),
            ("d6+-1", Shape),
            ("2d6*2", Shape),
            ("d６", Shape),
            ("d1", Sides),
            ("d10001", Sides),
            ("d99999999999", Sides),
            ("0d6", Count),
            ("101d6", Count),
            ("99999999999d6", Count),
            ("d20+101", Modifier),
            ("d20-101", Modifier),
        ] {
            assert_eq!(text.parse::<DiceFormula>(), Err(why), "{text}");
        }
    }

    #[test]
    fn the_natural_roll_is_the_sum_of_the_faces() {
        let formula: DiceFormula = "3d8-2".parse().unwrap();
        let mut script = Scripted::new([8, 1, 5]);
        assert_eq!(formula.roll(&mut script), Rolled { faces: vec![8, 1, 5], natural: 14, total: 12 });
        assert_eq!(script.left(), 0);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "[0-9dD+ -]{0,14}|\\PC{0,20}") {
            if let Ok(formula) = text.parse::<DiceFormula>() {
                prop_assert_eq!(formula.to_string().parse(), Ok(formula));
                formula.roll(&mut Generator::seeded(0));
            }
        }
    }
}
