//! Creatures.

use super::common::*;
use super::mechanics::{APPLIES, AREA_SHAPE, PLUS, REACTION, RIDER, SUCCESS};
use crate::ruleset::shape::language::*;
use crate::types::codes;

const DISTANCE: Shape = decimal(0..=10_000);

const ACTION: Shape = record!(
{
    "id": ID, "name": safe(80), "budget": ID, "toHit?": integer(-50..=100), "autoHit?": BOOLEAN,
    "damage?": record!(
        { "dice?": DICE_TEXT, "flat?": integer(-1000..=10_000), "type?": safe(40), "plus?": PLUS },
        NOT_EMPTY,
    ),
    "save?": record!({ "save": ID, "difficulty": integer(0..=1000), "onSuccess": SUCCESS }),
    "saveDifficulty?": integer(0..=1000), "applies?": APPLIES, "targetCount?": integer(1..=20), "reach?": DISTANCE,
    "range?": either(&[DISTANCE, record!({ "normal": DISTANCE, "long?": DISTANCE }, Rule::NotBelow("normal", "long"))]),
    "area?": record!({ ..AREA_SHAPE, "size": above_zero(10_000.0), "friendlyFire?": BOOLEAN }),
    "uses?": record!({ "per": one_of(&["encounter", "day"]), "count": integer(1..=20) }),
    "recharge?": record!({ "dice": THROW, "from": integer(1..=1000) }),
    "sequence?": array(&record!({ "action": ID, "times?": integer(1..=10) }), 1..=6),
    "signature?": record!({ "cost": integer(1..=20) }), "reaction?": REACTION, "self?": YES,
},
    Rule::As(codes::SEQUENCE, &Rule::Excludes("sequence", &[
        "toHit", "autoHit", "damage", "save", "saveDifficulty", "applies", "targetCount", "area", "reaction", "self",
    ])),
    Rule::As(codes::SELF_ACTION, &Rule::Excludes("self", &["targetCount", "area"])),
    Rule::As(codes::REACTION_SIGNATURE, &Rule::Excludes("reaction", &["signature"])),
    Rule::As(codes::SAVE_TWICE, &Rule::Excludes("save", &["saveDifficulty"])),
);

const WARDED: Shape = either(&[safe(40), record!({ "type": safe(40), "except": array(&ID, 1..=8) })]);

pub const CREATURE: Shape = record!({
    "health?": either(&[
        integer(1..=100_000), record!({ "dice": DICE_TEXT, "flat?": integer(-1000..=100_000) }),
    ]),
    "defense?": integer(0..=1000), "speed?": DISTANCE, "initiativeModifier?": integer(-50..=100),
    "abilities?": mapping(&integer(-1000..=1000), 0..=MANY), "saves?": mapping(&integer(-50..=50), 0..=MANY),
    "checks?": mapping(&integer(-100..=100), 0..=MANY),
    "soak?": record!({ "all?": integer(0..=100), "byKind?": mapping(&integer(0..=100), 0..=MANY) }),
    "hardness?": integer(0..=100),
    "resist?": array(&WARDED, 0..=30), "vulnerable?": array(&safe(40), 0..=30), "immune?": array(&WARDED, 0..=30),
    "conditionImmunities?": array(&ID, 0..=40), "tier": ID, "loot?": ID, "signaturePoints?": integer(1..=20),
    "traits?": array(&record!({ "name": safe(60), "text": safe(400) }), 0..=8), "actions?": array(&ACTION, 0..=12),
    "riders?": array(&record!({ ..RIDER, "id": ID, "name": safe(80), "actions?": array(&ID, 1..=12) }), 1..=4),
    "sheet?": record!({
        "abilities?": mapping(&WHOLE, 0..=MANY), "skills?": mapping(&string(1..=40), 0..=MANY),
        "saves?": mapping(&string(1..=40), 0..=MANY), "bonuses?": mapping(&WHOLE, 0..=MANY),
        "fields?": mapping(&SCALAR, 0..=MANY),
        "lists?": mapping(&array(&mapping(&SCALAR, 0..=MANY), 0..=500), 0..=MANY),
    }),
});
