//! A catalog of the shape real ones have: rulesets among packages of other kinds, in lanes and a preview, with icons
//! and notes, as a repository holds it. `testdata/agents-catalog` is what this writes.

use super::publish::{Container, Ruleset, wire};
use super::server::{Reply, Server};
use super::sha256;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// Where the official repository publishes its files.
pub const REPOSITORY: &str = "https://raw.githubusercontent.com/Pasta-Devs/Marinara-Agents/main";

const DOCUMENTATION: &str = "https://github.com/Pasta-Devs/Marinara-Agents";

/// A black PNG image of 512 by 512 pixels.
const ICON: &str = "89504e470d0a1a0a0000000d4948445200000200000002000100000000dc03e957000000364944415478daedc1010100000082\
                    20ffaf6e484001000000000000000000000000000000000000000000000000000000000000007c1b82000001637550a4000000\
                    0049454e44ae426082";

/// A repository with a catalog, file by file.
#[derive(Clone)]
pub struct Agents {
    pub files: BTreeMap<String, Vec<u8>>,
}

/// A package of another kind than a ruleset, as its publisher has it.
struct Package {
    manifest: Value,
    category: &'static str,
    files: Vec<(String, Vec<u8>)>,
}

impl Package {
    /// An agent with one file, and a manifest of the first schema, as most have.
    fn agent(id: &str, name: &str) -> Self {
        let manifest = json!({
            "schemaVersion": 1,
            "id": id,
            "name": name,
            "version": "1.2.0",
            "description": format!("{name}, for tests."),
            "engine": {"min": "2.3.0", "maxExclusive": "4.0.0"},
            "kind": ["agent"],
            "entrypoints": {"agents": "agents.json"},
            "files": [],
            "permissions": ["agent-runtime", "chat-read", "storage", "ui"],
            "restartRequired": false,
        });
        let agents = json!([{"id": id, "prompt": format!("You are {name}.")}]);
        Package { manifest, category: "tracker", files: Vec::new() }.file("agents.json", &wire::pretty(&agents))
    }

    fn file(mut self, path: &str, bytes: &[u8]) -> Self {
        let declared = json!({"path": path, "sha256": sha256(bytes), "bytes": bytes.len()});
        self.manifest["files"].as_array_mut().unwrap().push(declared);
        self.files.push((path.to_owned(), bytes.to_owned()));
        self
    }

    fn with(mut self, key: &str, value: Value) -> Self {
        self.manifest[key] = value;
        self
    }

    /// With a manifest of the second schema.
    fn second(self, minor: u32) -> Self {
        self.with("schemaVersion", json!(2))
            .with("capabilityApi", json!({"major": 1, "minor": minor}))
            .with("builtAgainst", json!({"engineVersion": "3.1.0", "engineCommit": "0".repeat(40)}))
    }

    /// The entry, and the name and the bytes of the artifact.
    fn publish(&self) -> (Value, String, Vec<u8>) {
        let of = |key: &str| self.manifest[key].as_str().unwrap();
        let name = format!("{}-{}.zip", of("id"), of("version"));
        let artifact = Container::Zip.pack(&wire::pretty(&self.manifest), &self.files);
        let url = format!("{REPOSITORY}/artifacts/{name}");
        let entry = json!({
            "manifest": self.manifest,
            "category": self.category,
            "iconUrl": icon_url(of("id")),
            "artifact": {"url": url, "sha256": sha256(&artifact), "bytes": artifact.len()},
            "documentationUrl": format!("{DOCUMENTATION}#{}", of("id")),
        });
        (entry, name, artifact)
    }
}

fn icon_url(id: &str) -> String {
    format!("{REPOSITORY}/artwork/agent-covers/{id}.png")
}

pub fn icon() -> Vec<u8> {
    hex::decode(ICON).unwrap()
}

/// An agent that is a game as well, with all that a manifest may have.
fn dock_duel() -> Package {
    Package::agent("dock-duel", "Dock Duel")
        .second(66)
        .with("version", json!("0.4.1"))
        .with("kind", json!(["agent", "turn-game"]))
        .with("engine", json!({"min": "3.0.0", "maxExclusive": "4.0.0"}))
        .with("entrypoints", json!({"agents": "agents.json", "server": "server.js", "client": "client.js"}))
        .with(
            "contributions",
            json!({
                "assets": {"paths": ["art/board.png"]},
                "conversationGame": {"id": "dock-duel", "label": "Dock Duel"},
                "slots": ["game-surface", "home-widget"],
            }),
        )
        .with("permissions", json!(["agent-runtime", "chat-read", "chat-write", "routes", "scenes", "storage", "ui"]))
        .with("restartRequired", json!(true))
        .with("localizations", json!({"de": {"name": "Duell am Kai"}}))
        .file("server.js", b"export const rooms = new Map();\n")
        .file("client.js", b"export default function board() {}\n")
        .file("art/board.png", &icon())
}

