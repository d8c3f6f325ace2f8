//! The JSON face of every command: one strict envelope whatever happens, described by its schema, with nothing in it
//! that a terminal would obey (docs/spec/commands.md#json, #what-people-see).

use super::kit::envelope::{Action, Envelope, PackStatus, Status};
use super::kit::publish::{Catalog, Ruleset};
use super::kit::sandbox::{Invocation, Outcome, Sandbox};
use super::kit::server::{Reply, Server};
use super::kit::tree::Tree;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

/// Every name `rulepack schema` takes.
const NAMES: &[&str] = &[
    "search",
    "info",
    "install",
    "update",
    "outdated",
    "rollback",
    "uninstall",
    "list",
    "language",
    "sync",
    "hold",
    "unhold",
    "path",
    "doctor",
    "import",
    "show",
    "translate",
    "migrate",
    "check",
    "catalog",
    "catalog-verify",
    "catalog-entry",
    "catalog-build",
    "strings",
    #[cfg(feature = "diceframe")]
    "audit",
    #[cfg(feature = "diceframe")]
    "audit-rules",
    #[cfg(feature = "diceframe")]
    "audit-dice",
    #[cfg(feature = "diceframe")]
    "audit-combat",
    "explain",
    "cache",
    "cache-dir",
    "cache-size",
    "cache-clean",
    "usage",
    "help",
    "version",
    "progress",
];

/// The schemas as the program prints them, each read once.
static SCHEMAS: LazyLock<BTreeMap<&str, Value>> = LazyLock::new(|| {
    let sandbox = Sandbox::new();
    let schema = |name: &&'static str| {
        let printed = sandbox.run(&["schema", name]).expect(0);
        assert_eq!(printed.stderr, "");
        (*name, serde_json::from_str(&printed.stdout).unwrap())
    };
    NAMES.iter().map(schema).collect()
});

fn schema_of(command: &str) -> &Value {
    let whole = command.replace(' ', "-");
    let name = command.split(' ').next().unwrap();
    let schema = SCHEMAS.get(whole.as_str()).or_else(|| SCHEMAS.get(name));
    schema.unwrap_or_else(|| panic!("no schema for {command}"))
}

fn validator(command: &str) -> jsonschema::Validator {
    jsonschema::validator_for(schema_of(command)).unwrap()
}

/// The same schema as it would be if nothing were ever added: for telling whether it names all there is.
fn closed(schema: &Value) -> Value {
    match schema {
        Value::Object(keys) => {
            let mut keys: serde_json::Map<String, Value> =
                keys.iter().map(|(key, value)| (key.clone(), closed(value))).collect();
            if keys.contains_key("properties") && !keys.contains_key("additionalProperties") {
                keys.insert("additionalProperties".into(), json!(false));
            }
            Value::Object(keys)
        }
        Value::Array(items) => Value::Array(
            items.iter().filter(|item| item["description"] != "Keys that later versions add.").map(closed).collect(),
        ),
        other => other.clone(),
    }
}

/// A catalog folder and a sandbox that reads it.
struct World {
    sandbox: Sandbox,
    catalog: Catalog,
}

impl World {
    /// Ember Roads in English, Russian and Portuguese, Gravewatch in English alone.
    fn new() -> Self {
        let catalog = Catalog::on_disk().with(ember_roads("1.0.0")).with(Ruleset::new("gravewatch", "0.3.0"));
        World::of(catalog)
    }

    fn of(catalog: Catalog) -> Self {
        let sandbox = Sandbox::new();
        let folder = sandbox.work().join("catalog");
        let world = World { sandbox: sandbox.catalog(&folder), catalog };
        world.write();
        world
    }

    fn write(&self) {
        self.catalog.write(&self.sandbox.work().join("catalog"));
    }

    fn publish(&mut self, ruleset: Ruleset) {
        self.catalog.publish(ruleset);
        self.write();
    }

    /// Runs a command line with `--json` and looks at all there is to see of it.
    #[track_caller]
    fn says(&self, line: &str) -> Envelope {
        answer(self.sandbox.command(&words(line)))
    }

    /// The same for one that fails with this code.
    #[track_caller]
    fn fails(&self, line: &str, code: &str) -> Envelope {
        let envelope = self.says(line);
        assert_eq!((envelope.status, envelope.code()), (Status::Error, code), "{line}: {envelope:#?}");
        envelope
    }

    /// The same for one that goes well.
    #[track_caller]
    fn does(&self, line: &str) -> Envelope {
        let envelope = self.says(line);
        assert_eq!(envelope.status, Status::Ok, "{line}: {envelope:#?}");
        envelope
    }
}

fn ember_roads(version: &str) -> Ruleset {
    Ruleset::new("ember-roads", version).pack("ru", &[("Grit", "Стойкость")]).pack("pt", &[("Grit", "Garra")])
}

fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// Runs it with `--json`: stdout is one envelope that fits its schema, stderr is silent, nothing is hidden in either,
/// and every path is absolute.
#[track_caller]
fn answer(run: Invocation) -> Envelope {
    let outcome = run.arg("--json").run();
    assert_eq!(outcome.stderr, "", "stderr is for people, and nobody watches: {outcome}");
    assert_nothing_hidden(&outcome);
    let envelope = outcome.json();
    let document: Value = serde_json::from_str(&outcome.stdout).unwrap();
    if let Some(command) = &envelope.command {
        let faults: Vec<String> = validator(command).iter_errors(&document).map(|fault| fault.to_string()).collect();
        assert!(faults.is_empty(), "{faults:?}: {outcome}");
        names_all_there_is(schema_of(command), &document);
    }
    assert_paths_are_absolute(&document);
    envelope
}

/// One key fewer, anywhere in the document, and the schema no longer fits; one more fits, since a later rulepack may
/// have it; and the schema names every key and word that is there now.
#[track_caller]
fn names_all_there_is(schema: &Value, document: &Value) {
    let exact = jsonschema::validator_for(&closed(schema)).unwrap();
    let faults: Vec<String> = exact.iter_errors(document).map(|fault| fault.to_string()).collect();
    assert!(faults.is_empty(), "the schema does not name all there is: {faults:?} in {document}");
    let schema = jsonschema::validator_for(schema).unwrap();
    for place in objects(document, "") {
        let mut more = document.clone();
        more.pointer_mut(&place).unwrap()["unheardOf"] = json!(null);
        assert!(schema.is_valid(&more), "a later key at {place:?} does not fit: {document}");
        for key in document.pointer(&place).unwrap().as_object().unwrap().keys() {
            let mut fewer = document.clone();
            fewer.pointer_mut(&place).unwrap().as_object_mut().unwrap().remove(key);
            assert!(!schema.is_valid(&fewer), "{key} is missing at {place:?} and it fits: {document}");
        }
    }
}

/// The pointers to all objects.
fn objects(value: &Value, at: &str) -> Vec<String> {
    match value {
        Value::Object(map) => {
            let below = map.iter().flat_map(|(key, value)| objects(value, &format!("{at}/{key}")));
            std::iter::once(at.to_owned()).chain(below).collect()
        }
        Value::Array(items) => {
            items.iter().enumerate().flat_map(|(n, item)| objects(item, &format!("{at}/{n}"))).collect()
        }
        _ => Vec::new(),
    }
}

#[track_caller]
fn assert_paths_are_absolute(document: &Value) {
    for place in
        objects(document, "/result").iter().filter_map(|place| document.pointer(place.strip_prefix("/result").unwrap()))
    {
        for key in ["path", "root", "dir", "file", "ruleset", "languagePack"] {
            if let Some(path) = place[key].as_str() {
                assert!(Path::new(path).is_absolute(), "{key} is {path:?} in {document}");
            }
        }
    }
}

/// Whether a terminal would obey this character, or show nothing for it: C0 and C1 controls, DEL, what turns text
/// around, what has no width.
fn is_hidden(c: char) -> bool {
    (c.is_control() && c != '\n')
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}')
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
}

#[track_caller]
fn assert_nothing_hidden(outcome: &Outcome) {
    let both = format!("{}{}", outcome.stdout, outcome.stderr);
    assert!(!both.contains(is_hidden), "{:?} in {both:?}", both.chars().find(|c| is_hidden(*c)));
}

#[test]
fn every_command_has_its_envelope_in_an_empty_data_folder() {
    let world = World::new();
    for line in ["list", "outdated", "update", "sync", "language", "doctor", "cache dir", "cache size", "cache clean"] {
        assert_eq!(world.does(line).command.as_deref(), Some(line));
    }
    assert_eq!(world.does("search").search().rulesets.len(), 2);
    assert_eq!(world.does("search nothing-like-it").search().rulesets.len(), 0);
    assert_eq!(world.does("info gravewatch").info().ruleset.installed, None);
    for line in ["rollback", "uninstall", "hold", "unhold", "path"] {
        let envelope = world.fails(&format!("{line} ember-roads"), "not-installed");
        assert_eq!(envelope.error.unwrap().package.as_deref(), Some("ember-roads"), "{line}");
    }
    for line in ["install nothing", "info nothing"] {
        world.fails(line, "not-in-catalog");
    }
    world.fails("update nothing", "not-installed");
    assert_eq!(Tree::of(world.sandbox.data()).paths(), [""; 0], "nothing was there to be recorded");
}

