//! The ruleset that `show`, `translate` and `migrate` are asked about: an installed one, an imported one, or a file.

use super::imports::{is_local, local};
use super::{App, installed};
use crate::catalog::{MAX_PACK, RULESET};
use crate::inspect::{self, Documents, Reading};
use crate::json::document;
use crate::ruleset::{Translation, catalog_files, essentials_of};
use crate::store::{Layout, Snapshot};
use crate::types::{Code, Failure, Language, PackageId, Problem, SafePath, Warning, codes};
use serde_json::Value;
use std::io;
use std::path::{Path, PathBuf};

/// A ruleset as it was read.
pub(super) struct NamedRuleset {
    /// As it is called: the id of what is installed, the path of a file.
    pub name: String,
    pub ruleset: Value,
    /// Its catalog files by path.
    pub files: Vec<(String, Value)>,
    /// Its translations that serve the reader, best first.
    pub translations: Vec<(Language, Translation)>,
}

impl App {
    /// Reads the ruleset that an argument names: what is installed or imported under that id, else the file or folder
    /// at that path.
    pub(super) fn source(&self, name: &str) -> Result<NamedRuleset, Failure> {
        self.stop_if_asked()?;
        let path = Path::new(name);
        let snapshot = match self.read() {
            Ok(snapshot) => Some(snapshot),
            // A file needs no store.
            Err(_) if may_be_there(path) && !is_local(name) => None,
            Err(failure) => return Err(failure),
        };
        let named = snapshot.as_ref().map(|snapshot| self.of_store(name, snapshot));
        match named {
            Some(Ok(source)) => Ok(source),
            Some(Err(failure)) if failure.code != Code::NotInstalled || !may_be_there(path) => {
                Err(match looks_like_path(name) {
                    true if failure.code == Code::NotInstalled && !is_local(name) => no_file(name),
                    _ => failure,
                })
            }
            _ => self.of_file(path, snapshot.as_ref()),
        }
    }

    fn of_store(&self, name: &str, snapshot: &Snapshot) -> Result<NamedRuleset, Failure> {
        let (root, pack) = if is_local(name) {
            let ruleset = local(snapshot, name)?;
            (self.local_root(&ruleset), self.local_pack(&ruleset))
        } else {
            let ruleset = installed(snapshot, name)?;
            let root = self.store.layout().version(&ruleset.id, &ruleset.version);
            let kept = self.kept_pack(&snapshot.state, &ruleset.id, &ruleset.version);
            let pack = kept.map(|kept| (kept.language.clone(), Layout::pack_in(&root, &kept.language)));
            (root, pack)
        };
        let damaged = |file: &str, why: String| {
            let text = format!("{name} is installed, but its {file} cannot be used: {why}");
            Failure::new(Code::DamagedPackage, text).hint("run `rulepack doctor` for details").package(name)
        };
        let read = |file: &str| -> Result<Value, Failure> {
            let path = file.split('/').fold(root.clone(), |path, part| path.join(part));
            let bytes = self.read_kept(&path, MAX_PACK.0 + 1).map_err(|error| damaged(file, error.to_string()))?;
            document(&bytes, codes::RULESET_JSON).map_err(|problem| damaged(file, problem.message))
        };
        let ruleset = read(RULESET)?;
        let mut files = Vec::new();
        for asset in catalog_files(&ruleset).into_iter().filter(|asset| asset.parse::<SafePath>().is_ok()) {
            self.stop_if_asked()?;
            files.push((asset.to_owned(), read(asset)?));
        }
        let translations = self.kept_translation(name, pack);
        Ok(NamedRuleset { name: name.to_owned(), ruleset, files, translations })
    }

