//! What an entry does on a turn: the mechanics of a row, and what actions and items share with them.

use super::common::*;
use crate::ruleset::shape::language::*;
use crate::types::codes;

pub const STANDARD: Shape = one_of(&["dash", "disengage", "dodge", "help", "hide", "ready"]);

const CLAUSE_SAVE: Shape =
    record!({ "save": ID, "difficulty?": integer(0..=1000), "onSuccess": one_of(&["none", "half"]) });
pub const PLUS: Shape = array(
    &record!({
        "dice?": DICE_TEXT, "flat?": integer(-1000..=10_000), "type?": safe(40), "save?": CLAUSE_SAVE,
    }, NOT_EMPTY),
    0..=3,
);
pub const AREA_SHAPE: Keys = keys!({ "shape": one_of(&["burst", "cone", "line"]) });
pub const APPLIES: Shape = array(
    &record!({
        "condition": ID,
        "duration": either(&[
            one_of(&["instant", "until-save"]),
            record!({ "rounds": integer(1..=1000), "at?": one_of(&["turn-start"]) }),
        ]),
        "saveEnds?": record!({ "save": ID, "at": one_of(&["turn-end", "turn-start"]) }),
        "endsAfter?": one_of(&["own-attack", "attacked", "own-save"]),
    }, Rule::As(codes::UNTIL_SAVE, &Rule::NeededBy("saveEnds", "duration", "until-save"))),
    0..=4,
);
pub const REACTION: Shape = record!({
    "on": one_of(&["aimed", "hit", "harmed", "used"]), "at?": one_of(&["source", "chosen"]), "cancels?": YES,
    "against?": record!({ "catalogs": array(&ID, 1..=12) }),
});
pub const RIDER: Keys = keys!({
    "on": one_of(&["hit"]), "when?": array(&one_of(&["advantage", "ally-adjacent"]), 1..=2),
    "oncePer": one_of(&["turn", "round"]), "amount": SOME_AMOUNT, "type?": safe(40),
});
pub const SUCCESS: Shape = one_of(&["none", "half", "negates"]);

/// What is used, whether it is a row's or an item's.
pub const USED: Keys = keys!({
    "range?": decimal_from(0), "area?": record!({ ..AREA_SHAPE, "size": above_zero(f64::INFINITY) }), "targets?": one_of(&["self", "ally", "enemy", "any"]),
    "friendlyFire?": BOOLEAN, "amount?": AN_AMOUNT, "damageType?": safe(40), "plus?": PLUS, "attackRoll?": BOOLEAN,
    "save?": record!({ "save": ID, "onSuccess": SUCCESS }), "targetCount?": integer(1..=20), "autoHit?": BOOLEAN,
    "applies?": APPLIES, "temporary?": AN_AMOUNT, "budget?": ID, "free?": YES,
});

pub const MECHANICS: Shape = record!({
    ..USED,
    "kind": one_of(&["attack", "heal", "buff", "debuff", "utility", "rider"]),
    "cost?": array(&record!({ "pool": ID, "amount": integer_from(1) }), 0..=4), "perCostStep?": AN_AMOUNT,
    "check?": record!({
        "reroll?": record!({ ..REROLL, }), "dice?": integer(1..=10), "successes?": integer(1..=10),
        "threshold?": integer(2..=1000), "explode?": integer(2..=1000), "double?": integer(2..=1000),
    }, Rule::As(codes::CHECK_CHANGE, &Rule::AtLeastOne(&["reroll", "dice", "successes", "threshold", "explode", "double"]))),
    "concentration?": BOOLEAN, "reaction?": either(&[BOOLEAN, REACTION]),
    "scales?": record!({ "from": VALUE, "table": STEP_TABLE }),
    "gives?": array(&record!({ "budget": ID, "count": integer(1..=10) }), 1..=4),
    "standard?": record!({ "actions": array(&STANDARD, 1..=6), "budget": ID }),
    "rider?": record!({ ..RIDER, "sources?": array(&ID, 1..=8), "requires?": record!({ "column": ID }) }),
});
