//! `catalogs`, and the files they may stand in.

use super::common::*;
use super::creatures::CREATURE;
use super::items::ITEM;
use super::mechanics::MECHANICS;
use crate::ruleset::shape::language::*;

const ENTRY: Shape = record!(
    {
        "id": formed(Form::EntryId, 1..=80), "label": safe(120), "summary?": formed(Form::Catalog, 0..=300),
        "filters?": mapping(&either(&[DECIMAL, string(0..=80), array(&string(0..=80), 0..=24)]), 0..=MANY),
        "rows?": array(&record!({
            "list": ID, "values": mapping(&SCALAR, 0..=MANY),
            "scaled?": mapping(&record!({ "from": VALUE, "table?": STEP_TABLE }), 1..=4),
        }), 1..=6),
        "mechanics?": MECHANICS, "creature?": CREATURE, "item?": ITEM,
    },
    // That it is not several, nor what its catalog does not hold, is a rule of catalogs.
    Rule::AtLeastOne(&["rows", "creature", "item"]),
);
const ENTRIES: Shape = array(&ENTRY, 0..=2000);

/// An asset's one right name follows from the id.
pub const CATALOG: Shape = record!(
    {
        "id": ID, "label": LABEL, "holds?": one_of(&["rows", "creatures", "items"]), "feeds?": array(&ID, 1..=8),
        "filters?": array(&record!({
            "id": ID, "label": LABEL, "type": one_of(&["number", "text", "tags"]),
            "startFrom?": record!({ "field": ID }),
        }), 0..=8),
        "units?": record!({
            "distance?": record!({ "label": safe(12), "perCell": above_zero(f64::INFINITY) }),
        }),
        "entries?": ENTRIES, "asset?": string(1..=240),
    },
    Rule::ExactlyOne(&["entries", "asset"]),
);

/// A file `catalogs/<id>.json`.
pub const CATALOG_FILE: Shape = record!({ "schemaVersion": Shape::Numbers(&[1.0]), "catalog": ID, "entries": ENTRIES });
