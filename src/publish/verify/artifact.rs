//! What an artifact holds.

use super::entry::orphans;
use super::finding;
use crate::catalog::Entry;
use crate::json::document;
use crate::package::{Container, Contents, Fault, Sink, unpack};
use crate::publish::inspect;
use crate::ruleset::{DisplayString, essentials};
use crate::types::{Cancel, Coded, Pointer, Problem, SafePath, Severity};
use std::collections::{BTreeMap, HashSet};
use std::error::Error as _;
use std::fs::File;
use std::io;

/// What a look into an artifact gave.
#[derive(Debug, Default)]
pub(super) struct Looked {
    /// Each with its file, for example `artifacts/ember-roads-1.0.0.ruleset.json!ruleset.json`.
    pub problems: Vec<Problem>,
    /// About the entry, with pointers that begin there.
    pub about_entry: Vec<Problem>,
    /// What there is to translate; nothing when the ruleset could not be read.
    pub strings: Option<Vec<DisplayString>>,
}

/// Everything that is wrong with the artifact of an entry and with the ruleset in it. `name` is the artifact's own.
pub(super) fn look(file: &File, entry: &Entry, name: &str, cancel: &Cancel) -> Looked {
    let id = entry.manifest.id.as_str();
    match unpack(file, &entry.manifest, &mut Nowhere, cancel) {
        Ok(contents) => look_inside(&contents, entry, name),
        Err(faults) => {
            let problems = faults.all().map(|fault| of_fault(fault, name, id)).collect();
            Looked { problems, ..Looked::default() }
        }
    }
}

fn look_inside(contents: &Contents, entry: &Entry, name: &str) -> Looked {
    let manifest = &entry.manifest;
    let id = manifest.id.as_str();
    let catalogs: BTreeMap<String, Vec<u8>> =
        contents.catalogs.iter().map(|(path, bytes)| (path.to_string(), bytes.clone())).collect();
    let inspection = inspect(&contents.ruleset, &catalogs, manifest.api);
    let mut problems = inspection.problems;
    if problems.iter().all(|problem| problem.severity == Severity::Warning) {
        // What an install refuses is never let through here, whatever else is looked at.
        problems.extend(essentials(&contents.ruleset, &contents.catalogs, manifest.api).err().unwrap_or_default());
    }
    let inside = |problem: Problem| {
        let file = problem.file.as_deref().unwrap_or("ruleset.json");
        let file = match contents.container {
            Container::Bare => name.to_owned(),
            Container::Zip | Container::Bundle => format!("{name}!{file}"),
        };
        finding(problem, &file, Some(id))
    };
    let ruleset = document(&contents.ruleset, "ruleset-json").ok();
    let about_entry = ruleset.as_ref().map(|ruleset| orphans(&manifest.files, &named_files(ruleset)));
    Looked {
        problems: problems.into_iter().map(inside).collect(),
        about_entry: about_entry.unwrap_or_default(),
        strings: ruleset.map(|_| inspection.strings),
    }
}

/// The files that catalogs of a ruleset name as theirs.
fn named_files(ruleset: &serde_json::Value) -> HashSet<&str> {
    let catalogs = ruleset.get("catalogs").and_then(serde_json::Value::as_array).into_iter().flatten();
    catalogs.filter_map(|catalog| catalog.get("asset")?.as_str()).collect()
}

fn of_fault(fault: &Fault, name: &str, id: &str) -> Problem {
    let code = fault.code().as_str();
    let mut message = fault.to_string();
    if let Some(cause) = fault.source() {
        message = format!("{message}: {cause}");
    }
    let hint = fault.hint();
    let file = match fault {
        Fault::Mismatch { path, .. } | Fault::NotText { path } => format!("{name}!{path}"),
        Fault::ManifestDiffers | Fault::ManifestUnreadable { .. } | Fault::ManifestTooLong => {
            format!("{name}!manifest.json")
        }
        _ => name.to_owned(),
    };
    finding(Problem { hint, ..Problem::error(code, &Pointer::root(), message) }, &file, Some(id))
}

/// Unpacked files are looked at on their way and kept nowhere.
struct Nowhere;

impl Sink for Nowhere {
    fn begin(&mut self, _: &SafePath) -> io::Result<()> {
        Ok(())
    }

    fn write(&mut self, _: &[u8]) -> io::Result<()> {
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        Ok(())
    }
}
