//! Many runs on one data folder (docs/spec/commands.md#store-4, docs/spec/lessons.md#b23): writers take turns, readers
//! never wait, and what is left in the end is one consistent store.

use super::kit::envelope::{Action, State};
use super::kit::publish::{Catalog, Ruleset};
use super::kit::sandbox::{Outcome, Running, Sandbox};
use super::kit::server::Server;
use super::kit::soundness::{disk, leftovers, registry_names_only_whole_versions};
use super::kit::tree::Tree;
use super::kit::until;
use serde_json::Value;
use std::fs::File;
use std::time::{Duration, Instant};

const LANGUAGES: &[&str] = &["ru", "de", "pt"];

fn with_packs(ruleset: Ruleset) -> Ruleset {
    LANGUAGES.iter().fold(ruleset, |ruleset, language| ruleset.pack(language, &[("Grit", language)]))
}

fn catalog(road: &str) -> Catalog {
    Catalog::on_disk()
        .with(with_packs(Ruleset::new("ember-roads", road)))
        .with(with_packs(Ruleset::new("gravewatch", "0.3.0")))
        .with(with_packs(Ruleset::new("tiny", "2.0.0")))
}

/// `ember-roads` 1.0.0 with 0.9.0 before it, and `gravewatch`, in Russian; the catalog is the working folder.
fn a_store() -> Sandbox {
    let sandbox = Sandbox::new();
    let folder = sandbox.work();
    let sandbox = sandbox.catalog(folder);
    catalog("0.9.0").write(&sandbox.work());
    sandbox.run(&["language", "ru"]).expect(0);
    sandbox.run(&["install", "ember-roads", "gravewatch"]).expect(0);
    catalog("1.0.0").write(&sandbox.work());
    sandbox.run(&["update"]).expect(0);
    sandbox
}

/// Takes the lock as another rulepack would, and says that it is doing this.
fn held(sandbox: &Sandbox, doing: &str) -> File {
    let path = sandbox.packages().join(".rulepack.lock");
    std::fs::write(&path, doing).unwrap();
    let file = File::options().read(true).write(true).open(path).unwrap();
    file.lock().unwrap();
    file
}

const DOING: &str = "{\"pid\":4242,\"command\":\"update\"}";

/// Everything that has something to change.
const WRITERS: &[&[&str]] = &[
    &["install", "tiny"],
    &["install", "ember-roads", "--force"],
    &["rollback", "ember-roads"],
    &["uninstall", "gravewatch"],
    &["language", "de"],
    &["language", "auto"],
    &["sync", "--language", "de"],
    &["hold", "gravewatch"],
];

#[test]
fn a_second_writer_is_told_who_holds_the_lock() {
    let sandbox = a_store();
    let lock = held(&sandbox, DOING);
    let before = disk(&sandbox);
    for command in WRITERS {
        let answer = sandbox.command(command).arg("--lock-timeout").arg("0").json();
        assert_eq!((answer.code(), answer.exit), ("locked", 7), "{command:?}");
        let message = &answer.error.as_ref().unwrap().message;
        assert!(message.contains("`rulepack update` (process 4242)"), "{command:?}: {message}");
        before.assert_same(&disk(&sandbox));
    }
    drop(lock);
    sandbox.command(WRITERS[0]).arg("--lock-timeout").arg("0").run().expect(0);
}

#[test]
fn a_lock_whose_holder_cannot_be_told_is_a_lock_all_the_same() {
    let sandbox = a_store();
    for text in ["", "{\"pid\":", "\0\0\0", "{\"pid\":\"x\",\"command\":3}"] {
        let _lock = held(&sandbox, text);
        let answer = sandbox.json(&["uninstall", "gravewatch", "--lock-timeout", "0"]);
        assert_eq!(answer.code(), "locked");
        assert!(answer.error.as_ref().unwrap().message.contains("another rulepack"), "{text:?}");
    }
}

#[test]
fn what_a_dead_holder_wrote_into_the_lock_file_holds_nobody_up() {
    let sandbox = a_store();
    std::fs::write(sandbox.packages().join(".rulepack.lock"), DOING).unwrap();
    sandbox.run(&["uninstall", "gravewatch", "--lock-timeout", "0"]).expect(0);
}

