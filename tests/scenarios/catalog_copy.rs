//! How a catalog is kept between runs: when its source is asked, what happens when it cannot be, and that a copy is
//! never believed unchecked (docs/spec/commands.md#the-catalog, docs/spec/lessons.md#b05, #b11, #b18, #b22).

use super::kit::envelope::{Action, Envelope, PackReason, PackStatus};
use super::kit::publish::{Catalog, Ruleset};
use super::kit::sandbox::Sandbox;
use super::kit::server::{Reply, Server};
use super::kit::sha256;
use super::kit::tree::Tree;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

const ID: &str = "ember-roads";
const CATALOG: &str = "/catalog.json";
const MINUTE: u64 = 60;
const DAY: u64 = 24 * 60 * MINUTE;

fn ember(version: &str) -> Ruleset {
    Ruleset::new(ID, version).pack("ru", &[("Grit", "Стойкость")])
}

/// A server with a catalog of one ruleset, and a sandbox that has read it a moment ago; the request is forgotten.
fn read_once() -> (Server, Sandbox) {
    let server = Server::https();
    Catalog::on(&server).with(ember("1.0.0")).mount(&server);
    let sandbox = Sandbox::new().attach(&server);
    assert_eq!(version(&search(&sandbox)), "1.0.0");
    assert_eq!(server.paths(), [CATALOG]);
    server.forget();
    (server, sandbox)
}

/// The data folder but for who last held its lock.
fn store(sandbox: &Sandbox) -> Tree {
    Tree::of(sandbox.data()).without("capability-packages/.rulepack.lock")
}

#[track_caller]
fn search(sandbox: &Sandbox) -> Envelope {
    let found = sandbox.json(&["search"]);
    assert_eq!(found.exit, 0, "{found:#?}");
    found
}

fn version(found: &Envelope) -> &str {
    &found.search().rulesets[0].version
}

/// The file the copy is kept in.
#[track_caller]
fn kept(sandbox: &Sandbox) -> PathBuf {
    let files: Vec<_> = fs::read_dir(sandbox.cache().join("catalogs")).unwrap().collect();
    assert_eq!(files.len(), 1, "{files:?}");
    files[0].as_ref().unwrap().path()
}

/// Makes the copy as old as if its source had given it so many seconds ago (or as young as if it were yet to).
pub fn age(sandbox: &Sandbox, seconds: i64) {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
    let then = now.checked_add_signed(-seconds).unwrap();
    rewrite(sandbox, |header| {
        let line = header.lines().find(|line| line.starts_with("fetched-at ")).expect("a time");
        header.replacen(line, &format!("fetched-at {then}"), 1)
    });
}

/// Rewrites the header of the copy, soundly.
fn rewrite(sandbox: &Sandbox, change: impl Fn(&str) -> String) {
    let path = kept(sandbox);
    let text = fs::read_to_string(&path).unwrap();
    let (first, rest) = text.split_once('\n').unwrap();
    let mut words = first.rsplitn(3, ' ');
    let (_digest, length, magic) = (words.next().unwrap(), words.next().unwrap(), words.next().unwrap());
    let (header, body) = rest.split_at(length.parse().unwrap());
    let header = change(header);
    let digest = sha256(header.as_bytes());
    fs::write(path, format!("{magic} {} {digest}\n{header}{body}", header.len())).unwrap();
}

// ---- when the source is asked

#[test]
fn one_run_asks_for_the_catalog_once_whatever_it_does() {
    let server = Server::https();
    let mut catalog = Catalog::on(&server);
    for id in ["a", "b", "c"] {
        catalog.publish(Ruleset::new(id, "1.0.0").pack("ru", &[]));
    }
    catalog.mount(&server);
    let sandbox = Sandbox::new().attach(&server);
    for args in [
        vec!["search", "--refresh"],
        vec!["info", "a", "--refresh"],
        vec!["install", "a", "b", "c", "nobody", "--refresh", "--language", "ru"],
        vec!["update", "--refresh"],
        vec!["update", "a", "b", "--refresh"],
        vec!["outdated", "--refresh"],
        vec!["language", "ru", "--refresh"],
        vec!["sync", "--refresh"],
    ] {
        server.forget();
        sandbox.run(&args);
        assert_eq!(server.requests_of(CATALOG).len(), 1, "{args:?}");
    }
}

