//! `check`: whatever an author has at hand, every finding at its place, in three faces.

use super::kit::envelope::{Check, Envelope, Severity, Status};
use super::kit::publish::Container;
use super::kit::sandbox::Sandbox;
use super::kit::sha256;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A copy of an example package in the working folder.
fn package(sandbox: &Sandbox, name: &str) -> PathBuf {
    fn copy(from: &Path, to: &Path) {
        fs::create_dir_all(to).unwrap();
        for entry in fs::read_dir(from).unwrap() {
            let (from, to) = (entry.as_ref().unwrap().path(), to.join(entry.unwrap().file_name()));
            if from.is_dir() {
                copy(&from, &to);
            } else {
                fs::copy(from, to).unwrap();
            }
        }
    }
    let root = sandbox.work().join(name);
    copy(&repository().join("catalog-example/packages").join(name), &root);
    root
}

/// Replaces the first of a text in a file; it must be there.
#[track_caller]
fn change(file: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(file).unwrap();
    assert!(text.contains(from), "{from} is not in {}", file.display());
    fs::write(file, text.replacen(from, to, 1)).unwrap();
}

fn json_of(file: &Path) -> Value {
    serde_json::from_slice(&fs::read(file).unwrap()).unwrap()
}

/// Code, file (from the working folder on), line and column of every finding.
fn found(sandbox: &Sandbox, check: &Check) -> Vec<String> {
    let work = format!("{}/", sandbox.work().display());
    let told = check.problems.iter().map(|problem| {
        let file = problem.file.as_deref().unwrap_or("?").replace(&work, "");
        let number = |number: Option<u64>| number.map_or("?".to_owned(), |number| number.to_string());
        let (start, end) = ((problem.line, problem.column), (problem.end_line, problem.end_column));
        assert!(start <= end && start.0.is_some() == end.0.is_some(), "{problem:?}");
        format!("{} {file}:{}:{}", problem.code, number(problem.line), number(problem.column))
    });
    told.collect()
}

/// An artifact of an example package whose ruleset was changed, sound otherwise.
fn artifact(container: Container, from: &str, to: &str) -> Vec<u8> {
    let root = repository().join("catalog-example/packages/gravewatch");
    let mut manifest = json_of(&root.join("manifest.json"));
    let files = ["ruleset.json", "catalogs/charms.json"].map(|path| {
        let mut bytes = fs::read(root.join(path)).unwrap();
        if path == "ruleset.json" && !from.is_empty() {
            let text = String::from_utf8(bytes).unwrap();
            assert!(text.contains(from));
            bytes = text.replacen(from, to, 1).into_bytes();
        }
        (path.to_owned(), bytes)
    });
    for (listed, (_, bytes)) in manifest["files"].as_array_mut().unwrap().iter_mut().zip(&files) {
        listed["sha256"] = sha256(bytes).into();
        listed["bytes"] = bytes.len().into();
    }
    container.pack(manifest.to_string().as_bytes(), &files)
}

fn is_well(answer: &Envelope) {
    assert_eq!((answer.exit, answer.status), (0, Status::Ok), "{answer:#?}");
    assert!(answer.check().problems.is_empty(), "{answer:#?}");
}

#[test]
fn everything_of_the_example_catalog_and_every_real_ruleset_is_well() {
    let sandbox = Sandbox::new();
    let root = repository();
    let mut paths = Vec::new();
    for folder in ["catalog-example/packages", "catalog-example/artifacts", "testdata/rulesets"] {
        let entries = fs::read_dir(root.join(folder)).unwrap();
        paths.extend(entries.map(|entry| entry.unwrap().path().into_os_string().into_string().unwrap()));
    }
    let args: Vec<&str> = std::iter::once("check").chain(paths.iter().map(String::as_str)).collect();
    let answer = sandbox.json(&args);
    is_well(&answer);
    assert!(answer.warnings.is_empty(), "{answer:#?}");
    let shown = sandbox.run(&args).expect(0);
    assert!(shown.stdout.ends_with("files checked: no problems found\n"), "{shown}");
    assert!(shown.stdout.contains("bundle of ember-roads 1.0.0"), "{shown}");
}

