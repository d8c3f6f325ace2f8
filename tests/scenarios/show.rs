//! `show`: a ruleset as a game reads it, for programs and for people. The examples are the engine's own
//! (`testdata/seed`).

use super::kit::envelope::Envelope;
use super::kit::sandbox::Sandbox;
use super::kit::seed::{self, Package};
use super::kit::tree::Tree;
use serde_json::{Value, json};

fn show(sandbox: &Sandbox, line: &str) -> Envelope {
    let path = seed::path();
    let words = ["show", path.to_str().unwrap()].into_iter().chain(line.split_whitespace());
    sandbox.json(&words.collect::<Vec<_>>())
}

/// The cost of an item of the example.
fn cost<'a>(answer: &'a Envelope, id: &str) -> &'a Value {
    let entries = answer.other()["ruleset"]["catalogs"][1]["entries"].as_array().unwrap();
    &entries.iter().find(|entry| entry["id"] == id).unwrap()["item"]["cost"]
}

#[test]
fn hard_winter_and_mud_season_together_drop_the_one_declared_later_with_a_warning() {
    let sandbox = Sandbox::new();
    for line in ["--layer hard_winter --layer mud_season", "--layer mud_season --layer hard_winter"] {
        let answer = show(&sandbox, line);
        assert_eq!(answer.other()["layers"], json!(["hard_winter"]));
        let dropped = &answer.other()["droppedLayers"][0];
        assert_eq!((&dropped["id"], &dropped["conflict"]), (&json!("mud_season"), &json!("hard_winter")));
        assert_eq!(answer.warning_codes(), ["layer-dropped"]);
    }
    assert_eq!(show(&sandbox, "--layer mud_season").other()["layers"], json!(["mud_season"]));
}

#[test]
fn hard_winter_appends_its_guidance_narrows_its_field_and_hides_from_the_picker() {
    let answer = show(&Sandbox::new(), "--layer hard_winter");
    let ruleset = &answer.other()["ruleset"];
    let guidance = ruleset["gm"]["checkGuidance"].as_str().unwrap();
    assert!(guidance.starts_with("Roll two dice. Hard winter is on."), "{guidance}");
    assert!(ruleset["gm"]["worldGuidance"].as_str().unwrap().starts_with("Hard winter is on. Build a world"));
    let calling = &ruleset["sheet"]["fields"][0];
    assert_eq!((&calling["values"], &calling["default"]), (&json!(["Hauler", "Scout"]), &json!("Hauler")));
    assert_eq!(ruleset["resolution"]["difficultyLadder"], json!([{"label": "Easy", "dc": 7}]));
    let hidden = json!([{"catalog": "knacks", "entry": "fire-bolt", "layer": "hard_winter"}]);
    assert_eq!(answer.other()["hiddenEntries"], hidden);
    assert_eq!(ruleset["catalogs"][0]["entries"].as_array().unwrap().len(), 3, "hidden entries go on existing");
}

#[test]
fn the_long_night_takes_the_crown_out_and_a_watch_pistol_at_3_crowns_costs_15_shillings() {
    let sandbox = Sandbox::new();
    let pistol = |line: &str| cost(&show(&sandbox, line), "watch-pistol").clone();
    assert_eq!(pistol(""), json!({"amount": 3, "unit": "crown"}));
    assert_eq!(pistol("--layer long_night"), json!({"amount": 15, "unit": "shilling"}));
    assert_eq!(cost(&show(&sandbox, "--layer long_night"), "rope"), &json!({"amount": 7, "unit": "penny"}));
}

#[test]
fn the_last_ladder_wins_and_sellers_are_never_all_taken_out() {
    let sandbox = Sandbox::new();
    let both = show(&sandbox, "--layer long_night --layer hard_winter");
    assert_eq!(both.other()["ruleset"]["resolution"]["difficultyLadder"][0]["dc"], 9);
    let none_left = show(&sandbox, "--layer low_magic --layer no_smiths");
    let items = &none_left.other()["ruleset"]["items"];
    assert_eq!(items["market"]["sellers"].as_array().unwrap().len(), 1);
    assert_eq!(
        (&items["market"]["unsold"], &items["lootTables"][0]["label"]),
        (&json!([{"tag": "magical"}]), &json!("Pocket treasure"))
    );
    assert_eq!(none_left.other()["undone"][0]["layer"], "no_smiths");
    assert_eq!(none_left.warning_codes(), ["layer-part-left-out"]);
}

