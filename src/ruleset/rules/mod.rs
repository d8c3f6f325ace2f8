//! The rules between the keys of a ruleset, one part of it a file. Each takes the whole ruleset and reports all it
//! finds; none minds what the shape check has already refused.

mod catalogs;
mod cells;
mod derived;
mod fights;
mod gm;
mod held_to;
mod hiding;
mod ids;
mod items;
pub mod ladder;
mod layers;
mod migrations;
mod places;
pub mod pool_dice;
mod reach;
mod readings;
pub mod refs;
mod repeats;
mod resolution;
mod rests;
mod sheet;
mod value_places;
pub mod values;
mod wounds;

pub use catalogs::{misnamed_catalog_files, missing_files};

use super::whole::Whole;
use crate::types::Problems;

type Rule = fn(&Whole<'_>, &mut Problems);

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
    value_places::check,
    migrations::check,
    rests::check,
    gm::check,
    catalogs::check,
    items::check,
    fights::check,
    layers::check,
];

/// Every finding of every rule; of some, where nobody waits for them any longer.
pub fn check(ruleset: &Whole<'_>, found: &mut Problems) {
    for rule in ALL {
        if found.is_stopped() {
            return;
        }
        rule(ruleset, found);
    }
}

/// What one rule says of a ruleset without catalog files, as "code /pointer".
#[cfg(test)]
fn told(rule: Rule, ruleset: &serde_json::Value) -> Vec<String> {
    let mut found = Problems::default();
    rule(&Whole::new(ruleset, &[]), &mut found);
    found.into_iter().map(|problem| format!("{} {}", problem.code, problem.pointer.unwrap_or_default())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};
    use std::path::{Path, PathBuf};

    /// The engine's own, one of sums and one of pools that use all there is, and one that uses next to nothing.
    const SOUND: [&str; 5] = [
        include_str!("../../../testdata/rulesets/ember-roads.json"),
        include_str!("../../../testdata/rulesets/gravewatch.json"),
        include_str!("../../../testdata/rulesets/lantern-coast.json"),
        include_str!("../../../testdata/rulesets/iron-quarter.json"),
        include_str!("../../../testdata/rulesets/quiet-hours.json"),
    ];

    fn read(path: PathBuf) -> Value {
        serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
    }

    fn reasons(ruleset: &Value, files: &[(String, Value)]) -> Vec<String> {
        let mut found = Problems::default();
        check(&Whole::new(ruleset, files), &mut found);
        found.iter().map(crate::types::Problem::reason).collect()
    }

    #[test]
    fn rulesets_in_use_break_no_rule() {
        for text in SOUND {
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

    /// A ruleset of the example catalog, its catalogs written into it.
    fn inlined(package: &str) -> Value {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog-example/packages").join(package);
        let mut ruleset = read(root.join("ruleset.json"));
        for catalog in ruleset["catalogs"].as_array_mut().unwrap() {
            let asset = catalog.as_object_mut().unwrap().remove("asset").unwrap();
            catalog["entries"] = read(root.join(asset.as_str().unwrap()))["entries"].take();
        }
        ruleset
    }

    fn odd() -> impl Strategy<Value = Value> {
        let odd =
            [json!(null), json!(true), json!(-1e300), json!("ß"), json!("brawn"), json!([]), json!([{}, [[]], 3])];
        prop_oneof![Just(json!({"id": {}, "of": 3, "kinds": 3, "table": []})), prop::sample::select(odd.to_vec())]
    }

    proptest! {
        /// What a value of the wrong type is, is the shape's to say; no rule may stumble over it.
        #[test]
        fn whatever_stands_anywhere_no_rule_stumbles_over_it(
            changes in prop::collection::vec((any::<prop::sample::Index>(), odd()), 1..6),
            of in 0..SOUND.len() + 2,
        ) {
            let mut ruleset = match SOUND.get(of) {
                Some(text) => serde_json::from_str(text).unwrap(),
                None => inlined(["gravewatch", "ember-roads"][of - SOUND.len()]),
            };
            for (place, odd) in changes {
                let mut all = Vec::new();
                pointers(&ruleset, "", &mut all);
                *ruleset.pointer_mut(&all[place.index(all.len())]).unwrap() = odd;
            }
            check(&Whole::new(&ruleset, &[]), &mut Problems::default());
        }
    }
}