#[test]
fn every_finding_of_a_package_folder_has_its_file_line_and_column() {
    let sandbox = Sandbox::new();
    let root = package(&sandbox, "gravewatch");
    change(&root.join("manifest.json"), "\"engine\": {", "\"engin\": {},\r\n  \"engine\": {");
    change(&root.join("ruleset.json"), "\"id\": \"gravewatch\",", "\"name\": \"ä\",\t\"id\": \"gravewatch\",");
    change(&root.join("locales/ru.json"), "\"locale\": \"ru\"", "\"locale\": \"de\"");
    let answer = sandbox.json(&["check", "gravewatch"]);
    assert_eq!((answer.exit, answer.status), (10, Status::Problems));
    let check = answer.check();
    assert_eq!(
        found(&sandbox, check),
        [
            "unknown-key gravewatch/manifest.json:15:3",
            "stale-manifest gravewatch/manifest.json:33:5",
            "duplicate-key gravewatch/ruleset.json:5:3",
            "T03 gravewatch/locales/ru.json:3:15",
        ]
    );
    assert!(check.problems.iter().all(|problem| problem.package.as_deref() == Some("gravewatch")));
    assert_eq!((check.summary.errors, check.summary.warnings, check.summary.packages), (2, 2, 1));
    let strict = sandbox.json(&["check", "gravewatch", "--strict"]);
    assert!(strict.check().problems.iter().all(|problem| problem.severity == Severity::Error));
}

#[test]
fn translations_are_not_stale_because_a_catalog_file_is_missing_or_broken() {
    let sandbox = Sandbox::new();
    let root = package(&sandbox, "ember-roads");
    let pack = ["check", "ember-roads/locales/de.json", "--ruleset", "ember-roads/ruleset.json"];
    change(&root.join("locales/de.json"), "\"Hemp Rope\": ", "\"Hemp Rape\": ");
    assert_eq!(found(&sandbox, sandbox.json(&pack).check()).len(), 1);
    change(&root.join("catalogs/wares.json"), "{", "");
    let broken = sandbox.json(&["check", "ember-roads"]);
    let of_files = |name: &str| found(&sandbox, broken.check()).into_iter().filter(|told| told.contains(name)).count();
    assert_eq!((of_files("catalogs/wares.json"), of_files("locales/")), (1, 0), "{broken:#?}");
    let in_part = |answer: &Envelope| {
        assert!(answer.check().problems.is_empty(), "{answer:#?}");
        assert_eq!(answer.warning_codes(), ["catalog-left-out"]);
    };
    in_part(&sandbox.json(&pack));
    fs::remove_file(root.join("catalogs/wares.json")).unwrap();
    in_part(&sandbox.json(&pack));
}

#[test]
fn people_see_the_line_with_what_is_wrong_in_it() {
    let sandbox = Sandbox::new();
    let root = package(&sandbox, "gravewatch");
    change(&root.join("manifest.json"), "\"engine\": {", "\"engin\": \"\u{202e}\",\n  \"engine\": {");
    let shown = sandbox.run(&["check", "gravewatch"]).expect(10);
    let wanted = "\
error[unknown-key]: unknown key `engin`
  --> gravewatch/manifest.json:15:3
   |
15 |   \"engin\": \"\\u{202e}\",
   |   ^^^^^^^
   = at: /engin
   = hint: did you mean `engine`? known keys here: `localizations`

6 files checked: 1 error
`rulepack explain unknown-key` explains a code and how to fix it.
";
    assert_eq!((shown.stdout.as_str(), shown.stderr.as_str()), (wanted, ""), "{shown}");
}

#[test]
fn github_gets_one_command_a_finding_and_people_the_summary() {
    let sandbox = Sandbox::new();
    sandbox.write("a, b.zip", artifact(Container::Zip, "\"name\"", "\"nome\""));
    let root = package(&sandbox, "gravewatch");
    change(&root.join("manifest.json"), "\"engine\": {", "\"100%\": {},\n  \"engine\": {");
    let shown = sandbox.run(&["check", "gravewatch", "a, b.zip", "--format", "github"]).expect(10);
    assert!(shown.stdout.lines().all(|line| line.starts_with("::error file=") || line.starts_with("::warning file=")));
    assert!(shown.stdout.contains(
        "::error file=gravewatch/manifest.json,line=15,col=3,endLine=15,endColumn=9,title=unknown-key::unknown key `100%25`"
    ));
    assert!(shown.stdout.contains("::error file=a%2C b.zip,title="), "{shown}");
    assert!(shown.stdout.contains("::ruleset.json, line "), "{shown}");
    assert!(shown.stderr.contains("files checked: "), "{shown}");
}

#[test]
fn format_json_is_the_same_as_json() {
    let sandbox = Sandbox::new();
    package(&sandbox, "gravewatch");
    let one = sandbox.run(&["check", "gravewatch", "--format", "json"]).expect(0);
    let other = sandbox.run(&["check", "gravewatch", "--json"]).expect(0);
    assert_eq!((one.stdout.as_str(), one.stderr.as_str()), (other.stdout.as_str(), ""));
    for refused in [&["check", "--format", "json"][..], &["check", "--format=json"]] {
        assert_eq!(sandbox.run(refused).expect(2).json().code(), "usage");
    }
}

