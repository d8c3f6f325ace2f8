//! `items`: the words items are described with, coins, loot and the market.

use super::common::*;
use super::fields::STAT;
use crate::ruleset::shape::language::*;

/// Which items are meant; an empty one would mean all.
pub const FILTER: Shape =
    record!({ "rarity?": ID, "category?": ID, "tag?": ID }, Rule::AtLeastOne(&["rarity", "category", "tag"]));
const WORD: Shape = record!({ "id": ID, "label": LABEL });

pub const LOOT: Shape = record!({
    "id": ID, "label": LABEL, "rolls?": either(&[integer(0..=20), DICE_TEXT]),
    "entries": array(&record!(
        {
            "item?": formed(Form::LootItem, 1..=81), "filter?": FILTER, "coins?": ID, "weight?": integer(1..=1000),
            "count?": either(&[integer(1..=999), DICE_TEXT]),
        },
        Rule::ExactlyOne(&["item", "filter", "coins"]),
    ), 1..=48),
});

/// `unsold` and a seller's `stock` came after API 1.66; what `stock` holds is not described.
const MARKET: Shape = record!({
    "prices": array(&record!({ "id": ID, "label": LABEL, "times": above_zero(100.0), "default?": YES }), 1..=8),
    "places": array(&WORD, 1..=12), "sold?": array(&record!({ "filter": FILTER, "place": ID }), 0..=48),
    "sellers?": array(&record!({
        "id": ID, "label": LABEL, "sells": array(&FILTER, 1..=12), "place?": ID, "stock?": ANY,
        "only?": record!({ "value": VALUE, "atLeast": DECIMAL, "label": LABEL }),
    }), 0..=24),
    "unsold?": array(&FILTER, 0..=48),
});

pub const ITEMS: Shape = record!({
    "categories": array(&WORD, 1..=24), "rarities?": array(&WORD, 0..=12), "tags?": array(&WORD, 0..=48),
    "stats?": array(&STAT, 0..=24),
    "slots?": array(&record!({ "id": ID, "label": LABEL, "count": integer(1..=20) }), 0..=12),
    "binding?": record!({ "label": safe(40), "max": VALUE }),
    "carry?": record!({ "stat": ID, "encumberedAbove": VALUE, "limit?": VALUE }),
    "currencies?": array(&record!({
        "id": ID, "label": LABEL, "perWeight?": above_zero(f64::INFINITY),
        "units": array(&record!({ "id": ID, "label": safe(40), "value": integer(1..=1_000_000) }), 1..=10),
    }), 0..=6),
    "rarityCaps?": array(&record!({
        "rarity": ID, "stats?": mapping(&DECIMAL, 0..=MANY), "bonus?": integer(0..=100),
    }), 0..=12),
    "propose?": BOOLEAN, "native?": BOOLEAN, "freeform?": one_of(&["plain", "refuse"]),
    "lootTables?": array(&LOOT, 0..=24), "market?": MARKET,
});
