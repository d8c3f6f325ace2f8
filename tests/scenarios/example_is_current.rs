//! `catalog-example/` holds sources and what `rulepack catalog build` makes of them. This builds it all again and
//! compares, byte for byte.
//!
//! After a change to a source, `RULEPACK_BLESS=1 cargo test --test scenarios example` writes the rest anew.

use super::kit::publish::wire::{Meta, Pack};
use super::kit::sandbox::Sandbox;
use super::kit::tree::{Tree, copy};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The catalogs of the example.
const CATALOGS: &[&str] = &["catalog-example", "catalog-example/earlier"];

/// One ruleset of each kind of artifact, as the example's README says.
const CONTAINERS: [(&str, &str); 2] = [("gravewatch", "zip"), ("saltmarsh-post", "bare")];

fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn parse<T: for<'de> serde::Deserialize<'de>>(path: &Path) -> T {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
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

/// Builds a catalog of the example out of its sources and what only its catalog says, in a folder of its own.
fn build(sandbox: &Sandbox, folder: &str) -> PathBuf {
    let (from, to) = (repository().join(folder), sandbox.work().join(folder));
    copy(&from.join("packages"), &to.join("packages"));
    std::fs::copy(from.join("catalog.json"), to.join("catalog.json")).unwrap();
    let built = sandbox.command(&["catalog", "build"]).arg(&to);
    let there = CONTAINERS.iter().filter(|(id, _)| to.join("packages").join(id).is_dir());
    there.fold(built, |built, (id, kind)| built.arg("--container").arg(format!("{id}={kind}"))).run().expect(0);
    to
}

#[test]
fn the_example_catalog_is_what_its_sources_make() {
    let bless = std::env::var_os("RULEPACK_BLESS").is_some_and(|value| value == "1");
    let sandbox = Sandbox::new();
    let mut stale = Vec::new();
    for folder in CATALOGS {
        let root = repository().join(folder);
        let built = build(&sandbox, folder);
        let tree = Tree::of(&built);
        for name in tree.files() {
            let bytes = std::fs::read(built.join(name)).unwrap();
            let path = root.join(name);
            if std::fs::read(&path).is_ok_and(|kept| kept == bytes) {
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
            if tree.files().contains(&name.as_str()) {
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
    for folder in CATALOGS {
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
    for folder in CATALOGS {
        for path in ["artifacts", "packages"].map(|part| Tree::of(repository().join(folder).join(part))) {
            for (name, bytes) in path.sizes() {
                assert!(bytes <= 262_144, "{folder}/{name} has {bytes} bytes");
            }
        }
    }
}
