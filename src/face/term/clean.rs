//! Text from a catalog, a ruleset or a pack, made harmless for a terminal (docs/spec/commands.md#what-people-see).
//!
//! What a terminal would obey, and what would show as nothing or turn the text around, is shown as an escape such as
//! `\u{202e}` and never left out: whoever looks must see that something was there.

use super::width::{JOINER, continues, cut, is_emoji, is_pictographic};
use icu_properties::CodePointSetData;
use icu_properties::props::DefaultIgnorableCodePoint;
use std::borrow::Cow;
use unicode_width::UnicodeWidthChar;

/// The most characters drawn onto one: the longest emoji sequence has nine, the tallest Tibetan stack about as many.
/// More only smears over the lines around, or hides data.
const MOST_ON_ONE: usize = 12;

/// The text on one line, harmless. Line ends become `\n`, tabs `\t`.
pub fn clean(text: &str) -> Cow<'_, str> {
    escape(text, false)
}

/// The text harmless, its line ends kept.
pub fn clean_lines(text: &str) -> Cow<'_, str> {
    if text.contains("\r\n") {
        return Cow::Owned(escape(&text.replace("\r\n", "\n"), true).into_owned());
    }
    escape(text, true)
}

/// The text harmless, on one line and in at most so many columns; ends in `…` where it was cut.
pub fn shorten(text: &str, columns: usize) -> Cow<'_, str> {
    cut(clean(text), columns)
}

/// JSON with nothing in it that a terminal obeys or that cannot be seen: such characters become `\u` escapes, which
/// mean the same. Takes JSON already serialised, where they can stand inside strings only.
pub fn json_safe(json: String) -> String {
    if json.is_ascii() && !json.contains('\x7f') {
        return json;
    }
    let mut safe = String::new();
    let mut taken = 0;
    // All of printing ASCII shows, and the C0 controls left by a serialiser are the line ends between tokens.
    for (at, c) in json.char_indices().filter(|(_, c)| *c > '~' && is_hidden(*c)) {
        safe.push_str(&json[taken..at]);
        for unit in c.encode_utf16(&mut [0; 2]) {
            safe.push_str(&format!("\\u{unit:04x}"));
        }
        taken = at + c.len_utf8();
    }
    if taken == 0 {
        return json;
    }
    safe.push_str(&json[taken..]);
    safe
}

fn escape(text: &str, keep_lines: bool) -> Cow<'_, str> {
    if text.bytes().all(|b| matches!(b, b' '..=b'~')) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    let mut before = ' ';
    let mut on_one = 0;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        on_one = if continues(before, c) { on_one + 1 } else { 0 };
        let kept = match c {
            '\n' => keep_lines,
            // What a joiner joins must have its place too, or the joiner would be left hanging.
            _ if is_hidden(c) => on_one < MOST_ON_ONE && belongs(before, c, chars.peek().copied()),
            _ => on_one <= MOST_ON_ONE,
        };
        if kept {
            shown.push(c);
            before = c;
        } else {
            shown.extend(c.escape_default());
            before = '}';
            on_one = 0;
        }
    }
    if shown == text { Cow::Borrowed(text) } else { Cow::Owned(shown) }
}

/// Whether a terminal obeys this character, or shows nothing for it: controls, everything Unicode says may be
/// ignored (zero-width and bidirectional characters, tags, variation selectors, fillers), line and paragraph
/// separators, interlinear annotations.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{fff9}'..='\u{fffb}')
        || (!c.is_ascii() && CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c))
}

/// Whether a hidden character is part of how its neighbours are written: joiners in scripts that need them, joiners
/// and variation selectors in emoji.
fn belongs(before: char, c: char, after: Option<char>) -> bool {
    let after = after.unwrap_or(' ');
    match c {
        '\u{200c}' => joins(before) && joins(after),
        // Old Malayalam texts end a word in a joiner: after a virama one is always in its place (RFC 5892, A.2).
        JOINER if is_virama(before) => true,
        JOINER if joins(before) => joins(after),
        JOINER => is_pictographic(after) && (is_pictographic(before) || ends_a_picture(before)),
        '\u{fe0e}' | '\u{fe0f}' => is_emoji(before),
        _ => false,
    }
}

/// Whether this is a letter or mark of a script whose letters join: Arabic and its kin, the scripts of India and
/// South-East Asia, Mongolian.
fn joins(c: char) -> bool {
    let script = matches!(c,
        '\u{600}'..='\u{109f}'
        | '\u{1780}'..='\u{18af}'
        | '\u{fb50}'..='\u{fdff}'
        | '\u{fe70}'..='\u{fefc}'
        | '\u{11000}'..='\u{11fff}');
    script && !is_hidden(c) && (c.is_alphabetic() || c.width() == Some(0))
}

/// What can stand between a picture and its joiner: a skin tone, or the selector of the coloured form.
fn ends_a_picture(c: char) -> bool {
    matches!(c, '\u{1f3fb}'..='\u{1f3ff}' | '\u{fe0f}')
}

