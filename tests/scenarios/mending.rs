//! What `doctor --repair` takes to mend a version the catalog has no longer, what it makes of a store whose records are
//! gone, and what it says where it cannot mend (docs/spec/commands.md#store-6, #store-7).

use super::kit::engine::rulesets;
#[cfg(target_os = "linux")]
use super::kit::envelope::Envelope;
use super::kit::envelope::{Severity, State};
use super::kit::publish::{Catalog, Ruleset};
use super::kit::sandbox::Sandbox;
use super::kit::server::Server;
use super::kit::soundness::{Store, leftovers};
#[cfg(target_os = "linux")]
use super::kit::tree::Tree;
use std::fs;

fn road(version: &str) -> Ruleset {
    Ruleset::new("ember-roads", version)
        .asset("catalogs/gear.json", format!("{{\"entries\": [], \"note\": \"{version}\"}}"))
        .pack("ru", &[("Grit", "Стойкость")])
}

/// `ember-roads` 1.0.0 in Russian with 0.9.0 before it, both still in the cache; the catalog has gone on to 1.1.0.
struct World {
    server: Server,
    sandbox: Sandbox,
    catalog: Catalog,
}

impl World {
    fn new() -> Self {
        let server = Server::https();
        let sandbox = Sandbox::new().attach(&server).env("RULEPACK_PRETEND", "no-power-cuts");
        let mut world = World { catalog: Catalog::on(&server), server, sandbox };
        world.publish("0.9.0");
        world.sandbox.run(&["language", "ru"]).expect(0);
        world.sandbox.run(&["install", "ember-roads"]).expect(0);
        world.publish("1.0.0");
        world.sandbox.run(&["update", "--refresh"]).expect(0);
        world.publish("1.1.0");
        world.sandbox.run(&["search", "--refresh"]).expect(0);
        world
    }

    fn publish(&mut self, version: &str) {
        self.catalog.publish(road(version));
        self.catalog.mount(&self.server);
    }

    fn spoil(&self, version: &str) {
        fs::write(self.sandbox.version("ember-roads", version).join("catalogs/gear.json"), "{}").unwrap();
    }

    /// The store but for what the reader edited, which a repair keeps beside.
    fn store(&self) -> Store {
        let mut store = Store::of(&self.sandbox.packages());
        let edited: Vec<String> =
            store.tree.paths().into_iter().filter(|path| path.contains(".edited")).map(str::to_owned).collect();
        for path in edited {
            store.tree = store.tree.without(&path);
        }
        store
    }

    #[track_caller]
    fn is_repaired_to(&self, before: &Store, what: &str) {
        let answer = self.sandbox.json(&["doctor", "--repair"]);
        assert_eq!(answer.doctor().summary.errors, 0, "{what}: {answer:#?}");
        assert!(!answer.doctor().repaired.is_empty(), "{what}");
        before.assert_same(&self.store(), what);
        assert_eq!(leftovers(&self.sandbox.packages()), [""; 0], "{what}");
    }
}

#[test]
fn a_version_the_catalog_has_no_longer_comes_back_out_of_the_cache_with_its_pack() {
    let world = World::new();
    let before = world.store();
    world.spoil("1.0.0");
    world.is_repaired_to(&before, "a file edited");
    // The pack went with it, but not out of the cache.
    fs::remove_dir_all(world.sandbox.version("ember-roads", "1.0.0")).unwrap();
    world.is_repaired_to(&before, "the folder gone");
    world.sandbox.run(&["rollback", "ember-roads"]).expect(0);
}

#[test]
fn the_version_before_comes_back_out_of_the_cache() {
    let world = World::new();
    let before = world.store();
    world.spoil("0.9.0");
    world.is_repaired_to(&before, "a file edited");
    fs::remove_dir_all(world.sandbox.version("ember-roads", "0.9.0")).unwrap();
    world.is_repaired_to(&before, "the folder gone");
    world.spoil("0.9.0");
    world.spoil("1.0.0");
    world.is_repaired_to(&before, "both versions");
    world.sandbox.run(&["rollback", "ember-roads"]).expect(0);
}

