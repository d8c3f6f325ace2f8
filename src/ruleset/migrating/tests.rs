//! The engine's own example, rule by rule, and what holds of every sheet.

use super::*;
use proptest::prelude::*;
use serde_json::json;

/// The engine's own migrations from version 3, on a sheet that has what they write to.
fn ruleset() -> Value {
    let die = |sides: u32, class: &str| json!({"id": format!("hit_dice_d{sides}"), "label": "Hit dice", "max": {"derived": format!("level_{class}_dice")}});
    let level = |class: &str| json!({"id": format!("level_{class}"), "label": class, "type": "number", "min": 0, "max": 20, "default": 0});
    let dice = |class: &str| json!({"id": format!("level_{class}_dice"), "label": class, "op": "sum", "of": [{"field": format!("level_{class}")}]});
    json!({
        "id": "example", "version": 1, "resolution": {"abilityModifier": {"op": "identity"}, "proficiencyTiers": [{"id": "none"}]},
        "sheet": {
            "version": 4,
            "fields": [
                {"id": "experience", "type": "number", "min": 0, "max": 400_000}, {"id": "class", "type": "text", "maxLength": 80},
                level("wizard"), level("other"), level("fighter"), level("barbarian")],
            "derived": [dice("wizard"), dice("other"), dice("fighter"), dice("barbarian")],
            "lists": [{"id": "attacks", "columns": [{"id": "name"}, {"id": "ability"}]}],
            "live": {"pools": [die(6, "wizard"), die(8, "other"), die(10, "fighter"), die(12, "barbarian")]},
            "migrations": [{"from": 3, "steps": [
                {"rename": "field", "from": "xp", "to": "experience"},
                {"route": "level", "by": "class",
                 "cases": [{"words": ["fighter"], "to": "level_fighter"}, {"words": ["wizard"], "to": "level_wizard"}],
                 "else": "level_other", "default": 1},
                {"routeLive": "pool", "from": "hit_dice",
                 "cases": ["hit_dice_d6", "hit_dice_d8", "hit_dice_d10", "hit_dice_d12"], "else": "hit_dice_d8"},
                {"setColumn": {"list": "attacks", "where": {"name": ["Dagger", "Rapier"], "ability": ["str", "dex"]},
                 "column": "ability", "to": "finesse"}}]}]
        }
    })
}

fn migrate(ruleset: &Value, sheet: Value) -> Migrated {
    Migrator::new(ruleset).migrate(sheet).unwrap()
}

#[test]
fn the_seeds_fighter_gets_a_level_a_new_name_for_experience_and_the_right_dice() {
    let sheet = json!({"v": 3, "build": {"fields": {"xp": 900, "class": "Fighter3", "level": 3}},
        "live": {"pools": {"hit_dice": {"value": 2}}, "notes": "kept"}});
    let told = migrate(&ruleset(), sheet);
    assert_eq!(
        told.sheet,
        json!({"v": 4, "build": {"fields": {"xp": 900, "experience": 900, "class": "Fighter3", "level": 3, "level_fighter": 3}},
            "live": {"pools": {"hit_dice_d10": {"value": 2}}, "notes": "kept"}})
    );
    let steps: Vec<_> = told.steps.iter().map(|s| (s.kind.as_str(), s.from.as_deref(), s.to.as_deref())).collect();
    assert_eq!(
        steps,
        [
            ("rename", Some("/build/fields/xp"), Some("/build/fields/experience")),
            ("route", Some("/build/fields/level"), Some("/build/fields/level_fighter")),
            ("routeLive", Some("/live/pools/hit_dice"), Some("/live/pools/hit_dice_d10")),
        ]
    );
    assert_eq!((told.from, told.to, told.changed), (3, 4, true));
}

#[test]
fn one_number_is_not_split_between_two_classes() {
    let sheet = |class: &str| json!({"v": 1, "build": {"fields": {"class": class, "level": 5}}});
    for (class, target) in [
        ("Fighter 3 / Wizard 2", "level_other"),
        ("Rogue", "level_other"),
        ("Fighters", "level_other"),
        ("WIZARD", "level_wizard"),
        ("Fighter, a fighter", "level_fighter"),
    ] {
        let told = migrate(&ruleset(), sheet(class));
        assert_eq!(told.sheet["build"]["fields"][target], 5, "{class}: {:#?}", told.steps);
    }
}

