//! What a row does in a fight or to a check (docs/spec/checks.md#mechanics).

use super::entries;
use crate::json::excerpt;
use crate::ruleset::names::{Ids, Names, is_dice_sum};
use crate::ruleset::node::Node;
use crate::ruleset::rules::fights::Fight;
use crate::ruleset::rules::fights::clauses::{Words, asks_for_save, check_pool_dice};
use crate::ruleset::rules::fights::used::check_used;
use crate::ruleset::rules::pool_dice::PoolDice;
use crate::ruleset::rules::refs::unknown;
use crate::ruleset::rules::repeats::repeats;
use crate::ruleset::whole::Whole;
use crate::types::{Problems, Rule, codes};
use std::collections::BTreeSet;

pub fn check(ruleset: &Whole<'_>, found: &mut Problems) {
    let fight = Fight::of(ruleset);
    let words = Words { names: &ruleset.names, fight: &fight };
    for (entry, mechanics) in entries::each(ruleset, "mechanics") {
        check_used(words, &mechanics, fight.has_wounds_anywhere, found);
        check_names(words, &mechanics, found);
        check_rider(words, &mechanics, found);
        check_standard(words, &mechanics, found);
        check_save(&fight, entry, &mechanics, found);
        if let Some(change) = mechanics.get("check") {
            check_change(ruleset, &change, found);
        }
    }
}

fn check_names<'a>(words: Words<'_, 'a>, mechanics: &Node<'a>, found: &mut Problems) {
    let names = words.names;
    words.reaction(mechanics, found);
    for cost in mechanics.list("cost") {
        let Some(pool) = cost.get("pool") else { continue };
        let Some(name) = pool.text().filter(|name| !names.pools.may_have(name) && !names.pool_groups.contains(name))
        else {
            continue;
        };
        let known = names.pools.iter().map(|(id, _)| id).chain(names.pool_groups.iter().copied());
        let likely = found.suggest(name, known);
        found.push(unknown("live pool or group of pools", name, &pool, &likely));
    }
    for given in mechanics.list("gives") {
        words.budget(&given, found);
    }
}

/// What would make a rider something of its own, done on a turn (N65), whatever stands there: `false` and `[]` too.
const TAKEN: [&str; 21] = [
    "range",
    "area",
    "targets",
    "friendlyFire",
    "amount",
    "damageType",
    "plus",
    "attackRoll",
    "save",
    "cost",
    "perCostStep",
    "concentration",
    "reaction",
    "targetCount",
    "autoHit",
    "applies",
    "temporary",
    "budget",
    "free",
    "gives",
    "standard",
];

/// A rider comes along with a hit: its kind and its key go together, and it is nothing that is taken on a turn.
fn check_rider<'a>(words: Words<'_, 'a>, mechanics: &Node<'a>, found: &mut Problems) {
    let is_rider = mechanics.text_of("kind") == Some("rider");
    let Some(rider) = mechanics.get("rider") else {
        if is_rider {
            found.push(mechanics.problem(codes::RIDER, "the kind is `rider`, but `rider` is missing"));
        }
        return;
    };
    words.fight.damage_type(&rider, "type", found);
    if let Some(amount) = rider.get("amount") {
        check_pool_dice(words.fight, &amount, "dice", found);
    }
    if words.fight.combat.is_some() {
        check_sources(words, &rider, found);
    }
    if !is_rider && mechanics.has("kind") {
        let kind = excerpt(mechanics.text_of("kind").unwrap_or_default()).into_owned();
        found.push(rider.problem(codes::RIDER, format!("the kind is `{kind}`, but this key requires `rider`")));
        return;
    }
    for (key, taken) in TAKEN.iter().filter_map(|key| Some((key, mechanics.get(key)?))) {
        let message = format!("a rider only adds to a hit, so it cannot have `{key}`");
        found.push(taken.problem(codes::RIDER, message).at_key().hint("remove it, or choose another kind"));
    }
}

