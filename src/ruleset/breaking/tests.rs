//! What becomes of each thing that goes, and that nothing is told of what stays.

use super::inventory::{Shelf, inventory};
use super::*;
use crate::ruleset::whole::FILE;
use serde_json::json;
use std::path::Path;

fn told(new: &Value, old: &Value) -> Vec<Problem> {
    against(Edition { ruleset: new, files: &[] }, Edition { ruleset: old, files: &[] })
}

/// Code, severity, place.
fn in_short(problems: &[Problem]) -> Vec<String> {
    let severity = |problem: &Problem| if problem.severity == Severity::Error { "error" } else { "warning" };
    let line = |it: &Problem| format!("{} {} {}", it.code, severity(it), it.pointer.as_deref().unwrap());
    problems.iter().map(line).collect()
}

fn old() -> Value {
    json!({
        "id": "example", "version": 1,
        "resolution": {"proficiencyTiers": [{"id": "none"}, {"id": "trained"}, {"id": "expert"}]},
        "sheet": {
            "version": 3,
            "abilities": [{"id": "str", "label": "Strength", "min": 0, "max": 20}],
            "skills": [{"id": "climb", "label": "Climb"}],
            "saves": [{"id": "grit", "label": "Grit"}],
            "fields": [
                {"id": "xp", "label": "Experience", "type": "number", "min": 0, "max": 900},
                {"id": "class", "label": "Class", "type": "enum", "values": ["fighter", "wizard"]},
                {"id": "notes", "label": "Notes", "type": "text", "maxLength": 80}],
            "lists": [{"id": "attacks", "label": "Attacks", "maxItems": 20, "columns": [
                {"id": "name", "label": "Name", "type": "text", "maxLength": 80},
                {"id": "by", "label": "By", "type": "enum", "values": ["str", "dex"]}]}],
            "live": {
                "pools": [{"id": "hp", "label": "Health", "max": {"const": 10}}],
                "tracks": [{"id": "harm", "label": "Harm", "max": 5,
                    "kinds": [{"id": "b", "label": "B"}, {"id": "l", "label": "L"}]}],
                "text": [{"id": "spell", "label": "Spell", "maxLength": 80}],
                "conditions": [{"id": "prone", "label": "Prone"}],
                "states": [{"id": "mood", "label": "Mood", "values": ["calm", "angry"]}]}},
        "catalogs": [{"id": "spells", "label": "Spells", "entries": [{"id": "fire", "label": "Fire"}]}],
        "items": {
            "slots": [{"id": "head", "label": "Head"}],
            "currencies": [{"id": "coins", "label": "Coins", "units": [
                {"id": "gold", "label": "Gold"}, {"id": "iron", "label": "Iron"}]}]},
        "layers": [{"id": "grim", "label": "Grim"}]
    })
}

/// The version before with these values written anew; what is none is taken away.
fn new(edits: &[(&str, Value)]) -> Value {
    let mut new = old();
    for (at, value) in edits {
        if value.is_null() {
            take(&mut new, at);
        } else {
            let (parent, key) = at.rsplit_once('/').unwrap();
            match new.pointer_mut(parent).unwrap() {
                Value::Array(items) if key == "-" => items.push(value.clone()),
                Value::Array(items) => items[key.parse::<usize>().unwrap()] = value.clone(),
                parent => parent[key] = value.clone(),
            }
        }
    }
    new
}

fn take(value: &mut Value, at: &str) -> Value {
    let (parent, key) = at.rsplit_once('/').unwrap();
    match value.pointer_mut(parent).unwrap() {
        Value::Array(items) => items.remove(key.parse().unwrap()),
        parent => parent.as_object_mut().unwrap().remove(key).unwrap(),
    }
}

const NOT_RAISED: &str = "layout-version error /sheet/version";

