use crate::ruleset::node::Node;

use crate::types::{Problem, codes};
use serde_json::Value;

/// M14: what a newer `ruleset.json` breaks of the one published before it. An entry of `sheet.migrations` that shipped
/// never disappears and never changes: a sheet that was stored long ago still needs it, as it was.
///
/// Entries are told apart by the version they are from, so their order is free, and so are comments. Values are
/// compared as JavaScript compares them (`3.0` is `3`).
pub fn check(new: &Node<'_>, old: &Node<'_>) -> Vec<Problem> {
    // Where a missing entry is told: the deepest of these that is there.
    let sheet = new.get("sheet");
    let migrations = sheet.as_ref().and_then(|sheet| sheet.get("migrations"));
    let place = migrations.as_ref().or(sheet.as_ref()).unwrap_or(new);
    let shipped = old.get("sheet").into_iter().flat_map(|sheet| sheet.list("migrations"));
    shipped
        .filter_map(|entry| {
            let from = entry.number_of("from")?;
            let same_version = |entry: &Node<'_>| entry.number_of("from") == Some(from);
            let mut kept = migrations.iter().flat_map(|entries| entries.items()).filter(same_version).peekable();
            match kept.peek().cloned() {
                None => {
                    let message = format!("the published entry from version {from} was removed");
                    Some(
                        place.problem(codes::M14, message).hint("restore it unchanged: sheets stored long ago need it"),
                    )
                }
                Some(_) if kept.any(|kept| same(kept.value(), entry.value())) => None,
                Some(first) => Some(changed(&first, &entry, from)),
            }
        })
        .collect()
}

/// Points at the first step that differs, where it is a step.
fn changed(new: &Node<'_>, old: &Node<'_>, from: f64) -> Problem {
    let differing = new.list("steps").zip(old.list("steps")).find(|(new, old)| !same(new.value(), old.value()));
    let place = differing.map_or_else(|| new.clone(), |(step, _)| step);
    let message = format!("the entry from version {from} is not what was published");
    place.problem(codes::M14, message).hint("leave it unchanged, and put further steps into a separate entry")
}

/// Whether two values mean the same. They are parsed already, so nesting has an end.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            let said = |key: &&String| *key != "$comment";
            let count = |object: &serde_json::Map<String, Value>| object.keys().filter(said).count();
            count(a) == count(b)
                && a.iter().filter(|(key, _)| said(key)).all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::whole::FILE;
    use proptest::prelude::*;
    use serde_json::json;

    fn told(new: &Value, old: &Value) -> Vec<String> {
        check(&Node::root(new, FILE), &Node::root(old, FILE))
            .iter()
            .map(|problem| format!("{} {}", problem.code, problem.pointer.as_deref().unwrap()))
            .collect()
    }

    fn with(migrations: Value) -> Value {
        json!({"sheet": {"version": 9, "migrations": migrations}})
    }

    fn entry(from: u32, to: &str) -> Value {
        json!({"from": from, "steps": [
            {"rename": "field", "from": "a", "to": "b"}, {"rename": "field", "from": "xp", "to": to},
        ]})
    }

    #[test]
    fn what_shipped_stays_and_new_entries_may_join_it() {
        let old = with(json!([entry(1, "x"), entry(2, "y")]));
        for new in [
            json!([entry(1, "x"), entry(2, "y")]),
            json!([entry(3, "z"), entry(2, "y"), entry(1, "x")]),
            json!([entry(2, "y"), {"$comment": "long ago", "from": 1.0, "steps": entry(1, "x")["steps"]}]),
        ] {
            assert_eq!(told(&with(new.clone()), &old), [""; 0], "{new}");
        }
        assert_eq!(told(&with(json!([])), &json!({"sheet": {"version": 1}})), [""; 0]);
    }

    #[test]
    fn m14_an_entry_that_shipped_never_disappears() {
        let old = with(json!([entry(1, "x"), entry(2, "y")]));
        assert_eq!(told(&with(json!([entry(2, "y")])), &old), ["M14 /sheet/migrations"]);
        assert_eq!(told(&json!({"sheet": {}}), &old), ["M14 /sheet", "M14 /sheet"]);
        assert_eq!(told(&json!({}), &with(json!([entry(1, "x")]))), ["M14 "]);
    }

    #[test]
    fn m14_an_entry_that_shipped_never_changes() {
        let old = with(json!([entry(1, "x"), entry(2, "y")]));
        let changed = |new: Value| told(&with(json!([entry(1, "x"), new])), &old);
        assert_eq!(changed(entry(2, "z")), ["M14 /sheet/migrations/1/steps/1"]);
        assert_eq!(changed(json!({"from": 2, "steps": []})), ["M14 /sheet/migrations/1"]);
        let mut longer = entry(2, "y");
        longer["steps"].as_array_mut().unwrap().push(json!({"setColumn": {}}));
        assert_eq!(changed(longer), ["M14 /sheet/migrations/1"]);
    }

    proptest! {
        #[test]
        fn no_shape_panics(new in 0..6_usize, old in 0..6_usize) {
            let shapes = [json!(null), json!([]), with(json!({})), with(json!([3, {}, {"from": "1"}])),
                with(json!([{"from": 1, "steps": 3}])), with(json!([{"from": 1}]))];
            told(&shapes[new], &shapes[old]);
        }
    }
}
