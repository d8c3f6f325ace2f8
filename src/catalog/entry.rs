use super::Manifest;
use crate::types::{Expected, HttpsUrl, Language, Problem};

/// A ruleset a catalog offers, after every rule an entry must meet before anything is downloaded.
#[derive(Clone, Debug)]
pub struct Entry {
    pub manifest: Manifest,
    pub artifact: FileOffer,
    pub packs: Vec<PackOffer>,
    /// What `catalog verify` reports and an installer lets pass: unknown keys and the like.
    pub notes: Vec<Problem>,
}

/// A file to download and what it must be.
#[derive(Clone, Debug)]
pub struct FileOffer {
    pub url: HttpsUrl,
    pub expected: Expected,
}

/// The language pack of one language.
#[derive(Clone, Debug)]
pub struct PackOffer {
    pub language: Language,
    pub file: FileOffer,
    /// The store card in that language.
    pub name: String,
    pub description: String,
}

/// What one element of `packages[]` turned out to be.
#[derive(Clone, Debug)]
pub enum Reading {
    Ruleset(Box<Entry>),
    /// A package of another kind, which rulepack never installs.
    OtherKind {
        id: String,
        kinds: Vec<String>,
    },
    /// An entry that cannot be used, with every reason. The id is what could be read of it.
    Unusable {
        id: Option<String>,
        reasons: Vec<Problem>,
    },
}