/// What a rider comes with: attacks out of these lists, or out of any that attacks are taken from, in rows that have
/// the column it requires (N67, N68).
fn check_sources<'a>(words: Words<'_, 'a>, rider: &Node<'a>, found: &mut Problems) {
    let lists = words.fight.attack_lists();
    for source in rider.list("sources") {
        if let Some(name) = source.text().filter(|name| !lists.contains(name)) {
            let likely = found.suggest(name, lists.iter().copied());
            found.push(unknown("list of `combat.attacks`", name, &source, &likely));
        }
    }
    let Some(column) = rider.get("requires").and_then(|requires| requires.get("column")) else { return };
    let Some(name) = column.text() else { return };
    let lists = match rider.get("sources") {
        Some(sources) => sources.items().filter_map(|source| source.text()).collect(),
        None => lists,
    };
    let known: Vec<_> = lists.iter().filter_map(|list| words.names.lists.get(list)).map(Names::columns).collect();
    let is_known = known.iter().any(|columns| columns.may_have(name));
    // Of lists that are unknown themselves nothing more is said.
    if !is_known && known.len() == lists.len() && !words.names.lists.is_unknown() {
        let likely = found.suggest(name, known.iter().flat_map(Ids::iter).map(|(id, _)| id));
        found.push(unknown("column in the lists it comes with", name, &column, &likely));
    }
}

/// Standard actions for another budget: each once; and where there are fights, one of theirs, and not for the budget
/// they always cost. A ruleset that does not list its standard actions has none (N69).
fn check_standard<'a>(words: Words<'_, 'a>, mechanics: &Node<'a>, found: &mut Problems) {
    let Some(standard) = mechanics.get("standard") else { return };
    let named = || standard.list("actions").filter_map(|action| Some((action.text()?, action)));
    for (again, _) in repeats(named()) {
        let name = excerpt(again.text().unwrap_or_default());
        found.push(again.problem(codes::STANDARD_ACTIONS, format!("`{name}` is listed twice")));
    }
    let Some(combat) = words.fight.combat.as_ref() else { return };
    let declared: Vec<_> = combat.list("standard").filter_map(|action| action.text()).collect();
    for (name, action) in named() {
        if !declared.contains(&name) {
            let message = format!("`{}` is not one of the standard actions in `combat.standard`", excerpt(name));
            found.push(action.problem(codes::STANDARD_ACTIONS, message));
        }
    }
    let Some(budget) = standard.get("budget") else { return };
    words.names.budgets.resolve(&budget, found);
    let first = combat.get("economy").and_then(|economy| economy.list("budgets").next());
    if let Some(first) = first.and_then(|first| first.text_of("id"))
        && budget.text() == Some(first)
    {
        let message = format!("standard actions already cost `{}`: expected another budget", excerpt(first));
        found.push(budget.problem(codes::STANDARD_ACTIONS, message));
    }
}

/// Something to save against needs a number to beat, and that is the list's: each source of abilities that offers a
/// list of this entry's rows says it (N70). Entries of lists a fight does not offer are never saved against.
fn check_save(fight: &Fight<'_>, entry: &Node<'_>, mechanics: &Node<'_>, found: &mut Problems) {
    // A rider asks for no save: that it has one is told as such.
    let Some(save) = asks_for_save(mechanics).filter(|_| mechanics.text_of("kind") != Some("rider")) else { return };
    let lists: BTreeSet<_> = entry.list("rows").filter_map(|row| row.text_of("list")).collect();
    let abilities = fight.combat.iter().flat_map(|combat| combat.list("abilities"));
    let mut offering = abilities.filter(|source| source.text_of("list").is_some_and(|list| lists.contains(list)));
    if let Some(source) = offering.find(|source| !source.has("saveDifficulty")) {
        let list = excerpt(source.text_of("list").unwrap_or_default());
        let message = format!("the save has no difficulty: {} offers `{list}` without `saveDifficulty`", source.at());
        found.push(save.problem(codes::SAVE_NEEDS_DIFFICULTY, message).hint("add it"));
    }
}

/// What an entry changes about a check keeps within what the ruleset lets any check change.
fn check_change(ruleset: &Whole<'_>, change: &Node<'_>, found: &mut Problems) {
    const CODE: &Rule = codes::CHECK_CHANGE;
    if is_dice_sum(&ruleset.root) {
        let message = "an entry can only change checks that roll a pool of dice";
        return found.push(change.problem(CODE, message));
    }
    let Some(dice) = PoolDice::of(ruleset) else { return };
    if let Some(reroll) = change.get("reroll") {
        dice.check_reroll(&reroll, found);
    }
    if let Some((threshold, (min, max))) = change.get("threshold").zip(dice.target) {
        check_between(&threshold, "threshold", min, max, found);
    }
    for key in ["explode", "double"] {
        let Some(face) = change.get(key) else { continue };
        let rule = ruleset.root.get("resolution").and_then(|resolution| resolution.get(key));
        match rule.and_then(|rule| rule.number_of("min")) {
            Some(min) => check_between(&face, key, min, dice.sides, found),
            None => {
                let message = format!("`{key}` moves a face that no check of the ruleset can move");
                found.push(face.problem(CODE, message).hint(format!("add `resolution.{key}.min`, or remove it")));
            }
        }
    }
}