#[test]
fn a_default_stands_in_for_what_was_never_stored() {
    let told = migrate(&ruleset(), json!({"v": 3, "build": {"fields": {"class": "wizard"}}}));
    assert_eq!(told.sheet["build"]["fields"], json!({"class": "wizard", "level_wizard": 1}));
    assert_eq!(told.steps[0].from, None);
    let mut without = ruleset();
    without["sheet"]["migrations"][0]["steps"][1].as_object_mut().unwrap().remove("default");
    let told = migrate(&without, json!({"v": 3, "build": {}}));
    assert_eq!((told.sheet, told.steps), (json!({"v": 4, "build": {}}), vec![]));
}

#[test]
fn a_value_already_in_its_target_is_never_overwritten() {
    let told = migrate(
        &ruleset(),
        json!({"v": 3, "build": {"fields": {"xp": 1, "experience": 2, "level": 9, "level_other": 4}}}),
    );
    assert_eq!(told.sheet["build"]["fields"], json!({"xp": 1, "experience": 2, "level": 9, "level_other": 4}));
}

#[test]
fn a_skill_or_a_save_takes_its_bonus_along_and_chains_are_followed() {
    let mut ruleset = ruleset();
    ruleset["sheet"]["migrations"] = json!([
        {"from": 2, "steps": [{"rename": "skill", "from": "b", "to": "c"}, {"rename": "save", "from": "will", "to": "mind"}]},
        {"from": 1, "steps": [{"rename": "skill", "from": "a", "to": "b"}, {"rename": "ability", "from": "con", "to": "grit"}]}]);
    let sheet = json!({"v": 1, "build": {"skills": {"a": "expert"}, "saves": {"will": "half"}, "bonuses": {"a": 2, "will": -1}, "abilities": {"con": 12}}});
    let told = migrate(&ruleset, sheet);
    assert_eq!(
        told.sheet["build"],
        json!({"skills": {"a": "expert", "b": "expert", "c": "expert"}, "saves": {"will": "half", "mind": "half"},
            "bonuses": {"a": 2, "b": 2, "c": 2, "will": -1, "mind": -1}, "abilities": {"con": 12, "grit": 12}})
    );
    let later = migrate(&ruleset, json!({"v": 2, "build": {"skills": {"a": "expert", "b": "none"}}}));
    assert_eq!(later.sheet["build"]["skills"], json!({"a": "expert", "b": "none", "c": "none"}));
}

#[test]
fn a_route_target_renamed_since_is_followed_there() {
    let mut ruleset = ruleset();
    let route = json!({"route": "rank", "by": "class", "cases": [{"words": ["fighter"], "to": "fighting"}], "else": "level_other"});
    ruleset["sheet"]["migrations"] = json!([
        {"from": 2, "steps": [{"rename": "field", "from": "fighting", "to": "level_fighter"}]},
        {"from": 1, "steps": [{"rename": "field", "from": "grade", "to": "rank"}, route]}]);
    let told = migrate(&ruleset, json!({"v": 1, "build": {"fields": {"class": "Fighter", "grade": 6}}})).sheet;
    let fields = json!({"class": "Fighter", "grade": 6, "rank": 6, "fighting": 6, "level_fighter": 6});
    assert_eq!(told["build"]["fields"], fields);
}

#[test]
fn a_field_renamed_since_is_read_under_its_new_name_on_a_sheet_that_has_only_that() {
    let mut ruleset = ruleset();
    ruleset["sheet"]["migrations"][0]["steps"][1]["by"] = json!("profession");
    let renamed = json!({"from": 1, "steps": [{"rename": "field", "from": "profession", "to": "class"}]});
    ruleset["sheet"]["migrations"].as_array_mut().unwrap().push(renamed);
    for fields in [json!({"class": "Fighter", "level": 2}), json!({"profession": "Fighter", "level": 2})] {
        let told = migrate(&ruleset, json!({"v": 3, "build": {"fields": fields}}));
        assert_eq!(told.sheet["build"]["fields"]["level_fighter"], 2, "{fields}");
    }
}

#[test]
fn set_column_is_the_one_step_that_overwrites() {
    let rows = json!([
        {"name": " DAGGER ", "ability": "str"}, {"name": "Rapier", "ability": "int"}, {"name": "Club", "ability": "str"},
        {"ability": "dex"}, {"name": "Rapier", "ability": "Dex", "note": 1}]);
    let told = migrate(&ruleset(), json!({"v": 3, "build": {"lists": {"attacks": rows}}}));
    assert_eq!(
        told.sheet["build"]["lists"]["attacks"],
        json!([{"name": " DAGGER ", "ability": "finesse"}, {"name": "Rapier", "ability": "int"}, {"name": "Club", "ability": "str"},
            {"ability": "dex"}, {"name": "Rapier", "ability": "finesse", "note": 1}])
    );
}

