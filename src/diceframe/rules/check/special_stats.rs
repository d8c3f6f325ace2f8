//! D04, D31: stats beside the attributes.

use super::super::read::{kind, name};
use crate::diceframe::codes;
use crate::types::{Pointer, Problem, Problems};
use serde_json::Value;

/// The maximum of a stat that declares none, or 0 (docs/spec/diceframe.md#keys-of-a-rule).
const DEFAULT_MAX: u64 = 99;

/// Stats whose beginning the engine has a rule of its own for.
const WITH_OWN_BEGINNING: [&str; 2] = ["sanity", "luck"];

pub(super) fn check(rule: &Value, problems: &mut Problems) {
    let at = Pointer::root().at("special_stats");
    let entries = match rule.get("special_stats") {
        None | Some(Value::Null) => return,
        Some(Value::Array(entries)) => entries,
        Some(other) => {
            let message = format!("`special_stats` is {}, but should be a list", kind(other));
            problems.push(Problem::new(codes::D04, &at, message));
            return;
        }
    };
    for (n, entry) in entries.iter().enumerate() {
        let at = at.at(n);
        if !entry.is_object() {
            let message = format!("a special stat is {}, but should be an object", kind(entry));
            problems.push(Problem::new(codes::D04, &at, message));
            continue;
        }
        let Some(key) = name(entry, "key") else {
            problems.push(Problem::new(codes::D04, &at.at("key"), "a special stat has no `key`"));
            continue;
        };
        if entry.get("initial").is_none() && !WITH_OWN_BEGINNING.contains(&key) {
            let begins = match entry.get("max").and_then(Value::as_f64) {
                Some(max) if max != 0.0 => max.to_string(),
                _ => DEFAULT_MAX.to_string(),
            };
            let message = format!("`{}` has no `initial`, so it starts at {begins}", crate::json::excerpt(key));
            problems.push(
                Problem::new(codes::D31, &at, message)
                    .hint(format!("write `\"initial\": {begins}` if that is intended")),
            );
        }
    }
}
