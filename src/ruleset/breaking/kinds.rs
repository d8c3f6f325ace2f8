//! What stored sheets, and games, know by an id of the ruleset, as a table.

use super::holds::{self, Holds};
use crate::ruleset::migrating::{Live, Part};
use crate::ruleset::node::Node;

/// A kind of thing that has an id, and is lost to whoever uses it when the id goes.
#[derive(Debug)]
pub struct Kind {
    /// What one of them is called.
    pub word: &'static str,
    /// Where the list of them is: a path of keys from the root, or from what they are within.
    pub at: &'static [&'static str],
    pub read: Read,
    /// What can be stored for one.
    pub holds: for<'a> fn(&Node<'a>) -> Holds<'a>,
    /// The step of a migration that takes along what is stored for one that goes.
    pub by: Option<By>,
    /// Whether they are part of the layout that `sheet.version` counts.
    pub is_layout: bool,
    /// What goes with one.
    pub loss: &'static str,
    /// What has ids of its own within one.
    pub within: &'static [Kind],
}

/// How the ids of a list are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {
    /// Each item is an object with an `id`.
    Ids,
    /// Each item is a text, which is its id.
    Words,
    /// The same, and where there is no such list, all tiers of the ruleset.
    Tiers,
    /// The entries of a catalog, inline or in its file. Creatures are on no sheet.
    Entries,
    /// What stands there is one thing, without an id.
    Whole,
}

/// The kinds of step that take values along (docs/spec/checks.md#migrations). What `route` takes are fields, as
/// `rename` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum By {
    Rename(Part),
    RouteLive(Live),
    SetColumn,
}

impl By {
    /// How fields are taken along.
    pub const FIELD: By = By::Rename(Part::Field);
}

const NOTHING: Kind = Kind {
    word: "",
    at: &[],
    read: Read::Ids,
    holds: |_| Holds::Nothing,
    by: None,
    is_layout: false,
    loss: "",
    within: &[],
};

/// What goes where a value is no longer one of those to choose from.
const CHOICE: &str = "sheets that have it keep an unknown value";

const VALUE: Kind = Kind { word: "value", at: &["values"], read: Read::Words, loss: CHOICE, ..NOTHING };

const COLUMN: Kind = Kind {
    word: "column",
    at: &["columns"],
    holds: holds::typed,
    is_layout: true,
    loss: "stored rows lose their value in it",
    within: &[Kind { by: Some(By::SetColumn), ..VALUE }],
    ..NOTHING
};

const ENTRY: Kind = Kind {
    word: "entry",
    at: &["entries"],
    read: Read::Entries,
    loss: "sheets that picked it no longer find it",
    ..NOTHING
};

/// Everything there is, each after what it is within.
pub static KINDS: &[Kind] = &[
    Kind {
        word: "ability",
        at: &["sheet", "abilities"],
        holds: holds::number,
        by: Some(By::Rename(Part::Ability)),
        is_layout: true,
        loss: "stored sheets lose its score",
        ..NOTHING
    },
    Kind {
        word: "skill",
        at: &["sheet", "skills"],
        by: Some(By::Rename(Part::Skill)),
        is_layout: true,
        loss: "stored sheets lose its tier and its bonus",
        ..NOTHING
    },
    Kind {
        word: "save",
        at: &["sheet", "saves"],
        by: Some(By::Rename(Part::Save)),
        is_layout: true,
        loss: "stored sheets lose its tier and its bonus",
        ..NOTHING
    },
    Kind {
        word: "field",
        at: &["sheet", "fields"],
        holds: holds::typed,
        by: Some(By::Rename(Part::Field)),
        is_layout: true,
        loss: "stored sheets lose its value",
        within: &[VALUE],
        ..NOTHING
    },
    Kind {
        word: "list",
        at: &["sheet", "lists"],
        holds: holds::rows,
        is_layout: true,
        loss: "stored sheets lose its rows",
        within: &[COLUMN],
        ..NOTHING
    },
    Kind { word: "bonus", at: &["sheet", "bonusRange"], read: Read::Whole, holds: holds::bonuses, ..NOTHING },
    Kind {
        word: "tier",
        at: &["resolution", "proficiencyTiers"],
        loss: "stored sheets that have it fall back to the first tier",
        ..NOTHING
    },
    Kind {
        word: "tier of skills",
        at: &["sheet", "skillTiers"],
        read: Read::Tiers,
        loss: "skills of stored sheets that have it fall back to the first tier",
        ..NOTHING
    },
    Kind {
        word: "tier of saves",
        at: &["sheet", "saveTiers"],
        read: Read::Tiers,
        loss: "saves of stored sheets that have it fall back to the first tier",
        ..NOTHING
    },
    Kind {
        word: "live pool",
        at: &["sheet", "live", "pools"],
        holds: holds::pool,
        by: Some(By::RouteLive(Live::Pool)),
        is_layout: true,
        loss: "stored sheets lose what is left in it",
        ..NOTHING
    },
    Kind {
        word: "live track",
        at: &["sheet", "live", "tracks"],
        holds: holds::track,
        by: Some(By::RouteLive(Live::Track)),
        is_layout: true,
        loss: "stored sheets lose its value",
        within: &[Kind { word: "kind of wound", at: &["kinds"], loss: "stored sheets lose its marks", ..NOTHING }],
        ..NOTHING
    },
    Kind {
        word: "live text",
        at: &["sheet", "live", "text"],
        holds: holds::text,
        loss: "stored sheets lose its text",
        ..NOTHING
    },
    Kind { word: "condition", at: &["sheet", "live", "conditions"], loss: "characters who have it lose it", ..NOTHING },
    Kind {
        word: "live state",
        at: &["sheet", "live", "states"],
        holds: holds::words,
        loss: "stored sheets lose its value",
        within: &[VALUE],
        ..NOTHING
    },
    Kind {
        word: "catalog",
        at: &["catalogs"],
        loss: "sheets that picked from it no longer find those entries",
        within: &[ENTRY],
        ..NOTHING
    },
    Kind {
        word: "currency",
        at: &["items", "currencies"],
        loss: "characters lose their coins of it",
        within: &[Kind { word: "coin", at: &["units"], loss: "characters lose their coins of it", ..NOTHING }],
        ..NOTHING
    },
    Kind { word: "slot", at: &["items", "slots"], loss: "items worn there are no longer worn", ..NOTHING },
    Kind { word: "layer", at: &["layers"], loss: "games that use it continue without it", ..NOTHING },
];
