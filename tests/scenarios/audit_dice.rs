//! `audit dice`: campaigns by the rules of packs and hosts, in both faces, the same for the same seed.

use super::kit::envelope::Status;
use super::kit::sandbox::{Outcome, Sandbox};
use serde_json::{Value, json};
use std::path::PathBuf;

/// A pack of seven rules, and a base.
fn pack() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("testdata/diceframe/dice-tide")
}

fn rule(name: &str) -> PathBuf {
    pack().join("content/rules").join(name)
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
    let schema: Value = serde_json::from_str(&sandbox.run(&["schema", "audit-dice"]).expect(0).stdout).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let faults: Vec<String> = schema.iter_errors(&document).map(|fault| fault.to_string()).collect();
    assert!(faults.is_empty(), "{faults:?}");
    document
}

#[test]
fn the_quick_profile_of_a_pack_is_well() {
    let sandbox = Sandbox::new();
    let told =
        run(&sandbox, "audit dice --rounds 25 --players 6 --distribution-samples 20000 --rule-path PACK").expect(0);
    assert_eq!(told.stderr, "");
    let last = told.stdout.lines().last().unwrap();
    assert_eq!(
        last,
        "10 rules, 1500 actions, 1350 checks, 9 formulas, 6 distributions with seed 20260822: no problems found"
    );
    for rule in ["audit_strict_d20", "tide_duel", "lantern"] {
        let row = told.stdout.lines().find(|line| line.starts_with(rule)).unwrap();
        assert!(row.contains("  150  all "), "{row}");
    }
    let hush = told.stdout.lines().find(|line| line.starts_with("hush")).unwrap();
    assert!(hush.contains("none") && hush.contains("makes none"), "{hush}");
    assert!(!told.stdout.contains("tide_base"), "{told}");
}

#[test]
fn the_json_has_the_keys_of_the_original_in_camel_case() {
    let sandbox = Sandbox::new();
    let line = "audit dice --rounds 3 --players 2 --distribution-samples 5000 --rule-path PACK --details";
    let document = document(&sandbox, line, 0);
    assert_eq!((&document["command"], &document["status"]), (&json!("audit dice"), &json!("ok")));
    let result = &document["result"];
    let keys: Vec<&str> = result.as_object().unwrap().keys().map(String::as_str).collect();
    let mut wanted = [
        "ok",
        "seed",
        "roundsPerRule",
        "playersPerRound",
        "distributionSamples",
        "totalActions",
        "totalChecks",
        "scenarioErrorCount",
        "formulaErrorCount",
        "distributionErrorCount",
        "scenarios",
        "formulas",
        "distributions",
        "problems",
    ];
    wanted.sort_unstable();
    assert_eq!(keys, wanted);
    assert_eq!((&result["totalActions"], &result["totalChecks"]), (&json!(60), &json!(54)));
    let scenario = |name: &str| {
        result["scenarios"].as_array().unwrap().iter().find(|scenario| scenario["name"] == name).unwrap().clone()
    };
    let duel = scenario("tide_duel");
    assert_eq!(duel["file"], json!(rule("tide_duel.json")));
    assert_eq!(duel["details"].as_array().unwrap().len(), 6);
    assert!(duel["details"].as_array().unwrap().iter().all(|detail| detail["independentlyVerified"] == true));
    let hush = scenario("hush");
    assert_eq!((&hush["actions"], &hush["checks"]), (&json!(6), &json!(0)));
    assert_eq!(hush["details"][0]["rollRequired"], false);
    assert_eq!(scenario("audit_custom_d100")["file"], Value::Null);
}

/// Everybody can compute a recorded check anew: from its parts, and these from the rule.
#[test]
fn details_show_every_part_of_a_modifier() {
    let sandbox = Sandbox::new();
    let line = "audit dice --rounds 60 --players 2 --distribution-samples 1000 --rule-path PACK --details";
    let document = document(&sandbox, line, 0);
    let scenarios = document["result"]["scenarios"].as_array().unwrap();
    let (mut skills, mut proficiencies) = (0, 0);
    for scenario in scenarios {
        for detail in scenario["details"].as_array().unwrap() {
            let number = |key: &str| detail[key].as_i64().unwrap_or_else(|| panic!("{key}: {detail}"));
            if scenario["diceSystem"] == "d20" {
                let parts = ["attributeModifier", "skillBonus", "proficiencyBonus", "circumstanceModifier"];
                assert_eq!(number("modifier"), parts.map(number).iter().sum::<i64>(), "{detail}");
                assert_eq!(number("total"), number("natural") + number("modifier"), "{detail}");
                assert_eq!(number("attributeModifier"), (number("attributeValue") - 10).div_euclid(2), "{detail}");
                let has_skill = !detail["skill"].is_null();
                let skill = match detail["skillValue"].as_i64().filter(|_| scenario["name"] == "tide_storm") {
                    Some(0) | Some(20..=49) => 1,
                    Some(50..=79) => 3,
                    Some(80..) => 5,
                    _ => 0,
                };
                assert_eq!(number("skillBonus"), skill, "{detail}");
                let is_proficient = scenario["name"] == "tide_duel" && (has_skill || detail["action"] == "attack");
                let proficiency = if is_proficient { 2 + (number("level") - 1) / 4 } else { 0 };
                assert_eq!(number("proficiencyBonus"), proficiency, "{detail}");
                skills += skill;
                proficiencies += proficiency;
            } else {
                for key in ["attributeModifier", "skillBonus", "proficiencyBonus", "modifier"] {
                    assert_eq!(detail[key], Value::Null, "{detail}");
                }
            }
        }
    }
    assert!(skills > 0 && proficiencies > 0);
}

