//! Artifacts that are not what they must be, and odd ones that are (docs/spec/commands.md#the-catalog,
//! docs/spec/lessons.md#b27, #b30, #b33, #b34): each is refused with its own code before anything is switched, and the
//! other ids of the same command are done all the same.

use super::kit::envelope::{Action, Envelope};
use super::kit::publish::{Catalog, Container, Ruleset, wire};
use super::kit::sandbox::Sandbox;
use super::kit::sha256;
use super::kit::soundness::{disk, leftovers, registry_names_only_whole_versions};
use super::kit::tree::Tree;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use zip::write::{SimpleFileOptions, ZipWriter};
use zip::{CompressionMethod, DateTime};

/// A sandbox whose catalog is the folder it works in.
fn sandbox_of(catalog: &Catalog) -> Sandbox {
    let sandbox = Sandbox::new();
    catalog.write(&sandbox.work());
    let folder = sandbox.work();
    sandbox.catalog(folder)
}

/// What an artifact is refused with: the id, the code, a piece of the message.
type Refusal<'a> = (&'a str, &'a str, &'a str);

/// Installs all of them in one command, between two sound ones: those are installed, and of the others nothing is
/// anywhere on the disk.
#[track_caller]
fn refuses(rulesets: Vec<Ruleset>, refusals: &[Refusal]) {
    let mut catalog = Catalog::on_disk().with(Ruleset::new("sound-first", "1.0.0"));
    rulesets.into_iter().for_each(|ruleset| catalog.publish(ruleset));
    catalog.publish(Ruleset::new("sound-last", "1.0.0"));
    refuses_of(&catalog, refusals);
}

#[track_caller]
fn refuses_of(catalog: &Catalog, refusals: &[Refusal]) {
    let sandbox = sandbox_of(catalog);
    let elsewhere = |sandbox: &Sandbox| Tree::of(sandbox.root()).without("data").without("cache");
    let before = elsewhere(&sandbox);
    let ids = refusals.iter().map(|(id, _, _)| *id);
    let install: Vec<&str> = ["install", "sound-first"].into_iter().chain(ids).chain(["sound-last"]).collect();
    let answer = sandbox.json(&install);
    let mut wrong = String::new();
    for (id, code, piece) in refusals {
        let package = answer.package(id);
        let error = package.error.as_ref().unwrap_or_else(|| panic!("{id} was installed"));
        if error.code != *code || !error.message.contains(piece) {
            wrong += &format!("{id}: {}, {:?}\n", error.code, error.message);
        }
        assert_eq!((package.action, &package.version, &package.path), (Action::Failed, &None, &None), "{id}");
        assert_eq!(error.package.as_deref(), Some(*id));
    }
    assert!(wrong.is_empty(), "refused, but for another reason:\n{wrong}");
    assert_eq!(answer.error.as_ref(), answer.package(refusals[0].0).error.as_ref(), "the first that failed");
    assert_eq!(answer.exit, 4);
    for sound in ["sound-first", "sound-last"] {
        assert_eq!(answer.package(sound).action, Action::Installed);
    }
    holds_only(&sandbox, &["sound-first", "sound-last"]);
    before.assert_same(&elsewhere(&sandbox));
}

/// These rulesets are in the version folders and the registry, and nothing else.
#[track_caller]
fn holds_only(sandbox: &Sandbox, ids: &[&str]) {
    let versions = sandbox.packages().join("versions");
    let mut there: Vec<String> =
        std::fs::read_dir(versions).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    there.sort();
    assert_eq!(there, ids);
    assert_eq!(leftovers(&sandbox.packages()), [""; 0]);
    registry_names_only_whole_versions(&sandbox.packages()).unwrap();
    let registry = sandbox.registry();
    let recorded: BTreeSet<&str> =
        registry["packages"].as_array().unwrap().iter().map(|record| record["id"].as_str().unwrap()).collect();
    assert_eq!(recorded, ids.iter().copied().collect());
}

fn zips() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/zips")
}

