//! What the fuzzer starts from: the corpus of hostile inputs, the sound ones they are made of, and what it found
//! before.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/hostile")
}

/// A file of the sound package.
pub fn base(name: &str) -> Vec<u8> {
    fs::read(folder().join("base").join(name)).unwrap()
}

/// A member of the sound entry, or all of it.
pub fn entry(pointer: &str) -> Vec<u8> {
    let entry: Value = serde_json::from_slice(&base("entry.json")).unwrap();
    entry.pointer(pointer).unwrap().to_string().into_bytes()
}

/// Every input of the table's rows of this kind; for `entry` the entries they make.
pub fn rows(kind: &str) -> Vec<Vec<u8>> {
    let rows: Vec<Value> = serde_json::from_slice(&fs::read(folder().join("expected.json")).unwrap()).unwrap();
    rows.iter().filter(|row| row["kind"] == kind).filter_map(input).collect()
}

fn input(row: &Value) -> Option<Vec<u8>> {
    if let Some(file) = row["file"].as_str() {
        return Some(fs::read(folder().join(file)).unwrap());
    }
    if let Some(edit) = row["edit"].as_object() {
        let mut entry: Value = serde_json::from_slice(&base("entry.json")).unwrap();
        for (pointer, value) in edit {
            let (parent, key) = pointer.rsplit_once('/').unwrap();
            match entry.pointer_mut(parent).unwrap() {
                Value::Array(items) => items[key.parse::<usize>().unwrap()] = value.clone(),
                parent => parent[key] = value.clone(),
            }
        }
        return Some(entry.to_string().into_bytes());
    }
    Some(row["text"].as_str()?.as_bytes().to_vec())
}

/// What was found of this parser: the files of `finds/` that bear its name.
pub fn finds(parser: &str) -> Vec<Vec<u8>> {
    let Ok(files) = fs::read_dir(folder().join("finds")) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    paths.sort();
    let is_its = |path: &&PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap();
        name.strip_prefix(parser).is_some_and(|rest| rest.starts_with('-'))
    };
    paths.iter().filter(is_its).map(|path| fs::read(path).unwrap()).collect()
}
