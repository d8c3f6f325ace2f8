//! By the handle of the folder, as `openat` has it.

use super::Found;
use crate::types::plain_only;
use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, openat, renameat, statat, unlinkat};
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

pub fn found(at: &Handle, name: &OsStr) -> io::Result<Found> {
    let about = statat(at, name, AtFlags::SYMLINK_NOFOLLOW)?;
    Ok(match FileType::from_raw_mode(about.st_mode) {
        FileType::RegularFile => Found::File,
        FileType::Directory => Found::Folder,
        FileType::Symlink => Found::Link,
        _ => Found::Other,
    })
}

pub fn names(at: &Handle) -> io::Result<Vec<OsString>> {
    let mut names = Vec::new();
    // A handle that only says which folder cannot be read from, nor can one that is derived from it.
    for entry in Dir::new(openat(at, ".", OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?)? {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if name != b"." && name != b".." {
            names.push(OsStr::from_bytes(name).to_owned());
        }
    }
    Ok(names)
}

pub fn create(at: &Handle, name: &OsStr) -> io::Result<File> {
    Ok(openat(at, name, OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | FILE, Mode::RUSR | Mode::WUSR)?.into())
}

pub fn rename(at: &Handle, from: &OsStr, to: &OsStr) -> io::Result<()> {
    Ok(renameat(at, from, at, to)?)
}

pub fn remove(at: &Handle, name: &OsStr) -> io::Result<()> {
    Ok(unlinkat(at, name, AtFlags::empty())?)
}