#[test]
fn an_artifact_is_held_against_its_own_manifest_and_its_ruleset_is_checked_within() {
    let sandbox = Sandbox::new();
    for (name, container) in [("a.zip", Container::Zip), ("a.ruleset.json", Container::Bundle)] {
        sandbox.write(name, artifact(container, "", ""));
        is_well(&sandbox.json(&["check", name]));

        sandbox.write(name, artifact(container, "  \"name\"", "  \"x\": 1,\n  \"name\""));
        let answer = sandbox.json(&["check", name]);
        let told = found(&sandbox, answer.check());
        assert_eq!(told, [format!("unknown-key {name}!ruleset.json:5:3")], "{name}");
        let stdin = sandbox.command(&["check", "-"]).stdin(fs::read(sandbox.work().join(name)).unwrap()).json();
        assert_eq!(found(&sandbox, stdin.check()), ["unknown-key <stdin>!ruleset.json:5:3"], "{name}");
    }
    let sound = String::from_utf8(artifact(Container::Bundle, "", "")).unwrap();
    sandbox.write("b.json", sound.replacen("Gravewatch", "Gravewitch", 3));
    sandbox.write("c.json", sound.replacen("\"kind\"", "\n\"engin\":{},\"kind\"", 1));
    sandbox.write("d.json", sound.replacen("\"kind\"", "\n \"kind\"", 1).replacen("\"permissions\"", "permissions", 1));
    let told = |name: &str| found(&sandbox, sandbox.json(&["check", name]).check());
    assert!(told("b.json").iter().any(|told| told.starts_with("checksum-mismatch b.json!ruleset.json")));
    assert_eq!(told("c.json"), ["unknown-key c.json:2:1"]);
    assert_eq!(told("d.json"), ["invalid-artifact d.json:2:41"]);
}

#[test]
fn what_is_missing_keeps_nothing_else_from_being_checked() {
    let sandbox = Sandbox::new();
    sandbox.write("ruleset.json", "{ \"sheet\": }");
    let answer = sandbox.json(&["check", "nothing", "ruleset.json", "also/nothing"]);
    assert_eq!((answer.exit, answer.status, answer.code()), (3, Status::Error, "file-not-found"));
    assert_eq!(found(&sandbox, answer.check()), ["ruleset-json ruleset.json:1:12"]);
    assert_eq!(sandbox.json(&["check", "ruleset.json", "--ruleset", "nothing"]).code(), "file-not-found");
}

#[test]
fn what_cannot_be_told_says_what_was_expected() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.work().join("empty")).unwrap();
    sandbox.write("page.json", "<!DOCTYPE html>");
    sandbox.write("other.json", "{\"a\": 1}");
    sandbox.write("catalog.json", fs::read(repository().join("catalog-example/catalog.json")).unwrap());
    let answer = sandbox.json(&["check", "empty", "page.json", "other.json", "catalog.json"]);
    let problems = &answer.check().problems;
    assert!(problems.iter().all(|problem| problem.code == "unknown-file"), "{problems:#?}");
    let hints: Vec<&str> = problems.iter().map(|problem| problem.hint.as_deref().unwrap()).collect();
    assert!(hints[1].contains("a ruleset.json, a catalog file, a language pack"), "{hints:?}");
    assert!(hints[3].contains("catalog verify"), "{hints:?}");
}

#[test]
fn a_lone_ruleset_is_told_the_api_it_needs() {
    let sandbox = Sandbox::new();
    let root = package(&sandbox, "ember-roads");
    let answer = sandbox.json(&["check", "ember-roads/ruleset.json"]);
    is_well(&answer);
    let minimum = &answer.check().minimum_api[0];
    assert_eq!((minimum.api.as_str(), Path::new(&minimum.file)), ("1.813", root.join("ruleset.json").as_path()));
    let needed = &minimum.needed_by[0];
    let line = fs::read_to_string(root.join("ruleset.json")).unwrap();
    let line = line.lines().nth(needed.line as usize - 1).unwrap();
    assert!(line.chars().skip(needed.column as usize - 1).collect::<String>().starts_with("\"items\""), "{needed:?}");
    assert!(sandbox.json(&["check", "ember-roads"]).check().minimum_api.is_empty());
    fs::remove_file(root.join("manifest.json")).unwrap();
    assert_eq!(sandbox.json(&["check", "ember-roads"]).check().minimum_api[0].api, "1.813");
    let shown = sandbox.run(&["check", "ember-roads/ruleset.json"]).expect(0);
    assert!(shown.stdout.contains("ember-roads/ruleset.json needs Capability API 1.813 or newer:"), "{shown}");
}

