//! `audit combat`: fights by the rules of packs and hosts, in both faces, the same for the same seed.

use super::kit::sandbox::{Outcome, Sandbox};
use serde_json::{Value, json};
use std::path::PathBuf;

/// A pack of four rules, one of them without combat, and a base.
fn pack() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("testdata/diceframe/combat-ridge")
}

fn run(sandbox: &Sandbox, line: &str) -> Outcome {
    let line = line.replace("PACK", pack().to_str().unwrap());
    sandbox.run(&line.split_whitespace().collect::<Vec<_>>())
}

/// The document of a run, held against the schema.
#[track_caller]
fn document(sandbox: &Sandbox, line: &str, exit: i32) -> Value {
    let outcome = run(sandbox, &format!("{line} --json")).expect(exit);
    assert_eq!(outcome.stderr, "", "{outcome}");
    let document: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let schema: Value = serde_json::from_str(&sandbox.run(&["schema", "audit-combat"]).expect(0).stdout).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let faults: Vec<String> = schema.iter_errors(&document).map(|fault| fault.to_string()).collect();
    assert!(faults.is_empty(), "{faults:?}");
    document
}

/// Writes a rule of the test's own that extends nothing.
fn rule(sandbox: &Sandbox, name: &str, combat: &Value) -> String {
    let rule = json!({
        "rule_id": name,
        "attributes": [{"key": "pace", "name": "Pace"}],
        "combat": combat
    });
    let path = sandbox.write(&format!("{name}.json"), serde_json::to_string_pretty(&rule).unwrap());
    path.display().to_string()
}

/// Code, severity and place of every finding.
fn codes(document: &Value) -> Vec<(&str, &str, &str)> {
    fn text<'d>(problem: &'d Value, key: &str) -> &'d str {
        problem[key].as_str().unwrap_or_default()
    }
    let problems = document["result"]["problems"].as_array().unwrap();
    problems
        .iter()
        .map(|problem| (text(problem, "code"), text(problem, "severity"), text(problem, "pointer")))
        .collect()
}

/// As two languages of one rule have it.
#[test]
fn rules_of_the_same_id_are_told_apart_by_their_files() {
    let sandbox = Sandbox::new();
    for name in ["ridge", "ridge_fr"] {
        let rule = json!({"rule_id": "ridge", "combat": {}}).to_string();
        sandbox.write(&format!("pack/content/rules/{name}.json"), rule);
    }
    std::fs::copy(pack().join("plugin.json"), sandbox.work().join("pack/plugin.json")).unwrap();
    let fought = sandbox.run(&["audit", "combat", "--path", "pack"]).expect(10).stdout;
    let played = sandbox.run(&["audit", "dice", "--rule-path", "pack", "--rounds", "1"]).expect(0).stdout;
    for told in [fought, played] {
        for name in ["\nridge (pack/content/rules/ridge.json) ", "\nridge (pack/content/rules/ridge_fr.json) "] {
            assert!(told.contains(name), "{told}");
        }
    }
}

#[test]
fn a_pack_is_fought_by_and_every_move_is_verified() {
    let sandbox = Sandbox::new();
    let told = run(&sandbox, "audit combat --path PACK --rounds 300 --players 3 --strict").expect(0);
    assert_eq!(told.stderr, "");
    let last = told.stdout.lines().last().unwrap();
    assert!(
        last.starts_with("4 rules, 3 fought by, ") && last.ends_with("with seed 20260822: no problems found"),
        "{last}"
    );
    for (rule, scheduler) in [("ridge ", "threshold"), ("ridge_tempo", "threshold"), ("ridge_turns", "initiative")] {
        let row = told.stdout.lines().find(|line| line.starts_with(rule)).unwrap();
        assert!(row.contains(scheduler) && row.contains("300  all"), "{row}");
    }
    assert!(!told.stdout.contains("camp") && !told.stdout.contains("ridge_base"), "{told}");
}

#[test]
fn the_json_tells_what_became_of_every_action() {
    let sandbox = Sandbox::new();
    let line = "audit combat --path PACK --rounds 300 --rule ridge --rule camp";
    let told = document(&sandbox, line, 0);
    assert_eq!((&told["command"], &told["status"]), (&json!("audit combat"), &json!("ok")));
    let [camp, ridge] = told["result"]["rules"].as_array().unwrap().as_slice() else { panic!("{told}") };
    assert_eq!((&camp["declared"], &camp["fought"], &camp["scheduler"]), (&json!(false), &json!(false), &json!(null)));
    assert_eq!(
        (&ridge["declared"], &ridge["fought"], &ridge["scheduler"]),
        (&json!(true), &json!(true), &json!("threshold"))
    );
    assert!(ridge["ended"].as_u64() > Some(3) && ridge["comparisons"].as_u64() > Some(300), "{ridge}");
    assert_eq!((&ridge["rounds"], &ridge["disagreements"], &ridge["trace"]), (&json!(300), &json!(0), &json!(null)));
    let ids: Vec<&str> = ridge["actions"].as_array().unwrap().iter().filter_map(|a| a["id"].as_str()).collect();
    assert_eq!(ids, ["attack:spear", "gift:rime", "gift:wall", "item:broth"]);
    assert!(ridge["actions"].as_array().unwrap().iter().all(|action| action["done"].as_u64() > Some(0)), "{ridge}");
    assert_eq!(document(&sandbox, line, 0), told, "the same seed, the same report");
    assert_ne!(document(&sandbox, &format!("{line} --seed 7"), 0), told);
}

