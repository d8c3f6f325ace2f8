//! `catalog entry`: the entry of one artifact that was made elsewhere.

use super::base_url::BaseUrl;
use super::entry::{Links, Listing};
use super::manifest::json_text;
use super::{compose, language_in, raw_manifest};
use crate::catalog::{self, Manifest};
use crate::inspect::artifact::{self, hold, judge_manifest};
use crate::inspect::kind::{DocumentKind, kind_of};
use crate::inspect::{Findings, Package, Root, Summary, judge_named_pack, read};
use crate::json::pretty;
use crate::publish::verify;
use crate::types::{Cancel, Code, Failure, Pointer, Problem, Problems, Severity, codes};
use serde::Serialize;
use serde_json::value::RawValue;
use std::collections::HashSet;
use std::io::Cursor;
use std::path::{Path, PathBuf};

/// What to make an entry of.
#[derive(Clone, Debug)]
pub struct EntryOrder {
    pub artifact: PathBuf,
    /// Its manifest, for a bare ruleset, which holds none.
    pub manifest: Option<PathBuf>,
    /// Language packs, named `<id>-<version>.<language>.json`.
    pub packs: Vec<PathBuf>,
    /// The address of the folder all of them will lie in.
    pub base_url: BaseUrl,
    pub category: String,
    pub icon_url: Option<String>,
    pub documentation_url: Option<String>,
}

/// An entry, or why there is none.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MadeEntry {
    /// An element for `packages[]`; none when there is an error among the problems.
    #[schemars(with = "Option<serde_json::Value>")]
    pub entry: Option<Box<RawValue>>,
    /// The same laid out as catalogs are.
    #[serde(skip)]
    pub text: Option<String>,
    pub problems: Vec<Problem>,
    pub summary: Summary,
}

/// Makes the complete entry of an artifact and its packs: sizes and hashes computed, the cards taken from the packs.
///
/// # Errors
///
/// Whatever keeps an entry from being made at all: a file that cannot be read, an artifact without a manifest, a pack
/// without a card. What would be refused once published is a problem of the report.
pub fn entry(order: &EntryOrder, cancel: &Cancel) -> Result<MadeEntry, Failure> {
    let mut problems = Problems::default();
    let bytes = read_artifact(&order.artifact)?;
    let name = order.artifact.display().to_string();
    let package = open(order, &bytes, &name, &mut problems, cancel)?;
    let mut files = vec![(file_name(&order.artifact)?, bytes)];
    for path in &order.packs {
        let bytes = read::named_text(path, cancel)?;
        files.push((file_name(path)?, bytes));
    }
    let Some((package, manifest)) = package.as_ref().and_then(|package| Some((package, package.declared.as_ref()?)))
    else {
        return Ok(made(None, problems, order));
    };
    let inside = package.inspect(cancel);
    cancel.stop_if_asked()?;
    problems.extend(inside.problems.into_iter().map(|problem| package.root.tell(problem)));
    let originals = inside.known.originals();
    // The places in the entry of packs that cannot be listed: nothing else need be said of them.
    let mut unlistable = Vec::new();
    for (path, (name, bytes)) in order.packs.iter().zip(&files[1..]) {
        let found = judge_named_pack(path, bytes, originals.as_ref());
        if found.iter().any(|problem| [codes::PACK_LANGUAGE, codes::T10].contains(&problem.code)) {
            unlistable.extend(language_in(name).map(|language| Pointer::root().at("locales").at(language).to_string()));
        }
        problems.extend(found.into_iter().map(|problem| problem.in_file(path.display().to_string())));
    }
    let listing = Listing { category: order.category.clone() };
    let links = Links { icon_url: order.icon_url.clone(), documentation_url: order.documentation_url.clone() };
    let entry = match compose(raw_manifest(manifest.raw.get())?, &order.base_url, &files, (listing, links)) {
        Ok(entry) => entry,
        // What is wrong with one pack hides nothing of what is wrong with the others.
        Err(_) if problems.errors() > 0 => {
            return Ok(made(None, problems, order));
        }
        Err(failure) => return Err(failure),
    };
    let text = json_text(&entry);
    // Of the manifest, which is a part of both, the artifact told already.
    let told: HashSet<_> = problems.iter().map(|it| (it.code, it.message.as_str())).collect();
    let is_told = |found: &Problem| {
        let place = found.pointer.as_deref().unwrap_or_default();
        let is_at = |at: &String| place.strip_prefix(at).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        unlistable.iter().any(is_at) || told.contains(&(found.code, found.message.as_str()))
    };
    let of_entry: Vec<Problem> = verify::problems_of_entry(&text).into_iter().filter(|found| !is_told(found)).collect();
    problems.extend(of_entry);
    Ok(made(Some(text), problems, order))
}

/// Opens the artifact: a zip or a bundle by the manifest inside, anything else by the one that was named.
fn open(
    order: &EntryOrder,
    bytes: &[u8],
    name: &str,
    problems: &mut Problems,
    cancel: &Cancel,
) -> Result<Option<Package>, Failure> {
    let root = Root::Artifact(name.to_owned());
    let Some(path) = &order.manifest else {
        if let Ok(DocumentKind::Ruleset) = kind_of(&order.artifact, bytes) {
            let failure = Failure::new(Code::Usage, format!("{name} is a bare ruleset, which has no manifest"));
            return Err(failure.hint("give its manifest with `--manifest`"));
        }
        let (package, found) = artifact::open(Cursor::new(bytes), name, cancel)?;
        problems.extend(found.into_iter().map(|problem| root.tell(problem)));
        return Ok(package);
    };
    let text = read::named_text(path, cancel)?;
    let found = judge_manifest(&text);
    let is_usable = found.iter().all(|problem| problem.severity != Severity::Error);
    problems.extend(found.into_iter().map(|problem| problem.in_file(path.display().to_string())));
    let manifest = Manifest::parse(&String::from_utf8_lossy(&text)).ok().filter(|_| is_usable);
    let Some(manifest) = manifest else { return Ok(None) };
    let mut found = Problems::default();
    let package = hold(Cursor::new(bytes), manifest, name, &mut found, cancel)?;
    problems.extend(found.into_iter().map(|problem| root.tell(problem)));
    Ok(package)
}

fn made(text: Option<String>, problems: Problems, order: &EntryOrder) -> MadeEntry {
    let files = 1 + order.packs.len() + usize::from(order.manifest.is_some());
    let Findings { problems, summary } = Findings::new(problems, 1, files, false);
    let line = text.filter(|_| summary.errors == 0);
    let text = line.as_deref().and_then(|line| pretty(line).ok());
    MadeEntry { entry: line.and_then(|line| RawValue::from_string(line).ok()), text, problems, summary }
}

fn read_artifact(path: &Path) -> Result<Vec<u8>, Failure> {
    let bytes = read::plain(path, catalog::MAX_ARTIFACT.0 + 1)?;
    if bytes.len() as u64 > catalog::MAX_ARTIFACT.0 {
        let message = format!("{} is larger than {}, the limit for an artifact", path.display(), catalog::MAX_ARTIFACT);
        return Err(Failure::new(Code::InvalidArtifact, message));
    }
    Ok(bytes)
}

fn file_name(path: &Path) -> Result<String, Failure> {
    let name = path.file_name().and_then(|name| name.to_str());
    let message = || Failure::new(Code::Usage, format!("`{}` has no name that can be published", path.display()));
    name.map(str::to_owned).ok_or_else(message)
}
