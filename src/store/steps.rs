//! The steps that put what is staged in its place, each with how it is taken back.

use super::files::{self, metadata};
use super::limits::MOST_RECORD;
use super::moving::{carry, rename};
use super::{Layout, StoreError, record};
use crate::crash;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

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
    read(a, MOST_RECORD).is_some_and(|held| read(b, held.len() as u64 + 1) == Some(held))
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
        match metadata(&path).map_err(StoreError::io("look at", &path))? {
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
    match metadata(target)? {
        None => {
            rename(staged, target)?;
            done.push(placed(Placed::New));
            return Ok(());
        }
        // A link is set aside once the change stands.
        Some(there) if there.is_symlink() => {}
        Some(there) if there.file_type() != fs::symlink_metadata(staged)?.file_type() => {
            let what = if there.is_file() { "a regular file" } else { "something else" };
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
    rename(target, &parked)?;
    // Else a power cut could leave the new name of the new one and no name at all of the old one.
    files::sync_folder(parked.parent().unwrap_or(&parked))?;
    crash::point("old-parked");
    rename(staged, target)?;
    done.pop();
    done.push(placed(Placed::Parked(parked)));
    Ok(())
}

/// On a disk that does not tell upper from lower case, the folder of `1.0.0-RC.1` is found as `1.0.0-rc.1` too, which
/// is another version.
fn refuse_another_spelling(target: &Path) -> io::Result<()> {
    match files::other_spelling(target)? {
        None => Ok(()),
        Some(other) => {
            let other = other.to_string_lossy();
            let text =
                format!("this disk cannot distinguish it from {other}, which is in its place: uninstall that first");
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
    match rename(target, staged) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        renamed => renamed.map_err(put_back)?,
    }
    let Some(old) = old else { return sync_if_there(parent).map_err(put_back) };
    make_folders(layout, parent, &mut Vec::new())?;
    rename(&old, target).and_then(|()| files::sync_folder(parent)).map_err(put_back)
}

fn sync_if_there(folder: &Path) -> io::Result<()> {
    match files::sync_folder(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        synced => synced,
    }
}

/// Where a system cannot exchange, the old one may have been moved away and the new one not yet put there. A folder
/// that cannot be renamed may have been moved in part.
pub(super) fn unpark(layout: &Layout, staged: &Path, target: &Path) -> Result<(), StoreError> {
    let back = || {
        let parked = parking(staged);
        match is_staged(layout, staged)? && files::exists(&parked)? {
            true if !files::exists(target)? => rename(&parked, target),
            true if files::is_real_folder(&parked)? && files::exists(staged)? => carry(&parked, target),
            _ => Ok(()),
        }
    };
    back().map_err(StoreError::io("put back", target))
}

/// Whether the staging folder is no link: what lies behind one was not staged, and is neither moved nor removed.
pub(super) fn is_staged(layout: &Layout, staged: &Path) -> io::Result<bool> {
    match layout.open(staged.parent().unwrap_or(staged)) {
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(false),
        folder => Ok(folder?.is_some()),
    }
}
