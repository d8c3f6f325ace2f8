//! The whole way of a reader, once over https and once from the example's folder: install, another language, no
//! network, back again, update, rollback there and back, uninstall.

use super::kit::envelope::{Action, Envelope, PackReason};
use super::kit::packs::{NOT_LISTED, Told, current, fetched, unavailable};
use super::kit::publish::{Catalog, Ruleset};
use super::kit::sandbox::Sandbox;
use super::kit::server::Server;
use super::kit::tree::{Tree, copy};
use serde_json::json;
use std::fs;
use std::path::PathBuf;

const ID: &str = "ember-roads";

fn published(version: &str, languages: &[&str]) -> Ruleset {
    languages.iter().fold(Ruleset::new(ID, version), |ruleset, language| ruleset.pack(language, &[("Grit", language)]))
}

/// Everything one step says of one package.
type Step<'a> = (Action, Option<&'a str>, Option<&'a str>, Option<Told<'a>>);

#[track_caller]
fn step<'a>(answer: &'a Envelope, id: &str) -> Step<'a> {
    let package = answer.package(id);
    assert!(package.error.is_none(), "{answer:#?}");
    let pack = package.language_pack.as_ref().map(|_| answer.pack(id));
    (package.action, package.version.as_deref(), package.previous_version.as_deref(), pack)
}

#[test]
fn a_reader_goes_all_the_way_over_https() {
    let server = Server::https();
    let mut catalog = Catalog::on(&server).with(published("1.0.0", &["de", "pt", "ru"]));
    catalog.mount(&server);
    let reader = Sandbox::new().attach(&server).env("LANG", "pt_BR.UTF-8");

    let answer = reader.change(&["install", ID]).expect(0);
    assert_eq!(answer.changes().language, "pt-BR");
    assert_eq!(step(&answer, ID), (Action::Installed, Some("1.0.0"), None, Some(fetched("pt"))));
    assert_eq!(answer.package(ID).name.as_deref(), Some("Ember Roads [pt]"));
    assert_eq!(answer.package(ID).path.as_deref(), reader.version(ID, "1.0.0").to_str());
    assert!(answer.warnings.is_empty(), "{answer:#?}");

    let answer = reader.change(&["language", "ru"]).expect(0);
    assert_eq!(answer.changes().language, "ru");
    assert_eq!(step(&answer, ID), (Action::Switched, Some("1.0.0"), None, Some(fetched("ru"))));

    server.go_dark();
    let answer = reader.change(&["language", "de"]).expect(0);
    assert_eq!(answer.changes().language, "de");
    let unreachable = unavailable(PackReason::Offline);
    assert_eq!(step(&answer, ID), (Action::Switched, Some("1.0.0"), None, Some(unreachable)));
    assert_eq!(answer.warning_codes(), ["pack-unavailable"]);
    assert_eq!(reader.packs(), [""; 0], "in English");
    let path = reader.json(&["path", ID]).expect(0);
    assert_eq!((&path.path().language_pack, path.path().version.as_str()), (&None, "1.0.0"));

    server.come_back();
    // A page that opened right after the failure would not ask again; who asks for it does.
    let answer = reader.change(&["sync", "--require-pack", "--refresh"]).expect(0);
    assert_eq!(step(&answer, ID), (Action::Switched, Some("1.0.0"), None, Some(fetched("de"))));

    catalog.publish(published("1.1.0", &["de", "ru"]));
    catalog.mount(&server);
    let answer = reader.change(&["update", "--refresh"]).expect(0);
    assert_eq!(step(&answer, ID), (Action::Updated, Some("1.1.0"), Some("1.0.0"), Some(fetched("de"))));
    assert_eq!(reader.packs(), ["ember-roads/1.1.0/de"]);

    server.go_dark();
    let answer = reader.change(&["rollback", ID]).expect(0);
    assert_eq!(step(&answer, ID), (Action::RolledBack, Some("1.0.0"), Some("1.1.0"), Some(fetched("de"))));
    let answer = reader.change(&["update"]).expect(0);
    assert_eq!(step(&answer, ID), (Action::Held, Some("1.0.0"), Some("1.1.0"), Some(current("de"))));
    assert_eq!(answer.warning_codes(), ["declined"]);
    let answer = reader.change(&["rollback", ID]).expect(0);
    assert_eq!(step(&answer, ID), (Action::RolledBack, Some("1.1.0"), Some("1.0.0"), Some(fetched("de"))));

    let answer = reader.change(&["uninstall", ID]).expect(0);
    assert_eq!(step(&answer, ID), (Action::Removed, Some("1.1.0"), Some("1.0.0"), None));
    assert_eq!(answer.package(ID).path, None);
    assert_eq!(reader.registry()["packages"], json!([]));
    assert!(reader.json(&["list"]).expect(0).list().packages.is_empty());
    assert_eq!(Tree::of(reader.packages().join("versions")).paths(), [""; 0]);
    let answer = reader.change(&["sync"]).expect(0);
    assert_eq!((answer.changes().language.as_str(), answer.changes().packages.len()), ("de", 0));
}

#[test]
fn without_its_authority_the_server_is_not_believed() {
    let server = Server::https();
    Catalog::on(&server).with(published("1.0.0", &["ru"])).mount(&server);
    let stranger = Sandbox::new().catalog(server.url("/catalog.json"));
    let before = Tree::of(stranger.data());
    let answer = stranger.json(&["install", ID, "--language", "ru"]).expect(5);
    assert_eq!(answer.code(), "network");
    assert!(answer.error.unwrap().hint.unwrap().contains("--ca-cert"));
    before.assert_same(&Tree::of(stranger.data()));
    assert_eq!(server.paths(), [""; 0]);
}

fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn a_reader_goes_all_the_way_with_the_example_in_a_folder() {
    let reader = Sandbox::new().env("LANG", "pt_BR.UTF-8");
    let (example, unplugged) = (reader.work().join("example"), reader.work().join("unplugged"));
    copy(&repository().join("catalog-example"), &example);
    let run = |args: &[&str]| reader.checked(reader.command(args).arg("--catalog").arg(&example));
    let earlier = |args: &[&str]| reader.checked(reader.command(args).arg("--catalog").arg(example.join("earlier")));
    let (grave, salt) = ("gravewatch", "saltmarsh-post");

    let answer = run(&["install", grave, salt]).expect(0);
    assert_eq!(step(&answer, grave), (Action::Installed, Some("1.2.0"), None, Some(fetched("pt"))));
    assert_eq!(step(&answer, salt), (Action::Installed, Some("0.4.0"), None, Some(NOT_LISTED)));

    let answer = run(&["language", "ru"]).expect(0);
    assert_eq!((answer.pack(grave), answer.pack(salt)), (fetched("ru"), NOT_LISTED));

    fs::rename(&example, &unplugged).unwrap();
    let answer = run(&["language", "de"]).expect(0);
    assert_eq!(answer.changes().language, "de");
    assert_eq!(answer.pack(grave), unavailable(PackReason::HttpError));
    assert!(answer.warning_codes().contains(&"catalog-unavailable"), "{answer:#?}");
    assert_eq!(reader.packs(), [""; 0], "in English");
    fs::rename(&unplugged, &example).unwrap();

    let answer = run(&["sync"]).expect(0);
    assert_eq!((answer.pack(grave), answer.pack(salt)), (fetched("de"), NOT_LISTED));

    let answer = earlier(&["install", ID]).expect(0);
    assert_eq!(step(&answer, ID), (Action::Installed, Some("0.9.0"), None, Some(fetched("de"))));
    let answer = run(&["update"]).expect(0);
    assert_eq!(step(&answer, ID), (Action::Updated, Some("1.0.0"), Some("0.9.0"), Some(fetched("de"))));
    assert_eq!(step(&answer, grave), (Action::Unchanged, Some("1.2.0"), None, Some(current("de"))));

    let answer = run(&["rollback", ID]).expect(0);
    assert_eq!(step(&answer, ID), (Action::RolledBack, Some("0.9.0"), Some("1.0.0"), Some(fetched("de"))));
    // The catalog that lists this version has nothing better.
    assert_eq!(earlier(&["sync"]).expect(0).pack(ID), current("de"));
    let answer = run(&["rollback", ID]).expect(0);
    assert_eq!(step(&answer, ID), (Action::RolledBack, Some("1.0.0"), Some("0.9.0"), Some(fetched("de"))));
    assert_eq!(reader.packs(), ["ember-roads/1.0.0/de", "gravewatch/1.2.0/de"]);

    let answer = run(&["uninstall", ID, grave, salt]).expect(0);
    for (id, version, previous) in [(ID, "1.0.0", Some("0.9.0")), (grave, "1.2.0", None), (salt, "0.4.0", None)] {
        assert_eq!(step(&answer, id), (Action::Removed, Some(version), previous, None), "both went");
    }
    assert_eq!(Tree::of(reader.packages().join("versions")).paths(), [""; 0]);
    assert_eq!(reader.registry()["packages"], json!([]));
}

/// The commands of each shell example of a text, by example.
fn examples(text: &str) -> Vec<Vec<Vec<String>>> {
    let blocks = text.split("```sh\n").skip(1).map(|block| block.split("```").next().unwrap());
    let words = |line: &str| line.split(' ').skip(1).map(str::to_owned).collect();
    let commands = |block: &str| -> Vec<Vec<String>> {
        block.lines().filter(|line| line.starts_with("rulepack ")).map(words).collect()
    };
    blocks.map(commands).filter(|commands| !commands.is_empty()).collect()
}

#[test]
fn the_examples_of_the_examples_readme_do_what_they_say() {
    let before = Tree::of(repository().join("catalog-example"));
    let readme = fs::read_to_string(repository().join("catalog-example/README.md")).unwrap();
    let examples = examples(&readme);
    // The third builds the example itself, which its own test does.
    assert_eq!(examples.len(), 3);
    let run = |example: &[Vec<String>]| {
        let reader = Sandbox::new();
        let answers: Vec<Envelope> =
            example.iter().map(|args| reader.command(args).cwd(repository()).json().expect(0)).collect();
        (reader, answers)
    };
    let (reader, answers) = run(&examples[0]);
    assert_eq!(step(&answers[0], ID), (Action::Installed, Some("1.0.0"), None, Some(fetched("ru"))));
    assert_eq!(reader.packs(), ["ember-roads/1.0.0/ru"]);
    let found: Vec<&str> = answers[1].search().rulesets.iter().map(|card| card.id.as_str()).collect();
    assert_eq!(found, ["ember-roads", "gravewatch", "saltmarsh-post"]);
    let (reader, answers) = run(&examples[1]);
    assert_eq!(step(&answers[0], ID).1, Some("0.9.0"));
    assert_eq!((step(&answers[1], ID).0, step(&answers[1], ID).2), (Action::Updated, Some("0.9.0")));
    assert_eq!(reader.packs(), [""; 0], "nobody said a language");
    before.assert_same(&Tree::of(repository().join("catalog-example")));
}
