//! The JSON of every command as strict types: a field that is missing, new or of another type fails the test
//! (docs/spec/commands.md#json).
//!
//! A key that may be `null` must still be there: that is what [`nullable`] is for, since serde by itself takes a
//! missing `Option` for `None`.

use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;

/// What stands on stdout with `--json`.
#[derive(Clone, Debug)]
pub struct Envelope {
    /// `null` only when the arguments did not even name a command.
    pub command: Option<String>,
    pub status: Status,
    pub answer: Option<Answer>,
    pub warnings: Vec<Warning>,
    pub error: Option<Failure>,
    /// The number the process exited with.
    pub exit: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Ok,
    Problems,
    Error,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    schema: u64,
    #[serde(deserialize_with = "nullable")]
    command: Option<String>,
    status: Status,
    #[serde(deserialize_with = "nullable")]
    result: Option<Box<RawValue>>,
    warnings: Vec<Warning>,
    #[serde(deserialize_with = "nullable")]
    error: Option<Failure>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Warning {
    pub code: String,
    pub message: String,
    #[serde(deserialize_with = "nullable")]
    pub package: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Failure {
    pub code: String,
    pub message: String,
    #[serde(deserialize_with = "nullable")]
    pub hint: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub package: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub url: Option<String>,
}

/// `result`, by the command that gave it.
#[derive(Clone, Debug)]
pub enum Answer {
    Changes(Changes),
    List(List),
    Path(Paths),
    Search(Search),
    Info(Info),
    Outdated(Outdated),
    Holds(Holds),
    Doctor(Doctor),
    Check(Check),
    Cache(Cache),
    /// A command docs/spec/commands.md#results describes no further; the test reads it itself.
    Other(Value),
}

/// `install`, `update`, `rollback`, `uninstall`, `sync`, `language`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Changes {
    pub language: String,
    pub packages: Vec<Change>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Change {
    pub id: String,
    #[serde(deserialize_with = "nullable")]
    pub name: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub version: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub previous_version: Option<String>,
    pub action: Action,
    #[serde(deserialize_with = "nullable")]
    pub path: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub language_pack: Option<LanguagePack>,
    #[serde(deserialize_with = "nullable")]
    pub state: Option<State>,
    #[serde(deserialize_with = "nullable")]
    pub held: Option<bool>,
    #[serde(deserialize_with = "nullable")]
    pub installed_at: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub error: Option<Failure>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    Installed,
    Updated,
    Reinstalled,
    Unchanged,
    Switched,
    RolledBack,
    Removed,
    Held,
    Failed,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LanguagePack {
    pub status: PackStatus,
    #[serde(deserialize_with = "nullable")]
    pub language: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub path: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub sha256: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub bytes: Option<u64>,
    #[serde(deserialize_with = "nullable")]
    pub reason: Option<PackReason>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PackStatus {
    Fetched,
    Current,
    NotNeeded,
    NotListed,
    Unavailable,
    Removed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PackReason {
    Offline,
    HttpError,
    SizeMismatch,
    ChecksumMismatch,
    LocaleMismatch,
    InvalidPack,
    OtherVersion,
    Deadline,
    InvalidCatalog,
    Io,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct List {
    pub packages: Vec<Installed>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Installed {
    pub id: String,
    #[serde(deserialize_with = "nullable")]
    pub name: Option<String>,
    pub version: String,
    #[serde(deserialize_with = "nullable")]
    pub previous_version: Option<String>,
    pub state: State,
    pub held: bool,
    #[serde(deserialize_with = "nullable")]
    pub language_pack: Option<LanguagePack>,
    pub path: String,
    #[serde(deserialize_with = "nullable")]
    pub installed_at: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    Ok,
    Damaged,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Paths {
    pub root: String,
    pub ruleset: String,
    #[serde(deserialize_with = "nullable")]
    pub language_pack: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub language: Option<String>,
    pub version: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Search {
    pub rulesets: Vec<Card>,
    pub left_out: Vec<LeftOut>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Info {
    pub ruleset: Card,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Card {
    pub id: String,
    pub name: String,
    pub description: String,
    pub version: String,
    pub bytes: u64,
    pub languages: Vec<String>,
    #[serde(deserialize_with = "nullable")]
    pub installed: Option<String>,
    pub compatible: bool,
    pub reasons: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeftOut {
    #[serde(deserialize_with = "nullable")]
    pub id: Option<String>,
    pub reasons: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outdated {
    pub packages: Vec<Newer>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Newer {
    pub id: String,
    #[serde(deserialize_with = "nullable")]
    pub name: Option<String>,
    pub version: String,
    pub available: String,
    pub reason: WhyNewer,
    pub sha256: String,
    pub bytes: u64,
    pub notes: Vec<Note>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Note {
    pub version: String,
    pub date: String,
    pub notes: String,
    pub highlight: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WhyNewer {
    Newer,
    Republished,
    Declined,
    Held,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Holds {
    pub packages: Vec<Hold>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hold {
    pub id: String,
    pub held: bool,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Doctor {
    pub problems: Vec<Problem>,
    pub summary: DoctorSummary,
    pub repaired: Vec<Repair>,
}

/// `check`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Check {
    pub problems: Vec<Problem>,
    pub summary: DoctorSummary,
    pub minimum_api: Vec<MinimumApi>,
    #[serde(deserialize_with = "nullable")]
    pub sheets: Option<Vec<Value>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct MinimumApi {
    pub file: String,
    pub api: String,
    pub needed_by: Vec<NeededBy>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NeededBy {
    pub feature: String,
    pub file: String,
    pub pointer: String,
    pub line: u64,
    pub column: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DoctorSummary {
    pub errors: u64,
    pub warnings: u64,
    pub packages: u64,
    pub files: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Repair {
    pub code: String,
    #[serde(deserialize_with = "nullable")]
    pub package: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub file: Option<String>,
    pub action: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cache {
    pub dir: String,
    pub bytes: u64,
    pub files: u64,
}

/// One finding of `doctor`, `check` or `catalog verify`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Problem {
    pub code: String,
    pub severity: Severity,
    #[serde(deserialize_with = "nullable")]
    pub package: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub file: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub pointer: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub line: Option<u64>,
    #[serde(deserialize_with = "nullable")]
    pub column: Option<u64>,
    #[serde(deserialize_with = "nullable")]
    pub end_line: Option<u64>,
    #[serde(deserialize_with = "nullable")]
    pub end_column: Option<u64>,
    pub message: String,
    #[serde(deserialize_with = "nullable")]
    pub hint: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub expected: Option<Vec<String>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Error,
    Warning,
}

/// A key that must be there and may be `null`.
pub fn nullable<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Option<T>, D::Error> {
    Option::deserialize(from)
}

/// The exit number of each error code (docs/spec/commands.md#exit-codes), written out here so that the program's own
/// table is tested and not trusted.
pub const EXITS: &[(&str, i32)] = &[
    ("io", 1),
    ("disk-full", 1),
    ("internal", 1),
    ("usage", 2),
    ("not-in-catalog", 3),
    ("not-installed", 3),
    ("no-previous-version", 3),
    ("file-not-found", 3),
    ("size-mismatch", 4),
    ("checksum-mismatch", 4),
    ("locale-mismatch", 4),
    ("invalid-catalog", 4),
    ("invalid-entry", 4),
    ("invalid-artifact", 4),
    ("invalid-pack", 4),
    ("unsafe-path", 4),
    ("not-a-ruleset", 4),
    ("invalid-ruleset", 4),
    ("invalid-sheet", 4),
    ("offline", 5),
    ("http-error", 5),
    ("network", 5),
    ("deadline", 5),
    ("incompatible-engine", 6),
    ("incompatible-api", 6),
    ("downgrade", 6),
    ("locked", 7),
    ("damaged-store", 8),
    ("damaged-package", 8),
    ("interrupted", 130),
];

impl Envelope {
    /// Reads stdout of a run: one JSON document, one newline, and a status that fits the exit number.
    ///
    /// # Errors
    /// What does not fit, in words for the message of the failing test.
    pub fn parse(stdout: &str, exit: i32) -> Result<Self, String> {
        let document = stdout.strip_suffix('\n').ok_or("stdout does not end in a newline")?;
        if document.trim() != document {
            return Err("stdout holds more than one document and a newline".to_owned());
        }
        let wire: Wire = serde_json::from_str(document).map_err(|error| format!("the envelope: {error}"))?;
        if wire.schema != 1 {
            return Err(format!("schema is {}", wire.schema));
        }
        let answer = wire.result.map(|result| Answer::parse(wire.command.as_deref(), result.get())).transpose()?;
        let expected = match (wire.status, &wire.error) {
            (Status::Ok, None) => 0,
            (Status::Problems, None) => 10,
            (Status::Error, Some(error)) => {
                let row = EXITS.iter().find(|(code, _)| *code == error.code);
                row.ok_or_else(|| format!("no such error code: {}", error.code))?.1
            }
            (status, error) => return Err(format!("status {status:?} with error {error:?}")),
        };
        if exit != expected {
            return Err(format!("exit {exit}, where this envelope means {expected}"));
        }
        if wire.status != Status::Error && answer.is_none() {
            return Err("no error and no result".to_owned());
        }
        Ok(Envelope {
            command: wire.command,
            status: wire.status,
            answer,
            warnings: wire.warnings,
            error: wire.error,
            exit,
        })
    }

    /// The error's code.
    #[track_caller]
    pub fn code(&self) -> &str {
        &self.error.as_ref().unwrap_or_else(|| panic!("no error in {self:#?}")).code
    }

    /// The codes of the warnings.
    pub fn warning_codes(&self) -> Vec<&str> {
        self.warnings.iter().map(|warning| warning.code.as_str()).collect()
    }

    /// What became of one package.
    #[track_caller]
    pub fn package(&self, id: &str) -> &Change {
        let mut found = self.changes().packages.iter().filter(|package| package.id == id);
        let package = found.next().unwrap_or_else(|| panic!("no {id} in {self:#?}"));
        assert!(found.next().is_none(), "{id} twice in {self:#?}");
        package
    }

    /// The result of a command docs/spec/commands.md#results describes no further.
    #[track_caller]
    pub fn other(&self) -> &Value {
        match &self.answer {
            Some(Answer::Other(value)) => value,
            _ => panic!("not that kind of answer: {self:#?}"),
        }
    }
}

/// Each answer by its name, or a failed test that shows what came instead.
macro_rules! accessors {
    ($($name:ident: $variant:ident($type:ty)),* $(,)?) => {
        impl Envelope {
            $(
                #[track_caller]
                pub fn $name(&self) -> &$type {
                    match &self.answer {
                        Some(Answer::$variant(answer)) => answer,
                        _ => panic!("not that kind of answer: {self:#?}"),
                    }
                }
            )*
        }
    };
}

accessors! {
    changes: Changes(Changes),
    list: List(List),
    path: Path(Paths),
    search: Search(Search),
    info: Info(Info),
    outdated: Outdated(Outdated),
    holds: Holds(Holds),
    doctor: Doctor(Doctor),
    check: Check(Check),
    cache: Cache(Cache),
}

impl Answer {
    fn parse(command: Option<&str>, result: &str) -> Result<Self, String> {
        fn read<T: for<'de> Deserialize<'de>>(result: &str) -> Result<T, String> {
            serde_json::from_str(result).map_err(|error| format!("the result: {error} in {result}"))
        }
        let word = command.and_then(|command| command.split(' ').next()).unwrap_or_default();
        Ok(match word {
            "install" | "update" | "rollback" | "uninstall" | "sync" | "language" => Answer::Changes(read(result)?),
            "list" => Answer::List(read(result)?),
            "path" => Answer::Path(read(result)?),
            "search" => Answer::Search(read(result)?),
            "info" => Answer::Info(read(result)?),
            "outdated" => Answer::Outdated(read(result)?),
            "hold" | "unhold" => Answer::Holds(read(result)?),
            "doctor" => Answer::Doctor(read(result)?),
            "check" => Answer::Check(read(result)?),
            "cache" => Answer::Cache(read(result)?),
            _ => Answer::Other(read(result)?),
        })
    }
}
