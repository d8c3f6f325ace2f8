//! Dice: formulas, how a check is resolved, and the audit that plays campaigns and computes every check anew.
//!
//! The layers are those of DiceFrame: [`Faces`] only yields faces, a rule's [`Checks`] decide modifier, target, mode and
//! verdict, and whether there is a check at all is nobody's business here.

pub mod audit;
mod check;
mod faces;
mod formula;
pub mod text_formula;
mod verdict;

pub use check::{
    Advantage, Checks, D20, D20Outcome, D100, D100Outcome, Defender, Kind, MAX_EXTRA_DICE, MAX_HELPERS, Mode, Modes,
    Opponent, Outcome, Parts, Refusal, Request, Roll, Skill, helpers,
};
pub use faces::{Faces, Generator};
pub use formula::{DiceFormula, InvalidFormula, Rolled};
pub use verdict::Verdict;
