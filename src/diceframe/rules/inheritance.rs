//! In which file of a chain something stands.

use super::source::SourceFile;
use crate::types::{Pointer, Problem};
use serde_json::Value;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;

/// Puts findings about a resolved value into the files that say what is wrong: each the nearest of the chain that has
/// the place, or what leads to it.
///
/// A file that is not looked at is none of the reader's business to mend, so what stands there is told of the file that
/// extends it (docs/spec/diceframe.md#decision-5).
pub(super) fn attributed(
    problems: Vec<Problem>,
    chain: &[Arc<SourceFile>],
    is_looked_at: impl Fn(&SourceFile) -> bool,
) -> Vec<Problem> {
    let Some(own) = chain.first() else { return problems };
    let owners: Vec<&SourceFile> = owners(&problems, chain).into_iter().map(|owner| owner.unwrap_or(own)).collect();
    let each = problems.into_iter().zip(owners);
    each.map(|(problem, owner)| within(problem, owner, own, &is_looked_at)).collect()
}

/// The same for a finding whose file is known.
pub(super) fn within(
    problem: Problem,
    owner: &SourceFile,
    own: &SourceFile,
    is_looked_at: impl Fn(&SourceFile) -> bool,
) -> Problem {
    if owner.path == own.path || is_looked_at(owner) {
        return Problem { file: Some(owner.name()), ..problem };
    }
    let line = problem.line.map(|line| format!(", line {line}")).unwrap_or_default();
    let pointer = problem.pointer.as_deref().filter(|pointer| !pointer.is_empty());
    let place = pointer.map(|pointer| format!(" at {pointer}")).unwrap_or_default();
    Problem {
        file: Some(own.name()),
        pointer: Some(Pointer::root().at("extends").to_string()),
        message: format!("{} (inherited from {}{line}{place})", problem.message, owner.name()),
        at_key: false,
        ..problem.unplaced()
    }
}

/// The file of a chain that the place of each finding about the resolved value is in: the nearest that has it, or what
/// leads to it. Each file is gone through once for all of them.
pub(in crate::diceframe) fn owners<'c>(
    problems: &[Problem],
    chain: &'c [Arc<SourceFile>],
) -> Vec<Option<&'c SourceFile>> {
    let pointers: Vec<&str> = problems.iter().map(|problem| problem.pointer.as_deref().unwrap_or_default()).collect();
    let mut places: HashMap<&str, Option<&SourceFile>> = HashMap::new();
    for pointer in &pointers {
        // What leads to a known place is known.
        let new = above(pointer).take_while(|place| !places.contains_key(place)).collect::<Vec<_>>();
        places.extend(new.into_iter().map(|place| (place, None)));
    }
    if problems.is_empty() {
        return Vec::new();
    }
    for source in chain {
        claim(&source.value, &mut String::new(), source, &mut places);
    }
    pointers.into_iter().map(|pointer| above(pointer).find_map(|place| places[place])).collect()
}

/// A place, and all that lead to it, the nearest first.
fn above(pointer: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(pointer), |place| place.rfind('/').map(|end| &place[..end]))
}

/// Gives a file the places it has that no nearer one has.
fn claim<'c>(
    value: &Value,
    at: &mut String,
    source: &'c SourceFile,
    places: &mut HashMap<&str, Option<&'c SourceFile>>,
) {
    let Some(place) = places.get_mut(at.as_str()) else { return };
    place.get_or_insert(source);
    let end = at.len();
    match value {
        Value::Object(members) => members.iter().for_each(|(key, value)| {
            at.push('/');
            match key.contains(['~', '/']) {
                true => at.push_str(&key.replace('~', "~0").replace('/', "~1")),
                false => at.push_str(key),
            }
            claim(value, at, source, places);
            at.truncate(end);
        }),
        Value::Array(items) => items.iter().enumerate().for_each(|(index, value)| {
            // Writing into a String cannot fail.
            let _ = write!(at, "/{index}");
            claim(value, at, source, places);
            at.truncate(end);
        }),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diceframe::codes;
    use serde_json::{Value, json};

    fn source(path: &str, value: Value) -> Arc<SourceFile> {
        Arc::new(SourceFile::new(path.into(), value.to_string(), value))
    }

    fn told(pointer: &str, looked_at: &[&str]) -> (String, String, String) {
        let chain = [
            source("child.json", json!({"extends": "base", "list": [1], "object": {"own": 1}})),
            source("base.json", json!({"list": [1, 2, 3], "object": {"inherited": {}}, "far": 1})),
        ];
        let problem =
            Problem { pointer: Some(pointer.to_owned()), ..Problem::new(codes::D18, &Pointer::root(), "wrong") };
        let found =
            attributed(vec![problem], &chain, |source| looked_at.iter().any(|known| source.path.ends_with(known)));
        let found = found.into_iter().next().unwrap();
        (found.file.unwrap(), found.pointer.unwrap(), found.message)
    }

    #[test]
    fn a_finding_belongs_to_the_nearest_file_that_has_the_place() {
        for (pointer, file) in [
            ("/list/0", "child.json"),
            ("/object/own", "child.json"),
            ("/object/inherited/missing", "base.json"),
            ("/object/missing", "child.json"),
            ("/far", "base.json"),
            ("/nowhere", "child.json"),
            ("", "child.json"),
        ] {
            let (found, at, message) = told(pointer, &["child.json", "base.json"]);
            assert_eq!((found.as_str(), at.as_str(), message.as_str()), (file, pointer, "wrong"));
        }
    }

    #[test]
    fn what_stands_in_a_file_not_looked_at_is_told_where_it_is_inherited() {
        let (file, pointer, message) = told("/far", &["child.json"]);
        assert_eq!((file.as_str(), pointer.as_str()), ("child.json", "/extends"));
        assert_eq!(message, "wrong (inherited from base.json at /far)");
    }
}
