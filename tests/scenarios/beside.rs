//! Beside the engine, which writes the same records without our lock, and beside other versions of rulepack: what they
//! did stands, and what is theirs is never damaged (docs/spec/commands.md#store-1, #store-6, #store-9).

use super::kills::{grave, road};
use super::kit::engine;
use super::kit::envelope::{Action, State};
#[cfg(target_os = "linux")]
use super::kit::mounts::Mounts;
use super::kit::publish::{Catalog, Ruleset};
use super::kit::sandbox::{Running, Sandbox};
use super::kit::second_writer::Engine;
use super::kit::soundness::{Store, disk, leftovers, registry_names_only_whole_versions};
use super::kit::until;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const ROADS: &str = "ember-roads";

fn publish(sandbox: &Sandbox, ruleset: Ruleset) {
    Catalog::on_disk().with(ruleset).with(grave()).write(&sandbox.work());
}

/// A reader of Russian with `ember-roads` 1.0.0, 0.9.0 before it; the catalog has `gravewatch` as well.
fn a_store() -> Sandbox {
    let sandbox = Sandbox::new().env("RULEPACK_PRETEND", "no-power-cuts");
    let work = sandbox.work();
    let sandbox = sandbox.catalog(work);
    publish(&sandbox, road("0.9.0"));
    sandbox.run(&["language", "ru"]).expect(0);
    sandbox.run(&["install", ROADS]).expect(0);
    publish(&sandbox, road("1.0.0"));
    sandbox.run(&["update"]).expect(0);
    sandbox
}

fn record_of(sandbox: &Sandbox, id: &str) -> Value {
    let registry = Engine::beside(sandbox).read();
    let records = registry["packages"].as_array().unwrap();
    records.iter().find(|record| record["id"] == id).cloned().unwrap_or_default()
}

/// Runs a command that is killed at a place; whether it came to it.
fn killed(sandbox: &Sandbox, command: &[&str], place: &str) -> bool {
    sandbox.command(command).env("RULEPACK_CRASH_AT", place).run().status.is_none()
}

#[track_caller]
fn is_sound(sandbox: &Sandbox, at: &str) {
    registry_names_only_whole_versions(&sandbox.packages()).unwrap_or_else(|why| panic!("{at}: {why}"));
    engine::rulesets(sandbox);
}

/// A command that changes a store which the sandbox holds.
struct Scene {
    start: fn() -> Sandbox,
    command: &'static [&'static str],
}

fn update() -> Sandbox {
    let sandbox = a_store();
    publish(&sandbox, road("1.1.0"));
    sandbox
}

/// The folder is exchanged under the same number, and in the old one lies a file of the reader's own.
fn republished() -> Sandbox {
    let sandbox = a_store();
    publish(&sandbox, road("1.0.0").asset("catalogs/more.json", "{\"entries\": []}"));
    fs::write(sandbox.version(ROADS, "1.0.0").join("mine.txt"), "mine").unwrap();
    sandbox
}

/// A reader who has nothing yet.
fn nothing() -> Sandbox {
    let sandbox = Sandbox::new().env("RULEPACK_PRETEND", "no-power-cuts");
    let work = sandbox.work();
    let sandbox = sandbox.catalog(work);
    publish(&sandbox, road("1.0.0"));
    sandbox.run(&["language", "ru"]).expect(0);
    sandbox
}

const SCENES: &[Scene] = &[
    Scene { start: update, command: &["update"] },
    Scene { start: republished, command: &["update"] },
    Scene { start: a_store, command: &["install", ROADS, "--force"] },
    Scene { start: a_store, command: &["rollback", ROADS] },
    Scene { start: a_store, command: &["language", "de"] },
    Scene { start: a_store, command: &["uninstall", ROADS] },
    Scene { start: nothing, command: &["install", ROADS] },
];

