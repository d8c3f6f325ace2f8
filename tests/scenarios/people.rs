//! What people see: sentences, tables, errors that say what, where and what next, colour and bars where somebody
//! watches, and nothing of the kind where nobody does (docs/spec/commands.md#what-people-see).

use super::kit::publish::{Catalog, Ruleset};
use super::kit::sandbox::{Invocation, Outcome, Sandbox};
use super::kit::server::Server;
use super::kit::tree::Tree;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

/// A sandbox with a catalog folder of its own, which can be published into.
struct World {
    sandbox: Sandbox,
    catalog: Catalog,
}

impl World {
    /// Ember Roads in English, Russian and Portuguese; Gravewatch in English alone.
    fn new() -> Self {
        let gravewatch = Ruleset::new("gravewatch", "0.3.0").described("Wardens of the barrow roads.");
        World::of(Catalog::on_disk().with(ember_roads("1.0.0")).with(gravewatch))
    }

    fn of(catalog: Catalog) -> Self {
        let sandbox = Sandbox::new();
        let folder = sandbox.work().join("catalog");
        let world = World { sandbox: sandbox.catalog(&folder), catalog };
        world.write();
        world
    }

    fn write(&self) {
        self.catalog.write(&self.sandbox.work().join("catalog"));
    }

    fn publish(&mut self, ruleset: Ruleset) {
        self.catalog.publish(ruleset);
        self.write();
    }

    fn command(&self, line: &str) -> Invocation {
        self.sandbox.command(&line.split_whitespace().collect::<Vec<_>>())
    }

    /// Exit number and stderr of a run, without the steps told while it goes on.
    #[track_caller]
    fn run(&self, line: &str) -> Outcome {
        self.command(line).arg("--progress=none").run()
    }

    /// Runs it, expects it to go well without a word on stderr, and gives stdout.
    #[track_caller]
    fn says(&self, line: &str) -> String {
        let outcome = self.run(line).expect(0);
        assert_eq!(outcome.stderr, "", "{outcome}");
        outcome.stdout
    }

    /// Runs it, expects this exit number and nothing on stdout, and gives stderr.
    #[track_caller]
    fn refuses(&self, line: &str, exit: i32) -> String {
        let outcome = self.run(line).expect(exit);
        assert_eq!(outcome.stdout, "", "{outcome}");
        outcome.stderr
    }
}

fn ember_roads(version: &str) -> Ruleset {
    Ruleset::new("ember-roads", version)
        .described("Travelers between small fires.")
        .pack("ru", &[("Grit", "Стойкость")])
        .pack("pt", &[("Grit", "Garra")])
}

#[test]
fn a_newcomer_is_told_what_to_do_when_there_is_nothing_yet() {
    let world = World::new();
    let none_at_all = "No rulesets are installed. `rulepack search` shows what is available.\n";
    assert_eq!(world.says("list"), none_at_all);
    // Imported ones are no matter of these.
    let none = "No rulesets from a catalog are installed. `rulepack search` shows what is available.\n";
    for line in ["outdated", "update", "sync"] {
        assert_eq!(world.says(line), none, "{line}");
    }
    assert_eq!(world.says("language"), format!("Language: en\n{none}"));
    assert_eq!(
        world.says("search nothing-like-it"),
        "No ruleset in the catalog matches. Try fewer words, or none to show all.\n"
    );
    assert_eq!(world.says("doctor"), "0 rulesets and 0 files checked: no problems found\n");
    let cache = world.sandbox.cache();
    assert_eq!(world.says("cache size"), format!("0 files (0 B) in {}\n", cache.display()));
    assert_eq!(world.says("cache clean"), format!("Removed 0 files (0 B) from {}\n", cache.display()));
    let empty = World::of(Catalog::on_disk());
    assert_eq!(empty.says("search"), "The catalog has no usable rulesets. Choose another with `--catalog`.\n");
    assert!(empty.says("search dice").starts_with("No ruleset in the catalog matches."));
}

