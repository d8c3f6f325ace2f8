use super::steps::{Step, StepKind, Steps};
use crate::json::excerpt;
use crate::ruleset::names::Ids;
use crate::ruleset::whole::Whole;
use crate::types::{Problems, codes};

const KINDS: [&str; 4] = ["ability", "skill", "save", "field"];

/// What has ids of this kind.
fn namespace<'w, 'a>(whole: &'w Whole<'a>, kind: &str) -> Option<&'w Ids<'a>> {
    let names = &whole.names;
    match kind {
        "ability" => Some(&names.abilities),
        "skill" => Some(&names.skills),
        "save" => Some(&names.saves),
        "field" => Some(&names.fields),
        _ => None,
    }
}

/// M04, M05, M07 and M08 of the rename at `index`.
///
/// A target that the sheet does not have is fine when a later step moves it on. Whether that one arrives is its own
/// matter, so a chain that leads nowhere is told once, where it ends.
pub(super) fn check<'a>(whole: &Whole<'a>, steps: &Steps<'a>, (index, step): (usize, &Step<'a>), found: &mut Problems) {
    let Some((kind, from)) = step.takes else { return };
    let Some(ids) = namespace(whole, kind) else { return };
    let (Some(source), Some(target)) = (step.node.get("from"), step.node.get("to")) else { return };
    if target.text() == Some(from) {
        found.push(target.problem(codes::M07, format!("`{}` is renamed to itself", excerpt(from))));
        return;
    }
    if ids.has(from) {
        let message =
            format!("the sheet still has the {kind} `{}`, so nothing can be moved away from it", excerpt(from));
        let hint = format!("remove the {kind} from the sheet: an id that was moved away cannot be used again");
        found.push(source.problem(codes::M05, message).hint(hint));
    }
    let Some(to) = target.text().filter(|to| !ids.may_have(to)) else { return };
    if steps.moving(kind, to).any(|(later, _)| later > index) {
        return;
    }
    let origins = steps.origins(index, kind, from);
    let chain = || origins.iter().rev().chain([&from, &to]).map(|id| excerpt(id)).collect::<Vec<_>>().join("` → `");
    if origins.contains(&to) {
        found.push(target.problem(codes::M08, format!("the renames form a circle: `{}`", chain())));
    } else if let Some((_, gone)) = steps.moving(kind, to).next() {
        let message = format!(
            "the sheet has no {kind} `{}`, and the step that renames it runs before this one ({})",
            excerpt(to),
            gone.node.at()
        );
        found.push(target.problem(codes::M08, message).hint("rename directly to the id that the sheet has"));
    } else if let Some(other) = KINDS.iter().find(|other| namespace(whole, other).is_some_and(|ids| ids.has(to))) {
        let message = format!("`{}` is a {other}, but a {kind} can only become another {kind}", excerpt(to));
        found.push(target.problem(codes::M07, message));
    } else if origins.is_empty() {
        ids.named_as(codes::M04, to, &target, found);
    } else {
        let message = format!("the chain `{}` ends at an id that the sheet does not have", chain());
        found.push(target.problem(codes::M08, message));
    }
}

/// Whether any entry renames this field, so that an earlier layout had it.
pub(super) fn moves_away<'a>(steps: &Steps<'a>, field: &'a str) -> bool {
    steps.moving("field", field).any(|(_, step)| step.kind == StepKind::Rename)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{of_steps, sheet, told};
    use serde_json::{Value, json};

    fn rename(kind: &str, from: &str, to: &str) -> Value {
        json!({"rename": kind, "from": from, "to": to})
    }

    #[test]
    fn a_rename_leads_from_an_id_that_is_gone_to_one_that_is_there() {
        for (kind, to) in [("ability", "might"), ("skill", "tinker"), ("save", "will"), ("field", "class")] {
            assert_eq!(of_steps(json!([rename(kind, "old", to)])), [""; 0], "{kind}");
            assert_eq!(of_steps(json!([rename(kind, "old", "nowhere")])), ["M04 /0/to"], "{kind}");
            assert_eq!(of_steps(json!([rename(kind, to, to)])), ["M07 /0/to"], "{kind}");
        }
        assert_eq!(of_steps(json!([rename("field", "rank", "class")])), ["M05 /0/from"]);
        assert_eq!(of_steps(json!([rename("skill", "rank", "tinker")])), [""; 0], "the field `rank` is no skill");
        assert_eq!(of_steps(json!([rename("field", "fix", "tinker")])), ["M07 /0/to"]);
    }

    #[test]
    fn m08_a_chain_may_go_on_in_a_later_step_or_entry() {
        let chain = [rename("field", "a", "b"), rename("field", "b", "c"), rename("field", "c", "class")];
        assert_eq!(of_steps(json!(chain)), [""; 0]);
        let [first, second, third] = chain;
        let entries = json!([
            {"from": 3, "steps": [third]},
            {"from": 1, "steps": [first]},
            {"from": 2, "steps": [second]},
        ]);
        assert_eq!(told(&sheet(entries)), [""; 0], "entries run by version, however they are written");
        let route = json!({"route": "b", "by": "class", "cases": [{"words": ["x"], "to": "level_wizard"}], "else": "level_other"});
        assert_eq!(of_steps(json!([rename("field", "a", "b"), route])), [""; 0], "a route sends a field on");
        assert_eq!(of_steps(json!([rename("skill", "a", "b"), route])), ["M04 /0/to"], "but nothing else");
    }

    #[test]
    fn m08_a_chain_that_leads_nowhere_is_told_where_it_ends() {
        assert_eq!(of_steps(json!([rename("field", "a", "b"), rename("field", "b", "c")])), ["M08 /1/to"]);
        assert_eq!(
            of_steps(json!([rename("field", "b", "class"), rename("field", "a", "b")])),
            ["M08 /1/to"],
            "too late"
        );
        assert_eq!(of_steps(json!([rename("skill", "a", "b"), rename("field", "b", "c")])), ["M04 /0/to", "M04 /1/to"]);
    }

    #[test]
    fn m08_a_circle_ends() {
        let circle = [rename("field", "a", "b"), rename("field", "b", "c"), rename("field", "c", "a")];
        assert_eq!(of_steps(json!(circle)), ["M08 /2/to"]);
        assert_eq!(of_steps(json!([rename("save", "a", "b"), rename("save", "b", "a")])), ["M08 /1/to"]);
    }
}
