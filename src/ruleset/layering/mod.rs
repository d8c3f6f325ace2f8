//! The ruleset a game plays with: what its player turned on, applied (docs/spec/checks.md#layers, LR1 to LR8).
//!
//! A layer narrows something or adds text, and nothing else. What a sheet holds already stays there: nothing here looks
//! at a sheet.

mod coins;
mod fields;
mod guidance;
mod loot;
mod market;
mod picker;
#[cfg(test)]
mod tests;

use super::check::check;
use crate::types::{Problem, Severity, suggest};
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeSet, HashSet};

/// A ruleset with layers applied.
#[derive(Clone, Debug)]
pub struct Layered {
    /// The whole ruleset as one document: what its catalog files hold stands in its catalogs.
    pub ruleset: Value,
    /// The layers applied, in the order they are declared and applied in.
    pub active: Vec<String>,
    /// The layers that were chosen and are not applied.
    pub dropped: Vec<Dropped>,
    /// Entries the sheet editor's picker leaves out. They exist all the same: what a sheet holds, loot and creatures
    /// name goes on working, so they are not taken out of the ruleset.
    pub hidden: Vec<Hidden>,
    /// Parts of a layer that could not be done beside what earlier layers did.
    pub undone: Vec<Undone>,
}

/// A layer that was chosen and is not applied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Dropped {
    /// The layer.
    pub id: String,
    /// The active layer declared before it that it conflicts with; nothing when the layer itself is wrong, or leaves a
    /// field without a value beside those before it.
    pub conflict: Option<String>,
    /// Why, as a sentence.
    pub reason: String,
}

/// An entry hidden from the picker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Hidden {
    /// The catalog it is of.
    pub catalog: String,
    /// Its id.
    pub entry: String,
    /// The first active layer that hides it.
    pub layer: String,
}

/// A part of a layer that was left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Undone {
    /// The layer that asked for it.
    pub layer: String,
    /// Why, as a sentence.
    pub reason: String,
}

/// A layer was chosen that the ruleset does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the ruleset has no layer `{id}`")]
pub struct UnknownLayer {
    /// What was chosen.
    pub id: String,
    /// Those whose names come near.
    pub near: Vec<String>,
    /// Every layer there is.
    pub known: Vec<String>,
}

/// Applies the chosen layers of a ruleset, in the order they are declared in, whatever order they are named in.
///
/// Of two that conflict the one declared later is dropped: a layer stays unless it conflicts with one that stays before
/// it (docs/spec/decisions.md#q35). A layer that breaks a rule of its own is dropped too (LR8), and so is one that
/// leaves a field without a value beside those kept before it (N122); what it conflicts with does not come back (N125).
/// `files` are the catalog files by path.
///
/// # Errors
/// The first chosen layer that nobody declared.
pub fn with_layers(ruleset: &Value, files: &[(String, Value)], chosen: &[&str]) -> Result<Layered, UnknownLayer> {
    let layers: Vec<&Value> = ruleset["layers"].as_array().into_iter().flatten().collect();
    let known: Vec<&str> = layers.iter().filter_map(|layer| layer["id"].as_str()).collect();
    if let Some(id) = chosen.iter().find(|id| !known.contains(id)) {
        let near = suggest(id, known.iter().copied());
        return Err(UnknownLayer { id: (*id).to_owned(), near, known: known.into_iter().map(str::to_owned).collect() });
    }
    let mut result = Layered {
        ruleset: in_one_document(ruleset, files),
        active: Vec::new(),
        dropped: Vec::new(),
        hidden: Vec::new(),
        undone: Vec::new(),
    };
    let chosen: BTreeSet<&str> = chosen.iter().copied().collect();
    if chosen.is_empty() {
        return Ok(result);
    }
    let faults = check(ruleset, files, None);
    let mut active: Vec<&Value> = Vec::new();
    for (index, layer) in layers.into_iter().enumerate() {
        let Some(id) = layer["id"].as_str().filter(|id| chosen.contains(id)) else { continue };
        if let Some(before) = active.iter().find(|before| conflict(before, layer)) {
            let before = before["id"].as_str().unwrap_or_default();
            let reason = format!("it conflicts with `{before}`, which is declared before it");
            result.dropped.push(Dropped { id: id.to_owned(), conflict: Some(before.to_owned()), reason });
        } else if let Some(fault) = fault_of(index, &faults) {
            result.dropped.push(Dropped { id: id.to_owned(), conflict: None, reason: fault.reason() });
        } else {
            active.push(layer);
        }
    }
    let active = together(ruleset, active, &mut result.dropped);
    if active.is_empty() {
        return Ok(result);
    }
    let name = |layer: &Value| layer["id"].as_str().unwrap_or_default().to_owned();
    result.active = active.iter().map(|layer| name(layer)).collect();
    guidance::append(&mut result.ruleset, &active);
    let undone = &mut result.undone;
    fields::narrow(&mut result.ruleset, &active, |layer, reason| undone.push(Undone { layer: name(layer), reason }));
    for layer in active {
        apply(layer, &mut result);
    }
    loot::without_lost_coins(&mut result.ruleset);
    Ok(result)
}

