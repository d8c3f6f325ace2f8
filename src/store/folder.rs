//! A folder by handle ([`OpenFolder`]), as the store asks of one: every question has three answers, it is there, it is
//! not, or the disk would not say, which is an error and never read as absence (docs/spec/commands.md#store-6,
//! #store-9). Too many open files are waited for, and tests can make each question and operation fail.

use super::files;
use crate::crash;
use crate::disk::{FileKind, OpenFolder, refused_link};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::Path;

#[derive(Debug)]
pub struct Folder(OpenFolder);

impl Folder {
    /// The folder that is reached from `base`, which a person named and may be a link, through the folders of `below`,
    /// which may not. `None` where one of them is not there.
    ///
    /// # Errors
    /// `NotADirectory` where something else, a link included, is in the place of one.
    pub fn below(base: &Path, below: &Path) -> io::Result<Option<Folder>> {
        crash::question()?;
        let mut reached = there(files::patiently(|| OpenFolder::open(base)))?.map(Folder);
        // One by one, each closed behind: a process may have few files to open.
        for part in below.components() {
            let Some(folder) = reached else { break };
            reached = folder.folder(part)?;
        }
        Ok(reached)
    }

    /// A folder in this one, or further below.
    ///
    /// # Errors
    /// As [`Folder::below`].
    pub fn folder(&self, path: impl AsRef<Path>) -> io::Result<Option<Folder>> {
        crash::question()?;
        match there(files::patiently(|| self.0.below(&path))) {
            Err(error) if refused_link(&error).is_some() => Err(io::Error::new(io::ErrorKind::NotADirectory, error)),
            opened => Ok(opened?.map(Folder)),
        }
    }

    /// The folder that a path leads to; this one for the empty path.
    ///
    /// # Errors
    /// As [`Folder::below`].
    pub fn inner(&self, path: impl AsRef<Path>) -> io::Result<Option<Folder>> {
        match path.as_ref().as_os_str().is_empty() {
            true => Ok(Some(Folder(files::patiently(|| self.0.try_clone())?))),
            false => self.folder(path),
        }
    }

    /// A folder in this one, made if there is nothing.
    pub fn made(&self, name: &OsStr) -> io::Result<Folder> {
        if let Some(folder) = self.folder(name)? {
            return Ok(folder);
        }
        match self.make(name) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => {
                made?;
                self.sync()?;
            }
        }
        self.folder(name)?.ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// Makes a new folder in this one, not flushed yet.
    ///
    /// # Errors
    /// `AlreadyExists` where something has the name.
    pub fn make(&self, name: &OsStr) -> io::Result<()> {
        crash::operation()?;
        self.0.make(name)
    }

    /// What has this name. `None` where nothing has.
    pub fn find(&self, name: &OsStr) -> io::Result<Option<FileKind>> {
        crash::question()?;
        self.0.find(name)
    }

    /// Opens a plain file for reading.
    ///
    /// # Errors
    /// `InvalidInput` or `IsADirectory` where there is something else; it is never waited for.
    pub fn file(&self, name: &OsStr) -> io::Result<Option<File>> {
        crash::question()?;
        there(files::patiently(|| self.0.file(name)))
    }

    /// All that has a name in it, in no order.
    pub fn entries(&self) -> io::Result<Vec<(OsString, FileKind)>> {
        crash::question()?;
        files::patiently(|| self.0.entries())
    }

    /// Removes a file or link. `false` where there is nothing.
    pub fn remove_file(&self, name: &OsStr) -> io::Result<bool> {
        crash::operation()?;
        Ok(there(self.0.remove(name))?.is_some())
    }

    /// Removes an empty folder. `false` where something is left in it.
    pub fn remove_folder(&self, name: &OsStr) -> io::Result<bool> {
        crash::operation()?;
        match there(self.0.remove_folder(name)) {
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
        match files::while_held(|| self.0.rename(name, &other.0, &to)) {
            Err(error)
                if error.kind() == io::ErrorKind::CrossesDevices && self.find(name)? == Some(FileKind::Folder) =>
            {
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
                FileKind::Folder => from.carry(&name, &to, &name)?,
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
            if self.find(&free)?.is_none() {
                return Ok(free);
            }
        }
        unreachable!("one of endless names is free")
    }

    /// Makes what was made, moved or removed in it survive a power cut.
    pub fn sync(&self) -> io::Result<()> {
        match files::patiently(|| self.0.to_sync())? {
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
        assert_eq!(base.find(name("file")).unwrap(), Some(FileKind::Link));
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
