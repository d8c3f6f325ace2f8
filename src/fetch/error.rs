use super::client::ClientError;
use super::fault::Fault;
use super::index::InvalidCatalog;
use crate::types::{Code, Coded, Mismatch};
use reqwest::StatusCode;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// Why bytes could not be had. Addresses in it are without user, password and query.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    #[error("cannot find {what}: looked for {}", listed(.looked))]
    NotFound { asked_for: AskedFor, what: String, looked: Vec<PathBuf> },
    #[error("cannot read or write `{}`", .path.display())]
    Io {
        path: PathBuf,
        #[source]
        error: io::Error,
    },
    #[error("`{address}` does not end in a file name, so it cannot be found in a folder or mirror")]
    NoFileName { address: String },
    #[error("{place}: {mismatch}{}", .because.map(Because::finding).unwrap_or_default())]
    Mismatch { place: FileOrigin, mismatch: Mismatch, because: Option<Because> },
    #[error("{url} answered {status}{}", asked_wait(.wait))]
    Status { url: String, asked_for: AskedFor, status: StatusCode, limited: bool, wait: Option<Duration> },
    #[error("{url} {redirect}")]
    Redirect { url: String, redirect: BadRedirect },
    #[error("{url} was sent with the content encoding `{encoding}`, although none was requested")]
    Encoded { url: String, encoding: String },
    #[error("{url}: {fault}")]
    Network {
        url: String,
        fault: Fault,
        proxy: Option<String>,
        /// Whether an answer had begun to come.
        answered: bool,
    },
    #[error("{url} failed a moment ago ({why}) and will not be tried again for {} s", .left.as_secs().max(1))]
    Setback { url: String, code: Code, why: String, left: Duration },
    #[error("{url}: no time was left to wait for it")]
    Deadline { url: String },
    #[error("{what} is not in the cache, and this run is offline")]
    Offline { what: String },
    #[error("the catalog at {place}: {invalid}")]
    Catalog { place: FileOrigin, invalid: InvalidCatalog },
    #[error("the cached copy of the catalog at {catalog} is damaged")]
    DamagedCopy { catalog: String },
    #[error(transparent)]
    Client(#[from] ClientError),
    #[error("interrupted")]
    Interrupted,
}

/// What an address was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskedFor {
    Catalog,
    File,
}

/// Where bytes were read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileOrigin {
    /// An address, as it may be shown.
    Web(String),
    File(PathBuf),
}

/// What is likely to have happened to bytes that do not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Because {
    /// They would fit with LF line ends (B10).
    LineEnds,
    /// They begin as a web page does (B22).
    WebPage,
    /// A cache on the way may still serve what the address held before (B04).
    OldCopy,
}

/// How often an address may lead on to another (docs/spec/commands.md#downloads).
pub(super) const MAX_REDIRECTS: usize = 5;

/// Why an address that an address led to is not followed (B37).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadRedirect {
    #[error("redirects to {to}, but only https:// is followed")]
    NotHttps { to: String },
    #[error("redirects in a circle: {}", .0.join(" -> "))]
    Circle(Vec<String>),
    #[error("redirects more than {} times", MAX_REDIRECTS)]
    TooMany,
    #[error("redirects to an invalid address")]
    NotAnAddress,
}

/// Whether asking again may help.
pub(super) enum Again {
    No,
    /// The server closed a connection before it said anything on it, as it does with one that was open for a while.
    AtOnce,
    /// After a while, or after what the server asked for, if that is longer.
    Later(Option<Duration>),
}

impl FetchError {
    /// An answer of "not modified" to a question that did not ask for that.
    pub(super) fn unasked(url: String) -> Self {
        FetchError::Status {
            url,
            asked_for: AskedFor::Catalog,
            status: StatusCode::NOT_MODIFIED,
            limited: false,
            wait: None,
        }
    }

    /// Whether a server answers, and has no such file.
    pub fn is_not_there(&self) -> bool {
        matches!(self, FetchError::Status { status, .. } if matches!(status.as_u16(), 404 | 410))
    }

    /// Whether the server did not answer at all.
    pub(super) fn is_unanswered(&self) -> bool {
        matches!(self, FetchError::Network { answered: false, fault, .. } if fault.is_of_no_answer())
    }

    /// Whether what was asked for with a range may be had without: an answer that is none, or no answer.
    pub(super) fn is_refusal_of_a_rest(&self) -> bool {
        match self {
            FetchError::Status { .. } | FetchError::Encoded { .. } => true,
            FetchError::Network { answered, .. } => !answered,
            _ => false,
        }
    }

    /// Tells transient faults from those that stay (docs/spec/commands.md#retries, docs/spec/lessons.md#b05).
    pub(super) fn again(&self) -> Again {
        match self {
            FetchError::Network { fault: Fault::BrokeOff(_), answered: false, .. } => Again::AtOnce,
            FetchError::Network { fault, .. } if fault.is_transient() => Again::Later(None),
            FetchError::Status { status, limited, wait, .. } => match status.as_u16() {
                408 | 425 | 429 | 500..=599 => Again::Later(*wait),
                403 if *limited => Again::Later(*wait),
                _ => Again::No,
            },
            _ => Again::No,
        }
    }
}