#[test]
fn a_ruleset_taken_out_of_its_package_is_not_to_blame_for_its_catalog_files() {
    let sandbox = Sandbox::new();
    let root = package(&sandbox, "gravewatch");
    fs::copy(root.join("ruleset.json"), sandbox.work().join("ruleset.json")).unwrap();
    let stdin = fs::read(root.join("ruleset.json")).unwrap();
    for answer in [sandbox.json(&["check", "ruleset.json"]), sandbox.command(&["check", "-"]).stdin(stdin).json()] {
        let told: Vec<_> = answer.check().problems.iter().map(|p| (p.code.as_str(), p.severity)).collect();
        assert_eq!((told, answer.exit), (vec![("K4", Severity::Warning)], 0));
    }
    // Whatever lies in the current folder belongs to nothing that comes from stdin.
    sandbox.write("catalogs/charms.json", "{");
    let answer = sandbox.command(&["check", "-"]).stdin(fs::read(root.join("ruleset.json")).unwrap()).json();
    assert_eq!(found(&sandbox, answer.check()).len(), 1);
    assert_eq!(answer.check().problems[0].code, "K4");
    fs::rename(root.join("catalogs/charms.json"), root.join("catalogs/charm.json")).unwrap();
    let answer = sandbox.json(&["check", "gravewatch"]);
    let told = found(&sandbox, answer.check());
    assert_eq!(told, ["misnamed-file gravewatch/catalogs/charm.json:?:?"]);
    fs::rename(root.join("catalogs/charm.json"), root.join("catalogs/spells.json")).unwrap();
    change(&root.join("catalogs/spells.json"), "\"catalog\": \"charms\"", "\"catalog\": \"spells\"");
    let answer = sandbox.json(&["check", "gravewatch"]);
    let told = found(&sandbox, answer.check());
    assert!(told.iter().any(|told| told.starts_with("K4 gravewatch/ruleset.json:")), "{told:?}");
    assert!(told.contains(&"K6 gravewatch/catalogs/spells.json:1:1".to_owned()), "{told:?}");
}

#[test]
fn packs_and_catalog_files_are_held_against_the_ruleset_beside_them_or_the_one_named() {
    let sandbox = Sandbox::new();
    let root = package(&sandbox, "gravewatch");
    change(&root.join("locales/ru.json"), "\"Cold Lantern\"", "\"Warm Lantern\"");
    change(&root.join("catalogs/charms.json"), "\"label\"", "\"lable\"");
    let told = |args: &[&str]| {
        let answer = sandbox.json(&[&["check"], args].concat());
        (found(&sandbox, answer.check()), answer.warning_codes().concat())
    };
    let (pack, warnings) = told(&["gravewatch/locales/ru.json"]);
    assert!(pack.iter().any(|told| told.starts_with("T05 gravewatch/locales/ru.json:")), "{pack:?}");
    assert_eq!(warnings, "");
    let (entries, _) = told(&["gravewatch/catalogs/charms.json"]);
    assert!(entries.iter().any(|told| told.starts_with("unknown-key gravewatch/catalogs/charms.json:")), "{entries:?}");
    assert!(entries.iter().all(|told| told.contains("charms.json")), "{entries:?}");

    for (name, path) in [("ru.json", "locales/ru.json"), ("charms.json", "catalogs/charms.json")] {
        fs::copy(root.join(path), sandbox.work().join(name)).unwrap();
    }
    assert_eq!(told(&["ru.json"]), (vec![], "no-ruleset".to_owned()));
    assert_eq!(told(&["charms.json"]), (vec![], "no-ruleset".to_owned()));
    for ruleset in ["gravewatch", "gravewatch/ruleset.json"] {
        let (both, warnings) = told(&["ru.json", "charms.json", "--ruleset", ruleset]);
        assert!(both.iter().any(|told| told.starts_with("T05 ru.json:")), "{both:?}");
        assert!(both.iter().any(|told| told.starts_with("unknown-key charms.json:")), "{both:?}");
        assert_eq!(warnings, "");
    }
    assert_eq!(sandbox.json(&["check", "ru.json", "--ruleset", "charms.json"]).code(), "not-a-ruleset");
    sandbox.write("ruleset.json", "{");
    assert_eq!(sandbox.json(&["check", "ru.json", "--ruleset", "ruleset.json"]).code(), "invalid-ruleset");
}

#[test]
fn a_pack_beside_its_artifact_is_held_against_it() {
    let sandbox = Sandbox::new();
    let artifacts = repository().join("catalog-example/artifacts");
    for name in ["gravewatch-1.2.0.ruleset.json", "gravewatch-1.2.0.ru.json"] {
        sandbox.write(name, fs::read(artifacts.join(name)).unwrap());
    }
    change(&sandbox.work().join("gravewatch-1.2.0.ru.json"), "\"Cold Lantern\"", "\"Warm Lantern\"");
    let answer = sandbox.json(&["check", "gravewatch-1.2.0.ru.json"]);
    assert!(found(&sandbox, answer.check()).iter().any(|told| told.starts_with("T05 ")), "{answer:#?}");
    assert!(answer.warnings.is_empty());
}

