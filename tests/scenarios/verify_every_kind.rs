//! `catalog verify` of a catalog as real ones are: packages of several kinds, lanes, a preview, icons and notes.
//! Whatever is changed in it is found, in its place.

use super::kit::agents::{Agents, icon};
use super::kit::envelope::Answer;
use super::kit::publish::{Catalog, Container, Ruleset, wire};
use super::kit::sandbox::Sandbox;
use super::kit::server::{Reply, Server};
use super::kit::tree::Tree;
use serde_json::{Value, json};
use std::path::Path;

/// The result of `catalog verify` of a folder.
#[track_caller]
fn verify(agents: &Agents, more: &[&str]) -> Value {
    let sandbox = Sandbox::new();
    agents.write(&sandbox.work().join("repository"));
    let envelope = sandbox.json(&[&["catalog", "verify", "repository", "--offline"], more].concat());
    let Some(Answer::Other(result)) = envelope.answer else { panic!("{envelope:#?}") };
    result
}

/// Each finding as `code file pointer`, once for all lanes it is told of.
fn told(result: &Value) -> Vec<String> {
    let problem = |problem: &Value| {
        let text = |key: &str| problem[key].as_str().unwrap_or_default().to_owned();
        let file = text("file");
        let file = if file.ends_with("catalog.json") { "catalog.json".to_owned() } else { file };
        format!("{} {file} {}", text("code"), text("pointer")).trim_end().to_owned()
    };
    result["problems"].as_array().unwrap().iter().map(problem).collect()
}

/// The entry of an agent with all that a manifest may have is the first of lane v3, and in no other.
const DUEL: &str = "dock-duel";

#[test]
fn the_catalog_in_testdata_is_what_the_kit_makes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/agents-catalog");
    if std::env::var_os("RULEPACK_BLESS").is_some_and(|value| value == "1") {
        let _ = std::fs::remove_dir_all(&folder);
        Agents::new().write(&folder);
    }
    let fresh = Sandbox::new();
    Agents::new().write(&fresh.work().join("agents-catalog"));
    Tree::of(fresh.work().join("agents-catalog")).assert_same(&Tree::of(&folder));
}

#[test]
fn a_sound_catalog_of_every_kind_passes_and_says_what_was_looked_at() {
    let result = verify(&Agents::new(), &["--strict"]);
    assert_eq!(told(&result), [""; 0]);
    let summary = &result["summary"];
    assert_eq!(summary["packages"], 5);
    let kinds = json!([
        {"kinds": ["agent"], "packages": 2},
        {"kinds": ["agent", "maps"], "packages": 1},
        {"kinds": ["agent", "turn-game"], "packages": 1},
        {"kinds": ["ruleset"], "packages": 1},
    ]);
    assert_eq!(summary["kinds"], kinds);
    let lanes = ["catalog.json", "v2/catalog.json", "v3/catalog.json"];
    let preview = lanes.map(|lane| format!("preview/{lane}"));
    assert_eq!(summary["lanes"], json!([lanes.map(str::to_owned), preview].concat()));
    let files = Agents::new().files;
    let bytes: usize = files.values().map(Vec::len).sum();
    assert_eq!((&summary["files"], &summary["bytes"]), (&json!(files.len()), &json!(bytes)));
    let left_out: Vec<&str> =
        summary["leftOut"].as_array().unwrap().iter().map(|left| left["what"].as_str().unwrap()).collect();
    assert_eq!(left_out, ["documentation pages"]);
}

#[test]
fn people_read_what_was_looked_at_and_never_that_all_is_well_with_what_was_not() {
    let sandbox = Sandbox::new();
    Agents::new().write(&sandbox.work());
    let shown = sandbox.run(&["catalog", "verify", "catalog", "--offline"]).expect(0).stdout;
    assert!(shown.contains("5 packages (2 agent, 1 agent + maps, 1 agent + turn-game, 1 ruleset)"), "{shown}");
    assert!(shown.contains("Not looked at: 5 documentation pages"), "{shown}");
    assert!(shown.contains("no problems found") && !shown.contains("all is well"), "{shown}");
    std::fs::remove_dir_all(sandbox.work().join("artwork")).unwrap();
    let shown = sandbox.run(&["catalog", "verify", "catalog", "--offline", "--only", "fog-bell"]).expect(0).stdout;
    for wanted in ["1 package (1 agent)", "Not looked at: 1 icon;", "Not looked at: 4 packages; --only excludes them."]
    {
        assert!(shown.contains(wanted), "{wanted}: {shown}");
    }
}

