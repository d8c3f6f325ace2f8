//! The Capability API gates of a ruleset (docs/spec/checks.md#capability-api-gates) as data.
//!
//! Of that table's rows, 10 (package assets) and 811 (translations) show in the manifest and the entry only: the
//! catalog room judges them. The features of rows 67 to 76 are not known to need any one of them
//! (docs/spec/decisions.md#q26).

use Test::{Also, Lacks, NotNumber, Object, Present, Words, WordsBut};
use serde_json::Value;

/// One row of the gate table: a feature, the minor that brought it, and the spots that show it is used.
pub(super) struct Gate {
    pub minor: u32,
    pub feature: &'static str,
    pub spots: &'static [Spot],
}

/// Where and how a feature shows. The path names keys joined by `.`; `a|b` is either key, `[]` every item of an array
/// and `*` every value of an object. A path may begin with `entry`, every entry of every catalog, inline or in its
/// file, or with one of the names in [`PLACES`].
pub(super) struct Spot {
    pub path: &'static str,
    pub test: Test,
}

/// What must hold of the value at a spot.
pub(super) enum Test {
    /// That it is there, whatever it is: an older engine refuses the very key.
    Present,
    NotEmpty,
    Object,
    NotNumber,
    /// An object without this key.
    Lacks(&'static str),
    /// One of these texts.
    Words(&'static [&'static str]),
    /// A text that is none of these.
    WordsBut(&'static [&'static str]),
    /// What only the whole ruleset tells.
    Also(fn(&Value, ruleset: &Value) -> bool),
}

/// Short names for places that stand in many rows, and the places they stand for. `entry` is left out: what it stands
/// for depends on the file.
pub(super) const PLACES: &[(&str, &[&str])] = &[
    ("value", VALUES),
    ("hide", &["sheet.fields|derived|lists[].hideWhen", "sheet.live.pools|tracks|states[].hideWhen"]),
    ("applied", &["entry.mechanics.applies[]", "entry.creature.actions[].applies[]", "entry.item.use.applies[]"]),
    ("reaction", &["entry.mechanics.reaction", "entry.creature.actions[].reaction"]),
    ("effect", &["entry.item.worn|carried", "entry.item.requires[].otherwise"]),
];

/// Everywhere a value reference stands (docs/spec/ruleset.md#value).
const VALUES: &[&str] = &[
    "resolution.proficiency.bonus",
    "resolution.spend[].perCheck",
    "resolution.adjust[].value",
    "sheet.skills|saves[].cap",
    "sheet.derived[].of",
    "sheet.derived[].of[]",
    "sheet.derived[].from",
    "sheet.live.pools|tracks[].max",
    "items.binding.max",
    "items.carry.encumberedAbove|limit",
    "items.market.sellers[].only.value",
    "combat.defense",
    "combat.initiative.modifier|pool",
    "combat.pool.hardness",
    "combat.pool.soak.all",
    "combat.pool.soak.byKind.*",
    "combat.economy.movement",
    "combat.attacks[].strikes",
    "combat.abilities[].toHit|saveDifficulty",
    "combat.checks[].value",
    "combat.spendLimits[].max",
    "entry.rows[].scaled.*.from",
    "entry.mechanics.scales.from",
    "entry.item.requires[].value",
    "entry.item.attack|use.toHit.proficiency",
    "entry.item.attack.strikes",
    "entry.item.use.gate.check.value",
    "entry.item.use.gate.unless.value",
];

/// The condition effects that came with the turn economy.
const ECONOMY_EFFECTS: &[&str] =
    &["own-saves-advantage", "own-saves-disadvantage", "resist-all", "cannot-target-source", "cannot-approach-source"];
const CHECK_EFFECTS: &[&str] = &["own-checks-advantage", "own-checks-disadvantage"];
/// The effects a worn or carried item had from the start.
const FIRST_ITEM_EFFECTS: &[&str] =
    &["own-saves-advantage", "own-saves-disadvantage", "own-checks-advantage", "own-checks-disadvantage"];

