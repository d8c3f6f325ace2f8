//! A page is waiting: whatever servers and other programs do, a run ends when it was told to, with what it has, and
//! what was downloaded or found out is not lost (docs/spec/commands.md#commands, #the-catalog, #exit-codes).

use super::kit::envelope::{Action, Envelope, PackReason};
use super::kit::packs::{current, fetched, unavailable};
use super::kit::publish::{Catalog, Ruleset};
use super::kit::sandbox::{Running, Sandbox};
use super::kit::server::{Reply, Server};
use super::kit::{engine, until};
use std::time::{Duration, Instant};

const CATALOG: &str = "/catalog.json";
const IDS: [&str; 3] = ["ember-roads", "gravewatch", "saltmarsh"];

fn ruleset(id: &str) -> Ruleset {
    Ruleset::new(id, "1.0.0").pack("ru", &[("Grit", "Стойкость")]).pack("de", &[("Grit", "Mut")])
}

/// A server with three rulesets, and a reader of Russian who has them all; the requests are forgotten.
fn installed() -> (Server, Catalog, Sandbox) {
    let server = Server::https();
    let catalog = IDS.into_iter().map(ruleset).fold(Catalog::on(&server), Catalog::with);
    catalog.mount(&server);
    let sandbox = Sandbox::new().attach(&server).env("LANG", "ru_RU.UTF-8");
    sandbox.run(&["install", IDS[0], IDS[1], IDS[2], "--require-pack"]).expect(0);
    server.forget();
    (server, catalog, sandbox)
}

/// Runs, and gives the answer with the time it took.
fn timed(sandbox: &Sandbox, args: &[&str]) -> (Envelope, Duration) {
    let begun = Instant::now();
    let answer = sandbox.json(args);
    (answer, begun.elapsed())
}

/// The same, and holds it to its deadline: a run ends 0.3 s after it, on a machine that has nothing else to do. Here
/// the program is not optimised and shares the machine with all other tests, so to that comes a multiple of what it
/// takes there and then to start it and have it find nothing to do.
#[track_caller]
fn in_time(sandbox: &Sandbox, args: &[&str], seconds: f64) -> Envelope {
    let deadline = seconds.to_string();
    let before = start(sandbox);
    let (answer, took) = timed(sandbox, &[args, &["--deadline", &deadline]].concat());
    let most = Duration::from_secs_f64(seconds + 0.3) + 20 * before.max(start(sandbox));
    assert!(took < most, "{args:?} took {took:?}, more than {most:?}");
    answer
}

/// What a run takes that waits for nothing.
fn start(sandbox: &Sandbox) -> Duration {
    timed(sandbox, &["list"]).1
}

/// Makes the copy of the catalog older than anybody takes for fresh.
fn age_the_catalog(sandbox: &Sandbox) {
    super::catalog_copy::age(sandbox, 3600);
}

#[test]
fn a_pack_that_hangs_keeps_no_other_from_its_place_and_the_page_no_longer_than_the_deadline() {
    let (server, catalog, sandbox) = installed();
    let hanging = catalog.pack_path(IDS[1], "de");
    server.hold_back(&hanging);
    let answer = in_time(&sandbox, &["sync", "--language", "de"], 4.0);
    assert_eq!(answer.exit, 0, "{answer:#?}");
    assert_eq!((answer.pack(IDS[0]), answer.pack(IDS[2])), (fetched("de"), fetched("de")));
    assert_eq!(answer.pack(IDS[1]), unavailable(PackReason::Deadline));
    sandbox.run(&["doctor"]).expect(0);

    // The next page does not wait for it again, unless told to.
    server.forget();
    let again = sandbox.json(&["sync", "--language", "de"]);
    assert_eq!((again.pack(IDS[0]), again.pack(IDS[1]).0), (current("de"), unavailable(PackReason::Offline).0));
    assert_eq!(server.paths(), Vec::<String>::new());
    server.let_go(&hanging);
    assert_eq!(sandbox.json(&["sync", "--language", "de", "--refresh"]).pack(IDS[1]), fetched("de"));
}

#[test]
fn a_run_that_is_ended_has_kept_what_was_complete_and_says_which() {
    let (server, catalog, sandbox) = installed();
    let hanging = catalog.pack_path(IDS[1], "de");
    server.hold_back(&hanging);
    let running = sandbox.command(&["sync", "--language", "de", "--deadline", "0", "--json"]).spawn();
    let in_place = |id: &str| sandbox.version(id, "1.0.0").join("locales").join("de.json").exists();
    until(|| in_place(IDS[0]) && in_place(IDS[2]));
    #[cfg(unix)]
    {
        running.signal("TERM");
        let answer = running.wait().json();
        assert_eq!((answer.exit, answer.code()), (130, "interrupted"));
        assert_eq!((answer.pack(IDS[0]), answer.pack(IDS[2])), (fetched("de"), fetched("de")));
        let left = answer.package(IDS[1]);
        assert_eq!((left.action, left.error.as_ref().unwrap().code.as_str()), (Action::Failed, "interrupted"));
    }
    #[cfg(not(unix))]
    drop(running.kill());
    assert_eq!(sandbox.packs(), ["ember-roads/1.0.0/de", "gravewatch/1.0.0/ru", "saltmarsh/1.0.0/de"]);
    engine::tidy_rulesets(&sandbox);
}

