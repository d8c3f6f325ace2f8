//! A publisher of rulesets: describe one in code, and have its artifact, its packs and its catalog entry.
//!
//! ```ignore
//! let mut catalog = Catalog::on(&server)
//!     .with(Ruleset::new("ember-roads", "1.0.0").pack("ru", &[("Grit", "Стойкость")]))
//!     .with(Ruleset::new("gravewatch", "0.3.0").container(Container::Bundle));
//! catalog.mount(&server);
//! catalog.publish(Ruleset::new("ember-roads", "1.1.0"));
//! catalog.wrong_sha256("gravewatch");
//! catalog.mount(&server);
//! ```

mod catalog;
mod container;
pub mod wire;

pub use catalog::Catalog;
pub use container::Container;

use serde_json::{Value, json};
use std::collections::BTreeMap;
use wire::{
    Api, Assets, BuiltAgainst, Card, Contributions, DeclaredFile, EngineRange, Entry, Manifest, Meta, Offer, Pack,
    PackOffer,
};

/// A ruleset package as its publisher has it. Sound unless told otherwise.
#[derive(Clone)]
pub struct Ruleset {
    manifest: Manifest,
    container: Container,
    files: Vec<(String, Vec<u8>)>,
    packs: BTreeMap<String, Vec<u8>>,
    artifact_name: String,
    /// Exactly these bytes for the artifact, whatever else was said.
    artifact: Option<Vec<u8>>,
    documentation: Option<String>,
    entry_keys: serde_json::Map<String, Value>,
    inner_manifest_keys: serde_json::Map<String, Value>,
    /// What the artifact holds in place of a declared file (or beside them); nothing where the file is left out.
    smuggled: Vec<(String, Option<Vec<u8>>)>,
}

/// A ruleset ready for a catalog: the entry and every file it points to.
#[derive(Clone)]
pub struct Published {
    pub entry: Entry,
    /// File name to bytes: the artifact and the packs.
    pub files: BTreeMap<String, Vec<u8>>,
}

impl Ruleset {
    /// A small sound ruleset in a zip, for engines 2.3.0 to 4.0.0, API 1.811. Its bytes differ from version to version.
    pub fn new(id: &str, version: &str) -> Self {
        let name = title(id);
        let ruleset = json!({
            "schemaVersion": 1,
            "id": id,
            "version": 1,
            "name": name,
            "edition": format!("As of {version}"),
            "coverage": { "checks": true, "sheet": true, "summary": "Two dice and a stat." },
            "resolution": {
                "kind": "dice-sum",
                "dice": { "count": 2, "sides": 6 },
                "abilityModifier": { "op": "identity" },
                "proficiencyTiers": [{ "id": "untrained", "label": "Untrained" }],
                "difficultyLadder": [{ "label": "Easy", "dc": 6 }, { "label": "Hard", "dc": 10 }]
            },
            "sheet": {
                "version": 1,
                "abilities": [{ "id": "brawn", "label": "Brawn", "min": -1, "max": 3, "default": 0 }],
                "skills": [{ "id": "sneak", "label": "Sneak", "ability": "brawn" }],
                "live": {
                    "pools": [{ "id": "grit", "label": "Grit", "max": { "const": 6 } }],
                    "conditions": [{ "id": "shaken", "label": "Shaken" }]
                }
            },
            "gm": { "checkGuidance": "Call for a check when the outcome is in doubt." }
        });
        let manifest = Manifest {
            schema_version: 2,
            capability_api: Api { major: 1, minor: 811 },
            built_against: BuiltAgainst { engine_version: "3.0.0".to_owned(), engine_commit: "0".repeat(40) },
            id: id.to_owned(),
            description: format!("{name}, for tests."),
            name,
            version: version.to_owned(),
            engine: EngineRange { min: "2.3.0".to_owned(), max_exclusive: "4.0.0".to_owned() },
            kind: vec!["ruleset".to_owned()],
            entrypoints: serde_json::Map::new(),
            contributions: Contributions { assets: Assets { paths: Vec::new() } },
            files: Vec::new(),
            permissions: Vec::new(),
            restart_required: false,
            more: serde_json::Map::new(),
        };
        Ruleset::of(manifest).asset("ruleset.json", wire::pretty(&ruleset))
    }

