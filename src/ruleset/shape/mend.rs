//! Misspelt keys are one fault, and not one more at all that leans on what they were meant to say: the rules between the
//! keys see them mended.

use super::strangers::Renamed;
use crate::ruleset::whole::{FILE, Spellings};
use serde_json::Value;

/// A copy with the keys renamed; nothing where there are none.
pub fn mended(
    ruleset: &Value,
    files: &[(String, Value)],
    renamed: &[Renamed],
) -> Option<(Value, Vec<(String, Value)>)> {
    if renamed.is_empty() {
        return None;
    }
    let (mut ruleset, mut files) = (ruleset.clone(), files.to_vec());
    // Inner ones first, so that the way to each is still as it was.
    for Renamed { file, at, from, to } in renamed.iter().rev() {
        let of_file = files.iter_mut().find(|(path, _)| path == file).map(|(_, catalog)| catalog);
        let document = if file == FILE { Some(&mut ruleset) } else { of_file };
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