#[test]
fn what_was_published_before_must_still_hold() {
    let sandbox = Sandbox::new();
    let root = package(&sandbox, "ember-roads");
    let old = root.join("ruleset.json");
    let mut new = json_of(&old);
    assert!(new["sheet"]["migrations"].is_array(), "the example has migrations");
    new["sheet"]["migrations"] = json!([]);
    sandbox.write("new.json", new.to_string());
    let codes = |args: &[&str]| {
        let answer = sandbox.json(args);
        answer.check().problems.iter().map(|problem| problem.code.clone()).collect::<Vec<_>>()
    };
    assert!(!codes(&["check", "new.json"]).contains(&"M14".to_owned()));
    assert!(codes(&["check", "new.json", "--against", "ember-roads"]).contains(&"M14".to_owned()));
    assert!(!codes(&["check", "ember-roads", "--against", "ember-roads"]).contains(&"M14".to_owned()));
}

/// Systems and editors leave files beside others that begin as theirs do: `._ru.json`, `.#ru.json`.
#[test]
fn a_hidden_file_is_no_part_of_a_package() {
    let sandbox = Sandbox::new();
    let root = package(&sandbox, "gravewatch");
    let well = sandbox.json(&["check", "gravewatch"]);
    for path in ["catalogs/._charms.json", "locales/._ru.json"] {
        fs::write(root.join(path), [0, 5, 22, 7]).unwrap();
    }
    let told = sandbox.json(&["check", "gravewatch"]);
    assert_eq!(found(&sandbox, told.check()), found(&sandbox, well.check()));
    assert_eq!(told.check().summary.files, well.check().summary.files);
    sandbox.run(&["catalog", "build", "gravewatch", "--out", "out"]).expect(0);
}

#[test]
fn a_folders_manifest_may_be_missing_and_may_leave_out_its_files() {
    let sandbox = Sandbox::new();
    let root = package(&sandbox, "gravewatch");
    let manifest = root.join("manifest.json");
    let mut written = json_of(&manifest);
    written.as_object_mut().unwrap().remove("files");
    fs::write(&manifest, written.to_string()).unwrap();
    is_well(&sandbox.json(&["check", "gravewatch"]));
    fs::remove_file(&manifest).unwrap();
    let answer = sandbox.json(&["check", "gravewatch"]).expect(0);
    assert_eq!(found(&sandbox, answer.check()), ["no-manifest gravewatch/manifest.json:?:?"]);
    fs::remove_file(root.join("ruleset.json")).unwrap();
    fs::write(&manifest, written.to_string()).unwrap();
    let answer = sandbox.json(&["check", "gravewatch"]);
    assert!(found(&sandbox, answer.check()).contains(&"not-a-ruleset gravewatch:?:?".to_owned()), "{answer:#?}");
}

#[test]
fn a_folders_manifest_is_judged_as_it_will_be_built_and_what_is_stale_in_it_is_a_warning() {
    let sandbox = Sandbox::new();
    let root = package(&sandbox, "gravewatch");
    let manifest = root.join("manifest.json");
    let sound = json_of(&manifest);
    let told = |edit: &dyn Fn(&mut Value)| {
        let mut edited = sound.clone();
        edit(&mut edited);
        fs::write(&manifest, edited.to_string()).unwrap();
        let answer = sandbox.json(&["check", "gravewatch"]);
        let problems = answer.check().problems.iter();
        let told = problems.map(|problem| format!("{} {}", problem.code, problem.pointer.as_deref().unwrap_or("?")));
        (told.collect::<Vec<_>>(), answer.exit)
    };
    let stale = |pointer: &str| (vec![format!("stale-manifest {pointer}")], 0);
    assert_eq!(told(&|manifest| manifest["files"][1]["bytes"] = json!(1)), stale("/files/1"));
    assert_eq!(told(&|manifest| manifest["files"][0]["sha256"] = json!("0".repeat(64))), stale("/files/0"));
    assert_eq!(told(&|manifest| drop(manifest["files"].as_array_mut().unwrap().pop())), stale("/files"));
    let gone = json!({"path": "catalogs/gone.json", "sha256": "0".repeat(64), "bytes": 1});
    assert_eq!(told(&|manifest| manifest["files"].as_array_mut().unwrap().push(gone.clone())), stale("/files/2/path"));
    let (codes, exit) = told(&|manifest| manifest["files"] = json!("all"));
    assert!(exit == 10 && codes.contains(&"manifest-files /files".to_owned()), "{codes:?}");
    let (codes, _) = told(&|manifest| manifest["capabilityApi"]["minor"] = json!(810));
    assert!(codes.contains(&"T08 /capabilityApi".to_owned()), "packs lie in locales/: {codes:?}");
    let asset = |manifest: &mut Value| manifest["contributions"]["assets"]["paths"][1] = json!("catalogs/none.json");
    let (codes, _) = told(&asset);
    assert!(codes.contains(&"K8 /contributions/assets/paths/1".to_owned()), "{codes:?}");
    // N130: a build writes contributions only where there are none, and mends none that lack the ruleset.
    let error = |pointer: &str| (vec![format!("K1 {pointer}")], 10);
    let paths = "/contributions/assets/paths";
    let contributions = |value: Value| move |manifest: &mut Value| manifest["contributions"] = value.clone();
    assert_eq!(told(&contributions(json!({}))), error("/contributions"));
    let without = json!({"assets": {"paths": ["catalogs/charms.json"]}});
    assert_eq!(told(&contributions(without)), error(paths));
    let spare = json!({"assets": {"paths": ["ruleset.json"]}});
    assert_eq!(told(&contributions(spare)), stale(paths));
    assert_eq!(told(&|manifest| drop(manifest.as_object_mut().unwrap().remove("contributions"))), (vec![], 0));
}

