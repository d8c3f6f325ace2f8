use super::MOST_TOLD_OF_A_PACK;
use super::originals::Originals;
use super::pair::Original;
use crate::json::excerpt;
use crate::types::{Pointer, Problem, Problems, Severity, codes};
use schemars::JsonSchema;
use serde::Serialize;

/// A pack translates another ruleset when of at least so many of its keys no more than this part of a hundred are
/// display strings.
const FEWEST_KEYS: usize = 3;
const OWN_PERCENT: usize = 20;

/// The name and the description of the card, which a pack translates beside the display strings.
pub(super) const CARD_TEXTS: usize = 2;

/// How much of a ruleset a language pack translates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Coverage {
    /// Display strings of the ruleset, and the two texts of its card.
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
    /// Of so many display strings and the card, of which nothing is translated.
    pub fn nothing_of(strings: usize) -> Self {
        let strings = strings + CARD_TEXTS;
        Coverage { strings, missing: strings, ..Coverage::default() }
    }

    fn translate(&mut self) {
        self.missing -= 1;
        self.translated += 1;
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
    /// Whether each text of the card was met.
    card_met: [bool; CARD_TEXTS],
    /// How many keys were met that are display strings.
    own: usize,
    /// What is said of those that are none, unless all of them are those of another ruleset.
    stale: Problems,
}

impl<'a> Against<'a> {
    pub fn new(originals: &'a Originals<'a>) -> Self {
        let strings = originals.len();
        let (met, coverage) = (vec![false; strings], Coverage::nothing_of(strings));
        Against {
            originals,
            met,
            next: 0,
            coverage,
            card_met: [false; CARD_TEXTS],
            own: 0,
            stale: Problems::at_most(MOST_TOLD_OF_A_PACK),
        }
    }

    /// Tells what a key is, and remembers that it was met.
    pub fn meet(&mut self, key: &str) -> Key {
        let Some(number) = self.originals.number(key, self.next) else { return Key::Stale };
        self.next = number + 1;
        match std::mem::replace(&mut self.met[number], true) {
            true => Key::Again,
            false => {
                self.own += 1;
                Key::Original(number)
            }
        }
    }

    pub fn original(&self, number: usize) -> &'a Original<'a> {
        self.originals.get(number)
    }

    /// Takes the translation of a string, which is not blank.
    pub fn translated(&mut self, original: &Original<'_>, translation: &str) {
        self.coverage.translate();
        self.coverage.identical += usize::from(translation == original.text);
    }

    /// Takes the text of the card with this number, which is not blank.
    pub fn card_translated(&mut self, number: usize) {
        if !std::mem::replace(&mut self.card_met[number], true) {
            self.coverage.translate();
        }
    }

    /// Takes a key that is no display string, as far as these are known.
    pub fn stale(&mut self, key: &str, here: &Pointer) {
        if self.originals.is_in_part() {
            return;
        }
        self.coverage.stale += 1;
        if self.stale.is_only_counted(codes::T05, Severity::Warning, None) {
            return;
        }
        let message = format!("`{}` is not a display string of the ruleset, so this is never shown", excerpt(key));
        let problem = Problem::new(codes::T05, &here.at(key), message).at_key();
        self.stale.push(match self.originals.spelled_otherwise(key) {
            Some(right) => problem.hint(format!("write it as the ruleset does: `{}`", excerpt(right))),
            None => problem.hint("remove the key, or write the English text as it now is in the ruleset"),
        });
    }

