//! A store that is not as it was left: what is told of it, what mends it, and what is never done to it
//! (docs/spec/commands.md#store-6, #store-7, #store-8, docs/spec/lessons.md#b21, #b24, #b28, #b36).

use super::kit::envelope::{Action, Doctor, Envelope, PackStatus, Severity, State, Status};
use super::kit::publish::{Catalog, Ruleset};
use super::kit::sandbox::Sandbox;
use super::kit::soundness::{Store, disk, leftovers, registry_names_only_whole_versions};
use super::kit::tree::Tree;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

fn road(version: &str) -> Ruleset {
    Ruleset::new("ember-roads", version)
        .asset("catalogs/gear.json", format!("{{\"entries\": [], \"note\": \"{version}\"}}"))
        .pack("ru", &[("Grit", "Стойкость")])
        .pack("de", &[("Grit", "Mumm")])
}

fn grave() -> Ruleset {
    Ruleset::new("gravewatch", "0.3.0").pack("ru", &[("Grit", "Дух")])
}

/// A reader of Russian with `ember-roads` 1.0.0, 0.9.0 before it, and `gravewatch`; the catalog is the working folder.
fn a_store() -> Sandbox {
    let sandbox = Sandbox::new();
    let folder = sandbox.work();
    let sandbox = sandbox.catalog(folder);
    publish(&sandbox, road("0.9.0"));
    sandbox.run(&["language", "ru"]).expect(0);
    sandbox.run(&["install", "ember-roads", "gravewatch"]).expect(0);
    publish(&sandbox, road("1.0.0"));
    sandbox.run(&["update"]).expect(0);
    sandbox
}

fn publish(sandbox: &Sandbox, ruleset: Ruleset) {
    Catalog::on_disk().with(ruleset).with(grave()).write(&sandbox.work());
}

fn registry(sandbox: &Sandbox) -> PathBuf {
    sandbox.packages().join("installed.json")
}

fn state(sandbox: &Sandbox) -> PathBuf {
    sandbox.packages().join("rulepack.json")
}

fn active(sandbox: &Sandbox) -> PathBuf {
    sandbox.version("ember-roads", "1.0.0")
}

/// What doctor finds: code and the last part of the file's path, in order.
fn found(doctor: &Doctor) -> Vec<(&str, &str)> {
    doctor
        .problems
        .iter()
        .map(|problem| {
            let file = problem.file.as_deref().unwrap_or_default();
            (problem.code.as_str(), file.rsplit('/').next().unwrap_or_default())
        })
        .collect()
}

/// All is well: no finding but what earlier repairs set aside, and everything that is named is whole.
#[track_caller]
fn is_sound(sandbox: &Sandbox) {
    let answer = sandbox.json(&["doctor"]);
    assert!(answer.doctor().problems.iter().all(|problem| problem.code == "set-aside"), "{answer:#?}");
    assert_eq!(answer.status, Status::Ok);
    registry_names_only_whole_versions(&sandbox.packages()).unwrap();
    assert_eq!(leftovers(&sandbox.packages()), [""; 0]);
}

/// `doctor --repair` leaves nothing wrong.
#[track_caller]
fn is_mended(sandbox: &Sandbox) -> Envelope {
    let answer = sandbox.json(&["doctor", "--repair"]);
    assert!(answer.doctor().problems.iter().all(|problem| problem.code == "set-aside"), "{answer:#?}");
    assert!(!answer.doctor().repaired.is_empty());
    is_sound(sandbox);
    answer
}

#[test]
fn a_store_as_it_was_left_has_no_findings_and_repair_changes_nothing() {
    let sandbox = a_store();
    let before = disk(&sandbox);
    let answer = sandbox.json(&["doctor"]);
    assert_eq!(answer.exit, 0);
    let summary = answer.doctor().summary;
    assert_eq!((summary.errors, summary.warnings, summary.packages), (0, 0, 2));
    // Of ember-roads three files and the pack, three of the version before; of gravewatch two and the pack.
    assert_eq!(summary.files, 10);
    assert!(sandbox.json(&["doctor", "--repair"]).doctor().repaired.is_empty());
    before.assert_same(&disk(&sandbox));
}

#[test]
fn doctor_of_nothing_is_fine_and_makes_no_folder() {
    let sandbox = Sandbox::new();
    for command in [&["doctor"][..], &["doctor", "--repair"], &["list"]] {
        assert_eq!(sandbox.json(command).exit, 0, "{command:?}");
        assert!(!sandbox.packages().exists(), "{command:?}");
    }
}

/// Every way a registry was found damaged in the wild, and some more (B21).
fn damaged_registries(whole: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let text = std::str::from_utf8(whole).unwrap();
    vec![
        ("empty", Vec::new()),
        ("cut", whole[..whole.len() / 2].to_vec()),
        ("one byte short", whole.trim_ascii_end()[..whole.trim_ascii_end().len() - 1].to_vec()),
        ("NULs", vec![0; whole.len()]),
        ("NULs at its end", [&whole[..whole.len() - 300], &[0; 300]].concat()),
        ("an array", b"[]".to_vec()),
        ("null", b"null".to_vec()),
        ("no packages", b"{\"schemaVersion\": 1}".to_vec()),
        ("packages of another type", b"{\"schemaVersion\": 1, \"packages\": {}}".to_vec()),
        ("no schema", text.replace("\"schemaVersion\": 1,\n  \"packages\"", "\"packages\"").into_bytes()),
        ("schema as text", text.replacen("\"schemaVersion\": 1", "\"schemaVersion\": \"1\"", 1).into_bytes()),
        ("a byte order mark", [b"\xef\xbb\xbf", whole].concat()),
        ("a web page", b"<!DOCTYPE html>".to_vec()),
    ]
}

