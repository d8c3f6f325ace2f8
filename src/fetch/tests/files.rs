use super::server::{Reply, Server};
use super::{Place, fetcher, fetcher_until};
use crate::disk::Verified;
use crate::fetch::{FetchError, Fetcher, Mirror, Purpose, Settings, Want};
use crate::types::{Cancel, Code, Coded, Expected, Reporter, Silent, Transfer, Wait};
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

fn get(fetcher: &Fetcher, place: &Place, url: &str) -> Result<Verified<File>, FetchError> {
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
    let fetcher = fetcher(settings.clone());
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
    let fetcher = super::fetcher(offline);
    assert!(fetcher.files(&wants, &place.scratch(), &Silent).iter().all(Result::is_ok));
    assert!(fetcher.network.get().is_none());
}

#[test]
fn what_is_cached_is_hashed_again_and_fetched_again_when_it_rotted() {
    let (place, server, settings) = served(|_, _| Reply::ok(BYTES));
    let url = server.url("f");
    assert_eq!(read(&get(&fetcher(settings.clone()), &place, &url).unwrap()), BYTES);
    let cached = place.path("cache").join("files").join(Expected::of(BYTES).sha256.to_string());
    assert_eq!(std::fs::read(&cached).unwrap(), BYTES);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(&cached).unwrap().permissions().mode() & 0o600, 0o600);
    }

    std::fs::write(&cached, b"{\"some\": \"bites\"}\n").unwrap();
    assert_eq!(read(&get(&fetcher(settings.clone()), &place, &url).unwrap()), BYTES);
    assert_eq!(std::fs::read(&cached).unwrap(), BYTES);
    assert_eq!(server.count(), 2);

    std::fs::write(&cached, b"").unwrap();
    let offline = Settings { offline: true, ..settings.clone() };
    let error = get(&fetcher(offline), &place, &url).unwrap_err();
    assert_eq!(error.code(), Code::Offline);
    assert!(error.to_string().contains("artifact of Ember Roads"), "{error}");

    for _ in 0..2 {
        assert!(get(&fetcher(settings.clone()).past_cache(), &place, &url).is_ok());
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
        let error = get(&fetcher(settings), &place, &server.url("f")).unwrap_err();
        assert_eq!(error.code(), code);
        assert!(error.hint().unwrap().contains("a few minutes"));
        let asked = server.asked();
        assert_eq!(asked.len(), 2);
        assert_eq!(asked[0].header("cache-control"), None);
        assert_eq!(asked[1].header("cache-control"), Some("no-cache"));
        assert_eq!(std::fs::read_dir(place.path("cache").join("files")).unwrap().count(), 0);
    }
    let (place, server, settings) = served(|_, before| if before == 0 { Reply::ok("old") } else { Reply::ok(BYTES) });
    assert!(get(&fetcher(settings), &place, &server.url("f")).is_ok());
}

#[test]
fn a_web_page_in_place_of_a_file_is_named() {
    let (place, server, settings) = served(|_, _| Reply::ok(" \n<!DOCTYPE html>"));
    let error = get(&fetcher(settings), &place, &server.url("f")).unwrap_err();
    assert_eq!(error.code(), Code::SizeMismatch);
    assert!(error.to_string().contains("HTML"), "{error}");
}

#[test]
fn an_endless_body_is_left_at_the_first_byte_too_many() {
    let (place, server, settings) = served(|_, _| Reply::ok([BYTES, b"x"].concat()).endless());
    let error = get(&fetcher(settings), &place, &server.url("f")).unwrap_err();
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
        let error = get(&fetcher(settings), &place, &server.url("f")).expect_err(&shown);
        assert_eq!((error.code(), server.count()), (code, requests), "{shown}: {error}");
    }
    for identity in ["identity", "Identity"] {
        let (place, server, settings) = served(move |_, before| match before {
            0 => Reply::status(503),
            1 => Reply::ok(&BYTES[..4]).cut(),
            _ => Reply::ok(BYTES).header("content-encoding", identity),
        });
        assert!(get(&fetcher(settings), &place, &server.url("f")).is_ok());
    }
}

