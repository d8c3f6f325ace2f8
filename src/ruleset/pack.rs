//! A language pack: rules T02 to T07 (docs/spec/checks.md#translations).
//!
//! Readings where the rules leave a choice: `$schema` need not be there. To install a pack, neither need
//! `_meta.direction` and the texts of `package`, which maintainers require (docs/spec/decisions.md#q20, #q23). A key
//! that is no display string is a warning (18).

mod against;
mod figures;
mod marks;
mod originals;
mod pair;
mod sections;
mod texts;
mod value;

pub use against::Coverage;
pub use marks::is_blank;
pub use originals::Originals;
pub use pair::Original;
pub use texts::PackTexts;

use crate::json::{document, excerpt, not_json};
use crate::types::{Code, Coded, Language, Pointer, Problem, Problems, Rule, Severity, codes, is_tag};
use against::{Against, Key};
use pair::{judge, judge_alone};
use sections::{Root, Section};
use serde::de::DeserializeSeed;

/// The most findings that are told one by one; the rest are counted.
const MOST_TOLD_OF_A_PACK: usize = 1000;

/// What an accepted pack holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PackFacts {
    /// Strings with a text in the pack's language.
    pub translated: usize,
    /// All strings, those left empty (shown in English) too.
    pub strings: usize,
}

/// Why a file is not the language pack it is listed as.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.problem.reason())]
pub struct PackFault(Box<Finding>);

impl PackFault {
    /// The finding as the maintainers' check lists it.
    pub fn problem(&self) -> &Problem {
        &self.0.problem
    }
}

impl Coded for PackFault {
    fn code(&self) -> Code {
        self.0.code
    }

    fn hint(&self) -> Option<String> {
        self.0.problem.hint.clone()
    }
}

/// Whether these bytes are a language pack for the language it is listed under.
///
/// # Errors
///
/// The first error [`check_pack_all`] lists: `locale-mismatch` for a pack of another language, else `invalid-pack`.
pub fn check_pack(bytes: &[u8], listed: &Language) -> Result<PackFacts, PackFault> {
    let check = Check::run(bytes, listed, Reader::Installer);
    match check.fault {
        Some(fault) => Err(fault),
        None => Ok(check.facts),
    }
}

/// Everything [`check_pack`] finds in a language pack, in the order of the file.
pub fn check_pack_all(bytes: &[u8], listed: &Language) -> Vec<Problem> {
    Check::run(bytes, listed, Reader::Installer).found.into_vec()
}

/// What a maintainer should know of a language pack.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackReport {
    /// Each with its pointer.
    pub problems: Vec<Problem>,
    /// How much of the ruleset it translates, as far as the file could be read. Nothing is known without a ruleset.
    pub coverage: Coverage,
}

/// Everything a maintainer should mend in a language pack: what [`check_pack_all`] finds, what maintainers require of a
/// pack beside that, and how it fits the display strings of its ruleset, where these are known.
pub fn check_pack_against(bytes: &[u8], listed: &Language, originals: Option<&Originals<'_>>) -> PackReport {
    let check = Check::run(bytes, listed, Reader::Maintainer(originals));
    let coverage = check.against.as_ref().map(|against| against.coverage).unwrap_or_default();
    PackReport { problems: check.found.into_vec(), coverage }
}

/// For whom a pack is read.
#[derive(Clone, Copy)]
enum Reader<'a> {
    /// Takes what can be used.
    Installer,
    /// Wants it as it should be published.
    Maintainer(Option<&'a Originals<'a>>),
}

#[derive(Debug)]
struct Finding {
    code: Code,
    problem: Problem,
}

/// One reading of a pack.
struct Check<'a> {
    listed: &'a Language,
    maintainer: bool,
    against: Option<Against<'a>>,
    facts: PackFacts,
    found: Problems,
    /// The first error.
    fault: Option<PackFault>,
}

impl<'a> Check<'a> {
    fn run(bytes: &[u8], listed: &'a Language, reader: Reader<'a>) -> Self {
        let (maintainer, originals) = match reader {
            Reader::Installer => (false, None),
            Reader::Maintainer(originals) => (true, originals),
        };
        let against = originals.map(Against::new);
        let found = Problems::at_most(MOST_TOLD_OF_A_PACK);
        let mut check = Check { listed, maintainer, against, facts: PackFacts::default(), found, fault: None };
        match simdutf8::compat::from_utf8(bytes) {
            Ok(text) if !text.starts_with('\u{feff}') => check.read(text),
            // Neither is read; what is wrong and where is told as of any document.
            _ => document(bytes, codes::T02).err().into_iter().for_each(|problem| check.find(*problem)),
        }
        check
    }

