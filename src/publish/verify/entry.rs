//! One entry of a catalog, before any of its files is opened.

use super::listed::Listed;
use crate::catalog::{
    Branch, Element, EngineRange, Entry, FileOffer, Judged as Read, Manifest, PackOffer, official_faults, official_icon,
};
use crate::json::{self, Object, integer, parsed};
use crate::types::{
    ByteSize, Expected, HttpsUrl, NEWEST_KNOWN_API, Pointer, Problem, Problems, Severity, Version, codes,
};

/// The most findings told of one entry.
const MOST_OF_AN_ENTRY: usize = 400;

/// What an entry came to.
#[derive(Debug)]
pub(super) struct Judged {
    /// What can be opened of it, even when it breaks a rule that no file has to do with. Nothing of an entry whose
    /// manifest cannot be read.
    pub entry: Option<Entry>,
    /// Pointers begin at the entry.
    pub problems: Problems,
}

/// Everything that is wrong with an entry, by the rules of its kind; by those of the official catalog as well, where it
/// stands in that, published on `official`.
pub(super) fn judge(listed: &Listed<'_>, official: Option<Branch>) -> Judged {
    judge_with(listed, official, true)
}

/// The same of an entry that has just been made, and may still get what a store page shows.
pub(super) fn judge_made(listed: &Listed<'_>, official: Option<Branch>) -> Judged {
    judge_with(listed, official, official.is_some())
}

fn judge_with(listed: &Listed<'_>, official: Option<Branch>, page_is_due: bool) -> Judged {
    let element = Element::of(listed.text);
    let Read { manifest, offers, reasons, notes, .. } = element.judge();
    let is_sound = reasons.is_empty();
    let mut problems = Problems::at_most(MOST_OF_AN_ENTRY);
    let entry = manifest.and_then(|manifest| match offers.filter(|_| is_sound) {
        Some((artifact, packs)) => Some(Entry { manifest, artifact, packs, notes: Vec::new() }),
        None => salvaged(&element, manifest, &reasons),
    });
    problems.extend(reasons.into_iter().chain(notes));
    if page_is_due {
        judge_store_page(&element, official, &mut problems);
    }
    problems.extend(entry.as_ref().and_then(unknown_api));
    let entry = match (entry, official) {
        (Some(entry), Some(branch)) => {
            problems.extend(official_faults(&entry, branch));
            Some(entry.published_on(branch))
        }
        (entry, _) => entry,
    };
    if official.is_some() {
        judge_official_range(listed, &mut problems);
    }
    // Their places are in the document, which is longer than the entry.
    problems.extend(json::repeated_keys(listed.text.as_bytes()).into_iter().map(Problem::unplaced));
    Judged { entry, problems }
}

/// An API that no engine this tool knows of has: nobody can install the package yet, if it is not a slip.
fn unknown_api(entry: &Entry) -> Option<Problem> {
    let api = entry.manifest.api.filter(|api| !NEWEST_KNOWN_API.runs(*api))?;
    let message = format!("no known engine has Capability API {api}; the newest is {NEWEST_KNOWN_API}");
    Some(Problem::new(codes::UNKNOWN_API, &Pointer::root().at("manifest").at("capabilityApi"), message))
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

/// What an entry shows beside its name. The official catalog has all of it; in somebody's own a card without it is only
/// a poorer card.
fn judge_store_page(element: &Element<'_>, official: Option<Branch>, found: &mut Problems) {
    let Some(entry) = element.entry() else { return };
    let root = Pointer::root();
    if entry.get("documentationUrl").is_none() {
        let problem = Problem::new(codes::MISSING_DOCUMENTATION, &root, "the entry has no `documentationUrl`");
        found.push(problem.severity(if official.is_some() { Severity::Error } else { Severity::Warning }));
    }
    let icon = entry.get("iconUrl").map(parsed::<HttpsUrl>);
    match (icon, element.id()) {
        (None, _) => {
            let problem = Problem::new(codes::MISSING_ICON, &root, "the entry has no `iconUrl`");
            let hint = official.map_or(
                "give the address of an image of 512 by 512 pixels",
                |_| "publish the icon as `artwork/agent-covers/<id>.png`, 512 by 512 pixels",
            );
            found.push(problem.hint(hint));
        }
        (Some(Ok(icon)), Some(id)) if official.is_some() && icon.as_str() != official_icon(&id) => {
            let message = format!("{icon} is not the official address {}", official_icon(&id));
            found.push(Problem::new(codes::OFFICIAL_ICON, &root.at("iconUrl"), message));
        }
        // What is no address is `entry-icon`'s.
        _ => {}
    }
}

/// What of an unusable entry can be opened all the same, so that one mistake does not hide those in its files: a
/// manifest that says which package it is and what files it has, an artifact and packs with an address, a hash and a
/// size.
fn salvaged(element: &Element<'_>, manifest: Manifest, reasons: &[Problem]) -> Option<Entry> {
    // No artifact holds files that are listed like this, and that has been told.
    let of_files =
        |reason: &Problem| [codes::MANIFEST_FILES, codes::MANIFEST_PATH, codes::DUPLICATE_PATH].contains(&reason.code);
    let entry = element.entry().filter(|_| !reasons.iter().any(of_files))?;
    let artifact = offer(entry.get("artifact")?.get())?;
    let locales = entry.get("locales").filter(|_| manifest.is_ruleset());
    let locales = locales.and_then(|locales| Object::parse(locales.get(), Pointer::root()).ok());
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