/// Every command that looks at the store, and what would change it.
const COMMANDS: &[&[&str]] = &[
    &["list"],
    &["path", "ember-roads"],
    &["install", "ember-roads"],
    &["install", "gravewatch", "--force"],
    &["update"],
    &["update", "ember-roads"],
    &["outdated"],
    &["rollback", "ember-roads"],
    &["uninstall", "gravewatch"],
    &["sync"],
    &["language", "de"],
    &["language"],
    &["hold", "ember-roads"],
    &["unhold", "ember-roads"],
    &["search"],
    &["info", "ember-roads"],
];

#[test]
fn a_registry_that_cannot_be_read_stops_every_command_and_is_never_overwritten() {
    let sandbox = a_store();
    for (how, bytes) in damaged_registries(&fs::read(registry(&sandbox)).unwrap()) {
        fs::write(registry(&sandbox), bytes).unwrap();
        let before = disk(&sandbox);
        for command in if how == "cut" { COMMANDS } else { &COMMANDS[..6] } {
            let answer = sandbox.json(command);
            assert_eq!((answer.code(), answer.exit), ("damaged-store", 8), "{how}, {command:?}");
            let error = answer.error.as_ref().unwrap();
            assert!(error.message.contains("installed.json"), "{how}: {}", error.message);
            assert!(error.hint.as_ref().unwrap().contains("doctor --repair"), "{how}");
            before.assert_same(&disk(&sandbox));
        }
        let told = sandbox.json(&["doctor"]);
        assert_eq!((told.exit, found(told.doctor())), (10, vec![("damaged-store", "installed.json")]), "{how}");
        before.assert_same(&disk(&sandbox));
    }
}

#[test]
fn a_registry_of_a_newer_engine_is_left_alone_even_by_repair() {
    let sandbox = a_store();
    let newer =
        fs::read_to_string(registry(&sandbox)).unwrap().replacen("\"schemaVersion\": 1", "\"schemaVersion\": 2", 1);
    fs::write(registry(&sandbox), newer).unwrap();
    let before = disk(&sandbox);
    for command in COMMANDS.iter().chain(&[&["doctor"][..], &["doctor", "--repair"]]) {
        let answer = sandbox.json(command);
        assert_eq!((answer.code(), answer.exit), ("damaged-store", 8), "{command:?}");
        assert!(answer.error.as_ref().unwrap().message.contains("newer engine"), "{command:?}");
        before.assert_same(&disk(&sandbox));
    }
}

#[test]
fn repair_sets_a_damaged_registry_aside_and_makes_one_from_the_folders() {
    let sandbox = a_store();
    let whole = fs::read(registry(&sandbox)).unwrap();
    let before = Store::of(&sandbox.packages());
    for (how, bytes) in damaged_registries(&whole) {
        fs::write(registry(&sandbox), &bytes).unwrap();
        let answer = is_mended(&sandbox);
        let repair = &answer.doctor().repaired[0];
        assert_eq!(repair.code, "damaged-store", "{how}");
        let aside = sandbox.packages().join("installed.json.damaged");
        assert!(repair.action.contains(aside.to_str().unwrap()), "{how}: {}", repair.action);
        assert_eq!(fs::read(&aside).unwrap(), bytes, "{how}");
        fs::remove_file(aside).unwrap();
        before.assert_same(&Store::of(&sandbox.packages()), how);
    }
}

/// A second damage does not take the first bad file's place.
#[test]
fn every_bad_registry_is_kept() {
    let sandbox = a_store();
    for n in 0..3 {
        fs::write(registry(&sandbox), format!("bad {n}")).unwrap();
        let told = is_mended(&sandbox);
        assert_eq!(told.doctor().problems.len(), n, "what this run set aside is told among what it repaired");
        assert_eq!(sandbox.json(&["doctor"]).doctor().problems.len(), n + 1);
    }
    let mut kept: Vec<String> = fs::read_dir(sandbox.packages())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_str().unwrap().contains("installed.json.damaged"))
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    kept.sort();
    assert_eq!(kept, ["bad 0", "bad 1", "bad 2"]);
}

#[test]
fn a_registry_that_is_gone_is_not_taken_for_an_empty_one_while_its_versions_are_there() {
    let sandbox = a_store();
    let before = Store::of(&sandbox.packages());
    fs::remove_file(registry(&sandbox)).unwrap();
    for command in COMMANDS {
        let answer = sandbox.json(command);
        assert_eq!((answer.code(), answer.exit), ("damaged-store", 8), "{command:?}");
        assert!(!registry(&sandbox).exists(), "{command:?}");
    }
    assert_eq!(found(sandbox.json(&["doctor"]).doctor()), [("damaged-store", "installed.json")]);
    is_mended(&sandbox);
    before.assert_same(&Store::of(&sandbox.packages()), "rebuilt");
}

