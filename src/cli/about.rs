//! What the program says of itself to programs that ask.

use schemars::JsonSchema;
use serde::Serialize;

/// The answer of `--json --version`: what a program has before it.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Version {
    /// Of rulepack.
    pub version: &'static str,
    /// The version of the form of all answers, as their `schema` has it.
    pub schema: u32,
    /// The newest Capability API this rulepack knows; that of the engine when `--capability-api` does not tell.
    pub capability_api: String,
    /// The commands, as `command` in their answers names them.
    pub commands: Vec<String>,
}

/// The answer of `--json --help`.
#[derive(Serialize, JsonSchema)]
pub struct Help {
    /// The text for people.
    pub help: String,
}
