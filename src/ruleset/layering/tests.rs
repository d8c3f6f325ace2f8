//! The engine's own layers, rule by rule, and what holds of every choice of them.

use super::*;
use proptest::prelude::*;
use serde_json::json;

/// A ruleset with everything a layer can touch, and the engine's own examples among its layers.
fn ruleset() -> Value {
    let seller = |id: &str| json!({"id": id, "label": id, "sells": [{"category": "gear"}]});
    json!({
        "x": "nothing a layer touches",
        "resolution": {"kind": "dice-sum", "difficultyLadder": [{"label": "Easy", "dc": 5}]},
        "sheet": {"fields": [{"id": "calling", "label": "Calling", "type": "enum", "values": ["Sailor", "Hauler", "Scout"],
            "valueLabels": {"Sailor": "Of the sea"}, "default": "Sailor"},
            {"id": "pace", "label": "Pace", "type": "enum", "values": ["Slow", "Quick"]}]},
        "gm": {"checkGuidance": "Own."},
        "catalogs": [{"id": "wares", "label": "Wares", "holds": "items", "filters": [{"id": "grit", "label": "Grit", "type": "number"}],
            "asset": "catalogs/wares.json"}],
        "items": {
            "categories": [{"id": "gear", "label": "Gear"}], "tags": [{"id": "magical", "label": "Magical"}],
            "currencies": [{"id": "coin", "label": "Coins", "units": [{"id": "penny", "label": "Penny", "value": 1},
                {"id": "shilling", "label": "Shilling", "value": 12}, {"id": "crown", "label": "Crown", "value": 60}]}],
            "lootTables": [{"id": "pockets", "label": "Pockets", "entries": [{"coins": "crown"}]},
                {"id": "chest", "label": "Chest", "entries": [{"coins": "crown"}, {"item": "wares/pistol"}]}],
            "market": {"prices": [{"id": "fair", "label": "Fair", "times": 1, "default": true}], "places": [{"id": "camp", "label": "Camp"}],
                "sellers": [seller("dealer"), seller("scribe"), seller("smith")]}},
        "layers": [
            {"id": "hard_winter", "label": "Hard winter", "conflicts": ["mud_season"],
                "gm": {"guidance": "Winter.", "worldGuidance": "Cold."},
                "fields": [{"id": "calling", "removeValues": ["Sailor"], "default": "Hauler"},
                    {"id": "pace", "removeValues": ["Quick"]}],
                "difficultyLadder": [{"label": "Easy", "dc": 7}],
                "catalogs": [{"id": "wares", "hide": {"filter": "grit", "above": 0}}]},
            {"id": "mud_season", "label": "Mud season", "gm": {"guidance": "Mud."}},
            {"id": "long_night", "label": "Long night", "gm": {"guidance": "Night."}, "currencies": {"removeUnits": ["crown"]},
                "difficultyLadder": [{"label": "Easy", "dc": 9}]},
            {"id": "no_dealers", "label": "No dealers", "items": {"market": {"removeSellers": ["dealer", "scribe"], "unsold": [{"tag": "magical"}]},
                "lootTables": [{"id": "pockets", "label": "Lint", "entries": [{"item": "wares/pistol"}]}]}},
            {"id": "no_smiths", "label": "No smiths", "items": {"market": {"removeSellers": ["smith", "dealer"], "unsold": [{"tag": "magical"}, {"category": "gear"}]}}},
            {"id": "landlocked", "label": "Landlocked", "fields": [{"id": "calling", "removeValues": ["Hauler", "Scout"]}]},
            {"id": "barter", "label": "Barter", "currencies": {"removeFamilies": ["coin"]}}]
    })
}

/// What a layer may put where nothing was: text, wares nobody sells, and another loot table in the place of one.
fn may_grow(place: &str) -> bool {
    place == "/gm/worldGuidance"
        || ["/items/market/unsold", "/items/lootTables/"].iter().any(|at| place.starts_with(at))
}

/// Every place of a document, items of lists by their ids; those without are told apart by nothing.
fn places(value: &Value, at: &str, into: &mut BTreeSet<String>) {
    into.insert(at.to_owned());
    for (key, member) in value.as_object().into_iter().flatten() {
        places(member, &format!("{at}/{key}"), into);
    }
    for item in value.as_array().into_iter().flatten() {
        places(item, &format!("{at}/{}", item["id"].as_str().unwrap_or("*")), into);
    }
}

