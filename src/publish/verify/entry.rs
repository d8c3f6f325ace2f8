//! One entry of a catalog, before any of its files is opened.

use super::listed::Listed;
use crate::catalog::{
    Branch, Element, EngineRange, Entry, FileOffer, KINDS, Manifest, PackOffer, Reading, is_official_file,
    means_ruleset, official_catalog, official_faults, official_icon, official_root,
};
use crate::json::{self, Object, integer, parsed, text, texts};
use crate::types::{
    Api, ByteSize, Expected, HttpsUrl, NEWEST_KNOWN_API, Pointer, Problem, Problems, Severity, Version, codes,
};
use url::Url;

/// The most findings told of one entry.
const MOST_OF_AN_ENTRY: usize = 400;

/// What an entry came to.
#[derive(Debug, Default)]
pub(super) struct Judged {
    /// What can be opened of it, even when it breaks a rule that no file has to do with. Nothing for a package of
    /// another kind, and for an entry whose manifest cannot be read.
    pub entry: Option<Entry>,
    /// Whether it is a ruleset, as far as can be told.
    pub is_ruleset: bool,
    /// Pointers begin at the entry.
    pub problems: Problems,
}

/// Everything that is wrong with an entry of a catalog published at `catalog`; of a catalog on disk, an entry whose
/// artifact has an address of the official repository counts as one of the official catalog.
pub(super) fn judge(listed: &Listed<'_>, catalog: Option<&Url>) -> Judged {
    let element = Element::of(listed.text);
    let official = official_address(&element, catalog);
    let reading = match (element.read(), &official) {
        (reading, Some(address)) => reading.published_at(address),
        (reading, None) => reading,
    };
    let mut judged = match reading {
        Reading::OtherKind { kinds, .. } => Judged { problems: judge_other(&element, &kinds), ..Judged::default() },
        Reading::Ruleset(entry) => {
            Judged { problems: entry.notes.clone().into(), entry: Some(*entry), is_ruleset: true }
        }
        Reading::Unusable { reasons, notes, manifest, .. } => {
            let entry = manifest.and_then(|manifest| salvaged(&element, *manifest, &reasons));
            let more = entry.as_ref().zip(official.as_ref()).map(|(entry, address)| official_faults(entry, address));
            let problems = reasons.into_iter().chain(notes).chain(more.unwrap_or_default()).collect();
            Judged { problems, entry, is_ruleset: true }
        }
    };
    if judged.is_ruleset && official.is_some() {
        judge_store_page(&element, &mut judged.problems);
        judge_official_range(listed, &mut judged.problems);
    }
    // Their places are in the document, which is longer than the entry.
    judged.problems.extend(json::repeated_keys(listed.text.as_bytes()).into_iter().map(Problem::unplaced));
    judged
}

/// What is wrong with the kinds of a package that is no ruleset, whose other rules are not ours to judge: a slip in them
/// takes a ruleset out of the catalog without a word.
fn judge_other(element: &Element<'_>, kinds: &[String]) -> Problems {
    let at = Pointer::root().at("manifest").at("kind");
    let strangers = kinds.iter().enumerate().filter(|(_, kind)| !KINDS.contains(&kind.as_str()));
    let severity = if is_newer(element) { Severity::Warning } else { Severity::Error };
    let mut found = Problems::at_most(MOST_OF_AN_ENTRY);
    found.extend(strangers.map(|(index, kind)| {
        let message = format!("`{}` is no kind of package", json::excerpt(kind));
        let hint = format!("the kinds are {}; an engine leaves out an entry of any other", KINDS.join(", "));
        Problem { severity, ..Problem::new(codes::MANIFEST_KIND, &at.at(index), message) }.hint(hint)
    }));
    if found.is_empty() && has_ruleset(element) {
        let message = "a package with `ruleset.json` among its assets is of kind `ruleset`";
        found.push(Problem::new(codes::K1, &at, message));
    }
    found
}

/// Whether a package is for engines newer than this tool, which may know kinds it does not.
fn is_newer(element: &Element<'_>) -> bool {
    let api = element.manifest().and_then(|manifest| {
        let api = Object::parse(manifest.get("capabilityApi")?.get(), Pointer::root()).ok()?;
        let number = |key: &str| integer(0, u32::MAX.into())(api.get(key)?).ok()?.try_into().ok();
        Some(Api { major: number("major")?, minor: number("minor")? })
    });
    api.is_some_and(|api| !NEWEST_KNOWN_API.runs(api))
}

fn has_ruleset(element: &Element<'_>) -> bool {
    let paths = element.manifest().and_then(|manifest| {
        let contributions = Object::parse(manifest.get("contributions")?.get(), Pointer::root()).ok()?;
        let assets = Object::parse(contributions.get("assets")?.get(), Pointer::root()).ok()?;
        texts(assets.get("paths")?).ok()
    });
    paths.is_some_and(|paths| paths.iter().any(|path| means_ruleset(path)))
}

