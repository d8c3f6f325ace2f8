//! A package held against the version of it that was published before.

use super::documents::Documents;
use super::line_ends::published;
use super::package::Package;
use crate::catalog::{MANIFEST, RULESET};
use crate::json::locate;
use crate::ruleset::{self, Edition};
use crate::types::{Cancel, Pointer, Problem, codes};
use serde_json::Value;

/// What `new` breaks of `old`, for stored sheets and games, and whether its version says that it is another
/// (docs/spec/checks.md#breaking-changes). Nothing is said of one whose ruleset cannot be read.
pub(crate) fn against(new: &Package, old: &Package, cancel: &Cancel) -> Vec<Problem> {
    let (now, before) = (new.documents(cancel), old.documents(cancel));
    let editions = edition(now).zip(edition(before));
    let Some((edition, edition_before)) = editions.filter(|_| is_changed(new, old)) else { return Vec::new() };
    let mut problems = ruleset::against(edition, edition_before);
    problems.extend(version_not_raised((new, edition.ruleset), (old, edition_before.ruleset)));
    let texts = [(MANIFEST, new.manifest.as_deref()), (RULESET, new.ruleset.as_deref())].into_iter();
    let catalogs = new.catalogs.iter().map(|(path, bytes)| (path.as_str(), Some(bytes.as_slice())));
    for (path, bytes) in texts.chain(catalogs) {
        let mut here = problems.iter_mut().filter(|problem| problem.file.as_deref() == Some(path)).peekable();
        if here.peek().is_some() {
            locate(bytes.unwrap_or_default(), here);
        }
    }
    problems
}

/// A ruleset with its catalog files, of what could be read.
pub(super) fn edition(documents: &Documents) -> Option<Edition<'_>> {
    Some(Edition { ruleset: documents.ruleset.as_ref()?, files: &documents.files })
}

/// Whether any of the files differ that both have. Of a `ruleset.json` alone the catalog files may lie elsewhere.
fn is_changed(new: &Package, old: &Package) -> bool {
    let differs = |path: &str, new: &[u8], old: &[u8]| published(path, new) != published(path, old);
    let of_both = new.ruleset.as_ref().zip(old.ruleset.as_ref());
    let mut catalogs = new.catalogs.iter().filter_map(|(path, bytes)| Some((path, bytes, old.catalogs.get(path)?)));
    of_both.is_some_and(|(new, old)| differs(RULESET, new, old))
        || catalogs.any(|(path, new, old)| differs(path, new, old))
}

/// Packages go by the version of their manifest, which is independent of that in `ruleset.json`
/// (docs/spec/catalog.md#ruleset-packages); a ruleset without a manifest has only its own.
fn version_not_raised((new, now): (&Package, &Value), (old, before): (&Package, &Value)) -> Option<Problem> {
    let tell = |file: &str, version: &str| {
        let message = format!("the files differ from the published version {version}, but the version is not higher");
        Problem::new(codes::VERSION_NOT_RAISED, &Pointer::root().at("version"), message).in_file(file)
    };
    if let Some((now, before)) = new.declared.as_ref().zip(old.declared.as_ref()) {
        let is_raised = now.id != before.id || now.version.precedence(&before.version).is_gt();
        return (!is_raised).then(|| tell(MANIFEST, before.version.as_str()));
    }
    let (now, before) = (now["version"].as_f64()?, before["version"].as_f64()?);
    (now <= before).then(|| tell(RULESET, &before.to_string()))
}
