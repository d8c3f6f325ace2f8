//! Hostile bytes: every row of `testdata/hostile/expected.json` met by the real program where it meets such bytes, and
//! what it must come to. Whatever it is, the program answers in one JSON document, nothing outside its own folders
//! changes, and nothing half done stays.

use super::kit::envelope::{Action, Envelope, LeftOut, PackReason, PackStatus, Status};
use super::kit::sandbox::Sandbox;
use super::kit::server::{Reply, Server};
use super::kit::sha256;
use super::kit::soundness::leftovers;
use super::kit::tree::Tree;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// One input and what must come of it.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    kind: String,
    /// In a few words.
    hostile: String,
    /// An error's code, `ok`, what is done with the ruleset, or what is said of the pack.
    expect: String,
    /// A piece of the message, or of the reasons of what is left out.
    says: Option<String>,
    /// The code of a warning.
    warns: Option<String>,
    /// How many entries are left out.
    left: Option<usize>,
    /// The input: a file below `testdata/hostile`, or a text.
    file: Option<String>,
    text: Option<String>,
    /// What is changed of the sound entry, by JSON pointers.
    edit: Option<Map<String, Value>>,
    /// What is changed of a good copy: one bit, counted from the end where negative, or its length.
    flip: Option<isize>,
    cut: Option<usize>,
    append: Option<String>,
    /// What is asked for, and the reply: the sound one but for what is said here.
    of: Option<String>,
    reply: Option<Recipe>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Recipe {
    status: Option<u16>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    body: Option<String>,
    append: Option<String>,
    flip: Option<usize>,
    #[serde(default)]
    gzip: bool,
    #[serde(default)]
    endless: bool,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/hostile")
}

fn base(name: &str) -> Vec<u8> {
    fs::read(folder().join("base").join(name)).unwrap()
}

fn rows() -> Vec<Row> {
    serde_json::from_slice(&fs::read(folder().join("expected.json")).unwrap()).unwrap()
}

/// The sound entry, its artifact, its pack: what the rows are put in the place of.
struct Offer {
    entry: String,
    artifact: Vec<u8>,
    pack: Vec<u8>,
}

const ARTIFACT: &str = "hostile-1.0.0.ruleset.json";
const PACK: &str = "hostile-1.0.0.ru.json";

impl Offer {
    fn sound() -> Self {
        let entry = String::from_utf8(base("entry.json")).unwrap();
        Offer { entry, artifact: base("bundle.json"), pack: base("pack.json") }
    }

    /// The sound entry, changed; an object's key that is not there is added.
    fn edited(edit: &Map<String, Value>) -> Self {
        let mut offer = Offer::sound();
        let mut entry: Value = serde_json::from_str(&offer.entry).unwrap();
        for (pointer, value) in edit {
            let (parent, key) = pointer.rsplit_once('/').unwrap();
            match entry.pointer_mut(parent).unwrap() {
                Value::Array(items) => items[key.parse::<usize>().unwrap()] = value.clone(),
                parent => parent[key] = value.clone(),
            }
        }
        offer.entry = entry.to_string();
        offer
    }

    /// The entry declares exactly these bytes.
    fn of_artifact(artifact: Vec<u8>) -> Self {
        let edit = json!({ "/artifact/sha256": sha256(&artifact), "/artifact/bytes": artifact.len() });
        Offer { artifact, ..Offer::edited(edit.as_object().unwrap()) }
    }

    /// A package of this ruleset alone, as it is.
    fn of_ruleset(ruleset: Vec<u8>) -> Self {
        let (hash, bytes) = (sha256(&ruleset), ruleset.len());
        let edit = json!({
            "/manifest/files": [{ "path": "ruleset.json", "sha256": hash, "bytes": bytes }],
            "/manifest/contributions/assets/paths": ["ruleset.json"],
            "/artifact/sha256": hash,
            "/artifact/bytes": bytes,
        });
        Offer { artifact: ruleset, ..Offer::edited(edit.as_object().unwrap()) }
    }