#[test]
fn the_version_before_comes_back_from_the_catalog_where_it_is_the_one_listed() {
    let world = World::new();
    world.sandbox.run(&["update", "--refresh"]).expect(0);
    world.sandbox.run(&["rollback", "ember-roads"]).expect(0);
    let before = world.store();
    world.spoil("1.1.0");
    world.sandbox.run(&["cache", "clean"]).expect(0);
    world.is_repaired_to(&before, "the version left by a rollback");
}

#[test]
fn a_cache_that_rotted_is_no_cache_and_no_other_version_stands_in() {
    let world = World::new();
    for entry in fs::read_dir(world.sandbox.cache().join("files")).unwrap() {
        fs::write(entry.unwrap().path(), "rotten").unwrap();
    }
    world.spoil("1.0.0");
    for hold in ["hold", "unhold"] {
        world.sandbox.run(&[hold, "ember-roads"]).expect(0);
        let before = world.store();
        assert_eq!(world.sandbox.json(&["doctor", "--repair"]).doctor().summary.errors, 1, "{hold}");
        before.assert_same(&world.store(), "told and left");
        let listed = world.sandbox.json(&["list"]);
        let package = &listed.list().packages[0];
        assert_eq!((package.version.as_str(), package.state), ("1.0.0", State::Damaged));
        assert_eq!(package.previous_version.as_deref(), Some("0.9.0"));
    }
}

#[test]
fn other_bytes_under_the_same_version_are_not_what_was_installed() {
    let mut world = World::new();
    world.sandbox.run(&["update", "--refresh"]).expect(0);
    world.catalog.publish(road("1.1.0").described("Published anew."));
    world.catalog.mount(&world.server);
    world.sandbox.run(&["cache", "clean"]).expect(0);
    world.spoil("1.1.0");
    let before = world.store();
    for (hold, take) in [("hold", "`rulepack unhold ember-roads` and then"), ("unhold", "`rulepack update")] {
        world.sandbox.run(&[hold, "ember-roads"]).expect(0);
        let answer = world.sandbox.json(&["doctor", "--repair"]);
        let problem = answer.doctor().problems.iter().find(|problem| problem.severity == Severity::Error).unwrap();
        let hint = problem.hint.as_ref().unwrap();
        assert_eq!((problem.code.as_str(), answer.exit), ("damaged-file", 10), "{answer:#?}");
        assert!(hint.contains("the catalog has republished 1.1.0") && hint.contains(take), "{hint}");
    }
    before.assert_same(&world.store(), "told and left");
    // Who asks for it gets it.
    world.sandbox.run(&["update", "ember-roads"]).expect(0);
    assert_eq!(world.sandbox.json(&["doctor"]).doctor().summary.errors, 0);
}

#[test]
fn a_damaged_pack_comes_out_of_the_cache_or_is_told_and_left() {
    let world = World::new();
    let pack = world.sandbox.pack_file("ember-roads", "1.0.0", "ru");
    let whole = fs::read(&pack).unwrap();
    fs::remove_file(&pack).unwrap();
    // The catalog has moved on; the language of this run does not matter.
    let answer = world.sandbox.json(&["doctor", "--repair", "--language", "en"]);
    assert_eq!(answer.doctor().summary.errors, 0, "{answer:#?}");
    assert_eq!(fs::read(&pack).unwrap(), whole);
    world.sandbox.run(&["cache", "clean"]).expect(0);
    fs::write(&pack, "mine").unwrap();
    for _ in 0..2 {
        let answer = world.sandbox.json(&["doctor", "--repair"]);
        let [problem] = answer.doctor().problems.as_slice() else { panic!("{answer:#?}") };
        assert_eq!(problem.code, "damaged-pack");
        assert!(problem.hint.as_ref().unwrap().starts_with("it cannot be repaired"), "{problem:?}");
        assert_eq!(fs::read(&pack).unwrap(), b"mine");
    }
}

#[test]
fn a_repair_out_of_the_cache_killed_anywhere_is_finished_by_the_next() {
    for version in ["1.0.0", "0.9.0"] {
        let world = World::new();
        let before = world.store();
        for n in 1.. {
            // Not edited: what is kept of that would make each run longer than the one before.
            fs::remove_file(world.sandbox.version("ember-roads", version).join("catalogs/gear.json")).unwrap();
            let command = world.sandbox.command(&["doctor", "--repair"]);
            let killed = command.env("RULEPACK_CRASH_AT", n.to_string()).run().status.is_none();
            let records = rulesets_but_spoiled(&world);
            assert_eq!(records, 1, "{version}, {n}");
            world.sandbox.run(&["doctor", "--repair"]).expect(0);
            before.assert_same(&world.store(), &format!("{version}, killed at place {n}"));
            assert_eq!(leftovers(&world.sandbox.packages()), [""; 0], "{version}, {n}");
            rulesets(&world.sandbox);
            if !killed {
                assert!(n > 10, "it came to {n} places only");
                break;
            }
        }
    }
}

