//! Placeholders and numbers, which a translation keeps.

use std::collections::HashMap;

/// Where the ten digits of a script begin, of those that write numbers as decimal digits beside the European ones.
const ZEROS: [u32; 24] = [
    0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0de6, 0x0e50,
    0x0ed0, 0x0f20, 0x1040, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1b50, 0xa9d0, 0xff10,
];

/// What sets groups of digits apart, in one language or another: the blanks are an ordinary one, the two that do not break
/// and a thin one.
const SEPARATORS: [char; 10] = [',', '.', '\'', '’', '٬', '٫', ' ', '\u{a0}', '\u{202f}', '\u{2009}'];

/// Numbers up to this one are often written as words.
const WORDS_UP_TO: u32 = 12;

/// The placeholders and numbers of a text.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Figures {
    /// `{name}` and `%s`, in alphabetical order.
    placeholders: Vec<String>,
    /// In reading order.
    numbers: Vec<Number>,
    /// The digits of all numbers in one, so that `1,00,000` is `100000`.
    digits: String,
}

/// A run of decimal digits, in European ones and without leading zeros; that of `1,000` is the one of `1 000` and `1000`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Number {
    digits: String,
    /// Written as `$1` is, so that no word can stand for it.
    bound: bool,
}

impl Figures {
    pub fn of(text: &str) -> Self {
        let mut figures = Figures::default();
        let (mut at, mut end_of_last) = (0, 0);
        while let Some(next) = text[at..].find(|c| matches!(c, '{' | '%') || digit(c).is_some()) {
            at += next;
            let rest = &text[at..];
            let Some(first) = rest.chars().next() else { break };
            let length = if let Some(length) = placeholder(rest) {
                figures.placeholders.push(rest[..length].to_owned());
                length
            } else if digit(first).is_some() {
                let (written, length) = number(rest);
                // Of `1万` only the whole is a number, and that stands in words.
                if !rest[length..].starts_with(is_chinese_unit) {
                    let digits = written.trim_start_matches('0');
                    let digits = if digits.is_empty() { "0" } else { digits };
                    // Behind a point or comma a zero in front counts.
                    let digits = if is_separator(&text[end_of_last..at]) { &written } else { digits };
                    figures.digits += digits;
                    figures.numbers.push(Number { digits: digits.to_owned(), bound: text[..at].ends_with('$') });
                }
                end_of_last = at + length;
                length
            } else {
                first.len_utf8()
            };
            at += length;
        }
        figures.placeholders.sort_unstable();
        figures
    }

    /// What a translation of this text changes in them, in words that follow "the translation".
    ///
    /// Numbers are compared as multisets of their digits, whatever script these are in (`٣` is 3), and whatever
    /// separates their thousands. Languages write small numbers as words where English does not, and the other way
    /// round, so a number is missed only when another stands in its place, or when it is above twelve and no Chinese
    /// numeral is there to stand for it; and one that English has no digits for may always be added.
    pub fn changed_by(&self, translation: &str) -> Option<String> {
        let theirs = Figures::of(translation);
        if let Some(lost) = first_without_match(&self.placeholders, &theirs.placeholders) {
            return Some(format!("lacks the placeholder `{lost}`"));
        }
        if let Some(added) = first_without_match(&theirs.placeholders, &self.placeholders) {
            return Some(format!("has a placeholder `{added}` of its own"));
        }
        self.changed_number(&theirs, translation)
    }

    fn changed_number(&self, theirs: &Figures, translation: &str) -> Option<String> {
        if self.digits == theirs.digits {
            return None;
        }
        let lost = unmatched(&self.numbers, &theirs.numbers);
        let added = unmatched(&theirs.numbers, &self.numbers);
        if let (Some(lost), Some(added)) = (lost.first(), added.first()) {
            return Some(format!("has the number {}, where the English text has {}", added.digits, lost.digits));
        }
        let in_words = |number: &Number| {
            let small = number.digits.parse::<u32>().is_ok_and(|number| number <= WORDS_UP_TO);
            !number.bound && (small || translation.contains(is_chinese_numeral))
        };
        let lost = lost.into_iter().find(|number| !in_words(number))?;
        Some(format!("lacks the number {}", lost.digits))
    }
}

/// The length of the placeholder that the text begins with: `{name}`, `{0}`, `%s`, `%1$s`.
fn placeholder(text: &str) -> Option<usize> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    if let Some(rest) = text.strip_prefix('{') {
        let name = rest.find(|c| !is_name(c))?;
        return (name > 0 && rest[name..].starts_with('}')).then_some(name + 2);
    }
    let rest = text.strip_prefix('%')?;
    let index = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let rest = match index {
        0 => rest,
        _ => rest[index..].strip_prefix('$')?,
    };
    let mut kind = rest.chars();
    let is_kind = kind.next().is_some_and(|c| matches!(c, 's' | 'd' | 'i' | 'f' | 'u' | '@'));
    let ends = kind.next().is_none_or(|c| !c.is_alphanumeric());
    (is_kind && ends).then(|| text.len() - rest.len() + 1)
}

fn digit(c: char) -> Option<char> {
    if c.is_ascii() {
        return c.is_ascii_digit().then_some(c);
    }
    let code = u32::from(c);
    let zero = ZEROS[..ZEROS.partition_point(|zero| *zero <= code)].last()?;
    char::from_digit(code - zero, 10)
}

/// The number that the text begins with: its digits as European ones, zeros in front included, and its length. Groups of
/// three belong to the number before them.
fn number(text: &str) -> (String, usize) {
    let (mut digits, mut length) = digits_of(text);
    if digits.len() > 3 || digits.starts_with('0') {
        return (digits, length);
    }
    while let Some(separator) = text[length..].chars().next().filter(|c| SEPARATORS.contains(c)) {
        let group = length + separator.len_utf8();
        let (more, more_length) = digits_of(&text[group..]);
        if more.len() != 3 {
            break;
        }
        digits += &more;
        length = group + more_length;
    }
    (digits, length)
}

