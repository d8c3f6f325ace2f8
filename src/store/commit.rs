//! Carrying a change out, and undoing it when a step fails. `settle` finishes it when the process that began it died.
//!
//! The order is: intent, folders and packs into place, our record, the engine's records, removals, intent gone.
//! Everything staged is complete and on the disk before the intent is written, so from then on any run can finish.

use super::change::{Before, Change, PackChange, Transaction};
use super::clean_up::{Cleaned, clean_up};
use super::intent::Intent;
use super::owner::Owner;
use super::record::Fault;
use super::recording::{Befores, record_all, refuse_if_changed};
use super::settle::settle;
use super::whereabouts::unpark;
use super::{Layout, Registry, Snapshot, StoreError, StoreLock, files, intent, record, staging};
use crate::crash;
use crate::types::{Code, Coded, Warning, codes};
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Carries a transaction out that was made from what the store was by then. On an error everything is as before; where
/// another program has changed the very package meanwhile, as that program left it.
///
/// Gives back what the reader should know: files that were not rulepack's to remove and stayed.
pub(super) fn commit(
    layout: &Layout,
    lock: &StoreLock,
    now: &Snapshot,
    transaction: &Transaction,
) -> Result<Vec<Warning>, StoreError> {
    if transaction.is_empty() {
        return Ok(Vec::new());
    }
    let befores = befores(now, transaction);
    refuse_if_changed(transaction, &befores, &Registry::read(layout)?)?;
    let (with_intent, mut told) = (transaction.needs_intent(), Vec::new());
    let mut intent = Intent::of(transaction, &befores);
    if with_intent {
        told = settle_one_before(layout, lock)?;
        staging::sync_names(layout, transaction)?;
        // It may have its name and only not be flushed: a change told to have failed must not be finished later.
        intent.write(layout).map_err(|error| intent::take_back(layout, error))?;
        crash::point("intent-written");
    }
    let mut done = Vec::new();
    let made = place_all(layout, transaction, &mut done)
        .and_then(|()| record_all(layout, transaction, &befores, &mut done))
        .and_then(|()| if with_intent { intent.write_made(layout) } else { Ok(()) });
    if let Err(error) = made {
        if with_intent && matches!(error, StoreError::ChangedMeanwhile { .. }) {
            return give_way(layout, lock, transaction, error);
        }
        // What could not be undone is left to the next run, which still finds the intent.
        return Err(match undo(layout, done) {
            Ok(()) if with_intent => intent::take_back(layout, error),
            Ok(()) => error,
            Err(why) => StoreError::Half { error: Box::new(error), why: why.to_string() },
        });
    }
    crash::point("recorded");
    let Cleaned { mut warnings, is_done } = clean_up(layout, transaction);
    warnings.append(&mut told);
    // The change is made; an intent that stays is settled by the next run, which goes on removing.
    if with_intent
        && is_done
        && let Err(error) = close_intent(layout)
    {
        warnings.push(unfinished(&error));
    }
    Ok(warnings)
}

/// An earlier change may not have been closed; its intent is never written over. Where nothing of it is left but what
/// cannot be put back beside its package, for what lies in the way, that is set aside: it holds up no other change.
fn settle_one_before(layout: &Layout, lock: &StoreLock) -> Result<Vec<Warning>, StoreError> {
    let look = || match files::metadata(&layout.intent()) {
        Ok(there) => Ok(there.is_some_and(|there| there.is_file())),
        Err(error) => Err(StoreError::io("look at", &layout.intent())(error)),
    };
    if !look()? {
        return Ok(Vec::new());
    }
    let mut warnings = settle(layout, lock)?;
    if look()? {
        warnings.push(intent::set_leftovers_aside(layout)?);
    }
    Ok(warnings)
}

/// Another program has changed a package right under the change: what became of it is looked at as after a run that
/// died, which undoes or finishes each package by what its record says now.
fn give_way(
    layout: &Layout,
    lock: &StoreLock,
    transaction: &Transaction,
    error: StoreError,
) -> Result<Vec<Warning>, StoreError> {
    let mut warnings = settle(layout, lock)?;
    warnings.retain(|warning| warning.code != codes::RECOVERED);
    // Of several the others are done, and the warning names the one that is not.
    if transaction.changes.len() == 1 { Err(error) } else { Ok(warnings) }
}

