//! Items to attack with (docs/spec/checks.md#items). They are looked at only where the ruleset has fights.

use super::stats::{OrStat, Wanted, check_to_hit};
use crate::json::excerpt;
use crate::ruleset::names::is_dice_sum;
use crate::ruleset::node::Node;
use crate::ruleset::rules::catalogs::entries;
use crate::ruleset::rules::fights::Fight;
use crate::ruleset::rules::fights::clauses::{Words, check_range, check_strikes, says};
use crate::ruleset::rules::refs;
use crate::ruleset::whole::Whole;
use crate::types::{Problems, codes};

pub fn check(ruleset: &Whole<'_>, found: &mut Problems) {
    let fight = Fight::of(ruleset);
    if fight.combat.is_none() {
        return;
    }
    let words = Words { names: &ruleset.names, fight: &fight };
    let or_stat = OrStat::new(words);
    for (_, item) in entries::each(ruleset, "item") {
        let Some(attack) = item.get("attack") else { continue };
        check_names(words, or_stat, &attack, found);
        check_hands(&fight, &item, &attack, found);
        check_damage(&ruleset.root, &attack, found);
        check_reach(&fight, &attack, found);
        check_shots(&attack, found);
        check_modes(&fight, &attack, found);
        check_strikes(&attack, found);
    }
}

fn check_names<'a>(words: Words<'_, 'a>, or_stat: OrStat<'_, 'a>, attack: &Node<'a>, found: &mut Problems) {
    let names = words.names;
    refs::one(&names.budgets, attack, "budget", found);
    check_to_hit(or_stat, attack, found);
    let inside = |key: &str, wanted: &[(&str, Wanted)], found: &mut Problems| {
        let Some(part) = attack.get(key) else { return };
        wanted.iter().for_each(|(key, wanted)| or_stat.check(&part, key, *wanted, found));
    };
    inside("range", &[("normal", Wanted::Number), ("long", Wanted::Number)], found);
    let damage = [
        ("dice", Wanted::Dice),
        ("abilities", Wanted::Ability),
        ("bonus", Wanted::Number),
        ("type", Wanted::DamageType),
    ];
    inside("damage", &damage, found);
    inside("versatile", &[("dice", Wanted::Dice)], found);
    inside("clip", &[("max", Wanted::Number)], found);
    or_stat.check(attack, "reach", Wanted::Number, found);
    or_stat.check(attack, "floor", Wanted::Number, found);
    if let Some(ammo) = attack.get("ammo") {
        refs::one(&names.tags, &ammo, "tag", found);
    }
    if let Some(clip) = attack.get("clip") {
        refs::one(&names.budgets, &clip, "reload", found);
    }
    for hit in attack.list("onHit") {
        refs::one(&names.conditions, &hit, "condition", found);
    }
}

/// What is attacked with is held, worn or bound; what is held in two hands takes a slot; an off hand is the ruleset's.
fn check_hands(fight: &Fight<'_>, item: &Node<'_>, attack: &Node<'_>, found: &mut Problems) {
    let takes_slot = item.get("slots").is_some_and(|slots| slots.members().next().is_some());
    // A service does neither, and is told that it has no attack at all.
    if !takes_slot && !item.has("binds") && !says(item, "service") {
        let message = "an item with an attack must take a slot or bind to its bearer";
        found.push(attack.problem(codes::ATTACK_SLOT, message));
    }
    if let Some(versatile) = attack.get("versatile").filter(|_| !takes_slot) {
        let message = "`versatile` is for items that take slots, but this item takes none";
        found.push(versatile.problem(codes::VERSATILE_SLOT, message));
    }
    let off_hand = attack.get("offHand").filter(|_| says(attack, "offHand"));
    if let Some(off_hand) = off_hand
        && fight.combat.as_ref().is_some_and(|combat| !combat.has("offHand"))
    {
        found.push(off_hand.problem(codes::OFF_HAND, "the ruleset has no off-hand attacks"));
    }
}

/// Outside a pool ruleset damage is thrown, so it has dice.
fn check_damage(root: &Node<'_>, attack: &Node<'_>, found: &mut Problems) {
    if let Some(damage) = attack.get("damage").filter(|damage| is_dice_sum(root) && !damage.has("dice")) {
        found.push(
            damage.problem(
                codes::ATTACK_DICE,
                "`dice` is missing; damage can only omit it if checks roll a pool of dice",
            ),
        );
    }
}

