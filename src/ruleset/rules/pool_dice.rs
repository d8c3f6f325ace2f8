use super::super::names::is_dice_pool;
use super::super::node::Node;
use super::super::whole::Whole;
use super::places::each;
use crate::types::{Problems, codes};
use serde_json::Value;

/// The dice of a ruleset that throws a pool of them and counts successes, as far as other rules measure against them.
/// Where the shape check finds fault with a number it is as if it were not given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoolDice {
    /// Faces of each die; 10 unless given.
    pub sides: f64,
    /// The lowest and the highest target number a check may ask for.
    pub target: Option<(f64, f64)>,
    /// The most successes that one throw can count: as many as the largest pool has dice (40 unless given), as many
    /// again when dice explode, and twice that when a face counts double (docs/spec/checks.md#resolution).
    pub largest: f64,
}

impl PoolDice {
    /// None where dice are added up instead.
    pub fn of(ruleset: &Whole<'_>) -> Option<Self> {
        if !is_dice_pool(&ruleset.root) {
            return None;
        }
        let resolution = ruleset.root.value().get("resolution")?;
        let number = |path: &str| resolution.pointer(path).and_then(Value::as_f64);
        let times = |key: &str| if resolution.get(key).is_some() { 2.0 } else { 1.0 };
        Some(PoolDice {
            sides: number("/die/sides").unwrap_or(10.0),
            target: number("/target/min").zip(number("/target/max")),
            largest: number("/pool/max").unwrap_or(40.0) * times("explode") * times("double"),
        })
    }

    /// Whether a check can be made harder or easier by asking for another face.
    pub fn target_moves(&self) -> bool {
        self.target.is_some_and(|(min, max)| min < max)
    }

    /// More successes than can be thrown are the problem `unreachable-successes`.
    pub fn check_successes(&self, successes: &Node<'_>, found: &mut Problems) {
        if let Some(wanted) = successes.number().filter(|wanted| *wanted > self.largest) {
            let message = format!("{wanted} successes are required, but the largest roll gives {}", self.largest);
            found.push(successes.problem(codes::UNREACHABLE_SUCCESSES, message));
        }
    }

    /// A face above `highest` is the problem `face-beyond-die`.
    pub fn check_face(&self, face: &Node<'_>, highest: f64, found: &mut Problems) {
        if let Some(number) = face.number().filter(|number| *number > highest) {
            let message = format!(
                "the face {number} is too high: with a die of {} sides, at most {highest} is allowed here",
                self.sides
            );
            found.push(face.problem(codes::FACE_BEYOND_DIE, message));
        }
    }

    /// A re-throw leaves at least one face alone. Of `resolution.reroll`, of what is bought, of a check's own.
    pub fn check_reroll(&self, reroll: &Node<'_>, found: &mut Problems) {
        if let Some(up_to) = reroll.get("upTo") {
            self.check_face(&up_to, self.sides - 1.0, found);
        }
    }
}

/// What counts, what counts twice, what explodes and what is thrown again has to be on the die.
pub(super) fn check(ruleset: &Whole<'_>, found: &mut Problems) {
    let (Some(dice), Some(resolution)) = (PoolDice::of(ruleset), ruleset.root.get("resolution")) else { return };
    for target in each(&resolution, "target.*") {
        dice.check_face(&target, dice.sides, found);
    }
    for key in ["double", "explode"] {
        if let Some(rule) = resolution.get(key) {
            check_face_rule(&dice, &rule, found);
        }
    }
    for up_to in ["cancel.upTo", "botch.upTo"].into_iter().flat_map(|path| each(&resolution, path)) {
        if let (Some(number), Some((lowest, _))) = (up_to.number(), dice.target)
            && number >= lowest
        {
            let message =
                format!("faces up to {number} would also be successes, since the lowest target number is {lowest}");
            found.push(up_to.problem(codes::LOW_FACES_REACH_TARGET, message));
        }
    }
    for successes in each(&resolution, "exceptional.successes") {
        dice.check_successes(&successes, found);
    }
    for reroll in each(&resolution, "reroll[]").iter().chain(&each(&resolution, "spend[].reroll")) {
        dice.check_reroll(reroll, found);
    }
}

fn check_face_rule(dice: &PoolDice, rule: &Node<'_>, found: &mut Problems) {
    for face in each(rule, "*") {
        dice.check_face(&face, dice.sides, found);
    }
    if let (Some(from), Some(min)) = (rule.number_of("from"), rule.number_of("min"))
        && from < min
    {
        found.push(rule.problem(codes::FACE_RULE, format!("`from` is {from}, below `min` ({min})")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::rules::told as findings;
    use serde_json::json;

    fn told(resolution: Value) -> Vec<String> {
        let mut resolution = resolution;
        resolution["kind"] = json!("dice-pool");
        findings(check, &json!({"resolution": resolution}))
    }

    #[test]
    fn faces_are_on_the_die() {
        let six = json!({"sides": 6});
        assert!(
            told(json!({"die": six, "target": {"default": 5, "min": 2, "max": 6}, "explode": {"from": 6}})).is_empty()
        );
        assert!(told(json!({"target": {"default": 7, "min": 5, "max": 10}})).is_empty());
        assert_eq!(told(json!({"target": {"max": 11}})), ["face-beyond-die /resolution/target/max"]);
        let wrong = json!({"die": six, "double": {"from": 7}, "reroll": [{"upTo": 5}, {"upTo": 6}], "spend": [{"reroll": {"upTo": 9}}]});
        let places = ["double/from", "reroll/1/upTo", "spend/0/reroll/upTo"];
        assert_eq!(told(wrong), places.map(|place| format!("face-beyond-die /resolution/{place}")));
    }

    #[test]
    fn a_face_rule_does_not_begin_below_its_own_floor() {
        assert!(told(json!({"explode": {"min": 8}, "double": {"from": 10, "min": 10}})).is_empty());
        assert_eq!(told(json!({"double": {"from": 8, "min": 9}})), ["face-rule /resolution/double"]);
    }

    #[test]
    fn what_cancels_does_not_count() {
        let target = json!({"default": 6, "min": 4, "max": 8});
        assert!(told(json!({"target": target, "cancel": {"upTo": 3}, "botch": {"upTo": 3}})).is_empty());
        let wrong = json!({"target": target, "cancel": {"upTo": 4}, "botch": {"upTo": 9}});
        let places = ["cancel", "botch"].map(|key| format!("low-faces-reach-target /resolution/{key}/upTo"));
        assert_eq!(told(wrong), places);
    }

    #[test]
    fn no_more_successes_are_wanted_than_can_be_thrown() {
        let exceptional = |successes: i32, extra: Value| {
            let mut resolution = json!({"pool": {"max": 5}, "exceptional": {"successes": successes}});
            extra.as_object().into_iter().flatten().for_each(|(key, value)| resolution[key] = value.clone());
            told(resolution).len()
        };
        let (explode, double) = (json!({"explode": {"from": 10}}), json!({"double": {"from": 10}}));
        let both = json!({"explode": {"from": 10}, "double": {"from": 10}});
        for (most, extra) in [(5, json!({})), (10, explode), (10, double), (20, both)] {
            assert_eq!((exceptional(most, extra.clone()), exceptional(most + 1, extra.clone())), (0, 1), "{extra}");
        }
    }
}