    /// The translation kept, unless another language than that is asked for (T12).
    fn kept_translation(&self, name: &str, pack: Option<(Language, PathBuf)>) -> Vec<(Language, Translation)> {
        let Some((language, path)) = pack else { return Vec::new() };
        if self.options.language.as_ref().is_some_and(|wanted| !wanted.fallbacks().contains(&language)) {
            return Vec::new();
        }
        let pack = self.read_kept(&path, MAX_PACK.0 + 1).map_err(|error| error.to_string());
        match pack.and_then(|bytes| document(&bytes, codes::T02).map_err(|problem| problem.message)) {
            Ok(pack) => vec![(language, Translation::of(&pack))],
            Err(why) => {
                let text = format!("the translation of {name} cannot be read, so English is used: {why}");
                self.warn(Warning::new(codes::DAMAGED_PACK, text).about(name));
                Vec::new()
            }
        }
    }

    fn of_file(&self, path: &Path, snapshot: Option<&Snapshot>) -> Result<NamedRuleset, Failure> {
        let name = path.display().to_string();
        let Reading { problems, summary, package, .. } = inspect::read_shared(path, &self.cancel)?;
        let first = || problems.first().map(|problem| problem.reason()).unwrap_or_default();
        let mut package = package.ok_or_else(|| {
            Failure::new(Code::InvalidArtifact, format!("`{name}` cannot be opened: {}", first()))
                .hint(format!("run `rulepack check {name}` for all of its problems"))
        })?;
        if summary.errors == 0 {
            package.refuse_in_part(&self.cancel)?;
        }
        let unusable = |problems: &mut dyn Iterator<Item = &Problem>| {
            let reasons: Vec<String> = problems.map(Problem::reason).collect();
            Failure::new(Code::InvalidRuleset, format!("`{name}` cannot be used: {}", reasons.join("; ")))
                .hint(format!("run `rulepack check {name}` for all of its problems"))
        };
        let is_unread = |problem: &&Problem| [codes::RULESET_JSON, codes::CATALOG_JSON].contains(&problem.code);
        if problems.iter().any(|problem| is_unread(&problem)) {
            return Err(unusable(&mut problems.iter().filter(is_unread)));
        }
        let Documents { ruleset, files, .. } = package.take_documents(&self.cancel);
        let ruleset = ruleset.unwrap_or_default();
        let is_there = |asset: &str| package.catalogs.contains_key(asset) && asset.parse::<SafePath>().is_ok();
        essentials_of(&ruleset, is_there).map_err(|problems| unusable(&mut problems.iter()))?;
        if summary.errors > 0 {
            let count = summary.errors;
            let text = format!("`{name}` has {count} errors, so the answer may be wrong; `rulepack check` lists them");
            self.warn(Warning::new(codes::UNSOUND_RULESET, text));
        }
        let language = match snapshot {
            Some(snapshot) => self.language(&snapshot.state),
            None => self.options.language.as_ref().unwrap_or(&self.options.system_language).clone(),
        };
        let mut translations = Vec::new();
        for wanted in language.fallbacks().iter() {
            if let Some(pack) = package.translation(wanted)?.filter(|pack| pack.len() as u64 <= MAX_PACK.0) {
                translations.push((wanted.clone(), Translation::of(&document(&pack, codes::T02).unwrap_or_default())));
            }
        }
        Ok(NamedRuleset { name, ruleset, files, translations })
    }
}

fn looks_like_path(name: &str) -> bool {
    name.parse::<PackageId>().is_err()
}

fn no_file(name: &str) -> Failure {
    Failure::new(Code::FileNotFound, format!("cannot find `{name}`"))
        .hint("give an installed ruleset, or a path relative to the current folder")
}

/// Whether something lies at a path, as far as the disk says; what is no name of a file is none's.
fn may_be_there(path: &Path) -> bool {
    let is_no_name = |error: io::Error| {
        matches!(
            error.kind(),
            io::ErrorKind::NotADirectory | io::ErrorKind::InvalidFilename | io::ErrorKind::InvalidInput
        )
    };
    path.try_exists().unwrap_or_else(|error| !is_no_name(error))
}