/// Every archive of `testdata/zips`. The ordinary ones among them hold no package.
const ZIPS: &[Refusal] = &[
    ("zip-abs", "unsafe-path", "`/etc/evil`: it is absolute"),
    ("zip-back", "unsafe-path", "`..\\evil`: it contains"),
    ("zip-bomb", "invalid-artifact", "contains no manifest"),
    ("zip-bzip2", "invalid-artifact", "`a` is compressed with method 12 (Bzip2)"),
    ("zip-case", "invalid-artifact", "`a` and `A`"),
    ("zip-con", "unsafe-path", "`CON`: it contains a Windows device name"),
    ("zip-count-more", "invalid-artifact", "1 entries, but its end record says 5000"),
    ("zip-cp437", "unsafe-path", "not UTF-8"),
    ("zip-crc-both", "invalid-artifact", "contains no manifest"),
    ("zip-crc-cd", "invalid-artifact", "contradicts itself"),
    ("zip-ctl", "unsafe-path", "it contains '\\u{1b}'"),
    ("zip-deep", "unsafe-path", "longer than 240"),
    ("zip-dev", "unsafe-path", "`d`, which is a device"),
    ("zip-dos", "invalid-artifact", "contains no manifest"),
    ("zip-drive", "unsafe-path", "`C:\\evil`: it contains ':'"),
    ("zip-drive2", "unsafe-path", "`C:evil`: it contains ':'"),
    ("zip-dup", "invalid-artifact", "`a` twice"),
    ("zip-empty", "invalid-entry", "/artifact/bytes"),
    ("zip-enc", "invalid-artifact", "`b.txt` is encrypted"),
    ("zip-enc-cd", "invalid-artifact", "`b.txt` is encrypted"),
    ("zip-eocd", "invalid-artifact", "an empty zip"),
    ("zip-fifo", "unsafe-path", "`f`, which is a pipe"),
    ("zip-garbage", "invalid-artifact", "neither a zip nor a JSON object"),
    ("zip-infozip", "unsafe-path", "`l`, which is a symbolic link"),
    ("zip-infozip-enc", "invalid-artifact", "`a` is encrypted"),
    ("zip-infozip-ok", "invalid-artifact", "contains no manifest"),
    ("zip-long", "unsafe-path", "longer than 240"),
    ("zip-lzma", "invalid-artifact", "`a` is compressed with method 14 (Lzma)"),
    ("zip-nul", "unsafe-path", "it contains '\\0'"),
    ("zip-ok", "invalid-artifact", "contains no manifest"),
    ("zip-one", "invalid-artifact", "contains no manifest"),
    ("zip-prefix", "invalid-artifact", "neither a zip nor a JSON object"),
    ("zip-setuid", "unsafe-path", "`s`, which is a file with a set-user-id"),
    ("zip-sizeless", "invalid-artifact", "contains no manifest"),
    ("zip-slip", "unsafe-path", "`../evil`: it contains the part `..`"),
    ("zip-slip2", "unsafe-path", "`a/../../evil`: it contains the part `..`"),
    ("zip-stream", "invalid-artifact", "contains no manifest"),
    ("zip-symlink", "unsafe-path", "`link`, which is a symbolic link"),
    ("zip-trail", "invalid-artifact", "bytes follow the end"),
    ("zip-trunc", "invalid-artifact", "no end record"),
];

#[test]
fn every_hostile_archive_is_refused_for_its_own_reason() {
    let name = |id: &str| id.strip_prefix("zip-").unwrap().replace('-', "_");
    let file = |id: &str| std::fs::read(zips().join(format!("{}.zip", name(id)))).unwrap();
    let rulesets = ZIPS.iter().map(|(id, _, _)| Ruleset::new(id, "1.0.0").artifact_bytes(file(id)));
    refuses(rulesets.collect(), ZIPS);
}

#[test]
fn no_archive_of_the_folder_is_left_out() {
    let there = std::fs::read_dir(zips()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let there: BTreeSet<String> =
        there.filter_map(|name| Some(format!("zip-{}", name.strip_suffix(".zip")?.replace('_', "-")))).collect();
    assert_eq!(there, ZIPS.iter().map(|(id, _, _)| (*id).to_owned()).collect());
}

/// A zip of these entries, each packed as it likes; a name that ends in `/` is a folder.
fn zip_of(entries: &[(&str, &[u8], SimpleFileOptions)]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes, options) in entries {
        match name.strip_suffix('/') {
            Some(folder) => archive.add_directory(folder, *options).unwrap(),
            None => {
                archive.start_file(*name, *options).unwrap();
                archive.write_all(bytes).unwrap();
            }
        }
    }
    archive.finish().unwrap().into_inner()
}

fn deflated() -> SimpleFileOptions {
    SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::DEFAULT)
        .unix_permissions(0o644)
}

fn stored() -> SimpleFileOptions {
    deflated().compression_method(CompressionMethod::Stored)
}

fn two_files(id: &str) -> Ruleset {
    Ruleset::new(id, "1.0.0").asset("catalogs/gear.json", "{\"entries\": []}")
}

fn manifest_of(ruleset: &Ruleset) -> Vec<u8> {
    wire::pretty(&ruleset.manifest())
}

/// A zip of a ruleset's own files, changed as the test likes.
fn zip_with<'a>(
    ruleset: &Ruleset,
    files: &'a [(&'a str, &'a [u8])],
    options: impl Fn(&str) -> SimpleFileOptions,
) -> Vec<u8> {
    let manifest = manifest_of(ruleset);
    let mut entries = vec![("manifest.json", manifest.as_slice(), options("manifest.json"))];
    entries.extend(files.iter().map(|(name, bytes)| (*name, *bytes, options(name))));
    zip_of(&entries)
}

/// The bytes of a ruleset's `ruleset.json`.
fn ruleset_json(ruleset: &Ruleset) -> Vec<u8> {
    ruleset.clone().container(Container::Bare).artifact()
}

