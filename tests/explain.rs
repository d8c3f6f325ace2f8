//! The examples of `explain`: what each calls wrong raises its code, and what it calls right does not.

use rulepack::explain::{self, Base, Edit, Example};
use rulepack::ruleset;
use rulepack::types::{Api, Problem};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// The ruleset and catalog files of a package of the example catalog, by path.
fn package(base: Base) -> BTreeMap<String, Value> {
    let name = match base {
        Base::Sum => "ember-roads",
        Base::Pool => "gravewatch",
        Base::Catalog => panic!("the whole catalog is no package"),
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog-example/packages").join(name);
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(root.join("catalogs")).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("catalogs/{}", path.file_name().unwrap().to_str().unwrap());
        files.insert(name, serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap());
    }
    let ruleset = std::fs::read(root.join("ruleset.json")).unwrap();
    files.insert("ruleset.json".to_owned(), serde_json::from_slice(&ruleset).unwrap());
    files
}

fn edit(files: &mut BTreeMap<String, Value>, Edit { file, at, to }: Edit) {
    let place = |what: &str| format!("{file}{at}: {what}");
    let value: Option<Value> = (!to.is_empty())
        .then(|| serde_json::from_str(to).unwrap_or_else(|error| panic!("{}", place(&error.to_string()))));
    let Some((parent, key)) = at.rsplit_once('/') else {
        match value {
            Some(value) => drop(files.insert(file.to_owned(), value)),
            None => drop(files.remove(file)),
        }
        return;
    };
    let document = files.get_mut(file).unwrap_or_else(|| panic!("{}", place("no such file")));
    let parent = document.pointer_mut(parent).unwrap_or_else(|| panic!("{}", place("no such place")));
    let key = key.replace("~1", "/").replace("~0", "~");
    match (parent, value) {
        (Value::Object(members), Some(value)) => drop(members.insert(key, value)),
        (Value::Object(members), None) => {
            drop(members.remove(&key).unwrap_or_else(|| panic!("{}", place("no such key"))))
        }
        (Value::Array(items), Some(value)) if key == "-" => items.push(value),
        (Value::Array(items), Some(value)) => items[key.parse::<usize>().unwrap()] = value,
        (Value::Array(items), None) => drop(items.remove(key.parse().unwrap())),
        _ => panic!("{}", place("neither an object nor a list")),
    }
}

fn check(base: Base, edits: &[Edit]) -> Vec<Problem> {
    let mut files = package(base);
    edits.iter().for_each(|change| edit(&mut files, *change));
    let ruleset = files.remove("ruleset.json").unwrap();
    let catalogs: Vec<(String, Value)> = files.into_iter().collect();
    ruleset::check(&ruleset, &catalogs, Some(Api { major: 1, minor: 813 }))
}

/// Whether an example is about nothing but a ruleset and its catalog files.
fn is_of_a_ruleset(example: &Example) -> bool {
    let is_part = |edit: &Edit| edit.file == "ruleset.json" || edit.file.starts_with("catalogs/");
    example.base != Base::Catalog && example.wrong.iter().chain(example.right).all(is_part)
}

#[test]
fn what_an_example_calls_wrong_raises_its_code_and_what_it_calls_right_raises_nothing() {
    let mut failures = Vec::new();
    for explained in explain::all() {
        let Some(example) = explained.example.filter(is_of_a_ruleset) else { continue };
        let codes = |edits| check(example.base, edits).iter().map(Problem::reason).collect::<Vec<_>>();
        let (wrong, right) = (codes(example.wrong), codes(example.right));
        let own = format!("{}: ", explained.code);
        if !wrong.iter().any(|reason| reason.starts_with(&own)) {
            failures.push(format!("{}: its wrong example raises {wrong:#?}", explained.code));
        }
        if !right.is_empty() {
            failures.push(format!("{}: its right example raises {right:#?}", explained.code));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn the_example_packages_have_nothing_wrong() {
    for base in [Base::Sum, Base::Pool] {
        let found: Vec<String> = check(base, &[]).iter().map(Problem::reason).collect();
        assert!(found.is_empty(), "{base:?}: {found:#?}");
    }
}
