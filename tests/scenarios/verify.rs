//! `catalog verify`: every problem of a catalog and of its files, each in its place, and the others all the same.

use super::kit::envelope::{Answer, Envelope, Status};
use super::kit::publish::{Catalog, Container, Ruleset};
use super::kit::sandbox::Sandbox;
use super::kit::server::{Reply, Server};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

const DOCUMENTATION: &str = "https://example.org/how-to-play";

fn icon(id: &str) -> String {
    format!("https://raw.githubusercontent.com/Pasta-Devs/Marinara-Agents/main/artwork/agent-covers/{id}.png")
}

/// A ruleset with all that an official entry has.
fn official(id: &str, version: &str) -> Ruleset {
    Ruleset::new(id, version).documentation(DOCUMENTATION).entry_key("iconUrl", json!(icon(id)))
}

fn ember_roads() -> Ruleset {
    official("ember-roads", "1.0.0").pack("ru", &[("Grit", "Стойкость")]).pack("pt", &[("Grit", "Garra")])
}

/// A catalog in a folder.
struct World {
    sandbox: Sandbox,
    catalog: Catalog,
}

impl World {
    fn new() -> Self {
        World::of(Catalog::on_disk().with(ember_roads()).with(official("gravewatch", "0.3.0")))
    }

    fn of(catalog: Catalog) -> Self {
        let world = World { sandbox: Sandbox::new(), catalog };
        world.write();
        world
    }

    fn folder(&self) -> PathBuf {
        self.sandbox.work().join("catalog")
    }

    fn write(&self) {
        self.catalog.write(&self.folder());
    }

    /// Writes the catalog as a whole folder, both lanes its entries are for.
    fn write_lanes(&self) {
        self.write();
        for lane in ["v2", "v3"] {
            self.put(&format!("{lane}/catalog.json"), self.catalog.text());
        }
    }

    fn put(&self, name: &str, text: impl AsRef<[u8]>) {
        put(&self.folder().join(name), text);
    }

    fn spoil(&self, name: &str, change: impl FnOnce(String) -> String) {
        let path = self.folder().join(name);
        fs::write(&path, change(fs::read_to_string(&path).unwrap())).unwrap();
    }

    #[track_caller]
    fn verify(&self, more: &[&str]) -> Told {
        let arguments = [&["catalog", "verify", "catalog", "--offline"], more].concat();
        Told::of(self.sandbox.json(&arguments))
    }
}

fn put(path: &Path, text: impl AsRef<[u8]>) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// What a run told.
struct Told {
    envelope: Envelope,
    result: Value,
}

impl Told {
    #[track_caller]
    fn of(envelope: Envelope) -> Self {
        let Some(Answer::Other(result)) = envelope.answer.clone() else { panic!("{envelope:#?}") };
        assert_eq!(envelope.command.as_deref(), Some("catalog verify"));
        Told { envelope, result }
    }

    /// Each problem as `code file pointer`, without the pointer of a whole file.
    fn problems(&self) -> Vec<String> {
        let problem = |problem: &Value| {
            let text = |key: &str| problem[key].as_str().unwrap_or_default().to_owned();
            format!("{} {} {}", text("code"), text("file"), text("pointer")).trim_end().to_owned()
        };
        self.result["problems"].as_array().unwrap().iter().map(problem).collect()
    }

    #[track_caller]
    fn expect(&self, problems: &[&str]) {
        assert_eq!(self.problems(), problems, "{:#}", self.result);
        let errors = self.result["summary"]["errors"].as_u64().unwrap();
        let (status, exit) = if errors > 0 { (Status::Problems, 10) } else { (Status::Ok, 0) };
        assert_eq!((self.envelope.status, self.envelope.exit), (status, exit));
    }
}

#[test]
fn a_sound_catalog_passes_and_tells_how_much_is_translated() {
    let world = World::new();
    let told = world.verify(&["--strict"]);
    told.expect(&[]);
    let summary = &told.result["summary"];
    let number = |key: &str| summary[key].as_u64().unwrap();
    assert_eq!(["errors", "warnings", "packages", "files"].map(number), [0, 0, 2, 5], "{summary}");
    assert_eq!(summary["kinds"], json!([{"kinds": ["ruleset"], "packages": 2}]));
    assert_eq!(summary["lanes"], json!(["catalog.json"]));
    let coverage = told.result["coverage"].as_array().unwrap();
    let languages: Vec<&str> = coverage.iter().map(|covered| covered["language"].as_str().unwrap()).collect();
    assert_eq!(languages, ["pt", "ru"]);
    for covered in coverage {
        let number = |key: &str| covered[key].as_u64().unwrap();
        assert_eq!((covered["id"].as_str(), number("translated"), number("stale")), (Some("ember-roads"), 3, 0));
        assert!(number("strings") > 3 && number("missing") == number("strings") - 3, "{covered}");
    }
    let text = world.sandbox.run(&["catalog", "verify", "catalog"]).expect(0).stdout;
    assert!(text.contains("ember-roads") && text.contains("ru ") && text.contains('%'), "{text}");
}

