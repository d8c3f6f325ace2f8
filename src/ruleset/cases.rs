//! The rules N01 to N131 (docs/spec/checks.md), as far as they are about a ruleset: fragments that are right and
//! fragments that are wrong, as data in `testdata/rules`. Each is put into one of the rulesets that use all there is,
//! and
//! [`check`](super::check()) has to find fault at the places named, and nowhere else.

use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A value and where it stands; `null` takes out what stands there.
type Change = (String, Value);

/// A sound ruleset, and how it differs from the one in `testdata/rulesets`.
#[derive(Deserialize)]
struct Base {
    ruleset: String,
    with: Vec<Change>,
}

/// Cases that stand at the same places.
#[derive(Deserialize)]
struct Group {
    /// The rules it is about.
    rules: String,
    base: String,
    /// What is changed for all of them.
    #[serde(default)]
    with: Vec<Change>,
    places: Vec<Place>,
    /// A fragment each, and where it is wrong: below the fragment, or below the root where that begins with `/`.
    cases: Vec<Vec<Value>>,
}

/// A pointer, whose last key may be `-` for the end of a list, and what the fragment is wrapped in. There, the text `$`
/// stands for the fragment, and a key `$` for its keys. `+` adds its keys to what is there already.
#[derive(Deserialize)]
#[serde(untagged)]
enum Place {
    Plain([String; 1]),
    Wrapped(String, Value),
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata")
}

fn read<T: serde::de::DeserializeOwned>(path: &Path) -> T {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every group, with the name of its file.
fn groups() -> Vec<(String, Group)> {
    let mut files: Vec<_> =
        std::fs::read_dir(folder().join("rules")).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let families = files.iter().filter(|path| !path.ends_with("bases.json"));
    families
        .flat_map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            read::<Vec<Group>>(path).into_iter().map(move |group| (name.clone(), group))
        })
        .collect()
}

fn bases() -> BTreeMap<String, Value> {
    let bases: BTreeMap<String, Base> = read(&folder().join("rules/bases.json"));
    let made = |(name, base): (String, Base)| {
        let mut ruleset = read(&folder().join(format!("rulesets/{}.json", base.ruleset)));
        base.with.into_iter().for_each(|(at, value)| drop(put(&mut ruleset, &at, value)));
        (name, ruleset)
    };
    bases.into_iter().map(made).collect()
}

/// Puts a value at a place, and gives the pointer to it. Objects on the way there are made where they are missing.
fn put(document: &mut Value, at: &str, value: Value) -> String {
    let Some((parent, key)) = at.rsplit_once('/') else {
        *document = value;
        return at.to_owned();
    };
    let mut inner = document;
    for key in parent.split('/').skip(1) {
        inner = match inner {
            Value::Array(items) => &mut items[key.parse::<usize>().unwrap_or_else(|_| panic!("{at}: {key}"))],
            Value::Object(members) => members.entry(key).or_insert_with(|| Map::new().into()),
            other => panic!("{at}: {other}"),
        };
    }
    match inner {
        Value::Object(members) if value.is_null() => drop(members.remove(key)),
        Value::Object(members) => drop(members.insert(key.to_owned(), value)),
        Value::Array(items) if key == "-" => {
            items.push(value);
            return format!("{parent}/{}", items.len() - 1);
        }
        Value::Array(items) if value.is_null() => drop(items.remove(key.parse().unwrap())),
        Value::Array(items) if key == items.len().to_string() => items.push(value),
        Value::Array(items) => items[key.parse::<usize>().unwrap()] = value,
        other => panic!("{at}: {other}"),
    }
    at.to_owned()
}

/// The wrapping with the fragment in it, and the pointer to the fragment.
fn wrap(wrapping: &Value, fragment: &Value) -> (Value, Option<String>) {
    let mut place = None;
    let mut inside = |key: &str, value: &Value| {
        let (value, at) = wrap(value, fragment);
        place = place.take().or(at.map(|at| format!("/{key}{at}")));
        value
    };
    let value = match wrapping {
        Value::String(text) if text == "$" => return (fragment.clone(), Some(String::new())),
        Value::Object(members) => {
            let mut object: Map<_, _> = members.iter().map(|(key, value)| (key.clone(), inside(key, value))).collect();
            if object.remove("$").is_some() {
                place = Some(String::new());
                for (key, value) in fragment.as_object().unwrap() {
                    object.insert(key.clone(), value.clone());
                }
            }
            object.retain(|_, value| !value.is_null());
            object.into()
        }
        Value::Array(items) => items.iter().enumerate().map(|(index, item)| inside(&index.to_string(), item)).collect(),
        other => other.clone(),
    };
    (value, place)
}

