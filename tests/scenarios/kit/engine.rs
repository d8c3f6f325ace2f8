//! The engine's side of the store: its registry read as strictly as the engine reads it, and every file it names held
//! against what is declared (docs/spec/catalog.md#manifest, #engine-registry, #updates-and-rollback). Written from the
//! format, not from the program.

use super::sandbox::Sandbox;
use super::sha256;
use super::tree::{Node, Tree};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::BTreeSet;
use std::path::Path;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct RegistryFile {
    schema_version: u64,
    packages: Vec<Box<RawValue>>,
}

/// A record with the engine's keys and no other; one more hides it from the engine.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Record {
    pub id: String,
    pub version: String,
    pub manifest: Manifest,
    pub installed_at: String,
    pub status: String,
    #[serde(deserialize_with = "super::envelope::nullable")]
    pub error: Option<String>,
    #[serde(default = "pending")]
    pub readiness: String,
    #[serde(default)]
    pub readiness_error: Option<String>,
    #[serde(default)]
    pub legacy: bool,
    pub previous_version: Option<String>,
    pub previous_manifest: Option<Manifest>,
}

fn pending() -> String {
    "pending".to_owned()
}

/// The keys of a ruleset's manifest that the engine needs. Keys it does not know are carried as published.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    pub schema_version: u64,
    pub id: String,
    pub name: String,
    pub version: String,
    pub engine: Range,
    pub kind: Vec<String>,
    pub entrypoints: serde_json::Map<String, Value>,
    pub files: Vec<File>,
    pub permissions: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Range {
    pub min: String,
    pub max_exclusive: String,
}

#[derive(Clone, Debug, Deserialize)]
pub struct File {
    pub path: String,
    pub sha256: String,
    pub bytes: u64,
}

/// Reads the store as the engine does and fails on anything it would refuse or find incomplete. Gives the rulesets'
/// records in the order of the file; records of other packages are not judged.
#[track_caller]
pub fn rulesets(sandbox: &Sandbox) -> Vec<Record> {
    let packages = sandbox.packages();
    let path = packages.join("installed.json");
    if !path.exists() {
        return Vec::new();
    }
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text.trim_end(), stringify(&text), "installed.json is pretty-printed with two spaces");
    let file: RegistryFile = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error} in {text}"));
    assert_eq!(file.schema_version, 1);
    let records: Vec<Record> = file.packages.iter().filter(|raw| is_ruleset(raw)).map(|raw| read(raw)).collect();
    let ids: BTreeSet<&str> = records.iter().map(|record| record.id.as_str()).collect();
    assert_eq!(ids.len(), records.len(), "an id twice in {text}");
    for record in &records {
        judge(record);
        complete(sandbox, &record.manifest);
        before(sandbox, record).iter().for_each(|manifest| complete(sandbox, manifest));
    }
    records
}

/// The same, and that nothing lies about which no record names: no version but the active one and the one before, in
/// them nothing undeclared but the one pack of the active version, and no work in progress.
#[track_caller]
pub fn tidy_rulesets(sandbox: &Sandbox) -> Vec<Record> {
    let records = rulesets(sandbox);
    let tree = Tree::of(sandbox.packages());
    for leftover in [".staging-", ".rulepack-intent", ".installed.json-", ".rulepack.json-", ".update-decisions"] {
        assert!(!tree.paths().iter().any(|path| path.starts_with(leftover)), "{leftover} stayed: {tree:?}");
    }
    for record in &records {
        let allowed = declared_of(sandbox, record);
        let below = format!("versions/{}/", record.id);
        let files = tree.files();
        let extra: Vec<&str> = files.into_iter().filter(|path| path.starts_with(&below)).collect();
        let extra: Vec<&str> = extra.into_iter().filter(|path| !allowed.contains(*path)).collect();
        let locales = format!("{below}{}/locales/", record.version);
        assert!(extra.len() <= 1 && extra.iter().all(|path| path.starts_with(&locales)), "undeclared: {extra:?}");
    }
    records
}

/// The paths a record's two versions consist of, relative to the packages folder.
#[track_caller]
pub fn declared_of(sandbox: &Sandbox, record: &Record) -> BTreeSet<String> {
    let mut paths = declared(&record.manifest);
    paths.extend(before(sandbox, record).iter().flat_map(declared));
    paths
}

