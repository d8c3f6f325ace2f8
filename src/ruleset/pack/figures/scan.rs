//! Finds placeholders, dice and numbers in a text.

use super::fold::folded;
use super::numerals::{Run, fraction, is_common_fraction, multiplier, times_tens};

/// The most letters between the dice and their sides: `2d6`, `2к6`, `2डी6`, `2تاس6`.
const DICE_LETTERS: usize = 4;
/// The most digits that the number of dice, and that of their sides, may have.
const DICE_DIGITS: usize = 4;

/// The most figures that are compared of a text, each of which may be looked for in all of the other. One with more is
/// no text of a game.
const MOST: usize = 60;
/// The most groups of digits that one number has.
const MOST_GROUPS: usize = 8;

/// The placeholders, dice and numbers of a text.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Figures {
    /// `{x}`, `{{x}}`, `${x}`, `%s`, `%1`, `%(name)s`, in alphabetical order.
    pub(super) placeholders: Vec<String>,
    /// In reading order.
    pub(super) dice: Vec<Dice>,
    /// In reading order.
    pub(super) numbers: Vec<Number>,
}

/// Dice: `2d6`, in a translation with any letters for the `d`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Dice {
    /// How many, where that is written.
    pub count: Option<String>,
    /// 100 where `%` is written.
    pub sides: String,
    /// What stands before the number of them.
    pub sign: Option<Sign>,
    pub written: String,
}

/// A number as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Number {
    /// What stands before it.
    pub sign: Option<Sign>,
    /// What stands behind it, where text from right to left has its signs: `2+`.
    pub sign_behind: Option<Sign>,
    /// All that it may mean, the likeliest first.
    pub readings: Vec<Vec<String>>,
    pub written: String,
    /// Whether languages may say it without a number: a common fraction, and minutes behind the hour.
    pub is_part: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Plus,
    Minus,
    /// A dash, which is a minus where one is expected.
    Dash,
}

/// Whose text it is: what a percent sign and a letter mean depends on it.
#[derive(Clone, Copy)]
enum Side<'a> {
    English,
    /// The language's tag without region and script, and the English text's figures.
    Translation(&'a str, &'a Figures),
}

impl Figures {
    pub fn of_english(text: &str) -> Self {
        Scan::over(text, Side::English)
    }

    /// Those of a translation into a language.
    pub fn of_translation(text: &str, language: &str, english: &Figures) -> Self {
        let has_none = english.dice.is_empty() && english.numbers.is_empty() && english.placeholders.is_empty();
        if has_none && !text.contains(['{', '%']) {
            return Figures::default();
        }
        Scan::over(text, Side::Translation(language, english))
    }

    /// Whether `%1` may be a placeholder in a translation of this English text. Some languages write `%5` for 5%.
    fn may_have_placeholder(&self, text: &str) -> bool {
        let digit = |placeholder: &str| placeholder.strip_prefix('%').is_some_and(|name| name.parse::<u8>().is_ok());
        let is_number = |number: &Number| number.written == text[1..];
        self.placeholders.iter().any(|placeholder| placeholder == text)
            || (text.len() == 2
                && self.placeholders.iter().any(|placeholder| digit(placeholder))
                && !self.numbers.iter().any(is_number))
    }

    /// Whether not all of them were looked for, so that none of them can be told to be missing.
    pub fn are_too_many(&self) -> bool {
        self.placeholders.len() + self.dice.len() + self.numbers.len() >= MOST
    }
}

struct Scan<'a> {
    text: Vec<char>,
    at: usize,
    side: Side<'a>,
    /// Where the last dice end, behind which a `-` is a minus, and in a translation at least a dash.
    end_of_dice: Option<usize>,
    found: Figures,
}

impl<'a> Scan<'a> {
    fn over(text: &str, side: Side<'a>) -> Figures {
        let mut scan = Scan { text: folded(text), at: 0, side, end_of_dice: None, found: Figures::default() };
        while scan.at < scan.text.len() && !scan.found.are_too_many() {
            scan.step();
        }
        scan.found.placeholders.sort_unstable();
        scan.found
    }

    fn step(&mut self) {
        let c = self.text[self.at];
        let begins_word = !self.before(self.at).is_some_and(is_of_word);
        if matches!(c, '{' | '%' | '$')
            && let Some(length) = self.placeholder(self.at)
        {
            self.found.placeholders.push(self.text[self.at..self.at + length].iter().collect());
            self.at += length;
        } else if c.is_ascii_digit() {
            if !self.take_dice() {
                self.take_number();
            }
        } else if !(c.is_alphabetic() && begins_word && self.take_dice()) {
            self.at += 1;
        }
    }

    fn before(&self, at: usize) -> Option<char> {
        at.checked_sub(1).map(|before| self.text[before])
    }

