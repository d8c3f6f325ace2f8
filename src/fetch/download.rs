//! One file or one catalog over the network: asked for, tried again where that helps, checked as it comes.

use super::cache::Folder;
use super::error::{Again, AskedFor, Because, FetchError, FileOrigin};
use super::fault::Fault;
use super::fetcher::{Fetcher, Network};
use super::header::Validators;
use super::index::{InvalidCatalog, MAX_CATALOG};
use super::part::{Mark, Part};
use super::patience::{Pace, Patience};
use super::request::{Ask, Heard, Limits, get};
use super::settings::Want;
use crate::crash;
use crate::disk::{Receiving, Unverified, Verified, read_up_to};
use crate::types::{Cancel, Coded, Expected, Reporter, Sha256, Transfer, Wait, redacted};
use reqwest::header::{CONTENT_RANGE, DATE, ETAG, HeaderName, LAST_MODIFIED};
use reqwest::{Client, Response, StatusCode};
use std::cell::Cell;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};
use tempfile::TempPath;
use tokio::sync::Semaphore;
use url::Url;

/// After how long one that is still under way lets another have its turn.
const A_TURN: Duration = Duration::from_millis(1500);

/// From when on a server that has sent nothing is taken to have failed, when there is no time left to wait for it. One
/// that is only slow is not: the next run goes on with what it has sent.
pub(super) const SILENT: Duration = Duration::from_millis(1500);

/// How often to look whether the reader wants to stop.
const CANCEL_CHECK: Duration = Duration::from_millis(50);

/// What every download of a run shares.
pub(super) struct Line<'a> {
    pub fetcher: &'a Fetcher,
    pub network: &'a Network,
    pub pace: Pace,
    /// Bounds each single request.
    pub timeout: Duration,
    pub reporter: &'a dyn Reporter,
    /// How many may be asked for at the same time. One that waits to be tried again keeps none of the others waiting,
    /// nor one that hangs or trickles.
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
    pub tried: Tried,
}

/// What came of the tries so far.
#[derive(Default)]
pub(super) struct Tried {
    pub heard: Heard,
    /// How much of it has been here at the most.
    furthest: Cell<u64>,
    /// How often the rest of it was asked for and something else than bytes was the answer.
    rests_refused: Cell<usize>,
}