/// Every place in a JSON value, as a pointer.
fn places(value: &Value, at: &str, all: &mut Vec<String>) {
    let children: Vec<(String, &Value)> = match value {
        Value::Object(members) => members.iter().map(|(key, value)| (key.replace('/', "~1"), value)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(n, value)| (n.to_string(), value)).collect(),
        _ => Vec::new(),
    };
    for (key, value) in children {
        let at = format!("{at}/{key}");
        all.push(at.clone());
        places(value, &at, all);
    }
}

fn take_out(document: &mut Value, pointer: &str) {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    match document.pointer_mut(parent).unwrap() {
        Value::Object(members) => drop(members.remove(key).unwrap()),
        Value::Array(items) => drop(items.remove(key.parse().unwrap())),
        _ => panic!("{pointer}"),
    }
}

/// Whatever is taken out of the entry of an agent, or is another value, is found: in the entry, or in the artifact that
/// no longer fits it.
#[test]
fn every_change_to_an_entry_of_another_kind_is_found() {
    let entry = {
        let agents = Agents::new();
        let lane: Value = serde_json::from_slice(&agents.files["catalog/v3/catalog.json"]).unwrap();
        lane["packages"][0].clone()
    };
    assert_eq!(entry["manifest"]["id"], DUEL);
    let mut all = Vec::new();
    places(&entry, "", &mut all);
    let changes = all.iter().flat_map(|place| [None, Some(json!(-7))].map(|to| (place, to)));
    for (place, to) in changes {
        let mut agents = Agents::new();
        agents.edit(DUEL, |entry| match &to {
            None => take_out(entry, place),
            Some(value) => *entry.pointer_mut(place).unwrap() = value.clone(),
        });
        let told = told(&verify(&agents, &[]));
        let wanted = |told: &String| told.contains("/packages/0") || told.contains("artifacts/dock-duel");
        assert!(told.iter().any(wanted), "{place} {to:?}: {told:#?}");
    }
}

#[test]
fn a_key_that_nobody_knows_is_told_wherever_it_stands() {
    for place in ["", "/manifest", "/manifest/engine", "/manifest/files/0", "/manifest/entrypoints", "/artifact"] {
        let mut agents = Agents::new();
        agents.edit(DUEL, |entry| entry.pointer_mut(place).unwrap()["extra"] = json!({}));
        let wanted = format!("unknown-key catalog.json /packages/0{place}/extra");
        let told = told(&verify(&agents, &[]));
        assert!(told.contains(&wanted), "{wanted}: {told:#?}");
    }
}

