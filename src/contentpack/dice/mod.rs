//! Dice: formulas, how a check is resolved, and the audit that plays campaigns and computes every check anew.

pub mod text_formula;