#[test]
fn a_whole_folder_is_read_from_its_root_or_the_folder_above() {
    let world = World::of(Catalog::on_disk().with(ember_roads()));
    world.write_lanes();
    world.verify(&[]).expect(&[]);
    let above = world.sandbox.work().join("above");
    fs::create_dir(&above).unwrap();
    fs::rename(world.folder(), above.join("catalog")).unwrap();
    fs::rename(above.join("catalog/artifacts"), above.join("artifacts")).unwrap();
    Told::of(world.sandbox.json(&["catalog", "verify", "above", "--offline"])).expect(&[]);
    Told::of(world.sandbox.json(&["catalog", "verify", "above/catalog/v3/catalog.json", "--offline"])).expect(&[]);
}

#[test]
fn every_problem_is_told_and_none_hides_another() {
    let mut world = World::of(
        Catalog::on_disk()
            .with(ember_roads())
            .with(official("gravewatch", "0.3.0").smuggle("extra.txt", "x"))
            .with(official("harbour", "1.0.0").pack_of_another_language("de", "fr"))
            .with(official("ironworks", "1.0.0").ruleset_json("{"))
            .with(official("saltmarsh", "1.0.0")),
    );
    world.catalog.wrong_pack_sha256("ember-roads", "ru");
    world.catalog.edit("saltmarsh", "/manifest/builtAgainst/engineVersion", json!("9.0.0"));
    world.catalog.edit("saltmarsh", "/x", json!(1));
    world.catalog.generated_at = "today".to_owned();
    world.write();
    fs::remove_file(world.folder().join("artifacts/ember-roads-1.0.0.ruleset.json")).unwrap();
    let told = world.verify(&[]);
    let expected = [
        "generated-at catalog.json /generatedAt",
        "unknown-key catalog.json /packages/4/x",
        "built-against-range catalog.json /packages/4/manifest/builtAgainst/engineVersion",
        "file-not-found artifacts/ember-roads-1.0.0.ruleset.json",
        "checksum-mismatch artifacts/ember-roads-1.0.0.ru.json",
        "invalid-artifact artifacts/gravewatch-0.3.0.ruleset.json",
        "T03 artifacts/harbour-1.0.0.de.json /_meta/locale",
        "ruleset-json artifacts/ironworks-1.0.0.ruleset.json!ruleset.json",
        "invalid-artifact artifacts/saltmarsh-1.0.0.ruleset.json",
    ];
    let mut problems = told.problems();
    // The pack's one string is none of that ruleset's any longer in some readings; that is another test's.
    problems.retain(|problem| !problem.starts_with("T05"));
    problems.sort_unstable();
    let mut wanted = expected.to_vec();
    wanted.sort_unstable();
    assert_eq!(problems, wanted, "{:#}", told.result);
    for problem in told.result["problems"].as_array().unwrap() {
        let file = problem["file"].as_str().unwrap();
        let has_place = file == "catalog.json" || file.contains('!') || file.ends_with(".de.json");
        assert_eq!(problem["line"].is_number(), has_place, "{problem}");
    }
}

#[test]
fn an_unusable_entry_does_not_hide_what_is_wrong_with_its_files() {
    let mut world = World::of(Catalog::on_disk().with(ember_roads().smuggle("extra.txt", "x")));
    world.catalog.edit(
        "ember-roads",
        "/locales/ru/url",
        json!("https://example.org/elsewhere/ember-roads-1.0.0.ru.json"),
    );
    world.write();
    world.spoil("artifacts/ember-roads-1.0.0.pt.json", |text| text.replace("Garra", "Raça!"));
    let told = world.verify(&[]);
    told.expect(&[
        "pack-url catalog.json /packages/0/locales/ru/url",
        "invalid-artifact artifacts/ember-roads-1.0.0.ruleset.json",
        "size-mismatch artifacts/ember-roads-1.0.0.pt.json",
    ]);
}

