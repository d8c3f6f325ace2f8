//! `catalog build`: package folders in, a catalog out, the same bytes every time, and nothing when a source is wrong.

use super::kit::envelope::Answer;
use super::kit::sandbox::{Outcome, Sandbox};
use super::kit::tree::{Tree, copy};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// A working folder whose `packages/` are those of the example catalog.
fn workshop() -> (Sandbox, PathBuf) {
    let sandbox = Sandbox::new();
    let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog-example/packages");
    copy(&packages, &sandbox.work().join("packages"));
    let root = sandbox.work();
    (sandbox, root)
}

fn build(sandbox: &Sandbox, args: &[&str]) -> Outcome {
    sandbox.run(&[&["catalog", "build", "."], args].concat())
}

fn read(path: PathBuf) -> Value {
    serde_json::from_slice(&std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))).unwrap()
}

/// Changes one value of a JSON file.
fn edit(path: &Path, change: impl FnOnce(&mut Value)) {
    let mut value = read(path.to_owned());
    change(&mut value);
    std::fs::write(path, serde_json::to_string_pretty(&value).unwrap()).unwrap();
}

fn ids(catalog: &Value) -> Vec<&str> {
    let entries = catalog["packages"].as_array().unwrap();
    entries.iter().map(|entry| entry["manifest"]["id"].as_str().unwrap()).collect()
}

#[test]
fn what_is_built_installs_and_is_the_same_every_time() {
    let (sandbox, root) = workshop();
    build(&sandbox, &[]).expect(0);
    let built = Tree::of(&root);
    let again = build(&sandbox, &[]).expect(0);
    assert!(again.stdout.contains("0 files written"), "{}", again.stdout);
    built.assert_same(&Tree::of(&root));

    let catalog = read(root.join("catalog.json"));
    assert_eq!(catalog["generatedAt"], "1970-01-01T00:00:00.000Z");
    assert_eq!(ids(&catalog), ["ember-roads", "gravewatch", "saltmarsh-post"]);
    let installed =
        sandbox.command(&["install", "ember-roads", "saltmarsh-post", "--language", "ja", "--catalog", "."]);
    let installed = installed.json().expect(0);
    assert_eq!(installed.package("ember-roads").language_pack.as_ref().unwrap().language.as_deref(), Some("ja"));
}

#[test]
fn lanes_follow_the_engine_ranges_and_the_catalog_for_all_is_the_second() {
    let (sandbox, root) = workshop();
    let engine = |min: &str, below: &str| json!({"min": min, "maxExclusive": below});
    edit(&root.join("packages/ember-roads/manifest.json"), |m| m["engine"] = engine("3.1.0", "4.0.0"));
    edit(&root.join("packages/gravewatch/manifest.json"), |m| m["engine"] = engine("2.3.0", "3.0.0"));
    edit(&root.join("packages/ember-roads/manifest.json"), |m| m["builtAgainst"]["engineVersion"] = json!("3.1.0"));
    build(&sandbox, &["--out", "site", "--generated-at", "2026-11-30T12:00:00Z"]).expect(0);
    let site = root.join("site");
    let (second, third) = (read(site.join("v2/catalog.json")), read(site.join("v3/catalog.json")));
    assert_eq!(ids(&second), ["gravewatch", "saltmarsh-post"]);
    assert_eq!(ids(&third), ["ember-roads", "saltmarsh-post"]);
    assert_eq!(second, read(site.join("catalog.json")));
    assert_eq!(third["generatedAt"], "2026-11-30T12:00:00.000Z");
    assert!(!root.join("catalog.json").exists() && !root.join("artifacts").exists());
}

/// What is left of an earlier build would be refused by `catalog verify`.
#[test]
fn a_lane_no_package_is_for_any_more_goes() {
    let (sandbox, root) = workshop();
    build(&sandbox, &[]).expect(0);
    sandbox.write("v3/README.md", "mine");
    sandbox.write("v4/catalog.json", "{}");
    for id in ["ember-roads", "gravewatch", "saltmarsh-post"] {
        let older = json!({"min": "1.0.0", "maxExclusive": "3.0.0"});
        edit(&root.join(format!("packages/{id}/manifest.json")), |manifest| manifest["engine"] = older);
    }
    let built = sandbox.json(&["catalog", "build", "."]);
    let Some(Answer::Other(result)) = &built.answer else { panic!("{built:#?}") };
    assert_eq!(result["out"], json!(root.to_str()));
    assert_eq!(result["removed"], json!(["v3/catalog.json", "v4/catalog.json"]));
    assert!(!root.join("v4").exists() && root.join("v3/README.md").exists() && !root.join("v1").exists());
    sandbox.run(&["catalog", "verify", "."]).expect(0);
    assert!(build(&sandbox, &[]).expect(0).stdout.contains("0 files written"));

    let nowhere = json!({"min": "1.0.0", "maxExclusive": "2.0.0"});
    edit(&root.join("packages/gravewatch/manifest.json"), |manifest| manifest["engine"] = nowhere);
    let refused = build(&sandbox, &[]).expect(10);
    assert!(refused.stdout.contains("engine-range") && refused.stdout.contains("have no lane"), "{}", refused.stdout);
}

