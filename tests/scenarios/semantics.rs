//! `docs/semantics.md` names a test for every sentence of the engine's page, and the tests are there.

use super::kit::sandbox::Sandbox;
use std::collections::BTreeSet;
use std::path::Path;

/// The name of every test in these folders, with its module: `layering::the_last_ladder_wins`.
fn tests(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            tests(&path, found);
            continue;
        }
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        for (at, line) in lines.iter().enumerate().filter(|(_, line)| **line == "#[test]") {
            let name = lines[at..].iter().find_map(|line| line.strip_prefix("fn ")).unwrap_or(line);
            found.insert(format!("{}::{}", module(&path), name.split('(').next().unwrap()));
        }
    }
}

/// What a file of tests is called: its own name, or that of the folder whose `mod.rs` or `tests.rs` it is.
fn module(path: &Path) -> String {
    let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
    match stem.as_str() {
        "mod" | "tests" => path.parent().unwrap().file_name().unwrap().to_string_lossy().into_owned(),
        _ => stem,
    }
}

/// What stands between these two pieces of the page.
fn between<'a>(page: &'a str, before: &str, after: &str) -> &'a str {
    page.split_once(before).unwrap().1.split_once(after).unwrap().0
}

#[test]
fn the_sheet_of_the_page_migrates_as_it_shows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("docs/semantics.md")).unwrap();
    let sandbox = Sandbox::new();
    let sheet = sandbox.write("mira.json", between(&page, "```json\n", "```"));
    let example = between(&page, "```console\n$ rulepack ", "```");
    let (line, shown) = example.split_once('\n').unwrap();
    let words: Vec<&str> =
        line.split(' ').map(|word| if word == "mira.json" { sheet.to_str().unwrap() } else { word }).collect();
    let told = sandbox.command(&words).cwd(root).run().expect(0).stdout;
    assert_eq!(told.replace(sheet.to_str().unwrap(), "mira.json"), shown);
}

#[test]
fn every_question_the_page_names_is_answered_at_its_end() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("docs/semantics.md")).unwrap();
    let (rules, answers) = page.split_once("\n## Where the page leaves room\n").unwrap();
    let questions = |text: &str| -> BTreeSet<String> {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric());
        let is_one = |word: &&str| word.strip_prefix('Q').is_some_and(|number| number.parse::<u32>().is_ok());
        words.filter(is_one).map(str::to_owned).collect()
    };
    assert_eq!(questions(rules), questions(answers));
}

#[test]
fn every_test_that_the_page_of_semantics_names_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut known = BTreeSet::new();
    tests(&root.join("src"), &mut known);
    tests(&root.join("tests"), &mut known);
    let page = std::fs::read_to_string(root.join("docs/semantics.md")).unwrap();
    let mut named = 0;
    for row in page.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| sentence")) {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").collect();
        assert_eq!(cells.len(), 3, "a sentence, a rule and its tests: {row}");
        let tests: Vec<&str> = cells[2].split('`').skip(1).step_by(2).collect();
        assert!(!tests.is_empty(), "no test: {row}");
        for test in tests {
            assert!(known.contains(test), "there is no test {test}");
            named += 1;
        }
    }
    assert!(named > 40, "{named}");
}
