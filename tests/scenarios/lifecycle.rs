//! What becomes of a ruleset from its installation to its removal (docs/spec/commands.md#commands, #the-catalog,
//! #the-store, #exit-codes).

use super::kit::engine::{self, tidy_rulesets};
use super::kit::envelope::{Action, Envelope, State, WhyNewer};
use super::kit::publish::{Catalog, Ruleset};
use super::kit::sandbox::Sandbox;
use super::kit::server::Server;
use super::kit::shop::{Shop, rows};
use super::kit::tree::Tree;
use serde_json::json;
use std::fs;
use std::time::Duration;

const DEMO: &str = "demo";

fn demo(version: &str) -> Ruleset {
    Ruleset::new(DEMO, version).pack("ru", &[("Grit", "Стойкость")])
}

/// The same version with other bytes inside.
fn demo_republished(version: &str) -> Ruleset {
    demo(version).ruleset_value("/edition", json!("Corrected"))
}

/// `demo` at each of these versions in turn, the last one active.
fn shop_with_history(versions: &[&str]) -> Shop {
    let mut shop = Shop::selling([demo(versions[0])]);
    shop.done(&["install", DEMO]);
    for version in &versions[1..] {
        shop.publish(demo(version));
        shop.done(&["update"]);
    }
    shop
}

/// `demo` 1.0.0 active after a rollback from 1.1.0, which the catalog still has.
fn shop_after_rollback() -> Shop {
    let shop = shop_with_history(&["1.0.0", "1.1.0"]);
    shop.done(&["rollback", DEMO]);
    shop
}

fn state_of(answer: &Envelope, id: &str) -> State {
    answer.list().packages.iter().find(|package| package.id == id).unwrap().state
}

/// What `outdated` lists: id, version, available version and why.
fn outdated(shop: &Shop) -> Vec<(String, String, String, WhyNewer)> {
    let answer = shop.done(&["outdated"]);
    let listed = answer.outdated().packages.clone().into_iter();
    listed.map(|package| (package.id, package.version, package.available, package.reason)).collect()
}

fn declined(shop: &Shop) -> serde_json::Value {
    let text = fs::read(shop.sandbox.packages().join("update-decisions-v1.json")).unwrap();
    serde_json::from_slice::<serde_json::Value>(&text).unwrap()["declined"].clone()
}

/// Spoils a file of an installed version, keeping its size.
fn spoil(shop: &Shop, version: &str, file: &str) {
    let path = shop.sandbox.version(DEMO, version).join(file);
    let mut bytes = fs::read(&path).unwrap();
    bytes[10] ^= 1;
    fs::write(path, bytes).unwrap();
}

// ---- install

#[test]
fn a_new_ruleset_is_installed_with_its_pack_and_found_by_everything_that_looks_for_it() {
    let shop = Shop::selling([demo("1.0.0")]).env("LANG", "ru_RU.UTF-8");
    let answer = shop.done(&["install", DEMO]);
    assert_eq!(rows(&answer), [(DEMO, Action::Installed, Some("1.0.0"), None)]);
    assert_eq!(answer.package(DEMO).name.as_deref(), Some("Demo [ru]"), "as its card has it in the language");
    assert_eq!(answer.changes().language, "ru-RU");
    let root = shop.sandbox.version(DEMO, "1.0.0");
    assert_eq!(answer.package(DEMO).path.as_deref(), root.to_str());
    assert_eq!(Tree::of(&root).files(), ["locales/ru.json", "manifest.json", "ruleset.json"]);
    let list = shop.done(&["list"]);
    let [listed] = list.list().packages.as_slice() else { panic!("{list:#?}") };
    assert_eq!((listed.version.as_str(), listed.previous_version.as_deref()), ("1.0.0", None));
    assert_eq!((listed.state, listed.held), (State::Ok, false));
    assert_eq!(listed.installed_at, Some(shop.record(DEMO).installed_at));
    let path = shop.done(&["path", DEMO]);
    assert_eq!(path.path().ruleset, root.join("ruleset.json").to_str().unwrap());
    assert_eq!(path.path().language_pack.as_deref(), root.join("locales/ru.json").to_str());
    assert_eq!(shop.done(&["info", DEMO]).info().ruleset.installed.as_deref(), Some("1.0.0"));
}

#[test]
fn what_is_there_and_intact_is_left_alone() {
    let shop = shop_with_history(&["1.0.0"]);
    let before = shop.data();
    let answer = shop.done(&["install", DEMO]);
    assert_eq!(rows(&answer), [(DEMO, Action::Unchanged, Some("1.0.0"), None)]);
    before.assert_same(&shop.data());
    assert!(answer.warnings.is_empty(), "{answer:#?}");
}

#[test]
fn what_is_damaged_is_installed_again_and_the_version_before_stays() {
    type Damage = fn(&Shop);
    let damages: [(&str, Damage); 5] = [
        ("changed", |shop| spoil(shop, "1.1.0", "ruleset.json")),
        ("cut", |shop| fs::write(shop.sandbox.version(DEMO, "1.1.0").join("ruleset.json"), "").unwrap()),
        ("missing", |shop| fs::remove_file(shop.sandbox.version(DEMO, "1.1.0").join("ruleset.json")).unwrap()),
        ("manifest", |shop| spoil(shop, "1.1.0", "manifest.json")),
        ("folder gone", |shop| fs::remove_dir_all(shop.sandbox.version(DEMO, "1.1.0")).unwrap()),
    ];
    for (what, damage) in damages {
        let shop = shop_with_history(&["1.0.0", "1.1.0"]);
        let sound = shop.record(DEMO);
        damage(&shop);
        assert_eq!(state_of(&shop.sandbox.json(&["list"]), DEMO), State::Damaged, "{what}");
        let answer = shop.sandbox.json(&["install", DEMO]);
        assert_eq!(rows(&answer), [(DEMO, Action::Reinstalled, Some("1.1.0"), Some("1.0.0"))], "{what}");
        assert_eq!(state_of(&shop.sandbox.json(&["list"]), DEMO), State::Ok, "{what}");
        assert_eq!(engine::rulesets(&shop.sandbox)[0].previous_version, sound.previous_version, "{what}");
        assert_eq!(shop.sandbox.json(&["rollback", DEMO]).exit, 0, "{what}");
    }
}

#[test]
fn force_installs_again_what_is_intact() {
    let shop = shop_with_history(&["1.0.0", "1.1.0"]);
    let before = shop.data();
    let answer = shop.done(&["install", "--force", DEMO]);
    assert_eq!(rows(&answer), [(DEMO, Action::Reinstalled, Some("1.1.0"), Some("1.0.0"))]);
    let after = shop.data();
    let versions = |tree: &Tree| tree.clone().without("capability-packages/installed.json").without(STATE);
    versions(&before).assert_same(&versions(&after));
    assert_eq!(rows(&shop.done(&["rollback", DEMO])), [(DEMO, Action::RolledBack, Some("1.0.0"), Some("1.1.0"))]);
}

const STATE: &str = "capability-packages/rulepack.json";

#[test]
fn installing_over_an_older_version_updates_it() {
    let mut shop = shop_with_history(&["1.0.0"]);
    shop.publish(demo("1.1.0"));
    let answer = shop.done(&["install", DEMO]);
    assert_eq!(rows(&answer), [(DEMO, Action::Updated, Some("1.1.0"), Some("1.0.0"))]);
    assert_eq!(shop.record(DEMO).previous_version.as_deref(), Some("1.0.0"));
}

#[test]
fn an_older_version_is_never_installed_over_a_newer_one() {
    for newest in ["1.1.0", "1.0.1-rc.1", "1.10.0", "2.0.0"] {
        let mut shop = shop_with_history(&["0.9.0", newest]);
        shop.publish(demo("1.0.0"));
        for args in [&["install", DEMO][..], &["install", "--force", DEMO]] {
            let answer = shop.refused(args, "downgrade");
            assert_eq!(rows(&answer), [(DEMO, Action::Failed, Some(newest), Some("0.9.0"))]);
            let message = &answer.error.as_ref().unwrap().message;
            assert!(message.contains(newest) && message.contains("1.0.0"), "{message}");
        }
        let answer = shop.done(&["update", DEMO]);
        assert_eq!(rows(&answer), [(DEMO, Action::Unchanged, Some(newest), Some("0.9.0"))]);
        assert_eq!(answer.warning_codes(), ["downgrade"]);
    }
}

