//! Why a text is not JSON, told to whoever wrote it: in words, at the very characters, with what to write instead.

use super::literal::Flaw;
use super::sight::Sight;
use super::syntax::{Fault, Opened, Slip, fault};
use std::ops::Range;

/// What keeps a text from being JSON.
#[derive(Debug)]
pub(super) struct Broken {
    /// Goes on after "it is not JSON: ".
    pub why: String,
    /// The bytes it is about.
    pub at: Range<usize>,
    pub hint: Option<&'static str>,
}

/// What is wrong with a text that the parser gave up on.
pub(super) fn broken(text: &str) -> Broken {
    let Fault { slip, at } = fault(text).unwrap_or(Fault { slip: Slip::Empty, at: 0..0 });
    let hint = advice(slip, text, &at);
    Broken { why: why(slip, text, &at), at, hint }
}

fn why(slip: Slip, text: &str, at: &Range<usize>) -> String {
    let why = match slip {
        Slip::Empty => "it is empty",
        Slip::Unclosed { opened, before } => return unclosed(opened, before, text, at.start),
        Slip::Unopened => return format!("this `{}` closes nothing", &text[at.clone()]),
        Slip::TrailingComma => "trailing comma",
        Slip::Trailing => "there is more after its end",
        Slip::NoKey => "expected a key in double quotes",
        Slip::NoColon => "expected a `:` after the key",
        Slip::NoValue | Slip::Flaw(Flaw::NoWord) => "expected a value",
        Slip::NoComma(Opened::Object) => "expected a `,` or a `}`",
        Slip::NoComma(Opened::List) => "expected a `,` or a `]`",
        Slip::KeyInList => "an array has no keys",
        Slip::TooDeep => "it is nested too deeply",
        Slip::Flaw(Flaw::OpenText) => "this string is not closed",
        Slip::Flaw(Flaw::LineEnd) => "this string is not closed before the end of its line",
        Slip::Flaw(Flaw::Control) => "a string contains a tab or another control character",
        Slip::Flaw(Flaw::Escape) => "invalid escape sequence",
        Slip::Flaw(Flaw::HalfPair) => "this escape is only half of a character",
        Slip::Flaw(Flaw::NoNumber) => "this is not a valid number",
        Slip::Flaw(Flaw::TooLarge) => "this number is too large",
    };
    why.to_owned()
}

/// That a bracket is not closed, and before what it should have been: the reader sees the line of the bracket alone.
fn unclosed(opened: Opened, before: Option<usize>, text: &str, at: usize) -> String {
    let what = if opened == Opened::Object { "object" } else { "array" };
    let Some(before) = before else { return format!("this {what} is not closed") };
    let line_of = |at| Sight::new(text.as_bytes()).place_of(at).line;
    let line = match line_of(before) {
        line if line == line_of(at) => String::new(),
        line => format!(" on line {line}"),
    };
    match text.as_bytes()[before] {
        b'"' => format!("this {what} is not closed before the next key{line}"),
        sign => format!("this {what} is not closed before the `{}`{line}", char::from(sign)),
    }
}

fn advice(slip: Slip, text: &str, at: &Range<usize>) -> Option<&'static str> {
    let rest = &text[at.start..];
    match slip {
        Slip::Unclosed { opened: Opened::Object, .. } => Some("is a `}` missing?"),
        Slip::Unclosed { opened: Opened::List, .. } => Some("is a `]` missing?"),
        Slip::Unopened => Some("remove it"),
        Slip::TrailingComma => Some("remove the comma"),
        Slip::Trailing if rest.starts_with([',', '}', ']']) => Some("is there one bracket too many before this?"),
        Slip::KeyInList => Some("start it with `{` to make it an object"),
        Slip::NoComma(_) if rest.starts_with(['"', '{', '[']) => Some("is a comma missing before it?"),
        Slip::Flaw(Flaw::OpenText | Flaw::LineEnd) => Some("close it with `\"`"),
        Slip::Flaw(Flaw::Control) => Some("write `\\t` for a tab, or a space"),
        Slip::Flaw(Flaw::Escape) => Some("write `\\\\` for a backslash"),
        Slip::Flaw(Flaw::HalfPair) => Some("write the character itself"),
        _ => habit(rest),
    }
}

