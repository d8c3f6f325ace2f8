//! Signs that no translation should have, or none that its English text has not.

use icu_properties::CodePointSetData;
use icu_properties::props::DefaultIgnorableCodePoint;

/// Whether a text shows nothing: it is empty, or all blank space and signs that cannot be seen.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|c| {
        c.is_whitespace() || (!c.is_ascii() && CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c))
    })
}

/// A control character, an embedding or override of direction, or what stands for a character that was lost. Marks of
/// direction and isolates are how text from right to left is written.
pub(super) fn hidden(text: &str) -> Option<char> {
    text.chars().find(|c| {
        matches!(c, '\u{202a}'..='\u{202e}' | '\u{fff9}'..='\u{fffb}' | '\u{fffd}')
            || (c.is_control() && !breaks_line(*c))
    })
}

pub(super) fn breaks_line(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// The text from the first square bracket to the next closing one.
pub(super) fn brackets(text: &str) -> Option<&str> {
    let from = text.find(['[', ']'])?;
    let rest = &text[from..];
    Some(rest.find(']').map_or(rest, |end| &rest[..=end]))
}

/// What a spreadsheet writes instead of a value it cannot work out, in any of its languages: `#NAME?`, `#REF!`, `#N/A`,
/// `#ИМЯ?`.
pub(super) fn spreadsheet_error(text: &str) -> Option<&str> {
    /// Those without a sign at their end.
    const BARE: [&str; 9] = ["#N/A", "#N/D", "#N/B", "#Н/Д", "#NV", "#YOK", "#I/T", "#SAKNAS!", "#GETTING_DATA"];
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '"' | ',' | ';'));
    let is_name = |name: &str| {
        name.chars().filter(|c| c.is_alphabetic()).count() > 1
            && name.chars().all(|c| c.is_uppercase() || matches!(c, '/' | '0' | '_' | '¿' | '¡'))
    };
    words.filter(|word| word.starts_with('#')).find(|word| {
        let named = word.strip_prefix('#').and_then(|word| word.strip_suffix(['?', '!']));
        BARE.contains(word) || named.is_some_and(is_name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_spreadsheets_are_known_in_any_language() {
        for error in
            ["#NAME?", "#REF!", "#DIV/0!", "#N/A", "#VALUE!", "#ИМЯ?", "#ДЕЛ/0!", "#BEZUG!", "#¿NOMBRE?", "(#REF!)"]
        {
            assert!(spreadsheet_error(error).is_some(), "{error}");
        }
        for text in ["#1!", "Room #3", "#", "#tag!", "NAME?", "# WOW!", "#A!", "№5"] {
            assert_eq!(spreadsheet_error(text), None, "{text}");
        }
    }

    #[test]
    fn what_shows_nothing_is_blank() {
        for blank in ["", " ", "\u{a0}\u{3000}", "\u{200b}\u{feff}", "\n\t", "\u{3164}"] {
            assert!(is_blank(blank), "{blank:?}");
        }
        for text in ["-", "а", " \u{200f}ב"] {
            assert!(!is_blank(text), "{text:?}");
        }
    }

    #[test]
    fn marks_and_isolates_are_fine_and_overrides_are_not() {
        for fine in ["\u{200f}א\u{200e}", "\u{2067}א\u{2069}", "می\u{200c}خواهم", "a\nb", "\u{61c}٣"] {
            assert_eq!(hidden(fine), None, "{fine:?}");
        }
        for c in ['\u{1b}', '\0', '\t', '\u{7f}', '\u{9b}', '\u{202a}', '\u{202e}', '\u{fffd}'] {
            assert_eq!(hidden(&format!("a{c}b")), Some(c));
        }
    }
}
