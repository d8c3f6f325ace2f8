use crate::ruleset::node::Node;
use crate::ruleset::rules::held_to::held_to;
use crate::ruleset::rules::ladder::{check_ladder, check_sense};
use crate::ruleset::whole::Whole;
use crate::types::{Problems, codes};

/// L14: the ladder of a layer is held to what the ruleset's own is held to.
pub(super) fn check(whole: &Whole<'_>, layer: &Node<'_>, found: &mut Problems) {
    let Some(ladder) = layer.get("difficultyLadder") else { return };
    held_to(codes::L14, found, |found| check_ladder(whole, &ladder, found));
    check_sense(whole, &ladder, found);
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