    fn of_pack(pack: Vec<u8>) -> Self {
        let edit = json!({ "/locales/ru/sha256": sha256(&pack), "/locales/ru/bytes": pack.len() });
        Offer { pack, ..Offer::edited(edit.as_object().unwrap()) }
    }

    /// A catalog of it and of another that is sound.
    fn catalog(&self) -> String {
        let other = String::from_utf8(base("entry.json")).unwrap().replace("\"id\": \"hostile\"", "\"id\": \"sound\"");
        let other = other.replace("hostile-1.0.0.r", "sound-1.0.0.r");
        let mut other: Value = serde_json::from_str(&other).unwrap();
        let artifact = sound_artifact(&other["manifest"]);
        other["artifact"]["sha256"] = json!(sha256(&artifact));
        other["artifact"]["bytes"] = json!(artifact.len());
        format!(r#"{{"schemaVersion":1,"generatedAt":"","packages":[{},{other}]}}"#, self.entry)
    }

    fn write(&self, catalog: &Path) {
        let artifacts = catalog.join("artifacts");
        fs::create_dir_all(&artifacts).unwrap();
        let text = self.catalog();
        let read: Value = serde_json::from_str(&text).unwrap();
        fs::write(catalog.join("catalog.json"), &text).unwrap();
        fs::write(artifacts.join(ARTIFACT), &self.artifact).unwrap();
        fs::write(artifacts.join(PACK), &self.pack).unwrap();
        fs::write(artifacts.join("sound-1.0.0.ruleset.json"), sound_artifact(&read["packages"][1]["manifest"]))
            .unwrap();
        fs::write(artifacts.join("sound-1.0.0.ru.json"), base("pack.json")).unwrap();
    }
}

/// A bundle of the sound files under this manifest.
fn sound_artifact(manifest: &Value) -> Vec<u8> {
    let text = |name: &str| String::from_utf8(base(name)).unwrap();
    let files = json!({ "ruleset.json": text("ruleset.json"), "catalogs/gear.json": text("gear.json") });
    json!({ "manifest": manifest, "files": files }).to_string().into_bytes()
}

/// A sandbox with a catalog to install from, and beside it a file of somebody else's that must stay.
fn sandbox(offer: &Offer) -> Sandbox {
    let sandbox = Sandbox::new();
    let catalog = sandbox.root().join("catalog");
    offer.write(&catalog);
    fs::create_dir(sandbox.root().join("canary")).unwrap();
    fs::write(sandbox.root().join("canary/kept.txt"), "kept").unwrap();
    sandbox.catalog(catalog)
}

impl Row {
    fn input(&self) -> Vec<u8> {
        match (&self.file, &self.text) {
            (Some(file), None) => fs::read(folder().join(file)).unwrap(),
            (None, Some(text)) => text.clone().into_bytes(),
            _ => panic!("a file or a text is wanted"),
        }
    }

    /// Runs it where it belongs; panics where it comes to something else.
    fn run(&self) {
        match self.kind.as_str() {
            "catalog" => self.catalog(),
            "entry" => self.entry(),
            "artifact" => self.refused(&Offer::of_artifact(self.input())),
            "ruleset" => self.refused(&Offer::of_ruleset(self.input())),
            "pack" => self.pack(),
            "registry" => self.stored("installed.json"),
            "state" => self.stored("rulepack.json"),
            "decisions" => self.stored("update-decisions-v1.json"),
            "intent" => self.stored(".rulepack-intent.json"),
            "copy" => self.copy(),
            "http" => self.http(),
            "language" => self.argument("--language"),
            "version" => self.argument("--engine-version"),
            "source" => self.source(),
            kind => panic!("no such kind: {kind}"),
        }
    }

