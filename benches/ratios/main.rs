//! What rulepack costs, each figure against something a user could run instead, measured in the same run on data made
//! here: `cargo bench` prints the table, `cargo bench -- silence sync` the rows of these names.
//!
//! Every comparison is made in pairs, one command after the other, and the table shows medians: the machine may be busy
//! with other things, but it is as busy for both.

mod data;
// The scenarios use more of it than this does.
#[allow(unused_imports)]
#[path = "../../tests/scenarios/kit/mod.rs"]
mod kit;
mod measure;
mod table;

use data::{LARGE_CATALOG, SMALL_CATALOG};
use kit::publish::{Catalog, Container, Ruleset};
use kit::sandbox::Sandbox;
use kit::server::{Reply, Server};
use kit::tree::Tree;
use measure::{pairs, peak, time, time_fed, tool, under};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use table::Goal;

/// What is added to every request, as if the server were some way off.
const DELAY: Duration = Duration::from_millis(50);

/// What is measured together, by name.
const ROWS: &[(&str, fn())] = &[
    ("startup", startup),
    ("sync", sync),
    ("silence", silence),
    ("install", install),
    ("every_tenth", every_tenth),
    ("doctor", doctor),
    ("search", search),
    ("verify", verify),
    ("meaning", meaning),
    #[cfg(feature = "diceframe")]
    ("audit_dice", audit_dice),
    ("memory", memory),
];

fn main() {
    // Cargo adds a flag of its own.
    let named: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    table::head();
    for &(name, rows) in ROWS {
        if named.is_empty() || named.iter().any(|named| name.contains(named.as_str())) {
            rows();
        }
    }
}

/// A run as the engine makes it.
fn engine_run(sandbox: &Sandbox, arguments: &[&str]) -> Command {
    sandbox.command(arguments).arg("--json").into_command()
}

fn version(sandbox: &Sandbox) -> Command {
    sandbox.command(&["--version"]).into_command()
}

fn startup() {
    let what = "rulepack --version";
    let Some(nothing) = tool("true") else { return table::skipped(what, "true") };
    let sandbox = Sandbox::new();
    let found = pairs(400, || time(version(&sandbox)), || time(Command::new(&nothing)));
    table::row(what, "true", found, Goal::More(Duration::from_millis(1)));
}

/// A server, and a reader who has twenty rulesets of its catalog.
fn twenty_installed() -> (Server, Catalog, Sandbox) {
    let server = Server::https();
    let rulesets = || (0..20).map(data::ruleset);
    let catalog = data::catalog(&server, rulesets(), SMALL_CATALOG);
    catalog.mount(&server);
    let sandbox = data::sandbox().attach(&server);
    install_all(&sandbox, rulesets());
    (server, catalog, sandbox)
}

fn sync() {
    let (server, catalog, sandbox) = twenty_installed();
    server.forget();
    let found = pairs(400, || time(engine_run(&sandbox, &["sync"])), || time(version(&sandbox)));
    assert_eq!(server.requests().len(), 0, "there was something to do");
    let what = format!("sync, nothing to do: 20 rulesets, {} catalog", megabytes(catalog.text().len() as u64));
    table::row(&what, "rulepack --version", found, Goal::Times(1.5));
}

/// A language of the catalog that nobody reads yet.
const OTHER: &str = "pt-BR";

/// What a page waits while a server accepts and never answers: 20 rulesets, as the engine runs it when a page opens.
fn silence() {
    let (server, catalog, sandbox) = twenty_installed();
    let sync = |arguments: &[&str]| time(engine_run(&sandbox, &[&["sync"], arguments].concat()));
    let bounded = |what: &str, found: Duration, most: f64| {
        let (took, most_told) = (format!("{:.0} ms", found.as_secs_f64() * 1e3), format!("{:.0} ms", most * 1e3));
        table::figure(what, &took, "a page's patience", &most_told, found.as_secs_f64() / most, 1.0);
    };
    server.hold_back("/catalog.json");
    let first = (0..5).map(|_| {
        let _ = std::fs::remove_dir_all(sandbox.cache().join("setbacks"));
        age_the_catalog(&sandbox);
        sync(&[])
    });
    bounded("sync, stale catalog, silent server", first.max().unwrap_or_default(), 1.2);
    // Asked a moment ago.
    let fresh = || {
        make_the_catalog_fresh(&sandbox);
        sync(&[])
    };
    let stale = || {
        age_the_catalog(&sandbox);
        sync(&[])
    };
    let found = pairs(40, stale, fresh);
    table::row("the same once more", "sync with a fresh catalog", found, Goal::Times(1.3));
    make_the_catalog_fresh(&sandbox);
    for number in 0..20 {
        server.hold_back(&catalog.pack_path(&data::ruleset(number).manifest().id, OTHER));
    }
    bounded("sync, 20 packs of a silent server", sync(&["--language", OTHER]), 4.3);
    empty(&sandbox.cache());
    bounded("sync without any catalog, silent server", sync(&["--language", OTHER]), 4.3);
}

