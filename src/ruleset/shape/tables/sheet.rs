//! `sheet`: what a character is made of.

use super::common::*;
use super::fields::{COLUMN, FIELD, PLACED};
use super::live::LIVE;
use super::migrations::MIGRATION;
use crate::ruleset::shape::language::*;

const UNTRAINED: Shape = either(&[one_of(&["normal", "harder", "refuse"]), record!({ "by": integer(-20..=20) })]);
const SKILL: Shape =
    record!({ "id": ID, "label": LABEL, "ability?": ID, "cap?": VALUE, "section?": ID, "untrained?": UNTRAINED });

const NAMED: Keys = keys!({ "id": ID, "label": LABEL });
const DERIVED: Shape = by_key!("op", { ..NAMED, ..PLACED }, {
    "sum" => { "of": array(&VALUE, 1..=12) };
    "min" => { "of": array(&VALUE, 2..=12) };
    "max" => { "of": array(&VALUE, 2..=12) };
    "stepTable" => { "from": VALUE, "table": STEP_TABLE };
    "scale" => { "of": VALUE, "multiplier": DECIMAL, "round?": ROUND };
    "enumTable" => {
        "from": record!({ "field?": ID, "liveState?": ID }, Rule::ExactlyOne(&["field", "liveState"])),
        "table": mapping(&DECIMAL, 1..=40), "default?": DECIMAL,
    };
});

pub const SHEET: Shape = record!({
    "version": integer_from(1),
    "sections?": array(&record!({ "id": ID, "label": LABEL, "untrained?": UNTRAINED }), 0..=20),
    "abilities?": array(&record!(
        { "id": ID, "label": LABEL, "short?": safe(8), "min": WHOLE, "max": WHOLE, "default": WHOLE, "section?": ID },
        Rule::Range,
    ), 0..=20),
    "skills?": array(&SKILL, 0..=120), "saves?": array(&SKILL, 0..=40),
    "skillTiers?": array(&ID, 1..=12), "saveTiers?": array(&ID, 1..=12),
    "bonusRange?": record!({ "min": integer(-100..=100), "max": integer(-100..=100) }, Rule::Range),
    "fields?": array(&FIELD, 0..=160),
    "derived?": array(&DERIVED, 0..=60),
    "lists?": array(&record!({
        ..PLACED,
        "id": ID, "label": LABEL, "maxItems": integer(1..=500), "columns": array(&COLUMN, 1..=12),
        "pools?": record!({ "nameColumn": ID, "maxColumn": ID, "rechargeColumn?": ID }),
    }), 0..=20),
    "live?": LIVE,
    "migrations?": array(&MIGRATION, 0..=MANY),
});
