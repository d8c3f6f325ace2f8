//! Numbers and signs that are written as words.

use super::numerals::chinese;
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

/// What a language calls a value: parts of its words, with blanks between them.
type Table = HashMap<&'static str, &'static str>;

fn table(words: &'static str) -> Table {
    let of_value = |entry: &'static str| entry.trim().split_once(' ').unwrap_or((entry.trim(), ""));
    words.split(';').map(of_value).collect()
}

const PLUS: &str = "plus плюс más mais piu più 加 プラス 플러스 زائد بعلاوه به‌علاوه اضافه פלוס ועוד प्लस धन artı ekle";
const MINUS: &str = "minus минус мінус menos meno moins 减 減 マイナス 마이너스 ناقص منفی منهای מינוס माइनस ऋण eksi −";
/// What says in English that a number is taken away.
const LESS: [&str; 14] = [
    "lose", "loss", "minus", "penalt", "reduc", "less", "subtract", "down", "negativ", "lower", "fewer", "decreas",
    "deduct", "below",
];
const ROMAN: [&str; 20] = [
    "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV", "XV", "XVI", "XVII",
    "XVIII", "XIX", "XX",
];
/// Numbers up to this one are words in many languages where English has digits.
const SMALL: u32 = 12;

/// A text in which words are looked for.
pub(super) struct Words {
    text: String,
    lower: String,
    table: Option<&'static Table>,
    is_english: bool,
    /// What it has in Chinese numerals, once somebody asked.
    chinese: OnceCell<HashSet<u64>>,
}

impl Words {
    pub fn english(text: &str) -> Self {
        Words { is_english: true, ..Words::of(text, "en") }
    }

    /// `language` is a tag without region and script.
    pub fn of(text: &str, language: &str) -> Self {
        let table = TABLES.get(language);
        // The dotted capital of Turkish leaves a dot of its own behind.
        let lower = text.to_lowercase().replace('\u{307}', "");
        Words { text: text.to_owned(), lower, table, is_english: false, chinese: OnceCell::new() }
    }

    /// Whether a value stands there as a word, a Roman or a Chinese numeral.
    pub fn say(&self, value: &str) -> bool {
        if matches!(value, "0.5" | "1.5" | "2.5") {
            return self.has("half");
        }
        let Ok(number) = value.parse::<u32>() else { return false };
        self.has(value)
            || self.say_in_parts(number)
            || (!self.is_english && (self.has_roman(number) || self.chinese().contains(&u64::from(number))))
    }

    /// Whether a value may be in a text that has neither digits nor a word for it: nothing is said of 0, the article
    /// says 1, and of a language whose words are not known here small numbers are taken for said.
    pub fn may_leave_out(&self, value: &str) -> bool {
        value.parse::<u32>().is_ok_and(|number| match self.table {
            Some(table) => number <= 1 || (number == 2 && table.contains_key("dual")),
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

    /// Tens and ones, or so many hundreds or thousands.
    fn say_in_parts(&self, number: u32) -> bool {
        let has = |value: u32| self.has(&value.to_string());
        let ones = number % 10;
        match number {
            0..=12 => false,
            13..=19 => has(ones),
            20..=99 => ones > 0 && has(ones) && has(number - ones),
            _ if number.is_multiple_of(1000) => has(1000),
            _ => number.is_multiple_of(100) && has(100),
        }
    }

    fn has(&self, value: &str) -> bool {
        self.table.and_then(|table| table.get(value)).is_some_and(|words| self.has_any(words))
    }

    fn has_any(&self, words: &str) -> bool {
        words.split(' ').any(|part| match self.is_english {
            // Its words begin with what they are called by, and `ten` is in `often`.
            true => self.lower.split(|c: char| !c.is_alphabetic()).any(|word| word.starts_with(part)),
            false => self.lower.contains(part),
        })
    }

    fn chinese(&self) -> &HashSet<u64> {
        self.chinese.get_or_init(|| chinese(&self.text).into_iter().collect())
    }

    fn has_roman(&self, number: u32) -> bool {
        let roman = number.checked_sub(1).filter(|below| *below > 0).and_then(|below| ROMAN.get(below as usize));
        roman.is_some_and(|roman| self.text.split(|c: char| !c.is_alphabetic()).any(|word| word == *roman))
    }
}
