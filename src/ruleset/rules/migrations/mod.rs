//! Migrations: what becomes of stored sheets when a sheet changes (docs/spec/checks.md#migrations).

mod columns;
mod keys;
mod live;
mod rename;
mod route;
mod steps;

use super::repeats::repeats;
use crate::ruleset::node::Node;
use crate::ruleset::whole::Whole;
use crate::types::{Problems, codes};
use steps::{StepKind, Steps};

/// Sizes that only a mistake exceeds. The format sets none (docs/spec/decisions.md#q15), so a warning is all there is.
const GENEROUS: usize = 64;
const GENEROUS_WORDS: usize = 24;

/// M02 to M13. M01 is a matter of gates, and M14 of the ruleset published before ([`crate::ruleset::against()`]).
pub fn check(whole: &Whole<'_>, found: &mut Problems) {
    let Some(migrations) = whole.root.get("sheet").and_then(|sheet| sheet.get("migrations")) else { return };
    let version = whole.root.get("sheet").and_then(|sheet| sheet.number_of("version"));
    versions(&migrations, version, found);
    too_many(&migrations, GENEROUS, "entries", found);
    for entry in migrations.items() {
        if let Some(steps) = entry.get("steps") {
            too_many(&steps, GENEROUS, "steps", found);
        }
    }
    let steps = Steps::of(&migrations);
    for (index, step) in steps.iter() {
        keys::check(step, found);
        match step.kind {
            StepKind::Rename => rename::check(whole, &steps, (index, step), found),
            StepKind::Route => route::check(whole, &steps, (index, step), found),
            StepKind::RouteLive => live::check(whole, &step.node, found),
            StepKind::SetColumn => columns::check(whole, &step.node, found),
        }
    }
}

/// M02 and M03. That no version is below 1 (docs/spec/decisions.md#q14) is a matter of shape.
fn versions(migrations: &Node<'_>, version: Option<f64>, found: &mut Problems) {
    let froms = || migrations.items().filter_map(|entry| entry.get("from"));
    for from in froms() {
        if let (Some(number), Some(version)) = (from.number(), version)
            && number >= version
        {
            let message =
                format!("an entry migrates sheets from a version below `sheet.version` ({version}), not from {number}");
            found.push(from.problem(codes::M02, message));
        }
    }
    // Adding zero makes one number of the two zeros.
    for (again, first) in repeats(froms().filter_map(|from| Some(((from.number()? + 0.0).to_bits(), from)))) {
        let from = again.number().unwrap_or_default();
        let message = format!("there is already an entry from version {from} ({})", first.at());
        found.push(again.problem(codes::M03, message));
    }
}

