//! A version folder on disk: is it what its manifest declares, and what else does it hold.

use super::folder::Folder;
use super::{Layout, OwnFile, files};
use crate::disk::{FileKind, Unverified, Verified, read_up_to};
use crate::threads;
use crate::types::{Cancel, Expected};
use std::io;
use std::path::Path;

/// One way a version folder is not as it was installed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    Missing(String),
    Changed {
        path: String,
        why: String,
    },
    /// A link, a folder or something else where a file belongs.
    NotAFile(String),
    Unreadable {
        path: String,
        why: String,
    },
}

impl Flaw {
    /// The path within the version folder.
    pub fn path(&self) -> &str {
        match self {
            Flaw::Missing(path) | Flaw::NotAFile(path) => path,
            Flaw::Changed { path, .. } | Flaw::Unreadable { path, .. } => path,
        }
    }
}

impl std::fmt::Display for Flaw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Flaw::Missing(path) => write!(f, "{path} is missing"),
            Flaw::Changed { path, why } => write!(f, "{path} was changed: {why}"),
            Flaw::NotAFile(path) => write!(f, "{path} is not a regular file"),
            Flaw::Unreadable { path, why } => write!(f, "{path} cannot be read: {why}"),
        }
    }
}

/// What a file is, held against what it must be.
#[derive(Debug, PartialEq, Eq)]
pub enum Seen {
    AsPut,
    Missing,
    Changed(String),
    NotAFile,
}

/// Holds one file of a folder against what it must be; without an expectation it only has to be a plain file. No link
/// is followed, neither in its place nor among the folders on the way.
///
/// # Errors
/// That the disk does not say. It says nothing about the file.
pub fn look(folder: &Folder, path: &str, expected: Option<Expected>, cancel: &Cancel) -> Result<Seen, Unverified> {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let folder = match folder.inner(folders) {
        Ok(Some(folder)) => folder,
        Ok(None) => return Ok(Seen::Missing),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => return Ok(Seen::NotAFile),
        Err(error) => return Err(error.into()),
    };
    let Some(expected) = expected else {
        return Ok(match folder.find(name.as_ref())? {
            None => Seen::Missing,
            Some(FileKind::File) => Seen::AsPut,
            Some(_) => Seen::NotAFile,
        });
    };
    let file = match folder.file(name.as_ref()) {
        Ok(Some(file)) => file,
        Ok(None) => return Ok(Seen::Missing),
        Err(error) if is_something_else(&error) => return Ok(Seen::NotAFile),
        Err(error) => return Err(error.into()),
    };
    match Verified::file(file, expected, cancel) {
        Ok(_) => Ok(Seen::AsPut),
        Err(Unverified::Mismatch(why)) => Ok(Seen::Changed(why.to_string())),
        Err(error) => Err(error),
    }
}

/// The bytes of a plain file in a folder; `None` where there is none, or something else in its place. No link is
/// followed, neither there nor among the folders on the way.
///
/// # Errors
/// That the disk does not say.
pub fn plain(folder: &Folder, path: &str) -> io::Result<Option<Vec<u8>>> {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let file = match folder.inner(folders) {
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => return Ok(None),
        folder => match folder?.map(|folder| folder.file(name.as_ref())).transpose() {
            Err(error) if is_something_else(&error) => return Ok(None),
            file => file?.flatten(),
        },
    };
    file.map(|file| read_up_to(file, u64::MAX)).transpose()
}

fn is_something_else(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::IsADirectory)
}

