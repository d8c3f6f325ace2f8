//! `resolution`: how a check is made.

use super::common::*;
use crate::ruleset::shape::language::*;

const LADDER_OF_SUMS: Shape = array(&record!({ "label": LABEL, "dc": integer(-100..=1000) }), 1..=12);
const LADDER_OF_POOLS: Shape =
    array(&record!({ "label": LABEL, "successes": integer(1..=100), "target?": integer(2..=100) }), 1..=12);
/// A ladder that stands outside of `resolution`.
pub const LADDER: Shape = Shape::ByResolution(&[("dice-sum", LADDER_OF_SUMS), ("dice-pool", LADDER_OF_POOLS)]);

const NATURALS: Shape = one_of(&["none", "both", "max-only", "min-only"]);
const FACE: Shape = integer(2..=100);
const FACE_RULE: Shape = record!({ "from?": FACE, "min?": FACE }, Rule::AtLeastOne(&["from", "min"]));

const SHARED: Keys = keys!({
    "abilityModifier": by_key!("op", {}, {
        "identity" => {};
        "floorHalfMinusTen" => {};
        "stepTable" => { "table": STEP_TABLE };
    }),
    "proficiency?": record!({ "bonus": VALUE }),
    "proficiencyTiers": array(&record!({
        "id": ID, "label": LABEL, "multiplier?": decimal(0..=10), "round?": ROUND, "flat?": integer(-50..=50),
    }), 1..=12),
    "penaltyFrom?": ID,
    "spend?": array(&record!({
        "pool": ID, "amount": integer(1..=100), "successes?": integer(1..=10), "dice?": integer(1..=10),
        "reroll?": record!({ ..REROLL, }), "perCheck": either(&[integer(1..=10), VALUE, one_of(&["pool"])]),
    }), 0..=4),
    "adjust?": array(&record!({ "value": VALUE, "abilities?": array(&ID, 1..=12) }), 0..=8),
});

pub const RESOLUTION: Shape = by_key!("kind", { ..SHARED }, {
    "dice-sum" => {
        "dice?": THROW, "advantage?": BOOLEAN, "difficultyLadder": LADDER_OF_SUMS,
        "naturals?": record!({ "check?": NATURALS, "save?": NATURALS }),
    };
    "dice-pool" => {
        "die?": record!({ "sides": FACE }),
        "target": record!({ "default": FACE, "min": FACE, "max": FACE }, Rule::Range),
        "pool?": record!(
            { "min": integer(0..=100), "max": integer(1..=100), "abilityPlusAbility?": BOOLEAN },
            Rule::Range,
        ),
        "double?": FACE_RULE, "explode?": FACE_RULE, "cancel?": record!({ "upTo": integer(1..=99) }),
        "botch?": record!({ "upTo": integer(1..=99), "rule?": one_of(&["noSuccesses", "halfOrMore"]) }),
        "exceptional?": record!({ "successes": integer(1..=100) }),
        "reroll?": array(&record!({ ..REROLL, "id": ID }), 1..=6),
        "situationalDice?": record!({ "min": integer(-20..=0), "max": integer(0..=20) }),
        "difficultyLadder": LADDER_OF_POOLS,
    };
});