#[test]
fn a_republished_version_is_noticed_by_install_and_taken_by_force() {
    let mut shop = shop_with_history(&["1.0.0", "1.1.0"]);
    shop.publish(demo_republished("1.1.0"));
    let before = shop.data();
    let answer = shop.done(&["install", DEMO]);
    assert_eq!(rows(&answer), [(DEMO, Action::Unchanged, Some("1.1.0"), Some("1.0.0"))]);
    assert_eq!(answer.warning_codes(), ["republished"]);
    before.assert_same(&shop.data());
    let forced = shop.done(&["install", "--force", DEMO]);
    assert_eq!(rows(&forced), [(DEMO, Action::Reinstalled, Some("1.1.0"), Some("1.0.0"))]);
    assert!(shop.done(&["install", DEMO]).warnings.is_empty());
}

#[test]
fn several_ids_stand_each_alone_and_the_first_failure_gives_the_code() {
    let mut shop = Shop::selling([demo("1.0.0"), Ruleset::new("other", "2.0.0"), Ruleset::new("third", "1.0.0")]);
    shop.edit("third", "/artifact/sha256", json!("0".repeat(64)));
    let answer = shop.run(&["install", DEMO, "nowhere", DEMO, "third", "other", DEMO]);
    assert_eq!(answer.code(), "not-in-catalog");
    assert_eq!(answer.error.as_ref().unwrap().package.as_deref(), Some("nowhere"));
    assert_eq!(
        rows(&answer),
        [
            (DEMO, Action::Installed, Some("1.0.0"), None),
            ("nowhere", Action::Failed, None, None),
            ("third", Action::Failed, None, None),
            ("other", Action::Installed, Some("2.0.0"), None),
        ]
    );
    assert_eq!(answer.package("third").error.as_ref().unwrap().code, "checksum-mismatch");
    let ids: Vec<String> = shop.engine_sees().into_iter().map(|record| record.id).collect();
    assert_eq!(ids, [DEMO, "other"]);
    assert!(!shop.sandbox.version("third", "1.0.0").parent().unwrap().exists());
}

#[test]
fn an_id_nobody_knows_names_the_nearest_ones() {
    let shop = Shop::selling([demo("1.0.0"), Ruleset::new("ember-roads", "1.0.0")]);
    let answer = shop.refused(&["install", "ember-road"], "not-in-catalog");
    assert!(answer.error.unwrap().hint.unwrap().contains("ember-roads"));
    shop.done(&["install", "ember-roads"]);
    for command in ["update", "rollback", "uninstall", "hold", "unhold", "path"] {
        let answer = shop.refused(&[command, "ember-raods"], "not-installed");
        let error = answer.error.unwrap();
        assert!(error.hint.unwrap().contains("ember-roads"), "{command}");
        assert_eq!(error.package.as_deref(), Some("ember-raods"), "{command}");
    }
}

#[test]
fn what_is_no_id_at_all_is_simply_not_there() {
    let shop = Shop::selling([demo("1.0.0")]);
    shop.done(&["install", DEMO]);
    for odd in ["", "DEMO", "Demo", "../demo", "demo/1.0.0", "con", "demo ", ".", "demo\u{202e}", &"a".repeat(5000)] {
        shop.refused(&["install", odd], "not-in-catalog");
        for command in ["update", "rollback", "uninstall", "hold", "path"] {
            shop.refused(&[command, odd], "not-installed");
        }
    }
}

#[test]
fn a_ruleset_that_was_never_there_leaves_nothing_behind_when_it_fails() {
    let mut shop = Shop::selling([demo("1.0.0")]);
    shop.edit(DEMO, "/artifact/sha256", json!("0".repeat(64)));
    let before = Tree::of(shop.sandbox.root()).without("cache");
    assert_eq!(shop.run(&["install", DEMO]).code(), "checksum-mismatch");
    before.assert_same(&Tree::of(shop.sandbox.root()).without("cache"));
}

// ---- update

#[test]
fn update_takes_all_that_is_installed_to_the_catalogs_version() {
    let mut shop = Shop::selling([demo("1.0.0"), Ruleset::new("other", "1.0.0"), Ruleset::new("same", "1.0.0")]);
    shop.done(&["install", DEMO, "other", "same"]);
    shop.publish(demo("1.1.0"));
    shop.publish(Ruleset::new("other", "2.0.0-rc.1"));
    shop.publish(Ruleset::new("never-installed", "1.0.0"));
    let answer = shop.done(&["update"]);
    assert_eq!(
        rows(&answer),
        [
            (DEMO, Action::Updated, Some("1.1.0"), Some("1.0.0")),
            ("other", Action::Updated, Some("2.0.0-rc.1"), Some("1.0.0")),
            ("same", Action::Unchanged, Some("1.0.0"), None),
        ]
    );
    assert!(answer.warnings.is_empty(), "{answer:#?}");
    let before = shop.data();
    let again = shop.done(&["update"]);
    assert!(again.changes().packages.iter().all(|package| package.action == Action::Unchanged));
    before.assert_same(&shop.data());
}

#[test]
fn update_of_named_ids_leaves_the_others_alone() {
    let mut shop = Shop::selling([demo("1.0.0"), Ruleset::new("other", "1.0.0")]);
    shop.done(&["install", DEMO, "other"]);
    shop.publish(demo("1.1.0"));
    shop.publish(Ruleset::new("other", "1.1.0"));
    let answer = shop.run(&["update", "nowhere", DEMO, DEMO]);
    assert_eq!(answer.code(), "not-installed");
    assert_eq!(
        rows(&answer),
        [("nowhere", Action::Failed, None, None), (DEMO, Action::Updated, Some("1.1.0"), Some("1.0.0"))]
    );
    assert_eq!(shop.record("other").version, "1.0.0");
}

#[test]
fn update_with_nothing_installed_does_nothing_and_needs_no_catalog() {
    let sandbox = Sandbox::new().catalog("https://localhost:1/catalog.json");
    let before = Tree::of(sandbox.root());
    assert_eq!(sandbox.json(&["update"]).changes().packages.len(), 0);
    assert_eq!(sandbox.json(&["outdated"]).outdated().packages.len(), 0);
    before.assert_same(&Tree::of(sandbox.root()));
}

#[test]
fn one_version_is_kept_for_rollback_and_older_ones_go() {
    let shop = shop_with_history(&["1.0.0", "1.1.0", "1.2.0", "1.3.0"]);
    let versions = fs::read_dir(shop.sandbox.packages().join("versions/demo")).unwrap();
    let mut names: Vec<_> = versions.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["1.2.0", "1.3.0"]);
    assert_eq!(shop.record(DEMO).previous_version.as_deref(), Some("1.2.0"));
}

#[test]
fn the_version_left_by_an_update_keeps_no_pack() {
    let mut shop = Shop::selling([demo("1.0.0")]).env("LANG", "ru");
    shop.done(&["install", DEMO]);
    shop.publish(demo("1.1.0"));
    shop.done(&["update"]);
    assert_eq!(Tree::of(shop.sandbox.version(DEMO, "1.0.0")).paths(), ["manifest.json", "ruleset.json"]);
    assert!(shop.sandbox.version(DEMO, "1.1.0").join("locales/ru.json").is_file());
    shop.done(&["rollback", DEMO]);
    assert_eq!(Tree::of(shop.sandbox.version(DEMO, "1.1.0")).paths(), ["manifest.json", "ruleset.json"]);
}

/// One reason why `update` leaves a ruleset alone, or does not: what the catalog and the reader did, and what comes of
/// it without and with the id.
struct Case {
    name: &'static str,
    arrange: fn(&mut Shop),
    flags: &'static [&'static str],
    all: (Action, &'static [&'static str]),
    named: Result<(Action, &'static [&'static str]), &'static str>,
    listed: Option<WhyNewer>,
}