#[test]
fn odd_but_ordinary_archives_are_installed() {
    let gear: &[u8] = b"{\"entries\": []}";
    let plain = ruleset_json(&Ruleset::new("odd", "1.0.0"));
    let files: &[(&str, &[u8])] = &[("ruleset.json", &plain), ("catalogs/gear.json", gear)];
    let odd = || two_files("odd").ruleset_json(plain.clone());
    let manifest = manifest_of(&odd());
    let manifest = manifest.as_slice();

    let deflate = zip_with(&odd(), files, |_| deflated());
    let mixed = zip_with(&odd(), files, |name| if name == "ruleset.json" { stored() } else { deflated() });
    let zip64 = zip_with(&odd(), files, |_| deflated().large_file(true));
    let folders = zip_of(&[
        ("catalogs/", b"", stored()),
        ("catalogs/gear.json", gear, deflated()),
        ("nobody/needs/this/", b"", stored()),
        ("ruleset.json", &plain, deflated()),
        ("manifest.json", manifest, deflated()),
    ]);
    let mut commented = ZipWriter::new_append(Cursor::new(deflate.clone())).unwrap();
    commented.set_comment("made on a Tuesday").unwrap();
    let commented = commented.finish().unwrap().into_inner();
    assert!(commented.ends_with(b"made on a Tuesday"));
    // A writer that cannot go back puts sizes and checksums behind the data.
    let mut streamed = ZipWriter::new_stream(Vec::new());
    for (name, bytes) in [("manifest.json", manifest)].iter().chain(files) {
        streamed.start_file(*name, deflated()).unwrap();
        streamed.write_all(bytes).unwrap();
    }
    let streamed = streamed.finish().unwrap().into_inner();

    for (name, artifact) in [
        ("deflate", deflate),
        ("mixed", mixed),
        ("zip64", zip64),
        ("folders", folders),
        ("comment", commented),
        ("streamed", streamed),
    ] {
        let sandbox = sandbox_of(&Catalog::on_disk().with(odd().artifact_bytes(artifact)));
        let answer = sandbox.run(&["install", "odd", "--json"]).json();
        assert_eq!(answer.exit, 0, "{name}: {answer:#?}");
        let there = Tree::of(sandbox.version("odd", "1.0.0"));
        assert_eq!(there.files(), ["catalogs/gear.json", "manifest.json", "ruleset.json"], "{name}");
        assert!(!there.has("nobody"), "a folder nobody declared is not made");
        let stored = std::fs::read(sandbox.version("odd", "1.0.0").join("manifest.json")).unwrap();
        assert_eq!(stored, manifest, "{name}: the zip's own bytes");
        holds_only(&sandbox, &["odd"]);
    }
}

#[test]
fn each_kind_of_artifact_leaves_the_same_files() {
    let ruleset = Ruleset::new("ember-roads", "1.0.0");
    let mut seen = Vec::new();
    for container in [Container::Zip, Container::Bundle, Container::Bare] {
        let sandbox = sandbox_of(&Catalog::on_disk().with(ruleset.clone().container(container)));
        sandbox.run(&["install", "ember-roads"]).expect(0);
        let folder = sandbox.version("ember-roads", "1.0.0");
        assert_eq!(Tree::of(&folder).files(), ["manifest.json", "ruleset.json"], "{container:?}");
        let manifest: Value = serde_json::from_slice(&std::fs::read(folder.join("manifest.json")).unwrap()).unwrap();
        assert_eq!(manifest, serde_json::to_value(ruleset.manifest()).unwrap(), "{container:?}");
        seen.push(sha256(&std::fs::read(folder.join("ruleset.json")).unwrap()));
    }
    assert!(seen.iter().all(|hash| *hash == seen[0]));
}

#[test]
fn a_bundle_is_read_in_either_order_and_with_any_blank_space() {
    let ruleset = two_files("odd");
    let bundle: Value = serde_json::from_slice(&ruleset.clone().container(Container::Bundle).artifact()).unwrap();
    let (manifest, files) = (&bundle["manifest"], &bundle["files"]);
    for text in [
        format!("{{\"files\":{files},\"manifest\":{manifest}}}"),
        format!("{{ \n\t\"manifest\" : {manifest:#} ,\r\n \"files\":{files:#} }} \n\n"),
        format!("{{\"files\":{files},\"manifest\":{manifest}}}").replace("catalogs/", "\\u0063atalogs\\/"),
    ] {
        let sandbox = sandbox_of(&Catalog::on_disk().with(ruleset.clone().artifact_bytes(text.clone())));
        let answer = sandbox.json(&["install", "odd"]);
        assert_eq!(answer.exit, 0, "{text:.60}: {answer:#?}");
        holds_only(&sandbox, &["odd"]);
    }
}

#[test]
fn a_manifest_inside_may_differ_in_spelling_only() {
    let ruleset = Ruleset::new("odd", "1.0.0");
    let mut inside = serde_json::to_value(ruleset.manifest()).unwrap();
    // Left out, it is what it is anyway; and the order of keys is that of a sorted map.
    inside.as_object_mut().unwrap().remove("restartRequired");
    let spelled = inside.to_string().replace("Odd", "\\u004fdd");
    let bytes = ruleset_json(&ruleset);
    let artifact = zip_of(&[("ruleset.json", &bytes, deflated()), ("manifest.json", spelled.as_bytes(), deflated())]);
    let sandbox = sandbox_of(&Catalog::on_disk().with(ruleset.artifact_bytes(artifact)));
    sandbox.run(&["install", "odd"]).expect(0);
    let stored = std::fs::read_to_string(sandbox.version("odd", "1.0.0").join("manifest.json")).unwrap();
    assert_eq!(stored, spelled);
}

