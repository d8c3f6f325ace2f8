//! Carrying a change out, and undoing it when a step fails. `settle` finishes it when the process that began it died.
//!
//! The order is: intent, folders and packs into place, our record, the engine's records, removals, intent gone.
//! Everything staged is complete and on the disk before the intent is written, so from then on any run can finish.

use super::change::{Before, PackChange, Transaction};
use super::clean_up::clean_up;
use super::intent::write_intent;
use super::owner::Owner;
use super::record::Fault;
use super::recording::{Befores, record_all, refuse_if_changed};
use super::settle::{RECOVERED_CODE, settle};
use super::{Layout, Registry, Snapshot, StoreError, StoreLock, files, record, staging};
use crate::crash;
use crate::types::{Coded, Warning};
use std::fs;
use std::io;
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
    let with_intent = transaction.needs_intent();
    if with_intent {
        write_intent(layout, transaction, &befores)?;
        crash::point("intent-written");
    }
    let mut done = Vec::new();
    let placed =
        place_all(layout, transaction, &mut done).and_then(|()| record_all(layout, transaction, &befores, &mut done));
    if let Err(error) = placed {
        if with_intent && matches!(error, StoreError::ChangedMeanwhile { .. }) {
            return give_way(layout, lock, transaction, error);
        }
        // What could not be undone is left to the next run, which still finds the intent.
        if undo(done) && with_intent {
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

/// Another program has changed a package right under the change: what became of it is looked at as after a run that
/// died, which undoes or finishes each package by what its record says now.
fn give_way(
    layout: &Layout,
    lock: &StoreLock,
    transaction: &Transaction,
    error: StoreError,
) -> Result<Vec<Warning>, StoreError> {
    let mut warnings = settle(layout, lock)?;
    warnings.retain(|warning| warning.code != RECOVERED_CODE);
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
            put_in_place(layout, &layout.packages().join(&add.staged), &target, done)?;
            crash::point("pack-placed");
        }
    }
    Ok(())
}

pub(super) fn put_in_place(
    layout: &Layout,
    staged: &Path,
    target: &Path,
    done: &mut Vec<Done>,
) -> Result<(), StoreError> {
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

/// Takes back what was done, last first. Tells whether all of it could be; of the errors, the one that led here is
/// what the reader is told.
pub(super) fn undo(done: Vec<Done>) -> bool {
    let mut undone = true;
    for step in done.into_iter().rev() {
        let result = match step {
            Done::Made(folder) => {
                // Refused where somebody put something into it meanwhile.
                let _ = fs::remove_dir(folder);
                Ok(())
            }
            // What another program made of it since is not ours to take back.
            Done::Replaced { path, after, .. } if !matches!(record::read(&path), Ok(Some(now)) if now == after) => {
                Err(io::Error::other("it was changed since"))
            }
            Done::Replaced { path, before: Some(bytes), .. } => files::replace(&path, &bytes),
            Done::Replaced { path, before: None, .. } => files::remove_if_there(&path),
            Done::Placed { staged, target, how } => match how {
                Placed::New => files::rename(&target, &staged),
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

/// What a file that could not be read is called from then on, after its own name.
pub(super) const DAMAGED: &str = ".damaged";

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

/// Copies a file that cannot be read and will be replaced in its place, where it keeps its mode and is never missing.
pub(super) fn copy_aside(path: &Path) -> Result<PathBuf, StoreError> {
    let aside = files::free_name(path, DAMAGED);
    fs::copy(path, &aside)
        .and_then(|_| files::sync_file(&fs::File::open(&aside)?))
        .map_err(StoreError::io("copy aside", path))?;
    Ok(aside)
}

/// Whether a run died in the middle of a change, or is in the middle of one now. Where that cannot be told, it is so.
pub(super) fn is_unsettled(layout: &Layout) -> bool {
    use io::ErrorKind::{NotADirectory, NotFound};
    match fs::symlink_metadata(layout.intent()) {
        Ok(_) => true,
        Err(error) => !matches!(error.kind(), NotFound | NotADirectory),
    }
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
        "unfinished-change",
        format!("an interrupted change could not be finished yet: {error} ({})", error.code()),
    )
}