/// The engine's own packages have no record of ours; their folders are enough.
#[test]
fn the_records_of_other_packages_come_back_with_a_rebuilt_registry() {
    let sandbox = a_store();
    let game = |version: &str, server: bool| {
        let file = b"export {}";
        json!({
            "schemaVersion": 2, "capabilityApi": { "major": 1, "minor": 20 },
            "builtAgainst": { "engineVersion": "3.0.0", "engineCommit": "0".repeat(40) },
            "id": "chess", "name": "Chess", "version": version, "description": "", "later": [1.10],
            "engine": { "min": "2.3.0", "maxExclusive": "4.0.0" }, "kind": ["turn-game"],
            "entrypoints": if server { json!({ "server": "server.js" }) } else { json!({}) },
            "files": [{ "path": "server.js", "sha256": super::kit::sha256(file), "bytes": file.len() }],
            "permissions": [], "restartRequired": false
        })
    };
    for version in ["1.0.0", "2.0.0"] {
        let folder = sandbox.version("chess", version);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("manifest.json"), game(version, true).to_string()).unwrap();
        fs::write(folder.join("server.js"), "export {}").unwrap();
    }
    // A folder that is not whole is no version to name.
    let torn = sandbox.version("chess", "3.0.0");
    fs::create_dir_all(&torn).unwrap();
    fs::write(torn.join("manifest.json"), game("3.0.0", true).to_string()).unwrap();
    fs::write(registry(&sandbox), "").unwrap();

    let answer = sandbox.json(&["doctor", "--repair"]);
    assert_eq!(answer.exit, 0, "{answer:#?}");
    let registry = sandbox.registry();
    let record = registry["packages"].as_array().unwrap().iter().find(|record| record["id"] == "chess").unwrap();
    assert_eq!((&record["version"], &record["status"]), (&json!("2.0.0"), &json!("active")));
    assert_eq!(record["manifest"], game("2.0.0", true));
    // Its server part has not said yet that it is ready.
    assert_eq!(record["readiness"], "pending");
    assert!(torn.exists());
    registry_names_only_whole_versions(&sandbox.packages()).unwrap();
    assert_eq!(sandbox.json(&["list"]).list().packages.len(), 2, "chess is not rulepack's");
}

#[test]
fn what_is_not_ours_in_the_registry_survives_every_change_byte_for_byte() {
    let sandbox = a_store();
    let mut document: Value = sandbox.registry();
    let records = document["packages"].as_array_mut().unwrap();
    records.insert(
        0,
        json!({ "id": "chess", "version": "2.0.0", "future": { "x": true }, "manifest": { "kind": ["turn-game"] } }),
    );
    records.insert(1, json!("rubbish"));
    records.push(json!({ "id": 7 }));
    document["laterKey"] = json!({ "b": 1, "a": 2 });
    fs::write(registry(&sandbox), document.to_string()).unwrap();
    for command in [
        &["install", "gravewatch", "--force"][..],
        &["rollback", "ember-roads"],
        &["update", "ember-roads"],
        &["language", "de"],
        &["hold", "ember-roads"],
        &["uninstall", "ember-roads", "gravewatch"],
    ] {
        sandbox.run(command).expect(0);
        let now = sandbox.registry();
        assert_eq!(now["laterKey"], json!({ "b": 1, "a": 2 }), "{command:?}");
        let kept: Vec<&Value> = now["packages"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|record| !["ember-roads", "gravewatch"].contains(&record["id"].as_str().unwrap_or_default()))
            .collect();
        assert_eq!(
            kept,
            [
                &json!({ "id": "chess", "version": "2.0.0", "future": { "x": true }, "manifest": { "kind": ["turn-game"] } }),
                &json!("rubbish"),
                &json!({ "id": 7 })
            ],
            "{command:?}"
        );
    }
}

#[test]
fn our_own_record_that_cannot_be_read_is_set_aside_and_rebuilt_at_once() {
    let whole = |sandbox: &Sandbox| fs::read(state(sandbox)).unwrap();
    let first_commands: &[&[&str]] =
        &[&["list"], &["hold", "gravewatch"], &["sync"], &["doctor"], &["path", "gravewatch"]];
    for (n, command) in first_commands.iter().enumerate() {
        let sandbox = a_store();
        let before = Store::of(&sandbox.packages());
        let bytes = match n {
            0 => Vec::new(),
            1 => whole(&sandbox)[..100].to_vec(),
            2 => vec![0; 400],
            3 => b"{\"schema\":0}".to_vec(),
            _ => b"[]".to_vec(),
        };
        fs::write(state(&sandbox), &bytes).unwrap();
        let answer = sandbox.command(command).env("LC_ALL", "ru_RU.UTF-8").json();
        assert_eq!(answer.exit, 0, "{command:?}: {answer:#?}");
        assert!(answer.warning_codes().contains(&"state-rebuilt"), "{command:?}: {:?}", answer.warnings);
        let aside = sandbox.packages().join("rulepack.json.damaged");
        assert_eq!(fs::read(&aside).unwrap(), bytes, "{command:?}");
        fs::remove_file(aside).unwrap();
        // The packages and packs are all known again; the language set and the holds are what was lost.
        let again = sandbox.json(&["list"]);
        assert_eq!(again.warnings, [], "{command:?}");
        for package in &again.list().packages {
            assert_eq!(package.state, State::Ok);
            assert_eq!(package.language_pack.as_ref().unwrap().language.as_deref(), Some("ru"), "{command:?}");
        }
        assert!(before.tree == Store::of(&sandbox.packages()).tree, "{command:?}: no file of a package is touched");
        // An old pack is known well enough to go.
        sandbox.run(&["language", "de"]).expect(0);
        assert_eq!(Tree::of(active(&sandbox).join("locales")).files(), ["de.json"]);
        assert!(!sandbox.version("gravewatch", "0.3.0").join("locales").exists());
    }
}

#[test]
fn a_record_of_ours_that_is_gone_is_made_again_without_a_word() {
    let sandbox = a_store();
    fs::remove_file(state(&sandbox)).unwrap();
    let listed = sandbox.json(&["list"]);
    assert_eq!(listed.warnings, []);
    let pack = listed.list().packages[0].language_pack.clone().unwrap();
    assert_eq!((pack.status, pack.language.as_deref()), (PackStatus::Current, Some("ru")));
    // The engine keeps packs in the same place; one per version is left after a change of language.
    sandbox.run(&["language", "de"]).expect(0);
    assert_eq!(Tree::of(active(&sandbox).join("locales")).files(), ["de.json"]);
    is_sound(&sandbox);
}

/// One damage to the active version: what is done, what doctor calls it, whether the damaged thing is kept beside.
struct Damage {
    what: &'static str,
    done: fn(&Path),
    code: &'static str,
    kept: &'static [&'static str],
}

