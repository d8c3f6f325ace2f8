use super::cache::{Cache, Folder};
use super::client::{ClientError, Web};
use super::copy::CatalogCopy;
use super::download::{Answer, Downloaded, Job, Line, Target};
use super::error::{FetchError, Place};
use super::fault::Fault;
use super::header::Validators;
use super::local::{self, Shelf};
use super::patience::Pace;
use super::source::{Mirror, Source, WebAddress};
use crate::types::{Cancel, Code, Coded, Expected, Failure, HttpsUrl, Reporter, SafePath, Sha256, Verified, Warning};
use futures_util::stream::{self, StreamExt as _};
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tokio::runtime::Runtime;
use url::Url;

/// How long a catalog is taken as fresh, and its source not asked (contract, section 3).
const FRESH: Duration = Duration::from_secs(5 * 60);

/// From which age on a copy used offline is worth a word.
const OLD: Duration = Duration::from_secs(24 * 3600);

/// How long one request for a catalog may take, unless told otherwise (contract, section 3).
const CATALOG_TIMEOUT: Duration = Duration::from_secs(15);

/// How long one request for a file may take, unless told otherwise (contract, section 3).
const FILE_TIMEOUT: Duration = Duration::from_secs(120);

/// How many files are downloaded at the same time.
const AT_ONCE: usize = 8;

/// Where to take bytes from, and how.
#[derive(Clone, Debug)]
pub struct Settings {
    pub source: Source,
    pub mirror: Option<Mirror>,
    /// Never use the network. Folders and the cache are used all the same.
    pub offline: bool,
    /// Ask the source for its catalog even if the kept copy is fresh.
    pub refresh: bool,
    /// Certificates to trust beside the system's, as a PEM file.
    pub ca_cert: Option<PathBuf>,
    /// Bounds each single request; 15 s for a catalog and 120 s for a file when not given.
    pub timeout: Option<Duration>,
    pub cache_dir: PathBuf,
}

/// A file that is wanted.
#[derive(Clone, Debug)]
pub struct Want {
    pub url: HttpsUrl,
    pub expected: Expected,
    /// What a reader knows it by, such as the name of its ruleset.
    pub label: String,
    pub purpose: Purpose,
}

/// What a file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    Artifact,
    Pack,
}

impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Purpose::Artifact => "artifact",
            Purpose::Pack => "language pack",
        })
    }
}

/// Gets catalogs and files from wherever they are. Blocks; what goes over the network runs at the same time inside.
pub struct Fetcher {
    settings: Settings,
    cancel: Cancel,
    cache: Cache,
    past_cache: bool,
    pub(super) pace: Pace,
    pub(super) network: Option<Network>,
    catalog: Option<CatalogCopy>,
    downloads: usize,
    warnings: Vec<Warning>,
}

impl Fetcher {
    /// Does nothing yet: no folder is made, no certificate read, no thread started, so that a run with nothing to
    /// fetch pays nothing.
    pub fn new(settings: Settings, cancel: Cancel) -> Self {
        Fetcher {
            cache: Cache::new(&settings.cache_dir),
            settings,
            cancel,
            past_cache: false,
            pace: Pace::ORDINARY,
            network: None,
            catalog: None,
            downloads: 0,
            warnings: Vec::new(),
        }
    }

    /// Fetches every file from where it is published although it is in the cache, to see that it is there. For
    /// the maintainer's check (B04).
    pub fn past_cache(mut self) -> Self {
        self.past_cache = true;
        self
    }

    /// What happened that a reader should know of, since last asked.
    pub fn take_warnings(&mut self) -> Vec<Warning> {
        std::mem::take(&mut self.warnings)
    }

    /// The catalog: a fresh copy as it is; else the source is asked, at most once a run, and a copy that is there
    /// is kept to when the source cannot be reached or answers rubbish.
    ///
    /// # Errors
    /// `file-not-found`, `invalid-catalog`, `offline`, `network`, `http-error`, `usage` and `interrupted`, when
    /// there is no copy to fall back on.
    pub fn catalog(&mut self, on: &dyn Reporter) -> Result<CatalogCopy, FetchError> {
        if let Some(catalog) = &self.catalog {
            return Ok(catalog.clone());
        }
        let catalog = match self.settings.source.clone() {
            Source::Local(path) => local_catalog(&path)?,
            Source::Web(address) => self.web_catalog(&address, on)?,
        };
        Ok(self.catalog.insert(catalog).clone())
    }

