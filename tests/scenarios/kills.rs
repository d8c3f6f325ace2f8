//! A process killed at every place where a real kill could fall between two durable steps
//! (docs/spec/commands.md#the-store, docs/spec/lessons.md#b15, #b24): what it leaves is the store before or the store
//! after, for whoever comes next.

use super::kit::envelope::Action;
use super::kit::publish::{Catalog, Container, Ruleset};
use super::kit::sandbox::{Running, Sandbox};
use super::kit::server::{Reply, Server};
use super::kit::soundness::{Store, disk, leftovers, registry_names_only_whole_versions};
use super::kit::tree::Tree;
use super::kit::until;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

/// A command that changes a store, and the store it is run on.
pub(super) struct Scene {
    /// The store it begins with; copied for each run.
    pub(super) start: Sandbox,
    pub(super) command: &'static [&'static str],
    /// The command again, once it is done, changes nothing.
    pub(super) idempotent: bool,
    /// Folder and registry change under one version number, so what is between them is not whole.
    pub(super) same_version: bool,
    /// On a system that cannot exchange two folders in one step.
    pub(super) without_exchange: bool,
    /// On an overlay, whose lower folders cannot be renamed either.
    pub(super) without_rename: bool,
}

impl Scene {
    fn of(start: Sandbox, command: &'static [&'static str]) -> Self {
        Scene { start, command, idempotent: true, same_version: false, without_exchange: false, without_rename: false }
    }

    /// What the system it is run on is said to lack.
    pub(super) fn pretended(&self) -> &'static str {
        match (self.without_exchange, self.without_rename) {
            (_, true) => "no-power-cuts no-exchange no-rename-of-folders",
            (true, false) => "no-power-cuts no-exchange",
            (false, false) => "no-power-cuts",
        }
    }

    /// A sandbox of its own with the store it begins with.
    pub(super) fn sandbox(&self) -> Sandbox {
        let sandbox = Sandbox::new().catalog(self.start.work()).env("RULEPACK_PRETEND", self.pretended());
        copy(&self.start.data(), &sandbox.data());
        sandbox
    }

    /// Runs the command and kills it at the n-th place it comes to. Nothing when it got to its end.
    fn killed_at(&self, sandbox: &Sandbox, n: usize) -> Option<String> {
        killed(sandbox, self.command, &n.to_string())
    }
}

/// Runs a command that is to die at a place, and says at which it did.
fn killed(sandbox: &Sandbox, command: &[&str], place: &str) -> Option<String> {
    let log = sandbox.root().join("places");
    let run =
        sandbox.command(command).env("RULEPACK_CRASH_AT", place).env("RULEPACK_CRASH_LOG", &log).arg("--json").run();
    let reached = std::fs::read_to_string(&log).unwrap_or_default();
    let _ = std::fs::remove_file(&log);
    match run.status {
        None => Some(reached.lines().last().expect("a run that was killed came to a place").to_owned()),
        Some(_) => {
            run.expect(0);
            None
        }
    }
}

fn copy(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            std::fs::create_dir(&to).unwrap();
            copy(&entry.path(), &to);
        } else {
            std::fs::copy(entry.path(), to).unwrap();
        }
    }
}

pub(super) fn road(version: &str) -> Ruleset {
    Ruleset::new("ember-roads", version)
        .container(Container::Bundle)
        .asset("catalogs/gear.json", format!("{{\"entries\": [], \"note\": \"{version}\"}}"))
        .pack("ru", &[("Grit", "Стойкость")])
        .pack("de", &[("Grit", "Mumm")])
}

pub(super) fn grave() -> Ruleset {
    Ruleset::new("gravewatch", "0.3.0").pack("ru", &[("Grit", "Дух")]).pack("de", &[("Grit", "Schneid")])
}

/// A reader of Russian with two rulesets, one of them with a version before; the catalog has both.
fn a_store() -> Sandbox {
    let sandbox = Sandbox::new();
    let sandbox = {
        let work = sandbox.work();
        sandbox.catalog(work)
    };
    let mut catalog = Catalog::on_disk().with(road("0.9.0")).with(grave());
    catalog.write(&sandbox.work());
    sandbox.run(&["language", "ru"]).expect(0);
    sandbox.run(&["install", "ember-roads", "gravewatch"]).expect(0);
    catalog.publish(road("1.0.0"));
    catalog.write(&sandbox.work());
    sandbox.run(&["update"]).expect(0);
    sandbox
}