#[test]
fn a_life_with_rulesets_reads_like_this() {
    let mut world = World::new();
    assert_eq!(
        world.says("search"),
        "Ember Roads  ember-roads 1.0.0\n  Travelers between small fires.\n  SIZE · en, pt, ru\n\nGravewatch  \
         gravewatch 0.3.0\n  Wardens of the barrow roads.\n  SIZE · en\n"
            .replacen("SIZE", &size(&world, "ember-roads"), 1)
            .replacen("SIZE", &size(&world, "gravewatch"), 1)
    );
    assert_eq!(
        world.says("info ember-roads"),
        format!(
            "Ember Roads\n  Travelers between small fires.\n\nid         ember-roads\nversion    1.0.0\ninstalled  \
             no\nsize       {}\nlanguages  en, pt, ru\nengine     2.3.0 or newer, below 4.0.0\nAPI        1.811\n",
            size(&world, "ember-roads")
        )
    );
    assert_eq!(world.says("install ember-roads"), "  Installed ember-roads 1.0.0 (Ember Roads)\n");
    assert_eq!(world.says("install ember-roads"), "  Unchanged ember-roads 1.0.0 (Ember Roads)\n");
    assert_eq!(world.says("install ember-roads --force"), "Reinstalled ember-roads 1.0.0 (Ember Roads)\n");
    assert_eq!(
        world.says("install ember-roads gravewatch --language ru"),
        "   Switched ember-roads 1.0.0 (Ember Roads [ru]), in ru\n  Installed gravewatch 0.3.0 (Gravewatch), in English: \
         there is no language pack for ru\n1 switched, 1 installed\n"
    );
    assert_eq!(
        world.says("list"),
        "ID           VERSION  PREVIOUS  LANGUAGE  STATE  NAME\nember-roads  1.0.0    -         ru        ok     Ember \
         Roads\ngravewatch   0.3.0    -         en        ok     Gravewatch\n"
    );
    assert_eq!(
        world.says("language pt-BR"),
        "Language set to pt-BR\n   Switched ember-roads 1.0.0 (Ember Roads [pt]), in pt\n  Unchanged gravewatch 0.3.0 \
         (Gravewatch), in English: there is no language pack for pt-BR\n1 switched, 1 unchanged\n"
    );
    assert_eq!(world.says("sync"), "Nothing to change; the language is pt-BR\n");
    assert_eq!(
        world.says("language"),
        "Language: pt-BR\n  ember-roads 1.0.0 (Ember Roads [pt]), in pt\n  gravewatch 0.3.0 (Gravewatch), in English\n"
    );
    assert_eq!(world.says("outdated"), "Nothing to update among 2 installed rulesets\n");
    assert_eq!(world.says("update"), "Nothing to update\n");

    world.publish(ember_roads("1.1.0"));
    assert_eq!(
        world.says("outdated"),
        "ID           INSTALLED  AVAILABLE  WHY    NAME\nember-roads  1.0.0      1.1.0      newer  Ember Roads [pt]\n"
    );
    assert_eq!(
        world.says("update"),
        "    Updated ember-roads 1.0.0 -> 1.1.0 (Ember Roads [pt]), in pt\n1 updated, 1 unchanged\n"
    );
    assert_eq!(world.says("language auto").lines().next(), Some("Language set to the system's, en"));
    assert_eq!(world.says("rollback ember-roads"), "Rolled back ember-roads 1.1.0 -> 1.0.0 (Ember Roads)\n");
    let held = world.run("update").expect(0);
    assert_eq!(held.stdout, "       Held ember-roads 1.0.0 (Ember Roads)\n1 held, 1 unchanged\n");
    assert_eq!(
        held.stderr,
        "warning: ember-roads 1.1.0 was rolled back or declined; `rulepack update ember-roads` installs it\n"
    );
    assert_eq!(world.says("outdated").lines().last(), Some("ember-roads  1.0.0      1.1.0      declined  Ember Roads"));
    assert_eq!(world.says("hold ember-roads"), "ember-roads is held: `rulepack update` leaves it alone\n");
    assert_eq!(world.says("list").lines().nth(1), Some("ember-roads  1.0.0    1.1.0     en        held   Ember Roads"));
    assert_eq!(world.says("unhold ember-roads"), "ember-roads is not held: `rulepack update` may change it\n");
    assert_eq!(world.says("doctor"), "2 rulesets and 6 files checked: no problems found\n");
    assert_eq!(
        world.says("uninstall ember-roads gravewatch"),
        "    Removed ember-roads 1.0.0 (Ember Roads)\n    Removed gravewatch 0.3.0 (Gravewatch)\n2 removed\n"
    );
}

/// The size of an artifact as people read it.
fn size(world: &World, id: &str) -> String {
    let bytes = world.catalog.entry(id)["artifact"]["bytes"].as_f64().unwrap();
    format!("{:.1} KiB", bytes / 1024.0)
}

#[test]
fn a_dry_run_says_that_nothing_was_done_and_does_nothing() {
    let mut world = World::new();
    let before = Tree::of(world.sandbox.data());
    assert_eq!(
        world.says("install ember-roads gravewatch --dry-run --language ru"),
        "  Would install ember-roads 1.0.0 (Ember Roads [ru]), in ru\n  Would install gravewatch 0.3.0 (Gravewatch), \
         in English: there is no language pack for ru\nDry run: nothing was changed\n"
    );
    before.assert_same(&Tree::of(world.sandbox.data()));
    world.says("install ember-roads");
    world.publish(ember_roads("1.1.0"));
    let before = Tree::of(world.sandbox.data());
    let told = "   Would update ember-roads 1.0.0 -> 1.1.0 (Ember Roads)\nDry run: nothing was changed\n";
    assert_eq!(world.says("update --dry-run"), told);
    assert_eq!(world.says("update --dry-run -q"), told, "what was asked for is said even quietly");
    before.assert_same(&Tree::of(world.sandbox.data()));
}

#[test]
fn tables_are_aligned_by_what_is_seen() {
    let names = [
        ("cjk", "火の道と灰の王国"),
        ("cyrillic", "Дорога Углей"),
        ("emoji", "Embers 🔥👨‍👩‍👧 Roads"),
        ("marks", "Cafe\u{301} Noir"),
    ];
    let mut catalog = Catalog::on_disk();
    for (id, name) in names {
        catalog.publish(Ruleset::new(id, "1.0.0").named(name));
    }
    let mut world = World::of(catalog);
    world.says("install cjk cyrillic emoji marks");
    assert_eq!(
        world.says("list"),
        "ID        VERSION  PREVIOUS  LANGUAGE  STATE  NAME\ncjk       1.0.0    -         en        ok     \
         火の道と灰の王国\ncyrillic  1.0.0    -         en        ok     Дорога Углей\nemoji     1.0.0    -         en        \
         ok     Embers 🔥👨‍👩‍👧 Roads\nmarks     1.0.0    -         en        ok     Cafe\u{301} Noir\n"
    );
    for (id, name) in names {
        world.publish(Ruleset::new(id, "10.0.0-rc.1").named(name));
    }
    let table = world.says("outdated");
    for (line, (id, name)) in table.lines().skip(1).zip(names) {
        assert_eq!(line, format!("{id:<8}  1.0.0      10.0.0-rc.1  newer  {name}"));
    }
}

