//! Packs: what lies in their folders, and what their `plugin.json` says it brings (D39).

use super::read::kind;
use super::source::SourceFile;
use crate::diceframe::codes;
use crate::disk::{OpenFolder, refused_link};
use crate::json::excerpt;
use crate::types::{Pointer, Problem, Problems};
use glob::{MatchOptions, Pattern};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The name of the manifest.
pub(super) const MANIFEST: &str = "plugin.json";
/// What makes a pattern of a path. Every pattern is a search through the pack, every path a glance.
const WILD: [char; 3] = ['*', '?', '['];
/// The most patterns of a kind that are looked for.
const MOST_SEARCHES: usize = 100;

/// What a pack can bring that is audited here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ContentKind {
    Rules,
    Worlds,
}

impl ContentKind {
    /// The folder below `content/` by convention.
    pub const fn folder(self) -> &'static str {
        match self {
            ContentKind::Rules => "rules",
            ContentKind::Worlds => "worlds",
        }
    }

    /// The key of `contributes`.
    const fn field(self) -> &'static str {
        match self {
            ContentKind::Rules => "rules",
            ContentKind::Worlds => "world_templates",
        }
    }
}

/// Whether a folder is one of a pack: it has a manifest, or content.
pub(super) fn is_pack(folder: &Path) -> bool {
    folder.join(MANIFEST).is_file() || folder.join("content").is_dir()
}

/// The files of a kind that the folder of a pack has by convention.
pub(super) fn by_folder(pack: &Path, kind: ContentKind) -> Result<Vec<PathBuf>, (PathBuf, std::io::Error)> {
    let below = Path::new("content").join(kind.folder());
    let folder = pack.join(&below);
    match OpenFolder::open(pack).and_then(|pack| pack.below(below)) {
        Err(error) if refused_link(&error).is_some() => Err((folder, error)),
        _ => json_files(&folder),
    }
}

/// The `*.json` of a folder, in order; none where there is no such folder.
pub(super) fn json_files(folder: &Path) -> Result<Vec<PathBuf>, (PathBuf, std::io::Error)> {
    let files = entries(folder)?.into_iter();
    Ok(files.filter(|path| path.extension().is_some_and(|suffix| suffix == "json") && path.is_file()).collect())
}

/// What lies in a folder, in order; nothing where there is no such folder.
pub(super) fn entries(folder: &Path) -> Result<Vec<PathBuf>, (PathBuf, std::io::Error)> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let read = std::fs::read_dir(folder).and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect());
    let mut paths: Vec<PathBuf> = read.map_err(|error| (folder.to_owned(), error))?;
    paths.sort_unstable();
    Ok(paths)
}

/// A manifest and what it contributes, held against the folders of its pack.
pub(super) struct Contributions {
    pub rules: Vec<PathBuf>,
    pub worlds: Vec<PathBuf>,
    /// D39.
    pub problems: Vec<Problem>,
}