    /// Reads from the catalog, and once more from a new copy if the kept one turns out to be damaged on the way.
    ///
    /// # Errors
    /// As of [`Fetcher::catalog`], and what `read` fails with.
    pub fn read_catalog<T>(
        &mut self,
        on: &dyn Reporter,
        mut read: impl FnMut(&CatalogCopy) -> Result<T, FetchError>,
    ) -> Result<T, FetchError> {
        let catalog = self.catalog(on)?;
        let Source::Web(address) = self.settings.source.clone() else { return read(&catalog) };
        match read(&catalog) {
            Err(damaged @ FetchError::DamagedCopy { .. }) if self.settings.offline => Err(damaged),
            Err(FetchError::DamagedCopy { .. }) => {
                let catalog = self.ask(&address, None, on)?;
                read(self.catalog.insert(catalog))
            }
            done => done,
        }
    }

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
                    let Want { expected, ref label, .. } = *want;
                    away.push((at, Job { url, expected, label, number: self.downloads }));
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

    /// Opens a file that is on this machine, or says where it must be downloaded from.
    fn find(&self, want: &Want) -> Result<Found, FetchError> {
        if self.cancel.is_asked() {
            return Err(FetchError::Interrupted);
        }
        if let Some(shelf) = self.shelf()? {
            return shelf.take(&file_name(&want.url)?, want.expected, &self.cancel).map(Found::Here);
        }
        if !self.past_cache
            && let Some(file) = self.cache.find(want.expected, &self.cancel)?
        {
            return Ok(Found::Here(file));
        }
        if self.settings.offline {
            return Err(FetchError::Offline { what: format!("the {} of {}", want.purpose, want.label) });
        }
        let Some(Mirror::Web(base)) = &self.settings.mirror else { return Ok(Found::Away(want.url.url().clone())) };
        let mut url = base.url().clone();
        let name = file_name(&want.url)?;
        if let Ok(mut parts) = url.path_segments_mut() {
            parts.pop_if_empty().push(name.as_str());
        }
        Ok(Found::Away(url))
    }

    /// The folder in which every file is looked for, when there is one.
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
        jobs: Vec<Job<'_>>,
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
        let target = Target { cache: &self.cache, scratch };
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

    fn web_catalog(&mut self, address: &WebAddress, on: &dyn Reporter) -> Result<CatalogCopy, FetchError> {
        let kept = CatalogCopy::open(&self.cache.path(Folder::Catalogs, &copy_name(address)));
        let age = kept.as_ref().and_then(|copy| copy.age(SystemTime::now()));
        if self.settings.offline {
            let copy = kept.ok_or_else(|| FetchError::Offline { what: format!("the catalog at {address}") })?;
            if let Some(age) = age.filter(|age| *age > OLD) {
                self.warn_stale(format!("the copy of the catalog at {address} is {} old", in_words(age)));
            }
            return Ok(copy);
        }
        if !self.settings.refresh
            && age.is_some_and(|age| age < FRESH)
            && let Some(copy) = kept
        {
            return Ok(copy);
        }
        // Validators vouch for the whole body, so it must be whole (B18).
        let kept = kept.filter(|copy| copy.body().is_ok());
        match (self.ask(address, kept.as_ref(), on), kept) {
            (Err(error), Some(copy)) if leaves_the_copy(error.code()) => {
                let age = age.map_or_else(|| "of unknown age".to_owned(), |age| format!("{} old", in_words(age)));
                let why = Failure::from(error).message;
                self.warn_stale(format!("the catalog could not be read anew, so a copy {age} is used: {why}"));
                Ok(copy)
            }
            (asked, _) => asked,
        }
    }

