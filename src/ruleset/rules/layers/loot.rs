use crate::json::excerpt;
use crate::ruleset::node::Node;
use crate::ruleset::whole::Whole;
use crate::types::Problem;

/// L24: a table that a layer puts in is held to what the ruleset's own are held to.
pub(super) fn check(whole: &Whole<'_>, table: &Node<'_>, found: &mut Vec<Problem>) {
    let mut refused = Vec::new();
    check_table(whole, table, &mut refused);
    found.extend(refused.into_iter().map(|problem| Problem { code: "L24".to_owned(), ..problem }));
}

/// What the lines of a table name is there: items of a catalog that holds items, words of a filter, coins (ruleset
/// checks, section 8).
fn check_table(whole: &Whole<'_>, table: &Node<'_>, found: &mut Vec<Problem>) {
    let names = &whole.names;
    for line in table.list("entries") {
        if let Some(item) = line.get("item") {
            named_item(whole, &item, found);
        }
        if let Some(coins) = line.get("coins") {
            names.units.resolve(&coins, found);
        }
        let Some(filter) = line.get("filter") else { continue };
        for (key, ids) in [("rarity", &names.rarities), ("category", &names.categories), ("tag", &names.tags)] {
            if let Some(word) = filter.get(key) {
                ids.resolve(&word, found);
            }
        }
    }
}

fn named_item(whole: &Whole<'_>, item: &Node<'_>, found: &mut Vec<Problem>) {
    let Some((catalog, entry)) = item.text().and_then(|text| text.split_once('/')) else { return };
    let holds_items = whole.catalogs.iter().filter(|catalog| catalog.holds() == "items");
    match holds_items.into_iter().find(|known| known.header.text_of("id") == Some(catalog)) {
        None => found.push(item.error("loot", format!("there is no catalog of items `{}`", excerpt(catalog)))),
        Some(known) if !known.entries.iter().any(|known| known.text_of("id") == Some(entry)) => {
            let message = format!("the catalog `{}` has no item `{}`", excerpt(catalog), excerpt(entry));
            found.push(item.error("loot", message));
        }
        Some(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::told;
    use serde_json::{Value, json};

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
