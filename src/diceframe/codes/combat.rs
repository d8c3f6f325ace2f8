//! DiceFrame: the `combat` block of a rule, and the fights by it.

use crate::types::explanation::{Base, Edit, Example, Explanation, Level};

const BLOCK: &str = "DiceFrame, section c";
const FIGHTS: &str = "DiceFrame, section c; decision 9";

const fn harbor(at: &'static str, to: &'static str) -> Edit {
    Edit { file: "content/rules/harbor.json", at, to }
}

/// A change to the block of the example pack.
const fn example(wrong: &'static [Edit], right: &'static [Edit]) -> Option<Example> {
    Some(Example { base: Base::Harbor, wrong, right })
}

pub(super) const ALL: &[Explanation] = &[
    Explanation {
        code: "C01",
        severity: Level::Error,
        meaning: "`combat` is no object.",
        why: "DiceFrame refuses the whole block, and the rule with it.",
        mend: "Write an object with `resources` and `actions`, or leave `combat` out: then fights go round \
                  by round. `null` takes away one that is inherited.",
        source: BLOCK,
        example: example(&[harbor("/combat", r#""threshold""#)], &[]),
    },
    Explanation {
        code: "C02",
        severity: Level::Error,
        meaning: "`scheduler` is no object with one of the kinds `threshold`, `initiative`, `round_robin`.",
        why: "Nobody knows whose turn it is.",
        mend: "Name one of the three kinds, or leave the scheduler out.",
        source: BLOCK,
        example: example(
            &[harbor("/combat/scheduler/kind", r#""atb""#)],
            &[harbor("/combat/scheduler/kind", r#""initiative""#)],
        ),
    },
    Explanation {
        code: "C03",
        severity: Level::Error,
        meaning: "`threshold` is no whole number above 0.",
        why: "A gauge must have a size to be full.",
        mend: "Write a whole number without a point, such as `100`.",
        source: BLOCK,
        example: example(
            &[harbor("/combat/scheduler/threshold", "0")],
            &[harbor("/combat/scheduler/threshold", "120")],
        ),
    },
    Explanation {
        code: "C04",
        severity: Level::Error,
        meaning: "`overflow` is neither `carry` nor `clamp`.",
        why: "What a gauge gets above its threshold must stay or go.",
        mend: "Write one of the two.",
        source: BLOCK,
        example: example(
            &[harbor("/combat/scheduler/overflow", r#""spill""#)],
            &[harbor("/combat/scheduler/overflow", r#""clamp""#)],
        ),
    },
    Explanation {
        code: "C05",
        severity: Level::Error,
        meaning: "`consume` is neither `reset` nor `carry`.",
        why: "Acting must empty the gauge or take the threshold from it.",
        mend: "Write one of the two.",
        source: BLOCK,
        example: example(
            &[harbor("/combat/scheduler/consume", r#""empty""#)],
            &[harbor("/combat/scheduler/consume", r#""carry""#)],
        ),
    },
    Explanation {
        code: "C06",
        severity: Level::Error,
        meaning: "`gauge` or `speed` is no text, or blank.",
        why: "They name what fills and what `modify_stat` changes.",
        mend: "Write a name, or leave it out: `action_gauge` and `action_speed` are the usual ones.",
        source: BLOCK,
        example: example(
            &[harbor("/combat/scheduler/gauge", r#""""#)],
            &[harbor("/combat/scheduler/gauge", r#""tempo""#)],
        ),
    },
    Explanation {
        code: "C07",
        severity: Level::Error,
        meaning: "`speed_formula` is no formula: an object with `op`.",
        why: "A speed that cannot be computed is never guessed.",
        mend: "Write a formula over attributes and constants.",
        source: BLOCK,
        example: example(
            &[harbor("/combat/scheduler/speed_formula", r#""nerve * 2""#)],
            &[harbor("/combat/scheduler/speed_formula", r#"{ "op": "attribute", "id": "nerve" }"#)],
        ),
    },
    Explanation {
        code: "C08",
        severity: Level::Error,
        meaning: "`speed_formula` holds dice.",
        why: "A speed must be the same each time it is asked for.",
        mend: "Use attributes and constants only.",
        source: BLOCK,
        example: example(
            &[harbor("/combat/scheduler/speed_formula", r#"{ "op": "dice", "formula": "1d6" }"#)],
            &[harbor("/combat/scheduler/speed_formula", r#"{ "op": "constant", "value": 30 }"#)],
        ),
    },
    Explanation {
        code: "C09",
        severity: Level::Error,
        meaning: "`speed_formula` reads a resource, a `derived_stat` or an `equipment_stat`.",
        why: "Speed follows from the sheet's attributes, which a fight does not change.",
        mend: "Use attributes and constants; `modify_stat` changes the speed for a time.",
        source: BLOCK,
        example: example(
            &[harbor("/combat/scheduler/speed_formula", r#"{ "op": "resource", "id": "oil" }"#)],
            &[harbor("/combat/scheduler/speed_formula", r#"{ "op": "attribute", "id": "nerve" }"#)],
        ),
    },
    Explanation {
        code: "C10",
        severity: Level::Error,
        meaning: "`resources` is missing, empty, or holds what is no object.",
        why: "Without pools there is nothing to lose and nothing to pay with.",
        mend: "List the pools of a fight; one of them has the source `hp`.",
        source: BLOCK,
        example: example(
            &[harbor("/combat/resources/-", r#""focus""#)],
            &[harbor("/combat/resources/-", r#"{ "id": "focus", "source": "combat_state" }"#)],
        ),
    },
    Explanation {
        code: "C11",
        severity: Level::Error,
        meaning: "A resource has no id, or that of another one.",
        why: "Costs, effects and formulas name a resource by its id.",
        mend: "Give every resource an id of its own.",
        source: BLOCK,
        example: example(
            &[harbor("/combat/resources/-", r#"{ "id": "oil", "source": "combat_state" }"#)],
            &[harbor("/combat/resources/-", r#"{ "id": "focus", "source": "combat_state" }"#)],
        ),
    },
    Explanation {
        code: "C12",
        severity: Level::Error,
        meaning: "The `source` of a resource is not `hp`, `special_stat` or `combat_state`.",
        why: "It says where the pool's content comes from.",
        mend: "Name one of the three.",
        source: BLOCK,
        example: example(&[harbor("/combat/resources/1/source", r#""sheet""#)], &[]),
    },
    Explanation {
        code: "C13",
        severity: Level::Error,
        meaning: "There is not exactly one resource with the source `hp`.",
        why: "Damage goes to the pool of life, which must be one.",
        mend: "Declare one, and give other pools another source.",
        source: BLOCK,
        example: example(&[harbor("/combat/resources/-", r#"{ "id": "life", "source": "hp" }"#)], &[]),
    },
    Explanation {
        code: "C14",
        severity: Level::Error,
        meaning: "A resource of the source `special_stat` names no `stat`, or another one names one.",
        why: "`stat` says which stat of the sheet the pool is.",
        mend: "Name the stat, or take it out.",
        source: BLOCK,
        example: example(&[harbor("/combat/resources/0/stat", r#""oil""#)], &[]),
    },
    Explanation {
        code: "C15",
        severity: Level::Error,
        meaning: "A resource stands for a stat that `special_stats` does not declare.",
        why: "No sheet has it, so the pool would have no content.",
        mend: "Declare the stat, or name one that is declared.",
        source: BLOCK,
        example: example(
            &[harbor("/combat/resources/1/stat", r#""wax""#)],
            &[harbor("/combat/resources/1/stat", r#""oil""#)],
        ),
    },
    Explanation {
        code: "C16",
        severity: Level::Error,
        meaning: "`maximum` is no whole number above 0.",
        why: "A pool that can hold nothing is none.",
        mend: "Write a whole number, or leave it to the sheet.",
        source: BLOCK,
        example: example(&[harbor("/combat/resources/1/maximum", "0")], &[harbor("/combat/resources/1/maximum", "8")]),
    },
    Explanation {
        code: "C17",
        severity: Level::Error,
        meaning: "`costable` is not true or false.",
        why: "Any other value would be a guess.",
        mend: "Write `true` or `false`.",
        source: BLOCK,
        example: example(
            &[harbor("/combat/resources/0/costable", r#""no""#)],
            &[harbor("/combat/resources/0/costable", "false")],
        ),
    },
    Explanation {
        code: "C18",
        severity: Level::Error,
        meaning: "`damage_priority` is not `before_hp`, or stands on a pool that is not of the source \
                  `combat_state`.",
        why: "Only a state of the fight can be a shield.",
        mend: "Take it out, or make the pool a `combat_state`.",
        source: BLOCK,
        example: example(
            &[harbor("/combat/resources/1/damage_priority", r#""before_hp""#)],
            &[harbor(
                "/combat/resources/-",
                r#"{ "id": "ward", "source": "combat_state", "damage_priority": "before_hp" }"#,
            )],
        ),
    },
    Explanation {
        code: "C19",
        severity: Level::Error,
        meaning: "`damage_types` is no list of texts that are not blank.",
        why: "They are compared with the types of damage that effects do.",
        mend: "List the names of types; an empty list is all of them.",
        source: BLOCK,
        example: example(
            &[harbor("/combat/damage_types", r#""fire""#)],
            &[harbor("/combat/damage_types", r#"["fire"]"#)],
        ),
    },
    Explanation {
        code: "C20",
        severity: Level::Error,
        meaning: "`actions` is missing, or no list of objects.",
        why: "It is the catalog of what can be done; it may be empty.",
        mend: "Write a list.",
        source: BLOCK,
        example: example(&[harbor("/combat/actions/-", r#""strike""#)], &[]),
    },
    Explanation {
        code: "C21",
        severity: Level::Error,
        meaning: "An action has no id, or that of another one.",
        why: "Players choose an action by its id.",
        mend: "Give every action an id of its own, such as `spell:fireball`.",
        source: BLOCK,
        example: example(
            &[harbor("/combat/actions/1/id", r#""trick:flare""#)],
            &[harbor("/combat/actions/1/id", r#""trick:breath""#)],
        ),
    },
    Explanation {
        code: "C22",
        severity: Level::Error,
        meaning: "The `kind` of an action is not `attack`, `ability` or `consumable`.",
        why: "There are these three kinds; what is a spell and what a potion, the id says.",
        mend: "Name one of the three.",
        source: BLOCK,
        example: example(
            &[harbor("/combat/actions/1/kind", r#""spell""#)],
            &[harbor("/combat/actions/1/kind", r#""attack""#)],
        ),
    },
    Explanation {
        code: "C23",
        severity: Level::Error,
        meaning: "The `name` of an action is no text, or blank.",
        why: "It is what players read.",
        mend: "Write a name, or leave it out: then the id is shown.",
        source: BLOCK,
        example: example(
            &[harbor("/combat/actions/1/name", r#""""#)],
            &[harbor("/combat/actions/1/name", r#""Second wind""#)],
        ),
    },
    Explanation {
        code: "C24",
        severity: Level::Error,
        meaning: "A cost is no object with `resource` and `amount`, or its resource is not declared, not \
                  costable, or paid with twice.",
        why: "Whether an action can be paid must be certain before it is done.",
        mend: "Name each declared and costable resource once.",
        source: BLOCK,
        example: example(
            &[harbor("/combat/actions/1/costs/0/resource", r#""wax""#)],
            &[harbor("/combat/actions/1/costs/0/resource", r#""oil""#)],
        ),
    },
    Explanation {
        code: "C25",
        severity: Level::Error,
        meaning: "`effects` is missing, empty, or holds what is no object.",
        why: "An action without an effect does nothing.",
        mend: "Give the action an effect.",
        source: BLOCK,
        example: example(&[harbor("/combat/actions/1/effects", "[]")], &[]),
    },
    Explanation {
        code: "C26",
        severity: Level::Error,
        meaning: "The `kind` of an effect is not `damage`, `resource_change` or `modify_stat`.",
        why: "Other kinds are known to DiceFrame and refused here.",
        mend: "Use one of the three; a barrier is a `combat_state` that `resource_change` fills.",
        source: BLOCK,
        example: example(
            &[harbor("/combat/actions/1/effects/0/kind", r#""barrier""#)],
            &[harbor("/combat/actions/1/effects/0/kind", r#""modify_stat""#)],
        ),
    },
    Explanation {
        code: "C27",
        severity: Level::Error,
        meaning: "An effect lacks a field that its kind needs, or has one that its kind must not have.",
        why: "A field that does nothing would be taken for one that does.",
        mend: "All need `amount`; `resource_change` needs `resource`; `modify_stat` needs `resource` and a \
                  `duration` above 0; only `damage` has a `damage_type`; none has a `target_policy`.",
        source: BLOCK,
        example: example(&[harbor("/combat/actions/0/effects/0/duration", "2")], &[]),
    },
    Explanation {
        code: "C28",
        severity: Level::Error,
        meaning: "`resource_change` names a resource that is not declared.",
        why: "Only declared pools can be filled and drained.",
        mend: "Declare the resource, or name one that is.",
        source: BLOCK,
        example: example(
            &[harbor(
                "/combat/actions/1/effects/0",
                r#"{ "kind": "resource_change", "resource": "wax", "amount": { "op": "constant", "value": 2 } }"#,
            )],
            &[harbor(
                "/combat/actions/1/effects/0",
                r#"{ "kind": "resource_change", "resource": "oil", "amount": { "op": "constant", "value": 2 } }"#,
            )],
        ),
    },
    Explanation {
        code: "C29",
        severity: Level::Error,
        meaning: "`modify_stat` names neither the scheduler's speed nor a declared resource.",
        why: "The change would reach nothing.",
        mend: "Write the name the scheduler has under `speed`: `action_speed` where it has none.",
        source: BLOCK,
        example: example(
            &[harbor("/combat/actions/1/effects/0/resource", r#""speed""#)],
            &[harbor("/combat/actions/1/effects/0/resource", r#""action_speed""#)],
        ),
    },
    Explanation {
        code: "C30",
        severity: Level::Error,
        meaning: "A `damage_type` is not among the block's `damage_types`, or is no text.",
        why: "Where there is a vocabulary, a misspelt type would pass every shield.",
        mend: "Add the type to `damage_types`, or correct it.",
        source: BLOCK,
        example: example(
            &[harbor("/combat/damage_types", r#"["cold"]"#)],
            &[harbor("/combat/damage_types", r#"["cold", "fire"]"#)],
        ),
    },
    Explanation {
        code: "C31",
        severity: Level::Error,
        meaning: "A formula has an `op` that is not known, or a wrong number of `args`.",
        why: "A formula is never run as code, and what is not known is never guessed.",
        mend: "Use `constant`, `attribute`, `resource`, `dice`; `add`, `min`, `max` over one or more; \
                  `subtract`, `multiply` over two; `negate` over one.",
        source: BLOCK,
        example: example(
            &[harbor(
                "/combat/actions/0/effects/0/amount",
                r#"{ "op": "divide", "args": [{ "op": "constant", "value": 9 }, { "op": "constant", "value": 2 }] }"#,
            )],
            &[harbor(
                "/combat/actions/0/effects/0/amount",
                r#"{ "op": "subtract", "args": [{ "op": "constant", "value": 9 }, { "op": "constant", "value": 2 }] }"#,
            )],
        ),
    },
    Explanation {
        code: "C32",
        severity: Level::Error,
        meaning: "A formula is nested deeper than 8 levels below its root, or has more than 64 nodes or 8 \
                  nodes of dice.",
        why: "DiceFrame refuses to compute it.",
        mend: "Make it smaller: one constant for a sum of constants, `3d6` for three times `1d6`.",
        source: BLOCK,
        example: example(
            &[harbor(
                "/combat/actions/0/effects/0/amount",
                r#"{ "op": "add", "args": [{ "op": "dice", "formula": "1d6" }, { "op": "dice", "formula": "1d6" }, { "op": "dice", "formula": "1d6" }, { "op": "dice", "formula": "1d6" }, { "op": "dice", "formula": "1d6" }, { "op": "dice", "formula": "1d6" }, { "op": "dice", "formula": "1d6" }, { "op": "dice", "formula": "1d6" }, { "op": "dice", "formula": "1d6" }] }"#,
            )],
            &[harbor("/combat/actions/0/effects/0/amount", r#"{ "op": "dice", "formula": "9d6" }"#)],
        ),
    },
    Explanation {
        code: "C33",
        severity: Level::Error,
        meaning: "The `value` of a constant is no whole number of 64 bits.",
        why: "`2.0`, `\"2\"` and `true` are other things to DiceFrame.",
        mend: "Write a whole number without a point.",
        source: BLOCK,
        example: example(
            &[harbor("/combat/actions/0/effects/0/amount", r#"{ "op": "constant", "value": 2.5 }"#)],
            &[harbor("/combat/actions/0/effects/0/amount", r#"{ "op": "constant", "value": 2 }"#)],
        ),
    },
    Explanation {
        code: "C34",
        severity: Level::Error,
        meaning: "A formula reads an attribute that the rule does not declare.",
        why: "No sheet has it; an unknown name is never 0.",
        mend: "Declare it under `attributes`, or name one that is; upper and lower case differ.",
        source: BLOCK,
        example: example(
            &[harbor("/combat/actions/0/effects/0/amount", r#"{ "op": "attribute", "id": "Nerve" }"#)],
            &[harbor("/combat/actions/0/effects/0/amount", r#"{ "op": "attribute", "id": "nerve" }"#)],
        ),
    },
    Explanation {
        code: "C35",
        severity: Level::Error,
        meaning: "A formula reads a resource that the block does not declare.",
        why: "Fields of the sheet do not become pools by themselves.",
        mend: "Declare it under `resources`, or name one that is.",
        source: BLOCK,
        example: example(
            &[harbor("/combat/actions/0/effects/0/amount", r#"{ "op": "resource", "id": "luck" }"#)],
            &[harbor(
                "/combat/actions/0/effects/0/amount",
                r#"{ "op": "max", "args": [{ "op": "resource", "id": "oil" }, { "op": "constant", "value": 1 }] }"#,
            )],
        ),
    },
    Explanation {
        code: "C36",
        severity: Level::Error,
        meaning: "The `formula` of dice is not `NdM` with 1 to 100 dice of 2 to 9999 sides.",
        why: "DiceFrame loads `500d6` and `1d1` and then refuses every throw.",
        mend: "Write both numbers and nothing else; add a constant for a modifier.",
        source: BLOCK,
        example: example(
            &[harbor("/combat/actions/0/effects/0/amount", r#"{ "op": "dice", "formula": "2d6+3" }"#)],
            &[harbor(
                "/combat/actions/0/effects/0/amount",
                r#"{ "op": "add", "args": [{ "op": "dice", "formula": "2d6" }, { "op": "constant", "value": 3 }] }"#,
            )],
        ),
    },
    Explanation {
        code: "C37",
        severity: Level::Error,
        meaning: "`consume_item` names no item, or its `qty` is no whole number above 0.",
        why: "What is taken from the inventory must be certain.",
        mend: "Write `{ \"item\": \"…\" }`, with a `qty` for more than one.",
        source: BLOCK,
        example: example(
            &[harbor("/combat/actions/1/consume_item", r#"{ "item": "wick", "qty": "2" }"#)],
            &[harbor("/combat/actions/1/consume_item", r#"{ "item": "wick", "qty": 2 }"#)],
        ),
    },
    Explanation {
        code: "C40",
        severity: Level::Warning,
        meaning: "A scheduler of the kind `threshold` has no `speed_formula`.",
        why: "Everybody has the speed 25 then, whatever their sheet says.",
        mend: "Write a formula over attributes, or a constant if all are meant to be equally fast.",
        source: BLOCK,
        example: example(
            &[harbor("/combat/scheduler", r#"{ "kind": "threshold" }"#)],
            &[harbor(
                "/combat/scheduler",
                r#"{ "kind": "threshold", "speed_formula": { "op": "constant", "value": 30 } }"#,
            )],
        ),
    },
    Explanation {
        code: "C42",
        severity: Level::Warning,
        meaning: "Somebody with all attributes at their minima has a speed of 0 or less.",
        why: "A fight with them cannot begin: everybody alive must move.",
        mend: "Put the formula into `max` with a constant above 0.",
        source: BLOCK,
        example: example(
            &[harbor(
                "/combat/scheduler/speed_formula",
                r#"{ "op": "subtract", "args": [{ "op": "attribute", "id": "nerve" }, { "op": "constant", "value": 90 }] }"#,
            )],
            &[harbor(
                "/combat/scheduler/speed_formula",
                r#"{ "op": "max", "args": [{ "op": "constant", "value": 1 }, { "op": "subtract", "args": [{ "op": "attribute", "id": "nerve" }, { "op": "constant", "value": 90 }] }] }"#,
            )],
        ),
    },
    Explanation {
        code: "C43",
        severity: Level::Warning,
        meaning: "Whatever the sheet and the dice say, the result of a formula is refused: beyond 100000 \
                  either way, a cost below 0, damage of 0 or less, a change of 0.",
        why: "The action can never be done. `audit combat` takes it for an error.",
        mend: "Correct the formula, or take the action out.",
        source: BLOCK,
        example: example(
            &[harbor("/combat/actions/0/effects/0/amount", r#"{ "op": "constant", "value": 0 }"#)],
            &[harbor("/combat/actions/0/effects/0/amount", r#"{ "op": "constant", "value": 1 }"#)],
        ),
    },
    Explanation {
        code: "C44",
        severity: Level::Warning,
        meaning: "A key within `combat` is read by nobody.",
        why: "Most often it is a misspelt one, and the rule does not do what it says.",
        mend: "Correct the key or take it out.",
        source: BLOCK,
        example: example(
            &[harbor("/combat/scheduler/overfow", r#""clamp""#)],
            &[harbor("/combat/scheduler/overflow", r#""clamp""#)],
        ),
    },
    Explanation {
        code: "formula-out-of-bounds",
        severity: Level::Error,
        meaning: "A formula's result is beyond 100000 either way for every sheet and every throw.",
        why: "It is refused each time, so the action, or the fight, never happens.",
        mend: "Make the numbers smaller.",
        source: FIGHTS,
        example: None,
    },
    Explanation {
        code: "action-never-payable",
        severity: Level::Error,
        meaning: "Nobody can ever do an action: its cost is above what the pool can hold, or one of its \
                  amounts is always refused.",
        why: "Players see an action that never works.",
        mend: "Lower the cost, fill the pool by some other action, or correct the amount.",
        source: FIGHTS,
        example: None,
    },
    Explanation {
        code: "gauge-never-fills",
        severity: Level::Error,
        meaning: "The speed is never above 0, whatever the attributes.",
        why: "No gauge ever fills and no fight ever begins.",
        mend: "Correct the formula.",
        source: FIGHTS,
        example: None,
    },
    Explanation {
        code: "fight-never-ends",
        severity: Level::Error,
        meaning: "No action that can be paid ever takes life.",
        why: "A fight by this block goes on for ever.",
        mend: "Add an action with damage, or with a price in life.",
        source: FIGHTS,
        example: None,
    },
    Explanation {
        code: "referee-disagrees",
        severity: Level::Error,
        meaning: "The two computations of a fight came to different ends.",
        why: "It is a fault of this tool, and what it says of this rule cannot be relied on.",
        mend: "Please report it with the rule and the seed.",
        source: FIGHTS,
        example: None,
    },
    Explanation {
        code: "action-never-paid",
        severity: Level::Warning,
        meaning: "In all the fights, nobody could ever pay for an action that they tried.",
        why: "It may be possible and so rare that players never see it.",
        mend: "Look at the costs beside what the pools hold; `--trace` shows a fight.",
        source: FIGHTS,
        example: None,
    },
    Explanation {
        code: "gauge-stalled",
        severity: Level::Warning,
        meaning: "In some fights a speed was 0 or less, or could not be computed, and time stood still.",
        why: "At a table the fight is stuck until the GM steps in.",
        mend: "Put the formula into `max` with a constant above 0; look at what `modify_stat` takes from \
                  the speed.",
        source: FIGHTS,
        example: None,
    },
    Explanation {
        code: "formula-refused",
        severity: Level::Warning,
        meaning: "In some fights the result of a formula was refused: beyond 100000, a cost below 0, damage of \
                  0 or less, a change of 0.",
        why: "The action fails then, though the player could pay for it.",
        mend: "Put the formula into `max` or `min` with a constant.",
        source: FIGHTS,
        example: None,
    },
    Explanation {
        code: "fight-not-ended",
        severity: Level::Warning,
        meaning: "Some fights did not end: nobody could do anything any more, or they went on and on.",
        why: "Powers may run out before anybody goes down, or healing may keep up with damage.",
        mend: "Add an attack that costs nothing, or lower what heals; `--trace` shows a fight.",
        source: FIGHTS,
        example: None,
    },
];