const DAMAGES: &[Damage] = &[
    Damage {
        what: "a file edited",
        done: |root| fs::write(root.join("ruleset.json"), "{\"mine\": 1}").unwrap(),
        code: "damaged-file",
        kept: &["ruleset.json.edited"],
    },
    Damage {
        what: "a file of the same size edited",
        done: |root| {
            let mut bytes = fs::read(root.join("ruleset.json")).unwrap();
            let at = bytes.len() - 10;
            bytes[at] ^= 1;
            fs::write(root.join("ruleset.json"), bytes).unwrap();
        },
        code: "damaged-file",
        kept: &["ruleset.json.edited"],
    },
    Damage {
        what: "a file cut",
        done: |root| fs::File::options().write(true).open(root.join("catalogs/gear.json")).unwrap().set_len(5).unwrap(),
        code: "damaged-file",
        kept: &["catalogs/gear.json.edited"],
    },
    Damage {
        what: "a file gone",
        done: |root| fs::remove_file(root.join("ruleset.json")).unwrap(),
        code: "missing-file",
        kept: &[],
    },
    Damage {
        what: "a folder gone",
        done: |root| fs::remove_dir_all(root.join("catalogs")).unwrap(),
        code: "missing-file",
        kept: &[],
    },
    Damage {
        what: "the stored manifest edited",
        done: |root| fs::write(root.join("manifest.json"), "{}").unwrap(),
        code: "damaged-file",
        kept: &["manifest.json.edited"],
    },
    Damage {
        what: "a link in the place of a file",
        done: |root| {
            fs::remove_file(root.join("ruleset.json")).unwrap();
            std::os::unix::fs::symlink("/etc/hostname", root.join("ruleset.json")).unwrap();
        },
        code: "damaged-file",
        kept: &["ruleset.json.edited"],
    },
    Damage {
        what: "a folder in the place of a file",
        done: |root| {
            fs::remove_file(root.join("ruleset.json")).unwrap();
            fs::create_dir(root.join("ruleset.json")).unwrap();
            fs::write(root.join("ruleset.json/mine.txt"), "mine").unwrap();
        },
        code: "damaged-file",
        kept: &["ruleset.json.edited/mine.txt"],
    },
];

#[test]
fn every_damage_to_a_version_is_found_and_mended_and_nothing_of_the_readers_is_lost() {
    for Damage { what, done, code, kept } in DAMAGES {
        let sandbox = a_store();
        let before = Store::of(&sandbox.packages());
        done(&active(&sandbox));
        let damaged = disk(&sandbox);

        let answer = sandbox.json(&["doctor"]);
        assert_eq!((answer.exit, answer.status), (10, Status::Problems), "{what}");
        let problem = answer.doctor().problems.iter().find(|problem| problem.severity == Severity::Error).unwrap();
        assert_eq!((problem.code.as_str(), problem.package.as_deref()), (*code, Some("ember-roads")), "{what}");
        assert!(problem.file.as_ref().unwrap().starts_with(active(&sandbox).to_str().unwrap()), "{what}");
        assert!(problem.hint.as_ref().unwrap().contains("doctor --repair"), "{what}");
        let listed = sandbox.json(&["list"]);
        let states: Vec<State> = listed.list().packages.iter().map(|package| package.state).collect();
        assert_eq!(states, [State::Damaged, State::Ok], "{what}");
        damaged.assert_same(&disk(&sandbox));

        let answer = sandbox.json(&["doctor", "--repair"]);
        assert_eq!(answer.doctor().summary.errors, 0, "{what}: {answer:#?}");
        assert!(answer.doctor().repaired.iter().any(|repair| repair.code == *code), "{what}");
        // The repair leaves the version before as it is, and the pack.
        let mut now = Store::of(&sandbox.packages());
        for name in *kept {
            let name = format!("versions/ember-roads/1.0.0/{name}");
            assert!(now.tree.has(&name), "{what}: {name} is gone");
            // A folder is named, not each file in it.
            let moved = name.strip_suffix("/mine.txt").unwrap_or(&name);
            assert!(answer.warnings.iter().any(|warning| warning.message.contains(moved)), "{what}: {answer:#?}");
            now.tree = now.tree.without(moved);
        }
        before.assert_same(&now, what);
        assert_eq!(sandbox.json(&["rollback", "ember-roads"]).exit, 0, "{what}");
    }
}

#[test]
fn install_puts_a_damaged_version_there_again() {
    for Damage { what, done, .. } in DAMAGES {
        let sandbox = a_store();
        done(&active(&sandbox));
        let answer = sandbox.json(&["install", "ember-roads"]);
        let package = answer.package("ember-roads");
        assert_eq!(package.action, Action::Reinstalled, "{what}");
        assert_eq!(package.previous_version.as_deref(), Some("0.9.0"), "{what}");
        registry_names_only_whole_versions(&sandbox.packages()).unwrap_or_else(|why| panic!("{what}: {why}"));
    }
}

#[test]
fn a_version_folder_that_is_gone_is_found_and_put_there_again() {
    let sandbox = a_store();
    let before = Store::of(&sandbox.packages());
    fs::remove_dir_all(active(&sandbox)).unwrap();
    assert_eq!(found(sandbox.json(&["doctor"]).doctor()), [("missing-version", "1.0.0")]);
    let path = sandbox.json(&["path", "ember-roads"]);
    assert_eq!((path.code(), path.exit), ("damaged-package", 8));
    is_mended(&sandbox);
    before.assert_same(&Store::of(&sandbox.packages()), "put there again");
}

