//! The rules between the keys of a ruleset, one part of it a file. Each takes the whole ruleset and reports all it finds;
//! none minds what the shape check has already refused.

mod layers;
mod migrations;
mod repeats;

use super::whole::Whole;
use crate::types::Problem;

type Rule = fn(&Whole<'_>, &mut Vec<Problem>);

/// In the order of the file.
const ALL: &[Rule] = &[migrations::check, layers::check];

/// Every finding of every rule.
pub fn check(ruleset: &Whole<'_>, found: &mut Vec<Problem>) {
    for rule in ALL {
        rule(ruleset, found);
    }
}
