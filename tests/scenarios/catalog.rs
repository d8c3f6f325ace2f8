//! Where a catalog comes from and what of it can be used (docs/spec/commands.md#the-catalog,
//! docs/spec/catalog.md#catalog, #entry, #manifest, #language-packs, docs/spec/lessons.md#b01, #b02, #b11, #b22). How
//! it is kept is in `catalog_copy`, the files it lists are in `downloads`.

use super::kit::envelope::{Action, Card, Envelope, PackStatus};
use super::kit::publish::{Catalog, Container, Ruleset};
use super::kit::sandbox::Sandbox;
use super::kit::server::{Reply, Server};
use super::kit::tree::Tree;
use serde_json::{Value, json};

const ID: &str = "ember-roads";

/// One small ruleset with one Russian pack.
fn ember() -> Ruleset {
    Ruleset::new(ID, "1.0.0").pack("ru", &[("Grit", "Стойкость")])
}

/// A catalog of that ruleset on a server, and a sandbox that reads it.
fn served(catalog: impl FnOnce(Catalog) -> Catalog) -> (Server, Sandbox) {
    let server = Server::https();
    catalog(Catalog::on(&server)).mount(&server);
    let sandbox = Sandbox::new().attach(&server);
    (server, sandbox)
}

fn card<'a>(found: &'a Envelope, id: &str) -> &'a Card {
    let cards = &found.search().rulesets;
    cards.iter().find(|card| card.id == id).unwrap_or_else(|| panic!("no card of {id} in {found:#?}"))
}

fn ids(found: &Envelope) -> Vec<&str> {
    found.search().rulesets.iter().map(|card| card.id.as_str()).collect()
}

/// Runs it, and holds its failure against a code; nothing on disk may have changed.
#[track_caller]
fn refused(sandbox: &Sandbox, args: &[&str], code: &str) -> Envelope {
    // Work in progress needs the folder, and an empty one left behind is no change.
    std::fs::create_dir_all(sandbox.packages()).unwrap();
    let before = Tree::of(sandbox.root()).without("cache");
    let answer = sandbox.json(args);
    assert_eq!(answer.code(), code, "{args:?}: {answer:#?}");
    before.assert_same(&Tree::of(sandbox.root()).without("cache"));
    answer
}

// ---- sources

#[test]
fn a_catalog_comes_from_https_from_this_machine_from_a_file_and_from_a_folder() {
    let server = Server::https();
    let web = Catalog::on(&server).with(ember());
    web.mount(&server);
    let plain = Server::plain();
    plain.put("/catalog.json", Reply::ok(web.text()));

    let at = Sandbox::new();
    let disk = Catalog::on_disk().with(ember());
    disk.write(&at.work().join("flat"));
    // The layout of the official repository: the artifacts lie one folder up.
    disk.write(&at.work().join("repository"));
    std::fs::create_dir(at.work().join("repository/catalog")).unwrap();
    std::fs::rename(at.work().join("repository/catalog.json"), at.work().join("repository/catalog/catalog.json"))
        .unwrap();

    let absolute = at.work().join("flat").display().to_string();
    for source in [
        server.url("/catalog.json"),
        server.url("/catalog.json#part"),
        server.url("/catalog.json?lane=3"),
        server.url("/catalog.json").replace("localhost", "127.0.0.1"),
        plain.url("/catalog.json"),
        plain.url("/catalog.json").replace("localhost", "127.0.0.1"),
        absolute.clone(),
        format!("{absolute}/catalog.json"),
        "flat".to_owned(),
        "./flat/".to_owned(),
        "flat/catalog.json".to_owned(),
        "repository".to_owned(),
        "repository/catalog".to_owned(),
        "repository/catalog/catalog.json".to_owned(),
    ] {
        let sandbox = Sandbox::new().trust(&server).catalog(&source);
        let answer = sandbox.command(&["install", ID, "--language", "ru"]).cwd(at.work()).json();
        assert_eq!(answer.exit, 0, "{source}: {answer:#?}");
        let package = answer.package(ID);
        assert_eq!(package.action, Action::Installed, "{source}");
        assert_eq!(package.language_pack.as_ref().unwrap().status, PackStatus::Fetched, "{source}");
        assert!(answer.warnings.is_empty(), "{source}: {answer:#?}");
    }
}

#[test]
fn the_engines_own_variable_names_the_catalog_and_the_flag_wins_over_it() {
    let (server, sandbox) = served(|catalog| catalog.with(ember()));
    let bare = Sandbox::new().trust(&server).env("MARINARA_AGENT_CATALOG_URL", server.url("/catalog.json"));
    assert_eq!(ids(&bare.json(&["search"])), [ID]);
    let flag = sandbox.command(&["search"]).env("MARINARA_AGENT_CATALOG_URL", "http://example.org/c.json").json();
    assert_eq!(ids(&flag), [ID]);
}

#[test]
fn without_a_source_it_is_the_official_lane_of_the_engine() {
    let sandbox = Sandbox::new();
    let root = "https://raw.githubusercontent.com/Pasta-Devs/Marinara-Agents/main/catalog";
    for (engine, lane) in [
        (None, "/catalog.json"),
        (Some("2.4.1"), "/v2/catalog.json"),
        (Some("3.0.0"), "/v3/catalog.json"),
        // Only a release has a lane.
        (Some("3.0.0-beta.1"), "/catalog.json"),
    ] {
        let mut args = vec!["search", "--offline"];
        args.extend(engine.iter().flat_map(|engine| ["--engine-version", engine]));
        let answer = refused(&sandbox, &args, "offline");
        let message = &answer.error.as_ref().unwrap().message;
        assert!(message.contains(&format!("{root}{lane} ")), "{engine:?}: {message}");
    }
}

#[test]
fn an_address_that_may_not_be_asked_is_wrong_usage_and_asks_nobody() {
    for source in [
        "http://example.org/catalog.json",
        "http://10.0.0.1/catalog.json",
        "http://localhost.example.org/catalog.json",
        "http://127.0.0.1.example.org/catalog.json",
        "HTTP://EXAMPLE.ORG/catalog.json",
        "ftp://example.org/catalog.json",
        "file:///etc/catalog.json",
        "https://",
        "https://exa mple.org/",
        " ",
    ] {
        for flag in ["--catalog", "--mirror"] {
            let answer = Sandbox::new().json(&["list", flag, source]);
            assert_eq!((answer.code(), answer.exit), ("usage", 2), "{flag} {source}: {answer:#?}");
            assert!(answer.error.unwrap().hint.is_some(), "{flag} {source}");
        }
    }
}