/// What the records said of the packages that change.
fn befores(now: &Snapshot, transaction: &Transaction) -> Befores {
    let before = |owner: &Owner| match owner {
        Owner::Package(id) => {
            Before { record: now.registry.mark(id), state: now.state.packages.get(id).cloned(), imported: None }
        }
        Owner::Imported(id) => Before { imported: now.state.imported.get(id).cloned(), ..Before::default() },
    };
    transaction.changes.iter().map(|change| (change.id.clone(), before(&change.id))).collect()
}

pub(super) fn close_intent(layout: &Layout) -> Result<(), StoreError> {
    crash::point("cleaned-up");
    files::remove_if_there(&layout.intent()).map_err(StoreError::io("remove", &layout.intent()))?;
    crash::point("intent-removed");
    files::sync_folder(layout.packages()).map_err(StoreError::io("flush", layout.packages()))
}

/// A step that was done, and how to take it back.
pub(super) enum Done {
    /// A folder was made.
    Made(PathBuf),
    Placed {
        staged: PathBuf,
        target: PathBuf,
        how: Placed,
    },
    /// The old one was moved away, or a part of it, and nothing has taken its place yet.
    Parked {
        staged: PathBuf,
        target: PathBuf,
    },
    Replaced {
        path: PathBuf,
        before: Option<Vec<u8>>,
        after: Vec<u8>,
    },
}

/// How something came into its place.
pub(super) enum Placed {
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
            put_in_place(layout, &layout.packages().join(&add.staged), &target, done)
                .map_err(|why| no_place_for_pack(change, why))?;
            crash::point("pack-placed");
        }
    }
    Ok(())
}

/// A pack whose place is at fault costs its ruleset the language and nothing else (docs/spec/commands.md#store-3). What
/// lacks room or files to open has them for the rest of the change as little.
fn no_place_for_pack(change: &Change, why: StoreError) -> StoreError {
    let is_its_place = match &why {
        StoreError::Io { source, .. } => Code::of_io(source) == Code::Io && !files::is_of_this_process(source),
        why => matches!(why, StoreError::Link { .. }),
    };
    match is_its_place {
        true => StoreError::NoPlaceForPack { package: change.id.to_string(), why: Box::new(why) },
        false => why,
    }
}

pub(super) fn put_in_place(
    layout: &Layout,
    staged: &Path,
    target: &Path,
    done: &mut Vec<Done>,
) -> Result<(), StoreError> {
    let parent = target.parent().unwrap_or(layout.packages());
    make_folders(layout, parent, done)?;
    match place(staged, target, done) {
        Ok(()) => {}
        // What is there already and cannot be replaced, because somebody write-protected it, is in place.
        Err(_) if is_the_same_file(layout, staged, target) => return Ok(()),
        Err(error) => return Err(StoreError::io("put in place", target)(error)),
    }
    files::sync_folder(parent).map_err(StoreError::io("flush", parent))
}

/// Whether both are plain files, reached through no link, that hold the same; not where the disk does not say.
fn is_the_same_file(layout: &Layout, a: &Path, b: &Path) -> bool {
    let read = |path: &Path, most: u64| {
        let folder = layout.open(path.parent()?).ok()??;
        let mut bytes = Vec::new();
        folder.file(path.file_name()?).ok()??.take(most).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    };
    read(a, record::MOST).is_some_and(|held| read(b, held.len() as u64 + 1) == Some(held))
}

