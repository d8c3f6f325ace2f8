use super::{items_mut, texts};
use serde_json::Value;

/// Takes values out of enum fields and gives those a default that lose theirs.
///
/// What one layer does is valid by itself; two together can leave a field no value, or a default that is gone. Then the
/// later removal is not made (docs/spec/decisions.md#q37).
pub fn take_values(ruleset: &mut Value, fields: &Value, undone: &mut impl FnMut(String)) {
    for narrowed in fields.as_array().into_iter().flatten() {
        let Some(id) = narrowed["id"].as_str() else { continue };
        let removed: Vec<&str> = texts(&narrowed["removeValues"]).collect();
        let Some(field) = items_mut(ruleset, "/sheet/fields").find(|field| field["id"] == id) else { continue };
        let left: Vec<Value> = values(field).filter(|value| !removed.contains(value)).map(Value::from).collect();
        let default = narrowed["default"].as_str().or(field["default"].as_str()).map(str::to_owned);
        if left.is_empty() {
            undone(format!("it takes the last value out of field `{id}`"));
            continue;
        }
        if let Some(default) = default.as_deref().filter(|default| !left.iter().any(|value| value == default)) {
            undone(format!("it leaves field `{id}` the default `{default}`, which is gone"));
            continue;
        }
        if let Some(labels) = field.get_mut("valueLabels").and_then(Value::as_object_mut) {
            labels.retain(|value, _| !removed.contains(&value.as_str()));
        }
        field["values"] = left.into();
        if let Some(default) = default {
            field["default"] = default.into();
        }
    }
}

fn values(field: &Value) -> impl Iterator<Item = &str> {
    texts(&field["values"])
}