    /// `expect` against the code of an answer, or that there is none.
    #[track_caller]
    fn judge(&self, answer: &Envelope) {
        let code = answer.error.as_ref().map_or("ok", |error| error.code.as_str());
        assert_eq!(code, self.expect, "{answer:#?}");
        assert_eq!(answer.status == Status::Error, answer.exit != 0, "{answer:#?}");
        if let Some(piece) = &self.says {
            let message = answer.error.as_ref().map(|error| error.message.as_str()).unwrap_or_default();
            assert!(message.contains(piece), "{piece} is not said: {message}");
        }
        let warned = self.warns.as_ref().is_none_or(|code| answer.warning_codes().contains(&code.as_str()));
        assert!(warned, "{answer:#?}");
    }

    fn catalog(&self) {
        let sandbox = sandbox(&Offer::sound());
        fs::write(sandbox.root().join("catalog/catalog.json"), self.input()).unwrap();
        let answer = untouched(&sandbox, |sandbox| sandbox.json(&["search"]));
        self.judge(&answer);
        if self.expect == "ok" {
            let left = answer.search().left_out.iter().filter(|LeftOut { reasons, .. }| !reasons.is_empty());
            assert_eq!(left.count(), self.left.unwrap_or(0), "{answer:#?}");
        }
    }

    fn entry(&self) {
        match &self.edit {
            Some(edit) => self.refused(&Offer::edited(edit)),
            None => self.refused(&Offer { entry: self.text.clone().unwrap(), ..Offer::sound() }),
        }
    }

    /// It and a sound one are asked for: the sound one is installed, and of this one nothing stays unless it is as
    /// well.
    fn refused(&self, offer: &Offer) {
        let sandbox = sandbox(offer);
        let answer = untouched(&sandbox, |sandbox| sandbox.json(&["install", "hostile", "sound"]));
        assert_eq!(answer.package("sound").action, Action::Installed, "{answer:#?}");
        let there = sandbox.packages().join("versions/hostile").exists();
        if self.expect == "installed" {
            assert_eq!(answer.package("hostile").action, Action::Installed, "{answer:#?}");
            assert!(there);
        } else {
            self.judge(&answer);
            assert_eq!(answer.package("hostile").action, Action::Failed, "{answer:#?}");
            assert!(!there, "something stayed");
        }
        assert_eq!(leftovers(&sandbox.packages()), [""; 0]);
    }

    /// The ruleset is installed; without its pack, unless that is a good one after all.
    fn pack(&self) {
        let sandbox = sandbox(&Offer::of_pack(self.input()));
        let answer = untouched(&sandbox, |sandbox| sandbox.json(&["install", "hostile", "--language", "ru"]));
        self.judge_pack(&answer);
        assert_eq!(sandbox.packs().len(), usize::from(self.expect == "fetched"));
    }

    #[track_caller]
    fn judge_pack(&self, answer: &Envelope) {
        let package = answer.package("hostile");
        assert_eq!((answer.exit, package.action), (0, Action::Installed), "{answer:#?}");
        let pack = package.language_pack.as_ref().unwrap();
        let told = match (pack.status, pack.reason) {
            (PackStatus::Fetched, None) => "fetched",
            (PackStatus::Unavailable, Some(PackReason::InvalidPack)) => "invalid-pack",
            (PackStatus::Unavailable, Some(PackReason::LocaleMismatch)) => "locale-mismatch",
            (PackStatus::Unavailable, Some(PackReason::SizeMismatch)) => "size-mismatch",
            (PackStatus::Unavailable, Some(PackReason::ChecksumMismatch)) => "checksum-mismatch",
            (PackStatus::Unavailable, Some(PackReason::HttpError)) => "http-error",
            other => panic!("{other:?}"),
        };
        assert_eq!(told, self.expect, "{answer:#?}");
    }

