use std::path::{Path, PathBuf};

/// A DiceFrame root: where its built-in rules and worlds and its installed packs lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host {
    root: PathBuf,
}

impl Host {
    /// The host in this folder. Nothing is asked of it: a folder without rules is a host without rules.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Host { root: root.into() }
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where `extends` finds built-in rules by the name of their file.
    pub fn built_in_rules(&self) -> PathBuf {
        self.root.join("templates").join("rules")
    }

    /// Where its own world templates lie.
    pub fn built_in_worlds(&self) -> PathBuf {
        self.root.join("templates").join("worlds")
    }

    /// The folders whose folders are packs: those under development, and those installed.
    pub fn pack_shelves(&self) -> [PathBuf; 2] {
        [self.root.join("plugins"), self.root.join("data").join("plugin-packages")]
    }
}
