//! A language, once had, is not lost (docs/spec/commands.md#language), and what a page is told of it
//! (docs/spec/commands.md#results).

use super::kit::envelope::{Action, PackReason, State};
#[cfg(target_os = "linux")]
use super::kit::mounts::Mounts;
use super::kit::packs::{NOT_NEEDED, REMOVED, current, fetched, instead, unavailable};
use super::kit::publish::{Catalog, Ruleset};
use super::kit::sandbox::Sandbox;
use super::kit::server::{Reply, Server};
#[cfg(target_os = "linux")]
use super::kit::soundness::leftovers;
use serde_json::json;
use std::fs;

const ID: &str = "ember-roads";
const OTHER: &str = "gravewatch";

fn road(version: &str) -> Ruleset {
    named(ID, version)
}

fn named(id: &str, version: &str) -> Ruleset {
    ["de", "pt", "ru"].iter().fold(Ruleset::new(id, version), |ruleset, language| {
        ruleset.pack(language, &[("Grit", &format!("{language} of {version}"))])
    })
}

/// A server, what it publishes, and a reader of two rulesets.
struct World {
    server: Server,
    catalog: Catalog,
    sandbox: Sandbox,
}

impl World {
    fn reading(language: &str) -> Self {
        let server = Server::https();
        let catalog = Catalog::on(&server).with(road("0.9.0")).with(named(OTHER, "0.3.0"));
        catalog.mount(&server);
        let world = World { sandbox: Sandbox::new().attach(&server), server, catalog };
        world.change("language", &[language]);
        world.change("install", &[ID, OTHER]);
        world
    }

    fn publish(&mut self, ruleset: Ruleset) {
        self.catalog.publish(ruleset);
        self.catalog.mount(&self.server);
    }

    #[track_caller]
    fn change(&self, command: &str, more: &[&str]) -> super::kit::envelope::Envelope {
        self.sandbox.change(&[&[command], more].concat()).expect(0)
    }

    fn clean_cache(&self) {
        self.sandbox.run(&["cache", "clean"]).expect(0);
    }
}

#[test]
fn a_language_left_offline_is_gone_back_to_offline_whatever_the_cache_held() {
    let world = World::reading("pt");
    world.clean_cache();
    let away = world.change("language", &["--offline", "de"]);
    for id in [ID, OTHER] {
        assert_eq!(away.pack(id), unavailable(PackReason::Offline));
        assert_eq!(away.package(id).action, Action::Switched, "its pack went");
    }
    let back = world.change("language", &["--offline", "pt-BR"]);
    for id in [ID, OTHER] {
        assert_eq!((back.package(id).action, back.pack(id)), (Action::Switched, fetched("pt")));
    }
    // So it is by way of English, and by way of a catalog in a folder that is gone.
    world.clean_cache();
    assert_eq!(world.change("language", &["en"]).pack(ID), REMOVED);
    let folder = world.sandbox.work().join("nowhere");
    let back = world.change("language", &["pt", "--catalog", folder.to_str().unwrap()]);
    assert_eq!(back.pack(ID), fetched("pt"));
}

#[test]
fn a_rollback_finds_the_pack_of_the_version_it_goes_back_to() {
    for what in ["moved on", "held", "withdrawn", "catalog gone", "cache cleaned before"] {
        let mut world = World::reading("ru");
        if what == "cache cleaned before" {
            world.clean_cache();
        }
        world.publish(road("1.0.0"));
        world.change("update", &["--refresh"]);
        match what {
            "held" => drop(world.sandbox.run(&["hold", ID]).expect(0)),
            "withdrawn" => {
                world.catalog.remove(ID);
                world.catalog.mount(&world.server);
                world.sandbox.run(&["search", "--refresh"]).expect(0);
            }
            "catalog gone" => fs::remove_dir_all(world.sandbox.cache().join("catalogs")).unwrap(),
            _ => {}
        }
        world.server.forget();
        let back = world.change("rollback", &[ID]);
        assert_eq!((back.package(ID).action, back.pack(ID)), (Action::RolledBack, fetched("ru")), "{what}");
        assert_eq!(world.server.paths(), [""; 0], "{what}: from the cache at once");
        assert_eq!(back.package(ID).name.as_deref(), Some("Ember Roads [ru]"), "{what}");
        let sync = world.change("sync", &[]);
        assert_eq!((sync.package(ID).action, sync.pack(ID)), (Action::Unchanged, current("ru")), "{what}");
        // Another language of the version gone back to was never had, and the network is not asked for it.
        world.server.forget();
        let other = world.change("language", &["de"]);
        assert!(matches!(other.pack(ID).2, None | Some(PackReason::OtherVersion)), "{what}: {other:#?}");
        let asked = world.server.paths();
        assert!(!asked.iter().any(|path| path.contains("0.9.0.de")), "{what}: {asked:?}");
        assert_eq!(world.change("language", &["ru"]).pack(ID), fetched("ru"), "{what}");
    }
}

