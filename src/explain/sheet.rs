//! Ids, references, and the rules of checks, the sheet, its live state, rests and guidance.

use super::{Base, Edit, Example, Explanation, Level};

/// An example out of the ruleset that adds dice up.
const fn sum(wrong: &'static [Edit], right: &'static [Edit]) -> Option<Example> {
    Some(Example { base: Base::Sum, wrong, right })
}

/// An example out of the ruleset that throws a pool of dice.
const fn pool(wrong: &'static [Edit], right: &'static [Edit]) -> Option<Example> {
    Some(Example { base: Base::Pool, wrong, right })
}

const fn value(at: &'static str, to: &'static str) -> Edit {
    Edit { file: "ruleset.json", at, to }
}

const fn entry(at: &'static str, to: &'static str) -> Edit {
    Edit { file: "catalogs/knacks.json", at, to }
}

pub(super) const ALL: &[Explanation] = &[
    Explanation {
        code: "unknown-id",
        severity: Level::Error,
        meaning: "Something is named that the ruleset declares nowhere.",
        why: "The engine refuses a ruleset with a reference that leads nowhere.",
        mend: "Correct the spelling, or declare what is named.",
        source: "docs/spec/checks.md#namespaces-of-ids",
        example: pool(
            &[value("/sheet/skills/-", r#"{ "id": "climb", "label": "Climb", "ability": "brawn" }"#)],
            &[value("/sheet/skills/-", r#"{ "id": "climb", "label": "Climb", "ability": "sinew" }"#)],
        ),
    },
    Explanation {
        code: "duplicate-id",
        severity: Level::Error,
        meaning: "Two things of the same kind have the same id.",
        why: "What names that id could mean either of them.",
        mend: "Give one of the two another id, and look for what should name it.",
        source: "docs/spec/checks.md#namespaces-of-ids",
        example: pool(
            &[value("/sheet/skills/-", r#"{ "id": "dig", "label": "Dig deep", "ability": "sinew" }"#)],
            &[value("/sheet/skills/-", r#"{ "id": "dig_deep", "label": "Dig deep", "ability": "sinew" }"#)],
        ),
    },
    Explanation {
        code: "id-taken",
        severity: Level::Error,
        meaning: "A save has the id of a skill, a derived value that of a field, or a live pool that of a live track.",
        why: "These are looked up together, so one of the two could never be found.",
        mend: "Give one of the two another id.",
        source: "docs/spec/checks.md#namespaces-of-ids",
        example: pool(
            &[value("/sheet/saves/-", r#"{ "id": "dig", "label": "Dig in", "ability": "sinew" }"#)],
            &[value("/sheet/saves/-", r#"{ "id": "dig_in", "label": "Dig in", "ability": "sinew" }"#)],
        ),
    },
    Explanation {
        code: "wrong-reference-type",
        severity: Level::Error,
        meaning: "What is named is there, but of another type than is wanted in this place.",
        why: "A number cannot be read out of text, a choice out of a number, or a penalty out of a track that counts \
              no wounds.",
        mend: "Name something of the wanted type.",
        source: "docs/spec/checks.md#values-and-resolution",
        example: pool(
            &[value(
                "/sheet/derived/-",
                r#"{ "id": "light", "label": "Light", "op": "sum", "of": [{ "field": "post" }] }"#,
            )],
            &[value(
                "/sheet/derived/-",
                r#"{ "id": "light", "label": "Light", "op": "sum", "of": [{ "field": "lantern" }] }"#,
            )],
        ),
    },
    Explanation {
        code: "value-reads-live",
        severity: Level::Error,
        meaning: "A number that has to stay put during play is read from one that changes: a live pool or track, a \
                  live state or items, be it by way of derived values or of what caps a skill.",
        why: "A maximum would move under the number it bounds.",
        mend: "Read fields, abilities, or derived values made of these.",
        source: "docs/spec/checks.md#values-and-resolution",
        example: pool(
            &[value("/sheet/live/pools/-", r#"{ "id": "hope", "label": "Hope", "max": { "livePool": "resolve" } }"#)],
            &[value(
                "/sheet/live/pools/-",
                r#"{ "id": "hope", "label": "Hope", "max": { "derived": "resolve_max" } }"#,
            )],
        ),
    },
    Explanation {
        code: "value-reads-modifier",
        severity: Level::Error,
        meaning: "The proficiency bonus, or what caps a skill or a save, is read from the modifier of a skill or save, \
                  or from a derived value that has such a one in or above it.",
        why: "Modifiers are worked out of these numbers, so they are not known yet.",
        mend: "Read an ability or a field, and declare derived values with modifiers below those read here.",
        source: "docs/spec/checks.md#values-and-resolution",
        example: pool(
            &[value(
                "/sheet/skills/-",
                r#"{ "id": "climb", "label": "Climb", "ability": "sinew", "cap": { "skillMod": "dig" } }"#,
            )],
            &[value(
                "/sheet/skills/-",
                r#"{ "id": "climb", "label": "Climb", "ability": "sinew", "cap": { "abilityScore": "sinew" } }"#,
            )],
        ),
    },
    Explanation {
        code: "value-reads-list-sum",
        severity: Level::Error,
        meaning: "A column of a catalog's row is scaled from a sum over a list, be it by way of derived values.",
        why: "The row is itself part of a list, whose sum would follow it.",
        mend: "Scale from an ability, a field, or a derived value that sums up no list.",
        source: "docs/spec/checks.md#values-and-resolution",
        example: sum(
            &[entry(
                "/entries/-",
                r#"{
  "id": "deep-pockets",
  "label": "Deep pockets",
  "rows": [
    {
      "list": "tricks",
      "values": { "name": "Deep pockets", "uses": 1 },
      "scaled": { "uses": { "from": { "listSum": { "list": "gear", "column": "bulk" } } } }
    }
  ]
}"#,
            )],
            &[entry(
                "/entries/-",
                r#"{
  "id": "deep-pockets",
  "label": "Deep pockets",
  "rows": [
    {
      "list": "tricks",
      "values": { "name": "Deep pockets", "uses": 1 },
      "scaled": { "uses": { "from": { "field": "toughness" } } }
    }
  ]
}"#,
            )],
        ),
    },
    Explanation {
        code: "items-needed",
        severity: Level::Error,
        meaning: "A value reads the items a character has, but the ruleset has no `items`.",
        why: "Without the words for items nothing can be worn or carried.",
        mend: "Declare `items`, or read something else.",
        source: "docs/spec/checks.md#values-and-resolution",
        example: pool(
            &[value(
                "/sheet/derived/-",
                r#"{
  "id": "load",
  "label": "Load",
  "op": "sum",
  "of": [{ "itemStat": { "from": "carried", "pick": "count" } }]
}"#,
            )],
            &[value(
                "/sheet/derived/-",
                r#"{
  "id": "load",
  "label": "Load",
  "op": "sum",
  "of": [{ "field": "lantern" }]
}"#,
            )],
        ),
    },
    Explanation {
        code: "derived-order",
        severity: Level::Error,
        meaning: "A derived value reads one that is not declared above it.",
        why: "Derived values are worked out from top to bottom, so that one is not known yet; this also keeps two from \
              reading each other.",
        mend: "Move the derived value that is read above the one that reads it.",
        source: "docs/spec/checks.md#values-and-resolution",
        example: pool(
            &[
                value(
                    "/sheet/derived/-",
                    r#"{
  "id": "glow",
  "label": "Glow",
  "op": "sum",
  "of": [{ "derived": "half_oil" }, { "const": 1 }]
}"#,
                ),
                value(
                    "/sheet/derived/-",
                    r#"{
  "id": "half_oil",
  "label": "Half the oil",
  "op": "scale",
  "of": { "field": "lantern" },
  "multiplier": 0.5
}"#,
                ),
            ],
            &[
                value(
                    "/sheet/derived/-",
                    r#"{
  "id": "half_oil",
  "label": "Half the oil",
  "op": "scale",
  "of": { "field": "lantern" },
  "multiplier": 0.5
}"#,
                ),
                value(
                    "/sheet/derived/-",
                    r#"{
  "id": "glow",
  "label": "Glow",
  "op": "sum",
  "of": [{ "derived": "half_oil" }, { "const": 1 }]
}"#,
                ),
            ],
        ),
    },
    Explanation {
        code: "enum-table-key",
        severity: Level::Error,
        meaning: "A row of an `enumTable` is for a value that the field or live state does not have.",
        why: "The row would never be read.",
        mend: "Correct the value, or take the row away; a value without a row reads the table's `default`.",
        source: "docs/spec/checks.md#sheet",
        example: pool(
            &[value(
                "/sheet/derived/-",
                r#"{
  "id": "cold",
  "label": "Cold",
  "op": "enumTable",
  "from": { "field": "watch" },
  "table": { "night": 2, "noon": 0 }
}"#,
            )],
            &[value(
                "/sheet/derived/-",
                r#"{
  "id": "cold",
  "label": "Cold",
  "op": "enumTable",
  "from": { "field": "watch" },
  "table": { "night": 2, "dawn": 1 }
}"#,
            )],
        ),
    },
    Explanation {
        code: "hide-when-value",
        severity: Level::Error,
        meaning: "`hideWhen` compares a field with a value it cannot have.",
        why: "What should be hidden would always be shown, or never.",
        mend: "Compare with a value of the field's own type, one of its `values`, and within its range or length.",
        source: "docs/spec/checks.md#values-and-resolution",
        example: pool(
            &[value(
                "/sheet/fields/-",
                r#"{
  "id": "bell",
  "label": "Bell",
  "type": "boolean",
  "hideWhen": { "field": "watch", "equals": "noon" }
}"#,
            )],
            &[value(
                "/sheet/fields/-",
                r#"{
  "id": "bell",
  "label": "Bell",
  "type": "boolean",
  "hideWhen": { "field": "watch", "equals": "dawn" }
}"#,
            )],
        ),
    },
    Explanation {
        code: "label-of-no-value",
        severity: Level::Error,
        meaning: "`valueLabels` has a label for something that is none of the `values`.",
        why: "The label would never be shown, and the value it was meant for stays without one.",
        mend: "Use the values themselves, letter for letter, as keys.",
        source: "docs/spec/checks.md#sheet",
        example: pool(
            &[value(
                "/sheet/fields/-",
                r#"{
  "id": "bell",
  "label": "Bell",
  "type": "enum",
  "values": ["iron", "glass"],
  "valueLabels": { "steel": "Iron bell" }
}"#,
            )],
            &[value(
                "/sheet/fields/-",
                r#"{
  "id": "bell",
  "label": "Bell",
  "type": "enum",
  "values": ["iron", "glass"],
  "valueLabels": { "iron": "Iron bell" }
}"#,
            )],
        ),
    },
    Explanation {
        code: "untrained-harder",
        severity: Level::Error,
        meaning: "`untrained` is `harder`, but the target number of checks cannot go up.",
        why: "Harder means a higher target number, which only a dice pool with a range of them has.",
        mend: "Write a number instead, such as `{ \"by\": -2 }`, or let `resolution.target` range.",
        source: "docs/spec/checks.md#sheet",
        example: sum(
            &[value(
                "/sheet/skills/-",
                r#"{ "id": "climb", "label": "Climb", "ability": "brawn", "untrained": "harder" }"#,
            )],
            &[value(
                "/sheet/skills/-",
                r#"{ "id": "climb", "label": "Climb", "ability": "brawn", "untrained": { "by": -2 } }"#,
            )],
        ),
    },
    Explanation {
        code: "tier-without-proficiency",
        severity: Level::Error,
        meaning: "A proficiency tier multiplies the proficiency bonus, and the ruleset has none.",
        why: "The tier would add nothing.",
        mend: "Declare `resolution.proficiency`, or give the tier a `flat` bonus.",
        source: "docs/spec/checks.md#values-and-resolution",
        example: sum(
            &[value("/resolution/proficiencyTiers/-", r#"{ "id": "master", "label": "Master", "multiplier": 2 }"#)],
            &[value("/resolution/proficiencyTiers/-", r#"{ "id": "master", "label": "Master", "flat": 3 }"#)],
        ),
    },
    Explanation {
        code: "naturals-need-one-die",
        severity: Level::Error,
        meaning: "Natural results are looked for where a check throws several dice.",
        why: "A natural result is the face of the one die thrown.",
        mend: "Write `none`, or throw a single die.",
        source: "docs/spec/checks.md#values-and-resolution",
        example: sum(
            &[value("/resolution/naturals", r#"{ "check": "both" }"#)],
            &[value("/resolution/naturals", r#"{ "check": "none" }"#)],
        ),
    },
    Explanation {
        code: "spend-needs-dice-pool",
        severity: Level::Error,
        meaning: "Points can be spent on checks that add dice up.",
        why: "What they buy are dice, successes and re-throws of a dice pool.",
        mend: "Take `spend` away, or resolve checks with a dice pool.",
        source: "docs/spec/checks.md#values-and-resolution",
        example: sum(
            &[value("/resolution/spend", r#"[{ "pool": "luck", "amount": 1, "dice": 1, "perCheck": 1 }]"#)],
            &[value("/resolution/spend", "[]")],
        ),
    },
    Explanation {
        code: "spend-pool-twice",
        severity: Level::Error,
        meaning: "Two ways to spend name the same live pool.",
        why: "The Game Master asks for a spend by its pool, which then could mean either.",
        mend: "Put what the points buy into one, or spend another pool.",
        source: "docs/spec/checks.md#values-and-resolution",
        example: pool(
            &[value("/resolution/spend/-", r#"{ "pool": "resolve", "amount": 2, "dice": 1, "perCheck": 1 }"#)],
            &[
                value("/sheet/live/pools/-", r#"{ "id": "hope", "label": "Hope", "max": { "const": 3 } }"#),
                value("/resolution/spend/-", r#"{ "pool": "hope", "amount": 2, "dice": 1, "perCheck": 1 }"#),
            ],
        ),
    },
    Explanation {
        code: "spend-buys-nothing",
        severity: Level::Error,
        meaning: "Points are spent on a check and give nothing for it.",
        why: "A spend without effect is a mistake, and the engine refuses it.",
        mend: "Add one of `successes`, `dice` and `reroll`.",
        source: "docs/spec/checks.md#values-and-resolution",
        example: pool(
            &[
                value("/sheet/live/pools/-", r#"{ "id": "hope", "label": "Hope", "max": { "const": 3 } }"#),
                value("/resolution/spend/-", r#"{ "pool": "hope", "amount": 1, "perCheck": 1 }"#),
            ],
            &[
                value("/sheet/live/pools/-", r#"{ "id": "hope", "label": "Hope", "max": { "const": 3 } }"#),
                value("/resolution/spend/-", r#"{ "pool": "hope", "amount": 1, "dice": 2, "perCheck": 1 }"#),
            ],
        ),
    },
    Explanation {
        code: "pool-starts-empty",
        severity: Level::Error,
        meaning: "A live pool that starts empty is taken from.",
        why: "Such a pool fills up in play, as strain does; there is nothing in it to give.",
        mend: "Let it start full, or name another pool.",
        source: "docs/spec/checks.md#values-and-resolution",
        example: pool(
            &[
                value(
                    "/sheet/live/pools/-",
                    r#"{ "id": "strain", "label": "Strain", "max": { "const": 5 }, "start": "empty" }"#,
                ),
                value("/resolution/spend/-", r#"{ "pool": "strain", "amount": 1, "dice": 1, "perCheck": 1 }"#),
            ],
            &[
                value(
                    "/sheet/live/pools/-",
                    r#"{ "id": "strain", "label": "Strain", "max": { "const": 5 }, "start": "full" }"#,
                ),
                value("/resolution/spend/-", r#"{ "pool": "strain", "amount": 1, "dice": 1, "perCheck": 1 }"#),
            ],
        ),
    },
    Explanation {
        code: "face-beyond-die",
        severity: Level::Error,
        meaning: "A face is named that the die does not have, or a re-throw takes in every face.",
        why: "It would never come up, or a die would be thrown for ever.",
        mend: "Stay within the faces of `resolution.die`, 10 if it is not given; a re-throw leaves at least the \
               highest alone.",
        source: "docs/spec/checks.md#values-and-resolution",
        example: pool(
            &[value("/resolution/reroll/-", r#"{ "id": "stubborn", "upTo": 10, "mode": "until" }"#)],
            &[value("/resolution/reroll/-", r#"{ "id": "stubborn", "upTo": 5, "mode": "until" }"#)],
        ),
    },
    Explanation {
        code: "face-rule",
        severity: Level::Error,
        meaning: "Dice count double or explode from a face below the lowest the ruleset allows for that.",
        why: "`min` is the floor to which things bought or learned may lower `from`.",
        mend: "Raise `from`, or lower `min`.",
        source: "docs/spec/checks.md#values-and-resolution",
        example: pool(
            &[value("/resolution/double", r#"{ "from": 8, "min": 9 }"#)],
            &[value("/resolution/double", r#"{ "from": 10, "min": 9 }"#)],
        ),
    },
    Explanation {
        code: "low-faces-reach-target",
        severity: Level::Error,
        meaning: "Faces that cancel successes or botch a check can be successes too.",
        why: "One die would count both for and against.",
        mend: "Keep `upTo` below `resolution.target.min`.",
        source: "docs/spec/checks.md#values-and-resolution",
        example: pool(
            &[value("/resolution/botch", r#"{ "upTo": 5 }"#)],
            &[value("/resolution/botch", r#"{ "upTo": 2 }"#)],
        ),
    },
    Explanation {
        code: "unreachable-successes",
        severity: Level::Error,
        meaning: "More successes are wanted than the largest throw can count.",
        why: "Nobody could ever reach them.",
        mend: "Ask for fewer, or let the pool be larger: a throw counts `pool.max`, as many again when dice explode, \
               and twice that when faces count double.",
        source: "docs/spec/checks.md#values-and-resolution",
        example: pool(
            &[value("/resolution/difficultyLadder/-", r#"{ "label": "Unheard of", "successes": 40 }"#)],
            &[value("/resolution/difficultyLadder/-", r#"{ "label": "Unheard of", "successes": 8 }"#)],
        ),
    },
    Explanation {
        code: "ladder-target",
        severity: Level::Error,
        meaning: "A step of the ladder has a target number outside the range the ruleset gives, or the ruleset gives \
                  no range.",
        why: "Checks are thrown against target numbers within `resolution.target` only.",
        mend: "Stay between `target.min` and `target.max`, or take the step's `target` away.",
        source: "docs/spec/checks.md#values-and-resolution",
        example: pool(
            &[value("/resolution/difficultyLadder/-", r#"{ "label": "Unheard of", "successes": 4, "target": 10 }"#)],
            &[value("/resolution/difficultyLadder/-", r#"{ "label": "Unheard of", "successes": 4, "target": 9 }"#)],
        ),
    },
    Explanation {
        code: "wound-track-form",
        severity: Level::Error,
        meaning: "A wound track has neither levels nor boxes or has both, or a track that counts no wounds has keys of \
                  those that do.",
        why: "Wounds are marked either down named levels or along numbered boxes; a plain track is one number.",
        mend: "Give the track `kinds` and exactly one of `levels` and `boxes`, `extra` only beside `levels`; or none \
               of these.",
        source: "docs/spec/checks.md#sheet",
        example: pool(
            &[value(
                "/sheet/live/tracks/-",
                r#"{
  "id": "cold",
  "label": "Cold",
  "min": 0,
  "max": 2,
  "kinds": [{ "id": "chill", "label": "C", "severity": 0 }, { "id": "frost", "label": "F", "severity": 1 }]
}"#,
            )],
            &[value(
                "/sheet/live/tracks/-",
                r#"{
  "id": "cold",
  "label": "Cold",
  "min": 0,
  "max": 2,
  "levels": [{ "label": "Shivering", "penalty": 0 }, { "label": "Numb", "penalty": -2 }],
  "kinds": [{ "id": "chill", "label": "C", "severity": 0 }, { "id": "frost", "label": "F", "severity": 1 }]
}"#,
            )],
        ),
    },
    Explanation {
        code: "wound-track-hidden",
        severity: Level::Error,
        meaning: "A wound track has a `hideWhen`.",
        why: "Wounds hold on to a character even while a sheet does not show them, so such a track is always shown.",
        mend: "Take the `hideWhen` away.",
        source: "docs/spec/checks.md#sheet",
        example: pool(
            &[value(
                "/sheet/live/tracks/-",
                r#"{
  "id": "cold",
  "label": "Cold",
  "min": 0,
  "max": 2,
  "levels": [{ "label": "Shivering", "penalty": 0 }, { "label": "Numb", "penalty": -2 }],
  "kinds": [{ "id": "chill", "label": "C", "severity": 0 }, { "id": "frost", "label": "F", "severity": 1 }],
  "hideWhen": { "field": "watch", "equals": "dawn" }
}"#,
            )],
            &[value(
                "/sheet/live/tracks/-",
                r#"{
  "id": "cold",
  "label": "Cold",
  "min": 0,
  "max": 2,
  "levels": [{ "label": "Shivering", "penalty": 0 }, { "label": "Numb", "penalty": -2 }],
  "kinds": [{ "id": "chill", "label": "C", "severity": 0 }, { "id": "frost", "label": "F", "severity": 1 }]
}"#,
            )],
        ),
    },
    Explanation {
        code: "wound-track-bounds",
        severity: Level::Error,
        meaning: "A wound track does not start at 0, or does not end with its last level or at most 64 boxes.",
        why: "The number of marks a track takes has to be that of its levels or boxes, and is fixed.",
        mend: "Write 0 for `min` and `default`, and for `max` the number of levels, or of boxes.",
        source: "docs/spec/checks.md#sheet",
        example: pool(
            &[value(
                "/sheet/live/tracks/-",
                r#"{
  "id": "cold",
  "label": "Cold",
  "min": 0,
  "max": 3,
  "levels": [{ "label": "Shivering", "penalty": 0 }, { "label": "Numb", "penalty": -2 }],
  "kinds": [{ "id": "chill", "label": "C", "severity": 0 }, { "id": "frost", "label": "F", "severity": 1 }]
}"#,
            )],
            &[value(
                "/sheet/live/tracks/-",
                r#"{
  "id": "cold",
  "label": "Cold",
  "min": 0,
  "max": 2,
  "levels": [{ "label": "Shivering", "penalty": 0 }, { "label": "Numb", "penalty": -2 }],
  "kinds": [{ "id": "chill", "label": "C", "severity": 0 }, { "id": "frost", "label": "F", "severity": 1 }]
}"#,
            )],
        ),
    },
    Explanation {
        code: "wound-penalty",
        severity: Level::Error,
        meaning: "The penalty of a deeper level is milder than that of the one above it, or a box gives a bonus.",
        why: "Wounds never make anything better.",
        mend: "Order the levels from the mildest to the worst, with penalties of 0 or below.",
        source: "docs/spec/checks.md#sheet",
        example: pool(
            &[value(
                "/sheet/live/tracks/-",
                r#"{
  "id": "cold",
  "label": "Cold",
  "min": 0,
  "max": 2,
  "levels": [{ "label": "Shivering", "penalty": -2 }, { "label": "Numb", "penalty": -1 }],
  "kinds": [{ "id": "chill", "label": "C", "severity": 0 }, { "id": "frost", "label": "F", "severity": 1 }]
}"#,
            )],
            &[value(
                "/sheet/live/tracks/-",
                r#"{
  "id": "cold",
  "label": "Cold",
  "min": 0,
  "max": 2,
  "levels": [{ "label": "Shivering", "penalty": -1 }, { "label": "Numb", "penalty": -2 }],
  "kinds": [{ "id": "chill", "label": "C", "severity": 0 }, { "id": "frost", "label": "F", "severity": 1 }]
}"#,
            )],
        ),
    },
    Explanation {
        code: "wound-severity",
        severity: Level::Error,
        meaning: "Two kinds of wound are equally severe.",
        why: "Marks are sorted by severity, and a full track turns the least severe into worse ones.",
        mend: "Give each kind a `severity` of its own.",
        source: "docs/spec/checks.md#sheet",
        example: pool(
            &[value(
                "/sheet/live/tracks/-",
                r#"{
  "id": "cold",
  "label": "Cold",
  "min": 0,
  "max": 2,
  "levels": [{ "label": "Shivering", "penalty": 0 }, { "label": "Numb", "penalty": -2 }],
  "kinds": [{ "id": "chill", "label": "C", "severity": 0 }, { "id": "frost", "label": "F", "severity": 0 }]
}"#,
            )],
            &[value(
                "/sheet/live/tracks/-",
                r#"{
  "id": "cold",
  "label": "Cold",
  "min": 0,
  "max": 2,
  "levels": [{ "label": "Shivering", "penalty": 0 }, { "label": "Numb", "penalty": -2 }],
  "kinds": [{ "id": "chill", "label": "C", "severity": 0 }, { "id": "frost", "label": "F", "severity": 1 }]
}"#,
            )],
        ),
    },
    Explanation {
        code: "wound-fill",
        severity: Level::Error,
        meaning: "A track is filled box by box as one likes, and does not refuse what no longer fits.",
        why: "With `fill` `indexed` every box is a mark of its own, so a full track has nothing to turn into something \
              worse.",
        mend: "Add `\"onFull\": \"refuse\"`, or fill it in sequence.",
        source: "docs/spec/checks.md#sheet",
        example: pool(
            &[value(
                "/sheet/live/tracks/-",
                r#"{
  "id": "cold",
  "label": "Cold",
  "min": 0,
  "max": 2,
  "boxes": { "penalty": { "by": "filled", "table": [[0, 0], [1, -1]] } },
  "kinds": [{ "id": "chill", "label": "C", "severity": 0 }, { "id": "frost", "label": "F", "severity": 1 }],
  "fill": "indexed"
}"#,
            )],
            &[value(
                "/sheet/live/tracks/-",
                r#"{
  "id": "cold",
  "label": "Cold",
  "min": 0,
  "max": 2,
  "boxes": { "penalty": { "by": "filled", "table": [[0, 0], [1, -1]] } },
  "kinds": [{ "id": "chill", "label": "C", "severity": 0 }, { "id": "frost", "label": "F", "severity": 1 }],
  "fill": "indexed",
  "onFull": "refuse"
}"#,
            )],
        ),
    },
    Explanation {
        code: "rest-to",
        severity: Level::Error,
        meaning: "A rest brings something to what it cannot be.",
        why: "A pool or track goes to `max`, `min` or a number; a live state to `default` or one of its values.",
        mend: "Write one of these for `to`.",
        source: "docs/spec/checks.md#rests-and-game-master",
        example: pool(
            &[value(
                "/rests/-",
                r#"{
  "id": "scene",
  "label": "Scene",
  "restore": [{ "pool": "resolve", "to": "full" }]
}"#,
            )],
            &[value(
                "/rests/-",
                r#"{
  "id": "scene",
  "label": "Scene",
  "restore": [{ "pool": "resolve", "to": "max" }]
}"#,
            )],
        ),
    },
    Explanation {
        code: "rest-recharge",
        severity: Level::Error,
        meaning: "A rest picks rows by a recharge that their list does not have, or picks rows where there is no list.",
        why: "No row would ever be restored.",
        mend: "Put `recharge` beside `listPools`, with values of the column that the list's `pools.rechargeColumn` \
               names.",
        source: "docs/spec/checks.md#rests-and-game-master",
        example: sum(
            &[value(
                "/rests/-",
                r#"{
  "id": "scene",
  "label": "Scene",
  "restore": [{ "listPools": "tricks", "recharge": ["dawn"], "to": "max" }]
}"#,
            )],
            &[value(
                "/rests/-",
                r#"{
  "id": "scene",
  "label": "Scene",
  "restore": [{ "listPools": "tricks", "recharge": ["scene"], "to": "max" }]
}"#,
            )],
        ),
    },
    Explanation {
        code: "rest-kind",
        severity: Level::Error,
        meaning: "A rest heals a kind of wound where there are no wounds.",
        why: "Only a wound track has marks of several kinds.",
        mend: "Name a wound track beside `kind`, or take `kind` away.",
        source: "docs/spec/checks.md#rests-and-game-master",
        example: pool(
            &[value(
                "/rests/-",
                r#"{
  "id": "scene",
  "label": "Scene",
  "restore": [{ "pool": "resolve", "kind": "knock", "to": "max" }]
}"#,
            )],
            &[value(
                "/rests/-",
                r#"{
  "id": "scene",
  "label": "Scene",
  "restore": [{ "track": "harm", "kind": "knock", "to": "min" }]
}"#,
            )],
        ),
    },
];
