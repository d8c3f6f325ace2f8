//! An ordinary valid entry, for tests to make wrong in one place.

use super::{Manifest, Reading, read_entry};
use serde_json::{Value, json};

const DIGEST: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

/// An ordinary entry with one language pack and one catalog file, after `edit`.
pub(super) fn entry(edit: impl FnOnce(&mut Value)) -> Value {
    let mut entry = json!({
        "manifest": {
            "schemaVersion": 2,
            "capabilityApi": {"major": 1, "minor": 811},
            "builtAgainst": {"engineVersion": "2.3.0", "engineCommit": "0123456789abcdef0123456789abcdef01234567"},
            "id": "ember-roads",
            "name": "Ember Roads",
            "version": "1.0.0",
            "description": "Two dice and a stat.",
            "localizations": {"de": {"name": "Glutstraßen"}},
            "engine": {"min": "2.3.0", "maxExclusive": "4.0.0"},
            "kind": ["ruleset"],
            "entrypoints": {},
            "contributions": {"assets": {"paths": ["ruleset.json", "catalogs/knacks.json"]}},
            "files": [
                {"path": "ruleset.json", "sha256": DIGEST, "bytes": 31587},
                {"path": "catalogs/knacks.json", "sha256": DIGEST, "bytes": 812},
            ],
            "permissions": [],
            "restartRequired": false,
        },
        "category": "misc",
        "artifact": {
            "url": "https://example.org/files/ember-roads-1.0.0.ruleset.json",
            "sha256": DIGEST,
            "bytes": 40000,
        },
        "iconUrl": "https://example.org/ember-roads.png",
        "documentationUrl": "https://example.org/ember-roads.md",
        "locales": {
            "ru": {
                "url": "https://example.org/files/ember-roads-1.0.0.ru.json",
                "sha256": DIGEST,
                "bytes": 12345,
                "name": "Угольные дороги",
                "description": "Два кубика и характеристика.",
            },
        },
    });
    edit(&mut entry);
    entry
}

/// The ordinary entry's manifest, after `edit`.
pub(super) fn manifest(edit: impl FnOnce(&mut Value)) -> Manifest {
    let entry = entry(|entry| edit(&mut entry["manifest"]));
    Manifest::parse(&entry["manifest"].to_string()).unwrap()
}

/// Why the ordinary entry cannot be used after `edit`: code and place of each reason, nothing when it can.
pub(super) fn reasons(edit: impl FnOnce(&mut Value)) -> Vec<String> {
    match read_entry(&entry(edit).to_string()) {
        Reading::Ruleset(_) => Vec::new(),
        Reading::Unusable { reasons, .. } => reasons.iter().map(place).collect(),
        Reading::OtherKind { kinds, .. } => panic!("read as {kinds:?}"),
    }
}

/// What is noted of the ordinary entry after `edit`, which leaves it usable.
pub(super) fn notes(edit: impl FnOnce(&mut Value)) -> Vec<String> {
    match read_entry(&entry(edit).to_string()) {
        Reading::Ruleset(entry) => entry.notes.iter().map(place).collect(),
        other => panic!("{other:?}"),
    }
}

fn place(problem: &crate::types::Problem) -> String {
    format!("{} {}", problem.code, problem.pointer.as_deref().unwrap_or_default())
}
