//! Where the files of a catalog come from, and what kept one from coming.

use crate::disk::Verified;
use crate::fetch::{ArtifactFolder, AskedFor, Because, FetchError, Fetcher, FileOrigin, Mirror, Next, Settings, Want};
use crate::types::{Cancel, Code, Coded, Failure, Pointer, Problem, Reporter, codes};
use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::File;
use std::path::Path;
use std::time::Duration;

/// How many entries of a folder are looked into at the same time. Their packs are shared out among all processors
/// together; what is kept of them meanwhile are their strings.
const ENTRIES_AT_ONCE: usize = 64;

/// How many files are looked at together, at the most. Each is open, and a process may have few files open.
const AT_ONCE: usize = 8;

/// How many files a server may refuse that gives none, as one does that is down or has had enough of us.
const MOST_REFUSED: usize = 8;

/// How long more of them are waited for.
const GATHER: Duration = Duration::from_millis(20);

/// The files of a catalog: on this disk, or behind their addresses.
pub(super) struct Files<'a> {
    /// The folders they lie in, if they do.
    shelf: Option<ArtifactFolder>,
    fetcher: &'a Fetcher,
    settings: &'a Settings,
    cancel: &'a Cancel,
    reporter: &'a dyn Reporter,
    refusals: RefCell<Refusals>,
}

/// Servers that answer with nothing but refusals. One that gave a file is in none of the trouble that this is about.
#[derive(Default)]
struct Refusals {
    /// How often each host refused; nothing of one that has given something.
    of: HashMap<String, Option<usize>>,
    /// The host that has refused for too often, and what it answered.
    too_often: Option<String>,
}

impl Refusals {
    fn note<T>(&mut self, want: &Want, came: &Result<T, FetchError>) {
        let url = want.url.url();
        let Some(host) = url.host_str() else { return };
        let count = self.of.entry(host.to_owned()).or_insert(Some(0));
        match came {
            Err(FetchError::Status { status, .. }) if status.as_u16() == 429 || status.is_server_error() => {
                *count = count.map(|count| count + 1);
                if count.is_some_and(|count| count >= MOST_REFUSED) {
                    self.too_often = Some(format!("{host} answers every request with {status}"));
                }
            }
            _ => *count = None,
        }
    }
}

impl<'a> Files<'a> {
    /// Those of a mirror's folder, or else of the folder the catalog was found in, or else the web's.
    pub fn new(
        settings: &'a Settings,
        root: Option<&Path>,
        fetcher: &'a Fetcher,
        cancel: &'a Cancel,
        reporter: &'a dyn Reporter,
    ) -> Self {
        let shelf = match (&settings.mirror, root) {
            (Some(Mirror::Folder(folder)), _) => Some(ArtifactFolder::Mirror(folder.clone())),
            (Some(Mirror::Web(_)), _) | (None, None) => None,
            (None, Some(root)) => Some(ArtifactFolder::Beside(root.to_owned())),
        };
        Files { shelf, fetcher, settings, cancel, reporter, refusals: RefCell::default() }
    }

    /// Why no more files come, if that is so.
    pub fn why_no_more(&self) -> Option<String> {
        let interrupted = self.cancel.is_asked().then(|| "the run was interrupted".to_owned());
        interrupted.or_else(|| self.refusals.borrow().too_often.clone())
    }

