use super::server::{Reply, Server};
use super::{Place, fetcher, fetcher_until};
use crate::fetch::{FetchError, Fetcher, Mirror, Purpose, Settings, Want};
use crate::types::{Cancel, Code, Coded, Expected, Reporter, Silent, Transfer, Verified, Wait};
use std::cell::RefCell;
use std::fs::File;
use std::io::Read;
use std::sync::atomic::Ordering;
use std::time::Duration;

const BYTES: &[u8] = b"{\"some\": \"bytes\"}\n";

fn want(url: &str, bytes: &[u8]) -> Want {
    Want {
        url: url.parse().unwrap(),
        expected: Expected::of(bytes),
        label: "Ember Roads".to_owned(),
        package: None,
        purpose: Purpose::Artifact,
        cache_only: false,
    }
}

fn get(fetcher: &mut Fetcher, place: &Place, url: &str) -> Result<Verified<File>, FetchError> {
    fetcher.files(&[want(url, BYTES)], &place.scratch(), &Silent).remove(0)
}

/// Read from where the file stands, as a reader would.
fn read(file: &Verified<File>) -> Vec<u8> {
    let mut bytes = Vec::new();
    file.get().read_to_end(&mut bytes).unwrap();
    bytes
}

/// A server, and settings whose catalog plays no part.
fn served(reply: impl Fn(&str, usize) -> Reply + Send + Sync + 'static) -> (Place, Server, Settings) {
    let place = Place::new();
    let server = Server::https(&place.ca(), &["localhost"], move |asked, before| reply(&asked.path, before));
    let settings = place.settings("https://localhost:1/catalog.json");
    (place, server, settings)
}

#[test]
fn files_come_in_the_order_they_are_wanted_and_each_stands_alone() {
    let (place, server, settings) = served(|path, _| match path {
        "/missing" => Reply::status(404),
        path => Reply::ok(path.to_owned()),
    });
    let mut wants: Vec<_> =
        (0..20).map(|n| want(&server.url(&format!("file-{n}")), format!("/file-{n}").as_bytes())).collect();
    wants.insert(7, want(&server.url("missing"), BYTES));
    let mut fetcher = fetcher(settings.clone());
    let mut files = fetcher.files(&wants, &place.scratch(), &Silent);
    let error = files.remove(7).unwrap_err();
    assert_eq!(error.code(), Code::HttpError);
    assert!(error.to_string().contains("/missing") && error.hint().unwrap().contains("before the file"), "{error}");
    for (n, file) in files.into_iter().enumerate() {
        assert_eq!(read(&file.unwrap()), format!("/file-{n}").as_bytes());
    }
    assert_eq!(server.count(), 21);
    assert!(server.asked().iter().all(|asked| asked.version == hyper::Version::HTTP_2));
    assert!(fetcher.take_warnings().is_empty());

    wants.remove(7);
    let offline = Settings { offline: true, ..settings };
    let mut fetcher = super::fetcher(offline);
    assert!(fetcher.files(&wants, &place.scratch(), &Silent).iter().all(Result::is_ok));
    assert!(fetcher.network.is_none());
}

#[test]
fn what_is_cached_is_hashed_again_and_fetched_again_when_it_rotted() {
    let (place, server, settings) = served(|_, _| Reply::ok(BYTES));
    let url = server.url("f");
    assert_eq!(read(&get(&mut fetcher(settings.clone()), &place, &url).unwrap()), BYTES);
    let cached = place.path("cache").join("files").join(Expected::of(BYTES).sha256.to_string());
    assert_eq!(std::fs::read(&cached).unwrap(), BYTES);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(&cached).unwrap().permissions().mode() & 0o600, 0o600);
    }

    std::fs::write(&cached, b"{\"some\": \"bites\"}\n").unwrap();
    assert_eq!(read(&get(&mut fetcher(settings.clone()), &place, &url).unwrap()), BYTES);
    assert_eq!(std::fs::read(&cached).unwrap(), BYTES);
    assert_eq!(server.count(), 2);

    std::fs::write(&cached, b"").unwrap();
    let offline = Settings { offline: true, ..settings.clone() };
    let error = get(&mut fetcher(offline), &place, &url).unwrap_err();
    assert_eq!(error.code(), Code::Offline);
    assert!(error.to_string().contains("artifact of Ember Roads"), "{error}");

    for _ in 0..2 {
        assert!(get(&mut fetcher(settings.clone()).past_cache(), &place, &url).is_ok());
    }
    assert_eq!(server.count(), 4);
}

