//! Time grows with the input and not with its square: every list and every map of every format is filled with a
//! thousand and with ten thousand items, each in several ways, and ten times the items may take no more than about ten
//! times as long.
//!
//! Which lists and maps there are is read off samples that use all there is (`testdata`), so a new key is walked
//! without being named here. Time is that of the thread alone, compared only with itself, and a case is given three
//! chances.
//!
//! There are some thousand cases, so `cargo test` runs those that were bad once and a few more, with a third of the
//! items. All of them, and with a hundred thousand items too; or only those whose name has a certain text:
//!
//! ```sh
//! RULEPACK_GROWTH=all cargo test --release --test growth -- --nocapture
//! RULEPACK_GROWTH="ruleset /layers" cargo test --test growth -- --nocapture
//! ```

mod clock;
mod crowd;
mod formats;
#[cfg(feature = "diceframe")]
mod rules;

use clock::spent;
use crowd::{Crowd, crowds};
use formats::FORMATS;
use rulepack::catalog::Manifest;
use rulepack::internals::package::{Nowhere, unpack};
use rulepack::internals::publish::strings::{self, Format};
use rulepack::internals::store::{Registered, fuzzing::registry};
use rulepack::ruleset::{Originals, check_pack_against};
use rulepack::types::Cancel;
use std::collections::HashSet;
use std::time::Duration;

/// How many times as long ten times as much may take. What is linear comes to ten and a little, what is quadratic to a
/// hundred; nothing in between has a name.
const MOST: f64 = 30.0;
/// What is over sooner than this says nothing about growth.
const TOO_SHORT: Duration = Duration::from_millis(100);

/// Cases that took minutes once.
const ONCE_BAD: &[&str] = &[
    "entry /manifest/entrypoints named",
    "entry /manifest/kind strange",
    "manifest /files strange",
    "ruleset /catalogs strange",
    "ruleset /layers named",
    "ruleset /layers strange",
    "ruleset /sheet/fields strange",
    #[cfg(feature = "diceframe")]
    "rule /combat/resources named",
];
/// Of the others every so manieth is run.
const FEW: usize = 500;

/// What is wrong with the growth of what takes a number of items, from `few` items to `many`.
fn fault(name: &str, few: usize, many: usize, run: impl Fn(usize) -> Duration) -> Option<String> {
    let allowed = MOST * (many / few) as f64 / 10.0;
    let mut told = String::new();
    for _ in 0..3 {
        let long = run(many);
        if long < TOO_SHORT {
            return None;
        }
        let short = run(few);
        let grown = long.as_secs_f64() / short.as_secs_f64().max(0.001);
        if grown < allowed {
            return None;
        }
        told = format!("{name}: {few} items take {short:?}, {many} take {long:?}: {grown:.0} times");
    }
    Some(told)
}

/// Every case once, in an order that is always the same.
fn cases() -> Vec<(String, &'static formats::Format, Crowd)> {
    let mut seen = HashSet::new();
    let of_format = |format: &'static formats::Format| {
        let crowds = (format.samples)().into_iter().flat_map(|sample| crowds(&sample));
        crowds.map(move |crowd| (format!("{} {}", format.name, crowd.name()), format, crowd))
    };
    FORMATS.iter().flat_map(of_format).filter(|(name, ..)| seen.insert(name.clone())).collect()
}