#[test]
fn a_wait_that_is_too_long_is_not_waited_for() {
    let (place, server, settings) = served(|_, _| Reply::status(429).header("retry-after", "120"));
    let error = get(&fetcher(settings), &place, &server.url("f")).unwrap_err();
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
    let fetcher = fetcher(settings).past_cache();
    assert!(get(&fetcher, &place, &server.url("5")).is_ok());
    for (path, says) in [
        ("6", "more than 5 times"),
        ("plain", "http://localhost:1/f"),
        ("ftp", "ftp://localhost/f"),
        ("none", "an invalid address"),
        ("circle", "circle-2 -> "),
    ] {
        let error = get(&fetcher, &place, &server.url(path)).unwrap_err();
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
    quiet.pace.silence = Duration::from_millis(500);
    let error = get(&quiet, &place, &url).unwrap_err();
    assert!(matches!(&error, FetchError::Network { fault: crate::fetch::fault::Fault::Silence(_), .. }), "{error}");

    let timeout = Some(Duration::from_millis(500));
    let error = get(&fetcher(Settings { timeout, ..settings }), &place, &url).unwrap_err();
    assert!(matches!(&error, FetchError::Network { fault: crate::fetch::fault::Fault::Timeout(_), .. }), "{error}");
    assert!(error.hint().unwrap().contains("--timeout"));
    assert_eq!(server.count(), 8);
}

#[test]
fn an_interrupt_ends_every_download_and_leaves_what_has_come() {
    let place = Place::new();
    let cancel = Cancel::default();
    let flag = cancel.flag().clone();
    let server = Server::https(&place.ca(), &["localhost"], move |_, _| {
        flag.store(true, Ordering::Relaxed);
        Reply::ok(&BYTES[..4]).endless()
    });
    let wants = [want(&server.url("a"), BYTES), want(&server.url("b"), BYTES)];
    let fetcher = fetcher_until(place.settings("https://localhost:1/c"), cancel);
    for result in fetcher.files(&wants, &place.scratch(), &Silent) {
        assert_eq!(result.unwrap_err().code(), Code::Interrupted);
    }
    // What has come stays, for the next run to go on with.
    assert!(crate::fetch::cache_usage(&place.path("cache")).unwrap().bytes <= 2 * 4);
}

#[test]
fn a_cache_that_cannot_be_written_costs_nothing_but_a_warning() {
    let (place, server, settings) = served(|path, _| Reply::ok(path.to_owned()));
    std::fs::write(place.path("cache"), b"a file in the way").unwrap();
    let wants = [want(&server.url("a"), b"/a"), want(&server.url("b"), b"/b")];
    let fetcher = fetcher(settings);
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
        assert!(get(&fetcher(settings).past_cache(), &place, url).is_ok());
    }
    let folder = place.path("mirror");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("a b.json"), BYTES).unwrap();
    let mirror = Some(Mirror::parse(folder.to_str().unwrap()).unwrap());
    let local = fetcher(Settings { mirror, offline: true, ..settings });
    assert_eq!(read(&get(&local, &place, url).unwrap()), BYTES);
    for wrong in
        ["https://elsewhere.invalid/artifacts/", "https://elsewhere.invalid/x%2F..%2Fy", "https://e.invalid/.."]
    {
        assert!(get(&local, &place, wrong).is_err(), "{wrong}");
    }
    assert!(local.network.get().is_none());
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
    let fetcher = fetcher(settings);
    assert_eq!(read(&get(&fetcher, &place, "https://elsewhere.invalid/f.json").unwrap()), BYTES);
    let error = get(&fetcher, &place, "https://elsewhere.invalid/g.json").unwrap_err();
    assert_eq!(error.code(), Code::FileNotFound);
    // Kept like any download, for when the folder is gone.
    assert_eq!(crate::fetch::cache_usage(&place.path("cache")).unwrap().bytes, BYTES.len() as u64);
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
    let fetcher = fetcher(settings).past_cache();
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

/// Serves a file by ranges, a first time only as far as so many bytes.
fn by_ranges(tag: &'static str, first: usize) -> (Place, Server, Settings) {
    let place = Place::new();
    let server = Server::https(&place.ca(), &["localhost"], move |asked, before| {
        let from =
            asked.header("range").and_then(|range| range.strip_prefix("bytes=")?.strip_suffix('-')?.parse().ok());
        let whole = asked.header("if-range").is_none_or(|known| known == tag);
        match from.filter(|_| whole) {
            Some(from) if from <= BYTES.len() => {
                let range = format!("bytes {from}-{}/{}", BYTES.len() - 1, BYTES.len());
                Reply::part(&BYTES[from..]).header("content-range", range).header("etag", tag)
            }
            _ if before == 0 => Reply::ok(&BYTES[..first]).header("etag", tag).cut(),
            _ => Reply::ok(BYTES).header("etag", tag),
        }
    });
    let settings = place.settings("https://localhost:1/catalog.json");
    (place, server, settings)
}

#[test]
fn a_download_that_was_cut_off_goes_on_where_it_stopped_in_the_same_run_and_in_the_next() {
    let (place, server, settings) = by_ranges("\"one\"", 4);
    let url = server.url("f");
    assert_eq!(read(&get(&fetcher(settings.clone()), &place, &url).unwrap()), BYTES);
    let asked = server.asked();
    assert_eq!(asked.len(), 2);
    assert_eq!((asked[1].header("range"), asked[1].header("if-range")), (Some("bytes=4-"), Some("\"one\"")));

    // A run that died left its part.
    let files = place.path("cache").join("files");
    let part = files.join(format!(".part-{}", Expected::of(BYTES).sha256));
    let again = |left: &[u8], tag: Option<&str>| {
        std::fs::remove_dir_all(&files).unwrap();
        std::fs::create_dir_all(&files).unwrap();
        std::fs::write(&part, left).unwrap();
        if let Some(tag) = tag {
            std::fs::write(part.with_extension("tag"), tag).unwrap();
        }
        let before = server.count();
        assert_eq!(read(&get(&fetcher(settings.clone()), &place, &url).unwrap()), BYTES);
        assert_eq!(std::fs::read_dir(&files).unwrap().count(), 1, "only the file itself stays");
        server.asked()[before..].iter().map(|asked| asked.header("range").map(str::to_owned)).collect::<Vec<_>>()
    };
    assert_eq!(again(&BYTES[..7], Some("\"one\"")), [Some("bytes=7-".to_owned())]);
    assert_eq!(again(&BYTES[..7], None), [Some("bytes=7-".to_owned())]);
    // The file at the address is another by now.
    assert_eq!(again(&BYTES[..7], Some("\"old\"")), [Some("bytes=7-".to_owned())]);
    // All had come, and only its name was not given.
    assert!(again(BYTES, None).is_empty());
    // What is no part of this file is noticed when all of it is there, and nothing of it is used.
    assert_eq!(again(b"xxxx", Some("\"one\"")), [Some("bytes=4-".to_owned()), None]);
    assert_eq!(again(&[BYTES, b"x"].concat(), None), [None]);
}

