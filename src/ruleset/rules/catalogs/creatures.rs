//! Creatures of a bestiary (docs/spec/checks.md#creatures).

use super::creature_sheets::check_sheet;
use super::entries;
use super::entry_ids::EntryIds;
use crate::json::excerpt;
use crate::ruleset::names::Ids;
use crate::ruleset::node::Node;
use crate::ruleset::rules::fights::Fight;
use crate::ruleset::rules::fights::clauses::{Words, check_hardness, check_pool_dice};
use crate::ruleset::rules::fights::effects::check_resistances;
use crate::ruleset::rules::places::each;
use crate::ruleset::rules::refs;
use crate::ruleset::whole::Whole;
use crate::types::{Problems, Rule, codes};

/// What a creature without a sheet says itself.
const NEEDED: [&str; 3] = ["health", "defense", "initiativeModifier"];

/// What a sheet says, so a creature that has one does not.
const OF_THE_SHEET: [&str; 9] =
    ["health", "defense", "initiativeModifier", "speed", "abilities", "saves", "checks", "soak", "hardness"];

pub fn check(ruleset: &Whole<'_>, found: &mut Problems) {
    let fight = Fight::of(ruleset);
    // Without fights there are no creatures at all; that is told of the catalog, once.
    if fight.combat.is_none() {
        return;
    }
    let words = Words { names: &ruleset.names, fight: &fight };
    let entry_ids = EntryIds::of(ruleset);
    for (_, creature) in entries::each(ruleset, "creature") {
        check_keys(&creature, found);
        check_names(words, &creature, found);
        check_actions(words, &creature, found);
        if let Some(sheet) = creature.get("sheet") {
            check_sheet(ruleset, &entry_ids, &sheet, found);
        }
    }
}

/// A creature has a sheet, or its own numbers and something to do.
fn check_keys(creature: &Node<'_>, found: &mut Problems) {
    if creature.has("sheet") {
        for key in OF_THE_SHEET {
            if let Some(twice) = creature.get(key) {
                let message = format!("`{key}` is already defined by the creature's sheet");
                found.push(twice.problem(codes::CREATURE_KEYS, message).hint("remove it, or remove the sheet"));
            }
        }
        return;
    }
    let mut missing: Vec<String> =
        NEEDED.iter().filter(|key| !creature.has(key)).map(|key| format!("`{key}`")).collect();
    if creature.get("actions").is_none_or(|actions| actions.value().as_array().is_some_and(Vec::is_empty)) {
        missing.push("an action".to_owned());
    }
    if !missing.is_empty() {
        let message = format!("without a sheet a creature needs {}", missing.join(" and "));
        found.push(creature.problem(codes::CREATURE_KEYS, message));
    }
}

fn check_names<'a>(words: Words<'_, 'a>, creature: &Node<'a>, found: &mut Problems) {
    let names = words.names;
    refs::one(&names.threat_tiers, creature, "tier", found);
    refs::one(&names.loot_tables, creature, "loot", found);
    refs::keys(&names.abilities, creature, "abilities", found);
    refs::keys(&names.saves, creature, "saves", found);
    refs::keys(&names.checks, creature, "checks", found);
    if let Some(soak) = creature.get("soak").filter(|_| !creature.has("sheet")) {
        check_soak(words, &soak, found);
    }
    if let Some(hardness) = creature.get("hardness").filter(|_| !creature.has("sheet")) {
        check_hardness(words.fight, &hardness, found);
    }
    check_resistances(words, creature, found);
}

/// Soak is taken off blows where the fight takes it off anybody's (N80).
fn check_soak<'a>(words: Words<'_, 'a>, soak: &Node<'a>, found: &mut Problems) {
    let Some(combat) = &words.fight.combat else { return };
    // Of a fight whose kind or pool is missing or misspelt nothing more is said.
    let nothing_is = match combat.text_of("kind") {
        Some("attack-vs-defense") => true,
        Some("dice-pool") => combat.get("pool").is_some_and(|pool| !pool.has("soak")),
        _ => false,
    };
    if nothing_is {
        let message = "fights of this ruleset do not soak damage";
        found.push(soak.problem(codes::CREATURE_SOAK, message).at_key());
    } else {
        refs::keys(&words.fight.wound_kinds, soak, "byKind", found);
    }
}

fn check_actions<'a>(words: Words<'_, 'a>, creature: &Node<'a>, found: &mut Problems) {
    let own = Ids::of("action of the creature", creature.list("actions"));
    for action in creature.list("actions") {
        refs::one(&words.names.budgets, &action, "budget", found);
        words.save(&action, found);
        words.applies(&action, found);
        words.reaction(&action, found);
        if let Some(damage) = action.get("damage") {
            words.fight.damage_type(&damage, "type", found);
            words.plus(&damage, found);
            for dice in std::iter::once(damage.clone()).chain(damage.list("plus")) {
                check_pool_dice(words.fight, &dice, "dice", found);
            }
        }
        check_difficulty(&action, found);
        check_recharge(&action, found);
        check_sequence(&own, &action, found);
        check_signature(creature, &action, found);
    }
    for rider in creature.list("riders") {
        refs::each(&own, &rider, "actions", found);
        words.fight.damage_type(&rider, "type", found);
        if let Some(amount) = rider.get("amount") {
            check_pool_dice(words.fight, &amount, "dice", found);
        }
    }
}

