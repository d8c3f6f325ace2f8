//! Values and shapes in the words of a message.

use super::language::{Number, Shape};
use crate::json::excerpt;
use serde_json::Value;

/// Whether a value has the JSON type of a shape.
pub fn has_type(shape: &Shape, value: &Value) -> bool {
    match shape {
        Shape::Any | Shape::ByResolution(_) => true,
        Shape::Flag | Shape::Yes => value.is_boolean(),
        Shape::Number(_) | Shape::Numbers(_) => value.is_number(),
        Shape::Text(_) | Shape::Words(_) => value.is_string(),
        Shape::List { .. } | Shape::Steps { .. } => value.is_array(),
        Shape::Either(shapes) => shapes.iter().any(|shape| has_type(shape, value)),
        Shape::Mapping { .. } | Shape::Record { .. } | Shape::ByKey { .. } | Shape::Having { .. } => value.is_object(),
    }
}

/// The JSON type of a shape.
pub fn wanted(shape: &Shape) -> String {
    let name = match shape {
        Shape::Any | Shape::ByResolution(_) => "anything",
        Shape::Flag => "true or false",
        Shape::Yes => "true",
        Shape::Number(Number { whole: true, .. }) => "a whole number",
        Shape::Number(_) | Shape::Numbers(_) => "a number",
        Shape::Text(_) | Shape::Words(_) => "text",
        Shape::List { .. } | Shape::Steps { .. } => "an array",
        Shape::Either(shapes) => return shapes.iter().map(wanted).collect::<Vec<_>>().join(" or "),
        Shape::Mapping { .. } | Shape::Record { .. } | Shape::ByKey { .. } | Shape::Having { .. } => "an object",
    };
    name.to_owned()
}

/// How a value of the wrong type would be written right, as far as that is plain: a number without quotes, one thing as
/// a list of one, an object with the keys it has to have.
pub fn instead(value: &Value, shape: &Shape) -> Option<String> {
    const SHORT: usize = 40;
    match shape {
        Shape::List { items, .. } if has_type(items, value) && !matches!(items, Shape::Any) => {
            let item = value.to_string();
            (item.len() <= SHORT).then(|| format!("write `[{item}]`"))
        }
        Shape::Number(_) | Shape::Numbers(_) | Shape::Flag => {
            let unquoted: Value = serde_json::from_str(value.as_str()?).ok()?;
            has_type(shape, &unquoted).then(|| format!("write `{unquoted}`"))
        }
        Shape::Text(_) if value.is_number() || value.is_boolean() => Some(format!("write `\"{value}\"`")),
        Shape::Steps { .. } => Some("write pairs of a threshold and a value, such as `[[1, 2], [5, 3]]`".to_owned()),
        Shape::Record { groups, .. } if !value.is_array() => {
            let keys = groups.iter().copied().flatten().filter(|key| !key.optional);
            let keys: Vec<String> = keys.map(|key| format!("\"{}\": …", key.name)).collect();
            (!keys.is_empty()).then(|| format!("write an object: `{{{}}}`", keys.join(", ")))
        }
        Shape::Either(shapes) => shapes.iter().find_map(|shape| instead(value, shape)),
        _ => None,
    }
}

/// What a value is: the number itself, the beginning of a text.
pub fn found(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => format!("the number {number}"),
        Value::String(text) => format!("the text {}", quoted(text)),
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// A text as a JSON file has it, so that it is what stands there, whatever its script.
pub fn quoted(text: &str) -> String {
    Value::from(excerpt(text)).to_string()
}

/// The bounds of a number that has at least a lower one.
pub fn range(Number { whole, min, max, above_min }: Number) -> String {
    let kind = if whole { "a whole number" } else { "a number" };
    match (above_min, max.is_finite()) {
        (false, true) => format!("{kind} from {min} to {max}"),
        (false, false) => format!("{kind} of at least {min}"),
        (true, true) => format!("{kind} above {min} and up to {max}"),
        (true, false) => format!("{kind} above {min}"),
    }
}

/// `` `a`, `b` or `c` ``
pub fn one_of(words: &[&str]) -> String {
    joined(words, "or")
}

/// `` `a`, `b` and `c` ``
pub fn keys(keys: &[&str]) -> String {
    joined(keys, "and")
}

fn joined(words: &[&str], last: &str) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.as_slice() {
        [rest @ .., end] if !rest.is_empty() => format!("{} {last} {end}", rest.join(", ")),
        all => all.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::language::{ANY, BOOLEAN, DECIMAL, WHOLE, array, either, record, string};
    use super::*;
    use serde_json::json;

    #[test]
    fn ranges_in_words() {
        let range = |whole, min, max, above_min| range(Number { whole, min, max, above_min });
        assert_eq!(range(true, 1.0, 9.0, false), "a whole number from 1 to 9");
        assert_eq!(range(false, 0.0, f64::INFINITY, false), "a number of at least 0");
        assert_eq!(range(false, 0.0, 0.5, true), "a number above 0 and up to 0.5");
        assert_eq!(range(false, 0.0, f64::INFINITY, true), "a number above 0");
    }

    #[test]
    fn what_is_meant_is_written_right() {
        const NOTE: Shape = record!({ "note?": ANY });
        const TEXTS: Shape = array(&string(1..=9), 0..=9);
        const EITHER: Shape = either(&[BOOLEAN, COST]);
        const COST: Shape = record!({ "amount": WHOLE, "unit": string(1..=9), "note?": ANY });
        for (shape, value, hint) in [
            (TEXTS, json!("iron"), Some("write `[\"iron\"]`")),
            (TEXTS, json!(3), None),
            (COST, json!("2 bits"), Some("write an object: `{\"amount\": …, \"unit\": …}`")),
            (EITHER, json!(2), Some("write an object: `{\"amount\": …, \"unit\": …}`")),
            (NOTE, json!(2), None),
            (DECIMAL, json!("2"), Some("write `2`")),
            (DECIMAL, json!("two"), None),
            (BOOLEAN, json!("true"), Some("write `true`")),
            (string(1..=9), json!(2), Some("write `\"2\"`")),
        ] {
            assert_eq!(instead(&value, &shape).as_deref(), hint, "{value}");
        }
    }

    #[test]
    fn lists_in_words() {
        assert_eq!((one_of(&["a"]).as_str(), one_of(&["a", "b"]).as_str()), ("`a`", "`a` or `b`"));
        assert_eq!(keys(&["a", "b", "c"]), "`a`, `b` and `c`");
    }
}