#[test]
fn what_needs_no_catalog_asks_for_none() {
    let server = Server::https();
    Catalog::on(&server).with(ember("1.0.0")).mount(&server);
    let sandbox = Sandbox::new().attach(&server);
    // Nothing is installed, or English is read: there is nothing a catalog could say.
    for args in [vec!["sync"], vec!["language", "ru"], vec!["language", "auto"], vec!["update"], vec!["outdated"]] {
        sandbox.run(&args).expect(0);
    }
    assert!(server.requests().is_empty(), "{:?}", server.paths());
    sandbox.run(&["install", ID]).expect(0);
    let mut catalog = Catalog::on(&server).with(ember("1.1.0"));
    catalog.mount(&server);
    sandbox.run(&["update", "--refresh"]).expect(0);
    server.forget();
    for args in [
        vec!["list"],
        vec!["path", ID],
        vec!["sync"],
        vec!["language"],
        vec!["hold", ID],
        vec!["unhold", ID],
        vec!["doctor"],
        vec!["rollback", ID],
        vec!["rollback", ID],
        vec!["cache", "size"],
        vec!["cache", "dir"],
        vec!["cache", "clean"],
        vec!["uninstall", ID],
    ] {
        let mut args = args;
        args.push("--refresh");
        sandbox.run(&args).expect(0);
    }
    assert!(server.requests().is_empty(), "{:?}", server.paths());
    catalog.remove(ID);
}

#[test]
fn a_copy_is_fresh_for_five_minutes() {
    let (server, sandbox) = read_once();
    for (seconds, asks) in [(0, false), (4 * MINUTE as i64, false), (5 * MINUTE as i64 + 1, true)] {
        age(&sandbox, seconds);
        server.forget();
        assert_eq!(version(&search(&sandbox)), "1.0.0");
        assert_eq!(!server.requests().is_empty(), asks, "{seconds} s old");
    }
    // A clock that was wrong then or is wrong now proves nothing.
    age(&sandbox, -(MINUTE as i64));
    server.forget();
    search(&sandbox);
    assert_eq!(server.paths(), [CATALOG]);
}

#[test]
fn a_copy_that_is_confirmed_is_fresh_again() {
    let (server, sandbox) = read_once();
    let body = fs::read(kept(&sandbox)).unwrap();
    age(&sandbox, DAY as i64);
    assert_eq!(version(&search(&sandbox)), "1.0.0");
    let asked = server.requests();
    assert_eq!(asked.len(), 1);
    assert!(asked[0].header("if-none-match").is_some_and(|tag| tag.starts_with('"')), "{asked:?}");
    search(&sandbox);
    assert_eq!(server.requests().len(), 1, "confirmed a moment ago");
    assert_eq!(fs::read(kept(&sandbox)).unwrap().len(), body.len());
}

