//! `migrate`: stored sheets brought to the newest layout. The examples are the engine's own (`testdata/seed`).

use super::kit::envelope::Status;
use super::kit::sandbox::Sandbox;
use super::kit::seed;
use super::kit::tree::Tree;
use serde_json::{Value, json};

/// A sheet of the layout before, of this class.
fn sheet(class: &str) -> Value {
    json!({
        "v": 3, "name": "Mira", "build": {
            "fields": {"xp": 900, "class": class, "level": 3},
            "lists": {"attacks": [{"name": "Dagger", "ability": "str"}, {"name": "Club", "ability": "str"}]}},
        "live": {"pools": {"hit_dice": {"value": 2}}}})
}

fn migrated(sandbox: &Sandbox, sheets: &[&str]) -> Vec<Value> {
    let path = seed::path();
    let line: Vec<&str> = ["migrate", path.to_str().unwrap()].into_iter().chain(sheets.iter().copied()).collect();
    sandbox.json(&line).other()["sheets"].as_array().unwrap().clone()
}

#[test]
fn the_seeds_migrations_move_a_fighter3_with_its_hit_dice() {
    let sandbox = Sandbox::new();
    sandbox.write("mira.json", sheet("Fighter3").to_string());
    let told = &migrated(&sandbox, &["mira.json"])[0];
    assert_eq!((&told["from"], &told["to"], &told["changed"]), (&json!(3), &json!(4), &json!(true)));
    let fields = json!({"xp": 900, "experience": 900, "class": "Fighter3", "level": 3, "level_fighter": 3});
    let attacks = json!([{"name": "Dagger", "ability": "finesse"}, {"name": "Club", "ability": "str"}]);
    assert_eq!(
        told["sheet"],
        json!({"v": 4, "name": "Mira", "build": {"fields": fields, "lists": {"attacks": attacks}},
            "live": {"pools": {"hit_dice_d10": {"value": 2}}}})
    );
    let kinds: Vec<&str> =
        told["steps"].as_array().unwrap().iter().map(|step| step["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["rename", "route", "setColumn", "routeLive"]);
}

#[test]
fn fighter_3_wizard_2_is_one_number_that_nobody_splits() {
    let sandbox = Sandbox::new();
    sandbox.write("mira.json", sheet("Fighter 3 / Wizard 2").to_string());
    let told = &migrated(&sandbox, &["mira.json"])[0]["sheet"];
    assert_eq!(told["build"]["fields"]["level_other"], 3);
    assert_eq!(told["live"]["pools"], json!({"hit_dice_d8": {"value": 2}}));
}

#[test]
fn a_second_run_changes_nothing() {
    let sandbox = Sandbox::new();
    sandbox.write("mira.json", sheet("Wizard").to_string());
    let path = seed::path();
    let line = ["migrate", path.to_str().unwrap()];
    let once = sandbox.run(&[line[0], line[1], "mira.json"]).expect(0).stdout;
    sandbox.write("again.json", &once);
    let told = &migrated(&sandbox, &["again.json"])[0];
    assert_eq!((&told["changed"], &told["steps"]), (&json!(false), &json!([])));
    assert_eq!(told["sheet"], serde_json::from_str::<Value>(&once).unwrap());
    let explained = sandbox.run(&[line[0], line[1], "again.json", "--explain"]).expect(0);
    assert!(explained.stdout.contains("already at version"), "{explained}");
}

#[test]
fn many_sheets_go_in_one_call_and_those_refused_are_left_alone() {
    let sandbox = Sandbox::new();
    sandbox.write("all/a.json", sheet("Fighter").to_string());
    sandbox.write("all/b.json", "{");
    sandbox.write("all/notes.txt", "no sheet");
    let lines =
        [sheet("Wizard"), json!({"v": 9, "build": {}}), json!({"v": 3, "ruleset": "other", "build": {}}), json!([])];
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    sandbox.write("more.jsonl", lines.join("\n"));
    let before = Tree::of(sandbox.work());
    let path = seed::path();
    let line = ["migrate", path.to_str().unwrap(), "all", "more.jsonl", "gone.json"];
    let answer = sandbox.json(&line);
    assert_eq!((answer.status, answer.exit, answer.code()), (Status::Error, 4, "invalid-sheet"));
    let sheets = answer.other()["sheets"].as_array().unwrap();
    let told: Vec<(bool, Option<&str>)> =
        sheets.iter().map(|it| (it["sheet"].is_object(), it["error"]["code"].as_str())).collect();
    let refused = (false, Some("invalid-sheet"));
    assert_eq!(told, [(true, None), refused, (true, None), refused, refused, refused, (false, Some("file-not-found"))]);
    for (at, why) in [(1, "not JSON"), (3, "version 9"), (4, "`other`"), (5, "a JSON object")] {
        let message = sheets[at]["error"]["message"].as_str().unwrap();
        assert!(message.contains(why) && message.contains("skipped"), "{message}");
    }
    let people = sandbox.run(&line).expect(4);
    assert_eq!(people.stdout.lines().count(), 2, "{people}");
    assert!(people.stdout.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()), "{people}");
    assert!(before == Tree::of(sandbox.work()), "files are left as they are");
}

/// Every number a sheet holds that nothing moves is the same afterwards, to its last digit.
#[test]
fn numbers_that_are_only_copied_stay_what_they_were() {
    let sandbox = Sandbox::new();
    let numbers = "[0.1,0.30000000000000004,2.7715077941825975e-163,4.026380313612261e293,9007199254740993,1.5e300]";
    sandbox.write("mira.json", format!(r#"{{"v":3,"build":{{}},"x":{numbers}}}"#));
    let path = seed::path();
    let told = sandbox.run(&["migrate", path.to_str().unwrap(), "mira.json", "mira.json"]).expect(0).stdout;
    let written = told.lines().next().unwrap().split_once(r#""x":"#).unwrap().1.trim_end_matches('}');
    let read = |text: &str| -> Vec<f64> {
        text.trim_matches(['[', ']']).split(',').map(|number| number.parse().unwrap()).collect()
    };
    assert_eq!(read(written), read(numbers), "{told}");
}

#[test]
fn a_folder_is_read_with_all_its_files_of_sheets_and_one_without_says_so() {
    let sandbox = Sandbox::new();
    sandbox.write("all/a.JSON", sheet("Fighter").to_string());
    sandbox.write("all/b.jsonl", format!("{{\n{}\n", sheet("Wizard")));
    sandbox.write("all/c.ndjson", format!("{}\n{}\n", sheet("Fighter"), sheet("Wizard")));
    sandbox.write("all/within/d.json", sheet("Fighter").to_string());
    let path = seed::path();
    let answer = sandbox.json(&["migrate", path.to_str().unwrap(), "all"]);
    let sheets = answer.other()["sheets"].as_array().unwrap();
    let told: Vec<(&str, bool)> =
        sheets.iter().map(|it| (it["source"].as_str().unwrap(), it["sheet"].is_object())).collect();
    let ends =
        [("a.JSON", true), ("b.jsonl:1", false), ("b.jsonl:2", true), ("c.ndjson:1", true), ("c.ndjson:2", true)];
    assert_eq!(told.len(), ends.len(), "{told:?}");
    assert!(told.iter().zip(ends).all(|(told, end)| told.0.ends_with(end.0) && told.1 == end.1), "{told:?}");
    std::fs::create_dir(sandbox.work().join("none")).unwrap();
    let none = sandbox.json(&["migrate", path.to_str().unwrap(), "none"]);
    assert_eq!((none.exit, none.warning_codes()), (0, vec!["no-sheets"]));
}

#[test]
fn one_sheet_of_stdin_comes_out_as_it_is_to_be_saved() {
    let path = seed::path();
    let line = ["migrate", path.to_str().unwrap(), "-"];
    let told = Sandbox::new().command(&line).stdin(sheet("Fighter").to_string()).run().expect(0);
    assert_eq!(serde_json::from_str::<Value>(&told.stdout).unwrap()["build"]["fields"]["level_fighter"], 3);
}

#[test]
fn explain_tells_step_by_step_what_moved_where_and_why() {
    let sandbox = Sandbox::new();
    sandbox.write("mira.json", sheet("Fighter 3 / Wizard 2").to_string());
    let path = seed::path();
    let told = sandbox.run(&["migrate", path.to_str().unwrap(), "mira.json", "--explain"]).expect(0);
    for said in [
        "from version 3 to 4",
        "/build/fields/xp -> /build/fields/experience = 900",
        "`class` is \"Fighter 3 / Wizard 2\", which matches several of the cases",
        "/live/pools/hit_dice -> /live/pools/hit_dice_d8",
    ] {
        assert!(told.stdout.contains(said), "{said}: {told}");
    }
}

#[test]
fn live_state_is_moved_on_every_read_and_what_was_spent_since_stays() {
    let sandbox = Sandbox::new();
    let stored = json!({"v": 4, "build": {"fields": {"level_fighter": 2}},
        "live": {"pools": {"hit_dice": {"value": 2}, "hit_dice_d10": {"value": 0}}}});
    sandbox.write("mira.json", stored.to_string());
    let told = &migrated(&sandbox, &["mira.json"])[0];
    assert_eq!(told["sheet"]["live"]["pools"], json!({"hit_dice_d10": {"value": 0}}));
}

#[test]
fn an_imported_ruleset_migrates_as_its_file_does() {
    let sandbox = Sandbox::new();
    let path = seed::path();
    sandbox.run(&["import", path.to_str().unwrap()]).expect(0);
    sandbox.write("mira.json", sheet("Fighter").to_string());
    let by_file = migrated(&sandbox, &["mira.json"]);
    assert_eq!(sandbox.json(&["migrate", "local/seed-example", "mira.json"]).other()["sheets"], json!(by_file));
}
