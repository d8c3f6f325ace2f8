use super::{items_mut, list_mut, texts};
use crate::json::whole_number;
use serde_json::{Number, Value};

/// A coin of a family: its id and its worth in the smallest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coin {
    pub id: String,
    pub worth: u64,
}

/// The same worth in the largest of these coins that pays it exactly (LR6), as an amount and that coin. `coins` are
/// those left of the family; one is always worth 1 there, so there is always one that does.
///
/// Whole numbers only: a worth is at most 10⁹ coins of 10⁶.
pub fn restated(worth: u64, coins: &[Coin]) -> Option<(u64, &Coin)> {
    let pays = |coin: &&Coin| coin.worth > 0 && worth.is_multiple_of(coin.worth);
    let largest = coins.iter().filter(pays).max_by_key(|coin| coin.worth)?;
    Some((worth / largest.worth, largest))
}

/// Takes coins and whole families out, and says every price that was in one of them in another, or in none where the
/// family is gone.
pub fn take_out(ruleset: &mut Value, currencies: &Value) {
    let units: Vec<&str> = texts(&currencies["removeUnits"]).collect();
    let families: Vec<&str> = texts(&currencies["removeFamilies"]).collect();
    if units.is_empty() && families.is_empty() {
        return;
    }
    let mut changes = Vec::new();
    for family in items_mut(ruleset, "/items/currencies") {
        let is_gone = family["id"].as_str().is_some_and(|id| families.contains(&id));
        let (gone, left): (Vec<Coin>, Vec<Coin>) =
            coins(family).partition(|coin| is_gone || units.contains(&coin.id.as_str()));
        if let Some(coins) = list_mut(family, "/units") {
            coins.retain(|coin| left.iter().any(|kept| coin["id"] == kept.id.as_str()));
        }
        changes.push((gone, if is_gone { Vec::new() } else { left }));
    }
    if let Some(kept) = list_mut(ruleset, "/items/currencies") {
        kept.retain(|family| !family["id"].as_str().is_some_and(|id| families.contains(&id)));
    }
    for entry in items_mut(ruleset, "/catalogs").flat_map(|catalog| items_mut(catalog, "/entries")) {
        if let Some(item) = entry.get_mut("item").and_then(Value::as_object_mut) {
            restate(item, &changes);
        }
    }
}

/// Says one item's price anew if it is in a coin that is gone.
fn restate(item: &mut serde_json::Map<String, Value>, changes: &[(Vec<Coin>, Vec<Coin>)]) {
    let Some(cost) = item.get_mut("cost") else { return };
    let (Some(unit), Some(amount)) = (cost["unit"].as_str(), whole_number(&cost["amount"])) else { return };
    let family = changes.iter().find_map(|(gone, left)| Some((gone.iter().find(|coin| coin.id == unit)?, left)));
    let Some((coin, left)) = family else { return };
    match amount.checked_mul(coin.worth).and_then(|worth| restated(worth, left)) {
        Some((amount, coin)) => {
            cost["amount"] = Number::from(amount).into();
            cost["unit"] = coin.id.as_str().into();
        }
        None => drop(item.remove("cost")),
    }
}

fn coins(family: &Value) -> impl Iterator<Item = Coin> {
    let units = family["units"].as_array().into_iter().flatten();
    units.filter_map(|unit| Some(Coin { id: unit["id"].as_str()?.to_owned(), worth: whole_number(&unit["value"])? }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn coin(id: &str, worth: u64) -> Coin {
        Coin { id: id.to_owned(), worth }
    }

    /// The engine's own example: a watch pistol at 3 crowns costs 15 shillings without the crown.
    #[test]
    fn a_price_is_said_in_the_largest_coin_left_that_pays_it_exactly() {
        let left = [coin("penny", 1), coin("shilling", 12)];
        assert_eq!(restated(3 * 60, &left), Some((15, &left[1])));
        assert_eq!(restated(61, &left), Some((61, &left[0])));
        assert_eq!(restated(0, &left), Some((0, &left[1])));
        assert_eq!(restated(5, &[]), None);
    }

    #[test]
    fn a_price_in_a_family_that_is_gone_is_no_price() {
        let mut ruleset = json!({
            "items": {"currencies": [
                {"id": "beads", "units": [{"id": "bead", "value": 1}]},
                {"id": "marks", "units": [{"id": "mark", "value": 1}]}]},
            "catalogs": [{"entries": [{"item": {"cost": {"amount": 3, "unit": "bead"}}}, {"item": {"cost": {"amount": 2, "unit": "mark"}}}]}]});
        take_out(&mut ruleset, &json!({"removeFamilies": ["beads"]}));
        assert_eq!(
            ruleset["catalogs"][0]["entries"],
            json!([{"item": {}}, {"item": {"cost": {"amount": 2, "unit": "mark"}}}])
        );
        assert_eq!(ruleset["items"]["currencies"].as_array().unwrap().len(), 1);
    }

    proptest! {
        #[test]
        fn a_price_restated_is_worth_exactly_the_same(
            worths in prop::collection::btree_set(2_u64..=1_000_000, 0..9),
            amount in 0_u64..=1_000_000_000,
            worth in 1_u64..=1_000_000,
        ) {
            let coins: Vec<Coin> = std::iter::once(1).chain(worths).map(|worth| coin("x", worth)).collect();
            let (restated, unit) = restated(amount * worth, &coins).unwrap();
            prop_assert_eq!(restated * unit.worth, amount * worth);
            prop_assert!(coins.iter().all(|coin| coin.worth <= unit.worth || !(amount * worth).is_multiple_of(coin.worth)));
        }
    }
}