#[test]
fn a_date_confirms_as_well_as_a_tag_and_without_either_the_whole_comes_again() {
    const DATE: &str = "Mon, 30 Nov 2026 00:00:00 GMT";
    let server = Server::https();
    let text = Catalog::on(&server).with(ember("1.0.0")).text();
    for (reply, tag, date) in [
        (Reply::ok(text.clone()).last_modified(DATE), None, Some(DATE)),
        (Reply::ok(text.clone()).etag("W/\"weak\"").last_modified(DATE), Some("W/\"weak\""), Some(DATE)),
        (Reply::ok(text.clone()), None, None),
        // What fits on no line, or is longer than any, is as good as none.
        (Reply::ok(text.clone()).etag(&format!("\"{}\"", "x".repeat(2000))), None, None),
    ] {
        server.put(CATALOG, reply);
        let sandbox = Sandbox::new().attach(&server);
        search(&sandbox);
        server.forget();
        age(&sandbox, 3600);
        let found = sandbox.json(&["search"]);
        assert_eq!((found.exit, version(&found)), (0, "1.0.0"));
        assert!(found.warnings.is_empty(), "{found:#?}");
        let asked = server.requests();
        assert_eq!(asked.len(), 1);
        assert_eq!((asked[0].header("if-none-match"), asked[0].header("if-modified-since")), (tag, date));
    }
}

#[test]
fn refresh_asks_again_for_all_of_it_and_takes_what_is_new() {
    let (server, sandbox) = read_once();
    assert_eq!(version(&sandbox.json(&["search", "--refresh"])), "1.0.0");
    Catalog::on(&server).with(ember("1.1.0")).mount(&server);
    assert_eq!(version(&search(&sandbox)), "1.0.0", "fresh, so not asked");
    assert_eq!(version(&sandbox.json(&["search", "--refresh"])), "1.1.0");
    assert_eq!(version(&search(&sandbox)), "1.1.0", "and kept");
    let asked = server.requests();
    assert_eq!(asked.len(), 2);
    // Whoever is not content with what is kept is not answered by it.
    assert!(asked.iter().all(|asked| asked.header("if-none-match").or(asked.header("if-modified-since")).is_none()));
}

