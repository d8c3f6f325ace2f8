use super::{SafePath, checked_text};
use icu_locale::subtags::{Language as LanguageSubtag, Script, language, script};
use icu_locale::{LanguageIdentifier, Locale, LocaleCanonicalizer, LocaleDirectionality, LocaleExpander};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::str::FromStr;

/// A language tag in its canonical spelling (CLDR aliases resolved: `iw` is `he`), without extensions, which never
/// choose a language pack.
///
/// Reads BCP 47 tags in any case and the POSIX spelling: `pt_BR.UTF-8` and `PT-br` are `pt-BR`, `sr_RS@latin` is
/// `sr-Latn-RS` (docs/spec/commands.md#language).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Language(String);

/// Why a text is no language tag.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is not a language tag such as `ru`, `pt-BR` or `zh-Hans`")]
pub struct InvalidLanguage(String);

impl Language {
    /// The tag in its canonical spelling.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The language of the rulesets themselves.
    pub fn english() -> Self {
        Language("en".to_owned())
    }

    /// Whether this is English or a kind of it, which needs no language pack.
    pub fn is_english(&self) -> bool {
        self.0 == "en" || self.0.starts_with("en-")
    }

    /// Which way its likely script (CLDR) is written: `ltr`, or `rtl` as Arabic is.
    pub fn direction(&self) -> &'static str {
        let tag = self.0.parse::<LanguageIdentifier>().ok();
        let rtl = tag.is_some_and(|tag| LocaleDirectionality::new_extended().is_right_to_left(&tag));
        if rtl { "rtl" } else { "ltr" }
    }

    /// The system's language by the POSIX variables: the first of `LC_ALL`, `LC_MESSAGES`, `LANG` that is not empty.
    /// Unset, `C`, `POSIX` and what cannot be read mean English. `LANGUAGE` is not read.
    pub fn of_environment(variable: impl Fn(&str) -> Option<String>) -> Self {
        ["LC_ALL", "LC_MESSAGES", "LANG"]
            .into_iter()
            .find_map(|name| variable(name).filter(|value| !value.is_empty()))
            .and_then(|value| value.parse().ok())
            .unwrap_or_else(Self::english)
    }

    /// The tags whose pack serves a reader of this one, best first: the tag itself, then the languages it is a kind
    /// of. The likely script (CLDR) is added where none is written, so `zh-CN` finds `zh-Hans`; it is left out only
    /// where it is the likely one, so `zh-TW` never finds `zh`. A region is never added: `pt` does not find `pt-BR`.
    pub fn fallbacks(&self) -> Rc<[Language]> {
        // Asked of the same few languages for every ruleset of a catalog.
        thread_local!(static KNOWN: Memo<Rc<[Language]>> = Memo::default());
        KNOWN.with(|known| known.get(&self.0, || self.chain().into()))
    }

    fn chain(&self) -> Vec<Language> {
        let Ok(tag) = self.0.parse::<LanguageIdentifier>() else { return vec![self.clone()] };
        let script = likely_script(&tag);
        let mut chain = Vec::new();
        let mut push = |tag: &LanguageIdentifier| {
            let tag = Language(tag.to_string());
            // A kind of a language named like a device has a name of its own, that language has none.
            if !chain.contains(&tag) && tag.0.parse::<SafePath>().is_ok() {
                chain.push(tag);
            }
        };
        push(&tag);
        let mut narrowed = tag.clone();
        loop {
            // The two spellings of one tag: with its script written, and without where the script goes without saying.
            let with_script = LanguageIdentifier { script: script.or(narrowed.script), ..narrowed.clone() };
            let bare = LanguageIdentifier { script: None, ..narrowed.clone() };
            let bare_serves = likely_script(&bare) == script;
            let (first, second) = if narrowed.script.is_some() { (&with_script, &bare) } else { (&bare, &with_script) };
            for spelling in [first, second] {
                if spelling.script.is_some() || bare_serves {
                    push(spelling);
                }
            }
            if !narrowed.variants.is_empty() {
                let mut variants: Vec<_> = narrowed.variants.iter().copied().collect();
                variants.pop();
                narrowed.variants = icu_locale::subtags::Variants::from_vec_unchecked(variants);
            } else if narrowed.region.take().is_some() {
                // Once the region is gone its likely script must be said, or it would be another's.
                narrowed.script = narrowed.script.or(script);
            } else {
                return chain;
            }
        }
    }

    /// Which of the tags on offer serves a reader of this one: the nearest by [`Language::fallbacks`].
    pub fn pick<'a>(&self, offered: impl IntoIterator<Item = &'a Language> + Clone) -> Option<&'a Language> {
        self.fallbacks().iter().find_map(|wanted| offered.clone().into_iter().find(|offer| *offer == wanted))
    }
}

