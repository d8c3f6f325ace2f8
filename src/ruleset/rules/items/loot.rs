//! Loot tables (docs/spec/checks.md#items).

use crate::ruleset::names::{Names, list_at};
use crate::ruleset::node::Node;
use crate::ruleset::rules::catalogs::entry_ids::EntryIds;
use crate::ruleset::rules::refs;
use crate::ruleset::whole::Whole;
use crate::types::Problems;

pub fn check(ruleset: &Whole<'_>, found: &mut Problems) {
    let entry_ids = EntryIds::of(ruleset);
    for table in list_at(&ruleset.root, &["items", "lootTables"]) {
        check_table(&ruleset.names, &entry_ids, &table, found);
    }
}

/// What a table finds is there to be found. Holds for the ruleset's own tables and for those of its layers.
pub fn check_table<'a>(names: &Names<'a>, entry_ids: &EntryIds<'_>, table: &Node<'a>, found: &mut Problems) {
    for line in table.list("entries") {
        if let Some(item) = line.get("item") {
            entry_ids.resolve(&item, "items", found);
        }
        if let Some(filter) = line.get("filter") {
            check_filter(names, &filter, found);
        }
        refs::one(&names.units, &line, "coins", found);
    }
}

/// The words by which items are picked: of loot, of what a seller sells, of where things are sold.
pub fn check_filter<'a>(names: &Names<'a>, filter: &Node<'a>, found: &mut Problems) {
    refs::one(&names.rarities, filter, "rarity", found);
    refs::one(&names.categories, filter, "category", found);
    refs::one(&names.tags, filter, "tag", found);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::rules::told as findings;
    use serde_json::json;

    #[test]
    fn every_line_of_a_table_finds_something() {
        for (line, expected) in [
            (json!({"item": "wares/rope"}), ""),
            (json!({"filter": {"category": "tool", "rarity": "rare", "tag": "old"}}), ""),
            (json!({"coins": "bead"}), ""),
            (json!({"item": "wares/ropes"}), "unknown-id /items/lootTables/0/entries/0/item"),
            (json!({"item": "knacks/rope"}), "wrong-reference-type /items/lootTables/0/entries/0/item"),
            (json!({"filter": {"category": "old"}}), "unknown-id /items/lootTables/0/entries/0/filter/category"),
            (json!({"filter": {"tag": "tool"}}), "unknown-id /items/lootTables/0/entries/0/filter/tag"),
            (json!({"filter": {"rarity": "tool"}}), "unknown-id /items/lootTables/0/entries/0/filter/rarity"),
            (json!({"coins": "beads"}), "unknown-id /items/lootTables/0/entries/0/coins"),
        ] {
            let ruleset = json!({
                "items": {"categories": [{"id": "tool"}], "rarities": [{"id": "rare"}], "tags": [{"id": "old"}],
                          "currencies": [{"id": "beads", "units": [{"id": "bead"}]}],
                          "lootTables": [{"id": "pockets", "entries": [line]}]},
                "catalogs": [{"id": "wares", "holds": "items", "entries": [{"id": "rope"}]}, {"id": "knacks"}]
            });
            assert_eq!(findings(check, &ruleset).join(" "), expected, "{line}");
        }
    }
}
