//! `catalog build` and `catalog entry`: from what an author keeps to what a catalog publishes.

mod base_url;
mod container;
mod entry;
mod folder;
mod manifest;
mod notes;
mod output;
mod replaced;
mod single;

pub use base_url::BaseUrl;
pub use single::{EntryOrder, MadeEntry, entry};

use super::verify;
use crate::catalog::{FIRST_LANE, Manifest, official_artifacts};
use crate::disk::read_plain;
use crate::fetch::{CatalogSource, Settings};
use crate::inspect::{CHANGELOG, CheckReport, Findings, PackageFolder, Summary, check_sources};
use crate::json::{Object, pretty};
use crate::package::Container;
use crate::threads;
use crate::types::{
    Cancel, Code, Failure, HttpsUrl, PackageId, Pointer, Problem, Severity, Silent, did_you_mean, suggest,
};
use entry::{Card, Entry, Links, Listing, Offer, PackOffer};
use folder::{Folder, raw};
use notes::{Notes, PackageNotes};
use output::{Output, Published};
use serde::Serialize;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const NOTES: &str = "notes.json";
const CATALOG: &str = "catalog.json";

/// The moment a catalog says it was generated at when none was ever said: builds do not look at the clock, so that the
/// same sources always make the same bytes (docs/spec/catalog.md#catalog).
const NEVER: &str = "1970-01-01T00:00:00.000Z";

/// What to build, and what for.
#[derive(Clone, Debug)]
pub struct Order {
    /// A package folder, a folder of them, or one whose `packages/` holds them.
    pub dir: PathBuf,
    /// Where `catalog.json`, the lanes and `artifacts/` go.
    pub out: PathBuf,
    /// The address `artifacts/` will have. Without it the one it has in the catalog in `out`, else the official one.
    pub base_url: Option<BaseUrl>,
    pub containers: Containers,
    /// `generatedAt`; without it what the catalog in `out` says stays.
    pub generated_at: Option<String>,
    /// Whether what breaks stored sheets is published all the same, with a warning.
    pub allow_breaking: bool,
}

impl Order {
    /// The folder of the catalog as answers name it: paths in them are absolute (docs/spec/commands.md#json).
    fn told_out(&self) -> String {
        std::path::absolute(&self.out).unwrap_or_else(|_| self.out.clone()).display().to_string()
    }
}

/// Which kind of artifact each package becomes.
#[derive(Clone, Debug)]
pub struct Containers {
    pub usual: Container,
    pub of: BTreeMap<String, Container>,
}

/// What was built.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Built {
    /// The folder of the catalog, absolute.
    pub out: String,
    /// What is wrong with the sources, or with what was made of them. With an error among it nothing was written.
    pub problems: Vec<Problem>,
    pub summary: Summary,
    pub packages: Vec<BuiltPackage>,
    /// Files that are new or other than before, by their path from `out`; source manifests by their own path.
    pub written: Vec<String>,
    /// Lanes no package is for any more, by their path from `out`.
    pub removed: Vec<String>,
    /// Files that were as they had to be.
    pub unchanged: usize,
}

/// One package of a catalog that was built.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BuiltPackage {
    pub id: String,
    pub version: String,
    /// The artifact's file name.
    pub artifact: String,
    pub bytes: u64,
    /// The languages it has packs in.
    pub languages: Vec<String>,
}

/// One package, built and not yet written.
struct Ready {
    manifest: Manifest,
    /// Where it lies, and what its manifest is to say.
    source: (PackageFolder, String),
    entry: Entry,
    notes: Option<PackageNotes>,
    /// By name: the artifact first, then the packs.
    files: Vec<(String, Vec<u8>)>,
}

