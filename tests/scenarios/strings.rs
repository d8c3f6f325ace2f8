//! `strings`: what there is to translate, as files to fill, and how far a language pack is.

use super::kit::envelope::Status;
use super::kit::sandbox::{Outcome, Sandbox};
use rulepack::ruleset::{self, Originals};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// A path of the example catalog.
fn example(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog-example").join(path)
}

/// A ruleset of four strings, one of them used twice and one in a catalog file.
const RULESET: &str = r#"{"schemaVersion": 1, "id": "small", "version": 1, "name": "Small",
    "coverage": {"summary": "Heals 3, \"mostly\""}, "gm": {"checkGuidance": "Never shown."},
    "sheet": {"version": 1, "skills": [{"id": "dig", "label": "Dig"}],
              "fields": [{"id": "way", "label": "Dig", "type": "enum", "values": ["on foot"]}]},
    "catalogs": [{"id": "gear", "label": "Small", "asset": "catalogs/gear.json"}]}"#;

const GEAR: &str =
    r#"{"schemaVersion": 1, "catalog": "gear", "entries": [{"id": "rope", "label": "=Rope", "summary": ""}]}"#;

const MANIFEST: &str = r#"{"name": "Small", "description": "A few words."}"#;

const PACK: &str = r#"{"$schema": "pack.json", "_meta": {"locale": "ru", "direction": "ltr"},
    "package": {"name": "Малая", "description": "Пара слов."},
    "ruleset": {"Burn": "Жечь", "Dig": "Копать", "Heals 3, \"mostly\"": "Лечит 4", "Small": "Small", "on foot": ""}}"#;

/// A folder with the package above and its Russian pack.
struct World {
    sandbox: Sandbox,
}

impl World {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        sandbox.write("small/ruleset.json", RULESET);
        sandbox.write("small/catalogs/gear.json", GEAR);
        sandbox.write("small/manifest.json", MANIFEST);
        sandbox.write("small/locales/ru.json", PACK);
        World { sandbox }
    }

    /// Runs `strings` in the folder that holds the package.
    fn strings(&self, line: &str) -> Outcome {
        let words: Vec<&str> = std::iter::once("strings").chain(line.split_whitespace()).collect();
        self.sandbox.command(&words).cwd(self.sandbox.work()).run()
    }
}

/// The keys of a pack's `ruleset` in the order of the text; none has an escape in it.
fn keys(pack: &str) -> Vec<&str> {
    let strings = pack.split_once("\"ruleset\": {").unwrap().1;
    let lines = strings.lines().filter_map(|line| line.trim().split_once("\": \""));
    lines.map(|(key, _)| key.trim_start_matches('"')).collect()
}

#[test]
fn without_a_language_a_pack_to_fill_is_printed_in_reading_order() {
    let template = World::new().strings("small").expect(0);
    let expected = r#"{
  "_meta": {
    "locale": "",
    "direction": ""
  },
  "package": {
    "name": "",
    "description": ""
  },
  "ruleset": {
    "Small": "",
    "Heals 3, \"mostly\"": "",
    "Dig": "",
    "on foot": "",
    "=Rope": ""
  }
}
"#;
    assert_eq!((template.stdout.as_str(), template.stderr.as_str()), (expected, ""));
}

#[test]
fn a_template_that_was_filled_passes_every_check() {
    let sandbox = Sandbox::new();
    for (name, language) in [("ember-roads", "uk"), ("gravewatch", "fa"), ("saltmarsh-post", "pt-BR")] {
        let root = example("packages").join(name);
        let path = root.to_str().unwrap();
        let template = sandbox.run(&["strings", path, "--language", language, "--format", "json"]).expect(0);
        let mut pack: Value = serde_json::from_str(&template.stdout).unwrap();
        assert_eq!(pack["_meta"]["direction"], if language == "fa" { "rtl" } else { "ltr" });
        pack["package"] = json!({"name": "Назва", "description": "Опис"});
        let strings: Vec<String> = pack["ruleset"].as_object().unwrap().keys().cloned().collect();
        assert!(strings.len() > 40);
        for (text, translation) in pack["ruleset"].as_object_mut().unwrap() {
            *translation = json!(format!("«{text}»"));
        }
        let saved = sandbox.write(&format!("{language}.json"), pack.to_string());
        let bytes = pack.to_string().into_bytes();
        let listed = language.parse().unwrap();
        assert_eq!(ruleset::check_pack_all(&bytes, &listed), []);
        let report =
            ruleset::check_pack_against(&bytes, &listed, Some(&Originals::new(strings.iter().map(String::as_str))));
        assert_eq!((report.problems, report.coverage.percent()), (vec![], 100));

        let saved = saved.to_str().unwrap();
        let answer = sandbox.json(&["strings", path, "--language", language, "--pack", saved]);
        let result = answer.other();
        assert_eq!((&result["percent"], &result["problems"]), (&json!(100), &json!([])), "{name}");
        let again = sandbox.run(&["strings", path, "--pack", saved, "--format", "json"]).expect(0);
        assert_eq!(serde_json::from_str::<Value>(&again.stdout).unwrap(), pack);
        assert_eq!(keys(&again.stdout), keys(&template.stdout));
    }
}