fn too_many(list: &Node<'_>, generous: usize, what: &str, found: &mut Problems) {
    let count = list.value().as_array().map_or(0, Vec::len);
    if count > generous {
        let message = format!("{count} {what} are more than a migration needs (at most {generous})");
        found.push(list.problem(codes::MIGRATION_SIZE, message));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    /// What the rules say about a sheet: the code and the place, below `/sheet/migrations`, of each finding.
    pub(super) fn told(sheet: &Value) -> Vec<String> {
        let ruleset = json!({"sheet": sheet});
        let mut found = Problems::default();
        check(&Whole::new(&ruleset, &[]), &mut found);
        let place =
            |problem: &crate::types::Problem| problem.pointer.as_deref().unwrap().replace("/sheet/migrations", "");
        found.iter().map(|problem| format!("{} {}", problem.code, place(problem))).collect()
    }

    /// The sheet that the steps in the format's description lead to.
    pub(super) fn sheet(migrations: Value) -> Value {
        let number = |id: &str| json!({"id": id, "type": "number", "min": 0, "max": 20, "default": 0});
        json!({
            "version": 4,
            "abilities": [{"id": "might"}],
            "skills": [{"id": "tinker"}],
            "saves": [{"id": "will"}],
            "fields": [
                number("experience"), number("level_fighter"), number("level_wizard"), number("level_other"),
                {"id": "class", "type": "text", "maxLength": 40},
                {"id": "rank", "type": "number", "min": 1, "max": 9, "default": 1},
                {"id": "oath", "type": "text", "maxLength": 5, "default": ""},
                {"id": "sworn", "type": "boolean"},
            ],
            "lists": [{"id": "attacks", "columns": [
                {"id": "name", "type": "text", "maxLength": 20},
                {"id": "ability", "type": "enum", "values": ["str", "dex", "finesse"]},
                {"id": "bonus", "type": "number", "min": 0, "max": 9},
                {"id": "worn", "type": "boolean"},
            ]}],
            "live": {
                "pools": [{"id": "hit_dice_d6"}, {"id": "hit_dice_d8"}, {"id": "hit_dice_d10"}, {"id": "hit_dice_d12"}],
                "tracks": [{"id": "heat"}, {"id": "cold"}, {"id": "harm", "kinds": []}, {"id": "grief", "kinds": []}],
            },
            "migrations": migrations,
        })
    }

    /// What is said about these steps from version 3, below the list of steps.
    pub(super) fn of_steps(steps: Value) -> Vec<String> {
        told(&sheet(json!([{"from": 3, "steps": steps}]))).iter().map(|found| found.replace("/0/steps", "")).collect()
    }

    #[test]
    fn the_steps_in_the_formats_description_are_right() {
        let steps = json!([
            {"rename": "field", "from": "xp", "to": "experience"},
            {"route": "level", "by": "class", "cases": [
                {"words": ["fighter"], "to": "level_fighter"},
                {"words": ["wizard"], "to": "level_wizard"},
            ], "else": "level_other", "default": 1},
            {"routeLive": "pool", "from": "hit_dice",
             "cases": ["hit_dice_d6", "hit_dice_d8", "hit_dice_d10", "hit_dice_d12"], "else": "hit_dice_d8"},
            {"setColumn": {"list": "attacks", "where": {"name": ["Dagger", "Rapier"], "ability": ["str", "dex"]},
             "column": "ability", "to": "finesse"}},
        ]);
        assert_eq!(of_steps(steps), [""; 0]);
    }

    #[test]
    fn m02_an_entry_is_from_a_version_below_the_sheets() {
        let from = |from: Value| told(&sheet(json!([{"from": from, "steps": []}])));
        assert_eq!(from(json!(3)), [""; 0]);
        assert_eq!(from(json!(1.0)), [""; 0]);
        assert_eq!(from(json!(4)), ["M02 /0/from"]);
        assert_eq!(from(json!(9)), ["M02 /0/from"]);
    }

    #[test]
    fn m03_no_two_entries_are_from_one_version_and_gaps_are_fine() {
        let entry = |from: Value| json!({"from": from, "steps": []});
        assert_eq!(told(&sheet(json!([entry(json!(3)), entry(json!(1))]))), [""; 0]);
        assert_eq!(told(&sheet(json!([entry(json!(1)), entry(json!(3)), entry(json!(1.0))]))), ["M03 /2/from"]);
    }

    #[test]
    fn sizes_beyond_reason_are_warned_about() {
        let entries = |count| json!((0..count).map(|_| json!({"steps": []})).collect::<Vec<_>>());
        assert_eq!(told(&sheet(entries(64))), [""; 0]);
        assert_eq!(told(&sheet(entries(65))), ["migration-size "]);
        let steps = |count| json!((0..count).map(|_| json!({})).collect::<Vec<_>>());
        assert_eq!(of_steps(steps(64)), [""; 0]);
        assert_eq!(of_steps(steps(65)), ["migration-size "]);
    }

    proptest! {
        #[test]
        fn no_shape_panics(picks in prop::collection::vec((0..9_usize, 0..8_usize), 0..8)) {
            let keys = ["rename", "route", "routeLive", "setColumn", "from", "to", "by", "else", "cases"];
            let values = [json!(null), json!(3), json!("field"), json!("pool"), json!("level_other"), json!([1, "a", {}]),
                json!({"list": "attacks", "where": {"name": [3], "x": 1}, "column": "name", "to": []}),
                json!([{"words": ["", 3], "to": 3}])];
            let mut step = json!({});
            picks.iter().for_each(|(key, value)| step[keys[*key]] = values[*value].clone());
            of_steps(json!([step, step]));
            of_steps(step.clone());
            told(&sheet(step));
        }
    }
}
