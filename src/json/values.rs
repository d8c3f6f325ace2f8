//! Readers of single values. Each says what was found and what is wanted when they differ, so that the message can
//! follow the name of the key: "`bytes` is the number -1, where …".

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, SeqAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt::Display;
use std::str::FromStr;

/// Text that borrows where it holds no escape sequence.
#[derive(Deserialize)]
pub(super) struct Text<'a>(#[serde(borrow)] pub(super) Cow<'a, str>);

/// Text of `min` to `max` UTF-16 units, as the engine counts (docs/spec/catalog.md#reading-rules).
pub fn text(min: usize, max: usize) -> impl for<'a> Fn(&'a RawValue) -> Result<Cow<'a, str>, String> {
    move |value| {
        let text = any_text(value)?;
        if fits(&text, min, max) {
            return Ok(text);
        }
        let units = text.encode_utf16().count();
        if units == 0 {
            Err("is empty".to_owned())
        } else {
            Err(format!("is {units} characters long, but {min} to {max} are allowed"))
        }
    }
}

/// Whether text has `min` to `max` UTF-16 units.
pub fn fits(text: &str, min: usize, max: usize) -> bool {
    // There are never more units than bytes, and none only where there are no bytes.
    let plainly = min <= 1 && (min..=max).contains(&text.len());
    plainly || (min..=max).contains(&text.encode_utf16().count())
}

/// Text that becomes a checked type; the type's own error says what is wrong with it.
pub fn parsed<T: FromStr<Err: Display>>(value: &RawValue) -> Result<T, String> {
    any_text(value)?.parse().map_err(|error| format!("cannot be used: {error}"))
}

/// A whole number from `min` to `max`. `3.0` is one, as it is to the engine (docs/spec/catalog.md#reading-rules).
pub fn integer(min: u64, max: u64) -> impl Fn(&RawValue) -> Result<u64, String> {
    move |value| {
        let number = value.get().parse::<u64>().ok().or_else(|| value.get().parse().ok().and_then(whole));
        number.filter(|number| (min..=max).contains(number)).ok_or_else(|| {
            let wanted = match max {
                u64::MAX => format!("a whole number of at least {min}"),
                _ if max == min => format!("the number {min}"),
                _ => format!("a whole number from {min} to {max}"),
            };
            format!("is {}, but should be {wanted}", found(value))
        })
    }
}

/// The whole number a value holds, `3.0` included.
pub fn whole_number(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_f64().and_then(whole))
}

fn whole(number: f64) -> Option<u64> {
    // 2^53: above it JavaScript itself no longer tells whole numbers apart.
    let fits = number.fract() == 0.0 && (0.0..=9_007_199_254_740_992.0).contains(&number);
    fits.then_some(number as u64)
}

pub fn boolean(value: &RawValue) -> Result<bool, String> {
    match value.get() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(format!("is {}, but should be true or false", found(value))),
    }
}

/// The items of an array, unread; of one that has more than any format allows only how many there are.
pub fn list(value: &RawValue) -> Result<Vec<&RawValue>, String> {
    let Items { first, count } =
        serde_json::from_str(value.get()).map_err(|_| format!("is {}, but should be an array", found(value)))?;
    if count > MAX_ITEMS {
        return Err(format!("has {count} items, but at most {MAX_ITEMS} are allowed"));
    }
    Ok(first)
}

/// The most items an array is read with: as many as a catalog may have entries.
pub const MAX_ITEMS: usize = 1 << 16;

/// The first items of an array, and how many there are.
struct Items<'a> {
    first: Vec<&'a RawValue>,
    count: usize,
}

impl<'de> Deserialize<'de> for Items<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Counted;
        impl<'de> Visitor<'de> for Counted {
            type Value = Items<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an array")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Items<'de>, A::Error> {
                let mut first = Vec::new();
                while let Some(item) = items.next_element()? {
                    first.push(item);
                    if first.len() > MAX_ITEMS {
                        break;
                    }
                }
                let mut count = first.len();
                while items.next_element::<IgnoredAny>()?.is_some() {
                    count += 1;
                }
                Ok(Items { first, count })
            }
        }
        from.deserialize_seq(Counted)
    }
}

