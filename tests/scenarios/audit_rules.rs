//! `rulepack audit rules`: packs and hosts on disk, in its three faces. What each code is about is tested in the
//! library, and its example with `explain`.

use super::kit::envelope::{Envelope, Status};
use super::kit::sandbox::{Outcome, Sandbox};
use serde_json::Value;
use std::path::{Path, PathBuf};

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/diceframe").join(name)
}

/// A sandbox with a pack in its working folder: a rule whose skills are worth nothing, and a world.
fn a_pack(rule: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("pack/content/rules/shore.json", rule);
    sandbox.write("pack/content/worlds/bay.json", r#"{"world_id": "bay", "default_rule": "shore"}"#);
    sandbox
}

const WARNED: &str = "{\n  \"rule_id\": \"shore\",\n  \"skills\": [\"dig\"]\n}\n";
const WRONG: &str = "{\n  \"rule_id\": \"shore\",\n  \"max_check_dc\": \"25\"\n}\n";

fn audit(sandbox: &Sandbox, line: &str) -> Outcome {
    sandbox.run(&["audit", "rules"].into_iter().chain(line.split_whitespace()).collect::<Vec<_>>())
}

/// The same with `--json`; the answer fits its schema.
#[track_caller]
fn answer(sandbox: &Sandbox, line: &str) -> Envelope {
    let outcome = audit(sandbox, &format!("{line} --json"));
    let schema = sandbox.run(&["schema", "audit-rules"]).expect(0).stdout;
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let document: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert!(jsonschema::validator_for(&schema).unwrap().is_valid(&document), "{outcome}");
    outcome.json()
}

/// Code, severity, line and column of every finding.
fn told(envelope: &Envelope) -> Vec<String> {
    let problems = envelope.other()["problems"].as_array().unwrap();
    let of = |problem: &Value| {
        assert!(Path::new(problem["file"].as_str().unwrap()).is_absolute(), "{problem}");
        let text = |key: &str| problem[key].as_str().unwrap().to_owned();
        format!("{} {} {} {}:{}", text("code"), text("severity"), text("pointer"), problem["line"], problem["column"])
    };
    problems.iter().map(of).collect()
}

#[test]
fn the_example_pack_and_the_example_host_are_sound() {
    let sandbox = Sandbox::new();
    for (words, shown) in [
        (vec!["--path", "packs-harbor"], "4 rules, 1 world, 1 pack audited: no problems found\n"),
        (vec!["--host", "rules-host"], "3 rules, 1 world, 1 pack audited: no problems found\n"),
        (
            vec!["--host", "rules-host", "--path", "packs-harbor"],
            "7 rules, 2 worlds, 2 packs audited: no problems found\n",
        ),
    ] {
        let line = [&["audit", "rules", "--strict"], &words[..]].concat();
        let outcome = sandbox.command(&line).cwd(example("")).run().expect(0);
        assert_eq!((outcome.stdout.as_str(), outcome.stderr.as_str()), (shown, ""));
    }
}

#[test]
fn people_see_the_line_and_what_to_do() {
    let outcome = audit(&a_pack(WRONG), "--path pack").expect(10);
    assert_eq!(
        outcome.stdout,
        "\
error[D16]: `max_check_dc` is the text \"25\", but should be a whole number from 1 to 40
 --> pack/content/rules/shore.json:3:19
  |
3 |   \"max_check_dc\": \"25\"
  |                   ^^^^
  = at: /max_check_dc

1 rule, 1 world, 1 pack audited: 1 error
`rulepack explain D16` explains a code and how to fix it.
"
    );
    assert_eq!(outcome.stderr, "");
}

#[test]
fn a_warning_passes_unless_it_is_strict() {
    let sandbox = a_pack(WARNED);
    audit(&sandbox, "--path pack").expect(0);
    audit(&sandbox, "--path pack --strict").expect(10);
    let envelope = answer(&sandbox, "--path pack");
    assert_eq!((envelope.status, envelope.exit), (Status::Ok, 0));
    assert_eq!(told(&envelope), ["D32 warning /skills 3:13"]);
    let envelope = answer(&sandbox, "--path pack --strict");
    assert_eq!((envelope.status, envelope.exit), (Status::Problems, 10));
    assert_eq!(told(&envelope), ["D32 error /skills 3:13"]);
}

#[test]
fn a_cap_of_skills_that_is_a_text_is_an_error() {
    let sandbox = a_pack("{\"rule_id\": \"shore\",\n \"skill_mode\": \"proficiency\",\n \"max_skill_value\": \"80\"}");
    let envelope = answer(&sandbox, "--path pack");
    assert_eq!((envelope.status, envelope.exit), (Status::Problems, 10));
    assert_eq!(told(&envelope), ["D25 error /max_skill_value 3:21"]);
}

#[test]
fn programs_get_every_finding_and_how_much_was_looked_at() {
    let sandbox = a_pack(WRONG);
    sandbox.write("pack/content/rules/wreck.json", "{\"rule_id\": \"wreck\",\n\"combat\": {}, \"extends\": \"hull\"}");
    sandbox.write("pack/content/worlds/reef.json", "{\"world_id\": \"reef\",\n \"default_rule\": \"wreck\"}");
    let envelope = answer(&sandbox, "--path pack");
    assert_eq!(
        told(&envelope),
        ["D16 error /max_check_dc 3:19", "D05 error /extends 2:26", "D24 error /default_rule 2:18"]
    );
    let summary = &envelope.other()["summary"];
    assert_eq!(*summary, serde_json::json!({"errors": 3, "warnings": 0, "rules": 2, "worlds": 2, "packs": 1}));
    // Combat blocks are part of it.
    sandbox.write("pack/content/rules/hull.json", "{\"abstract\": true}");
    let found = told(&answer(&sandbox, "--path pack"));
    assert!(found.iter().any(|problem| problem.starts_with("C10 error /combat")), "{found:?}");
}

#[test]
fn a_host_has_what_a_pack_extends() {
    let sandbox = a_pack("{\"rule_id\": \"shore\", \"extends\": \"tide_base\"}");
    let told_without = audit(&sandbox, "--path pack").expect(10);
    assert!(told_without.stdout.contains("error[D05]") && told_without.stdout.contains("--host"), "{told_without}");
    let host = example("rules-host");
    let envelope = answer(&sandbox, &format!("--path pack --host {}", host.display()));
    assert_eq!((envelope.status, told(&envelope)), (Status::Ok, Vec::new()));
}

#[test]
fn what_cannot_be_audited_is_wrong_usage() {
    let sandbox = a_pack(WRONG);
    sandbox.write("empty/note.txt", "");
    for line in ["", "--path nowhere", "--path pack --path nowhere", "--path empty", "--host nowhere", "--host empty"] {
        let outcome = audit(&sandbox, line).expect(2);
        assert!(outcome.stdout.is_empty() && outcome.stderr.starts_with("error["), "{outcome}");
        let envelope = audit(&sandbox, &format!("{line} --json")).expect(2).json();
        assert_eq!((envelope.status, envelope.code()), (Status::Error, "usage"), "{line}");
    }
    let nothing = audit(&sandbox, "").expect(2);
    assert!(nothing.stderr.contains("<--host <DIR>|--path <PATH>>"), "{nothing}");
    let nowhere = audit(&sandbox, "--path nowhere").expect(2);
    assert_eq!(
        nowhere.stderr,
        "error[usage]: cannot find `nowhere`\n  hint: check the path: it is relative to the current folder\n"
    );
}

#[test]
fn a_path_that_leads_to_nothing_is_warned_of() {
    let sandbox = a_pack("{\"rule_id\": \"shore\"}");
    sandbox.write("empty/note.txt", "");
    let outcome = audit(&sandbox, "--path pack --path empty").expect(0);
    assert!(outcome.stderr.contains("empty contains no rules or worlds"), "{outcome}");
    assert_eq!(answer(&sandbox, "--path pack --path empty").warning_codes(), ["nothing-to-audit"]);
}

#[test]
fn annotations_stand_at_their_lines() {
    let outcome = audit(&a_pack(WRONG), "--path pack --format github").expect(10);
    let place = "::error file=pack/content/rules/shore.json,line=3,col=19,endLine=3,endColumn=23,title=D16::";
    assert!(outcome.stdout.starts_with(place) && outcome.stdout.lines().count() == 1, "{outcome}");
    assert_eq!(outcome.stderr.lines().next(), Some("1 rule, 1 world, 1 pack audited: 1 error"));
    let envelope = audit(&a_pack(WRONG), "--path pack --format json").expect(10).json();
    assert_eq!(told(&envelope), ["D16 error /max_check_dc 3:19"]);
}

#[test]
fn text_of_a_rule_cannot_command_a_terminal() {
    let hostile = "\\u001b[2J\\u202e\\u0007";
    let rule = format!(
        "{{\"rule_id\": \"{hostile}\", \"dice_system\": \"{hostile}\", \"hp_formula\": \"{hostile}\", \"{hostile}\": 1,
        \"attributes\": [{{\"key\": \"{hostile}\"}}, {{\"key\": \"{hostile}\"}}]}}"
    );
    let sandbox = a_pack(&rule);
    sandbox.write("pack/content/rules/twin.json", rule.replace("dice_system", "mechanics"));
    for more in ["", "--format github", "--json"] {
        let outcome = audit(&sandbox, &format!("--path pack {more}")).expect(10);
        assert!(!outcome.stdout.contains(['\u{1b}', '\u{202e}', '\u{7}']), "{outcome}");
    }
}

#[test]
fn nesting_without_end_is_a_finding() {
    let sandbox = a_pack(&"[".repeat(100_000));
    assert_eq!(told(&answer(&sandbox, "--path pack/content/rules"))[0].split(' ').next(), Some("D01"));
}
