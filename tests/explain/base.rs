//! What examples are changes to, and how they are made.

use rulepack::internals::explain::{Base, Edit};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The files of a base by path, `/` between their parts, as they are stored.
pub type Files = BTreeMap<String, Vec<u8>>;

pub fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Where the files of a base lie.
fn root(base: Base) -> PathBuf {
    repository().join(match base {
        Base::Sum => "catalog-example/packages/ember-roads",
        Base::Pool => "catalog-example/packages/gravewatch",
        Base::Catalog => "catalog-example",
        #[cfg(feature = "diceframe")]
        Base::Harbor => "testdata/diceframe/packs-harbor",
    })
}

/// A base with these changes made. Hashes and sizes that a manifest or a catalog lists of the files changed are brought
/// in line first, so that an example is wrong in nothing but what it shows; what it says of them itself counts.
pub fn changed(base: Base, edits: &[Edit]) -> Files {
    let root = root(base);
    let mut files = Files::new();
    match base {
        Base::Catalog => {
            read(&root, "catalog.json", &mut files);
            read(&root, "artifacts", &mut files);
        }
        _ => read(&root, "", &mut files),
    }
    let lists = |edit: &&Edit| matches!(edit.file, "manifest.json" | "catalog.json");
    edits.iter().filter(|edit| !lists(edit)).for_each(|change| edit(&mut files, *change));
    match base {
        Base::Sum | Base::Pool => list_files(&mut files),
        Base::Catalog => list_artifacts(&mut files),
        #[cfg(feature = "diceframe")]
        Base::Harbor => {}
    }
    edits.iter().filter(lists).for_each(|change| edit(&mut files, *change));
    files
}

fn read(root: &Path, path: &str, files: &mut Files) {
    let place = root.join(path);
    if place.is_file() {
        files.insert(path.to_owned(), std::fs::read(place).unwrap());
        return;
    }
    for entry in std::fs::read_dir(place).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let path = if path.is_empty() { name } else { format!("{path}/{name}") };
        read(root, &path, files);
    }
}

/// Writes the files of a manifest anew.
fn list_files(files: &mut Files) {
    let mut manifest: Value = serde_json::from_slice(&files["manifest.json"]).unwrap();
    for file in manifest["files"].as_array_mut().unwrap() {
        if let Some(bytes) = files.get(file["path"].as_str().unwrap()) {
            bring_in_line(file, bytes);
        }
    }
    files.insert("manifest.json".to_owned(), manifest.to_string().into_bytes());
}

/// Writes the artifacts and packs of a catalog anew.
fn list_artifacts(files: &mut Files) {
    let mut catalog: Value = serde_json::from_slice(&files["catalog.json"]).unwrap();
    for entry in catalog["packages"].as_array_mut().unwrap() {
        let entry = entry.as_object_mut().unwrap();
        let (artifacts, locales): (Vec<_>, Vec<_>) = entry
            .iter_mut()
            .filter(|(key, _)| ["artifact", "locales"].contains(&key.as_str()))
            .partition(|(key, _)| *key == "artifact");
        let packs = locales.into_iter().flat_map(|(_, packs)| packs.as_object_mut().unwrap().values_mut());
        for listed in artifacts.into_iter().map(|(_, artifact)| artifact).chain(packs) {
            let name = listed["url"].as_str().unwrap().rsplit('/').next().unwrap();
            if let Some(bytes) = files.get(&format!("artifacts/{name}")) {
                bring_in_line(listed, bytes);
            }
        }
    }
    files.insert("catalog.json".to_owned(), catalog.to_string().into_bytes());
}

fn bring_in_line(listed: &mut Value, bytes: &[u8]) {
    listed["sha256"] = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>().into();
    listed["bytes"] = json!(bytes.len());
}

fn edit(files: &mut Files, Edit { file, at, to }: Edit) {
    let place = |what: &str| format!("{file}{at}: {what}");
    let Some((parent, key)) = at.rsplit_once('/') else {
        match to {
            "" => drop(files.remove(file)),
            text => drop(files.insert(file.to_owned(), text.as_bytes().to_vec())),
        }
        return;
    };
    let value: Option<Value> = (!to.is_empty())
        .then(|| serde_json::from_str(to).unwrap_or_else(|error| panic!("{}", place(&error.to_string()))));
    let text = files.get_mut(file).unwrap_or_else(|| panic!("{}", place("no such file")));
    let mut document: Value = serde_json::from_slice(text).unwrap();
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
    *text = document.to_string().into_bytes();
}
