//! Catalogs, their entries, creatures and items.

use super::{Base, Edit, Example, Explanation, Level};

const SOURCE: &str = "docs/spec/checks.md#catalogs";

const fn ruleset(at: &'static str, to: &'static str) -> Edit {
    Edit { file: "ruleset.json", at, to }
}

/// A catalog more, which the example rulesets do not have.
const fn catalog(to: &'static str) -> Edit {
    ruleset("/catalogs/-", to)
}

const fn songs(to: &'static str) -> Edit {
    Edit { file: "catalogs/songs.json", at: "", to }
}

const fn knack(to: &'static str) -> Edit {
    Edit { file: "catalogs/knacks.json", at: "/entries/-", to }
}

const fn charm(to: &'static str) -> Edit {
    Edit { file: "catalogs/charms.json", at: "/entries/-", to }
}

const fn trouble(to: &'static str) -> Edit {
    Edit { file: "catalogs/road_trouble.json", at: "/entries/-", to }
}

const fn ware(to: &'static str) -> Edit {
    Edit { file: "catalogs/wares.json", at: "/entries/-", to }
}

const fn example(base: Base, wrong: &'static [Edit], right: &'static [Edit]) -> Option<Example> {
    Some(Example { base, wrong, right })
}

const OF_SONGS: &str = r#"{"id": "songs", "label": "Songs", "feeds": ["knacks"], "asset": "catalogs/songs.json"}"#;
const SONGS: &str = r#"{"schemaVersion": 1, "catalog": "songs", "entries": []}"#;

/// The least a fight thrown with pools of dice needs.
const POOL_FIGHT: Edit = ruleset(
    "/combat",
    r#"{
  "kind": "dice-pool", "pool": {}, "health": {"track": "harm"}, "damageKinds": {"default": "tear", "marks": "per-blow"},
  "defense": {"const": 1}, "initiative": {"pool": {"const": 3}},
  "economy": {"budgets": [{"id": "act", "label": "Action", "per": "turn"}]},
  "threat": {"tiers": [{"id": "restless", "label": "Restless", "health": [1, 3], "defense": 1, "toHit": 3, "damagePerRound": [1, 2], "saveDifficulty": 1}]}
}"#,
);

