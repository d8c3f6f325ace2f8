//! What became of each thing of the version before.

use super::carried::Carried;
use super::holds::{Change, Holds};
use super::inventory::{Shelf, Thing};
use super::kinds::{By, Kind, Read};
use super::proposal::{Added, Proposals};
use crate::json::excerpt;
use crate::ruleset::migrating::Cell;
use crate::types::{Problem, Problems, Severity, codes};
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// A comparison of two versions.
#[derive(Debug)]
pub struct Compare<'a, 'f> {
    carried: Carried<'a>,
    proposals: Proposals,
    /// The tiers there are: of one that is gone for all, skills and saves need not be told.
    tiers: HashSet<&'a str>,
    found: &'f mut Problems,
    /// How bad the worst is that became of the layout that `sheet.version` counts, if anything did.
    pub worst_of_layout: Option<Severity>,
}

/// What a thing is within: the ids, from the outermost on, and how they are said.
#[derive(Clone, Debug, Default)]
struct Owner<'a> {
    ids: Vec<&'a str>,
    words: String,
}

impl Owner<'_> {
    /// "the column `harm` of the list `gear`"
    fn told(&self, kind: &Kind, id: &str) -> String {
        match kind.read {
            Read::Whole => format!("a {}", kind.word),
            _ => format!("the {} `{}`{}", kind.word, excerpt(id), self.words),
        }
    }
}

impl<'a, 'f> Compare<'a, 'f> {
    pub fn new(carried: Carried<'a>, proposals: Proposals, new: &[Shelf<'a>], found: &'f mut Problems) -> Self {
        let tiers = new.iter().filter(|shelf| shelf.kind.word == "tier");
        let tiers = tiers.flat_map(|shelf| shelf.things.iter().map(|thing| thing.id)).collect();
        Compare { carried, proposals, tiers, found, worst_of_layout: None }
    }

    /// The same kinds in the same order.
    pub fn shelves(&mut self, new: &[Shelf<'_>], old: &[Shelf<'_>]) {
        self.within(new, old, &Owner::default());
    }

    fn within(&mut self, new: &[Shelf<'_>], old: &[Shelf<'_>], owner: &Owner<'_>) {
        for (new, old) in new.iter().zip(old).filter(|(new, old)| new.is_known && old.is_known) {
            self.shelf(new, old, owner);
        }
    }

    fn shelf(&mut self, new: &Shelf<'_>, old: &Shelf<'_>, owner: &Owner<'_>) {
        let (now, before) = (new.by_id(), old.by_id());
        let added = Added::of(new.things.iter().filter(|thing| !before.contains_key(thing.id)));
        let mut told = HashSet::new();
        for thing in old.things.iter().filter(|thing| told.insert(thing.id)) {
            match now.get(thing.id) {
                Some(kept) => self.kept(new.kind, kept, thing, owner),
                None => self.gone(new, thing, owner, (&now, &added)),
            }
        }
    }

    fn kept(&mut self, kind: &Kind, now: &Thing<'_>, before: &Thing<'_>, owner: &Owner<'_>) {
        let is_like = now.holds.is_like(&before.holds);
        // The words of an enum are things of their own.
        if !(is_like && matches!(now.holds, Holds::Words(_))) {
            let lead =
                format!("{} accepts {}, but accepted {} before", owner.told(kind, before.id), now.holds, before.holds);
            self.changed(&lead, kind, now, before);
        }
        if is_like && !now.within.is_empty() {
            let words = format!(" of the {} `{}`{}", kind.word, excerpt(before.id), owner.words);
            let ids = owner.ids.iter().copied().chain([before.id]).collect();
            self.within(&now.within, &before.within, &Owner { ids, words });
        }
    }

    /// Tells where less can be stored than before, or something else.
    fn changed(&mut self, lead: &str, kind: &Kind, now: &Thing<'_>, before: &Thing<'_>) {
        match before.holds.change(&now.holds) {
            Change::None => {}
            Change::Narrower => {
                let message = format!("{lead}: stored values beyond that are cut off");
                self.found.push(now.node.problem(codes::RANGE_CUTS, message));
            }
            Change::Other => {
                let message = format!("{lead}: stored values cannot be read as that");
                self.layout(kind, now.node.problem(codes::TYPE_CHANGED, message));
            }
        }
    }

    fn gone(
        &mut self,
        shelf: &Shelf<'_>,
        thing: &Thing<'_>,
        owner: &Owner<'_>,
        (now, added): (&HashMap<&str, &Thing<'_>>, &Added<'_>),
    ) {
        let kind = shelf.kind;
        let subject = owner.told(kind, thing.id);
        let Some(by) = kind.by else {
            if kind.read != Read::Tiers || self.tiers.contains(thing.id) {
                let problem =
                    shelf.place.problem(codes::GONE_FOR_GOOD, format!("{subject} was removed: {}", kind.loss));
                self.layout(kind, problem);
            }
            return;
        };
        if let Some(ends) = self.ends(by, thing.id, owner) {
            for end in ends.into_iter().filter_map(|end| now.get(end)) {
                let goes = format!("the stored values of {subject} ({}) move to `{}`", thing.holds, excerpt(end.id));
                self.changed(&format!("{goes}, which accepts {}", end.holds), kind, end, thing);
            }
            return;
        }
        let message = format!("{subject} was removed, but no migration moves its stored values: {}", kind.loss);
        let likely = added.likely(thing, self.found);
        let hint = self.proposals.hint(by, &owner.ids, thing.id, likely);
        self.layout(kind, shelf.place.problem(codes::GONE_UNMIGRATED, message).hint(hint));
    }

    /// Where steps take what was stored for an id; nothing where none does.
    fn ends(&self, by: By, id: &str, owner: &Owner<'_>) -> Option<Vec<&'a str>> {
        match (by, owner.ids.as_slice()) {
            (By::SetColumn, [list, column]) => {
                self.carried.sets(list, column, &Cell::of(&Value::from(id))).then(Vec::new)
            }
            _ => self.carried.ends(by, id),
        }
    }

    fn layout(&mut self, kind: &Kind, problem: Problem) {
        if kind.is_layout {
            let worst = self.worst_of_layout.map_or(problem.severity, |worst| worst.min(problem.severity));
            self.worst_of_layout = Some(worst);
        }
        self.found.push(problem);
    }
}
