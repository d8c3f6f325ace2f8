//! What a field, a column or an item stat can hold (docs/spec/checks.md#sheet): the one rule for cells of rows, for the
//! fields of a creature's sheet, and for the stats of an item.

use super::super::names::Ids;
use super::super::node::Node;
use super::refs;
use crate::json::{excerpt, fits};
use crate::types::{Problems, at_most, codes, did_you_mean, suggest};
use serde_json::Value;

/// The key of a row by which it remembers the entry it came from. No column can bear this name.
pub const ORIGIN: &str = "_catalog";

/// A dice field or column holds any text of this many UTF-16 units; that it is dice is not asked for.
const DICE_LENGTH: usize = 40;

/// Checks `value` against what `declared` (a field, column or stat) can hold.
pub fn check_cell(declared: &Node<'_>, value: &Node<'_>, found: &mut Problems) {
    if let Some(fault) = fault(declared, value.value()) {
        let name = excerpt(declared.text_of("id").unwrap_or_default());
        let problem = value.problem(codes::CELL_VALUE, format!("`{name}` is {}", fault.message));
        found.push(problem.hint_if(fault.hint));
    }
}

/// The cells of a row: its columns are known, each can hold its value, and none that is required is missing.
///
/// [`ORIGIN`] is passed over; it is the caller's, who knows whether it may stand there.
pub fn check_row(columns: &Ids<'_>, row: &Node<'_>, found: &mut Problems) {
    for (key, value) in row.members().filter(|(key, _)| *key != ORIGIN) {
        if let Some(column) = refs::key(columns, key, &value, found) {
            check_cell(column, &value, found);
        }
    }
    for (id, _) in columns.iter().filter(|(id, column)| column.is_set("required") && !row.has(id)) {
        found.push(row.problem(codes::MISSING_CELL, format!("the required column `{}` is missing", excerpt(id))));
    }
}

/// Why `declared` cannot hold the value; nothing when it can. What is no scalar, and a declaration that says nothing,
/// is the shape's.
pub fn refusal(declared: &Node<'_>, value: &Value) -> Option<String> {
    fault(declared, value).map(|fault| format!("it is {}", fault.message))
}

struct Fault {
    /// Follows "`name` is".
    message: String,
    hint: Option<String>,
}

fn fault(declared: &Node<'_>, value: &Value) -> Option<Fault> {
    if value.is_null() || value.is_array() || value.is_object() {
        return None;
    }
    let kind = declared.text_of("type")?;
    let of_another_type = |wanted: &str| Some(plain(format!("{}, but should be {wanted}", shown(value))));
    match (kind, value) {
        ("number", Value::Number(_)) => out_of_range(declared, value.as_f64()?).map(plain),
        ("number", _) => of_another_type("a number"),
        ("text" | "longtext" | "dice", Value::String(text)) => {
            let most = if kind == "dice" { Some(DICE_LENGTH as f64) } else { declared.number_of("maxLength") };
            too_long(text, most?).map(plain)
        }
        ("text" | "longtext" | "dice", _) => of_another_type("text"),
        ("boolean", Value::Bool(_)) => None,
        ("boolean", _) => of_another_type("true or false"),
        ("enum", Value::String(text)) => no_value_of(declared, text),
        ("enum", _) => of_another_type("one of its values"),
        _ => None,
    }
}

fn plain(message: String) -> Fault {
    Fault { message, hint: None }
}

fn out_of_range(declared: &Node<'_>, number: f64) -> Option<String> {
    if let Some(min) = declared.number_of("min").filter(|min| number < *min) {
        return Some(format!("{number}, below its minimum ({min})"));
    }
    if let Some(max) = declared.number_of("max").filter(|max| number > *max) {
        return Some(format!("{number}, above its maximum ({max})"));
    }
    let is_whole = declared.get("integer").and_then(|integer| integer.flag()) != Some(false);
    (is_whole && number.fract() != 0.0).then(|| format!("{number}, but should be a whole number"))
}