#[test]
fn what_killed_builds_left_goes_and_what_living_ones_work_on_stays() {
    let (sandbox, root) = workshop();
    sandbox.write(".rulepack-build-dead/artifacts/a.json", "{}");
    sandbox.write(".rulepack-build-dead/lock", "");
    sandbox.write("packages/gravewatch/.rulepack-build-dead", "{");
    sandbox.write(".rulepack-build-live/lock", "");
    let lock = std::fs::File::open(root.join(".rulepack-build-live/lock")).unwrap();
    lock.lock().unwrap();
    build(&sandbox, &[]).expect(0);
    let left = |folder: &Path| {
        let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.starts_with('.')).collect::<Vec<_>>()
    };
    assert_eq!(left(&root), [".rulepack-build-live"]);
    assert_eq!(left(&root.join("packages/gravewatch")), [""; 0]);
}

/// B10: the same sources make the same bytes on every system.
#[test]
fn line_ends_of_a_checkout_change_nothing() {
    let (sandbox, root) = workshop();
    build(&sandbox, &[]).expect(0);
    let built = Tree::of(root.join("artifacts"));
    for name in ["ruleset.json", "catalogs/wares.json", "locales/ru.json"] {
        let path = root.join("packages/ember-roads").join(name);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replace('\n', "\r\n")).unwrap();
    }
    let checked = sandbox.run(&["check", "packages/ember-roads"]).expect(0);
    assert!(checked.stdout.contains("no problems found"), "{}", checked.stdout);
    assert!(build(&sandbox, &[]).expect(0).stdout.contains("0 files written"));
    built.assert_same(&Tree::of(root.join("artifacts")));
}

#[test]
fn files_that_are_no_assets_are_published_as_declared() {
    let (sandbox, root) = workshop();
    sandbox.write("packages/gravewatch/LICENSE", "CC0");
    sandbox.write("packages/gravewatch/catalogs/LICENSE.txt", "CC0");
    let path = root.join("packages/gravewatch/manifest.json");
    edit(&path, |manifest| {
        for path in ["LICENSE", "catalogs/LICENSE.txt"] {
            let license = json!({"path": path, "sha256": "0".repeat(64), "bytes": 1});
            manifest["files"].as_array_mut().unwrap().push(license);
        }
    });
    build(&sandbox, &[]).expect(0);
    let manifest = read(path);
    for (at, path) in [(2, "LICENSE"), (3, "catalogs/LICENSE.txt")] {
        assert_eq!(manifest["files"][at]["path"], path);
        assert_eq!(manifest["files"][at]["bytes"], 3);
    }
    assert!(!manifest["contributions"].to_string().contains("LICENSE"));
    sandbox.run(&["catalog", "verify", "."]).expect(0);
}

