//! Every format, with samples that use all there is of it and what reads it.

use rulepack::catalog::{Manifest, read_entry};
use rulepack::contentpack::combat;
use rulepack::package::{Originals, check_pack_against};
use rulepack::publish::{Findings, inspect};
use rulepack::ruleset::{self, Migrator};
use rulepack::store;
use rulepack::types::{Cancel, Problems};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

pub struct Format {
    pub name: &'static str,
    pub samples: fn() -> Vec<Value>,
    pub run: fn(&[u8]),
}

pub const FORMATS: &[Format] = &[
    Format { name: "ruleset", samples: rulesets, run: ruleset },
    Format { name: "catalog-file", samples: || vec![testdata("seed/catalogs/wares.json")], run: catalog_file },
    Format { name: "entry", samples: || vec![testdata("hostile/base/entry.json")], run: entry },
    Format { name: "manifest", samples: manifests, run: manifest },
    Format { name: "pack", samples: || vec![testdata("seed/locales/ru.json")], run: pack },
    Format { name: "registry", samples: registries, run: registry },
    Format { name: "rule", samples: rules, run: rule },
    Format { name: "sheet", samples: sheets, run: sheet },
    Format { name: "layers", samples: rulesets, run: layers },
];

fn testdata(path: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata").join(path);
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

fn value(input: &[u8]) -> Value {
    serde_json::from_slice(input).unwrap()
}

/// What `check` and `catalog verify` do with a ruleset and its catalog files, and what an install does.
fn look_into(ruleset: &[u8], catalogs: &BTreeMap<String, Vec<u8>>) {
    let inspection = inspect(ruleset, catalogs, None, &Cancel::default());
    Findings::new(inspection.problems, 1, 1, false);
    let catalogs = catalogs.iter().map(|(path, bytes)| (path.parse().unwrap(), bytes.clone())).collect();
    let _ = ruleset::essentials(ruleset, &catalogs, Some("1.20".parse().unwrap()));
}

fn rulesets() -> Vec<Value> {
    ["lantern-coast", "iron-quarter"].map(|name| testdata(&format!("rulesets/{name}.json"))).into()
}

fn ruleset(input: &[u8]) {
    look_into(input, &BTreeMap::new());
    if let Ok(ruleset) = rulepack::json::document(input, "x") {
        ruleset::minimum_api(&ruleset, &[]);
        ruleset::against(&ruleset, &ruleset);
    }
}

fn catalog_file(input: &[u8]) {
    let ruleset = testdata("seed/ruleset.json").to_string();
    look_into(ruleset.as_bytes(), &BTreeMap::from([("catalogs/wares.json".to_owned(), input.to_vec())]));
}

fn entry(input: &[u8]) {
    read_entry(std::str::from_utf8(input).unwrap());
}

fn manifest(input: &[u8]) {
    Manifest::read(std::str::from_utf8(input).unwrap());
}

fn pack(input: &[u8]) {
    let (ruleset, wares) = (testdata("seed/ruleset.json"), testdata("seed/catalogs/wares.json"));
    let texts = ruleset::display_texts(&ruleset, &[("catalogs/wares.json".to_owned(), wares)]);
    let originals = Originals::new(texts.iter().map(String::as_str));
    check_pack_against(input, &"ru".parse().unwrap(), Some(&originals));
}

/// A record as the engine keeps it.
fn registries() -> Vec<Value> {
    let record = serde_json::json!({
        "id": "ember-roads", "activeVersion": "1.0.0", "previousVersion": null, "manifest": manifests().remove(0),
        "installedAt": "2026-11-30T00:00:00.000Z", "versions": ["1.0.0"], "more": {"a": []},
    });
    vec![serde_json::json!({"schemaVersion": 1, "packages": [record]})]
}

fn registry(input: &[u8]) {
    let _ = store::fuzzing::registry(input);
}

fn rules() -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/diceframe/combat-ridge/content/rules");
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    files.map(|path| serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()).collect()
}

fn rule(input: &[u8]) {
    combat::check(&value(input), &mut Problems::default());
}

fn sheets() -> Vec<Value> {
    let row = serde_json::json!({"name": "Rope", "worn": false, "weight": 3});
    let build = serde_json::json!({
        "fields": {"class": "Fighter 3", "level": 3}, "abilities": {"grit": 10}, "skills": {"climb": "trained"},
        "saves": {"grit": "trained"}, "lists": {"gear": [row]},
    });
    vec![serde_json::json!({
        "rulesetId": "lantern-coast", "rulesetVersion": 1, "sheetVersion": 1, "build": build, "live": {"pools": {"harm": 3}}
    })]
}

fn sheet(input: &[u8]) {
    let ruleset = testdata("rulesets/lantern-coast.json");
    let _ = Migrator::new(&ruleset).migrate(value(input));
}

/// The ruleset as a game reads it with its first layers on, and with what its migrations make of a sheet.
fn layers(input: &[u8]) {
    let ruleset = value(input);
    let layers = ruleset["layers"].as_array().into_iter().flatten();
    let chosen: Vec<&str> = layers.filter_map(|layer| layer["id"].as_str()).take(12).collect();
    let _ = ruleset::with_layers(&ruleset, &[], &chosen);
    let _ = Migrator::new(&ruleset).migrate(sheets().remove(0));
}

fn manifests() -> Vec<Value> {
    vec![testdata("hostile/base/entry.json")["manifest"].take()]
}
