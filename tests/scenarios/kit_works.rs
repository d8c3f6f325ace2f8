//! The kit itself, where a mistake in it would let a scenario pass for the wrong reason.

use super::kit::envelope::Envelope;
use super::kit::publish::{Catalog, Container, Ruleset};
use super::kit::sandbox::Sandbox;
use super::kit::server::{Certificate, Reply, Server};
use super::kit::sha256;
use super::kit::tree::Tree;
use serde_json::{Value, json};
use std::time::Duration;

/// What a client got: status and body, or its error with the whole chain of causes.
type Got = Result<(u16, Vec<u8>), String>;

async fn fetch(server: &Server, path: &str, headers: &[(&str, &str)]) -> Got {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder()
        .tls_certs_only(reqwest::Certificate::from_pem_bundle(server.ca_pem().as_bytes()).unwrap())
        .no_proxy()
        .read_timeout(Duration::from_secs(2))
        .build()
        .unwrap();
    let mut request = client.get(server.url(path));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let whole = async {
        let response = request.send().await?;
        Ok((response.status().as_u16(), response.bytes().await?.to_vec()))
    };
    whole.await.map_err(|error: reqwest::Error| {
        let chain = std::iter::successors(Some(&error as &dyn std::error::Error), |error| error.source());
        chain.map(ToString::to_string).collect::<Vec<_>>().join(": ")
    })
}

fn get_with(server: &Server, path: &str, headers: &[(&str, &str)]) -> Got {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(fetch(server, path, headers))
}

fn get(server: &Server, path: &str) -> Got {
    get_with(server, path, &[])
}

#[test]
fn a_body_comes_as_it_was_put_and_the_request_is_written_down() {
    for server in [Server::https(), Server::http1(), Server::plain()] {
        server.put("/a.json", Reply::ok("hello"));
        assert_eq!(get_with(&server, "/a.json?x=1", &[("X-Test", "yes")]).unwrap(), (200, b"hello".to_vec()));
        assert_eq!(get(&server, "/b.json").unwrap().0, 404);
        let requests = server.requests_of("/a.json");
        assert_eq!(requests.len(), 1);
        assert_eq!(requests[0].header("x-test"), Some("yes"));
        assert_eq!(requests[0].query.as_deref(), Some("x=1"));
        assert_eq!(server.paths(), ["/a.json", "/b.json"]);
    }
    let server = Server::https();
    get(&server, "/").unwrap();
    assert!(server.requests()[0].http2, "a client that knows HTTP/2 gets it");
}

#[test]
fn a_validator_that_still_holds_is_answered_with_304() {
    let server = Server::https();
    server.put("/a", Reply::ok("hello").etag("\"1\"").last_modified("Mon, 30 Nov 2026 00:00:00 GMT"));
    assert_eq!(get_with(&server, "/a", &[("If-None-Match", "\"1\"")]).unwrap(), (304, Vec::new()));
    assert_eq!(get_with(&server, "/a", &[("If-None-Match", "\"0\"")]).unwrap().0, 200);
    assert_eq!(get_with(&server, "/a", &[("If-Modified-Since", "Mon, 30 Nov 2026 00:00:00 GMT")]).unwrap().0, 304);
}

#[test]
fn bodies_that_lie_stop_or_end_early_are_noticed_by_the_client() {
    for server in [Server::https(), Server::http1()] {
        server.put("/cut", Reply::ok(vec![7; 100_000]).cut_after(1000));
        server.put("/stall", Reply::ok(vec![7; 100_000]).stall_after(1000));
        server.put("/long", Reply::ok("hello").claiming_length(50));
        server.put("/gone", Reply::hang_up());
        for path in ["/cut", "/stall", "/long", "/gone"] {
            assert!(get(&server, path).is_err(), "{path}");
        }
        server.put("/unsaid", Reply::ok("hello").without_length());
        server.put("/slow", Reply::ok("hello").dribble(2, Duration::from_millis(5)));
        for path in ["/unsaid", "/slow"] {
            assert_eq!(get(&server, path).unwrap(), (200, b"hello".to_vec()), "{path}");
        }
        server.put("/zipped", Reply::ok("hello").gzip());
        assert_eq!(get(&server, "/zipped").unwrap().1[..2], [0x1f, 0x8b]);
    }
}

#[test]
fn an_endless_body_goes_on_until_the_reader_goes() {
    let server = Server::https();
    server.put("/endless", Reply::ok(vec![b' '; 1000]).endless());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder()
            .tls_certs_only(reqwest::Certificate::from_pem_bundle(server.ca_pem().as_bytes()).unwrap())
            .no_proxy()
            .build()
            .unwrap();
        let mut response = client.get(server.url("/endless")).send().await.unwrap();
        let mut seen = 0;
        while seen < 1_000_000 {
            seen += response.chunk().await.unwrap().expect("it never ends").len();
        }
    });
}

