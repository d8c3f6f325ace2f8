//! The notes beside a catalog (docs/spec/catalog.md#release-notes). One mistake anywhere and the engine reads none of
//! them.

use super::listed::Listed;
use super::tree::{Notes, Tree};
use super::{finding, no_object};
use crate::catalog::{Note, read_notes};
use crate::json::{Object, repeated_keys};
use crate::types::{Pointer, Problem, Problems, Rule, Version, codes};
use std::collections::BTreeMap;

const SHAPE: &Rule = codes::NOTES_SHAPE;

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

/// The notes by package; nothing when there is nothing to read.
fn read_packages(document: &str, problems: &mut Problems) -> Option<BTreeMap<String, Vec<Note>>> {
    let notes = match Object::parse(document, Pointer::root()) {
        Ok(notes) => notes,
        Err(why) => {
            problems.push(no_object(SHAPE, "the notes document", &why, document));
            return None;
        }
    };
    problems.extend(repeated_keys(document.as_bytes()));
    read_notes(&notes, problems)
}

/// A release that adds something is announced. Which one does can only be told by its number: x.y.0 is the first of its
/// minor version, whatever came before. A first publication under another number cannot be told from a repair.
fn missing(tree: &Tree, notes: &Notes, all: &[Listed<'_>], noted: &BTreeMap<String, Vec<Note>>, found: &mut Problems) {
    let catalog = notes.name.replace("notes.json", "catalog.json");
    for listed in all.iter().filter(|listed| tree.documents[listed.document].name == catalog) {
        let (Some(id), Some(version)) = (listed.id(), listed.version.as_ref().filter(|version| is_feature(version)))
        else {
            continue;
        };
        if noted.get(id).is_some_and(|notes| notes.iter().any(|note| note.version == version.as_str())) {
            continue;
        }
        let message = format!("`{id}` {version} has no notes, although it is a new minor or major version");
        let problem = Problem::new(codes::NOTES_MISSING, &Pointer::root().at("packages"), message);
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
