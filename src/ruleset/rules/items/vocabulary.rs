//! The vocabulary of items (docs/spec/checks.md#items): what is carried, paid with, and how far a rarity goes.

use crate::json::{excerpt, whole_number};
use crate::ruleset::node::Node;
use crate::ruleset::rules::refs;
use crate::ruleset::rules::repeats::{repeated_texts, repeats};
use crate::ruleset::whole::Whole;
use crate::types::{Problems, codes};

pub fn check(ruleset: &Whole<'_>, found: &mut Problems) {
    let Some(items) = ruleset.root.get("items") else { return };
    check_carry(ruleset, &items, found);
    for family in items.list("currencies") {
        check_coins(&family, found);
        if let Some(weight) = family.get("perWeight").filter(|_| !items.has("carry")) {
            let message = "`perWeight` gives the weight of coins, but nothing has weight without `carry`";
            found.push(weight.problem(codes::PER_WEIGHT, message));
        }
    }
    check_caps(ruleset, &items, found);
}

/// What is carried is added up, so it is a number and never less than nothing.
fn check_carry<'a>(ruleset: &Whole<'a>, items: &Node<'a>, found: &mut Problems) {
    let Some(carry) = items.get("carry") else { return };
    let Some(stat) = refs::typed(&ruleset.names.stats, &carry, "stat", &["number"], found) else { return };
    if let Some((place, min)) = carry.get("stat").zip(stat.number_of("min"))
        && min < 0.0
    {
        let id = excerpt(place.text().unwrap_or_default()).into_owned();
        let message = format!("`{id}` goes down to {min}, but a weight cannot be negative");
        found.push(place.problem(codes::CARRY_STAT, message));
    }
}

/// Of one family each coin has a value of its own, and the smallest is worth 1.
fn check_coins(family: &Node<'_>, found: &mut Problems) {
    let worth = |value: &Node<'_>| whole_number(value.value());
    let values: Vec<_> = family.list("units").filter_map(|unit| unit.get("value")).collect();
    for (again, first) in repeats(values.iter().filter_map(|value| Some((worth(value)?, value.clone())))) {
        let message = format!("another coin of the family is also worth {}, at {}", again.value(), first.at());
        found.push(again.problem(codes::COIN_VALUES, message));
    }
    if let Some(units) = family.get("units").filter(|_| !values.is_empty())
        && values.iter().all(|value| worth(value) != Some(1))
    {
        let message = "no coin of the family is worth 1, so some prices cannot be paid";
        found.push(units.problem(codes::COIN_VALUES, message));
    }
}

/// A rarity is capped once, and within what a stat can be at all.
fn check_caps<'a>(ruleset: &Whole<'a>, items: &Node<'a>, found: &mut Problems) {
    let rarities = items.list("rarityCaps").filter_map(|cap| cap.get("rarity"));
    for (again, first) in repeated_texts(rarities) {
        let id = excerpt(again.text().unwrap_or_default());
        found.push(again.problem(codes::RARITY_CAPS, format!("`{id}` is already capped, at {}", first.at())));
    }
    for cap in items.list("rarityCaps") {
        refs::one(&ruleset.names.rarities, &cap, "rarity", found);
        for (id, limit) in refs::members(&cap, "stats") {
            let stat =
                refs::of_key(found, |found| refs::typed_name(&ruleset.names.stats, id, &limit, &["number"], found));
            let Some(stat) = stat else { continue };
            let range = stat.number_of("min").zip(stat.number_of("max"));
            let Some((number, (min, max))) = limit.number().zip(range) else { continue };
            if !(min..=max).contains(&number) {
                let message = format!("`{}` is capped at {number}, but ranges from {min} to {max}", excerpt(id));
                found.push(limit.problem(codes::RARITY_CAPS, message));
            } else if number.fract() != 0.0 && stat.get("integer").and_then(|integer| integer.flag()) != Some(false) {
                let message = format!("`{}` is capped at {number}, but it is a whole number", excerpt(id));
                found.push(
                    limit
                        .problem(codes::RARITY_CAPS, message)
                        .hint("set `integer` of the stat to false, or use a whole number"),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::rules::told as findings;
    use serde_json::{Value, json};

    fn told_of(keys: &Value) -> String {
        let mut items = json!({
            "rarities": [{"id": "rare"}],
            "stats": [{"id": "bulk", "type": "number", "min": 0, "max": 6}, {"id": "luck", "type": "number", "min": -1, "max": 1},
                      {"id": "note", "type": "text"}]
        });
        for (key, value) in keys.as_object().unwrap() {
            items[key] = value.clone();
        }
        findings(check, &json!({"items": items})).join(" ").replace("/items", "")
    }

    #[test]
    fn weights_coins_and_caps_are_within_reason() {
        for (keys, told) in [
            (
                json!({"carry": {"stat": "bulk"}, "currencies": [{"perWeight": 50, "units": [{"id": "bead", "value": 1}]}]}),
                "",
            ),
            (json!({"carry": {"stat": "bulky"}}), "unknown-id /carry/stat"),
            (json!({"carry": {"stat": "note"}}), "wrong-reference-type /carry/stat"),
            (json!({"carry": {"stat": "luck"}}), "carry-stat /carry/stat"),
            (json!({"currencies": [{"perWeight": 50, "units": []}]}), "per-weight /currencies/0/perWeight"),
            (
                json!({"currencies": [{"units": [{"id": "a", "value": 1}, {"id": "b", "value": 1.0}]}]}),
                "coin-values /currencies/0/units/1/value",
            ),
            (json!({"currencies": [{"units": [{"id": "a", "value": 2}]}]}), "coin-values /currencies/0/units"),
            (json!({"rarityCaps": [{"rarity": "rare", "stats": {"bulk": 6}}]}), ""),
            (json!({"rarityCaps": [{"rarity": "rare"}, {"rarity": "rare"}]}), "rarity-caps /rarityCaps/1/rarity"),
            (json!({"rarityCaps": [{"rarity": "common"}]}), "unknown-id /rarityCaps/0/rarity"),
            (json!({"rarityCaps": [{"rarity": "rare", "stats": {"bulk": 7}}]}), "rarity-caps /rarityCaps/0/stats/bulk"),
            (
                json!({"rarityCaps": [{"rarity": "rare", "stats": {"note": 1}}]}),
                "wrong-reference-type /rarityCaps/0/stats/note",
            ),
        ] {
            assert_eq!(told_of(&keys), told, "{keys}");
        }
    }
}
