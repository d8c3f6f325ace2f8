//! D03: a system of currencies that says which version it is of.

use super::super::read::{kind, name, said};
use crate::diceframe::codes;
use crate::json::excerpt;
use crate::types::{Pointer, Problem, Problems};
use serde_json::Value;
use std::collections::BTreeSet;

const VERSION: i64 = 2;

/// Without a version it is of the time before there were any, and nothing is asked of it
/// (docs/spec/diceframe.md#reading-15).
pub(super) fn check(rule: &Value, problems: &mut Problems) {
    let Some(system) = said(rule, "currency_system") else { return };
    let Some(version) = said(system, "schema_version") else { return };
    let at = Pointer::root().at("currency_system");
    let mut wrong = |at: Pointer, message: String| problems.push(Problem::new(codes::D03, &at, message));
    if version.as_i64() != Some(VERSION) {
        let message = format!("`schema_version` is {}, but should be {VERSION}", kind(version));
        return wrong(at.at("schema_version"), message);
    }
    let units = match system.get("units") {
        Some(Value::Array(units)) if !units.is_empty() => units,
        _ => return wrong(at.at("units"), "`units` is not a list with at least one unit".to_owned()),
    };
    let mut ids = BTreeSet::new();
    for (n, unit) in units.iter().enumerate() {
        let at = at.at("units").at(n);
        match name(unit, "id") {
            None => wrong(at.at("id"), "a unit has no `id`".to_owned()),
            Some(id) if !ids.insert(id) => {
                wrong(at.at("id"), format!("`{}` is already the id of an earlier unit", excerpt(id)));
            }
            Some(_) => {}
        }
        if name(unit, "name").is_none() {
            wrong(at.at("name"), "a unit has no `name`".to_owned());
        }
        if unit.get("rate").and_then(Value::as_i64).is_none_or(|rate| rate <= 0) {
            let found = unit.get("rate").map_or("missing".to_owned(), kind);
            wrong(at.at("rate"), format!("`rate` is {found}, but should be a whole number above 0"));
        }
        if let Some(symbol) = said(unit, "symbol").filter(|symbol| !symbol.is_string()) {
            wrong(at.at("symbol"), format!("`symbol` is {}, but should be text", kind(symbol)));
        }
    }
    let base = name(system, "base_unit").filter(|base| ids.contains(base));
    match base {
        None => wrong(at.at("base_unit"), "`base_unit` is not the id of a unit".to_owned()),
        Some(base) => {
            let is_base = |unit: &&Value| name(unit, "id") == Some(base);
            if units.iter().find(is_base).and_then(|unit| unit.get("rate")).is_none_or(|rate| rate.as_i64() != Some(1))
            {
                wrong(at.at("base_unit"), format!("`{}` is the base unit, but its `rate` is not 1", excerpt(base)));
            }
        }
    }
    if said(system, "display_unit").is_some() && name(system, "display_unit").is_none_or(|unit| !ids.contains(unit)) {
        wrong(at.at("display_unit"), "`display_unit` is not the id of a unit".to_owned());
    }
}
