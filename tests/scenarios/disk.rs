//! No room, no right, no good disk: whatever the disk refuses, the code is the right one and the store is as before, or
//! the work is done all the same (docs/spec/commands.md#the-store, #exit-codes).

use super::kit::engine::rulesets;
use super::kit::envelope::PackReason;
use super::kit::mounts::Mounts;
use super::kit::packs::{fetched, unavailable};
use super::kit::publish::{Catalog, Ruleset};
use super::kit::sandbox::{Invocation, Sandbox};
use super::kit::server::Server;
use super::kit::sha256;
use super::kit::soundness::{Store, disk};
use super::kit::tree::Tree;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A reader of Russian with `ember-roads` 1.0.0, 0.9.0 before it; the server has 1.1.0 and `gravewatch`, and nothing of
/// those is in the cache.
struct World {
    server: Server,
    sandbox: Sandbox,
}

fn road(version: &str) -> Ruleset {
    Ruleset::new("ember-roads", version)
        .file("notes.txt", version.repeat(4000))
        .pack("ru", &[("Grit", "Стойкость")])
        .pack("de", &[("Grit", "Mumm")])
}

impl World {
    fn new() -> Self {
        let server = Server::https();
        let sandbox = Sandbox::new().attach(&server).env("RULEPACK_PRETEND", "no-power-cuts");
        let mut catalog = Catalog::on(&server).with(road("0.9.0")).with(Ruleset::new("gravewatch", "0.3.0"));
        catalog.mount(&server);
        sandbox.run(&["language", "ru"]).expect(0);
        sandbox.run(&["install", "ember-roads"]).expect(0);
        catalog.publish(road("1.0.0"));
        catalog.mount(&server);
        sandbox.run(&["update", "--refresh"]).expect(0);
        catalog.publish(road("1.1.0"));
        catalog.mount(&server);
        sandbox.run(&["search", "--refresh"]).expect(0);
        World { server, sandbox }
    }

    /// With 1.1.0, and its packs to be had.
    fn up_to_date() -> Self {
        let world = World::new();
        world.sandbox.run(&["update"]).expect(0);
        world
    }

    fn command(&self, args: &[&str]) -> Invocation {
        self.sandbox.command(args).arg("--json")
    }
}

/// Everything that changes the store, and what the first of it is that fails on a disk.
const WRITERS: &[&[&str]] = &[
    &["install", "gravewatch"],
    &["update"],
    &["rollback", "ember-roads"],
    &["uninstall", "ember-roads"],
    &["language", "de"],
    &["language", "en"],
    &["hold", "ember-roads"],
];

const READERS: &[&[&str]] = &[
    &["list"],
    &["path", "ember-roads"],
    &["doctor"],
    &["outdated"],
    &["search"],
    &["info", "ember-roads"],
    &["sync"],
    &["language"],
    &["update", "--dry-run"],
];

fn packages_below(data: &Path) -> Tree {
    Tree::of(data).without("capability-packages/.rulepack.lock").without("filler")
}

/// Takes all the room there is but for so many pages.
fn fill(folder: &Path, pages_left: u64) {
    use std::io::Write;
    let mut filler = fs::File::create(folder.join("filler")).unwrap();
    while filler.write_all(&[0; 4096]).is_ok() {}
    let taken = filler.metadata().unwrap().len() / 4096;
    filler.set_len(taken.saturating_sub(pages_left) * 4096).unwrap();
}

/// From no room at all, page by page, until there is enough: either nothing has changed, or all is done.
#[test]
fn on_a_full_disk_a_command_does_all_or_nothing() {
    for writer in WRITERS {
        let world = if writer[0] == "language" { World::up_to_date() } else { World::new() };
        let data = world.sandbox.data();
        for pages_left in 0.. {
            let Some(mounts) = Mounts::small(&data, 512 << 10) else { return };
            let inside = mounts.path(&data);
            fill(&inside, pages_left);
            let before = packages_below(&inside);
            let outcome = mounts.run(world.command(writer));
            assert_eq!(mounts.run(world.command(&["list"])).expect(0).json().warnings, [], "{writer:?}");
            if outcome.status == Some(0) {
                assert!(pages_left > 0, "{writer:?} took no room");
                break;
            }
            let answer = outcome.json();
            assert_eq!((answer.code(), answer.exit), ("disk-full", 1), "{writer:?}, {pages_left} pages: {answer:#?}");
            let difference = before.difference(&packages_below(&inside));
            assert!(difference.is_empty(), "{writer:?}, {pages_left} pages: {answer:#?}\n{difference}");
        }
    }
}