#[test]
fn a_slip_in_the_manifest_does_not_hide_what_is_wrong_with_the_files_either() {
    let at = "/packages/0/manifest";
    for (key, value, told) in [
        (
            "builtAgainst",
            json!({"engineVersion": "2.3.0", "engineCommit": "F"}),
            format!("manifest-built-against catalog.json {at}/builtAgainst/engineCommit"),
        ),
        ("permissions", Value::Null, format!("manifest-permissions catalog.json {at}/permissions")),
        ("description", json!(7), format!("manifest-description catalog.json {at}/description")),
    ] {
        let mut world = World::of(Catalog::on_disk().with(ember_roads().manifest_key(key, value)));
        world.verify(&[]).expect(&[&told]);
        world.spoil("artifacts/ember-roads-1.0.0.ru.json", |text| text.replace("Стойкость", "Стойкости"));
        world.verify(&[]).expect(&[&told, "checksum-mismatch artifacts/ember-roads-1.0.0.ru.json"]);
        world.catalog.edit("ember-roads", "/manifest/name", json!("Other"));
        world.write();
        world.verify(&[]).expect(&[&told, "invalid-artifact artifacts/ember-roads-1.0.0.ruleset.json!manifest.json"]);
    }
}

#[test]
fn an_address_that_names_no_file_is_told_at_the_entry() {
    let mut world = World::of(Catalog::on_disk().with(official("gravewatch", "0.3.0")).with(ember_roads()));
    world.catalog.edit("gravewatch", "/artifact/url", json!("https://example.org/files/"));
    world.catalog.edit("ember-roads", "/locales/ru/url", json!("https://example.org/files/"));
    world.write();
    let told = world.verify(&[]).problems();
    let of_addresses: Vec<&String> = told.iter().filter(|told| !told.starts_with("pack-url ")).collect();
    assert_eq!(of_addresses, ["artifact-url catalog.json /packages/0/artifact/url"], "{told:#?}");
    assert!(told.iter().any(|told| told == "pack-url catalog.json /packages/1/locales/ru/url"), "{told:#?}");
}

#[test]
fn what_happened_to_a_file_is_named() {
    let world = World::new();
    world.spoil("artifacts/ember-roads-1.0.0.ru.json", |text| text.replace('\n', "\r\n"));
    put(&world.folder().join("artifacts/gravewatch-0.3.0.ruleset.json"), "<!DOCTYPE html>\n");
    let told = world.verify(&[]);
    told.expect(&["line-ends artifacts/ember-roads-1.0.0.ru.json", "web-page artifacts/gravewatch-0.3.0.ruleset.json"]);
    let hint = told.result["problems"][0]["hint"].as_str().unwrap();
    assert!(hint.contains(".gitattributes"), "{hint}");
}

