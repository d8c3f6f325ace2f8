//! The texts of a ruleset and its catalog files, read once for all that is done with them.

use super::known::Known;
use crate::catalog::RULESET;
use crate::json::document_and_repeats;
use crate::ruleset;
use crate::types::{Cancel, Problem, Rule, codes};
use serde_json::Value;
use std::collections::BTreeMap;

/// A ruleset and its catalog files (by path) as JSON, in so far as they are.
#[derive(Debug, Default)]
pub struct Documents {
    pub ruleset: Option<Value>,
    pub files: Vec<(String, Value)>,
    /// By file: why it is no JSON, or the keys it has twice.
    faults: BTreeMap<String, Vec<Problem>>,
}

impl Documents {
    /// Stops when asked to; what it then gives is of no use.
    pub(crate) fn read(ruleset: Option<&[u8]>, catalogs: &BTreeMap<String, Vec<u8>>, cancel: &Cancel) -> Self {
        let mut faults = BTreeMap::new();
        let mut read = |path: &str, bytes: &[u8], code: &'static Rule| {
            let (document, found) = match document_and_repeats(bytes, code) {
                Ok((document, repeats)) => (Some(document), repeats),
                Err(problem) => (None, vec![*problem]),
            };
            if !found.is_empty() {
                faults.insert(path.to_owned(), found.into_iter().map(|problem| problem.in_file(path)).collect());
            }
            document
        };
        let ruleset = ruleset.and_then(|bytes| read(RULESET, bytes, codes::RULESET_JSON));
        let files = catalogs
            .iter()
            .take_while(|_| !cancel.is_asked())
            .filter_map(|(path, bytes)| Some((path.clone(), read(path, bytes, codes::CATALOG_JSON)?)))
            .collect();
        Documents { ruleset, files, faults }
    }

    /// Why a file is no JSON, or what keys it has twice.
    pub(crate) fn faults(&self, path: &str) -> &[Problem] {
        self.faults.get(path).map(Vec::as_slice).unwrap_or_default()
    }

    /// The catalog files that the ruleset names and that could not be read, or are not there. Their texts are not among
    /// what there is to translate.
    pub(crate) fn lacks(&self) -> impl Iterator<Item = &str> {
        let named = self.ruleset.as_ref().map(ruleset::catalog_files).unwrap_or_default();
        named.into_iter().filter(|asset| self.files.iter().all(|(path, _)| path != asset))
    }

    /// What there is to translate, also under keys that are misspelt: those are told of, and a translation is no worse
    /// for them.
    pub(crate) fn known(&self) -> Known {
        let Some(ruleset) = &self.ruleset else { return Known::default() };
        match ruleset::as_meant(ruleset, &self.files) {
            Some((ruleset, files)) => Known::of(&ruleset, &files),
            None => Known::of(ruleset, &self.files),
        }
    }
}
