use super::super::node::Node;
use super::super::whole::Whole;
use super::places::each;
use crate::json::{excerpt, fits};
use crate::types::{Problems, codes};
use serde_json::Value;

/// What a `hideWhen` may hide.
const HIDDEN: &[&str] = &[
    "sheet.fields[]",
    "sheet.derived[]",
    "sheet.lists[]",
    "sheet.live.pools[]",
    "sheet.live.tracks[]",
    "sheet.live.states[]",
];

/// Everything that may have a `hideWhen`.
pub(super) fn may_be_hidden<'a>(ruleset: &Whole<'a>) -> impl Iterator<Item = Node<'a>> + use<'a> {
    let root = ruleset.root.clone();
    HIDDEN.iter().flat_map(move |path| each(&root, path))
}

/// `hideWhen` compares a field with values it can have (docs/spec/checks.md#hiding). That a wound track is never hidden
/// is a rule of tracks.
///
/// `equals` is held to the type alone: a value out of range hides nothing, as an author may want. Of `notEquals` and
/// `in` the format refuses such values.
pub(super) fn check(ruleset: &Whole<'_>, found: &mut Problems) {
    for hide in may_be_hidden(ruleset).filter_map(|hidden| hidden.get("hideWhen")) {
        let Some(field) = hide.get("field").and_then(|named| ruleset.names.fields.resolve(&named, found)) else {
            continue;
        };
        for (path, bounded) in [("equals", false), ("notEquals", true), ("in[]", true)] {
            for compared in each(&hide, path) {
                if let Some(wrong) = mismatch(field, compared.value(), bounded) {
                    let id = excerpt(field.text_of("id").unwrap_or_default());
                    found.push(compared.problem(codes::HIDE_WHEN_VALUE, format!("the field `{id}` {wrong}")));
                }
            }
        }
    }
}

/// Why a field or a column never has a value, in words that follow its name; nothing if it may. `bounded` is whether
/// its range and its length count.
pub(super) fn mismatch(field: &Node<'_>, value: &Value, bounded: bool) -> Option<String> {
    match (field.text_of("type")?, value) {
        ("number", Value::Number(number)) => {
            let number = number.as_f64().filter(|_| bounded)?;
            let below = field.number_of("min").filter(|min| number < *min);
            let above = field.number_of("max").filter(|max| number > *max);
            let why = |bound: &str, at: f64| format!("is never {number}: its `{bound}` is {at}");
            below.map(|min| why("min", min)).or_else(|| above.map(|max| why("max", max)))
        }
        ("text" | "longtext", Value::String(text)) => {
            let most = field.number_of("maxLength").filter(|_| bounded)?;
            (!fits(text, 0, most as usize)).then(|| format!("never has more than {most} characters"))
        }
        ("enum", Value::String(text)) => {
            let is_there = |values: Node<'_>| values.items().any(|known| known.text() == Some(text));
            // Values that are no list are the shape's.
            let values = field.get("values").filter(|values| values.value().is_array());
            values.is_some_and(|values| !is_there(values)).then(|| format!("has no value `{}`", excerpt(text)))
        }
        ("boolean", Value::Bool(_)) | ("dice", Value::String(_)) => None,
        ("number", _) => Some("is a number, but is compared with something else".to_owned()),
        ("boolean", _) => Some("is true or false, but is compared with something else".to_owned()),
        ("text" | "longtext" | "dice" | "enum", _) => Some("is text, but is compared with something else".to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::rules::told as findings;
    use serde_json::json;

    fn told(hide: Value) -> String {
        let fields = json!([
            {"id": "level", "type": "number", "min": 1, "max": 20},
            {"id": "name", "type": "text", "maxLength": 3},
            {"id": "path", "type": "enum", "values": ["ash", "ember"]},
            {"id": "dead", "type": "boolean"},
            {"id": "hit", "type": "dice"}]);
        let ruleset = json!({"sheet": {"fields": fields, "live": {"pools": [{"hideWhen": hide}]}}});
        findings(check, &ruleset).join(", ").replace("/sheet/live/pools/0/hideWhen", "")
    }

    #[test]
    fn a_field_is_compared_with_what_it_can_hold() {
        let cases = [
            (json!({"field": "level", "equals": 3}), ""),
            (json!({"field": "level", "equals": 99}), ""),
            (json!({"field": "level", "equals": "3"}), "hide-when-value /equals"),
            (json!({"field": "level", "notEquals": 99}), "hide-when-value /notEquals"),
            (json!({"field": "level", "in": [0, 1, 20, 21]}), "hide-when-value /in/0, hide-when-value /in/3"),
            (json!({"field": "name", "equals": "long name"}), ""),
            (json!({"field": "name", "notEquals": "long"}), "hide-when-value /notEquals"),
            (json!({"field": "name", "in": ["", "abc"]}), ""),
            (json!({"field": "path", "equals": "ash"}), ""),
            (json!({"field": "path", "equals": "cinder"}), "hide-when-value /equals"),
            (json!({"field": "dead", "equals": true}), ""),
            (json!({"field": "dead", "notEquals": "true"}), "hide-when-value /notEquals"),
            (json!({"field": "hit", "in": ["1d6", 6]}), "hide-when-value /in/1"),
            (json!({"field": "none", "equals": 1}), "unknown-id /field"),
        ];
        for (hide, wanted) in cases {
            assert_eq!(told(hide.clone()), wanted, "{hide}");
        }
    }

    #[test]
    fn whatever_can_be_hidden_is_looked_at() {
        let hide = json!({"hideWhen": {"field": "none"}});
        let live = json!({"pools": [hide], "tracks": [hide], "states": [hide]});
        let sheet = json!({"fields": [hide], "derived": [hide], "lists": [hide], "live": live});
        assert_eq!(findings(check, &json!({"sheet": sheet})).len(), 6);
    }
}
