//! Numbers and signs that are written as words.

use super::fold::folded;
use super::numerals::{chinese, is_common_fraction};
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// The words of each language, which stand in `words.txt`.
static TABLES: LazyLock<HashMap<&'static str, Table>> = LazyLock::new(|| {
    let text = include_str!("words.txt");
    let paragraphs = text.split("\n\n").filter_map(|paragraph| paragraph.split_once('\n'));
    paragraphs
        .filter(|(language, _)| !language.starts_with('#'))
        .map(|(language, words)| (language, table(words)))
        .collect()
});

/// The languages whose words are known.
#[cfg(test)]
pub(super) fn languages() -> impl Iterator<Item = &'static str> {
    TABLES.keys().copied()
}

/// What a language calls a value: its words, or their beginnings, with blanks or line breaks between them.
type Table = HashMap<&'static str, &'static str>;

fn table(words: &'static str) -> Table {
    let of_value = |entry: &'static str| entry.trim().split_once(' ').unwrap_or((entry.trim(), ""));
    words.split(';').map(of_value).collect()
}

/// Languages that set no blanks between words, and Hindi, whose numbers below a hundred end alike.
const ANYWHERE: [&str; 4] = ["hi", "ja", "th", "zh"];
/// Arabic and Hebrew join articles and prepositions to the word behind them.
const PREFIXES: &str = "والبفكוהבלמשכ";
/// A word of fewer letters has to be the whole one, or it would begin too many others.
const LONG: usize = 4;

const PLUS: &str = "plus плюс más mais piu più 加 プラス 플러스- زائد بعلاوه علاوه اضافه פלוס ועוד प्लस धन artı ekle";
const MINUS: &str = "minus минус мінус menos meno moins 减 減 マイナス 마이너스 ناقص منفی منهای מינוס माइनस ऋण eksi";
/// What says in English that a number is taken away.
const LESS: [&str; 14] = [
    "lose", "loss", "minus", "penalt", "reduc", "less", "subtract", "down", "negativ", "lower", "fewer", "decreas",
    "deduct", "below",
];
/// What says in English what a sign says, so that a translation may say it without the sign.
const SIGNED: [&str; 8] = ["bonus", "penalt", "modif", "malus", "minus", "plus", "°", "negativ"];
const ROMAN: [&str; 20] = [
    "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV", "XV", "XVI", "XVII",
    "XVIII", "XIX", "XX",
];
/// What makes a Roman numeral an ordinal.
const ROMAN_ENDINGS: [&str; 9] = ["", "e", "er", "ᵉ", "ème", "ième", "o", "º", "ª"];
/// Numbers up to this one are words in many languages where English has digits.
const SMALL: u32 = 12;

/// A text in which words are looked for.
pub(super) struct Words {
    text: String,
    lower: String,
    table: Option<&'static Table>,
    language: String,
    /// What it has in Chinese numerals, once somebody asked.
    chinese: OnceCell<HashSet<u64>>,
}

impl Words {
    /// `language` is a tag without region and script.
    pub fn of(text: &str, language: &str) -> Self {
        let text: String = folded(text).into_iter().collect();
        // The dotted capital of Turkish leaves a dot of its own behind.
        let lower = text.to_lowercase().replace('\u{307}', "");
        Words { text, lower, table: TABLES.get(language), language: language.to_owned(), chinese: OnceCell::new() }
    }

    /// Whether a value stands there as a word, a Roman or a Chinese numeral.
    pub fn say(&self, value: &str) -> bool {
        if is_common_fraction(value) {
            return self.has("half");
        }
        let Ok(number) = value.parse::<u32>() else { return false };
        self.has(value)
            || self.say_part(number)
            || (self.language != "en" && (self.has_roman(number) || self.chinese().contains(&u64::from(number))))
    }

    /// Whether any number stands there as a word, which may be part of a longer one: `hundertfünfzig`. That for 1 is in
    /// every other sentence, as an article.
    pub fn say_any(&self) -> bool {
        self.table.is_some_and(|table| table.iter().any(|(value, words)| *value != "1" && self.has_any(words)))
            || self.chinese().iter().any(|number| *number > 1)
    }

    /// Whether a value may be in a text that has neither digits nor a word for it: nothing is said of 0, the article
    /// says 1, and of a language whose words are not known here small numbers are taken for said.
    pub fn may_leave_out(&self, value: &str, is_signed: bool) -> bool {
        value.parse::<u32>().is_ok_and(|number| match self.table {
            Some(table) => (number <= 1 && !is_signed) || (number == 2 && table.contains_key("dual")),
            None => number <= SMALL,
        })
    }

    pub fn say_plus(&self) -> bool {
        self.has_any(PLUS)
    }

    pub fn say_minus(&self) -> bool {
        self.has_any(MINUS)
    }

    /// Whether an English text speaks of taking away.
    pub fn say_less(&self) -> bool {
        LESS.iter().any(|word| self.lower.contains(word))
    }

    /// Whether an English text says by a word what a sign says.
    pub fn say_sign(&self) -> bool {
        SIGNED.iter().any(|word| self.lower.contains(word))
    }

    /// Whether a word for a part of a number above those that have words of their own is there: its tens, its ones, so
    /// many hundreds.
    fn say_part(&self, number: u32) -> bool {
        let has = |value: u32| self.has(&value.to_string());
        let (tens, ones) = (number % 100 - number % 10, number % 10);
        number > SMALL
            && ((ones > 1 && has(ones))
                || (tens > 0 && has(tens))
                || (number >= 100 && has(100))
                || (number >= 1000 && has(1000))
                || (number >= 1_000_000 && has(1_000_000)))
    }

    fn has(&self, value: &str) -> bool {
        self.table.and_then(|table| table.get(value)).is_some_and(|words| self.has_any(words))
    }

    fn has_any(&self, words: &str) -> bool {
        let mut parts = words.split_whitespace();
        if ANYWHERE.contains(&self.language.as_str()) {
            return parts.any(|part| self.lower.contains(part));
        }
        parts.any(|part| self.tokens().any(|token| is_called(token, part) || self.is_behind_prefix(token, part)))
    }

    fn tokens(&self) -> impl Iterator<Item = &str> {
        self.lower.split(|c: char| !c.is_alphabetic() && c != '\'').filter(|token| !token.is_empty())
    }

    fn is_behind_prefix(&self, token: &str, part: &str) -> bool {
        let mut rest = token;
        matches!(self.language.as_str(), "ar" | "he")
            && (0..3).any(|_| match rest.strip_prefix(|c| PREFIXES.contains(c)) {
                Some(behind) => {
                    rest = behind;
                    is_called(rest, part)
                }
                None => false,
            })
    }

    fn chinese(&self) -> &HashSet<u64> {
        self.chinese.get_or_init(|| chinese(&self.text).into_iter().collect())
    }

    fn has_roman(&self, number: u32) -> bool {
        let roman = number.checked_sub(1).filter(|below| *below > 0).and_then(|below| ROMAN.get(below as usize));
        let is_numeral =
            |word: &str, roman: &str| word.strip_prefix(roman).is_some_and(|ending| ROMAN_ENDINGS.contains(&ending));
        roman.is_some_and(|roman| self.text.split(|c: char| !c.is_alphabetic()).any(|word| is_numeral(word, roman)))
    }
}

/// Whether a word is what a table calls a number.
fn is_called(word: &str, part: &str) -> bool {
    match part.strip_suffix('-') {
        Some(beginning) => word.starts_with(beginning),
        None if part.chars().count() < LONG => word == part,
        None => word.starts_with(part),
    }
}