#[test]
fn rulesets_that_are_complete_are_installed_while_another_still_comes() {
    let server = Server::https();
    let catalog = IDS.into_iter().map(ruleset).fold(Catalog::on(&server), Catalog::with);
    catalog.mount(&server);
    server.hold_back(&catalog.artifact_path(IDS[1]));
    let sandbox = Sandbox::new().attach(&server);
    let (answer, _) = timed(&sandbox, &["install", IDS[0], IDS[1], IDS[2], "--deadline", "4"]);
    assert_eq!((answer.exit, answer.code()), (5, "deadline"), "{answer:#?}");
    let actions = IDS.map(|id| answer.package(id).action);
    assert_eq!(actions, [Action::Installed, Action::Failed, Action::Installed]);
    assert_eq!(answer.package(IDS[1]).error.as_ref().unwrap().code, "deadline");
    let listed = sandbox.json(&["list"]);
    assert_eq!(listed.list().packages.len(), 2);
}

#[test]
fn a_wanted_pack_that_was_not_there_in_time_is_a_failure_only_for_who_requires_it() {
    let (server, catalog, sandbox) = installed();
    server.hold_back(&catalog.pack_path(IDS[0], "de"));
    let sync = ["sync", "--language", "de", "--deadline", "3", "--refresh", "--require-pack"];
    let answer = sandbox.json(&sync);
    assert_eq!((answer.exit, answer.code()), (5, "deadline"), "{answer:#?}");
    assert_eq!(answer.package(IDS[0]).action, Action::Switched, "the pack of the other language went");
}

#[test]
fn a_catalog_that_never_answers_costs_a_page_a_moment_once() {
    let (server, _, sandbox) = installed();
    age_the_catalog(&sandbox);
    server.hold_back(CATALOG);
    let (answer, took) = timed(&sandbox, &["sync"]);
    assert_eq!((answer.exit, answer.pack(IDS[0])), (0, current("ru")), "{answer:#?}");
    assert_eq!(answer.warning_codes(), ["stale-catalog"]);
    assert!(took < Duration::from_secs(4), "{took:?}");
    assert_eq!(server.paths(), [CATALOG]);
    let again = sandbox.json(&["sync"]);
    assert_eq!((again.exit, again.pack(IDS[0])), (0, current("ru")));
    assert_eq!(server.paths(), [CATALOG], "asked again");
    // Somebody who asks for it waits for it, and what answers again is asked again.
    server.let_go(CATALOG);
    assert_eq!(sandbox.json(&["outdated"]).exit, 0);
    assert_eq!(server.paths(), [CATALOG, CATALOG]);
    assert_eq!(sandbox.json(&["sync"]).warning_codes(), Vec::<&str>::new());
}

#[test]
fn a_catalog_that_takes_long_keeps_nobody_from_the_packs_of_its_server() {
    let (server, catalog, sandbox) = installed();
    age_the_catalog(&sandbox);
    server.hold_back(CATALOG);
    let answer = sandbox.json(&["sync", "--language", "de"]);
    assert_eq!((answer.exit, answer.pack(IDS[0])), (0, fetched("de")), "{answer:#?}");
    // What was never asked has not failed.
    server.let_go(CATALOG);
    server.hold_back(&catalog.pack_path(IDS[0], "ru"));
    assert_eq!(sandbox.json(&["sync", "--language", "ru"]).pack(IDS[1]), fetched("ru"));
}

#[test]
fn a_server_that_refuses_the_rest_of_a_file_is_asked_for_all_of_it() {
    for refusal in [412, 403, 501, 503] {
        let server = Server::https();
        let mut catalog = Catalog::on(&server).with(ruleset(IDS[0]));
        catalog.mount(&server);
        let sandbox = Sandbox::new().attach(&server);
        let pack = catalog.pack_path(IDS[0], "de");
        let bytes = catalog.file_mut(pack.trim_start_matches("/artifacts/")).clone();
        let part = sandbox.cache().join("files").join(format!(".part-{}", super::kit::sha256(&bytes)));
        std::fs::create_dir_all(part.parent().unwrap()).unwrap();
        std::fs::write(&part, &bytes[..10]).unwrap();
        server.change(&pack, |reply| reply.refusing_ranges(refusal));
        let answer = sandbox.json(&["install", IDS[0], "--language", "de"]);
        assert_eq!(answer.pack(IDS[0]), fetched("de"), "{refusal}: {answer:#?}");
        assert!(!part.exists());
    }
}

