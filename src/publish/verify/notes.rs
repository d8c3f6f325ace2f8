//! The notes beside a catalog (catalog format, section 9). One mistake anywhere and the engine reads none of them.

use super::listed::Listed;
use super::tree::{Notes, Tree};
use super::{finding, no_object};
use crate::json::{Object, boolean, excerpt, integer, list, text};
use crate::types::{PackageId, Pointer, Problem, Problems, Version};
use jiff::civil::Date;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet};

/// The most versions with notes that a package may have.
const MOST_VERSIONS: usize = 20;
const MOST_NOTES: usize = 1000;
const LONGEST_VERSION: usize = 64;

const SHAPE: &str = "notes-shape";

/// The most findings told of the notes of one package.
const MOST_OF_A_PACKAGE: usize = 400;

/// Everything that is wrong with the notes, and which new versions have none.
pub(super) fn check(tree: &Tree, all: &[Listed<'_>]) -> Problems {
    let mut found = Problems::default();
    for notes in &tree.notes {
        let mut own = Problems::default();
        let noted = read_packages(&notes.text, &mut own);
        found.extend(own.into_iter().map(|problem| finding(problem, &notes.name, None)));
        if let Some(noted) = noted {
            missing(tree, notes, all, &noted, &mut found);
        }
    }
    found
}

/// The versions that have notes, by package; nothing when there is nothing to read.
fn read_packages(document: &str, problems: &mut Problems) -> Option<BTreeMap<String, BTreeSet<String>>> {
    let notes = match Object::parse(document, Pointer::root()) {
        Ok(notes) => notes,
        Err(why) => {
            problems.push(no_object(SHAPE, "the notes document", &why, document));
            return None;
        }
    };
    notes.report_strangers(&["schemaVersion", "packages"], problems);
    notes.required("schemaVersion", SHAPE, integer(1, 1), problems);
    let packages = notes.required_object("packages", SHAPE, problems)?;
    packages.report_repeated(problems);
    let mut noted = BTreeMap::new();
    for (id, value) in packages.fields() {
        let at = packages.at().at(id);
        let mut own = Problems::at_most(MOST_OF_A_PACKAGE);
        if id.parse::<PackageId>().is_err() {
            own.push(Problem::error(SHAPE, &at, format!("`{}` is no package id", excerpt(id))));
        }
        match Object::parse(value.get(), at) {
            Ok(package) => {
                noted.insert(id.to_owned(), read_versions(&package, &mut own));
            }
            Err(why) => own.push(Problem::error(SHAPE, &packages.at().at(id), format!("`{}` {why}", excerpt(id)))),
        }
        problems.extend(own.into_iter().map(|problem| Problem { package: Some(id.to_owned()), ..problem }));
    }
    Some(noted)
}

fn read_versions(package: &Object<'_>, found: &mut Problems) -> BTreeSet<String> {
    package.report_strangers(&["versions"], found);
    let at = package.at().at("versions");
    let items = package.required("versions", SHAPE, list, found).unwrap_or_default();
    if items.len() > MOST_VERSIONS {
        let message = format!("{} versions, where at most {MOST_VERSIONS} are allowed", items.len());
        found.push(Problem::error(SHAPE, &at, message));
    }
    let mut versions = BTreeSet::new();
    for (index, item) in items.into_iter().enumerate() {
        let at = at.at(index);
        let item = match Object::parse(item.get(), at.clone()) {
            Ok(item) => item,
            Err(why) => {
                found.push(Problem::error(SHAPE, &at, format!("the note {why}")));
                continue;
            }
        };
        item.report_strangers(&["version", "date", "notes", "highlight"], found);
        if let Some(version) = item.required("version", "notes-version", version, found)
            && !versions.insert(version.clone())
        {
            let message = format!("`{version}` has notes already");
            found.push(Problem::error("notes-version", &at.at("version"), message));
        }
        item.required("date", "notes-date", day, found);
        item.required("notes", SHAPE, text(1, MOST_NOTES), found);
        item.optional("highlight", SHAPE, boolean, found);
    }
    versions
}

/// Canonical semver as the engine reads it here: numbers of at most nine digits, no build metadata.
fn version(value: &RawValue) -> Result<String, String> {
    let written = text(1, LONGEST_VERSION)(value)?;
    let short = |version: &semver::Version| {
        [version.major, version.minor, version.patch].iter().all(|number| *number < 1_000_000_000)
    };
    match semver::Version::parse(&written) {
        Ok(version) if version.build.is_empty() && short(&version) => Ok(written.into_owned()),
        _ => Err(format!("is `{}`, which is no version in its one spelling", excerpt(&written))),
    }
}

/// `YYYY-MM-DD`, a day there was or will be.
fn day(value: &RawValue) -> Result<(), String> {
    let written = text(1, LONGEST_VERSION)(value)?;
    let is_day = written.len() == 10 && written.parse::<Date>().is_ok_and(|day| day.to_string() == written);
    if is_day { Ok(()) } else { Err(format!("is `{}`, where a day such as `2026-11-30` is wanted", excerpt(&written))) }
}

/// A release that adds something is announced. Which one does can only be told by its number: x.y.0 is the first of its
/// minor version, whatever came before. A first publication under another number cannot be told from a repair.
fn missing(
    tree: &Tree,
    notes: &Notes,
    all: &[Listed<'_>],
    noted: &BTreeMap<String, BTreeSet<String>>,
    found: &mut Problems,
) {
    let catalog = notes.name.replace("notes.json", "catalog.json");
    for listed in all.iter().filter(|listed| tree.documents[listed.document].name == catalog) {
        let (Some(id), Some(version)) = (listed.id(), listed.version.as_ref().filter(|version| is_feature(version)))
        else {
            continue;
        };
        if noted.get(id).is_some_and(|versions| versions.contains(version.as_str())) {
            continue;
        }
        let message = format!("`{id}` {version} has no notes, although it is a new minor or major version");
        let problem = Problem::warning("notes-missing", &Pointer::root().at("packages"), message);
        found.push(finding(problem.hint("say in a few words what is new"), &notes.name, Some(id)));
    }
}

fn is_feature(version: &Version) -> bool {
    semver::Version::parse(version.as_str()).is_ok_and(|version| {
        let above = (version.major, version.minor) > (0, 0);
        above && version.patch == 0 && version.pre.is_empty()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn told(document: &Value) -> Vec<String> {
        let mut found = Problems::default();
        read_packages(&document.to_string(), &mut found);
        found.iter().map(|problem| format!("{} {}", problem.code, problem.pointer.as_deref().unwrap())).collect()
    }

    fn sample(edit: impl FnOnce(&mut Value)) -> Value {
        let note = json!({"version": "1.1.0", "date": "2026-11-30", "notes": "More.\nBetter.", "highlight": true});
        let mut document = json!({"schemaVersion": 1, "packages": {"ember-roads": {"versions": [note]}}});
        edit(&mut document);
        document
    }

    #[test]
    fn every_key_of_the_notes_has_its_rule() {
        assert_eq!(told(&sample(|_| ())), [""; 0]);
        const NOTE: &str = "/packages/ember-roads/versions/0";
        let cases = [
            ("/schemaVersion", json!(2), "notes-shape"),
            ("/packages", json!([]), "notes-shape"),
            ("/packages/ember-roads", json!([]), "notes-shape"),
            ("/packages/ember-roads/versions", json!({}), "notes-shape"),
            (NOTE, json!("1.1.0"), "notes-shape"),
            ("/packages/ember-roads/versions/0/version", json!("1.01.0"), "notes-version"),
            ("/packages/ember-roads/versions/0/version", json!("1.1.0+x"), "notes-version"),
            ("/packages/ember-roads/versions/0/version", json!("1.1.1000000000"), "notes-version"),
            ("/packages/ember-roads/versions/0/date", json!("2026-02-30"), "notes-date"),
            ("/packages/ember-roads/versions/0/date", json!("2026-2-3"), "notes-date"),
            ("/packages/ember-roads/versions/0/date", json!("20261130"), "notes-date"),
            ("/packages/ember-roads/versions/0/notes", json!(""), "notes-shape"),
            ("/packages/ember-roads/versions/0/notes", json!("x".repeat(1001)), "notes-shape"),
            ("/packages/ember-roads/versions/0/highlight", json!("yes"), "notes-shape"),
        ];
        for (at, to, code) in cases {
            let document = sample(|document| *document.pointer_mut(at).unwrap() = to.clone());
            assert_eq!(told(&document), [format!("{code} {at}")], "{at} {to}");
        }
        assert_eq!(told(&sample(|document| document["x"] = json!(1))), ["unknown-key /x"]);
        let strange = sample(|document| document.pointer_mut(NOTE).unwrap()["x"] = json!(1));
        assert_eq!(told(&strange), [format!("unknown-key {NOTE}/x")]);
        assert_eq!(told(&json!([])), ["notes-shape "]);
    }

    #[test]
    fn a_version_has_notes_once_and_not_too_many_have() {
        let versions = |versions: Vec<String>| {
            let notes: Vec<Value> =
                versions.iter().map(|it| json!({"version": it, "date": "2026-01-31", "notes": "x"})).collect();
            told(&sample(|document| document["packages"]["ember-roads"]["versions"] = json!(notes)))
        };
        let many = |count: usize| versions((0..count).map(|n| format!("1.{n}.0")).collect());
        assert_eq!(many(20), [""; 0]);
        assert_eq!(many(21), ["notes-shape /packages/ember-roads/versions"]);
        assert_eq!(
            versions(vec!["1.0.0".to_owned(), "1.0.0".to_owned()]),
            ["notes-version /packages/ember-roads/versions/1/version"]
        );
        assert_eq!(
            told(&sample(|document| document["packages"]["Ember"] = json!({"versions": []}))),
            ["notes-shape /packages/Ember"]
        );
    }

    #[test]
    fn a_new_minor_or_major_version_is_a_feature() {
        let feature = |text: &str| is_feature(&text.parse().unwrap());
        assert!(feature("1.0.0") && feature("0.1.0") && feature("1.2.0"));
        assert!(!feature("0.0.0") && !feature("0.0.9") && !feature("1.2.3") && !feature("1.2.0-rc.1"));
    }
}