impl Tried {
    fn got_to(&self, bytes: u64) {
        self.furthest.set(self.furthest.get().max(bytes));
    }
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
            tried: Tried::default(),
        }
    }

    /// When something last came, or it was asked for if nothing has.
    pub fn last_sign(&self) -> Option<Instant> {
        self.tried.heard.get().or(self.started.get())
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
    /// Whether the connection of the one before is in doubt.
    broke: bool,
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
        let tried = Tried::default();
        let asking = async {
            // What comes slowly is waited for; what has failed by then is not begun again.
            let mut patience = Patience::new(self.pace).until(Instant::now() + most);
            let attempt = async |broke| self.catalog_once(url, validators, &tried, broke).await;
            self.patiently(url, None, &mut patience, &tried.furthest, attempt).await
        };
        // Who does not wait longer knows no more than that: it may answer its other files a moment later.
        let result = self.within(most, &tried.heard, self.unless_cancelled(asking)).await.unwrap_or_else(|waited| {
            let (proxy, answered) = (self.network.web.proxy_of(url), tried.heard.get().is_some());
            Err(FetchError::Network { url: redacted(url), fault: Fault::Timeout(waited), proxy, answered })
        });
        let is_late = self.fetcher.settings.deadline.is_over();
        let still_comes = tried.heard.get().is_some_and(|heard| heard.elapsed() < SILENT);
        // Who has nothing to fall back on goes on with it at the next page.
        if !(is_late && still_comes && validators.is_none()) {
            self.note(url, None, &result);
        }
        match result {
            Err(FetchError::Network { .. }) if is_late => Err(FetchError::Deadline { url: redacted(url) }),
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
            self.reporter.download_finished(job.number, result.is_ok());
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
            let attempt = async |broke| self.file_once(job, cached, Try { fresh, broke }).await;
            match self.patiently(&job.url, Some(&job.transfer), &mut patience, &job.tried.furthest, attempt).await {
                Err(FetchError::Mismatch { .. }) if !fresh => fresh = true,
                done => return done,
            }
        }
    }

    /// Tries, and tries again as long as the failure is one that passes and patience lasts. Of the downloads from a
    /// server that does not answer, one tries again, and the others wait for what comes of it. The attempt is told
    /// whether the connection of the one before is in doubt.
    async fn patiently<T>(
        &self,
        url: &Url,
        transfer: Option<&Transfer>,
        patience: &mut Patience,
        furthest: &Cell<u64>,
        attempt: impl AsyncFn(bool) -> Result<T, FetchError>,
    ) -> Result<T, FetchError> {
        let hosts = &self.fetcher.hosts;
        let (mut probing, mut broke) = (false, false);
        loop {
            if !probing {
                hosts.may_be_asked(url).await?;
            }
            let slot = self.slots.acquire().await;
            let turn = self.turns.acquire().await;
            // It may have turned out while this one waited for its turn.
            if !probing && hosts.is_avoided(url) {
                continue;
            }
            let before = furthest.get();
            let error = match holding(turn, attempt(broke), || hosts.hush(url)).await {
                Ok(done) => {
                    hosts.answers(url);
                    return Ok(done);
                }
                Err(error) => error,
            };
            drop(slot);
            broke = !matches!(error, FetchError::Status { .. });
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
            self.wait(wait, &error, transfer).await;
        }
    }

    async fn wait(&self, wait: Duration, error: &FetchError, transfer: Option<&Transfer>) {
        if wait.is_zero() {
            return;
        }
        self.reporter.waiting(&Wait {
            why: format!("{error}; trying again in {:.1} s", wait.as_secs_f32()),
            seconds: Some(wait.as_secs_f64()),
            code: Some(error.code()),
            package: transfer.and_then(|transfer| transfer.package.clone()),
            language: transfer.and_then(|transfer| transfer.language.clone()),
            kind: transfer.map(|transfer| transfer.kind),
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

    /// The client for a first try, or for one after a connection failed: one that the server has just closed is not
    /// used again. A server that answered, whatever it said, has a connection that works.
    fn client(&self, broke: bool) -> &Client {
        if broke { self.network.web.anew() } else { &self.network.web.client }
    }

    /// Goes on with what an earlier run or try left of the body, if the source says by a strong validator that the rest
    /// is of the same: nothing else vouches for a catalog.
    async fn catalog_once(
        &self,
        url: &Url,
        validators: Option<&Validators>,
        tried: &Tried,
        broke: bool,
    ) -> Result<Answer, FetchError> {
        let limits = Limits::start(self.timeout, self.pace.silence);
        let name = Sha256::of(url.as_str().as_bytes()).to_string();
        let left = if !self.fetcher.settings.refresh && self.asks_for_rests(tried) {
            self.left_of_a_catalog(&name)
        } else {
            None
        };
        let from = left.as_ref().map(|(left, mark)| (left.body.len() as u64, Some(mark.validator.clone())));
        let (asked_for, hosts) = (AskedFor::Catalog, &self.fetcher.hosts);
        let mut ask = Ask { url, asked_for, fresh: false, validators, from, heard: &tried.heard, hosts };
        let fits = |response: &Response| {
            left.as_ref().is_some_and(|(left, mark)| {
                let Validators { etag, last_modified } = validators_of(response);
                let is_same = etag.or(last_modified).as_ref() == Some(&mark.validator);
                let is_rest = Rest::of(response).is_some_and(|rest| rest.is_all_from(left.body.len() as u64));
                is_same && is_rest && redacted(response.url()) == mark.place
            })
        };
        let (mut response, goes_on) = self.rest_or_all(&mut ask, &limits, tried, broke, fits).await?;
        let left = left.map(|(left, _)| left);
        if response.status() == StatusCode::NOT_MODIFIED {
            left.map(Growing::finish);
            return Ok(Answer::Unchanged);
        }
        let mut growing = match left {
            Some(left) if goes_on => left,
            left => self.begin_catalog(left, &name, mark(&response)),
        };
        let declared = growing.body.len() as u64 + response.content_length().unwrap_or_default();
        let room = |bytes: u64| {
            let too_large =
                || FetchError::Catalog { place: FileOrigin::Web(redacted(url)), invalid: InvalidCatalog::TooLarge };
            if bytes <= MAX_CATALOG.0 { Ok(()) } else { Err(too_large()) }
        };
        let take = |chunk: &[u8]| {
            room((growing.body.len() + chunk.len()) as u64)?;
            growing.take(chunk);
            tried.got_to(growing.body.len() as u64);
            Ok::<(), FetchError>(())
        };
        let came = match room(declared) {
            Ok(()) => self.body(&mut response, &limits, &ask, take).await,
            too_large => too_large,
        };
        match came {
            Ok(()) => Ok(Answer::Body(growing.finish(), validators_of(&response))),
            Err(error) => {
                // One that is too large is not gone on with.
                if matches!(error, FetchError::Catalog { .. }) {
                    growing.finish();
                }
                Err(error)
            }
        }
    }

    /// What an earlier run, or an earlier try, left of a catalog, and what it is known by.
    fn left_of_a_catalog(&self, name: &str) -> Option<(Growing, Mark)> {
        let (file, part) = self.fetcher.cache.left_part(Folder::Catalogs, name)?;
        let (body, mark) = (read_up_to(file.try_clone().ok()?, MAX_CATALOG.0).ok()?, part.mark()?);
        (!body.is_empty()).then_some((Growing { body, part: Some((file, part)) }, mark))
    }

    /// To take in all of a catalog; kept to be gone on with only where the source will know it again.
    fn begin_catalog(&self, left: Option<Growing>, name: &str, mark: Option<Mark>) -> Growing {
        let part = match left {
            Some(left) => left.part,
            None if mark.is_none() || self.fetcher.past_cache => None,
            None => self.fetcher.cache.new_part(Folder::Catalogs, name).ok().flatten(),
        };
        let mut growing = Growing { body: Vec::new(), part };
        let begin = |(file, part): &mut (File, Part)| match &mark {
            Some(_) => file.set_len(0).and_then(|()| file.rewind()).and_then(|()| part.note(mark.as_ref())),
            None => Err(io::ErrorKind::NotFound.into()),
        };
        growing.write(begin);
        growing
    }

    /// Whether a rest is worth asking for. Who asks for a catalog anew asks for all of it; a file is held against its
    /// hash as a whole, whenever its parts came.
    fn asks_for_rests(&self, tried: &Tried) -> bool {
        !self.fetcher.past_cache && tried.rests_refused.get() < MOST_REFUSED
    }

    /// Asks for what is wanted from where on it is wanted, or for all of it where no rest that fits is given. Whether
    /// it is the rest that comes.
    async fn rest_or_all(
        &self,
        ask: &mut Ask<'_>,
        limits: &Limits,
        tried: &Tried,
        broke: bool,
        fits: impl Fn(&Response) -> bool,
    ) -> Result<(Response, bool), FetchError> {
        let client = self.client(broke);
        let response = match get(client, &self.network.web, ask, limits).await {
            // Some servers, and proxies before them, want nothing to do with ranges.
            Err(error) if ask.from.is_some() && error.is_refusal_of_a_rest() => {
                tried.rests_refused.set(tried.rests_refused.get() + 1);
                if !matches!(error.again(), Again::No) {
                    return Err(error);
                }
                tried.rests_refused.set(MOST_REFUSED);
                None
            }
            answer => Some(answer?),
        };
        match response {
            Some(response) if response.status() == StatusCode::PARTIAL_CONTENT && fits(&response) => {
                Ok((response, true))
            }
            Some(response) if matches!(response.status(), StatusCode::OK | StatusCode::NOT_MODIFIED) => {
                Ok((response, false))
            }
            // Whatever it is, it is not the rest of this.
            _ => {
                ask.from = None;
                Ok((get(client, &self.network.web, ask, limits).await?, false))
            }
        }
    }

    async fn file_once(&self, job: &Job, cached: bool, this: Try) -> Result<Downloaded, FetchError> {
        if job.started.get().is_none() {
            job.started.set(Some(Instant::now()));
            self.reporter.download_started(job.number, &job.transfer);
        }
        let limits = Limits::start(self.timeout, self.pace.silence);
        let wants_rest = cached && !this.fresh && self.asks_for_rests(&job.tried);
        let mut left = if wants_rest { self.left(job) } else { None };
        if let Some(whole) = left.take_if(|left| left.receiving.is_complete()) {
            return self.finish(job, whole, None);
        }
        let from = left.as_ref().map(Receiver::rest);
        let (asked_for, heard, hosts) = (AskedFor::File, &job.tried.heard, &self.fetcher.hosts);
        let mut ask = Ask { url: &job.url, asked_for, fresh: this.fresh, validators: None, from, heard, hosts };
        let fits = |response: &Response| {
            let rest = Rest::of(response).filter(|rest| rest.whole.is_none_or(|whole| whole == job.expected.bytes.0));
            rest.map(|rest| rest.first) == left.as_ref().map(|left| left.receiving.seen())
        };
        let (mut response, goes_on) = self.rest_or_all(&mut ask, &limits, &job.tried, this.broke, fits).await?;
        let mut receiver = match left {
            Some(left) if goes_on => left,
            left => {
                let receiver = self.begin(job, left, cached)?;
                receiver.note(mark(&response).as_ref());
                receiver
            }
        };
        let mut first_sign = None;
        let take = |chunk: &[u8]| {
            first_sign = first_sign.or_else(|| chunk.iter().find(|b| !b.is_ascii_whitespace()).copied());
            receiver.receiving.take(chunk)?;
            let seen = receiver.receiving.seen();
            job.tried.got_to(seen);
            self.reporter.download_advanced(job.number, seen);
            Ok(())
        };
        match self.body(&mut response, &limits, &ask, take).await {
            Ok(()) => self.finish(job, receiver, first_sign),
            Err(Cut::Refused(why)) => Err(receiver.refused(job, why, first_sign)),
            Err(Cut::Off(error)) => Err(error),
        }
    }

    /// What an earlier run, or an earlier try, left of a file; of one that another run is at, a copy: that run may have
    /// been stopped.
    fn left(&self, job: &Job) -> Option<Receiver> {
        let (cache, name) = (&self.fetcher.cache, job.expected.sha256.to_string());
        let (file, path, kept) = match cache.left_part(Folder::Files, &name) {
            Some((file, part)) => (file, part.path().to_owned(), Kept::Part(part)),
            None => {
                let (file, temp) = cache.copy_of_part(Folder::Files, &name).ok()?.into_parts();
                (file, temp.to_path_buf(), Kept::Temp(temp))
            }
        };
        let receiving = Receiving::resuming(file, job.expected).ok()?;
        (receiving.seen() > 0).then_some(Receiver { receiving, path, kept })
    }

    /// A file to write all of a download into: in the cache, so that the next run can go on with it, unless it takes
    /// none.
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
            false => cache.new_part(Folder::Files, &job.expected.sha256.to_string())?,
        };
        let Some((file, part)) = part else {
            let (file, temp) = cache.create(Folder::Files)?.into_parts();
            let (receiving, path) = (Receiving::new(file, job.expected), temp.to_path_buf());
            return Ok(Receiver { receiving, path, kept: Kept::Temp(temp) });
        };
        let receiving = Receiving::new(file, job.expected);
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

/// Works for as long as it takes, and holds a turn for the first part of it, and what is there `then` for the rest.
async fn holding<T, H>(turn: impl Sized, work: impl Future<Output = T>, then: impl FnOnce() -> H) -> T {
    let mut work = std::pin::pin!(work);
    if let Ok(done) = tokio::time::timeout(A_TURN, &mut work).await {
        return done;
    }
    // Known before another one has the turn.
    let _held = then();
    drop(turn);
    work.await
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
            Kept::Part(part) => part.mark().map(|mark| mark.validator),
            Kept::Temp(_) | Kept::Nowhere(_) => None,
        };
        (self.receiving.seen(), known_by)
    }

    fn note(&self, mark: Option<&Mark>) {
        if let Kept::Part(part) = &self.kept {
            // Without it the next run asks for the rest all the same; what comes is verified.
            let _ = part.note(mark);
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
                FetchError::Mismatch { place: FileOrigin::Web(redacted(&job.url)), mismatch, because: Some(because) }
            }
            Unverified::Io(error) => FetchError::Io { path: path.to_owned(), error },
            Unverified::Interrupted => FetchError::Interrupted,
        }
    }
}

