//! No link is followed in a folder that is read: where an author, a friend or an archive put one, what it leads to is
//! neither read nor shown nor packed; and what takes the place of a file or folder meanwhile changes nothing of that.

use super::kit::envelope::{Envelope, Problem, Severity};
use super::kit::sandbox::Sandbox;
use super::kit::tree::{Tree, copy};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const SECRET: &str = "hunter2";

/// A package in the working folder, with an asset of its own in a folder, and a folder outside of it that holds the
/// same files; each of them holds the secret.
fn package() -> (Sandbox, PathBuf, PathBuf) {
    let sandbox = Sandbox::new();
    let root = sandbox.work().join("gravewatch");
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog-example/packages/gravewatch"), &root);
    fs::create_dir(root.join("art")).unwrap();
    fs::write(root.join("art/map.json"), "{\n  \"a map\": 1\n}").unwrap();
    fs::write(root.join("CHANGELOG.md"), "## 1.2.0 — 2026-01-01\n\nNew.\n").unwrap();
    let manifest = root.join("manifest.json");
    let mut declared: Value = serde_json::from_slice(&fs::read(&manifest).unwrap()).unwrap();
    declared["contributions"]["assets"]["paths"].as_array_mut().unwrap().push(json!("art/map.json"));
    fs::write(&manifest, serde_json::to_string_pretty(&declared).unwrap()).unwrap();
    let outside = sandbox.root().join("outside");
    copy(&root, &outside);
    for file in Tree::of(&outside).files() {
        let path = outside.join(file);
        let text = fs::read_to_string(&path).unwrap();
        let secret =
            text.replace("Night", SECRET).replace("night", SECRET).replace("New", SECRET).replace("a map", SECRET);
        fs::write(path, secret.replacen("{\n", &format!("{{\n  \"{SECRET}\": 1,\n"), 1)).unwrap();
    }
    (sandbox, root, outside)
}

/// Every place in a package that something is read at, files and folders.
const PLACES: [&str; 9] = [
    "manifest.json",
    "ruleset.json",
    "listing.json",
    "CHANGELOG.md",
    "catalogs/charms.json",
    "catalogs",
    "locales/ru.json",
    "locales",
    "art",
];

fn replace_by_link(path: &Path, target: &Path) {
    match path.is_dir() {
        true => fs::remove_dir_all(path).unwrap(),
        false => fs::remove_file(path).unwrap(),
    }
    symlink(target, path).unwrap();
}

fn problems(answer: &Envelope) -> Vec<Problem> {
    match answer.command.as_deref() {
        Some("check") => answer.check().problems.clone(),
        _ => serde_json::from_value(answer.other()["problems"].clone()).unwrap(),
    }
}

#[test]
fn a_link_anywhere_in_a_package_is_the_one_error_and_never_read() {
    for place in PLACES {
        let (sandbox, root, outside) = package();
        replace_by_link(&root.join(place), &outside.join(place));
        let before = Tree::of(sandbox.work());
        for command in [&["check", "gravewatch"][..], &["import", "gravewatch"], &["catalog", "build", "."]] {
            let told = sandbox.command(&[command, &["--json"]].concat()).run().expect(10);
            assert!(!format!("{told}").contains(SECRET), "{place}: {told}");
            let found = problems(&told.json());
            let errors: Vec<_> = found.iter().filter(|problem| problem.severity == Severity::Error).collect();
            assert_eq!(errors.len(), 1, "{place}: {errors:#?}");
            assert_eq!(errors[0].code, "unsafe-path", "{place}");
            assert_eq!(errors[0].file.as_deref(), root.join(place).to_str(), "{place}");
            assert!(errors[0].message.contains("is a link") && errors[0].hint.is_some(), "{errors:#?}");
            assert!(!found.iter().any(|problem| problem.message.contains("not in the folder")), "{found:#?}");
            let said = sandbox.run(command).expect(10);
            assert!(!format!("{said}").contains(SECRET), "{place}: {said}");
        }
        for format in ["po", "json", "csv"] {
            let told = sandbox.run(&["strings", "gravewatch", "--language", "ru", "--format", format]).expect(4);
            assert!(told.stderr.contains("is a link") && told.stdout.is_empty(), "{place}: {told}");
            assert!(!told.stderr.contains(SECRET), "{place}: {told}");
        }
        let shown = sandbox.run(&["show", "gravewatch"]).expect(4);
        assert!(!format!("{shown}").contains(SECRET), "{place}: {shown}");
        before.assert_same(&Tree::of(sandbox.work()));
        assert!(!sandbox.data().join("rulesets").exists());
    }
}