/// A run that was stopped while it asked for the catalog keeps nobody else waiting for good.
#[cfg(unix)]
#[test]
fn a_run_that_was_stopped_at_the_catalog_keeps_nobody_waiting_for_good() {
    let (server, _, sandbox) = installed();
    std::fs::remove_dir_all(sandbox.cache()).unwrap();
    server.hold_back(CATALOG);
    let stopped = sandbox.command(&["search"]).spawn();
    until(|| server.paths() == [CATALOG]);
    stopped.signal("STOP");
    server.let_go(CATALOG);
    let (answer, took) = timed(&sandbox, &["search"]);
    assert_eq!(answer.exit, 0);
    assert!(took < Duration::from_secs(20), "{took:?}");
    stopped.signal("CONT");
    stopped.wait().expect(0);
}

#[test]
fn without_any_catalog_a_page_waits_no_longer_than_its_deadline() {
    let (server, _, sandbox) = installed();
    std::fs::remove_dir_all(sandbox.cache()).unwrap();
    server.hold_back(CATALOG);
    let answer = in_time(&sandbox, &["sync"], 1.5);
    assert_eq!((answer.exit, answer.pack(IDS[0])), (0, current("ru")), "{answer:#?}");
    let install = sandbox.json(&["install", IDS[0], "--deadline", "1"]);
    assert_eq!((install.exit, install.code()), (5, "deadline"), "{install:#?}");
}

#[test]
fn a_slow_pack_is_there_after_some_pages_each_of_which_went_on_where_the_last_one_stopped() {
    let server = Server::https();
    // What cannot be made small: 2 MB of it.
    let text: String = (0..200_000u32).map(|n| format!("{n:09} ")).collect();
    let large = ruleset(IDS[0]).pack("fr", &[("Grit", &text)]);
    let catalog = Catalog::on(&server).with(large);
    catalog.mount(&server);
    let pack = catalog.pack_path(IDS[0], "fr");
    server.change(&pack, |reply| reply.etag("\"1\"").in_parts().dribble(16 << 10, Duration::from_millis(40)));
    let sandbox = Sandbox::new().attach(&server);
    sandbox.run(&["install", IDS[0]]).expect(0);
    server.forget();
    let mut pages = 0;
    loop {
        pages += 1;
        let answer = sandbox.json(&["sync", "--language", "fr", "--deadline", "2"]);
        assert_eq!(answer.exit, 0, "{answer:#?}");
        if answer.pack(IDS[0]) == fetched("fr") {
            break;
        }
        assert_eq!(answer.pack(IDS[0]), unavailable(PackReason::Deadline));
        assert!(pages < 40, "it never came");
    }
    assert!(pages > 1, "one page was enough, so nothing was gone on with");
    let asked = server.requests_of(&pack);
    let from = |range: &str| range.trim_start_matches("bytes=").trim_end_matches('-').parse::<u64>().unwrap();
    let ranges: Vec<u64> = asked.iter().map(|request| request.header("range").map_or(0, from)).collect();
    assert!(ranges.windows(2).all(|pair| pair[0] <= pair[1]), "{ranges:?}");
    assert!(*ranges.last().unwrap() > 0 && asked.last().unwrap().header("if-range") == Some("\"1\""), "{ranges:?}");
    sandbox.run(&["doctor"]).expect(0);
}

#[test]
fn a_part_of_a_file_is_gone_on_with_by_who_asks_the_source_anew() {
    let server = Server::https();
    let text: String = (0..200_000u32).map(|n| format!("{n:09} ")).collect();
    let catalog = Catalog::on(&server).with(ruleset(IDS[0]).pack("fr", &[("Grit", &text)]));
    catalog.mount(&server);
    let pack = catalog.pack_path(IDS[0], "fr");
    server.change(&pack, |reply| reply.etag("\"1\"").in_parts().dribble(16 << 10, Duration::from_millis(40)));
    let sandbox = Sandbox::new().attach(&server);
    sandbox.run(&["install", IDS[0]]).expect(0);
    let page = ["sync", "--language", "fr", "--refresh", "--deadline"];
    assert_eq!(sandbox.json(&[&page[..], &["2"]].concat()).pack(IDS[0]), unavailable(PackReason::Deadline));
    assert_eq!(sandbox.json(&[&page[..], &["60"]].concat()).pack(IDS[0]), fetched("fr"));
    let asked = server.requests_of(&pack);
    assert!(asked.len() == 2 && asked[1].header("range").is_some(), "{asked:?}");
}

/// A run in the middle of a download: more than 200,000 of 3,000,000 bytes of this artifact are in the cache.
fn in_the_middle(server: &Server) -> (Sandbox, String, Running) {
    let bytes: Vec<u8> = (0..3_000_000u32).map(|n| (n % 251) as u8).collect();
    let catalog = Catalog::on(server).with(ruleset(IDS[0]).asset("art/map.png", bytes));
    catalog.mount(server);
    let artifact = catalog.artifact_path(IDS[0]);
    server.change(&artifact, |reply| reply.etag("\"1\"").in_parts().dribble(64 << 10, Duration::from_millis(20)));
    let sandbox = Sandbox::new().attach(server);
    let running = sandbox.command(&["install", IDS[0]]).spawn();
    let part = || {
        let files = std::fs::read_dir(sandbox.cache().join("files")).into_iter().flatten().flatten();
        files.map(|file| file.metadata().map_or(0, |about| about.len())).max().unwrap_or_default()
    };
    until(|| part() > 200_000);
    (sandbox, artifact, running)
}

