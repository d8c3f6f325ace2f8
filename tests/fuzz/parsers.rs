//! Every parser that meets untrusted bytes, and what must hold of whatever it accepts.

use super::seeds;
use rulepack::catalog::{Manifest, Reading, incompatibilities, read_entry};
use rulepack::fetch::{CatalogSource, Mirror};
use rulepack::internals::face::{LongWord, clean, clean_lines, json_safe, shorten, width, wrap};
use rulepack::internals::json;
use rulepack::internals::package::{self, Sink};
use rulepack::internals::store::{self, Decisions, Registered};
use rulepack::ruleset::{self, Originals, PackReport, PackTexts, essentials};
use rulepack::types::{
    Api, ByteSize, Cancel, Code, Coded, Expected, HttpsUrl, Language, PackageId, SafePath, Severity, Sha256, Version,
    suggest,
};
use serde_json::Value;
use serde_json::value::RawValue;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, Cursor};
use std::path::{Component, Path};
use std::str::FromStr;

pub struct Parser {
    pub name: &'static str,
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Parses, holds what was accepted to its promises, and tells in a few words what came of it: an input that comes
    /// to something new is worth going on from.
    pub run: fn(&[u8]) -> String,
    /// The most bytes of memory for each byte of input, beyond [`AT_LEAST`].
    pub per_byte: usize,
}

/// The memory any input may take, however short: buffers of fixed size.
pub const AT_LEAST: usize = 1 << 20;

/// A text is copied a few times at most.
const TEXT: usize = 64;
/// A record of the registry takes some sixty bytes beside its text, needs two, and is held twice here.
const RECORDS: usize = 160;
/// A finding takes some hundred bytes and needs two.
const FINDINGS: usize = 400;
/// What `json::document` makes of `{"":0}`.
const TREE: usize = 320;

pub const PARSERS: &[Parser] = &[
    Parser { name: "catalog", seeds: || seeds::rows("catalog"), run: catalog, per_byte: FINDINGS },
    Parser { name: "entry", seeds: entries, run: entry, per_byte: FINDINGS },
    Parser { name: "manifest", seeds: || vec![seeds::entry("/manifest")], run: manifest, per_byte: FINDINGS },
    Parser { name: "artifact", seeds: artifacts, run: artifact, per_byte: FINDINGS },
    Parser { name: "pack", seeds: packs, run: pack, per_byte: FINDINGS },
    Parser { name: "ruleset", seeds: rulesets, run: ruleset, per_byte: TREE },
    Parser { name: "registry", seeds: || seeds::rows("registry"), run: registry, per_byte: RECORDS },
    Parser { name: "state", seeds: || seeds::rows("state"), run: state, per_byte: FINDINGS },
    Parser { name: "decisions", seeds: || seeds::rows("decisions"), run: decisions, per_byte: 2 * TREE },
    Parser { name: "intent", seeds: || seeds::rows("intent"), run: intent, per_byte: FINDINGS },
    Parser { name: "copy", seeds: copies, run: copy, per_byte: TEXT },
    Parser { name: "language", seeds: languages, run: language, per_byte: TEXT },
    Parser { name: "version", seeds: || seeds::rows("version"), run: version, per_byte: TEXT },
    Parser { name: "words", seeds: words, run: all_words, per_byte: TEXT },
    Parser { name: "path", seeds: paths, run: path, per_byte: TEXT },
    Parser { name: "url", seeds: urls, run: url, per_byte: TEXT },
    Parser { name: "retry-after", seeds: waits, run: retry_after, per_byte: TEXT },
    Parser { name: "json", seeds: documents, run: document, per_byte: TREE },
    Parser { name: "terminal", seeds: shown, run: terminal, per_byte: TEXT },
];

