use super::{items_mut, list_mut};
use serde_json::Value;
use std::collections::BTreeSet;

/// Puts a layer's loot tables in the place of those with the same ids (LR3).
pub fn replace(ruleset: &mut Value, tables: &Value) {
    for table in tables.as_array().into_iter().flatten() {
        if let Some(own) = items_mut(ruleset, "/items/lootTables").find(|own| own["id"] == table["id"]) {
            *own = table.clone();
        }
    }
}

/// Leaves out loot in coins there are none of any more: nobody finds one. A table with nothing else in it rolls nothing
/// (docs/spec/decisions.md#q40).
pub fn without_lost_coins(ruleset: &mut Value) {
    let families = ruleset["items"]["currencies"].as_array().into_iter().flatten();
    let coins = families.flat_map(|family| family["units"].as_array().into_iter().flatten());
    let coins: BTreeSet<String> = coins.filter_map(|coin| coin["id"].as_str().map(str::to_owned)).collect();
    for table in items_mut(ruleset, "/items/lootTables") {
        let Some(lines) = list_mut(table, "/entries") else { continue };
        lines.retain(|line| line["coins"].as_str().is_none_or(|coin| coins.contains(coin)));
        if lines.is_empty() {
            table["rolls"] = 0.into();
        }
    }
}
