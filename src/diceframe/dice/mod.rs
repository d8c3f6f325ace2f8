//! Dice: formulas, how a check is resolved, and the audit that plays campaigns and computes every check anew.
//!
//! The layers are those of DiceFrame: [`Faces`] only yields faces, a rule's `Checks` decide modifier, target, mode and
//! verdict, and whether there is a check at all is nobody's business here.

pub mod audit;
mod check;
mod faces;
mod formula;
pub mod text_formula;
mod verdict;

pub use faces::{Faces, Generator};
