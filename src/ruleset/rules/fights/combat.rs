//! How fights are resolved (docs/spec/checks.md#combat): which parts go with which kind of fight.

use super::clauses::{check_hardness, check_naturals};
use super::fight::Fight;
use super::health::check_health;
use crate::ruleset::names::{is_dice_sum, is_wound_track};
use crate::ruleset::node::Node;
use crate::ruleset::rules::pool_dice::PoolDice;
use crate::ruleset::rules::refs;
use crate::ruleset::whole::Whole;
use crate::types::{Problems, Rule, codes};

pub fn check(ruleset: &Whole<'_>, found: &mut Problems) {
    let Some(combat) = ruleset.root.get("combat") else { return };
    check_kind(&ruleset.root, &combat, found);
    check_health(ruleset, &combat, found);
    check_damage_kinds(ruleset, &combat, found);
    check_initiative(ruleset, &combat, found);
    check_pool(ruleset, &combat, found);
    for throw in ["attackRoll", "dying"].iter().filter_map(|key| combat.get(key)) {
        check_naturals(&throw, found);
    }
    check_distances(&combat, found);
}

/// Attacks are rolled against a defense, or a pool of dice is thrown for them: never both.
fn check_kind(root: &Node<'_>, combat: &Node<'_>, found: &mut Problems) {
    const CODE: &Rule = codes::COMBAT_KIND;
    let Some(kind) = combat.get("kind") else { return };
    let (wanted, refused) = match kind.text() {
        Some("attack-vs-defense") => ("attackRoll", "pool"),
        Some("dice-pool") => ("pool", "attackRoll"),
        _ => return,
    };
    if wanted == "pool" && is_dice_sum(root) {
        let message = "fights can only roll a pool of dice if checks do: `resolution.kind` is not `dice-pool`";
        found.push(kind.problem(CODE, message));
    }
    let name = kind.text().unwrap_or_default();
    if !combat.has(wanted) {
        found.push(kind.problem(CODE, format!("a fight of kind `{name}` needs `{wanted}`")));
    }
    if let Some(other) = combat.get(refused) {
        found.push(other.problem(CODE, format!("a fight of kind `{name}` cannot have `{refused}`")).hint("remove it"));
    }
}

/// Damage becomes wounds of some kind where health is counted in wounds, and only there.
///
/// Of a track that counts no wounds nothing is said here: it cannot be health at all.
fn check_damage_kinds(ruleset: &Whole<'_>, combat: &Node<'_>, found: &mut Problems) {
    let Some(health) = combat.get("health") else { return };
    let track = health.text_of("track").and_then(|id| ruleset.names.tracks.get(id));
    match combat.get("damageKinds") {
        None if track.is_some_and(is_wound_track) => {
            let message = "health is a wound track, so `damageKinds` must say which wounds damage causes";
            found.push(health.problem(codes::DAMAGE_KINDS, message));
        }
        Some(kinds) if health.has("pool") && !health.has("track") => {
            let message = "health is a pool, which has no kinds of wounds";
            found.push(kinds.problem(codes::DAMAGE_KINDS, message).hint("remove `damageKinds`"));
        }
        _ => {}
    }
}

fn check_initiative(ruleset: &Whole<'_>, combat: &Node<'_>, found: &mut Problems) {
    let Some(initiative) = combat.get("initiative") else { return };
    if combat.text_of("kind") == Some("attack-vs-defense") {
        for key in ["pool", "resource"] {
            if let Some(of_pools) = initiative.get(key) {
                let message = format!("`{key}` of initiative is only for fights that roll a pool of dice");
                found.push(of_pools.problem(codes::INITIATIVE_POOL, message).at_key());
            }
        }
    }
    if let Some(resource) = initiative.get("resource") {
        check_resource(ruleset, &resource, found);
    }
    let message = match (initiative.has("dice"), initiative.has("pool")) {
        (true, true) => "initiative has both `dice` and `pool`: expected one of them",
        (false, false) => "initiative has neither `dice` nor `pool`: expected one of them",
        _ => return,
    };
    found.push(initiative.problem(codes::INITIATIVE, message));
}

/// What initiative is fought over with: somebody takes it, and whoever crashes falls from above (N35, N37).
fn check_resource(ruleset: &Whole<'_>, resource: &Node<'_>, found: &mut Problems) {
    if let Some(styles) = resource.get("styles").filter(|styles| styles.items().next().is_some())
        && styles.items().all(|style| !style.has("takes"))
    {
        let message = "no style takes initiative, so it is never spent";
        found.push(styles.problem(codes::INITIATIVE_STYLES, message).hint("add `takes` to one of them"));
    }
    let Some(crash) = resource.get("crash") else { return };
    refs::one(&ruleset.names.conditions, &crash, "condition", found);
    let at = match crash.get("at") {
        Some(at) => at.number(),
        None => Some(0.0),
    };
    if let Some(base) = resource.get("base")
        && let Some((begin, at)) = base.number().zip(at).filter(|(base, at)| base <= at)
    {
        let message = format!("`base` is {begin}, but at {at} or below everybody has already crashed");
        found.push(base.problem(codes::INITIATIVE_CRASH, message));
    }
}

