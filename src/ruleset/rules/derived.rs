use super::super::node::Node;
use super::super::whole::Whole;
use super::places::each;
use super::refs;
use super::values::{Reads, check_value};
use crate::json::excerpt;
use crate::types::{Problems, Rule, codes};
use std::collections::HashMap;

/// Every op but `enumTable`.
const OPS: [&str; 5] = ["sum", "min", "max", "stepTable", "scale"];

/// Derived values are worked out from top to bottom, each out of what is above it
/// (docs/spec/checks.md#values-and-resolution, #sheet).
pub(super) fn check(ruleset: &Whole<'_>, found: &mut Problems) {
    let all = each(&ruleset.root, "sheet.derived[]");
    let mut line = HashMap::new();
    for (index, id) in all.iter().enumerate().filter_map(|(index, derived)| Some((index, derived.text_of("id")?))) {
        line.entry(id).or_insert(index);
    }
    for (index, derived) in all.iter().enumerate() {
        match derived.get("op").map(|op| op.text()) {
            Some(Some("enumTable")) => {
                check_enum_table(ruleset, derived, found);
                continue;
            }
            // What it would read follows from the op, and that is misspelt.
            Some(op) if !op.is_some_and(|op| OPS.contains(&op)) => continue,
            _ => {}
        }
        for reference in references(derived) {
            check_value(ruleset, &reference, Reads::ANYTHING, found);
            let Some(read) = reference.get("derived") else { continue };
            // What is declared nowhere is an unknown id, and no more.
            let is_below = read.text().and_then(|id| line.get(id)).is_some_and(|declared| *declared >= index);
            if is_below {
                let id = excerpt(read.text().unwrap_or_default());
                let message = format!("this reads the derived value `{id}`, which is not declared before it");
                found.push(read.problem(codes::DERIVED_ORDER, message));
            }
        }
    }
}

/// What a derived value of any op but `enumTable` reads.
fn references<'a>(derived: &Node<'a>) -> Vec<Node<'a>> {
    let one_or_many = derived
        .get("of")
        .into_iter()
        .flat_map(|of| if of.value().is_array() { each(derived, "of[]") } else { vec![of] });
    one_or_many.chain(derived.get("from")).collect()
}

/// The rows of an `enumTable` are values of what it looks at. Not every value needs one.
fn check_enum_table(ruleset: &Whole<'_>, derived: &Node<'_>, found: &mut Problems) {
    let Some(from) = derived.get("from") else { return };
    let field = refs::typed(&ruleset.names.fields, &from, "field", &["enum"], found);
    let Some(source) = field.or_else(|| refs::one(&ruleset.names.states, &from, "liveState", found)) else { return };
    for (key, row) in refs::members(derived, "table") {
        check_is_value(source, key, &row, codes::ENUM_TABLE_KEY, found);
    }
}

/// `word` is one of the `values` of an enum or a live state; else `code`, at `place`.
pub(super) fn check_is_value(of: &Node<'_>, word: &str, place: &Node<'_>, code: &'static Rule, found: &mut Problems) {
    let values: Vec<_> = of.list("values").filter_map(|value| value.text()).collect();
    if !values.is_empty() && !values.contains(&word) {
        let id = excerpt(of.text_of("id").unwrap_or_default());
        let problem = place.problem(code, format!("`{}` is not one of the values of `{id}`", excerpt(word)));
        found.push(problem.hint(format!("use one of its values: `{}`", excerpt(&values.join("`, `")))));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::rules::told as findings;
    use serde_json::{Value, json};

    fn told(derived: Value) -> String {
        let fields =
            json!([{"id": "path", "type": "enum", "values": ["ash", "ember"]}, {"id": "level", "type": "number"}]);
        let states = json!({"states": [{"id": "form", "values": ["wolf", "own"]}]});
        findings(check, &json!({"sheet": {"fields": fields, "live": states, "derived": derived}}))
            .join(", ")
            .replace("/sheet/derived", "")
    }

    #[test]
    fn a_derived_value_reads_only_what_stands_above_it() {
        let sum = |id: &str, read: &str| json!({"id": id, "op": "sum", "of": [{"const": 1}, {"derived": read}]});
        let base = json!({"id": "base", "op": "sum", "of": [{"field": "level"}]});
        assert_eq!(told(json!([base, sum("a", "base"), sum("b", "a")])), "");
        assert_eq!(told(json!([sum("a", "base"), base])), "derived-order /0/of/1/derived");
        assert_eq!(told(json!([sum("a", "a")])), "derived-order /0/of/1/derived");
        assert_eq!(told(json!([sum("a", "none")])), "unknown-id /0/of/1/derived");
        let others =
            json!([{"op": "scale", "of": {"derived": "base"}}, {"op": "stepTable", "from": {"derived": "base"}}, base]);
        assert_eq!(told(others), "derived-order /0/of/derived, derived-order /1/from/derived");
    }

    #[test]
    fn an_enum_table_is_keyed_by_the_values_it_looks_at() {
        let table = |from: Value, table: Value| told(json!([{"op": "enumTable", "from": from, "table": table}]));
        assert_eq!(table(json!({"field": "path"}), json!({"ash": 1, "$comment": "the rest is 0"})), "");
        assert_eq!(table(json!({"liveState": "form"}), json!({"wolf": 1, "own": 0})), "");
        assert_eq!(table(json!({"field": "path"}), json!({"wolf": 1})), "enum-table-key /0/table/wolf");
        assert_eq!(table(json!({"liveState": "form"}), json!({"ash": 1})), "enum-table-key /0/table/ash");
        assert_eq!(table(json!({"field": "level"}), json!({"ash": 1})), "wrong-reference-type /0/from/field");
        assert_eq!(table(json!({"liveState": "path"}), json!({"ash": 1})), "unknown-id /0/from/liveState");
    }
}