#[test]
fn a_pack_that_cannot_be_had_is_told_when_that_is_news_and_not_on_every_update() {
    let mut world = World::reading("ru");
    world.publish(road("1.0.0"));
    world.change("update", &["--refresh"]);
    world.clean_cache();
    let back = world.change("rollback", &[ID]);
    assert_eq!(back.pack(ID), unavailable(PackReason::Offline), "nobody knows the catalog");
    assert_eq!(back.warning_codes(), ["pack-unavailable"]);
    for command in [&["update"][..], &["sync"], &["update"]] {
        let answer = world.sandbox.change(command).expect(0);
        assert_eq!(answer.pack(ID), unavailable(PackReason::OtherVersion));
        assert!(!answer.warning_codes().contains(&"pack-unavailable"), "{command:?}: {answer:#?}");
        let told = world.sandbox.run(&[command, &["--progress=none"]].concat()).expect(0);
        assert!(!told.stdout.contains("pack") && !told.stderr.contains("language pack"), "{told}");
    }
    // Who asks for it is told.
    let asked = world.change("language", &["ru"]);
    assert_eq!(asked.warning_codes(), ["pack-unavailable"]);
}

/// Here the entry stops to list a language, and what is installed is called as it was.
#[test]
fn a_ruleset_is_called_the_same_by_every_command_also_where_its_entry_lists_the_language_no_longer() {
    let mut world = World::reading("ru");
    world.publish(Ruleset::new(ID, "0.9.0").pack("de", &[("Grit", "de")]));
    let names =
        [&["install", ID, "--force", "--refresh"][..], &["sync"], &["install", ID], &["update"], &["rollback", OTHER]]
            .map(|command| world.sandbox.json(command).changes().packages[0].name.clone());
    assert_eq!(names[..4], [(); 4].map(|()| Some("Ember Roads [ru]".to_owned())));
    assert_eq!(world.sandbox.json(&["list"]).list().packages[0].name, names[0]);
}

/// The packs of a server that does not give them: a row each, one warning, and none once it is known.
#[test]
fn what_keeps_back_the_packs_of_a_server_is_told_once_and_not_anew() {
    let mut world = World::reading("ru");
    for id in [ID, OTHER] {
        world.publish(named(id, "2.0.0"));
    }
    for id in [ID, OTHER] {
        world.server.put(&world.catalog.pack_path(id, "ru"), Reply::status(404));
    }
    let first = world.change("update", &["--refresh"]);
    let told: Vec<_> = first.warnings.iter().filter(|warning| warning.code == "pack-unavailable").collect();
    assert!(told.len() == 1 && told[0].message.ends_with("(ember-roads, gravewatch)"), "{first:#?}");
    assert!(told[0].message.contains("404") && !told[0].message.contains(".ru.json"), "{first:#?}");
    for command in [&["update"][..], &["sync"], &["update", "--refresh"], &["sync", "--refresh"]] {
        let answer = world.sandbox.change(command).expect(0);
        assert_eq!(answer.pack(ID), unavailable(PackReason::HttpError), "{command:?}");
        assert_eq!(answer.warning_codes(), [""; 0], "{command:?}: {answer:#?}");
    }
    // Who asks for it is told, and so is whoever has another reason.
    let asked = world.change("update", &[ID]);
    assert_eq!((asked.warning_codes(), asked.warnings[0].package.as_deref()), (vec!["pack-unavailable"], Some(ID)));
    world.server.put(&world.catalog.pack_path(ID, "ru"), Reply::ok("{}"));
    let other = world.change("update", &["--refresh"]);
    assert_eq!(other.pack(ID), unavailable(PackReason::SizeMismatch));
    assert_eq!(other.warning_codes(), ["pack-unavailable"], "{other:#?}");
}

