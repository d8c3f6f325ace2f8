//! How artifacts and packs come over the network or out of the cache, and that nothing else is ever installed
//! (docs/spec/commands.md#the-catalog, docs/spec/lessons.md#b04, #b05, #b10, #b15, #b17, #b18, #b22, #b34, #b37).

use super::kit::envelope::{Action, Envelope, Failure, PackReason, PackStatus};
use super::kit::publish::{Catalog, Ruleset};
use super::kit::sandbox::{Invocation, Sandbox};
use super::kit::server::{Authority, Certificate, Reply, Server};
use super::kit::tree::Tree;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

const ID: &str = "ember-roads";
const ARTIFACT: &str = "/artifacts/ember-roads-1.1.0.ruleset.json";
const PACK: &str = "/artifacts/ember-roads-1.1.0.ru.json";
/// Nothing here takes so long unless it hangs.
const SOON: Duration = Duration::from_secs(60);

fn ember(version: &str) -> Ruleset {
    Ruleset::new(ID, version).pack("ru", &[("Grit", "Стойкость")])
}

/// A reader of Russian who has 1.0.0 with its pack, and a server that now offers 1.1.0. Its files can be spoiled.
struct Scene {
    server: Server,
    catalog: Catalog,
    sandbox: Sandbox,
}

impl Scene {
    fn new() -> Self {
        Scene::on(Server::https())
    }

    fn on(server: Server) -> Self {
        let mut catalog = Catalog::on(&server).with(ember("1.0.0"));
        catalog.mount(&server);
        let sandbox = Sandbox::new().attach(&server).env("LANG", "ru_RU.UTF-8");
        sandbox.run(&["install", ID]).expect(0);
        catalog.publish(ember("1.1.0"));
        let scene = Scene { server, catalog, sandbox };
        scene.mount();
        scene
    }

    /// Publishes what the catalog now is and lets the sandbox read it, then forgets the requests.
    fn mount(&self) {
        self.catalog.mount(&self.server);
        self.sandbox.run(&["search", "--refresh"]).expect(0);
        self.server.forget();
    }

    /// The store but for who last held its lock.
    fn store(&self) -> Tree {
        Tree::of(self.sandbox.data()).without("capability-packages/.rulepack.lock")
    }

    /// The files in the cache that are downloads.
    fn cached(&self) -> Vec<String> {
        Tree::of(self.sandbox.cache().join("files")).files().into_iter().map(str::to_owned).collect()
    }

    fn update(&self) -> Invocation {
        self.sandbox.command(&["update", ID]).timeout(SOON)
    }

    /// Updates in vain: the version before is as it was, still listed, and nothing is left over (B15).
    #[track_caller]
    fn fails(&self, code: &str) -> Failure {
        self.fails_with(self.update(), code)
    }

    #[track_caller]
    fn fails_with(&self, update: Invocation, code: &str) -> Failure {
        let (before, cached) = (self.store(), self.cached());
        let answer = update.json();
        assert_eq!(answer.code(), code, "{answer:#?}");
        let package = answer.package(ID);
        assert_eq!((package.action, package.version.as_deref()), (Action::Failed, Some("1.0.0")), "{answer:#?}");
        assert_eq!(package.error, answer.error);
        before.assert_same(&self.store());
        let kept = self.cached();
        assert!(kept.iter().all(|name| !name.contains("tmp")), "unfinished files stay in the cache: {kept:?}");
        assert!(cached.iter().all(|name| kept.contains(name)), "{cached:?} {kept:?}");
        let listed = self.sandbox.json(&["list"]);
        let listed = &listed.list().packages[0];
        assert_eq!((listed.version.as_str(), listed.language_pack.is_some()), ("1.0.0", true));
        answer.error.unwrap()
    }

    /// Updates with the pack, after whatever happened on the way.
    #[track_caller]
    fn succeeds(&self) -> Envelope {
        let answer = self.update().json();
        let package = answer.package(ID);
        assert_eq!((answer.exit, package.action), (0, Action::Updated), "{answer:#?}");
        assert_eq!(package.language_pack.as_ref().unwrap().status, PackStatus::Fetched, "{answer:#?}");
        self.sandbox.run(&["doctor"]).expect(0);
        answer
    }

    /// Updates, but the pack cannot be had: the ruleset is there, in English.
    #[track_caller]
    fn misses_the_pack(&self, reason: PackReason) -> Envelope {
        let answer = self.update().json();
        let package = answer.package(ID);
        let pack = package.language_pack.as_ref().unwrap();
        assert_eq!((answer.exit, package.action), (0, Action::Updated), "{answer:#?}");
        assert_eq!((pack.status, pack.reason, pack.path.as_ref()), (PackStatus::Unavailable, Some(reason), None));
        assert_eq!(answer.warning_codes(), ["pack-unavailable"]);
        assert!(!self.sandbox.version(ID, "1.1.0").join("locales").exists());
        self.sandbox.run(&["doctor"]).expect(0);
        answer
    }

    fn asked(&self, path: &str) -> usize {
        self.server.requests_of(path).len()
    }
}

// ---- what is asked for

