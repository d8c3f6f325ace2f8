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

/// Where what is stored for the things of one shelf can go.
struct Targets<'s, 'a> {
    now: HashMap<&'a str, &'s Thing<'a>>,
    before: HashMap<&'a str, &'s Thing<'a>>,
    /// What moves to each, or is among what may; the first that always does.
    taken: HashMap<&'s str, Option<&'a str>>,
}

impl<'s, 'a> Targets<'s, 'a> {
    /// Whether a thing is new and no migration moves anything to it.
    fn is_free(&self, id: &str) -> bool {
        !self.before.contains_key(id) && !self.taken.contains_key(id)
    }

    /// Takes these for what was stored for a thing; and which of them may be taken already, and why. Of several to
    /// choose from, as `route` does, one that is free is enough.
    fn conflict(&mut self, id: &'a str, ends: &[&'s Thing<'a>]) -> Option<(&'s Thing<'a>, String)> {
        let first = *ends.first()?;
        let other = self.taken.get(first.id).copied().flatten();
        for end in ends {
            let always = if ends.len() == 1 { Some(id) } else { None };
            let taken = self.taken.entry(end.id).or_default();
            *taken = taken.or(always);
        }
        if ends.iter().all(|end| self.before.contains_key(end.id)) {
            let why = "which is not new: a sheet that has a value there keeps that one, and loses the other";
            return Some((first, why.to_owned()));
        }
        let other = other.filter(|_| ends.len() == 1)?;
        let why = format!("and so do those of `{}`: a sheet that has both loses one of them", excerpt(other));
        Some((first, why))
    }
}

/// What goes with a thing. Of a track, that depends on what it holds.
fn loss(kind: &Kind, thing: &Thing<'_>) -> &'static str {
    match thing.holds {
        Holds::Marks(_) => "stored sheets lose its marks",
        _ => kind.loss,
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
        let mut told = HashSet::new();
        let (kept, gone): (Vec<_>, Vec<_>) =
            old.things.iter().filter(|thing| told.insert(thing.id)).partition(|thing| now.contains_key(thing.id));
        for (kept, thing) in kept.into_iter().filter_map(|thing| Some((now.get(thing.id)?, thing))) {
            self.kept(new.kind, kept, thing, owner);
        }
        let mut targets = Targets { now, before, taken: HashMap::new() };
        let mut left = Vec::new();
        for thing in gone.into_iter().filter(|thing| !thing.offers_nothing()) {
            match new.kind.by.and_then(|by| self.ends(by, thing.id, owner)) {
                Some(ends) => self.moved(new.kind, thing, owner, &ends, &mut targets),
                None => left.push(thing),
            }
        }
        let mut added = Added::of(new.things.iter().filter(|thing| targets.is_free(thing.id)));
        for thing in left {
            self.gone(new, thing, owner, &mut added);
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

    /// Tells where what migrations move does not fit, or may find its place taken: of a value that is there already
    /// nothing is overwritten (docs/spec/checks.md#mr2).
    fn moved<'t>(
        &mut self,
        kind: &Kind,
        thing: &Thing<'t>,
        owner: &Owner<'_>,
        ends: &[&str],
        targets: &mut Targets<'_, 't>,
    ) {
        let subject = owner.told(kind, thing.id);
        let ends: Vec<&Thing<'_>> = ends.iter().filter_map(|end| targets.now.get(end)).copied().collect();
        for end in &ends {
            let goes = format!("the stored values of {subject} ({}) move to `{}`", thing.holds, excerpt(end.id));
            self.changed(&format!("{goes}, which accepts {}", end.holds), kind, end, thing);
        }
        if let Some((end, why)) = targets.conflict(thing.id, &ends) {
            let message = format!("the stored values of {subject} move to `{}`, {why}", excerpt(end.id));
            self.found.push(end.node.problem(codes::TARGET_TAKEN, message));
        }
    }

    fn gone(&mut self, shelf: &Shelf<'_>, thing: &Thing<'_>, owner: &Owner<'_>, added: &mut Added<'_>) {
        let kind = shelf.kind;
        let (subject, loss) = (owner.told(kind, thing.id), loss(kind, thing));
        let Some(by) = kind.by else {
            if kind.read != Read::Tiers || self.tiers.contains(thing.id) {
                let problem = shelf.place.problem(codes::GONE_FOR_GOOD, format!("{subject} was removed: {loss}"));
                self.layout(kind, problem);
            }
            return;
        };
        let message = format!("{subject} was removed, but no migration moves its stored values: {loss}");
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