/// Reach and range need a board that is measured, and a long shot goes no less far than a good one.
fn check_reach(fight: &Fight<'_>, attack: &Node<'_>, found: &mut Problems) {
    for key in ["reach", "range"] {
        if let Some(far) = attack.get(key).filter(|_| !fight.has_distance()) {
            let message = format!("`{key}` is a distance, but the ruleset has no `combat.distance`");
            found.push(far.problem(codes::NEEDS_DISTANCE, message));
        }
    }
    if let Some(range) = attack.get("range") {
        check_range(&range, |distance| distance.number(), found);
    }
}

/// What is shot comes out of a clip or is gathered again, not both; and never more at once than the clip holds.
fn check_shots(attack: &Node<'_>, found: &mut Problems) {
    let Some(clip) = attack.get("clip") else { return };
    let ammo = attack.get("ammo");
    if let Some(recover) = ammo.as_ref().and_then(|ammo| ammo.get("recover")) {
        let message = "`recover` is not allowed beside `clip`: ammunition shot from a clip cannot be recovered";
        found.push(recover.problem(codes::CLIP, message));
    }
    let Some(most) = clip.number_of("max") else { return };
    let modes = attack.list("modes").filter_map(|mode| mode.get("ammo"));
    for shot in ammo.and_then(|ammo| ammo.get("perAttack")).into_iter().chain(modes) {
        if let Some(number) = shot.number().filter(|number| *number > most) {
            let message = format!("one attack shoots {number}, but the clip only holds {most}");
            found.push(shot.problem(codes::CLIP, message));
        }
    }
}

