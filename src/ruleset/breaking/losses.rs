//! What one stored sheet loses by a new version.

use super::Edition;
use super::holds::Holds;
use super::inventory::{Thing, inventory};
use crate::json::excerpt;
use crate::ruleset::migrating::{Migrator, Moved, NoSheet};
use crate::ruleset::whole::Whole;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// Where a stored sheet keeps what, by the words of [`super::kinds::KINDS`]. A bonus is of a skill or of a save.
const KEPT: [(&str, &[&str]); 10] = [
    ("/build/abilities", &["ability"]),
    ("/build/skills", &["skill"]),
    ("/build/saves", &["save"]),
    ("/build/bonuses", &["skill", "save"]),
    ("/build/fields", &["field"]),
    ("/live/pools", &["live pool"]),
    ("/live/tracks", &["live track"]),
    ("/live/wounds", &["live track"]),
    ("/live/states", &["live state"]),
    ("/live/text", &["live text"]),
];

/// A stored value that the new version has no place for.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Lost {
    /// JSON pointer into the sheet as the version before reads it.
    pub pointer: String,
    pub value: Value,
    pub why: String,
}

/// Two versions, made ready to hold any number of sheets against them.
#[derive(Debug)]
pub struct Losses<'a> {
    old: (Migrator<'a>, Known<'a>),
    new: (Migrator<'a>, Known<'a>),
}

impl<'a> Losses<'a> {
    pub fn of(new: Edition<'a>, old: Edition<'a>) -> Self {
        let ready = |edition: Edition<'a>| (Migrator::new(edition.ruleset), Known::of(edition));
        Losses { old: ready(old), new: ready(new) }
    }

    /// What the version before shows of a sheet and the new one, once it has migrated the sheet, does not.
    ///
    /// # Errors
    ///
    /// As [`Migrator::migrate`], for either version.
    pub fn of_sheet(&self, sheet: Value) -> Result<Vec<Lost>, NoSheet> {
        let before = self.old.0.migrate(sheet.clone())?.sheet;
        let now = self.new.0.migrate(sheet)?;
        let look = Look { before: &self.old.1, now: &self.new.1, sheet: &now.sheet, moves: moves(&now.steps) };
        let mut lost = Vec::new();
        for (map, kinds) in KEPT {
            for (id, value) in members(&before, map).filter(|(_, value)| !value.is_null()) {
                lost.extend(look.value(map, kinds, id, value));
            }
        }
        for (list, rows) in members(&before, "/build/lists") {
            look.rows(list, rows, &mut lost);
        }
        Ok(lost)
    }
}

/// The ways that values went, by the places they came from.
fn moves(steps: &[Moved]) -> HashMap<&str, Vec<&str>> {
    let mut moves: HashMap<&str, Vec<&str>> = HashMap::new();
    for step in steps {
        if let (Some(from), Some(to)) = (step.from.as_deref(), step.to.as_deref()) {
            moves.entry(from).or_default().push(to);
        }
    }
    moves
}

fn members<'s>(sheet: &'s Value, map: &str) -> impl Iterator<Item = (&'s String, &'s Value)> {
    sheet.pointer(map).and_then(Value::as_object).into_iter().flatten()
}

/// What a version knows, by kind and id.
#[derive(Debug)]
struct Known<'a>(HashMap<&'static str, HashMap<&'a str, Stored<'a>>>);

/// What can be stored for a thing, and for what is within it: the columns of a list, the wounds of a track.
#[derive(Debug)]
struct Stored<'a> {
    holds: Holds<'a>,
    within: HashMap<&'a str, Holds<'a>>,
}

impl<'a> Known<'a> {
    fn of(edition: Edition<'a>) -> Self {
        let mut known: HashMap<_, HashMap<_, _>> = HashMap::new();
        for shelf in inventory(&Whole::new(edition.ruleset, edition.files)) {
            for Thing { id, holds, within, .. } in shelf.things {
                let within = within.into_iter().flat_map(|shelf| shelf.things);
                let within = within.map(|thing| (thing.id, thing.holds)).collect();
                let of_kind = known.entry(shelf.kind.word).or_default();
                of_kind.entry(id).or_insert(Stored { holds, within });
            }
        }
        Known(known)
    }

