//! D18: the attributes a sheet has.

use super::super::read::{kind, name, said};
use crate::diceframe::codes;
use crate::json::excerpt;
use crate::types::{Pointer, Problem, Problems, Severity};
use serde_json::Value;
use std::collections::BTreeSet;

/// The range of an attribute that declares none, as the validation of sheets has it
/// (docs/spec/diceframe.md#reading-31).
const DEFAULT_MIN: f64 = 3.0;
const DEFAULT_MAX: f64 = 18.0;

/// The keys a rule declares.
pub(super) fn keys(rule: &Value) -> BTreeSet<&str> {
    rule.get("attributes").and_then(Value::as_array).into_iter().flatten().filter_map(|it| name(it, "key")).collect()
}

pub(super) fn check(rule: &Value, problems: &mut Problems) {
    let at = Pointer::root().at("attributes");
    let mut wrong = |at: &dyn Fn() -> Pointer, message: &dyn Fn() -> String| {
        if !problems.is_only_counted(codes::D18, Severity::Error, None) {
            problems.push(Problem::new(codes::D18, &at(), message()));
        }
    };
    let entries = match rule.get("attributes") {
        None | Some(Value::Null) => return,
        Some(Value::Array(entries)) => entries,
        Some(other) => {
            return wrong(&|| at.clone(), &|| format!("`attributes` is {}, but should be a list", kind(other)));
        }
    };
    let mut seen = BTreeSet::new();
    for (n, entry) in entries.iter().enumerate() {
        let at = || at.at(n);
        if !entry.is_object() {
            wrong(&at, &|| format!("an attribute is {}, but should be an object", kind(entry)));
            continue;
        }
        let Some(key) = name(entry, "key") else {
            wrong(&|| at().at("key"), &|| "an attribute has no `key`".to_owned());
            continue;
        };
        if !seen.insert(key) {
            wrong(&|| at().at("key"), &|| format!("`{}` is already the key of an earlier attribute", excerpt(key)));
        }
        let mut bound = |name: &str, default: f64| match said(entry, name) {
            None => Some(default),
            Some(value) => value.as_f64().or_else(|| {
                wrong(&|| at().at(name), &|| format!("`{name}` is {}, but should be a number", kind(value)));
                None
            }),
        };
        let (min, max) = (bound("min", DEFAULT_MIN), bound("max", DEFAULT_MAX));
        if let (Some(min), Some(max)) = (min, max)
            && min > max
        {
            let end = if said(entry, "min").is_some() { "min" } else { "max" };
            wrong(&|| at().at(end), &|| {
                format!("`{}` ranges from {min} to {max}, which no value satisfies", excerpt(key))
            });
        }
    }
}
