//! Every format, with samples that use all there is of it and what reads it.

use rulepack::catalog::{Manifest, Notes, read_entry};
use rulepack::fetch;
use rulepack::internals::inspect::{self, Findings, inspect};
use rulepack::internals::package::{self, Nowhere};
use rulepack::internals::publish::{self, strings};
use rulepack::internals::store::{self, Decisions};
use rulepack::ruleset::{self, Migrator, Originals, check_pack_against};
use rulepack::types::{Cancel, Silent};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::Path;

pub struct Format {
    pub name: &'static str,
    pub samples: fn() -> Vec<Value>,
    pub run: fn(&[u8]),
}

pub const FORMATS: &[Format] = &[
    Format { name: "ruleset", samples: rulesets, run: ruleset },
    Format { name: "catalog-file", samples: || vec![testdata("seed/catalogs/wares.json")], run: catalog_file },
    Format { name: "entry", samples: || vec![testdata("hostile/base/entry.json")], run: entry },
    Format { name: "manifest", samples: manifests, run: manifest },
    Format { name: "pack", samples: || vec![testdata("seed/locales/ru.json")], run: pack },
    Format { name: "bundle", samples: || vec![testdata("hostile/base/bundle.json")], run: bundle },
    Format { name: "catalog", samples: catalogs, run: catalog },
    Format { name: "notes", samples: all_notes, run: notes },
    Format { name: "registry", samples: registries, run: registry },
    Format { name: "state", samples: states, run: state },
    Format { name: "decisions", samples: all_decisions, run: decisions },
    Format { name: "verify", samples: catalogs, run: |input| verify(input, b"{}") },
    Format { name: "verify-notes", samples: all_notes, run: verify_notes },
    Format { name: "listing", samples: || vec![example("listing.json")], run: listing },
    Format { name: "translation", samples: || vec![testdata("seed/locales/ru.json")], run: translation },
    Format { name: "shared", samples: || vec![testdata("hostile/base/bundle.json")], run: shared },
    #[cfg(feature = "diceframe")]
    Format { name: "rule", samples: rules, run: audits::rule },
    #[cfg(feature = "diceframe")]
    Format { name: "audit-rules", samples: rules, run: audits::rules },
    #[cfg(feature = "diceframe")]
    Format { name: "audit-dice", samples: dice_rules, run: audits::dice },
    #[cfg(feature = "diceframe")]
    Format { name: "audit-combat", samples: rules, run: audits::combat },
    Format { name: "sheet", samples: sheets, run: sheet },
    Format { name: "layers", samples: rulesets, run: layers },
];