#[test]
fn a_server_that_cannot_be_reached_is_not_called_offline() {
    let world = World::reading("ru");
    world.sandbox.run(&["search"]).expect(0);
    world.server.go_dark();
    let told = world.sandbox.run(&["language", "de", "--progress=none"]).expect(0);
    assert!(told.stdout.contains("cannot reach the server of the language pack"), "{told}");
    assert!(!told.stdout.contains("offline") && !told.stderr.contains("offline"), "{told}");
    let told = world.sandbox.run(&["language", "pt", "--offline", "--progress=none"]).expect(0);
    assert!(told.stdout.contains("the language pack is unavailable offline"), "{told}");
}

#[test]
fn a_forced_install_keeps_the_pack_it_replaces() {
    let world = World::reading("ru");
    let pack = fs::read(world.sandbox.pack_file(ID, "0.9.0", "ru")).unwrap();
    world.clean_cache();
    world.server.remove(&world.catalog.pack_path(ID, "ru"));
    world.change("install", &[ID, "--force"]);
    let kept = world.sandbox.cache().join("files").join(super::kit::sha256(&pack));
    assert_eq!(fs::read(kept).unwrap(), pack);
}

#[cfg(target_os = "linux")]
#[test]
fn a_pack_that_could_not_be_removed_is_nobody_elses_and_is_tried_again() {
    let world = World::reading("ru");
    let pack = world.sandbox.pack_file(ID, "0.9.0", "ru");
    let Some(mounts) = Mounts::pinned(&pack) else { return };
    let switched = mounts.run(world.sandbox.command(&["language", "de", "--json"])).expect(0).json();
    assert_eq!(switched.pack(ID), fetched("de"));
    assert!(pack.exists(), "nobody could remove it");
    let told = world.sandbox.json(&["doctor"]);
    let codes: Vec<&str> = told.doctor().problems.iter().map(|problem| problem.code.as_str()).collect();
    assert_eq!(codes, ["leftover-pack"]);
    drop(mounts);
    let again = world.change("sync", &[]);
    assert_eq!((again.package(ID).action, again.pack(ID)), (Action::Switched, current("de")));
    assert!(!pack.exists());
    let after = world.change("sync", &[]);
    assert_eq!(after.package(ID).action, Action::Unchanged);
    assert_eq!(world.sandbox.json(&["doctor"]).expect(0).doctor().problems, []);
}

#[cfg(target_os = "linux")]
#[test]
fn a_pack_that_nobody_can_remove_or_replace_and_is_the_one_wanted_is_in_place() {
    let mut world = World::reading("ru");
    world.publish(road("1.0.0"));
    let pack = world.sandbox.pack_file(ID, "0.9.0", "ru");
    let Some(mounts) = Mounts::pinned(&pack) else { return };
    let updated = mounts.run(world.sandbox.command(&["--refresh", "update", "--json"])).expect(0).json();
    assert_eq!(updated.warning_codes(), ["not-removed"], "{updated:#?}");
    let told = mounts.run(world.sandbox.command(&["doctor", "--json"])).expect(0).json();
    let found: Vec<_> =
        told.doctor().problems.iter().map(|problem| (problem.code.as_str(), problem.file.as_deref())).collect();
    assert_eq!(found, [("leftover-pack", pack.to_str())], "beside the version before");
    for version in ["0.9.0", "1.0.0", "0.9.0"] {
        let back = mounts.run(world.sandbox.command(&["rollback", ID, "--json"])).expect(0).json();
        assert_eq!(back.package(ID).version.as_deref(), Some(version));
        assert_eq!(back.package(ID).action, Action::RolledBack);
        assert!(world.sandbox.pack_file(ID, version, "ru").exists());
    }
    drop(mounts);
    assert_eq!(world.sandbox.json(&["doctor"]).expect(0).doctor().problems, []);
}

