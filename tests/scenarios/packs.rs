//! The one language pack of a ruleset, through everything that can happen to it (docs/spec/commands.md#language, #json,
//! docs/spec/catalog.md#language-packs, docs/spec/lessons.md#b07, #b08, #b27).

use super::kit::envelope::{Action, PackReason, PackStatus, State};
use super::kit::packs::{NOT_LISTED, NOT_NEEDED, REMOVED, current, fetched, instead, unavailable};
use super::kit::publish::{Catalog, Ruleset};
use super::kit::sandbox::Sandbox;
use super::kit::server::{Reply, Server};
use super::kit::tree::Tree;
use serde_json::{Value, json};
use std::fs;

const ID: &str = "ember-roads";

/// A sound ruleset of this version with a pack in each of these languages, its bytes the version's own.
fn translated(version: &str, languages: &[&str]) -> Ruleset {
    named(ID, version, languages)
}

fn named(id: &str, version: &str, languages: &[&str]) -> Ruleset {
    let said = |language: &str| format!("{language} of {version}");
    languages
        .iter()
        .fold(Ruleset::new(id, version), |ruleset, language| ruleset.pack(language, &[("Grit", &said(language))]))
}

/// A server, what it publishes, and a reader of it.
struct World {
    server: Server,
    catalog: Catalog,
    sandbox: Sandbox,
}

impl World {
    fn of(ruleset: Ruleset) -> Self {
        let server = Server::https();
        let catalog = Catalog::on(&server).with(ruleset);
        catalog.mount(&server);
        let sandbox = Sandbox::new().attach(&server);
        World { server, catalog, sandbox }
    }

    /// The same with the ruleset installed in a language.
    #[track_caller]
    fn installed(ruleset: Ruleset, language: &str) -> Self {
        let world = World::of(ruleset);
        world.sandbox.change(&["language", language]).expect(0);
        world.sandbox.change(&["install", ID]).expect(0);
        world.server.forget();
        world
    }

    fn publish(&mut self, ruleset: Ruleset) {
        self.catalog.publish(ruleset);
        self.catalog.mount(&self.server);
    }

    /// The server no longer has a pack that the catalog lists.
    fn lose_pack(&self, language: &str) {
        self.server.remove(&self.catalog.pack_path(ID, language));
    }

    fn empty_cache(&self) {
        fs::remove_dir_all(self.sandbox.cache()).unwrap();
    }

    /// What the pack on disk reads.
    #[track_caller]
    fn said(&self, version: &str, language: &str) -> String {
        let pack: Value =
            serde_json::from_slice(&fs::read(self.sandbox.pack_file(ID, version, language)).unwrap()).unwrap();
        pack["ruleset"]["Grit"].as_str().unwrap().to_owned()
    }

    #[track_caller]
    fn is_sound(&self) {
        let list = self.sandbox.json(&["list"]).expect(0);
        assert!(list.list().packages.iter().all(|package| package.state == State::Ok), "{list:#?}");
    }
}

/// Spoils the kept copy of the catalog where the ruleset's entry stands; its header stays as it was.
fn rot_the_kept_catalog(world: &World) {
    for entry in fs::read_dir(world.sandbox.cache().join("catalogs")).unwrap() {
        let path = entry.unwrap().path();
        let mut bytes = fs::read(&path).unwrap();
        let at = bytes.windows(ID.len()).rposition(|part| part == ID.as_bytes()).unwrap();
        bytes[at] ^= 1;
        fs::write(path, bytes).unwrap();
    }
}

/// A language for each way in which a pack cannot be had, what that is called, and the exit number of who insists.
const FAULTS: &[(&str, PackReason, &str, i32)] = &[
    ("fr", PackReason::HttpError, "http-error", 5),
    ("es", PackReason::HttpError, "http-error", 5),
    ("it", PackReason::HttpError, "http-error", 5),
    ("nl", PackReason::HttpError, "http-error", 5),
    ("ja", PackReason::SizeMismatch, "size-mismatch", 4),
    ("ko", PackReason::SizeMismatch, "size-mismatch", 4),
    ("cs", PackReason::SizeMismatch, "size-mismatch", 4),
    ("pl", PackReason::ChecksumMismatch, "checksum-mismatch", 4),
    ("uk", PackReason::LocaleMismatch, "locale-mismatch", 4),
    ("pt-BR", PackReason::LocaleMismatch, "locale-mismatch", 4),
    ("da", PackReason::InvalidPack, "invalid-pack", 4),
    ("fi", PackReason::InvalidPack, "invalid-pack", 4),
    ("hu", PackReason::InvalidPack, "invalid-pack", 4),
    ("sv", PackReason::InvalidPack, "invalid-pack", 4),
    ("el", PackReason::InvalidPack, "invalid-pack", 4),
    ("tr", PackReason::InvalidPack, "invalid-pack", 4),
];

/// One fault for each reason, where going through all of them would only take longer.
fn one_of_each() -> impl Iterator<Item = &'static (&'static str, PackReason, &'static str, i32)> {
    FAULTS.iter().filter(|(language, ..)| ["fr", "ja", "pl", "uk", "da"].contains(language))
}