#[test]
fn a_download_that_was_killed_goes_on_in_the_next_run() {
    let server = Server::https();
    let (sandbox, artifact, running) = in_the_middle(&server);
    drop(running.kill());
    assert_eq!(sandbox.json(&["install", IDS[0]]).package(IDS[0]).action, Action::Installed);
    let asked = server.requests_of(&artifact);
    assert_eq!(asked.len(), 2);
    let from = asked[1].header("range").unwrap().trim_start_matches("bytes=").trim_end_matches('-').to_owned();
    assert!(from.parse::<u64>().unwrap() > 200_000, "{from}");
}

/// A run that was stopped midway holds what it has so far; another one begins with as much.
#[cfg(unix)]
#[test]
fn a_download_that_another_run_was_stopped_at_goes_on_from_there() {
    let server = Server::https();
    let (sandbox, artifact, stopped) = in_the_middle(&server);
    stopped.signal("STOP");
    assert_eq!(sandbox.json(&["install", IDS[0]]).package(IDS[0]).action, Action::Installed);
    let asked = server.requests_of(&artifact);
    let from = asked.last().unwrap().header("range").unwrap().trim_start_matches("bytes=").trim_end_matches('-');
    assert!(from.parse::<u64>().unwrap() > 200_000, "{from}");
    stopped.signal("CONT");
    stopped.wait().expect(0);
    sandbox.run(&["doctor"]).expect(0);
}

#[test]
fn a_writer_that_is_stopped_keeps_a_page_no_longer_than_its_deadline() {
    let (_server, _, sandbox) = installed();
    let lock = std::fs::File::options().write(true).open(sandbox.packages().join(".rulepack.lock")).unwrap();
    lock.lock().unwrap();
    let answer = in_time(&sandbox, &["sync", "--language", "de"], 2.0);
    assert_eq!(answer.exit, 0, "{answer:#?}");
    // Three rulesets, one writer in the way.
    let told: Vec<_> = answer.warnings.iter().filter(|warning| warning.code == "pack-unavailable").collect();
    assert!(told.len() == 1 && IDS.iter().all(|id| told[0].message.contains(id)), "{answer:#?}");
    // What is there stays; what came waits in the cache.
    let kept = answer.package(IDS[0]).language_pack.as_ref().unwrap();
    assert_eq!((kept.reason, kept.language.as_deref()), (Some(PackReason::Deadline), Some("ru")));
    let install = sandbox.json(&["install", IDS[0], "--force", "--deadline", "1"]);
    assert_eq!((install.exit, install.code()), (5, "deadline"), "{install:#?}");
    let language = sandbox.json(&["language", "de", "--deadline", "1"]);
    assert_eq!((language.exit, language.code()), (5, "deadline"), "{language:#?}");
    drop(lock);
    assert_eq!(sandbox.json(&["sync", "--language", "de"]).pack(IDS[0]), fetched("de"));
}

/// Nothing is waited for here: everything is in the cache, and it is the work itself that takes its time.
#[test]
fn work_on_this_machine_ends_with_the_deadline_too_and_what_was_not_begun_is_as_it_was() {
    let ids: Vec<String> = (0..60).map(|n| format!("road-{n:02}")).collect();
    let sandbox = Sandbox::new().env("LANG", "ru_RU.UTF-8");
    let work = sandbox.work();
    let sandbox = sandbox.catalog(&work);
    ids.iter().map(|id| ruleset(id)).fold(Catalog::on_disk(), Catalog::with).write(&work);
    sandbox.run(&["install".to_owned()].iter().chain(&ids).collect::<Vec<_>>()).expect(0);
    let in_german = |sandbox: &Sandbox| sandbox.packs().iter().filter(|pack| pack.ends_with("/de")).count();
    let mut runs = 0;
    while in_german(&sandbox) < ids.len() {
        let before = in_german(&sandbox);
        let answer = in_time(&sandbox, &["sync", "--language", "de"], 0.2);
        assert_eq!(answer.exit, 0, "{answer:#?}");
        for id in &ids {
            let pack = answer.package(id).language_pack.as_ref().unwrap();
            let late = (Action::Unchanged, Some(PackReason::Deadline), Some("ru"));
            match (answer.package(id).action, pack.reason, pack.language.as_deref()) {
                (Action::Switched | Action::Unchanged, None, Some("de")) => {}
                told => assert_eq!(told, late, "{id}: {answer:#?}"),
            }
        }
        assert_eq!(sandbox.packs().len(), ids.len(), "one pack each");
        assert!(in_german(&sandbox) > before, "each run gets on");
        assert!(answer.warnings.len() <= 1, "{answer:#?}");
        runs += 1;
    }
    assert!(runs > 1, "all of it was done within the deadline");
    let language = sandbox.json(&["language", "ru", "--deadline", "0.2"]);
    let code = language.error.as_ref().map(|error| error.code.as_str());
    assert!(matches!((language.exit, code), (0, None) | (5, Some("deadline"))), "{language:#?}");
    sandbox.run(&["language", "ru"]).expect(0);
    assert_eq!(in_german(&sandbox), 0);
    sandbox.run(&["doctor"]).expect(0);
    engine::tidy_rulesets(&sandbox);
}

