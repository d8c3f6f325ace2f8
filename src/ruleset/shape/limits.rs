//! How long the texts of a ruleset may be where they stand.

use super::language::{Form, Keys, Shape, Text};
use super::say::has_type;
use super::tables::{CATALOG_FILE, NAME, RULESET};
use serde_json::{Map, Value};
use std::collections::HashMap;

/// The most UTF-16 units of each text that people read, at the place that takes most: one translation serves all its
/// places. A text that stands only where nothing is known of a limit has none.
pub fn limits<'a>(ruleset: &'a Value, files: &'a [(String, Value)]) -> HashMap<&'a str, usize> {
    let mut limits = Limits { resolution: ruleset["resolution"]["kind"].as_str(), of: HashMap::new() };
    limits.take(&ruleset["name"], &NAME);
    limits.take(ruleset, &RULESET);
    files.iter().for_each(|(_, file)| limits.take(file, &CATALOG_FILE));
    limits.of
}

struct Limits<'a> {
    resolution: Option<&'a str>,
    of: HashMap<&'a str, usize>,
}

impl<'a> Limits<'a> {
    fn take(&mut self, value: &'a Value, shape: &Shape) {
        match (shape, value) {
            (Shape::Text(text), Value::String(written)) => self.text(written, *text),
            (Shape::List { items, .. }, Value::Array(list)) => list.iter().for_each(|item| self.take(item, items)),
            (Shape::Mapping { values, .. }, Value::Object(members)) => {
                members.values().for_each(|member| self.take(member, values));
            }
            (Shape::Record { groups, .. }, Value::Object(members)) => self.record(members, groups, &[]),
            (Shape::ByKey { key, shared, cases }, Value::Object(members)) => {
                let word = members.get(*key).and_then(Value::as_str);
                let case = cases.iter().find(|case| Some(case.word) == word);
                self.record(members, shared, case.map_or(&[], |case| case.keys));
            }
            (Shape::Having { key, with, without }, value) => {
                self.take(value, if value.get(*key).is_some() { with } else { without });
            }
            (Shape::Either(shapes), value) => {
                if let Some(shape) = shapes.iter().find(|shape| has_type(shape, value)) {
                    self.take(value, shape);
                }
            }
            (Shape::ByResolution(shapes), value) => {
                if let Some((_, shape)) = shapes.iter().find(|(kind, _)| Some(*kind) == self.resolution) {
                    self.take(value, shape);
                }
            }
            _ => {}
        }
    }

    fn record(&mut self, members: &'a Map<String, Value>, groups: &[Keys], own: Keys) {
        for key in groups.iter().copied().chain([own]).flatten() {
            if let Some(value) = members.get(key.name) {
                self.take(value, &key.shape);
            }
        }
    }

    /// Ids are read by nobody.
    fn text(&mut self, text: &'a str, Text { max, form, .. }: Text) {
        if matches!(form, Form::Free | Form::Safe | Form::SafeUnquoted | Form::Catalog) {
            self.of.entry(text).and_modify(|limit| *limit = max.max(*limit)).or_insert(max);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_text_has_the_limit_of_the_place_that_takes_most() {
        let ruleset = json!({"name": "Salt", "sheet": {"abilities": [{"id": "salt", "label": "Heart", "short": "Hrt"}]},
            "catalogs": [{"id": "all", "label": "Heart", "entries": [{"id": "a", "label": "Lamp", "summary": "Heart"}]}]});
        let file = ("catalogs/b.json".to_owned(), json!({"entries": [{"label": "Rope", "summary": "A rope."}]}));
        let files = [file];
        let limits = limits(&ruleset, &files);
        let of = |text: &str| limits.get(text).copied();
        assert_eq!([of("Heart"), of("Lamp"), of("Rope"), of("A rope.")], [Some(300), Some(120), Some(120), Some(300)]);
        assert_eq!([of("Salt"), of("Hrt"), of("salt"), of("a")], [Some(80), Some(8), None, None]);
    }
}
