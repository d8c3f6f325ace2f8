use super::server::{Reply, Server};
use super::{Place, fetcher, fetcher_until};
use crate::fetch::FetchError;
use crate::fetch::cache::{Cache, Folder};
use crate::fetch::copy::CatalogCopy;
use crate::fetch::header::Validators;
use crate::types::{Cancel, Code, Coded, Sha256, Silent, codes};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime};

const BODY: &str =
    r#"{"schemaVersion":1,"generatedAt":"","packages":[{"manifest":{"id":"ember-roads"}},{"manifest":{"id":"b"}}]}"#;
const OTHER: &str = r#"{"schemaVersion":1,"generatedAt":"","packages":[{"manifest":{"id":"new"}}]}"#;

fn name(url: &str) -> String {
    Sha256::of(url.as_bytes()).to_string()
}

/// Puts a copy into the cache that was fetched at that time.
fn keep(place: &Place, url: &str, at: SystemTime) -> PathBuf {
    let cache = Cache::new(&place.path("cache"));
    let validators = Validators::new(Some("\"one\""), Some("Wed, 21 Oct 2026 07:28:00 GMT"));
    CatalogCopy::new(url.to_owned(), at, validators, BODY.into()).unwrap().keep(&cache, &name(url)).unwrap();
    cache.path(Folder::Catalogs, &name(url))
}

fn ago(seconds: u64) -> SystemTime {
    SystemTime::now() - Duration::from_secs(seconds)
}

fn first(copy: &CatalogCopy) -> Result<String, FetchError> {
    copy.raw_of(copy.rows().next().unwrap())
}

#[test]
fn one_request_a_run_and_none_while_fresh() {
    let place = Place::new();
    let server = Server::https(&place.ca(), &["localhost"], |_, _| Reply::ok(BODY).header("etag", "\"one\""));
    let url = server.url("catalog.json");
    for _ in 0..2 {
        let fetcher = fetcher(place.settings(&url));
        for _ in 0..2 {
            let copy = fetcher.catalog(&Silent).unwrap();
            assert_eq!(copy.ids().collect::<Vec<_>>(), ["ember-roads", "b"]);
            assert_eq!(first(&copy).unwrap(), r#"{"manifest":{"id":"ember-roads"}}"#);
        }
        assert!(fetcher.take_warnings().is_empty());
    }
    let asked = server.asked();
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].header("accept-encoding"), Some("identity"));
    assert_eq!(asked[0].header("user-agent"), Some(concat!("rulepack/", env!("CARGO_PKG_VERSION"))));
}

#[test]
fn a_fresh_copy_starts_no_runtime_and_reads_no_certificates() {
    let place = Place::new();
    let url = "https://localhost:1/catalog.json";
    keep(&place, url, ago(60));
    let mut settings = place.settings(url);
    settings.ca_cert = Some(place.path("none.pem"));
    let fetcher = fetcher(settings);
    assert!(fetcher.catalog(&Silent).is_ok());
    assert!(fetcher.network.get().is_none());
}

#[test]
fn an_older_copy_is_confirmed_or_replaced() {
    for changed in [false, true] {
        let place = Place::new();
        let server = Server::http(move |asked, _| match asked.header("if-none-match") {
            Some("\"one\"") if !changed => Reply::status(304),
            _ => Reply::ok(OTHER).header("etag", "\"two\""),
        });
        let url = server.url("catalog.json");
        let path = keep(&place, &url, ago(301));
        let copy = fetcher(place.settings(&url)).catalog(&Silent).unwrap();
        assert_eq!(copy.body().unwrap(), if changed { OTHER } else { BODY });
        let kept = CatalogCopy::open(&path).unwrap();
        assert!(kept.age(SystemTime::now()).unwrap() < Duration::from_secs(60));
        assert_eq!(kept.body().unwrap(), copy.body().unwrap());
        assert_eq!(kept.validators().etag.as_deref(), Some(if changed { "\"two\"" } else { "\"one\"" }));
        assert!(fetcher(place.settings(&url)).catalog(&Silent).is_ok());
        let asked = server.asked();
        assert_eq!(asked.len(), 1);
        assert_eq!(asked[0].header("if-modified-since"), Some("Wed, 21 Oct 2026 07:28:00 GMT"));
    }
}

