//! A folder by handle: what is asked, opened, moved or removed in it concerns that very folder, whatever its path
//! leads to by then, and no name in it is followed as a link. Every question has three answers: it is there, it is not,
//! or the disk would not say, which is an error and never read as absence (contract, section 4, rules 6 and 9).
//!
//! By hand rather than with `cap-std`, which follows links as long as they stay inside: here none is.

use super::files;
use crate::crash;
use crate::types::plain_only;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::{Component, Path};

/// What has a name in a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    File,
    Folder,
    Link,
    /// A pipe, a device, a socket.
    Other,
}

#[derive(Debug)]
pub struct Folder(system::Handle);

impl Folder {
    /// The folder that is reached from `base`, which a person named and may be a link, through the folders of `below`,
    /// which may not. `None` where one of them is not there.
    ///
    /// # Errors
    /// `NotADirectory` where something else, a link included, is in the place of one.
    pub fn below(base: &Path, below: &Path) -> io::Result<Option<Folder>> {
        crash::question()?;
        let base = if base.as_os_str().is_empty() { Path::new(".") } else { base };
        let Some(base) = there(files::patiently(|| system::open(base)))? else { return Ok(None) };
        let mut folder = Folder(base);
        for part in below.components() {
            let Component::Normal(name) = part else {
                return Err(io::Error::new(io::ErrorKind::InvalidInput, "that is no path below a folder"));
            };
            match folder.folder(name)? {
                Some(next) => folder = next,
                None => return Ok(None),
            }
        }
        Ok(Some(folder))
    }

    /// A folder in this one.
    ///
    /// # Errors
    /// As [`Folder::below`].
    pub fn folder(&self, name: &OsStr) -> io::Result<Option<Folder>> {
        crash::question()?;
        match there(files::patiently(|| system::open_in(&self.0, name))) {
            // What systems say of a link here differs.
            Err(error) if !files::is_of_this_process(&error) => match self.kind(name)? {
                None => Ok(None),
                Some(Kind::Folder) => Err(error),
                Some(_) => Err(io::Error::new(io::ErrorKind::NotADirectory, "something else, or a link, is there")),
            },
            opened => Ok(opened?.map(Folder)),
        }
    }

    /// The folder that a path joined by `/` leads to; this one for the empty path.
    ///
    /// # Errors
    /// As [`Folder::below`].
    pub fn inner(&self, path: &str) -> io::Result<Option<Folder>> {
        let mut inner = self.folder(".".as_ref())?;
        for part in path.split('/').filter(|part| !part.is_empty()) {
            let Some(folder) = inner else { return Ok(None) };
            inner = folder.folder(part.as_ref())?;
        }
        Ok(inner)
    }

    /// A folder in this one, made if there is nothing.
    pub fn made(&self, name: &OsStr) -> io::Result<Folder> {
        if let Some(folder) = self.folder(name)? {
            return Ok(folder);
        }
        crash::operation()?;
        match system::make(&self.0, name) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => {
                made?;
                self.sync()?;
            }
        }
        self.folder(name)?.ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// What has this name. `None` where nothing has.
    pub fn kind(&self, name: &OsStr) -> io::Result<Option<Kind>> {
        crash::question()?;
        there(system::kind(&self.0, name))
    }

    /// Opens a plain file for reading.
    ///
    /// # Errors
    /// `InvalidInput` or `IsADirectory` where there is something else; it is never waited for.
    pub fn file(&self, name: &OsStr) -> io::Result<Option<File>> {
        crash::question()?;
        match there(files::patiently(|| system::open_file(&self.0, name))) {
            Err(error) => match self.kind(name)? {
                None => Ok(None),
                // Sockets and some devices cannot even be opened.
                Some(Kind::Link | Kind::Other) => {
                    Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no plain file"))
                }
                Some(Kind::File | Kind::Folder) => Err(error),
            },
            Ok(None) => Ok(None),
            Ok(Some(file)) => plain_only(file).map(Some),
        }
    }

    /// All that has a name in it, in no order.
    pub fn entries(&self) -> io::Result<Vec<(OsString, Kind)>> {
        crash::question()?;
        files::patiently(|| system::entries(&self.0))
    }

    /// Removes a file or link. `false` where there is nothing.
    pub fn remove_file(&self, name: &OsStr) -> io::Result<bool> {
        crash::operation()?;
        Ok(there(system::remove_file(&self.0, name))?.is_some())
    }

    /// Removes an empty folder. `false` where something is left in it.
    pub fn remove_folder(&self, name: &OsStr) -> io::Result<bool> {
        crash::operation()?;
        match there(system::remove_folder(&self.0, name)) {
            Err(error) if matches!(error.kind(), io::ErrorKind::DirectoryNotEmpty | io::ErrorKind::AlreadyExists) => {
                Ok(false)
            }
            removed => removed.map(|_| true),
        }
    }