#[test]
fn the_listing_of_a_package_is_no_translation_of_it() {
    let sandbox = Sandbox::new();
    let root = package(&sandbox, "gravewatch");
    let manifest = root.join("manifest.json");
    change(&manifest, "\"minor\": 811", "\"minor\": 66");
    let told = || found(&sandbox, sandbox.json(&["check", "gravewatch"]).check());
    assert!(told().iter().any(|told| told.starts_with("T08 ")), "{:?}", told());
    fs::remove_dir_all(root.join("locales")).unwrap();
    fs::create_dir(root.join("locales")).unwrap();
    let listing =
        r#"{"_meta":{"locale":"en","direction":"ltr"},"package":{"name":"Gravewatch","description":"Night."}}"#;
    fs::write(root.join("locales/en.json"), listing).unwrap();
    assert_eq!(told(), [""; 0]);
    sandbox.run(&["catalog", "build", "gravewatch", "--out", "out"]).expect(0);
}

#[test]
fn packs_that_no_entry_could_list_are_told_by_their_names_and_their_number() {
    let sandbox = Sandbox::new();
    let root = package(&sandbox, "gravewatch");
    let told = || found(&sandbox, sandbox.json(&["check", "gravewatch"]).check());
    let pack = fs::read_to_string(root.join("locales/pt.json")).unwrap();
    let put = |name: &str, tag: &str| {
        let text = pack.replacen("\"pt\"", &format!("\"{tag}\""), 1);
        fs::write(root.join(format!("locales/{name}.json")), text).unwrap();
    };
    for (odd, tag, code) in [("pt_BR", "pt-BR", "pack-language"), ("JA", "ja", "pack-language"), ("eng", "en", "T10")] {
        put(odd, tag);
        assert_eq!(told(), [format!("{code} gravewatch/locales/{odd}.json:?:?")]);
        fs::remove_file(root.join(format!("locales/{odd}.json"))).unwrap();
    }
    // Forty with the three there are; the package's own listing is none of them.
    let regions = "AR AT AU BE BG BO CA CH CL CN CO CR CU CZ DK EC EE EG ES FI FR GR HR HU ID IE IL IN IT JP KE KR LT LU LV \
                   MX NL NO";
    let regions: Vec<String> = regions.split_whitespace().map(|region| format!("pt-{region}")).collect();
    regions[..37].iter().for_each(|tag| put(tag, tag));
    put("en", "en");
    assert_eq!(told(), [""; 0]);
    put(&regions[37], &regions[37]);
    assert_eq!(told(), ["T10 gravewatch:?:?"]);
}

#[test]
fn nothing_but_what_is_named_is_needed() {
    let sandbox = Sandbox::new();
    package(&sandbox, "gravewatch");
    let bare = sandbox.command(&["check", "gravewatch"]).env_remove("HOME").env_remove("RULEPACK_DATA_DIR");
    bare.env_remove("RULEPACK_CACHE_DIR").env_remove("XDG_DATA_HOME").run().expect(0);
    assert!(!sandbox.packages().exists());
}

/// A pipe that nobody writes to, and stdin that never ends, are waited for; a polite kill ends that wait.
#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_wait_for_a_pipe() {
    let sandbox = Sandbox::new();
    package(&sandbox, "gravewatch");
    let pipe = sandbox.work().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for command in [
        ["check", "pipe", "--json"].as_slice(),
        &["check", "gravewatch", "--against", "pipe", "--json"],
        &["check", "gravewatch/locales/ru.json", "--ruleset", "pipe", "--json"],
        &["strings", "pipe", "--json"],
        &["strings", "gravewatch", "--language", "ru", "--pack", "pipe", "--json"],
        &["migrate", "gravewatch", "pipe", "--json"],
        &["show", "pipe", "--json"],
        &["catalog", "entry", "x", "--manifest", "pipe", "--base-url", "https://example.org/a/", "--json"],
    ] {
        sandbox.write("x", "{}");
        let running = sandbox.command(command).spawn();
        std::thread::sleep(std::time::Duration::from_millis(200));
        running.signal("INT");
        assert_eq!(running.wait().expect(130).json().code(), "interrupted", "{command:?}");
    }
    let mut command = sandbox.command(&["check", "-", "--json"]).into_command();
    command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut running = command.spawn().unwrap();
    let endless = running.stdin.take();
    std::thread::sleep(std::time::Duration::from_millis(200));
    let id = running.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    assert_eq!(running.wait().unwrap().code(), Some(130));
    drop(endless);
}

