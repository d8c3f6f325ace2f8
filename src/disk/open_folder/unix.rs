//! By the handle of the folder, as `openat` has it.

use super::FileKind;
use crate::disk::plain_only;
use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, mkdirat, openat, renameat, statat, unlinkat};
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

pub type Handle = OwnedFd;

/// Where the system can, a handle that says which folder and needs no right to list it.
#[cfg(any(target_os = "linux", target_os = "android"))]
const WHICH: OFlags = OFlags::PATH;
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const WHICH: OFlags = OFlags::RDONLY;
const FOLDER: OFlags = WHICH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
const FILE: OFlags = OFlags::NOFOLLOW.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

pub fn open(path: &Path) -> io::Result<Handle> {
    Ok(openat(CWD, path, FOLDER, Mode::empty())?)
}

pub fn again(folder: &Handle) -> io::Result<Handle> {
    folder.try_clone()
}

pub fn folder(at: &Handle, name: &OsStr) -> io::Result<Handle> {
    Ok(openat(at, name, FOLDER | OFlags::NOFOLLOW, Mode::empty())?)
}

pub fn file(at: &Handle, name: &OsStr) -> io::Result<File> {
    plain_only(openat(at, name, OFlags::RDONLY | FILE, Mode::empty())?.into())
}

pub fn found(at: &Handle, name: &OsStr) -> io::Result<FileKind> {
    Ok(found_as(FileType::from_raw_mode(statat(at, name, AtFlags::SYMLINK_NOFOLLOW)?.st_mode)))
}

fn found_as(found: FileType) -> FileKind {
    match found {
        FileType::RegularFile => FileKind::File,
        FileType::Directory => FileKind::Folder,
        FileType::Symlink => FileKind::Link,
        _ => FileKind::Other,
    }
}

pub fn entries(at: &Handle) -> io::Result<Vec<(OsString, FileKind)>> {
    let mut entries = Vec::new();
    for entry in Dir::new(readable(at)?)? {
        let entry = entry?;
        let name = OsStr::from_bytes(entry.file_name().to_bytes());
        if name == "." || name == ".." {
            continue;
        }
        let found = match entry.file_type() {
            // Some file systems do not say it along the way.
            FileType::Unknown => match found(at, name) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                found => found?,
            },
            known => found_as(known),
        };
        entries.push((name.to_owned(), found));
    }
    Ok(entries)
}

/// The same folder by a handle that can be listed and flushed, which one that only says which folder it is cannot.
fn readable(at: &Handle) -> io::Result<Handle> {
    Ok(openat(at, ".", OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?)
}

pub fn to_sync(at: &Handle) -> io::Result<Option<File>> {
    Ok(Some(readable(at)?.into()))
}

pub fn make(at: &Handle, name: &OsStr) -> io::Result<()> {
    Ok(mkdirat(at, name, Mode::from_bits_retain(0o777))?)
}

pub fn create(at: &Handle, name: &OsStr) -> io::Result<File> {
    Ok(openat(at, name, OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | FILE, Mode::RUSR | Mode::WUSR)?.into())
}

pub fn rename(at: &Handle, from: &OsStr, to: &Handle, name: &OsStr) -> io::Result<()> {
    Ok(renameat(at, from, to, name)?)
}

pub fn remove(at: &Handle, name: &OsStr) -> io::Result<()> {
    Ok(unlinkat(at, name, AtFlags::empty())?)
}

pub fn remove_folder(at: &Handle, name: &OsStr) -> io::Result<()> {
    match unlinkat(at, name, AtFlags::REMOVEDIR) {
        // Solaris and some network disks say this of a folder with something in it.
        Err(Errno::EXIST) => Err(Errno::NOTEMPTY.into()),
        removed => Ok(removed?),
    }
}
