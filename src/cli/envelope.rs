//! The JSON face: one document, the same envelope always (docs/spec/commands.md#json).

use crate::app::ErrorReport;
use crate::face::Status;
use crate::types::Warning;
use schemars::JsonSchema;
use serde::Serialize;

/// The version of the form of answers. It stays while only keys, words, codes, commands and events are added, and is
/// raised by what is removed, renamed or changes its type (docs/spec/commands.md#what-may-change).
pub const SCHEMA: u32 = 1;

/// What stdout holds with `--json`.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "{T}Answer")]
pub struct Envelope<'a, T> {
    /// The version of this form: raised when something is removed, renamed or changes its type.
    pub schema: u32,
    /// The command, subcommand included: `install`, `cache size`. `null` when the arguments name none, for help and
    /// for the version.
    pub command: Option<&'a str>,
    pub status: Status,
    pub result: Option<T>,
    pub warnings: &'a [Warning],
    pub error: Option<ErrorReport>,
}