/// No cache takes it, so it stays beside its ruleset until one does, and is gone back to from there.
#[cfg(target_os = "linux")]
#[test]
fn a_language_the_cache_cannot_take_is_not_lost() {
    for command in ["language", "update"] {
        let mut world = World::reading("ru");
        if command == "update" {
            world.publish(road("1.0.0"));
        }
        world.clean_cache();
        let pack = world.sandbox.pack_file(ID, "0.9.0", "ru");
        let Some(mounts) = Mounts::read_only(&world.sandbox.cache()) else { return };
        let run = |args: &[&str]| mounts.run(world.sandbox.command(args).arg("--json")).expect(0).json();
        let (away, back) = match command {
            "language" => (run(&["language", "de"]), run(&["language", "ru", "--offline"])),
            _ => (run(&["update", ID]), run(&["rollback", ID, "--offline"])),
        };
        assert!(away.warning_codes().contains(&"cache-unwritable"), "{command}: {away:#?}");
        assert_eq!(back.pack(ID), fetched("ru"), "{command}: {back:#?}");
        let idle = run(&["sync", "--offline"]);
        assert_eq!((idle.package(ID).action, idle.pack(ID)), (Action::Unchanged, current("ru")), "{command}");
        let left = match command {
            "language" => world.sandbox.pack_file(ID, "0.9.0", "de"),
            _ => world.sandbox.pack_file(ID, "1.0.0", "ru"),
        };
        let told = run(&["doctor"]);
        let found = told.doctor().problems.iter().filter(|problem| problem.file.as_deref() == left.to_str());
        assert_eq!(found.map(|problem| problem.code.as_str()).collect::<Vec<_>>(), ["leftover-pack"], "{told:#?}");
        drop(mounts);
        world.change("sync", &[]);
        assert!(pack.exists() && !left.exists(), "{command}: the cache has it by now");
        assert_eq!(world.sandbox.json(&["doctor"]).expect(0).doctor().problems, [], "{command}");
        world.server.go_dark();
        let away = match command {
            "language" => world.change("language", &["de", "--offline"]),
            _ => world.change("rollback", &[ID, "--offline"]),
        };
        assert_eq!(away.pack(ID), fetched(if command == "language" { "de" } else { "ru" }), "{command}");
    }
}

#[test]
fn an_edited_pack_stays_where_it_is_until_another_takes_its_place() {
    let world = World::reading("ru");
    let pack = world.sandbox.pack_file(ID, "0.9.0", "ru");
    let edited = fs::read_to_string(&pack).unwrap().replacen("ru of", "mine of", 1);
    fs::write(&pack, &edited).unwrap();
    world.clean_cache();
    world.server.go_dark();
    for command in [&["sync"][..], &["language", "ru"], &["install", ID], &["update"], &["doctor", "--repair"]] {
        let answer = world.sandbox.json(&[command, &["--offline"]].concat());
        assert_eq!(fs::read_to_string(&pack).unwrap(), edited, "{command:?}: {answer:#?}");
        match command[0] {
            "doctor" => assert_eq!(answer.doctor().problems[0].code, "damaged-pack", "{answer:#?}"),
            "install" | "update" => {}
            _ => assert_eq!(answer.pack(ID), unavailable(PackReason::Offline), "{command:?}: {answer:#?}"),
        }
    }
    world.server.come_back();
    assert_eq!(world.change("sync", &[]).pack(ID), fetched("ru"));
    let aside = pack.with_file_name("ru.json.edited");
    assert_eq!(fs::read_to_string(aside).unwrap(), edited);
}