/// Every state an installed ruleset can be in towards its catalog.
const CASES: &[Case] = &[
    Case {
        name: "newer",
        arrange: |shop| shop.publish(demo("1.2.0")),
        flags: &[],
        all: (Action::Updated, &[]),
        named: Ok((Action::Updated, &[])),
        listed: Some(WhyNewer::Newer),
    },
    Case {
        name: "the same",
        arrange: |_| {},
        flags: &[],
        all: (Action::Unchanged, &[]),
        named: Ok((Action::Unchanged, &[])),
        listed: None,
    },
    Case {
        name: "republished",
        arrange: |shop| shop.publish(demo_republished("1.1.0")),
        flags: &[],
        all: (Action::Reinstalled, &[]),
        named: Ok((Action::Reinstalled, &[])),
        listed: Some(WhyNewer::Republished),
    },
    Case {
        name: "gone",
        arrange: |shop| shop.withdraw(DEMO),
        flags: &[],
        all: (Action::Unchanged, &["not-in-catalog"]),
        named: Ok((Action::Unchanged, &["not-in-catalog"])),
        listed: None,
    },
    Case {
        name: "older",
        arrange: |shop| shop.publish(demo("1.0.5")),
        flags: &[],
        all: (Action::Unchanged, &["downgrade"]),
        named: Ok((Action::Unchanged, &["downgrade"])),
        listed: None,
    },
    Case {
        name: "held and newer",
        arrange: |shop| {
            shop.publish(demo("1.2.0"));
            shop.done(&["hold", DEMO]);
        },
        flags: &[],
        all: (Action::Held, &["held"]),
        named: Ok((Action::Held, &["held"])),
        listed: Some(WhyNewer::Held),
    },
    Case {
        name: "held and republished",
        arrange: |shop| {
            shop.publish(demo_republished("1.1.0"));
            shop.done(&["hold", DEMO]);
        },
        flags: &[],
        all: (Action::Held, &["held"]),
        named: Ok((Action::Held, &["held"])),
        listed: Some(WhyNewer::Held),
    },
    Case {
        name: "held and the same",
        arrange: |shop| {
            shop.done(&["hold", DEMO]);
        },
        flags: &[],
        all: (Action::Unchanged, &[]),
        named: Ok((Action::Unchanged, &[])),
        listed: None,
    },
    Case {
        name: "held and for another engine",
        arrange: |shop| {
            shop.publish(demo("1.2.0").engine("3.0.0", "4.0.0"));
            shop.done(&["hold", DEMO]);
        },
        flags: &["--engine-version", "2.5.0"],
        all: (Action::Held, &["held"]),
        named: Ok((Action::Held, &["held"])),
        listed: Some(WhyNewer::Held),
    },
    Case {
        name: "left by a rollback",
        arrange: |shop| {
            shop.done(&["rollback", DEMO]);
        },
        flags: &[],
        all: (Action::Held, &["declined"]),
        named: Ok((Action::Updated, &[])),
        listed: Some(WhyNewer::Declined),
    },
    Case {
        name: "left by a rollback, and a newer one came",
        arrange: |shop| {
            shop.done(&["rollback", DEMO]);
            shop.publish(demo("1.2.0"));
        },
        flags: &[],
        all: (Action::Updated, &[]),
        named: Ok((Action::Updated, &[])),
        listed: Some(WhyNewer::Newer),
    },
    Case {
        name: "declined in the engine",
        arrange: |shop| {
            shop.publish(demo("1.2.0"));
            decline(shop, "1.2.0");
        },
        flags: &[],
        all: (Action::Held, &["declined"]),
        named: Ok((Action::Updated, &[])),
        listed: Some(WhyNewer::Declined),
    },
    Case {
        name: "an entry that cannot be used",
        arrange: |shop| shop.edit(DEMO, "/manifest/name", json!(null)),
        flags: &[],
        all: (Action::Unchanged, &["invalid-entry"]),
        named: Err("invalid-entry"),
        listed: None,
    },
    Case {
        name: "a package of another kind now",
        arrange: |shop| shop.edit(DEMO, "/manifest/kind", json!(["agent"])),
        flags: &[],
        all: (Action::Unchanged, &["not-a-ruleset"]),
        named: Ok((Action::Unchanged, &["not-a-ruleset"])),
        listed: None,
    },
    Case {
        name: "for another engine",
        arrange: |shop| shop.publish(demo("1.2.0").engine("3.0.0", "4.0.0")),
        flags: &["--engine-version", "2.5.0"],
        all: (Action::Unchanged, &["incompatible-engine"]),
        named: Err("incompatible-engine"),
        listed: None,
    },
    Case {
        name: "for a newer API",
        arrange: |shop| shop.publish(demo("1.2.0").api(1, 900)),
        flags: &[],
        all: (Action::Unchanged, &["incompatible-api"]),
        named: Err("incompatible-api"),
        listed: None,
    },
    Case {
        name: "listed twice",
        arrange: |shop| {
            shop.publish(demo("1.2.0"));
            let mut second = shop.catalog.entry(DEMO).clone();
            second["manifest"]["version"] = json!("9.0.0");
            shop.catalog = shop.catalog.clone().with_entry(second);
            shop.open();
        },
        flags: &[],
        all: (Action::Updated, &["duplicate-id"]),
        named: Ok((Action::Updated, &["duplicate-id"])),
        listed: Some(WhyNewer::Newer),
    },
];

/// What the engine writes when its reader declines a version.
fn decline(shop: &Shop, version: &str) {
    let decisions = json!({
        "schemaVersion": 1,
        "declined": { DEMO: { "version": version, "declinedAt": "2026-11-30T00:00:00.000Z" } }
    });
    fs::write(shop.sandbox.packages().join("update-decisions-v1.json"), decisions.to_string()).unwrap();
}

fn arranged(case: &Case) -> Shop {
    let mut shop = shop_with_history(&["1.0.0", "1.1.0"]);
    (case.arrange)(&mut shop);
    shop
}

fn with_flags<'a>(args: &[&'a str], case: &Case) -> Vec<&'a str> {
    [args, case.flags].concat()
}

#[test]
fn update_does_what_is_right_in_every_state_towards_the_catalog() {
    for case in CASES {
        let name = case.name;
        for (args, expected) in [(&["update"][..], Ok(case.all)), (&["update", DEMO], case.named)] {
            let shop = arranged(case);
            let (before, record) = (shop.everything(), shop.record(DEMO));
            let answer = shop.run(&with_flags(args, case));
            let row = answer.package(DEMO);
            let told = answer.warning_codes();
            match expected {
                Ok((action, warnings)) => {
                    assert_eq!(answer.exit, 0, "{name}: {answer:#?}");
                    assert_eq!((row.action, told.as_slice()), (action, warnings), "{name}: {answer:#?}");
                }
                Err(code) => {
                    assert_eq!((answer.code(), row.action), (code, Action::Failed), "{name}: {answer:#?}");
                    assert_eq!(row.error.as_ref().unwrap().code, code);
                }
            }
            match row.action {
                Action::Updated => assert_eq!(row.previous_version, Some(record.version), "{name}"),
                Action::Reinstalled => assert_eq!(row.previous_version, record.previous_version, "{name}"),
                _ => before.assert_same(&shop.everything()),
            }
            let after = shop.record(DEMO);
            assert_eq!(row.version.as_deref(), Some(after.version.as_str()), "{name}");
            assert_eq!(row.previous_version, after.previous_version, "{name}");
        }
    }
}

#[test]
fn outdated_lists_exactly_what_update_would_change_and_what_it_holds_back() {
    for case in CASES {
        let name = case.name;
        let shop = arranged(case);
        let before = shop.everything();
        let answer = shop.done(&with_flags(&["outdated"], case));
        let listed: Vec<WhyNewer> = answer.outdated().packages.iter().map(|package| package.reason).collect();
        assert_eq!(listed, Vec::from_iter(case.listed), "{name}");
        before.assert_same(&shop.everything());
        // What update says of a ruleset it leaves alone, outdated says as well, unless the list itself does.
        let left_alone = case.all.0 == Action::Unchanged || case.listed.is_some_and(|why| why == WhyNewer::Newer);
        assert_eq!(answer.warning_codes(), if left_alone { case.all.1 } else { &[] }, "{name}");
        let change = shop.run(&with_flags(&["update", "--dry-run"], case));
        let would = change.package(DEMO).action;
        assert_eq!(listed.is_empty(), would == Action::Unchanged, "{name}");
        if let [package] = answer.outdated().packages.as_slice() {
            let row = change.package(DEMO);
            assert_eq!((&package.id, &package.name), (&row.id, &Some("Demo".to_owned())));
            if would == Action::Updated {
                assert_eq!(Some(&package.available), row.version.as_ref(), "{name}");
            }
        }
    }
}