    /// Moves what has this name to the first free one of `to` + `suffix`, `to` + `suffix` + `.1` and so on in another
    /// folder, and gives that; on the disk when it returns.
    pub fn move_to(&self, name: &OsStr, other: &Folder, to: &OsStr, suffix: &str) -> io::Result<OsString> {
        let to = other.free_name(to, suffix)?;
        crash::operation()?;
        match system::rename(&self.0, name, &other.0, &to) {
            Err(error) if error.kind() == io::ErrorKind::CrossesDevices && self.kind(name)? == Some(Kind::Folder) => {
                self.carry(name, other, &to)?;
            }
            renamed => renamed?,
        }
        other.sync()?;
        Ok(to)
    }

    /// Moves what a folder holds into one of another name, made if it is not there, and removes it. Nothing there is
    /// replaced.
    pub fn carry(&self, name: &OsStr, other: &Folder, to: &OsStr) -> io::Result<()> {
        let Some(from) = self.folder(name)? else { return Ok(()) };
        let to = other.made(to)?;
        for (name, kind) in from.entries()? {
            match kind {
                Kind::Folder => from.carry(&name, &to, &name)?,
                _ => from.move_to(&name, &to, &name, "").map(drop)?,
            }
        }
        to.sync()?;
        match self.remove_folder(name)? {
            true => Ok(()),
            false => Err(io::ErrorKind::DirectoryNotEmpty.into()),
        }
    }

    fn free_name(&self, name: &OsStr, suffix: &str) -> io::Result<OsString> {
        for n in 0.. {
            let mut free = name.to_owned();
            free.push(suffix);
            if n > 0 {
                free.push(format!(".{n}"));
            }
            if self.kind(&free)?.is_none() {
                return Ok(free);
            }
        }
        unreachable!("one of endless names is free")
    }

    /// Makes what was made, moved or removed in it survive a power cut.
    pub fn sync(&self) -> io::Result<()> {
        match files::patiently(|| system::to_sync(&self.0))? {
            Some(file) => files::sync_folder_handle(&file),
            None => Ok(()),
        }
    }
}

/// That something is not there is an answer, not an error.
fn there<T>(answer: io::Result<T>) -> io::Result<Option<T>> {
    match answer {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        answer => answer.map(Some),
    }
}

#[cfg(unix)]
mod system {
    use super::Kind;
    use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, mkdirat, openat, renameat, statat, unlinkat};
    use rustix::io::Errno;
    use std::ffi::{OsStr, OsString};
    use std::fs::File;
    use std::io;
    use std::os::fd::OwnedFd;
    use std::os::unix::ffi::OsStringExt;
    use std::path::Path;

    pub type Handle = OwnedFd;

    /// Where the system can, a handle that says which folder and needs no right to list it.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    const WHICH: OFlags = OFlags::PATH;
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    const WHICH: OFlags = OFlags::RDONLY;

    pub fn open(path: &Path) -> io::Result<Handle> {
        Ok(openat(CWD, path, WHICH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?)
    }

    pub fn open_in(folder: &Handle, name: &OsStr) -> io::Result<Handle> {
        let flags = WHICH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(openat(folder, name, flags, Mode::empty())?)
    }

    pub fn open_file(folder: &Handle, name: &OsStr) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        Ok(File::from(openat(folder, name, flags, Mode::empty())?))
    }

    pub fn kind(folder: &Handle, name: &OsStr) -> io::Result<Kind> {
        let stat = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
        Ok(kind_of(FileType::from_raw_mode(stat.st_mode)))
    }

    fn kind_of(kind: FileType) -> Kind {
        match kind {
            FileType::RegularFile => Kind::File,
            FileType::Directory => Kind::Folder,
            FileType::Symlink => Kind::Link,
            _ => Kind::Other,
        }
    }

    pub fn entries(folder: &Handle) -> io::Result<Vec<(OsString, Kind)>> {
        let mut found = Vec::new();
        for entry in Dir::new(listing(folder)?)? {
            let entry = entry?;
            let name = OsString::from_vec(entry.file_name().to_bytes().to_vec());
            if name == "." || name == ".." {
                continue;
            }
            let kind = match entry.file_type() {
                // Some file systems do not say it along the way.
                FileType::Unknown => match kind(folder, &name) {
                    Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                    kind => kind?,
                },
                kind => kind_of(kind),
            };
            found.push((name, kind));
        }
        Ok(found)
    }

    pub fn make(folder: &Handle, name: &OsStr) -> io::Result<()> {
        Ok(mkdirat(folder, name, Mode::from_bits_retain(0o777))?)
    }

    pub fn remove_file(folder: &Handle, name: &OsStr) -> io::Result<()> {
        Ok(unlinkat(folder, name, AtFlags::empty())?)
    }

    pub fn remove_folder(folder: &Handle, name: &OsStr) -> io::Result<()> {
        match unlinkat(folder, name, AtFlags::REMOVEDIR) {
            // Solaris and some network disks say this of a folder with something in it.
            Err(Errno::EXIST) => Err(Errno::NOTEMPTY.into()),
            removed => Ok(removed?),
        }
    }

    pub fn rename(from: &Handle, name: &OsStr, to: &Handle, new_name: &OsStr) -> io::Result<()> {
        Ok(renameat(from, name, to, new_name)?)
    }

    pub fn to_sync(folder: &Handle) -> io::Result<Option<File>> {
        Ok(Some(File::from(listing(folder)?)))
    }

    /// A handle of the same folder by which it can be listed and flushed.
    fn listing(folder: &Handle) -> io::Result<Handle> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(openat(folder, ".", flags, Mode::empty())?)
    }
}

