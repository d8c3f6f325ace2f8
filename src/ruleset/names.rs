use super::node::Node;
use crate::json::excerpt;
use crate::types::{Problem, Problems, Rule, codes, did_you_mean};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The ids of one namespace (docs/spec/checks.md#namespaces-of-ids), each with what was declared under it.
#[derive(Clone, Debug)]
pub struct Ids<'a> {
    /// What one of them is called in a message: `field`, `live pool`.
    what: &'static str,
    by_id: BTreeMap<&'a str, Node<'a>>,
    /// Whether the list of them cannot be read: something else stands there or on the way to it, or what every ruleset
    /// has is missing. That is one fault of the shape, and not one more at every name that may be in it.
    is_no_list: bool,
}

impl<'a> Ids<'a> {
    /// Of what is declared twice, the first counts.
    pub fn of(what: &'static str, declared: impl Iterator<Item = Node<'a>>) -> Self {
        let mut by_id = BTreeMap::new();
        for node in declared {
            if let Some(id) = node.text_of("id") {
                by_id.entry(id).or_insert(node);
            }
        }
        Ids { what, by_id, is_no_list: false }
    }

    /// Of the list at the end of a path of keys.
    pub fn at(what: &'static str, root: &Node<'a>, path: &[&str]) -> Self {
        Ids { is_no_list: is_no_list(root, path), ..Ids::of(what, list_at(root, path)) }
    }

    /// The same, where a fault told elsewhere keeps from telling what is declared.
    pub fn unless_unknown(self, is_unknown: bool) -> Self {
        Ids { is_no_list: self.is_no_list || is_unknown, ..self }
    }

    /// Whether there is no telling what is declared.
    pub fn is_unknown(&self) -> bool {
        self.is_no_list
    }

    pub fn what(&self) -> &'static str {
        self.what
    }

    pub fn get(&self, id: &str) -> Option<&Node<'a>> {
        self.by_id.get(id)
    }

    pub fn has(&self, id: &str) -> bool {
        self.by_id.contains_key(id)
    }

    /// Whether nothing speaks against it that this is declared.
    pub fn may_have(&self, id: &str) -> bool {
        self.is_no_list || self.has(id)
    }

    pub fn is_empty(&self) -> bool {
        self.by_id.is_empty()
    }

    /// In the order of the alphabet.
    pub fn iter(&self) -> impl Iterator<Item = (&'a str, &Node<'a>)> {
        self.by_id.iter().map(|(id, node)| (*id, node))
    }

    /// What the text of `reference` names. Nothing declared under that name is the problem `unknown-id`.
    pub fn resolve(&self, reference: &Node<'a>, found: &mut Problems) -> Option<&Node<'a>> {
        self.named(reference.text()?, reference, found)
    }

    /// [`Ids::resolve`] for a rule with a code of its own, which then stands in the place of `unknown-id`.
    pub fn resolve_as(&self, code: &'static Rule, reference: &Node<'a>, found: &mut Problems) -> Option<&Node<'a>> {
        self.named_as(code, reference.text()?, reference, found)
    }

    /// [`Ids::named`] for a rule with a code of its own.
    pub fn named_as(
        &self,
        code: &'static Rule,
        name: &str,
        place: &Node<'a>,
        found: &mut Problems,
    ) -> Option<&Node<'a>> {
        let known = self.get(name);
        if !self.may_have(name) {
            let problem = self.unknown(name, place, found);
            found.push(Problem { code, ..problem });
        }
        known
    }

    /// [`Ids::resolve`] for a name that is a key, or a part of the text, of what stands at `place`.
    pub fn named(&self, name: &str, place: &Node<'a>, found: &mut Problems) -> Option<&Node<'a>> {
        let known = self.get(name);
        if !self.may_have(name) {
            let problem = self.unknown(name, place, found);
            found.push(problem);
        }
        known
    }

    fn unknown(&self, name: &str, place: &Node<'_>, found: &mut Problems) -> Problem {
        let problem = unknown(self.what, name, place, &found.suggest(name, self.by_id.keys().copied()));
        if self.by_id.is_empty() { problem.hint(format!("the ruleset declares no {}", self.what)) } else { problem }
    }
}

