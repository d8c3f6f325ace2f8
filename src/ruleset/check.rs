use super::gates::{needs_above, undeclared};
use super::rules;
use super::shape;
use super::whole::Whole;
use crate::types::{Api, Cancel, Problem, Problems};
use serde_json::Value;
use std::collections::HashSet;

/// Everything that is wrong with a ruleset and its catalog files, by docs/spec/checks.md#ground-rules to #layers and
/// #migrations, each finding with its file and pointer.
///
/// `files` are the package's catalog files by path. `declared` is the API of the manifest: of a package it has to cover
/// what is used (K10), and it decides how bad a key is that this tool does not know (docs/spec/decisions.md#q27). A
/// lone `ruleset.json` has none.
pub fn check(ruleset: &Value, files: &[(String, Value)], declared: Option<Api>) -> Vec<Problem> {
    let setting = Setting { declared, needs_api: true, ..Setting::default() };
    check_in(ruleset, files, setting, &Cancel::default())
}

/// What a ruleset is checked in.
#[derive(Clone, Copy, Debug, Default)]
pub struct Setting<'a> {
    /// The catalog files that are there and could not be read: no catalog that names one is at fault, and nothing is
    /// said about what they may hold.
    pub unread: &'a [String],
    /// The API of the manifest.
    pub declared: Option<Api>,
    /// Whether that API has to cover what is used (K10).
    pub needs_api: bool,
    /// Whether the ruleset came without any of its catalog files, which then are no fault of it but were not looked at.
    pub is_alone: bool,
}

/// [`check`] in a setting. Stops when asked to; what it then says is of no use.
pub fn check_in(ruleset: &Value, files: &[(String, Value)], setting: Setting<'_>, cancel: &Cancel) -> Vec<Problem> {
    let Setting { unread, declared, needs_api, is_alone } = setting;
    let mut found = Problems::until(cancel);
    let looked = shape::check(ruleset, files, declared, &mut found);
    if found.is_stopped() {
        return Vec::new();
    }
    let whole = Whole { unread, is_alone, ..looked.whole(ruleset, files) };
    let mut of_rules = found.apart(|of_rules| rules::check(&whole, of_rules));
    drop_echoes(&mut of_rules, &found);
    found.extend(of_rules);
    if let Some(declared) = declared.filter(|_| needs_api) {
        found.extend(undeclared(&needs_above(declared, ruleset, files), declared));
    }
    found.into_vec()
}

/// A ruleset and its catalog files with misspelt keys and ids as they are meant; nothing where there are none.
pub fn as_meant(ruleset: &Value, files: &[(String, Value)]) -> Option<(Value, Vec<(String, Value)>)> {
    shape::check(ruleset, files, None, &mut Problems::default()).mended
}