#[test]
fn what_has_a_step_is_an_error_and_what_has_none_a_warning() {
    for (taken, expected) in [
        ("/sheet/abilities/0", vec!["gone-unmigrated error /sheet/abilities", NOT_RAISED]),
        ("/sheet/skills/0", vec!["gone-unmigrated error /sheet/skills", NOT_RAISED]),
        ("/sheet/skills", vec!["gone-unmigrated error /sheet", NOT_RAISED]),
        ("/sheet/saves/0", vec!["gone-unmigrated error /sheet/saves", NOT_RAISED]),
        ("/sheet/fields/0", vec!["gone-unmigrated error /sheet/fields", NOT_RAISED]),
        ("/sheet/live/pools/0", vec!["gone-unmigrated error /sheet/live/pools", NOT_RAISED]),
        ("/sheet/live/tracks/0", vec!["gone-unmigrated error /sheet/live/tracks", NOT_RAISED]),
        ("/sheet/lists/0/columns/1/values/0", vec!["gone-unmigrated error /sheet/lists/0/columns/1/values"]),
        ("/sheet/lists/0", vec!["gone-for-good warning /sheet/lists", "layout-version warning /sheet/version"]),
        (
            "/sheet/lists/0/columns/0",
            vec!["gone-for-good warning /sheet/lists/0/columns", "layout-version warning /sheet/version"],
        ),
        ("/resolution/proficiencyTiers/1", vec!["gone-for-good warning /resolution/proficiencyTiers"]),
        ("/sheet/fields/1/values/0", vec!["gone-for-good warning /sheet/fields/1/values"]),
        ("/sheet/live/tracks/0/kinds/0", vec!["gone-for-good warning /sheet/live/tracks/0/kinds"]),
        ("/sheet/live/text/0", vec!["gone-for-good warning /sheet/live/text"]),
        ("/sheet/live/conditions/0", vec!["gone-for-good warning /sheet/live/conditions"]),
        ("/sheet/live/states/0", vec!["gone-for-good warning /sheet/live/states"]),
        ("/sheet/live/states/0/values/0", vec!["gone-for-good warning /sheet/live/states/0/values"]),
        ("/catalogs/0", vec!["gone-for-good warning /catalogs"]),
        ("/catalogs/0/entries/0", vec!["gone-for-good warning /catalogs/0/entries"]),
        ("/items/slots/0", vec!["gone-for-good warning /items/slots"]),
        ("/items/currencies/0", vec!["gone-for-good warning /items/currencies"]),
        ("/items/currencies/0/units/0", vec!["gone-for-good warning /items/currencies/0/units"]),
        ("/layers/0", vec!["gone-for-good warning /layers"]),
    ] {
        assert_eq!(in_short(&told(&new(&[(taken, Value::Null)]), &old())), expected, "{taken}");
    }
}

#[test]
fn what_takes_less_cuts_and_what_is_of_another_type_reads_nothing() {
    let narrower = |at: &str| vec![format!("range-cuts warning {at}")];
    let other =
        |at: &str| vec![format!("type-changed warning {at}"), "layout-version warning /sheet/version".to_owned()];
    let field = |field: Value| {
        let mut field = field;
        field["id"] = json!("xp");
        field
    };
    for (at, value, expected) in [
        ("/sheet/abilities/0/max", json!(18), narrower("/sheet/abilities/0")),
        ("/sheet/abilities/0/max", json!(30), vec![]),
        ("/sheet/fields/0/min", json!(1), narrower("/sheet/fields/0")),
        ("/sheet/fields/0/integer", json!(false), vec![]),
        ("/sheet/fields/0/integer", json!(true), vec![]),
        ("/sheet/fields/2/maxLength", json!(40), narrower("/sheet/fields/2")),
        ("/sheet/fields/2/type", json!("longtext"), vec![]),
        ("/sheet/fields/0", field(json!({"type": "text", "maxLength": 9})), other("/sheet/fields/0")),
        ("/sheet/fields/0", field(json!({"type": "boolean"})), other("/sheet/fields/0")),
        ("/sheet/fields/2", json!({"id": "notes", "type": "enum", "values": ["x"]}), other("/sheet/fields/2")),
        ("/sheet/fields/1", json!({"id": "class", "type": "text", "maxLength": 7}), vec![]),
        ("/sheet/fields/1", json!({"id": "class", "type": "text", "maxLength": 6}), narrower("/sheet/fields/1")),
        ("/sheet/lists/0/maxItems", json!(10), narrower("/sheet/lists/0")),
        ("/sheet/lists/0/columns/0/maxLength", json!(10), narrower("/sheet/lists/0/columns/0")),
        ("/sheet/live/pools/0/max", json!({"const": 9}), narrower("/sheet/live/pools/0")),
        ("/sheet/live/pools/0/max", json!({"field": "xp"}), vec![]),
        ("/sheet/live/tracks/0/max", json!(4), narrower("/sheet/live/tracks/0")),
        ("/sheet/live/tracks/0/kinds", Value::Null, other("/sheet/live/tracks/0")),
        ("/sheet/bonusRange", json!({"min": -5, "max": 40}), narrower("/sheet/bonusRange")),
        ("/sheet/bonusRange", json!({"min": -20, "max": 50}), vec![]),
        ("/sheet/skillTiers", json!(["none", "trained"]), vec!["gone-for-good warning /sheet/skillTiers".to_owned()]),
    ] {
        assert_eq!(in_short(&told(&new(&[(at, value.clone())]), &old())), expected, "{at} {value}");
    }
}

