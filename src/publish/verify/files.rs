//! Where the files of a catalog come from, and what kept one from coming.

use crate::fetch::{AskedFor, Because, FetchError, Fetcher, Mirror, Next, Place, Settings, Shelf, Want};
use crate::threads;
use crate::types::{Cancel, Code, Coded, Failure, Pointer, Problem, Reporter, Verified};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::time::Duration;

/// How many files are looked at together, at the most. Each is open, and a process may have few files open.
const AT_ONCE: usize = 8;

/// How long more of them are waited for.
const GATHER: Duration = Duration::from_millis(20);

/// The files of a catalog: on this disk, or behind their addresses.
pub(super) struct Files<'a> {
    /// The folders they lie in, if they do.
    shelf: Option<Shelf>,
    fetcher: &'a Fetcher,
    settings: &'a Settings,
    cancel: &'a Cancel,
    on: &'a dyn Reporter,
}

impl<'a> Files<'a> {
    /// Those of a mirror's folder, or else of the folder the catalog was found in, or else the web's.
    pub fn new(
        settings: &'a Settings,
        root: Option<&Path>,
        fetcher: &'a Fetcher,
        cancel: &'a Cancel,
        on: &'a dyn Reporter,
    ) -> Self {
        let shelf = match (&settings.mirror, root) {
            (Some(Mirror::Folder(folder)), _) => Some(Shelf::Mirror(folder.clone())),
            (Some(Mirror::Web(_)), _) | (None, None) => None,
            (None, Some(root)) => Some(Shelf::Beside(root.to_owned())),
        };
        Files { shelf, fetcher, settings, cancel, on }
    }

    /// Whether the reader asked to stop.
    pub fn cancel(&self) -> &'a Cancel {
        self.cancel
    }

    /// What `look` makes of each file, open at its start, on all processors.
    ///
    /// # Errors
    /// Only when the reader asked to stop; what is wrong with a file stands in its place.
    pub fn opened<T: Send>(
        &mut self,
        wants: &[Want],
        look: impl Fn(usize, &File) -> T + Sync,
    ) -> Result<Vec<Result<T, FetchError>>, Failure> {
        let cancel = self.cancel;
        let take = |shelf: &Shelf, at: usize| Ok(look(at, shelf.take(&wants[at], cancel)?.get()));
        self.each(wants, take, |at, file| Ok(look(at, file.get())))
    }

    /// What `look` makes of the bytes of each file, on all processors: for what is small.
    ///
    /// # Errors
    /// As of [`Files::opened`].
    pub fn read<T: Send>(
        &mut self,
        wants: &[Want],
        look: impl Fn(usize, &[u8]) -> T + Sync,
    ) -> Result<Vec<Result<T, FetchError>>, Failure> {
        let cancel = self.cancel;
        let take = |shelf: &Shelf, at: usize| Ok(look(at, shelf.read(&wants[at], cancel)?.get()));
        self.each(wants, take, |at, file| {
            let failed = |error: crate::types::Unverified| {
                let error = std::io::Error::other(error.to_string());
                FetchError::Io { path: wants[at].url.file_name().into(), error }
            };
            Ok(look(at, file.read().map_err(failed)?.get()))
        })
    }

    fn each<T: Send>(
        &mut self,
        wants: &[Want],
        here: impl Fn(&Shelf, usize) -> Result<T, FetchError> + Sync,
        fetched: impl Fn(usize, &Verified<File>) -> Result<T, FetchError> + Sync,
    ) -> Result<Vec<Result<T, FetchError>>, Failure> {
        let looked: Vec<Result<T, FetchError>> = match &self.shelf {
            Some(shelf) => {
                let places: Vec<usize> = (0..wants.len()).collect();
                threads::map(&places, |at| here(shelf, *at))
            }
            None => self.each_fetched(wants, fetched),
        };
        if self.cancel.is_asked() || looked.iter().any(|looked| matches!(looked, Err(FetchError::Interrupted))) {
            return Err(FetchError::Interrupted.into());
        }
        Ok(looked)
    }

    /// Looked at some at a time, as they come: one that is late keeps none of the others waiting, nor open.
    fn each_fetched<T: Send>(
        &self,
        wants: &[Want],
        look: impl Fn(usize, &Verified<File>) -> Result<T, FetchError> + Sync,
    ) -> Vec<Result<T, FetchError>> {
        let mut looked: BTreeMap<usize, Result<T, FetchError>> = BTreeMap::new();
        let mut downloads = self.fetcher.downloads(wants, &self.settings.cache_dir, self.on);
        let mut came: Vec<(usize, Verified<File>)> = Vec::new();
        loop {
            let is_over = match downloads.next(GATHER) {
                Next::File(at, Ok(file)) => {
                    came.push((at, file));
                    if came.len() < AT_ONCE {
                        continue;
                    }
                    false
                }
                Next::File(at, Err(error)) => {
                    looked.insert(at, Err(error));
                    continue;
                }
                Next::Quiet => false,
                Next::Over => true,
            };
            let seen = threads::map(&came, |(at, file)| (*at, look(*at, file)));
            looked.extend(seen);
            came.clear();
            if is_over {
                return looked.into_values().collect();
            }
        }
    }
}

/// What a file that did not come is reported as. That a server cannot be reached says nothing about the catalog, so it is
/// told apart from a file that is not there and from one that is another.
pub(super) fn absent(error: FetchError) -> Problem {
    let code = match &error {
        FetchError::Mismatch { because: Some(Because::LineEnds), .. } => "line-ends",
        FetchError::Mismatch { because: Some(Because::WebPage), .. } => "web-page",
        // B04: the server answers, and has no such file.
        FetchError::Status { status, .. } if matches!(status.as_u16(), 404 | 410) => Code::FileNotFound.as_str(),
        error => match error.code() {
            Code::Offline | Code::HttpError | Code::Network | Code::Deadline | Code::Usage => "unreachable",
            Code::Io | Code::DiskFull => "unreadable-file",
            code => code.as_str(),
        },
    };
    let hint = match &error {
        FetchError::NotFound { asked_for: AskedFor::File, .. } => {
            Some("put it there, or name the folder that holds it with --artifacts DIR".to_owned())
        }
        FetchError::Mismatch { place: Place::File(_), because: None, .. } => {
            Some("build the catalog anew: `bytes` and `sha256` are of the published file".to_owned())
        }
        error => error.hint(),
    };
    let Failure { message, .. } = error.into();
    Problem { hint, ..Problem::error(code, &Pointer::root(), message) }
}
