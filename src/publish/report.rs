use crate::types::{Problem, Severity};
use schemars::JsonSchema;
use serde::Serialize;

/// What a check found: the `result` of `check` and `catalog verify` (contract, section 6).
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct Findings {
    pub problems: Vec<Problem>,
    pub summary: Summary,
}

/// How much was looked at, and how much is wrong with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct Summary {
    pub errors: usize,
    pub warnings: usize,
    /// Rulesets looked into.
    pub packages: usize,
    /// Files read, those within an artifact not counted.
    pub files: usize,
}

impl Findings {
    /// Counts what was found; with `strict` every warning is an error.
    pub fn new(mut problems: Vec<Problem>, packages: usize, files: usize, strict: bool) -> Self {
        if strict {
            problems.iter_mut().for_each(|problem| problem.severity = Severity::Error);
        }
        let count = |severity| problems.iter().filter(|problem| problem.severity == severity).count();
        let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
        Findings { problems, summary: Summary { errors, warnings, packages, files } }
    }
}