    /// What is to be said of the keys that are no display strings, now that all were met.
    pub fn strangers(&mut self, here: &Pointer) -> Vec<Problem> {
        let (stale, keys) = (self.coverage.stale, self.coverage.stale + self.own);
        let found = std::mem::take(&mut self.stale);
        if stale == 0 || keys < FEWEST_KEYS || self.own * 100 > keys * OWN_PERCENT {
            return found.into_vec();
        }
        let own = match self.own {
            0 => "none".to_owned(),
            own => format!("only {own}"),
        };
        let message =
            format!("the pack translates another ruleset: {own} of its {keys} texts are display strings of this one");
        vec![Problem::new(codes::OTHER_RULESET, here, message)]
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
        assert_eq!(report.coverage, Coverage { strings: 7, translated: 5, missing: 2, stale: 0, identical: 1 });
        assert_eq!((report.coverage.percent(), told(&report)), (71, vec![]));
        assert_eq!(with("{}").coverage.percent(), 28);
        let blank = with(r#"{"Grit":" ","Prone":"\u200b"}"#);
        assert_eq!((blank.coverage.translated, blank.coverage.missing), (2, 5));
        assert!(told(&blank).iter().all(|(code, ..)| *code == "blank-translation"), "{:?}", told(&blank));
        let no_card = tests::report(r#"{"_meta":{"locale":"ru"},"package":{"name":" "},"ruleset":{}}"#);
        assert_eq!(no_card.coverage.missing, 7);
        assert_eq!(Coverage::default().percent(), 100);
    }

    #[test]
    fn a_key_that_is_no_display_string_is_told_with_the_one_that_is_meant() {
        let report = with(r#"{"old Motor":"x","New/motor":""}"#);
        let warning = Severity::Warning;
        assert_eq!(told(&report), [("T05", "/ruleset/old Motor", warning), ("T05", "/ruleset/New~1motor", warning)]);
        assert_eq!(report.problems[0].hint.as_deref(), Some("write it as the ruleset does: `Old motor`"));
        assert_eq!(report.coverage, Coverage { strings: 7, translated: 2, missing: 5, stale: 2, identical: 0 });
    }

    #[test]
    fn what_is_wrong_with_a_translation_is_told_with_a_ruleset_and_without() {
        let strings = r#"{"Heals 3 Grit":"Лечит 4","Fire/Bolt":"{x}"}"#;
        let pack = format!("{{\"_meta\":{{\"locale\":\"ru\"}},\"ruleset\":{strings}}}");
        let alone = check_pack_against(pack.as_bytes(), &"ru".parse().unwrap(), None);
        let warning = Severity::Warning;
        let expected = [
            ("translation-mismatch", "/ruleset/Heals 3 Grit", warning),
            ("placeholder-mismatch", "/ruleset/Fire~1Bolt", warning),
        ];
        assert_eq!(told(&with(strings)), expected);
        assert!(expected.iter().all(|one| told(&alone).contains(one)));
    }

    #[test]
    fn a_pack_for_another_ruleset_is_told_once_and_a_crowd_is_counted() {
        let strings = |stale: usize| {
            let stale = (0..stale).map(|number| format!("\"S{number}\":\"x\""));
            let own = ENGLISH.iter().map(|text| format!("\"{text}\":\"\""));
            format!("{{{}}}", stale.chain(own).collect::<Vec<_>>().join(","))
        };
        let other = with(&strings(20));
        assert_eq!((told(&other), other.coverage.stale), (vec![("other-ruleset", "/ruleset", Severity::Warning)], 20));
        assert!(other.problems[0].message.contains("only 5 of its 25 texts"), "{:?}", other.problems);
        let some = with(&strings(19));
        assert!(some.problems.len() == 19 && some.problems.iter().all(|problem| problem.code.as_str() == "T05"));
    }

    #[test]
    fn a_key_written_twice_is_one_error_and_counts_once() {
        for key in ["Grit", "Stale"] {
            let report = with(&format!(r#"{{"{key}":"Выдержка","{key}":"Выдержка"}}"#));
            let errors: Vec<_> = report.problems.iter().filter(|problem| problem.severity == Severity::Error).collect();
            assert_eq!(errors.len(), 1, "{key}");
            assert!(report.coverage.translated <= 3);
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
            prop_assert_eq!(coverage.translated + coverage.missing, ENGLISH.len() + CARD_TEXTS);
        }
    }
}
