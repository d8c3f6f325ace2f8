//! The folder of a package, as its author has it: `ruleset.json`, `catalogs/`, `locales/` and, if there is one,
//! `manifest.json`.

use super::artifact::judge_manifest;
use super::catalogs::Catalogs;
use super::inspect::{Documents, Inspection, inspect};
use super::line_ends::published;
use super::packs::judge_named_pack;
use super::read;
use super::unread::{AllUnread, Unread};
use crate::catalog::{MANIFEST, MAX_ARTIFACT, MAX_PACKS, Manifest, RULESET, unlistable_language};
use crate::json::{document, locate, repeated_keys, whole_number};
use crate::package::Originals;
use crate::threads;
use crate::types::{Api, Cancel, Expected, Failure, Found, OpenFolder, Pointer, Problem, SafePath, codes};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

/// What else than the package's own files a build takes from its folder.
pub(super) const CHANGELOG: &str = "CHANGELOG.md";
pub(super) const LISTING: &str = "listing.json";

/// A package folder, read but for its packs.
#[derive(Debug)]
pub(super) struct Folder {
    pub root: OpenFolder,
    pub manifest: Option<Vec<u8>>,
    /// What it declares, however much else is wrong with it.
    pub declared: Option<Manifest>,
    pub ruleset: Option<Vec<u8>>,
    /// Of `catalogs/`, by path.
    pub catalogs: BTreeMap<String, Vec<u8>>,
    /// The paths of `locales/`.
    pub locales: Vec<String>,
    /// Links, and the catalog files that cannot be read.
    unread: AllUnread,
}

impl Folder {
    /// Reads what lies there; nothing, where neither a ruleset nor a manifest does. No link is followed.
    pub fn read(root: OpenFolder) -> Result<Option<Self>, Failure> {
        let mut unread = AllUnread::default();
        let ruleset = unread.unless_link(read::text_if_there(&root, RULESET))?;
        Folder::around(root, ruleset, unread)
    }

    /// The same around a ruleset that was named and read already.
    pub fn of_ruleset(root: OpenFolder, ruleset: Vec<u8>) -> Result<Option<Self>, Failure> {
        Folder::around(root, Some(ruleset), AllUnread::default())
    }

    fn around(root: OpenFolder, ruleset: Option<Vec<u8>>, mut unread: AllUnread) -> Result<Option<Self>, Failure> {
        let manifest = unread.unless_link(read::text_if_there(&root, MANIFEST))?;
        if manifest.is_none() && ruleset.is_none() && unread.is_empty() {
            return Ok(None);
        }
        let Catalogs { files: catalogs, unread: more } = Catalogs::all(&root, ruleset.as_deref())?;
        unread.add_all(more);
        let locales = unread.unless_link(read::json_files(&root, "locales"))?;
        let locales: Vec<String> = locales.into_iter().map(|name| format!("locales/{name}")).collect();
        links(&root, manifest.as_deref(), &locales).into_iter().for_each(|link| unread.add(link));
        let declared = manifest.as_ref().and_then(|text| Manifest::read(&String::from_utf8_lossy(text)).0);
        Ok(Some(Folder { root, manifest, declared, ruleset, catalogs, locales, unread }))
    }

    /// For whoever needs the whole package.
    ///
    /// # Errors
    /// `unsafe-path` where a link is in it.
    pub fn refuse_links(&self) -> Result<(), Failure> {
        self.unread.refuse_links()
    }

    /// For whoever needs every file that lies in it.
    ///
    /// # Errors
    /// The first that is not read: `unsafe-path` where it is a link.
    pub fn refuse_unread(&self) -> Result<(), Failure> {
        self.unread.refuse_any()
    }

    pub fn api(&self) -> Option<Api> {
        self.declared.as_ref()?.api
    }

    /// How many files were read.
    pub fn files(&self) -> usize {
        let singles = [&self.manifest, &self.ruleset].into_iter().flatten().count();
        singles + self.catalogs.len() + self.locales.len()
    }

    /// Everything that is wrong with it, each finding with its file's path within; and what was read for that. Stops when
    /// asked to; what it then says is of no use.
    pub fn check(&self, cancel: &Cancel) -> (Vec<Problem>, Documents) {
        let mut problems = Vec::new();
        if let Some(manifest) = &self.manifest {
            problems.extend(self.judge_manifest(manifest).into_iter().map(|problem| in_file(MANIFEST, problem)));
        }
        let mut inspection = Inspection::default();
        match &self.ruleset {
            Some(ruleset) => {
                inspection = inspect(ruleset, &self.catalogs, self.api(), cancel);
                problems.append(&mut inspection.problems);
            }
            None if self.unread.covers(RULESET) => {}
            None => {
                let problem = Problem::new(codes::NOT_A_RULESET, &Pointer::root(), "the package holds no ruleset.json");
                problems.push(Problem { pointer: None, ..problem });
            }
        }
        self.unread.tell(&mut problems);
        let originals = inspection.known.originals();
        let of_packs = threads::map(&self.locales, |path| match cancel.is_asked() {
            true => Vec::new(),
            false => self.judge_pack(path, originals.as_ref()),
        });
        problems.extend(of_packs.into_iter().flatten());
        problems.extend(self.unlistable_packs());
        drop(originals);
        (problems, inspection.documents)
    }

