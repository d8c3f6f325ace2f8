//! Carrying a change out, undoing it when a step fails, and finishing it when the process that began it died.
//!
//! The order is: intent, folders and packs into place, our record, the engine's records, removals, intent gone.
//! Everything staged is complete and on the disk before the intent is written, so from then on any run can finish.

use super::change::{Change, PackChange, Place, Put, Transaction};
use super::clean_up::{clean_up, is_as_put, is_carried_out};
use super::layout::LOCALES;
use super::owner::Owner;
use super::{Decisions, Layout, Registry, State, StoreError, StoreLock, files, rebuild, staging, tree};
use crate::crash;
use crate::types::{Cancel, Coded, PackageId, Warning};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
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
        staging::sync_names(layout, transaction)?;
        let intent = Intent { schema: 1, transaction: transaction.clone() };
        let text = serde_json::to_vec(&intent).unwrap_or_else(|_| unreachable!("texts and numbers are always JSON"));
        if let Err(error) = files::replace(&layout.intent(), &text) {
            // It may have its name and only not be flushed: a change told to have failed must not be finished later.
            return Err(take_intent_back(layout, StoreError::io("write", &layout.intent())(error)));
        }
        crash::point("intent-written");
    }
    let mut done = Vec::new();
    let placed = place_all(layout, transaction, &mut done).and_then(|()| record_all(layout, transaction, &mut done));
    if let Err(error) = placed {
        // What could not be undone is left to the next run, which still finds the intent.
        return Err(match undo(layout, done) {
            Ok(()) if with_intent => take_intent_back(layout, error),
            Ok(()) => error,
            Err(why) => StoreError::Half { error: Box::new(error), why: why.to_string() },
        });
    }
    crash::point("recorded");
    let mut warnings = clean_up(layout, transaction);
    // The change is made; an intent that stays is settled by the next run, which finds nothing left to do.
    if with_intent
        && is_carried_out(layout, transaction)
        && let Err(error) = close_intent(layout)
    {
        warnings.push(unfinished(&error));
    }
    Ok(warnings)
}

/// Of a change that failed and was taken back nothing must be finished later.
fn take_intent_back(layout: &Layout, error: StoreError) -> StoreError {
    match files::remove_if_there(&layout.intent()) {
        Ok(()) => error,
        Err(why) => {
            let why = format!("{} could not be removed: {why}", layout.intent().display());
            StoreError::Half { error: Box::new(error), why }
        }
    }
}

fn close_intent(layout: &Layout) -> Result<(), StoreError> {
    crash::point("cleaned-up");
    files::remove_if_there(&layout.intent()).map_err(StoreError::io("remove", &layout.intent()))?;
    crash::point("intent-removed");
    files::sync_folder(layout.packages()).map_err(StoreError::io("flush", layout.packages()))
}

/// A step that was done, and how to take it back.
enum Done {
    /// A folder was made.
    Made(PathBuf),
    Placed {
        staged: PathBuf,
        target: PathBuf,
        how: Placed,
    },
    Replaced {
        path: PathBuf,
        before: Option<Vec<u8>>,
    },
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

fn place_all(layout: &Layout, transaction: &Transaction, done: &mut Vec<Done>) -> Result<(), StoreError> {
    for change in &transaction.changes {
        if let Some(place) = &change.place {
            let target = layout.folder(&change.id, &place.version);
            put_in_place(layout, &layout.packages().join(&place.staged), &target, done)?;
            crash::point("folder-placed");
        }
        for PackChange { version, add, .. } in &change.packs {
            let Some(add) = add else { continue };
            let target = Layout::pack_in(&layout.folder(&change.id, version), &add.pack.language);
            put_in_place(layout, &layout.packages().join(&add.staged), &target, done)?;
            crash::point("pack-placed");
        }
    }
    Ok(())
}

fn put_in_place(layout: &Layout, staged: &Path, target: &Path, done: &mut Vec<Done>) -> Result<(), StoreError> {
    let parent = target.parent().unwrap_or(layout.packages());
    make_folders(layout, parent, done)?;
    let how = place(staged, target).map_err(StoreError::io("put in place", target))?;
    done.push(Done::Placed { staged: staged.to_owned(), target: target.to_owned(), how });
    files::sync_folder(parent).map_err(StoreError::io("flush", parent))
}

/// Makes the folders down to `folder`, each flushed into its parent. A link on the way is refused: it would lead
/// out of the data folder (contract, section 4, rule 5).
fn make_folders(layout: &Layout, folder: &Path, done: &mut Vec<Done>) -> Result<(), StoreError> {
    let base = if folder.starts_with(layout.packages()) { layout.packages() } else { layout.data() };
    let below = folder.strip_prefix(base).unwrap_or(Path::new(""));
    let mut path = base.to_owned();
    for part in below.components() {
        let parent = path.clone();
        path.push(part);
        match fs::create_dir(&path) {
            Ok(()) => {
                done.push(Done::Made(path.clone()));
                files::sync_folder(&parent).map_err(StoreError::io("flush", &parent))?;
                crash::point("folder-made");
            }
            Err(error) => match files::metadata(&path).map_err(StoreError::io("look at", &path))? {
                Some(there) if there.is_dir() => {}
                Some(there) if there.is_symlink() => return Err(StoreError::Link { path }),
                _ => return Err(StoreError::io("make", &path)(error)),
            },
        }
    }
    Ok(())
}

fn place(staged: &Path, target: &Path) -> io::Result<Placed> {
    match files::metadata(target)? {
        None => {
            files::rename(staged, target)?;
            return Ok(Placed::New);
        }
        // A link is set aside once the change stands.
        Some(there) if there.is_symlink() => {}
        Some(there) if there.file_type() != fs::symlink_metadata(staged)?.file_type() => {
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, "something else is in its place"));
        }
        Some(_) => refuse_another_spelling(target)?,
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

/// On a disk that does not tell upper from lower case, the folder of `1.0.0-RC.1` is found as `1.0.0-rc.1` too, which is
/// another version.
fn refuse_another_spelling(target: &Path) -> io::Result<()> {
    match files::other_spelling(target)? {
        None => Ok(()),
        Some(other) => {
            let other = other.to_string_lossy();
            let text = format!("this disk does not tell it from {other}, which is in its place: uninstall that first");
            Err(io::Error::new(io::ErrorKind::AlreadyExists, text))
        }
    }
}

/// Writes the three records. All are on the disk before the first gets its name, so a disk that is full is noticed
/// while nothing has changed. Ours goes first: its receipts are kept by version, so they hold for the registry as it
/// was and as it will be, and the registry's own replacement is the one switch readers see.
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
    crash::point("records-ready");
    for (path, before, prepared, point) in ready {
        prepared.put().map_err(StoreError::io("write", &path))?;
        done.push(Done::Replaced { path, before });
        files::sync_folder(layout.packages()).map_err(StoreError::io("flush", layout.packages()))?;
        crash::point(point);
    }
    Ok(())
}