#[test]
fn a_server_that_knows_no_ranges_or_answers_them_wrongly_is_asked_for_all_of_it() {
    for wrong in [
        Reply::ok(BYTES),
        Reply::status(416),
        Reply::part(BYTES).header("content-range", format!("bytes 0-16/{}", BYTES.len())),
        Reply::part(&BYTES[4..]),
    ] {
        let (place, server, settings) = {
            let place = Place::new();
            let server = Server::https(&place.ca(), &["localhost"], move |asked, _| match asked.header("range") {
                Some(_) => wrong.clone(),
                None => Reply::ok(BYTES),
            });
            let settings = place.settings("https://localhost:1/catalog.json");
            (place, server, settings)
        };
        let files = place.path("cache").join("files");
        std::fs::create_dir_all(&files).unwrap();
        std::fs::write(files.join(format!(".part-{}", Expected::of(BYTES).sha256)), &BYTES[..4]).unwrap();
        assert_eq!(read(&get(&fetcher(settings), &place, &server.url("f")).unwrap()), BYTES);
    }
}

#[test]
fn a_file_that_hangs_keeps_no_other_waiting_and_the_deadline_ends_it() {
    let (place, server, settings) = served(|path, _| match path {
        "/hangs" => Reply::ok(&BYTES[..4]).endless(),
        _ => Reply::ok(BYTES),
    });
    let deadline = crate::types::Deadline::after(Duration::from_secs(3));
    let fetcher = fetcher(Settings { deadline, ..settings.clone() });
    let other: &[u8] = b"another";
    let wants = [want(&server.url("hangs"), other), want(&server.url("f"), BYTES)];
    let (scratch, mut came) = (place.scratch(), Vec::new());
    let mut downloads = fetcher.downloads(&wants, &scratch, &Silent);
    loop {
        match downloads.next(Duration::from_millis(50)) {
            crate::fetch::Next::File(at, file) => came.push((at, file.map(|_| ()).map_err(|error| error.code()))),
            crate::fetch::Next::Quiet => {}
            crate::fetch::Next::Over => break,
        }
    }
    assert_eq!(came, [(1, Ok(())), (0, Err(Code::Deadline))]);
}

#[test]
fn a_page_does_not_ask_again_for_what_failed_a_moment_ago_and_a_person_does() {
    let (place, server, settings) = served(|_, before| match before {
        0..=3 => Reply::status(503),
        _ => Reply::ok(BYTES),
    });
    let url = server.url("f");
    let page = Settings { hurried: true, ..settings.clone() };
    assert_eq!(get(&fetcher(page.clone()), &place, &url).unwrap_err().code(), Code::HttpError);
    assert_eq!(server.count(), 4);
    let recalled = get(&fetcher(page.clone()), &place, &url).unwrap_err();
    assert_eq!((recalled.code(), server.count()), (Code::HttpError, 4));
    assert!(recalled.to_string().contains("503") && recalled.hint().unwrap().contains("--refresh"), "{recalled}");
    assert!(get(&fetcher(settings), &place, &url).is_ok());
    std::fs::remove_dir_all(place.path("cache").join("files")).unwrap();
    assert!(get(&fetcher(page), &place, &url).is_ok(), "it has answered since");
}

#[test]
fn a_server_that_does_not_answer_is_not_asked_for_its_other_files() {
    // Accepts and says nothing.
    let silent = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = silent.local_addr().unwrap().port();
    let place = Place::new();
    let settings = place.settings("https://localhost:1/catalog.json");
    let mut fetcher = fetcher(settings);
    fetcher.pace.silence = Duration::from_millis(100);
    let wants: Vec<_> =
        (0..40).map(|n| want(&format!("https://127.0.0.1:{port}/{n}"), format!("{n}").as_bytes())).collect();
    let results = fetcher.files(&wants, &place.scratch(), &Silent);
    assert!(results.into_iter().all(|result| result.unwrap_err().code() == Code::Network));
    silent.set_nonblocking(true).unwrap();
    let connections = std::iter::from_fn(|| silent.accept().ok()).count();
    assert!((1..=8 + 3).contains(&connections), "{connections}");
}
