//! Keys that an object does not have (docs/spec/decisions.md#q27). One that was meant to be another is told with that;
//! one that nothing speaks for may be of a newer engine.

use super::language::{Keys, Shape};
use super::tables::{CATALOG_FILE, RULESET};
use crate::types::{Pointer, Problem, Problems};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Words that are written for keys which are spelt quite otherwise.
const OTHERWISE: &[(&str, &[&str])] = &[
    ("attributes", &["abilities"]),
    ("choices", &["values"]),
    ("desc", &["summary", "text"]),
    ("description", &["summary", "text"]),
    ("difficulty", &["dc", "saveDifficulty"]),
    ("dmg", &["damage"]),
    ("hp", &["health"]),
    ("init", &["initiative"]),
    ("maximum", &["max"]),
    ("minimum", &["min"]),
    ("name", &["label"]),
    ("options", &["values"]),
    ("price", &["cost"]),
    ("stats", &["abilities"]),
    ("title", &["label", "name"]),
    ("label", &["name"]),
];

/// A key that was meant to be another one, which is missing.
pub struct Renamed {
    pub file: String,
    /// The object that has it, as it is written.
    pub at: Pointer,
    pub from: String,
    pub to: &'static str,
}

/// An object whose misspelt keys are known by the names they were meant to have.
pub struct Meant<'v> {
    object: &'v Map<String, Value>,
    /// As written, and as meant.
    renamed: Vec<(&'v str, &'static str)>,
}

impl<'v> Meant<'v> {
    pub fn of(object: &'v Map<String, Value>) -> Self {
        Meant { object, renamed: Vec::new() }
    }

    pub fn rename(&mut self, from: &'v str, to: &'static str) {
        self.renamed.push((from, to));
    }

    pub fn get(&self, key: &str) -> Option<&'v Value> {
        let written = self.renamed.iter().find(|(_, to)| *to == key).map_or(key, |(from, _)| from);
        self.object.get(written)
    }

    pub fn contains_key(&self, key: &str) -> bool {
        self.get(key).is_some()
    }
}

/// What an unknown key may have been meant to be.
pub struct Stranger<'a> {
    name: &'a str,
    /// Those keys of its object that it is a misspelling of, or another word for; those that are not there yet first.
    meant: Vec<&'static str>,
    /// Where it is known, when it is none of these.
    belongs: Option<&'static str>,
}

impl<'a> Stranger<'a> {
    /// `known` are the keys of its object, of which `is_there` tells those that are there.
    pub fn of(name: &'a str, known: &[&'static str], is_there: impl Fn(&str) -> bool, found: &mut Problems) -> Self {
        let words = OTHERWISE.iter().filter(|(word, _)| word.eq_ignore_ascii_case(name));
        let words = words.flat_map(|(_, keys)| *keys).copied().filter(|key| known.contains(key) && !is_there(key));
        let mut meant = found.misspelt(name, known.iter().copied());
        meant.sort_by_key(|key| is_there(key));
        meant.extend(words);
        let belongs = if meant.is_empty() { HOMES.get(name).map(String::as_str) } else { None };
        Stranger { name, meant, belongs }
    }

    /// Whether it is a mistake, whatever engine the file is written for.
    pub fn is_mistaken(&self) -> bool {
        !self.meant.is_empty() || self.belongs.is_some()
    }

    /// The key it most likely is, where that is not there yet.
    pub fn likeliest(&self, is_there: impl Fn(&str) -> bool) -> Option<&'static str> {
        self.meant.first().copied().filter(|key| !is_there(key))
    }

    /// The same finding with what it may have been meant to be, and what else may stand there.
    pub fn told(&self, problem: Problem, known: &[&'static str], is_there: impl Fn(&str) -> bool) -> Problem {
        let others: Vec<&'static str> =
            known.iter().copied().filter(|key| !is_there(key) && !self.meant.contains(key)).collect();
        let problem = problem.expecting(&self.meant, &others);
        // An object of another variant has the key at the same place.
        let home = self.belongs.filter(|home| !is_at(problem.pointer.as_deref().unwrap_or_default(), home));
        match home {
            Some(home) => {
                let belongs = format!("`{}` belongs in {}", self.name, in_words(home));
                let parts: Vec<String> = [belongs].into_iter().chain(problem.hint.clone()).collect();
                problem.hint(parts.join("; "))
            }
            None => problem,
        }
    }
}

fn in_words(home: &str) -> String {
    if home.is_empty() { "the whole file".to_owned() } else { format!("`{home}`") }
}

/// Whether a key stands in such a place, or in the same part of one further in: of entries written out in the ruleset
/// too, `entries[]` is the place.
fn is_at(key: &str, home: &str) -> bool {
    let owner = key.rsplit_once('/').map_or("", |(owner, _)| owner);
    let parts = owner.split('/').filter(|part| !part.is_empty() && part.parse::<usize>().is_err());
    let homes = home.split('.').filter(|part| !part.is_empty()).map(|part| part.trim_end_matches("[]"));
    let (parts, homes): (Vec<&str>, Vec<&str>) = (parts.collect(), homes.collect());
    let is_same = |(part, home): (&&str, &&str)| *home == "*" || part == home;
    match parts.len().checked_sub(homes.len()) {
        Some(further) if further == 0 || !homes.is_empty() => parts[further..].iter().zip(&homes).all(is_same),
        _ => false,
    }
}

