use super::gates::{Need, needs_above, needs_above_in_file, undeclared};
use super::rules::missing_files;
use super::whole::FILE;
use crate::json::{document, whole_number};
use crate::types::{Api, Pointer, Problem, Problems, Rule, SafePath, codes};
use serde_json::Value;
use std::collections::BTreeMap;

/// What a ruleset calls itself; independent of its package's id and version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Essentials {
    /// The id it gives itself.
    pub id: String,
    /// The version it counts itself, which is not its package's.
    pub version: u64,
    /// Its English name.
    pub name: String,
}

/// What makes a ruleset unusable, and nothing else; the rest is `check`'s (docs/spec/commands.md#what-install-checks).
///
/// It parses, is of schema version 1, and has an id, a version and a name; its catalog files are JSON objects, and each
/// one it names is there (K4). With `declared`, the API its manifest declares, it uses nothing newer that the engine's
/// own gate or the engine's page (docs/spec/checks.md#capability-api-gates) looks for (K10); without, no gate is
/// judged, as for an imported file (docs/spec/decisions.md#q38). `catalogs` are the package's catalog files by path.
///
/// # Errors
/// Everything that makes it unusable.
pub fn essentials(
    ruleset: &[u8],
    catalogs: &BTreeMap<SafePath, Vec<u8>>,
    declared: Option<Api>,
) -> Result<Essentials, Vec<Problem>> {
    let mut problems = Problems::default();
    let ruleset = document(ruleset, codes::RULESET_JSON).map_err(|problem| problems.push(in_file(FILE, *problem)));
    let ruleset = ruleset.unwrap_or_default();
    let in_files = read_catalogs(catalogs, declared, &ruleset, &mut problems);
    if !problems.is_empty() {
        return Err(problems.into_vec());
    }
    let essentials = essentials_of(&ruleset, |asset| catalogs.keys().any(|path| path.as_str() == asset));
    let essentials = essentials.map_err(|found| problems.extend(found));
    if let Some(declared) = declared {
        let mut needs = needs_above(declared, &ruleset, &[]);
        needs.extend(in_files);
        needs.sort_by_key(|need| (need.minor, need.feature));
        problems.extend(undeclared(&needs, declared));
    }
    match essentials {
        Ok(essentials) if problems.is_empty() => Ok(essentials),
        _ => Err(problems.into_vec()),
    }
}

/// The same of a ruleset that was read already, and whose catalog files, as far as they are there, are JSON objects. No
/// gate is judged.
///
/// # Errors
/// Everything that makes it unusable.
pub fn essentials_of(ruleset: &Value, is_there: impl Fn(&str) -> bool) -> Result<Essentials, Vec<Problem>> {
    let mut problems = Problems::default();
    let essentials = read_essentials(ruleset, &mut problems);
    problems.extend(missing_files(ruleset, is_there));
    essentials.filter(|_| problems.is_empty()).ok_or_else(|| problems.into_vec())
}

fn in_file(file: &str, problem: Problem) -> Problem {
    Problem { file: Some(file.to_owned()), ..problem }
}

/// Reads one catalog file after the other, since each takes many times its size once it is read. Gives what they use
/// above the API declared.
fn read_catalogs(
    catalogs: &BTreeMap<SafePath, Vec<u8>>,
    declared: Option<Api>,
    ruleset: &Value,
    problems: &mut Problems,
) -> Vec<Need> {
    const CODE: &Rule = codes::CATALOG_JSON;
    let mut needs = Vec::new();
    for (path, bytes) in catalogs {
        match document(bytes, CODE) {
            Ok(catalog) if catalog.is_object() => {
                let above = |declared| needs_above_in_file(declared, ruleset, path.as_str(), &catalog);
                needs.extend(declared.into_iter().flat_map(above));
            }
            Ok(_) => {
                let problem = Problem::new(CODE, &Pointer::root(), "a catalog file must be a JSON object");
                problems.push(in_file(path.as_str(), problem));
            }
            Err(problem) => problems.push(in_file(path.as_str(), *problem)),
        }
    }
    needs
}