#[test]
fn of_many_pages_that_open_at_once_one_asks_for_the_catalog() {
    let (server, _, sandbox) = installed();
    age_the_catalog(&sandbox);
    server.change(CATALOG, |reply| reply.after(Duration::from_millis(300)));
    let pages: Vec<_> = (0..8).map(|_| sandbox.command(&["sync", "--json"]).spawn()).collect();
    for page in pages {
        assert_eq!(page.wait().expect(0).json().pack(IDS[0]), current("ru"));
    }
    assert_eq!(server.paths(), [CATALOG]);
}

#[test]
fn a_server_that_closes_each_connection_after_one_request_is_no_trouble() {
    let server = Server::http1();
    let catalog = IDS.into_iter().map(ruleset).fold(Catalog::on(&server), Catalog::with);
    catalog.mount(&server);
    server.one_request_a_connection();
    let sandbox = Sandbox::new().attach(&server).env("LANG", "ru_RU.UTF-8");
    for _ in 0..4 {
        let answer = sandbox.json(&["install", IDS[0], IDS[1], IDS[2], "--require-pack", "--force", "--refresh"]);
        assert_eq!(answer.exit, 0, "{answer:#?}");
        std::fs::remove_dir_all(sandbox.cache()).unwrap();
    }
}

#[test]
fn a_file_that_waits_to_be_tried_again_keeps_none_of_the_others_waiting() {
    let (server, catalog, sandbox) = installed();
    let busy = catalog.pack_path(IDS[0], "de");
    server.put_first(&busy, 1, Reply::status(503).retry_after("3"));
    let running = sandbox.command(&["language", "de"]).spawn();
    let in_place = |id: &str| sandbox.version(id, "1.0.0").join("locales").join("de.json").exists();
    until(|| in_place(IDS[1]) && in_place(IDS[2]));
    assert!(!in_place(IDS[0]));
    running.wait().expect(0);
    assert!(in_place(IDS[0]));
}

#[test]
fn many_files_that_hang_or_trickle_keep_none_of_the_others_waiting() {
    let server = Server::https();
    let ids: Vec<String> = (0..14).map(|n| format!("ruleset-{n:02}")).collect();
    let catalog = ids.iter().map(|id| ruleset(id)).fold(Catalog::on(&server), Catalog::with);
    catalog.mount(&server);
    let sandbox = Sandbox::new().attach(&server);
    sandbox.run(&[&["install"], &ids.iter().map(String::as_str).collect::<Vec<_>>()[..]].concat()).expect(0);
    for (n, id) in ids.iter().enumerate().take(10) {
        let pack = catalog.pack_path(id, "de");
        match n % 2 {
            0 => server.hold_back(&pack),
            _ => server.change(&pack, |reply| reply.dribble(1, Duration::from_millis(500))),
        }
    }
    let answer = sandbox.json(&["sync", "--language", "de", "--deadline", "8"]);
    for id in &ids[10..] {
        assert_eq!(answer.pack(id), fetched("de"), "{answer:#?}");
    }
    assert_eq!(answer.pack(&ids[0]), unavailable(PackReason::Deadline));
}

#[test]
fn a_server_that_never_answers_is_asked_for_some_of_many_files_and_costs_one_page_its_time() {
    let server = Server::https();
    let ids: Vec<String> = (0..20).map(|n| format!("ruleset-{n:02}")).collect();
    let catalog = ids.iter().map(|id| ruleset(id)).fold(Catalog::on(&server), Catalog::with);
    catalog.mount(&server);
    let sandbox = Sandbox::new().attach(&server);
    sandbox.run(&[&["install"], &ids.iter().map(String::as_str).collect::<Vec<_>>()[..]].concat()).expect(0);
    ids.iter().for_each(|id| server.hold_back(&catalog.pack_path(id, "de")));
    server.forget();
    let answer = sandbox.json(&["sync", "--language", "de"]);
    assert!(ids.iter().all(|id| answer.pack(id) == unavailable(PackReason::Deadline)), "{answer:#?}");
    assert!(server.paths().len() <= 8, "{:?}", server.paths());
    server.forget();
    let again = sandbox.json(&["sync", "--language", "de"]);
    assert!(ids.iter().all(|id| again.pack(id) == unavailable(PackReason::Offline)), "{again:#?}");
    assert_eq!(server.paths(), Vec::<String>::new());
}

