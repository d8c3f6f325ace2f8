//! Writing the three records of one change, beside another program that writes two of them without our lock.

use super::aside::copy_aside;
use super::change::{Befores, Change, Put, Transaction};
use super::limits::MOST_RECORD;
use super::owner::Owner;
use super::steps::Done;
use super::{Decisions, Layout, Registry, State, StoreError, files, rebuild, record};
use crate::crash;
use crate::types::PackageId;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// How often a record is made anew because another program replaced it meanwhile. Each time takes milliseconds.
const TRIES: usize = 50;

/// Writes the three records. All are on the disk before the first gets its name, so a disk that is full is noticed
/// while nothing has changed. Ours goes first: its receipts are kept by version, so they hold for the registry as it
/// was and as it will be, and the registry's own replacement, the last, is the one switch readers see.
///
/// Each is read again right before it is replaced, and made anew where it has changed. That leaves the other program
/// the moment between that look and the rename, some microseconds.
pub(super) fn record_all(
    layout: &Layout,
    transaction: &Transaction,
    befores: &Befores,
    done: &mut Vec<Done>,
) -> Result<(), StoreError> {
    let records = [
        Record {
            path: layout.state(),
            make: &|bytes| new_state(layout, transaction, bytes),
            written: || crash::point("state-written"),
        },
        Record {
            path: layout.decisions(),
            make: &|bytes| new_decisions(layout, transaction, bytes),
            written: || crash::point("decisions-written"),
        },
        Record {
            path: layout.registry(),
            make: &|bytes| new_registry(layout, transaction, befores, bytes),
            written: || crash::point("registry-written"),
        },
    ];
    let declines = transaction.changes.iter().any(|change| !change.declined.is_keep());
    let mut ready = Vec::new();
    // The record of declined versions is not even read where it stays.
    for record in records.into_iter().filter(|record| declines || record.path != layout.decisions()) {
        let draft = record.draft()?;
        ready.push((record, draft));
    }
    crash::point("records-ready");
    for (record, draft) in ready {
        record.put(layout, draft, done)?;
    }
    Ok(())
}

/// The new text of a record, none where it stays as it is.
type NewText = Result<Option<String>, StoreError>;

/// One of the three: where it lies, and how its new text is made from what lies there.
struct Record<'a> {
    path: PathBuf,
    make: &'a dyn Fn(Option<&[u8]>) -> NewText,
    written: fn(),
}

/// The new text of a record, waiting for its name.
struct Draft {
    /// What it was made from.
    before: Option<Vec<u8>>,
    after: Option<(Vec<u8>, files::Prepared)>,
}

impl Record<'_> {
    fn draft(&self) -> Result<Draft, StoreError> {
        let path = &self.path;
        let before = record::read(path)?;
        let Some(text) = (self.make)(before.as_deref())? else { return Ok(Draft { before, after: None }) };
        if text.len() as u64 > MOST_RECORD {
            return Err(StoreError::OversizedRecord { path: path.clone() });
        }
        let prepared = files::prepare(path, text.as_bytes()).map_err(StoreError::io("write", path))?;
        Ok(Draft { before, after: Some((text.into_bytes(), prepared)) })
    }

    fn put(&self, layout: &Layout, mut draft: Draft, done: &mut Vec<Done>) -> Result<(), StoreError> {
        let path = &self.path;
        for _ in 0..TRIES {
            if record::read(path)? != draft.before {
                draft = self.draft()?;
                continue;
            }
            let Some((after, prepared)) = draft.after else { return Ok(()) };
            prepared.put().map_err(StoreError::io("write", path))?;
            done.push(Done::Replaced { path: path.clone(), before: draft.before, after });
            files::sync_folder(layout.packages()).map_err(StoreError::io("flush", layout.packages()))?;
            (self.written)();
            return Ok(());
        }
        Err(StoreError::NeverStill { path: path.clone() })
    }
}