#[test]
fn every_change_to_an_artifact_of_another_kind_is_found() {
    let found = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut agents = Agents::new();
        agents.repack(DUEL, change);
        let mut told = told(&verify(&agents, &[]));
        told.dedup();
        told
    };
    let zip = |manifest: &Value, files: &[(&str, &[u8])]| {
        let files: Vec<_> = files.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec())).collect();
        Container::Zip.pack(&wire::pretty(manifest), &files)
    };
    let lane: Value = serde_json::from_slice(&Agents::new().files["catalog/v3/catalog.json"]).unwrap();
    let manifest = &lane["packages"][0]["manifest"];
    let agents = wire::pretty(&json!([{"id": DUEL, "prompt": "You are Dock Duel."}]));
    let (server, client, board) =
        (b"export const rooms = new Map();\n", b"export default function board() {}\n", icon());
    let files: [(&str, &[u8]); 4] =
        [("agents.json", &agents), ("server.js", server), ("client.js", client), ("art/board.png", &board)];
    const ARTIFACT: &str = "artifacts/dock-duel-0.4.1.zip";
    assert_eq!(found(&|bytes| *bytes = zip(manifest, &files)), [""; 0], "the same again");

    let invalid = format!("invalid-artifact {ARTIFACT}");
    assert_eq!(found(&|bytes| bytes.truncate(bytes.len() / 2)), [invalid.as_str()]);
    assert_eq!(found(&|bytes| bytes.push(0)), [invalid.as_str()]);
    assert_eq!(found(&|bytes| *bytes = zip(manifest, &files[..3])), [invalid.as_str()]);
    assert_eq!(found(&|bytes| *bytes = zip(manifest, &[&files[..], &[("more.js", b"")]].concat())), [invalid.as_str()]);
    assert_eq!(found(&|bytes| *bytes = b"<html>".to_vec()), [invalid.as_str()]);
    let mut other = files;
    other[1].1 = b"export const rooms = new Set();\n";
    assert_eq!(found(&|bytes| *bytes = zip(manifest, &other)), [format!("checksum-mismatch {ARTIFACT}!server.js")]);
    let mut renamed = manifest.clone();
    renamed["name"] = json!("Duel");
    assert_eq!(found(&|bytes| *bytes = zip(&renamed, &files)), [invalid.as_str()]);
    // What every engine installs and the official catalog does not have.
    let mut short = manifest.clone();
    short.as_object_mut().unwrap().remove("description");
    let folder = found(&|bytes| *bytes = zip(manifest, &[&files[..], &[("art/", b"")]].concat()));
    assert_eq!(folder, [format!("zip-folder {ARTIFACT}")]);
    let text = serde_json::to_string(manifest).unwrap();
    let turned = text.replacen("{\"builtAgainst\"", "{\"schemaVersion\":2,\"builtAgainst\"", 1);
    let turned = turned.replacen(",\"schemaVersion\":2,\"version\"", ",\"version\"", 1);
    let files: Vec<_> = files.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec())).collect();
    let turned = found(&|bytes| *bytes = Container::Zip.pack(turned.as_bytes(), &files));
    assert_eq!(turned, [format!("manifest-order {ARTIFACT}!manifest.json")]);
}

#[test]
fn icons_and_pages_are_looked_for() {
    let found = |change: &dyn Fn(&mut Agents)| {
        let mut agents = Agents::new();
        change(&mut agents);
        told(&verify(&agents, &[]))
    };
    const ICON: &str = "artwork/agent-covers/dock-duel.png";
    let small = |agents: &mut Agents| agents.files.get_mut(ICON).unwrap()[18] = 1;
    assert_eq!(found(&small), [format!("icon-image {ICON}")]);
    let none = |agents: &mut Agents| drop(agents.files.remove(ICON));
    assert_eq!(found(&none), [format!("icon-image {ICON}")]);
    let plain =
        |agents: &mut Agents| agents.edit(DUEL, |entry| entry["documentationUrl"] = json!("http://example.org"));
    assert_eq!(found(&plain), [""; 0]);
}

/// Decided once, of the catalog: entries at official addresses in somebody's own are none of the official catalog's.
#[test]
fn the_rules_of_the_official_catalog_hold_for_it_alone() {
    let poor = |agents: &mut Agents| {
        agents.edit("tide-clerk", |entry| {
            entry["manifest"]["engine"]["maxExclusive"] = json!("3.5.0");
            entry.as_object_mut().unwrap().remove("documentationUrl");
        });
    };
    let result = |change: &dyn Fn(&mut Agents)| {
        let mut agents = Agents::new();
        change(&mut agents);
        verify(&agents, &["--only", "tide-clerk"])
    };
    let is = |result: &Value, code: &str, severity: &str| {
        let problems = result["problems"].as_array().unwrap();
        problems.iter().any(|problem| problem["code"] == code && problem["severity"] == severity)
    };
    let official = result(&poor);
    assert!(is(&official, "missing-documentation", "error") && is(&official, "official-range", "warning"));
    let own = result(&|agents| {
        poor(agents);
        agents.edit("fog-bell", |entry| entry["artifact"]["url"] = json!("https://example.org/fog-bell-0.1.0.zip"));
    });
    assert!(is(&own, "missing-documentation", "warning") && !is(&own, "official-range", "warning"), "{own:#}");
    let misplaced = result(&|agents| {
        let url = "https://raw.githubusercontent.com/Pasta-Devs/Marinara-Agents/main/artifacts/tide-clerk.zip";
        agents.edit("tide-clerk", |entry| entry["artifact"]["url"] = json!(url));
    });
    assert!(is(&misplaced, "official-url", "error"), "{misplaced:#}");
}