#[test]
fn a_catalog_that_comes_slowly_is_waited_for_as_long_as_it_comes() {
    let (server, mut catalog, sandbox) = installed();
    catalog.publish(ruleset("new"));
    catalog.mount(&server);
    age_the_catalog(&sandbox);
    server.change(CATALOG, |reply| reply.dribble(2 << 10, Duration::from_millis(300)));
    let answer = sandbox.json(&["sync", "--deadline", "30"]);
    assert_eq!((answer.exit, answer.warning_codes()), (0, Vec::<&str>::new()), "{answer:#?}");
}

/// Where the catalog's copy is kept, and what has come of it before it is one.
fn catalog_part(server: &Server, sandbox: &Sandbox) -> std::path::PathBuf {
    let name = super::kit::sha256(server.url(CATALOG).as_bytes());
    sandbox.cache().join("catalogs").join(format!(".part-{name}"))
}

/// A reader who has a ruleset and no copy of the catalog it is of.
fn without_a_catalog(server: &Server, catalog: &Catalog) -> Sandbox {
    catalog.mount(server);
    let sandbox = Sandbox::new().attach(server);
    sandbox.run(&["install", IDS[0]]).expect(0);
    std::fs::remove_dir_all(sandbox.cache()).unwrap();
    server.forget();
    sandbox
}

const LONG_AGO: &str = "Mon, 01 Jan 2024 00:00:00 GMT";

#[test]
fn a_slow_catalog_is_there_after_some_pages_each_of_which_went_on_where_the_last_one_stopped() {
    let server = Server::https();
    let described = "A long way to say little. ".repeat(60);
    let many = (0..150).map(|n| ruleset(&format!("ruleset-{n:03}")).described(&described));
    let catalog = many.fold(Catalog::on(&server).with(ruleset(IDS[0])), Catalog::with);
    for by_date in [false, true] {
        let sandbox = without_a_catalog(&server, &catalog);
        let reply = Reply::ok(catalog.text()).in_parts().dribble(16 << 10, Duration::from_millis(100));
        server.put(CATALOG, if by_date { reply.last_modified(LONG_AGO) } else { reply.etag("\"1\"") });
        let part = catalog_part(&server, &sandbox);
        let mut pages = 0;
        while sandbox.json(&["search", "--offline"]).exit != 0 {
            pages += 1;
            assert!(pages < 40, "it never came");
            assert_eq!(sandbox.json(&["sync", "--language", "de", "--deadline", "1.5"]).exit, 0);
        }
        assert!(pages > 1, "one page was enough, so nothing was gone on with");
        assert!(!part.exists() && !part.with_extension("tag").exists());
        let asked = server.requests_of(CATALOG);
        let from = |range: &str| range.trim_start_matches("bytes=").trim_end_matches('-').parse::<u64>().unwrap();
        let ranges: Vec<u64> = asked.iter().map(|request| request.header("range").map_or(0, from)).collect();
        assert!(ranges.is_sorted() && *ranges.last().unwrap() > 0, "{ranges:?}");
        let known_by = asked.last().unwrap().header("if-range");
        assert_eq!(known_by, Some(if by_date { LONG_AGO } else { "\"1\"" }));
        let copies = std::fs::read_dir(part.parent().unwrap()).unwrap().map(|copy| copy.unwrap().path());
        let copies: Vec<_> = copies.map(|copy| std::fs::read(copy).unwrap()).collect();
        assert!(copies.len() == 1 && copies[0].ends_with(&catalog.text()));
    }
}

#[test]
fn of_a_catalog_that_its_source_would_not_know_again_no_part_is_kept() {
    let now = httpdate::fmt_http_date(std::time::SystemTime::now());
    let server = Server::https();
    let catalog = Catalog::on(&server).with(ruleset(IDS[0]));
    for (etag, date, is_kept) in [
        (Some("\"1\""), None, true),
        (None, Some(LONG_AGO), true),
        (Some("W/\"1\""), Some(LONG_AGO), false),
        (None, Some(now.as_str()), false),
        (None, None, false),
    ] {
        let sandbox = without_a_catalog(&server, &catalog);
        let reply = etag.into_iter().fold(Reply::ok(catalog.text()), Reply::etag);
        server.put(CATALOG, date.into_iter().fold(reply, Reply::last_modified).stall_after(1000));
        let part = catalog_part(&server, &sandbox);
        assert_eq!(sandbox.json(&["sync", "--language", "de", "--deadline", "2"]).exit, 0);
        let came = std::fs::metadata(&part).map(|about| about.len()).ok();
        assert_eq!(came, is_kept.then_some(1000), "{etag:?} {date:?}");
    }
}