#[test]
fn files_that_are_not_the_declared_ones_are_refused_in_every_kind_of_artifact() {
    for container in [Container::Zip, Container::Bundle] {
        let of = |id: &str| two_files(id).container(container);
        let one_off =
            |bytes: Vec<u8>| bytes.iter().map(|byte| if *byte == b'2' { b'3' } else { *byte }).collect::<Vec<_>>();
        refuses(
            vec![
                of("extra").smuggle("readme.txt", "hi"),
                of("extra-pack").smuggle("locales/ru.json", "{}"),
                of("extra-twin").smuggle("RULESET.json", "{}"),
                of("missing").leave_out("catalogs/gear.json"),
                of("missing-ruleset").leave_out("ruleset.json"),
                of("other-bytes").smuggle("ruleset.json", one_off(ruleset_json(&Ruleset::new("other-bytes", "1.0.0")))),
                of("longer").smuggle("catalogs/gear.json", "{\"entries\": []}\n"),
                of("shorter").smuggle("catalogs/gear.json", "{}"),
                of("crlf").smuggle("catalogs/gear.json", "{\"entries\":\r\n[]}"),
            ],
            &[
                ("extra", "invalid-artifact", "`readme.txt`, which the manifest does not declare"),
                ("extra-pack", "invalid-artifact", "`locales/ru.json`, which the manifest does not declare"),
                ("extra-twin", "invalid-artifact", "the same file on some file systems"),
                ("missing", "invalid-artifact", "does not contain `catalogs/gear.json`"),
                ("missing-ruleset", "invalid-artifact", "does not contain `ruleset.json`"),
                ("other-bytes", "checksum-mismatch", "`ruleset.json`"),
                ("longer", "size-mismatch", "`catalogs/gear.json`"),
                ("shorter", "size-mismatch", "`catalogs/gear.json`"),
                ("crlf", "size-mismatch", "`catalogs/gear.json`"),
            ],
        );
    }
}

#[test]
fn a_manifest_inside_that_says_something_else_is_refused() {
    for container in [Container::Zip, Container::Bundle] {
        let of = |id: &str| Ruleset::new(id, "1.0.0").container(container);
        let said = "differs from the catalog's";
        refuses(
            vec![
                of("other-name").inner_manifest_key("name", json!("Another")),
                of("other-version").inner_manifest_key("version", json!("1.0.1")),
                of("other-id").inner_manifest_key("id", json!("sound-first")),
                of("other-engine").inner_manifest_key("engine", json!({ "min": "1.0.0", "maxExclusive": "9.0.0" })),
                of("one-key-more").inner_manifest_key("tomorrow", json!(true)),
                of("no-files").inner_manifest_key("files", json!([])),
                of("not-typed").inner_manifest_key("version", json!(1)),
            ],
            &[
                ("other-name", "invalid-artifact", said),
                ("other-version", "invalid-artifact", said),
                ("other-id", "invalid-artifact", said),
                ("other-engine", "invalid-artifact", said),
                ("one-key-more", "invalid-artifact", said),
                ("no-files", "invalid-artifact", "manifest inside"),
                ("not-typed", "invalid-artifact", "cannot be read"),
            ],
        );
    }
}

#[test]
fn what_begins_as_neither_zip_nor_object_is_refused_and_named() {
    let of = |id: &str, bytes: &[u8]| Ruleset::new(id, "1.0.0").artifact_bytes(bytes);
    let zip = Ruleset::new("bom-zip", "1.0.0").artifact();
    let bundle = Ruleset::new("bom-bundle", "1.0.0").container(Container::Bundle).artifact();
    let bare = ruleset_json(&Ruleset::new("bom-bare", "1.0.0"));
    let bom = |bytes: &[u8]| [b"\xef\xbb\xbf".as_slice(), bytes].concat();
    refuses(
        vec![
            of("bom-zip", &bom(&zip)),
            of("bom-bundle", &bom(&bundle)),
            of("bom-bare", &bom(&bare)),
            of("blank-first", &[b" ", bare.as_slice()].concat()),
            of("array", b"[{}]"),
            of("text", b"\"ruleset\""),
            of("html", b"<!DOCTYPE html><html></html>"),
            of("gzip", b"\x1f\x8b\x08\0\0\0\0\0"),
            of("utf16", &"{}".encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>()),
        ],
        &[
            ("bom-zip", "invalid-artifact", "byte order mark"),
            ("bom-bundle", "invalid-artifact", "byte order mark"),
            ("bom-bare", "invalid-artifact", "byte order mark"),
            ("blank-first", "invalid-artifact", "whitespace"),
            ("array", "invalid-artifact", "neither a zip nor a JSON object"),
            ("text", "invalid-artifact", "neither a zip nor a JSON object"),
            ("html", "invalid-artifact", "HTML"),
            ("gzip", "invalid-artifact", "gzip"),
            ("utf16", "invalid-artifact", "neither a zip nor a JSON object"),
        ],
    );
}