#[test]
fn what_a_migration_takes_along_is_not_lost() {
    let entry = |from: u32, step: Value| json!([{"from": from, "steps": [step]}]);
    let step = json!({"rename": "field", "from": "xp", "to": "experience"});
    let run = |version: u32, max: u32, entries: Value| {
        let field = json!({"id": "experience", "label": "Experience", "type": "number", "min": 0, "max": max});
        let edits = [("/sheet/version", json!(version)), ("/sheet/fields/0", field), ("/sheet/migrations", entries)];
        in_short(&told(&new(&edits), &old()))
    };
    assert_eq!(run(4, 900, entry(3, step.clone())), [""; 0]);
    assert_eq!(run(4, 9, entry(3, step.clone())), ["range-cuts warning /sheet/fields/0"]);
    // It does not run on sheets of version 3.
    assert_eq!(run(4, 900, entry(2, step.clone())), ["gone-unmigrated error /sheet/fields"]);
    let route = json!({"route": "xp", "by": "class", "cases": [{"words": ["wizard"], "to": "notes"}], "else": "mid"});
    let chain = json!([{"from": 3, "steps": [route, {"rename": "field", "from": "mid", "to": "experience"}]}]);
    assert_eq!(run(4, 900, chain), ["type-changed warning /sheet/fields/2"]);

    let set = |wheres: Value| {
        json!([{"from": 3, "steps": [
        {"setColumn": {"list": "attacks", "where": wheres, "column": "by", "to": "dex"}}]}])
    };
    let run = |wheres: Value| {
        let edits = [
            ("/sheet/version", json!(4)),
            ("/sheet/lists/0/columns/1/values", json!(["dex"])),
            ("/sheet/migrations", set(wheres)),
        ];
        in_short(&told(&new(&edits), &old()))
    };
    assert_eq!(run(json!({"by": ["STR "]})), [""; 0]);
    let left = ["gone-unmigrated error /sheet/lists/0/columns/1/values"];
    assert_eq!(run(json!({"by": ["str"], "name": ["Dagger"]})), left, "other rows keep it");
}

#[test]
fn the_version_of_the_layout_never_falls_and_the_id_stays() {
    let lowered = told(&new(&[("/sheet/version", json!(2))]), &old());
    assert_eq!(in_short(&lowered), [NOT_RAISED]);
    let other = told(&new(&[("/id", json!("other")), ("/sheet/fields/0", Value::Null)]), &old());
    assert_eq!(in_short(&other), ["ruleset-id-changed error /id"]);
}