/// Whatever a source says to the wish for a rest: what is not of the same catalog is not put behind what is there.
#[test]
fn only_the_rest_of_the_same_catalog_is_put_behind_a_part_of_one() {
    let server = Server::https();
    let catalog = Catalog::on(&server).with(ruleset(IDS[0]));
    let whole = || Reply::ok(catalog.text()).etag("\"1\"").in_parts();
    let length = catalog.text().len();
    let rest = |range: &str| Reply::status(206).etag("\"1\"").header("content-range", range);
    let place = server.url(CATALOG);
    let elsewhere = server.url("/elsewhere.json");
    let to_the_end = format!("bytes 7-{}/{length}", length - 1);
    let cases = [
        ("the same", vec![whole()], Some(("\"1\"", &place)), 5),
        ("another now", vec![whole().etag("\"2\"")], Some(("\"0\"", &place)), 0),
        ("a rest of another", vec![rest(&to_the_end), whole()], Some(("\"0\"", &place)), 0),
        ("another place", vec![whole()], Some(("\"1\"", &elsewhere)), 0),
        (
            "from elsewhere on",
            vec![rest(&format!("bytes 8-{}/{length}", length - 1)), whole()],
            Some(("\"1\"", &place)),
            0,
        ),
        (
            "not to the end",
            vec![rest(&format!("bytes 7-{}/{length}", length - 2)), whole()],
            Some(("\"1\"", &place)),
            0,
        ),
        ("of unknown length", vec![rest(&format!("bytes 7-{}/*", length - 1)), whole()], Some(("\"1\"", &place)), 0),
        ("no such range", vec![whole().refusing_ranges(416)], Some(("\"1\"", &place)), 0),
        ("no ranges at all", vec![whole().refusing_ranges(403)], Some(("\"1\"", &place)), 0),
        ("in trouble with ranges", vec![whole().refusing_ranges(503)], Some(("\"1\"", &place)), 0),
        ("known by nothing", vec![whole()], None, 0),
    ];
    for (what, replies, mark, exit) in cases {
        let sandbox = without_a_catalog(&server, &catalog);
        server.put_sequence(CATALOG, replies);
        let part = catalog_part(&server, &sandbox);
        std::fs::create_dir_all(part.parent().unwrap()).unwrap();
        // Whoever goes on with this gets no catalog.
        std::fs::write(&part, "garbage").unwrap();
        if let Some((validator, place)) = mark {
            std::fs::write(part.with_extension("tag"), format!("{validator}\n{place}")).unwrap();
        }
        let answer = sandbox.json(&["search"]);
        assert_eq!(answer.exit == 0, exit == 0, "{what}: {answer:#?}");
        assert_eq!(server.requests()[0].header("if-range"), mark.map(|(validator, _)| validator), "{what}");
        // Not even one that a source vouched for wrongly lasts.
        assert!(!part.exists(), "{what}");
        assert_eq!(sandbox.json(&["search"]).exit, 0, "{what}");
    }
}

#[test]
fn who_asks_for_a_catalog_anew_goes_on_with_no_part_of_it() {
    let server = Server::https();
    let catalog = Catalog::on(&server).with(ruleset(IDS[0]));
    let sandbox = without_a_catalog(&server, &catalog);
    server.put(CATALOG, Reply::ok(catalog.text()).etag("\"1\"").in_parts());
    let part = catalog_part(&server, &sandbox);
    std::fs::create_dir_all(part.parent().unwrap()).unwrap();
    std::fs::write(&part, "garbage").unwrap();
    std::fs::write(part.with_extension("tag"), format!("\"1\"\n{}", server.url(CATALOG))).unwrap();
    assert_eq!(sandbox.json(&["search", "--refresh"]).exit, 0);
    let asked = server.requests();
    let names = ["range", "if-range", "if-none-match"];
    assert!(asked.len() == 1 && names.iter().all(|name| asked[0].header(name).is_none()), "{asked:?}");
    assert!(!part.exists());
}

/// A server that lets connections come in and never says a word, and one that does not even let them in.
struct Mute(#[allow(dead_code)] Vec<std::net::TcpStream>, std::net::TcpListener);

impl Mute {
    fn that_accepts() -> Self {
        Mute(Vec::new(), std::net::TcpListener::bind("127.0.0.1:0").unwrap())
    }

    /// Its queue is full: the system answers no further wish for a connection.
    #[cfg(target_os = "linux")]
    fn that_lets_nobody_in() -> Self {
        use rustix::net::{AddressFamily, SocketType, bind, listen, socket};
        let socket = socket(AddressFamily::INET, SocketType::STREAM, None).unwrap();
        bind(&socket, &std::net::SocketAddrV4::new(std::net::Ipv4Addr::LOCALHOST, 0)).unwrap();
        listen(&socket, 0).unwrap();
        let listener = std::net::TcpListener::from(socket);
        let address = listener.local_addr().unwrap();
        let connect = || std::net::TcpStream::connect_timeout(&address, Duration::from_millis(200)).ok();
        Mute(std::iter::from_fn(connect).take(8).collect(), listener)
    }

    fn url(&self) -> String {
        format!("https://localhost:{}{CATALOG}", self.1.local_addr().unwrap().port())
    }
}

/// Every command that may ask the network, as somebody without a copy of the catalog calls it.
const ASKING: [&[&str]; 10] = [
    &["search"],
    &["info", IDS[0]],
    &["install", IDS[0], "--force"],
    &["update"],
    &["outdated"],
    &["sync", "--language", "de"],
    &["language", "de"],
    &["rollback", IDS[2]],
    &["doctor", "--repair"],
    &["catalog", "verify"],
];

/// What a server may do instead of answering.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    #[cfg(target_os = "linux")]
    LetsNobodyIn,
    StallsInTheHandshake,
    NeverAnswers,
    StallsAfterTheHeaders,
    Trickles,
    /// The catalog comes, none of its files does.
    GivesNoFiles,
    FilesTrickle,
}