fn check_between(face: &Node<'_>, key: &str, min: f64, max: f64, found: &mut Problems) {
    if face.number().is_some_and(|number| !(min..=max).contains(&number)) {
        let message = format!("`{key}` is {}, but the ruleset allows {min} to {max}", face.value());
        found.push(face.problem(codes::CHECK_CHANGE, message));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::rules::told as findings;
    use serde_json::{Value, json};

    /// What is said of an entry of the list `spells` with these mechanics, in a ruleset with these parts.
    fn told_of(parts: &Value, mechanics: &Value) -> String {
        let mut ruleset = parts.clone();
        let rows = json!([{"list": "spells", "values": {}}]);
        ruleset["catalogs"] =
            json!([{"id": "c", "feeds": ["spells"], "entries": [{"rows": rows, "mechanics": mechanics}]}]);
        let told = findings(check, &ruleset).join(" ");
        told.replace("/catalogs/0/entries/0/mechanics", "")
    }

    fn fight() -> Value {
        json!({
            "sheet": {"saves": [{"id": "will"}], "lists": [{"id": "spells", "columns": [{"id": "finesse"}]}],
                      "live": {"pools": [{"id": "mana", "group": "magic"}], "conditions": [{"id": "stunned"}]}},
            "combat": {"economy": {"budgets": [{"id": "act"}, {"id": "quick"}]}, "damageTypes": ["fire"], "attacks": [{"list": "spells"}],
                       "standard": ["dash", "dodge"],
                       "abilities": [{"list": "spells", "budget": "act", "saveDifficulty": {"const": 9}}]}
        })
    }

    #[test]
    fn every_name_in_mechanics_is_declared() {
        let parts = fight();
        for (mechanics, told) in [
            (json!({"kind": "attack", "save": {"save": "will"}, "budget": "act", "damageType": "FIRE "}), ""),
            (json!({"save": {"save": "wil"}}), "unknown-id /save/save"),
            (json!({"budget": "bonus"}), "unknown-id /budget"),
            (json!({"damageType": "ice"}), "unknown-id /damageType"),
            (json!({"amount": {}, "plus": [{"type": "fire"}, {"type": "ice"}]}), "unknown-id /plus/1/type"),
            (json!({"cost": [{"pool": "mana"}, {"pool": "magic"}]}), ""),
            (json!({"cost": [{"pool": "rage"}]}), "unknown-id /cost/0/pool"),
            (json!({"applies": [{"condition": "stuned"}]}), "unknown-id /applies/0/condition"),
            (
                json!({"applies": [{"condition": "stunned", "saveEnds": {"save": "x"}}]}),
                "unknown-id /applies/0/saveEnds/save",
            ),
            (json!({"gives": [{"budget": "x"}]}), "unknown-id /gives/0/budget"),
            (json!({"reaction": true}), ""),
            (json!({"reaction": {"on": "used", "against": {"catalogs": ["c"]}}}), ""),
            (
                json!({"reaction": {"on": "used", "against": {"catalogs": ["d"]}}}),
                "unknown-id /reaction/against/catalogs/0",
            ),
        ] {
            assert_eq!(told_of(&parts, &mechanics), told, "{mechanics}");
        }
    }

    #[test]
    fn what_of_the_mechanics_goes_together() {
        let parts = fight();
        for (mechanics, told) in [
            (json!({"kind": "attack", "amount": {"flat": 1}, "plus": [{"flat": 1}]}), ""),
            (json!({"kind": "attack", "plus": [{"flat": 1}]}), "plus-needs-amount /plus"),
            (json!({"kind": "heal", "amount": {"flat": 1}, "plus": [{"flat": 1}]}), "plus-needs-amount /plus"),
            (json!({"kind": "heal", "plus": []}), "plus-needs-amount /plus"),
            (json!({"free": true, "budget": "act"}), "free-with-budget /free"),
            (
                json!({"kind": "rider", "rider": {"amount": {}}, "cost": [], "attackRoll": false}),
                "rider /attackRoll rider /cost",
            ),
            (json!({"kind": "rider"}), "rider "),
            (json!({"kind": "attack", "rider": {}}), "rider /rider"),
            (json!({"kind": "rider", "rider": {}, "budget": "act"}), "rider /budget"),
            (json!({"kind": "rider", "rider": {"type": "ice"}}), "unknown-id /rider/type"),
            (json!({"kind": "rider", "rider": {"requires": {"column": "finesse"}}}), ""),
            (json!({"kind": "rider", "rider": {"requires": {"column": "x"}}}), "unknown-id /rider/requires/column"),
            (json!({"standard": {"actions": ["dash", "dodge"], "budget": "quick"}}), ""),
            (
                json!({"standard": {"actions": ["dash", "dash"], "budget": "quick"}}),
                "standard-actions /standard/actions/1",
            ),
            (json!({"standard": {"actions": ["hide"], "budget": "quick"}}), "standard-actions /standard/actions/0"),
            (json!({"standard": {"actions": ["dash"], "budget": "act"}}), "standard-actions /standard/budget"),
        ] {
            assert_eq!(told_of(&parts, &mechanics), told, "{mechanics}");
        }
    }

    #[test]
    fn a_save_needs_a_difficulty_where_a_fight_offers_the_list() {
        let mut parts = fight();
        let saved = json!({"save": {"save": "will"}});
        let plus = |save: Value| json!({"amount": {}, "plus": [{"save": save}]});
        assert_eq!(told_of(&parts, &saved), "");
        parts["combat"]["abilities"][0].as_object_mut().unwrap().remove("saveDifficulty");
        assert_eq!(told_of(&parts, &saved), "save-needs-difficulty /save");
        assert_eq!(told_of(&parts, &plus(json!({"save": "will"}))), "save-needs-difficulty /plus");
        assert_eq!(told_of(&parts, &plus(json!({"save": "will", "difficulty": 9}))), "");
        parts["combat"]["abilities"] = json!([]);
        assert_eq!(told_of(&parts, &saved), "");
    }

    #[test]
    fn a_check_is_changed_only_as_far_as_the_ruleset_lets_it() {
        let sum = json!({"resolution": {"kind": "dice-sum"}});
        assert_eq!(told_of(&sum, &json!({"check": {"dice": 1}})), "check-change /check");
        let pool = json!({"resolution": {"kind": "dice-pool", "target": {"min": 5, "max": 9}, "explode": {"min": 8}}});
        for (change, told) in [
            (json!({"dice": 1, "successes": 2, "threshold": 5, "explode": 8, "reroll": {"upTo": 9}}), ""),
            (json!({"threshold": 10}), "check-change /check/threshold"),
            (json!({"explode": 7}), "check-change /check/explode"),
            (json!({"explode": 11}), "check-change /check/explode"),
            (json!({"double": 9}), "check-change /check/double"),
            (json!({"reroll": {"upTo": 10}}), "face-beyond-die /check/reroll/upTo"),
        ] {
            assert_eq!(told_of(&pool, &json!({"check": change})), told, "{change}");
        }
    }

    #[test]
    fn health_in_wounds_has_no_temporary_health_and_a_pool_fight_throws_its_own_die() {
        let parts = json!({
            "resolution": {"kind": "dice-pool"},
            "sheet": {"live": {"tracks": [{"id": "harm", "kinds": []}]}},
            "combat": {"kind": "dice-pool", "health": {"track": "harm"}}
        });
        for (mechanics, told) in [
            (json!({"temporary": {"flat": 1}}), "temporary-on-wounds /temporary"),
            (json!({"kind": "attack", "amount": {"dice": "3d10"}}), ""),
            (json!({"kind": "attack", "amount": {"dice": "3d6"}}), "pool-dice /amount/dice"),
            (json!({"kind": "heal", "amount": {"dice": "3d6"}, "perCostStep": {"dice": "1d6"}}), ""),
            (json!({"kind": "attack", "perCostStep": {"dice": "1d10"}}), ""),
            (json!({"kind": "attack", "perCostStep": {"dice": "1d6"}}), "pool-dice /perCostStep/dice"),
            (json!({"kind": "rider", "rider": {"amount": {"dice": "1d6"}}}), "pool-dice /rider/amount/dice"),
        ] {
            assert_eq!(told_of(&parts, &mechanics), told, "{mechanics}");
        }
        assert_eq!(told_of(&json!({}), &json!({"kind": "attack", "amount": {"dice": "3d6"}, "temporary": {}})), "");
    }
}