#[test]
fn bytes_that_do_not_fit_are_asked_for_once_more_past_the_caches() {
    for (body, code) in [
        (b"short".to_vec(), Code::SizeMismatch),
        (vec![b'x'; BYTES.len()], Code::ChecksumMismatch),
        ([BYTES, b" "].concat(), Code::SizeMismatch),
    ] {
        let (place, server, settings) = served(move |_, _| Reply::ok(body.clone()));
        let error = get(&mut fetcher(settings), &place, &server.url("f")).unwrap_err();
        assert_eq!(error.code(), code);
        assert!(error.hint().unwrap().contains("some minutes"));
        let asked = server.asked();
        assert_eq!(asked.len(), 2);
        assert_eq!(asked[0].header("cache-control"), None);
        assert_eq!(asked[1].header("cache-control"), Some("no-cache"));
        assert_eq!(std::fs::read_dir(place.path("cache").join("files")).unwrap().count(), 0);
    }
    let (place, server, settings) = served(|_, before| if before == 0 { Reply::ok("old") } else { Reply::ok(BYTES) });
    assert!(get(&mut fetcher(settings), &place, &server.url("f")).is_ok());
}

#[test]
fn a_web_page_in_place_of_a_file_is_named() {
    let (place, server, settings) = served(|_, _| Reply::ok(" \n<!DOCTYPE html>"));
    let error = get(&mut fetcher(settings), &place, &server.url("f")).unwrap_err();
    assert_eq!(error.code(), Code::SizeMismatch);
    assert!(error.to_string().contains("HTML"), "{error}");
}

#[test]
fn an_endless_body_is_left_at_the_first_byte_too_many() {
    let (place, server, settings) = served(|_, _| Reply::ok([BYTES, b"x"].concat()).endless());
    let error = get(&mut fetcher(settings), &place, &server.url("f")).unwrap_err();
    assert_eq!(error.code(), Code::SizeMismatch);
}

#[test]
fn transient_faults_are_tried_again_three_times_and_others_are_not() {
    for (reply, requests, code) in [
        (Reply::status(500), 4, Code::HttpError),
        (Reply::status(503).header("retry-after", "0"), 4, Code::HttpError),
        (Reply::status(429), 4, Code::HttpError),
        (Reply::status(408), 4, Code::HttpError),
        (Reply::status(425), 4, Code::HttpError),
        (Reply::status(403).header("retry-after", "0"), 4, Code::HttpError),
        (Reply::status(403).header("x-ratelimit-remaining", "0"), 4, Code::HttpError),
        (Reply::ok(&BYTES[..4]).cut(), 4, Code::Network),
        (Reply::status(403), 1, Code::HttpError),
        (Reply::status(403).header("x-ratelimit-remaining", "12"), 1, Code::HttpError),
        (Reply::status(404), 1, Code::HttpError),
        (Reply::status(400), 1, Code::HttpError),
        (Reply::status(206), 1, Code::HttpError),
        (Reply::ok(BYTES).header("content-encoding", "gzip"), 1, Code::HttpError),
        (Reply::status(302), 1, Code::HttpError),
    ] {
        let shown = format!("{reply:?}");
        let (place, server, settings) =
            served(move |_, before| if before < 4 { reply.clone() } else { Reply::ok(BYTES) });
        let error = get(&mut fetcher(settings), &place, &server.url("f")).expect_err(&shown);
        assert_eq!((error.code(), server.count()), (code, requests), "{shown}: {error}");
    }
    for identity in ["identity", "Identity"] {
        let (place, server, settings) = served(move |_, before| match before {
            0 => Reply::status(503),
            1 => Reply::ok(&BYTES[..4]).cut(),
            _ => Reply::ok(BYTES).header("content-encoding", identity),
        });
        assert!(get(&mut fetcher(settings), &place, &server.url("f")).is_ok());
    }
}

