//! Where what a change had staged lies by now, told by what lies there: the run that moved it is dead.

use super::change::{AddPack, Change, PackChange, Place};
use super::commit::{Done, Placed, parking, put_in_place};
use super::{Flaw, Layout, OwnFile, StoreError, check_files, files, tree};
use crate::types::Cancel;
use std::io;
use std::path::Path;

/// Where something staged is by now.
#[derive(PartialEq)]
pub(super) enum Lies {
    Staged,
    Placed,
    /// In neither place, or not whole.
    Nowhere,
}

/// Where a system cannot exchange, the old one may have been moved away and the new one not yet put there.
pub(super) fn unpark(staged: &Path, target: &Path) -> Result<(), StoreError> {
    let parked = parking(staged);
    if is_staged(staged) && files::exists(&parked) && !files::exists(target) {
        files::rename(&parked, target).map_err(StoreError::io("put back", target))?;
    }
    Ok(())
}

pub(super) fn bring_one(
    layout: &Layout,
    lies: Lies,
    staged: &Path,
    target: &Path,
    steps: &mut Vec<Done>,
) -> Result<(), StoreError> {
    match lies {
        Lies::Staged => put_in_place(layout, staged, target, steps),
        Lies::Placed => {
            // Gone again only if nothing is in it.
            steps.extend(target.parent().map(|parent| Done::Made(parent.to_owned())));
            steps.push(placed(staged, target));
            Ok(())
        }
        Lies::Nowhere => Err(is_gone(target)),
    }
}

pub(super) fn is_gone(target: &Path) -> StoreError {
    let why = io::Error::new(io::ErrorKind::NotFound, "what was staged for it is gone");
    StoreError::io("put in place", target)(why)
}

/// How the dead run put something in place, as what it left says.
pub(super) fn placed(staged: &Path, target: &Path) -> Done {
    let parked = parking(staged);
    let how = match (files::exists(&parked), files::exists(staged)) {
        (true, _) => Placed::Parked(parked),
        (false, true) => Placed::Exchanged,
        (false, false) => Placed::New,
    };
    Done::Placed { staged: staged.to_owned(), target: target.to_owned(), how }
}

/// A folder is still staged while it holds just what was staged, and so do its packs, which follow it; another one was
/// exchanged for it. Where old and new are the same to the byte, it makes no difference.
pub(super) fn folder_lies(layout: &Layout, change: &Change, place: &Place) -> Result<Lies, StoreError> {
    let staged = layout.packages().join(&place.staged);
    let is_just_that =
        is_staged(&staged) && is_whole(&staged, &place.files)? && tree::files_below(&staged).len() == place.files.len();
    let mut packs_wait = true;
    for (_, add) in added(change).filter(|(version, _)| *version == place.version) {
        packs_wait &= is_the_pack(&layout.packages().join(&add.staged), add)?;
    }
    Ok(if is_just_that && packs_wait {
        Lies::Staged
    } else if is_whole(&layout.folder(&change.id, &place.version), &place.files)? {
        Lies::Placed
    } else {
        Lies::Nowhere
    })
}

pub(super) fn pack_lies(staged: &Path, target: &Path, add: &AddPack) -> Result<Lies, StoreError> {
    Ok(if is_staged(staged) && is_the_pack(staged, add)? {
        Lies::Staged
    } else if is_the_pack(target, add)? {
        Lies::Placed
    } else {
        Lies::Nowhere
    })
}

/// Whether the staging folder is no link: what lies behind one was not staged, and is neither moved nor removed.
pub(super) fn is_staged(staged: &Path) -> bool {
    staged.parent().is_some_and(files::is_real_folder)
}

fn is_the_pack(path: &Path, add: &AddPack) -> Result<bool, StoreError> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name().and_then(|name| name.to_str())) else {
        return Ok(false);
    };
    is_whole(folder, &[OwnFile { path: name.to_owned(), expected: Some(add.pack.file) }])
}

/// Whether a folder holds these files as they must be. What cannot be read is neither: nothing follows from it.
pub(super) fn is_whole(root: &Path, own: &[OwnFile]) -> Result<bool, StoreError> {
    if !files::is_real_folder(root) {
        return Ok(false);
    }
    let flaws = check_files(root, own, &Cancel::default()).map_err(StoreError::unverified(root))?;
    match flaws.iter().find(|flaw| matches!(flaw, Flaw::Unreadable { .. })) {
        Some(flaw) => Err(StoreError::io("settle", root)(io::Error::other(flaw.to_string()))),
        None => Ok(flaws.is_empty()),
    }
}

/// The packs a change adds, each with the version it belongs to.
pub(super) fn added(change: &Change) -> impl Iterator<Item = (&str, &AddPack)> {
    change.packs.iter().filter_map(|PackChange { version, add, .. }| Some((version.as_str(), add.as_ref()?)))
}
