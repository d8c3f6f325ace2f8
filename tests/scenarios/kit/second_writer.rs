//! The engine as a second writer of the store: it installs, updates and uninstalls by its own rules
//! (docs/spec/catalog.md#engine-registry, #updates-and-rollback), with no lock of ours. Each change is in two parts, as
//! the engine has them: it looks at the registry, and some time later it replaces it by what it made of what it saw.

use super::publish::Ruleset;
use super::sandbox::Sandbox;
use super::until;
use serde_json::{Value, json};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

pub struct Engine {
    packages: PathBuf,
}

/// A change of the registry that the engine has made in its memory, out of what it read before.
#[must_use = "it is not written yet"]
pub struct Pending {
    packages: PathBuf,
    registry: Value,
    /// The folder that goes once the record has.
    forgotten: Option<PathBuf>,
}

impl Engine {
    pub fn beside(sandbox: &Sandbox) -> Self {
        Engine { packages: sandbox.packages() }
    }

    /// Installs a version, or updates to it: its folder is replaced, then its record, which goes last.
    pub fn install(&self, ruleset: &Ruleset) {
        self.begin_install(ruleset).finish();
    }

    /// Removes the record, then every version.
    pub fn uninstall(&self, id: &str) {
        self.begin_uninstall(id).finish();
    }

    /// The folder is in place and the registry read; it is written by [`Pending::finish`].
    pub fn begin_install(&self, ruleset: &Ruleset) -> Pending {
        let manifest = serde_json::to_value(ruleset.manifest()).unwrap();
        let (id, version) = (manifest["id"].as_str().unwrap(), manifest["version"].as_str().unwrap());
        self.put_folder(id, version, &manifest, ruleset);
        let mut registry = self.read();
        let records = registry["packages"].as_array_mut().unwrap();
        let before = records.iter().position(|record| record["id"] == id).map(|at| records.remove(at));
        let mut record = json!({
            "id": id, "version": version, "manifest": manifest,
            "installedAt": jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string(),
            "status": "active", "error": null, "readiness": "ready", "readinessError": null, "legacy": false,
        });
        if let Some(before) = before.filter(|before| before["version"] != version) {
            record["previousVersion"] = before["version"].clone();
            record["previousManifest"] = before["manifest"].clone();
        }
        records.push(record);
        Pending { packages: self.packages.clone(), registry, forgotten: None }
    }

    pub fn begin_uninstall(&self, id: &str) -> Pending {
        let mut registry = self.read();
        registry["packages"].as_array_mut().unwrap().retain(|record| record["id"] != id);
        let forgotten = Some(self.packages.join("versions").join(id));
        Pending { packages: self.packages.clone(), registry, forgotten }
    }

    /// Marks a record as one whose package could not be loaded.
    pub fn mark_as_faulty(&self, id: &str, why: &str) {
        let mut registry = self.read();
        for record in registry["packages"].as_array_mut().unwrap().iter_mut().filter(|record| record["id"] == id) {
            record["status"] = json!("error");
            record["error"] = json!(why);
        }
        Pending { packages: self.packages.clone(), registry, forgotten: None }.finish();
    }

    /// The registry; none is an empty one.
    pub fn read(&self) -> Value {
        match std::fs::read(self.packages.join("installed.json")) {
            Ok(bytes) => serde_json::from_slice(&bytes).unwrap(),
            Err(_) => json!({ "schemaVersion": 1, "packages": [] }),
        }
    }

    /// The version the registry has of an id.
    pub fn version_of(&self, id: &str) -> Option<String> {
        let registry = self.read();
        let record = registry["packages"].as_array().unwrap().iter().find(|record| record["id"] == id)?;
        Some(record["version"].as_str().unwrap().to_owned())
    }

    /// Beside its place first, then the old one is deleted and the new one renamed.
    fn put_folder(&self, id: &str, version: &str, manifest: &Value, ruleset: &Ruleset) {
        let staged = self.packages.join(format!(".install-{id}-{}", unique()));
        for (path, bytes) in ruleset.files() {
            let path = staged.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
        std::fs::write(staged.join("manifest.json"), super::publish::wire::pretty(manifest)).unwrap();
        let target = self.packages.join("versions").join(id).join(version);
        // An uninstall of ours may take the empty folder away in between, and an install put the same version there;
        // then the engine's is made once more.
        for _ in 0..10 {
            remove(&target);
            std::fs::create_dir_all(target.parent().unwrap()).unwrap();
            match std::fs::rename(&staged, &target) {
                Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::DirectoryNotEmpty) => {}
                done => return done.unwrap(),
            }
        }
        panic!("{} cannot be made", target.display());
    }
}

impl Pending {
    /// Written beside it and renamed, whatever the registry is by now.
    pub fn finish(self) {
        let temporary = self.packages.join(format!("installed.json.{}.tmp", unique()));
        std::fs::write(&temporary, serde_json::to_string_pretty(&self.registry).unwrap()).unwrap();
        std::fs::rename(&temporary, self.packages.join("installed.json")).unwrap();
        if let Some(folder) = self.forgotten {
            remove(&folder);
        }
    }
}

/// As often as a run of ours puts something into it at that moment.
fn remove(folder: &Path) {
    use std::io::ErrorKind::{DirectoryNotEmpty, NotFound};
    until(|| match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() == NotFound => true,
        Err(error) if error.kind() == DirectoryNotEmpty => false,
        done => done.map(|()| true).unwrap(),
    });
}

fn unique() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
