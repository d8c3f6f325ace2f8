//! Getting files.

use super::download::{Job, Line};
use super::downloads::{Downloads, Next};
use super::error::FetchError;
use super::fetcher::{Fetcher, Network};
use super::local::{self, ArtifactFolder};
use super::settings::Want;
use super::source::{CatalogSource, Mirror};
use crate::disk::Verified;
use crate::types::{Expected, Reporter, Sha256, redacted};
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::fs::File;
use std::path::Path;
use std::time::Duration;
use tokio::sync::Semaphore;
use url::Url;

/// How long one request for a file may take, unless told otherwise (docs/spec/commands.md#downloads).
const FILE_TIMEOUT: Duration = Duration::from_secs(120);

/// How many files are downloaded at the same time, where the process may have enough of them open.
const AT_ONCE: usize = 8;

/// How many files a process has open whatever it does, and how many a download has: its connection, its part, and what
/// the system needs to find the server.
#[cfg(unix)]
const OPEN: (usize, usize) = (16, 3);

/// How many downloads may be under way at the same time, slow ones among them: some times as many as have a turn, where
/// the process may have enough files open.
fn under_way() -> usize {
    match at_once() {
        AT_ONCE => 4 * AT_ONCE,
        few => few,
    }
}

/// How many files may be downloaded at the same time.
#[cfg(unix)]
fn at_once() -> usize {
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    let limit = limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(usize::MAX));
    (limit.saturating_sub(OPEN.0) / OPEN.1).clamp(1, AT_ONCE)
}

/// How many files may be downloaded at the same time.
#[cfg(not(unix))]
fn at_once() -> usize {
    AT_ONCE
}

/// Where a wanted file was found to be.
enum Found {
    Here(Verified<File>),
    Away(Url),
}

impl Fetcher {
    /// Asks for files, which come one by one; each stands alone. Looked for in the mirror or the catalog's folder, or
    /// else in the cache and then at their addresses.
    ///
    /// Those whose turn has not come by the run's deadline are not asked for, and nothing is said of them.
    ///
    /// Files are left open and begin at their start. `scratch` is a folder for those that the cache cannot take.
    pub fn downloads<'a>(&'a self, wants: &[Want], scratch: &Path, reporter: &'a dyn Reporter) -> Downloads<'a> {
        let mut here = VecDeque::new();
        let mut away = Vec::new();
        let mut kept = HashSet::new();
        for (at, want) in wants.iter().enumerate() {
            // What is here takes its time as well: it is read and hashed. The first is tried however late it is.
            if at > 0 && self.settings.deadline.is_over() {
                break;
            }
            match self.find(want) {
                Ok(Found::Here(file)) => {
                    kept.insert(want.expected.sha256);
                    here.push_back((at, Ok(file)));
                }
                Ok(Found::Away(url)) => {
                    if let Some(code) = self.cache.last_setback(&url, Some(want.expected)) {
                        self.knew.borrow_mut().insert(redacted(&url), code);
                    }
                    let number = self.downloads.replace(self.downloads.get() + 1);
                    away.push((at, Job::new(url, want, number)));
                }
                Err(error) => here.push_back((at, Err(error))),
            }
        }
        if !kept.is_empty() {
            self.cache.prune(&kept);
        }
        if away.is_empty() {
            return Downloads::new(self, reporter, here);
        }
        match Network::ready(&self.network, &self.settings) {
            Ok(network) => {
                let mut downloads = Downloads::new(self, reporter, here);
                let timeout = self.settings.timeout.unwrap_or(FILE_TIMEOUT);
                let (turns, slots) = (Semaphore::new(at_once()), Semaphore::new(under_way()));
                let scratch = scratch.to_owned();
                downloads.begin(
                    away,
                    Line { fetcher: self, network, pace: self.pace, timeout, reporter, turns, slots, scratch },
                );
                downloads
            }
            Err(error) => {
                here.extend(away.iter().map(|(at, _)| (*at, Err(error.clone().into()))));
                Downloads::new(self, reporter, here)
            }
        }
    }