#[test]
fn every_command_has_its_envelope_through_the_life_of_a_ruleset() {
    let mut world = World::new();
    let action = |envelope: &Envelope| envelope.package("ember-roads").action;
    let pack = |envelope: &Envelope| envelope.package("ember-roads").language_pack.clone().unwrap().status;

    assert_eq!(action(&world.does("install ember-roads --dry-run")), Action::Installed);
    assert_eq!(pack(&world.does("install ember-roads gravewatch")), PackStatus::NotNeeded);
    assert_eq!(action(&world.does("install ember-roads")), Action::Unchanged);
    assert_eq!(action(&world.does("install ember-roads --force")), Action::Reinstalled);
    assert_eq!(pack(&world.does("language ru")), PackStatus::Fetched);
    assert_eq!(pack(&world.does("language")), PackStatus::Current);
    assert_eq!(pack(&world.does("sync")), PackStatus::Current);
    assert_eq!(pack(&world.does("sync --language ja")), PackStatus::Removed);
    assert_eq!(pack(&world.does("sync --language ja")), PackStatus::NotListed);
    world.fails("sync --language ja --require-pack", "invalid-pack");
    assert!(world.does("list").list().packages.iter().all(|package| package.language_pack.is_none()));
    assert_eq!(pack(&world.does("sync")), PackStatus::Fetched);
    assert!(world.does("path ember-roads").path().language_pack.is_some());
    assert!(world.does("path gravewatch").path().language_pack.is_none());
    world.fails("rollback ember-roads", "no-previous-version");

    world.publish(ember_roads("1.1.0"));
    assert_eq!(world.does("search ember").search().rulesets[0].installed.as_deref(), Some("1.0.0"));
    assert_eq!(world.does("outdated").outdated().packages.len(), 1);
    assert_eq!(world.does("hold ember-roads").holds().packages.len(), 1);
    assert_eq!(action(&world.does("update")), Action::Held);
    assert!(world.does("list").list().packages[0].held);
    assert!(!world.does("unhold ember-roads").holds().packages[0].held);
    assert_eq!(action(&world.does("update --dry-run")), Action::Updated);
    assert_eq!(action(&world.does("update")), Action::Updated);
    assert_eq!(action(&world.does("update")), Action::Unchanged);
    assert_eq!(action(&world.does("rollback ember-roads")), Action::RolledBack);
    assert_eq!(action(&world.does("update")), Action::Held);
    world.does("outdated");
    assert_eq!(action(&world.does("update ember-roads")), Action::Updated);
    world.does("doctor");
    world.does("language auto");

    assert_eq!(action(&world.does("uninstall ember-roads")), Action::Removed);
    let removed = world.says("uninstall gravewatch ember-roads");
    assert_eq!((removed.exit, removed.code()), (3, "not-installed"));
    assert_eq!(removed.package("gravewatch").action, Action::Removed);
}

