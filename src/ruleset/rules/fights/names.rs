//! What `combat` refers to by name (docs/spec/checks.md#combat).

use super::clauses::{Words, check_range, check_strikes};
use super::effects::{Of, check_effect};
use super::fight::Fight;
use super::sources::check_source;
use crate::json::excerpt;
use crate::ruleset::folded::folded;
use crate::ruleset::names::{Ids, Names, is_wound_track};
use crate::ruleset::node::Node;
use crate::ruleset::rules::places::each;
use crate::ruleset::rules::refs;
use crate::ruleset::rules::repeats::{repeated_texts, repeats};
use crate::ruleset::whole::Whole;
use crate::types::{Problems, codes};

pub fn check(ruleset: &Whole<'_>, found: &mut Problems) {
    let fight = Fight::of(ruleset);
    let Some(combat) = fight.combat.clone() else { return };
    let words = Words { names: &ruleset.names, fight: &fight };
    check_budgets(words.names, &combat, found);
    combat.list("attacks").for_each(|attack| check_attack_source(words.names, &attack, found));
    for source in combat.list("abilities") {
        check_source(words.names, &source, found);
        refs::one(&words.names.budgets, &source, "budget", found);
    }
    check_conditions(words, &combat, found);
    check_levels(words, &combat, found);
    combat.list("contests").for_each(|contest| check_contest(words.names, &contest, found));
    check_wounds(words, &combat, found);
    check_damage_types(&combat, found);
    check_others(words.names, &combat, found);
}

fn check_budgets<'a>(names: &Names<'a>, combat: &Node<'a>, found: &mut Problems) {
    for block in ["opportunity", "offHand"].iter().filter_map(|key| combat.get(key)) {
        refs::one(&names.budgets, &block, "budget", found);
    }
}

/// Which types of column can say what of an attack (N49).
const COLUMNS: [(&str, &[&str]); 11] = [
    ("reach", &["number"]),
    ("range.*", &["number"]),
    ("strikesCappedBy", &["boolean"]),
    ("toHit.ability", &["enum"]),
    ("toHit.skill", &["enum"]),
    ("toHit.proficiency", &["boolean"]),
    ("toHit.bonus", &["number"]),
    ("damage.dice", &["dice"]),
    ("damage.ability", &["enum"]),
    ("damage.bonus", &["number"]),
    ("damage.type", &["text", "enum"]),
];

/// A list of things to attack with, and the columns that say how.
fn check_attack_source<'a>(names: &Names<'a>, attack: &Node<'a>, found: &mut Problems) {
    refs::one(&names.budgets, attack, "budget", found);
    check_strikes(attack, found);
    if let Some(range) = attack.get("range") {
        check_range(&range, |distance| distance.number_of("const"), found);
    }
    let Some(list) = refs::one(&names.lists, attack, "list", found) else { return };
    let columns = Names::columns(list);
    refs::typed(&columns, attack, "name", &["text"], found);
    for (path, types) in COLUMNS {
        for read in each(attack, path) {
            refs::typed(&columns, &read, "column", types, found);
        }
    }
}

/// What a condition does is said once.
fn check_conditions<'a>(words: Words<'_, 'a>, combat: &Node<'a>, found: &mut Problems) {
    for condition in combat.list("conditions") {
        refs::one(&words.names.conditions, &condition, "condition", found);
        check_effect(words, Of::Condition, &condition, found);
        check_in_sight(&condition, found);
    }
    let named = combat.list("conditions").filter_map(|condition| condition.get("condition"));
    for (again, first) in repeated_texts(named) {
        let id = excerpt(again.text().unwrap_or_default());
        let message = format!("the effect of `{id}` is already defined, at {}", first.at());
        found.push(again.problem(codes::CONDITION_TWICE, message));
    }
}

/// N23: what a condition does only while its source is in sight is among what it does.
fn check_in_sight(condition: &Node<'_>, found: &mut Problems) {
    let own: Vec<_> = condition.list("effects").filter_map(|word| word.text()).collect();
    for word in condition.list("whileSourceInSight") {
        if let Some(name) = word.text().filter(|name| !own.contains(name)) {
            let message = format!("`{}` is not one of the condition's own `effects`", excerpt(name));
            found.push(word.problem(codes::WHILE_IN_SIGHT, message));
        }
    }
}