fn files() -> Vec<(String, Value)> {
    let item = |id: &str, grit: u32, cost: Value| json!({"id": id, "label": id, "filters": {"grit": grit}, "item": {"category": "gear", "cost": cost}});
    let entries = json!([
        item("pistol", 1, json!({"amount": 3, "unit": "crown"})),
        item("rope", 0, json!({"amount": 7, "unit": "penny"}))
    ]);
    vec![("catalogs/wares.json".to_owned(), json!({"schemaVersion": 1, "catalog": "wares", "entries": entries}))]
}

fn layered(chosen: &[&str]) -> Layered {
    with_layers(&ruleset(), &files(), chosen).unwrap()
}

fn cost(layered: &Layered, entry: usize) -> Option<&Value> {
    layered.ruleset["catalogs"][0]["entries"][entry]["item"].get("cost")
}

#[test]
fn of_two_layers_that_conflict_the_one_declared_later_is_dropped() {
    for chosen in [["hard_winter", "mud_season"], ["mud_season", "hard_winter"]] {
        let told = layered(&chosen);
        assert_eq!(told.active, ["hard_winter"]);
        assert_eq!(
            (told.dropped[0].id.as_str(), told.dropped[0].conflict.as_deref()),
            ("mud_season", Some("hard_winter"))
        );
        assert_eq!(told.ruleset["gm"]["checkGuidance"], "Own. Winter.");
    }
}

/// `one`, `two` and `three`, which name these others.
fn chain(conflicts: [&[&str]; 3]) -> Value {
    let mut ruleset = ruleset();
    let layers = ["one", "two", "three"].into_iter().zip(conflicts);
    ruleset["layers"] = layers
        .map(|(id, others)| json!({"id": id, "label": id, "conflicts": others, "gm": {"guidance": id}}))
        .collect();
    ruleset
}

#[test]
fn either_side_of_a_conflict_may_name_the_other_and_the_later_one_goes() {
    for conflicts in [[&["two"][..], &[], &[]], [&[], &["one"], &[]], [&["two"], &["one"], &[]]] {
        let told = with_layers(&chain(conflicts), &files(), &["two", "one"]).unwrap();
        assert_eq!((told.active, told.dropped[0].id.as_str()), (vec!["one".to_owned()], "two"), "{conflicts:?}");
    }
}

/// docs/spec/decisions.md#q35: what is dropped drops nobody else.
#[test]
fn of_three_in_a_chain_of_conflicts_the_first_and_the_last_stay() {
    let chain = chain([&["two"], &["three"], &[]]);
    let told = with_layers(&chain, &files(), &["one", "two", "three"]).unwrap();
    assert_eq!(told.active, ["one", "three"]);
    assert_eq!(told.dropped[0].conflict.as_deref(), Some("one"));
    assert_eq!(told.ruleset["gm"]["checkGuidance"], "Own. one three");
    assert_eq!(with_layers(&chain, &files(), &["two", "three"]).unwrap().active, ["two"]);
}

#[test]
fn a_layer_that_breaks_a_rule_of_its_own_is_dropped_with_the_reason_and_no_other_for_it() {
    let mut faulty = ruleset();
    faulty["layers"][0]["fields"][0]["removeValues"] = json!(["Nobody"]);
    let told = with_layers(&faulty, &files(), &["hard_winter", "mud_season"]).unwrap();
    assert_eq!(told.active, ["mud_season"]);
    let dropped = &told.dropped[0];
    assert_eq!((dropped.id.as_str(), &dropped.conflict), ("hard_winter", &None));
    assert!(dropped.reason.contains("Nobody"), "{}", dropped.reason);
    assert_eq!(told.ruleset["sheet"]["fields"], faulty["sheet"]["fields"]);
}

#[test]
fn guidance_comes_after_the_rulesets_own_and_earlier_layers() {
    let told = layered(&["long_night", "hard_winter"]);
    assert_eq!(told.ruleset["gm"], json!({"checkGuidance": "Own. Winter. Night.", "worldGuidance": "Cold."}));
}

#[test]
fn values_go_with_their_labels_and_the_default_moves() {
    let field = &layered(&["hard_winter"]).ruleset["sheet"]["fields"][0];
    assert_eq!(field["values"], json!(["Hauler", "Scout"]));
    assert_eq!((&field["default"], &field["valueLabels"]), (&json!("Hauler"), &json!({})));
}

