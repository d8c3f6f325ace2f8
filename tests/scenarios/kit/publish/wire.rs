//! What a publisher writes, key by key in the official order (docs/spec/catalog.md#catalog, #entry, #manifest,
//! #language-packs).

use super::super::sha256;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A `catalog.json`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CatalogFile {
    pub schema_version: u64,
    pub generated_at: String,
    pub packages: Vec<Entry>,
}

/// One entry of a catalog.
#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    pub manifest: Manifest,
    pub category: String,
    pub artifact: Offer,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub documentation_url: Option<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub locales: BTreeMap<String, PackOffer>,
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// A file to download.
#[derive(Clone, Serialize)]
pub struct Offer {
    pub url: String,
    pub sha256: String,
    pub bytes: usize,
}

/// A language pack to download, with its store card.
#[derive(Clone, Serialize)]
pub struct PackOffer {
    #[serde(flatten)]
    pub file: Offer,
    pub name: String,
    pub description: String,
}

/// A package's manifest.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    pub schema_version: u64,
    pub capability_api: Api,
    pub built_against: BuiltAgainst,
    pub id: String,
    pub name: String,
    pub version: String,
    pub description: String,
    pub engine: EngineRange,
    pub kind: Vec<String>,
    pub entrypoints: Map<String, Value>,
    pub contributions: Contributions,
    pub files: Vec<DeclaredFile>,
    pub permissions: Vec<String>,
    pub restart_required: bool,
    /// Keys the format does not know.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Api {
    pub major: u64,
    pub minor: u64,
}

#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BuiltAgainst {
    pub engine_version: String,
    pub engine_commit: String,
}

#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EngineRange {
    pub min: String,
    pub max_exclusive: String,
}

#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Contributions {
    pub assets: Assets,
}

#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Assets {
    pub paths: Vec<String>,
}

#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct DeclaredFile {
    pub path: String,
    pub sha256: String,
    pub bytes: usize,
}

/// A language pack.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pack {
    #[serde(rename = "_meta")]
    pub meta: Meta,
    pub package: Card,
    /// Display string in English to what it reads in the pack's language.
    pub ruleset: BTreeMap<String, String>,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Meta {
    pub locale: String,
    pub direction: String,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Card {
    pub name: String,
    pub description: String,
}

impl Offer {
    /// An offer of exactly these bytes.
    pub fn of(url: String, bytes: &[u8]) -> Self {
        Offer { url, sha256: sha256(bytes), bytes: bytes.len() }
    }
}

impl DeclaredFile {
    /// A declaration of exactly these bytes.
    pub fn of(path: &str, bytes: &[u8]) -> Self {
        DeclaredFile { path: path.to_owned(), sha256: sha256(bytes), bytes: bytes.len() }
    }
}

impl Meta {
    pub fn of(language: &str) -> Self {
        let rtl = ["ar", "fa", "he", "ur"].contains(&language.split('-').next().unwrap_or_default());
        Meta { locale: language.to_owned(), direction: if rtl { "rtl" } else { "ltr" }.to_owned() }
    }
}

/// JSON as a publisher writes it: two spaces, LF, a newline at the end.
pub fn pretty(value: &impl Serialize) -> Vec<u8> {
    let mut text = serde_json::to_vec_pretty(value).unwrap();
    text.push(b'\n');
    text
}
