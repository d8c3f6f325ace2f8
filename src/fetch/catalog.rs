//! Getting the catalog.

use super::cache::Folder;
use super::copy::CatalogCopy;
use super::download::{Answer, Line};
use super::error::{FetchError, FileOrigin};
use super::fault::Fault;
use super::fetcher::{Fetcher, Network};
use super::header::Validators;
use super::index::InvalidCatalog;
use super::local;
use super::source::{CatalogSource, WebAddress};
use crate::types::{Code, Coded, Failure, Reporter, Sha256, Warning, codes};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};
use tokio::sync::Semaphore;

/// How long a catalog is taken as fresh, and its source not asked (docs/spec/commands.md#caching).
const FRESH: Duration = Duration::from_secs(5 * 60);

/// From which age on a copy used offline is worth a word.
const OLD: Duration = Duration::from_secs(24 * 3600);

/// How long one request for a catalog may take, unless told otherwise (docs/spec/commands.md#downloads).
const CATALOG_TIMEOUT: Duration = Duration::from_secs(15);

/// How long a page that opens waits for a newer catalog than the one at hand.
const GLANCE: Duration = Duration::from_secs(1);

/// How long a run waits for another one that asks for the same catalog.
const A_TURN: Duration = Duration::from_secs(5);

/// How often a run looks whether another one has got the catalog.
const BETWEEN_TURNS: Duration = Duration::from_millis(20);

impl Fetcher {
    /// The catalog: a fresh copy as it is; else the source is asked, at most once a run, and a copy that is there
    /// is kept to when the source cannot be reached or answers rubbish.
    ///
    /// # Errors
    /// `file-not-found`, `invalid-catalog`, `offline`, `network`, `http-error`, `deadline`, `usage` and `interrupted`,
    /// when there is no copy to fall back on.
    pub fn catalog(&self, reporter: &dyn Reporter) -> Result<CatalogCopy, FetchError> {
        if let Some(catalog) = &*self.catalog.borrow() {
            return Ok(catalog.clone());
        }
        let catalog = match self.settings.source.clone() {
            CatalogSource::Local(path) => local_catalog(&path)?,
            CatalogSource::Web(address) => self.web_catalog(&address, reporter)?,
        };
        Ok(self.catalog.borrow_mut().insert(catalog).clone())
    }

    /// Reads from the catalog, and once more from a new copy if the kept one turns out to be damaged on the way.
    ///
    /// # Errors
    /// As of [`Fetcher::catalog`], and what `read` fails with.
    pub fn read_catalog<T>(
        &self,
        reporter: &dyn Reporter,
        mut read: impl FnMut(&CatalogCopy) -> Result<T, FetchError>,
    ) -> Result<T, FetchError> {
        let catalog = self.catalog(reporter)?;
        let CatalogSource::Web(address) = self.settings.source.clone() else { return read(&catalog) };
        match read(&catalog) {
            Err(damaged @ FetchError::DamagedCopy { .. }) if self.settings.offline => Err(damaged),
            Err(FetchError::DamagedCopy { .. }) => {
                drop((catalog, self.catalog.take()));
                let end = Instant::now() + self.patience_for_the_catalog(false);
                let catalog = match self.catalog_setback(&address) {
                    Some(error) => Err(error),
                    None => self.ask(&address, None, end, reporter),
                }?;
                read(self.catalog.borrow_mut().insert(catalog))
            }
            done => done,
        }
    }

    fn web_catalog(&self, address: &WebAddress, reporter: &dyn Reporter) -> Result<CatalogCopy, FetchError> {
        let mut kept = self.kept_catalog(address);
        if self.settings.offline {
            let copy = kept.ok_or_else(|| FetchError::Offline { what: format!("the catalog at {address}") })?;
            if let Some(age) = age_of(&copy).filter(|age| *age > OLD) {
                self.warn_stale(format!("the copy of the catalog at {address} is {} old", in_words(age)));
            }
            return Ok(copy);
        }
        let end = Instant::now() + self.patience_for_the_catalog(kept.is_some());
        let mut turn = None;
        if !self.settings.refresh {
            if let Some(copy) = kept.take_if(|copy| is_fresh(copy)) {
                return Ok(copy);
            }
            // Of many runs that find a copy too old, one asks; the others take what it gets.
            turn = self.turn(address, end)?;
            kept = self.kept_catalog(address).or(kept);
            if let Some(copy) = kept.take_if(|copy| is_fresh(copy)) {
                return Ok(copy);
            }
        }
        let kept = kept.filter(|_| !self.past_cache);
        let (asked, kept) = match self.catalog_setback(address) {
            Some(error) => (Err(error), kept),
            None => {
                // Validators vouch for the whole body, so it must be whole (B18).
                let kept = kept.and_then(|copy| copy.loaded().ok());
                (self.ask(address, kept.as_ref(), end, reporter), kept)
            }
        };
        drop(turn);
        match (asked, kept) {
            (Err(error), Some(copy)) if leaves_the_copy(error.code()) => {
                let age =
                    age_of(&copy).map_or_else(|| "of unknown age".to_owned(), |age| format!("{} old", in_words(age)));
                let why = Failure::from(error).message;
                self.warn_stale(format!("the catalog could not be refreshed, so a copy {age} is used: {why}"));
                Ok(copy)
            }
            (asked, _) => asked,
        }
    }

    fn kept_catalog(&self, address: &WebAddress) -> Option<CatalogCopy> {
        CatalogCopy::open(&self.cache.path(Folder::Catalogs, &copy_name(address)))
    }