/// What ends by a save, or does less after one, needs a number to beat, which the action gives (N87, N88).
fn check_difficulty(action: &Node<'_>, found: &mut Problems) {
    if action.has("save") || action.has("saveDifficulty") {
        return;
    }
    const CODE: &Rule = codes::SAVE_NEEDS_DIFFICULTY;
    let hint = "add `saveDifficulty` to the action";
    if action.list("applies").any(|applied| applied.has("saveEnds")) {
        found.push(action.problem(CODE, "the save that ends what it `applies` has no difficulty").hint(hint));
    }
    let saves = each(action, "damage.plus[].save");
    for save in saves.iter().filter(|save| !save.has("difficulty")) {
        found.push(save.problem(CODE, "the save has no difficulty").hint(hint));
    }
}

/// No recharge waits for more than its dice can show (N83).
fn check_recharge(action: &Node<'_>, found: &mut Problems) {
    let Some(recharge) = action.get("recharge") else { return };
    let most = recharge.get("dice").and_then(|dice| Some(dice.number_of("count")? * dice.number_of("sides")?));
    if let Some((from, most)) = recharge.get("from").zip(most)
        && let Some(number) = from.number().filter(|number| *number > most)
    {
        found.push(from.problem(codes::RECHARGE, format!("`from` is {number}, but its dice show at most {most}")));
    }
}

/// A sequence is made of other actions that can be taken on a turn by themselves. What it may not do itself is the
/// shape's (N03).
fn check_sequence<'a>(own: &Ids<'a>, action: &Node<'a>, found: &mut Problems) {
    for step in action.list("sequence") {
        let Some(place) = step.get("action") else { continue };
        let Some(named) = own.resolve(&place, found) else { continue };
        let faults = [
            (named.text_of("id") == action.text_of("id"), "it is the sequence itself"),
            (named.has("sequence"), "it is also a sequence"),
            (named.has("signature"), "it costs signature points"),
            (named.has("reaction"), "it is a reaction"),
        ];
        let Some((_, why)) = faults.into_iter().find(|(is_so, _)| *is_so) else { continue };
        let id = excerpt(place.text().unwrap_or_default());
        found.push(place.problem(codes::SEQUENCE, format!("`{id}` cannot be part of a sequence: {why}")));
    }
}