fn testdata(path: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata").join(path);
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

fn value(input: &[u8]) -> Value {
    serde_json::from_slice(input).unwrap()
}

/// What `check` and `catalog verify` do with a ruleset and its catalog files, and what an install does.
fn look_into(ruleset: &[u8], catalogs: &BTreeMap<String, Vec<u8>>) {
    let inspection = inspect(ruleset, catalogs, None, &Cancel::default());
    Findings::new(inspection.problems, 1, 1, false);
    let catalogs = catalogs.iter().map(|(path, bytes)| (path.parse().unwrap(), bytes.clone())).collect();
    let _ = ruleset::essentials(ruleset, &catalogs, Some("1.20".parse().unwrap()));
}

fn rulesets() -> Vec<Value> {
    ["lantern-coast", "iron-quarter"].map(|name| testdata(&format!("rulesets/{name}.json"))).into()
}

fn ruleset(input: &[u8]) {
    look_into(input, &BTreeMap::new());
    if let Ok(ruleset) = rulepack::internals::json::document(input, rulepack::types::Code::InvalidRuleset.rule()) {
        ruleset::minimum_api(&ruleset, &[]);
        // All ids are gone, and as many are new that are spelt much like them.
        let mut renamed: Value =
            serde_json::from_str(&ruleset.to_string().replace("\"id\":\"", "\"id\":\"n_")).unwrap();
        renamed["id"] = ruleset["id"].clone();
        for new in [&ruleset, &renamed] {
            let [new, old] = [new, &ruleset].map(|ruleset| ruleset::Edition { ruleset, files: &[] });
            ruleset::against(new, old);
        }
    }
}

fn catalog_file(input: &[u8]) {
    let ruleset = testdata("seed/ruleset.json").to_string();
    look_into(ruleset.as_bytes(), &BTreeMap::from([("catalogs/wares.json".to_owned(), input.to_vec())]));
}

fn entry(input: &[u8]) {
    read_entry(std::str::from_utf8(input).unwrap());
}

fn manifest(input: &[u8]) {
    Manifest::read(std::str::from_utf8(input).unwrap());
}

fn pack(input: &[u8]) {
    let (ruleset, wares) = (testdata("seed/ruleset.json"), testdata("seed/catalogs/wares.json"));
    let texts = ruleset::display_texts(&ruleset, &[("catalogs/wares.json".to_owned(), wares)]);
    let originals = Originals::new(&texts);
    check_pack_against(input, &"ru".parse().unwrap(), Some(&originals));
}

/// A record as the engine keeps it.
fn registries() -> Vec<Value> {
    let manifest = manifests().remove(0);
    let record = json!({
        "id": manifest["id"], "version": "1.0.0", "manifest": manifest, "installedAt": "2026-11-30T00:00:00.000Z",
        "status": "active", "error": null, "previousVersion": null, "previousManifest": manifest, "more": {"a": []},
    });
    vec![json!({"schemaVersion": 1, "packages": [record]})]
}

fn registry(input: &[u8]) {
    let _ = store::fuzzing::registry(input).map(|registry| {
        registry.rulesets();
        registry.unreadable_rulesets();
        registry.to_text()
    });
}

pub fn manifests() -> Vec<Value> {
    vec![testdata("hostile/base/entry.json")["manifest"].take()]
}

fn bundle(input: &[u8]) {
    let manifest = Manifest::parse(&manifests().remove(0).to_string()).unwrap();
    let _ = package::unpack(Cursor::new(input), &manifest, &mut Nowhere, &Cancel::default());
}

fn catalogs() -> Vec<Value> {
    vec![json!({"schemaVersion": 1, "generatedAt": "", "packages": [testdata("hostile/base/entry.json")], "more": []})]
}

fn catalog(input: &[u8]) {
    let Ok(copy) = rulepack::internals::fetch::fuzzing::catalog(input) else { return };
    for row in copy.rows() {
        read_entry(&copy.raw_of(row).unwrap());
        row.id.into_iter().for_each(|id| assert!(copy.rows_of(id).next().is_some()));
    }
    rulepack::internals::fetch::fuzzing::copy_header(fetch::fuzzing::header_of(&copy).as_bytes());
}

fn all_notes() -> Vec<Value> {
    let note = json!({"version": "1.1.0", "date": "2026-11-30", "notes": "x", "highlight": true});
    vec![json!({"schemaVersion": 1, "packages": {"ember-roads": {"versions": [note]}}})]
}

fn notes(input: &[u8]) {
    let version = |text: &str| text.parse().unwrap();
    let notes = Notes::parse(std::str::from_utf8(input).unwrap());
    notes.between(&"ember-roads".parse().unwrap(), &version("1.0.0"), &version("9.0.0"));
}

/// A folder with these files in it.
fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for (path, bytes) in files {
        let path = root.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    root
}

/// What `catalog verify` does with a catalog and the notes beside it.
fn verify(catalog: &[u8], notes: &[u8]) {
    let root = folder(&[("catalog.json", catalog), ("notes.json", notes)]);
    let fetch = fetch::Settings::new(fetch::CatalogSource::Local(root.path().to_owned()), root.path().join("cache"));
    let request = publish::verify::Request { fetch, only: Vec::new(), shallow: true, own: false, strict: false };
    let _ = publish::verify::verify(&request, &Cancel::default(), &Silent);
}

fn verify_notes(input: &[u8]) {
    verify(catalogs().remove(0).to_string().as_bytes(), input);
}

/// A file of an example's package.
fn example(path: &str) -> Value {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog-example/packages/saltmarsh-post");
    serde_json::from_slice(&std::fs::read(package.join(path)).unwrap()).unwrap()
}

/// What `catalog build` does with the listing of a package.
fn listing(input: &[u8]) {
    let [manifest, ruleset] = ["manifest.json", "ruleset.json"].map(|path| example(path).to_string().into_bytes());
    let root = folder(&[("a/manifest.json", &manifest), ("a/ruleset.json", &ruleset), ("a/listing.json", input)]);
    let containers = publish::Containers { usual: publish::Container::Bundle, of: BTreeMap::new() };
    let order = publish::Order {
        dir: root.path().join("a"),
        out: root.path().join("out"),
        base_url: None,
        containers,
        generated_at: None,
        allow_breaking: false,
    };
    let _ = publish::build(&order, &Cancel::default());
}

/// What `strings` does with a pack.
fn translation(input: &[u8]) {
    let ruleset = testdata("seed/ruleset.json").to_string();
    let root = folder(&[("ruleset.json", ruleset.as_bytes()), ("ru.json", input)]);
    let [path, pack] = ["ruleset.json", "ru.json"].map(|name| root.path().join(name));
    let language = Some("ru".parse().unwrap());
    let order = strings::Request { path, language, pack: Some(pack), format: Some(strings::Format::Json) };
    let written = strings::strings(&order, &Cancel::default());
    let _ = written.map(|written| written.to_file(strings::Format::Json));
}

/// What `import` and `show` do with a file somebody shares.
fn shared(input: &[u8]) {
    let root = folder(&[("x.ruleset.json", input)]);
    let _ = inspect::read_shared(&root.path().join("x.ruleset.json"), &Cancel::default());
}

/// `rulepack.json` with all that stands in it.
fn states() -> Vec<Value> {
    let hash = "0".repeat(64);
    let file = json!({"bytes": 1, "sha256": hash});
    let pack = json!({"language": "ru", "bytes": 1, "sha256": hash});
    let offer = json!({"language": "ru", "url": "https://example.org/x.json", "sha256": hash, "bytes": 1, "name": "x"});
    let receipt = json!({
        "artifact": file, "manifest": file, "pack": pack, "left": [pack], "offered": [offer],
        "settled": {"entry": hash, "language": "ru"}, "x": [],
    });
    let imported = json!({
        "name": "x", "installedAt": "x", "files": [{"path": "ruleset.json", "expected": file}], "pack": null, "x": []
    });
    vec![json!({
        "schema": 1, "language": "ru", "x": {"a": []},
        "packages": {"ember-roads": {"held": true, "active": "1.0.0", "versions": {"1.0.0": receipt}, "x": {"a": []}}},
        "imported": {"salt-road": {"versions": {"1": imported}}},
    })]
}

fn state(input: &[u8]) {
    let _ = store::fuzzing::state(input).map(|state| state.to_text());
}

fn all_decisions() -> Vec<Value> {
    vec![
        json!({"schemaVersion": 1, "declined": {"ember-roads": {"version": "2.0.0", "declinedAt": "x", "x": []}}, "x": []}),
    ]
}

fn decisions(input: &[u8]) {
    let mut decisions = Decisions::parse(input);
    decisions.set(&"ember-roads".parse().unwrap(), Some("3.0.0"), "now");
    decisions.to_text();
}

#[cfg(feature = "diceframe")]
fn rules() -> Vec<Value> {
    rules_of("combat-ridge")
}

#[cfg(feature = "diceframe")]
fn dice_rules() -> Vec<Value> {
    rules_of("dice-tide")
}

/// The rules of a pack, each with all it inherits.
#[cfg(feature = "diceframe")]
fn rules_of(pack: &str) -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("testdata/diceframe/{pack}/content/rules"));
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let resolved = |path: &std::path::PathBuf| {
        let mut rule = rulepack::internals::diceframe::rules::load(path, None).unwrap().resolved;
        rule.as_object_mut().unwrap().retain(|key, _| key != "extends" && key != "abstract");
        rule
    };
    files.iter().map(resolved).collect()
}