fn publish(sandbox: &Sandbox, ruleset: Ruleset) {
    Catalog::on_disk().with(ruleset).with(grave()).write(&sandbox.work());
}

pub(super) fn first_install() -> Scene {
    let sandbox = Sandbox::new();
    Catalog::on_disk().with(road("1.0.0")).write(&sandbox.work());
    Scene::of(sandbox, &["install", "ember-roads", "--language", "ru"])
}

pub(super) fn update() -> Scene {
    let sandbox = a_store();
    publish(&sandbox, road("1.1.0"));
    Scene::of(sandbox, &["update"])
}

/// What somebody else put into the version folder, or edited there, has to get over to the new one as well.
fn with_somebodys_files(sandbox: &Sandbox) {
    let folder = sandbox.version("ember-roads", "1.0.0");
    std::fs::create_dir(folder.join("notes")).unwrap();
    std::fs::write(folder.join("notes/mine.txt"), "mine").unwrap();
    std::fs::write(folder.join("locales/ru.json"), "{\"edited\": true}").unwrap();
}

pub(super) fn reinstall() -> Scene {
    let sandbox = a_store();
    let folder = sandbox.version("ember-roads", "1.0.0");
    std::fs::write(folder.join("mine.txt"), "mine").unwrap();
    Scene { same_version: true, ..Scene::of(sandbox, &["install", "ember-roads", "--force"]) }
}

/// The new folder differs from the one before in its pack alone.
fn reinstall_in(language: &'static [&'static str]) -> Scene {
    Scene { same_version: true, ..Scene::of(a_store(), language) }
}

pub(super) fn republished() -> Scene {
    let sandbox = a_store();
    publish(&sandbox, road("1.0.0").described("Again."));
    with_somebodys_files(&sandbox);
    Scene { same_version: true, ..Scene::of(sandbox, &["update"]) }
}

pub(super) fn rollback() -> Scene {
    Scene { idempotent: false, ..Scene::of(a_store(), &["rollback", "ember-roads"]) }
}

pub(super) fn language_change() -> Scene {
    Scene::of(a_store(), &["language", "de"])
}

pub(super) fn uninstall() -> Scene {
    let sandbox = a_store();
    std::fs::write(sandbox.version("ember-roads", "0.9.0").join("mine.txt"), "mine").unwrap();
    Scene { idempotent: false, ..Scene::of(sandbox, &["uninstall", "ember-roads"]) }
}

/// Ember Roads as it is shared: version 2, with translations.
const SHARED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/catalog-example/packages/ember-roads");
/// Version 1 of it.
const EARLIER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/rulesets/ember-roads.json");

fn with_imports(commands: &[&[&str]]) -> Sandbox {
    let sandbox = Sandbox::new();
    commands.iter().for_each(|command| drop(sandbox.run(command).expect(0)));
    sandbox
}

fn first_import() -> Scene {
    Scene::of(Sandbox::new(), &["import", SHARED, "--language", "ru"])
}

fn import_beside() -> Scene {
    Scene::of(with_imports(&[&["import", EARLIER]]), &["import", SHARED, "--language", "ru"])
}

fn import_in_another_language() -> Scene {
    Scene::of(with_imports(&[&["import", SHARED, "--language", "ru"]]), &["import", SHARED, "--language", "de"])
}

/// What is damaged is put there again, and what somebody else put there stays.
fn import_again() -> Scene {
    let sandbox = with_imports(&[&["import", SHARED, "--language", "ru"]]);
    let folder = sandbox.data().join("rulesets/local/ember-roads/2");
    std::fs::write(folder.join("ruleset.json"), "{}").unwrap();
    std::fs::write(folder.join("mine.txt"), "mine").unwrap();
    Scene { same_version: true, ..Scene::of(sandbox, &["import", SHARED]) }
}

fn uninstall_imports() -> Scene {
    let sandbox = with_imports(&[&["import", EARLIER], &["import", SHARED, "--language", "ru"]]);
    std::fs::write(sandbox.data().join("rulesets/local/ember-roads/1/mine.txt"), "mine").unwrap();
    Scene { idempotent: false, ..Scene::of(sandbox, &["uninstall", "local/ember-roads"]) }
}

