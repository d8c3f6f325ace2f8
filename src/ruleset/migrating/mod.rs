//! Stored sheets brought to a ruleset's newest layout by its `sheet.migrations` (docs/spec/checks.md#migrations, MR1 to
//! MR10).

mod cell;
mod live;
mod plan;
mod reading;
#[cfg(test)]
mod tests;
mod words;

use crate::json::{excerpt, whole_number};
use reading::version;
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::HashSet;

pub(super) use cell::Cell;
pub(super) use plan::{Live, MigrationStep, Part, Plan};
pub(super) use words::Folded;

/// The objects of a sheet that steps read and write. Where one is something else, nothing could be moved, and raising
/// the version would leave its values behind for good; `null` is as good as nothing there.
const MAPS: [&str; 10] = [
    "/build/abilities",
    "/build/skills",
    "/build/saves",
    "/build/bonuses",
    "/build/fields",
    "/build/lists",
    "/live",
    "/live/pools",
    "/live/tracks",
    "/live/wounds",
];

/// Brings any number of sheets to a ruleset's `sheet.version`.
#[derive(Debug)]
pub struct Migrator<'a> {
    ruleset: &'a Value,
    id: &'a str,
    version: u64,
    plan: Plan,
}

/// What became of a sheet.
#[derive(Clone, Debug, PartialEq)]
pub struct Migrated {
    /// It, as the ruleset's newest version wants it.
    pub sheet: Value,
    /// The version it was stored at.
    pub from: u64,
    /// The version it is at now: always the ruleset's.
    pub to: u64,
    /// Whether it is other than before.
    pub changed: bool,
    /// What moved, in order.
    pub steps: Vec<Moved>,
}

/// One thing that moved.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Moved {
    /// The version whose entry said so.
    pub entry: u64,
    /// Which of its steps, from 1.
    pub step: usize,
    /// `rename`, `route`, `routeLive` or `setColumn`.
    pub kind: String,
    /// JSON pointers into the sheet. A default that stands in for a value never stored comes from nowhere.
    pub from: Option<String>,
    /// Nothing where a value was only dropped.
    pub to: Option<String>,
    /// What the target holds now.
    pub value: Value,
    /// Why it went there.
    pub why: String,
}

/// Why a sheet is left alone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoSheet {
    /// It is no sheet; why not.
    #[error("it is not a stored sheet: {0}")]
    Shape(String),
    /// It is of a version that the ruleset does not know yet.
    #[error("it was stored in version {found}, but the ruleset's sheet is at version {newest}")]
    #[allow(missing_docs)]
    Newer { found: u64, newest: u64 },
    /// It is of the ruleset named.
    #[error("it belongs to the ruleset `{0}`")]
    OtherRuleset(String),
}

impl<'a> Migrator<'a> {
    /// A ruleset that was checked; one without a sheet version has sheets of version 1.
    pub fn new(ruleset: &'a Value) -> Self {
        Migrator {
            ruleset,
            id: ruleset["id"].as_str().unwrap_or_default(),
            version: whole_number(&ruleset["sheet"]["version"]).unwrap_or(1),
            plan: Plan::of(ruleset),
        }
    }

    /// Runs the entries from the sheet's version on, lowest first, and every `routeLive` whatever the version: live
    /// state has none (MR8). Build steps copy, and never overwrite but for `setColumn` (MR2). Run again it changes
    /// nothing.
    ///
    /// # Errors
    ///
    /// For what is no sheet of this ruleset, or one of a newer layout. A sheet that names its ruleset (`ruleset`, an id
    /// or an object with one) is held to it.
    pub fn migrate(&self, sheet: Value) -> Result<Migrated, NoSheet> {
        let from = self.judge(&sheet)?;
        let mut run = Run { sheet, steps: Vec::new(), entry: 0, step: 0 };
        let newer = self.plan.entries.iter().filter(|entry| entry.from >= from && entry.from < self.version);
        for entry in newer {
            for (index, step) in entry.steps.iter().enumerate() {
                (run.entry, run.step) = (entry.from, index + 1);
                run.build_step(step);
            }
        }
        if from != self.version {
            run.sheet["v"] = self.version.into();
        }
        for entry in &self.plan.entries {
            for (index, step) in entry.steps.iter().enumerate() {
                if let MigrationStep::RouteLive { live, from, cases, otherwise } = step {
                    (run.entry, run.step) = (entry.from, index + 1);
                    run.route_live(self.ruleset, *live, from, cases, otherwise);
                }
            }
        }
        // Every step noted wrote or dropped something.
        let changed = from != self.version || !run.steps.is_empty();
        Ok(Migrated { sheet: run.sheet, from, to: self.version, changed, steps: run.steps })
    }

    fn judge(&self, sheet: &Value) -> Result<u64, NoSheet> {
        let shape = |why: &str| NoSheet::Shape(why.to_owned());
        if !sheet.is_object() {
            return Err(shape("expected a JSON object"));
        }
        let found = version(sheet).ok_or_else(|| match sheet.get("v") {
            None => shape("`v`, the version it was stored in, is missing"),
            Some(_) => shape("`v`, the version it was stored in, is not a whole number of at least 1"),
        })?;
        if !sheet["build"].is_object() {
            return Err(shape("`build` is missing"));
        }
        if let Some(map) = MAPS.iter().find(|map| sheet.pointer(map).is_some_and(is_something_else)) {
            return Err(NoSheet::Shape(format!("`{map}` is not an object")));
        }
        let owner = sheet["ruleset"].as_str().or(sheet["ruleset"]["id"].as_str());
        // A community id carries its namespace; the file always carries the bare one.
        let bare = owner.map(|owner| owner.rsplit_once('/').map_or(owner, |(_, id)| id));
        if bare.is_some_and(|owner| owner != self.id) {
            return Err(NoSheet::OtherRuleset(excerpt(owner.unwrap_or_default()).into_owned()));
        }
        if found > self.version {
            return Err(NoSheet::Newer { found, newest: self.version });
        }
        Ok(found)
    }
}