#[test]
fn lanes_and_notes_are_held_to_the_entries() {
    let world = World::of(Catalog::on_disk().with(ember_roads()));
    world.write_lanes();
    world.spoil("v3/catalog.json", |text| text.replace("\"1.0.0\"", "\"1.0.1\""));
    world.spoil("catalog.json", |text| format!("{text}\n"));
    world.put("notes.json", r#"{"schemaVersion":1,"packages":{"ember-roads":{"versions":[{"version":"1.0"}]}}}"#);
    world.put("preview/catalog.json", world.catalog.text());
    let told = world.verify(&[]).problems();
    for expected in [
        "lane-alias catalog.json",
        "lane-differs v3/catalog.json /packages/0",
        "notes-version notes.json /packages/ember-roads/versions/0/version",
        "notes-date notes.json /packages/ember-roads/versions/0",
        "notes-missing notes.json /packages",
        "two-tiers preview/catalog.json /packages/0/manifest/id",
    ] {
        assert!(told.iter().any(|told| told == expected), "{expected}: {told:#?}");
    }
}

#[test]
fn an_entry_listed_twice_is_told_and_looked_into_once() {
    let mut world = World::of(Catalog::on_disk().with(ember_roads()));
    let entry = world.catalog.entry("ember-roads").clone();
    world.catalog = world.catalog.with_entry(entry);
    world.write();
    let told = world.verify(&[]);
    told.expect(&["duplicate-id catalog.json /packages/1/manifest/id"]);
    assert_eq!(told.result["summary"]["files"], json!(4));
}

#[test]
fn keys_written_twice_are_told_wherever_they_stand() {
    let world = World::new();
    world.spoil("catalog.json", |text| {
        let text = text.replacen("\"category\": \"misc\"", "\"category\": \"misc\", \"category\": \"misc\"", 1);
        text.replacen("\"min\": \"2.3.0\"", "\"min\": \"2.3.0\", \"min\": \"2.3.0\"", 1)
    });
    world.verify(&[]).expect(&[
        "duplicate-key catalog.json /packages/0/category",
        "duplicate-key catalog.json /packages/0/manifest/engine/min",
    ]);
    assert_eq!(world.verify(&["--strict"]).envelope.exit, 10);
}

#[test]
fn a_key_of_the_catalog_written_twice_is_told_and_keeps_nothing_from_installing() {
    let world = World::new();
    world.spoil("catalog.json", |text| text.replacen('{', "{\"schemaVersion\": 2, \"packages\": [],", 1));
    world.verify(&[]).expect(&["duplicate-key catalog.json /packages", "duplicate-key catalog.json /schemaVersion"]);
    assert_eq!(world.verify(&["--strict"]).envelope.exit, 10);
    world.sandbox.run(&["install", "ember-roads", "--catalog", "catalog", "--offline"]).expect(0);
}

#[test]
fn a_document_that_is_no_json_is_told_where_it_stops_being_some() {
    let world = World::new();
    world.put("notes.json", "{\n  \"schemaVersion\": 1,\n  \"packages\": {]\n}\n");
    world.spoil("catalog.json", |text| text.replacen("\"packages\": [", "\"packages\": [,", 1));
    let told = world.verify(&[]);
    told.expect(&["invalid-catalog catalog.json", "notes-shape notes.json"]);
    let place = |at: usize| (&told.result["problems"][at]["line"], &told.result["problems"][at]["column"]);
    assert_ne!(place(0), (&json!(1), &json!(1)));
    assert_eq!(place(1), (&json!(3), &json!(16)));
}

#[test]
fn official_entries_have_official_addresses_and_a_page() {
    let mut world = World::of(Catalog::on_disk().with(ember_roads()).with(Ruleset::new("gravewatch", "0.3.0")));
    let elsewhere = icon("ember-roads").replace("/main/", "/staging/");
    world.catalog.edit("ember-roads", "/iconUrl", json!(elsewhere));
    world.write();
    world.put("artwork/agent-covers/gravewatch.png", "GIF89a");
    world.verify(&[]).expect(&[
        "official-icon catalog.json /packages/0/iconUrl",
        "missing-documentation catalog.json /packages/1",
        "missing-icon catalog.json /packages/1",
        "icon-image artwork/agent-covers/gravewatch.png",
    ]);
    // What makes an entry unusable does not hide that its address would have the engine refuse the whole catalog.
    let mut world = World::of(Catalog::on_disk().with(official("ember-roads", "1.0.0")));
    let address = world.catalog.entry("ember-roads")["artifact"]["url"].as_str().unwrap().replace("1.0.0", "1.1.0");
    world.catalog.edit("ember-roads", "/artifact/url", json!(address));
    world.catalog.edit("ember-roads", "/manifest/permissions", json!(["network"]));
    world.write();
    let told = world.verify(&[]).problems();
    for wanted in
        ["K7 catalog.json /packages/0/manifest/permissions", "official-url catalog.json /packages/0/artifact/url"]
    {
        assert_eq!(told.iter().filter(|problem| *problem == wanted).count(), 1, "{told:#?}");
    }
    let custom = World::of(Catalog::at("https://example.org/files").with(Ruleset::new("gravewatch", "0.3.0")));
    let told = custom.verify(&[]);
    told.expect(&["missing-documentation catalog.json /packages/0", "missing-icon catalog.json /packages/0"]);
    assert_eq!(told.result["summary"]["errors"], 0);
}

/// One slip in a kind would take a ruleset out of the catalog without a word.
#[test]
fn a_kind_that_is_none_is_told_unless_a_newer_engine_may_know_it() {
    let with = |kinds: Value, api: u32| -> Vec<String> {
        let mut catalog = Catalog::on_disk().with(ember_roads());
        catalog.edit("ember-roads", "/manifest/kind", kinds);
        catalog.edit("ember-roads", "/manifest/capabilityApi/minor", json!(api));
        let told = World::of(catalog).verify(&["--only", "ember-roads"]);
        let problems = told.result["problems"].as_array().unwrap().clone();
        problems
            .iter()
            .map(|it| format!("{} {} {}", it["severity"], it["code"], it["pointer"]).replace('"', ""))
            .collect()
    };
    let has = |told: Vec<String>, wanted: &str| assert!(told.iter().any(|told| told == wanted), "{wanted}: {told:#?}");
    has(with(json!(["rulset"]), 811), "error manifest-kind /packages/0/manifest/kind/0");
    has(with(json!(["ruleset", "hologram"]), 811), "error manifest-kind /packages/0/manifest/kind/1");
    has(with(json!(["agent"]), 811), "error K1 /packages/0/manifest/kind");
    has(with(json!(["ruleset", "hologram"]), 9999), "warning manifest-kind /packages/0/manifest/kind/1");
}

/// One broken document is one problem, not one for every entry that it may hold.
#[test]
fn what_a_document_that_cannot_be_read_lists_is_not_guessed() {
    for name in ["catalog.json", "v2/catalog.json", "v3/catalog.json"] {
        for broken in ["{", "[]", "{\"schemaVersion\":1,\"generatedAt\":\"1970-01-01T00:00:00.000Z\",\"packages\":3}"] {
            let world = World::new();
            world.write_lanes();
            world.spoil(name, |_| broken.to_owned());
            let told = world.verify(&[]);
            assert_eq!(told.problems().len(), 1, "{name} {broken}: {:#?}", told.problems());
            assert_eq!(told.result["problems"][0]["file"], name);
        }
    }
}

#[test]
fn line_ends_that_a_checkout_changed_are_named_in_documents_too() {
    let world = World::new();
    world.write_lanes();
    world.spoil("catalog.json", |text| text.replace('\n', "\r\n"));
    let told = world.verify(&[]);
    told.expect(&["lane-alias catalog.json"]);
    assert!(told.result["problems"][0]["message"].as_str().unwrap().contains("line endings"), "{:#}", told.result);
    assert!(told.result["problems"][0]["hint"].as_str().unwrap().contains(".gitattributes"), "{:#}", told.result);
}

#[test]
fn one_package_alone_is_looked_into_when_asked_for() {
    let mut world = World::new();
    world.catalog.wrong_sha256("ember-roads");
    world.catalog.wrong_sha256("gravewatch");
    world.write();
    world.verify(&["--only", "gravewatch"]).expect(&["checksum-mismatch artifacts/gravewatch-0.3.0.ruleset.json"]);
    let envelope = world.sandbox.json(&["catalog", "verify", "catalog", "--only", "gravewach"]);
    assert_eq!((envelope.exit, envelope.code()), (3, "not-in-catalog"));
    assert!(envelope.error.unwrap().hint.unwrap().contains("gravewatch"));
}

#[test]
fn files_lie_where_the_command_line_says() {
    let world = World::new();
    fs::rename(world.folder().join("artifacts"), world.sandbox.work().join("elsewhere")).unwrap();
    assert_eq!(world.verify(&[]).problems().len(), 4);
    world.verify(&["--artifacts", "elsewhere"]).expect(&[]);
    world.verify(&["--mirror", "elsewhere"]).expect(&[]);
}

#[test]
fn every_kind_of_artifact_is_opened() {
    for container in [Container::Zip, Container::Bundle, Container::Bare] {
        let world = World::of(Catalog::on_disk().with(ember_roads().container(container)));
        world.verify(&["--strict"]).expect(&[]);
    }
}

#[test]
fn what_is_no_catalog_is_a_finding_and_no_catalog_a_failure() {
    let world = World::new();
    for (text, code) in [("", "invalid-catalog"), ("<html>", "invalid-catalog"), ("[]", "invalid-catalog")] {
        world.put("catalog.json", text);
        world.verify(&[]).expect(&[&format!("{code} catalog.json")]);
    }
    world.put("catalog.json", r#"{"schemaVersion":2,"generatedAt":"1970-01-01T00:00:00.000Z","packages":[]}"#);
    world.verify(&[]).expect(&["catalog-envelope catalog.json /schemaVersion"]);
    let envelope = world.sandbox.json(&["catalog", "verify", "nothing"]);
    assert_eq!((envelope.exit, envelope.code()), (3, "file-not-found"));
}

#[test]
fn what_is_served_is_fetched_anew_and_a_silent_server_is_no_fault_of_the_catalog() {
    let server = Server::https();
    let catalog = Catalog::on(&server).with(ember_roads()).with(official("gravewatch", "0.3.0"));
    catalog.mount(&server);
    let sandbox = Sandbox::new().attach(&server);
    let verify = |more: &[&str]| Told::of(sandbox.json(&[&["catalog", "verify"], more].concat()));
    verify(&[]).expect(&[]);
    server.forget();
    verify(&[]).expect(&[]);
    assert_eq!(server.requests_of(&catalog.pack_path("ember-roads", "ru")).len(), 1, "the cache is not believed");

    server.remove(&catalog.artifact_path("gravewatch"));
    server.put(&catalog.pack_path("ember-roads", "ru"), Reply::status(403));
    verify(&[]).expect(&[
        "unreachable artifacts/ember-roads-1.0.0.ru.json",
        "file-not-found artifacts/gravewatch-0.3.0.ruleset.json",
    ]);
    // Offline, what is in the cache is all there is.
    verify(&["--offline"]).expect(&[]);
    let empty = Sandbox::new().attach(&server);
    let envelope = empty.json(&["catalog", "verify", "--offline"]);
    assert_eq!((envelope.exit, envelope.code()), (5, "offline"));
}

/// What is late keeps nothing else waiting, not even its own packs on their way; what a pack covers is told all the
/// same.
#[test]
fn an_artifact_that_is_late_keeps_no_pack_from_being_asked_for() {
    let server = Server::https();
    let ids: Vec<String> = (0..70).map(|n| format!("ruleset-{n:02}")).collect();
    let ruleset = |id: &String| {
        Ruleset::new(id, "1.0.0").named(id).documentation(DOCUMENTATION).pack("ru", &[("Grit", "Стойкость")])
    };
    let catalog = ids.iter().map(ruleset).fold(Catalog::on(&server), Catalog::with);
    catalog.mount(&server);
    let late = catalog.artifact_path(&ids[0]);
    let sandbox = Sandbox::new().attach(&server);
    let told = |sandbox: &Sandbox| Told::of(sandbox.json(&["catalog", "verify"])).result;
    let usual = told(&sandbox);
    assert_eq!(usual["coverage"].as_array().unwrap().len(), ids.len());
    server.forget();
    server.hold_back(&late);
    let running = sandbox.command(&["catalog", "verify", "--json"]).spawn();
    let all_but_one = || ids.iter().all(|id| !server.requests_of(&catalog.pack_path(id, "ru")).is_empty());
    super::kit::until(all_but_one);
    server.let_go(&late);
    let told_late = Told::of(running.wait().json()).result;
    assert_eq!(told_late, usual);
}

/// What was served yesterday says nothing of today: no kept copy stands in for the catalog.
#[test]
fn a_catalog_that_is_served_no_more_is_not_taken_from_the_cache() {
    let server = Server::https();
    Catalog::on(&server).with(ember_roads()).mount(&server);
    let sandbox = Sandbox::new().attach(&server);
    Told::of(sandbox.json(&["catalog", "verify"])).expect(&[]);
    server.put("/catalog.json", Reply::web_page());
    let told = Told::of(sandbox.json(&["catalog", "verify"]));
    told.expect(&["invalid-catalog catalog.json"]);
    server.put("/catalog.json", Reply::status(403));
    let envelope = sandbox.json(&["catalog", "verify"]);
    assert_eq!((envelope.exit, envelope.code()), (5, "http-error"));
    Told::of(sandbox.json(&["catalog", "verify", "--offline"])).expect(&[]);
}

#[test]
fn a_workflow_gets_annotations_at_the_files_of_its_repository() {
    let mut world = World::new();
    world.catalog.edit("gravewatch", "/x", json!(1));
    world.write();
    world.spoil("artifacts/ember-roads-1.0.0.ru.json", |text| text.replace("Стойкость", "Воля"));
    let told = world.sandbox.run(&["catalog", "verify", "catalog", "--format", "github"]).expect(10);
    let lines: Vec<&str> = told.stdout.lines().collect();
    assert!(lines[0].starts_with("::error file=catalog/catalog.json,line="), "{lines:#?}");
    assert!(lines[0].contains("title=unknown-key::"), "{lines:#?}");
    let pack = Path::new("catalog").join("artifacts/ember-roads-1.0.0.ru.json");
    assert!(lines[1].starts_with(&format!("::error file={},title=size-mismatch::", pack.display())), "{lines:#?}");
    let json = world.sandbox.run(&["catalog", "verify", "catalog", "--format", "json"]).expect(10);
    assert_eq!(json.json().command.as_deref(), Some("catalog verify"));
}
