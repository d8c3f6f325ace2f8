//! The examples of `explain`: what each calls wrong raises its code, and what it calls right raises nothing.

use super::base::{Files, changed};
use rulepack::internals::explain::{self, Base, Edit, Example, Rule};
use rulepack::internals::threads;
use rulepack::types::Severity;
use serde_json::Value;
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

/// What a check finds: severity and code, with all there is to say of it.
type Finding = (Severity, String, String);

/// What the program finds in a folder with these changes, held against one with those of the version before.
fn check(base: Base, old: Option<&[Edit]>, edits: &[Edit]) -> Vec<Finding> {
    let folder = tempfile::tempdir().unwrap();
    let (root, before) = (folder.path().join("base"), folder.path().join("before"));
    write(&root, changed(base, edits));
    let mut against = Vec::new();
    if let Some(old) = old {
        write(&before, changed(base, old));
        against = vec![OsStr::new("--against"), before.as_os_str()];
    }
    let command: &[&str] = match base {
        Base::Sum | Base::Pool => &["check"],
        Base::Catalog => &["catalog", "verify"],
        #[cfg(feature = "diceframe")]
        Base::Harbor => &["audit", "rules", "--path"],
    };
    let output = Command::new(env!("CARGO_BIN_EXE_rulepack"))
        .args(command)
        .arg(&root)
        .args(against)
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

fn write(root: &Path, files: Files) {
    for (path, bytes) in files {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
}

/// What is not as an example says, if anything.
fn complaints(explained: &Rule, Example { base, old, wrong, right }: Example) -> Vec<String> {
    let mut complaints = Vec::new();
    let code = explained.code;
    let told = |found: &[Finding]| found.iter().map(|(.., text)| format!("\n  {text}")).collect::<String>();
    let found = check(base, old, wrong);
    if !found.iter().any(|(_, raised, _)| raised == code) {
        complaints.push(format!("{code}: its wrong example does not raise it, but:{}", told(&found)));
    }
    let mut found = check(base, old, right);
    found.retain(|(severity, raised, _)| *severity == Severity::Error || raised == code);
    if !found.is_empty() {
        complaints.push(format!("{code}: its right example raises:{}", told(&found)));
    }
    complaints
}

#[test]
fn what_an_example_calls_wrong_raises_its_code_and_what_it_calls_right_raises_nothing() {
    let examples: Vec<(&Rule, Example)> =
        explain::all().filter_map(|explained| Some((explained, explained.example?))).collect();
    let complaints = threads::map(&examples, |(explained, example)| complaints(explained, *example)).concat();
    assert!(complaints.is_empty(), "{} complaints:\n{}", complaints.len(), complaints.join("\n"));
}

#[test]
fn the_example_catalog_has_nothing_wrong() {
    let bases = [
        Base::Sum,
        Base::Pool,
        Base::Catalog,
        #[cfg(feature = "diceframe")]
        Base::Harbor,
    ];
    for base in bases {
        let found = check(base, None, &[]);
        assert!(found.iter().all(|(severity, ..)| *severity == Severity::Warning), "{base:?}: {found:#?}");
    }
}
