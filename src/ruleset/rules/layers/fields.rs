use crate::json::excerpt;
use crate::ruleset::names::{is_wound_track, type_of};
use crate::ruleset::node::Node;
use crate::ruleset::rules::hiding::may_be_hidden;
use crate::ruleset::rules::repeats::repeated_texts;
use crate::ruleset::whole::Whole;
use crate::types::{Problem, Problems, Rule, codes, did_you_mean, suggest};
use std::collections::{BTreeMap, BTreeSet};

/// L06 to L12: values that a layer takes out of enum fields.
///
/// A removed value may go on standing in an enum table or on a creature's sheet (L13), and may be named twice; the
/// format is silent on that.
pub(super) fn check(whole: &Whole<'_>, compared: &Compared<'_>, layer: &Node<'_>, found: &mut Problems) {
    let ids = layer.list("fields").filter_map(|rule| rule.get("id"));
    for (again, first) in repeated_texts(ids) {
        let message = format!(
            "`{}` is narrowed twice by this layer, first at {}",
            excerpt(again.text().unwrap_or_default()),
            first.at()
        );
        found.push(again.problem(codes::L06, message));
    }
    for rule in layer.list("fields") {
        narrow(whole, compared, &rule, found);
    }
}

fn narrow(whole: &Whole<'_>, compared: &Compared<'_>, rule: &Node<'_>, found: &mut Problems) {
    let Some(id) = rule.get("id") else { return };
    let Some(field) = whole.names.fields.resolve_as(codes::L07, &id, found) else { return };
    match type_of(field) {
        Some("enum") => {}
        Some(other) => {
            let message = format!("`{}` is a {other} field, but values can only be removed from an enum", id_of(field));
            found.push(id.problem(codes::L07, message));
            return;
        }
        None => return,
    }
    let values: Vec<&str> = field.list("values").filter_map(|value| value.text()).collect();
    let removed: Vec<Node<'_>> = rule.list("removeValues").filter(|value| value.text().is_some()).collect();
    let compared = field.text_of("id").and_then(|id| compared.get(id));
    let is_removed = |value: &str| removed.iter().any(|gone| gone.text() == Some(value));
    for gone in &removed {
        match gone.text() {
            Some(value) if !values.contains(&value) => {
                found.push(unknown_value(codes::L08, gone, value, &values, field))
            }
            Some(value) => {
                found.extend(compared.and_then(|of| of.get(value)).map(|places| still_compared(gone, value, places)))
            }
            None => {}
        }
    }
    let at = rule.get("removeValues").unwrap_or_else(|| rule.clone());
    if values.is_empty() {
        return;
    }
    if values.iter().all(|value| is_removed(value)) {
        let message =
            format!("all {} values of `{}` are removed, but at least one must stay", values.len(), id_of(field));
        found.push(at.problem(codes::L09, message));
        return;
    }
    let default = rule.get("default").and_then(|default| Some((default.text()?, default)));
    match (default, field.text_of("default")) {
        (Some((value, default)), _) if is_removed(value) => {
            let message = format!("the default `{}` is removed by this layer", excerpt(value));
            found.push(default.problem(codes::L10, message));
        }
        (Some((value, default)), _) if !values.contains(&value) => {
            found.push(unknown_value(codes::L10, &default, value, &values, field));
        }
        (None, Some(own)) if is_removed(own) && !rule.has("default") => {
            let message =
                format!("`{}`, the default of `{}`, is removed without a new default", excerpt(own), id_of(field));
            found.push(at.problem(codes::L11, message));
        }
        _ => {}
    }
}

fn id_of<'a>(field: &Node<'a>) -> std::borrow::Cow<'a, str> {
    excerpt(field.text_of("id").unwrap_or_default())
}

fn unknown_value(code: &'static Rule, at: &Node<'_>, value: &str, values: &[&str], field: &Node<'_>) -> Problem {
    let problem = at.problem(code, format!("`{}` is not a value of `{}`", excerpt(value), id_of(field)));
    problem.hint_if(did_you_mean(&suggest(value, values.iter().copied())))
}

/// By field and value: where a `hideWhen` compares the one with the other. Every layer is held against it.
pub(super) type Compared<'a> = BTreeMap<&'a str, BTreeMap<&'a str, Vec<Node<'a>>>>;

pub(super) fn compared<'a>(whole: &Whole<'a>) -> Compared<'a> {
    let mut places = Compared::new();
    for hide in hiding(whole) {
        let Some(field) = hide.text_of("field") else { continue };
        let single = ["equals", "notEquals"].into_iter().filter_map(|key| hide.text_of(key));
        let values: BTreeSet<_> = single.chain(hide.list("in").filter_map(|value| value.text())).collect();
        let of_field = places.entry(field).or_default();
        for value in values {
            of_field.entry(value).or_default().push(hide.clone());
        }
    }
    places
}

/// L12: one finding for a removed value, however many compare with it.
fn still_compared(gone: &Node<'_>, value: &str, places: &[Node<'_>]) -> Problem {
    let first = places.first().map(|first| first.at().to_string()).unwrap_or_default();
    let more = match places.len() {
        0 | 1 => String::new(),
        more => format!(" and {} more", more - 1),
    };
    let message = format!("`{}` is used by the hideWhen at {first}{more}", excerpt(value));
    gone.problem(codes::L12, message)
}