/// What lies in a folder is nobody's stream: a pipe there is refused at once.
#[cfg(unix)]
#[test]
fn a_pipe_in_a_package_is_refused() {
    let sandbox = Sandbox::new();
    let root = package(&sandbox, "gravewatch");
    let pipe = root.join("catalogs/charms.json");
    fs::remove_file(&pipe).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let told = sandbox.run(&["check", "gravewatch/ruleset.json"]).expect(1);
    assert!(told.stderr.contains("neither a regular file nor a folder"), "{told}");
    let told = sandbox.run(&["strings", "gravewatch"]).expect(1);
    assert!(told.stderr.contains("neither a regular file nor a folder"), "{told}");
    // Of a whole package the rest is looked at all the same.
    fs::write(root.join("locales/ru.json"), "{}").unwrap();
    let told = sandbox.json(&["check", "gravewatch"]).expect(10);
    let found: Vec<_> = told.check().problems.iter().map(|problem| problem.code.as_str()).collect();
    assert_eq!(found.iter().filter(|code| **code == "unreadable-file").count(), 1, "{found:?}");
    assert!(found.contains(&"T07") && !found.contains(&"K4") && !found.contains(&"catalog-json"), "{found:?}");
}

#[test]
fn where_nothing_could_be_looked_at_nothing_is_said_to_be_well() {
    let told = Sandbox::new().run(&["check", "nowhere.json"]).expect(3);
    assert_eq!(told.stdout, "0 files checked\n");
}

#[test]
fn a_path_named_twice_is_looked_at_once() {
    let sandbox = Sandbox::new();
    package(&sandbox, "gravewatch");
    let answer = sandbox.json(&["check", "gravewatch/ruleset.json", "./gravewatch/ruleset.json"]);
    assert_eq!((answer.check().summary.packages, answer.check().minimum_api.len()), (1, 1));
    let ruleset = fs::read(sandbox.work().join("gravewatch/ruleset.json")).unwrap();
    let answer = sandbox.command(&["check", "-", "-"]).stdin(ruleset).json();
    assert_eq!(answer.check().summary.files, 1);
}

#[test]
fn what_is_no_json_is_told_at_the_character_to_change() {
    let sandbox = Sandbox::new();
    package(&sandbox, "gravewatch");
    sandbox.write("mine.json", "{\n  'sheet': {}\n}\n");
    sandbox.write("gravewatch/ruleset.json", "{\n  \"id\": \"a\",\n}\n");
    sandbox.write("gravewatch/manifest.json", "{\n  \"id\": \"a\n}\n");
    sandbox.write("gravewatch/locales/ru.json", "{\n  \"_meta\": {}\n  \"ruleset\": {}\n}\n");
    sandbox.write("gravewatch/catalogs/charms.json", "{\n  \"entries\": [\n    {\n      \"id\": \"a\"\n  ]\n}\n");
    for (file, expected) in [
        ("mine.json", "unknown-file mine.json:2:3"),
        ("gravewatch/ruleset.json", "ruleset-json gravewatch/ruleset.json:2:12"),
        ("gravewatch/manifest.json", "manifest-shape gravewatch/manifest.json:2:11"),
        ("gravewatch/locales/ru.json", "T02 gravewatch/locales/ru.json:3:3"),
        ("gravewatch/catalogs/charms.json", "catalog-json gravewatch/catalogs/charms.json:3:5"),
    ] {
        let answer = sandbox.json(&["check", file]);
        assert!(found(&sandbox, answer.check()).contains(&expected.to_owned()), "{:?}", answer.check());
    }
}

#[test]
fn what_is_quoted_reads_as_it_does_in_the_file() {
    let sandbox = Sandbox::new();
    let root = package(&sandbox, "gravewatch");
    change(&root.join("ruleset.json"), "\"Gravewatch\"", "\"नमस्ते \\\"สวัสดีค่ะ\\\" [x]\"");
    let answer = sandbox.json(&["check", "gravewatch/ruleset.json"]);
    let message = &answer.check().problems[0].message;
    assert!(message.contains("(\"नमस्ते \\\"สวัสดีค่ะ\\\" [x]\")"), "{message}");
}