#[test]
fn a_writer_waits_as_long_as_it_is_told_and_no_longer() {
    let sandbox = a_store();
    let _lock = held(&sandbox, DOING);
    let started = Instant::now();
    let answer = sandbox.json(&["uninstall", "gravewatch", "--lock-timeout", "1"]);
    assert_eq!(answer.code(), "locked");
    assert!(answer.error.as_ref().unwrap().message.contains("1 s"), "{answer:#?}");
    assert!(started.elapsed() >= Duration::from_secs(1));
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}

#[test]
fn a_writer_goes_on_when_the_lock_comes_free() {
    let sandbox = a_store();
    let lock = held(&sandbox, DOING);
    let mut waiting = sandbox.command(&["uninstall", "gravewatch", "--json"]).spawn();
    std::thread::sleep(Duration::from_millis(100));
    assert!(waiting.is_running());
    drop(lock);
    assert_eq!(waiting.wait().expect(0).json().package("gravewatch").action, Action::Removed);
}

#[test]
fn readers_and_runs_with_nothing_to_change_never_wait() {
    let sandbox = a_store();
    let _lock = held(&sandbox, DOING);
    let before = disk(&sandbox);
    for command in [
        &["list"][..],
        &["path", "ember-roads"],
        &["doctor"],
        &["language"],
        &["language", "ru"],
        &["sync"],
        &["install", "ember-roads", "gravewatch"],
        &["install", "tiny", "--dry-run"],
        &["update"],
        &["outdated"],
        &["search"],
        &["info", "tiny"],
    ] {
        let answer = sandbox.command(command).arg("--lock-timeout").arg("0").json();
        assert_eq!(answer.exit, 0, "{command:?}: {answer:#?}");
        assert_eq!(answer.warnings, [], "{command:?}");
        before.assert_same(&disk(&sandbox));
    }
}

/// Starts a command whose download of the artifact is held back, and returns once it has been asked for.
fn downloading(sandbox: &Sandbox, server: &Server, path: &str, command: &[&str]) -> Running {
    server.forget();
    server.hold_back(path);
    let running = sandbox.command(command).arg("--json").spawn();
    until(|| !server.requests_of(path).is_empty());
    running
}

fn on_a_server(server: &Server) -> (Sandbox, Catalog) {
    let sandbox = Sandbox::new().attach(server);
    let mut catalog = Catalog::on(server);
    for (id, version) in [("ember-roads", "1.0.0"), ("gravewatch", "0.3.0")] {
        catalog.publish(with_packs(Ruleset::new(id, version)));
    }
    catalog.mount(server);
    sandbox.run(&["install", "ember-roads"]).expect(0);
    catalog.publish(with_packs(Ruleset::new("ember-roads", "1.1.0")));
    catalog.mount(server);
    (sandbox, catalog)
}

#[test]
fn a_download_holds_no_lock() {
    let server = Server::https();
    let (sandbox, catalog) = on_a_server(&server);
    let path = catalog.artifact_path("ember-roads");
    let running = downloading(&sandbox, &server, &path, &["--refresh", "update"]);
    for command in [&["hold", "ember-roads"][..], &["unhold", "ember-roads"], &["list"]] {
        sandbox.command(command).arg("--lock-timeout").arg("0").run().expect(0);
    }
    server.let_go(&path);
    assert_eq!(running.wait().expect(0).json().package("ember-roads").action, Action::Updated);
}

