//! Holds the figures of a translation against those of its English text.

use super::scan::{Dice, Figures, Number, Sign};
use super::words::Words;

/// What a translation changes, each in words that follow "the translation".
#[derive(Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Differences {
    pub placeholder: Option<String>,
    pub dice: Option<String>,
    pub number: Option<String>,
}

/// What a translation into a language changes in the figures of an English text (docs/spec/checks.md#figures).
pub(in super::super) fn differences(
    english: &str,
    figures: &Figures,
    translation: &str,
    language: &str,
) -> Differences {
    let theirs = Figures::of_translation(translation, language, figures);
    if figures.are_too_many() || theirs.are_too_many() {
        return Differences::default();
    }
    let placeholder = changed_placeholder(&figures.placeholders, &theirs.placeholders);
    if figures.dice.is_empty() && figures.numbers.is_empty() {
        return Differences { placeholder, ..Differences::default() };
    }
    let texts = Texts { english: Words::of(english, "en"), translation: Words::of(translation, language) };
    let mut left = Left::of(&theirs);
    let dice = changed_dice(&figures.dice, &mut left, &texts);
    if dice.is_none() {
        left.dice_are_numbers();
    }
    Differences { placeholder, dice, number: changed_number(&figures.numbers, left, &texts) }
}

/// Both texts, where words are looked for.
struct Texts {
    english: Words,
    translation: Words,
}

/// The dice and numbers of a translation that nothing in the English text was found for yet.
struct Left<'a> {
    dice: Vec<&'a Dice>,
    numbers: Vec<Written<'a>>,
}

struct Written<'a> {
    signs: [Option<Sign>; 2],
    readings: &'a [Vec<String>],
    written: &'a str,
    /// The number of dice, or of their sides.
    of_dice: Vec<String>,
}

impl<'a> Left<'a> {
    fn of(figures: &'a Figures) -> Self {
        let written = |number: &'a Number| Written {
            signs: [number.sign, number.sign_behind],
            readings: &number.readings,
            written: &number.written,
            of_dice: Vec::new(),
        };
        Left { dice: figures.dice.iter().collect(), numbers: figures.numbers.iter().map(written).collect() }
    }

    fn take_number(&mut self, value: &str) -> bool {
        let at = self.numbers.iter().position(|number| number.readings.iter().any(|reading| *reading == [value]));
        at.map(|at| self.numbers.remove(at)).is_some()
    }

    fn take_dice(&mut self, is: impl Fn(&Dice) -> bool) -> bool {
        let at = self.dice.iter().position(|dice| is(dice));
        at.map(|at| self.dice.remove(at)).is_some()
    }

    /// What looked like dice is a letter beside a number: `B2`, `x3`.
    fn dice_are_numbers(&mut self) {
        self.numbers.extend(self.dice.drain(..).map(|dice| Written {
            signs: [dice.sign, None],
            readings: &[],
            written: &dice.written,
            of_dice: dice.count.iter().cloned().chain([dice.sides.clone()]).collect(),
        }));
    }
}

fn changed_placeholder(ours: &[String], theirs: &[String]) -> Option<String> {
    if let Some(lost) = first_without_match(ours, theirs) {
        return Some(format!("does not have the placeholder `{lost}`"));
    }
    first_without_match(theirs, ours).map(|added| format!("has an extra placeholder `{added}`"))
}

/// The first of `these` that has no equal left among `those`; both are sorted.
fn first_without_match<'a>(these: &'a [String], those: &[String]) -> Option<&'a str> {
    let mut those = those.iter().peekable();
    these.iter().map(String::as_str).find(|this| {
        while those.next_if(|that| that.as_str() < *this).is_some() {}
        those.next_if(|that| that.as_str() == *this).is_none()
    })
}

fn changed_dice(ours: &[Dice], left: &mut Left<'_>, texts: &Texts) -> Option<String> {
    let lost: Vec<&Dice> = ours
        .iter()
        .filter(|dice| {
            let count = dice.count.as_deref().unwrap_or("1");
            !left.take_dice(|other| other.sides == dice.sides && other.count.as_deref().unwrap_or("1") == count)
        })
        .collect();
    let lost = lost.into_iter().find(|dice| !is_spelled_out(dice, left, texts))?;
    Some(match left.dice.first() {
        Some(other) => format!("has `{}`, but the English text has the dice `{}`", other.written, lost.written),
        None => format!("does not have the dice `{}`", lost.written),
    })
}

/// Whether the number of dice and that of their sides stand apart: `6面ダイス2個`, `два d6`.
fn is_spelled_out(dice: &Dice, left: &mut Left<'_>, texts: &Texts) -> bool {
    let count = dice.count.as_deref().filter(|count| *count != "1");
    let mut is_there = |value: &str, left: &mut Left<'_>| left.take_number(value) || texts.translation.say(value);
    let is_counted = |left: &mut Left<'_>, is_there: &mut dyn FnMut(&str, &mut Left<'_>) -> bool| {
        count.is_none_or(|count| is_there(count, left))
    };
    if left.dice.iter().any(|other| other.sides == dice.sides && other.count.is_none()) {
        return is_counted(left, &mut is_there) && left.take_dice(|other| other.sides == dice.sides);
    }
    is_there(&dice.sides, left) && is_counted(left, &mut is_there)
}

