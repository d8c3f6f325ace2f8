use super::rules;
use super::shape;
use super::whole::Whole;
use crate::types::{Api, Problem};
use serde_json::Value;
use std::collections::HashSet;

/// Everything that is wrong with a ruleset and its catalog files, by sections 1 to 9 and 12 of the ruleset checks, each
/// finding with its file and pointer.
///
/// `files` are the package's catalog files by path. `declared` is the API of the manifest: of a package it has to cover
/// what is used (K10), and it decides how bad a key is that this tool does not know (open question Q27). A lone
/// `ruleset.json` has none.
pub fn check(ruleset: &Value, files: &[(String, Value)], declared: Option<Api>) -> Vec<Problem> {
    let mut found = Vec::new();
    shape::check(ruleset, files, declared, &mut found);
    let whole = Whole::new(ruleset, files);
    let mut of_rules = Vec::new();
    rules::check(&whole, &mut of_rules);
    drop_echoes(&mut of_rules, &found);
    found.extend(of_rules);
    found
}

/// Takes away what rules say of a value that its shape refuses already: one fault is one finding, and an id that is no id
/// names nothing either.
fn drop_echoes(of_rules: &mut Vec<Problem>, of_shape: &[Problem]) {
    let place = |problem: &Problem| (problem.file.clone(), problem.pointer.clone());
    let refused: HashSet<_> = of_shape.iter().filter(|problem| shape::refuses_value(problem)).map(place).collect();
    if !refused.is_empty() {
        of_rules.retain(|problem| !refused.contains(&place(problem)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Pointer;

    #[test]
    fn a_value_of_the_wrong_shape_is_not_held_to_further_rules() {
        let at = |code: &str, pointer: Pointer| Problem::error(code, &pointer, "");
        let (id, list) = (Pointer::root().at("pool"), Pointer::root().at("list"));
        let of_shape = [at("bad-id", id.clone()), at("missing-key", Pointer::root()), at("too-many", list.clone())];
        let mut of_rules = vec![at("unknown-id", id), at("rider", Pointer::root()), at("unknown-id", list)];
        of_rules.push(Problem { file: Some("catalogs/a.json".to_owned()), ..of_rules[0].clone() });
        drop_echoes(&mut of_rules, &of_shape);
        let left: Vec<_> = of_rules.iter().map(|problem| problem.code.as_str()).collect();
        assert_eq!(left, ["rider", "unknown-id", "unknown-id"]);
    }
}
