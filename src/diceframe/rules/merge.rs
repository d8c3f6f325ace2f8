use serde_json::Value;

/// Puts a child over what it extends: where both have an object, key by key; else what the child says counts.
///
/// So lists are replaced whole, `null` replaces, and `{}` takes nothing away (docs/spec/diceframe.md#extends).
/// Documents nest at most as deep as the JSON reader lets them.
pub fn merge(parent: Value, child: &Value) -> Value {
    match (parent, child) {
        (Value::Object(mut merged), Value::Object(child)) => {
            for (key, value) in child {
                let below = match merged.remove(key) {
                    Some(inherited) => merge(inherited, value),
                    None => value.clone(),
                };
                merged.insert(key.clone(), below);
            }
            Value::Object(merged)
        }
        (_, child) => child.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn objects_are_merged_and_everything_else_is_replaced() {
        let parent = json!({
            "critical": {"success": 20, "failure": 1}, "list": [1, 2], "table": {"80": 4}, "kept": 1,
            "object": {"a": 1}, "scalar": 3, "gone": [1]
        });
        let child = json!({
            "critical": {"success": null}, "list": [3], "table": {}, "object": 7, "scalar": {"b": 2}, "gone": []
        });
        let merged = json!({
            "critical": {"success": null, "failure": 1}, "list": [3], "table": {"80": 4}, "kept": 1,
            "object": 7, "scalar": {"b": 2}, "gone": []
        });
        assert_eq!(merge(parent, &child), merged);
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![Just(Value::Null), (0..4_i64).prop_map(Value::from), "[ab]{0,2}".prop_map(Value::from)];
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map("[abc]", inner, 0..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect()))
            ]
        })
    }

    /// Every place of a value that is no object, with what stands there.
    fn leaves(value: &Value, at: &crate::types::Pointer, into: &mut Vec<(String, Value)>) {
        match value.as_object().filter(|members| !members.is_empty()) {
            Some(members) => members.iter().for_each(|(key, value)| leaves(value, &at.at(key), into)),
            None => into.push((at.to_string(), value.clone())),
        }
    }

    proptest! {
        #[test]
        fn what_the_child_says_stands_and_what_it_leaves_open_is_inherited(parent in any_json(), child in any_json()) {
            let merged = merge(parent.clone(), &child);
            let (mut said, mut found) = (Vec::new(), Vec::new());
            leaves(&child, &crate::types::Pointer::root(), &mut said);
            for (pointer, value) in said.iter().filter(|(_, value)| *value != json!({})) {
                prop_assert_eq!(merged.pointer(pointer), Some(value));
            }
            leaves(&merged, &crate::types::Pointer::root(), &mut found);
            for (pointer, value) in found {
                let own = child.pointer(&pointer) == Some(&value);
                prop_assert!(own || parent.pointer(&pointer) == Some(&value), "{} is of neither", pointer);
            }
        }

        #[test]
        fn a_child_over_itself_or_over_nothing_is_itself(value in any_json()) {
            prop_assert_eq!(merge(value.clone(), &value), value.clone());
            prop_assert_eq!(merge(json!({}), &value), value.clone());
            prop_assert_eq!(merge(Value::Null, &value), value);
        }
    }
}