#[test]
fn a_record_that_carries_anothers_manifest_is_found_and_mended() {
    let sandbox = a_store();
    let before = Store::of(&sandbox.packages());
    for (pointer, value) in [("/manifest/version", json!("9.9.9")), ("/manifest/files", json!("none"))] {
        let mut document = sandbox.registry();
        let record =
            document["packages"].as_array_mut().unwrap().iter_mut().find(|record| record["id"] == "ember-roads");
        *record.unwrap().pointer_mut(pointer).unwrap() = value;
        fs::write(registry(&sandbox), document.to_string()).unwrap();
        let told = sandbox.json(&["doctor"]);
        assert_eq!(found(told.doctor())[0].0, "damaged-record", "{pointer}");
        assert!(sandbox.json(&["list"]).list().packages.iter().any(|package| package.state == State::Damaged));
        is_mended(&sandbox);
        before.assert_same(&Store::of(&sandbox.packages()), pointer);
    }
}

#[test]
fn a_link_in_the_place_of_a_version_folder_is_never_followed() {
    let sandbox = a_store();
    let elsewhere = sandbox.root().join("elsewhere");
    fs::rename(active(&sandbox), &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, active(&sandbox)).unwrap();
    let outside = Tree::of(&elsewhere);
    let listed = sandbox.json(&["list"]);
    assert!(listed.list().packages.iter().any(|package| package.state == State::Damaged));
    assert_eq!(sandbox.json(&["doctor"]).exit, 10);
    let repaired = sandbox.json(&["doctor", "--repair"]);
    assert_eq!(repaired.doctor().summary.errors, 0, "{repaired:#?}");
    assert!(fs::symlink_metadata(active(&sandbox)).unwrap().is_dir());
    outside.assert_same(&Tree::of(&elsewhere));
    // The link itself was somebody's: it stays, beside.
    let kept = sandbox.packages().join("versions/ember-roads/1.0.0.kept");
    assert!(fs::symlink_metadata(&kept).unwrap().is_symlink());
    assert!(repaired.warnings.iter().any(|warning| warning.message.contains("1.0.0.kept")), "{repaired:#?}");
}

#[test]
fn nothing_behind_a_link_to_a_packages_folder_is_touched() {
    for command in [&["uninstall", "ember-roads"][..], &["language", "de"], &["doctor", "--repair"], &["update"]] {
        let sandbox = a_store();
        let elsewhere = sandbox.root().join("elsewhere");
        let package = sandbox.packages().join("versions/ember-roads");
        fs::rename(&package, &elsewhere).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &package).unwrap();
        publish(&sandbox, road("1.1.0"));
        let outside = Tree::of(&elsewhere);
        sandbox.json(command);
        outside.assert_same(&Tree::of(&elsewhere));
        assert_eq!(leftovers(&sandbox.packages()), [""; 0], "{command:?}");
    }
}

#[test]
fn a_damaged_pack_is_fetched_again_and_an_edited_one_is_kept_beside() {
    for (what, damage, code) in [("edited", "{\"mine\": true}", "damaged-pack"), ("gone", "", "missing-pack")] {
        let sandbox = a_store();
        let before = Store::of(&sandbox.packages());
        let pack = active(&sandbox).join("locales/ru.json");
        match damage {
            "" => fs::remove_file(&pack).unwrap(),
            text => fs::write(&pack, text).unwrap(),
        }
        assert_eq!(found(sandbox.json(&["doctor"]).doctor()), [(code, "ru.json")], "{what}");
        let answer = sandbox.json(&["doctor", "--repair"]);
        assert_eq!(answer.doctor().summary.errors, 0, "{what}: {answer:#?}");
        let mut now = Store::of(&sandbox.packages());
        if what == "edited" {
            let kept = active(&sandbox).join("locales/ru.json.edited");
            assert_eq!(fs::read_to_string(kept).unwrap(), damage);
            assert_eq!(answer.warning_codes(), ["files-kept"]);
            now.tree = now.tree.without("versions/ember-roads/1.0.0/locales/ru.json.edited");
        }
        before.assert_same(&now, what);
    }
}

#[test]
fn what_list_calls_ok_has_every_byte_of_its_pack_too() {
    let sandbox = a_store();
    let pack = active(&sandbox).join("locales/ru.json");
    let text = fs::read_to_string(&pack).unwrap();
    fs::write(&pack, text.replacen("_meta", "_mega", 1)).unwrap();
    let states = || -> Vec<(String, State)> {
        let answer = sandbox.json(&["list"]).expect(0);
        answer.list().packages.iter().map(|package| (package.id.clone(), package.state)).collect()
    };
    assert_eq!(states()[0], ("ember-roads".to_owned(), State::Damaged), "a byte changed, the size is the same");
    assert_eq!(states()[1].1, State::Ok);
    sandbox.run(&["doctor", "--repair"]).expect(0);
    assert_eq!(states()[0].1, State::Ok);
}

#[test]
fn an_edited_pack_is_never_thrown_away_whoever_replaces_it() {
    let edits = ["first", "second and longer"];
    let sandbox = a_store();
    for edit in edits {
        fs::write(active(&sandbox).join("locales/ru.json"), edit).unwrap();
        // The edit shows by its size, so the listed pack is fetched again.
        let answer = sandbox.json(&["sync"]);
        assert_eq!(answer.package("ember-roads").language_pack.as_ref().unwrap().status, PackStatus::Fetched);
        assert_eq!(answer.warning_codes(), ["files-kept"], "{edit}");
    }
    fs::write(active(&sandbox).join("locales/ru.json"), "third").unwrap();
    let answer = sandbox.json(&["language", "de"]);
    assert!(answer.warning_codes().contains(&"files-kept"), "{answer:#?}");
    let mut kept: Vec<String> = fs::read_dir(active(&sandbox).join("locales"))
        .unwrap()
        .map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap())
        .filter(|text| !text.contains("_meta"))
        .collect();
    kept.sort();
    assert_eq!(kept, ["first", "second and longer", "third"]);
}