#[test]
fn a_cache_without_room_keeps_nobody_from_installing() {
    for pages_left in [0, 1, 2, 4] {
        let world = World::new();
        fs::remove_dir_all(world.sandbox.cache().join("files")).unwrap();
        let Some(mounts) = Mounts::small(&world.sandbox.cache(), 64 << 10) else { return };
        fill(&mounts.path(&world.sandbox.cache()), pages_left);
        let answer = mounts.run(world.command(&["update", "--refresh"])).expect(0).json();
        assert_eq!(answer.package("ember-roads").version.as_deref(), Some("1.1.0"));
        assert!(answer.warning_codes().contains(&"cache-unwritable"), "{pages_left}: {answer:#?}");
        rulesets(&world.sandbox);
    }
}

#[test]
fn where_the_data_folder_is_read_only_looking_works_and_changing_says_why_not() {
    let world = World::new();
    let Some(mounts) = Mounts::read_only(&world.sandbox.data()) else { return };
    let before = disk(&world.sandbox);
    for reader in READERS {
        let answer = mounts.run(world.command(reader)).expect(0).json();
        assert_eq!(answer.warnings, [], "{reader:?}");
    }
    for writer in WRITERS {
        let answer = mounts.run(world.command(writer)).expect(1).json();
        assert_eq!(answer.code(), "io", "{writer:?}");
        let error = answer.error.as_ref().unwrap();
        assert!(error.message.contains(world.sandbox.data().to_str().unwrap()), "{writer:?}: {error:?}");
        assert!(error.hint.as_ref().is_some_and(|hint| hint.contains("--data-dir")), "{writer:?}: {error:?}");
    }
    before.assert_same(&disk(&world.sandbox));
}

#[test]
fn a_read_only_cache_costs_a_warning_and_nothing_else() {
    let world = World::new();
    let Some(mounts) = Mounts::read_only(&world.sandbox.cache()) else { return };
    let before = Tree::of(world.sandbox.cache());
    let answer = mounts.run(world.command(&["update", "--refresh"])).expect(0).json();
    assert_eq!(answer.package("ember-roads").version.as_deref(), Some("1.1.0"));
    assert_eq!(answer.warning_codes(), ["cache-unwritable"], "{answer:#?}");
    let clean = mounts.run(world.command(&["cache", "clean"])).expect(1).json();
    assert_eq!(clean.code(), "io");
    before.assert_same(&Tree::of(world.sandbox.cache()));
    rulesets(&world.sandbox);
}

/// On an overlay every command works as on any disk, and the reader's own files stay.
#[test]
fn on_an_overlay_every_command_works() {
    for writer in WRITERS.iter().chain(&[&["install", "ember-roads", "--force"][..]]) {
        let world = World::up_to_date();
        let mine = world.sandbox.version("ember-roads", "1.1.0").join("mine.txt");
        fs::write(&mine, "mine").unwrap();
        let Some(mounts) = Mounts::overlay(&world.sandbox.data()) else { return };
        mounts.run(world.command(writer)).expect(0);
        assert_eq!(fs::read(mounts.path(&mine)).unwrap(), b"mine", "{writer:?}");
        let doctor = mounts.run(world.command(&["doctor"])).expect(0).json();
        assert_eq!(doctor.doctor().summary.errors, 0, "{writer:?}");
    }
}

#[test]
fn where_nobody_may_change_modes_every_command_works() {
    for writer in [&["update"][..], &["rollback", "ember-roads"], &["uninstall", "ember-roads"]] {
        let world = World::new();
        set_mode(&world.sandbox.packages().join("installed.json"), 0o600);
        world.command(writer).env("RULEPACK_PRETEND", "no-power-cuts no-chmod").run().expect(0);
    }
}

#[test]
fn where_files_cannot_be_locked_that_is_said_and_nothing_changes() {
    let world = World::new();
    let before = disk(&world.sandbox);
    let without = |args: &[&str]| world.command(args).env("RULEPACK_PRETEND", "no-power-cuts no-locks").run();
    for reader in READERS {
        without(reader).expect(0);
    }
    for writer in WRITERS {
        let answer = without(writer).expect(1).json();
        let error = answer.error.as_ref().unwrap();
        assert_eq!(answer.code(), "io", "{writer:?}");
        assert!(error.hint.as_ref().is_some_and(|hint| hint.contains("--data-dir")), "{writer:?}: {error:?}");
    }
    before.assert_same(&disk(&world.sandbox));
}

