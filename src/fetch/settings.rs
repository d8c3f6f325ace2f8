use super::source::{CatalogSource, Mirror};
use crate::types::{Deadline, Expected, HttpsUrl, Language, Transfer, TransferKind};
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// Where to take bytes from, and how.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where the catalog is.
    pub source: CatalogSource,
    /// Where its files are, if not where it says.
    pub mirror: Option<Mirror>,
    /// Never use the network. Folders and the cache are used all the same.
    pub offline: bool,
    /// Ask the source for its catalog even if the kept copy is fresh.
    pub refresh: bool,
    /// Whether somebody waits for a page to open: transient faults are tried again as often, but sooner and for 2 s in
    /// all, since what is missing then is asked for again with the next page.
    pub hurried: bool,
    /// Certificates to trust beside the system's, as a PEM file.
    pub ca_cert: Option<PathBuf>,
    /// Bounds each single request; 15 s for a catalog and 120 s for a file when not given.
    pub timeout: Option<Duration>,
    /// Where catalogs and files are kept for the next time.
    pub cache_dir: PathBuf,
    /// After it nothing is waited for any more.
    pub deadline: Deadline,
}

impl Settings {
    /// A source whose files lie where it says, asked as often and for as long as it takes.
    pub fn new(source: CatalogSource, cache_dir: PathBuf) -> Self {
        Settings {
            source,
            mirror: None,
            offline: false,
            refresh: false,
            hurried: false,
            ca_cert: None,
            timeout: None,
            cache_dir,
            deadline: Deadline::NONE,
        }
    }
}

/// A file that is wanted.
#[derive(Clone, Debug)]
pub struct Want {
    pub url: HttpsUrl,
    pub expected: Expected,
    /// What a reader knows it by, such as the name of its ruleset.
    pub label: String,
    /// The package it belongs to.
    pub package: Option<String>,
    pub purpose: Purpose,
    /// Whether it may come from the cache alone: nobody is known to offer it any more.
    pub cache_only: bool,
}

/// What a file is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Purpose {
    Artifact,
    /// The language pack of this language.
    Pack(Language),
}

impl Want {
    /// What is told of its download.
    pub(super) fn transfer(&self) -> Transfer {
        let (kind, language) = match &self.purpose {
            Purpose::Artifact => (TransferKind::Artifact, None),
            Purpose::Pack(language) => (TransferKind::LanguagePack, Some(language.to_string())),
        };
        Transfer {
            label: self.label.clone(),
            package: self.package.clone(),
            language,
            kind,
            bytes: self.expected.bytes.0,
        }
    }
}

impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Purpose::Artifact => "artifact",
            Purpose::Pack(_) => "language pack",
        })
    }
}
