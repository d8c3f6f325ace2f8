//! The examples of the engine's page on layers, translations and migrations, as one small package in `testdata/seed`.

use super::sandbox::Sandbox;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The package itself, which nobody writes to.
pub fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/seed")
}

/// A file of it.
pub fn file(name: &str) -> Value {
    serde_json::from_slice(&std::fs::read(path().join(name)).unwrap()).unwrap()
}

/// A copy of it in the working folder.
pub struct Package {
    root: PathBuf,
}

impl Package {
    pub fn copy(sandbox: &Sandbox, name: &str) -> Self {
        for inner in ["ruleset.json", "manifest.json", "catalogs/wares.json"] {
            sandbox.write(&format!("{name}/{inner}"), std::fs::read(path().join(inner)).unwrap());
        }
        for language in ["ru", "pt", "pt-BR"] {
            let inner = format!("locales/{language}.json");
            sandbox.write(&format!("{name}/{inner}"), std::fs::read(path().join(&inner)).unwrap());
        }
        Package { root: sandbox.work().join(name) }
    }

    pub fn root(&self) -> &str {
        self.root.to_str().unwrap()
    }

    /// Changes one file.
    pub fn edit(&self, inner: &str, change: impl FnOnce(&mut Value)) {
        let path = self.root.join(inner);
        let mut value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        change(&mut value);
        std::fs::write(path, value.to_string()).unwrap();
    }

    pub fn remove(&self, inner: &str) {
        std::fs::remove_file(self.root.join(inner)).unwrap();
    }

    /// The package as one file, as it is shared: a bundle beside it.
    pub fn bundle(&self) -> PathBuf {
        let text = |inner: &str| std::fs::read_to_string(self.root.join(inner)).unwrap();
        let mut files = serde_json::Map::new();
        let mut listed = Vec::new();
        let mut inner: Vec<String> = vec!["ruleset.json".to_owned(), "catalogs/wares.json".to_owned()];
        for entry in std::fs::read_dir(self.root.join("locales")).into_iter().flatten() {
            inner.push(format!("locales/{}", entry.unwrap().file_name().to_str().unwrap()));
        }
        for inner in inner {
            let text = text(&inner);
            listed.push(serde_json::json!({
                "path": inner, "bytes": text.len(), "sha256": super::sha256(text.as_bytes()),
            }));
            files.insert(inner, text.into());
        }
        let mut manifest: Value = serde_json::from_str(&text("manifest.json")).unwrap();
        manifest["files"] = listed.into();
        let path = self.root.with_extension("ruleset.json");
        std::fs::write(&path, serde_json::json!({"manifest": manifest, "files": files}).to_string()).unwrap();
        path
    }
}