/// N122: nothing of it is applied, as if it had not been chosen.
#[test]
fn a_layer_that_leaves_a_field_no_value_beside_those_before_it_is_dropped_whole() {
    let mut ruleset = ruleset();
    ruleset["layers"][5]["gm"] = json!({"guidance": "No sea."});
    ruleset["layers"][5]["difficultyLadder"] = json!([{"label": "Easy", "dc": 1}]);
    let told = with_layers(&ruleset, &files(), &["hard_winter", "landlocked", "long_night"]).unwrap();
    assert_eq!(told.active, ["hard_winter", "long_night"]);
    assert_eq!(told.ruleset["sheet"]["fields"][0]["values"], json!(["Hauler", "Scout"]));
    assert_eq!(told.ruleset["gm"]["checkGuidance"], "Own. Winter. Night.");
    assert_eq!(told.ruleset["resolution"]["difficultyLadder"][0]["dc"], 9);
    let dropped = &told.dropped[0];
    assert_eq!((dropped.id.as_str(), &dropped.conflict), ("landlocked", &None));
    assert!(dropped.reason.contains("field `calling`"), "{}", dropped.reason);
    assert_eq!(layered(&["landlocked"]).ruleset["sheet"]["fields"][0]["values"], json!(["Sailor"]));
}

/// N125: what a conflict drops is dropped, whatever becomes of the other one.
#[test]
fn a_layer_dropped_for_a_conflict_does_not_come_back() {
    let mut ruleset = ruleset();
    let take = |id: &str, values: &[&str], conflicts: &[&str]| json!({"id": id, "label": id, "conflicts": conflicts, "fields": [{"id": "pace", "removeValues": values}]});
    ruleset["layers"] = json!([take("slow", &["Quick"], &[]), take("quick", &["Slow"], &["mud"]),
        {"id": "mud", "label": "Mud", "gm": {"guidance": "Mud."}}]);
    let told = with_layers(&ruleset, &files(), &["slow", "quick", "mud"]).unwrap();
    assert_eq!(told.active, ["slow"]);
    let dropped: Vec<_> = told.dropped.iter().map(|it| (it.id.as_str(), it.conflict.as_deref())).collect();
    assert_eq!(dropped, [("mud", Some("quick")), ("quick", None)]);
}

/// A field of four hues, and two layers over it.
fn hues(dusk: Value, noon: Value) -> Layered {
    let mut ruleset = ruleset();
    ruleset["sheet"]["fields"] = json!([{"id": "hue", "label": "Hue", "type": "enum",
        "values": ["red", "green", "blue", "grey"], "valueLabels": {"red": "Red", "green": "Green"}, "default": "red"}]);
    let layer = |id: &str, mut narrowed: Value| {
        narrowed["id"] = json!("hue");
        json!({"id": id, "label": id, "fields": [narrowed], "gm": {"guidance": id}})
    };
    ruleset["layers"] = json!([layer("dusk", dusk), layer("noon", noon)]);
    with_layers(&ruleset, &files(), &["noon", "dusk"]).unwrap()
}

/// The two worked examples of N122 and N123.
#[test]
fn the_default_is_the_one_named_last_or_none() {
    let dusk = json!({"removeValues": ["red", "grey"], "default": "green"});
    let field = |told: &Layered| told.ruleset["sheet"]["fields"][0].clone();
    let told = hues(dusk.clone(), json!({"removeValues": ["blue"], "default": "grey"}));
    assert_eq!((told.active.len(), told.dropped.len()), (2, 0));
    assert_eq!((&field(&told)["values"], field(&told).get("default")), (&json!(["green"]), None));
    assert_eq!(field(&told)["valueLabels"], json!({"green": "Green"}));
    assert!(told.undone[0].layer == "noon" && told.undone[0].reason.contains("`grey`"), "{:?}", told.undone);

    let told = hues(dusk.clone(), json!({"removeValues": ["green", "blue"]}));
    assert_eq!(told.active, ["dusk"]);
    assert_eq!((&field(&told)["values"], &field(&told)["default"]), (&json!(["green", "blue"]), &json!("green")));
    assert_eq!(told.ruleset["gm"]["checkGuidance"], "Own. dusk");

    // The last that names one, not the last there is.
    let told = hues(dusk.clone(), json!({"removeValues": ["blue"]}));
    assert_eq!((&field(&told)["default"], told.undone.len()), (&json!("green"), 0));
    // The one named by an earlier layer and taken by a later one does not fall back on the field's own.
    let told = hues(json!({"removeValues": ["blue"], "default": "green"}), json!({"removeValues": ["green"]}));
    assert_eq!((&field(&told)["values"], field(&told).get("default")), (&json!(["red", "grey"]), None));
    let told = hues(json!({"removeValues": ["blue"]}), json!({"removeValues": ["green"]}));
    assert_eq!((&field(&told)["values"], &field(&told)["default"]), (&json!(["red", "grey"]), &json!("red")));
}