#[test]
fn a_damaged_version_before_that_cannot_be_had_again_is_told_and_left() {
    let sandbox = a_store();
    let before = sandbox.version("ember-roads", "0.9.0");
    fs::write(before.join("ruleset.json"), "{}").unwrap();
    let refused = sandbox.json(&["rollback", "ember-roads"]);
    assert_eq!((refused.code(), refused.exit), ("damaged-package", 8));
    assert_eq!(refused.package("ember-roads").version.as_deref(), Some("1.0.0"));
    assert_eq!(found(sandbox.json(&["doctor"]).doctor()), [("damaged-previous", "0.9.0")]);
    let active = Tree::of(active(&sandbox));
    sandbox.run(&["cache", "clean"]).expect(0);
    for _ in 0..2 {
        let answer = sandbox.json(&["doctor", "--repair"]);
        assert_eq!(found(answer.doctor()), [("damaged-previous", "0.9.0")], "{answer:#?}");
        let hint = answer.doctor().problems[0].hint.clone().unwrap();
        assert_eq!(hint, "it cannot be repaired: 0.9.0 is not in the cache, and the catalog lists 1.0.0");
        active.assert_same(&Tree::of(self::active(&sandbox)));
        assert_eq!(sandbox.json(&["rollback", "ember-roads"]).code(), "damaged-package", "it stays named");
    }
    // The edited file was the reader's.
    assert_eq!(fs::read_to_string(before.join("ruleset.json")).unwrap(), "{}");
}

#[test]
fn repair_takes_the_cache_offline_or_says_why_not_and_changes_no_version() {
    let server = super::kit::server::Server::https();
    let sandbox = Sandbox::new().attach(&server);
    let mut catalog = Catalog::on(&server).with(road("0.9.0"));
    catalog.mount(&server);
    sandbox.run(&["install", "ember-roads"]).expect(0);
    catalog.publish(road("1.0.0"));
    catalog.mount(&server);
    sandbox.run(&["--refresh", "update"]).expect(0);
    server.go_dark();
    let spoil = || fs::write(active(&sandbox).join("ruleset.json"), "{}").unwrap();
    let version = || sandbox.json(&["list"]).list().packages[0].version.clone();

    // Offline, from the cache.
    spoil();
    assert_eq!(sandbox.json(&["doctor", "--repair", "--offline"]).doctor().summary.errors, 0);
    assert_eq!(version(), "1.0.0");
    // The catalog has moved on, which the cache does not mind; without it there is nothing to mend it with.
    server.come_back();
    catalog.publish(road("1.1.0"));
    catalog.mount(&server);
    spoil();
    assert_eq!(sandbox.json(&["--refresh", "doctor", "--repair"]).doctor().summary.errors, 0);
    assert_eq!(version(), "1.0.0");
    sandbox.run(&["cache", "clean"]).expect(0);
    spoil();
    let answer = sandbox.json(&["--refresh", "doctor", "--repair"]);
    assert_eq!(found(answer.doctor())[0], ("damaged-file", "ruleset.json"), "{answer:#?}");
    assert_eq!(answer.doctor().summary.errors, 1, "{answer:#?}");
    assert_eq!(version(), "1.0.0");
    let hint = answer.doctor().problems[0].hint.clone().unwrap();
    let why = "it cannot be repaired: 1.0.0 is not in the cache, and the catalog lists 1.1.0; `rulepack update \
               ember-roads` installs that";
    assert_eq!(hint, why);
    sandbox.run(&["cache", "clean"]).expect(0);
    server.go_dark();
    let before = disk(&sandbox);
    for offline in [true, false] {
        let mut command = vec!["doctor", "--repair"];
        command.extend(offline.then_some("--offline"));
        let answer = sandbox.json(&command);
        assert_eq!((answer.exit, answer.doctor().summary.errors), (10, 1), "{answer:#?}");
        let hint = answer.doctor().problems[0].hint.clone().unwrap();
        assert!(hint.starts_with("it cannot be repaired"), "{hint}");
        before.assert_same(&disk(&sandbox));
    }
}

#[test]
fn a_folder_without_a_record_is_named_and_left_alone() {
    let sandbox = a_store();
    let mut document = sandbox.registry();
    document["packages"].as_array_mut().unwrap().retain(|record| record["id"] != "gravewatch");
    fs::write(registry(&sandbox), document.to_string()).unwrap();
    // Nor was it the active one by our own record: else it would be one that the registry has lost.
    let mut own: Value = serde_json::from_slice(&fs::read(state(&sandbox)).unwrap()).unwrap();
    own["packages"]["gravewatch"]["active"] = Value::Null;
    fs::write(state(&sandbox), own.to_string()).unwrap();
    let answer = sandbox.json(&["doctor"]);
    assert_eq!(answer.exit, 0, "a warning, no error: {answer:#?}");
    assert_eq!(found(answer.doctor()), [("orphan-version", "0.3.0")]);
    let before = disk(&sandbox);
    sandbox.run(&["doctor", "--repair"]).expect(0);
    assert!(sandbox.version("gravewatch", "0.3.0").join("ruleset.json").exists());
    before.assert_same(&disk(&sandbox));
    assert!(answer.doctor().problems[0].hint.as_ref().unwrap().contains("rulepack install gravewatch"), "{answer:#?}");
    // An agent's folder is the engine's to take over: `rulepack install` would refuse it.
    let agent = sandbox.version("chess", "2.0.0");
    fs::create_dir_all(&agent).unwrap();
    let manifest = fs::read_to_string(sandbox.version("gravewatch", "0.3.0").join("manifest.json")).unwrap();
    let mut manifest: Value = serde_json::from_str(&manifest).unwrap();
    (manifest["id"], manifest["version"], manifest["kind"]) =
        ("chess".into(), "2.0.0".into(), serde_json::json!(["agent"]));
    fs::write(agent.join("manifest.json"), manifest.to_string()).unwrap();
    let answer = sandbox.json(&["doctor"]);
    let told = answer.doctor().problems.iter().find(|problem| problem.package.as_deref() == Some("chess")).unwrap();
    let hint = told.hint.as_ref().unwrap();
    assert!(
        told.code == "orphan-version" && hint.contains("engine") && !hint.contains("rulepack install"),
        "{told:#?}"
    );
    fs::remove_dir_all(agent.parent().unwrap()).unwrap();
    // Installing it takes the folder over.
    sandbox.run(&["install", "gravewatch"]).expect(0);
    is_sound(&sandbox);
}

