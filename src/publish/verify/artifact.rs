//! What an artifact holds.

use crate::catalog::{Entry, MANIFEST};
use crate::inspect::{Inspection, Known, Package, Root, finding};
use crate::json;
use crate::package::{Nowhere, Wrapping, hold, unpack};
use crate::types::{Cancel, Pointer, Problem, codes};
use std::collections::BTreeMap;
use std::fs::File;

/// Everything that is wrong with the artifact of an entry and, of a ruleset, with what is in it, each finding with its
/// file, for example `artifacts/ember-roads-1.0.0.ruleset.json!ruleset.json`. `name` is the artifact's own.
pub(super) fn look(file: &File, entry: &Entry, name: &str, cancel: &Cancel) -> Inspection {
    let (root, id) = (Root::Artifact(name.to_owned()), entry.manifest.id.to_string());
    let tell = |problem| Problem { package: Some(id.clone()), ..root.tell(problem) };
    let opened = match entry.manifest.is_ruleset() {
        true => unpack(file, &entry.manifest, &mut Nowhere, cancel).map(|contents| {
            let found = wrapping_faults(&contents.wrapping, entry);
            let package = Package::unpacked(name, entry.manifest.clone(), contents, BTreeMap::new());
            let Inspection { problems, known } = package.inspect(cancel);
            (found, problems.into_iter().map(|problem| package.tell(problem)).collect(), known)
        }),
        false => hold(file, &entry.manifest, cancel)
            .map(|wrapping| (wrapping_faults(&wrapping, entry), Vec::new(), Known::default())),
    };
    match opened {
        Ok((of_wrapping, inside, known)) => {
            Inspection { problems: of_wrapping.into_iter().map(tell).chain(inside).collect(), known }
        }
        Err(faults) => Inspection { problems: faults.all().map(finding).map(tell).collect(), known: Known::default() },
    }
}

/// What is odd in a zip that every engine installs.
fn wrapping_faults(wrapping: &Wrapping, entry: &Entry) -> Vec<Problem> {
    let mut found = Vec::new();
    if let Some(folder) = &wrapping.folder {
        let message = format!("the zip contains an entry for the folder `{folder}`");
        found.push(Problem { pointer: None, ..Problem::new(codes::ZIP_FOLDER, &Pointer::root(), message) });
    }
    let inside = String::from_utf8_lossy(&wrapping.manifest_json);
    if !json::equal_in_order(&inside, entry.manifest.raw.get()) {
        let message = "the manifest means the same as the catalog's, but its text differs: keys in another order, or \
                       defaults omitted";
        found.push(Problem::new(codes::MANIFEST_ORDER, &Pointer::root(), message).in_file(MANIFEST));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inspect::inspect;
    use crate::ruleset::essentials;
    use crate::types::{Api, SafePath, Severity};
    use std::path::Path;

    /// What an install refuses is never let through here.
    #[test]
    fn whatever_makes_a_ruleset_unusable_is_an_error_of_the_inspection() {
        let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog-example/packages/ember-roads");
        let read = |name: &str| std::fs::read_to_string(package.join(name)).unwrap();
        let files = ["knacks", "road_trouble", "wares"].map(|name| format!("catalogs/{name}.json"));
        let sound = read("ruleset.json");
        let mut cases: Vec<(String, Option<&str>, u32)> =
            vec![(sound.clone(), None, 20), (sound.clone(), Some("[]"), 813), (sound.clone(), Some("{"), 813)];
        for (from, to) in [
            ("\"schemaVersion\": 1", "\"schemaVersion\": 2"),
            ("\"id\": \"ember-roads\"", "\"id\": \"traditional\""),
            ("\"version\": ", "\"edition\": "),
            ("\"name\": ", "\"nickname\": "),
            ("catalogs/knacks.json", "catalogs/other.json"),
        ] {
            assert!(sound.contains(from), "{from}");
            cases.push((sound.replacen(from, to, 1), None, 813));
        }
        cases.extend(["", "[]", "null", "{}"].map(|text| (text.to_owned(), None, 813)));
        for (ruleset, catalog, minor) in cases {
            let text = |name: &String| catalog.map_or_else(|| read(name), str::to_owned).into_bytes();
            let by_path: BTreeMap<SafePath, Vec<u8>> =
                files.iter().map(|name| (name.parse().unwrap(), text(name))).collect();
            let by_name = files.iter().map(|name| (name.clone(), text(name))).collect();
            let api = Some(Api { major: 1, minor });
            let refused = essentials(ruleset.as_bytes(), &by_path, api).expect_err("a case that is one");
            let found = inspect(ruleset.as_bytes(), &by_name, api, &Cancel::default()).problems;
            let errors = found.iter().filter(|problem| problem.severity == Severity::Error).count();
            assert!(errors > 0, "{refused:?}");
        }
    }
}
