//! The notes beside a catalog (docs/spec/catalog.md#release-notes). One mistake anywhere and the engine reads none of
//! them.

use super::listed::Listed;
use super::tree::{Document, Notes, Tree};
use super::{finding, no_object};
use crate::catalog::{Note, read_notes};
use crate::json::{Object, repeated_keys};
use crate::types::{Pointer, Problem, Problems, Rule, Version, codes};
use std::collections::{BTreeMap, BTreeSet, HashMap};

const SHAPE: &Rule = codes::NOTES_SHAPE;

/// The notes of a document, by package.
type Noted = BTreeMap<String, Vec<Note>>;

/// Everything that is wrong with the notes, which packages they are about that nobody lists, and which new versions and
/// lanes have none.
pub(super) fn check(tree: &Tree, all: &[Listed<'_>]) -> Problems {
    let mut found = Problems::default();
    let newest = newest_listed(all);
    for notes in &tree.notes {
        let mut own = Problems::default();
        let noted = read_packages(&notes.text, &mut own);
        found.extend(own.into_iter().map(|problem| finding(problem, &notes.name, None)));
        if let Some(noted) = noted {
            missing(tree, notes, all, &noted, &mut found);
            ahead(notes, &newest, &noted, &mut found);
        }
    }
    lanes_without(tree, &mut found);
    found
}

/// The highest version that any lane lists of each package, where it lists one that can be read.
fn newest_listed<'l>(all: &'l [Listed<'_>]) -> HashMap<&'l str, Option<&'l Version>> {
    let mut newest: HashMap<&str, Option<&Version>> = HashMap::with_capacity(all.len());
    for listed in all {
        let Some(id) = listed.id() else { continue };
        let known = newest.entry(id).or_default();
        let is_newer = |version: &&Version| known.is_none_or(|known| version.precedence(known).is_gt());
        if let Some(version) = listed.version.as_ref().filter(is_newer) {
            *known = Some(version);
        }
    }
    newest
}

/// Notes about what is not published: a package that no lane lists, a version above the one listed.
fn ahead(notes: &Notes, newest: &HashMap<&str, Option<&Version>>, noted: &Noted, found: &mut Problems) {
    for (id, versions) in noted {
        let at = Pointer::root().at("packages").at(id);
        let Some(listed) = newest.get(id.as_str()) else {
            let message = format!("`{}` is not in any lane of the catalog", crate::json::excerpt(id));
            found.push(finding(Problem::new(codes::NOTES_UNLISTED, &at, message), &notes.name, Some(id)));
            continue;
        };
        for (index, note) in versions.iter().enumerate() {
            let version = note.version.parse::<Version>().ok();
            let Some((version, listed)) =
                version.zip(*listed).filter(|(version, listed)| version.precedence(listed).is_gt())
            else {
                continue;
            };
            let at = at.at("versions").at(index).at("version");
            let message = format!("`{id}` {version} is newer than the {listed} in the catalog");
            found.push(finding(Problem::new(codes::NOTES_AHEAD, &at, message), &notes.name, Some(id)));
        }
    }
}

/// The engine asks for notes in the folder of the lane it reads.
fn lanes_without(tree: &Tree, found: &mut Problems) {
    let unreadable = tree.problems.iter().filter_map(|problem| problem.file.as_deref());
    let there: BTreeSet<&str> = tree.notes.iter().map(|notes| notes.name.as_str()).chain(unreadable).collect();
    if tree.notes.is_empty() {
        return;
    }
    for Document { name, .. } in &tree.documents {
        let notes = name.replace("catalog.json", "notes.json");
        if !there.contains(notes.as_str()) {
            let message = format!("`{notes}` is missing; engines that read `{name}` look for notes there");
            found.push(finding(Problem::new(codes::NOTES_LANE, &Pointer::root(), message), &notes, None));
        }
    }
}

/// The notes by package; nothing when there is nothing to read.
fn read_packages(document: &str, problems: &mut Problems) -> Option<Noted> {
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
fn missing(tree: &Tree, notes: &Notes, all: &[Listed<'_>], noted: &Noted, found: &mut Problems) {
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