/// Who comes after the dead run.
const READER: &[&[&str]] = &[&["list"]];
const WRITER: &[&[&str]] = &[&["hold", "gravewatch"], &["unhold", "gravewatch"]];

/// Kills the command at every place it comes to; what follows must find the store before or after, and end in the
/// store after. Gives the places it came to.
fn survives(scene: &Scene, next: &[&[&str]]) -> BTreeSet<String> {
    let before = Store::of(&scene.start.packages());
    let reference = scene.sandbox();
    reference.run(scene.command).expect(0);
    let after = Store::of(&reference.packages());
    assert!(before != after || scene.same_version);

    let mut places = BTreeSet::new();
    for n in 1.. {
        let sandbox = scene.sandbox();
        let Some(place) = scene.killed_at(&sandbox, n) else {
            assert_eq!(leftovers(&sandbox.packages()), [""; 0]);
            assert!(n > 1, "the command came to no place");
            return places;
        };
        let at = format!("{:?} killed at place {n}, {place}, then {next:?}", scene.command);
        is_sound_when_dead(scene, &sandbox, &at);
        next_run_finishes_or_undoes(scene, &sandbox, next, &before, &after, &at);
        places.insert(place);
    }
    unreachable!("a command comes to its end")
}

/// Before anybody looks, what the registry names is whole. Between folder and registry of one version number only
/// the intent tells.
fn is_sound_when_dead(scene: &Scene, sandbox: &Sandbox, at: &str) {
    let packages = sandbox.packages();
    let is_between = scene.same_version && leftovers(&packages).iter().any(|name| name.starts_with(".rulepack-intent"));
    if !is_between {
        registry_names_only_whole_versions(&packages).unwrap_or_else(|why| panic!("{at}: {why}"));
    }
}

fn next_run_finishes_or_undoes(
    scene: &Scene,
    sandbox: &Sandbox,
    next: &[&[&str]],
    before: &Store,
    after: &Store,
    at: &str,
) {
    let packages = sandbox.packages();
    for command in next {
        sandbox.json(command);
    }
    let found = Store::of(&packages);
    let done = found == *after;
    if !done {
        before.assert_same(&found, at);
    }
    if !done || scene.idempotent {
        sandbox.run(scene.command).expect(0);
    } else {
        sandbox.run(&["sync"]).expect(0);
    }
    after.assert_same(&Store::of(&packages), &format!("{at}, then again"));
    assert_eq!(leftovers(&packages), [""; 0], "{at}");
}

fn survives_both(scene: Scene) {
    let by_reader = survives(&scene, READER);
    assert_eq!(by_reader, survives(&scene, WRITER));
}

#[test]
fn a_first_install_killed_anywhere_is_finished_or_undone() {
    survives_both(first_install());
}

#[test]
fn an_update_killed_anywhere_is_finished_or_undone() {
    survives_both(update());
}

#[test]
fn a_forced_reinstall_killed_anywhere_is_finished_or_undone() {
    survives_both(reinstall());
}

#[test]
fn a_forced_reinstall_in_another_language_killed_anywhere_keeps_one_pack() {
    survives(&reinstall_in(&["install", "ember-roads", "--force", "--language", "de"]), READER);
    survives(&reinstall_in(&["install", "ember-roads", "--force", "--language", "en"]), READER);
}

#[test]
fn a_republished_update_killed_anywhere_is_finished_or_undone() {
    survives_both(republished());
}

#[test]
fn a_republished_update_killed_anywhere_is_finished_or_undone_where_folders_cannot_be_exchanged() {
    let scene = Scene { without_exchange: true, ..republished() };
    let places = survives(&scene, READER);
    assert!(places.contains("old-parked"), "{places:?}");
}

#[test]
fn a_republished_update_killed_anywhere_is_finished_or_undone_where_folders_cannot_be_renamed() {
    let scene = || Scene { without_rename: true, ..republished() };
    survives_both(scene());
    survives_failures(&scene());
}

/// The disk answers one question after the other with an error, which is never read as "nothing is there".
#[test]
fn a_question_the_disk_does_not_answer_costs_nobody_a_file() {
    for scene in [republished(), language_change(), rollback(), uninstall()] {
        loses_nothing(&scene, "RULEPACK_FAIL_QUESTION_AT", "");
    }
}