#[test]
fn what_others_did_during_a_download_is_looked_at_before_anything_is_changed() {
    let server = Server::https();
    let (sandbox, catalog) = on_a_server(&server);
    let path = catalog.artifact_path("ember-roads");
    // Held meanwhile: the update leaves it alone after all.
    let running = downloading(&sandbox, &server, &path, &["--refresh", "update"]);
    sandbox.run(&["hold", "ember-roads"]).expect(0);
    server.let_go(&path);
    let answer = running.wait().expect(0).json();
    assert_eq!(answer.package("ember-roads").action, Action::Held);
    assert_eq!(answer.package("ember-roads").version.as_deref(), Some("1.0.0"));
    sandbox.run(&["unhold", "ember-roads"]).expect(0);

    // The language changed meanwhile: it comes with the pack of the new one.
    sandbox.run(&["cache", "clean"]).expect(0);
    let running = downloading(&sandbox, &server, &path, &["update"]);
    sandbox.run(&["language", "de"]).expect(0);
    server.let_go(&path);
    let answer = running.wait().expect(0).json();
    let pack = answer.package("ember-roads").language_pack.clone().unwrap();
    assert_eq!(pack.language.as_deref(), Some("de"), "{answer:#?}");
    assert_eq!(Tree::of(sandbox.version("ember-roads", "1.1.0").join("locales")).files(), ["de.json"]);

    // Uninstalled meanwhile: whoever asked for it to be installed has it all the same.
    sandbox.run(&["cache", "clean"]).expect(0);
    let running = downloading(&sandbox, &server, &path, &["install", "ember-roads", "--force"]);
    sandbox.run(&["uninstall", "ember-roads"]).expect(0);
    server.let_go(&path);
    let answer = running.wait().expect(0).json();
    assert_eq!(answer.package("ember-roads").action, Action::Installed, "asked for, so it is there again");
    sandbox.run(&["doctor"]).expect(0);
}

#[test]
fn an_update_of_what_is_uninstalled_meanwhile_brings_nothing_back() {
    let server = Server::https();
    let (sandbox, catalog) = on_a_server(&server);
    let path = catalog.artifact_path("ember-roads");
    let running = downloading(&sandbox, &server, &path, &["--refresh", "update", "ember-roads"]);
    sandbox.run(&["uninstall", "ember-roads"]).expect(0);
    server.let_go(&path);
    let answer = running.wait().expect(3).json();
    assert_eq!(answer.code(), "not-installed");
    assert!(!sandbox.packages().join("versions/ember-roads").exists());
    assert_eq!(leftovers(&sandbox.packages()), [""; 0]);
}

/// Lets them all run at once, and gives what each came to.
fn at_once(sandbox: &Sandbox, commands: &[&[&str]]) -> Vec<Outcome> {
    let running: Vec<Running> = commands.iter().map(|command| sandbox.command(command).arg("--json").spawn()).collect();
    running.into_iter().map(Running::wait).collect()
}

#[test]
fn one_id_installed_by_many_at_once_is_there_once_and_whole() {
    let sandbox = a_store();
    let install: &[&str] = &["install", "tiny"];
    for outcome in at_once(&sandbox, &[install; 8]) {
        let answer = outcome.expect(0).json();
        assert!([Action::Installed, Action::Unchanged].contains(&answer.package("tiny").action), "{answer:#?}");
    }
    assert_eq!(sandbox.json(&["list"]).list().packages.iter().filter(|package| package.id == "tiny").count(), 1);
    is_consistent(&sandbox, "1.0.0");
}

/// Everything recorded is whole, nothing is left over, and every pack is of the one language that is remembered; only
/// `ember-roads`, if it is at another version than the catalog's, may have none.
#[track_caller]
fn is_consistent(sandbox: &Sandbox, road: &str) {
    let answer = sandbox.json(&["doctor"]);
    assert_eq!(answer.doctor().problems, [], "{answer:#?}");
    assert_eq!(answer.warnings, []);
    registry_names_only_whole_versions(&sandbox.packages()).unwrap();
    assert_eq!(leftovers(&sandbox.packages()), [""; 0]);
    let state: Value =
        serde_json::from_slice(&std::fs::read(sandbox.packages().join("rulepack.json")).unwrap()).unwrap();
    let language = state["language"].as_str().unwrap();
    for package in &sandbox.json(&["list"]).list().packages {
        assert_eq!(package.state, State::Ok);
        let Some(pack) = &package.language_pack else {
            // Rolled back: the catalog has packs of its own version only.
            assert!(package.id == "ember-roads" && package.version != road, "{package:?} has no pack");
            continue;
        };
        assert_eq!(pack.language.as_deref(), Some(language), "{}", package.id);
        let locales = Tree::of(std::path::Path::new(&package.path).join("locales"));
        assert_eq!(locales.files(), [format!("{language}.json")], "{}", package.id);
    }
}