#[test]
fn what_lies_beside_a_named_file_is_no_link_either() {
    let (sandbox, root, outside) = package();
    replace_by_link(&root.join("catalogs/charms.json"), &outside.join("catalogs/charms.json"));
    let told = sandbox.json(&["check", "gravewatch/ruleset.json"]);
    let found: Vec<_> = told.check().problems.iter().map(|problem| problem.code.as_str()).collect();
    assert_eq!((told.exit, found.as_slice()), (10, ["unsafe-path"].as_slice()), "{told:#?}");
    for command in [
        &["strings", "gravewatch/ruleset.json"][..],
        &["check", "gravewatch/locales/ru.json"],
        &["check", "gravewatch/locales/ru.json", "--ruleset", "gravewatch/ruleset.json"],
        &["check", "gravewatch/ruleset.json", "--against", "gravewatch"],
        &["show", "gravewatch/ruleset.json"],
    ] {
        let told = sandbox.run(command).expect(4);
        assert!(told.stderr.contains("link") && !format!("{told}").contains(SECRET), "{command:?}: {told}");
    }
    let pack = sandbox.work().join("gravewatch-1.2.0.ru.json");
    fs::copy(root.join("ruleset.json"), sandbox.work().join("gravewatch-1.2.0.ruleset.json")).unwrap();
    symlink(outside.join("locales/ru.json"), pack).unwrap();
    let told = sandbox.run(&["strings", "gravewatch-1.2.0.ruleset.json", "--language", "ru"]).expect(4);
    assert!(told.stderr.contains("is a link") && !format!("{told}").contains(SECRET), "{told}");
}

/// Whoever names a link means what it leads to.
#[test]
fn a_link_that_is_named_is_followed() {
    let (sandbox, root, _) = package();
    symlink("gravewatch", sandbox.work().join("link")).unwrap();
    symlink(root.join("ruleset.json"), sandbox.work().join("link.json")).unwrap();
    sandbox.run(&["check", "link", "link.json", "link/locales/ru.json"]).expect(0);
    sandbox.run(&["strings", "link", "--language", "ru"]).expect(0);
    sandbox.run(&["import", "link"]).expect(0);
    sandbox.run(&["catalog", "build", "link", "--out", "built"]).expect(0);
    let elsewhere = sandbox.work().join("elsewhere.json");
    fs::rename(root.join("ruleset.json"), &elsewhere).unwrap();
    symlink(&elsewhere, root.join("ruleset.json")).unwrap();
    sandbox.run(&["check", "gravewatch/ruleset.json"]).expect(0);
    sandbox.run(&["strings", "gravewatch/ruleset.json", "--language", "ru"]).expect(0);
}

#[test]
fn a_link_to_a_package_is_neither_built_nor_passed_over() {
    let (sandbox, root, outside) = package();
    let packages = sandbox.work().join("packages");
    fs::create_dir(&packages).unwrap();
    fs::rename(&root, packages.join("gravewatch")).unwrap();
    // A link to something else is nobody's business.
    symlink(sandbox.data(), packages.join("data")).unwrap();
    sandbox.run(&["catalog", "build", "."]).expect(0);
    fs::remove_file(sandbox.work().join("catalog.json")).unwrap();
    symlink(&outside, packages.join("other")).unwrap();
    let told = sandbox.json(&["catalog", "build", "."]);
    assert_eq!((told.exit, told.code()), (4, "unsafe-path"));
    assert!(told.error.unwrap().message.contains("packages/other"));
    fs::rename(&packages, sandbox.work().join("real")).unwrap();
    symlink("real", &packages).unwrap();
    assert_eq!(sandbox.json(&["catalog", "build", "."]).code(), "unsafe-path");
    assert!(!sandbox.work().join("catalog.json").exists());
}

#[test]
fn a_link_or_a_pipe_among_sheets_is_one_sheet_less() {
    let (sandbox, ..) = package();
    let sheets = sandbox.work().join("sheets");
    fs::create_dir(&sheets).unwrap();
    fs::write(sandbox.root().join("private.json"), format!("{{\"{SECRET}\": 1}}")).unwrap();
    symlink(sandbox.root().join("private.json"), sheets.join("a.json")).unwrap();
    fs::write(sheets.join("b.json"), "{\"v\": 1}").unwrap();
    pipe(&sheets.join("c.json"));
    let told = sandbox.run(&["migrate", "gravewatch", "sheets", "--json"]);
    assert!(!format!("{told}").contains(SECRET), "{told}");
    assert_eq!(told.json().code(), "unsafe-path", "{told}");
    let sources: Vec<_> =
        told.json().other()["sheets"].as_array().unwrap().iter().map(|sheet| sheet["source"].to_string()).collect();
    assert_eq!(sources, ["\"sheets/a.json\"", "\"sheets/b.json\""]);
}