/// From some moment on nothing works any more, taking back what was done included.
#[test]
fn a_disk_that_fails_for_good_in_the_middle_costs_nobody_a_file() {
    let cannot_exchange = Scene { without_exchange: true, ..republished() };
    for scene in [republished(), cannot_exchange, update(), language_change(), rollback(), uninstall()] {
        loses_nothing(&scene, "RULEPACK_FAIL_AT", "+");
    }
}

/// Something fails, and so does taking back what was done before.
#[test]
fn two_failures_one_after_the_other_cost_nobody_a_file() {
    let cannot_exchange = Scene { without_exchange: true, ..republished() };
    for scene in [republished(), cannot_exchange, language_change()] {
        loses_nothing_where(&scene, "RULEPACK_FAIL_AT", |n| format!("{n},{}", n + 1));
    }
}

/// `rulepack.json` alone says what was imported; what the disk would not say is not left out of a new one for good.
#[test]
fn a_record_made_anew_lacks_nothing_the_disk_did_not_answer_for() {
    for damage in [Some("{"), None] {
        let start = with_imports(&[&["import", EARLIER], &["import", SHARED, "--language", "ru"]]);
        let record = start.packages().join("rulepack.json");
        match damage {
            Some(damage) => std::fs::write(&record, damage).unwrap(),
            None => std::fs::remove_file(&record).unwrap(),
        }
        let scene = Scene::of(start, &["language", "de"]);
        for n in 1.. {
            let sandbox = scene.sandbox();
            let log = sandbox.root().join("log");
            let run = sandbox.command(scene.command).env("RULEPACK_FAIL_QUESTION_AT", n.to_string());
            let answer = run.env("RULEPACK_CRASH_LOG", &log).json();
            if !log.exists() {
                assert!(n > 10, "hardly anything is asked whether it should fail");
                break;
            }
            sandbox.run(&["language", "pt"]).expect(0);
            let kept: serde_json::Value =
                serde_json::from_slice(&std::fs::read(sandbox.packages().join("rulepack.json")).unwrap()).unwrap();
            let versions = kept["imported"]["ember-roads"]["versions"].as_object().map(|versions| versions.len());
            assert_eq!(versions, Some(2), "{damage:?}, question {n}: {answer:#?}");
        }
    }
}

/// One failure after the other: no file of the reader's goes, and the next run that works has a sound store.
fn loses_nothing(scene: &Scene, variable: &str, and_on: &str) {
    loses_nothing_where(scene, variable, |n| format!("{n}{and_on}"));
}

fn loses_nothing_where(scene: &Scene, variable: &str, which: impl Fn(usize) -> String) {
    let mine = readers(&scene.start.packages());
    let before = Store::of(&scene.start.packages());
    for n in 1.. {
        let sandbox = scene.sandbox();
        let packages = sandbox.packages();
        let log = sandbox.root().join("log");
        let run = sandbox.command(scene.command).env(variable, which(n));
        let answer = run.env("RULEPACK_CRASH_LOG", &log).json();
        if !log.exists() {
            assert!(n > 10, "hardly anything is asked whether it should fail");
            break;
        }
        let at = format!("{:?} with {variable} {}: {answer:#?}", scene.command, which(n));
        assert_eq!(readers(&packages), mine, "{at}");
        let is_half = answer.error.as_ref().is_some_and(|error| error.message.contains("could not all be undone"));
        if answer.exit != 0 && !is_half {
            before.assert_same(&Store::of(&packages), &at);
        }
        let next = sandbox.json(&["doctor", "--repair"]);
        assert_eq!(next.exit, 0, "{at}: {next:#?}");
        registry_names_only_whole_versions(&packages).unwrap_or_else(|why| panic!("{at}: {why}"));
        assert_eq!(readers(&packages), mine, "{at}");
        assert_eq!(leftovers(&packages), [""; 0], "{at}");
    }
}

/// How many files of the reader's lie anywhere below.
pub(super) fn readers(packages: &Path) -> usize {
    let is_readers = |path: &&&str| {
        let bytes = std::fs::read(packages.join(path)).unwrap_or_default();
        bytes == b"mine" || bytes == b"{\"edited\": true}"
    };
    Tree::of(packages).files().iter().filter(is_readers).count()
}

#[test]
fn a_rollback_killed_anywhere_is_finished_or_undone() {
    survives_both(rollback());
}

