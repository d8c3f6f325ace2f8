//! What a value reference reads in the end, by way of everything it reads.

use super::super::names::Ids;
use super::super::whole::Whole;
use crate::json::excerpt;
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// Something that not every place may read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ReadingKind {
    Live,
    Modifier,
    ListSum,
}

impl ReadingKind {
    /// What a reference itself reads of this kind, in words that follow "reads".
    fn read_by(self, reference: &Value) -> Option<String> {
        let named = |key: &str, what: &str| Some(format!("{what} `{}`", excerpt(reference.get(key)?.as_str()?)));
        match self {
            // An `enumTable` is the one reader of a live state; its `from` is looked at as a reference is.
            ReadingKind::Live => named("liveTrack", "the live track")
                .or_else(|| named("livePool", "the live pool"))
                .or_else(|| named("liveState", "the live state"))
                .or_else(|| reference.get("itemStat").map(|_| "the items of the character".to_owned())),
            ReadingKind::Modifier => {
                named("skillMod", "the modifier of the skill").or_else(|| named("saveMod", "the modifier of the save"))
            }
            ReadingKind::ListSum => {
                let list = reference.get("listSum")?.get("list").and_then(Value::as_str).unwrap_or_default();
                Some(format!("a sum over the list `{}`", excerpt(list)))
            }
        }
    }
}

/// What is read by way of the derived values, skills and saves looked into so far. A catalog may scale thousands of
/// columns from the same few.
pub(super) struct Readings<'w, 'v> {
    ruleset: &'w Whole<'v>,
    known: HashMap<(ReadingKind, *const Value), Option<String>>,
}

impl<'w, 'v> Readings<'w, 'v> {
    pub(super) fn of(ruleset: &'w Whole<'v>) -> Self {
        Readings { ruleset, known: HashMap::new() }
    }

    /// The first reading of a kind in all that a reference reads, in words that follow "reads".
    pub(super) fn first(&mut self, reference: &Value, kind: ReadingKind) -> Option<String> {
        let further = || reads_on(self.ruleset, reference, kind);
        kind.read_by(reference)
            .or_else(|| further().into_iter().find_map(|(what, node)| self.by_way_of(what, node, kind)))
    }

    fn by_way_of(&mut self, what: &'static str, node: &'v Value, kind: ReadingKind) -> Option<String> {
        let place = (kind, std::ptr::from_ref(node));
        if let Some(read) = self.known.get(&place) {
            return read.clone();
        }
        let read = self.search(what, node, kind);
        self.known.insert(place, read.clone());
        read
    }

    /// Works off a list rather than calling itself: a hostile file may chain thousands of derived values, and a faulty
    /// one may chain them to a circle.
    fn search(&self, what: &'static str, node: &'v Value, kind: ReadingKind) -> Option<String> {
        let mut seen = HashSet::from([std::ptr::from_ref(node)]);
        let mut open = vec![(what, node)];
        while let Some((what, node)) = open.pop() {
            match self.known.get(&(kind, std::ptr::from_ref(node))) {
                Some(None) => continue,
                Some(read) => return read.clone(),
                None => {}
            }
            for reference in references_of(node) {
                if let Some(read) = kind.read_by(reference) {
                    let id = node.get("id").and_then(Value::as_str);
                    let id = id.map_or_else(String::new, |id| format!(" `{}`", excerpt(id)));
                    return Some(format!("{read} through the {what}{id}"));
                }
                let further = reads_on(self.ruleset, reference, kind).into_iter();
                open.extend(further.filter(|(_, node)| seen.insert(std::ptr::from_ref(*node))));
            }
        }
        None
    }
}

/// The derived values, skills and saves whose own references a reference reads.
///
/// The modifier of a skill or a save is made of its cap and of the proficiency bonus (N120), which reads nothing live
/// and no modifier itself. Where a modifier may not be read, only what stands there counts: derived values have a rule
/// of their own (N121).
fn reads_on<'v>(ruleset: &Whole<'v>, reference: &Value, kind: ReadingKind) -> Vec<(&'static str, &'v Value)> {
    let names = &ruleset.names;
    let named = |key: &str, ids: &Ids<'v>| Some(ids.get(reference.get(key)?.as_str()?)?.value());
    if kind == ReadingKind::Modifier {
        return Vec::new();
    }
    let kinds = [
        ("derived value", "derived", &names.derived),
        ("skill", "skillMod", &names.skills),
        ("save", "saveMod", &names.saves),
    ];
    let reads_modifier = kind == ReadingKind::ListSum && ReadingKind::Modifier.read_by(reference).is_some();
    let proficiency = ruleset.root.value().pointer("/resolution/proficiency").filter(|_| reads_modifier);
    let bonus = proficiency.map(|proficiency| ("proficiency bonus", proficiency));
    kinds.into_iter().filter_map(|(what, key, ids)| Some((what, named(key, ids)?))).chain(bonus).collect()
}

/// What a derived value itself reads of a kind, in words that follow "reads".
pub(super) fn held_by(derived: &Value, kind: ReadingKind) -> Option<String> {
    references_of(derived).into_iter().find_map(|reference| kind.read_by(reference))
}

/// The references a derived value is worked out from, the one that caps a skill or a save, the proficiency bonus.
fn references_of(node: &Value) -> Vec<&Value> {
    let of = node.get("of").into_iter().flat_map(|of| match of {
        Value::Array(items) => items.iter().collect(),
        one => vec![one],
    });
    of.chain(node.get("from")).chain(node.get("cap")).chain(node.get("bonus")).collect()
}