/// What to say of that which people write out of habit and JSON does not have.
fn habit(rest: &str) -> Option<&'static str> {
    Some(match rest.chars().next()? {
        '/' | '#' => "JSON does not allow comments",
        '\'' | '`' | '“' | '”' | '„' | '‘' | '’' | '«' | '»' => "use `\"` for quotes",
        '\u{a0}' | '\u{200b}' | '\u{feff}' => {
            "write a plain space; this one looks the same, but JSON does not allow it"
        }
        'T' | 'F' | 'N'
            if ["True", "False", "None", "NULL", "TRUE", "FALSE"].iter().any(|word| rest.starts_with(word)) =>
        {
            "write `true`, `false` and `null` in lowercase"
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::Value;

    fn told(text: &str) -> (u64, u64, String) {
        let Broken { why, at, hint } = broken(text);
        let place = Sight::new(text.as_bytes()).place_of(at.start);
        (place.line, place.column, hint.map_or(why.clone(), |hint| format!("{why} ({hint})")))
    }

    #[test]
    fn every_slip_is_told_at_its_character() {
        for (text, line, column, words) in [
            ("", 1, 1, "it is empty"),
            (" \n", 1, 1, "it is empty"),
            ("{\"a\": \"漢", 1, 7, "this string is not closed (close it with `\"`)"),
            ("{\"a\": 1,\n}", 1, 8, "trailing comma (remove the comma)"),
            ("{\"a\": [1, \r\n ]}", 1, 9, "trailing comma (remove the comma)"),
            ("{\"a\": 1\n \"b\": 2}", 2, 2, "expected a `,` or a `}` (is a comma missing before it?)"),
            ("[{}\n{}]", 2, 1, "expected a `,` or a `]` (is a comma missing before it?)"),
            ("{\"ä\" 1}", 1, 6, "expected a `:` after the key"),
            ("{\"a\": }", 1, 7, "expected a value"),
            ("[1,, 2]", 1, 4, "expected a value"),
            ("{\n // why\n}", 2, 2, "expected a key in double quotes (JSON does not allow comments)"),
            ("{\"a\": 1} // why", 1, 10, "there is more after its end (JSON does not allow comments)"),
            ("[1 /* why */]", 1, 4, "expected a `,` or a `]` (JSON does not allow comments)"),
            ("[1//why\n]", 1, 3, "expected a `,` or a `]` (JSON does not allow comments)"),
            ("{“a”: 1}", 1, 2, "expected a key in double quotes (use `\"` for quotes)"),
            ("{\"a\": 'b'}", 1, 7, "expected a value (use `\"` for quotes)"),
            ("[True]", 1, 2, "expected a value (write `true`, `false` and `null` in lowercase)"),
            ("[NaN]", 1, 2, "expected a value"),
            ("[0, -1e400]", 1, 5, "this number is too large"),
            ("[0, 012]", 1, 5, "this is not a valid number"),
            ("[\"ä\\q\"]", 1, 4, "invalid escape sequence (write `\\\\` for a backslash)"),
            ("[\"ab\n\"]", 1, 5, "this string is not closed before the end of its line (close it with `\"`)"),
            ("[\"ab\r\n\"]", 1, 5, "this string is not closed before the end of its line (close it with `\"`)"),
            (
                "[\"漢\tb\"]",
                1,
                4,
                "a string contains a tab or another control character (write `\\t` for a tab, or a space)",
            ),
        ] {
            assert_eq!(told(text), (line, column, words.to_owned()), "{text}");
        }
        assert_eq!(told(&"[".repeat(200)).2, "it is nested too deeply");
    }

    #[test]
    fn a_lost_bracket_is_told_where_its_partner_stands() {
        for (text, line, column, words) in [
            ("{\"ä\": [1,\n\n", 1, 7, "this array is not closed (is a `]` missing?)"),
            ("{\"a\": 1\n", 1, 1, "this object is not closed (is a `}` missing?)"),
            ("{\"a\":", 1, 1, "this object is not closed (is a `}` missing?)"),
            ("{\"a\": [1, 2}", 1, 7, "this array is not closed before the `}` (is a `]` missing?)"),
            ("[{\"a\": 1\n]", 1, 2, "this object is not closed before the `]` on line 2 (is a `}` missing?)"),
            (
                "[{\"a\": 1\n,{\"b\": 1}]",
                1,
                2,
                "this object is not closed before the `{` on line 2 (is a `}` missing?)",
            ),
            ("[{\"a\": 1 {}]", 1, 2, "this object is not closed before the `{` (is a `}` missing?)"),
            (
                "{\"a\": [\"b\",\n\"c\": 1}",
                1,
                7,
                "this array is not closed before the next key on line 2 (is a `]` missing?)",
            ),
            // Its line is further in than that of the bracket that closes it, which was meant for the object around it.
            ("{\n \"a\": {\n  \"b\": 1,\n \"c\": 2\n}\n", 2, 7, "this object is not closed (is a `}` missing?)"),
            (
                "[\n {\n  \"a\": {\n   \"b\": 1\n },\n {\n }\n]",
                3,
                8,
                "this object is not closed before the `{` on line 6 (is a `}` missing?)",
            ),
        ] {
            assert_eq!(told(text), (line, column, words.to_owned()), "{text}");
        }
    }

    #[test]
    fn a_bracket_too_many_or_of_the_wrong_kind_is_told_itself() {
        for (text, column, words) in [
            ("{\"a\": 1}}", 9, "there is more after its end (is there one bracket too many before this?)"),
            ("{\"a\": {}}, \"b\": 1}", 10, "there is more after its end (is there one bracket too many before this?)"),
            ("{\"a\": [1]], \"b\": 1}", 10, "this `]` closes nothing (remove it)"),
            ("[\"a\": 1]", 5, "an array has no keys (start it with `{` to make it an object)"),
            ("]", 1, "expected a value"),
        ] {
            assert_eq!(told(text), (1, column, words.to_owned()), "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_the_parser_refuses_has_a_fault_and_nothing_else(
            tokens in prop::collection::vec(
                prop::sample::select(vec![
                    "{", "}", "[", "]", "{}", ",", ":", "\"a\": ", "\"漢\"", "\"\\u00e4\"", "\"\\ud800\"", "\"\\", "1", "-0.5", "01",
                    "1e400", "true", "nul", "\n", " ", "\t", "/",
                ]),
                0..12,
            )
        ) {
            let text = tokens.concat();
            let is_json = serde_json::from_str::<Value>(&text).is_ok();
            let found = fault(&text);
            prop_assert_eq!(found.is_none(), is_json, "{:?} in {}", found, text);
            prop_assert!(text.get(broken(&text).at).is_some());
        }

        #[test]
        fn what_was_cut_off_or_lost_a_character_is_told_within_it(cut in 0..500_usize) {
            let text = serde_json::to_string_pretty(&serde_json::json!({"a": [{"b": "ä"}, 1.5, null], "c": {"d": []}})).unwrap();
            let at = text.floor_char_boundary(cut.min(text.len() - 1));
            let (before, after) = text.split_at(at);
            let lost = format!("{before}{}", after.chars().skip(1).collect::<String>());
            for text in [before, lost.as_str()] {
                prop_assert_eq!(fault(text).is_none(), serde_json::from_str::<Value>(text).is_ok(), "{}", text);
            }
        }
    }
}
