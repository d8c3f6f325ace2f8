//! The rules between the keys of a ruleset, one part of it a file. Each takes the whole ruleset and reports all it finds;
//! none minds what the shape check has already refused.

mod attacks;
mod catalogs;
mod cells;
mod clauses;
mod creature_sheets;
mod creatures;
mod effects;
mod entries;
mod entry_ids;
mod fight;
mod item_entries;
mod mechanics;
mod refs;
mod rows;
mod stats;
mod used;
mod uses;

pub use catalogs::missing_files;

use super::whole::Whole;
use crate::types::Problem;

type Rule = fn(&Whole<'_>, &mut Vec<Problem>);

/// In the order of the file.
const ALL: &[Rule] = &[
    catalogs::check,
    entries::check,
    rows::check,
    mechanics::check,
    creatures::check,
    item_entries::check,
    attacks::check,
    uses::check,
];

/// Every finding of every rule.
pub fn check(ruleset: &Whole<'_>, found: &mut Vec<Problem>) {
    for rule in ALL {
        rule(ruleset, found);
    }
}

/// What one rule says of a ruleset without catalog files, as "code /pointer".
#[cfg(test)]
fn told(rule: Rule, ruleset: &serde_json::Value) -> Vec<String> {
    let mut found = Vec::new();
    rule(&Whole::new(ruleset, &[]), &mut found);
    found.into_iter().map(|problem| format!("{} {}", problem.code, problem.pointer.unwrap_or_default())).collect()
}
