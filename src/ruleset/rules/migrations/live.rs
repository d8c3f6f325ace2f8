use super::{GENEROUS, too_many};
use crate::json::excerpt;
use crate::ruleset::names::is_wound_track;
use crate::ruleset::node::Node;
use crate::ruleset::rules::repeats::repeated_texts;
use crate::ruleset::whole::Whole;
use crate::types::{Problems, codes};

/// M05, M06 and M12 of a `routeLive`. `else` may be one of the cases (docs/spec/decisions.md#q10).
pub(super) fn check(whole: &Whole<'_>, step: &Node<'_>, found: &mut Problems) {
    let (ids, what) = match step.text_of("routeLive") {
        Some("pool") => (&whole.names.pools, "pool"),
        Some("track") => (&whole.names.tracks, "track"),
        _ => return,
    };
    if let Some(from) = step.get("from")
        && let Some(id) = from.text().filter(|id| ids.has(id))
    {
        let message =
            format!("the sheet still has the live {what} `{}`, so nothing can be moved away from it", excerpt(id));
        let hint = format!("remove the {what} from the sheet: an id that was moved away cannot be used again");
        found.push(from.problem(codes::M05, message).hint(hint));
    }
    let cases = || step.list("cases").filter(|case| case.text().is_some());
    for (again, first) in repeated_texts(cases()) {
        let id = excerpt(again.text().unwrap_or_default());
        found.push(again.problem(codes::M06, format!("there is already a case for `{id}` ({})", first.at())));
    }
    if let Some(cases) = step.get("cases") {
        too_many(&cases, GENEROUS, "cases", found);
    }
    let targets: Vec<_> = cases()
        .chain(step.get("else"))
        .filter_map(|target| Some((is_wound_track(ids.resolve_as(codes::M12, &target, found)?), target)))
        .collect();
    if let Some((of_wounds, _)) = targets.first()
        && let Some((_, other)) = targets.iter().find(|(kind, _)| kind != of_wounds)
        && what == "track"
    {
        let (these, this) = if *of_wounds { ("count wounds", "does not") } else { ("have a number", "counts wounds") };
        let id = excerpt(other.text().unwrap_or_default());
        let message = format!("`{id}` {this}, but the tracks before it {these}; one value cannot be moved to both");
        found.push(other.problem(codes::M12, message));
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::of_steps;
    use serde_json::{Value, json};

    fn of(what: &str, from: &str, cases: Value, otherwise: &str) -> Vec<String> {
        of_steps(json!([{"routeLive": what, "from": from, "cases": cases, "else": otherwise}]))
    }

    #[test]
    fn live_values_go_to_pools_or_to_tracks_of_one_kind() {
        assert_eq!(of("pool", "hit_dice", json!(["hit_dice_d6"]), "hit_dice_d6"), [""; 0]);
        assert_eq!(of("track", "warmth", json!(["heat"]), "cold"), [""; 0]);
        assert_eq!(of("track", "wounds", json!(["harm"]), "grief"), [""; 0]);
        assert_eq!(of("track", "hit_dice_d6", json!(["heat"]), "heat"), [""; 0], "a pool is no track");
    }

    #[test]
    fn each_fault_is_told_once_where_it_stands() {
        assert_eq!(of("pool", "hit_dice_d8", json!(["hit_dice_d6"]), "hit_dice_d6"), ["M05 /0/from"]);
        assert_eq!(of("track", "cold", json!(["heat"]), "heat"), ["M05 /0/from"]);
        assert_eq!(of("pool", "x", json!(["hit_dice_d6", "hit_dice_d6"]), "hit_dice_d6"), ["M06 /0/cases/1"]);
        assert_eq!(of("pool", "x", json!(["heat"]), "hit_dice_d6"), ["M12 /0/cases/0"]);
        assert_eq!(of("pool", "x", json!(["hit_dice_d6"]), "hit_dice"), ["M12 /0/else"]);
        assert_eq!(of("track", "x", json!(["heat", "harm"]), "cold"), ["M12 /0/cases/1"]);
        assert_eq!(of("track", "x", json!(["harm"]), "cold"), ["M12 /0/else"]);
    }
}
