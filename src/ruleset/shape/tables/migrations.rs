//! `sheet.migrations`: how a stored sheet gets to a newer layout. How long its lists may be is not known (open question
//! Q15); a file's size bounds them.

use super::common::*;
use crate::ruleset::shape::language::*;

/// The kind of step shows by its key (ruleset checks, section 12).
const STEP: Shape = Shape::ByPresence(&[
    ("rename", record!({ "rename": one_of(&["ability", "skill", "save", "field"]), "from": ID, "to": ID })),
    (
        "route",
        record!({
            "route": ID, "by": ID,
            "cases": array(&record!({ "words": array(&string(1..=80), 1..=MANY), "to": ID }), 1..=MANY),
            "else": ID, "default?": SCALAR,
        }),
    ),
    (
        "routeLive",
        record!({
            "routeLive": one_of(&["pool", "track"]), "from": ID, "cases": array(&ID, 1..=MANY), "else": ID,
        }),
    ),
    (
        "setColumn",
        record!({
            "setColumn": record!({
                "list": ID, "where": mapping(&array(&SCALAR, 1..=MANY), 1..=MANY), "column": ID, "to": SCALAR,
            }),
        }),
    ),
]);

pub const MIGRATION: Shape = record!({ "from": integer(1..=1_000_000_000), "steps": array(&STEP, 0..=MANY) });
