//! What values a field or a column can hold.

use crate::json::{excerpt, fits};
use crate::ruleset::node::Node;
use serde_json::Value;

/// The UTF-16 units of a text that stands for dice.
const DICE: usize = 40;

/// Why a field or column cannot hold a value; nothing when it can.
pub(super) fn refusal(field: &Node<'_>, value: &Value) -> Option<String> {
    let kind = field.text_of("type")?;
    match (kind, value) {
        ("number", Value::Number(number)) => number_refusal(field, number.as_f64()?),
        ("boolean", Value::Bool(_)) => None,
        ("text" | "longtext", Value::String(text)) => {
            let max = field.number_of("maxLength")?;
            (!fits(text, 0, max as usize)).then(|| format!("it is longer than {max} characters"))
        }
        ("dice", Value::String(text)) => (!fits(text, 0, DICE)).then(|| format!("it is longer than {DICE} characters")),
        ("enum", Value::String(text)) => {
            let is_value = field.list("values").any(|value| value.text() == Some(text));
            (!is_value).then(|| format!("`{}` is none of its values", excerpt(text)))
        }
        ("number" | "boolean" | "text" | "longtext" | "dice" | "enum", _) => Some(format!("its type is {kind}")),
        // The shape tells that this is no type.
        _ => None,
    }
}

fn number_refusal(field: &Node<'_>, number: f64) -> Option<String> {
    let is_whole = field.get("integer").is_none_or(|integer| integer.flag() != Some(false));
    if is_whole && number.fract() != 0.0 {
        return Some(format!("{number} is not a whole number"));
    }
    match (field.number_of("min"), field.number_of("max")) {
        (Some(min), _) if number < min => Some(format!("{number} is below its `min` ({min})")),
        (_, Some(max)) if number > max => Some(format!("{number} is above its `max` ({max})")),
        _ => None,
    }
}

/// Why no value a column can hold equals this one, when text is compared without regard to case and outer spaces.
pub(super) fn never_equals(column: &Node<'_>, value: &Value) -> Option<String> {
    let folded = |text: &str| text.trim().to_lowercase();
    match value {
        Value::String(text) if column.text_of("type") == Some("enum") => {
            let is_value =
                column.list("values").filter_map(|value| value.text()).any(|one| folded(one) == folded(text));
            (!is_value).then(|| format!("`{}` is none of its values", excerpt(text)))
        }
        Value::String(text) => refusal(column, &Value::String(text.trim().to_owned())),
        _ => refusal(column, value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn fields_hold_what_their_type_and_bounds_allow() {
        let cases = [
            (json!({"type": "number", "min": 0, "max": 9}), json!(9.0), true),
            (json!({"type": "number", "min": 0, "max": 9}), json!(9.5), false),
            (json!({"type": "number", "min": 0, "max": 9, "integer": false}), json!(8.5), true),
            (json!({"type": "number", "min": 0, "max": 9}), json!(-1), false),
            (json!({"type": "number"}), json!(1e9), true),
            (json!({"type": "text", "maxLength": 2}), json!("😀"), true),
            (json!({"type": "text", "maxLength": 1}), json!("😀"), false),
            (json!({"type": "longtext", "maxLength": -1}), json!(""), true),
            (json!({"type": "dice"}), json!("1d6"), true),
            (json!({"type": "dice"}), json!(6), false),
            (json!({"type": "boolean"}), json!(false), true),
            (json!({"type": "boolean"}), json!(0), false),
            (json!({"type": "enum", "values": ["a"]}), json!("a"), true),
            (json!({"type": "enum", "values": ["a"]}), json!("A"), false),
            (json!({"type": "odd"}), json!([]), true),
        ];
        for (field, value, fits) in cases {
            assert_eq!(refusal(&Node::root(&field, "ruleset.json"), &value).is_none(), fits, "{field} {value}");
        }
    }
}
