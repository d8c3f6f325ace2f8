use super::entries::KINDS;
use crate::json::excerpt;
use crate::ruleset::names::Ids;
use crate::ruleset::node::Node;
use crate::ruleset::rules::refs::unknown;
use crate::ruleset::whole::Whole;
use crate::types::{Problems, codes};
use std::collections::BTreeMap;

/// The entries of all catalogs by id, for references such as `wares/lamp-oil`.
#[derive(Debug)]
pub struct EntryIds<'a> {
    by_catalog: BTreeMap<&'a str, Known<'a>>,
    /// Whether there is no telling which catalogs there are.
    is_unknown: bool,
}

#[derive(Debug)]
struct Known<'a> {
    holds: &'a str,
    feeds: Vec<&'a str>,
    /// None when the catalog's file is missing or cannot be read; anything may be in it.
    entries: Option<Ids<'a>>,
}

impl<'a> EntryIds<'a> {
    pub fn of(ruleset: &Whole<'a>) -> Self {
        let mut by_catalog = BTreeMap::new();
        for catalog in &ruleset.catalogs {
            if let Some(id) = catalog.header.text_of("id") {
                let entries = catalog.is_read().then(|| Ids::of("entry", catalog.entries.iter().cloned()));
                let feeds = catalog.header.list("feeds").filter_map(|list| list.text()).collect();
                by_catalog.entry(id).or_insert(Known { holds: catalog.holds(), feeds, entries });
            }
        }
        EntryIds { by_catalog, is_unknown: ruleset.names.catalogs.is_unknown() }
    }

    /// Checks that the text of `reference` names an entry, of a catalog that holds this. Text that names none because
    /// it has no `/` is the shape's where its pattern is, and refused here where it is not.
    pub fn resolve(&self, reference: &Node<'_>, holds: &str, found: &mut Problems) {
        self.look_up(reference, holds, found);
    }

    /// The same of an entry whose rows go to this list (N91).
    pub fn resolve_row(&self, reference: &Node<'_>, list: &str, found: &mut Problems) {
        let Some(known) = self.look_up(reference, "rows", found) else { return };
        if !known.feeds.is_empty() && !known.feeds.contains(&list) {
            let message = format!("its catalog does not feed the list `{}`", excerpt(list));
            found.push(reference.problem(codes::ROW_LIST, message));
        }
    }

    /// The catalog of an entry that there is.
    fn look_up(&self, reference: &Node<'_>, holds: &str, found: &mut Problems) -> Option<&Known<'a>> {
        let text = reference.text().filter(|_| !self.is_unknown)?;
        let (catalog, entry) = text.split_once('/').unwrap_or((text, ""));
        let Some(known) = self.by_catalog.get(catalog) else {
            let likely = found.suggest(catalog, self.by_catalog.keys().copied());
            found.push(unknown("catalog", catalog, reference, &likely));
            return None;
        };
        // What no catalog can hold is told where it stands.
        if known.holds != holds && KINDS.iter().any(|(name, _)| *name == known.holds) {
            let message =
                format!("`{}` is in a catalog of {}, but should be in one of {holds}", excerpt(text), known.holds);
            found.push(reference.problem(codes::WRONG_REFERENCE_TYPE, message));
            return None;
        }
        if let Some(entries) = known.entries.as_ref().filter(|entries| !entries.has(entry)) {
            let what = format!("entry in the catalog `{}` named", excerpt(catalog));
            let likely = found.suggest(entry, entries.iter().map(|(id, _)| id));
            found.push(unknown(&what, entry, reference, &likely));
            return None;
        }
        Some(known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_entry_is_looked_for_in_its_catalog_unless_that_could_not_be_read() {
        let ruleset = json!({"catalogs": [{"id": "wares", "holds": "items", "entries": [{"id": "lamp-oil"}]},
                                          {"id": "more", "holds": "items", "asset": "catalogs/more.json"},
                                          {"id": "knacks", "entries": [{"id": "road-sense"}]}]});
        let used =
            json!(["wares/lamp-oil", "more/anything", "wares/lamp-oli", "goods/x", "knacks/road-sense", "wares", 3]);
        let whole = Whole::new(&ruleset, &[]);
        let entries = EntryIds::of(&whole);
        let mut found = Problems::default();
        Node::root(&used, "ruleset.json").items().for_each(|used| entries.resolve(&used, "items", &mut found));
        let told: Vec<_> = found.iter().map(|p| format!("{} {}", p.code, p.pointer.as_deref().unwrap())).collect();
        assert_eq!(told, ["unknown-id /2", "unknown-id /3", "wrong-reference-type /4", "unknown-id /5"]);
    }
}
