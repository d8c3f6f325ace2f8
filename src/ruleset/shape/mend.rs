//! Misspelt keys and ids are one fault, and not one more at all that leans on what they were meant to say: the rules
//! between the keys see them mended.

use super::walk::{Meant, Renamed, Respelt};
use crate::ruleset::whole::FILE;
use crate::types::Problem;
use serde_json::Value;
use std::collections::BTreeMap;

/// A copy with the keys renamed and the ids respelt; nothing where there are none.
pub fn mended(
    ruleset: &Value,
    files: &[(String, Value)],
    Meant { renamed, respelt }: &Meant,
) -> Option<(Value, Vec<(String, Value)>)> {
    if renamed.is_empty() && respelt.is_empty() {
        return None;
    }
    let (mut ruleset, mut files) = (ruleset.clone(), files.to_vec());
    let mut documents: BTreeMap<&str, &mut Value> =
        files.iter_mut().map(|(path, catalog)| (path.as_str(), catalog)).collect();
    documents.insert(FILE, &mut ruleset);
    for Respelt { file, at, to } in respelt {
        if let Some(id) = documents.get_mut(file.as_str()).and_then(|document| document.pointer_mut(at)) {
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

/// Names in findings the keys that are written. Outer ones first, so that the way to inner ones is as it was found.
pub fn as_written(renamed: &[Renamed], found: &mut [Problem]) {
    for Renamed { file, at, from, to } in renamed {
        let (mended, written) = (at.at(to).to_string(), at.at(from).to_string());
        for problem in found.iter_mut().filter(|problem| problem.file.as_ref() == Some(file)) {
            let rest = problem.pointer.as_deref().and_then(|pointer| pointer.strip_prefix(&mended));
            if let Some(rest) = rest.filter(|rest| rest.is_empty() || rest.starts_with('/')) {
                problem.pointer = Some(format!("{written}{rest}"));
            }
        }
    }
}
