//! Items of catalogs, as far as they are neither attacks nor uses (docs/spec/checks.md#items).

use super::stats::{OrStat, Wanted};
use crate::json::excerpt;
use crate::ruleset::node::Node;
use crate::ruleset::rules::catalogs::entries;
use crate::ruleset::rules::cells::check_cell;
use crate::ruleset::rules::fights::Fight;
use crate::ruleset::rules::fights::clauses::{Words, says};
use crate::ruleset::rules::fights::effects::{Of, check_effect};
use crate::ruleset::rules::refs;
use crate::ruleset::whole::Whole;
use crate::types::{Problems, codes};

/// What a service is without, since nobody carries it away.
const NOT_A_SERVICE: [&str; 9] = ["slots", "stack", "binds", "worn", "carried", "requires", "attack", "use", "charges"];

pub fn check(ruleset: &Whole<'_>, found: &mut Problems) {
    let fight = Fight::of(ruleset);
    let words = Words { names: &ruleset.names, fight: &fight };
    let or_stat = OrStat::new(words);
    // Without `items` none of an item's words means anything; that is told of the catalog, once.
    if !ruleset.root.has("items") {
        return;
    }
    for (_, item) in entries::each(ruleset, "item") {
        check_names(ruleset, &item, found);
        check_stats(ruleset, &item, found);
        check_slots(ruleset, &item, found);
        check_binding(ruleset, &item, found);
        check_service(&item, found);
        check_charges(&item, found);
        check_full(&item, found);
        if let Some(charges) = item.get("charges") {
            or_stat.check(&charges, "max", Wanted::Number, found);
        }
        let worn = item.get("worn").into_iter().chain(item.get("carried"));
        worn.for_each(|effect| check_effect(words, Of::Item, &effect, found));
        for otherwise in item.list("requires").filter_map(|demand| demand.get("otherwise")) {
            check_effect(words, Of::Item, &otherwise, found);
            if let Some(abilities) = otherwise.get("abilities") {
                let message = "an item's requirement may be an ability, so failing it cannot change an ability";
                found.push(abilities.problem(codes::OTHERWISE_ABILITIES, message).at_key());
            }
        }
    }
}

fn check_names<'a>(ruleset: &Whole<'a>, item: &Node<'a>, found: &mut Problems) {
    let names = &ruleset.names;
    refs::one(&names.categories, item, "category", found);
    refs::one(&names.rarities, item, "rarity", found);
    refs::each(&names.tags, item, "tags", found);
    if let Some(cost) = item.get("cost") {
        refs::one(&names.units, &cost, "unit", found);
    }
    if let Some(sold) = item.get("sold") {
        refs::one(&names.places, &sold, "place", found);
    }
    if let Some(recharge) = item.get("charges").and_then(|charges| charges.get("recharge")) {
        refs::each(&names.rests, &recharge, "rests", found);
    }
}

fn check_stats<'a>(ruleset: &Whole<'a>, item: &Node<'a>, found: &mut Problems) {
    for (id, value) in refs::members(item, "stats") {
        if let Some(stat) = refs::key(&ruleset.names.stats, id, &value, found) {
            check_cell(stat, &value, found);
        }
    }
}

/// An item takes no more of a slot than anybody has.
fn check_slots<'a>(ruleset: &Whole<'a>, item: &Node<'a>, found: &mut Problems) {
    for (id, taken) in refs::members(item, "slots") {
        let Some(slot) = refs::key(&ruleset.names.slots, id, &taken, found) else { continue };
        if let Some((number, count)) = taken.number().zip(slot.number_of("count"))
            && number > count
        {
            let there = if count == 1.0 { "is" } else { "are" };
            let message = format!("it takes {number} of the slot `{}`, but there {there} only {count}", excerpt(id));
            found.push(taken.problem(codes::SLOT_COUNT, message));
        }
    }
}

fn check_binding(ruleset: &Whole<'_>, item: &Node<'_>, found: &mut Problems) {
    let has_binding = ruleset.root.get("items").is_some_and(|items| items.has("binding"));
    if let Some(binds) = item.get("binds").filter(|_| !has_binding) {
        let message = "the item binds to its bearer, but the ruleset has no binding";
        found.push(binds.problem(codes::NEEDS_BINDING, message));
    }
}

/// A service is paid for and gone.
fn check_service(item: &Node<'_>, found: &mut Problems) {
    let Some(service) = item.get("service").filter(|_| says(item, "service")) else { return };
    if !item.has("cost") {
        found.push(service.problem(codes::SERVICE, "a service must have a `cost`"));
    }
    for key in NOT_A_SERVICE {
        if let Some(thing) = item.get(key) {
            let message = format!("a service cannot be carried or used, so it cannot have `{key}`");
            found.push(thing.problem(codes::SERVICE, message));
        }
    }
}

