use crate::json::document;
use crate::ruleset::{self, DisplayString};
use crate::types::{Api, Problem};
use std::collections::BTreeMap;

/// The name of the ruleset's own file, in a package and in every finding.
const RULESET: &str = "ruleset.json";

/// What a look into a ruleset and its catalog files gave.
#[derive(Debug, Default)]
pub struct Inspection {
    /// Each with its file as the package names it (`ruleset.json`, `catalogs/knacks.json`), its pointer, and its line and
    /// column in the bytes given.
    pub problems: Vec<Problem>,
    /// What there is to translate; empty when the ruleset could not be read.
    pub strings: Vec<DisplayString>,
}

/// Everything that is wrong with a ruleset and its catalog files, given as stored. `declared` is the API of the manifest
/// they belong to; a lone `ruleset.json` has none.
pub fn inspect(ruleset: &[u8], catalogs: &BTreeMap<String, Vec<u8>>, declared: Option<Api>) -> Inspection {
    let mut problems = Vec::new();
    let mut read = |path: &str, bytes: &[u8], code: &str| {
        // What a manifest lists is held to its size there.
        if declared.is_none() {
            problems.extend(ruleset::oversize(path, bytes.len()));
        }
        let refused = |problem: Box<Problem>| problems.push(Problem { file: Some(path.to_owned()), ..*problem });
        document(bytes, code).map_err(refused).ok()
    };
    let ruleset = read(RULESET, ruleset, "ruleset-json");
    let files: Vec<_> =
        catalogs.iter().filter_map(|(path, bytes)| Some((path.clone(), read(path, bytes, "catalog-json")?))).collect();
    let Some(ruleset) = ruleset else { return Inspection { problems, strings: Vec::new() } };
    let is_read = |path: &&String| files.iter().any(|(read, _)| read == *path);
    let unread: Vec<String> = catalogs.keys().filter(|path| !is_read(path)).cloned().collect();
    problems.extend(ruleset::check_readable(&ruleset, &files, &unread, declared));
    Inspection { problems, strings: ruleset::display_strings(&ruleset, &files) }
}
