//! `catalog-example/` holds sources and what is built from them. This builds it all again and compares, byte for byte.
//!
//! After a change to a source, `RULEPACK_BLESS=1 cargo test --test scenarios example` writes the rest anew.

use super::kit::publish::wire::{self, CatalogFile, Manifest, Meta, Pack};
use super::kit::publish::{Container, OFFICIAL, Ruleset};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The catalogs of the example, each with the moment it says it was generated at.
const CATALOGS: &[(&str, &str)] =
    &[("catalog-example", "2026-11-30T00:00:00.000Z"), ("catalog-example/earlier", "2026-09-14T00:00:00.000Z")];

const DOCUMENTATION: &str = "https://github.com/Pasta-Devs/Marinara-Engine/tree/main/docs/examples/rulesets";

/// One ruleset of each kind of artifact.
fn container(id: &str) -> Container {
    match id {
        "ember-roads" => Container::Bundle,
        "gravewatch" => Container::Zip,
        "saltmarsh-post" => Container::Bare,
        _ => panic!("in what kind of artifact is {id} published?"),
    }
}

fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn parse<T: for<'de> serde::Deserialize<'de>>(path: &Path) -> T {
    serde_json::from_slice(&read(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The entries of a folder in order of their names; none where there is no such folder.
fn listed(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn name_of(path: &Path) -> &str {
    path.file_name().unwrap().to_str().unwrap()
}

/// A package folder, as its author keeps it: a manifest (whose files are worked out), the ruleset, its catalogs.
fn ruleset_of(folder: &Path) -> Ruleset {
    let manifest: Manifest = parse(&folder.join("manifest.json"));
    assert!(manifest.more.is_empty(), "{}: keys the format does not know", folder.display());
    assert_eq!(name_of(folder), manifest.id);
    let container = container(&manifest.id);
    let mut ruleset = Ruleset::of(manifest)
        .container(container)
        .documentation(DOCUMENTATION)
        .asset("ruleset.json", read(&folder.join("ruleset.json")));
    for catalog in listed(&folder.join("catalogs")) {
        ruleset = ruleset.asset(&format!("catalogs/{}", name_of(&catalog)), read(&catalog));
    }
    for pack in listed(&folder.join("locales")) {
        let language = name_of(&pack).strip_suffix(".json").expect("a pack is a .json file");
        ruleset = ruleset.pack_bytes(language, read(&pack));
    }
    ruleset
}

/// Everything that is built: path within the catalog's folder to bytes.
fn built(root: &Path, generated_at: &str) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut packages = Vec::new();
    for folder in listed(&root.join("packages")) {
        let ruleset = ruleset_of(&folder);
        let published = ruleset.publish(OFFICIAL);
        files.insert(format!("packages/{}/manifest.json", name_of(&folder)), wire::pretty(&ruleset.manifest()));
        for (name, bytes) in published.files {
            files.insert(format!("artifacts/{name}"), bytes);
        }
        packages.push(published.entry);
    }
    packages.sort_by(|one, other| one.manifest.name.cmp(&other.manifest.name));
    let catalog = CatalogFile { schema_version: 1, generated_at: generated_at.to_owned(), packages };
    files.insert("catalog.json".to_owned(), wire::pretty(&catalog));
    files
}

#[test]
fn the_example_catalog_is_what_its_sources_make() {
    let bless = std::env::var_os("RULEPACK_BLESS").is_some_and(|value| value == "1");
    let mut stale = Vec::new();
    for (folder, generated_at) in CATALOGS {
        let root = repository().join(folder);
        let files = built(&root, generated_at);
        for (name, bytes) in &files {
            let path = root.join(name);
            if std::fs::read(&path).is_ok_and(|kept| kept == *bytes) {
                continue;
            }
            if bless {
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, bytes).unwrap();
            } else {
                stale.push(format!("{folder}/{name} is not what its sources make"));
            }
        }
        for path in listed(&root.join("artifacts")) {
            let name = format!("artifacts/{}", name_of(&path));
            if files.contains_key(&name) {
                continue;
            }
            if bless {
                std::fs::remove_file(path).unwrap();
            } else {
                stale.push(format!("{folder}/{name} belongs to nothing"));
            }
        }
    }
    assert!(stale.is_empty(), "{}\nRULEPACK_BLESS=1 writes them anew", stale.join("\n"));
}

#[test]
fn every_pack_of_the_example_translates_what_its_ruleset_says() {
    for (folder, _) in CATALOGS {
        for package in listed(&repository().join(folder).join("packages")) {
            let mut said = BTreeSet::new();
            display_strings(&parse(&package.join("ruleset.json")), &mut said);
            for catalog in listed(&package.join("catalogs")) {
                display_strings(&parse(&catalog), &mut said);
            }
            for path in listed(&package.join("locales")) {
                let place = path.display();
                let language = name_of(&path).strip_suffix(".json").unwrap();
                let pack: Pack = parse(&path);
                assert_eq!(pack.meta.locale, language, "{place}");
                assert_eq!(pack.meta.direction, Meta::of(language).direction, "{place}");
                assert!(!pack.package.name.is_empty() && !pack.package.description.is_empty(), "{place}");
                for (english, translation) in &pack.ruleset {
                    assert!(said.contains(english), "{place}: the ruleset never says {english:?}");
                    assert!(!translation.trim().is_empty(), "{place}: {english:?} is not translated");
                }
                assert!(pack.ruleset.len() >= 25, "{place} translates {} strings", pack.ruleset.len());
            }
        }
    }
}

/// Every text a ruleset or catalog file may show: all but ids, licences, and what only the Game Master is told.
fn display_strings(value: &Value, into: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => {
            into.insert(text.clone());
        }
        Value::Array(items) => items.iter().for_each(|item| display_strings(item, into)),
        Value::Object(object) => {
            for (key, value) in object {
                if !["id", "gm", "license", "$comment"].contains(&key.as_str()) {
                    display_strings(value, into);
                }
            }
        }
        _ => {}
    }
}

#[test]
fn the_example_has_a_pack_for_a_region_and_one_to_fall_back_on() {
    let languages = |id: &str| -> Vec<String> {
        let packs = listed(&repository().join("catalog-example/packages").join(id).join("locales"));
        packs.iter().map(|path| name_of(path).strip_suffix(".json").unwrap().to_owned()).collect()
    };
    assert_eq!(languages("ember-roads"), ["ar", "de", "ja", "pt-BR", "pt", "ru", "zh-Hans"]);
    assert_eq!(languages("gravewatch"), ["de", "pt", "ru"]);
    assert_eq!(languages("saltmarsh-post"), ["ja", "zh-Hans"]);
}

#[test]
fn no_file_of_the_example_is_larger_than_a_ruleset_may_be() {
    for (folder, generated_at) in CATALOGS {
        for (name, bytes) in built(&repository().join(folder), generated_at) {
            assert!(bytes.len() <= 262_144, "{folder}/{name} has {} bytes", bytes.len());
        }
    }
}