#[test]
fn what_only_the_catalog_says_survives_a_build_and_a_listing_says_it_better() {
    let (sandbox, root) = workshop();
    let listing = root.join("packages/gravewatch/listing.json");
    std::fs::remove_file(&listing).unwrap();
    build(&sandbox, &["--base-url", "https://example.org/files/"]).expect(0);
    edit(&root.join("catalog.json"), |catalog| {
        catalog["generatedAt"] = json!("2026-10-01T00:00:00.000Z");
        catalog["packages"][1]["category"] = json!("tracker");
        catalog["packages"][1]["iconUrl"] = json!("https://example.org/icon.png");
        catalog["packages"][1]["documentationUrl"] = json!("https://example.org/docs");
    });
    build(&sandbox, &[]).expect(0);
    let catalog = read(root.join("catalog.json"));
    assert_eq!(catalog["generatedAt"], "2026-10-01T00:00:00.000Z");
    let entry = &catalog["packages"][1];
    assert_eq!(entry["category"], "tracker");
    assert_eq!(entry["iconUrl"], "https://example.org/icon.png");
    assert_eq!(entry["documentationUrl"], "https://example.org/docs");
    assert_eq!(entry["artifact"]["url"], "https://example.org/files/gravewatch-1.2.0.ruleset.json");
    std::fs::write(&listing, r#"{"documentationUrl": "https://example.org/new"}"#).unwrap();
    build(&sandbox, &[]).expect(0);
    let entry = &read(root.join("catalog.json"))["packages"][1];
    assert_eq!(entry["documentationUrl"], "https://example.org/new");
    assert!(entry["category"] == "misc" && entry.get("iconUrl").is_none(), "{entry}");
    std::fs::write(&listing, r#"{"docs": "x"}"#).unwrap();
    assert!(build(&sandbox, &[]).expect(10).stdout.contains("listing.json:1:2"));
}

/// Who builds a catalog of their own need not say what its store page shows; the official catalog's maintainers do.
#[test]
fn a_listing_is_due_in_the_official_catalog_alone() {
    let (sandbox, root) = workshop();
    std::fs::remove_file(root.join("packages/gravewatch/listing.json")).unwrap();
    let official = "https://raw.githubusercontent.com/Pasta-Devs/Marinara-Agents/main/artifacts";
    let refused = build(&sandbox, &["--base-url", official]).expect(10);
    assert!(refused.stdout.contains("error[missing-documentation]"), "{}", refused.stdout);
    let built = build(&sandbox, &[]).expect(0);
    assert!(built.stderr.contains("warning[missing-documentation]"), "{}", built.stderr);
    build(&sandbox, &[]).expect(0);
}

#[test]
fn a_manifest_need_not_know_its_files_and_keeps_all_else_it_says() {
    let (sandbox, root) = workshop();
    let path = root.join("packages/gravewatch/manifest.json");
    let before = std::fs::read_to_string(&path).unwrap();
    let (start, end) = (before.find("\"contributions\"").unwrap(), before.find("\"permissions\"").unwrap());
    std::fs::write(&path, format!("{}{}", &before[..start], &before[end..])).unwrap();
    build(&sandbox, &[]).expect(0);
    assert_eq!(before, std::fs::read_to_string(&path).unwrap());
}

#[test]
fn a_changelog_becomes_the_notes() {
    let (sandbox, root) = workshop();
    build(&sandbox, &[]).expect(0);
    assert!(!root.join("notes.json").exists());
    sandbox.write(
        "packages/ember-roads/CHANGELOG.md",
        "# Changes\n\n## 1.0.0 — 2026-11-30\n\nA market.\n\n## 0.9.1 — 2026-10-01\nMended.\n## 0.9.0 — 2026-09-01\nNew.\n",
    );
    build(&sandbox, &[]).expect(0);
    let notes = read(root.join("notes.json"));
    let versions = &notes["packages"]["ember-roads"]["versions"];
    assert_eq!(versions[0], json!({"version": "1.0.0", "date": "2026-11-30", "notes": "A market.", "highlight": true}));
    assert_eq!(versions[1]["highlight"], false);
}

/// What is wrong with a source, and how that is told.
#[test]
fn a_source_that_cannot_be_published_is_refused_and_nothing_is_written() {
    type Spoil = fn(&Path);
    let rows: [(&str, Spoil, &[&str], i32, &str); 10] = [
        ("no packages", |root| std::fs::remove_dir_all(root.join("packages")).unwrap(), &[], 3, "package folder"),
        (
            "no ruleset",
            |root| std::fs::remove_file(root.join("packages/gravewatch/ruleset.json")).unwrap(),
            &[],
            10,
            "ruleset.json",
        ),
        ("a container for nobody", |_| (), &["--container", "gravewach=zip"], 2, "did you mean `gravewatch`?"),
        ("bare with catalogs", |_| (), &["--container", "bare"], 4, "only ruleset.json"),
        (
            "no card",
            |root| edit(&root.join("packages/gravewatch/locales/ru.json"), |pack| pack["package"] = json!({})),
            &[],
            10,
            "ru.json",
        ),
        (
            "no version",
            |root| edit(&root.join("packages/gravewatch/manifest.json"), |m| m["version"] = json!("1")),
            &[],
            10,
            "manifest-version",
        ),
        (
            "two of one id",
            |root| copy(&root.join("packages/gravewatch"), &root.join("packages/other")),
            &[],
            4,
            "two package folders",
        ),
        (
            "a changelog of another version",
            |root| std::fs::write(root.join("packages/gravewatch/CHANGELOG.md"), "## 1.0.0 — 2026-01-01\nx").unwrap(),
            &[],
            4,
            "CHANGELOG.md:1",
        ),
        (
            "a catalog nobody can read",
            |root| std::fs::write(root.join("catalog.json"), "{").unwrap(),
            &[],
            4,
            "catalog.json",
        ),
        (
            "notes that were there and are none",
            |root| std::fs::write(root.join("notes.json"), "{}").unwrap(),
            &[],
            10,
            "notes-shape",
        ),
    ];
    for (what, spoil, args, exit, told) in rows {
        let (sandbox, root) = workshop();
        spoil(&root);
        let before = Tree::of(&root);
        let refused = build(&sandbox, args);
        assert_eq!(refused.status, Some(exit), "{what}: {}{}", refused.stdout, refused.stderr);
        let said = refused.stdout + &refused.stderr;
        assert!(said.contains(told), "{what}: {said}");
        before.assert_same(&Tree::of(&root));
    }
}

/// A package that were passed over would leave the catalog, and a pipe would be waited for without end.
#[cfg(unix)]
#[test]
fn a_package_with_a_file_that_is_none_is_refused_and_never_passed_over() {
    for file in
        ["manifest.json", "ruleset.json", "listing.json", "CHANGELOG.md", "catalogs/charms.json", "locales/ru.json"]
    {
        let (sandbox, root) = workshop();
        let file = root.join("packages/gravewatch").join(file);
        let _ = std::fs::remove_file(&file);
        assert!(std::process::Command::new("mkfifo").arg(&file).status().unwrap().success());
        let told = build(&sandbox, &[]);
        assert!(matches!(told.status, Some(1 | 10)), "{told}");
        let said = [told.stdout.as_str(), &told.stderr].concat();
        assert!(said.contains("neither a regular file nor a folder") && !said.contains("files written"), "{told}");
        assert!(!root.join("catalog.json").exists());
    }
    let (sandbox, root) = workshop();
    std::fs::remove_file(root.join("packages/gravewatch/manifest.json")).unwrap();
    let told = build(&sandbox, &[]).expect(3);
    assert!(told.stderr.contains("there is no") && told.stderr.contains("gravewatch/manifest.json"), "{told}");
}

/// The entry printed for an artifact is the one a build writes.
#[test]
fn an_entry_of_one_artifact_is_the_one_a_build_makes() {
    let (sandbox, root) = workshop();
    build(&sandbox, &["--container", "gravewatch=zip", "--container", "saltmarsh-post=bare"]).expect(0);
    let catalog = read(root.join("catalog.json"));
    let docs = "https://github.com/Pasta-Devs/Marinara-Engine/tree/main/docs/examples/rulesets";
    let official = "https://raw.githubusercontent.com/Pasta-Devs/Marinara-Agents/main/artifacts/";
    for (at, stem, packs, more) in [
        (0, "ember-roads-1.0.0", ["ar", "de", "ja", "pt-BR", "pt", "ru", "zh-Hans"].as_slice(), [].as_slice()),
        (1, "gravewatch-1.2.0", &["de", "pt", "ru"], &[]),
        (2, "saltmarsh-post-0.4.0", &["ja", "zh-Hans"], &["--manifest", "packages/saltmarsh-post/manifest.json"]),
    ] {
        let artifact = format!("artifacts/{stem}.ruleset.json");
        let mut run =
            sandbox.command(&["catalog", "entry", &artifact, "--base-url", official, "--documentation-url", docs]);
        for pack in packs {
            run = run.arg("--pack").arg(format!("artifacts/{stem}.{pack}.json"));
        }
        let printed = more.iter().fold(run, |run, word| run.arg(word)).run().expect(0);
        let entry: Value = serde_json::from_str(&printed.stdout).unwrap();
        assert_eq!(entry, catalog["packages"][at]);
        assert!(printed.stdout.starts_with("{\n  \"manifest\": {\n"), "{}", printed.stdout);
    }
}

#[test]
fn an_entry_that_would_be_refused_is_not_made_and_every_reason_is_told() {
    let (sandbox, root) = workshop();
    build(&sandbox, &["--container", "saltmarsh-post=bare"]).expect(0);
    let entry =
        |args: &[&str]| sandbox.run(&[&["catalog", "entry", "--base-url", "https://example.org/a"], args].concat());
    let bare = entry(&["artifacts/saltmarsh-post-0.4.0.ruleset.json"]).expect(2);
    assert!(bare.stdout.is_empty() && bare.stderr.contains("--manifest"), "{}", bare.stderr);
    let gone = entry(&["artifacts/nothing.ruleset.json"]).expect(3);
    assert!(gone.stderr.contains("nothing.ruleset.json"), "{}", gone.stderr);
    let of = |artifact: &str, base: &str, more: &[&str]| {
        sandbox.run(&[&["catalog", "entry", artifact, "--base-url", base], more].concat())
    };
    let artifact = "artifacts/gravewatch-1.2.0.ruleset.json";
    for wrong in ["artifacts", "http://example.org/a", "https://example.org/a?x=1", "https://example.org/a#x", ""] {
        let refused = of(artifact, wrong, &[]).expect(2);
        assert!(refused.stderr.contains("--base-url"), "{wrong}: {}", refused.stderr);
    }
    // The rules of official entries, as `catalog verify` would tell them.
    let official = "https://raw.githubusercontent.com/Pasta-Devs/Marinara-Agents/main";
    let docs = ["--documentation-url", "https://example.org/docs"];
    let artifacts = format!("{official}/artifacts");
    assert!(of(artifact, &artifacts, &[]).expect(10).stderr.contains("missing-documentation"));
    of(artifact, &artifacts, &docs).expect(0);
    assert!(of(artifact, &format!("{official}/files"), &docs).expect(10).stderr.contains("official-url"));
    // A name of any characters is found again under its address.
    std::fs::copy(root.join(artifact), root.join("artifacts/a b#c.json")).unwrap();
    let odd = of("artifacts/a b#c.json", "https://example.org/a", &[]).expect(0);
    assert!(odd.stdout.contains("https://example.org/a/a%20b%23c.json"), "{}", odd.stdout);
    edit(&root.join("artifacts/ember-roads-1.0.0.ru.json"), |pack| pack["_meta"]["locale"] = json!("de"));
    let pack = ["artifacts/ember-roads-1.0.0.ruleset.json", "--pack", "artifacts/ember-roads-1.0.0.ru.json", "--json"];
    let told: Value = serde_json::from_str(&entry(&pack).expect(10).stdout).unwrap();
    assert_eq!((&told["status"], &told["result"]["entry"]), (&json!("problems"), &Value::Null));
    assert_eq!(told["result"]["problems"][0]["code"], "T03");
    let renamed = root.join("artifacts/ember-roads-0.9.0.de.json");
    std::fs::copy(root.join("artifacts/ember-roads-1.0.0.de.json"), &renamed).unwrap();
    let other = entry(&["artifacts/ember-roads-1.0.0.ruleset.json", "--pack", "artifacts/ember-roads-0.9.0.de.json"])
        .expect(10);
    assert!(other.stderr.contains("pack-url"), "{}", other.stderr);
    // The manifest is in the artifact and in the entry; what is wrong with it is told once.
    let one = || root.join("artifacts/gravewatch-1.2.0.ruleset.json");
    edit(&one(), |bundle| bundle["manifest"]["restartRequired"] = json!(true));
    let told: Value = serde_json::from_str(&entry(&[artifact, "--json"]).expect(10).stdout).unwrap();
    let codes: Vec<&Value> = told["result"]["problems"].as_array().unwrap().iter().map(|it| &it["code"]).collect();
    assert_eq!(codes, ["K7"], "{told:#}");
}

#[test]
fn a_pack_that_cannot_be_listed_hides_nothing_of_the_others_and_is_told_once() {
    let (sandbox, root) = workshop();
    build(&sandbox, &[]).expect(0);
    let whole = std::fs::read_to_string(root.join("artifacts/gravewatch-1.2.0.de.json")).unwrap();
    let told = |packs: &[(&str, &str)]| {
        let mut run = sandbox.command(&["catalog", "entry", "--base-url", "https://example.org/a", "--json"]);
        run = run.arg("artifacts/gravewatch-1.2.0.ruleset.json");
        for (name, text) in packs {
            sandbox.write(name, text);
            run = run.arg("--pack").arg(name);
        }
        let told: Value = serde_json::from_str(&run.run().expect(10).stdout).unwrap();
        let problems = told["result"]["problems"].as_array().unwrap();
        let word = |problem: &Value, key: &str| problem[key].as_str().unwrap_or_default().to_owned();
        problems.iter().map(|it| format!("{} {}", word(it, "code"), word(it, "file"))).collect::<Vec<_>>()
    };
    let (broken, other) = ("gravewatch-1.2.0.ru.json", "gravewatch-1.2.0.pt.json");
    assert_eq!(told(&[(broken, "{"), (other, &whole)]), [format!("T02 {broken}"), format!("T03 {other}")]);
    assert_eq!(
        told(&[("de.json", &whole), (other, &whole)]),
        ["pack-language de.json".to_owned(), format!("T03 {other}")]
    );
    let long = format!("{whole}{}", " ".repeat(8 << 20));
    assert_eq!(told(&[("gravewatch-1.2.0.de.json", &long)]), ["T10 gravewatch-1.2.0.de.json"]);
}
