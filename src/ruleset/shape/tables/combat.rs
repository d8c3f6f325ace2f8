//! `battle` and `combat`: how a fight is fought.

use super::common::*;
use super::effects::{CHANGES, EFFECT_WORD, EFFECTS};
use super::mechanics::STANDARD;
use crate::ruleset::shape::language::*;
use crate::types::codes;

const HEALTH: Shape = record!({ "pool?": ID, "track?": ID }, Rule::ExactlyOne(&["pool", "track"]));
const SOURCE: Keys = keys!({
    "list": ID, "onlyWhen?": ID, "alwaysWhen?": record!({ "column": ID, "equals": SCALAR }),
});
const COLUMN: Shape = record!({ "column": ID });
const DISTANCE: Shape = having("const", &record!({ "const": decimal(0..=10_000) }), &COLUMN);

pub const BATTLE: Shape = record!({
    "health": HEALTH, "energy?": record!({ "pool": ID }), "skills?": array(&record!({ ..SOURCE, }), 0..=8),
    "slots?": array(&record!({ "pool": ID, "level": integer(1..=9) }), 0..=12),
});

const ATTACK_SOURCE: Shape = record!(
{
    "list": ID, "budget": ID, "name": ID, "reach?": DISTANCE, "strikes?": VALUE, "strikesCappedBy?": COLUMN,
    "range?": record!({ "normal": DISTANCE, "long?": DISTANCE }),
    "toHit?": record!({ "ability?": COLUMN, "skill?": COLUMN, "proficiency?": COLUMN, "bonus?": COLUMN }),
    "damage": record!({ "dice": COLUMN, "ability?": COLUMN, "bonus?": COLUMN, "type?": COLUMN }),
}, Rule::As(codes::STRIKES_CAP, &Rule::OnlyBeside("strikesCappedBy", "strikes")));

/// What a fight's order is bought with: styles that take it and styles that spend it.
const RESOURCE: Shape = record!({
    "base": integer(0..=100),
    "styles": array(&record!(
        {
            "id": ID, "label": LABEL, "takes?": record!({ "gain?": integer(0..=20) }),
            "spends?": record!({ "onMiss?": steps(&decimal_from(0), 100) }),
        },
        Rule::As(codes::INITIATIVE_STYLES, &Rule::ExactlyOne(&["takes", "spends"])),
    ), 1..=4),
    "crash?": record!({
        "at?": integer(-100..=100), "condition?": ID, "bonus?": integer(0..=100), "recoverAfter?": integer(1..=20),
    }),
});

/// What throws or blows do to who is down.
const FAILS: Shape = one_of(&["one-failure", "two-failures", "none"]);

const CONTEST: Shape = record!({
    "id": ID, "label": LABEL, "budget": ID, "strike?": YES, "reach?": above_zero(10_000.0),
    "attacker": record!({ "checks": distinct(&ID, 1..=4) }), "defender": record!({ "checks": distinct(&ID, 1..=4) }),
    "ties?": one_of(&["defender", "attacker"]), "from?": record!({ "holding": ID }),
    "onWin": record!({
        "applies?": array(&record!({ "condition": ID, "rounds?": integer(1..=100) }), 1..=4),
        "ends?": array(&record!({ "condition": ID, "on": one_of(&["actor", "target"]) }), 1..=4),
        "push?": above_zero(10_000.0),
    }, Rule::As(codes::CONTEST_WIN, &Rule::AtLeastOne(&["applies", "ends", "push"]))),
});

/// `loot` came after API 1.66 and is not described.
const THREAT_TIER: Shape = record!({
    "id": ID, "label": LABEL, "health": array(&integer(1..=100_000), 2..=2), "defense": integer(0..=100),
    "toHit": integer(-20..=50), "damagePerRound": array(&integer(0..=10_000), 2..=2),
    "saveDifficulty": integer(0..=100), "loot?": ANY,
});