    /// One of the store's own files is these bytes. Reading goes on or says so; a registry is never replaced, and
    /// whatever is read or changed afterwards, nothing outside the data folder is.
    fn stored(&self, name: &str) {
        let sandbox = sandbox(&Offer::sound());
        sandbox.run(&["install", "hostile", "sound"]).expect(0);
        let canary = sandbox.root().join("canary");
        let input = match String::from_utf8(self.input()) {
            Ok(text) => text.replace("@CANARY@", canary.to_str().unwrap()).into_bytes(),
            Err(binary) => binary.into_bytes(),
        };
        let path = sandbox.packages().join(name);
        fs::write(&path, &input).unwrap();
        let sound = sandbox.version("sound", "1.0.0");
        let (before, sound_before) = (outside(&sandbox), Tree::of(&sound));

        self.judge(&sandbox.json(&["list"]));
        if name == "installed.json" {
            assert_eq!(fs::read(&path).unwrap(), input, "a registry is nobody's to mend unasked");
        }
        for change in [&["update"][..], &["uninstall", "hostile"], &["sync"], &["doctor", "--repair"]] {
            let answer = sandbox.json(change);
            assert!([0, 3, 8, 10].contains(&answer.exit), "{answer:#?}");
        }
        before.assert_same(&outside(&sandbox));
        sound_before.assert_same(&Tree::of(&sound));
    }

    /// The kept copy of the catalog is these bytes, and the network is not there to ask again.
    fn copy(&self) {
        let server = Server::https();
        let offer = Offer::sound();
        let sandbox = sandbox(&offer).attach(&server);
        server.put("/catalog.json", Reply::ok(offer.catalog()));
        sandbox.run(&["search"]).expect(0);
        let copies = sandbox.cache().join("catalogs");
        let copies: Vec<PathBuf> = fs::read_dir(copies).unwrap().map(|copy| copy.unwrap().path()).collect();
        let [copy] = copies.as_slice() else { panic!("one copy is kept") };
        fs::write(copy, self.spoilt(fs::read(copy).unwrap())).unwrap();
        self.judge(&untouched(&sandbox, |sandbox| sandbox.json(&["info", "hostile", "--offline"])));
        let answer = sandbox.json(&["info", "hostile"]);
        assert_eq!(answer.exit, 0, "the source is asked again: {answer:#?}");
    }

    fn spoilt(&self, mut copy: Vec<u8>) -> Vec<u8> {
        if let Some(at) = self.flip {
            let at = if at < 0 { copy.len() - at.unsigned_abs() } else { at.unsigned_abs() };
            copy[at] ^= 1;
        } else if let Some(cut) = self.cut {
            copy.truncate(copy.len() - cut);
        } else if let Some(more) = &self.append {
            copy.extend(more.bytes());
        } else {
            copy = self.input();
        }
        copy
    }

    fn http(&self) {
        let server = Server::https();
        let sound = Offer::sound();
        let entry = sound.entry.replace(
            "https://raw.githubusercontent.com/Pasta-Devs/Marinara-Agents/main/artifacts/",
            &server.url("/artifacts/"),
        );
        let offer = Offer { entry, ..sound };
        let sandbox = sandbox(&offer).attach(&server);
        let mut replies = BTreeMap::from([
            ("catalog", ("/catalog.json".to_owned(), offer.catalog().into_bytes())),
            ("artifact", (format!("/artifacts/{ARTIFACT}"), offer.artifact.clone())),
            ("pack", (format!("/artifacts/{PACK}"), offer.pack.clone())),
        ]);
        let (path, body) = replies.remove(self.of.as_deref().unwrap()).unwrap();
        server.put(&path, self.reply.as_ref().unwrap().reply(body));
        replies.into_values().for_each(|(path, body)| server.put(&path, Reply::ok(body)));

        let install = ["install", "hostile", "--language", "ru", "--timeout", "20"];
        let answer = untouched(&sandbox, |sandbox| sandbox.json(&install));
        match self.of.as_deref() {
            Some("pack") => self.judge_pack(&answer),
            _ => self.judge(&answer),
        }
        assert_eq!(leftovers(&sandbox.packages()), [""; 0]);
    }

    fn argument(&self, flag: &str) {
        let sandbox = sandbox(&Offer::sound());
        let flag = format!("{flag}={}", self.text.as_deref().unwrap());
        self.judge(&untouched(&sandbox, |sandbox| sandbox.json(&["install", "hostile", &flag, "--dry-run"])));
    }

