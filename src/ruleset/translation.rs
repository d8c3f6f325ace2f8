use serde_json::Value;
use std::borrow::Cow;
use std::collections::HashMap;

/// What one language pack says: display string in English to the text in its language.
#[derive(Clone, Debug, Default)]
pub struct Translation {
    strings: HashMap<String, String>,
}

impl Translation {
    /// Takes the `ruleset` section of a pack that was checked. An empty value is not translated yet (T06), and a pack
    /// without that section translates nothing (T07).
    pub fn of(pack: &Value) -> Self {
        let strings = pack["ruleset"].as_object().into_iter().flatten();
        let said =
            strings.filter_map(|(english, said)| Some((english, said.as_str().filter(|said| !said.is_empty())?)));
        Translation { strings: said.map(|(english, said)| (english.clone(), said.to_owned())).collect() }
    }

    /// What a text reads in this language, if it is translated: the whole text, or else what stands before a number at
    /// its end, with that number (T13: "Goblin 2" reads the translation of "Goblin"). Display only: rules and what the
    /// Game Master is told stay English (T11).
    pub fn say<'a>(&'a self, text: &str) -> Option<Cow<'a, str>> {
        if let Some(said) = self.strings.get(text) {
            return Some(Cow::Borrowed(said));
        }
        let (name, number) = numbered(text)?;
        self.strings.get(name).map(|said| Cow::Owned(format!("{said} {number}")))
    }

    /// Whether nothing is translated.
    pub fn is_empty(&self) -> bool {
        self.strings.is_empty()
    }

    /// Every string with its text, in the order of the alphabet.
    pub fn strings(&self) -> std::collections::BTreeMap<&str, &str> {
        self.strings.iter().map(|(english, said)| (english.as_str(), said.as_str())).collect()
    }
}

/// What a text reads in the first of these languages that has it, best first, and which that was; else none of them
/// does and it stays English (T12).
pub fn say_in<'a>(languages: &'a [Translation], text: &str) -> Option<(Cow<'a, str>, usize)> {
    languages.iter().enumerate().find_map(|(index, language)| Some((language.say(text)?, index)))
}

/// A name and the number after it: one space, and digits to the end.
fn numbered(text: &str) -> Option<(&str, &str)> {
    let (name, number) = text.rsplit_once(' ')?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && !name.is_empty()).then_some((name, number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn translation(strings: Value) -> Translation {
        Translation::of(&json!({"_meta": {"locale": "ru"}, "ruleset": strings}))
    }

    /// The engine's own pack and its "Goblin 2".
    #[test]
    fn a_numbered_name_reads_its_translation_with_its_number() {
        let ru = translation(json!({"Prone": "Лежащий", "Goblin": "Гоблин", "Rank 3": "Третий ранг", "Torch": ""}));
        for (text, said) in [
            ("Goblin", Some("Гоблин")),
            ("Goblin 2", Some("Гоблин 2")),
            ("Goblin 12", Some("Гоблин 12")),
            ("Rank 3", Some("Третий ранг")),
            ("Rank 4", None),
            ("Goblin2", None),
            ("Goblin  2", None),
            ("Goblin two", None),
            ("Goblin 2 3", None),
            ("goblin", None),
            ("Torch", None),
            ("Torch 2", None),
            ("", None),
            (" 2", None),
        ] {
            assert_eq!(ru.say(text).as_deref(), said, "{text}");
        }
    }

    #[test]
    fn the_languages_own_file_counts_before_the_one_it_is_a_kind_of() {
        let languages = [
            translation(json!({"Torch": "Tocha (BR)", "Map": ""})),
            translation(json!({"Torch": "Tocha", "Map": "Mapa"})),
        ];
        assert_eq!(say_in(&languages, "Torch"), Some(("Tocha (BR)".into(), 0)));
        assert_eq!(say_in(&languages, "Map 2"), Some(("Mapa 2".into(), 1)));
        assert_eq!(say_in(&languages, "Rope"), None);
        assert!(Translation::of(&json!({"package": {}})).is_empty());
    }

    proptest! {
        #[test]
        fn what_nobody_translated_is_said_by_nobody(text in ".{0,20}") {
            let none = translation(json!({}));
            prop_assert_eq!(none.say(&text), None);
        }
    }
}
