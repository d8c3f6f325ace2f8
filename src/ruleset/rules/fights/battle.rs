//! The bridge to the engine's own battles (docs/spec/checks.md#battle).

use super::health::check_health;
use super::sources::check_source;
use crate::json::excerpt;
use crate::ruleset::node::Node;
use crate::ruleset::rules::refs;
use crate::ruleset::rules::repeats::repeats;
use crate::ruleset::whole::Whole;
use crate::types::{Problems, codes};

pub fn check(ruleset: &Whole<'_>, found: &mut Problems) {
    let Some(battle) = ruleset.root.get("battle") else { return };
    check_health(ruleset, &battle, found);
    check_energy(ruleset, &battle, found);
    battle.list("skills").for_each(|source| check_source(&ruleset.names, &source, found));
    check_slots(ruleset, &battle, found);
}

fn check_energy<'a>(ruleset: &Whole<'a>, battle: &Node<'a>, found: &mut Problems) {
    let Some(energy) = battle.get("energy") else { return };
    refs::one(&ruleset.names.pools, &energy, "pool", found);
    let health = battle.get("health").and_then(|health| health.text_of("pool"));
    if let Some(pool) = energy.get("pool")
        && let Some(id) = pool.text().filter(|id| health == Some(id))
    {
        let message = format!("`{}` is already used as health, so it cannot be used as energy", excerpt(id));
        found.push(pool.problem(codes::ENERGY_IS_HEALTH, message));
    }
}

/// Each level has one pool of slots, and each pool is of one level.
fn check_slots<'a>(ruleset: &Whole<'a>, battle: &Node<'a>, found: &mut Problems) {
    let taken = ["health", "energy"].map(|key| (key, battle.get(key)));
    for slot in battle.list("slots") {
        refs::one(&ruleset.names.pools, &slot, "pool", found);
        let Some(pool) = slot.get("pool") else { continue };
        let id = pool.text().unwrap_or_default();
        let is = |block: &Option<Node<'_>>| block.as_ref().is_some_and(|block| block.text_of("pool") == Some(id));
        if let Some((what, _)) = taken.iter().find(|(_, block)| is(block)) {
            let message = format!("the pool `{}` is already used as {what}", excerpt(id));
            found.push(pool.problem(codes::BATTLE_SLOTS, message));
        }
    }
    for key in ["pool", "level"] {
        let places = battle.list("slots").filter_map(|slot| slot.get(key));
        for (again, first) in repeats(places.map(|place| (place.value().to_string(), place))) {
            let value = again.value().to_string();
            let message = format!("the {key} {} already has slots, at {}", excerpt(&value), first.at());
            found.push(again.problem(codes::BATTLE_SLOTS, message));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::rules::told as findings;
    use serde_json::json;

    #[test]
    fn a_battle_lends_pools_and_lists_that_fit() {
        let sheet = json!({
            "lists": [{"id": "spells", "columns": [{"id": "known", "type": "boolean"}, {"id": "level", "type": "number", "max": 9},
                                                    {"id": "name", "type": "text"}]}],
            "live": {"pools": [{"id": "grit"}, {"id": "luck"}, {"id": "rage", "start": "empty"}, {"id": "mana"}],
                     "tracks": [{"id": "harm", "kinds": []}, {"id": "heat"}]}
        });
        let always = |equals| json!({"list": "spells", "onlyWhen": "known", "alwaysWhen": {"column": "level", "equals": equals}});
        for (battle, expected) in [
            (
                json!({"health": {"pool": "grit"}, "energy": {"pool": "luck"}, "slots": [{"pool": "mana", "level": 1}]}),
                "",
            ),
            (json!({"health": {"track": "harm"}, "energy": {"pool": "grit"}}), ""),
            (json!({"health": {"pool": "grid"}}), "unknown-id /battle/health/pool"),
            (json!({"health": {"pool": "rage"}}), "health-source /battle/health/pool"),
            (json!({"health": {"track": "heat"}}), "health-source /battle/health/track"),
            (json!({"health": {"pool": "grit"}, "energy": {"pool": "grit"}}), "energy-is-health /battle/energy/pool"),
            (
                json!({"slots": [{"pool": "luck", "level": 1}, {"pool": "luck", "level": 2}]}),
                "battle-slots /battle/slots/1/pool",
            ),
            (
                json!({"slots": [{"pool": "luck", "level": 1}, {"pool": "grit", "level": 1}]}),
                "battle-slots /battle/slots/1/level",
            ),
            (json!({"skills": [{"list": "spells", "onlyWhen": "known"}, always(json!(0))]}), ""),
            (json!({"skills": [{"list": "spell"}]}), "unknown-id /battle/skills/0/list"),
            (
                json!({"skills": [{"list": "spells", "onlyWhen": "name"}]}),
                "wrong-reference-type /battle/skills/0/onlyWhen",
            ),
            (
                json!({"health": {"pool": "grit"}, "slots": [{"pool": "grit", "level": 1}]}),
                "battle-slots /battle/slots/0/pool",
            ),
            (
                json!({"energy": {"pool": "luck"}, "slots": [{"pool": "luck", "level": 1}]}),
                "battle-slots /battle/slots/0/pool",
            ),
            (json!({"skills": [always(json!(10))]}), ""),
            (json!({"skills": [always(json!("0"))]}), "always-when /battle/skills/0/alwaysWhen/equals"),
            (
                json!({"skills": [{"list": "spells", "alwaysWhen": {"column": "level", "equals": 0}}]}),
                "always-when /battle/skills/0/alwaysWhen",
            ),
        ] {
            assert_eq!(findings(check, &json!({"sheet": sheet, "battle": battle})).join(" "), expected, "{battle}");
        }
    }
}
