use super::values::{Text, excerpt, found};
use crate::types::{Pointer, Problem, Problems, Rule, codes};
use serde::de::{Deserializer as _, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashSet};

/// How many keys are reported one by one: enough to show what happened, and an object of nothing but strangers does not
/// fill the memory.
const SHOWN: usize = 20;

/// Room for the fields of most objects.
const USUAL: usize = 8;

/// The most keys an object is read with. No format has a use for as many, and each takes many times the memory it takes
/// in the text.
pub(super) const MAX_KEYS: usize = 1 << 17;

/// A JSON object whose values are unread, in the order of the text.
///
/// Of a key written twice the last value counts, as it does to JavaScript. Whoever judges the text tells of them
/// ([`super::repeated_keys`]), with their places.
#[derive(Debug)]
pub struct Object<'a> {
    at: Pointer,
    fields: Vec<(Cow<'a, str>, &'a RawValue)>,
    /// Keys that were written more than once.
    repeated: Vec<Cow<'a, str>>,
    /// Keys that were told to be misspellings of one that must be there.
    mistaken: RefCell<Vec<String>>,
}

impl<'a> Object<'a> {
    /// Reads the object in `text`, which stands at `at` in its document. The error completes a sentence about it: "is
    /// the number 3, but should be an object".
    pub fn parse(text: &'a str, at: Pointer) -> Result<Self, String> {
        if !text.trim_ascii_start().starts_with('{') {
            return match serde_json::from_str::<&RawValue>(text) {
                Ok(other) => Err(format!("is {}, but should be an object", found(other))),
                Err(error) => Err(format!("is not JSON: {error}")),
            };
        }
        let mut fields = in_order(text, MAX_KEYS).map_err(|error| format!("is not readable JSON: {error}"))?;
        let repeated = drop_repeated(&mut fields);
        Ok(Object { at, fields, repeated, mistaken: RefCell::default() })
    }

    /// Where the object stands in its document.
    pub fn at(&self) -> &Pointer {
        &self.at
    }

