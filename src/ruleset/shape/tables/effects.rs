//! What a condition, a wound level or a worn item does to its bearer.

use super::common::*;
use crate::ruleset::shape::language::*;

pub const EFFECT_WORD: Shape = one_of(&[
    "own-attacks-advantage",
    "own-attacks-disadvantage",
    "attacks-against-advantage",
    "attacks-against-disadvantage",
    "attacks-against-adjacent-advantage",
    "attacks-against-far-disadvantage",
    "attacks-from-adjacent-critical",
    "cannot-act",
    "cannot-react",
    "speed-zero",
    "half-move-to-stand",
    "ends-on-damage",
    "own-saves-advantage",
    "own-saves-disadvantage",
    "own-checks-advantage",
    "own-checks-disadvantage",
    "resist-all",
    "cannot-target-source",
    "cannot-approach-source",
]);

const MODIFIER: Shape = record!({
    "to": one_of(&["defense", "attacks", "saves", "checks", "speed"]), "flat?": integer(-100..=100),
    "dice?": DICE_TEXT, "minus?": YES, "times?": Shape::Numbers(&[0.5, 2.0]), "skills?": array(&ID, 1..=24),
    "saves?": array(&ID, 1..=12), "mode?": one_of(&["advantage", "disadvantage"]),
});

pub const EFFECTS: Keys = keys!({
    "effects?": array(&EFFECT_WORD, 0..=12), "modifiers?": array(&MODIFIER, 1..=6), "failsSaves?": array(&ID, 1..=12),
    "saves?": array(&ID, 1..=12), "skills?": array(&ID, 1..=24),
});

/// Of a worn or carried item.
pub const ITEM_EFFECT: Shape = record!({
    ..EFFECTS,
    "abilities?": mapping(&having(
        "set",
        &record!({ "set": integer(-1_000_000..=1_000_000) }),
        &record!({ "add": integer(-100..=100) }),
    ), 0..=MANY),
    "resist?": array(&safe(40), 1..=30), "vulnerable?": array(&safe(40), 1..=30), "immune?": array(&safe(40), 1..=30),
    "conditionImmunities?": array(&ID, 1..=40),
});