#[test]
fn a_bundle_that_is_not_exactly_one_is_refused() {
    let of = |id: &str, change: &dyn Fn(&str, &str) -> String| {
        let ruleset = two_files(id);
        let bundle: Value = serde_json::from_slice(&ruleset.clone().container(Container::Bundle).artifact()).unwrap();
        let text = change(&bundle["manifest"].to_string(), &bundle["files"].to_string());
        ruleset.artifact_bytes(text)
    };
    let deep = "[".repeat(100_000);
    refuses(
        vec![
            of("key-more", &|manifest, files| format!("{{\"manifest\":{manifest},\"files\":{files},\"note\":1}}")),
            of("manifest-twice", &|manifest, files| {
                format!("{{\"manifest\":{manifest},\"files\":{files},\"manifest\":{manifest}}}")
            }),
            of("no-manifest", &|_, files| format!("{{\"files\":{files}}}")),
            of("no-files", &|manifest, _| format!("{{\"manifest\":{manifest}}}")),
            of("files-null", &|manifest, _| format!("{{\"manifest\":{manifest},\"files\":null}}")),
            of("file-object", &|manifest, _| {
                format!("{{\"manifest\":{manifest},\"files\":{{\"ruleset.json\":{{\"id\":\"x\"}}}}}}")
            }),
            of("file-twice", &|manifest, files| {
                let twice = files.replacen('{', "{\"catalogs/gear.json\":\"{\\\"entries\\\": []}\",", 1);
                format!("{{\"manifest\":{manifest},\"files\":{twice}}}")
            }),
            of("cut", &|manifest, files| {
                let whole = format!("{{\"manifest\":{manifest},\"files\":{files}}}");
                whole[..whole.len() - 20].to_owned()
            }),
            of("tail", &|manifest, files| format!("{{\"manifest\":{manifest},\"files\":{files}}}{{}}")),
            of("deep", &|_, files| format!("{{\"manifest\":{deep},\"files\":{files}}}")),
            of("surrogate", &|manifest, _| {
                format!("{{\"manifest\":{manifest},\"files\":{{\"ruleset.json\":\"\\ud800\"}}}}")
            }),
            of("climbs", &|manifest, _| format!("{{\"manifest\":{manifest},\"files\":{{\"../evil.json\":\"{{}}\"}}}}")),
            of("absolute", &|manifest, _| format!("{{\"manifest\":{manifest},\"files\":{{\"/evil.json\":\"{{}}\"}}}}")),
            of("backslash", &|manifest, _| format!("{{\"manifest\":{manifest},\"files\":{{\"a\\\\b\":\"{{}}\"}}}}")),
            of("device", &|manifest, _| format!("{{\"manifest\":{manifest},\"files\":{{\"nul.json\":\"{{}}\"}}}}")),
            of("zero", &|manifest, _| format!("{{\"manifest\":{manifest},\"files\":{{\"a\\u0000b\":\"{{}}\"}}}}")),
            of("dot-end", &|manifest, _| format!("{{\"manifest\":{manifest},\"files\":{{\"a.\":\"{{}}\"}}}}")),
        ],
        &[
            ("key-more", "invalid-artifact", "the key `note`"),
            ("manifest-twice", "invalid-artifact", "the key `manifest` twice"),
            ("no-manifest", "invalid-artifact", "contains no manifest"),
            ("no-files", "invalid-artifact", "has no `files`"),
            ("files-null", "invalid-artifact", "not an object of paths and texts"),
            ("file-object", "invalid-artifact", "as a JSON value instead of its text"),
            ("file-twice", "invalid-artifact", "`catalogs/gear.json` twice"),
            ("cut", "invalid-artifact", "not JSON"),
            ("tail", "invalid-artifact", "not JSON"),
            ("deep", "invalid-artifact", "JSON"),
            ("surrogate", "invalid-artifact", "not JSON"),
            ("climbs", "unsafe-path", "`../evil.json`"),
            ("absolute", "unsafe-path", "`/evil.json`"),
            ("backslash", "unsafe-path", "`a\\b`"),
            ("device", "unsafe-path", "`nul.json`"),
            ("zero", "unsafe-path", "a\0b"),
            ("dot-end", "unsafe-path", "`a.`"),
        ],
    );
}

#[test]
fn a_bare_ruleset_is_the_declared_one_to_the_byte_and_comes_alone() {
    let bare = |id: &str| ruleset_json(&Ruleset::new(id, "1.0.0"));
    let with = |id: &str, bytes: Vec<u8>| Ruleset::new(id, "1.0.0").artifact_bytes(bytes);
    refuses(
        vec![
            with("newline-more", [bare("newline-more"), b"\n".to_vec()].concat()),
            with("other-bytes", String::from_utf8(bare("other-bytes")).unwrap().replace("Easy", "Hard").into()),
            with("cut", bare("cut")[..100].to_vec()),
            two_files("not-alone").artifact_bytes(bare("not-alone")),
        ],
        &[
            ("newline-more", "size-mismatch", "`ruleset.json`"),
            ("other-bytes", "checksum-mismatch", "`ruleset.json`"),
            ("cut", "size-mismatch", "`ruleset.json`"),
            ("not-alone", "invalid-artifact", "only `manifest` and `files` are allowed"),
        ],
    );
}

