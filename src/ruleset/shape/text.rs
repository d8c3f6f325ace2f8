//! What text looks like (docs/spec/checks.md#ground-rules).

use super::language::Form;
use crate::types::{Rule, codes};

/// What is wrong with text of a form.
#[derive(Debug, PartialEq, Eq)]
pub struct Fault {
    pub code: &'static Rule,
    /// What it holds, or what is wanted: `holds a line break, …`.
    pub why: String,
}

impl Form {
    /// The first thing wrong with the text. Length is no matter of a form.
    pub fn fault(self, text: &str) -> Option<Fault> {
        match self {
            Form::Free => None,
            Form::Safe => unsafe_in_prompts(text),
            Form::SafeUnquoted => unsafe_in_prompts(text).or_else(|| {
                let why = "contains `\"`, which would end the quoted value in a prompt".to_owned();
                text.contains('"').then_some(Fault { code: codes::UNSAFE_TEXT, why })
            }),
            Form::Catalog => unsafe_in_catalogs(text),
            Form::SheetId => {
                unlike(codes::BAD_ID, is_sheet_id(text), "lowercase letters, digits and `_`, starting with a letter")
            }
            Form::EntryId => {
                unlike(codes::BAD_ID, is_entry_id(text), "lowercase letters and digits in groups joined by single `-`")
            }
            Form::LootItem => {
                let is_item = |(catalog, entry)| is_sheet_id(catalog) && is_entry_id(entry);
                unlike(codes::BAD_ID, text.split_once('/').is_some_and(is_item), "`<catalog id>/<entry id>`")
            }
            Form::Dice => unlike(codes::BAD_DICE, is_dice(text), "dice such as `2d6`, `1d8+3` or `10d10-2`"),
        }
    }
}

impl Form {
    /// An id written as ids are: in lower case, with `_` or `-` between its words.
    pub fn respelt(self, text: &str) -> Option<String> {
        let (join, is_id): (char, fn(&str) -> bool) = match self {
            Form::SheetId => ('_', is_sheet_id),
            Form::EntryId => ('-', is_entry_id),
            _ => return None,
        };
        let words = text.split(|sign: char| !sign.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        let respelt = words.collect::<Vec<_>>().join(&join.to_string()).to_ascii_lowercase();
        // A letter that is lost makes another word.
        let is_whole = text.chars().filter(|sign| sign.is_alphanumeric()).all(|sign| sign.is_ascii());
        (is_whole && is_id(&respelt)).then_some(respelt)
    }
}

fn unlike(code: &'static Rule, is_alike: bool, wanted: &str) -> Option<Fault> {
    (!is_alike).then(|| Fault { code, why: format!("has the wrong form: expected {wanted}") })
}

fn unsafe_in_prompts(text: &str) -> Option<Fault> {
    let fault = |what: String| {
        Some(Fault { code: codes::UNSAFE_TEXT, why: format!("contains {what}, which is not allowed in a prompt") })
    };
    for sign in text.chars() {
        match sign {
            '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}' => return fault("a line break".to_owned()),
            '\0'..='\u{1f}' | '\u{7f}' => return fault(control(sign)),
            '[' | ']' => return fault(format!("`{sign}`")),
            _ => (),
        }
    }
    ["{{", "}}"].into_iter().find(|braces| text.contains(braces)).and_then(|braces| fault(format!("`{braces}`")))
}

fn unsafe_in_catalogs(text: &str) -> Option<Fault> {
    let is_unsafe = |sign: &char| matches!(sign, '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}');
    let sign = text.chars().find(is_unsafe)?;
    let what = match sign {
        '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}' => "a line break".to_owned(),
        _ => control(sign),
    };
    Some(Fault { code: codes::UNSAFE_CATALOG_TEXT, why: format!("contains {what}, but is shown on one line") })
}

fn control(sign: char) -> String {
    format!("the control character U+{:04X}", u32::from(sign))
}

/// `^[a-z][a-z0-9_]*$`
fn is_sheet_id(text: &str) -> bool {
    let starts = text.bytes().next().is_some_and(|first| first.is_ascii_lowercase());
    starts && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
}

/// `^[a-z0-9]+(?:-[a-z0-9]+)*$`
fn is_entry_id(text: &str) -> bool {
    let is_group = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    text.split('-').all(is_group)
}

/// `^[1-9]\d{0,2}d(?:[2-9]|[1-9]\d{1,3})(?:[+-]\d{1,4})?$`
fn is_dice(text: &str) -> bool {
    // Its first digit is not 0, and there are at most `digits` of them.
    let is_number = |text: &str, digits: usize| {
        (1..=digits).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit()) && !text.starts_with('0')
    };
    let Some((count, rest)) = text.split_once('d') else { return false };
    let (sides, bonus) = match rest.split_once(['+', '-']) {
        Some((sides, bonus)) => (sides, Some(bonus)),
        None => (rest, None),
    };
    let is_bonus = |bonus: &str| (1..=4).contains(&bonus.len()) && bonus.bytes().all(|b| b.is_ascii_digit());
    is_number(count, 3) && is_number(sides, 4) && sides != "1" && bonus.is_none_or(is_bonus)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(form: Form, right: &[&str], wrong: &[&str]) {
        for text in right {
            assert_eq!(form.fault(text), None, "{text:?}");
        }
        for text in wrong {
            assert!(form.fault(text).is_some(), "{text:?}");
        }
    }