#[test]
fn a_dry_run_changes_nothing_and_says_what_the_run_then_does() {
    for case in CASES {
        for args in [&["update"][..], &["update", DEMO], &["install", DEMO], &["install", "--force", DEMO]] {
            let shop = arranged(case);
            let args = with_flags(args, case);
            let before = shop.everything();
            let told = shop.run(&[&args[..], &["--dry-run"]].concat());
            before.assert_same(&shop.everything());
            let done = shop.run(&args);
            assert_eq!(rows(&told), rows(&done), "{} {args:?}", case.name);
            assert_eq!((told.exit, told.warning_codes()), (done.exit, done.warning_codes()), "{} {args:?}", case.name);
            assert_eq!(told.package(DEMO).language_pack, done.package(DEMO).language_pack, "{} {args:?}", case.name);
        }
    }
}

#[test]
fn a_dry_run_of_a_first_install_does_not_even_make_the_folder() {
    let shop = Shop::selling([demo("1.0.0")]).env("LANG", "ru");
    fs::remove_dir(shop.sandbox.data()).unwrap();
    let before = shop.everything();
    let told = shop.done(&["install", DEMO, "--dry-run"]);
    before.assert_same(&shop.everything());
    assert_eq!(rows(&told), rows(&shop.done(&["install", DEMO])));
}

#[test]
fn what_is_gone_from_the_catalog_is_still_listed_usable_and_removable() {
    let mut shop = shop_with_history(&["1.0.0", "1.1.0"]);
    shop.withdraw(DEMO);
    assert_eq!(state_of(&shop.done(&["list"]), DEMO), State::Ok);
    assert_eq!(shop.done(&["path", DEMO]).path().version, "1.1.0");
    assert_eq!(rows(&shop.done(&["rollback", DEMO])), [(DEMO, Action::RolledBack, Some("1.0.0"), Some("1.1.0"))]);
    assert_eq!(shop.done(&["sync"]).exit, 0);
    assert_eq!(rows(&shop.done(&["uninstall", DEMO])), [(DEMO, Action::Removed, Some("1.0.0"), Some("1.1.0"))]);
}

#[test]
fn a_failed_update_leaves_the_old_version_and_says_so() {
    let mut shop = shop_with_history(&["1.0.0", "1.1.0"]);
    type Spoil = fn(&mut Catalog);
    let spoilt: [(&str, Spoil); 3] = [
        ("checksum-mismatch", |catalog| catalog.wrong_sha256(DEMO)),
        ("size-mismatch", |catalog| catalog.wrong_size(DEMO)),
        ("invalid-artifact", |catalog| {
            catalog.publish(demo("1.2.0").smuggle("readme.txt", "hi"));
        }),
    ];
    for (code, spoil) in spoilt {
        shop.publish(demo("1.2.0"));
        spoil(&mut shop.catalog);
        shop.open();
        let answer = shop.refused(&["update"], code);
        assert_eq!(rows(&answer), [(DEMO, Action::Failed, Some("1.1.0"), Some("1.0.0"))]);
        assert_eq!(state_of(&shop.done(&["list"]), DEMO), State::Ok);
    }
    shop.publish(demo("1.2.0"));
    assert_eq!(rows(&shop.done(&["update"])), [(DEMO, Action::Updated, Some("1.2.0"), Some("1.1.0"))]);
}

#[test]
fn one_ruleset_that_cannot_be_updated_does_not_keep_the_others() {
    let mut shop = Shop::selling([demo("1.0.0"), Ruleset::new("other", "1.0.0")]);
    shop.done(&["install", DEMO, "other"]);
    shop.publish(demo("1.1.0"));
    shop.publish(Ruleset::new("other", "1.1.0"));
    shop.catalog.wrong_sha256(DEMO);
    shop.open();
    let answer = shop.run(&["update"]);
    assert_eq!(answer.code(), "checksum-mismatch");
    assert_eq!(
        rows(&answer),
        [(DEMO, Action::Failed, Some("1.0.0"), None), ("other", Action::Updated, Some("1.1.0"), Some("1.0.0"))]
    );
}

// ---- rollback

#[test]
fn a_rollback_activates_the_version_before_and_a_second_one_undoes_it() {
    let shop = shop_with_history(&["1.0.0", "1.1.0"]);
    let before = (shop.sandbox.registry(), shop.data().without(STATE));
    let back = shop.done(&["rollback", DEMO]);
    assert_eq!(rows(&back), [(DEMO, Action::RolledBack, Some("1.0.0"), Some("1.1.0"))]);
    assert_eq!(back.package(DEMO).path.as_deref(), shop.sandbox.version(DEMO, "1.0.0").to_str());
    assert_eq!(declined(&shop)[DEMO]["version"], "1.1.0");
    assert_eq!(shop.record(DEMO).version, "1.0.0");
    let forth = shop.done(&["rollback", DEMO]);
    assert_eq!(rows(&forth), [(DEMO, Action::RolledBack, Some("1.1.0"), Some("1.0.0"))]);
    assert_eq!(shop.sandbox.registry(), before.0);
    before.1.assert_same(&shop.data().without(STATE).without("capability-packages/update-decisions-v1.json"));
    assert_eq!(declined(&shop)[DEMO]["version"], "1.0.0");
}

#[test]
fn a_rollback_needs_a_version_before() {
    let shop = shop_with_history(&["1.0.0"]);
    let answer = shop.refused(&["rollback", DEMO], "no-previous-version");
    assert_eq!(rows(&answer), [(DEMO, Action::Failed, Some("1.0.0"), None)]);
}

#[test]
fn a_version_before_that_no_longer_fits_is_not_gone_back_to() {
    type Damage = fn(&Shop);
    let damages: [(&str, Damage); 5] = [
        ("changed", |shop| spoil(shop, "1.0.0", "ruleset.json")),
        ("its manifest", |shop| spoil(shop, "1.0.0", "manifest.json")),
        ("a file missing", |shop| fs::remove_file(shop.sandbox.version(DEMO, "1.0.0").join("ruleset.json")).unwrap()),
        ("all gone", |shop| fs::remove_dir_all(shop.sandbox.version(DEMO, "1.0.0")).unwrap()),
        ("a folder in place of a file", |shop| {
            let file = shop.sandbox.version(DEMO, "1.0.0").join("ruleset.json");
            fs::remove_file(&file).unwrap();
            fs::create_dir(file).unwrap();
        }),
    ];
    for (what, damage) in damages {
        let shop = shop_with_history(&["1.0.0", "1.1.0"]);
        damage(&shop);
        let before = shop.everything();
        let answer = shop.sandbox.json(&["rollback", DEMO]);
        assert_eq!((answer.code(), answer.exit), ("damaged-package", 8), "{what}");
        assert_eq!(rows(&answer), [(DEMO, Action::Failed, Some("1.1.0"), Some("1.0.0"))], "{what}");
        before.assert_same(&shop.everything());
        assert_eq!(state_of(&shop.sandbox.json(&["list"]), DEMO), State::Ok, "the active one is sound");
    }
}

#[test]
fn a_rollback_works_without_a_network_and_without_a_catalog() {
    let server = Server::https();
    let mut catalog = Catalog::on(&server).with(demo("1.0.0"));
    catalog.mount(&server);
    let sandbox = Sandbox::new().attach(&server);
    sandbox.run(&["install", DEMO]).expect(0);
    catalog.publish(demo("1.1.0"));
    catalog.mount(&server);
    sandbox.run(&["update", "--refresh"]).expect(0);
    server.go_dark();
    fs::remove_dir_all(sandbox.cache()).unwrap();
    for version in ["1.0.0", "1.1.0"] {
        let answer = sandbox.command(&["rollback", DEMO]).env("LANG", "ru").json();
        assert_eq!((answer.exit, answer.package(DEMO).version.as_deref()), (0, Some(version)));
    }
}

