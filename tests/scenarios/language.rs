//! Which language is in force and which pack serves it (docs/spec/commands.md#language, docs/spec/lessons.md#b02,
//! #b08).

use super::kit::packs::{NOT_LISTED, NOT_NEEDED, REMOVED, Told, current, fetched};
use super::kit::publish::{Catalog, Ruleset};
use super::kit::sandbox::{Invocation, Sandbox};
use super::kit::server::Server;
use super::kit::tree::Tree;
use serde_json::Value;

const ID: &str = "ember-roads";

/// One ruleset with a pack in each of these languages.
fn translated(languages: &[&str]) -> Ruleset {
    languages.iter().fold(Ruleset::new(ID, "1.0.0"), |ruleset, language| ruleset.pack(language, &[("Grit", language)]))
}

/// A sandbox with a catalog of that ruleset in a folder.
fn with_folder(languages: &[&str]) -> Sandbox {
    let sandbox = Sandbox::new();
    let folder = sandbox.work().join("catalog");
    Catalog::on_disk().with(translated(languages)).write(&folder);
    sandbox.catalog(folder)
}

/// A server with that catalog, and a sandbox that uses it.
fn with_server(languages: &[&str]) -> (Server, Sandbox) {
    let server = Server::https();
    Catalog::on(&server).with(translated(languages)).mount(&server);
    let sandbox = Sandbox::new().attach(&server);
    (server, sandbox)
}

/// What `rulepack.json` remembers; nothing where there is no such file.
fn remembered(sandbox: &Sandbox) -> Option<String> {
    let text = std::fs::read(sandbox.packages().join("rulepack.json")).ok()?;
    let state: Value = serde_json::from_slice(&text).unwrap();
    state["language"].as_str().map(str::to_owned)
}

#[track_caller]
fn in_force(run: Invocation) -> String {
    run.json().expect(0).changes().language.clone()
}

#[test]
fn a_tag_in_any_spelling_is_one_language_in_flag_variable_and_command() {
    let sandbox = Sandbox::new();
    for (written, canonical) in [
        ("ru", "ru"),
        ("RU", "ru"),
        ("PT-br", "pt-BR"),
        ("pt_BR.UTF-8", "pt-BR"),
        ("pt_br@euro", "pt-BR"),
        ("ZH-hans", "zh-Hans"),
        ("zh_hans_cn", "zh-Hans-CN"),
        ("sr_RS@latin", "sr-Latn-RS"),
        ("sr_RS.UTF-8@cyrillic", "sr-Cyrl-RS"),
        ("iw", "he"),
        ("in", "id"),
        ("no", "nb"),
        ("de-u-co-phonebk", "de"),
        ("EN_gb", "en-GB"),
    ] {
        assert_eq!(in_force(sandbox.command(&["language", "--language", written])), canonical, "--language {written}");
        let variable = sandbox.command(&["language"]).env("RULEPACK_LANGUAGE", written);
        assert_eq!(in_force(variable), canonical, "RULEPACK_LANGUAGE={written}");
        assert_eq!(in_force(sandbox.command(&["language", written])), canonical, "language {written}");
        assert_eq!(remembered(&sandbox).as_deref(), Some(canonical), "language {written}");
        assert_eq!(in_force(sandbox.command(&["language"])), canonical, "remembered of {written}");
    }
}

#[test]
fn a_malformed_tag_is_wrong_usage_in_every_place_and_changes_nothing() {
    let (server, sandbox) = with_server(&["ru"]);
    sandbox.change(&["install", ID, "--language", "ru"]).expect(0);
    let before = Tree::of(sandbox.root());
    server.forget();
    let many = "ru-".to_owned() + &"aaaaaaaa-".repeat(20) + "x";
    for tag in
        ["C", "POSIX", "e", "russian", "pt BR", "pt--BR", "pt-", "../ru", "ru/..", "ru\n", "русский", "und", &many]
    {
        let runs = [
            sandbox.command(&["sync", "--language", tag]),
            sandbox.command(&["list", "--language", tag]),
            sandbox.command(&["install", ID, "--force", "--language", tag]),
            sandbox.command(&["update"]).env("RULEPACK_LANGUAGE", tag),
            sandbox.command(&["language", tag]),
        ];
        for run in runs {
            assert_eq!(run.json().expect(2).code(), "usage", "{tag:?}");
        }
    }
    assert_eq!(sandbox.json(&["language", ""]).expect(2).code(), "usage");
    before.assert_same(&Tree::of(sandbox.root()));
    assert_eq!(server.paths(), [""; 0]);
}

