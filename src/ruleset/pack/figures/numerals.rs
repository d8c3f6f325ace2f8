//! What a run of digits and separators may mean. Values are texts: European digits without zeros that say nothing, and
//! a point before decimals.

/// A run of digits: the first group, then each further one with what stands before it.
#[derive(Debug)]
pub(super) struct Run {
    pub first: String,
    pub more: Vec<(char, String)>,
}

/// Languages that write decimals with a point, by CLDR. Elsewhere a comma parts them, and a point as in English is no
/// fault of the translation.
const POINT: [&str; 31] = [
    "am", "bn", "cy", "en", "fil", "ga", "gsw", "gu", "ha", "he", "hi", "ig", "ja", "kn", "ko", "ml", "mr", "ms", "my",
    "ne", "or", "pa", "si", "so", "sw", "ta", "te", "th", "ur", "yo", "zh",
];

/// What stands between the whole and its decimals in a language.
fn decimal_marks(language: &str) -> &'static [char] {
    match language {
        "fa" => &['.', ',', '٫', '/'],
        _ if POINT.contains(&language) => &['.'],
        _ => &['.', ',', '٫'],
    }
}

/// What may follow a number and multiply it by so many tens; a word that another begins with comes after it.
const MULTIPLIERS: [(usize, &str); 6] = [
    (8, "億 亿 억"),
    (6, "million млн миллион мільйон mln milion milh millón millon milyon mio مليون ملايين میلیون מיליון मिलियन"),
    (5, "लाख"),
    (4, "万 萬 만"),
    (3, "thousand тыс тис tys tis mil tausend tsd bin ألف آلاف الف هزار אלף אלפ हज़ार हजार 千 천"),
    (2, "百 백"),
];

impl Run {
    /// All it may mean in a language, each a list of values; what it most likely means comes first. In English a comma
    /// groups and a point parts decimals.
    pub fn readings(&self, language: &str) -> Vec<Vec<String>> {
        let mut readings: Vec<Vec<String>> = Vec::new();
        for mark in decimal_marks(language) {
            readings.extend(self.value(*mark).map(|value| vec![value]).filter(|value| !readings.contains(value)));
        }
        let apart = [&self.first].into_iter().chain(self.more.iter().map(|(_, digits)| digits));
        let apart: Vec<String> = apart.map(|digits| plain(digits, "")).collect();
        if !readings.contains(&apart) {
            readings.push(apart);
        }
        readings
    }

    /// Its digits as one whole number.
    pub fn whole(&self) -> String {
        plain(&self.first, "")
    }

    /// The one value it is where this sign parts decimals and every other one groups digits.
    fn value(&self, mark: char) -> Option<String> {
        let (groups, decimals) = match self.more.split_last() {
            Some(((sign, digits), groups)) if *sign == mark => (groups, digits.as_str()),
            _ => (&self.more[..], ""),
        };
        let is_group = |(at, (sign, digits)): (usize, &(char, String))| {
            let is_last = at + 1 == groups.len();
            *sign != mark
                && *sign != '/'
                && *sign == groups[0].0
                && (digits.len() == 3 || (!is_last && digits.len() == 2))
        };
        if !groups.iter().enumerate().all(is_group) || (!groups.is_empty() && self.first.len() > 3) {
            return None;
        }
        let whole = groups.iter().fold(self.first.clone(), |whole, (_, digits)| whole + digits);
        Some(plain(&whole, decimals))
    }
}

fn plain(whole: &str, decimals: &str) -> String {
    let (whole, decimals) = (whole.trim_start_matches('0'), decimals.trim_end_matches('0'));
    let whole = if whole.is_empty() { "0" } else { whole };
    if decimals.is_empty() { whole.to_owned() } else { format!("{whole}.{decimals}") }
}

/// By how many tens a number is multiplied by what follows it. English words alone do in English, where `mil` begins
/// `miles`.
pub(super) fn multiplier(after: &[char], language: &str) -> Option<usize> {
    let after = after.strip_prefix(&[' ']).unwrap_or(after);
    let begins = |word: &str| {
        let mut letters = after.iter().flat_map(|c| c.to_lowercase());
        word.chars().all(|wanted| letters.next() == Some(wanted))
    };
    let is_known = |word: &str| language != "en" || matches!(word, "million" | "thousand");
    let of_word = |words: &str| words.split(' ').any(|word| is_known(word) && begins(word));
    MULTIPLIERS.iter().find(|(_, words)| of_word(words)).map(|(tens, _)| *tens)
}

