use super::{list_mut, texts};
use serde_json::Value;

/// Takes sellers out of the market and wares off all sellers (LR7).
///
/// A market without sellers would let anybody sell everything, so a removal that would empty it, even after what an
/// earlier layer removed, is not made at all (docs/spec/decisions.md#q36).
pub fn take_sellers_and_wares(ruleset: &mut Value, market: &Value, undone: &mut impl FnMut(String)) {
    let removed: Vec<&str> = texts(&market["removeSellers"]).collect();
    if let Some(sellers) = list_mut(ruleset, "/items/market/sellers").filter(|_| !removed.is_empty()) {
        let stays = |seller: &Value| !seller["id"].as_str().is_some_and(|id| removed.contains(&id));
        if sellers.iter().any(stays) {
            sellers.retain(stays);
        } else {
            undone(format!("it removes the last seller from the market: {}", removed.join(", ")));
        }
    }
    let Some(unsold) = market["unsold"].as_array() else { return };
    let Some(own) = ruleset.pointer_mut("/items/market").and_then(Value::as_object_mut) else { return };
    let all = own.entry("unsold").or_insert_with(|| Value::Array(Vec::new()));
    if let Some(all) = all.as_array_mut() {
        for filter in unsold {
            if !all.contains(filter) {
                all.push(filter.clone());
            }
        }
    }
}
