//! What has a type: the fields of a sheet, the columns of a list, the stats of items.

use super::common::*;
use crate::ruleset::shape::language::*;

const NUMBER: Case =
    case("number", keys!({ "min": DECIMAL, "max": DECIMAL, "default?": DECIMAL, "integer?": BOOLEAN }), &[Rule::Range]);
const TEXT: Case =
    case("text", keys!({ "maxLength": integer(1..=500), "default?": string(0..=500) }), &[Rule::DefaultFits]);
const LONGTEXT: Case =
    case("longtext", keys!({ "maxLength": integer(1..=4000), "default?": string(0..=4000) }), &[Rule::DefaultFits]);
const FLAG: Case = case("boolean", keys!({ "default?": BOOLEAN }), &[]);
const ENUM: Case = case(
    "enum",
    keys!({
        "values": distinct(&string(1..=80), 1..=40), "valueLabels?": mapping(&LABEL, 0..=MANY),
        "default?": string(0..=80),
    }),
    &[Rule::DefaultAmongValues],
);
const DICE: Case = case("dice", keys!({ "default?": string(0..=40), "example?": string(0..=40) }), &[]);

const fn case(word: &'static str, keys: Keys, rules: &'static [Rule]) -> Case {
    Case { word, keys, rules }
}

const NAMED: Keys = keys!({ "id": ID, "label": LABEL });

/// Where on the sheet something stands, and when it does not.
pub const PLACED: Keys = keys!({ "section?": ID, "hideWhen?": HIDE });

const TYPES: &[Case] = &[NUMBER, TEXT, LONGTEXT, FLAG, ENUM, DICE];
pub const FIELD: Shape = Shape::ByKey { key: "type", shared: &[NAMED, PLACED], cases: TYPES };
pub const COLUMN: Shape = Shape::ByKey { key: "type", shared: &[NAMED, keys!({ "required?": BOOLEAN })], cases: TYPES };
pub const STAT: Shape = Shape::ByKey {
    key: "type",
    shared: &[NAMED, keys!({ "promptVisible?": BOOLEAN })],
    cases: &[NUMBER, TEXT, FLAG, ENUM, DICE],
};