#[test]
fn a_tag_that_would_be_the_name_of_a_device_is_refused_on_every_system() {
    let sandbox = with_folder(&["ru"]);
    for tag in ["con", "AUX", "nul", "prn"] {
        assert_eq!(sandbox.json(&["sync", "--language", tag]).expect(2).code(), "usage", "{tag}");
        assert_eq!(in_force(sandbox.command(&["language"]).env("LC_ALL", tag)), "en", "{tag}");
    }
    assert_eq!(in_force(sandbox.command(&["language", "--language", "aux-PG"])), "aux-PG");
}

#[test]
fn the_systems_language_is_read_from_the_posix_variables_in_their_order() {
    let sandbox = Sandbox::new();
    let table: &[(&[(&str, &str)], &str)] = &[
        (&[("LANG", "ru_RU.UTF-8")], "ru-RU"),
        (&[("LANG", "ru_RU"), ("LC_MESSAGES", "de_AT.ISO-8859-1")], "de-AT"),
        (&[("LANG", "ru_RU"), ("LC_MESSAGES", "de_AT"), ("LC_ALL", "pt_BR.utf8")], "pt-BR"),
        (&[("LANG", "ru_RU"), ("LC_MESSAGES", ""), ("LC_ALL", "")], "ru-RU"),
        // The first that says something counts, also when it says English.
        (&[("LANG", "ru_RU"), ("LC_ALL", "C")], "en"),
        (&[("LANG", "ru_RU"), ("LC_ALL", "C.UTF-8")], "en"),
        (&[("LANG", "ru_RU"), ("LC_MESSAGES", "POSIX")], "en"),
        (&[("LANG", "ru_RU"), ("LC_ALL", "%%%")], "en"),
        (&[("LANG", "klingon")], "en"),
        (&[("LANG", "en_GB.UTF-8")], "en-GB"),
        (&[("LANG", "sr_RS.UTF-8@latin")], "sr-Latn-RS"),
        (&[("LANG", "uz_UZ@cyrillic")], "uz-Cyrl-UZ"),
        (&[("LANG", "de_DE@euro")], "de-DE"),
        (&[("LANG", "zh_CN.GB18030")], "zh-CN"),
        (&[("LANG", "C"), ("LANGUAGE", "ru:de")], "en"),
        (&[("LANG", "de_DE"), ("LANGUAGE", "ru:de")], "de-DE"),
        (&[("LANG", "de_DE"), ("LC_CTYPE", "ru_RU"), ("LC_TIME", "ru_RU")], "de-DE"),
    ];
    for (variables, expected) in table {
        let mut run = sandbox.command(&["language"]);
        for (name, value) in *variables {
            run = run.env(name, value);
        }
        assert_eq!(in_force(run), *expected, "{variables:?}");
    }
}

// Elsewhere the system itself is asked then.
#[cfg(all(unix, not(target_os = "macos")))]
#[test]
fn where_no_variable_says_a_language_it_is_english() {
    let sandbox = Sandbox::new();
    assert_eq!(in_force(sandbox.command(&["language"]).env_remove("LC_ALL")), "en");
    assert_eq!(in_force(sandbox.command(&["language"]).env("LC_ALL", "").env("LANG", "")), "en");
    assert_eq!(in_force(sandbox.command(&["language"]).env_remove("LC_ALL").env("LANGUAGE", "ru:de")), "en");
}