/// The problem `unknown-id` of a name that is no id, with the names that come near.
pub fn unknown(what: &str, name: &str, place: &Node<'_>, likely: &[String]) -> Problem {
    let problem = place.problem(codes::UNKNOWN_ID, format!("there is no {what} `{}`", excerpt(name)));
    problem.hint_if(did_you_mean(likely))
}

/// Everything a ruleset gives a name to, by namespace.
#[derive(Clone, Debug)]
pub struct Names<'a> {
    pub sections: Ids<'a>,
    pub abilities: Ids<'a>,
    pub skills: Ids<'a>,
    pub saves: Ids<'a>,
    pub fields: Ids<'a>,
    pub derived: Ids<'a>,
    pub lists: Ids<'a>,
    pub pools: Ids<'a>,
    /// The words that pools are grouped under; not ids.
    pub pool_groups: BTreeSet<&'a str>,
    pub tracks: Ids<'a>,
    pub texts: Ids<'a>,
    pub conditions: Ids<'a>,
    pub states: Ids<'a>,
    pub tiers: Ids<'a>,
    pub rests: Ids<'a>,
    pub categories: Ids<'a>,
    pub rarities: Ids<'a>,
    pub tags: Ids<'a>,
    pub stats: Ids<'a>,
    pub slots: Ids<'a>,
    pub families: Ids<'a>,
    /// Of all families together.
    pub units: Ids<'a>,
    pub loot_tables: Ids<'a>,
    pub places: Ids<'a>,
    pub sellers: Ids<'a>,
    pub catalogs: Ids<'a>,
    pub budgets: Ids<'a>,
    pub checks: Ids<'a>,
    pub threat_tiers: Ids<'a>,
    pub layers: Ids<'a>,
}

impl<'a> Names<'a> {
    /// Reads them out of a whole `ruleset.json`.
    pub fn of(root: &Node<'a>) -> Self {
        let ids = |what, path: &[&str]| Ids::at(what, root, path);
        let families = ids("currency family", &["items", "currencies"]);
        let units = list_at(root, &["items", "currencies"]).flat_map(|family| family.list("units"));
        Names {
            sections: ids("section", &["sheet", "sections"]),
            abilities: ids("ability", &["sheet", "abilities"]),
            skills: ids("skill", &["sheet", "skills"]),
            saves: ids("save", &["sheet", "saves"]),
            fields: ids("field", &["sheet", "fields"]),
            derived: ids("derived value", &["sheet", "derived"]),
            lists: ids("list", &["sheet", "lists"]),
            pools: ids("live pool", &["sheet", "live", "pools"]),
            pool_groups: list_at(root, &["sheet", "live", "pools"]).filter_map(|pool| pool.text_of("group")).collect(),
            tracks: ids("live track", &["sheet", "live", "tracks"]),
            texts: ids("live text", &["sheet", "live", "text"]),
            conditions: ids("condition", &["sheet", "live", "conditions"]),
            states: ids("live state", &["sheet", "live", "states"]),
            tiers: ids("proficiency tier", &["resolution", "proficiencyTiers"]),
            rests: ids("rest", &["rests"]),
            categories: ids("item category", &["items", "categories"]),
            rarities: ids("rarity", &["items", "rarities"]),
            tags: ids("item tag", &["items", "tags"]),
            stats: ids("item stat", &["items", "stats"]),
            slots: ids("slot", &["items", "slots"]),
            units: Ids { is_no_list: families.is_no_list, ..Ids::of("coin", units) },
            families,
            loot_tables: ids("loot table", &["items", "lootTables"]),
            places: ids("place", &["items", "market", "places"]),
            sellers: ids("seller", &["items", "market", "sellers"]),
            catalogs: ids("catalog", &["catalogs"]),
            budgets: ids("budget", &["combat", "economy", "budgets"]),
            checks: ids("contest check", &["combat", "checks"]),
            threat_tiers: ids("threat tier", &["combat", "threat", "tiers"]),
            layers: ids("layer", &["layers"]),
        }
    }

