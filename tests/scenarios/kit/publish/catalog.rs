use super::super::server::{Reply, Server};
use super::{Ruleset, set, wire};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// Where official artifacts lie.
pub const OFFICIAL: &str = "https://raw.githubusercontent.com/Pasta-Devs/Marinara-Agents/main/artifacts";

/// A catalog and the files it lists, to be put on a server or into a folder, as often as it changes.
#[derive(Clone)]
pub struct Catalog {
    base: String,
    pub generated_at: String,
    /// Top-level keys beside the three of the format.
    pub more: serde_json::Map<String, Value>,
    entries: Vec<Value>,
    files: BTreeMap<String, Vec<u8>>,
}

impl Catalog {
    /// An empty catalog whose files lie in `/artifacts/` of a server.
    pub fn on(server: &Server) -> Self {
        Catalog::at(&server.url("/artifacts"))
    }

    /// An empty catalog with official addresses, for a folder.
    pub fn on_disk() -> Self {
        Catalog::at(OFFICIAL)
    }

    /// An empty catalog whose files lie below this address.
    pub fn at(base: &str) -> Self {
        Catalog {
            base: base.to_owned(),
            generated_at: "2026-11-30T00:00:00.000Z".to_owned(),
            more: serde_json::Map::new(),
            entries: Vec::new(),
            files: BTreeMap::new(),
        }
    }

    /// The same with one more ruleset.
    pub fn with(mut self, ruleset: Ruleset) -> Self {
        self.publish(ruleset);
        self
    }

    /// The same with an entry of any kind, as it stands; the rest of the world publishes things too.
    pub fn with_entry(mut self, entry: Value) -> Self {
        self.entries.push(entry);
        self
    }

    /// Lists a ruleset, in the place of the one of its id if there is one: a new version, the same one republished.
    pub fn publish(&mut self, ruleset: Ruleset) {
        let published = ruleset.publish(&self.base);
        let entry = serde_json::to_value(&published.entry).unwrap();
        self.files.extend(published.files);
        match self.entries.iter_mut().find(|known| id_of(known) == id_of(&entry)) {
            Some(known) => *known = entry,
            None => self.entries.push(entry),
        }
    }

    /// Lists a ruleset no longer; its files stay where they are.
    pub fn remove(&mut self, id: &str) {
        self.entry(id);
        self.entries.retain(|entry| id_of(entry) != Some(id));
    }

    /// The entry of an id.
    #[track_caller]
    pub fn entry(&self, id: &str) -> &Value {
        self.entries.iter().find(|entry| id_of(entry) == Some(id)).unwrap_or_else(|| panic!("no {id} in the catalog"))
    }

    /// Changes an entry at a JSON pointer: `catalog.edit("ember-roads", "/artifact/bytes", json!(7))`.
    #[track_caller]
    pub fn edit(&mut self, id: &str, pointer: &str, value: Value) {
        let entry = self.entries.iter_mut().find(|entry| id_of(entry) == Some(id));
        set(entry.unwrap_or_else(|| panic!("no {id} in the catalog")), pointer, value);
    }

    /// Lists the artifact as one byte larger than it is.
    pub fn wrong_size(&mut self, id: &str) {
        let bytes = self.entry(id)["artifact"]["bytes"].as_u64().unwrap();
        self.edit(id, "/artifact/bytes", json!(bytes + 1));
    }

    /// Lists the artifact with another's hash.
    pub fn wrong_sha256(&mut self, id: &str) {
        self.edit(id, "/artifact/sha256", json!("0".repeat(64)));
    }

    /// Lists a pack as one byte larger than it is.
    pub fn wrong_pack_size(&mut self, id: &str, language: &str) {
        let bytes = self.entry(id)["locales"][language]["bytes"].as_u64().unwrap();
        self.edit(id, &format!("/locales/{language}/bytes"), json!(bytes + 1));
    }

    /// Lists a pack with another's hash.
    pub fn wrong_pack_sha256(&mut self, id: &str, language: &str) {
        self.edit(id, &format!("/locales/{language}/sha256"), json!("0".repeat(64)));
    }

    /// The path on the server of an id's artifact.
    pub fn artifact_path(&self, id: &str) -> String {
        path_of(&self.entry(id)["artifact"]["url"])
    }

    /// The path on the server of a pack.
    pub fn pack_path(&self, id: &str, language: &str) -> String {
        path_of(&self.entry(id)["locales"][language]["url"])
    }

    /// The bytes of a file by its name, to be spoiled after the catalog has listed them.
    #[track_caller]
    pub fn file_mut(&mut self, name: &str) -> &mut Vec<u8> {
        self.files.get_mut(name).unwrap_or_else(|| panic!("no file {name}"))
    }

    /// The text of `catalog.json`.
    pub fn text(&self) -> Vec<u8> {
        let mut catalog = json!({ "schemaVersion": 1, "generatedAt": self.generated_at, "packages": self.entries });
        for (key, value) in &self.more {
            catalog[key] = value.clone();
        }
        wire::pretty(&catalog)
    }

    /// Serves the catalog at `/catalog.json`, with an ETag of its own, and its files at `/artifacts/`.
    pub fn mount(&self, server: &Server) {
        let text = self.text();
        let etag = format!("\"{}\"", &super::super::sha256(&text)[..16]);
        server.put("/catalog.json", Reply::ok(text).etag(&etag));
        for (name, bytes) in &self.files {
            server.put(&format!("/artifacts/{name}"), Reply::ok(bytes.clone()));
        }
    }

    /// Writes `catalog.json` and `artifacts/` into a folder.
    pub fn write(&self, folder: &Path) {
        let artifacts = folder.join("artifacts");
        std::fs::create_dir_all(&artifacts).unwrap();
        std::fs::write(folder.join("catalog.json"), self.text()).unwrap();
        for (name, bytes) in &self.files {
            std::fs::write(artifacts.join(name), bytes).unwrap();
        }
    }
}

fn id_of(entry: &Value) -> Option<&str> {
    entry["manifest"]["id"].as_str()
}

fn path_of(url: &Value) -> String {
    let url = url::Url::parse(url.as_str().expect("an address")).unwrap();
    url.path().to_owned()
}
