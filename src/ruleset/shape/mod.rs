//! The shape of a ruleset and its catalog files: which keys there are, what they hold and within which bounds. The
//! [`tables`] say it in a small [`language`], [`walk`] holds a file against them.

mod language;
mod place;
mod say;
mod size;
mod tables;
mod text;
mod walk;

pub use size::oversize;

use super::essentials::read_essentials;
use super::whole::FILE;
use crate::json::whole_number;
use crate::types::{Api, Problem, Severity};
use place::Place;
use serde_json::Value;
use tables::{CATALOG_FILE, NAME, RULESET, VERSION};
use walk::Walk;

/// The newest API whose keys are all known: those of later ones, only as far as the format's own guide tells.
const DESCRIBED: Api = Api { major: 1, minor: 66 };

/// Everything in a ruleset or one of its catalog files (`files`, by path) that has not the shape it must have, each once.
///
/// A key that is not known is a warning when `declared`, the manifest's API, is newer than 1.66 (open question Q27): an
/// engine as new may know it.
pub fn check(ruleset: &Value, files: &[(String, Value)], declared: Option<Api>, found: &mut Vec<Problem>) {
    // What install refuses is told as install tells it.
    read_essentials(ruleset, found);
    let is_newer = declared.is_some_and(|declared| declared > DESCRIBED);
    let unknown_keys = if is_newer { Severity::Warning } else { Severity::Error };
    let resolution = ruleset["resolution"]["kind"].as_str();
    let mut walk = Walk { file: FILE, unknown_keys, resolution, found };
    if ruleset.is_object() {
        let (name, version) = (&ruleset["name"], &ruleset["version"]);
        if name.as_str().is_some_and(|name| !name.is_empty()) {
            walk.check(name, &NAME, &Place::Key(&Place::Root, "name"));
        }
        if whole_number(version).is_some_and(|version| version >= 1) {
            walk.check(version, &VERSION, &Place::Key(&Place::Root, "version"));
        }
        walk.check(ruleset, &RULESET, &Place::Root);
    }
    for (path, catalog) in files {
        let mut walk = Walk { file: path, unknown_keys, resolution, found: walk.found };
        walk.check(catalog, &CATALOG_FILE, &Place::Root);
    }
}
