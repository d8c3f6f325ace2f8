//! The rules between the keys of a ruleset, one part of it a file. Each takes the whole ruleset and reports all it finds;
//! none minds what the shape check has already refused.

mod catalogs;
mod cells;
mod derived;
mod fights;
mod gm;
mod hiding;
mod ids;
mod items;
pub mod ladder;
mod layers;
mod migrations;
mod places;
pub mod pool_dice;
pub mod refs;
mod repeats;
pub mod resolution;
mod rests;
mod sheet;
pub mod values;
mod wounds;

pub use catalogs::missing_files;

use super::whole::Whole;
use crate::types::Problem;

type Rule = fn(&Whole<'_>, &mut Vec<Problem>);

/// In the order of the file.
const ALL: &[Rule] = &[
    ids::check,
    resolution::check,
    pool_dice::check,
    ladder::check,
    sheet::check,
    derived::check,
    wounds::check,
    hiding::check,
    values::check,
    migrations::check,
    rests::check,
    gm::check,
    catalogs::check,
    items::check,
    fights::check,
    layers::check,
];

/// Every finding of every rule.
pub fn check(ruleset: &Whole<'_>, found: &mut Vec<Problem>) {
    for rule in ALL {
        rule(ruleset, found);
    }
}

#[cfg(test)]
mod testing {
    use super::*;
    use serde_json::Value;

    /// What one rule finds in a ruleset without catalog files, as "code pointer".
    pub fn findings(rule: Rule, ruleset: &Value) -> Vec<String> {
        let mut found = Vec::new();
        rule(&Whole::new(ruleset, &[]), &mut found);
        found
            .iter()
            .map(|problem| format!("{} {}", problem.code, problem.pointer.as_deref().unwrap_or_default()))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::Value;
    use std::path::{Path, PathBuf};

    const ENGINES_OWN: [&str; 2] = [
        include_str!("../../../testdata/rulesets/ember-roads.json"),
        include_str!("../../../testdata/rulesets/gravewatch.json"),
    ];

    fn read(path: PathBuf) -> Value {
        serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
    }

    fn reasons(ruleset: &Value, files: &[(String, Value)]) -> Vec<String> {
        let mut found = Vec::new();
        check(&Whole::new(ruleset, files), &mut found);
        found.iter().map(Problem::reason).collect()
    }

    #[test]
    fn rulesets_in_use_break_no_rule() {
        for text in ENGINES_OWN {
            assert_eq!(reasons(&serde_json::from_str(text).unwrap(), &[]), [""; 0]);
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog-example");
        let packages = ["packages", "earlier/packages"].map(|folder| std::fs::read_dir(root.join(folder)).unwrap());
        for package in packages.into_iter().flatten() {
            let package = package.unwrap().path();
            let catalogs = std::fs::read_dir(package.join("catalogs")).into_iter().flatten();
            let files: Vec<_> = catalogs
                .map(|file| {
                    let path = file.unwrap().path();
                    (format!("catalogs/{}", path.file_name().unwrap().to_str().unwrap()), read(path))
                })
                .collect();
            assert_eq!(reasons(&read(package.join("ruleset.json")), &files), [""; 0], "{}", package.display());
        }
    }

    /// Where every value within this one stands, itself included.
    fn pointers(value: &Value, at: &str, all: &mut Vec<String>) {
        all.push(at.to_owned());
        let inner = |key: &str| format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
        match value {
            Value::Array(items) => {
                items.iter().enumerate().for_each(|(index, item)| pointers(item, &format!("{at}/{index}"), all));
            }
            Value::Object(members) => members.iter().for_each(|(key, member)| pointers(member, &inner(key), all)),
            _ => {}
        }
    }

    /// A ruleset that uses nearly everything, its catalogs written into it.
    fn inlined() -> Value {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog-example/packages/ember-roads");
        let mut ruleset = read(root.join("ruleset.json"));
        for catalog in ruleset["catalogs"].as_array_mut().unwrap() {
            let asset = catalog.as_object_mut().unwrap().remove("asset").unwrap();
            catalog["entries"] = read(root.join(asset.as_str().unwrap()))["entries"].take();
        }
        ruleset
    }

    #[test]
    fn no_value_where_another_was_panics() {
        let whole = inlined();
        assert_eq!(reasons(&whole, &[]), [""; 0]);
        let mut all = Vec::new();
        pointers(&whole, "", &mut all);
        let anything =
            prop::sample::select(vec!["null", "true", "-1", "1e300", "\"ß\"", "[]", "{}", "[[3]]", r#"{"id":3}"#]);
        let edits = prop::collection::vec((any::<prop::sample::Index>(), anything), 1..5);
        let mut runner = proptest::test_runner::TestRunner::default();
        let outcome = runner.run(&edits, |edits| {
            let mut ruleset = whole.clone();
            for (place, value) in edits {
                if let Some(there) = ruleset.pointer_mut(&all[place.index(all.len())]) {
                    *there = serde_json::from_str(value).unwrap();
                }
            }
            reasons(&ruleset, &[]);
            Ok(())
        });
        outcome.unwrap();
    }
}
