//! One file or one catalog over the network: asked for, tried again where that helps, checked as it comes.

use super::cache::Folder;
use super::error::{Again, AskedFor, Because, FetchError, Place};
use super::fault::Fault;
use super::fetcher::{Fetcher, Network};
use super::header::Validators;
use super::index::{InvalidCatalog, MAX_CATALOG};
use super::part::Part;
use super::patience::{Pace, Patience};
use super::request::{Ask, Heard, Limits, get};
use super::settings::Want;
use crate::crash;
use crate::types::{Cancel, Coded, Expected, Receiving, Reporter, Transfer, Unverified, Verified, Wait, redacted};
use reqwest::header::{CONTENT_RANGE, ETAG, HeaderMap, HeaderName, LAST_MODIFIED};
use reqwest::{Client, Response, StatusCode};
use std::cell::Cell;
use std::fs::File;
use std::io::{self, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};
use tempfile::TempPath;
use tokio::sync::Semaphore;
use url::Url;

/// After how long one that is still under way lets another have its turn.
const A_TURN: Duration = Duration::from_millis(1500);

/// How often to look whether the reader wants to stop.
const CANCEL_CHECK: Duration = Duration::from_millis(50);

/// What every download of a run shares.
pub(super) struct Line<'a> {
    pub fetcher: &'a Fetcher,
    pub network: &'a Network,
    pub pace: Pace,
    /// Bounds each single request.
    pub timeout: Duration,
    pub on: &'a dyn Reporter,
    /// How many may be asked for at the same time. One that waits to be tried again keeps none of the others waiting, nor
    /// one that hangs or trickles.
    pub turns: Semaphore,
    /// How many may be under way at the same time, those that take long among them.
    pub slots: Semaphore,
    /// A folder for files that the cache cannot take.
    pub scratch: PathBuf,
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
    /// When its turn came.
    pub started: Cell<Option<Instant>>,
    pub heard: Heard,
    /// How much of it has been here at the most.
    pub furthest: Cell<u64>,
    /// How often the rest of it was asked for and something else than bytes was the answer.
    pub rests_refused: Cell<usize>,
}

/// After how many refusals of a rest all of a file is asked for: one may be a server in trouble, and a part is worth
/// something.
const MOST_REFUSED: usize = 2;

impl Job {
    pub fn new(url: Url, want: &Want, number: usize) -> Self {
        Job {
            url,
            expected: want.expected,
            transfer: want.transfer(),
            number,
            started: Cell::default(),
            heard: Heard::default(),
            furthest: Cell::default(),
            rests_refused: Cell::default(),
        }
    }

    /// When something last came, or it was asked for if nothing has.
    pub fn last_sign(&self) -> Option<Instant> {
        self.heard.get().or(self.started.get())
    }
}

/// A downloaded file, and why it is not in the cache, if it is not.
pub(super) struct Downloaded {
    pub file: Verified<File>,
    pub uncached: Option<io::Error>,
}

/// How a file is asked for this time.
#[derive(Clone, Copy)]
struct Try {
    /// Past the caches on the way.
    fresh: bool,
    /// Whether the one before failed.
    again: bool,
}

