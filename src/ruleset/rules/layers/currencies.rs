use crate::json::excerpt;
use crate::ruleset::node::Node;
use crate::ruleset::whole::Whole;
use crate::types::{Problems, codes};
use std::collections::BTreeMap;

/// L19 and L20: coins that a layer takes out.
pub(super) fn check(whole: &Whole<'_>, layer: &Node<'_>, found: &mut Problems) {
    let Some(currencies) = layer.get("currencies") else { return };
    let families: Vec<&str> = currencies
        .list("removeFamilies")
        .filter_map(|family| {
            whole.names.families.resolve_as(codes::L19, &family, found);
            family.text()
        })
        .collect();
    let smallest = smallest_coins(whole);
    for coin in currencies.list("removeUnits") {
        whole.names.units.resolve_as(codes::L19, &coin, found);
        let Some((id, family)) = coin.text().and_then(|id| Some((id, *smallest.get(id)?))) else { continue };
        if !families.contains(&family) {
            let (id, family) = (excerpt(id), excerpt(family));
            let message =
                format!("`{id}` is the smallest coin of `{family}`, which could no longer give change without it");
            let hint = format!("remove the whole family (`removeFamilies`: `{family}`), or keep `{id}`");
            found.push(coin.problem(codes::L20, message).hint(hint));
        }
    }
}

/// The coins that are worth 1, each with its family.
fn smallest_coins<'a>(whole: &Whole<'a>) -> BTreeMap<&'a str, &'a str> {
    let families = whole.names.families.iter();
    let coins = families.flat_map(|(family, node)| node.list("units").map(move |unit| (family, unit)));
    let smallest = coins.filter(|(_, unit)| unit.number_of("value") == Some(1.0));
    smallest.filter_map(|(family, unit)| Some((unit.text_of("id")?, family))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::told;
    use serde_json::{Value, json};

    fn without(currencies: Value) -> Vec<String> {
        told(&json!({
            "items": {"currencies": [
                {"id": "coins", "units": [{"id": "crown", "value": 20}, {"id": "penny", "value": 1}]},
                {"id": "beads", "units": [{"id": "bead", "value": 1.0}]},
            ]},
            "layers": [{"id": "a", "currencies": currencies}],
        }))
    }

    #[test]
    fn a_smallest_coin_goes_with_its_own_family_only() {
        for right in [
            json!({"removeUnits": ["crown", "crown"]}),
            json!({"removeFamilies": ["beads"]}),
            json!({"removeUnits": ["bead", "crown"], "removeFamilies": ["beads"]}),
        ] {
            assert_eq!(without(right.clone()), [""; 0], "{right}");
        }
        assert_eq!(without(json!({"removeUnits": ["bead"]})), ["L20 /layers/0/currencies/removeUnits/0"]);
        let of_another = json!({"removeUnits": ["penny"], "removeFamilies": ["beads"]});
        assert_eq!(without(of_another), ["L20 /layers/0/currencies/removeUnits/0"]);
    }

    #[test]
    fn l19_a_removed_coin_or_family_is_one_the_ruleset_has() {
        let wrong = json!({"removeUnits": ["crowns", "coins"], "removeFamilies": ["coins", "crown"]});
        let place = |place: &str| format!("L19 /layers/0/currencies/{place}");
        assert_eq!(without(wrong), [place("removeFamilies/1"), place("removeUnits/0"), place("removeUnits/1")]);
    }
}