#[test]
fn what_a_ruleset_means_has_its_envelope_as_well() {
    let world = World::new();
    let seed = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/seed");
    world.sandbox.write("sheet.json", r#"{"v": 3, "build": {"fields": {"xp": 1, "class": "Fighter"}}}"#);
    let sheet = world.sandbox.work().join("sheet.json");
    let (seed, sheet) = (seed.to_str().unwrap(), sheet.to_str().unwrap());
    for (line, command) in [
        (format!("import {seed} --language ru"), "import"),
        (format!("translate {seed} Goblin --language ru"), "translate"),
        ("translate local/seed-example Goblin".to_owned(), "translate"),
        ("path local/seed-example".to_owned(), "path"),
        ("list".to_owned(), "list"),
        ("doctor".to_owned(), "doctor"),
        ("uninstall local/seed-example".to_owned(), "uninstall"),
    ] {
        assert_eq!(world.does(&line).command.as_deref(), Some(command), "{line}");
    }
    world.fails("show local/seed-example", "not-installed");
    world.fails("import nothing.json", "file-not-found");
    world.fails(&format!("show {seed} --layer nothing"), "usage");
    // A ruleset and a sheet may hold anything, so nothing is too much for their schemas.
    for line in [
        format!("show {seed} --layer hard_winter --layer mud_season --language ru"),
        format!("migrate {seed} {sheet}"),
        format!("migrate {seed} {sheet} nothing.json"),
    ] {
        let outcome = world.sandbox.command(&words(&line)).arg("--json").run();
        assert_nothing_hidden(&outcome);
        let document: Value = serde_json::from_str(&outcome.stdout).unwrap();
        let command = outcome.json().command.unwrap();
        let faults: Vec<String> = validator(&command).iter_errors(&document).map(|fault| fault.to_string()).collect();
        assert!(faults.is_empty(), "{faults:?}: {outcome}");
    }
}

/// The failures a reader cannot do anything about by typing better.
#[test]
fn every_failure_has_the_same_envelope_and_the_exit_number_of_its_code() {
    let mut world = World::new();
    world.does("install ember-roads");
    world.fails("install gravewatch --engine-version 9.0.0", "incompatible-engine");
    world.fails("install gravewatch --capability-api 1.20", "incompatible-api");
    world.fails("list --catalog http://example.org/catalog.json", "usage");
    world.fails("search --catalog missing", "file-not-found");
    world.sandbox.write("garbage.json", "[]");
    world.fails("search --catalog garbage.json", "invalid-catalog");
    world.publish(ember_roads("0.9.0"));
    world.fails("install ember-roads", "downgrade");
    world.catalog.wrong_sha256("gravewatch");
    world.write();
    world.fails("install gravewatch", "checksum-mismatch");
    world.catalog.wrong_size("gravewatch");
    world.write();
    world.fails("install gravewatch", "size-mismatch");
    world.catalog.edit("gravewatch", "/manifest/kind", json!(["agent"]));
    world.write();
    world.fails("install gravewatch", "not-a-ruleset");
    world.catalog.edit("gravewatch", "/manifest/kind", json!(["ruleset"]));
    world.catalog.edit("gravewatch", "/artifact/bytes", json!(0));
    world.write();
    world.fails("install gravewatch", "invalid-entry");
    let search = world.does("search");
    assert_eq!(search.search().left_out[0].id.as_deref(), Some("gravewatch"));
    assert_eq!(search.warning_codes(), ["invalid-entry"]);
    assert_eq!(search.warnings[0].package.as_deref(), Some("gravewatch"));
    assert!(search.warnings[0].message.contains("/artifact/bytes"), "{search:#?}");

    let lock = std::fs::File::options().read(true).write(true).open(world.sandbox.packages().join(".rulepack.lock"));
    let lock = lock.unwrap();
    lock.lock().unwrap();
    for line in ["uninstall", "hold"] {
        world.fails(&format!("{line} ember-roads --lock-timeout 0"), "locked");
    }
    // What is not held needs no lock to be let go.
    world.does("unhold ember-roads --lock-timeout 0");
    drop(lock);

    let active = world.sandbox.version("ember-roads", "1.0.0");
    std::fs::write(active.join("ruleset.json"), "{}").unwrap();
    assert_eq!(world.does("list").list().packages[0].state, super::kit::envelope::State::Damaged);
    let found = world.says("doctor");
    assert_eq!((found.status, found.exit, found.doctor().problems.len()), (Status::Problems, 10, 1));
    std::fs::remove_file(active.join("ruleset.json")).unwrap();
    world.fails("path ember-roads", "damaged-package");
    let registry = world.sandbox.packages().join("installed.json");
    std::fs::write(&registry, "{").unwrap();
    for line in ["list", "path ember-roads", "sync", "outdated", "install ember-roads", "uninstall ember-roads"] {
        world.fails(line, "damaged-store");
    }
    assert_eq!(world.says("doctor").status, Status::Problems);
}

#[test]
fn failures_of_the_network_have_the_same_envelope() {
    let server = Server::https();
    let sandbox = Sandbox::new().attach(&server);
    let fails = |line: &str, code: &str| {
        let envelope = answer(sandbox.command(&words(line)));
        assert_eq!(envelope.code(), code, "{line}: {envelope:#?}");
        envelope
    };
    fails("search --offline", "offline");
    let gone = fails("search", "http-error");
    assert_eq!(gone.error.unwrap().url, Some(server.url("/catalog.json")));
    let catalog = Catalog::on(&server).with(ember_roads("1.0.0"));
    catalog.mount(&server);
    server.remove(&catalog.artifact_path("ember-roads"));
    let gone = fails("install ember-roads", "http-error").error.unwrap();
    assert_eq!(
        (gone.package.as_deref(), gone.url),
        (Some("ember-roads"), Some(server.url(&catalog.artifact_path("ember-roads"))))
    );
    server.put("/page", Reply::web_page());
    fails(&format!("search --catalog {}", server.url("/page")), "invalid-catalog");
}

#[test]
fn wrong_usage_has_the_envelope_too_and_names_the_command_if_there_is_one() {
    let world = World::new();
    for (line, command, says) in [
        ("", None, "no command was given"),
        ("--nope", None, "--nope"),
        ("nope", None, "nope"),
        ("instal ember-roads", None, "instal"),
        ("install", Some("install"), "<ID>"),
        ("ls --nope", Some("list"), "--nope"),
        ("--nope remove ember-roads", Some("uninstall"), "--nope"),
        ("rollback", Some("rollback"), "<ID>"),
        ("list more", Some("list"), "more"),
        ("cache", Some("cache"), "no command"),
        ("cache nope", Some("cache"), "nope"),
        ("cache size more", Some("cache size"), "more"),
        ("list --progress sometimes", Some("list"), "sometimes"),
        ("list --color sometimes", Some("list"), "sometimes"),
        ("list --timeout 0", Some("list"), "0"),
        ("list --timeout soon", Some("list"), "soon"),
        ("list --lock-timeout -1", Some("list"), "-1"),
        ("list --engine-version three", Some("list"), "three"),
        ("list --capability-api 1", Some("list"), "1"),
        ("list -q -v", Some("list"), "--quiet"),
        ("list --data-dir", Some("list"), "--data-dir"),
        ("list --data-dir=", Some("list"), "--data-dir"),
        ("list --language=", Some("list"), "--language"),
        ("list --catalog=", Some("list"), "--catalog"),
        ("list --language portuguese!", Some("list"), "portuguese!"),
        ("language portuguese!", Some("language"), "portuguese!"),
        ("list --catalog ftp://example.org/catalog.json", Some("list"), "ftp"),
        ("list --mirror http://example.org/files", Some("list"), "http"),
    ] {
        let before = Tree::of(world.sandbox.data());
        let outcome = world.sandbox.command(&words(line)).arg("--json").run().expect(2);
        let envelope = outcome.json();
        assert_eq!(envelope.command.as_deref(), command, "{line}");
        assert_eq!(envelope.code(), "usage", "{line}");
        names_all_there_is(schema_of("usage"), &serde_json::from_str(&outcome.stdout).unwrap());
        assert!(envelope.answer.is_none() && envelope.warnings.is_empty(), "{line}");
        let error = envelope.error.unwrap();
        assert!(error.message.contains(says), "{line}: {}", error.message);
        assert!(!error.message.contains("Usage:") && !error.message.starts_with("error"), "{line}: {}", error.message);
        assert_eq!(outcome.stderr, "", "{line}");
        before.assert_same(&Tree::of(world.sandbox.data()));
    }
    let nope = world.sandbox.run(&["schema", "nope", "--json"]).expect(2).json();
    assert!(nope.error.unwrap().message.contains("uninstall"), "an unknown schema lists those there are");
}

/// `--json` behind `--` is an argument like any other.
#[test]
fn only_a_flag_asks_for_json() {
    let world = World::new();
    let outcome = world.sandbox.run(&["rollback", "--", "a", "--json"]).expect(2);
    assert_eq!(outcome.stdout, "");
    assert!(outcome.stderr.starts_with("error[usage]: "), "{outcome}");
}

#[test]
fn help_and_version_are_documents_too() {
    let world = World::new();
    let fits = |name: &str, outcome: &Outcome| {
        names_all_there_is(schema_of(name), &serde_json::from_str(&outcome.stdout).unwrap());
    };
    for line in ["--version", "-V"] {
        let outcome = world.sandbox.command(&["--json", line]).run().expect(0);
        fits("version", &outcome);
        let envelope = outcome.json();
        let told = envelope.other();
        let own = json!({ "version": env!("CARGO_PKG_VERSION"), "schema": 1, "capabilityApi": "1.813" });
        own.as_object().unwrap().iter().for_each(|(key, value)| assert_eq!(&told[key], value));
        let commands: Vec<&str> =
            told["commands"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        // Those that answer in JSON, and the two that print a text of their own.
        let apart = ["usage", "help", "version", "progress"];
        let named: Vec<String> =
            NAMES.iter().filter(|name| !apart.contains(name)).map(|name| name.replacen("-", " ", 1)).collect();
        for name in &named {
            assert!(
                commands.iter().any(|command| command == name || command.starts_with(&format!("{name} "))),
                "{name}"
            );
        }
        assert!(commands.contains(&"cache clean") && commands.contains(&"completions"), "{commands:?}");
        assert!(!commands.iter().any(|command| command.split(' ').any(|word| word == "help")), "{commands:?}");
    }
    for line in ["--help", "-h", "install --help", "help install", "help", "cache size -h"] {
        let outcome = world.sandbox.command(&words(&format!("--json {line}"))).run().expect(0);
        fits("help", &outcome);
        let envelope = outcome.json();
        let help = envelope.other()["help"].as_str().unwrap_or_else(|| panic!("{outcome}"));
        assert!(help.contains("Usage: rulepack"), "{help}");
        assert_eq!((envelope.command, outcome.stderr.as_str()), (None, ""), "{line}");
    }
}

/// Whoever calls rulepack may put flags before those of whoever calls them.
#[test]
fn what_is_said_twice_is_said_once_more() {
    let world = World::new();
    for line in
        ["list --json", "--json list", "list --offline --offline -v -v", "-q list -q", "--refresh list --refresh"]
    {
        world.does(line);
    }
    world.does("install --json ember-roads --force --force --dry-run --dry-run");
    let other = world.sandbox.work().join("other");
    let last = format!("cache dir --cache-dir elsewhere --cache-dir {}", other.display());
    assert_eq!(Path::new(&world.does(&last).cache().dir), other);
    let before_and_after = format!("--cache-dir elsewhere cache dir --cache-dir {}", other.display());
    assert_eq!(Path::new(&world.does(&before_and_after).cache().dir), other);
}

#[test]
fn schema_lists_its_names() {
    let sandbox = Sandbox::new();
    let listed = sandbox.run(&["schema"]).expect(0);
    assert_eq!((listed.stdout.lines().collect::<Vec<_>>(), listed.stderr.as_str()), (NAMES.to_vec(), ""));
    let listed = sandbox.run(&["schema", "--json"]).expect(0);
    assert_eq!(serde_json::from_str::<Value>(&listed.stdout).unwrap(), json!(NAMES));
}

/// A program finds the schema of an answer by the `command` in it.
#[test]
fn what_an_answer_names_as_its_command_has_a_schema_of_that_name() {
    let sandbox = Sandbox::new();
    let version = sandbox.run(&["--json", "--version"]).expect(0);
    let version: Value = serde_json::from_str(&version.stdout).unwrap();
    let commands = version["result"]["commands"].as_array().unwrap();
    let families = if cfg!(feature = "diceframe") { &["catalog", "cache", "audit"][..] } else { &["catalog", "cache"] };
    for family in families.iter().copied() {
        let refused: Value = serde_json::from_str(&sandbox.run(&["--json", family]).expect(2).stdout).unwrap();
        assert_eq!(refused["command"], family);
    }
    for name in commands.iter().map(|name| name.as_str().unwrap()).chain(families.iter().copied()) {
        // These print a text of their own.
        if !["completions", "schema"].contains(&name) {
            assert!(NAMES.contains(&name.replace(' ', "-").as_str()), "{name}");
        }
    }
}

#[test]
fn every_schema_is_a_sound_one_and_knows_errors_too() {
    let nothing = json!({
        "schema": 1, "command": "x", "status": "error", "result": null, "warnings": [],
        "error": { "code": "io", "message": "m", "hint": null, "package": null, "url": null }
    });
    for (name, schema) in SCHEMAS.iter() {
        assert!(jsonschema::meta::is_valid(schema), "{name}");
        if *name == "progress" {
            continue;
        }
        let validator = validator(name);
        assert!(validator.is_valid(&nothing), "{name}");
        for (key, wrong) in
            [("schema", json!("1")), ("command", json!(1)), ("status", json!(1)), ("error", json!("no"))]
        {
            let mut other = nothing.clone();
            other[key] = wrong;
            assert!(!validator.is_valid(&other), "{name}: {key}");
        }
    }
}

#[test]
fn the_first_failure_is_the_answer_and_each_package_has_its_own() {
    let world = World::new();
    let envelope = world.fails("install nothing ember-roads nowhere ember-roads", "not-in-catalog");
    assert_eq!(envelope.exit, 3);
    let changes = envelope.changes();
    let rows: Vec<(&str, Action)> = changes.packages.iter().map(|row| (row.id.as_str(), row.action)).collect();
    assert_eq!(rows, [("nothing", Action::Failed), ("ember-roads", Action::Installed), ("nowhere", Action::Failed)]);
    assert_eq!(changes.packages[0].error, envelope.error);
    assert_eq!(changes.packages[1].error, None);
    assert_eq!(changes.packages[2].error.as_ref().unwrap().package.as_deref(), Some("nowhere"));
}

#[test]
fn paths_are_absolute_when_the_folders_were_named_relatively() {
    let world = World::new();
    let run = |line: &str| {
        let words = [words(line), vec!["--data-dir", "own/../mine", "--cache-dir", "./kept"]].concat();
        answer(world.sandbox.command(&words))
    };
    let installed = run("install ember-roads --language ru");
    let package = installed.package("ember-roads");
    let work = std::fs::canonicalize(world.sandbox.work()).unwrap();
    assert!(Path::new(package.path.as_deref().unwrap()).is_dir());
    assert!(Path::new(package.language_pack.as_ref().unwrap().path.as_deref().unwrap()).is_file());
    assert!(Path::new(&run("path ember-roads").path().ruleset).is_file());
    assert!(
        Path::new(&run("list").list().packages[0].path).starts_with(work.join("own")) || work.join("mine").is_dir()
    );
    assert!(Path::new(&run("cache dir").cache().dir).ends_with("kept"));
    assert_eq!(Tree::of(world.sandbox.data()).files(), [""; 0], "the folder of the environment is not the one named");
}

/// Everything a terminal could be made to do with, or that a reader would not see.
const HOSTILE: &str =
    "Evil\u{1b}[2J\u{1b}]0;owned\u{7}\u{9b}31m\u{202e}gnip\u{2066}\u{200b}\u{7f}\u{8}\u{feff}\u{e0041}\u{85}End";

#[test]
fn hostile_text_of_a_catalog_reaches_nobody_raw_and_loses_nothing() {
    let mut hostile =
        Ruleset::new("ember-roads", "1.0.0").named(HOSTILE).described(&format!("Says {HOSTILE}\r\nand more"));
    hostile = hostile.pack_named("ru", HOSTILE, &[("Grit", HOSTILE)]);
    let mut catalog =
        Catalog::on_disk().with(hostile).with(Ruleset::new("gravewatch", "1.0.0")).with(Ruleset::new("other", "1.0.0"));
    catalog.edit("gravewatch", "/manifest/id", json!(HOSTILE));
    catalog.edit("other", "/manifest/kind", json!([HOSTILE]));
    let mut world = World::of(catalog);

    assert_eq!(world.does("info ember-roads").info().ruleset.name, HOSTILE);
    assert_eq!(world.does("search --language ru").search().rulesets[0].name, HOSTILE);
    assert_eq!(world.does("search").search().left_out.len(), 1);
    world.fails("install other", "not-a-ruleset");
    assert_eq!(world.does("install ember-roads --language ru").package("ember-roads").name.as_deref(), Some(HOSTILE));
    assert_eq!(world.does("list").list().packages[0].name.as_deref(), Some(HOSTILE));
    world.publish(Ruleset::new("ember-roads", "1.1.0").named(HOSTILE).engine("2.3.0", "2.4.0"));
    let lines = [
        "search -v",
        "search --language ru",
        "info ember-roads",
        "list",
        "outdated",
        "sync --language pt",
        "update --dry-run",
        "update --engine-version 3.0.0",
        "update ember-roads --engine-version 3.0.0",
        "install other ember-roads",
        "rollback ember-roads",
        "doctor",
        "language",
        "uninstall ember-roads",
    ];
    for line in lines {
        for more in [vec!["-v"], vec!["--json"], vec!["--json", "--progress", "json"]] {
            if line.ends_with("-v") && more == ["-v"] {
                continue;
            }
            assert_nothing_hidden(&world.sandbox.run(&[words(line), more].concat()));
        }
    }
}

#[test]
fn hostile_text_of_the_command_line_is_not_echoed_raw() {
    let world = World::new();
    for words in [
        vec![HOSTILE],
        vec!["install", HOSTILE],
        vec!["rollback", HOSTILE],
        vec!["search", HOSTILE],
        vec!["language", HOSTILE],
        vec!["list", "--catalog", HOSTILE],
        vec!["schema", HOSTILE],
        vec!["list", HOSTILE],
        vec!["list", "--data-dir", "\u{1b}[31m\u{202e}"],
    ] {
        for more in [&[][..], &["--json"], &["--color=always"]] {
            let outcome = world.sandbox.run(&[&words[..], more].concat());
            if more == ["--color=always"] {
                assert!(!outcome.stderr.contains("\u{1b}[2J") && !outcome.stderr.contains('\u{202e}'), "{outcome}");
                assert!(!outcome.stdout.contains("\u{1b}[2J") && !outcome.stdout.contains('\u{202e}'), "{outcome}");
            } else {
                assert_nothing_hidden(&outcome);
            }
        }
    }
}

#[test]
fn hostile_text_of_a_server_is_not_shown_raw() {
    let server = Server::https();
    let sandbox = Sandbox::new().attach(&server);
    server.put("/catalog.json", Reply::ok(format!("{{\"{HOSTILE}\":")));
    for more in [&[][..], &["--json"]] {
        assert_nothing_hidden(&sandbox.run(&[&["search"][..], more].concat()).expect(4));
    }
    let raw = format!(
        r#"{{"schemaVersion":1,"generatedAt":"2026-11-30T00:00:00.000Z","packages":[{{"manifest":{{"id":{}}}}}]}}"#,
        json!(HOSTILE)
    );
    server.put("/catalog.json", Reply::ok(raw));
    for more in [&["-v"][..], &["--json"]] {
        assert_nothing_hidden(&sandbox.run(&[&["search", "--refresh"][..], more].concat()).expect(0));
    }
}

#[test]
fn events_are_one_object_a_line_on_stderr_and_stdout_stays_the_answer() {
    let server = Server::https();
    let catalog = Catalog::on(&server).with(ember_roads("1.0.0"));
    catalog.mount(&server);
    server.put_first(&catalog.artifact_path("ember-roads"), 1, Reply::status(503).retry_after("0"));
    server.remove(&catalog.pack_path("ember-roads", "ru"));
    let sandbox = Sandbox::new().attach(&server);
    let outcome = sandbox.run(&words("install ember-roads --language ru --json --progress json")).expect(0);
    let envelope = outcome.json();
    assert_eq!(envelope.warnings.len(), 1);
    let events: Vec<Value> = outcome.stderr.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    fit_their_schema(&events);
    let of_kind = |kind: &str| events.iter().filter(|event| event["event"] == kind).collect::<Vec<_>>();
    assert_eq!(of_kind("step")[0]["text"], "Reading the catalog");
    let waiting = &of_kind("waiting")[0];
    assert_eq!((&waiting["code"], waiting["seconds"].is_number()), (&json!("http-error"), true), "{waiting}");
    let about = ["package", "language", "kind"].map(|key| &waiting[key]);
    assert_eq!(about, [&json!("ember-roads"), &json!(null), &json!("artifact")], "{waiting}");
    assert_eq!(
        of_kind("warning"),
        [&json!({ "event": "warning", "code": envelope.warnings[0].code,
        "message": envelope.warnings[0].message, "package": "ember-roads", "language": null, "kind": null })]
    );
    let artifact: Vec<&str> = of_kind("download")
        .into_iter()
        .filter(|event| event["label"] == "ember-roads 1.0.0")
        .map(|event| {
            assert_eq!(event["total"], catalog.entry("ember-roads")["artifact"]["bytes"]);
            assert_eq!((&event["package"], &event["kind"]), (&json!("ember-roads"), &json!("artifact")), "{event}");
            event["state"].as_str().unwrap()
        })
        .collect();
    assert_eq!((artifact.first(), artifact.last()), (Some(&"started"), Some(&"finished")), "{events:?}");
    let pack = of_kind("download").into_iter().find(|event| event["kind"] == "language-pack").unwrap();
    assert_eq!((&pack["package"], &pack["language"]), (&json!("ember-roads"), &json!("ru")), "{events:?}");
}

/// Every event has every key its schema wants, and no others; later keys and events fit all the same.
#[track_caller]
fn fit_their_schema(events: &[Value]) {
    let (schema, exact) = (validator("progress"), jsonschema::validator_for(&closed(schema_of("progress"))).unwrap());
    for event in events {
        assert!(exact.is_valid(event), "{event}");
        for key in ["event", "package", "language", "kind"] {
            let mut other = event.clone();
            other.as_object_mut().unwrap().remove(key).unwrap_or_else(|| panic!("no {key} in {event}"));
            assert!(!schema.is_valid(&other), "{key} is missing and it fits: {event}");
        }
        let mut later = event.clone();
        later["unheardOf"] = json!(1);
        assert!(schema.is_valid(&later), "{later}");
    }
    assert!(schema.is_valid(&json!({ "event": "later", "what": "ever" })));
    assert!(!schema.is_valid(&json!({ "event": "step" })));
}

#[test]
fn progress_none_and_json_alone_keep_stderr_silent() {
    let world = World::new();
    let quiet = world.sandbox.run(&words("install ember-roads --progress none")).expect(0);
    assert_eq!(quiet.stderr, "");
    assert_eq!(world.sandbox.run(&words("install gravewatch --json")).expect(0).stderr, "");
    let told = world.sandbox.run(&words("install ember-roads --force")).expect(0);
    assert_eq!(told.stderr, "Unpacking ember-roads 1.0.0\n");
}

/// A program that hangs up, or a disk that is full, is no reason to write half a document without a word.
#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_cannot_be_written_is_a_failure() {
    let world = World::new();
    for line in [
        "list --json",
        "list",
        "search",
        "schema list",
        "completions bash",
        "--help",
        "--version --json",
        "nope --json",
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let mut command = world.sandbox.command(&words(line)).into_command();
        let output =
            command.stdout(full).stderr(std::process::Stdio::piped()).spawn().unwrap().wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        let expected = if line.starts_with("nope") { 2 } else { 1 };
        assert_eq!(output.status.code(), Some(expected), "{line}: {stderr}");
        assert!(stderr.contains("error[disk-full]: cannot write to stdout: "), "{line}: {stderr}");
    }
}

/// Bytes come slowly here, so that advances are told while they do.
#[test]
fn events_tell_how_far_a_download_has_come() {
    let server = Server::https();
    let catalog = Catalog::on(&server).with(Ruleset::new("ember-roads", "1.0.0"));
    catalog.mount(&server);
    server.change(&catalog.artifact_path("ember-roads"), |reply| reply.dribble(700, Duration::from_millis(60)));
    let sandbox = Sandbox::new().attach(&server);
    let outcome = sandbox.run(&words("install ember-roads --progress json")).expect(0);
    let told: Vec<Value> = outcome.stderr.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    fit_their_schema(&told);
    let bytes: Vec<u64> = told
        .iter()
        .filter(|event| event["state"] == "advanced")
        .map(|event| event["bytes"].as_u64().unwrap())
        .collect();
    assert!(bytes.len() >= 2 && bytes.is_sorted(), "{bytes:?}");
    assert_eq!(bytes.last(), catalog.entry("ember-roads")["artifact"]["bytes"].as_u64().as_ref());
}
