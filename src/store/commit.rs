//! Carrying a change out, undoing it when a step fails, and finishing it when the process that began it died.
//!
//! The order is: intent, folders and packs into place, our record, the engine's records, removals, intent gone.
//! Everything staged is complete and on the disk before the intent is written, so from then on any run can finish.

use super::change::{AddPack, Change, Discard, OwnFile, PackChange, Place, Put, Transaction};
use super::layout::LOCALES;
use super::{Decisions, KeptPack, Layout, Registry, State, StoreError, StoreLock, files, staging, tree};
use crate::crash;
use crate::types::{Cancel, Coded, Expected, Warning};
use serde::{Deserialize, Serialize};
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
fn parking(staged: &Path) -> PathBuf {
    let mut name = staged.file_name().unwrap_or_default().to_owned();
    name.push(".old");
    staged.with_file_name(name)
}

fn place_all(layout: &Layout, transaction: &Transaction, done: &mut Vec<Done>) -> Result<(), StoreError> {
    for change in &transaction.changes {
        if let Some(place) = &change.place {
            let target = layout.version(&change.id, &place.version);
            put_in_place(layout, &layout.packages().join(&place.staged), &target, done)?;
            crash::point("folder-placed");
        }
        for PackChange { version, add, .. } in &change.packs {
            let Some(add) = add else { continue };
            let target = Layout::pack_in(&layout.version(&change.id, version), &add.pack.language);
            put_in_place(layout, &layout.packages().join(&add.staged), &target, done)?;
            crash::point("pack-placed");
        }
    }
    Ok(())
}

fn put_in_place(layout: &Layout, staged: &Path, target: &Path, done: &mut Vec<Done>) -> Result<(), StoreError> {
    let parent = target.parent().unwrap_or(layout.packages());
    make_folders(layout, parent)?;
    let how = place(staged, target).map_err(StoreError::io("put in place", target))?;
    done.push(Done::Placed { staged: staged.to_owned(), target: target.to_owned(), how });
    files::sync_folder(parent).map_err(StoreError::io("flush", parent))
}