#[test]
fn live_state_has_no_version_so_its_old_key_goes_on_every_read_and_its_value_only_while_there_is_no_new_one() {
    let sheet = |pools: Value| json!({"v": 4, "build": {"fields": {"level_wizard": 2}}, "live": {"pools": pools}});
    let told = migrate(&ruleset(), sheet(json!({"hit_dice": {"value": 2}})));
    assert_eq!(told.sheet["live"]["pools"], json!({"hit_dice_d6": {"value": 2}}));
    let spent = migrate(&ruleset(), sheet(json!({"hit_dice": {"value": 2}, "hit_dice_d6": {"value": 0}})));
    assert_eq!(spent.sheet["live"]["pools"], json!({"hit_dice_d6": {"value": 0}}));
    assert!(spent.changed && spent.steps[0].to.is_none());
    let corrected =
        json!({"v": 4, "build": {"fields": {"level_fighter": 2}}, "live": {"pools": {"hit_dice_d6": {"value": 2}}}});
    assert!(!migrate(&ruleset(), corrected).changed, "where it went is settled");
}

#[test]
fn several_pools_shown_or_none_mean_else() {
    let sheet =
        |fields: Value| json!({"v": 4, "build": {"fields": fields}, "live": {"pools": {"hit_dice": {"value": 1}}}});
    for fields in [json!({}), json!({"level_wizard": 1, "level_fighter": 1})] {
        assert_eq!(migrate(&ruleset(), sheet(fields)).sheet["live"]["pools"], json!({"hit_dice_d8": {"value": 1}}));
    }
}

/// docs/spec/decisions.md#q8: a hidden pool is not shown, whatever its maximum.
#[test]
fn what_a_field_hides_is_not_shown() {
    let to = |rule: Value, class: &str| {
        let mut ruleset = ruleset();
        ruleset["sheet"]["live"]["pools"][0]["hideWhen"] = rule;
        let fields = json!({"level_wizard": 2, "level_fighter": 2, "class": class});
        let stored = json!({"v": 4, "build": {"fields": fields}, "live": {"pools": {"hit_dice": {"value": 1}}}});
        migrate(&ruleset, stored).sheet["live"]["pools"].as_object().unwrap().keys().next().unwrap().clone()
    };
    let (alone, both) = ("hit_dice_d10", "hit_dice_d8");
    for (rule, hiding, showing) in [
        (json!({"field": "class", "equals": "fighter"}), "fighter", "both"),
        (json!({"field": "class", "notEquals": "both"}), "fighter", "both"),
        (json!({"field": "class", "in": ["x", "fighter"]}), "fighter", "both"),
    ] {
        assert_eq!((to(rule.clone(), hiding).as_str(), to(rule.clone(), showing).as_str()), (alone, both), "{rule}");
    }
}

#[test]
fn null_is_no_value_and_a_number_in_a_where_is_met_exactly() {
    let fields = json!({"xp": null, "experience": null, "level": null, "class": "wizard", "level_wizard": null});
    let told = migrate(&ruleset(), json!({"v": 3, "build": {"fields": fields}})).sheet;
    let now = json!({"xp": null, "experience": null, "level": null, "class": "wizard", "level_wizard": 1});
    assert_eq!(told["build"]["fields"], now, "the default stands in, and null is written over");
    let mut ruleset = ruleset();
    ruleset["sheet"]["migrations"][0]["steps"][3]["setColumn"]["where"] = json!({"ability": [3]});
    let rows = json!([{"ability": 3}, {"ability": 3.0}, {"ability": 3.5}, {"ability": "3"}, {"ability": true}]);
    let told = migrate(&ruleset, json!({"v": 3, "build": {"lists": {"attacks": rows}}})).sheet;
    let set: Vec<bool> =
        told["build"]["lists"]["attacks"].as_array().unwrap().iter().map(|row| row["ability"] == "finesse").collect();
    assert_eq!(set, [true, true, false, false, false]);
}