fn digits_of(text: &str) -> (String, usize) {
    let length = text.find(|c| digit(c).is_none()).unwrap_or(text.len());
    (text[..length].chars().filter_map(digit).collect(), length)
}

fn is_separator(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(|c| SEPARATORS.contains(&c)) && characters.next().is_none()
}

fn is_chinese_unit(c: char) -> bool {
    "百千万萬亿億".contains(c)
}

fn is_chinese_numeral(c: char) -> bool {
    "〇零一二两兩三四五六七八九十百千万萬".contains(c)
}

/// The first of `these` that has no equal left among `those`; both are sorted.
fn first_without_match<'a>(these: &'a [String], those: &[String]) -> Option<&'a str> {
    let mut those = those.iter().peekable();
    these.iter().map(String::as_str).find(|this| {
        while those.next_if(|that| that.as_str() < *this).is_some() {}
        those.next_if(|that| that.as_str() == *this).is_none()
    })
}

/// Those of `these` that have no equal left among `those`.
fn unmatched<'a>(these: &'a [Number], those: &[Number]) -> Vec<&'a Number> {
    let mut left: HashMap<&str, usize> = HashMap::with_capacity(those.len());
    for that in those {
        *left.entry(&that.digits).or_default() += 1;
    }
    let mut is_alone = |this: &&Number| match left.get_mut(this.digits.as_str()) {
        Some(count @ 1..) => {
            *count -= 1;
            false
        }
        _ => true,
    };
    these.iter().filter(|this| is_alone(this)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn changed(english: &str, translation: &str) -> Option<String> {
        Figures::of(english).changed_by(translation)
    }

    #[test]
    fn what_says_the_same_is_not_minded() {
        for (english, translation) in [
            ("Heals 3 Grit.", "Возвращает 3 Выдержки."),
            ("Heals 3 Grit.", "يشفي ٣"),
            ("Heals 3 Grit.", "３点"),
            ("Deals 2d6", "2к6 урона"),
            ("Deals 1d6", "d6 Schaden"),
            ("Spend 1 Grit to give 3 back", "За 1 Выдержку верните 3"),
            ("From 3 to 5", "Bis 5, ab 3"),
            ("Pay 1,000 or 1000", "1 000 oder 1000"),
            ("Heals 1,000", "Heilt 1000"),
            ("Heals 1,000", "Heilt 1’000"),
            ("Heals 1050", "Heilt 1.050"),
            ("Heals 100000", "1,00,000"),
            ("Pay 1,050,000 for 3", "Za 3 — 1 050 000"),
            ("10,000 coins", "1万枚"),
            ("1.50 paces", "1,50 Schritte"),
            ("Roll 2 dice", "Wirf zwei Würfel"),
            ("Within 30 feet", "三十尺之内"),
            ("Twenty paces of it", "20 шагов"),
            ("Once", "1 раз"),
            ("Room 007", "Zimmer 7"),
            ("{name} has {count}", "{count} у {name}"),
            ("{0} of {1}", "{1} / {0}"),
            ("%s hits %1$s", "%1$s <- %s"),
            ("Pay $1", "1 доллар"),
            ("50% more dust", "на 50 % больше"),
            ("50% done", "сделано 50%"),
            ("{ a b }", "( а б )"),
            ("100%", "100 %"),
        ] {
            assert_eq!(changed(english, translation), None, "{english} / {translation}");
        }
    }

    #[test]
    fn what_was_changed_lost_or_added_is_told() {
        for (english, translation, told) in [
            ("Heals 3 Grit.", "Возвращает 4 Выдержки.", "has the number 4, where the English text has 3"),
            ("Deals 1d6", "1d8", "has the number 8, where the English text has 6"),
            ("3 and 3", "3 и 2", "has the number 2, where the English text has 3"),
            ("Heals 3", "يشفي ٤", "has the number 4, where the English text has 3"),
            ("Within 30 feet", "In der Nähe", "lacks the number 30"),
            ("Heals 1,000", "Heilt 10", "has the number 10, where the English text has 1000"),
            ("Heals 10", "Heilt 1.000", "has the number 1000, where the English text has 10"),
            ("2.05 paces", "2,5 Schritte", "has the number 5, where the English text has 05"),
            ("Take $1", "Возьмите", "lacks the number 1"),
            ("{name} falls", "{имя} падает", "lacks the placeholder `{name}`"),
            ("{name} hits {name}", "{name} бьёт", "lacks the placeholder `{name}`"),
            ("%s falls", "падает", "lacks the placeholder `%s`"),
            ("Falls", "{name} падает", "has a placeholder `{name}` of its own"),
        ] {
            assert_eq!(changed(english, translation).as_deref(), Some(told), "{english} / {translation}");
        }
    }

    #[test]
    fn every_script_with_digits_of_its_own_is_read() {
        for zero in ZEROS {
            for (value, code) in (zero..zero + 10).enumerate() {
                let digit = char::from_u32(code).unwrap();
                assert_eq!(Figures::of(&format!("ж{digit}点")), Figures::of(&value.to_string()), "{code:x}");
            }
        }
    }

    proptest! {
        #[test]
        fn no_text_panics_and_a_text_keeps_its_own(text in "[a{}%$s0-9٣二 .,]{0,20}|\\PC{0,20}", other: String) {
            prop_assert_eq!(changed(&text, &text), None);
            let _ = changed(&text, &other);
        }
    }
}
