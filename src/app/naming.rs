//! What a ruleset is called in the reader's language: as the installed version's own card has it, without reading a
//! file or the catalog, so that a run with nothing to do can tell it too.

use super::App;
use super::imports::LocalRuleset;
use crate::catalog::MAX_PACK;
use crate::store::{Installed, Layout, State};
use crate::types::{Language, PackageId, Version};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// What is looked for in a manifest. What else is in it may be of any kind.
#[derive(Deserialize)]
struct Named<'a> {
    name: String,
    #[serde(borrow, default)]
    localizations: Option<&'a RawValue>,
}

/// A name as localizations and language packs have it.
#[derive(Deserialize)]
struct Card {
    name: String,
}

/// What an installed ruleset is called in English.
pub(super) fn english_name(installed: &Installed) -> Option<String> {
    serde_json::from_str::<Named>(installed.manifest.get()).ok().map(|named| named.name)
}

/// What an installed ruleset is called.
pub(super) fn name_of(installed: &Installed, language: &Language, state: &State) -> Option<String> {
    let Installed { id, version, manifest, .. } = installed;
    localized(language, state, id, version, manifest).or_else(|| english_name(installed))
}

/// As it is known to be called in the language of a reader, if that is not English.
pub(super) fn localized(
    language: &Language,
    state: &State,
    id: &PackageId,
    version: &Version,
    manifest: &RawValue,
) -> Option<String> {
    of_offered(language, state, id, version)
        .or_else(|| of_localizations(language, &serde_json::from_str(manifest.get()).ok()?))
}

impl App {
    /// What an imported ruleset is called: as the translation kept with it has it, where that serves the reader.
    pub(super) fn local_name(&self, ruleset: &LocalRuleset, language: &Language) -> String {
        #[derive(Deserialize)]
        struct Pack {
            package: Card,
        }
        let translated = || {
            let kept = ruleset.kept.pack.as_ref().filter(|pack| language.fallbacks().contains(&pack.language))?;
            let path = Layout::pack_in(&self.local_root(ruleset), &kept.language);
            let bytes = self.read_kept(&path, MAX_PACK.0 + 1).ok()?;
            serde_json::from_slice::<Pack>(&bytes).ok().map(|pack| pack.package.name)
        };
        translated().unwrap_or_else(|| ruleset.kept.name.clone())
    }
}

/// As the language pack that serves the reader is listed.
pub(super) fn of_offered(language: &Language, state: &State, id: &PackageId, version: &Version) -> Option<String> {
    if language.is_english() {
        return None;
    }
    let offered = &state.receipt(id, version)?.offered;
    let picked = language.pick(offered.iter().map(|offered| &offered.language))?;
    offered.iter().find(|offered| offered.language == *picked)?.name.clone()
}

/// As the manifest itself has it in other languages.
fn of_localizations(language: &Language, named: &Named) -> Option<String> {
    if language.is_english() {
        return None;
    }
    let all: BTreeMap<String, &RawValue> = serde_json::from_str(named.localizations?.get()).ok()?;
    let read = |(tag, card): (String, &RawValue)| {
        Some((tag.parse::<Language>().ok()?, serde_json::from_str::<Card>(card.get()).ok()?.name))
    };
    let names: BTreeMap<Language, String> = all.into_iter().filter_map(read).collect();
    names.get(language.pick(names.keys())?).cloned()
}
