use super::super::names::Ids;
use super::super::node::Node;
use super::super::whole::Whole;
use super::places::each;
use super::repeats::repeated_texts;
use crate::json::excerpt;
use crate::types::{Problems, codes};

/// A namespace: what one of its ids names, of which things each has a namespace of its own, and where below them the
/// ids are declared.
type Namespace = (&'static str, &'static str, &'static str);

/// docs/spec/checks.md#namespaces-of-ids, but for what stands in the entries of catalogs, and for layers (L03).
///
/// How many there may be is the shape's, and so is that no column is called `_catalog`: that is no sheet id.
const NAMESPACES: &[Namespace] = &[
    ("section", "", "sheet.sections[]"),
    ("ability", "", "sheet.abilities[]"),
    ("skill", "", "sheet.skills[]"),
    ("save", "", "sheet.saves[]"),
    ("field", "", "sheet.fields[]"),
    ("derived value", "", "sheet.derived[]"),
    ("list", "", "sheet.lists[]"),
    ("column", "sheet.lists[]", "columns[]"),
    ("live pool", "", "sheet.live.pools[]"),
    ("live track", "", "sheet.live.tracks[]"),
    ("kind of wound", "sheet.live.tracks[]", "kinds[]"),
    ("live text", "", "sheet.live.text[]"),
    ("condition", "", "sheet.live.conditions[]"),
    ("live state", "", "sheet.live.states[]"),
    ("proficiency tier", "", "resolution.proficiencyTiers[]"),
    ("re-throw", "", "resolution.reroll[]"),
    ("rest", "", "rests[]"),
    ("item category", "", "items.categories[]"),
    ("rarity", "", "items.rarities[]"),
    ("item tag", "", "items.tags[]"),
    ("item stat", "", "items.stats[]"),
    ("slot", "", "items.slots[]"),
    ("currency family", "", "items.currencies[]"),
    // Across all families: a price names a coin without its family.
    ("coin", "", "items.currencies[].units[]"),
    ("loot table", "", "items.lootTables[]"),
    ("price level", "", "items.market.prices[]"),
    ("place", "", "items.market.places[]"),
    ("seller", "", "items.market.sellers[]"),
    ("catalog", "", "catalogs[]"),
    ("filter", "catalogs[]", "filters[]"),
    ("initiative style", "", "combat.initiative.resource.styles[]"),
    ("budget", "", "combat.economy.budgets[]"),
    ("contest check", "", "combat.checks[]"),
    ("contest", "", "combat.contests[]"),
    ("threat tier", "", "combat.threat.tiers[]"),
];

/// The namespaces of one entry.
const ENTRY_NAMESPACES: &[Namespace] =
    &[("creature action", "", "creature.actions[]"), ("rider", "", "creature.riders[]")];

/// Those of one entry that only fights look at (N02).
const ENTRY_NAMESPACES_IN_FIGHTS: &[Namespace] = &[("attack mode", "", "item.attack.modes[]")];

/// Every id is unique in its namespace, and in those that are read together.
pub(super) fn check(ruleset: &Whole<'_>, found: &mut Problems) {
    check_namespaces(&ruleset.root, NAMESPACES, found);
    let in_fights = ruleset.root.has("combat");
    for catalog in &ruleset.catalogs {
        check_unique("entry", &catalog.entries, found);
        for entry in &catalog.entries {
            check_namespaces(entry, ENTRY_NAMESPACES, found);
            if in_fights {
                check_namespaces(entry, ENTRY_NAMESPACES_IN_FIGHTS, found);
            }
        }
    }
    let names = &ruleset.names;
    check_apart("sheet.saves[]", &names.skills, "skills and saves share one set of ids", ruleset, found);
    check_apart("sheet.derived[]", &names.fields, "fields and derived values share one set of ids", ruleset, found);
    check_apart("sheet.live.pools[]", &names.tracks, "live pools and tracks share one set of ids", ruleset, found);
}

fn check_namespaces(root: &Node<'_>, namespaces: &[Namespace], found: &mut Problems) {
    for (what, scope, path) in namespaces {
        for scope in each(root, scope) {
            check_unique(what, &each(&scope, path), found);
        }
    }
}

fn check_unique(what: &str, declared: &[Node<'_>], found: &mut Problems) {
    for (id, first) in repeated_texts(declared.iter().filter_map(|node| node.get("id"))) {
        let text = excerpt(id.text().unwrap_or_default());
        let message = format!("`{text}` is already the id of another {what}, at {}", first.at());
        found.push(id.problem(codes::DUPLICATE_ID, message).hint("change one of the two ids"));
    }
}

/// None of what is declared at `path` bears an id of `others`.
fn check_apart(path: &str, others: &Ids<'_>, why: &str, ruleset: &Whole<'_>, found: &mut Problems) {
    for id in each(&ruleset.root, path).iter().filter_map(|node| node.get("id")) {
        if let Some(text) = id.text().filter(|text| others.has(text)) {
            let message = format!("`{}` is also the id of a {}; {why}", excerpt(text), others.what());
            found.push(id.problem(codes::ID_TAKEN, message));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::rules::told as findings;
    use serde_json::{Value, json};

    /// A ruleset that has nothing but two things of one id at a path.
    fn twice(scope: &str, path: &str) -> Value {
        let full = if scope.is_empty() { path.to_owned() } else { format!("{scope}.{path}") };
        let mut value = Value::Null;
        for step in full.rsplit('.') {
            let key = step.trim_end_matches("[]");
            value = match value {
                Value::Null => json!({key: [{"id": "same"}, {"id": "other"}, {"id": "same"}]}),
                inner if step.ends_with("[]") => json!({key: [inner]}),
                inner => json!({key: inner}),
            };
        }
        value
    }

    #[test]
    fn no_namespace_has_an_id_twice() {
        for (what, scope, path) in NAMESPACES {
            let told = findings(check, &twice(scope, path));
            assert!(matches!(told.as_slice(), [one] if one.ends_with("/2/id")), "{what}: {told:?}");
        }
        for (what, _, path) in ENTRY_NAMESPACES.iter().chain(ENTRY_NAMESPACES_IN_FIGHTS) {
            let entries = json!([twice("", path)]);
            let told = findings(check, &json!({"combat": {}, "catalogs": [{"id": "a", "entries": entries}]}));
            assert_eq!(told.len(), 1, "{what}");
        }
    }

    #[test]
    fn an_id_is_free_in_every_other_namespace() {
        let lists = json!([{"id": "gear", "columns": [{"id": "name"}]}, {"id": "name", "columns": [{"id": "name"}]}]);
        let sheet = json!({"lists": lists, "fields": [{"id": "name"}], "abilities": [{"id": "name"}], "skills": [{"id": "name"}]});
        let catalogs = json!([{"id": "gear", "entries": [{"id": "x"}]}, {"id": "other", "entries": [{"id": "x"}]}]);
        assert!(findings(check, &json!({"sheet": sheet, "catalogs": catalogs})).is_empty());
    }

    #[test]
    fn coins_are_told_apart_across_families_and_entries_within_a_catalog() {
        let families = json!([{"id": "a", "units": [{"id": "coin"}]}, {"id": "b", "units": [{"id": "coin"}]}]);
        let told = findings(check, &json!({"items": {"currencies": families}}));
        assert_eq!(told, ["duplicate-id /items/currencies/1/units/0/id"]);
        let ruleset = json!({"catalogs": [{"asset": "catalogs/a.json"}]});
        let files =
            [("catalogs/a.json".to_owned(), json!({"entries": [{"id": "x"}, {"id": "x"}, {"id": 3}, {"id": 3}]}))];
        let mut found = Problems::default();
        check(&Whole::new(&ruleset, &files), &mut found);
        let places: Vec<_> = found.iter().map(|p| (p.file.as_deref(), p.pointer.as_deref())).collect();
        assert_eq!(places, [(Some("catalogs/a.json"), Some("/entries/1/id"))]);
    }

    #[test]
    fn some_namespaces_are_read_together() {
        let sheet = json!({
            "skills": [{"id": "steel"}], "saves": [{"id": "steel"}], "fields": [{"id": "level"}], "derived": [{"id": "level"}],
            "live": {"pools": [{"id": "harm", "group": "harm"}], "tracks": [{"id": "harm"}]}});
        let places = ["saves", "derived", "live/pools"].map(|part| format!("id-taken /sheet/{part}/0/id"));
        assert_eq!(findings(check, &json!({"sheet": sheet})), places);
    }
}
