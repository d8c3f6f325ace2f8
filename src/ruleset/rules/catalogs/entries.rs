//! Entries of catalogs: what they hold, and what their filters say (docs/spec/checks.md#catalogs).

use crate::json::excerpt;
use crate::ruleset::names::{Ids, Names};
use crate::ruleset::node::Node;
use crate::ruleset::rules::refs;
use crate::ruleset::whole::{Catalog, Whole};
use crate::types::{Problems, codes};
use serde_json::Value;

/// What an entry may hold beside its names, by what its catalog holds.
pub const KINDS: [(&str, &str); 3] = [("rows", "rows"), ("creatures", "creature"), ("items", "item")];

pub fn check(ruleset: &Whole<'_>, found: &mut Problems) {
    for catalog in &ruleset.catalogs {
        let filters = Names::filters(&catalog.header);
        for entry in &catalog.entries {
            check_kind(catalog, entry, found);
            check_filters(&filters, entry, found);
        }
    }
}

/// What `key` holds of every entry that has it, with the entry.
pub fn each<'w, 'a>(ruleset: &'w Whole<'a>, key: &str) -> impl Iterator<Item = (&'w Node<'a>, Node<'a>)> {
    let entries = ruleset.catalogs.iter().flat_map(|catalog: &Catalog<'a>| &catalog.entries);
    entries.filter_map(move |entry| Some((entry, entry.get(key)?)))
}

fn check_kind(catalog: &Catalog<'_>, entry: &Node<'_>, found: &mut Problems) {
    let holds = catalog.holds();
    let fits = |kind: &str| KINDS.contains(&(holds, kind));
    if !KINDS.iter().any(|(name, _)| *name == holds) {
        return;
    }
    for (_, kind) in KINDS.iter().filter(|(_, kind)| !fits(kind)) {
        if let Some(other) = entry.get(kind) {
            let message = format!("`{kind}` is not allowed in a catalog of {holds}");
            found.push(other.problem(codes::ENTRY_KIND, message));
        }
    }
    if let Some(mechanics) = entry.get("mechanics").filter(|_| holds != "rows") {
        let message = format!("`mechanics` is only allowed on rows, but this catalog contains {holds}");
        found.push(mechanics.problem(codes::ENTRY_KIND, message));
    }
}

fn check_filters(filters: &Ids<'_>, entry: &Node<'_>, found: &mut Problems) {
    for (id, value) in refs::members(entry, "filters") {
        let Some(kind) = refs::key(filters, id, &value, found).and_then(|filter| filter.text_of("type")) else {
            continue;
        };
        let (fits, wanted) = match (kind, value.value()) {
            // What no filter can hold is the shape's.
            (_, Value::Null | Value::Bool(_) | Value::Object(_)) => continue,
            ("number", value) => (value.is_number(), "a number"),
            ("text", value) => (value.is_string(), "text"),
            ("tags", value) => (value.is_array(), "a list of texts"),
            _ => continue,
        };
        if !fits {
            let message = format!("the filter `{}` is of type {kind}: expected {wanted}", excerpt(id));
            found.push(value.problem(codes::FILTER_VALUE, message));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::rules::told as findings;
    use serde_json::json;

    #[test]
    fn an_entry_holds_what_its_catalog_holds() {
        for (holds, entry, code) in [
            ("rows", json!({"rows": [], "mechanics": {}}), ""),
            ("rows", json!({"item": {}}), "entry-kind /catalogs/0/entries/0/item"),
            ("items", json!({"item": {}}), ""),
            ("items", json!({"rows": []}), "entry-kind /catalogs/0/entries/0/rows"),
            ("creatures", json!({"creature": {}, "mechanics": {}}), "entry-kind /catalogs/0/entries/0/mechanics"),
            ("anything", json!({"rows": []}), ""),
        ] {
            let ruleset = json!({"catalogs": [{"id": "c", "holds": holds, "entries": [entry]}]});
            assert_eq!(findings(check, &ruleset).join(" "), code, "{holds} {entry}");
        }
    }

    #[test]
    fn a_filter_is_declared_and_holds_what_its_type_says() {
        for (filters, code) in [
            (json!({"cost": 1, "road": "Ash", "callings": ["Scout"]}), ""),
            (json!({"cost": "1"}), "filter-value /catalogs/0/entries/0/filters/cost"),
            (json!({"road": 1}), "filter-value /catalogs/0/entries/0/filters/road"),
            (json!({"callings": "Scout"}), "filter-value /catalogs/0/entries/0/filters/callings"),
            (json!({"tier": 1}), "unknown-id /catalogs/0/entries/0/filters/tier"),
            (json!({"cost": null}), ""),
        ] {
            let declared = json!([{"id": "cost", "type": "number"}, {"id": "road", "type": "text"},
                                  {"id": "callings", "type": "tags"}]);
            let entry = json!({"rows": [], "filters": filters});
            let ruleset = json!({"catalogs": [{"id": "c", "filters": declared, "entries": [entry]}]});
            assert_eq!(findings(check, &ruleset).join(" "), code, "{filters}");
        }
    }
}
