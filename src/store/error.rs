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
    #[error("the registry {} is missing, but there are version folders of {}", path.display(), packages.join(", "))]
    MissingRegistry { path: PathBuf, packages: Vec<String> },
    #[error("the record {} cannot be read: {why}", path.display())]
    DamagedRecord { path: PathBuf, why: String },
    #[error("{} was written by a newer rulepack (schema {found})", path.display())]
    Newer { path: PathBuf, found: String },
    #[error("{} is a link, and records are not read or written through links", path.display())]
    LinkedRecord { path: PathBuf },
    #[error("{} is larger than {} MiB", path.display(), super::limits::MOST_RECORD >> 20)]
    OversizedRecord { path: PathBuf },
    #[error("another program installed, removed or changed {package} in the meantime; its change was kept")]
    ChangedMeanwhile { package: String },
    #[error("another program kept changing {} whenever it was about to be replaced", path.display())]
    NeverStill { path: PathBuf },
    #[error("an interrupted change of {packages} can be neither finished nor undone: {}", told(why))]
    Unfinished { packages: String, why: Box<StoreError> },
    #[error("cannot put {} in place: its staged files are missing", path.display())]
    Gone { path: PathBuf },
    #[error("version {version} of {package} has changed since it was installed: {why}")]
    DamagedPackage { package: String, version: String, why: String },
    #[error("{} is locked by {holder}, which did not finish within {seconds} s", path.display())]
    Locked { path: PathBuf, holder: String, seconds: u64 },
    #[error("{} is locked by {holder}, and no time was left to wait for it", path.display())]
    Deadline { path: PathBuf, holder: String },
    #[error("{} is a link; nothing is read or written through links", path.display())]
    Link { path: PathBuf },
    #[error("cannot lock {}", path.display())]
    NoLock { path: PathBuf, source: io::Error },
    /// A change failed and could not be taken back, or not as a whole.
    #[error("{error}; the steps before that could not all be undone: {why}")]
    Half { error: Box<StoreError>, why: String },
    /// Nothing of the change was done. It can be made without the pack.
    #[error("cannot put the language pack of {package} in place: {}", told(why))]
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
                "rebuild it from the version folders with `rulepack doctor --repair`; the damaged file is kept"
            }
            StoreError::NewerRegistry { .. } | StoreError::Newer { .. } => {
                "update rulepack; this version does not change the file"
            }
            StoreError::DamagedRecord { .. } => "run any command again: the file is set aside and rebuilt",
            StoreError::LinkedRecord { .. } => "move the file it leads to into its place, or remove the link",
            StoreError::OversizedRecord { .. } => {
                "move it away: it is far larger than rulepack or the engine would write"
            }
            StoreError::ChangedMeanwhile { .. } | StoreError::NeverStill { .. } => "run the same command again",
            StoreError::Unfinished { .. } => "fix the cause, then run any command; both states are kept until then",
            StoreError::DamagedPackage { .. } => "repair what can be repaired with `rulepack doctor --repair`",
            StoreError::Deadline { .. } => "run it again when the other has finished, or raise `--deadline`",
            StoreError::Locked { .. } => "wait for it to finish, or raise `--lock-timeout`",
            StoreError::Io { source, .. } => match source.kind() {
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                    "check that the data folder is writable, or give another with `--data-dir`"
                }
                io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
                    "move away the file or broken link that is in the place of a folder, or give another data folder \
                     with `--data-dir`"
                }
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                    "free some space and run the same command again"
                }
                _ => return None,
            },
            StoreError::Link { .. } => {
                "replace the link by the file or folder itself; only the data folder that `--data-dir` gives may be a \
                 link"
            }
            StoreError::NoLock { source, .. } if Code::of_io(source) == Code::DiskFull => "free some space",
            StoreError::NoLock { .. } => {
                "give a data folder on a local disk with `--data-dir`: some network and shared folders do not support \
                 locks"
            }
            StoreError::Half { .. } => {
                "run any command that changes something: it finishes or undoes the change, and until then nothing of \
                 it is removed"
            }
            StoreError::NoPlaceForPack { why, .. } => return why.hint(),
            StoreError::Gone { .. } | StoreError::Interrupted => return None,
        };
        Some(hint.to_owned())
    }
}
