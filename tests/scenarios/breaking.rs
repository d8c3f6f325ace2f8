//! What a new version takes from those who play the one before: `check --against`, `--sheets` and `catalog build`.

use super::kit::envelope::{Answer, Status};
use super::kit::sandbox::Sandbox;
use super::kit::tree::{Tree, copy};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

fn example(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog-example").join(path)
}

fn edit(path: &Path, change: impl FnOnce(&mut Value)) {
    let mut value: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    change(&mut value);
    std::fs::write(path, serde_json::to_string_pretty(&value).unwrap()).unwrap();
}

/// Ember Roads as it was published, and as it is to be: a skill and a field have other ids.
fn renamed() -> (Sandbox, PathBuf) {
    let sandbox = Sandbox::new();
    for name in ["old", "new"] {
        copy(&example("packages/ember-roads"), &sandbox.work().join(name));
    }
    let ruleset = sandbox.work().join("new/ruleset.json");
    edit(&ruleset, |ruleset| {
        ruleset["sheet"]["skills"][1]["id"] = json!("stealth");
        ruleset["sheet"]["fields"][5]["id"] = json!("renown_hearth");
        ruleset["sheet"]["migrations"][0]["steps"][2]["else"] = json!("renown_hearth");
    });
    (sandbox, ruleset)
}

const AGAINST: [&str; 4] = ["check", "new", "--against", "old"];

/// Code and place of all that is found; that the manifest is behind its files is not what is asked.
fn told(sandbox: &Sandbox) -> Vec<String> {
    let answer = sandbox.json(&AGAINST);
    let line =
        |it: &super::kit::envelope::Problem| format!("{} {}", it.code, it.pointer.as_deref().unwrap_or_default());
    answer.check().problems.iter().filter(|it| it.code != "stale-manifest").map(line).collect()
}

#[test]
fn a_rename_without_a_migration_is_an_error_and_what_is_proposed_mends_it() {
    let (sandbox, ruleset) = renamed();
    let answer = sandbox.json(&AGAINST);
    assert_eq!((answer.status, answer.exit), (Status::Problems, 10));
    let found = &answer.check().problems;
    let hints: Vec<&str> =
        found.iter().filter(|it| it.code == "gone-unmigrated").map(|it| it.hint.as_deref().unwrap()).collect();
    assert!(hints.iter().all(|hint| hint.starts_with("if it is now called `")), "{hints:?}");
    let entries = hints.iter().map(|hint| serde_json::from_str::<Value>(&hint[hint.find('{').unwrap()..]).unwrap());
    let steps: Vec<Value> = entries.map(|entry| entry["steps"][0].clone()).collect();
    assert_eq!(steps.len(), 2, "{found:#?}");
    let codes: Vec<String> = told(&sandbox);
    for code in ["M14 /sheet/migrations/0/steps/2", "layout-version /sheet/version", "version-not-raised /version"] {
        assert!(codes.contains(&code.to_owned()), "{code}: {codes:?}");
    }

    edit(&ruleset, |ruleset| {
        ruleset["sheet"]["migrations"][0]["steps"][2]["else"] = json!("renown_camp");
        ruleset["sheet"]["version"] = json!(3);
        ruleset["sheet"]["migrations"].as_array_mut().unwrap().push(json!({"from": 2, "steps": steps}));
    });
    assert_eq!(told(&sandbox), ["version-not-raised /version"]);
    edit(&sandbox.work().join("new/manifest.json"), |manifest| manifest["version"] = json!("1.1.0"));
    assert_eq!(told(&sandbox), [""; 0]);
}

#[test]
fn the_example_catalog_takes_its_earlier_sheets_along() {
    let sandbox = Sandbox::new();
    let [new, old] = ["packages/ember-roads", "earlier/packages/ember-roads"].map(example);
    let answer = sandbox.command(&["check"]).arg(new).arg("--against").arg(old).json();
    assert_eq!((answer.exit, answer.check().summary.errors), (0, 0), "{answer:#?}");
    assert!(answer.check().problems.iter().all(|it| it.severity == super::kit::envelope::Severity::Warning));
}