/// Takes away what rules say of a value that its shape refuses already: one fault is one finding, and an id that is no
/// id names nothing either.
fn drop_echoes(of_rules: &mut Problems, of_shape: &[Problem]) {
    let place = |problem: &Problem| (problem.file.clone(), problem.pointer.clone());
    let refused: HashSet<_> = of_shape.iter().filter(|problem| shape::refuses_value(problem)).map(place).collect();
    if !refused.is_empty() {
        of_rules.retain(|problem| !refused.contains(&place(problem)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Pointer, Rule, Severity, codes};
    use serde_json::json;

    /// Code and severity of what the rules of layers and of gates find.
    fn told(ruleset: &Value, minor: Option<u32>) -> Vec<(&'static Rule, Severity)> {
        let found = check(ruleset, &[], minor.map(|minor| Api { major: 1, minor }));
        let codes = [codes::K10, codes::L02, codes::L21];
        let found = found.into_iter().filter(|problem| codes.contains(&problem.code));
        found.map(|problem| (problem.code, problem.severity)).collect()
    }

    #[test]
    fn k10_a_package_declares_what_it_uses_and_a_lone_ruleset_has_nothing_to_declare() {
        let ruleset = json!({"sheet": {"live": {"states": []}}, "layers": [{"id": "a"}]});
        let k10 = || (codes::K10, Severity::Error);
        assert_eq!(told(&ruleset, Some(20)), [k10()]);
        assert_eq!(told(&ruleset, Some(41)), [k10()]);
        assert_eq!(told(&ruleset, Some(42)), []);
        assert_eq!(told(&ruleset, None), []);
    }

    #[test]
    fn a_key_of_a_layer_may_have_come_with_an_api_newer_than_this_tool() {
        let ruleset = json!({"layers": [{"moonPhase": [], "items": {"moonPhase": []}}]});
        let both = |severity| [(codes::L21, severity), (codes::L02, severity)];
        assert_eq!(told(&ruleset, Some(813)), both(Severity::Error));
        assert_eq!(told(&ruleset, None), both(Severity::Error));
        assert_eq!(told(&ruleset, Some(814)), both(Severity::Warning));
        let ruleset = json!({"layers": [{"__proto__": []}]});
        assert_eq!(told(&ruleset, Some(814)), [(codes::L02, Severity::Error)]);
        // What stands under a misspelt key is judged as what was meant.
        let ruleset = json!({"layers": [{"itmes": {"moonPhase": []}}]});
        assert_eq!(told(&ruleset, Some(814)), [(codes::L02, Severity::Error), (codes::L21, Severity::Warning)]);
        let ruleset = json!({"layers": [{"rests": []}]});
        assert_eq!(told(&ruleset, Some(814)), [(codes::L02, Severity::Error)], "known elsewhere");
    }

    /// What is told of a ruleset that uses all there is once the value at a place is another, or gone.
    fn told_of(text: &str, place: &str, value: Option<&Value>) -> Vec<String> {
        let mut ruleset: Value = serde_json::from_str(text).unwrap();
        let (parent, key) = place.rsplit_once('/').unwrap();
        let key = key.replace("~1", "/");
        match (ruleset.pointer_mut(parent).unwrap(), value) {
            (Value::Object(object), Some(value)) => drop(object.insert(key, value.clone())),
            (Value::Object(object), None) => drop(object.remove(&key)),
            (Value::Array(list), Some(value)) => list[key.parse::<usize>().unwrap()] = value.clone(),
            other => panic!("{place}: {other:?}"),
        }
        let place = |problem: &Problem| format!("{} {}", problem.code, problem.pointer.as_deref().unwrap());
        check(&ruleset, &[], None).iter().map(place).collect()
    }

    const SUM: &str = include_str!("../../testdata/rulesets/lantern-coast.json");
    const POOL: &str = include_str!("../../testdata/rulesets/iron-quarter.json");

    #[test]
    fn what_cannot_be_read_is_one_fault_and_not_one_more_at_all_that_leans_on_it() {
        for text in [SUM, POOL] {
            for place in
                ["/sheet", "/sheet/live", "/sheet/abilities", "/sheet/live/pools", "/sheet/lists", "/sheet/fields"]
            {
                assert_eq!(told_of(text, place, Some(&json!(3))), [format!("wrong-type {place}")]);
            }
            for place in ["/sheet/lists/0/columns", "/catalogs/0/feeds", "/sheet/fields/0/values", "/catalogs"] {
                assert_eq!(told_of(text, place, Some(&json!({"a": 1}))), [format!("wrong-type {place}")]);
            }
            for place in
                ["/sheet", "/resolution", "/resolution/proficiencyTiers", "/combat/economy", "/items/categories"]
            {
                let (parent, _) = place.rsplit_once('/').unwrap();
                assert_eq!(told_of(text, place, None), [format!("missing-key {parent}")], "{place}");
            }
        }
        assert_eq!(told_of(SUM, "/sheet/skillTiers", Some(&json!(3))), ["wrong-type /sheet/skillTiers"]);
        assert_eq!(told_of(SUM, "/items/market/places", None), ["missing-key /items/market"]);
    }

    #[test]
    fn a_misspelt_word_is_one_fault_and_not_one_more_at_all_that_leans_on_it() {
        fn words(value: &Value, at: &str, keys: &[&str], places: &mut Vec<String>) {
            match value {
                Value::Array(items) => {
                    items.iter().enumerate().for_each(|(i, item)| words(item, &format!("{at}/{i}"), keys, places));
                }
                Value::Object(object) => object.iter().for_each(|(key, value)| {
                    let at = format!("{at}/{}", key.replace('/', "~1"));
                    if keys.contains(&key.as_str()) {
                        places.push(at.clone());
                    }
                    words(value, &at, keys, places);
                }),
                _ => {}
            }
        }
        for text in [SUM, POOL] {
            let ruleset: Value = serde_json::from_str(text).unwrap();
            let mut places = vec!["/resolution/kind".to_owned(), "/combat/kind".to_owned()];
            for (part, keys) in
                [("sheet", &["type", "op"][..]), ("catalogs", &["holds"]), ("items", &["type"]), ("rests", &["mode"])]
            {
                let mut inside = Vec::new();
                words(&ruleset[part], &format!("/{part}"), keys, &mut inside);
                places.extend(inside);
            }
            assert!(places.len() > 20, "{}", places.len());
            for place in places {
                assert_eq!(told_of(text, &place, Some(&json!("misspelt"))), [format!("not-a-choice {place}")]);
                let told = told_of(text, &place, Some(&json!(3)));
                assert_eq!(told, [format!("wrong-type {place}")]);
            }
            assert_eq!(told_of(text, "/resolution/kind", None), ["missing-key /resolution"]);
        }
    }

    /// What is told of a package whose ruleset has other keys at these places.
    fn told_with(text: &str, keys: &[(&str, &str)], minor: Option<u32>) -> Vec<(String, Severity)> {
        let mut ruleset: Value = serde_json::from_str(text).unwrap();
        for (place, to) in keys {
            let (parent, from) = place.rsplit_once('/').unwrap();
            let members = ruleset.pointer_mut(parent).unwrap().as_object_mut().unwrap();
            let value = members.remove(from).unwrap_or_else(|| json!("anything"));
            members.insert((*to).to_owned(), value);
        }
        let mut found = check(&ruleset, &[], minor.map(|minor| Api { major: 1, minor }));
        found.retain(|problem| problem.code != codes::K10);
        let place = |problem: Problem| (format!("{} {}", problem.code, problem.pointer.unwrap()), problem.severity);
        found.into_iter().map(place).collect()
    }

    #[test]
    fn a_misspelt_key_is_one_fault_whatever_leans_on_it_and_an_error_for_every_engine() {
        for (key, to) in [
            ("/sheet/abilities", "stats"),
            ("/sheet/abilities", "abilties"),
            ("/sheet/live", "life"),
            ("/sheet/lists/0/columns", "colums"),
            ("/sheet/skills/0/ability", "abilty"),
            ("/combat", "combta"),
            ("/combat/economy/budgets", "budget"),
            ("/catalogs/0/feeds", "feed"),
            ("/catalogs/2/entries/0/item/cost", "price"),
            ("/catalogs/1/entries/0/creature/actions/0/damage", "damge"),
            ("/layers/0/fields", "field"),
            ("/sheet/migrations/0/steps", "step"),
        ] {
            let place = format!("{}/{to}", key.rsplit_once('/').unwrap().0);
            for minor in [None, Some(66), Some(813), Some(900)] {
                let told = told_with(SUM, &[(key, to)], minor);
                let code = if key.starts_with("/layers") { codes::L02 } else { codes::UNKNOWN_KEY };
                assert_eq!(told, [(format!("{code} {place}"), Severity::Error)], "{minor:?}");
            }
        }
        let told = told_with(SUM, &[("/combat/attacks", "atacks"), ("/combat", "combta")], None);
        let places: Vec<_> = told.iter().map(|(place, _)| place.as_str()).collect();
        assert_eq!(places, ["unknown-key /combta", "unknown-key /combta/atacks"]);
    }

    #[test]
    fn what_a_misspelt_key_holds_is_held_to_what_it_was_meant_to_be() {
        let mut ruleset: Value = serde_json::from_str(SUM).unwrap();
        let sheet = ruleset["sheet"].as_object_mut().unwrap();
        let mut skills = sheet.remove("skills").unwrap();
        skills[1]["ability"] = json!("luck");
        skills[2]["label"] = json!(3);
        sheet.insert("skils".to_owned(), skills);
        let told: Vec<_> = check(&ruleset, &[], None).into_iter().map(|problem| problem.pointer.unwrap()).collect();
        assert_eq!(told, ["/sheet/skils", "/sheet/skils/2/label", "/sheet/skils/1/ability"]);
    }

    #[test]
    fn a_place_below_a_misspelt_key_is_told_as_it_is_written() {
        let mut ruleset: Value = serde_json::from_str(SUM).unwrap();
        let mut combat = ruleset["combat"].take();
        let budgets = combat["economy"]["budgets"].as_array_mut().unwrap();
        budgets.push(budgets[0].clone());
        let last = budgets.len() - 1;
        ruleset.as_object_mut().unwrap().remove("combat");
        ruleset["combta"] = combat;
        let told = check(&ruleset, &[], None);
        let place = format!("/combta/economy/budgets/{last}/id");
        let twice = told.iter().find(|problem| problem.pointer.as_ref() == Some(&place)).unwrap();
        assert!(twice.message.ends_with(", at /combta/economy/budgets/0/id"), "{}", twice.message);
    }

    #[test]
    fn a_key_nobody_knows_is_a_warning_for_a_newer_engine_unless_it_is_known_elsewhere_or_all_are_known() {
        let severity =
            |place: &str, minor: u32| told_with(SUM, &[(place, place.rsplit_once('/').unwrap().1)], Some(minor))[0].1;
        for (place, at_66, at_813, at_814) in [
            ("/sheet/moonPhase", Severity::Error, Severity::Warning, Severity::Warning),
            ("/sheet/layers", Severity::Error, Severity::Error, Severity::Error),
            ("/sheet/migrations/0/moonPhase", Severity::Error, Severity::Error, Severity::Warning),
            ("/sheet/migrations/0/steps/0/moonPhase", Severity::Error, Severity::Error, Severity::Warning),
        ] {
            assert_eq!([66, 813, 814].map(|minor| severity(place, minor)), [at_66, at_813, at_814], "{place}");
        }
    }

    #[test]
    fn what_an_item_stat_picks_is_told_once_where_it_is_misspelt() {
        let place = "/sheet/derived/9/of/0/itemStat/pick";
        assert_eq!(told_of(SUM, place, Some(&json!("counts"))), [format!("not-a-choice {place}")]);
        assert_eq!(told_of(SUM, place, Some(&json!("sum"))), ["missing-key /sheet/derived/9/of/0/itemStat"]);
    }

    #[test]
    fn a_key_that_can_never_be_is_told_once() {
        for place in
            ["/catalogs/0/entries/0/rows/0/values", "/sheet/fields/0/valueLabels", "/catalogs/2/entries/0/item/stats"]
        {
            let place = format!("{place}/__proto__");
            assert_eq!(told_of(SUM, &place, Some(&json!("x"))), [format!("unknown-key {place}")]);
        }
    }

    #[test]
    fn a_value_of_the_wrong_shape_is_not_held_to_further_rules() {
        let at = |code, pointer: Pointer| Problem::new(code, &pointer, "");
        let (id, list) = (Pointer::root().at("pool"), Pointer::root().at("list"));
        let of_shape =
            [at(codes::BAD_ID, id.clone()), at(codes::MISSING_KEY, Pointer::root()), at(codes::TOO_MANY, list.clone())];
        let mut of_rules: Problems =
            vec![at(codes::UNKNOWN_ID, id), at(codes::RIDER, Pointer::root()), at(codes::UNKNOWN_ID, list)].into();
        let elsewhere = Problem { file: Some("catalogs/a.json".to_owned()), ..of_rules[0].clone() };
        of_rules.push(elsewhere);
        drop_echoes(&mut of_rules, &of_shape);
        let left: Vec<_> = of_rules.iter().map(|problem| problem.code.as_str()).collect();
        assert_eq!(left, ["rider", "unknown-id", "unknown-id"]);
    }
}
