use super::width::{fitting, width};
use unicode_segmentation::UnicodeSegmentation;

/// What becomes of a word wider than a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LongWord {
    /// It is broken, so that no line is too wide.
    Break,
    /// It stays whole and too wide: an address or a path can then still be copied.
    Keep,
}

/// The text in lines of at most so many columns, broken at spaces; its own line ends stay. Always at least one line.
/// Spaces at breaks and repeated spaces go.
pub fn wrap(text: &str, columns: usize, long: LongWord) -> Vec<String> {
    text.split('\n').flat_map(|paragraph| wrap_paragraph(paragraph, columns, long)).collect()
}

fn wrap_paragraph(text: &str, columns: usize, long: LongWord) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut used = 0;
    for mut word in text.split(' ').filter(|word| !word.is_empty()) {
        if !line.is_empty() && used + 1 + width(word) > columns {
            lines.push(std::mem::take(&mut line));
            used = 0;
        }
        // Looked at no further than to the end of the line: the word may have a million letters.
        while long == LongWord::Break && fitting(word, columns) < word.len() {
            // One visible character at least, or a line narrower than it would never end.
            let first = word.graphemes(true).next().map_or(0, str::len);
            let (piece, rest) = word.split_at(fitting(word, columns).max(first));
            lines.push(piece.to_owned());
            word = rest;
        }
        if !line.is_empty() {
            line.push(' ');
            used += 1;
        }
        line.push_str(word);
        used += width(word);
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_break_between_words() {
        assert_eq!(wrap("the quick brown fox", 10, LongWord::Break), ["the quick", "brown fox"]);
        assert_eq!(wrap("one\n\ntwo", 10, LongWord::Break), ["one", "", "two"]);
        assert_eq!(wrap("", 10, LongWord::Break), [""]);
        // A word may take no column and still be one.
        assert_eq!(wrap("\u{abc} aa!bc", 3, LongWord::Break), ["\u{abc}", "aa!", "bc"]);
        assert_eq!(wrap("anything at all", usize::MAX, LongWord::Keep), ["anything at all"]);
    }

    #[test]
    fn a_long_word_is_broken_or_kept_as_asked() {
        assert_eq!(wrap("a https://example.org", 8, LongWord::Break), ["a", "https://", "example.", "org"]);
        assert_eq!(wrap("a https://example.org b", 8, LongWord::Keep), ["a", "https://example.org", "b"]);
        assert_eq!(wrap("漢字漢字漢", 5, LongWord::Break), ["漢字", "漢字", "漢"]);
        assert_eq!(wrap("漢字", 1, LongWord::Break), ["漢", "字"]);
    }

    proptest! {
        #[test]
        fn no_line_is_too_wide_and_no_letter_is_lost(text in any::<String>(), columns in 3_usize..40) {
            let lines = wrap(&text, columns, LongWord::Break);
            prop_assert!(lines.iter().all(|line| width(line) <= columns), "{lines:?}");
            let letters = |text: &str| text.chars().filter(|c| !matches!(c, ' ' | '\n')).collect::<String>();
            prop_assert_eq!(letters(&lines.concat()), letters(&text));
        }
    }
}
