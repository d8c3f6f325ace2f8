//! The shape of a ruleset and its catalog files: which keys there are, what they hold and within which bounds. The
//! [`tables`] say it in a small [`language`], [`walk`] holds a file against them.

mod between;
mod crowd;
mod language;
mod limits;
mod mend;
mod place;
mod say;
mod size;
mod strangers;
mod tables;
mod text;
mod walk;

pub use limits::limits;
pub use size::oversize;

use super::essentials::read_essentials;
use super::whole::{FILE, Spellings, Whole};
use crate::types::{Api, NEWEST_KNOWN_API, Pointer, Problem, Problems, Rule, Severity, codes};
use mend::Misspelt;
use place::ValuePlace;
use serde_json::Value;
use tables::{CATALOG_FILE, NAME, RULESET};
use walk::Walk;

/// The newest API whose keys are all known: those of later ones, only as far as the format's own guide tells.
const DESCRIBED: Api = Api { major: 1, minor: 66 };

/// Everything in a ruleset or one of its catalog files (`files`, by path) that has not the shape it must have, each
/// once.
///
/// A key that is not known is a mistake where it is near one that is, or known elsewhere; another is a warning when
/// `declared`, the manifest's API, is newer than 1.66 (docs/spec/decisions.md#q27): an engine as new may know it.
///
/// Gives what the rules between the keys look at.
pub fn check(ruleset: &Value, files: &[(String, Value)], declared: Option<Api>, found: &mut Problems) -> Looked {
    // What install refuses is told as install tells it.
    read_essentials(ruleset, found);
    let above = |api: Api| match declared {
        Some(declared) if declared > api => Severity::Warning,
        _ => Severity::Error,
    };
    let resolution = ruleset["resolution"]["kind"].as_str();
    let mut walk = Walk {
        file: FILE,
        unknown_keys: above(DESCRIBED),
        closed_keys: above(NEWEST_KNOWN_API),
        resolution,
        found,
        is_crowded: false,
        misspelt: Misspelt::default(),
    };
    if ruleset.is_object() {
        let name = &ruleset["name"];
        if name.as_str().is_some_and(|name| !name.is_empty()) {
            walk.check(name, &NAME, &ValuePlace::Key(&ValuePlace::Root, "name"));
        }
        walk.check(ruleset, &RULESET, &ValuePlace::Root);
    }
    for (path, catalog) in files {
        walk.file = path;
        if catalog.is_object() {
            walk.check(catalog, &CATALOG_FILE, &ValuePlace::Root);
        } else {
            // As install tells it.
            let message = "a catalog file must be a JSON object";
            let problem = Problem::new(codes::CATALOG_JSON, &Pointer::root(), message);
            walk.found.push(Problem { file: Some(path.clone()), ..problem });
        }
    }
    let Walk { is_crowded, misspelt, .. } = walk;
    let mended = mend::mended(ruleset, files, &misspelt);
    let (ruleset, files) = mended.as_ref().map_or((ruleset, files), |(ruleset, files)| (ruleset, files.as_slice()));
    let part = is_crowded.then(|| {
        let part = |value: &Value, shape| crowd::looked_at_of(value, shape, resolution);
        let files = files.iter().map(|(path, catalog)| (path.clone(), part(catalog, &CATALOG_FILE)));
        (part(ruleset, &RULESET), files.collect())
    });
    Looked { mended, part, spellings: mend::spellings(&misspelt.renamed) }
}

/// A ruleset and its catalog files.
type Files = (Value, Vec<(String, Value)>);

/// What the rules between the keys look at in place of what is checked.
pub struct Looked {
    /// With its misspelt keys and ids mended, where there are any.
    pub mended: Option<Files>,
    /// The part of that which is looked at, where lists are far longer than they may be.
    part: Option<Files>,
    /// Where the mended keys are written.
    spellings: Spellings,
}

impl Looked {
    /// The same of what was checked. What is told of it stands where it is written.
    pub fn whole<'a>(&'a self, ruleset: &'a Value, files: &'a [(String, Value)]) -> Whole<'a> {
        let or = |looked: &'a Option<Files>, (ruleset, files)| {
            looked.as_ref().map_or((ruleset, files), |(ruleset, files)| (ruleset, files.as_slice()))
        };
        let (all, files) = or(&self.mended, (ruleset, files));
        let (part, files) = or(&self.part, (all, files));
        Whole::of(part, all, files, &self.spellings)
    }
}

