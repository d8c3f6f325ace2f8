use crate::json::excerpt;
use crate::ruleset::node::Node;
use crate::ruleset::rules::catalogs::entry_ids::EntryIds;
use crate::ruleset::rules::held_to::held_to;
use crate::ruleset::rules::items::loot::{check_filter, check_table};
use crate::ruleset::rules::repeats::repeated_texts;
use crate::ruleset::whole::Whole;
use crate::types::{Problems, codes};

/// L22 to L25: where things are sold and what drops.
pub(super) fn check(whole: &Whole<'_>, layer: &Node<'_>, found: &mut Problems) {
    let Some(items) = layer.get("items") else { return };
    if let Some(market) = items.get("market") {
        sellers(whole, &market, found);
        unsold(whole, &market, found);
    }
    loot_tables(whole, &items, found);
}

/// L22 and L25.
fn sellers(whole: &Whole<'_>, market: &Node<'_>, found: &mut Problems) {
    let Some(removed) = market.get("removeSellers") else { return };
    for seller in removed.items() {
        whole.names.sellers.resolve_as(codes::L22, &seller, found);
    }
    let sellers = &whole.names.sellers;
    let is_removed = |id: &str| removed.items().any(|seller| seller.text() == Some(id));
    if !sellers.is_empty() && sellers.iter().all(|(id, _)| is_removed(id)) {
        let message = "every seller is removed, so the game ignores the removal: without sellers, anybody could sell \
                       everything";
        found.push(removed.problem(codes::L25, message));
    }
}

/// L23. That a filter says anything at all is a matter of its shape.
fn unsold(whole: &Whole<'_>, market: &Node<'_>, found: &mut Problems) {
    for filter in market.list("unsold") {
        held_to(codes::L23, found, |found| check_filter(&whole.names, &filter, found));
    }
}

/// L24.
fn loot_tables(whole: &Whole<'_>, items: &Node<'_>, found: &mut Problems) {
    let ids = || items.list("lootTables").filter_map(|table| table.get("id"));
    for (again, first) in repeated_texts(ids()) {
        let id = excerpt(again.text().unwrap_or_default());
        found.push(
            again.problem(codes::L24, format!("`{id}` is replaced twice by this layer, first at {}", first.at())),
        );
    }
    for id in ids() {
        whole.names.loot_tables.resolve_as(codes::L24, &id, found);
    }
    let Some(tables) = items.get("lootTables") else { return };
    let entry_ids = EntryIds::of(whole);
    for table in tables.items() {
        held_to(codes::L24, found, |found| check_table(&whole.names, &entry_ids, &table, found));
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

    #[test]
    fn l24_a_table_is_held_to_what_the_rulesets_own_are_held_to() {
        let of = |line: Value| {
            told(&json!({
                "catalogs": [{"id": "wares", "holds": "items", "entries": [{"id": "knife"}]}, {"id": "knacks"}],
                "items": {
                    "tags": [{"id": "fuel"}],
                    "currencies": [{"id": "coins", "units": [{"id": "penny", "value": 1}]}],
                    "lootTables": [{"id": "pockets"}],
                },
                "layers": [{"id": "a", "items": {"lootTables": [{"id": "pockets", "entries": [line]}]}}],
            }))
        };
        for right in [json!({"item": "wares/knife"}), json!({"coins": "penny"}), json!({"filter": {"tag": "fuel"}})] {
            assert_eq!(of(right.clone()), [""; 0], "{right}");
        }
        for (wrong, place) in [
            (json!({"item": "wares/spoon"}), "item"),
            (json!({"item": "knacks/knife"}), "item"),
            (json!({"coins": "coins"}), "coins"),
            (json!({"filter": {"tag": "oil"}}), "filter/tag"),
        ] {
            assert_eq!(of(wrong.clone()), [format!("L24 /layers/0/items/lootTables/0/entries/0/{place}")], "{wrong}");
        }
    }
}
