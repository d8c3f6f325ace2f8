//! What lies in a package folder and is not read: a link, which is followed nowhere in it, what the system refuses, and
//! what is not named as it is looked for.

use super::failure::{failure, is_missing};
use super::misnamed::Misnamed;
use super::root::below;
use crate::disk::{OpenFolder, refused_link};
use crate::types::{Failure, Pointer, Problem, codes};
use std::collections::BTreeMap;
use std::io;

/// One thing that is not read.
#[derive(Debug)]
pub(crate) struct Unread {
    /// Its path from the package folder: of a link, that of the link itself, be it among the folders on the way.
    pub file: String,
    why: Why,
    failure: Box<Failure>,
}

/// Why it is not read.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Why {
    Link,
    Missing,
    /// The system refuses it.
    Refused,
}

impl Unread {
    /// That `path` below a folder cannot be read.
    pub fn new(folder: &OpenFolder, path: &str, error: &io::Error) -> Self {
        let link = refused_link(error).and_then(|link| link.strip_prefix(folder.path()).ok());
        let parts = link.map(|link| link.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/"));
        let file = parts.unwrap_or_else(|| path.to_owned());
        let why = match refused_link(error) {
            Some(_) => Why::Link,
            None if is_missing(error) => Why::Missing,
            None => Why::Refused,
        };
        let failure = Box::new(failure(&below(folder.path(), &file), error));
        Unread { file, why, failure }
    }

    pub fn is_link(&self) -> bool {
        self.why == Why::Link
    }

    pub fn is_missing(&self) -> bool {
        self.why == Why::Missing
    }

    /// It as a finding: it keeps nobody from looking at the rest of the package.
    pub fn problem(&self) -> Problem {
        let code = if self.is_link() { codes::UNSAFE_PATH } else { codes::UNREADABLE_FILE };
        let Failure { message, hint, .. } = &*self.failure;
        let problem = Problem::new(code, &Pointer::root(), message.clone()).hint_if(hint.clone());
        Problem { pointer: None, ..problem }.in_file(&self.file)
    }
}

impl From<Unread> for Failure {
    fn from(unread: Unread) -> Self {
        *unread.failure
    }
}

/// All of a package that is not read, by path.
#[derive(Debug, Default)]
pub(crate) struct AllUnread {
    unread: BTreeMap<String, Unread>,
    /// By the path that each should have.
    misnamed: BTreeMap<String, Misnamed>,
}

impl AllUnread {
    pub fn add(&mut self, unread: Unread) {
        self.unread.insert(unread.file.clone(), unread);
    }

    pub fn add_misnamed(&mut self, misnamed: Misnamed) {
        self.misnamed.insert(misnamed.wanted.clone(), misnamed);
    }

    /// What was read, or nothing where a link is in the way, which is noted.
    ///
    /// # Errors
    /// Any other reason why it could not be read.
    pub fn unless_link<T: Default>(&mut self, read: Result<T, Unread>) -> Result<T, Failure> {
        match read {
            Err(unread) if unread.is_link() => {
                self.add(unread);
                Ok(T::default())
            }
            read => Ok(read?),
        }
    }

    /// Whether a file is not read, itself or for the folder it lies in.
    pub fn covers(&self, file: &str) -> bool {
        let folders = file.match_indices('/').map(|(at, _)| &file[..at]);
        folders.chain([file]).any(|path| self.unread.contains_key(path) || self.misnamed.contains_key(path))
    }

    /// Adds it to the findings, in the place of whatever follows from its not being read.
    pub fn tell(&self, problems: &mut Vec<Problem>) {
        problems.retain(|problem| !problem.file.as_deref().is_some_and(|file| self.covers(file)));
        problems.extend(self.unread.values().map(Unread::problem));
        problems.extend(self.misnamed.values().map(Misnamed::problem));
    }

    /// For whoever needs all of it.
    ///
    /// # Errors
    /// The first thing that is not read.
    pub fn refuse_any(&self) -> Result<(), Failure> {
        self.refuse(|_| true)
    }

    /// # Errors
    /// The first thing that is not read and is no link.
    pub fn refuse_others(&self) -> Result<(), Failure> {
        self.refuse(|unread| !unread.is_link())
    }

    fn refuse(&self, which: impl Fn(&Unread) -> bool) -> Result<(), Failure> {
        self.unread.values().find(|unread| which(unread)).map_or(Ok(()), |unread| Err((*unread.failure).clone()))
    }
}