#[test]
fn the_translation_stands_beside_the_english_rules() {
    let sandbox = Sandbox::new();
    let answer = show(&sandbox, "--language ru");
    let strings = json!({"Prone": "Лежащий", "Fire Bolt": "Огненный снаряд", "Goblin": "Гоблин"});
    assert_eq!(answer.other()["translation"], json!({"language": "ru", "strings": strings}));
    assert_eq!(answer.other()["ruleset"]["catalogs"], show(&sandbox, "").other()["ruleset"]["catalogs"]);
    assert_eq!(show(&sandbox, "").other()["translation"], Value::Null);
    // The language's own text counts before that of the one it is a kind of, and an empty one counts for nothing.
    let brazil = json!({"language": "pt-BR", "strings": {"Goblin": "Duende", "Prone": "Caído"}});
    assert_eq!(show(&sandbox, "--language pt-BR").other()["translation"], brazil);
    assert_eq!(show(&sandbox, "--language ja").other()["translation"], Value::Null);
}

#[test]
fn people_get_a_page_of_it_in_their_language() {
    let sandbox = Sandbox::new();
    let path = seed::path();
    let line = ["show", path.to_str().unwrap(), "--layer", "hard_winter", "--layer", "mud_season", "--language", "ru"];
    let page = sandbox.run(&line).expect(0);
    for said in [
        "Seed example (seed-example 1)",
        "2d6 plus the number on the sheet",
        "Easy 7",
        "Stealth (Dexterity)",
        "Calling: Hauler, Scout",
        "Hit dice (d6)",
        "Лежащий",
        "3 entries, 1 of them hidden by the layers",
        "hard_winter  Hard winter (on)",
        "not together with mud_season",
        "skipped: it conflicts with `hard_winter`",
        "removes coins: crown",
    ] {
        assert!(page.stdout.contains(said), "{said}: {page}");
    }
    assert!(page.stderr.contains("mud_season"), "{page}");
    let human = sandbox.run(&line.into_iter().chain(["--human"]).collect::<Vec<_>>()).expect(0);
    assert_eq!(human.stdout, page.stdout);
    sandbox.run(&["show", path.to_str().unwrap(), "--human", "--json"]).expect(2);
}

/// Also with the longest labels and ids, and on the screen of a telephone.
#[cfg(unix)]
#[test]
fn every_line_of_the_page_fits_the_terminal() {
    use super::kit::terminal::{Watching, watch};
    let sandbox = Sandbox::new();
    let package = Package::copy(&sandbox, "wide");
    let long = "A label as long as labels may be, said twice, said twice";
    package.edit("ruleset.json", |ruleset| {
        ruleset["name"] = json!(format!("{long} {long}"));
        for at in ["/catalogs/0/label", "/layers/0/label", "/layers/1/label", "/items/currencies/0/label"] {
            *ruleset.pointer_mut(at).unwrap() = json!(long);
        }
    });
    let layers = ["--layer", "hard_winter", "--layer", "mud_season"];
    let line = ["show", package.root(), "--language", "ru", "--color", "never"];
    let line: Vec<&str> = line.into_iter().chain(layers).collect();
    for columns in [20, 36, 80] {
        let page = watch(sandbox.command(&line), columns, Watching::Stdout).raw;
        assert!(page.lines().count() > 40, "{page}");
        for shown in page.lines() {
            assert!(shown.chars().count() <= usize::from(columns), "{columns}: {shown:?}");
        }
    }
}

#[test]
fn every_form_of_a_ruleset_can_be_shown_and_nothing_is_written() {
    let sandbox = Sandbox::new();
    let package = Package::copy(&sandbox, "seed");
    let bundle = package.bundle();
    let before = Tree::of(sandbox.work());
    let ruleset = format!("{}/ruleset.json", package.root());
    let whole = sandbox.json(&["show", package.root()]).other()["ruleset"].clone();
    for path in [bundle.to_str().unwrap(), &ruleset] {
        assert_eq!(sandbox.json(&["show", path]).other()["ruleset"], whole, "{path}");
    }
    assert!(before == Tree::of(sandbox.work()));
    assert_eq!(Tree::of(sandbox.data()).files(), [""; 0]);
}