#[test]
fn what_cannot_be_read_is_told_by_its_shape_alone() {
    for (at, value) in [
        ("/sheet", Value::Null),
        ("/sheet", json!(3)),
        ("/sheet", json!([])),
        ("/sheet/fields", json!(3)),
        ("/sheet/live", json!([])),
        ("/sheet/lists/0/columns", json!({})),
        ("/resolution", json!(3)),
        ("/items", json!("x")),
        ("/catalogs", json!("x")),
        ("/catalogs/0/entries", json!("x")),
    ] {
        assert_eq!(in_short(&told(&new(&[(at, value)]), &old())), [""; 0], "{at}");
    }
}

#[test]
fn a_catalog_that_no_sheet_picks_from_is_not_missed() {
    for (catalog, expected) in [
        (json!({"id": "foes", "holds": "creatures", "entries": [{"id": "rat", "label": "Rat"}]}), 0),
        (json!({"id": "empty", "entries": []}), 0),
        (json!({"id": "foes", "holds": "creatures", "asset": "catalogs/unread.json"}), 1),
        (json!({"id": "wares", "entries": [{"id": "rope", "label": "Rope"}]}), 1),
    ] {
        assert_eq!(told(&old(), &new(&[("/catalogs/-", catalog.clone())])).len(), expected, "{catalog}");
    }
}

#[test]
fn one_target_is_for_one_thing() {
    let field = |id: &str| json!({"id": id, "label": id, "type": "number", "min": 0, "max": 9});
    let before = new(&[("/sheet/fields/-", field("renown_road")), ("/sheet/fields/-", field("renown_camp"))]);
    let mut after = old();
    after["sheet"]["version"] = json!(4);
    after["sheet"]["fields"].as_array_mut().unwrap().push(field("renown"));
    let run = |ids: &[(&str, &str)]| {
        let mut after = after.clone();
        let step = |(from, to): &(&str, &str)| json!({"rename": "field", "from": from, "to": to});
        after["sheet"]["migrations"] = json!([{"from": 3, "steps": ids.iter().map(step).collect::<Vec<_>>()}]);
        told(&after, &before)
    };
    // A removed thing is proposed what nothing else moves to, and no other thing is proposed that.
    let proposed = |found: &[Problem]| found.iter().filter(|it| it.hint.as_ref().unwrap().contains("`renown`")).count();
    assert_eq!(proposed(&run(&[])), 1);
    assert_eq!(proposed(&run(&[("renown_road", "renown")])), 0);
    let taken = "target-taken warning /sheet/fields";
    let both = [("renown_road", "renown"), ("renown_camp", "renown")];
    assert_eq!(in_short(&run(&both)), [format!("{taken}/3")]);
    let onto_kept = [("renown_road", "renown"), ("renown_camp", "xp")];
    assert_eq!(in_short(&run(&onto_kept)), [format!("{taken}/0")]);
}

#[test]
fn what_goes_with_a_track_is_what_it_holds() {
    let lost = |old: &Value, at: &str| {
        let mut new = old.clone();
        take(&mut new, at);
        told(&new, old)[0].message.clone()
    };
    assert!(lost(&old(), "/sheet/live/tracks/0").ends_with(": stored sheets lose its marks"));
    let plain = new(&[("/sheet/live/tracks/0/kinds", Value::Null)]);
    assert!(lost(&plain, "/sheet/live/tracks/0").ends_with(": stored sheets lose its value"));
}

/// A ruleset with its catalog files, from a folder of them or alone.
fn read(path: &str) -> (Value, Vec<(String, Value)>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let json = |path: &Path| serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let ruleset: Value = json(&path);
    let file = |asset: &str| (asset.to_owned(), json(&path.parent().unwrap().join(asset)));
    let files = crate::ruleset::catalog_files(&ruleset).into_iter().map(file).collect();
    (ruleset, files)
}

fn rulesets() -> Vec<(Value, Vec<(String, Value)>)> {
    [
        "testdata/rulesets/lantern-coast.json",
        "testdata/rulesets/iron-quarter.json",
        "testdata/rulesets/quiet-hours.json",
        "testdata/seed/ruleset.json",
        "catalog-example/packages/ember-roads/ruleset.json",
        "catalog-example/packages/gravewatch/ruleset.json",
    ]
    .map(read)
    .into()
}

