//! The texts of a ruleset that players see. Which they are stands in one table ([`places`]); this is how it is read.

mod cells;
mod places;

use super::shape::limits;
use super::whole::FILE;
use cells::TextCells;
use places::{ENTRIES, RULESET, TextPlace};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

/// A text that players see, and where a ruleset uses it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DisplayString {
    /// It, in English.
    pub text: String,
    /// The most UTF-16 units it may have, where one of its places says so.
    pub limit: Option<usize>,
    /// In reading order, at least one, unless nobody asked for them.
    pub uses: Vec<Use>,
}

/// One place of a display string.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Use {
    /// `ruleset.json`, or a catalog file's path.
    pub file: String,
    /// RFC 6901.
    pub pointer: String,
}

/// Every display string of a ruleset and its catalogs, once, in reading order (docs/spec/checks.md#display-strings;
/// which texts are shown is docs/spec/decisions.md#q19): all of `ruleset.json` in the order its format is described in,
/// then each catalog file in the order the catalogs are declared.
///
/// A text is taken as it is written, blank space included, since that is how the engine looks it up. An empty one is
/// nothing to translate.
pub fn display_strings(ruleset: &Value, files: &[(String, Value)]) -> Vec<DisplayString> {
    read(Reader::new(ruleset, true), ruleset, files)
}

/// The same without where they stand, for whoever holds packs against thousands of them.
pub fn display_texts(ruleset: &Value, files: &[(String, Value)]) -> Vec<DisplayString> {
    read(Reader::new(ruleset, false), ruleset, files)
}

fn read<'a>(mut reader: Reader<'a>, ruleset: &'a Value, files: &'a [(String, Value)]) -> Vec<DisplayString> {
    reader.places(RULESET, ruleset);
    let mut read = HashSet::new();
    for catalog in catalogs(ruleset) {
        let asset = asset(catalog);
        if let Some((path, file)) = files.iter().find(|(path, _)| Some(path.as_str()) == asset)
            && read.insert(path)
        {
            reader.file = path;
            cells::take_filters(&mut reader, catalog);
            reader.places(ENTRIES, file);
        }
    }
    let limits = limits(ruleset, files);
    for string in &mut reader.found {
        string.limit = limits.get(string.text.as_str()).copied();
    }
    reader.found
}

/// Whether a catalog's file is not among `files`, and its strings with it.
pub fn catalogs_left_out(ruleset: &Value, files: &[(String, Value)]) -> bool {
    catalog_files(ruleset).into_iter().any(|asset| files.iter().all(|(path, _)| path != asset))
}

/// The catalog files that a ruleset names, each once.
pub fn catalog_files(ruleset: &Value) -> Vec<&str> {
    let mut seen = HashSet::new();
    catalogs(ruleset).filter_map(asset).filter(|asset| seen.insert(*asset)).collect()
}

fn catalogs(ruleset: &Value) -> impl Iterator<Item = &Value> {
    ruleset.get("catalogs").and_then(Value::as_array).into_iter().flatten()
}

fn asset(catalog: &Value) -> Option<&str> {
    catalog.get("asset").and_then(Value::as_str)
}

/// Goes through a file by the table, knowing at any time where it stands.
struct Reader<'a> {
    cells: TextCells<'a>,
    /// The filters, of the catalog that is being read, whose words are texts.
    filters: Vec<&'a str>,
    file: &'a str,
    /// RFC 6901, grown and cut back on the way: most places hold no text and need none of their own.
    pointer: String,
    found: Vec<DisplayString>,
    /// Whether the places of texts are wanted, too.
    with_uses: bool,
    /// Where in `found` a text is.
    known: HashMap<&'a str, usize>,
}

impl<'a> Reader<'a> {
    fn new(ruleset: &'a Value, with_uses: bool) -> Self {
        Reader {
            with_uses,
            cells: TextCells::of(ruleset),
            filters: Vec::new(),
            file: FILE,
            pointer: String::new(),
            found: Vec::new(),
            known: HashMap::new(),
        }
    }

