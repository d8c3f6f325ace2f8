//! What the tests of this room build artifacts with.

use super::{Contents, Faults, Sink, unpack};
use crate::catalog::{DeclaredFile, Manifest};
use crate::types::{Cancel, Expected, SafePath};
use serde_json::json;
use std::collections::BTreeMap;
use std::io::{self, Cursor};

/// Keeps what it is given, and that it is given in order.
#[derive(Default)]
pub(super) struct Collected {
    pub files: BTreeMap<SafePath, Vec<u8>>,
    open: Option<(SafePath, Vec<u8>)>,
}

impl Sink for Collected {
    fn begin(&mut self, path: &SafePath) -> io::Result<()> {
        assert!(self.open.is_none(), "{path} begins within another file");
        self.open = Some((path.clone(), Vec::new()));
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.open.as_mut().expect("bytes of no file").1.extend_from_slice(bytes);
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        let (path, bytes) = self.open.take().expect("the end of no file");
        assert!(self.files.insert(path, bytes).is_none(), "a file came twice");
        Ok(())
    }
}

impl Collected {
    /// The paths that were begun, ended or not.
    pub fn paths(&self) -> impl Iterator<Item = &SafePath> {
        self.files.keys().chain(self.open.iter().map(|(path, _)| path))
    }

    pub fn is_between_files(&self) -> bool {
        self.open.is_none()
    }
}

/// Unpacks into memory.
pub(super) fn unpacked(artifact: &[u8], manifest: &Manifest) -> (Result<Contents, Faults>, Collected) {
    let mut sink = Collected::default();
    let result = unpack(Cursor::new(artifact), manifest, &mut sink, &Cancel::default());
    (result, sink)
}

/// The faults, each by the name of its variant.
pub(super) fn faults(artifact: &[u8], manifest: &Manifest) -> Vec<String> {
    let faults = unpacked(artifact, manifest).0.expect_err("accepted");
    faults.all().map(variant).collect()
}

/// The name of a variant, as `Debug` spells it.
pub(super) fn variant(value: &impl std::fmt::Debug) -> String {
    format!("{value:?}").split([' ', '(', '{']).next().unwrap_or_default().to_owned()
}

/// The JSON of a manifest that declares these files.
pub(super) fn manifest_json(files: &[(&str, &[u8])]) -> String {
    let declared = files.iter().map(|(path, bytes)| {
        let Expected { sha256, bytes } = Expected::of(bytes);
        json!({ "path": path, "sha256": sha256, "bytes": bytes })
    });
    let is_asset = |path: &str| path == "ruleset.json" || path.starts_with("catalogs/");
    let assets: Vec<_> = files.iter().map(|(path, _)| path).filter(|path| is_asset(path)).collect();
    json!({
        "schemaVersion": 2,
        "capabilityApi": { "major": 1, "minor": 813 },
        "builtAgainst": { "engineVersion": "2.3.0", "engineCommit": "0".repeat(40) },
        "id": "ember-roads",
        "name": "Ember Roads",
        "version": "1.0.0",
        "description": "",
        "engine": { "min": "2.3.0", "maxExclusive": "4.0.0" },
        "kind": ["ruleset"],
        "entrypoints": {},
        "contributions": { "assets": { "paths": assets } },
        "files": declared.collect::<Vec<_>>(),
        "permissions": [],
        "restartRequired": false,
    })
    .to_string()
}

/// A manifest that declares these files, whatever else a catalog would ask of it.
pub(super) fn manifest(files: &[(&str, &[u8])]) -> Manifest {
    let declared =
        |(path, bytes): &(&str, &[u8])| DeclaredFile { path: path.parse().unwrap(), expected: Expected::of(bytes) };
    let ordinary = Manifest::parse(&manifest_json(FILES)).unwrap();
    let raw = serde_json::value::RawValue::from_string(manifest_json(files)).unwrap();
    Manifest { raw: raw.into(), files: files.iter().map(declared).collect(), ..ordinary }
}

