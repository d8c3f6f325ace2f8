//! The examples of `explain`: what each calls wrong raises its code, and what it calls right raises nothing.

use super::base::{Files, changed, write};
use rulepack::catalog::{Reading, read_entry};
use rulepack::contentpack::rules;
use rulepack::explain::{self, Base, Edit, Example, Explanation, Level};
use rulepack::types::{Api, Problem, Severity};
use rulepack::{publish, threads};
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::process::Command;

/// Whether the program has the commands the examples are about, `check` and `catalog verify`.
const HAS_COMMANDS: bool = false;

/// Where the example catalog would be published: the official rules for addresses hold there.
const OFFICIAL: &str = "https://raw.githubusercontent.com/Pasta-Devs/Marinara-Agents/main/catalog/catalog.json";

/// What a check finds: severity and code, with all there is to say of it.
type Finding = (Severity, String, String);

/// What the library finds in a base with these changes. It judges a ruleset with its catalog files, and the entries of a
/// catalog.
fn by_library(base: Base, edits: &[Edit]) -> Vec<Finding> {
    let files = changed(base, edits);
    let problems = match base {
        Base::Sum | Base::Pool => of_package(&files),
        Base::Catalog => of_catalog(&files),
        Base::Harbor => of_dice_frame(files),
    };
    problems.iter().map(|problem| (problem.severity, problem.code.clone(), problem.reason())).collect()
}

fn of_package(files: &Files) -> Vec<Problem> {
    let is_catalog = |(path, _): &(&String, &Vec<u8>)| path.starts_with("catalogs/");
    let catalogs: BTreeMap<String, Vec<u8>> =
        files.iter().filter(is_catalog).map(|(path, bytes)| (path.clone(), bytes.clone())).collect();
    publish::inspect(&files["ruleset.json"], &catalogs, Some(Api { major: 1, minor: 813 })).problems
}

fn of_catalog(files: &Files) -> Vec<Problem> {
    #[derive(serde::Deserialize)]
    struct Envelope<'a> {
        #[serde(borrow)]
        packages: Vec<&'a RawValue>,
    }
    let Envelope { packages } = serde_json::from_slice(&files["catalog.json"]).unwrap();
    let official = OFFICIAL.parse().unwrap();
    let problems = |entry: &&RawValue| match read_entry(entry.get()).published_at(&official) {
        Reading::Ruleset(entry) => entry.notes,
        Reading::OtherKind { .. } => Vec::new(),
        Reading::Unusable { reasons, notes, .. } => [reasons, notes].concat(),
    };
    packages.iter().flat_map(problems).collect()
}

fn of_dice_frame(files: Files) -> Vec<Problem> {
    let folder = tempfile::tempdir().unwrap();
    write(files, folder.path());
    let request = rules::Request { paths: vec![folder.path().to_owned()], ..rules::Request::default() };
    rules::audit(&request).unwrap().0.problems
}

/// Whether the library alone can say what is wrong: it needs no other file for it, and takes no whole one.
fn is_for_the_library(explained: &Explanation, Example { base, wrong, right }: &Example) -> bool {
    let is_part = |edit: &Edit| match base {
        Base::Sum | Base::Pool => edit.file == "ruleset.json" || edit.file.starts_with("catalogs/"),
        Base::Catalog => edit.file == "catalog.json" && explained.severity != Level::Failure,
        Base::Harbor => true,
    };
    wrong.iter().chain(*right).all(|edit| (!edit.at.is_empty() || *base == Base::Harbor) && is_part(edit))
}

/// What the program finds in a folder with these changes.
fn by_program(base: Base, edits: &[Edit]) -> Vec<Finding> {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("base");
    write(changed(base, edits), &root);
    let command: &[&str] = match base {
        Base::Sum | Base::Pool => &["check"],
        Base::Catalog => &["catalog", "verify"],
        Base::Harbor => &["audit", "rules", "--path"],
    };
    let output = Command::new(env!("CARGO_BIN_EXE_rulepack"))
        .args(command)
        .arg(&root)
        .args(["--json", "--offline"])
        .env("RULEPACK_DATA_DIR", folder.path().join("data"))
        .env("RULEPACK_CACHE_DIR", folder.path().join("cache"))
        .env_remove("MARINARA_AGENT_CATALOG_URL")
        .output()
        .unwrap();
    let answer: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{command:?}: {error}: {}", String::from_utf8_lossy(&output.stderr)));
    let problems = answer["result"]["problems"].as_array().unwrap_or_else(|| panic!("{answer:#}"));
    let finding = |problem: &Value| {
        let severity = if problem["severity"] == "error" { Severity::Error } else { Severity::Warning };
        (severity, problem["code"].as_str().unwrap().to_owned(), problem.to_string())
    };
    problems.iter().map(finding).collect()
}

/// What is not as an example says, if anything.
fn complaints(explained: &Explanation, Example { base, wrong, right }: Example, check: Check) -> Vec<String> {
    let mut complaints = Vec::new();
    let code = explained.code;
    let told = |found: &[Finding]| found.iter().map(|(.., text)| format!("\n  {text}")).collect::<String>();
    let found = check(base, wrong);
    if !found.iter().any(|(_, raised, _)| raised == code) {
        complaints.push(format!("{code}: its wrong example does not raise it, but:{}", told(&found)));
    }
    let mut found = check(base, right);
    found.retain(|(severity, raised, _)| *severity == Severity::Error || raised == code);
    if !found.is_empty() {
        complaints.push(format!("{code}: its right example raises:{}", told(&found)));
    }
    complaints
}

type Check = fn(Base, &[Edit]) -> Vec<Finding>;

#[track_caller]
fn every_example_is_true(check: Check, takes: fn(&Explanation, &Example) -> bool) {
    let examples: Vec<(&Explanation, Example)> = explain::all()
        .filter_map(|explained| Some((explained, explained.example.filter(|example| takes(explained, example))?)))
        .collect();
    let complaints = threads::map(&examples, |(explained, example)| complaints(explained, *example, check));
    let complaints = complaints.concat();
    assert!(complaints.is_empty(), "{} complaints:\n{}", complaints.len(), complaints.join("\n"));
}

#[test]
fn the_library_finds_what_the_examples_say() {
    every_example_is_true(by_library, is_for_the_library);
}

#[test]
fn the_program_finds_what_the_examples_say() {
    if HAS_COMMANDS {
        every_example_is_true(by_program, |_, _| true);
    }
}

#[test]
fn the_example_catalog_has_nothing_wrong() {
    for base in [Base::Sum, Base::Pool, Base::Catalog, Base::Harbor] {
        let found = by_library(base, &[]);
        assert!(found.is_empty(), "{base:?}: {found:#?}");
        if HAS_COMMANDS {
            let found = by_program(base, &[]);
            assert!(found.iter().all(|(severity, ..)| *severity == Severity::Warning), "{base:?}: {found:#?}");
        }
    }
}
