use crate::ruleset::names::is_dice_pool;
use crate::ruleset::node::Node;
use crate::ruleset::whole::Whole;
use crate::types::Problem;

/// L14: the ladder of a layer is held to what the ruleset's own is held to.
pub(super) fn check(whole: &Whole<'_>, layer: &Node<'_>, found: &mut Vec<Problem>) {
    let Some(ladder) = layer.get("difficultyLadder") else { return };
    let mut refused = Vec::new();
    check_ladder(whole, &ladder, &mut refused);
    found.extend(refused.into_iter().map(|problem| Problem { code: "L14".to_owned(), ..problem }));
}

/// A step of a pool ruleset asks for no more successes than its largest throw can have, and names a target only where
/// targets can move, and then one they can move to (ruleset checks, section 4).
fn check_ladder(whole: &Whole<'_>, ladder: &Node<'_>, found: &mut Vec<Problem>) {
    let Some(resolution) = whole.root.get("resolution").filter(|_| is_dice_pool(&whole.root)) else { return };
    let dice = resolution.get("pool").and_then(|pool| pool.number_of("max")).unwrap_or(40.0);
    let thrown = if resolution.has("explode") { dice + dice } else { dice };
    let largest = if resolution.has("double") { thrown * 2.0 } else { thrown };
    let target = |key| resolution.get("target").and_then(|target| target.number_of(key));
    for step in ladder.items() {
        if let Some(successes) = step.get("successes")
            && let Some(wanted) = successes.number().filter(|wanted| *wanted > largest)
        {
            let message = format!("{wanted} successes are more than the largest throw can have ({largest})");
            found.push(successes.error("ladder", message));
        }
        if let Some(face) = step.get("target")
            && let (Some(wanted), Some(min), Some(max)) = (face.number(), target("min"), target("max"))
        {
            if min >= max {
                found.push(face.error("ladder", "a step names a target, but the ruleset's target does not move"));
            } else if !(min..=max).contains(&wanted) {
                found.push(face.error("ladder", format!("the target {wanted} is not within {min} to {max}")));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::told;
    use serde_json::{Value, json};

    #[test]
    fn l14_a_ladder_is_held_to_what_the_rulesets_own_is_held_to() {
        let of = |target: Value, step: Value| {
            told(&json!({
                "resolution": {"kind": "dice-pool", "pool": {"min": 1, "max": 5}, "explode": {"from": 10}, "target": target},
                "layers": [{"id": "a", "difficultyLadder": [{"label": "Plain", "successes": 1}, step]}],
            }))
        };
        let moving = json!({"default": 7, "min": 5, "max": 9});
        for right in [json!({"successes": 10}), json!({"successes": 1, "target": 5}), json!({"target": 9})] {
            assert_eq!(of(moving.clone(), right.clone()), [""; 0], "{right}");
        }
        let at = |key: &str| format!("L14 /layers/0/difficultyLadder/1/{key}");
        assert_eq!(of(moving.clone(), json!({"successes": 11})), [at("successes")]);
        assert_eq!(of(moving, json!({"successes": 1, "target": 10})), [at("target")]);
        let fixed = json!({"default": 7, "min": 7, "max": 7});
        assert_eq!(of(fixed, json!({"successes": 1, "target": 7})), [at("target")]);
    }
}