/// By path where there are no handles of folders to be had: a link is looked for right before.
#[cfg(not(unix))]
mod system {
    use super::super::files;
    use super::Kind;
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

    pub fn open_in(folder: &Handle, name: &OsStr) -> io::Result<Handle> {
        match kind(folder, name)? {
            Kind::Folder => Ok(folder.join(name)),
            _ => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    pub fn open_file(folder: &Handle, name: &OsStr) -> io::Result<File> {
        crate::types::open_plain_nofollow(&folder.join(name))
    }

    pub fn kind(folder: &Handle, name: &OsStr) -> io::Result<Kind> {
        Ok(kind_of(fs::symlink_metadata(folder.join(name))?.file_type()))
    }

    fn kind_of(kind: fs::FileType) -> Kind {
        match kind {
            kind if kind.is_symlink() => Kind::Link,
            kind if kind.is_dir() => Kind::Folder,
            kind if kind.is_file() => Kind::File,
            _ => Kind::Other,
        }
    }

    pub fn entries(folder: &Handle) -> io::Result<Vec<(OsString, Kind)>> {
        let entries = fs::read_dir(folder)?.map(|entry| {
            let entry = entry?;
            Ok((entry.file_name(), kind_of(entry.file_type()?)))
        });
        entries.collect()
    }

    pub fn make(folder: &Handle, name: &OsStr) -> io::Result<()> {
        fs::create_dir(folder.join(name))
    }

    pub fn remove_file(folder: &Handle, name: &OsStr) -> io::Result<()> {
        fs::remove_file(folder.join(name))
    }

    pub fn remove_folder(folder: &Handle, name: &OsStr) -> io::Result<()> {
        fs::remove_dir(folder.join(name))
    }

    pub fn rename(from: &Handle, name: &OsStr, to: &Handle, new_name: &OsStr) -> io::Result<()> {
        files::rename_patiently(&from.join(name), &to.join(new_name))
    }

    /// Windows has no handle on a folder to flush; its renames are journalled.
    pub fn to_sync(_: &Handle) -> io::Result<Option<File>> {
        Ok(None)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    fn name(text: &str) -> &OsStr {
        OsStr::new(text)
    }

    #[test]
    fn nothing_is_reached_through_a_link() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::create_dir_all(at("outside/in")).unwrap();
        fs::write(at("outside/secret"), "x").unwrap();
        symlink("outside", at("link")).unwrap();
        let base = Folder::below(dir.path(), Path::new("")).unwrap().unwrap();
        let refused = base.folder(name("link")).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::NotADirectory);
        assert_eq!(Folder::below(dir.path(), Path::new("link/in")).unwrap_err().kind(), io::ErrorKind::NotADirectory);
        assert!(Folder::below(dir.path(), Path::new("none/in")).unwrap().is_none());
        assert!(Folder::below(dir.path(), Path::new("../x")).is_err());
        // A person may name the folder itself by a link.
        assert!(Folder::below(&at("link"), Path::new("in")).unwrap().is_some());
        symlink("outside/secret", at("file")).unwrap();
        assert_eq!(base.file(name("file")).unwrap_err().kind(), io::ErrorKind::InvalidInput);
        assert_eq!(base.kind(name("file")).unwrap(), Some(Kind::Link));
    }

    #[test]
    fn a_folder_is_the_one_it_was_whatever_takes_its_name() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::create_dir_all(at("a")).unwrap();
        fs::create_dir_all(at("outside")).unwrap();
        fs::write(at("a/mine"), "mine").unwrap();
        fs::write(at("outside/mine"), "theirs").unwrap();
        let base = Folder::below(dir.path(), Path::new("")).unwrap().unwrap();
        let folder = base.folder(name("a")).unwrap().unwrap();
        fs::rename(at("a"), at("moved")).unwrap();
        symlink("outside", at("a")).unwrap();
        assert!(folder.remove_file(name("mine")).unwrap());
        assert!(!at("moved/mine").exists() && at("outside/mine").exists());
        assert!(!folder.remove_file(name("mine")).unwrap());
    }

    #[test]
    fn a_moved_file_takes_a_name_that_is_free() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        for file in ["a", "b.edited"] {
            fs::write(at(file), file).unwrap();
        }
        let base = Folder::below(dir.path(), Path::new("")).unwrap().unwrap();
        let sub = base.made(name("sub")).unwrap();
        assert_eq!(base.move_to(name("a"), &base, name("b"), ".edited").unwrap(), "b.edited.1");
        assert_eq!(base.move_to(name("b.edited"), &sub, name("b"), "").unwrap(), "b");
        assert_eq!(fs::read_to_string(at("b.edited.1")).unwrap(), "a");
        assert!(!base.remove_folder(name("sub")).unwrap());
        assert!(sub.remove_file(name("b")).unwrap() && base.remove_folder(name("sub")).unwrap());
    }
}