#[test]
fn an_install_asks_for_the_catalog_the_artifact_and_the_pack_and_nothing_else() {
    let server = Server::https();
    Catalog::on(&server).with(ember("1.1.0").pack("de", &[]).pack("pt-BR", &[])).mount(&server);
    let sandbox = Sandbox::new().attach(&server);
    let answer = sandbox.json(&["install", ID, "--language", "ru"]);
    assert_eq!(answer.package(ID).action, Action::Installed);
    let mut paths = server.paths();
    assert_eq!(paths[0], "/catalog.json");
    paths.sort();
    assert_eq!(paths, [PACK, ARTIFACT, "/catalog.json"]);
    for request in server.requests() {
        let name = request.header("user-agent").unwrap_or_default();
        assert!(name.starts_with("rulepack/"), "{request:?}");
        assert_eq!(request.method, "GET");
        assert_eq!(request.header("accept-encoding").unwrap_or("identity"), "identity", "{request:?}");
        for private in ["referer", "cookie", "authorization", "range", "accept-language"] {
            assert_eq!(request.header(private), None, "{request:?}");
        }
    }
    // Again, there is nothing to do.
    server.forget();
    assert_eq!(sandbox.json(&["install", ID, "--language", "ru"]).package(ID).action, Action::Unchanged);
    assert!(server.requests().is_empty());
}

#[test]
fn artifact_and_pack_come_at_the_same_time_and_so_do_those_of_several_rulesets() {
    for server in [Server::https(), Server::http1()] {
        let ids = ["a", "b", "c"];
        let mut catalog = Catalog::on(&server);
        for id in ids {
            catalog.publish(Ruleset::new(id, "1.0.0").pack("ru", &[]));
        }
        catalog.mount(&server);
        let sandbox = Sandbox::new().attach(&server);
        for id in ids {
            let late = |reply: Reply| reply.after(Duration::from_millis(400));
            server.change(&catalog.artifact_path(id), late);
            server.change(&catalog.pack_path(id, "ru"), late);
        }
        sandbox.run(&["install", "a", "--language", "ru"]).expect(0);
        assert_eq!(server.most_in_flight(), 2);
        sandbox.run(&["install", "b", "c", "--language", "ru"]).expect(0);
        assert_eq!(server.most_in_flight(), 4);
    }
}

#[test]
fn several_ids_each_stand_alone_and_the_first_failure_is_the_one_of_the_run() {
    let server = Server::https();
    let mut catalog = Catalog::on(&server);
    for id in ["fine", "short", "wrong", "gone", "finer"] {
        catalog.publish(Ruleset::new(id, "1.0.0").pack("ru", &[]));
    }
    catalog.publish(Ruleset::new("other-engine", "1.0.0").engine("9.0.0", "10.0.0"));
    catalog.wrong_size("short");
    catalog.wrong_sha256("wrong");
    catalog.mount(&server);
    server.remove(&catalog.artifact_path("gone"));
    let codes: BTreeMap<&str, (&str, i32)> = BTreeMap::from([
        ("short", ("size-mismatch", 4)),
        ("wrong", ("checksum-mismatch", 4)),
        ("gone", ("http-error", 5)),
        ("nobody", ("not-in-catalog", 3)),
        ("other-engine", ("incompatible-engine", 6)),
    ]);
    for order in [
        ["fine", "gone", "short", "nobody", "wrong", "other-engine", "finer"],
        ["nobody", "wrong", "fine", "other-engine", "finer", "gone", "short"],
        ["other-engine", "finer", "short", "gone", "wrong", "nobody", "fine"],
    ] {
        let sandbox = Sandbox::new().attach(&server);
        let mut args = vec!["install", "--engine-version", "3.0.0"];
        args.extend(order);
        let answer = sandbox.json(&args);
        let first = order.iter().find_map(|id| codes.get(id)).unwrap();
        assert_eq!((answer.code(), answer.exit), *first, "{order:?}");
        let ids: Vec<&str> = answer.changes().packages.iter().map(|package| package.id.as_str()).collect();
        assert_eq!(ids, order, "in the order they were asked for");
        for package in &answer.changes().packages {
            let code = package.error.as_ref().map(|error| error.code.as_str());
            assert_eq!(code, codes.get(package.id.as_str()).map(|(code, _)| *code), "{package:#?}");
            let installed = sandbox.version(&package.id, "1.0.0").is_dir();
            assert_eq!(installed, package.action == Action::Installed, "{package:#?}");
        }
        assert_eq!(sandbox.json(&["list"]).list().packages.len(), 2);
    }
}

#[test]
fn an_id_named_twice_is_one_package() {
    let scene = Scene::new();
    let answer = scene.sandbox.json(&["update", ID, ID]);
    assert_eq!(answer.changes().packages.len(), 1);
    assert_eq!((scene.asked(ARTIFACT), scene.asked(PACK)), (1, 1));
}

// ---- bytes that do not fit

#[test]
fn an_artifact_that_is_not_the_listed_one_is_asked_for_once_more_past_the_caches_and_never_taken() {
    for (what, code, spoil) in [
        ("a byte less than listed", "size-mismatch", Catalog::wrong_size as fn(&mut Catalog, &str)),
        ("other bytes", "checksum-mismatch", Catalog::wrong_sha256),
    ] {
        let mut scene = Scene::new();
        spoil(&mut scene.catalog, ID);
        scene.mount();
        let error = scene.fails(code);
        assert_eq!(error.url, Some(scene.server.url(ARTIFACT)), "{what}");
        assert_eq!(error.package.as_deref(), Some(ID), "{what}");
        assert!(error.hint.as_ref().is_some_and(|hint| hint.contains("minutes")), "{what}: {error:#?}");
        let asked = scene.server.requests_of(ARTIFACT);
        let fresh: Vec<_> = asked.iter().map(|request| request.header("cache-control")).collect();
        assert_eq!(fresh, [None, Some("no-cache")], "{what}");
    }
}

#[test]
fn an_old_copy_on_the_way_is_passed_by_with_the_second_request() {
    let scene = Scene::new();
    scene.server.put_first(ARTIFACT, 1, Reply::ok("what the address held before"));
    scene.server.put_first(PACK, 1, Reply::ok("likewise"));
    scene.succeeds();
    assert_eq!((scene.asked(ARTIFACT), scene.asked(PACK)), (2, 2));
}

