//! Items to be used (docs/spec/checks.md#items).

use super::stats::{OrStat, Wanted, check_to_hit};
use crate::json::excerpt;
use crate::ruleset::node::Node;
use crate::ruleset::rules::catalogs::entries;
use crate::ruleset::rules::fights::Fight;
use crate::ruleset::rules::fights::clauses::{Words, asks_for_save, says};
use crate::ruleset::rules::fights::used::check_used;
use crate::ruleset::rules::refs;
use crate::ruleset::whole::Whole;
use crate::types::{Problems, codes};

pub fn check(ruleset: &Whole<'_>, found: &mut Problems) {
    let fight = Fight::of(ruleset);
    let words = Words { names: &ruleset.names, fight: &fight };
    let or_stat = OrStat::new(words);
    for (_, item) in entries::each(ruleset, "item") {
        let Some(used) = item.get("use") else { continue };
        check_used(words, &used, fight.has_wounds, found);
        check_to_hit(or_stat, &used, found);
        or_stat.check(&used, "saveDifficulty", Wanted::Number, found);
        check_turn(&fight, &used, found);
        check_rolls(&used, found);
        check_spending(&used, found);
        check_restore(ruleset, &used, found);
        let Some(gate) = used.get("gate") else { continue };
        or_stat.check(&gate, "difficulty", Wanted::Number, found);
        if let Some(asked) = gate.get("check") {
            refs::one(&ruleset.names.skills, &asked, "skill", found);
            refs::one(&ruleset.names.abilities, &asked, "ability", found);
        }
    }
}

/// In a fight a use takes something of a turn, or says that it takes nothing.
fn check_turn(fight: &Fight<'_>, used: &Node<'_>, found: &mut Problems) {
    if fight.combat.is_some() && !used.has("budget") && !says(used, "free") {
        let message = "a use in a fight needs `budget` or `free`, but this has neither";
        found.push(used.problem(codes::USE_BUDGET, message));
    }
}

/// What is thrown belongs to something that is thrown for.
fn check_rolls(used: &Node<'_>, found: &mut Problems) {
    if let Some(to_hit) = used.get("toHit").filter(|_| !says(used, "attackRoll")) {
        let message = "`toHit` is added to an attack roll, but nothing is rolled";
        found.push(to_hit.problem(codes::USE_TO_HIT, message));
    }
    if asks_for_save(used).is_some() && !used.has("saveDifficulty") {
        let message = "the save has no difficulty: the use has no `saveDifficulty`";
        found.push(used.problem(codes::SAVE_NEEDS_DIFFICULTY, message));
    }
}

/// A use costs the item itself, or some of its charges.
fn check_spending(used: &Node<'_>, found: &mut Problems) {
    if let Some(consumes) = used.get("consumes").filter(|_| says(used, "consumes") && used.has("charges")) {
        let message = "a use cannot both consume the item and spend `charges`";
        found.push(consumes.problem(codes::USE_SPENDS_TWICE, message));
    }
}

/// What is restored is a pool beside health, and it is a good turn. Health is what a heal's `amount` is for.
fn check_restore(ruleset: &Whole<'_>, used: &Node<'_>, found: &mut Problems) {
    let Some(restore) = used.get("restore") else { return };
    if matches!(used.text_of("kind"), Some("attack" | "debuff")) {
        let kind = excerpt(used.text_of("kind").unwrap_or_default());
        let message = format!("`restore` is for a heal or a buff, but the kind is `{kind}`");
        found.push(restore.problem(codes::USE_RESTORE, message));
    }
    let amount = restore.get("amount").filter(|amount| amount.value().is_object());
    if amount.is_some_and(|amount| !amount.has("dice") && !amount.has("flat")) {
        let message = "`amount` has neither `dice` nor `flat`, so nothing is restored";
        found.push(restore.problem(codes::EMPTY_AMOUNT, message));
    }
    let Some(pool) = restore.get("pool") else { return };
    ruleset.names.pools.resolve(&pool, found);
    // N05: the health of fights where there are any, else that of battles.
    let block = ruleset.root.get("combat").or_else(|| ruleset.root.get("battle"));
    let health = block.and_then(|block| block.get("health")?.text_of("pool"));
    if pool.text().is_some() && pool.text() == health {
        let message =
            format!("`{}` is health, which the `amount` of a heal restores", excerpt(pool.text().unwrap_or_default()));
        found.push(pool.problem(codes::USE_RESTORE, message));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::rules::told as findings;
    use serde_json::{Value, json};

    fn told_of(combat: &Value, used: &Value) -> String {
        let ruleset = json!({
            "sheet": {"abilities": [{"id": "wits"}], "skills": [{"id": "tinker"}], "saves": [{"id": "will"}],
                      "live": {"pools": [{"id": "grit"}, {"id": "luck"}]}},
            "battle": {"health": {"pool": "luck"}},
            "items": {"stats": [{"id": "hard", "type": "number"}]},
            "combat": combat,
            "catalogs": [{"id": "c", "holds": "items", "entries": [{"item": {"use": used}}]}]
        });
        findings(check, &ruleset).join(" ").replace("/catalogs/0/entries/0/item/use", "")
    }

    #[test]
    fn a_use_names_what_there_is_and_goes_together() {
        let combat =
            json!({"health": {"pool": "grit"}, "economy": {"budgets": [{"id": "act"}]}, "damageTypes": ["burn"]});
        for (used, told) in [
            (json!({"kind": "heal", "budget": "act", "consumes": true}), ""),
            (json!({"kind": "heal", "free": true, "charges": 1}), ""),
            (json!({"kind": "heal"}), "use-budget "),
            (json!({"free": true, "budget": "act"}), "free-with-budget /free"),
            (json!({"budget": "quick"}), "unknown-id /budget"),
            (json!({"free": true, "damageType": "frost"}), "unknown-id /damageType"),
            (json!({"free": true, "consumes": true, "charges": 1}), "use-spends-twice /consumes"),
            (json!({"free": true, "attackRoll": true, "toHit": {"abilities": ["wits"]}}), ""),
            (json!({"free": true, "toHit": {"bonus": 1}}), "use-to-hit /toHit"),
            (json!({"free": true, "attackRoll": true, "toHit": {"skill": "x"}}), "unknown-id /toHit/skill"),
            (json!({"free": true, "save": {"save": "will"}, "saveDifficulty": {"stat": "hard"}}), ""),
            (json!({"free": true, "save": {"save": "will"}}), "save-needs-difficulty "),
            (json!({"free": true, "kind": "buff", "restore": {"pool": "luck"}}), ""),
            (json!({"free": true, "kind": "attack", "restore": {"pool": "luck"}}), "use-restore /restore"),
            (json!({"free": true, "kind": "heal", "restore": {"pool": "grit"}}), "use-restore /restore/pool"),
            (json!({"free": true, "kind": "heal", "restore": {"pool": "rage"}}), "unknown-id /restore/pool"),
            (json!({"free": true, "gate": {"check": {"skill": "tinker"}, "difficulty": {"stat": "hard"}}}), ""),
            (json!({"free": true, "gate": {"check": {"skill": "wits"}}}), "unknown-id /gate/check/skill"),
            (json!({"free": true, "gate": {"check": {"ability": "x"}}}), "unknown-id /gate/check/ability"),
            (json!({"free": true, "gate": {"difficulty": {"stat": "x"}}}), "unknown-id /gate/difficulty/stat"),
        ] {
            assert_eq!(told_of(&combat, &used), told, "{used}");
        }
    }
}
