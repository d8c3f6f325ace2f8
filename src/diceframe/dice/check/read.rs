//! Reading what a rule may declare with any type.

use serde_json::{Map, Value};

/// An integer, or the nearest one that 32 bits hold; a float, a flag or a text is none.
pub(super) fn integer(value: Option<&Value>) -> Option<i32> {
    let value = value?;
    let number = value.as_i64().or_else(|| value.as_u64().map(|_| i64::MAX))?;
    Some(number.clamp(i32::MIN.into(), i32::MAX.into()) as i32)
}

pub(super) fn object<'v>(within: Option<&'v Map<String, Value>>, key: &str) -> Option<&'v Map<String, Value>> {
    within?.get(key)?.as_object()
}

/// `check_mechanic`, which counts as a whole or not at all: an empty one is none.
pub(super) fn mechanic(resolved: &Value) -> Option<&Map<String, Value>> {
    resolved.get("check_mechanic")?.as_object().filter(|members| !members.is_empty())
}

/// Whether a flag is set.
pub(super) fn flag(value: Option<&Value>, default: bool) -> bool {
    value.and_then(Value::as_bool).unwrap_or(default)
}
