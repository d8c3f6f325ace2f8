//! Every object of a ruleset and of a catalog file, one part of it a file. Where the format's newest parts are described
//! in words only, the shape is our reading of these.

mod catalogs;
mod combat;
mod common;
mod creatures;
mod effects;
mod fields;
mod items;
mod layers;
mod live;
mod mechanics;
mod migrations;
mod resolution;
mod rests;
mod sheet;
mod shop;

pub use catalogs::CATALOG_FILE;

use super::language::*;
use catalogs::CATALOG;
use combat::{BATTLE, COMBAT};
use layers::LAYER;
use resolution::RESOLUTION;
use rests::{GM, REST};
use sheet::SHEET;
use shop::ITEMS;

pub const NAME: Shape = safe(80);
pub const VERSION: Shape = integer(1..=1_000_000_000);

/// `ruleset.json`. Its first four keys are judged apart, as install judges them.
pub const RULESET: Shape = record!({
    "schemaVersion?": ANY, "id?": ANY, "version?": ANY, "name?": ANY,
    "edition?": safe(160), "license?": record!({ "spdx?": string(0..=64), "attribution?": string(0..=4000) }),
    "coverage": record!({
        "checks?": BOOLEAN, "saves?": BOOLEAN, "sheet?": BOOLEAN, "resources?": BOOLEAN, "rests?": BOOLEAN,
        "combat?": BOOLEAN, "summary": safe(400),
    }),
    "resolution": RESOLUTION, "sheet": SHEET, "rests?": array(&REST, 0..=12), "gm": GM,
    "catalogs?": array(&CATALOG, 0..=12), "items?": ITEMS, "battle?": BATTLE, "combat?": COMBAT,
    "layers?": array(&LAYER, 0..=12),
});