fn is_something_else(map: &Value) -> bool {
    !map.is_object() && !map.is_null()
}

/// A sheet on its way.
struct Run {
    sheet: Value,
    steps: Vec<Moved>,
    entry: u64,
    step: usize,
}

impl Run {
    fn build_step(&mut self, step: &MigrationStep) {
        match step {
            MigrationStep::Rename { part, from, to } => self.rename(*part, from, to),
            MigrationStep::Route { from, by, cases, otherwise, default } => {
                self.route(from, by, cases, otherwise, default.as_ref());
            }
            MigrationStep::SetColumn { list, wheres, column, to } => self.set_column(list, wheres, column, to),
            // It is decided against the migrated sheet, so its turn is when all else is done (MR7).
            MigrationStep::RouteLive { .. } => {}
        }
    }

    /// MR3.
    fn rename(&mut self, part: Part, from: &str, to: &str) {
        let why = || format!("the {} is now called `{to}`", part.word());
        self.copy("rename", part.key(), from, to, why());
        if matches!(part, Part::Skill | Part::Save) {
            self.copy("rename", "bonuses", from, to, format!("the bonus of the {} moves with it", part.word()));
        }
    }

    /// MR4.
    fn route(
        &mut self,
        from: &str,
        by: &[String],
        cases: &[(Vec<Folded>, String)],
        otherwise: &str,
        default: Option<&Value>,
    ) {
        let stored = self.sheet["build"]["fields"].get(from).filter(|value| !value.is_null()).cloned();
        let Some(value) = stored.clone().or(default.cloned()) else { return };
        let (to, why) = self.case(by, cases, otherwise);
        let to = to.to_owned();
        self.put("route", "fields", stored.is_some().then_some(from), &to, value, why);
    }

    /// The target whose words stand in the text of the field, and why it is that one.
    fn case<'c>(&self, by: &[String], cases: &'c [(Vec<Folded>, String)], otherwise: &'c str) -> (&'c str, String) {
        let fields = &self.sheet["build"]["fields"];
        let told = by.iter().find_map(|name| Some((name, text_of(fields.get(name)?)?)));
        let Some((name, text)) = told else {
            return (otherwise, format!("the sheet has no `{}`", by.first().map_or("", String::as_str)));
        };
        let folded = Folded::of(&text);
        let named: Vec<&String> =
            cases.iter().filter(|(words, _)| words.iter().any(|word| folded.names(word))).map(|(_, to)| to).collect();
        let shown = excerpt(&text).into_owned();
        match named.as_slice() {
            [one] => (one, format!("`{name}` is \"{shown}\"")),
            [] => (otherwise, format!("`{name}` is \"{shown}\", which matches none of the cases")),
            _ => (otherwise, format!("`{name}` is \"{shown}\", which matches several of the cases")),
        }
    }

    /// MR6.
    fn set_column(&mut self, list: &str, wheres: &[(String, HashSet<Cell>)], column: &str, to: &Value) {
        let rows =
            self.sheet["build"].get_mut("lists").and_then(|lists| lists.get_mut(list)).and_then(Value::as_array_mut);
        let mut set = Vec::new();
        for (index, row) in rows.into_iter().flatten().enumerate() {
            let Some(row) = row.as_object_mut() else { continue };
            let fits = wheres
                .iter()
                .all(|(column, values)| row.get(column).is_some_and(|cell| values.contains(&Cell::of(cell))));
            if fits && row.get(column) != Some(to) {
                row.insert(column.to_owned(), to.clone());
                set.push(index);
            }
        }
        for index in set {
            let to_place = format!("/build/lists/{list}/{index}/{column}");
            let why = format!(
                "the row is one of those selected: {}",
                wheres.iter().map(|(column, _)| column.as_str()).collect::<Vec<_>>().join(", ")
            );
            self.note("setColumn", None, Some(to_place), to.clone(), why);
        }
    }

    fn copy(&mut self, kind: &str, part: &str, from: &str, to: &str, why: String) {
        if let Some(value) = self.sheet["build"][part].get(from).filter(|value| !value.is_null()).cloned() {
            self.put(kind, part, Some(from), to, value, why);
        }
    }

    /// Writes a value of the build where there is none yet.
    fn put(&mut self, kind: &str, part: &str, from: Option<&str>, to: &str, value: Value, why: String) {
        let Some(build) = self.sheet.get_mut("build").and_then(Value::as_object_mut) else { return };
        let values = build.entry(part).or_insert_with(Value::default);
        if values.is_null() {
            *values = Value::Object(Map::new());
        }
        let Some(values) = values.as_object_mut() else { return };
        if values.get(to).is_some_and(|there| !there.is_null()) {
            return;
        }
        values.insert(to.to_owned(), value.clone());
        let from = from.map(|from| format!("/build/{part}/{from}"));
        self.note(kind, from, Some(format!("/build/{part}/{to}")), value, why);
    }

    fn note(&mut self, kind: &str, from: Option<String>, to: Option<String>, value: Value, why: String) {
        self.steps.push(Moved { entry: self.entry, step: self.step, kind: kind.to_owned(), from, to, value, why });
    }
}

/// What a field says, in words.
fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}
