//! What a package must meet to be a ruleset of a catalog, known from its manifest alone (catalog format, section 3.4).

use super::draft::Draft;
use super::findings::Findings;
use crate::json::excerpt;
use crate::types::{Api, Pointer};
use std::collections::HashSet;

const RULESET: &str = "ruleset.json";
/// The sizes from which on the engine does not read a file it has installed (K9).
const MAX_RULESET: u64 = 256 << 10;
const MAX_CATALOG: u64 = 1 << 20;

/// Holds a manifest, which stands at `at`, against K1 to K3, K5, K7 to K9 and K11. K4, K6 and K10 need the files
/// themselves; K12 is about shared files.
pub(super) fn judge_ruleset(draft: &Draft, at: &Pointer, found: &mut Findings) {
    judge_assets(draft, at, found);
    judge_api(draft, at, found);
    judge_data_only(draft, at, found);
    judge_files(draft, found);
}

/// K1, K5 and K8. Paths are compared as written: one that only means `ruleset.json` is not listed in files[] under
/// the same text, so K8 refuses it in any case.
fn judge_assets(draft: &Draft, at: &Pointer, found: &mut Findings) {
    let Some(assets) = &draft.assets else { return };
    let paths = at.at("contributions").at("assets").at("paths");
    if !assets.iter().any(|path| path == RULESET) {
        found.refuse("K1", &paths, "`ruleset.json` is not among the assets of this ruleset");
    }
    let listed: HashSet<&str> = draft.files.iter().filter_map(|file| Some(file.path.as_ref()?.as_str())).collect();
    for (index, path) in assets.iter().enumerate() {
        if path.starts_with("catalogs/") && !is_catalog_file(path) {
            found.refuse("K5", &paths.at(index), format!("`{}` is no name of a catalog file", excerpt(path)));
        }
        if !listed.contains(path.as_str()) {
            found.refuse("K8", &paths.at(index), format!("the asset `{}` is not in files[]", excerpt(path)));
        }
    }
}

/// `^catalogs/[a-z][a-z0-9_]{0,39}\.json$` (K3).
fn is_catalog_file(path: &str) -> bool {
    let id = path.strip_prefix("catalogs/").and_then(|name| name.strip_suffix(".json")).unwrap_or_default();
    let word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    id.len() <= 40 && id.starts_with(|first: char| first.is_ascii_lowercase()) && id.bytes().all(word)
}

/// K2 and K3: what a package holds needs an API that knows it. An API that could not be read has its own reason.
fn judge_api(draft: &Draft, at: &Pointer, found: &mut Findings) {
    let needs = |minor| match (draft.schema, draft.api) {
        (Some(1), _) => Some("the manifest has schemaVersion 1, which declares none".to_owned()),
        (_, Some(api)) if api < Api { major: 1, minor } => Some(format!("the manifest declares {api}")),
        _ => None,
    };
    let place = at.at(if draft.schema == Some(1) { "schemaVersion" } else { "capabilityApi" });
    if let Some(why) = needs(20) {
        found.refuse("K2", &place, format!("a ruleset needs Capability API 1.20: {why}"));
    }
    if let Some(why) = needs(21)
        && draft.assets.iter().flatten().any(|path| is_catalog_file(path))
    {
        found.refuse("K3", &place, format!("catalog files need Capability API 1.21: {why}"));
    }
}

/// K7: a ruleset is data, nothing that runs. That it is of schema version 2 is K2's to say.
fn judge_data_only(draft: &Draft, at: &Pointer, found: &mut Findings) {
    if draft.kinds.len() > 1 {
        let message = format!("a ruleset is of no other kind, this is of {}", draft.kinds.join(", "));
        found.refuse("K7", &at.at("kind"), message);
    }
    for key in &draft.entrypoints {
        let message = format!("a ruleset has no entrypoints, this has `{}`", excerpt(key));
        found.refuse("K7", &at.at("entrypoints").at(key), message);
    }
    if !draft.permissions.is_empty() {
        let message = format!("a ruleset asks for no permissions, this for {}", draft.permissions.len());
        found.refuse("K7", &at.at("permissions"), message);
    }
    if draft.restart_required {
        found.refuse("K7", &at.at("restartRequired"), "a ruleset needs no restart");
    }
}

/// K9, which the engine holds against a ruleset only when it reads it, and K11.
fn judge_files(draft: &Draft, found: &mut Findings) {
    for file in &draft.files {
        let Some(path) = &file.path else { continue };
        let folded = path.folded();
        if folded == "locales" || folded.starts_with("locales/") {
            found.refuse("K11", &file.at, format!("a ruleset of a catalog carries no `{path}`"));
        }
        let bytes = file.expected.map_or(0, |expected| expected.bytes.0);
        let at = file.at.at("bytes");
        if path.as_str() == RULESET && bytes > MAX_RULESET {
            let message = format!("`{path}` has {bytes} bytes, more than {MAX_RULESET}");
            // Whether engines after 1.66 still hold to it is not known (open question Q28).
            match draft.api {
                Some(api) if api > (Api { major: 1, minor: 66 }) => found.warn("K9", &at, message),
                _ => found.note("K9", &at, message),
            }
        } else if is_catalog_file(path.as_str()) && bytes > MAX_CATALOG {
            found.note("K9", &at, format!("`{path}` has {bytes} bytes, more than {MAX_CATALOG}"));
        }
    }
}
