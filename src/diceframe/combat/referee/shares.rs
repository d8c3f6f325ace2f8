use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The ids of the shields that take damage of this type, in their order.
pub(super) fn shields(pools: &[&Value], damage_type: Option<&str>) -> BTreeSet<String> {
    let mut shields = BTreeSet::new();
    for pool in pools.iter().filter(|pool| pool["damage_priority"] == "before_hp") {
        let types: Vec<&str> =
            pool["damage_types"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let takes = match damage_type {
            None => true,
            Some(_) if types.is_empty() => true,
            Some(wanted) => types.contains(&wanted),
        };
        if takes {
            shields.extend(pool["id"].as_str().map(str::to_owned));
        }
    }
    shields
}

/// What is left of each pool that damage reaches: from the first that has something to the next, life last.
pub(super) fn after_damage(
    amount: i64,
    shields: &BTreeSet<String>,
    life: &str,
    has: &BTreeMap<String, i64>,
) -> Vec<(String, i64)> {
    let mut left = Vec::new();
    let mut damage = amount;
    for id in shields.iter().map(String::as_str).chain([life]) {
        let there = has.get(id).copied().unwrap_or_default();
        let taken = if damage > there { there } else { damage };
        left.push((id.to_owned(), there - taken));
        damage -= taken;
    }
    left
}
