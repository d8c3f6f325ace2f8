//! Catalogs and their entries (docs/spec/checks.md#catalogs), but for items, which are a room of their own.

mod creature_sheets;
mod creatures;
pub mod entries;
pub mod entry_ids;
mod headers;
mod mechanics;
mod rows;

pub use headers::{misnamed_catalog_files, missing_files};

use crate::ruleset::whole::Whole;
use crate::types::Problems;

pub fn check(ruleset: &Whole<'_>, found: &mut Problems) {
    headers::check(ruleset, found);
    entries::check(ruleset, found);
    rows::check(ruleset, found);
    mechanics::check(ruleset, found);
    creatures::check(ruleset, found);
}
