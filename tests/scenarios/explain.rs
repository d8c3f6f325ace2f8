//! `rulepack explain`: a code in full, all of them a line each, and what is said of one that there is not.

use super::kit::envelope::Status;
use super::kit::sandbox::{Outcome, Sandbox};
use rulepack::internals::explain::{self, Level};
use serde_json::Value;

fn run(line: &str) -> Outcome {
    Sandbox::new().run(&line.split_whitespace().collect::<Vec<_>>())
}

/// What it says on stdout, of a run that goes well without a word on stderr.
#[track_caller]
fn says(line: &str) -> String {
    let outcome = run(line).expect(0);
    assert_eq!(outcome.stderr, "", "{outcome}");
    outcome.stdout
}

#[test]
fn a_code_is_explained_with_an_example() {
    // No line is wider than is read with ease.
    assert_eq!(
        says("explain K7"),
        "\
K7  error
  what     A ruleset package has a second kind or entrypoints, asks for permissions or needs a
           restart.
  why      A ruleset is pure data and runs nothing, which is why it can be installed without asking.
  mend     Remove everything that is not data.
  source   docs/spec/catalog.md#k7

  wrong, in catalog.json
    \"packages\": […, { \"manifest\": { \"permissions\": [\"network\"] } }]

  right, in catalog.json
    \"packages\": […, { \"manifest\": { \"permissions\": [] } }]
"
    );
}

#[test]
fn a_failure_has_its_exit_number_and_what_can_be_either_is_told_as_that() {
    assert!(says("explain locked").starts_with("locked  failure, exit code 7\n"));
    assert!(says("explain entry-shape").ends_with("\n  right: without it\n"));
    for explained in explain::all().filter(|explained| explained.severity == Level::Either) {
        let told = says(&format!("explain {}", explained.code));
        assert!(told.starts_with(&format!("{}  error or warning\n", explained.code)), "{told}");
        let words = told.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("only a warning if the manifest declares a Capability API newer"), "{told}");
    }
}

#[test]
fn several_codes_in_any_case_are_explained_once_each_in_the_order_asked_for() {
    let told = says("explain OFFLINE k1 Offline");
    let heads: Vec<&str> = told.lines().filter(|line| !line.is_empty() && !line.starts_with(' ')).collect();
    assert_eq!(heads, ["offline  failure, exit code 5", "K1  error"]);
}

#[test]
fn an_unknown_code_is_wrong_usage_and_keeps_nobody_from_the_others() {
    let told = run("explain checksum-mismtach locked").expect(2);
    assert!(told.stdout.starts_with("locked  failure"), "{told}");
    assert_eq!(
        told.stderr,
        "error[usage]: unknown code `checksum-mismtach`\n  hint: did you mean `checksum-mismatch`?\n"
    );
    let told = run("explain nothing-of-the-kind").expect(2);
    assert_eq!(told.stdout, "");
    assert_eq!(
        told.stderr,
        "error[usage]: unknown code `nothing-of-the-kind`\n  hint: list the codes with `rulepack explain --all`\n"
    );
    for line in ["explain", "explain K1 --all"] {
        assert_eq!(run(line).expect(2).stdout, "", "{line}");
    }
}

#[test]
fn all_codes_are_listed_a_line_each_by_what_they_are_about() {
    let told = says("explain --all");
    for group in explain::GROUPS {
        let heading = told.lines().position(|line| line == group.about);
        assert_eq!(heading.is_some(), !group.codes.is_empty(), "{}", group.about);
        for (n, explained) in group.codes.iter().enumerate() {
            let line = told.lines().nth(heading.unwrap() + 1 + n).unwrap();
            let mut words = line.split_whitespace();
            assert_eq!(words.next(), Some(explained.code));
            assert!(line.contains(explained.severity.name()) && line.ends_with(explained.meaning), "{line}");
        }
    }
    let last = told.lines().last().unwrap();
    assert_eq!(last, format!("{} codes; `rulepack explain CODE` explains one.", explain::all().count()));
    assert!(says("explain --all -v").contains("\n  wrong, in catalog.json\n"));
}

#[test]
fn programs_get_everything() {
    let one = |line: &str| Sandbox::new().command(&line.split_whitespace().collect::<Vec<_>>()).arg("--json").run();
    let told = one("explain --all").expect(0);
    let schema: Value = serde_json::from_str(&says("schema explain")).unwrap();
    let document: Value = serde_json::from_str(&told.stdout).unwrap();
    assert!(jsonschema::validator_for(&schema).unwrap().is_valid(&document));
    let all = told.json();
    assert_eq!(all.status, Status::Ok);
    let codes = all.other()["codes"].as_array().unwrap();
    assert_eq!(codes.len(), explain::all().count());
    for (told, explained) in codes.iter().zip(explain::all()) {
        assert_eq!(told["code"], explained.code);
        for key in ["about", "meaning", "why", "mend", "source"] {
            assert!(told[key].as_str().is_some_and(|text| !text.is_empty()), "{key} of {told}");
        }
        assert_eq!(told["example"] == Value::Null, explained.example.is_none());
        assert_eq!(told["exit"] == Value::Null, explained.exit().is_none());
    }
    let wrong = one("explain k1 no-such-code").expect(2).json();
    assert_eq!((wrong.status, wrong.code()), (Status::Error, "usage"));
    assert_eq!(wrong.other()["codes"][0]["code"], "K1");
}

#[cfg(feature = "diceframe")]
#[test]
fn the_reference_page_is_what_the_program_prints() {
    let page = says("explain --all --format markdown");
    let kept = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/codes.md")).unwrap();
    assert!(page == kept, "RULEPACK_BLESS=1 cargo test --test explain page");
    assert!(says("explain K1 --format markdown").contains("\n### K1\n"));
}

#[test]
fn neither_a_home_nor_a_sound_catalog_is_needed() {
    let told =
        Sandbox::new().command(&["explain", "K1"]).env("HOME", "").env("MARINARA_AGENT_CATALOG_URL", "ftp://x").run();
    assert!(told.expect(0).stdout.starts_with("K1  error\n"));
}