/// Anything else in the place of the lock file is neither written to nor made nor waited for.
#[test]
fn a_link_or_a_pipe_in_the_place_of_the_lock_is_refused() {
    let world = World::new();
    let lock = world.sandbox.packages().join(".rulepack.lock");
    let outside = world.sandbox.root().join("outside");
    let victim = outside.join("victim");
    fs::create_dir(&outside).unwrap();
    fs::write(&victim, "mine").unwrap();
    type Make = fn(&Path, &Path);
    let ways: [(&str, Make); 3] = [
        ("a link", |lock, victim| std::os::unix::fs::symlink(victim, lock).unwrap()),
        ("a dangling link", |lock, victim| std::os::unix::fs::symlink(victim.with_file_name("new"), lock).unwrap()),
        ("a pipe", |lock, _| pipe(lock)),
    ];
    for (way, make) in ways {
        let _ = fs::remove_file(&lock);
        make(&lock, &victim);
        let answer = world.command(&["update"]).timeout(std::time::Duration::from_secs(20)).run().expect(1).json();
        assert_eq!(answer.code(), "io", "{way}");
        assert!(answer.error.as_ref().unwrap().message.contains(".rulepack.lock"), "{way}: {answer:#?}");
        world.command(&["list"]).run().expect(0);
        assert_eq!(fs::read(&victim).unwrap(), b"mine", "{way}");
        assert_eq!(Tree::of(&outside).files(), ["victim"], "{way}");
    }
}

#[test]
fn a_link_in_the_place_of_the_engines_folder_is_not_followed() {
    let world = World::new();
    let outside = world.sandbox.root().join("outside");
    fs::rename(world.sandbox.packages(), &outside).unwrap();
    std::os::unix::fs::symlink(&outside, world.sandbox.packages()).unwrap();
    let before = Tree::of(&outside);
    for command in WRITERS.iter().chain(&[&["list"][..]]) {
        let answer = world.command(command).run().expect(1).json();
        assert_eq!(answer.code(), "io", "{command:?}");
        let error = answer.error.as_ref().unwrap();
        assert!(error.message.contains("link") && error.hint.is_some(), "{command:?}: {error:?}");
    }
    before.assert_same(&Tree::of(&outside));
}

/// With few files to be open a run is slower and no worse.
#[test]
fn with_thirty_two_open_files_everything_works() {
    let world = World::up_to_date();
    let many = (0..200).fold(Ruleset::new("many", "1.0.0"), |many, n| many.file(&format!("d{}/f{n}.txt", n % 20), "x"));
    Catalog::on(&world.server).with(road("1.1.0")).with(many).mount(&world.server);
    world.sandbox.run(&["search", "--refresh"]).expect(0);
    let commands: &[&[&str]] = &[
        &["install", "many"],
        &["list"],
        &["doctor"],
        &["sync", "--language", "de"],
        &["install", "many", "--force"],
        &["update"],
        &["uninstall", "many"],
    ];
    for command in commands {
        let outcome = world.command(command).no_more_files_than(32).run().expect(0);
        assert_eq!(outcome.json().warnings, [], "{command:?}");
    }
}

/// Without more threads those there are do the work.
#[test]
fn a_process_that_may_start_no_thread_works() {
    let world = World::up_to_date();
    let Some(ordinary) = Ordinary::of(&world) else { return };
    let file = world.sandbox.version("ember-roads", "1.1.0").join("ruleset.json");
    let path = file.to_str().unwrap();
    // What is read from a pipe is read on a thread of its own where there is one.
    let piped = ordinary.command(&["migrate", "ember-roads", "-"]).stdin("{}").through(&["prlimit", "--nproc=1:1"]);
    assert_eq!(piped.run().expect(4).json().code(), "invalid-sheet");
    let commands: &[&[&str]] = &[
        &["list"],
        &["doctor"],
        &["rollback", "ember-roads"],
        &["update", "ember-roads", "--refresh"],
        &["sync", "--language", "de", "--refresh"],
        &["install", "gravewatch", "--refresh"],
        &["install", "ember-roads", "--force"],
        &["outdated", "--refresh"],
        &["check", path],
        &["uninstall", "ember-roads", "gravewatch"],
    ];
    for command in commands {
        let outcome = ordinary.command(command).through(&["prlimit", "--nproc=1:1"]).run();
        assert!(!outcome.stderr.contains("panicked"), "{command:?}: {outcome:?}");
        outcome.expect(0);
    }
}