#[test]
fn a_body_is_left_at_the_first_byte_past_the_declared_size() {
    for server in [Server::https(), Server::http1()] {
        let scene = Scene::on(server);
        scene.server.change(ARTIFACT, Reply::endless);
        let error = scene.fails("size-mismatch");
        assert!(error.message.contains("more than"), "{error:#?}");
        assert_eq!(scene.asked(ARTIFACT), 2);
    }
    let scene = Scene::new();
    scene.server.put(PACK, Reply::ok(vec![b' '; 1 << 16]).endless());
    scene.misses_the_pack(PackReason::SizeMismatch);
}

#[test]
fn a_length_that_lies_changes_nothing_about_what_is_taken() {
    let scene = Scene::new();
    // Said to be endless, then as listed after all: the bytes decide.
    scene.server.change(ARTIFACT, Reply::without_length);
    scene.server.change(PACK, Reply::without_length);
    scene.succeeds();
}

#[test]
fn a_web_page_in_place_of_a_file_is_called_that() {
    let scene = Scene::new();
    scene.server.put(ARTIFACT, Reply::web_page());
    let error = scene.fails("size-mismatch");
    assert!(error.message.contains("HTML"), "{error:#?}");
    assert!(error.hint.unwrap().contains("login"));
    let scene = Scene::new();
    scene.server.put(PACK, Reply::web_page());
    let answer = scene.misses_the_pack(PackReason::SizeMismatch);
    assert!(answer.warnings[0].message.contains("HTML"), "{answer:#?}");
}

#[test]
fn a_file_that_comes_encoded_is_refused_however_good_it_is_inside() {
    let scene = Scene::new();
    scene.server.change(ARTIFACT, Reply::gzip);
    let error = scene.fails("http-error");
    assert!(error.message.contains("gzip"), "{error:#?}");
    assert_eq!(scene.asked(ARTIFACT), 1);
    let scene = Scene::new();
    scene.server.change(ARTIFACT, |reply| reply.header("content-encoding", "identity"));
    scene.server.change(PACK, |reply| reply.header("content-encoding", "br"));
    scene.misses_the_pack(PackReason::HttpError);
}

#[test]
fn a_pack_that_cannot_be_had_leaves_the_ruleset_in_english_and_says_why() {
    for (what, reason, spoil) in [
        ("a lie about its size", PackReason::SizeMismatch, Catalog::wrong_pack_size as fn(&mut Catalog, &str, &str)),
        ("other bytes", PackReason::ChecksumMismatch, Catalog::wrong_pack_sha256),
    ] {
        let mut scene = Scene::new();
        spoil(&mut scene.catalog, ID, "ru");
        scene.mount();
        scene.misses_the_pack(reason);
        assert_eq!(scene.asked(PACK), 2, "{what}");
        // The next run tries again.
        scene.catalog.publish(ember("1.1.0"));
        scene.mount();
        let synced = scene.sandbox.json(&["sync"]);
        assert_eq!(synced.package(ID).language_pack.as_ref().unwrap().status, PackStatus::Fetched, "{what}");
        assert_eq!((scene.asked(ARTIFACT), scene.asked(PACK)), (0, 1), "{what}");
    }
    let scene = Scene::new();
    scene.server.remove(PACK);
    let answer = scene.misses_the_pack(PackReason::HttpError);
    assert!(answer.warnings[0].message.contains("404"), "{answer:#?}");
    assert_eq!(scene.asked(PACK), 1);
}

#[test]
fn a_pack_that_fails_is_a_failure_where_one_is_required_and_the_ruleset_stays() {
    for (what, code, exit, spoil) in [
        ("gone", "http-error", 5, (|scene| scene.server.remove(PACK)) as fn(&mut Scene)),
        ("other bytes", "checksum-mismatch", 4, |scene| {
            scene.catalog.wrong_pack_sha256(ID, "ru");
            scene.mount();
        }),
        ("another size", "size-mismatch", 4, |scene| {
            scene.catalog.wrong_pack_size(ID, "ru");
            scene.mount();
        }),
        ("encoded", "http-error", 5, |scene| scene.server.change(PACK, Reply::gzip)),
    ] {
        let mut scene = Scene::new();
        spoil(&mut scene);
        let answer = scene.update().arg("--require-pack").json();
        assert_eq!((answer.code(), answer.exit), (code, exit), "{what}: {answer:#?}");
        assert_eq!(answer.package(ID).action, Action::Updated, "{what}");
        assert_eq!(scene.sandbox.json(&["path", ID]).path().version, "1.1.0", "{what}");
    }
}

#[test]
fn a_pack_is_kept_only_if_its_ruleset_is() {
    let mut scene = Scene::new();
    scene.catalog.wrong_sha256(ID);
    scene.mount();
    scene.fails("checksum-mismatch");
    assert_eq!(scene.asked(PACK), 1);
    assert!(!scene.sandbox.version(ID, "1.1.0").exists());
}

#[test]
fn a_first_install_that_fails_leaves_no_trace_of_a_ruleset() {
    let server = Server::https();
    let mut catalog = Catalog::on(&server).with(ember("1.1.0"));
    catalog.wrong_sha256(ID);
    catalog.mount(&server);
    let sandbox = Sandbox::new().attach(&server);
    let answer = sandbox.json(&["install", ID, "--language", "ru"]);
    assert_eq!((answer.code(), answer.exit), ("checksum-mismatch", 4));
    assert!(Tree::of(sandbox.data()).files().is_empty(), "{:?}", Tree::of(sandbox.data()));
    assert!(sandbox.json(&["list"]).list().packages.is_empty());
}

// ---- trouble on the way