#[cfg(target_os = "linux")]
#[test]
fn a_variable_that_is_no_text_is_rubbish_and_means_english() {
    use std::os::unix::ffi::OsStrExt;
    let rubbish = std::ffi::OsStr::from_bytes(b"\xff\xfe");
    let sandbox = Sandbox::new().env("LC_ALL", rubbish).env("LANG", "ru_RU.UTF-8");
    assert_eq!(in_force(sandbox.command(&["language"])), "en");
}

#[test]
fn the_flag_counts_over_the_variable_over_what_is_remembered_over_the_system() {
    let sandbox = Sandbox::new().env("LANG", "ja_JP.UTF-8");
    assert_eq!(in_force(sandbox.command(&["language"])), "ja-JP");
    assert_eq!(in_force(sandbox.command(&["language", "ru"])), "ru");
    assert_eq!(in_force(sandbox.command(&["language"])), "ru");
    assert_eq!(in_force(sandbox.command(&["language"]).env("RULEPACK_LANGUAGE", "de")), "de");
    assert_eq!(
        in_force(sandbox.command(&["language"]).env("RULEPACK_LANGUAGE", "")),
        "ru",
        "an empty one says nothing"
    );
    let both = sandbox.command(&["--language", "pt", "language"]).env("RULEPACK_LANGUAGE", "de");
    assert_eq!(in_force(both), "pt");
    assert_eq!(remembered(&sandbox).as_deref(), Some("ru"), "only `language TAG` is remembered");
    // What is chosen counts over what is said for one run, or choosing would choose nothing.
    assert_eq!(in_force(sandbox.command(&["language", "es", "--language", "de"])), "es");
    assert_eq!(in_force(sandbox.command(&["language", "auto"])), "ja-JP");
    assert_eq!(remembered(&sandbox), None);
}

#[test]
fn a_language_of_one_run_is_forgotten_by_the_next() {
    let sandbox = with_folder(&["ru", "de"]).env("LANG", "de_DE.UTF-8");
    assert_eq!(sandbox.change(&["install", ID, "--language", "ru"]).expect(0).pack(ID), fetched("ru"));
    assert_eq!(remembered(&sandbox), None);
    assert_eq!(sandbox.change(&["sync"]).expect(0).pack(ID), fetched("de"));
    assert_eq!(sandbox.change(&["sync", "--language", "ru"]).expect(0).pack(ID), fetched("ru"));
    assert_eq!(sandbox.change(&["update"]).expect(0).pack(ID), fetched("de"));
}

#[test]
fn a_language_that_is_set_stays_until_auto_goes_back_to_the_systems() {
    let sandbox = with_folder(&["ru", "de"]).env("LANG", "de_DE.UTF-8");
    sandbox.change(&["install", ID]).expect(0);
    assert_eq!(sandbox.packs(), ["ember-roads/1.0.0/de"]);
    let set = sandbox.change(&["language", "RU"]).expect(0);
    assert_eq!((set.changes().language.as_str(), set.pack(ID)), ("ru", fetched("ru")));
    assert_eq!(sandbox.change(&["sync"]).expect(0).pack(ID), current("ru"));
    assert_eq!(sandbox.change(&["install", ID, "--force"]).expect(0).pack(ID), fetched("ru"));
    let auto = sandbox.change(&["language", "auto"]).expect(0);
    assert_eq!((auto.changes().language.as_str(), auto.pack(ID)), ("de-DE", fetched("de")));
    assert_eq!(remembered(&sandbox), None);
}

#[test]
fn showing_the_language_asks_nobody_and_changes_nothing() {
    let (server, sandbox) = with_server(&["ru"]);
    let show = |tag: &str| sandbox.change(&["language", "--language", tag]).expect(0);
    assert!(show("ru").changes().packages.is_empty());
    assert_eq!(Tree::of(sandbox.data()).paths(), [""; 0], "not so much as a folder is made");
    sandbox.change(&["install", ID, "--language", "ru"]).expect(0);
    let before = (Tree::of(sandbox.root()), Tree::times(sandbox.root()));
    server.forget();
    for tag in ["ru", "de", "en"] {
        let shown = show(tag);
        assert_eq!((shown.changes().language.as_str(), shown.pack(ID)), (tag, current("ru")));
    }
    assert!(before == (Tree::of(sandbox.root()), Tree::times(sandbox.root())));
    assert_eq!(server.paths(), [""; 0]);
}

