//! Lists far longer than they may be. That one is too long is one finding; what its thousandth item names, and whether
//! the other ten thousand name it too, is of no use to anybody, and finding it out takes the product of the two.

use super::language::{Key, Keys, MANY, Shape};
use super::say::has_type;
use serde_json::{Map, Value};

/// How many items of a list or map the rules between the keys look at, where so many are allowed. What is only a few
/// too long is looked at whole.
pub fn looked_at(allowed: usize) -> usize {
    if allowed == MANY { MANY } else { allowed.saturating_mul(4).saturating_add(40) }
}

/// A copy of what is looked at. A key that there is not stays, without what it holds.
pub fn looked_at_of(value: &Value, shape: &Shape, resolution: Option<&str>) -> Value {
    let part = |value: &Value, shape: &Shape| looked_at_of(value, shape, resolution);
    match (shape, value) {
        (Shape::List { items, max, .. }, Value::Array(list)) => {
            list.iter().take(looked_at(*max)).map(|item| part(item, items)).collect()
        }
        (Shape::Steps { max, .. }, Value::Array(rows)) => rows.iter().take(looked_at(*max)).cloned().collect(),
        (Shape::Mapping { values, max, .. }, Value::Object(members)) => {
            let members = members.iter().take(looked_at(*max));
            members.map(|(key, member)| (key.clone(), part(member, values))).collect::<Map<_, _>>().into()
        }
        (Shape::Record { groups, .. }, Value::Object(members)) => record(members, groups, None, resolution),
        (Shape::ByKey { key, shared, cases }, Value::Object(members)) => {
            let word = members.get(*key).and_then(Value::as_str);
            let case = cases.iter().find(|case| Some(case.word) == word);
            record(members, shared, Some((key, case.map_or(&[], |case| case.keys))), resolution)
        }
        (Shape::Having { key, with, without }, value) => {
            part(value, if value.get(*key).is_some() { with } else { without })
        }
        (Shape::Either(shapes), value) => match shapes.iter().find(|shape| has_type(shape, value)) {
            Some(shape) => part(value, shape),
            None => value.clone(),
        },
        (Shape::ByResolution(shapes), value) => match shapes.iter().find(|(kind, _)| Some(*kind) == resolution) {
            Some((_, shape)) => part(value, shape),
            None => value.clone(),
        },
        (_, value) => value.clone(),
    }
}

/// `case` is the key whose word decides what other keys there are, and those.
fn record(
    members: &Map<String, Value>,
    groups: &[Keys],
    case: Option<(&str, Keys)>,
    resolution: Option<&str>,
) -> Value {
    let (deciding, own) = case.unwrap_or(("", &[]));
    let shape_of = |name: &str| groups.iter().copied().chain([own]).flatten().find(|key| key.name == name);
    let member = |(name, member): (&String, &Value)| {
        let member = match shape_of(name) {
            Some(Key { shape, .. }) => looked_at_of(member, shape, resolution),
            None if name == deciding => member.clone(),
            None => Value::Null,
        };
        (name.clone(), member)
    };
    members.iter().map(member).collect::<Map<_, _>>().into()
}

#[cfg(test)]
mod tests {
    use super::super::tables::RULESET;
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_far_too_long_is_cut_wherever_it_stands_and_nothing_else() {
        let many = |n: usize| Value::from(vec![json!({"id": "a"}); n]);
        let whole = json!({
            "resolution": {"kind": "dice-pool", "reroll": many(1000)},
            "sheet": {"fields": many(900), "migrations": many(5000), "lists": [{"columns": many(1000)}]},
            "layers": [{"fields": many(10)}], "strange": many(5000),
        });
        let ruleset = looked_at_of(&whole, &RULESET, Some("dice-pool"));
        let length = |place: &str| ruleset.pointer(place).and_then(Value::as_array).map_or(0, Vec::len);
        assert_eq!(length("/sheet/fields"), looked_at(160));
        assert_eq!(length("/sheet/lists/0/columns"), looked_at(12));
        assert_eq!(length("/resolution/reroll"), looked_at(6));
        assert_eq!(ruleset["strange"], Value::Null);
        assert_eq!((length("/sheet/migrations"), length("/layers/0/fields")), (5000, 10));
        assert_eq!(ruleset["resolution"]["kind"], "dice-pool");
    }
}