/// Makes the folders down to `folder`, each flushed into its parent. A link on the way is refused: it would lead out of
/// the data folder (docs/spec/commands.md#store-5).
fn make_folders(layout: &Layout, folder: &Path, done: &mut Vec<Done>) -> Result<(), StoreError> {
    let base = if folder.starts_with(layout.packages()) { layout.packages() } else { layout.data() };
    let below = folder.strip_prefix(base).unwrap_or(Path::new(""));
    let mut path = base.to_owned();
    for part in below {
        let parent = path.clone();
        path.push(part);
        match files::metadata(&path).map_err(StoreError::io("look at", &path))? {
            Some(there) if there.is_dir() => continue,
            Some(there) if there.is_symlink() => return Err(StoreError::Link { path }),
            _ => {}
        }
        // By what taking it back needs as well: what cannot be opened now, for want of files, could not be then.
        let open = layout.open(&parent).map_err(StoreError::io("open", &parent))?;
        let open = open.ok_or(io::ErrorKind::NotFound.into()).map_err(StoreError::io("open", &parent))?;
        match open.make(part) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => match files::is_real_folder(&path) {
                Ok(true) => continue,
                _ => return Err(StoreError::io("make", &path)(error)),
            },
            made => made.map_err(StoreError::io("make", &path))?,
        }
        done.push(Done::Made(path.clone()));
        open.sync().map_err(StoreError::io("flush", &parent))?;
        crash::point("folder-made");
    }
    Ok(())
}

fn place(staged: &Path, target: &Path, done: &mut Vec<Done>) -> io::Result<()> {
    let placed = |how| Done::Placed { staged: staged.to_owned(), target: target.to_owned(), how };
    match files::metadata(target)? {
        None => {
            files::rename(staged, target)?;
            done.push(placed(Placed::New));
            return Ok(());
        }
        // A link is set aside once the change stands.
        Some(there) if there.is_symlink() => {}
        Some(there) if there.file_type() != fs::symlink_metadata(staged)?.file_type() => {
            let what = if there.is_file() { "a plain file" } else { "something else" };
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, format!("{what} is in its place")));
        }
        Some(_) => refuse_another_spelling(target)?,
    }
    if files::exchange(staged, target)? {
        done.push(placed(Placed::Exchanged));
        return Ok(());
    }
    let parked = parking(staged);
    // Before it is moved: a folder that is moved file by file may come to be in both places.
    done.push(Done::Parked { staged: staged.to_owned(), target: target.to_owned() });
    files::rename(target, &parked)?;
    // Else a power cut could leave the new name of the new one and no name at all of the old one.
    files::sync_folder(parked.parent().unwrap_or(&parked))?;
    crash::point("old-parked");
    files::rename(staged, target)?;
    done.pop();
    done.push(placed(Placed::Parked(parked)));
    Ok(())
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

/// Takes back what was done, last first, and stops at the first step that cannot be: those before it rest on it, and
/// the intent and what is staged let the next run finish or undo the whole.
pub(super) fn undo(layout: &Layout, done: Vec<Done>) -> Result<(), StoreError> {
    for step in done.into_iter().rev() {
        match step {
            Done::Made(folder) => remove_made(layout, &folder).map_err(StoreError::io("remove", &folder)),
            Done::Replaced { path, before, after } => put_back(&path, before, &after),
            Done::Parked { staged, target } => unpark(layout, &staged, &target),
            Done::Placed { staged, target, how } => take_out(layout, &staged, &target, how),
        }?;
    }
    Ok(())
}

/// What another program made of a record since is not ours to take back.
fn put_back(path: &Path, before: Option<Vec<u8>>, after: &[u8]) -> Result<(), StoreError> {
    if record::read(path)?.is_none_or(|now| now != after) {
        return Err(StoreError::io("put back", path)(io::Error::other("it was changed since")));
    }
    let put = match before {
        Some(bytes) => files::replace(path, &bytes),
        None => files::remove_if_there(path),
    };
    put.map_err(StoreError::io("put back", path))
}

/// Removes a folder that was made, unless somebody put something into it meanwhile.
fn remove_made(layout: &Layout, folder: &Path) -> io::Result<()> {
    let (Some(parent), Some(name)) = (folder.parent(), folder.file_name()) else { return Ok(()) };
    match layout.open(parent)? {
        Some(parent) => match parent.remove_folder(name) {
            // Said before "it is not empty": who may not write there had not made it.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
            removed => removed.map(drop),
        },
        None => Ok(()),
    }
}