#[test]
fn replies_in_turn_end_with_the_last() {
    let server = Server::https();
    server.put_sequence("/a", [Reply::status(503), Reply::status(429).retry_after("0"), Reply::ok("fine")]);
    let statuses: Vec<u16> = (0..4).map(|_| get(&server, "/a").unwrap().0).collect();
    assert_eq!(statuses, [503, 429, 200, 200]);
    server.put_first("/a", 2, Reply::status(500));
    let statuses: Vec<u16> = (0..3).map(|_| get(&server, "/a").unwrap().0).collect();
    assert_eq!(statuses, [500, 500, 200]);
}

#[test]
fn redirects_lead_where_they_should() {
    let server = Server::https();
    server.put("/end", Reply::ok("there"));
    server.put_redirects("/start", 3, "/end");
    assert_eq!(get(&server, "/start").unwrap().1, b"there");
    assert_eq!(server.paths(), ["/start", "/start-1", "/start-2", "/end"]);
    server.put("/loop", Reply::redirect("/loop"));
    assert!(get(&server, "/loop").unwrap_err().contains("redirect"));
}

#[test]
fn a_pulled_plug_refuses_and_comes_back_at_the_same_address() {
    let server = Server::https();
    server.put("/a", Reply::ok("hello"));
    assert!(get(&server, "/a").is_ok());
    server.go_dark();
    assert!(get(&server, "/a").unwrap_err().contains("refused"));
    server.come_back();
    assert!(get(&server, "/a").is_ok());
    server.reset_connections(1);
    let before = server.connections();
    assert!(get(&server, "/a").is_err());
    assert_eq!(server.connections(), before + 1);
    assert!(get(&server, "/a").is_ok());
}

#[test]
fn certificates_are_wrong_in_the_way_they_say() {
    let expired = get(&Server::with_certificate(Certificate::Expired), "/").unwrap_err();
    assert!(expired.contains("expired"), "{expired}");
    let another = get(&Server::with_certificate(Certificate::OfAnotherHost), "/").unwrap_err();
    assert!(another.contains("other.test"), "{another}");
}

#[test]
fn requests_at_the_same_time_are_counted() {
    let server = Server::https();
    for path in ["/a", "/b"] {
        server.put(path, Reply::ok("hello").after(Duration::from_millis(500)));
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let (a, b) = tokio::join!(fetch(&server, "/a", &[]), fetch(&server, "/b", &[]));
        assert!(a.is_ok() && b.is_ok());
    });
    assert_eq!(server.most_in_flight(), 2);
    server.forget();
    get(&server, "/a").unwrap();
    assert_eq!((server.most_in_flight(), server.requests().len()), (1, 1));
}

#[test]
fn an_envelope_must_have_every_key_and_no_other() {
    let sound = json!({
        "schema": 1, "command": "list", "status": "ok", "warnings": [], "error": null,
        "result": { "packages": [] }
    });
    let parse = |value: &Value, exit| Envelope::parse(&format!("{value}\n"), exit);
    assert!(parse(&sound, 0).unwrap().list().packages.is_empty());
    for key in ["schema", "command", "status", "warnings", "error", "result"] {
        let mut lacking = sound.clone();
        lacking.as_object_mut().unwrap().remove(key);
        assert!(parse(&lacking, 0).is_err(), "without {key}");
    }
    let mut more = sound.clone();
    more["extra"] = json!(1);
    assert!(parse(&more, 0).is_err());
    let mut inside = sound.clone();
    inside["result"]["extra"] = json!(1);
    assert!(parse(&inside, 0).is_err());
    assert!(parse(&sound, 1).is_err(), "the exit number does not fit");
    assert!(Envelope::parse(&sound.to_string(), 0).is_err(), "no newline");
    assert!(Envelope::parse(&format!("{sound}\n\n"), 0).is_err(), "a line too many");
    assert!(Envelope::parse(&format!("note\n{sound}\n"), 0).is_err(), "text before it");
    let twice = r#"{"schema":1,"command":"list","status":"ok","result":{"packages":[],"packages":[]},"warnings":[],"error":null}"#;
    assert!(Envelope::parse(&format!("{twice}\n"), 0).is_err(), "a key twice");
}

#[test]
fn a_failure_exits_with_the_number_of_its_code() {
    let failed = json!({
        "schema": 1, "command": "install", "status": "error", "result": null, "warnings": [],
        "error": { "code": "checksum-mismatch", "message": "…", "hint": null, "package": "a", "url": null }
    });
    let parse = |value: &Value, exit| Envelope::parse(&format!("{value}\n"), exit);
    assert_eq!(parse(&failed, 4).unwrap().code(), "checksum-mismatch");
    assert!(parse(&failed, 1).is_err());
    let mut unknown = failed;
    unknown["error"]["code"] = json!("no-such-code");
    assert!(parse(&unknown, 1).is_err());
}