const WAYS: &[Way] = &[
    #[cfg(target_os = "linux")]
    Way::LetsNobodyIn,
    Way::StallsInTheHandshake,
    Way::NeverAnswers,
    Way::StallsAfterTheHeaders,
    Way::Trickles,
    Way::GivesNoFiles,
    Way::FilesTrickle,
];

/// Three rulesets of which one is damaged and one has a version to go back to, no cache, and a source that behaves so.
fn misbehaving(way: Way) -> (Server, Option<Mute>, Sandbox) {
    let (server, catalog, sandbox) = installed();
    let newer = Ruleset::new(IDS[2], "1.1.0").pack("ru", &[("Grit", "Стойкость")]);
    IDS[..2].iter().map(|id| ruleset(id)).fold(Catalog::on(&server).with(newer), Catalog::with).mount(&server);
    sandbox.run(&["update", "--refresh"]).expect(0);
    catalog.mount(&server);
    std::fs::remove_file(sandbox.version(IDS[1], "1.0.0").join("ruleset.json")).unwrap();
    std::fs::remove_dir_all(sandbox.cache()).unwrap();
    let files = IDS.map(|id| [catalog.artifact_path(id), catalog.pack_path(id, "ru"), catalog.pack_path(id, "de")]);
    let change = |paths: &[String], change: fn(Reply) -> Reply| {
        paths.iter().for_each(|path| server.change(path, change));
        None
    };
    let never: fn(Reply) -> Reply = |reply| reply.after(Duration::from_secs(600));
    let trickling: fn(Reply) -> Reply = |reply| reply.dribble(1, Duration::from_secs(1));
    let mute = match way {
        #[cfg(target_os = "linux")]
        Way::LetsNobodyIn => Some(Mute::that_lets_nobody_in()),
        Way::StallsInTheHandshake => Some(Mute::that_accepts()),
        Way::NeverAnswers => change(&[CATALOG.to_owned()], never),
        Way::StallsAfterTheHeaders => change(&[CATALOG.to_owned()], |reply| reply.stall_after(0)),
        Way::Trickles => change(&[CATALOG.to_owned()], trickling),
        Way::GivesNoFiles => change(files.as_flattened(), never),
        Way::FilesTrickle => change(files.as_flattened(), trickling),
    };
    let sandbox = mute.iter().fold(sandbox, |sandbox, mute| sandbox.catalog(mute.url()));
    (server, mute, sandbox)
}

/// Whether the exit code is one that a command may have whose source gave it nothing in time.
fn is_late(answer: &Envelope, command: &[&str]) -> bool {
    match answer.error.as_ref().map(|error| error.code.as_str()) {
        Some(code) => code == "deadline" && answer.exit == 5,
        None => answer.exit == 0 || answer.exit == 10 && ["doctor", "catalog"].contains(&command[0]),
    }
}

#[test]
fn every_command_ends_with_its_deadline_whatever_the_server_does() {
    let of = |way: Way| {
        for command in ASKING {
            let (_server, _mute, sandbox) = misbehaving(way);
            let answer = in_time(&sandbox, command, 1.5);
            assert!(is_late(&answer, command), "{way:?}: {command:?} {answer:#?}");
        }
    };
    std::thread::scope(|scope| WAYS.iter().for_each(|way| drop(scope.spawn(move || of(*way)))));
}

#[cfg(unix)]
#[test]
fn every_command_goes_when_it_is_told_to_whatever_the_server_does() {
    let of = |way: Way| {
        for command in ASKING {
            let (_server, _mute, sandbox) = misbehaving(way);
            let mut running = sandbox.command(&[command, &["--json", "--deadline", "0"]].concat()).spawn();
            std::thread::sleep(Duration::from_millis(700));
            if !running.is_running() {
                continue;
            }
            let begun = Instant::now();
            running.signal("TERM");
            let (answer, took) = (running.wait().json(), begun.elapsed());
            // A second, and what the machine is slow by.
            let most = Duration::from_secs(1) + 20 * start(&sandbox);
            assert!(took < most, "{way:?}: {command:?} took {took:?}, more than {most:?}");
            // It may have been done by then.
            if answer.error.is_none() {
                continue;
            }
            assert_eq!((answer.exit, answer.code()), (130, "interrupted"), "{way:?}: {command:?}");
        }
    };
    std::thread::scope(|scope| WAYS.iter().for_each(|way| drop(scope.spawn(move || of(*way)))));
}