/// What a ruleset calls itself; reports what keeps it from being one.
pub(super) fn read_essentials(ruleset: &Value, problems: &mut Problems) -> Option<Essentials> {
    let mut refuse = |code: &'static Rule, key: &str, wanted: &str| {
        let found = ruleset.get(key);
        let (at, message) = match found {
            Some(_) => (Pointer::root().at(key), format!("`{key}` is not {wanted}")),
            None => (Pointer::root(), format!("`{key}` is missing: expected {wanted}")),
        };
        problems.push(in_file(FILE, Problem::new(code, &at, message)));
    };
    if !ruleset.is_object() {
        let problem = Problem::new(codes::RULESET_JSON, &Pointer::root(), "a ruleset must be a JSON object");
        problems.push(in_file(FILE, problem));
        return None;
    }
    let text = |key: &str| ruleset.get(key).and_then(Value::as_str).map(str::to_owned);
    if whole_number(&ruleset["schemaVersion"]) != Some(1) {
        refuse(codes::RULESET_SCHEMA_VERSION, "schemaVersion", "1");
    }
    let id = text("id").filter(|id| is_ruleset_id(id));
    if id.is_none() {
        refuse(
            codes::RULESET_ID,
            "id",
            "a ruleset id: groups of lowercase letters and digits joined by `-`, at most 64 characters",
        );
    }
    let version = whole_number(&ruleset["version"]).filter(|version| *version >= 1);
    if version.is_none() {
        refuse(codes::RULESET_VERSION, "version", "a whole number of at least 1");
    }
    let name = text("name").filter(|name| !name.is_empty());
    if name.is_none() {
        refuse(codes::RULESET_NAME, "name", "text");
    }
    Some(Essentials { id: id?, version: version?, name: name? })
}

