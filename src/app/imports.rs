//! Imported rulesets as the use cases look them up. They lie in folders of their own and are recorded in rulepack.json
//! alone; their ids begin with `local/`, which no package's does.

use super::{App, meant};
use crate::store::{Flaw, IMPORTED, ImportedVersion, Layout, OwnFile, Owner, Snapshot, check_files};
use crate::types::{Code, Failure, Language, PackageId};
use std::path::PathBuf;

/// A version of an imported ruleset; of most use cases the one in force.
#[derive(Clone, Debug)]
pub(super) struct LocalRuleset {
    pub id: PackageId,
    pub version: u64,
    pub kept: ImportedVersion,
}

impl LocalRuleset {
    pub fn owner(&self) -> Owner {
        Owner::Imported(self.id.clone())
    }
}

/// Whether an id as typed means an imported ruleset: what stands before the `/` says so.
pub(super) fn is_local(id: &str) -> bool {
    id.split_once('/').is_some_and(|(namespace, _)| namespace == IMPORTED)
}

/// Every imported ruleset, in the order of the ids.
pub(super) fn locals(snapshot: &Snapshot) -> Vec<LocalRuleset> {
    let all = snapshot.state.imported.iter();
    let active = all.filter_map(|(id, imported)| Some((id, imported.active()?)));
    active.map(|(id, (version, kept))| LocalRuleset { id: id.clone(), version, kept: kept.clone() }).collect()
}

/// The imported ruleset of an id such as `local/ember-roads`, or the failure of there being none.
pub(super) fn local(snapshot: &Snapshot, id: &str) -> Result<LocalRuleset, Failure> {
    let all = locals(snapshot);
    let known: Vec<String> = all.iter().map(|ruleset| ruleset.owner().to_string()).collect();
    let Some(at) = known.iter().position(|known| known == id) else {
        let failure = Failure::new(Code::NotInstalled, format!("`{id}` is not imported")).package(id);
        return Err(match meant(id, known.iter().map(String::as_str)) {
            Some(question) => failure.hint(question),
            None => failure.hint("import a shared ruleset with `rulepack import FILE`; it becomes `local/` and its id"),
        });
    };
    Ok(all.into_iter().nth(at).unwrap_or_else(|| unreachable!("it has just been counted")))
}

/// Refuses an imported ruleset where only one out of a catalog makes sense: it can neither be updated nor rolled back,
/// and there is nothing to hold it back from.
pub(super) fn refuse_local(snapshot: &Snapshot, id: &str) -> Result<(), Failure> {
    if !is_local(id) {
        return Ok(());
    }
    local(snapshot, id)?;
    let text = format!("{id} was imported from a file, not from a catalog");
    Err(Failure::new(Code::NotInCatalog, text).hint(ANOTHER).package(id))
}

/// What to do instead with an imported ruleset.
pub(super) const ANOTHER: &str =
    "run `rulepack import FILE` for another version, or for its translation into another language";

impl App {
    pub(super) fn local_root(&self, ruleset: &LocalRuleset) -> PathBuf {
        self.store.layout().import(&ruleset.id, ruleset.version)
    }

    /// Where the kept translation lies, where there is one of the size recorded.
    pub(super) fn local_pack(&self, ruleset: &LocalRuleset) -> Option<(Language, PathBuf)> {
        let pack = ruleset.kept.pack.as_ref()?;
        let path = Layout::pack_in(&self.local_root(ruleset), &pack.language);
        let meta = std::fs::symlink_metadata(&path).ok()?;
        (meta.is_file() && meta.len() == pack.file.bytes.0).then(|| (pack.language.clone(), path))
    }

    /// Every way a version of an imported ruleset is not as it was imported, but for extra files.
    pub(super) fn local_flaws(&self, id: &PackageId, version: u64, files: &[OwnFile]) -> Result<Vec<Flaw>, Failure> {
        let root = self.store.layout().import(id, version);
        Ok(check_files(self.store.layout(), &root, files, &self.cancel)?)
    }
}