/// An array of texts.
pub fn texts(value: &RawValue) -> Result<Vec<String>, String> {
    list(value)?
        .into_iter()
        .map(|item| any_text(item).map(Cow::into_owned).map_err(|why| format!("contains an item that {why}")))
        .collect()
}

fn any_text(value: &RawValue) -> Result<Cow<'_, str>, String> {
    let quoted = value.get().strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let Some(inner) = quoted else { return Err(format!("is {}, but should be text", found(value))) };
    // Without escapes the text is what stands between the quotes: no second parse for nearly all there is.
    if !inner.contains('\\') {
        return Ok(Cow::Borrowed(inner));
    }
    let text: Text = serde_json::from_str(value.get()).map_err(|_| "contains an invalid escape sequence".to_owned())?;
    Ok(text.0)
}

/// What a value is, in words and short enough for a message.
pub fn found(value: &RawValue) -> String {
    match value.get().as_bytes().first() {
        Some(b'{') => "an object".to_owned(),
        Some(b'[') => "an array".to_owned(),
        Some(b'"') => format!("the text {}", excerpt(value.get())),
        Some(b't' | b'f' | b'n') => value.get().to_owned(),
        _ => format!("the number {}", excerpt(value.get())),
    }
}

/// The beginning of a text, for a message.
pub fn excerpt(text: &str) -> Cow<'_, str> {
    const CHARS: usize = 60;
    match text.char_indices().nth(CHARS) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Version;

    fn raw(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.to_owned()).unwrap()
    }

    #[test]
    fn whole_numbers_in_any_spelling() {
        let read = |text: &str| integer(1, 100)(&raw(text));
        for (spelled, number) in [("3", 3), ("3.0", 3), ("1e2", 100), ("0.3e1", 3)] {
            assert_eq!(read(spelled), Ok(number), "{spelled}");
        }
        for wrong in ["0", "101", "3.5", "-3", "1e400", "true", "\"3\"", "null", "[3]"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        assert_eq!(read("-3").unwrap_err(), "is the number -3, but should be a whole number from 1 to 100");
    }

    #[test]
    fn text_is_counted_as_javascript_counts() {
        assert_eq!(text(1, 2)(&raw("\"😀\"")).unwrap(), "😀");
        assert_eq!(text(1, 1)(&raw("\"😀\"")).unwrap_err(), "is 2 characters long, but 1 to 1 are allowed");
        assert_eq!(text(1, 1)(&raw("\"\"")).unwrap_err(), "is empty");
        assert_eq!(text(0, 9)(&raw("12")).unwrap_err(), "is the number 12, but should be text");
        assert!(text(0, 9)(&raw(r#""\ud800""#)).unwrap_err().contains("escape"));
    }

    #[test]
    fn other_kinds_of_value() {
        assert_eq!(boolean(&raw("true")), Ok(true));
        assert!(boolean(&raw("\"true\"")).is_err());
        assert_eq!(texts(&raw(r#"["a","\u0062"]"#)).unwrap(), ["a", "b"]);
        assert!(texts(&raw(r#"["a",1]"#)).unwrap_err().contains("the number 1"));
        assert!(list(&raw("{}")).is_err());
        assert_eq!(parsed::<Version>(&raw("\"1.0.0\"")).unwrap().as_str(), "1.0.0");
        assert!(parsed::<Version>(&raw("\"one\"")).unwrap_err().contains("`one`"));
    }

    #[test]
    fn arrays_without_end_are_counted_and_not_kept() {
        let zeros = |count: usize| raw(&format!("[{}]", vec!["0"; count].join(",")));
        assert_eq!(list(&zeros(MAX_ITEMS)).unwrap().len(), MAX_ITEMS);
        assert!(list(&zeros(MAX_ITEMS + 7)).unwrap_err().contains("65543 items"));
    }

    #[test]
    fn messages_quote_only_the_beginning() {
        assert!(found(&raw(&format!("{:?}", "é".repeat(500)))).chars().count() <= 80);
    }
}