#[test]
fn a_change_of_language_killed_anywhere_is_finished_or_undone() {
    survives_both(language_change());
}

#[test]
fn an_uninstall_killed_anywhere_is_finished_or_undone() {
    survives_both(uninstall());
}

#[test]
fn an_import_killed_anywhere_is_finished_or_undone() {
    for scene in [first_import(), import_beside(), import_in_another_language(), import_again()] {
        survives(&scene, READER);
    }
}

#[test]
fn an_uninstall_of_what_was_imported_killed_anywhere_is_finished_or_undone() {
    survives(&uninstall_imports(), READER);
}

#[test]
fn a_file_operation_that_fails_in_an_import_leaves_the_store_as_it_was() {
    let cannot_exchange = Scene { without_exchange: true, ..import_again() };
    for scene in [
        first_import(),
        import_beside(),
        import_in_another_language(),
        import_again(),
        cannot_exchange,
        uninstall_imports(),
    ] {
        survives_failures(&scene);
    }
}

/// One durable file operation after the other fails: a run that says so has left the store as it was, and one that does
/// not has changed it; either way the next run gets to the end.
fn survives_failures(scene: &Scene) {
    let before = Store::of(&scene.start.packages());
    let reference = scene.sandbox();
    reference.run(scene.command).expect(0);
    let after = Store::of(&reference.packages());
    for n in 1.. {
        let sandbox = scene.sandbox();
        let packages = sandbox.packages();
        let log = sandbox.root().join("log");
        let run = sandbox.command(scene.command).env("RULEPACK_FAIL_AT", n.to_string());
        let answer = run.env("RULEPACK_CRASH_LOG", &log).json();
        if !log.exists() {
            assert!(n > 10, "hardly an operation is asked whether it should fail");
            return;
        }
        let at = format!("{:?} with operation {n} failing: {answer:#?}", scene.command);
        registry_names_only_whole_versions(&packages).unwrap_or_else(|why| panic!("{at}: {why}"));
        if answer.exit != 0 {
            before.assert_same(&Store::of(&packages), &at);
            sandbox.run(scene.command).expect(0);
        }
        // What could not be removed is named and stays.
        if answer.warnings.is_empty() {
            sandbox.run(READER[0]).expect(0);
            after.assert_same(&Store::of(&packages), &at);
            assert_eq!(leftovers(&packages), [""; 0], "{at}");
        }
    }
}

#[test]
fn a_file_operation_that_fails_leaves_the_store_as_it_was() {
    let cannot_exchange = Scene { without_exchange: true, ..republished() };
    for scene in [first_install(), update(), republished(), cannot_exchange, rollback(), language_change(), uninstall()]
    {
        survives_failures(&scene);
    }
}

/// The run that finishes a dead one's change may die as well, and so may the one after it.
#[test]
fn a_recovery_killed_anywhere_is_recovered_from() {
    for scene in [update(), republished(), rollback(), language_change(), uninstall(), import_beside()] {
        let before = Store::of(&scene.start.packages());
        let reference = scene.sandbox();
        reference.run(scene.command).expect(0);
        let after = Store::of(&reference.packages());
        for place in ["intent-written", "state-written", "recorded"] {
            for n in 1.. {
                let sandbox = scene.sandbox();
                let died = killed(&sandbox, scene.command, place);
                assert_eq!(died.as_deref(), Some(place), "{:?}", scene.command);
                let Some(again) = killed(&sandbox, READER[0], &n.to_string()) else {
                    assert!(n > 1, "nothing was left to recover from {place}");
                    break;
                };
                let at = format!("{:?} killed at {place}, its recovery at {again}", scene.command);
                is_sound_when_dead(&scene, &sandbox, &at);
                next_run_finishes_or_undoes(&scene, &sandbox, READER, &before, &after, &at);
            }
        }
    }
}

/// A file edited, one of the reader's own, a pack, and a version before.
fn edited() -> Sandbox {
    let sandbox = a_store();
    let folder = sandbox.version("ember-roads", "1.0.0");
    std::fs::create_dir(folder.join("notes")).unwrap();
    std::fs::write(folder.join("notes/mine.txt"), "mine").unwrap();
    std::fs::write(folder.join("catalogs/gear.json"), "{\"edited\": true}").unwrap();
    sandbox
}

