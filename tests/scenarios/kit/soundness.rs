//! What must hold of a store at every moment, told from its files alone (docs/spec/commands.md#what-never-breaks).

use super::sandbox::Sandbox;
use super::sha256;
use super::tree::Tree;
use serde_json::Value;
use std::path::Path;

/// The files that carry moments in time, which no two runs write alike.
const RECORDS: &[&str] = &["installed.json", "rulepack.json", "update-decisions-v1.json"];

/// Rule 1: the registry parses, and every version it names is complete, by size and hash of each declared file.
///
/// # Errors
/// What does not hold, in words.
pub fn registry_names_only_whole_versions(packages: &Path) -> Result<(), String> {
    registry_names_only_whole_versions_but(packages, &[])
}

/// The same, but for the active versions of some packages.
///
/// # Errors
/// What does not hold, in words.
pub fn registry_names_only_whole_versions_but(packages: &Path, between: &[&str]) -> Result<(), String> {
    let Ok(bytes) = std::fs::read(packages.join("installed.json")) else { return Ok(()) };
    let registry: Value = serde_json::from_slice(&bytes).map_err(|error| format!("the registry: {error}"))?;
    for record in registry["packages"].as_array().ok_or("the registry has no packages")? {
        let (id, version) = (text(record, "id")?, text(record, "version")?);
        if !between.contains(&id) {
            is_whole(packages, id, version, &record["manifest"])?;
        }
        if let Some(previous) = record.get("previousVersion") {
            is_whole(packages, id, previous.as_str().ok_or("previousVersion")?, &record["previousManifest"])?;
        }
    }
    Ok(())
}

fn text<'a>(value: &'a Value, key: &str) -> Result<&'a str, String> {
    value[key].as_str().ok_or_else(|| format!("no {key} in {value}"))
}

fn is_whole(packages: &Path, id: &str, version: &str, manifest: &Value) -> Result<(), String> {
    let root = packages.join("versions").join(id).join(version);
    if text(manifest, "version")? != version || text(manifest, "id")? != id {
        return Err(format!("{id} {version} has the manifest of another"));
    }
    let stored = std::fs::read(root.join("manifest.json")).map_err(|error| format!("{id} {version}: {error}"))?;
    serde_json::from_slice::<Value>(&stored).map_err(|error| format!("{id} {version}, its manifest: {error}"))?;
    for file in manifest["files"].as_array().ok_or("no files")? {
        let path = text(file, "path")?;
        let bytes = std::fs::read(root.join(path)).map_err(|error| format!("{id} {version}, {path}: {error}"))?;
        if sha256(&bytes) != text(file, "sha256")? {
            return Err(format!("{id} {version}, {path} is not as declared"));
        }
    }
    Ok(())
}

/// The data folder byte for byte, but for the lock file: it says who had the lock last, and it stays.
pub fn disk(sandbox: &Sandbox) -> Tree {
    Tree::of(sandbox.data()).without("capability-packages/.rulepack.lock")
}

/// Everything below `capability-packages/` that means something: its files but for the lock and what is being staged,
/// and the records but for the moments they were written at.
#[derive(Clone, PartialEq)]
pub struct Store {
    pub tree: Tree,
    /// What was imported, beside the engine's folder.
    imports: Tree,
    records: Vec<Value>,
}

impl Store {
    pub fn of(packages: &Path) -> Self {
        let mut tree = Tree::of(packages).without(".rulepack.lock");
        for name in RECORDS {
            tree = tree.without(name);
        }
        let staged: Vec<String> =
            tree.paths().into_iter().filter(|path| path.starts_with(".staging-")).map(str::to_owned).collect();
        for name in staged {
            tree = tree.without(&name);
        }
        let records = RECORDS.iter().map(|name| timeless(&packages.join(name))).collect();
        let imports = Tree::of(packages.with_file_name("rulesets"));
        Store { tree, imports, records }
    }

    /// What the registry, our own record and the record of declined versions say of one package.
    pub fn records_of(&self, id: &str) -> Vec<Value> {
        let [registry, state, decisions] = self.records.as_slice() else { unreachable!("three records") };
        let records = registry["packages"].as_array().into_iter().flatten();
        let record = records.filter(|record| record["id"] == id).cloned().collect();
        vec![record, state["packages"][id].clone(), decisions["declined"][id].clone()]
    }

    /// The language set.
    pub fn language(&self) -> Value {
        self.records[1]["language"].clone()
    }

    /// Fails with what differs unless both are the same.
    #[track_caller]
    pub fn assert_same(&self, other: &Store, when: &str) {
        let files = self.tree.difference(&other.tree) + &self.imports.difference(&other.imports);
        assert!(files.is_empty(), "{when}:\n{files}");
        for ((ours, theirs), name) in self.records.iter().zip(&other.records).zip(RECORDS) {
            assert!(ours == theirs, "{when}, {name}:\n- {ours:#}\n+ {theirs:#}");
        }
    }
}

/// Whether work in progress, or a change begun, lies around.
pub fn leftovers(packages: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(packages) else { return Vec::new() };
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.starts_with(".staging-") || name.starts_with(".rulepack-intent")).collect()
}

fn timeless(path: &Path) -> Value {
    let Ok(bytes) = std::fs::read(path) else { return Value::Null };
    let mut value = serde_json::from_slice(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    forget_moments(&mut value);
    // In which order the records stand tells nothing.
    if let Some(records) = value["packages"].as_array_mut() {
        records.sort_by_key(|record| record["id"].to_string());
    }
    value
}

fn forget_moments(value: &mut Value) {
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                match key.as_str() {
                    "installedAt" | "declinedAt" => *value = Value::Null,
                    _ => forget_moments(value),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(forget_moments),
        _ => {}
    }
}