/// No signature action costs more than the creature ever has.
fn check_signature(creature: &Node<'_>, action: &Node<'_>, found: &mut Problems) {
    let Some(cost) = action.get("signature").and_then(|signature| signature.get("cost")) else { return };
    let points = match creature.get("signaturePoints") {
        Some(points) => points.number(),
        None => Some(0.0),
    };
    if let Some((cost_in_points, points)) = cost.number().zip(points)
        && cost_in_points > points
    {
        let message = format!("`cost` is {cost_in_points}, more than the creature's `signaturePoints` ({points})");
        found.push(cost.problem(codes::SIGNATURE_COST, message));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::rules::told as findings;
    use serde_json::{Value, json};

    fn told_of(creature: &Value) -> String {
        let ruleset = json!({
            "sheet": {"abilities": [{"id": "brawn"}], "saves": [{"id": "will"}],
                      "live": {"tracks": [{"id": "harm", "kinds": [{"id": "cut"}]}], "conditions": [{"id": "shaken"}]}},
            "items": {"categories": [], "tags": [{"id": "silver"}], "lootTables": [{"id": "pockets"}]},
            "resolution": {"kind": "dice-pool"},
            "combat": {"kind": "dice-pool", "pool": {"soak": {}}, "health": {"track": "harm"}, "economy": {"budgets": [{"id": "act"}]}, "damageTypes": ["burn"],
                       "checks": [{"id": "grapple"}], "threat": {"tiers": [{"id": "stray"}]}},
            "catalogs": [{"id": "beasts", "holds": "creatures", "entries": [{"creature": creature}]}]
        });
        findings(check, &ruleset).join(" ").replace("/catalogs/0/entries/0/creature", "")
    }

    /// An ordinary creature with these keys besides, or instead.
    fn with(keys: &Value) -> Value {
        let mut creature = json!({"health": 5, "defense": 5, "initiativeModifier": 0, "tier": "stray",
                                  "actions": [{"id": "bite", "budget": "act"}]});
        for (key, value) in keys.as_object().unwrap() {
            creature[key] = value.clone();
        }
        creature
    }

    #[test]
    fn a_creature_has_a_sheet_or_its_own_numbers() {
        assert_eq!(told_of(&with(&json!({}))), "");
        assert_eq!(told_of(&json!({"tier": "stray", "sheet": {}})), "");
        assert_eq!(told_of(&json!({"tier": "stray", "sheet": {}, "hardness": 1})), "creature-keys /hardness");
        assert_eq!(told_of(&json!({"health": 1, "defense": 1, "actions": [{}]})), "creature-keys ");
        assert_eq!(told_of(&with(&json!({"actions": []}))), "creature-keys ");
    }

    #[test]
    fn every_name_in_a_creature_is_declared() {
        for (keys, told) in [
            (json!({"abilities": {"brawn": 1}, "saves": {"will": 1}, "checks": {"grapple": 1}, "loot": "pockets"}), ""),
            (
                json!({"resist": ["Burn", {"type": "burn", "except": ["silver"]}], "conditionImmunities": ["shaken"]}),
                "",
            ),
            (json!({"soak": {"byKind": {"cut": 1}}}), ""),
            (json!({"abilities": {"brain": 1}}), "unknown-id /abilities/brain"),
            (json!({"saves": {"brawn": 1}}), "unknown-id /saves/brawn"),
            (json!({"checks": {"will": 1}}), "unknown-id /checks/will"),
            (json!({"loot": "hoard"}), "unknown-id /loot"),
            (json!({"tier": "terror"}), "unknown-id /tier"),
            (json!({"vulnerable": ["frost"]}), "unknown-id /vulnerable/0"),
            (json!({"immune": [{"type": "frost", "except": []}]}), "unknown-id /immune/0/type"),
            (json!({"immune": [{"type": "burn", "except": ["iron"]}]}), "unknown-id /immune/0/except/0"),
            (json!({"conditionImmunities": ["burn"]}), "unknown-id /conditionImmunities/0"),
            (json!({"soak": {"byKind": {"burn": 1}}}), "unknown-id /soak/byKind/burn"),
            (json!({"riders": [{"actions": ["bite"], "type": "burn"}]}), ""),
            (json!({"riders": [{"actions": ["claw"]}]}), "unknown-id /riders/0/actions/0"),
            (json!({"actions": [{"budget": "quick"}]}), "unknown-id /actions/0/budget"),
            (json!({"actions": [{"damage": {"type": "x"}}]}), "unknown-id /actions/0/damage/type"),
            (
                json!({"actions": [{"damage": {"plus": [{"save": {"save": "x", "difficulty": 9}}]}}]}),
                "unknown-id /actions/0/damage/plus/0/save/save",
            ),
            (json!({"actions": [{"save": {"save": "wit"}}]}), "unknown-id /actions/0/save/save"),
            (
                json!({"actions": [{"reaction": {"against": {"catalogs": ["x"]}}}]}),
                "unknown-id /actions/0/reaction/against/catalogs/0",
            ),
        ] {
            assert_eq!(told_of(&with(&keys)), told, "{keys}");
        }
    }

    #[test]
    fn a_sequence_is_made_of_plain_other_actions() {
        let others = [
            json!({"id": "bite"}),
            json!({"id": "lash", "signature": {"cost": 1}}),
            json!({"id": "dodge", "reaction": {"on": "aimed"}}),
            json!({"id": "again", "sequence": [{"action": "bite"}]}),
        ];
        for (sequence, told) in [
            (json!({"id": "all", "sequence": [{"action": "bite", "times": 2}], "uses": {"count": 1}}), ""),
            (json!({"id": "all", "sequence": [{"action": "claw"}]}), "unknown-id /actions/0/sequence/0/action"),
            (json!({"id": "all", "sequence": [{"action": "all"}]}), "sequence /actions/0/sequence/0/action"),
            (json!({"id": "all", "sequence": [{"action": "lash"}]}), "sequence /actions/0/sequence/0/action"),
            (json!({"id": "all", "sequence": [{"action": "dodge"}]}), "sequence /actions/0/sequence/0/action"),
            (json!({"id": "all", "sequence": [{"action": "again"}]}), "sequence /actions/0/sequence/0/action"),
        ] {
            let actions: Vec<_> = std::iter::once(sequence.clone()).chain(others.iter().cloned()).collect();
            assert_eq!(told_of(&with(&json!({"actions": actions, "signaturePoints": 1}))), told, "{sequence}");
        }
    }

    #[test]
    fn a_signature_costs_no_more_than_there_is() {
        let actions = json!([{"id": "lash", "signature": {"cost": 2}}]);
        assert_eq!(told_of(&with(&json!({"actions": actions, "signaturePoints": 2}))), "");
        assert_eq!(
            told_of(&with(&json!({"actions": actions, "signaturePoints": 1}))),
            "signature-cost /actions/0/signature/cost"
        );
        assert_eq!(told_of(&with(&json!({"actions": actions}))), "signature-cost /actions/0/signature/cost");
    }
}
