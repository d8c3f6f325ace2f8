//! `import`: a shared ruleset filed under `local/` and its own id, and what becomes of its translations.

use super::kit::envelope::{Envelope, State, Status};
use super::kit::publish::{Catalog, Ruleset};
use super::kit::sandbox::Sandbox;
use super::kit::seed::{self, Package};
use super::kit::tree::Tree;
use serde_json::{Value, json};
use std::path::PathBuf;

const ID: &str = "local/seed-example";

fn row(answer: &Envelope) -> &Value {
    let rows = answer.other()["packages"].as_array().unwrap();
    assert_eq!(rows.len(), 1, "{answer:#?}");
    &rows[0]
}

/// What became of the ruleset, and the status and language of its translation.
fn told(answer: &Envelope) -> (String, String, Option<String>) {
    let row = row(answer);
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let pack = &row["languagePack"];
    (text(&row["action"]).unwrap(), text(&pack["status"]).unwrap(), text(&pack["language"]))
}

fn is(action: &str, status: &str, language: Option<&str>) -> (String, String, Option<String>) {
    (action.to_owned(), status.to_owned(), language.map(str::to_owned))
}

/// The folder of a version.
fn folder(sandbox: &Sandbox, version: u32) -> PathBuf {
    sandbox.data().join(format!("rulesets/local/seed-example/{version}"))
}

#[test]
fn every_form_is_filed_under_its_own_id_with_the_one_translation_of_the_language() {
    let sandbox = Sandbox::new();
    let package = Package::copy(&sandbox, "seed");
    let (bundle, zip) = (package.bundle(), package.zip());
    let ruleset = format!("{}/ruleset.json", package.root());
    for path in [package.root(), bundle.to_str().unwrap(), zip.to_str().unwrap(), &ruleset] {
        let answer = sandbox.json(&["import", path, "--language", "ru"]);
        let expected = match path == ruleset {
            true => is("installed", "not-listed", None),
            false => is("installed", "fetched", Some("ru")),
        };
        assert_eq!(told(&answer), expected, "{path}: {answer:#?}");
        assert_eq!((&row(&answer)["id"], &row(&answer)["version"]), (&json!(ID), &json!("1")));
        let files = Tree::of(folder(&sandbox, 1));
        assert!(files.has("ruleset.json") && files.has("catalogs/wares.json"), "{files:?}");
        let packs: Vec<&str> = files.files().into_iter().filter(|file| file.starts_with("locales/")).collect();
        assert_eq!(packs, if path == ruleset { vec![] } else { vec!["locales/ru.json"] });
        assert_eq!(files.has("manifest.json"), path != ruleset);
        sandbox.run(&["uninstall", ID]).expect(0);
        assert_eq!(Tree::of(sandbox.data().join("rulesets/local")).paths(), [""; 0]);
    }
}

#[test]
fn a_file_with_errors_is_told_with_all_of_them_and_nothing_is_filed() {
    let sandbox = Sandbox::new();
    let package = Package::copy(&sandbox, "seed");
    package.edit("ruleset.json", |ruleset| {
        ruleset["layers"][0]["conflicts"] = json!(["nothing"]);
        ruleset["sheet"]["migrations"][0]["from"] = json!(9);
    });
    let answer = sandbox.json(&["import", package.root()]);
    assert_eq!((answer.status, answer.exit), (Status::Problems, 10));
    let codes: Vec<&str> =
        answer.other()["problems"].as_array().unwrap().iter().map(|it| it["code"].as_str().unwrap()).collect();
    assert!(codes.len() >= 2, "{codes:?}");
    assert_eq!(answer.other()["packages"], json!([]));
    assert_eq!(Tree::of(sandbox.data()).files(), [""; 0]);
    let people = sandbox.run(&["import", package.root()]).expect(10);
    assert!(people.stdout.contains("Nothing was imported."), "{people}");
}

