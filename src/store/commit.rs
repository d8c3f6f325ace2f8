//! Carrying a change out, undoing it when a step fails, and finishing it when the process that began it died.
//!
//! The order is: intent, folders and packs into place, our record, the engine's records, removals, intent gone.
//! Everything staged is complete and on the disk before the intent is written, so from then on any run can finish.

use super::change::{Change, PackChange, Place, Put, Transaction};
use super::clean_up::{clean_up, is_as_put};
use super::layout::LOCALES;
use super::{Decisions, Layout, Registry, State, StoreError, StoreLock, files, staging, tree};
use crate::crash;
use crate::types::{Cancel, Coded, Warning};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What the intent file holds.
#[derive(Serialize, Deserialize)]
struct Intent {
    schema: u32,
    transaction: Transaction,
}

/// Carries a transaction out. On an error everything is as before.
///
/// Gives back what the reader should know: files that were not rulepack's to remove and stayed.
pub(super) fn commit(
    layout: &Layout,
    _lock: &StoreLock,
    transaction: &Transaction,
) -> Result<Vec<Warning>, StoreError> {
    if transaction.is_empty() {
        return Ok(Vec::new());
    }
    let with_intent = transaction.needs_intent();
    if with_intent {
        let intent = Intent { schema: 1, transaction: transaction.clone() };
        let text = serde_json::to_vec(&intent).unwrap_or_else(|_| unreachable!("texts and numbers are always JSON"));
        files::replace(&layout.intent(), &text).map_err(StoreError::io("write", &layout.intent()))?;
        crash::point("intent-written");
    }
    let mut done = Vec::new();
    let placed = place_all(layout, transaction, &mut done).and_then(|()| record_all(layout, transaction, &mut done));
    if let Err(error) = placed {
        // What could not be undone is left to the next run, which still finds the intent.
        if undo(layout, done) && with_intent {
            let _ = files::remove_if_there(&layout.intent());
        }
        return Err(error);
    }
    crash::point("recorded");
    let mut warnings = clean_up(layout, transaction);
    // The change is made; an intent that stays is settled by the next run, which finds nothing left to do.
    if with_intent && let Err(error) = close_intent(layout) {
        warnings.push(unfinished(&error));
    }
    Ok(warnings)
}

fn close_intent(layout: &Layout) -> Result<(), StoreError> {
    crash::point("cleaned-up");
    files::remove_if_there(&layout.intent()).map_err(StoreError::io("remove", &layout.intent()))?;
    crash::point("intent-removed");
    files::sync_folder(layout.packages()).map_err(StoreError::io("flush", layout.packages()))
}

/// A step that was done, and how to take it back.
enum Done {
    Placed { staged: PathBuf, target: PathBuf, how: Placed },
    Replaced { path: PathBuf, before: Option<Vec<u8>> },
}

/// How something came into its place.
enum Placed {
    /// There was nothing before.
    New,
    /// The old one now lies where the new one was staged.
    Exchanged,
    /// The system cannot exchange: the old one was moved here first.
    Parked(PathBuf),
}

/// Where the old one goes on a system that cannot exchange.
pub(super) fn parking(staged: &Path) -> PathBuf {
    let mut name = staged.file_name().unwrap_or_default().to_owned();
    name.push(".old");
    staged.with_file_name(name)
}

/// The folders in which something got a name that must survive a power cut.
type Touched = BTreeSet<PathBuf>;

fn place_all(layout: &Layout, transaction: &Transaction, done: &mut Vec<Done>) -> Result<(), StoreError> {
    let mut touched = Touched::new();
    for change in &transaction.changes {
        if let Some(place) = &change.place {
            let target = layout.version(&change.id, &place.version);
            put_in_place(layout, &layout.packages().join(&place.staged), &target, &mut touched, done)?;
            crash::point("folder-placed");
        }
        for PackChange { version, add, .. } in &change.packs {
            let Some(add) = add else { continue };
            let target = Layout::pack_in(&layout.version(&change.id, version), &add.pack.language);
            put_in_place(layout, &layout.packages().join(&add.staged), &target, &mut touched, done)?;
            crash::point("pack-placed");
        }
    }
    sync_touched(layout, touched)
}