#[test]
fn overlapping_changes_of_language_end_in_one_language_everywhere() {
    let sandbox = a_store();
    for _ in 0..4 {
        let commands: Vec<&[&str]> = vec![&["language", "de"], &["language", "ru"], &["language", "pt"], &["sync"]];
        for outcome in at_once(&sandbox, &commands) {
            let answer = outcome.expect(0).json();
            assert!(LANGUAGES.contains(&answer.changes().language.as_str()));
        }
        is_consistent(&sandbox, "1.0.0");
    }
}

#[test]
fn sixteen_runs_of_every_kind_end_in_one_consistent_store() {
    let sandbox = a_store();
    catalog("1.1.0").write(&sandbox.work());
    let mixed: &[&[&str]] = &[
        &["install", "tiny"],
        &["list"],
        &["update"],
        &["language", "de"],
        &["uninstall", "gravewatch"],
        &["list"],
        &["rollback", "ember-roads"],
        &["install", "ember-roads", "--force"],
        &["path", "ember-roads"],
        &["sync"],
        &["install", "gravewatch", "tiny"],
        &["language", "pt"],
        &["list"],
        &["doctor"],
        &["uninstall", "tiny"],
        &["update", "ember-roads"],
    ];
    assert_eq!(mixed.len(), 16);
    for _ in 0..2 {
        for (command, outcome) in mixed.iter().zip(at_once(&sandbox, mixed)) {
            let answer = outcome.json();
            match answer.exit {
                0 => {}
                // Whoever came first took it away, or rolled it back.
                3 => assert!(
                    ["not-installed", "no-previous-version"].contains(&answer.code()),
                    "{command:?}: {answer:#?}"
                ),
                6 => assert_eq!((answer.code(), command[0]), ("downgrade", "install"), "{answer:#?}"),
                _ => panic!("{command:?}: {answer:#?}"),
            }
            if command[0] == "list" {
                // In no moment is there a version that is not whole.
                let list = answer.list();
                assert!(list.packages.iter().all(|package| package.state == State::Ok), "{list:#?}");
                assert!(list.packages.iter().any(|package| package.id == "ember-roads"));
            }
        }
        is_consistent(&sandbox, "1.1.0");
    }
}

/// The lock of a process that was killed while it held it, in the middle of a change, is nobody's.
#[cfg(unix)]
#[test]
fn sixteen_runs_of_which_half_die_with_the_lock_held_up_nobody() {
    let sandbox = a_store();
    catalog("1.1.0").write(&sandbox.work());
    let doomed: &[&[&str]] =
        &[&["update"], &["install", "ember-roads", "--force"], &["install", "tiny"], &["language", "de"]];
    let living: &[&[&str]] = &[&["update"], &["list"], &["install", "gravewatch", "--force"], &["language", "pt"]];
    for place in ["intent-written", "state-written", "recorded"] {
        let mut dying = Vec::new();
        let mut running = Vec::new();
        for _ in 0..2 {
            for (dies, lives) in doomed.iter().zip(living) {
                let command = sandbox.command(dies).arg("--json");
                dying.push(command.env("RULEPACK_CRASH_AT", place).spawn());
                // Short: who waits for a dead one waits for ever.
                running.push(sandbox.command(lives).arg("--json").arg("--lock-timeout").arg("20").spawn());
            }
        }
        for outcome in running.into_iter().map(Running::wait) {
            outcome.expect(0);
        }
        let died = dying.into_iter().map(Running::wait).filter(|outcome| outcome.status.is_none()).count();
        assert!(died > 0, "nobody died at {place}");
        sandbox.run(&["update", "ember-roads"]).expect(0);
        sandbox.run(&["sync"]).expect(0);
        is_consistent(&sandbox, "1.1.0");
    }
}

/// A first install has no registry before it; readers beside it see an empty store, not a damaged one.
#[test]
fn readers_beside_a_first_install_see_the_store_before_or_after() {
    for _ in 0..4 {
        let sandbox = Sandbox::new();
        let folder = sandbox.work();
        let sandbox = sandbox.catalog(folder);
        catalog("1.0.0").write(&sandbox.work());
        let list: &[&str] = &["list"];
        let mut commands = vec![list; 5];
        commands.insert(0, &["install", "ember-roads"]);
        for outcome in at_once(&sandbox, &commands) {
            outcome.expect(0).json();
        }
    }
}
