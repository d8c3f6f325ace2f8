//! What a language pack holds, and how much of its ruleset it translates.

use super::finding;
use crate::package::check_pack_with;
use crate::ruleset::DisplayString;
use crate::types::{Language, Problem, Severity};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::HashMap;

/// How much of a ruleset a language pack translates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Coverage {
    /// The package.
    pub id: String,
    pub language: String,
    /// What there is to translate.
    pub strings: usize,
    /// How much of it has a text in the language.
    pub translated: usize,
    /// How much of it has none: left out, or left empty.
    pub missing: usize,
    /// What the pack translates and the ruleset does not have.
    pub stale: usize,
}

/// The display strings of a ruleset, by number, to look the strings of its packs up in.
#[derive(Debug)]
pub(super) struct Known<'s> {
    in_order: Vec<&'s str>,
    numbers: HashMap<&'s str, usize>,
}

impl<'s> Known<'s> {
    pub fn new(strings: &'s [DisplayString]) -> Self {
        let in_order: Vec<&str> = strings.iter().map(|string| string.text.as_str()).collect();
        let numbers = in_order.iter().enumerate().map(|(number, text)| (*text, number)).collect();
        Known { in_order, numbers }
    }

    /// The number of a string. A pack mostly has them in the ruleset's order, so the next one is looked at first.
    fn number(&self, text: &str, next: usize) -> Option<usize> {
        match self.in_order.get(next) {
            Some(expected) if *expected == text => Some(next),
            _ => self.numbers.get(text).copied(),
        }
    }
}

/// Everything that is wrong with a language pack, and what it covers of its ruleset, where that could be read.
///
/// A maintainer is held to what costs a reader nothing: a direction (open question Q20) and card texts that are not
/// empty (T06).
pub(super) fn look(
    bytes: &[u8],
    language: &Language,
    known: Option<&Known<'_>>,
    name: &str,
    id: &str,
) -> (Vec<Problem>, Option<Coverage>) {
    let (mut translated, mut stale, mut next) = (0, 0, 0);
    let mut on = |english: &str, text: &str| {
        let number = known.and_then(|known| known.number(english, next));
        match number {
            Some(number) => {
                translated += usize::from(!text.is_empty());
                next = number + 1;
            }
            None => stale += 1,
        }
        number
    };
    let problems = check_pack_with(bytes, language, &mut on);
    let as_error = |problem: Problem| match problem.code.as_str() {
        "T03" | "T06" => Problem { severity: Severity::Error, ..problem },
        _ => problem,
    };
    let problems = problems.into_iter().map(|problem| finding(as_error(problem), name, Some(id))).collect();
    let coverage = known.map(|known| {
        let strings = known.in_order.len();
        // One that stands twice is an error and counts once.
        let translated = translated.min(strings);
        let missing = strings - translated;
        Coverage { id: id.to_owned(), language: language.to_string(), strings, translated, missing, stale }
    });
    (problems, coverage)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(texts: &[&str]) -> Vec<DisplayString> {
        texts.iter().map(|text| DisplayString { text: (*text).to_owned(), uses: Vec::new() }).collect()
    }

    fn pack(ruleset: &str) -> String {
        format!(r#"{{"_meta":{{"locale":"ru","direction":"ltr"}},"ruleset":{ruleset}}}"#)
    }

    #[test]
    fn strings_are_counted_in_whatever_order_they_come() {
        let strings = known(&["Grit", "Sneak", "Brawn"]);
        let ruleset = Known::new(&strings);
        let covered = |text: &str| {
            let (problems, coverage) =
                look(pack(text).as_bytes(), &"ru".parse().unwrap(), Some(&ruleset), "a.ru.json", "a");
            assert!(problems.is_empty(), "{problems:?}");
            let Coverage { strings, translated, missing, stale, .. } = coverage.unwrap();
            (strings, translated, missing, stale)
        };
        assert_eq!(covered("{}"), (3, 0, 3, 0));
        assert_eq!(covered(r#"{"Grit":"a","Sneak":"b","Brawn":"c"}"#), (3, 3, 0, 0));
        assert_eq!(covered(r#"{"Brawn":"c","Grit":"a","Other":"d","Sneak":""}"#), (3, 2, 1, 1));
    }

    #[test]
    fn a_maintainer_gives_a_direction() {
        let pack = r#"{"_meta":{"locale":"ru"},"ruleset":{}}"#;
        let (problems, coverage) = look(pack.as_bytes(), &"ru".parse().unwrap(), None, "a.ru.json", "a");
        assert_eq!((problems[0].code.as_str(), problems[0].severity), ("T03", Severity::Error));
        assert_eq!(problems[0].file.as_deref(), Some("a.ru.json"));
        assert_eq!(coverage, None);
    }
}
