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
        Shape::List { .. } | Shape::StepTable => value.is_array(),
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
        Shape::List { .. } | Shape::StepTable => "an array",
        Shape::Either(shapes) => return shapes.iter().map(wanted).collect::<Vec<_>>().join(" or "),
        Shape::Mapping { .. } | Shape::Record { .. } | Shape::ByKey { .. } | Shape::Having { .. } => "an object",
    };
    name.to_owned()
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

pub fn quoted(text: &str) -> String {
    format!("{:?}", excerpt(text))
}

pub fn range(Number { whole, min, max, above_min }: Number) -> String {
    let kind = if whole { "a whole number" } else { "a number" };
    let from = if above_min { "above" } else { "from" };
    match (min.is_finite(), max.is_finite()) {
        (true, true) if above_min => format!("{kind} above {min} and up to {max}"),
        (true, true) => format!("{kind} from {min} to {max}"),
        _ => format!("{kind} {from} {min}{}", if above_min { "" } else { " on" }),
    }
}

/// `a, b or c`; of long lists, the beginning.
pub fn one_of(words: &[&str]) -> String {
    const MOST: usize = 8;
    let quoted: Vec<String> = words.iter().take(MOST).map(|word| format!("`{word}`")).collect();
    match quoted.as_slice() {
        _ if words.len() > MOST => format!("{} or another of {} words", quoted.join(", "), words.len()),
        [rest @ .., last] if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        all => all.concat(),
    }
}

pub fn keys(keys: &[&str]) -> String {
    let quoted: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
    match quoted.as_slice() {
        [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        all => all.concat(),
    }
}
