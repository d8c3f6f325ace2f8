//! DiceFrame: rule files, worlds and packs.

use crate::types::explanation::{Base, Edit, Example, Explanation, Level};

const HARBOR: &str = "content/rules/harbor.json";
const FOG: &str = "content/rules/fog.json";
const WORLD: &str = "content/worlds/quay.json";

/// An example out of the pack of DiceFrame rules.
const fn pack(wrong: &'static [Edit], right: &'static [Edit]) -> Option<Example> {
    Some(Example { base: Base::Harbor, wrong, right })
}

const fn edit(file: &'static str, at: &'static str, to: &'static str) -> Edit {
    Edit { file, at, to }
}

const fn harbor(at: &'static str, to: &'static str) -> Edit {
    edit(HARBOR, at, to)
}

pub(super) const ALL: &[Explanation] = &[
    Explanation {
        code: "D01",
        severity: Level::Error,
        meaning: "A rule file or a `plugin.json` cannot be read as one JSON object in UTF-8 without a byte order mark.",
        why: "DiceFrame skips such a file, or stops at it; nothing in it could be checked.",
        mend: "Correct the file at the line that is told. `NaN`, `Infinity` and comments are no JSON.",
        source: "docs/spec/diceframe.md#d01; docs/spec/diceframe.md#decision-5",
        example: pack(&[edit(FOG, "", r#"{ "rule_id": "fog", "#)], &[edit(FOG, "", r#"{ "rule_id": "fog" }"#)]),
    },
    Explanation {
        code: "D02",
        severity: Level::Error,
        meaning: "A rule file has no `rule_id` of its own, or one that is no text.",
        why: "Worlds and saves name a rule by its id. One that is inherited would be the id of another rule.",
        mend: "Give the file an id, or `\"abstract\": true` if others extend it and nobody plays it.",
        source: "docs/spec/diceframe.md#d02; docs/spec/diceframe.md#decision-5",
        example: pack(&[edit(FOG, "/rule_id", "7")], &[edit(FOG, "/rule_id", r#""fog""#)]),
    },
    Explanation {
        code: "D03",
        severity: Level::Error,
        meaning: "A `currency_system` with a `schema_version` does not fit version 2: units with id, name and rate, a \
                  base unit whose rate is 1, a display unit that is one of them.",
        why: "DiceFrame refuses a system of currencies that it cannot count in.",
        mend: "Correct what is told. Without a `schema_version` nothing is asked of it.",
        source: "docs/spec/diceframe.md#d03; docs/spec/diceframe.md#reading-15",
        example: pack(
            &[harbor("/currency_system/base_unit", r#""crown""#)],
            &[harbor("/currency_system/base_unit", r#""penny""#)],
        ),
    },
    Explanation {
        code: "D04",
        severity: Level::Error,
        meaning: "An entry of `special_stats` is no object, or has no `key`.",
        why: "A sheet keeps the value of a stat under its key.",
        mend: "Give every stat a key of its own.",
        source: "docs/spec/diceframe.md#d04; docs/spec/diceframe.md#reading-6",
        example: pack(
            &[harbor("/special_stats/-", r#"{ "name": "Rope", "initial": 3 }"#)],
            &[harbor("/special_stats/-", r#"{ "key": "rope", "name": "Rope", "initial": 3 }"#)],
        ),
    },
    Explanation {
        code: "D05",
        severity: Level::Error,
        meaning: "The rule extends a file that is nowhere, or names none.",
        why: "A rule whose parent is missing does not load.",
        mend: "Name a file beside the rule, without its folder and with or without `.json`, or one that is built into \
               DiceFrame; for these, --host says where DiceFrame is.",
        source: "docs/spec/diceframe.md#d05; docs/spec/diceframe.md#decision-1",
        example: pack(&[harbor("/extends", r#""harbour_base""#)], &[harbor("/extends", r#""harbor_base""#)]),
    },
    Explanation {
        code: "D06",
        severity: Level::Error,
        meaning: "Rules extend each other in a circle.",
        why: "Each would need the other read first, so none of them loads.",
        mend: "Let one of them stand alone.",
        source: "docs/spec/diceframe.md#d06",
        example: pack(&[harbor("/extends", r#""harbor_fr""#)], &[harbor("/extends", r#""harbor_base""#)]),
    },
    Explanation {
        code: "D07",
        severity: Level::Error,
        meaning: "The rule extends a file that cannot be read as one JSON object, or all rules together inherit more \
                  than 8 million files and keys.",
        why: "A rule whose parent cannot be read does not load.",
        mend: "Correct the file it extends, at the line that is told; audit fewer rules at a time.",
        source: "docs/spec/diceframe.md#d07",
        example: pack(
            &[edit("content/rules/harbor_base.json", "", r#"[{ "key": "nerve" }, { "key": "con" }]"#)],
            &[edit(
                "content/rules/harbor_base.json",
                "",
                r#"{ "abstract": true, "attributes": [{ "key": "nerve" }, { "key": "con" }] }"#,
            )],
        ),
    },
    Explanation {
        code: "D08",
        severity: Level::Error,
        meaning: "`dice_system` is none of `d20`, `d100` and `none`.",
        why: "There are no other ways to resolve a check, so the rule does not load. Blanks count; case does not.",
        mend: "Write one of the three, or leave it out for d20.",
        source: "docs/spec/diceframe.md#d08",
        example: pack(&[edit(FOG, "/dice_system", r#""d1oo""#)], &[edit(FOG, "/dice_system", r#""d100""#)]),
    },
    Explanation {
        code: "D09",
        severity: Level::Error,
        meaning: "`check_mechanic.advantage` is no object.",
        why: "What the rule wants is not known, so it has no advantage at all.",
        mend: "Declare it with `type`, `allow_explicit` and `assistance_grants`, or leave it out.",
        source: "docs/spec/diceframe.md#d09",
        example: pack(
            &[edit(FOG, "/check_mechanic/advantage", r#""coc_bonus_penalty""#)],
            &[edit(FOG, "/check_mechanic/advantage", r#"{ "type": "coc_bonus_penalty" }"#)],
        ),
    },
    Explanation {
        code: "D10",
        severity: Level::Error,
        meaning: "The `type` of an advantage is neither `d20_keep_high_low` nor `coc_bonus_penalty`.",
        why: "A type that is not known is not supported, and checks are made without any advantage.",
        mend: "Write the one that suits the dice, or leave it out.",
        source: "docs/spec/diceframe.md#d10",
        example: pack(
            &[harbor("/check_mechanic/advantage", r#"{ "type": "keep_high_low" }"#)],
            &[harbor("/check_mechanic/advantage", r#"{ "type": "d20_keep_high_low" }"#)],
        ),
    },
    Explanation {
        code: "D11",
        severity: Level::Error,
        meaning: "`d20_keep_high_low` is declared by a rule that is not played with a d20.",
        why: "Keeping the higher of two dice means the wrong thing, or nothing, with other dice.",
        mend: "A d100 rule has `coc_bonus_penalty`; one without dice has no advantage.",
        source: "docs/spec/diceframe.md#d11",
        example: pack(
            &[edit(FOG, "/check_mechanic/advantage", r#"{ "type": "d20_keep_high_low" }"#)],
            &[edit(FOG, "/check_mechanic/advantage", r#"{ "type": "coc_bonus_penalty" }"#)],
        ),
    },
    Explanation {
        code: "D12",
        severity: Level::Error,
        meaning: "`coc_bonus_penalty` is declared by a rule that is not played with a d100.",
        why: "Bonus and penalty dice are tens digits of a d100; other dice have none.",
        mend: "A d20 rule has `d20_keep_high_low`; one without dice has no advantage.",
        source: "docs/spec/diceframe.md#d12",
        example: pack(
            &[harbor("/check_mechanic/advantage", r#"{ "type": "coc_bonus_penalty", "assistance_grants": "" }"#)],
            &[harbor("/check_mechanic/advantage", r#"{ "type": "d20_keep_high_low", "assistance_grants": "" }"#)],
        ),
    },
    Explanation {
        code: "D13",
        severity: Level::Error,
        meaning: "`allow_explicit` is neither `true` nor `false`.",
        why: "Whether players may claim an advantage in their own words is then anybody's guess.",
        mend: "Write `true` or `false`, or leave it out: with a type it is `true`.",
        source: "docs/spec/diceframe.md#d13",
        example: pack(
            &[edit(FOG, "/check_mechanic/advantage/allow_explicit", r#""yes""#)],
            &[edit(FOG, "/check_mechanic/advantage/allow_explicit", "true")],
        ),
    },
    Explanation {
        code: "D14",
        severity: Level::Error,
        meaning: "`assistance_grants` is neither `advantage` nor `disadvantage`, nor empty.",
        why: "DiceFrame takes anything else for nothing, so helpers help in vain.",
        mend: "Write one of the two, or leave it empty.",
        source: "docs/spec/diceframe.md#d14",
        example: pack(
            &[harbor("/check_mechanic/advantage", r#"{ "assistance_grants": "bonus" }"#)],
            &[harbor("/check_mechanic/advantage", r#"{ "assistance_grants": "advantage" }"#)],
        ),
    },
    Explanation {
        code: "D15",
        severity: Level::Error,
        meaning: "Helpers are to grant something, and the rule is not one of `d20_keep_high_low`.",
        why: "Only the higher or lower of two d20 can be granted by helpers; with other rules they do nothing.",
        mend: "Leave `assistance_grants` empty.",
        source: "docs/spec/diceframe.md#d15",
        example: pack(
            &[edit(FOG, "/check_mechanic/advantage/assistance_grants", r#""advantage""#)],
            &[edit(FOG, "/check_mechanic/advantage/assistance_grants", r#""""#)],
        ),
    },
    Explanation {
        code: "D16",
        severity: Level::Error,
        meaning: "The `max_check_dc` of a d20 rule is no whole number from 1 to 40.",
        why: "It is the cap that keeps difficulties in reach; one that cannot be used is silently another.",
        mend: "Write a whole number, not as text, or leave it out for 20.",
        source: "docs/spec/diceframe.md#d16; docs/spec/diceframe.md#reading-4",
        example: pack(&[harbor("/max_check_dc", "60")], &[harbor("/max_check_dc", "30")]),
    },
    Explanation {
        code: "D17",
        severity: Level::Error,
        meaning: "Two rules have the same `rule_id`, and they are not one rule in two languages.",
        why: "What names that id gets one of the two, and which one is not said.",
        mend: "Give one of them another id. Translations are called as the rule with `_<language>` behind it, such as \
               `harbor_fr.json`, or lie in `locales`.",
        source: "docs/spec/diceframe.md#d17; docs/spec/diceframe.md#reading-12",
        example: pack(&[edit(FOG, "/rule_id", r#""harbor""#)], &[edit(FOG, "/rule_id", r#""fog""#)]),
    },
    Explanation {
        code: "D18",
        severity: Level::Error,
        meaning: "An attribute has no `key`, or that of another, or a range that no value fits.",
        why: "A sheet keeps values under their keys, and holds each to its range; unless said otherwise that is 3 to 18.",
        mend: "Give every attribute a key of its own, and a `min` that is not above its `max`.",
        source: "docs/spec/diceframe.md#d18; docs/spec/diceframe.md#decision-2; docs/spec/diceframe.md#reading-31",
        example: pack(
            &[edit(FOG, "/attributes/-", r#"{ "key": "eyes", "min": 40 }"#)],
            &[edit(FOG, "/attributes/-", r#"{ "key": "eyes", "min": 40, "max": 90 }"#)],
        ),
    },
    Explanation {
        code: "D19",
        severity: Level::Error,
        meaning: "`hp_formula` or `proficiency_formula` is no formula, or divides by zero whatever its names stand for.",
        why: "The value cannot be computed when a sheet is made.",
        mend: "Whole numbers, names, `+ - * / //`, parentheses and `max`, `min`, `abs`, `int` are all there is.",
        source: "docs/spec/diceframe.md#d19; docs/spec/diceframe.md#decision-2",
        example: pack(
            &[edit(FOG, "/hp_formula", r#""(con + pow) / 10 + 2d6""#)],
            &[edit(FOG, "/hp_formula", r#""(con + pow) // 10""#)],
        ),
    },
    Explanation {
        code: "D20",
        severity: Level::Error,
        meaning: "The rule extends a file that is neither of its pack's `content/rules` nor built into DiceFrame, or names \
                  it by an absolute path.",
        why: "Whoever installs the pack does not have that file.",
        mend: "Copy what is needed into the pack, or extend a built-in rule by its name.",
        source: "docs/spec/diceframe.md#d20; docs/spec/diceframe.md#reading-11",
        example: pack(&[harbor("/extends", r#""../../plugin.json""#)], &[harbor("/extends", r#""harbor_base""#)]),
    },
    Explanation {
        code: "D21",
        severity: Level::Error,
        meaning: "A world file cannot be read as one JSON object in UTF-8 without a byte order mark.",
        why: "The world is not offered.",
        mend: "Correct the file at the line that is told.",
        source: "docs/spec/diceframe.md#d21; docs/spec/diceframe.md#decision-5",
        example: pack(
            &[edit(WORLD, "", r#"[{ "world_id": "quay", "default_rule": "harbor" }]"#)],
            &[edit(WORLD, "", r#"{ "world_id": "quay", "default_rule": "harbor" }"#)],
        ),
    },
    Explanation {
        code: "D22",
        severity: Level::Error,
        meaning: "A world has no `world_id`, or one that is no text.",
        why: "Saves and content name a world by its id.",
        mend: "Give the world an id.",
        source: "docs/spec/diceframe.md#d22",
        example: pack(&[edit(WORLD, "/world_id", r#""""#)], &[edit(WORLD, "/world_id", r#""quay""#)]),
    },
    Explanation {
        code: "D23",
        severity: Level::Error,
        meaning: "A world has no `default_rule`, or one that is no text.",
        why: "A world chooses its rule by this key alone; without it another rule would be taken.",
        mend: "Name the `rule_id` of the rule the world is made for.",
        source: "docs/spec/diceframe.md#d23",
        example: pack(&[edit(WORLD, "/default_rule", "")], &[edit(WORLD, "/default_rule", r#""harbor""#)]),
    },
    Explanation {
        code: "D24",
        severity: Level::Error,
        meaning: "The `default_rule` of a world is nowhere, or does not load, or is a base that nobody can play.",
        why: "The world cannot be played.",
        mend: "Name a rule of the pack, or one that is built into DiceFrame; for these, --host says where DiceFrame is.",
        source: "docs/spec/diceframe.md#d24; docs/spec/diceframe.md#reading-7; docs/spec/diceframe.md#decision-1; docs/spec/diceframe.md#decision-2",
        example: pack(
            &[edit(WORLD, "/default_rule", r#""harbor_base""#)],
            &[edit(WORLD, "/default_rule", r#""harbor""#)],
        ),
    },
    Explanation {
        code: "D30",
        severity: Level::Warning,
        meaning: "`mechanics` or `bonus_dice` hints at advantage, and the rule declares none.",
        why: "Older engines inferred it. What is not declared is not supported, so checks are made without it.",
        mend: "Declare `check_mechanic.advantage`, if only as `{}` for none.",
        source: "docs/spec/diceframe.md#d30; docs/spec/diceframe.md#reading-3",
        example: pack(
            &[edit(FOG, "/check_mechanic/advantage", ""), edit(FOG, "/bonus_dice", "true")],
            &[edit(FOG, "/bonus_dice", "true")],
        ),
    },
    Explanation {
        code: "D31",
        severity: Level::Warning,
        meaning: "A special stat has no `initial`, so it begins full: at its `max`, or at 99.",
        why: "That suits a supply of oil and not a measure of fear.",
        mend: "Say where it begins, even if that is its maximum. `sanity` and `luck` begin by rules of their own.",
        source: "docs/spec/diceframe.md#d31",
        example: pack(
            &[harbor("/special_stats/-", r#"{ "key": "dread", "max": 10 }"#)],
            &[harbor("/special_stats/-", r#"{ "key": "dread", "max": 10, "initial": 0 }"#)],
        ),
    },
    Explanation {
        code: "D32",
        severity: Level::Warning,
        meaning: "A d20 rule has skills or points for them, and a skill of 80 gives no bonus; or such points are no number.",
        why: "Players spend points on skills that never change a result.",
        mend: "Give `skill_value_to_bonus` a step at or below 80, or let `skill_mode` be `proficiency`.",
        source: "docs/spec/diceframe.md#d32; docs/spec/diceframe.md#decision-5",
        example: pack(
            &[edit(FOG, "/dice_system", ""), edit(FOG, "/check_mechanic", "")],
            &[
                edit(FOG, "/dice_system", ""),
                edit(FOG, "/check_mechanic", ""),
                edit(FOG, "/skill_value_to_bonus", r#"{ "25": 1, "60": 3 }"#),
            ],
        ),
    },
    Explanation {
        code: "D33",
        severity: Level::Warning,
        meaning: "`check_mechanic.dice` differs from `dice_system`, or `check_mechanic` is no object.",
        why: "`dice_system` counts. Whoever reads the file, or shows it, is told something else.",
        mend: "Make the two agree, or leave `dice` out.",
        source: "docs/spec/diceframe.md#d33; docs/spec/diceframe.md#decision-2",
        example: pack(&[harbor("/check_mechanic/dice", r#""d100""#)], &[harbor("/check_mechanic/dice", r#""d20""#)]),
    },
    Explanation {
        code: "D34",
        severity: Level::Warning,
        meaning: "A threshold of `critical` is not what it seems: no whole number from 1 to 20 switches it off, a number \
                  beyond that is moved into it for attacks, and with a d100 nothing is read but what is fixed anyway.",
        why: "The rule is played with other criticals than it says.",
        mend: "Write a face of the die, `null` to switch a threshold off, or leave `critical` out.",
        source: "docs/spec/diceframe.md#d34; docs/spec/diceframe.md#reading-13; docs/spec/diceframe.md#reading-14; docs/spec/diceframe.md#decision-5",
        example: pack(
            &[harbor("/check_mechanic/critical/success", r#""20""#)],
            &[harbor("/check_mechanic/critical/success", "20")],
        ),
    },
    Explanation {
        code: "D35",
        severity: Level::Warning,
        meaning: "A formula names what neither an attribute nor the engine has.",
        why: "Such a name is 0 without a word. Names are told apart by case: `CON` is not `con`.",
        mend: "Name the `key` of an attribute, `con_mod` or `class_hp_die`; in `proficiency_formula`, `level`.",
        source: "docs/spec/diceframe.md#d35; docs/spec/diceframe.md#decision-2",
        example: pack(
            &[edit(FOG, "/hp_formula", r#""10 + CON // 5""#)],
            &[edit(FOG, "/hp_formula", r#""10 + con // 5""#)],
        ),
    },
    Explanation {
        code: "D36",
        severity: Level::Warning,
        meaning: "A key stands twice in the same object.",
        why: "The last one counts without a word, and the first is lost.",
        mend: "Keep one of the two.",
        source: "docs/spec/diceframe.md#d36; docs/spec/diceframe.md#decision-2",
        example: pack(
            &[edit(WORLD, "", r#"{ "world_id": "quay", "default_rule": "fog", "default_rule": "harbor" }"#)],
            &[edit(WORLD, "", r#"{ "world_id": "quay", "default_rule": "harbor" }"#)],
        ),
    },
    Explanation {
        code: "D37",
        severity: Level::Warning,
        meaning: "The steps of `skill_value_to_bonus` do not ascend, or are no whole numbers.",
        why: "DiceFrame takes the last step in the file that is reached, so a lower one behind it takes its bonus away.",
        mend: "Write the steps from the lowest to the highest.",
        source: "docs/spec/diceframe.md#d37; docs/spec/diceframe.md#reading-5",
        example: pack(
            &[edit(FOG, "", r#"{ "rule_id": "fog", "skill_value_to_bonus": { "60": 3, "20": 1 } }"#)],
            &[edit(FOG, "", r#"{ "rule_id": "fog", "skill_value_to_bonus": { "20": 1, "60": 3 } }"#)],
        ),
    },
    Explanation {
        code: "D38",
        severity: Level::Warning,
        meaning: "A rule, or its `check_mechanic`, has a key that nobody reads.",
        why: "Unknown keys are kept without a word, so a misspelt one does nothing and nobody notices.",
        mend: "Correct the spelling, or take it out.",
        source: "docs/spec/diceframe.md#d38; docs/spec/diceframe.md#decision-2",
        example: pack(&[harbor("/maximum_check_dc", "30")], &[harbor("/max_check_dc", "30")]),
    },
    Explanation {
        code: "D39",
        severity: Level::Warning,
        meaning: "What `plugin.json` contributes and what lies in `content/rules` and `content/worlds` differ, or a \
                  pattern names nothing or cannot be used.",
        why: "DiceFrame registers what is contributed, and its own audit looks into the folders: a file that is only in \
              one of the two is either never played or never checked.",
        mend: "Keep rules in `content/rules`, worlds in `content/worlds`, and contribute both by their patterns.",
        source: "docs/spec/diceframe.md#d39; docs/spec/diceframe.md#reading-10; docs/spec/diceframe.md#decision-2",
        example: pack(
            &[edit("plugin.json", "/contributes/rules", r#"["content/rules/harbor*.json"]"#)],
            &[edit("plugin.json", "/contributes/rules", r#"["content/rules/*.json"]"#)],
        ),
    },
    Explanation {
        code: "nothing-to-audit",
        severity: Level::Warning,
        meaning: "A path given to an audit leads to no rules and no worlds.",
        why: "An audit that looked at nothing says nothing, which is easily taken for praise.",
        mend: "Name a rule or world file, a pack, a folder of packs, or a folder called `rules` or `worlds`.",
        source: "docs/spec/diceframe.md#files-looked-at; docs/spec/diceframe.md#reading-8",
        example: None,
    },
];