    fn places(&mut self, places: &'static [TextPlace], object: &'a Value) {
        for place in places {
            match *place {
                TextPlace::Text(key) => self.member(object, key, Self::text),
                TextPlace::Texts(key) => self.each(object, key, Self::text),
                TextPlace::In(key, places) => self.member(object, key, |reader, value| reader.places(places, value)),
                TextPlace::Each(key, places) => self.each(object, key, |reader, value| reader.places(places, value)),
                TextPlace::Labels(key) => self.member(object, key, Self::labels),
                TextPlace::By(read) => read(self, object),
            }
        }
    }

    /// Goes to what stands under a key, if there is something.
    fn member(&mut self, object: &'a Value, key: &str, go: impl FnOnce(&mut Self, &'a Value)) {
        if let Some(value) = object.get(key) {
            let here = self.pointer.len();
            self.pointer.push('/');
            match key.contains(['~', '/']) {
                true => self.pointer.push_str(&key.replace('~', "~0").replace('/', "~1")),
                false => self.pointer.push_str(key),
            }
            go(self, value);
            self.pointer.truncate(here);
        }
    }

    /// Goes to each item of the list under a key.
    fn each(&mut self, object: &'a Value, key: &str, go: impl FnMut(&mut Self, &'a Value)) {
        self.member(object, key, |reader, list| reader.items(list, go));
    }

    /// Goes to each item of a list.
    fn items(&mut self, list: &'a Value, mut go: impl FnMut(&mut Self, &'a Value)) {
        for (index, item) in list.as_array().into_iter().flatten().enumerate() {
            self.item(index, item, &mut go);
        }
    }

    /// Goes to an item of the list that stands here.
    fn item(&mut self, index: usize, item: &'a Value, go: impl FnOnce(&mut Self, &'a Value)) {
        let here = self.pointer.len();
        // Writing into a String cannot fail.
        let _ = write!(self.pointer, "/{index}");
        go(self, item);
        self.pointer.truncate(here);
    }

    /// Goes to each member of an object.
    fn members(&mut self, object: &'a Value, mut go: impl FnMut(&mut Self, &'a str, &'a Value)) {
        for key in object.as_object().into_iter().flat_map(|members| members.keys()) {
            self.member(object, key, |reader, value| go(reader, key, value));
        }
    }

    /// Takes the text that stands here.
    fn text(&mut self, value: &'a Value) {
        let Some(text) = value.as_str().filter(|text| !text.is_empty()) else { return };
        let at = *self.known.entry(text).or_insert(self.found.len());
        if at == self.found.len() {
            self.found.push(DisplayString { text: text.to_owned(), limit: None, uses: Vec::new() });
        }
        if self.with_uses {
            let place = Use { file: self.file.to_owned(), pointer: self.pointer.clone() };
            self.found[at].uses.push(place);
        }
    }

    /// Takes every `label` at any depth, of what our sources do not describe further.
    fn labels(&mut self, value: &'a Value) {
        self.member(value, "label", Self::text);
        self.items(value, Self::labels);
        self.members(value, |reader, _, value| reader.labels(value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn found(ruleset: &Value, files: &[(String, Value)]) -> Vec<String> {
        display_strings(ruleset, files).into_iter().map(|string| string.text).collect()
    }

    /// Texts of one part of `ruleset.json`.
    fn of(part: Value) -> Vec<String> {
        found(&part, &[])
    }

    fn entry(entry: Value) -> Vec<String> {
        let sheet = json!({"fields": [{"id": "calling", "type": "text"}, {"id": "level", "type": "number"}],
            "lists": [{"id": "gear", "columns": [{"id": "name", "type": "text"}, {"id": "notes", "type": "longtext"},
                {"id": "way", "type": "enum", "values": []}, {"id": "dice", "type": "dice"}, {"id": "bulk", "type": "number"}]}]});
        let stats = json!([{"id": "harm", "type": "text"}, {"id": "way", "type": "enum", "values": []}]);
        let filters = json!([{"id": "road", "type": "text"}, {"id": "callings", "type": "tags"}, {"id": "cost", "type": "number"}]);
        let catalog = json!({"id": "all", "filters": filters, "entries": [entry]});
        found(&json!({"sheet": sheet, "items": {"stats": stats}, "catalogs": [catalog]}), &[])
    }

    #[test]
    fn a_text_used_twice_is_told_once_with_both_places() {
        let ruleset = json!({"name": "Heat", "sheet": {"skills": [{"label": "Heat"}, {"label": "Dig"}]},
                             "catalogs": [{"label": "Dig", "asset": "catalogs/all.json"}]});
        let file = json!({"entries": [{"label": "Heat"}]});
        let strings = display_strings(&ruleset, &[("catalogs/all.json".to_owned(), file)]);
        let told: Vec<_> = strings
            .iter()
            .map(|string| {
                let uses: Vec<_> =
                    string.uses.iter().map(|place| format!("{}#{}", place.file, place.pointer)).collect();
                format!("{}: {}", string.text, uses.join(" "))
            })
            .collect();
        assert_eq!(
            told,
            [
                "Heat: ruleset.json#/name ruleset.json#/sheet/skills/0/label catalogs/all.json#/entries/0/label",
                "Dig: ruleset.json#/sheet/skills/1/label ruleset.json#/catalogs/0/label"
            ]
        );
    }

    #[test]
    fn what_nobody_is_shown_is_no_display_string() {
        let hidden = json!({
            "$comment": "x", "id": "x", "license": {"spdx": "x", "attribution": "x"},
            "gm": {"checkGuidance": "x", "sheetGuidance": "x", "worldGuidance": "x"},
            "sheet": {"abilities": [{"id": "x", "$comment": "x", "label": ""}],
                      "fields": [{"id": "x", "type": "text", "default": "x"}, {"id": "x", "type": "dice", "example": "x"}],
                      "migrations": [{"from": 1, "steps": [{"route": "x", "cases": [{"words": ["x"]}]}]}]},
            "catalogs": [{"id": "x", "asset": "x"}],
            "layers": [{"id": "x", "gm": {"guidance": "x", "worldGuidance": "x"}, "conflicts": ["x"],
                        "fields": [{"id": "x", "removeValues": ["x"], "default": "x"}],
                        "catalogs": [{"id": "x", "hide": {"filter": "x", "equals": "x"}}]}]
        });
        assert_eq!(of(hidden), [""; 0]);
    }

    #[test]
    fn a_value_without_a_label_stands_for_itself() {
        let choices = |key: &str| json!({key: [{"values": ["a", "b/c", "d"], "valueLabels": {"b/c": "B", "z": "Z"}}]});
        let [fields, states] = [json!({"sheet": choices("fields")}), json!({"sheet": {"live": choices("states")}})];
        for part in
            [fields, states, json!({"items": choices("stats")}), json!({"sheet": {"lists": [choices("columns")]}})]
        {
            assert_eq!(of(part.clone()), ["a", "B", "d", "Z"], "{part}");
        }
        let labelled = json!({"sheet": choices("fields")});
        let pointers: Vec<_> =
            display_strings(&labelled, &[]).into_iter().map(|string| string.uses[0].pointer.clone()).collect();
        assert_eq!(pointers[1], "/sheet/fields/0/valueLabels/b~1c");
    }

    #[test]
    fn every_part_of_a_ruleset_shows_its_texts() {
        for (part, texts) in [
            (json!({"name": "n", "edition": "e", "coverage": {"checks": true, "summary": "s"}}), "n e s"),
            (
                json!({"resolution": {"proficiencyTiers": [{"label": "t"}], "difficultyLadder": [{"label": "l"}]}}),
                "t l",
            ),
            (
                json!({"sheet": {"abilities": [{"label": "l", "short": "s"}], "sections": [{"label": "first"}]}}),
                "first l s",
            ),
            (
                json!({"sheet": {"skills": [{"label": "a"}], "saves": [{"label": "b"}], "derived": [{"label": "c"}]}}),
                "a b c",
            ),
            (json!({"sheet": {"lists": [{"label": "a", "columns": [{"label": "b"}]}]}}), "a b"),
            (
                json!({"sheet": {"live": {"pools": [{"label": "a"}], "text": [{"label": "c"}], "conditions": [{"label": "d"}],
                "tracks": [{"label": "b", "levels": [{"label": "l"}], "kinds": [{"label": "k"}]}]}}}),
                "a b l k c d",
            ),
            (json!({"rests": [{"label": "r"}]}), "r"),
            (
                json!({"catalogs": [{"label": "c", "filters": [{"label": "f"}], "units": {"distance": {"label": "u"}}}]}),
                "c f u",
            ),
            (
                json!({"items": {"categories": [{"label": "a"}], "rarities": [{"label": "b"}], "tags": [{"label": "c"}],
                "slots": [{"label": "d"}], "binding": {"label": "e"},
                "currencies": [{"label": "f", "units": [{"label": "g"}]}], "lootTables": [{"label": "h"}]}}),
                "a b c d e f g h",
            ),
            (
                json!({"items": {"market": {"prices": [{"label": "a"}], "places": [{"label": "b"}],
                "sellers": [{"label": "c", "stock": {"x": [{"label": "d"}]}, "only": {"label": "e"}}]}}}),
                "a b c d e",
            ),
            (
                json!({"combat": {"initiative": {"resource": [{"label": "i"}]}, "economy": {"budgets": [{"label": "b"}]},
                "distance": {"label": "d"}, "checks": [{"label": "c"}], "contests": [{"label": "o"}],
                "damageTypes": ["burn"], "threat": {"tiers": [{"label": "t"}]}}}),
                "i b d c o burn t",
            ),
            (
                json!({"layers": [{"label": "l", "summary": "s", "difficultyLadder": [{"label": "d"}],
                "items": {"lootTables": [{"label": "t"}]}}]}),
                "l s d t",
            ),
        ] {
            assert_eq!(of(part.clone()).join(" "), texts, "{part}");
        }
    }

    #[test]
    fn every_part_of_an_entry_shows_its_texts() {
        for (part, texts) in [
            (json!({"summary": "s", "label": "l", "id": "x"}), "l s"),
            (json!({"filters": {"callings": ["a", "b"], "road": "r", "cost": "x", "unknown": "x"}}), "r a b"),
            (
                json!({"rows": [{"list": "gear", "values": {"notes": "o", "name": "n", "way": "x", "dice": "1d6", "bulk": 1}},
                             {"list": "unknown", "values": {"name": "x"}}]}),
                "n o",
            ),
            (json!({"mechanics": {"damageType": "a", "plus": [{"type": "b"}], "rider": {"type": "c"}}}), "a b c"),
            (
                json!({"creature": {"resist": ["a", {"type": "b", "except": ["x"]}], "vulnerable": ["c"], "immune": ["d"],
                "conditionImmunities": ["x"], "traits": [{"name": "e", "text": "f"}],
                "actions": [{"id": "x", "name": "g", "damage": {"type": "h", "plus": [{"type": "i"}]}}],
                "riders": [{"name": "j", "type": "k"}]}}),
                "a b c d e f g h i j k",
            ),
            (
                json!({"creature": {"sheet": {"fields": {"calling": "a", "level": 3},
                "lists": {"gear": [{"name": "b", "_catalog": "x/y"}], "unknown": [{"name": "x"}]}}}}),
                "a b",
            ),
            (
                json!({"item": {"stats": {"harm": "a", "way": "x"}, "binds": {"restriction": "b"}, "worn": {"resist": ["c"]},
                "carried": {"immune": ["d"]}, "requires": [{"otherwise": {"vulnerable": ["e"]}}],
                "attack": {"damage": {"type": "f"}, "modes": [{"id": "x", "label": "g"}]}, "use": {"damageType": "h"}}}),
                "a b c d e f g h",
            ),
            (json!({"item": {"attack": {"damage": {"type": {"stat": "x"}}}}}), ""),
        ] {
            assert_eq!(entry(part.clone()).join(" "), ["", texts].join(" ").trim(), "{part}");
        }
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let key = prop::sample::select(vec![
            "catalogs",
            "entries",
            "rows",
            "values",
            "valueLabels",
            "sheet",
            "fields",
            "lists",
            "label",
            "filters",
            "columns",
            "id",
        ]);
        let leaf = prop_oneof![Just(Value::Null), Just(json!(1)), key.clone().prop_map(Value::from)];
        leaf.prop_recursive(5, 60, 5, move |inner| {
            let members = prop::collection::vec((key.clone(), inner.clone()), 0..5);
            prop_oneof![
                prop::collection::vec(inner, 0..4).prop_map(Value::from),
                members.prop_map(|members| members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
            ]
        })
    }

    proptest! {
        #[test]
        fn every_use_points_at_its_text(ruleset in any_json()) {
            for string in display_strings(&ruleset, &[]) {
                for place in string.uses {
                    prop_assert_eq!(ruleset.pointer(&place.pointer).and_then(Value::as_str), Some(string.text.as_str()));
                }
            }
        }
    }
}