#[test]
fn a_language_is_told_what_is_done_and_what_is_not() {
    let world = World::new();
    let told = world.strings("small --language ru").expect(0);
    let expected = "\
small in ru: 5 of 7 strings translated (71 %)
pack: small/locales/ru.json

Missing (2):
  on foot
  =Rope

No longer a display string (1):
  Burn  →  Жечь

The same as in English (1):
  Small

warning[T05]: `Burn` is not a display string of the ruleset, so this is never shown
";
    assert!(told.stdout.starts_with(expected), "{told}");
    assert!(told.stdout.contains("warning[translation-mismatch]: the translation has the number `4`"), "{told}");
    assert_eq!(told.stderr, "");

    let verbose = world.strings("small --language ru -v").expect(0);
    assert!(verbose.stdout.contains("  =Rope\n    catalogs/gear.json:/entries/0/label\n"), "{verbose}");

    let none = world.strings("small --language de").expect(0);
    let card = "Missing (7):\n  package.name: Small\n  package.description: A few words.\n  Small\n";
    assert!(none.stdout.contains(card), "{none}");
    assert!(none.stdout.contains("small in de: 0 of 7 strings translated (0 %)\nThere is no pack yet."), "{none}");
}

#[test]
fn programs_get_every_string_with_its_places() {
    let world = World::new();
    let answer = world.strings("small/ruleset.json --language ru --json").json();
    let result = answer.other();
    assert_eq!((result["language"].as_str(), result["percent"].as_u64()), (Some("ru"), Some(71)));
    assert_eq!(result["coverage"], json!({"strings": 7, "translated": 5, "missing": 2, "stale": 1, "identical": 1}));
    assert_eq!(result["package"]["description"], json!({"text": "A few words.", "translation": "Пара слов."}));
    assert_eq!(
        result["strings"][2],
        json!({"text": "Dig", "translation": "Копать", "uses": [
            {"file": "ruleset.json", "pointer": "/sheet/skills/0/label"},
            {"file": "ruleset.json", "pointer": "/sheet/fields/0/label"}]})
    );
    assert_eq!(result["strings"][4]["translation"], Value::Null);
    assert_eq!(result["stale"], json!([{"text": "Burn", "translation": "Жечь"}]));
    assert_eq!(result["problems"][0]["line"], 3);
    assert!(result["problems"][0]["file"].as_str().unwrap().ends_with("ru.json"));
    assert_eq!(world.strings("small --json").json().other()["language"], Value::Null);
}

#[test]
fn a_pack_that_is_merged_keeps_its_translations_and_says_what_it_loses() {
    let world = World::new();
    for line in ["small --language ru --format json", "small --pack small/locales/ru.json"] {
        let merged = world.strings(line).expect(0);
        let pack: Value = serde_json::from_str(&merged.stdout).unwrap();
        let expected = json!({
            "$schema": "pack.json", "_meta": {"locale": "ru", "direction": "ltr"},
            "package": {"name": "Малая", "description": "Пара слов."},
            "ruleset": {"Small": "Small", "Heals 3, \"mostly\"": "Лечит 4", "Dig": "Копать", "on foot": "", "=Rope": ""}
        });
        assert_eq!(pack, expected);
        assert!(merged.stderr.contains("`Burn`") && merged.stderr.contains("`Жечь`"), "{merged}");
    }
}

#[test]
fn a_po_file_has_references_and_keeps_what_is_obsolete() {
    let po = World::new().strings("small --language ru --format po").expect(0);
    let (head, entries) = po.stdout.split_once("\n\n").unwrap();
    assert!(head.starts_with("msgid \"\"\nmsgstr \"\"\n") && head.contains("\"Language: ru\\n\""), "{po}");
    let expected = r#"#: manifest.json:/name
msgctxt "package name"
msgid "Small"
msgstr "Малая"

#: manifest.json:/description
msgctxt "package description"
msgid "A few words."
msgstr "Пара слов."

#: ruleset.json:/name
#: ruleset.json:/catalogs/0/label
msgid "Small"
msgstr "Small"

#: ruleset.json:/coverage/summary
msgid "Heals 3, \"mostly\""
msgstr "Лечит 4"

#: ruleset.json:/sheet/skills/0/label
#: ruleset.json:/sheet/fields/0/label
msgid "Dig"
msgstr "Копать"

#: ruleset.json:/sheet/fields/0/values/0
msgid "on foot"
msgstr ""

#: catalogs/gear.json:/entries/0/label
msgid "=Rope"
msgstr ""

#~ msgid "Burn"
#~ msgstr "Жечь"
"#;
    assert_eq!(entries, expected);
    assert_eq!(po.stderr, "");
}