/// `^[a-z0-9]+(?:-[a-z0-9]+)*$`, at most 64, and neither of the engine's own two (docs/spec/checks.md#ground-rules).
fn is_ruleset_id(id: &str) -> bool {
    let group = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    id.len() <= 64 && id.split('-').all(group) && !matches!(id, "engine-legacy" | "traditional")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn ordinary() -> Value {
        json!({"schemaVersion": 1, "id": "ember-roads", "version": 1, "name": "Ember Roads"})
    }

    fn api(minor: u32) -> Option<Api> {
        Some(Api { major: 1, minor })
    }

    fn codes_of(ruleset: &[u8], catalogs: &[(&str, &str)], declared: Option<Api>) -> Vec<String> {
        let files = catalogs.iter().map(|(path, text)| (path.parse().unwrap(), text.as_bytes().to_vec())).collect();
        let problems = essentials(ruleset, &files, declared).err().unwrap_or_default();
        let place = |problem: &Problem| {
            format!("{} {}{}", problem.code, problem.file.as_deref().unwrap(), problem.pointer.as_deref().unwrap())
        };
        problems.iter().map(place).collect()
    }

    #[test]
    fn what_is_missing_is_named_before_its_form_is() {
        let problems = essentials(b"{}", &BTreeMap::new(), None).err().unwrap_or_default();
        let id = problems.iter().find(|problem| problem.code == codes::RULESET_ID).unwrap();
        assert!(
            id.message.starts_with("`id` is missing: expected a ruleset id: groups of lowercase"),
            "{}",
            id.message
        );
    }

    fn codes(edit: impl FnOnce(&mut Value)) -> Vec<String> {
        let mut ruleset = ordinary();
        edit(&mut ruleset);
        codes_of(ruleset.to_string().as_bytes(), &[], api(20))
    }

    #[test]
    fn a_ruleset_says_what_it_is_called() {
        let text = r#"{"schemaVersion": 1.0, "id": "5e-2014", "version": 3.0, "name": "5e", "x": null}"#;
        let read = essentials(text.as_bytes(), &BTreeMap::new(), None).unwrap();
        assert_eq!(read, Essentials { id: "5e-2014".to_owned(), version: 3, name: "5e".to_owned() });
    }

    #[test]
    fn what_does_not_parse_is_no_ruleset() {
        for wrong in ["", "{", "<html>", "\u{feff}{}", "[]", "3"] {
            assert_eq!(codes_of(wrong.as_bytes(), &[], None), ["ruleset-json ruleset.json"], "{wrong:?}");
        }
        assert_eq!(codes_of(b"\xff", &[], None), ["ruleset-json ruleset.json"]);
    }

    #[test]
    fn schema_id_version_and_name_are_needed() {
        let long = "a".repeat(65);
        for (key, code, wrong) in [
            ("schemaVersion", "ruleset-schema-version", vec![json!(2), json!("1"), Value::Null]),
            (
                "id",
                "ruleset-id",
                vec![json!("A"), json!("a_b"), json!(""), json!("traditional"), json!(long), json!(1)],
            ),
            ("version", "ruleset-version", vec![json!(0), json!(1.5), json!("1"), json!(-1)]),
            ("name", "ruleset-name", vec![json!(""), json!(3), Value::Null]),
        ] {
            for value in wrong {
                assert_eq!(
                    codes(|ruleset| ruleset[key] = value.clone()),
                    [format!("{code} ruleset.json/{key}")],
                    "{value}"
                );
            }
            let missing = codes(|ruleset| drop(ruleset.as_object_mut().unwrap().remove(key)));
            assert_eq!(missing, [format!("{code} ruleset.json")]);
        }
        assert_eq!(codes(|_| ()), [""; 0]);
        assert_eq!(codes(|ruleset| *ruleset = json!({})).len(), 4);
    }

    #[test]
    fn a_key_written_twice_is_a_matter_for_the_authors_check() {
        let text = ordinary().to_string().replacen('{', "{\"name\": 3,", 1);
        assert_eq!(codes_of(text.as_bytes(), &[], None), [""; 0]);
    }

    #[test]
    fn catalog_files_are_json_objects() {
        let ruleset = ordinary().to_string();
        for wrong in ["[]", "{", "null"] {
            let told = codes_of(ruleset.as_bytes(), &[("catalogs/a.json", wrong)], None);
            assert_eq!(told, ["catalog-json catalogs/a.json"], "{wrong}");
        }
        assert_eq!(codes_of(ruleset.as_bytes(), &[("catalogs/a.json", "{}")], None), [""; 0]);
    }

    #[test]
    fn k4_each_catalog_that_names_an_asset_has_it() {
        let mut ruleset = ordinary();
        ruleset["catalogs"] = json!([{"id": "b", "entries": []}, {"id": "a", "asset": "catalogs/a.json"}]);
        let text = ruleset.to_string();
        let file = |path: &'static str| codes_of(text.as_bytes(), &[(path, "{}")], api(21));
        assert_eq!(file("catalogs/b.json"), ["K4 ruleset.json/catalogs/1/asset"]);
        assert_eq!(file("catalogs/a.json"), [""; 0]);
    }

    #[test]
    fn k10_the_declared_api_knows_what_the_engines_gate_looks_for() {
        let mut ruleset = ordinary();
        ruleset["layers"] = json!([{"items": {}}, {"items": {}}]);
        ruleset["items"] = json!({"market": {}});
        ruleset["sheet"] = json!({"migrations": []});
        let text = ruleset.to_string();
        let judged = |declared| codes_of(text.as_bytes(), &[], declared);
        let (layers, migrations) = ("K10 ruleset.json/layers/0/items", "K10 ruleset.json/sheet/migrations");
        assert_eq!(judged(api(24)), [layers]);
        assert_eq!(judged(api(77)), [layers]);
        assert_eq!(judged(api(812)), [layers]);
        assert_eq!(judged(api(813)), [""; 0]);
        assert_eq!(judged(None), [""; 0]);
        drop(ruleset.as_object_mut().unwrap().remove("layers"));
        let market = ruleset.to_string();
        assert_eq!(codes_of(market.as_bytes(), &[], api(64)), [migrations]);
        ruleset["sheet"] = json!({});
        let market = ruleset.to_string();
        assert_eq!(codes_of(market.as_bytes(), &[], api(64)), ["K10 ruleset.json/items/market"]);
        assert_eq!(codes_of(market.as_bytes(), &[], api(65)), [""; 0]);
        ruleset["layers"] = json!([{"currencies": {}}]);
        ruleset["sheet"] = json!({});
        drop(ruleset.as_object_mut().unwrap().remove("items"));
        let coins = ruleset.to_string();
        assert_eq!(codes_of(coins.as_bytes(), &[], api(63)), ["K10 ruleset.json/layers/0/currencies"]);
        assert_eq!(codes_of(coins.as_bytes(), &[], api(64)), [""; 0]);
        let told = essentials(text.as_bytes(), &BTreeMap::new(), api(812)).unwrap_err();
        assert!(told[0].message.contains("1.813") && told[0].message.contains("1.812"), "{}", told[0].message);
        assert!(told[0].message.contains("one more place"));
    }

    #[test]
    fn k10_looks_into_catalog_files() {
        let file = r#"{"entries": [{"creature": {}}]}"#;
        let told = codes_of(ordinary().to_string().as_bytes(), &[("catalogs/a.json", file)], api(26));
        assert_eq!(told, ["K10 catalogs/a.json/entries/0/creature"]);
    }

    proptest! {
        #[test]
        fn no_bytes_panic(ruleset in any::<Vec<u8>>(), catalog in any::<Vec<u8>>()) {
            let files = BTreeMap::from([("catalogs/a.json".parse().unwrap(), catalog)]);
            prop_assert!(essentials(&ruleset, &files, api(20)).is_err());
        }
    }
}