/// How many rulesets the registry has, whatever has become of their files.
fn rulesets_but_spoiled(world: &World) -> usize {
    world.sandbox.registry()["packages"].as_array().unwrap().len()
}

#[test]
fn with_both_records_gone_the_store_is_told_to_be_damaged_and_rebuilt_from_whole_folders() {
    let world = World::new();
    let before = world.store();
    let torn = world.sandbox.version("torn", "1.0.0");
    fs::create_dir_all(&torn).unwrap();
    fs::write(torn.join("ruleset.json"), "{}").unwrap();
    for record in ["installed.json", "rulepack.json"] {
        fs::remove_file(world.sandbox.packages().join(record)).unwrap();
    }
    let told = world.sandbox.json(&["doctor"]);
    assert_eq!((told.exit, told.doctor().problems.len()), (10, 1), "{told:#?}");
    assert_eq!(told.doctor().problems[0].code, "damaged-store");
    assert!(told.doctor().problems[0].message.contains("ember-roads"), "{told:#?}");
    assert!(!world.sandbox.packages().join("installed.json").exists(), "looking changes nothing");

    let repaired = world.sandbox.json(&["doctor", "--repair"]);
    assert_eq!((repaired.exit, repaired.doctor().summary.errors), (0, 0), "{repaired:#?}");
    let now = world.store();
    assert_eq!(before.records_of("ember-roads")[0], now.records_of("ember-roads")[0], "the version before included");
    let listed = world.sandbox.command(&["list"]).env("LC_ALL", "ru_RU.UTF-8").json();
    let package = &listed.list().packages[0];
    assert_eq!((package.state, package.previous_version.as_deref()), (State::Ok, Some("0.9.0")));
    assert_eq!(package.language_pack.as_ref().unwrap().language.as_deref(), Some("ru"));
    assert!(torn.exists(), "what is not whole is left alone");
    world.sandbox.run(&["rollback", "ember-roads"]).expect(0);
}

#[test]
fn a_data_folder_with_nothing_whole_in_it_is_an_empty_store() {
    let sandbox = Sandbox::new();
    fs::create_dir_all(sandbox.version("torn", "1.0.0")).unwrap();
    let answer = sandbox.json(&["doctor", "--repair"]);
    assert_eq!((answer.exit, answer.doctor().summary.errors), (0, 0), "{answer:#?}");
    assert!(!sandbox.packages().join("installed.json").exists());
}

#[test]
fn a_record_nobody_can_read_is_found_left_alone_and_the_reader_is_told_what_to_do() {
    let world = World::new();
    let path = world.sandbox.packages().join("installed.json");
    let mut registry = world.sandbox.registry();
    registry["packages"][0].as_object_mut().unwrap().remove("installedAt");
    fs::write(&path, registry.to_string()).unwrap();
    let before = fs::read(&path).unwrap();
    for command in [&["doctor"][..], &["doctor", "--repair"]] {
        let answer = world.sandbox.json(command);
        assert_eq!(answer.exit, 10, "{answer:#?}");
        let problem = answer.doctor().problems.iter().find(|problem| problem.severity == Severity::Error).unwrap();
        assert_eq!((problem.code.as_str(), problem.package.as_deref()), ("unreadable-record", Some("ember-roads")));
        assert!(problem.hint.is_some(), "{answer:#?}");
        assert_eq!(fs::read(&path).unwrap(), before);
    }
}