#[test]
fn a_time_to_come_and_a_refresh_ask_again() {
    let place = Place::new();
    let server = Server::http(|asked, _| match asked.header("if-none-match") {
        Some(_) => Reply::status(304),
        None => Reply::ok(BODY),
    });
    let url = server.url("catalog.json");
    keep(&place, &url, SystemTime::now() + Duration::from_secs(9999));
    assert!(fetcher(place.settings(&url)).catalog(&Silent).is_ok());
    assert_eq!(server.count(), 1);
    let mut settings = place.settings(&url);
    settings.refresh = true;
    assert!(fetcher(settings).catalog(&Silent).is_ok());
    assert_eq!(server.count(), 2);
    let asked = server.asked();
    assert!(asked[0].header("if-none-match").is_some());
    // What is served now is wanted, whatever was served before.
    assert_eq!((asked[1].header("if-none-match"), asked[1].header("if-modified-since")), (None, None));
}

#[test]
fn validators_go_only_with_a_body_that_still_fits() {
    let place = Place::new();
    let server = Server::http(|asked, _| match asked.header("if-none-match") {
        Some(_) => Reply::status(304),
        None => Reply::ok(OTHER),
    });
    let url = server.url("catalog.json");
    let path = keep(&place, &url, ago(301));
    let mut bytes = std::fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() = b' ';
    std::fs::write(&path, bytes).unwrap();
    let copy = fetcher(place.settings(&url)).catalog(&Silent).unwrap();
    assert_eq!(copy.body().unwrap(), OTHER);
    assert_eq!(server.count(), 1);
}

