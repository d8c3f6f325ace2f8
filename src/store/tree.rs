//! A version folder on disk: is it what its manifest declares, and taking it away without touching anything else.

use super::{OwnFile, files};
use crate::types::{Cancel, Expected, Unverified, Verified};
use crate::{crash, threads};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

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
            Flaw::Changed { path, why } => write!(f, "{path} has been changed: {why}"),
            Flaw::NotAFile(path) => write!(f, "{path} is not a plain file"),
            Flaw::Unreadable { path, why } => write!(f, "{path} cannot be read: {why}"),
        }
    }
}

/// Holds one file against what it must be. Links are never followed.
pub fn check_file(root: &Path, path: &str, expected: Expected, cancel: &Cancel) -> Result<Option<Flaw>, Unverified> {
    let full = join(root, path);
    let unreadable = |error: &io::Error| Flaw::Unreadable { path: path.to_owned(), why: error.to_string() };
    match fs::symlink_metadata(&full) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Some(Flaw::Missing(path.to_owned()))),
        Err(error) => return Ok(Some(unreadable(&error))),
        Ok(meta) if !meta.is_file() => return Ok(Some(Flaw::NotAFile(path.to_owned()))),
        Ok(_) => {}
    }
    // Folders on the way are the package's own as well: a link among them leads somewhere else.
    if !is_own_folder(root) {
        return Ok(Some(Flaw::NotAFile(path.to_owned())));
    }
    let mut folder = root.to_owned();
    for part in path.split('/').take(path.split('/').count() - 1) {
        folder.push(part);
        if !files::is_real_folder(&folder) {
            return Ok(Some(Flaw::NotAFile(path.to_owned())));
        }
    }
    let file = match File::open(&full) {
        Ok(file) => file,
        Err(error) if files::is_of_this_process(&error) => return Err(error.into()),
        Err(error) => return Ok(Some(unreadable(&error))),
    };
    match Verified::file(file, expected, cancel) {
        Ok(_) => Ok(None),
        Err(Unverified::Mismatch(why)) => Ok(Some(Flaw::Changed { path: path.to_owned(), why: why.to_string() })),
        Err(Unverified::Io(error)) => Ok(Some(unreadable(&error))),
        Err(Unverified::Interrupted) => Err(Unverified::Interrupted),
    }
}

/// Holds the files of a version folder against what they must be, on all processors. One without an expectation only has
/// to be a plain file. The flaws come in the order of the files.
pub fn check_files(root: &Path, files: &[OwnFile], cancel: &Cancel) -> Result<Vec<Flaw>, Unverified> {
    let check = |OwnFile { path, expected }: &OwnFile| match expected {
        Some(expected) => check_file(root, path, *expected, cancel),
        None => Ok(match fs::symlink_metadata(join(root, path)) {
            Ok(meta) if meta.is_file() && is_own_folder(root) => None,
            Ok(_) => Some(Flaw::NotAFile(path.clone())),
            Err(_) => Some(Flaw::Missing(path.clone())),
        }),
    };
    threads::map(files, check).into_iter().filter_map(Result::transpose).collect()
}

fn join(root: &Path, path: &str) -> PathBuf {
    let mut full = root.to_owned();
    full.extend(path.split('/'));
    full
}

/// Every file and link below a folder, as paths joined by `/`, sorted. Links are not followed.
pub fn files_below(root: &Path) -> Vec<String> {
    fn walk(folder: &Path, prefix: &str, found: &mut Vec<String>) {
        let Ok(entries) = fs::read_dir(folder) else { return };
        for entry in entries.flatten() {
            let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => walk(&entry.path(), &format!("{path}/"), found),
                _ => found.push(path),
            }
        }
    }
    let mut found = Vec::new();
    if is_own_folder(root) {
        walk(root, "", &mut found);
    }
    found.sort();
    found
}

/// Whether a version folder is itself no link, nor the package's folder above it: what lies behind a link is not
/// rulepack's.
pub fn is_own_folder(root: &Path) -> bool {
    files::is_real_folder(root) && root.parent().is_none_or(files::is_real_folder)
}

/// Removes the named files of a version folder, then every folder left empty, up to and including `root`. What
/// somebody else put there stays (contract, section 4, rule 8). Nothing is reached through a link.
pub fn remove(root: &Path, paths: &BTreeSet<String>) -> io::Result<()> {
    if !files::exists(root) {
        return Ok(());
    }
    if !is_own_folder(root) {
        return Err(io::Error::other("a link leads there"));
    }
    for path in paths {
        if has_real_parent(root, path) {
            match files::remove_if_there(&join(root, path)) {
                Err(error) if is_a_folder_there(&error) => {}
                done => done?,
            }
            crash::point("file-removed");
        }
    }
    remove_empty_folders(root);
    Ok(())
}

fn is_a_folder_there(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::IsADirectory | io::ErrorKind::PermissionDenied | io::ErrorKind::NotADirectory)
}

fn has_real_parent(root: &Path, path: &str) -> bool {
    let mut folder = root.to_owned();
    let parts: Vec<&str> = path.split('/').collect();
    parts[..parts.len() - 1].iter().all(|part| {
        folder.push(part);
        files::is_real_folder(&folder)
    })
}

fn remove_empty_folders(root: &Path) {
    if let Ok(entries) = fs::read_dir(root) {
        let folders = entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        folders.for_each(|entry| remove_empty_folders(&entry.path()));
    }
    // Refused where something is left in it, which is the point.
    let _ = fs::remove_dir(root);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_named_is_removed() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("1.0.0");
        fs::create_dir_all(root.join("catalogs/deep")).unwrap();
        fs::create_dir_all(root.join("notes")).unwrap();
        fs::write(root.join("ruleset.json"), "x").unwrap();
        fs::write(root.join("catalogs/deep/a.json"), "x").unwrap();
        fs::write(root.join("notes/mine.txt"), "x").unwrap();
        let own =
            BTreeSet::from(["ruleset.json".to_owned(), "catalogs/deep/a.json".to_owned(), "gone.json".to_owned()]);
        remove(&root, &own).unwrap();
        assert_eq!(files_below(&root), ["notes/mine.txt"]);
        assert!(!root.join("catalogs").exists());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_flaws_and_never_followed() {
        let dir = tempfile::tempdir().unwrap();
        let outside = dir.path().join("outside");
        let root = dir.path().join("1.0.0");
        fs::create_dir_all(&outside).unwrap();
        fs::create_dir_all(&root).unwrap();
        fs::write(outside.join("a.json"), "x").unwrap();
        std::os::unix::fs::symlink(outside.join("a.json"), root.join("ruleset.json")).unwrap();
        std::os::unix::fs::symlink(&outside, root.join("catalogs")).unwrap();
        let check = |path| check_file(&root, path, Expected::of(b"x"), &Cancel::default()).unwrap();
        assert_eq!(check("ruleset.json"), Some(Flaw::NotAFile("ruleset.json".to_owned())));
        assert_eq!(check("catalogs/a.json"), Some(Flaw::NotAFile("catalogs/a.json".to_owned())));
        let own = BTreeSet::from(["ruleset.json".to_owned(), "catalogs/a.json".to_owned()]);
        remove(&root, &own).unwrap();
        assert!(outside.join("a.json").exists());
    }
}
