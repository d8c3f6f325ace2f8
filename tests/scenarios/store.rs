//! What is on disk, file by file: the engine's registry and what in it is not ours (docs/spec/commands.md#the-store,
//! docs/spec/catalog.md#version-order, #engine-registry, #updates-and-rollback).

use super::kit::engine;
use super::kit::envelope::{Action, State};
use super::kit::publish::{Catalog, Container, Ruleset};
use super::kit::sandbox::Sandbox;
use super::kit::server::Server;
use super::kit::shop::{Shop, rows};
use super::kit::tree::Tree;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;

const DEMO: &str = "demo";

fn demo(version: &str) -> Ruleset {
    Ruleset::new(DEMO, version).pack("ru", &[("Grit", "Стойкость")])
}

fn shop() -> Shop {
    Shop::selling([demo("1.0.0")])
}

fn registry_path(shop: &Shop) -> PathBuf {
    shop.sandbox.packages().join("installed.json")
}

/// Puts a registry there that the engine, or somebody else, wrote.
fn write_registry(shop: &Shop, text: &str) {
    fs::create_dir_all(shop.sandbox.packages()).unwrap();
    fs::write(registry_path(shop), text).unwrap();
}

/// The records as texts without insignificant space, so that every spelling counts.
fn raw_records(shop: &Shop) -> Vec<String> {
    #[derive(serde::Deserialize)]
    struct File {
        packages: Vec<Box<RawValue>>,
    }
    let file: File = serde_json::from_slice(&fs::read(registry_path(shop)).unwrap()).unwrap();
    file.packages.iter().map(|raw| compact(raw.get())).collect()
}

fn compact(json: &str) -> String {
    let lines = engine::stringify(json);
    lines.lines().map(str::trim_start).collect::<String>().replace("\": ", "\":")
}

/// Everything a ruleset goes through.
const LIFE: &[&[&str]] = &[
    &["install", DEMO],
    &["language", "ru"],
    &["hold", DEMO],
    &["unhold", DEMO],
    &["install", "--force", DEMO],
    &["sync"],
    &["update"],
    &["rollback", DEMO],
    &["update", DEMO],
    &["language", "auto"],
    &["doctor", "--repair"],
    &["uninstall", DEMO],
];

/// Leads `demo` through its whole life, with a new version before the update; after every step `look` is called with
/// what was done.
fn live(shop: &mut Shop, mut look: impl FnMut(&Shop, &[&str])) {
    for step in LIFE {
        if *step == ["update"] {
            shop.publish(demo("1.1.0"));
        }
        let answer = shop.sandbox.json(step);
        assert!(answer.error.is_none(), "{step:?}: {answer:#?}");
        look(shop, step);
    }
}

// ---- the registry

#[test]
fn after_every_step_the_engine_finds_all_it_needs_and_nothing_lies_about() {
    let mut shop = shop();
    live(&mut shop, |shop, step| {
        let seen = shop.engine_sees();
        let versions: Vec<&str> = seen.iter().map(|record| record.version.as_str()).collect();
        let expected: &[&str] = match step {
            ["uninstall", ..] => &[],
            ["rollback", ..] => &["1.0.0"],
            _ if LIFE.iter().position(|known| known == &step) < Some(6) => &["1.0.0"],
            _ => &["1.1.0"],
        };
        assert_eq!(versions, expected, "{step:?}");
        let doctor = shop.done(&["doctor"]);
        assert_eq!((doctor.doctor().problems.len(), doctor.warnings.len()), (0, 0), "{step:?} {doctor:#?}");
    });
}

#[test]
fn the_registry_of_a_first_install_is_exactly_what_the_engine_would_have_written() {
    let shop = shop();
    shop.done(&["install", DEMO]);
    let record = shop.record(DEMO);
    let manifest = serde_json::to_value(demo("1.0.0").manifest()).unwrap();
    let expected = json!({
        "schemaVersion": 1,
        "packages": [{
            "id": DEMO,
            "version": "1.0.0",
            "manifest": manifest,
            "installedAt": record.installed_at,
            "status": "active",
            "error": null,
            "readiness": "ready",
            "readinessError": null,
            "legacy": false
        }]
    });
    assert_eq!(shop.sandbox.registry(), expected);
    let text = fs::read_to_string(registry_path(&shop)).unwrap();
    assert!(
        text.starts_with("{\n  \"schemaVersion\": 1,\n  \"packages\": [\n    {\n      \"id\": \"demo\",\n"),
        "{text}"
    );
}

#[test]
fn the_manifest_is_carried_as_published_with_keys_nobody_knows() {
    for container in [Container::Zip, Container::Bundle, Container::Bare] {
        let ruleset = demo("1.0.0")
            .container(container)
            .manifest_key("houseRules", json!({ "b": [1, 2.5], "a": null }))
            .manifest_key("preview", json!(true));
        let shop = Shop::selling([ruleset]);
        shop.done(&["install", DEMO]);
        let published = &shop.catalog.entry(DEMO)["manifest"];
        assert_eq!(shop.sandbox.registry()["packages"][0]["manifest"], *published, "{container:?}");
    }
}

