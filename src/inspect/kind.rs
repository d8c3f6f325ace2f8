use super::read::MAX_TEXT;
use crate::catalog::{MANIFEST, RULESET};
use crate::json::{Shape, document, outline};
use crate::package::looks_like;
use crate::types::{Pointer, Problem, codes};
use std::path::Path;

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DocumentKind {
    /// A `ruleset.json`, which is also a bare artifact.
    Ruleset,
    CatalogFile,
    Manifest,
    Pack,
    Bundle,
    Zip,
}

/// Tells what a file is by what it holds, else by its name; `head` is all of it, or enough of its beginning.
///
/// # Errors
///
/// The problem `unknown-file` with what it looks like and what was expected.
pub(crate) fn kind_of(name: &Path, head: &[u8]) -> Result<DocumentKind, Box<Problem>> {
    if head.starts_with(b"PK\x03\x04") {
        return Ok(DocumentKind::Zip);
    }
    let keys = outline(head);
    if let Some(kind) = by_keys(&keys).or_else(|| by_name(name)) {
        return Ok(kind);
    }
    let has = |key: &str, shape: Shape| keys.iter().any(|(name, it)| name == key && *it == shape);
    let problem = |message: &str| Problem::new(codes::UNKNOWN_FILE, &Pointer::root(), message);
    Err(Box::new(if has("packages", Shape::List) {
        problem("this is a whole catalog").hint("run `rulepack catalog verify` to check a catalog")
    } else if has("artifact", Shape::Object) {
        problem("this is an entry of a catalog")
            .hint("run `rulepack catalog verify` to check a catalog with its entries")
    } else if let Some(broken) = broken_object(head) {
        Problem { message: format!("cannot recognize this file: {}", broken.message), ..*broken }
    } else {
        let is_object = head.trim_ascii_start().starts_with(b"{");
        let looks = if is_object { "JSON with none of the expected keys" } else { looks_like(head) };
        Problem { pointer: None, ..problem(&format!("cannot recognize this file: it looks like {looks}")) }
            .hint(EXPECTED)
    }))
}

/// What is wrong with an object that is no JSON: its keys could not be made out for that reason.
fn broken_object(head: &[u8]) -> Option<Box<Problem>> {
    let is_whole = head.len() as u64 <= MAX_TEXT;
    document(head, codes::UNKNOWN_FILE).err().filter(|_| is_whole && head.trim_ascii_start().starts_with(b"{"))
}

const EXPECTED: &str = "give a ruleset.json, a catalog file, a language pack, a manifest.json, an artifact (zip or \
                        bundle) or a package folder";

fn by_keys(keys: &[(String, Shape)]) -> Option<DocumentKind> {
    let has = |key: &str, shape: Shape| keys.iter().any(|(name, it)| name == key && *it == shape);
    let is_there = |key: &str| keys.iter().any(|(name, _)| name == key);
    Some(if has("packages", Shape::List) || has("artifact", Shape::Object) {
        return None;
    } else if is_there("_meta") || has("ruleset", Shape::Object) {
        DocumentKind::Pack
    } else if has("manifest", Shape::Object) || has("files", Shape::Object) {
        DocumentKind::Bundle
    } else if has("sheet", Shape::Object) || has("resolution", Shape::Object) || has("coverage", Shape::Object) {
        DocumentKind::Ruleset
    } else if has("entries", Shape::List) {
        DocumentKind::CatalogFile
    } else if has("files", Shape::List) || has("capabilityApi", Shape::Object) || has("engine", Shape::Object) {
        DocumentKind::Manifest
    } else {
        return None;
    })
}

fn by_name(path: &Path) -> Option<DocumentKind> {
    let name = path.file_name()?.to_str()?;
    let folder = path.parent().and_then(Path::file_name).and_then(|folder| folder.to_str()).unwrap_or_default();
    Some(match (folder, name) {
        (_, RULESET) => DocumentKind::Ruleset,
        (_, MANIFEST) => DocumentKind::Manifest,
        (_, name) if name.ends_with(".ruleset.json") => DocumentKind::Bundle,
        ("catalogs", name) if name.ends_with(".json") => DocumentKind::CatalogFile,
        ("locales", name) if name.ends_with(".json") => DocumentKind::Pack,
        (_, name) if name.ends_with(".zip") => DocumentKind::Zip,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(name: &str, head: &str) -> Result<DocumentKind, String> {
        kind_of(Path::new(name), head.as_bytes()).map_err(|problem| problem.message)
    }

    #[test]
    fn content_counts_more_than_the_name() {
        for (name, head, kind) in [
            ("manifest.json", "PK\u{3}\u{4}", DocumentKind::Zip),
            ("x", r#"{"$comment": "…", "sheet": {}, "items": {}}"#, DocumentKind::Ruleset),
            ("ruleset.json", r#"{"schemaVersion": 1, "catalog": "a", "entries": []}"#, DocumentKind::CatalogFile),
            ("ruleset.json", r#"{"$schema": "…", "_meta": {}"#, DocumentKind::Pack),
            ("ru.json", r#"{"package": {}, "ruleset": {}}"#, DocumentKind::Pack),
            ("ruleset.json", r#"{"manifest": {"files": ["#, DocumentKind::Bundle),
            ("a.json", r#"{"files": {"#, DocumentKind::Bundle),
            ("a.json", r#"{"kind": ["ruleset"], "files": ["#, DocumentKind::Manifest),
        ] {
            assert_eq!(told(name, head), Ok(kind), "{head}");
        }
    }

    #[test]
    fn where_content_says_nothing_the_name_does() {
        for (name, kind) in [
            ("a/ruleset.json", DocumentKind::Ruleset),
            ("manifest.json", DocumentKind::Manifest),
            ("catalogs/gear.json", DocumentKind::CatalogFile),
            ("locales/ru.json", DocumentKind::Pack),
            ("a-1.0.0.ruleset.json", DocumentKind::Bundle),
            ("a.zip", DocumentKind::Zip),
        ] {
            for head in ["", "{", "{\"id\": 3}", "[]"] {
                assert_eq!(told(name, head), Ok(kind), "{name}");
            }
        }
    }

    #[test]
    fn what_cannot_be_told_is_named_as_what_it_looks_like() {
        for (head, looks) in [
            ("", "empty"),
            ("<html>", "web page"),
            ("{\"a\": 1}", "none of the expected keys"),
            ("{}", "none of the expected keys"),
            ("{ sheet: {} }", "it is not JSON: expected a key in double quotes"),
            ("{\"schemaVersion\": 1, \"packages\": []}", "whole catalog"),
            ("{\"manifest\": {}, \"artifact\": {}}", "an entry of a catalog"),
        ] {
            let message = told("a.json", head).unwrap_err();
            assert!(message.contains(looks), "{message}");
        }
    }
}
