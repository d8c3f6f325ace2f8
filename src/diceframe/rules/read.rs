//! Values as rule files write them.

use serde_json::Value;

/// Whether DiceFrame takes a value for a yes: anything but `false`, 0, `null` and what is empty.
pub fn is_truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(yes) => *yes,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => !members.is_empty(),
    }
}

/// The value under a key, if it says anything: `null` is as good as absent.
pub fn said<'v>(value: &'v Value, key: &str) -> Option<&'v Value> {
    value.get(key).filter(|value| !value.is_null())
}

/// The text under a key without the blanks around it, if there is any left.
pub fn name<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key)?.as_str().map(str::trim).filter(|text| !text.is_empty())
}

/// What a value is, in words and short enough for a message.
pub fn kind(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(yes) => yes.to_string(),
        Value::Number(number) => format!("the number {number}"),
        Value::String(text) => format!("the text \"{}\"", crate::json::excerpt(text)),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}