    fn source(&self) {
        let sandbox = Sandbox::new();
        let flag = format!("--catalog={}", self.text.as_deref().unwrap());
        self.judge(&untouched(&sandbox, |sandbox| sandbox.json(&["search", &flag])));
    }
}

impl Recipe {
    fn reply(&self, sound: Vec<u8>) -> Reply {
        let mut body = self.body.clone().map_or(sound, String::into_bytes);
        body.extend(self.append.iter().flat_map(|more| more.bytes()));
        if let Some(at) = self.flip {
            body[at] ^= 1;
        }
        let mut reply = self.status.map_or_else(|| Reply::ok(body), Reply::status);
        for (name, value) in &self.headers {
            reply = reply.header(name, value);
        }
        if self.gzip {
            reply = reply.gzip();
        }
        if self.endless { reply.endless() } else { reply }
    }
}

/// Everything the program has no business with.
fn outside(sandbox: &Sandbox) -> Tree {
    Tree::of(sandbox.root()).without("data").without("cache")
}

/// Runs it and holds everything outside the data and cache folders against what was there before.
#[track_caller]
fn untouched(sandbox: &Sandbox, run: impl FnOnce(&Sandbox) -> Envelope) -> Envelope {
    let before = outside(sandbox);
    let answer = run(sandbox);
    before.assert_same(&outside(sandbox));
    answer
}

#[test]
fn every_hostile_input_comes_to_what_the_table_says() {
    let rows = rows();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut wrong = Vec::new();
        while let Some((at, row)) = Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, rows.get(at)?)))
        {
            if let Err(panic) = std::panic::catch_unwind(|| row.run()) {
                let why = panic.downcast_ref::<String>().map(String::as_str);
                let why = why.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("?");
                wrong.push(format!("row {} ({}, {}; {}): {why}", at + 1, row.kind, row.hostile, row.expect));
            }
        }
        wrong
    };
    let threads = std::thread::available_parallelism().map_or(2, usize::from).max(2);
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{} of {} rows:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

#[test]
fn no_file_of_the_corpus_is_left_out_of_the_table() {
    fn walk(folder: &Path, below: &str, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let name = format!("{below}{}", entry.file_name().into_string().unwrap());
            match entry.file_type().unwrap().is_dir() {
                true => walk(&entry.path(), &format!("{name}/"), found),
                false => found.push(name),
            }
        }
    }
    let (mut there, mut listed) = (Vec::new(), Vec::new());
    walk(&folder(), "", &mut there);
    there.retain(|name| name.contains('/') && !name.starts_with("base/") && !name.starts_with("finds/"));
    walk(&folder().join("../zips"), "../zips/", &mut there);
    there.retain(|name| !name.ends_with(".md"));
    listed.extend(rows().into_iter().filter_map(|row| row.file));
    there.sort();
    listed.sort();
    assert_eq!(there, listed);
}

#[test]
fn a_catalog_of_rubbish_is_not_told_to_the_last_reason() {
    let rubbish = format!("{{\"manifest\":{{\"files\":[{}0]}}}}", "0,".repeat(204));
    let entries = vec![rubbish; 300];
    let catalog = format!(r#"{{"schemaVersion":1,"generatedAt":"","packages":[{}]}}"#, entries.join(","));
    let sandbox = Sandbox::new();
    let path = sandbox.write("catalog.json", catalog);
    let sandbox = sandbox.catalog(path);
    let answer = sandbox.json(&["search"]);
    let left_out = &answer.search().left_out;
    assert_eq!(left_out.len(), 300);
    let told: usize = left_out.iter().map(|entry| entry.reasons.len()).sum();
    assert!((10_000..11_000).contains(&told), "{told}");
    assert!(left_out.iter().all(|entry| !entry.reasons.is_empty()));
    assert!(left_out[299].reasons[1].ends_with(" more"), "{:?}", left_out[299].reasons);
}