    fn read(&mut self, text: &str) {
        let mut json = serde_json::Deserializer::from_str(text);
        let read = Section { check: self, place: &Pointer::root(), of: Root::default() }.deserialize(&mut json);
        if read.and_then(|()| json.end()).is_err() {
            self.find(not_json(text, codes::T02));
        }
    }

    fn find(&mut self, problem: Problem) {
        self.found_as(Code::InvalidPack, problem);
    }

    fn found_as(&mut self, code: Code, problem: Problem) {
        if problem.severity == Severity::Error && self.fault.is_none() {
            self.fault = Some(PackFault(Box::new(Finding { code, problem: problem.clone() })));
        }
        self.found.push(problem);
    }

    /// Takes the text of a key of `ruleset`, which is not empty. The key is the English text, so much can be said of
    /// the two without the ruleset; a stale one is nothing to say more about.
    fn string(&mut self, english: &str, key: Option<Key>, text: &str, here: &Pointer) {
        match (key, &mut self.against) {
            (Some(Key::Original(number)), Some(against)) => {
                let original = against.original(number);
                if !is_blank(text) {
                    against.translated(original, text);
                }
                self.judge(original, text, here);
            }
            (None, None) if self.maintainer => self.judge(&english.into(), text, here),
            _ => {}
        }
    }

    /// Takes the text of `package` with this number, which is not blank.
    fn card(&mut self, number: usize, text: &str, place: &Pointer) {
        if let Some(against) = &mut self.against {
            against.card_translated(number);
        }
        if self.maintainer {
            for (rule, why) in judge_alone(text) {
                self.find(Problem::new(rule, place, format!("{} {why}", subject(place))));
            }
        }
    }

    fn judge(&mut self, english: &Original<'_>, text: &str, here: &Pointer) {
        // What was left in English is for whoever wrote that.
        if text == english.text {
            return;
        }
        let language = self.listed.as_str().split('-').next().unwrap_or_default();
        for (rule, why) in judge(english, text, language) {
            self.find(Problem::new(rule, &here.at(english.text), format!("the translation {why}")));
        }
    }

    fn error(&mut self, rule: &'static Rule, place: &Pointer, message: impl Into<String>) {
        let message = format!("{} {}", subject(place), message.into());
        self.find(Problem::new(rule, place, message).severity(Severity::Error));
    }

    /// The same about the key that `place` ends in.
    fn key_error(&mut self, rule: &'static Rule, place: &Pointer, message: &str) {
        self.find(
            Problem::new(rule, place, format!("{} {message}", subject(place))).severity(Severity::Error).at_key(),
        );
    }

    /// Notes what a pack can be used without, but should not be published without.
    fn wish(&mut self, problem: Problem) {
        let severity = if self.maintainer { Severity::Error } else { Severity::Warning };
        self.find(problem.severity(severity));
    }

    /// Notes a value of the wrong type.
    fn other_type(&mut self, rule: &'static Rule, place: &Pointer, found: &'static str, wanted: &'static str) {
        self.error(rule, place, format!("is {found}, but should be {wanted}"));
    }

    fn direction(&mut self, place: &Pointer, written: &str) {
        let wanted = self.listed.direction();
        if written != "ltr" && written != "rtl" {
            self.error(codes::T03, place, format!("is `{}`, but should be ltr or rtl", excerpt(written)));
        } else if self.maintainer && written != wanted {
            let message = format!("`direction` is `{written}`, but {} is written {wanted}", self.listed);
            self.find(Problem::new(codes::DIRECTION_MISMATCH, place, message));
        }
    }

    fn locale(&mut self, place: &Pointer, written: &str) {
        match written.parse::<Language>() {
            Ok(locale) if locale == *self.listed => {
                if self.maintainer && !is_tag(written) {
                    let problem = Problem::new(
                        codes::T03,
                        place,
                        format!("`locale` is `{}`, which the engine does not recognize", excerpt(written)),
                    );
                    self.find(problem.hint(format!("write it `{locale}`")));
                }
            }
            _ => {
                let message =
                    format!("`locale` is `{}`, but the pack is listed for `{}`", excerpt(written), self.listed);
                self.found_as(Code::LocaleMismatch, Problem::new(codes::T03, place, message));
            }
        }
    }
}

