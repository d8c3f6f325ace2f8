//! `check`: whatever an author has at hand, looked at as `catalog verify` would look at it once it is published.

use super::contents::Purpose;
use super::known::Known;
use super::look::{Context, Look};
use super::losses::SheetLosses;
use super::minimum_api::MinimumApi;
use super::open::ruleset_at;
use super::package::Package;
use super::package_folder::PackageFolder;
use super::report::{Findings, Summary};
use super::sheets::read_sheets;
use crate::threads;
use crate::types::{Cancel, Failure, Problem, Warning};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// What `check` is asked.
#[derive(Clone, Debug, Default)]
pub struct CheckRequest {
    /// Files and folders; `-` is stdin.
    pub paths: Vec<PathBuf>,
    /// What catalog files and language packs are held against, rather than what lies beside them.
    pub ruleset: Option<PathBuf>,
    /// The version published before: what stored sheets and games have of it must hold.
    pub against: Option<PathBuf>,
    /// Sheets that were stored with that version; none where nobody asks what they lose.
    pub sheets: Vec<PathBuf>,
    /// Whether every warning is an error.
    pub strict: bool,
}

/// The `result` of `check`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckReport {
    pub problems: Vec<Problem>,
    pub summary: Summary,
    /// Of every ruleset that came without a manifest.
    pub minimum_api: Vec<MinimumApi>,
    /// What each stored sheet loses; null where no sheets were named.
    pub sheets: Option<Vec<SheetLosses>>,
}

/// What came of a check.
#[derive(Debug)]
pub struct Checked {
    pub report: CheckReport,
    /// What was looked at, by path, in words.
    pub looked_at: Vec<(String, String)>,
    /// What could not be looked at; the rest was.
    pub failures: Vec<Failure>,
    pub warnings: Vec<Warning>,
}

/// Looks at every path, several at the same time. One that cannot be read keeps none of the others from being looked
/// at.
///
/// # Errors
///
/// When a ruleset that others are held against cannot be had.
pub fn check(request: &CheckRequest, cancel: &Cancel) -> Result<Checked, Failure> {
    let named = |path: &Option<PathBuf>| path.as_deref().map(|path| named(path, cancel)).transpose();
    let (companion, before) = (named(&request.ruleset)?, named(&request.against)?);
    let known = companion.as_ref().map(|companion| companion.documents(cancel).known());
    let (sheets, warnings) = read_sheets(&request.sheets, cancel)?;
    let context = Context {
        companion: companion.as_ref(),
        originals: known.as_ref().and_then(Known::originals),
        before: before.as_ref(),
        sheets: &sheets,
        purpose: Purpose::Check,
        cancel,
    };
    let looks = threads::map(&distinct(&request.paths), |path| context.look_at(path).map(Look::without_files));
    let mut checked = gathered(looks, request.strict);
    checked.warnings.extend(warnings);
    if request.sheets.is_empty() {
        checked.report.sheets = None;
    }
    Ok(checked)
}

/// The same of package folders that are to be built.
pub(crate) fn check_sources(folders: &[PackageFolder], cancel: &Cancel) -> Checked {
    let context = Context::none(Purpose::Build, cancel);
    let look = |folder: &PackageFolder| context.look_at_folder(folder.open()?).map(Look::without_files);
    gathered(threads::map(folders, look), false)
}

fn gathered(looks: Vec<Result<Look, Failure>>, strict: bool) -> Checked {
    let mut checked = Look::default();
    let (mut failures, mut looked_at, mut minimum_api) = (Vec::new(), Vec::new(), Vec::new());
    for look in looks {
        match look {
            Err(failure) => failures.push(failure),
            Ok(look) => {
                checked.problems.extend(look.problems);
                checked.warnings.extend(look.warnings);
                checked.packages += look.packages;
                checked.files += look.files;
                minimum_api.extend(look.minimum_api);
                checked.losses.0.extend(look.losses.0);
                failures.extend(look.losses.1);
                looked_at.push((look.name, look.what));
            }
        }
    }
    let Look { problems, packages, files, warnings, losses: (sheets, _), .. } = checked;
    let Findings { problems, summary } = Findings::new(problems, packages, files, strict);
    let report = CheckReport { problems, summary, minimum_api, sheets: Some(sheets) };
    Checked { report, looked_at, failures, warnings }
}

/// The paths in their order, each once however often and in whatever way it is written: a finding told twice is no
/// second finding, and stdin can be read only once.
fn distinct(paths: &[PathBuf]) -> Vec<&Path> {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut seen = HashSet::new();
    paths.iter().map(PathBuf::as_path).filter(|path| seen.insert(absolute(path))).collect()
}

/// A ruleset that was named, so it has to be one that can be read.
fn named(path: &Path, cancel: &Cancel) -> Result<Package, Failure> {
    let package = ruleset_at(path, cancel)?;
    package.refuse_broken(cancel)?;
    Ok(package)
}