#[test]
fn the_spelling_of_a_published_manifest_is_kept() {
    // A bare artifact holds no manifest of its own, so none can disagree.
    let shop = Shop::selling([demo("1.0.0").container(Container::Bare)]);
    let plain = "\"name\": \"Demo\"";
    let odd = "\"weight\": 1.50e1, \"big\": 12345678901234567890123, \"name\": \"D\\u0065mo\"";
    let catalog = String::from_utf8(shop.catalog.text()).unwrap();
    fs::write(shop.sandbox.root().join("catalog/catalog.json"), catalog.replace(plain, odd)).unwrap();
    shop.done(&["install", DEMO]);
    let [record] = raw_records(&shop).try_into().unwrap();
    let stored = fs::read_to_string(shop.sandbox.version(DEMO, "1.0.0").join("manifest.json")).unwrap();
    for spelled in ["1.50e1", "12345678901234567890123", "D\\u0065mo"] {
        assert!(record.contains(spelled) && stored.contains(spelled), "{spelled} in {record} and {stored}");
    }
    assert_eq!(shop.done(&["list"]).list().packages[0].name.as_deref(), Some("Demo"));
    assert_eq!(rows(&shop.done(&["install", DEMO])), [(DEMO, Action::Unchanged, Some("1.0.0"), None)]);
}

#[test]
fn the_stored_manifest_is_the_zips_bytes_or_else_the_entrys() {
    let published = |container| Shop::selling([demo("1.0.0").container(container)]);
    let stored = |shop: &Shop| fs::read(shop.sandbox.version(DEMO, "1.0.0").join("manifest.json")).unwrap();
    let zip = published(Container::Zip);
    zip.done(&["install", DEMO]);
    let written = serde_json::to_value(demo("1.0.0").manifest()).unwrap();
    assert_eq!(stored(&zip), super::kit::publish::wire::pretty(&written));
    for container in [Container::Bundle, Container::Bare] {
        let shop = published(container);
        shop.done(&["install", DEMO]);
        let value: Value = serde_json::from_slice(&stored(&shop)).unwrap();
        assert_eq!(value, shop.catalog.entry(DEMO)["manifest"], "{container:?}");
    }
}

// ---- what is not ours

/// Records that are none of rulepack's business, spelled as no tool of ours would spell them.
const OTHERS: [&str; 7] = [
    r#"{"id":"lone","text":"\ud800","manifest":{"kind":["maps"]}}"#,
    r#"{"id":"chess","version":"2.0.0","future":{"x":1.10,"y":1E400},"manifest":{"kind":["turn-game"],"id":"chess"}}"#,
    r#""rubbish""#,
    r#"{"id":"demo2","version":"not a version","manifest":{"kind":["ruleset"]},"n":-0.0}"#,
    r#"{"version":"1.0.0","id":7}"#,
    r#"{"id":"agent-x","a":{},"b":[],"c":"ä\u00e4\/","manifest":null,"big":123456789012345678901234567890}"#,
    r#"null"#,
];

fn others_registry() -> String {
    format!("{{\"packages\":[{}],\"schemaVersion\":1}}", OTHERS.join(","))
}

#[test]
fn records_of_others_survive_everything_byte_for_byte_and_in_order() {
    let mut shop = shop();
    write_registry(&shop, &others_registry());
    live(&mut shop, |shop, step| {
        let records = raw_records(shop);
        assert_eq!(records[..OTHERS.len()], OTHERS, "{step:?}");
        let ours = if step[0] == "uninstall" { 0 } else { 1 };
        assert_eq!(records.len(), OTHERS.len() + ours, "{step:?}");
        let text = fs::read_to_string(registry_path(shop)).unwrap();
        assert_eq!(text.trim_end(), engine::stringify(&text), "{step:?}");
    });
}

