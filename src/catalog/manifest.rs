use super::draft::Draft;
use super::findings::Findings;
use crate::json::{self, Object};
use crate::types::{Api, Expected, Language, PackageId, Pointer, Problem, SafePath, Version};
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet};

/// A package's manifest: what rulepack reads of it, beside the text as published, which is what is carried on.
#[derive(Clone, Debug)]
pub struct Manifest {
    /// The manifest as published, unknown keys included.
    pub raw: Box<RawValue>,
    pub id: PackageId,
    pub name: String,
    pub version: Version,
    /// Empty when none is given.
    pub description: String,
    pub engine: EngineRange,
    /// Only schema version 2 declares one; a version 1 manifest suits every engine.
    pub api: Option<Api>,
    pub kinds: Vec<String>,
    pub files: Vec<DeclaredFile>,
    /// Name and description in other languages; not the language packs.
    pub localizations: BTreeMap<Language, Localization>,
}

/// The engine versions a package is for: from `min` on, below `max_exclusive`.
#[derive(Clone, Debug)]
pub struct EngineRange {
    pub min: Version,
    pub max_exclusive: Version,
}

/// One file of a package, as its manifest declares it.
#[derive(Clone, Debug)]
pub struct DeclaredFile {
    pub path: SafePath,
    pub expected: Expected,
}

/// What a manifest says of its package in one more language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Localization {
    pub name: Option<String>,
    pub description: Option<String>,
}

impl EngineRange {
    pub fn contains(&self, engine: &Version) -> bool {
        self.min.precedence(engine).is_le() && engine.precedence(&self.max_exclusive).is_lt()
    }
}

impl Manifest {
    /// Reads a manifest from its JSON text by the rules every package meets (catalog format, sections 3.1 and 3.2),
    /// with every reason why it cannot be one.
    ///
    /// Keys nobody knows yet pass. What only the entries of a catalog must meet, `locales/` in files[] (K11) for one,
    /// is [`super::read_entry`]'s to judge: a shared package file may carry translations (K12).
    pub fn parse(text: &str) -> Result<Self, Vec<Problem>> {
        let mut found = Findings::default();
        let raw = serde_json::from_str::<&RawValue>(text).map_err(|error| format!("is not JSON: {error}"));
        let read = raw.and_then(|raw| Ok((raw, Object::parse(raw.get(), Pointer::root())?)));
        let manifest = match read {
            Ok((raw, object)) => Draft::read(&object, raw, &mut found).and_then(|draft| draft.finish(raw)),
            Err(why) => {
                found.refuse("manifest-shape", &Pointer::root(), format!("the manifest {why}"));
                None
            }
        };
        found.complete(manifest.as_ref().map(|manifest| manifest.id.as_str()));
        match manifest {
            Some(manifest) if found.reasons.is_empty() => Ok(manifest),
            _ => Err(found.reasons),
        }
    }

    /// Whether two manifests say the same: equal as JSON with the defaults filled in; the order of keys does not
    /// count, the order of arrays does (catalog format, section 12). Keys nobody knows yet count too.
    pub fn says_the_same_as(&self, other: &Manifest) -> bool {
        /// The keys that may be left out and what leaving them out means (catalog format, section 3.1).
        const DEFAULTS: [(&str, &str); 2] = [("description", "\"\""), ("restartRequired", "false")];
        let (Ok(ours), Ok(theirs)) = (self.object(), other.object()) else { return false };
        let keys: BTreeSet<&str> = ours.fields().chain(theirs.fields()).map(|(key, _)| key).collect();
        keys.into_iter().all(|key| {
            let default = DEFAULTS.iter().find(|(name, _)| *name == key).map(|(_, value)| *value);
            let ours = ours.get(key).map(RawValue::get).or(default);
            let theirs = theirs.get(key).map(RawValue::get).or(default);
            ours.zip(theirs).is_some_and(|(ours, theirs)| json::equal(ours, theirs))
        })
    }

    pub fn is_ruleset(&self) -> bool {
        self.kinds.iter().any(|kind| kind == "ruleset")
    }

    fn object(&self) -> Result<Object<'_>, String> {
        Object::parse(self.raw.get(), Pointer::root())
    }
}