/// What is ours and cannot be removed now is swept later, and is never called somebody else's.
#[cfg(target_os = "linux")]
#[test]
fn what_replaces_or_removes_a_version_leaves_what_nobody_can_remove_to_the_sweep() {
    for command in [&["install", ID, "--force", "--json"][..], &["uninstall", ID, "--json"]] {
        let world = World::reading("ru");
        let versions = world.sandbox.packages().join("versions").join(ID);
        let Some(mounts) = Mounts::pinned(&world.sandbox.pack_file(ID, "0.9.0", "ru")) else { return };
        let answer = mounts.run(world.sandbox.command(command)).expect(0).json();
        assert_eq!(answer.warning_codes(), ["not-removed"], "{answer:#?}");
        let names = |folder| -> Vec<_> {
            fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().file_name()).collect()
        };
        let stays: &[&str] = if command[0] == "uninstall" { &[] } else { &["0.9.0"] };
        assert_eq!(names(&versions), stays, "{command:?}");
        // Nothing waits for it.
        mounts.run(world.sandbox.command(&["language", "de", "--json"])).expect(0);
        let told = mounts.run(world.sandbox.command(&["doctor", "--json"])).expect(0).json();
        let codes: Vec<&str> = told.doctor().problems.iter().map(|problem| problem.code.as_str()).collect();
        assert_eq!(codes, ["leftover-staging"]);
        drop(mounts);
        world.change("sync", &[]);
        assert_eq!(leftovers(&world.sandbox.packages()), [""; 0]);
        assert_eq!(world.sandbox.json(&["doctor"]).expect(0).doctor().problems, []);
    }
}

#[test]
fn sync_feeds_a_page() {
    let world = World::reading("ru");
    world.sandbox.run(&["hold", ID]).expect(0);
    let answer = world.change("sync", &[]);
    let page = answer.package(ID);
    assert_eq!(page.name.as_deref(), Some("Ember Roads [ru]"));
    assert_eq!((page.state, page.held), (Some(State::Ok), Some(true)));
    let listed = world.sandbox.json(&["list"]).expect(0);
    let listed = listed.list().packages.iter().find(|package| package.id == ID).unwrap().clone();
    assert_eq!((page.installed_at.clone(), page.name.clone()), (listed.installed_at, listed.name));
    assert_eq!(answer.package(OTHER).held, Some(false));
    assert_eq!(world.change("sync", &["--language", "en"]).package(ID).name.as_deref(), Some("Ember Roads"));
    let shown = world.change("language", &[]);
    assert_eq!((shown.package(OTHER).state, shown.package(OTHER).held), (Some(State::Ok), Some(false)));
}

#[test]
fn the_state_of_a_page_goes_by_sizes_and_times() {
    let world = World::reading("ru");
    let file = world.sandbox.version(ID, "0.9.0").join("ruleset.json");
    let whole = fs::read(&file).unwrap();
    let state = || world.sandbox.json(&["sync"]).expect(0).package(ID).state.unwrap();
    // Written again with the same bytes, as a copy of the data folder is.
    fs::write(&file, &whole).unwrap();
    assert_eq!(state(), State::Ok);
    let mut edited = whole.clone();
    *edited.last_mut().unwrap() = b' ';
    fs::write(&file, &edited).unwrap();
    assert_eq!(state(), State::Damaged, "of its size, and newer than what is recorded");
    fs::write(&file, &whole[1..]).unwrap();
    assert_eq!(state(), State::Damaged);
    fs::remove_file(&file).unwrap();
    assert_eq!(state(), State::Damaged);
    fs::write(&file, &whole).unwrap();
    assert_eq!(state(), State::Ok);
    let pack = world.sandbox.pack_file(ID, "0.9.0", "ru");
    let text = fs::read_to_string(&pack).unwrap();
    fs::write(&pack, text.replacen("Grit", "Girt", 1)).unwrap();
    assert_eq!(state(), State::Damaged, "the pack belongs to it");
    assert_eq!(world.change("sync", &["--language", "en"]).pack(ID), REMOVED);
    assert_eq!(world.change("sync", &["--language", "en"]).pack(OTHER), NOT_NEEDED);
}

