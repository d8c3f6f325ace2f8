//! D21 to D24, D36: world templates and the rules they are played by.

use super::read::name;
use super::source::SourceFile;
use crate::diceframe::codes;
use crate::json::excerpt;
use crate::types::{Pointer, Problem, did_you_mean, suggest};
use serde_json::Value;
use std::collections::BTreeMap;

/// What is known of a `rule_id`, the best of all files that have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Standing {
    /// It does not load.
    Broken,
    /// Others extend it; nobody plays it.
    Abstract,
    Playable,
}

/// The rules a world can name.
#[derive(Debug)]
pub(super) struct Rules {
    by_id: BTreeMap<String, Standing>,
    /// Whether the rules built into DiceFrame are among them.
    with_host: bool,
}

impl Rules {
    pub fn new(with_host: bool) -> Self {
        Rules { by_id: BTreeMap::new(), with_host }
    }

    pub fn add(&mut self, id: &str, standing: Standing) {
        let known = self.by_id.entry(id.to_owned()).or_insert(standing);
        *known = (*known).max(standing);
    }
}

/// Whether a file that was named alone is a world and no rule (docs/spec/diceframe.md#reading-9).
pub(super) fn is_world(value: &Value) -> bool {
    value.get("rule_id").is_none() && ["world_id", "default_rule"].iter().any(|key| value.get(key).is_some())
}

/// What is wrong with a world that could be read.
pub(super) fn check(world: &SourceFile, rules: &Rules) -> Vec<Problem> {
    let root = Pointer::root();
    let mut problems = Vec::new();
    if name(&world.value, "world_id").is_none() {
        problems.push(Problem::new(codes::D22, &root.at("world_id"), "the world has no `world_id`"));
    }
    match name(&world.value, "default_rule") {
        None => problems.push(Problem::new(codes::D23, &root.at("default_rule"), "the world has no `default_rule`")),
        Some(rule) => problems.extend(unplayable(rule, rules)),
    }
    problems.extend(world.repeated().iter().cloned());
    problems.into_iter().map(|problem| Problem { file: Some(world.name()), ..problem }).collect()
}

fn unplayable(rule: &str, rules: &Rules) -> Option<Problem> {
    let shown = excerpt(rule);
    let message = match rules.by_id.get(rule) {
        Some(Standing::Playable) => return None,
        Some(Standing::Abstract) => format!("`{shown}` is abstract: it is only a base for other rules"),
        Some(Standing::Broken) => format!("`{shown}` does not load, so the world cannot be played"),
        None => format!("unknown rule `{shown}`"),
    };
    let problem = Problem::new(codes::D24, &Pointer::root().at("default_rule"), message);
    if rules.by_id.contains_key(rule) {
        return Some(problem);
    }
    Some(match did_you_mean(&suggest(rule, rules.by_id.keys().map(String::as_str))) {
        Some(question) => problem.hint(question),
        None if !rules.with_host => {
            problem.hint("if it is built into DiceFrame, give the folder of DiceFrame with `--host`")
        }
        None => problem,
    })
}
