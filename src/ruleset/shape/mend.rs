//! Misspelt keys and ids are one fault, and not one more at all that leans on what they were meant to say: the rules
//! between the keys see them mended.

use super::strangers::Renamed;
use crate::ruleset::whole::{FILE, Spellings};
use crate::types::Pointer;
use serde_json::Value;
use std::collections::BTreeMap;

/// What is misspelt in a ruleset and its catalog files, and how it was meant.
#[derive(Default)]
pub struct Misspelt {
    /// The keys that were meant to be others, outer ones first.
    pub renamed: Vec<Renamed>,
    pub respelt: Vec<Respelt>,
}

/// An id in a form that no id has, and the one it was meant to be.
pub struct Respelt {
    pub file: String,
    pub at: Pointer,
    pub to: String,
}

/// A copy with the keys renamed and the ids respelt; nothing where there are none.
pub fn mended(
    ruleset: &Value,
    files: &[(String, Value)],
    Misspelt { renamed, respelt }: &Misspelt,
) -> Option<(Value, Vec<(String, Value)>)> {
    if renamed.is_empty() && respelt.is_empty() {
        return None;
    }
    let (mut ruleset, mut files) = (ruleset.clone(), files.to_vec());
    let mut documents: BTreeMap<&str, &mut Value> =
        files.iter_mut().map(|(path, catalog)| (path.as_str(), catalog)).collect();
    documents.insert(FILE, &mut ruleset);
    for Respelt { file, at, to } in respelt {
        if let Some(id) = documents.get_mut(file.as_str()).and_then(|document| document.pointer_mut(&at.to_string())) {
            *id = Value::from(to.as_str());
        }
    }
    // Inner ones first, so that the way to each is still as it was.
    for Renamed { file, at, from, to } in renamed.iter().rev() {
        let document = documents.get_mut(file.as_str());
        if let Some(members) = document.and_then(|it| it.pointer_mut(&at.to_string())).and_then(Value::as_object_mut)
            && let Some(value) = members.remove(from)
        {
            members.insert((*to).to_owned(), value);
        }
    }
    Some((ruleset, files))
}

/// Where those keys are written, for what is told of the copy.
pub fn spellings(renamed: &[Renamed]) -> Spellings {
    let mut spellings = Spellings::new();
    for Renamed { file, at, from, to } in renamed {
        spellings.entry(file.clone()).or_default().insert(at.at(to), at.at(from));
    }
    spellings
}
