//! The character sheet a creature may be written as (docs/spec/checks.md#creatures): held to the ruleset's own sheet.

use super::entry_ids::EntryIds;
use crate::json::excerpt;
use crate::ruleset::names::{Ids, Names};
use crate::ruleset::node::Node;
use crate::ruleset::rules::cells::{ORIGIN, check_cell, check_row};
use crate::ruleset::rules::refs::{self, members};
use crate::ruleset::whole::Whole;
use crate::types::{Problems, at_most, codes};

/// The range of bonuses to skills and saves where the ruleset gives none (docs/spec/checks.md#sheet).
const BONUS_RANGE: (f64, f64) = (-20.0, 40.0);

pub fn check_sheet<'a>(ruleset: &Whole<'a>, entry_ids: &EntryIds<'_>, sheet: &Node<'a>, found: &mut Problems) {
    let names = &ruleset.names;
    for (id, score) in members(sheet, "abilities") {
        if let Some(ability) = refs::key(&names.abilities, id, &score, found) {
            check_range(&score, id, ability.number_of("min"), ability.number_of("max"), found);
        }
    }
    check_tiers(ruleset, sheet, ("skills", &names.skills, "skillTiers"), found);
    check_tiers(ruleset, sheet, ("saves", &names.saves, "saveTiers"), found);
    let (least, most) = bonus_range(ruleset);
    for (id, bonus) in members(sheet, "bonuses") {
        let known = refs::of_key(found, |found| refs::any_of(&[&names.skills, &names.saves], id, &bonus, found));
        if known.is_some() {
            check_range(&bonus, id, Some(least), Some(most), found);
        }
    }
    for (id, value) in members(sheet, "fields") {
        if let Some(field) = refs::key(&names.fields, id, &value, found) {
            check_cell(field, &value, found);
        }
    }
    for (id, rows) in members(sheet, "lists") {
        if let Some(list) = refs::key(&names.lists, id, &rows, found) {
            check_rows(id, list, entry_ids, &rows, found);
        }
    }
}

fn check_range(value: &Node<'_>, id: &str, min: Option<f64>, max: Option<f64>, found: &mut Problems) {
    let Some(number) = value.number() else { return };
    let problem = match (min, max) {
        (Some(min), _) if number < min => format!("`{}` is {number}, below its minimum ({min})", excerpt(id)),
        (_, Some(max)) if number > max => format!("`{}` is {number}, above its maximum ({max})", excerpt(id)),
        _ => return,
    };
    found.push(value.problem(codes::OUT_OF_RANGE, problem));
}

fn bonus_range(ruleset: &Whole<'_>) -> (f64, f64) {
    let range = ruleset.root.get("sheet").and_then(|sheet| sheet.get("bonusRange"));
    let of = |key: &str, default: f64| range.as_ref().and_then(|range| range.number_of(key)).unwrap_or(default);
    (of("min", BONUS_RANGE.0), of("max", BONUS_RANGE.1))
}

/// Each skill or save is declared and at a tier it may have. Without a list of tiers it may have any.
fn check_tiers<'a>(
    ruleset: &Whole<'a>,
    sheet: &Node<'a>,
    (key, ids, allowed): (&str, &Ids<'a>, &str),
    found: &mut Problems,
) {
    let allowed_here = ruleset.root.get("sheet").and_then(|sheet| sheet.get(allowed));
    let allowed_here = allowed_here.filter(|tiers| tiers.value().is_array());
    for (id, tier) in members(sheet, key) {
        refs::key(ids, id, &tier, found);
        let is_known = ruleset.names.tiers.resolve(&tier, found).is_some();
        if let Some(all) = &allowed_here
            && is_known
            && all.items().all(|other| other.text() != tier.text())
        {
            let name = excerpt(tier.text().unwrap_or_default());
            found.push(
                tier.problem(codes::CREATURE_TIER, format!("`{name}` is not one of the tiers in `sheet.{allowed}`")),
            );
        }
    }
}

