//! Fuzzing of every parser that meets untrusted bytes. Inputs are made by mutation from the corpus of
//! `testdata/hostile`; one that comes to something no input came to before is kept to go on from. No input may panic,
//! take long, take more memory than its length allows, or break what its parser promises (`parsers.rs`).
//!
//! `cargo test` runs it for some seconds from a fixed seed. For longer, with the seed it prints to run the same again:
//!
//! ```sh
//! RULEPACK_FUZZ_SECONDS=600 cargo test --release --test fuzz -- --nocapture
//! RULEPACK_FUZZ_SECONDS=60 RULEPACK_FUZZ_SEED=7 RULEPACK_FUZZ_PARSER=artifact cargo test --test fuzz -- --nocapture
//! ```
//!
//! What fails is made as short as it stays failing and written to a file, which belongs into `testdata/hostile/finds`
//! once the fault is mended: from then on every run begins with it.

mod memory;
mod mutate;
mod parsers;
mod random;
mod seeds;

use parsers::{AT_LEAST, PARSERS, Parser};
use random::Random;
use std::collections::{HashMap, HashSet};
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::sync::{LazyLock, Mutex, MutexGuard, Once};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

#[global_allocator]
static HEAP: memory::Counting = memory::Counting;

/// More than any input of this length needs, on a busy machine and without optimisation.
const PATIENCE: Duration = Duration::from_secs(10);
/// After this nobody waits any longer for it to come back.
const HANGS: Duration = Duration::from_secs(60);
/// How many inputs are kept to go on from.
const POOL: usize = 4096;

/// What each test is running since when, for the watchdog.
static RUNNING: LazyLock<Mutex<Running>> = LazyLock::new(Mutex::default);

type Running = HashMap<ThreadId, (Instant, &'static str, Vec<u8>)>;

fn running() -> MutexGuard<'static, Running> {
    RUNNING.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn variable<T: std::str::FromStr>(name: &str) -> Option<T> {
    std::env::var(name).ok()?.parse().ok()
}

/// Runs one input; gives what came of it, or what is wrong.
fn run(parser: &Parser, input: &[u8]) -> Result<String, String> {
    let start = Instant::now();
    let thread = std::thread::current().id();
    running().insert(thread, (start, parser.name, input.to_vec()));
    let (told, held) = memory::most_held(|| std::panic::catch_unwind(AssertUnwindSafe(|| (parser.run)(input))));
    running().remove(&thread);
    let told = told.map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap_or_default()
    })?;
    if start.elapsed() > PATIENCE {
        return Err(format!("it took {:?}", start.elapsed()));
    }
    let allowed = AT_LEAST + parser.per_byte * input.len();
    if held > allowed {
        return Err(format!(
            "it took {held} bytes of memory, where {allowed} are allowed for {} of input",
            input.len()
        ));
    }
    Ok(told)
}

/// The inputs of one parser, and the random numbers that make new ones.
struct Campaign {
    parser: &'static Parser,
    pool: Vec<Vec<u8>>,
    seen: HashSet<String>,
    random: Random,
    executions: u64,
}

impl Campaign {
    /// Begins with every seed as it is.
    fn begin(parser: &'static Parser, seed: u64) -> Self {
        let mut campaign =
            Campaign { parser, pool: Vec::new(), seen: HashSet::new(), random: Random::new(seed), executions: 0 };
        for input in [seeds::finds(parser.name), (parser.seeds)()].concat() {
            campaign.try_out(&input);
            campaign.pool.push(input);
        }
        campaign
    }

    fn go_on(&mut self, until: Instant) {
        while Instant::now() < until {
            let (one, other) = (self.random.below(self.pool.len()), self.random.below(self.pool.len()));
            let input = mutate::mutated(&self.pool[one], &self.pool[other], &mut self.random);
            let is_new = self.try_out(&input);
            if is_new && self.pool.len() < POOL {
                self.pool.push(input);
            }
        }
    }

    /// Whether it came to something new.
    fn try_out(&mut self, input: &[u8]) -> bool {
        self.executions += 1;
        match run(self.parser, input) {
            Ok(told) => self.seen.len() < POOL && self.seen.insert(told),
            Err(why) => report(self.parser, input, &why),
        }
    }
}

fn report(parser: &Parser, input: &[u8], why: &str) -> ! {
    std::panic::set_hook(Box::new(|_| ()));
    let short = shortened(parser, input.to_vec());
    let _ = std::panic::take_hook();
    let path = keep(parser.name, &short);
    panic!("{}: {why}\n{} bytes in {}: {}", parser.name, short.len(), path.display(), excerpt(&short));
}

fn excerpt(input: &[u8]) -> String {
    input[..input.len().min(200)].escape_ascii().to_string()
}

fn keep(parser: &str, input: &[u8]) -> PathBuf {
    let name = format!("{parser}-{:.8}", rulepack::types::Sha256::of(input).to_string());
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, input).unwrap();
    path
}

/// Leaves out piece after piece, as long as it still fails.
fn shortened(parser: &Parser, mut input: Vec<u8>) -> Vec<u8> {
    let end = Instant::now() + Duration::from_secs(10);
    let mut piece = input.len() / 2;
    while piece > 0 && Instant::now() < end {
        let mut at = 0;
        while at < input.len() && Instant::now() < end {
            let without = [&input[..at], &input[(at + piece).min(input.len())..]].concat();
            if run(parser, &without).is_err() { input = without } else { at += piece }
        }
        piece /= 2;
    }
    input
}