/// Everything is in place and on the disk when this returns, which must be before a record names it. In what order it
/// got there does not count: the intent tells what is missing.
fn sync_touched(layout: &Layout, touched: Touched) -> Result<(), StoreError> {
    let folders: Vec<PathBuf> = touched.into_iter().collect();
    files::sync_all(&folders, |folder| files::sync_folder(folder)).map_err(StoreError::io("flush", layout.packages()))
}

fn put_in_place(
    layout: &Layout,
    staged: &Path,
    target: &Path,
    touched: &mut Touched,
    done: &mut Vec<Done>,
) -> Result<(), StoreError> {
    let parent = target.parent().unwrap_or(layout.packages());
    make_folders(layout, parent, touched)?;
    let how = place(staged, target).map_err(StoreError::io("put in place", target))?;
    done.push(Done::Placed { staged: staged.to_owned(), target: target.to_owned(), how });
    touched.insert(parent.to_owned());
    Ok(())
}

/// Makes the folders down to `folder`. A link on the way is refused: it would lead out of the data folder (contract,
/// section 4, rule 5).
fn make_folders(layout: &Layout, folder: &Path, touched: &mut Touched) -> Result<(), StoreError> {
    let below = folder.strip_prefix(layout.packages()).unwrap_or(Path::new(""));
    let mut path = layout.packages().to_owned();
    for part in below.components() {
        let parent = path.clone();
        path.push(part);
        match fs::create_dir(&path) {
            Ok(()) => {
                touched.insert(parent);
                crash::point("folder-made");
            }
            Err(_) if files::is_real_folder(&path) => {}
            Err(_) if fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_symlink()) => {
                return Err(StoreError::Link { path });
            }
            Err(error) => return Err(StoreError::io("make", &path)(error)),
        }
    }
    Ok(())
}

fn place(staged: &Path, target: &Path) -> io::Result<Placed> {
    match fs::symlink_metadata(target) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            files::rename(staged, target)?;
            return Ok(Placed::New);
        }
        Err(error) => return Err(error),
        // A link is set aside once the change stands.
        Ok(there) if there.is_symlink() => {}
        Ok(there) if there.file_type() != fs::symlink_metadata(staged)?.file_type() => {
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, "something else is in its place"));
        }
        Ok(_) => {}
    }
    if files::exchange(staged, target)? {
        return Ok(Placed::Exchanged);
    }
    let parked = parking(staged);
    files::rename(target, &parked)?;
    crash::point("old-parked");
    if let Err(error) = files::rename(staged, target) {
        let _ = files::rename(&parked, target);
        return Err(error);
    }
    Ok(Placed::Parked(parked))
}

/// Writes the three records. All are on the disk before the first gets its name, so a disk that is full is noticed
/// while nothing has changed. Ours goes first: its receipts are kept by version, so they hold for the registry as it
/// was and as it will be, and the registry's own replacement is the one switch readers see. A power cut that leaves
/// some of the new names is the intent's to mend, which there is for more than one record.
fn record_all(layout: &Layout, transaction: &Transaction, done: &mut Vec<Done>) -> Result<(), StoreError> {
    let records = [
        (layout.state(), new_state(layout, transaction)?, "state-written"),
        (layout.registry(), new_registry(layout, transaction)?, "registry-written"),
        (layout.decisions(), new_decisions(layout, transaction)?, "decisions-written"),
    ];
    let mut ready = Vec::new();
    for (path, text, point) in records {
        let Some(text) = text else { continue };
        let before = read(&path)?;
        let prepared = files::prepare(&path, text.as_bytes()).map_err(StoreError::io("write", &path))?;
        ready.push((path, before, prepared, point));
    }
    files::sync_all(&ready, |(_, _, prepared, _)| prepared.sync())
        .map_err(StoreError::io("write the records in", layout.packages()))?;
    crash::point("records-ready");
    if ready.is_empty() {
        return Ok(());
    }
    for (path, before, prepared, point) in ready {
        prepared.put().map_err(StoreError::io("write", &path))?;
        done.push(Done::Replaced { path, before });
        crash::point(point);
    }
    files::sync_folder(layout.packages()).map_err(StoreError::io("flush", layout.packages()))
}