#[test]
fn what_is_imported_needs_no_api_but_that_of_translations() {
    let sandbox = Sandbox::new();
    let package = Package::copy(&sandbox, "seed");
    let api = |minor: u32| package.edit("manifest.json", |manifest| manifest["capabilityApi"]["minor"] = json!(minor));
    api(811);
    let answer = sandbox.json(&["import", package.root()]);
    assert_eq!(answer.status, Status::Ok, "layers that change items would need 1.813: {answer:#?}");
    api(810);
    let answer = sandbox.json(&["import", package.bundle().to_str().unwrap()]);
    assert_eq!(answer.status, Status::Problems);
    assert!(answer.other()["problems"].to_string().contains("T08"), "{answer:#?}");
}

#[test]
fn versions_lie_beside_each_other_and_the_newest_is_in_force() {
    let sandbox = Sandbox::new();
    let package = Package::copy(&sandbox, "seed");
    let raise = |to: u32| package.edit("ruleset.json", |ruleset| ruleset["version"] = json!(to));
    sandbox.run(&["import", package.root()]).expect(0);
    raise(10);
    let newer = sandbox.json(&["import", package.root()]);
    assert_eq!((&row(&newer)["action"], &row(&newer)["previousVersion"]), (&json!("updated"), &json!("1")));
    raise(9);
    let between = sandbox.json(&["import", package.root()]);
    assert_eq!(between.warning_codes(), ["not-newest"]);
    assert_eq!(row(&between)["action"], "installed");
    assert_eq!(sandbox.json(&["list"]).list().packages[0].version, "10");
    assert_eq!(sandbox.json(&["path", ID]).path().version, "10");
    assert!([1, 9, 10].into_iter().all(|version| folder(&sandbox, version).is_dir()));
}

#[test]
fn a_version_filed_is_never_rewritten_with_other_rules() {
    let sandbox = Sandbox::new();
    let package = Package::copy(&sandbox, "seed");
    sandbox.run(&["import", package.root()]).expect(0);
    let before = Tree::of(sandbox.data());
    package.edit("catalogs/wares.json", |wares| wares["entries"][0]["item"]["cost"]["amount"] = json!(4));
    let answer = sandbox.json(&["import", package.root()]);
    assert_eq!((answer.exit, answer.code()), (4, "invalid-ruleset"));
    assert!(answer.error.as_ref().unwrap().hint.as_ref().unwrap().contains("raise `version`"), "{answer:#?}");
    assert_eq!(row(&answer)["action"], "failed");
    assert_eq!(before.difference(&Tree::of(sandbox.data())), "");
}

#[test]
fn another_order_of_keys_and_other_blanks_are_the_same_rules() {
    let sandbox = Sandbox::new();
    let package = Package::copy(&sandbox, "seed");
    sandbox.run(&["import", package.root()]).expect(0);
    let before = Tree::of(folder(&sandbox, 1));
    package.edit("ruleset.json", |_| ());
    assert_eq!(row(&sandbox.json(&["import", package.root()]))["action"], "unchanged");
    assert_eq!(before.difference(&Tree::of(folder(&sandbox, 1))), "");
}