    fn get(&self, kind: &'static str, id: &str) -> Option<&Stored<'a>> {
        self.0.get(kind)?.get(id)
    }

    /// Why a value of this map of a sheet is not shown; nothing where it is.
    fn refusal(&self, map: &str, kinds: &[&'static str], id: &str, value: &Value) -> Option<String> {
        let gone = |kind: &str, id: &str| Some(format!("there is no {kind} `{}` any more", excerpt(id)));
        let Some(thing) = kinds.iter().find_map(|kind| self.get(kind, id)) else {
            return gone(&kinds.join(" or "), id);
        };
        let holds = match map {
            "/build/skills" | "/build/saves" => {
                let kind = if map == "/build/skills" { "tier of skills" } else { "tier of saves" };
                let tier = value.as_str().filter(|tier| self.get(kind, tier).is_none());
                return tier.and_then(|tier| gone(kind, tier));
            }
            "/build/bonuses" => &self.get("bonus", "")?.holds,
            _ => &thing.holds,
        };
        if map == "/live/wounds" {
            let mut marks = value["marks"].as_array().into_iter().flatten().filter_map(Value::as_str);
            if let Some(mark) = marks.find(|mark| !thing.within.contains_key(mark)) {
                return gone("kind of wound", mark);
            }
        }
        let value = if map == "/live/pools" { &value["value"] } else { value };
        (!value.is_null() && !holds.takes(value)).then(|| beyond(holds))
    }
}

fn beyond(holds: &Holds<'_>) -> String {
    format!("{holds} can be stored there now")
}

/// A sheet as both versions read it.
struct Look<'a> {
    before: &'a Known<'a>,
    now: &'a Known<'a>,
    /// The sheet as the new version migrates it, and what went where on the way.
    sheet: &'a Value,
    moves: HashMap<&'a str, Vec<&'a str>>,
}

impl Look<'_> {
    /// A value that was shown, and is not shown wherever it went.
    fn value(&self, map: &str, kinds: &[&'static str], id: &str, value: &Value) -> Option<Lost> {
        if self.before.refusal(map, kinds, id, value).is_some() {
            return None;
        }
        let place = format!("{map}/{id}");
        let (mut why, mut seen, mut open) = (None, HashSet::new(), vec![place.as_str()]);
        while let Some(at) = open.pop() {
            let (map, id) = at.rsplit_once('/')?;
            // That it is not shown anywhere is why it is lost, and where it went last says most of it.
            why = Some(self.now.refusal(map, kinds, id, value)?);
            open.extend(self.moves.get(at).into_iter().flatten().filter(|to| seen.insert(**to)));
        }
        Some(Lost { pointer: place, value: value.clone(), why: why? })
    }

    /// The rows of a list: all of them, those beyond the most there may be, or single cells.
    fn rows(&self, list: &str, rows: &Value, lost: &mut Vec<Lost>) {
        let Some(before) = self.before.get("list", list) else { return };
        let place = format!("/build/lists/{list}");
        let Some(now) = self.now.get("list", list) else {
            let why = format!("there is no list `{list}` any more");
            return lost.push(Lost { pointer: place, value: rows.clone(), why });
        };
        let most = if let Holds::Rows(Some(most)) = now.holds { most } else { f64::INFINITY };
        for (index, row) in rows.as_array().into_iter().flatten().enumerate() {
            let place = format!("{place}/{index}");
            if index as f64 >= most {
                lost.push(Lost { pointer: place, value: row.clone(), why: beyond(&now.holds) });
                continue;
            }
            for (column, cell) in row.as_object().into_iter().flatten().filter(|(_, cell)| !cell.is_null()) {
                if before.within.get(column.as_str()).is_none_or(|holds| !holds.takes(cell)) {
                    continue;
                }
                let place = format!("{place}/{column}");
                // A migration may have set it anew.
                let cell_now = self.sheet.pointer(&place).unwrap_or(cell);
                let why = match now.within.get(column.as_str()) {
                    None => format!("there is no column `{column}` any more"),
                    Some(holds) if !holds.takes(cell_now) => beyond(holds),
                    Some(_) => continue,
                };
                lost.push(Lost { pointer: place, value: cell.clone(), why });
            }
        }
    }
}
