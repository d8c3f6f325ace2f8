//! Where in a ruleset the texts stand that players see, in the order in which the format describes its keys.
//!
//! What is not here is not shown: ids, the Game Master's guidance (also that of layers), the license, comments.

use super::{Reader, cells};
use serde_json::Value;

/// One or more texts below an object.
pub(super) enum TextPlace {
    /// The text under a key.
    Text(&'static str),
    /// Each text of the list under a key.
    Texts(&'static str),
    /// Places in the object under a key.
    In(&'static str, &'static [TextPlace]),
    /// Places in each object of the list under a key.
    Each(&'static str, &'static [TextPlace]),
    /// Every `label` at any depth below a key whose shape is not known.
    Labels(&'static str),
    /// What cannot be said by keys alone.
    By(for<'a> fn(&mut Reader<'a>, &'a Value)),
}

use TextPlace::{By, Each, In, Labels, Text, Texts};

pub(super) const RULESET: &[TextPlace] = &[
    Text("name"),
    Text("edition"),
    In("coverage", &[Text("summary")]),
    In("resolution", &[Each("proficiencyTiers", LABEL), Each("difficultyLadder", LABEL)]),
    In("sheet", SHEET),
    Each("rests", LABEL),
    Each("catalogs", CATALOG),
    In("items", ITEMS),
    In("combat", COMBAT),
    Each("layers", LAYER),
];

const LABEL: &[TextPlace] = &[Text("label")];

/// A field, a column, an item stat or a live state: its label, and the words it may hold.
const TYPED: &[TextPlace] = &[Text("label"), By(cells::choices)];

const SHEET: &[TextPlace] = &[
    Each("sections", LABEL),
    Each("abilities", &[Text("label"), Text("short")]),
    Each("skills", LABEL),
    Each("saves", LABEL),
    Each("fields", TYPED),
    Each("derived", LABEL),
    Each("lists", &[Text("label"), Each("columns", TYPED)]),
    In("live", LIVE),
];

const LIVE: &[TextPlace] = &[
    Each("pools", LABEL),
    Each("tracks", &[Text("label"), Each("levels", LABEL), Each("kinds", LABEL)]),
    Each("text", LABEL),
    Each("conditions", LABEL),
    Each("states", TYPED),
];

const CATALOG: &[TextPlace] = &[
    Text("label"),
    Each("filters", LABEL),
    In("units", &[In("distance", LABEL)]),
    By(cells::take_filters),
    // Those of a file are read after `ruleset.json`.
    Each("entries", ENTRY),
];

/// A catalog file, or a catalog with its entries in it.
pub(super) const ENTRIES: &[TextPlace] = &[Each("entries", ENTRY)];

const ENTRY: &[TextPlace] = &[
    Text("label"),
    Text("summary"),
    By(cells::filter_words),
    Each("rows", &[By(cells::row)]),
    In("mechanics", USED),
    In("creature", CREATURE),
    In("item", ITEM),
];

/// The damage types of what is used: an entry's mechanics, or an item's use.
const USED: &[TextPlace] = &[Text("damageType"), Each("plus", TYPE), In("rider", TYPE)];

const TYPE: &[TextPlace] = &[Text("type")];

const CREATURE: &[TextPlace] = &[
    // Either the damage type itself or an object with exceptions to it.
    Texts("resist"),
    Each("resist", TYPE),
    Texts("vulnerable"),
    Texts("immune"),
    Each("immune", TYPE),
    Each("traits", &[Text("name"), Text("text")]),
    Each("actions", &[Text("name"), In("damage", &[Text("type"), Each("plus", TYPE)])]),
    Each("riders", &[Text("name"), Text("type")]),
    In("sheet", &[By(cells::creature_fields), By(cells::creature_rows)]),
];

const ITEM: &[TextPlace] = &[
    By(cells::stats),
    In("binds", &[Text("restriction")]),
    In("worn", EFFECT),
    In("carried", EFFECT),
    Each("requires", &[In("otherwise", EFFECT)]),
    In("attack", &[In("damage", TYPE), Each("modes", LABEL)]),
    In("use", USED),
];

const EFFECT: &[TextPlace] = &[Texts("resist"), Texts("vulnerable"), Texts("immune")];

const ITEMS: &[TextPlace] = &[
    Each("categories", LABEL),
    Each("rarities", LABEL),
    Each("tags", LABEL),
    Each("stats", TYPED),
    Each("slots", LABEL),
    In("binding", LABEL),
    Each("currencies", &[Text("label"), Each("units", LABEL)]),
    Each("lootTables", LABEL),
    In("market", MARKET),
];

const MARKET: &[TextPlace] = &[
    Each("prices", LABEL),
    Each("places", LABEL),
    Each("sellers", &[Text("label"), Labels("stock"), In("only", LABEL)]),
];

const COMBAT: &[TextPlace] = &[
    // Its styles have labels; where they stand is not described.
    Labels("initiative"),
    In("economy", &[Each("budgets", LABEL)]),
    In("distance", LABEL),
    Each("checks", LABEL),
    Each("contests", LABEL),
    Texts("damageTypes"),
    In("threat", &[Each("tiers", LABEL)]),
];

const LAYER: &[TextPlace] =
    &[Text("label"), Text("summary"), Each("difficultyLadder", LABEL), In("items", &[Each("lootTables", LABEL)])];
