use super::texts;
use serde_json::Value;

/// The entries, by catalog, that a layer's rules hide from the picker (LR4). An entry that does not set a filter is
/// never hidden by it.
pub fn hides(ruleset: &Value, rules: &Value) -> Vec<(String, String)> {
    let mut hidden = Vec::new();
    for rule in rules.as_array().into_iter().flatten() {
        let catalogs = ruleset["catalogs"].as_array().into_iter().flatten();
        let Some(catalog) = catalogs.clone().find(|catalog| catalog["id"] == rule["id"]) else { continue };
        let Some(filter) = rule["hide"]["filter"].as_str() else { continue };
        for entry in catalog["entries"].as_array().into_iter().flatten() {
            let names = catalog["id"].as_str().zip(entry["id"].as_str());
            if let Some((catalog, id)) = names.filter(|_| is_hidden(&entry["filters"][filter], &rule["hide"])) {
                hidden.push((catalog.to_owned(), id.to_owned()));
            }
        }
    }
    hidden
}

/// Whether a value an entry sets is one the comparison names. Of several tags one is enough for `equals`, and one of
/// those that may stay is enough for `notIn`.
fn is_hidden(set: &Value, hide: &Value) -> bool {
    if let Some(number) = set.as_f64() {
        let above = hide["above"].as_f64().is_some_and(|limit| number > limit);
        let below = hide["below"].as_f64().is_some_and(|limit| number < limit);
        return above || below;
    }
    let words: Vec<&str> = set.as_str().into_iter().chain(texts(set)).collect();
    if words.is_empty() {
        return false;
    }
    let equals = hide["equals"].as_str().is_some_and(|word| words.contains(&word));
    let stays = |stay: &Value| texts(stay).any(|word| words.contains(&word));
    let not_in = hide.get("notIn").is_some_and(|stay| !stays(stay));
    equals || not_in
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_rule_hides_what_it_names_and_never_what_sets_no_such_filter() {
        let entry = |id: &str, filters: Value| json!({"id": id, "filters": filters});
        let ruleset = json!({"catalogs": [{"id": "knacks", "entries": [
            entry("low", json!({"grit": 0, "school": "fire", "tags": ["a", "b"]})),
            entry("high", json!({"grit": 2, "school": "water", "tags": ["c"]})),
            entry("none", json!({"tags": []})),
        ]}]});
        let hidden = |hide: Value| -> Vec<String> {
            hides(&ruleset, &json!([{"id": "knacks", "hide": hide}])).into_iter().map(|(_, entry)| entry).collect()
        };
        assert_eq!(hidden(json!({"filter": "grit", "above": 0})), ["high"]);
        assert_eq!(hidden(json!({"filter": "grit", "below": 2})), ["low"]);
        assert_eq!(hidden(json!({"filter": "school", "equals": "fire"})), ["low"]);
        assert_eq!(hidden(json!({"filter": "school", "notIn": ["fire"]})), ["high"]);
        assert_eq!(hidden(json!({"filter": "tags", "equals": "b"})), ["low"]);
        assert_eq!(hidden(json!({"filter": "tags", "notIn": ["a"]})), ["high"]);
        assert_eq!(hidden(json!({"filter": "other", "equals": "a"})), [""; 0]);
    }
}