#[test]
fn reinstalling_repairing_and_changing_packs_leave_the_version_before_as_it_is() {
    let mut shop = shop_with_history(&["1.0.0", "1.1.0"]);
    shop.done(&["install", "--force", DEMO]);
    shop.publish(demo_republished("1.1.0"));
    assert_eq!(rows(&shop.done(&["update"])), [(DEMO, Action::Reinstalled, Some("1.1.0"), Some("1.0.0"))]);
    fs::remove_file(shop.sandbox.version(DEMO, "1.1.0").join("ruleset.json")).unwrap();
    assert_eq!(shop.sandbox.json(&["doctor", "--repair"]).exit, 0);
    shop.done(&["language", "ru"]);
    shop.done(&["language", "en"]);
    shop.done(&["install", DEMO]);
    assert_eq!(rows(&shop.done(&["rollback", DEMO])), [(DEMO, Action::RolledBack, Some("1.0.0"), Some("1.1.0"))]);
}

#[test]
fn what_a_rollback_left_comes_back_only_by_name_or_as_something_newer() {
    let mut shop = shop_after_rollback();
    assert_eq!(outdated(&shop), [(DEMO.into(), "1.0.0".into(), "1.1.0".into(), WhyNewer::Declined)]);
    let skipped = shop.done(&["update"]);
    assert_eq!(rows(&skipped), [(DEMO, Action::Held, Some("1.0.0"), Some("1.1.0"))]);
    assert!(skipped.warnings[0].message.contains("1.1.0"), "{skipped:#?}");
    assert_eq!(rows(&shop.done(&["update", DEMO])), [(DEMO, Action::Updated, Some("1.1.0"), Some("1.0.0"))]);
    assert_eq!(declined(&shop), json!({}), "what was taken is no longer declined");
    shop.done(&["rollback", DEMO]);
    shop.publish(demo("1.2.0"));
    assert_eq!(rows(&shop.done(&["update"])), [(DEMO, Action::Updated, Some("1.2.0"), Some("1.0.0"))]);
    assert_eq!(declined(&shop), json!({}));
    assert!(!shop.sandbox.version(DEMO, "1.1.0").exists(), "the version between goes");
}

#[test]
fn reinstalling_what_a_rollback_went_back_to_does_not_let_the_version_left_in_again() {
    let mut shop = shop_after_rollback();
    // The publisher withdraws 1.1.0 for a while and mends 1.0.0 meanwhile.
    shop.publish(demo_republished("1.0.0"));
    assert_eq!(rows(&shop.done(&["update"])), [(DEMO, Action::Reinstalled, Some("1.0.0"), Some("1.1.0"))]);
    shop.publish(demo("1.1.0"));
    assert_eq!(rows(&shop.done(&["update"])), [(DEMO, Action::Held, Some("1.0.0"), Some("1.1.0"))]);
}

#[test]
fn an_older_engines_record_goes_back_by_the_manifest_in_the_folder() {
    let shop = shop_with_history(&["1.0.0", "1.1.0"]);
    forget_previous_manifest(&shop);
    assert_eq!(state_of(&shop.sandbox.json(&["list"]), DEMO), State::Ok);
    assert_eq!(rows(&shop.done(&["rollback", DEMO])), [(DEMO, Action::RolledBack, Some("1.0.0"), Some("1.1.0"))]);
    assert!(shop.record(DEMO).previous_manifest.is_some());
    shop.done(&["rollback", DEMO]);
    forget_previous_manifest(&shop);
    fs::write(shop.sandbox.version(DEMO, "1.0.0").join("manifest.json"), "{}").unwrap();
    assert_eq!(shop.refused(&["rollback", DEMO], "damaged-package").exit, 8);
    fs::copy(
        shop.sandbox.version(DEMO, "1.1.0").join("manifest.json"),
        shop.sandbox.version(DEMO, "1.0.0").join("manifest.json"),
    )
    .unwrap();
    shop.refused(&["rollback", DEMO], "damaged-package");
}

fn forget_previous_manifest(shop: &Shop) {
    let mut registry = shop.sandbox.registry();
    registry["packages"][0].as_object_mut().unwrap().remove("previousManifest").unwrap();
    let text = engine::stringify(&registry.to_string());
    fs::write(shop.sandbox.packages().join("installed.json"), text).unwrap();
}

#[test]
fn a_version_before_that_is_not_for_this_engine_is_not_gone_back_to() {
    let mut shop = Shop::selling([demo("1.0.0").engine("2.3.0", "3.0.0")]);
    shop.done(&["install", DEMO]);
    shop.publish(demo("1.1.0").engine("2.3.0", "5.0.0"));
    shop.done(&["update", "--engine-version", "3.1.0"]);
    let answer = shop.refused(&["rollback", DEMO, "--engine-version", "3.1.0"], "incompatible-engine");
    assert_eq!(rows(&answer), [(DEMO, Action::Failed, Some("1.1.0"), Some("1.0.0"))]);
    shop.refused(&["rollback", DEMO, "--capability-api", "1.810"], "incompatible-api");
    shop.done(&["rollback", DEMO, "--engine-version", "2.9.9"]);
}

#[test]
fn a_version_left_by_a_rollback_is_taken_by_install_too() {
    let shop = shop_after_rollback();
    assert_eq!(rows(&shop.done(&["install", DEMO])), [(DEMO, Action::Updated, Some("1.1.0"), Some("1.0.0"))]);
    assert_eq!(declined(&shop), json!({}));
}

#[test]
fn what_was_edited_by_hand_is_never_thrown_away_silently() {
    let mut shop = shop_with_history(&["1.0.0"]);
    let edited = shop.sandbox.version(DEMO, "1.0.0").join("ruleset.json");
    fs::write(&edited, "my own rules").unwrap();
    shop.publish(demo("1.1.0"));
    let first = shop.sandbox.json(&["update"]);
    assert_eq!(rows(&first), [(DEMO, Action::Updated, Some("1.1.0"), Some("1.0.0"))]);
    assert_eq!(shop.sandbox.json(&["rollback", DEMO]).code(), "damaged-package");
    shop.publish(demo("1.2.0"));
    let second = shop.sandbox.json(&["update"]);
    assert_eq!(rows(&second), [(DEMO, Action::Updated, Some("1.2.0"), Some("1.1.0"))]);
    assert_eq!(second.warning_codes(), ["files-kept"]);
    let aside = edited.with_file_name("ruleset.json.edited");
    assert!(second.warnings[0].message.contains(aside.to_str().unwrap()), "{second:#?}");
    assert_eq!(fs::read_to_string(&aside).unwrap(), "my own rules");
    assert!(!edited.with_file_name("manifest.json").exists());
}

// ---- uninstall

#[test]
fn uninstall_removes_every_trace() {
    let shop = Shop::selling([demo("1.0.0")]).env("LANG", "ru");
    let mut shop = shop;
    shop.done(&["install", DEMO]);
    shop.publish(demo("1.1.0"));
    shop.done(&["update"]);
    shop.done(&["rollback", DEMO]);
    shop.done(&["hold", DEMO]);
    let answer = shop.done(&["uninstall", DEMO]);
    assert_eq!(rows(&answer), [(DEMO, Action::Removed, Some("1.0.0"), Some("1.1.0"))]);
    assert_eq!(answer.package(DEMO).path, None);
    assert!(answer.warnings.is_empty(), "{answer:#?}");
    assert_eq!(declined(&shop), json!({}));
    assert_eq!(shop.sandbox.registry(), json!({ "schemaVersion": 1, "packages": [] }));
    let packages = Tree::of(shop.sandbox.packages());
    let ours = [".rulepack.lock", "installed.json", "rulepack.json", "update-decisions-v1.json", "versions"];
    assert_eq!(packages.paths(), ours);
    let state = fs::read_to_string(shop.sandbox.packages().join("rulepack.json")).unwrap();
    assert!(!state.contains(DEMO), "{state}");
    assert_eq!(shop.done(&["list"]).list().packages.len(), 0);
    shop.refused(&["uninstall", DEMO], "not-installed");
    // Nothing of the past life comes back with a new one: no hold, no version before.
    shop.done(&["install", DEMO]);
    let list = shop.done(&["list"]);
    assert_eq!((list.list().packages[0].held, &list.list().packages[0].previous_version), (false, &None));
}

