use super::cell::Cell;
use super::words::Folded;
use crate::json::whole_number;
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};

/// The migrations of a ruleset, read once for any number of sheets.
#[derive(Debug)]
pub struct Plan {
    /// By rising `from`.
    pub entries: Vec<Entry>,
}

/// What moves a sheet from one version on.
#[derive(Debug)]
pub struct Entry {
    pub from: u64,
    pub steps: Vec<MigrationStep>,
}

#[derive(Debug)]
pub enum MigrationStep {
    Rename {
        part: Part,
        from: String,
        to: String,
    },
    Route {
        from: String,
        by: Vec<String>,
        cases: Vec<(Vec<Folded>, String)>,
        otherwise: String,
        default: Option<Value>,
    },
    RouteLive {
        live: Live,
        from: String,
        cases: Vec<String>,
        otherwise: String,
    },
    SetColumn {
        list: String,
        wheres: Vec<(String, HashSet<Cell>)>,
        column: String,
        to: Value,
    },
}

/// The part of a sheet's build that a rename is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    Ability,
    Skill,
    Save,
    Field,
}

/// The part of the live state that is routed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Live {
    Pool,
    Track,
}

impl Live {
    /// What a step calls one of them.
    pub fn word(self) -> &'static str {
        match self {
            Live::Pool => "pool",
            Live::Track => "track",
        }
    }
}

impl Part {
    /// What one of them is called.
    pub fn word(self) -> &'static str {
        match self {
            Part::Ability => "ability",
            Part::Skill => "skill",
            Part::Save => "save",
            Part::Field => "field",
        }
    }

    /// The map of `build` they are kept in.
    pub fn key(self) -> &'static str {
        match self {
            Part::Ability => "abilities",
            Part::Skill => "skills",
            Part::Save => "saves",
            Part::Field => "fields",
        }
    }

    fn of(word: &str) -> Option<Self> {
        [Part::Ability, Part::Skill, Part::Save, Part::Field].into_iter().find(|part| part.word() == word)
    }
}

impl Plan {
    /// Reads `sheet.migrations`. What is no step is left out: the checks refuse a ruleset that has such a thing.
    pub fn of(ruleset: &Value) -> Self {
        let entries = ruleset["sheet"]["migrations"].as_array().into_iter().flatten();
        let mut entries: Vec<Entry> = entries
            .filter_map(|entry| {
                let steps = entry["steps"].as_array().into_iter().flatten();
                Some(Entry { from: whole_number(&entry["from"])?, steps: steps.filter_map(step).collect() })
            })
            .collect();
        entries.sort_by_key(|entry| entry.from);
        // Of several renames of one field the first counts.
        let mut renames = BTreeMap::new();
        for (from, to) in entries.iter().flat_map(|entry| &entry.steps).filter_map(renamed) {
            renames.entry(from).or_insert(to);
        }
        for step in entries.iter_mut().flat_map(|entry| &mut entry.steps) {
            if let MigrationStep::Route { by, .. } = step {
                follow(by, &renames);
            }
        }
        Plan { entries }
    }
}

fn renamed(step: &MigrationStep) -> Option<(String, String)> {
    match step {
        MigrationStep::Rename { part: Part::Field, from, to } => Some((from.clone(), to.clone())),
        _ => None,
    }
}

/// Adds the names a field got later: on a sheet that has only the new one, that one is read (M09).
///
/// As many as a field was ever called: a chain of renames longer than that was made to be long.
fn follow(names: &mut Vec<String>, renames: &BTreeMap<String, String>) {
    const MOST: usize = 1000;
    while let Some(to) = names.last().and_then(|name| renames.get(name)) {
        if names.len() == MOST || names.contains(to) {
            return;
        }
        names.push(to.clone());
    }
}

fn step(step: &Value) -> Option<MigrationStep> {
    let text = |key: &str| step[key].as_str().map(str::to_owned);
    if let Some(part) = step["rename"].as_str() {
        return Some(MigrationStep::Rename { part: Part::of(part)?, from: text("from")?, to: text("to")? });
    }
    if let Some(from) = text("route") {
        let cases = step["cases"].as_array()?.iter().filter_map(|case| {
            let words = case["words"].as_array()?.iter().filter_map(Value::as_str).map(Folded::of).collect();
            Some((words, case["to"].as_str()?.to_owned()))
        });
        let default = step.get("default").cloned();
        return Some(MigrationStep::Route {
            from,
            by: vec![text("by")?],
            cases: cases.collect(),
            otherwise: text("else")?,
            default,
        });
    }
    if let Some(kind) = step["routeLive"].as_str() {
        let live = [Live::Pool, Live::Track].into_iter().find(|live| live.word() == kind)?;
        let cases = step["cases"].as_array()?.iter().filter_map(|case| case.as_str().map(str::to_owned)).collect();
        return Some(MigrationStep::RouteLive { live, from: text("from")?, cases, otherwise: text("else")? });
    }
    let set = step.get("setColumn")?;
    let wheres = set["where"].as_object()?.iter();
    Some(MigrationStep::SetColumn {
        list: set["list"].as_str()?.to_owned(),
        wheres: wheres
            .filter_map(|(column, values)| Some((column.clone(), values.as_array()?.iter().map(Cell::of).collect())))
            .collect(),
        column: set["column"].as_str()?.to_owned(),
        to: set.get("to")?.clone(),
    })
}
