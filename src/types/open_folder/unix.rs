//! By the handle of the folder, as `openat` has it.

use super::{super::plain_file::plain, Found};
use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, openat, renameat, statat, unlinkat};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

pub type Handle = OwnedFd;

/// That a pipe is not waited for: `O_DIRECTORY` alone refuses it only once it is open.
const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NONBLOCK).union(OFlags::CLOEXEC);
const FILE: OFlags = OFlags::NOFOLLOW.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

pub fn open(path: &Path) -> io::Result<Handle> {
    Ok(openat(CWD, path, FOLDER, Mode::empty())?)
}

pub fn folder(at: &Handle, name: &OsStr) -> io::Result<Handle> {
    Ok(openat(at, name, FOLDER | OFlags::NOFOLLOW, Mode::empty())?)
}

pub fn file(at: &Handle, name: &OsStr) -> io::Result<File> {
    plain(openat(at, name, OFlags::RDONLY | FILE, Mode::empty())?.into(), Path::new(name))
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
    for entry in Dir::read_from(at)? {
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