    /// A ruleset of this manifest and no files yet; what the manifest says of files is worked out anew.
    pub fn of(mut manifest: Manifest) -> Self {
        manifest.files.clear();
        manifest.contributions.assets.paths.clear();
        Ruleset {
            artifact_name: format!("{}-{}.ruleset.json", manifest.id, manifest.version),
            manifest,
            container: Container::Zip,
            files: Vec::new(),
            packs: BTreeMap::new(),
            artifact: None,
            documentation: None,
            entry_keys: serde_json::Map::new(),
            inner_manifest_keys: serde_json::Map::new(),
            smuggled: Vec::new(),
        }
    }

    pub fn container(mut self, container: Container) -> Self {
        self.container = container;
        self
    }

    pub fn named(mut self, name: &str) -> Self {
        self.manifest.name = name.to_owned();
        self
    }

    pub fn described(mut self, description: &str) -> Self {
        self.manifest.description = description.to_owned();
        self
    }

    /// The engine versions it is for: from `min` on, below `max_exclusive`.
    pub fn engine(mut self, min: &str, max_exclusive: &str) -> Self {
        self.manifest.engine = EngineRange { min: min.to_owned(), max_exclusive: max_exclusive.to_owned() };
        self
    }

    pub fn api(mut self, major: u64, minor: u64) -> Self {
        self.manifest.capability_api = Api { major, minor };
        self
    }

    /// The text of its `ruleset.json`.
    pub fn ruleset_json(self, bytes: impl Into<Vec<u8>>) -> Self {
        self.asset("ruleset.json", bytes)
    }

    /// Changes its `ruleset.json` at a JSON pointer: `.ruleset_value("/sheet/version", json!(2))`.
    pub fn ruleset_value(self, pointer: &str, value: Value) -> Self {
        let (_, bytes) = self.files.iter().find(|(path, _)| path == "ruleset.json").expect("it has a ruleset.json");
        let mut ruleset: Value = serde_json::from_slice(bytes).unwrap();
        set(&mut ruleset, pointer, value);
        self.asset("ruleset.json", wire::pretty(&ruleset))
    }

    /// A declared file that is an asset as well, as `ruleset.json` and `catalogs/*.json` are.
    pub fn asset(mut self, path: &str, bytes: impl Into<Vec<u8>>) -> Self {
        let paths = &mut self.manifest.contributions.assets.paths;
        if !paths.iter().any(|known| known == path) {
            paths.push(path.to_owned());
        }
        self.file(path, bytes)
    }

    /// A declared file; one of the same path is replaced.
    pub fn file(mut self, path: &str, bytes: impl Into<Vec<u8>>) -> Self {
        match self.files.iter_mut().find(|(known, _)| known == path) {
            Some((_, old)) => *old = bytes.into(),
            None => self.files.push((path.to_owned(), bytes.into())),
        }
        self
    }

    /// A language pack with these strings, its store card named after the ruleset and the language.
    pub fn pack(self, language: &str, strings: &[(&str, &str)]) -> Self {
        let name = format!("{} [{language}]", self.manifest.name);
        self.pack_named(language, &name, strings)
    }

    /// The same with a name for the store card.
    pub fn pack_named(self, language: &str, name: &str, strings: &[(&str, &str)]) -> Self {
        self.pack_claiming(language, language, name, strings)
    }

    /// A pack listed for one language whose `_meta.locale` says another.
    pub fn pack_of_another_language(self, language: &str, locale: &str) -> Self {
        self.pack_claiming(language, locale, "Mistaken", &[("Grit", "Mut")])
    }

    fn pack_claiming(self, language: &str, locale: &str, name: &str, strings: &[(&str, &str)]) -> Self {
        let pack = Pack {
            meta: Meta::of(locale),
            package: Card { name: name.to_owned(), description: format!("{name}: {}", self.manifest.version) },
            ruleset: strings.iter().map(|(english, said)| ((*english).to_owned(), (*said).to_owned())).collect(),
        };
        self.pack_bytes(language, wire::pretty(&pack))
    }

    /// A language pack of exactly these bytes.
    pub fn pack_bytes(mut self, language: &str, bytes: impl Into<Vec<u8>>) -> Self {
        self.packs.insert(language.to_owned(), bytes.into());
        self
    }

    /// No packs at all.
    pub fn without_packs(mut self) -> Self {
        self.packs.clear();
        self
    }

    /// A file name other than `<id>-<version>.ruleset.json`.
    pub fn artifact_name(mut self, name: &str) -> Self {
        self.artifact_name = name.to_owned();
        self
    }