/// Holds one file of a folder of the store against what it must be. Links are never followed.
pub fn check_file(
    layout: &Layout,
    root: &Path,
    path: &str,
    expected: Option<Expected>,
    cancel: &Cancel,
) -> Result<Option<Flaw>, Unverified> {
    let seen = match layout.open(root) {
        Ok(None) => Ok(Seen::Missing),
        Ok(Some(folder)) => look(&folder, path, expected, cancel),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(Seen::NotAFile),
        Err(error) => Err(error.into()),
    };
    let path = path.to_owned();
    match seen {
        Ok(Seen::AsPut) => Ok(None),
        Ok(Seen::Missing) => Ok(Some(Flaw::Missing(path))),
        Ok(Seen::NotAFile) => Ok(Some(Flaw::NotAFile(path))),
        Ok(Seen::Changed(why)) => Ok(Some(Flaw::Changed { path, why })),
        Err(Unverified::Io(error)) if !files::is_of_this_process(&error) => {
            Ok(Some(Flaw::Unreadable { path, why: error.to_string() }))
        }
        Err(error) => Err(error),
    }
}

/// Holds the files of a version folder against what they must be, on all processors. One without an expectation only
/// has to be a plain file. The flaws come in the order of the files.
pub fn check_files(layout: &Layout, root: &Path, files: &[OwnFile], cancel: &Cancel) -> Result<Vec<Flaw>, Unverified> {
    let check = |file: &OwnFile| check_file(layout, root, &file.path, file.expected, cancel);
    threads::map(files, check).into_iter().filter_map(Result::transpose).collect()
}

/// Every file and link below a folder of the store, as paths joined by `/`, sorted. Links are not followed; a folder
/// that is itself reached through one holds nothing of ours.
///
/// # Errors
/// Where the disk does not say.
pub fn files_below(layout: &Layout, root: &Path) -> io::Result<Vec<String>> {
    fn walk(folder: &Folder, prefix: &str, found: &mut Vec<String>) -> io::Result<()> {
        for (name, kind) in folder.entries()? {
            let path = format!("{prefix}{}", name.to_string_lossy());
            match kind {
                FileKind::Folder => {
                    if let Some(inner) = folder.folder(&name)? {
                        walk(&inner, &format!("{path}/"), found)?;
                    }
                }
                _ => found.push(path),
            }
        }
        Ok(())
    }
    let mut found = Vec::new();
    if let Some(folder) = layout.open_own(root)? {
        walk(&folder, "", &mut found)?;
    }
    found.sort();
    Ok(found)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn links_are_flaws_and_never_followed() {
        use std::fs;
        let dir = tempfile::tempdir().unwrap();
        let layout = Layout::new(dir.path());
        let outside = dir.path().join("outside");
        let root = layout.version(&"demo".parse().unwrap(), &"1.0.0".parse().unwrap());
        fs::create_dir_all(&outside).unwrap();
        fs::create_dir_all(&root).unwrap();
        fs::write(outside.join("a.json"), "x").unwrap();
        std::os::unix::fs::symlink(outside.join("a.json"), root.join("ruleset.json")).unwrap();
        std::os::unix::fs::symlink(&outside, root.join("catalogs")).unwrap();
        let check = |path| check_file(&layout, &root, path, Some(Expected::of(b"x")), &Cancel::default()).unwrap();
        for path in ["ruleset.json", "catalogs/a.json"] {
            assert_eq!(check(path), Some(Flaw::NotAFile(path.to_owned())));
        }
        assert_eq!(check("gone/a.json"), Some(Flaw::Missing("gone/a.json".to_owned())));
        assert_eq!(files_below(&layout, &root).unwrap(), ["catalogs", "ruleset.json"]);
        // A link above it is none of ours either, wherever it stands.
        for above in [layout.package(&"demo".parse().unwrap()), layout.versions(), layout.packages().to_owned()] {
            fs::rename(&above, dir.path().join("moved")).unwrap();
            std::os::unix::fs::symlink(dir.path().join("moved"), &above).unwrap();
            assert_eq!(files_below(&layout, &root).unwrap(), [""; 0]);
            assert_eq!(check("catalogs/a.json"), Some(Flaw::NotAFile("catalogs/a.json".to_owned())));
            fs::remove_file(&above).unwrap();
            fs::rename(dir.path().join("moved"), &above).unwrap();
        }
    }
}