/// Builds a catalog out of package folders: artifacts, language packs, `catalog.json`, one lane per major engine
/// version, and `notes.json` beside each of them where a package keeps a `CHANGELOG.md`.
///
/// What no manifest says of a package (category, icon, documentation) is in its `listing.json` or, without one, as in
/// the catalog already in `out`; so is the `generatedAt`. The manifests in the sources get the sizes and hashes of
/// their files.
///
/// The sources are checked as `check --against` does, each held against the artifact it takes the place of, and what
/// was made of them as `catalog verify` does: what either refuses is not put in place.
///
/// # Errors
///
/// Whatever keeps a catalog from being made at all, or cannot be read or written. Nothing has been written then.
pub fn build(order: &Order, cancel: &Cancel) -> Result<Built, Failure> {
    let folders = PackageFolder::find(&order.dir)?;
    let sources = check_sources(&folders, cancel);
    if let Some(failure) = sources.failures.into_iter().next() {
        return Err(failure);
    }
    let mut report = sources.report;
    if report.summary.errors > 0 {
        return Ok(refused(order, report.problems, report.summary));
    }
    let existing = Existing::read(&order.out.join(CATALOG))?;
    let replaced = [vec![CATALOG.to_owned()], lanes_in(&order.out)].concat();
    let broken = replaced::broken(&folders, (&order.out, &replaced), cancel)?;
    let as_bad = |it: Problem| if order.allow_breaking { it.severity(Severity::Warning) } else { it };
    report.problems.extend(broken.into_iter().map(as_bad));
    let ready: Vec<Ready> =
        threads::map(&folders, |place| ready(place, order, &existing)).into_iter().collect::<Result<_, _>>()?;
    let mut ids = BTreeSet::new();
    refuse_strangers(&order.containers, &ready)?;
    if let Some(twice) = ready.iter().find(|package| !ids.insert(package.manifest.id.as_str())) {
        let message = format!("`{}` is the id of two package folders", twice.manifest.id);
        return Err(Failure::new(Code::InvalidEntry, message).hint("give each package of a catalog its own id"));
    }
    write(order, &existing, ready, report, cancel)
}

/// A package whose container was chosen and that is not there is a mistake of whoever chose.
fn refuse_strangers(containers: &Containers, ready: &[Ready]) -> Result<(), Failure> {
    let known = || ready.iter().map(|package| package.manifest.id.as_str());
    let Some(stranger) = containers.of.keys().find(|id| !known().any(|known| known == id.as_str())) else {
        return Ok(());
    };
    let failure = Failure::new(Code::Usage, format!("no package folder has the id `{stranger}`"));
    Err(Failure { hint: did_you_mean(&suggest(stranger, known())), ..failure })
}

/// Nothing was made, for these reasons.
fn refused(order: &Order, problems: Vec<Problem>, summary: Summary) -> Built {
    let Findings { problems, summary } = Findings::new(problems, summary.packages, summary.files, false);
    let (packages, written, removed) = (Vec::new(), Vec::new(), Vec::new());
    Built { out: order.told_out(), problems, summary, packages, written, removed, unchanged: 0 }
}

fn ready(place: &PackageFolder, order: &Order, existing: &Existing) -> Result<Ready, Failure> {
    let folder = Folder::read(place)?;
    let (text, manifest) = folder.complete_manifest()?;
    let id = manifest.id.as_str();
    let container = order.containers.of.get(id).copied().unwrap_or(order.containers.usual);
    let stem = format!("{id}-{}", manifest.version.as_str());
    let bytes =
        container::pack(container, &raw_manifest(&text)?, &folder.files).map_err(|failure| failure.package(id))?;
    let notes = match &folder.changelog {
        Some(text) => Some(PackageNotes::read(text, &manifest.version, &place.path().join(CHANGELOG))?),
        None => None,
    };
    let mut files = vec![(format!("{stem}.ruleset.json"), bytes)];
    files.extend(folder.packs.iter().map(|(tag, bytes)| (format!("{stem}.{tag}.json"), bytes.clone())));
    let (before, links) = folder.listing.clone().or_else(|| existing.listings.get(id).cloned()).unwrap_or_default();
    let base = order.base_url.as_ref().unwrap_or(&existing.base);
    let entry = compose(raw_manifest(&text)?, base, &files, (before, links))?;
    Ok(Ready { source: (folder.place, text + "\n"), manifest, entry, notes, files })
}

fn raw_manifest(text: &str) -> Result<Box<RawValue>, Failure> {
    raw(text.to_owned()).map_err(|why| Failure::new(Code::InvalidEntry, format!("the manifest {why}")))
}

/// The language that the name of a pack ends in.
fn language_in(pack: &str) -> Option<&str> {
    pack.strip_suffix(".json")?.rsplit_once('.').map(|(_, language)| language)
}

