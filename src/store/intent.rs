//! The intent: what is being changed, written down so that any later run can finish it or take it back.

use super::aside::DAMAGED;
use super::change::{Befores, Change, Transaction};
use super::folder::Folder;
use super::limits::MOST_RECORD;
use super::moving::rename;
use super::owner::Owner;
use super::record::{self, Fault};
use super::{Layout, StoreError, files, staging};
use crate::crash;
use crate::types::{Warning, codes};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// What the intent file holds.
#[derive(Serialize, Deserialize)]
pub(super) struct Intent {
    schema: u32,
    pub transaction: Transaction,
    /// Earlier programs wrote none.
    #[serde(default)]
    pub before: Befores,
    /// What is decided for good: from then on what a change replaced goes, or what it had staged, and what lies on the
    /// disk says no more whether it is made.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub decided: BTreeMap<Owner, Decision>,
}

/// What has become of a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Decision {
    Made,
    TakenBack { why: String },
}

impl Intent {
    pub fn of(transaction: &Transaction, before: &Befores) -> Self {
        Intent { schema: 1, transaction: transaction.clone(), before: before.clone(), decided: BTreeMap::new() }
    }

    /// Writes down what is about to be changed, or what was decided since.
    pub fn write(&self, layout: &Layout) -> Result<(), StoreError> {
        let text = serde_json::to_vec(self).unwrap_or_else(|_| unreachable!("texts and numbers are always JSON"));
        let path = layout.intent();
        if text.len() as u64 > MOST_RECORD {
            return Err(StoreError::OversizedRecord { path });
        }
        files::replace(&path, &text).map_err(StoreError::io("write", &path))
    }

    /// Writes down that the changes are made, where the records do not tell. Before anything of the old is removed.
    pub fn write_made(&mut self, layout: &Layout) -> Result<(), StoreError> {
        let changes = self.transaction.changes.iter();
        let is_told = |change: &Change| self.before.get(&change.id).is_none_or(|old| change.is_told_by_records(old));
        let untold = changes.filter(|change| !is_told(change)).map(|change| (change.id.clone(), Decision::Made));
        self.decided = untold.collect();
        if self.decided.is_empty() { Ok(()) } else { self.write(layout) }
    }
}

/// A change that is over needs no intent any more.
pub(super) fn close_intent(layout: &Layout) -> Result<(), StoreError> {
    crash::point("cleaned-up");
    files::remove_if_there(&layout.intent()).map_err(StoreError::io("remove", &layout.intent()))?;
    crash::point("intent-removed");
    files::sync_folder(layout.packages()).map_err(StoreError::io("flush", layout.packages()))
}

/// Whether a run died in the middle of a change, or is in the middle of one now. Where that cannot be told, it is so.
pub(super) fn is_unsettled(layout: &Layout) -> bool {
    files::exists(&layout.intent()).unwrap_or(true)
}

/// Of a change that failed and was taken back nothing must be finished later.
pub(super) fn take_back(layout: &Layout, error: StoreError) -> StoreError {
    match files::remove_if_there(&layout.intent()) {
        Ok(()) => error,
        Err(why) => {
            let why = format!("cannot remove {}: {why}", layout.intent().display());
            StoreError::Half { error: Box::new(error), why }
        }
    }
}

/// The change an intent file tells of, if it is one this program could have begun.
pub(super) fn read_intent(bytes: &[u8]) -> Result<Intent, Fault> {
    record::refuse_newer(bytes)?;
    let intent: Intent = serde_json::from_slice(bytes).map_err(|error| Fault::Damaged(error.to_string()))?;
    match intent.transaction.is_sound() {
        true => Ok(intent),
        false => Err(Fault::Damaged("a record in it belongs to another package".to_owned())),
    }
}

/// An intent that cannot be read may name what any dead run had staged.
pub(super) fn set_intent_aside(layout: &Layout, why: &str) -> Result<Warning, StoreError> {
    let kept = set_aside(layout)?;
    let text = format!(
        "cannot read the record of an unfinished change ({why}); it and the files it may concern were moved to {kept}"
    );
    Ok(Warning::new(codes::DAMAGED_INTENT, text))
}

/// A change that is made or taken back, but for what somebody had put into the folder it replaced: something lies in
/// the way there.
///
/// # Errors
/// Where what is left is staged by a run that lives: this one, which sweeps it in the end.
pub(super) fn set_leftovers_aside(layout: &Layout) -> Result<Warning, StoreError> {
    let bytes = record::read(&layout.intent())?.unwrap_or_default();
    let changes = read_intent(&bytes).map(|intent| intent.transaction.changes).unwrap_or_default();
    let packages = changes.iter().map(|change| change.id.to_string()).collect::<Vec<_>>().join(", ");
    let folders = changes.iter().flat_map(Change::staged).filter_map(|staged| staged.split('/').next());
    for folder in folders.map(|name| layout.packages().join(name)) {
        if files::exists(&folder).unwrap_or(true) && !staging::is_dead(&folder) {
            let why = io::Error::other("it contains what could not be put back beside the package");
            return Err(StoreError::Unfinished { packages, why: Box::new(StoreError::io("clear", &folder)(why)) });
        }
    }
    let kept = set_aside(layout)?;
    let text = format!("cannot put back what an interrupted change of {packages} left; it is kept in {kept}");
    Ok(Warning::new(codes::FILES_KEPT, text))
}

/// Moves the intent out of the way, and all that dead runs had staged, which may be the only copy of what lay there
/// before: it is kept beside the intent, where no sweep finds it. Gives the names.
fn set_aside(layout: &Layout) -> Result<String, StoreError> {
    let intent = layout.intent();
    let cannot = || StoreError::io("set aside", &intent);
    let aside = files::free_name(&intent, DAMAGED).map_err(cannot())?;
    let mut kept = vec![aside.display().to_string()];
    for folder in staging::leftovers(layout).map_err(StoreError::io("look into", layout.packages()))? {
        if !staging::is_dead(&folder) || !holds(&folder) {
            continue;
        }
        let mut name = aside.as_os_str().to_owned();
        name.push(folder.file_name().unwrap_or_default());
        let to = PathBuf::from(name);
        rename(&folder, &to).map_err(StoreError::io("set aside", &folder))?;
        kept.push(to.display().to_string());
    }
    rename(&intent, &aside).map_err(cannot())?;
    Ok(kept.join(", "))
}

/// Whether anything is staged in a folder, or that cannot be told.
fn holds(folder: &Path) -> bool {
    let (parent, name) = (folder.parent().unwrap_or(folder), folder.file_name().unwrap_or_default());
    let folder = Folder::below(parent, Path::new(name));
    match folder.and_then(|folder| folder.map_or(Ok(Vec::new()), |folder| folder.entries())) {
        Ok(entries) => entries.iter().any(|(name, _)| name != staging::HOLD),
        // A file or link was to get its name, and nothing names it.
        Err(error) => error.kind() != io::ErrorKind::NotADirectory,
    }
}
