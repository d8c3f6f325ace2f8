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
    Installed,
    Updated,
    /// The same version put there again: forced, damaged, or republished with other bytes.
    Reinstalled,
    Unchanged,
    /// Only the language pack changed, or went.
    Switched,
    RolledBack,
    Removed,
    /// Kept back from an update by `hold` or by a rollback.
    Held,
    Failed,
}

/// The answer of `install`, `update`, `rollback`, `uninstall`, `sync` and `language`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Changes {
    /// The language in force.
    pub language: String,
    pub packages: Vec<PackageChange>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PackageChange {
    pub id: String,
    pub name: Option<String>,
    pub version: Option<String>,
    pub previous_version: Option<String>,
    pub action: Action,
    /// The folder of the active version.
    pub path: Option<String>,
    pub language_pack: Option<LanguagePack>,
    /// How it looks by sizes and times; of `sync` and `language`, as are the next two.
    pub state: Option<Soundness>,
    pub held: Option<bool>,
    pub installed_at: Option<String>,
    pub error: Option<ErrorReport>,
}

/// What became of the language pack.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LanguagePack {
    pub status: PackStatus,
    /// The language of the pack that is there, or would be after a dry run.
    pub language: Option<String>,
    pub path: Option<String>,
    pub sha256: Option<String>,
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PackStatus {
    Fetched,
    Current,
    NotNeeded,
    NotListed,
    Unavailable,
    /// One went, and none is wanted or listed.
    Removed,
}

/// Why a wanted pack could not be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema)]
#[schemars(rename_all = "kebab-case")]
pub enum PackReason {
    Offline,
    HttpError,
    SizeMismatch,
    ChecksumMismatch,
    LocaleMismatch,
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
    pub code: String,
    pub message: String,
    pub hint: Option<String>,
    pub package: Option<String>,
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
    pub packages: Vec<ListedPackage>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedPackage {
    pub id: String,
    pub name: Option<String>,
    pub version: String,
    pub previous_version: Option<String>,
    pub state: Soundness,
    pub held: bool,
    /// The pack kept, `null` when there is none.
    pub language_pack: Option<LanguagePack>,
    pub path: String,
    pub installed_at: Option<String>,
}

/// Whether the files are what was installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Soundness {
    Ok,
    Damaged,
}

/// The answer of `path`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Whereabouts {
    /// The folder of the active version.
    pub root: String,
    pub ruleset: String,
    pub language_pack: Option<String>,
    pub language: Option<String>,
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