/// Record and, but for what was edited, folder are the same before and after.
fn put_there_again() -> [Scene; 3] {
    let scene = |command| Scene { same_version: true, ..Scene::of(edited(), command) };
    let force = || scene(&["install", "ember-roads", "--force"]);
    [force(), scene(&["doctor", "--repair"]), Scene { without_exchange: true, ..force() }]
}

#[test]
fn a_recovery_in_which_anything_fails_once_leaves_the_store_as_before_or_as_after() {
    for scene in put_there_again() {
        recovers_from_one_failure(&scene, "RULEPACK_FAIL_QUESTION_AT", 17);
        recovers_from_one_failure(&scene, "RULEPACK_FAIL_AT", 7);
    }
}

/// Killed anywhere, and one failure after the other in the reader that comes next: once nothing fails any more, the
/// store is as before or as after, and where nothing is left to finish it was that already. Of the failures one in
/// `step` is tried, others at each place: all of them would take a quarter of an hour.
fn recovers_from_one_failure(scene: &Scene, variable: &str, step: usize) {
    let mine = readers(&scene.start.packages());
    let before = Store::of(&scene.start.packages());
    let reference = scene.sandbox();
    reference.run(scene.command).expect(0);
    let after = Store::of(&reference.packages());
    for place in 1.. {
        let dead = scene.sandbox();
        let Some(name) = scene.killed_at(&dead, place) else { return };
        if !dead.packages().join(".rulepack-intent.json").exists() {
            continue;
        }
        for n in (1 + place % step..).step_by(step) {
            let sandbox = scene.sandbox();
            std::fs::remove_dir_all(sandbox.data()).unwrap();
            std::fs::create_dir(sandbox.data()).unwrap();
            copy(&dead.data(), &sandbox.data());
            let log = sandbox.root().join("log");
            let list = sandbox.command(&["list"]).env(variable, n.to_string());
            let answer = list.env("RULEPACK_CRASH_LOG", &log).json();
            if !log.exists() {
                break;
            }
            let at = format!("{:?} killed at {place}, {name}, {variable} {n}: {answer:#?}", scene.command);
            let is_either = |when: &str| {
                let found = Store::of(&sandbox.packages());
                assert_eq!(readers(&sandbox.packages()), mine, "{when}, {at}");
                if found != before {
                    after.assert_same(&found, &format!("{when}, {at}"));
                }
            };
            if !sandbox.packages().join(".rulepack-intent.json").exists() {
                is_either("at once");
            }
            sandbox.json(&["sync"]).expect(0);
            is_either("after the next");
            assert_eq!(leftovers(&sandbox.packages()), [""; 0], "{at}");
        }
    }
}

/// Every place named in the program is one some run of these scenes dies at; else nothing proves it.
#[test]
fn every_place_in_the_program_is_come_to() {
    let mut named = BTreeSet::new();
    for room in ["store", "app", "fetch"] {
        places_named_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(room), &mut named);
    }
    assert!(named.len() > 15, "{named:?}");
    let mut reached = BTreeSet::new();
    let cannot_exchange = Scene { without_exchange: true, ..republished() };
    for scene in [first_install(), update(), republished(), cannot_exchange, rollback(), language_change(), uninstall()]
    {
        let sandbox = scene.sandbox();
        let log = sandbox.root().join("places");
        let run = sandbox.command(scene.command).env("RULEPACK_CRASH_AT", "none").env("RULEPACK_CRASH_LOG", &log);
        run.run().expect(0);
        reached.extend(std::fs::read_to_string(log).unwrap().lines().map(str::to_owned));
    }
    // The one that needs a network has a test of its own.
    named.remove("downloaded");
    assert_eq!(named, reached);
}

fn places_named_in(folder: &Path, named: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            places_named_in(&path, named);
            continue;
        }
        let source = std::fs::read_to_string(&path).unwrap();
        for line in source.lines() {
            if let Some((_, rest)) = line.split_once("crash::point(\"") {
                named.insert(rest.split('"').next().unwrap().to_owned());
            } else if let Some((_, rest)) = line.split_once("?, \"")
                && line.contains("layout.")
            {
                named.insert(rest.split('"').next().unwrap().to_owned());
            }
        }
    }
}

