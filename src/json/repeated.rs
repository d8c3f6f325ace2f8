use super::tokens::tokens;
use crate::types::Pointer;
use std::borrow::Cow;
use std::collections::HashSet;

/// The most keys that are told of one document.
const MOST: usize = 200;

/// Every place in a valid JSON text, objects within objects included, where a key stands that its object has already:
/// the last one counts, to JavaScript and here, so the earlier value is lost without a word. At most 200.
pub fn repeated_keys(valid: &str) -> Vec<Pointer> {
    let mut found = Vec::new();
    let mut open: Vec<Level> = Vec::new();
    for token in tokens(valid) {
        match token {
            "{" => open.push(Level::Object { keys: HashSet::new(), key: "", awaits_key: true }),
            "[" => open.push(Level::List(0)),
            "}" | "]" => drop(open.pop()),
            "," => match open.last_mut() {
                Some(Level::Object { awaits_key, .. }) => *awaits_key = true,
                Some(Level::List(index)) => *index += 1,
                None => {}
            },
            _ => {
                let Some(Level::Object { keys, key, awaits_key }) = open.last_mut().filter(|level| level.awaits_key())
                else {
                    continue;
                };
                (*key, *awaits_key) = (token, false);
                if !keys.insert(unescaped(token)) && found.len() < MOST {
                    found.push(open.iter().fold(Pointer::root(), |at, level| level.below(&at)));
                }
            }
        }
    }
    found
}

/// An object or a list that has begun and not ended.
enum Level<'t> {
    Object {
        keys: HashSet<Cow<'t, str>>,
        /// The last key, as it is spelled.
        key: &'t str,
        awaits_key: bool,
    },
    /// The index of the item that comes.
    List(usize),
}

impl Level<'_> {
    fn awaits_key(&self) -> bool {
        matches!(self, Level::Object { awaits_key: true, .. })
    }

    fn below(&self, at: &Pointer) -> Pointer {
        match self {
            Level::Object { key, .. } => at.at(unescaped(key)),
            Level::List(index) => at.at(index),
        }
    }
}

/// The text of a string token; what is no text to Rust (half a surrogate pair) stands for itself.
fn unescaped(token: &str) -> Cow<'_, str> {
    let inner = token.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(token);
    if !inner.contains('\\') {
        return Cow::Borrowed(inner);
    }
    serde_json::from_str(token).map_or(Cow::Borrowed(inner), Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn places(text: &str) -> Vec<String> {
        repeated_keys(text).iter().map(Pointer::to_string).collect()
    }

    #[test]
    fn a_key_twice_in_one_object_is_told_however_deep_and_however_spelled() {
        for (text, told) in [
            (r#"{"a":1,"a":2}"#, vec!["/a"]),
            (r#"{"a":1,"\u0061":2}"#, vec!["/a"]),
            (r#"{"a":1,"a":2,"a":3}"#, vec!["/a", "/a"]),
            (r#"{"x":[0,{"b/c":{},"b/c":[]}]}"#, vec!["/x/1/b~1c"]),
            (r#"{"a":{"a":1},"b":[{"a":1},{"a":1}],"c":"a"}"#, vec![]),
            (r#"["a","a",{"a":"a","b":"a"}]"#, vec![]),
            (r#"{"a":"{\"a\":1,\"a\":2}"}"#, vec![]),
            ("3", vec![]),
        ] {
            assert_eq!(places(text), told, "{text}");
        }
    }

    #[test]
    fn a_crowd_is_cut_short() {
        let text = format!("{{{}}}", vec!["\"a\":0"; 1000].join(","));
        assert_eq!(repeated_keys(&text).len(), MOST);
    }

    proptest! {
        #[test]
        fn no_text_panics(text in r#"[{}\[\]:,"\\a1 ]{0,30}"#) {
            let _ = repeated_keys(&text);
        }
    }
}
