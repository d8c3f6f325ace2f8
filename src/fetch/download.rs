//! One file or one catalog over the network: asked for, tried again where that helps, checked as it comes.

use super::cache::{Cache, Folder};
use super::client::Web;
use super::error::{Again, AskedFor, Because, FetchError, Place};
use super::header::Validators;
use super::index::{InvalidCatalog, MAX_CATALOG};
use super::patience::{Pace, Patience};
use super::request::{Ask, Limits, get};
use crate::crash;
use crate::types::{Cancel, Coded, Expected, Receiving, Reporter, Transfer, Unverified, Verified, Wait, redacted};
use reqwest::header::{ETAG, HeaderName, LAST_MODIFIED};
use reqwest::{Response, StatusCode};
use std::fs::File;
use std::io::{self, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempPath;
use url::Url;

/// How often to look whether the reader wants to stop.
const CANCEL_CHECK: Duration = Duration::from_millis(50);

/// What every download of a run shares.
pub(super) struct Line<'a> {
    pub web: &'a Web,
    pub pace: Pace,
    /// Bounds each single request.
    pub timeout: Duration,
    pub cancel: &'a Cancel,
    pub on: &'a dyn Reporter,
}

/// What a source said when asked for its catalog.
pub(super) enum Answer {
    /// What it gave before still holds.
    Unchanged,
    Body(Vec<u8>, Validators),
}

/// A file to download, and the number under which its progress is reported.
pub(super) struct Job {
    pub url: Url,
    pub expected: Expected,
    pub transfer: Transfer,
    pub number: usize,
}

/// Where a download is written.
pub(super) struct Target<'a> {
    /// None once it turned out to have no room.
    pub cache: Option<&'a Cache>,
    /// Taken when the cache cannot be written.
    pub scratch: &'a Path,
}

/// A downloaded file, and why it is not in the cache, if it is not.
pub(super) struct Downloaded {
    pub file: Verified<File>,
    pub uncached: Option<io::Error>,
}

