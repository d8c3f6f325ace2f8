//! What ends a piece of work, and the one table from kind of failure to code and exit number.

use super::codes;
use super::problem::shortened;
use super::rule::Rule;
use std::fmt;

/// The table of failures: each with the rule it is explained by and the number the process exits with.
macro_rules! failures {
    ($($name:ident = $rule:ident, $exit:literal;)*) => {
        /// The stable code of a failure, as other programs read it in `error.code` (docs/spec/commands.md#exit-codes).
        /// `rulepack explain` says what each means.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Code {
            $(#[doc = concat!("`", stringify!($rule), "`; the process exits with ", $exit, ".")] $name,)*
        }

        impl Code {
            /// Every code, in the order of the exit numbers.
            pub const ALL: &'static [Code] = &[$(Code::$name),*];

            const fn row(self) -> (&'static Rule, u8) {
                match self {
                    $(Code::$name => (codes::$rule, $exit),)*
                }
            }
        }
    };
}

failures! {
    Io = IO, 1;
    DiskFull = DISK_FULL, 1;
    Internal = INTERNAL, 1;
    Interrupted = INTERRUPTED, 130;
    Usage = USAGE, 2;
    NotInCatalog = NOT_IN_CATALOG, 3;
    NotInstalled = NOT_INSTALLED, 3;
    NoPreviousVersion = NO_PREVIOUS_VERSION, 3;
    FileNotFound = FILE_NOT_FOUND, 3;
    SizeMismatch = SIZE_MISMATCH, 4;
    ChecksumMismatch = CHECKSUM_MISMATCH, 4;
    LocaleMismatch = LOCALE_MISMATCH, 4;
    InvalidCatalog = INVALID_CATALOG, 4;
    InvalidEntry = INVALID_ENTRY, 4;
    InvalidArtifact = INVALID_ARTIFACT, 4;
    InvalidPack = INVALID_PACK, 4;
    UnsafePath = UNSAFE_PATH, 4;
    NotARuleset = NOT_A_RULESET, 4;
    InvalidRuleset = INVALID_RULESET, 4;
    InvalidSheet = INVALID_SHEET, 4;
    Offline = OFFLINE, 5;
    HttpError = HTTP_ERROR, 5;
    Network = NETWORK, 5;
    Deadline = DEADLINE, 5;
    IncompatibleEngine = INCOMPATIBLE_ENGINE, 6;
    IncompatibleApi = INCOMPATIBLE_API, 6;
    Downgrade = DOWNGRADE, 6;
    Locked = LOCKED, 7;
    DamagedStore = DAMAGED_STORE, 8;
    DamagedPackage = DAMAGED_PACKAGE, 8;
}

impl Code {
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
    /// What kind of failure it is.
    pub code: Code,
    /// What, where and why.
    pub message: String,
    /// What to do next.
    pub hint: Option<String>,
    /// The package it is about.
    pub package: Option<String>,
    /// The address it happened at, without user, password or query.
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