#[test]
fn of_a_ruleset_without_its_catalogs_no_text_is_said_to_be_shown_nowhere() {
    let sandbox = Sandbox::new();
    let root = package(&sandbox, "gravewatch");
    let command = ["check", "gravewatch/locales/ru.json", "--ruleset", "gravewatch/ruleset.json"];
    assert_eq!(sandbox.json(&command).warning_codes(), [""; 0]);
    change(&root.join("locales/ru.json"), "\"ruleset\": {", "\"ruleset\": { \"Not shown\": \"Нет\",");
    assert_eq!(sandbox.json(&command).check().problems[0].code, "T05");
    fs::remove_file(root.join("catalogs/charms.json")).unwrap();
    let answer = sandbox.json(&command);
    assert_eq!((answer.check().problems.len(), answer.warning_codes()), (0, vec!["catalog-left-out"]));
}

#[test]
fn every_finding_about_a_pack_says_what_it_is_about() {
    let sandbox = Sandbox::new();
    for (pack, expected) in [
        (&b"{\"_meta\": 1}"[..], "`_meta` is a number, but should be an object"),
        (b"{\"_meta\": {\"locale\": \"de\", \"more\": 1}}", "`locale` is `de`, but the pack is listed for `ru`"),
        (
            b"{\"_meta\": {\"locale\": \"de\", \"more\": 1}}",
            "`more` is not part of `_meta`: expected `locale` or `direction`",
        ),
        (b"{\"_meta\": {}, \"package\": {\"name\": \"\"}}", "`name` is empty"),
        (b"{\"_meta\": {}, \"package\": {\"name\": \"\"}}", "`package` has no `description`"),
        (b"{\"_meta\": {}}", "`_meta` has no `direction`"),
        (b"{\"_meta\": {}}", "the pack has no `ruleset`, so it translates nothing"),
        (b"{\"_meta\": {}, \"ruleset\": {\"Luck\": 1}}", "`Luck` is a number, but should be text"),
        (b"{\"_meta\": {}, \"ruleset\": {\"a/b\": \"\", \"a/b\": \"\"}}", "`a/b` is a duplicate key"),
        (b"{\"_meta\": {", "it is not JSON: this object is not closed"),
        (b"\xef\xbb\xbf{\"_meta\": {}}", "it begins with a byte order mark, which JSON does not allow"),
        (b"{\"_meta\": {},\n \"\xff\": 1}", "it is not UTF-8"),
    ] {
        sandbox.write("locales/ru.json", pack);
        let answer = sandbox.json(&["check", "locales/ru.json"]);
        let told: Vec<_> = answer.check().problems.iter().map(|problem| problem.message.as_str()).collect();
        assert!(told.contains(&expected), "{expected} is not in {told:?}");
        assert!(answer.check().problems.iter().all(|problem| problem.line.is_some()), "{told:?}");
    }
    let answer = sandbox.json(&["check", "locales/ru.json"]);
    assert_eq!(found(&sandbox, answer.check()), ["T02 locales/ru.json:2:3"]);
}

#[test]
fn a_flood_of_findings_is_told_in_part_and_counted_in_full() {
    let sandbox = Sandbox::new();
    let mut ruleset = json_of(&repository().join("testdata/rulesets/gravewatch.json"));
    let strangers = (0..30_000).map(|n| (format!("stranger{n}"), json!("x".repeat(n % 90))));
    ruleset["gm"].as_object_mut().unwrap().extend(strangers);
    ruleset["name"] = json!(3);
    sandbox.write("ruleset.json", ruleset.to_string());
    let outcome = sandbox.run(&["check", "ruleset.json", "--json"]).expect(10);
    let answer: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let problems = answer["result"]["problems"].as_array().unwrap();
    assert!((9_000..=10_001).contains(&problems.len()), "{}", problems.len());
    assert!(problems.iter().any(|problem| problem["code"] == "ruleset-name"), "nothing else is hidden by it");
    let more: Vec<&str> =
        problems.iter().filter_map(|problem| problem["message"].as_str()?.strip_prefix("and ")).collect();
    assert!(more.iter().any(|more| more.ends_with(" more like this")), "{more:?}");
    assert!(answer["result"]["summary"]["errors"].as_u64().unwrap() > 30_000, "{}", answer["result"]["summary"]);
}

#[test]
fn what_a_finding_quotes_of_a_file_is_short() {
    let sandbox = Sandbox::new();
    let mut ruleset = json_of(&repository().join("testdata/rulesets/gravewatch.json"));
    ruleset["gm"]["x".repeat(1 << 20)] = json!({"y".repeat(1 << 20): "z".repeat(1 << 20)});
    ruleset["resolution"]["kind"] = json!("k".repeat(1 << 20));
    sandbox.write("ruleset.json", ruleset.to_string());
    for line in [&["check", "ruleset.json"][..], &["check", "ruleset.json", "--json"]] {
        let outcome = sandbox.run(line).expect(10);
        assert!(outcome.stdout.len() + outcome.stderr.len() < 64 << 10, "{}", outcome.stdout.len());
    }
}