    /// Exactly these bytes for the artifact, size and hash declared to fit: hostile archives and the like.
    pub fn artifact_bytes(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.artifact = Some(bytes.into());
        self
    }

    pub fn documentation(mut self, url: &str) -> Self {
        self.documentation = Some(url.to_owned());
        self
    }

    /// A key the manifest format does not know; a known one is set through the other methods or [`Catalog::edit`].
    pub fn manifest_key(mut self, key: &str, value: Value) -> Self {
        self.manifest.more.insert(key.to_owned(), value);
        self
    }

    /// A key of the catalog entry.
    pub fn entry_key(mut self, key: &str, value: Value) -> Self {
        self.entry_keys.insert(key.to_owned(), value);
        self
    }

    /// A top-level key that only the manifest inside the artifact has, or has otherwise.
    pub fn inner_manifest_key(mut self, key: &str, value: Value) -> Self {
        self.inner_manifest_keys.insert(key.to_owned(), value);
        self
    }

    /// The artifact holds other bytes for a declared file, or a file nobody declared.
    pub fn smuggle(mut self, path: &str, bytes: impl Into<Vec<u8>>) -> Self {
        self.smuggled.push((path.to_owned(), Some(bytes.into())));
        self
    }

    /// The artifact lacks a declared file.
    pub fn leave_out(mut self, path: &str) -> Self {
        self.smuggled.push((path.to_owned(), None));
        self
    }

    /// The manifest with its files declared.
    pub fn manifest(&self) -> Manifest {
        let files = self.files.iter().map(|(path, bytes)| DeclaredFile::of(path, bytes)).collect();
        Manifest { files, ..self.manifest.clone() }
    }

    /// The declared files.
    pub fn files(&self) -> &[(String, Vec<u8>)] {
        &self.files
    }

    /// The artifact's bytes.
    pub fn artifact(&self) -> Vec<u8> {
        if let Some(bytes) = &self.artifact {
            return bytes.clone();
        }
        // As a value, as in the entry: its keys are in the same order then.
        let mut manifest = serde_json::to_value(self.manifest()).unwrap();
        for (key, value) in &self.inner_manifest_keys {
            manifest[key] = value.clone();
        }
        let manifest = wire::pretty(&manifest);
        let mut files = self.files.clone();
        for (path, bytes) in &self.smuggled {
            files.retain(|(known, _)| known != path);
            files.extend(bytes.as_ref().map(|bytes| (path.clone(), bytes.clone())));
        }
        self.container.pack(&manifest, &files)
    }

    /// The name of a pack's file.
    pub fn pack_name(&self, language: &str) -> String {
        format!("{}-{}.{language}.json", self.manifest.id, self.manifest.version)
    }

    /// The entry and its files, published below this address.
    pub fn publish(&self, base: &str) -> Published {
        let artifact = self.artifact();
        let mut files = BTreeMap::new();
        let mut locales = BTreeMap::new();
        for (language, bytes) in &self.packs {
            let name = self.pack_name(language);
            // What a pack is called is told by the pack, where there is one to be read.
            let card = serde_json::from_slice::<Pack>(bytes).map(|pack| pack.package).unwrap_or_else(|_| Card {
                name: format!("{} [{language}]", self.manifest.name),
                description: self.manifest.description.clone(),
            });
            let file = Offer::of(format!("{base}/{name}"), bytes);
            locales.insert(language.clone(), PackOffer { file, name: card.name, description: card.description });
            files.insert(name, bytes.clone());
        }
        let entry = Entry {
            manifest: self.manifest(),
            category: "misc".to_owned(),
            artifact: Offer::of(format!("{base}/{}", self.artifact_name), &artifact),
            documentation_url: self.documentation.clone(),
            locales,
            more: self.entry_keys.clone(),
        };
        files.insert(self.artifact_name.clone(), artifact);
        Published { entry, files }
    }
}

/// `ember-roads` as a title: `Ember Roads`.
fn title(id: &str) -> String {
    let word = |word: &str| word[..1].to_uppercase() + &word[1..];
    id.split('-').map(word).collect::<Vec<_>>().join(" ")
}

/// Sets the value at a JSON pointer; its last part may be new to the object it stands in.
fn set(document: &mut Value, pointer: &str, value: Value) {
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer begins with a slash");
    let parent = document.pointer_mut(parent).unwrap_or_else(|| panic!("nothing at {parent}"));
    match parent {
        Value::Array(items) => items[key.parse::<usize>().expect("an index")] = value,
        parent => parent[key] = value,
    }
}
