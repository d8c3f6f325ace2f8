use serde::Serialize;
use serde::ser::SerializeMap;
use std::io::Write;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, System, ZipWriter};

/// How an artifact holds its files (docs/spec/commands.md#artifacts).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// A zip with `manifest.json` first.
    Zip,
    /// One JSON object of manifest and file texts.
    Bundle,
    /// The `ruleset.json` itself, for a package of that file alone.
    Bare,
}

impl Container {
    /// The artifact's bytes; the same every time, on every machine.
    pub fn pack(self, manifest: &[u8], files: &[(String, Vec<u8>)]) -> Vec<u8> {
        match self {
            Container::Zip => zip(manifest, files),
            Container::Bundle => bundle(manifest, files),
            Container::Bare => match files {
                [(path, bytes)] if path == "ruleset.json" => bytes.clone(),
                _ => panic!("a bare artifact is a package of ruleset.json alone"),
            },
        }
    }
}

fn zip(manifest: &[u8], files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut archive = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    // Stored, since what deflate makes of the same bytes differs between processors.
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .last_modified_time(DateTime::DEFAULT)
        .unix_permissions(0o644)
        .system(System::Unix);
    let manifest = ("manifest.json", manifest);
    let files = files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice()));
    for (path, bytes) in std::iter::once(manifest).chain(files) {
        archive.start_file(path, options).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

fn bundle(manifest: &[u8], files: &[(String, Vec<u8>)]) -> Vec<u8> {
    #[derive(Serialize)]
    struct Bundle<'a> {
        manifest: &'a serde_json::value::RawValue,
        files: Texts<'a>,
    }
    /// The files in their own order, which a map would not keep.
    struct Texts<'a>(&'a [(String, Vec<u8>)]);
    impl Serialize for Texts<'_> {
        fn serialize<S: serde::Serializer>(&self, into: S) -> Result<S::Ok, S::Error> {
            let mut map = into.serialize_map(Some(self.0.len()))?;
            for (path, bytes) in self.0 {
                map.serialize_entry(path, std::str::from_utf8(bytes).expect("a bundle holds text"))?;
            }
            map.end()
        }
    }
    let mut text =
        serde_json::to_vec(&Bundle { manifest: serde_json::from_slice(manifest).unwrap(), files: Texts(files) })
            .unwrap();
    text.push(b'\n');
    text
}
