use crate::ruleset::node::Node;
use crate::ruleset::rules::catalogs::entry_ids::EntryIds;
use crate::ruleset::rules::items::loot::check_table;
use crate::ruleset::whole::Whole;
use crate::types::Problem;

/// L24: a table that a layer puts in is held to what the ruleset's own are held to.
pub(super) fn check<'a>(whole: &Whole<'a>, entry_ids: &EntryIds<'_>, table: &Node<'a>, found: &mut Vec<Problem>) {
    let mut refused = Vec::new();
    check_table(&whole.names, entry_ids, table, &mut refused);
    found.extend(refused.into_iter().map(|problem| Problem { code: "L24".to_owned(), ..problem }));
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
