//! What commands answer: typed once, rendered twice (for people and as JSON). Field for field
//! docs/spec/commands.md#results; keys that have nothing to say are `null`, never missing.

use crate::catalog::Note;
use crate::store::{KeptPack, Layout};
use crate::types::{Failure, Problem, Rule, codes};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::Path;

/// What happened, or would happen, to one package.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// Put there, where no version of it was.
    Installed,
    /// Replaced by another version.
    Updated,
    /// The same version put there again: forced, damaged, or republished with other bytes.
    Reinstalled,
    /// As it was.
    Unchanged,
    /// Only the language pack changed, or went.
    Switched,
    /// The version before is active again.
    RolledBack,
    /// Uninstalled.
    Removed,
    /// Kept back from an update by `hold` or by a rollback.
    Held,
    /// Nothing was done; the row says why.
    Failed,
}

/// The answer of `install`, `update`, `rollback`, `uninstall`, `sync` and `language`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Changes {
    /// The language in force.
    pub language: String,
    /// In the order in which they were named, or by id.
    pub packages: Vec<PackageChange>,
}

/// What happened, or would happen, to one package.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PackageChange {
    /// Its id, or what was given as one.
    pub id: String,
    /// What people know it by.
    pub name: Option<String>,
    /// The active version afterwards.
    pub version: Option<String>,
    /// The version a rollback goes back to.
    pub previous_version: Option<String>,
    /// What was done.
    pub action: Action,
    /// The folder of the active version.
    pub path: Option<String>,
    /// The language pack; `null` where it says nothing.
    pub language_pack: Option<LanguagePack>,
    /// How it looks by sizes and times; of `sync` and `language`, as are the next two.
    pub state: Option<Soundness>,
    /// Whether `hold` keeps updates away from it.
    pub held: Option<bool>,
    /// When the active version was put there, as RFC 3339.
    pub installed_at: Option<String>,
    /// Why it failed.
    pub error: Option<ErrorReport>,
}

/// What became of the language pack.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LanguagePack {
    /// What was done.
    pub status: PackStatus,
    /// The language of the pack that is there, or would be after a dry run.
    pub language: Option<String>,
    /// Where it lies.
    pub path: Option<String>,
    /// The SHA-256 of the file, in hexadecimal.
    pub sha256: Option<String>,
    /// Its size in bytes.
    pub bytes: Option<u64>,
    /// Why a wanted pack is not there.
    pub reason: Option<PackReason>,
    /// The same for people, who are told apart what programs need not.
    #[serde(skip)]
    pub why: Option<&'static str>,
}

impl LanguagePack {
    /// Of no pack that is there.
    pub(super) fn none(status: PackStatus) -> Self {
        LanguagePack { status, language: None, path: None, sha256: None, bytes: None, reason: None, why: None }
    }

    /// Of the pack kept below this folder of a version.
    pub(super) fn kept(status: PackStatus, kept: &KeptPack, root: &Path) -> Self {
        LanguagePack {
            language: Some(kept.language.to_string()),
            path: Some(Layout::pack_in(root, &kept.language).display().to_string()),
            sha256: Some(kept.file.sha256.to_string()),
            bytes: Some(kept.file.bytes.0),
            ..LanguagePack::none(status)
        }
    }
}

/// What there is of a language pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PackStatus {
    /// It came with this run.
    Fetched,
    /// It was there before.
    Current,
    /// The language is English, which the ruleset itself is in.
    NotNeeded,
    /// The catalog has none for the language.
    NotListed,
    /// It is listed and could not be had; the ruleset is in English.
    Unavailable,
    /// One went, and none is wanted or listed.
    Removed,
}

/// Why a wanted pack could not be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema)]
#[schemars(rename_all = "kebab-case")]
pub enum PackReason {
    /// There is no network, or no answer from it.
    Offline,
    /// The server has it not, or not for us.
    HttpError,
    /// It is not as long as the catalog says.
    SizeMismatch,
    /// Its SHA-256 is not the one of the catalog.
    ChecksumMismatch,
    /// Its `_meta.locale` is another language.
    LocaleMismatch,
    /// It is no language pack.
    InvalidPack,
    /// The catalog's entry is for another version than the installed one.
    OtherVersion,
    /// The run had to end before it was there.
    Deadline,
    /// The catalog, or its entry, cannot be read.
    InvalidCatalog,
    /// This machine would not read or write a file.
    Io,
}

impl PackReason {
    /// What there is to say about it.
    pub const fn rule(self) -> &'static Rule {
        match self {
            PackReason::Offline => codes::OFFLINE,
            PackReason::HttpError => codes::HTTP_ERROR,
            PackReason::SizeMismatch => codes::SIZE_MISMATCH,
            PackReason::ChecksumMismatch => codes::CHECKSUM_MISMATCH,
            PackReason::LocaleMismatch => codes::LOCALE_MISMATCH,
            PackReason::InvalidPack => codes::INVALID_PACK,
            PackReason::OtherVersion => codes::OTHER_VERSION,
            PackReason::Deadline => codes::DEADLINE,
            PackReason::InvalidCatalog => codes::INVALID_CATALOG,
            PackReason::Io => codes::IO,
        }
    }
}

