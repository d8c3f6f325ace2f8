//! The folder of a package, as its author has it: `ruleset.json`, `catalogs/`, `locales/` and, if there is one,
//! `manifest.json`.

use super::artifact::judge_manifest;
use super::inspect::inspect;
use super::known::Known;
use super::line_ends::published;
use super::packs::judge_named_pack;
use super::read;
use crate::catalog::{MANIFEST, MAX_PACKS, Manifest, RULESET, unlistable_language};
use crate::json::{document, locate, repeated_keys, whole_number};
use crate::package::Originals;
use crate::threads;
use crate::types::{Api, Expected, Failure, Pointer, Problem, SafePath, read_plain};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A package folder, read but for its packs.
#[derive(Debug)]
pub(super) struct Folder {
    pub root: PathBuf,
    pub manifest: Option<Vec<u8>>,
    /// What it declares, however much else is wrong with it.
    pub declared: Option<Manifest>,
    pub ruleset: Option<Vec<u8>>,
    /// Of `catalogs/`, by path.
    pub catalogs: BTreeMap<String, Vec<u8>>,
    /// The paths of `locales/`.
    pub locales: Vec<String>,
    /// The catalog files that cannot be read, as findings. They count as there, and as holding nothing.
    unreadable: Vec<Problem>,
}

impl Folder {
    /// Reads what lies there; nothing, where neither a ruleset nor a manifest does.
    pub fn read(root: &Path) -> Result<Option<Self>, Failure> {
        let manifest = read::text_if_there(&root.join(MANIFEST))?;
        let ruleset = read::text_if_there(&root.join(RULESET))?;
        if manifest.is_none() && ruleset.is_none() {
            return Ok(None);
        }
        let (mut catalogs, mut unreadable) = (BTreeMap::new(), Vec::new());
        for name in read::json_files(&root.join("catalogs"))? {
            let path = format!("catalogs/{name}");
            let bytes = read::text(&below(root, &path)).unwrap_or_else(|failure| {
                unreadable.push(unreadable_file(&path, &failure));
                Vec::new()
            });
            catalogs.insert(path, bytes);
        }
        let locales = read::json_files(&root.join("locales"))?;
        let locales = locales.into_iter().map(|name| format!("locales/{name}")).collect();
        let declared = manifest.as_ref().and_then(|text| Manifest::read(&String::from_utf8_lossy(text)).0);
        Ok(Some(Folder { root: root.to_owned(), manifest, declared, ruleset, catalogs, locales, unreadable }))
    }

    pub fn api(&self) -> Option<Api> {
        self.declared.as_ref()?.api
    }

    /// How many files were read.
    pub fn files(&self) -> usize {
        let singles = [&self.manifest, &self.ruleset].into_iter().flatten().count();
        singles + self.catalogs.len() + self.locales.len()
    }

    /// Everything that is wrong with it, each finding with its file's path within.
    pub fn check(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        if let Some(manifest) = &self.manifest {
            problems.extend(self.judge_manifest(manifest).into_iter().map(|problem| in_file(MANIFEST, problem)));
        }
        let mut known = Known::default();
        match &self.ruleset {
            Some(ruleset) => {
                let inspection = inspect(ruleset, &self.catalogs, self.api());
                problems.extend(inspection.problems);
                // That it is no JSON either goes without saying.
                problems.retain(|problem| !self.unreadable.iter().any(|unreadable| unreadable.file == problem.file));
                problems.extend(self.unreadable.iter().cloned());
                known = inspection.known;
            }
            None => {
                let problem = Problem::error("not-a-ruleset", &Pointer::root(), "the package holds no ruleset.json");
                problems.push(Problem { pointer: None, ..problem });
            }
        }
        let originals = known.originals();
        let of_packs = threads::map(&self.locales, |path| self.judge_pack(path, originals.as_ref()));
        problems.extend(of_packs.into_iter().flatten());
        problems.extend(self.unlistable_packs());
        problems
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
            problems.push(Problem { pointer: None, ..Problem::error("T10", &Pointer::root(), message) });
        }
        problems
    }

    fn judge_pack(&self, path: &str, originals: Option<&Originals<'_>>) -> Vec<Problem> {
        match read::text(&below(&self.root, path)) {
            Ok(bytes) => {
                let found = judge_named_pack(Path::new(path), &bytes, originals);
                found.into_iter().map(|problem| in_file(path, problem)).collect()
            }
            Err(failure) => vec![unreadable_file(path, &failure)],
        }
    }

    /// Judges the manifest as `catalog build` would write it: with what the files really are, and all that is there.
    /// That its own files[] says something else is a warning only.
    fn judge_manifest(&self, text: &[u8]) -> Vec<Problem> {
        let mut problems = match document(text, "manifest-shape") {
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
        let is_listed = |files: &[Value], path: &str| files.iter().any(|file| file["path"].as_str() == Some(path));
        let packs = self.locales.iter().map(String::as_str).filter(|path| !is_listing(path));
        for path in assets.iter().map(String::as_str).chain(packs) {
            if is_listed(files, path) {
                continue;
            }
            let Some(actual) = path.parse().ok().and_then(|path| self.measure(&path)) else { continue };
            // Packs are published beside the artifact, or added to it by whoever shares it.
            if is_written && !path.starts_with("locales/") {
                stale.push(stale_manifest(&at, format!("`{path}` is not in files[]")));
            }
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
        let own = self.ruleset.iter().map(|_| RULESET).chain(self.catalogs.keys().map(String::as_str));
        let mut stale = Vec::new();
        for path in own {
            if !paths.iter().any(|listed| listed.as_str() == Some(path)) {
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
            None => read_plain(&path.below(&self.root)).ok().map(Cow::Owned),
        }
    }
}

/// Whether it is the package's own listing, which is in English, translates nothing and is not published (open
/// question Q41).
fn is_listing(path: &str) -> bool {
    path.eq_ignore_ascii_case("locales/en.json")
}

fn stale_manifest(at: &Pointer, message: String) -> Problem {
    Problem::warning("stale-manifest", at, message).hint("`rulepack catalog build` writes files[] anew")
}

/// A file of the package that is there and cannot be read keeps nobody from looking at the others.
fn unreadable_file(path: &str, failure: &Failure) -> Problem {
    let problem = Problem::error("unreadable-file", &Pointer::root(), failure.message.clone());
    in_file(path, Problem { pointer: None, ..problem })
}

fn in_file(path: &str, problem: Problem) -> Problem {
    Problem { file: Some(path.to_owned()), ..problem }
}

/// The path of a file within a folder.
pub(super) fn below(root: &Path, path: &str) -> PathBuf {
    let mut whole = root.to_owned();
    whole.extend(path.split('/'));
    whole
}
