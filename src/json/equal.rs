use super::Object;
use super::values::{list, text};
use crate::types::Pointer;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// Whether two valid JSON texts hold the same value to JavaScript: the order of keys does not count, of a key written
/// twice the last counts, and `3` is `3.0`.
///
/// What neither can be read nor is spelled the same (strings with half a surrogate pair, nesting deeper than
/// [`super::MAX_DEPTH`]) counts as different.
pub fn equal(a: &str, b: &str) -> bool {
    compare(a, b, sorted)
}

/// The same where the order of keys counts too: whether JavaScript would write both alike.
pub fn equal_in_order(a: &str, b: &str) -> bool {
    compare(a, b, as_written)
}

/// The members of an object, in the order they are compared in.
type Members<'a> = Option<Vec<(Cow<'a, str>, &'a RawValue)>>;

fn compare(a: &str, b: &str, members: fn(&RawValue) -> Members<'_>) -> bool {
    let read = |text| serde_json::from_str::<&RawValue>(text).ok();
    match (read(a), read(b)) {
        (Some(a), Some(b)) => same(a, b, members, super::MAX_DEPTH),
        _ => false,
    }
}

fn same(a: &RawValue, b: &RawValue, members: fn(&RawValue) -> Members<'_>, levels: usize) -> bool {
    if a.get() == b.get() {
        return true;
    }
    let Some(levels) = levels.checked_sub(1) else { return false };
    match (a.get().as_bytes().first(), b.get().as_bytes().first()) {
        (Some(b'{'), Some(b'{')) => {
            let (Some(a), Some(b)) = (members(a), members(b)) else { return false };
            a.len() == b.len() && a.iter().zip(&b).all(|((ka, va), (kb, vb))| ka == kb && same(va, vb, members, levels))
        }
        (Some(b'['), Some(b'[')) => match (list(a), list(b)) {
            (Ok(a), Ok(b)) => a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| same(a, b, members, levels)),
            _ => false,
        },
        (Some(b'"'), Some(b'"')) => match (text(0, usize::MAX)(a), text(0, usize::MAX)(b)) {
            (Ok(a), Ok(b)) => a == b,
            _ => false,
        },
        // Words that differ in spelling differ; what is left to compare are numbers, which are doubles to JavaScript.
        _ => match (a.get().parse::<f64>(), b.get().parse::<f64>()) {
            (Ok(a), Ok(b)) => a == b,
            _ => false,
        },
    }
}

fn as_written(object: &RawValue) -> Members<'_> {
    Some(Object::parse(object.get(), Pointer::root()).ok()?.into_fields())
}

fn sorted(object: &RawValue) -> Members<'_> {
    let mut fields = as_written(object)?;
    fields.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    Some(fields)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_order_of_keys_counts_where_it_is_asked_for() {
        let (one, other) = (r#"{"a":1,"b":{"c":2,"d":3}}"#, r#" {"a": 1.0, "b": {"d": 3, "c": 2}} "#);
        assert!(equal(one, other) && !equal_in_order(one, other));
        assert!(equal_in_order(one, r#" {"a": 1.0, "b": {"\u0063": 2, "d": 3}} "#));
    }

    #[test]
    fn as_javascript_compares() {
        for (a, b) in [
            (r#"{"a":1,"b":[2]}"#, r#" { "b" : [ 2.0 ], "a" : 1e0 } "#),
            (r#"{"a":1,"a":2}"#, r#"{"\u0061":2}"#),
            (r#""\u00e4""#, r#""ä""#),
            ("[-0]", "[0]"),
            (r#"["\ud800"]"#, r#" ["\ud800"]"#),
        ] {
            assert!(equal(a, b), "{a} {b}");
        }
        for (a, b) in [
            ("[1,2]", "[2,1]"),
            ("{}", "[]"),
            (r#"{"a":null}"#, "{}"),
            (r#"{"a":1}"#, r#"{"b":1}"#),
            ("true", "false"),
            ("null", "0"),
            (r#""1""#, "1"),
            ("[1]", "[1,1]"),
        ] {
            assert!(!equal(a, b), "{a} {b}");
        }
    }

    #[test]
    fn nesting_without_end_ends() {
        let nested = |levels, inner: &str| "[".repeat(levels) + inner + &"]".repeat(levels);
        assert!(equal(&nested(90, "1"), &nested(90, "1.0")));
        assert!(!equal(&nested(100_000, "1"), &nested(100_000, "1.0")));
    }

    proptest! {
        #[test]
        fn no_text_panics(a in r#"[\[\]{}:,"\\ a1]{0,12}"#, b in r#"[\[\]{}:,"\\ a1]{0,12}"#) {
            prop_assert_eq!(equal(&a, &b), equal(&b, &a));
        }
    }
}
