//! The human face of the audits.

mod combat;
mod dice;
mod rules;

pub use combat::AuditedCombat;
pub use dice::AuditedDice;
pub use rules::AuditedRules;

use crate::face::shown_path;
use std::collections::HashMap;
use std::path::Path;

/// What audited rules are called, each an id and its file: by the id, and by the file too where several share the id.
fn rule_names<'r>(rules: impl Iterator<Item = (&'r str, Option<&'r str>)> + Clone, base: &Path) -> Vec<String> {
    let mut of_id: HashMap<&str, usize> = HashMap::new();
    rules.clone().for_each(|(id, _)| *of_id.entry(id).or_default() += 1);
    let name = |(id, file): (&str, Option<&str>)| match file.filter(|_| of_id[id] > 1) {
        Some(file) => format!("{id} ({})", shown_path(file, base)),
        None => id.to_owned(),
    };
    rules.map(name).collect()
}