/// Every row, in rising order. The engine's install gate reads those up to 65 itself (P), and its page names the others
/// (S), so an installer holds a package to all of them (N131).
pub(super) const GATES: &[Gate] = &[
    gate(20, "a packaged ruleset", &[at("")]),
    gate(21, "catalogs", &[when("catalogs", Test::NotEmpty)]),
    gate(22, "the battle bridge", &[at("battle")]),
    gate(23, "scaled rows", &[at("entry.rows[].scaled")]),
    gate(24, "pool checks", &[when("resolution.kind", Words(&["dice-pool"]))]),
    gate(25, "layers and world text", &[when("layers", Test::NotEmpty), at("gm.worldGuidance")]),
    gate(26, "combat", &[at("combat"), at("entry.mechanics.targetCount|autoHit|applies|temporary|scales|budget")]),
    gate(27, "bestiaries", &[when("catalogs[].holds", Words(&["creatures"])), at("entry.creature")]),
    gate(
        28,
        "the board",
        &[
            at("combat.distance|ranged|cover|opportunity"),
            at("combat.attacks[].reach|range"),
            when("entry.creature.actions[].range", Object),
            at("entry.creature.actions[].area"),
        ],
    ),
    gate(
        29,
        "the turn economy",
        &[
            at("entry.mechanics.plus|free|gives|standard|rider"),
            when("entry.mechanics.kind", Words(&["rider"])),
            at("entry.creature.riders"),
            at("entry.creature.actions[].damage.plus"),
            at("combat.attacks[].strikes"),
            at("combat.conditions[].saves|whileSourceInSight|endsWhenSourceDown"),
            when("combat.conditions[].effects[]", Words(ECONOMY_EFFECTS)),
            at("combat.standardEffects"),
        ],
    ),
    gate(
        30,
        "wound tracks and spending",
        &[at("sheet.live.tracks[].levels|kinds"), at("resolution.penaltyFrom|spend"), at("entry.mechanics.check")],
    ),
    gate(32, "one-shot weapons", &[at("combat.attacks[].strikesCappedBy")]),
    gate(33, "reaction moments", &[when("entry.mechanics.reaction", Object)]),
    gate(34, "creature sheets", &[at("entry.creature.sheet")]),
    gate(
        37,
        "moved check rules",
        &[
            at("resolution.explode|double.min"),
            when("resolution.explode|double", Lacks("from")),
            at("entry.mechanics.check.explode|double"),
            at("resolution.pool.abilityPlusAbility"),
            at("resolution.botch.rule"),
            when("sheet.live.tracks[].max", Object),
            at("sheet.live.tracks[].hideWhen|alwaysShow"),
            at("gm.sheetSummary.lists[].columns"),
            when("gm.sheetSummary.lists[]", Also(names_an_enum)),
        ],
    ),
    gate(
        38,
        "bought re-throws",
        &[
            at("resolution.reroll|adjust"),
            at("resolution.spend[].reroll"),
            when("resolution.spend[].perCheck", NotNumber),
            when("resolution.spend", Also(|spend, _| spend.as_array().is_some_and(|steps| steps.len() > 2))),
        ],
    ),
    gate(
        39,
        "wider reads",
        &[at("value.liveTrack|livePool|listSum"), at("sheet.skills|saves[].cap"), at("hide.notEquals|in")],
    ),
    gate(40, "track shapes", &[at("sheet.live.tracks[].boxes|fill|onFull|extra"), at("rests[].restore[].kind")]),
    gate(
        41,
        "sections and untrained",
        &[at("sheet.abilities|skills|saves[].section"), at("sheet.skills|saves|sections[].untrained")],
    ),
    gate(
        42,
        "live states",
        &[at("sheet.live.states"), when("sheet.derived[].op", Words(&["enumTable"])), at("rests[].restore[].state")],
    ),
    gate(43, "contests", &[at("combat.checks|contests"), at("entry.creature.checks")]),
    gate(44, "counters", &[when("reaction.on", Words(&["used"])), at("reaction.against")]),
    gate(
        45,
        "condition numbers",
        &[
            at("combat.conditions[].modifiers"),
            when("combat.conditions[].effects|whileSourceInSight[]", Words(CHECK_EFFECTS)),
            at("combat.levels"),
            at("applied.duration.at"),
            at("applied.endsAfter"),
        ],
    ),
    gate(
        46,
        "what follows a hit",
        &[when("reaction.on", Words(&["hit"])), at("entry.creature.actions[].reaction|self")],
    ),
    gate(
        47,
        "pool fights",
        &[
            when("combat.kind", Words(&["dice-pool"])),
            at("combat.pool|spendLimits"),
            at("entry.creature.soak"),
            at("combat.attacks[].toHit.skill"),
            at("combat.initiative.each"),
        ],
    ),
    gate(48, "pool initiative", &[at("combat.initiative.pool|plus|resource")]),
    gate(49, "items", &[at("items"), when("catalogs[].holds", Words(&["items"])), at("entry.item")]),
    gate(51, "invented items", &[at("items.rarityCaps|propose")]),
    gate(52, "items on the sheet", &[at("value.itemStat")]),
    gate(
        53,
        "item checks",
        &[
            at("entry.item.worn|carried"),
            at("combat.conditions|levels[].skills"),
            at("combat.conditions|levels[].modifiers[].skills|saves|mode"),
            at("effect.modifiers[].skills|saves|mode"),
            at("items.rarityCaps[].bonus"),
        ],
    ),
    gate(
        54,
        "item demands",
        &[at("entry.item.requires"), at("entry.item.worn|carried.abilities"), at("combat.levels[].derived")],
    ),
    gate(55, "weapons", &[at("entry.item.attack"), when("entry.creature.resist|immune[]", Object)]),
    gate(
        56,
        "armor in fights",
        &[
            when("effect.effects[]", WordsBut(FIRST_ITEM_EFFECTS)),
            when("effect.modifiers[].to", Words(&["defense", "attacks", "speed"])),
            at("effect.resist|vulnerable|immune|conditionImmunities"),
            at("combat.pool.hardness"),
            at("entry.creature.hardness"),
        ],
    ),
    gate(57, "ammunition", &[at("entry.item.attack.ammo|clip")]),
    gate(58, "weapon modes", &[at("entry.item.attack.modes|offHand|floor|onHit"), at("combat.offHand")]),
    gate(59, "item use", &[at("entry.item.use|charges")]),
    gate(60, "restoring", &[at("entry.item.use.restore")]),
    gate(61, "recharge", &[at("entry.item.charges.recharge|breaksOn")]),
    gate(62, "gates", &[at("entry.item.use.gate")]),
    gate(63, "loot", &[at("items.lootTables"), at("entry.creature.loot")]),
    gate(64, "layers that remove coins", &[at("layers[].currencies")]),
    gate(64, "coins in loot", &[at("items.lootTables[].entries[].coins")]),
    gate(65, "the market", &[at("items.market"), at("entry.item.sold|service")]),
    gate(77, "migrations", &[at("sheet.migrations")]),
    gate(794, "setColumn", &[at("sheet.migrations[].steps[].setColumn")]),
    gate(813, "layers that change items", &[at("layers[].items")]),
];

const fn gate(minor: u32, feature: &'static str, spots: &'static [Spot]) -> Gate {
    Gate { minor, feature, spots }
}

const fn at(path: &'static str) -> Spot {
    Spot { path, test: Present }
}

const fn when(path: &'static str, test: Test) -> Spot {
    Spot { path, test }
}

/// Whether a list of the sheet summary takes its names from an enum column.
fn names_an_enum(summary: &Value, ruleset: &Value) -> bool {
    let by_id = |items: &'_ Value, id: &Value| -> Option<usize> {
        items.as_array()?.iter().position(|item| item.get("id") == Some(id))
    };
    let lists = &ruleset["sheet"]["lists"];
    let Some(list) = by_id(lists, &summary["list"]) else { return false };
    let columns = &lists[list]["columns"];
    by_id(columns, &summary["nameColumn"]).is_some_and(|column| columns[column]["type"] == "enum")
}