#[test]
fn a_registry_is_rebuilt_with_the_versions_our_own_record_names_whatever_became_of_their_files() {
    for spoiled in [&["1.0.0"][..], &["0.9.0"], &["0.9.0", "1.0.0"]] {
        for is_cached in [true, false] {
            let world = World::new();
            let (before, registry) = (world.store(), world.sandbox.registry());
            let path = world.sandbox.packages().join("installed.json");
            let whole = fs::read(&path).unwrap();
            fs::write(&path, &whole[..whole.len() / 2]).unwrap();
            spoiled.iter().for_each(|version| world.spoil(version));
            let what = format!("{spoiled:?}, {is_cached}");
            if is_cached {
                let answer = world.sandbox.json(&["doctor", "--repair"]);
                assert_eq!(answer.doctor().summary.errors, 0, "{what}: {answer:#?}");
                fs::remove_file(world.sandbox.packages().join("installed.json.damaged")).unwrap();
                before.assert_same(&world.store(), &what);
                continue;
            }
            world.sandbox.run(&["cache", "clean"]).expect(0);
            let answer = world.sandbox.json(&["doctor", "--repair"]);
            assert_eq!(answer.doctor().summary.errors as usize, spoiled.len(), "{what}: {answer:#?}");
            let (was, is) = (&registry["packages"][0], &world.sandbox.registry()["packages"][0]);
            for key in ["version", "previousVersion", "installedAt", "manifest", "previousManifest"] {
                assert_eq!(was[key], is[key], "{what}");
            }
        }
    }
}

/// A folder the disk does not give is no folder that is not there.
#[cfg(target_os = "linux")]
#[test]
fn a_registry_is_not_rebuilt_from_what_a_disk_does_not_give() {
    for (version, below, is_known) in
        [("1.0.0", "", true), ("0.9.0", "", true), ("1.0.0", "catalogs", false), ("0.9.0", "catalogs", false)]
    {
        let world = World::new();
        let path = world.sandbox.packages().join("installed.json");
        fs::write(&path, "damaged").unwrap();
        if !is_known {
            fs::remove_file(world.sandbox.packages().join("rulepack.json")).unwrap();
        }
        let before = Tree::of(world.sandbox.packages().join("versions"));
        let Some(answer) = repaired_without(&world, version, below) else { return };
        assert_eq!((answer.code(), answer.exit), ("io", 1), "{answer:#?}");
        assert!(before == Tree::of(world.sandbox.packages().join("versions")), "{version}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "damaged");
    }
    // What our own record names needs none of its files but the manifest.
    let world = World::new();
    fs::write(world.sandbox.packages().join("installed.json"), "damaged").unwrap();
    let Some(answer) = repaired_without(&world, "1.0.0", "catalogs") else { return };
    let record = &world.sandbox.registry()["packages"][0];
    assert_eq!((record["version"].as_str(), record["previousVersion"].as_str()), (Some("1.0.0"), Some("0.9.0")));
    assert_eq!(answer.doctor().repaired[0].code, "damaged-store", "{answer:#?}");
}

/// A repair on a disk that gives none of the files in a folder of a version. Nothing where no disk can be broken.
#[cfg(target_os = "linux")]
fn repaired_without(world: &World, version: &str, below: &str) -> Option<Envelope> {
    let folder = world.sandbox.version("ember-roads", version).join(below);
    let folder = folder.to_str().unwrap().trim_end_matches('/').to_owned();
    let broken = ["strace", "-f", "-qq", "-o", "/dev/null", "-P", &folder, "-e", "inject=openat:error=EIO"];
    let run = world.sandbox.command(&["doctor", "--repair", "--json"]).through(&broken).run();
    if run.stdout.is_empty() {
        eprintln!("skipped: nothing can be broken by strace here");
        return None;
    }
    Some(run.json())
}

#[test]
fn why_something_could_not_be_mended_is_said_of_that_alone() {
    let world = World::new();
    let folder = world.sandbox.version("ember-roads", "1.0.0");
    fs::write(folder.join("notes.txt"), "mine").unwrap();
    fs::create_dir(folder.with_file_name("1.0.0.kept")).unwrap();
    world.spoil("1.0.0");
    world.sandbox.run(&["cache", "clean"]).expect(0);
    let answer = world.sandbox.json(&["doctor", "--repair"]);
    assert_eq!(answer.doctor().problems.len(), 3, "{answer:#?}");
    for problem in &answer.doctor().problems {
        let is_why = problem.hint.as_ref().is_some_and(|hint| hint.starts_with("it cannot be repaired"));
        assert_eq!(is_why, problem.severity == Severity::Error, "{problem:#?}");
    }
}
