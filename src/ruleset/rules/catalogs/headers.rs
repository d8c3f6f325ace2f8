//! Catalogs as `ruleset.json` declares them, and the files they stand in (docs/spec/checks.md#catalogs,
//! docs/spec/catalog.md#k4, #k6).

use crate::json::excerpt;
use crate::ruleset::node::Node;
use crate::ruleset::rules::refs;
use crate::ruleset::whole::{Catalog, FILE, Whole};
use crate::types::{Effort, Pointer, Problem, Problems, Severity, codes};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashSet};

pub fn check(ruleset: &Whole<'_>, found: &mut Problems) {
    let misnamed = misnamed_files(ruleset.root.value(), &ruleset.files, ruleset.unread);
    let there: HashSet<&str> = ruleset.paths().chain(misnamed.iter().map(|misnamed| misnamed.asset)).collect();
    let missing = missing_assets(&ruleset.root, |asset| there.contains(asset));
    found.extend(missing.map(if ruleset.is_alone { left_behind } else { no_asset }));
    for catalog in &ruleset.catalogs {
        check_names(catalog, found);
        check_feeds(ruleset, &catalog.header, catalog.holds(), found);
        check_needs(ruleset, &catalog.header, catalog.holds(), found);
        for start in catalog.header.list("filters").filter_map(|filter| filter.get("startFrom")) {
            refs::one(&ruleset.names.fields, &start, "field", found);
        }
    }
    check_orphans(ruleset, &misnamed, found);
}

/// K4: each catalog that names an asset has that file. The same for a ruleset that is installed and one that is
/// checked.
pub fn missing_files(ruleset: &Value, is_there: impl Fn(&str) -> bool) -> Vec<Problem> {
    missing_assets(&Node::root(ruleset, FILE), is_there).map(no_asset).collect()
}

fn missing_assets<'a>(ruleset: &Node<'a>, is_there: impl Fn(&str) -> bool) -> impl Iterator<Item = Node<'a>> {
    let named = ruleset.list("catalogs").filter_map(|catalog| catalog.get("asset"));
    named.filter(move |asset| asset.text().is_some_and(|path| !is_there(path)))
}

fn no_asset(asset: Node<'_>) -> Problem {
    let path = excerpt(asset.text().unwrap_or_default());
    asset.problem(codes::K4, format!("`{path}` is not among the package's assets"))
}

/// A ruleset that was taken out of its package, or comes from stdin, is not to blame for what it was taken from.
fn left_behind(asset: Node<'_>) -> Problem {
    let message = "this catalog file does not lie beside the ruleset, so it was not checked";
    asset.problem(codes::K4, message).severity(Severity::Warning).hint("check the whole folder of the package")
}

/// A file that no catalog names, and the asset that it is meant to be, which is not there.
#[derive(Debug)]
pub struct Misnamed<'a> {
    pub asset: &'a str,
    pub file: &'a str,
    /// Whether it is the asset that is named wrong: the file is named for the catalog.
    pub is_asset_wrong: bool,
}

/// The files (by path) that are there for what is missing.
pub fn misnamed_catalog_files<'a>(ruleset: &'a Value, files: &'a [(String, Value)]) -> Vec<Misnamed<'a>> {
    let files: Vec<Node<'a>> = files.iter().map(|(path, value)| Node::root(value, path)).collect();
    misnamed_files(ruleset, &files, &[])
}

/// The files that are there for what is missing: by the catalog's id, by what they say they are, or by a name that
/// differs in case or in a letter or two.
fn misnamed_files<'a>(ruleset: &'a Value, files: &[Node<'a>], unread: &'a [String]) -> Vec<Misnamed<'a>> {
    let catalogs = ruleset["catalogs"].as_array().into_iter().flatten();
    let mut missing: BTreeMap<&str, &str> =
        catalogs.filter_map(|catalog| Some((catalog["asset"].as_str()?, catalog["id"].as_str()?))).collect();
    let named: HashSet<&str> = missing.keys().copied().collect();
    let says: BTreeMap<&'a str, Option<&'a str>> =
        files.iter().map(|file| (file.file(), file.text_of("catalog"))).collect();
    let there: BTreeSet<&'a str> = says.keys().copied().chain(unread.iter().map(String::as_str)).collect();
    missing.retain(|asset, _| !there.contains(asset));
    let mut effort = Effort::default();
    let mut misnamed = Vec::new();
    for file in there.into_iter().filter(|path| !named.contains(path)) {
        let says = says.get(file).copied().flatten();
        let is_for = |id: &str| file == format!("catalogs/{id}.json");
        let of_id = missing.iter().find(|(_, id)| is_for(id) || says == Some(**id)).map(|(asset, _)| *asset);
        let alike = || {
            let stems: BTreeMap<&str, &str> = missing.keys().map(|asset| (stem(asset), *asset)).collect();
            let alike = effort.misspelt(stem(file), stems.keys().copied());
            alike.first().and_then(|stem| stems.get(stem)).copied()
        };
        let Some(asset) = of_id.or_else(alike) else { continue };
        let is_asset_wrong = missing.remove(asset).is_some_and(is_for);
        misnamed.push(Misnamed { asset, file, is_asset_wrong });
    }
    misnamed
}