/// What the reader put into version folders.
fn put_files(root: &Path) {
    fs::create_dir_all(root.join("notes/deep")).unwrap();
    fs::write(root.join("notes/deep/mine.txt"), "mine").unwrap();
    fs::write(root.join("catalogs/mine.json"), "{}").unwrap();
    std::os::unix::fs::symlink("/etc/hostname", root.join("link")).unwrap();
}

const PUT: &[&str] = &["catalogs/mine.json", "link", "notes/deep/mine.txt"];

#[track_caller]
fn names_all(answer: &Envelope, root: &Path, names: &[&str]) {
    let told: Vec<&str> = answer
        .warnings
        .iter()
        .filter(|warning| warning.code == "files-kept")
        .map(|warning| warning.message.as_str())
        .collect();
    for name in names {
        let path = root.join(name);
        assert!(fs::symlink_metadata(&path).is_ok(), "{} is gone", path.display());
        assert!(told.iter().any(|told| told.contains(path.to_str().unwrap())), "{name} is not named: {answer:#?}");
    }
}

#[test]
fn files_the_reader_put_there_are_told_and_survive_a_republished_artifact_and_force() {
    let sandbox = a_store();
    put_files(&active(&sandbox));
    let doctor = sandbox.json(&["doctor"]);
    assert_eq!(doctor.exit, 0);
    assert_eq!(
        found(doctor.doctor()),
        [("extra-file", "mine.json"), ("extra-file", "link"), ("extra-file", "mine.txt")]
    );
    names_all(&sandbox.json(&["install", "ember-roads", "--force"]), &active(&sandbox), PUT);
    publish(&sandbox, road("1.0.0").described("Again."));
    let answer = sandbox.json(&["update"]);
    assert_eq!(answer.package("ember-roads").action, Action::Reinstalled);
    names_all(&answer, &active(&sandbox), PUT);
    assert!(fs::symlink_metadata(active(&sandbox).join("link")).unwrap().is_symlink());
    assert_eq!(sandbox.json(&["doctor"]).exit, 0);
}

#[test]
fn files_the_reader_put_there_survive_an_update_and_the_end_of_their_version() {
    let sandbox = a_store();
    put_files(&sandbox.version("ember-roads", "0.9.0"));
    fs::write(sandbox.version("ember-roads", "0.9.0").join("ruleset.json"), "{\"mine\": true}").unwrap();
    publish(&sandbox, road("1.1.0"));
    let answer = sandbox.json(&["update"]);
    assert_eq!(answer.package("ember-roads").action, Action::Updated);
    let old = sandbox.version("ember-roads", "0.9.0");
    names_all(&answer, &old, PUT);
    // An edited file of it stays as well; the others went.
    names_all(&answer, &old, &["ruleset.json.edited"]);
    assert_eq!(Tree::of(&old).files(), ["catalogs/mine.json", "notes/deep/mine.txt", "ruleset.json.edited"]);
    assert_eq!(sandbox.json(&["list"]).list().packages.iter().filter(|p| p.state == State::Ok).count(), 2);
}

#[test]
fn an_edited_file_stays_when_its_ruleset_is_uninstalled() {
    let sandbox = a_store();
    for name in ["ruleset.json", "manifest.json", "locales/ru.json"] {
        fs::write(active(&sandbox).join(name), "{\"mine\": true}").unwrap();
    }
    let answer = sandbox.json(&["uninstall", "ember-roads"]);
    assert_eq!(answer.exit, 0, "{answer:#?}");
    let edited = ["ruleset.json.edited", "manifest.json.edited", "locales/ru.json.edited"];
    names_all(&answer, &active(&sandbox), &edited);
    assert!(answer.warnings[0].message.contains("it was edited or cannot be read"), "{answer:#?}");
    assert_eq!(Tree::of(active(&sandbox)).files().len(), edited.len());
}

#[test]
fn uninstall_takes_what_rulepack_put_there_and_nothing_else() {
    let sandbox = a_store();
    Catalog::on_disk()
        .with(road("1.0.0"))
        .with(grave())
        .with(Ruleset::new("ember", "1.0.0"))
        .with(Ruleset::new("ember-roads2", "1.0.0"))
        .write(&sandbox.work());
    sandbox.run(&["install", "ember", "ember-roads2"]).expect(0);
    put_files(&active(&sandbox));
    fs::write(sandbox.packages().join("versions/ember-roads/readme.txt"), "mine").unwrap();
    fs::create_dir_all(sandbox.data().join("chats")).unwrap();
    fs::write(sandbox.data().join("chats/saved.json"), "{}").unwrap();
    let others = |sandbox: &Sandbox| {
        let tree = Tree::of(sandbox.data()).without("capability-packages/.rulepack.lock");
        let tree = tree.without("capability-packages/installed.json").without("capability-packages/rulepack.json");
        tree.without("capability-packages/versions/ember-roads")
    };
    let before = others(&sandbox);
    let answer = sandbox.json(&["uninstall", "ember-roads"]);
    assert_eq!(answer.package("ember-roads").action, Action::Removed);
    names_all(&answer, &active(&sandbox), PUT);
    before.assert_same(&others(&sandbox));
    let left = Tree::of(sandbox.packages().join("versions/ember-roads"));
    assert_eq!(left.files(), ["1.0.0/catalogs/mine.json", "1.0.0/notes/deep/mine.txt", "readme.txt"]);
    assert!(!left.has("0.9.0"));
    // What stayed is in nobody's way.
    sandbox.run(&["install", "ember-roads"]).expect(0);
    assert!(active(&sandbox).join("notes/deep/mine.txt").exists());
    assert_eq!(sandbox.json(&["doctor"]).exit, 0);
}

