use super::{MAX_DIRECTORY, MAX_ENTRIES, MAX_KEPT, MAX_KEPT_IN_ALL, MAX_KEY, MAX_MANIFEST, MAX_UNPACKED};
use crate::types::{Code, Coded, InvalidPath, Mismatch, SafePath};
use std::fmt;
use std::io;

/// One way in which an artifact is not what it must be. Names as an archive spells them are kept short.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    #[error("the artifact is neither a zip nor a JSON object; it looks like {looks}")]
    NotAnArtifact { looks: &'static str },

    // A zip as a whole.
    #[error("the zip has no end record: it is truncated")]
    NoEndRecord,
    #[error("bytes follow the end of the zip")]
    BytesAfterEnd,
    #[error("the zip's directory is not where its end record says: there are extra bytes before, within or after it")]
    DirectoryMoved,
    #[error("the first file of the zip begins at byte {at}, not at its start")]
    BytesBeforeStart { at: u64 },
    #[error("the zip is split over several disks")]
    SeveralDisks,
    #[error("the zip's two end records contradict each other")]
    EndRecordsDiffer,
    #[error("the zip's directory has {found} entries, but its end record says {declared}")]
    WrongCount { declared: u64, found: u64 },
    #[error("the artifact has {count} entries, more than the limit of {MAX_ENTRIES}")]
    TooManyEntries { count: u64 },
    #[error("the zip's directory is {bytes} bytes long, more than the limit of {}", MAX_DIRECTORY)]
    DirectoryTooLong { bytes: u64 },
    #[error("the zip contradicts itself: {why}")]
    Inconsistent { why: String },

    // One entry of an archive.
    #[error("the archive contains a name that is not UTF-8: `{name}`")]
    NameNotText { name: String },
    #[error("the archive contains the unsafe name `{name}`: {why}")]
    UnsafePath { name: String, why: InvalidPath },
    #[error("the archive contains `{name}`, which is {what}, not a regular file or folder")]
    Special { name: String, what: &'static str },
    #[error("`{name}` is encrypted")]
    Encrypted { name: String },
    #[error("`{name}` is compressed with method {method}; only stored and deflate are supported")]
    Method { name: String, method: String },
    #[error("the archive contains `{path}` twice")]
    SameName { path: SafePath },
    #[error("the archive contains `{path}` and `{other}`, which are the same file on some file systems")]
    Twins { path: SafePath, other: SafePath },
    #[error("the archive contains `{path}` and `{other}`, so one path is both a file and a folder")]
    FileAndFolder { path: SafePath, other: SafePath },
    #[error("the folder `{name}` of the archive has data of its own")]
    FolderWithBytes { name: String },

    // A bundle as a whole.
    #[error("the bundle is not JSON: {why}")]
    NotJson { why: String },
    #[error("a key of the bundle is longer than {} bytes", MAX_KEY)]
    KeyTooLong,
    #[error("the bundle has the key `{key}`; only `manifest` and `files` are allowed")]
    UnknownKey { key: String },
    #[error("the bundle has the key `{key}` twice")]
    KeyTwice { key: &'static str },
    #[error("the bundle has no `files`")]
    NoFiles,
    #[error("`files` of the bundle is not an object of paths and texts")]
    FilesNotAnObject,
    #[error("the bundle has `{path}` as a JSON value instead of its text, so its hash cannot be checked")]
    NotText { path: SafePath },

    // The manifest and the list of files.
    #[error("the artifact contains no manifest")]
    NoManifest,
    #[error("the manifest inside the artifact is larger than {MAX_MANIFEST}")]
    ManifestTooLong,
    #[error("the manifest inside the artifact cannot be read: {why}")]
    ManifestUnreadable { why: String },
    #[error("the manifest inside the artifact differs from the catalog's")]
    ManifestDiffers,
    #[error("the manifest declares `{path}` as a file, which is the manifest's own name")]
    ManifestDeclared { path: SafePath },
    #[error("the declared files come to {bytes} bytes, more than the limit of {MAX_UNPACKED}")]
    TooLarge { bytes: u64 },
    #[error("`{path}` is declared with {bytes} bytes, more than the limit of {MAX_KEPT}")]
    FileTooLarge { path: SafePath, bytes: u64 },
    #[error("ruleset.json and the catalog files come to {bytes} bytes, more than the limit of {MAX_KEPT_IN_ALL}")]
    RulesetTooLarge { bytes: u64 },
    #[error("the package contains no ruleset.json")]
    NoRuleset,
    #[error("the artifact does not contain `{path}`, which the manifest declares")]
    Missing { path: SafePath },
    #[error("the artifact contains `{name}`, which the manifest does not declare")]
    Undeclared { name: String },

    // One file.
    #[error("`{path}` is not as declared")]
    Mismatch { path: SafePath, source: Mismatch },
    #[error("`{name}` cannot be unpacked: {why}")]
    Damaged { name: String, why: String },

    // Not the artifact's doing.
    #[error("the artifact cannot be read")]
    Read(#[from] io::Error),
    #[error("an unpacked file cannot be written")]
    Write(#[source] io::Error),
    #[error("interrupted")]
    Interrupted,
}

impl Coded for Fault {
    fn code(&self) -> Code {
        match self {
            Fault::NameNotText { .. } | Fault::UnsafePath { .. } | Fault::Special { .. } => Code::UnsafePath,
            Fault::NoRuleset => Code::NotARuleset,
            Fault::Mismatch { source, .. } => source.code(),
            Fault::Read(error) | Fault::Write(error) => Code::of_io(error),
            Fault::Interrupted => Code::Interrupted,
            _ => Code::InvalidArtifact,
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Fault::Interrupted => return None,
            Fault::Read(_) | Fault::Write(_) => return None,
            Fault::NotAnArtifact { .. } => {
                "give a zip, a bundle (a JSON object with `manifest` and `files`) or, if the manifest declares nothing \
                 else, the ruleset.json itself, without a byte order mark"
            }
            Fault::Encrypted { .. } | Fault::Method { .. } => "build the archive again with plain deflate",
            Fault::NotText { .. } => "give each file in `files` as its exact text, in one JSON string",
            _ => "build the artifact again with `rulepack catalog build`, and publish it again",
        };
        Some(hint.to_owned())
    }
}

/// All that was found wrong with an artifact, the gravest first. Shown as that one.
#[derive(Debug)]
pub struct Faults {
    first: Fault,
    rest: Vec<Fault>,
}

impl Faults {
    pub(super) fn new(first: Fault, rest: Vec<Fault>) -> Self {
        Faults { first, rest }
    }

    /// The one whose code and message count.
    pub fn first(&self) -> &Fault {
        &self.first
    }

    /// Every one, the first first.
    pub fn all(&self) -> impl Iterator<Item = &Fault> {
        std::iter::once(&self.first).chain(&self.rest)
    }
}

impl From<Fault> for Faults {
    fn from(fault: Fault) -> Self {
        Faults::new(fault, Vec::new())
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.first.fmt(f)
    }
}

impl std::error::Error for Faults {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.first.source()
    }
}

impl Coded for Faults {
    fn code(&self) -> Code {
        self.first.code()
    }

    fn hint(&self) -> Option<String> {
        self.first.hint()
    }
}

/// A name or reason out of an artifact, short enough for a message.
pub(super) fn excerpt(text: &str) -> String {
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Tells an error of the system, which says nothing about the artifact, from one of whoever decoded the bytes: only
/// the former carries a number.
pub(super) fn decoding(error: io::Error, fault: impl FnOnce(String) -> Fault) -> Fault {
    if error.raw_os_error().is_some() { Fault::Read(error) } else { fault(excerpt(&error.to_string())) }
}