/// What the path of a catalog file says it is.
fn stem(path: &str) -> &str {
    let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
    name.strip_suffix(".json").unwrap_or(name)
}

/// K6: a catalog file that no catalog names would be downloaded and never read. Where it is the asset that is named
/// wrong, that is told there.
fn check_orphans(ruleset: &Whole<'_>, misnamed: &[Misnamed<'_>], found: &mut Problems) {
    let named: HashSet<&str> = ruleset.catalogs.iter().filter_map(|catalog| catalog.header.text_of("asset")).collect();
    let of_file: BTreeMap<&str, &Misnamed<'_>> = misnamed.iter().map(|misnamed| (misnamed.file, misnamed)).collect();
    for path in ruleset.paths().filter(|path| !named.contains(path)) {
        let message = format!("no catalog of the ruleset has `{}` as its asset", excerpt(path));
        let problem = Problem { file: Some(path.to_owned()), ..Problem::new(codes::K6, &Pointer::root(), message) };
        match of_file.get(path) {
            Some(Misnamed { is_asset_wrong: true, .. }) => {}
            Some(Misnamed { asset, .. }) => found.push(problem.hint(format!("rename it `{}`", excerpt(asset)))),
            None => found.push(problem),
        }
    }
}

/// The asset is named after the catalog, and its file says the catalog it is.
fn check_names(catalog: &Catalog<'_>, found: &mut Problems) {
    let Some(id) = catalog.header.text_of("id") else { return };
    let wanted = format!("catalogs/{id}.json");
    if let Some(asset) = catalog.header.get("asset")
        && let Some(path) = asset.text().filter(|path| *path != wanted)
    {
        let (path, wanted) = (excerpt(path), excerpt(&wanted));
        found.push(asset.problem(codes::CATALOG_NAME, format!("`asset` is `{path}`, but should be `{wanted}`")));
    }
    if let Some(told) = catalog.file.as_ref().and_then(|file| file.get("catalog"))
        && let Some(other) = told.text().filter(|other| *other != id)
    {
        let (other, id) = (excerpt(other), excerpt(id));
        found.push(
            told.problem(codes::CATALOG_NAME, format!("the file belongs to the catalog `{id}`, but says `{other}`")),
        );
    }
}

/// What holds rows says which lists they go to; creatures and items go to none.
fn check_feeds(ruleset: &Whole<'_>, header: &Node<'_>, holds: &str, found: &mut Problems) {
    refs::each(&ruleset.names.lists, header, "feeds", found);
    match (holds, header.get("feeds")) {
        ("rows", None) => {
            let message = "`feeds` is missing: a catalog of rows must name the lists that it feeds";
            found.push(header.problem(codes::CATALOG_FEEDS, message));
        }
        ("creatures" | "items", Some(feeds)) => {
            let message = format!("a catalog of {holds} cannot feed a list");
            found.push(feeds.problem(codes::CATALOG_FEEDS, message).hint("remove `feeds`"));
        }
        _ => {}
    }
}

