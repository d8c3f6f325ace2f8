use super::super::names::is_dice_pool;
use super::super::node::Node;
use super::super::whole::Whole;
use super::places::each;
use crate::types::{Problems, codes};
use serde_json::Value;

/// The bonuses a sheet may give where it says nothing of them (docs/spec/checks.md#sheet).
const HIGHEST_BONUS: f64 = 40.0;

/// Keys that change checks or scores in play, by amounts that nobody can add up in advance.
const IN_PLAY: [&str; 4] = ["adjust", "modifiers", "worn", "carried"];

/// A step of a ladder whose `dc` no roll reaches: higher than the dice, the best ability, the best tier, the highest
/// bonus and the best of what untrained checks get come to together (docs/spec/checks.md#resolution). A warning, since
/// every engine takes it. Where that sum has no certain end, nothing is told.
pub fn check_reach(ruleset: &Whole<'_>, ladder: &Node<'_>, found: &mut Problems) {
    let mut most = None;
    for dc in ladder.items().filter_map(|step| step.get("dc")) {
        let Some(wanted) = dc.number() else { continue };
        let Some(highest) = *most.get_or_insert_with(|| highest_total(ruleset)) else { return };
        if wanted > highest {
            let message = format!("`dc` is {wanted}, but no roll can come to more than {highest}");
            found.push(dc.problem(codes::UNREACHABLE_DC, message));
        }
    }
}

/// The most that a check can come to; none where it is not certain, or where the highest face succeeds by itself.
fn highest_total(ruleset: &Whole<'_>) -> Option<f64> {
    let (root, resolution) = (&ruleset.root, ruleset.root.get("resolution")?);
    let naturals = resolution.get("naturals").and_then(|naturals| naturals.text_of("check"));
    let is_open = is_dice_pool(root)
        || matches!(naturals, Some("both" | "max-only"))
        || ruleset.files.iter().chain([root]).any(|file| changes_in_play(file.value()));
    if is_open {
        return None;
    }
    let dice = resolution.get("dice");
    let of_dice = |key: &str, default: f64| dice.as_ref().map_or(Some(default), |dice| dice.number_of(key));
    let bonus = root.get("sheet").and_then(|sheet| sheet.get("bonusRange"));
    let bonus = bonus.map_or(Some(HIGHEST_BONUS), |range| range.number_of("max"))?;
    let untrained = ["sheet.skills[]", "sheet.saves[]", "sheet.sections[]"]
        .iter()
        .flat_map(|path| each(root, path))
        .filter_map(|it| it.get("untrained")?.number_of("by"));
    let terms = [best_ability(root, &resolution)?, best_tier(&resolution)?, bonus, untrained.fold(0.0, f64::max)];
    Some(of_dice("count", 1.0)? * of_dice("sides", 20.0)? + terms.iter().map(|term| term.max(0.0)).sum::<f64>())
}

fn changes_in_play(value: &Value) -> bool {
    match value {
        Value::Object(members) => {
            members.iter().any(|(key, value)| IN_PLAY.contains(&key.as_str()) || changes_in_play(value))
        }
        Value::Array(items) => items.iter().any(changes_in_play),
        _ => false,
    }
}

fn best_ability(root: &Node<'_>, resolution: &Node<'_>) -> Option<f64> {
    let scores: Option<Vec<f64>> = each(root, "sheet.abilities[]").iter().map(|it| it.number_of("max")).collect();
    let best = scores?.into_iter().fold(0.0, f64::max);
    let how = resolution.get("abilityModifier")?;
    match how.text_of("op")? {
        "identity" => Some(best),
        "floorHalfMinusTen" => Some(((best - 10.0) / 2.0).floor()),
        "stepTable" => {
            let steps: Option<Vec<f64>> = how.list("table").map(|step| step.items().nth(1)?.number()).collect();
            Some(steps?.into_iter().fold(0.0, f64::max))
        }
        _ => None,
    }
}

/// A tier that multiplies a proficiency bonus adds what only play knows.
fn best_tier(resolution: &Node<'_>) -> Option<f64> {
    let mut best = 0.0_f64;
    for tier in resolution.list("proficiencyTiers") {
        if tier.get("multiplier").is_some_and(|it| it.number() != Some(0.0)) {
            return None;
        }
        best = best.max(tier.get("flat").map_or(Some(0.0), |flat| flat.number())?);
    }
    Some(best)
}

#[cfg(test)]
mod tests {
    use super::super::{ladder, told};
    use serde_json::{Value, json};

    fn with(edit: impl FnOnce(&mut Value)) -> Vec<String> {
        let mut ruleset = json!({
            "resolution": {
                "kind": "dice-sum", "dice": {"count": 2, "sides": 6}, "abilityModifier": {"op": "identity"},
                "proficiencyTiers": [{"id": "plain"}, {"id": "good", "flat": 3}],
                "difficultyLadder": [{"dc": 8}, {"dc": 25}],
            },
            "sheet": {"abilities": [{"id": "heart", "max": 4}], "bonusRange": {"min": -5, "max": 5}},
        });
        edit(&mut ruleset);
        told(ladder::check, &ruleset)
    }

    /// 12 + 4 + 3 + 5 are 24.
    #[test]
    fn a_step_that_no_roll_reaches_is_told() {
        assert_eq!(with(|_| ()), ["unreachable-dc /resolution/difficultyLadder/1/dc"]);
        assert_eq!(with(|it| it["resolution"]["difficultyLadder"][1]["dc"] = json!(24)), [""; 0]);
        assert_eq!(with(|it| it["resolution"]["proficiencyTiers"][1]["flat"] = json!(4)), [""; 0]);
        assert_eq!(with(|it| it["sheet"]["abilities"][0]["max"] = json!(5)), [""; 0]);
        let bare = with(|it| {
            it["resolution"].as_object_mut().unwrap().remove("dice");
            it["sheet"].as_object_mut().unwrap().remove("bonusRange");
            it["resolution"]["difficultyLadder"] = json!([{"dc": 67}, {"dc": 68}]);
        });
        assert_eq!(bare, ["unreachable-dc /resolution/difficultyLadder/1/dc"]);
    }

    #[test]
    fn where_the_sum_has_no_certain_end_nothing_is_told() {
        for edit in [
            |it: &mut Value| it["resolution"]["naturals"] = json!({"check": "both"}),
            |it: &mut Value| it["resolution"]["adjust"] = json!([{"value": {"const": 1}}]),
            |it: &mut Value| it["resolution"]["proficiencyTiers"][1]["multiplier"] = json!(1),
            |it: &mut Value| it["catalogs"] = json!([{"entries": [{"item": {"worn": {}}}]}]),
            |it: &mut Value| it["sheet"]["skills"] = json!([{"id": "sneak", "untrained": {"by": 1}}]),
            |it: &mut Value| it["resolution"]["abilityModifier"] = json!({"op": "new"}),
        ] {
            assert_eq!(with(edit), [""; 0]);
        }
    }
}