/// The address the official rules are judged by, if they hold.
fn official_address(element: &Element<'_>, catalog: Option<&Url>) -> Option<Url> {
    match catalog {
        Some(address) => official_root(address).map(|_| address.clone()),
        None => {
            let artifact = Object::parse(element.entry()?.get("artifact")?.get(), Pointer::root()).ok()?;
            let is_official = is_official_file(&text(1, usize::MAX)(artifact.get("url")?).ok()?);
            is_official.then(|| official_catalog(Branch::Main, None).parse().ok())?
        }
    }
}

/// The ends every official range has. No other rule depends on them, so an entry that has others is only remarked on.
fn judge_official_range(listed: &Listed<'_>, found: &mut Problems) {
    let Some(EngineRange { min, max_exclusive: max }) = &listed.range else { return };
    let is_below =
        |version: &Version, floor: &str| floor.parse::<Version>().is_ok_and(|floor| version.precedence(&floor).is_lt());
    if is_below(min, "2.3.0") {
        let message = format!("`min` is {min}; official packages are for engines from 2.3.0 on");
        found.push(Problem::new(codes::OFFICIAL_RANGE, &at_engine().at("min"), message));
    }
    if is_below(max, "4.0.0") {
        let message = format!("`maxExclusive` is {max}; official packages are for engines up to 4.0.0 at least");
        found.push(Problem::new(codes::OFFICIAL_RANGE, &at_engine().at("maxExclusive"), message));
    }
}

fn at_engine() -> Pointer {
    Pointer::root().at("manifest").at("engine")
}

/// What an official entry shows beside its name.
fn judge_store_page(element: &Element<'_>, found: &mut Problems) {
    let Some(entry) = element.entry() else { return };
    let root = Pointer::root();
    if entry.get("documentationUrl").is_none() {
        let problem = Problem::new(codes::MISSING_DOCUMENTATION, &root, "the entry has no `documentationUrl`");
        found.push(problem.hint("name the page that says how the ruleset is played"));
    }
    let icon = entry.get("iconUrl").map(parsed::<HttpsUrl>);
    match (icon, element.id()) {
        (None, _) => {
            let problem = Problem::new(codes::MISSING_ICON, &root, "the entry has no `iconUrl`");
            found.push(problem.hint("official icons lie in `artwork/agent-covers/` as `<id>.png`, 512 by 512 pixels"));
        }
        (Some(Ok(icon)), Some(id)) if icon.as_str() != official_icon(&id) => {
            let message = format!("{icon} is not the official address {}", official_icon(&id));
            found.push(Problem::new(codes::OFFICIAL_ICON, &root.at("iconUrl"), message));
        }
        // What is no address is `entry-icon`'s.
        _ => {}
    }
}

/// What of an unusable entry can be opened all the same, so that one mistake does not hide those in its files: a manifest
/// that says which package it is and what files it has, an artifact and packs with an address, a hash and a size.
fn salvaged(element: &Element<'_>, manifest: Manifest, reasons: &[Problem]) -> Option<Entry> {
    // No artifact holds files that are listed like this, and that has been told.
    let of_files =
        |reason: &Problem| [codes::MANIFEST_FILES, codes::MANIFEST_PATH, codes::DUPLICATE_PATH].contains(&reason.code);
    let entry = element.entry().filter(|_| !reasons.iter().any(of_files))?;
    let is_ruleset = manifest.kinds.iter().any(|kind| kind == "ruleset");
    let artifact = is_ruleset.then(|| offer(entry.get("artifact")?.get())).flatten()?;
    let locales = entry.get("locales").and_then(|locales| Object::parse(locales.get(), Pointer::root()).ok());
    let pack = |(key, value): (&str, &serde_json::value::RawValue)| {
        let (language, file) = (key.parse().ok()?, offer(value.get())?);
        Some(PackOffer { language, file, name: String::new(), description: String::new() })
    };
    let packs = locales.iter().flat_map(Object::fields).filter_map(pack).collect();
    Some(Entry { manifest, artifact, packs, notes: Vec::new() })
}

fn offer(file: &str) -> Option<FileOffer> {
    let file = Object::parse(file, Pointer::root()).ok()?;
    let most = crate::catalog::MAX_ARTIFACT.0;
    let bytes = integer(1, most)(file.get("bytes")?).ok()?;
    let expected = Expected { sha256: parsed(file.get("sha256")?).ok()?, bytes: ByteSize(bytes) };
    Some(FileOffer { url: parsed(file.get("url")?).ok()?, expected })
}
