//! What a new version of a ruleset breaks of the one published before it (docs/spec/checks.md#breaking-changes): what
//! stored sheets and games know by its id and that is gone, is of another type or takes less than it did, and that no
//! migration takes along.
//!
//! ```text
//! kinds ── holds      the table of what has an identity, and what can be stored for each
//!   └── inventory     all of that in one version
//!         ├── compare what became of each: carried along (carried), likely renamed (proposal), or lost
//!         └── losses  the same of one stored sheet
//! ```

mod carried;
mod compare;
mod holds;
mod inventory;
mod kinds;
mod losses;
mod proposal;
mod shipped;
#[cfg(test)]
mod tests;

pub use losses::{Losses, Lost};

use super::migrating::Plan;
use super::node::Node;
use super::whole::Whole;
use crate::json::{excerpt, whole_number};
use crate::types::{Problem, Problems, Severity, codes};
use carried::Carried;
use compare::Compare;
use inventory::inventory;
use proposal::Proposals;
use serde_json::Value;

/// One version of a ruleset, with its catalog files by path.
#[derive(Clone, Copy, Debug)]
pub struct Edition<'a> {
    /// Its `ruleset.json`.
    pub ruleset: &'a Value,
    /// Its catalog files, by path.
    pub files: &'a [(String, Value)],
}

/// What `new` breaks of `old`, which was published before it. Findings stand in the files of `new`. Of two versions
/// that say the same there are none, and of one that only adds to the other there are none either.
///
/// Whether versions were raised that nothing of the sheets depends on is not asked here: that takes the bytes.
pub fn against(new: Edition<'_>, old: Edition<'_>) -> Vec<Problem> {
    let (now, before) = (Whole::new(new.ruleset, new.files), Whole::new(old.ruleset, old.files));
    if let Some(other) = renamed(&now.root, &before.root) {
        return vec![other];
    }
    let mut found: Problems = shipped::check(&now.root, &before.root).into();
    let sheet = now.root.get("sheet").filter(|sheet| sheet.value().is_object());
    let (Some(sheet), true) = (sheet, before.root.has("sheet")) else { return found.into_vec() };
    let (from, to) = (version(old.ruleset), version(new.ruleset));
    let plan = Plan::of(new.ruleset);
    let (shelves, shelves_before) = (inventory(&now), inventory(&before));
    let proposals = Proposals { from, has_entry: plan.entries.iter().any(|entry| entry.from == from) };
    let mut compare = Compare::new(Carried::of(&plan, from), proposals, &shelves, &mut found);
    compare.shelves(&shelves, &shelves_before);
    let worst = compare.worst_of_layout;
    found.extend(layout_version(&sheet, (from, to), worst));
    found.into_vec()
}

/// A sheet names its ruleset, and one of another name is none of its sheets.
fn renamed(new: &Node<'_>, old: &Node<'_>) -> Option<Problem> {
    let (id, before) = (new.get("id")?, old.text_of("id")?);
    let is_other = id.text()? != before;
    let message = format!(
        "the previously published ruleset is `{}`, so its sheets and games do not belong to this \
                 one",
        excerpt(before)
    );
    is_other.then(|| id.problem(codes::RULESET_ID_CHANGED, message))
}

/// The version stored sheets are of; as [`super::Migrator`] has it.
fn version(ruleset: &Value) -> u64 {
    whole_number(&ruleset["sheet"]["version"]).unwrap_or(1)
}

/// `worst` is how bad the worst is that became of the layout.
fn layout_version(sheet: &Node<'_>, (from, to): (u64, u64), worst: Option<Severity>) -> Option<Problem> {
    let place = sheet.get("version").unwrap_or_else(|| sheet.clone());
    let tell = |message: String, severity: Severity| {
        let hint = format!("write {}, so that migrations from version {from} run", from + 1);
        place.problem(codes::LAYOUT_VERSION, message).severity(severity).hint(hint)
    };
    if to < from {
        let message =
            format!("`sheet.version` went from {from} to {to}, so every sheet stored since is rejected as newer");
        let hint = format!("write {from} or a higher number");
        return Some(tell(message, Severity::Error).hint(hint));
    }
    let worst = worst.filter(|_| to == from)?;
    Some(tell(format!("the layout of sheets changed, but `sheet.version` is still {from}"), worst))
}