#[test]
fn archives_beyond_the_limits_are_refused_and_the_limit_is_named() {
    let many = |id: &str, folders: bool| {
        let ruleset = Ruleset::new(id, "1.0.0");
        let names: Vec<String> = (0..8192).map(|n| format!("f{n}{}", if folders { "/" } else { "" })).collect();
        let (manifest, bytes) = (manifest_of(&ruleset), ruleset_json(&ruleset));
        let mut entries = vec![("manifest.json", manifest.as_slice(), stored()), ("ruleset.json", &bytes, stored())];
        entries.extend(names.iter().map(|name| (name.as_str(), b"".as_slice(), stored())));
        let artifact = zip_of(&entries);
        ruleset.artifact_bytes(artifact)
    };
    // 60 MB of blanks in 60 KB; by the declaration it is 15 bytes.
    let bomb = vec![b' '; 60 << 20];
    let inflates = |id: &str, name: &str| {
        let ruleset = two_files(id);
        let bytes = ruleset_json(&Ruleset::new(id, "1.0.0"));
        let mut files = vec![("ruleset.json", bytes.as_slice()), (name, bomb.as_slice())];
        if name != "catalogs/gear.json" {
            files.push(("catalogs/gear.json", b"{\"entries\": []}"));
        }
        let artifact = zip_with(&ruleset, &files, |_| deflated());
        assert!(artifact.len() < 1 << 20);
        ruleset.artifact_bytes(artifact)
    };
    let long_manifest = Ruleset::new("long-manifest", "1.0.0").inner_manifest_key("x", json!("x".repeat(1 << 20)));
    let mut catalog = Catalog::on_disk().with(Ruleset::new("sound-first", "1.0.0"));
    for ruleset in [
        many("many-files", false),
        many("many-folders", true),
        inflates("declared-bomb", "catalogs/gear.json"),
        inflates("extra-bomb", "extra.bin"),
        long_manifest.clone(),
        Ruleset::new("long-manifest-bundle", "1.0.0")
            .container(Container::Bundle)
            .inner_manifest_key("x", json!("x".repeat(2 << 20))),
        Ruleset::new("large-by-declaration", "1.0.0").file("a.bin", "x").file("b.bin", "x").file("c.bin", "x"),
        two_files("large-catalog"),
        Ruleset::new("sound-last", "1.0.0"),
    ] {
        catalog.publish(ruleset);
    }
    for n in [1, 2, 3] {
        catalog.edit("large-by-declaration", &format!("/manifest/files/{n}/bytes"), json!(100 << 20));
    }
    catalog.edit("large-catalog", "/manifest/files/1/bytes", json!((4 << 20) + 1));
    refuses_of(
        &catalog,
        &[
            ("many-files", "invalid-artifact", "the limit of 8192"),
            ("many-folders", "invalid-artifact", "the limit of 8192"),
            ("declared-bomb", "size-mismatch", "`catalogs/gear.json`"),
            ("extra-bomb", "invalid-artifact", "`extra.bin`, which the manifest does not declare"),
            ("long-manifest", "invalid-artifact", "larger than 1.0 MiB"),
            ("long-manifest-bundle", "invalid-artifact", "larger than 1.0 MiB"),
            ("large-by-declaration", "invalid-artifact", "the limit of 250.0 MiB"),
            ("large-catalog", "invalid-artifact", "the limit of 4.0 MiB"),
        ],
    );
}

#[test]
fn a_path_the_entry_declares_is_held_to_the_same_rules() {
    let paths = [
        ("climbs", "../evil.json"),
        ("absolute", "/etc/evil.json"),
        ("drive", "C:/evil.json"),
        ("backslash", "a\\b.json"),
        ("device", "aux.json"),
        ("dotted", "a/./b.json"),
        ("blank-end", "a /b.json"),
        ("empty-part", "a//b.json"),
        ("manifest", "Manifest.JSON"),
        ("packs", "locales/ru.json"),
    ];
    let rulesets =
        paths.iter().map(|(id, path)| Ruleset::new(id, "1.0.0").file(path, "{}").container(Container::Bundle));
    let refusals: Vec<Refusal> = paths.iter().map(|(id, _)| (*id, "invalid-entry", "/manifest/files/1")).collect();
    refuses(rulesets.collect(), &refusals);
}