#[test]
fn two_sources_are_kept_apart() {
    let server = Server::https();
    Catalog::on(&server).with(ember("1.0.0")).mount(&server);
    server.put("/other.json", Reply::ok(Catalog::on(&server).with(ember("2.0.0")).text()));
    let sandbox = Sandbox::new().trust(&server);
    for _ in 0..2 {
        for (path, wanted) in [(CATALOG, "1.0.0"), ("/other.json", "2.0.0")] {
            let found = sandbox.json(&["search", "--catalog", &server.url(path)]);
            assert_eq!(version(&found), wanted);
        }
    }
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn a_catalog_on_disk_is_read_each_time_and_never_kept() {
    let sandbox = Sandbox::new().catalog(".");
    Catalog::on_disk().with(ember("1.0.0")).write(&sandbox.work());
    assert_eq!(version(&search(&sandbox)), "1.0.0");
    Catalog::on_disk().with(ember("1.1.0")).write(&sandbox.work());
    assert_eq!(version(&sandbox.json(&["search", "--offline"])), "1.1.0");
    assert!(Tree::of(sandbox.cache()).files().is_empty());
}

#[test]
fn an_older_catalog_from_a_cache_on_the_way_takes_nothing_back() {
    let (server, sandbox) = read_once();
    Catalog::on(&server).with(ember("1.1.0")).mount(&server);
    sandbox.run(&["install", ID, "--refresh"]).expect(0);
    // The same date over all rebuilds: it must not be what decides.
    Catalog::on(&server).with(ember("1.0.0")).mount(&server);
    let before = Tree::of(sandbox.data());
    let update = sandbox.json(&["update", "--refresh"]);
    assert_eq!((update.package(ID).action, update.warning_codes()), (Action::Unchanged, vec!["downgrade"]));
    assert_eq!(update.package(ID).version.as_deref(), Some("1.1.0"));
    for args in [vec!["install", ID], vec!["install", ID, "--force"]] {
        let install = sandbox.json(&args);
        assert_eq!((install.code(), install.exit), ("downgrade", 6));
    }
    before.assert_same(&Tree::of(sandbox.data()));
    assert!(sandbox.json(&["outdated"]).outdated().packages.is_empty());
}

// ---- when it cannot be asked

#[test]
fn a_dark_source_leaves_the_copy_in_use_with_a_warning() {
    let (server, sandbox) = read_once();
    server.go_dark();
    assert!(search(&sandbox).warnings.is_empty(), "fresh, so nobody noticed");
    age(&sandbox, 3 * DAY as i64);
    let found = search(&sandbox);
    assert_eq!((version(&found), found.warning_codes()), ("1.0.0", vec!["stale-catalog"]));
    assert!(found.warnings[0].message.contains("3 days"), "{found:#?}");
    server.come_back();
    assert!(search(&sandbox).warnings.is_empty());
    assert_eq!(server.paths(), [CATALOG]);
}

#[test]
fn a_source_that_answers_rubbish_leaves_the_copy_in_use_and_untouched() {
    for (what, reply) in [
        ("a login page", Reply::web_page()),
        ("nothing", Reply::ok("")),
        ("a newer envelope", Reply::ok("{\"schemaVersion\":2}")),
        ("not found", Reply::status(404)),
        ("forbidden", Reply::status(403)),
        ("not modified, which nobody asked", Reply::status(304).etag("\"never\"")),
        ("gzip", Reply::ok("{}").gzip()),
        ("a way to plain http", Reply::redirect("http://example.org/catalog.json")),
        ("limited for an hour", Reply::status(429).retry_after("3600")),
    ] {
        let server = Server::https();
        // Without validators, so that nothing can be confirmed.
        server.put(CATALOG, Reply::ok(Catalog::on(&server).with(ember("1.0.0")).text()));
        let sandbox = Sandbox::new().attach(&server);
        search(&sandbox);
        age(&sandbox, 7 * MINUTE as i64);
        let copy = fs::read(kept(&sandbox)).unwrap();
        server.put(CATALOG, reply);
        server.forget();
        let found = search(&sandbox);
        assert_eq!((version(&found), found.warning_codes()), ("1.0.0", vec!["stale-catalog"]), "{what}");
        assert_eq!(server.requests().len(), 1, "{what}");
        assert!(fs::read(kept(&sandbox)).unwrap() == copy, "{what}");
    }
}

#[test]
fn a_source_in_passing_trouble_is_asked_again_at_once() {
    let (server, sandbox) = read_once();
    Catalog::on(&server).with(ember("1.1.0")).mount(&server);
    server.put_first(CATALOG, 1, Reply::status(503));
    server.put_first(CATALOG, 1, Reply::hang_up());
    let found = sandbox.json(&["search", "--refresh"]);
    assert_eq!((version(&found), found.warnings.len()), ("1.1.0", 0));
    assert_eq!(server.requests().len(), 3);
}

#[test]
fn a_source_that_hangs_costs_somebody_with_a_copy_one_timeout_and_no_more() {
    let (server, sandbox) = read_once();
    server.put(CATALOG, Reply::ok("{").claiming_length(100).stall_after(1));
    let command = sandbox.command(&["search", "--refresh", "--timeout", "1"]).timeout(Duration::from_secs(20));
    let found = command.json();
    assert_eq!((found.exit, found.warning_codes()), (0, vec!["stale-catalog"]));
    assert_eq!(server.requests().len(), 1);
}

// ---- offline

#[test]
fn offline_takes_the_copy_however_old_and_asks_nobody() {
    let (server, sandbox) = read_once();
    age(&sandbox, 2 * MINUTE as i64);
    assert!(sandbox.json(&["search", "--offline"]).warnings.is_empty());
    age(&sandbox, 400 * DAY as i64);
    let found = sandbox.json(&["search", "--offline", "--refresh"]);
    assert_eq!((version(&found), found.warning_codes()), ("1.0.0", vec!["stale-catalog"]));
    assert!(found.warnings[0].message.contains("400 days"), "{found:#?}");
    assert!(server.requests().is_empty() && server.connections() == 0);
}

#[test]
fn offline_without_a_copy_ends_at_once_and_changes_nothing() {
    let server = Server::https();
    Catalog::on(&server).with(ember("1.0.0")).mount(&server);
    let sandbox = Sandbox::new().attach(&server);
    let before = Tree::of(sandbox.root());
    for args in [vec!["search"], vec!["info", ID], vec!["install", ID]] {
        let answer = sandbox.command(&args).arg("--offline").json();
        assert_eq!((answer.code(), answer.exit), ("offline", 5), "{args:?}");
        assert!(answer.error.unwrap().hint.unwrap().contains("--offline"));
    }
    before.assert_same(&Tree::of(sandbox.root()));
    assert_eq!(server.connections(), 0);
}

#[test]
fn offline_what_is_installed_works_and_what_was_downloaded_can_be_had_again() {
    let (server, sandbox) = read_once();
    sandbox.run(&["install", ID, "--language", "ru"]).expect(0);
    server.forget();
    let before = store(&sandbox);
    assert_eq!(sandbox.json(&["list", "--offline"]).list().packages.len(), 1);
    assert_eq!(sandbox.json(&["path", ID, "--offline"]).path().version, "1.0.0");
    assert_eq!(sandbox.json(&["update", "--offline", "--language", "ru"]).package(ID).action, Action::Unchanged);
    before.assert_same(&store(&sandbox));
    // English and back again: the pack is in the cache.
    sandbox.run(&["sync", "--offline"]).expect(0);
    let back = sandbox.json(&["sync", "--offline", "--language", "ru"]);
    assert_eq!(back.package(ID).language_pack.as_ref().unwrap().status, PackStatus::Fetched);
    before.assert_same(&store(&sandbox));
    sandbox.run(&["uninstall", ID, "--offline"]).expect(0);
    assert_eq!(sandbox.json(&["install", ID, "--offline"]).package(ID).action, Action::Installed);
    assert_eq!(server.connections(), 0);
}

#[test]
fn a_language_that_was_never_downloaded_is_missing_offline_and_costs_nothing_else() {
    let server = Server::https();
    Catalog::on(&server).with(ember("1.0.0").pack("de", &[])).mount(&server);
    let sandbox = Sandbox::new().attach(&server);
    sandbox.run(&["install", ID, "--language", "ru"]).expect(0);
    server.forget();
    let answer = sandbox.json(&["language", "de", "--offline"]);
    let pack = answer.package(ID).language_pack.clone().unwrap();
    assert_eq!((answer.exit, pack.status, pack.reason), (0, PackStatus::Unavailable, Some(PackReason::Offline)));
    assert!(!sandbox.version(ID, "1.0.0").join("locales/ru.json").exists(), "the old pack goes all the same");
    let strict = sandbox.json(&["sync", "--offline", "--require-pack"]);
    assert_eq!((strict.code(), strict.exit), ("offline", 5));
    assert_eq!(sandbox.json(&["path", ID]).path().version, "1.0.0");
    assert_eq!(server.connections(), 0);
}

// ---- damage

/// The name of a case and what is done to the bytes of a copy.
type Damage = (&'static str, fn(&mut Vec<u8>));

const DAMAGES: &[Damage] = &[
    ("empty", |copy| copy.clear()),
    ("cut in the header", |copy| copy.truncate(100)),
    ("cut in the body", |copy| copy.truncate(copy.len() - 10)),
    ("longer", |copy| copy.extend(b"more")),
    ("full of NULs", |copy| copy.fill(0)),
    ("a NUL at the end", |copy| *copy.last_mut().unwrap() = 0),
    ("another format", |copy| copy[17] = b'9'),
    ("a flipped bit in the digest", |copy| copy[30] ^= 1),
    ("a flipped bit in the header", |copy| copy[120] ^= 1),
    ("a flipped bit in an entry", |copy| {
        let at = copy.windows(4).rposition(|part| part == b"1.0.").unwrap();
        copy[at] ^= 1;
    }),
    ("a web page", |copy| *copy = b"<html></html>".to_vec()),
    ("a length beyond all memory", |copy| *copy = b"rulepack-catalog 1 18446744073709551615 0000\n".to_vec()),
];

#[test]
fn a_damaged_copy_is_never_believed_nor_confirmed_and_heals_by_itself() {
    for (what, damage) in DAMAGES {
        let (server, sandbox) = read_once();
        let path = kept(&sandbox);
        let sound = fs::read(&path).unwrap();
        let mut copy = sound.clone();
        damage(&mut copy);
        assert!(copy != sound, "{what}");
        fs::write(&path, &copy).unwrap();
        let found = search(&sandbox);
        assert_eq!((version(&found), found.warnings.len()), ("1.0.0", 0), "{what}: {found:#?}");
        let asked = server.requests();
        assert_eq!(asked.len(), 1, "{what}");
        assert!(asked[0].header("if-none-match").is_none(), "{what}: nothing is there that could be confirmed");
        search(&sandbox);
        assert_eq!(server.requests().len(), 1, "{what}: healed");
    }
}

#[test]
fn a_damaged_copy_is_no_copy_to_fall_back_on() {
    for (what, damage) in DAMAGES {
        let (server, sandbox) = read_once();
        let path = kept(&sandbox);
        let mut copy = fs::read(&path).unwrap();
        damage(&mut copy);
        fs::write(&path, &copy).unwrap();
        let offline = sandbox.json(&["install", ID, "--offline"]);
        assert!(["offline", "invalid-catalog"].contains(&offline.code()), "{what}: {offline:#?}");
        server.put(CATALOG, Reply::status(404));
        for args in [vec!["search"], vec!["install", ID]] {
            let answer = sandbox.command(&args).arg("--refresh").json();
            assert_eq!((answer.code(), answer.exit), ("http-error", 5), "{what}: {answer:#?}");
        }
        assert!(server.requests().iter().all(|request| request.header("if-none-match").is_none()), "{what}");
        assert!(!sandbox.version(ID, "1.0.0").exists(), "{what}");
    }
}

#[test]
fn a_folder_in_place_of_the_copy_is_asked_past() {
    let (server, sandbox) = read_once();
    let path = kept(&sandbox);
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    let found = search(&sandbox);
    assert_eq!((version(&found), found.warning_codes()), ("1.0.0", vec!["cache-unwritable"]));
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn a_cache_that_cannot_be_written_costs_a_request_and_a_warning() {
    let server = Server::https();
    Catalog::on(&server).with(ember("1.0.0")).mount(&server);
    let sandbox = Sandbox::new().attach(&server);
    let file = sandbox.write("no-folder", "in the way");
    for _ in 0..2 {
        let found = sandbox.command(&["search"]).env("RULEPACK_CACHE_DIR", &file).json();
        assert_eq!((version(&found), found.warning_codes()), ("1.0.0", vec!["cache-unwritable"]));
    }
    assert_eq!(server.requests().len(), 2);
    assert_eq!(fs::read_to_string(file).unwrap(), "in the way");
}

#[test]
fn what_is_kept_of_a_catalog_in_a_folder_makes_room_like_what_is_downloaded() {
    let sandbox = Sandbox::new();
    Catalog::on_disk().with(Ruleset::new("demo", "1.0.0")).write(&sandbox.work());
    let files = sandbox.cache().join("files");
    fs::create_dir_all(&files).unwrap();
    let old = files.join("0".repeat(64));
    let file = fs::File::create(&old).unwrap();
    file.set_len(512 << 20).unwrap();
    file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
    sandbox.run(&["install", "demo", "--catalog", sandbox.work().to_str().unwrap()]).expect(0);
    assert!(!old.exists());
    assert_eq!(fs::read_dir(files).unwrap().count(), 1, "what was installed");
}
