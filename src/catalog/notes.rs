//! The release notes beside a catalog (docs/spec/catalog.md#release-notes). One mistake anywhere and none of them
//! counts.

use crate::json::{Object, boolean, excerpt, integer, list, text};
use crate::types::{PackageId, Pointer, Problem, Problems, Rule, Version, codes};
use jiff::civil::Date;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::RawValue;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// The most versions with notes that a package may have.
const MOST_VERSIONS: usize = 20;
const MOST_NOTES: usize = 1000;
const LONGEST_VERSION: usize = 64;

const SHAPE: &Rule = codes::NOTES_SHAPE;

/// The most findings told of the notes of one package.
const MOST_OF_A_PACKAGE: usize = 400;

/// What is new in one version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Note {
    /// The version they are about.
    pub version: String,
    /// `YYYY-MM-DD`.
    pub date: String,
    /// Plain text, which may have several lines.
    pub notes: String,
    /// Whether its major or minor number changed.
    pub highlight: bool,
}

/// Every note by package, if there is nothing wrong with any.
#[derive(Clone, Debug, Default)]
pub struct Notes(BTreeMap<String, Vec<Note>>);

impl Notes {
    /// Reads a document as strictly as the engine does; what it makes nothing of has no notes.
    pub fn parse(document: &str) -> Self {
        let mut problems = Problems::default();
        let notes = Object::parse(document, Pointer::root()).ok();
        let notes = notes.and_then(|notes| read_notes(&notes, &mut problems));
        Notes(notes.filter(|_| problems.errors() == 0).unwrap_or_default())
    }

    /// What is new in the versions after `from`, up to and with `to`, the newest first.
    pub fn between(&self, id: &PackageId, from: &Version, to: &Version) -> Vec<Note> {
        let versions = self.0.get(id.as_str()).into_iter().flatten().filter_map(|note| {
            let version = note.version.parse::<Version>().ok()?;
            let is_between = version.precedence(from).is_gt() && version.precedence(to) != Ordering::Greater;
            is_between.then_some((version, note))
        });
        let mut between: Vec<(Version, &Note)> = versions.collect();
        between.sort_by(|(a, _), (b, _)| b.precedence(a));
        between.into_iter().map(|(_, note)| note.clone()).collect()
    }
}

/// The notes by package, as far as they can be read, and everything that is wrong with the document or with those of
/// one package; nothing when there is nothing to read.
pub fn read_notes(notes: &Object<'_>, problems: &mut Problems) -> Option<BTreeMap<String, Vec<Note>>> {
    notes.required("schemaVersion", SHAPE, integer(1, 1), problems);
    let packages = notes.required_object("packages", SHAPE, problems);
    notes.report_strangers(&["schemaVersion", "packages"], problems);
    let packages = packages?;
    let mut noted = BTreeMap::new();
    for (id, value) in packages.fields() {
        let at = packages.at().at(id);
        let mut own = Problems::at_most(MOST_OF_A_PACKAGE);
        if id.parse::<PackageId>().is_err() {
            own.push(Problem::new(SHAPE, &at, format!("`{}` is not a package id", excerpt(id))));
        }
        match Object::parse(value.get(), at) {
            Ok(package) => {
                noted.insert(id.to_owned(), read_versions(&package, &mut own));
            }
            Err(why) => own.push(Problem::new(SHAPE, &packages.at().at(id), format!("`{}` {why}", excerpt(id)))),
        }
        problems.extend(own.into_iter().map(|problem| Problem { package: Some(id.to_owned()), ..problem }));
    }
    Some(noted)
}

fn read_versions(package: &Object<'_>, found: &mut Problems) -> Vec<Note> {
    let at = package.at().at("versions");
    let items = package.required("versions", SHAPE, list, found).unwrap_or_default();
    package.report_strangers(&["versions"], found);
    if items.len() > MOST_VERSIONS {
        let message = format!("{} versions, but at most {MOST_VERSIONS} are allowed", items.len());
        found.push(Problem::new(SHAPE, &at, message));
    }
    let (mut notes, mut seen) = (Vec::new(), BTreeSet::new());
    for (index, item) in items.into_iter().enumerate() {
        let at = at.at(index);
        let item = match Object::parse(item.get(), at.clone()) {
            Ok(item) => item,
            Err(why) => {
                found.push(Problem::new(SHAPE, &at, format!("the note {why}")));
                continue;
            }
        };
        let version = item.required("version", codes::NOTES_VERSION, version, found);
        if let Some(version) = version.as_ref().filter(|version| !seen.insert((*version).clone())) {
            let message = format!("`{version}` already has notes");
            found.push(Problem::new(codes::NOTES_VERSION, &at.at("version"), message));
        }
        let date = item.required("date", codes::NOTES_DATE, day, found);
        let words = item.required("notes", SHAPE, text(1, MOST_NOTES), found);
        let highlight = item.optional("highlight", SHAPE, boolean, found).unwrap_or_default();
        item.report_strangers(&["version", "date", "notes", "highlight"], found);
        if let (Some(version), Some(date), Some(words)) = (version, date, words) {
            notes.push(Note { version, date, notes: words.into_owned(), highlight });
        }
    }
    notes
}

/// Canonical semver as the engine reads it here: numbers of at most nine digits, no build metadata.
fn version(value: &RawValue) -> Result<String, String> {
    let written = text(1, LONGEST_VERSION)(value)?;
    let short = |version: &semver::Version| {
        [version.major, version.minor, version.patch].iter().all(|number| *number < 1_000_000_000)
    };
    match semver::Version::parse(&written) {
        Ok(version) if version.build.is_empty() && short(&version) => Ok(written.into_owned()),
        _ => Err(format!("is `{}`, which is not a version as Semantic Versioning writes it", excerpt(&written))),
    }
}

/// `YYYY-MM-DD`, a day there was or will be.
fn day(value: &RawValue) -> Result<String, String> {
    let written = text(1, LONGEST_VERSION)(value)?;
    let is_day = written.len() == 10 && written.parse::<Date>().is_ok_and(|day| day.to_string() == written);
    if is_day {
        Ok(written.into_owned())
    } else {
        Err(format!("is `{}`, but should be a date such as `2026-11-30`", excerpt(&written)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_new_between_two_versions_comes_newest_first_and_a_mistake_costs_all() {
        let note = |version: &str| json!({"version": version, "date": "2026-11-30", "notes": version});
        let versions = ["1.0.0", "1.2.0", "1.1.0", "1.10.0", "2.0.0-rc.1"].map(note);
        let mut document = json!({"schemaVersion": 1, "packages": {"demo": {"versions": versions}}});
        let between = |document: &serde_json::Value, from: &str, to: &str| -> Vec<String> {
            let notes = Notes::parse(&document.to_string());
            let (from, to) = (from.parse().unwrap(), to.parse().unwrap());
            notes.between(&"demo".parse().unwrap(), &from, &to).into_iter().map(|note| note.notes).collect()
        };
        assert_eq!(between(&document, "1.0.0", "1.10.0"), ["1.10.0", "1.2.0", "1.1.0"]);
        assert_eq!(between(&document, "1.10.0", "2.0.0"), ["2.0.0-rc.1"]);
        assert_eq!(between(&document, "1.2.0", "1.2.0"), [""; 0]);
        document["packages"]["other"] = json!({"versions": [], "more": 1});
        assert_eq!(between(&document, "1.0.0", "1.10.0"), [""; 0]);
        assert_eq!(Notes::parse("[]").0.len(), 0);
    }
}
