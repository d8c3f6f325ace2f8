//! Getting the release notes beside a catalog. Whatever goes wrong, there are none: they never keep anybody from
//! anything (docs/spec/catalog.md#release-notes).

use super::cache::{Folder, read_here};
use super::download::{Answer, Line};
use super::error::FetchError;
use super::fetcher::{Fetcher, Network};
use super::local;
use super::source::CatalogSource;
use crate::disk::read_plain_up_to;
use crate::types::{ByteSize, Reporter, Sha256};
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};
use tokio::sync::Semaphore;
use url::Url;

/// The largest document of notes, as the engine's limit of a catalog.
const MAX_NOTES: ByteSize = ByteSize::mib(2);

/// How long notes are taken as fresh, as a catalog is.
const FRESH: Duration = Duration::from_secs(5 * 60);

/// How long notes are waited for: they are the least of what is told.
const PATIENCE: Duration = Duration::from_secs(5);

/// What they are called, beside a `catalog.json`.
const NOTES: &str = "notes.json";

impl Fetcher {
    /// The text of the notes beside the catalog; empty where there are none, or none to be had. A kept copy does for
    /// five minutes, and for longer when they cannot be asked for.
    pub fn notes(&self, reporter: &dyn Reporter) -> String {
        let bytes = match self.settings.source.clone() {
            CatalogSource::Local(path) => {
                let catalog = local::catalog_path(&path).ok();
                catalog.and_then(|catalog| whole(read_plain_up_to(&catalog.with_file_name(NOTES), MAX_NOTES.0 + 1)))
            }
            CatalogSource::Web(address) => beside(address.url()).and_then(|url| self.web_notes(&url, reporter)),
        };
        bytes.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
    }

    fn web_notes(&self, url: &Url, reporter: &dyn Reporter) -> Option<Vec<u8>> {
        let name = Sha256::of(url.as_str().as_bytes()).to_string();
        let path = self.cache.path(Folder::Catalogs, &name);
        let age = std::fs::metadata(&path).and_then(|meta| meta.modified()).ok();
        let age = age.and_then(|changed| SystemTime::now().duration_since(changed).ok());
        let is_fresh = age.is_some_and(|age| age < FRESH) && !self.settings.refresh;
        if self.settings.offline || is_fresh {
            return whole(read_here(&path, MAX_NOTES.0 + 1));
        }
        let asked = match self.ask_for_notes(url, reporter) {
            Ok(bytes) => bytes,
            // That there are none is an answer as well.
            Err(FetchError::Status { status, .. }) if status.as_u16() == 404 => Vec::new(),
            Err(_) => return whole(read_here(&path, MAX_NOTES.0 + 1)),
        };
        let kept = self.cache.create(Folder::Catalogs).and_then(|mut temp| {
            temp.write_all(&asked)?;
            self.cache.keep(Folder::Catalogs, temp.into_temp_path(), &name)
        });
        if let Err(error) = kept {
            self.cannot_keep(&error);
        }
        Some(asked)
    }

    fn ask_for_notes(&self, url: &Url, reporter: &dyn Reporter) -> Result<Vec<u8>, FetchError> {
        let whole = self.settings.deadline.left().map_or(PATIENCE, |left| left.min(PATIENCE));
        let timeout = self.settings.timeout.map_or(whole, |timeout| timeout.min(whole));
        let network = Network::ready(&self.network, &self.settings)?;
        let (turns, slots, scratch) = (Semaphore::new(1), Semaphore::new(1), PathBuf::new());
        let line = Line { fetcher: self, network, pace: self.pace.hurried(), timeout, reporter, turns, slots, scratch };
        match network.block_on(line.catalog(url, None, whole))? {
            Answer::Body(body, _) if body.len() as u64 <= MAX_NOTES.0 => Ok(body),
            _ => Err(FetchError::Offline { what: "the release notes".to_owned() }),
        }
    }
}

/// The address of the notes of a catalog at this address, where that says which file it is.
fn beside(catalog: &Url) -> Option<Url> {
    catalog.path().ends_with("/catalog.json").then(|| catalog.join(NOTES).ok()).flatten()
}

/// Notes that were read, if they are no larger than they may be.
fn whole(read: io::Result<Vec<u8>>) -> Option<Vec<u8>> {
    read.ok().filter(|bytes| bytes.len() as u64 <= MAX_NOTES.0)
}