#[test]
fn cards_are_in_the_language_of_the_reader() {
    let world =
        World::of(Catalog::on_disk().with(Ruleset::new("ember-roads", "1.0.0").pack_named("ru", "Дорога Углей", &[])));
    assert!(world.says("search --language ru").starts_with("Дорога Углей  ember-roads 1.0.0\n"));
    assert!(world.says("search углей --language ru").starts_with("Дорога Углей"));
    assert!(world.says("search ember --language ru").starts_with("Дорога Углей"), "English words find it too");
    assert!(world.says("info ember-roads").starts_with("Ember Roads\n"));
}

#[test]
fn cards_say_why_a_ruleset_is_not_for_this_engine_and_what_was_left_out() {
    let mut world = World::new();
    let told = world.says("info gravewatch --engine-version 9.0.0");
    assert!(told.lines().last().unwrap().contains("9.0.0"), "{told}");
    world.catalog.edit("gravewatch", "/artifact/bytes", serde_json::json!(0));
    world.write();
    let told = world.run("search").expect(0);
    assert!(
        !told.stdout.contains("unusable") && told.stderr.contains("unusable entry of the catalog: gravewatch"),
        "{told}"
    );
    let told = world.run("search -v").expect(0).stdout;
    assert!(told.contains("\nSkipped 1 unusable entry:\n  gravewatch\n    "), "{told}");
    assert!(told.trim_end().ends_with("(at /artifact/bytes)"), "{told}");
}

#[test]
fn errors_say_what_and_where_and_what_next() {
    let mut world = World::new();
    world.says("install ember-roads");
    for (line, exit, said) in [
        (
            "install ember-rods",
            3,
            "error[not-in-catalog]: the catalog has no ember-rods\n  hint: did you mean `ember-roads`?\n",
        ),
        (
            "info EMBER_ROADS",
            3,
            "error[not-in-catalog]: the catalog has no `EMBER_ROADS`\n  hint: did you mean `ember-roads`?\n",
        ),
        (
            "info zzz",
            3,
            "error[not-in-catalog]: the catalog has no zzz\n  hint: show what is available with `rulepack search`\n",
        ),
        (
            "install gravewatch@0.4.0",
            3,
            "error[not-in-catalog]: the catalog has gravewatch 0.3.0, not 0.4.0\n  hint: run `rulepack install \
             gravewatch` for that version; a catalog has one version of each ruleset\n",
        ),
        (
            "path Ember!Roads",
            3,
            "error[not-installed]: `Ember!Roads` is not installed\n  hint: did you mean `ember-roads`?\n",
        ),
        (
            "path ember-rods",
            3,
            "error[not-installed]: ember-rods is not installed\n  hint: did you mean `ember-roads`?\n",
        ),
        (
            "hold zzz",
            3,
            "error[not-installed]: zzz is not installed\n  hint: list what is installed with `rulepack list`\n",
        ),
        (
            "rollback ember-roads",
            3,
            "error[no-previous-version]: ember-roads 1.0.0 has no previous version to return to\n  hint: update first: \
             only a version that an update replaced is kept for rollback\n",
        ),
        (
            "language portuguese!",
            2,
            "error[usage]: `portuguese!` is not a language tag such as `ru`, `pt-BR` or `zh-Hans`\n",
        ),
    ] {
        let mut outcome = world.run(line).expect(exit);
        if line.starts_with("hold") {
            outcome.stdout.clear();
        }
        assert_eq!((outcome.stdout.as_str(), outcome.stderr.as_str()), ("", said), "{line}");
    }
    world.publish(Ruleset::new("gravewatch", "0.3.0").smuggle("ruleset.json", "{}"));
    let told = world.refuses("install gravewatch", 4);
    assert!(told.starts_with("error[") && told.contains("gravewatch") && told.contains("hint: "), "{told}");
}

#[test]
fn an_error_of_the_network_names_the_address() {
    let server = Server::https();
    let catalog = Catalog::on(&server).with(ember_roads("1.0.0"));
    catalog.mount(&server);
    server.remove(&catalog.artifact_path("ember-roads"));
    let sandbox = Sandbox::new().attach(&server);
    let outcome = sandbox.run(&["install", "ember-roads", "--progress=none"]).expect(5);
    let url = server.url(&catalog.artifact_path("ember-roads"));
    for part in ["error[http-error]: ", "404", "ember-roads", &url, "  hint: "] {
        assert!(outcome.stderr.contains(part), "{part}: {outcome}");
    }
    assert_eq!(outcome.stdout, "");
}

