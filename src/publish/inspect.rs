use super::known::Known;
use crate::catalog::{Manifest, RULESET};
use crate::json::{document_and_repeats, locate};
use crate::ruleset;
use crate::types::{Api, Cancel, Problem, Rule, codes};
use serde_json::Value;
use std::collections::BTreeMap;

/// What a look into a ruleset and its catalog files gave.
#[derive(Debug, Default)]
pub struct Inspection {
    /// Each with its file as the package names it (`ruleset.json`, `catalogs/knacks.json`), its pointer, and its line and
    /// column in the bytes given.
    pub problems: Vec<Problem>,
    /// What there is to translate.
    pub known: Known,
    pub documents: Documents,
}

/// A ruleset and its catalog files (by path) as JSON, in so far as they are: what is done with them after a look into
/// them reads no file again.
#[derive(Debug, Default)]
pub struct Documents {
    pub ruleset: Option<Value>,
    pub files: Vec<(String, Value)>,
}

/// Everything that is wrong with a ruleset and its catalog files, given as stored. `declared` is the API of the manifest
/// they belong to; a lone `ruleset.json` has none.
///
/// Stops when asked to; what it then says is of no use.
pub fn inspect(
    ruleset: &[u8],
    catalogs: &BTreeMap<String, Vec<u8>>,
    declared: Option<Api>,
    cancel: &Cancel,
) -> Inspection {
    let mut problems = Vec::new();
    let mut read = |path: &str, bytes: &[u8], code: &'static Rule| {
        // What a manifest lists is held to its size there.
        if declared.is_none() {
            problems.extend(ruleset::oversize(path, bytes.len()));
        }
        match document_and_repeats(bytes, code) {
            Ok((document, repeats)) => {
                problems.extend(repeats.into_iter().map(|problem| in_file(path, problem)));
                Some(document)
            }
            Err(problem) => {
                problems.push(in_file(path, *problem));
                None
            }
        }
    };
    let parsed = read(RULESET, ruleset, codes::RULESET_JSON);
    let files: Vec<_> = catalogs
        .iter()
        .take_while(|_| !cancel.is_asked())
        .filter_map(|(path, bytes)| Some((path.clone(), read(path, bytes, codes::CATALOG_JSON)?)))
        .collect();
    let mut known = Known::default();
    if let Some(parsed) = parsed.as_ref().filter(|_| !cancel.is_asked()) {
        let is_read = |path: &&String| files.iter().any(|(read, _)| read == *path);
        let unread: Vec<String> = catalogs.keys().filter(|path| !is_read(path)).cloned().collect();
        problems.extend(ruleset::check_readable(parsed, &files, &unread, declared, cancel));
        if !cancel.is_asked() {
            known = Known::of(parsed, &files);
        }
    }
    let texts = catalogs.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())).chain([(RULESET, ruleset)]);
    locate_all(&mut problems, texts.take_while(|_| !cancel.is_asked()));
    Inspection { problems, known, documents: Documents { ruleset: parsed, files } }
}

/// The same of a package with a manifest, which also says what its assets are: a catalog file in files[] alone is none
/// that the ruleset could name (K4).
pub fn inspect_packed(
    ruleset: &[u8],
    catalogs: &BTreeMap<String, Vec<u8>>,
    manifest: &Manifest,
    cancel: &Cancel,
) -> Inspection {
    let mut inspection = inspect(ruleset, catalogs, manifest.api, cancel);
    // That there are no assets at all is K1's to say.
    if manifest.assets.is_empty() || catalogs.keys().all(|path| manifest.has_asset(path)) {
        return inspection;
    }
    // Of those that are not there at all it is told already.
    let is_fine = |path: &str| manifest.has_asset(path) || !catalogs.contains_key(path);
    if cancel.is_asked() {
        return inspection;
    }
    if let Some(parsed) = &inspection.documents.ruleset {
        let mut problems = ruleset::missing_files(parsed, is_fine);
        locate(ruleset, &mut problems);
        inspection.problems.extend(problems);
    }
    inspection
}

fn in_file(path: &str, problem: Problem) -> Problem {
    Problem { file: Some(path.to_owned()), ..problem }
}

/// Finds the places of findings in several files. A file nothing was found in is not looked through.
fn locate_all<'t>(problems: &mut [Problem], texts: impl Iterator<Item = (&'t str, &'t [u8])>) {
    for (path, text) in texts {
        let mut here = problems.iter_mut().filter(|problem| problem.file.as_deref() == Some(path)).peekable();
        if here.peek().is_some() {
            locate(text, here);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(ruleset: &str, catalogs: &[(&str, &str)]) -> Vec<String> {
        let catalogs = catalogs.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect();
        let found = inspect(ruleset.as_bytes(), &catalogs, None, &Cancel::default()).problems;
        let told = found.iter().map(|p| {
            let place = |number: Option<u64>| number.map_or("?".to_owned(), |number| number.to_string());
            format!("{} {}:{}:{}", p.code, p.file.as_deref().unwrap_or("?"), place(p.line), place(p.column))
        });
        told.collect()
    }

    #[test]
    fn what_cannot_be_read_and_what_is_written_twice_has_its_place_in_its_file() {
        let found = told("{\n  \"id\": 1,\n  \"id\": 2\n}", &[("catalogs/a.json", "{\n]"), ("catalogs/b.json", "{}")]);
        assert!(found.contains(&"duplicate-key ruleset.json:3:3".to_owned()), "{found:?}");
        assert!(found.contains(&"catalog-json catalogs/a.json:2:1".to_owned()), "{found:?}");
        assert_eq!(told("{", &[]), ["ruleset-json ruleset.json:1:2"]);
    }

    #[test]
    fn a_catalog_file_that_cannot_be_read_is_there_all_the_same() {
        let ruleset =
            r#"{"catalogs": [{"id": "a", "asset": "catalogs/a.json"}, {"id": "b", "asset": "catalogs/b.json"}]}"#;
        let found = told(ruleset, &[("catalogs/a.json", "{"), ("catalogs/c.json", "{")]);
        let of_files: Vec<_> = found.iter().filter(|told| told.starts_with('K')).map(String::as_str).collect();
        assert_eq!(of_files, ["K4 ruleset.json:1:77", "K6 catalogs/c.json:1:1"]);
    }

    #[test]
    fn nobody_is_told_what_nobody_waits_for() {
        let cancel = Cancel::default();
        cancel.flag().store(true, std::sync::atomic::Ordering::Relaxed);
        let inspection = inspect(br#"{"name": "x", "layers": 3}"#, &BTreeMap::new(), None, &cancel);
        assert!(inspection.problems.is_empty() && inspection.known.originals().is_none());
    }

    #[test]
    fn every_finding_has_a_line_and_a_column() {
        let every_place = told("{\"schemaVersion\": 2, \"layers\": 3}", &[("catalogs/a.json", "[]")]);
        assert!(every_place.iter().all(|told| !told.contains('?')), "{every_place:?}");
    }
}