/// A record that can be read but not replaced, as if it belonged to somebody else or were immutable.
#[test]
fn a_record_that_cannot_be_replaced_undoes_the_change() {
    for record in ["installed.json", "rulepack.json", "update-decisions-v1.json"] {
        let world = World::new();
        // So that there is one.
        world.sandbox.run(&["rollback", "ember-roads"]).expect(0);
        world.sandbox.run(&["rollback", "ember-roads"]).expect(0);
        let path = world.sandbox.packages().join(record);
        let Some(mounts) = Mounts::pinned(&path) else { return };
        let before = disk(&world.sandbox);
        for writer in [&["update"][..], &["rollback", "ember-roads"], &["uninstall", "ember-roads"]] {
            let answer = mounts.run(world.command(writer)).json();
            if answer.exit == 0 {
                // Nothing about this record changed.
                assert!(record == "update-decisions-v1.json" && writer[0] != "rollback", "{record}, {writer:?}");
                break;
            }
            assert_eq!((answer.code(), answer.exit), ("io", 1), "{record}, {writer:?}: {answer:#?}");
            assert!(answer.error.as_ref().unwrap().message.contains(record), "{writer:?}: {answer:#?}");
            before.assert_same(&disk(&world.sandbox));
        }
        drop(mounts);
        rulesets(&world.sandbox);
    }
}

/// Whatever is in the way of a pack, and nothing else, costs the language alone.
#[test]
fn a_pack_that_cannot_be_put_in_its_place_leaves_its_ruleset_in_english() {
    type Block = fn(&Path) -> Option<Mounts>;
    let ways: &[(&str, Block)] = &[
        ("a folder that cannot be written to", |locales| {
            fs::create_dir_all(locales).unwrap();
            Mounts::read_only(locales)
        }),
        ("a file in the place of the folder", |locales| {
            let _ = fs::remove_dir_all(locales);
            fs::write(locales, "mine").unwrap();
            Mounts::make(":", locales)
        }),
        ("a folder in the place of the pack", |locales| {
            for pack in ["de.json", "ru.json"] {
                // Beside a pack that is there.
                let _ = fs::create_dir_all(locales.join(pack));
            }
            Mounts::make(":", locales)
        }),
        ("a link in the place of the folder", |locales| {
            let _ = fs::remove_dir_all(locales);
            std::os::unix::fs::symlink(std::env::temp_dir(), locales).unwrap();
            Mounts::make(":", locales)
        }),
    ];
    let commands: &[(&[&str], &str)] = &[
        (&["language", "de"], "1.1.0"),
        (&["sync", "--language", "de"], "1.1.0"),
        (&["rollback", "ember-roads"], "1.0.0"),
    ];
    for (way, block) in ways {
        for (command, version) in commands {
            let world = World::up_to_date();
            let locales = world.sandbox.version("ember-roads", version).join("locales");
            let Some(mounts) = block(&locales) else { return };
            let answer = mounts.run(world.command(command)).expect(0).json();
            assert_eq!(answer.pack("ember-roads"), unavailable(PackReason::Io), "{way}, {command:?}: {answer:#?}");
            assert_eq!(answer.package("ember-roads").version.as_deref(), Some(*version), "{way}, {command:?}");
            assert!(answer.warning_codes().contains(&"pack-unavailable"), "{way}, {command:?}: {answer:#?}");
            if command[0] != "rollback" {
                let required = mounts.run(world.command(&[*command, &["--require-pack"]].concat())).expect(1).json();
                assert_eq!(required.code(), "io", "{way}, {command:?}: {required:#?}");
            }
            rulesets(&world.sandbox);
            assert!(!world.sandbox.packages().join(".rulepack-intent.json").exists(), "{way}, {command:?}");
        }
    }
}

/// What had been edited in a folder that is replaced cannot be read any more: it stays, and nothing waits for it.
#[test]
fn a_file_the_disk_cannot_read_any_more_holds_up_no_later_change() {
    let world = World::up_to_date();
    let file = world.sandbox.version("ember-roads", "1.1.0").join("notes.txt");
    let Some(mounts) = Mounts::broken(&file) else { return };
    let answer = mounts.run(world.command(&["install", "ember-roads", "--force"])).expect(0).json();
    assert!(answer.warning_codes().contains(&"files-kept"), "{answer:#?}");
    assert!(!world.sandbox.packages().join(".rulepack-intent.json").exists(), "{answer:#?}");
    let kept = world.sandbox.version("ember-roads", "1.1.0.kept").join("notes.txt");
    assert!(kept.exists(), "{answer:#?}");
    let other = mounts.run(world.command(&["install", "gravewatch"])).expect(0).json();
    assert_eq!(other.warnings, [], "{other:#?}");
    let told = mounts.run(world.command(&["doctor"])).expect(0).json();
    let named =
        told.doctor().problems.iter().filter(|problem| problem.file.as_deref() == kept.parent().unwrap().to_str());
    assert_eq!(named.map(|problem| problem.code.as_str()).collect::<Vec<_>>(), ["extra-file"], "{told:#?}");
    rulesets(&world.sandbox);
}