/// A proxy elsewhere could not reach a server on this machine, so that one is asked without it.
#[test]
fn a_proxy_on_this_machine_is_asked_for_servers_on_this_machine_too() {
    let server = Server::https();
    Catalog::on(&server).with(ember_roads("1.0.0")).mount(&server);
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let proxy = format!("http://{closed}");
    let sandbox = Sandbox::new().attach(&server).env("HTTPS_PROXY", &proxy);
    let outcome = sandbox.run(&["search"]).expect(5);
    assert!(outcome.stderr.contains(&format!("check the proxy {proxy}/, which HTTPS_PROXY names")), "{outcome}");
    assert_eq!(server.connections(), 0);
    sandbox.command(&["search"]).env("NO_PROXY", "localhost").run().expect(0);
    sandbox.command(&["search", "--refresh"]).env("HTTPS_PROXY", "http://proxy.invalid:1").run().expect(0);
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn files_are_asked_for_as_they_are() {
    let server = Server::https();
    let catalog = Catalog::on(&server).with(ember_roads("1.0.0").pack("ru", &[]));
    catalog.mount(&server);
    Sandbox::new().attach(&server).run(&["install", "ember-roads", "--language", "ru"]).expect(0);
    for path in [catalog.artifact_path("ember-roads"), catalog.pack_path("ember-roads", "ru")] {
        let asked = server.requests_of(&path);
        assert!(asked.iter().all(|request| request.header("accept-encoding") == Some("identity")), "{asked:#?}");
        assert_eq!(asked.len(), 1, "{path}");
    }
}

#[test]
fn several_failures_are_all_told_and_what_went_well_too() {
    let world = World::new();
    let outcome = world.run("install ember-rods gravewatch zzz").expect(3);
    assert_eq!(outcome.stdout, "  Installed gravewatch 0.3.0 (Gravewatch)\n2 failed, 1 installed\n");
    assert_eq!(
        outcome.stderr,
        "error[not-in-catalog]: the catalog has no ember-rods\n  hint: did you mean \
         `ember-roads`?\n\nerror[not-in-catalog]: the catalog has no zzz\n  hint: show what is available with \
         `rulepack search`\n"
    );
    let outcome = world.run("uninstall a b").expect(3);
    assert_eq!(
        outcome.stderr,
        "error[not-installed]: a is not installed\n\nerror[not-installed]: b is not installed\n  hint: list what is \
         installed with `rulepack list`\n",
        "advice they share is given once"
    );
}

#[test]
fn a_wrong_command_line_is_answered_with_the_likeliest_right_one() {
    let world = World::new();
    for (typed, meant) in
        [("instal", "install"), ("unistall", "uninstall"), ("serach", "search"), ("lst", "list"), ("rm-pack", "")]
            .into_iter()
            .chain([("add", "install"), ("rm", "uninstall"), ("pin", "hold"), ("status", "list")])
    {
        let told = world.refuses(typed, 2);
        assert!(told.starts_with(&format!("error[usage]: unrecognized subcommand '{typed}'")), "{told}");
        let tip = format!("a similar subcommand exists: '{meant}'");
        assert!(meant.is_empty() || told.contains(&tip), "{told}");
    }
    assert!(world.refuses("version", 2).contains("tip: use `rulepack --version`"));
    assert!(!world.refuses("cache delete", 2).contains("uninstall"), "that is another command's word");
    assert!(world.refuses("list --jsn", 2).contains("a similar argument exists: '--json'"));
    let told = Sandbox::new().run(&["install"]).expect(2);
    assert!(told.stderr.contains("\n\nUsage: rulepack install <ID>...\n"), "no flag of a variable: {told}");
    let schema = world.refuses("schema lst", 2);
    assert!(schema.contains("search, info, install") && schema.contains("'list'"), "{schema}");
    assert!(world.refuses("completions tcsh", 2).contains("bash, elvish, fish, powershell, zsh"));
}

#[test]
fn a_command_without_its_rest_shows_its_help() {
    let world = World::new();
    let bare = Sandbox::new().run::<&str>(&[]).expect(2);
    let told = world.refuses("", 2);
    assert_eq!(told, bare.stderr, "flags and variables make no difference");
    assert!(told.contains("Usage: rulepack [OPTIONS] <COMMAND>") && told.contains("Examples:"), "{told}");
    let told = world.refuses("cache", 2);
    assert!(told.contains("Usage: rulepack cache [OPTIONS] <COMMAND>") && told.contains("clean"), "{told}");
}

#[test]
fn help_of_every_command_has_an_example_and_is_the_same_however_it_is_asked_for() {
    let sandbox = Sandbox::new();
    let all = sandbox.run(&["--help"]).expect(0);
    let commands = all.stdout.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let names: Vec<&str> = commands.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.contains(&"install") && names.contains(&"doctor"), "{names:?}");
    for name in names.into_iter().filter(|name| *name != "help") {
        let help = sandbox.run(&["help", name]).expect(0);
        for asked in [[name, "--help"], [name, "-h"]] {
            assert_eq!(sandbox.run(&asked).expect(0).stdout, help.stdout, "{name}");
        }
        assert!(help.stdout.contains(&format!("Usage: rulepack {name}")), "{help}");
        assert!(help.stdout.contains("Example") && help.stdout.contains("RULEPACK_DATA_DIR]"), "{help}");
        assert_eq!(help.stderr, "");
    }
    assert_eq!(sandbox.run(&["--version"]).expect(0).stdout, format!("rulepack {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn quiet_says_what_was_asked_for_and_what_went_wrong() {
    let mut world = World::new();
    assert_eq!(world.says("install ember-roads gravewatch --language ru -q"), "");
    assert!(world.says("list -q").starts_with("ID "));
    assert!(world.says("path ember-roads --quiet").starts_with('/') || cfg!(windows));
    assert_eq!(world.says("language -q").lines().next(), Some("Language: en"));
    world.catalog.remove("gravewatch");
    world.write();
    let told = world.run("update").expect(0);
    assert!(told.stderr.starts_with("warning: ") && told.stderr.contains("gravewatch"), "{told}");
    assert_eq!(world.says("update -q"), "", "a warning is nothing that went wrong");
    assert_eq!(world.refuses("rollback zzz -q", 3).lines().next(), Some("error[not-installed]: zzz is not installed"));
}

#[test]
fn verbose_names_the_folders() {
    let world = World::new();
    let folder = world.sandbox.version("ember-roads", "1.0.0");
    assert_eq!(
        world.says("install ember-roads -v --language ru"),
        format!("  Installed ember-roads 1.0.0 (Ember Roads [ru]), in ru\n            {}\n", folder.display())
    );
    assert_eq!(
        world.says("path ember-roads --verbose"),
        format!(
            "{}\n{}\n{}\n",
            folder.display(),
            folder.join("ruleset.json").display(),
            folder.join("locales").join("ru.json").display()
        )
    );
    assert_eq!(world.says("path ember-roads"), format!("{}\n", folder.display()), "one line for `cd \"$(…)\"`");
    let unchanged = world.says("update -v --language ru");
    assert!(unchanged.starts_with("  Unchanged ember-roads 1.0.0 (Ember Roads [ru]), in ru\n"), "{unchanged}");
}

#[test]
fn flags_stand_before_or_after_the_command() {
    let world = World::new();
    let after = world.run("search --offline -v --language ru --color never --lock-timeout 1").expect(0);
    let before = world.run("--offline -v --language ru --color never --lock-timeout 1 search").expect(0);
    assert_eq!((before.stdout, before.stderr), (after.stdout, after.stderr));
}

#[test]
fn a_run_that_goes_wrong_on_disk_leaves_a_hint_in_list_and_doctor() {
    let world = World::new();
    world.says("install ember-roads");
    let file = world.sandbox.version("ember-roads", "1.0.0").join("ruleset.json");
    std::fs::write(&file, "{}").unwrap();
    assert_eq!(world.says("list").lines().nth(1).map(|line| line.contains(" damaged ")), Some(true));
    let told = world.run("doctor").expect(10);
    assert!(told.stdout.starts_with("error[damaged-file]: ember-roads: "), "{told}");
    assert!(told.stdout.contains(&format!("\n  file: {}\n", file.display())), "{told}");
    assert!(
        told.stdout.ends_with("1 error, 0 warnings\n`rulepack doctor --repair` repairs what can be repaired.\n"),
        "{told}"
    );
    let told = world.run("doctor --repair").expect(0);
    assert!(told.stdout.starts_with("mended[damaged-file]: ember-roads: "), "{told}");
    assert!(
        told.stdout.ends_with("1 ruleset and 2 files checked: 0 errors, 1 warning\n"),
        "the edited file was kept: {told}"
    );
    std::fs::remove_file(file).unwrap();
    std::fs::remove_file(world.sandbox.version("ember-roads", "1.0.0").join("ruleset.json.edited")).unwrap();
    let told = world.run("doctor --repair").expect(0);
    assert!(told.stdout.starts_with("mended[missing-file]: ember-roads: "), "{told}");
    assert!(told.stdout.ends_with("1 ruleset and 2 files checked: no problems found\n"), "{told}");
}

#[test]
fn where_no_catalog_is_it_is_said_what_can_be_one() {
    let sandbox = Sandbox::new();
    let outcome = sandbox.run(&["search", "--catalog", "nowhere.example/catalog.json"]).expect(3);
    let looked = sandbox.work().join("nowhere.example").join("catalog.json");
    assert_eq!(
        outcome.stderr,
        format!(
            "error[file-not-found]: cannot find the catalog: looked for `{}`\n  hint: give an https:// address, a \
             catalog.json, or a folder that contains one\n",
            looked.display()
        )
    );
    let data = sandbox.write("a-file", "");
    let outcome = sandbox.command(&["list", "--data-dir"]).arg(data).run().expect(1);
    assert!(
        outcome.stderr.contains("hint: move away the file or broken link that is in the place of a folder"),
        "{outcome}"
    );
}

#[test]
fn what_offline_leaves_out_is_said_once() {
    let server = Server::https();
    Catalog::on(&server).with(ember_roads("1.0.0")).mount(&server);
    let sandbox = Sandbox::new().attach(&server);
    sandbox.run(&["install", "ember-roads"]).expect(0);
    let outcome = sandbox.run(&["language", "ru", "--offline"]).expect(0);
    let warning = "warning: the language pack of ember-roads in ru is not in the cache, and this run is offline";
    assert_eq!(outcome.stderr.split_whitespace().collect::<Vec<_>>().join(" "), warning);
}

#[cfg(unix)]
#[test]
fn completions_complete_in_bash() {
    let sandbox = Sandbox::new();
    let script = sandbox.run(&["completions", "bash"]).expect(0).stdout;
    let ask = r#"
        completes() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _rulepack rulepack "${!#}" "${COMP_WORDS[$# - 2]}"; }
        for line in "in" "--offline unh" "cache c" "install --req" "completions z"; do
            completes rulepack $line
            echo "${COMPREPLY[*]}"
        done"#;
    // In a file: it is longer than an argument may be.
    let script = sandbox.write("completions.bash", format!("{script}\n{ask}"));
    let told = std::process::Command::new("bash").arg(script).output().unwrap();
    let told = String::from_utf8(told.stdout).unwrap();
    assert_eq!(told, "info install\nunhold\nclean\n--require-pack\nzsh\n");
}

#[test]
fn completions_exist_for_every_shell_and_name_the_commands() {
    let sandbox = Sandbox::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = sandbox.run(&["completions", shell]).expect(0);
        for word in ["rulepack", "rollback", "language", "--dry-run", "doctor"] {
            // Fish writes flags without their dashes.
            assert!(script.stdout.contains(word.trim_start_matches('-')), "{shell}: {word}");
        }
        assert_eq!(script.stderr, "");
    }
}

