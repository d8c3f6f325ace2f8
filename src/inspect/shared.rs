//! A ruleset as its author or a friend shares it: a `ruleset.json`, a bundle, a zip or a package folder. Looked into as
//! `check` does, and read, so that what is used afterwards is what was checked.

use super::contents::Purpose;
use super::look::{Context, Look};
use super::package::Package;
use super::report::{Findings, Summary};
use crate::types::{Cancel, Code, Failure, Problem, Warning};
use std::path::Path;

/// What reading a shared ruleset gave.
#[derive(Debug)]
pub struct Reading {
    /// Everything that is wrong with it but for API gates, since a ruleset is read by the engine at hand and needs no
    /// API (docs/spec/decisions.md#q38), and but for what only a build reads. That a package with translations declares
    /// 1.811 (T08) is among them all the same.
    pub problems: Vec<Problem>,
    pub summary: Summary,
    pub warnings: Vec<Warning>,
    /// What it holds, where it has a ruleset and could be read whole; there may be errors in it.
    pub package: Option<Package>,
}

/// Looks into the ruleset at a path, everything it holds.
///
/// # Errors
///
/// When the path cannot be read, or is something else than a ruleset.
pub fn read_shared(path: &Path, cancel: &Cancel) -> Result<Reading, Failure> {
    let Look { what, problems, packages, files, warnings, package, .. } =
        Context::none(Purpose::Import, cancel).look_at(path)?;
    if package.is_none() && problems.is_empty() {
        let message = format!("`{}` is a {what}, not a ruleset", path.display());
        return Err(Failure::new(Code::NotARuleset, message)
            .hint("give a ruleset.json, a package folder, or an artifact (zip or bundle)"));
    }
    let Findings { problems, summary } = Findings::new(problems, packages, files, false);
    Ok(Reading { problems, summary, warnings, package })
}
