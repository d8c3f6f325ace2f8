//! The examples of the engine's page on layers, translations and migrations, as one small package in `testdata/seed`.

use super::publish::Container;
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
        self.packed(Container::Bundle, "ruleset.json")
    }

    /// The same as a zip.
    pub fn zip(&self) -> PathBuf {
        self.packed(Container::Zip, "zip")
    }

    fn packed(&self, container: Container, ending: &str) -> PathBuf {
        let read = |inner: &str| std::fs::read(self.root.join(inner)).unwrap();
        let mut inner: Vec<String> = vec!["ruleset.json".to_owned(), "catalogs/wares.json".to_owned()];
        for entry in std::fs::read_dir(self.root.join("locales")).into_iter().flatten() {
            inner.push(format!("locales/{}", entry.unwrap().file_name().to_str().unwrap()));
        }
        let files: Vec<(String, Vec<u8>)> = inner.into_iter().map(|inner| (inner.clone(), read(&inner))).collect();
        let listed = files.iter().map(
            |(path, bytes)| serde_json::json!({"path": path, "bytes": bytes.len(), "sha256": super::sha256(bytes)}),
        );
        let mut manifest: Value = serde_json::from_slice(&read("manifest.json")).unwrap();
        manifest["files"] = listed.collect();
        let path = self.root.with_extension(ending);
        std::fs::write(&path, container.pack(manifest.to_string().as_bytes(), &files)).unwrap();
        path
    }
}