    /// What tells whether the reader asked to stop.
    pub fn cancel(&self) -> &'a Cancel {
        self.cancel
    }

    /// How many entries are best looked into together: of a folder some, for what is kept of them meanwhile; from
    /// elsewhere all, since any of their files may be late.
    pub fn entries_at_once(&self) -> usize {
        if self.shelf.is_some() { ENTRIES_AT_ONCE } else { usize::MAX }
    }

    /// Hands over every file, some at a time, by its place among those wanted. Those of a folder are all there, so the
    /// ones that are wanted `first` come first; others as they come: one that is late keeps none of the others waiting.
    /// What kept a file from coming is handed over in its place; no more come when the reader asked to stop, nor from a
    /// server that refuses everything.
    pub fn each(
        &self,
        wants: &[Want],
        first: impl Fn(usize) -> bool,
        mut take: impl FnMut(Vec<(usize, Result<Came<'_>, FetchError>)>),
    ) {
        match &self.shelf {
            Some(shelf) => {
                let (first, others): (Vec<usize>, Vec<usize>) = (0..wants.len()).partition(|at| first(*at));
                for part in [first, others] {
                    take(part.into_iter().map(|at| (at, Ok(Came::Shelved(shelf)))).collect());
                }
            }
            None => self.each_fetched(wants, take),
        }
    }

    fn each_fetched(&self, wants: &[Want], mut take: impl FnMut(Vec<(usize, Result<Came<'_>, FetchError>)>)) {
        let mut downloads = self.fetcher.downloads(wants, &self.settings.cache_dir, self.reporter);
        let mut came = Vec::new();
        loop {
            let next = downloads.next(GATHER);
            let mut is_over = matches!(next, Next::Over);
            if let Next::File(at, file) = next {
                self.refusals.borrow_mut().note(&wants[at], &file);
                is_over = self.why_no_more().is_some();
                came.push((at, file.map(Came::Fetched)));
                if came.len() < AT_ONCE && !is_over {
                    continue;
                }
            }
            if !came.is_empty() {
                take(std::mem::take(&mut came));
            }
            if is_over {
                return;
            }
        }
    }
}

/// A file that can be looked at.
pub(super) enum Came<'a> {
    /// It lies there, if it does.
    Shelved(&'a ArtifactFolder),
    Fetched(Verified<File>),
}

impl Came<'_> {
    /// What `look` makes of the file, open at its start.
    pub fn open<T>(&self, want: &Want, cancel: &Cancel, look: impl FnOnce(&File) -> T) -> Result<T, FetchError> {
        Ok(match self {
            Came::Shelved(shelf) => look(shelf.take(want, cancel)?.get()),
            Came::Fetched(file) => look(file.get()),
        })
    }

    /// All its bytes: for what is small.
    pub fn read(&self, want: &Want, cancel: &Cancel) -> Result<Verified<Vec<u8>>, FetchError> {
        match self {
            Came::Shelved(shelf) => shelf.read(want, cancel),
            Came::Fetched(file) => file.read().map_err(|error| {
                let error = std::io::Error::other(error.to_string());
                FetchError::Io { path: want.url.file_name().into(), error }
            }),
        }
    }
}

/// What a file that did not come is reported as. That a server cannot be reached says nothing about the catalog, so it
/// is told apart from a file that is not there and from one that is another.
pub(super) fn absent(error: FetchError) -> Problem {
    let code = match &error {
        FetchError::Mismatch { because: Some(Because::LineEnds), .. } => codes::LINE_ENDS,
        FetchError::Mismatch { because: Some(Because::WebPage), .. } => codes::WEB_PAGE,
        // B04.
        error if error.is_not_there() => codes::FILE_NOT_FOUND,
        error => match error.code() {
            Code::Offline | Code::HttpError | Code::Network | Code::Deadline | Code::Usage => codes::UNREACHABLE,
            Code::Io | Code::DiskFull => codes::UNREADABLE_FILE,
            code => code.rule(),
        },
    };
    let hint = match &error {
        FetchError::NotFound { asked_for: AskedFor::File, .. } => {
            Some("put it there, or give the folder that contains it with `--artifacts DIR`".to_owned())
        }
        FetchError::Mismatch { place: FileOrigin::File(_), because: None, .. } => {
            Some("rebuild the catalog: `bytes` and `sha256` must be those of the published file".to_owned())
        }
        error => error.hint(),
    };
    let Failure { message, .. } = error.into();
    Problem { hint, ..Problem::new(code, &Pointer::root(), message) }
}