/// Whether a finding of [`check`] is about a single value or its key, rather than about what an object or a list holds.
pub fn refuses_value(problem: &Problem) -> bool {
    const OF_VALUES: [&Rule; 11] = [
        codes::WRONG_TYPE,
        codes::OUT_OF_RANGE,
        codes::NOT_A_CHOICE,
        codes::EMPTY_TEXT,
        codes::TOO_LONG,
        codes::BAD_ID,
        codes::BAD_DICE,
        codes::UNSAFE_TEXT,
        codes::UNKNOWN_KEY,
        codes::L02,
        codes::L21,
    ];
    OF_VALUES.contains(&problem.code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::sample::Index;
    use serde_json::json;
    use std::path::Path;

    const RULESETS: [&str; 2] = ["ember-roads", "gravewatch"];

    fn read(path: &Path) -> Value {
        serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
    }

    fn real(name: &str) -> Value {
        read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("testdata/rulesets/{name}.json")))
    }

    fn problems(ruleset: &Value, files: &[(String, Value)], declared: Option<Api>) -> Vec<Problem> {
        let mut found = Problems::default();
        check(ruleset, files, declared, &mut found);
        found.into_vec()
    }

    /// What is told of a real ruleset after an edit: code and pointer.
    fn told(name: &str, edit: impl FnOnce(&mut Value)) -> Vec<String> {
        let mut ruleset = real(name);
        edit(&mut ruleset);
        let place = |problem: &Problem| format!("{} {}", problem.code, problem.pointer.as_deref().unwrap());
        problems(&ruleset, &[], None).iter().map(place).collect()
    }

    fn set(name: &str, pointer: &str, value: Value) -> Vec<String> {
        told(name, |ruleset| {
            let (parent, key) = pointer.rsplit_once('/').unwrap();
            ruleset.pointer_mut(parent).unwrap()[key] = value;
        })
    }

    #[test]
    fn real_rulesets_have_the_right_shape() {
        for name in RULESETS {
            assert_eq!(told(name, |_| ()), [""; 0], "{name}");
        }
        let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog-example/packages");
        for package in std::fs::read_dir(packages).unwrap() {
            let package = package.unwrap().path();
            let files = std::fs::read_dir(package.join("catalogs")).into_iter().flatten();
            let files: Vec<_> = files.map(|file| ("catalogs/a.json".to_owned(), read(&file.unwrap().path()))).collect();
            assert_eq!(problems(&read(&package.join("ruleset.json")), &files, None), [], "{}", package.display());
        }
    }

    #[test]
    fn what_install_refuses_is_told_in_its_words_and_once() {
        for (key, value, code) in [
            ("schemaVersion", json!(2), "ruleset-schema-version /schemaVersion"),
            ("id", json!("traditional"), "ruleset-id /id"),
            ("id", json!("Ember"), "ruleset-id /id"),
            ("version", json!(0), "ruleset-version /version"),
            ("version", json!(1.5), "ruleset-version /version"),
            ("name", json!(""), "ruleset-name /name"),
            ("name", json!(3), "ruleset-name /name"),
            ("name", json!("a[b]"), "unsafe-text /name"),
            ("name", json!("a".repeat(81)), "too-long /name"),
        ] {
            assert_eq!(set("gravewatch", &format!("/{key}"), value.clone()), [code], "{value}");
        }
        for (key, code) in [("id", "ruleset-id "), ("name", "ruleset-name "), ("gm", "missing-key ")] {
            let without = told("gravewatch", |ruleset| drop(ruleset.as_object_mut().unwrap().remove(key)));
            assert_eq!(without, [code]);
        }
        assert_eq!(problems(&json!([]), &[], None)[0].code, codes::RULESET_JSON);
        let files = [("catalogs/a.json".to_owned(), json!([]))];
        let told = problems(&real("gravewatch"), &files, None);
        assert_eq!(
            (told[0].code.as_str(), told[0].file.as_deref(), told.len()),
            ("catalog-json", Some("catalogs/a.json"), 1)
        );
    }

    #[test]
    fn an_unknown_key_may_be_one_of_a_newer_engine() {
        let mut ruleset = real("gravewatch");
        ruleset["gm"]["mood"] = json!("grim");
        let severity = |declared: Option<u32>| {
            let told = problems(&ruleset, &[], declared.map(|minor| Api { major: 1, minor }));
            assert_eq!((told[0].code.as_str(), told.len()), ("unknown-key", 1));
            told[0].severity
        };
        let severities = [None, Some(66), Some(67)].map(severity);
        assert_eq!(severities, [Severity::Error, Severity::Error, Severity::Warning]);
        // No engine will ever know this one, in an object of keys as little as in one of names.
        for place in ["/gm/__proto__", "/sheet/live/__proto__", "/sheet/fields/1/valueLabels"] {
            let mut ruleset = real("gravewatch");
            let (parent, key) = place.rsplit_once('/').unwrap();
            ruleset.pointer_mut(parent).unwrap()[key] = json!({"__proto__": "x"});
            let told = problems(&ruleset, &[], Some(Api { major: 1, minor: 813 }));
            assert_eq!((told[0].severity, told.len()), (Severity::Error, 1), "{place}");
            assert_eq!(told[0].hint.as_deref(), codes::UNKNOWN_KEY.hint);
        }
    }

    #[test]
    fn keys_that_came_after_the_described_api_are_known() {
        let market = json!({
            "prices": [{"id": "fair", "label": "Fair", "times": 1, "default": true}],
            "places": [{"id": "shop", "label": "Shop"}],
            "sellers": [{"id": "smith", "label": "Smith", "sells": [{"tag": "iron"}], "stock": {"any": "thing"}}],
            "unsold": [{"tag": "magical"}],
        });
        let items = json!({"categories": [{"id": "tool", "label": "Tool"}], "market": market});
        assert_eq!(set("ember-roads", "/items", items), [""; 0]);
        let tier = json!([{"id": "low", "label": "Low", "health": [1, 9], "defense": 1, "toHit": 1,
            "damagePerRound": [1, 2], "saveDifficulty": 1, "loot": "pockets"}]);
        assert_eq!(set("ember-roads", "/combat/threat", json!({ "tiers": tier })), [""; 0]);
    }

    #[test]
    fn a_rule_of_faces_says_from_which_or_down_to_which() {
        for key in ["double", "explode"] {
            let place = format!("/resolution/{key}");
            for rule in [json!({"from": 10}), json!({"min": 8}), json!({"from": 10, "min": 8})] {
                assert_eq!(set("gravewatch", &place, rule), [""; 0]);
            }
            assert_eq!(set("gravewatch", &place, json!({})), [format!("at-least-one {place}")]);
        }
    }

    #[test]
    fn places_with_a_shape_of_their_own() {
        let (sum, pool) = ("ember-roads", "gravewatch");
        let track = |track: Value| set(pool, "/sheet/live/tracks", json!([track]));
        let plain = json!({"id": "dread", "label": "Dread", "min": 5, "max": 3});
        assert_eq!(track(plain.clone()), ["min-above-max /sheet/live/tracks/0/max"]);
        let mut read = plain;
        read["max"] = json!({"derived": "a", "field": "b"});
        assert_eq!(track(read), ["exactly-one /sheet/live/tracks/0/max"]);
        // The bounds of what counts wounds are a rule of its own.
        let wounds = json!({"id": "harm", "label": "Harm", "min": 5, "max": 3,
            "kinds": [{"id": "cut", "label": "Cut", "severity": 1}]});
        assert_eq!(track(wounds), [""; 0]);

        let state = |values: Value| {
            set(
                pool,
                "/sheet/live/states",
                json!([{"id": "mood", "label": "Mood", "values": values, "default": "calm"}]),
            )
        };
        assert_eq!(state(json!(["calm", "grim"])), [""; 0]);
        assert_eq!(state(json!(["calm"])), ["too-few /sheet/live/states/0/values"]);
        assert_eq!(state(json!(["calm", "\"grim\""])), ["unsafe-text /sheet/live/states/0/values/1"]);
        assert_eq!(state(json!(["grim", "glad"])), ["default-out-of-range /sheet/live/states/0/default"]);

        let ladder = |name: &str, step: Value| {
            set(name, "/layers", json!([{"id": "a", "label": "A", "difficultyLadder": [step]}]))
        };
        let (dc, successes) = (json!({"label": "Easy", "dc": 7}), json!({"label": "Easy", "successes": 1}));
        assert_eq!((ladder(sum, dc.clone()), ladder(pool, successes.clone())), (vec![], vec![]));
        assert_eq!(ladder(sum, successes).len(), 2);
        assert_eq!(ladder(pool, dc).len(), 2);
        assert_eq!(set(pool, "/resolution/kind", json!("dice-pol")), ["not-a-choice /resolution/kind"]);
        // Longtext is for fields and columns alone.
        let stat = json!([{"id": "lore", "label": "Lore", "type": "longtext", "maxLength": 9}]);
        let items = json!({"categories": [{"id": "tool", "label": "Tool"}], "stats": stat});
        assert_eq!(set(sum, "/items", items), ["not-a-choice /items/stats/0/type"]);
    }

    /// Every place of a document, `$comment` and what no source describes apart.
    fn places(value: &Value) -> Vec<String> {
        fn collect(value: &Value, at: Pointer, into: &mut Vec<String>) {
            let undescribed = |key: &str| matches!(key, "$comment" | "stock");
            match value {
                Value::Object(members) => members
                    .iter()
                    .filter(|(key, _)| !undescribed(key))
                    .for_each(|(key, value)| collect(value, at.at(key), into)),
                Value::Array(items) => {
                    items.iter().enumerate().for_each(|(index, value)| collect(value, at.at(index), into));
                }
                _ => (),
            }
            into.push(at.to_string());
        }
        let mut all = Vec::new();
        collect(value, Pointer::root(), &mut all);
        all
    }

    fn anything() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            ".{0,9}".prop_map(Value::from),
            Just(json!("dice-pool")),
        ];
        leaf.prop_recursive(3, 12, 4, |inner| {
            let key = prop_oneof!["[a-z]{1,4}", Just("id".to_owned()), Just("__proto__".to_owned())];
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map(key, inner, 0..4).prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn null_is_right_nowhere(name in 0..RULESETS.len(), place in any::<Index>()) {
            let mut ruleset = real(RULESETS[name]);
            let place = place.get(&places(&ruleset)).clone();
            *ruleset.pointer_mut(&place).unwrap() = Value::Null;
            prop_assert!(!problems(&ruleset, &[], None).is_empty(), "{}", place);
        }

        #[test]
        fn a_key_of_no_meaning_is_told_wherever_it_stands(name in 0..RULESETS.len(), place in any::<Index>()) {
            let mut ruleset = real(RULESETS[name]);
            let place = place.get(&places(&ruleset)).clone();
            if let Value::Object(members) = ruleset.pointer_mut(&place).unwrap() {
                members.insert("__proto__".to_owned(), json!({}));
                prop_assert!(!problems(&ruleset, &[], None).is_empty(), "{}", place);
            }
        }

        #[test]
        fn no_change_panics(
            name in 0..RULESETS.len(),
            changes in prop::collection::vec((any::<Index>(), prop::option::of(anything())), 1..4),
        ) {
            let mut ruleset = real(RULESETS[name]);
            for (place, value) in changes {
                let place = place.get(&places(&ruleset)).clone();
                let Some(value) = value else {
                    let (parent, key) = place.rsplit_once('/').unwrap_or_default();
                    match ruleset.pointer_mut(parent) {
                        Some(Value::Object(members)) => drop(members.remove(key)),
                        Some(Value::Array(items)) => drop(items.pop()),
                        _ => (),
                    }
                    continue;
                };
                *ruleset.pointer_mut(&place).unwrap() = value;
            }
            let files = [("catalogs/a.json".to_owned(), ruleset.clone())];
            problems(&ruleset, &files, None);
        }
    }
}
