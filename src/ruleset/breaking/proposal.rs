//! The step that a migration lacks, as JSON to paste.

use super::inventory::Thing;
use super::kinds::By;
use crate::types::Problems;
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// Stands for an id that only the author knows.
const OPEN: &str = "…";

/// Where steps are to be added.
#[derive(Clone, Copy, Debug)]
pub struct Proposals {
    /// The version of the sheets that need them.
    pub from: u64,
    /// Whether there is an entry from that version. It cannot have been published.
    pub has_entry: bool,
}

impl Proposals {
    /// What to add for an id that went, most likely to this one. `owner` is the list and the column of a value.
    pub fn hint(self, by: By, owner: &[&str], id: &str, likely: Option<&str>) -> String {
        let (step, from) = (step(by, owner, id, likely.unwrap_or(OPEN)), self.from);
        let add = match self.has_entry {
            true => format!("add to the steps from version {from} in `sheet.migrations`: {step}"),
            false => format!("add to `sheet.migrations`: {{\"from\": {from}, \"steps\": [{step}]}}"),
        };
        match likely {
            Some(likely) => format!("if it is now called `{likely}`, {add}"),
            None => format!("restore it, or choose its new id and {add}"),
        }
    }
}

fn step(by: By, owner: &[&str], id: &str, to: &str) -> String {
    let quoted = |text: &str| Value::from(text).to_string();
    let (from, to) = (quoted(id), quoted(to));
    match by {
        By::Rename(part) => format!("{{\"rename\": \"{}\", \"from\": {from}, \"to\": {to}}}", part.word()),
        By::RouteLive(live) => {
            let live = live.word();
            format!("{{\"routeLive\": \"{live}\", \"from\": {from}, \"cases\": [{to}], \"else\": {to}}}")
        }
        By::SetColumn => {
            let [list, column] = [0, 1].map(|at| quoted(owner.get(at).copied().unwrap_or(OPEN)));
            let (list, set) = (format!("\"list\": {list}"), format!("\"column\": {column}, \"to\": {to}"));
            format!("{{\"setColumn\": {{{list}, \"where\": {{{column}: [{from}]}}, {set}}}}}")
        }
    }
}

/// What there is now and was not before: what something that went may be called now.
#[derive(Debug, Default)]
pub struct Added<'a> {
    /// By type.
    ids: HashMap<&'static str, Vec<&'a str>>,
    /// By type and label.
    labels: HashMap<(&'static str, String), Vec<&'a str>>,
    /// What was proposed for one thing, and is not for another.
    proposed: HashSet<&'a str>,
}

impl<'a> Added<'a> {
    pub fn of<'t>(things: impl Iterator<Item = &'t Thing<'a>>) -> Self
    where
        'a: 't,
    {
        let mut added = Added::default();
        for thing in things {
            let of_type = thing.holds.type_name();
            added.ids.entry(of_type).or_default().push(thing.id);
            if let Some(label) = thing.label {
                added.labels.entry((of_type, label.to_lowercase())).or_default().push(thing.id);
            }
        }
        added
    }

    /// What a thing of the version before is now, and no other thing is, where just one of its type has its label, or
    /// else is spelt like it.
    pub fn likely(&mut self, thing: &Thing<'_>, found: &mut Problems) -> Option<&'a str> {
        self.alike(thing, found).filter(|id| self.proposed.insert(id))
    }

    fn alike(&self, thing: &Thing<'_>, found: &mut Problems) -> Option<&'a str> {
        let of_type = thing.holds.type_name();
        let labelled = thing.label.and_then(|label| self.labels.get(&(of_type, label.to_lowercase())));
        if let Some(labelled) = labelled {
            return if let [only] = labelled.as_slice() { Some(only) } else { None };
        }
        let known = self.ids.get(of_type)?;
        let likely = found.suggest(thing.id, known.iter().copied());
        let [only] = likely.as_slice() else { return None };
        known.iter().copied().find(|id| id == only)
    }
}
