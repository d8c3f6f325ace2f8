//! Where there are no such calls each part is looked at by its path. No link is followed that was there to begin with;
//! one that takes a folder's place in between is.

use super::FileKind;
use crate::disk::open_plain_nofollow;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

pub type Handle = PathBuf;

pub fn open(path: &Path) -> io::Result<Handle> {
    match fs::metadata(path)?.is_dir() {
        true => Ok(path.to_owned()),
        false => Err(io::ErrorKind::NotADirectory.into()),
    }
}

pub fn again(folder: &Handle) -> io::Result<Handle> {
    Ok(folder.clone())
}

pub fn folder(at: &Handle, name: &OsStr) -> io::Result<Handle> {
    match found(at, name)? {
        FileKind::Folder => Ok(at.join(name)),
        _ => Err(io::ErrorKind::NotADirectory.into()),
    }
}

pub fn file(at: &Handle, name: &OsStr) -> io::Result<File> {
    open_plain_nofollow(&at.join(name))
}

pub fn found(at: &Handle, name: &OsStr) -> io::Result<FileKind> {
    Ok(found_as(fs::symlink_metadata(at.join(name))?.file_type()))
}

fn found_as(found: fs::FileType) -> FileKind {
    match found {
        found if found.is_symlink() => FileKind::Link,
        found if found.is_file() => FileKind::File,
        found if found.is_dir() => FileKind::Folder,
        _ => FileKind::Other,
    }
}

pub fn entries(at: &Handle) -> io::Result<Vec<(OsString, FileKind)>> {
    let entries = fs::read_dir(at)?.map(|entry| {
        let entry = entry?;
        Ok((entry.file_name(), found_as(entry.file_type()?)))
    });
    entries.collect()
}

pub fn to_sync(_: &Handle) -> io::Result<Option<File>> {
    Ok(None)
}

pub fn make(at: &Handle, name: &OsStr) -> io::Result<()> {
    fs::create_dir(at.join(name))
}

pub fn create(at: &Handle, name: &OsStr) -> io::Result<File> {
    File::options().read(true).write(true).create_new(true).open(at.join(name))
}

pub fn rename(at: &Handle, from: &OsStr, to: &Handle, name: &OsStr) -> io::Result<()> {
    fs::rename(at.join(from), to.join(name))
}

pub fn remove(at: &Handle, name: &OsStr) -> io::Result<()> {
    fs::remove_file(at.join(name))
}

pub fn remove_folder(at: &Handle, name: &OsStr) -> io::Result<()> {
    fs::remove_dir(at.join(name))
}
