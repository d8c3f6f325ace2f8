//! The market (docs/spec/checks.md#items). `unsold` and the `stock` of a seller are newer than the schema we know
//! (docs/spec/decisions.md#q26): their names are checked where it is plain what they name.

use super::loot::check_filter;
use crate::ruleset::names::list_at;
use crate::ruleset::node::Node;
use crate::ruleset::rules::fights::clauses::says;
use crate::ruleset::rules::refs;
use crate::ruleset::whole::Whole;
use crate::types::{Problems, codes};

pub fn check(ruleset: &Whole<'_>, found: &mut Problems) {
    let Some(market) = ruleset.root.get("items").and_then(|items| items.get("market")) else { return };
    let names = &ruleset.names;
    check_prices(&market, found);
    for sold in market.list("sold") {
        refs::one(&names.places, &sold, "place", found);
        if let Some(filter) = sold.get("filter") {
            check_filter(names, &filter, found);
        }
    }
    for seller in market.list("sellers") {
        refs::one(&names.places, &seller, "place", found);
        refs::one(&names.loot_tables, &seller, "stock", found);
    }
    let filters = list_at(&market, &["sellers"]).flat_map(|seller| seller.list("sells")).chain(market.list("unsold"));
    filters.for_each(|filter| check_filter(names, &filter, found));
}

/// One price level is the one asked for where nothing else is said.
fn check_prices(market: &Node<'_>, found: &mut Problems) {
    let Some(prices) = market.get("prices") else { return };
    let usual: Vec<_> = prices.items().filter(|price| says(price, "default")).collect();
    match usual.as_slice() {
        [_] => {}
        [] if prices.items().next().is_none() => {}
        [] => {
            let problem = prices.problem(codes::DEFAULT_PRICE, "no price level is the default");
            found.push(problem.hint("set `default` on one of them"));
        }
        [_, others @ ..] => {
            let others = others.iter().filter_map(|price| price.get("default"));
            found.extend(
                others.map(|price| price.problem(codes::DEFAULT_PRICE, "another price level is already the default")),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::rules::told as findings;
    use serde_json::{Value, json};

    fn told_of(keys: &Value) -> String {
        let mut market =
            json!({"prices": [{"id": "fair", "default": true}, {"id": "dear"}], "places": [{"id": "town"}]});
        for (key, value) in keys.as_object().unwrap() {
            market[key] = value.clone();
        }
        let items = json!({"categories": [{"id": "tool"}], "lootTables": [{"id": "shelf"}], "market": market});
        findings(check, &json!({"items": items})).join(" ").replace("/items/market", "")
    }

    #[test]
    fn a_market_has_one_usual_price_and_sells_what_there_is() {
        for (keys, told) in [
            (json!({}), ""),
            (json!({"prices": [{"id": "fair"}]}), "default-price /prices"),
            (json!({"prices": [{"default": true}, {"default": true}]}), "default-price /prices/1/default"),
            (json!({"sold": [{"filter": {"category": "tool"}, "place": "town"}]}), ""),
            (json!({"sold": [{"filter": {"category": "x"}}]}), "unknown-id /sold/0/filter/category"),
            (json!({"sold": [{"filter": {}, "place": "x"}]}), "unknown-id /sold/0/place"),
            (json!({"sellers": [{"sells": [{"category": "tool"}], "place": "town", "stock": "shelf"}]}), ""),
            (json!({"sellers": [{"stock": {"table": "not described"}}]}), ""),
            (json!({"sellers": [{"stock": "shelves"}]}), "unknown-id /sellers/0/stock"),
            (json!({"sellers": [{"sells": [{"tag": "x"}]}]}), "unknown-id /sellers/0/sells/0/tag"),
            (json!({"sellers": [{"place": "x"}]}), "unknown-id /sellers/0/place"),
            (json!({"unsold": [{"rarity": "x"}]}), "unknown-id /unsold/0/rarity"),
        ] {
            assert_eq!(told_of(&keys), told, "{keys}");
        }
    }
}