#[test]
fn stored_sheets_tell_what_they_would_lose() {
    let (sandbox, _) = renamed();
    let sheet =
        |skills: Value| json!({"v": 2, "build": {"skills": skills, "fields": {"renown_camp": 4, "calling": "scout"}}});
    sandbox.write("sheets/mira.json", sheet(json!({"sneak": "trained"})).to_string());
    sandbox.write("sheets/ned.json", json!({"v": 2, "build": {"fields": {"calling": "scout"}}}).to_string());
    sandbox.write("more.jsonl", format!("{}\n[]\n", sheet(json!({"scrap": "trained"}))));
    let line = [&AGAINST[..], &["--sheets", "sheets", "--sheets", "more.jsonl"]].concat();
    let answer = sandbox.json(&line);
    assert_eq!((answer.exit, answer.code()), (4, "invalid-sheet"), "{answer:#?}");
    let sheets = &answer.check().sheets.clone().unwrap();
    let lost = |sheet: &Value| -> Vec<String> {
        let lost = sheet["lost"].as_array().unwrap().iter();
        lost.map(|it| format!("{} = {}", it["pointer"].as_str().unwrap(), it["value"])).collect()
    };
    let lost: Vec<Vec<String>> = sheets.iter().map(lost).collect();
    let (field, skill) = ("/build/fields/renown_camp = 4".to_owned(), "/build/skills/sneak = \"trained\"".to_owned());
    assert_eq!(lost, [vec![skill, field.clone()], vec![], vec![field], vec![]]);
    assert!(sheets[3]["refused"].as_str().unwrap().contains("more.jsonl:2"), "{sheets:#?}");

    let shown = sandbox.run(&[&AGAINST[..], &["--sheets", "sheets"]].concat()).expect(10).stdout;
    assert!(
        shown.contains("mira.json loses 2 values:\n  /build/skills/sneak \"trained\": there is no skill"),
        "{shown}"
    );
    assert!(shown.contains("ned.json loses nothing"), "{shown}");
    assert_eq!(sandbox.json(&AGAINST).check().sheets, None);
    sandbox.run(&["check", "new", "--sheets", "sheets"]).expect(2);
}

#[test]
fn a_build_is_held_against_the_artifacts_it_replaces() {
    for container in ["bundle", "zip", "bare"] {
        let sandbox = Sandbox::new();
        copy(&example("packages/gravewatch"), &sandbox.work().join("packages/gravewatch"));
        let ruleset = sandbox.work().join("packages/gravewatch/ruleset.json");
        // A bare artifact holds no catalog files.
        edit(&ruleset, |ruleset| drop(ruleset.as_object_mut().unwrap().remove("catalogs")));
        std::fs::remove_dir_all(sandbox.work().join("packages/gravewatch/catalogs")).unwrap();
        edit(&sandbox.work().join("packages/gravewatch/manifest.json"), |manifest| {
            manifest["contributions"]["assets"]["paths"].as_array_mut().unwrap().retain(|path| path == "ruleset.json");
        });
        let line = ["catalog", "build", ".", "--container", container];
        sandbox.run(&line).expect(0);
        edit(&ruleset, |ruleset| {
            let fields = ruleset["sheet"]["fields"].as_array_mut().unwrap();
            fields.push(json!({"id": "shoe", "label": "Shoe size", "type": "number", "min": 1, "max": 60}));
        });
        let built = sandbox.run(&line).expect(0);
        assert!(built.stderr.contains("version-not-raised"), "{container}: {built}");
        edit(&ruleset, |ruleset| drop(ruleset["sheet"]["fields"].as_array_mut().unwrap().pop()));
        let before = Tree::of(sandbox.work());
        let refused = sandbox.run(&line).expect(10);
        assert!(
            refused.stdout.contains("error[gone-unmigrated]: the field `shoe` was removed"),
            "{container}: {refused}"
        );
        before.assert_same(&Tree::of(sandbox.work()));

        let allowed = sandbox.json(&[&line[..], &["--allow-breaking"]].concat());
        let Some(Answer::Other(result)) = &allowed.answer else { panic!("{allowed:#?}") };
        assert_eq!((allowed.exit, result["summary"]["errors"].as_u64()), (0, Some(0)), "{allowed:#?}");
        assert!(result["problems"].as_array().unwrap().iter().any(|it| it["code"] == "gone-unmigrated"), "{result:#}");
        assert!(sandbox.run(&line).expect(0).stdout.contains("0 files written"), "{container}");
    }
}