impl Line<'_> {
    /// Asks for a catalog.
    pub async fn catalog(&self, url: &Url, validators: Option<&Validators>) -> Result<Answer, FetchError> {
        let ask = Ask { url, asked_for: AskedFor::Catalog, fresh: false, validators };
        let mut patience = Patience::new(self.pace);
        self.unless_cancelled(self.patiently(&mut patience, async || self.catalog_once(&ask).await)).await
    }

    /// Downloads a file. Bytes that do not fit are asked for once more, past the caches on the way: a catalog is
    /// often ahead of its files there (B04).
    pub async fn file(&self, job: &Job, target: &Target<'_>) -> Result<Downloaded, FetchError> {
        self.on.download_started(job.number, &job.transfer);
        let result = self.unless_cancelled(self.file_somewhere(job, target)).await;
        self.on.download_finished(job.number, result.is_ok());
        result
    }

    /// Writes it into the cache; where that takes no more of it, somewhere else.
    async fn file_somewhere(&self, job: &Job, target: &Target<'_>) -> Result<Downloaded, FetchError> {
        match self.file_twice(job, target).await {
            Err(FetchError::Io { path, error }) if path != target.scratch => {
                let past_cache = Target { cache: None, ..*target };
                let downloaded = self.file_twice(job, &past_cache).await?;
                Ok(Downloaded { uncached: Some(error), ..downloaded })
            }
            done => done,
        }
    }

    async fn file_twice(&self, job: &Job, target: &Target<'_>) -> Result<Downloaded, FetchError> {
        let mut patience = Patience::new(self.pace);
        let first = self.patiently(&mut patience, async || self.file_once(job, target, false).await).await;
        match first {
            Err(FetchError::Mismatch { .. }) => {
                self.patiently(&mut patience, async || self.file_once(job, target, true).await).await
            }
            done => done,
        }
    }

    /// Tries, and tries again as long as the failure is one that passes and patience lasts.
    async fn patiently<T>(
        &self,
        patience: &mut Patience,
        attempt: impl AsyncFn() -> Result<T, FetchError>,
    ) -> Result<T, FetchError> {
        loop {
            let error = match attempt().await {
                Ok(done) => return Ok(done),
                Err(error) => error,
            };
            let Again::Later(asked) = error.again() else { return Err(error) };
            let Some(wait) = patience.next_wait(asked) else { return Err(error) };
            self.on.waiting(&Wait {
                why: format!("{error}; trying again in {:.1} s", wait.as_secs_f32()),
                seconds: Some(wait.as_secs_f64()),
                code: Some(error.code()),
                package: None,
            });
            tokio::time::sleep(wait).await;
        }
    }

    async fn unless_cancelled<T>(&self, work: impl Future<Output = Result<T, FetchError>>) -> Result<T, FetchError> {
        let cancelled = async {
            while !self.cancel.is_asked() {
                tokio::time::sleep(CANCEL_CHECK).await;
            }
        };
        tokio::select! {
            biased;
            () = cancelled => Err(FetchError::Interrupted),
            result = work => result,
        }
    }

    async fn catalog_once(&self, ask: &Ask<'_>) -> Result<Answer, FetchError> {
        let limits = Limits::start(self.timeout, self.pace.silence);
        let mut response = get(self.web, ask, &limits).await?;
        if response.status() == StatusCode::NOT_MODIFIED {
            return Ok(Answer::Unchanged);
        }
        let declared = response.content_length().unwrap_or_default();
        let room = |bytes: u64| {
            let too_large =
                || FetchError::Catalog { place: Place::Web(redacted(ask.url)), invalid: InvalidCatalog::TooLarge };
            if bytes <= MAX_CATALOG.0 { Ok(()) } else { Err(too_large()) }
        };
        room(declared)?;
        let mut body = Vec::with_capacity(declared as usize);
        let take = |chunk: &[u8]| {
            room((body.len() + chunk.len()) as u64)?;
            body.extend_from_slice(chunk);
            Ok(())
        };
        self.body(&mut response, &limits, ask.url, take).await?;
        let header = |name: HeaderName| response.headers().get(name).and_then(|value| value.to_str().ok());
        let validators = Validators::new(header(ETAG), header(LAST_MODIFIED));
        Ok(Answer::Body(body, validators))
    }

    async fn file_once(&self, job: &Job, target: &Target<'_>, fresh: bool) -> Result<Downloaded, FetchError> {
        let limits = Limits::start(self.timeout, self.pace.silence);
        let ask = Ask { url: &job.url, asked_for: AskedFor::File, fresh, validators: None };
        let mut response = get(self.web, &ask, &limits).await?;
        let Opened { file, path, cached, uncached } = target.open()?;
        let failed = |error| FetchError::Io { path: path.clone(), error };

        let mut receiving = Receiving::new(file, job.expected);
        let mut first_sign = None;
        let explained = |unverified: Unverified, first_sign: Option<u8>| match unverified {
            Unverified::Mismatch(mismatch) => {
                let because = if first_sign == Some(b'<') { Because::WebPage } else { Because::OldCopy };
                FetchError::Mismatch { place: Place::Web(redacted(&job.url)), mismatch, because: Some(because) }
            }
            Unverified::Io(error) => failed(error),
            Unverified::Interrupted => FetchError::Interrupted,
        };
        let take = |chunk: &[u8]| {
            first_sign = first_sign.or_else(|| chunk.iter().find(|b| !b.is_ascii_whitespace()).copied());
            receiving.take(chunk).map_err(|unverified| explained(unverified, first_sign))?;
            self.on.download_advanced(job.number, receiving.seen());
            Ok(())
        };
        self.body(&mut response, &limits, &job.url, take).await?;
        let verified = receiving.finish().map_err(|unverified| explained(unverified, first_sign))?;
        crash::point("downloaded");

        // Readers begin at the start, whoever wrote the file.
        verified.get().seek(SeekFrom::Start(0)).map_err(failed)?;
        let name = job.expected.sha256.to_string();
        let unkept = cached.zip(target.cache).and_then(|(temp, cache)| cache.keep(Folder::Files, temp, &name).err());
        Ok(Downloaded { file: verified, uncached: uncached.or(unkept) })
    }

    /// Hands on what comes, until it ends or is not wanted any more.
    async fn body(
        &self,
        response: &mut Response,
        limits: &Limits,
        url: &Url,
        mut take: impl FnMut(&[u8]) -> Result<(), FetchError>,
    ) -> Result<(), FetchError> {
        let failed = |fault| FetchError::Network { url: redacted(url), fault, proxy: self.web.proxy_of(url) };
        while let Some(chunk) = limits.wait(response.chunk()).await.map_err(failed)? {
            take(&chunk)?;
        }
        Ok(())
    }
}

/// A file to write a download into.
struct Opened {
    file: File,
    /// Where it lies, for messages.
    path: PathBuf,
    /// Its name for now, when it lies in the cache.
    cached: Option<TempPath>,
    /// Why it does not.
    uncached: Option<io::Error>,
}

impl Target<'_> {
    fn open(&self) -> Result<Opened, FetchError> {
        let uncached = match self.cache.map(|cache| cache.create(Folder::Files)) {
            Some(Ok(temp)) => {
                let (file, temp) = temp.into_parts();
                return Ok(Opened { file, path: temp.to_path_buf(), cached: Some(temp), uncached: None });
            }
            Some(Err(why)) => Some(why),
            None => None,
        };
        let path = self.scratch.to_owned();
        match tempfile::tempfile_in(&path) {
            Ok(file) => Ok(Opened { file, path, cached: None, uncached }),
            Err(error) => Err(FetchError::Io { path, error }),
        }
    }
}
