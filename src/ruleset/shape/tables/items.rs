//! An item of a catalog: what it is, does and costs.

use super::common::*;
use super::effects::ITEM_EFFECT;
use super::mechanics::USED;
use crate::ruleset::shape::language::*;
use crate::types::codes;

/// A value of its own, or `{"stat": …}`: that stat of the item.
macro_rules! or_stat {
    ($shape:expr) => {
        either(&[$shape, record!({ "stat": ID })])
    };
}

const TO_HIT: Shape = record!({
    "abilities?": or_stat!(array(&ID, 1..=6)), "skill?": or_stat!(ID), "proficiency?": VALUE,
    "bonus?": or_stat!(integer(-100..=100)), "target?": or_stat!(integer(1..=100)),
});
const FAR: Shape = or_stat!(decimal(0..=10_000));

const ATTACK: Shape = record!({
    "budget": ID, "toHit?": TO_HIT, "reach?": FAR, "range?": record!({ "normal": FAR, "long?": FAR }),
    "damage": record!({
        "dice?": or_stat!(DICE_TEXT), "abilities?": or_stat!(array(&ID, 1..=6)),
        "bonus?": or_stat!(integer(-100..=100)), "type?": or_stat!(safe(40)),
    }),
    "versatile?": record!({ "dice": or_stat!(DICE_TEXT) }), "strikes?": VALUE, "offHand?": YES,
    "ammo?": record!({ "tag": ID, "perAttack?": integer(1..=100), "recover?": decimal(0..=1) }),
    "clip?": record!({ "max": or_stat!(integer(1..=1000)), "reload": ID }),
    "modes?": array(&record!({
        "id": ID, "label": safe(40), "ammo?": integer(1..=100), "toHit?": integer(-20..=20),
        "target?": integer(-10..=10), "targets?": integer(1..=20),
    }), 1..=6),
    "floor?": or_stat!(integer(1..=100)),
    "onHit?": array(&record!({
        "condition": ID, "atLeast": integer(1..=100), "rounds?": integer(1..=100),
    }), 1..=4),
});

const USE: Shape = record!({
    ..USED,
    "kind": one_of(&["attack", "heal", "buff", "debuff"]), "toHit?": TO_HIT,
    "saveDifficulty?": or_stat!(integer(0..=100)), "consumes?": YES, "charges?": integer(1..=100),
    "restore?": record!({ "pool": ID, "amount": AN_AMOUNT }),
    "gate?": record!({
        "check": record!(
            { "skill?": ID, "ability?": ID, "value?": VALUE },
            Rule::ExactlyOne(&["skill", "ability", "value"]),
        ),
        "difficulty": or_stat!(integer(1..=100)),
        "unless?": record!({ "value": VALUE, "atLeast": DECIMAL }),
    }),
});

pub const ITEM: Shape = record!({
    "category": ID, "rarity?": ID, "tags?": distinct(&ID, 0..=16), "stats?": mapping(&SCALAR, 0..=MANY),
    "slots?": mapping(&integer(1..=20), 0..=MANY), "stack?": integer(1..=999_999),
    "cost?": record!({ "amount": integer(0..=1_000_000_000), "unit": ID }), "sold?": record!({ "place": ID }),
    "service?": YES, "binds?": record!({ "restriction?": formed(Form::Catalog, 0..=200), "cursed?": BOOLEAN }),
    "worn?": ITEM_EFFECT, "carried?": ITEM_EFFECT,
    "requires?": array(&record!({ "value": VALUE, "atLeast": DECIMAL, "otherwise": ITEM_EFFECT }), 1..=4),
    "attack?": ATTACK, "use?": USE,
    "charges?": record!({
        "max": or_stat!(integer(1..=100)),
        "recharge?": record!({
            "rests": array(&ID, 1..=12), "amount": either(&[one_of(&["max"]), SOME_AMOUNT]),
        }),
        "breaksOn?": record!(
            { "die": integer(2..=100), "atMost": integer(1..=100) },
            Rule::As(codes::BREAKS_ON, &Rule::NoMoreThan("atMost", "die")),
        ),
    }),
});
