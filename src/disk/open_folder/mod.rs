//! A folder that is held open, and what lies below it.
//!
//! Every part of the way down is opened by the handle of the part before it, and none may be a link: whatever is put in
//! the place of a file or a folder meanwhile, nothing is read or written outside. A sandbox such as cap-std's would
//! follow the links that stay inside, which in a package are errors (docs/spec/commands.md#store-9), and the system's
//! own calls are few.

#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(not(unix), path = "other.rs")]
mod sys;

use super::plain_file::{neither, not_followed, read_up_to};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::{Component, Path, PathBuf};

/// A folder, open. Paths below it are relative and of plain names.
#[derive(Debug)]
pub struct OpenFolder {
    path: PathBuf,
    handle: sys::Handle,
}

/// What lies at a path, a link being one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    File,
    Folder,
    Link,
    /// A pipe, a socket or a device.
    Other,
}

impl OpenFolder {
    /// Opens the folder that a person named, also through links.
    ///
    /// # Errors
    /// What the system says, `NotADirectory` among it.
    pub fn open(path: &Path) -> io::Result<Self> {
        let named = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        Ok(OpenFolder { path: path.to_owned(), handle: sys::open(named)? })
    }

    /// The path it was opened by.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The same folder, open once more.
    ///
    /// # Errors
    /// What the system says.
    pub fn try_clone(&self) -> io::Result<Self> {
        Ok(OpenFolder { path: self.path.clone(), handle: sys::again(&self.handle)? })
    }

    /// Opens a folder below it.
    ///
    /// # Errors
    /// What the system says, and the link met on the way ([`super::refused_link`]).
    pub fn below(&self, path: impl AsRef<Path>) -> io::Result<Self> {
        let path = path.as_ref();
        let (parent, name) = self.way_to(path)?;
        let parent = parent.as_ref().unwrap_or(&self.handle);
        let handle = sys::folder(parent, name).map_err(|error| self.explained(error, parent, name, path))?;
        Ok(OpenFolder { path: self.path.join(path), handle })
    }

    /// Opens a plain file below it for reading.
    ///
    /// # Errors
    /// As of [`super::open_plain_nofollow`], for a link among the folders on the way as well.
    pub fn file(&self, path: impl AsRef<Path>) -> io::Result<File> {
        let path = path.as_ref();
        let (parent, name) = self.way_to(path)?;
        let parent = parent.as_ref().unwrap_or(&self.handle);
        sys::file(parent, name).map_err(|error| self.explained(error, parent, name, path))
    }

    /// The bytes of a plain file below it, at most so many.
    ///
    /// # Errors
    /// As of [`OpenFolder::file`], and what reading ends with.
    pub fn read_up_to(&self, path: impl AsRef<Path>, most: u64) -> io::Result<Vec<u8>> {
        read_up_to(self.file(path)?, most)
    }

