//! README.md to the letter: its examples are run and must answer as they say, and its tables must be the program's.

use super::kit::sandbox::{Outcome, Sandbox};
use rulepack::types::Code;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// What the examples have beside rulepack's own commands, and nobody wants run by a test.
const NOT_RUN: [&str; 5] = ["cargo test", "openssl req ", "-addext ", "RULEPACK_", "cargo bench"];

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn readme() -> String {
    fs::read_to_string(repository().join("README.md")).unwrap()
}

/// The code blocks marked with this language, in order.
fn blocks<'a>(text: &'a str, language: &str) -> Vec<&'a str> {
    let opening = format!("\n```{language}\n");
    text.split(&opening).skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

/// Runs a line of an example from the top of the repository, as a reader of English with the example catalog.
fn run(sandbox: &Sandbox, line: &str) -> Outcome {
    let words = line.split_whitespace().take_while(|word| *word != "#");
    let words: Vec<&str> = std::iter::once("--progress=none").chain(words).collect();
    sandbox.command(&words).env("MARINARA_AGENT_CATALOG_URL", "catalog-example").cwd(repository()).run()
}

#[test]
fn the_tour_says_what_it_shows() {
    let readme = readme();
    let sandbox = Sandbox::new();
    let mut steps = 0;
    for step in blocks(&readme, "console").into_iter().flat_map(|block| block.split("$ ").skip(1)) {
        let (line, shown) = step.split_once('\n').unwrap();
        // The sandbox has its own folder, and `run` names the catalog.
        if line == "export MARINARA_AGENT_CATALOG_URL=catalog-example RULEPACK_DATA_DIR=target/tour" {
            continue;
        }
        let outcome = run(&sandbox, line.strip_prefix("rulepack ").unwrap_or_else(|| panic!("{line}")));
        assert_eq!(format!("{}{}", outcome.stdout, outcome.stderr), shown, "{line}");
        steps += 1;
    }
    assert!(steps > 10, "the tour is found");
}

#[test]
fn the_first_command_says_what_it_shows() {
    let readme = readme();
    let sandbox = Sandbox::new();
    let line = blocks(&readme, "sh")[0].lines().next().unwrap();
    let arguments = line.strip_prefix("cargo run -- --data-dir target/demo ").unwrap();
    let outcome = run(&sandbox, arguments).expect(0);
    let shown = readme.split_once("The first ends with:\n\n```\n").unwrap().1;
    assert_eq!(outcome.stdout, shown.split("```").next().unwrap());
    assert_eq!(outcome.stderr, "");
}

#[test]
fn every_command_of_the_shell_examples_does_its_work() {
    let readme = readme();
    let sandbox = Sandbox::new();
    // A version to go back to, which the example of rollback needs.
    let earlier = "install ember-roads --catalog catalog-example/earlier";
    run(&sandbox, earlier).expect(0);
    let lines = blocks(&readme, "sh").into_iter().flat_map(str::lines).map(str::trim);
    let mut commands = BTreeSet::new();
    for line in lines.filter(|line| !NOT_RUN.iter().any(|other| line.starts_with(other))) {
        let Some(arguments) = line.strip_prefix("rulepack ") else {
            assert!(line.starts_with("cargo run -- "), "neither run nor known: {line}");
            continue;
        };
        // Gravewatch has one version only, so it is the other that has one before.
        let arguments = arguments.replace("rollback gravewatch", "rollback ember-roads");
        run(&sandbox, &arguments).expect(0);
        commands.insert(arguments.split(' ').next().unwrap().to_owned());
    }
    assert!(commands.len() > 9, "{commands:?}");
    for named in ["help install", "help completions"] {
        assert!(readme.contains(&format!("`rulepack {named}`")));
        assert!(run(&sandbox, named).expect(0).stdout.contains("\nExamples:\n"));
    }
}

/// The rows of the table under this heading row, as cells.
fn table<'a>(readme: &'a str, heading: &str) -> Vec<Vec<&'a str>> {
    let rest = readme.split_once(&format!("\n{heading}\n")).unwrap_or_else(|| panic!("no table {heading}")).1;
    let rows = rest.lines().skip(1).take_while(|line| line.starts_with('|'));
    rows.map(|row| row.trim_matches('|').split(" | ").map(str::trim).collect()).collect()
}

/// The words in backticks, several in a pair of them or one.
fn marked(text: &str) -> BTreeSet<&str> {
    let marked = text.split('`').skip(1).step_by(2).flat_map(str::split_whitespace);
    marked.map(|word| word.trim_end_matches("[]")).collect()
}

