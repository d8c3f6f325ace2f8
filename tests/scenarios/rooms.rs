//! The map in `src/lib.rs` says which room uses which, and the rooms keep to it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Every file below a folder of the sources, with its text.
fn texts(folder: &Path) -> Vec<String> {
    let mut texts = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            texts.extend(self::texts(&path));
        } else {
            texts.push(std::fs::read_to_string(path).unwrap());
        }
    }
    texts
}

/// The words between backticks.
fn quoted(cell: &str) -> BTreeSet<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The table of the crate's documentation: room to the rooms it may use.
fn map() -> BTreeMap<String, BTreeSet<String>> {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs")).unwrap();
    let rows = text.lines().filter_map(|line| line.strip_prefix("//! | ")?.trim_start_matches('[').strip_prefix('`'));
    rows.map(|row| {
        let cells: Vec<&str> = row.split('|').collect();
        (cells[0].trim().trim_end_matches(']').trim_end_matches('`').to_owned(), quoted(cells[2]))
    })
    .collect()
}

/// What follows `crate::`, also in braces.
fn used_in(text: &str) -> impl Iterator<Item = String> {
    text.split("crate::").skip(1).flat_map(|rest| {
        let names = match rest.strip_prefix('{') {
            Some(group) => group.split('}').next().unwrap_or_default().split(',').collect(),
            None => vec![rest],
        };
        names.into_iter().map(|name| name.trim_start().chars().take_while(char::is_ascii_lowercase).collect())
    })
}

#[test]
fn every_room_is_on_the_map_and_uses_only_what_it_says() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let map = map();
    let mut rooms = BTreeSet::new();
    for entry in std::fs::read_dir(&sources).unwrap() {
        let path = entry.unwrap().path();
        let room = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if ["lib", "main"].contains(&room.as_str()) {
            continue;
        }
        let texts = if path.is_dir() { texts(&path) } else { vec![std::fs::read_to_string(&path).unwrap()] };
        let allowed = map.get(&room).unwrap_or_else(|| panic!("{room} is not on the map"));
        for used in texts.iter().flat_map(|text| used_in(text)) {
            assert!(used == room || !map.contains_key(&used) || allowed.contains(&used), "{room} uses {used}");
        }
        rooms.insert(room);
    }
    assert_eq!(rooms, map.into_keys().collect(), "the map shows the rooms there are");
}