    /// What lies at a path below it; `None` for nothing.
    ///
    /// # Errors
    /// What the system says, and the link met among the folders on the way.
    pub fn find(&self, path: impl AsRef<Path>) -> io::Result<Option<FileKind>> {
        let found = self.way_to(path.as_ref()).and_then(|(parent, name)| {
            let parent = parent.as_ref().unwrap_or(&self.handle);
            sys::found(parent, name)
        });
        match found {
            Ok(found) => Ok(Some(found)),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// All that lies in it, in no order.
    ///
    /// # Errors
    /// What the system says.
    pub fn entries(&self) -> io::Result<Vec<(OsString, FileKind)>> {
        sys::entries(&self.handle)
    }

    /// The names of all that lies in it, sorted.
    ///
    /// # Errors
    /// What the system says.
    pub fn names(&self) -> io::Result<Vec<OsString>> {
        let mut names: Vec<_> = self.entries()?.into_iter().map(|(name, _)| name).collect();
        names.sort_unstable();
        Ok(names)
    }

    /// Makes a new folder in it, as the umask has it.
    ///
    /// # Errors
    /// What the system says, `AlreadyExists` among it.
    pub fn make(&self, name: impl AsRef<OsStr>) -> io::Result<()> {
        sys::make(&self.handle, plain_name(name.as_ref())?)
    }

    /// Makes a new file in it, for its owner alone.
    ///
    /// # Errors
    /// What the system says, `AlreadyExists` among it.
    pub fn create(&self, name: impl AsRef<OsStr>) -> io::Result<File> {
        sys::create(&self.handle, plain_name(name.as_ref())?)
    }

    /// Gives what is in it another name in that folder or another, in the place of a file that has it.
    ///
    /// # Errors
    /// What the system says.
    pub fn rename(&self, from: impl AsRef<OsStr>, to: &OpenFolder, name: impl AsRef<OsStr>) -> io::Result<()> {
        sys::rename(&self.handle, plain_name(from.as_ref())?, &to.handle, plain_name(name.as_ref())?)
    }

    /// Removes a file or a link in it.
    ///
    /// # Errors
    /// What the system says.
    pub fn remove(&self, name: impl AsRef<OsStr>) -> io::Result<()> {
        sys::remove(&self.handle, plain_name(name.as_ref())?)
    }

    /// Removes an empty folder in it.
    ///
    /// # Errors
    /// What the system says, `DirectoryNotEmpty` where something is left in it.
    pub fn remove_folder(&self, name: impl AsRef<OsStr>) -> io::Result<()> {
        sys::remove_folder(&self.handle, plain_name(name.as_ref())?)
    }

    /// What to flush so that what was made, moved or removed in it survives a power cut. `None` where folders have no
    /// such handle: on Windows, whose renames are journalled.
    ///
    /// # Errors
    /// What the system says.
    pub fn to_sync(&self) -> io::Result<Option<File>> {
        sys::to_sync(&self.handle)
    }

    /// The folder that a path below ends in, `None` for this one itself, and the last name.
    fn way_to<'p>(&self, path: &'p Path) -> io::Result<(Option<sys::Handle>, &'p OsStr)> {
        let mut parts = path.components().map(|part| match part {
            Component::Normal(name) => Ok(name),
            _ => Err(io::Error::new(io::ErrorKind::InvalidInput, "the path leads out of its folder")),
        });
        let mut name = parts.next().unwrap_or(Err(io::ErrorKind::InvalidInput.into()))?;
        let mut way = PathBuf::from(name);
        let mut at = None;
        for next in parts {
            let next = next?;
            let parent = at.as_ref().unwrap_or(&self.handle);
            at = Some(sys::folder(parent, name).map_err(|error| self.explained(error, parent, name, &way))?);
            name = next;
            way.push(next);
        }
        Ok((at, name))
    }

    /// The failure to open what is at `path`, which says so where it is a link; what systems say of one differs.
    /// Sockets and some devices cannot even be opened.
    fn explained(&self, error: io::Error, parent: &sys::Handle, name: &OsStr, path: &Path) -> io::Error {
        match sys::found(parent, name) {
            Ok(FileKind::Link) => not_followed(&self.path.join(path)),
            Ok(FileKind::Other) if error.kind() != io::ErrorKind::NotADirectory => neither(),
            _ => error,
        }
    }
}

/// One part of a path.
fn plain_name(name: &OsStr) -> io::Result<&OsStr> {
    let mut parts = Path::new(name).components();
    match (parts.next(), parts.next()) {
        (Some(Component::Normal(only)), None) => Ok(only),
        _ => Err(io::ErrorKind::InvalidInput.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(unix)]
    use crate::disk::refused_link;
    use std::fs;

    fn folder() -> (tempfile::TempDir, OpenFolder) {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("a/b")).unwrap();
        fs::write(dir.path().join("a/b/file"), "bytes").unwrap();
        let open = OpenFolder::open(dir.path()).unwrap();
        (dir, open)
    }

    #[test]
    fn what_lies_below_is_found_read_and_listed() {
        let (_dir, open) = folder();
        assert_eq!(open.read_up_to("a/b/file", 3).unwrap(), b"byt");
        assert_eq!(open.below("a/b").unwrap().read_up_to("file", 9).unwrap(), b"bytes");
        assert_eq!(open.below("a").unwrap().names().unwrap(), ["b"]);
        for (path, found) in
            [("a", Some(FileKind::Folder)), ("a/b/file", Some(FileKind::File)), ("a/c", None), ("a/b/file/c", None)]
        {
            assert_eq!(open.find(path).unwrap(), found, "{path}");
        }
        assert_eq!(open.file("a/b").unwrap_err().kind(), io::ErrorKind::IsADirectory);
        assert_eq!(open.file("a/c").unwrap_err().kind(), io::ErrorKind::NotFound);
        assert_eq!(open.below("a/b/file").unwrap_err().kind(), io::ErrorKind::NotADirectory);
    }

    #[test]
    fn no_path_leads_out() {
        let (_dir, open) = folder();
        for path in ["", ".", "..", "../x", "a/../../x", "/etc/hostname"] {
            assert_eq!(open.file(path).unwrap_err().kind(), io::ErrorKind::InvalidInput, "{path}");
            assert!(open.below(path).is_err() && open.find(path).is_err() && open.create(path).is_err(), "{path}");
        }
        assert!(open.create("a/new").is_err() && open.remove("a/b").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn no_link_is_followed_and_a_folder_that_is_moved_away_is_still_the_one_that_was_opened() {
        use std::os::unix::fs::symlink;
        let (dir, open) = folder();
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("file"), "secret").unwrap();
        symlink(outside.path(), dir.path().join("out")).unwrap();
        symlink("b", dir.path().join("a/inside")).unwrap();
        symlink("file", dir.path().join("a/b/again")).unwrap();
        for (path, link) in [("out/file", "out"), ("a/inside/file", "a/inside"), ("a/b/again", "a/b/again")] {
            let error = open.file(path).unwrap_err();
            assert_eq!(refused_link(&error), Some(dir.path().join(link).as_path()), "{path}: {error}");
        }
        assert!(refused_link(&open.below("out").unwrap_err()).is_some());
        assert!(refused_link(&open.find("out/file").unwrap_err()).is_some());
        assert_eq!(open.find("out").unwrap(), Some(FileKind::Link));

        let held = open.below("a/b").unwrap();
        fs::rename(dir.path().join("a/b"), dir.path().join("moved")).unwrap();
        symlink(outside.path(), dir.path().join("a/b")).unwrap();
        assert_eq!(held.read_up_to("file", 9).unwrap(), b"bytes");
        held.create("new").unwrap();
        held.rename("new", &held, "file").unwrap();
        held.remove("file").unwrap();
        assert_eq!(fs::read(outside.path().join("file")).unwrap(), b"secret");
        assert!(!dir.path().join("moved/file").exists());
        held.make("in").unwrap();
        held.rename("in", &open, "up").unwrap();
        assert_eq!(open.remove_folder("moved").unwrap_err().kind(), io::ErrorKind::DirectoryNotEmpty);
        open.remove_folder("up").unwrap();
        assert_eq!(held.entries().unwrap(), [("again".into(), FileKind::Link)]);
    }

    #[cfg(unix)]
    #[test]
    fn what_cannot_be_opened_is_told_as_no_plain_file() {
        let (dir, open) = folder();
        let _socket = std::os::unix::net::UnixListener::bind(dir.path().join("socket")).unwrap();
        assert_eq!(open.file("socket").unwrap_err().kind(), io::ErrorKind::InvalidInput);
        assert_eq!(open.below("socket").unwrap_err().kind(), io::ErrorKind::NotADirectory);
    }
}
