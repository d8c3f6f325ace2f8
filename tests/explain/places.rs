//! What the sources, the explanations and the pages name of the specification is there: `docs/spec/checks.md#t14`, and
//! after it `#t15` of the same page.

use super::base::repository;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn every_place_named_is_in_the_specification() {
    let spec = repository().join("docs/spec");
    let pages: BTreeMap<String, BTreeSet<String>> = files_below(&spec)
        .iter()
        .map(|page| {
            let name = page.file_name().unwrap().to_string_lossy().into_owned();
            (name, anchors(&fs::read_to_string(page).unwrap()))
        })
        .collect();
    let (mut named, mut missing) = (0, Vec::new());
    for folder in ["src", "tests", "benches", "docs"] {
        for file in files_below(&repository().join(folder)) {
            let Ok(text) = fs::read_to_string(&file) else { continue };
            for (page, anchor) in places(&text) {
                named += 1;
                let is_there = pages.get(&page).is_some_and(|anchors| anchor.is_empty() || anchors.contains(&anchor));
                if !is_there {
                    missing.push(format!("{}: {page}#{anchor}", file.display()));
                }
            }
        }
    }
    assert!(named > 1000, "only {named} found");
    assert_eq!(missing, [""; 0]);
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            files.extend(files_below(&entry));
        } else if entry.extension().is_some_and(|kind| kind == "rs" || kind == "md" || kind == "toml") {
            files.push(entry);
        }
    }
    files
}

/// What a page's headings and `<a id="…">` can be gone to by.
fn anchors(page: &str) -> BTreeSet<String> {
    let heading = |line: &str| {
        let text = line.strip_prefix('#')?.trim_start_matches('#').trim();
        let kept = text.to_lowercase().replace(' ', "-");
        Some(kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect())
    };
    let ids = page.split("id=\"").skip(1).filter_map(|rest| Some(rest.split_once('"')?.0.to_owned()));
    page.lines().filter_map(heading).chain(ids).collect()
}

/// The pages and anchors that a text names, `spec/PAGE.md#anchor` and what follows it as `, #anchor`.
fn places(text: &str) -> Vec<(String, String)> {
    let mut places = Vec::new();
    for (at, _) in text.match_indices("spec/") {
        let Some((page, mut rest)) = text[at + "spec/".len()..].split_once(".md") else { continue };
        if !page.chars().all(|c| c.is_ascii_lowercase() || c == '-') || page.is_empty() {
            continue;
        }
        while let Some(after) = rest.strip_prefix('#') {
            let end = after.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(after.len());
            places.push((format!("{page}.md"), after[..end].to_owned()));
            // Over the end of a comment's line, too.
            rest = after[end..].trim_start_matches([',', ' ', '\n', '/', '!']);
        }
    }
    places
}
