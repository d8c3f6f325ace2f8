//! The shape of a ruleset: keys, types, bounds, text.

use super::{Base, Edit, Example, Explanation, Level};

const RULESET: &str = "ruleset.json";
const WARES: &str = "catalogs/wares.json";

/// An example out of the ruleset that adds dice up.
const fn sum(wrong: &'static [Edit], right: &'static [Edit]) -> Option<Example> {
    Some(Example { base: Base::Sum, wrong, right })
}

/// Every code that the shape check raises itself. `ruleset-json` and `catalog-json` are also raised where text is no JSON
/// at all.
pub(super) const ALL: &[Explanation] = &[
    Explanation {
        code: "ruleset-json",
        severity: Level::Error,
        meaning: "The ruleset file is not JSON, or not an object.",
        why: "Nothing in it can be read.",
        mend: "Mend it where the message points; a ruleset is one object, `{…}`.",
        source: "docs/spec/checks.md#ground-rules",
        example: sum(
            &[Edit { file: RULESET, at: "", to: "[]" }],
            &[Edit { file: RULESET, at: "/schemaVersion", to: "1" }],
        ),
    },
    Explanation {
        code: "catalog-json",
        severity: Level::Error,
        meaning: "A catalog file is not JSON, or not an object.",
        why: "None of its entries can be read.",
        mend: "Mend it where the message points; a catalog file is one object with `schemaVersion`, `catalog` and `entries`.",
        source: "docs/spec/checks.md#catalogs",
        example: sum(
            &[Edit { file: WARES, at: "", to: "[]" }],
            &[Edit { file: WARES, at: "/catalog", to: r#""wares""# }],
        ),
    },
    Explanation {
        code: "ruleset-schema-version",
        severity: Level::Error,
        meaning: "`schemaVersion` is missing or not 1.",
        why: "It tells engines how to read the rest, and 1 is the only way there is.",
        mend: "Write `\"schemaVersion\": 1`.",
        source: "docs/spec/checks.md#top-level",
        example: sum(
            &[Edit { file: RULESET, at: "/schemaVersion", to: r#""1""# }],
            &[Edit { file: RULESET, at: "/schemaVersion", to: "1" }],
        ),
    },
    Explanation {
        code: "ruleset-id",
        severity: Level::Error,
        meaning: "The ruleset's `id` is missing, misspelt, or one the engine keeps for itself.",
        why: "Games remember by it which rules they are played with.",
        mend: "Write lowercase letters and digits in groups joined by `-`, at most 64 characters; not `engine-legacy` or `traditional`.",
        source: "docs/spec/checks.md#ground-rules",
        example: sum(
            &[Edit { file: RULESET, at: "/id", to: r#""Ember Roads""# }],
            &[Edit { file: RULESET, at: "/id", to: r#""ember-roads""# }],
        ),
    },
    Explanation {
        code: "ruleset-version",
        severity: Level::Error,
        meaning: "The ruleset's `version` is missing or not a whole number from 1 on.",
        why: "Engines tell a newer ruleset from an older one by it.",
        mend: "Count versions 1, 2, 3; the package has a version of its own in three parts.",
        source: "docs/spec/checks.md#top-level",
        example: sum(
            &[Edit { file: RULESET, at: "/version", to: r#""1.2.0""# }],
            &[Edit { file: RULESET, at: "/version", to: "2" }],
        ),
    },
    Explanation {
        code: "ruleset-name",
        severity: Level::Error,
        meaning: "The ruleset's `name` is missing, empty or not text.",
        why: "Players choose a ruleset by its name.",
        mend: "Write the name players should see.",
        source: "docs/spec/checks.md#top-level",
        example: sum(
            &[Edit { file: RULESET, at: "/name", to: r#""""# }],
            &[Edit { file: RULESET, at: "/name", to: r#""Ember Roads""# }],
        ),
    },
    Explanation {
        code: "unknown-key",
        severity: Level::Either,
        meaning: "An object has a key that its kind of object does not have.",
        why: "The engine refuses the whole ruleset for one key it does not know, most of all for a misspelt one.",
        mend: "Correct the spelling, or take the key out; what is meant for readers goes into `$comment`.",
        source: "docs/spec/checks.md#ground-rules; docs/spec/decisions.md#q27",
        example: sum(
            &[Edit {
                file: RULESET,
                at: "/sheet/skills/-",
                to: r#"{ "id": "haul", "label": "Haul", "abilty": "brawn" }"#,
            }],
            &[Edit {
                file: RULESET,
                at: "/sheet/skills/-",
                to: r#"{ "id": "haul", "label": "Haul", "ability": "brawn" }"#,
            }],
        ),
    },
    Explanation {
        code: "missing-key",
        severity: Level::Error,
        meaning: "An object lacks a key that it must have.",
        why: "The engine refuses the whole ruleset.",
        mend: "Add the key.",
        source: "docs/spec/ruleset.md#the-whole-ruleset",
        example: sum(
            &[Edit { file: RULESET, at: "/sheet/live/conditions/-", to: r#"{ "id": "dazed" }"# }],
            &[Edit { file: RULESET, at: "/sheet/live/conditions/-", to: r#"{ "id": "dazed", "label": "Dazed" }"# }],
        ),
    },
    Explanation {
        code: "wrong-type",
        severity: Level::Error,
        meaning: "A value is of another type than is wanted there.",
        why: "The engine refuses the whole ruleset; it turns no text into a number, nor a fraction into a whole one.",
        mend: "Write the type that the message names.",
        source: "docs/spec/ruleset.md#the-whole-ruleset",
        example: sum(
            &[Edit {
                file: RULESET,
                at: "/sheet/fields/-",
                to: r#"{ "id": "rations", "label": "Rations", "type": "number", "min": "0", "max": 9 }"#,
            }],
            &[Edit {
                file: RULESET,
                at: "/sheet/fields/-",
                to: r#"{ "id": "rations", "label": "Rations", "type": "number", "min": 0, "max": 9 }"#,
            }],
        ),
    },
    Explanation {
        code: "out-of-range",
        severity: Level::Error,
        meaning: "A number is smaller or larger than is allowed there.",
        why: "The engine refuses the whole ruleset.",
        mend: "Choose a number within the bounds that the message names.",
        source: "docs/spec/ruleset.md#the-whole-ruleset",
        example: sum(
            &[Edit {
                file: RULESET,
                at: "/sheet/live/text",
                to: r#"[{ "id": "mood", "label": "Mood", "maxLength": 900 }]"#,
            }],
            &[Edit {
                file: RULESET,
                at: "/sheet/live/text",
                to: r#"[{ "id": "mood", "label": "Mood", "maxLength": 500 }]"#,
            }],
        ),
    },
    Explanation {
        code: "empty-text",
        severity: Level::Error,
        meaning: "A text is empty where something must be said.",
        why: "There would be nothing to show or to name.",
        mend: "Write the text; if the key may be absent, leave it out instead.",
        source: "docs/spec/ruleset.md#the-whole-ruleset",
        example: sum(
            &[Edit { file: RULESET, at: "/sheet/live/conditions/-", to: r#"{ "id": "dazed", "label": "" }"# }],
            &[Edit { file: RULESET, at: "/sheet/live/conditions/-", to: r#"{ "id": "dazed", "label": "Dazed" }"# }],
        ),
    },
    Explanation {
        code: "too-long",
        severity: Level::Error,
        meaning: "A text is longer than is allowed there.",
        why: "The engine refuses it, since it has to fit on a sheet or into a prompt.",
        mend: "Shorten it; counted are UTF-16 units, so that most emoji count as two.",
        source: "docs/spec/ruleset.md#the-whole-ruleset",
        example: sum(
            &[Edit {
                file: RULESET,
                at: "/sheet/abilities/-",
                to: r#"{ "id": "grace", "label": "Grace", "short": "GRACEFULNESS", "min": -1, "max": 3, "default": 0 }"#,
            }],
            &[Edit {
                file: RULESET,
                at: "/sheet/abilities/-",
                to: r#"{ "id": "grace", "label": "Grace", "short": "GRC", "min": -1, "max": 3, "default": 0 }"#,
            }],
        ),
    },
    Explanation {
        code: "too-many",
        severity: Level::Error,
        meaning: "A list or a mapping holds more than is allowed there.",
        why: "The engine refuses the whole ruleset.",
        mend: "Take some out.",
        source: "docs/spec/ruleset.md#the-whole-ruleset",
        example: sum(
            &[Edit {
                file: RULESET,
                at: "/gm/sheetSummary/lists/-",
                to: r#"{ "list": "gear", "nameColumn": "name", "columns": ["damage", "harm", "bulk", "notes"] }"#,
            }],
            &[Edit {
                file: RULESET,
                at: "/gm/sheetSummary/lists/-",
                to: r#"{ "list": "gear", "nameColumn": "name", "columns": ["damage", "harm", "bulk"] }"#,
            }],
        ),
    },
    Explanation {
        code: "too-few",
        severity: Level::Error,
        meaning: "A list or a mapping holds less than it must.",
        why: "The engine refuses the whole ruleset.",
        mend: "Add what is missing; if the key may be absent, leave it out instead.",
        source: "docs/spec/ruleset.md#the-whole-ruleset",
        example: sum(
            &[Edit {
                file: RULESET,
                at: "/sheet/derived/-",
                to: r#"{ "id": "reserve", "label": "Reserve", "op": "min", "of": [{ "const": 3 }] }"#,
            }],
            &[Edit {
                file: RULESET,
                at: "/sheet/derived/-",
                to: r#"{ "id": "reserve", "label": "Reserve", "op": "min", "of": [{ "const": 3 }, { "field": "toughness" }] }"#,
            }],
        ),
    },
    Explanation {
        code: "not-a-choice",
        severity: Level::Error,
        meaning: "A value is none of those that can stand there.",
        why: "The engine knows only these, and refuses the whole ruleset.",
        mend: "Choose one of those that the message names.",
        source: "docs/spec/ruleset.md#the-whole-ruleset",
        example: sum(
            &[Edit {
                file: RULESET,
                at: "/sheet/fields/-",
                to: r#"{ "id": "rations", "label": "Rations", "type": "integer", "min": 0, "max": 9 }"#,
            }],
            &[Edit {
                file: RULESET,
                at: "/sheet/fields/-",
                to: r#"{ "id": "rations", "label": "Rations", "type": "number", "min": 0, "max": 9 }"#,
            }],
        ),
    },
    Explanation {
        code: "bad-id",
        severity: Level::Error,
        meaning: "An id is not written as ids are.",
        why: "Ids stand in commands and stored sheets, where other characters would be misread.",
        mend: "Write lowercase letters, digits and `_`, a letter first, at most 40; of catalog entries lowercase letters and digits in groups joined by `-`, at most 80.",
        source: "docs/spec/checks.md#ground-rules",
        example: sum(
            &[Edit { file: RULESET, at: "/sheet/live/conditions/-", to: r#"{ "id": "Dazed!", "label": "Dazed" }"# }],
            &[Edit { file: RULESET, at: "/sheet/live/conditions/-", to: r#"{ "id": "dazed", "label": "Dazed" }"# }],
        ),
    },
    Explanation {
        code: "bad-dice",
        severity: Level::Error,
        meaning: "A text that is thrown is not written as dice are.",
        why: "The engine cannot throw it.",
        mend: "Write `<count>d<sides>`, with `+` or `-` and a number after it if need be, without spaces: 1 to 999 dice of 2 to 9999 sides.",
        source: "docs/spec/checks.md#ground-rules",
        example: sum(
            &[Edit {
                file: RULESET,
                at: "/items/lootTables/-",
                to: r#"{ "id": "purse", "label": "Purse", "entries": [{ "coins": "bead", "count": "2 d6" }] }"#,
            }],
            &[Edit {
                file: RULESET,
                at: "/items/lootTables/-",
                to: r#"{ "id": "purse", "label": "Purse", "entries": [{ "coins": "bead", "count": "2d6" }] }"#,
            }],
        ),
    },
    Explanation {
        code: "unsafe-text",
        severity: Level::Error,
        meaning: "A text that gets into prompts holds a line break, a control character, `[`, `]` or doubled braces.",
        why: "The Game Master would take it for a command or the end of one.",
        mend: "Write it on one line, with `(` and `)` instead of brackets.",
        source: "docs/spec/checks.md#ground-rules",
        example: sum(
            &[Edit {
                file: RULESET,
                at: "/sheet/live/conditions/-",
                to: r#"{ "id": "dazed", "label": "Dazed [1 round]" }"#,
            }],
            &[Edit {
                file: RULESET,
                at: "/sheet/live/conditions/-",
                to: r#"{ "id": "dazed", "label": "Dazed (1 round)" }"#,
            }],
        ),
    },
    Explanation {
        code: "unsafe-catalog-text",
        severity: Level::Error,
        meaning: "A catalog's text holds a line break or a control character.",
        why: "It is shown on one line.",
        mend: "Write it on one line.",
        source: "docs/spec/checks.md#ground-rules",
        example: sum(
            &[Edit {
                file: WARES,
                at: "/entries/-",
                to: r#"{ "id": "tin-cup", "label": "Tin Cup", "summary": "Dented.\nHolds water.", "item": { "category": "supply" } }"#,
            }],
            &[Edit {
                file: WARES,
                at: "/entries/-",
                to: r#"{ "id": "tin-cup", "label": "Tin Cup", "summary": "Dented. Holds water.", "item": { "category": "supply" } }"#,
            }],
        ),
    },
    Explanation {
        code: "step-table",
        severity: Level::Error,
        meaning: "A row of a step table is not a pair of numbers, or its threshold is not above the one before it.",
        why: "The table is read from the top, so a threshold that does not rise is never reached.",
        mend: "Write each row as `[threshold, value]`, from the lowest threshold to the highest.",
        source: "docs/spec/checks.md#ground-rules",
        example: sum(
            &[Edit {
                file: RULESET,
                at: "/sheet/derived/-",
                to: r#"{ "id": "pace", "label": "Pace", "op": "stepTable", "from": { "field": "toughness" }, "table": [[3, 1], [0, 2]] }"#,
            }],
            &[Edit {
                file: RULESET,
                at: "/sheet/derived/-",
                to: r#"{ "id": "pace", "label": "Pace", "op": "stepTable", "from": { "field": "toughness" }, "table": [[0, 2], [3, 1]] }"#,
            }],
        ),
    },
    Explanation {
        code: "exactly-one",
        severity: Level::Error,
        meaning: "Of keys that exclude each other an object has several, or none.",
        why: "Nobody could tell which of them counts.",
        mend: "Keep exactly one of the keys that the message names.",
        source: "docs/spec/ruleset.md#the-whole-ruleset",
        example: sum(
            &[Edit {
                file: RULESET,
                at: "/sheet/derived/-",
                to: r#"{ "id": "vigor", "label": "Vigor", "op": "sum", "of": [{ "field": "toughness", "const": 1 }] }"#,
            }],
            &[Edit {
                file: RULESET,
                at: "/sheet/derived/-",
                to: r#"{ "id": "vigor", "label": "Vigor", "op": "sum", "of": [{ "field": "toughness" }, { "const": 1 }] }"#,
            }],
        ),
    },
    Explanation {
        code: "at-least-one",
        severity: Level::Error,
        meaning: "An object has none of the keys that give it a meaning.",
        why: "It would mean nothing, or everything.",
        mend: "Add one of the keys that the message names.",
        source: "docs/spec/ruleset.md#the-whole-ruleset",
        example: sum(
            &[Edit {
                file: RULESET,
                at: "/items/lootTables/-",
                to: r#"{ "id": "purse", "label": "Purse", "entries": [{ "filter": {} }] }"#,
            }],
            &[Edit {
                file: RULESET,
                at: "/items/lootTables/-",
                to: r#"{ "id": "purse", "label": "Purse", "entries": [{ "filter": { "tag": "fuel" } }] }"#,
            }],
        ),
    },
    Explanation {
        code: "stray-key",
        severity: Level::Error,
        meaning: "A key stands without the one to which it belongs.",
        why: "It has no effect, and the engine refuses it.",
        mend: "Take it out, or add the key that the message names.",
        source: "docs/spec/checks.md#values-and-resolution",
        example: sum(
            &[Edit {
                file: RULESET,
                at: "/sheet/derived/-",
                to: r#"{ "id": "shown", "label": "Shown", "op": "sum", "of": [{ "livePool": "grit", "read": "value" }] }"#,
            }],
            &[Edit {
                file: RULESET,
                at: "/sheet/derived/-",
                to: r#"{ "id": "shown", "label": "Shown", "op": "sum", "of": [{ "liveTrack": "heat", "read": "value" }] }"#,
            }],
        ),
    },
    Explanation {
        code: "repeated-value",
        severity: Level::Error,
        meaning: "A list of values to choose from names one twice.",
        why: "The second could never be told from the first.",
        mend: "Take one of them out.",
        source: "docs/spec/checks.md#sheet",
        example: sum(
            &[Edit {
                file: RULESET,
                at: "/sheet/fields/-",
                to: r#"{ "id": "mood", "label": "Mood", "type": "enum", "values": ["calm", "grim", "calm"] }"#,
            }],
            &[Edit {
                file: RULESET,
                at: "/sheet/fields/-",
                to: r#"{ "id": "mood", "label": "Mood", "type": "enum", "values": ["calm", "grim"] }"#,
            }],
        ),
    },
    Explanation {
        code: "min-above-max",
        severity: Level::Error,
        meaning: "`max` is below `min`.",
        why: "No number lies between them.",
        mend: "Exchange the two, or correct one.",
        source: "docs/spec/checks.md#values-and-resolution; docs/spec/checks.md#sheet",
        example: sum(
            &[Edit {
                file: RULESET,
                at: "/sheet/fields/-",
                to: r#"{ "id": "rations", "label": "Rations", "type": "number", "min": 9, "max": 0 }"#,
            }],
            &[Edit {
                file: RULESET,
                at: "/sheet/fields/-",
                to: r#"{ "id": "rations", "label": "Rations", "type": "number", "min": 0, "max": 9 }"#,
            }],
        ),
    },
    Explanation {
        code: "default-out-of-range",
        severity: Level::Error,
        meaning: "A default is outside of its own range, longer than its text may be, or none of its values.",
        why: "A new sheet would hold what nobody can enter.",
        mend: "Choose a default that could be entered.",
        source: "docs/spec/checks.md#sheet",
        example: sum(
            &[Edit {
                file: RULESET,
                at: "/sheet/fields/-",
                to: r#"{ "id": "rations", "label": "Rations", "type": "number", "min": 0, "max": 9, "default": 12 }"#,
            }],
            &[Edit {
                file: RULESET,
                at: "/sheet/fields/-",
                to: r#"{ "id": "rations", "label": "Rations", "type": "number", "min": 0, "max": 9, "default": 3 }"#,
            }],
        ),
    },
];