#[test]
fn passing_trouble_is_tried_again() {
    let troubles = [
        ("503", 2, Reply::status(503).retry_after("0")),
        ("500", 1, Reply::status(500)),
        ("502", 1, Reply::status(502)),
        ("408", 1, Reply::status(408)),
        ("425", 1, Reply::status(425)),
        ("429 with a date gone by", 1, Reply::status(429).retry_after("Mon, 30 Nov 2020 00:00:00 GMT")),
        ("429 with seconds", 1, Reply::status(429).retry_after("1")),
        ("429 with rubbish", 1, Reply::status(429).retry_after("soon")),
        ("403 with a wait", 1, Reply::status(403).retry_after("0")),
        ("403 with none left", 1, Reply::status(403).header("x-ratelimit-remaining", "0")),
        ("a connection that is cut", 1, Reply::hang_up()),
        ("a body that ends early", 1, Reply::ok(vec![b'{'; 500]).cut_after(100)),
    ];
    // Side by side, since each waits half a second at least.
    thread::scope(|all| {
        for (what, times, trouble) in troubles {
            all.spawn(move || {
                let scene = Scene::new();
                scene.server.put_first(ARTIFACT, times, trouble.clone());
                scene.server.put_first(PACK, times, trouble);
                scene.succeeds();
                // A connection that is cut may take the other file's request along.
                assert!(scene.asked(ARTIFACT) > times && scene.asked(PACK) > times, "{what}");
                assert!(scene.asked(ARTIFACT) + scene.asked(PACK) <= 2 * (times + 1) + 1, "{what}");
            });
        }
    });
}

#[test]
fn a_truncated_body_is_tried_again_over_either_protocol_and_is_never_taken() {
    for server in [Server::https(), Server::http1()] {
        let scene = Scene::on(server);
        for path in [ARTIFACT, PACK] {
            scene.server.put_first(path, 1, Reply::ok("{\"manifest\":").claiming_length(5000));
        }
        scene.succeeds();
        assert_eq!((scene.asked(ARTIFACT), scene.asked(PACK)), (2, 2));
    }
}

#[test]
fn connections_that_are_reset_are_made_again() {
    let scene = Scene::new();
    scene.server.reset_connections(1);
    scene.succeeds();
    assert!(scene.server.connections() >= 2);
}

#[test]
fn what_will_not_pass_is_not_tried_again() {
    let scene = Scene::new();
    for (what, reply, word) in [
        ("400", Reply::status(400), "400"),
        ("401", Reply::status(401), "401"),
        ("403", Reply::status(403), "403"),
        ("403 with some left", Reply::status(403).header("x-ratelimit-remaining", "12"), "403"),
        ("404", Reply::status(404), "404"),
        ("410", Reply::status(410), "410"),
        ("204", Reply::status(204), "204"),
        ("206", Reply::status(206), "206"),
        ("304", Reply::status(304), "304"),
        ("a redirect to nowhere", Reply::status(302), "302"),
        ("a wait of an hour", Reply::status(503).retry_after("3600"), "3600 s"),
        ("a wait until the end of days", Reply::status(429).retry_after("99999999999999999999999"), "429"),
        ("a wait until another year", Reply::status(503).retry_after("Mon, 30 Nov 2037 00:00:00 GMT"), "503"),
        ("a 403 that asks for an hour", Reply::status(403).retry_after("3600"), "3600 s"),
    ] {
        scene.server.forget();
        scene.server.put(ARTIFACT, reply);
        let error = scene.fails("http-error");
        assert!(error.message.contains(word), "{what}: {error:#?}");
        assert_eq!(error.url, Some(scene.server.url(ARTIFACT)), "{what}");
        assert_eq!(scene.asked(ARTIFACT), 1, "{what}");
    }
}

#[test]
fn a_file_the_catalog_is_ahead_of_says_so() {
    let scene = Scene::new();
    scene.server.remove(ARTIFACT);
    let error = scene.fails("http-error");
    assert!(error.message.contains(&scene.server.url(ARTIFACT)) && error.message.contains("404"), "{error:#?}");
    assert!(error.hint.unwrap().contains("published before the file"));
}

#[test]
fn limits_and_trouble_of_the_server_come_with_the_advice_to_wait() {
    let scene = Scene::new();
    for (reply, hint) in [
        (Reply::status(429).retry_after("3600"), "limits"),
        (Reply::status(403).retry_after("3600"), "limits"),
        (Reply::status(503).retry_after("3600"), "trouble"),
    ] {
        scene.server.put(ARTIFACT, reply);
        let error = scene.fails("http-error");
        assert!(error.hint.as_ref().is_some_and(|told| told.contains(hint)), "{error:#?}");
    }
}

/// One after the other these would take half a minute of waiting.
#[test]
fn trouble_that_does_not_pass_is_given_up_after_three_more_tries() {
    type Trouble = (&'static str, &'static str, fn(&Scene));
    let troubles: [Trouble; 5] = [
        ("500", "http-error", |scene| scene.server.put(ARTIFACT, Reply::status(500))),
        ("429", "http-error", |scene| scene.server.put(ARTIFACT, Reply::status(429).retry_after("0"))),
        ("cut", "network", |scene| scene.server.change(ARTIFACT, |reply| reply.cut_after(10))),
        ("hang up", "network", |scene| scene.server.put(ARTIFACT, Reply::hang_up())),
        ("silence", "network", |scene| scene.server.change(ARTIFACT, |reply| reply.stall_after(10))),
    ];
    thread::scope(|all| {
        for (what, code, make) in troubles {
            all.spawn(move || {
                let scene = Scene::new();
                make(&scene);
                let error = scene.fails_with(scene.update().arg("--timeout").arg("1"), code);
                assert_eq!(scene.asked(ARTIFACT), 4, "{what}");
                assert_eq!(error.url, Some(scene.server.url(ARTIFACT)), "{what}");
                assert!(error.hint.is_some(), "{what}");
            });
        }
        all.spawn(|| {
            let scene = Scene::new();
            scene.server.go_dark();
            let error = scene.fails("network");
            assert!(error.hint.unwrap().contains("--offline"));
        });
        all.spawn(|| {
            let server = Server::https();
            let sandbox = Sandbox::new().attach(&server);
            server.go_dark();
            let before = Tree::of(sandbox.data());
            let answer = sandbox.json(&["install", ID]);
            assert_eq!((answer.code(), answer.exit), ("network", 5));
            assert_eq!(answer.error.unwrap().url, Some(server.url("/catalog.json")));
            before.assert_same(&Tree::of(sandbox.data()));
        });
    });
}