/// Every `hideWhen` that may be. One on a wound track is refused as such.
fn hiding<'a>(whole: &Whole<'a>) -> impl Iterator<Item = Node<'a>> + use<'a> {
    let hidden = may_be_hidden(whole).filter(|hidden| !is_wound_track(hidden));
    hidden.filter_map(|hidden| hidden.get("hideWhen"))
}

#[cfg(test)]
mod tests {
    use super::super::tests::told;
    use serde_json::{Value, json};

    fn narrowed(rules: Value) -> Vec<String> {
        told(&json!({
            "sheet": {"fields": [
                {"id": "calling", "type": "enum", "values": ["Hauler", "Sailor", "Scout"], "default": "Sailor"},
                {"id": "size", "type": "enum", "values": ["small"]},
                {"id": "age", "type": "number"},
            ]},
            "layers": [{"id": "a", "fields": rules}],
        }))
    }

    #[test]
    fn a_layer_takes_values_out_of_an_enum() {
        assert_eq!(narrowed(json!([{"id": "calling", "removeValues": ["Scout"]}])), [""; 0]);
        let renamed = json!([{"id": "calling", "removeValues": ["Sailor", "Scout", "Scout"], "default": "Hauler"}]);
        assert_eq!(narrowed(renamed), [""; 0]);
    }

    #[test]
    fn each_fault_is_told_once_where_it_stands() {
        for (rules, wanted) in [
            (
                json!([{"id": "calling", "removeValues": ["Scout"]}, {"id": "calling", "removeValues": ["Hauler"]}]),
                "L06 /1/id",
            ),
            (json!([{"id": "callings", "removeValues": ["Scout"]}]), "L07 /0/id"),
            (json!([{"id": "age", "removeValues": ["3"]}]), "L07 /0/id"),
            (json!([{"id": "calling", "removeValues": ["Scout", "scout"]}]), "L08 /0/removeValues/1"),
            (json!([{"id": "size", "removeValues": ["small"]}]), "L09 /0/removeValues"),
            (
                json!([{"id": "calling", "removeValues": ["Scout", "Hauler", "Sailor"], "default": "Scout"}]),
                "L09 /0/removeValues",
            ),
            (json!([{"id": "calling", "removeValues": ["Scout"], "default": "Scout"}]), "L10 /0/default"),
            (json!([{"id": "calling", "removeValues": ["Scout"], "default": "Baker"}]), "L10 /0/default"),
            (json!([{"id": "calling", "removeValues": ["Sailor"]}]), "L11 /0/removeValues"),
        ] {
            let (code, place) = wanted.split_once(' ').unwrap();
            assert_eq!(narrowed(rules.clone()), [format!("{code} /layers/0/fields{place}")], "{rules}");
        }
    }

    #[test]
    fn l12_nothing_that_can_hide_compares_with_a_removed_value() {
        let of = |key: &str, block: Value| {
            let mut ruleset = json!({
                "sheet": {"fields": [{"id": "calling", "type": "enum", "values": ["Hauler", "Sailor"]}], "live": {}},
                "layers": [{"id": "a", "fields": [{"id": "calling", "removeValues": ["Sailor"]}]}],
            });
            match ruleset.pointer_mut(&format!("/sheet/{key}")).and_then(Value::as_array_mut) {
                Some(list) => list.push(block),
                None => match key.split_once('/') {
                    Some((live, key)) => ruleset["sheet"][live][key] = json!([block]),
                    None => ruleset["sheet"][key] = json!([block]),
                },
            }
            told(&ruleset)
        };
        for key in ["fields", "derived", "lists", "live/pools", "live/tracks", "live/states"] {
            for hide in [
                json!({"field": "calling", "equals": "Sailor"}),
                json!({"field": "calling", "notEquals": "Sailor"}),
                json!({"field": "calling", "in": ["Hauler", "Sailor"]}),
            ] {
                assert_eq!(
                    of(key, json!({"hideWhen": hide})),
                    ["L12 /layers/0/fields/0/removeValues/0"],
                    "{key} {hide}"
                );
            }
            for hide in [
                json!({"field": "calling", "equals": "Hauler"}),
                json!({"field": "other", "equals": "Sailor"}),
                json!({"field": "calling", "in": ["Hauler"]}),
            ] {
                assert_eq!(of(key, json!({"hideWhen": hide})), [""; 0], "{key} {hide}");
            }
        }
        let wound = json!({"kinds": [], "hideWhen": {"field": "calling", "equals": "Sailor"}});
        assert_eq!(of("live/tracks", wound), [""; 0], "refused already, for having one at all");
    }

    #[test]
    fn l13_tables_may_go_on_naming_a_removed_value() {
        let ruleset = json!({
            "sheet": {
                "fields": [{"id": "calling", "type": "enum", "values": ["Hauler", "Sailor"]}],
                "derived": [{"id": "d", "op": "enumTable", "from": {"field": "calling"}, "table": {"Sailor": 2}}],
            },
            "layers": [{"id": "a", "fields": [{"id": "calling", "removeValues": ["Sailor"]}]}],
        });
        assert_eq!(told(&ruleset), [""; 0]);
    }
}