impl Line<'_> {
    fn cancel(&self) -> &Cancel {
        &self.fetcher.cancel
    }

    /// Asks for a catalog, for so long at most.
    pub async fn catalog(
        &self,
        url: &Url,
        validators: Option<&Validators>,
        most: Duration,
    ) -> Result<Answer, FetchError> {
        let heard = Heard::default();
        let asking = async {
            let ask = Ask { url, asked_for: AskedFor::Catalog, fresh: false, validators, from: None, heard: &heard };
            // What comes slowly is waited for; what has failed by then is not begun again.
            let mut patience = Patience::new(self.pace).until(Instant::now() + most);
            let nothing_is_kept = Cell::new(0);
            let attempt = async |again| self.catalog_once(&ask, again).await;
            self.patiently(url, &mut patience, &nothing_is_kept, attempt).await
        };
        // Who does not wait longer knows no more than that: it may answer its other files a moment later.
        let result = self.within(most, &heard, self.unless_cancelled(asking)).await.unwrap_or_else(|waited| {
            let (proxy, answered) = (self.network.web.proxy_of(url), heard.get().is_some());
            Err(FetchError::Network { url: redacted(url), fault: Fault::Timeout(waited), proxy, answered })
        });
        self.note(url, None, &result);
        match result {
            Err(FetchError::Network { .. }) if self.fetcher.settings.deadline.is_over() => {
                Err(FetchError::Deadline { url: redacted(url) })
            }
            result => result,
        }
    }

    /// Waits so long for an answer to begin to come, and, once it does, for as long as the run may take.
    async fn within<T>(&self, most: Duration, heard: &Heard, work: impl Future<Output = T>) -> Result<T, Duration> {
        let mut work = std::pin::pin!(work);
        if let Ok(done) = tokio::time::timeout(most, &mut work).await {
            return Ok(done);
        }
        let left = self.fetcher.settings.deadline.left().unwrap_or(self.timeout).min(self.timeout);
        if heard.get().is_none() || left.is_zero() {
            return Err(most);
        }
        tokio::time::timeout(left, work).await.map_err(|_| most + left)
    }

    /// Remembers for the next run what an address failed with, or that it answers again.
    fn note<T>(&self, url: &Url, wanted: Option<Expected>, result: &Result<T, FetchError>) {
        match result {
            Ok(_) => self.fetcher.cache.forget_setback(url),
            Err(error) => self.fetcher.cache.note_setback(url, wanted, error, SystemTime::now()),
        }
    }

    /// Downloads a file. Bytes that do not fit are asked for once more, past the caches on the way: a catalog is
    /// often ahead of its files there (B04).
    pub async fn file(&self, job: &Job) -> Result<Downloaded, FetchError> {
        if self.fetcher.spares_setbacks()
            && let Some(error) = self.fetcher.cache.setback(&job.url, Some(job.expected), SystemTime::now())
        {
            return Err(error);
        }
        let result = self.file_somewhere(job).await;
        // What was never asked has not failed.
        if job.started.get().is_some() {
            self.note(&job.url, Some(job.expected), &result);
            self.on.download_finished(job.number, result.is_ok());
        }
        result
    }

    /// Writes it into the cache; where that takes no more of it, somewhere else.
    async fn file_somewhere(&self, job: &Job) -> Result<Downloaded, FetchError> {
        match self.file_twice(job, true).await {
            Err(FetchError::Io { path, error }) if path != self.scratch => {
                let downloaded = self.file_twice(job, false).await?;
                Ok(Downloaded { uncached: Some(error), ..downloaded })
            }
            done => done,
        }
    }

    async fn file_twice(&self, job: &Job, cached: bool) -> Result<Downloaded, FetchError> {
        let mut patience = Patience::new(self.pace);
        let mut fresh = false;
        loop {
            let attempt = async |again| self.file_once(job, cached, Try { fresh, again }).await;
            match self.patiently(&job.url, &mut patience, &job.furthest, attempt).await {
                Err(FetchError::Mismatch { .. }) if !fresh => fresh = true,
                done => return done,
            }
        }
    }

    /// Tries, and tries again as long as the failure is one that passes and patience lasts. Of the downloads from a server
    /// that does not answer, one tries again, and the others wait for what comes of it. The attempt is told whether it is
    /// not the first.
    async fn patiently<T>(
        &self,
        url: &Url,
        patience: &mut Patience,
        furthest: &Cell<u64>,
        attempt: impl AsyncFn(bool) -> Result<T, FetchError>,
    ) -> Result<T, FetchError> {
        let hosts = &self.fetcher.hosts;
        let (mut probing, mut again) = (false, false);
        loop {
            if !probing {
                hosts.may_be_asked(url).await?;
            }
            let slot = self.slots.acquire().await;
            let turn = self.turns.acquire().await;
            // It may have turned out while this one waited for its turn.
            if !probing && hosts.is_doubted(url) {
                continue;
            }
            let before = furthest.get();
            let error = match holding(turn, attempt(again)).await {
                Ok(done) => {
                    hosts.answers(url);
                    return Ok(done);
                }
                Err(error) => error,
            };
            drop(slot);
            again = true;
            if !error.is_unanswered() {
                hosts.answers(url);
                probing = false;
            } else if !probing {
                probing = hosts.doubt(url);
                if !probing {
                    continue;
                }
            }
            if furthest.get() > before {
                patience.renew();
            }
            let wait = match error.again() {
                Again::No => None,
                Again::AtOnce => patience.at_once().or_else(|| patience.next_wait(None)),
                Again::Later(asked) => patience.next_wait(asked),
            };
            let Some(wait) = wait else {
                hosts.give_up(url, &error);
                return Err(error);
            };
            self.wait(wait, &error).await;
        }
    }

    async fn wait(&self, wait: Duration, error: &FetchError) {
        if wait.is_zero() {
            return;
        }
        self.on.waiting(&Wait {
            why: format!("{error}; trying again in {:.1} s", wait.as_secs_f32()),
            seconds: Some(wait.as_secs_f64()),
            code: Some(error.code()),
            package: None,
        });
        tokio::time::sleep(wait).await;
    }

    async fn unless_cancelled<T>(&self, work: impl Future<Output = Result<T, FetchError>>) -> Result<T, FetchError> {
        let cancelled = async {
            while !self.cancel().is_asked() {
                tokio::time::sleep(CANCEL_CHECK).await;
            }
        };
        tokio::select! {
            biased;
            () = cancelled => Err(FetchError::Interrupted),
            result = work => result,
        }
    }

    /// The client for a first try, or for one after a failure: a connection that the server has just closed is not used
    /// again.
    fn client(&self, again: bool) -> &Client {
        if again { self.network.web.anew() } else { &self.network.web.client }
    }

    async fn catalog_once(&self, ask: &Ask<'_>, again: bool) -> Result<Answer, FetchError> {
        let limits = Limits::start(self.timeout, self.pace.silence);
        let mut response = get(self.client(again), &self.network.web, ask, &limits).await?;
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
            Ok::<(), FetchError>(())
        };
        self.body(&mut response, &limits, ask, take).await?;
        Ok(Answer::Body(body, validators(response.headers())))
    }

    async fn file_once(&self, job: &Job, cached: bool, this: Try) -> Result<Downloaded, FetchError> {
        if job.started.get().is_none() {
            job.started.set(Some(Instant::now()));
            self.on.download_started(job.number, &job.transfer);
        }
        let limits = Limits::start(self.timeout, self.pace.silence);
        let wants_rest = cached && !this.fresh && job.rests_refused.get() < MOST_REFUSED;
        let mut left = if wants_rest { self.left(job) } else { None };
        if let Some(whole) = left.take_if(|left| left.receiving.is_complete()) {
            return self.finish(job, whole, None);
        }
        let from = left.as_ref().map(Receiver::rest);
        let asked_for = AskedFor::File;
        let mut ask = Ask { url: &job.url, asked_for, fresh: this.fresh, validators: None, from, heard: &job.heard };
        let client = self.client(this.again);
        let mut response = match get(client, &self.network.web, &ask, &limits).await {
            // Some servers, and proxies before them, want nothing to do with ranges.
            Err(error) if ask.from.is_some() && error.is_refusal_of_a_rest() => {
                job.rests_refused.set(job.rests_refused.get() + 1);
                if !matches!(error.again(), Again::No) {
                    return Err(error);
                }
                job.rests_refused.set(MOST_REFUSED);
                ask.from = None;
                get(client, &self.network.web, &ask, &limits).await?
            }
            answer => answer?,
        };
        let mut receiver = match left {
            Some(left) if goes_on(&response, left.receiving.seen(), job.expected) => left,
            left => {
                if response.status() != StatusCode::OK && ask.from.is_some() {
                    // Whatever it is, it is not the rest of this file.
                    ask.from = None;
                    response = get(client, &self.network.web, &ask, &limits).await?;
                }
                let receiver = self.begin(job, left, cached)?;
                receiver.note(&validators(response.headers()));
                receiver
            }
        };
        let mut first_sign = None;
        let take = |chunk: &[u8]| {
            first_sign = first_sign.or_else(|| chunk.iter().find(|b| !b.is_ascii_whitespace()).copied());
            receiver.receiving.take(chunk)?;
            let seen = receiver.receiving.seen();
            job.furthest.set(job.furthest.get().max(seen));
            self.on.download_advanced(job.number, seen);
            Ok(())
        };
        match self.body(&mut response, &limits, &ask, take).await {
            Ok(()) => self.finish(job, receiver, first_sign),
            Err(Cut::Refused(why)) => Err(receiver.refused(job, why, first_sign)),
            Err(Cut::Off(error)) => Err(error),
        }
    }

    /// What an earlier run, or an earlier try, left of a file.
    fn left(&self, job: &Job) -> Option<Receiver> {
        // Who asks anew asks for all of it.
        if self.fetcher.past_cache || self.fetcher.settings.refresh {
            return None;
        }
        let (file, part) = self.fetcher.cache.left_part(job.expected.sha256)?;
        let path = part.path().to_owned();
        let receiving = Receiving::resuming(file, job.expected).ok()?;
        (receiving.seen() > 0).then_some(Receiver { receiving, path, kept: Kept::Part(part) })
    }

    /// A file to write all of a download into: in the cache, so that the next run can go on with it, unless it takes none.
    fn begin(&self, job: &Job, left: Option<Receiver>, cached: bool) -> Result<Receiver, FetchError> {
        if let Some(mut left) = left {
            let restarted = left.receiving.restart();
            return restarted.map(|()| left).map_err(|error| FetchError::Io { path: self.scratch.clone(), error });
        }
        let unkept = match cached.then(|| self.in_the_cache(job)) {
            Some(Ok(receiver)) => return Ok(receiver),
            Some(Err(why)) => Some(why),
            None => None,
        };
        let path = self.scratch.clone();
        match tempfile::tempfile_in(&path) {
            Ok(file) => {
                let receiving = Receiving::new(file, job.expected);
                Ok(Receiver { receiving, path, kept: Kept::Nowhere(unkept) })
            }
            Err(error) => Err(FetchError::Io { path, error }),
        }
    }

    fn in_the_cache(&self, job: &Job) -> io::Result<Receiver> {
        let cache = &self.fetcher.cache;
        let part = match self.fetcher.past_cache {
            true => None,
            false => cache.new_part(job.expected.sha256)?,
        };
        let Some((file, part)) = part else {
            let (file, temp) = cache.create(Folder::Files)?.into_parts();
            let (receiving, path) = (Receiving::new(file, job.expected), temp.to_path_buf());
            return Ok(Receiver { receiving, path, kept: Kept::Temp(temp) });
        };
        let mut receiving = Receiving::new(file, job.expected);
        receiving.restart()?;
        Ok(Receiver { receiving, path: part.path().to_owned(), kept: Kept::Part(part) })
    }

    /// Holds what has come against what was declared, and gives it its place in the cache.
    fn finish(&self, job: &Job, receiver: Receiver, first_sign: Option<u8>) -> Result<Downloaded, FetchError> {
        let Receiver { receiving, path, kept } = receiver;
        let file = match receiving.finish() {
            Ok(file) => file,
            Err(why) => return Err(kept.refused(&path, job, why, first_sign)),
        };
        crash::point("downloaded");
        // Readers begin at the start, whoever wrote the file.
        file.get().seek(SeekFrom::Start(0)).map_err(|error| FetchError::Io { path, error })?;
        let (cache, name) = (&self.fetcher.cache, job.expected.sha256.to_string());
        let uncached = match kept {
            Kept::Part(part) => part.keep(file.get(), cache, &name).err(),
            Kept::Temp(temp) => cache.keep(Folder::Files, temp, &name).err(),
            Kept::Nowhere(why) => why,
        };
        Ok(Downloaded { file, uncached })
    }

    /// Hands on what comes, until it ends or is not wanted any more.
    async fn body<E: From<FetchError>>(
        &self,
        response: &mut Response,
        limits: &Limits,
        ask: &Ask<'_>,
        mut take: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let url = ask.url;
        let proxy = || self.network.web.proxy_of(url);
        let failed = |fault| FetchError::Network { url: redacted(url), fault, proxy: proxy(), answered: true };
        while let Some(chunk) = limits.wait(response.chunk()).await.map_err(failed)? {
            ask.heard.set(Some(Instant::now()));
            take(&chunk)?;
        }
        Ok(())
    }
}