#[test]
fn what_is_published_is_the_same_every_time_and_declared_as_it_is() {
    let server = Server::https();
    let catalog = || {
        Catalog::on(&server)
            .with(Ruleset::new("ember-roads", "1.0.0").pack("ru", &[("Grit", "Стойкость")]))
            .with(Ruleset::new("gravewatch", "0.3.0").container(Container::Bundle))
            .with(Ruleset::new("tiny", "2.0.0").container(Container::Bare))
    };
    assert_eq!(catalog().text(), catalog().text());
    let catalog = catalog();
    catalog.mount(&server);
    for (id, start) in [("ember-roads", "PK\u{3}\u{4}"), ("gravewatch", "{\"manifest\":"), ("tiny", "{")] {
        let (_, bytes) = get(&server, &catalog.artifact_path(id)).unwrap();
        let offer = &catalog.entry(id)["artifact"];
        assert!(bytes.starts_with(start.as_bytes()), "{id}");
        assert_eq!(offer["sha256"], sha256(&bytes));
        assert_eq!(offer["bytes"], bytes.len());
    }
    let (_, pack) = get(&server, &catalog.pack_path("ember-roads", "ru")).unwrap();
    let offer = &catalog.entry("ember-roads")["locales"]["ru"];
    assert!(offer["url"].as_str().unwrap().ends_with("/ember-roads-1.0.0.ru.json"));
    assert_eq!((&offer["sha256"], &offer["bytes"]), (&json!(sha256(&pack)), &json!(pack.len())));
}

#[test]
fn a_catalog_on_disk_is_a_folder_with_artifacts() {
    let sandbox = Sandbox::new();
    let mut catalog = Catalog::on_disk().with(Ruleset::new("ember-roads", "1.0.0"));
    let folder = sandbox.work().join("catalog");
    catalog.write(&folder);
    let before = Tree::of(&folder);
    assert_eq!(before.files(), ["artifacts/ember-roads-1.0.0.ruleset.json", "catalog.json"]);
    catalog.write(&folder);
    before.assert_same(&Tree::of(&folder));
    catalog.wrong_sha256("ember-roads");
    catalog.write(&folder);
    let difference = before.difference(&Tree::of(&folder));
    assert!(difference.contains("catalog.json") && !difference.contains("artifacts/"), "{difference}");
}

#[test]
fn a_tampered_ruleset_is_tampered_with_where_it_says_and_only_there() {
    let sound = Ruleset::new("tiny", "1.0.0").container(Container::Bundle).asset("catalogs/a.json", "{}");
    let read = |ruleset: &Ruleset| serde_json::from_slice::<Value>(&ruleset.artifact()).unwrap();
    assert_eq!(read(&sound)["manifest"], serde_json::to_value(sound.manifest()).unwrap());
    let smuggling = sound.clone().smuggle("catalogs/a.json", "{ }").smuggle("readme.txt", "hi");
    assert_eq!(read(&smuggling)["files"]["catalogs/a.json"], "{ }");
    assert_eq!(read(&smuggling)["files"]["readme.txt"], "hi");
    assert!(smuggling.manifest() == sound.manifest());
    let lacking = sound.clone().leave_out("catalogs/a.json");
    assert_eq!(read(&lacking)["files"].as_object().unwrap().len(), 1);
    let other = sound.clone().inner_manifest_key("name", json!("Other"));
    assert_eq!(read(&other)["manifest"]["name"], "Other");
    assert_eq!(read(&other)["manifest"]["version"], "1.0.0");
}

#[test]
fn asking_for_help_in_a_sandbox_touches_nothing() {
    let sandbox = Sandbox::new();
    let before = Tree::of(sandbox.root());
    sandbox.run(&["--help"]).expect(0);
    before.assert_same(&Tree::of(sandbox.root()));
}

#[cfg(unix)]
#[test]
fn a_terminal_shows_what_is_left_on_it() {
    use super::kit::terminal::seen;
    for (text, screen) in [
        ("one\r\n\u{1b}[32mtwo\u{1b}[0m\r\n", &["one", "two"][..]),
        ("a bar\r\u{1b}[2Kdone\r\n", &["done"]),
        ("a bar\r\nand another\u{1b}[1A\r\u{1b}[J", &[]),
        ("left over\rdone", &["done over"]),
    ] {
        assert_eq!(seen(text, 20), screen, "{text:?}");
    }
    assert_eq!(seen("12345678\r\n9", 5), ["12345", "678", "9"]);
    for hostile in ["\u{1b}]0;title\u{7}", "\u{1b}[5;5H", "\u{9b}31m", "\u{8}"] {
        assert!(std::panic::catch_unwind(|| seen(hostile, 80)).is_err(), "{hostile:?}");
    }
}