#[test]
fn a_wound_track_carries_its_marks_and_a_plain_one_its_number() {
    let mut ruleset = ruleset();
    let kinds = json!([{"id": "knock"}]);
    let hidden = json!({"field": "class", "equals": "ghost"});
    ruleset["sheet"]["live"]["tracks"] = json!([
        {"id": "harm", "kinds": kinds, "hideWhen": hidden}, {"id": "fray", "kinds": kinds}, {"id": "heat", "min": 0, "max": 5}]);
    ruleset["sheet"]["migrations"] = json!([{"from": 1, "steps": [
        {"routeLive": "track", "from": "wounds", "cases": ["harm"], "else": "fray"},
        {"routeLive": "track", "from": "warmth", "cases": [], "else": "heat"}]}]);
    let marks = json!({"marks": ["knock", "knock"], "overflow": 1});
    let sheet = |class: &str| json!({"v": 1, "build": {"fields": {"class": class}}, "live": {"wounds": {"wounds": marks}, "tracks": {"warmth": 3}}});
    let living = migrate(&ruleset, sheet("warden")).sheet;
    assert_eq!(living["live"], json!({"wounds": {"harm": marks}, "tracks": {"heat": 3}}));
    assert_eq!(migrate(&ruleset, sheet("ghost")).sheet["live"]["wounds"], json!({"fray": marks}));
}

/// A track that was one of wounds and is a plain one now, or the other way round, may have left both behind.
#[test]
fn what_an_old_track_left_goes_in_one_run_and_null_is_no_value() {
    let mut ruleset = ruleset();
    ruleset["sheet"]["live"]["tracks"] = json!([{"id": "harm", "kinds": [{"id": "knock"}]}]);
    ruleset["sheet"]["migrations"] =
        json!([{"from": 1, "steps": [{"routeLive": "track", "from": "hurt", "cases": ["harm"], "else": "harm"}]}]);
    let marks = json!({"marks": ["knock"]});
    let both = json!({"v": 4, "build": {}, "live": {"wounds": {"hurt": marks}, "tracks": {"hurt": 3}}});
    let once = migrate(&ruleset, both).sheet;
    assert_eq!(once["live"], json!({"wounds": {"harm": marks}, "tracks": {"harm": 3}}));
    assert!(!migrate(&ruleset, once).changed);
    let null =
        json!({"v": 4, "build": {}, "live": {"wounds": {"hurt": marks, "harm": null}, "tracks": {"hurt": null}}});
    let told = migrate(&ruleset, null);
    assert_eq!(told.sheet["live"], json!({"wounds": {"harm": marks}, "tracks": {}}));
    let to: Vec<_> = told.steps.iter().map(|step| step.to.as_deref()).collect();
    assert_eq!(to, [Some("/live/wounds/harm"), None]);
}

/// With the version raised and nothing moved its values would be left behind for good.
#[test]
fn a_sheet_whose_values_cannot_be_read_is_left_alone_and_null_is_as_good_as_nothing() {
    let ruleset = ruleset();
    for map in MAPS {
        let part = map.rsplit('/').next().unwrap();
        let with = |value: Value| match map {
            "/live" => json!({"v": 3, "build": {}, "live": value}),
            _ if map.starts_with("/live") => json!({"v": 3, "build": {}, "live": {part: value}}),
            _ => json!({"v": 3, "build": {part: value}}),
        };
        for odd in [json!([]), json!(3), json!("text"), json!(true)] {
            let refused = Migrator::new(&ruleset).migrate(with(odd)).unwrap_err();
            assert_eq!(refused, NoSheet::Shape(format!("`{map}` is not an object")));
        }
        let told = migrate(&ruleset, with(Value::Null)).sheet;
        assert_eq!(told["build"]["fields"], json!({"level_other": 1}), "{map}");
    }
}

#[test]
fn what_is_no_sheet_of_this_ruleset_is_left_alone() {
    let ruleset = ruleset();
    let refused = |sheet: Value| Migrator::new(&ruleset).migrate(sheet).unwrap_err();
    for sheet in [
        json!([]),
        json!({}),
        json!({"v": 0, "build": {}}),
        json!({"v": 1}),
        json!({"v": "1", "build": {}}),
        json!({"v": 1, "build": {}, "live": 3}),
    ] {
        assert!(matches!(refused(sheet.clone()), NoSheet::Shape(_)), "{sheet}");
    }
    assert_eq!(refused(json!({"v": 5, "build": {}})), NoSheet::Newer { found: 5, newest: 4 });
    let other = refused(json!({"v": 3, "ruleset": "local/other", "build": {}}));
    assert_eq!(other, NoSheet::OtherRuleset("local/other".to_owned()));
    for owner in [json!("example"), json!("local/example"), json!({"id": "example"})] {
        assert!(Migrator::new(&ruleset).migrate(json!({"v": 3, "ruleset": owner, "build": {}})).is_ok());
    }
}