    /// The length of the placeholder that stands there: `{name}`, `%s`, `%1$s`, `%.2f`, `%(name)s`, `%1`.
    fn placeholder(&self, at: usize) -> Option<usize> {
        let rest = &self.text[at..];
        let run = |from: usize, is: &dyn Fn(&char) -> bool| rest[from..].iter().take_while(|c| is(c)).count();
        if matches!(rest[0], '{' | '$') {
            return braced(rest);
        }
        // Behind a number it says per cent.
        if self.before(at).is_some_and(|c| c.is_ascii_digit()) {
            return None;
        }
        let named = match rest.get(1) {
            Some('(') => Some(run(2, &is_of_name)).filter(|name| *name > 0 && rest.get(name + 2) == Some(&')'))? + 2,
            _ => 0,
        };
        let flags = 1 + named + run(1 + named, &|c| matches!(c, '+' | '-' | '#' | '$' | '.') || c.is_ascii_digit());
        let is_kind = rest.get(flags).is_some_and(|c| matches!(c, 's' | 'd' | 'i' | 'f' | 'u' | 'x' | '@'));
        if is_kind && !rest.get(flags + 1).is_some_and(|c| c.is_alphanumeric()) {
            return Some(flags + 1);
        }
        let digits = run(1, &char::is_ascii_digit);
        let text: String = rest[..1 + digits].iter().collect();
        let is_meant = match self.side {
            Side::English => true,
            Side::Translation(_, english) => english.may_have_placeholder(&text),
        };
        (named == 0 && (1..=2).contains(&digits) && is_meant).then_some(1 + digits)
    }

    /// Takes the dice that begin here, if they do.
    fn take_dice(&mut self) -> bool {
        let rest = &self.text[self.at..];
        let run = |from: usize, most: usize, is: &dyn Fn(&char) -> bool| {
            rest[from..].iter().take(most + 1).take_while(|c| is(c)).count()
        };
        let count = run(0, DICE_DIGITS, &char::is_ascii_digit);
        let letters = run(count, DICE_LETTERS, &|c| self.is_dice_letter(*c));
        let from = count + letters;
        let sides = run(from, DICE_DIGITS, &char::is_ascii_digit);
        let is_percent = sides == 0
            && letters == 1
            && self.text.get(self.at + from) == Some(&'%')
            && self.placeholder(self.at + from).is_none();
        let end = from + if is_percent { 1 } else { sides };
        if !(1..=self.most_dice_letters()).contains(&letters)
            || count.max(sides) > DICE_DIGITS
            || end == from
            || self.goes_on(self.at + end)
        {
            return false;
        }
        let text = |part: &[char]| part.iter().collect::<String>();
        let value = |part: &[char]| Run { first: text(part), more: Vec::new() }.whole();
        let sides = if is_percent { "100".to_owned() } else { value(&rest[from..end]) };
        let sign = self.sign(self.at).filter(|_| count > 0);
        let count = (count > 0).then(|| value(&rest[..count]));
        let written = text(&rest[..end]);
        self.found.dice.push(Dice { count, sides, sign, written });
        self.at += end;
        self.end_of_dice = Some(self.at);
        true
    }

    fn is_dice_letter(&self, c: char) -> bool {
        if self.has_own_dice() {
            // The signs of vowels are no letters of the alphabet.
            is_of_word(c) && !c.is_numeric() || matches!(c, '\u{93c}'..='\u{94d}')
        } else {
            matches!(c, 'd' | 'D')
        }
    }

    fn most_dice_letters(&self) -> usize {
        if self.has_own_dice() { DICE_LETTERS } else { 1 }
    }

    /// Whether dice may be written with the letters of another language. A translation of a text without dice has none.
    fn has_own_dice(&self) -> bool {
        matches!(self.side, Side::Translation(_, english) if !english.dice.is_empty())
    }

    /// Whether what ends there is the beginning of a word, or of a longer number.
    fn goes_on(&self, at: usize) -> bool {
        let next = |more: usize| self.text.get(at + more).copied();
        let is_longer = next(0).is_some_and(|c| c != ' ' && is_separator(c, self.side));
        next(0).is_some_and(is_of_word) || (is_longer && next(1).is_some_and(|c| c.is_ascii_digit()))
    }

    fn take_number(&mut self) {
        let from = self.at;
        let run = self.run();
        let language = match self.side {
            Side::English => "en",
            Side::Translation(language, _) => language,
        };
        let mut readings = run.readings(language);
        let mut end = self.at;
        if let Some(part) = self.take_fraction(&run) {
            readings.insert(0, vec![part]);
            end = self.at;
        } else if let Some(tens) = multiplier(&self.text[self.at..], language)
            && let [value] = &readings[0][..]
        {
            let scaled = vec![times_tens(value, tens)];
            // Other languages have other words that begin alike.
            let at = if matches!(self.side, Side::English) { 0 } else { readings.len() };
            readings.insert(at, scaled);
            end = self.end_of_word_behind(end);
        }
        let is_minutes = self.before(from) == Some(':') && self.before(from - 1).is_some_and(|c| c.is_ascii_digit());
        let is_part = is_minutes || matches!(&readings[0][..], [value] if is_common_fraction(value));
        let (sign, sign_behind) = (self.sign(from), self.text.get(self.at).and_then(|c| sign(*c)));
        let written = self.text[from..end].iter().collect();
        self.found.numbers.push(Number { sign, sign_behind, readings, written, is_part });
    }