#[test]
fn the_timeout_bounds_one_request_and_a_steady_one_within_it_goes_on() {
    let scene = Scene::new();
    scene.server.put_first(ARTIFACT, 1, Reply::ok(vec![b'{'; 500]).stall_after(10));
    scene.server.change(PACK, |reply| reply.dribble(60, Duration::from_millis(30)));
    let answer = scene.update().arg("--timeout").arg("1").json();
    assert_eq!((answer.exit, answer.package(ID).action), (0, Action::Updated), "{answer:#?}");
    assert_eq!((scene.asked(ARTIFACT), scene.asked(PACK)), (2, 1));
}

#[test]
fn a_timeout_that_is_no_time_is_wrong_usage() {
    for timeout in ["0", "-1", "1.5", "soon", "99999999"] {
        let answer = Sandbox::new().json(&["list", &format!("--timeout={timeout}")]);
        assert_eq!((answer.code(), answer.exit), ("usage", 2), "{timeout}");
    }
}

// ---- redirects

#[test]
fn an_address_may_lead_on_five_times_and_to_another_host() {
    let scene = Scene::new();
    let elsewhere = Server::https();
    for (path, hops) in [(ARTIFACT, 5), (PACK, 1)] {
        let name = path.rsplit('/').next().unwrap();
        // The file moves to another server, and the last hop leads there.
        let disk = scene.sandbox.work();
        scene.catalog.write(&disk);
        elsewhere.put("/moved", Reply::status(404));
        elsewhere.put(path, Reply::ok(std::fs::read(disk.join("artifacts").join(name)).unwrap()));
        scene.server.put_redirects(path, hops, &elsewhere.url(path));
    }
    scene.succeeds();
    assert_eq!(scene.server.paths().iter().filter(|path| path.starts_with(ARTIFACT)).count(), 5);
    assert_eq!(elsewhere.requests().len(), 2);
}

#[test]
fn every_way_of_leading_on_is_followed() {
    for status in [301, 302, 303, 307, 308] {
        let scene = Scene::new();
        let disk = scene.sandbox.work();
        scene.catalog.write(&disk);
        let bytes = std::fs::read(disk.join(&ARTIFACT[1..])).unwrap();
        scene.server.put("/artifacts/moved", Reply::ok(bytes));
        scene.server.put(ARTIFACT, Reply::status(status).header("location", "moved#part"));
        scene.succeeds();
    }
}

#[test]
fn an_address_that_leads_where_nobody_may_go_is_not_followed() {
    let scene = Scene::new();
    let plain = Server::plain();
    plain.put(ARTIFACT, Reply::ok("never read"));
    let http = plain.url(ARTIFACT);
    for (what, lead, words) in [
        ("plain http on this machine", Reply::redirect(http.clone()), vec!["https://", http.as_str()]),
        ("plain http elsewhere", Reply::redirect("http://example.org/x"), vec!["https://", "http://example.org/x"]),
        ("another scheme", Reply::redirect("ftp://example.org/x"), vec!["https://", "ftp:"]),
        ("a file", Reply::redirect("file:///etc/passwd"), vec!["https://", "file:"]),
        ("data", Reply::redirect("data:text/plain,x"), vec!["https://"]),
        ("no address", Reply::redirect("https://"), vec!["an invalid address"]),
        ("itself", Reply::redirect(ARTIFACT), vec!["circle", ARTIFACT]),
    ] {
        scene.server.forget();
        scene.server.put(ARTIFACT, lead);
        let error = scene.fails("http-error");
        assert!(words.iter().all(|word| error.message.contains(word)), "{what}: {error:#?}");
        assert_eq!(scene.asked(ARTIFACT), 1, "{what}");
    }
    assert_eq!(plain.connections(), 0);
}

#[test]
fn six_times_is_too_often_and_a_circle_names_its_places() {
    let scene = Scene::new();
    scene.server.put("/end", Reply::ok("never read"));
    scene.server.put_redirects(ARTIFACT, 6, "/end");
    let error = scene.fails("http-error");
    assert!(error.message.contains("more than 5"), "{error:#?}");
    assert_eq!(scene.asked("/end"), 0);

    scene.server.put(ARTIFACT, Reply::redirect("/one"));
    scene.server.put("/one", Reply::redirect("/two"));
    scene.server.put("/two", Reply::redirect("/one"));
    let error = scene.fails("http-error");
    for place in [ARTIFACT, "/one", "/two"] {
        assert!(error.message.contains(&scene.server.url(place)), "{error:#?}");
    }
}