#[test]
fn documents_are_held_to_each_other_and_to_what_the_engine_reads() {
    let found = |change: &dyn Fn(&mut Agents)| {
        let mut agents = Agents::new();
        change(&mut agents);
        let result = verify(&agents, &[]);
        let problem = |it: &Value| format!("{} {}", it["code"], it["file"]).replace('"', "");
        result["problems"].as_array().unwrap().iter().map(problem).collect::<Vec<_>>()
    };
    let in_file = |name: &'static str, from: &'static str, to: &'static str| {
        move |agents: &mut Agents| {
            let text = agents.files.get_mut(name).unwrap();
            let old = String::from_utf8(text.clone()).unwrap();
            assert!(old.contains(from), "{from}");
            *text = old.replacen(from, to, 1).into_bytes();
        }
    };
    let moment = in_file("catalog/v3/catalog.json", "2026-08-30T", "2026-08-31T");
    assert_eq!(found(&moment), ["lane-moment v3/catalog.json"]);
    let unlisted = in_file("catalog/v3/notes.json", "\"packages\": {", "\"packages\": {\"gone\": {\"versions\": []},");
    assert_eq!(found(&unlisted), ["notes-unlisted v3/notes.json"]);
    let ahead = in_file("catalog/v3/notes.json", "\"0.4.1\"", "\"0.4.2\"");
    assert_eq!(found(&ahead), ["notes-ahead v3/notes.json"]);
    let none = |agents: &mut Agents| drop(agents.files.remove("catalog/v3/notes.json"));
    assert_eq!(found(&none), ["notes-lane v3/notes.json"]);
    let feature = in_file("catalog/v2/notes.json", "\"1.0.0\"", "\"0.9.0\"");
    assert_eq!(found(&feature), ["notes-missing v2/notes.json"]);
    let without = |agents: &mut Agents| agents.files.retain(|name, _| !name.ends_with("notes.json"));
    assert_eq!(found(&without), [""; 0]);
    // The lanes and their copy grow alike.
    let sized = |bytes: usize| {
        found(&|agents: &mut Agents| {
            for name in ["catalog/preview/catalog.json", "catalog/preview/v2/catalog.json"] {
                agents.files.get_mut(name).unwrap().resize(bytes, b' ');
            }
        })
    };
    let both = ["catalog-size preview/catalog.json", "catalog-size preview/v2/catalog.json"];
    assert_eq!(sized(1_700_000), both);
    assert_eq!(sized(2 << 20), both);
    assert_eq!(sized(1_500_000), [""; 0]);
    let newer = |agents: &mut Agents| {
        agents.edit("fog-bell", |entry| entry["manifest"]["capabilityApi"] = json!({"major": 2, "minor": 0}));
    };
    assert!(found(&newer).contains(&"unknown-api preview/catalog.json".to_owned()));
}

#[test]
fn a_lane_alone_is_held_to_its_order_and_patterns_choose_packages() {
    let sandbox = Sandbox::new();
    let mut agents = Agents::new();
    agents.edit_documents(|document| document["packages"].as_array_mut().unwrap().reverse());
    agents.write(&sandbox.work());
    let of = |arguments: &[&str]| {
        let envelope = sandbox.json(&[&["catalog", "verify", "--offline"], arguments].concat());
        let Some(Answer::Other(result)) = envelope.answer else { panic!("{envelope:#?}") };
        result
    };
    let alone = told(&of(&["catalog/v3/catalog.json"]));
    assert_eq!(alone.len(), 3);
    assert!(alone.iter().all(|told| told.starts_with("lane-order ")), "{alone:#?}");
    assert_eq!(of(&["catalog", "--only", "*-?aps", "--only", "dock-*"])["summary"]["packages"], 2);
    let envelope = sandbox.json(&["catalog", "verify", "catalog", "--offline", "--only", "no-*"]);
    assert_eq!((envelope.exit, envelope.code()), (3, "not-in-catalog"));
}

