use super::Manifest;
use crate::types::{Expected, HttpsUrl, Language, Problem};

/// A ruleset a catalog offers, after every rule an entry must meet before anything is downloaded.
#[derive(Clone, Debug)]
pub struct Entry {
    /// What the package is.
    pub manifest: Manifest,
    /// Where its files come from.
    pub artifact: FileOffer,
    /// Its language packs, by their languages.
    pub packs: Vec<PackOffer>,
    /// What `catalog verify` reports and an installer lets pass: unknown keys and the like.
    pub notes: Vec<Problem>,
}

/// A file to download and what it must be.
#[derive(Clone, Debug)]
pub struct FileOffer {
    /// Where it lies.
    pub url: HttpsUrl,
    /// What its bytes must be.
    pub expected: Expected,
}

/// The language pack of one language.
#[derive(Clone, Debug)]
pub struct PackOffer {
    /// The language it is in.
    pub language: Language,
    /// Where it comes from.
    pub file: FileOffer,
    /// The store card in that language.
    pub name: String,
    /// What the ruleset is, in that language.
    pub description: String,
}

/// What one element of `packages[]` turned out to be.
#[derive(Clone, Debug)]
pub enum Reading {
    /// A ruleset that can be installed.
    Ruleset(Box<Entry>),
    /// A package of another kind, which rulepack never installs.
    OtherKind {
        /// The package it is.
        id: String,
        /// What it says it is.
        kinds: Vec<String>,
    },
    /// An entry that cannot be used, with every reason. The id and the manifest are what could be read of it; `notes`
    /// are what would not have made it unusable.
    Unusable {
        /// The package, where as much can be read.
        id: Option<String>,
        /// Every reason why not.
        reasons: Vec<Problem>,
        /// What else there is to say of it.
        notes: Vec<Problem>,
        /// Its manifest, where that is sound.
        manifest: Option<Box<Manifest>>,
    },
}

/// How a ruleset is shown in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Card<'a> {
    /// The name.
    pub name: &'a str,
    /// What it is.
    pub description: &'a str,
}

impl Reading {
    /// The id as far as it could be read.
    pub fn id(&self) -> Option<&str> {
        match self {
            Reading::Ruleset(entry) => Some(entry.manifest.id.as_str()),
            Reading::OtherKind { id, .. } => Some(id),
            Reading::Unusable { id, .. } => id.as_deref(),
        }
    }
}

impl Entry {
    /// The card for a reader of `language`: as the pack that serves them has it, else as the manifest's own
    /// localizations do, else in English.
    pub fn card(&self, language: &Language) -> Card<'_> {
        let english = Card { name: &self.manifest.name, description: &self.manifest.description };
        if language.is_english() {
            return english;
        }
        if let Some(pack) = self.pack_for(language) {
            return Card { name: &pack.name, description: &pack.description };
        }
        let localizations = &self.manifest.localizations;
        match language.pick(localizations.keys()).and_then(|picked| localizations.get(picked)) {
            Some(localized) => Card {
                name: localized.name.as_deref().unwrap_or(english.name),
                description: localized.description.as_deref().unwrap_or(english.description),
            },
            None => english,
        }
    }

    /// The pack that serves a reader of `language` (docs/spec/commands.md#language); English and its kinds need none.
    pub fn pack_for(&self, language: &Language) -> Option<&PackOffer> {
        if language.is_english() {
            return None;
        }
        let picked = language.pick(self.packs.iter().map(|pack| &pack.language))?;
        self.packs.iter().find(|pack| pack.language == *picked)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{read_entry, sample};
    use super::*;
    use serde_json::{Value, json};

    fn read(edit: impl FnOnce(&mut Value)) -> Entry {
        match read_entry(&sample::entry(edit).to_string()) {
            Reading::Ruleset(entry) => *entry,
            other => panic!("{other:?}"),
        }
    }

    fn language(tag: &str) -> Language {
        tag.parse().unwrap()
    }

    #[test]
    fn a_card_is_read_from_the_pack_else_the_localization_else_in_english() {
        let entry = read(|_| ());
        let name = |tag: &str| entry.card(&language(tag)).name;
        assert_eq!(name("ru-RU"), "Угольные дороги");
        assert_eq!(name("de-AT"), "Glutstraßen");
        assert_eq!(name("fr"), "Ember Roads");
        assert_eq!(name("en-GB"), "Ember Roads");
        let german = entry.card(&language("de"));
        assert_eq!(german.description, "Two dice and a stat.");
    }

    #[test]
    fn a_pack_serves_the_kinds_of_its_language_and_english_needs_none() {
        let entry = read(|entry| {
            let mut pack = entry["locales"]["ru"].clone();
            pack["url"] = "https://example.org/files/ember-roads-1.0.0.en-GB.json".into();
            entry["locales"]["en-GB"] = pack;
        });
        let served = |tag: &str| entry.pack_for(&language(tag)).map(|pack| pack.language.as_str());
        assert_eq!(served("ru_RU.UTF-8"), Some("ru"));
        assert_eq!(served("uk"), None);
        assert_eq!(served("en"), None);
        assert_eq!(served("en-GB"), None);
    }

    #[test]
    fn a_broken_localization_costs_its_card_only() {
        let entry = read(|entry| {
            entry["manifest"]["localizations"] = json!({
                "de": {"name": 3, "description": "Zwei Würfel."}, "fr": [], "??": {}, "it": {"name": "Strade", "x": 1},
            });
        });
        assert_eq!(entry.card(&language("de")), Card { name: "Ember Roads", description: "Zwei Würfel." });
        assert_eq!(entry.card(&language("it")).name, "Strade");
        let mut codes: Vec<&str> = entry.notes.iter().map(|note| note.code.as_str()).collect();
        codes.sort_unstable();
        assert_eq!(
            codes,
            ["manifest-localizations", "manifest-localizations", "manifest-localizations", "unknown-key"]
        );
    }
}