/// What stands at a place, for a sentence about it.
fn subject(place: &Pointer) -> String {
    match place.last() {
        Some(key) => format!("`{}`", excerpt(&key)),
        None => "the pack".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn language(tag: &str) -> Language {
        tag.parse().unwrap()
    }

    /// Rule and pointer of each finding.
    fn found(pack: &str) -> Vec<(String, String)> {
        let problems = check_pack_all(pack.as_bytes(), &language("ru"));
        problems.into_iter().map(|problem| (problem.code.to_string(), problem.pointer.unwrap())).collect()
    }

    fn one(pack: &str) -> (String, String) {
        let mut found = found(pack);
        assert_eq!(found.len(), 1, "{found:?} in {pack}");
        found.remove(0)
    }

    fn with(meta: &str, package: &str, ruleset: &str) -> String {
        format!(r#"{{"_meta":{meta},"package":{package},"ruleset":{ruleset}}}"#)
    }

    const META: &str = r#"{"locale":"ru","direction":"ltr"}"#;

    #[test]
    fn a_pack_as_it_should_be_passes_and_is_counted() {
        let pack = r#"{ "$schema": "x", "_meta": { "locale": "ru", "direction": "ltr" },
            "package": { "name": "5e", "description": "d" },
            "ruleset": { "Prone": "Лежащий", "Fire Bolt": "", "Say \"hi\"": "\u0410", "": "x" } }"#;
        let facts = check_pack(pack.as_bytes(), &language("ru")).unwrap();
        assert_eq!(facts, PackFacts { translated: 3, strings: 4 });
        assert_eq!(found(pack), []);
        let least = r#"{"_meta":{"locale":"RU"},"ruleset":{}}"#;
        assert_eq!(check_pack(least.as_bytes(), &language("ru")).unwrap(), PackFacts::default());
    }

    #[test]
    fn a_missing_direction_and_empty_card_texts_are_warnings() {
        let pack = with(r#"{"locale":"ru"}"#, r#"{"name":""}"#, "{}");
        let problems = check_pack_all(pack.as_bytes(), &language("ru"));
        assert_eq!(problems.iter().map(|problem| problem.code.as_str()).collect::<Vec<_>>(), ["T03", "T06"]);
        assert!(problems.iter().all(|problem| problem.severity == Severity::Warning));
        assert!(check_pack(pack.as_bytes(), &language("ru")).is_ok());
    }

    #[test]
    fn the_locale_is_the_listed_one_however_it_is_spelled() {
        let code = |locale: &str, listed: &str| {
            let pack = with(&format!(r#"{{"locale":"{locale}","direction":"rtl"}}"#), "{}", "{}");
            check_pack(pack.as_bytes(), &language(listed)).err().map(|fault| fault.code())
        };
        for (locale, listed) in [("pt-BR", "pt-BR"), ("PT-br", "pt-BR"), ("pt_BR", "pt-BR"), ("iw", "he")] {
            assert_eq!(code(locale, listed), None, "{locale}");
        }
        for (locale, listed) in [("pt", "pt-BR"), ("pt-BR", "pt"), ("ru", "uk"), ("", "ru"), ("русский", "ru")] {
            assert_eq!(code(locale, listed), Some(Code::LocaleMismatch), "{locale}");
        }
    }

    #[test]
    fn every_rule_finds_its_fault_at_its_place() {
        let rule = |code: &str, pointer: &str| (code.to_owned(), pointer.to_owned());
        let strings = |ruleset: &str| one(&with(META, "{}", ruleset));
        let package = |package: &str| one(&with(META, package, "{}"));
        let meta = |meta: &str| one(&with(meta, "{}", "{}"));
        let root = |more: &str| one(&format!(r#"{{"_meta":{META},"ruleset":{{}},{more}}}"#));

        assert_eq!(root(r#""agents":{}"#), rule("T02", "/agents"));
        assert_eq!(root(r#""a/b":{"c":[1]}"#), rule("T02", "/a~1b"));
        assert_eq!(root(r#""$schema":1"#), rule("T02", "/$schema"));
        assert_eq!(root(r#""ruleset":{}"#), rule("T02", "/ruleset"));
        assert_eq!(root(r#""\u0072uleset":{}"#), rule("T02", "/ruleset"));
        assert_eq!(one("[]"), rule("T02", ""));
        assert_eq!(one("null"), rule("T02", ""));

        assert_eq!(one(r#"{"ruleset":{}}"#), rule("T03", ""));
        assert_eq!(meta("null"), rule("T03", "/_meta"));
        assert_eq!(meta("[{}]"), rule("T03", "/_meta"));
        assert_eq!(meta(r#"{"direction":"ltr"}"#), rule("T03", "/_meta"));
        assert_eq!(meta(r#"{"locale":1,"direction":"ltr"}"#), rule("T03", "/_meta/locale"));
        assert_eq!(meta(r#"{"locale":"de","direction":"ltr"}"#), rule("T03", "/_meta/locale"));
        assert_eq!(meta(r#"{"locale":"ru","direction":"up"}"#), rule("T03", "/_meta/direction"));
        assert_eq!(meta(r#"{"locale":"ru","direction":null}"#), rule("T03", "/_meta/direction"));
        assert_eq!(meta(r#"{"locale":"ru","direction":"ltr","x":"y"}"#), rule("T03", "/_meta/x"));
        assert_eq!(meta(r#"{"locale":"ru","direction":"ltr","locale":"ru"}"#), rule("T03", "/_meta/locale"));

        assert_eq!(package("1"), rule("T04", "/package"));
        assert_eq!(package(r#"{"name":{}}"#), rule("T04", "/package/name"));
        assert_eq!(package(r#"{"summary":"x"}"#), rule("T04", "/package/summary"));
        assert_eq!(package(r#"{"name":"x","name":"y"}"#), rule("T04", "/package/name"));

        for value in ["1", "-1", "1.5", "true", "null", "[1,{}]", r#"{"a":{"b":1}}"#] {
            assert_eq!(strings(&format!(r#"{{"a":"b","Fire/Bolt":{value}}}"#)), rule("T05", "/ruleset/Fire~1Bolt"));
        }
        assert_eq!(strings(r#""text""#), rule("T05", "/ruleset"));
        assert_eq!(strings(r#"{"a":"b","\u0061":"c"}"#), rule("T05", "/ruleset/a"));
        assert_eq!(one(&format!(r#"{{"_meta":{META}}}"#)), rule("T07", ""));
    }

    #[test]
    fn all_findings_are_told_and_the_install_check_ends_at_the_first_error() {
        let pack = r#"{"_meta":{"locale":"de"},"x":1,"package":{"name":1}}"#;
        let codes: Vec<_> = found(pack).into_iter().map(|(code, _)| code).collect();
        assert_eq!(codes, ["T03", "T03", "T02", "T04", "T07"]);
        let fault = check_pack(pack.as_bytes(), &language("ru")).unwrap_err();
        assert_eq!(fault.code(), Code::LocaleMismatch);
        assert_eq!(fault.problem(), &check_pack_all(pack.as_bytes(), &language("ru"))[0]);
        assert_eq!(fault.to_string(), "T03: `locale` is `de`, but the pack is listed for `ru` (at /_meta/locale)");
    }

    #[test]
    fn what_is_not_strict_json_is_an_invalid_pack() {
        let right = with(META, "{}", r#"{"a":"b"}"#);
        let mut not_utf8 = right.clone().into_bytes();
        let at = not_utf8.len() - 4;
        not_utf8[at] = 0xff;
        for wrong in [
            b"".to_vec(),
            format!("\u{feff}{right}").into_bytes(),
            format!("{right}x").into_bytes(),
            right.as_bytes()[..right.len() - 1].to_vec(),
            right.replace("\"b\"", "\"\\ud800\"").into_bytes(),
            right.replace("\"b\"", "\"b\",").into_bytes(),
            right.replace("\"b\"", "NaN").into_bytes(),
            not_utf8,
        ] {
            let fault = check_pack(&wrong, &language("ru")).unwrap_err();
            assert_eq!(fault.code(), Code::InvalidPack, "{}", String::from_utf8_lossy(&wrong));
        }
    }

    #[test]
    fn the_place_of_broken_json_is_counted_in_characters() {
        let pack = "{\"ruleset\":{\n\"Жар\": \"огонь\" \"x\"}}";
        let problem = check_pack_all(pack.as_bytes(), &language("ru")).remove(0);
        assert_eq!((problem.line, problem.column), (Some(2), Some(16)));
    }

    #[test]
    fn endless_findings_are_counted_and_not_kept() {
        let strings: Vec<_> = (0..3000).map(|n| format!("\"{n}\":{n}")).collect();
        let pack = with(META, "{}", &format!("{{{}}}", strings.join(",")));
        let found = check_pack_all(pack.as_bytes(), &language("ru"));
        assert!(found.len() <= MOST_TOLD_OF_A_PACK + 1);
        assert_eq!(found.iter().map(|problem| problem.stands_for).sum::<usize>(), 3000);
    }

    proptest! {
        #[test]
        fn no_bytes_panic_and_both_checks_agree(bytes in prop::collection::vec(any::<u8>(), 0..200),
                                                at in any::<prop::sample::Index>(), byte: u8) {
            let mut pack = with(META, r#"{"name":"n"}"#, r#"{"a":"б"}"#).into_bytes();
            let at = at.index(pack.len());
            pack[at] = byte;
            for bytes in [bytes, pack] {
                let errors = check_pack_all(&bytes, &language("ru")).iter().filter(|p| p.severity == Severity::Error).count();
                prop_assert_eq!(check_pack(&bytes, &language("ru")).is_ok(), errors == 0);
            }
        }
    }
}