/// Rewrites when the kept copy of the catalog was fetched.
fn set_fetched_at(sandbox: &Sandbox, seconds_ago: u64) {
    let folder = sandbox.cache().join("catalogs");
    let copies = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let path = copies.last().expect("a copy of the catalog");
    let bytes = std::fs::read(&path).unwrap();
    let first = bytes.iter().position(|byte| *byte == b'\n').unwrap();
    let line = std::str::from_utf8(&bytes[..first]).unwrap();
    let length: usize = line.split(' ').nth(2).unwrap().parse().unwrap();
    let header = std::str::from_utf8(&bytes[first + 1..first + 1 + length]).unwrap();
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    let old = header.lines().find(|line| line.starts_with("fetched-at ")).unwrap();
    let header = header.replacen(old, &format!("fetched-at {}", now - seconds_ago), 1);
    let mut copy =
        format!("rulepack-catalog 1 {} {}\n{header}", header.len(), kit::sha256(header.as_bytes())).into_bytes();
    copy.extend(&bytes[first + 1 + length..]);
    std::fs::write(&path, copy).unwrap();
}

fn age_the_catalog(sandbox: &Sandbox) {
    set_fetched_at(sandbox, 3600);
}

fn make_the_catalog_fresh(sandbox: &Sandbox) {
    set_fetched_at(sandbox, 0);
}

/// A maintainer's check over https of 300 rulesets with 10 files each, 10 ms a request, of which every tenth is
/// answered with 503 the first time.
fn every_tenth() {
    let what = "catalog verify over https, 3,300 files, every tenth 503";
    let Some(curl) = tool("curl") else { return table::skipped(what, "curl") };
    let server = Server::https();
    let languages = ["ar", "cs", "de", "fr", "it", "ja", "pl", "ru", "sv", "zh-Hans"];
    let ruleset = |number: usize| {
        let new = Ruleset::new(&format!("bench-{number}"), "1.0.0");
        languages.iter().fold(new, |ruleset, language| ruleset.pack(language, &[("Grit", "x")]))
    };
    let catalog = (0..300).map(ruleset).fold(Catalog::on(&server), Catalog::with);
    catalog.mount(&server);
    let mut paths = Vec::new();
    for number in 0..300 {
        let id = format!("bench-{number}");
        paths.push(catalog.artifact_path(&id));
        paths.extend(languages.iter().map(|language| catalog.pack_path(&id, language)));
    }
    paths.iter().for_each(|path| server.change(path, |reply| reply.after(Duration::from_millis(10))));
    let sandbox = data::sandbox().attach(&server);
    let spoil = || paths.iter().step_by(10).for_each(|path| server.put_first(path, 1, Reply::status(503)));
    let list: String = paths
        .iter()
        .enumerate()
        .map(|(n, path)| format!("url = \"{}\"\noutput = \"f{n}\"\n", server.url(path)))
        .collect();
    let list = sandbox.write("urls", list);
    let ca = sandbox.root().join("ca.pem");
    let verify = || {
        spoil();
        let mut run = engine_run(&sandbox, &["catalog", "verify"]);
        let start = std::time::Instant::now();
        let output = run.output().unwrap();
        assert!(output.status.code().is_some(), "{output:?}");
        start.elapsed()
    };
    let fetch = || {
        spoil();
        let mut curl = Command::new(&curl);
        curl.args(["-Z", "--parallel-max", "8", "--retry", "3", "--silent", "--cacert"]).arg(&ca);
        time({
            curl.arg("--config").arg(&list).current_dir(sandbox.work());
            curl
        })
    };
    table::row(what, "curl -Z --parallel-max 8 --retry 3", pairs(3, verify, fetch), Goal::Times(1.2));
}