#[test]
fn a_trace_tells_one_fight_step_by_step() {
    let sandbox = Sandbox::new();
    let told = run(&sandbox, "audit combat --path PACK --rule ridge --rounds 100 --players 1 --trace").expect(0);
    let lines: Vec<&str> = told.stdout.lines().collect();
    assert_eq!(lines[0], "ridge, the first fight");
    assert!(lines[1].starts_with("   0  e1 breath 30, guard 0, hp "), "{told}");
    assert!(
        lines[2].starts_with("   1  time goes on (e1 ") && lines[2].ends_with("e1 is ready, p1 is ready"),
        "{told}"
    );
    assert!(lines[3].starts_with("   1  e1 does "), "{told}");
    let traced = document(&sandbox, "audit combat --path PACK --rule ridge --rounds 100 --players 1 --trace", 0);
    let steps = traced["result"]["rules"][0]["trace"].as_array().unwrap();
    assert_eq!((&steps[0]["move"], &steps[1]["move"]), (&json!({"kind": "start"}), &json!({"kind": "advance"})));
    let events: Vec<&str> = steps[1]["events"].as_array().unwrap().iter().filter_map(|e| e["event"].as_str()).collect();
    assert_eq!(events, ["combat.scheduler.advanced", "combat.scheduler.ready", "combat.scheduler.ready"]);
}

#[test]
fn findings_have_their_place_and_decide_the_exit() {
    let sandbox = Sandbox::new();
    let hit = |amount: Value| json!({"id": "hit", "kind": "attack", "effects": [{"kind": "damage", "amount": amount}]});
    let block = |actions: Value| json!({"resources": [{"id": "hp", "source": "hp"}], "actions": actions});
    let constant = |value: i64| json!({"op": "constant", "value": value});
    let effect = "/combat/actions/0/effects/0/amount";

    let proven = rule(&sandbox, "proven", &block(json!([hit(constant(200_000))])));
    let told = document(&sandbox, &format!("audit combat --path {proven}"), 10);
    assert_eq!(told["status"], "problems");
    assert_eq!(
        codes(&told),
        [("fight-never-ends", "error", "/combat/actions"), ("formula-out-of-bounds", "error", effect)]
    );
    let problem = &told["result"]["problems"][1];
    assert!(
        problem["file"].as_str().unwrap().ends_with("proven.json") && problem["line"].as_u64() > Some(5),
        "{problem}"
    );

    let luck = json!({"op": "subtract", "args": [{"op": "dice", "formula": "1d6"}, constant(3)]});
    let seen = rule(&sandbox, "seen", &block(json!([hit(luck)])));
    let told = document(&sandbox, &format!("audit combat --path {seen}"), 0);
    assert_eq!(codes(&told), [("formula-refused", "warning", effect)]);
    let told = document(&sandbox, &format!("audit combat --path {seen} --strict"), 10);
    assert_eq!(codes(&told), [("formula-refused", "error", effect)]);

    let broken = rule(&sandbox, "broken", &json!("threshold"));
    let told = document(&sandbox, &format!("audit combat --path {broken}"), 10);
    assert_eq!(codes(&told), [("C01", "error", "/combat")]);
    let text = run(&sandbox, &format!("audit combat --path {broken}")).expect(10).stdout;
    assert!(text.contains("error[C01]:") && text.contains("not fought"), "{text}");
}

#[test]
fn annotations_stand_at_their_lines() {
    let sandbox = Sandbox::new();
    let broken = rule(&sandbox, "broken", &json!("threshold"));
    let told = run(&sandbox, &format!("audit combat --path {broken} --format github")).expect(10);
    assert!(told.stdout.starts_with("::error file=broken.json,line=8,"), "{told}");
    assert!(told.stdout.contains("title=C01::") && told.stdout.lines().count() == 1, "{told}");
    assert!(told.stderr.starts_with("1 rule, 0 fought by, "), "{told}");
}

#[test]
fn null_takes_away_an_inherited_block() {
    let sandbox = Sandbox::new();
    let path = rule(&sandbox, "peace", &Value::Null);
    let told = document(&sandbox, &format!("audit combat --path {path} --strict"), 0);
    assert_eq!(told["result"]["summary"]["fought"], 0);
    assert_eq!(told["result"]["rules"][0]["declared"], false);
}

#[test]
fn what_cannot_be_read_is_a_finding() {
    let sandbox = Sandbox::new();
    let deep = sandbox.write("deep.json", "[".repeat(100_000));
    let told = document(&sandbox, &format!("audit combat --path {}", deep.display()), 10);
    assert_eq!(codes(&told).iter().map(|(code, ..)| *code).collect::<Vec<_>>(), ["D01"]);
}

#[test]
fn wrong_usage_is_told() {
    let sandbox = Sandbox::new();
    for line in [
        "audit combat",
        "audit combat --path nowhere",
        "audit combat --path .",
        "audit combat --path PACK --rounds 0",
        "audit combat --path PACK --players 7",
        "audit combat --path PACK --rule rigde",
        "audit combat --path PACK/content/rules/ridge_base.json",
    ] {
        let outcome = run(&sandbox, &format!("{line} --json")).expect(2);
        let document: Value = serde_json::from_str(&outcome.stdout).unwrap();
        assert_eq!((&document["status"], &document["error"]["code"]), (&json!("error"), &json!("usage")), "{line}");
    }
    let told = run(&sandbox, "audit combat --path PACK --rule rigde").expect(2);
    assert!(told.stderr.contains("did you mean `ridge`"), "{told}");
    let told = run(&sandbox, "audit combat").expect(2);
    assert!(told.stderr.contains("<--host <DIR>|--path <PATH>>"), "{told}");
    // The rule may be the one that could not be read.
    let broken = sandbox.write("broken.json", "{");
    let told = run(&sandbox, &format!("audit combat --path PACK --path {} --rule zzz", broken.display())).expect(2);
    assert!(told.stderr.contains("some rules cannot be read"), "{told}");
}