#[test]
fn colour_follows_flag_and_environment() {
    let world = World::new();
    let coloured = |line: &str, environment: &[(&str, &str)]| {
        let run = environment.iter().fold(world.command(line), |run, (name, value)| run.env(name, value));
        let outcome = run.arg("--progress=none").run();
        (outcome.stdout.contains('\u{1b}'), outcome.stderr.contains('\u{1b}'))
    };
    assert_eq!(coloured("search", &[]), (false, false), "a pipe is no terminal");
    assert_eq!(coloured("search --color always", &[("NO_COLOR", "1")]), (true, false));
    assert_eq!(coloured("search --color=never", &[("CLICOLOR_FORCE", "1")]), (false, false));
    assert_eq!(coloured("search", &[("CLICOLOR_FORCE", "1")]), (true, false));
    assert_eq!(coloured("search", &[("CLICOLOR_FORCE", "0")]), (false, false));
    assert_eq!(coloured("search", &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]), (false, false));
    assert_eq!(coloured("search", &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "")]), (true, false));
    assert_eq!(coloured("path zzz --color always", &[]), (false, true));
    // Clap's own answers follow the same rules.
    assert_eq!(coloured("--help --color always", &[("NO_COLOR", "1")]), (true, false));
    assert_eq!(coloured("--help --color=never", &[("CLICOLOR_FORCE", "1")]), (false, false));
    assert_eq!(coloured("--nope --color always", &[]), (false, true));
    assert_eq!(coloured("--nope", &[("CLICOLOR_FORCE", "1")]), (false, true));
    // Colour is for people.
    assert_eq!(coloured("search --json --color always", &[]), (false, false));
}

