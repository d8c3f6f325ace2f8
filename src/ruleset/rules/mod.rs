//! The rules between the keys of a ruleset, one part of it a file. Each takes the whole ruleset and reports all it finds;
//! none minds what the shape check has already refused.

mod derived;
mod gm;
mod hiding;
mod ids;
pub mod ladder;
mod layers;
mod migrations;
mod places;
pub mod pool_dice;
pub mod refs;
mod repeats;
pub mod resolution;
mod rests;
mod sheet;
pub mod values;
mod wounds;

use super::whole::Whole;
use crate::types::Problem;

type Rule = fn(&Whole<'_>, &mut Vec<Problem>);

/// In the order of the file.
const ALL: &[Rule] = &[
    ids::check,
    resolution::check,
    pool_dice::check,
    ladder::check,
    sheet::check,
    derived::check,
    wounds::check,
    hiding::check,
    values::check,
    migrations::check,
    rests::check,
    gm::check,
    layers::check,
];

/// Every finding of every rule.
pub fn check(ruleset: &Whole<'_>, found: &mut Vec<Problem>) {
    for rule in ALL {
        rule(ruleset, found);
    }
}

#[cfg(test)]
mod testing {
    use super::*;
    use serde_json::Value;

    /// What one rule finds in a ruleset without catalog files, as "code pointer".
    pub fn findings(rule: Rule, ruleset: &Value) -> Vec<String> {
        let mut found = Vec::new();
        rule(&Whole::new(ruleset, &[]), &mut found);
        found
            .iter()
            .map(|problem| format!("{} {}", problem.code, problem.pointer.as_deref().unwrap_or_default()))
            .collect()
    }
}
