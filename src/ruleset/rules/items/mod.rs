//! Items: the words they are made of, the items of catalogs, and where they are found and sold
//! (docs/spec/checks.md#catalogs, #items-and-fights).

mod attacks;
pub mod loot;
mod market;
mod stats;
mod uses;
mod vocabulary;
mod wares;

use crate::ruleset::whole::Whole;
use crate::types::Problems;

pub fn check(ruleset: &Whole<'_>, found: &mut Problems) {
    vocabulary::check(ruleset, found);
    wares::check(ruleset, found);
    attacks::check(ruleset, found);
    uses::check(ruleset, found);
    loot::check(ruleset, found);
    market::check(ruleset, found);
}