fn install_all(sandbox: &Sandbox, rulesets: impl IntoIterator<Item = Ruleset>) {
    let ids: Vec<String> = rulesets.into_iter().map(|ruleset| ruleset.manifest().id).collect();
    let mut arguments = vec!["install", "--require-pack"];
    arguments.extend(ids.iter().map(String::as_str));
    sandbox.run(&arguments).expect(0);
}

fn install() {
    let what = "install: 1.3 MB zip, 0.8 MB pack, 50 ms a request";
    for needed in ["curl", "unzip", "sha256sum", "sh"] {
        if tool(needed).is_none() {
            return table::skipped(what, needed);
        }
    }
    let server = Server::https();
    let catalog = Catalog::on(&server).with(data::ordinary());
    catalog.mount(&server);
    let id = data::ordinary().manifest().id;
    for path in ["/catalog.json", &catalog.artifact_path(&id), &catalog.pack_path(&id, "ru")] {
        server.change(path, |reply: Reply| reply.after(DELAY));
    }
    let sandbox = data::sandbox().attach(&server);
    let script = Script::new(&server, &catalog, &sandbox, &id);
    let install = || time(engine_run(&sandbox, &["install", "--require-pack", &id]));

    let anew = || {
        empty(&sandbox.data());
        empty(&sandbox.cache());
        install()
    };
    let found = pairs(20, anew, || script.run(true));
    table::row(what, "curl, then curl --parallel, sha256sum, unzip", found, Goal::Faster);

    let with_the_catalog = || {
        empty(&sandbox.data());
        empty(&sandbox.cache().join("files"));
        install()
    };
    let found = pairs(20, with_the_catalog, || script.run(false));
    table::row("the same, its catalog read before", "curl --parallel, sha256sum, unzip", found, Goal::Faster);

    server.forget();
    anew();
    let after = server.requests().len() - 1;
    // Requests under way at the same time are one trip.
    let trips = if server.most_in_flight() == after { 1 } else { after };
    let what = format!("its round trips after the catalog's, for {after} files");
    table::figure(&what, &trips.to_string(), "", "", trips as f64, 2.0);
}

/// What somebody without rulepack would write to get the same files, checked and unpacked.
struct Script {
    folder: PathBuf,
    catalog: String,
    files: String,
}

impl Script {
    fn new(server: &Server, catalog: &Catalog, sandbox: &Sandbox, id: &str) -> Self {
        let folder = sandbox.work().join("script");
        let ca = sandbox.root().join("ca.pem");
        let curl = format!("curl --silent --show-error --fail --cacert '{}'", ca.display());
        let entry = catalog.entry(id);
        let (artifact, pack) = (&entry["artifact"], &entry["locales"]["ru"]);
        let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
        let catalog = format!("{curl} -o catalog.json {}\n", server.url("/catalog.json"));
        let files = format!(
            "{curl} --parallel -o artifact.zip {} -o pack.json {}\n\
             printf '%s  %s\\n' {} artifact.zip {} pack.json | sha256sum --check --quiet\n\
             unzip -q artifact.zip -d ruleset\n",
            text(&artifact["url"]),
            text(&pack["url"]),
            text(&artifact["sha256"]),
            text(&pack["sha256"]),
        );
        Script { folder, catalog, files }
    }

    fn run(&self, with_catalog: bool) -> Duration {
        empty(&self.folder);
        let catalog = if with_catalog { self.catalog.as_str() } else { "" };
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!("set -e\n{catalog}{}", self.files)).current_dir(&self.folder);
        time(shell)
    }
}

fn empty(folder: &Path) {
    let _ = std::fs::remove_dir_all(folder);
    std::fs::create_dir_all(folder).unwrap();
}