impl Agents {
    pub fn new() -> Self {
        let mut agents = Agents { files: BTreeMap::new() };
        let clerk = agents.put(&Package::agent("tide-clerk", "Tide Clerk"));
        let duel = agents.put(&dock_duel());
        let maps = Package::agent("harbor-maps", "Harbor Maps").with("kind", json!(["agent", "maps"]));
        let maps = agents.put(&maps.with("contributions", json!({"slots": ["chat-toolbar"], "agentDetail": {}})));
        let court = agents.put_ruleset();
        let preview = [agents.put(&Package::agent("fog-bell", "Fog Bell").second(813).with("version", json!("0.1.0")))];
        let second = [maps.clone(), court.clone(), clerk.clone()];
        let third = [duel, maps, court, clerk];
        for (tier, second, third) in [("", &second[..], &third[..]), ("preview/", &preview[..], &preview[..])] {
            agents.lane(tier, second);
            agents.lane(&format!("{tier}v2/"), second);
            agents.lane(&format!("{tier}v3/"), third);
        }
        agents
    }

    /// Takes in a package, and gives its entry.
    fn put(&mut self, package: &Package) -> Value {
        let (entry, name, artifact) = package.publish();
        self.files.insert(format!("artifacts/{name}"), artifact);
        self.cover(&entry);
        entry
    }

    fn put_ruleset(&mut self) -> Value {
        let ruleset = Ruleset::new("lantern-court", "1.0.0").pack("ru", &[("Grit", "Стойкость")]);
        let ruleset = ruleset.documentation(&format!("{DOCUMENTATION}#lantern-court"));
        let published =
            ruleset.entry_key("iconUrl", json!(icon_url("lantern-court"))).publish(&format!("{REPOSITORY}/artifacts"));
        let files = published.files.into_iter().map(|(name, bytes)| (format!("artifacts/{name}"), bytes));
        self.files.extend(files);
        let entry = serde_json::to_value(&published.entry).unwrap();
        self.cover(&entry);
        entry
    }

    fn cover(&mut self, entry: &Value) {
        let id = entry["manifest"]["id"].as_str().unwrap();
        self.files.insert(format!("artwork/agent-covers/{id}.png"), icon());
    }

    /// Writes a lane and the notes beside it.
    fn lane(&mut self, folder: &str, entries: &[Value]) {
        let catalog = json!({"schemaVersion": 1, "generatedAt": "2026-08-30T00:00:00.000Z", "packages": entries});
        self.files.insert(format!("catalog/{folder}catalog.json"), wire::pretty(&catalog));
        let note = |entry: &Value| {
            let manifest = &entry["manifest"];
            let notes = json!({"version": manifest["version"], "date": "2026-08-30", "notes": "More of it."});
            (manifest["id"].as_str().unwrap().to_owned(), json!({"versions": [notes]}))
        };
        let notes: serde_json::Map<String, Value> = entries.iter().map(note).collect();
        let notes = json!({"schemaVersion": 1, "packages": notes});
        self.files.insert(format!("catalog/{folder}notes.json"), wire::pretty(&notes));
    }

    /// Changes the entry of an id in every lane that lists it, or takes it out where `change` leaves nothing of it.
    pub fn edit(&mut self, id: &str, change: impl Fn(&mut Value)) {
        self.edit_documents(|document| {
            for entry in document["packages"].as_array_mut().unwrap() {
                if entry["manifest"]["id"] == id {
                    change(entry);
                }
            }
        });
    }

    /// Changes every catalog.
    pub fn edit_documents(&mut self, change: impl Fn(&mut Value)) {
        for (_, text) in self.files.iter_mut().filter(|(name, _)| name.ends_with("catalog.json")) {
            let mut document: Value = serde_json::from_slice(text).unwrap();
            change(&mut document);
            *text = wire::pretty(&document);
        }
    }

    /// Changes the bytes of an artifact and what its entry says of them.
    pub fn repack(&mut self, id: &str, change: impl FnOnce(&mut Vec<u8>)) {
        let name = self.artifact_of(id);
        let bytes = self.files.get_mut(&name).unwrap();
        change(bytes);
        let (sha256, size) = (sha256(bytes), bytes.len());
        self.edit(id, |entry| {
            entry["artifact"]["sha256"] = json!(sha256);
            entry["artifact"]["bytes"] = json!(size);
        });
    }

    /// The path of an artifact.
    pub fn artifact_of(&self, id: &str) -> String {
        let is_it = |name: &&String| {
            let rest = name.strip_prefix("artifacts/").and_then(|name| name.strip_prefix(id));
            rest.is_some_and(|rest| rest.ends_with(".zip") || rest.ends_with(".ruleset.json"))
        };
        self.files.keys().find(is_it).unwrap_or_else(|| panic!("no artifact of {id}")).clone()
    }

    pub fn write(&self, folder: &Path) {
        for (name, bytes) in &self.files {
            let path = folder.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
    }

    /// Serves all of it, with addresses on the server.
    pub fn mount(&self, server: &Server) {
        for (name, bytes) in &self.files {
            let is_listing = name.starts_with("catalog/");
            let text =
                || String::from_utf8(bytes.clone()).unwrap().replace(REPOSITORY, server.url("/").trim_end_matches('/'));
            let body = if is_listing {
                text().replace(DOCUMENTATION, &server.url("/page")).into_bytes()
            } else {
                bytes.clone()
            };
            server.put(&format!("/{name}"), Reply::ok(body));
        }
        server.put("/page", Reply::ok("<html>"));
    }
}
