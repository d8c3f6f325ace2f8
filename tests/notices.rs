//! `THIRD-PARTY-NOTICES.md`: whose work the program holds, and on what terms. `RULEPACK_BLESS=1 cargo test --test
//! notices` makes it anew out of what cargo knows and of the license files in the crates; every other run holds its
//! names and versions against `Cargo.lock`.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const HEAD: &str = "# Third-party notices

rulepack itself is under MIT or Apache-2.0. The program is made with the crates below, by their authors, on their terms.
Where a crate may be used under MIT or something else, it is used under MIT. A crate under MPL-2.0 is used unchanged, and
its source is at the address beside its name.

Made by `RULEPACK_BLESS=1 cargo test --test notices`; it is not edited by hand.
";

/// What stands before the crates that are in `Cargo.lock` and not in the program.
const REST: &str = "## For tests, building and nothing else\n";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_notices_are_those_of_the_crates_in_the_lock_file() {
    let path = root().join("THIRD-PARTY-NOTICES.md");
    if std::env::var_os("RULEPACK_BLESS").is_some() {
        fs::write(&path, notices(&metadata())).unwrap();
    }
    let text = fs::read_to_string(path).unwrap();
    // What the licenses list is none of it.
    let outside = text.split("```").step_by(2).flat_map(str::lines);
    let names = outside.filter_map(|line| line.strip_prefix("- ")?.split(',').next());
    let listed: BTreeSet<String> = names.map(str::to_owned).collect();
    let difference: Vec<_> = listed.symmetric_difference(&locked()).cloned().collect();
    assert!(difference.is_empty(), "`RULEPACK_BLESS=1 cargo test --test notices` brings it up to date: {difference:?}");
    let own = root().to_string_lossy();
    assert!(!text.contains(&*own) && !text.contains(".cargo/registry"), "the notices hold a path of this machine");
}

/// `name version` of all that `Cargo.lock` names but for this crate.
fn locked() -> BTreeSet<String> {
    let lock = fs::read_to_string(root().join("Cargo.lock")).unwrap();
    let value = |block: &str, key: &str| {
        let line = block.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = \""));
        line.and_then(|line| line.strip_suffix('"')).unwrap_or_default().to_owned()
    };
    let blocks = lock.split("[[package]]").skip(1);
    let named = blocks.map(|block| format!("{} {}", value(block, "name"), value(block, "version")));
    named.filter(|name| !name.starts_with("rulepack ")).collect()
}

/// What cargo knows of the packages, on all systems.
fn metadata() -> Value {
    let mut cargo = Command::new(env!("CARGO"));
    let told = cargo.args(["metadata", "--locked", "--format-version", "1"]).current_dir(root()).output().unwrap();
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    serde_json::from_slice(&told.stdout).unwrap()
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value[key].as_array().map(Vec::as_slice).unwrap_or_default()
}

/// The packages that the program needs at all times, on any system, by id.
fn in_the_program(metadata: &Value) -> BTreeSet<&str> {
    let nodes: BTreeMap<&str, &Value> =
        list(&metadata["resolve"], "nodes").iter().map(|node| (text(node, "id"), node)).collect();
    let is_normal = |dependency: &&Value| list(dependency, "dep_kinds").iter().any(|kind| kind["kind"].is_null());
    let (mut found, mut open) = (BTreeSet::new(), vec![text(&metadata["resolve"], "root")]);
    while let Some(id) = open.pop() {
        if found.insert(id) {
            open.extend(list(nodes[id], "deps").iter().filter(is_normal).map(|dependency| text(dependency, "pkg")));
        }
    }
    found
}

fn notices(metadata: &Value) -> String {
    let shipped = in_the_program(metadata);
    let of_others = list(metadata, "packages").iter().filter(|package| text(package, "name") != "rulepack");
    let named = of_others.map(|package| (format!("{} {}", text(package, "name"), text(package, "version")), package));
    let (inside, rest): (BTreeMap<_, _>, BTreeMap<_, _>) =
        named.partition(|(_, package)| shipped.contains(text(package, "id")));
    let mut out = format!("{HEAD}\n## In the program\n\n");
    let mut texts: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (name, package) in &inside {
        let repository = text(package, "repository");
        writeln!(
            out,
            "- {name}, {}{}{repository}",
            text(package, "license"),
            if repository.is_empty() { "" } else { ", " }
        )
        .unwrap();
        let licenses = licenses(package);
        if licenses.is_empty() {
            writeln!(out, "  (it comes without a license text)").unwrap();
        }
        for license in licenses {
            texts.entry(license).or_default().push(name);
        }
    }
    let mut texts: Vec<_> = texts.into_iter().map(|(license, users)| (users, license)).collect();
    texts.sort();
    for (users, license) in texts {
        writeln!(out, "\n## {}\n\n```text\n{license}\n```", users.join(", ")).unwrap();
    }
    write!(out, "\n{REST}\n").unwrap();
    for (name, package) in rest {
        writeln!(out, "- {name}, {}", text(package, "license")).unwrap();
    }
    out
}

/// The texts of a package's licenses: of MIT alone where that is one to choose.
fn licenses(package: &Value) -> Vec<String> {
    let folder = Path::new(text(package, "manifest_path")).parent().unwrap();
    let is_of_license = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        ["LICENSE", "LICENCE", "COPYING", "UNLICENSE", "NOTICE", "COPYRIGHT"]
            .iter()
            .any(|begin| name.starts_with(begin))
            && path.is_file()
    };
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries.filter(is_of_license).collect();
    files.sort();
    let expression = text(package, "license").replace('/', " OR ");
    let may_be_mit = !expression.contains(" AND ") && expression.split(" OR ").any(|one| one.trim() == "MIT");
    let is_mit = |path: &PathBuf| {
        path.to_string_lossy().to_uppercase().ends_with("MIT") || path.to_string_lossy().ends_with("MIT.txt")
    };
    if may_be_mit && files.iter().any(is_mit) {
        files.retain(is_mit);
    }
    let read = |path: &PathBuf| {
        let text = String::from_utf8_lossy(&fs::read(path).unwrap()).replace('\t', "    ").replace("```", "'''");
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        lines.join("\n").trim_matches('\n').to_owned()
    };
    files.iter().map(read).filter(|text| !text.is_empty()).collect()
}
