//! How many columns a text takes on a terminal, and where it may be cut.

use icu_properties::CodePointSetData;
use icu_properties::props::{Emoji, ExtendedPictographic};
use std::borrow::Cow;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

pub(super) const JOINER: char = '\u{200d}';

/// The columns a text takes: two for a CJK character or an emoji however it is composed, none for a combining mark.
///
/// For clean text only: what a control character or an escape sequence takes, no count can tell.
pub fn width(text: &str) -> usize {
    text.width()
}

/// The text itself, or as much of it as fits into so many columns together with the `…` that says it was cut.
/// Never cuts through what is seen as one character.
pub fn cut(text: Cow<'_, str>, columns: usize) -> Cow<'_, str> {
    if width(&text) <= columns {
        return text;
    }
    let Some(room) = columns.checked_sub(1) else { return Cow::Borrowed("") };
    Cow::Owned(format!("{}…", text[..fitting(&text, room)].trim_end_matches(' ')))
}

/// The text itself, or as much of its end as fits into so many columns together with the `…` that says it was cut.
pub fn cut_start(text: Cow<'_, str>, columns: usize) -> Cow<'_, str> {
    if width(&text) <= columns {
        return text;
    }
    let Some(room) = columns.checked_sub(1) else { return Cow::Borrowed("") };
    let (mut start, mut left) = (0, width(&text));
    for cluster in text.graphemes(true) {
        // Letters can join across clusters, so the sum is measured once it comes near.
        if left <= room && width(&text[start..]) <= room {
            break;
        }
        start += cluster.len();
        left = left.saturating_sub(width(cluster));
    }
    Cow::Owned(format!("…{}", &text[start..]))
}

/// How many bytes of the text fit into so many columns, counted in whole visible characters.
pub(super) fn fitting(text: &str, columns: usize) -> usize {
    let mut end = 0;
    for cluster in text.graphemes(true) {
        let next = end + cluster.len();
        // Measured from the start each time: letters can join across clusters (Arabic lam and alef share a column).
        if width(&text[..next]) > columns {
            break;
        }
        end = next;
    }
    end
}

/// Whether `c` is drawn onto or joined to the character before it rather than beside it.
pub(super) fn continues(before: char, c: char) -> bool {
    let skin_tone = matches!(c, '\u{1f3fb}'..='\u{1f3ff}');
    c.width() == Some(0) || (before == JOINER && is_pictographic(c)) || (skin_tone && is_emoji(before))
}

/// Whether an emoji variation selector can follow: emoji, and the digits and signs of keycaps.
pub(super) fn is_emoji(c: char) -> bool {
    CodePointSetData::new::<Emoji>().contains(c)
}

/// Whether this is a picture that a joiner can join to another.
pub(super) fn is_pictographic(c: char) -> bool {
    CodePointSetData::new::<ExtendedPictographic>().contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const FAMILY: &str = "👩\u{200d}👩\u{200d}👧";

    #[test]
    fn width_counts_what_is_seen() {
        for (text, columns) in
            [("", 0), ("дороги", 6), ("漢字", 4), (FAMILY, 2), ("e\u{301}", 1), ("1\u{fe0f}\u{20e3}", 2), ("🇩🇪", 2)]
        {
            assert_eq!(width(text), columns, "{text}");
        }
    }

    #[test]
    fn a_cut_never_goes_through_a_visible_character() {
        let cut = |text: &str, columns| cut(Cow::Borrowed(text), columns).into_owned();
        assert_eq!(cut("ember roads", 11), "ember roads");
        assert_eq!(cut("ember roads", 10), "ember roa…");
        assert_eq!(cut("ember roads", 7), "ember…");
        assert_eq!(cut("漢字漢字", 4), "漢…");
        assert_eq!(cut(&format!("{FAMILY}{FAMILY}"), 3), format!("{FAMILY}…"));
        assert_eq!(cut("e\u{301}e\u{301}e\u{301}", 2), "e\u{301}…");
        assert_eq!(cut("🇩🇪🇫🇷", 3), "🇩🇪…");
        assert_eq!(cut("👍🏽👍🏽", 3), "👍🏽…");
        assert_eq!(cut("ab", 1), "…");
        assert_eq!(cut("ab", 0), "");
        let cut_start = |text: &str, columns| cut_start(Cow::Borrowed(text), columns).into_owned();
        assert_eq!(cut_start("ember roads", 11), "ember roads");
        assert_eq!(cut_start("ember roads", 7), "… roads");
        assert_eq!(cut_start("漢字漢字", 4), "…字");
        assert_eq!(cut_start(&format!("{FAMILY}{FAMILY}"), 3), format!("…{FAMILY}"));
        assert_eq!((cut_start("ab", 1), cut_start("ab", 0)), ("…".to_owned(), String::new()));
    }

    proptest! {
        #[test]
        fn a_cut_text_fits(text in any::<String>(), columns in 0_usize..40) {
            prop_assert!(width(&cut(Cow::Borrowed(&text), columns)) <= columns);
        }
    }
}