impl Coded for FetchError {
    fn code(&self) -> Code {
        match self {
            FetchError::NotFound { .. } => Code::FileNotFound,
            FetchError::Io { error, .. } => Code::of_io(error),
            FetchError::NoFileName { .. } => Code::InvalidEntry,
            FetchError::Mismatch { mismatch, .. } => mismatch.code(),
            FetchError::Status { .. } | FetchError::Redirect { .. } | FetchError::Encoded { .. } => Code::HttpError,
            FetchError::Network { .. } => Code::Network,
            FetchError::Setback { code, .. } => *code,
            FetchError::Deadline { .. } => Code::Deadline,
            FetchError::Offline { .. } => Code::Offline,
            FetchError::Catalog { .. } | FetchError::DamagedCopy { .. } => Code::InvalidCatalog,
            FetchError::Client(error) => error.code(),
            FetchError::Interrupted => Code::Interrupted,
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            FetchError::NotFound { asked_for: AskedFor::Catalog, .. } => {
                "give an https:// address, a catalog.json, or a folder that contains one"
            }
            FetchError::NotFound { asked_for: AskedFor::File, .. } => {
                "use `--mirror BASE` to take files from another folder or address"
            }
            FetchError::Mismatch { because, .. } => because.as_ref()?.cure(),
            FetchError::Status { asked_for, status, limited, .. } => match status.as_u16() {
                404 | 410 if *asked_for == AskedFor::Catalog => "check the address of the catalog",
                404 | 410 => "try again in a few minutes: the catalog may have been published before the file",
                429 => "try again later: the server limits the rate of requests",
                403 if *limited => "try again later: the server limits the rate of requests",
                500..=599 => "try again later: the server is having trouble",
                _ => return None,
            },
            FetchError::Encoded { .. } => "try another mirror: the server or a proxy changes files in transit",
            FetchError::Network { fault, proxy, .. } => match proxy {
                Some(proxy) if !fault.is_tls() => return Some(format!("{}; {proxy}", fault.hint())),
                _ => fault.hint(),
            },
            FetchError::Setback { .. } => "wait that long, or try again at once with `--refresh`",
            FetchError::Deadline { .. } => {
                "run it again to resume the download, or allow more time with `--deadline SECS`"
            }
            FetchError::Offline { .. } => "run it once without `--offline`",
            FetchError::Catalog { invalid: InvalidCatalog::WebPage, .. } => {
                "log in if the network asks for it, or check the address: GitHub serves the file itself from \
                 raw.githubusercontent.com"
            }
            FetchError::DamagedCopy { .. } => "remove it with `rulepack cache clean`; nothing installed depends on it",
            FetchError::Client(error) => return error.hint(),
            _ => return None,
        };
        Some(hint.to_owned())
    }

    fn url(&self) -> Option<String> {
        match self {
            FetchError::Status { url, .. }
            | FetchError::Redirect { url, .. }
            | FetchError::Encoded { url, .. }
            | FetchError::Network { url, .. }
            | FetchError::Setback { url, .. }
            | FetchError::Deadline { url }
            | FetchError::Mismatch { place: FileOrigin::Web(url), .. }
            | FetchError::Catalog { place: FileOrigin::Web(url), .. } => Some(url.clone()),
            FetchError::NoFileName { address } => Some(address.clone()),
            FetchError::DamagedCopy { catalog } => Some(catalog.clone()),
            _ => None,
        }
    }
}

impl Because {
    fn finding(self) -> &'static str {
        match self {
            Because::LineEnds => "; it would match with LF line endings, but this copy has CRLF",
            Because::WebPage => "; what was received looks like an HTML page",
            Because::OldCopy => "",
        }
    }

    fn cure(self) -> &'static str {
        match self {
            Because::LineEnds => {
                "add `*.json -text` to .gitattributes and check the file out again: Git changed its line endings"
            }
            Because::WebPage => {
                "try again in a few minutes: a network that wants a login may have answered instead of the server, or \
                 an old copy may still be served"
            }
            Because::OldCopy => "try again in a few minutes: an old copy may still be served",
        }
    }
}

impl fmt::Display for FileOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileOrigin::Web(url) => f.write_str(url),
            FileOrigin::File(path) => write!(f, "`{}`", path.display()),
        }
    }
}

fn listed(paths: &[PathBuf]) -> String {
    let quoted: Vec<_> = paths.iter().map(|path| format!("`{}`", path.display())).collect();
    quoted.join(" and ")
}

fn asked_wait(wait: &Option<Duration>) -> String {
    wait.map(|wait| format!(" and asks to wait {} s", wait.as_secs())).unwrap_or_default()
}
