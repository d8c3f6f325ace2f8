//! Why a text is no JSON, told to whoever wrote it: in words, at the very character, with what to write instead.

use super::sight::Place;
use super::sight::Sight;
use serde_json::Error;

/// What keeps a text from being JSON.
#[derive(Debug)]
pub struct Broken {
    /// Goes on after "it is not JSON: ".
    pub why: String,
    pub place: Place,
    pub hint: Option<&'static str>,
}

/// What the parser said about a text, made fit for people: it counts bytes, tells what it came upon rather than what
/// has to be changed, and takes a line break within a text for the beginning of the next line.
pub fn broken(text: &str, error: &Error) -> Broken {
    let said = error.to_string();
    let said = said.strip_suffix(&format!(" at line {} column {}", error.line(), error.column())).unwrap_or(&said);
    let at = offset_of(text, error);
    let broken = |why: &str, at: usize, hint: Option<&'static str>| {
        let hint = hint.or_else(|| advice(&text[at..]));
        Broken { why: why.to_owned(), place: Sight::new(text.as_bytes()).place_of(at), hint }
    };
    match said {
        _ if text.trim().is_empty() => broken("it is empty", 0, None),
        _ if said.starts_with("EOF") => {
            let within = match said.rsplit(' ').next() {
                Some("string") => "it ends within a text",
                Some("list") => "it ends within a list",
                Some("object") => "it ends within an object",
                _ => "it ends too early",
            };
            broken(within, text.trim_end().len(), None)
        }
        "trailing comma" => {
            let comma = text[..at].rfind(',').unwrap_or(at);
            broken("nothing comes after this comma", comma, Some("take the comma out"))
        }
        "trailing characters" => broken("more comes after its end", at, None),
        "key must be a string" => broken("expected a key in double quotes", at, None),
        "expected value" | "expected ident" => broken("expected a value", at, None),
        "expected `:`" => broken("expected a `:` after the key", at, None),
        "expected `,` or `}`" => broken("expected a `,` or a `}`", at, comma_before(&text[at..])),
        "expected `,` or `]`" => broken("expected a `,` or a `]`", at, comma_before(&text[at..])),
        "number out of range" => broken("this number is too large to be read", start_of_number(text, at), None),
        "invalid number" => broken("this is no number", start_of_number(text, at), None),
        "invalid escape" => broken("there is no such escape in a text", at, Some("write `\\\\` for a backslash")),
        "recursion limit exceeded" => broken("it is nested too deep", at, None),
        _ if said.starts_with("control character") && text[at..].starts_with(['\r', '\n']) => {
            broken("a text does not end on its line", at, Some("end it with `\"`"))
        }
        _ if said.starts_with("control character") => {
            broken("a tab or another control character stands in a text", at, Some("write `\\t` for a tab, or a blank"))
        }
        said => broken(said, at, None),
    }
}

/// The byte the parser means. It tells the last one it took, or the next; before the first of a line, the line break.
fn offset_of(text: &str, error: &Error) -> usize {
    let lines = text.split_inclusive('\n').take(error.line().saturating_sub(1));
    let at = lines.map(str::len).sum::<usize>() + error.column();
    text.floor_char_boundary(at.saturating_sub(1).min(text.len()))
}

fn start_of_number(text: &str, at: usize) -> usize {
    text[..at].trim_end_matches(|c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.')).len()
}

/// What follows a value and could be the next member, had there been a comma.
fn comma_before(rest: &str) -> Option<&'static str> {
    rest.starts_with(['"', '{', '[']).then_some("is a comma missing before it?")
}

/// What to say of that which people write out of habit and JSON does not have.
fn advice(rest: &str) -> Option<&'static str> {
    Some(match rest.chars().next()? {
        '/' | '#' => "JSON has no comments",
        '\'' | '`' | '“' | '”' | '„' | '‘' | '’' | '«' | '»' => "JSON knows only `\"` for quotes",
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
        let error = serde_json::from_str::<Value>(text).unwrap_err();
        let Broken { why, place, hint } = broken(text, &error);
        (place.line, place.column, hint.map_or(why.clone(), |hint| format!("{why} ({hint})")))
    }

    #[test]
    fn every_slip_is_told_at_its_character() {
        for (text, line, column, words) in [
            ("", 1, 1, "it is empty"),
            (" \n", 1, 1, "it is empty"),
            ("{\"ä\": [1,\n\n", 1, 10, "it ends too early"),
            ("{\"a\": [1\n", 1, 9, "it ends within a list"),
            ("{\"a\": 1\n", 1, 8, "it ends within an object"),
            ("{\"a\": \"漢", 1, 9, "it ends within a text"),
            ("{\"a\": 1,\n}", 1, 8, "nothing comes after this comma (take the comma out)"),
            ("{\"a\": [1, \r\n ]}", 1, 9, "nothing comes after this comma (take the comma out)"),
            ("{\"a\": 1\n \"b\": 2}", 2, 2, "expected a `,` or a `}` (is a comma missing before it?)"),
            ("[{}\n{}]", 2, 1, "expected a `,` or a `]` (is a comma missing before it?)"),
            ("{\"ä\" 1}", 1, 6, "expected a `:` after the key"),
            ("{\n // why\n}", 2, 2, "expected a key in double quotes (JSON has no comments)"),
            ("{\"a\": 1} // why", 1, 10, "more comes after its end (JSON has no comments)"),
            ("{“a”: 1}", 1, 2, "expected a key in double quotes (JSON knows only `\"` for quotes)"),
            ("{\"a\": 'b'}", 1, 7, "expected a value (JSON knows only `\"` for quotes)"),
            ("[True]", 1, 2, "expected a value (write `true`, `false` and `null` in lowercase)"),
            ("[NaN]", 1, 2, "expected a value"),
            ("[0, -1e400]", 1, 5, "this number is too large to be read"),
            ("[0, 012]", 1, 5, "this is no number"),
            ("[\"ä\\q\"]", 1, 5, "there is no such escape in a text (write `\\\\` for a backslash)"),
            ("[\"ab\n\"]", 1, 5, "a text does not end on its line (end it with `\"`)"),
            ("[\"ab\r\n\"]", 1, 5, "a text does not end on its line (end it with `\"`)"),
            (
                "[\"漢\tb\"]",
                1,
                4,
                "a tab or another control character stands in a text (write `\\t` for a tab, or a blank)",
            ),
        ] {
            assert_eq!(told(text), (line, column, words.to_owned()), "{text}");
        }
        assert_eq!(told(&"[".repeat(200)).2, "it is nested too deep");
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "[\\[\\]{}\",:0-9e漢ä\n\r\t\\\\ ]*") {
            if let Err(error) = serde_json::from_str::<Value>(&text) {
                broken(&text, &error);
            }
        }
    }
}