    /// The columns of a list.
    pub fn columns(list: &Node<'a>) -> Ids<'a> {
        Ids::at("column", list, &["columns"])
    }

    /// The filters of a catalog.
    pub fn filters(catalog: &Node<'a>) -> Ids<'a> {
        Ids::at("filter", catalog, &["filters"])
    }
}

/// On the way to lists of ids, the keys that no object goes without whose they are.
const NEVER_MISSING: [&str; 8] =
    ["resolution", "proficiencyTiers", "sheet", "columns", "categories", "places", "economy", "budgets"];

/// Whether the shape check tells already that the list at the end of a path of keys cannot be read.
fn is_no_list(root: &Node<'_>, path: &[&str]) -> bool {
    let mut node = root.clone();
    for key in path {
        match node.get(key) {
            Some(inner) => node = inner,
            None => return !node.value().is_object() || NEVER_MISSING.contains(key),
        }
    }
    !node.value().is_array()
}

/// The items of the list at the end of a path of keys.
pub fn list_at<'a>(root: &Node<'a>, path: &[&str]) -> impl Iterator<Item = Node<'a>> + use<'a> {
    end_of(root, path).into_iter().flat_map(|list| list.items())
}

fn end_of<'a>(root: &Node<'a>, path: &[&str]) -> Option<Node<'a>> {
    path.iter().try_fold(root.clone(), |node, key| node.get(key))
}

/// Whether a track counts wounds of several kinds rather than a number.
pub fn is_wound_track(track: &Node<'_>) -> bool {
    track.has("kinds")
}

/// Whether checks are thrown with a pool of dice.
pub fn is_dice_pool(root: &Node<'_>) -> bool {
    root.value().pointer("/resolution/kind").and_then(Value::as_str) == Some("dice-pool")
}

/// Whether checks add dice up. Neither this nor [`is_dice_pool`] holds while the kind is missing or misspelt, which is
/// one fault and says nothing about the rest.
pub fn is_dice_sum(root: &Node<'_>) -> bool {
    root.value().pointer("/resolution/kind").and_then(Value::as_str) == Some("dice-sum")
}

/// What a field, a column or an item stat holds; nothing while that is misspelt, which is told where it stands.
pub fn type_of<'a>(declared: &Node<'a>) -> Option<&'a str> {
    const TYPES: [&str; 6] = ["number", "text", "longtext", "boolean", "enum", "dice"];
    declared.text_of("type").filter(|kind| TYPES.contains(kind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_reference_to_nothing_names_what_comes_near() {
        let value = json!({"sheet": {"fields": [{"id": "strength"}, {"id": "class"}, {"id": "class", "second": 1}]},
                           "uses": ["strenght", "class", 3, "entirely_else"]});
        let root = Node::root(&value, "ruleset.json");
        let names = Names::of(&root);
        let mut found = Problems::default();
        let resolved: Vec<_> = root
            .list("uses")
            .map(|used| names.fields.resolve(&used, &mut found).map(|field| field.has("second")))
            .collect();
        assert_eq!(resolved, [None, Some(false), None, None]);
        let told: Vec<_> = found.iter().map(|p| (p.pointer.as_deref().unwrap(), p.hint.as_deref())).collect();
        assert_eq!(told, [("/uses/0", Some("did you mean `strength`?")), ("/uses/3", None)]);
    }

    #[test]
    fn of_what_no_way_leads_to_nothing_is_called_unknown() {
        for (ruleset, told) in [
            (json!({"sheet": 3}), false),
            (json!({"sheet": {"live": []}}), false),
            (json!({}), false),
            (json!({"sheet": {}}), true),
            (json!({"sheet": {"live": {}}}), true),
        ] {
            let names = Names::of(&Node::root(&ruleset, "ruleset.json"));
            assert_eq!(!names.pools.may_have("luck"), told, "{ruleset}");
            // No ruleset has to have fights; those that have one have budgets.
            assert!(!names.budgets.may_have("act"));
        }
        let names = json!({"combat": {"economy": {}}, "items": {}});
        let names = Names::of(&Node::root(&names, "ruleset.json"));
        assert!(names.budgets.may_have("act") && names.categories.may_have("tool") && !names.tags.may_have("iron"));
    }

    #[test]
    fn of_what_should_be_a_list_and_is_none_nothing_is_called_unknown() {
        for (fields, told) in [(json!({"class": {}}), 0), (json!(3), 0), (json!([]), 1), (json!([3]), 1)] {
            let value = json!({"sheet": {"fields": fields}, "use": "class"});
            let root = Node::root(&value, "ruleset.json");
            let mut found = Problems::default();
            assert!(Names::of(&root).fields.resolve(&root.get("use").unwrap(), &mut found).is_none());
            assert_eq!(found.len(), told, "{value}");
        }
    }
}