/// What somebody removed meanwhile need not be taken out; what it had replaced comes back all the same.
fn take_out(layout: &Layout, staged: &Path, target: &Path, how: Placed) -> Result<(), StoreError> {
    let put_back = |error| StoreError::io("put back", target)(error);
    let parent = target.parent().unwrap_or(target);
    let old = match how {
        Placed::New => None,
        Placed::Exchanged if files::exists(target).map_err(put_back)? => {
            match files::exchange(staged, target).map_err(put_back)? {
                true => return files::sync_folder(parent).map_err(put_back),
                false => return Err(put_back(io::ErrorKind::Unsupported.into())),
            }
        }
        Placed::Exchanged => Some(staged.to_owned()),
        Placed::Parked(parked) => Some(parked),
    };
    match files::rename(target, staged) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        renamed => renamed.map_err(put_back)?,
    }
    let Some(old) = old else { return sync_if_there(parent).map_err(put_back) };
    make_folders(layout, parent, &mut Vec::new())?;
    files::rename(&old, target).and_then(|()| files::sync_folder(parent)).map_err(put_back)
}

fn sync_if_there(folder: &Path) -> io::Result<()> {
    match files::sync_folder(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        synced => synced,
    }
}

/// What a file that could not be read is called from then on, after its own name.
pub(super) const DAMAGED: &str = ".damaged";

/// The files that were set aside, in order.
pub(super) fn files_set_aside(layout: &Layout) -> Result<Vec<PathBuf>, StoreError> {
    let own = [layout.registry(), layout.state(), layout.intent(), layout.decisions()];
    let is_aside = |path: &PathBuf| {
        let name = path.as_os_str().to_string_lossy().into_owned();
        own.iter().any(|file| name.starts_with(&format!("{}{DAMAGED}", file.display())))
    };
    let folder = layout.packages();
    let entries = layout.open_own(folder).and_then(|open| open.map_or(Ok(Vec::new()), |open| open.entries()));
    let entries = entries.map_err(StoreError::io("list", folder))?.into_iter();
    let mut aside: Vec<PathBuf> = entries.map(|(name, _)| folder.join(name)).filter(is_aside).collect();
    aside.sort();
    Ok(aside)
}

/// Copies a file that cannot be read and will be replaced in its place, where it keeps its mode and is never missing.
pub(super) fn copy_aside(path: &Path) -> Result<PathBuf, StoreError> {
    let aside = files::free_name(path, DAMAGED).map_err(StoreError::io("copy aside", path))?;
    files::copy(path, &aside).map_err(StoreError::io("copy aside", path))?;
    Ok(aside)
}

/// Whether a run died in the middle of a change, or is in the middle of one now. Where that cannot be told, it is so.
pub(super) fn is_unsettled(layout: &Layout) -> bool {
    files::exists(&layout.intent()).unwrap_or(true)
}

/// Finishes what others left, then sweeps what the dead had staged. What every writer does first. In a store of a newer
/// rulepack nothing is touched.
pub(super) fn tidy(layout: &Layout, lock: &StoreLock) -> Result<Vec<Warning>, StoreError> {
    let path = layout.state();
    match record::read(&path) {
        Ok(Some(bytes)) => {
            if let Err(Fault::Newer(found)) = record::refuse_newer(&bytes) {
                return Err(StoreError::Newer { path, found });
            }
        }
        Err(link @ StoreError::LinkedRecord { .. }) => return Err(link),
        // What else there is to say of it, whoever reads it says.
        Ok(None) | Err(_) => {}
    }
    let warnings = settle(layout, lock)?;
    staging::sweep(layout);
    Ok(warnings)
}

/// How a reader names what went wrong while it tried to finish somebody else's change.
pub(super) fn unfinished(error: &StoreError) -> Warning {
    Warning::new(
        codes::UNFINISHED_CHANGE,
        format!("an interrupted change could not be finished yet: {error} ({})", error.code()),
    )
}