#[test]
fn what_cannot_be_shown_is_told() {
    let sandbox = Sandbox::new();
    let path = seed::path();
    let unknown = sandbox.json(&["show", path.to_str().unwrap(), "--layer", "hard_wintr"]);
    assert_eq!(unknown.code(), "usage");
    assert!(unknown.error.unwrap().hint.unwrap().contains("hard_winter"));
    for (name, code) in [
        ("ember-roads", "not-installed"),
        ("local/ember-roads", "not-installed"),
        ("./nothing.json", "file-not-found"),
        ("seed/locales/ru.json", "not-a-ruleset"),
        ("bad/ruleset.json", "invalid-ruleset"),
        ("broken.zip", "invalid-artifact"),
    ] {
        Package::copy(&sandbox, "seed");
        sandbox.write("bad/ruleset.json", r#"{"schemaVersion": 1, "sheet": {}}"#);
        sandbox.write("broken.zip", "PK\u{3}\u{4}");
        assert_eq!(sandbox.json(&["show", name]).code(), code, "{name}");
    }
    let package = Package::copy(&sandbox, "unsound");
    package.edit("ruleset.json", |ruleset| ruleset["gm"]["checkGuidance"] = json!(3));
    assert_eq!(sandbox.json(&["show", package.root()]).warning_codes(), ["unsound-ruleset"]);
}

/// What came out of a catalog is read as its folder is, in the one language kept.
#[test]
fn an_installed_ruleset_is_shown_translated_and_migrates() {
    let catalog = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog-example");
    let sandbox = Sandbox::new().catalog(&catalog);
    sandbox.run(&["install", "ember-roads", "--language", "ru"]).expect(0);
    let package = catalog.join("packages/ember-roads");
    let of_file = sandbox.json(&["show", package.to_str().unwrap(), "--layer", "hard_winter", "--language", "ru"]);
    let installed = sandbox.json(&["show", "ember-roads", "--layer", "hard_winter"]);
    assert_eq!(installed.other(), of_file.other());
    assert_eq!(sandbox.run(&["translate", "ember-roads", "Cinder Moth 2"]).expect(0).stdout, "Пепельный мотылёк 2\n");
    let sheet = json!({"v": 1, "build": {"skills": {"fix": "trained"}, "bonuses": {"fix": 1}}});
    sandbox.write("mira.json", sheet.to_string());
    let answer = sandbox.json(&["migrate", "ember-roads", "mira.json"]);
    let build = &answer.other()["sheets"][0]["sheet"]["build"];
    assert_eq!((&build["skills"]["tinker"], &build["bonuses"]["tinker"]), (&json!("trained"), &json!(1)));
    let folder = sandbox.version("ember-roads", "1.0.0");
    std::fs::write(folder.join("ruleset.json"), "{").unwrap();
    assert_eq!(sandbox.json(&["show", "ember-roads"]).code(), "damaged-package");
}

/// An id counts before a path of the same name; `./` before it makes it a path.
#[test]
fn what_is_installed_counts_before_a_folder_of_the_same_name() {
    let sandbox = Sandbox::new();
    let package = Package::copy(&sandbox, "local/seed-example");
    assert_eq!(sandbox.json(&["show", "local/seed-example"]).other()["ruleset"]["name"], "Seed example");
    sandbox.run(&["import", package.root()]).expect(0);
    package.edit("ruleset.json", |ruleset| ruleset["name"] = json!("Edited"));
    assert_eq!(sandbox.json(&["show", "local/seed-example"]).other()["ruleset"]["name"], "Seed example");
    assert_eq!(sandbox.json(&["show", "./local/seed-example"]).other()["ruleset"]["name"], "Edited");
}

#[test]
fn nothing_in_a_ruleset_reaches_a_terminal_as_it_is() {
    let sandbox = Sandbox::new();
    let package = Package::copy(&sandbox, "hostile");
    let evil = "\u{1b}[31mred\u{202e}\r\n\u{9b}2J";
    package.edit("ruleset.json", |ruleset| {
        for at in [
            "/edition",
            "/coverage/summary",
            "/layers/0/label",
            "/layers/0/summary",
            "/layers/0/fields/0/id",
            "/sheet/abilities/0/label",
            "/sheet/fields/0/values/1",
            "/catalogs/0/label",
            "/resolution/difficultyLadder/0/label",
            "/items/currencies/0/units/0/label",
            "/layers/2/currencies/removeUnits/0",
            "/layers/0/id",
            "/layers/0/catalogs/0/hide/filter",
        ] {
            *ruleset.pointer_mut(at).unwrap() = json!(evil);
        }
    });
    let page = sandbox.run(&["show", package.root()]).expect(0);
    for text in [page.stdout, page.stderr] {
        assert!(text.chars().all(|c| !c.is_control() || c == '\n') && !text.contains('\u{202e}'), "{text:?}");
    }
    sandbox.write("sheet.json", json!({"v": 3, "build": {"fields": {"xp": 1, "class": evil, "level": 2}}}).to_string());
    let told = sandbox.run(&["migrate", package.root(), "sheet.json", "--explain"]).expect(0);
    assert!(told.stdout.chars().all(|c| !c.is_control() || c == '\n') && !told.stdout.contains('\u{202e}'), "{told}");
}