#[test]
fn an_empty_variable_counts_as_unset() {
    let world = World::new();
    let run = |line: &str| {
        let empty = ["RULEPACK_LANGUAGE", "RULEPACK_DATA_DIR", "RULEPACK_CACHE_DIR", "MARINARA_AGENT_CATALOG_URL"];
        empty.iter().fold(world.command(line), |run, name| run.env(name, "")).arg("--progress=none").run().expect(0)
    };
    run("install ember-roads");
    let place = share(&world.sandbox).join("rulepack/capability-packages/versions/ember-roads/1.0.0");
    assert_eq!(run("path ember-roads").stdout, format!("{}\n", place.display()));
}

/// Where the sandbox has `XDG_DATA_HOME`.
fn share(sandbox: &Sandbox) -> PathBuf {
    sandbox.home().join("share")
}

#[cfg(target_os = "linux")]
#[test]
fn folders_nobody_named_are_those_of_the_platform() {
    let world = World::new();
    let dirs = |environment: &[(&str, &str)]| {
        let command = |line: &str| {
            let run = world.command(line).env_remove("RULEPACK_DATA_DIR").env_remove("RULEPACK_CACHE_DIR");
            environment.iter().fold(run, |run, (name, value)| run.env(name, value)).json()
        };
        let installed = command("install ember-roads");
        (
            PathBuf::from(installed.package("ember-roads").path.clone().unwrap()),
            PathBuf::from(&command("cache dir").cache().dir),
        )
    };
    let version = "rulepack/capability-packages/versions/ember-roads/1.0.0";
    let home = world.sandbox.home();
    assert_eq!(dirs(&[]), (home.join("share").join(version), home.join("cache/rulepack")));
    let usual = (home.join(".local/share").join(version), home.join(".cache/rulepack"));
    assert_eq!(dirs(&[("XDG_DATA_HOME", ""), ("XDG_CACHE_HOME", "")]), usual);
    assert_eq!(
        dirs(&[("XDG_DATA_HOME", "relative"), ("XDG_CACHE_HOME", "relative")]),
        usual,
        "only absolute ones count"
    );
    assert!(Tree::of(world.sandbox.data()).paths().is_empty());
    assert_eq!(Tree::of(world.sandbox.work()).without("catalog").paths(), [""; 0]);
}