/// A number of the English text that was not found yet.
#[derive(Clone, Copy)]
struct Sought<'a> {
    sign: Option<Sign>,
    value: &'a str,
    written: &'a str,
    is_part: bool,
}

fn changed_number(ours: &[Number], left: Left<'_>, texts: &Texts) -> Option<String> {
    let mut sought: Vec<Sought<'_>> = ours.iter().flat_map(sought).collect();
    let mut found: Vec<&str> = Vec::new();
    let mut others: Vec<&str> = Vec::new();
    let mut wrong_sign = None;
    for written in &left.numbers {
        let mut signs = written.signs;
        for value in best_reading(written, &sought) {
            match taken(&mut sought, value, signs) {
                Some(wanted) => {
                    found.push(wanted.value);
                    wrong_sign =
                        wrong_sign.or(changed_sign(wanted.sign, signs, texts).map(|why| format!("{why} {value}")));
                }
                // One that English has as a word is none of the translation's own.
                None if texts.english.say(value) => {}
                None => others.push(written.written),
            }
            signs = [None; 2];
        }
    }
    lost_or_changed(&sought, &found, &others, texts).or(wrong_sign)
}

/// The values of an English number; a sign belongs to the first.
fn sought(number: &Number) -> impl Iterator<Item = Sought<'_>> {
    let values = number.readings.first().map_or(&[][..], Vec::as_slice);
    values.iter().enumerate().map(|(at, value)| Sought {
        sign: number.sign.filter(|_| at == 0),
        value,
        written: if values.len() == 1 { &number.written } else { value },
        is_part: number.is_part,
    })
}

/// What a number of a translation means, where it may mean several things: that which says most of what is sought.
fn best_reading<'a>(written: &'a Written<'_>, sought: &[Sought<'_>]) -> &'a [String] {
    let found =
        |reading: &[String]| reading.iter().filter(|value| sought.iter().any(|one| one.value == **value)).count();
    let mut best = (0, written.readings.first().unwrap_or(&written.of_dice));
    for reading in written.readings {
        let found = found(reading);
        if found > best.0 && (found == reading.len() || best.0 == 0) {
            best = (found, reading);
        }
    }
    best.1
}

/// Takes a value out of those sought, one with the same sign where there is one.
fn taken<'a>(sought: &mut Vec<Sought<'a>>, value: &str, signs: [Option<Sign>; 2]) -> Option<Sought<'a>> {
    let of_value = |one: &Sought<'_>| one.value == value;
    let mut alike = signs.iter().filter_map(|sign| sought.iter().position(|one| of_value(one) && one.sign == *sign));
    let at = alike.next().or_else(|| sought.iter().position(of_value))?;
    Some(sought.remove(at))
}

/// What is wrong with the sign of a number that is there, in words that the number follows.
fn changed_sign(wanted: Option<Sign>, signs: [Option<Sign>; 2], texts: &Texts) -> Option<String> {
    let has = |sign| signs.contains(&Some(sign));
    let says = |word: bool| word || texts.english.say_sign();
    match wanted {
        Some(sign) if has(sign) => None,
        Some(Sign::Plus) if has(Sign::Minus) => Some("has a minus, but the English text has a plus, before".to_owned()),
        Some(Sign::Plus) if !says(texts.translation.say_plus()) => Some("does not have the plus before".to_owned()),
        Some(Sign::Minus) if has(Sign::Plus) => Some("has a plus, but the English text has a minus, before".to_owned()),
        Some(Sign::Minus) if !has(Sign::Dash) && !says(texts.translation.say_minus()) => {
            Some("does not have the minus before".to_owned())
        }
        None if signs[0] == Some(Sign::Minus) && !texts.english.say_less() => {
            Some("has a minus, but the English text has none, before".to_owned())
        }
        _ => None,
    }
}

/// `sought` was not found in digits, `found` was; `others` are in the translation instead.
fn lost_or_changed(sought: &[Sought<'_>], found: &[&str], others: &[&str], texts: &Texts) -> Option<String> {
    let Some(other) = others.first() else {
        if texts.translation.say_any() {
            return None;
        }
        // What is said once for two that are equal is not lost.
        let is_lost = |one: &&Sought<'_>| {
            !one.is_part
                && !texts.translation.say(one.value)
                && !found.contains(&one.value)
                && !texts.translation.may_leave_out(one.value, one.sign.is_some())
        };
        return sought.iter().find(is_lost).map(|lost| format!("does not have the number `{}`", lost.written));
    };
    // The word for 1 is in every other sentence, as an article.
    let is_said = |one: &Sought<'_>| one.value != "1" && texts.translation.say(one.value);
    // `1/2` may be one of two.
    let is_apart = |one: &Sought<'_>| one.is_part && one.written.split('/').all(|part| others.contains(&part));
    let lost = sought.iter().find(|one| !is_said(one) && !is_apart(one))?;
    Some(format!("has the number `{other}`, but the English text has `{}`", lost.written))
}
