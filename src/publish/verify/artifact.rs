//! What an artifact holds.

use crate::catalog::Entry;
use crate::package::{Container, Contents, Nowhere, unpack};
use crate::publish::{self, Inspection, Known, inspect_packed};
use crate::types::{Cancel, Problem};
use std::fs::File;

/// What a look into an artifact gave.
#[derive(Debug, Default)]
pub(super) struct Looked {
    /// Each with its file, for example `artifacts/ember-roads-1.0.0.ruleset.json!ruleset.json`.
    pub problems: Vec<Problem>,
    /// What there is to translate.
    pub known: Known,
}

/// Everything that is wrong with the artifact of an entry and with the ruleset in it. `name` is the artifact's own.
pub(super) fn look(file: &File, entry: &Entry, name: &str, cancel: &Cancel) -> Looked {
    let mut looked = match unpack(file, &entry.manifest, &mut Nowhere, cancel) {
        Ok(contents) => look_inside(contents, entry, name, cancel),
        Err(faults) => {
            let problems = faults.all().map(|fault| publish::finding(fault, name)).collect();
            Looked { problems, known: Known::default() }
        }
    };
    let id = entry.manifest.id.as_str();
    looked.problems.iter_mut().for_each(|problem| problem.package = Some(id.to_owned()));
    looked
}

fn look_inside(contents: Contents, entry: &Entry, name: &str, cancel: &Cancel) -> Looked {
    let Contents { container, ruleset, catalogs, .. } = contents;
    let catalogs = catalogs.into_iter().map(|(path, bytes)| (path.as_str().to_owned(), bytes)).collect();
    let Inspection { problems, known, .. } = inspect_packed(&ruleset, &catalogs, &entry.manifest, cancel);
    let inside = |problem: Problem| match container {
        // The artifact is the ruleset itself.
        Container::Bare => Problem { file: None, ..problem }.inside(name),
        Container::Zip | Container::Bundle => problem.inside(name),
    };
    Looked { problems: problems.into_iter().map(inside).collect(), known }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::publish::inspect;
    use crate::ruleset::essentials;
    use crate::types::{Api, SafePath, Severity};
    use std::collections::BTreeMap;
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
