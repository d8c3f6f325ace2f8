//! `rests` and `gm`: what a rest gives back, and what the Game Master is told.

use super::common::*;
use crate::ruleset::shape::language::*;

const RESTORE: Shape = record!(
    {
        "pool?": ID, "poolGroup?": ID, "listPools?": ID, "track?": ID, "state?": ID, "kind?": ID,
        "recharge?": array(&string(1..=80), 1..=12),
        "to?": either(&[WHOLE, string(1..=80)]),
        "by?": having(
            "const",
            &record!({ "const": WHOLE }),
            &record!({ "fractionOfMax": above_zero(1.0), "round?": ROUND, "min?": integer_from(0) }),
        ),
    },
    Rule::ExactlyOne(&["pool", "poolGroup", "listPools", "track", "state"]),
    Rule::ExactlyOne(&["to", "by"]),
);

pub const REST: Shape = record!({
    "id": ID, "label": LABEL,
    "restore?": array(&RESTORE, 0..=40),
    "clear?": record!({
        "text?": array(&ID, 0..=12), "conditions?": either(&[one_of(&["all"]), array(&ID, 0..=80)]),
    }),
});

pub const GM: Shape = record!({
    "checkGuidance": safe(1500), "sheetGuidance?": safe(1500), "worldGuidance?": safe(1500),
    "sheetSummary?": record!({
        "fields?": array(&ID, 0..=24), "derived?": array(&ID, 0..=24),
        "lists?": array(&record!({
            "list": ID, "nameColumn": ID, "columns?": array(&ID, 1..=3), "groupBy?": ID, "onlyWhen?": ID,
        }), 0..=8),
    }),
});