/// What an artifact holds is looked at only once it is the listed one.
#[test]
fn an_artifact_that_is_not_the_listed_one_is_never_opened() {
    let hostile = std::fs::read(zips().join("slip.zip")).unwrap();
    let mut catalog = Catalog::on_disk().with(Ruleset::new("sound-first", "1.0.0"));
    for id in ["size", "hash", "swapped", "sound-last"] {
        catalog.publish(Ruleset::new(id, "1.0.0"));
    }
    catalog.wrong_size("size");
    catalog.wrong_sha256("hash");
    *catalog.file_mut("swapped-1.0.0.ruleset.json") = hostile;
    refuses_of(
        &catalog,
        &[("size", "size-mismatch", ""), ("hash", "checksum-mismatch", ""), ("swapped", "size-mismatch", "")],
    );
}

#[test]
fn a_ruleset_inside_that_cannot_be_used_is_refused() {
    let of = |id: &str| Ruleset::new(id, "1.0.0");
    let text = |id: &str, json: &str| of(id).ruleset_json(json.as_bytes());
    let without = |id: &str, key: &str| {
        let mut ruleset: Value = serde_json::from_slice(&ruleset_json(&of(id))).unwrap();
        ruleset.as_object_mut().unwrap().remove(key);
        of(id).ruleset_json(ruleset.to_string())
    };
    let rulesets = vec![
        text("cut", "{\"schemaVersion\": 1, \"id\": \"cut\""),
        text("empty", ""),
        text("array", "[]"),
        text("bom", "\u{feff}{\"schemaVersion\": 1, \"id\": \"bom\", \"version\": 1, \"name\": \"Bom\"}"),
        of("not-utf8").ruleset_json(b"{\"name\": \"\xff\"}".to_vec()),
        without("no-id", "id"),
        without("no-version", "version"),
        without("no-name", "name"),
        without("no-schema", "schemaVersion"),
        of("version-text").ruleset_value("/version", json!("1")),
        of("version-zero").ruleset_value("/version", json!(0)),
        of("newer-schema").ruleset_value("/schemaVersion", json!(2)),
        of("reserved").ruleset_value("/id", json!("engine-legacy")),
        of("no-such-catalog").ruleset_value("/catalogs", json!([{ "id": "gear", "asset": "catalogs/gear.json" }])),
        of("broken-catalog").asset("catalogs/gear.json", "{\"entries\": ["),
        of("catalog-array").asset("catalogs/gear.json", "[]"),
    ];
    refuses(
        rulesets,
        &[
            ("cut", "invalid-ruleset", "ruleset-json"),
            ("empty", "invalid-ruleset", "ruleset-json"),
            ("array", "invalid-ruleset", "ruleset-json"),
            ("bom", "invalid-ruleset", "ruleset-json"),
            ("not-utf8", "invalid-ruleset", "ruleset-json"),
            ("no-id", "invalid-ruleset", "`id` is missing"),
            ("no-version", "invalid-ruleset", "`version` is missing"),
            ("no-name", "invalid-ruleset", "`name` is missing"),
            ("no-schema", "invalid-ruleset", "`schemaVersion` is missing"),
            ("version-text", "invalid-ruleset", "/version"),
            ("version-zero", "invalid-ruleset", "/version"),
            ("newer-schema", "invalid-ruleset", "/schemaVersion"),
            ("reserved", "invalid-ruleset", "/id"),
            ("no-such-catalog", "invalid-ruleset", "K4"),
            ("broken-catalog", "invalid-ruleset", "catalog-json"),
            ("catalog-array", "invalid-ruleset", "catalog-json"),
        ],
    );
}

#[test]
fn a_catalog_file_that_is_in_the_package_and_no_asset_is_refused_as_verify_refuses_it() {
    let gear = json!([{ "id": "gear", "asset": "catalogs/gear.json" }]);
    for container in [Container::Zip, Container::Bundle] {
        let ruleset = Ruleset::new("no-asset", "1.0.0").container(container);
        let ruleset = ruleset.ruleset_value("/catalogs", gear.clone()).file("catalogs/gear.json", "{}");
        refuses(vec![ruleset.clone()], &[("no-asset", "invalid-ruleset", "K4")]);
        let sandbox = sandbox_of(&Catalog::on_disk().with(ruleset));
        let told = sandbox.run(&["catalog", "verify", "."]).expect(10).stdout;
        assert_eq!(told.matches("error[K4]").count(), 1, "{told}");
        // Where there are no assets at all, that is what is told, and once.
        let bare = Ruleset::new("no-assets", "1.0.0").container(container);
        let bare = bare.ruleset_value("/catalogs", gear.clone()).file("catalogs/gear.json", "{}");
        let sandbox = sandbox_of(&Catalog::on_disk().with(bare.manifest_key("contributions", json!({}))));
        let told = sandbox.run(&["catalog", "verify", "."]).expect(10).stdout;
        assert_eq!((told.matches("error[K1]").count(), told.matches("error[K4]").count()), (1, 0), "{told}");
    }
    // One that no catalog names either costs nobody the ruleset.
    let spare = Ruleset::new("spare", "1.0.0").file("catalogs/gear.json", "[]");
    sandbox_of(&Catalog::on_disk().with(spare)).run(&["install", "spare"]).expect(0);
}