#[test]
fn install_takes_the_version_or_the_sum_that_was_seen_and_no_other() {
    let server = Server::https();
    let catalog = Catalog::on(&server).with(road("1.0.0")).with(named(OTHER, "0.3.0"));
    catalog.mount(&server);
    let sandbox = Sandbox::new().attach(&server);
    let sum = catalog.entry(ID)["artifact"]["sha256"].as_str().unwrap().to_owned();
    let refused = |args: &[&str]| {
        let answer = sandbox.json(&[&["install"], args].concat());
        assert!(!sandbox.version(ID, "1.0.0").exists(), "{args:?}");
        answer.code().to_owned()
    };
    assert_eq!(refused(&["ember-roads@0.9.0"]), "not-in-catalog");
    assert_eq!(refused(&["ember-roads@1.0.0-rc.1"]), "not-in-catalog");
    assert_eq!(
        refused(&[ID, "--sha256", &sum.replace(&sum[..1], if sum.starts_with('0') { "1" } else { "0" })]),
        "checksum-mismatch"
    );
    for usage in [
        &["@1.0.0"][..],
        &["ember-roads@"],
        &["ember-roads@new"],
        &[ID, OTHER, "--sha256", &sum],
        &[ID, "--sha256", "12"],
    ] {
        assert_eq!(refused(usage), "usage", "{usage:?}");
    }
    assert_eq!(refused(&[ID, "ember-roads@1.0.0"]), "usage", "which of the two");
    let refused = sandbox.json(&["install", "ember-roads@0.9.0", "--language", "de"]);
    assert_eq!(refused.package(ID).name.as_deref(), Some("Ember Roads [de]"), "as its card has it");
    let asked = server.paths();
    assert!(!asked.iter().any(|path| path.contains("artifacts")), "{asked:?}");
    let answer = sandbox.json(&["install", "ember-roads@1.0.0", "--sha256", &sum.to_uppercase(), "--language", "de"]);
    assert_eq!((answer.exit, answer.package(ID).action), (0, Action::Installed));
    let again = sandbox.json(&["install", "ember-roads@1.0.0", "gravewatch@0.3.0"]).expect(0);
    assert_eq!(again.package(OTHER).action, Action::Installed);
    // What is there does not count: the catalog is no longer the one that was seen.
    let gone = sandbox.json(&["install", "ember-roads@0.9.0"]);
    assert_eq!((gone.code(), gone.package(ID).action), ("not-in-catalog", Action::Failed));
}

#[test]
fn outdated_tells_sum_and_size_and_what_is_new() {
    let mut world = World::reading("ru");
    let note = |version: &str| json!({"version": version, "date": "2026-11-30", "notes": format!("New in {version}.")});
    let versions = ["0.9.0", "0.10.0", "1.0.0", "1.1.0"].map(note);
    let notes = json!({"schemaVersion": 1, "packages": {ID: {"versions": versions}}});
    world.server.put("/notes.json", Reply::ok(notes.to_string()));
    world.server.forget();
    assert_eq!(world.sandbox.json(&["outdated"]).expect(0).outdated().packages.len(), 0);
    assert!(world.server.requests_of("/notes.json").is_empty(), "there is nothing to be told of");
    world.publish(road("1.0.0"));
    let told = || world.sandbox.json(&["outdated", "--refresh"]).expect(0).outdated().packages[0].clone();
    let newer = told();
    let artifact = &world.catalog.entry(ID)["artifact"];
    assert_eq!(
        (newer.sha256.as_str(), Some(newer.bytes)),
        (artifact["sha256"].as_str().unwrap(), artifact["bytes"].as_u64())
    );
    let news: Vec<&str> = newer.notes.iter().map(|note| note.notes.as_str()).collect();
    assert_eq!(news, ["New in 1.0.0.", "New in 0.10.0."]);
    assert_eq!((newer.name.as_deref(), newer.notes[0].highlight), (Some("Ember Roads [ru]"), false));
    // A copy does offline; a document with a mistake, or none, costs nothing but the notes.
    world.server.go_dark();
    let offline = world.sandbox.json(&["outdated", "--offline"]).expect(0);
    assert_eq!(offline.outdated().packages[0].notes.len(), 2);
    world.server.come_back();
    world.server.put("/notes.json", Reply::ok("{\"schemaVersion\": 2}"));
    assert_eq!(told().notes, []);
    world.server.remove("/notes.json");
    assert_eq!(told().notes, []);
    // And it is installed by what was told.
    let took = world.sandbox.json(&["install", "ember-roads@1.0.0", "--sha256", &newer.sha256]).expect(0);
    assert_eq!(took.package(ID).action, Action::Updated);
}

