//! One change of the store as data: what is to be moved, recorded and removed. The same data, written down as the
//! intent, is what lets a later run finish a change whose process died (docs/spec/commands.md#store-2).

use super::limits::STAGING_PREFIX;
use super::own_file::OwnFile;
use super::owner::Owner;
use super::registry::{Mark, is_record_of};
use super::rest::WithRest;
use super::state::{Imported, KeptPack, PackageState, State};
use crate::types::{Language, PackageId, SafePath, Version};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// Everything one commit changes. Either all of it happens or none.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Transaction {
    pub changes: Vec<Change>,
    /// The language to remember, when it changes: `Some(None)` goes back to the system's.
    #[serde(default, with = "double_option", skip_serializing_if = "Option::is_none")]
    pub language: Option<Option<Language>>,
}

/// What changes for one package, or one imported ruleset.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Change {
    pub id: Owner,
    /// A staged version folder to put in place.
    pub place: Option<VersionPlacement>,
    /// Packs put beside versions, or taken from them.
    pub packs: Vec<PackChange>,
    pub record: Put<Box<RawValue>>,
    pub state: Put<WithRest<PackageState>>,
    /// What is remembered of an imported ruleset, which has neither of the two before.
    #[serde(default, skip_serializing_if = "Put::is_keep")]
    pub imported: Put<WithRest<Imported>>,
    /// The version to decline.
    pub declined: Put<Version>,
    /// Versions to take away once nothing names them any more.
    pub discard: Vec<Discard>,
}

/// What the records said of a package, or of an imported ruleset, when a change of it began: by this a later run tells
/// whether another program has changed it since, and takes our own record back.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Before {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<Mark>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<WithRest<PackageState>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported: Option<WithRest<Imported>>,
}

/// What the changed packages were when the change began.
pub(super) type Befores = BTreeMap<Owner, Before>;

/// What happens to one value.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Put<T> {
    #[default]
    Keep,
    Set(T),
    Remove,
}

impl<T> Put<T> {
    pub(super) fn is_keep(&self) -> bool {
        matches!(self, Put::Keep)
    }

    /// Whether it has been done already to this value.
    fn is_in(&self, value: Option<&T>) -> bool
    where
        T: PartialEq,
    {
        match self {
            Put::Keep => false,
            Put::Set(wanted) => value == Some(wanted),
            Put::Remove => value.is_none(),
        }
    }
}

/// A version folder to put where it belongs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct VersionPlacement {
    /// The name of the version's folder.
    #[serde(deserialize_with = "folder_name")]
    pub version: String,
    /// Where it is staged, relative to the packages folder.
    #[serde(deserialize_with = "staging_path")]
    pub(super) staged: String,
    /// All it holds, and what each file must be.
    pub(super) files: Vec<OwnFile>,
    /// What rulepack or the engine had put into the folder it replaces.
    pub replaced: Vec<OwnFile>,
}

/// A change of the one pack of a version.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PackChange {
    /// The name of the version's folder.
    #[serde(deserialize_with = "folder_name")]
    pub version: String,
    pub add: Option<AddPack>,
    /// The pack that goes once the new one is in place.
    pub remove: Option<KeptPack>,
}

/// A language pack that is staged, which [`super::Staging::pack`] alone does.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AddPack {
    pub pack: KeptPack,
    /// Where it is staged, relative to the packages folder.
    #[serde(deserialize_with = "staging_path")]
    pub(super) staged: String,
}

/// A version folder to take away.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Discard {
    /// The name of the version's folder.
    #[serde(deserialize_with = "folder_name")]
    pub version: String,
    /// Those that were edited since stay, under another name.
    pub files: Vec<OwnFile>,
}

impl Change {
    /// A change of this package that changes nothing yet.
    pub fn of(id: &PackageId) -> Self {
        Change::about(Owner::Package(id.clone()))
    }

    /// A change of this owner that changes nothing yet.
    pub fn about(id: Owner) -> Self {
        Change {
            id,
            place: None,
            packs: Vec::new(),
            record: Put::Keep,
            state: Put::Keep,
            imported: Put::Keep,
            declined: Put::Keep,
            discard: Vec::new(),
        }
    }

    /// By what the registry's record is told once the change stands.
    pub(super) fn mark_after(&self, before: &Before) -> Option<Mark> {
        match &self.record {
            Put::Keep => before.record.clone(),
            Put::Set(record) => Some(Mark::of(record)),
            Put::Remove => None,
        }
    }

    /// The change of our own record that takes this one back.
    pub(super) fn taken_back(&self, before: &Before) -> Change {
        let mut back = Change::about(self.id.clone());
        match &self.id {
            Owner::Package(_) => back.state = before.state.clone().map_or(Put::Remove, Put::Set),
            Owner::Imported(_) => back.imported = before.imported.clone().map_or(Put::Remove, Put::Set),
        }
        back
    }

