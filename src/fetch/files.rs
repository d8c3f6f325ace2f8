//! Getting files.

use super::download::{Downloaded, Job, Line, Target};
use super::error::FetchError;
use super::fetcher::{Fetcher, Network};
use super::local::{self, Shelf};
use super::settings::Want;
use super::source::{Mirror, Source};
use crate::types::{Expected, HttpsUrl, Reporter, SafePath, Sha256, Verified};
use futures_util::stream::{self, StreamExt as _};
use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::path::Path;
use std::time::Duration;
use url::Url;

/// How long one request for a file may take, unless told otherwise (contract, section 3).
const FILE_TIMEOUT: Duration = Duration::from_secs(120);

/// How many files are downloaded at the same time.
const AT_ONCE: usize = 8;

/// Where a wanted file was found to be.
enum Found {
    Here(Verified<File>),
    Away(Url),
}

impl Fetcher {
    /// The files, in the order they are wanted; each stands alone. Looked for in the mirror or the catalog's
    /// folder, or else in the cache and then at their addresses.
    ///
    /// Files are left open and begin at their start. `scratch` is a folder for those that the cache cannot take.
    pub fn files(
        &mut self,
        wants: &[Want],
        scratch: &Path,
        on: &dyn Reporter,
    ) -> Vec<Result<Verified<File>, FetchError>> {
        let mut found = BTreeMap::new();
        let mut away = Vec::new();
        for (at, want) in wants.iter().enumerate() {
            match self.find(want) {
                Ok(Found::Here(file)) => {
                    found.insert(at, Ok(file));
                }
                Ok(Found::Away(url)) => {
                    let (expected, transfer) = (want.expected, want.transfer());
                    away.push((at, Job { url, expected, transfer, number: self.downloads }));
                    self.downloads += 1;
                }
                Err(error) => {
                    found.insert(at, Err(error));
                }
            }
        }
        let (places, jobs): (Vec<_>, Vec<_>) = away.into_iter().unzip();
        found.extend(places.into_iter().zip(self.download(jobs, scratch, on)));
        found.into_values().collect()
    }

    /// The file of this content that an earlier run left in the cache, if it is there and still right, whatever the
    /// catalog says by now.
    ///
    /// # Errors
    /// [`FetchError::Interrupted`] only: a cache that cannot be read holds nothing.
    pub fn cached(&self, expected: Expected) -> Result<Option<Verified<File>>, FetchError> {
        self.cache.find(expected, &self.cancel)
    }

    /// Keeps bytes that are about to leave their place in the cache, so that they can come back without a network. Whether
    /// they are there now; that they are not is said once.
    ///
    /// # Errors
    /// [`FetchError::Interrupted`] only.
    pub fn keep(&mut self, bytes: &Verified<Vec<u8>>) -> Result<bool, FetchError> {
        match self.cache.put(bytes, &self.cancel) {
            Ok(()) => {
                self.cache.prune(&HashSet::from([bytes.expected().sha256]));
                Ok(true)
            }
            Err(FetchError::Io { error, .. }) => {
                self.cannot_keep(&error);
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }

    /// Names the files that leave the cache last: the language packs of what is installed.
    pub fn cherish(&mut self, packs: impl IntoIterator<Item = Sha256>) {
        self.cache.cherish(packs);
    }

    /// Opens a file that is on this machine, or says where it must be downloaded from.
    fn find(&self, want: &Want) -> Result<Found, FetchError> {
        if self.cancel.is_asked() {
            return Err(FetchError::Interrupted);
        }
        if !want.cache_only
            && let Some(shelf) = self.shelf()?
        {
            return shelf.take(want, &self.cancel).map(Found::Here);
        }
        if !self.past_cache
            && let Some(file) = self.cache.find(want.expected, &self.cancel)?
        {
            return Ok(Found::Here(file));
        }
        if self.settings.offline || want.cache_only {
            return Err(FetchError::Offline { what: format!("the {} of {}", want.purpose, want.label) });
        }
        let Some(Mirror::Web(base)) = &self.settings.mirror else { return Ok(Found::Away(want.url.url())) };
        let mut url = base.url().clone();
        let name = file_name(&want.url)?;
        if let Ok(mut parts) = url.path_segments_mut() {
            parts.pop_if_empty().push(name.as_str());
        }
        Ok(Found::Away(url))
    }

    /// The folders in which every file is looked for, when it is folders.
    fn shelf(&self) -> Result<Option<Shelf>, FetchError> {
        Ok(match (&self.settings.mirror, &self.settings.source) {
            (Some(Mirror::Folder(folder)), _) => {
                let absolute = std::path::absolute(folder);
                Some(Shelf::Mirror(absolute.map_err(|error| FetchError::Io { path: folder.clone(), error })?))
            }
            (None, Source::Local(path)) => local::catalog_path(path)?.parent().map(|dir| Shelf::Beside(dir.to_owned())),
            (Some(Mirror::Web(_)), _) | (None, Source::Web(_)) => None,
        })
    }

    fn download(
        &mut self,
        jobs: Vec<Job>,
        scratch: &Path,
        on: &dyn Reporter,
    ) -> Vec<Result<Verified<File>, FetchError>> {
        if jobs.is_empty() {
            return Vec::new();
        }
        let network = match Network::ready(&mut self.network, &self.settings) {
            Ok(network) => network,
            Err(error) => return jobs.iter().map(|_| Err(error.clone().into())).collect(),
        };
        let timeout = self.settings.timeout.unwrap_or(FILE_TIMEOUT);
        let line = Line { web: &network.web, pace: self.pace, timeout, cancel: &self.cancel, on };
        let target = Target { cache: Some(&self.cache), scratch };
        let downloads = stream::iter(&jobs).map(|job| line.file(job, &target)).buffered(AT_ONCE);
        let done: Vec<_> = network.runtime.block_on(downloads.collect());

        let mut written = HashSet::new();
        let mut files = Vec::with_capacity(done.len());
        for result in done {
            files.push(result.map(|Downloaded { file, uncached }| {
                match uncached {
                    Some(error) => self.cannot_keep(&error),
                    None => {
                        written.insert(file.expected().sha256);
                    }
                }
                file
            }));
        }
        if !written.is_empty() {
            self.cache.prune(&written);
        }
        files
    }
}

/// The name a file is looked for by: the last part of its address, if that is a plain file name (contract,
/// section 3).
pub(super) fn file_name(url: &HttpsUrl) -> Result<SafePath, FetchError> {
    let name = url.file_name().parse::<SafePath>().ok().filter(|name| name.parts().count() == 1);
    name.ok_or_else(|| FetchError::NoFileName { address: url.to_string() })
}