#[test]
fn the_notes_of_a_catalog_in_a_folder_lie_beside_it() {
    let sandbox = Sandbox::new();
    let folder = sandbox.work().join("catalog");
    Catalog::on_disk().with(road("0.9.0")).write(&folder);
    let sandbox = sandbox.catalog(&folder);
    sandbox.run(&["install", ID]).expect(0);
    Catalog::on_disk().with(road("1.0.0")).write(&folder);
    let note = json!({"version": "1.0.0", "date": "2026-11-30", "notes": "More.", "highlight": true});
    let beside = if folder.join("catalog.json").exists() { folder.clone() } else { folder.join("catalog") };
    let notes = json!({"schemaVersion": 1, "packages": {ID: {"versions": [note]}}});
    fs::write(beside.join("notes.json"), notes.to_string()).unwrap();
    let told = sandbox.json(&["outdated"]).expect(0);
    let note = &told.outdated().packages[0].notes[0];
    assert_eq!((note.version.as_str(), note.date.as_str(), note.highlight), ("1.0.0", "2026-11-30", true));
}

/// One refused once it is read is in the cache as well, and offered first.
#[test]
fn a_language_is_not_lost_to_a_republished_pack_that_is_refused_when_read() {
    for what in ["another language", "no JSON"] {
        let mut world = World::reading("ru");
        let good = fs::read(world.sandbox.pack_file(ID, "0.9.0", "ru")).unwrap();
        let (bad, reason) = match what {
            "no JSON" => (road("0.9.0").pack_bytes("ru", "no JSON"), PackReason::InvalidPack),
            _ => (road("0.9.0").pack_of_another_language("ru", "uk"), PackReason::LocaleMismatch),
        };
        world.publish(bad);
        assert_eq!(world.change("sync", &["--refresh"]).pack(ID), instead("ru", reason), "{what}");
        world.change("language", &["de"]);
        for more in [&["ru"][..], &["ru", "--offline"]] {
            world.change("language", &["de"]);
            let back = world.change("language", more);
            assert_eq!(back.pack(ID), instead("ru", reason), "{what}, {more:?}: {back:#?}");
            assert_eq!(fs::read(world.sandbox.pack_file(ID, "0.9.0", "ru")).unwrap(), good, "{what}, {more:?}");
        }
        // Nor where there is no catalog to list any.
        world.change("language", &["de"]);
        let folder = world.sandbox.work().join("nowhere");
        let back = world.change("language", &["ru", "--catalog", folder.to_str().unwrap()]);
        assert_eq!(back.pack(ID), instead("ru", reason), "{what}: {back:#?}");
        assert_eq!(fs::read(world.sandbox.pack_file(ID, "0.9.0", "ru")).unwrap(), good, "{what}");
    }
}

/// What can become of our own record of a version.
const FORGOTTEN: [&str; 4] = ["gone", "empty", "cut", "knows another version only"];