/// N124.
#[test]
fn guidance_is_trimmed_and_joined_by_one_space() {
    let told = |own: Value, layers: [&str; 2]| {
        let mut ruleset = ruleset();
        ruleset["gm"] = own;
        let layer =
            |id: &str, text: &str| json!({"id": id, "label": id, "gm": {"guidance": text, "worldGuidance": text}});
        ruleset["layers"] = json!([layer("one", layers[0]), layer("two", layers[1])]);
        with_layers(&ruleset, &files(), &["one", "two"]).unwrap().ruleset["gm"].clone()
    };
    let own = json!({"checkGuidance": " Own. \u{feff}"});
    assert_eq!(
        told(own.clone(), [" One.\u{a0}", "Two."]),
        json!({"checkGuidance": "Own. One. Two.", "worldGuidance": "One. Two."})
    );
    assert_eq!(told(own.clone(), ["  ", "Two."]), json!({"checkGuidance": "Own. Two.", "worldGuidance": "Two."}));
    assert_eq!(told(own, [" ", "\u{2003}"]), json!({"checkGuidance": "Own."}), "the own text is trimmed all the same");
    assert_eq!(told(json!({"checkGuidance": "  "}), [" ", " "]), json!({"checkGuidance": "  "}), "nothing is left");
}

#[test]
fn an_entry_that_two_layers_hide_is_named_once_with_the_first() {
    let mut ruleset = ruleset();
    ruleset["layers"][1]["catalogs"] = json!([{"id": "wares", "hide": {"filter": "grit", "below": 5}}]);
    ruleset["layers"][0].as_object_mut().unwrap().remove("conflicts");
    let told = with_layers(&ruleset, &files(), &["mud_season", "hard_winter"]).unwrap();
    let hidden: Vec<_> = told.hidden.iter().map(|it| (it.entry.as_str(), it.layer.as_str())).collect();
    assert_eq!(hidden, [("pistol", "hard_winter"), ("rope", "mud_season")]);
}

#[test]
fn the_last_loot_table_wins_and_its_lost_coins_go_too() {
    let mut ruleset = ruleset();
    let table = |label: &str, coin: &str| json!({"lootTables": [{"id": "pockets", "label": label, "entries": [{"coins": coin}, {"coins": "penny"}]}]});
    ruleset["layers"][0]["items"] = table("Cold", "penny");
    ruleset["layers"][3]["items"] = table("Rich", "crown");
    let told = with_layers(&ruleset, &files(), &["no_dealers", "long_night", "hard_winter"]).unwrap();
    let table = &told.ruleset["items"]["lootTables"][0];
    assert_eq!((&table["label"], &table["entries"]), (&json!("Rich"), &json!([{"coins": "penny"}])));
    assert!(table.get("rolls").is_none());
}

#[test]
fn the_last_ladder_wins() {
    assert_eq!(layered(&["hard_winter", "long_night"]).ruleset["resolution"]["difficultyLadder"][0]["dc"], 9);
    assert_eq!(layered(&["hard_winter"]).ruleset["resolution"]["difficultyLadder"][0]["dc"], 7);
}

#[test]
fn hidden_entries_are_named_and_go_on_existing() {
    let told = layered(&["hard_winter"]);
    let hidden: Vec<_> = told.hidden.iter().map(|hidden| (hidden.catalog.as_str(), hidden.entry.as_str())).collect();
    assert_eq!(hidden, [("wares", "pistol")]);
    assert_eq!(told.ruleset["catalogs"][0]["entries"].as_array().unwrap().len(), 2);
}

#[test]
fn the_long_night_takes_the_crown_out_and_a_watch_pistol_at_3_crowns_costs_15_shillings() {
    let told = layered(&["long_night"]);
    assert_eq!(cost(&told, 0), Some(&json!({"amount": 15, "unit": "shilling"})));
    assert_eq!(cost(&told, 1), Some(&json!({"amount": 7, "unit": "penny"})));
    let units = told.ruleset["items"]["currencies"][0]["units"].as_array().unwrap();
    assert_eq!(units.iter().map(|unit| unit["id"].as_str().unwrap()).collect::<Vec<_>>(), ["penny", "shilling"]);
    let tables = &told.ruleset["items"]["lootTables"];
    assert_eq!((&tables[0]["entries"], &tables[0]["rolls"]), (&json!([]), &json!(0)));
    assert_eq!(tables[1]["entries"], json!([{"item": "wares/pistol"}]));
}

