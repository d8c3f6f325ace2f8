use super::{loot, strangers};
use crate::json::excerpt;
use crate::ruleset::node::Node;
use crate::ruleset::rules::catalogs::entry_ids::EntryIds;
use crate::ruleset::rules::repeats::repeats;
use crate::ruleset::whole::Whole;
use crate::types::Problem;

/// L21 to L25: where things are sold and what drops.
pub(super) fn check<'a>(whole: &Whole<'a>, layer: &Node<'a>, found: &mut Vec<Problem>) {
    let Some(items) = layer.get("items") else { return };
    let market = items.get("market");
    let closed: [(_, &[&str]); 2] =
        [(Some(&items), &["market", "lootTables"]), (market.as_ref(), &["removeSellers", "unsold"])];
    for (object, known) in closed {
        for stranger in object.into_iter().flat_map(|object| strangers(object, known)) {
            let message = format!("a layer has no say in `{}` of the items", stranger.name);
            found.push(stranger.told("L21", message));
        }
    }
    if let Some(market) = market {
        sellers(whole, &market, found);
        unsold(whole, &market, found);
    }
    loot_tables(whole, &items, found);
}

/// L22 and L25.
fn sellers(whole: &Whole<'_>, market: &Node<'_>, found: &mut Vec<Problem>) {
    let Some(removed) = market.get("removeSellers") else { return };
    for seller in removed.items() {
        whole.names.sellers.resolve_as("L22", &seller, found);
    }
    let sellers = &whole.names.sellers;
    let is_removed = |id: &str| removed.items().any(|seller| seller.text() == Some(id));
    if !sellers.is_empty() && sellers.iter().all(|(id, _)| is_removed(id)) {
        let message = "every seller is removed, and a market without sellers lets anybody sell everything: the game \
                       does not make this removal";
        found.push(removed.warning("L25", message).hint("Leave at least one seller."));
    }
}

/// L23. That a filter says anything at all is a matter of its shape.
fn unsold(whole: &Whole<'_>, market: &Node<'_>, found: &mut Vec<Problem>) {
    let words = [("rarity", &whole.names.rarities), ("category", &whole.names.categories), ("tag", &whole.names.tags)];
    for filter in market.list("unsold") {
        for (key, ids) in words {
            if let Some(word) = filter.get(key) {
                ids.resolve_as("L23", &word, found);
            }
        }
    }
}

/// L24.
fn loot_tables<'a>(whole: &Whole<'a>, items: &Node<'a>, found: &mut Vec<Problem>) {
    let ids = || items.list("lootTables").filter_map(|table| table.get("id"));
    for (again, first) in repeats(ids().filter_map(|id| Some((id.text()?, id)))) {
        let id = excerpt(again.text().unwrap_or_default());
        found.push(again.error("L24", format!("`{id}` is replaced twice by this layer, first at {}", first.at())));
    }
    for id in ids() {
        whole.names.loot_tables.resolve_as("L24", &id, found);
    }
    let entry_ids = EntryIds::of(whole);
    for table in items.list("lootTables") {
        loot::check(whole, &entry_ids, &table, found);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::told;
    use serde_json::{Value, json};

    fn changed(items: Value) -> Vec<String> {
        told(&json!({
            "items": {
                "categories": [{"id": "weapon"}],
                "tags": [{"id": "fuel"}],
                "rarities": [{"id": "rare"}],
                "market": {"sellers": [{"id": "peddler"}, {"id": "armorer"}]},
                "lootTables": [{"id": "pockets"}, {"id": "wreck"}],
            },
            "layers": [{"id": "a", "items": items}],
        }))
    }

    #[test]
    fn a_layer_changes_where_things_are_sold_and_what_drops() {
        let right = json!({
            "$comment": "x",
            "market": {"removeSellers": ["armorer"], "unsold": [{"tag": "fuel", "rarity": "rare"}, {"category": "weapon"}]},
            "lootTables": [{"id": "pockets"}, {"id": "wreck"}],
        });
        assert_eq!(changed(right), [""; 0]);
    }

    #[test]
    fn each_fault_is_told_once_where_it_stands() {
        for (items, wanted) in [
            (json!({"currencies": []}), "L21 /currencies"),
            (json!({"market": {"sellers": []}}), "L21 /market/sellers"),
            (json!({"market": {"removeSellers": ["pedlar"]}}), "L22 /market/removeSellers/0"),
            (json!({"market": {"unsold": [{"tag": "weapon"}]}}), "L23 /market/unsold/0/tag"),
            (json!({"market": {"unsold": [{"rarity": "fuel"}]}}), "L23 /market/unsold/0/rarity"),
            (json!({"market": {"unsold": [{"category": "rare"}]}}), "L23 /market/unsold/0/category"),
            (json!({"lootTables": [{"id": "purse"}]}), "L24 /lootTables/0/id"),
            (json!({"lootTables": [{"id": "wreck"}, {"id": "wreck"}]}), "L24 /lootTables/1/id"),
            (json!({"market": {"removeSellers": ["peddler", "armorer"]}}), "L25 /market/removeSellers"),
        ] {
            let (code, place) = wanted.split_once(' ').unwrap();
            assert_eq!(changed(items.clone()), [format!("{code} /layers/0/items{place}")], "{items}");
        }
    }

    #[test]
    fn l22_a_ruleset_without_a_market_has_no_seller_to_remove() {
        let told = told(&json!({"layers": [{"id": "a", "items": {"market": {"removeSellers": ["peddler"]}}}]}));
        assert_eq!(told, ["L22 /layers/0/items/market/removeSellers/0"]);
    }
}
