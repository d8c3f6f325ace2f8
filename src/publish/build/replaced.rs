//! What new packages break of the artifacts they take the place of.

use crate::catalog::{Entry, Envelope, MAX_ARTIFACT, Reading, read_entry};
use crate::disk::read_plain;
use crate::inspect::artifact::hold;
use crate::inspect::{Package, PackageFolder, against, read};
use crate::threads;
use crate::types::{Cancel, Failure, Problem, Problems, SafePath};
use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::Path;

/// What the packages in these folders break of the artifacts that the catalogs in `out`, by their paths, list for them
/// now, as far as those lie there (docs/spec/checks.md#breaking-changes). What is no catalog or no artifact is replaced
/// without a word.
pub fn broken(
    folders: &[PackageFolder],
    (out, catalogs): (&Path, &[String]),
    cancel: &Cancel,
) -> Result<Vec<Problem>, Failure> {
    let listed = listed(out, catalogs);
    if listed.is_empty() {
        return Ok(Vec::new());
    }
    let broken = |folder: &PackageFolder| -> Result<Vec<Problem>, Failure> {
        cancel.stop_if_asked()?;
        let Some(new) = Package::in_folder(folder.open()?)? else { return Ok(Vec::new()) };
        let entry = new.declared.as_ref().and_then(|manifest| listed.get(manifest.id.as_str()));
        let Some(old) = entry.and_then(|entry| artifact(entry, out, cancel)) else { return Ok(Vec::new()) };
        let found = against(&new, &old, cancel);
        Ok(found.into_iter().map(|problem| new.tell(problem)).collect())
    };
    let broken = threads::map(folders, broken).into_iter().collect::<Result<Vec<_>, _>>()?;
    cancel.stop_if_asked()?;
    Ok(broken.concat())
}

/// The rulesets of catalogs in a folder, by package; the first that lists one counts.
fn listed(out: &Path, catalogs: &[String]) -> BTreeMap<String, Entry> {
    let mut entries = BTreeMap::new();
    for path in catalogs {
        let text = read_plain(&out.join(path)).ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
        let elements = Envelope::read(&text).ok().and_then(|envelope| envelope.elements).unwrap_or_default();
        for element in elements {
            if let Reading::Ruleset(entry) = read_entry(element) {
                entries.entry(entry.manifest.id.to_string()).or_insert(*entry);
            }
        }
    }
    entries
}

/// The artifact of an entry, where it lies there and is as its manifest says.
fn artifact(entry: &Entry, out: &Path, cancel: &Cancel) -> Option<Package> {
    let name: SafePath = entry.artifact.url.file_name().parse().ok()?;
    let path = out.join("artifacts").join(name.as_str());
    let bytes = read::plain(&path, MAX_ARTIFACT.0).ok()?;
    let name = path.display().to_string();
    hold(Cursor::new(bytes), entry.manifest.clone(), &name, &mut Problems::default(), cancel).ok()?
}
