//! The JSON face: one document, the same envelope always (contract, section 6).

use crate::app::ErrorReport;
use crate::types::Warning;
use schemars::JsonSchema;
use serde::Serialize;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    Ok,
    /// The check ran and found errors; exit code 10.
    Problems,
    Error,
}

/// What stdout holds with `--json`.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, rename = "{T}Answer")]
pub struct Envelope<'a, T> {
    /// The version of this form; always 1.
    pub schema: u32,
    /// The command, subcommand included: `install`, `cache size`. `null` when the arguments name none, and for help.
    pub command: Option<&'a str>,
    pub status: Status,
    pub result: Option<T>,
    pub warnings: &'a [Warning],
    pub error: Option<ErrorReport>,
}