    #[test]
    fn dice() {
        check(
            Form::Dice,
            &["1d2", "999d9", "1d10", "2d9999", "1d6+0", "3d8-9999"],
            &[
                "",
                "d6",
                "0d6",
                "1d1",
                "1d0",
                "1d01",
                "1000d6",
                "1d10000",
                "1d6+",
                "1d6+12345",
                "1d6 + 1",
                "1D6",
                "1d6+1-1",
            ],
        );
    }

    #[test]
    fn ids() {
        check(Form::SheetId, &["a", "a_", "armor_class2"], &["", "A", "_a", "2a", "a-b", "a b", "é"]);
        check(Form::EntryId, &["a", "5e-2014", "a-b-c"], &["", "-", "a-", "-a", "a--b", "A", "a_b"]);
        check(
            Form::LootItem,
            &["wares/lamp-oil", "w_1/2"],
            &["wares", "wares/", "/a", "wa-res/a", "wares/a/b", "a/b_c"],
        );
    }

    #[test]
    fn ids_are_respelt_where_that_is_plain() {
        for (form, text, respelt) in [
            (Form::SheetId, "Grease", Some("grease")),
            (Form::SheetId, "armor-class 2", Some("armor_class_2")),
            (Form::EntryId, "Fire_Bolt", Some("fire-bolt")),
            (Form::EntryId, "  -a--b- ", Some("a-b")),
            (Form::SheetId, "2nd", None),
            (Form::SheetId, "Größe", None),
            (Form::EntryId, "!", None),
            (Form::Dice, "D6", None),
        ] {
            assert_eq!(form.respelt(text).as_deref(), respelt, "{text}");
        }
    }

    #[test]
    fn text_for_prompts() {
        check(
            Form::Safe,
            &["Fire Bolt", "a {b} c", "\u{9f}", "日本", "\"", "{ {", "<b>"],
            &["a\nb", "a\r", "\u{85}", "\u{2028}", "\u{2029}", "\t", "\u{7f}", "a[b", "]", "{{", "a}}b"],
        );
        check(Form::SafeUnquoted, &["a"], &["a\"b", "a[b"]);
        assert_eq!(
            Form::Safe.fault("\u{7}").unwrap().why.split(',').next(),
            Some("contains the control character U+0007")
        );
    }

    #[test]
    fn text_of_catalogs() {
        check(Form::Catalog, &["[a] {{b}}", "", "\u{a0}"], &["\n", "\u{85}", "\u{9f}", "\u{2028}", "\u{7f}", "\0"]);
    }
}