/// Written as its code.
impl Serialize for PackReason {
    fn serialize<S: serde::Serializer>(&self, into: S) -> Result<S::Ok, S::Error> {
        self.rule().serialize(into)
    }
}

/// A failure as JSON carries it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ErrorReport {
    /// As [`crate::types::Code`] spells it.
    pub code: String,
    /// What, where and why.
    pub message: String,
    /// What to do next.
    pub hint: Option<String>,
    /// Which package it is about.
    pub package: Option<String>,
    /// The address it happened at, without user, password or query.
    pub url: Option<String>,
}

impl From<&Failure> for ErrorReport {
    fn from(failure: &Failure) -> Self {
        ErrorReport {
            code: failure.code.to_string(),
            message: failure.message.clone(),
            hint: failure.hint.clone(),
            package: failure.package.clone(),
            url: failure.url.clone(),
        }
    }
}

/// The answer of `list`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Listing {
    /// By id.
    pub packages: Vec<ListedPackage>,
}

/// An installed ruleset.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedPackage {
    /// Its id.
    pub id: String,
    /// What people know it by.
    pub name: Option<String>,
    /// The active version.
    pub version: String,
    /// The version a rollback goes back to.
    pub previous_version: Option<String>,
    /// How its files look by their sizes and times.
    pub state: Soundness,
    /// Whether `hold` keeps updates away from it.
    pub held: bool,
    /// The pack kept, `null` when there is none.
    pub language_pack: Option<LanguagePack>,
    /// The folder of the active version.
    pub path: String,
    /// When the active version was put there, as RFC 3339.
    pub installed_at: Option<String>,
}

/// Whether the files are what was installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Soundness {
    /// As installed.
    Ok,
    /// A file is missing or has changed.
    Damaged,
}

/// The answer of `path`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Whereabouts {
    /// The folder of the active version.
    pub root: String,
    /// Its `ruleset.json`.
    pub ruleset: String,
    /// The file of its language pack, if one is kept.
    pub language_pack: Option<String>,
    /// The language of that pack.
    pub language: Option<String>,
    /// The active version.
    pub version: String,
}

/// The answer of `search`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchResult {
    pub rulesets: Vec<Card>,
    pub left_out: Vec<LeftOut>,
    /// Whether words were searched for, so that fewer of them find more.
    #[serde(skip)]
    pub by_words: bool,
}

/// The answer of `info`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Info {
    pub ruleset: Card,
    /// What people are told besides.
    #[serde(skip)]
    pub needs: Needs,
}

/// The engine a ruleset is for.
#[derive(Clone, Debug)]
pub struct Needs {
    pub engine_min: String,
    pub engine_max_exclusive: String,
    /// The Capability API, where one is declared.
    pub api: Option<String>,
}

/// A store card.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Card {
    pub id: String,
    /// In the reader's language where the catalog has it.
    pub name: String,
    pub description: String,
    pub version: String,
    pub bytes: u64,
    /// The languages there are packs in, without English.
    pub languages: Vec<String>,
    /// The installed version.
    pub installed: Option<String>,
    pub compatible: bool,
    /// Why it is not compatible.
    pub reasons: Vec<String>,
}

/// An entry that cannot be used, with every reason.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LeftOut {
    pub id: Option<String>,
    pub reasons: Vec<String>,
}

/// The answer of `outdated`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Outdated {
    pub packages: Vec<OutdatedPackage>,
    /// How many rulesets are installed; people are told.
    #[serde(skip)]
    pub installed: usize,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OutdatedPackage {
    pub id: String,
    pub name: Option<String>,
    pub version: String,
    pub available: String,
    pub reason: OutdatedReason,
    /// Of the artifact that is available, as `install --sha256` takes it.
    pub sha256: String,
    /// Its size.
    pub bytes: u64,
    /// What is new since the installed version, the newest first.
    pub notes: Vec<Note>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OutdatedReason {
    Newer,
    Republished,
    /// The version a rollback left, or one declined in the engine.
    Declined,
    Held,
}

/// The answer of `hold` and `unhold`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Holds {
    pub packages: Vec<Hold>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Hold {
    pub id: String,
    pub held: bool,
}

/// The answer of `doctor`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Diagnosis {
    /// What is wrong and was not repaired.
    pub problems: Vec<Problem>,
    pub summary: DiagnosisSummary,
    pub repaired: Vec<Repaired>,
}

#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct DiagnosisSummary {
    pub errors: usize,
    pub warnings: usize,
    pub packages: usize,
    /// Files hashed.
    pub files: usize,
}

/// Something `doctor --repair` mended.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Repaired {
    pub code: String,
    pub package: Option<String>,
    pub file: Option<String>,
    /// What was done.
    pub action: String,
}

/// The answer of `cache`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CacheReport {
    pub dir: String,
    pub bytes: u64,
    pub files: u64,
}