/// Makes the folders down to `folder`, each flushed into its parent. A link on the way is refused: it would lead
/// out of the data folder (contract, section 4, rule 5).
fn make_folders(layout: &Layout, folder: &Path) -> Result<(), StoreError> {
    let below = folder.strip_prefix(layout.packages()).unwrap_or(Path::new(""));
    let mut path = layout.packages().to_owned();
    for part in below.components() {
        let parent = path.clone();
        path.push(part);
        match fs::create_dir(&path) {
            Ok(()) => files::sync_folder(&parent).map_err(StoreError::io("flush", &parent))?,
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

/// Writes the three records. Ours goes first: its receipts are kept by version, so they hold for the registry as it
/// was and as it will be, and the registry's own replacement is the one switch readers see.
fn record_all(layout: &Layout, transaction: &Transaction, done: &mut Vec<Done>) -> Result<(), StoreError> {
    let changes = &transaction.changes;
    let mut state = State::empty();
    if let Some(bytes) = read(&layout.state())? {
        state = State::parse(&bytes).unwrap_or_else(|_| State::empty());
    }
    let before = state.clone();
    if let Some(language) = &transaction.language {
        state.language = language.clone();
    }
    for Change { id, state: put, .. } in changes {
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
    if state != before {
        replace(&layout.state(), state.to_text().as_bytes(), done)?;
        crash::point("state-written");
    }
    if changes.iter().any(|change| !matches!(change.record, Put::Keep)) {
        let mut registry = Registry::read(layout)?;
        for Change { id, record, .. } in changes {
            match record {
                Put::Keep => {}
                Put::Set(record) => registry.put(id, Some(record.clone())),
                Put::Remove => registry.put(id, None),
            }
        }
        crash::point("registry-next");
        replace(&layout.registry(), registry.to_text().as_bytes(), done)?;
        crash::point("registry-written");
    }
    if changes.iter().any(|change| !matches!(change.declined, Put::Keep)) {
        let bytes = read(&layout.decisions())?;
        let before = bytes.as_deref().map(Decisions::parse).unwrap_or_default();
        let mut decisions = before.clone();
        let now = super::now();
        for Change { id, declined, .. } in changes {
            match declined {
                Put::Keep => {}
                Put::Set(version) => decisions.set(id, Some(version.as_str()), &now),
                Put::Remove if before.declined(id).is_some() => decisions.set(id, None, &now),
                Put::Remove => {}
            }
        }
        if decisions != before {
            replace(&layout.decisions(), decisions.to_text().as_bytes(), done)?;
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<Option<Vec<u8>>, StoreError> {
    files::read_if_there(path).map_err(StoreError::io("read", path))
}

fn replace(path: &Path, bytes: &[u8], done: &mut Vec<Done>) -> Result<(), StoreError> {
    let before = read(path)?;
    files::replace(path, bytes).map_err(StoreError::io("write", path))?;
    done.push(Done::Replaced { path: path.to_owned(), before });
    Ok(())
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

/// Removes what the change left behind. From here on nothing can make it fail: what cannot be removed is named.
fn clean_up(layout: &Layout, transaction: &Transaction) -> Vec<Warning> {
    let mut warnings = Vec::new();
    for change in &transaction.changes {
        let mut stayed = Vec::new();
        if let Some(link) = link_above_versions(layout, change) {
            if change.removes_anything() {
                stayed.push(link.display().to_string());
                warnings.push(kept(change, &stayed));
            }
            continue;
        }
        if let Some(place) = &change.place {
            let target = layout.version(&change.id, &place.version);
            let staged = layout.packages().join(&place.staged);
            for old in [staged.clone(), parking(&staged)] {
                if files::is_real_folder(&old) {
                    stayed.extend(carry_over(&old, &target, &place.replaced));
                }
            }
        }
        for PackChange { version, add, remove } in &change.packs {
            let root = layout.version(&change.id, version);
            stayed.extend(add.as_ref().and_then(|add| keep_displaced(layout, &root, add, remove.as_ref())));
            let in_its_place = |old: &KeptPack| add.as_ref().is_some_and(|add| add.pack.language == old.language);
            if let Some(old) = remove.as_ref().filter(|old| !in_its_place(old)) {
                stayed.extend(remove_pack(&root, old));
                crash::point("pack-removed");
            }
        }
        for discard in &change.discard {
            stayed.extend(take_away(layout, change, discard));
            crash::point("version-removed");
        }
        if matches!(change.record, Put::Remove) {
            let root = layout.package(&change.id);
            let left = tree::files_below(&root).into_iter().map(|path| root.join(path).display().to_string());
            let left: Vec<String> = left.filter(|path| !stayed.contains(path)).collect();
            stayed.extend(left);
        }
        if !stayed.is_empty() {
            warnings.push(kept(change, &stayed));
        }
    }
    warnings
}

fn kept(change: &Change, stayed: &[String]) -> Warning {
    let text = format!("left where they are, not being rulepack's to remove: {}", stayed.join(", "));
    Warning::new("files-kept", text).about(&change.id)
}

/// A link in place of a folder that holds a package's versions: what lies behind it is somewhere else, and nothing is
/// removed there (B36).
fn link_above_versions(layout: &Layout, change: &Change) -> Option<PathBuf> {
    let folders = [layout.versions(), layout.package(&change.id)];
    folders.into_iter().find(|folder| fs::symlink_metadata(folder).is_ok_and(|meta| meta.is_symlink()))
}

/// Removes a pack. One that was edited since is not read by anybody any more, but stays under another name.
fn remove_pack(root: &Path, kept: &KeptPack) -> Option<String> {
    let path = Layout::pack_in(root, &kept.language);
    let name = format!("{LOCALES}/{}.json", kept.language);
    let edited =
        matches!(tree::check_file(root, &name, kept.file, &Cancel::default()), Ok(Some(tree::Flaw::Changed { .. })));
    if edited {
        return Some(move_aside(&path, &path));
    }
    let done = files::remove_if_there(&path);
    // Refused when something else is in it.
    let _ = fs::remove_dir(root.join(LOCALES));
    done.err().map(|error| format!("{} ({error})", path.display()))
}

/// What a new pack was exchanged with lies where the pack was staged. Unless it is the pack that goes, it was edited or
/// is somebody else's, and comes back beside the new one under another name.
fn keep_displaced(layout: &Layout, root: &Path, add: &AddPack, old: Option<&KeptPack>) -> Option<String> {
    let staged = layout.packages().join(&add.staged);
    let displaced = [parking(&staged), staged].into_iter().find(|path| files::exists(path))?;
    let old = old.filter(|old| old.language == add.pack.language);
    if [Some(&add.pack), old].into_iter().flatten().any(|pack| holds(&displaced, pack.file)) {
        return None;
    }
    Some(move_aside(&displaced, &Layout::pack_in(root, &add.pack.language)))
}

fn holds(path: &Path, expected: Expected) -> bool {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name().and_then(|name| name.to_str())) else {
        return false;
    };
    matches!(tree::check_file(folder, name, expected, &Cancel::default()), Ok(None))
}

/// Moves an edited file to a free name beside `place`. Gives the name, or what kept it from being moved.
fn move_aside(path: &Path, place: &Path) -> String {
    let mut wanted = place.as_os_str().to_owned();
    wanted.push(".edited");
    let Some(aside) = free_name(Path::new(&wanted)) else { return path.display().to_string() };
    match files::rename(path, &aside) {
        Ok(()) => aside.display().to_string(),
        Err(error) => format!("{} ({error})", path.display()),
    }
}

/// This name, or it with the first number behind it that makes it one nobody has.
fn free_name(wanted: &Path) -> Option<PathBuf> {
    let numbered = |n: u32| {
        let mut name = wanted.as_os_str().to_owned();
        if n > 0 {
            name.push(format!(".{n}"));
        }
        PathBuf::from(name)
    };
    (0..100).map(numbered).find(|name| !files::exists(name))
}

/// Empties a replaced folder: rulepack's own files go, what somebody put there or edited moves over to the new one.
fn carry_over(old: &Path, target: &Path, own: &[OwnFile]) -> Vec<String> {
    let mut stayed = Vec::new();
    for path in tree::files_below(old) {
        let ours = own.iter().find(|file| file.path == path);
        if ours.is_some_and(|file| is_as_put(old, file)) {
            continue;
        }
        let wanted = if ours.is_some() { format!("{path}.edited") } else { path.clone() };
        let Some(to) = free_name(&target.join(wanted)) else { continue };
        let moved = to.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| files::rename(&old.join(&path), &to));
        stayed.push(match moved {
            Ok(()) => to.display().to_string(),
            Err(error) => format!("{} ({error})", old.join(&path).display()),
        });
    }
    let _ = fs::remove_dir_all(old);
    stayed
}

fn is_as_put(root: &Path, file: &OwnFile) -> bool {
    match file.expected {
        None => true,
        Some(expected) => {
            matches!(tree::check_file(root, &file.path, expected, &Cancel::default()), Ok(None))
        }
    }
}

fn take_away(layout: &Layout, change: &Change, discard: &Discard) -> Vec<String> {
    let root = layout.version(&change.id, &discard.version);
    let ours = discard.files.iter().filter(|file| !discard.keep_edited || is_as_put(&root, file));
    let paths = ours.map(|file| file.path.clone()).collect();
    let failed = tree::remove(&root, &paths).err().map(|error| format!("{} ({error})", root.display()));
    let left = tree::files_below(&root).into_iter().map(|path| root.join(path).display().to_string());
    let stayed = failed.into_iter().chain(left).collect();
    // The package's own folder goes with its last version.
    let _ = fs::remove_dir(layout.package(&change.id));
    stayed
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
        let there = is_whole(&target, place) || is_whole(&staged, place) && bring(layout, &staged, &target);
        if !there {
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
    put_in_place(layout, staged, target, &mut Vec::new()).is_ok()
}

fn is_whole(root: &Path, place: &Place) -> bool {
    files::is_real_folder(root) && place.files.iter().all(|file| is_as_put(root, file))
}

/// Gives a file that cannot be read another name beside it, and says which.
pub(super) fn set_aside(path: &Path) -> Result<PathBuf, StoreError> {
    let aside = name_aside(path);
    files::rename(path, &aside).map_err(StoreError::io("set aside", path))?;
    Ok(aside)
}

/// Copies a file that cannot be read and will be replaced in its place, where it keeps its mode and is never missing.
pub(super) fn copy_aside(path: &Path) -> Result<PathBuf, StoreError> {
    let aside = name_aside(path);
    fs::copy(path, &aside)
        .and_then(|_| fs::File::open(&aside)?.sync_all())
        .map_err(StoreError::io("copy aside", path))?;
    Ok(aside)
}

fn name_aside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    (0..)
        .map(|n| if n == 0 { format!("{name}.damaged") } else { format!("{name}.damaged-{n}") })
        .map(|name| path.with_file_name(name))
        .find(|aside| !files::exists(aside))
        .unwrap_or_else(|| unreachable!("one of endless names is free"))
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