#[test]
fn damage_found_while_reading_is_mended_by_asking() {
    let place = Place::new();
    let server = Server::http(|_, _| Reply::ok(BODY));
    let url = server.url("catalog.json");
    let path = keep(&place, &url, ago(60));
    let good = std::fs::read(&path).unwrap();
    let at = good.windows(11).rposition(|part| part == b"ember-roads").unwrap();
    let mut bad = good.clone();
    bad[at] = b'E';
    std::fs::write(&path, bad).unwrap();

    let mut settings = place.settings(&url);
    settings.offline = true;
    let error = fetcher(settings).read_catalog(&Silent, first).unwrap_err();
    assert_eq!(error.code(), Code::InvalidCatalog);
    assert_eq!(server.count(), 0);

    let fetcher = fetcher(place.settings(&url));
    let text = fetcher.read_catalog(&Silent, first).unwrap();
    assert_eq!(text, r#"{"manifest":{"id":"ember-roads"}}"#);
    assert_eq!(fetcher.read_catalog(&Silent, first).unwrap(), text);
    assert_eq!(server.count(), 1);
}

#[test]
fn a_source_in_trouble_leaves_the_copy_with_a_warning() {
    let large = "x".repeat(32 << 20) + "x";
    let replies = [
        Reply::status(503),
        Reply::status(404),
        Reply::ok("<!DOCTYPE html><title>Login</title>"),
        Reply::ok("{\"schemaVersion\":2,\"generatedAt\":\"\",\"packages\":[]}"),
        Reply::ok(BODY).header("content-encoding", "gzip"),
        Reply::ok(&BODY.as_bytes()[..20]).header("content-length", "500").cut(),
        Reply::ok(large),
    ];
    for reply in replies {
        let shown = format!("{reply:.200?}");
        let place = Place::new();
        let server = Server::http(move |_, _| reply.clone());
        let url = server.url("catalog.json");
        let path = keep(&place, &url, ago(7200));
        let before = std::fs::read(&path).unwrap();
        let fetcher = fetcher(place.settings(&url));
        let copy = fetcher.catalog(&Silent).expect(&shown);
        assert_eq!(copy.body().unwrap(), BODY);
        let warnings = fetcher.take_warnings();
        assert_eq!(warnings.len(), 1, "{shown}");
        assert_eq!(warnings[0].code, codes::STALE_CATALOG);
        assert!(warnings[0].message.contains("2 hours"), "{}", warnings[0].message);
        assert_eq!(std::fs::read(&path).unwrap(), before);
    }
}

#[test]
fn without_a_copy_trouble_is_an_error_of_its_own_kind() {
    for (reply, code, says) in [
        (Reply::status(500), Code::HttpError, "500"),
        (Reply::status(204), Code::HttpError, "204"),
        (Reply::status(304), Code::HttpError, "304"),
        (Reply::ok("<html>"), Code::InvalidCatalog, "web page"),
        (Reply::ok("[]"), Code::InvalidCatalog, "but should be an object"),
        (Reply::ok("\u{feff}{}"), Code::InvalidCatalog, "byte order mark"),
        (Reply::ok("x".repeat((32 << 20) + 1)), Code::InvalidCatalog, "32.0 MiB"),
    ] {
        let place = Place::new();
        let server = Server::http(move |_, _| reply.clone());
        let error = fetcher(place.settings(&server.url("c"))).catalog(&Silent).unwrap_err();
        assert_eq!(error.code(), code, "{error}");
        assert!(error.to_string().contains(says), "{error}");
        assert!(error.url().unwrap().contains("localhost"));
    }
    let place = Place::new();
    let error = fetcher(place.settings("https://localhost:1/c.json")).catalog(&Silent).unwrap_err();
    assert_eq!(error.code(), Code::Network, "{error}");
}

#[test]
fn offline_uses_the_copy_however_old_and_nothing_else() {
    let place = Place::new();
    let server = Server::http(|_, _| Reply::ok(BODY));
    let url = server.url("catalog.json");
    let offline = || {
        let mut settings = place.settings(&url);
        settings.offline = true;
        settings.refresh = true;
        fetcher(settings)
    };
    assert_eq!(offline().catalog(&Silent).unwrap_err().code(), Code::Offline);
    for (seconds, warnings) in [(3600, 0), (3 * 24 * 3600, 1)] {
        keep(&place, &url, ago(seconds));
        let fetcher = offline();
        assert_eq!(fetcher.catalog(&Silent).unwrap().body().unwrap(), BODY);
        assert_eq!(fetcher.take_warnings().len(), warnings);
    }
    assert_eq!(server.count(), 0);
}

#[test]
fn a_folder_is_read_each_time_and_never_kept() {
    let place = Place::new();
    let dir = place.path("repository").join("catalog");
    std::fs::create_dir_all(&dir).unwrap();
    for body in [BODY, OTHER] {
        std::fs::write(dir.join("catalog.json"), body).unwrap();
        let mut settings = place.settings(place.path("repository").to_str().unwrap());
        settings.offline = true;
        let fetcher = fetcher(settings);
        assert_eq!(fetcher.catalog(&Silent).unwrap().body().unwrap(), body);
        assert!(fetcher.network.get().is_none());
    }
    assert!(!place.path("cache").exists());
}

#[test]
fn a_cache_that_cannot_be_written_is_a_warning() {
    let place = Place::new();
    std::fs::write(place.path("cache"), b"a file in the way").unwrap();
    let server = Server::http(|_, _| Reply::ok(BODY));
    let fetcher = fetcher(place.settings(&server.url("catalog.json")));
    assert_eq!(first(&fetcher.catalog(&Silent).unwrap()).unwrap(), r#"{"manifest":{"id":"ember-roads"}}"#);
    assert_eq!(fetcher.take_warnings()[0].code, codes::CACHE_UNWRITABLE);
    fetcher.catalog(&Silent).unwrap();
    assert_eq!(server.count(), 1);
}

#[test]
fn an_interrupt_ends_a_request_that_hangs() {
    let place = Place::new();
    let cancel = Cancel::default();
    let flag = cancel.flag().clone();
    let server = Server::http(move |_, _| {
        flag.store(true, Ordering::Relaxed);
        Reply::ok("{").endless()
    });
    let url = server.url("catalog.json");
    keep(&place, &url, ago(7200));
    let error = fetcher_until(place.settings(&url), cancel).catalog(&Silent).unwrap_err();
    assert_eq!(error.code(), Code::Interrupted);
}

#[test]
fn a_certificate_of_nobody_known_or_for_another_name_is_refused_with_advice() {
    for names in [&["localhost"][..], &["other.test"]] {
        let place = Place::new();
        let server = Server::https(&place.ca(), names, |_, _| Reply::ok(BODY));
        let mut settings = place.settings(&server.url("c"));
        if names == ["localhost"] {
            settings.ca_cert = None;
        }
        let error = fetcher(settings).catalog(&Silent).unwrap_err();
        assert_eq!(error.code(), Code::Network);
        assert!(error.to_string().contains("cannot be trusted"), "{error}");
        assert!(error.hint().unwrap().contains("--ca-cert"));
        assert_eq!(server.count(), 0);
    }
}