#[test]
fn without_its_family_an_item_has_no_price() {
    let told = layered(&["barter", "long_night"]);
    assert_eq!((cost(&told, 0), cost(&told, 1)), (None, None));
    assert_eq!(told.ruleset["items"]["currencies"], json!([]));
}

#[test]
fn sellers_are_never_all_taken_out_not_even_by_two_layers_and_what_is_unsold_adds_up() {
    let told = layered(&["no_dealers", "no_smiths"]);
    let market = &told.ruleset["items"]["market"];
    assert_eq!(market["sellers"].as_array().unwrap().len(), 1);
    assert_eq!(market["sellers"][0]["id"], "smith");
    assert_eq!(market["unsold"], json!([{"tag": "magical"}, {"category": "gear"}]));
    assert_eq!(told.undone[0].layer, "no_smiths");
    assert_eq!(told.ruleset["items"]["lootTables"][0]["label"], "Lint");
}

#[test]
fn a_layer_nobody_declared_is_no_choice() {
    let told = with_layers(&ruleset(), &files(), &["hard_wintr"]).unwrap_err();
    assert_eq!((told.near, told.known.len()), (vec!["hard_winter".to_owned()], 7));
}

#[test]
fn without_layers_it_is_the_ruleset_with_its_catalogs_in_it() {
    let mut own = layered(&[]).ruleset;
    let entries = own["catalogs"][0].as_object_mut().unwrap().remove("entries");
    own["catalogs"][0]["asset"] = json!("catalogs/wares.json");
    assert_eq!((own, entries), (ruleset(), Some(files()[0].1["entries"].clone())));
}

const ALL: [&str; 7] = ["hard_winter", "mud_season", "long_night", "no_dealers", "no_smiths", "landlocked", "barter"];

fn count(ruleset: &Value, pointer: &str) -> usize {
    ruleset.pointer(pointer).and_then(Value::as_array).map_or(0, Vec::len)
}

proptest! {
    #[test]
    fn layers_only_narrow_or_add_text(chosen in prop::sample::subsequence(ALL.to_vec(), 0..=7)) {
        let (before, after) = (layered(&[]).ruleset, layered(&chosen).ruleset);
        for list in ["/sheet/fields/0/values", "/items/currencies", "/items/market/sellers", "/items/lootTables", "/catalogs/0/entries"] {
            prop_assert!(count(&after, list) <= count(&before, list), "{}", list);
        }
        prop_assert!(count(&after, "/items/market/sellers") > 0 && count(&after, "/sheet/fields/0/values") > 0);
        prop_assert!(after["gm"]["checkGuidance"].as_str().unwrap().starts_with("Own."));
        for key in ["x", "layers"] {
            prop_assert_eq!(&after[key], &before[key]);
        }
        let (mut known, mut now) = (BTreeSet::new(), BTreeSet::new());
        places(&before, "", &mut known);
        places(&after, "", &mut now);
        let grown: Vec<&String> = now.difference(&known).filter(|at| !may_grow(at)).collect();
        prop_assert!(grown.is_empty(), "{:?}", grown);
    }

    #[test]
    fn the_order_they_are_named_in_does_not_count(chosen in Just(ALL.to_vec()).prop_shuffle(), many in 0_usize..=7) {
        let named = &chosen[..many];
        let mut sorted = named.to_vec();
        sorted.sort_unstable();
        prop_assert_eq!(layered(named).ruleset, layered(&sorted).ruleset);
    }

    #[test]
    fn two_layers_that_change_different_things_may_be_declared_either_way_round(
        one in prop::sample::select(vec!["mud_season", "no_dealers", "landlocked"]),
        other in prop::sample::select(vec!["long_night", "barter"]),
    ) {
        let mut turned = ruleset();
        turned["layers"].as_array_mut().unwrap().reverse();
        let without_text = |told: Layered| {
            let mut ruleset = told.ruleset;
            ruleset.as_object_mut().unwrap().retain(|key, _| key != "gm" && key != "layers");
            ruleset
        };
        let either = with_layers(&turned, &files(), &[one, other]).unwrap();
        prop_assert_eq!(without_text(layered(&[one, other])), without_text(either));
    }
}