/// Ends the process when an input does not come back, which no test can do from within.
fn watch() {
    static WATCHDOG: Once = Once::new();
    WATCHDOG.call_once(|| {
        std::thread::spawn(|| {
            loop {
                std::thread::sleep(Duration::from_secs(1));
                let hanging = running().values().find(|(start, ..)| start.elapsed() > HANGS).cloned();
                if let Some((_, parser, input)) = hanging {
                    eprintln!("{parser} hangs on {}", keep(parser, &input).display());
                    std::process::abort();
                }
            }
        });
    });
}

#[test]
fn no_parser_panics_hangs_fills_the_memory_or_breaks_its_promises() {
    let seconds: Option<u64> = variable("RULEPACK_FUZZ_SECONDS");
    let by_clock = || std::time::UNIX_EPOCH.elapsed().unwrap().as_nanos() as u64;
    let seed = variable("RULEPACK_FUZZ_SEED").unwrap_or_else(|| seconds.map_or(1, |_| by_clock()));
    let only: Option<String> = variable("RULEPACK_FUZZ_PARSER");
    let parsers: Vec<&'static Parser> =
        PARSERS.iter().filter(|parser| only.as_ref().is_none_or(|name| parser.name == name)).collect();
    assert!(!parsers.is_empty(), "no parser is called {only:?}");
    println!("RULEPACK_FUZZ_SEED={seed}");
    watch();
    let mut campaigns: Vec<Campaign> =
        (1..).zip(parsers).map(|(n, parser)| Campaign::begin(parser, seed.wrapping_mul(n))).collect();
    let share = Duration::from_secs(seconds.unwrap_or(5)) / campaigns.len() as u32;
    for campaign in &mut campaigns {
        campaign.go_on(Instant::now() + share);
        let Campaign { parser, seen, executions, .. } = campaign;
        println!("{:>12}: {executions:>9} executions, {:>4} outcomes", parser.name, seen.len());
    }
}

/// The parser of a name.
fn parser(name: &str) -> &'static Parser {
    PARSERS.iter().find(|parser| parser.name == name).unwrap()
}

/// An input of many pieces, each with its number in the place of `#`.
fn many(start: &str, piece: &str, end: &str) -> Vec<u8> {
    const BYTES: usize = 64 << 10;
    let pieces: Vec<String> = (0..BYTES / (piece.len() + 1)).map(|n| piece.replace('#', &n.to_string())).collect();
    format!("{start}{}{end}", pieces.join(",")).into_bytes()
}

#[test]
fn little_that_makes_much_is_held_to_its_length() {
    watch();
    let envelope = r#"{"schemaVersion":1,"generatedAt":"","packages":["#;
    let manifest = |key: &str| format!(r#"{{"manifest":{{"{key}":"#);
    let pack = r#"{"_meta":{"locale":"ru"},"ruleset":{"#;
    let registry = r#"{"schemaVersion":1,"packages":["#;
    for (name, input) in [
        ("catalog", many(envelope, "0", "]}")),
        ("catalog", many(envelope, r#"{"manifest":{"files":[0,0,0,0,0,0,0,0]}}"#, "]}")),
        ("catalog", many(envelope, r#"{"manifest":{"id":"x#"}}"#, "]}")),
        ("entry", many("{", r##""#":0"##, "}")),
        ("entry", many(&(manifest("files") + "["), "0", "]}}")),
        ("entry", many(&(manifest("localizations") + "{"), r##""#":0"##, "}}}")),
        ("entry", many(&(manifest("entrypoints") + "{"), r##""#":"x""##, "}}}")),
        ("entry", many(&(manifest("kind") + "["), r#""""#, "]}}")),
        ("entry", many(r#"{"manifest":{},"locales":{"#, r##""#":0"##, "}}")),
        ("pack", many(pack, r##""#":0"##, "}}")),
        ("pack", many(pack, r##""#":"""##, "}}")),
        ("pack", many("{", r##""#":0"##, "}")),
        ("ruleset", many("[", r#"{"":0}"#, "]")),
        ("registry", many(registry, "0", "]}")),
        ("registry", many(registry, r#"{"id":"x#"}"#, "]}")),
        ("registry", many(r#"{"schemaVersion":1,"packages":[],"#, r##""#":0"##, "}")),
        ("state", many(r#"{"schema":1,"packages":{"#, r##""x#":{"active":null}"##, "}}")),
        ("decisions", many(r#"{"schemaVersion":1,"x":["#, r#"{"":0}"#, "]}")),
        ("json", many("[", r#"{"":{"":0}}"#, "]")),
        ("json", vec![b'['; 1 << 20]),
        ("terminal", "\u{202e}".repeat(64 << 10).into_bytes()),
        ("terminal", "\u{301}".repeat(32 << 10).into_bytes()),
        ("language", many("", "ru", "")),
        ("path", many("", "a/", "")),
        ("version", many("1.0.0-", "a", "")),
        ("url", many("https://example.org/", "%2e%2e/", "")),
    ] {
        if let Err(why) = run(parser(name), &input) {
            panic!("{name} of {}: {why}", excerpt(&input));
        }
    }
}

#[test]
fn what_is_held_is_counted() {
    let ((), held) = memory::most_held(|| drop(vec![0_u8; 1 << 20]));
    assert!((1 << 20..(1 << 20) + 4096).contains(&held), "{held}");
}