#[test]
fn a_wait_that_is_too_long_is_not_waited_for() {
    let (place, server, settings) = served(|_, _| Reply::status(429).header("retry-after", "120"));
    let error = get(&mut fetcher(settings), &place, &server.url("f")).unwrap_err();
    assert_eq!((error.code(), server.count()), (Code::HttpError, 1));
    assert!(error.to_string().contains("120 s"), "{error}");
}

#[test]
fn redirects_are_followed_five_times_over_https_and_never_in_a_circle() {
    let (place, server, settings) = served(|path, _| match path.trim_start_matches('/').parse::<usize>() {
        Ok(0) => Reply::ok(BYTES),
        Ok(n) => Reply::to(format!("{}#part", n - 1)),
        Err(_) => match path {
            "/plain" => Reply::to("http://localhost:1/f?token=secret"),
            "/ftp" => Reply::to("ftp://localhost/f"),
            "/none" => Reply::to("https://"),
            "/circle" => Reply::to("/circle-2"),
            _ => Reply::to("/circle"),
        },
    });
    let mut fetcher = fetcher(settings).past_cache();
    assert!(get(&mut fetcher, &place, &server.url("5")).is_ok());
    for (path, says) in [
        ("6", "more than 5 times"),
        ("plain", "http://localhost:1/f"),
        ("ftp", "ftp://localhost/f"),
        ("none", "no address"),
        ("circle", "circle-2 -> "),
    ] {
        let error = get(&mut fetcher, &place, &server.url(path)).unwrap_err();
        assert_eq!(error.code(), Code::HttpError);
        assert!(error.to_string().contains(says) && !error.to_string().contains("secret"), "{error}");
        assert!(error.url().unwrap().ends_with(path));
    }
}

#[test]
fn silence_and_the_timeout_end_a_request() {
    let (place, server, settings) = served(|_, _| Reply::ok(&BYTES[..4]).endless());
    let url = server.url("f");
    let mut quiet = fetcher(settings.clone());
    quiet.pace.silence = Duration::from_millis(50);
    let error = get(&mut quiet, &place, &url).unwrap_err();
    assert!(matches!(&error, FetchError::Network { fault: crate::fetch::Fault::Silence(_), .. }), "{error}");

    let timeout = Some(Duration::from_millis(50));
    let error = get(&mut fetcher(Settings { timeout, ..settings }), &place, &url).unwrap_err();
    assert!(matches!(&error, FetchError::Network { fault: crate::fetch::Fault::Timeout(_), .. }), "{error}");
    assert!(error.hint().unwrap().contains("--timeout"));
    assert_eq!(server.count(), 8);
}

#[test]
fn an_interrupt_ends_every_download_and_leaves_nothing() {
    let place = Place::new();
    let cancel = Cancel::default();
    let flag = cancel.flag().clone();
    let server = Server::https(&place.ca(), &["localhost"], move |_, _| {
        flag.store(true, Ordering::Relaxed);
        Reply::ok(&BYTES[..4]).endless()
    });
    let wants = [want(&server.url("a"), BYTES), want(&server.url("b"), BYTES)];
    let mut fetcher = fetcher_until(place.settings("https://localhost:1/c"), cancel);
    for result in fetcher.files(&wants, &place.scratch(), &Silent) {
        assert_eq!(result.unwrap_err().code(), Code::Interrupted);
    }
    assert_eq!(crate::fetch::cache_usage(&place.path("cache")).unwrap().files, 0);
}

#[test]
fn a_cache_that_cannot_be_written_costs_nothing_but_a_warning() {
    let (place, server, settings) = served(|path, _| Reply::ok(path.to_owned()));
    std::fs::write(place.path("cache"), b"a file in the way").unwrap();
    let wants = [want(&server.url("a"), b"/a"), want(&server.url("b"), b"/b")];
    let mut fetcher = fetcher(settings);
    let files = fetcher.files(&wants, &place.scratch(), &Silent);
    for (file, bytes) in files.into_iter().zip([b"/a", b"/b"]) {
        assert_eq!(read(&file.unwrap()), bytes);
    }
    let warnings = fetcher.take_warnings();
    assert_eq!(warnings.iter().map(|warning| warning.code.as_str()).collect::<Vec<_>>(), ["cache-unwritable"]);
}