/// A catalog that comes, and, as long as it can be written, the part of it in the cache.
struct Growing {
    body: Vec<u8>,
    part: Option<(File, Part)>,
}

impl Growing {
    fn take(&mut self, chunk: &[u8]) {
        self.write(|(file, _)| file.write_all(chunk));
        self.body.extend_from_slice(chunk);
    }

    /// What cannot be written is done without.
    fn write(&mut self, write: impl FnOnce(&mut (File, Part)) -> io::Result<()>) {
        if let Some((_, part)) = self.part.take_if(|part| write(part).is_err()) {
            part.discard();
        }
    }

    /// There is nothing to go on with any more.
    fn finish(self) -> Vec<u8> {
        if let Some((_, part)) = self.part {
            part.discard();
        }
        self.body
    }
}

/// Which bytes an answer says that it is.
struct Rest {
    first: u64,
    last: u64,
    whole: Option<u64>,
}

impl Rest {
    fn of(response: &Response) -> Option<Self> {
        let range = response.headers().get(CONTENT_RANGE)?.to_str().ok()?;
        let (range, whole) = range.strip_prefix("bytes ")?.split_once('/')?;
        let (first, last) = range.split_once('-')?;
        let whole = if whole == "*" { None } else { Some(whole.parse().ok()?) };
        Some(Rest { first: first.parse().ok()?, last: last.parse().ok()?, whole })
    }

    /// Whether it is everything from this byte on.
    fn is_all_from(&self, from: u64) -> bool {
        self.first == from && from <= self.last && self.last.checked_add(1) == self.whole
    }
}

fn validators_of(response: &Response) -> Validators {
    let header = |name: HeaderName| response.headers().get(name).and_then(|value| value.to_str().ok());
    Validators::new(header(ETAG), header(LAST_MODIFIED))
}

/// What the rest of an answer can be asked for by.
fn mark(response: &Response) -> Option<Mark> {
    let date = response.headers().get(DATE).and_then(|date| date.to_str().ok());
    let validator = validators_of(response).strong(date)?.to_owned();
    Some(Mark { validator, place: redacted(response.url()) })
}