#[test]
fn time_grows_with_the_input_and_not_with_its_square() {
    let asked = std::env::var("RULEPACK_GROWTH").ok();
    let all = cases();
    for name in ONCE_BAD {
        assert!(all.iter().any(|(case, ..)| case == name), "there is no case {name}");
    }
    let is_run = |at: usize, name: &str| match asked.as_deref() {
        None => at.is_multiple_of(FEW) || ONCE_BAD.contains(&name),
        Some("all") => true,
        Some(text) => name.contains(text),
    };
    let sizes: &[usize] = match asked.as_deref() {
        None => &[300, 3_000],
        Some("all") => &[1_000, 10_000, 100_000],
        Some(_) => &[1_000, 10_000],
    };
    let mut faults = Vec::new();
    for (_, (name, format, crowd)) in all.iter().enumerate().filter(|(at, (name, ..))| is_run(*at, name)) {
        let run = |items: usize| {
            let input = crowd.with(items);
            spent(|| (format.run)(&input))
        };
        let found = sizes.windows(2).filter_map(|pair| fault(name, pair[0], pair[1], run));
        found.for_each(|fault| {
            eprintln!("{fault}");
            faults.push(fault);
        });
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn what_is_quadratic_is_told_and_what_is_linear_is_not() {
    let work = |steps: usize| spent(|| (0..steps).for_each(|step| assert!(std::hint::black_box(step) < steps)));
    assert_eq!(fault("linear", 1_000_000, 10_000_000, work), None);
    assert!(fault("quadratic", 600, 6_000, |items| work(items * items)).is_some());
}

/// A zip of so many files, with or without what they are.
fn zip(files: usize) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for n in 0..files {
        zip.start_file(format!("catalogs/x{n}.json"), zip::write::SimpleFileOptions::default()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn a_zip_of_many_files_is_gone_through_once() {
    let manifest = formats::manifests().remove(0);
    for are_declared in [true, false] {
        let run = |files: usize| {
            let mut manifest = manifest.clone();
            if are_declared {
                let file = |n| serde_json::json!({"path": format!("catalogs/x{n}.json"), "bytes": 1, "sha256": "0".repeat(64)});
                let listed = manifest["files"].as_array_mut().unwrap();
                listed.extend((0..files).map(file));
            }
            let manifest = Manifest::parse(&manifest.to_string()).unwrap();
            let zip = std::io::Cursor::new(zip(files));
            spent(|| assert!(unpack(zip, &manifest, &mut Nowhere, &Cancel::default()).is_err()))
        };
        assert_eq!(fault("a zip", 700, 7_000, run), None);
    }
}

#[test]
fn files_of_translators_are_written_and_read_once() {
    let root = tempfile::tempdir().unwrap();
    for (format, file) in [(Format::Po, "ru.po"), (Format::Csv, "ru.csv")] {
        let run = |texts: usize| {
            let values: Vec<String> = (0..texts).map(|n| format!("Lamp {n}")).collect();
            let ruleset = root.path().join("ruleset.json");
            let mut text: serde_json::Value =
                serde_json::from_slice(include_bytes!("../../testdata/seed/ruleset.json")).unwrap();
            text["sheet"]["fields"][0] = serde_json::json!({"id": "x", "label": "X", "type": "enum", "values": values});
            std::fs::write(&ruleset, text.to_string()).unwrap();
            let language = Some("ru".parse().unwrap());
            let mut order = strings::Request { path: ruleset, language, pack: None, format: Some(format) };
            spent(|| {
                let written = strings::strings(&order, &Cancel::default()).unwrap();
                assert!(written.strings.len() > texts);
                order.pack = Some(root.path().join(file));
                std::fs::write(order.pack.as_ref().unwrap(), written.to_file(format)).unwrap();
                assert!(strings::strings(&order, &Cancel::default()).is_ok());
            })
        };
        assert_eq!(fault(file, 1_000, 10_000, run), None);
    }
}

#[test]
fn numbers_of_a_text_and_of_its_translation_are_held_against_each_other_once() {
    let run = |numbers: usize| {
        // As many of them in one text as are compared, and one of each is another, so that all are looked for.
        let texts = (0..numbers / 50).map(|text| {
            let said = |last: usize| (0..49).chain([last]).map(|at| (10_000_000 + text * 100 + at).to_string());
            (said(49).collect::<Vec<_>>().join(" "), said(50).collect::<Vec<_>>().join(" ").into())
        });
        let texts: serde_json::Map<String, serde_json::Value> = texts.collect();
        let pack = serde_json::json!({
            "_meta": {"locale": "ru", "direction": "ltr"}, "package": {"name": "x", "description": "y"},
            "ruleset": &texts,
        });
        let (pack, language) = (pack.to_string(), "ru".parse().unwrap());
        spent(|| {
            let originals = Originals::new(texts.keys().map(String::as_str));
            let report = check_pack_against(pack.as_bytes(), &language, Some(&originals));
            assert!(!report.problems.is_empty());
        })
    };
    assert_eq!(fault("numbers", 10_000, 100_000, run), None);
}

/// A run asks the registry for each ruleset in it, and changes each.
#[test]
fn a_registry_is_not_gone_through_for_each_of_its_rulesets() {
    let run = |rulesets: usize| {
        let manifest = formats::manifests().remove(0).to_string();
        let record = |n: usize| {
            let manifest = manifest.replace("hostile", &format!("demo-{n}"));
            format!(
                r#"{{"id":"demo-{n}","version":"1.0.0","manifest":{manifest},"installedAt":"2026-12-01T00:00:00.000Z"}}"#
            )
        };
        let records: Vec<String> = (0..rulesets).map(record).collect();
        let text = format!(r#"{{"schemaVersion":1,"packages":[{}]}}"#, records.join(","));
        let mut registry = registry(text.as_bytes()).unwrap();
        spent(|| {
            let all = registry.rulesets();
            assert_eq!(all.len(), rulesets);
            for ruleset in &all {
                assert!(registry.has(ruleset.id.as_str()) && registry.ruleset(&ruleset.id).is_some());
                assert!(matches!(registry.look_up(ruleset.id.as_str()), Registered::Ruleset(_)));
            }
            for ruleset in &all {
                registry.put(&ruleset.id, registry.record(&ruleset.id).map(ToOwned::to_owned));
            }
            assert_eq!(registry.rulesets().len(), rulesets);
        })
    };
    assert_eq!(fault("a registry", 1_000, 10_000, run), None);
}
