//! Which files an audit is about (docs/spec/diceframe.md#files-looked-at, #content-packs).

use super::host::Host;
use super::load::Loader;
use super::pack::{self, ContentKind, MANIFEST, contributions, is_pack};
use super::source::canonical;
use super::world::is_world;
use crate::types::{Code, Failure, Problem};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The files an audit is about, each once, in the order of their paths.
#[derive(Debug, Default)]
pub struct FoundFiles {
    pub rules: Vec<PathBuf>,
    pub worlds: Vec<PathBuf>,
    /// The folders of packs.
    pub packs: Vec<PathBuf>,
    /// Paths that led to nothing.
    pub empty: Vec<PathBuf>,
    /// What is wrong with the manifests of packs (D01, D39).
    pub problems: Vec<Problem>,
}

/// Looks for the rules and worlds of a host and of these paths: files, packs, folders of packs, and folders that are
/// called `rules` or `worlds`. A single file is what its content says.
///
/// A path that does not exist, or cannot be read, is wrong usage: an audit that leaves something out without a word is
/// the worst outcome (docs/spec/diceframe.md#reading-8).
pub fn find(host: Option<&Host>, paths: &[PathBuf], loader: &mut Loader) -> Result<FoundFiles, Failure> {
    let mut search = Search { loader, seen: BTreeSet::new(), found: FoundFiles::default() };
    if let Some(host) = host {
        search.host(host)?;
    }
    for path in paths {
        search.path(path)?;
    }
    let mut found = search.found;
    for files in [&mut found.rules, &mut found.worlds, &mut found.packs] {
        files.sort_unstable();
    }
    Ok(found)
}

struct Search<'l> {
    loader: &'l mut Loader,
    /// By canonical path.
    seen: BTreeSet<PathBuf>,
    found: FoundFiles,
}

impl Search<'_> {
    fn host(&mut self, host: &Host) -> Result<(), Failure> {
        let root = existing(host.root())?;
        if !root.is_dir() {
            return Err(usage(format!("{} is not a folder", root.display())));
        }
        let host = Host::at(root);
        self.files(ContentKind::Rules, pack::json_files(&host.built_in_rules()).map_err(unreadable)?);
        self.files(ContentKind::Worlds, pack::json_files(&host.built_in_worlds()).map_err(unreadable)?);
        for shelf in host.pack_shelves() {
            self.packs_of(&shelf)?;
        }
        Ok(())
    }

    fn path(&mut self, path: &Path) -> Result<(), Failure> {
        let place = existing(path)?;
        // What was found before counts, too: naming a file twice is no mistake.
        let anything = match place.is_dir() {
            true => {
                self.loader.name_folder(&place);
                self.folder(&place)?
            }
            false => {
                self.loader.name_file(&place);
                self.file(&place)?
            }
        };
        if !anything {
            self.found.empty.push(path.to_owned());
        }
        Ok(())
    }

    /// Whether there is anything of ours in a folder.
    fn folder(&mut self, folder: &Path) -> Result<bool, Failure> {
        let real = folder.canonicalize().map_err(|error| unreadable((folder.to_owned(), error)))?;
        let mut anything = false;
        for kind in [ContentKind::Rules, ContentKind::Worlds] {
            if real.file_name().is_some_and(|name| name == kind.folder()) {
                let files = pack::json_files(folder).map_err(unreadable)?;
                anything |= !files.is_empty();
                self.files(kind, files);
            }
        }
        if is_pack(folder) {
            anything |= self.pack(folder)?;
        }
        Ok(self.packs_of(folder)? || anything)
    }

    /// Every pack among the folders of a folder.
    fn packs_of(&mut self, shelf: &Path) -> Result<bool, Failure> {
        let mut anything = false;
        for folder in pack::entries(shelf).map_err(unreadable)?.into_iter().filter(|path| is_pack(path)) {
            anything |= self.pack(&folder)?;
        }
        Ok(anything)
    }

    /// What a pack has by folder and by its manifest.
    fn pack(&mut self, folder: &Path) -> Result<bool, Failure> {
        let mut rules = pack::by_folder(folder, ContentKind::Rules).map_err(unreadable)?;
        let mut worlds = pack::by_folder(folder, ContentKind::Worlds).map_err(unreadable)?;
        let is_new = self.is_new(folder);
        let manifest = folder.join(MANIFEST);
        if manifest.is_file() {
            match self.loader.source(&manifest) {
                Err(problem) if is_new => self.found.problems.push(*problem),
                Err(_) => {}
                Ok(manifest) => {
                    let contributed = contributions(&manifest).map_err(unreadable)?;
                    rules.extend(contributed.rules);
                    worlds.extend(contributed.worlds);
                    if is_new {
                        self.found.problems.extend(contributed.problems);
                    }
                }
            }
        }
        let anything = !rules.is_empty() || !worlds.is_empty();
        if is_new && anything {
            self.found.packs.push(folder.to_owned());
        }
        self.files(ContentKind::Rules, rules);
        self.files(ContentKind::Worlds, worlds);
        Ok(anything)
    }

    /// Whether a single file is one of ours.
    fn file(&mut self, file: &Path) -> Result<bool, Failure> {
        if file.file_name().is_some_and(|name| name == MANIFEST) {
            return self.pack(file.parent().unwrap_or(Path::new("")));
        }
        if !file.extension().is_some_and(|suffix| suffix.eq_ignore_ascii_case("json")) {
            return Ok(false);
        }
        let kind = match self.loader.source(file) {
            Ok(source) if is_world(&source.value) => ContentKind::Worlds,
            // What cannot be read is told as a rule that cannot.
            _ => ContentKind::Rules,
        };
        self.files(kind, vec![file.to_owned()]);
        Ok(true)
    }

    fn files(&mut self, kind: ContentKind, files: Vec<PathBuf>) {
        for file in files {
            if self.is_new(&file) {
                match kind {
                    ContentKind::Rules => self.found.rules.push(file),
                    ContentKind::Worlds => self.found.worlds.push(file),
                }
            }
        }
    }

    fn is_new(&mut self, path: &Path) -> bool {
        self.seen.insert(canonical(path))
    }
}

/// A path as it is told, absolute; it must lead somewhere.
fn existing(path: &Path) -> Result<PathBuf, Failure> {
    if let Err(error) = std::fs::metadata(path) {
        return Err(unreadable((path.to_owned(), error)));
    }
    std::path::absolute(path).map_err(|error| unreadable((path.to_owned(), error)))
}

fn unreadable((path, error): (PathBuf, std::io::Error)) -> Failure {
    if error.kind() == std::io::ErrorKind::NotFound {
        return usage(format!("cannot find `{}`", path.display()))
            .hint("check the path: it is relative to the current folder");
    }
    usage(format!("cannot read `{}`: {error}", path.display()))
}

fn usage(message: String) -> Failure {
    Failure::new(Code::Usage, message)
}