    /// What keeps an entry from listing the packs, whatever is in them: the names they lie there under, and how many
    /// there are (T10).
    fn unlistable_packs(&self) -> Vec<Problem> {
        let packs: Vec<&String> = self.locales.iter().filter(|path| !is_listing(path)).collect();
        let mut problems: Vec<Problem> = packs
            .iter()
            .filter_map(|path| {
                let code = path.strip_prefix("locales/").and_then(|name| name.strip_suffix(".json"))?;
                Some(in_file(path, Problem { pointer: None, ..unlistable_language(code)? }))
            })
            .collect();
        if self.manifest.is_some() && packs.len() > MAX_PACKS {
            let message = format!("{} language packs, where at most {MAX_PACKS} are allowed", packs.len());
            problems.push(Problem { pointer: None, ..Problem::new(codes::T10, &Pointer::root(), message) });
        }
        problems
    }

    fn judge_pack(&self, path: &str, originals: Option<&Originals<'_>>) -> Vec<Problem> {
        match read::text_in(&self.root, path) {
            Ok(bytes) => {
                let found = judge_named_pack(Path::new(path), &bytes, originals);
                found.into_iter().map(|problem| in_file(path, problem)).collect()
            }
            // Links are told of already.
            Err(unread) if self.unread.covers(&unread.file) => Vec::new(),
            Err(unread) => vec![unread.problem()],
        }
    }

    /// Judges the manifest as `catalog build` would write it: with what the files really are, and all that is there.
    /// That its own files[] says something else is a warning only.
    fn judge_manifest(&self, text: &[u8]) -> Vec<Problem> {
        let mut problems = match document(text, codes::MANIFEST_SHAPE) {
            Err(problem) => vec![*problem],
            Ok(mut manifest) => {
                let stale = self.take_stock(&mut manifest);
                let mut problems = match stale {
                    Some(_) => judge_manifest(manifest.to_string().as_bytes()),
                    None => judge_manifest(text),
                };
                problems.extend(stale.unwrap_or_default());
                problems
            }
        };
        problems.extend(repeated_keys(text));
        locate(text, &mut problems);
        problems
    }

    /// Brings files[] in line with the folder, and tells where it was not; a folder's manifest may leave it out. Nothing
    /// is done where it is no list.
    fn take_stock(&self, manifest: &mut Value) -> Option<Vec<Problem>> {
        let mut stale = self.take_stock_of_assets(manifest);
        let assets: Vec<String> = manifest
            .pointer("/contributions/assets/paths")
            .and_then(Value::as_array)
            .map(|paths| paths.iter().filter_map(Value::as_str).map(str::to_owned).collect())
            .unwrap_or_default();
        let manifest = manifest.as_object_mut()?;
        let is_written = manifest.contains_key("files");
        let files = manifest.entry("files").or_insert_with(|| json!([])).as_array_mut()?;
        let at = Pointer::root().at("files");
        for (index, file) in files.iter_mut().enumerate() {
            let Some(path) = file["path"].as_str().and_then(|path| path.parse::<SafePath>().ok()) else { continue };
            if self.unread.covers(path.as_str()) {
                continue;
            }
            let Some(actual) = self.measure(&path) else {
                let message = format!("`{path}` is in files[] and not in the folder");
                stale.push(stale_manifest(&at.at(index).at("path"), message));
                continue;
            };
            let is_declared = |actual: &Expected| {
                whole_number(&file["bytes"]) == Some(actual.bytes.0)
                    && file["sha256"].as_str() == Some(&actual.sha256.to_string())
            };
            if !is_declared(&actual) && !self.measure_published(&path).is_some_and(|actual| is_declared(&actual)) {
                stale.push(stale_manifest(&at.at(index), format!("`{path}` is not what files[] says of it")));
                (file["bytes"], file["sha256"]) = (json!(actual.bytes.0), json!(actual.sha256));
            }
        }
        let mut listed: HashSet<String> =
            files.iter().filter_map(|file| file["path"].as_str()).map(str::to_owned).collect();
        let packs = self.locales.iter().map(String::as_str).filter(|path| !is_listing(path));
        for path in assets.iter().map(String::as_str).chain(packs) {
            if listed.contains(path) {
                continue;
            }
            let actual = match self.unread.covers(path) {
                // It is there all the same, whatever is in it.
                true => Some(Expected::of(b"?")),
                false => path.parse().ok().and_then(|path| self.measure(&path)),
            };
            let Some(actual) = actual else { continue };
            // Packs are published beside the artifact, or added to it by whoever shares it.
            if is_written && !path.starts_with("locales/") {
                stale.push(stale_manifest(&at, format!("`{path}` is not in files[]")));
            }
            listed.insert(path.to_owned());
            files.push(json!({"path": path, "bytes": actual.bytes.0, "sha256": actual.sha256}));
        }
        Some(stale)
    }

