use super::failure::{failure, is_missing};
use super::read;
use super::unread::Unread;
use crate::catalog::{MANIFEST, RULESET};
use crate::disk::{OpenFolder, refused_link};
use crate::types::{Code, Failure};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where a package folder lies: it was named, or it lies in a folder that was. That one stays open; the package's own
/// is opened for each use, since there may be more packages than a process may have folders open.
#[derive(Clone, Debug)]
pub struct PackageFolder {
    named: Arc<OpenFolder>,
    below: Option<PathBuf>,
}

impl PackageFolder {
    /// The package folders of `dir`: itself, those in its `packages/`, or those right in it, by name.
    ///
    /// # Errors
    ///
    /// `file-not-found` when there is none, `unsafe-path` for a link that leads to one.
    pub fn find(dir: &Path) -> Result<Vec<Self>, Failure> {
        let named = Arc::new(read::folder(dir)?);
        if is_package(&named, Path::new(""))? {
            return Ok(vec![PackageFolder { named, below: None }]);
        }
        let packages = Path::new("packages");
        let (parent, names) = match named.below(packages) {
            Ok(folder) => (packages, folder.names()),
            Err(error) if refused_link(&error).is_some() => return Err(unread(&named, packages, &error)),
            Err(error) if is_missing(&error) => (Path::new(""), named.names()),
            Err(error) => (packages, Err(error)),
        };
        let names = names.map_err(|error| unread(&named, parent, &error))?;
        let is_hidden = |name: &OsStr| name.as_encoded_bytes().starts_with(b".");
        let mut places = Vec::new();
        for below in names.iter().filter(|name| !is_hidden(name)).map(|name| parent.join(name)) {
            if is_package(&named, &below)? {
                places.push(PackageFolder { named: named.clone(), below: Some(below) });
            }
        }
        if places.is_empty() {
            let message = format!("{} contains no package folder", dir.display());
            let hint = "give a package folder (with manifest.json and ruleset.json), a folder of them, or a folder \
                        with packages/";
            return Err(Failure::new(Code::FileNotFound, message).hint(hint));
        }
        Ok(places)
    }

    pub fn path(&self) -> PathBuf {
        self.below.as_ref().map_or_else(|| self.named.path().to_owned(), |below| self.named.path().join(below))
    }

    /// Opens the folder.
    ///
    /// # Errors
    ///
    /// `unsafe-path` for a link that took its place, and what the system says.
    pub fn open(&self) -> Result<OpenFolder, Failure> {
        match &self.below {
            None => self.named.try_clone().map_err(|error| failure(self.named.path(), &error)),
            Some(below) => self.named.below(below).map_err(|error| unread(&self.named, below, &error)),
        }
    }
}

/// Whether a folder is that of a package. One that has no manifest yet, or that a link leads to, is not passed over: it
/// would leave the catalog.
fn is_package(named: &OpenFolder, below: &Path) -> Result<bool, Failure> {
    for name in [MANIFEST, RULESET] {
        let path = below.join(name);
        match named.find(&path) {
            Ok(None) => {}
            Ok(Some(_)) => return Ok(true),
            // Links to anything else are nobody's business here.
            Err(error) if refused_link(&error).is_some() => {
                if named.path().join(&path).symlink_metadata().is_ok() {
                    return Err(unread(named, &path, &error));
                }
            }
            Err(error) => return Err(unread(named, &path, &error)),
        }
    }
    Ok(false)
}

fn unread(named: &OpenFolder, path: &Path, error: &std::io::Error) -> Failure {
    Unread::new(named, &path.to_string_lossy(), error).into()
}