    /// Where the word ends that stands there, with or without a blank before it.
    fn end_of_word_behind(&self, at: usize) -> usize {
        let begin = at + usize::from(self.text.get(at) == Some(&' '));
        begin + 1 + self.text.iter().skip(begin + 1).take_while(|c| is_of_word(**c)).count()
    }

    /// Takes what makes a number a fraction: `/2` behind a 1, `1/2` behind a whole number.
    fn take_fraction(&mut self, run: &Run) -> Option<String> {
        let digits = |from: usize| -> String {
            self.text.get(from..).into_iter().flatten().take(3).take_while(|c| c.is_ascii_digit()).collect()
        };
        let mut at = self.at;
        let (whole, above, below) = match &run.more[..] {
            [] if self.text.get(at) == Some(&'/') => ("0", run.first.clone(), digits(at + 1)),
            [('/', below)] => ("0", run.first.clone(), below.clone()),
            [] if self.text.get(at) == Some(&' ') => {
                let above = digits(at + 1);
                at += 1 + above.len();
                let below = if self.text.get(at) == Some(&'/') { digits(at + 1) } else { String::new() };
                (run.first.as_str(), above, below)
            }
            _ => return None,
        };
        let end = if run.more.is_empty() { at + 1 + below.len() } else { at };
        let value = fraction(whole, (&above, &below))?;
        if self.text.get(end) == Some(&'/') {
            return None;
        }
        self.at = end;
        Some(value)
    }

    /// Takes digits in groups. A blank sets groups of three apart; any other sign only has to stand between digits.
    fn run(&mut self) -> Run {
        let first = self.digits();
        let mut run = Run { first, more: Vec::new() };
        while let Some(separator) = self.text.get(self.at).copied().filter(|c| is_separator(*c, self.side)) {
            let digits = self.text[self.at + 1..].iter().take_while(|c| c.is_ascii_digit()).count();
            let is_too_long = run.first.len() > 3 || run.first.starts_with('0');
            if digits == 0 || run.more.len() == MOST_GROUPS || (separator == ' ' && (digits != 3 || is_too_long)) {
                break;
            }
            self.at += 1;
            let digits = self.digits();
            run.more.push((separator, digits));
        }
        run
    }

    fn digits(&mut self) -> String {
        let digits: String = self.text[self.at..].iter().take_while(|c| c.is_ascii_digit()).collect();
        self.at += digits.len();
        digits
    }

    /// The sign before what begins here. A `-` between words is none, but that of `d20-1` is.
    fn sign(&self, at: usize) -> Option<Sign> {
        let sign_at = at.checked_sub(1)?;
        if self.text[sign_at] == ' ' {
            return (self.before(sign_at) == Some('+')).then_some(Sign::Plus);
        }
        let sign = sign(self.text[sign_at])?;
        match (sign, self.side) {
            (Sign::Plus, _) => Some(sign),
            (_, Side::Translation(..)) if Some(sign_at) == self.end_of_dice => Some(Sign::Dash),
            _ if Some(sign_at) == self.end_of_dice => Some(sign),
            _ => (!self.before(sign_at).is_some_and(is_of_word)).then_some(sign),
        }
    }
}

/// The length of `{name}`, `{{name}}` or `${name}`.
fn braced(rest: &[char]) -> Option<usize> {
    let run = |from: usize, most: usize, is: &dyn Fn(&char) -> bool| {
        rest.iter().skip(from).take(most).take_while(|c| is(c)).count()
    };
    let dollar = run(0, 1, &|c| *c == '$');
    let braces = run(dollar, 2, &|c| *c == '{');
    let name = run(dollar + braces, rest.len(), &is_of_name);
    let closing = run(dollar + braces + name, braces, &|c| *c == '}');
    (braces > 0 && name > 0 && closing == braces).then_some(dollar + braces + name + closing)
}

fn is_of_name(c: &char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-' | ':')
}

/// Whether this is part of a word or number. Chinese and Japanese set no blank between words, so theirs bind nothing.
fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() && !matches!(c, '\u{2e80}'..='\u{abff}' | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9f}')
}

fn sign(c: char) -> Option<Sign> {
    match c {
        '+' => Some(Sign::Plus),
        '-' => Some(Sign::Minus),
        '–' | '—' => Some(Sign::Dash),
        _ => None,
    }
}

fn is_separator(c: char, side: Side<'_>) -> bool {
    matches!(c, ',' | '.' | '\'' | '٬' | '٫' | ' ') || (c == '/' && matches!(side, Side::Translation("fa", _)))
}
