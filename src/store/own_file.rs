use crate::types::{Expected, SafePath};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeSet;

/// A file that is ours to remove, if it still is what was put there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OwnFile {
    #[serde(deserialize_with = "safe_path")]
    pub path: String,
    /// `None` where it is not known what the file was: it is removed whatever it holds.
    pub expected: Option<Expected>,
}

impl OwnFile {
    pub fn new(path: impl Into<String>, expected: Expected) -> Self {
        OwnFile { path: path.into(), expected: Some(expected) }
    }

    /// Where they are.
    pub fn paths(files: &[OwnFile]) -> BTreeSet<String> {
        files.iter().map(|file| file.path.clone()).collect()
    }
}

/// A path read back. An intent that names anything outside the folder it speaks of is as good as unreadable: what it
/// names is moved and removed.
fn safe_path<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    Ok(SafePath::deserialize(from)?.to_string())
}
