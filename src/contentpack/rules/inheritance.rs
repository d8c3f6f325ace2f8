//! In which file of a chain something stands.

use super::source::Source;
use crate::types::{Pointer, Problem};
use std::path::Path;
use std::sync::Arc;

/// Puts a finding about a resolved value into the file that says what is wrong: the nearest of the chain that has the
/// place, or what leads to it.
///
/// A file that is not looked at is none of the reader's business to mend, so what stands there is told of the file that
/// extends it (decision 5).
pub(super) fn attributed(problem: Problem, chain: &[Arc<Source>], is_looked_at: impl Fn(&Path) -> bool) -> Problem {
    let Some(own) = chain.first() else { return problem };
    let owner = owner(problem.pointer.as_deref().unwrap_or_default(), chain).unwrap_or(own);
    within(problem, owner, own, is_looked_at)
}

/// The same for a finding whose file is known.
pub(super) fn within(problem: Problem, owner: &Source, own: &Source, is_looked_at: impl Fn(&Path) -> bool) -> Problem {
    if owner.path == own.path || is_looked_at(&owner.path) {
        return Problem { file: Some(owner.name()), ..problem };
    }
    let line = problem.line.map(|line| format!(", line {line}")).unwrap_or_default();
    let pointer = problem.pointer.as_deref().filter(|pointer| !pointer.is_empty());
    let place = pointer.map(|pointer| format!(" at {pointer}")).unwrap_or_default();
    Problem {
        file: Some(own.name()),
        pointer: Some(Pointer::root().at("extends").to_string()),
        message: format!("{} (inherited from {}{line}{place})", problem.message, owner.name()),
        line: None,
        column: None,
        excerpt: None,
        at_key: false,
        ..problem
    }
}

/// The file of a chain that a place of the resolved value is in: the nearest that has it, or what leads to it.
pub(in crate::contentpack) fn owner<'c>(pointer: &str, chain: &'c [Arc<Source>]) -> Option<&'c Source> {
    let mut place = pointer;
    loop {
        if let Some(source) = chain.iter().find(|source| source.value.pointer(place).is_some()) {
            return Some(source);
        }
        place = &place[..place.rfind('/')?];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn source(path: &str, value: Value) -> Arc<Source> {
        Arc::new(Source::new(path.into(), value.to_string(), value))
    }

    fn told(pointer: &str, looked_at: &[&str]) -> (String, String, String) {
        let chain = [
            source("child.json", json!({"extends": "base", "list": [1], "object": {"own": 1}})),
            source("base.json", json!({"list": [1, 2, 3], "object": {"inherited": {}}, "far": 1})),
        ];
        let problem = Problem { pointer: Some(pointer.to_owned()), ..Problem::error("D18", &Pointer::root(), "wrong") };
        let found = attributed(problem, &chain, |path| looked_at.iter().any(|known| path.ends_with(known)));
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
