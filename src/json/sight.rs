//! From a byte of a text to what a reader sees: line, column, and the line itself.

use super::lexer::{mark, token_at};
use crate::types::Excerpt;

/// Where something stands in a text, as editors count: both from 1, columns in characters. Lines end in LF, with or
/// without CR before it; a byte order mark takes no column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub line: u64,
    pub column: u64,
}

/// The most bytes of a line kept to either side of the place: more than a terminal shows in one line.
const AROUND: usize = 160;

/// Goes over a text once, from place to place.
pub(super) struct Sight<'t> {
    text: &'t [u8],
    at: usize,
    place: Place,
}

impl<'t> Sight<'t> {
    pub fn new(text: &'t [u8]) -> Self {
        Sight { text, at: mark(text), place: Place { line: 1, column: 1 } }
    }

    /// Where the byte `offset` stands, which is none before the last one asked for. Characters are counted by their
    /// first bytes, so a text that is not UTF-8 has columns too.
    pub fn place_of(&mut self, offset: usize) -> Place {
        let passed = self.text.get(self.at..offset).unwrap_or_default();
        let line_start = match passed.iter().rposition(|byte| *byte == b'\n') {
            Some(last) => {
                self.place.line += passed.iter().filter(|byte| **byte == b'\n').count() as u64;
                self.place.column = 1;
                last + 1
            }
            None => 0,
        };
        self.place.column += passed[line_start..].iter().filter(|byte| begins_a_character(**byte)).count() as u64;
        self.at = self.at.max(offset);
        self.place
    }
}

/// Where these bytes stand, in any order: one pass over the text for all of them.
pub(super) fn places_of(text: &[u8], offsets: &[usize]) -> Vec<Place> {
    let mut in_order: Vec<usize> = (0..offsets.len()).collect();
    in_order.sort_unstable_by_key(|index| offsets[*index]);
    let mut places = vec![Place { line: 1, column: 1 }; offsets.len()];
    let mut sight = Sight::new(text);
    for index in in_order {
        places[index] = sight.place_of(offsets[index]);
    }
    places
}

/// Where one byte of a text stands.
pub fn place_of(text: &[u8], offset: usize) -> Place {
    Sight::new(text).place_of(offset)
}

/// What stands at the byte `offset`, with its line around it. Looks no further than what is shown: a whole file can be
/// one line.
pub(super) fn excerpt_at(text: &[u8], offset: usize) -> Excerpt {
    let offset = offset.min(text.len());
    let first = mark(text).min(offset);
    let from = next_character(text, offset.saturating_sub(AROUND).max(first)).min(offset);
    let start = text[from..offset].iter().rposition(|byte| *byte == b'\n').map_or(from, |at| from + at + 1);
    let goes_on_before = start == from && from > first && text[from - 1] != b'\n';

    let to = next_character(text, (offset + 2 * AROUND).min(text.len()));
    let near = &text[offset..to];
    let end = near.iter().position(|byte| *byte == b'\n');
    let line = &near[..end.unwrap_or(near.len())];
    let line = line.strip_suffix(b"\r").filter(|_| end.is_some()).unwrap_or(line);
    let token = if line.is_empty() { 0 } else { token_at(line, 0).end };
    let marked = next_character(line, token.min(AROUND));
    let shown = next_character(line, (marked + AROUND).min(line.len()));
    let goes_on_after = shown < line.len() || (end.is_none() && to < text.len());

    let owned = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Excerpt {
        before: owned(&text[start..offset]),
        marked: owned(&line[..marked]),
        after: owned(&line[marked..shown]),
        cut: (goes_on_before, goes_on_after),
    }
}

/// The byte at which the `column`th character (from 1) of the `line`th line (from 1) begins, or where that line ends.
pub(super) fn offset_of(text: &[u8], Place { line, column }: Place) -> usize {
    let mut start = mark(text);
    for _ in 1..line {
        match text[start..].iter().position(|byte| *byte == b'\n') {
            Some(length) => start += length + 1,
            None => return text.len(),
        }
    }
    let line = text[start..].split(|byte| *byte == b'\n').next().unwrap_or_default();
    let mut characters = line.iter().enumerate().filter(|(_, byte)| begins_a_character(**byte));
    let nth = usize::try_from(column.saturating_sub(1)).unwrap_or(usize::MAX);
    start + characters.nth(nth).map_or(line.len(), |(at, _)| at)
}

fn begins_a_character(byte: u8) -> bool {
    byte & 0b1100_0000 != 0b1000_0000
}

/// The first place from `at` on at which no character is cut in two.
fn next_character(text: &[u8], at: usize) -> usize {
    let within = text[at..].iter().take(3).take_while(|byte| !begins_a_character(**byte)).count();
    at + within
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn columns_are_characters_and_lines_end_in_lf() {
        let text = "\u{feff}ab\r\n\tä🜂x\n\nend";
        let mut sight = Sight::new(text.as_bytes());
        for (what, line, column) in [("a", 1, 1), ("b", 1, 2), ("\t", 2, 1), ("x", 2, 4), ("end", 4, 1), ("d", 4, 3)] {
            let offset = text.find(what).unwrap();
            let place = Place { line, column };
            assert_eq!(sight.place_of(offset), place, "{what}");
            assert_eq!(offset_of(text.as_bytes(), place), offset, "{what}");
        }
        assert_eq!(offset_of(text.as_bytes(), Place { line: 9, column: 1 }), text.len());
        assert_eq!(offset_of(text.as_bytes(), Place { line: 3, column: 7 }), text.find("\nend").unwrap());
    }

    #[test]
    fn what_is_shown_is_one_line_and_never_long() {
        let seen = |text: &str, what: &str| {
            let Excerpt { before, marked, after, cut } = excerpt_at(text.as_bytes(), text.find(what).unwrap());
            (before, marked, after, cut)
        };
        let whole = |a: &str, b: &str, c: &str| (a.to_owned(), b.to_owned(), c.to_owned(), (false, false));
        assert_eq!(seen("{\r\n  \"a\": [1],\r\n}", "\"a\""), whole("  ", "\"a\"", ": [1],"));
        assert_eq!(seen("\u{feff}{\n}", "{"), whole("", "{", ""));
        assert_eq!(seen("{\n}\n", "\n"), whole("{", "", ""));
        let long = format!("{}\"{}\"{}", "ä".repeat(400), "b".repeat(400), "ü".repeat(400));
        let (before, marked, after, cut) = seen(&long, "\"");
        assert_eq!(cut, (true, true));
        assert!(before.len() <= AROUND && marked.len() <= AROUND && after.len() <= AROUND + 1);
        assert!(!format!("{before}{after}").contains('\u{fffd}'));
        let short = seen(&format!("{}\n\"a\"{}\n", "ä".repeat(80), "b".repeat(160)), "\"a\"");
        assert_eq!(short, (String::new(), "\"a\"".to_owned(), "b".repeat(160), (false, false)));
    }

    proptest! {
        #[test]
        fn no_bytes_panic(text in any::<Vec<u8>>(), offset in 0_usize..40, line in 0_u64..9, column in 0_u64..9) {
            excerpt_at(&text, offset);
            Sight::new(&text).place_of(offset);
            let offset = offset_of(&text, Place { line, column });
            prop_assert!(offset <= text.len());
        }
    }
}