/// A store with `ember-roads` 1.0.0 in Russian, and a server that has 1.1.0.
fn a_store_with_an_update(server: &Server) -> (Sandbox, Catalog) {
    let sandbox = Sandbox::new().attach(server);
    let mut catalog = Catalog::on(server).with(road("1.0.0"));
    catalog.mount(server);
    sandbox.run(&["language", "ru"]).expect(0);
    sandbox.run(&["install", "ember-roads"]).expect(0);
    catalog.publish(road("1.1.0"));
    catalog.mount(server);
    (sandbox, catalog)
}

/// Starts an update whose download stalls, and waits until it does.
fn stalled(sandbox: &Sandbox, server: &Server, path: &str) -> Running {
    let size = 100;
    server.change(path, |reply| reply.stall_after(size));
    let running = sandbox.command(&["--refresh", "update", "--json"]).spawn();
    until(|| !server.requests_of(path).is_empty());
    // The first bytes are on their way to the disk.
    std::thread::sleep(Duration::from_millis(50));
    running
}

#[test]
fn a_download_killed_half_way_leaves_nothing_but_what_the_next_run_sweeps() {
    let server = Server::https();
    let (sandbox, catalog) = a_store_with_an_update(&server);
    for path in [catalog.artifact_path("ember-roads"), catalog.pack_path("ember-roads", "ru")] {
        server.forget();
        sandbox.run(&["cache", "clean"]).expect(0);
        let before = Store::of(&sandbox.packages());
        let killed = stalled(&sandbox, &server, &path).kill();
        assert_eq!(killed.status, None);
        before.assert_same(&Store::of(&sandbox.packages()), &path);
        assert_eq!(leftovers(&sandbox.packages()).len(), 1, "the staging folder of the dead");
        let listed = sandbox.json(&["list"]);
        assert_eq!(listed.list().packages[0].version, "1.0.0");
        assert_eq!(listed.warnings, []);
        catalog.mount(&server);
    }
    let updated = sandbox.json(&["update"]);
    assert_eq!(updated.package("ember-roads").version.as_deref(), Some("1.1.0"));
    assert_eq!(leftovers(&sandbox.packages()), [""; 0]);
}

#[test]
fn a_run_killed_after_its_download_has_it_in_no_version_folder() {
    let server = Server::https();
    let (sandbox, _) = a_store_with_an_update(&server);
    let before = Store::of(&sandbox.packages());
    let died = killed(&sandbox, &["--refresh", "update"], "downloaded");
    assert_eq!(died.as_deref(), Some("downloaded"));
    before.assert_same(&Store::of(&sandbox.packages()), "killed once the download had come");
    sandbox.run(&["update"]).expect(0);
    assert_eq!(leftovers(&sandbox.packages()), [""; 0]);
}

#[test]
fn ctrl_c_in_a_download_leaves_the_disk_as_it_was_and_says_so() {
    let server = Server::https();
    let (sandbox, catalog) = a_store_with_an_update(&server);
    let path = catalog.artifact_path("ember-roads");
    for signal in ["INT", "TERM", "HUP"] {
        server.forget();
        let before = disk(&sandbox);
        let running = stalled(&sandbox, &server, &path);
        let asked = Instant::now();
        running.signal(signal);
        let answer = running.wait().expect(130).json();
        // A second by docs/spec/commands.md#signals; more where the machine is busy.
        assert!(asked.elapsed() < Duration::from_secs(10), "{:?}", asked.elapsed());
        assert_eq!(answer.code(), "interrupted");
        assert_eq!(answer.command.as_deref(), Some("update"));
        before.assert_same(&disk(&sandbox));
        // No half a file stays in the cache either.
        assert!(!format!("{:?}", Tree::of(sandbox.cache())).contains(".tmp-"), "{signal}");
        catalog.mount(&server);
    }
}

#[test]
fn ctrl_c_while_a_server_asks_to_wait_ends_the_wait() {
    let server = Server::https();
    let (sandbox, catalog) = a_store_with_an_update(&server);
    let path = catalog.artifact_path("ember-roads");
    server.put(&path, Reply::status(503).retry_after("25"));
    let before = disk(&sandbox);
    let running = sandbox.command(&["--refresh", "update", "--json"]).spawn();
    until(|| !server.requests_of(&path).is_empty());
    let asked = Instant::now();
    running.signal("INT");
    let answer = running.wait().expect(130).json();
    assert!(asked.elapsed() < Duration::from_secs(10), "{:?}", asked.elapsed());
    assert_eq!(answer.code(), "interrupted");
    before.assert_same(&disk(&sandbox));
}

