//! What is asked of a translation beside its English text (docs/spec/checks.md#translated-texts): one table of rules.

use super::figures::{Differences, Figures, differences};
use super::marks;
use crate::json::excerpt;
use crate::ruleset::strings::DisplayString;
use crate::types::{Rule, codes};
use unicode_segmentation::UnicodeSegmentation;

/// A translation is long for its English text above so many characters as are seen, and so many times its length.
const LONG: usize = 60;
const TIMES: usize = 3;

/// Says what is wrong in words that follow "the translation".
type Judge = fn(&Pair<'_>) -> Option<String>;

/// Each rule with its test.
const RULES: [(&Rule, Judge); 8] = [
    (codes::HIDDEN_IN_TRANSLATION, hidden),
    (codes::LINE_BREAK_IN_TRANSLATION, line_break),
    (codes::BRACKETS_IN_TRANSLATION, brackets),
    (codes::SPREADSHEET_ERROR, spreadsheet_error),
    (codes::LONG_TRANSLATION, length),
    (codes::PLACEHOLDER_MISMATCH, |pair| pair.differences.placeholder.clone()),
    (codes::DICE_MISMATCH, |pair| pair.differences.dice.clone()),
    (codes::TRANSLATION_MISMATCH, |pair| pair.differences.number.clone()),
];

/// An English text, made ready to hold translations against it.
#[derive(Debug)]
pub struct Original<'a> {
    pub(super) text: &'a str,
    /// The most UTF-16 units that any of its places takes, where that is known.
    limit: Option<usize>,
    figures: Figures,
}

impl<'a> Original<'a> {
    /// `limit` is the most UTF-16 units that one of its places takes.
    pub fn new(text: &'a str, limit: Option<usize>) -> Self {
        Original { text, limit, figures: Figures::of_english(text) }
    }
}

impl<'a> From<&'a DisplayString> for Original<'a> {
    fn from(string: &'a DisplayString) -> Self {
        Original::new(&string.text, string.limit)
    }
}

impl<'a> From<&'a str> for Original<'a> {
    fn from(text: &'a str) -> Self {
        Original::new(text, None)
    }
}

/// An English text and its translation.
struct Pair<'a> {
    english: &'a Original<'a>,
    translation: &'a str,
    differences: Differences,
}

/// Everything that is wrong with a translation into a language, given as its tag without region and script.
pub(super) fn judge<'a>(
    english: &'a Original<'a>,
    translation: &'a str,
    language: &str,
) -> impl Iterator<Item = (&'static Rule, String)> {
    if marks::is_blank(translation) {
        return vec![(codes::BLANK_TRANSLATION, "shows nothing".to_owned())].into_iter();
    }
    let differences = differences(english.text, &english.figures, translation, language);
    let pair = Pair { english, translation, differences };
    let found = RULES.iter().filter_map(|(rule, test)| Some((*rule, test(&pair)?)));
    found.collect::<Vec<_>>().into_iter()
}

/// The same as far as it can be said of a text alone.
pub(super) fn judge_alone(text: &str) -> impl Iterator<Item = (&'static Rule, String)> {
    let hidden = marks::hidden(text).map(|c| (codes::HIDDEN_IN_TRANSLATION, told_hidden(c)));
    let error = marks::spreadsheet_error(text).map(|error| (codes::SPREADSHEET_ERROR, told_error(error)));
    hidden.into_iter().chain(error)
}

fn hidden(pair: &Pair<'_>) -> Option<String> {
    marks::hidden(pair.translation).filter(|c| !pair.english.text.contains(*c)).map(told_hidden)
}

fn told_hidden(c: char) -> String {
    let what = match c {
        '\u{202a}'..='\u{202e}' => "which reverses the direction of the text",
        '\u{fffd}' => "which stands for a character that was lost",
        _ => "which cannot be seen",
    };
    format!("has the character U+{:04X}, {what}", u32::from(c))
}

fn line_break(pair: &Pair<'_>) -> Option<String> {
    let breaks = |text: &str| text.trim_end_matches(' ').contains(marks::breaks_line);
    (breaks(pair.translation) && !breaks(pair.english.text))
        .then(|| "has a line break, but the English text has none".to_owned())
}

fn brackets(pair: &Pair<'_>) -> Option<String> {
    let count = |text: &str| text.matches(['[', ']']).count();
    let (ours, theirs) = (count(pair.english.text), count(pair.translation));
    if ours == theirs {
        return None;
    }
    let of = |text| excerpt(marks::brackets(text).unwrap_or_default()).into_owned();
    Some(match ours {
        0 => format!("has `{}`, but the English text has no square brackets", of(pair.translation)),
        _ => format!("has other square brackets than the English text with its `{}`", of(pair.english.text)),
    })
}

fn spreadsheet_error(pair: &Pair<'_>) -> Option<String> {
    let error = marks::spreadsheet_error(pair.translation)?;
    (!pair.english.text.contains(error)).then(|| told_error(error))
}

fn told_error(error: &str) -> String {
    format!("has `{}`, an error of a spreadsheet", excerpt(error))
}

fn length(pair: &Pair<'_>) -> Option<String> {
    let units = pair.translation.encode_utf16().count();
    if let Some(limit) = pair.english.limit.filter(|limit| units > *limit) {
        return Some(format!("is {units} characters long, but there is room for only {limit}"));
    }
    if units <= LONG {
        return None;
    }
    let seen = |text: &str| text.graphemes(true).count();
    let (ours, theirs) = (seen(pair.english.text), seen(pair.translation));
    (theirs > LONG && theirs > TIMES * ours)
        .then(|| format!("is {theirs} characters long, more than {TIMES} times the {ours} of the English text"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Language, English text, translation, and the codes told of it.
    type Row = (String, String, String, String);

    #[test]
    fn what_real_translations_do_is_fine_and_what_is_wrong_is_told() {
        let rows: Vec<Row> = serde_json::from_str(include_str!("../../../testdata/translations/pairs.json")).unwrap();
        let wrong: Vec<String> = rows
            .iter()
            .filter_map(|(language, english, translation, expected)| {
                let told: Vec<String> = judge(&english.as_str().into(), translation, language)
                    .map(|(rule, why)| format!("{}: {why}", rule.as_str()))
                    .collect();
                let codes: Vec<&str> = told.iter().filter_map(|told| told.split(':').next()).collect();
                (codes.join(" ") != *expected).then(|| format!("{language}: {english} / {translation}: {told:?}"))
            })
            .collect();
        assert!(rows.len() > 100 && wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn a_text_is_too_long_for_its_place_or_beside_the_english() {
        let told = |english: &str, limit, length| {
            judge(&Original::new(english, limit), &"я".repeat(length), "ru")
                .map(|(rule, _)| rule.as_str())
                .collect::<Vec<_>>()
        };
        let long = ["long-translation"];
        assert_eq!((told("Grit", Some(8), 8), told("Grit", Some(8), 9)), (vec![], long.to_vec()));
        assert_eq!((told("Grit", None, 60), told("Grit", None, 61)), (vec![], long.to_vec()));
        let english = "e".repeat(30);
        assert_eq!((told(&english, None, 90), told(&english, None, 91)), (vec![], long.to_vec()));
        // What is seen counts: a letter with its marks is one.
        assert_eq!(judge(&"Grit".into(), &"и\u{306}".repeat(50), "ru").count(), 0);
    }
}
