//! The catalog files that lie in a package folder.

use super::read;
use super::unread::{AllUnread, Unread};
use crate::json::document;
use crate::types::{Failure, OpenFolder, codes};
use std::collections::{BTreeMap, HashSet};

/// The folder they lie in.
const CATALOGS: &str = "catalogs";

/// Catalog files by path. One that cannot be read counts as there, and as holding nothing.
#[derive(Debug, Default)]
pub(super) struct Catalogs {
    pub files: BTreeMap<String, Vec<u8>>,
    pub unread: AllUnread,
}

impl Catalogs {
    /// All that lie there. Where the folder itself is a link, those the ruleset names count as there.
    ///
    /// # Errors
    /// When the folder cannot be listed.
    pub fn all(root: &OpenFolder, ruleset: Option<&[u8]>) -> Result<Self, Failure> {
        Catalogs::read(root, false, ruleset.unwrap_or_default())
    }

    /// Those that a ruleset names, of those that lie there.
    ///
    /// # Errors
    /// When the folder cannot be listed.
    pub fn named(root: &OpenFolder, ruleset: &[u8]) -> Result<Self, Failure> {
        Catalogs::read(root, true, ruleset)
    }

    /// The ruleset is read only where it is asked what it names.
    fn read(root: &OpenFolder, only_named: bool, ruleset: &[u8]) -> Result<Self, Failure> {
        let mut catalogs = Catalogs::default();
        let names = match read::json_files(root, CATALOGS) {
            Err(unread) if unread.is_link() => {
                catalogs.unread.add(unread);
                let assets = assets(ruleset).into_iter().filter(|asset| catalogs.unread.covers(asset));
                catalogs.files = assets.map(|asset| (asset, Vec::new())).collect();
                return Ok(catalogs);
            }
            names => names?,
        };
        let named: Option<HashSet<String>> =
            (only_named && !names.is_empty()).then(|| assets(ruleset).into_iter().collect());
        let is_wanted = |path: &String| named.as_ref().is_none_or(|named| named.contains(path));
        for path in names.into_iter().map(|name| format!("{CATALOGS}/{name}")).filter(is_wanted) {
            let bytes = read::text_in(root, &path).unwrap_or_else(|unread: Unread| {
                catalogs.unread.add(unread);
                Vec::new()
            });
            catalogs.files.insert(path, bytes);
        }
        Ok(catalogs)
    }
}

/// The catalog files that a ruleset names.
pub(super) fn assets(ruleset: &[u8]) -> Vec<String> {
    let ruleset = document(ruleset, codes::RULESET_JSON).unwrap_or_default();
    let catalogs = ruleset["catalogs"].as_array().into_iter().flatten();
    catalogs.filter_map(|catalog| catalog["asset"].as_str().map(str::to_owned)).collect()
}