#[test]
fn uninstall_removes_what_is_left_of_a_ruleset_whose_files_are_gone() {
    let damages: [fn(&Shop); 3] = [
        |shop| fs::remove_dir_all(shop.sandbox.version(DEMO, "1.1.0")).unwrap(),
        |shop| fs::remove_dir_all(shop.sandbox.packages().join("versions")).unwrap(),
        |shop| fs::remove_file(shop.sandbox.version(DEMO, "1.0.0").join("manifest.json")).unwrap(),
    ];
    for damage in damages {
        let shop = shop_with_history(&["1.0.0", "1.1.0"]);
        damage(&shop);
        let answer = shop.done(&["uninstall", DEMO]);
        assert_eq!(rows(&answer), [(DEMO, Action::Removed, Some("1.1.0"), Some("1.0.0"))]);
        assert!(answer.warnings.is_empty(), "{answer:#?}");
        assert!(!shop.sandbox.packages().join("versions/demo").exists());
    }
}

#[test]
fn uninstalling_demo_does_not_touch_demo2() {
    let names = ["demo2", "demo-2", "dem", "demo-demo"];
    let shop = Shop::selling(names.map(|name| Ruleset::new(name, "1.0.0")).into_iter().chain([demo("1.0.0")]));
    shop.done(&["install", "demo2", "demo-2", "dem", "demo-demo"]);
    let before = shop.data();
    shop.done(&["install", DEMO]);
    shop.done(&["uninstall", DEMO]);
    before.assert_same(&shop.data());
}

#[test]
fn uninstall_of_several_stands_each_alone() {
    let shop = Shop::selling([demo("1.0.0"), Ruleset::new("other", "1.0.0"), Ruleset::new("third", "1.0.0")]);
    shop.done(&["install", DEMO, "other", "third"]);
    let answer = shop.run(&["uninstall", "nowhere", DEMO, "third", DEMO]);
    assert_eq!(answer.code(), "not-installed");
    assert_eq!(
        rows(&answer),
        [
            ("nowhere", Action::Failed, None, None),
            (DEMO, Action::Removed, Some("1.0.0"), None),
            ("third", Action::Removed, Some("1.0.0"), None),
        ]
    );
    let ids: Vec<String> = shop.engine_sees().into_iter().map(|record| record.id).collect();
    assert_eq!(ids, ["other"]);
}

#[test]
fn what_somebody_else_put_into_a_package_folder_stays_and_is_named() {
    let mut shop = shop_with_history(&["1.0.0", "1.1.0"]);
    let notes = shop.sandbox.version(DEMO, "1.0.0").join("notes/mine.txt");
    let saves = shop.sandbox.version(DEMO, "1.1.0").join("house-rules.json");
    fs::create_dir(notes.parent().unwrap()).unwrap();
    fs::write(&notes, "mine").unwrap();
    fs::write(&saves, "mine too").unwrap();
    shop.publish(demo("1.2.0"));
    let names = |answer: &Envelope, path: &std::path::Path| {
        let [warning] = answer.warnings.as_slice() else { panic!("{answer:#?}") };
        assert_eq!((warning.code.as_str(), warning.package.as_deref()), ("files-kept", Some(DEMO)));
        assert!(warning.message.contains(path.to_str().unwrap()), "{warning:?}");
    };
    let update = shop.sandbox.json(&["update"]);
    assert_eq!(update.package(DEMO).action, Action::Updated);
    names(&update, &notes);
    assert_eq!(Tree::of(shop.sandbox.version(DEMO, "1.0.0")).files(), ["notes/mine.txt"]);
    let uninstall = shop.sandbox.json(&["uninstall", DEMO]);
    assert_eq!(uninstall.exit, 0);
    names(&uninstall, &saves);
    let versions = Tree::of(shop.sandbox.packages().join("versions"));
    assert_eq!(versions.files(), ["demo/1.0.0/notes/mine.txt", "demo/1.1.0/house-rules.json"]);
    assert_eq!((fs::read(&notes).unwrap(), fs::read(&saves).unwrap()), (b"mine".to_vec(), b"mine too".to_vec()));
    assert_eq!(shop.sandbox.json(&["install", DEMO]).exit, 0);
}

#[test]
fn what_somebody_else_put_into_a_package_folder_survives_a_reinstall() {
    let shop = shop_with_history(&["1.0.0"]);
    let folder = shop.sandbox.version(DEMO, "1.0.0");
    fs::write(folder.join("notes.txt"), "mine").unwrap();
    spoil(&shop, "1.0.0", "ruleset.json");
    let edited = fs::read(folder.join("ruleset.json")).unwrap();
    let answer = shop.sandbox.json(&["install", DEMO]);
    assert_eq!(rows(&answer), [(DEMO, Action::Reinstalled, Some("1.0.0"), None)]);
    assert_eq!(answer.warning_codes(), ["files-kept"]);
    assert_eq!(fs::read(folder.join("notes.txt")).unwrap(), b"mine");
    assert_eq!(fs::read(folder.join("ruleset.json.edited")).unwrap(), edited, "an edit is not thrown away silently");
    engine::rulesets(&shop.sandbox);
}

#[cfg(unix)]
#[test]
fn nothing_is_removed_behind_a_link_and_it_is_not_said_to_be() {
    for whole_folder in [false, true] {
        let shop = shop_with_history(&["1.0.0", "1.1.0"]);
        let outside = shop.sandbox.work().join("outside");
        // Moved elsewhere and linked to: the folder of the package, or that of all of them.
        let package = shop.sandbox.packages().join("versions").join(DEMO);
        let linked = if whole_folder { package.parent().unwrap() } else { &package };
        fs::rename(linked, &outside).unwrap();
        std::os::unix::fs::symlink(&outside, linked).unwrap();
        let before = Tree::of(shop.sandbox.data()).without("capability-packages/.rulepack.lock");
        let outside_before = Tree::of(&outside);
        let answer = shop.sandbox.json(&["uninstall", DEMO]);
        assert_eq!((answer.exit, answer.code(), answer.package(DEMO).action), (1, "io", Action::Failed), "{answer:#?}");
        assert!(answer.error.as_ref().unwrap().message.contains(linked.to_str().unwrap()), "{answer:#?}");
        outside_before.assert_same(&Tree::of(&outside));
        before.assert_same(&Tree::of(shop.sandbox.data()).without("capability-packages/.rulepack.lock"));
        // Without it, nothing is there to be removed.
        fs::remove_file(linked).unwrap();
        assert_eq!(shop.sandbox.json(&["uninstall", DEMO]).package(DEMO).action, Action::Removed);
        assert_eq!(shop.sandbox.json(&["list"]).list().packages.len(), 0);
    }
}

// ---- hold

#[test]
fn a_hold_lasts_until_it_is_taken_back() {
    let mut shop = shop_with_history(&["1.0.0"]);
    let held = shop.done(&["hold", DEMO, DEMO]);
    assert_eq!(held.holds().packages.len(), 1);
    assert!(held.holds().packages[0].held);
    let before = shop.data();
    shop.done(&["hold", DEMO]);
    before.assert_same(&shop.data());
    assert!(shop.done(&["list"]).list().packages[0].held);
    for version in ["1.1.0", "1.2.0"] {
        shop.publish(demo(version));
        assert_eq!(rows(&shop.done(&["update"])), [(DEMO, Action::Held, Some("1.0.0"), None)]);
    }
    let free = shop.done(&["unhold", DEMO]);
    assert!(!free.holds().packages[0].held);
    assert_eq!(rows(&shop.done(&["update"])), [(DEMO, Action::Updated, Some("1.2.0"), Some("1.0.0"))]);
}