    /// Asks the source, and keeps what it gives. `kept` is a whole copy to compare with, and to fall back on.
    fn ask(
        &mut self,
        address: &WebAddress,
        kept: Option<&CatalogCopy>,
        on: &dyn Reporter,
    ) -> Result<CatalogCopy, FetchError> {
        on.step("Reading the catalog");
        let timeout = self.settings.timeout.unwrap_or(CATALOG_TIMEOUT);
        // Somebody with a copy in hand does not wait for several tries to time out.
        let (pace, whole) = kept.map_or((self.pace, Duration::MAX), |_| (self.pace.hurried(), timeout));
        let validators = kept.map(CatalogCopy::validators).filter(|known| **known != Validators::default());
        let network = Network::ready(&mut self.network, &self.settings)?;
        let line = Line { web: &network.web, pace, timeout, cancel: &self.cancel, on };
        let asking = async { tokio::time::timeout(whole, line.catalog(address.url(), validators)).await };
        let answer = network.runtime.block_on(asking).unwrap_or_else(|_| {
            let proxy = network.web.proxy_of(address.url());
            Err(FetchError::Network { url: address.to_string(), fault: Fault::Timeout(whole), proxy })
        })?;
        let now = SystemTime::now();
        let copy = match (answer, kept) {
            (Answer::Body(body, validators), _) => {
                let invalid = |invalid| FetchError::Catalog { place: Place::Web(address.to_string()), invalid };
                CatalogCopy::new(address.to_string(), now, validators, body).map_err(invalid)?
            }
            (Answer::Unchanged, Some(kept)) => kept.confirmed(now)?,
            (Answer::Unchanged, None) => return Err(FetchError::unasked(address.to_string())),
        };
        if let Err(error) = copy.keep(&self.cache, &copy_name(address)) {
            self.cannot_keep(&error);
        }
        Ok(copy)
    }

    fn warn_stale(&mut self, message: String) {
        self.warnings.push(Warning::new("stale-catalog", message));
    }

    /// Said once, however much cannot be kept.
    fn cannot_keep(&mut self, error: &io::Error) {
        const CODE: &str = "cache-unwritable";
        if !self.warnings.iter().any(|warning| warning.code == CODE) {
            let dir = self.settings.cache_dir.display();
            self.warnings.push(Warning::new(CODE, format!("nothing can be kept in the cache at `{dir}`: {error}")));
        }
    }
}

impl Drop for Fetcher {
    fn drop(&mut self) {
        // Looking up a name cannot be broken off, and waiting for it would keep an interrupted run from ending.
        if let Some(network) = self.network.take() {
            network.runtime.shutdown_background();
        }
    }
}

/// Where a wanted file was found to be.
enum Found {
    Here(Verified<File>),
    Away(Url),
}

/// What a run needs once something goes over the network.
pub(super) struct Network {
    runtime: Runtime,
    web: Web,
}

impl Network {
    fn ready<'n>(slot: &'n mut Option<Network>, settings: &Settings) -> Result<&'n Network, ClientError> {
        let network = match slot.take() {
            Some(network) => network,
            None => {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
                let runtime = runtime.map_err(|error| ClientError::Runtime(error.to_string()))?;
                Network { runtime, web: Web::new(settings.ca_cert.as_deref())? }
            }
        };
        Ok(slot.insert(network))
    }
}

fn local_catalog(path: &Path) -> Result<CatalogCopy, FetchError> {
    let path = local::catalog_path(path)?;
    let body = local::read_catalog(&path)?;
    CatalogCopy::new(path.display().to_string(), SystemTime::now(), Validators::default(), body)
        .map_err(|invalid| FetchError::Catalog { place: Place::File(path), invalid })
}

/// The name a file is looked for by: the last part of its address, if that is a plain file name (contract,
/// section 3).
fn file_name(url: &HttpsUrl) -> Result<SafePath, FetchError> {
    let name = url.file_name().parse::<SafePath>().ok().filter(|name| name.parts().count() == 1);
    name.ok_or_else(|| FetchError::NoFileName { address: url.to_string() })
}

fn copy_name(address: &WebAddress) -> String {
    Sha256::of(address.url().as_str().as_bytes()).to_string()
}

/// Failures of the source, as against those of the command line or of this machine.
fn leaves_the_copy(code: Code) -> bool {
    matches!(code, Code::Network | Code::HttpError | Code::InvalidCatalog)
}

fn in_words(age: Duration) -> String {
    let (count, unit) = match age.as_secs() {
        s if s < 3600 => (s / 60, "minute"),
        s if s < 2 * 24 * 3600 => (s / 3600, "hour"),
        s => (s / (24 * 3600), "day"),
    };
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}