#[test]
fn a_redirect_to_plain_http_is_refused_even_if_the_bytes_are_the_right_ones() {
    let scene = Scene::new();
    let plain = Server::plain();
    scene.catalog.mount(&plain);
    scene.server.put(ARTIFACT, Reply::redirect(plain.url(ARTIFACT)));
    scene.fails("http-error");
    // The catalog itself likewise, and a mirror on the way.
    scene.server.put("/catalog.json", Reply::redirect(plain.url("/catalog.json")));
    let sandbox = Sandbox::new().attach(&scene.server);
    assert_eq!(sandbox.json(&["search"]).code(), "http-error");
    assert_eq!(plain.connections(), 0);
}

// ---- TLS and proxies

#[test]
fn a_certificate_of_nobody_known_is_refused_with_advice_and_not_tried_again() {
    let server = Server::https();
    Catalog::on(&server).with(ember("1.1.0")).mount(&server);
    let sandbox = Sandbox::new().catalog(server.url("/catalog.json"));
    let answer = sandbox.json(&["install", ID]);
    assert_eq!((answer.code(), answer.exit), ("network", 5));
    let error = answer.error.unwrap();
    assert!(error.message.contains("certificate"), "{error:#?}");
    assert!(error.hint.unwrap().contains("--ca-cert"));
    assert_eq!((server.connections(), server.requests().len()), (1, 0));
    assert!(Tree::of(sandbox.data()).files().is_empty());
}

#[test]
fn a_certificate_that_is_refused_says_why_in_words_and_what_cures_that() {
    for (certificate, why, cure) in [
        (Certificate::Expired, "its certificate expired on 2021-01-01", "the clock"),
        (Certificate::OfAnotherHost, "its certificate is for other.test, not for localhost", "the address"),
        (Certificate::OfAnAuthority, "its certificate is not valid for a server", "CA:FALSE"),
    ] {
        let server = Server::with_certificate(certificate);
        let sandbox = Sandbox::new().attach(&server);
        let answer = sandbox.json(&["search"]);
        assert_eq!((answer.code(), answer.exit), ("network", 5));
        let error = answer.error.unwrap();
        assert!(error.message.contains(why), "{error:#?}");
        let hint = error.hint.unwrap();
        assert!(hint.contains(cure) && hint.contains("--ca-cert"), "{hint}");
        assert_eq!((server.connections(), server.requests().len()), (1, 0));
    }
}

#[test]
fn a_server_that_speaks_no_tls_is_a_fault_of_the_network() {
    let server = Server::plain();
    let sandbox = Sandbox::new().catalog(server.url("/catalog.json").replace("http:", "https:"));
    let answer = sandbox.json(&["search"]);
    assert_eq!((answer.code(), answer.exit), ("network", 5));
    assert!(answer.error.unwrap().hint.unwrap().contains("--ca-cert"));
    assert_eq!(server.connections(), 1, "not tried again");
}

#[test]
fn ssl_cert_file_is_trusted_as_ca_cert_is() {
    let server = Server::https();
    Catalog::on(&server).with(ember("1.1.0")).mount(&server);
    let sandbox = Sandbox::new().catalog(server.url("/catalog.json"));
    let pem = sandbox.write("company.pem", Authority::of_the_tests().pem());
    let answer = sandbox.command(&["install", ID]).env("SSL_CERT_FILE", &pem).json();
    assert_eq!(answer.package(ID).action, Action::Installed);
    // Beside it --ca-cert adds, and takes nothing away.
    let other = sandbox.write("other.pem", self_signed());
    let both = sandbox.command(&["search", "--refresh", "--ca-cert"]).arg(other).env("SSL_CERT_FILE", &pem).json();
    assert_eq!((both.exit, both.warnings.len()), (0, 0), "{both:#?}");
    let bundle = sandbox.write("bundle.pem", format!("notes\n{}\n{}", self_signed(), Authority::of_the_tests().pem()));
    let told = sandbox.command(&["search", "--refresh", "--ca-cert"]).arg(bundle).json();
    assert_eq!((told.exit, told.warnings.len()), (0, 0), "{told:#?}");
}

/// Somebody's certificate, which signed nothing here.
fn self_signed() -> String {
    rcgen::generate_simple_self_signed(vec!["other.test".to_owned()]).unwrap().cert.pem()
}

#[test]
fn a_certificate_file_that_is_none_is_said_before_anything_is_asked() {
    let server = Server::https();
    Catalog::on(&server).with(ember("1.1.0")).mount(&server);
    let sandbox = Sandbox::new().catalog(server.url("/catalog.json"));
    let not_a_certificate = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    let key = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n";
    for (what, path, code, exit) in [
        ("missing", sandbox.work().join("nowhere.pem"), "file-not-found", 3),
        ("empty", sandbox.write("empty.pem", ""), "usage", 2),
        ("no PEM", sandbox.write("text.pem", "trust me"), "usage", 2),
        ("binary", sandbox.write("binary.pem", [0x30, 0x82, 0, 1, 0xff]), "usage", 2),
        ("not a certificate", sandbox.write("wrong.pem", not_a_certificate), "usage", 2),
        ("a key", sandbox.write("key.pem", key), "usage", 2),
        ("half", sandbox.write("half.pem", "-----BEGIN CERTIFICATE-----\nAAAA\n"), "usage", 2),
        ("a folder", sandbox.work(), "io", 1),
    ] {
        let answer = sandbox.command(&["search", "--ca-cert"]).arg(&path).json();
        assert_eq!((answer.code(), answer.exit), (code, exit), "{what}: {answer:#?}");
        assert!(answer.error.unwrap().message.contains(&path.display().to_string()), "{what}");
        // What needs no network does not look at it.
        sandbox.command(&["list", "--ca-cert"]).arg(&path).run().expect(0);
    }
    assert_eq!(server.connections(), 0);
}