/// Whether a text is spelled as maintainers spell the code of a language, in an entry and in the pack itself:
/// `^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$`.
pub fn is_tag(key: &str) -> bool {
    let mut subtags = key.split('-');
    let first = subtags.next().unwrap_or_default();
    (2..=3).contains(&first.len())
        && first.bytes().all(|byte| byte.is_ascii_lowercase())
        && subtags.all(|tag| (2..=8).contains(&tag.len()) && tag.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

/// Answers already worked out, so many at most that a hostile catalog cannot make it grow.
struct Memo<T>(RefCell<HashMap<Box<str>, T>>);

impl<T> Default for Memo<T> {
    fn default() -> Self {
        Memo(RefCell::default())
    }
}

impl<T: Clone> Memo<T> {
    const MOST: usize = 512;

    fn get(&self, key: &str, work_out: impl FnOnce() -> T) -> T {
        if let Some(known) = self.0.borrow().get(key) {
            return known.clone();
        }
        let value = work_out();
        let mut known = self.0.borrow_mut();
        if known.len() < Self::MOST && key.len() <= 40 {
            known.insert(key.into(), value.clone());
        }
        value
    }
}

/// The script the tag names, or the one CLDR finds most likely for its language and region.
fn likely_script(tag: &LanguageIdentifier) -> Option<Script> {
    let mut full = LanguageIdentifier { variants: Default::default(), ..tag.clone() };
    LocaleExpander::new_extended().maximize(&mut full);
    full.script
}

/// The script a POSIX modifier stands for; others (`@euro`) say nothing about the language.
fn modifier_script(modifier: &str) -> Option<Script> {
    match modifier.to_ascii_lowercase().as_str() {
        "latin" => Some(script!("Latn")),
        "cyrillic" => Some(script!("Cyrl")),
        _ => None,
    }
}

impl FromStr for Language {
    type Err = InvalidLanguage;

    fn from_str(text: &str) -> Result<Self, InvalidLanguage> {
        // A catalog names the same few languages thousands of times, and looking one up in CLDR's tables takes longer
        // than reading the JSON around it.
        thread_local!(static KNOWN: Memo<Option<Language>> = Memo::default());
        let known = KNOWN.with(|known| known.get(text, || Language::canonical(text).ok()));
        known.ok_or_else(|| InvalidLanguage(text.chars().take(40).collect()))
    }
}

impl Language {
    fn canonical(text: &str) -> Result<Self, InvalidLanguage> {
        let invalid = || InvalidLanguage(text.chars().take(40).collect());
        let (tag, modifier) = text.split_once('@').map_or((text, None), |(tag, modifier)| (tag, Some(modifier)));
        let tag = tag.split_once('.').map_or(tag, |(tag, _codeset)| tag).replace('_', "-");
        if tag.len() > 35 {
            return Err(invalid());
        }
        let mut locale = Locale::try_from_str(&tag).map_err(|_| invalid())?;
        if locale.id.script.is_none() {
            locale.id.script = modifier.and_then(modifier_script);
        }
        LocaleCanonicalizer::new_extended().canonicalize(&mut locale);
        // The one alias CLDR keeps among its parent locales instead: `no` is written Bokmål.
        if locale.id.language == language!("no") {
            locale.id.language = language!("nb");
        }
        let language = locale.id.language;
        if language == LanguageSubtag::UNKNOWN || language.as_str().len() > 3 {
            return Err(invalid());
        }
        // It becomes a file name, and four languages have the code of a Windows device: `aux`, `con`, `nul`, `prn`
        // (B33).
        let tag = locale.id.to_string();
        if tag.parse::<SafePath>().is_err() {
            return Err(invalid());
        }
        Ok(Language(tag))
    }
}

checked_text!(Language);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn language(text: &str) -> Language {
        text.parse().unwrap()
    }

    #[test]
    fn the_direction_is_that_of_the_likely_script() {
        for tag in ["ar", "he", "fa-IR", "ur", "uz-Arab", "az-Arab"] {
            assert_eq!(language(tag).direction(), "rtl", "{tag}");
        }
        for tag in ["en", "ru", "zh-Hans", "pt-BR", "uz", "ar-Latn"] {
            assert_eq!(language(tag).direction(), "ltr", "{tag}");
        }
    }

    fn picked(wanted: &str, offered: &[&str]) -> Option<String> {
        let offered: Vec<Language> = offered.iter().map(|tag| language(tag)).collect();
        language(wanted).pick(&offered).map(Language::to_string)
    }

    #[test]
    fn one_spelling_for_each_language() {
        for (written, canonical) in [
            ("pt_BR.UTF-8", "pt-BR"),
            ("PT-br", "pt-BR"),
            ("ZH-hans", "zh-Hans"),
            ("sr_RS@latin", "sr-Latn-RS"),
            ("sr_RS.UTF-8@cyrillic", "sr-Cyrl-RS"),
            ("de_DE@euro", "de-DE"),
            ("iw", "he"),
            ("in", "id"),
            ("no", "nb"),
            ("sh", "sr-Latn"),
            ("de-u-co-phonebk", "de"),
            ("ru", "ru"),
            ("ca-valencia", "ca-valencia"),
        ] {
            assert_eq!(language(written).as_str(), canonical, "{written}");
        }
        for wrong in [
            "",
            "C",
            "POSIX",
            "C.UTF-8",
            "e",
            "und",
            "x-private",
            "i-klingon",
            "english",
            "pt-",
            "-pt",
            "../pt",
            "pt BR",
            "pt\0",
            "con",
            "AUX",
        ] {
            assert!(wrong.parse::<Language>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn no_reader_is_sent_to_the_name_of_a_device() {
        for tag in ["aux-PG", "CON_nonon", "nul-Latn"] {
            let chain = language(tag).fallbacks();
            assert!(chain.iter().all(|tag| tag.as_str().contains('-')) && !chain.is_empty(), "{chain:?}");
        }
    }

    #[test]
    fn a_pack_serves_the_kinds_of_its_language_and_no_sibling() {
        let offered = ["zh-Hans", "zh-Hant", "pt", "pt-PT", "sr-Latn", "sr", "es", "nb", "de", "ca"];
        for (wanted, served) in [
            ("zh-CN", Some("zh-Hans")),
            ("zh-SG", Some("zh-Hans")),
            ("zh", Some("zh-Hans")),
            ("zh-TW", Some("zh-Hant")),
            ("zh-HK", Some("zh-Hant")),
            ("zh-Hans-TW", Some("zh-Hans")),
            ("pt-BR", Some("pt")),
            ("pt-PT", Some("pt-PT")),
            ("pt-AO", Some("pt")),
            ("sr-Latn-RS", Some("sr-Latn")),
            ("sr-ME", Some("sr-Latn")),
            ("sr-RS", Some("sr")),
            ("es-MX", Some("es")),
            ("no", Some("nb")),
            ("de-AT", Some("de")),
            ("ca-valencia", Some("ca")),
            ("yue", None),
            ("fr", None),
        ] {
            assert_eq!(picked(wanted, &offered).as_deref(), served, "{wanted}");
        }
        assert_eq!(picked("pt", &["pt-BR"]), None);
        assert_eq!(picked("zh-TW", &["zh"]), None);
        assert_eq!(picked("zh-CN", &["zh"]).as_deref(), Some("zh"));
        assert_eq!(picked("zh", &["zh-TW"]), None);
        assert_eq!(picked("sr-Latn", &["sr"]), None);
        assert_eq!(picked("zh-Hans", &["zh"]).as_deref(), Some("zh"));
        assert_eq!(picked("zh-Hans", &["zh-CN"]), None);
        assert_eq!(picked("zh-CN", &["zh-Hans-CN", "zh-Hans"]).as_deref(), Some("zh-Hans-CN"));
    }

    #[test]
    fn the_chain_is_the_contracts() {
        let chain = |tag: &str| language(tag).fallbacks().iter().map(Language::to_string).collect::<Vec<_>>();
        assert_eq!(chain("zh-CN"), ["zh-CN", "zh-Hans-CN", "zh-Hans", "zh"]);
        assert_eq!(chain("zh-TW"), ["zh-TW", "zh-Hant-TW", "zh-Hant"]);
        assert_eq!(chain("zh"), ["zh", "zh-Hans"]);
        assert_eq!(chain("pt-BR"), ["pt-BR", "pt-Latn-BR", "pt-Latn", "pt"]);
    }

    #[test]
    fn the_systems_language() {
        let of = |pairs: &[(&str, &str)]| {
            let find = |name: &str| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| value.to_string());
            Language::of_environment(find).to_string()
        };
        assert_eq!(of(&[]), "en");
        assert_eq!(of(&[("LANG", "ru_RU.UTF-8")]), "ru-RU");
        assert_eq!(of(&[("LANG", "ru_RU"), ("LC_ALL", "C.UTF-8")]), "en");
        assert_eq!(of(&[("LANG", "ru_RU"), ("LC_ALL", "")]), "ru-RU");
        assert_eq!(of(&[("LANG", "ru_RU"), ("LC_MESSAGES", "de_DE")]), "de-DE");
        assert_eq!(of(&[("LANG", "%%%")]), "en");
        assert_eq!(of(&[("LANGUAGE", "ru")]), "en");
    }

    proptest! {
        #[test]
        fn canonical_spelling_is_stable_and_case_does_not_count(text in "[a-zA-Z]{2,3}([-_][a-zA-Z0-9]{2,8}){0,3}") {
            if let Ok(tag) = text.parse::<Language>() {
                prop_assert_eq!(&language(tag.as_str()), &tag);
                prop_assert_eq!(language(&text.to_uppercase()), tag.clone());
                prop_assert_eq!(&tag.fallbacks()[0], &tag);
                let subtag = |tag: &Language| tag.as_str().split('-').next().unwrap().to_owned();
                prop_assert!(tag.fallbacks().iter().all(|other| subtag(other) == subtag(&tag)));
            }
        }

        #[test]
        fn no_text_panics(text in any::<String>()) {
            let _ = text.parse::<Language>();
        }
    }
}
