use super::super::names::{is_dice_sum, is_wound_track};
use super::super::node::Node;
use super::super::whole::Whole;
use super::places::each;
use super::repeats::repeated_texts;
use crate::json::excerpt;
use crate::types::{Problems, codes};

/// How checks are resolved, apart from the faces of pool dice and the ladder (docs/spec/checks.md#resolution).
pub(super) fn check(ruleset: &Whole<'_>, found: &mut Problems) {
    let Some(resolution) = ruleset.root.get("resolution") else { return };
    check_tiers(&resolution, found);
    check_naturals(&resolution, found);
    check_penalty(ruleset, &resolution, found);
    check_spends(ruleset, &resolution, found);
    for ability in each(&resolution, "adjust[].abilities[]") {
        ruleset.names.abilities.resolve(&ability, found);
    }
}

fn check_tiers(resolution: &Node<'_>, found: &mut Problems) {
    if resolution.has("proficiency") {
        return;
    }
    for multiplier in each(resolution, "proficiencyTiers[].multiplier") {
        if let Some(times) = multiplier.number().filter(|times| *times != 0.0) {
            let message =
                format!("the tier multiplies a proficiency bonus by {times}, but the ruleset has no `proficiency`");
            let hint = "declare `resolution.proficiency.bonus`, or give the tier a `flat` bonus";
            found.push(multiplier.problem(codes::TIER_WITHOUT_PROFICIENCY, message).hint(hint));
        }
    }
}

/// A natural result is the face of the one die thrown; without `dice` that is a d20.
fn check_naturals(resolution: &Node<'_>, found: &mut Problems) {
    let Some(count) = resolution.get("dice").and_then(|dice| dice.number_of("count")).filter(|count| *count > 1.0)
    else {
        return;
    };
    for natural in each(resolution, "naturals.*") {
        if let Some(what) = natural.text().filter(|what| *what != "none") {
            let message = format!("`{}` requires a single die, but a check rolls {count}", excerpt(what));
            found.push(natural.problem(codes::NATURALS_NEED_ONE_DIE, message));
        }
    }
}

fn check_penalty(ruleset: &Whole<'_>, resolution: &Node<'_>, found: &mut Problems) {
    let Some(from) = resolution.get("penaltyFrom") else { return };
    if let Some(track) = ruleset.names.tracks.resolve(&from, found)
        && !is_wound_track(track)
    {
        let id = excerpt(from.text().unwrap_or_default());
        let message = format!("the live track `{id}` does not count wounds, so it has no penalty");
        found.push(from.problem(codes::WRONG_REFERENCE_TYPE, message).hint("use a track with `kinds`"));
    }
}

fn check_spends(ruleset: &Whole<'_>, resolution: &Node<'_>, found: &mut Problems) {
    let Some(first) = resolution.list("spend").next() else { return };
    if is_dice_sum(&ruleset.root) {
        let message = "points can only be spent on a pool of dice, but checks of this ruleset add up dice";
        return found.push(first.problem(codes::SPEND_NEEDS_DICE_POOL, message));
    }
    for (named, _) in repeated_texts(resolution.list("spend").filter_map(|spend| spend.get("pool"))) {
        let id = excerpt(named.text().unwrap_or_default());
        found.push(named.problem(codes::SPEND_POOL_TWICE, format!("the live pool `{id}` is already spent from above")));
    }
    for spend in resolution.list("spend") {
        if spend.value().is_object() && !["successes", "dice", "reroll"].iter().any(|key| spend.has(key)) {
            let message = "the points buy nothing: expected one of `successes`, `dice` and `reroll`";
            found.push(spend.problem(codes::SPEND_BUYS_NOTHING, message));
        }
        let Some(named) = spend.get("pool") else { continue };
        if let Some(pool) = ruleset.names.pools.resolve(&named, found) {
            check_starts_full(pool, &named, found);
        }
    }
}

/// A pool that starts empty counts up, and has nothing to give: the problem `pool-starts-empty` of what takes from it.
fn check_starts_full(pool: &Node<'_>, reference: &Node<'_>, found: &mut Problems) {
    if pool.text_of("start") == Some("empty") {
        let id = excerpt(pool.text_of("id").unwrap_or_default());
        let message = format!("the live pool `{id}` starts empty, so there is nothing to spend");
        found.push(reference.problem(codes::POOL_STARTS_EMPTY, message));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::rules::told as findings;
    use serde_json::{Value, json};

    fn told(resolution: Value) -> Vec<String> {
        let live = json!({"pools": [{"id": "grit"}, {"id": "strain", "start": "empty"}],
                          "tracks": [{"id": "harm", "kinds": []}, {"id": "heat"}]});
        let ruleset = json!({"resolution": resolution, "sheet": {"abilities": [{"id": "wits"}], "live": live}});
        let shorten = |told: String| told.replace("/resolution", "");
        findings(check, &ruleset).into_iter().map(shorten).collect()
    }

    #[test]
    fn a_tier_multiplies_only_a_proficiency_bonus_there_is() {
        let tiers = json!([{"id": "a"}, {"id": "b", "multiplier": 0}, {"id": "c", "multiplier": 0.5}]);
        assert!(told(json!({"proficiencyTiers": tiers, "proficiency": {"bonus": {"const": 2}}})).is_empty());
        assert_eq!(
            told(json!({"proficiencyTiers": tiers})),
            ["tier-without-proficiency /proficiencyTiers/2/multiplier"]
        );
    }

    #[test]
    fn only_one_die_has_a_natural_result() {
        let naturals = json!({"check": "both", "save": "none"});
        assert!(told(json!({"naturals": naturals})).is_empty());
        assert!(told(json!({"naturals": naturals, "dice": {"count": 1, "sides": 12}})).is_empty());
        let two = json!({"count": 2, "sides": 6});
        assert_eq!(told(json!({"naturals": naturals, "dice": two})), ["naturals-need-one-die /naturals/check"]);
    }

    #[test]
    fn penalties_come_from_wounds() {
        assert!(told(json!({"penaltyFrom": "harm"})).is_empty());
        assert_eq!(told(json!({"penaltyFrom": "heat"})), ["wrong-reference-type /penaltyFrom"]);
        assert_eq!(told(json!({"penaltyFrom": "grit"})), ["unknown-id /penaltyFrom"]);
    }

    #[test]
    fn each_pool_is_spent_once_and_for_something() {
        let pool = |spend: Value| told(json!({"kind": "dice-pool", "spend": spend}));
        assert!(pool(json!([{"pool": "grit", "dice": 1}])).is_empty());
        let twice = json!([{"pool": "grit", "dice": 1}, {"pool": "grit", "reroll": {"upTo": 2}}]);
        assert_eq!(pool(twice), ["spend-pool-twice /spend/1/pool"]);
        assert_eq!(pool(json!([{"pool": "strain", "successes": 1}])), ["pool-starts-empty /spend/0/pool"]);
        assert_eq!(pool(json!([{"pool": "harm", "successes": 1}])), ["unknown-id /spend/0/pool"]);
        assert_eq!(pool(json!([{"pool": "grit"}])), ["spend-buys-nothing /spend/0"]);
        assert_eq!(told(json!({"kind": "dice-sum", "spend": [{"pool": "none"}]})), ["spend-needs-dice-pool /spend/0"]);
        assert!(told(json!({"kind": "dice-sum", "spend": []})).is_empty());
    }

    #[test]
    fn adjustments_name_abilities() {
        let adjust = json!([{"abilities": ["wits", "brawn"]}]);
        assert_eq!(told(json!({"adjust": adjust})), ["unknown-id /adjust/0/abilities/1"]);
    }
}