/// The text of our own record, if it changes.
fn new_state(layout: &Layout, transaction: &Transaction, bytes: Option<&[u8]>) -> NewText {
    let mut state = own(layout, bytes)?;
    let before = state.clone();
    if let Some(language) = &transaction.language {
        state.language = language.clone();
    }
    for Change { id, state: put, imported, .. } in &transaction.changes {
        match id {
            Owner::Package(id) => put_in(&mut state.packages, id, put),
            Owner::Imported(id) => put_in(&mut state.imported, id, imported),
        }
    }
    Ok((state != before).then(|| state.to_text()))
}

/// Our own record for whoever is to change it. A damaged one was set aside and rebuilt by whoever took the lock.
pub(super) fn own(layout: &Layout, bytes: Option<&[u8]>) -> Result<State, StoreError> {
    let path = layout.state();
    match bytes.map(State::parse) {
        // Where the record is gone, what was imported is what lies there.
        None => Ok(State::of_imports(rebuild::imports(layout)?)),
        Some(Ok(state)) => Ok(state),
        Some(Err(record::Fault::Newer(found))) => Err(StoreError::Newer { path, found }),
        Some(Err(record::Fault::Damaged(why))) => Err(StoreError::DamagedRecord { path, why }),
    }
}

fn put_in<T: Clone>(all: &mut BTreeMap<PackageId, T>, id: &PackageId, put: &Put<T>) {
    match put {
        Put::Keep => {}
        Put::Set(value) => {
            all.insert(id.clone(), value.clone());
        }
        Put::Remove => {
            all.remove(id);
        }
    }
}

/// The text of the engine's registry, if any record of it changes. What another program has made of a package meanwhile
/// is never overwritten, also where only its pack changes.
fn new_registry(layout: &Layout, transaction: &Transaction, befores: &Befores, bytes: Option<&[u8]>) -> NewText {
    if transaction.changes.is_empty() {
        return Ok(None);
    }
    let mut registry = Registry::of(layout, bytes)?;
    refuse_if_changed(transaction, befores, &registry)?;
    let mut changed = false;
    for Change { id, record, .. } in &transaction.changes {
        let Owner::Package(id) = id else { continue };
        match record {
            Put::Keep => continue,
            Put::Set(record) => registry.put(id, Some(record.clone())),
            Put::Remove => registry.put(id, None),
        }
        changed = true;
    }
    Ok(changed.then(|| registry.to_text()))
}

/// Fails where the record of a package is neither what it was when the change began nor what the change makes of it.
pub(super) fn refuse_if_changed(
    transaction: &Transaction,
    befores: &Befores,
    registry: &Registry,
) -> Result<(), StoreError> {
    let is_another = |change: &&Change| match (&change.id, befores.get(&change.id)) {
        (Owner::Package(id), Some(before)) => {
            let present = registry.mark(id);
            present != before.record && present != change.mark_after(before)
        }
        _ => false,
    };
    match transaction.changes.iter().find(is_another) {
        Some(change) => Err(StoreError::ChangedMeanwhile { package: change.id.to_string() }),
        None => Ok(()),
    }
}

/// The text of the engine's record of declined versions, if it changes. One of a newer engine is left as it is; of one
/// that cannot be read a copy stays, since it counts as empty (docs/spec/catalog.md#engine-registry).
fn new_decisions(
    layout: &Layout,
    transaction: &Transaction,
    bytes: Option<&[u8]>,
) -> Result<Option<String>, StoreError> {
    let before = bytes.map(Decisions::parse).unwrap_or_default();
    if bytes.is_some_and(Decisions::is_newer) {
        return Ok(None);
    }
    let mut decisions = before.clone();
    let now = super::now();
    for Change { id, declined, .. } in &transaction.changes {
        let Owner::Package(id) = id else { continue };
        match declined {
            Put::Keep => {}
            Put::Set(version) if before.declined(id) == Some(version.as_str()) => {}
            Put::Set(version) => decisions.set(id, Some(version.as_str()), &now),
            Put::Remove if before.declined(id).is_some() => decisions.set(id, None, &now),
            Put::Remove => {}
        }
    }
    if decisions == before {
        return Ok(None);
    }
    if bytes.is_some_and(|bytes| !bytes.is_empty() && !Decisions::is_readable(bytes)) {
        copy_aside(&layout.decisions())?;
    }
    Ok(Some(decisions.to_text()))
}