#[test]
fn a_mirror_holds_the_files_under_their_last_names() {
    let (place, server, settings) = served(|path, _| match path {
        "/mirror/sub/a%20b.json" => Reply::ok(BYTES),
        _ => Reply::status(404),
    });
    let url = "https://elsewhere.invalid/artifacts/a%20b.json?token=x";
    for base in ["mirror/sub", "mirror/sub/"] {
        let mirror = Some(Mirror::parse(&server.url(base)).unwrap());
        let settings = Settings { mirror, ..settings.clone() };
        assert!(get(&mut fetcher(settings).past_cache(), &place, url).is_ok());
    }
    let folder = place.path("mirror");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("a b.json"), BYTES).unwrap();
    let mirror = Some(Mirror::parse(folder.to_str().unwrap()).unwrap());
    let mut local = fetcher(Settings { mirror, offline: true, ..settings });
    assert_eq!(read(&get(&mut local, &place, url).unwrap()), BYTES);
    for wrong in
        ["https://elsewhere.invalid/artifacts/", "https://elsewhere.invalid/x%2F..%2Fy", "https://e.invalid/.."]
    {
        assert!(get(&mut local, &place, wrong).is_err(), "{wrong}");
    }
    assert!(local.network.is_none());
}

#[test]
fn files_of_a_catalog_on_disk_are_found_beside_it_offline_too() {
    let place = Place::new();
    let root = place.path("repository");
    std::fs::create_dir_all(root.join("catalog")).unwrap();
    std::fs::create_dir_all(root.join("artifacts")).unwrap();
    std::fs::write(root.join("catalog").join("catalog.json"), "{}").unwrap();
    std::fs::write(root.join("artifacts").join("f.json"), BYTES).unwrap();
    let settings = Settings { offline: true, ..place.settings(root.to_str().unwrap()) };
    let mut fetcher = fetcher(settings);
    assert_eq!(read(&get(&mut fetcher, &place, "https://elsewhere.invalid/f.json").unwrap()), BYTES);
    let error = get(&mut fetcher, &place, "https://elsewhere.invalid/g.json").unwrap_err();
    assert_eq!(error.code(), Code::FileNotFound);
    assert!(!place.path("cache").exists());
}

#[test]
fn a_certificate_file_that_is_wrong_fails_every_download_and_starts_none() {
    let place = Place::new();
    let mut settings = place.settings("https://localhost:1/c");
    settings.ca_cert = Some(place.path("none.pem"));
    let wants = [want("https://localhost:1/a", BYTES), want("https://localhost:1/b", BYTES)];
    let results = fetcher(settings).files(&wants, &place.scratch(), &Silent);
    assert_eq!(results.len(), 2);
    assert!(results.into_iter().all(|result| result.unwrap_err().code() == Code::FileNotFound));
}

#[derive(Default)]
struct Heard(RefCell<Vec<String>>);

impl Reporter for Heard {
    fn download_started(&self, download: usize, transfer: &Transfer) {
        self.0.borrow_mut().push(format!("{download} {} {}", transfer.label, transfer.bytes));
    }

    fn download_advanced(&self, download: usize, bytes: u64) {
        self.0.borrow_mut().push(format!("{download} at {bytes}"));
    }

    fn download_finished(&self, download: usize, done: bool) {
        self.0.borrow_mut().push(format!("{download} done {done}"));
    }

    fn waiting(&self, wait: &Wait) {
        assert!(wait.why.contains("503") && wait.code == Some(Code::HttpError), "{wait:?}");
        self.0.borrow_mut().push("waiting".to_owned());
    }
}

#[test]
fn progress_is_told_and_each_download_has_its_own_number() {
    let (place, server, settings) = served(|_, before| if before == 0 { Reply::status(503) } else { Reply::ok(BYTES) });
    let heard = Heard::default();
    let mut fetcher = fetcher(settings).past_cache();
    for path in ["a", "b"] {
        fetcher.files(&[want(&server.url(path), BYTES)], &place.scratch(), &heard).remove(0).unwrap();
    }
    let one = |n| {
        let bytes = BYTES.len();
        [format!("{n} Ember Roads {bytes}"), "waiting".to_owned(), format!("{n} at {bytes}"), format!("{n} done true")]
    };
    let mut heard = heard.0.into_inner();
    heard.dedup();
    assert_eq!(heard, [one(0), one(1)].concat());
}
