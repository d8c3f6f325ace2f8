//! What stands in many places: ids, labels, readings of the sheet, dice.

use crate::ruleset::shape::language::*;
use crate::types::codes;

pub const ID: Shape = formed(Form::SheetId, 1..=40);
pub const LABEL: Shape = safe(80);
pub const SCALAR: Shape = either(&[DECIMAL, BOOLEAN, string(0..=4000)]);
pub const DICE_TEXT: Shape = formed(Form::Dice, 1..=40);
pub const ROUND: Shape = one_of(&["down", "up", "nearest"]);

/// A reading of the sheet: `{"abilityMod": "grit"}`.
pub const VALUE: Shape = record!(
    {
        "const?": DECIMAL, "field?": ID, "derived?": ID, "abilityScore?": ID, "abilityMod?": ID,
        "abilityModFromField?": ID, "skillMod?": ID, "saveMod?": ID, "liveTrack?": ID,
        "read?": one_of(&["value", "filled", "remaining", "penalty"]), "livePool?": ID,
        "listSum?": record!({ "list": ID, "column": ID, "onlyWhen?": ID }),
        "itemStat?": record!({
            "stat?": ID, "from": one_of(&["worn", "carried", "all"]), "pick": one_of(&["sum", "max", "min", "count"]),
            "slot?": ID, "category?": ID, "tag?": ID, "default?": DECIMAL,
        }),
    },
    Rule::ExactlyOne(&[
        "const", "field", "derived", "abilityScore", "abilityMod", "abilityModFromField", "skillMod", "saveMod",
        "liveTrack", "livePool", "listSum", "itemStat",
    ]),
    Rule::OnlyBeside("read", "liveTrack"),
);

const COMPARED: Shape = either(&[string(0..=80), DECIMAL, BOOLEAN]);

/// When something is not on the sheet: `{"field": "calling", "equals": "Sailor"}`.
pub const HIDE: Shape = record!(
    { "field": ID, "equals?": COMPARED, "notEquals?": COMPARED, "in?": array(&COMPARED, 1..=24) },
    Rule::ExactlyOne(&["equals", "notEquals", "in"]),
);

/// An amount, thrown or fixed or both.
pub const AMOUNT: Keys = keys!({ "dice?": DICE_TEXT, "flat?": WHOLE });
pub const AN_AMOUNT: Shape = record!({ ..AMOUNT, });
/// One that may not be nothing at all.
pub const SOME_AMOUNT: Shape = record!({ ..AMOUNT, }, NOT_EMPTY);
pub const NOT_EMPTY: Rule = Rule::As(codes::EMPTY_AMOUNT, &Rule::AtLeastOne(&["dice", "flat"]));

/// Dice that are not written as text.
pub const THROW: Shape = record!({ "count": integer(1..=10), "sides": integer(2..=1000) });

pub const REROLL: Keys = keys!({ "upTo": integer(1..=99), "mode": one_of(&["once", "until"]) });