/// A ruleset with a fragment in it, and the pointer to the fragment.
fn with(ruleset: &Value, place: &Place, fragment: &Value) -> (Value, String) {
    let mut ruleset = ruleset.clone();
    let at = match place {
        Place::Plain([at]) => put(&mut ruleset, at, fragment.clone()),
        Place::Wrapped(at, added) if added == "+" => {
            for (key, value) in fragment.as_object().unwrap() {
                put(&mut ruleset, &format!("{at}/{key}"), value.clone());
            }
            at.clone()
        }
        Place::Wrapped(at, wrapping) => {
            let (value, inside) = wrap(wrapping, fragment);
            put(&mut ruleset, at, value) + &inside.unwrap()
        }
    };
    (ruleset, at)
}

/// What a check says of a ruleset: pointer and code of every error.
fn told(ruleset: &Value) -> Vec<(String, String)> {
    let found = super::check(ruleset, &[], None);
    let errors = found.into_iter().filter(|problem| problem.severity == crate::types::Severity::Error);
    errors.map(|problem| (problem.pointer.unwrap_or_default(), problem.code.as_str().to_owned())).collect()
}

#[test]
fn what_the_rules_call_right_is_accepted_and_what_they_call_wrong_is_told_where_it_is() {
    let bases = bases();
    let unsound = bases.iter().map(|(name, base)| (name, told(base))).filter(|(_, told)| !told.is_empty());
    let mut complaints: Vec<_> = unsound.map(|(name, told)| format!("the base {name}: {told:?}")).collect();
    let (groups, next) = (groups(), AtomicUsize::new(0));
    let work = || {
        let mut complaints = Vec::new();
        while let Some((file, group)) = groups.get(next.fetch_add(1, Ordering::Relaxed)) {
            complaints.extend(complaints_of(file, group, &bases[&group.base]));
        }
        complaints
    };
    complaints.extend(std::thread::scope(|scope| {
        let others: Vec<_> = (0..4).map(|_| scope.spawn(work)).collect();
        others.into_iter().flat_map(|other| other.join().unwrap()).collect::<Vec<_>>()
    }));
    assert!(complaints.is_empty(), "{} complaints:\n{}", complaints.len(), complaints.join("\n"));
}

/// Where a check does not find what the cases of a group say.
fn complaints_of(file: &str, group: &Group, base: &Value) -> Vec<String> {
    let mut base = base.clone();
    for (at, value) in &group.with {
        put(&mut base, at, value.clone());
    }
    let mut complaints = Vec::new();
    for (place, case) in group.places.iter().flat_map(|place| group.cases.iter().map(move |case| (place, case))) {
        let (fragment, wrong) = case.split_first().unwrap();
        let (ruleset, at) = with(&base, place, fragment);
        let pointer = |wrong: &Value| match wrong.as_str().unwrap() {
            "" => at.clone(),
            absolute if absolute.starts_with('/') => absolute.to_owned(),
            below => format!("{at}/{below}"),
        };
        let wanted: BTreeSet<_> = wrong.iter().map(pointer).collect();
        let found = told(&ruleset);
        let places: BTreeSet<_> = found.iter().map(|(pointer, _)| pointer.clone()).collect();
        if places != wanted {
            complaints
                .push(format!("{file} {}, {at}: {fragment}\n  wanted {wanted:?}\n  found  {found:?}", group.rules));
        }
    }
    complaints
}

#[test]
fn every_rule_of_the_page_about_a_ruleset_has_a_right_and_a_wrong_case() {
    let page = std::fs::read_to_string(folder().join("../docs/spec/checks.md")).unwrap();
    // Layers and packages have tests of their own.
    let elsewhere = ["N122", "N123", "N124", "N125", "N130", "N131"];
    let named = page.split("<a id=\"n").skip(1).map(|rest| rest.split('"').next().unwrap());
    let named: BTreeSet<String> =
        named.filter(|name| name.parse::<u32>().is_ok()).map(|name| format!("N{name}")).collect();
    let (mut right, mut wrong) = (BTreeSet::new(), BTreeSet::new());
    for (_, group) in groups() {
        let rules: Vec<_> = group.rules.split(' ').map(str::to_owned).collect();
        if group.cases.iter().any(|case| case.len() == 1) {
            right.extend(rules.clone());
        }
        if group.cases.iter().any(|case| case.len() > 1) {
            wrong.extend(rules);
        }
    }
    let missing = |of: &BTreeSet<String>| {
        named
            .iter()
            .filter(|name| !of.contains(*name) && !elsewhere.contains(&name.as_str()))
            .cloned()
            .collect::<Vec<_>>()
    };
    assert_eq!((missing(&right), missing(&wrong)), (vec![], vec![]));
    assert!(named.len() > 90 && right.is_subset(&named) && wrong.is_subset(&named));
}
