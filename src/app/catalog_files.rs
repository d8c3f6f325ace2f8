//! The catalog files of a ruleset that was read by itself or with what lies beside it.

use crate::publish::Shared;
use crate::types::{Code, Failure, SafePath};
use serde_json::Value;
use std::collections::HashSet;
use std::path::Path;

/// The catalog files a ruleset names, each once.
pub(super) fn assets(ruleset: &Value) -> Vec<String> {
    let named = ruleset["catalogs"].as_array().into_iter().flatten().filter_map(|catalog| catalog["asset"].as_str());
    let mut seen = HashSet::new();
    let paths = named.filter(|asset| asset.parse::<SafePath>().is_ok() && seen.insert(*asset));
    paths.map(str::to_owned).collect()
}

/// Refuses a ruleset.json that names catalog files which do not lie beside it. Checks only warn of that, since its author
/// may have them elsewhere; without them it is not the ruleset. `name` is the file's.
pub(super) fn refuse_without_catalogs(name: &Path, shared: &Shared) -> Result<(), Failure> {
    let missing = shared.documents.ruleset.iter().flat_map(assets).find(|asset| !shared.catalogs.contains_key(asset));
    missing.map_or(Ok(()), |asset| {
        let text = format!("`{}` needs `{asset}`, which does not lie beside it", name.display());
        Err(Failure::new(Code::InvalidRuleset, text)
            .hint("name the folder that has all of its files, or one file that holds them: a bundle or a zip"))
    })
}