/// An entry for an artifact and its packs, `files` in that order, each pack named `<id>-<version>.<language>.json`.
fn compose(
    manifest: Box<RawValue>,
    base: &BaseUrl,
    files: &[(String, Vec<u8>)],
    (before, links): (Listing, Links),
) -> Result<Entry, Failure> {
    let Some(((artifact, bytes), packs)) = files.split_first() else {
        return Err(Failure::new(Code::Internal, "an entry without an artifact"));
    };
    let mut locales = BTreeMap::new();
    for (name, bytes) in packs {
        let Some(language) = language_in(name) else {
            let message = format!("`{name}` is not named `<id>-<version>.<language>.json`");
            return Err(Failure::new(Code::InvalidPack, message));
        };
        let offer = PackOffer { offer: Offer::of(base, name, bytes), card: Card::of(bytes, name)? };
        if locales.insert(language.to_owned(), offer).is_some() {
            return Err(Failure::new(Code::Usage, format!("there are two packs for `{language}`")));
        }
    }
    Ok(Entry { manifest, before, artifact: Offer::of(base, artifact, bytes), links, locales })
}

fn write(
    order: &Order,
    existing: &Existing,
    mut ready: Vec<Ready>,
    sources: CheckReport,
    cancel: &Cancel,
) -> Result<Built, Failure> {
    // By name, as official lanes are; what is written differently but reads the same keeps the order of its ids.
    ready.sort_by_cached_key(|package| (package.manifest.name.to_lowercase(), package.manifest.id.to_string()));
    let mut output = Output::new(&order.out)?;
    for (name, bytes) in ready.iter().flat_map(|package| &package.files) {
        output.put(&format!("artifacts/{name}"), bytes)?;
    }
    let generated_at = order.generated_at.as_deref().or(existing.generated_at.as_deref()).unwrap_or(NEVER);
    let lanes = catalogs(&ready, generated_at);
    for (path, lane) in &lanes {
        output.put(path, lane.as_bytes())?;
    }
    for lane in lanes_in(&order.out).into_iter().filter(|path| !lanes.contains_key(path)) {
        let notes = lane.replace("catalog.json", NOTES);
        if order.out.join(&notes).is_file() {
            output.remove(notes);
        }
        output.remove(lane);
    }
    let notes: BTreeMap<String, PackageNotes> =
        ready.iter_mut().filter_map(|package| Some((package.manifest.id.to_string(), package.notes.take()?))).collect();
    let notes = (!notes.is_empty()).then(|| laid_out(&Notes { schema_version: 1, packages: notes }));
    // Engines ask for them in the folder of the lane they read.
    for beside in lanes.keys().map(|lane| lane.replace("catalog.json", NOTES)) {
        match &notes {
            Some(notes) => output.put(&beside, notes.as_bytes())?,
            None => output.keep(&beside)?,
        }
    }
    for package in &ready {
        output.put_source(&package.source.0, package.source.1.as_bytes())?;
    }
    // Where nothing is said of where it is published, the official addresses are a guess.
    let own = order.base_url.is_none();
    let problems = [sources.problems, problems_of(output.staged(), own, cancel)?].concat();
    let Summary { packages, files, .. } = sources.summary;
    let Findings { problems, summary } = Findings::new(problems, packages, files, false);
    if summary.errors > 0 {
        return Ok(refused(order, problems, summary));
    }
    let Published { written, removed, unchanged } = output.publish()?;
    let packages = ready.iter().map(Ready::report).collect();
    Ok(Built { out: order.told_out(), problems, summary, packages, written, removed, unchanged })
}

/// What `catalog verify` says of a catalog before it is in place. What is in its artifacts and packs was said of the
/// sources already, unless it is an error there that was none here.
fn problems_of(staged: &Path, own: bool, cancel: &Cancel) -> Result<Vec<Problem>, Failure> {
    let folder = Settings::new(CatalogSource::Local(staged.to_owned()), staged.join(".cache"));
    let fetch = Settings { offline: true, ..folder };
    let request = verify::Request { fetch, only: Vec::new(), shallow: true, own, strict: false };
    let verification = match verify::verify(&request, cancel, &Silent)? {
        verify::Verified { interrupted: Some(interrupted), .. } => return Err(interrupted),
        verify::Verified { verification, .. } => verification,
    };
    let is_new = |problem: &Problem| {
        let is_inside = problem.file.as_deref().is_some_and(|file| file.starts_with("artifacts/"));
        problem.severity == Severity::Error || !is_inside
    };
    Ok(verification.problems.into_iter().filter(is_new).collect())
}