/// A mode changes what there is to change: shots where there are shots, a target where targets move.
fn check_modes(fight: &Fight<'_>, attack: &Node<'_>, found: &mut Problems) {
    let shoots = attack.has("ammo") || attack.has("clip");
    for mode in attack.list("modes") {
        let name = excerpt(mode.text_of("id").unwrap_or_default()).into_owned();
        if let Some(ammo) = mode.get("ammo").filter(|_| !shoots) {
            let message = format!("the mode `{name}` shoots, but the attack has neither `ammo` nor `clip`");
            found.push(ammo.problem(codes::ATTACK_MODE, message));
        }
        if let Some(target) = mode.get("target").filter(|_| !fight.target_moves) {
            let message = format!("the mode `{name}` moves the target number, but no check of the ruleset can move it");
            found.push(target.problem(codes::ATTACK_MODE, message));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::rules::told as findings;
    use serde_json::{Value, json};

    fn fight() -> Value {
        json!({
            "resolution": {"kind": "dice-sum"},
            "sheet": {"abilities": [{"id": "brawn"}], "skills": [{"id": "scrap"}], "live": {"conditions": [{"id": "prone"}]}},
            "items": {"tags": [{"id": "arrow"}],
                      "stats": [{"id": "far", "type": "number"}, {"id": "hurt", "type": "dice"},
                                {"id": "swing", "type": "enum", "values": ["brawn", "scrap"]}]},
            "combat": {"economy": {"budgets": [{"id": "act"}]}, "distance": {}, "damageTypes": ["cut"], "offHand": {}}
        })
    }

    /// What is said of an item that attacks like this, in a ruleset with these parts.
    fn told_of(parts: &Value, attack: &Value) -> String {
        let mut ruleset = parts.clone();
        let mut whole = json!({"budget": "act", "damage": {"dice": "1d6"}});
        for (key, value) in attack.as_object().unwrap() {
            whole[key] = value.clone();
        }
        let items = json!([{"item": {"slots": {"hand": 1}, "attack": whole}}]);
        ruleset["catalogs"] = json!([{"id": "c", "holds": "items", "entries": items}]);
        findings(check, &ruleset).join(" ").replace("/catalogs/0/entries/0/item/attack", "")
    }

    #[test]
    fn every_name_in_an_attack_is_declared() {
        let parts = fight();
        for (attack, told) in [
            (
                json!({"toHit": {"abilities": ["brawn"], "skill": "scrap", "bonus": 1}, "onHit": [{"condition": "prone"}]}),
                "",
            ),
            (json!({"damage": {"dice": {"stat": "hurt"}, "type": "Cut"}, "reach": {"stat": "far"}}), ""),
            (json!({"budget": "quick"}), "unknown-id /budget"),
            (json!({"toHit": {"abilities": ["brain"]}}), "unknown-id /toHit/abilities/0"),
            (json!({"toHit": {"skill": "brawn"}}), "unknown-id /toHit/skill"),
            (json!({"damage": {"dice": "1d6", "type": "burn"}}), "unknown-id /damage/type"),
            (json!({"damage": {"dice": {"stat": "far"}}}), "wrong-reference-type /damage/dice/stat"),
            (json!({"reach": {"stat": "hurt"}}), "wrong-reference-type /reach/stat"),
            (json!({"reach": {"stat": "near"}}), "unknown-id /reach/stat"),
            (json!({"ammo": {"tag": "bolt"}}), "unknown-id /ammo/tag"),
            (json!({"clip": {"max": 6, "reload": "quick"}}), "unknown-id /clip/reload"),
            (json!({"onHit": [{"condition": "stunned"}]}), "unknown-id /onHit/0/condition"),
        ] {
            assert_eq!(told_of(&parts, &attack), told, "{attack}");
        }
        let mut peaceful = fight();
        peaceful.as_object_mut().unwrap().remove("combat");
        assert_eq!(told_of(&peaceful, &json!({"budget": "quick"})), "");
    }

    #[test]
    fn the_words_of_a_stat_are_judged_at_every_reader() {
        let mut ruleset = fight();
        let item = json!({"item": {"slots": {"hand": 1}, "attack": {
            "budget": "act", "toHit": {"abilities": {"stat": "swing"}}, "damage": {"dice": "1d6"}}}});
        ruleset["catalogs"] = json!([{"id": "c", "holds": "items", "entries": [item, item]}]);
        assert_eq!(
            findings(check, &ruleset),
            [0, 1].map(|entry| format!("stat-words /catalogs/0/entries/{entry}/item/attack/toHit/abilities/stat"))
        );
    }

    #[test]
    fn an_attack_is_held_and_hurts_and_reaches() {
        let parts = fight();
        for (attack, told) in [
            (json!({"reach": 2, "range": {"normal": 5, "long": 5}, "offHand": true, "versatile": {"dice": "1d8"}}), ""),
            (json!({"range": {"normal": 5, "long": 4}}), "range-order /range/long"),
            (json!({"damage": {"bonus": 1}}), "attack-dice /damage"),
        ] {
            assert_eq!(told_of(&parts, &attack), told, "{attack}");
        }
        let mut bare = fight();
        bare["combat"] = json!({"economy": {"budgets": [{"id": "act"}]}});
        assert_eq!(told_of(&bare, &json!({"reach": 2})), "needs-distance /reach");
        assert_eq!(told_of(&bare, &json!({"offHand": true})), "off-hand /offHand");
        let item = |item: Value| {
            let mut ruleset = fight();
            ruleset["catalogs"] = json!([{"id": "c", "holds": "items", "entries": [{"item": item}]}]);
            findings(check, &ruleset).join(" ").replace("/catalogs/0/entries/0/item", "")
        };
        let attack = json!({"damage": {"dice": "1d6"}, "versatile": {"dice": "1d8"}});
        assert_eq!(item(json!({"attack": attack})), "attack-slot /attack versatile-slot /attack/versatile");
        assert_eq!(item(json!({"attack": {"damage": {"dice": "1d6"}}, "service": true})), "");
        assert_eq!(item(json!({"attack": {"damage": {"dice": "1d6"}}, "binds": {}})), "");
    }

    #[test]
    fn shots_fit_their_clip_and_modes_change_what_there_is() {
        let parts = fight();
        for (attack, told) in [
            (json!({"clip": {"max": 6}, "ammo": {"perAttack": 6}, "modes": [{"id": "burst", "ammo": 3}]}), ""),
            (json!({"clip": {"max": 6}, "ammo": {"perAttack": 7}}), "clip /ammo/perAttack"),
            (json!({"clip": {"max": 6}, "ammo": {"recover": 0.5}}), "clip /ammo/recover"),
            (json!({"ammo": {"recover": 0.5}}), ""),
            (json!({"clip": {"max": 6}, "modes": [{"id": "burst", "ammo": 9}]}), "clip /modes/0/ammo"),
            (json!({"modes": [{"id": "burst", "ammo": 1}]}), "attack-mode /modes/0/ammo"),
            (json!({"modes": [{"id": "aimed", "target": 1}]}), "attack-mode /modes/0/target"),
        ] {
            assert_eq!(told_of(&parts, &attack), told, "{attack}");
        }
        let mut pool = fight();
        pool["resolution"] = json!({"kind": "dice-pool", "target": {"min": 5, "max": 9}});
        let aimed = json!({"damage": {}, "modes": [{"id": "aimed", "target": 1}]});
        assert_eq!(told_of(&pool, &aimed), "");
        pool["resolution"]["target"] = json!({"min": 5, "max": 5});
        assert_eq!(told_of(&pool, &aimed), "attack-mode /modes/0/target");
    }
}