#[test]
fn a_hold_survives_rollback_and_reinstallation() {
    let shop = shop_with_history(&["1.0.0", "1.1.0"]);
    shop.done(&["hold", DEMO]);
    for args in [&["rollback", DEMO][..], &["rollback", DEMO], &["install", "--force", DEMO]] {
        shop.done(args);
        assert!(shop.done(&["list"]).list().packages[0].held, "{args:?}");
    }
}

#[test]
fn holding_several_stands_each_alone() {
    let shop = shop_with_history(&["1.0.0"]);
    let answer = shop.run(&["hold", "nowhere", DEMO]);
    assert_eq!(answer.code(), "not-installed");
    assert!(shop.done(&["list"]).list().packages[0].held);
}

// ---- what fits the engine

/// A server with `demo` 1.0.0 for engines 2.3.0 to below 3.0.0 and API 1.812.
fn narrow() -> (Server, Sandbox) {
    let server = Server::https();
    Catalog::on(&server).with(demo("1.0.0").engine("2.3.0", "3.0.0").api(1, 812)).mount(&server);
    let sandbox = Sandbox::new().attach(&server);
    (server, sandbox)
}

#[test]
fn what_is_not_for_this_engine_is_refused_before_it_is_downloaded() {
    let refused: [(&[&str], &str); 8] = [
        (&["--engine-version", "2.2.99"], "incompatible-engine"),
        (&["--engine-version", "2.3.0-rc.1"], "incompatible-engine"),
        (&["--engine-version", "3.0.0"], "incompatible-engine"),
        (&["--engine-version", "3.0.1-alpha"], "incompatible-engine"),
        (&["--engine-version", "10.0.0"], "incompatible-engine"),
        (&["--capability-api", "1.811"], "incompatible-api"),
        (&["--capability-api", "1.9"], "incompatible-api"),
        (&["--capability-api", "2.900"], "incompatible-api"),
    ];
    let (server, sandbox) = narrow();
    let before = Tree::of(sandbox.root()).without("cache");
    for (flags, code) in refused {
        let answer = sandbox.json(&[&["install", DEMO], flags].concat());
        assert_eq!((answer.code(), answer.exit), (code, 6), "{flags:?}");
        let message = answer.error.unwrap().message;
        let (range, mine) = (["2.3.0", "3.0.0", "1.812"], flags[1]);
        assert!(message.contains(mine) && range.iter().any(|end| message.contains(end)), "{message}");
        let info = sandbox.json(&[&["info", DEMO], flags].concat());
        assert!(!info.info().ruleset.compatible && !info.info().ruleset.reasons.is_empty(), "{flags:?}");
    }
    assert!(server.paths().iter().all(|path| path == "/catalog.json"), "{:?}", server.paths());
    before.assert_same(&Tree::of(sandbox.root()).without("cache"));
}

#[test]
fn what_is_for_this_engine_is_installed() {
    let fitting: [&[&str]; 8] = [
        &[],
        &["--engine-version", "2.3.0"],
        &["--engine-version", "2.3.1-0"],
        &["--engine-version", "2.99.99"],
        &["--engine-version", "3.0.0-rc.1"],
        &["--capability-api", "1.812"],
        &["--capability-api", "1.900"],
        &["--engine-version", "2.5.0", "--capability-api", "1.813"],
    ];
    let (_server, sandbox) = narrow();
    for flags in fitting {
        let answer = sandbox.json(&[&["install", "--force", DEMO], flags].concat());
        assert_eq!(answer.exit, 0, "{flags:?} {answer:#?}");
    }
}

#[test]
fn prereleases_of_the_engine_are_ordered_as_the_engine_orders_them() {
    let shop = Shop::selling([demo("1.0.0").engine("3.0.0-beta.2", "4.0.0-rc.1")]);
    let inside = ["3.0.0-beta.2", "3.0.0-beta.2.1", "3.0.0-beta.10", "3.0.0-rc.1", "3.0.0", "3.99.0", "4.0.0-beta.9"];
    let outside =
        ["2.9.9", "3.0.0-1", "3.0.0-alpha.9", "3.0.0-beta", "3.0.0-beta.1", "4.0.0-rc.1", "4.0.0-rc.2", "4.0.0"];
    let compatible = |engine: &str| shop.done(&["info", DEMO, "--engine-version", engine]).info().ruleset.compatible;
    for engine in inside {
        assert!(compatible(engine), "{engine}");
        assert_eq!(shop.run(&["install", DEMO, "--dry-run", "--engine-version", engine]).exit, 0, "{engine}");
    }
    for engine in outside {
        assert!(!compatible(engine), "{engine}");
        shop.refused(&["install", DEMO, "--engine-version", engine], "incompatible-engine");
    }
}

#[test]
fn without_a_capability_api_the_newest_one_known_counts() {
    let shop = Shop::selling([
        Ruleset::new("today", "1.0.0").api(1, 813),
        Ruleset::new("tomorrow", "1.0.0").api(1, 814),
        Ruleset::new("two", "1.0.0").api(2, 0),
    ]);
    shop.done(&["install", "today"]);
    shop.refused(&["install", "tomorrow"], "incompatible-api");
    shop.refused(&["install", "two"], "incompatible-api");
    shop.done(&["install", "tomorrow", "--capability-api", "1.814"]);
    shop.done(&["install", "two", "--capability-api", "2.0"]);
}

#[test]
fn an_id_listed_twice_is_installed_from_its_first_entry_every_time() {
    let mut shop = Shop::selling([demo("1.0.0")]);
    let mut second = shop.catalog.entry(DEMO).clone();
    second["manifest"]["version"] = json!("2.0.0");
    shop.catalog = shop.catalog.clone().with_entry(second);
    shop.open();
    for action in [Action::Installed, Action::Unchanged] {
        let answer = shop.done(&["install", DEMO]);
        assert_eq!(rows(&answer), [(DEMO, action, Some("1.0.0"), None)]);
        assert_eq!(answer.warning_codes(), ["duplicate-id"]);
    }
}

#[test]
fn nothing_is_asked_and_stdin_is_not_read() {
    let mut shop = Shop::selling([demo("1.0.0")]);
    let run = |shop: &Shop, args: &[&str]| shop.command(args).stdin("n\nn\nn\n").run().expect(0);
    run(&shop, &["install", DEMO]);
    shop.publish(demo("1.1.0"));
    run(&shop, &["update"]);
    run(&shop, &["rollback", DEMO]);
    run(&shop, &["uninstall", DEMO]);
    assert_eq!(shop.engine_sees().len(), 0);
}

// ---- the version order of the engine

