use crate::disk::Unverified;
use crate::types::{Code, Coded};
use std::io;
use std::path::{Path, PathBuf};

/// What can go wrong with what is on disk.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("cannot {doing} {}", path.display())]
    Io { doing: &'static str, path: PathBuf, source: io::Error },
    #[error("the registry {} cannot be read: {why}", path.display())]
    DamagedRegistry { path: PathBuf, why: String },
    #[error("the registry {} was written by a newer engine (schemaVersion {found})", path.display())]
    NewerRegistry { path: PathBuf, found: String },
    #[error("the registry {} is gone, but version folders of {} are there", path.display(), packages.join(", "))]
    MissingRegistry { path: PathBuf, packages: Vec<String> },
    #[error("the record {} cannot be read: {why}", path.display())]
    DamagedRecord { path: PathBuf, why: String },
    #[error("{} was written by a newer rulepack (schema {found})", path.display())]
    Newer { path: PathBuf, found: String },
    #[error("{} is a link, and no record is read or written through one", path.display())]
    LinkedRecord { path: PathBuf },
    #[error("{} is larger than {} MiB", path.display(), super::limits::MOST_RECORD >> 20)]
    OversizedRecord { path: PathBuf },
    #[error("another program installed, removed or changed {package} meanwhile; what it did stands")]
    ChangedMeanwhile { package: String },
    #[error("{} was changed by another program each time it was to be replaced", path.display())]
    NeverStill { path: PathBuf },
    #[error("an interrupted change of {packages} can be neither finished nor taken back: {}", told(why))]
    Unfinished { packages: String, why: Box<StoreError> },
    #[error("cannot put in place {}: what was staged for it is gone", path.display())]
    Gone { path: PathBuf },
    #[error("version {version} of {package} is not as it was installed: {why}")]
    DamagedPackage { package: String, version: String, why: String },
    #[error("{} is held by {holder}, and was not free after {seconds} s", path.display())]
    Locked { path: PathBuf, holder: String, seconds: u64 },
    #[error("{} is held by {holder}, and there was no time left to wait for it", path.display())]
    Deadline { path: PathBuf, holder: String },
    #[error("{} is a link; nothing is read or written through links", path.display())]
    Link { path: PathBuf },
    #[error("{} cannot be locked", path.display())]
    NoLock { path: PathBuf, source: io::Error },
    /// A change failed and could not be taken back, or not as a whole.
    #[error("{error}; what was done before that could not all be taken back: {why}")]
    Half { error: Box<StoreError>, why: String },
    /// Nothing of the change was done. It can be made without the pack.
    #[error("the language pack of {package} cannot be put in its place: {}", told(why))]
    NoPlaceForPack { package: String, why: Box<StoreError> },
    #[error("interrupted")]
    Interrupted,
}

/// An error with all that caused it, for a sentence that ends with it.
fn told(error: &StoreError) -> String {
    let mut told = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        told = format!("{told}: {error}");
        cause = error.source();
    }
    told
}

impl StoreError {
    /// Wraps an operating-system error with what was being done to what.
    pub fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> StoreError {
        move |source| StoreError::Io { doing, path: path.to_owned(), source }
    }

    /// What it means that a lock could not even be asked for.
    pub fn no_lock(path: &Path) -> impl FnOnce(io::Error) -> StoreError {
        move |source| StoreError::NoLock { path: path.to_owned(), source }
    }

    pub fn unverified(path: &Path) -> impl FnOnce(Unverified) -> StoreError {
        move |error| match error {
            Unverified::Interrupted => StoreError::Interrupted,
            Unverified::Io(source) => StoreError::Io { doing: "read", path: path.to_owned(), source },
            Unverified::Mismatch(mismatch) => StoreError::Io {
                doing: "read back",
                path: path.to_owned(),
                source: io::Error::new(io::ErrorKind::InvalidData, mismatch),
            },
        }
    }
}

impl Coded for StoreError {
    fn code(&self) -> Code {
        match self {
            StoreError::Io { source, .. } => Code::of_io(source),
            StoreError::DamagedRegistry { .. }
            | StoreError::NewerRegistry { .. }
            | StoreError::MissingRegistry { .. }
            | StoreError::DamagedRecord { .. }
            | StoreError::Newer { .. }
            | StoreError::LinkedRecord { .. }
            | StoreError::OversizedRecord { .. }
            | StoreError::Unfinished { .. } => Code::DamagedStore,
            StoreError::DamagedPackage { .. } => Code::DamagedPackage,
            StoreError::Locked { .. } | StoreError::ChangedMeanwhile { .. } | StoreError::NeverStill { .. } => {
                Code::Locked
            }
            StoreError::Deadline { .. } => Code::Deadline,
            StoreError::Gone { .. } | StoreError::Link { .. } | StoreError::NoLock { .. } => Code::Io,
            StoreError::Half { error, .. } | StoreError::NoPlaceForPack { why: error, .. } => error.code(),
            StoreError::Interrupted => Code::Interrupted,
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            StoreError::DamagedRegistry { .. } | StoreError::MissingRegistry { .. } => {
                "`rulepack doctor --repair` sets the bad file aside and rebuilds it from the version folders"
            }
            StoreError::NewerRegistry { .. } | StoreError::Newer { .. } => {
                "update rulepack; this version leaves the file as it is"
            }
            StoreError::DamagedRecord { .. } => "run any command again: it is set aside and made anew",
            StoreError::LinkedRecord { .. } => "move the file it leads to into its place, or remove the link",
            StoreError::OversizedRecord { .. } => "no program of ours writes so much: move it away",
            StoreError::ChangedMeanwhile { .. } | StoreError::NeverStill { .. } => "run the same command again",
            StoreError::Unfinished { .. } => "see to the cause, then run any command: both states are kept until then",
            StoreError::DamagedPackage { .. } => "`rulepack doctor --repair` mends what it can",
            StoreError::Deadline { .. } => "run it again when the other has finished, or raise --deadline",
            StoreError::Locked { .. } => "wait for it to finish, or raise --lock-timeout",
            StoreError::Io { source, .. } => match source.kind() {
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                    "check that the data folder can be written to, or name another with --data-dir"
                }
                io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
                    "a file, or a link that leads nowhere, is where a folder must be: move it away, or name another data folder \
                     with --data-dir"
                }
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                    "free some space and run the same command again; what could not be changed is as it was"
                }
                _ => return None,
            },
            StoreError::Link { .. } => {
                "put the file or folder itself in its place; only the data folder, which --data-dir names, may be a link"
            }
            StoreError::NoLock { source, .. } if Code::of_io(source) == Code::DiskFull => "free some space",
            StoreError::NoLock { .. } => {
                "its file system lets no files be locked, as some network and shared folders do not; name a data folder on a disk of this machine with --data-dir"
            }
            StoreError::Half { .. } => {
                "the next command that changes anything finishes it or takes it back; until then nothing of it is removed"
            }
            StoreError::NoPlaceForPack { why, .. } => return why.hint(),
            StoreError::Gone { .. } | StoreError::Interrupted => return None,
        };
        Some(hint.to_owned())
    }
}
