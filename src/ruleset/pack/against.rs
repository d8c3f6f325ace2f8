use super::originals::Originals;
use crate::json::excerpt;
use crate::types::{Pointer, Problem, Rule, codes};
use schemars::JsonSchema;
use serde::Serialize;

/// The most findings of one kind that are told one by one; the rest are counted.
const TOLD: usize = 5;
/// A key that is no display string.
const STALE: &Rule = codes::T05;
/// A translation with other numbers or placeholders than the English text.
const DIFFERS: &Rule = codes::TRANSLATION_MISMATCH;

/// How much of a ruleset a language pack translates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Coverage {
    /// Display strings of the ruleset.
    pub strings: usize,
    /// Those with a text in the pack's language, `identical` ones too.
    pub translated: usize,
    /// Those without one, which show in English.
    pub missing: usize,
    /// Keys of the pack that are no display string (any longer).
    pub stale: usize,
    /// Those whose translation is the English text, as that of a name may be.
    pub identical: usize,
}

impl Coverage {
    /// Of so many strings, of which nothing is translated.
    pub fn nothing_of(strings: usize) -> Self {
        Coverage { strings, missing: strings, ..Coverage::default() }
    }

    /// The part that is translated, rounded down, so that 100 means all.
    pub fn percent(&self) -> usize {
        (self.translated * 100).checked_div(self.strings).unwrap_or(100)
    }
}

/// What a key of `ruleset` is.
#[derive(Clone, Copy)]
pub(super) enum Key {
    /// A display string of this number.
    Original(usize),
    /// A display string that was a key before.
    Again,
    Stale,
}

/// The strings of a pack, held against those of its ruleset one by one.
pub(super) struct Against<'a> {
    originals: &'a Originals<'a>,
    /// Whether each of them was met.
    met: Vec<bool>,
    /// The number that follows the last one met.
    next: usize,
    pub coverage: Coverage,
    different: usize,
}

impl<'a> Against<'a> {
    pub fn new(originals: &'a Originals<'a>) -> Self {
        let strings = originals.len();
        let (met, coverage) = (vec![false; strings], Coverage::nothing_of(strings));
        Against { originals, met, next: 0, coverage, different: 0 }
    }

    /// Tells what a key is, and remembers that it was met.
    pub fn meet(&mut self, key: &str) -> Key {
        let Some(number) = self.originals.number(key, self.next) else { return Key::Stale };
        self.next = number + 1;
        match std::mem::replace(&mut self.met[number], true) {
            true => Key::Again,
            false => Key::Original(number),
        }
    }

    /// Takes the translation of a string, not empty.
    pub fn translated(&mut self, number: usize, english: &str, translation: &str, here: &Pointer) -> Option<Problem> {
        self.coverage.missing -= 1;
        self.coverage.translated += 1;
        if translation == english {
            self.coverage.identical += 1;
            return None;
        }
        let changed = self.originals.changed_by(number, translation)?;
        self.different += 1;
        (self.different <= TOLD).then(|| Problem::new(DIFFERS, &here.at(english), format!("the translation {changed}")))
    }

    /// Takes a key that is no display string, as far as these are known.
    pub fn stale(&mut self, key: &str, here: &Pointer) -> Option<Problem> {
        if self.originals.is_in_part() {
            return None;
        }
        self.coverage.stale += 1;
        if self.coverage.stale > TOLD {
            return None;
        }
        let message = format!("`{}` is no display string of the ruleset, so this is never shown", excerpt(key));
        let problem = Problem::new(STALE, &here.at(key), message).at_key();
        Some(match self.originals.spelled_otherwise(key) {
            Some(right) => problem.hint(format!("the ruleset writes it `{}`", excerpt(right))),
            None => problem.hint("take the key out, or write the English text as the ruleset has it now"),
        })
    }

    /// What was counted and not told.
    pub fn untold(&self, here: &Pointer) -> Vec<Problem> {
        let more = |number: usize| number.checked_sub(TOLD).filter(|more| *more > 0);
        let stale = more(self.coverage.stale)
            .map(|more| Problem::new(STALE, here, format!("{more} more keys are no display strings of the ruleset")));
        let different = more(self.different).map(|more| {
            Problem::new(DIFFERS, here, format!("{more} more translations have other numbers or placeholders"))
        });
        stale.into_iter().chain(different).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Originals, PackReport, check_pack, check_pack_against, check_pack_all};
    use super::*;
    use crate::types::Severity;
    use proptest::prelude::*;

    const ENGLISH: [&str; 5] = ["Heals 3 Grit", "Grit", "Prone", "Fire/Bolt", "Old motor"];

    fn report(pack: &str) -> PackReport {
        check_pack_against(pack.as_bytes(), &"ru".parse().unwrap(), Some(&Originals::new(ENGLISH)))
    }

    fn with(ruleset: &str) -> PackReport {
        let head = r#""_meta":{"locale":"ru","direction":"ltr"},"package":{"name":"n","description":"d"}"#;
        report(&format!("{{{head},\"ruleset\":{ruleset}}}"))
    }

    fn told(report: &PackReport) -> Vec<(&str, &str, Severity)> {
        let problems = report.problems.iter();
        problems.map(|problem| (problem.code.as_str(), problem.pointer.as_deref().unwrap(), problem.severity)).collect()
    }

