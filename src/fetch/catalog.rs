//! Getting the catalog.

use super::cache::Folder;
use super::copy::CatalogCopy;
use super::download::{Answer, Line};
use super::error::{FetchError, Place};
use super::fault::Fault;
use super::fetcher::{Fetcher, Network};
use super::header::Validators;
use super::local;
use super::source::{Source, WebAddress};
use crate::types::{Code, Coded, Failure, Reporter, Sha256, Warning};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// How long a catalog is taken as fresh, and its source not asked (contract, section 3).
const FRESH: Duration = Duration::from_secs(5 * 60);

/// From which age on a copy used offline is worth a word.
const OLD: Duration = Duration::from_secs(24 * 3600);

/// How long one request for a catalog may take, unless told otherwise (contract, section 3).
const CATALOG_TIMEOUT: Duration = Duration::from_secs(15);

impl Fetcher {
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
                drop((catalog, self.catalog.take()));
                let catalog = self.ask(&address, None, on)?;
                read(self.catalog.insert(catalog))
            }
            done => done,
        }
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
        // Validators vouch for the whole body, so it must be whole (B18). Who wants to see what is served now is not
        // helped by what was.
        let kept = kept.filter(|_| !self.past_cache).and_then(|copy| copy.loaded().ok());
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
        on.step("Reading the catalog", None);
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
            (Answer::Unchanged, Some(kept)) => kept.confirmed(now),
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
}

fn local_catalog(path: &Path) -> Result<CatalogCopy, FetchError> {
    let path = local::catalog_path(path)?;
    let body = local::read_catalog(&path)?;
    CatalogCopy::new(path.display().to_string(), SystemTime::now(), Validators::default(), body)
        .map_err(|invalid| FetchError::Catalog { place: Place::File(path), invalid })
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
