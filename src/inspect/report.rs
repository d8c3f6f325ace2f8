use crate::types::{Problem, Problems, Severity};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{HashMap, HashSet};

/// What a check found: the `result` of `check` and `catalog verify` (docs/spec/commands.md#results).
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Findings {
    pub problems: Vec<Problem>,
    pub summary: Summary,
}

/// How much was looked at, and how much is wrong with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    pub errors: usize,
    pub warnings: usize,
    /// Rulesets looked into.
    pub packages: usize,
    /// Files read, those within an artifact not counted.
    pub files: usize,
}

impl Findings {
    /// Sorts and counts what was found: file by file as they come, each from its top to its end, nothing twice. With
    /// `strict` every warning is an error.
    pub fn new(problems: impl Into<Problems>, packages: usize, files: usize, strict: bool) -> Self {
        let mut problems = in_order(problems.into().into_vec());
        if strict {
            problems.iter_mut().for_each(|problem| problem.severity = Severity::Error);
        }
        let (errors, warnings) = (Severity::Error.count(&problems), Severity::Warning.count(&problems));
        Findings { problems, summary: Summary { errors, warnings, packages, files } }
    }
}

fn in_order(problems: Vec<Problem>) -> Vec<Problem> {
    let mut first_seen: HashMap<(Option<String>, Option<String>), usize> = HashMap::new();
    let mut keyed: Vec<_> = problems
        .into_iter()
        .map(|problem| {
            // What is about no file belongs to what else is about its package.
            let package = problem.package.clone().filter(|_| problem.file.is_none());
            let next = first_seen.len();
            let file = *first_seen.entry((problem.file.clone(), package)).or_insert(next);
            // What sums up others comes after them.
            ((file, problem.stands_for > 1, problem.line, problem.column), problem)
        })
        .collect();
    keyed.sort_by_key(|(place, _)| *place);
    let mut told = HashSet::new();
    keyed.retain(|(place, problem)| {
        let Problem { code, pointer, message, package, .. } = problem;
        told.insert((*place, *code, pointer.clone(), message.clone(), package.clone()))
    });
    keyed.into_iter().map(|(_, problem)| problem).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Pointer;
    use crate::types::Rule;

    fn problem(file: Option<&str>, line: Option<u64>, code: &str) -> Problem {
        Problem { file: file.map(str::to_owned), line, ..Problem::new(Rule::named(code), &Pointer::root(), "said") }
    }

    #[test]
    fn findings_come_file_by_file_in_the_order_of_the_lines_and_once() {
        let found = vec![
            problem(Some("b"), Some(9), "b9"),
            problem(Some("a"), None, "a"),
            problem(Some("b"), Some(2), "b2"),
            problem(None, None, "none"),
            problem(Some("b"), Some(9), "b9"),
            problem(Some("a"), Some(1), "a1"),
        ];
        let findings = Findings::new(found, 1, 2, true);
        let codes: Vec<&str> = findings.problems.iter().map(|problem| problem.code.as_str()).collect();
        assert_eq!(codes, ["b2", "b9", "a", "a1", "none"]);
        assert_eq!(findings.summary, Summary { errors: 5, warnings: 0, packages: 1, files: 2 });
    }
}