#[test]
fn a_proxy_that_cannot_be_one_is_wrong_usage_and_is_never_passed_by() {
    let server = Server::https();
    let sandbox = Sandbox::new().attach(&server);
    for variable in ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"] {
        for value in ["http://", "://x", "ftp://proxy:1", "http://exa mple:80", "http://proxy:99999", "gopher://p"] {
            let answer = sandbox.command(&["search"]).env(variable, value).json();
            assert_eq!((answer.code(), answer.exit), ("usage", 2), "{variable}={value}: {answer:#?}");
            let error = answer.error.unwrap();
            assert!(error.message.contains(variable), "{error:#?}");
            assert!(error.hint.unwrap().contains("http://HOST:PORT"));
        }
    }
    assert_eq!(server.connections(), 0);
    // An empty one is none.
    Catalog::on(&server).with(ember("1.1.0")).mount(&server);
    sandbox.command(&["search"]).env("HTTPS_PROXY", "").env("ALL_PROXY", " ").run().expect(0);
}

/// An address that is this machine's, and yet none that a proxy is never asked for.
#[cfg(target_os = "linux")]
fn roundabout(server: &Server) -> String {
    format!("https://0.0.0.0:{}/catalog.json", server.port())
}

#[cfg(target_os = "linux")]
#[test]
fn a_proxy_is_asked_for_what_no_proxy_does_not_name() {
    let ask_through = |variable: &str| {
        let server = Server::https();
        // It knows no CONNECT, so every run ends in vain.
        let proxy = Server::plain();
        let address = format!("http://localhost:{}", proxy.port());
        let sandbox = Sandbox::new().trust(&server).catalog(roundabout(&server));
        let answer = sandbox.command(&["search"]).env(variable, &address).timeout(SOON).json();
        assert_eq!((answer.code(), answer.exit), ("network", 5), "{variable}: {answer:#?}");
        let hint = answer.error.unwrap().hint.unwrap();
        assert!(hint.contains(variable) && hint.contains(&address), "{hint}");
        assert!(!proxy.requests().is_empty(), "{variable}");
        assert!(proxy.requests().iter().all(|request| request.method == "CONNECT"), "{variable}");
        assert_eq!(server.connections(), 0, "{variable}");
    };
    // Side by side, since a proxy that refuses may do better a little later and is asked again.
    thread::scope(|all| {
        for variable in ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"] {
            all.spawn(move || ask_through(variable));
        }
    });
}

#[cfg(target_os = "linux")]
#[test]
fn what_no_proxy_names_is_asked_directly() {
    let server = Server::https();
    Catalog::on(&server).with(ember("1.1.0")).mount(&server);
    let proxy = Server::plain();
    let address = format!("http://localhost:{}", proxy.port());
    for variable in ["NO_PROXY", "no_proxy"] {
        for value in ["0.0.0.0", "example.org, 0.0.0.0", "*"] {
            let sandbox = Sandbox::new().trust(&server).catalog(roundabout(&server));
            let answer = sandbox.command(&["search"]).env("HTTPS_PROXY", &address).env(variable, value).json();
            // The certificate is for `localhost`: whoever sees it went there directly.
            let message = answer.error.unwrap().message;
            assert!(message.contains("certificate"), "{variable}={value}: {message}");
        }
    }
    assert_eq!(proxy.connections(), 0);
}

#[test]
fn a_proxy_for_plain_http_is_not_asked_for_the_catalog_of_this_machine() {
    let (plain, proxy) = (Server::plain(), Server::plain());
    plain.put("/catalog.json", Reply::ok(Catalog::on(&plain).text()));
    let address = format!("http://localhost:{}", proxy.port());
    let sandbox = Sandbox::new().catalog(plain.url("/catalog.json"));
    for variable in ["http_proxy", "HTTP_PROXY", "ALL_PROXY", "HTTPS_PROXY"] {
        sandbox.command(&["search", "--refresh"]).env(variable, &address).run().expect(0);
    }
    assert_eq!((plain.requests().len(), proxy.connections()), (4, 0));
}

// ---- the cache

/// A server gone dark after one sandbox has installed from it, and a second data folder beside the same cache.
fn warm_cache() -> (Server, Sandbox, PathBuf) {
    let server = Server::https();
    Catalog::on(&server).with(ember("1.1.0")).mount(&server);
    let sandbox = Sandbox::new().attach(&server).env("LANG", "ru_RU.UTF-8");
    sandbox.run(&["install", ID]).expect(0);
    let second = sandbox.root().join("second");
    server.forget();
    (server, sandbox, second)
}

#[test]
fn a_second_data_folder_is_filled_from_the_cache_with_the_server_dark() {
    let (server, sandbox, second) = warm_cache();
    server.go_dark();
    let answer = sandbox.command(&["install", ID]).env("RULEPACK_DATA_DIR", &second).json();
    assert_eq!((answer.exit, answer.warnings.len()), (0, 0), "{answer:#?}");
    let package = answer.package(ID);
    assert_eq!(package.action, Action::Installed);
    assert_eq!(package.language_pack.as_ref().unwrap().status, PackStatus::Fetched);
    let versions = "capability-packages/versions";
    Tree::of(sandbox.data().join(versions)).assert_same(&Tree::of(second.join(versions)));
    assert_eq!(server.connections(), 0);
}