/// A level stands on a track that counts, not on wounds, and within its reach; a maximum that is a value reference may
/// be anything. At one number it sets in once.
fn check_levels<'a>(words: Words<'_, 'a>, combat: &Node<'a>, found: &mut Problems) {
    for level in combat.list("levels") {
        check_effect(words, Of::Level, &level, found);
        refs::one(&words.names.derived, &level, "derived", found);
        let Some(track) = refs::one(&words.names.tracks, &level, "track", found) else { continue };
        let id = excerpt(level.text_of("track").unwrap_or_default());
        if let Some(place) = level.get("track").filter(|_| is_wound_track(track)) {
            let message = format!("the track `{id}` counts wounds, but levels need a track of numbers");
            found.push(place.problem(codes::LEVEL_TRACK, message));
            continue;
        }
        let Some((at, max)) = level.get("at").zip(track.number_of("max")) else { continue };
        if let Some(number) = at.number().filter(|number| *number > max) {
            found.push(at.problem(codes::LEVEL_AT, format!("`at` is {number}, but the track `{id}` ends at {max}")));
        }
    }
    let of = |level: &Node<'a>| ["track", "derived"].map(|key| level.text_of(key));
    let places = combat.list("levels").filter_map(|level| Some(((of(&level), at_of(&level)?), level.get("at")?)));
    for (again, first) in repeats(places) {
        let message = format!("the effect at {} is already defined, at {}", again.value(), first.at());
        found.push(again.problem(codes::LEVEL_TWICE, message));
    }
}

/// The number a level sets in at; the shape takes whole ones only.
fn at_of(level: &Node<'_>) -> Option<i64> {
    level.number_of("at").map(|number| number as i64)
}

fn check_contest<'a>(names: &Names<'a>, contest: &Node<'a>, found: &mut Problems) {
    refs::one(&names.budgets, contest, "budget", found);
    for side in ["attacker", "defender"].iter().filter_map(|key| contest.get(key)) {
        refs::each(&names.checks, &side, "checks", found);
    }
    if let Some(from) = contest.get("from") {
        refs::one(&names.conditions, &from, "holding", found);
    }
    let Some(won) = contest.get("onWin") else { return };
    for change in won.list("applies").chain(won.list("ends")) {
        refs::one(&names.conditions, &change, "condition", found);
    }
    // N57: whoever is held already cannot be held again.
    let held = contest.get("from").and_then(|from| from.text_of("holding"));
    for place in won.list("applies").filter_map(|change| change.get("condition")) {
        if let Some(id) = place.text().filter(|id| held == Some(id)) {
            let message = format!("the contest ends `{}`, but would apply it again", excerpt(id));
            found.push(place.problem(codes::CONTEST_HOLDING, message));
        }
    }
}

/// The kinds of wound that damage makes, and that armor takes off.
fn check_wounds<'a>(words: Words<'_, 'a>, combat: &Node<'a>, found: &mut Problems) {
    let kinds: &Ids<'a> = &words.fight.wound_kinds;
    if let Some(soak) = combat.get("pool").and_then(|pool| pool.get("soak")) {
        refs::keys(kinds, &soak, "byKind", found);
    }
    // Where health is no wound track, the block itself is refused.
    let Some(damage) = combat.get("damageKinds").filter(|_| words.fight.has_wounds) else { return };
    refs::one(kinds, &damage, "default", found);
    // Here alone any word will do where the ruleset says that there are no damage types (N47).
    let is_open = words.fight.has_no_damage_types();
    for (damage_type, kind) in refs::members(&damage, "byType") {
        if !is_open {
            refs::of_key(found, |found| words.fight.damage_type_named(damage_type, &kind, found));
        }
        kinds.resolve(&kind, found);
    }
    let named = refs::members(&damage, "byType").map(|(damage_type, kind)| (folded(damage_type), kind));
    for (again, first) in repeats(named) {
        let message = format!("the wounds of this damage type are already defined, at {}", first.at());
        found.push(again.problem(codes::DAMAGE_TYPE_TWICE, message).at_key());
    }
}