/// A small package of every kind of file.
pub(super) const FILES: &[(&str, &[u8])] = &[
    ("ruleset.json", br#"{"id":"ember-roads","version":1,"name":"Ember \"Roads\""}"#),
    ("catalogs/knacks.json", "{\"entries\":[\"Prüfung 🜂\"]}\n".as_bytes()),
    ("art/cover.txt", b"not looked into"),
];

/// The bundle of these files.
pub(super) fn bundle(files: &[(&str, &[u8])]) -> String {
    let texts: Vec<_> = files
        .iter()
        .map(|(path, bytes)| format!("{}:{}", json!(path), json!(std::str::from_utf8(bytes).unwrap())))
        .collect();
    format!(r#"{{"manifest":{},"files":{{{}}}}}"#, manifest_json(files), texts.join(","))
}

/// One entry of a zip, every field of which can be made wrong. Stored.
#[derive(Clone)]
pub(super) struct Entry {
    pub name: Vec<u8>,
    pub bytes: Vec<u8>,
    pub flags: u16,
    pub method: u16,
    pub attributes: u32,
    pub disk: u16,
    /// The size both headers state, when it is not the true one.
    pub stated: Option<u32>,
}

pub(super) fn entry(name: impl AsRef<[u8]>, bytes: impl AsRef<[u8]>) -> Entry {
    let (name, bytes) = (name.as_ref().to_vec(), bytes.as_ref().to_vec());
    Entry { name, bytes, flags: 0x800, method: 0, attributes: 0o100_644 << 16, disk: 0, stated: None }
}

/// The zip of these files and their manifest.
pub(super) fn entries(files: &[(&str, &[u8])]) -> Vec<Entry> {
    let manifest = entry("manifest.json", manifest_json(files));
    std::iter::once(manifest).chain(files.iter().map(|(name, bytes)| entry(name, bytes))).collect()
}

/// A zip, part by part, so that a test can put the parts together wrongly.
pub(super) struct Parts {
    pub files: Vec<u8>,
    pub directory: Vec<u8>,
    pub count: u16,
}

pub(super) fn parts(entries: &[Entry]) -> Parts {
    let (mut files, mut directory) = (Vec::new(), Vec::new());
    for entry in entries {
        let offset = files.len() as u32;
        let mut crc = flate2::Crc::new();
        crc.update(&entry.bytes);
        let mut common = Vec::new();
        for field in [20, entry.flags, entry.method, 0, 0x21] {
            common.extend(field.to_le_bytes());
        }
        let size = entry.bytes.len() as u32;
        for field in [crc.sum(), size, entry.stated.unwrap_or(size)] {
            common.extend(field.to_le_bytes());
        }
        common.extend((entry.name.len() as u16).to_le_bytes());
        common.extend([0, 0]);

        files.extend(b"PK\x03\x04");
        files.extend(&common);
        files.extend(&entry.name);
        files.extend(&entry.bytes);

        directory.extend(b"PK\x01\x02\x14\x03");
        directory.extend(&common);
        directory.extend([0, 0]);
        directory.extend(entry.disk.to_le_bytes());
        directory.extend([0, 0]);
        directory.extend(entry.attributes.to_le_bytes());
        directory.extend(offset.to_le_bytes());
        directory.extend(&entry.name);
    }
    Parts { files, directory, count: entries.len() as u16 }
}

impl Parts {
    /// The end record as it should be.
    pub fn end(&self) -> Vec<u8> {
        end_record(0, self.count, self.directory.len() as u32, self.files.len() as u32, b"")
    }

    pub fn with_end(&self, end: &[u8]) -> Vec<u8> {
        [&self.files, &self.directory, end].concat()
    }

    /// The zip64 records for this directory, and an end record that leaves everything to them.
    pub fn end64(&self) -> Vec<u8> {
        let mut end = b"PK\x06\x06".to_vec();
        end.extend(44u64.to_le_bytes());
        end.extend([45, 3, 45, 0]);
        end.extend([0; 8]);
        let count = u64::from(self.count);
        for field in [count, count, self.directory.len() as u64, self.files.len() as u64] {
            end.extend(field.to_le_bytes());
        }
        end.extend(b"PK\x06\x07\0\0\0\0");
        end.extend(((self.files.len() + self.directory.len()) as u64).to_le_bytes());
        end.extend(1u32.to_le_bytes());
        end.extend(end_record(0, u16::MAX, u32::MAX, u32::MAX, b""));
        end
    }
}

pub(super) fn end_record(disk: u16, count: u16, directory: u32, start: u32, comment: &[u8]) -> Vec<u8> {
    let mut end = b"PK\x05\x06".to_vec();
    for field in [disk, disk, count, count] {
        end.extend(field.to_le_bytes());
    }
    end.extend(directory.to_le_bytes());
    end.extend(start.to_le_bytes());
    end.extend((comment.len() as u16).to_le_bytes());
    end.extend(comment);
    end
}

pub(super) fn zip(entries: &[Entry]) -> Vec<u8> {
    let parts = parts(entries);
    parts.with_end(&parts.end())
}