/// A ruleset with a good pack in German, and one that is listed as it is but is no pack of its language for each fault
/// of that kind; the others are spoiled by [`spoil`] on their way.
fn faulty(version: &str) -> Ruleset {
    let body =
        |language: &str, rest: &str| format!(r#"{{"_meta":{{"locale":"{language}","direction":"ltr"}},{rest}}}"#);
    let sound = |language: &str| body(language, r#""ruleset":{"Grit":"x"}"#);
    let mut not_utf8 = sound("el").into_bytes();
    let x = not_utf8.iter().position(|byte| *byte == b'x').unwrap();
    not_utf8[x] = 0xff;
    translated(version, &["de", "fr", "es", "it", "nl", "ja", "ko", "cs", "pl"])
        .pack_of_another_language("uk", "ru")
        .pack_of_another_language("pt-BR", "pt")
        .pack_bytes("da", format!("\u{feff}{}", sound("da")))
        .pack_bytes("fi", "Ei tämä ole JSONia")
        .pack_bytes("hu", body("hu", r#""ruleset":{"Grit":"x"},"agents":{}"#))
        .pack_bytes("sv", body("sv", r#""ruleset":{"Grit":1}"#))
        .pack_bytes("el", not_utf8)
        .pack_bytes("tr", body("tr", r#""package":{"name":"x","description":"y"}"#))
}

fn spoil(world: &World) {
    let path = |language: &str| world.catalog.pack_path(ID, language);
    let size = |language: &str| world.catalog.entry(ID)["locales"][language]["bytes"].as_u64().unwrap() as usize;
    world.server.remove(&path("fr"));
    world.server.put(&path("es"), Reply::status(403));
    world.server.change(&path("it"), Reply::gzip);
    world.server.put(&path("nl"), Reply::redirect("http://localhost/nl.json"));
    world.server.put(&path("ja"), Reply::ok(vec![b' '; size("ja") - 1]));
    world.server.put(&path("ko"), Reply::ok(vec![b' '; size("ko") + 1]));
    world.server.put(&path("cs"), Reply::web_page());
    world.server.put(&path("pl"), Reply::ok(vec![b' '; size("pl")]));
}

fn faulty_world() -> World {
    let world = World::of(faulty("1.0.0"));
    spoil(&world);
    world
}

#[test]
fn a_pack_that_cannot_be_had_never_costs_an_install() {
    let world = faulty_world();
    for (language, reason, code, exit) in one_of_each() {
        let answer = world.sandbox.change(&["install", ID, "--language", language]).expect(0);
        assert_eq!(
            (answer.package(ID).action, answer.pack(ID)),
            (Action::Installed, unavailable(*reason)),
            "{language}"
        );
        assert_eq!(answer.warning_codes(), ["pack-unavailable"], "{language}");
        assert_eq!(answer.warnings[0].package.as_deref(), Some(ID));
        world.is_sound();
        world.sandbox.change(&["uninstall", ID]).expect(0);
        let insisting = world.sandbox.change(&["install", ID, "--language", language, "--require-pack"]).expect(*exit);
        assert_eq!((insisting.code(), insisting.pack(ID)), (*code, unavailable(*reason)), "{language}");
        assert_eq!(insisting.package(ID).action, Action::Installed, "{language}");
        assert_eq!(insisting.error.unwrap().package.as_deref(), Some(ID));
        world.is_sound();
        world.sandbox.change(&["uninstall", ID]).expect(0);
    }
}

#[test]
fn a_sync_that_cannot_have_the_pack_leaves_the_disk_as_it_was() {
    let world = faulty_world();
    world.sandbox.change(&["install", ID]).expect(0);
    let before = Tree::of(world.sandbox.packages().join("versions"));
    for (language, reason, code, exit) in FAULTS {
        let answer = world.sandbox.change(&["sync", "--language", language]).expect(0);
        assert_eq!(
            (answer.package(ID).action, answer.pack(ID)),
            (Action::Unchanged, unavailable(*reason)),
            "{language}"
        );
        assert_eq!(answer.warning_codes(), ["pack-unavailable"], "{language}");
        let insisting = world.sandbox.change(&["sync", "--language", language, "--require-pack"]).expect(*exit);
        assert_eq!((insisting.code(), insisting.pack(ID)), (*code, unavailable(*reason)), "{language}");
        before.assert_same(&Tree::of(world.sandbox.packages().join("versions")));
    }
    world.is_sound();
}

#[test]
fn a_language_whose_pack_cannot_be_had_is_set_and_the_old_pack_goes_all_the_same() {
    let world = faulty_world();
    world.sandbox.change(&["install", ID]).expect(0);
    for (language, reason, code, exit) in one_of_each() {
        assert_eq!(world.sandbox.change(&["language", "de"]).expect(0).pack(ID), fetched("de"), "{language}");
        let answer = world.sandbox.change(&["language", language]).expect(0);
        assert_eq!((answer.changes().language.as_str(), answer.pack(ID)), (*language, unavailable(*reason)));
        let insisting = world.sandbox.change(&["language", language, "--require-pack"]).expect(*exit);
        assert_eq!((insisting.code(), insisting.pack(ID)), (*code, unavailable(*reason)), "{language}");
        assert_eq!(world.sandbox.change(&["language"]).changes().language, *language, "it is remembered all the same");
    }
    world.is_sound();
}

#[test]
fn an_update_whose_pack_cannot_be_had_is_made_and_the_ruleset_is_in_english() {
    let mut world = World::installed(translated("1.0.0", &["fr", "ja", "pl", "uk", "da"]), "fr");
    world.publish(faulty("1.1.0"));
    spoil(&world);
    for (language, reason, code, exit) in one_of_each() {
        let update = |more: &[&str]| {
            world.sandbox.change(&[&["update", ID, "--refresh", "--language", language], more].concat())
        };
        let answer = update(&[]).expect(0);
        assert_eq!((answer.package(ID).action, answer.pack(ID)), (Action::Updated, unavailable(*reason)), "{language}");
        assert_eq!(answer.package(ID).previous_version.as_deref(), Some("1.0.0"));
        world.is_sound();
        world.sandbox.change(&["rollback", ID]).expect(0);
        let insisting = update(&["--require-pack"]).expect(*exit);
        assert_eq!((insisting.code(), insisting.pack(ID)), (*code, unavailable(*reason)), "{language}");
        assert_eq!(insisting.package(ID).action, Action::Updated, "the ruleset stays, {language}");
        world.sandbox.change(&["rollback", ID]).expect(0);
    }
}

#[test]
fn the_next_sync_that_asks_anew_heals() {
    let world = faulty_world();
    world.sandbox.change(&["install", ID, "--language", "fr"]).expect(0);
    // What was wrong on the way is right the next time; the catalog said the truth all along.
    world.catalog.mount(&world.server);
    for language in ["fr", "es", "it", "nl", "ja", "ko", "cs", "pl"] {
        // A page that opens a moment later leaves the address alone; who asks for it gets it.
        let answer = world.sandbox.change(&["sync", "--refresh", "--language", language]).expect(0);
        assert_eq!(answer.pack(ID), fetched(language));
    }
}

#[test]
fn a_pack_that_was_no_pack_is_taken_once_it_is_published_right() {
    for language in ["uk", "da"] {
        let mut world = faulty_world();
        world.sandbox.change(&["install", ID, "--language", language]).expect(0);
        assert_eq!(world.sandbox.packs(), [""; 0]);
        world.publish(translated("1.0.0", &[language]));
        let answer = world.sandbox.change(&["sync", "--refresh", "--language", language]).expect(0);
        assert_eq!(answer.pack(ID), fetched(language));
        assert_eq!(world.said("1.0.0", language), format!("{language} of 1.0.0"));
    }
}

#[test]
fn an_install_fetches_the_one_pack_of_its_language_and_no_other() {
    let world = World::of(translated("1.0.0", &["de", "pt", "ru"]));
    let answer = world.sandbox.change(&["install", ID, "--language", "pt-BR"]).expect(0);
    assert_eq!(answer.pack(ID), fetched("pt"));
    let mut paths = world.server.paths();
    paths[1..].sort();
    let files = ["/artifacts/ember-roads-1.0.0.pt.json", "/artifacts/ember-roads-1.0.0.ruleset.json"];
    assert_eq!(paths, ["/catalog.json", files[0], files[1]]);
    let path = world.sandbox.json(&["path", ID]).expect(0);
    assert_eq!(path.path().language.as_deref(), Some("pt"));
    assert_eq!(path.path().language_pack.as_deref(), world.sandbox.pack_file(ID, "1.0.0", "pt").to_str());
}

#[test]
fn a_switch_puts_the_new_pack_in_place_and_the_old_one_goes() {
    let world = World::installed(translated("1.0.0", &["de", "ru"]), "ru");
    let answer = world.sandbox.change(&["language", "de"]).expect(0);
    assert_eq!((answer.package(ID).action, answer.pack(ID)), (Action::Switched, fetched("de")));
    assert_eq!(world.sandbox.packs(), ["ember-roads/1.0.0/de"]);
    assert_eq!(world.server.paths(), [world.catalog.pack_path(ID, "de")], "the catalog is fresh, the ruleset is there");
    assert_eq!(world.said("1.0.0", "de"), "de of 1.0.0");
    // Going back needs nobody: the cache still has it.
    world.server.forget();
    assert_eq!(world.sandbox.change(&["language", "ru"]).expect(0).pack(ID), fetched("ru"));
    assert_eq!(world.server.paths(), [""; 0]);
}

#[test]
fn a_switch_to_the_present_language_downloads_and_changes_nothing() {
    let world = World::installed(translated("1.0.0", &["pt", "ru"]), "pt");
    let before = (Tree::of(world.sandbox.root()), Tree::times(world.sandbox.root()));
    for args in [&["language", "PT"][..], &["sync"], &["sync", "--language", "pt-BR"], &["update"], &["install", ID]] {
        assert_eq!(world.sandbox.change(args).expect(0).pack(ID), current("pt"), "{args:?}");
    }
    assert_eq!(world.server.paths(), [""; 0]);
    assert!(before == (Tree::of(world.sandbox.root()), Tree::times(world.sandbox.root())));
}

#[test]
fn a_sync_with_nothing_to_do_waits_for_nobody_and_touches_nothing() {
    let world = World::installed(translated("1.0.0", &["ru"]), "ru");
    let before = (Tree::of(world.sandbox.root()), Tree::times(world.sandbox.root()));
    let lock =
        fs::File::options().read(true).write(true).open(world.sandbox.packages().join(".rulepack.lock")).unwrap();
    lock.lock().unwrap();
    let sync = |more: &[&str]| world.sandbox.change(&[&["sync", "--lock-timeout", "0"], more].concat());
    assert_eq!(sync(&[]).expect(0).pack(ID), current("ru"));
    assert_eq!(sync(&["--require-pack"]).expect(0).pack(ID), current("ru"));
    assert!(before == (Tree::of(world.sandbox.root()), Tree::times(world.sandbox.root())));
    assert_eq!(world.server.paths(), [""; 0], "the catalog is fresh");
    // The lock really was held: what has something to do is refused.
    assert_eq!(sync(&["--language", "de"]).expect(7).code(), "locked");
    assert_eq!(world.sandbox.packs(), ["ember-roads/1.0.0/ru"]);
}

#[test]
fn a_switch_to_a_language_without_a_pack_takes_the_old_one_away() {
    let world = World::installed(translated("1.0.0", &["pt-BR", "ru"]), "ru");
    let insisting = world.sandbox.change(&["language", "pt", "--require-pack"]).expect(4);
    assert_eq!((insisting.code(), insisting.pack(ID)), ("invalid-pack", REMOVED));
    assert_eq!(world.sandbox.packs(), [""; 0]);
    assert_eq!(world.sandbox.change(&["sync"]).expect(0).pack(ID), NOT_LISTED);
    let insisting = world.sandbox.change(&["sync", "--require-pack"]).expect(4);
    assert_eq!((insisting.code(), insisting.pack(ID)), ("invalid-pack", NOT_LISTED));
    assert_eq!(world.sandbox.change(&["install", ID, "--force"]).expect(0).pack(ID), NOT_LISTED);
    assert_eq!(world.sandbox.change(&["language", "ru"]).expect(0).pack(ID), fetched("ru"));
    assert_eq!(world.sandbox.change(&["language", "en"]).expect(0).pack(ID), REMOVED);
    assert!(!world.sandbox.version(ID, "1.0.0").join("locales").exists(), "the empty folder goes as well");
}

#[test]
fn a_switch_offline_uses_the_cache_and_is_english_without_it() {
    let world = World::installed(translated("1.0.0", &["de", "ru"]), "de");
    world.sandbox.change(&["language", "ru"]).expect(0);
    world.server.go_dark();
    assert_eq!(world.sandbox.change(&["--offline", "language", "de"]).expect(0).pack(ID), fetched("de"));
    fs::remove_dir_all(world.sandbox.cache().join("files")).unwrap();
    let answer = world.sandbox.change(&["--offline", "language", "ru"]).expect(0);
    assert_eq!((answer.changes().language.as_str(), answer.pack(ID)), ("ru", unavailable(PackReason::Offline)));
    assert_eq!(answer.warning_codes(), ["pack-unavailable"]);
    assert_eq!(world.sandbox.packs(), [""; 0]);
    let insisting = world.sandbox.change(&["--offline", "sync", "--require-pack"]).expect(5);
    assert_eq!((insisting.code(), insisting.pack(ID)), ("offline", unavailable(PackReason::Offline)));
    world.server.come_back();
    assert_eq!(world.sandbox.change(&["sync", "--require-pack"]).expect(0).pack(ID), fetched("ru"));
}

#[test]
fn an_install_and_an_update_offline_without_the_pack_in_the_cache_are_in_english() {
    let mut world = World::of(translated("1.0.0", &["ru"]));
    world.sandbox.change(&["install", ID]).expect(0);
    world.sandbox.change(&["uninstall", ID]).expect(0);
    let answer = world.sandbox.change(&["--offline", "install", ID, "--language", "ru"]).expect(0);
    assert_eq!((answer.package(ID).action, answer.pack(ID)), (Action::Installed, unavailable(PackReason::Offline)));
    // The newer version comes into the cache, and the older one back onto the disk.
    world.publish(translated("1.1.0", &["ru"]));
    world.sandbox.change(&["--refresh", "update"]).expect(0);
    world.sandbox.change(&["rollback", ID]).expect(0);
    let update =
        |more: &[&str]| world.sandbox.change(&[&["--offline", "update", ID, "--language", "ru"], more].concat());
    let answer = update(&[]).expect(0);
    assert_eq!((answer.package(ID).action, answer.pack(ID)), (Action::Updated, unavailable(PackReason::Offline)));
    assert_eq!(update(&["--require-pack"]).expect(5).code(), "offline");
}

#[test]
fn without_any_catalog_a_pack_that_serves_stays_and_another_is_not_to_be_had() {
    let world = World::installed(translated("1.0.0", &["de", "ru"]), "ru");
    world.empty_cache();
    for language in ["ru", "ru-RU"] {
        let answer = world.sandbox.change(&["--offline", "sync", "--require-pack", "--language", language]).expect(0);
        assert_eq!((answer.pack(ID), answer.warning_codes()), (current("ru"), vec!["catalog-unavailable"]));
        assert!(!answer.warnings[0].message.contains("no language pack"), "{answer:#?}");
    }
    world.server.remove("/catalog.json");
    let answer = world.sandbox.change(&["language", "de"]).expect(0);
    assert_eq!(answer.pack(ID), unavailable(PackReason::HttpError), "the old one goes all the same");
    let answer = world.sandbox.change(&["--offline", "sync"]).expect(0);
    assert_eq!(answer.pack(ID), unavailable(PackReason::Offline));
    assert_eq!(world.sandbox.change(&["--offline", "sync", "--require-pack"]).expect(5).code(), "offline");
    world.catalog.mount(&world.server);
    assert_eq!(world.sandbox.change(&["sync", "--refresh"]).expect(0).pack(ID), fetched("de"));
}

/// The same version with another Russian pack, and the same artifact.
fn with_better_russian() -> Ruleset {
    translated("1.0.0", &["de"]).pack("ru", &[("Grit", "better")])
}

#[test]
fn a_pack_published_anew_under_the_same_version_is_fetched_again_by_everything_that_looks() {
    for command in [&["sync"][..], &["update"], &["update", ID], &["install", ID], &["language", "ru"]] {
        let mut world = World::installed(translated("1.0.0", &["de", "ru"]), "ru");
        world.publish(with_better_russian());
        let answer = world.sandbox.change(&[command, &["--refresh"]].concat()).expect(0);
        assert_eq!((answer.package(ID).action, answer.pack(ID)), (Action::Switched, fetched("ru")), "{command:?}");
        assert_eq!(world.said("1.0.0", "ru"), "better", "{command:?}");
        assert_eq!(world.server.paths(), ["/catalog.json", "/artifacts/ember-roads-1.0.0.ru.json"], "the pack alone");
        assert!(answer.warnings.is_empty(), "{answer:#?}");
    }
}

#[test]
fn while_the_pack_published_anew_cannot_be_had_the_older_one_stays() {
    let mut world = World::installed(translated("1.0.0", &["de", "ru"]), "ru");
    world.publish(with_better_russian());
    world.lose_pack("ru");
    let disk = || Tree::of(world.sandbox.packages()).without(".rulepack.lock");
    let before = disk();
    // What is known by then is told again to whom it concerns by name, or who asks for the language.
    for (command, told) in
        [(&["sync"][..], true), (&["update"], false), (&["install", ID], true), (&["language", "ru"], true)]
    {
        let answer = world.sandbox.change(&[command, &["--refresh"]].concat()).expect(0);
        assert_eq!(answer.pack(ID), instead("ru", PackReason::HttpError), "{command:?}");
        let codes = if told { &["pack-unavailable"][..] } else { &[] };
        assert_eq!(answer.warning_codes(), codes, "{command:?}");
        before.assert_same(&disk());
    }
    let insisting = world.sandbox.change(&["sync", "--require-pack"]).expect(5);
    assert_eq!(insisting.code(), "http-error");
    assert!(insisting.error.unwrap().hint.unwrap().contains("with the pack it had"), "it is not in English");
    assert_eq!(world.said("1.0.0", "ru"), "ru of 1.0.0");
    world.catalog.mount(&world.server);
    assert_eq!(world.sandbox.change(&["sync", "--refresh"]).expect(0).pack(ID), fetched("ru"));
    assert_eq!(world.said("1.0.0", "ru"), "better");
}

#[test]
fn a_ruleset_put_there_again_keeps_the_pack_that_cannot_be_had_again() {
    let mut world = World::installed(translated("1.0.0", &["ru"]), "ru");
    world.lose_pack("ru");
    world.empty_cache();
    let forced = world.sandbox.change(&["install", ID, "--force"]).expect(0);
    assert_eq!(
        (forced.package(ID).action, forced.pack(ID)),
        (Action::Reinstalled, instead("ru", PackReason::HttpError))
    );
    // The artifact itself published anew, the pack as before but out of reach.
    world.publish(translated("1.0.0", &["ru"]).ruleset_value("/edition", json!("second printing")));
    world.lose_pack("ru");
    world.empty_cache();
    let updated = world.sandbox.change(&["update"]).expect(0);
    assert_eq!(
        (updated.package(ID).action, updated.pack(ID)),
        (Action::Reinstalled, instead("ru", PackReason::HttpError))
    );
    assert_eq!(world.said("1.0.0", "ru"), "ru of 1.0.0");
    // One of another language goes with the change, as it always does.
    let forced = world.sandbox.change(&["install", ID, "--force", "--language", "de"]).expect(0);
    assert_eq!(forced.pack(ID), REMOVED);
    world.is_sound();
}

#[test]
fn a_better_fitting_pack_takes_the_place_of_the_one_that_served_so_far() {
    let mut world = World::installed(translated("1.0.0", &["pt"]), "pt-BR");
    assert_eq!(world.sandbox.packs(), ["ember-roads/1.0.0/pt"]);
    world.publish(translated("1.0.0", &["pt", "pt-BR"]));
    world.lose_pack("pt-BR");
    let answer = world.sandbox.change(&["sync", "--refresh"]).expect(0);
    assert_eq!(answer.pack(ID), instead("pt", PackReason::HttpError), "pt serves until then");
    world.catalog.mount(&world.server);
    assert_eq!(world.sandbox.change(&["sync", "--refresh"]).expect(0).pack(ID), fetched("pt-BR"));
    assert_eq!(world.sandbox.packs(), ["ember-roads/1.0.0/pt-BR"]);
    world.publish(translated("1.0.0", &["pt"]));
    assert_eq!(world.sandbox.change(&["sync", "--refresh"]).expect(0).pack(ID), fetched("pt"));
    world.publish(translated("1.0.0", &[]));
    assert_eq!(world.sandbox.change(&["sync", "--refresh"]).expect(0).pack(ID), REMOVED);
}

#[test]
fn a_catalog_that_moved_on_supplies_no_pack_but_takes_none_away_from_its_readers() {
    let mut world = World::installed(translated("1.0.0", &["de", "ru"]), "ru");
    world.publish(translated("1.1.0", &["de", "ru"]));
    for language in ["ru", "ru-RU"] {
        let answer = world.sandbox.change(&["sync", "--refresh", "--require-pack", "--language", language]).expect(0);
        assert_eq!((answer.pack(ID), answer.warnings.len()), (current("ru"), 0));
    }
    let answer = world.sandbox.change(&["language", "de"]).expect(0);
    assert_eq!(answer.pack(ID), unavailable(PackReason::OtherVersion));
    assert_eq!(answer.warning_codes(), ["pack-unavailable"]);
    assert_eq!(world.sandbox.packs(), [""; 0]);
    let insisting = world.sandbox.change(&["sync", "--require-pack"]).expect(4);
    assert_eq!((insisting.code(), insisting.pack(ID)), ("invalid-pack", unavailable(PackReason::OtherVersion)));
    assert_eq!(insisting.warnings, [], "it was told when it happened");
    // The Russian one is in the cache, and it is remembered that this version was offered it.
    assert_eq!(world.sandbox.change(&["language", "ru"]).expect(0).pack(ID), fetched("ru"));
    assert_eq!(world.sandbox.change(&["sync"]).expect(0).pack(ID), current("ru"));
    let pages = ["/catalog.json", "/catalog.json"];
    assert_eq!(world.server.paths(), pages, "no pack was asked for");
    assert_eq!(world.sandbox.change(&["update"]).expect(0).pack(ID), fetched("ru"));
}

#[test]
fn a_ruleset_that_cannot_be_updated_keeps_its_pack_in_update_and_install() {
    let mut world = World::installed(translated("1.0.0", &["de", "ru"]), "ru");
    world.publish(translated("1.1.0", &["ru"]).engine("9.0.0", "10.0.0"));
    let engine = ["--refresh", "--engine-version", "3.0.0"];
    let update = |more: &[&str]| world.sandbox.change(&[&["update"], more, &engine].concat());
    let kept = update(&[]).expect(0);
    assert_eq!((kept.package(ID).action, kept.pack(ID)), (Action::Unchanged, current("ru")));
    let other = update(&["--language", "de"]).expect(0);
    assert_eq!(other.pack(ID), unavailable(PackReason::OtherVersion));
}

#[test]
fn an_update_brings_the_pack_of_the_new_version_and_the_old_version_keeps_none() {
    let mut world = World::installed(translated("1.0.0", &["ru"]), "ru");
    world.publish(translated("1.1.0", &["de", "ru"]));
    let answer = world.sandbox.change(&["update", "--refresh"]).expect(0);
    assert_eq!((answer.package(ID).action, answer.pack(ID)), (Action::Updated, fetched("ru")));
    assert_eq!(world.sandbox.packs(), ["ember-roads/1.1.0/ru"]);
    assert_eq!(world.said("1.1.0", "ru"), "ru of 1.1.0");
    assert!(world.sandbox.version(ID, "1.0.0").join("ruleset.json").is_file(), "the version before is kept");
    assert_eq!(world.server.paths().len(), 3, "{:?}", world.server.paths());
}

#[test]
fn a_pack_that_is_the_same_in_both_versions_comes_along_all_the_same() {
    let same = |version: &str| Ruleset::new(ID, version).pack_bytes("ru", pack_of_no_version());
    let mut world = World::installed(same("1.0.0"), "ru");
    world.publish(same("1.1.0"));
    assert_eq!(world.sandbox.change(&["update", "--refresh"]).expect(0).pack(ID), fetched("ru"));
    assert_eq!(world.sandbox.packs(), ["ember-roads/1.1.0/ru"]);
    let pack = world.catalog.pack_path(ID, "ru");
    assert_eq!(world.server.requests_of(&pack).len(), 0, "the very bytes are in the cache");
}

fn pack_of_no_version() -> &'static str {
    r#"{"_meta":{"locale":"ru","direction":"ltr"},"package":{"name":"N","description":"D"},"ruleset":{"Grit":"x"}}"#
}

#[test]
fn an_update_to_a_version_without_a_pack_is_in_english() {
    let mut world = World::installed(translated("1.0.0", &["ru"]), "ru");
    world.publish(translated("1.1.0", &["de"]));
    let answer = world.sandbox.change(&["update", "--refresh"]).expect(0);
    assert_eq!((answer.package(ID).action, answer.pack(ID)), (Action::Updated, REMOVED), "one went and none is listed");
    assert_eq!(world.sandbox.packs(), [""; 0]);
    assert_eq!(world.sandbox.change(&["sync"]).expect(0).pack(ID), NOT_LISTED);
    world.publish(translated("1.2.0", &["de"]));
    let insisting = world.sandbox.change(&["update", "--refresh", "--require-pack"]).expect(4);
    assert_eq!((insisting.package(ID).action, insisting.pack(ID)), (Action::Updated, NOT_LISTED));
}

#[test]
fn a_rollback_leaves_no_pack_of_the_version_left_and_asks_nobody() {
    let mut world = World::installed(translated("1.0.0", &["ru"]), "ru");
    world.publish(translated("1.1.0", &["ru"]));
    world.sandbox.change(&["update", "--refresh"]).expect(0);
    world.server.go_dark();
    let back = world.sandbox.change(&["rollback", ID]).expect(0);
    assert_eq!(back.package(ID).version.as_deref(), Some("1.0.0"));
    assert_eq!(back.pack(ID), fetched("ru"), "1.0.0 was offered it, and the cache has it");
    assert_eq!(world.sandbox.packs(), ["ember-roads/1.0.0/ru"]);
    let sync = world.sandbox.change(&["sync"]).expect(0);
    assert_eq!(sync.pack(ID), current("ru"), "what sync finds");
    // Forward again: the catalog lists that version, and the cache has its pack.
    let forth = world.sandbox.change(&["rollback", ID]).expect(0);
    assert_eq!((forth.package(ID).version.as_deref(), forth.pack(ID)), (Some("1.1.0"), fetched("ru")));
    assert_eq!(world.sandbox.packs(), ["ember-roads/1.1.0/ru"]);
}

#[test]
fn a_rollback_never_uses_the_network_even_for_a_pack_that_is_listed() {
    let mut world = World::installed(translated("1.0.0", &["ru"]), "ru");
    world.publish(translated("1.1.0", &["ru"]));
    world.sandbox.change(&["update", "--refresh"]).expect(0);
    world.sandbox.change(&["rollback", ID]).expect(0);
    fs::remove_dir_all(world.sandbox.cache().join("files")).unwrap();
    world.server.forget();
    let forth = world.sandbox.change(&["--refresh", "rollback", ID]).expect(0);
    assert_eq!(forth.pack(ID), unavailable(PackReason::Offline));
    assert_eq!(world.server.connections(), 0);
    assert_eq!(world.sandbox.change(&["sync"]).expect(0).pack(ID), fetched("ru"), "the next sync may ask");
}

#[test]
fn a_rollback_in_english_needs_no_pack() {
    let mut world = World::installed(translated("1.0.0", &["ru"]), "en");
    world.publish(translated("1.1.0", &["ru"]));
    world.sandbox.change(&["update", "--refresh"]).expect(0);
    world.empty_cache();
    world.server.go_dark();
    let back = world.sandbox.change(&["rollback", ID]).expect(0);
    assert_eq!((back.pack(ID), back.warnings.len()), (NOT_NEEDED, 0));
}

#[test]
fn a_pack_deleted_by_hand_is_fetched_again() {
    let world = World::installed(translated("1.0.0", &["ru"]), "ru");
    for folder in [false, true] {
        let pack = world.sandbox.pack_file(ID, "1.0.0", "ru");
        fs::remove_file(&pack).unwrap();
        if folder {
            fs::remove_dir(pack.parent().unwrap()).unwrap();
            world.empty_cache();
        }
        assert_eq!(world.sandbox.json(&["path", ID]).path().language_pack, None);
        assert_eq!(world.sandbox.change(&["sync"]).expect(0).pack(ID), fetched("ru"));
    }
    let again = ["/catalog.json".to_owned(), world.catalog.pack_path(ID, "ru")];
    assert_eq!(world.server.paths(), again, "the first time from the cache, the second from its address");
}

/// Writes into the pack by hand; `longer` also changes its size, which is all a run with nothing to do looks at.
fn edit(world: &World, language: &str, longer: bool) -> Vec<u8> {
    let path = world.sandbox.pack_file(ID, "1.0.0", language);
    let mut text = fs::read_to_string(&path).unwrap().replace(" of 1.0.0", " by hand!");
    if longer {
        text.push('\n');
    }
    fs::write(path, &text).unwrap();
    text.into_bytes()
}

/// The edited pack lies beside where it was, under another name, and the answer named it.
#[track_caller]
fn is_set_aside(world: &World, answer: &super::kit::envelope::Envelope, language: &str, edited: &[u8]) {
    let aside = world.sandbox.pack_file(ID, "1.0.0", language).with_extension("json.edited");
    assert_eq!(fs::read(&aside).unwrap_or_default(), edited, "{answer:#?}");
    let named = |warning: &super::kit::envelope::Warning| {
        warning.code == "files-kept" && warning.message.contains(aside.to_str().unwrap())
    };
    assert!(answer.warnings.iter().any(named), "{answer:#?}");
}

#[test]
fn a_pack_edited_by_hand_is_put_right_by_sync_and_the_edited_one_is_kept_aside() {
    let world = World::installed(translated("1.0.0", &["ru"]), "ru");
    let edited = edit(&world, "ru", true);
    let answer = world.sandbox.change(&["sync"]).expect(0);
    assert_eq!(answer.pack(ID), fetched("ru"));
    assert_eq!(world.said("1.0.0", "ru"), "ru of 1.0.0");
    is_set_aside(&world, &answer, "ru", &edited);
    // A second edit does not cost the first.
    let second = edit(&world, "ru", true);
    fs::write(world.sandbox.pack_file(ID, "1.0.0", "ru"), [&second[..], b"\n"].concat()).unwrap();
    world.sandbox.change(&["sync"]).expect(0);
    assert_eq!(fs::read(world.sandbox.pack_file(ID, "1.0.0", "ru").with_extension("json.edited")).unwrap(), edited);
    assert!(world.sandbox.pack_file(ID, "1.0.0", "ru").with_extension("json.edited.1").is_file());
}

#[test]
fn install_takes_a_version_for_intact_only_with_every_byte_of_its_pack() {
    let world = World::installed(translated("1.0.0", &["ru"]), "ru");
    let edited = edit(&world, "ru", false);
    let answer = world.sandbox.change(&["install", ID]).expect(0);
    assert_eq!((answer.package(ID).action, answer.pack(ID)), (Action::Switched, fetched("ru")));
    assert_eq!(world.said("1.0.0", "ru"), "ru of 1.0.0");
    is_set_aside(&world, &answer, "ru", &edited);
    let again = world.sandbox.change(&["install", ID]).expect(0);
    assert_eq!((again.package(ID).action, again.pack(ID)), (Action::Unchanged, current("ru")));
}

#[test]
fn an_edited_pack_goes_aside_with_every_change_of_language() {
    for longer in [false, true] {
        for (language, told) in [("de", fetched("de")), ("fr", REMOVED), ("en", REMOVED)] {
            let world = World::installed(translated("1.0.0", &["de", "ru"]), "ru");
            let edited = edit(&world, "ru", longer);
            let answer = world.sandbox.change(&["language", language]).expect(0);
            assert_eq!(answer.pack(ID), told, "longer: {longer}");
            is_set_aside(&world, &answer, "ru", &edited);
        }
    }
}

#[test]
fn an_edited_pack_that_cannot_be_had_again_is_not_what_the_reader_gets() {
    let world = World::installed(translated("1.0.0", &["ru"]), "ru");
    let edited = edit(&world, "ru", true);
    world.lose_pack("ru");
    fs::remove_dir_all(world.sandbox.cache().join("files")).unwrap();
    let answer = world.sandbox.json(&["sync"]).expect(0);
    assert_eq!(answer.pack(ID), unavailable(PackReason::HttpError));
    assert_eq!(fs::read(world.sandbox.pack_file(ID, "1.0.0", "ru")).unwrap(), edited, "until another comes");
    world.catalog.mount(&world.server);
    let answer = world.sandbox.change(&["sync", "--refresh"]).expect(0);
    assert_eq!(answer.pack(ID), fetched("ru"));
    is_set_aside(&world, &answer, "ru", &edited);
}

#[test]
fn a_pack_somebody_else_put_there_makes_room_and_is_named() {
    let world = World::installed(translated("1.0.0", &["de", "ru"]), "ru");
    let theirs = world.sandbox.pack_file(ID, "1.0.0", "de");
    fs::write(&theirs, "mine").unwrap();
    let answer = world.sandbox.command(&["language", "de"]).json().expect(0);
    assert_eq!(answer.pack(ID), fetched("de"));
    assert_eq!(world.said("1.0.0", "de"), "de of 1.0.0");
    is_set_aside(&world, &answer, "de", b"mine");
    assert_eq!(world.sandbox.packs(), ["ember-roads/1.0.0/de"]);
}

#[test]
fn an_edited_pack_survives_a_forced_reinstall_and_an_update_under_another_name() {
    let mut world = World::installed(translated("1.0.0", &["ru"]), "ru");
    let edited = edit(&world, "ru", false);
    let forced = world.sandbox.change(&["install", ID, "--force"]).expect(0);
    assert_eq!(forced.pack(ID), fetched("ru"));
    is_set_aside(&world, &forced, "ru", &edited);
    fs::remove_file(world.sandbox.pack_file(ID, "1.0.0", "ru").with_extension("json.edited")).unwrap();
    let edited = edit(&world, "ru", false);
    world.publish(translated("1.1.0", &["ru"]));
    let updated = world.sandbox.change(&["update", "--refresh"]).expect(0);
    assert_eq!(updated.pack(ID), fetched("ru"));
    is_set_aside(&world, &updated, "ru", &edited);
}

#[cfg(unix)]
#[test]
fn an_edited_pack_is_kept_aside_also_when_the_run_that_replaced_it_died() {
    for at in ["intent-written", "pack-placed", "recorded", "cleaned-up"] {
        let world = World::installed(translated("1.0.0", &["ru"]), "ru");
        let edited = edit(&world, "ru", true);
        let killed = world.sandbox.command(&["sync"]).env("RULEPACK_CRASH_AT", at).run();
        assert_eq!(killed.status, None, "it was to be killed at {at}: {killed}");
        world.sandbox.run(&["list"]).expect(0);
        let aside = world.sandbox.pack_file(ID, "1.0.0", "ru").with_extension("json.edited");
        assert_eq!(fs::read(&aside).unwrap_or_default(), edited, "{at}");
        assert_eq!(world.said("1.0.0", "ru"), "ru of 1.0.0", "{at}");
        assert_eq!(world.sandbox.json(&["sync"]).expect(0).pack(ID), current("ru"), "{at}");
    }
}

/// Twenty rulesets in two languages, installed in Russian.
fn twenty() -> (World, Vec<String>) {
    let server = Server::https();
    let ids: Vec<String> = (0..20).map(|n| format!("ruleset-{n:02}")).collect();
    let catalog =
        ids.iter().map(|id| named(id, "1.0.0", &["de", "ru"])).fold(Catalog::on(&server), |all, one| all.with(one));
    catalog.mount(&server);
    let sandbox = Sandbox::new().attach(&server);
    sandbox.change(&["language", "ru"]).expect(0);
    let mut install = vec!["install"];
    install.extend(ids.iter().map(String::as_str));
    sandbox.change(&install).expect(0);
    server.forget();
    (World { server, catalog, sandbox }, ids)
}

fn all_in(ids: &[String], language: &str) -> Vec<String> {
    ids.iter().map(|id| format!("{id}/1.0.0/{language}")).collect()
}

#[test]
fn twenty_rulesets_change_their_language_together_each_standing_alone() {
    let (world, ids) = twenty();
    let lost = &ids[7];
    world.server.remove(&world.catalog.pack_path(lost, "de"));
    let answer = world.sandbox.change(&["language", "de"]).expect(0);
    for id in &ids {
        let told = if id == lost { unavailable(PackReason::HttpError) } else { fetched("de") };
        assert_eq!(answer.pack(id), told);
    }
    assert_eq!(answer.warnings.len(), 1);
    let mut expected = all_in(&ids, "de");
    expected.remove(7);
    assert_eq!(world.sandbox.packs(), expected);
    assert_eq!(world.server.paths().len(), 20, "one request a pack and none for the fresh catalog");
}

#[test]
fn something_in_the_way_of_one_pack_costs_nobody_else_theirs() {
    let (world, ids) = twenty();
    let blocked = &ids[3];
    let locales = world.sandbox.version(blocked, "1.0.0").join("locales");
    fs::remove_dir_all(&locales).unwrap();
    fs::write(&locales, "somebody's").unwrap();
    let answer = world.sandbox.change(&["language", "de"]).expect(0);
    assert_eq!(answer.changes().language, "de");
    for id in &ids {
        let told = if id == blocked { unavailable(PackReason::Io) } else { fetched("de") };
        assert_eq!(answer.pack(id), told);
    }
    assert_eq!(answer.warning_codes(), ["pack-unavailable"]);
    assert_eq!(answer.warnings[0].package.as_ref(), Some(blocked));
    assert_eq!(fs::read(&locales).unwrap(), b"somebody's");
    world.is_sound();
    fs::remove_file(&locales).unwrap();
    assert_eq!(world.sandbox.change(&["sync"]).expect(0).pack(blocked), fetched("de"));
    assert_eq!(world.sandbox.packs(), all_in(&ids, "de"));
}

#[cfg(unix)]
#[test]
fn twenty_rulesets_change_their_language_however_the_run_dies() {
    let (world, ids) = twenty();
    for (at, before, after) in [
        ("intent-written", "ru", "de"),
        ("pack-placed", "de", "ru"),
        ("state-written", "ru", "de"),
        ("pack-removed", "de", "ru"),
    ] {
        assert_eq!(world.sandbox.packs(), all_in(&ids, before), "before {at}");
        let killed = world.sandbox.command(&["language", after]).env("RULEPACK_CRASH_AT", at).run();
        assert_eq!(killed.status, None, "it was to be killed at {at}: {killed}");
        let there = world.sandbox.packs();
        let has_one = |id: &String| there.iter().any(|pack| pack.starts_with(&format!("{id}/")));
        assert!(ids.iter().all(has_one), "the new one comes before the old one goes: {there:?}");
        // A reader comes first, and finishes what was begun: all that had come by then, which need not be all of it,
        // and the language with it. Each ruleset has one pack, of before or of after.
        world.sandbox.run(&["list"]).expect(0);
        let there = world.sandbox.packs();
        let is_either =
            |(id, pack): (&String, &String)| [before, after].iter().any(|tag| *pack == format!("{id}/1.0.0/{tag}"));
        assert!(there.len() == ids.len() && ids.iter().zip(&there).all(is_either), "after {at}: {there:?}");
        // The next page brings the rest.
        let settled = world.sandbox.json(&["sync"]).expect(0);
        assert_eq!(settled.changes().language, after);
        let is_there = |id: &String| [current(after), fetched(after)].contains(&settled.pack(id));
        assert!(ids.iter().all(is_there), "{settled:#?}");
        assert_eq!(world.sandbox.packs(), all_in(&ids, after), "after {at}");
    }
}

#[test]
fn what_is_held_from_updates_still_follows_the_language() {
    let mut world = World::installed(translated("1.0.0", &["de", "ru"]), "ru");
    world.sandbox.json(&["hold", ID]).expect(0);
    assert_eq!(world.sandbox.change(&["language", "de"]).expect(0).pack(ID), fetched("de"));
    // A pack published anew is no update.
    world.publish(translated("1.0.0", &["ru"]).pack("de", &[("Grit", "besser")]));
    let answer = world.sandbox.change(&["update", "--refresh"]).expect(0);
    assert_eq!(answer.pack(ID), fetched("de"));
    assert_eq!(world.said("1.0.0", "de"), "besser");
    world.publish(translated("1.1.0", &["de", "ru"]));
    let answer = world.sandbox.change(&["update", "--refresh"]).expect(0);
    assert_eq!((answer.package(ID).action, answer.pack(ID)), (Action::Held, current("de")));
    let answer = world.sandbox.change(&["update", "--language", "ru"]).expect(0);
    assert_eq!((answer.package(ID).action, answer.pack(ID)), (Action::Held, fetched("ru")), "which it had before");
    let answer = world.sandbox.change(&["update", "--language", "ja"]).expect(0);
    assert_eq!((answer.package(ID).action, answer.pack(ID)), (Action::Held, unavailable(PackReason::OtherVersion)));
}

#[test]
fn a_catalog_supplies_packs_for_what_it_lists_and_lets_the_rest_be() {
    let server = Server::https();
    Catalog::on(&server).with(named("ember-roads", "1.0.0", &["de", "ru"])).mount(&server);
    let sandbox = Sandbox::new().trust(&server);
    let other = sandbox.work().join("other");
    Catalog::on_disk().with(named("gravewatch", "2.0.0", &["de", "ru"])).write(&other);
    let from = |catalog: &str, args: &[&str]| sandbox.change(&[&["--catalog", catalog], args].concat()).expect(0);
    let (web, folder) = (server.url("/catalog.json"), other.to_str().unwrap().to_owned());
    from(&web, &["language", "ru"]);
    from(&web, &["install", "ember-roads"]);
    from(&folder, &["install", "gravewatch"]);
    for catalog in [&web, &folder] {
        let answer = from(catalog, &["sync"]);
        assert_eq!((answer.pack("ember-roads"), answer.pack("gravewatch")), (current("ru"), current("ru")));
    }
    let answer = from(&folder, &["language", "de"]);
    assert_eq!((answer.pack("ember-roads"), answer.pack("gravewatch")), (REMOVED, fetched("de")));
    let answer = from(&web, &["sync"]);
    assert_eq!((answer.pack("ember-roads"), answer.pack("gravewatch")), (fetched("de"), current("de")));
    assert_eq!(sandbox.packs(), ["ember-roads/1.0.0/de", "gravewatch/2.0.0/de"]);
}

#[test]
fn an_entry_that_cannot_be_used_is_told_and_takes_no_pack_away() {
    let mut world = World::installed(translated("1.0.0", &["de", "ru"]), "ru");
    world.catalog.edit(ID, "/artifact/bytes", json!("many"));
    world.catalog.mount(&world.server);
    let answer = world.sandbox.change(&["sync", "--refresh"]).expect(0);
    assert_eq!((answer.pack(ID), answer.warning_codes()), (current("ru"), vec!["invalid-entry"]));
    let answer = world.sandbox.change(&["language", "de"]).expect(0);
    assert_eq!((answer.pack(ID), answer.warning_codes()), (REMOVED, vec!["invalid-entry"]));
}

#[test]
fn packages_of_other_kinds_are_left_alone_and_listed_by_nobody() {
    let world = World::installed(translated("1.0.0", &["de", "ru"]), "ru");
    let mut agent = serde_json::to_value(Ruleset::new("helper", "3.0.0").manifest()).unwrap();
    agent["kind"] = json!(["agent"]);
    agent["entrypoints"] = json!({ "server": "server.js" });
    let record = json!({
        "id": "helper", "version": "3.0.0", "manifest": agent, "installedAt": "2026-01-01T00:00:00.000Z",
        "status": "active", "error": null, "readiness": "ready", "readinessError": null, "legacy": false, "later": [1.50]
    });
    let mut registry = world.sandbox.registry();
    registry["packages"].as_array_mut().unwrap().insert(0, record.clone());
    let path = world.sandbox.packages().join("installed.json");
    fs::write(&path, serde_json::to_vec_pretty(&registry).unwrap()).unwrap();
    let theirs = world.sandbox.version("helper", "3.0.0").join("locales");
    fs::create_dir_all(&theirs).unwrap();
    fs::write(theirs.join("ru.json"), "theirs").unwrap();
    let before = (fs::read(&path).unwrap(), Tree::of(theirs.parent().unwrap()));
    for args in [&["language", "de"][..], &["sync", "--language", "en"], &["update"], &["language", "ru"]] {
        let answer = world.sandbox.change(args).expect(0);
        assert_eq!(answer.changes().packages.len(), 1, "{args:?}");
    }
    assert_eq!(fs::read(&path).unwrap(), before.0, "packs are none of the registry's business");
    before.1.assert_same(&Tree::of(theirs.parent().unwrap()));
    world.sandbox.change(&["uninstall", ID]).expect(0);
    assert_eq!(world.sandbox.registry()["packages"], json!([record]));
}

#[test]
fn the_registry_never_learns_of_languages() {
    let world = World::installed(translated("1.0.0", &["de", "ru"]), "ru");
    let record = |world: &World| world.sandbox.registry()["packages"][0].clone();
    let keys: Vec<String> = record(&world).as_object().unwrap().keys().cloned().collect();
    let known =
        ["error", "id", "installedAt", "legacy", "manifest", "readiness", "readinessError", "status", "version"];
    assert_eq!(keys, known);
    let before = record(&world);
    world.sandbox.change(&["language", "de"]).expect(0);
    assert_eq!(record(&world), before);
}

#[test]
fn a_kept_catalog_that_rotted_keeps_nobody_from_going_back() {
    let mut world = World::installed(translated("1.0.0", &["ru", "de"]), "ru");
    world.publish(translated("1.1.0", &["ru", "de"]));
    world.sandbox.change(&["update", "--refresh"]).expect(0);
    rot_the_kept_catalog(&world);
    let back = world.sandbox.change(&["rollback", ID]).expect(0);
    assert_eq!(back.changes().packages[0].action, Action::RolledBack);
    world.is_sound();
}

#[test]
fn a_kept_catalog_that_rotted_is_no_catalog_to_who_changes_the_language_offline() {
    let world = World::installed(translated("1.0.0", &["ru", "de"]), "ru");
    rot_the_kept_catalog(&world);
    let switched = world.sandbox.change(&["language", "de", "--offline"]).expect(0);
    let pack = switched.changes().packages[0].language_pack.as_ref().unwrap();
    assert_eq!(pack.status, PackStatus::Unavailable);
    // With a network it is asked for again.
    let switched = world.sandbox.change(&["language", "de"]).expect(0);
    assert_eq!(switched.changes().packages[0].language_pack.as_ref().unwrap().status, PackStatus::Fetched);
}

/// The catalog lists another pack under the same version, which is not to be had: the one that was had before does,
/// also for who was away in another language meanwhile.
#[test]
fn an_older_pack_of_the_same_version_is_come_back_to_when_the_new_one_cannot_be_had() {
    let mut world = World::installed(translated("1.0.0", &["de", "ru"]), "ru");
    world.publish(translated("1.0.0", &["de"]).pack("ru", &[("Grit", "better")]));
    world.lose_pack("ru");
    world.sandbox.change(&["language", "de", "--refresh"]).expect(0);
    assert_eq!(world.sandbox.packs(), ["ember-roads/1.0.0/de"]);
    let back = world.sandbox.change(&["language", "ru"]).expect(0);
    assert_eq!((back.package(ID).action, back.pack(ID)), (Action::Switched, instead("ru", PackReason::HttpError)));
    assert_eq!(world.said("1.0.0", "ru"), "ru of 1.0.0");
    world.sandbox.change(&["language", "de"]).expect(0);
    let offline = world.sandbox.change(&["--offline", "language", "ru"]).expect(0);
    assert_eq!(offline.pack(ID), instead("ru", PackReason::Offline));
    // The new one is taken as soon as it is there.
    world.catalog.mount(&world.server);
    assert_eq!(world.sandbox.change(&["sync", "--refresh"]).expect(0).pack(ID), fetched("ru"));
    assert_eq!(world.said("1.0.0", "ru"), "better");
}