    /// The same all at once, in the order they are wanted.
    pub fn files(
        &self,
        wants: &[Want],
        scratch: &Path,
        reporter: &dyn Reporter,
    ) -> Vec<Result<Verified<File>, FetchError>> {
        let mut files = BTreeMap::new();
        let mut downloads = self.downloads(wants, scratch, reporter);
        loop {
            match downloads.next(Duration::from_secs(1)) {
                Next::File(at, file) => drop(files.insert(at, file)),
                Next::Quiet => {}
                Next::Over => break,
            }
        }
        let late = |want: &Want| Err(FetchError::Deadline { url: redacted(&want.url.url()) });
        wants.iter().enumerate().map(|(at, want)| files.remove(&at).unwrap_or_else(|| late(want))).collect()
    }

    /// The file of this content that an earlier run left in the cache, if it is there and still right, whatever the
    /// catalog says by now.
    ///
    /// # Errors
    /// [`FetchError::Interrupted`] only: a cache that cannot be read holds nothing.
    pub fn cached(&self, expected: Expected) -> Result<Option<Verified<File>>, FetchError> {
        match self.cache.find(expected, &self.cancel) {
            Err(FetchError::Io { .. }) => Ok(None),
            found => found,
        }
    }

    /// Whether the cache seems to have the file of this content, one that the disk does not give included: whoever asks
    /// for that is told so.
    pub fn seems_cached(&self, expected: Expected) -> bool {
        !matches!(self.cache.find(expected, &self.cancel), Ok(None))
    }

    /// Keeps bytes that are about to leave their place in the cache, so that they can come back without a network.
    /// Whether they are there now; that they are not is said once.
    ///
    /// # Errors
    /// [`FetchError::Interrupted`] only.
    pub fn keep(&self, bytes: &Verified<Vec<u8>>) -> Result<bool, FetchError> {
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
    pub fn cherish(&self, packs: impl IntoIterator<Item = Sha256>) {
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
            let file = shelf.take(want, &self.cancel)?;
            // What is installed from a folder is to be mended, and changed back, when the folder is gone, too.
            match self.cache.put_file(&file, &self.cancel) {
                Err(FetchError::Io { error, .. }) => self.cannot_keep(&error),
                done => done?,
            }
            return Ok(Found::Here(file));
        }
        let kept = if self.past_cache { Ok(None) } else { self.cache.find(want.expected, &self.cancel) };
        match kept {
            Ok(Some(file)) => return Ok(Found::Here(file)),
            Ok(None) => {}
            // What the disk does not give can still be had from where it was fetched.
            Err(FetchError::Io { .. }) if !self.settings.offline && !want.cache_only => {}
            Err(error) => return Err(error),
        }
        if self.settings.offline || want.cache_only {
            return Err(FetchError::Offline { what: format!("the {} of {}", want.purpose, want.label) });
        }
        let Some(Mirror::Web(base)) = &self.settings.mirror else { return Ok(Found::Away(want.url.url())) };
        let mut url = base.url().clone();
        let name = local::file_name(&want.url)?;
        if let Ok(mut parts) = url.path_segments_mut() {
            parts.pop_if_empty().push(name.as_str());
        }
        Ok(Found::Away(url))
    }

    /// The folders in which every file is looked for, when it is folders.
    fn shelf(&self) -> Result<Option<ArtifactFolder>, FetchError> {
        Ok(match (&self.settings.mirror, &self.settings.source) {
            (Some(Mirror::Folder(folder)), _) => {
                let absolute = std::path::absolute(folder);
                Some(ArtifactFolder::Mirror(absolute.map_err(|error| FetchError::Io { path: folder.clone(), error })?))
            }
            (None, CatalogSource::Local(path)) => {
                local::catalog_path(path)?.parent().map(|dir| ArtifactFolder::Beside(dir.to_owned()))
            }
            (Some(Mirror::Web(_)), _) | (None, CatalogSource::Web(_)) => None,
        })
    }
}
