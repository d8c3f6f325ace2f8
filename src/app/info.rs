use super::report::{Card, Info, LeftOut, Needs, SearchResult};
use super::{App, Options};
use crate::catalog::{self, Entry, Reading, incompatibilities};
use crate::store::Registry;
use crate::types::{Failure, Language, Problem};
use std::collections::HashSet;

/// How many reasons one answer tells in full. A catalog of nothing but rubbish has millions of them.
const MOST_REASONS: usize = 10_000;

impl App {
    /// The catalog's rulesets as cards in the reader's language. Every word must occur in id, name or description,
    /// in that language or in English; case does not count.
    pub(crate) fn search(&self, words: &[String]) -> Result<SearchResult, Failure> {
        let snapshot = self.read()?;
        let language = self.language(&snapshot.state);
        let words: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
        let cards = Cards { options: &self.options, language: &language, registry: &snapshot.registry };
        let mut result = SearchResult { rulesets: Vec::new(), left_out: Vec::new(), by_words: !words.is_empty() };
        let mut seen = HashSet::new();
        let mut room = MOST_REASONS;
        for found in self.shelf()?.each(|reading| cards.look(reading, &words))? {
            match found {
                Seen::Unusable(id, reasons) => {
                    result.left_out.push(LeftOut { id, reasons: told(reasons, &mut room) });
                }
                Seen::OtherKind(id) => {
                    seen.insert(id);
                }
                Seen::Ruleset(id, card) => {
                    if seen.contains(&id) {
                        let why = "the catalog already lists this id; the first entry is used";
                        result.left_out.push(LeftOut { id: Some(id), reasons: vec![why.to_owned()] });
                    } else {
                        seen.insert(id);
                        result.rulesets.extend(card);
                    }
                }
            }
        }
        Ok(result)
    }

    /// One card.
    pub(crate) fn info(&self, id: &str) -> Result<Info, Failure> {
        let snapshot = self.read()?;
        let entry = self.shelf()?.offered(id)?;
        let manifest = &entry.manifest;
        let needs = Needs {
            engine_min: manifest.engine.min.to_string(),
            engine_max_exclusive: manifest.engine.max_exclusive.to_string(),
            api: manifest.api.map(|api| api.to_string()),
        };
        let language = self.language(&snapshot.state);
        let cards = Cards { options: &self.options, language: &language, registry: &snapshot.registry };
        Ok(Info { ruleset: cards.card(&entry), needs })
    }
}

/// What a search keeps of an element of the catalog.
enum Seen {
    /// Its id and the reasons.
    Unusable(Option<String>, Vec<String>),
    OtherKind(String),
    /// Its id, and its card if the words occur in it.
    Ruleset(String, Option<Card>),
}

/// What cards are made with.
struct Cards<'a> {
    options: &'a Options,
    language: &'a Language,
    registry: &'a Registry,
}

impl Cards<'_> {
    fn look(&self, reading: Reading, words: &[String]) -> Seen {
        match reading {
            Reading::Unusable { id, reasons, .. } => {
                let told = reasons.iter().take(MOST_REASONS).map(Problem::reason).collect();
                Seen::Unusable(id, told)
            }
            Reading::OtherKind { id, .. } => Seen::OtherKind(id),
            Reading::Ruleset(entry) => {
                let card = matches(&entry, self.language, words).then(|| self.card(&entry));
                Seen::Ruleset(entry.manifest.id.to_string(), card)
            }
        }
    }

    fn card(&self, entry: &Entry) -> Card {
        let manifest = &entry.manifest;
        let catalog::Card { name, description } = entry.card(self.language);
        let reasons = incompatibilities(manifest, self.options.engine.as_ref(), self.options.api);
        Card {
            id: manifest.id.to_string(),
            name: name.to_owned(),
            description: description.to_owned(),
            version: manifest.version.to_string(),
            bytes: entry.artifact.expected.bytes.0,
            languages: entry.packs.iter().map(|pack| pack.language.to_string()).collect(),
            installed: self.registry.ruleset(&manifest.id).map(|installed| installed.version.to_string()),
            compatible: reasons.is_empty(),
            reasons: reasons.into_iter().map(|failure| failure.message).collect(),
        }
    }
}

/// The reasons of one entry as far as there is room for them in the answer; the first one always.
fn told(mut reasons: Vec<String>, room: &mut usize) -> Vec<String> {
    let most = reasons.len().min((*room).max(1));
    *room -= most.min(*room);
    let untold = reasons.len() - most;
    reasons.truncate(most);
    reasons.extend((untold > 0).then(|| format!("and {untold} more")));
    reasons
}

fn matches(entry: &Entry, language: &Language, words: &[String]) -> bool {
    if words.is_empty() {
        return true;
    }
    let manifest = &entry.manifest;
    let catalog::Card { name, description } = entry.card(language);
    let texts = [manifest.id.as_str(), &manifest.name, &manifest.description, name, description];
    let texts: Vec<String> = texts.iter().map(|text| text.to_lowercase()).collect();
    words.iter().all(|word| texts.iter().any(|text| text.contains(word)))
}