/// N46: damage types are compared without case and outer blanks, so no two of them are the same then.
fn check_damage_types(combat: &Node<'_>, found: &mut Problems) {
    let types = combat.list("damageTypes").filter_map(|word| Some((folded(word.text()?), word)));
    for (again, first) in repeats(types) {
        let message =
            format!("this is the same damage type as at {}: case and surrounding whitespace are ignored", first.at());
        found.push(again.problem(codes::DAMAGE_TYPE_TWICE, message));
    }
}

/// What a threat tier gives as the least and the most.
const THREAT_RANGES: [&str; 2] = ["health", "damagePerRound"];

fn check_others<'a>(names: &Names<'a>, combat: &Node<'a>, found: &mut Problems) {
    if let Some(dodge) = combat.get("standardEffects").and_then(|effects| effects.get("dodge")) {
        refs::each(&names.saves, &dodge, "saves", found);
        if combat.list("standard").all(|action| action.text() != Some("dodge")) {
            let message = "nobody can dodge: `combat.standard` does not list `dodge`";
            found.push(dodge.problem(codes::DODGE_NOT_STANDARD, message));
        }
    }
    if let Some(concentration) = combat.get("concentration") {
        refs::one(&names.texts, &concentration, "text", found);
        refs::one(&names.saves, &concentration, "save", found);
    }
    for limit in combat.list("spendLimits") {
        refs::one(&names.pools, &limit, "pool", found);
    }
    for (again, first) in repeated_texts(combat.list("spendLimits").filter_map(|limit| limit.get("pool"))) {
        let id = excerpt(again.text().unwrap_or_default());
        let message = format!("the spending of `{id}` is already limited, at {}", first.at());
        found.push(again.problem(codes::SPEND_LIMIT_TWICE, message));
    }
    for (key, range) in
        each(combat, "threat.tiers[]").iter().flat_map(|tier| THREAT_RANGES.map(|key| (key, tier.get(key))))
    {
        let ends: Vec<_> = range.iter().flat_map(|range| range.items()).collect();
        if let [least, most] = ends.as_slice()
            && let Some((from, to)) = least.number().zip(most.number()).filter(|(from, to)| from > to)
        {
            found.push(least.problem(codes::THREAT_RANGE, format!("`{key}` goes from {from} down to {to}")));
        }
    }
    // What a tier drops is newer than the schema we know (docs/spec/decisions.md#q26); text can only be a loot table's
    // name.
    for tier in each(combat, "threat.tiers[]") {
        refs::one(&names.loot_tables, &tier, "loot", found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::rules::told as findings;
    use serde_json::{Value, json};

    fn told_of(keys: &Value) -> String {
        let mut combat = json!({"economy": {"budgets": [{"id": "act"}]}, "damageTypes": ["cut"], "health": {"track": "harm"},
                                "checks": [{"id": "grapple"}]});
        for (key, value) in keys.as_object().unwrap() {
            combat[key] = value.clone();
        }
        let ruleset = json!({
            "sheet": {
                "saves": [{"id": "will"}], "skills": [{"id": "scrap"}], "derived": [{"id": "tired"}],
                "lists": [{"id": "gear", "columns": [{"id": "name", "type": "text"}, {"id": "swing", "type": "enum"},
                                                      {"id": "bulk", "type": "number"}, {"id": "dice", "type": "dice"}]}],
                "live": {"pools": [{"id": "luck"}], "text": [{"id": "focus"}], "conditions": [{"id": "held"}],
                         "tracks": [{"id": "harm", "max": 4, "kinds": [{"id": "tear"}]}, {"id": "heat", "max": {"const": 3}}, {"id": "cold", "max": 4}]}
            },
            "items": {"lootTables": [{"id": "pockets"}]},
            "combat": combat
        });
        findings(check, &ruleset).join(" ").replace("/combat", "")
    }

    #[test]
    fn every_name_in_combat_is_declared() {
        for (keys, told) in [
            (json!({"opportunity": {"budget": "act"}, "offHand": {"budget": "quick"}}), "unknown-id /offHand/budget"),
            (json!({"abilities": [{"list": "gear", "budget": "quick"}]}), "unknown-id /abilities/0/budget"),
            (
                json!({"standard": ["dodge"], "standardEffects": {"dodge": {"saves": ["will", "wit"]}}}),
                "unknown-id /standardEffects/dodge/saves/1",
            ),
            (json!({"concentration": {"text": "focus", "save": "will"}}), ""),
            (json!({"concentration": {"text": "focal", "save": "will"}}), "unknown-id /concentration/text"),
            (json!({"spendLimits": [{"pool": "rage"}]}), "unknown-id /spendLimits/0/pool"),
            (json!({"threat": {"tiers": [{"loot": "pockets"}, {"loot": "hoard"}]}}), "unknown-id /threat/tiers/1/loot"),
            (json!({"conditions": [{"condition": "held", "failsSaves": ["will"]}]}), ""),
            (json!({"conditions": [{"condition": "heled"}]}), "unknown-id /conditions/0/condition"),
            (
                json!({"conditions": [{"condition": "held", "modifiers": [{"skills": ["x"]}]}]}),
                "unknown-id /conditions/0/modifiers/0/skills/0",
            ),
            (
                json!({"conditions": [{"condition": "held"}, {"condition": "held"}]}),
                "condition-twice /conditions/1/condition",
            ),
            (
                json!({"levels": [{"track": "cold", "at": 4}, {"track": "heat", "at": 9}, {"derived": "tired", "at": 9}]}),
                "",
            ),
            (json!({"levels": [{"track": "cold", "at": 5}]}), "level-at /levels/0/at"),
            (json!({"levels": [{"track": "harm", "at": 1}]}), "level-track /levels/0/track"),
            (json!({"levels": [{"derived": "x", "at": 5}]}), "unknown-id /levels/0/derived"),
            (json!({"damageKinds": {"default": "tear", "byType": {"Cut": "tear"}}}), ""),
            (json!({"damageKinds": {"default": "cut"}}), "unknown-id /damageKinds/default"),
            (json!({"damageKinds": {"byType": {"burn": "tear"}}}), "unknown-id /damageKinds/byType/burn"),
            (json!({"damageKinds": {"byType": {"cut": "x"}}}), "unknown-id /damageKinds/byType/cut"),
            (json!({"pool": {"soak": {"byKind": {"tear": {}, "x": {}}}}}), "unknown-id /pool/soak/byKind/x"),
        ] {
            assert_eq!(told_of(&keys), told, "{keys}");
        }
    }

    #[test]
    fn a_contest_is_between_declared_checks_about_declared_conditions() {
        for (contest, told) in [
            (
                json!({"budget": "act", "attacker": {"checks": ["grapple"]}, "onWin": {"applies": [{"condition": "held"}]}}),
                "",
            ),
            (json!({"defender": {"checks": ["grip"]}}), "unknown-id /contests/0/defender/checks/0"),
            (json!({"from": {"holding": "x"}}), "unknown-id /contests/0/from/holding"),
            (json!({"onWin": {"ends": [{"condition": "x"}]}}), "unknown-id /contests/0/onWin/ends/0/condition"),
        ] {
            assert_eq!(told_of(&json!({"contests": [contest]})), told, "{contest}");
        }
    }

    #[test]
    fn an_attack_reads_columns_of_the_right_type() {
        let gear = |keys: Value| {
            let mut attack =
                json!({"list": "gear", "budget": "act", "name": "name", "damage": {"dice": {"column": "dice"}}});
            for (key, value) in keys.as_object().unwrap() {
                attack[key] = value.clone();
            }
            told_of(&json!({"attacks": [attack]})).replace("/attacks/0", "")
        };
        for (keys, told) in [
            (
                json!({"toHit": {"ability": {"column": "swing"}, "bonus": {"column": "bulk"}}, "reach": {"const": 2}}),
                "",
            ),
            (json!({"list": "gears"}), "unknown-id /list"),
            (json!({"name": "title"}), "unknown-id /name"),
            (json!({"name": "bulk"}), "wrong-reference-type /name"),
            (json!({"toHit": {"bonus": {"column": "name"}}}), "wrong-reference-type /toHit/bonus/column"),
            (json!({"reach": {"column": "name"}}), "wrong-reference-type /reach/column"),
            (
                json!({"range": {"normal": {"column": "bulk"}, "long": {"column": "x"}}}),
                "unknown-id /range/long/column",
            ),
            (json!({"strikesCappedBy": {"column": "name"}}), "wrong-reference-type /strikesCappedBy/column"),
        ] {
            assert_eq!(gear(keys.clone()), told, "{keys}");
        }
    }
}
