use super::base_url::BaseUrl;
use crate::types::{Code, Expected, Failure};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// An entry of a catalog, as it is written.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    pub manifest: Box<RawValue>,
    #[serde(flatten)]
    pub before: Listing,
    pub artifact: Offer,
    #[serde(flatten)]
    pub links: Links,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub locales: BTreeMap<String, PackOffer>,
}

/// The shelf it stands on.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Listing {
    #[serde(default = "misc")]
    pub category: String,
}

fn misc() -> String {
    "misc".to_owned()
}

impl Default for Listing {
    fn default() -> Self {
        Listing { category: misc() }
    }
}

/// What a store page links to.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Links {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icon_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub documentation_url: Option<String>,
}

/// A file to download.
#[derive(Debug, Serialize)]
pub struct Offer {
    pub url: String,
    #[serde(flatten)]
    pub expected: Expected,
}

/// A language pack to download, with the store card in its language.
#[derive(Debug, Serialize)]
pub struct PackOffer {
    #[serde(flatten)]
    pub offer: Offer,
    #[serde(flatten)]
    pub card: Card,
}

/// What a pack calls its package.
#[derive(Debug, Deserialize, Serialize)]
pub struct Card {
    pub name: String,
    pub description: String,
}

impl Offer {
    /// An offer of exactly these bytes under this name.
    pub fn of(base: &BaseUrl, name: &str, bytes: &[u8]) -> Self {
        Offer { url: base.file(name), expected: Expected::of(bytes) }
    }
}

impl Card {
    /// The card a language pack gives: its `package` section.
    ///
    /// # Errors
    ///
    /// `invalid-pack`: the entry of a catalog needs both, so a pack without them cannot be listed
    /// (docs/spec/decisions.md#q23).
    pub fn of(pack: &[u8], name: &str) -> Result<Self, Failure> {
        #[derive(Deserialize)]
        struct Pack {
            package: Card,
        }
        let pack: Result<Pack, _> = serde_json::from_slice(pack);
        pack.map(|pack| pack.package).map_err(|error| {
            let message = format!("{name} has no name and description for the store card: {error}");
            Failure::new(Code::InvalidPack, message)
                .hint("add `\"package\": {\"name\": …, \"description\": …}` to the pack")
        })
    }
}