#[test]
fn a_file_in_the_cache_that_rotted_is_fetched_again_and_heals() {
    type Rot = (&'static str, fn(&mut Vec<u8>));
    let rots: [Rot; 4] = [
        ("empty", |bytes| bytes.clear()),
        ("cut", |bytes| bytes.truncate(bytes.len() / 2)),
        ("longer", |bytes| bytes.extend(b"more")),
        ("a flipped bit", |bytes| *bytes.last_mut().unwrap() ^= 1),
    ];
    for (what, rot) in rots {
        let (server, sandbox, second) = warm_cache();
        let sound = Tree::of(sandbox.cache().join("files"));
        assert_eq!(sound.files().len(), 2);
        for name in sound.files() {
            let path = sandbox.cache().join("files").join(name);
            let mut bytes = std::fs::read(&path).unwrap();
            rot(&mut bytes);
            std::fs::write(&path, bytes).unwrap();
        }
        let offline = sandbox.command(&["install", ID, "--offline"]).env("RULEPACK_DATA_DIR", &second).json();
        assert_eq!((offline.code(), offline.exit), ("offline", 5), "{what}");
        assert!(Tree::of(&second).files().is_empty(), "{what}");
        let answer = sandbox.command(&["install", ID]).env("RULEPACK_DATA_DIR", &second).json();
        assert_eq!(answer.package(ID).action, Action::Installed, "{what}");
        assert_eq!(server.requests().len(), 2, "{what}");
        sound.assert_same(&Tree::of(sandbox.cache().join("files")));
    }
}

#[test]
fn anything_but_a_file_in_the_cache_is_no_file() {
    let (server, sandbox, second) = warm_cache();
    for name in Tree::of(sandbox.cache().join("files")).files() {
        let path = sandbox.cache().join("files").join(name);
        std::fs::remove_file(&path).unwrap();
        std::fs::create_dir(&path).unwrap();
    }
    let answer = sandbox.command(&["install", ID]).env("RULEPACK_DATA_DIR", &second).json();
    assert_eq!((answer.exit, answer.warning_codes()), (0, vec!["cache-unwritable"]), "{answer:#?}");
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn without_a_cache_that_can_be_written_everything_works_and_is_warned_of_once() {
    let scene = Scene::new();
    let file = scene.sandbox.write("no-folder", "in the way");
    let run = |args: &[&str]| scene.sandbox.command(args).env("RULEPACK_CACHE_DIR", &file).json();
    let answer = run(&["update", ID]);
    assert_eq!((answer.exit, answer.package(ID).action), (0, Action::Updated), "{answer:#?}");
    assert_eq!(answer.package(ID).language_pack.as_ref().unwrap().status, PackStatus::Fetched);
    assert_eq!(answer.warning_codes(), ["cache-unwritable"]);
    assert_eq!((scene.asked("/catalog.json"), scene.asked(ARTIFACT), scene.asked(PACK)), (1, 1, 1));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "in the way");
    let staging = Tree::of(scene.sandbox.packages());
    assert!(staging.paths().iter().all(|path| !path.starts_with(".staging")), "{staging:?}");
    scene.sandbox.run(&["doctor"]).expect(0);
}

#[test]
fn the_cache_says_where_it_is_and_how_large_and_can_be_emptied() {
    let (server, sandbox, second) = warm_cache();
    let dir = sandbox.cache().display().to_string();
    let files = Tree::of(sandbox.cache());
    let bytes: u64 =
        files.files().iter().map(|name| std::fs::metadata(sandbox.cache().join(name)).unwrap().len()).sum();
    for what in ["dir", "size"] {
        let answer = sandbox.json(&["cache", what]);
        let told = answer.cache();
        assert_eq!((told.dir.as_str(), told.bytes, told.files), (dir.as_str(), bytes, 3), "{what}");
    }
    assert_eq!(sandbox.run(&["cache", "dir"]).expect(0).stdout, format!("{dir}\n"));
    assert!(sandbox.run(&["cache", "size"]).expect(0).stdout.contains("3 files"));
    // What somebody else put there is none of ours.
    std::fs::write(sandbox.cache().join("files/notes.txt"), "theirs").unwrap();
    std::fs::write(sandbox.cache().join("notes.txt"), "theirs").unwrap();
    let cleaned = sandbox.json(&["cache", "clean"]);
    assert_eq!((cleaned.cache().bytes, cleaned.cache().files), (bytes, 3));
    assert_eq!(Tree::of(sandbox.cache()).files(), ["files/notes.txt", "notes.txt"]);
    let empty = sandbox.json(&["cache", "size"]);
    assert_eq!((empty.cache().bytes, empty.cache().files), (0, 0));
    assert_eq!(sandbox.json(&["cache", "clean"]).cache().files, 0);
    // Nothing installed depends on it.
    sandbox.run(&["doctor"]).expect(0);
    sandbox.command(&["install", ID]).env("RULEPACK_DATA_DIR", &second).run().expect(0);
    assert_eq!(server.requests().len(), 3);
}

#[test]
fn a_cache_that_is_not_there_is_an_empty_one_and_asking_makes_none() {
    let sandbox = Sandbox::new();
    let nowhere = sandbox.root().join("nowhere");
    for what in ["dir", "size", "clean"] {
        let answer = sandbox.command(&["cache", what, "--cache-dir"]).arg(&nowhere).json();
        let told = answer.cache();
        assert_eq!((told.dir.as_str(), told.bytes, told.files), (nowhere.to_str().unwrap(), 0, 0), "{what}");
        assert!(!nowhere.exists());
        // A file in its place holds nothing, and stays.
        let file = sandbox.write("file", "in the way");
        let answer = sandbox.command(&["cache", what, "--cache-dir"]).arg(&file).json();
        assert_eq!((answer.cache().files, file.exists()), (0, true), "{what}");
    }
}

#[test]
fn nothing_is_written_outside_the_two_folders() {
    let scene = Scene::new();
    let rest = || Tree::of(scene.sandbox.root()).without("data").without("cache");
    let before = rest();
    scene.succeeds();
    scene.server.go_dark();
    scene.sandbox.json(&["search", "--refresh"]);
    before.assert_same(&rest());
}