/// Charges are for a use that spends them, and of one item, not of a heap of them. A service has none to begin with.
fn check_charges(item: &Node<'_>, found: &mut Problems) {
    if says(item, "service") {
        return;
    }
    let spent = item.get("use").and_then(|used| used.get("charges"));
    let Some(charges) = item.get("charges") else {
        return found.extend(spent.map(|spent| {
            let problem = spent.problem(codes::CHARGES, "a use spends charges, but the item has none");
            problem.hint("add `charges` to the item")
        }));
    };
    if item.get("use").is_none_or(|used| !used.has("charges")) {
        let message = "the item has charges, but no use of it spends any";
        found
            .push(charges.problem(codes::CHARGES, message).hint("set `use.charges` to the number that one use spends"));
    }
    if item.number_of("stack") != Some(1.0) {
        let message = match item.get("stack") {
            Some(stack) => format!("an item with charges cannot be stacked, but `stack` is {}", stack.value()),
            None => "an item with charges cannot be stacked, but `stack` is missing".to_owned(),
        };
        found.push(item.problem(codes::CHARGES, message).hint("write `\"stack\": 1`"));
    }
}

/// N107: what an item is full with is one charge at least.
fn check_full(item: &Node<'_>, found: &mut Problems) {
    let max = item.get("charges").and_then(|charges| charges.get("max"));
    let stat = max.and_then(|max| max.text_of("stat"));
    let own = stat.and_then(|stat| item.get("stats")?.get(stat));
    if let Some(own) = own
        && let Some(number) = own.number().filter(|number| *number < 1.0)
    {
        found.push(own.problem(codes::CHARGES, format!("the item has {number} charges, but needs at least 1")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::rules::told as findings;
    use serde_json::{Value, json};

    fn told_of(item: &Value) -> String {
        let ruleset = json!({
            "rests": [{"id": "camp"}],
            "sheet": {"abilities": [{"id": "brawn"}], "skills": [{"id": "sneak"}], "saves": [{"id": "will"}]},
            "items": {"categories": [{"id": "tool"}], "rarities": [{"id": "rare"}], "tags": [{"id": "old"}],
                      "stats": [{"id": "bulk", "type": "number", "min": 0, "max": 6}],
                      "slots": [{"id": "hand", "count": 2}], "currencies": [{"units": [{"id": "bead"}]}],
                      "market": {"places": [{"id": "town"}]}},
            "catalogs": [{"id": "c", "holds": "items", "entries": [{"item": item}]}]
        });
        findings(check, &ruleset).join(" ").replace("/catalogs/0/entries/0/item", "")
    }

    #[test]
    fn an_item_is_made_of_declared_words_and_goes_together() {
        for (item, told) in [
            (
                json!({"category": "tool", "rarity": "rare", "tags": ["old"], "stats": {"bulk": 6}, "slots": {"hand": 2}}),
                "",
            ),
            (json!({"cost": {"unit": "bead"}, "sold": {"place": "town"}}), ""),
            (json!({"category": "tol"}), "unknown-id /category"),
            (json!({"rarity": "x"}), "unknown-id /rarity"),
            (json!({"tags": ["x"]}), "unknown-id /tags/0"),
            (json!({"stats": {"x": 1}}), "unknown-id /stats/x"),
            (json!({"stats": {"bulk": 7}}), "cell-value /stats/bulk"),
            (json!({"slots": {"head": 1}}), "unknown-id /slots/head"),
            (json!({"slots": {"hand": 3}}), "slot-count /slots/hand"),
            (json!({"cost": {"unit": "x"}}), "unknown-id /cost/unit"),
            (json!({"sold": {"place": "x"}}), "unknown-id /sold/place"),
            (json!({"binds": {}}), "needs-binding /binds"),
            (json!({"service": true, "cost": {"unit": "bead"}}), ""),
            (json!({"service": true}), "service /service"),
            (json!({"service": true, "cost": {}, "stack": 1, "use": {}}), "service /stack service /use"),
            (json!({"service": true, "cost": {}, "charges": {"max": 3}}), "service /charges"),
            (json!({"charges": {"max": 3}, "use": {"charges": 1}, "stack": 1}), ""),
            (json!({"charges": {"max": 3}, "stack": 1}), "charges /charges"),
            (json!({"charges": {"max": 3}, "use": {"charges": 1}, "stack": 2}), "charges "),
            (
                json!({"charges": {"recharge": {"rests": ["nap"]}}, "use": {"charges": 1}, "stack": 1}),
                "unknown-id /charges/recharge/rests/0",
            ),
            (
                json!({"worn": {"abilities": {"brawn": {"add": 1}}, "modifiers": [{"to": "checks", "skills": ["sneak"]}]}}),
                "",
            ),
            (json!({"worn": {"abilities": {"brain": {"add": 1}}}}), "unknown-id /worn/abilities/brain"),
            (json!({"carried": {"modifiers": [{"saves": ["x"]}]}}), "unknown-id /carried/modifiers/0/saves/0"),
            (
                json!({"requires": [{"otherwise": {"failsSaves": ["x"]}}]}),
                "unknown-id /requires/0/otherwise/failsSaves/0",
            ),
            (json!({"worn": {"conditionImmunities": ["x"]}}), "unknown-id /worn/conditionImmunities/0"),
        ] {
            assert_eq!(told_of(&item), told, "{item}");
        }
    }
}
