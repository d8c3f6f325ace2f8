use super::Code;
use schemars::JsonSchema;
use serde::Serialize;

/// Hears what is going on while it goes on. The core never draws: it tells a reporter, and the command line
/// decides whether that becomes a bar, a line or an event.
///
/// Every method does nothing unless implemented.
pub trait Reporter {
    /// A step begins: one short line without a full stop, such as `Reading the catalog`, and the package it is about,
    /// where it is about one.
    fn step(&self, _text: &str, _package: Option<&str>) {}

    /// So much of the step is done, of so much in all.
    fn step_advanced(&self, _done: u64, _of: u64) {}

    /// A download begins; `download` tells it from the others of this run.
    fn download_started(&self, _download: usize, _transfer: &Transfer) {}

    /// So many of its bytes have come by now; goes back to a smaller number when an attempt starts over.
    fn download_advanced(&self, _download: usize, _bytes: u64) {}

    /// It ended, well or not.
    fn download_finished(&self, _download: usize, _done: bool) {}

    /// Nothing happens for a while, and why: a retry, a held lock.
    fn waiting(&self, _wait: &Wait) {}

    /// A package is in place, complete: what a run that is ended from now on keeps. `action` is the word the report
    /// has for it, such as `installed`.
    fn placed(&self, _package: &str, _action: &str) {}
}

/// What a download brings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// What a reader knows it by, such as `ember-roads 1.0.0`.
    pub label: String,
    /// The package it belongs to.
    pub package: Option<String>,
    /// The language of a language pack.
    pub language: Option<String>,
    /// What it brings.
    pub kind: TransferKind,
    /// Its size, in bytes.
    pub bytes: u64,
}

/// What kind of file a download brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TransferKind {
    /// A package.
    Artifact,
    /// A language pack.
    LanguagePack,
}

/// Why nothing happens for a while.
#[derive(Clone, Debug, PartialEq)]
pub struct Wait {
    /// One short line without a full stop.
    pub why: String,
    /// How long, where that is known, in seconds.
    pub seconds: Option<f64>,
    /// The code of what went wrong, where something did: `network`, `http-error`, `locked`.
    pub code: Option<Code>,
    /// The package it is about, and of a download what it brings, as in [`Transfer`].
    pub package: Option<String>,
    /// As in [`Transfer`].
    pub language: Option<String>,
    /// As in [`Transfer`].
    pub kind: Option<TransferKind>,
}

/// Hears nothing.
pub struct Silent;

impl Reporter for Silent {}