fn too_long(text: &str, most: f64) -> Option<String> {
    // No text is longer than usize::MAX, which is what a nonsensical maximum saturates to.
    (!fits(text, 0, most as usize))
        .then(|| format!("{} characters long, but {}", text.encode_utf16().count(), at_most(most as u64)))
}

fn no_value_of(declared: &Node<'_>, text: &str) -> Option<Fault> {
    let values: Vec<&str> = declared.list("values").filter_map(|value| value.value().as_str()).collect();
    if values.is_empty() || values.contains(&text) {
        return None;
    }
    let likely = suggest(text, values.iter().copied());
    let hint =
        did_you_mean(&likely).unwrap_or_else(|| format!("use one of its values: `{}`", excerpt(&values.join("`, `"))));
    Some(Fault { message: format!("`{}`, which is not one of its values", excerpt(text)), hint: Some(hint) })
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => format!("the text `{}`", excerpt(text)),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_cell_holds_what_its_column_declares_and_nothing_else() {
        let number = json!({"id": "c", "type": "number", "min": 0, "max": 3});
        let fraction = json!({"id": "c", "type": "number", "min": 0, "max": 3, "integer": false});
        let text = json!({"id": "c", "type": "text", "maxLength": 2});
        let choice = json!({"id": "c", "type": "enum", "values": ["foot", "cart"]});
        let dice = json!({"id": "c", "type": "dice"});
        let flag = json!({"id": "c", "type": "boolean"});
        for (declared, value, told) in [
            (&number, json!(3.0), None),
            (&number, json!(4), Some("`c` is 4, above its maximum (3)")),
            (&number, json!(-1), Some("`c` is -1, below its minimum (0)")),
            (&number, json!(1.5), Some("`c` is 1.5, but should be a whole number")),
            (&fraction, json!(1.5), None),
            (&number, json!("3"), Some("`c` is the text `3`, but should be a number")),
            (&number, json!(null), None),
            (&text, json!("😀"), None),
            (&text, json!("😀!"), Some("`c` is 3 characters long, but at most 2 are allowed")),
            (&text, json!(true), Some("`c` is true, but should be text")),
            (&choice, json!("foot"), None),
            (&choice, json!("food"), Some("`c` is `food`, which is not one of its values")),
            (&dice, json!("whatever fits"), None),
            (&flag, json!(0), Some("`c` is 0, but should be true or false")),
            (&json!({"type": "mystery"}), json!(0), None),
        ] {
            let mut found = Problems::default();
            check_cell(&Node::root(declared, "ruleset.json"), &Node::root(&value, "ruleset.json"), &mut found);
            assert_eq!(found.first().map(|problem| problem.message.as_str()), told, "{declared} {value}");
        }
    }

    #[test]
    fn a_row_knows_its_columns_and_has_those_required() {
        let list = json!({"columns": [{"id": "name", "type": "text", "maxLength": 9, "required": true},
                                      {"id": "bulk", "type": "number", "min": 0, "max": 3}]});
        let columns = Ids::of("column", Node::root(&list, "ruleset.json").list("columns"));
        for (row, told) in [
            (json!({"name": "Rope", "_catalog": "wares/rope", "$comment": 1}), vec![]),
            (json!({"bulk": 1}), vec![("missing-cell", "")]),
            (json!({"name": "Rope", "weight": 1}), vec![("unknown-id", "/weight")]),
            (json!({"name": "Rope", "bulk": 9}), vec![("cell-value", "/bulk")]),
        ] {
            let mut found = Problems::default();
            check_row(&columns, &Node::root(&row, "ruleset.json"), &mut found);
            let found: Vec<_> = found.iter().map(|p| (p.code.as_str(), p.pointer.as_deref().unwrap())).collect();
            assert_eq!(found, told, "{row}");
        }
    }
}