#[test]
fn the_exit_codes_are_those_of_the_program() {
    let readme = readme();
    let mut codes: BTreeMap<u8, BTreeSet<&str>> = BTreeMap::from([(0, BTreeSet::new()), (10, BTreeSet::new())]);
    for code in Code::ALL {
        codes.entry(code.exit()).or_default().insert(code.as_str());
    }
    let told = table(&readme, "| code | meaning | `error.code` |");
    let told: BTreeMap<u8, BTreeSet<&str>> = told
        .iter()
        .map(|row| (row[0].parse().unwrap(), row.get(2).map(|cell| marked(cell)).unwrap_or_default()))
        .collect();
    assert_eq!(told, codes);
}

/// Every property below a schema's `result`, references followed, and every word of its enumerations.
#[derive(Default)]
struct Vocabulary {
    properties: BTreeSet<String>,
    words: BTreeSet<String>,
}

impl Vocabulary {
    fn of(sandbox: &Sandbox, command: &str) -> Self {
        let schema: Value = serde_json::from_str(&run(sandbox, &format!("schema {command}")).expect(0).stdout).unwrap();
        let mut vocabulary = Vocabulary::default();
        vocabulary.read(&schema, &schema["properties"]["result"]);
        vocabulary
    }

    fn read(&mut self, schema: &Value, at: &Value) {
        match at {
            Value::Array(items) => items.iter().for_each(|item| self.read(schema, item)),
            Value::Object(keys) => {
                for (key, value) in keys {
                    match (key.as_str(), value) {
                        ("$ref", Value::String(path)) => {
                            self.read(schema, schema.pointer(path.trim_start_matches('#')).unwrap());
                        }
                        ("properties", Value::Object(properties)) => {
                            self.properties.extend(properties.keys().cloned());
                            properties.values().for_each(|property| self.read(schema, property));
                        }
                        ("enum" | "const", value) => {
                            let words = value.as_array().cloned().unwrap_or_else(|| vec![value.clone()]);
                            self.words.extend(words.iter().filter_map(Value::as_str).map(str::to_owned));
                        }
                        (_, value) => self.read(schema, value),
                    }
                }
            }
            _ => {}
        }
    }
}

#[test]
fn the_keys_and_words_of_the_answers_are_those_of_their_schemas() {
    let readme = readme();
    let sandbox = Sandbox::new();
    for row in table(&readme, "| command | `result` |") {
        let is_there = |command: &&str| cfg!(feature = "diceframe") || !command.starts_with("audit-");
        for command in marked(row[0]).into_iter().filter(is_there) {
            let vocabulary = Vocabulary::of(&sandbox, command);
            for key in marked(row[1]) {
                assert!(vocabulary.properties.contains(key), "{command} has no {key}: {:?}", vocabulary.properties);
            }
        }
    }
    let told = marked(readme.split_once("`result` is `null`").unwrap().1.split_once("\n\n").unwrap().0);
    for word in Vocabulary::of(&sandbox, "install").words {
        assert!(told.contains(word.as_str()), "`{word}` is not told");
    }
}

/// Needs Node.js; where there is none, there is nothing to say about the snippet.
#[cfg(unix)]
#[test]
fn the_engines_snippet_runs() {
    let readme = readme();
    let sandbox = Sandbox::new();
    let script =
        format!("const DATA_DIR = process.env.RULEPACK_DATA_DIR, LANGUAGE = \"pt-BR\";\n{}", blocks(&readme, "js")[0]);
    let script = sandbox.write("engine.mjs", script);
    let bin = Path::new(env!("CARGO_BIN_EXE_rulepack")).parent().unwrap();
    let path = std::env::join_paths(
        std::iter::once(bin.to_owned()).chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())),
    )
    .unwrap();
    let node = |catalog: &str| {
        let told = std::process::Command::new("node")
            .arg(&script)
            .env("PATH", &path)
            .env("HOME", sandbox.home())
            .env("RULEPACK_DATA_DIR", sandbox.data())
            .env("RULEPACK_CACHE_DIR", sandbox.cache())
            .env("MARINARA_AGENT_CATALOG_URL", repository().join(catalog))
            .output();
        let told = told.ok()?;
        assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
        Some((String::from_utf8(told.stdout).unwrap(), String::from_utf8(told.stderr).unwrap()))
    };
    run(&sandbox, "install gravewatch").expect(0);
    let pack = sandbox.version("gravewatch", "1.2.0").join("locales/pt.json");
    let Some((told, failures)) = node("catalog-example") else {
        eprintln!("there is no Node.js here, so its snippet was not run");
        return;
    };
    assert_eq!((told, failures), (format!("gravewatch fetched {}\n", pack.display()), String::new()));
    assert!(sandbox.version("ember-roads", "1.0.0").join("locales/pt-BR.json").is_file());
    // What failed as a whole has no result, and is told too.
    fs::write(sandbox.packages().join("installed.json"), "cut").unwrap();
    let (told, failures) = node("catalog-example").unwrap();
    assert_eq!(told, "");
    assert!(failures.contains("damaged-store"), "{failures}");
}