pub const COMBAT: Shape = record!({
    "kind": one_of(&["attack-vs-defense", "dice-pool"]), "health": HEALTH, "defense": VALUE,
    "initiative": record!({
        "dice?": THROW, "modifier?": VALUE, "pool?": VALUE, "plus?": integer(0..=100),
        "each?": one_of(&["fight", "round"]), "resource?": RESOURCE,
    },
        Rule::As(codes::INITIATIVE_KEYS, &Rule::OnlyBeside("modifier", "dice")),
        Rule::As(codes::INITIATIVE_KEYS, &Rule::OnlyBeside("plus", "pool")),
        Rule::As(codes::INITIATIVE_RESOURCE, &Rule::OnlyBeside("resource", "pool")),
        Rule::As(codes::INITIATIVE_RESOURCE, &Rule::Excludes("resource", &["each"])),
    ),
    "attackRoll?": record!({
        "dice": THROW, "advantage?": BOOLEAN, "critical?": one_of(&["double-dice", "max-dice", "none"]),
        "naturals?": record!({
            "max?": one_of(&["critical", "hit", "none"]), "min?": one_of(&["miss", "none"]),
        }),
    }),
    "pool?": record!({
        "advantage?": BOOLEAN, "damageTarget?": integer(2..=100), "hardness?": VALUE,
        "soak?": record!(
            { "roll": BOOLEAN, "all?": VALUE, "byKind?": mapping(&VALUE, 0..=MANY) },
            Rule::As(codes::SOAK, &Rule::AtLeastOne(&["all", "byKind"])),
        ),
    }),
    "economy": record!({
        "budgets": array(&record!({
            "id": ID, "label": LABEL, "per": one_of(&["turn", "round"]), "count?": integer(1..=10),
        }), 1..=8),
        "movement?": VALUE,
    }),
    "distance?": record!({ "label": safe(12), "perCell": above_zero(f64::INFINITY) }),
    "ranged?": record!({
        "long?": one_of(&["disadvantage", "normal"]), "adjacentFoe?": one_of(&["disadvantage", "normal"]),
    }),
    "cover?": record!({ "bonus": integer(0..=100) }), "opportunity?": record!({ "budget": ID }),
    "offHand?": record!({ "budget": ID, "ability?": one_of(&["full", "penalty-only"]) }),
    "attacks?": array(&ATTACK_SOURCE, 0..=8),
    "abilities?": array(&record!({ ..SOURCE, "budget": ID, "toHit?": VALUE, "saveDifficulty?": VALUE }), 0..=8),
    "standard?": distinct(&STANDARD, 0..=6),
    "standardEffects?": record!({ "dodge?": record!({ "saves": array(&ID, 1..=12) }) }),
    "conditions?": array(&record!({
        ..EFFECTS, ..CHANGES,
        "condition": ID, "endsWhenSourceDown?": BOOLEAN,
        "whileSourceInSight?": either(&[YES, array(&EFFECT_WORD, 1..=12)]),
    }), 0..=80),
    "levels?": array(&record!(
        { ..EFFECTS, ..CHANGES, "track?": ID, "derived?": ID, "at": integer(1..=1000) },
        Rule::ExactlyOne(&["track", "derived"]),
        Rule::As(codes::LEVEL_SAYS_NOTHING, &Rule::SaysSomething(&["modifiers", "failsSaves", "effects"])),
    ), 0..=20),
    "checks?": array(&record!({ "id": ID, "label": LABEL, "value": VALUE }), 0..=12),
    "contests?": array(&CONTEST, 0..=12),
    "concentration?": record!({
        "text": ID, "save": ID, "floor": integer(0..=100), "fromDamage": above_zero(1.0),
    }),
    "dying?": record!({
        "kind": one_of(&["saves"]), "successes": ID, "failures": ID, "dice": THROW, "succeedAt": integer(1..=1000),
        "naturals?": record!({ "max?": one_of(&["revive-1", "success", "none"]), "min?": FAILS }),
        "damageWhileDown?": FAILS, "criticalWhileDown?": FAILS, "condition?": ID,
    }),
    "damageTypes?": array(&safe(40), 0..=40),
    "damageKinds?": record!({
        "default": ID, "byType?": mapping(&ID, 0..=MANY), "marks": one_of(&["per-blow", "per-point"]),
    }),
    "threat?": record!({ "tiers": array(&THREAT_TIER, 1..=40) }),
    "spendLimits?": array(&record!({ "pool": ID, "max": VALUE, "per": one_of(&["turn", "round"]) }), 1..=12),
});