    /// Whether our own record says already what it is to say.
    pub(super) fn is_written(&self, state: &State) -> bool {
        match &self.id {
            Owner::Package(id) => self.state.is_in(state.packages.get(id)),
            Owner::Imported(id) => self.imported.is_in(state.imported.get(id)),
        }
    }

    /// Whether our own record says something else once the change stands.
    pub(super) fn changes_state(&self, before: &Before) -> bool {
        match &self.id {
            Owner::Package(_) => !self.state.is_keep() && !self.state.is_in(before.state.as_ref()),
            Owner::Imported(_) => !self.imported.is_keep() && !self.imported.is_in(before.imported.as_ref()),
        }
    }

    /// Whether the records tell a change that was made from one that was not: they do not where a version is put there
    /// again.
    pub(super) fn is_told_by_records(&self, before: &Before) -> bool {
        self.mark_after(before) != before.record || self.changes_state(before)
    }

    /// Whether nothing of it is known afterwards.
    pub(super) fn forgets_all(&self) -> bool {
        matches!(self.record, Put::Remove) || matches!(self.imported, Put::Remove)
    }

    /// Where everything lies that it puts in place, relative to the packages folder.
    pub(super) fn staged(&self) -> impl Iterator<Item = &str> {
        let packs = self.packs.iter().filter_map(|pack| Some(pack.add.as_ref()?.staged.as_str()));
        self.place.iter().map(|place| place.staged.as_str()).chain(packs)
    }

    /// Whether files go because of it.
    pub(super) fn removes_anything(&self) -> bool {
        !self.discard.is_empty() || self.packs.iter().any(|pack| pack.remove.is_some())
    }

    /// How many durable steps it takes besides our own record; more than none needs an intent.
    fn moves_anything(&self) -> bool {
        self.place.is_some()
            || !self.packs.is_empty()
            || !self.discard.is_empty()
            || !matches!(self.record, Put::Keep)
            || !matches!(self.declined, Put::Keep)
    }
}

impl Transaction {
    /// One change alone.
    pub fn of(change: Change) -> Self {
        Transaction { changes: vec![change], language: None }
    }

    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.language.is_none()
    }

    /// Whether every record it sets is the one of its package, and none is set of what is no package: what is read back
    /// may have been written by anybody, and goes into the registry as it is.
    pub(super) fn is_sound(&self) -> bool {
        self.changes.iter().all(|change| match (&change.id, &change.record) {
            (Owner::Package(id), Put::Set(record)) => is_record_of(record, id),
            (Owner::Package(_), Put::Keep | Put::Remove) => true,
            // It is in neither of the engine's records.
            (Owner::Imported(_), record) => record.is_keep() && change.state.is_keep() && change.declined.is_keep(),
        })
    }

    /// Where everything lies that is to be put in place, relative to the packages folder.
    pub(super) fn staged(&self) -> impl Iterator<Item = &str> {
        self.changes.iter().flat_map(Change::staged)
    }

    /// Whether a run dying midway could leave something between: a change of our own record alone cannot.
    pub(super) fn needs_intent(&self) -> bool {
        self.changes.iter().any(Change::moves_anything)
    }
}

/// The folder of a version, read back. An intent that names anything outside the folder it speaks of is as good as
/// unreadable: what it names is moved and removed.
fn folder_name<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let path = SafePath::deserialize(from)?;
    match path.parts().count() {
        1 => Ok(path.to_string()),
        _ => Err(D::Error::custom("no version has that name")),
    }
}

/// The same for what is staged: something within a folder of work in progress, and nothing else.
fn staging_path<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let path = SafePath::deserialize(from)?;
    match path.parts().collect::<Vec<_>>()[..] {
        [folder, _] if folder.starts_with(STAGING_PREFIX) => Ok(path.to_string()),
        _ => Err(D::Error::custom("nothing is staged there")),
    }
}

/// Tells "not changed" from "changed to nothing" in JSON.
mod double_option {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<T: Serialize, S: Serializer>(value: &Option<Option<T>>, into: S) -> Result<S::Ok, S::Error> {
        value.as_ref().and_then(Option::as_ref).serialize(into)
    }

    pub fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<Option<Option<T>>, D::Error> {
        Option::<T>::deserialize(from).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_intent_reads_back_as_it_was_written() {
        let mut change = Change::of(&"demo".parse().unwrap());
        change.record = Put::Set(RawValue::from_string("{\"id\":\"demo\",\"n\":1.10}".to_owned()).unwrap());
        change.declined = Put::Remove;
        for language in [None, Some(None), Some("ru".parse().ok())] {
            let transaction = Transaction { changes: vec![change.clone()], language };
            let text = serde_json::to_string(&transaction).unwrap();
            let again: Transaction = serde_json::from_str(&text).unwrap();
            assert_eq!(serde_json::to_string(&again).unwrap(), text);
            assert_eq!(again.language, transaction.language);
            assert!(text.contains("1.10"));
        }
    }
}
