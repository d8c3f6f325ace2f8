use crate::json::excerpt;
use crate::ruleset::names::Names;
use crate::ruleset::node::Node;
use crate::ruleset::whole::{Catalog, Whole};
use crate::types::{Problems, codes, did_you_mean};
use std::collections::BTreeSet;

const COMPARISONS: [&str; 4] = ["above", "below", "equals", "notIn"];

/// L15 to L18: entries that a layer hides from the picker. Several rules may hide from one catalog.
pub(super) fn check(whole: &Whole<'_>, layer: &Node<'_>, found: &mut Problems) {
    for rule in layer.list("catalogs") {
        let hide = rule.get("hide").filter(|hide| hide.value().is_object());
        let comparison = hide.as_ref().and_then(|hide| comparison(hide, found));
        let Some(catalog) = rule.get("id").and_then(|id| whole.names.catalogs.resolve_as(codes::L15, &id, found))
        else {
            continue;
        };
        let Some(named) = hide.as_ref().and_then(|hide| hide.get("filter")) else { continue };
        let filters = Names::filters(catalog);
        let Some(filter) = filters.resolve_as(codes::L16, &named, found) else { continue };
        if let Some((comparison, kind)) = comparison.zip(filter.text_of("type")) {
            let filter = named.text().unwrap_or_default();
            if fitting(&comparison, kind, &excerpt(filter), found) {
                check_words(whole, &rule, filter, &comparison.1, found);
            }
        }
    }
}

/// The words that a rule compares with are words that some entry has, where any has one. A warning: it hides nothing,
/// or all the more.
fn check_words(whole: &Whole<'_>, rule: &Node<'_>, filter: &str, compared: &Node<'_>, found: &mut Problems) {
    let of_id = |catalog: &&Catalog<'_>| catalog.header.text_of("id") == rule.text_of("id");
    let Some(catalog) = whole.catalogs.iter().find(of_id).filter(|catalog| catalog.is_read()) else { return };
    let of_entries = catalog.entries.iter().filter_map(|entry| entry.get("filters")?.get(filter));
    let words: BTreeSet<&str> =
        of_entries.flat_map(|set| set.items().chain([set])).filter_map(|it| it.text()).collect();
    for word in compared.items().chain([compared.clone()]).filter(|_| !words.is_empty()) {
        if let Some(text) = word.text().filter(|text| !words.contains(text)) {
            let message = format!("no entry of the catalog has the {} `{}`", excerpt(filter), excerpt(text));
            let likely = found.suggest(text, words.iter().copied());
            let problem = word.problem(codes::HIDES_NOBODY, message);
            found.push(problem.hint_if(did_you_mean(&likely)));
        }
    }
}

/// L17: the one comparison of a rule.
fn comparison<'a>(hide: &Node<'a>, found: &mut Problems) -> Option<(&'static str, Node<'a>)> {
    let mut given: Vec<_> = COMPARISONS.into_iter().filter_map(|key| Some((key, hide.get(key)?))).collect();
    if let [_] = given[..] {
        return given.pop();
    }
    let names: Vec<_> = given.iter().map(|(key, _)| *key).collect();
    let given = match names[..] {
        [] => "there is none".to_owned(),
        _ => format!("there are `{}`", names.join("` and `")),
    };
    found
        .push(hide.problem(codes::L17, format!("expected one of `above`, `below`, `equals` and `notIn`, but {given}")));
    None
}

/// L18: a number is compared by size, a text or tags by what it is.
fn fitting((key, node): &(&'static str, Node<'_>), kind: &str, filter: &str, found: &mut Problems) -> bool {
    let wanted = match kind {
        "number" => ["above", "below"],
        "text" | "tags" => ["equals", "notIn"],
        _ => return false,
    };
    if !wanted.contains(key) {
        let [a, b] = wanted;
        let message = format!("`{filter}` is a {kind} filter: it is compared by `{a}` or `{b}`, not by `{key}`");
        found.push(node.problem(codes::L18, message));
    }
    wanted.contains(key)
}

#[cfg(test)]
mod tests {
    use super::super::tests::told;
    use serde_json::{Value, json};

    fn hidden(rules: Value) -> Vec<String> {
        let filters =
            json!([{"id": "grit", "type": "number"}, {"id": "road", "type": "text"}, {"id": "for", "type": "tags"}]);
        told(&json!({
            "catalogs": [{"id": "knacks", "filters": filters}, {"id": "beasts"}],
            "layers": [{"id": "a", "catalogs": rules}],
        }))
    }

    #[test]
    fn a_layer_hides_entries_by_a_filter_of_their_catalog() {
        let rules = json!([
            {"id": "knacks", "hide": {"filter": "grit", "above": 0}},
            {"id": "knacks", "hide": {"filter": "grit", "below": 9}},
            {"id": "knacks", "hide": {"filter": "road", "equals": "x"}},
            {"id": "knacks", "hide": {"filter": "for", "notIn": ["x"]}},
        ]);
        assert_eq!(hidden(rules), [""; 0]);
    }

    #[test]
    fn a_word_that_no_entry_has_is_told() {
        let filters = json!([{"id": "road", "type": "text"}, {"id": "for", "type": "tags"}]);
        let entries =
            json!([{"id": "a", "filters": {"road": "Ash Flats"}}, {"id": "b", "filters": {"for": ["Scout", "Cook"]}}]);
        let of = |hide: Value| {
            told(&json!({
                "catalogs": [{"id": "knacks", "filters": filters, "entries": entries}],
                "layers": [{"id": "a", "catalogs": [{"id": "knacks", "hide": hide}]}],
            }))
        };
        let at = |place: &str| [format!("hides-nobody /layers/0/catalogs/0/hide/{place}")];
        assert_eq!(of(json!({"filter": "road", "equals": "Ash Flats"})), [""; 0]);
        assert_eq!(of(json!({"filter": "road", "equals": "Scout"})), at("equals"));
        assert_eq!(of(json!({"filter": "for", "notIn": ["Cook", "Scout"]})), [""; 0]);
        assert_eq!(of(json!({"filter": "for", "notIn": ["Cook", "Skout"]})), at("notIn/1"));
    }

    #[test]
    fn each_fault_is_told_once_where_it_stands() {
        for (rule, wanted) in [
            (json!({"id": "knack", "hide": {"filter": "grit", "above": 0}}), "L15 /id"),
            (json!({"id": "beasts", "hide": {"filter": "grit", "above": 0}}), "L16 /hide/filter"),
            (json!({"id": "knacks", "hide": {"filter": "grit"}}), "L17 /hide"),
            (json!({"id": "knacks", "hide": {"filter": "grit", "above": 0, "below": 3}}), "L17 /hide"),
            (json!({"id": "knacks", "hide": {"filter": "grit", "equals": "0"}}), "L18 /hide/equals"),
            (json!({"id": "knacks", "hide": {"filter": "road", "above": 0}}), "L18 /hide/above"),
            (json!({"id": "knacks", "hide": {"filter": "for", "below": 0}}), "L18 /hide/below"),
        ] {
            let (code, place) = wanted.split_once(' ').unwrap();
            assert_eq!(hidden(json!([rule])), [format!("{code} /layers/0/catalogs/0{place}")], "{rule}");
        }
    }
}