#[test]
fn a_version_that_goes_with_a_file_the_disk_cannot_read_is_told() {
    let world = World::up_to_date();
    let file = world.sandbox.version("ember-roads", "1.0.0").join("notes.txt");
    let Some(mounts) = Mounts::broken(&file) else { return };
    let answer = mounts.run(world.command(&["uninstall", "ember-roads"])).expect(0).json();
    assert!(!answer.warnings.is_empty(), "{answer:#?}");
    mounts.run(world.command(&["install", "gravewatch"])).expect(0);
    let told = mounts.run(world.command(&["doctor"])).expect(0).json();
    let folder = world.sandbox.version("ember-roads", "1.0.0");
    let names = |problem: &super::kit::envelope::Problem| problem.file.as_deref() == folder.to_str();
    assert!(told.doctor().problems.iter().any(names), "{told:#?}");
}

/// Not `offline`: the pack is in the cache, and the disk does not give it.
#[test]
fn a_cached_pack_the_disk_cannot_read_is_unavailable_for_that_reason() {
    let world = World::up_to_date();
    world.sandbox.run(&["language", "de"]).expect(0);
    world.sandbox.run(&["language", "ru"]).expect(0);
    let is_german = |path: &PathBuf| fs::read_to_string(path).is_ok_and(|text| text.contains("Mumm"));
    let german: Vec<PathBuf> = cached(&world.sandbox).into_iter().filter(is_german).collect();
    let pack = german.iter().max_by_key(|path| path.metadata().unwrap().modified().unwrap()).unwrap();
    let Some(mounts) = Mounts::broken(pack) else { return };
    let answer = mounts.run(world.command(&["language", "de", "--offline"])).expect(0).json();
    assert_eq!(answer.pack("ember-roads"), unavailable(PackReason::Io), "{answer:#?}");
    let answer = mounts.run(world.command(&["language", "de"])).expect(0).json();
    assert_eq!(answer.pack("ember-roads"), fetched("de"), "{answer:#?}");
}