impl Ready {
    fn report(&self) -> BuiltPackage {
        BuiltPackage {
            id: self.manifest.id.to_string(),
            version: self.manifest.version.as_str().to_owned(),
            artifact: self.files.first().map(|(name, _)| name.clone()).unwrap_or_default(),
            bytes: self.entry.artifact.expected.bytes.0,
            languages: self.entry.locales.keys().cloned().collect(),
        }
    }
}

/// The lanes and the catalog for engines that know none, which is an exact copy of v2's
/// (docs/spec/catalog.md#lanes-and-preview), by path.
fn catalogs(ready: &[Ready], generated_at: &str) -> BTreeMap<String, String> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Lane<'a> {
        schema_version: u32,
        generated_at: &'a str,
        packages: Vec<&'a Entry>,
    }
    let mut by_major: BTreeMap<u32, Vec<&Entry>> = BTreeMap::from([(FIRST_LANE, Vec::new())]);
    for package in ready {
        for major in package.manifest.engine.lanes() {
            by_major.entry(major).or_default().push(&package.entry);
        }
    }
    let mut files = BTreeMap::new();
    for (major, packages) in by_major {
        let text = laid_out(&Lane { schema_version: 1, generated_at, packages });
        if major == FIRST_LANE {
            files.insert(CATALOG.to_owned(), text.clone());
        }
        files.insert(format!("v{major}/catalog.json"), text);
    }
    files
}

/// The lanes there are in a folder, by path.
fn lanes_in(out: &Path) -> Vec<String> {
    let names =
        fs::read_dir(out).into_iter().flatten().flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let lanes = names.filter(|name| verify::lane(name).is_some()).map(|name| format!("{name}/catalog.json"));
    let mut lanes: Vec<String> = lanes.filter(|path| out.join(path).is_file()).collect();
    lanes.sort();
    lanes
}

fn laid_out(value: &impl Serialize) -> String {
    let text = pretty(&manifest::json_text(value));
    text.unwrap_or_else(|_| unreachable!("what is written is JSON")) + "\n"
}

/// What the catalog already there says and no source does.
struct Existing {
    generated_at: Option<String>,
    /// The address of the folder its artifacts lie in.
    base: BaseUrl,
    listings: BTreeMap<String, (Listing, Links)>,
}

impl Existing {
    /// Nothing where there is no catalog yet. One that cannot be read is not taken for that.
    fn read(path: &Path) -> Result<Self, Failure> {
        let refuse = |why: String| Failure::new(Code::InvalidCatalog, format!("{} {why}", path.display()));
        let bytes = match read_plain(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Existing::nothing()),
            bytes => bytes.map_err(|error| refuse(format!("cannot be read: {error}")))?,
        };
        let text = String::from_utf8(bytes).map_err(|_| refuse("is not UTF-8".to_owned()))?;
        let catalog = Object::parse(&text, Pointer::root()).map_err(refuse)?;
        let generated_at = catalog.get("generatedAt").and_then(|value| serde_json::from_str(value.get()).ok());
        let entries = catalog.get("packages").and_then(|packages| crate::json::list(packages).ok()).unwrap_or_default();
        let listing = |entry: &&RawValue| {
            let object = Object::parse(entry.get(), Pointer::root()).ok()?;
            let manifest = Object::parse(object.get("manifest")?.get(), Pointer::root()).ok()?;
            let id: PackageId = crate::json::parsed(manifest.get("id")?).ok()?;
            let (before, links) = (serde_json::from_str(entry.get()), serde_json::from_str(entry.get()));
            Some((id.to_string(), (before.unwrap_or_default(), links.unwrap_or_default())))
        };
        let listings = entries.iter().filter_map(listing).collect();
        let base = entries.iter().find_map(|entry| folder_of_artifact(entry)).unwrap_or_else(official);
        Ok(Existing { generated_at, base, listings })
    }

    fn nothing() -> Self {
        Existing { generated_at: None, base: official(), listings: BTreeMap::new() }
    }
}

fn official() -> BaseUrl {
    official_artifacts().parse().unwrap_or_else(|_| unreachable!("it is an https address"))
}

fn folder_of_artifact(entry: &RawValue) -> Option<BaseUrl> {
    let entry = Object::parse(entry.get(), Pointer::root()).ok()?;
    let artifact = Object::parse(entry.get("artifact")?.get(), Pointer::root()).ok()?;
    let url: HttpsUrl = crate::json::parsed(artifact.get("url")?).ok()?;
    BaseUrl::of(&url)
}
