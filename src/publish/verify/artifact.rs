//! What an artifact holds.

use crate::catalog::Entry;
use crate::package::{Container, Contents, Sink, unpack};
use crate::publish::{self, Inspection, inspect};
use crate::ruleset::{DisplayString, essentials};
use crate::types::{Cancel, Problem, SafePath, Severity};
use std::fs::File;
use std::io;

/// What a look into an artifact gave.
#[derive(Debug, Default)]
pub(super) struct Looked {
    /// Each with its file, for example `artifacts/ember-roads-1.0.0.ruleset.json!ruleset.json`.
    pub problems: Vec<Problem>,
    /// What there is to translate; nothing when the ruleset could not be read.
    pub strings: Option<Vec<DisplayString>>,
}

/// Everything that is wrong with the artifact of an entry and with the ruleset in it. `name` is the artifact's own.
pub(super) fn look(file: &File, entry: &Entry, name: &str, cancel: &Cancel) -> Looked {
    let mut looked = match unpack(file, &entry.manifest, &mut Nowhere, cancel) {
        Ok(contents) => look_inside(contents, entry, name),
        Err(faults) => {
            let problems = faults.all().map(|fault| publish::finding(fault, name)).collect();
            Looked { problems, strings: None }
        }
    };
    let id = entry.manifest.id.as_str();
    looked.problems.iter_mut().for_each(|problem| problem.package = Some(id.to_owned()));
    looked
}

fn look_inside(contents: Contents, entry: &Entry, name: &str) -> Looked {
    let Contents { container, ruleset, catalogs, .. } = contents;
    let api = entry.manifest.api;
    // What an install refuses is never let through here, whatever else is looked at.
    let refused = essentials(&ruleset, &catalogs, api).err().unwrap_or_default();
    let catalogs = catalogs.into_iter().map(|(path, bytes)| (path.as_str().to_owned(), bytes)).collect();
    let Inspection { mut problems, strings } = inspect(&ruleset, &catalogs, api);
    if problems.iter().all(|problem| problem.severity == Severity::Warning) {
        problems.extend(refused);
    }
    let is_readable = problems.iter().all(|problem| problem.code != "ruleset-json");
    let inside = |problem: Problem| match container {
        // The artifact is the ruleset itself.
        Container::Bare => Problem { file: None, ..problem }.inside(name),
        Container::Zip | Container::Bundle => problem.inside(name),
    };
    Looked { problems: problems.into_iter().map(inside).collect(), strings: is_readable.then_some(strings) }
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
