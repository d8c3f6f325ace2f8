//! Files on their way, handed over one by one as they are complete: one that hangs keeps no other waiting.

use super::download::{Downloaded, Job, Line, SILENT};
use super::error::FetchError;
use super::fault::Fault;
use super::fetcher::{Fetcher, Network};
use crate::disk::Verified;
use crate::types::{Reporter, Sha256, redacted};
use futures_util::stream::{FuturesUnordered, StreamExt as _};
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::fs::File;
use std::pin::Pin;
use std::rc::Rc;
use std::time::{Duration, Instant, SystemTime};

/// How often to look whether the reader wants to stop.
const LOOK: Duration = Duration::from_millis(50);

type Arrived = (usize, Result<Verified<File>, FetchError>);
type Coming<'a> = Pin<Box<dyn Future<Output = (usize, Result<Downloaded, FetchError>)> + 'a>>;

/// Files that were asked for. They come while [`Downloads::next`] waits for them.
pub struct Downloads<'a> {
    fetcher: &'a Fetcher,
    reporter: &'a dyn Reporter,
    network: Option<&'a Network>,
    /// What was on this machine, or could not be asked for.
    here: VecDeque<Arrived>,
    /// What is on its way, by its place among the files asked for.
    away: BTreeMap<usize, Rc<Job>>,
    coming: FuturesUnordered<Coming<'a>>,
    written: HashSet<Sha256>,
}

/// What [`Downloads::next`] came to.
pub enum Next {
    /// The file of this place among those asked for, open and at its start, or why it cannot be had.
    File(usize, Result<Verified<File>, FetchError>),
    /// Nothing came for so long.
    Quiet,
    /// There is nothing left to come.
    Over,
}

impl<'a> Downloads<'a> {
    pub(super) fn new(fetcher: &'a Fetcher, reporter: &'a dyn Reporter, here: VecDeque<Arrived>) -> Self {
        Downloads {
            fetcher,
            reporter,
            network: None,
            here,
            away: BTreeMap::new(),
            coming: FuturesUnordered::new(),
            written: HashSet::new(),
        }
    }

    /// Begins to ask for files that are not here.
    pub(super) fn begin(&mut self, jobs: Vec<(usize, Job)>, line: Line<'a>) {
        let line = Rc::new(line);
        self.network = Some(line.network);
        for (at, job) in jobs {
            let (line, job) = (line.clone(), Rc::new(job));
            self.away.insert(at, job.clone());
            self.coming.push(Box::pin(async move { (at, line.file(&job).await) }));
        }
    }

    /// The next file that is complete, or that cannot be had. Waits for it no longer than `quiet`, and ends for all
    /// files with the run's deadline, or when the reader asks to stop.
    pub fn next(&mut self, quiet: Duration) -> Next {
        if let Some((at, file)) = self.here.pop_front() {
            return Next::File(at, file);
        }
        let Some(network) = self.network.filter(|_| !self.coming.is_empty()) else {
            if !self.written.is_empty() {
                self.fetcher.cache.prune(&std::mem::take(&mut self.written));
            }
            return Next::Over;
        };
        let until = Instant::now() + quiet;
        loop {
            let look = LOOK.min(until.saturating_duration_since(Instant::now()));
            let look = self.fetcher.settings.deadline.left().map_or(look, |left| left.min(look));
            let coming = &mut self.coming;
            let arrived = network.block_on(async {
                tokio::select! {
                    biased;
                    arrived = coming.next() => arrived,
                    () = tokio::time::sleep(look) => None,
                }
            });
            if let Some((at, result)) = arrived {
                self.away.remove(&at);
                return Next::File(at, result.map(|downloaded| self.taken(downloaded)));
            }
            if self.fetcher.cancel.is_asked() {
                self.give_up(|_| FetchError::Interrupted);
            } else if self.fetcher.settings.deadline.is_over() {
                self.note_the_silent();
                self.give_up(|job| FetchError::Deadline { url: redacted(&job.url) });
            } else if Instant::now() < until {
                continue;
            } else {
                return Next::Quiet;
            }
            return self.next(quiet);
        }
    }

    fn taken(&mut self, Downloaded { file, uncached }: Downloaded) -> Verified<File> {
        match uncached {
            Some(error) => self.fetcher.cannot_keep(&error),
            None => {
                self.written.insert(file.expected().sha256);
            }
        }
        file
    }

    /// Lets go of everything still on its way.
    fn give_up(&mut self, why: impl Fn(&Job) -> FetchError) {
        self.coming.clear();
        for (at, job) in std::mem::take(&mut self.away) {
            if job.started.get().is_some() {
                self.reporter.download_finished(job.number, false);
            }
            self.here.push_back((at, Err(why(&job))));
        }
    }

    /// Remembers the addresses that did not answer, and those whose turn never came because of them, so that the next
    /// run does not wait for them again.
    fn note_the_silent(&self) {
        let is_silent = |job: &Job| job.last_sign().is_some_and(|sign| sign.elapsed() >= SILENT);
        let in_the_way = self.away.values().any(|job| is_silent(job));
        for job in self.away.values() {
            let never_began = job.started.get().is_none() && in_the_way && !self.fetcher.hosts.has_answered(&job.url);
            if is_silent(job) || never_began {
                let for_so_long = job.last_sign().map_or(SILENT, |sign| sign.elapsed());
                let error = FetchError::Network {
                    url: redacted(&job.url),
                    fault: Fault::Silence(for_so_long),
                    proxy: None,
                    answered: false,
                };
                self.fetcher.cache.note_setback(&job.url, None, &error, SystemTime::now());
            }
        }
    }
}