/// The layers that leave a valid ruleset together; of those that do not, each that does with the ones kept before it
/// (N122).
fn together<'v>(ruleset: &Value, chosen: Vec<&'v Value>, dropped: &mut Vec<Dropped>) -> Vec<&'v Value> {
    if fields::emptied(ruleset, &chosen).is_none() {
        return chosen;
    }
    let mut kept = Vec::new();
    for layer in chosen {
        kept.push(layer);
        if let Some(field) = fields::emptied(ruleset, &kept) {
            kept.pop();
            let reason = format!("together with earlier layers, it removes the last value of field `{field}`");
            dropped.push(Dropped { id: layer["id"].as_str().unwrap_or_default().to_owned(), conflict: None, reason });
        }
    }
    kept
}

/// Whether either names the other.
fn conflict(one: &Value, other: &Value) -> bool {
    let names = |layer: &Value, id: &Value| layer["conflicts"].as_array().is_some_and(|named| named.contains(id));
    names(one, &other["id"]) || names(other, &one["id"])
}

fn fault_of(index: usize, faults: &[Problem]) -> Option<&Problem> {
    let at = format!("/layers/{index}");
    let is_within =
        |pointer: &str| pointer.strip_prefix(&at).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    // Where more is wrong than is told, what is not told may be wrong with this layer.
    let may_be_within = |fault: &&Problem| match fault.pointer.as_deref() {
        Some(pointer) => is_within(pointer),
        None => fault.stands_for > 1,
    };
    faults.iter().filter(|fault| fault.severity == Severity::Error).find(may_be_within)
}

fn apply(layer: &Value, result: &mut Layered) {
    let id = layer["id"].as_str().unwrap_or_default();
    let ruleset = &mut result.ruleset;
    let mut undone = |reason: String| result.undone.push(Undone { layer: id.to_owned(), reason });
    if layer["difficultyLadder"].is_array() {
        ruleset["resolution"]["difficultyLadder"] = layer["difficultyLadder"].clone();
    }
    coins::take_out(ruleset, &layer["currencies"]);
    market::take_sellers_and_wares(ruleset, &layer["items"]["market"], &mut undone);
    loot::replace(ruleset, &layer["items"]["lootTables"]);
    let known = result.hidden.iter().map(|known| (known.catalog.clone(), known.entry.clone()));
    let mut known: HashSet<(String, String)> = known.collect();
    for (catalog, entry) in picker::hides(ruleset, &layer["catalogs"]) {
        if known.insert((catalog.clone(), entry.clone())) {
            result.hidden.push(Hidden { catalog, entry, layer: id.to_owned() });
        }
    }
}

/// The ruleset with the entries of its catalog files in the catalogs that name them.
fn in_one_document(ruleset: &Value, files: &[(String, Value)]) -> Value {
    let mut whole = ruleset.clone();
    for catalog in items_mut(&mut whole, "/catalogs") {
        let file = catalog["asset"].as_str().and_then(|asset| files.iter().find(|(path, _)| path == asset));
        if let (Some((_, file)), Some(members)) = (file, catalog.as_object_mut()) {
            members.remove("asset");
            members.insert("entries".to_owned(), file["entries"].clone());
        }
    }
    whole
}

/// The items of the list at a pointer; none where there is no list.
fn items_mut<'a>(value: &'a mut Value, pointer: &str) -> impl Iterator<Item = &'a mut Value> {
    list_mut(value, pointer).into_iter().flatten()
}

/// The list at a pointer, to be changed.
fn list_mut<'a>(value: &'a mut Value, pointer: &str) -> Option<&'a mut Vec<Value>> {
    value.pointer_mut(pointer).and_then(Value::as_array_mut)
}

/// The items of a list that are texts.
fn texts(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str)
}
