//! Attacks and uses of items, items as a whole, battle and combat.

use super::{Base, Edit, Example, Explanation, Level};

const SOURCE: &str = "docs/spec/checks.md#items-and-fights";

const fn ruleset(at: &'static str, to: &'static str) -> Edit {
    Edit { file: "ruleset.json", at, to }
}

const fn ware(to: &'static str) -> Edit {
    Edit { file: "catalogs/wares.json", at: "/entries/-", to }
}

/// A change to the ruleset whose dice are added up.
const fn example(wrong: &'static [Edit], right: &'static [Edit]) -> Option<Example> {
    Some(Example { base: Base::Sum, wrong, right })
}

pub(super) const ALL: &[Explanation] = &[
    Explanation {
        code: "attack-slot",
        severity: Level::Error,
        meaning: "An item to attack with takes no slot and does not bind to its bearer.",
        why: "Nothing says who has it at hand, so no fight ever offers the attack.",
        mend: "Give the item `slots` (or `binds`).",
        source: SOURCE,
        example: example(
            &[ware(
                r#"{"id": "long-pole", "label": "Long Pole", "item": {"category": "weapon", "attack": {"budget": "act", "damage": {"dice": "1d6"}}}}"#,
            )],
            &[ware(
                r#"{"id": "long-pole", "label": "Long Pole", "item": {"category": "weapon", "slots": {"hand": 2}, "attack": {"budget": "act", "damage": {"dice": "1d6"}}}}"#,
            )],
        ),
    },
    Explanation {
        code: "versatile-slot",
        severity: Level::Error,
        meaning: "An item that takes no slot has a `versatile` attack.",
        why: "Versatile is what can be held in more slots than it takes.",
        mend: "Give the item `slots`, or take `versatile` out.",
        source: SOURCE,
        example: example(
            &[ware(
                r#"{"id": "long-pole", "label": "Long Pole", "item": {"category": "weapon", "attack": {"budget": "act", "damage": {"dice": "1d6"}, "versatile": {"dice": "1d8"}}}}"#,
            )],
            &[ware(
                r#"{"id": "long-pole", "label": "Long Pole", "item": {"category": "weapon", "slots": {"hand": 1}, "attack": {"budget": "act", "damage": {"dice": "1d6"}, "versatile": {"dice": "1d8"}}}}"#,
            )],
        ),
    },
    Explanation {
        code: "off-hand",
        severity: Level::Error,
        meaning: "An attack is for the off hand in a ruleset without `combat.offHand`.",
        why: "What an attack with the off hand takes of a turn is said there.",
        mend: "Declare `combat.offHand`, or take `offHand` out of the attack.",
        source: SOURCE,
        example: example(
            &[ware(
                r#"{"id": "short-hook", "label": "Short Hook", "item": {"category": "weapon", "slots": {"hand": 1}, "attack": {"budget": "act", "damage": {"dice": "1d4"}, "offHand": true}}}"#,
            )],
            &[
                ruleset("/combat/offHand", r#"{"budget": "act"}"#),
                ware(
                    r#"{"id": "short-hook", "label": "Short Hook", "item": {"category": "weapon", "slots": {"hand": 1}, "attack": {"budget": "act", "damage": {"dice": "1d4"}, "offHand": true}}}"#,
                ),
            ],
        ),
    },
    Explanation {
        code: "attack-dice",
        severity: Level::Error,
        meaning: "An attack has no damage dice in a ruleset whose dice are added up.",
        why: "There damage is thrown; only where a pool of dice is thrown for the attack itself it can go without.",
        mend: "Give `damage.dice`.",
        source: SOURCE,
        example: example(
            &[ware(
                r#"{"id": "short-hook", "label": "Short Hook", "item": {"category": "weapon", "slots": {"hand": 1}, "attack": {"budget": "act", "damage": {"bonus": 1}}}}"#,
            )],
            &[ware(
                r#"{"id": "short-hook", "label": "Short Hook", "item": {"category": "weapon", "slots": {"hand": 1}, "attack": {"budget": "act", "damage": {"dice": "1d4", "bonus": 1}}}}"#,
            )],
        ),
    },
    Explanation {
        code: "needs-distance",
        severity: Level::Error,
        meaning: "Something is about reach, range, cover, moving away or pushing, in a ruleset without `combat.distance`.",
        why: "Without a measured board nobody is near or far.",
        mend: "Declare `combat.distance`, or leave distances out.",
        source: SOURCE,
        example: example(
            &[ruleset("/combat/cover", r#"{"bonus": 2}"#), ruleset("/combat/distance", "")],
            &[
                ruleset("/combat/cover", r#"{"bonus": 2}"#),
                ruleset("/combat/distance", r#"{"label": "paces", "perCell": 2}"#),
            ],
        ),
    },
    Explanation {
        code: "range-order",
        severity: Level::Error,
        meaning: "The long range of an attack is shorter than its normal range.",
        why: "A long shot starts where the normal range ends.",
        mend: "Make `long` at least `normal`, or leave it out.",
        source: SOURCE,
        example: example(
            &[ware(
                r#"{"id": "sling", "label": "Sling", "item": {"category": "weapon", "slots": {"hand": 1}, "attack": {"budget": "act", "range": {"normal": 20, "long": 10}, "damage": {"dice": "1d4"}}}}"#,
            )],
            &[ware(
                r#"{"id": "sling", "label": "Sling", "item": {"category": "weapon", "slots": {"hand": 1}, "attack": {"budget": "act", "range": {"normal": 20, "long": 40}, "damage": {"dice": "1d4"}}}}"#,
            )],
        ),
    },
    Explanation {
        code: "clip",
        severity: Level::Error,
        meaning: "One attack shoots more than its clip holds, or what is shot out of a clip is said to be gathered again.",
        why: "The attack could never be made; and what leaves a clip is spent.",
        mend: "Shoot no more than `clip.max` at once, and leave `recover` out beside a clip.",
        source: SOURCE,
        example: example(
            &[ware(
                r#"{"id": "nail-gun", "label": "Nail Gun", "item": {"category": "weapon", "slots": {"hand": 1}, "attack": {"budget": "act", "damage": {"dice": "1d4"}, "clip": {"max": 6, "reload": "act"}, "ammo": {"tag": "sharp", "perAttack": 8}}}}"#,
            )],
            &[ware(
                r#"{"id": "nail-gun", "label": "Nail Gun", "item": {"category": "weapon", "slots": {"hand": 1}, "attack": {"budget": "act", "damage": {"dice": "1d4"}, "clip": {"max": 6, "reload": "act"}, "ammo": {"tag": "sharp", "perAttack": 2}}}}"#,
            )],
        ),
    },
    Explanation {
        code: "attack-mode",
        severity: Level::Error,
        meaning: "A mode of an attack changes what there is not: shots without ammunition or a clip, or a target that no check can move.",
        why: "The mode would do nothing.",
        mend: "Give the attack `ammo` or a `clip`; move a target only in a pool ruleset whose target has a range.",
        source: SOURCE,
        example: example(
            &[ware(
                r#"{"id": "nail-gun", "label": "Nail Gun", "item": {"category": "weapon", "slots": {"hand": 1}, "attack": {"budget": "act", "damage": {"dice": "1d4"}, "modes": [{"id": "burst", "label": "Burst", "ammo": 3}]}}}"#,
            )],
            &[ware(
                r#"{"id": "nail-gun", "label": "Nail Gun", "item": {"category": "weapon", "slots": {"hand": 1}, "attack": {"budget": "act", "damage": {"dice": "1d4"}, "ammo": {"tag": "sharp"}, "modes": [{"id": "burst", "label": "Burst", "ammo": 3}]}}}"#,
            )],
        ),
    },
    Explanation {
        code: "stat-words",
        severity: Level::Error,
        meaning: "Items take an ability, a skill or a damage type from a stat whose words are not all such.",
        why: "An item with the other word would attack with something the ruleset does not have.",
        mend: "Let every value of the stat be a declared ability, skill or damage type.",
        source: SOURCE,
        example: example(
            &[
                ruleset(
                    "/items/stats/-",
                    r#"{"id": "swing", "label": "Swung with", "type": "enum", "values": ["brawn", "grace"]}"#,
                ),
                ware(
                    r#"{"id": "short-hook", "label": "Short Hook", "item": {"category": "weapon", "slots": {"hand": 1}, "stats": {"swing": "brawn"}, "attack": {"budget": "act", "toHit": {"abilities": {"stat": "swing"}}, "damage": {"dice": "1d4"}}}}"#,
                ),
            ],
            &[
                ruleset(
                    "/items/stats/-",
                    r#"{"id": "swing", "label": "Swung with", "type": "enum", "values": ["brawn", "wits"]}"#,
                ),
                ware(
                    r#"{"id": "short-hook", "label": "Short Hook", "item": {"category": "weapon", "slots": {"hand": 1}, "stats": {"swing": "brawn"}, "attack": {"budget": "act", "toHit": {"abilities": {"stat": "swing"}}, "damage": {"dice": "1d4"}}}}"#,
                ),
            ],
        ),
    },
    Explanation {
        code: "use-budget",
        severity: Level::Error,
        meaning: "A use of an item takes no budget and is not free, in a ruleset with fights.",
        why: "A fight has to know what of a turn the use takes.",
        mend: "Name a `budget`, or set `free`.",
        source: SOURCE,
        example: example(
            &[ware(
                r#"{"id": "bitters", "label": "Bitters", "item": {"category": "supply", "use": {"kind": "heal", "amount": {"flat": 1}, "consumes": true}}}"#,
            )],
            &[ware(
                r#"{"id": "bitters", "label": "Bitters", "item": {"category": "supply", "use": {"kind": "heal", "amount": {"flat": 1}, "budget": "act", "consumes": true}}}"#,
            )],
        ),
    },
    Explanation {
        code: "use-to-hit",
        severity: Level::Error,
        meaning: "A use says what is added to an attack roll, and rolls none.",
        why: "The numbers would never be read.",
        mend: "Set `attackRoll`, or take `toHit` out.",
        source: SOURCE,
        example: example(
            &[ware(
                r#"{"id": "fire-pot", "label": "Fire Pot", "item": {"category": "supply", "use": {"kind": "attack", "amount": {"dice": "1d6"}, "budget": "act", "toHit": {"abilities": ["wits"]}}}}"#,
            )],
            &[ware(
                r#"{"id": "fire-pot", "label": "Fire Pot", "item": {"category": "supply", "use": {"kind": "attack", "amount": {"dice": "1d6"}, "budget": "act", "attackRoll": true, "toHit": {"abilities": ["wits"]}}}}"#,
            )],
        ),
    },
    Explanation {
        code: "use-spends-twice",
        severity: Level::Error,
        meaning: "A use both consumes the item and spends its charges.",
        why: "Either the item is gone after one use, or its charges count how often it can be used.",
        mend: "Keep `consumes` or `charges`.",
        source: SOURCE,
        example: example(
            &[ware(
                r#"{"id": "salve-pot", "label": "Salve Pot", "item": {"category": "supply", "charges": {"max": 3}, "use": {"kind": "heal", "amount": {"flat": 1}, "budget": "act", "charges": 1, "consumes": true}}}"#,
            )],
            &[ware(
                r#"{"id": "salve-pot", "label": "Salve Pot", "item": {"category": "supply", "charges": {"max": 3}, "use": {"kind": "heal", "amount": {"flat": 1}, "budget": "act", "charges": 1}}}"#,
            )],
        ),
    },
    Explanation {
        code: "use-restore",
        severity: Level::Error,
        meaning: "A use restores a pool as an attack or debuff, or restores health.",
        why: "Restoring is a good turn, and health is what the `amount` of a heal is for.",
        mend: "Restore another pool, with a heal or a buff.",
        source: SOURCE,
        example: example(
            &[ware(
                r#"{"id": "bitters", "label": "Bitters", "item": {"category": "supply", "use": {"kind": "buff", "budget": "act", "consumes": true, "restore": {"pool": "grit", "amount": {"flat": 1}}}}}"#,
            )],
            &[ware(
                r#"{"id": "bitters", "label": "Bitters", "item": {"category": "supply", "use": {"kind": "buff", "budget": "act", "consumes": true, "restore": {"pool": "luck", "amount": {"flat": 1}}}}}"#,
            )],
        ),
    },
    Explanation {
        code: "carry-stat",
        severity: Level::Error,
        meaning: "What is carried is added up from a stat that can be less than nothing.",
        why: "An item would make its bearer's load lighter.",
        mend: "Raise the stat's `min` to 0.",
        source: SOURCE,
        example: example(
            &[
                ruleset("/items/stats/-", r#"{"id": "heft", "label": "Heft", "type": "number", "min": -2, "max": 6}"#),
                ruleset("/items/carry", r#"{"stat": "heft", "encumberedAbove": {"const": 9}}"#),
            ],
            &[
                ruleset("/items/stats/-", r#"{"id": "heft", "label": "Heft", "type": "number", "min": 0, "max": 6}"#),
                ruleset("/items/carry", r#"{"stat": "heft", "encumberedAbove": {"const": 9}}"#),
            ],
        ),
    },
    Explanation {
        code: "per-weight",
        severity: Level::Error,
        meaning: "Coins have a weight in a ruleset without `items.carry`.",
        why: "Nothing is weighed there.",
        mend: "Declare `items.carry`, or take `perWeight` out.",
        source: SOURCE,
        example: example(
            &[
                ruleset("/items/carry", ""),
                ruleset(
                    "/items/currencies/-",
                    r#"{"id": "salt", "label": "Salt", "perWeight": 10, "units": [{"id": "pinch", "label": "Pinch", "value": 1}]}"#,
                ),
            ],
            &[ruleset(
                "/items/currencies/-",
                r#"{"id": "salt", "label": "Salt", "perWeight": 10, "units": [{"id": "pinch", "label": "Pinch", "value": 1}]}"#,
            )],
        ),
    },
    Explanation {
        code: "coin-values",
        severity: Level::Error,
        meaning: "Two coins of a family are worth the same, or none is worth 1.",
        why: "Prices are paid and change is given from the largest coin to the smallest, and the smallest has to be the unit.",
        mend: "Give each coin a value of its own, and the smallest the value 1.",
        source: SOURCE,
        example: example(
            &[ruleset(
                "/items/currencies/-",
                r#"{"id": "salt", "label": "Salt", "units": [{"id": "pinch", "label": "Pinch", "value": 2}, {"id": "palm", "label": "Palm", "value": 10}]}"#,
            )],
            &[ruleset(
                "/items/currencies/-",
                r#"{"id": "salt", "label": "Salt", "units": [{"id": "pinch", "label": "Pinch", "value": 1}, {"id": "palm", "label": "Palm", "value": 10}]}"#,
            )],
        ),
    },
    Explanation {
        code: "rarity-caps",
        severity: Level::Error,
        meaning: "A rarity is capped twice, or a cap lies outside what the stat can be.",
        why: "Only one cap can hold, and one beyond the stat's own range caps nothing.",
        mend: "Cap each rarity once, within the stat's `min` and `max`.",
        source: SOURCE,
        example: example(
            &[ruleset("/items/rarityCaps", r#"[{"rarity": "common", "stats": {"guard": 5}}]"#)],
            &[ruleset("/items/rarityCaps", r#"[{"rarity": "common", "stats": {"guard": 2}}]"#)],
        ),
    },
    Explanation {
        code: "default-price",
        severity: Level::Error,
        meaning: "No price level of the market is the default, or more than one is.",
        why: "The default is what is asked for where nothing else is said.",
        mend: "Set `default` on exactly one price level.",
        source: SOURCE,
        example: example(
            &[ruleset(
                "/items/market/prices/-",
                r#"{"id": "cheap", "label": "Closing time", "times": 0.5, "default": true}"#,
            )],
            &[ruleset("/items/market/prices/-", r#"{"id": "cheap", "label": "Closing time", "times": 0.5}"#)],
        ),
    },
    Explanation {
        code: "health-source",
        severity: Level::Error,
        meaning: "Health is a track that counts no wounds, or a pool that starts empty.",
        why: "Whoever enters a fight would be down at once, or could never be hurt.",
        mend: "Name a live pool that starts full, or a track with `kinds`.",
        source: SOURCE,
        example: example(
            &[ruleset("/battle", r#"{"health": {"track": "heat"}}"#)],
            &[ruleset("/battle", r#"{"health": {"pool": "grit"}}"#)],
        ),
    },
    Explanation {
        code: "energy-is-health",
        severity: Level::Error,
        meaning: "A battle spends health as energy.",
        why: "Every skill would bring whoever uses it closer to falling.",
        mend: "Name another pool as energy, or none.",
        source: SOURCE,
        example: example(
            &[ruleset("/battle", r#"{"health": {"pool": "grit"}, "energy": {"pool": "grit"}}"#)],
            &[ruleset("/battle", r#"{"health": {"pool": "grit"}, "energy": {"pool": "luck"}}"#)],
        ),
    },
    Explanation {
        code: "battle-slots",
        severity: Level::Error,
        meaning: "A pool or a level is listed twice among the slots of a battle.",
        why: "Each level is paid for from one pool, and each pool pays for one level.",
        mend: "List each pool and each level once.",
        source: SOURCE,
        example: example(
            &[ruleset(
                "/battle",
                r#"{"health": {"pool": "grit"}, "slots": [{"pool": "luck", "level": 1}, {"pool": "luck", "level": 2}]}"#,
            )],
            &[ruleset("/battle", r#"{"health": {"pool": "grit"}, "slots": [{"pool": "luck", "level": 1}]}"#)],
        ),
    },
    Explanation {
        code: "always-when",
        severity: Level::Error,
        meaning: "`alwaysWhen` stands without `onlyWhen`, or waits for a value its column can never hold.",
        why: "It makes exceptions from `onlyWhen`; without it, or with such a value, there is nothing to except.",
        mend: "Give `onlyWhen`, and a value the column can hold.",
        source: SOURCE,
        example: example(
            &[ruleset(
                "/battle",
                r#"{"health": {"pool": "grit"}, "skills": [{"list": "gear", "onlyWhen": "packed", "alwaysWhen": {"column": "swing", "equals": "grace"}}]}"#,
            )],
            &[ruleset(
                "/battle",
                r#"{"health": {"pool": "grit"}, "skills": [{"list": "gear", "onlyWhen": "packed", "alwaysWhen": {"column": "swing", "equals": "heart"}}]}"#,
            )],
        ),
    },
    Explanation {
        code: "combat-kind",
        severity: Level::Error,
        meaning: "The parts of `combat` are not those of its kind: `attackRoll` for attacks against a defense, `pool` (and checks thrown with pools) for pools of dice.",
        why: "An attack is rolled in one of the two ways, and the other's rules would never be read.",
        mend: "Give what the kind needs, and take out what is the other kind's.",
        source: SOURCE,
        example: example(
            &[ruleset("/combat/kind", r#""dice-pool""#)],
            &[ruleset("/combat/kind", r#""attack-vs-defense""#)],
        ),
    },
    Explanation {
        code: "damage-kinds",
        severity: Level::Error,
        meaning: "Health is a wound track without `damageKinds`, or a pool with them.",
        why: "Damage has to become wounds of some kind on a track; in a pool it is only a number.",
        mend: "Declare `combat.damageKinds` beside a wound track, and only there.",
        source: SOURCE,
        example: example(
            &[ruleset("/combat/damageKinds", r#"{"default": "cut", "marks": "per-blow"}"#)],
            &[ruleset("/combat/health", r#"{"pool": "grit"}"#)],
        ),
    },
    Explanation {
        code: "initiative",
        severity: Level::Error,
        meaning: "Initiative is thrown in no way, or in two.",
        why: "The order of turns needs one throw: `dice`, or a `pool`.",
        mend: "Keep exactly one of them.",
        source: SOURCE,
        example: example(
            &[ruleset("/combat/initiative", r#"{"modifier": {"abilityMod": "wits"}}"#)],
            &[ruleset(
                "/combat/initiative",
                r#"{"dice": {"count": 2, "sides": 6}, "modifier": {"abilityMod": "wits"}}"#,
            )],
        ),
    },
    Explanation {
        code: "condition-twice",
        severity: Level::Error,
        meaning: "What a condition does is said twice.",
        why: "Only one of the two would be read.",
        mend: "Say all it does in one place.",
        source: SOURCE,
        example: example(
            &[ruleset("/combat/conditions/-", r#"{"condition": "shaken", "effects": ["cannot-react"]}"#)],
            &[ruleset("/combat/conditions/-", r#"{"condition": "wounded", "effects": ["cannot-react"]}"#)],
        ),
    },
    Explanation {
        code: "level-at",
        severity: Level::Error,
        meaning: "A level sets in above what its track can ever reach.",
        why: "Nobody would ever suffer it.",
        mend: "Lower `at`, or raise the track's `max`.",
        source: SOURCE,
        example: example(
            &[ruleset("/combat/levels", r#"[{"track": "heat", "at": 6, "effects": ["speed-zero"]}]"#)],
            &[ruleset("/combat/levels", r#"[{"track": "heat", "at": 5, "effects": ["speed-zero"]}]"#)],
        ),
    },
    Explanation {
        code: "dying-tracks",
        severity: Level::Error,
        meaning: "Saves of the dying are counted on one track for both, or on a track that counts wounds, can be hidden or has no fixed maximum.",
        why: "Successes and failures are counted apart, for everybody, up to a fixed number.",
        mend: "Name two plain tracks without `hideWhen`, each with a number as its `max`.",
        source: SOURCE,
        example: example(
            &[ruleset(
                "/combat/dying",
                r#"{"kind": "saves", "successes": "heat", "failures": "heat", "dice": {"count": 1, "sides": 6}, "succeedAt": 4}"#,
            )],
            &[
                ruleset("/sheet/live/tracks/-", r#"{"id": "doom", "label": "Doom", "min": 0, "max": 3}"#),
                ruleset(
                    "/combat/dying",
                    r#"{"kind": "saves", "successes": "heat", "failures": "doom", "dice": {"count": 1, "sides": 6}, "succeedAt": 4}"#,
                ),
            ],
        ),
    },
];
