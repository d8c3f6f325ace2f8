//! What ends a piece of work, and the one table from kind of failure to code and exit number.

use super::codes;
use super::problem::shortened;
use super::rule::Rule;
use std::fmt;

/// The stable code of a failure, as other programs read it in `error.code` (docs/spec/commands.md#exit-codes).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    Io,
    DiskFull,
    Internal,
    Interrupted,
    Usage,
    NotInCatalog,
    NotInstalled,
    NoPreviousVersion,
    FileNotFound,
    SizeMismatch,
    ChecksumMismatch,
    LocaleMismatch,
    InvalidCatalog,
    InvalidEntry,
    InvalidArtifact,
    InvalidPack,
    UnsafePath,
    NotARuleset,
    InvalidRuleset,
    InvalidSheet,
    Offline,
    HttpError,
    Network,
    Deadline,
    IncompatibleEngine,
    IncompatibleApi,
    Downgrade,
    Locked,
    DamagedStore,
    DamagedPackage,
}

impl Code {
    /// Every code, in the order of the exit numbers.
    pub const ALL: &'static [Code] = &[
        Code::Io,
        Code::DiskFull,
        Code::Internal,
        Code::Interrupted,
        Code::Usage,
        Code::NotInCatalog,
        Code::NotInstalled,
        Code::NoPreviousVersion,
        Code::FileNotFound,
        Code::SizeMismatch,
        Code::ChecksumMismatch,
        Code::LocaleMismatch,
        Code::InvalidCatalog,
        Code::InvalidEntry,
        Code::InvalidArtifact,
        Code::InvalidPack,
        Code::UnsafePath,
        Code::NotARuleset,
        Code::InvalidRuleset,
        Code::InvalidSheet,
        Code::Offline,
        Code::HttpError,
        Code::Network,
        Code::Deadline,
        Code::IncompatibleEngine,
        Code::IncompatibleApi,
        Code::Downgrade,
        Code::Locked,
        Code::DamagedStore,
        Code::DamagedPackage,
    ];

    /// The rule it is explained by and the number the process exits with.
    const fn row(self) -> (&'static Rule, u8) {
        match self {
            Code::Io => (codes::IO, 1),
            Code::DiskFull => (codes::DISK_FULL, 1),
            Code::Internal => (codes::INTERNAL, 1),
            Code::Usage => (codes::USAGE, 2),
            Code::NotInCatalog => (codes::NOT_IN_CATALOG, 3),
            Code::NotInstalled => (codes::NOT_INSTALLED, 3),
            Code::NoPreviousVersion => (codes::NO_PREVIOUS_VERSION, 3),
            Code::FileNotFound => (codes::FILE_NOT_FOUND, 3),
            Code::SizeMismatch => (codes::SIZE_MISMATCH, 4),
            Code::ChecksumMismatch => (codes::CHECKSUM_MISMATCH, 4),
            Code::LocaleMismatch => (codes::LOCALE_MISMATCH, 4),
            Code::InvalidCatalog => (codes::INVALID_CATALOG, 4),
            Code::InvalidEntry => (codes::INVALID_ENTRY, 4),
            Code::InvalidArtifact => (codes::INVALID_ARTIFACT, 4),
            Code::InvalidPack => (codes::INVALID_PACK, 4),
            Code::UnsafePath => (codes::UNSAFE_PATH, 4),
            Code::NotARuleset => (codes::NOT_A_RULESET, 4),
            Code::InvalidRuleset => (codes::INVALID_RULESET, 4),
            Code::InvalidSheet => (codes::INVALID_SHEET, 4),
            Code::Offline => (codes::OFFLINE, 5),
            Code::HttpError => (codes::HTTP_ERROR, 5),
            Code::Network => (codes::NETWORK, 5),
            Code::Deadline => (codes::DEADLINE, 5),
            Code::IncompatibleEngine => (codes::INCOMPATIBLE_ENGINE, 6),
            Code::IncompatibleApi => (codes::INCOMPATIBLE_API, 6),
            Code::Downgrade => (codes::DOWNGRADE, 6),
            Code::Locked => (codes::LOCKED, 7),
            Code::DamagedStore => (codes::DAMAGED_STORE, 8),
            Code::DamagedPackage => (codes::DAMAGED_PACKAGE, 8),
            Code::Interrupted => (codes::INTERRUPTED, 130),
        }
    }

    /// The code of an operating-system error: a full disk or quota is told apart from everything else.
    pub fn of_io(error: &std::io::Error) -> Self {
        use std::io::ErrorKind;
        match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => Code::DiskFull,
            _ => Code::Io,
        }
    }

    /// The code's spelling in JSON.
    pub const fn as_str(self) -> &'static str {
        self.rule().as_str()
    }

    /// What there is to say about it.
    pub const fn rule(self) -> &'static Rule {
        self.row().0
    }

    /// The number the process exits with when this is the first failure.
    pub const fn exit(self) -> u8 {
        self.row().1
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Rule {
    /// The number a command exits with when this is why it failed; none for what a check finds or a command warns of.
    pub fn exit(&self) -> Option<u8> {
        let failure = Code::ALL.iter().find(|failure| failure.rule() == self)?;
        Some(failure.exit())
    }
}

/// An error of one module that knows its code and what to do about it. The message itself is its `Display`.
pub trait Coded: std::error::Error {
    /// The stable code.
    fn code(&self) -> Code;

    /// What the reader can do next, when there is something; never part of the message.
    fn hint(&self) -> Option<String> {
        None
    }

    /// The address it happened at, without user, password or query.
    fn url(&self) -> Option<String> {
        None
    }
}

/// A failure as it is reported: what, where, why (all in `message`), what next (`hint`), and for whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub code: Code,
    pub message: String,
    pub hint: Option<String>,
    pub package: Option<String>,
    pub url: Option<String>,
}

impl Failure {
    /// A failure of this kind with nothing but its message.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Failure { code, message: shortened(message.into()), hint: None, package: None, url: None }
    }

    /// The same with advice on what to do next.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(shortened(hint.into()));
        self
    }

    /// The same, said of one package; a package already named stays.
    pub fn package(mut self, package: impl fmt::Display) -> Self {
        self.package.get_or_insert_with(|| package.to_string());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl<E: Coded> From<E> for Failure {
    /// The whole chain of causes goes into the message: a reader sees one line, not the first level only.
    fn from(error: E) -> Self {
        let mut message = error.to_string();
        let mut cause = error.source();
        while let Some(inner) = cause {
            let text = inner.to_string();
            if !message.contains(&text) {
                message.push_str(": ");
                message.push_str(&text);
            }
            cause = inner.source();
        }
        Failure {
            code: error.code(),
            message: shortened(message),
            hint: error.hint().map(shortened),
            package: None,
            url: error.url(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_listed_once_and_spelled_like_a_word_of_the_contract() {
        let mut seen = std::collections::BTreeSet::new();
        for code in Code::ALL {
            assert!(seen.insert(code.as_str()), "{code} twice");
            assert!(code.as_str().bytes().all(|b| b.is_ascii_lowercase() || b == b'-'), "{code}");
            assert!(code.exit() != 0);
        }
    }
}