/// Creatures and items are written in words that other parts of the ruleset declare.
fn check_needs(ruleset: &Whole<'_>, header: &Node<'_>, holds: &str, found: &mut Problems) {
    let Some(place) = header.get("holds") else { return };
    match holds {
        "creatures" if !ruleset.root.has("combat") => {
            let message = "creatures are for fights, but the ruleset has no `combat`";
            found.push(place.problem(codes::CATALOG_NEEDS_COMBAT, message));
        }
        "items" if !ruleset.root.has("items") => {
            let message = "every item has a category, but the ruleset has no `items`";
            found.push(place.problem(codes::CATALOG_NEEDS_ITEMS, message));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn told(ruleset: &Value, files: &[(&str, Value)], unread: &[&str]) -> Vec<String> {
        let files: Vec<_> = files.iter().map(|(path, value)| ((*path).to_owned(), value.clone())).collect();
        let unread: Vec<_> = unread.iter().map(|path| (*path).to_owned()).collect();
        let mut found = Problems::default();
        check(&Whole { unread: &unread, ..Whole::new(ruleset, &files) }, &mut found);
        let place = |p: Problem| format!("{} {}{}", p.code, p.file.unwrap(), p.pointer.unwrap());
        found.into_iter().map(place).collect()
    }

    fn ruleset(catalog: &Value) -> Value {
        json!({"sheet": {"lists": [{"id": "gear"}]}, "catalogs": [catalog]})
    }

    #[test]
    fn a_catalog_and_its_file_name_each_other() {
        let of = |asset: &str| ruleset(&json!({"id": "wares", "feeds": ["gear"], "asset": asset}));
        let own = of("catalogs/wares.json");
        let named = ("catalogs/wares.json", json!({"catalog": "wares"}));
        let other = ("catalogs/other.json", json!({"catalog": "wares"}));
        assert_eq!(told(&own, std::slice::from_ref(&named), &[]), [""; 0]);
        assert_eq!(told(&own, &[], &[]), ["K4 ruleset.json/catalogs/0/asset"]);
        assert_eq!(told(&own, &[named.clone(), other.clone()], &[]), ["K6 catalogs/other.json"]);
        // One cause, one finding: the file is told where it is the file that is named wrong, else the asset.
        for file in ["catalogs/Wares.json", "catalogs/ware.json"] {
            assert_eq!(told(&own, &[(file, json!({}))], &[]), [format!("K6 {file}")]);
        }
        assert_eq!(told(&own, std::slice::from_ref(&other), &[]), ["K6 catalogs/other.json"]);
        assert_eq!(told(&own, &[("catalogs/x.json", json!({}))], &[]).len(), 2);
        let misspelt = of("catalogs/waers.json");
        assert_eq!(told(&misspelt, std::slice::from_ref(&named), &[]), ["catalog-name ruleset.json/catalogs/0/asset"]);
        let elsewhere = of("catalogs/other.json");
        assert_eq!(told(&elsewhere, &[other], &[]), ["catalog-name ruleset.json/catalogs/0/asset"]);
        let renamed = ("catalogs/wares.json", json!({"catalog": "goods"}));
        assert_eq!(told(&own, &[renamed], &[]), ["catalog-name catalogs/wares.json/catalog"]);
    }

    #[test]
    fn a_file_that_cannot_be_read_is_there_and_may_still_be_an_orphan() {
        let own = ruleset(&json!({"id": "wares", "feeds": ["gear"], "asset": "catalogs/wares.json"}));
        assert_eq!(told(&own, &[], &["catalogs/wares.json"]), [""; 0]);
        assert_eq!(told(&json!({}), &[], &["catalogs/wares.json"]), ["K6 catalogs/wares.json"]);
    }

    #[test]
    fn only_rows_feed_lists_and_creatures_and_items_need_their_words() {
        for (catalog, code) in [
            (json!({"id": "c", "feeds": ["gear"]}), ""),
            (json!({"id": "c", "holds": "rows"}), "catalog-feeds ruleset.json/catalogs/0"),
            (json!({"id": "c", "feeds": ["geer"]}), "unknown-id ruleset.json/catalogs/0/feeds/0"),
            (json!({"id": "c", "holds": "items"}), "catalog-needs-items ruleset.json/catalogs/0/holds"),
            (json!({"id": "c", "holds": "creatures"}), "catalog-needs-combat ruleset.json/catalogs/0/holds"),
            (
                json!({"id": "c", "feeds": ["gear"], "filters": [{"startFrom": {"field": "class"}}]}),
                "unknown-id ruleset.json/catalogs/0/filters/0/startFrom/field",
            ),
        ] {
            assert_eq!(told(&ruleset(&catalog), &[], &[]).join(" "), code, "{catalog}");
        }
        let mut fed = ruleset(&json!({"id": "c", "holds": "items", "feeds": ["gear"]}));
        fed["items"] = json!({});
        assert_eq!(told(&fed, &[], &[]), ["catalog-feeds ruleset.json/catalogs/0/feeds"]);
        let mut tierless = ruleset(&json!({"id": "c", "holds": "creatures"}));
        tierless["combat"] = json!({});
        assert_eq!(told(&tierless, &[], &[]), [""; 0]);
    }
}