#[test]
fn ctrl_c_while_waiting_for_the_lock_ends_the_wait() {
    let sandbox = a_store();
    let before = Store::of(&sandbox.packages());
    let lock = std::fs::File::options().write(true).open(sandbox.packages().join(".rulepack.lock")).unwrap();
    lock.lock().unwrap();
    let running = sandbox.command(&["uninstall", "gravewatch", "--json"]).spawn();
    // Long enough to have come to the lock; shorter would prove the same of an earlier moment.
    std::thread::sleep(Duration::from_millis(200));
    running.signal("INT");
    assert_eq!(running.wait().expect(130).json().code(), "interrupted");
    before.assert_same(&Store::of(&sandbox.packages()), "Ctrl-C while waiting for the lock");
}

#[test]
fn a_disk_that_is_full_while_a_version_is_unpacked_leaves_the_old_one_active() {
    let sandbox = a_store();
    let large = vec![b' '; 100_000];
    publish(&sandbox, road("1.1.0").file("large.txt", large));
    let before = disk(&sandbox);
    let answer = sandbox.command(&["update", "--json"]).no_file_above(64).run().expect(1).json();
    assert_eq!(answer.code(), "disk-full");
    assert_eq!(answer.package("ember-roads").version.as_deref(), Some("1.0.0"));
    assert_eq!(answer.package("ember-roads").action, Action::Failed);
    before.assert_same(&disk(&sandbox));
    assert_eq!(sandbox.json(&["update"]).package("ember-roads").action, Action::Updated);
}

#[test]
fn a_disk_that_is_full_while_a_download_comes_leaves_the_old_version_active() {
    let server = Server::https();
    let (sandbox, mut catalog) = a_store_with_an_update(&server);
    catalog.publish(road("1.1.0").file("large.txt", vec![b' '; 100_000]));
    catalog.mount(&server);
    let before = disk(&sandbox);
    let answer = sandbox.command(&["--refresh", "update", "--json"]).no_file_above(64).run().expect(1).json();
    assert_eq!(answer.code(), "disk-full");
    before.assert_same(&disk(&sandbox));
}

/// The registry is the largest file of a small store: what fits before it does not save it.
#[test]
fn a_disk_that_is_full_when_the_registry_is_written_takes_everything_back() {
    let sandbox = a_store();
    let mut catalog = Catalog::on_disk().with(road("1.1.0")).with(grave());
    for n in 0..12 {
        catalog.publish(Ruleset::new(&format!("small-{n}"), "1.0.0"));
    }
    catalog.publish(Ruleset::new("last", "1.0.0"));
    catalog.write(&sandbox.work());
    let small: Vec<String> = (0..12).map(|n| format!("small-{n}")).collect();
    let install: Vec<&str> = std::iter::once("install").chain(small.iter().map(String::as_str)).collect();
    sandbox.run(&install).expect(0);

    let registry = std::fs::metadata(sandbox.packages().join("installed.json")).unwrap().len();
    let before = disk(&sandbox);
    for command in [&["install", "last"][..], &["update", "ember-roads"], &["rollback", "ember-roads"]] {
        let run = sandbox.command(command).arg("--json").no_file_above(registry / 512 - 1).run();
        let answer = run.expect(1).json();
        assert_eq!(answer.code(), "disk-full", "{command:?}");
        assert!(answer.error.as_ref().unwrap().message.contains("installed.json"), "{answer:#?}");
        before.assert_same(&disk(&sandbox));
    }
    sandbox.run(&["install", "last"]).expect(0);
}

/// What is fetched but cannot be recorded as the pack leaves the ruleset as it was.
#[test]
fn a_disk_too_full_for_anything_is_told_before_anything_is_changed() {
    let sandbox = a_store();
    let before = disk(&sandbox);
    for command in [&["language", "de"][..], &["uninstall", "gravewatch"], &["hold", "gravewatch"]] {
        let answer = sandbox.command(command).arg("--json").no_file_above(0).run().expect(1).json();
        assert_eq!(answer.code(), "disk-full", "{command:?}");
        before.assert_same(&disk(&sandbox));
    }
    assert_eq!(sandbox.command(&["list", "--json"]).no_file_above(0).run().expect(0).stderr, "");
}