    pub fn get(&self, key: &str) -> Option<&'a RawValue> {
        self.fields.iter().find(|(name, _)| name == key).map(|(_, value)| *value)
    }

    /// Every key once, with the value that counts.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = (&str, &'a RawValue)> {
        self.fields.iter().map(|(key, value)| (key.as_ref(), *value))
    }

    pub fn into_fields(self) -> Vec<(Cow<'a, str>, &'a RawValue)> {
        self.fields
    }

    /// The value under a key that must be there, if `read` takes it; else the reason goes to `problems` under `code`.
    /// Where it is misspelt, that is the reason, and no other is told of the key that is written.
    pub fn required<T>(
        &self,
        key: &str,
        code: &'static Rule,
        read: impl FnOnce(&'a RawValue) -> Result<T, String>,
        problems: &mut Problems,
    ) -> Option<T> {
        if self.get(key).is_none() {
            let written = problems.misspelt(key, self.fields().map(|(written, _)| written)).first().copied();
            problems.push(match written {
                Some(written) => {
                    self.mistaken.borrow_mut().push(written.to_owned());
                    let message = format!("`{}` should be `{key}`, which is missing", excerpt(written));
                    Problem::new(code, &self.at.at(written), message).at_key().hint(format!("write `{key}`"))
                }
                None => Problem::new(code, &self.at, format!("`{key}` is missing")),
            });
        }
        self.optional(key, code, read, problems)
    }

    /// The value under a key that may be absent, if `read` takes it; a value it does not take, `null` included, is a
    /// problem under `code`.
    pub fn optional<T>(
        &self,
        key: &str,
        code: &'static Rule,
        read: impl FnOnce(&'a RawValue) -> Result<T, String>,
        problems: &mut Problems,
    ) -> Option<T> {
        match read(self.get(key)?) {
            Ok(value) => Some(value),
            Err(why) => {
                problems.push(Problem::new(code, &self.at.at(key), format!("`{key}` {why}")));
                None
            }
        }
    }

    /// [`Object::required`] for a value that is itself an object.
    pub fn required_object(&self, key: &str, code: &'static Rule, problems: &mut Problems) -> Option<Object<'a>> {
        self.required(key, code, |value| Object::parse(value.get(), self.at.at(key)), problems)
    }

    /// [`Object::optional`] for a value that is itself an object.
    pub fn optional_object(&self, key: &str, code: &'static Rule, problems: &mut Problems) -> Option<Object<'a>> {
        self.optional(key, code, |value| Object::parse(value.get(), self.at.at(key)), problems)
    }

    /// Reports every key that is not among `known`, which the engine would refuse. It makes nothing unusable (B01). To
    /// be asked once those that must be there are read.
    pub fn report_strangers(&self, known: &[&'static str], problems: &mut Problems) {
        self.report(|key, _| known.contains(&key), known, problems);
    }

    /// The same of every member that is not known, where its value says whether it is.
    pub fn report_unless(&self, is_known: impl Fn(&str, &RawValue) -> bool, problems: &mut Problems) {
        self.report(is_known, &[], problems);
    }

    /// `expected` are all that may stand there, where that is known.
    fn report(&self, is_known: impl Fn(&str, &RawValue) -> bool, expected: &[&'static str], problems: &mut Problems) {
        let is_told = |key: &str| self.mistaken.borrow().iter().any(|told| told == key);
        let unknown = self.fields().filter(|(key, value)| !is_known(key, value)).map(|(key, _)| key);
        let mut unknown = unknown.filter(|key| !is_told(key));
        let (missing, _): (Vec<&'static str>, Vec<_>) = expected.iter().partition(|key| self.get(key).is_none());
        for key in unknown.by_ref().take(SHOWN) {
            let problem = Problem::new(codes::UNKNOWN_KEY, &self.at.at(key), format!("unknown key `{}`", excerpt(key)));
            let problem = problem.at_key();
            let mut meant = problems.misspelt(key, expected.iter().copied());
            meant.sort_by_key(|key| !missing.contains(key));
            let others: Vec<&'static str> = missing.iter().copied().filter(|key| !meant.contains(key)).collect();
            problems.push(if expected.is_empty() { problem } else { problem.expecting(&meant, &others) });
        }
        let untold = unknown.count();
        if untold > 0 {
            let message = format!("{untold} more unknown keys");
            problems.push(Problem::new(codes::UNKNOWN_KEY, &self.at, message));
        }
    }

    /// Reports every key written twice in this object itself, where the text around it is too long to look through.
    pub fn report_repeated(&self, problems: &mut Problems) {
        for key in self.repeated.iter().take(SHOWN) {
            problems.push(repeated_key(codes::DUPLICATE_KEY, key, &self.at.at(key)));
        }
    }
}

/// What is told of a key written more than once, at the place of its value.
pub(super) fn repeated_key(rule: &'static Rule, key: &str, at: &Pointer) -> Problem {
    let message = format!("duplicate key `{}`; the last one is used", excerpt(key));
    Problem::new(rule, at, message).at_key()
}

/// Keeps the last of each key and gives back the keys there were several of.
fn drop_repeated<'a>(fields: &mut Vec<(Cow<'a, str>, &'a RawValue)>) -> Vec<Cow<'a, str>> {
    if are_distinct(fields, |(key, _)| key.as_bytes()) {
        return Vec::new();
    }
    let mut seen = HashSet::new();
    let mut repeated = BTreeSet::new();
    fields.reverse();
    fields.retain(|(key, _)| {
        let last = seen.insert(key.clone());
        if !last {
            repeated.insert(key.clone());
        }
        last
    });
    fields.reverse();
    repeated.into_iter().collect()
}

/// Whether no two of these have the same key.
pub(super) fn are_distinct<T>(keyed: &[T], key: impl Fn(&T) -> &[u8]) -> bool {
    // Nearly every object is this small, and then comparing all with all is quicker than sorting.
    const FEW: usize = 20;
    if keyed.len() <= FEW {
        return keyed.iter().enumerate().all(|(n, one)| keyed[..n].iter().all(|other| key(other) != key(one)));
    }
    let mut keys: Vec<&[u8]> = keyed.iter().map(key).collect();
    keys.sort_unstable();
    keys.is_sorted_by(|a, b| a != b)
}

/// The members of the object in a text, as they are written and as often; of one with more than `most` an error.
pub fn in_order(text: &str, most: usize) -> serde_json::Result<Vec<(Cow<'_, str>, &RawValue)>> {
    struct InOrder(usize);
    impl<'de> Visitor<'de> for InOrder {
        type Value = Vec<(Cow<'de, str>, &'de RawValue)>;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut members = Vec::with_capacity(USUAL);
            while let Some((Text(key), value)) = map.next_entry()? {
                if members.len() == self.0 {
                    return Err(serde::de::Error::custom(format!("an object has more than {} keys", self.0)));
                }
                members.push((key, value));
            }
            Ok(members)
        }
    }
    let mut from = serde_json::Deserializer::from_str(text);
    let members = from.deserialize_map(InOrder(most))?;
    from.end().map(|()| members)
}

#[cfg(test)]
mod tests {
    use super::super::{integer, text};
    use super::*;
    use proptest::prelude::*;

    fn object(text: &str) -> Object<'_> {
        Object::parse(text, Pointer::root()).unwrap()
    }

    #[test]
    fn fields_keep_their_order_and_borrow_their_text() {
        let read = object(r#" {"b": 1, "a": {"x": [1.10]}, "\u0063": null} "#);
        let fields: Vec<_> = read.fields().map(|(key, value)| (key, value.get())).collect();
        assert_eq!(fields, [("b", "1"), ("a", r#"{"x": [1.10]}"#), ("c", "null")]);
        assert!(matches!(read.fields[0].0, Cow::Borrowed(_)));
    }

    #[test]
    fn every_reason_is_told_with_its_place() {
        let mut problems = Problems::default();
        let read = object(r#"{"n":null,"s":3,"o":{"i":"x"},"l":[]}"#);
        assert_eq!(read.required("missing", Rule::named("a"), text(1, 9), &mut problems), None);
        assert_eq!(read.required("n", Rule::named("b"), text(1, 9), &mut problems), None);
        assert_eq!(read.optional("s", Rule::named("c"), text(1, 9), &mut problems), None);
        assert_eq!(read.optional("absent", Rule::named("c"), text(1, 9), &mut problems), None);
        let inner = read.required_object("o", Rule::named("d"), &mut problems).unwrap();
        assert_eq!(inner.required("i", Rule::named("e"), integer(0, 9), &mut problems), None);
        assert!(read.optional_object("l", Rule::named("f"), &mut problems).is_none());
        let told: Vec<_> = problems.iter().map(Problem::reason).collect();
        assert_eq!(
            told,
            [
                "a: `missing` is missing",
                "b: `n` is null, but should be text (at /n)",
                "c: `s` is the number 3, but should be text (at /s)",
                "e: `i` is the text \"x\", but should be a whole number from 0 to 9 (at /o/i)",
                "f: `l` is an array, but should be an object (at /l)",
            ]
        );
    }

    #[test]
    fn the_last_of_a_repeated_key_counts_and_strangers_are_told() {
        let read = object(r#"{"a":1,"b":2,"a":3,"\u0061":4,"c/d":5}"#);
        assert_eq!(read.get("a").unwrap().get(), "4");
        assert_eq!(read.fields().len(), 3);
        let mut problems = Problems::default();
        read.report_strangers(&["a", "b"], &mut problems);
        read.report_repeated(&mut problems);
        let told: Vec<_> = problems.iter().map(|p| (p.code.as_str(), p.pointer.as_deref().unwrap())).collect();
        assert_eq!(told, [("unknown-key", "/c~1d"), ("duplicate-key", "/a")]);
    }

    #[test]
    fn a_crowd_of_strangers_is_summed_up() {
        let crowd: Vec<String> = (0..500).map(|n| format!("\"k{n}\":0")).collect();
        let text = format!("{{{}}}", crowd.join(","));
        let mut problems = Problems::default();
        object(&text).report_strangers(&[], &mut problems);
        assert_eq!(problems.len(), 21);
        assert_eq!(problems[20].message, "480 more unknown keys");
    }

    #[test]
    fn what_is_no_object_says_what_it_is() {
        let why = |text| Object::parse(text, Pointer::root()).unwrap_err();
        assert_eq!(why("[]"), "is an array, but should be an object");
        assert!(why("{").contains("JSON"));
        assert!(why("<html>").contains("JSON"));
        assert!(why("{} x").contains("JSON"));
        assert!(why("").contains("JSON"));
    }

    proptest! {
        #[test]
        fn no_text_panics(text in r#"[{}\[\]:,"\\a1 ]{0,30}"#) {
            if let Ok(read) = Object::parse(&text, Pointer::root()) {
                read.report_strangers(&["a"], &mut Problems::default());
            }
        }
    }
}