/// The text of our own record, if it changes.
fn new_state(layout: &Layout, transaction: &Transaction) -> Result<Option<String>, StoreError> {
    let mut state = match read(&layout.state())? {
        Some(bytes) => State::parse(&bytes).unwrap_or_else(|_| State::empty()),
        // Where the record is gone, what was imported is what lies there.
        None => State::of_imports(rebuild::imports(layout)),
    };
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

/// The text of the engine's registry, if any record of it changes.
fn new_registry(layout: &Layout, transaction: &Transaction) -> Result<Option<String>, StoreError> {
    if transaction.changes.iter().all(|change| matches!(change.record, Put::Keep)) {
        return Ok(None);
    }
    let mut registry = Registry::read(layout)?;
    for Change { id, record, .. } in &transaction.changes {
        let Owner::Package(id) = id else { continue };
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
        let Owner::Package(id) = id else { continue };
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

/// Takes back what was done, last first, and stops at the first step that cannot be: those before it rest on it, and
/// the intent and what is staged let the next run finish or undo the whole.
fn undo(layout: &Layout, done: Vec<Done>) -> Result<(), StoreError> {
    for step in done.into_iter().rev() {
        match step {
            Done::Made(folder) => remove_made(layout, &folder).map_err(StoreError::io("remove", &folder)),
            Done::Replaced { path, before: Some(bytes) } => {
                files::replace(&path, &bytes).map_err(StoreError::io("put back", &path))
            }
            Done::Replaced { path, before: None } => {
                files::remove_if_there(&path).map_err(StoreError::io("remove", &path))
            }
            Done::Placed { staged, target, how } => {
                take_out(&staged, &target, how).map_err(StoreError::io("put back", &target))
            }
        }?;
    }
    Ok(())
}

/// Removes a folder that was made, unless somebody put something into it meanwhile.
fn remove_made(layout: &Layout, folder: &Path) -> io::Result<()> {
    let (Some(parent), Some(name)) = (folder.parent(), folder.file_name()) else { return Ok(()) };
    match layout.open(parent)? {
        Some(parent) => parent.remove_folder(name).map(drop),
        None => Ok(()),
    }
}

fn take_out(staged: &Path, target: &Path, how: Placed) -> io::Result<()> {
    match how {
        Placed::New => files::rename(target, staged),
        Placed::Exchanged => match files::exchange(staged, target)? {
            true => Ok(()),
            false => Err(io::ErrorKind::Unsupported.into()),
        },
        Placed::Parked(parked) => {
            files::rename(target, staged)?;
            files::rename(&parked, target)
        }
    }?;
    files::sync_folder(target.parent().unwrap_or(target))
}

/// Finishes or undoes a change whose process died. Runs under the lock, before anything else is looked at.
pub(super) fn settle(layout: &Layout, _lock: &StoreLock) -> Result<Vec<Warning>, StoreError> {
    let path = layout.intent();
    let Some(bytes) = read(&path)? else { return Ok(Vec::new()) };
    let mut transaction = match read_intent(&bytes) {
        Ok(transaction) => transaction,
        Err(why) => {
            let aside = set_aside(&path)?.display().to_string();
            let text = format!("the record of an unfinished change could not be read ({why}); it now is {aside}");
            return Ok(vec![Warning::new("damaged-intent", text)]);
        }
    };
    transaction.changes.retain(|change| finish_places(layout, change));
    let mut done = Vec::new();
    if let Err(error) = record_all(layout, &transaction, &mut done) {
        return Err(match undo(layout, done) {
            Ok(()) => error,
            Err(why) => StoreError::Half { error: Box::new(error), why: why.to_string() },
        });
    }
    let mut warnings = clean_up(layout, &transaction);
    if is_carried_out(layout, &transaction) {
        close_intent(layout)?;
    }
    let names: Vec<String> = transaction.changes.iter().map(|change| change.id.to_string()).collect();
    if !names.is_empty() {
        let text = format!("finished what an interrupted run had begun for {}", names.join(", "));
        warnings.push(Warning::new("recovered", text));
    }
    Ok(warnings)
}

/// The change an intent file tells of, if it is one this program could have begun; else why not.
pub(super) fn read_intent(bytes: &[u8]) -> Result<Transaction, String> {
    let Intent { schema, transaction } = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    match schema {
        1 if transaction.is_sound() => Ok(transaction),
        1 => Err("a record in it is not its package's".to_owned()),
        other => Err(format!("schema {other} is not known")),
    }
}

/// Brings what was staged into place, unless it is there already. `false` when that cannot be: then the package
/// stays as it was.
fn finish_places(layout: &Layout, change: &Change) -> bool {
    if let Some(place) = &change.place {
        let target = layout.folder(&change.id, &place.version);
        let staged = layout.packages().join(&place.staged);
        let is_placed =
            is_whole(layout, &target, place) || (is_whole(layout, &staged, place) && bring(layout, &staged, &target));
        if !is_placed {
            let parked = parking(&staged);
            if is_staged(&staged) && matches!(files::exists(&parked), Ok(true)) {
                let _ = files::carry(&parked, &target);
            }
            return false;
        }
    }
    change.packs.iter().all(|PackChange { version, add, .. }| {
        let Some(added) = add else { return true };
        let root = layout.folder(&change.id, version);
        let name = format!("{LOCALES}/{}.json", added.pack.language);
        let is_there =
            matches!(tree::check_file(layout, &root, &name, Some(added.pack.file), &Cancel::default()), Ok(None));
        let staged = layout.packages().join(&added.staged);
        is_there || staged.is_file() && bring(layout, &staged, &Layout::pack_in(&root, &added.pack.language))
    })
}

fn bring(layout: &Layout, staged: &Path, target: &Path) -> bool {
    is_staged(staged) && put_in_place(layout, staged, target, &mut Vec::new()).is_ok()
}

/// Whether the staging folder is no link: what lies behind one was not staged, and is neither moved nor removed.
pub(super) fn is_staged(staged: &Path) -> bool {
    staged.parent().is_some_and(|parent| matches!(files::is_real_folder(parent), Ok(true)))
}

fn is_whole(layout: &Layout, root: &Path, place: &Place) -> bool {
    matches!(layout.open(root), Ok(Some(_))) && place.files.iter().all(|file| is_as_put(layout, root, file))
}

/// What a file that could not be read is called from then on, after its own name.
const DAMAGED: &str = ".damaged";

/// The files that were set aside, in order.
pub(super) fn files_set_aside(layout: &Layout) -> Vec<PathBuf> {
    let own = [layout.registry(), layout.state(), layout.intent()];
    let is_aside = |path: &PathBuf| {
        let name = path.as_os_str().to_string_lossy().into_owned();
        own.iter().any(|file| name.starts_with(&format!("{}{DAMAGED}", file.display())))
    };
    let entries = fs::read_dir(layout.packages()).into_iter().flatten().flatten();
    let mut aside: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_aside).collect();
    aside.sort();
    aside
}

/// Gives a file that cannot be read another name beside it, and says which.
pub(super) fn set_aside(path: &Path) -> Result<PathBuf, StoreError> {
    let aside = files::free_name(path, DAMAGED).map_err(StoreError::io("set aside", path))?;
    files::rename(path, &aside).map_err(StoreError::io("set aside", path))?;
    Ok(aside)
}

/// Copies a file that cannot be read and will be replaced in its place, where it keeps its mode and is never missing.
pub(super) fn copy_aside(path: &Path) -> Result<PathBuf, StoreError> {
    let aside = files::free_name(path, DAMAGED).map_err(StoreError::io("copy aside", path))?;
    files::copy(path, &aside).map_err(StoreError::io("copy aside", path))?;
    Ok(aside)
}

/// Whether a run died in the middle of a change, or is in the middle of one now.
pub(super) fn is_unsettled(layout: &Layout) -> bool {
    // Where the disk does not say there may be one: whoever reads it is told why it cannot be.
    files::exists(&layout.intent()).unwrap_or(true)
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
