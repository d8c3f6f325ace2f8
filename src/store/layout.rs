use super::folder::Folder;
use super::owner::{IMPORTED, Owner};
use super::{StoreError, files};
use crate::types::{Language, PackageId, Version};
use std::io;
use std::path::{Path, PathBuf};

/// Where everything lies below the data folder: the engine's own layout, and our few files beside it
/// (docs/spec/commands.md#the-store).
#[derive(Clone, Debug)]
pub struct Layout {
    packages: PathBuf,
}

/// The folder, beside a version's other files, that holds the one language pack kept.
pub const LOCALES: &str = "locales";

impl Layout {
    pub fn new(data_dir: &Path) -> Self {
        Layout { packages: data_dir.join("capability-packages") }
    }

    /// The engine's folder of installed packages.
    pub fn packages(&self) -> &Path {
        &self.packages
    }

    /// The engine's registry.
    pub fn registry(&self) -> PathBuf {
        self.packages.join("installed.json")
    }

    /// The engine's record of versions the reader declined.
    pub fn decisions(&self) -> PathBuf {
        self.packages.join("update-decisions-v1.json")
    }

    /// Our own record: language, holds, receipts.
    pub fn state(&self) -> PathBuf {
        self.packages.join("rulepack.json")
    }

    /// What is being changed right now, so that any later run can finish it.
    pub fn intent(&self) -> PathBuf {
        self.packages.join(".rulepack-intent.json")
    }

    pub fn lock(&self) -> PathBuf {
        self.packages.join(".rulepack.lock")
    }

    /// The folder that holds one folder a package.
    pub fn versions(&self) -> PathBuf {
        self.packages.join("versions")
    }

    /// The folder that holds a package's versions.
    pub fn package(&self, id: &PackageId) -> PathBuf {
        self.versions().join(id.as_str())
    }

    pub fn version(&self, id: &PackageId, version: &Version) -> PathBuf {
        self.package(id).join(version.as_str())
    }

    /// The data folder itself.
    pub fn data(&self) -> &Path {
        self.packages.parent().unwrap_or(&self.packages)
    }

    /// Opens a folder of the store, by a path as the other functions here give it. The data folder may be reached
    /// through links, nothing below it (docs/spec/commands.md#store-9). `None` where it is not there.
    ///
    /// # Errors
    /// `NotADirectory` where a link or something else is in its place or on the way.
    pub(super) fn open(&self, path: &Path) -> io::Result<Option<Folder>> {
        let below = path.strip_prefix(self.data()).map_err(|_| io::ErrorKind::InvalidInput)?;
        Folder::below(self.data(), below)
    }

    /// The same where a link, or what is no folder, is as good as nothing: it holds nothing of ours.
    ///
    /// # Errors
    /// Where the disk does not say.
    pub(super) fn open_own(&self, path: &Path) -> io::Result<Option<Folder>> {
        match self.open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(None),
            opened => opened,
        }
    }

    /// Opens a folder of the store as [`Layout::open`] does, and makes what is not there.
    pub(super) fn made(&self, path: &Path) -> io::Result<Folder> {
        let mut folder = self.open(self.data())?.ok_or(io::ErrorKind::NotFound)?;
        for name in path.strip_prefix(self.data()).map_err(|_| io::ErrorKind::InvalidInput)? {
            folder = folder.made(name)?;
        }
        Ok(folder)
    }

    /// Refuses a link in the place of the engine's folder: what it leads to is not the data folder's.
    pub(super) fn refuse_link(&self) -> Result<(), StoreError> {
        match files::metadata(self.packages()) {
            Ok(Some(there)) if there.is_symlink() => Err(StoreError::Link { path: self.packages().to_owned() }),
            // Whoever opens it says what is wrong.
            _ => Ok(()),
        }
    }

    /// The folder that holds one folder an imported ruleset: the reader's own, which the engine's registry does not
    /// name.
    pub fn imports(&self) -> PathBuf {
        self.data().join("rulesets").join(IMPORTED)
    }

    /// The folder of one version of an imported ruleset.
    pub fn import(&self, id: &PackageId, version: u64) -> PathBuf {
        self.imports().join(id.as_str()).join(version.to_string())
    }

    /// The folder that holds the versions of a package or of an imported ruleset.
    pub fn home(&self, owner: &Owner) -> PathBuf {
        match owner {
            Owner::Package(id) => self.package(id),
            Owner::Imported(id) => self.imports().join(id.as_str()),
        }
    }

    /// One version's folder of either, by its name.
    pub fn folder(&self, owner: &Owner, name: &str) -> PathBuf {
        self.home(owner).join(name)
    }

    /// Where the pack of a language lies in a version folder.
    pub fn pack_in(version_folder: &Path, language: &Language) -> PathBuf {
        version_folder.join(LOCALES).join(format!("{language}.json"))
    }
}
