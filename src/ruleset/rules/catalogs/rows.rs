//! The rows of entries, and the columns that follow the character (docs/spec/checks.md#catalogs).

use crate::json::excerpt;
use crate::ruleset::names::{Ids, Names};
use crate::ruleset::node::Node;
use crate::ruleset::rules::cells::{ORIGIN, check_row};
use crate::ruleset::rules::refs;
use crate::ruleset::whole::{Catalog, Whole};
use crate::types::{Problems, codes};
use std::collections::BTreeMap;

pub fn check(ruleset: &Whole<'_>, found: &mut Problems) {
    // Of the few lists there are, by id: entries put thousands of rows into them.
    let columns: BTreeMap<&str, Ids<'_>> =
        ruleset.names.lists.iter().map(|(id, list)| (id, Names::columns(list))).collect();
    for catalog in ruleset.catalogs.iter().filter(|catalog| catalog.holds() == "rows") {
        for entry in &catalog.entries {
            let rows: Vec<_> = entry.list("rows").collect();
            rows.iter().for_each(|row| check_one(ruleset, &columns, catalog, &rows, row, found));
        }
    }
}

fn check_one(
    ruleset: &Whole<'_>,
    columns: &BTreeMap<&str, Ids<'_>>,
    catalog: &Catalog<'_>,
    rows: &[Node<'_>],
    row: &Node<'_>,
    found: &mut Problems,
) {
    refs::one(&ruleset.names.lists, row, "list", found);
    let id = row.text_of("list").unwrap_or_default();
    let Some(columns) = columns.get(id) else { return };
    // A catalog that feeds no list at all is told of, once.
    if let Some((place, feeds)) =
        row.get("list").zip(catalog.header.get("feeds").filter(|feeds| feeds.value().is_array()))
        && feeds.items().all(|fed| fed.text() != Some(id))
    {
        let message = format!("the catalog does not feed the list `{}`", excerpt(id));
        found.push(place.problem(codes::ROW_LIST, message));
    }
    let values = row.get("values");
    if let Some(values) = &values {
        check_row(columns, values, found);
        if let Some(origin) = values.get(ORIGIN) {
            let message = format!("`{ORIGIN}` is not a column; the engine writes it when the entry is picked");
            found.push(origin.problem(codes::UNKNOWN_ID, message).at_key().hint("remove it"));
        }
    }
    let Some(scaled) = row.get("scaled") else { return };
    for (column, from) in scaled.members() {
        refs::of_key(found, |found| refs::typed_name(columns, column, &from, &["number"], found));
        if columns.has(column) && values.as_ref().is_some_and(|values| !values.has(column)) {
            let message = format!("`{}` is scaled, but has no value in `values`", excerpt(column));
            found.push(from.problem(codes::SCALED_COLUMN, message).hint("add the value before scaling"));
        }
    }
    if rows.iter().filter(|other| other.text_of("list") == Some(id)).count() > 1 {
        let message = format!("the entry has more than one row for the list `{}`, so none can be scaled", excerpt(id));
        found.push(scaled.problem(codes::SCALED_COLUMN, message));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::rules::told as findings;
    use serde_json::{Value, json};

    fn told_of(rows: Value) -> String {
        let lists = json!([{"id": "knacks", "columns": [{"id": "name", "type": "text", "maxLength": 20, "required": true},
                                                         {"id": "uses", "type": "number", "min": 0, "max": 9}]},
                           {"id": "gear", "columns": [{"id": "name", "type": "text", "maxLength": 20}]}]);
        let catalog = json!({"id": "c", "feeds": ["knacks"], "entries": [{"rows": rows}]});
        findings(check, &json!({"sheet": {"lists": lists}, "catalogs": [catalog]}))
            .join(" ")
            .replace("/catalogs/0/entries/0", "")
    }

    #[test]
    fn a_row_goes_to_a_list_its_catalog_feeds() {
        assert_eq!(told_of(json!([{"list": "knacks", "values": {"name": "x"}}])), "");
        assert_eq!(told_of(json!([{"list": "gear", "values": {"name": "x"}}])), "row-list /rows/0/list");
        assert_eq!(told_of(json!([{"list": "knack", "values": {"name": "x"}}])), "unknown-id /rows/0/list");
        assert_eq!(told_of(json!([{"list": "knacks", "values": {"uses": 3}}])), "missing-cell /rows/0/values");
        let origin = json!([{"list": "knacks", "values": {"name": "x", "_catalog": "c/x"}}]);
        assert_eq!(told_of(origin), "unknown-id /rows/0/values/_catalog");
    }

    #[test]
    fn a_scaled_column_is_a_number_with_a_value_in_the_only_row_for_its_list() {
        let row = |scaled: Value| json!({"list": "knacks", "values": {"name": "x", "uses": 1}, "scaled": scaled});
        assert_eq!(told_of(json!([row(json!({"uses": {}}))])), "");
        assert_eq!(told_of(json!([row(json!({"name": {}}))])), "wrong-reference-type /rows/0/scaled/name");
        let twice = json!([row(json!({"uses": {}})), {"list": "knacks", "values": {"name": "y"}}]);
        assert_eq!(told_of(twice), "scaled-column /rows/0/scaled");
        let bare = json!([{"list": "knacks", "values": {"name": "x"}, "scaled": {"uses": {}}}]);
        assert_eq!(told_of(bare), "scaled-column /rows/0/scaled/uses");
        assert_eq!(told_of(json!([row(json!({"used": {}}))])), "unknown-id /rows/0/scaled/used");
    }
}
