//! Layers: variants of a ruleset that only narrow what it has, or add text (docs/spec/checks.md#layers).
//!
//! Bounds that need nothing but the value itself (L01, most of L03 to L08) are the shape's to check.

mod catalogs;
mod currencies;
mod fields;
mod items;
mod ladder;

use super::repeats::repeated_texts;
use crate::json::excerpt;
use crate::ruleset::node::Node;
use crate::ruleset::whole::Whole;
use crate::types::{Problems, codes};

/// The UTF-16 units that both texts of a layer's guidance may have together (L05), and each of them by its shape.
const GUIDANCE: usize = 4000;

/// L03 to L25. What a layer may say at all (L02, L21) is a matter of its shape.
pub fn check(whole: &Whole<'_>, found: &mut Problems) {
    let ids = whole.root.list("layers").filter_map(|layer| layer.get("id"));
    for (again, first) in repeated_texts(ids) {
        let id = excerpt(again.text().unwrap_or_default());
        found.push(again.problem(codes::L03, format!("`{id}` is already the id of another layer ({})", first.at())));
    }
    let compared = fields::compared(whole);
    for layer in whole.root.list("layers") {
        conflicts(whole, &layer, found);
        guidance(&layer, found);
        fields::check(whole, &compared, &layer, found);
        ladder::check(whole, &layer, found);
        catalogs::check(whole, &layer, found);
        currencies::check(whole, &layer, found);
        items::check(whole, &layer, found);
    }
}

/// L04. One side of a pair is enough; both are fine too.
fn conflicts(whole: &Whole<'_>, layer: &Node<'_>, found: &mut Problems) {
    for named in layer.list("conflicts") {
        if named.text().is_some() && named.text() == layer.text_of("id") {
            found.push(named.problem(codes::L04, "a layer cannot conflict with itself"));
        } else {
            whole.names.layers.resolve_as(codes::L04, &named, found);
        }
    }
}

/// L05. A text that is too long alone is refused by its shape.
fn guidance(layer: &Node<'_>, found: &mut Problems) {
    let Some(gm) = layer.get("gm") else { return };
    let lengths =
        ["guidance", "worldGuidance"].map(|key| gm.text_of(key).map_or(0, |text| text.encode_utf16().count()));
    let sum: usize = lengths.iter().sum();
    if sum > GUIDANCE && lengths.iter().all(|length| *length <= GUIDANCE) {
        let [guidance, world] = lengths;
        let message = format!(
            "`guidance` ({guidance}) and `worldGuidance` ({world}) have {sum} characters together, more than {GUIDANCE}"
        );
        found.push(gm.problem(codes::L05, message));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    /// What the rules say about a ruleset: the code and the place of each finding.
    pub(super) fn told(ruleset: &Value) -> Vec<String> {
        let mut found = Problems::default();
        check(&Whole::new(ruleset, &[]), &mut found);
        found.iter().map(|problem| format!("{} {}", problem.code, problem.pointer.as_deref().unwrap())).collect()
    }

    #[test]
    fn l03_no_two_layers_have_one_id() {
        assert_eq!(told(&json!({"layers": [{"id": "a"}, {"id": "b"}, {"id": "a"}]})), ["L03 /layers/2/id"]);
    }

    #[test]
    fn l04_a_conflict_names_another_layer_and_one_side_is_enough() {
        let of = |conflicts: Value| told(&json!({"layers": [{"id": "a", "conflicts": conflicts}, {"id": "b"}]}));
        assert_eq!(of(json!(["b"])), [""; 0]);
        assert_eq!(of(json!(["a"])), ["L04 /layers/0/conflicts/0"]);
        assert_eq!(of(json!(["b", "c", 3])), ["L04 /layers/0/conflicts/1"]);
    }

    #[test]
    fn l05_both_texts_together_have_at_most_4000_utf16_units() {
        let of = |guidance: &str, world: usize| {
            told(&json!({"layers": [{"gm": {"guidance": guidance, "worldGuidance": "x".repeat(world)}}]}))
        };
        assert_eq!(of(&"x".repeat(2000), 2000), [""; 0]);
        assert_eq!(of(&"x".repeat(2000), 2001), ["L05 /layers/0/gm"]);
        assert_eq!(of(&"😀".repeat(1000), 2000), [""; 0]);
        assert_eq!(of(&"😀".repeat(1000), 2001), ["L05 /layers/0/gm"]);
        assert_eq!(of(&"x".repeat(4001), 1), [""; 0], "its shape is wrong already");
    }

    const KEYS: [&str; 9] =
        ["label", "summary", "conflicts", "gm", "fields", "difficultyLadder", "catalogs", "currencies", "items"];

    proptest! {
        #[test]
        fn no_shape_panics(picks in prop::collection::vec((0..8_usize, 0..KEYS.len()), 0..6)) {
            let values = [json!(null), json!(3), json!("a"), json!([]), json!({}), json!([{"id": 3}]),
                json!({"market": {"removeSellers": [1]}, "lootTables": [3, {}]}), json!([[{"id": "a", "hide": []}]])];
            let mut layer = json!({"id": "a"});
            picks.iter().for_each(|(value, key)| layer[KEYS[*key]] = values[*value].clone());
            for ruleset in [json!({"layers": [layer]}), json!({"layers": layer}), layer] {
                told(&ruleset);
            }
        }
    }
}