/// What the engine did between the kill and the next run.
type Meanwhile = (&'static str, fn(&Engine));

const ENGINES: &[Meanwhile] = &[
    ("uninstalls it", |engine| engine.uninstall(ROADS)),
    ("installs the version it has again", |engine| engine.install(&road("1.0.0"))),
    ("installs 2.0.0", |engine| engine.install(&road("2.0.0"))),
];

const PLACES: &[&str] = &[
    "intent-written",
    "folder-placed",
    "pack-placed",
    "records-ready",
    "state-written",
    "decisions-written",
    "registry-written",
    "recorded",
    "cleaned-up",
];

#[test]
fn what_the_engine_did_after_a_kill_stands_and_what_is_left_over_goes() {
    for Scene { start, command } in SCENES {
        for place in PLACES {
            for (does, act) in ENGINES {
                let sandbox = start();
                if !killed(&sandbox, command, place) {
                    break;
                }
                let at = format!("{command:?} killed at {place}, the engine {does}");
                let before = record_of(&sandbox, ROADS);
                act(&Engine::beside(&sandbox));
                let theirs = record_of(&sandbox, ROADS);
                let mine = fs::read(sandbox.version(ROADS, "1.0.0").join("mine.txt")).is_ok();
                let answer = sandbox.json(&["list"]);
                assert_eq!(answer.exit, 0, "{at}: {answer:#?}");
                // Where the record is as it was, it does not tell that the engine was there, and either way is right.
                assert!(before == theirs || record_of(&sandbox, ROADS) == theirs, "{at}: {answer:#?}");
                is_sound(&sandbox, &at);
                sandbox.run(&["sync"]);
                assert_eq!(leftovers(&sandbox.packages()), [""; 0], "{at}");
                is_sound(&sandbox, &at);
                assert!(!mine || sandbox.version(ROADS, "1.0.0").join("mine.txt").exists(), "{at}: lost a file");
                // And it can be gone on with.
                publish(&sandbox, road("3.0.0"));
                sandbox.run(&["install", ROADS]).expect(0);
                is_sound(&sandbox, &at);
            }
        }
    }
}

/// The engine's record of 2.0.0 names 1.0.0, as it was, for the version before; the dead run had exchanged its folder.
#[test]
fn a_folder_exchanged_under_the_engines_record_is_put_back_with_what_lay_in_it() {
    let sandbox = republished();
    assert!(killed(&sandbox, &["update"], "state-written"));
    Engine::beside(&sandbox).install(&road("2.0.0"));
    let answer = sandbox.json(&["list"]);
    assert_eq!(answer.warning_codes(), ["change-dropped"], "{answer:#?}");
    is_sound(&sandbox, "after the engine's install of 2.0.0");
    let folder = sandbox.version(ROADS, "1.0.0");
    assert_eq!(fs::read_to_string(folder.join("mine.txt")).unwrap(), "mine");
    assert!(!folder.join("catalogs/more.json").exists());
    sandbox.run(&["sync"]).expect(0);
    sandbox.run(&["rollback", ROADS]).expect(0);
    is_sound(&sandbox, "after a rollback");
}

/// A whole package the engine removed comes back by nobody.
#[test]
fn a_killed_rollback_never_brings_back_what_the_engine_uninstalled() {
    let sandbox = a_store();
    assert!(killed(&sandbox, &["rollback", ROADS], "intent-written"));
    Engine::beside(&sandbox).uninstall(ROADS);
    assert_eq!(sandbox.json(&["list"]).list().packages.len(), 0);
    assert_eq!(record_of(&sandbox, ROADS), Value::Null);
    assert!(!sandbox.packages().join("versions").join(ROADS).exists());
}

/// What somebody takes away between the kill and the next run.
type Removal = (&'static str, fn(&Sandbox));

/// Whatever somebody takes away of a change that died, no command after it is kept from going on.
#[test]
fn what_is_removed_after_a_kill_holds_up_nobody() {
    let remove_version = |sandbox: &Sandbox| drop(fs::remove_dir_all(sandbox.version(ROADS, "1.0.0")));
    let remove_all = |sandbox: &Sandbox| drop(fs::remove_dir_all(sandbox.packages().join("versions")));
    let remove_staged = |sandbox: &Sandbox| {
        let entries = fs::read_dir(sandbox.packages()).unwrap().map(|entry| entry.unwrap());
        let staged = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(".staging-"));
        staged.filter(|entry| entry.path().is_dir()).for_each(|entry| fs::remove_dir_all(entry.path()).unwrap());
    };
    let removals: &[Removal] =
        &[("the version", remove_version), ("all versions", remove_all), ("what is staged", remove_staged)];
    let puts_in_place = SCENES[..3].iter().chain(SCENES.last());
    for Scene { start, command } in puts_in_place {
        for place in ["folder-placed", "pack-placed", "state-written", "recorded"] {
            for (what, remove) in removals {
                let sandbox = start();
                if !killed(&sandbox, command, place) {
                    break;
                }
                let at = format!("{command:?} killed at {place}, {what} removed");
                remove(&sandbox);
                let answer = sandbox.json(&["list"]);
                assert_eq!(answer.exit, 0, "{at}: {answer:#?}");
                sandbox.run(&["install", "gravewatch"]).expect(0);
                sandbox.run(&["install", ROADS]).expect(0);
                sandbox.run(&["sync"]).expect(0);
                assert_eq!(leftovers(&sandbox.packages()), [""; 0], "{at}");
            }
        }
    }
}

/// What the dead run had made of 1.0.0 is what the engine's record of 2.0.0 has for the version before.
#[test]
fn a_version_that_stays_under_the_engines_record_is_still_known() {
    let sandbox = republished();
    assert!(killed(&sandbox, &["update"], "recorded"));
    Engine::beside(&sandbox).install(&road("2.0.0"));
    sandbox.run(&["list"]).expect(0);
    assert_eq!(damage(&sandbox), [""; 0]);
    sandbox.run(&["rollback", ROADS]).expect(0);
    is_sound(&sandbox, "after a rollback");
}

/// What `doctor` finds wrong with versions; the engine fetches no pack, and forgets what was before.
fn damage(sandbox: &Sandbox) -> Vec<String> {
    let mut found = findings(sandbox);
    found.retain(|code| code.starts_with("damaged") || code.starts_with("missing-version"));
    found
}

#[test]
fn what_the_engine_put_in_the_place_of_a_version_is_whole_by_its_own_record() {
    let sandbox = a_store();
    Engine::beside(&sandbox).install(&road("1.0.0").asset("catalogs/more.json", "{\"entries\": []}"));
    assert_eq!(damage(&sandbox), [""; 0]);
    sandbox.run(&["doctor", "--repair"]).expect(0);
    assert!(sandbox.version(ROADS, "1.0.0").join("catalogs/more.json").exists());
    // And as the version before.
    Engine::beside(&sandbox).install(&road("2.0.0"));
    assert_eq!(damage(&sandbox), [""; 0]);
    sandbox.run(&["rollback", ROADS]).expect(0);
    is_sound(&sandbox, "after a rollback");
}

// ---- both at the same moment

/// Runs a command up to a place, lets somebody else do something there, and lets it go on.
fn stopped_at(sandbox: &Sandbox, command: &[&str], place: &str) -> Running {
    let run = sandbox.command(command).arg("--json").env("RULEPACK_STOP_AT", place).spawn();
    let id = run.id().to_string();
    until(|| {
        let state = Command::new("ps").args(["-o", "stat=", "-p", &id]).output().unwrap();
        state.stdout.starts_with(b"T")
    });
    run
}

#[test]
fn what_the_engine_wrote_a_moment_before_is_in_the_registry_that_is_written() {
    for (start, command) in [
        (update as fn() -> Sandbox, &["update"][..]),
        (a_store, &["install", "gravewatch"]),
        (a_store, &["rollback", ROADS]),
        (a_store, &["uninstall", ROADS]),
        (a_store, &["language", "de"]),
    ] {
        for place in ["intent-written", "records-ready", "state-written", "decisions-written"] {
            let sandbox = start();
            let reference = start();
            reference.run(command).expect(0);
            if !reached(&start(), command, place) {
                continue;
            }
            let run = stopped_at(&sandbox, command, place);
            Engine::beside(&sandbox).install(&Ruleset::new("tiny", "1.0.0"));
            run.signal("CONT");
            run.wait().expect(0);
            let at = format!("{command:?} at {place}");
            assert_eq!(Engine::beside(&sandbox).version_of("tiny").as_deref(), Some("1.0.0"), "{at}");
            let versions = |sandbox: &Sandbox| Engine::beside(sandbox).version_of(ROADS);
            assert_eq!(versions(&sandbox), versions(&reference), "{at}");
            is_sound(&sandbox, &at);
            assert_eq!(leftovers(&sandbox.packages()), [""; 0], "{at}");
        }
    }
}

fn reached(sandbox: &Sandbox, command: &[&str], place: &str) -> bool {
    killed(sandbox, command, place)
}

#[test]
fn a_ruleset_the_engine_changes_at_the_same_moment_is_the_engines() {
    for (start, command) in [
        (update as fn() -> Sandbox, &["update"][..]),
        (republished, &["update"]),
        (a_store, &["rollback", ROADS]),
        (a_store, &["uninstall", ROADS]),
        (a_store, &["install", ROADS, "--force"]),
    ] {
        for place in ["intent-written", "records-ready", "state-written"] {
            for (does, act) in ENGINES {
                let sandbox = start();
                let run = stopped_at(&sandbox, command, place);
                act(&Engine::beside(&sandbox));
                let theirs = record_of(&sandbox, ROADS);
                run.signal("CONT");
                let at = format!("{command:?} at {place}, the engine {does}");
                let answer = run.wait().json();
                // What both wanted is done.
                if command[0] != "uninstall" || !theirs.is_null() {
                    assert_eq!((answer.exit, answer.code()), (7, "locked"), "{at}: {answer:#?}");
                }
                assert_eq!(record_of(&sandbox, ROADS), theirs, "{at}");
                is_sound(&sandbox, &at);
                sandbox.run(&["sync"]);
                assert_eq!(leftovers(&sandbox.packages()), [""; 0], "{at}");
            }
        }
    }
}

#[test]
fn writing_at_random_moments_costs_the_engine_no_record() {
    let sandbox = a_store();
    let engine = Engine::beside(&sandbox);
    let tiny = Ruleset::new("tiny", "1.0.0");
    let mut lost = Vec::new();
    for n in 0..40_u64 {
        let command: &[&str] =
            if n % 2 == 0 { &["rollback", ROADS] } else { &["language", ["de", "ru"][n as usize / 2 % 2]] };
        let run = sandbox.command(command).spawn();
        std::thread::sleep(Duration::from_micros(n * 37 % 23 * 700));
        if n % 4 < 2 {
            engine.install(&tiny)
        } else {
            engine.uninstall("tiny")
        }
        run.wait();
        if engine.version_of("tiny").is_some() != (n % 4 < 2) {
            lost.push(n);
        }
        is_sound(&sandbox, &format!("round {n}"));
    }
    assert_eq!(lost, [0_u64; 0]);
}

// ---- records that the engine wrote over

fn findings(sandbox: &Sandbox) -> Vec<String> {
    let doctor = sandbox.json(&["doctor"]);
    doctor.doctor().problems.iter().map(|problem| problem.code.clone()).collect()
}

/// The engine had read the registry before a command and writes it back after.
#[test]
fn a_record_the_engine_wrote_over_is_found_and_mended() {
    let commands: &[&[&str]] = &[&["install", "gravewatch"], &["update"], &["rollback", ROADS]];
    for command in commands {
        let sandbox = update();
        let engine = Engine::beside(&sandbox);
        let stale = engine.begin_install(&Ruleset::new("tiny", "1.0.0"));
        sandbox.run(command).expect(0);
        let wanted = Store::of(&sandbox.packages());
        stale.finish();
        assert_eq!(findings(&sandbox), ["lost-record"], "{command:?}");
        sandbox.run(&["doctor", "--repair"]).expect(0);
        assert_eq!(findings(&sandbox), [""; 0], "{command:?}");
        for id in [ROADS, "gravewatch"] {
            assert_eq!(Store::of(&sandbox.packages()).records_of(id), wanted.records_of(id), "{command:?}");
        }
        assert_eq!(engine.version_of("tiny").as_deref(), Some("1.0.0"));
        is_sound(&sandbox, "mended");
    }
}

#[test]
fn what_the_engine_meant_is_no_lost_record() {
    let sandbox = a_store();
    Engine::beside(&sandbox).uninstall(ROADS);
    assert_eq!(findings(&sandbox), [""; 0], "uninstalled");
    let sandbox = a_store();
    Engine::beside(&sandbox).install(&road("2.0.0"));
    assert!(!findings(&sandbox).contains(&"lost-record".to_owned()), "updated");
    sandbox.run(&["doctor", "--repair"]).expect(0);
    assert_eq!(Engine::beside(&sandbox).version_of(ROADS).as_deref(), Some("2.0.0"));
    // A folder that is not whole any more may be one the engine is taking away.
    let sandbox = a_store();
    fs::remove_file(sandbox.version(ROADS, "1.0.0").join("ruleset.json")).unwrap();
    let registry = sandbox.packages().join("installed.json");
    fs::write(&registry, "{\n  \"schemaVersion\": 1,\n  \"packages\": []\n}").unwrap();
    assert!(!findings(&sandbox).contains(&"lost-record".to_owned()));
}

#[test]
fn a_record_the_engine_marked_as_faulty_is_shown_and_healed() {
    let heal: &[&[&str]] = &[&["install", ROADS], &["doctor", "--repair"]];
    for command in heal {
        let sandbox = a_store();
        Engine::beside(&sandbox).mark_as_faulty(ROADS, "it \u{1b}[31mwould not load");
        let list = sandbox.json(&["list"]);
        assert_eq!(list.list().packages[0].state, State::Damaged);
        assert_eq!(list.warning_codes(), ["record-error"]);
        assert!(list.warnings[0].message.contains("would not load"));
        assert!(!sandbox.run(&["list"]).stderr.contains("\u{1b}[31mwould"), "it reaches the terminal as it is");
        assert_eq!(findings(&sandbox), ["record-error"]);
        sandbox.run(command).expect(0);
        let record = record_of(&sandbox, ROADS);
        assert_eq!((&record["status"], &record["error"]), (&json!("active"), &Value::Null), "{command:?}");
        assert_eq!(sandbox.json(&["list"]).warnings, []);
        assert_eq!(findings(&sandbox), [""; 0]);
        is_sound(&sandbox, "healed");
    }
}

// ---- beside other versions of rulepack

const WRITERS: &[&[&str]] = &[
    &["update"],
    &["install", "gravewatch"],
    &["rollback", ROADS],
    &["uninstall", ROADS],
    &["language", "de"],
    &["hold", ROADS],
];
const READERS: &[&[&str]] = &[&["list"], &["path", ROADS], &["outdated"], &["info", ROADS], &["doctor"], &["search"]];

fn state_path(sandbox: &Sandbox) -> PathBuf {
    sandbox.packages().join("rulepack.json")
}

#[test]
fn a_record_or_an_intent_of_a_newer_rulepack_is_never_damaged() {
    for name in ["rulepack.json", ".rulepack-intent.json"] {
        let sandbox = update();
        let path = sandbox.packages().join(name);
        let mut newer =
            fs::read(&path).ok().map(|bytes| serde_json::from_slice::<Value>(&bytes).unwrap()).unwrap_or_default();
        newer["schema"] = json!(2);
        fs::write(&path, newer.to_string()).unwrap();
        // Named by the intent, for all this program knows.
        let staged = sandbox.packages().join(".staging-newer/0");
        fs::create_dir_all(&staged).unwrap();
        fs::write(staged.join("mine.txt"), "mine").unwrap();
        let before = disk(&sandbox);
        for command in WRITERS {
            let answer = sandbox.json(command);
            assert_eq!((answer.exit, answer.code()), (8, "damaged-store"), "{name}, {command:?}: {answer:#?}");
            assert!(format!("{answer:?}").contains("newer rulepack"), "{name}, {command:?}: {answer:#?}");
            before.assert_same(&disk(&sandbox));
        }
        for command in READERS {
            let answer = sandbox.json(command);
            assert_eq!(answer.exit, 0, "{name}, {command:?}: {answer:#?}");
            assert!(
                answer.warnings.iter().any(|warning| warning.message.contains("newer rulepack")),
                "{name}, {command:?}"
            );
            before.assert_same(&disk(&sandbox));
        }
    }
}

/// What a later rulepack of the same schema keeps there, beside every value of ours, stays as long as that value does.
#[test]
fn keys_nobody_knows_survive_in_our_own_record() {
    /// Puts a key into every object, with its own place for a value.
    fn mark(value: &mut Value, place: &str) {
        let below: Vec<(String, &mut Value)> = match value {
            Value::Object(object) => {
                // Of these the keys are ids and versions.
                if !["/packages", "/imported"].contains(&place) && !place.ends_with("/versions") {
                    object.insert("later".to_owned(), json!({ "of": place }));
                }
                object.iter_mut().filter(|(key, _)| *key != "later").map(|(key, value)| (key.clone(), value)).collect()
            }
            Value::Array(array) => array.iter_mut().enumerate().map(|(at, value)| (at.to_string(), value)).collect(),
            _ => return,
        };
        below.into_iter().for_each(|(key, value)| mark(value, &format!("{place}/{key}")));
    }
    /// The objects that have lost theirs, or never had one.
    fn bare(value: &Value, place: &str, found: &mut Vec<String>) {
        let below: Vec<(String, &Value)> = match value {
            Value::Object(object) => {
                if !object.contains_key("later") {
                    found.push(place.to_owned());
                }
                object.iter().filter(|(key, _)| *key != "later").map(|(key, value)| (key.clone(), value)).collect()
            }
            Value::Array(array) => array.iter().enumerate().map(|(at, value)| (at.to_string(), value)).collect(),
            _ => return,
        };
        below.into_iter().for_each(|(key, value)| bare(value, &format!("{place}/{key}"), found));
    }
    let sandbox = update();
    sandbox.run(&["sync", "--language", "ru"]).expect(0);
    sandbox.run(&["import", concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/rulesets/ember-roads.json")]).expect(0);
    let read = || serde_json::from_slice::<Value>(&fs::read(state_path(&sandbox)).unwrap()).unwrap();
    let bare_of = |state: &Value| {
        let mut found = Vec::new();
        bare(state, "", &mut found);
        found.retain(|place| !["/packages", "/imported"].contains(&place.as_str()) && !place.ends_with("/versions"));
        found
    };
    let mut state = read();
    mark(&mut state, "");
    assert!(bare_of(&state).is_empty(), "{state:#}");
    let marked = state.to_string().matches("later").count();
    assert!(marked > 12, "{state:#}");
    fs::write(state_path(&sandbox), state.to_string()).unwrap();
    // Nothing of it goes where nothing is replaced.
    for command in [&["hold", ROADS][..], &["unhold", ROADS], &["sync", "--language", "ru"]] {
        sandbox.run(command).expect(0);
        assert_eq!(bare_of(&read()), Vec::<String>::new(), "{command:?}");
        assert_eq!(read().to_string().matches("later").count(), marked, "{command:?}");
    }
    // A pack that goes takes along what was said of it.
    sandbox.run(&["language", "de"]).expect(0);
    let roads = format!("/packages/{ROADS}/versions/1.0.0");
    assert_eq!((bare_of(&read()), read().pointer(&format!("{roads}/pack"))), (Vec::new(), Some(&Value::Null)));
    sandbox.run(&["update"]).expect(0);
    sandbox.run(&["install", "gravewatch"]).expect(0);
    let after = read();
    for place in ["", &format!("/packages/{ROADS}"), &roads, &format!("{roads}/artifact"), &format!("{roads}/manifest")]
    {
        let later = format!("{place}/later/of");
        assert_eq!(after.pointer(&later), Some(&json!(place)), "{after:#}");
    }
}

// ---- something else in the place of a record

#[test]
fn a_link_in_the_place_of_a_record_is_neither_followed_nor_replaced() {
    for name in ["installed.json", "rulepack.json", "update-decisions-v1.json", ".rulepack-intent.json"] {
        for dangling in [false, true] {
            let sandbox = update();
            let path = sandbox.packages().join(name);
            let elsewhere = sandbox.root().join("elsewhere.json");
            match fs::rename(&path, &elsewhere) {
                Err(_) => fs::write(&elsewhere, "{}").unwrap(),
                Ok(()) if dangling => fs::remove_file(&elsewhere).unwrap(),
                Ok(()) => {}
            }
            symlink(&elsewhere, &path).unwrap();
            let before = disk(&sandbox);
            let there = fs::read(&elsewhere).ok();
            for command in [&["update"][..], &["rollback", ROADS]] {
                let answer = sandbox.json(command);
                assert_eq!((answer.exit, answer.code()), (8, "damaged-store"), "{name}, {command:?}: {answer:#?}");
                before.assert_same(&disk(&sandbox));
            }
            let list = sandbox.json(&["list"]);
            match name {
                "installed.json" => assert_eq!((list.exit, list.code()), (8, "damaged-store")),
                _ => assert!(list.exit == 0 && !list.warnings.is_empty(), "{name}: {list:#?}"),
            }
            before.assert_same(&disk(&sandbox));
            assert_eq!(fs::read(&elsewhere).ok(), there, "{name}");
        }
    }
}

#[test]
fn a_record_larger_than_any_is_not_read() {
    for name in ["installed.json", "rulepack.json", ".rulepack-intent.json", "update-decisions-v1.json"] {
        let sandbox = a_store();
        let file =
            fs::File::options().create(true).write(true).truncate(false).open(sandbox.packages().join(name)).unwrap();
        file.set_len((32 << 20) + 1).unwrap();
        let answer = sandbox.json(&["list"]);
        let told = format!("{:?} {:?}", answer.error, answer.warnings);
        assert!(told.contains("larger than 32 MiB"), "{name}: {told}");
        assert_eq!(answer.exit, if name == "installed.json" { 8 } else { 0 }, "{name}: {told}");
        sandbox.run(&["doctor", "--repair"]);
        let answer = sandbox.json(&["list"]);
        assert_eq!((answer.exit, answer.list().packages.len()), (0, 1), "{name}: {answer:#?}");
    }
}

// ---- a recovery that cannot be finished

/// The reader's own file is somewhere below a folder.
fn finds(folder: &Path, name: &str) -> bool {
    fs::read_dir(folder).into_iter().flatten().flatten().any(|entry| {
        entry.file_name().to_string_lossy() == name || (entry.path().is_dir() && finds(&entry.path(), name))
    })
}

/// Whatever fails in a recovery, once or from then on, it is done, taken back, or left to the next run with all that
/// belongs to it; and no reader goes on where the registry says what is not so.
#[test]
fn a_recovery_in_which_operations_fail_loses_nothing() {
    for Scene { start, command } in &SCENES[..5] {
        for (place, from_then_on) in [("intent-written", ""), ("folder-placed", "+"), ("state-written", "+")] {
            for n in 1.. {
                let sandbox = start();
                if !killed(&sandbox, command, place) {
                    break;
                }
                let had_mine = finds(&sandbox.packages(), "mine.txt");
                let log = sandbox.root().join("log");
                let run = sandbox.command(&["list"]).env("RULEPACK_FAIL_AT", format!("{n}{from_then_on}"));
                let answer = run.env("RULEPACK_CRASH_LOG", &log).json();
                let at = format!("{command:?} killed at {place}, operation {n}{from_then_on} of its recovery failing");
                match answer.exit {
                    0 => is_sound(&sandbox, &at),
                    _ => assert_eq!((answer.exit, answer.code()), (8, "damaged-store"), "{at}: {answer:#?}"),
                }
                let failed = log.exists();
                assert!(!had_mine || finds(&sandbox.packages(), "mine.txt"), "{at}");
                sandbox.run(&["sync"]).expect(0);
                assert_eq!(leftovers(&sandbox.packages()), [""; 0], "{at}");
                is_sound(&sandbox, &at);
                assert!(!had_mine || finds(&sandbox.packages().join("versions"), "mine.txt"), "{at}");
                if !failed {
                    break;
                }
            }
        }
    }
}

/// One look over the store reads it often, and tries to finish what cannot be finished once.
/// What a reader had put into the folder that was exchanged has nowhere to go back to. It is kept, said, and holds up
/// nobody.
#[test]
fn a_file_in_the_place_of_a_version_folder_after_a_kill_is_named_and_holds_up_no_other_package() {
    for place in ["folder-placed", "recorded", "registry-written"] {
        let sandbox = republished();
        assert!(killed(&sandbox, &["update"], place), "{place}");
        let folder = sandbox.version(ROADS, "1.0.0");
        fs::remove_dir_all(&folder).unwrap();
        fs::write(&folder, "a file").unwrap();
        let other = sandbox.json(&["install", "gravewatch"]);
        assert_eq!(other.exit, 0, "{place}: {other:#?}");
        assert!(other.warnings.iter().all(|told| !told.message.contains("another package")), "{place}: {other:#?}");
        assert!(finds(&sandbox.packages(), "mine.txt"), "{place}: {other:#?}");
        // Where what was there before could be put back, the file made room for it, and is kept.
        let aside = folder.with_file_name("1.0.0.kept");
        if folder.is_file() {
            let own = sandbox.json(&["install", ROADS, "--force"]);
            let error = own.error.as_ref().unwrap();
            assert!(error.message.contains("a regular file is in its place"), "{place}: {own:#?}");
            assert!(error.hint.as_ref().unwrap().contains("move away the file"), "{place}: {own:#?}");
            fs::rename(&folder, &aside).unwrap();
        }
        assert_eq!(fs::read_to_string(&aside).unwrap(), "a file", "{place}: {other:#?}");
        sandbox.run(&["install", ROADS, "--force"]).expect(0);
        assert!(finds(&sandbox.packages(), "mine.txt"), "{place}");
        is_sound(&sandbox, place);
    }
}

/// What was staged cannot be read any more, today or ever: the change is taken back, and the next one made.
#[cfg(target_os = "linux")]
#[test]
fn what_was_staged_and_cannot_be_read_any_more_holds_up_nobody() {
    for (command, broken) in [(&["update"][..], "ruleset.json"), (&["language", "de"], "")] {
        let sandbox = update();
        if broken.is_empty() {
            // The catalog lists the very version that is there.
            publish(&sandbox, road("1.0.0"));
        }
        assert!(killed(&sandbox, command, "intent-written"), "{command:?}");
        let staged = fs::read_dir(sandbox.packages()).unwrap().map(|entry| entry.unwrap().path());
        let staging = staged
            .into_iter()
            .find(|path| path.file_name().unwrap().to_string_lossy().starts_with(".staging-"))
            .unwrap();
        let file = if broken.is_empty() { staging.join("0") } else { staging.join("0").join(broken) };
        assert!(file.is_file(), "{command:?}: {}", file.display());
        let Some(mounts) = Mounts::broken(&file) else { return };
        let other = mounts.run(sandbox.command(&["install", "gravewatch", "--json"])).expect(0).json();
        assert!(other.warning_codes().contains(&"change-dropped"), "{command:?}: {other:#?}");
        assert!(!sandbox.packages().join(".rulepack-intent.json").exists(), "{command:?}: {other:#?}");
        let again = mounts.run(sandbox.command(&[command, &["--json"]].concat())).expect(0).json();
        let wanted = if broken.is_empty() { Action::Switched } else { Action::Updated };
        assert_eq!(again.package(ROADS).action, wanted, "{command:?}: {again:#?}");
        is_sound(&sandbox, broken);
    }
}

#[test]
fn a_recovery_that_cannot_be_finished_is_tried_once_a_run() {
    let sandbox = republished();
    assert!(killed(&sandbox, &["update"], "state-written"));
    let log = sandbox.root().join("log");
    let run = sandbox.command(&["doctor"]).env("RULEPACK_FAIL_AT", "1+").env("RULEPACK_CRASH_LOG", &log);
    let answer = run.json();
    let told: Vec<_> = answer.warning_codes().into_iter().filter(|code| *code == "unfinished-change").collect();
    assert_eq!(told.len(), 1, "{answer:#?}");
    let tried = fs::read_to_string(&log).unwrap().lines().count();
    assert!((1..10).contains(&tried), "{tried} operations failed: {answer:#?}");
}

/// What cannot ever be finished, because what was staged is gone, is taken back as a whole.
#[test]
fn a_change_whose_staged_pack_is_gone_is_taken_back() {
    let sandbox = republished();
    let before = Store::of(&sandbox.packages());
    assert!(killed(&sandbox, &["update"], "folder-placed"));
    for entry in fs::read_dir(sandbox.packages()).unwrap() {
        let folder = entry.unwrap().path();
        if folder.file_name().unwrap().to_string_lossy().starts_with(".staging-") {
            for staged in fs::read_dir(folder).unwrap().map(|staged| staged.unwrap().path()) {
                if staged.is_file() && fs::read(&staged).unwrap().starts_with(b"{") {
                    fs::remove_file(staged).unwrap();
                }
            }
        }
    }
    let answer = sandbox.json(&["list"]);
    assert_eq!((answer.exit, answer.warning_codes()), (0, vec!["change-dropped"]), "{answer:#?}");
    before.assert_same(&Store::of(&sandbox.packages()), "taken back");
}

#[test]
fn what_an_unreadable_intent_may_have_named_is_kept() {
    let sandbox = republished();
    assert!(killed(&sandbox, &["update"], "folder-placed"));
    let intent = sandbox.packages().join(".rulepack-intent.json");
    let bytes = fs::read(&intent).unwrap();
    fs::write(&intent, &bytes[..bytes.len() / 2]).unwrap();
    let answer = sandbox.json(&["sync"]);
    assert!(answer.warning_codes().contains(&"damaged-intent"), "{answer:#?}");
    sandbox.run(&["hold", ROADS]).expect(0);
    let kept = fs::read_dir(sandbox.packages()).unwrap().map(|entry| entry.unwrap().path());
    let kept: Vec<PathBuf> =
        kept.filter(|path| path.is_dir() && finds(path, "mine.txt") && !path.ends_with("versions")).collect();
    assert_eq!(kept.len(), 1, "{answer:#?}");
    assert!(answer.warnings[0].message.contains(&kept[0].display().to_string()), "{answer:#?}");
    sandbox.run(&["doctor", "--repair"]);
    is_sound(&sandbox, "repaired");
    assert!(finds(&kept[0], "mine.txt"));
}

#[test]
fn a_damaged_record_of_ours_with_an_unfinished_change_is_set_right_before_that_is_finished() {
    for how in ["cut", "rubbish in one package", "empty"] {
        let sandbox = update();
        sandbox.run(&["install", "gravewatch"]).expect(0);
        sandbox.run(&["hold", "gravewatch"]).expect(0);
        sandbox.run(&["import", concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/rulesets/ember-roads.json")]).expect(0);
        assert!(killed(&sandbox, &["update"], "folder-placed"));
        let text = fs::read_to_string(state_path(&sandbox)).unwrap();
        let damaged = match how {
            "cut" => text[..text.find("\"imported\"").unwrap()].to_owned(),
            "rubbish in one package" => text.replacen("\"versions\": {", "\"versions\": 7, \"was\": {", 1),
            _ => String::new(),
        };
        assert_ne!(damaged, text);
        fs::write(state_path(&sandbox), &damaged).unwrap();
        let answer = sandbox.json(&["list"]);
        assert_eq!(answer.exit, 0, "{how}: {answer:#?}");
        assert!(answer.warning_codes().contains(&"state-rebuilt"), "{how}: {answer:#?}");
        let packages = &answer.list().packages;
        let row = |id: &str| packages.iter().find(|package| package.id == id).unwrap();
        assert_eq!((row(ROADS).version.as_str(), row(ROADS).state), ("1.1.0", State::Ok), "{how}");
        assert_eq!(row("local/ember-roads").state, State::Ok, "{how}");
        assert_eq!(fs::read_to_string(sandbox.packages().join("rulepack.json.damaged")).unwrap(), damaged);
        if how != "empty" {
            assert!(row("gravewatch").held, "{how}: {answer:#?}");
            assert_eq!(sandbox.json(&["list"]).warnings, [], "{how}");
            let state: Value = serde_json::from_slice(&fs::read(state_path(&sandbox)).unwrap()).unwrap();
            assert_eq!(state["language"], "ru", "{how}");
        }
        is_sound(&sandbox, how);
    }
}

#[test]
fn a_record_of_declined_versions_that_cannot_be_read_is_kept_and_one_of_a_newer_engine_left_alone() {
    for (text, stays) in [("{\"schemaVersion\":2,\"declined\":{\"chess\":1}}", true), ("garbage", false)] {
        let sandbox = a_store();
        let path = sandbox.packages().join("update-decisions-v1.json");
        fs::write(&path, text).unwrap();
        sandbox.run(&["rollback", ROADS]).expect(0);
        assert_eq!(fs::read_to_string(&path).unwrap() == text, stays, "{text}");
        let aside = sandbox.packages().join("update-decisions-v1.json.damaged");
        assert_eq!(fs::read_to_string(aside).ok().as_deref(), (!stays).then_some(text));
    }
}
