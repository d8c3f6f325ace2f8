use super::super::node::Node;
use super::super::whole::Whole;
use super::pool_dice::PoolDice;
use super::reach::check_reach;
use crate::types::{Problems, codes};

/// A difficulty ladder, the ruleset's own or a layer's (L14): no step asks for what no throw can give.
///
/// That its steps have the keys of the ruleset's own kind is the shape's; a ladder of numbers to reach has no more to
/// it.
pub fn check_ladder(ruleset: &Whole<'_>, ladder: &Node<'_>, found: &mut Problems) {
    let Some(dice) = PoolDice::of(ruleset) else { return };
    for step in ladder.items() {
        if let Some(successes) = step.get("successes") {
            dice.check_successes(&successes, found);
        }
        if let Some(target) = step.get("target") {
            check_target(&dice, &target, found);
        }
    }
}

/// What every engine takes and is most likely a slip: a step that is out of order, or that no roll reaches.
pub fn check_sense(ruleset: &Whole<'_>, ladder: &Node<'_>, found: &mut Problems) {
    check_rising(ladder, found);
    check_reach(ruleset, ladder, found);
}

/// A ladder leads upwards: a step that is easier than the one above it is most likely out of order.
fn check_rising(ladder: &Node<'_>, found: &mut Problems) {
    let steps: Vec<_> = ladder.items().collect();
    for pair in steps.windows(2) {
        let [above, step] = pair else { continue };
        // What asks for another face as well is no easier and no harder by its number alone.
        if above.get("target").map(|it| it.value()) != step.get("target").map(|it| it.value()) {
            continue;
        }
        for key in ["dc", "successes"] {
            let Some((before, now)) = above.number_of(key).zip(step.number_of(key)) else { continue };
            if let Some(place) = step.get(key).filter(|_| now < before) {
                let message = format!("`{key}` is {now}, less than in the step before it ({before})");
                found.push(place.problem(codes::LADDER_FALLS, message));
            }
        }
    }
}

fn check_target(dice: &PoolDice, target: &Node<'_>, found: &mut Problems) {
    let (Some(face), Some((min, max))) = (target.number(), dice.target) else { return };
    if !dice.target_moves() {
        let message = format!("a step has its own target number, but the ruleset's is fixed at {min}");
        found.push(
            target.problem(codes::LADDER_TARGET, message).hint("remove `target`, or give `resolution.target` a range"),
        );
    } else if !(min..=max).contains(&face) {
        let message = format!("the step's target number is {face}, but `resolution.target` ranges from {min} to {max}");
        found.push(target.problem(codes::LADDER_TARGET, message));
    }
}

pub(super) fn check(ruleset: &Whole<'_>, found: &mut Problems) {
    let ladder = ruleset.root.get("resolution").and_then(|resolution| resolution.get("difficultyLadder"));
    if let Some(ladder) = ladder {
        check_ladder(ruleset, &ladder, found);
        check_sense(ruleset, &ladder, found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::rules::told as findings;
    use serde_json::{Value, json};

    fn told(target: Value, step: Value) -> Vec<String> {
        let resolution =
            json!({"kind": "dice-pool", "pool": {"min": 1, "max": 4}, "target": target, "difficultyLadder": [step]});
        findings(check, &json!({"resolution": resolution}))
    }

    #[test]
    fn a_step_asks_for_what_can_be_thrown() {
        let (ranging, fixed) = (json!({"min": 5, "max": 8}), json!({"min": 7, "max": 7}));
        assert!(told(ranging.clone(), json!({"successes": 4, "target": 5})).is_empty());
        assert!(told(fixed.clone(), json!({"successes": 4})).is_empty());
        let at = |code: &str, key: &str| [format!("{code} /resolution/difficultyLadder/0/{key}")];
        assert_eq!(told(ranging.clone(), json!({"successes": 5})), at("unreachable-successes", "successes"));
        assert_eq!(told(ranging.clone(), json!({"target": 9})), at("ladder-target", "target"));
        assert_eq!(told(ranging, json!({"target": 4})), at("ladder-target", "target"));
        assert_eq!(told(fixed, json!({"target": 7})), at("ladder-target", "target"));
    }

    #[test]
    fn a_ladder_that_falls_is_told() {
        let told = |kind: &str, ladder: Value| {
            let told = findings(check, &json!({"resolution": {"kind": kind, "difficultyLadder": ladder}}));
            told.join(" ").replace("/resolution/difficultyLadder", "")
        };
        assert_eq!(told("dice-sum", json!([{"dc": 8}, {"dc": 8}, {"dc": 12}])), "");
        assert_eq!(told("dice-sum", json!([{"dc": 8}, {"dc": 12}, {"dc": 10}, {"dc": 11}])), "ladder-falls /2/dc");
        assert_eq!(
            told("dice-pool", json!([{"successes": 3}, {"successes": 1, "target": 9}, {"successes": 2, "target": 9}])),
            ""
        );
        assert_eq!(told("dice-pool", json!([{"successes": 3}, {"successes": 1}])), "ladder-falls /1/successes");
    }

    #[test]
    fn a_ladder_of_numbers_to_reach_is_left_alone() {
        let ladder = json!([{"label": "Easy", "dc": 8, "successes": 99, "target": 99}]);
        let ruleset = json!({"resolution": {"kind": "dice-sum", "difficultyLadder": ladder}});
        assert!(findings(check, &ruleset).is_empty());
    }
}