/// The sign of the scripts of India that takes a consonant's vowel away; it stands at the same place of every block.
fn is_virama(c: char) -> bool {
    c == '\u{dca}' || (matches!(c, '\u{900}'..='\u{d7f}') && u32::from(c) & 0x7f == 0x4d)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn plain_text_is_not_copied() {
        for plain in ["ember roads", "дороги", "漢字", "a\u{301}", ""] {
            assert!(matches!(clean(plain), Cow::Borrowed(_)), "{plain}");
        }
    }

    #[test]
    fn what_a_terminal_obeys_is_shown() {
        assert_eq!(clean("\u{1b}[31mred\u{7}"), r"\u{1b}[31mred\u{7}");
        assert_eq!(clean("a\rb\tc\nd\x7f\0\u{8}"), r"a\rb\tc\nd\u{7f}\u{0}\u{8}");
        assert_eq!(clean("\u{9b}31m"), r"\u{9b}31m");
    }

    #[test]
    fn what_shows_as_nothing_or_turns_the_text_is_shown() {
        for (text, shown) in [
            ("a\u{202e}b", r"a\u{202e}b"),
            ("\u{2066}a\u{2069}", r"\u{2066}a\u{2069}"),
            ("a\u{200f}\u{61c}b", r"a\u{200f}\u{61c}b"),
            ("ad\u{200b}min", r"ad\u{200b}min"),
            ("ad\u{200c}min\u{200d}", r"ad\u{200c}min\u{200d}"),
            ("a\u{ad}b\u{feff}", r"a\u{ad}b\u{feff}"),
            ("a\u{e0041}", r"a\u{e0041}"),
            ("a\u{2028}b\u{2029}", r"a\u{2028}b\u{2029}"),
            ("a\u{fe0f}", r"a\u{fe0f}"),
            ("\u{3164}\u{fff9}", r"\u{3164}\u{fff9}"),
        ] {
            assert_eq!(clean(text), shown);
        }
    }

    #[test]
    fn joiners_stay_where_writing_needs_them() {
        for text in [
            "می\u{200c}خواهم",
            "کار\u{200c}ها",
            "क\u{94d}\u{200d}ष",
            "র\u{200c}\u{9cd}য",
            "ന\u{d4d}\u{200d}",
            "👩\u{200d}👩\u{200d}👧",
            "👩🏽\u{200d}🚀",
            "🏳\u{fe0f}\u{200d}🌈",
            "👩🏻\u{200d}❤\u{fe0f}\u{200d}💋\u{200d}👨🏼",
            "1\u{fe0f}\u{20e3}",
            "☎\u{fe0e}",
        ] {
            assert_eq!(clean(text), text);
        }
    }

    #[test]
    fn joiners_and_selectors_in_other_places_are_shown() {
        assert_eq!(clean("❤\u{fe0f}\u{fe0f}\u{fe01}"), "❤\u{fe0f}\\u{fe0f}\\u{fe01}");
        assert_eq!(clean("👩\u{200d}a"), r"👩\u{200d}a");
        assert_eq!(clean("1\u{200d}👩"), r"1\u{200d}👩");
        assert_eq!(clean("م\u{200c}"), r"م\u{200c}");
    }

    #[test]
    fn marks_do_not_pile_up() {
        let piled = format!("a{}", "\u{301}".repeat(40));
        assert!(clean(&piled).starts_with(&format!("a{}\\u{{301}}", "\u{301}".repeat(MOST_ON_ONE))));
        let joined = "👩\u{200d}".repeat(40);
        assert!(clean(&joined).contains(r"\u{200d}"));
    }

    #[test]
    fn lines_are_kept_when_asked() {
        assert_eq!(clean_lines("a\r\nb\nc\rd\t"), "a\nb\nc\\rd\\t");
        assert!(matches!(clean_lines("é\nb"), Cow::Borrowed(_)));
    }

    #[test]
    fn shortened_text_is_harmless_too() {
        assert_eq!(shorten("\u{1b}[31mred", 8), r"\u{1b}[…");
        assert_eq!(shorten("ember roads", 80), "ember roads");
    }

    #[test]
    fn json_is_escaped_without_changing_its_meaning() {
        let value = serde_json::json!({"a": "é\u{7f}\u{9b}\u{202e}\u{2028}\u{200b}\u{e0041}\u{1b}漢"});
        let safe = json_safe(serde_json::to_string_pretty(&value).unwrap());
        assert!(safe.contains(r#""é\u007f\u009b\u202e\u2028\u200b\udb40\udc41\u001b漢""#), "{safe}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&safe).unwrap(), value);
    }

    /// Text in which the characters that matter here are frequent.
    fn hostile() -> impl Strategy<Value = String> {
        let c = prop_oneof![
            any::<char>(),
            proptest::sample::select(
                "a1 \n\u{1b}\u{9b}\u{200b}\u{200c}\u{200d}\u{202e}\u{fe0f}\u{301}\u{180b}\u{94d}قकम👩❤🏽🇩\u{e0041}"
                    .chars()
                    .collect::<Vec<_>>()
            ),
        ];
        proptest::collection::vec(c, 0..60).prop_map(|chars| chars.into_iter().collect())
    }

    proptest! {
        #[test]
        fn nothing_harmful_is_left(text in hostile()) {
            let shown = clean(&text);
            let let_through = |c| matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}');
            prop_assert!(shown.chars().all(|c| !is_hidden(c) || let_through(c)), "{shown:?}");
            prop_assert!(!clean_lines(&text).chars().any(|c| c.is_control() && c != '\n'));
        }

        #[test]
        fn what_is_clean_stays_as_it_is(text in hostile()) {
            let shown = clean(&text);
            prop_assert_eq!(clean(&shown), shown.as_ref());
        }

        #[test]
        fn shortened_text_fits(text in hostile(), columns in 0_usize..40) {
            prop_assert!(super::super::width(&shorten(&text, columns)) <= columns);
        }

        #[test]
        fn json_means_the_same(text in hostile()) {
            let safe = json_safe(serde_json::to_string(&text).unwrap());
            prop_assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), text);
            prop_assert!(!safe.chars().any(is_hidden));
        }
    }
}
