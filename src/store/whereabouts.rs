//! Where what a change had staged lies by now, told by what lies there: the run that moved it is dead.

use super::change::{AddPack, Change, PackChange, VersionPlacement};
use super::steps::{Done, Placed, is_staged, parking, put_in_place};
use super::{Flaw, Layout, OwnFile, StoreError, check_files, files, tree};
use crate::types::Cancel;
use std::io;
use std::path::Path;

/// Where something staged is by now.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Lies {
    Staged,
    Placed,
    /// In neither place, or not whole.
    Nowhere,
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
            steps.extend(placed(staged, target)?);
            Ok(())
        }
        Lies::Nowhere => Err(StoreError::Gone { path: target.to_owned() }),
    }
}

/// How the dead run put something in place, as what it left says; and the folder it lies in, which goes only if nothing
/// else is in it.
pub(super) fn placed(staged: &Path, target: &Path) -> Result<[Done; 2], StoreError> {
    let parked = parking(staged);
    let exists = |path: &Path| files::exists(path).map_err(StoreError::io("look at", path));
    let how = match (exists(&parked)?, exists(staged)?) {
        (true, _) => Placed::Parked(parked),
        (false, true) => Placed::Exchanged,
        (false, false) => Placed::New,
    };
    let parent = target.parent().unwrap_or(target).to_owned();
    Ok([Done::Made(parent), Done::Placed { staged: staged.to_owned(), target: target.to_owned(), how }])
}

/// A folder is still staged while it holds just what was staged, and so do its packs, which follow it; another one was
/// exchanged for it. Where old and new are the same to the byte, it makes no difference. Where nothing is in its place,
/// none was exchanged.
pub(super) fn folder_lies(layout: &Layout, change: &Change, place: &VersionPlacement) -> Result<Lies, StoreError> {
    let staged = layout.packages().join(&place.staged);
    let look_into = |error| StoreError::io("look into", &staged)(error);
    let target = layout.folder(&change.id, &place.version);
    // What cannot be read where it was staged is what was replaced, if all is in its place.
    let is_whole_there = || match is_whole(layout, &staged, &place.files) {
        Err(_) if is_whole(layout, &target, &place.files)? => Ok(false),
        answer => answer,
    };
    let is_staged_whole = is_staged(layout, &staged).map_err(look_into)? && is_whole_there()?;
    if is_staged_whole && !files::exists(&target).map_err(StoreError::io("look at", &target))? {
        return Ok(Lies::Staged);
    }
    let is_just_that =
        is_staged_whole && tree::files_below(layout, &staged).map_err(look_into)?.len() == place.files.len();
    let mut packs_wait = true;
    for (_, add) in added(change).filter(|(version, _)| *version == place.version) {
        packs_wait &= is_the_pack(layout, &layout.packages().join(&add.staged), add)?;
    }
    Ok(if is_just_that && packs_wait {
        Lies::Staged
    } else if is_whole(layout, &target, &place.files)? {
        Lies::Placed
    } else {
        Lies::Nowhere
    })
}

pub(super) fn pack_lies(layout: &Layout, staged: &Path, target: &Path, add: &AddPack) -> Result<Lies, StoreError> {
    let is_staged = is_staged(layout, staged).map_err(StoreError::io("look into", staged))?;
    Ok(if is_staged && is_the_pack(layout, staged, add)? {
        Lies::Staged
    } else if is_the_pack(layout, target, add)? {
        Lies::Placed
    } else {
        Lies::Nowhere
    })
}

/// Whether a folder is there that is reached through no link.
pub(super) fn is_there(layout: &Layout, folder: &Path) -> Result<bool, StoreError> {
    match layout.open(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(false),
        found => Ok(found.map_err(StoreError::io("look into", folder))?.is_some()),
    }
}

pub(super) fn is_the_pack(layout: &Layout, path: &Path, add: &AddPack) -> Result<bool, StoreError> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name().and_then(|name| name.to_str())) else {
        return Ok(false);
    };
    is_whole(layout, folder, &[OwnFile { path: name.to_owned(), expected: Some(add.pack.file) }])
}

/// Whether a folder holds these files as they must be. What cannot be read is neither: nothing follows from it.
pub(super) fn is_whole(layout: &Layout, root: &Path, own: &[OwnFile]) -> Result<bool, StoreError> {
    if !is_there(layout, root)? {
        return Ok(false);
    }
    let flaws = check_files(layout, root, own, &Cancel::default()).map_err(StoreError::unverified(root))?;
    match flaws.iter().find(|flaw| matches!(flaw, Flaw::Unreadable { .. })) {
        Some(flaw) => Err(StoreError::io("settle", root)(io::Error::other(flaw.to_string()))),
        None => Ok(flaws.is_empty()),
    }
}

/// The packs a change adds, each with the version it belongs to.
pub(super) fn added(change: &Change) -> impl Iterator<Item = (&str, &AddPack)> {
    change.packs.iter().filter_map(|PackChange { version, add, .. }| Some((version.as_str(), add.as_ref()?)))
}
