use super::App;
use super::report::{Card, Info, LeftOut, Needs, SearchResult};
use crate::catalog::{self, Entry, Reading, incompatibilities};
use crate::store::Snapshot;
use crate::types::{Failure, Language, PackageId, Problem, Version};
use std::collections::{HashMap, HashSet};

/// How many reasons one answer tells in full. A catalog of nothing but rubbish has millions of them.
const MOST_REASONS: usize = 10_000;

impl App {
    /// The catalog's rulesets as cards in the reader's language. Every word must occur in id, name or description,
    /// in that language or in English; case does not count.
    pub fn search(&self, words: &[String]) -> Result<SearchResult, Failure> {
        let snapshot = self.read()?;
        let language = self.language(&snapshot.state);
        let words: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
        let installed = versions(&snapshot);
        let mut result = SearchResult { rulesets: Vec::new(), left_out: Vec::new() };
        let mut seen = HashSet::new();
        let mut room = MOST_REASONS;
        self.shelf()?.each(|reading| {
            let first = !reading.id().is_some_and(|id| seen.contains(id));
            match reading {
                Reading::Unusable { id, reasons, .. } => {
                    result.left_out.push(LeftOut { id, reasons: told(&reasons, &mut room) });
                }
                Reading::OtherKind { id, .. } => {
                    seen.insert(id);
                }
                Reading::Ruleset(entry) if !first => {
                    let id = Some(entry.manifest.id.to_string());
                    let reasons = vec!["the same id stands in the catalog before; the first entry counts".to_owned()];
                    result.left_out.push(LeftOut { id, reasons });
                }
                Reading::Ruleset(entry) => {
                    seen.insert(entry.manifest.id.to_string());
                    if matches(&entry, &language, &words) {
                        result.rulesets.push(self.card(&entry, &language, &installed));
                    }
                }
            }
        })?;
        Ok(result)
    }

    /// One card.
    pub fn info(&self, id: &str) -> Result<Info, Failure> {
        let snapshot = self.read()?;
        let entry = self.shelf()?.offered(id)?;
        let manifest = &entry.manifest;
        let needs = Needs {
            engine_min: manifest.engine.min.to_string(),
            engine_max_exclusive: manifest.engine.max_exclusive.to_string(),
            api: manifest.api.map(|api| api.to_string()),
        };
        Ok(Info { ruleset: self.card(&entry, &self.language(&snapshot.state), &versions(&snapshot)), needs })
    }

    fn card(&self, entry: &Entry, language: &Language, installed: &HashMap<PackageId, Version>) -> Card {
        let manifest = &entry.manifest;
        let catalog::Card { name, description } = entry.card(language);
        let reasons = incompatibilities(manifest, self.options.engine.as_ref(), self.options.api);
        Card {
            id: manifest.id.to_string(),
            name: name.to_owned(),
            description: description.to_owned(),
            version: manifest.version.to_string(),
            bytes: entry.artifact.expected.bytes.0,
            languages: entry.packs.iter().map(|pack| pack.language.to_string()).collect(),
            installed: installed.get(&manifest.id).map(Version::to_string),
            compatible: reasons.is_empty(),
            reasons: reasons.into_iter().map(|failure| failure.message).collect(),
        }
    }
}

/// The active versions by id. The registry reads its records anew each time it is asked, and a catalog asks thousands of
/// times.
fn versions(snapshot: &Snapshot) -> HashMap<PackageId, Version> {
    snapshot.registry.rulesets().into_iter().map(|ruleset| (ruleset.id, ruleset.version)).collect()
}

/// The reasons of one entry as far as there is room for them in the answer; the first one always.
fn told(reasons: &[Problem], room: &mut usize) -> Vec<String> {
    let most = reasons.len().min((*room).max(1));
    *room -= most.min(*room);
    let untold = (most < reasons.len()).then(|| format!("and {} more", reasons.len() - most));
    reasons[..most].iter().map(Problem::reason).chain(untold).collect()
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
