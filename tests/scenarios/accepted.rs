//! What `catalog verify` accepts installs: of every value of an entry, written otherwise.

use super::kit::envelope::{Action, Answer, PackStatus};
use super::kit::publish::{Catalog, Ruleset};
use super::kit::sandbox::Sandbox;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The pointers of all values in an entry but its id, by which it is asked for.
fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
    let children: Vec<(String, &Value)> = match value {
        Value::Object(object) => object.iter().map(|(key, value)| (key.clone(), value)).collect(),
        Value::Array(array) => array.iter().enumerate().map(|(index, value)| (index.to_string(), value)).collect(),
        _ => Vec::new(),
    };
    for (key, child) in children {
        let pointer = format!("{at}/{key}");
        pointers(child, &pointer, found);
        if pointer != "/manifest/id" {
            found.push(pointer);
        }
    }
}

fn remove(entry: &mut Value, pointer: &str) {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    match entry.pointer_mut(parent).unwrap() {
        Value::Array(array) => drop(array.remove(key.parse().unwrap())),
        Value::Object(object) => drop(object.remove(key)),
        other => panic!("{other}"),
    }
}

/// What a value may read instead; nothing when it is left out.
type Odd = fn(&Value) -> Option<Value>;

const ODD: [(&str, Odd); 8] = [
    ("left out", |_| None),
    ("null", |_| Some(json!(null))),
    ("3", |_| Some(json!(3))),
    ("text", |_| Some(json!("x"))),
    ("list", |_| Some(json!(["x"]))),
    ("empty", |value| Some(if value.is_object() { json!({}) } else { json!("") })),
    ("longer", |value| Some(value.as_str().map_or(json!(true), |text| json!(format!("{text} x"))))),
    ("other", |value| match value {
        Value::Number(number) => Some(json!(number.as_u64()? + 1)),
        Value::Object(object) => Some(object.clone().into_iter().chain([("x".to_owned(), json!(1))]).collect()),
        other => Some(other.clone()),
    }),
];

#[test]
fn an_entry_without_errors_installs_and_one_that_does_not_install_has_some() {
    let mut all = Vec::new();
    let sample = Catalog::on_disk().with(Ruleset::new("a-000", "1.0.0").pack("ru", &[("Grit", "x")]));
    pointers(sample.entry("a-000"), "", &mut all);
    let changes: Vec<(&str, &str, Odd)> =
        all.iter().flat_map(|pointer| ODD.map(|(what, odd)| (pointer.as_str(), what, odd))).collect();

    let ids: Vec<String> = (0..changes.len()).map(|number| format!("a-{number:03}")).collect();
    let catalog = ids
        .iter()
        .fold(Catalog::on_disk(), |catalog, id| catalog.with(Ruleset::new(id, "1.0.0").pack("ru", &[("Grit", "x")])));
    let sandbox = Sandbox::new();
    let folder = sandbox.work().join("catalog");
    catalog.write(&folder);
    let mut document: Value = serde_json::from_slice(&catalog.text()).unwrap();
    for ((pointer, _, odd), entry) in changes.iter().zip(document["packages"].as_array_mut().unwrap()) {
        let value = entry.pointer_mut(pointer).unwrap();
        match odd(value) {
            None => remove(entry, pointer),
            Some(odd) => *value = odd,
        }
    }
    std::fs::write(folder.join("catalog.json"), document.to_string()).unwrap();

    let Some(Answer::Other(verified)) = sandbox.json(&["catalog", "verify", "catalog", "--offline"]).answer else {
        panic!()
    };
    let place = |problem: &Value| {
        let entry = problem["pointer"].as_str()?.strip_prefix("/packages/")?.split('/').next()?;
        ids.get(entry.parse::<usize>().ok()?).cloned()
    };
    let errors = verified["problems"].as_array().unwrap().iter().filter(|problem| problem["severity"] == "error");
    let told: BTreeSet<String> = errors
        .filter_map(|problem| problem["package"].as_str().map(str::to_owned).or_else(|| place(problem)))
        .collect();

    let words = ["install", "--catalog", "catalog", "--language", "ru"].into_iter();
    let installed = sandbox.json(&words.chain(ids.iter().map(String::as_str)).collect::<Vec<_>>());
    let Some(Answer::Changes(installed)) = installed.answer else { panic!("{installed:#?}") };
    let fetched: BTreeSet<&str> = (installed.packages.iter())
        .filter(|change| change.action == Action::Installed)
        .filter(|change| {
            let pack = change.language_pack.as_ref().unwrap();
            matches!(pack.status, PackStatus::Fetched | PackStatus::NotListed)
        })
        .map(|change| change.id.as_str())
        .collect();
    for (id, (pointer, what, _)) in ids.iter().zip(&changes) {
        assert!(told.contains(id) || fetched.contains(id.as_str()), "{pointer} {what}: passes and is not installed");
    }
    assert!(told.len() > 200 && fetched.len() > 20, "{} {}", told.len(), fetched.len());
}