/// Works for as long as it takes, and holds a turn for the first part of it.
async fn holding<T>(turn: impl Sized, work: impl Future<Output = T>) -> T {
    let mut work = std::pin::pin!(work);
    let begun = tokio::time::timeout(A_TURN, &mut work).await;
    drop(turn);
    match begun {
        Ok(done) => done,
        Err(_) => work.await,
    }
}

/// Why a body was not taken to its end.
enum Cut {
    Off(FetchError),
    Refused(Unverified),
}

impl From<FetchError> for Cut {
    fn from(error: FetchError) -> Self {
        Cut::Off(error)
    }
}

impl From<Unverified> for Cut {
    fn from(why: Unverified) -> Self {
        Cut::Refused(why)
    }
}

/// Takes in a download.
struct Receiver {
    receiving: Receiving<File>,
    /// Where it is written, for messages.
    path: PathBuf,
    kept: Kept,
}

/// Where what comes lies until it is complete.
enum Kept {
    /// In the cache, to be gone on with whatever happens.
    Part(Part),
    /// In the cache, gone with this run: another one is at the part.
    Temp(TempPath),
    /// In no place with a name, and why not in the cache.
    Nowhere(Option<io::Error>),
}

impl Receiver {
    /// What is still wanted, and of what.
    fn rest(&self) -> (u64, Option<String>) {
        let known_by = match &self.kept {
            Kept::Part(part) => part.known_by(),
            Kept::Temp(_) | Kept::Nowhere(_) => None,
        };
        (self.receiving.seen(), known_by)
    }