#[test]
fn a_ruleset_that_uses_more_than_its_declared_api_is_refused() {
    // What is used, the API that brought it, and how it shows.
    let features: &[(&str, u64, &str, Value)] = &[
        ("battle", 22, "/battle", json!({})),
        ("pools", 24, "/resolution/kind", json!("dice-pool")),
        ("layers", 25, "/layers", json!([{ "id": "grim" }])),
        ("combat", 26, "/combat", json!({})),
        ("board", 28, "/combat", json!({ "distance": {} })),
        ("one-shot", 32, "/combat", json!({ "attacks": [{ "strikesCappedBy": "x" }] })),
        ("live-states", 42, "/sheet", json!({ "live": { "states": [] } })),
        ("items", 49, "/items", json!({})),
        ("market", 65, "/items", json!({ "market": {} })),
    ];
    let of = |id: String, minor: u64, at: &str, value: &Value| {
        Ruleset::new(&id, "1.0.0").api(1, minor).ruleset_value(at, value.clone())
    };
    let mut catalog = Catalog::on_disk();
    let mut covered = Vec::new();
    let mut short = Vec::new();
    let mut messages = Vec::new();
    for (name, minor, at, value) in features {
        catalog.publish(of(format!("covered-{name}"), *minor, at, value));
        covered.push(format!("covered-{name}"));
        short.push(of(format!("short-{name}"), minor - 1, at, value));
        messages.push((
            format!("short-{name}"),
            format!("requires Capability API 1.{minor}, but the manifest declares 1.{}", minor - 1),
        ));
    }
    let sandbox = sandbox_of(&catalog);
    let install: Vec<&str> = std::iter::once("install").chain(covered.iter().map(String::as_str)).collect();
    sandbox.run(&install).expect(0);
    let refusals: Vec<Refusal> =
        messages.iter().map(|(id, message)| (id.as_str(), "invalid-ruleset", message.as_str())).collect();
    refuses(short, &refusals);
}

/// The ruleset's own id and version are no concern of the package's.
#[test]
fn a_ruleset_may_be_called_otherwise_than_its_package() {
    let ruleset =
        Ruleset::new("ruleset-5e", "0.5.0").ruleset_value("/id", json!("5e-2014")).ruleset_value("/version", json!(2));
    let sandbox = sandbox_of(&Catalog::on_disk().with(ruleset));
    sandbox.run(&["install", "ruleset-5e"]).expect(0);
    holds_only(&sandbox, &["ruleset-5e"]);
}

#[test]
fn an_update_to_a_bad_artifact_leaves_the_old_version_active_and_the_disk_as_it_was() {
    let good = Catalog::on_disk().with(two_files("ember-roads").pack("ru", &[("Grit", "Стойкость")]));
    let sandbox = sandbox_of(&good);
    sandbox.run(&["language", "ru"]).expect(0);
    sandbox.run(&["install", "ember-roads"]).expect(0);
    let before = disk(&sandbox);
    let next = || Ruleset::new("ember-roads", "1.1.0").pack("ru", &[("Grit", "Стойкость")]);
    for (bad, code) in [
        (next().artifact_bytes(std::fs::read(zips().join("slip.zip")).unwrap()), "unsafe-path"),
        (next().smuggle("ruleset.json", "{}"), "size-mismatch"),
        (next().smuggle("readme.txt", "hi"), "invalid-artifact"),
        (next().ruleset_json("{"), "invalid-ruleset"),
        (Ruleset::new("ember-roads", "1.0.0").described("Again.").ruleset_json("{"), "invalid-ruleset"),
    ] {
        let mut catalog = good.clone();
        catalog.publish(bad);
        catalog.write(&sandbox.work());
        let answer = sandbox.json(&["update"]);
        assert_eq!((answer.code(), answer.exit), (code, 4));
        stays_at(&answer, "1.0.0");
        before.assert_same(&disk(&sandbox));
        let path = sandbox.json(&["path", "ember-roads"]);
        assert_eq!(path.path().version, "1.0.0");
        assert!(path.path().language_pack.is_some());
    }
}

#[track_caller]
fn stays_at(answer: &Envelope, version: &str) {
    let package = answer.package("ember-roads");
    assert_eq!(package.action, Action::Failed);
    assert_eq!(package.version.as_deref(), Some(version));
}

/// How much memory it takes is measured elsewhere; here, that the largest artifact there may be is no special case.
#[test]
fn an_artifact_of_100_mb_is_installed() {
    let id = "vast";
    let large: Vec<u8> = (0..99_u32 << 20).map(|n| (n >> 12) as u8 ^ n as u8).collect();
    let expected = sha256(&large);
    let ruleset = Ruleset::new(id, "1.0.0").file("maps/vast.bin", large);
    let sandbox = sandbox_of(&Catalog::on_disk().with(ruleset));
    let answer = sandbox.json(&["install", id]);
    assert_eq!(answer.package(id).action, Action::Installed);
    let there = std::fs::read(sandbox.version(id, "1.0.0").join("maps/vast.bin")).unwrap();
    assert_eq!(sha256(&there), expected);
    holds_only(&sandbox, &[id]);
}