#[test]
fn variables_name_the_folders_the_language_and_the_catalog_and_flags_win() {
    let world = World::new();
    let sandbox = Sandbox::new()
        .env("MARINARA_AGENT_CATALOG_URL", world.sandbox.work().join("catalog"))
        .env("RULEPACK_LANGUAGE", "ru");
    let told = sandbox.run(&["install", "ember-roads", "--progress=none"]).expect(0);
    assert_eq!(told.stdout, "  Installed ember-roads 1.0.0 (Ember Roads [ru]), in ru\n");
    assert!(sandbox.version("ember-roads", "1.0.0").join("locales/ru.json").is_file());
    let told = sandbox.run(&["sync", "--language", "pt", "--progress=none"]).expect(0);
    assert_eq!(told.stdout, "   Switched ember-roads 1.0.0 (Ember Roads [pt]), in pt\n");
    let other = sandbox.root().join("other");
    let told = sandbox.command(&["list", "--data-dir"]).arg(&other).run().expect(0);
    assert!(told.stdout.starts_with("No rulesets are installed."), "{told}");
    assert!(!other.exists(), "looking makes no folder");
}

/// Named folders are enough for a service that has no home.
#[test]
fn no_home_is_needed_when_the_folders_are_named() {
    let world = World::new();
    let run = world
        .command("install ember-roads")
        .env_remove("HOME")
        .env_remove("XDG_DATA_HOME")
        .env_remove("XDG_CACHE_HOME");
    run.run().expect(0);
    assert!(world.sandbox.version("ember-roads", "1.0.0").is_dir());
}