#[test]
fn a_path_with_no_catalog_says_every_place_that_was_looked_at() {
    let at = Sandbox::new();
    std::fs::create_dir(at.work().join("empty")).unwrap();
    at.write("file", "in the way");
    for (source, looked) in [
        ("nowhere", vec!["nowhere"]),
        ("nowhere/catalog.json", vec!["nowhere/catalog.json"]),
        ("file/catalog.json", vec!["file/catalog.json"]),
        ("empty", vec!["empty/catalog.json", "empty/catalog/catalog.json"]),
    ] {
        let sandbox = Sandbox::new().catalog(at.work().join(source));
        let answer = refused(&sandbox, &["search"], "file-not-found");
        let message = answer.error.unwrap().message;
        for place in looked {
            assert!(message.contains(&at.work().join(place).display().to_string()), "{message}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_in_place_of_a_catalog_is_refused_and_never_waited_for() {
    let sandbox = Sandbox::new().catalog("pipe");
    let made = std::process::Command::new("mkfifo").arg(sandbox.work().join("pipe")).status().unwrap();
    assert!(made.success());
    let answer = sandbox.command(&["search"]).timeout(std::time::Duration::from_secs(20)).json();
    assert_eq!((answer.code(), answer.exit), ("io", 1));
    assert!(answer.error.unwrap().message.contains("regular file"));
}

// ---- mirrors

#[test]
fn a_mirror_holds_the_files_under_their_last_names_whatever_the_catalog_is() {
    let origin = Server::https();
    let catalog = Catalog::on(&origin).with(ember());
    origin.put("/catalog.json", Reply::ok(catalog.text()));
    let mirror = Server::https();
    let disk = Sandbox::new();
    catalog.write(&disk.work().join("files"));
    for name in ["ember-roads-1.0.0.ruleset.json", "ember-roads-1.0.0.ru.json"] {
        let bytes = std::fs::read(disk.work().join("files/artifacts").join(name)).unwrap();
        mirror.put(&format!("/deep/{name}"), Reply::ok(bytes));
    }
    std::fs::create_dir(disk.work().join("alone")).unwrap();
    std::fs::copy(disk.work().join("files/catalog.json"), disk.work().join("alone/catalog.json")).unwrap();

    let folder = disk.work().join("files/artifacts").display().to_string();
    for source in [origin.url("/catalog.json"), disk.work().join("alone").display().to_string()] {
        for base in [folder.clone(), format!("{folder}/"), mirror.url("/deep"), mirror.url("/deep/")] {
            let sandbox = Sandbox::new().trust(&origin).catalog(&source);
            let answer = sandbox.json(&["install", ID, "--language", "ru", "--mirror", &base]);
            assert_eq!(answer.exit, 0, "{source} {base}: {answer:#?}");
            assert_eq!(answer.package(ID).language_pack.as_ref().unwrap().status, PackStatus::Fetched);
        }
    }
    assert!(origin.paths().iter().all(|path| path == "/catalog.json"), "{:?}", origin.paths());
    let asked: std::collections::BTreeSet<String> = mirror.paths().into_iter().collect();
    assert!(asked.iter().eq(["/deep/ember-roads-1.0.0.ru.json", "/deep/ember-roads-1.0.0.ruleset.json"]), "{asked:?}");
}

#[test]
fn what_a_mirror_lacks_or_has_otherwise_is_not_installed() {
    let (server, sandbox) = served(|catalog| catalog.with(ember()));
    let folder = sandbox.work().join("mirror");
    std::fs::create_dir(&folder).unwrap();
    let base = folder.display().to_string();
    let answer = refused(&sandbox, &["install", ID, "--mirror", &base], "file-not-found");
    let name = "ember-roads-1.0.0.ruleset.json";
    assert!(answer.error.unwrap().message.contains(&folder.join(name).display().to_string()));
    std::fs::write(folder.join(name), "other bytes").unwrap();
    refused(&sandbox, &["install", ID, "--mirror", &base], "size-mismatch");
    refused(&sandbox, &["install", ID, "--mirror", &server.url("/none")], "http-error");
    assert_eq!(server.requests_of(&format!("/none/{name}")).len(), 1);
}

#[test]
fn a_mirror_does_not_excuse_an_address_that_breaks_the_rules() {
    let mut catalog = Catalog::on_disk().with(ember());
    catalog.edit(ID, "/artifact/url", json!("http://example.org/ember-roads-1.0.0.ruleset.json"));
    let sandbox = Sandbox::new();
    catalog.write(&sandbox.work());
    let sandbox = Sandbox::catalog(sandbox, ".");
    let mirror = sandbox.work().join("artifacts").display().to_string();
    let answer = refused(&sandbox, &["install", ID, "--mirror", &mirror], "invalid-entry");
    assert!(answer.error.unwrap().message.contains("https://"));
}

// ---- entries

/// What is done to a sound entry, and the reasons it then has: the code of the rule and where it is broken.
type Spoiled = (&'static str, fn(&mut Value), &'static [(&'static str, &'static str)]);

/// An asset that is declared in every way but how its name is spelled.
fn add_asset(entry: &mut Value, path: &str) {
    let file = json!({ "path": path, "sha256": "0".repeat(64), "bytes": 2 });
    entry["manifest"]["files"].as_array_mut().unwrap().push(file);
    entry["manifest"]["contributions"]["assets"]["paths"].as_array_mut().unwrap().push(json!(path));
}

fn add_file(entry: &mut Value, path: &str) {
    let file = json!({ "path": path, "sha256": "0".repeat(64), "bytes": 2 });
    entry["manifest"]["files"].as_array_mut().unwrap().push(file);
}

fn take(value: &mut Value, key: &str) {
    value.as_object_mut().unwrap().remove(key).unwrap_or_else(|| panic!("no {key}"));
}

fn set_api(entry: &mut Value, minor: u64) {
    entry["manifest"]["capabilityApi"]["minor"] = json!(minor);
}

/// The Russian pack's address with its end changed from what it is to this.
fn rename_pack(entry: &mut Value, name: &str) {
    let url = entry["locales"]["ru"]["url"].as_str().unwrap();
    let folder = url.rsplit_once('/').unwrap().0.to_owned();
    entry["locales"]["ru"]["url"] = json!(format!("{folder}/{name}"));
}

/// Lists so many more packs in languages that nobody has heard of but that are tags.
fn add_packs(entry: &mut Value, count: u8) {
    let model = entry["locales"]["ru"].clone();
    let name = entry["manifest"]["id"].as_str().unwrap().to_owned();
    for n in 0..count {
        let language = format!("q{}{}", char::from(b'a' + n / 20), char::from(b'a' + n % 20));
        let mut pack = model.clone();
        let url = model["url"].as_str().unwrap().replace(".ru.json", &format!(".{language}.json"));
        assert!(url.contains(&name));
        pack["url"] = json!(url);
        entry["locales"][language] = pack;
    }
}

/// Every rule of docs/spec/catalog.md#entry to #language-packs that can be seen without a download and makes an entry
/// unusable.
const SPOILED: &[Spoiled] = &[
    ("k1-no-ruleset", |e| take(&mut e["manifest"], "contributions"), &[("K1", "/manifest")]),
    (
        "k1-other-asset",
        |e| {
            add_asset(e, "icon.png");
            e["manifest"]["contributions"]["assets"]["paths"] = json!(["icon.png"]);
        },
        &[("K1", "/manifest/contributions/assets/paths")],
    ),
    (
        "k2-old-api",
        |e| {
            take(e, "locales");
            set_api(e, 19);
        },
        &[("K2", "/manifest/capabilityApi")],
    ),
    (
        "k2-schema-one",
        |e| {
            take(e, "locales");
            e["manifest"]["schemaVersion"] = json!(1);
            take(&mut e["manifest"], "capabilityApi");
            take(&mut e["manifest"], "builtAgainst");
        },
        &[("K2", "/manifest/schemaVersion")],
    ),
    (
        "k3-old-api",
        |e| {
            take(e, "locales");
            set_api(e, 20);
            add_asset(e, "catalogs/gear.json");
        },
        &[("K3", "/manifest/capabilityApi")],
    ),
    ("k5-capital", |e| add_asset(e, "catalogs/Gear.json"), &[("K5", "/manifest/contributions/assets/paths/1")]),
    ("k5-digit", |e| add_asset(e, "catalogs/2gear.json"), &[("K5", "/manifest/contributions/assets/paths/1")]),
    ("k5-deeper", |e| add_asset(e, "catalogs/a/gear.json"), &[("K5", "/manifest/contributions/assets/paths/1")]),
    (
        "k5-long",
        |e| add_asset(e, &format!("catalogs/{}.json", "a".repeat(41))),
        &[("K5", "/manifest/contributions/assets/paths/1")],
    ),
    ("k7-two-kinds", |e| e["manifest"]["kind"] = json!(["ruleset", "agent"]), &[("K7", "/manifest/kind")]),
    (
        "k7-entrypoint",
        |e| e["manifest"]["entrypoints"] = json!({ "server": "server.js" }),
        &[("K7", "/manifest/entrypoints/server")],
    ),
    ("k7-permissions", |e| e["manifest"]["permissions"] = json!(["network"]), &[("K7", "/manifest/permissions")]),
    ("k7-restart", |e| e["manifest"]["restartRequired"] = json!(true), &[("K7", "/manifest/restartRequired")]),
    (
        "k8-ruleset",
        |e| e["manifest"]["files"][0]["path"] = json!("other.json"),
        &[("K8", "/manifest/contributions/assets/paths/0")],
    ),
    (
        "k8-catalog",
        |e| e["manifest"]["contributions"]["assets"]["paths"] = json!(["ruleset.json", "catalogs/gear.json"]),
        &[("K8", "/manifest/contributions/assets/paths/1")],
    ),
    ("k11-language", |e| add_file(e, "locales/ru.json"), &[("K11", "/manifest/files/1")]),
    ("k11-english", |e| add_file(e, "locales/en.json"), &[("K11", "/manifest/files/1")]),
    ("k11-case", |e| add_file(e, "Locales/de.json"), &[("K11", "/manifest/files/1")]),
    ("locales-api", |e| set_api(e, 810), &[("T08", "/locales")]),
    // As a decimal 1.9 would be the newer one.
    ("locales-decimal", |e| set_api(e, 99), &[("T08", "/locales")]),
    ("locales-many", |e| add_packs(e, 40), &[("T10", "/locales")]),
    (
        "locales-english",
        |e| {
            e["locales"]["en"] = e["locales"]["ru"].clone();
            rename_pack(e, "locales-english-1.0.0.ru.json");
            let url = e["locales"]["ru"]["url"].as_str().unwrap().replace(".ru.", ".en.");
            e["locales"]["en"]["url"] = json!(url);
        },
        &[("T10", "/locales/en")],
    ),
    ("locales-null", |e| e["locales"] = Value::Null, &[("locales-shape", "/locales")]),
    ("locales-list", |e| e["locales"] = json!([]), &[("locales-shape", "/locales")]),
    ("pack-large", |e| e["locales"]["ru"]["bytes"] = json!(8_388_609), &[("pack-bytes", "/locales/ru/bytes")]),
    ("pack-empty", |e| e["locales"]["ru"]["bytes"] = json!(0), &[("pack-bytes", "/locales/ru/bytes")]),
    ("pack-sha", |e| e["locales"]["ru"]["sha256"] = json!("abc"), &[("pack-sha256", "/locales/ru/sha256")]),
    (
        "pack-http",
        |e| {
            let url = e["locales"]["ru"]["url"].as_str().unwrap().replace("https:", "http:");
            e["locales"]["ru"]["url"] = json!(url);
        },
        &[("pack-url", "/locales/ru/url")],
    ),
    (
        "pack-elsewhere",
        |e| e["locales"]["ru"]["url"] = json!("https://example.org/artifacts/pack-elsewhere-1.0.0.ru.json"),
        &[("pack-url", "/locales/ru/url")],
    ),
    ("pack-below", |e| rename_pack(e, "ru/pack-below-1.0.0.ru.json"), &[("pack-url", "/locales/ru/url")]),
    ("pack-version", |e| rename_pack(e, "pack-version-1.0.1.ru.json"), &[("pack-url", "/locales/ru/url")]),
    (
        "pack-other-language",
        |e| rename_pack(e, "pack-other-language-1.0.0.de.json"),
        &[("pack-url", "/locales/ru/url")],
    ),
    ("pack-case", |e| rename_pack(e, "pack-case-1.0.0.RU.json"), &[("pack-url", "/locales/ru/url")]),
    ("pack-query", |e| rename_pack(e, "pack-query-1.0.0.ru.json?x=1"), &[("pack-url", "/locales/ru/url")]),
    ("pack-nameless", |e| take(&mut e["locales"]["ru"], "name"), &[("pack-card", "/locales/ru")]),
    ("pack-undescribed", |e| e["locales"]["ru"]["description"] = json!(7), &[("pack-card", "/locales/ru/description")]),
    ("pack-null", |e| e["locales"]["ru"] = Value::Null, &[("pack-shape", "/locales/ru")]),
    (
        "pack-no-language",
        |e| {
            e["locales"]["Russian!"] = e["locales"]["ru"].clone();
            rename_pack(e, "pack-no-language-1.0.0.ru.json");
            let url = e["locales"]["ru"]["url"].as_str().unwrap().replace(".ru.", ".Russian!.");
            e["locales"]["Russian!"]["url"] = json!(url);
        },
        &[("pack-language", "/locales/Russian!")],
    ),
    ("artifact-null", |e| e["artifact"] = Value::Null, &[("artifact-shape", "/artifact")]),
    ("artifact-gone", |e| take(e, "artifact"), &[("artifact-shape", "")]),
    (
        "artifact-http",
        |e| {
            take(e, "locales");
            e["artifact"]["url"] = json!("http://example.org/a.zip");
        },
        &[("artifact-url", "/artifact/url")],
    ),
    (
        "artifact-path",
        |e| {
            take(e, "locales");
            e["artifact"]["url"] = json!("artifacts/a.zip");
        },
        &[("artifact-url", "/artifact/url")],
    ),
    (
        "artifact-login",
        |e| {
            take(e, "locales");
            e["artifact"]["url"] = json!("https://user:secret@example.org/a.zip");
        },
        &[("artifact-url", "/artifact/url")],
    ),
    ("artifact-large", |e| e["artifact"]["bytes"] = json!(104_857_601), &[("artifact-bytes", "/artifact/bytes")]),
    ("artifact-empty", |e| e["artifact"]["bytes"] = json!(0), &[("artifact-bytes", "/artifact/bytes")]),
    ("artifact-half", |e| e["artifact"]["bytes"] = json!(10.5), &[("artifact-bytes", "/artifact/bytes")]),
    ("artifact-minus", |e| e["artifact"]["bytes"] = json!(-1), &[("artifact-bytes", "/artifact/bytes")]),
    ("artifact-upper", |e| e["artifact"]["sha256"] = json!("A".repeat(64)), &[("artifact-sha256", "/artifact/sha256")]),
    ("newer-schema", |e| e["manifest"]["schemaVersion"] = json!(3), &[("newer-manifest", "/manifest/schemaVersion")]),
    (
        "schema-text",
        |e| e["manifest"]["schemaVersion"] = json!("2"),
        &[("manifest-schema-version", "/manifest/schemaVersion")],
    ),
    ("name-null", |e| e["manifest"]["name"] = Value::Null, &[("manifest-name", "/manifest/name")]),
    ("name-gone", |e| take(&mut e["manifest"], "name"), &[("manifest-name", "/manifest")]),
    ("name-long", |e| e["manifest"]["name"] = json!("x".repeat(121)), &[("manifest-name", "/manifest/name")]),
    ("version-gone", |e| take(&mut e["manifest"], "version"), &[("manifest-version", "/manifest")]),
    ("version-short", |e| e["manifest"]["version"] = json!("1.0"), &[("manifest-version", "/manifest/version")]),
    ("version-build", |e| e["manifest"]["version"] = json!("1.0.0+7"), &[("manifest-version", "/manifest/version")]),
    ("version-number", |e| e["manifest"]["version"] = json!(1.0), &[("manifest-version", "/manifest/version")]),
    (
        "description-null",
        |e| e["manifest"]["description"] = Value::Null,
        &[("manifest-description", "/manifest/description")],
    ),
    ("engine-gone", |e| take(&mut e["manifest"], "engine"), &[("manifest-engine", "/manifest")]),
    ("engine-empty", |e| e["manifest"]["engine"]["min"] = json!(""), &[("manifest-engine", "/manifest/engine/min")]),
    ("kind-text", |e| e["manifest"]["kind"] = json!("ruleset"), &[("manifest-kind", "/manifest/kind")]),
    ("kind-none", |e| e["manifest"]["kind"] = json!([]), &[("manifest-kind", "/manifest/kind")]),
    (
        "permissions-null",
        |e| e["manifest"]["permissions"] = Value::Null,
        &[("manifest-permissions", "/manifest/permissions")],
    ),
    (
        "api-gone",
        |e| {
            take(e, "locales");
            take(&mut e["manifest"], "capabilityApi");
        },
        &[("manifest-capability-api", "/manifest")],
    ),
    ("built-gone", |e| take(&mut e["manifest"], "builtAgainst"), &[("manifest-built-against", "/manifest")]),
    (
        "built-commit",
        |e| e["manifest"]["builtAgainst"]["engineCommit"] = json!("main"),
        &[("manifest-built-against", "/manifest/builtAgainst/engineCommit")],
    ),
    ("file-escapes", |e| add_file(e, "../outside.json"), &[("unsafe-path", "/manifest/files/1/path")]),
    ("file-absolute", |e| add_file(e, "/etc/passwd"), &[("unsafe-path", "/manifest/files/1/path")]),
    ("file-device", |e| add_file(e, "con.json"), &[("unsafe-path", "/manifest/files/1/path")]),
    ("file-twice", |e| add_file(e, "RULESET.json"), &[("duplicate-path", "/manifest/files/1/path")]),
    ("file-manifest", |e| add_file(e, "manifest.json"), &[("manifest-path", "/manifest/files/1/path")]),
    (
        "file-large",
        |e| e["manifest"]["files"][0]["bytes"] = json!(104_857_601),
        &[("manifest-files", "/manifest/files/0/bytes")],
    ),
    (
        "many-at-once",
        |e| {
            e["manifest"]["permissions"] = json!(["network"]);
            e["manifest"]["name"] = Value::Null;
            e["artifact"]["bytes"] = json!("many");
            e["locales"]["ru"]["sha256"] = Value::Null;
        },
        &[
            ("manifest-name", "/manifest/name"),
            ("K7", "/manifest/permissions"),
            ("artifact-bytes", "/artifact/bytes"),
            ("pack-sha256", "/locales/ru/sha256"),
        ],
    ),
];

fn spoiled_catalog(server: &Server) -> Catalog {
    let mut catalog = Catalog::on(server).with(ember());
    for (id, spoil, _) in SPOILED {
        let sound = Catalog::on(server).with(Ruleset::new(id, "1.0.0").pack("ru", &[("Grit", "Стойкость")]));
        let mut entry = sound.entry(id).clone();
        spoil(&mut entry);
        catalog = catalog.with_entry(entry);
    }
    catalog
}

/// Code and place of each reason: `K7: words (at /place)`.
fn codes(reasons: &[String]) -> Vec<(&str, &str)> {
    reasons
        .iter()
        .map(|reason| {
            let code = reason.split_once(':').unwrap_or_else(|| panic!("no code in {reason}")).0;
            let place = reason.rsplit_once("(at ").map_or("", |(_, place)| place.trim_end_matches(')'));
            (code, place)
        })
        .collect()
}

#[test]
fn an_entry_that_cannot_be_used_is_left_out_with_every_reason_and_the_rest_go_on() {
    let server = Server::https();
    spoiled_catalog(&server).mount(&server);
    let sandbox = Sandbox::new().attach(&server);
    let found = sandbox.json(&["search"]);
    assert_eq!((found.exit, ids(&found)), (0, vec![ID]));
    let left_out = &found.search().left_out;
    assert_eq!(left_out.len(), SPOILED.len());
    for ((id, _, reasons), left_out) in SPOILED.iter().zip(left_out) {
        assert_eq!(left_out.id.as_deref(), Some(*id));
        assert_eq!(codes(&left_out.reasons), *reasons, "{id}: {:#?}", left_out.reasons);
    }
}

#[test]
fn an_entry_that_cannot_be_used_is_refused_by_name_with_the_same_reasons_and_the_others_are_installed() {
    let server = Server::https();
    spoiled_catalog(&server).mount(&server);
    let sandbox = Sandbox::new().attach(&server);
    let found = sandbox.json(&["search"]);
    let mut args = vec!["install"];
    args.extend(SPOILED.iter().map(|(id, ..)| *id));
    args.push(ID);
    let answer = sandbox.json(&args);
    assert_eq!((answer.code(), answer.exit), ("invalid-entry", 4));
    assert_eq!(answer.error.as_ref().unwrap().package.as_deref(), Some(SPOILED[0].0));
    for (left_out, (id, ..)) in found.search().left_out.iter().zip(SPOILED) {
        let package = answer.package(id);
        let error = package.error.as_ref().unwrap();
        assert_eq!((package.action, error.code.as_str()), (Action::Failed, "invalid-entry"), "{id}");
        assert!(left_out.reasons.iter().all(|reason| error.message.contains(reason.as_str())), "{id}: {error:#?}");
        assert!(!sandbox.packages().join("versions").join(id).exists(), "{id}");
    }
    assert_eq!(answer.package(ID).action, Action::Installed);
    let info = refused(&sandbox, &["info", "k7-permissions"], "invalid-entry");
    assert!(info.error.unwrap().message.contains("K7"));
}

#[test]
fn elements_that_are_no_entries_have_no_name_and_harm_nobody() {
    let strange = [json!(null), json!(3), json!("text"), json!([]), json!({}), json!({ "manifest": null })];
    let mut nameless = Catalog::on_disk().with(ember()).entry(ID).clone();
    nameless["manifest"]["id"] = json!(7);
    let (_server, sandbox) = served(|mut catalog| {
        for element in strange.iter().chain([&nameless]) {
            catalog = catalog.with_entry(element.clone());
        }
        catalog.with(ember())
    });
    let found = sandbox.json(&["search"]);
    assert_eq!(ids(&found), [ID]);
    let left_out = &found.search().left_out;
    assert_eq!(left_out.len(), strange.len() + 1);
    assert!(left_out.iter().all(|entry| entry.id.is_none() && !entry.reasons.is_empty()), "{left_out:#?}");
    assert_eq!(sandbox.json(&["install", ID]).exit, 0);
}

#[test]
fn an_id_that_can_be_no_folder_is_refused_by_that_very_name() {
    let mut entry = Catalog::on_disk().with(ember()).entry(ID).clone();
    entry["manifest"]["id"] = json!("Ember_Roads");
    let (_server, sandbox) = served(|catalog| catalog.with(ember()).with_entry(entry));
    let found = sandbox.json(&["search"]);
    assert_eq!(found.search().left_out[0].id.as_deref(), Some("Ember_Roads"));
    let answer = refused(&sandbox, &["install", "Ember_Roads"], "invalid-entry");
    assert!(answer.error.unwrap().message.contains("manifest-id"));
    refused(&sandbox, &["info", "Ember_Roads"], "invalid-entry");
}

#[test]
fn what_was_left_out_is_warned_of_once_and_named() {
    let mut broken = Catalog::on_disk().with(Ruleset::new("gravewatch", "1.0.0")).entry("gravewatch").clone();
    broken["artifact"] = Value::Null;
    let (_server, sandbox) = served(|catalog| catalog.with(ember()).with_entry(broken));
    let found = sandbox.json(&["search"]);
    assert_eq!(found.warning_codes(), ["invalid-entry"]);
    assert_eq!(found.warnings[0].package.as_deref(), Some("gravewatch"));
    let people = sandbox.run(&["search"]).expect(0);
    assert!(people.stdout.contains("Ember Roads") && !people.stdout.contains("gravewatch"), "{people}");
    assert!(people.stderr.contains("gravewatch"), "{people}");
    let verbose = sandbox.run(&["search", "-v"]).expect(0);
    assert!(verbose.stdout.contains("artifact-shape"), "{verbose}");
}

/// The name of a case and what is done to a sound entry.
type Edited = (&'static str, fn(&mut Value));

/// What a newer publisher may write and no installer may stumble over.
const TOLERATED: &[Edited] = &[
    ("preview", |e| e["preview"] = json!(true)),
    ("preview-odd", |e| e["preview"] = json!({ "lane": 3 })),
    ("unknown-key", |e| e["rating"] = json!(4.5)),
    ("unknown-in-artifact", |e| e["artifact"]["mirrors"] = json!([])),
    ("unknown-in-pack", |e| e["locales"]["ru"]["direction"] = json!("ltr")),
    ("odd-icon", |e| e["iconUrl"] = json!("icon.png")),
    ("odd-documentation", |e| e["documentationUrl"] = Value::Null),
    ("odd-category", |e| e["category"] = json!("rules")),
    ("no-category", |e| take(e, "category")),
    ("no-locales", |e| take(e, "locales")),
    ("whole-number", |e| {
        let bytes = e["artifact"]["bytes"].as_u64().unwrap();
        e["artifact"]["bytes"] = serde_json::from_str(&format!("{bytes}.0")).unwrap();
    }),
];

#[test]
fn what_an_installer_need_not_understand_in_an_entry_is_passed_over() {
    let server = Server::https();
    let mut catalog = Catalog::on(&server);
    for (id, edit) in TOLERATED {
        let ruleset = Ruleset::new(id, "1.0.0").pack("ru", &[("Grit", "Стойкость")]);
        let mut entry = Catalog::on(&server).with(ruleset.clone()).entry(id).clone();
        edit(&mut entry);
        // Published for its files, then listed as edited.
        catalog.publish(ruleset);
        catalog.remove(id);
        catalog = catalog.with_entry(entry);
    }
    catalog.mount(&server);
    let sandbox = Sandbox::new().attach(&server);
    let found = sandbox.json(&["search"]);
    assert!(found.search().left_out.is_empty() && found.warnings.is_empty(), "{found:#?}");
    let mut args = vec!["install", "--language", "ru"];
    args.extend(TOLERATED.iter().map(|(id, _)| *id));
    let answer = sandbox.json(&args);
    assert_eq!(answer.exit, 0, "{answer:#?}");
    assert!(answer.changes().packages.iter().all(|package| package.action == Action::Installed));
}

#[test]
fn a_manifest_goes_into_the_registry_as_it_was_published_with_keys_nobody_knows() {
    for container in [Container::Zip, Container::Bundle, Container::Bare] {
        let ruleset = Ruleset::new(ID, "1.0.0")
            .container(container)
            .manifest_key("preview", json!(true))
            .manifest_key("localizations", json!({ "de": { "name": "Glutwege", "x": null } }))
            .manifest_key("future", json!({ "deep": [1.10, 1e2, { "null": null }] }));
        let server = Server::https();
        let catalog = Catalog::on(&server).with(ruleset);
        catalog.mount(&server);
        // A number in a spelling that no program of ours writes.
        let text = String::from_utf8(catalog.text()).unwrap();
        assert!(text.contains("1.1,") && text.contains("100.0,"), "{text}");
        server.put("/catalog.json", Reply::ok(text.replace("1.1,", "1.10,").replace("100.0,", "1e2,")));
        let sandbox = Sandbox::new().attach(&server);
        sandbox.run(&["install", ID]).expect(0);
        let registry = sandbox.registry();
        let record = &registry["packages"][0];
        assert_eq!(record["manifest"], catalog.entry(ID)["manifest"], "{container:?}");
        let text = std::fs::read_to_string(sandbox.packages().join("installed.json")).unwrap();
        assert!(text.contains("1.10") && text.contains("1e2"), "numbers stay as they were written: {text}");
    }
}

#[test]
fn a_key_written_twice_counts_as_it_was_written_last() {
    let server = Server::https();
    let catalog = Catalog::on(&server).with(ember());
    let text = String::from_utf8(catalog.text()).unwrap();
    let doubled = text.replacen(r#""name": "Ember Roads""#, r#""name": 3, "name": "Last Roads""#, 1);
    server.put("/catalog.json", Reply::ok(doubled));
    let sandbox = Sandbox::new().attach(&server);
    assert_eq!(card(&sandbox.json(&["search"]), ID).name, "Last Roads");
}

// ---- other kinds, ids that come twice, ids that go

fn agent(id: &str, kinds: Value) -> Value {
    json!({ "manifest": { "schemaVersion": 9, "id": id, "kind": kinds }, "artifact": null })
}

/// A catalog that lists this entry first and then a good one of the same id.
fn listed_behind(first: Value, good: Ruleset) -> (Server, Sandbox) {
    let server = Server::https();
    let mut catalog = Catalog::on(&server).with(good);
    let good = catalog.entry(ID).clone();
    catalog.remove(ID);
    catalog.with_entry(first).with_entry(good).mount(&server);
    let sandbox = Sandbox::new().attach(&server);
    (server, sandbox)
}

#[test]
fn packages_of_other_kinds_are_not_shown_not_left_out_and_refused_by_name() {
    let (server, sandbox) = served(|catalog| {
        catalog
            .with_entry(agent("helper", json!(["agent"])))
            .with_entry(agent("atlas", json!(["maps", "turn-game"])))
            .with_entry(agent("hologram", json!(["hologram"])))
            .with(ember())
    });
    let found = sandbox.json(&["search"]);
    assert_eq!(ids(&found), [ID]);
    assert!(found.search().left_out.is_empty() && found.warnings.is_empty());
    for (id, kind) in [("helper", "agent"), ("atlas", "maps"), ("hologram", "hologram")] {
        for command in ["install", "info"] {
            let answer = refused(&sandbox, &[command, id], "not-a-ruleset");
            let error = answer.error.unwrap();
            assert!(error.message.contains(kind) && error.hint.unwrap().contains("code"), "{command} {id}");
        }
    }
    assert_eq!(server.paths(), ["/catalog.json"]);
}

#[test]
fn of_an_id_listed_twice_the_first_counts_everywhere_and_that_is_said() {
    let server = Server::https();
    let second = Ruleset::new(ID, "2.0.0").named("Second Roads");
    let entry = Catalog::on(&server).with(second).entry(ID).clone();
    Catalog::on(&server).with(ember()).with_entry(entry).mount(&server);
    let sandbox = Sandbox::new().attach(&server);
    for _ in 0..2 {
        let found = sandbox.json(&["search"]);
        assert_eq!((ids(&found), card(&found, ID).version.as_str()), (vec![ID], "1.0.0"));
        assert_eq!(found.search().left_out[0].id.as_deref(), Some(ID));
        assert_eq!(sandbox.json(&["info", ID]).info().ruleset.version, "1.0.0");
    }
    let answer = sandbox.json(&["install", ID]);
    assert_eq!(answer.package(ID).version.as_deref(), Some("1.0.0"));
    assert_eq!(answer.warning_codes(), ["duplicate-id"]);
    let update = sandbox.json(&["update"]);
    assert_eq!((update.package(ID).action, update.warning_codes()), (Action::Unchanged, vec!["duplicate-id"]));
    assert!(sandbox.json(&["outdated"]).outdated().packages.is_empty());
}

#[test]
fn an_entry_that_cannot_be_used_does_not_hide_a_good_one_of_the_same_id() {
    let mut broken = Catalog::on_disk().with(ember()).entry(ID).clone();
    broken["manifest"]["schemaVersion"] = json!(3);
    let (_server, sandbox) = listed_behind(broken, Ruleset::new(ID, "0.9.0"));
    let found = sandbox.json(&["search"]);
    assert_eq!((ids(&found), card(&found, ID).version.as_str()), (vec![ID], "0.9.0"));
    assert_eq!(found.search().left_out.len(), 1);
    assert_eq!(sandbox.json(&["info", ID]).info().ruleset.version, "0.9.0");
    let installed = sandbox.json(&["install", ID]);
    assert_eq!(installed.package(ID).action, Action::Installed);
    let [doubled] = installed.warnings.as_slice() else { panic!("{installed:#?}") };
    assert!(doubled.message.ends_with("the first usable entry is used"), "{}", doubled.message);
}

#[test]
fn a_pack_published_anew_is_noticed_in_an_entry_behind_one_that_cannot_be_used() {
    let mut broken = Catalog::on_disk().with(ember()).entry(ID).clone();
    broken["manifest"]["schemaVersion"] = json!(3);
    let sandbox = Sandbox::new().catalog(".");
    let publish = |word: &str| {
        let mut catalog = Catalog::on_disk().with(Ruleset::new(ID, "1.0.0").pack("ru", &[("Grit", word)]));
        let good = catalog.entry(ID).clone();
        catalog.remove(ID);
        catalog.with_entry(broken.clone()).with_entry(good).write(&sandbox.work());
    };
    publish("Стойкость");
    sandbox.run(&["install", ID, "--language", "ru"]).expect(0);
    let pack = || std::fs::read_to_string(sandbox.version(ID, "1.0.0").join("locales/ru.json")).unwrap();
    assert!(pack().contains("Стойкость"));
    publish("Выдержка");
    sandbox.run(&["sync", "--language", "ru"]).expect(0);
    assert!(pack().contains("Выдержка"));
}

#[test]
fn a_package_of_another_kind_listed_first_is_what_its_id_means_everywhere() {
    let (_server, sandbox) = listed_behind(agent(ID, json!(["agent"])), ember());
    assert!(ids(&sandbox.json(&["search"])).is_empty());
    refused(&sandbox, &["install", ID], "not-a-ruleset");
}

#[test]
fn an_id_nobody_lists_names_the_ones_spelled_much_like_it() {
    let (_server, sandbox) = served(|catalog| {
        catalog.with(ember()).with(Ruleset::new("ember-tides", "1.0.0")).with(Ruleset::new("zine", "1.0.0"))
    });
    for command in ["install", "info"] {
        for (wrong, meant) in [("ember-raods", vec!["ember-roads"]), ("ember", vec!["ember-roads", "ember-tides"])] {
            let answer = refused(&sandbox, &[command, wrong], "not-in-catalog");
            let error = answer.error.unwrap();
            assert_eq!(error.package.as_deref(), Some(wrong));
            let hint = error.hint.unwrap();
            assert!(meant.iter().all(|id| hint.contains(id)) && !hint.contains("zine"), "{command} {wrong}: {hint}");
        }
        for strange in ["quite-another", "", "../../etc/passwd", "a/b", "x\u{202e}y"] {
            let answer = refused(&sandbox, &[command, strange], "not-in-catalog");
            assert!(answer.error.unwrap().hint.unwrap().contains("rulepack search"), "{command} {strange}");
        }
    }
}

#[test]
fn a_ruleset_the_catalog_no_longer_has_stays_usable_in_every_way() {
    let server = Server::https();
    let mut catalog = Catalog::on(&server).with(Ruleset::new(ID, "1.0.0")).with(Ruleset::new("zine", "1.0.0"));
    catalog.mount(&server);
    let sandbox = Sandbox::new().attach(&server);
    sandbox.run(&["install", ID]).expect(0);
    catalog.publish(Ruleset::new(ID, "1.1.0"));
    catalog.mount(&server);
    sandbox.run(&["update", "--refresh"]).expect(0);
    catalog.remove(ID);
    catalog.mount(&server);
    let before = Tree::of(sandbox.data());
    for args in [vec!["update", "--refresh"], vec!["update", ID]] {
        let answer = sandbox.json(&args);
        assert_eq!((answer.exit, answer.package(ID).action), (0, Action::Unchanged), "{answer:#?}");
        assert_eq!(answer.warning_codes(), ["not-in-catalog"]);
    }
    before.assert_same(&Tree::of(sandbox.data()));
    assert_eq!(sandbox.json(&["list"]).list().packages[0].version, "1.1.0");
    assert_eq!(sandbox.json(&["path", ID]).path().version, "1.1.0");
    let back = sandbox.json(&["rollback", ID]);
    assert_eq!((back.package(ID).action, back.package(ID).version.as_deref()), (Action::RolledBack, Some("1.0.0")));
    assert_eq!(sandbox.json(&["uninstall", ID]).package(ID).action, Action::Removed);
    assert!(sandbox.json(&["list"]).list().packages.is_empty());
}

// ---- for this engine or not

#[test]
fn an_entry_for_another_engine_is_refused_before_anything_is_downloaded() {
    let (server, sandbox) = served(|catalog| catalog.with(ember().engine("2.3.0", "4.0.0")));
    for (engine, fits) in [
        ("2.3.0", true),
        ("3.9.9", true),
        ("10.0.0", false),
        ("4.0.0", false),
        ("2.2.9", false),
        // A prerelease comes before its release (docs/spec/catalog.md#version-order).
        ("2.3.0-beta.1", false),
        ("4.0.0-rc.1", true),
    ] {
        let found = sandbox.json(&["search", "--engine-version", engine]);
        let shown = card(&found, ID);
        assert_eq!((shown.compatible, shown.reasons.is_empty()), (fits, fits), "{engine}: {shown:#?}");
        if fits {
            assert_eq!(sandbox.json(&["install", ID, "--dry-run", "--engine-version", engine]).exit, 0, "{engine}");
            continue;
        }
        let answer = refused(&sandbox, &["install", ID, "--engine-version", engine], "incompatible-engine");
        let message = answer.error.unwrap().message;
        assert!([engine, "2.3.0", "4.0.0"].iter().all(|version| message.contains(version)), "{message}");
    }
    assert_eq!(server.paths(), ["/catalog.json"]);
}

#[test]
fn an_entry_for_a_newer_api_is_refused_and_minors_are_whole_numbers() {
    let newest = Ruleset::new("newest", "1.0.0").api(1, 813);
    let newer = Ruleset::new("newer", "1.0.0").api(1, 814);
    let next = Ruleset::new("next", "1.0.0").api(2, 0);
    let (server, sandbox) = served(|catalog| catalog.with(ember()).with(newest).with(newer).with(next));
    for (id, api, fits) in [
        ("newest", None, true),
        ("newer", None, false),
        ("next", None, false),
        ("newer", Some("1.814"), true),
        (ID, Some("1.811"), true),
        // As decimals these would be the other way round.
        (ID, Some("1.1000"), true),
        (ID, Some("1.9"), false),
        (ID, Some("1.82"), false),
        (ID, Some("2.900"), false),
    ] {
        let mut args = vec!["install", id, "--dry-run"];
        args.extend(api.iter().flat_map(|api| ["--capability-api", api]));
        if fits {
            assert_eq!(sandbox.json(&args).package(id).action, Action::Installed, "{id} {api:?}");
        } else {
            refused(&sandbox, &args, "incompatible-api");
        }
    }
    assert_eq!(server.paths(), ["/catalog.json"]);
}

// ---- cards

#[test]
fn a_card_says_what_there_is_to_know_and_no_pack_is_fetched_for_it() {
    let ruleset = Ruleset::new(ID, "1.0.0").pack("ru", &[]).pack("pt-BR", &[]).pack("de", &[]);
    let bytes = ruleset.artifact().len() as u64;
    let (server, sandbox) = served(|catalog| catalog.with(ruleset));
    let found = sandbox.json(&["search"]);
    let shown = card(&found, ID);
    assert_eq!(shown.name, "Ember Roads");
    assert_eq!(shown.description, "Ember Roads, for tests.");
    assert_eq!((shown.version.as_str(), shown.bytes), ("1.0.0", bytes));
    let mut languages = shown.languages.clone();
    languages.sort();
    assert_eq!(languages, ["de", "pt-BR", "ru"]);
    assert_eq!((shown.installed.as_deref(), shown.compatible), (None, true));
    let info = sandbox.json(&["info", ID, "--language", "ru"]);
    assert_eq!(info.info().ruleset.name, "Ember Roads [ru]");
    assert_eq!(server.paths(), ["/catalog.json"]);
    sandbox.run(&["install", ID]).expect(0);
    assert_eq!(card(&sandbox.json(&["search"]), ID).installed.as_deref(), Some("1.0.0"));
    assert_eq!(sandbox.json(&["info", ID]).info().ruleset.installed.as_deref(), Some("1.0.0"));
}

#[test]
fn a_card_is_in_the_language_of_the_reader_by_the_rules_of_packs() {
    let packs = Ruleset::new(ID, "1.0.0").pack("ru", &[]).pack("pt", &[]).pack("pt-BR", &[]).pack("zh-Hans", &[]);
    let brazil = Ruleset::new("zine", "1.0.0").pack("pt-BR", &[]);
    let (server, sandbox) = served(|catalog| catalog.with(packs).with(brazil));
    for (language, ember, zine) in [
        ("ru", "Ember Roads [ru]", "Zine"),
        ("ru-RU", "Ember Roads [ru]", "Zine"),
        ("RU_ru.UTF-8", "Ember Roads [ru]", "Zine"),
        ("ru-RU-u-ca-gregory", "Ember Roads [ru]", "Zine"),
        ("pt", "Ember Roads [pt]", "Zine"),
        ("pt-PT", "Ember Roads [pt]", "Zine"),
        ("pt_br", "Ember Roads [pt-BR]", "Zine [pt-BR]"),
        ("PT-BR", "Ember Roads [pt-BR]", "Zine [pt-BR]"),
        ("zh-CN", "Ember Roads [zh-Hans]", "Zine"),
        ("zh", "Ember Roads [zh-Hans]", "Zine"),
        ("zh-Hans-CN", "Ember Roads [zh-Hans]", "Zine"),
        ("zh-TW", "Ember Roads", "Zine"),
        ("zh-Hant", "Ember Roads", "Zine"),
        ("en", "Ember Roads", "Zine"),
        ("en-GB", "Ember Roads", "Zine"),
        ("uk", "Ember Roads", "Zine"),
    ] {
        let found = sandbox.json(&["search", "--language", language]);
        assert_eq!((card(&found, ID).name.as_str(), card(&found, "zine").name.as_str()), (ember, zine), "{language}");
    }
    assert_eq!(server.paths(), ["/catalog.json"]);
}

#[test]
fn a_card_takes_what_the_manifest_says_in_a_language_that_has_no_pack() {
    let told =
        json!({ "de": { "name": "Glutwege" }, "ru": { "name": "never" }, "fr": { "description": "En français." } });
    let (_server, sandbox) = served(|catalog| catalog.with(ember().manifest_key("localizations", told)));
    for (language, name, description) in [
        ("de-AT", "Glutwege", "Ember Roads, for tests."),
        ("fr", "Ember Roads", "En français."),
        ("ru", "Ember Roads [ru]", "Ember Roads [ru]: 1.0.0"),
    ] {
        let found = sandbox.json(&["search", "--language", language]);
        let shown = card(&found, ID);
        assert_eq!((shown.name.as_str(), shown.description.as_str()), (name, description), "{language}");
    }
}

#[test]
fn every_word_must_be_found_in_the_readers_language_or_in_english() {
    let roads =
        Ruleset::new(ID, "1.0.0").described("Caravans on burning roads.").pack_named("ru", "Тлеющие дороги", &[]);
    let watch = Ruleset::new("gravewatch", "1.0.0").described("Ghosts, and roads at night.");
    let (server, sandbox) = served(|catalog| catalog.with(roads).with(watch));
    let both = vec![ID, "gravewatch"];
    for (words, language, found) in [
        (vec![], "en", both.clone()),
        (vec![""], "en", both.clone()),
        (vec!["roads"], "en", both.clone()),
        (vec!["ROADS"], "en", both.clone()),
        (vec!["roads", "ghosts"], "en", vec!["gravewatch"]),
        (vec!["ghosts", "caravans"], "en", vec![]),
        (vec!["ember-ro"], "en", vec![ID]),
        (vec!["Grave"], "ru", vec!["gravewatch"]),
        (vec!["ТЛЕЮЩИЕ"], "ru", vec![ID]),
        (vec!["дороги", "burning"], "ru-RU", vec![ID]),
        (vec!["дороги"], "en", vec![]),
        (vec!["дороги"], "de", vec![]),
        (vec!["-roads"], "en", vec![ID]),
    ] {
        let mut args = vec!["--json", "search", "--language", language, "--"];
        args.extend(&words);
        assert_eq!(ids(&sandbox.run(&args).json()), found, "{words:?} in {language}");
    }
    assert_eq!(server.paths(), ["/catalog.json"]);
}

#[test]
fn finding_nothing_is_said_to_people_and_is_no_failure() {
    let (_server, sandbox) = served(|catalog| catalog.with(ember()));
    let found = sandbox.json(&["search", "nothing-like-it"]);
    assert_eq!((found.exit, ids(&found).len()), (0, 0));
    let people = sandbox.run(&["search", "nothing-like-it"]).expect(0);
    assert!(!people.stdout.trim().is_empty());
    let (_server, sandbox) = served(|catalog| catalog);
    assert!(!sandbox.run(&["search"]).expect(0).stdout.trim().is_empty());
}

// ---- an envelope that cannot be read

/// A body that is no catalog, and a word of the message that says so.
const NO_CATALOGS: &[(&str, &[u8], &str)] = &[
    ("a web page", b"<!DOCTYPE html><html>Please log in</html>", "web page"),
    ("a web page after white space", b"\n\n  <html>", "web page"),
    ("nothing", b"", "empty"),
    ("white space", b" \n ", "empty"),
    (
        "a byte order mark",
        b"\xef\xbb\xbf{\"schemaVersion\":1,\"generatedAt\":\"2026\",\"packages\":[]}",
        "byte order mark",
    ),
    ("UTF-16", b"\xff\xfe{\0}\0", "byte order mark"),
    ("a list", b"[]", "catalog"),
    ("null", b"null", "catalog"),
    ("a broken object", b"{\"schemaVersion\":1,\"generatedAt\":\"2026\",\"packages\":[", "catalog"),
    ("two documents", b"{\"schemaVersion\":1,\"generatedAt\":\"2026\",\"packages\":[]}{}", "catalog"),
    ("no UTF-8", b"{\"schemaVersion\":1,\"generatedAt\":\"\xff\",\"packages\":[]}", "UTF-8"),
    ("NULs", b"\0\0\0\0", "catalog"),
    ("a newer schema", b"{\"schemaVersion\":2,\"generatedAt\":\"2026\",\"packages\":[]}", "schemaVersion"),
    ("a schema in words", b"{\"schemaVersion\":\"1\",\"generatedAt\":\"2026\",\"packages\":[]}", "schemaVersion"),
    ("no schema", b"{\"generatedAt\":\"2026\",\"packages\":[]}", "schemaVersion"),
    ("no date", b"{\"schemaVersion\":1,\"packages\":[]}", "generatedAt"),
    ("no packages", b"{\"schemaVersion\":1,\"generatedAt\":\"2026\"}", "packages"),
    ("packages by id", b"{\"schemaVersion\":1,\"generatedAt\":\"2026\",\"packages\":{}}", "packages"),
    ("packages null", b"{\"schemaVersion\":1,\"generatedAt\":\"2026\",\"packages\":null}", "packages"),
];

#[test]
fn what_is_no_catalog_is_called_that_and_never_offline() {
    let server = Server::https();
    let web = Sandbox::new().attach(&server);
    for (what, body, word) in NO_CATALOGS {
        server.put("/catalog.json", Reply::ok(*body));
        let answer = refused(&web, &["search"], "invalid-catalog");
        let error = answer.error.unwrap();
        assert!(error.message.contains(word), "{what}: {error:#?}");
        assert_eq!(error.url, Some(server.url("/catalog.json")), "{what}");
        assert!(!web.cache().join("catalogs").exists(), "{what}: kept");

        let disk = Sandbox::new().catalog("catalog.json");
        let file = disk.write("catalog.json", body);
        let error = refused(&disk, &["install", ID], "invalid-catalog").error.unwrap();
        assert!(
            error.message.contains(word) && error.message.contains(&file.display().to_string()),
            "{what}: {error:#?}"
        );
    }
}

#[test]
fn a_web_page_comes_with_the_advice_to_log_in_or_to_take_the_raw_address() {
    let server = Server::https();
    server.put("/catalog.json", Reply::web_page());
    let sandbox = Sandbox::new().attach(&server);
    let hint = refused(&sandbox, &["search"], "invalid-catalog").error.unwrap().hint.unwrap();
    assert!(hint.contains("log in") && hint.contains("raw.githubusercontent.com"), "{hint}");
}

#[test]
fn the_kind_of_content_and_keys_of_the_envelope_do_not_matter() {
    let server = Server::https();
    let mut catalog = Catalog::on(&server).with(ember());
    catalog.more.insert("provenance".to_owned(), json!({ "kind": "custom" }));
    catalog.more.insert("future".to_owned(), json!([1, null]));
    catalog.more.insert("schemaVersion".to_owned(), serde_json::from_str("1.0").unwrap());
    for kind in ["text/plain", "text/html", "application/octet-stream", "nonsense"] {
        server.put("/catalog.json", Reply::ok(catalog.text()).header("content-type", kind));
        let sandbox = Sandbox::new().attach(&server);
        assert_eq!(ids(&sandbox.json(&["search"])), [ID], "{kind}");
    }
}

#[test]
fn a_catalog_may_have_32_mib_and_not_a_byte_more() {
    const MOST: usize = 32 << 20;
    let mut body = Catalog::on_disk().with(ember()).text();
    body.resize(MOST, b' ');
    let sandbox = Sandbox::new().catalog("catalog.json");
    sandbox.write("catalog.json", &body);
    assert_eq!(ids(&sandbox.json(&["search"])), [ID]);
    body.push(b' ');
    sandbox.write("catalog.json", &body);
    let error = refused(&sandbox, &["search"], "invalid-catalog").error.unwrap();
    assert!(error.message.contains("32.0 MiB"), "{error:#?}");

    // A server that says so is believed at once; one that never ends is left at the first byte too many.
    let server = Server::https();
    let web = Sandbox::new().attach(&server);
    server.put("/catalog.json", Reply::ok("{").claiming_length(MOST as u64 + 1).stall_after(1));
    assert!(refused(&web, &["search"], "invalid-catalog").error.unwrap().message.contains("32.0 MiB"));
    server.put("/catalog.json", Reply::ok(vec![b' '; 1 << 20]).endless());
    assert!(refused(&web, &["search"], "invalid-catalog").error.unwrap().message.contains("32.0 MiB"));
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn a_catalog_that_comes_encoded_is_not_taken_for_what_was_asked_for() {
    let server = Server::https();
    Catalog::on(&server).with(ember()).mount(&server);
    server.change("/catalog.json", Reply::gzip);
    let sandbox = Sandbox::new().attach(&server);
    let error = refused(&sandbox, &["search"], "http-error").error.unwrap();
    assert!(error.message.contains("gzip"), "{error:#?}");
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn a_catalog_that_is_not_there_says_to_look_at_its_address() {
    let server = Server::https();
    let sandbox = Sandbox::new().attach(&server);
    let error = refused(&sandbox, &["search"], "http-error").error.unwrap();
    assert!(error.message.contains("404"), "{error:#?}");
    assert!(error.hint.unwrap().contains("address"));
    assert_eq!(server.requests().len(), 1, "a 404 is not asked for again");
}

#[test]
fn a_folder_whose_checkout_changed_the_line_ends_is_told_the_cure() {
    let sandbox = Sandbox::new().catalog(".");
    let catalog = Catalog::on_disk().with(ember().container(Container::Bare).without_packs());
    catalog.write(&sandbox.work());
    let file = sandbox.work().join("artifacts/ember-roads-1.0.0.ruleset.json");
    let crlf = std::fs::read_to_string(&file).unwrap().replace('\n', "\r\n");
    std::fs::write(&file, crlf).unwrap();
    let error = refused(&sandbox, &["install", ID], "size-mismatch").error.unwrap();
    assert!(error.message.contains("LF"), "{error:#?}");
    assert!(error.hint.unwrap().contains(".gitattributes"));
}