impl World {
    fn forget(&self, how: &str) {
        let record = self.sandbox.packages().join("rulepack.json");
        let text = fs::read_to_string(&record).unwrap();
        match how {
            "gone" => fs::remove_file(record).unwrap(),
            "empty" => fs::write(record, "").unwrap(),
            "cut" => fs::write(record, &text[..text.find("\"packages\"").unwrap()]).unwrap(),
            _ => {
                let mut state: serde_json::Value = serde_json::from_str(&text).unwrap();
                let versions = state["packages"][ID]["versions"].as_object_mut().unwrap();
                let receipt = versions.remove("0.9.0").unwrap();
                versions.insert("0.8.0".to_owned(), receipt);
                state["packages"][ID]["active"] = json!("0.8.0");
                fs::write(record, state.to_string()).unwrap();
            }
        }
    }

    /// Every file of the data folder with this text, by the end of its path.
    fn files_with(&self, text: &str) -> Vec<String> {
        let tree = super::kit::tree::Tree::of(self.sandbox.packages().join("versions").join(ID));
        let files = tree.files().into_iter().map(str::to_owned);
        let root = self.sandbox.packages().join("versions").join(ID);
        files.filter(|path| fs::read(root.join(path)).unwrap() == text.as_bytes()).collect()
    }
}

#[test]
fn a_pack_nobody_has_a_record_of_is_its_readers_own() {
    const OWN: &str = "{\"mine\": true}";
    let commands: [(&[&str], &str, &str); 6] = [
        (&["--language", "de", "sync"], "0.9.0/locales/fr.json", "0.9.0/locales/de.json.edited"),
        (&["language", "ru"], "0.9.0/locales/fr.json", "0.9.0/locales/de.json"),
        (&["language", "en"], "0.9.0/locales/fr.json", "0.9.0/locales/de.json"),
        (&["--language", "de", "update", "--refresh"], "0.9.0/locales/fr.json", "0.9.0/locales/de.json"),
        (&["--language", "de", "install", ID, "--force"], "0.9.0/locales/fr.json", "0.9.0/locales/de.json.edited"),
        (&["uninstall", ID], "0.9.0/locales/fr.json", "0.9.0/locales/de.json"),
    ];
    for how in FORGOTTEN {
        for (command, fr, de) in commands {
            for (language, place) in [("fr", fr), ("de", de)] {
                let mut world = World::reading("de");
                fs::remove_file(world.sandbox.pack_file(ID, "0.9.0", "de")).unwrap();
                fs::write(world.sandbox.pack_file(ID, "0.9.0", language), OWN).unwrap();
                world.forget(how);
                if command.contains(&"update") {
                    world.publish(road("1.0.0"));
                }
                let what = format!("{how}, {command:?}, {language}");
                let answer = world.sandbox.json(command);
                assert_eq!(answer.exit, 0, "{what}: {answer:#?}");
                assert_eq!(world.files_with(OWN), [place], "{what}: {answer:#?}");
                let is_named = answer.warning_codes().contains(&"files-kept");
                let has_moved = command.contains(&"uninstall") || command.contains(&"--force");
                assert_eq!(is_named, has_moved || place.ends_with(".edited"), "{what}: {answer:#?}");
                if command.contains(&"sync") && language == "fr" {
                    let told = world.sandbox.json(&["doctor"]);
                    let codes: Vec<&str> = told.doctor().problems.iter().map(|one| one.code.as_str()).collect();
                    assert!(codes.contains(&"unrecorded-pack"), "{what}: {told:#?}");
                }
            }
        }
    }
}

/// By its bytes, which the cache has or the catalog lists.
#[test]
fn a_pack_of_the_catalogs_is_known_again_without_a_record() {
    for cached in [true, false] {
        for how in FORGOTTEN {
            let world = World::reading("de");
            world.forget(how);
            if !cached {
                world.clean_cache();
            }
            let pack = world.sandbox.pack_file(ID, "0.9.0", "de");
            let whole = fs::read(&pack).unwrap();
            let answer = world.sandbox.json(&["language", "ru"]).expect(0);
            assert_eq!(answer.pack(ID), fetched("ru"), "{how}");
            assert!(!pack.exists(), "{how}, {cached}: {answer:#?}");
            world.server.go_dark();
            world.change("language", &["de", "--offline"]);
            assert_eq!(fs::read(&pack).unwrap(), whole, "{how}, {cached}");
        }
    }
}
