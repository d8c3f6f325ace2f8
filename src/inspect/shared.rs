//! A ruleset as its author or a friend shares it: a `ruleset.json`, a bundle, a zip or a package folder. Looked into as
//! `check` does, and read, so that what is used afterwards is what was checked.

use super::layout::LISTING;
use super::look::{Context, Look};
use super::package::Package;
use super::report::{Findings, Summary};
use crate::types::{Cancel, Code, Failure, Problem, Warning, codes};
use std::path::Path;

/// What reading a shared ruleset gave.
#[derive(Debug)]
pub struct Reading {
    /// Everything that is wrong with it but for API gates: a ruleset is read by the engine at hand, so it needs no API
    /// (docs/spec/decisions.md#q38), nor what only a build reads. That a package with translations declares 1.811 (T08) is among them all the same.
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
    let Look { what, mut problems, packages, files, warnings, package, .. } = Context::none(cancel).look_at(path)?;
    if package.is_none() && problems.is_empty() {
        let message = format!("`{}` is a {what}, not a ruleset", path.display());
        return Err(Failure::new(Code::NotARuleset, message)
            .hint("name a ruleset.json, the folder of a package, or an artifact (zip or bundle)"));
    }
    let is_for_builds = |problem: &Problem| {
        let file = problem.file.as_deref().map(Path::new).and_then(Path::file_name);
        problem.code == codes::NO_MANIFEST || file.is_some_and(|name| name == LISTING)
    };
    problems.retain(|problem| problem.code != codes::K10 && !is_for_builds(problem));
    let Findings { problems, summary } = Findings::new(problems, packages, files, false);
    Ok(Reading { problems, summary, warnings, package })
}
