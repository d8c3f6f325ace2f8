//! Battle and combat (docs/spec/checks.md#items-and-fights), and what entries of catalogs say about fights.

mod battle;
pub mod clauses;
mod combat;
mod dying;
pub mod effects;
mod fight;
mod health;
mod names;
mod sources;
pub mod used;

pub use fight::Fight;

use crate::ruleset::whole::Whole;
use crate::types::Problems;

pub fn check(ruleset: &Whole<'_>, found: &mut Problems) {
    battle::check(ruleset, found);
    combat::check(ruleset, found);
    names::check(ruleset, found);
    dying::check(ruleset, found);
}
