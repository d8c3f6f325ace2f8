//! A page is waiting: whatever servers and other programs do, a run ends when it was told to, with what it has, and what
//! was downloaded or found out is not lost (contract, sections 2, 3 and 7).

use super::kit::envelope::{Action, Envelope, PackReason};
use super::kit::packs::{current, fetched, unavailable};
use super::kit::publish::{Catalog, Ruleset};
use super::kit::sandbox::Sandbox;
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

/// Makes the copy of the catalog older than anybody takes for fresh.
fn age_the_catalog(sandbox: &Sandbox) {
    super::catalog_copy::age(sandbox, 3600);
}

#[test]
fn a_pack_that_hangs_keeps_no_other_from_its_place_and_the_page_no_longer_than_the_deadline() {
    let (server, catalog, sandbox) = installed();
    let hanging = catalog.pack_path(IDS[1], "de");
    server.hold_back(&hanging);
    let sync = ["sync", "--language", "de", "--deadline", "4"];
    let (answer, took) = timed(&sandbox, &sync);
    assert_eq!(answer.exit, 0, "{answer:#?}");
    assert!(took < Duration::from_secs(8), "{took:?}");
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
    let (answer, took) = timed(&sandbox, &["sync", "--deadline", "1.5"]);
    assert_eq!((answer.exit, answer.pack(IDS[0])), (0, current("ru")), "{answer:#?}");
    assert!(took < Duration::from_secs(6), "{took:?}");
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
fn a_download_that_was_killed_goes_on_in_the_next_run() {
    let server = Server::https();
    let bytes: Vec<u8> = (0..3_000_000u32).map(|n| (n % 251) as u8).collect();
    let catalog = Catalog::on(&server).with(ruleset(IDS[0]).asset("art/map.png", bytes));
    catalog.mount(&server);
    let artifact = catalog.artifact_path(IDS[0]);
    server.change(&artifact, |reply| reply.etag("\"1\"").in_parts().dribble(64 << 10, Duration::from_millis(20)));
    let sandbox = Sandbox::new().attach(&server);
    let running = sandbox.command(&["install", IDS[0]]).spawn();
    let part = || {
        let files = std::fs::read_dir(sandbox.cache().join("files")).into_iter().flatten().flatten();
        files.map(|file| file.metadata().map_or(0, |about| about.len())).max().unwrap_or_default()
    };
    until(|| part() > 200_000);
    drop(running.kill());
    assert_eq!(sandbox.json(&["install", IDS[0]]).package(IDS[0]).action, Action::Installed);
    let asked = server.requests_of(&artifact);
    assert_eq!(asked.len(), 2);
    let from = asked[1].header("range").unwrap().trim_start_matches("bytes=").trim_end_matches('-').to_owned();
    assert!(from.parse::<u64>().unwrap() > 200_000, "{from}");
}

#[test]
fn a_writer_that_is_stopped_keeps_a_page_no_longer_than_its_deadline() {
    let (_server, _, sandbox) = installed();
    let lock = std::fs::File::options().write(true).open(sandbox.packages().join(".rulepack.lock")).unwrap();
    lock.lock().unwrap();
    let (answer, took) = timed(&sandbox, &["sync", "--language", "de", "--deadline", "2"]);
    assert_eq!(answer.exit, 0, "{answer:#?}");
    // What is there stays; what came waits in the cache.
    let kept = answer.package(IDS[0]).language_pack.as_ref().unwrap();
    assert_eq!((kept.reason, kept.language.as_deref()), (Some(PackReason::Deadline), Some("ru")));
    assert!(took < Duration::from_secs(6), "{took:?}");
    let install = sandbox.json(&["install", IDS[0], "--force", "--deadline", "1"]);
    assert_eq!((install.exit, install.code()), (5, "deadline"), "{install:#?}");
    let language = sandbox.json(&["language", "de", "--deadline", "1"]);
    assert_eq!((language.exit, language.code()), (5, "deadline"), "{language:#?}");
    drop(lock);
    assert_eq!(sandbox.json(&["sync", "--language", "de"]).pack(IDS[0]), fetched("de"));
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
fn a_catalog_that_comes_slowly_is_waited_for_as_long_as_it_comes() {
    let (server, mut catalog, sandbox) = installed();
    catalog.publish(ruleset("new"));
    catalog.mount(&server);
    age_the_catalog(&sandbox);
    server.change(CATALOG, |reply| reply.dribble(2 << 10, Duration::from_millis(300)));
    let answer = sandbox.json(&["sync", "--deadline", "30"]);
    assert_eq!((answer.exit, answer.warning_codes()), (0, Vec::<&str>::new()), "{answer:#?}");
}
