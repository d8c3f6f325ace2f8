//! What a condition, a wound level or a worn item does to its bearer.

use super::common::*;
use crate::ruleset::shape::language::*;
use crate::types::codes;

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
},
    Rule::As(codes::MODIFIER_CHANGES_NOTHING, &Rule::AtLeastOne(&["flat", "dice", "times", "mode"])),
    Rule::As(codes::MODIFIER_ZERO, &Rule::NotZero("flat")),
    Rule::As(codes::MODIFIER_NAMES, &Rule::OnlyWith("skills", "to", &["checks"])),
    Rule::As(codes::MODIFIER_NAMES, &Rule::OnlyWith("saves", "to", &["saves"])),
    Rule::As(codes::MODIFIER_MODE, &Rule::OnlyWith("mode", "to", &["checks", "saves"])),
    Rule::As(codes::MODIFIER_DICE, &Rule::OnlyWith("dice", "to", &["attacks", "saves", "checks"])),
    Rule::As(codes::MODIFIER_MINUS, &Rule::OnlyBeside("minus", "dice")),
    Rule::As(codes::MODIFIER_TIMES, &Rule::OnlyWith("times", "to", &["speed"])),
);

/// Of conditions and levels.
pub const EFFECTS: Keys = keys!({ "effects?": array(&EFFECT_WORD, 0..=12) });

pub const CHANGES: Keys = keys!({
    "modifiers?": array(&MODIFIER, 1..=6), "failsSaves?": array(&ID, 1..=12),
    "saves?": array(&ID, 1..=12), "skills?": array(&ID, 1..=24),
});

/// Of a worn or carried item.
pub const ITEM_EFFECT: Shape = record!({
    ..CHANGES,
    "effects?": array(&EFFECT_WORD, 1..=6),
    "abilities?": mapping(&record!(
        { "set?": WHOLE, "add?": integer(-100..=100) },
        Rule::ExactlyOne(&["set", "add"]),
        Rule::As(codes::ABILITY_CHANGE, &Rule::NotZero("add")),
    ), 0..=12),
    "resist?": array(&safe(40), 1..=30), "vulnerable?": array(&safe(40), 1..=30), "immune?": array(&safe(40), 1..=30),
    "conditionImmunities?": array(&ID, 1..=40),
}, Rule::As(codes::ITEM_EFFECT_SAYS_NOTHING, &Rule::SaysSomething(&[
    "effects", "modifiers", "failsSaves", "resist", "vulnerable", "immune", "conditionImmunities", "abilities",
])));