#[test]
fn another_seed_is_another_sample_of_every_distribution() {
    let sandbox = Sandbox::new();
    let distributions = |seed: &str| {
        let line = format!("audit dice --rounds 1 --distribution-samples 5000 --seed {seed}");
        document(&sandbox, &line, 0)["result"]["distributions"].as_array().unwrap().clone()
    };
    let (one, other) = (distributions("1"), distributions("2"));
    assert_eq!(one.len(), 6);
    for (one, other) in one.iter().zip(&other) {
        assert_ne!((&one["mean"], &one["chiSquare"]), (&other["mean"], &other["chiSquare"]), "{one}");
    }
}

#[test]
fn a_seed_gives_the_same_document_also_in_a_file() {
    let sandbox = Sandbox::new();
    let line = "audit dice --rounds 40 --distribution-samples 5000 --rule-path PACK --details";
    let output = sandbox.work().join("reports/of/today/dice.json");
    let with_output = format!("{line} --output {}", output.display());
    let printed = run(&sandbox, &format!("{with_output} --json")).expect(0).stdout;
    assert_eq!(printed, std::fs::read_to_string(&output).unwrap());
    assert_eq!(printed, run(&sandbox, &format!("{line} --json")).expect(0).stdout);
    assert_ne!(printed, run(&sandbox, &format!("{line} --seed 7 --json")).expect(0).stdout);
    // People are told in words, and the file is the same.
    run(&sandbox, &with_output).expect(0);
    assert_eq!(printed, std::fs::read_to_string(&output).unwrap());
}

#[test]
fn a_file_that_cannot_be_written_is_a_failure() {
    let sandbox = Sandbox::new();
    let taken = sandbox.write("taken", "");
    let line = format!("audit dice --rounds 1 --distribution-samples 1000 --output {}/dice.json", taken.display());
    let envelope = run(&sandbox, &format!("{line} --json")).expect(1).json();
    assert_eq!((envelope.status, envelope.code()), (Status::Error, "io"));
}