#[cfg(feature = "diceframe")]
mod audits {
    use super::{folder, value};
    use rulepack::internals::diceframe::{combat, dice, rules};
    use rulepack::types::{Cancel, Problems};

    pub fn rule(input: &[u8]) {
        combat::check(&value(input), &mut Problems::default());
    }

    pub fn rules(input: &[u8]) {
        let root = folder(&[("rule.json", input)]);
        let request = rules::Request { paths: vec![root.path().join("rule.json")], ..rules::Request::default() };
        let _ = rules::audit(&request, &Cancel::default());
    }

    pub fn dice(input: &[u8]) {
        let root = folder(&[("rule.json", input)]);
        let Ok(gathered) = rules::gather(None, &[root.path().join("rule.json")], &Cancel::default()) else { return };
        let order = dice::audit::Order {
            rounds: 1,
            players: 1,
            distribution_samples: dice::audit::MIN_SAMPLES,
            seed: 1,
            only: Vec::new(),
            details: false,
        };
        let _ =
            dice::audit::audit(&dice::audit::subjects(gathered.rules), gathered.problems, &order, &Cancel::default());
    }

    pub fn combat(input: &[u8]) {
        let root = folder(&[("rule.json", input)]);
        let order = combat::audit::Order {
            host: None,
            paths: vec![root.path().join("rule.json")],
            only: Vec::new(),
            rounds: 1,
            players: 1,
            seed: 1,
            trace: false,
            strict: false,
        };
        let _ = combat::audit::audit(&order, &Cancel::default());
    }
}