/// Takes each wanted language in turn and compares what it is served from what is offered.
#[track_caller]
fn served(offered: &[&str], table: &[(&str, Option<&str>)]) {
    let sandbox = with_folder(offered);
    sandbox.change(&["install", ID]).expect(0);
    let mut there: Option<&str> = None;
    for (wanted, pack) in table {
        let answer = sandbox.change(&["sync", "--language", wanted]).expect(0);
        let expected: Told = match pack {
            Some(pack) if there == Some(pack) => current(pack),
            Some(pack) => fetched(pack),
            None if there.is_some() => REMOVED,
            None => NOT_LISTED,
        };
        assert_eq!(answer.pack(ID), expected, "{wanted} of {offered:?}");
        there = *pack;
    }
}

#[test]
fn the_pack_is_the_tags_own_or_of_the_language_it_is_a_kind_of() {
    served(
        &["zh-Hans", "zh-Hant", "pt", "pt-BR", "sr-Latn", "sr", "es", "nb", "he", "ca"],
        &[
            ("pt-BR", Some("pt-BR")),
            ("pt_br", Some("pt-BR")),
            ("pt-PT", Some("pt")),
            ("pt-Latn-AO", Some("pt")),
            ("zh-CN", Some("zh-Hans")),
            ("zh-SG", Some("zh-Hans")),
            ("zh", Some("zh-Hans")),
            ("zh-Hans-TW", Some("zh-Hans")),
            ("zh-TW", Some("zh-Hant")),
            ("zh-HK", Some("zh-Hant")),
            ("sr", Some("sr")),
            ("sr-RS", Some("sr")),
            ("sr_RS@latin", Some("sr-Latn")),
            ("sr-ME", Some("sr-Latn")),
            ("es-419", Some("es")),
            ("es-u-co-trad", Some("es")),
            ("no", Some("nb")),
            ("nb-NO", Some("nb")),
            ("iw_IL", Some("he")),
            ("ca-valencia", Some("ca")),
            ("fr", None),
            ("yue", None),
        ],
    );
}

#[test]
fn chinese_goes_from_region_to_script_to_the_bare_language_and_never_to_the_other_script() {
    served(&["zh"], &[("zh-CN", Some("zh")), ("zh-Hans", Some("zh")), ("zh-TW", None), ("zh-Hant", None)]);
    served(&["zh-CN", "zh-Hans", "zh"], &[("zh-CN", Some("zh-CN")), ("zh-SG", Some("zh-Hans")), ("zh", Some("zh"))]);
    served(&["zh-TW"], &[("zh-TW", Some("zh-TW")), ("zh", None), ("zh-HK", None), ("zh-Hant", None)]);
}

#[test]
fn a_sibling_never_serves_nor_a_kind_the_language_itself() {
    served(
        &["pt-BR"],
        &[("pt-BR", Some("pt-BR")), ("pt", None), ("pt-PT", None), ("pt-BR", Some("pt-BR")), ("es", None)],
    );
    served(&["sr-Latn"], &[("sr", None), ("sr-RS", None), ("sr-Latn-RS", Some("sr-Latn"))]);
    served(&["nn", "id"], &[("nb", None), ("ms", None), ("in", Some("id"))]);
}

#[test]
fn a_pack_listed_in_an_odd_spelling_is_found_and_kept_under_the_canonical_one() {
    for (listed, wanted, canonical) in [
        ("pt-br", "pt-BR", "pt-BR"),
        ("PT-BR", "pt_BR", "pt-BR"),
        ("pt_BR", "pt-BR", "pt-BR"),
        ("RU", "ru-RU", "ru"),
        ("zh-hans", "zh-CN", "zh-Hans"),
        ("iw", "he", "he"),
        ("he", "iw", "he"),
        ("no", "nb", "nb"),
        ("nb", "no-NO", "nb"),
        ("in", "id-ID", "id"),
    ] {
        let sandbox = with_folder(&[listed]);
        let answer = sandbox.change(&["install", ID, "--language", wanted]).expect(0);
        assert_eq!(answer.pack(ID), fetched(canonical), "{wanted} of {listed}");
        let again = sandbox.change(&["sync", "--language", wanted]).expect(0);
        assert_eq!(again.pack(ID), current(canonical), "{wanted} of {listed}");
    }
}