    #[test]
    fn what_is_translated_and_what_is_not_is_counted() {
        let report = with(r#"{"Grit":"Grit","Prone":"","Old motor":"Мотор","Heals 3 Grit":"Лечит 3"}"#);
        assert_eq!(report.coverage, Coverage { strings: 5, translated: 3, missing: 2, stale: 0, identical: 1 });
        assert_eq!((report.coverage.percent(), told(&report)), (60, vec![]));
        assert_eq!(with("{}").coverage.percent(), 0);
        assert_eq!(Coverage::default().percent(), 100);
    }

    #[test]
    fn a_key_that_is_no_display_string_is_told_with_the_one_that_is_meant() {
        let report = with(r#"{"old Motor":"x","New/motor":""}"#);
        let warning = Severity::Warning;
        assert_eq!(told(&report), [("T05", "/ruleset/old Motor", warning), ("T05", "/ruleset/New~1motor", warning)]);
        assert_eq!(report.problems[0].hint.as_deref(), Some("the ruleset writes it `Old motor`"));
        assert_eq!(report.coverage, Coverage { strings: 5, missing: 5, stale: 2, ..Coverage::default() });
    }

    #[test]
    fn other_numbers_are_told_and_a_crowd_is_counted() {
        let report = with(r#"{"Heals 3 Grit":"Лечит 4","Fire/Bolt":"{x}"}"#);
        let code = "translation-mismatch";
        let warning = Severity::Warning;
        assert_eq!(told(&report), [(code, "/ruleset/Heals 3 Grit", warning), (code, "/ruleset/Fire~1Bolt", warning)]);
        let stale: Vec<_> = (0..300).map(|number| format!("\"{number}\":\"x\"")).collect();
        let report = with(&format!("{{{}}}", stale.join(",")));
        assert_eq!(report.problems.len(), TOLD + 1);
        assert!(report.problems[TOLD].message.starts_with("295 more"), "{:?}", report.problems[TOLD]);
        assert!(report.problems.iter().all(|problem| problem.severity == warning));
    }

    #[test]
    fn a_key_written_twice_is_one_error_and_counts_once() {
        for key in ["Grit", "Stale"] {
            let report = with(&format!(r#"{{"{key}":"Выдержка","{key}":"Выдержка"}}"#));
            let errors: Vec<_> = report.problems.iter().filter(|problem| problem.severity == Severity::Error).collect();
            assert_eq!(errors.len(), 1, "{key}");
            assert!(report.coverage.translated <= 1);
        }
    }

    #[test]
    fn maintainers_require_more_than_installers() {
        let pack = |meta: &str, package: &str| format!(r#"{{"_meta":{meta}{package},"ruleset":{{}}}}"#);
        let right = r#"{"locale":"pt-BR","direction":"ltr"}"#;
        let card = r#","package":{"name":"n","description":"d"}"#;
        let long = |name: usize| format!(r#","package":{{"name":"{}","description":"d"}}"#, "я".repeat(name));
        for (pack, wants) in [
            (pack(right, card), vec![]),
            (pack(right, &long(120)), vec![]),
            (pack(right, &long(121)), vec![("T06", "/package/name")]),
            (pack(right, ""), vec![("T06", "")]),
            (pack(right, r#","package":{"name":""}"#), vec![("T06", "/package/name"), ("T06", "/package")]),
            (pack(r#"{"locale":"pt-BR"}"#, card), vec![("T03", "/_meta")]),
            (pack(r#"{"locale":"pt_BR","direction":"ltr"}"#, card), vec![("T03", "/_meta/locale")]),
            (pack(r#"{"locale":"PT-br","direction":"ltr"}"#, card), vec![("T03", "/_meta/locale")]),
        ] {
            let language = "pt-BR".parse().unwrap();
            let report = check_pack_against(pack.as_bytes(), &language, None);
            let found: Vec<_> = told(&report).into_iter().map(|(code, pointer, _)| (code, pointer)).collect();
            assert_eq!(found, wants, "{pack}");
            assert!(report.problems.iter().all(|problem| problem.severity == Severity::Error), "{pack}");
            assert!(check_pack(pack.as_bytes(), &language).is_ok(), "{pack}");
            assert_eq!(report.coverage, Coverage::default());
        }
    }

    proptest! {
        #[test]
        fn maintainers_see_all_that_installers_see(ruleset in prop::collection::vec(
            (prop::sample::select(&ENGLISH[..]), prop::sample::select(vec!["\"x\"", "\"\"", "1", "\"4\""])), 0..8), broken: bool) {
            let members: Vec<_> = ruleset.iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
            let end = if broken { "" } else { "}" };
            let pack = format!(r#"{{"_meta":{{"locale":"ru"}},"ruleset":{{{}}}{end}"#, members.join(","));
            let PackReport { problems, coverage } = report(&pack);
            for installers in check_pack_all(pack.as_bytes(), &"ru".parse().unwrap()) {
                prop_assert!(problems.iter().any(|problem| problem.message == installers.message));
            }
            prop_assert_eq!(coverage.translated + coverage.missing, ENGLISH.len());
        }
    }
}
