//! What holds between the documents of a catalog (docs/spec/catalog.md#lanes-and-preview): the engine range of a
//! manifest says in which lanes its entry stands, and everything else follows from that.

use super::finding;
use super::listed::{Listed, of_document};
use super::order::is_out_of_order;
use super::tree::{Document, Tier, Tree};
use crate::catalog::{EngineRange, FIRST_LANE};
use crate::json;
use crate::types::{Pointer, Problem, Problems, codes};
use std::collections::{BTreeMap, BTreeSet};

/// Everything that is wrong with where entries stand. What cannot be told of the documents `unread`, whose entries
/// nobody knows, is not held against any.
pub(super) fn check(tree: &Tree, all: &[Listed<'_>], unread: &BTreeSet<&str>) -> Problems {
    let mut found = Problems::default();
    for (number, document) in tree.documents.iter().enumerate() {
        let entries: Vec<&Listed> = all.iter().filter(|listed| listed.document == number).collect();
        repeated_ids(document, &entries, &mut found);
        foreign_entries(document, &entries, &mut found);
        if document.lane.is_some() {
            out_of_order(document, &entries, &mut found);
        }
    }
    for tier in [Tier::Published, Tier::Preview] {
        Lanes::of(tree, all, tier, unread).iter().for_each(|lanes| lanes.check(&mut found));
    }
    two_tiers(tree, all, &mut found);
    found
}

/// B11: who asks for an id by name gets one of the two.
fn repeated_ids(document: &Document, entries: &[&Listed<'_>], found: &mut Problems) {
    let mut seen: BTreeMap<&str, &Listed> = BTreeMap::new();
    for listed in entries {
        let Some(id) = listed.id() else { continue };
        if let Some(first) = seen.get(id) {
            let message = format!("`{}` is already listed, at {}", json::excerpt(id), first.at);
            let problem = Problem::new(codes::DUPLICATE_ID, &listed.at.at("manifest").at("id"), message);
            found.push(about(problem.hint("list every package once"), document, listed));
        } else {
            seen.insert(id, listed);
        }
    }
}

/// An entry in the lane of engines it is not for.
fn foreign_entries(document: &Document, entries: &[&Listed<'_>], found: &mut Problems) {
    let Some(lane) = document.lane.or((document.tier == Tier::Preview).then_some(FIRST_LANE)) else { return };
    for listed in entries {
        let outside = listed.range.as_ref().filter(|range| !range.is_in_lane(lane));
        let Some(EngineRange { min, max_exclusive: max }) = outside else { continue };
        let message = format!("engines from {min} to below {max} do not belong in lane v{lane}");
        let problem = Problem::new(codes::LANE_FOREIGN, &listed.at.at("manifest").at("engine"), message);
        found.push(about(problem.hint("remove the entry from this lane, or widen its engine range"), document, listed));
    }
}

/// The entries of a lane are sorted by name.
fn out_of_order(document: &Document, entries: &[&Listed<'_>], found: &mut Problems) {
    let named: Vec<(&str, &Listed)> =
        entries.iter().filter_map(|listed| Some((listed.name.as_deref()?, *listed))).collect();
    for pair in named.windows(2) {
        let [(before, _), (name, listed)] = pair else { continue };
        if is_out_of_order(before, name) {
            let message = format!("`{}` comes after `{}`", json::excerpt(name), json::excerpt(before));
            let problem = Problem::new(codes::LANE_ORDER, &listed.at.at("manifest").at("name"), message);
            found.push(about(problem.hint("sort the entries of a lane by name"), document, listed));
        }
    }
}

/// The documents of one tier, when they are all there is of it: a folder with lanes.
struct Lanes<'l, 't> {
    tier: Tier,
    documents: Vec<&'l Document>,
    all: &'l [Listed<'t>],
    tree: &'l Tree,
    unread: &'l BTreeSet<&'l str>,
    /// Each package of the tier as it is first listed.
    packages: BTreeMap<&'l str, &'l Listed<'t>>,
}

impl<'l, 't> Lanes<'l, 't> {
    fn of(tree: &'l Tree, all: &'l [Listed<'t>], tier: Tier, unread: &'l BTreeSet<&str>) -> Option<Self> {
        let mut documents: Vec<&Document> = tree.documents.iter().filter(|document| document.tier == tier).collect();
        // The preview mirrors the published lanes, so where there are those it has some.
        let mirrored = |document: &Document| document.tier == tier || tier == Tier::Preview;
        let mut lanes = tree.documents.iter().filter(|document| document.lane.is_some());
        let is_whole = tree.documents.len() > 1 && !documents.is_empty() && lanes.any(mirrored);
        is_whole.then_some(())?;
        documents.retain(|document| !unread.contains(document.name.as_str()));
        let mut packages = BTreeMap::new();
        for listed in of_document(all, &tree.documents, move |document| document.tier == tier) {
            if let Some(id) = listed.id() {
                packages.entry(id).or_insert(listed);
            }
        }
        Some(Lanes { tier, documents, all, tree, unread, packages })
    }

    fn check(&self, found: &mut Problems) {
        self.alias(found);
        self.set(found);
        for document in self.documents.iter().filter(|document| document.lane.is_some()) {
            self.missing_entries(document, found);
            self.other_entries(document, found);
        }
    }

    fn entries(&self, document: &'l Document) -> impl Iterator<Item = &'l Listed<'t>> {
        of_document(self.all, &self.tree.documents, move |other| std::ptr::eq(other, document))
    }

    fn name(&self, lane: Option<u32>) -> String {
        let lane = lane.map(|lane| format!("v{lane}/")).unwrap_or_default();
        format!("{}{lane}catalog.json", self.tier.prefix())
    }

    /// The document without a lane is a copy of the first lane, byte for byte.
    fn alias(&self, found: &mut Problems) {
        let of = |lane: Option<u32>| self.documents.iter().find(|document| document.lane == lane);
        let copy = self.name(None);
        let Some(first) = of(Some(FIRST_LANE)) else { return };
        let copying = format!("copy `{}` to `{copy}`", first.name);
        let (message, hint) = match of(None) {
            Some(alias) if alias.text == first.text => return,
            Some(alias) if is_checkout_of(&alias.text, &first.text) => {
                let hint = "add `*.json -text` to .gitattributes: Git changed the line endings of this checkout";
                (format!("`{copy}` differs from `{}` only in its line endings", first.name), hint.to_owned())
            }
            Some(_) => (format!("`{copy}` differs from `{}`", first.name), copying),
            None if self.is_unreadable(&copy) => return,
            None => {
                let why = "is missing, but engines older than the lanes need it";
                (format!("`{copy}` {why}; it is a copy of `{}`", first.name), copying)
            }
        };
        let problem = Problem::new(codes::LANE_ALIAS, &Pointer::root(), message);
        found.push(finding(problem.hint(hint), &copy, None));
    }

    fn is_unreadable(&self, name: &str) -> bool {
        self.unread.contains(name) || self.tree.problems.iter().any(|problem| problem.file.as_deref() == Some(name))
    }

    /// The lanes there are follow from the ranges there are.
    fn set(&self, found: &mut Problems) {
        let ranges = self.packages.values().filter_map(|listed| listed.range.as_ref());
        let mut wanted: BTreeSet<u32> = ranges.flat_map(EngineRange::lanes).collect();
        let is_first_empty = wanted.insert(FIRST_LANE);
        let there: BTreeSet<u32> = self.documents.iter().filter_map(|document| document.lane).collect();
        for lane in wanted.symmetric_difference(&there) {
            let name = self.name(Some(*lane));
            let message = match there.contains(lane) {
                true => "no entry supports the engines of this lane".to_owned(),
                false if self.is_unreadable(&name) => continue,
                false if is_first_empty && *lane == FIRST_LANE => {
                    format!("`{name}` is missing, although it would be empty")
                }
                false => format!("`{name}` is missing, although there are entries for engines {lane}.x"),
            };
            let problem = Problem::new(codes::LANE_SET, &Pointer::root(), message);
            let hint = "write a lane for each major version that an entry's engine range covers, and for version 2";
            found.push(finding(problem.hint(hint), &name, None));
        }
    }

    fn missing_entries(&self, document: &'l Document, found: &mut Problems) {
        let Some(lane) = document.lane else { return };
        let there: BTreeSet<&str> = self.entries(document).filter_map(Listed::id).collect();
        for (id, listed) in &self.packages {
            let Some(range) = &listed.range else { continue };
            if there.contains(id) || !range.is_in_lane(lane) {
                continue;
            }
            let EngineRange { min, max_exclusive: max } = range;
            let message = format!("the lane does not list `{id}`, which supports engines from {min} to below {max}");
            let problem = Problem::new(codes::LANE_MISSING, &Pointer::root().at("packages"), message);
            let hint = "build the lanes from the engine ranges of the manifests";
            found.push(finding(problem.hint(hint), &document.name, Some(id)));
        }
    }

    /// All lanes are built from the same sources, so they say the same of the same package.
    fn other_entries(&self, document: &'l Document, found: &mut Problems) {
        for listed in self.entries(document) {
            let Some(first) = listed.id().and_then(|id| self.packages.get(id)) else { continue };
            let same =
                listed.document == first.document || listed.text == first.text || json::equal(listed.text, first.text);
            if !same {
                let other = &self.tree.documents[first.document].name;
                let message = format!("this entry differs from that of the same package in `{other}`");
                found.push(about(Problem::new(codes::LANE_DIFFERS, &listed.at, message), document, listed));
            }
        }
    }
}

/// Whether two texts differ in nothing but line ends (B10).
fn is_checkout_of(text: &str, other: &str) -> bool {
    text.replace("\r\n", "\n") == other.replace("\r\n", "\n")
}

/// A package is for everybody or on trial, never both: the published one would hide the other.
fn two_tiers(tree: &Tree, all: &[Listed<'_>], found: &mut Problems) {
    let of = |tier: Tier| of_document(all, &tree.documents, move |document| document.tier == tier);
    let published: BTreeSet<&str> = of(Tier::Published).filter_map(Listed::id).collect();
    let mut told = BTreeSet::new();
    for listed in of(Tier::Preview) {
        let Some(id) = listed.id().filter(|id| published.contains(id) && told.insert(id.to_string())) else { continue };
        let message = format!("`{id}` is already published");
        let problem = Problem::new(codes::TWO_TIERS, &listed.at.at("manifest").at("id"), message);
        let document = &tree.documents[listed.document];
        found.push(about(problem.hint("remove it from the preview"), document, listed));
    }
}

fn about(problem: Problem, document: &Document, listed: &Listed<'_>) -> Problem {
    finding(problem, &document.name, listed.id())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn entry(id: &str, min: &str, max: &str) -> Value {
        json!({"manifest": {"id": id, "name": id, "version": "1.0.0", "engine": {"min": min, "maxExclusive": max}}})
    }

    /// A tree of these documents, and what is wrong with it as `code file`.
    fn told(documents: &[(&str, Vec<Value>)]) -> Vec<String> {
        let mut tree = Tree::default();
        for (name, entries) in documents {
            let parts: Vec<&str> = name.split('/').collect();
            let lane = parts.iter().find_map(|part| part.strip_prefix('v')?.parse().ok());
            let tier = if parts[0] == "preview" { Tier::Preview } else { Tier::Published };
            let text = json!({ "packages": entries }).to_string();
            tree.documents.push(Document { name: (*name).to_owned(), tier, lane, text });
        }
        let texts: Vec<Vec<String>> =
            documents.iter().map(|(_, entries)| entries.iter().map(Value::to_string).collect()).collect();
        let all: Vec<Listed> = (texts.iter().enumerate())
            .flat_map(|(document, texts)| texts.iter().enumerate().map(move |(n, text)| Listed::new(document, n, text)))
            .collect();
        let told = check(&tree, &all, &BTreeSet::new());
        told.iter().map(|problem| format!("{} {}", problem.code, problem.file.as_deref().unwrap())).collect()
    }

    #[test]
    fn lanes_that_follow_from_the_ranges_have_nothing_wrong() {
        let (both, old, new) =
            (entry("b", "2.3.0", "4.0.0"), entry("a", "2.3.0", "3.0.0"), entry("c", "3.1.0", "4.0.0"));
        let second = vec![old, both.clone()];
        let documents = [
            ("catalog.json", second.clone()),
            ("v2/catalog.json", second),
            ("v3/catalog.json", vec![both, new]),
            ("preview/catalog.json", vec![entry("p", "2.3.0", "3.0.0")]),
            ("preview/v2/catalog.json", vec![entry("p", "2.3.0", "3.0.0")]),
        ];
        assert_eq!(told(&documents), [""; 0]);
        assert_eq!(told(&[("catalog.json", vec![]), ("v2/catalog.json", vec![])]), [""; 0]);
    }

    #[test]
    fn each_way_to_stand_in_the_wrong_place_has_its_code() {
        let (both, old) = (entry("b", "2.3.0", "4.0.0"), entry("a", "2.3.0", "3.0.0"));
        let lanes = |first: Vec<Value>, third: Vec<Value>| {
            told(&[("catalog.json", first.clone()), ("v2/catalog.json", first), ("v3/catalog.json", third)])
        };
        assert_eq!(lanes(vec![both.clone()], vec![]), ["lane-missing v3/catalog.json"]);
        assert_eq!(
            lanes(vec![old.clone(), both.clone()], vec![old.clone(), both.clone()]),
            ["lane-foreign v3/catalog.json"]
        );
        let mut other = both.clone();
        other["artifact"] = json!(1);
        assert_eq!(lanes(vec![both.clone()], vec![other]), ["lane-differs v3/catalog.json"]);
        assert_eq!(lanes(vec![both.clone(), old.clone()], vec![both.clone()]), ["lane-order v2/catalog.json"]);
        assert_eq!(lanes(vec![old.clone()], vec![]), ["lane-set v3/catalog.json"]);
        let one = vec![both.clone()];
        assert_eq!(
            told(&[("catalog.json", one.clone()), ("v2/catalog.json", one.clone())]),
            ["lane-set v3/catalog.json"]
        );
        assert_eq!(
            told(&[("catalog.json", vec![]), ("v2/catalog.json", vec![old.clone()])]),
            ["lane-alias catalog.json"]
        );
        assert_eq!(
            told(&[("v2/catalog.json", vec![]), ("v3/catalog.json", vec![entry("c", "3.0.0", "4.0.0")])]),
            ["lane-alias catalog.json"]
        );
        assert_eq!(
            told(&[("catalog.json", vec![old.clone()]), ("preview/catalog.json", vec![old.clone()])]),
            ["two-tiers preview/catalog.json"]
        );
        assert_eq!(told(&[("catalog.json", vec![old.clone(), old])]), ["duplicate-id catalog.json"]);
    }

    #[test]
    fn the_preview_has_the_lanes_its_entries_are_for_where_there_are_lanes() {
        let second = vec![entry("a", "2.3.0", "3.0.0")];
        let preview = vec![entry("p", "2.3.0", "4.0.0")];
        let documents = [("catalog.json", second.clone()), ("v2/catalog.json", second.clone())];
        let only = |more: &[(&'static str, Vec<Value>)]| told(&[&documents[..], more].concat());
        assert_eq!(
            only(&[("preview/catalog.json", preview.clone())]),
            ["lane-set preview/v2/catalog.json", "lane-set preview/v3/catalog.json"]
        );
        let lanes = ["preview/catalog.json", "preview/v2/catalog.json", "preview/v3/catalog.json"];
        assert_eq!(only(&lanes.map(|name| (name, preview.clone()))), [""; 0]);
        assert_eq!(told(&[("catalog.json", second), ("preview/catalog.json", preview)]), [""; 0]);
    }

    #[test]
    fn a_document_alone_is_held_to_its_own_lane_only() {
        let new = entry("c", "3.0.0", "4.0.0");
        assert_eq!(told(&[("v3/catalog.json", vec![new.clone()])]), [""; 0]);
        assert_eq!(told(&[("v2/catalog.json", vec![new.clone()])]), ["lane-foreign v2/catalog.json"]);
        assert_eq!(told(&[("catalog.json", vec![new])]), [""; 0]);
        let turned = vec![entry("d", "3.0.0", "4.0.0"), entry("c", "3.0.0", "4.0.0")];
        assert_eq!(told(&[("v3/catalog.json", turned)]), ["lane-order v3/catalog.json"]);
    }

    #[test]
    fn what_cannot_be_read_of_an_entry_is_held_against_no_lane() {
        let odd = vec![json!(3), json!({"manifest": {"id": "x"}}), json!({"manifest": {"engine": {"min": 2}}})];
        assert_eq!(told(&[("catalog.json", odd.clone()), ("v2/catalog.json", odd)]), [""; 0]);
    }
}
