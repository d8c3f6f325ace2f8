//! `layers`: variants that narrow a ruleset. Which comparison hides an entry (L17) is a rule of layers.

use super::common::*;
use super::resolution::LADDER;
use super::shop::{FILTER, LOOT};
use crate::ruleset::shape::language::*;
use crate::types::codes;

const HIDE_RULE: Shape = record!({
    "filter": ID, "above?": DECIMAL, "below?": DECIMAL, "equals?": string(0..=80),
    "notIn?": array(&string(0..=80), 1..=24),
});

pub const LAYER: Shape = record!(
    {
        "id": ID, "label": LABEL, "summary?": safe(300), "conflicts?": array(&ID, 0..=12),
        "gm?": record!({ "guidance?": safe(4000), "worldGuidance?": safe(4000) }),
        "fields?": array(&record!({
            "id": ID, "removeValues": array(&string(1..=80), 1..=40), "default?": string(0..=80),
        }), 0..=24),
        "difficultyLadder?": LADDER,
        "catalogs?": array(&record!({ "id": ID, "hide": HIDE_RULE }), 0..=24),
        "currencies?": record!(
            { "removeUnits?": array(&ID, 1..=60), "removeFamilies?": array(&ID, 1..=6) },
            Rule::AtLeastOne(&["removeUnits", "removeFamilies"]),
        ),
        "items?": record!(
            {
                "market?": record!(
                    { "removeSellers?": array(&ID, 0..=24), "unsold?": array(&FILTER, 0..=48) },
                    Rule::Closed(codes::L21, "in the market of a layer"),
                ),
                "lootTables?": array(&LOOT, 0..=24),
            },
            Rule::Closed(codes::L21, "in the items of a layer"),
        ),
    },
    Rule::Closed(codes::L02, "in a layer, which can only narrow what is there or add text"),
);
