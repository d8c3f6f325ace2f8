use crate::diceframe::codes;
use crate::diceframe::rules::kind;
use crate::json::excerpt;
use crate::types::{Pointer, Problem, Problems, Rule, Severity};
use serde_json::{Map, Value};

/// How many unknown keys of one object are told one by one.
const SHOWN: usize = 20;

/// The keys under which `null` says as much as nothing, in whatever object of the block they stand. Under any other it
/// is a value of the wrong kind, which DiceFrame refuses.
const NULLABLE: [&str; 10] = [
    "consume_item",
    "damage_priority",
    "damage_type",
    "damage_types",
    "duration",
    "maximum",
    "resource",
    "speed_formula",
    "stat",
    "target_policy",
];

/// An object of the block, and where it stands.
pub(super) struct Node<'v> {
    map: &'v Map<String, Value>,
    pub at: Pointer,
}

impl<'v> Node<'v> {
    /// The object a value is; anything else is a finding under `code` about what it is called in words.
    pub fn read(
        value: &'v Value,
        at: Pointer,
        code: &'static Rule,
        what: &str,
        problems: &mut Problems,
    ) -> Option<Self> {
        match value {
            Value::Object(map) => Some(Node { map, at }),
            _ => {
                if !problems.is_only_counted(code, Severity::Error, None) {
                    problems.push(Problem::new(code, &at, differs(what, value, "an object")));
                }
                None
            }
        }
    }

    pub fn get(&self, key: &str) -> Option<&'v Value> {
        self.map.get(key).filter(|value| !(value.is_null() && NULLABLE.contains(&key)))
    }

    /// Tells of the keys that nothing reads.
    pub fn report_strangers(&self, known: &[&str], problems: &mut Problems) {
        let strangers = self.map.keys().filter(|key| !known.contains(&key.as_str()));
        for key in strangers.take(SHOWN) {
            let message = format!("unknown key `{}`", excerpt(key));
            problems.push(Problem::new(codes::C44, &self.at.at(key), message));
        }
    }

    /// The list under a key that must be there.
    pub fn list(&self, key: &str, code: &'static Rule, problems: &mut Problems) -> Option<&'v [Value]> {
        let Some(value) = self.get(key) else {
            problems.push(Problem::new(code, &self.at, format!("`{key}` is missing")));
            return None;
        };
        self.optional_list(key, code, problems).filter(|_| value.is_array())
    }

    /// The list under a key that may be absent.
    pub fn optional_list(&self, key: &str, code: &'static Rule, problems: &mut Problems) -> Option<&'v [Value]> {
        match self.get(key)? {
            Value::Array(items) => Some(items),
            other => {
                problems.push(Problem::new(code, &self.at.at(key), wanted(key, other, "a list")));
                None
            }
        }
    }

    /// Text that is not blank, under a key that must be there.
    pub fn text(&self, key: &str, code: &'static Rule, problems: &mut Problems) -> Option<&'v str> {
        if self.get(key).is_none() {
            problems.push(Problem::new(code, &self.at, format!("`{key}` is missing")));
        }
        self.optional_text(key, code, problems)
    }

    /// Text that is not blank, under a key that may be absent.
    pub fn optional_text(&self, key: &str, code: &'static Rule, problems: &mut Problems) -> Option<&'v str> {
        let value = self.get(key)?;
        let text = value.as_str().filter(|text| !text.trim().is_empty());
        if text.is_none() {
            problems.push(Problem::new(code, &self.at.at(key), wanted(key, value, "non-blank text")));
        }
        text
    }

    /// A list of texts that are not blank, under a key that may be absent.
    pub fn texts(&self, key: &str, code: &'static Rule, problems: &mut Problems) -> Option<Vec<String>> {
        let items = self.optional_list(key, code, problems)?;
        let mut texts = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            match item.as_str().filter(|text| !text.trim().is_empty()) {
                Some(text) => texts.push(text.to_owned()),
                None => {
                    let at = self.at.at(key).at(index);
                    problems.push(Problem::new(code, &at, wanted(key, item, "non-blank text")));
                }
            }
        }
        Some(texts)
    }

    /// A whole number above 0, under a key that may be absent. `3.0`, `"3"` and `true` are none.
    pub fn optional_count(&self, key: &str, code: &'static Rule, problems: &mut Problems) -> Option<i64> {
        let value = self.get(key)?;
        let count = value.as_i64().filter(|count| *count > 0);
        if count.is_none() {
            problems.push(Problem::new(code, &self.at.at(key), wanted(key, value, "a whole number above 0")));
        }
        count
    }

    /// One of a few words, under a key that may be absent.
    pub fn optional_word<T: Copy>(
        &self,
        key: &str,
        code: &'static Rule,
        words: &[(&str, T)],
        problems: &mut Problems,
    ) -> Option<T> {
        let value = self.get(key)?;
        let word = value.as_str().and_then(|text| words.iter().find(|(word, _)| *word == text));
        if word.is_none() {
            let known: Vec<String> = words.iter().map(|(word, _)| format!("`{word}`")).collect();
            let want = format!("one of {}", known.join(", "));
            problems.push(Problem::new(code, &self.at.at(key), wanted(key, value, &want)));
        }
        word.map(|(_, meaning)| *meaning)
    }

    /// [`Node::optional_word`] under a key that must be there.
    pub fn word<T: Copy>(
        &self,
        key: &str,
        code: &'static Rule,
        words: &[(&str, T)],
        problems: &mut Problems,
    ) -> Option<T> {
        if self.get(key).is_none() {
            problems.push(Problem::new(code, &self.at, format!("`{key}` is missing")));
        }
        self.optional_word(key, code, words, problems)
    }
}

/// What was found under a key, and what is wanted.
pub(super) fn wanted(key: &str, value: &Value, want: &str) -> String {
    differs(&format!("`{key}`"), value, want)
}

/// What something is, and what is wanted.
pub(super) fn differs(what: &str, value: &Value, want: &str) -> String {
    format!("{what} is {}, but should be {want}", kind(value))
}