/// Over https all of it is asked for, and with `--shallow` only the catalog and its files.
#[test]
fn of_a_served_catalog_everything_beside_it_is_asked_for() {
    let server = Server::https();
    let agents = Agents::new();
    agents.mount(&server);
    let sandbox = Sandbox::new().trust(&server);
    let verify = |more: &[&str]| {
        let source = server.url("/catalog/v3/catalog.json");
        let envelope = sandbox.json(&[&["catalog", "verify", source.as_str()], more].concat());
        let Some(Answer::Other(result)) = envelope.answer else { panic!("{envelope:#?}") };
        result
    };
    let result = verify(&[]);
    assert_eq!(told(&result), [""; 0]);
    assert_eq!(result["summary"]["lanes"].as_array().unwrap().len(), 6);
    assert_eq!((&result["summary"]["packages"], &result["summary"]["leftOut"]), (&json!(5), &json!([])));
    assert_eq!(server.requests_of("/page").len(), 1, "asked for once");

    server.remove("/artwork/agent-covers/dock-duel.png");
    server.put("/artwork/agent-covers/fog-bell.png", Reply::ok("GIF89a"));
    server.remove("/page");
    let found = told(&verify(&[]));
    assert!(found.contains(&"file-not-found catalog.json /packages/0/iconUrl".to_owned()), "{found:#?}");
    assert!(found.contains(&"icon-image catalog.json /packages/0/iconUrl".to_owned()), "{found:#?}");
    assert_eq!(found.iter().filter(|told| told.ends_with("/documentationUrl")).count(), 5, "{found:#?}");

    server.forget();
    let shallow = verify(&["--shallow"]);
    assert_eq!(told(&shallow), [""; 0]);
    assert_eq!(shallow["summary"]["lanes"], json!(["v3/catalog.json"]));
    let asked = server.paths();
    assert!(
        asked.iter().all(|path| path == "/catalog/v3/catalog.json" || path.starts_with("/artifacts/")),
        "{asked:?}"
    );
    let left_out = shallow["summary"]["leftOut"].as_array().unwrap();
    assert_eq!(left_out.len(), 3, "{left_out:#?}");
}

/// A server in trouble is not asked for hundreds of files, each several times.
#[test]
fn a_server_that_refuses_everything_ends_the_run_with_what_was_found() {
    let server = Server::https();
    let ids: Vec<String> = (0..60).map(|n| format!("ruleset-{n:02}")).collect();
    let catalog = ids.iter().map(|id| Ruleset::new(id, "1.0.0")).fold(Catalog::on(&server), Catalog::with);
    catalog.mount(&server);
    for id in &ids {
        server.put(&catalog.artifact_path(id), Reply::status(503));
    }
    let sandbox = Sandbox::new().attach(&server);
    let envelope = sandbox.json(&["catalog", "verify", "--shallow"]);
    assert_eq!(envelope.exit, 10);
    let Some(Answer::Other(result)) = envelope.answer else { panic!("{envelope:#?}") };
    let refused = told(&result).iter().filter(|told| told.starts_with("unreachable ")).count();
    assert!((8..32).contains(&refused), "{refused}");
    assert!(told(&result).contains(&"missing-icon catalog.json /packages/59".to_owned()));
    let left_out = result["summary"]["leftOut"].to_string();
    assert!(left_out.contains("answers every request with"), "{left_out}");
}

#[cfg(unix)]
#[test]
fn a_run_that_is_interrupted_tells_what_it_found() {
    let server = Server::https();
    let mut catalog =
        Catalog::on(&server).with(Ruleset::new("ember-roads", "1.0.0")).with(Ruleset::new("gravewatch", "0.3.0"));
    catalog.edit("gravewatch", "/extra", json!(1));
    catalog.mount(&server);
    server.hold_back(&catalog.artifact_path("ember-roads"));
    let sandbox = Sandbox::new().attach(&server);
    let running = sandbox.command(&["catalog", "verify", "--shallow", "--json"]).spawn();
    super::kit::until(|| !server.requests_of(&catalog.artifact_path("ember-roads")).is_empty());
    running.signal("INT");
    let envelope = running.wait().json();
    assert_eq!(envelope.code(), "interrupted");
    let Some(Answer::Other(result)) = envelope.answer else { panic!("{envelope:#?}") };
    assert!(told(&result).contains(&"unknown-key catalog.json /packages/1/extra".to_owned()), "{result:#}");
    assert!(result["summary"]["leftOut"].to_string().contains("interrupted"), "{result:#}");
}