    /// Waits until no other run asks for this catalog, or what that one got, or failed with, is here. No longer than a
    /// request may take: the other may have been stopped. Without a cache that can be written everybody asks.
    fn turn(&self, address: &WebAddress, end: Instant) -> Result<Option<File>, FetchError> {
        let name = copy_name(address);
        let end = end.min(Instant::now() + self.settings.timeout.unwrap_or(A_TURN).min(A_TURN));
        loop {
            match self.cache.turn(&name) {
                Ok(None) if Instant::now() < end => {}
                turn => return Ok(turn.unwrap_or_default()),
            }
            if self.cancel.is_asked() {
                return Err(FetchError::Interrupted);
            }
            std::thread::sleep(BETWEEN_TURNS);
            if self.kept_catalog(address).is_some_and(|copy| is_fresh(&copy)) || self.catalog_setback(address).is_some()
            {
                return Ok(None);
            }
        }
    }

    /// What the catalog's address failed with a moment ago, for who leaves it alone then.
    fn catalog_setback(&self, address: &WebAddress) -> Option<FetchError> {
        let spares = self.spares_setbacks();
        spares.then(|| self.cache.setback(address.url(), None, SystemTime::now())).flatten()
    }

    /// How long the catalog is waited for in all. Somebody with a copy in hand does not wait for several tries to time
    /// out, and somebody before a page that opens hardly at all.
    fn patience_for_the_catalog(&self, has_a_copy: bool) -> Duration {
        let most = match has_a_copy {
            true if self.settings.hurried => GLANCE,
            true => self.settings.timeout.unwrap_or(CATALOG_TIMEOUT),
            // As long as its tries and their waits may take.
            false => Duration::from_secs(24 * 3600),
        };
        self.settings.deadline.left().map_or(most, |left| left.min(most))
    }

    /// Asks the source, and keeps what it gives. `kept` is a whole copy to compare with, and to fall back on.
    fn ask(
        &self,
        address: &WebAddress,
        kept: Option<&CatalogCopy>,
        end: Instant,
        reporter: &dyn Reporter,
    ) -> Result<CatalogCopy, FetchError> {
        reporter.step("Reading the catalog", None);
        let timeout = self.settings.timeout.unwrap_or(CATALOG_TIMEOUT);
        let pace = if kept.is_some() { self.pace.hurried() } else { self.pace };
        let most = end.saturating_duration_since(Instant::now());
        if most.is_zero() {
            // All the time there was went by while another run asked.
            let url = address.to_string();
            return Err(match self.settings.deadline.is_over() {
                true => FetchError::Deadline { url },
                false => FetchError::Network { url, fault: Fault::Timeout(GLANCE), proxy: None, answered: false },
            });
        }
        // Who wants to see what is served now is not helped by what was.
        let kept = kept.filter(|_| !self.settings.refresh);
        let validators = kept.map(CatalogCopy::validators).filter(|known| **known != Validators::default());
        let network = Network::ready(&self.network, &self.settings)?;
        let (turns, slots, scratch) = (Semaphore::new(1), Semaphore::new(1), PathBuf::new());
        let line = Line { fetcher: self, network, pace, timeout, reporter, turns, slots, scratch };
        let answer = network.block_on(line.catalog(address.url(), validators, most))?;
        let now = SystemTime::now();
        let copy = match (answer, kept) {
            (Answer::Body(body, validators), _) => {
                let copy = CatalogCopy::new(address.to_string(), now, validators, body);
                copy.map_err(|invalid| self.no_catalog(address, invalid))?
            }
            (Answer::Unchanged, Some(kept)) => kept.confirmed(now),
            (Answer::Unchanged, None) => return Err(FetchError::unasked(address.to_string())),
        };
        if let Err(error) = copy.keep(&self.cache, &copy_name(address)) {
            self.cannot_keep(&error);
        }
        Ok(copy)
    }

    fn no_catalog(&self, address: &WebAddress, invalid: InvalidCatalog) -> FetchError {
        let error = FetchError::Catalog { place: FileOrigin::Web(address.to_string()), invalid };
        self.cache.note_setback(address.url(), None, &error, SystemTime::now());
        error
    }

    fn warn_stale(&self, message: String) {
        self.warn(Warning::new(codes::STALE_CATALOG, message));
    }
}

fn age_of(copy: &CatalogCopy) -> Option<Duration> {
    copy.age(SystemTime::now())
}

fn is_fresh(copy: &CatalogCopy) -> bool {
    age_of(copy).is_some_and(|age| age < FRESH)
}

fn local_catalog(path: &Path) -> Result<CatalogCopy, FetchError> {
    let path = local::catalog_path(path)?;
    let body = local::read_catalog(&path)?;
    CatalogCopy::new(path.display().to_string(), SystemTime::now(), Validators::default(), body)
        .map_err(|invalid| FetchError::Catalog { place: FileOrigin::File(path), invalid })
}

fn copy_name(address: &WebAddress) -> String {
    Sha256::of(address.url().as_str().as_bytes()).to_string()
}

/// Failures of the source, as against those of the command line or of this machine.
fn leaves_the_copy(code: Code) -> bool {
    matches!(code, Code::Network | Code::HttpError | Code::InvalidCatalog | Code::Deadline)
}

fn in_words(age: Duration) -> String {
    let (count, unit) = match age.as_secs() {
        s if s < 60 => return "less than a minute".to_owned(),
        s if s < 3600 => (s / 60, "minute"),
        s if s < 2 * 24 * 3600 => (s / 3600, "hour"),
        s => (s / (24 * 3600), "day"),
    };
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_is_told_in_the_largest_unit_that_fits() {
        let told = |seconds| in_words(Duration::from_secs(seconds));
        assert_eq!([told(59), told(60), told(119)], ["less than a minute", "1 minute", "1 minute"]);
        assert_eq!([told(7200), told(172_800)], ["2 hours", "2 days"]);
    }
}