fn doctor() {
    let what = "doctor, 1,000 files";
    let Some(openssl) = tool("openssl") else { return table::skipped(what, "openssl") };
    let server = Server::https();
    // With `ruleset.json`, two catalog files of every ruleset, the manifest and the pack: fifty each.
    let rulesets: Vec<Ruleset> = (0..20).map(|number| data::of_files(number, 45, 26_000)).collect();
    data::catalog(&server, rulesets.clone(), 0).mount(&server);
    let sandbox = data::sandbox().attach(&server);
    install_all(&sandbox, rulesets);
    let versions = sandbox.packages().join("versions");
    let files: Vec<PathBuf> = Tree::of(&versions).files().iter().map(|file| versions.join(file)).collect();
    assert_eq!(files.len(), 1_000);
    let bytes: u64 = files.iter().map(|file| file.metadata().unwrap().len()).sum();
    let what = format!("{what}, {}", megabytes(bytes));

    let doctor = || engine_run(&sandbox, &["doctor"]);
    let digests = || {
        let mut digests = Command::new(&openssl);
        digests.args(["dgst", "-sha256"]).args(&files).current_dir(sandbox.work());
        digests
    };
    match tool("taskset") {
        Some(taskset) => {
            let one_core = |command: Command| time(under(&taskset, &["-c", "0"], &command));
            let found = pairs(40, || one_core(doctor()), || one_core(digests()));
            table::row(&format!("{what}, on one core"), "openssl dgst -sha256, on one core", found, Goal::Times(1.2));
        }
        None => table::skipped(&format!("{what}, on one core"), "taskset"),
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let found = pairs(40, || time(doctor()), || time(digests()));
    table::row(&format!("{what}, on {cores} cores"), "openssl dgst -sha256", found, Goal::Faster);
}

/// A catalog on disk, and a sandbox that has it in its cache.
struct Read {
    sandbox: Sandbox,
    file: PathBuf,
    bytes: u64,
}

fn reading(entries: usize) -> Read {
    let server = Server::https();
    let catalog = data::catalog(&server, [], entries);
    catalog.mount(&server);
    let sandbox = data::sandbox().attach(&server);
    sandbox.run(&["search", "nothing of this name"]).expect(0);
    let text = catalog.text();
    Read { file: sandbox.write("catalog.json", &text), bytes: text.len() as u64, sandbox }
}

impl Read {
    /// Every entry is read and judged; a few are found.
    fn search(&self) -> Command {
        engine_run(&self.sandbox, &["search", "--offline", "ember", "77"])
    }

    fn search_all(&self) -> Command {
        engine_run(&self.sandbox, &["search", "--offline"])
    }
}

fn search() {
    let (small, large) = (reading(SMALL_CATALOG), reading(LARGE_CATALOG));
    match tool("jq") {
        Some(jq) => {
            for (read, runs) in [(&small, 60), (&large, 20)] {
                let length = || {
                    time({
                        let mut length = Command::new(&jq);
                        length.arg("length").arg(&read.file);
                        length
                    })
                };
                let size = megabytes(read.bytes);
                let found = pairs(runs, || time(read.search()), length);
                table::row(&format!("search two words, {size} catalog cached"), "jq length", found, Goal::Times(0.35));
                let found = pairs(runs, || time(read.search_all()), length);
                table::row(&format!("search, all of {size} listed"), "jq length", found, Goal::Times(0.35));
            }
        }
        None => table::skipped("search two words, catalog cached", "jq"),
    }
    let found = pairs(20, || time(large.search()), || time(small.search()));
    let times = large.bytes as f64 / small.bytes as f64;
    let what = format!("search in {}", megabytes(large.bytes));
    table::row(
        &what,
        &format!("search in {}, {times:.1} times smaller", megabytes(small.bytes)),
        found,
        Goal::Times(times.round()),
    );
    match peak(&large.search_all()) {
        Some(most) => {
            let ratio = most as f64 / large.bytes as f64;
            table::figure(
                "peak memory of search, all listed",
                &megabytes(most),
                "the catalog's size",
                &megabytes(large.bytes),
                ratio,
                3.0,
            );
        }
        None => table::skipped("peak memory of search", "time"),
    }
}

fn verify() {
    let what = format!("catalog verify: {} rulesets, {} packs", data::VERIFIED, data::VERIFIED * data::VERIFIED_PACKS);
    let Some(openssl) = tool("openssl") else { return table::skipped(&what, "openssl") };
    let Some(taskset) = tool("taskset") else { return table::skipped(&what, "taskset") };
    let sandbox = Sandbox::new();
    let folder = sandbox.work().join("catalog");
    let (names, bytes) = data::verified_catalog(&folder);
    let verify = || engine_run(&sandbox, &["catalog", "verify", "catalog", "--offline"]);
    let digests = || {
        let mut digests = Command::new(&openssl);
        digests.args(["dgst", "-sha256"]).args(&names).current_dir(folder.join("artifacts"));
        under(&taskset, &["-c", "0"], &digests)
    };
    let what = format!("{what}, {}", megabytes(bytes));
    let found = pairs(7, || time(verify()), || time(digests()));
    table::row(&what, "openssl dgst -sha256, on one core", found, Goal::Times(2.0));
    match peak(&verify()) {
        Some(most) => {
            let allowed = 200_000_000;
            let ratio = most as f64 / allowed as f64;
            table::figure("its peak memory", &megabytes(most), "200 MB", &megabytes(allowed), ratio, 1.0);
        }
        None => table::skipped("its peak memory", "time"),
    }
}

/// Sheets and texts in one call each, against reading and writing the same JSON and changing nothing.
fn meaning() {
    let sandbox = Sandbox::new();
    let seed = kit::seed::path();
    let seed = seed.to_str().unwrap();

    let sheets: String = (0..10_000).map(data::sheet).collect();
    let file = sandbox.write("sheets.jsonl", &sheets);
    let migrate = || time(sandbox.command(&["migrate", seed, "sheets.jsonl"]).into_command());
    let found = pairs(20, migrate, || read_and_write(&file, &sandbox.work().join("copy.jsonl")));
    let what = format!("migrate 10,000 sheets, {}", megabytes(sheets.len() as u64));
    table::row(&what, "reading and writing their JSON", found, Goal::Times(3.0));

    let texts: String = (0..100_000).map(data::text).collect();
    let listed = sandbox.write("texts.txt", &texts);
    let translate = || engine_run(&sandbox, &["translate", seed, "-", "--language", "ru"]);
    let stdin = || std::fs::File::open(&listed).unwrap();
    let answer = translate().stdin(stdin()).output().unwrap().stdout;
    let answer = sandbox.write("answer.json", answer);
    let found =
        pairs(20, || time_fed(translate(), stdin()), || read_and_write(&answer, &sandbox.work().join("copy.json")));
    table::row("translate 100,000 texts", "reading and writing the JSON of the answer", found, Goal::Times(3.0));
}

/// Reads JSON, a document a line, and writes it again.
fn read_and_write(from: &Path, to: &Path) -> Duration {
    let started = std::time::Instant::now();
    let mut written = String::new();
    for line in std::fs::read_to_string(from).unwrap().lines() {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        written += &value.to_string();
        written.push('\n');
    }
    std::fs::write(to, written).unwrap();
    started.elapsed()
}

/// The release profile, by the three rules made for it and seven of a pack.
#[cfg(feature = "diceframe")]
fn audit_dice() {
    let what = "audit dice, 10 rules × 10000 rounds × 6 players, one core";
    let Some(one_core) = tool("taskset") else { return table::skipped(what, "taskset") };
    let sandbox = Sandbox::new();
    let rules = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/diceframe/dice-tide");
    let profile = ["--rounds", "10000", "--players", "6", "--distribution-samples", "200000", "--rule-path", rules];
    let audit = engine_run(&sandbox, &[["audit", "dice"].as_slice(), profile.as_slice()].concat());
    let audit = || time(under(&one_core, &["-c", "0"], &audit));
    let found = pairs(20, audit, || time(under(&one_core, &["-c", "0"], &version(&sandbox))));
    table::row(what, "rulepack --version", found, Goal::More(Duration::from_millis(500)));
}

fn memory() {
    for (container, name) in [(Container::Zip, "zip"), (Container::Bundle, "bundle")] {
        let server = Server::https();
        let huge = data::huge(container);
        let catalog = Catalog::on(&server).with(huge);
        catalog.mount(&server);
        let sandbox = data::sandbox().attach(&server);
        let size = catalog.entry("bench-huge")["artifact"]["bytes"].as_u64().unwrap();
        let what = format!("peak memory of install, {} {name}", megabytes(size));
        match peak(&engine_run(&sandbox, &["install", "bench-huge"])) {
            Some(most) => {
                let allowed = 64 << 20;
                table::figure(
                    &what,
                    &megabytes(most),
                    "64 MiB",
                    &megabytes(allowed),
                    most as f64 / allowed as f64,
                    1.0,
                );
            }
            None => table::skipped(&what, "time"),
        }
    }
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}