pub(super) const ALL: &[Explanation] = &[
    Explanation {
        code: "K4",
        severity: Level::Error,
        meaning: "A catalog names an asset that is not among the package's files, or not among its assets.",
        why: "The engine refuses the package: it cannot read the entries of that catalog.",
        mend: "Add the file to the package and list it in `contributions.assets.paths` and `files`, or write the entries into the catalog itself.",
        source: "docs/spec/catalog.md#k4",
        example: example(Base::Sum, &[catalog(OF_SONGS)], &[catalog(OF_SONGS), songs(SONGS)]),
    },
    Explanation {
        code: "K6",
        severity: Level::Error,
        meaning: "A catalog file is named by no catalog of the ruleset.",
        why: "Players download it and never see an entry of it; mostly a catalog was renamed or forgotten.",
        mend: "Name the file as the `asset` of a catalog, or take it out of the package.",
        source: "docs/spec/catalog.md#k6",
        example: example(Base::Sum, &[songs(SONGS)], &[catalog(OF_SONGS), songs(SONGS)]),
    },
    Explanation {
        code: "catalog-name",
        severity: Level::Error,
        meaning: "A catalog, its asset and the `catalog` its file tells are not named alike.",
        why: "The engine reads a catalog from `catalogs/<id>.json` only, and refuses a file that says it is another's.",
        mend: "Use the catalog's id for both: `catalogs/<id>.json`, and `\"catalog\": \"<id>\"` within it.",
        source: SOURCE,
        example: example(
            Base::Sum,
            &[catalog(OF_SONGS), songs(r#"{"schemaVersion": 1, "catalog": "song", "entries": []}"#)],
            &[catalog(OF_SONGS), songs(SONGS)],
        ),
    },
    Explanation {
        code: "catalog-feeds",
        severity: Level::Error,
        meaning: "A catalog of rows does not say which lists it feeds, or a catalog of creatures or items says it feeds some.",
        why: "The sheet editor offers a catalog at the lists it feeds; without one its rows have nowhere to go.",
        mend: "Give a catalog of rows `feeds`, and take it out of the others.",
        source: SOURCE,
        example: example(
            Base::Sum,
            &[catalog(r#"{"id": "songs", "label": "Songs", "entries": []}"#)],
            &[catalog(r#"{"id": "songs", "label": "Songs", "feeds": ["knacks"], "entries": []}"#)],
        ),
    },
    Explanation {
        code: "catalog-needs-combat",
        severity: Level::Error,
        meaning: "A catalog holds creatures in a ruleset without fights or without threat tiers.",
        why: "A creature is written in what `combat` declares: its budgets, its damage types and its threat tier.",
        mend: "Declare `combat` with `threat.tiers`, or leave the bestiary out.",
        source: SOURCE,
        example: example(
            Base::Pool,
            &[catalog(r#"{"id": "restless", "label": "The restless", "holds": "creatures", "entries": []}"#)],
            &[
                catalog(r#"{"id": "restless", "label": "The restless", "holds": "creatures", "entries": []}"#),
                POOL_FIGHT,
            ],
        ),
    },
    Explanation {
        code: "catalog-needs-items",
        severity: Level::Error,
        meaning: "A catalog holds items in a ruleset that has no `items`.",
        why: "Categories, stats, slots and coins of an item are those the ruleset declares; without them it means nothing.",
        mend: "Declare `items`, or leave the catalog out.",
        source: SOURCE,
        example: example(
            Base::Pool,
            &[catalog(r#"{"id": "tools", "label": "Tools", "holds": "items", "entries": []}"#)],
            &[
                catalog(r#"{"id": "tools", "label": "Tools", "holds": "items", "entries": []}"#),
                ruleset("/items", r#"{"categories": [{"id": "tool", "label": "Tool"}]}"#),
            ],
        ),
    },
    Explanation {
        code: "entry-kind",
        severity: Level::Error,
        meaning: "An entry is of another kind than its catalog holds, or has `mechanics` without being rows.",
        why: "A catalog is read as one kind of thing: the picker reads rows, a fight reads creatures, a market reads items.",
        mend: "Move the entry to a catalog of its kind, or change what the catalog `holds`.",
        source: SOURCE,
        example: example(
            Base::Sum,
            &[ware(
                r#"{"id": "humming", "label": "Humming", "rows": [{"list": "knacks", "values": {"name": "Humming"}}]}"#,
            )],
            &[knack(
                r#"{"id": "humming", "label": "Humming", "rows": [{"list": "knacks", "values": {"name": "Humming"}}]}"#,
            )],
        ),
    },
    Explanation {
        code: "filter-value",
        severity: Level::Error,
        meaning: "An entry gives a filter a value of another type than the filter has.",
        why: "A number is compared, a text is chosen and tags are searched; a value of another type is never found.",
        mend: "Give a number for a `number` filter, text for `text`, and a list of texts for `tags`.",
        source: SOURCE,
        example: example(
            Base::Sum,
            &[knack(
                r#"{"id": "humming", "label": "Humming", "filters": {"grit": "1"}, "rows": [{"list": "knacks", "values": {"name": "Humming"}}]}"#,
            )],
            &[knack(
                r#"{"id": "humming", "label": "Humming", "filters": {"grit": 1}, "rows": [{"list": "knacks", "values": {"name": "Humming"}}]}"#,
            )],
        ),
    },
    Explanation {
        code: "row-list",
        severity: Level::Error,
        meaning: "A row goes to a list that its catalog does not feed.",
        why: "The picker of that list never offers the catalog, so the row is never picked there.",
        mend: "Name the list in the catalog's `feeds`, or send the row to one that is.",
        source: SOURCE,
        example: example(
            Base::Sum,
            &[knack(
                r#"{"id": "humming", "label": "Humming", "rows": [{"list": "gear", "values": {"name": "Humming"}}]}"#,
            )],
            &[knack(
                r#"{"id": "humming", "label": "Humming", "rows": [{"list": "knacks", "values": {"name": "Humming"}}]}"#,
            )],
        ),
    },
    Explanation {
        code: "cell-value",
        severity: Level::Error,
        meaning: "A cell of a row, a field of a creature's sheet or a stat of an item has a value that it cannot hold.",
        why: "The engine refuses the entry: the value is of another type, out of range, too long, or none of those to choose from.",
        mend: "Give a value the column, field or stat can hold, or widen what it can hold.",
        source: "docs/spec/checks.md#sheet; docs/spec/checks.md#catalogs",
        example: example(
            Base::Sum,
            &[knack(
                r#"{"id": "humming", "label": "Humming", "rows": [{"list": "tricks", "values": {"name": "Humming", "uses": 12}}]}"#,
            )],
            &[knack(
                r#"{"id": "humming", "label": "Humming", "rows": [{"list": "tricks", "values": {"name": "Humming", "uses": 9}}]}"#,
            )],
        ),
    },
    Explanation {
        code: "missing-cell",
        severity: Level::Error,
        meaning: "A row lacks a column that its list requires.",
        why: "The engine refuses the entry, as it would refuse the row on a sheet.",
        mend: "Give the column a value in `values`.",
        source: SOURCE,
        example: example(
            Base::Sum,
            &[knack(
                r#"{"id": "humming", "label": "Humming", "rows": [{"list": "knacks", "values": {"notes": "Low and steady."}}]}"#,
            )],
            &[knack(
                r#"{"id": "humming", "label": "Humming", "rows": [{"list": "knacks", "values": {"name": "Humming", "notes": "Low and steady."}}]}"#,
            )],
        ),
    },
    Explanation {
        code: "scaled-column",
        severity: Level::Error,
        meaning: "A scaled column has no value of its own, or its entry has several rows for the same list.",
        why: "The value stands in until the sheet can be read, and a picked row is found again by its list.",
        mend: "Give the column a value in `values`, and keep one row for that list.",
        source: SOURCE,
        example: example(
            Base::Sum,
            &[knack(
                r#"{"id": "humming", "label": "Humming", "rows": [{"list": "tricks", "values": {"name": "Humming"}, "scaled": {"uses": {"from": {"abilityScore": "heart"}}}}]}"#,
            )],
            &[knack(
                r#"{"id": "humming", "label": "Humming", "rows": [{"list": "tricks", "values": {"name": "Humming", "uses": 1}, "scaled": {"uses": {"from": {"abilityScore": "heart"}}}}]}"#,
            )],
        ),
    },
    Explanation {
        code: "plus-needs-amount",
        severity: Level::Error,
        meaning: "`plus` stands without an `amount`, or on a heal.",
        why: "It is further damage that comes on top of damage; alone, or on a heal, it would never be thrown.",
        mend: "Give an `amount`, or take `plus` out.",
        source: SOURCE,
        example: example(
            Base::Sum,
            &[knack(
                r#"{"id": "hot-ash", "label": "Hot Ash", "rows": [{"list": "knacks", "values": {"name": "Hot Ash"}}], "mechanics": {"kind": "attack", "plus": [{"flat": 1, "type": "burn"}]}}"#,
            )],
            &[knack(
                r#"{"id": "hot-ash", "label": "Hot Ash", "rows": [{"list": "knacks", "values": {"name": "Hot Ash"}}], "mechanics": {"kind": "attack", "amount": {"flat": 2}, "plus": [{"flat": 1, "type": "burn"}]}}"#,
            )],
        ),
    },
    Explanation {
        code: "free-with-budget",
        severity: Level::Error,
        meaning: "Something is `free` and names a `budget` all the same.",
        why: "What is free takes nothing of a turn; a budget says what it takes.",
        mend: "Keep one of the two.",
        source: SOURCE,
        example: example(
            Base::Sum,
            &[knack(
                r#"{"id": "humming", "label": "Humming", "rows": [{"list": "knacks", "values": {"name": "Humming"}}], "mechanics": {"kind": "utility", "free": true, "budget": "act"}}"#,
            )],
            &[knack(
                r#"{"id": "humming", "label": "Humming", "rows": [{"list": "knacks", "values": {"name": "Humming"}}], "mechanics": {"kind": "utility", "free": true}}"#,
            )],
        ),
    },
    Explanation {
        code: "rider",
        severity: Level::Error,
        meaning: "The kind `rider` and the key `rider` do not go together, or a rider carries what is taken on a turn.",
        why: "A rider comes along with a hit; it is nothing that is chosen on a turn, and has no target or cost in time of its own.",
        mend: "Use kind and key together, and leave out what makes it an action.",
        source: SOURCE,
        example: example(
            Base::Sum,
            &[knack(
                r#"{"id": "low-blow", "label": "Low Blow", "rows": [{"list": "knacks", "values": {"name": "Low Blow"}}], "mechanics": {"kind": "rider", "budget": "act", "rider": {"on": "hit", "oncePer": "turn", "amount": {"dice": "1d6"}}}}"#,
            )],
            &[knack(
                r#"{"id": "low-blow", "label": "Low Blow", "rows": [{"list": "knacks", "values": {"name": "Low Blow"}}], "mechanics": {"kind": "rider", "rider": {"on": "hit", "oncePer": "turn", "amount": {"dice": "1d6"}}}}"#,
            )],
        ),
    },
    Explanation {
        code: "standard-actions",
        severity: Level::Error,
        meaning: "Standard actions are offered twice, are none the ruleset has, or are offered for the budget they cost anyway.",
        why: "The entry lets a standard action be taken for another budget; otherwise it gives nothing.",
        mend: "List each action once, out of `combat.standard`, and name a budget other than the first.",
        source: SOURCE,
        example: example(
            Base::Sum,
            &[knack(
                r#"{"id": "nimble", "label": "Nimble", "rows": [{"list": "knacks", "values": {"name": "Nimble"}}], "mechanics": {"kind": "utility", "standard": {"actions": ["dodge"], "budget": "act"}}}"#,
            )],
            &[
                ruleset("/combat/economy/budgets/-", r#"{"id": "quick", "label": "Quick action", "per": "turn"}"#),
                knack(
                    r#"{"id": "nimble", "label": "Nimble", "rows": [{"list": "knacks", "values": {"name": "Nimble"}}], "mechanics": {"kind": "utility", "standard": {"actions": ["dodge"], "budget": "quick"}}}"#,
                ),
            ],
        ),
    },
    Explanation {
        code: "save-needs-difficulty",
        severity: Level::Error,
        meaning: "Something is saved against, and nothing says how hard that is.",
        why: "The engine has no number for the save to beat.",
        mend: "Give `saveDifficulty` to the list in `combat.abilities`, or to the use of an item.",
        source: "docs/spec/checks.md#catalogs; docs/spec/checks.md#items-and-fights",
        example: example(
            Base::Sum,
            &[
                ruleset("/sheet/saves", r#"[{"id": "nerve", "label": "Nerve"}]"#),
                knack(
                    r#"{"id": "glare", "label": "Glare", "rows": [{"list": "knacks", "values": {"name": "Glare"}}], "mechanics": {"kind": "debuff", "save": {"save": "nerve", "onSuccess": "negates"}}}"#,
                ),
            ],
            &[
                ruleset("/sheet/saves", r#"[{"id": "nerve", "label": "Nerve"}]"#),
                ruleset("/combat/abilities/0/saveDifficulty", r#"{"const": 8}"#),
                knack(
                    r#"{"id": "glare", "label": "Glare", "rows": [{"list": "knacks", "values": {"name": "Glare"}}], "mechanics": {"kind": "debuff", "save": {"save": "nerve", "onSuccess": "negates"}}}"#,
                ),
            ],
        ),
    },
    Explanation {
        code: "check-change",
        severity: Level::Error,
        meaning: "An entry changes a check in a way the ruleset allows no check, or changes checks that are no pool of dice.",
        why: "The engine throws the pool within what `resolution` allows; what goes further is refused.",
        mend: "Stay within the target's range, `explode.min`, `double.min` and the faces of the die, or widen these.",
        source: SOURCE,
        example: example(
            Base::Pool,
            &[charm(
                r#"{"id": "sharp-eye", "label": "Sharp Eye", "rows": [{"list": "charms", "values": {"name": "Sharp Eye"}}], "mechanics": {"kind": "utility", "check": {"explode": 6}}}"#,
            )],
            &[charm(
                r#"{"id": "sharp-eye", "label": "Sharp Eye", "rows": [{"list": "charms", "values": {"name": "Sharp Eye"}}], "mechanics": {"kind": "utility", "check": {"explode": 9}}}"#,
            )],
        ),
    },
    Explanation {
        code: "temporary-on-wounds",
        severity: Level::Error,
        meaning: "Something gives temporary health where health is a wound track.",
        why: "A track of wounds has no points to lay more on top of.",
        mend: "Let it heal or protect in another way, or keep health in a pool.",
        source: SOURCE,
        example: example(
            Base::Pool,
            &[
                ruleset("/battle", r#"{"health": {"track": "harm"}}"#),
                charm(
                    r#"{"id": "warm-coal", "label": "Warm Coal", "rows": [{"list": "charms", "values": {"name": "Warm Coal"}}], "mechanics": {"kind": "buff", "temporary": {"flat": 2}}}"#,
                ),
            ],
            &[
                ruleset("/battle", r#"{"health": {"track": "harm"}}"#),
                charm(
                    r#"{"id": "warm-coal", "label": "Warm Coal", "rows": [{"list": "charms", "values": {"name": "Warm Coal"}}], "mechanics": {"kind": "heal", "amount": {"flat": 2}}}"#,
                ),
            ],
        ),
    },
    Explanation {
        code: "pool-dice",
        severity: Level::Error,
        meaning: "Damage in a fight thrown with pools of dice is thrown with another die than the ruleset's.",
        why: "Damage is counted like every throw of such a fight: by the same faces against a target.",
        mend: "Write the damage in the ruleset's own die.",
        source: SOURCE,
        example: example(
            Base::Pool,
            &[
                POOL_FIGHT,
                charm(
                    r#"{"id": "hot-ash", "label": "Hot Ash", "rows": [{"list": "charms", "values": {"name": "Hot Ash"}}], "mechanics": {"kind": "attack", "amount": {"dice": "2d6"}}}"#,
                ),
            ],
            &[
                POOL_FIGHT,
                charm(
                    r#"{"id": "hot-ash", "label": "Hot Ash", "rows": [{"list": "charms", "values": {"name": "Hot Ash"}}], "mechanics": {"kind": "attack", "amount": {"dice": "2d10"}}}"#,
                ),
            ],
        ),
    },
    Explanation {
        code: "creature-keys",
        severity: Level::Error,
        meaning: "A creature without a sheet lacks health, defense, an initiative modifier or an action, or one with a sheet says what its sheet says.",
        why: "A fight takes these numbers from one place: from the creature, or from its sheet as it would from a character's.",
        mend: "Give the numbers and an action, or a `sheet` and none of the numbers.",
        source: SOURCE,
        example: example(
            Base::Sum,
            &[trouble(
                r#"{"id": "dust-devil", "label": "Dust Devil", "creature": {"tier": "stray", "health": 4, "defense": 5, "actions": [{"id": "spin", "name": "Spin", "budget": "act"}]}}"#,
            )],
            &[trouble(
                r#"{"id": "dust-devil", "label": "Dust Devil", "creature": {"tier": "stray", "health": 4, "defense": 5, "initiativeModifier": 1, "actions": [{"id": "spin", "name": "Spin", "budget": "act"}]}}"#,
            )],
        ),
    },
    Explanation {
        code: "sequence",
        severity: Level::Error,
        meaning: "A sequence of actions names itself, another sequence, a signature action or a reaction, or does something of its own.",
        why: "A sequence is paid for once and made of actions that could each be taken on a turn.",
        mend: "Name plain actions of the same creature, and give what is done to them.",
        source: SOURCE,
        example: example(
            Base::Sum,
            &[trouble(
                r#"{"id": "dust-devil", "label": "Dust Devil", "creature": {"tier": "stray", "health": 4, "defense": 5, "initiativeModifier": 1, "actions": [{"id": "spin", "name": "Spin", "budget": "act"}, {"id": "whirl", "name": "Whirl", "budget": "act", "sequence": [{"action": "whirl", "times": 2}]}]}}"#,
            )],
            &[trouble(
                r#"{"id": "dust-devil", "label": "Dust Devil", "creature": {"tier": "stray", "health": 4, "defense": 5, "initiativeModifier": 1, "actions": [{"id": "spin", "name": "Spin", "budget": "act"}, {"id": "whirl", "name": "Whirl", "budget": "act", "sequence": [{"action": "spin", "times": 2}]}]}}"#,
            )],
        ),
    },
    Explanation {
        code: "signature-cost",
        severity: Level::Error,
        meaning: "A signature action costs more than the creature's `signaturePoints`.",
        why: "It could never be paid for.",
        mend: "Raise `signaturePoints` or lower the cost.",
        source: SOURCE,
        example: example(
            Base::Sum,
            &[trouble(
                r#"{"id": "dust-devil", "label": "Dust Devil", "creature": {"tier": "stray", "health": 4, "defense": 5, "initiativeModifier": 1, "signaturePoints": 1, "actions": [{"id": "spin", "name": "Spin", "budget": "act", "signature": {"cost": 2}}]}}"#,
            )],
            &[trouble(
                r#"{"id": "dust-devil", "label": "Dust Devil", "creature": {"tier": "stray", "health": 4, "defense": 5, "initiativeModifier": 1, "signaturePoints": 2, "actions": [{"id": "spin", "name": "Spin", "budget": "act", "signature": {"cost": 2}}]}}"#,
            )],
        ),
    },
    Explanation {
        code: "creature-tier",
        severity: Level::Error,
        meaning: "A creature's sheet has a skill or save at a proficiency tier that the sheet does not offer for it.",
        why: "The sheet offers only the tiers in `skillTiers` and `saveTiers`; no character could have it.",
        mend: "Choose one of those tiers, or add it to them.",
        source: SOURCE,
        example: example(
            Base::Sum,
            &[
                ruleset("/sheet/skillTiers", r#"["untrained", "trained"]"#),
                trouble(
                    r#"{"id": "drifter", "label": "Drifter", "creature": {"tier": "stray", "sheet": {"skills": {"sneak": "expert"}}}}"#,
                ),
            ],
            &[
                ruleset("/sheet/skillTiers", r#"["untrained", "trained"]"#),
                trouble(
                    r#"{"id": "drifter", "label": "Drifter", "creature": {"tier": "stray", "sheet": {"skills": {"sneak": "trained"}}}}"#,
                ),
            ],
        ),
    },
    Explanation {
        code: "slot-count",
        severity: Level::Error,
        meaning: "An item takes more of a slot than there are.",
        why: "Nobody could ever put it on.",
        mend: "Take no more than the slot's `count`, or raise that.",
        source: SOURCE,
        example: example(
            Base::Sum,
            &[ware(r#"{"id": "long-pole", "label": "Long Pole", "item": {"category": "tool", "slots": {"hand": 3}}}"#)],
            &[ware(r#"{"id": "long-pole", "label": "Long Pole", "item": {"category": "tool", "slots": {"hand": 2}}}"#)],
        ),
    },
    Explanation {
        code: "needs-binding",
        severity: Level::Error,
        meaning: "An item binds to its bearer in a ruleset without `items.binding`.",
        why: "How much anybody can be bound to is said there; without it nothing can be.",
        mend: "Declare `items.binding`, or take `binds` out.",
        source: SOURCE,
        example: example(
            Base::Sum,
            &[ware(r#"{"id": "old-ring", "label": "Old Ring", "item": {"category": "tool", "binds": {}}}"#)],
            &[
                ruleset("/items/binding", r#"{"label": "Bound", "max": {"const": 3}}"#),
                ware(r#"{"id": "old-ring", "label": "Old Ring", "item": {"category": "tool", "binds": {}}}"#),
            ],
        ),
    },
    Explanation {
        code: "service",
        severity: Level::Error,
        meaning: "A service has no cost, or has what only things have: slots, a stack, an attack, a use and the like.",
        why: "A service is paid for and gone; nobody carries, wears or uses it.",
        mend: "Give it a `cost` and nothing to carry, or take `service` out.",
        source: SOURCE,
        example: example(
            Base::Sum,
            &[ware(r#"{"id": "hot-bath", "label": "Hot Bath", "item": {"category": "lodging", "service": true}}"#)],
            &[ware(
                r#"{"id": "hot-bath", "label": "Hot Bath", "item": {"category": "lodging", "service": true, "cost": {"amount": 3, "unit": "bead"}}}"#,
            )],
        ),
    },
    Explanation {
        code: "charges",
        severity: Level::Error,
        meaning: "An item has charges that no use of it spends, or is stacked.",
        why: "Charges are counted for one item by its use; a stack of them would share one count.",
        mend: "Say in `use.charges` what one use spends, and leave `stack` out.",
        source: SOURCE,
        example: example(
            Base::Sum,
            &[ware(
                r#"{"id": "salve-pot", "label": "Salve Pot", "item": {"category": "supply", "charges": {"max": 3}, "use": {"kind": "heal", "amount": {"flat": 1}, "budget": "act"}}}"#,
            )],
            &[ware(
                r#"{"id": "salve-pot", "label": "Salve Pot", "item": {"category": "supply", "charges": {"max": 3}, "use": {"kind": "heal", "amount": {"flat": 1}, "budget": "act", "charges": 1}}}"#,
            )],
        ),
    },
];
