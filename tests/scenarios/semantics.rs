//! `docs/semantics.md` names a test for every sentence of the engine's page, and the tests are there.

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