/// Some sheet of the example, of any version, with any of what it may store.
fn sheets() -> impl Strategy<Value = Value> {
    let scalar = || {
        prop_oneof![
            Just(json!(0)),
            Just(json!(7)),
            Just(json!("Fighter3")),
            Just(json!("wizard")),
            Just(json!(true)),
            Just(Value::Null)
        ]
    };
    let names = ["xp", "experience", "class", "level", "level_other", "level_wizard", "level_fighter", "strange"];
    let fields = prop::collection::btree_map(prop::sample::select(names.to_vec()), scalar(), 0..8);
    let pools = prop::collection::btree_map(
        prop::sample::select(vec!["hit_dice", "hit_dice_d6", "hit_dice_d8", "mana"]),
        0..9,
        0..4,
    );
    (1..=4_u64, fields, pools)
        .prop_map(|(v, fields, pools)| json!({"v": v, "build": {"fields": fields}, "live": {"pools": pools}, "x": [1]}))
}

proptest! {
    #[test]
    fn migrating_again_changes_nothing(sheet in sheets()) {
        let once = migrate(&ruleset(), sheet).sheet;
        let twice = migrate(&ruleset(), once.clone());
        prop_assert_eq!(&twice.sheet, &once);
        prop_assert!(!twice.changed && twice.steps.is_empty());
    }

    #[test]
    fn changed_says_whether_anything_is_other_than_before(sheet in sheets()) {
        let told = migrate(&ruleset(), sheet.clone());
        prop_assert_eq!(told.changed, told.sheet != sheet);
    }

    #[test]
    fn migrating_loses_no_value_and_changes_none(sheet in sheets()) {
        let told = migrate(&ruleset(), sheet.clone());
        prop_assert_eq!(&told.sheet["x"], &sheet["x"]);
        for (id, value) in sheet["build"]["fields"].as_object().unwrap() {
            let now = &told.sheet["build"]["fields"][id];
            prop_assert!(now == value || value.is_null(), "{}", id);
        }
        let pools = |sheet: &Value| sheet["live"]["pools"].as_object().unwrap().clone();
        let (before, after) = (pools(&sheet), pools(&told.sheet));
        for (id, value) in before.iter().filter(|(id, _)| *id != "hit_dice") {
            prop_assert_eq!(after.get(id), Some(value));
        }
        if let Some(dice) = before.get("hit_dice") {
            let moved = after.iter().any(|(id, value)| value == dice && !before.contains_key(id));
            let there = ["hit_dice_d6", "hit_dice_d8"].iter().any(|id| before.contains_key(*id));
            prop_assert!(moved || there);
        }
    }

    /// A sheet read at every version on the way ends as one that skipped them.
    #[test]
    fn entries_run_in_order_whatever_version_a_sheet_stops_at(
        v in 1_u64..=4,
        stop in 1_u64..=4,
        fields in prop::collection::btree_map(prop::sample::select(vec!["a", "b", "c", "class", "d", "e"]), 0..9, 0..6),
        turned in any::<bool>(),
    ) {
        let mut entries = vec![
            json!({"from": 1, "steps": [{"rename": "field", "from": "a", "to": "b"}]}),
            json!({"from": 2, "steps": [{"rename": "field", "from": "b", "to": "c"}]}),
            json!({"from": 3, "steps": [{"route": "c", "by": "class", "cases": [{"words": ["3"], "to": "d"}], "else": "e"}]}),
        ];
        if turned {
            entries.reverse();
        }
        let at = |version: u64| json!({"id": "example", "sheet": {"version": version, "migrations": entries}});
        let sheet = json!({"v": v, "build": {"fields": fields}});
        let at_once = migrate(&at(4), sheet.clone());
        let in_order = at_once.steps.windows(2).all(|pair| pair[0].entry <= pair[1].entry);
        prop_assert!(in_order && at_once.steps.iter().all(|step| step.entry >= v));
        if v <= stop {
            let half_way = migrate(&at(stop), sheet).sheet;
            prop_assert_eq!(migrate(&at(4), half_way).sheet, at_once.sheet);
        }
    }

    #[test]
    fn no_sheet_and_no_migrations_panic(text in r#"[{}\[\]:,"a-z0-9]{0,40}"#) {
        let any: Value = serde_json::from_str(&text).unwrap_or(Value::Null);
        let _ = Migrator::new(&ruleset()).migrate(any.clone());
        let mut odd = ruleset();
        odd["sheet"]["migrations"] = any;
        let _ = migrate(&odd, json!({"v": 1, "build": {"fields": {"level": 1}}}));
    }
}