fn sheets() -> Vec<Value> {
    let row = json!({"name": "Rope", "worn": false, "weight": 3});
    let build = json!({
        "fields": {"class": "Fighter 3", "level": 3}, "abilities": {"grit": 10}, "skills": {"climb": "trained"},
        "saves": {"grit": "trained"}, "lists": {"gear": [row]},
    });
    vec![json!({
        "rulesetId": "lantern-coast", "rulesetVersion": 1, "sheetVersion": 1, "build": build, "live": {"pools": {"harm": 3}}
    })]
}

fn sheet(input: &[u8]) {
    let ruleset = testdata("rulesets/lantern-coast.json");
    let _ = Migrator::new(&ruleset).migrate(value(input));
}

/// The ruleset as a game reads it with its first layers on, and with what its migrations make of a sheet.
fn layers(input: &[u8]) {
    let ruleset = value(input);
    let layers = ruleset["layers"].as_array().into_iter().flatten();
    let chosen: Vec<&str> = layers.filter_map(|layer| layer["id"].as_str()).take(12).collect();
    let _ = ruleset::with_layers(&ruleset, &[], &chosen);
    let _ = Migrator::new(&ruleset).migrate(sheets().remove(0));
}

/// A sample that is refused at its first key shows nothing.
#[test]
fn every_sample_is_read_to_its_end() {
    let text = |sample: Value| sample.to_string();
    assert!(rulepack::internals::fetch::fuzzing::catalog(text(catalogs().remove(0)).as_bytes()).is_ok());
    assert!(store::fuzzing::registry(text(registries().remove(0)).as_bytes()).unwrap().rulesets().len() == 1);
    let state = store::fuzzing::state(text(states().remove(0)).as_bytes()).unwrap();
    assert_eq!((state.packages.len(), state.imported.len()), (1, 1));
    let road = "ember-roads".parse().unwrap();
    assert_eq!(Decisions::parse(text(all_decisions().remove(0)).as_bytes()).declined(&road), Some("2.0.0"));
    let notes = Notes::parse(&text(all_notes().remove(0)));
    assert_eq!(notes.between(&road, &"1.0.0".parse().unwrap(), &"2.0.0".parse().unwrap()).len(), 1);
    let manifest = Manifest::parse(&text(manifests().remove(0))).unwrap();
    let bundle = text(testdata("hostile/base/bundle.json"));
    assert!(package::unpack(Cursor::new(bundle), &manifest, &mut Nowhere, &Cancel::default()).is_ok());
}