/// The manifest of the version before: the record's, else the one in its folder, as an older engine left it.
#[track_caller]
fn before(sandbox: &Sandbox, record: &Record) -> Option<Manifest> {
    let version = record.previous_version.as_ref()?;
    let in_folder = || {
        let bytes = std::fs::read(sandbox.version(&record.id, version).join("manifest.json")).unwrap();
        serde_json::from_slice(&bytes).unwrap()
    };
    Some(record.previous_manifest.clone().unwrap_or_else(in_folder))
}

/// The paths of a version, relative to the packages folder.
fn declared(manifest: &Manifest) -> BTreeSet<String> {
    let names = manifest.files.iter().map(|file| file.path.as_str()).chain(["manifest.json"]);
    names.map(|name| format!("versions/{}/{}/{name}", manifest.id, manifest.version)).collect()
}

fn is_ruleset(raw: &RawValue) -> bool {
    let record: Value = serde_json::from_str(raw.get()).unwrap();
    record["manifest"]["kind"].as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "ruleset"))
}

#[track_caller]
fn read(raw: &RawValue) -> Record {
    serde_json::from_str(raw.get()).unwrap_or_else(|error| panic!("the engine would not see {raw}: {error}"))
}

#[track_caller]
fn judge(record: &Record) {
    assert_eq!((&record.id, &record.version), (&record.manifest.id, &record.manifest.version));
    assert_eq!(record.status, "active");
    assert_eq!((record.error.as_deref(), record.readiness_error.as_deref()), (None, None));
    assert_eq!(record.readiness, "ready", "a ruleset has no server part to wait for");
    assert!(is_utc(&record.installed_at), "{}", record.installed_at);
    if let Some(manifest) = &record.previous_manifest {
        assert_eq!(Some(&manifest.version), record.previous_version.as_ref());
        assert_eq!(manifest.id, record.id);
        assert_ne!(manifest.version, record.version);
    }
}

fn is_utc(text: &str) -> bool {
    text.ends_with('Z') && text.parse::<jiff::Timestamp>().is_ok()
}

/// Every declared file is there, a plain file, with its size and hash, and so is the manifest.
#[track_caller]
fn complete(sandbox: &Sandbox, manifest: &Manifest) {
    let root = sandbox.version(&manifest.id, &manifest.version);
    for file in &manifest.files {
        let path = root.join(&file.path);
        assert!(is_plain(&path), "{} is not there, or no plain file", path.display());
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!((bytes.len() as u64, sha256(&bytes)), (file.bytes, file.sha256.clone()), "{}", path.display());
    }
    let stored = std::fs::read(root.join("manifest.json")).unwrap_or_else(|error| panic!("manifest.json: {error}"));
    let stored: Manifest = serde_json::from_slice(&stored).unwrap();
    assert_eq!((&stored.id, &stored.version), (&manifest.id, &manifest.version));
}

fn is_plain(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|about| about.is_file())
}

/// JSON as JavaScript's `JSON.stringify(value, null, 2)` lays it out, the spelling of every value as it was.
pub fn stringify(text: &str) -> String {
    let mut out = String::new();
    let mut depth = 0;
    let line = |out: &mut String, depth: usize| out.push_str(&format!("\n{}", "  ".repeat(depth)));
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '"' => {
                out.push(c);
                while let Some(c) = rest.next() {
                    out.push(c);
                    match c {
                        '\\' => out.extend(rest.next()),
                        '"' => break,
                        _ => {}
                    }
                }
            }
            '{' | '[' => {
                out.push(c);
                while rest.peek().is_some_and(|c| c.is_ascii_whitespace()) {
                    rest.next();
                }
                match rest.peek() {
                    Some('}' | ']') => out.extend(rest.next()),
                    _ => {
                        depth += 1;
                        line(&mut out, depth);
                    }
                }
            }
            '}' | ']' => {
                depth -= 1;
                line(&mut out, depth);
                out.push(c);
            }
            ',' => {
                out.push(c);
                line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            c if c.is_ascii_whitespace() => {}
            c => out.push(c),
        }
    }
    out
}

/// The permission bits of everything below a folder that are not what this umask leaves of an ordinary file or folder.
pub fn odd_modes(tree: &Tree, umask: u32) -> Vec<String> {
    let odd = |path: &&&str| match tree.get(path) {
        Some(Node::Folder { mode }) => *mode != 0o777 & !umask,
        Some(Node::File { mode, .. }) => *mode != 0o666 & !umask,
        _ => false,
    };
    let name = |path: &&str| format!("{path}: {}", tree.get(path).map(ToString::to_string).unwrap_or_default());
    tree.paths().iter().filter(odd).map(name).collect()
}
