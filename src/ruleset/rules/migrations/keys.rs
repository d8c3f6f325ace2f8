use super::steps::{Step, StepKind};
use crate::types::{Problems, codes};

/// The keys a step must have beside the one that names its kind, and those it may have.
fn keys(kind: StepKind) -> (&'static [&'static str], &'static [&'static str]) {
    match kind {
        StepKind::Rename => (&["from", "to"], &[]),
        StepKind::Route => (&["by", "cases", "else"], &["default"]),
        StepKind::RouteLive => (&["from", "cases", "else"], &[]),
        StepKind::SetColumn => (&[], &[]),
    }
}

/// Every key that any step may have. What else stands in one is refused whatever its kind, by its shape.
const ALL: [&str; 6] = ["from", "to", "by", "cases", "else", "default"];

/// That a step has the keys of its own kind. What stands under each is for the shape.
pub(super) fn check(step: &Step<'_>, found: &mut Problems) {
    let (required, optional) = keys(step.kind);
    let kind = step.kind.key();
    for key in required.iter().filter(|key| !step.node.has(key)) {
        found.push(step.node.problem(codes::MISSING_KEY, format!("a `{kind}` step needs `{key}`")));
    }
    for key in ALL.iter().filter(|key| !required.contains(key) && !optional.contains(key)) {
        if let Some(stranger) = step.node.get(key) {
            found.push(stranger.problem(codes::UNKNOWN_KEY, format!("a `{kind}` step cannot have `{key}`")));
        }
    }
    let (are_cases_fit, wanted) = match step.kind {
        StepKind::Route => (step.node.list("cases").find(|case| case.text().is_some()), "{words, to}"),
        StepKind::RouteLive => (step.node.list("cases").find(|case| case.value().is_object()), "an id"),
        StepKind::Rename | StepKind::SetColumn => return,
    };
    if let Some(unfit) = are_cases_fit {
        found.push(unfit.problem(codes::WRONG_TYPE, format!("a case of a `{kind}` step must be {wanted}")));
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::of_steps;
    use serde_json::json;

    #[test]
    fn a_step_has_the_keys_of_its_kind_and_no_others() {
        for (step, wanted) in [
            (json!({"rename": "field", "from": "xp"}), "missing-key /0"),
            (json!({"rename": "field", "from": "xp", "to": "experience", "by": "class"}), "unknown-key /0/by"),
            (json!({"route": "level", "by": "class", "cases": []}), "missing-key /0"),
            (
                json!({"route": "level", "by": "class", "cases": ["level_other"], "else": "level_other"}),
                "wrong-type /0/cases/0",
            ),
            (json!({"routeLive": "pool", "from": "x", "cases": [{}], "else": "hit_dice_d6"}), "wrong-type /0/cases/0"),
            (
                json!({"routeLive": "pool", "from": "x", "cases": [], "else": "hit_dice_d6", "default": 1}),
                "unknown-key /0/default",
            ),
            (json!({"setColumn": {}, "to": "x"}), "unknown-key /0/to"),
        ] {
            assert_eq!(of_steps(json!([step])), [wanted], "{step}");
        }
    }

    #[test]
    fn a_step_of_no_kind_or_of_two_is_told_by_its_shape() {
        assert_eq!(of_steps(json!([{"from": "x"}, {"rename": "field", "route": "x"}, 3])), [""; 0]);
    }
}
