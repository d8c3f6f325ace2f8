use super::super::names::{Names, is_dice_sum};
use super::super::whole::Whole;
use super::derived::check_is_value;
use super::places::each;
use super::pool_dice::PoolDice;
use super::refs;
use crate::types::{Problems, codes};

/// Everything a section can hold.
const PLACED: &[&str] =
    &["sheet.abilities[]", "sheet.skills[]", "sheet.saves[]", "sheet.fields[]", "sheet.derived[]", "sheet.lists[]"];

/// Everything that has `values` and may give them labels.
const LABELLED: &[&str] = &["sheet.fields[]", "sheet.lists[].columns[]", "sheet.live.states[]", "items.stats[]"];

/// Sections, skills and saves, fields and lists (docs/spec/checks.md#sheet).
pub(super) fn check(ruleset: &Whole<'_>, found: &mut Problems) {
    let names = &ruleset.names;
    for placed in PLACED.iter().flat_map(|path| each(&ruleset.root, path)) {
        refs::one(&names.sections, &placed, "section", found);
    }
    for trained in ["sheet.skills[]", "sheet.saves[]"].iter().flat_map(|path| each(&ruleset.root, path)) {
        refs::one(&names.abilities, &trained, "ability", found);
    }
    for tier in ["sheet.skillTiers[]", "sheet.saveTiers[]"].iter().flat_map(|path| each(&ruleset.root, path)) {
        names.tiers.resolve(&tier, found);
    }
    for labelled in LABELLED.iter().flat_map(|path| each(&ruleset.root, path)) {
        for (value, label) in refs::members(&labelled, "valueLabels") {
            check_is_value(&labelled, value, &label, codes::LABEL_OF_NO_VALUE, found);
        }
    }
    check_untrained(ruleset, found);
    check_list_pools(ruleset, found);
}

/// "Harder" is one more on the target number, so that number has to move.
fn check_untrained(ruleset: &Whole<'_>, found: &mut Problems) {
    // A pool without a target number at all is the shape's to report.
    let is_fixed = match PoolDice::of(ruleset) {
        Some(dice) => dice.target.is_some() && !dice.target_moves(),
        None => is_dice_sum(&ruleset.root),
    };
    if !is_fixed {
        return;
    }
    let places = ["sheet.sections[].untrained", "sheet.skills[].untrained", "sheet.saves[].untrained"];
    for untrained in places.iter().flat_map(|path| each(&ruleset.root, path)) {
        if untrained.text() == Some("harder") {
            let message = "`harder` raises the target number, but it is fixed in this ruleset";
            let hint = "use a number of dice or points instead, such as `{\"by\": -1}`";
            found.push(untrained.problem(codes::UNTRAINED_HARDER, message).hint(hint));
        }
    }
}

/// A list whose rows are pools of their own names the columns these are read from.
fn check_list_pools(ruleset: &Whole<'_>, found: &mut Problems) {
    for list in each(&ruleset.root, "sheet.lists[]") {
        let Some(pools) = list.get("pools") else { continue };
        let columns = Names::columns(&list);
        for (key, kind) in [("nameColumn", "text"), ("maxColumn", "number"), ("rechargeColumn", "enum")] {
            refs::typed(&columns, &pools, key, &[kind], found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::rules::told as findings;
    use serde_json::{Value, json};

    fn told(sheet: Value) -> Vec<String> {
        findings(check, &json!({"resolution": {"proficiencyTiers": [{"id": "expert"}]}, "sheet": sheet}))
    }

    #[test]
    fn whatever_is_placed_is_placed_in_a_section_there_is() {
        let sheet = |section: &str| {
            let placed = json!([{"section": section}]);
            let mut sheet = json!({"sections": [{"id": "about"}]});
            for path in PLACED {
                sheet[path.trim_start_matches("sheet.").trim_end_matches("[]")] = placed.clone();
            }
            told(sheet)
        };
        assert!(sheet("about").is_empty());
        assert_eq!(sheet("gone").len(), PLACED.len());
    }

    #[test]
    fn skills_and_saves_name_abilities_and_tiers() {
        let right = json!({"abilities": [{"id": "wits"}], "skills": [{"ability": "wits"}], "saves": [{}], "skillTiers": ["expert"]});
        assert!(told(right).is_empty());
        let wrong = json!({"skills": [{"ability": "wits"}], "saves": [{"ability": "wits"}], "saveTiers": ["master"]});
        let places = ["skills/0/ability", "saves/0/ability", "saveTiers/0"];
        assert_eq!(told(wrong), places.map(|place| format!("unknown-id /sheet/{place}")));
    }

    #[test]
    fn labels_are_of_values() {
        let labelled = json!({"values": ["a"], "valueLabels": {"a": "A", "b": "B"}});
        let sheet = json!({"fields": [labelled], "lists": [{"columns": [labelled]}], "live": {"states": [labelled]}});
        let told = findings(check, &json!({"sheet": sheet, "items": {"stats": [labelled]}}));
        let places = ["sheet/fields/0", "sheet/lists/0/columns/0", "sheet/live/states/0", "items/stats/0"];
        assert_eq!(told, places.map(|place| format!("label-of-no-value /{place}/valueLabels/b")));
    }

    #[test]
    fn harder_needs_a_target_number_that_ranges() {
        let with = |resolution: Value| {
            let hard = json!([{"untrained": "harder"}]);
            let sheet = json!({"sections": hard, "skills": hard, "saves": [{"untrained": {"by": -2}}]});
            findings(check, &json!({"resolution": resolution, "sheet": sheet})).len()
        };
        assert_eq!(with(json!({"kind": "dice-pool", "target": {"min": 5, "max": 9}})), 0);
        assert_eq!(with(json!({"kind": "dice-pool", "target": {"min": 7, "max": 7}})), 2);
        assert_eq!(with(json!({"kind": "dice-sum"})), 2);
    }

    #[test]
    fn the_pools_of_a_list_are_columns_of_their_types() {
        let columns =
            json!([{"id": "name", "type": "text"}, {"id": "uses", "type": "number"}, {"id": "back", "type": "enum"}]);
        let list = |pools: Value| told(json!({"lists": [{"columns": columns, "pools": pools}]})).join(", ");
        assert_eq!(list(json!({"nameColumn": "name", "maxColumn": "uses", "rechargeColumn": "back"})), "");
        let at = |code: &str, key: &str| format!("{code} /sheet/lists/0/pools/{key}");
        assert_eq!(list(json!({"nameColumn": "uses"})), at("wrong-reference-type", "nameColumn"));
        assert_eq!(list(json!({"maxColumn": "back"})), at("wrong-reference-type", "maxColumn"));
        assert_eq!(list(json!({"rechargeColumn": "none"})), at("unknown-id", "rechargeColumn"));
    }
}