#[test]
fn a_table_is_quoted_and_its_formulas_are_marked_as_text() {
    let csv = World::new().strings("small --format csv").expect(0);
    let expected = "\"english\",\"translation\",\"places\"\r\n\
                    \"Small\",\"\",\"manifest.json:/name\"\r\n\
                    \"A few words.\",\"\",\"manifest.json:/description\"\r\n\
                    \"Small\",\"\",\"ruleset.json:/name\nruleset.json:/catalogs/0/label\"\r\n\
                    \"Heals 3, \"\"mostly\"\"\",\"\",\"ruleset.json:/coverage/summary\"\r\n\
                    \"Dig\",\"\",\"ruleset.json:/sheet/skills/0/label\nruleset.json:/sheet/fields/0/label\"\r\n\
                    \"on foot\",\"\",\"ruleset.json:/sheet/fields/0/values/0\"\r\n\
                    \"'=Rope\",\"\",\"catalogs/gear.json:/entries/0/label\"\r\n";
    assert_eq!(csv.stdout, expected);
}

#[test]
fn what_was_filled_in_another_tool_becomes_a_pack() {
    let world = World::new();
    let whole: Value = {
        let pack = world.strings("small --language ru --format json").expect(0);
        let mut pack: Value = serde_json::from_str(&pack.stdout).unwrap();
        pack.as_object_mut().unwrap().remove("$schema");
        pack["ruleset"]["on foot"] = json!("пешком");
        pack
    };
    let po = world.strings("small --language ru --format po").expect(0).stdout;
    let csv = world.strings("small --language ru --format csv").expect(0).stdout;
    world.sandbox.write("ru.po", po.replace("\"on foot\"\nmsgstr \"\"", "\"on foot\"\nmsgstr \"пешком\""));
    let csv = csv.replace("\"on foot\",\"\"", "\"on foot\",\"пешком\"");
    world.sandbox.write("ru.csv", &csv);
    // Some spreadsheets save what marks a text, some do not.
    world.sandbox.write("dropped.csv", csv.replace("\"'", "\""));
    for line in [
        "small --pack ru.po",
        "small --language ru --pack ru.csv --format json",
        "small --language ru --pack dropped.csv --format json",
    ] {
        let pack = world.strings(line).expect(0);
        assert_eq!(serde_json::from_str::<Value>(&pack.stdout).unwrap(), whole, "{line}");
    }
    let told = world.strings("small --language ru --pack ru.po").expect(0);
    assert!(told.stdout.starts_with("small in ru: 6 of 7 strings translated (85 %)\npack: ru.po\n"), "{told}");

    let refused = world.strings("small --pack ru.csv").expect(4);
    assert!(refused.stderr.contains("--language"), "{refused}");
    assert_eq!(world.strings("small --language de --pack ru.po --json").expect(4).json().code(), "locale-mismatch");
    world.sandbox.write("broken.po", "msgid \"a\"\nmsgstr[0] \"b\"\n");
    let refused = world.strings("small --language ru --pack broken.po").expect(4);
    assert!(refused.stderr.contains("line 2, column 1: `msgstr[0]`"), "{refused}");
}

#[test]
fn what_is_wrong_in_another_tools_file_is_told_at_its_line_and_column() {
    let world = World::new();
    let po = "msgid \"\"\nmsgstr \"Language: ru\\n\"\n\nmsgid \"Heals 3, \\\"mostly\\\"\"\nmsgstr \"\"\n\"Лечит 4\"\n\n\
              msgid \"Burn\"\nmsgstr \"Жечь\"\n\nmsgid \"Dig\"\nmsgstr \"#ИМЯ?\"\n";
    world.sandbox.write("ru.po", po);
    world
        .sandbox
        .write("ru.csv", "english;translation\r\n\"Heals 3, \"\"mostly\"\"\";Лечит 4\r\nBurn;Жечь\r\nDig;#ИМЯ?\r\n");
    for (file, expected) in [
        ("ru.po", [("translation-mismatch", 5, 8), ("spreadsheet-error", 12, 8), ("T05", 8, 7)]),
        ("ru.csv", [("translation-mismatch", 2, 23), ("spreadsheet-error", 4, 5), ("T05", 3, 1)]),
    ] {
        let told = world.strings(&format!("small --language ru --pack {file} --json")).expect(10).json();
        let problems = told.other()["problems"].as_array().unwrap().clone();
        let place = |problem: &Value| (problem["line"].as_u64().unwrap(), problem["column"].as_u64().unwrap());
        for (code, line, column) in expected {
            let problem = problems.iter().find(|problem| problem["code"] == code).unwrap();
            assert_eq!(place(problem), (line, column), "{file}: {code}");
        }
        assert!(problems.iter().all(|problem| place(problem) >= (1, 1)), "{file}");
    }
}

