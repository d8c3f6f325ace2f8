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
    /// What is stored there.
    pub value: Value,
    /// Why it is lost.
    pub why: String,
}

/// Two versions, made ready to hold any number of sheets against them.
#[derive(Debug)]
pub struct Losses<'a> {
    old: (Migrator<'a>, Known<'a>),
    new: (Migrator<'a>, Known<'a>),
}

impl<'a> Losses<'a> {
    /// Of sheets of `old` that `new` is to read.
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
    format!("it is now limited to {holds}")
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn old() -> Value {
        json!({
            "id": "example", "resolution": {"proficiencyTiers": [{"id": "none"}, {"id": "expert"}]},
            "sheet": {
                "version": 3, "abilities": [{"id": "str", "min": 0, "max": 20}], "skills": [{"id": "climb"}],
                "fields": [{"id": "xp", "type": "number", "min": 0, "max": 900},
                    {"id": "notes", "type": "text", "maxLength": 80}],
                "lists": [{"id": "gear", "maxItems": 9, "columns": [
                    {"id": "name", "type": "text", "maxLength": 80},
                    {"id": "by", "type": "enum", "values": ["str", "dex"]}]}],
                "live": {"pools": [{"id": "hp", "max": {"const": 10}}],
                    "tracks": [{"id": "harm", "max": 5, "kinds": [{"id": "b"}, {"id": "l"}]}]}}
        })
    }

    fn sheet() -> Value {
        json!({"v": 3, "build": {
                "abilities": {"str": 18}, "skills": {"climb": "expert"}, "bonuses": {"climb": 30},
                "fields": {"xp": 500, "notes": "a map", "unknown": 3, "empty": null},
                "lists": {"gear": [{"name": "Rope", "by": "dex"}, {"name": "Torch", "by": "str"}]}},
            "live": {"pools": {"hp": {"value": 9}}, "wounds": {"harm": {"marks": ["b", "l"]}}}})
    }

    /// Where and why values are lost.
    fn lost(new: &Value) -> Vec<String> {
        let old = old();
        let losses = Losses::of(Edition { ruleset: new, files: &[] }, Edition { ruleset: &old, files: &[] });
        losses.of_sheet(sheet()).unwrap().iter().map(|lost| format!("{}: {}", lost.pointer, lost.why)).collect()
    }

    #[test]
    fn a_sheet_loses_what_has_no_place_or_is_cut() {
        for (at, value, expected) in [
            (
                "/sheet/abilities/0/max",
                json!(15),
                "/build/abilities/str: it is now limited to whole numbers from 0 to 15",
            ),
            ("/sheet/skills/0/id", json!("swim"), "/build/skills/climb: there is no skill `climb` any more"),
            (
                "/resolution/proficiencyTiers/1/id",
                json!("best"),
                "/build/skills/climb: there is no tier of skills `expert` any more",
            ),
            (
                "/sheet/bonusRange",
                json!({"min": -5, "max": 5}),
                "/build/bonuses/climb: it is now limited to whole numbers from -5 to 5",
            ),
            ("/sheet/fields/0/id", json!("experience"), "/build/fields/xp: there is no field `xp` any more"),
            (
                "/sheet/fields/1/maxLength",
                json!(4),
                "/build/fields/notes: it is now limited to text of at most 4 characters",
            ),
            ("/sheet/lists/0/id", json!("things"), "/build/lists/gear: there is no list `gear` any more"),
            ("/sheet/lists/0/maxItems", json!(1), "/build/lists/gear/1: it is now limited to at most 1 row"),
            ("/sheet/lists/0/columns/1/values", json!(["str"]), "/build/lists/gear/0/by: it is now limited to 1 value"),
            ("/sheet/live/pools/0/max/const", json!(8), "/live/pools/hp: it is now limited to numbers up to 8"),
            ("/sheet/live/tracks/0/max", json!(1), "/live/wounds/harm: it is now limited to at most 1 wound"),
            (
                "/sheet/live/tracks/0/kinds/1/id",
                json!("x"),
                "/live/wounds/harm: there is no kind of wound `l` any more",
            ),
        ] {
            let mut new = old();
            match new.pointer_mut(at) {
                Some(place) => *place = value,
                None => new["sheet"]["bonusRange"] = value,
            }
            let told = lost(&new);
            assert!(told.contains(&expected.to_owned()), "{at}: {told:#?}");
            // A skill goes with its bonus.
            assert_eq!(told.len(), if at == "/sheet/skills/0/id" { 2 } else { 1 }, "{at}: {told:#?}");
        }
        assert_eq!(lost(&old()), [""; 0]);
    }

    #[test]
    fn what_a_migration_brings_to_a_place_that_takes_it_is_not_lost() {
        let mut new = old();
        new["sheet"]["version"] = json!(4);
        new["sheet"]["fields"][0]["id"] = json!("experience");
        new["sheet"]["live"]["pools"][0]["id"] = json!("health");
        new["sheet"]["lists"][0]["columns"][1]["values"] = json!(["str"]);
        new["sheet"]["migrations"] = json!([{"from": 3, "steps": [
            {"rename": "field", "from": "xp", "to": "experience"},
            {"routeLive": "pool", "from": "hp", "cases": ["health"], "else": "health"},
            {"setColumn": {"list": "gear", "where": {"by": ["dex"]}, "column": "by", "to": "str"}}]}]);
        assert_eq!(lost(&new), [""; 0]);
        new["sheet"]["fields"][0]["max"] = json!(400);
        assert_eq!(lost(&new), ["/build/fields/xp: it is now limited to whole numbers from 0 to 400"]);
    }

    proptest! {
        /// Whatever stands in a sheet, it is read or refused, and by the same version it loses nothing.
        #[test]
        fn no_sheet_panics_and_none_loses_by_the_version_it_has(at in 0..12_usize, value in 0..6_usize) {
            let places = ["/v", "/build", "/build/skills/climb", "/build/fields", "/build/fields/xp",
                "/build/lists/gear", "/build/lists/gear/0", "/build/lists/gear/0/by", "/live", "/live/pools/hp",
                "/live/wounds/harm", "/live/pools"];
            let values = [json!(null), json!(3), json!("x"), json!([]), json!([[3]]), json!({"a": 1})];
            let mut sheet = sheet();
            *sheet.pointer_mut(places[at]).unwrap() = values[value].clone();
            let ruleset = old();
            let edition = Edition { ruleset: &ruleset, files: &[] };
            let lost = Losses::of(edition, edition).of_sheet(sheet);
            prop_assert!(lost.is_err() || lost.unwrap().is_empty());
        }
    }
}