/// Looks for what a manifest names. Its pack is the folder it lies in.
pub(super) fn contributions(manifest: &Arc<SourceFile>) -> Result<Contributions, (PathBuf, std::io::Error)> {
    let pack = manifest.path.parent().unwrap_or(Path::new("")).to_owned();
    let mut problems = Problems::default();
    let at = Pointer::root().at("contributes");
    let contributes = match manifest.value.get("contributes") {
        None | Some(Value::Null) => None,
        Some(object @ Value::Object(_)) => Some(object),
        Some(other) => {
            let message = format!("`contributes` is {}, but should be an object", kind(other));
            problems.push(Problem::new(codes::D39, &at, message));
            None
        }
    };
    let mut found = |kind: ContentKind| -> Result<Vec<PathBuf>, (PathBuf, std::io::Error)> {
        let at = at.at(kind.field());
        let patterns = contributes.and_then(|contributes| contributes.get(kind.field()));
        let mut named = BTreeSet::new();
        let mut searches = 0;
        for (pattern, at) in listed(patterns, &at, &mut problems) {
            searches += usize::from(pattern.contains(WILD));
            if searches > MOST_SEARCHES && pattern.contains(WILD) {
                let message = format!(
                    "`{}` was not searched for: there are more than {MOST_SEARCHES} patterns",
                    excerpt(pattern)
                );
                problems.push(Problem::new(codes::D39, &at, message));
                continue;
            }
            match matches(&pack, pattern) {
                Err(Unmatched::Unusable(why)) => {
                    let message = format!("`{}` {why}", excerpt(pattern));
                    problems.push(Problem::new(codes::D39, &at, message));
                }
                Err(Unmatched::Unreadable(path, error)) => return Err((path, error)),
                Ok(files) if files.is_empty() => {
                    let message = format!("`{}` matches no file of the pack", excerpt(pattern));
                    problems.push(Problem::new(codes::D39, &at, message));
                }
                Ok(files) => named.extend(files),
            }
        }
        let lies: BTreeSet<PathBuf> = by_folder(&pack, kind)?.into_iter().collect();
        let shown = |path: &Path| path.strip_prefix(&pack).unwrap_or(path).display().to_string();
        let folder = format!("content/{}", kind.folder());
        for path in lies.difference(&named) {
            let message = format!("{} is not listed, so DiceFrame never registers it", shown(path));
            let hint = format!("list it in `contributes.{}`", kind.field());
            problems.push(Problem::new(codes::D39, &at, message).hint(hint));
        }
        for path in named.difference(&lies) {
            let message = format!("{} is not in {folder}, where DiceFrame's own audit looks", shown(path));
            problems.push(Problem::new(codes::D39, &at, message).hint(format!("move it to {folder}")));
        }
        Ok(named.into_iter().collect())
    };
    let (rules, worlds) = (found(ContentKind::Rules)?, found(ContentKind::Worlds)?);
    let problems = problems.into_iter().map(|problem| Problem { file: Some(manifest.name()), ..problem }).collect();
    Ok(Contributions { rules, worlds, problems })
}

/// The patterns of a field, one or a list of them, each with its place.
fn listed<'v>(patterns: Option<&'v Value>, at: &Pointer, problems: &mut Problems) -> Vec<(&'v str, Pointer)> {
    let each: Vec<(&Value, Pointer)> = match patterns {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(items)) => items.iter().enumerate().map(|(n, item)| (item, at.at(n))).collect(),
        Some(other) => vec![(other, at.clone())],
    };
    let mut texts = Vec::new();
    for (value, at) in each {
        match value.as_str() {
            Some(text) => texts.push((text, at)),
            None => {
                let message = format!("a pattern is {}, but should be text", kind(value));
                problems.push(Problem::new(codes::D39, &at, message));
            }
        }
    }
    texts
}

enum Unmatched {
    /// In words that follow the pattern.
    Unusable(String),
    Unreadable(PathBuf, std::io::Error),
}

/// The plain files of a pack that a pattern names. Links are not followed (docs/spec/diceframe.md#content-packs).
fn matches(pack: &Path, pattern: &str) -> Result<Vec<PathBuf>, Unmatched> {
    let pattern = pattern.replace('\\', "/");
    let parts: Vec<&str> = pattern.split('/').collect();
    if parts.iter().any(|part| matches!(*part, "" | "." | "..")) || parts[0].contains(':') {
        return Err(Unmatched::Unusable("leads out of the pack or has an empty part".to_owned()));
    }
    let compiled = Pattern::new(&pattern).map_err(|error| Unmatched::Unusable(format!("is not a pattern: {error}")))?;
    if !pattern.contains(WILD) {
        let path = pack.join(&pattern);
        let is_there = std::fs::symlink_metadata(&path).is_ok_and(|about| about.is_file());
        return Ok(is_there.then_some(path).into_iter().collect());
    }
    // Only below what it names literally there can be anything.
    let literal: PathBuf = parts[..parts.len() - 1].iter().take_while(|part| !part.contains(WILD)).collect();
    let mut found = Vec::new();
    let mut folders = vec![literal];
    while let Some(folder) = folders.pop() {
        let unreadable = |(path, error)| Unmatched::Unreadable(path, error);
        for path in entries(&pack.join(&folder)).map_err(unreadable)? {
            let below = folder.join(path.file_name().unwrap_or_default());
            let Ok(kind) = std::fs::symlink_metadata(&path).map(|about| about.file_type()) else { continue };
            if kind.is_dir() {
                folders.push(below);
            } else if kind.is_file() && names(&compiled, &below) {
                found.push(path);
            }
        }
    }
    found.sort_unstable();
    Ok(found)
}

fn names(pattern: &Pattern, path: &Path) -> bool {
    let options = MatchOptions { case_sensitive: true, require_literal_separator: true, ..MatchOptions::new() };
    let parts: Vec<_> = path.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    pattern.matches_with(&parts.join("/"), options)
}