/// A value times ten, so many times.
pub(super) fn times_tens(value: &str, tens: usize) -> String {
    let (whole, decimals) = value.split_once('.').unwrap_or((value, ""));
    let shifted: String = decimals.chars().chain(std::iter::repeat('0')).take(tens).collect();
    plain(&format!("{whole}{shifted}"), decimals.get(tens..).unwrap_or_default())
}

/// The value of a part of a whole, with the whole number before it: 1 and 1/2 is 1.5. Other slashes than those of
/// the parts that have a word of their own stand between two numbers.
pub(super) fn fraction(whole: &str, part: (&str, &str)) -> Option<String> {
    let decimals = match part {
        ("1", "2") => "5",
        ("1", "4") => "25",
        ("3", "4") => "75",
        ("1", "8") => "125",
        ("1", "3") => return Some(format!("{} 1/3", plain(whole, ""))),
        ("2", "3") => return Some(format!("{} 2/3", plain(whole, ""))),
        _ => return None,
    };
    Some(plain(whole, decimals))
}

/// Whether languages have words for what a value has behind its whole number.
pub(super) fn is_common_fraction(value: &str) -> bool {
    let part = value.split_once('.').map(|(_, decimals)| decimals);
    part.map_or(value.contains('/'), |part| matches!(part, "5" | "25" | "75" | "125"))
}

/// The numbers a text has in Chinese numerals, also with digits between them: `三十六` is 36, `1万2千` 12000. What is above
/// a million million is no number of a game.
pub(super) fn chinese(text: &str) -> Vec<u64> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(|c| digit_or_unit(c).is_some()) {
        let numeral = &rest[at..];
        let is_of_it = |c: char| digit_or_unit(c).is_some() || c == ',';
        let end = numeral.find(|c| !is_of_it(c)).unwrap_or(numeral.len());
        let (numeral, behind) = numeral.split_at(end);
        // Digits alone are no such numeral, and the Korean units are syllables of other words.
        let is_unit_of_korean = |c: char| matches!(c, '만' | '천' | '백');
        if !numeral.chars().all(|c| c.is_ascii_digit() || c == ',') && !numeral.chars().all(is_unit_of_korean) {
            found.extend(value_of(numeral));
            found.extend(value_short(numeral));
        }
        rest = behind;
    }
    found
}

fn digit_or_unit(c: char) -> Option<u64> {
    const DIGITS: [&str; 10] = ["〇零", "一", "二两兩双雙", "三", "四", "五", "六", "七", "八", "九"];
    let digit = DIGITS.iter().position(|digits| digits.contains(c)).map(|digit| digit as u64);
    digit.or(c.to_digit(10).map(u64::from)).or(match c {
        '十' => Some(10),
        '百' | '백' => Some(100),
        '千' | '천' => Some(1000),
        '万' | '萬' | '만' => Some(10_000),
        _ => None,
    })
}

/// What a last digit behind a unit means in short: `一百五` is 150.
fn value_short(numeral: &str) -> Option<u64> {
    let mut from_end = numeral.chars().rev().map(digit_or_unit);
    let (digit, unit) = (from_end.next()??, from_end.next()??);
    let is_short = (1..=9).contains(&digit) && unit >= 100;
    is_short.then(|| value_of(numeral)?.checked_add(digit * (unit / 10 - 1)))?
}

fn value_of(numeral: &str) -> Option<u64> {
    let (mut all, mut below, mut digit) = (0_u64, 0_u64, None);
    for value in numeral.chars().filter_map(digit_or_unit) {
        match value {
            0..=9 => digit = Some(digit.unwrap_or(0_u64).checked_mul(10)?.checked_add(value)?),
            10_000 => {
                all = all.checked_add(below.checked_add(digit.take().unwrap_or(0))?.max(1).checked_mul(value)?)?;
                below = 0;
            }
            _ => below = below.checked_add(digit.take().unwrap_or(1).checked_mul(value)?)?,
        }
    }
    all.checked_add(below)?.checked_add(digit.unwrap_or(0))
}