#[test]
fn stdin_is_never_read_and_nothing_is_asked() {
    let world = World::new();
    for line in ["install ember-roads", "update", "list", "uninstall ember-roads", "cache clean", "search"] {
        // A pipe nobody writes into and nobody closes: whoever reads it waits for ever.
        let mut command = world.command(line).into_command();
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let open = child.stdin.take();
        let started = std::time::Instant::now();
        while child.try_wait().unwrap().is_none() {
            if started.elapsed() > Duration::from_secs(60) {
                child.kill().unwrap();
                panic!("{line} waits for an answer");
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(child.wait().unwrap().success(), "{line}");
        drop(open);
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut catalog = Catalog::on_disk();
    for n in 0..40 {
        let ruleset = Ruleset::new(&format!("ruleset-{n}"), "1.0.0").described(&"Words and more words. ".repeat(80));
        catalog.publish(ruleset);
    }
    let world = World::of(catalog);
    // Forty cards are more than a pipe of 64 KiB holds, so the program is still writing when its reader has gone.
    for line in ["search", "search --json", "completions bash", "--help", "schema list", "list"] {
        let mut command = world.command(line).into_command();
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).stdin(Stdio::null()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), stderr.as_str()), (Some(0), ""), "{line}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_behind_stdout_or_stderr_is_told_by_the_exit_number() {
    let world = World::new();
    let full = || std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = world.command("search").into_command();
    let output = command.stdout(full()).stderr(Stdio::piped()).spawn().unwrap().wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "error[disk-full]: cannot write to stdout: No space left on device (os error 28)\n"
    );
    // What was to be installed is installed all the same; a failure keeps its own number.
    let mut command = world.command("install ember-roads").into_command();
    assert_eq!(command.stdout(full()).stderr(Stdio::null()).status().unwrap().code(), Some(1));
    assert!(world.sandbox.version("ember-roads", "1.0.0").is_dir());
    let mut command = world.command("path zzz").into_command();
    assert_eq!(command.stdout(full()).stderr(full()).status().unwrap().code(), Some(3));
}

#[cfg(unix)]
mod on_a_terminal {
    use super::super::kit::server::Reply;
    use super::super::kit::terminal::{Watched, Watching, watch};
    use super::*;

    fn slow_server() -> (Server, Sandbox) {
        let server = Server::https();
        let catalog = Catalog::on(&server).with(ember_roads("1.0.0"));
        catalog.mount(&server);
        server.change(&catalog.artifact_path("ember-roads"), |reply: Reply| {
            reply.dribble(700, Duration::from_millis(60))
        });
        let sandbox = Sandbox::new().attach(&server);
        (server, sandbox)
    }

    fn install(sandbox: &Sandbox, more: &[&str]) -> Invocation {
        sandbox.command(&[&["install", "ember-roads", "--language", "ru"][..], more].concat())
    }

    const INSTALLED: &str = "  Installed ember-roads 1.0.0 (Ember Roads [ru]), in ru";

    fn has_bars(watched: &Watched) -> bool {
        watched.raw.contains("KiB/s") || watched.raw.contains("B/s")
    }

    #[test]
    fn bars_are_drawn_and_the_report_stands_alone_at_the_end() {
        let (_server, sandbox) = slow_server();
        let watched = watch(install(&sandbox, &[]), 100, Watching::Both);
        assert_eq!(watched.status, Some(0));
        for part in ["Reading the catalog", "ember-roads 1.0.0", "ember-roads in ru", "B/s"] {
            assert!(watched.raw.contains(part), "{part} in {:?}", watched.raw);
        }
        assert_eq!(watched.screen, [INSTALLED], "{:?}", watched.raw);
        assert!(watched.raw.contains("\u{1b}[32m  Installed\u{1b}[0m"), "{:?}", watched.raw);
    }

    #[test]
    fn bars_fit_a_narrow_terminal() {
        let (_server, sandbox) = slow_server();
        let watched = watch(install(&sandbox, &[]), 40, Watching::Both);
        assert_eq!(
            watched.screen,
            ["  Installed ember-roads 1.0.0 (Ember", "            Roads [ru]), in ru"],
            "{:?}",
            watched.raw
        );
    }

    #[test]
    fn bars_go_away_before_an_error_too() {
        let server = Server::https();
        let mut catalog = Catalog::on(&server).with(ember_roads("1.0.0"));
        catalog.wrong_sha256("ember-roads");
        catalog.mount(&server);
        server.change(&catalog.artifact_path("ember-roads"), |reply| reply.dribble(700, Duration::from_millis(60)));
        let sandbox = Sandbox::new().attach(&server);
        let watched = watch(install(&sandbox, &[]), 200, Watching::Both);
        assert_eq!(watched.status, Some(4));
        assert!(has_bars(&watched), "{:?}", watched.raw);
        assert!(watched.screen[0].starts_with("error["), "{:?}", watched.screen);
        assert!(watched.screen.last().unwrap().starts_with("  hint: "), "{:?}", watched.screen);
    }

    #[test]
    fn the_report_can_be_piped_while_bars_are_watched() {
        let (_server, sandbox) = slow_server();
        let watched = watch(install(&sandbox, &["--json"]), 100, Watching::Stderr);
        assert!(has_bars(&watched), "{:?}", watched.raw);
        assert_eq!(watched.screen, [""; 0], "nothing is left of the bars");
        assert!(watched.piped.starts_with("{\"schema\":1,") && watched.piped.ends_with("}\n"), "{}", watched.piped);
    }

    #[test]
    fn there_are_no_bars_where_nobody_watches_or_wants_them() {
        let (_server, sandbox) = slow_server();
        let watched = watch(install(&sandbox, &[]), 100, Watching::Stdout);
        assert!(!has_bars(&watched) && !watched.piped.contains('\u{1b}'), "{:?} {:?}", watched.raw, watched.piped);
        assert_eq!(watched.screen, [INSTALLED]);
        assert!(watched.piped.starts_with("Reading the catalog\n"), "{:?}", watched.piped);
        for more in [&["--progress", "none"][..], &["-q"], &["--progress", "json"]] {
            let (_server, sandbox) = slow_server();
            let watched = watch(install(&sandbox, more), 100, Watching::Both);
            assert!(!has_bars(&watched), "{more:?}: {:?}", watched.raw);
        }
    }

    #[test]
    fn a_dumb_terminal_gets_lines_without_colour() {
        let (_server, sandbox) = slow_server();
        let watched = watch(install(&sandbox, &[]).env("TERM", "dumb"), 100, Watching::Both);
        assert!(!watched.raw.contains('\u{1b}'), "{:?}", watched.raw);
        assert_eq!(watched.screen.first().map(String::as_str), Some("Reading the catalog"));
        assert_eq!(watched.screen.last().map(String::as_str), Some(INSTALLED));
    }

    #[test]
    fn colour_on_a_terminal_can_be_refused() {
        let world = World::new();
        let coloured = |run: Invocation| watch(run, 100, Watching::Both).raw.contains('\u{1b}');
        assert!(coloured(world.command("search")));
        assert!(!coloured(world.command("search --color never")));
        assert!(!coloured(world.command("search").env("NO_COLOR", "1")));
        assert!(coloured(world.command("search").env("NO_COLOR", "")));
        assert!(!coloured(world.command("search").env("CLICOLOR", "0")));
        assert!(!coloured(world.command("search").env("TERM", "dumb")));
        assert!(coloured(world.command("--help")) && !coloured(world.command("--help --color never")));
    }

    #[test]
    fn a_terminal_is_told_what_to_do_next_and_lines_fit_it() {
        let mut world = World::new();
        world.says("install ember-roads gravewatch");
        world.publish(ember_roads("1.1.0"));
        let watched = watch(world.command("outdated"), 80, Watching::Both);
        assert_eq!(
            watched.screen,
            [
                "ID           INSTALLED  AVAILABLE  WHY    NAME",
                "ember-roads  1.0.0      1.1.0      newer  Ember Roads",
                "",
                "`rulepack update` installs those that are newer or republished."
            ]
        );
        for columns in [80, 40] {
            for line in
                ["search", "info ember-roads", "list", "outdated", "update --dry-run", "path zzz", "help install"]
            {
                let watched = watch(world.command(line), columns, Watching::Both);
                for shown in watched.screen {
                    let shown = shown.trim_end();
                    let fits = shown.chars().count() <= usize::from(columns);
                    assert!(fits || shown.trim().split(' ').count() <= 2, "{line} at {columns}: {shown:?}");
                }
            }
        }
    }

    #[test]
    fn hostile_text_moves_no_cursor() {
        let name = "Evil\u{1b}[2J\u{9b}31m\u{202e}End";
        let world = World::of(Catalog::on_disk().with(Ruleset::new("ember-roads", "1.0.0").named(name)));
        // The watcher fails on any sequence that is not the program's own.
        let watched = watch(world.command("install ember-roads"), 100, Watching::Both);
        let shown = watched.screen.last().unwrap();
        assert_eq!(shown, r"  Installed ember-roads 1.0.0 (Evil\u{1b}[2J\u{9b}31m\u{202e}End)");
        for line in ["search", "list", "info ember-roads", "language"] {
            let watched = watch(world.command(line), 100, Watching::Both);
            assert!(
                watched.screen.join("\n").contains(r"Evil\u{1b}[2J\u{9b}31m\u{202e}End"),
                "{line}: {:?}",
                watched.raw
            );
            assert!(!watched.raw.contains("\u{1b}[2J") && !watched.raw.contains(['\u{9b}', '\u{202e}']), "{line}");
        }
    }
}