/// What is installed is read as it lies there, too.
#[test]
fn a_link_in_an_imported_ruleset_is_not_shown() {
    let (sandbox, _, outside) = package();
    sandbox.run(&["import", "gravewatch", "--language", "ru"]).expect(0);
    let version = sandbox.data().join("rulesets/local/gravewatch");
    let version = fs::read_dir(&version).unwrap().next().unwrap().unwrap().path();
    for place in ["ruleset.json", "catalogs"] {
        let kept = version.with_file_name("kept");
        fs::rename(version.join(place), &kept).unwrap();
        symlink(outside.join(place), version.join(place)).unwrap();
        for command in [["show", "local/gravewatch"].as_slice(), &["translate", "local/gravewatch", "Night"]] {
            let told = sandbox.run(command).expect(8);
            assert!(told.stderr.contains("is a link") && !format!("{told}").contains(SECRET), "{place}: {told}");
        }
        fs::remove_file(version.join(place)).unwrap();
        fs::rename(kept, version.join(place)).unwrap();
    }
    sandbox.run(&["show", "local/gravewatch"]).expect(0);
}

/// Its texts are nowhere to be had, so a template without them would be no template.
#[test]
fn a_pipe_in_the_place_of_a_catalog_file_is_no_template() {
    let (sandbox, root, _) = package();
    let catalog = fs::read_dir(root.join("catalogs")).unwrap().next().unwrap().unwrap().path();
    fs::remove_file(&catalog).unwrap();
    pipe(&catalog);
    for place in [root.clone(), root.join("ruleset.json")] {
        let answer = sandbox.json(&["strings", place.to_str().unwrap()]);
        assert_eq!(answer.code(), "io", "{answer:#?}");
        let told = &answer.error.as_ref().unwrap().message;
        assert!(told.contains(catalog.file_name().unwrap().to_str().unwrap()) && !told.contains("JSON"), "{told}");
    }
}

fn pipe(path: &Path) {
    assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Swaps the package's files for pipes and its files and folders for links, over and over, while `work` runs.
fn swapping(root: &Path, outside: &Path, work: impl FnOnce()) {
    let (is_done, swaps) = (AtomicBool::new(false), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let aside = root.with_file_name("aside");
            let pause = || std::thread::sleep(Duration::from_micros(300));
            for place in PLACES.iter().cycle().take_while(|_| !is_done.load(Ordering::Relaxed)) {
                let path = root.join(place);
                let is_folder = path.is_dir();
                fs::rename(&path, &aside).unwrap();
                match swaps.fetch_add(1, Ordering::Relaxed) % 2 == 0 && !is_folder {
                    true => pipe(&path),
                    false => symlink(outside.join(place), &path).unwrap(),
                }
                pause();
                // A build may have put a new manifest there meanwhile.
                let _ = fs::remove_file(&path);
                fs::rename(&aside, &path).unwrap();
                pause();
            }
        });
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
        is_done.store(true, Ordering::Relaxed);
        done.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    });
    assert!(swaps.into_inner() > PLACES.len(), "nothing was swapped");
}

#[test]
fn what_is_swapped_while_it_is_read_neither_hangs_a_run_nor_leads_out() {
    let (sandbox, root, outside) = package();
    let packages = sandbox.work().join("packages");
    fs::create_dir(&packages).unwrap();
    let package = packages.join("gravewatch");
    fs::rename(root, &package).unwrap();
    let untouched = Tree::of(&outside);
    swapping(&package, &outside, || {
        let end = Instant::now() + Duration::from_secs(6);
        while Instant::now() < end {
            for command in [
                &["check", "packages/gravewatch"][..],
                &["strings", "packages/gravewatch", "--language", "ru", "--format", "po"],
                &["import", "packages/gravewatch", "--language", "ru"],
                &["catalog", "build", "."],
            ] {
                let told = sandbox.command(command).timeout(Duration::from_secs(60)).run();
                assert!(!format!("{told}").contains(SECRET), "{told}");
                assert!(matches!(told.status, Some(0 | 1 | 3 | 4 | 10)), "{told}");
            }
        }
    });
    untouched.assert_same(&Tree::of(&outside));
    for folder in [sandbox.data(), sandbox.work().join("artifacts")] {
        for file in Tree::of(&folder).files() {
            let bytes = fs::read(folder.join(file)).unwrap();
            assert!(!bytes.windows(SECRET.len()).any(|part| part == SECRET.as_bytes()), "{file}");
        }
    }
}