#[test]
fn a_file_of_the_reader_never_gives_way_to_one_of_a_new_version() {
    let sandbox = a_store();
    // The new bytes under the same version have a file where the reader has a folder, and one where he has a file.
    fs::create_dir(active(&sandbox).join("extra")).unwrap();
    fs::write(active(&sandbox).join("extra/mine.txt"), "mine").unwrap();
    fs::write(active(&sandbox).join("notes.txt"), "mine as well").unwrap();
    publish(&sandbox, road("1.0.0").file("extra", "x").file("notes.txt", "theirs"));
    let answer = sandbox.json(&["update"]);
    assert_eq!(answer.package("ember-roads").action, Action::Reinstalled, "{answer:#?}");
    registry_names_only_whole_versions(&sandbox.packages()).unwrap();
    let kept: Vec<String> = Tree::of(sandbox.packages().join("versions/ember-roads"))
        .files()
        .into_iter()
        .filter(|name| {
            fs::read_to_string(sandbox.packages().join("versions/ember-roads").join(name)).unwrap().starts_with("mine")
        })
        .map(str::to_owned)
        .collect();
    assert_eq!(kept.len(), 2, "{kept:?}");
    let told: String = answer.warnings.iter().map(|warning| warning.message.clone()).collect();
    assert!(told.contains("notes.txt"), "{told}");
}

#[test]
fn what_dead_runs_left_is_told_and_swept_by_the_next_run_that_changes_anything() {
    let sandbox = a_store();
    let dead = sandbox.packages().join(".staging-dead");
    fs::create_dir_all(dead.join("0/catalogs")).unwrap();
    fs::write(dead.join("hold"), "").unwrap();
    fs::write(dead.join("0/ruleset.json"), "{}").unwrap();
    let half = sandbox.packages().join(".staging-half");
    fs::create_dir_all(half.join("1")).unwrap();
    fs::write(sandbox.packages().join(".staging-file"), "cut off in the middle").unwrap();
    // Only what bears the name is work in progress.
    fs::create_dir(sandbox.packages().join("staging-mine")).unwrap();
    let alive = sandbox.packages().join(".staging-alive");
    fs::create_dir(&alive).unwrap();
    let hold = fs::File::create(alive.join("hold")).unwrap();
    hold.lock().unwrap();

    let doctor = sandbox.json(&["doctor"]);
    assert_eq!(doctor.exit, 0);
    let mut told = found(doctor.doctor());
    told.sort_unstable();
    assert_eq!(
        told,
        [
            ("leftover-staging", ".staging-dead"),
            ("leftover-staging", ".staging-file"),
            ("leftover-staging", ".staging-half")
        ]
    );
    assert_eq!(sandbox.json(&["list"]).list().packages.len(), 2);
    assert!(dead.exists(), "readers sweep nothing");
    sandbox.run(&["sync"]).expect(0);
    assert_eq!(leftovers(&sandbox.packages()), [".staging-alive"]);
    assert!(sandbox.packages().join("staging-mine").exists());
    drop(hold);
    sandbox.run(&["hold", "gravewatch"]).expect(0);
    assert_eq!(leftovers(&sandbox.packages()), [""; 0]);
}

#[test]
fn an_intent_nobody_can_read_is_set_aside_with_a_warning() {
    let sandbox = a_store();
    let before = Store::of(&sandbox.packages());
    let intent = sandbox.packages().join(".rulepack-intent.json");
    fs::write(&intent, "{\"schema\":1,\"trans").unwrap();
    let answer = sandbox.json(&["list"]);
    assert_eq!((answer.exit, answer.warning_codes()), (0, vec!["damaged-intent"]));
    assert!(!intent.exists());
    fs::remove_file(sandbox.packages().join(".rulepack-intent.json.damaged")).unwrap();
    before.assert_same(&Store::of(&sandbox.packages()), "an unreadable intent");
}

#[test]
fn a_file_where_a_folder_should_be_is_an_io_error_and_stays() {
    for blocked in ["capability-packages", "capability-packages/versions", "capability-packages/versions/ember-roads"] {
        let sandbox = Sandbox::new();
        let folder = sandbox.work();
        let sandbox = sandbox.catalog(folder);
        publish(&sandbox, road("1.0.0"));
        let file = sandbox.data().join(blocked);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, "mine").unwrap();
        let answer = sandbox.json(&["install", "ember-roads"]);
        assert_eq!((answer.code(), answer.exit), ("io", 1), "{blocked}");
        assert!(answer.error.as_ref().unwrap().message.contains(blocked), "{blocked}: {answer:#?}");
        assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
        assert!(leftovers(&sandbox.packages()).is_empty());
    }
}

#[test]
fn a_data_folder_that_is_a_file_is_an_error_to_readers_too() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("not-a-folder", "x");
    for command in [&["list"][..], &["doctor"], &["path", "x"]] {
        let answer = sandbox.command(command).env("RULEPACK_DATA_DIR", &file).json();
        assert_eq!((answer.code(), answer.exit), ("io", 1), "{command:?}");
    }
}