    fn note(&self, validators: &Validators) {
        if let Kept::Part(part) = &self.kept {
            part.note(validators);
        }
    }

    fn refused(self, job: &Job, why: Unverified, first_sign: Option<u8>) -> FetchError {
        self.kept.refused(&self.path, job, why, first_sign)
    }
}

impl Kept {
    /// What came is not what was declared, or cannot be written: none of it is gone on with.
    fn refused(self, path: &Path, job: &Job, why: Unverified, first_sign: Option<u8>) -> FetchError {
        if let Kept::Part(part) = self {
            part.discard();
        }
        match why {
            Unverified::Mismatch(mismatch) => {
                let because = if first_sign == Some(b'<') { Because::WebPage } else { Because::OldCopy };
                FetchError::Mismatch { place: Place::Web(redacted(&job.url)), mismatch, because: Some(because) }
            }
            Unverified::Io(error) => FetchError::Io { path: path.to_owned(), error },
            Unverified::Interrupted => FetchError::Interrupted,
        }
    }
}

/// Whether an answer is the rest of a file of which so much is here.
fn goes_on(response: &Response, from: u64, expected: Expected) -> bool {
    if response.status() != StatusCode::PARTIAL_CONTENT {
        return false;
    }
    let range = response.headers().get(CONTENT_RANGE).and_then(|value| value.to_str().ok());
    let Some((range, whole)) = range.and_then(|text| text.strip_prefix("bytes ")?.split_once('/')) else {
        return false;
    };
    let first = range.split('-').next().and_then(|first| first.parse::<u64>().ok());
    first == Some(from) && (whole == "*" || whole.parse::<u64>().ok() == Some(expected.bytes.0))
}

fn validators(headers: &HeaderMap) -> Validators {
    let header = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    Validators::new(header(ETAG), header(LAST_MODIFIED))
}