fn check_rows(id: &str, list: &Node<'_>, entry_ids: &EntryIds<'_>, rows: &Node<'_>, found: &mut Problems) {
    let count = rows.items().count() as f64;
    if let Some(most) = list.number_of("maxItems").filter(|most| count > *most) {
        let name = excerpt(list.text_of("id").unwrap_or_default());
        found.push(
            rows.problem(codes::OUT_OF_RANGE, format!("`{name}` has {count} rows, but {}", at_most(most as u64))),
        );
    }
    let columns = Names::columns(list);
    for row in rows.items() {
        check_row(&columns, &row, found);
        match row.get(ORIGIN) {
            Some(origin) if origin.text().is_some() => entry_ids.resolve_row(&origin, id, found),
            Some(origin) => {
                let message = format!("`{ORIGIN}` should name an entry as `<catalog>/<entry>`");
                found.push(origin.problem(codes::CELL_VALUE, message));
            }
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn told(sheet: &Value) -> String {
        let ruleset = json!({
            "resolution": {"proficiencyTiers": [{"id": "new"}, {"id": "old"}]},
            "sheet": {
                "abilities": [{"id": "brawn", "min": -1, "max": 3}], "skills": [{"id": "sway"}], "saves": [{"id": "will"}],
                "saveTiers": ["old"], "fields": [{"id": "size", "type": "number", "min": 0, "max": 6}],
                "lists": [{"id": "knacks", "maxItems": 2,
                           "columns": [{"id": "name", "type": "text", "maxLength": 9, "required": true}]}]
            },
            "catalogs": [{"id": "c", "feeds": ["knacks"], "entries": [{"id": "steady"}]}]
        });
        let whole = Whole::new(&ruleset, &[]);
        let mut found = Problems::default();
        check_sheet(&whole, &EntryIds::of(&whole), &Node::root(sheet, "catalogs/c.json"), &mut found);
        let told: Vec<_> = found.iter().map(|p| format!("{} {}", p.code, p.pointer.as_deref().unwrap())).collect();
        told.join(" ")
    }

    #[test]
    fn a_creatures_sheet_is_one_a_character_could_have() {
        for (sheet, expected) in [
            (json!({"abilities": {"brawn": 3}, "skills": {"sway": "new"}, "saves": {"will": "old"}}), ""),
            (json!({"bonuses": {"sway": 40, "will": -20}, "fields": {"size": 6}}), ""),
            (json!({"lists": {"knacks": [{"name": "x", "_catalog": "c/steady"}]}}), ""),
            (json!({"abilities": {"brawn": 4}}), "out-of-range /abilities/brawn"),
            (json!({"abilities": {"brains": 1}}), "unknown-id /abilities/brains"),
            (json!({"skills": {"sway": "master"}}), "unknown-id /skills/sway"),
            (json!({"skills": {"will": "new"}}), "unknown-id /skills/will"),
            (json!({"saves": {"will": "new"}}), "creature-tier /saves/will"),
            (json!({"bonuses": {"sway": 41}}), "out-of-range /bonuses/sway"),
            (json!({"bonuses": {"brawn": 1}}), "unknown-id /bonuses/brawn"),
            (json!({"fields": {"size": 7}}), "cell-value /fields/size"),
            (json!({"fields": {"sice": 7}}), "unknown-id /fields/sice"),
            (json!({"lists": {"gear": []}}), "unknown-id /lists/gear"),
            (json!({"lists": {"knacks": [{}]}}), "missing-cell /lists/knacks/0"),
            (json!({"lists": {"knacks": [{"name": "x"}, {"name": "y"}, {"name": "z"}]}}), "out-of-range /lists/knacks"),
            (
                json!({"lists": {"knacks": [{"name": "x", "_catalog": "c/stead"}]}}),
                "unknown-id /lists/knacks/0/_catalog",
            ),
            (json!({"lists": {"knacks": [{"name": "x", "_catalog": 3}]}}), "cell-value /lists/knacks/0/_catalog"),
        ] {
            assert_eq!(told(&sheet), expected, "{sheet}");
        }
    }
}
