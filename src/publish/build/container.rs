use crate::catalog::{MANIFEST, RULESET};
use crate::package::Container;
use crate::types::{Code, Failure, SafePath};
use serde::Serialize;
use serde::ser::{Error as _, SerializeMap};
use serde_json::value::RawValue;
use std::io::{Cursor, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, System, ZipWriter};

/// The bytes of an artifact: the same for the same files, on every machine and with every version of this tool.
///
/// # Errors
///
/// `invalid-artifact` for files that kind of artifact cannot hold: a bare one is `ruleset.json` alone, a bundle holds
/// text.
pub fn pack(container: Container, manifest: &RawValue, files: &[(SafePath, Vec<u8>)]) -> Result<Vec<u8>, Failure> {
    match container {
        Container::Zip => zip(manifest, files).map_err(|error| Failure::new(Code::Internal, error.to_string())),
        Container::Bundle => {
            let bundle = serde_json::to_vec(&Bundle { manifest, files: Texts(files) });
            let mut bytes = bundle.map_err(|error| refuse(error.to_string(), "publish it as a zip"))?;
            bytes.push(b'\n');
            Ok(bytes)
        }
        Container::Bare => match files {
            [(path, bytes)] if path.as_str() == RULESET => Ok(bytes.clone()),
            _ => {
                Err(refuse("a bare artifact is only ruleset.json, but there are more files", "publish it as a bundle"))
            }
        },
    }
}

fn refuse(message: impl Into<String>, hint: &str) -> Failure {
    Failure::new(Code::InvalidArtifact, message).hint(hint)
}

fn zip(manifest: &RawValue, files: &[(SafePath, Vec<u8>)]) -> zip::result::ZipResult<Vec<u8>> {
    // Stored, since what deflate makes of the same bytes differs between its versions and between processors.
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .last_modified_time(DateTime::DEFAULT)
        .unix_permissions(0o644)
        .system(System::Unix);
    let manifest = format!("{}\n", manifest.get());
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let files = files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice()));
    for (path, bytes) in std::iter::once((MANIFEST, manifest.as_bytes())).chain(files) {
        archive.start_file(path, options)?;
        archive.write_all(bytes)?;
    }
    Ok(archive.finish()?.into_inner())
}

#[derive(Serialize)]
struct Bundle<'a> {
    manifest: &'a RawValue,
    files: Texts<'a>,
}

/// The files in their own order, which a map would not keep.
struct Texts<'a>(&'a [(SafePath, Vec<u8>)]);

impl Serialize for Texts<'_> {
    fn serialize<S: serde::Serializer>(&self, into: S) -> Result<S::Ok, S::Error> {
        let mut map = into.serialize_map(Some(self.0.len()))?;
        for (path, bytes) in self.0 {
            let text = std::str::from_utf8(bytes).map_err(|_| {
                S::Error::custom(format!("a bundle can only contain text, but {} is not UTF-8", path.as_str()))
            })?;
            map.serialize_entry(path.as_str(), text)?;
        }
        map.end()
    }
}
