//! Layers, migrations, and the Capability API that features need.

use super::{Base, Edit, Example, Explanation, Level};

pub(super) const ALL: &[Explanation] = &[
    Explanation {
        code: "L02",
        severity: Level::Either,
        meaning: "A layer holds a key that no layer may hold.",
        why: "A layer only takes things away or adds text, so that a sheet made with it can still be read without it; the engine refuses anything more.",
        mend: "Take the key out; what it was to change belongs in the ruleset itself, or into a second ruleset.",
        source: "docs/spec/checks.md#l02; docs/spec/decisions.md#q27",
        example: Some(Example {
            base: Base::Sum,
            wrong: &[ruleset("/layers/-", r#"{"id": "thaw", "label": "Thaw", "rests": []}"#)],
            right: &[ruleset("/layers/-", r#"{"id": "thaw", "label": "Thaw", "summary": "The ice breaks up."}"#)],
        }),
    },
    Explanation {
        code: "L03",
        severity: Level::Error,
        meaning: "Two layers have the same id.",
        why: "A game stores which layers are on by their ids, so nobody could tell the two apart.",
        mend: "Give one of them another id.",
        source: "docs/spec/checks.md#l03",
        example: Some(Example {
            base: Base::Sum,
            wrong: &[ruleset("/layers/-", r#"{"id": "hard_winter", "label": "Deep winter"}"#)],
            right: &[ruleset("/layers/-", r#"{"id": "deep_winter", "label": "Deep winter"}"#)],
        }),
    },
    Explanation {
        code: "L04",
        severity: Level::Error,
        meaning: "A layer names a conflict with a layer that is not there, or with itself.",
        why: "The conflict never takes effect, and two layers that contradict each other can be on together.",
        mend: "Name the id of another layer of this ruleset, or take the conflict out; one side of a pair is enough.",
        source: "docs/spec/checks.md#l04",
        example: Some(Example {
            base: Base::Sum,
            wrong: &[ruleset("/layers/-", r#"{"id": "thaw", "label": "Thaw", "conflicts": ["hard_wintre"]}"#)],
            right: &[ruleset("/layers/-", r#"{"id": "thaw", "label": "Thaw", "conflicts": ["hard_winter"]}"#)],
        }),
    },
    Explanation {
        code: "L05",
        severity: Level::Error,
        meaning: "The two guidance texts of a layer have more than 4000 characters together.",
        why: "They are added to what the Game Master reads on every turn, and the engine refuses more.",
        mend: "Shorten `guidance` or `worldGuidance`.",
        source: "docs/spec/checks.md#l05",
        example: Some(Example {
            base: Base::Sum,
            wrong: &[ruleset("/layers/-", TOO_MUCH_GUIDANCE)],
            right: &[ruleset(
                "/layers/-",
                r#"{"id": "thaw", "label": "Thaw", "gm": {"guidance": "Rivers rise.", "worldGuidance": "Build a wet world."}}"#,
            )],
        }),
    },
    Explanation {
        code: "L06",
        severity: Level::Error,
        meaning: "A layer narrows the same field twice.",
        why: "Each of the two is checked as if it stood alone, so together they could take all values or the default.",
        mend: "Write all values to remove into one rule.",
        source: "docs/spec/checks.md#l06",
        example: Some(Example {
            base: Base::Sum,
            wrong: &[ruleset(
                "/layers/-",
                r#"{"id": "thaw", "label": "Thaw", "fields": [{"id": "travel", "removeValues": ["cart"]}, {"id": "travel", "removeValues": ["motor"]}]}"#,
            )],
            right: &[ruleset(
                "/layers/-",
                r#"{"id": "thaw", "label": "Thaw", "fields": [{"id": "travel", "removeValues": ["cart", "motor"]}]}"#,
            )],
        }),
    },
    Explanation {
        code: "L07",
        severity: Level::Error,
        meaning: "A layer narrows a field that is not there, or that is not an enum.",
        why: "Only an enum has values to take away, so the rule does nothing and the engine refuses it.",
        mend: "Name an enum field of the sheet.",
        source: "docs/spec/checks.md#l07",
        example: Some(Example {
            base: Base::Sum,
            wrong: &[ruleset(
                "/layers/-",
                r#"{"id": "thaw", "label": "Thaw", "fields": [{"id": "calling", "removeValues": ["motor"]}]}"#,
            )],
            right: &[ruleset(
                "/layers/-",
                r#"{"id": "thaw", "label": "Thaw", "fields": [{"id": "travel", "removeValues": ["motor"]}]}"#,
            )],
        }),
    },
    Explanation {
        code: "L08",
        severity: Level::Error,
        meaning: "A layer removes a value that the field does not have.",
        why: "A misspelt value stays on offer in the very game that was to do without it.",
        mend: "Write the value exactly as the field's `values` do, not as its label.",
        source: "docs/spec/checks.md#l08",
        example: Some(Example {
            base: Base::Sum,
            wrong: &[ruleset(
                "/layers/-",
                r#"{"id": "thaw", "label": "Thaw", "fields": [{"id": "travel", "removeValues": ["Old motor"]}]}"#,
            )],
            right: &[ruleset(
                "/layers/-",
                r#"{"id": "thaw", "label": "Thaw", "fields": [{"id": "travel", "removeValues": ["motor"]}]}"#,
            )],
        }),
    },
    Explanation {
        code: "L09",
        severity: Level::Error,
        meaning: "A layer removes every value of a field.",
        why: "Nothing would be left to choose.",
        mend: "Leave at least one value.",
        source: "docs/spec/checks.md#l09",
        example: Some(Example {
            base: Base::Sum,
            wrong: &[ruleset(
                "/layers/-",
                r#"{"id": "thaw", "label": "Thaw", "fields": [{"id": "travel", "removeValues": ["foot", "cart", "motor"]}]}"#,
            )],
            right: &[ruleset(
                "/layers/-",
                r#"{"id": "thaw", "label": "Thaw", "fields": [{"id": "travel", "removeValues": ["cart", "motor"]}]}"#,
            )],
        }),
    },
    Explanation {
        code: "L10",
        severity: Level::Error,
        meaning: "The default a layer gives a field is not among the values that stay.",
        why: "New sheets would start with a value that is not on offer.",
        mend: "Name one of the values that stay.",
        source: "docs/spec/checks.md#l10",
        example: Some(Example {
            base: Base::Sum,
            wrong: &[ruleset(
                "/layers/-",
                r#"{"id": "thaw", "label": "Thaw", "fields": [{"id": "travel", "removeValues": ["motor"], "default": "motor"}]}"#,
            )],
            right: &[ruleset(
                "/layers/-",
                r#"{"id": "thaw", "label": "Thaw", "fields": [{"id": "travel", "removeValues": ["motor"], "default": "cart"}]}"#,
            )],
        }),
    },
    Explanation {
        code: "L11",
        severity: Level::Error,
        meaning: "A layer removes the default of a field and names no other.",
        why: "New sheets would start with a value that is not on offer.",
        mend: "Add a `default` that stays.",
        source: "docs/spec/checks.md#l11",
        example: Some(Example {
            base: Base::Sum,
            wrong: &[ruleset(
                "/layers/-",
                r#"{"id": "thaw", "label": "Thaw", "fields": [{"id": "travel", "removeValues": ["foot"]}]}"#,
            )],
            right: &[ruleset(
                "/layers/-",
                r#"{"id": "thaw", "label": "Thaw", "fields": [{"id": "travel", "removeValues": ["foot"], "default": "cart"}]}"#,
            )],
        }),
    },
    Explanation {
        code: "L12",
        severity: Level::Error,
        meaning: "A layer removes a value that a `hideWhen` compares with.",
        why: "What is hidden by that value could never be hidden, or never be seen, while the layer is on.",
        mend: "Keep the value, or compare with one that stays.",
        source: "docs/spec/checks.md#l12",
        example: Some(Example {
            base: Base::Sum,
            wrong: &[
                ruleset(
                    "/sheet/fields/-",
                    r#"{"id": "mule", "label": "Mule", "type": "text", "maxLength": 40, "hideWhen": {"field": "travel", "equals": "foot"}}"#,
                ),
                ruleset(
                    "/layers/-",
                    r#"{"id": "thaw", "label": "Thaw", "fields": [{"id": "travel", "removeValues": ["foot"], "default": "cart"}]}"#,
                ),
            ],
            right: &[
                ruleset(
                    "/sheet/fields/-",
                    r#"{"id": "mule", "label": "Mule", "type": "text", "maxLength": 40, "hideWhen": {"field": "travel", "equals": "foot"}}"#,
                ),
                ruleset(
                    "/layers/-",
                    r#"{"id": "thaw", "label": "Thaw", "fields": [{"id": "travel", "removeValues": ["motor"]}]}"#,
                ),
            ],
        }),
    },
    Explanation {
        code: "L14",
        severity: Level::Error,
        meaning: "A layer's difficulty ladder breaks a rule that the ruleset's own ladder is held to.",
        why: "The layer's steps take the place of the ruleset's, and a step that cannot be thrown for stops the game at that check.",
        mend: "Hold each step to the ruleset's dice: successes a throw can have, and a target within its range.",
        source: "docs/spec/checks.md#l14",
        example: Some(Example {
            base: Base::Pool,
            wrong: &[ruleset(
                "/layers/-",
                r#"{"id": "fog", "label": "Fog", "difficultyLadder": [{"label": "Dim", "successes": 2, "target": 12}]}"#,
            )],
            right: &[ruleset(
                "/layers/-",
                r#"{"id": "fog", "label": "Fog", "difficultyLadder": [{"label": "Dim", "successes": 2, "target": 9}]}"#,
            )],
        }),
    },
    Explanation {
        code: "L15",
        severity: Level::Error,
        meaning: "A layer hides entries of a catalog that is not there.",
        why: "Nothing is hidden, and the engine refuses the rule.",
        mend: "Name a catalog of this ruleset.",
        source: "docs/spec/checks.md#l15",
        example: Some(Example {
            base: Base::Sum,
            wrong: &[ruleset(
                "/layers/-",
                r#"{"id": "thaw", "label": "Thaw", "catalogs": [{"id": "knack", "hide": {"filter": "grit", "above": 1}}]}"#,
            )],
            right: &[ruleset(
                "/layers/-",
                r#"{"id": "thaw", "label": "Thaw", "catalogs": [{"id": "knacks", "hide": {"filter": "grit", "above": 1}}]}"#,
            )],
        }),
    },
    Explanation {
        code: "L16",
        severity: Level::Error,
        meaning: "A layer hides entries by a filter their catalog does not have.",
        why: "Nothing is hidden, and the engine refuses the rule.",
        mend: "Name a filter that this very catalog declares.",
        source: "docs/spec/checks.md#l16",
        example: Some(Example {
            base: Base::Sum,
            wrong: &[ruleset(
                "/layers/-",
                r#"{"id": "thaw", "label": "Thaw", "catalogs": [{"id": "knacks", "hide": {"filter": "cost", "above": 1}}]}"#,
            )],
            right: &[ruleset(
                "/layers/-",
                r#"{"id": "thaw", "label": "Thaw", "catalogs": [{"id": "knacks", "hide": {"filter": "grit", "above": 1}}]}"#,
            )],
        }),
    },
    Explanation {
        code: "L17",
        severity: Level::Error,
        meaning: "A rule that hides entries has no comparison, or several.",
        why: "It is not said which entries to hide.",
        mend: "Write exactly one of `above`, `below`, `equals` and `notIn`; several rules may name the same catalog.",
        source: "docs/spec/checks.md#l17",
        example: Some(Example {
            base: Base::Sum,
            wrong: &[ruleset(
                "/layers/-",
                r#"{"id": "thaw", "label": "Thaw", "catalogs": [{"id": "knacks", "hide": {"filter": "grit", "above": 1, "below": 4}}]}"#,
            )],
            right: &[ruleset(
                "/layers/-",
                r#"{"id": "thaw", "label": "Thaw", "catalogs": [{"id": "knacks", "hide": {"filter": "grit", "above": 1}}]}"#,
            )],
        }),
    },
    Explanation {
        code: "L18",
        severity: Level::Error,
        meaning: "A rule that hides entries compares in a way its filter does not allow.",
        why: "A number filter is compared by size, a text or tags filter by what it says; any other comparison never holds.",
        mend: "Use `above` or `below` for a number filter, `equals` or `notIn` for text and tags.",
        source: "docs/spec/checks.md#l18",
        example: Some(Example {
            base: Base::Sum,
            wrong: &[ruleset(
                "/layers/-",
                r#"{"id": "thaw", "label": "Thaw", "catalogs": [{"id": "knacks", "hide": {"filter": "grit", "equals": "1"}}]}"#,
            )],
            right: &[ruleset(
                "/layers/-",
                r#"{"id": "thaw", "label": "Thaw", "catalogs": [{"id": "knacks", "hide": {"filter": "grit", "above": 1}}]}"#,
            )],
        }),
    },
    Explanation {
        code: "L19",
        severity: Level::Error,
        meaning: "A layer takes out a coin or a currency family that is not there.",
        why: "The coin that was meant stays in play.",
        mend: "Name a coin in `removeUnits` and a family in `removeFamilies`, by id.",
        source: "docs/spec/checks.md#l19",
        example: Some(Example {
            base: Base::Sum,
            wrong: &[ruleset(
                "/layers/-",
                r#"{"id": "thaw", "label": "Thaw", "currencies": {"removeUnits": ["beads"]}}"#,
            )],
            right: &[ruleset(
                "/layers/-",
                r#"{"id": "thaw", "label": "Thaw", "currencies": {"removeUnits": ["string"]}}"#,
            )],
        }),
    },
    Explanation {
        code: "L20",
        severity: Level::Error,
        meaning: "A layer takes out the smallest coin of a family that stays.",
        why: "What is left of the family could no longer pay every price or give change.",
        mend: "Take the whole family out with `removeFamilies`, or leave its smallest coin in.",
        source: "docs/spec/checks.md#l20",
        example: Some(Example {
            base: Base::Sum,
            wrong: &[ruleset(
                "/layers/-",
                r#"{"id": "thaw", "label": "Thaw", "currencies": {"removeUnits": ["bead"]}}"#,
            )],
            right: &[ruleset(
                "/layers/-",
                r#"{"id": "thaw", "label": "Thaw", "currencies": {"removeUnits": ["string"]}}"#,
            )],
        }),
    },
    Explanation {
        code: "L21",
        severity: Level::Either,
        meaning: "The items of a layer hold a key that no layer may hold.",
        why: "A layer changes where things are sold and what drops, never what exists.",
        mend: "Use `market` with `removeSellers` and `unsold`, and `lootTables`; take all else out.",
        source: "docs/spec/checks.md#l21; docs/spec/decisions.md#q27",
        example: Some(Example {
            base: Base::Sum,
            wrong: &[ruleset("/layers/-", r#"{"id": "thaw", "label": "Thaw", "items": {"tags": []}}"#)],
            right: &[ruleset(
                "/layers/-",
                r#"{"id": "thaw", "label": "Thaw", "items": {"market": {"unsold": [{"tag": "fuel"}]}}}"#,
            )],
        }),
    },
    Explanation {
        code: "L22",
        severity: Level::Error,
        meaning: "A layer removes a seller that is not there.",
        why: "The seller that was meant goes on selling.",
        mend: "Name a seller of the ruleset's market, by id.",
        source: "docs/spec/checks.md#l22",
        example: Some(Example {
            base: Base::Sum,
            wrong: &[ruleset(
                "/layers/-",
                r#"{"id": "thaw", "label": "Thaw", "items": {"market": {"removeSellers": ["blacksmith"]}}}"#,
            )],
            right: &[ruleset(
                "/layers/-",
                r#"{"id": "thaw", "label": "Thaw", "items": {"market": {"removeSellers": ["armorer"]}}}"#,
            )],
        }),
    },
    Explanation {
        code: "L23",
        severity: Level::Error,
        meaning: "What a layer takes off the market names a rarity, category or tag that is not there.",
        why: "Nothing is taken off the market.",
        mend: "Use words that `items` declares, each under the key of its own kind.",
        source: "docs/spec/checks.md#l23",
        example: Some(Example {
            base: Base::Sum,
            wrong: &[ruleset(
                "/layers/-",
                r#"{"id": "thaw", "label": "Thaw", "items": {"market": {"unsold": [{"tag": "petrol"}]}}}"#,
            )],
            right: &[ruleset(
                "/layers/-",
                r#"{"id": "thaw", "label": "Thaw", "items": {"market": {"unsold": [{"tag": "fuel"}]}}}"#,
            )],
        }),
    },
    Explanation {
        code: "L24",
        severity: Level::Error,
        meaning: "A loot table of a layer replaces none of the ruleset's, replaces one twice, or breaks a rule of loot tables.",
        why: "A table takes the place of the one with its id wherever that is rolled; a table with another id is rolled nowhere.",
        mend: "Use the id of a loot table in `items.lootTables`, once in each layer, and only items, words and coins that are there.",
        source: "docs/spec/checks.md#l24; docs/spec/checks.md#items",
        example: Some(Example {
            base: Base::Sum,
            wrong: &[ruleset(
                "/layers/-",
                r#"{"id": "thaw", "label": "Thaw", "items": {"lootTables": [{"id": "purse", "label": "Wet pockets", "entries": [{"coins": "bead"}]}]}}"#,
            )],
            right: &[ruleset(
                "/layers/-",
                r#"{"id": "thaw", "label": "Thaw", "items": {"lootTables": [{"id": "pockets", "label": "Wet pockets", "entries": [{"coins": "bead"}]}]}}"#,
            )],
        }),
    },
    Explanation {
        code: "L25",
        severity: Level::Warning,
        meaning: "A layer removes every seller.",
        why: "A market without sellers lets anybody sell everything, so a game does not make this removal at all.",
        mend: "Leave at least one seller.",
        source: "docs/spec/checks.md#l25; docs/spec/decisions.md#q29",
        example: Some(Example {
            base: Base::Sum,
            wrong: &[ruleset(
                "/layers/-",
                r#"{"id": "thaw", "label": "Thaw", "items": {"market": {"removeSellers": ["peddler", "armorer", "innkeeper"]}}}"#,
            )],
            right: &[ruleset(
                "/layers/-",
                r#"{"id": "thaw", "label": "Thaw", "items": {"market": {"removeSellers": ["peddler", "armorer"]}}}"#,
            )],
        }),
    },
    Explanation {
        code: "M02",
        severity: Level::Error,
        meaning: "A migration is from the sheet's present version, or from a later one.",
        why: "Sheets of that version are already laid out as the ruleset says, so there is nothing to bring on.",
        mend: "Raise `sheet.version`, or correct `from`.",
        source: "docs/spec/checks.md#m02",
        example: Some(Example {
            base: Base::Sum,
            wrong: &[
                ruleset("/sheet/version", "3"),
                ruleset(
                    "/sheet/migrations/-",
                    r#"{"from": 3, "steps": [{"rename": "skill", "from": "mend", "to": "tinker"}]}"#,
                ),
            ],
            right: &[
                ruleset("/sheet/version", "3"),
                ruleset(
                    "/sheet/migrations/-",
                    r#"{"from": 2, "steps": [{"rename": "skill", "from": "mend", "to": "tinker"}]}"#,
                ),
            ],
        }),
    },
    Explanation {
        code: "M03",
        severity: Level::Error,
        meaning: "Two migrations are from the same version.",
        why: "It is not said which of them runs.",
        mend: "Write the steps of both into one entry, in their order.",
        source: "docs/spec/checks.md#m03",
        example: Some(Example {
            base: Base::Sum,
            wrong: &[
                ruleset("/sheet/version", "3"),
                ruleset(
                    "/sheet/migrations/-",
                    r#"{"from": 1, "steps": [{"rename": "skill", "from": "mend", "to": "tinker"}]}"#,
                ),
            ],
            right: &[
                ruleset("/sheet/version", "3"),
                ruleset(
                    "/sheet/migrations/-",
                    r#"{"from": 2, "steps": [{"rename": "skill", "from": "mend", "to": "tinker"}]}"#,
                ),
            ],
        }),
    },
    Explanation {
        code: "M04",
        severity: Level::Error,
        meaning: "A migration writes to an id that the sheet does not have.",
        why: "The value would be stored where nothing ever reads it.",
        mend: "Name an id of the sheet, or add a later rename that moves the value on.",
        source: "docs/spec/checks.md#m04",
        example: Some(Example {
            base: Base::Sum,
            wrong: &[ruleset(
                "/sheet/migrations/0/steps/-",
                r#"{"rename": "skill", "from": "mend", "to": "tinkering"}"#,
            )],
            right: &[ruleset("/sheet/migrations/0/steps/-", r#"{"rename": "skill", "from": "mend", "to": "tinker"}"#)],
        }),
    },
    Explanation {
        code: "M05",
        severity: Level::Error,
        meaning: "A migration moves a value away from an id that the sheet still has.",
        why: "These steps run again on later reads; they are safe to only when nothing new is ever stored under the old id.",
        mend: "Take the old id off the sheet and never use it again, or take the step out.",
        source: "docs/spec/checks.md#m05",
        example: Some(Example {
            base: Base::Sum,
            wrong: &[ruleset("/sheet/migrations/0/steps/-", r#"{"rename": "skill", "from": "sneak", "to": "tinker"}"#)],
            right: &[ruleset("/sheet/migrations/0/steps/-", r#"{"rename": "skill", "from": "mend", "to": "tinker"}"#)],
        }),
    },
    Explanation {
        code: "M06",
        severity: Level::Error,
        meaning: "A migration lists a case twice: one target in two cases, or one word in two.",
        why: "The second can never be chosen.",
        mend: "Take one of them out; `else` may repeat a case.",
        source: "docs/spec/checks.md#m06; docs/spec/decisions.md#q9",
        example: Some(Example {
            base: Base::Sum,
            wrong: &[ruleset(
                "/sheet/migrations/0/steps/-",
                r#"{"routeLive": "pool", "from": "fate", "cases": ["luck", "luck"], "else": "luck"}"#,
            )],
            right: &[ruleset(
                "/sheet/migrations/0/steps/-",
                r#"{"routeLive": "pool", "from": "fate", "cases": ["grit", "luck"], "else": "luck"}"#,
            )],
        }),
    },
    Explanation {
        code: "M07",
        severity: Level::Error,
        meaning: "A rename leads to its own id, or to an id of another kind.",
        why: "An ability can only become an ability, a skill a skill, and so on; anything else moves nothing.",
        mend: "Name another id of the same kind.",
        source: "docs/spec/checks.md#m07",
        example: Some(Example {
            base: Base::Sum,
            wrong: &[ruleset("/sheet/migrations/0/steps/-", r#"{"rename": "skill", "from": "mend", "to": "mend"}"#)],
            right: &[ruleset("/sheet/migrations/0/steps/-", r#"{"rename": "skill", "from": "mend", "to": "tinker"}"#)],
        }),
    },
    Explanation {
        code: "M08",
        severity: Level::Error,
        meaning: "A chain of renames goes round in a circle, or ends at an id that the sheet does not have.",
        why: "A value may pass through ids that are gone, but it has to arrive at one that is there.",
        mend: "Let the last rename lead to an id of the sheet. A later step is one of a later version, or one further down.",
        source: "docs/spec/checks.md#m08; docs/spec/decisions.md#q13",
        example: Some(Example {
            base: Base::Sum,
            wrong: &[
                ruleset("/sheet/migrations/0/steps/-", r#"{"rename": "skill", "from": "mend", "to": "patch"}"#),
                ruleset("/sheet/migrations/0/steps/-", r#"{"rename": "skill", "from": "patch", "to": "mend"}"#),
            ],
            right: &[
                ruleset("/sheet/migrations/0/steps/-", r#"{"rename": "skill", "from": "mend", "to": "patch"}"#),
                ruleset("/sheet/migrations/0/steps/-", r#"{"rename": "skill", "from": "patch", "to": "tinker"}"#),
            ],
        }),
    },
    Explanation {
        code: "M09",
        severity: Level::Error,
        meaning: "A route is decided by a field that the sheet does not have and never had.",
        why: "The text to look for words in is never there, so every value goes to `else`.",
        mend: "Name a field of the sheet, or one that a rename moved away.",
        source: "docs/spec/checks.md#m09",
        example: Some(Example {
            base: Base::Sum,
            wrong: &[ruleset(
                "/sheet/migrations/0/steps/-",
                r#"{"route": "fame", "by": "trade", "cases": [{"words": ["scout"], "to": "renown_road"}], "else": "renown_camp", "default": 0}"#,
            )],
            right: &[ruleset(
                "/sheet/migrations/0/steps/-",
                r#"{"route": "fame", "by": "calling", "cases": [{"words": ["scout"], "to": "renown_road"}], "else": "renown_camp", "default": 0}"#,
            )],
        }),
    },
    Explanation {
        code: "M10",
        severity: Level::Error,
        meaning: "A route leads to a field that is no number or text, or that has a default of its own.",
        why: "The value lands in one of the targets and the others keep their defaults, so any default but 0 or empty would read as a value nobody gave.",
        mend: "Let every target be a number or text field without a default, or with 0 or empty text.",
        source: "docs/spec/checks.md#m10",
        example: Some(Example {
            base: Base::Sum,
            wrong: &[ruleset(
                "/sheet/migrations/0/steps/-",
                r#"{"route": "fame", "by": "calling", "cases": [{"words": ["scout"], "to": "toughness"}], "else": "renown_camp", "default": 0}"#,
            )],
            right: &[ruleset(
                "/sheet/migrations/0/steps/-",
                r#"{"route": "fame", "by": "calling", "cases": [{"words": ["scout"], "to": "renown_road"}], "else": "renown_camp", "default": 0}"#,
            )],
        }),
    },
    Explanation {
        code: "M11",
        severity: Level::Error,
        meaning: "The default of a route does not fit its targets, or one of its words is not made of letters.",
        why: "The default stands in for a value that was never stored, and a word is looked for between signs that are no letters: `Fighter3` names a fighter.",
        mend: "Write a default that every target can hold, and words of letters only.",
        source: "docs/spec/checks.md#m11; docs/spec/decisions.md#q12; docs/spec/decisions.md#q16; docs/spec/decisions.md#q42",
        example: Some(Example {
            base: Base::Sum,
            wrong: &[ruleset(
                "/sheet/migrations/0/steps/-",
                r#"{"route": "fame", "by": "calling", "cases": [{"words": ["scout2"], "to": "renown_road"}], "else": "renown_camp", "default": 0}"#,
            )],
            right: &[ruleset(
                "/sheet/migrations/0/steps/-",
                r#"{"route": "fame", "by": "calling", "cases": [{"words": ["scout"], "to": "renown_road"}], "else": "renown_camp", "default": 0}"#,
            )],
        }),
    },
    Explanation {
        code: "M12",
        severity: Level::Error,
        meaning: "A `routeLive` leads to a pool or track that is not in the live state, or to wound tracks and plain ones together.",
        why: "A wound track takes marks and a plain one a number; one stored value cannot be both.",
        mend: "Name pools, or tracks of one kind, that the sheet has.",
        source: "docs/spec/checks.md#m12",
        example: Some(Example {
            base: Base::Sum,
            wrong: &[ruleset(
                "/sheet/migrations/0/steps/-",
                r#"{"routeLive": "pool", "from": "fate", "cases": ["fortitude"], "else": "luck"}"#,
            )],
            right: &[ruleset(
                "/sheet/migrations/0/steps/-",
                r#"{"routeLive": "pool", "from": "fate", "cases": ["grit"], "else": "luck"}"#,
            )],
        }),
    },
    Explanation {
        code: "M13",
        severity: Level::Error,
        meaning: "A `setColumn` names a list or column that is not there, or a value its column cannot hold.",
        why: "Rows would be given what the sheet cannot show, or none would ever match.",
        mend: "Name a list of the sheet and its columns, with values of their types and within their bounds.",
        source: "docs/spec/checks.md#m13",
        example: Some(Example {
            base: Base::Sum,
            wrong: &[ruleset(
                "/sheet/migrations/0/steps/-",
                r#"{"setColumn": {"list": "gear", "where": {"name": ["Torch"]}, "column": "damage_type", "to": "burn"}}"#,
            )],
            right: &[ruleset(
                "/sheet/migrations/0/steps/-",
                r#"{"setColumn": {"list": "gear", "where": {"name": ["Torch"]}, "column": "harm", "to": "burn"}}"#,
            )],
        }),
    },
    Explanation {
        code: "M14",
        severity: Level::Error,
        meaning: "A migration that was published is gone, or is no longer what it was.",
        why: "A sheet stored long ago still needs it, and one that has been through it never goes through it again.",
        mend: "Put the entry back as it was, and say what else there is to do in an entry of its own.",
        source: "docs/spec/checks.md#m14",
        example: None,
    },
    Explanation {
        code: "migration-size",
        severity: Level::Warning,
        meaning: "A migration has more entries, steps, cases or words than any ever needs.",
        why: "Nothing is wrong with it; but such numbers mostly come of a slip in whatever wrote them.",
        mend: "Look it over; up to 64 entries, steps and cases and 24 words pass without a word.",
        source: "docs/spec/decisions.md#q15",
        example: Some(Example {
            base: Base::Sum,
            wrong: &[ruleset(
                "/sheet/migrations/0/steps/-",
                r#"{"route": "fame", "by": "calling", "cases": [{"words": ["scout", "courier", "runner", "rider", "guide", "drover", "carter", "hauler", "porter", "pilot", "ferryman", "herald", "envoy", "pathfinder", "tracker", "wanderer", "pilgrim", "peddler", "tinker", "smith", "wright", "cooper", "mason", "weaver", "dyer"], "to": "renown_road"}], "else": "renown_camp"}"#,
            )],
            right: &[ruleset(
                "/sheet/migrations/0/steps/-",
                r#"{"route": "fame", "by": "calling", "cases": [{"words": ["scout", "courier", "runner", "rider", "guide", "drover", "carter", "hauler", "porter", "pilot", "ferryman", "herald", "envoy", "pathfinder", "tracker", "wanderer", "pilgrim", "peddler", "tinker", "smith", "wright", "cooper", "mason", "weaver"], "to": "renown_road"}], "else": "renown_camp"}"#,
            )],
        }),
    },
    Explanation {
        code: "K10",
        severity: Level::Error,
        meaning: "A package uses a feature that came with a newer Capability API than its manifest declares.",
        why: "An engine of the declared API takes the package for one it can read, and then refuses the whole ruleset.",
        mend: "Declare the API that is named, or do without the feature.",
        source: "docs/spec/catalog.md#k10",
        example: Some(Example {
            base: Base::Sum,
            wrong: &[manifest("/capabilityApi", r#"{"major": 1, "minor": 812}"#)],
            right: &[manifest("/capabilityApi", r#"{"major": 1, "minor": 813}"#)],
        }),
    },
];

const fn ruleset(at: &'static str, to: &'static str) -> Edit {
    Edit { file: "ruleset.json", at, to }
}

const fn manifest(at: &'static str, to: &'static str) -> Edit {
    Edit { file: "manifest.json", at, to }
}

/// Ten times the same text.
macro_rules! ten {
    ($text:expr) => {
        concat!($text, $text, $text, $text, $text, $text, $text, $text, $text, $text)
    };
}

/// A layer with 4022 characters of guidance: nothing shorter breaks that rule.
const TOO_MUCH_GUIDANCE: &str = concat!(
    r#"{"id": "thaw", "label": "Thaw", "gm": {"guidance": ""#,
    ten!(ten!("The rivers rise now. ")),
    r#"", "worldGuidance": ""#,
    ten!(ten!("Build a wet world. ")),
    "And so on: all is wet.",
    r#""}}"#
);