#[test]
fn the_language_of_the_reader_is_not_that_of_a_translation() {
    let world = World::new();
    let command = world.sandbox.command(&["strings", "small"]).cwd(world.sandbox.work());
    let template = command.env("RULEPACK_LANGUAGE", "ru").run().expect(0);
    assert!(template.stdout.contains("\"locale\": \"\""), "{template}");
}

#[test]
fn an_artifact_says_what_its_package_says_and_finds_the_pack_beside_it() {
    let sandbox = Sandbox::new();
    for (name, artifact) in [
        ("ember-roads", "ember-roads-1.0.0"),
        ("gravewatch", "gravewatch-1.2.0"),
        ("saltmarsh-post", "saltmarsh-post-0.4.0"),
    ] {
        let [package, artifact] =
            [example("packages").join(name), example("artifacts").join(format!("{artifact}.ruleset.json"))];
        let strings = |path: &Path| {
            let answer = sandbox.json(&["strings", path.to_str().unwrap(), "--language", "ja"]);
            answer.other()["strings"].clone()
        };
        assert_eq!(strings(&package), strings(&artifact), "{name}");
    }
}

#[test]
fn a_pack_with_errors_exits_with_10_and_is_not_merged() {
    let world = World::new();
    let broken = PACK.replace("\"Пара слов.\"", "1");
    world.sandbox.write("small/locales/ru.json", &broken);
    let told = world.strings("small --language ru --json").expect(10).json();
    assert_eq!((told.status, &told.other()["problems"][0]["code"]), (Status::Problems, &json!("T04")));
    let refused = world.strings("small --language ru --format po").expect(4);
    assert!(refused.stdout.is_empty() && refused.stderr.contains("T04"), "{refused}");

    let german = world.strings("small --language de --pack small/locales/ru.json --json").expect(10).json();
    assert_eq!(german.other()["problems"][0]["code"], "T03");
    world.sandbox.write("ru.json", PACK);
    let refused = world.strings("small --language de --pack ru.json --format json").expect(4);
    assert!(refused.stderr.contains("is listed for `de`"), "{refused}");
}

#[test]
fn a_catalog_file_that_is_not_there_is_a_warning() {
    let world = World::new();
    std::fs::remove_file(world.sandbox.work().join("small/catalogs/gear.json")).unwrap();
    let template = world.strings("small").expect(0);
    assert!(!template.stdout.contains("Rope") && template.stderr.contains("catalogs/gear.json"), "{template}");
    assert_eq!(world.strings("small --json").json().warning_codes(), ["catalog-left-out"]);
}

#[test]
fn what_cannot_be_translated_says_why() {
    let world = World::new();
    world.sandbox.write("broken/ruleset.json", "{\n  \"sheet\": {},\n}");
    world.sandbox.write("empty/readme.txt", "");
    for (line, exit, code) in [
        ("nothing --json", 3, "file-not-found"),
        ("small --pack nothing.json --json", 3, "file-not-found"),
        ("small/locales/ru.json --json", 4, "not-a-ruleset"),
        ("empty --json", 4, "not-a-ruleset"),
        ("broken --json", 4, "invalid-ruleset"),
        ("small --language en --json", 2, "usage"),
        ("small --language x! --json", 2, "usage"),
        ("small --format po --json", 2, "usage"),
    ] {
        let refused = world.strings(line).expect(exit).json();
        assert_eq!(refused.code(), code, "{line}");
    }
    let broken = world.strings("broken").expect(4);
    assert!(broken.stderr.contains("ruleset.json:2:14"), "{broken}");
}

#[test]
fn nothing_that_a_terminal_obeys_is_printed_as_it_is() {
    let world = World::new();
    world.sandbox.write("small/ruleset.json", RULESET.replace("\"on foot\"", "\"\\u202eon\\u001b[2J\""));
    let template = world.strings("small").expect(0);
    assert!(template.stdout.contains("\"\\u202eon\\u001b[2J\": \"\""), "{template}");
    let told = world.strings("small --language ru").expect(0);
    assert!(!told.stdout.contains(['\u{202e}', '\u{1b}']), "{told}");
}