/// The text of our own record, if it changes.
fn new_state(layout: &Layout, transaction: &Transaction) -> Result<Option<String>, StoreError> {
    let mut state = State::empty();
    if let Some(bytes) = read(&layout.state())? {
        state = State::parse(&bytes).unwrap_or_else(|_| State::empty());
    }
    let before = state.clone();
    if let Some(language) = &transaction.language {
        state.language = language.clone();
    }
    for Change { id, state: put, .. } in &transaction.changes {
        match put {
            Put::Keep => {}
            Put::Set(package) => {
                state.packages.insert(id.clone(), package.clone());
            }
            Put::Remove => {
                state.packages.remove(id);
            }
        }
    }
    Ok((state != before).then(|| state.to_text()))
}

/// The text of the engine's registry, if any record of it changes.
fn new_registry(layout: &Layout, transaction: &Transaction) -> Result<Option<String>, StoreError> {
    if transaction.changes.iter().all(|change| matches!(change.record, Put::Keep)) {
        return Ok(None);
    }
    let mut registry = Registry::read(layout)?;
    for Change { id, record, .. } in &transaction.changes {
        match record {
            Put::Keep => {}
            Put::Set(record) => registry.put(id, Some(record.clone())),
            Put::Remove => registry.put(id, None),
        }
    }
    Ok(Some(registry.to_text()))
}

/// The text of the engine's record of declined versions, if it changes.
fn new_decisions(layout: &Layout, transaction: &Transaction) -> Result<Option<String>, StoreError> {
    if transaction.changes.iter().all(|change| matches!(change.declined, Put::Keep)) {
        return Ok(None);
    }
    let bytes = read(&layout.decisions())?;
    let before = bytes.as_deref().map(Decisions::parse).unwrap_or_default();
    let mut decisions = before.clone();
    let now = super::now();
    for Change { id, declined, .. } in &transaction.changes {
        match declined {
            Put::Keep => {}
            Put::Set(version) => decisions.set(id, Some(version.as_str()), &now),
            Put::Remove if before.declined(id).is_some() => decisions.set(id, None, &now),
            Put::Remove => {}
        }
    }
    Ok((decisions != before).then(|| decisions.to_text()))
}

fn read(path: &Path) -> Result<Option<Vec<u8>>, StoreError> {
    files::read_if_there(path).map_err(StoreError::io("read", path))
}

/// Takes back what was done, last first. Tells whether all of it could be; of the errors, the one that led here is
/// what the reader is told.
fn undo(layout: &Layout, done: Vec<Done>) -> bool {
    let mut undone = true;
    for step in done.into_iter().rev() {
        let result = match step {
            Done::Replaced { path, before: Some(bytes) } => files::replace(&path, &bytes),
            Done::Replaced { path, before: None } => files::remove_if_there(&path),
            Done::Placed { staged, target, how } => match how {
                Placed::New => files::rename(&target, &staged).map(|()| remove_empty_parents(layout, &target)),
                Placed::Exchanged => files::exchange(&staged, &target).map(|_| ()),
                Placed::Parked(parked) => {
                    files::rename(&target, &staged).and_then(|()| files::rename(&parked, &target))
                }
            },
        };
        undone &= result.is_ok();
    }
    undone
}

/// Removes the folders above `path` that were made only for it, up to the packages folder.
fn remove_empty_parents(layout: &Layout, path: &Path) {
    let mut folder = path.parent();
    while let Some(parent) = folder.filter(|parent| *parent != layout.packages()) {
        if fs::remove_dir(parent).is_err() {
            return;
        }
        folder = parent.parent();
    }
}

