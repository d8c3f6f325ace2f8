//! Reading a combat block: one pass that gathers every finding and makes the model. A node is read by whoever owns its
//! part of the block; what cannot be read is nothing, with its finding told.

mod actions;
mod formula;
mod node;
mod resources;
mod scheduler;
#[cfg(test)]
mod tests;

#[cfg(test)]
pub(in crate::diceframe::combat) use tests::seed;

use super::block::{Attribute, Combat};
use crate::diceframe::codes;
use crate::diceframe::rules::{name, said};
use crate::types::{Pointer, Problem, Problems, Rule};
use node::Node;
use resources::Declared;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The block of a resolved rule, with every finding told. Nothing where the rule has no block, or `null` over an
/// inherited one, or one that breaks one of C01 to C37.
pub fn read(rule: &Value, problems: &mut Problems) -> Option<Combat> {
    let value = said(rule, "combat")?;
    let before = problems.errors();
    let block = Node::read(value, Pointer::root().at("combat"), codes::C01, "`combat`", problems)?;
    block.report_strangers(&["scheduler", "resources", "actions", "damage_types"], problems);
    let attributes = attributes(rule);
    let mut reader = Reader { rule, problems, attributes, resources: None, speed: None, vocabulary: None };
    reader.resources = resources::by_id(&block);
    reader.vocabulary = reader.vocabulary_of(&block);
    let scheduler = reader.scheduler(&block);
    let resources = reader.resources(&block);
    let actions = reader.actions(&block);
    let Reader { problems, attributes, .. } = reader;
    if problems.errors() > before {
        return None;
    }
    Some(Combat { scheduler: scheduler?, resources: resources?, actions: actions?, attributes })
}

/// What the parts of a block need to know of each other and of the rule.
struct Reader<'r> {
    rule: &'r Value,
    problems: &'r mut Problems,
    attributes: BTreeMap<String, Attribute>,
    /// All resources by their ids. Nothing where there is no list: then no reference is a fault of its own.
    resources: Option<BTreeMap<String, Declared>>,
    /// What the scheduler calls the speed.
    speed: Option<String>,
    /// The types of damage there are; nothing allows all.
    vocabulary: Option<BTreeSet<String>>,
}

impl Reader<'_> {
    fn report(&mut self, code: &'static Rule, at: &Pointer, message: impl Into<String>) {
        self.problems.push(Problem::new(code, at, message));
    }

    /// Which types of damage there are. An empty list restricts nothing.
    fn vocabulary_of(&mut self, block: &Node<'_>) -> Option<BTreeSet<String>> {
        let types = block.texts("damage_types", codes::C19, self.problems)?;
        Some(types.into_iter().collect()).filter(|types: &BTreeSet<String>| !types.is_empty())
    }
}

/// The attributes a rule declares, by key. Entries without a key are another check's.
fn attributes(rule: &Value) -> BTreeMap<String, Attribute> {
    let entries = rule.get("attributes").and_then(Value::as_array);
    let named = entries.into_iter().flatten().filter_map(|entry| Some((name(entry, "key")?, entry)));
    let bound = |entry: &Value, key: &str| entry.get(key).and_then(Value::as_i64);
    named
        .map(|(key, entry)| {
            let min = bound(entry, "min").unwrap_or(Attribute::USUAL.min);
            let max = bound(entry, "max").unwrap_or(Attribute::USUAL.max);
            (key.to_owned(), Attribute { min: min.min(max), max: max.max(min) })
        })
        .collect()
}