/// Where each key is known, as a path: the place nearest to the top where there are several.
static HOMES: LazyLock<BTreeMap<&'static str, String>> = LazyLock::new(|| {
    let mut homes = BTreeMap::new();
    visit(&RULESET, "", &mut homes);
    visit(&CATALOG_FILE, "", &mut homes);
    homes
});

fn visit(shape: &'static Shape, path: &str, homes: &mut BTreeMap<&'static str, String>) {
    match shape {
        Shape::List { items: inner, .. } => visit(inner, &format!("{path}[]"), homes),
        Shape::Mapping { values: inner, .. } => visit(inner, &format!("{path}.*"), homes),
        Shape::Steps { values, .. } => visit(values, path, homes),
        Shape::Record { groups, .. } => groups.iter().for_each(|keys| record(keys, path, homes)),
        Shape::ByKey { key, shared, cases } => {
            settle(key, path, homes);
            shared.iter().for_each(|keys| record(keys, path, homes));
            cases.iter().for_each(|case| record(case.keys, path, homes));
        }
        Shape::Either(shapes) => shapes.iter().for_each(|shape| visit(shape, path, homes)),
        Shape::Having { with, without, .. } => [with, without].into_iter().for_each(|shape| visit(shape, path, homes)),
        Shape::ByResolution(shapes) => shapes.iter().for_each(|(_, shape)| visit(shape, path, homes)),
        Shape::Any
        | Shape::Flag
        | Shape::Yes
        | Shape::Number(_)
        | Shape::Numbers(_)
        | Shape::Text(_)
        | Shape::Words(_) => (),
    }
}

fn record(keys: Keys, path: &str, homes: &mut BTreeMap<&'static str, String>) {
    for key in keys {
        settle(key.name, path, homes);
        let inner = if path.is_empty() { key.name.to_owned() } else { format!("{path}.{}", key.name) };
        visit(&key.shape, &inner, homes);
    }
}

fn settle(key: &'static str, path: &str, homes: &mut BTreeMap<&'static str, String>) {
    let depth = |path: &str| if path.is_empty() { 0 } else { 1 + path.matches('.').count() };
    let known = homes.entry(key).or_insert_with(|| path.to_owned());
    if depth(path) < depth(known) {
        path.clone_into(known);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Pointer, codes};

    fn told(name: &str, there: &[&str]) -> (bool, Option<&'static str>, String) {
        const KEYS: [&str; 5] = ["id", "label", "cost", "abilities", "max"];
        let is_there = |key: &str| there.contains(&key);
        let stranger = Stranger::of(name, &KEYS, is_there, &mut Problems::default());
        let told =
            stranger.told(Problem::new(codes::UNKNOWN_KEY, &Pointer::root().at("sheet").at(name), ""), &KEYS, is_there);
        assert!(told.expected.is_some_and(|all| all.iter().all(|key| KEYS.contains(key))));
        (stranger.is_mistaken(), stranger.likeliest(is_there), told.hint.unwrap_or_default())
    }

    #[test]
    fn a_misspelt_key_is_known_by_its_spelling_or_by_what_it_says() {
        assert_eq!(told("lable", &["id"]).1, Some("label"));
        assert_eq!(told("price", &["id", "label"]).1, Some("cost"));
        assert_eq!(told("stats", &[]).1, Some("abilities"));
        // What is there already is not what was meant, and it is a mistake all the same.
        let (is_mistaken, likeliest, _) = told("lable", &["id", "label"]);
        assert_eq!((is_mistaken, likeliest), (true, None));
        let hint = told("lable", &["id"]).2;
        assert_eq!(hint, "did you mean `label`? known keys here: `cost`, `abilities`, `max`");
    }

    #[test]
    fn a_key_that_is_known_elsewhere_belongs_there() {
        let (is_mistaken, likeliest, hint) = told("layers", &["id", "label"]);
        assert_eq!((is_mistaken, likeliest), (true, None));
        assert!(hint.starts_with("`layers` belongs in the whole file; "), "{hint}");
        assert!(told("signaturePoints", &[]).2.contains("belongs in `entries[].creature`"));
        assert!(told("prices", &[]).2.contains("`items.market`"));
    }

    #[test]
    fn nobody_is_sent_to_where_they_are() {
        let hint = |name: &str, at: &str| {
            let at = at.split('/').skip(1).fold(Pointer::root(), |at, part| at.at(part));
            let stranger = Stranger::of(name, &["sides"], |_| true, &mut Problems::default());
            stranger.told(Problem::new(codes::UNKNOWN_KEY, &at, ""), &["sides"], |_| true).hint.unwrap()
        };
        let plain = codes::UNKNOWN_KEY.hint.unwrap();
        assert_eq!(hint("count", "/resolution/dice/count"), plain);
        assert_eq!(hint("signaturePoints", "/catalogs/0/entries/3/creature/signaturePoints"), plain);
        assert_eq!(hint("layers", "/layers"), plain);
        assert_eq!(hint("count", "/sheet/count"), format!("`count` belongs in `resolution.dice`; {plain}"));
    }

    #[test]
    fn a_word_nobody_knows_may_be_of_a_newer_engine() {
        assert!(!told("moonPhase", &["id"]).0);
        // That one word is part of another makes it no misspelling.
        assert!(!told("maxOfTheMoon", &["id"]).0);
    }
}
