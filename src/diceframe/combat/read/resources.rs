use super::super::block::{PoolOrigin, Resource};
use super::Reader;
use super::node::{Node, wanted};
use crate::diceframe::codes;
use crate::diceframe::rules::name;
use crate::json::excerpt;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

const KEYS: [&str; 7] = ["id", "source", "stat", "maximum", "costable", "damage_priority", "damage_types"];

/// What a special stat holds at most where the rule says nothing, 0 or null.
const STAT_MAX: i64 = 99;

/// What a reference to a resource has to know of it.
#[derive(Clone, Copy)]
pub(super) struct Declared {
    /// Its place among those with an id; in a list without a fault that is its place in the list.
    pub place: usize,
    pub is_costable: bool,
}

/// All resources by their ids, faulty ones included: a reference to one is no fault of its own. Of several with one id
/// the first counts.
pub(super) fn by_id(block: &Node<'_>) -> Option<BTreeMap<String, Declared>> {
    let entries = block.get("resources")?.as_array()?;
    let named = entries.iter().filter_map(|entry| Some((entry.get("id")?.as_str()?, entry)));
    let mut by_id = BTreeMap::new();
    for (place, (id, entry)) in named.enumerate() {
        let is_costable = entry.get("costable") != Some(&Value::Bool(false));
        by_id.entry(id.to_owned()).or_insert(Declared { place, is_costable });
    }
    Some(by_id)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum From {
    Hp,
    Stat,
    CombatState,
}

impl Reader<'_> {
    pub(super) fn resources(&mut self, block: &Node<'_>) -> Option<Vec<Resource>> {
        let entries = block.list("resources", codes::C10, self.problems)?;
        let at = block.at.at("resources");
        if entries.is_empty() {
            self.report(codes::C10, &at, "`resources` is empty, but a fight needs at least a life pool");
            return None;
        }
        let (mut seen, mut lives, mut unknown) = (BTreeSet::new(), 0, 0);
        let mut resources = Vec::with_capacity(entries.len());
        for (index, value) in entries.iter().enumerate() {
            let Some(node) = Node::read(value, at.at(index), codes::C10, "a resource", self.problems) else {
                unknown += 1;
                continue;
            };
            node.report_strangers(&KEYS, self.problems);
            let id = node.text("id", codes::C11, self.problems);
            if let Some(id) = id.filter(|id| !seen.insert(*id)) {
                self.report(codes::C11, &node.at.at("id"), format!("the resource `{}` is defined twice", excerpt(id)));
            }
            let sources = [("hp", From::Hp), ("special_stat", From::Stat), ("combat_state", From::CombatState)];
            let from = node.word("source", codes::C12, &sources, self.problems);
            lives += usize::from(from == Some(From::Hp));
            unknown += usize::from(from.is_none());
            let resource = self.resource(&node, id, from);
            resources.extend(resource);
        }
        // A source that cannot be read may be the one that is missing.
        if lives > 1 || lives + unknown == 0 {
            let message = format!("{lives} resources have the source `hp`, but there should be exactly one");
            self.report(codes::C13, &at, message);
        }
        Some(resources)
    }

    fn resource(&mut self, node: &Node<'_>, id: Option<&str>, from: Option<From>) -> Option<Resource> {
        let stat = from.and_then(|from| self.stat(node, from));
        let maximum = node.optional_count("maximum", codes::C16, self.problems);
        let costable = match node.get("costable") {
            None => true,
            Some(Value::Bool(costable)) => *costable,
            Some(other) => {
                self.report(codes::C17, &node.at.at("costable"), wanted("costable", other, "true or false"));
                true
            }
        };
        let first = node.optional_word("damage_priority", codes::C18, &[("before_hp", ())], self.problems);
        if first.is_some() && from.is_some_and(|from| from != From::CombatState) {
            let message = "only a pool with the source `combat_state` can take damage before life does";
            self.report(codes::C18, &node.at.at("damage_priority"), message);
        }
        let types = node.texts("damage_types", codes::C19, self.problems).unwrap_or_default();
        let source = match from? {
            From::Hp => PoolOrigin::Hp,
            From::CombatState => PoolOrigin::CombatState,
            From::Stat => {
                let (key, max) = stat?;
                PoolOrigin::Stat { key, max }
            }
        };
        Some(Resource { id: id?.to_owned(), source, maximum, costable, shields: first.map(|()| types) })
    }

    /// The special stat a pool stands for and what it can hold.
    fn stat(&mut self, node: &Node<'_>, from: From) -> Option<(String, i64)> {
        if from != From::Stat {
            if node.get("stat").is_some() {
                let message = "`stat` is only allowed in pools with the source `special_stat`";
                self.report(codes::C14, &node.at.at("stat"), message);
            }
            return None;
        }
        let key = node.text("stat", codes::C14, self.problems)?;
        let Some(stats) = self.rule.get("special_stats").and_then(Value::as_array) else {
            return Some((key.to_owned(), STAT_MAX));
        };
        let Some(stat) = stats.iter().find(|stat| name(stat, "key") == Some(key)) else {
            let message = format!("`{}` is not declared in `special_stats` of this rule", excerpt(key));
            self.report(codes::C15, &node.at.at("stat"), message);
            return None;
        };
        let max = stat.get("max").and_then(Value::as_i64).filter(|max| *max > 0);
        Some((key.to_owned(), max.unwrap_or(STAT_MAX)))
    }
}