#[test]
fn keys_at_the_top_of_the_registry_survive() {
    let shop = shop();
    write_registry(&shop, r#"{"later":{"n":1.10},"packages":[],"schemaVersion":1,"also":[true]}"#);
    shop.sandbox.json(&["install", DEMO]);
    let text = fs::read_to_string(registry_path(&shop)).unwrap();
    let compacted = compact(&text);
    assert!(compacted.contains(r#""later":{"n":1.10}"#) && compacted.contains(r#""also":[true]"#), "{text}");
    assert_eq!(shop.sandbox.json(&["list"]).list().packages.len(), 1);
}

#[test]
fn an_installed_or_changed_record_goes_last() {
    let mut shop = Shop::selling([demo("1.0.0"), Ruleset::new("other", "1.0.0"), Ruleset::new("third", "1.0.0")]);
    let ids = |shop: &Shop| shop.engine_sees().into_iter().map(|record| record.id).collect::<Vec<_>>();
    shop.done(&["install", DEMO, "other", "third"]);
    assert_eq!(ids(&shop), [DEMO, "other", "third"]);
    shop.publish(demo("1.1.0"));
    shop.done(&["update"]);
    assert_eq!(ids(&shop), ["other", "third", DEMO]);
    shop.done(&["install", "--force", "other"]);
    assert_eq!(ids(&shop), ["third", DEMO, "other"]);
    shop.done(&["rollback", DEMO]);
    assert_eq!(ids(&shop), ["third", "other", DEMO]);
    // A pack is no business of the registry.
    let before = fs::read(registry_path(&shop)).unwrap();
    shop.done(&["language", "ru"]);
    assert_eq!(fs::read(registry_path(&shop)).unwrap(), before);
}

/// What the engine's record of a `demo` of these kinds says, as far as it matters here.
fn of_kind(kinds: &[&str]) -> Value {
    json!({
        "id": DEMO, "version": "1.0.0", "installedAt": "2026-01-01T00:00:00.000Z", "status": "active",
        "manifest": { "id": DEMO, "kind": kinds, "version": "1.0.0", "name": "Demo" }
    })
}

#[test]
fn a_package_of_another_kind_is_never_touched_not_even_by_uninstall() {
    // One that is a ruleset among other things carries code as well.
    [&["agent"][..], &["ruleset", "agent"], &["turn-game", "ruleset"]].into_iter().for_each(leave_alone);
}

fn leave_alone(kinds: &[&str]) {
    let mut shop = shop();
    write_registry(&shop, &json!({ "schemaVersion": 1, "packages": [of_kind(kinds)] }).to_string());
    let folder = shop.sandbox.version(DEMO, "1.0.0");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("agents.json"), "[]").unwrap();
    assert_eq!(shop.sandbox.json(&["list"]).list().packages.len(), 0);
    for command in ["uninstall", "update", "rollback", "hold", "path"] {
        let answer = shop.refused(&[command, DEMO], "not-installed");
        assert!(answer.error.unwrap().message.contains("not a ruleset"), "{command}");
    }
    for args in [&["install", DEMO][..], &["install", "--force", DEMO]] {
        shop.refused(args, "not-a-ruleset");
    }
    shop.publish(demo("2.0.0"));
    shop.refused(&["install", DEMO], "not-a-ruleset");
    let before = shop.everything();
    for args in [&["update"][..], &["outdated"], &["sync"], &["doctor"], &["doctor", "--repair"]] {
        assert!(shop.sandbox.json(args).error.is_none(), "{args:?}");
        before.assert_same(&shop.everything());
    }
}

#[test]
fn a_rulesets_record_that_cannot_be_read_is_told_of_and_left_alone() {
    let ruleset = |keys: Value| {
        let mut record = json!({
            "id": DEMO, "version": "1.0.0", "installedAt": "2026-01-01T00:00:00.000Z", "status": "active",
            "error": null, "manifest": { "kind": ["ruleset"], "id": DEMO, "version": "1.0.0" }
        });
        record.as_object_mut().unwrap().extend(keys.as_object().unwrap().clone());
        record
    };
    let unreadable = [
        json!({ "version": "../../../etc" }),
        json!({ "version": 1 }),
        json!({ "installedAt": null }),
        json!({ "previousVersion": "one" }),
    ];
    for wrong in unreadable {
        let shop = shop();
        let registry = json!({ "schemaVersion": 1, "packages": [ruleset(wrong.clone())] });
        write_registry(&shop, &registry.to_string());
        let list = shop.sandbox.json(&["list"]);
        assert_eq!(list.list().packages.len(), 0, "{wrong}");
        assert_eq!(list.warning_codes(), ["unreadable-record"], "{wrong}");
        assert_eq!(list.warnings[0].package.as_deref(), Some(DEMO));
        for args in [&["install", DEMO][..], &["uninstall", DEMO], &["update", DEMO], &["rollback", DEMO]] {
            shop.refused(args, "damaged-store");
        }
        let before = shop.everything();
        assert_eq!(shop.sandbox.json(&["update"]).exit, 0);
        before.assert_same(&shop.everything());
    }
}

#[test]
fn declined_versions_of_others_are_kept_and_ours_come_and_go() {
    let mut shop = shop();
    let path = shop.sandbox.packages().join("update-decisions-v1.json");
    fs::create_dir_all(shop.sandbox.packages()).unwrap();
    let chess = json!({ "version": "2.0.0", "declinedAt": "2026-01-01T00:00:00.000Z", "why": { "later": 1.5 } });
    let decisions = json!({ "schemaVersion": 1, "declined": { "chess": chess }, "more": ["kept"] });
    fs::write(&path, decisions.to_string()).unwrap();
    let read = || serde_json::from_slice::<Value>(&fs::read(&path).unwrap()).unwrap();
    live(&mut shop, |_, step| {
        let now = read();
        let ours = if step[0] == "rollback" { json!("1.1.0") } else { Value::Null };
        assert_eq!(now["declined"][DEMO]["version"], ours, "{step:?}");
        let mut rest = now.clone();
        rest["declined"].as_object_mut().unwrap().remove(DEMO);
        assert_eq!(rest, decisions, "{step:?}");
        if step[0] == "rollback" {
            let at = now["declined"][DEMO]["declinedAt"].as_str().unwrap();
            assert!(at.ends_with('Z') && at.parse::<jiff::Timestamp>().is_ok(), "{at}");
        }
    });
}

#[test]
fn a_malformed_record_of_decisions_counts_as_empty() {
    let newer = r#"{"schemaVersion":2,"declined":{"demo":{"version":"1.1.0"}}}"#;
    for malformed in ["", "{", "[]", "null", newer, "\0\0"] {
        let mut shop = shop();
        shop.done(&["install", DEMO]);
        let path = shop.sandbox.packages().join("update-decisions-v1.json");
        fs::write(&path, malformed).unwrap();
        shop.publish(demo("1.1.0"));
        assert_eq!(rows(&shop.done(&["update"]))[0].1, Action::Updated, "{malformed:?}");
        shop.done(&["rollback", DEMO]);
        let now = fs::read(&path).unwrap();
        if malformed == newer {
            assert_eq!(now, newer.as_bytes(), "what a newer engine wrote is left alone");
            continue;
        }
        let now: Value = serde_json::from_slice(&now).unwrap();
        assert_eq!((&now["schemaVersion"], &now["declined"][DEMO]["version"]), (&json!(1), &json!("1.1.0")));
    }
}

#[test]
fn what_else_the_engine_keeps_there_is_left_alone() {
    let mut shop = shop();
    let packages = shop.sandbox.packages();
    for folder in [".install-chess-1700000000000/files", "versions/chess/2.0.0", "versions/chess/1.0.0", "saves"] {
        fs::create_dir_all(packages.join(folder)).unwrap();
        fs::write(packages.join(folder).join("a.json"), "{}").unwrap();
    }
    for marker in ["ruleset-migration-v1.json", "chess-correction-v1.json", "staging-notes.txt", ".hidden"] {
        fs::write(packages.join(marker), "{}").unwrap();
    }
    fs::create_dir_all(shop.sandbox.data().join("chats")).unwrap();
    fs::write(shop.sandbox.data().join("chats/one.json"), "{}").unwrap();
    let before = Tree::of(shop.sandbox.data());
    live(&mut shop, |shop, step| {
        let after = Tree::of(shop.sandbox.data());
        for path in before.paths() {
            assert_eq!(before.get(path), after.get(path), "{path} after {step:?}");
        }
    });
}

#[test]
fn a_version_is_not_its_own_past() {
    let shop = installed_by_the_engine(&["0.9.0", "1.0.0"]);
    let mut registry = shop.sandbox.registry();
    registry["packages"][0]["previousVersion"] = json!("1.0.0");
    registry["packages"][0]["previousManifest"] = registry["packages"][0]["manifest"].clone();
    write_registry(&shop, &registry.to_string());
    assert_eq!(shop.sandbox.json(&["list"]).list().packages[0].previous_version, None);
    shop.refused(&["rollback", DEMO], "no-previous-version");
}

#[test]
fn any_spelling_of_the_registrys_version_the_engine_reads_is_read() {
    for (spelled, code) in
        [("1.0", None), ("1e0", None), ("2", Some("damaged-store")), ("\"1\"", Some("damaged-store"))]
    {
        let shop = shop();
        write_registry(&shop, &format!(r#"{{"schemaVersion":{spelled},"packages":[]}}"#));
        let answer = shop.sandbox.json(&["install", DEMO]);
        assert_eq!(answer.error.as_ref().map(|error| error.code.as_str()), code, "{spelled}");
    }
}

// ---- what the engine itself installed

/// `demo` as the engine installs it: record and folders, no `rulepack.json`. Each version left keeps its folder.
fn installed_by_the_engine(versions: &[&str]) -> Shop {
    let shop = Shop::selling([demo(versions[versions.len() - 1])]);
    for version in versions {
        let folder = shop.sandbox.version(DEMO, version);
        fs::create_dir_all(&folder).unwrap();
        let published = Shop::selling([demo(version)]);
        published.done(&["install", DEMO]);
        for file in ["manifest.json", "ruleset.json"] {
            fs::copy(published.sandbox.version(DEMO, version).join(file), folder.join(file)).unwrap();
        }
    }
    let manifest = |version: &str| serde_json::to_value(demo(version).manifest()).unwrap();
    let mut record = json!({
        "id": DEMO, "version": versions[versions.len() - 1], "manifest": manifest(versions[versions.len() - 1]),
        "installedAt": "2026-01-01T00:00:00.000Z", "status": "active", "error": null, "readiness": "ready",
        "readinessError": null, "legacy": true
    });
    if let [.., previous, _] = versions {
        record["previousVersion"] = json!(previous);
        record["previousManifest"] = manifest(previous);
    }
    let registry = json!({ "schemaVersion": 1, "packages": [record] });
    write_registry(&shop, &engine::stringify(&registry.to_string()));
    shop
}

#[test]
fn what_the_engine_installed_is_listed_as_if_rulepack_had() {
    let shop = installed_by_the_engine(&["0.9.0", "1.0.0"]);
    let before = shop.everything();
    let list = shop.done(&["list"]);
    let [package] = list.list().packages.as_slice() else { panic!("{list:#?}") };
    assert_eq!((package.version.as_str(), package.state), ("1.0.0", State::Ok));
    assert_eq!(package.previous_version.as_deref(), Some("0.9.0"));
    assert_eq!(package.installed_at.as_deref(), Some("2026-01-01T00:00:00.000Z"));
    assert_eq!(shop.done(&["path", DEMO]).path().version, "1.0.0");
    assert_eq!(shop.done(&["outdated"]).outdated().packages.len(), 0);
    assert_eq!(rows(&shop.done(&["install", DEMO])), [(DEMO, Action::Unchanged, Some("1.0.0"), Some("0.9.0"))]);
    before.assert_same(&shop.everything());
}

#[test]
fn what_the_engine_installed_is_updated_rolled_back_and_given_its_pack() {
    let mut shop = installed_by_the_engine(&["0.9.0", "1.0.0"]);
    let pack = shop.command(&["sync", "--language", "ru"]).json();
    assert_eq!(pack.exit, 0);
    assert!(shop.sandbox.version(DEMO, "1.0.0").join("locales/ru.json").is_file());
    assert_eq!(rows(&shop.done(&["rollback", DEMO])), [(DEMO, Action::RolledBack, Some("0.9.0"), Some("1.0.0"))]);
    let record = shop.record(DEMO);
    assert!(record.legacy, "what the engine noted of it stays");
    assert_eq!(record.installed_at, "2026-01-01T00:00:00.000Z");
    shop.publish(demo("1.1.0"));
    assert_eq!(rows(&shop.done(&["update"])), [(DEMO, Action::Updated, Some("1.1.0"), Some("0.9.0"))]);
    assert!(!shop.sandbox.version(DEMO, "1.0.0").exists());
    let mut republished = installed_by_the_engine(&["1.0.0"]);
    republished.publish(demo("1.0.0").ruleset_value("/edition", json!("Corrected")));
    assert_eq!(rows(&republished.done(&["update"])), [(DEMO, Action::Reinstalled, Some("1.0.0"), None)]);
}

#[test]
fn the_versions_an_engine_left_behind_go_with_an_update_or_with_the_ruleset() {
    let history = ["0.7.0", "0.8.0", "0.9.0", "1.0.0"];
    let mut shop = installed_by_the_engine(&history);
    shop.publish(demo("1.1.0"));
    shop.done(&["update"]);
    let folders = fs::read_dir(shop.sandbox.packages().join("versions/demo")).unwrap();
    let mut folders: Vec<_> = folders.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    folders.sort();
    assert_eq!(folders, ["1.0.0", "1.1.0"]);
    let shop = installed_by_the_engine(&history);
    assert!(shop.done(&["uninstall", DEMO]).warnings.is_empty());
    assert_eq!(Tree::of(shop.sandbox.packages().join("versions")).paths(), [""; 0]);
}

#[test]
fn a_copy_somebody_made_of_a_version_stays_and_is_named() {
    let mut shop = installed_by_the_engine(&["0.9.0", "1.0.0"]);
    let copy = shop.sandbox.version(DEMO, "0.9.0-mine");
    fs::create_dir(&copy).unwrap();
    for file in ["manifest.json", "ruleset.json"] {
        fs::copy(shop.sandbox.version(DEMO, "0.9.0").join(file), copy.join(file)).unwrap();
    }
    let before = Tree::of(&copy);
    shop.publish(demo("1.1.0"));
    assert!(shop.sandbox.json(&["update"]).warnings.is_empty());
    before.assert_same(&Tree::of(&copy));
    let answer = shop.sandbox.json(&["uninstall", DEMO]);
    assert_eq!(answer.warning_codes(), ["files-kept"]);
    assert!(answer.warnings[0].message.contains("0.9.0-mine"), "{answer:#?}");
    before.assert_same(&Tree::of(&copy));
}

#[test]
fn a_record_that_carries_another_versions_manifest_is_damaged_and_mended_by_install() {
    let shop = shop();
    shop.done(&["install", DEMO]);
    let mut registry = shop.sandbox.registry();
    registry["packages"][0]["manifest"]["version"] = json!("0.9.0");
    write_registry(&shop, &registry.to_string());
    assert_eq!(shop.sandbox.json(&["list"]).list().packages[0].state, State::Damaged);
    assert_eq!(rows(&shop.done(&["install", DEMO])), [(DEMO, Action::Reinstalled, Some("1.0.0"), None)]);
    assert_eq!(shop.done(&["list"]).list().packages[0].state, State::Ok);
}

#[test]
fn what_is_wrong_with_a_record_is_not_carried_on_into_the_next() {
    for wrong in [json!("0.9.0"), json!(null), json!({})] {
        let mut shop = shop();
        shop.done(&["install", DEMO]);
        let mut registry = shop.sandbox.registry();
        registry["packages"][0]["manifest"]["version"] = wrong;
        write_registry(&shop, &registry.to_string());
        shop.publish(demo("1.1.0"));
        assert_eq!(rows(&shop.done(&["update"])), [(DEMO, Action::Updated, Some("1.1.0"), Some("1.0.0"))]);
        assert!(shop.record(DEMO).previous_manifest.is_none());
        shop.done(&["rollback", DEMO]);
        assert_eq!(shop.record(DEMO).manifest.version, "1.0.0");
    }
}

#[test]
fn a_manifest_keeps_its_spelling_as_the_one_before_and_back() {
    let mut shop = Shop::selling([demo("1.0.0").manifest_key("z", json!({ "b": 1, "a": [] }))]);
    let manifest = |shop: &Shop, key: &str| {
        let [record] = raw_records(shop).try_into().unwrap();
        let values: std::collections::HashMap<String, Box<RawValue>> = serde_json::from_str(&record).unwrap();
        values[key].get().to_owned()
    };
    shop.done(&["install", DEMO]);
    let published = manifest(&shop, "manifest");
    shop.publish(demo("1.1.0"));
    shop.done(&["update"]);
    assert_eq!(manifest(&shop, "previousManifest"), published);
    shop.done(&["rollback", DEMO]);
    assert_eq!(manifest(&shop, "manifest"), published);
}

#[test]
fn a_ruleset_the_engine_removed_is_simply_not_there_and_can_come_back() {
    let shop = shop();
    shop.done(&["install", DEMO]);
    shop.done(&["hold", DEMO]);
    write_registry(&shop, "{\n  \"schemaVersion\": 1,\n  \"packages\": []\n}");
    fs::remove_dir_all(shop.sandbox.packages().join("versions").join(DEMO)).unwrap();
    assert_eq!(shop.done(&["list"]).list().packages.len(), 0);
    shop.refused(&["update", DEMO], "not-installed");
    assert_eq!(rows(&shop.done(&["install", DEMO])), [(DEMO, Action::Installed, Some("1.0.0"), None)]);
    assert!(!shop.done(&["list"]).list().packages[0].held);
}

#[test]
fn a_version_the_engine_installed_over_ours_is_taken_as_it_is() {
    let mut shop = shop().env("LANG", "ru");
    shop.done(&["install", DEMO]);
    // The engine updates to 1.1.0: folder replaced, record written anew, our record none the wiser.
    let engine_side = installed_by_the_engine(&["1.0.0", "1.1.0"]);
    let copied = shop.sandbox.version(DEMO, "1.1.0");
    fs::create_dir_all(&copied).unwrap();
    for file in ["manifest.json", "ruleset.json"] {
        fs::copy(engine_side.sandbox.version(DEMO, "1.1.0").join(file), copied.join(file)).unwrap();
    }
    fs::copy(registry_path(&engine_side), registry_path(&shop)).unwrap();
    shop.publish(demo("1.1.0"));
    let list = shop.sandbox.json(&["list"]);
    assert_eq!((list.list().packages[0].version.as_str(), list.list().packages[0].state), ("1.1.0", State::Ok));
    assert_eq!(shop.sandbox.json(&["sync"]).exit, 0);
    assert!(copied.join("locales/ru.json").is_file());
    let answer = shop.sandbox.json(&["rollback", DEMO]);
    assert_eq!(rows(&answer), [(DEMO, Action::RolledBack, Some("1.0.0"), Some("1.1.0"))]);
    shop.engine_sees();
}

// ---- modes, places and folders that are not there

#[cfg(unix)]
#[test]
fn new_files_follow_the_umask() {
    for umask in [0o022, 0o027, 0o077, 0o002] {
        let mut shop = shop().env("LANG", "ru");
        let run = |shop: &Shop, args: &[&str]| {
            let answer = shop.command(args).umask(umask).json();
            assert_eq!(answer.exit, 0, "{answer:#?}");
        };
        for folder in [shop.sandbox.data(), shop.sandbox.cache()] {
            fs::remove_dir(folder).unwrap();
        }
        run(&shop, &["install", DEMO]);
        shop.publish(demo("1.1.0"));
        run(&shop, &["update"]);
        run(&shop, &["rollback", DEMO]);
        for folder in [shop.sandbox.data(), shop.sandbox.cache()] {
            assert_eq!(engine::odd_modes(&Tree::of(&folder), umask), [""; 0], "umask {umask:03o}");
        }
        assert!(shop.data().has("capability-packages/update-decisions-v1.json"));
    }
}

#[cfg(unix)]
#[test]
fn an_existing_file_keeps_its_mode() {
    use std::os::unix::fs::PermissionsExt;
    let mut shop = shop();
    write_registry(&shop, &others_registry());
    let mode = |path: &PathBuf| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    for (wanted, umask) in [(0o600, 0o022), (0o664, 0o077)] {
        let path = registry_path(&shop);
        fs::set_permissions(&path, fs::Permissions::from_mode(wanted)).unwrap();
        shop.publish(demo("1.0.0"));
        for args in [&["install", "--force", DEMO][..], &["uninstall", DEMO]] {
            assert_eq!(shop.command(args).umask(umask).json().exit, 0);
            assert_eq!(mode(&path), wanted, "{args:?}");
        }
    }
}

#[test]
fn nothing_is_written_outside_the_data_and_cache_folders() {
    let mut shop = shop();
    let others = |shop: &Shop| Tree::of(shop.sandbox.root()).without("data").without("cache").without("catalog");
    let before = others(&shop);
    live(&mut shop, |shop, _| before.assert_same(&others(shop)));
    let data = shop.data();
    assert!(data.paths().iter().all(|path| path.starts_with("capability-packages")), "{data:?}");
}

/// Commands that only look. Those that need something installed come last.
const LOOKING: &[&[&str]] = &[
    &["list"],
    &["search"],
    &["search", "nothing-like-this"],
    &["info", DEMO],
    &["outdated"],
    &["doctor"],
    &["language"],
    &["sync"],
    &["update", "--dry-run"],
    &["install", DEMO, "--dry-run"],
    &["install", DEMO, "--force", "--dry-run"],
    &["cache", "dir"],
    &["cache", "size"],
    &["path", DEMO],
];

#[test]
fn looking_changes_nothing() {
    let shop = shop();
    shop.done(&["install", DEMO]);
    fs::remove_file(shop.sandbox.packages().join(".rulepack.lock")).unwrap();
    let before = Tree::of(shop.sandbox.root()).without("cache");
    for args in LOOKING {
        shop.done(args);
        before.assert_same(&Tree::of(shop.sandbox.root()).without("cache"));
    }
}

#[test]
fn looking_works_where_there_is_no_data_folder_and_makes_none() {
    let shop = shop();
    fs::remove_dir(shop.sandbox.data()).unwrap();
    let before = Tree::of(shop.sandbox.root()).without("cache");
    for args in &LOOKING[..LOOKING.len() - 1] {
        shop.done(args);
        before.assert_same(&Tree::of(shop.sandbox.root()).without("cache"));
    }
    for command in ["path", "update", "rollback", "uninstall", "hold", "unhold"] {
        assert_eq!(shop.sandbox.json(&[command, DEMO]).code(), "not-installed", "{command}");
        before.assert_same(&Tree::of(shop.sandbox.root()).without("cache"));
    }
}

#[test]
fn a_data_folder_that_cannot_be_is_a_clear_error() {
    let shop = shop();
    let file = shop.sandbox.write("a-file", "in the way");
    let below = file.join("data");
    let before = Tree::of(shop.sandbox.root()).without("cache");
    for args in [&["list"][..], &["sync"], &["install", DEMO], &["uninstall", DEMO], &["update"], &["language", "ru"]] {
        let answer = shop.command(args).arg("--data-dir").arg(&below).json();
        assert_eq!((answer.code(), answer.exit), ("io", 1), "{args:?}");
        let error = answer.error.unwrap();
        assert!(error.message.contains(below.to_str().unwrap()), "{error:?}");
        before.assert_same(&Tree::of(shop.sandbox.root()).without("cache"));
    }
}

#[test]
fn a_folder_that_cannot_take_the_files_is_a_clear_error_and_nothing_is_between() {
    type Block = fn(&Shop);
    let blocks: [(&str, Block); 3] = [
        ("a file where versions/ belongs", |shop| fs::write(shop.sandbox.packages().join("versions"), "x").unwrap()),
        ("a file where the package's folder belongs", |shop| {
            fs::create_dir(shop.sandbox.packages().join("versions")).unwrap();
            fs::write(shop.sandbox.packages().join("versions/demo"), "x").unwrap();
        }),
        ("a file where the version's folder belongs", |shop| {
            fs::create_dir_all(shop.sandbox.packages().join("versions/demo")).unwrap();
            fs::write(shop.sandbox.version(DEMO, "1.0.0"), "x").unwrap();
        }),
    ];
    for (what, block) in blocks {
        let shop = shop();
        write_registry(&shop, &others_registry());
        block(&shop);
        let answer = shop.refused(&["install", DEMO], "io");
        assert_eq!(rows(&answer), [(DEMO, Action::Failed, None, None)], "{what}");
        assert!(answer.error.unwrap().message.contains("versions"), "{what}");
    }
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link() {
    for link in ["versions", "versions/demo"] {
        let shop = shop();
        let outside = shop.sandbox.work().join("outside");
        fs::create_dir(&outside).unwrap();
        let place = shop.sandbox.packages().join(link);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(&outside, &place).unwrap();
        let answer = shop.refused(&["install", DEMO], "io");
        assert!(answer.error.unwrap().message.contains("link"), "{link}");
        assert_eq!(Tree::of(&outside).paths(), [""; 0], "{link}");
    }
}

#[test]
fn the_data_folder_may_itself_be_a_link_or_be_named_from_here() {
    let shop = shop();
    let real = shop.sandbox.work().join("real");
    let run = |args: &[&str], dir: &str| shop.command(args).arg("--data-dir").arg(dir).json();
    let answer = run(&["install", DEMO], "real");
    assert_eq!(answer.exit, 0);
    let root = real.join("capability-packages/versions/demo/1.0.0");
    assert_eq!(answer.package(DEMO).path.as_deref(), root.to_str());
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&real, shop.sandbox.work().join("link")).unwrap();
        assert_eq!(run(&["uninstall", DEMO], "link").exit, 0);
        assert!(!root.exists());
    }
}

#[test]
fn two_data_folders_share_the_cache_and_nothing_else() {
    let server = Server::https();
    let catalog = Catalog::on(&server).with(demo("1.0.0"));
    catalog.mount(&server);
    let sandbox = Sandbox::new().attach(&server).env("LANG", "ru");
    let second = sandbox.work().join("second");
    sandbox.run(&["install", DEMO]).expect(0);
    server.forget();
    let first = Tree::of(sandbox.data());
    let there = |args: &[&str]| sandbox.command(args).arg("--data-dir").arg(&second).json();
    assert_eq!(there(&["list"]).list().packages.len(), 0);
    assert_eq!(rows(&there(&["install", DEMO])), [(DEMO, Action::Installed, Some("1.0.0"), None)]);
    assert_eq!(server.paths(), [""; 0], "all of it was in the cache");
    let versions = |tree: &Tree| {
        let files = tree.files().into_iter().filter(|path| path.contains("/versions/")).map(str::to_owned);
        files.collect::<Vec<_>>()
    };
    assert_eq!(versions(&Tree::of(&second)), versions(&first));
    there(&["language", "de"]);
    there(&["uninstall", DEMO]);
    first.assert_same(&Tree::of(sandbox.data()));
}

#[test]
fn damage_in_the_registry_is_never_an_empty_one() {
    for damaged in ["", "\0\0\0\0\0\0", "{", "[]", r#"{"schemaVersion":1}"#, "{\"schemaVersion\":1,\"packages\":[]"] {
        let shop = shop();
        shop.done(&["install", DEMO]);
        write_registry(&shop, damaged);
        for args in [&["list"][..], &["install", DEMO], &["uninstall", DEMO], &["update"], &["sync"], &["hold", DEMO]] {
            let before = shop.everything();
            let answer = shop.sandbox.json(args);
            assert_eq!((answer.code(), answer.exit), ("damaged-store", 8), "{damaged:?} {args:?}");
            assert!(answer.error.unwrap().hint.unwrap().contains("doctor --repair"));
            before.assert_same(&shop.everything());
        }
    }
}

#[test]
fn a_rebuilt_registry_has_the_other_packages_again_and_keeps_its_mode() {
    let shop = shop();
    shop.done(&["install", DEMO]);
    let server = "export {};";
    let manifest = json!({
        "schemaVersion": 2, "capabilityApi": { "major": 1, "minor": 30 },
        "builtAgainst": { "engineVersion": "3.0.0", "engineCommit": "0".repeat(40) },
        "id": "chess", "name": "Chess", "version": "2.0.0", "engine": { "min": "2.3.0", "maxExclusive": "4.0.0" },
        "kind": ["turn-game"], "entrypoints": { "server": "server.js" },
        "files": [{ "path": "server.js", "sha256": super::kit::sha256(server.as_bytes()), "bytes": server.len() }],
        "permissions": ["routes"], "restartRequired": true, "later": 1
    });
    let folder = shop.sandbox.version("chess", "2.0.0");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("server.js"), server).unwrap();
    fs::write(folder.join("manifest.json"), manifest.to_string()).unwrap();
    let path = registry_path(&shop);
    let ruleset = shop.sandbox.registry()["packages"][0].clone();
    fs::write(&path, "\0\0\0").unwrap();
    #[cfg(unix)]
    fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    assert_eq!(shop.sandbox.json(&["doctor"]).exit, 10);
    assert_eq!(shop.sandbox.json(&["doctor", "--repair"]).exit, 0);
    let rebuilt = shop.sandbox.registry();
    let records = rebuilt["packages"].as_array().unwrap();
    let of = |id: &str| records.iter().find(|record| record["id"] == id).unwrap().clone();
    assert_eq!((records.len(), of(DEMO)), (2, ruleset));
    let mut chess = of("chess");
    assert!(chess["installedAt"].as_str().unwrap().ends_with('Z'));
    chess.as_object_mut().unwrap().remove("installedAt");
    let expected = json!({
        "id": "chess", "version": "2.0.0", "manifest": manifest, "status": "active", "error": null,
        "readiness": "pending", "readinessError": null, "legacy": false
    });
    assert_eq!(chess, expected, "its server part is not running yet");
    assert_eq!(fs::read(shop.sandbox.packages().join("installed.json.damaged")).unwrap(), b"\0\0\0");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn a_registry_of_a_newer_engine_is_left_alone() {
    let shop = shop();
    write_registry(&shop, r#"{"schemaVersion":2,"packages":{}}"#);
    for args in [&["list"][..], &["install", DEMO], &["doctor"], &["doctor", "--repair"]] {
        let answer = shop.refused(args, "damaged-store");
        assert!(answer.error.unwrap().message.contains("newer engine"), "{args:?}");
    }
}

#[test]
fn of_an_id_that_stands_in_the_registry_twice_the_first_record_counts() {
    let shop = installed_by_the_engine(&["0.9.0", "1.0.0"]);
    let mut registry = shop.sandbox.registry();
    let mut twin = registry["packages"][0].clone();
    twin["version"] = json!("0.9.0");
    registry["packages"].as_array_mut().unwrap().push(twin);
    write_registry(&shop, &registry.to_string());
    assert_eq!(shop.sandbox.json(&["list"]).list().packages.len(), 1);
    assert_eq!(rows(&shop.sandbox.json(&["update"])), [(DEMO, Action::Unchanged, Some("1.0.0"), Some("0.9.0"))]);
    assert_eq!(rows(&shop.sandbox.json(&["uninstall", DEMO])).len(), 1);
    assert_eq!(raw_records(&shop).len(), 0);
}

/// Two places on different file systems, where this machine has them.
#[cfg(target_os = "linux")]
#[test]
fn data_and_cache_may_lie_on_different_file_systems() {
    use std::os::unix::fs::MetadataExt;
    let Ok(elsewhere) = tempfile::tempdir_in("/dev/shm") else { return };
    let mut shop = shop().env("LANG", "ru");
    let device = |path: &std::path::Path| fs::metadata(path).unwrap().dev();
    let far = elsewhere.path().to_str().unwrap().to_owned();
    if device(elsewhere.path()) == device(shop.sandbox.root()) {
        return;
    }
    for (version, flag) in [("1.1.0", "--cache-dir"), ("1.2.0", "--data-dir")] {
        shop.publish(demo(version));
        for args in [&["install", DEMO][..], &["install", "--force", DEMO]] {
            let answer = shop.command(args).arg(flag).arg(&far).json();
            assert_eq!(answer.exit, 0, "{flag} {answer:#?}");
        }
    }
    assert!(elsewhere.path().join("capability-packages/versions/demo/1.2.0/locales/ru.json").is_file());
    shop.engine_sees();
}

/// No folder can be made there, not even by root.
#[cfg(target_os = "linux")]
#[test]
fn where_nothing_can_be_written_looking_finds_nothing_and_writing_says_why() {
    let shop = shop();
    let run = |args: &[&str]| shop.command(args).arg("--data-dir").arg("/proc/rulepack").json();
    for args in [&["list"][..], &["sync"], &["outdated"], &["update"], &["install", DEMO, "--dry-run"]] {
        assert_eq!(run(args).exit, 0, "{args:?}");
    }
    for args in [&["install", DEMO][..], &["language", "ru"]] {
        let answer = run(args);
        assert_eq!(answer.code(), "io", "{args:?}");
        assert!(answer.error.unwrap().message.contains("/proc/rulepack"), "{args:?}");
    }
}

#[test]
fn a_record_that_cannot_be_written_undoes_the_whole_change() {
    // A folder where one of the three records belongs.
    for (record, args) in [
        ("update-decisions-v1.json", &["rollback", DEMO][..]),
        ("rulepack.json", &["install", "--force", DEMO]),
        ("rulepack.json", &["uninstall", DEMO]),
        (".rulepack-intent.json", &["uninstall", DEMO]),
        (".rulepack-intent.json", &["update"]),
    ] {
        let mut shop = shop();
        shop.done(&["install", DEMO]);
        shop.publish(demo("1.1.0"));
        shop.done(&["update"]);
        shop.publish(demo("1.2.0"));
        let path = shop.sandbox.packages().join(record);
        let _ = fs::remove_file(&path);
        fs::create_dir(&path).unwrap();
        let answer = shop.refused(args, "io");
        assert!(answer.error.unwrap().message.contains(record), "{record} {args:?}");
        fs::remove_dir(&path).unwrap();
        assert_eq!(shop.record(DEMO).version, "1.1.0");
    }
}
