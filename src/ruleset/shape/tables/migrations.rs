//! `sheet.migrations`: how a stored sheet gets to a newer layout. How long its lists may be is not known
//! (docs/spec/decisions.md#q15); a file's size bounds them.

use super::common::*;
use crate::ruleset::shape::language::*;
use crate::types::codes;

/// What else a step has, by the key that tells its kind, is for the rules of migrations.
const STEP: Shape = record!(
    {
        "rename?": one_of(&["ability", "skill", "save", "field"]), "route?": ID, "routeLive?": one_of(&["pool", "track"]),
        "setColumn?": record!({
            "list": ID, "where": mapping(&array(&SCALAR, 1..=MANY), 1..=MANY), "column": ID, "to": SCALAR,
        }),
        "from?": ID, "to?": ID, "by?": ID, "else?": ID, "default?": SCALAR,
        "cases?": array(&either(&[
            ID, record!({ "words": array(&string(1..=80), 1..=MANY), "to": ID }),
        ]), 1..=MANY),
    },
    Rule::ExactlyOne(&["rename", "route", "routeLive", "setColumn"]),
    Rule::Closed(codes::UNKNOWN_KEY, "here"),
);

pub const MIGRATION: Shape = record!({ "from": integer(1..=1_000_000_000), "steps": array(&STEP, 0..=MANY) }, Rule::Closed(codes::UNKNOWN_KEY, "here"));