#[test]
fn english_and_its_kinds_need_no_pack_and_nobody_is_asked() {
    let (server, sandbox) = with_server(&["en-GB", "ru"]);
    for language in ["en", "en-GB", "en_US.UTF-8", "EN"] {
        let sandbox = Sandbox::new().attach(&server);
        server.forget();
        let installed = sandbox.change(&["install", ID, "--language", language]).expect(0);
        assert_eq!(installed.pack(ID), NOT_NEEDED, "{language}");
        assert_eq!(server.paths(), ["/catalog.json", "/artifacts/ember-roads-1.0.0.ruleset.json"], "{language}");
    }
    sandbox.change(&["install", ID, "--language", "ru"]).expect(0);
    // From here on there is no catalog: not in the cache, and not to be reached.
    std::fs::remove_dir_all(sandbox.cache()).unwrap();
    server.go_dark();
    let nowhere = |args: &[&str]| sandbox.change(args).expect(0);
    assert_eq!(nowhere(&["sync", "--language", "en-AU", "--require-pack"]).pack(ID), REMOVED);
    assert_eq!(nowhere(&["sync", "--require-pack"]).pack(ID), NOT_NEEDED);
    assert_eq!(nowhere(&["language", "en-GB", "--require-pack"]).pack(ID), NOT_NEEDED);
    let warned = nowhere(&["sync"]);
    assert!(warned.warnings.is_empty(), "{warned:#?}");
}

#[test]
fn a_language_is_set_without_a_catalog_where_nothing_is_installed() {
    let server = Server::https();
    server.go_dark();
    let sandbox = Sandbox::new().attach(&server);
    let set = sandbox.change(&["language", "ru", "--require-pack"]).expect(0);
    assert_eq!((set.changes().language.as_str(), set.warnings.len()), ("ru", 0));
    assert_eq!(remembered(&sandbox).as_deref(), Some("ru"));
    assert_eq!(sandbox.change(&["sync"]).expect(0).changes().language, "ru");
}

#[test]
fn two_overlapping_switches_end_with_one_language_everywhere() {
    let server = Server::https();
    let ids = ["ember-roads", "gravewatch", "saltmarsh-post"];
    let ruleset = |id: &&str| Ruleset::new(id, "1.0.0").pack("ru", &[("Grit", "ru")]).pack("de", &[("Grit", "de")]);
    let catalog = ids.iter().map(ruleset).fold(Catalog::on(&server), Catalog::with);
    catalog.mount(&server);
    let sandbox = Sandbox::new().attach(&server);
    sandbox.change(&[&["install"], &ids[..]].concat()).expect(0);
    // The two are under way at the same time: each waits for its packs while the other looks at the store.
    for id in ids {
        for language in ["ru", "de"] {
            let path = catalog.pack_path(id, language);
            server.change(&path, |reply| reply.after(std::time::Duration::from_millis(100)));
        }
    }
    let runs = ["ru", "de", "en", "ru", "de"].map(|tag| sandbox.command(&["language", tag, "--json"]).spawn());
    for run in runs {
        run.wait().json().expect(0);
    }
    let language = remembered(&sandbox).unwrap();
    let expected: Vec<String> =
        ids.iter().filter(|_| language != "en").map(|id| format!("{id}/1.0.0/{language}")).collect();
    assert_eq!(sandbox.packs(), expected);
    let settled = sandbox.change(&["sync"]).expect(0);
    let told = if language == "en" { NOT_NEEDED } else { current(&language) };
    assert!(ids.iter().all(|id| settled.pack(id) == told), "{settled:#?}");
}