#[test]
fn rules_are_chosen_by_id() {
    let sandbox = Sandbox::new();
    let line = "audit dice --rounds 5 --distribution-samples 5000 --rule-path PACK --rule lantern --rule hush";
    let document = document(&sandbox, line, 0);
    let names = |list: &str, key: &str| -> Vec<String> {
        let list = document["result"][list].as_array().unwrap();
        list.iter().map(|one| one[key].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names("scenarios", "name"), ["hush", "lantern"]);
    assert_eq!(names("formulas", "formula"), ["d100"]);
    assert_eq!(names("distributions", "dice"), ["d100", "d100 bonus", "d100 penalty"]);
}

#[test]
fn a_host_brings_its_rules_and_the_bases_of_others() {
    let sandbox = Sandbox::new();
    sandbox.write("host/templates/rules/deep.json", r#"{"rule_id":"deep","abstract":true,"max_check_dc":30}"#);
    sandbox.write("host/templates/rules/shoal.json", r#"{"rule_id":"shoal","extends":"deep"}"#);
    sandbox.write("own/content/rules/reef.json", r#"{"rule_id":"reef","extends":"deep"}"#);
    let (host, own) = (sandbox.work().join("host"), sandbox.work().join("own"));
    let line = format!("audit dice --rounds 60 --distribution-samples 1000 --rule-path {}", own.display());
    let with_host = document(&sandbox, &format!("{line} --host {} --details", host.display()), 0);
    let scenarios = with_host["result"]["scenarios"].as_array().unwrap();
    let names: Vec<&str> = scenarios.iter().skip(3).map(|scenario| scenario["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["shoal", "reef"]);
    let capped = |detail: &Value| detail["dc"].as_i64() == Some(30);
    assert!(scenarios[4]["details"].as_array().unwrap().iter().any(capped), "the cap is inherited");
    // Without the host nobody knows its base.
    let without = document(&sandbox, &line, 10);
    assert_eq!(without["status"], "problems");
    assert_eq!(without["result"]["problems"][0]["code"], "D05");
}

#[test]
fn a_rule_that_cannot_be_played_is_a_finding_at_its_place() {
    let sandbox = Sandbox::new();
    let file = sandbox.write(
        "pack/content/rules/broken.json",
        "{\n  \"rule_id\": \"broken\",\n  \"skill_mode\": \"proficiency\",\n  \"proficiency_formula\": \"level **\"\n}\n",
    );
    let parent = sandbox.write("pack/content/rules/parent.json", "{\"rule_id\":\"parent\",\"dice_system\":\"d6\"}");
    sandbox.write("pack/content/rules/nothing.json", "[".repeat(100_000));
    let line = format!(
        "audit dice --rounds 1 --distribution-samples 1000 --rule-path {}",
        sandbox.work().join("pack").display()
    );
    let document = document(&sandbox, &line, 10);
    let problems = document["result"]["problems"].as_array().unwrap();
    let mut found: Vec<(&str, &str)> =
        problems.iter().map(|problem| (problem["code"].as_str().unwrap(), problem["file"].as_str().unwrap())).collect();
    found.sort_unstable();
    let nothing = sandbox.work().join("pack/content/rules/nothing.json");
    assert_eq!(
        found,
        [("D01", nothing.to_str().unwrap()), ("D08", parent.to_str().unwrap()), ("D19", file.to_str().unwrap())]
    );
    let formula = problems.iter().find(|problem| problem["code"] == "D19").unwrap();
    assert_eq!((&formula["line"], &formula["pointer"]), (&json!(4), &json!("/proficiency_formula")));
    assert_eq!(document["result"]["ok"], false);
    let told = run(&sandbox, &line).expect(10);
    assert!(told.stdout.contains("error[D19]: "), "{told}");
    assert!(told.stdout.ends_with(": 3 unplayable rules\n"), "{told}");
}

#[test]
fn a_check_that_fails_is_told_with_its_round_and_player() {
    let sandbox = Sandbox::new();
    let rule = json!({ "rule_id": "uneven", "skill_mode": "proficiency", "proficiency_formula": "9 // (level - 3)" });
    let file = sandbox.write("uneven.json", rule.to_string());
    let line = format!("audit dice --rounds 2 --distribution-samples 1000 --rule-path {}", file.display());
    let told = run(&sandbox, &line).expect(10);
    assert!(
        told.stdout.contains(
            "\nuneven:\n  round 2, player 1: the check was rejected: the proficiency formula divides by zero\n"
        ),
        "{told}"
    );
    assert!(!told.stdout.ends_with("no problems found\n"), "{told}");
}

#[test]
fn wrong_usage_is_told_as_such() {
    let sandbox = Sandbox::new();
    let world = sandbox.write("worlds/quay.json", r#"{"world_id":"quay","default_rule":"tide"}"#);
    let text = sandbox.write("notes.txt", "no rule");
    let base = rule("tide_base.json");
    for (arguments, says) in [
        ("--rounds 0".to_owned(), "0 is not in"),
        ("--players 0".to_owned(), "0 is not in 1..=6"),
        ("--players 7".to_owned(), "7 is not in 1..=6"),
        ("--distribution-samples 999".to_owned(), "999 is not in"),
        ("--seed -1".to_owned(), "-1"),
        ("--rule-path nowhere".to_owned(), "nowhere"),
        (format!("--rule-path {}", text.display()), "is not a rule"),
        (format!("--rule-path {}", world.display()), "is a world"),
        (format!("--rule-path {}", base.display()), "is abstract"),
        ("--rule-path PACK --rule lanten".to_owned(), "unknown rule `lanten`"),
    ] {
        let envelope = run(&sandbox, &format!("audit dice {arguments} --json")).expect(2).json();
        let message = envelope.error.unwrap().message;
        assert!(message.contains(says), "{arguments}: {message}");
    }
    let told = run(&sandbox, "audit dice --rule-path PACK --rule lanten").expect(2);
    assert!(told.stderr.contains("did you mean `lantern`?"), "{told}");
    let orphan = sandbox.write("orphan.json", r#"{"rule_id":"orphan","extends":"nowhere"}"#);
    let told = run(&sandbox, &format!("audit dice --rule-path {} --rule orphan", orphan.display())).expect(2);
    assert!(told.stderr.contains("some rules cannot be read"), "{told}");
}

#[test]
fn a_folder_without_rules_is_warned_of() {
    let sandbox = Sandbox::new();
    let empty = sandbox.work().join("empty");
    std::fs::create_dir(&empty).unwrap();
    let line = format!("audit dice --rounds 1 --distribution-samples 1000 --rule-path {}", empty.display());
    let told = run(&sandbox, &line).expect(0);
    assert!(told.stderr.contains("contains no rules"), "{told}");
}