fn texts(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// An outcome without the numbers and quotes that make each message another.
fn kind(message: impl std::fmt::Display) -> String {
    let message = message.to_string();
    let plain = message.split('`').step_by(2).flat_map(str::chars).filter(|c| c.is_ascii_alphabetic() || *c == ' ');
    plain.take(120).collect()
}

fn outcome<T, E: std::fmt::Display>(result: &Result<T, E>) -> String {
    result.as_ref().map_or_else(kind, |_| "ok".to_owned())
}

fn magnitude(count: usize) -> u32 {
    count.checked_ilog2().map_or(0, |log| log + 1)
}

fn lossy(input: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(input)
}

// The catalog and its entries.

fn catalog(input: &[u8]) -> String {
    let copy = match rulepack::internals::fetch::fuzzing::catalog(input) {
        Ok(copy) => copy,
        Err(why) => return kind(why),
    };
    assert_eq!(copy.body().unwrap().as_bytes(), input, "it is kept as it came");
    for (ordinal, row) in copy.rows().enumerate() {
        let raw = copy.raw_of(row).unwrap();
        assert_eq!(serde_json::from_str::<&RawValue>(&raw).unwrap().get(), raw, "an element is one value");
        if let Some(id) = row.id.filter(|_| ordinal < 16) {
            assert!(id.parse::<PackageId>().is_ok());
            assert!(copy.rows_of(id).any(|same| same == row), "{id} is not found by name");
        }
        judge(read_entry(&raw), &raw);
    }
    let header = rulepack::internals::fetch::fuzzing::header_of(&copy);
    assert_eq!(
        rulepack::internals::fetch::fuzzing::copy_header(header.as_bytes()).as_deref(),
        Some(&*header),
        "it is read as written"
    );
    format!("ok {} {}", magnitude(copy.rows().count()), magnitude(copy.ids().count()))
}

fn entries() -> Vec<Vec<u8>> {
    [seeds::rows("entry"), vec![seeds::entry("")]].concat()
}

fn entry(input: &[u8]) -> String {
    let text = lossy(input);
    judge(read_entry(&text), &text)
}

fn judge(reading: Reading, text: &str) -> String {
    match &reading {
        Reading::Ruleset(entry) => {
            same_again(&entry.manifest);
            for tag in ["ru", "en", "zh-TW"] {
                let language: Language = tag.parse().unwrap();
                entry.card(&language);
                entry.pack_for(&language).inspect(|pack| assert!(!pack.language.is_english()));
            }
            assert!(entry.packs.len() <= 40 && entry.notes.len() <= 201);
            assert!(entry.packs.iter().all(|pack| pack.file.url.file_name().parse::<SafePath>().is_ok()));
            incompatibilities(&entry.manifest, "3.0.0".parse().ok().as_ref(), Some(Api { major: 1, minor: 813 }));
        }
        Reading::OtherKind { kinds, .. } => assert!(!kinds.is_empty()),
        Reading::Unusable { reasons, notes, .. } => {
            assert!((1..=201).contains(&reasons.len()) && notes.len() <= 201);
        }
    }
    let told = match reading.published_at(&"https://example.org/catalog.json".parse().unwrap()) {
        Reading::Ruleset(entry) => format!("ruleset {}", codes(&entry.notes)),
        Reading::OtherKind { .. } => "other kind".to_owned(),
        Reading::Unusable { reasons, .. } => codes(&reasons),
    };
    let longest = 64 * text.len() + 4096;
    assert!(told.len() < longest);
    told
}

fn codes(problems: &[rulepack::types::Problem]) -> String {
    let codes: std::collections::BTreeSet<&str> = problems.iter().map(|problem| problem.code.as_str()).collect();
    codes.into_iter().collect::<Vec<_>>().join(" ")
}

fn same_again(manifest: &Manifest) {
    let again = Manifest::parse(manifest.raw.get()).expect("what was read is read again");
    assert!(manifest.says_the_same_as(&again) && again.says_the_same_as(manifest));
    let pretty = json::pretty(manifest.raw.get()).expect("a manifest is no deeper than what is laid out");
    let laid_out = Manifest::parse(&pretty).expect("laying out changes nothing");
    assert_eq!((&laid_out.id, &laid_out.version), (&manifest.id, &manifest.version));
    assert!(laid_out.files.iter().zip(&manifest.files).all(|(a, b)| a.path == b.path && a.expected == b.expected));
}

fn manifest(input: &[u8]) -> String {
    match Manifest::parse(&lossy(input)) {
        Ok(manifest) => {
            same_again(&manifest);
            format!("ok {}", magnitude(manifest.files.len()))
        }
        Err(problems) => codes(&problems),
    }
}

// What is downloaded.

#[derive(Default)]
struct Files {
    whole: BTreeMap<SafePath, Vec<u8>>,
    open: Option<(SafePath, Vec<u8>)>,
}

impl Sink for Files {
    fn begin(&mut self, path: &SafePath) -> io::Result<()> {
        assert!(self.open.replace((path.clone(), Vec::new())).is_none(), "{path} begins within another file");
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.open.as_mut().expect("bytes of no file").1.extend_from_slice(bytes);
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        let (path, bytes) = self.open.take().expect("the end of no file");
        assert!(self.whole.insert(path, bytes).is_none(), "a file came twice");
        Ok(())
    }
}

fn artifacts() -> Vec<Vec<u8>> {
    [seeds::rows("artifact"), vec![seeds::base("bundle.json"), seeds::base("ruleset.json")]].concat()
}

thread_local! {
    /// The sound manifest, and the same of the ruleset alone, which may come as it is.
    static DECLARED: [Manifest; 2] = {
        let whole: Value = serde_json::from_slice(&seeds::entry("/manifest")).unwrap();
        let mut alone = whole.clone();
        alone["files"].as_array_mut().unwrap().truncate(1);
        alone["contributions"]["assets"]["paths"] = serde_json::json!(["ruleset.json"]);
        [whole, alone].map(|manifest| Manifest::parse(&manifest.to_string()).unwrap())
    };
}

fn artifact(input: &[u8]) -> String {
    let told = DECLARED.with(|declared| declared.each_ref().map(|manifest| unpack(input, manifest)));
    told.join("; ")
}

fn unpack(input: &[u8], manifest: &Manifest) -> String {
    let mut files = Files::default();
    match package::unpack(Cursor::new(input), manifest, &mut files, &Cancel::default()) {
        Ok(contents) => {
            assert!(files.open.is_none());
            assert_eq!(files.whole.len(), manifest.files.len(), "exactly what was declared");
            for file in &manifest.files {
                assert!(file.expected.check(&files.whole[&file.path]).is_ok(), "{}", file.path);
            }
            let stored = std::str::from_utf8(&contents.wrapping.manifest_json).unwrap();
            assert!(manifest.says_the_same_as(&Manifest::parse(stored).unwrap()));
            assert_eq!(files.whole[&"ruleset.json".parse().unwrap()], contents.ruleset);
            format!("{:?}", contents.wrapping.container)
        }
        Err(faults) => format!("{} {}", kind(faults.first()), magnitude(faults.all().count())),
    }
}

fn packs() -> Vec<Vec<u8>> {
    [seeds::rows("pack"), vec![seeds::base("pack.json")]].concat()
}

fn pack(input: &[u8]) -> String {
    let language: Language = "ru".parse().unwrap();
    let (checked, all) = (ruleset::check_pack(input, &language), ruleset::check_pack_all(input, &language));
    // Those that are told, and the one that counts the others.
    assert!(all.len() <= 1001);
    assert_eq!(checked.is_ok(), all.iter().all(|problem| problem.severity != Severity::Error), "both say the same");
    let originals = Originals::new(["Prone", "Fire Bolt", "Heals 3"]);
    let PackReport { problems, coverage } = ruleset::check_pack_against(input, &language, Some(&originals));
    // The card has a name and a description.
    assert_eq!(coverage.translated + coverage.missing, originals.len() + 2);
    if checked.is_err() {
        assert!(problems.iter().any(|problem| problem.severity == Severity::Error), "maintainers refuse no less");
    }
    if checked.is_ok() {
        assert!(PackTexts::read(input).is_some());
        let read: Value = serde_json::from_slice(input).expect("a pack is JSON");
        assert_eq!(read["_meta"]["locale"].as_str().unwrap().parse::<Language>().unwrap(), language);
        assert!(read["ruleset"].as_object().unwrap().values().all(Value::is_string));
    }
    format!("{} {}", outcome(&checked), codes(&all))
}

fn rulesets() -> Vec<Vec<u8>> {
    [seeds::rows("ruleset"), vec![seeds::base("ruleset.json"), seeds::base("gear.json")]].concat()
}

fn ruleset(input: &[u8]) -> String {
    let sound = seeds_of_ruleset();
    let api = Some(Api { major: 1, minor: 20 });
    let as_file = BTreeMap::from([("catalogs/gear.json".parse().unwrap(), input.to_vec())]);
    let told = [essentials(input, &BTreeMap::new(), api), essentials(&sound, &as_file, api)].map(|read| match read {
        Ok(read) => {
            assert!(!read.name.is_empty() && read.version >= 1 && read.id.len() <= 64);
            "ok".to_owned()
        }
        Err(problems) => codes(&problems),
    });
    told.join("; ")
}

fn seeds_of_ruleset() -> Vec<u8> {
    thread_local!(static SOUND: RefCell<Option<Vec<u8>>> = const { RefCell::new(None) });
    SOUND.with(|sound| sound.borrow_mut().get_or_insert_with(|| seeds::base("ruleset.json")).clone())
}

// What lies in the store.

fn registry(input: &[u8]) -> String {
    let mut registry = match store::fuzzing::registry(input) {
        Ok(registry) => registry,
        Err(why) => return kind(why),
    };
    let text = registry.to_text();
    let mut again = store::fuzzing::registry(text.as_bytes()).expect("what is written is read");
    assert_eq!(again.to_text(), text, "writing it once more changes nothing");
    let rulesets = registry.rulesets();
    assert!(rulesets.is_sorted_by(|a, b| a.id < b.id));
    let ids = |rulesets: &[store::Installed]| rulesets.iter().map(|ruleset| ruleset.id.clone()).collect::<Vec<_>>();
    assert_eq!(ids(&rulesets), ids(&again.rulesets()));
    for ruleset in rulesets.iter().take(8) {
        assert!(matches!(registry.look_up(ruleset.id.as_str()), Registered::Ruleset(_)));
        again.put(&ruleset.id, Some(ruleset.to_record()));
        assert!(again.ruleset(&ruleset.id).is_some_and(|read| read.version == ruleset.version), "our own record");
        registry.put(&ruleset.id, None);
        assert!(!registry.has(ruleset.id.as_str()));
    }
    assert!(store::fuzzing::registry(again.to_text().as_bytes()).is_ok());
    format!("ok {} {}", magnitude(rulesets.len()), magnitude(registry.unreadable_rulesets().len()))
}

fn state(input: &[u8]) -> String {
    match store::fuzzing::state(input) {
        Ok(state) => {
            assert_eq!(store::fuzzing::state(state.to_text().as_bytes()).unwrap(), state);
            format!("ok {}", magnitude(state.packages.len()))
        }
        Err(why) => kind(why),
    }
}

fn decisions(input: &[u8]) -> String {
    let demo: PackageId = "hostile".parse().unwrap();
    let mut decisions = Decisions::parse(input);
    let told = format!("{}", decisions.declined(&demo).is_some());
    assert_eq!(Decisions::parse(decisions.to_text().as_bytes()), decisions);
    decisions.set(&demo, Some("2.0.0"), "now");
    let again = Decisions::parse(decisions.to_text().as_bytes());
    assert_eq!((again.declined(&demo), &again), (Some("2.0.0"), &decisions));
    told
}

fn intent(input: &[u8]) -> String {
    let paths = match store::fuzzing::intent(input) {
        Ok(paths) => paths,
        Err(why) => return kind(why),
    };
    paths.iter().for_each(|path| stays_inside(&path.parse().expect("every path is a safe one")));
    format!("ok {}", magnitude(paths.len()))
}

fn copies() -> Vec<Vec<u8>> {
    let sound = rulepack::internals::fetch::fuzzing::catalog(
        br#"{"schemaVersion":1,"generatedAt":"","packages":[{"manifest":{"id":"a"}},null,{"manifest":{"id":"b"}}]}"#,
    );
    [seeds::rows("copy"), vec![rulepack::internals::fetch::fuzzing::header_of(&sound.unwrap()).into_bytes()]].concat()
}

fn copy(input: &[u8]) -> String {
    let Some(header) = rulepack::internals::fetch::fuzzing::copy_header(input) else { return "none".to_owned() };
    assert_eq!(rulepack::internals::fetch::fuzzing::copy_header(header.as_bytes()).as_deref(), Some(&*header));
    format!("ok {}", magnitude(header.lines().count()))
}

// Single words.

/// What is parsed, printed and parsed again is the same.
fn stable<T: FromStr<Err: std::fmt::Display> + std::fmt::Display + PartialEq>(text: &str) -> Result<T, String> {
    let value: T = text.parse().map_err(kind)?;
    let printed = value.to_string();
    let again: Result<T, String> = printed.parse().map_err(kind);
    assert!(
        again.is_ok_and(|again| again == value && again.to_string() == printed),
        "{text:?} is printed as {printed:?}"
    );
    Ok(value)
}

fn languages() -> Vec<Vec<u8>> {
    let more = ["sr_RS@latin", "zh-Hant-TW", "de-CH-1901", "ca-ES-valencia", "en-US-u-ca-buddhist", "iw", "cmn", "no"];
    [seeds::rows("language"), texts(&more)].concat()
}

fn language(input: &[u8]) -> String {
    let text = lossy(input);
    match stable::<Language>(&text) {
        Ok(language) => {
            let chain = language.fallbacks();
            assert!(chain.contains(&language) && chain.len() < 64);
            for tag in chain.iter() {
                stays_inside(&format!("locales/{tag}.json").parse().expect("a language names a file"));
                assert_eq!(stable::<Language>(tag.as_str()).as_ref(), Ok(tag));
            }
            assert!(language.pick([&language]).is_some());
            format!("ok {} {}", chain.len(), language.is_english())
        }
        Err(why) => why,
    }
}

fn version(input: &[u8]) -> String {
    let text = lossy(input);
    let (one, other) = text.split_once(' ').unwrap_or((&text, "1.0.0-rc.1"));
    let (Ok(one), Ok(other)) = (stable::<Version>(one), stable::<Version>(other)) else { return "none".to_owned() };
    assert!(one.precedence(&one).is_eq());
    assert_eq!(one.precedence(&other), other.precedence(&one).reverse());
    stays_inside(&one.to_string().parse().expect("a version names a folder"));
    format!("{:?} {}", one.precedence(&other), one.is_canonical())
}

fn words() -> Vec<Vec<u8>> {
    texts(&["hostile", "5e-2014", "1.813", "17", &"0".repeat(64), "4.0 MiB", "a-b-c"])
}

fn all_words(input: &[u8]) -> String {
    let text = lossy(input);
    let id = stable::<PackageId>(&text);
    id.iter().for_each(|id| stays_inside(&id.to_string().parse().expect("an id names a folder")));
    assert!(suggest(&text, ["hostile", "5e-2014"].into_iter()).len() <= 3);
    let others = [stable::<Sha256>(&text).is_ok(), stable::<Api>(&text).is_ok(), text.parse::<u64>().is_ok()];
    let quoted = Value::from(&*text).to_string();
    let read = (serde_json::from_str::<ByteSize>(&quoted).is_ok(), serde_json::from_str::<Expected>(&text).is_ok());
    format!("{} {others:?} {read:?}", outcome(&id))
}

fn paths() -> Vec<Vec<u8>> {
    let edits =
        ["ruleset.json", "catalogs/gear.json", "catalogs/NUL.json", "../x", "a/./b", "COM\u{b9}", "\u{e9}/e\u{301}"];
    texts(&edits)
}

fn path(input: &[u8]) -> String {
    let path = stable::<SafePath>(&lossy(input));
    if let Ok(path) = &path {
        stays_inside(path);
        let folded = path.folded();
        if let Ok(again) = folded.parse::<SafePath>() {
            assert_eq!(again.folded(), folded, "{path}");
        }
    }
    outcome(&path)
}

#[track_caller]
fn stays_inside(path: &SafePath) {
    let below = path.below(Path::new("root"));
    let mut parts = below.components();
    assert_eq!(parts.next(), Some(Component::Normal("root".as_ref())));
    assert!(parts.all(|part| matches!(part, Component::Normal(_))), "{path}");
}

fn urls() -> Vec<Vec<u8>> {
    let more = [
        "https://example.org/a/b.json",
        "https://EXAMPLE.org:443/%2e%2e/b%00.json?x#y",
        "https://xn--e1afmkfd.xn--p1ai/\u{43f}",
        "http://[::1]:80/c.json",
        "https://127.1/x",
        "https:///h",
    ];
    [seeds::rows("source"), texts(&more)].concat()
}

fn url(input: &[u8]) -> String {
    let text = lossy(input);
    let url = text.parse::<HttpsUrl>();
    if let Ok(url) = &url {
        assert_eq!(url.as_str().parse::<HttpsUrl>().as_ref(), Ok(url));
        assert_eq!(url.url().scheme(), "https");
        assert!(url.url().host().is_some() && url.url().username().is_empty() && url.url().password().is_none());
        assert!(url.folder().starts_with("https://"), "{url}");
        if let Some(folder) = url.plain_folder() {
            let parsed = url.url();
            assert_eq!(Some(url.file_name().as_str()), parsed.path_segments().and_then(|mut parts| parts.next_back()));
            let beside = HttpsUrl::in_plain_folder(folder, &format!("{folder}x.json")).expect("a plain name in it");
            assert_eq!((beside.folder(), &*beside.file_name()), (url.folder(), "x.json"));
        }
        rulepack::types::redacted(&url.url());
    }
    let (source, mirror) = (CatalogSource::parse(&text), Mirror::parse(&text));
    assert_eq!(source.is_ok(), mirror.is_ok());
    if let Ok(CatalogSource::Web(address)) = &source {
        let host = address.url().host_str().unwrap();
        let ours = ["localhost", "[::1]"].contains(&host) || host.starts_with("127.");
        assert!(address.url().scheme() == "https" || ours, "{address}");
    }
    format!("{} {}", outcome(&url), source.as_ref().map_or_else(|error| error.code().to_string(), |_| "ok".to_owned()))
}

fn waits() -> Vec<Vec<u8>> {
    texts(&["7", " 0 ", "18446744073709551616", "Wed, 21 Oct 2026 07:28:00 GMT", "Sunday, 06-Nov-94 08:49:37 GMT"])
}

fn retry_after(input: &[u8]) -> String {
    rulepack::internals::fetch::fuzzing::retry_after(&lossy(input))
        .map_or_else(String::new, |wait| magnitude(wait.as_secs() as usize).to_string())
}

// JSON as such, and what is shown.

fn documents() -> Vec<Vec<u8>> {
    [seeds::rows("catalog"), seeds::rows("ruleset"), vec![seeds::base("entry.json")]].concat()
}

fn document(input: &[u8]) -> String {
    let read = json::document(input, Code::InvalidRuleset.rule());
    let Ok(text) = std::str::from_utf8(input) else { return "no text".to_owned() };
    let valid = serde_json::from_str::<&RawValue>(text);
    assert!(valid.is_ok() || read.is_err());
    let told = match (&valid, json::pretty(text)) {
        (Ok(valid), Ok(pretty)) => {
            assert_eq!(json::pretty(&pretty).unwrap(), pretty, "laid out once is laid out");
            assert_eq!(json::depth(&pretty), json::depth(valid.get()));
            // A key that is half a surrogate pair cannot be read, so it equals nothing but its own spelling.
            let readable = !text.to_ascii_lowercase().contains("\\ud");
            assert!(!readable || json::equal(text, &pretty), "laying out changes no value");
            format!("ok {}", magnitude(json::depth(&pretty)))
        }
        (Ok(valid), Err(_)) => {
            assert!(json::depth(valid.get()) > json::MAX_DEPTH);
            "deep".to_owned()
        }
        (Err(_), laid_out) => outcome(&laid_out),
    };
    if let Ok(value) = &read {
        assert_eq!(serde_json::from_str::<Value>(&value.to_string()).unwrap(), *value);
    }
    format!("{told} {}", read.map_or_else(|problem| kind(problem.message), |_| String::new()))
}

fn shown() -> Vec<Vec<u8>> {
    let more = [
        "\u{1b}[31mred\u{7}\u{9b}1m",
        "a\u{202e}b\u{2066}c\u{200b}",
        "\u{645}\u{6cc}\u{200c}\u{62e}",
        "\u{1f469}\u{1f3fd}\u{200d}\u{1f680}\u{fe0f}\u{1f1e9}\u{1f1ea}",
        "a\u{301}\u{301}\u{301}\u{6f22}\u{5b57}\u{ac00}\u{1100}\u{1161}",
        "one two\r\nthree\tfour",
        "\u{e0041}\u{180b}\u{fff9}\u{2028}",
    ];
    texts(&more)
}

fn terminal(input: &[u8]) -> String {
    let text = lossy(input);
    let one_line = clean(&text);
    assert!(!one_line.chars().any(char::is_control), "{one_line:?}");
    let overrides = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}' | '\u{feff}');
    assert!(!one_line.chars().any(overrides), "{one_line:?}");
    assert_eq!(clean(&one_line), one_line, "what is clean stays as it is");
    assert!(!clean_lines(&text).chars().any(|c| c.is_control() && c != '\n'));
    for columns in [0, 1, 7, 80] {
        assert!(width(&shorten(&text, columns)) <= columns);
    }
    for line in wrap(&one_line, 20, LongWord::Break) {
        assert!(width(&line) <= 20, "{line:?}");
    }
    let safe = json_safe(serde_json::to_string(&*text).unwrap());
    assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), text);
    assert!(!safe.chars().any(|c| c.is_control() || overrides(c)));
    format!("{} {}", magnitude(one_line.len()), one_line.len() == text.len())
}
