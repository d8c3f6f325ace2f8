//! Everything in one version of a ruleset that has an identity on stored sheets or in games.

use super::holds::Holds;
use super::kinds::{KINDS, Kind, Read};
use crate::ruleset::node::Node;
use crate::ruleset::whole::{Catalog, Whole};
use std::collections::HashMap;

/// All things of one kind within the same thing.
#[derive(Debug)]
pub struct Shelf<'a> {
    pub kind: &'static Kind,
    /// The list they stand in; where there is none, the deepest place on the way to it.
    pub place: Node<'a>,
    pub things: Vec<Thing<'a>>,
    /// Nothing where something else stands in the list's place or on the way to it, which the shape refuses, or its
    /// file is not at hand.
    pub is_known: bool,
}

#[derive(Debug)]
pub struct Thing<'a> {
    pub id: &'a str,
    pub label: Option<&'a str>,
    pub holds: Holds<'a>,
    pub node: Node<'a>,
    pub within: Vec<Shelf<'a>>,
}

impl Thing<'_> {
    /// Whether it is a catalog that no sheet can have picked from: an empty one, or one of creatures.
    pub fn offers_nothing(&self) -> bool {
        let is_empty = |shelf: &Shelf<'_>| shelf.is_known && shelf.things.is_empty();
        self.within.iter().any(|shelf| shelf.kind.read == Read::Entries && is_empty(shelf))
    }
}

/// Takes stock of a whole ruleset, in the order of [`KINDS`].
pub fn inventory<'a>(whole: &Whole<'a>) -> Vec<Shelf<'a>> {
    KINDS.iter().map(|kind| shelf(kind, &whole.root, whole)).collect()
}

fn shelf<'a>(kind: &'static Kind, owner: &Node<'a>, whole: &Whole<'a>) -> Shelf<'a> {
    let (place, is_there) = follow(owner, kind.at);
    let thing = |id: &'a str, label: Option<&'a str>, node: Node<'a>| {
        let within = kind.within.iter().map(|kind| shelf(kind, &node, whole)).collect();
        Thing { id, label, holds: (kind.holds)(&node), node, within }
    };
    let declared = |node: Node<'a>| Some(thing(node.text_of("id")?, node.text_of("label"), node));
    let mut is_known = if is_there { place.value().is_array() } else { place.value().is_object() };
    let things = match kind.read {
        Read::Ids => place.items().filter(|_| is_there).filter_map(declared).collect(),
        Read::Tiers if !is_there => whole
            .root
            .get("resolution")
            .map_or_else(Vec::new, |resolution| resolution.list("proficiencyTiers").filter_map(declared).collect()),
        Read::Words | Read::Tiers => {
            let labels = owner.get("valueLabels");
            let label = |word: &str| labels.as_ref().and_then(|labels| labels.text_of(word));
            place
                .items()
                .filter(|_| is_there)
                .filter_map(|node| Some(thing(node.text()?, label(node.text()?), node)))
                .collect()
        }
        Read::Entries => {
            let catalog = Catalog::of(owner.clone(), &whole.files);
            let root = catalog.file.as_ref().unwrap_or(&catalog.header);
            let is_list = root.get("entries").is_none_or(|entries| entries.value().is_array());
            is_known = catalog.is_read() && root.value().is_object() && is_list;
            let is_picked_from = catalog.holds() != "creatures";
            catalog.entries.into_iter().filter(|_| is_picked_from).filter_map(declared).collect()
        }
        Read::Whole => {
            is_known = place.value().is_object();
            vec![thing("", None, place.clone())]
        }
    };
    Shelf { kind, place, things, is_known }
}

/// What stands at the end of a path of keys, or the last thing before that which does not go on; and which of both.
fn follow<'a>(from: &Node<'a>, path: &[&str]) -> (Node<'a>, bool) {
    let mut place = from.clone();
    for key in path {
        match place.get(key) {
            Some(next) => place = next,
            None => return (place, false),
        }
    }
    (place, true)
}

impl<'a> Shelf<'a> {
    /// Its things by their ids; of what is declared twice, the first counts.
    pub fn by_id(&self) -> HashMap<&'a str, &Thing<'a>> {
        let mut by_id = HashMap::new();
        for thing in &self.things {
            by_id.entry(thing.id).or_insert(thing);
        }
        by_id
    }
}