#[test]
fn versions_are_ordered_as_the_engine_orders_them() {
    // Rising; a later one updates an earlier one and is never replaced by it.
    let rising = ["0.9.0", "1.0.0-1", "1.0.0-2", "1.0.0-10", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-rc.1", "1.0.0"];
    let mut shop = shop_with_history(&["0.1.0"]);
    for version in rising {
        shop.publish(demo(version));
        assert_eq!(shop.done(&["update"]).package(DEMO).action, Action::Updated, "{version}");
    }
    for version in rising.iter().rev().skip(1) {
        shop.publish(demo(version));
        let answer = shop.done(&["update"]);
        assert_eq!(answer.package(DEMO).action, Action::Unchanged, "{version}");
        assert_eq!(answer.warning_codes(), ["downgrade"]);
    }
}

// ---- two at once

/// `demo` 1.1.0 with 1.0.0 before it; then an update to `next`, and while that downloads, another command. Gives the
/// answer of the update.
fn overtaken(next: Ruleset, update: &[&str], meanwhile: &[&str]) -> (Sandbox, Envelope) {
    let server = Server::https();
    let mut catalog = Catalog::on(&server).with(demo("1.0.0"));
    catalog.mount(&server);
    let sandbox = Sandbox::new().attach(&server);
    sandbox.run(&["install", DEMO]).expect(0);
    catalog.publish(demo("1.1.0"));
    catalog.mount(&server);
    sandbox.run(&["update", "--refresh"]).expect(0);
    catalog.publish(next);
    catalog.mount(&server);
    let artifact = catalog.artifact_path(DEMO);
    server.change(&artifact, |reply| reply.after(Duration::from_millis(400)));
    server.forget();
    let mut update = sandbox.command(&[update, &["--refresh", "--json"]].concat()).spawn();
    while server.requests_of(&artifact).is_empty() {
        assert!(update.is_running(), "it never asked for the artifact");
        std::thread::sleep(Duration::from_millis(2));
    }
    assert_eq!(sandbox.json(meanwhile).exit, 0);
    let answer = update.wait().json();
    (sandbox, answer)
}

#[test]
fn a_rollback_made_while_an_update_downloads_is_not_undone_by_it() {
    let (sandbox, answer) = overtaken(demo_republished("1.1.0"), &["update"], &["rollback", DEMO]);
    assert_eq!(rows(&answer), [(DEMO, Action::Held, Some("1.0.0"), Some("1.1.0"))]);
    assert_eq!(tidy_rulesets(&sandbox)[0].version, "1.0.0");
}

#[test]
fn a_hold_made_while_an_update_downloads_holds() {
    let (sandbox, answer) = overtaken(demo("1.2.0"), &["update"], &["hold", DEMO]);
    assert_eq!(rows(&answer), [(DEMO, Action::Held, Some("1.1.0"), Some("1.0.0"))]);
    assert_eq!(tidy_rulesets(&sandbox)[0].version, "1.1.0");
}

#[test]
fn an_uninstall_made_while_an_update_downloads_is_not_undone_by_it() {
    let (sandbox, answer) = overtaken(demo("1.2.0"), &["update", DEMO], &["uninstall", DEMO]);
    assert_eq!((answer.code(), rows(&answer)), ("not-installed", vec![(DEMO, Action::Failed, None, None)]));
    assert!(!sandbox.packages().join("versions/demo").exists());
    assert!(tidy_rulesets(&sandbox).is_empty());
}

// ---- any life at all

/// What the world and one ruleset in it should look like, by docs/spec/commands.md alone.
#[derive(Clone, Debug, Default)]
struct Model {
    /// The catalog's version and how often it was republished.
    offered: Option<Bytes>,
    installed: Option<Life>,
}

/// A version, and which of its editions.
type Bytes = (u32, u32);

#[derive(Clone, Debug)]
struct Life {
    active: Bytes,
    previous: Option<Bytes>,
    held: bool,
    declined: Option<u32>,
}

/// What one command should answer: the action and, where nothing is active, nothing more.
type Expected = Result<Action, &'static str>;

impl Model {
    fn install(&mut self, force: bool) -> Expected {
        let offered = self.offered.ok_or("not-in-catalog")?;
        let Some(life) = &mut self.installed else {
            self.installed = Some(Life { active: offered, previous: None, held: false, declined: None });
            return Ok(Action::Installed);
        };
        match offered.0.cmp(&life.active.0) {
            std::cmp::Ordering::Less => Err("downgrade"),
            std::cmp::Ordering::Equal if !force => Ok(Action::Unchanged),
            _ => Ok(life.take(offered)),
        }
    }

    fn update(&mut self, named: bool) -> Expected {
        let Some(life) = &mut self.installed else { return Err("not-installed") };
        let Some(offered) = self.offered.filter(|offered| *offered != life.active && offered.0 >= life.active.0) else {
            return Ok(Action::Unchanged);
        };
        if life.held || !named && life.declined == Some(offered.0) {
            return Ok(Action::Held);
        }
        Ok(life.take(offered))
    }

    fn rollback(&mut self) -> Expected {
        let life = self.installed.as_mut().ok_or("not-installed")?;
        let previous = life.previous.ok_or("no-previous-version")?;
        life.declined = Some(life.active.0);
        life.previous = Some(life.active);
        life.active = previous;
        Ok(Action::RolledBack)
    }
}

impl Life {
    fn take(&mut self, offered: Bytes) -> Action {
        if self.declined.is_some_and(|declined| declined <= offered.0) {
            self.declined = None;
        }
        let before = std::mem::replace(&mut self.active, offered);
        if before.0 == offered.0 {
            return Action::Reinstalled;
        }
        self.previous = Some(before);
        Action::Updated
    }
}

fn version_of(number: u32) -> String {
    format!("1.{number}.0")
}

fn edition_of((number, edition): Bytes) -> Ruleset {
    demo(&version_of(number)).ruleset_value("/edition", json!(format!("Edition {edition}")))
}

/// Leads one ruleset through a random life and compares every answer and the disk with the model.
fn any_life(seed: u64) {
    let mut dice = seed;
    // An LCG: a test must roll the same dice every time.
    let mut roll = move |sides: u64| {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (dice >> 33) % sides
    };
    let mut shop = Shop::selling([]);
    let mut model = Model::default();
    let mut past = Vec::new();
    for _ in 0..60 {
        let (args, expected): (&[&str], Option<Expected>) = match roll(20) {
            0..4 => {
                let offered = (roll(3) as u32, roll(2) as u32);
                model.offered = Some(offered);
                shop.publish(edition_of(offered));
                past.push(format!("publish {offered:?}"));
                continue;
            }
            4 if model.offered.take().is_some() => {
                shop.withdraw(DEMO);
                past.push("withdraw".to_owned());
                continue;
            }
            5 | 6 => (&["install", DEMO], Some(model.install(false))),
            7 => (&["install", "--force", DEMO], Some(model.install(true))),
            8..11 => (&["update"], model.installed.is_some().then(|| model.update(false))),
            11..14 => (&["update", DEMO], Some(model.update(true))),
            14..17 => (&["rollback", DEMO], Some(model.rollback())),
            17 | 18 => {
                if let Some(life) = &mut model.installed {
                    life.held = !life.held;
                    let word = if life.held { "hold" } else { "unhold" };
                    shop.done(&[word, DEMO]);
                    past.push(word.to_owned());
                }
                continue;
            }
            19 if roll(4) == 0 => {
                let gone = model.installed.take().map(|_| Action::Removed);
                (&["uninstall", DEMO], Some(gone.ok_or("not-installed")))
            }
            _ => (&["language", if roll(2) == 0 { "ru" } else { "en" }], None),
        };
        past.push(args.join(" "));
        let would = if args == ["update"] { outdated_reason(&shop) } else { None };
        let answer = shop.run(args);
        match expected {
            None => assert_eq!(answer.exit, 0, "{past:#?} {answer:#?}"),
            Some(Ok(action)) => assert_eq!(answer.package(DEMO).action, action, "{past:#?} {answer:#?}"),
            Some(Err(code)) => assert_eq!(answer.code(), code, "{past:#?} {answer:#?}"),
        }
        if let (["update"], Some(Ok(action))) = (args, expected) {
            assert_eq!(would.is_some(), action != Action::Unchanged, "{past:#?}");
        }
        assert_as_modelled(&shop, &model, &past);
    }
    assert_eq!(shop.done(&["doctor"]).doctor().problems, [], "{past:#?}");
}

fn outdated_reason(shop: &Shop) -> Option<WhyNewer> {
    outdated(shop).pop().map(|(.., reason)| reason)
}

fn assert_as_modelled(shop: &Shop, model: &Model, past: &[String]) {
    let seen = shop.engine_sees();
    let Some(life) = &model.installed else {
        assert!(seen.is_empty(), "{past:#?}");
        return;
    };
    let previous = life.previous.map(|(number, _)| version_of(number));
    assert_eq!((&seen[0].version, &seen[0].previous_version), (&version_of(life.active.0), &previous), "{past:#?}");
    for bytes in [Some(life.active), life.previous].into_iter().flatten() {
        let text = fs::read_to_string(shop.sandbox.version(DEMO, &version_of(bytes.0)).join("ruleset.json")).unwrap();
        assert!(text.contains(&format!("Edition {}", bytes.1)), "{bytes:?} {past:#?}");
    }
}

#[test]
fn any_life_goes_as_the_contract_says_first_part() {
    (0..3).for_each(any_life);
}

#[test]
fn any_life_goes_as_the_contract_says_second_part() {
    (3..6).for_each(any_life);
}

#[test]
fn any_life_goes_as_the_contract_says_third_part() {
    (6..9).for_each(any_life);
}