/// Where each thing stands: its kind's word, whether that has a step, file, pointer and id.
fn things(shelves: &[Shelf<'_>], out: &mut Vec<(&'static str, bool, String, String, String)>) {
    for shelf in shelves.iter().filter(|shelf| shelf.is_known) {
        let own = shelf.things.iter().filter(|thing| !thing.id.is_empty() && !thing.offers_nothing());
        for thing in own.filter(|thing| thing.node.at().to_string().starts_with(&shelf.place.at().to_string())) {
            let (file, at) = (thing.node.file().to_owned(), thing.node.at().to_string());
            out.push((shelf.kind.word, shelf.kind.by.is_some(), file, at, thing.id.to_owned()));
            things(&thing.within, out);
        }
    }
}

/// The document of a file.
fn document<'d>(file: &str, (ruleset, files): (&'d mut Value, &'d mut [(String, Value)])) -> &'d mut Value {
    match file {
        FILE => ruleset,
        _ => files.iter_mut().find(|(path, _)| path == file).map(|(_, document)| document).unwrap(),
    }
}

#[test]
fn each_thing_that_goes_from_a_whole_ruleset_is_told_once_and_no_other() {
    let mut tried = 0;
    for (ruleset, files) in rulesets() {
        let edition = Edition { ruleset: &ruleset, files: &files };
        assert_eq!(in_short(&against(edition, edition)), [""; 0]);
        let mut all = Vec::new();
        things(&inventory(&Whole::new(&ruleset, &files)), &mut all);
        for (word, has_step, file, at, id) in all {
            let (mut less, mut less_files) = (ruleset.clone(), files.clone());
            take(document(&file, (&mut less, &mut less_files)), &at);
            let smaller = Edition { ruleset: &less, files: &less_files };
            let found = against(smaller, edition);
            let gone: Vec<_> = found.iter().filter(|it| it.code != codes::LAYOUT_VERSION).collect();
            let code = if has_step { codes::GONE_UNMIGRATED } else { codes::GONE_FOR_GOOD };
            assert!(gone.len() == 1 && gone[0].code == code, "{word} {at}: {found:#?}");
            assert!(gone[0].message.starts_with(&format!("the {word} `{id}`")), "{found:#?}");
            // The other way round it is an addition, and needs nothing.
            assert_eq!(in_short(&against(edition, smaller)), [""; 0], "{word} {at}");
            tried += 1;
        }
    }
    assert!(tried > 300, "{tried}");
}

#[test]
fn the_step_that_is_proposed_takes_what_was_renamed_along() {
    let (mut tried, mut likely) = (0, 0);
    for (mut ruleset, files) in rulesets() {
        let mut all = Vec::new();
        things(&inventory(&Whole::new(&ruleset, &files)), &mut all);
        let before = ruleset.clone();
        let version = version(&before);
        ruleset["sheet"]["version"] = json!(version + 1);
        for (word, _, _, at, id) in all.into_iter().filter(|(_, has_step, ..)| *has_step) {
            let mut new = ruleset.clone();
            let renamed = format!("{id}_anew");
            let place = new.pointer_mut(&at).unwrap();
            if word == "value" {
                *place = json!(renamed)
            } else {
                place["id"] = json!(renamed)
            }
            let run = |new: &Value| {
                against(Edition { ruleset: new, files: &files }, Edition { ruleset: &before, files: &files })
            };
            let found = run(&new);
            assert_eq!(found.len(), 1, "{word} {at}: {found:#?}");
            let hint = found[0].hint.clone().unwrap();
            tried += 1;
            if !hint.contains("if it is now called") {
                continue;
            }
            likely += 1;
            let entry: Value = serde_json::from_str(&hint[hint.find('{').unwrap()..]).unwrap();
            let migrations = new["sheet"].as_object_mut().unwrap().entry("migrations").or_insert(json!([]));
            migrations.as_array_mut().unwrap().push(entry);
            assert_eq!(in_short(&run(&new)), [""; 0], "{word} {at} {hint}");
        }
    }
    assert!(tried > 100 && likely == tried, "{likely} of {tried}");
}
