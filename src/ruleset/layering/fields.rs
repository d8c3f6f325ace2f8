use super::{items_mut, texts};
use serde_json::Value;
use std::collections::HashSet;

/// Narrows the enum fields of a ruleset by all its layers together (N123): each keeps the values that none of them
/// removes, and the default that the last of them names, else its own. A default that is gone itself is none; it is
/// told, with the layer that named it.
pub fn narrow(ruleset: &mut Value, layers: &[&Value], mut undone: impl FnMut(&Value, String)) {
    for field in items_mut(ruleset, "/sheet/fields") {
        let narrowings = of_field(&field["id"], layers);
        if narrowings.is_empty() {
            continue;
        }
        let removed = removed(&narrowings);
        let left: Vec<Value> =
            texts(&field["values"]).filter(|value| !removed.contains(value)).map(Value::from).collect();
        if let Some(labels) = field.get_mut("valueLabels").and_then(Value::as_object_mut) {
            labels.retain(|value, _| !removed.contains(value.as_str()));
        }
        let named = narrowings.iter().rev().find(|(_, narrowed)| narrowed["default"].is_string());
        let default = named.map_or(&field["default"], |(_, narrowed)| &narrowed["default"]).clone();
        if left.contains(&default) {
            field["default"] = default;
        } else if let Some(members) = field.as_object_mut()
            && !default.is_null()
        {
            members.remove("default");
            let (layer, _) = named.unwrap_or(&narrowings[0]);
            let (id, default) = (members["id"].as_str().unwrap_or_default(), default.as_str().unwrap_or_default());
            undone(layer, format!("the default `{default}` of field `{id}` is gone, so the field has none"));
        }
        field["values"] = left.into();
    }
}

/// The first field that layers together leave no value: no ruleset has such a one.
pub fn emptied<'v>(ruleset: &'v Value, layers: &[&Value]) -> Option<&'v str> {
    let mut fields = ruleset["sheet"]["fields"].as_array().into_iter().flatten();
    let field = fields.find(|field| {
        let narrowings = of_field(&field["id"], layers);
        let removed = removed(&narrowings);
        !narrowings.is_empty() && texts(&field["values"]).all(|value| removed.contains(value))
    });
    field?["id"].as_str()
}

/// What layers do to a field, each with its layer.
fn of_field<'v>(field: &Value, layers: &[&'v Value]) -> Vec<(&'v Value, &'v Value)> {
    let all = layers.iter().flat_map(|layer| {
        let narrowed = layer["fields"].as_array().into_iter().flatten();
        narrowed.map(move |narrowed| (*layer, narrowed))
    });
    all.filter(|(_, narrowed)| narrowed["id"] == *field && field.is_string()).collect()
}

fn removed<'v>(narrowings: &[(&Value, &'v Value)]) -> HashSet<&'v str> {
    narrowings.iter().flat_map(|(_, narrowed)| texts(&narrowed["removeValues"])).collect()
}