    /// The same of `contributions.assets.paths`: the ruleset and the catalogs that are there are among them.
    fn take_stock_of_assets(&self, manifest: &mut Value) -> Vec<Problem> {
        let at = Pointer::root().at("contributions").at("assets").at("paths");
        let is_written = manifest.pointer(&at.to_string()).is_some();
        let mut parent = Some(&mut *manifest);
        for key in ["contributions", "assets"] {
            let object = parent.and_then(Value::as_object_mut);
            parent = object.map(|object| object.entry(key).or_insert_with(|| json!({})));
        }
        let paths =
            parent.and_then(Value::as_object_mut).map(|assets| assets.entry("paths").or_insert_with(|| json!([])));
        let Some(paths) = paths.and_then(Value::as_array_mut) else { return Vec::new() };
        let is_there = self.ruleset.is_some() || self.unread.covers(RULESET);
        let own = is_there.then_some(RULESET).into_iter().chain(self.catalogs.keys().map(String::as_str));
        let listed: HashSet<String> = paths.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        let mut stale = Vec::new();
        for path in own {
            if !listed.contains(path) {
                paths.push(json!(path));
                stale.extend(is_written.then(|| stale_manifest(&at, format!("`{path}` is not among the assets"))));
            }
        }
        stale
    }

    fn measure(&self, path: &SafePath) -> Option<Expected> {
        self.bytes_of(path).map(|bytes| Expected::of(&bytes))
    }

    /// What a build publishes of a file, which a checkout may have given other line ends.
    fn measure_published(&self, path: &SafePath) -> Option<Expected> {
        self.bytes_of(path).map(|bytes| Expected::of(&published(path.as_str(), &bytes)))
    }

    fn bytes_of(&self, path: &SafePath) -> Option<Cow<'_, [u8]>> {
        let read = match path.as_str() {
            RULESET => self.ruleset.as_ref(),
            other => self.catalogs.get(other),
        };
        match read {
            Some(bytes) => Some(Cow::Borrowed(bytes)),
            None => self.root.read_up_to(path.as_str(), MAX_ARTIFACT.0 + 1).ok().map(Cow::Owned),
        }
    }
}

/// Whether it is the package's own listing, which is in English, translates nothing and is not published
/// (docs/spec/decisions.md#q41).
fn is_listing(path: &str) -> bool {
    path.eq_ignore_ascii_case("locales/en.json")
}

fn stale_manifest(at: &Pointer, message: String) -> Problem {
    Problem::new(codes::STALE_MANIFEST, at, message).hint("`rulepack catalog build` writes files[] anew")
}

fn in_file(path: &str, problem: Problem) -> Problem {
    Problem { file: Some(path.to_owned()), ..problem }
}

/// The links among what is not read yet: a package that is fine here must be fine where it is built.
fn links(root: &OpenFolder, manifest: Option<&[u8]>, locales: &[String]) -> Vec<Unread> {
    let manifest = manifest.and_then(|text| document(text, codes::MANIFEST_SHAPE).ok()).unwrap_or_default();
    let listed = |pointer: &str| manifest.pointer(pointer).and_then(Value::as_array).into_iter().flatten();
    let files = listed("/files").map(|file| &file["path"]);
    let declared = files.chain(listed("/contributions/assets/paths")).filter_map(Value::as_str);
    let declared = declared.filter(|path| *path != RULESET && path.parse::<SafePath>().is_ok());
    let paths = declared.chain(locales.iter().map(String::as_str)).chain([CHANGELOG, LISTING]);
    let link = |path: &str| match root.find(path) {
        // What it is said to be is for whoever opens it.
        Ok(Some(Found::Link)) => root.file(path).err(),
        Ok(_) => None,
        Err(error) => Some(error),
    };
    let links = paths.filter_map(|path| Some(Unread::new(root, path, &link(path)?)));
    links.filter(Unread::is_link).collect()
}
