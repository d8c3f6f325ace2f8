//! The files translators work on.

use super::{CardText, Translation, csv, po};
use crate::ruleset::PackTexts;
use crate::types::Language;
use serde::ser::{Serialize, SerializeMap, Serializer};

/// The form of a file for translators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The language pack itself.
    Json,
    /// gettext.
    Po,
    /// RFC 4180.
    Csv,
}

impl Translation {
    /// The strings in reading order with the translations there are, as a file to fill.
    pub fn to_file(&self, format: Format) -> String {
        match format {
            Format::Json => pack(self),
            Format::Po => po::write(self),
            Format::Csv => csv::write(self),
        }
    }

    /// The texts of the card with the key of each in the manifest, of those the manifest has.
    pub(super) fn card(&self) -> impl Iterator<Item = (&'static str, &str, &str)> {
        let texts = [("name", &self.package.name), ("description", &self.package.description)];
        texts.into_iter().filter_map(|(key, text)| Some((key, text.text.as_deref()?, translation(text))))
    }
}

/// A language pack, empty texts where nothing is translated yet.
fn pack(of: &Translation) -> String {
    let strings = of.strings.iter().map(|line| (line.text.as_str(), line.translation.as_deref().unwrap_or_default()));
    PackFile {
        schema: of.schema.as_deref(),
        meta: [("locale", of.language.as_deref().unwrap_or_default()), ("direction", &of.direction)],
        package: [("name", translation(&of.package.name)), ("description", translation(&of.package.description))],
        strings: strings.collect(),
    }
    .to_text()
}

fn translation(text: &CardText) -> &str {
    text.translation.as_deref().unwrap_or_default()
}

/// The language pack that a file of another form is.
pub(super) fn pack_of(texts: &PackTexts, language: Option<&Language>) -> String {
    let locale = language.map(Language::as_str).or(texts.locale.as_deref()).unwrap_or_default();
    let direction = locale.parse::<Language>().map(|language| language.direction()).unwrap_or_default();
    let card = |text: &Option<String>| text.clone().unwrap_or_default();
    let (name, description) = (card(&texts.name), card(&texts.description));
    PackFile {
        schema: None,
        meta: [("locale", locale), ("direction", direction)],
        package: [("name", &name), ("description", &description)],
        strings: texts.strings.iter().map(|(text, translation)| (text.as_str(), translation.as_str())).collect(),
    }
    .to_text()
}

/// A language pack with its members in the order they are written in.
struct PackFile<'a> {
    schema: Option<&'a str>,
    meta: [(&'static str, &'a str); 2],
    package: [(&'static str, &'a str); 2],
    strings: Vec<(&'a str, &'a str)>,
}

impl PackFile<'_> {
    fn to_text(&self) -> String {
        let text = serde_json::to_string_pretty(self);
        text.unwrap_or_else(|_| unreachable!("a pack is texts under texts")) + "\n"
    }
}

impl Serialize for PackFile<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut root = serializer.serialize_map(None)?;
        if let Some(schema) = self.schema {
            root.serialize_entry("$schema", schema)?;
        }
        root.serialize_entry("_meta", &InOrder(&self.meta))?;
        root.serialize_entry("package", &InOrder(&self.package))?;
        root.serialize_entry("ruleset", &InOrder(&self.strings))?;
        root.end()
    }
}

struct InOrder<'a>(&'a [(&'a str, &'a str)]);

impl Serialize for InOrder<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::publish::strings::{Card, Line, Stale};
    use crate::ruleset::Coverage;
    use crate::ruleset::Use;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn some(text: &str) -> Option<String> {
        Some(text.to_owned()).filter(|text| !text.is_empty())
    }

    fn of(strings: &BTreeMap<String, String>, stale: &BTreeMap<String, String>, card: [String; 2]) -> Translation {
        let line = |(text, translation): (&String, &String)| {
            let place = Use { file: "ruleset.json".to_owned(), pointer: format!("/{text}") };
            Line { text: text.clone(), translation: some(translation), uses: vec![place] }
        };
        let [name, description] =
            card.map(|translation| CardText { text: some("English"), translation: some(&translation) });
        Translation {
            language: some("pt-BR"),
            pack: None,
            coverage: Coverage::default(),
            percent: 0,
            package: Card { name, description },
            strings: strings.iter().map(line).collect(),
            stale: stale
                .iter()
                .map(|(text, translation)| Stale { text: text.clone(), translation: translation.clone() })
                .collect(),
            problems: Vec::new(),
            ruleset: some("small"),
            schema: None,
            direction: "ltr".to_owned(),
            warnings: Vec::new(),
        }
    }

    fn texts() -> impl Strategy<Value = BTreeMap<String, String>> {
        let text = || "[a-c \"\\\\,;\t\r\n#=é語\u{85}\u{2028}\u{1b}]{1,8}|['=+@-]{1,3}|\\PC{1,6}";
        prop::collection::btree_map(text(), prop_oneof![Just(String::new()), text()], 0..6)
    }

    proptest! {
        #[test]
        fn every_file_says_what_was_written_to_it(strings in texts(), stale in texts(), name in "\\PC{0,6}") {
            let written = of(&strings, &stale, [name.clone(), String::new()]);
            let pairs = |texts: PackTexts| texts.strings.into_iter().collect::<Vec<_>>();
            let expected: Vec<_> = strings.clone().into_iter().collect();

            let json = PackTexts::read(written.to_file(Format::Json).as_bytes()).unwrap();
            prop_assert_eq!((json.locale.clone(), json.name.clone()), (some("pt-BR"), Some(name.clone())));
            prop_assert_eq!(pairs(json), expected.clone());

            let (table, _) = csv::read(&written.to_file(Format::Csv)).map_err(|wrong| TestCaseError::fail(wrong.why))?;
            prop_assert_eq!(table.name.clone(), Some(name.clone()));
            prop_assert_eq!(pairs(table), expected.clone());

            let (po, _) = po::read(&written.to_file(Format::Po)).map_err(|wrong| TestCaseError::fail(wrong.why))?;
            prop_assert_eq!((po.locale.clone(), po.name.clone()), (some("pt-BR"), Some(name)));
            prop_assert_eq!(pairs(po), expected.into_iter().chain(stale).collect::<Vec<_>>());
        }

        #[test]
        fn no_text_panics(text in "[msgidctxr\"\\\\0-9 \n,#~\\[\\]]{0,40}", more: String) {
            for text in [text, more] {
                let _ = po::read(&text);
                let _ = csv::read(&text);
                let _ = csv::read(&format!("english,translation\n{text}"));
            }
        }
    }
}