/// What a pool fight throws damage with, and what is taken off the blows (N53, N38).
fn check_pool(ruleset: &Whole<'_>, combat: &Node<'_>, found: &mut Problems) {
    let Some(pool) = combat.get("pool") else { return };
    if let Some((target, dice)) = pool.get("damageTarget").zip(PoolDice::of(ruleset)) {
        dice.check_face(&target, dice.sides, found);
    }
    if let Some(hardness) = pool.get("hardness") {
        check_hardness(&Fight::of(ruleset), &hardness, found);
    }
}

/// What is far or near needs a board that is measured.
fn check_distances(combat: &Node<'_>, found: &mut Problems) {
    if combat.has("distance") {
        return;
    }
    let of = |holder: &Node<'_>, keys: &[&'static str], found: &mut Problems| {
        for (key, value) in keys.iter().filter_map(|key| Some((key, holder.get(key)?))) {
            let message = format!("`{key}` is about distances, but the ruleset has no `combat.distance`");
            found.push(value.problem(codes::NEEDS_DISTANCE, message));
        }
    };
    of(combat, &["ranged", "cover", "opportunity"], found);
    combat.list("attacks").for_each(|attack| of(&attack, &["reach", "range"], found));
    for contest in combat.list("contests") {
        of(&contest, &["reach"], found);
        if let Some(won) = contest.get("onWin") {
            of(&won, &["push"], found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::rules::told as findings;
    use serde_json::{Value, json};

    fn told_of(kind: &str, combat: &Value) -> String {
        let live =
            json!({"pools": [{"id": "grit"}], "tracks": [{"id": "harm", "kinds": [{"id": "cut"}]}, {"id": "heat"}]});
        findings(check, &json!({"resolution": {"kind": kind}, "sheet": {"live": live}, "combat": combat})).join(" ")
    }

    #[test]
    fn the_parts_of_a_fight_go_with_its_kind() {
        for (resolution, combat, expected) in [
            ("dice-sum", json!({"kind": "attack-vs-defense", "attackRoll": {}}), ""),
            ("dice-pool", json!({"kind": "attack-vs-defense", "attackRoll": {}}), ""),
            ("dice-pool", json!({"kind": "dice-pool", "pool": {}}), ""),
            ("dice-sum", json!({"kind": "attack-vs-defense"}), "combat-kind /combat/kind"),
            (
                "dice-sum",
                json!({"kind": "attack-vs-defense", "attackRoll": {}, "pool": {}}),
                "combat-kind /combat/pool",
            ),
            ("dice-sum", json!({"kind": "dice-pool", "pool": {}}), "combat-kind /combat/kind"),
            ("dice-pool", json!({"kind": "dice-pool"}), "combat-kind /combat/kind"),
            ("dice-pool", json!({"kind": "dice-pool", "pool": {}, "attackRoll": {}}), "combat-kind /combat/attackRoll"),
            ("dice-sum", json!({"health": {"pool": "grit"}, "initiative": {"dice": {}}}), ""),
            ("dice-sum", json!({"health": {"track": "harm"}, "damageKinds": {}}), ""),
            ("dice-sum", json!({"health": {"track": "harm"}}), "damage-kinds /combat/health"),
            ("dice-sum", json!({"health": {"pool": "grit"}, "damageKinds": {}}), "damage-kinds /combat/damageKinds"),
            ("dice-sum", json!({"health": {"track": "heat"}}), "health-source /combat/health/track"),
            ("dice-sum", json!({"initiative": {}}), "initiative /combat/initiative"),
            ("dice-sum", json!({"initiative": {"dice": {}, "pool": {}}}), "initiative /combat/initiative"),
        ] {
            assert_eq!(told_of(resolution, &combat), expected, "{combat}");
        }
    }

    #[test]
    fn distances_need_a_measured_board() {
        let combat = json!({"cover": {}, "attacks": [{"reach": {}}], "contests": [{"reach": 1, "onWin": {"push": 1}}]});
        let expected = "needs-distance /combat/cover needs-distance /combat/attacks/0/reach \
                        needs-distance /combat/contests/0/reach needs-distance /combat/contests/0/onWin/push";
        assert_eq!(told_of("dice-sum", &combat), expected);
        let mut measured = combat;
        measured["distance"] = json!({});
        assert_eq!(told_of("dice-sum", &measured), "");
    }
}