/// A file where a folder should be: what is asked, the code, and whether the pack is what is lost.
#[test]
fn a_file_where_a_folder_should_be_is_told_and_stays_at_every_level() {
    type Case = (&'static str, &'static [&'static str], Option<&'static str>);
    let cases: &[Case] = &[
        ("data", &["install", "gravewatch"], Some("io")),
        ("data", &["list"], Some("io")),
        ("data/capability-packages", &["list"], Some("io")),
        ("data/capability-packages", &["install", "gravewatch"], Some("io")),
        ("data/capability-packages/versions", &["update"], Some("io")),
        ("data/capability-packages/versions/ember-roads", &["update"], Some("io")),
        ("data/capability-packages/versions/ember-roads/1.1.0", &["update"], Some("io")),
        ("cache", &["update", "--refresh"], None),
        ("cache/files", &["update"], None),
        ("cache/catalogs", &["update", "--refresh"], None),
    ];
    for (place, args, code) in cases {
        let world = World::new();
        let path = world.sandbox.root().join(place);
        let _ = fs::remove_dir_all(&path);
        fs::write(&path, "mine").unwrap();
        let everything =
            || Tree::of(world.sandbox.root()).without("cache").without("data/capability-packages/.rulepack.lock");
        let before = everything();
        let answer = world.sandbox.json(args);
        match code {
            Some(code) => {
                assert_eq!((answer.code(), answer.exit), (*code, 1), "{place}, {args:?}: {answer:#?}");
                let name = path.to_str().unwrap();
                assert!(answer.error.as_ref().unwrap().message.contains(name), "{place}, {args:?}: {answer:#?}");
                before.assert_same(&everything());
            }
            None => {
                assert_eq!(answer.exit, 0, "{place}, {args:?}: {answer:#?}");
                assert_eq!(answer.warning_codes(), ["cache-unwritable"], "{place}, {args:?}");
                rulesets(&world.sandbox);
            }
        }
        assert_eq!(fs::read(&path).unwrap(), b"mine", "{place}");
    }
}

type Rot = (&'static str, fn(&Path));

/// Every way a file of the cache may be other than it was written.
const ROTS: &[Rot] = &[
    ("empty", |path| fs::write(path, "").unwrap()),
    ("NULs", |path| {
        let bytes = fs::read(path).unwrap().len();
        fs::write(path, vec![0; bytes]).unwrap();
    }),
    ("cut", |path| {
        let bytes = fs::read(path).unwrap();
        fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
    }),
    ("a bit flipped near the end", |path| {
        let mut bytes = fs::read(path).unwrap();
        let at = bytes.len() - 9;
        bytes[at] ^= 4;
        fs::write(path, bytes).unwrap();
    }),
    ("a bit flipped near the start", |path| {
        let mut bytes = fs::read(path).unwrap();
        bytes[60] ^= 4;
        fs::write(path, bytes).unwrap();
    }),
    ("longer", |path| {
        let bytes = fs::read(path).unwrap();
        fs::write(path, [bytes.as_slice(), b" "].concat()).unwrap();
    }),
    ("a folder", |path| {
        fs::remove_file(path).unwrap();
        fs::create_dir(path).unwrap();
        fs::write(path.join("mine"), "mine").unwrap();
    }),
    ("a link to nothing", |path| {
        fs::remove_file(path).unwrap();
        std::os::unix::fs::symlink("/nowhere/at/all", path).unwrap();
    }),
    ("a pipe", |path| {
        fs::remove_file(path).unwrap();
        pipe(path);
    }),
];

fn cached(sandbox: &Sandbox) -> Vec<PathBuf> {
    let folders = ["files", "catalogs"].map(|folder| sandbox.cache().join(folder));
    folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap()).map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn a_cache_that_rotted_anywhere_is_fetched_again_and_offline_is_no_worse_than_none() {
    for (how, rot) in ROTS {
        let world = World::new();
        world.sandbox.run(&["update"]).expect(0);
        cached(&world.sandbox).iter().for_each(|path| rot(path));
        let before = disk(&world.sandbox);
        for command in [&["install", "ember-roads", "--force", "--offline"][..], &["search", "--offline"]] {
            let answer = world.sandbox.json(command);
            // A copy of the catalog that can be told for one, and is not as it was, is said to be just that.
            assert!(["offline", "invalid-catalog"].contains(&answer.code()), "{how}, {command:?}: {answer:#?}");
        }
        before.assert_same(&disk(&world.sandbox));
        world.sandbox.run(&["install", "ember-roads", "--force"]).expect(0);
        world.sandbox.run(&["language", "de"]).expect(0);
        rulesets(&world.sandbox);
    }
}

/// A pipe where a file should be: whoever opened it to read would wait for a writer for ever.
#[test]
fn a_pipe_in_the_place_of_any_file_of_the_store_keeps_nobody_waiting() {
    let files: &[(&str, &[&str], i32)] = &[
        ("installed.json", &["list"], 1),
        ("installed.json", &["update"], 1),
        ("rulepack.json", &["list"], 1),
        ("update-decisions-v1.json", &["list"], 0),
        (".rulepack-intent.json", &["list"], 0),
        ("versions/ember-roads/1.1.0/ruleset.json", &["doctor", "--repair"], 0),
        ("versions/ember-roads/1.1.0/manifest.json", &["doctor", "--repair"], 0),
        // Something else in the place of a pack is not moved away, which is said.
        ("versions/ember-roads/1.1.0/locales/ru.json", &["doctor", "--repair"], 10),
        ("versions/ember-roads/1.0.0/manifest.json", &["doctor", "--repair"], 0),
        ("versions/ember-roads/1.0.0/manifest.json", &["uninstall", "ember-roads"], 0),
    ];
    for (name, command, exit) in files {
        let world = World::up_to_date();
        let path = world.sandbox.packages().join(name);
        let _ = fs::remove_file(&path);
        pipe(&path);
        let outcome = world.command(command).timeout(std::time::Duration::from_secs(20)).run();
        assert_eq!(outcome.status, Some(*exit), "{name}, {command:?}: {outcome}");
    }
}

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// The moment at which the kept copy of the catalog says it was fetched.
fn fetched_at(sandbox: &Sandbox, seconds: &str) {
    let copy = fs::read_dir(sandbox.cache().join("catalogs")).unwrap().next().unwrap().unwrap().path();
    let text = fs::read_to_string(&copy).unwrap();
    let (first, rest) = text.split_once('\n').unwrap();
    let length: usize = first.split(' ').nth(2).unwrap().parse().unwrap();
    let (header, body) = rest.split_at(length);
    let lines = header.lines().map(|line| match line.split_once(' ') {
        Some(("fetched-at", _)) => format!("fetched-at {seconds}\n"),
        _ => format!("{line}\n"),
    });
    let header: String = lines.collect();
    let digest = sha256(header.as_bytes());
    fs::write(copy, format!("rulepack-catalog 1 {} {digest}\n{header}{body}", header.len())).unwrap();
}

/// The copy of the catalog, and everything on the disk, is of a time that is no time: it is asked for again, and where
/// nobody answers it is used all the same.
#[test]
fn a_clock_that_was_wrong_harms_nothing() {
    for seconds in ["0", "1", "4000000000", "9223372036854775807", "18446744073709551615"] {
        let world = World::new();
        fetched_at(&world.sandbox, seconds);
        let moment = std::time::SystemTime::UNIX_EPOCH
            + std::time::Duration::from_secs(if seconds.len() < 3 { 1 } else { 4_000_000_000 });
        for path in cached(&world.sandbox).iter().chain(&[world.sandbox.packages().join("installed.json")]) {
            fs::File::options().write(true).open(path).unwrap().set_modified(moment).unwrap();
        }
        assert_eq!(world.sandbox.json(&["search", "--offline"]).exit, 0, "{seconds}");
        world.server.forget();
        assert_eq!(world.sandbox.json(&["search"]).warnings, [], "{seconds}");
        assert_eq!(world.server.requests_of("/catalog.json").len(), 1, "{seconds}: it is asked again");
        fetched_at(&world.sandbox, seconds);
        world.server.go_dark();
        let answer = world.sandbox.json(&["search"]);
        assert_eq!((answer.exit, answer.warning_codes()), (0, vec!["stale-catalog"]), "{seconds}");
        world.server.come_back();
        world.sandbox.run(&["update"]).expect(0);
        rulesets(&world.sandbox);
    }
}

/// From too few to start up to enough.
#[test]
fn a_process_that_may_open_no_more_files_changes_all_or_nothing() {
    for writer in [&["update", "--refresh"][..], &["rollback", "ember-roads"], &["language", "de"]] {
        let world = World::new();
        // The folder of what is staged may be beyond removing as well; the next run sweeps it.
        let store = || Store::of(&world.sandbox.packages());
        for count in 4.. {
            let before = store();
            let outcome = world.command(writer).no_more_files_than(count).run();
            // With so few the system cannot even start it.
            if outcome.status == Some(127) {
                continue;
            }
            let answer = outcome.json();
            if answer.exit == 0 && !answer.warning_codes().contains(&"stale-catalog") {
                assert!(count > 4);
                rulesets(&world.sandbox);
                break;
            }
            if answer.exit != 0 {
                assert!(["io", "network", "internal"].contains(&answer.code()), "{writer:?}, {count}: {answer:#?}");
                before.assert_same(&store(), &format!("{writer:?}, {count}: {answer:#?}"));
            }
            rulesets(&world.sandbox);
            assert!(count < 100, "{writer:?}: {answer:#?}");
        }
    }
}

/// An ordinary user's runs, to whom modes mean something. Nothing where the tests are run by root and root can be
/// nobody else.
struct Ordinary<'a> {
    world: &'a World,
    is_root: bool,
}

const NOBODY: &str = "65534";

impl<'a> Ordinary<'a> {
    fn of(world: &'a World) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        let is_root = fs::metadata(world.sandbox.root()).unwrap().uid() == 0;
        let ordinary = Ordinary { world, is_root };
        if is_root {
            let owned = Command::new("chown").args(["-R", NOBODY]).arg(world.sandbox.root()).status();
            let runs = ordinary.command(&["list"]).run().status == Some(0);
            if !owned.is_ok_and(|status| status.success()) || !runs {
                eprintln!("skipped: run by root, who cannot be somebody else here");
                return None;
            }
        }
        Some(ordinary)
    }

    fn command(&self, args: &[&str]) -> Invocation {
        let command = self.world.command(args);
        match self.is_root {
            true => command.through(&["setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups"]),
            false => command,
        }
    }
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn a_record_that_may_not_be_read_is_no_empty_one_and_is_never_replaced() {
    for (record, commands) in [
        ("installed.json", &[&["list"][..], &["update"], &["doctor"], &["doctor", "--repair"]][..]),
        ("rulepack.json", &[&["list"][..], &["update"], &["doctor", "--repair"]]),
    ] {
        let world = World::new();
        let Some(ordinary) = Ordinary::of(&world) else { return };
        let path = world.sandbox.packages().join(record);
        set_mode(&path, 0);
        for command in commands {
            let answer = ordinary.command(command).run().expect(1).json();
            assert_eq!(answer.code(), "io", "{record}, {command:?}");
            let error = answer.error.as_ref().unwrap();
            assert!(error.message.contains(record) && error.hint.is_some(), "{record}, {command:?}: {error:?}");
        }
        set_mode(&path, 0o644);
        ordinary.command(&["doctor"]).run().expect(0);
        rulesets(&world.sandbox);
    }
}

#[test]
fn a_file_that_may_not_be_read_is_damage_and_mended() {
    let world = World::up_to_date();
    let Some(ordinary) = Ordinary::of(&world) else { return };
    for (name, code) in
        [("ruleset.json", "damaged-file"), ("manifest.json", "damaged-file"), ("locales/ru.json", "damaged-pack")]
    {
        set_mode(&world.sandbox.version("ember-roads", "1.1.0").join(name), 0);
        let told = ordinary.command(&["doctor"]).run().expect(10).json();
        assert_eq!(told.doctor().problems[0].code, code, "{name}: {told:#?}");
        let repaired = ordinary.command(&["doctor", "--repair"]).run().json();
        assert_eq!(repaired.doctor().summary.errors, 0, "{name}: {repaired:#?}");
        rulesets(&world.sandbox);
    }
}

#[test]
fn a_folder_that_may_not_be_looked_into_is_found_and_mended_or_it_is_said_why_not() {
    let world = World::up_to_date();
    let Some(ordinary) = Ordinary::of(&world) else { return };
    let folder = world.sandbox.version("ember-roads", "1.1.0");
    set_mode(&folder, 0);
    let told = ordinary.command(&["doctor"]).run().expect(10).json();
    assert!(told.doctor().summary.errors > 0, "{told:#?}");
    let repaired = ordinary.command(&["doctor", "--repair"]).run().json();
    for problem in &repaired.doctor().problems {
        assert!(problem.hint.as_ref().is_some_and(|hint| hint.starts_with("it cannot be repaired")), "{repaired:#?}");
    }
    if folder.exists() {
        set_mode(&folder, 0o755);
    }
    ordinary.command(&["doctor", "--repair"]).run().expect(0);
    rulesets(&world.sandbox);
}

/// The system refuses to remove the folder of packs before it looks whether anything is in it.
#[test]
fn a_version_folder_that_may_not_be_written_to_costs_a_change_of_language_no_warning() {
    let world = World::up_to_date();
    let Some(ordinary) = Ordinary::of(&world) else { return };
    let folder = world.sandbox.version("ember-roads", "1.1.0");
    set_mode(&folder, 0o555);
    for language in ["de", "ru"] {
        let answer = ordinary.command(&["language", language]).run().expect(0).json();
        assert!(!answer.warning_codes().contains(&"not-removed"), "{answer:#?}");
        let packs: Vec<_> =
            fs::read_dir(folder.join("locales")).unwrap().map(|pack| pack.unwrap().file_name()).collect();
        assert_eq!(packs, [format!("{language}.json").as_str()]);
    }
    set_mode(&folder, 0o755);
}

#[test]
fn an_ordinary_user_without_the_right_to_write_is_told_and_nothing_changes() {
    let world = World::new();
    let Some(ordinary) = Ordinary::of(&world) else { return };
    let before = disk(&world.sandbox);
    set_mode(&world.sandbox.packages(), 0o555);
    set_mode(&world.sandbox.packages().join("versions"), 0o555);
    for reader in READERS {
        ordinary.command(reader).run().expect(0);
    }
    for writer in WRITERS {
        let answer = ordinary.command(writer).run().expect(1).json();
        assert_eq!(answer.code(), "io", "{writer:?}");
        assert!(answer.error.as_ref().unwrap().hint.is_some(), "{writer:?}: {answer:#?}");
    }
    set_mode(&world.sandbox.packages(), 0o755);
    set_mode(&world.sandbox.packages().join("versions"), 0o755);
    before.assert_same(&disk(&world.sandbox));
}
