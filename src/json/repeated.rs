use super::lexer::{Kind, lex, unquoted};
use super::object::{MAX_KEYS, are_distinct, repeated_key};
use super::places::place;
use crate::types::{Pointer, Problem, Rule, codes};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

/// How many are told one by one: enough to show what happened.
const SHOWN: usize = 20;

/// Whatever reads a document gives up at this depth.
const MAX_OPEN: usize = 128;

/// Every key that an object of this text, at any depth, has twice: the warning `duplicate-key`, once for each key, at
/// the place where it comes for the second time. JavaScript keeps the last value without a word, so what the author
/// sees in the file is not what the engine reads (docs/spec/catalog.md#reading-rules).
///
/// Meant for every file read, so it works on the text itself and takes memory only for the objects that are open. Text
/// that is no JSON has no keys: whatever reads it says so.
pub fn repeated_keys(text: &[u8]) -> Vec<Problem> {
    repeated_keys_under(codes::DUPLICATE_KEY, text)
}

/// The same under the rule of another format.
pub fn repeated_keys_under(rule: &'static Rule, text: &[u8]) -> Vec<Problem> {
    let mut found = Keys::default();
    for token in lex(text) {
        match token.kind {
            Kind::OpenObject => found.open(false),
            Kind::OpenList => found.open(true),
            Kind::Close => found.close(),
            Kind::Comma => found.next(),
            Kind::Colon => {}
            Kind::Text => found.text(&text[token.start..token.end], token.start..token.end),
            Kind::Other => {}
        }
        if found.open.len() > MAX_OPEN {
            break;
        }
    }
    let Keys { mut repeated, untold, .. } = found;
    repeated.sort_by_key(|(span, ..)| span.start);
    let mut problems: Vec<Problem> =
        repeated.iter().map(|(_, key, pointer)| repeated_key(rule, key, pointer)).collect();
    place(text, repeated.into_iter().map(|(span, ..)| span).zip(&mut problems));
    if untold > 0 {
        let message = format!("{untold} more duplicate keys");
        problems.push(Problem::new(rule, &Pointer::root(), message));
    }
    problems
}

#[derive(Default)]
struct Keys<'t> {
    /// The keys of all open objects, one object's after the other's.
    keys: Vec<Key<'t>>,
    open: Vec<Open>,
    /// Where the second of a key stands, the key, and its pointer.
    repeated: Vec<(Range<usize>, String, Pointer)>,
    untold: usize,
}

struct Key<'t> {
    text: Cow<'t, [u8]>,
    span: Range<usize>,
}

struct Open {
    is_list: bool,
    /// Where its keys begin among all.
    keys: usize,
    /// How many members have gone by.
    index: usize,
    /// Whether the member now going by has its key.
    is_named: bool,
}

impl<'t> Keys<'t> {
    fn open(&mut self, is_list: bool) {
        self.open.push(Open { is_list, keys: self.keys.len(), index: 0, is_named: false });
    }

    fn next(&mut self) {
        if let Some(open) = self.open.last_mut() {
            open.index += 1;
            open.is_named = false;
        }
    }

    /// The first text of a member of an object is its key.
    fn text(&mut self, token: &'t [u8], span: Range<usize>) {
        let Some(open) = self.open.last_mut().filter(|open| !open.is_list && !open.is_named) else { return };
        open.is_named = true;
        // Of an object of that many keys nothing is told but that: whatever reads it says so.
        if self.keys.len() - open.keys > MAX_KEYS {
            return;
        }
        if let Some(text) = unquoted(token) {
            self.keys.push(Key { text, span });
        }
    }

    fn close(&mut self) {
        let Some(Open { keys: first, .. }) = self.open.pop() else { return };
        let here = &self.keys[first..];
        if !are_distinct(here, |key| &key.text) {
            let at = self.pointer(first);
            for key in seconds(here) {
                if self.repeated.len() == SHOWN {
                    self.untold += 1;
                    continue;
                }
                let text = String::from_utf8_lossy(&key.text).into_owned();
                let pointer = at.at(&text);
                self.repeated.push((key.span.clone(), text, pointer));
            }
        }
        self.keys.truncate(first);
    }

    /// The value that goes by in the innermost open container; `end` is where the keys of that container end.
    fn pointer(&self, end: usize) -> Pointer {
        let ends = self.open.iter().skip(1).map(|inner| inner.keys).chain([end]);
        self.open.iter().zip(ends).fold(Pointer::root(), |at, (open, end)| match open.is_list {
            true => at.at(open.index),
            // Its last key is the one whose value goes by.
            false => match self.keys[open.keys..end].last() {
                Some(key) => at.at(String::from_utf8_lossy(&key.text)),
                None => at,
            },
        })
    }
}

/// Of every key that is there several times, the second.
fn seconds<'k, 't>(keys: &'k [Key<'t>]) -> impl Iterator<Item = &'k Key<'t>> {
    let mut times: HashMap<&[u8], usize> = HashMap::new();
    keys.iter().filter(move |key| {
        let times = times.entry(key.text.as_ref()).or_default();
        *times += 1;
        *times == 2
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn told(text: &str) -> Vec<(String, u64, u64)> {
        let place = |problem: Problem| (problem.pointer.unwrap(), problem.line.unwrap(), problem.column.unwrap());
        repeated_keys(text.as_bytes()).into_iter().map(place).collect()
    }

    #[test]
    fn the_second_of_a_key_is_told_at_any_depth_and_once() {
        let text = "{\"a\": 1, \"b\": [0, {\"c\": {\"d\": 1,\n \"e\": {}, \"d\": 2}}],\n\"\\u0061\": 3, \"a\": 4}";
        assert_eq!(told(text), [("/b/1/c/d".to_owned(), 2, 11), ("/a".to_owned(), 3, 1)]);
        let many: Vec<String> = (0..30).map(|n| format!("\"k{}\": 0", n % 29)).collect();
        assert_eq!(told(&format!("{{{}}}", many.join(","))).len(), 1);
    }

    #[test]
    fn keys_of_different_objects_and_texts_that_are_no_keys_are_not_confused() {
        for text in [
            r#"{"a": {"a": {"a": "a"}}, "b": ["a", "a", {"a": 1}, {"a": 1}], "c": "a", "d": "a"}"#,
            r#"["a", "a"]"#,
            r#"{"a": "{\"a\": 1, \"a\": 2}", "A": 1, "a ": 2}"#,
            "",
            "{}",
        ] {
            assert_eq!(told(text), [], "{text}");
        }
    }

    #[test]
    fn a_crowd_is_summed_up_and_nesting_without_end_is_left_to_others() {
        let crowd: Vec<String> = (0..500).map(|n| format!("\"k{}\":0", n / 2)).collect();
        let problems = repeated_keys(format!("{{{}}}", crowd.join(",")).as_bytes());
        assert_eq!((problems.len(), problems[SHOWN].message.as_str()), (21, "230 more duplicate keys"));
        assert_eq!(told(&"[".repeat(1 << 20)), []);
    }

    proptest! {
        #[test]
        fn no_bytes_panic(text in prop::collection::vec(prop::sample::select(b"{}[]:,\"\\a1\n\xff".to_vec()), 0..60)) {
            repeated_keys(&text);
        }

        #[test]
        fn what_a_map_was_written_from_repeats_nothing(
            map in prop::collection::btree_map("[a\\\"ä]{0,3}", prop::collection::btree_map("[a-c]", 0..9, 0..20), 0..20)
        ) {
            prop_assert_eq!(repeated_keys(serde_json::to_string(&map).unwrap().as_bytes()).len(), 0);
        }
    }
}