/// Finishes or undoes a change whose process died. Runs under the lock, before anything else is looked at.
pub(super) fn settle(layout: &Layout, _lock: &StoreLock) -> Result<Vec<Warning>, StoreError> {
    let path = layout.intent();
    let Some(bytes) = read(&path)? else { return Ok(Vec::new()) };
    let Ok(Intent { schema: 1, mut transaction }) = serde_json::from_slice(&bytes) else {
        let aside = set_aside(&path)?;
        let text = format!("the record of an unfinished change could not be read; it now is {}", aside.display());
        return Ok(vec![Warning::new("damaged-intent", text)]);
    };
    transaction.changes.retain(|change| finish_places(layout, change));
    let mut done = Vec::new();
    if let Err(error) = record_all(layout, &transaction, &mut done) {
        undo(layout, done);
        return Err(error);
    }
    let mut warnings = clean_up(layout, &transaction);
    close_intent(layout)?;
    let names: Vec<&str> = transaction.changes.iter().map(|change| change.id.as_str()).collect();
    if !names.is_empty() {
        let text = format!("finished what an interrupted run had begun for {}", names.join(", "));
        warnings.push(Warning::new("recovered", text));
    }
    Ok(warnings)
}

/// Brings what was staged into place, unless it is there already. `false` when that cannot be: then the package
/// stays as it was.
fn finish_places(layout: &Layout, change: &Change) -> bool {
    if let Some(place) = &change.place {
        let target = layout.version(&change.id, &place.version);
        let staged = layout.packages().join(&place.staged);
        let is_placed = is_whole(&target, place) || (is_whole(&staged, place) && bring(layout, &staged, &target));
        if !is_placed {
            let parked = parking(&staged);
            if !files::exists(&target) && files::exists(&parked) {
                let _ = files::rename(&parked, &target);
            }
            return false;
        }
    }
    change.packs.iter().all(|PackChange { version, add, .. }| {
        let Some(added) = add else { return true };
        let root = layout.version(&change.id, version);
        let name = format!("{LOCALES}/{}.json", added.pack.language);
        let is_there = matches!(tree::check_file(&root, &name, added.pack.file, &Cancel::default()), Ok(None));
        let staged = layout.packages().join(&added.staged);
        is_there || staged.is_file() && bring(layout, &staged, &Layout::pack_in(&root, &added.pack.language))
    })
}

fn bring(layout: &Layout, staged: &Path, target: &Path) -> bool {
    let mut touched = Touched::new();
    put_in_place(layout, staged, target, &mut touched, &mut Vec::new()).is_ok() && sync_touched(layout, touched).is_ok()
}

fn is_whole(root: &Path, place: &Place) -> bool {
    files::is_real_folder(root) && place.files.iter().all(|file| is_as_put(root, file))
}

/// Gives a file that cannot be read another name beside it, and says which.
pub(super) fn set_aside(path: &Path) -> Result<PathBuf, StoreError> {
    let aside = files::free_name(path, ".damaged");
    files::rename(path, &aside).map_err(StoreError::io("set aside", path))?;
    Ok(aside)
}

/// Copies a file that cannot be read and will be replaced in its place, where it keeps its mode and is never missing.
pub(super) fn copy_aside(path: &Path) -> Result<PathBuf, StoreError> {
    let aside = files::free_name(path, ".damaged");
    fs::copy(path, &aside)
        .and_then(|_| files::sync_file(&fs::File::open(&aside)?))
        .map_err(StoreError::io("copy aside", path))?;
    Ok(aside)
}

/// Whether a run died in the middle of a change, or is in the middle of one now.
pub(super) fn is_unsettled(layout: &Layout) -> bool {
    files::exists(&layout.intent())
}

/// Finishes what others left, then sweeps what the dead had staged. What every writer does first.
pub(super) fn tidy(layout: &Layout, lock: &StoreLock) -> Result<Vec<Warning>, StoreError> {
    let warnings = settle(layout, lock)?;
    staging::sweep(layout);
    Ok(warnings)
}

/// How a reader names what went wrong while it tried to finish somebody else's change.
pub(super) fn unfinished(error: &StoreError) -> Warning {
    Warning::new(
        "unfinished-change",
        format!("an interrupted change could not be finished yet: {error} ({})", error.code()),
    )
}