#[test]
fn the_same_version_again_replaces_the_translation_kept_and_a_file_with_none_leaves_it() {
    let sandbox = Sandbox::new();
    let package = Package::copy(&sandbox, "seed");
    let import = |language: &str| told(&sandbox.json(&["import", package.root(), "--language", language]));
    let packs = || {
        Tree::of(folder(&sandbox, 1))
            .files()
            .into_iter()
            .filter(|it| it.starts_with("locales/"))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(import("ru"), is("installed", "fetched", Some("ru")));
    assert_eq!(import("ru"), is("unchanged", "current", Some("ru")));
    package.edit("locales/ru.json", |pack| pack["ruleset"]["Goblin"] = json!("Гоблинище"));
    assert_eq!(import("ru"), is("switched", "fetched", Some("ru")));
    assert_eq!(sandbox.run(&["translate", ID, "Goblin 2"]).expect(0).stdout, "Гоблинище 2\n");
    // pt-BR is served by its own, a sibling of it by none, and a region it has no pack for by the language.
    assert_eq!(import("pt-BR"), is("switched", "fetched", Some("pt-BR")));
    assert_eq!(packs(), ["locales/pt-BR.json"]);
    assert_eq!(import("pt-PT"), is("switched", "fetched", Some("pt")));
    assert_eq!(packs(), ["locales/pt.json"]);
    // None for this language leaves what was kept, and so does a file that has none at all.
    assert_eq!(import("ja"), is("unchanged", "current", Some("pt")));
    for language in ["ru", "pt", "pt-BR"] {
        package.remove(&format!("locales/{language}.json"));
    }
    assert_eq!(import("ru"), is("unchanged", "current", Some("pt")));
    assert_eq!(import("en"), is("unchanged", "current", Some("pt")));
    assert_eq!(packs(), ["locales/pt.json"]);
    assert_eq!(sandbox.json(&["doctor"]).doctor().problems, []);
}

#[test]
fn a_change_of_language_leaves_it_and_says_so() {
    let catalog = Catalog::on_disk().with(Ruleset::new("gravewatch", "1.0.0"));
    let sandbox = Sandbox::new();
    let sandbox = {
        let work = sandbox.work();
        sandbox.catalog(work)
    };
    catalog.write(&sandbox.work());
    let path = seed::path();
    sandbox.run(&["import", path.to_str().unwrap(), "--language", "ru"]).expect(0);
    let before = Tree::of(folder(&sandbox, 1));
    let answer = sandbox.json(&["language", "pt"]);
    assert_eq!(answer.warning_codes(), ["imported-language"]);
    assert_eq!(answer.warnings[0].package.as_deref(), Some(ID));
    sandbox.run(&["sync"]).expect(0);
    assert_eq!(before.difference(&Tree::of(folder(&sandbox, 1))), "");
    assert!(sandbox.json(&["language", "ru"]).warnings.is_empty());
}

#[test]
fn an_import_stands_beside_the_catalogs_ruleset_of_the_same_id_and_never_in_its_place() {
    let catalog = Catalog::on_disk().with(Ruleset::new("seed-example", "3.0.0"));
    let sandbox = Sandbox::new();
    let sandbox = {
        let work = sandbox.work();
        sandbox.catalog(work)
    };
    catalog.write(&sandbox.work());
    let path = seed::path();
    sandbox.run(&["import", path.to_str().unwrap()]).expect(0);
    assert_eq!(sandbox.json(&["show", "seed-example"]).code(), "not-installed");
    sandbox.run(&["install", "seed-example"]).expect(0);
    let listed = sandbox.json(&["list"]);
    let ids: Vec<(&str, &str)> =
        listed.list().packages.iter().map(|it| (it.id.as_str(), it.version.as_str())).collect();
    assert_eq!(ids, [("seed-example", "3.0.0"), (ID, "1")]);
    sandbox.run(&["uninstall", "seed-example"]).expect(0);
    assert_eq!(sandbox.json(&["list"]).list().packages[0].id, ID);
    assert!(!sandbox.registry().to_string().contains("local"), "the engine's registry knows nothing of it");
}

#[test]
fn what_only_a_catalog_can_do_is_refused_with_what_to_do_instead() {
    let catalog = Catalog::on_disk().with(Ruleset::new("gravewatch", "1.0.0"));
    let sandbox = Sandbox::new();
    let sandbox = {
        let work = sandbox.work();
        sandbox.catalog(work)
    };
    catalog.write(&sandbox.work());
    let path = seed::path();
    sandbox.run(&["import", path.to_str().unwrap()]).expect(0);
    for command in ["install", "update", "rollback", "hold", "unhold"] {
        let answer = sandbox.json(&[command, ID]);
        assert_eq!((answer.exit, answer.code()), (3, "not-in-catalog"), "{command}");
        assert!(answer.error.unwrap().hint.unwrap().contains("rulepack import"), "{command}");
        if command != "install" {
            let nearest = sandbox.json(&[command, "local/seed-exampel"]);
            assert_eq!(nearest.code(), "not-installed", "{command}");
            assert!(nearest.error.unwrap().hint.unwrap().contains(ID), "{command}");
        }
    }
    assert_eq!(sandbox.json(&["outdated"]).outdated().packages.len(), 0);
    assert_eq!(sandbox.json(&["list"]).list().packages.len(), 1);
}

#[test]
fn damage_is_found_and_mended_by_importing_again() {
    let sandbox = Sandbox::new();
    let path = seed::path();
    let path = path.to_str().unwrap();
    sandbox.run(&["import", path, "--language", "ru"]).expect(0);
    let root = folder(&sandbox, 1);
    std::fs::write(root.join("ruleset.json"), "{}").unwrap();
    std::fs::write(root.join("locales/ru.json"), "{}").unwrap();
    std::fs::remove_file(root.join("catalogs/wares.json")).unwrap();
    std::fs::write(root.join("mine.txt"), "mine").unwrap();
    assert_eq!(sandbox.json(&["list"]).list().packages[0].state, State::Damaged);
    let found = sandbox.json(&["doctor", "--repair"]);
    let mut codes: Vec<&str> = found.doctor().problems.iter().map(|it| it.code.as_str()).collect();
    codes.sort_unstable();
    assert_eq!(codes, ["damaged-file", "damaged-pack", "extra-file", "missing-file"]);
    let errors = found.doctor().problems.iter().filter(|it| it.code != "extra-file");
    assert!(errors.clone().all(|it| it.hint.as_ref().unwrap().contains("import FILE")), "{found:#?}");
    assert!(errors.clone().all(|it| it.package.as_deref() == Some(ID)));
    assert_eq!(told(&sandbox.json(&["import", path, "--language", "ru"])), is("reinstalled", "fetched", Some("ru")));
    assert_eq!(std::fs::read_to_string(root.join("mine.txt")).unwrap(), "mine");
    assert_eq!(sandbox.json(&["list"]).list().packages[0].state, State::Ok);
    std::fs::remove_dir_all(&root).unwrap();
    let found = sandbox.json(&["doctor"]);
    assert_eq!(found.doctor().problems[0].code, "missing-version");
    // English asks for no translation, so none comes along with what is put there again.
    assert_eq!(told(&sandbox.json(&["import", path])), is("reinstalled", "not-needed", None));
}

#[test]
fn a_translation_alone_that_is_damaged_is_replaced() {
    let sandbox = Sandbox::new();
    let path = seed::path();
    let path = path.to_str().unwrap();
    sandbox.run(&["import", path, "--language", "ru"]).expect(0);
    std::fs::remove_file(folder(&sandbox, 1).join("locales/ru.json")).unwrap();
    assert_eq!(sandbox.run(&["translate", ID, "Goblin"]).expect(0).stdout, "Goblin\n");
    sandbox.run(&["import", path, "--language", "ru"]).expect(0);
    assert_eq!(sandbox.run(&["translate", ID, "Goblin"]).expect(0).stdout, "Гоблин\n");
}

#[test]
fn uninstall_takes_every_version_and_leaves_what_is_somebody_elses() {
    let sandbox = Sandbox::new();
    let package = Package::copy(&sandbox, "seed");
    sandbox.run(&["import", package.root(), "--language", "ru"]).expect(0);
    package.edit("ruleset.json", |ruleset| ruleset["version"] = json!(2));
    sandbox.run(&["import", package.root(), "--language", "ru"]).expect(0);
    std::fs::write(folder(&sandbox, 1).join("mine.txt"), "mine").unwrap();
    let answer = sandbox.json(&["uninstall", ID]);
    assert_eq!(answer.package(ID).action, super::kit::envelope::Action::Removed);
    assert_eq!(answer.warning_codes(), ["files-kept"]);
    assert_eq!(Tree::of(sandbox.data().join("rulesets")).files(), ["local/seed-example/1/mine.txt"]);
    assert_eq!(sandbox.json(&["list"]).list().packages.len(), 0);
    assert_eq!(sandbox.json(&["doctor"]).doctor().problems[0].code, "orphan-version");
}

#[test]
fn without_its_record_what_was_imported_is_found_where_it_lies() {
    let sandbox = Sandbox::new();
    let path = seed::path();
    sandbox.run(&["import", path.to_str().unwrap(), "--language", "ru"]).expect(0);
    let record = sandbox.packages().join("rulepack.json");
    for ruin in [None, Some("{")] {
        match ruin {
            None => std::fs::remove_file(&record).unwrap(),
            Some(text) => std::fs::write(&record, text).unwrap(),
        }
        let listed = sandbox.json(&["list"]);
        let ruleset = &listed.list().packages[0];
        assert_eq!((ruleset.id.as_str(), ruleset.state), (ID, State::Ok));
        assert_eq!(ruleset.language_pack.as_ref().unwrap().language.as_deref(), Some("ru"));
        sandbox.run(&["import", path.to_str().unwrap(), "--language", "pt"]).expect(0);
        sandbox.run(&["import", path.to_str().unwrap(), "--language", "ru"]).expect(0);
        let found = sandbox.json(&["doctor"]);
        assert!(found.doctor().problems.iter().all(|problem| problem.code == "set-aside"), "{found:#?}");
    }
    // What cannot be proven to be the one imported is its reader's own: it is named and stays.
    let mine = folder(&sandbox, 1).join("locales/ru.json");
    std::fs::remove_file(&record).unwrap();
    std::fs::write(&mine, "{\"mine\":true}").unwrap();
    assert!(sandbox.json(&["list"]).list().packages[0].language_pack.is_none());
    let found = sandbox.json(&["doctor"]);
    let found = found.doctor().problems.iter().filter(|found| found.code != "set-aside");
    let found: Vec<_> = found.map(|found| (&*found.code, found.file.as_deref())).collect();
    assert_eq!(found, [("extra-file", mine.to_str())]);
    sandbox.run(&["import", path.to_str().unwrap(), "--language", "ru"]).expect(0);
    assert_eq!(std::fs::read_to_string(folder(&sandbox, 1).join("locales/ru.json.edited")).unwrap(), "{\"mine\":true}");
    assert_eq!(
        sandbox.json(&["list"]).list().packages[0].language_pack.as_ref().unwrap().language.as_deref(),
        Some("ru")
    );
}

#[test]
fn what_is_no_ruleset_is_no_import() {
    let sandbox = Sandbox::new();
    let package = Package::copy(&sandbox, "seed");
    sandbox.write("empty.json", "");
    for (path, code) in [
        ("nothing.json", "file-not-found"),
        (&*format!("{}/locales/ru.json", package.root()), "not-a-ruleset"),
        (&*format!("{}/catalogs/wares.json", package.root()), "not-a-ruleset"),
    ] {
        assert_eq!(sandbox.json(&["import", path]).code(), code, "{path}");
    }
    assert_eq!(sandbox.json(&["import", "empty.json"]).status, Status::Problems);
    package.edit("ruleset.json", |ruleset| ruleset["id"] = json!("con"));
    assert_eq!(sandbox.json(&["import", package.root()]).code(), "unsafe-path");
    assert_eq!(Tree::of(sandbox.data()).files(), [""; 0]);
}

/// The check of such a file only warns: its author may have the catalogs elsewhere.
#[test]
fn a_ruleset_without_its_catalog_files_says_which_and_what_to_name_instead() {
    let sandbox = Sandbox::new();
    let package = Package::copy(&sandbox, "seed");
    let alone = std::fs::read_to_string(format!("{}/ruleset.json", package.root())).unwrap();
    sandbox.write("alone.json", &alone);
    sandbox.run(&["check", "alone.json"]).expect(0);
    for line in [&["import", "alone.json"][..], &["show", "alone.json"], &["migrate", "alone.json", "x"]] {
        let answer = sandbox.json(line);
        assert_eq!((answer.exit, answer.code()), (4, "invalid-ruleset"), "{line:?}");
        let error = answer.error.unwrap();
        assert!(error.message.contains("`catalogs/wares.json`, which is not beside it"), "{}", error.message);
        assert!(error.hint.unwrap().contains("the folder"), "{line:?}");
    }
    assert_eq!(Tree::of(sandbox.data()).files(), [""; 0]);
}

#[test]
fn an_id_without_its_namespace_is_told_the_imported_one() {
    let sandbox = Sandbox::new();
    let path = seed::path();
    sandbox.run(&["import", path.to_str().unwrap()]).expect(0);
    for line in [&["show", "seed-example"][..], &["translate", "seed-example", "x"], &["path", "seed-example"]] {
        let answer = sandbox.json(line);
        assert_eq!(answer.code(), "not-installed");
        assert!(answer.error.unwrap().hint.unwrap().contains(ID), "{line:?}");
    }
}

/// What a catalog publishes can be imported as well; its packs lie beside it and belong to the catalog.
#[test]
fn artifacts_of_a_catalog_can_be_imported_zip_and_bundle() {
    let sandbox = Sandbox::new();
    let artifacts = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog-example/artifacts");
    for (name, id) in [("gravewatch-1.2.0", "local/gravewatch"), ("ember-roads-1.0.0", "local/ember-roads")] {
        let path = artifacts.join(format!("{name}.ruleset.json"));
        let answer = sandbox.json(&["import", path.to_str().unwrap(), "--language", "ru"]);
        assert_eq!((row(&answer)["id"].as_str(), told(&answer)), (Some(id), is("installed", "not-listed", None)));
    }
    let whole = sandbox.json(&["list"]);
    assert!(whole.list().packages.iter().all(|it| it.state == State::Ok), "{whole:#?}");
}

#[test]
fn imports_at_the_same_time_wait_for_each_other_and_lose_nothing() {
    let sandbox = Sandbox::new();
    let versions: Vec<Package> = (1..=6)
        .map(|version| {
            let package = Package::copy(&sandbox, &format!("seed-{version}"));
            package.edit("ruleset.json", |ruleset| ruleset["version"] = json!(version));
            package
        })
        .collect();
    let languages = ["ru", "pt", "pt-BR"].iter().cycle();
    let runs: Vec<_> = versions
        .iter()
        .flat_map(|package| [package, package])
        .zip(languages)
        .map(|(package, language)| sandbox.command(&["import", package.root(), "--language", language]).spawn())
        .collect();
    runs.into_iter().for_each(|run| drop(run.wait().expect(0)));
    assert_eq!(sandbox.json(&["doctor"]).doctor().problems, []);
    assert_eq!(sandbox.json(&["list"]).list().packages[0].version, "6");
    for version in 1..=6 {
        let files = Tree::of(folder(&sandbox, version));
        assert_eq!(files.files().iter().filter(|it| it.starts_with("locales/")).count(), 1, "{files:?}");
    }
}

/// A record somebody wrote is no reason to touch anything outside of the folder it speaks of.
#[test]
fn a_record_that_names_what_is_elsewhere_is_set_aside() {
    let sandbox = Sandbox::new();
    let path = seed::path();
    sandbox.run(&["import", path.to_str().unwrap()]).expect(0);
    let mine = sandbox.write("mine.txt", "mine");
    let record = sandbox.packages().join("rulepack.json");
    let mut state: Value = serde_json::from_slice(&std::fs::read(&record).unwrap()).unwrap();
    for evil in ["../../../../../work/mine.txt", mine.to_str().unwrap(), "a/../../mine.txt"] {
        state["imported"]["seed-example"]["versions"]["1"]["files"][0] = json!({"path": evil, "expected": null});
        std::fs::write(&record, state.to_string()).unwrap();
        let answer = sandbox.json(&["list"]);
        assert_eq!(answer.warning_codes(), ["state-rebuilt"], "{evil}");
        assert_eq!(answer.list().packages[0].id, ID);
    }
    sandbox.run(&["uninstall", ID]).expect(0);
    assert_eq!(std::fs::read_to_string(mine).unwrap(), "mine");
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link() {
    let sandbox = Sandbox::new();
    let path = seed::path();
    let elsewhere = sandbox.work().join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, sandbox.data().join("rulesets")).unwrap();
    let answer = sandbox.json(&["import", path.to_str().unwrap()]);
    assert_eq!(answer.code(), "io");
    assert_eq!(Tree::of(&elsewhere).paths(), [""; 0]);
    assert_eq!(sandbox.json(&["list"]).list().packages.len(), 0);
}
