//! Everything that is wrong with a catalog and with every file it lists, as a maintainer wants to know it before
//! publishing. It makes every check that installing makes, so what passes here installs; and many more.
//!
//! ```text
//! tree ── listed ─┬─ lanes, notes      what holds between the documents
//!                 └─ entry ── files ─┬─ artifact ── the ruleset inside
//!                                    └─ pack ────── coverage
//! ```

mod artifact;
mod entry;
mod files;
mod icon;
mod lanes;
mod listed;
mod look;
mod notes;
mod order;
mod pack;
mod tree;

pub use pack::Coverage;
pub(super) use tree::lane;

use crate::catalog::{Entry, Envelope};
use crate::fetch::{CatalogSource, FetchError, Fetcher, Mirror, Purpose, Settings, Want};
use crate::inspect::{Findings, Summary};
use crate::json::{document, locate};
use crate::threads;
use crate::types::{
    Cancel, Code, Failure, Pointer, Problem, Problems, Reporter, Rule, Warning, codes, did_you_mean, suggest,
};
use entry::Judged;
use files::{Files, absent};
use listed::{Listed, distinct};
use look::{Looked, Seen, look_at};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tree::Tree;
use url::Url;

/// What the names of artifacts and packs begin with in findings, wherever they lie.
const ARTIFACTS: &str = "artifacts/";

/// What is to be verified, and how.
#[derive(Clone, Debug)]
pub struct Request {
    /// The catalog, and where its files are. Whatever is in the cache, what is not on this disk is fetched anew, to see
    /// that it is there (B04).
    pub fetch: Settings,
    /// Only these packages, when there are any.
    pub only: Vec<String>,
    /// Whether warnings are errors.
    pub strict: bool,
}

/// What was found: the `result` of `catalog verify` (docs/spec/commands.md#results).
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Verification {
    pub problems: Vec<Problem>,
    pub summary: Summary,
    /// Every ruleset in every language it has a pack for, in the order of the catalog.
    pub coverage: Vec<Coverage>,
    /// The folders that the files of findings lie below, when they are on this disk.
    #[serde(skip)]
    pub roots: Vec<PathBuf>,
    /// The folder that artifacts and packs lie in, where one was named.
    #[serde(skip)]
    pub artifacts: Option<PathBuf>,
}

impl Verification {
    /// Where on this disk a file of a finding lies, such as `v2/catalog.json` or `artifacts/ember-roads-1.0.0.ru.json`.
    /// One that is not there has no place.
    pub fn path_of(&self, file: &str) -> Option<PathBuf> {
        let name = file.strip_prefix(ARTIFACTS).filter(|_| self.artifacts.is_some());
        let own = name.zip(self.artifacts.as_ref()).map(|(name, folder)| folder.join(name));
        let below = self.roots.iter().map(|root| root.join(file));
        own.into_iter().chain(below).find(|path| path.is_file())
    }
}

/// Looks at a catalog, at every file it lists, and at what they hold. The order of the findings is that of the documents.
///
/// # Errors
/// When there is no catalog or it cannot be had, when a package named in the request is in none of its documents, and
/// when the reader asked to stop. Everything else is a finding, files that cannot be reached included.
pub fn verify(
    request: &Request,
    cancel: &Cancel,
    reporter: &dyn Reporter,
) -> Result<(Verification, Vec<Warning>), Failure> {
    let mut settings = request.fetch.clone();
    settings.refresh |= !settings.offline;
    let mut fetcher = Fetcher::new(settings.clone(), cancel.clone());
    if !settings.offline {
        fetcher = fetcher.past_cache();
    }
    let tree = Tree::read(&settings.source, &fetcher, reporter)?;

    let mut problems: Problems = tree.problems.clone().into();
    let (mut all, mut unread) = (Vec::new(), BTreeSet::new());
    for (number, document) in tree.documents.iter().enumerate() {
        let (elements, found) = match Envelope::read(&document.text) {
            Ok(Envelope { elements, reasons, notes }) => (elements, [reasons, notes].concat()),
            Err(why) => (None, vec![no_object(codes::INVALID_CATALOG, "the catalog", &why, &document.text)]),
        };
        if elements.is_none() {
            unread.insert(document.name.as_str());
        }
        let elements: Vec<(usize, &str)> = elements.into_iter().flatten().enumerate().collect();
        all.extend(threads::map(&elements, |(index, text)| Listed::new(number, *index, text)));
        problems.extend(found.into_iter().map(|problem| finding(problem, &document.name, None)));
    }
    refuse_strangers(&request.only, &all)?;
    problems.extend(lanes::check(&tree, &all, &unread));
    problems.extend(notes::check(&tree, &all));

    let files = Files::new(&settings, tree.root.as_deref(), &fetcher, cancel, reporter);
    let mut work = Work { request, tree: &tree, files, problems, coverage: Vec::new(), packages: 0, files_read: 0 };
    work.files_read = tree.documents.len() + tree.notes.len() + tree.problems.len();
    work.look_into(&all, reporter)?;

    let Work { problems, coverage, packages, files_read, .. } = work;
    let mut problems = problems.into_vec();
    locate_all(&tree, &mut problems);
    // What is wrong with the catalog itself before what is wrong with its files.
    problems.sort_by_key(|problem| problem.file.as_deref().is_some_and(|file| file.starts_with(ARTIFACTS)));
    let Findings { problems, summary } = Findings::new(problems, packages, files_read, request.strict);
    let roots = tree.root.iter().flat_map(|root| std::iter::once(root.as_path()).chain(root.parent()));
    let roots = roots.map(Path::to_owned).collect();
    let artifacts = match &settings.mirror {
        Some(Mirror::Folder(folder)) => Some(folder.clone()),
        _ => None,
    };
    Ok((Verification { problems, summary, coverage, roots, artifacts }, fetcher.take_warnings()))
}

/// Everything that is wrong with the entry alone, in a catalog on disk. Pointers begin at the entry.
pub(super) fn problems_of_entry(text: &str) -> Vec<Problem> {
    entry::judge(&Listed::new(0, 0, text), None).problems.into_vec()
}

/// A finding with the file it stands in, and the package it is about.
fn finding(problem: Problem, file: &str, package: Option<&str>) -> Problem {
    Problem { file: Some(file.to_owned()), package: problem.package.or_else(|| package.map(str::to_owned)), ..problem }
}

/// What is read as an object and is none: where it is no JSON, at the place where it stops being some.
fn no_object(code: &'static Rule, what: &str, why: &str, text: &str) -> Problem {
    match document(text.as_bytes(), code) {
        Err(broken) => *broken,
        Ok(_) => Problem::new(code, &Pointer::root(), format!("{what} {why}")),
    }
}

/// Finds the places of the findings about documents; those about files have theirs already.
fn locate_all(tree: &Tree, problems: &mut [Problem]) {
    let documents = tree.documents.iter().map(|document| (&document.name, &document.text));
    for (name, text) in documents.chain(tree.notes.iter().map(|notes| (&notes.name, &notes.text))) {
        let mut here = problems.iter_mut().filter(|problem| problem.file.as_ref() == Some(name)).peekable();
        if here.peek().is_some() {
            locate(text.as_bytes(), here);
        }
    }
}

/// A package that was asked for by name and is nowhere is a mistake of whoever asked.
fn refuse_strangers(only: &[String], all: &[Listed<'_>]) -> Result<(), Failure> {
    let known: BTreeSet<&str> = all.iter().filter_map(Listed::id).collect();
    let Some(stranger) = only.iter().find(|id| !known.contains(id.as_str())) else { return Ok(()) };
    let failure = Failure::new(Code::NotInCatalog, format!("`{stranger}` is not in the catalog")).package(stranger);
    Err(Failure { hint: did_you_mean(&suggest(stranger, known.into_iter())), ..failure })
}

/// The looking into entries, and what came of it so far.
struct Work<'a> {
    request: &'a Request,
    tree: &'a Tree,
    files: Files<'a>,
    problems: Problems,
    coverage: Vec<Coverage>,
    packages: usize,
    files_read: usize,
}

impl Work<'_> {
    fn look_into(&mut self, all: &[Listed<'_>], reporter: &dyn Reporter) -> Result<(), Failure> {
        let is_wanted = |listed: &&Listed| {
            let only = &self.request.only;
            only.is_empty() || listed.id().is_some_and(|id| only.iter().any(|wanted| wanted == id))
        };
        let wanted: Vec<&Listed> = distinct(all).into_iter().filter(is_wanted).collect();
        if !self.request.only.is_empty() {
            let only: BTreeSet<&str> = self.request.only.iter().map(String::as_str).collect();
            self.problems.retain(|problem| problem.package.as_deref().is_none_or(|package| only.contains(package)));
        }
        reporter.step("Verifying the catalog's files", None);
        let mut before = 0;
        for part in wanted.chunks(self.files.entries_at_once()) {
            let done = |done: usize| reporter.step_advanced((before + done) as u64, wanted.len() as u64);
            self.look_into_part(part, done)?;
            before += part.len();
        }
        reporter.step_advanced(wanted.len() as u64, wanted.len() as u64);
        Ok(())
    }

    fn look_into_part(&mut self, part: &[&Listed<'_>], done: impl FnMut(usize)) -> Result<(), Failure> {
        let catalog = self.catalog();
        let mut judged: Vec<Judged> = threads::map(part, |listed| entry::judge(listed, catalog.as_ref()));
        let about = part.iter().zip(&mut judged).map(|(listed, judged)| self.about_itself(listed, judged));
        let mut found: Vec<Vec<Problem>> = about.collect();
        let usable = judged.iter().enumerate().filter_map(|(at, judged)| Some((at, judged.entry.as_ref()?)));
        let (at, entries): (Vec<usize>, Vec<&Entry>) = usable.unzip();
        for Seen { entry, want, looked } in look_at(&entries, &self.files, done)? {
            let (found, listed) = (&mut found[at[entry]], part[at[entry]]);
            match looked {
                Ok(Looked { problems, coverage }) => {
                    self.files_read += 1;
                    found.extend(problems);
                    self.coverage.extend(coverage);
                }
                // There is no file that this could be about; of a pack, `pack-url` has said it.
                Err(error @ FetchError::NoFileName { .. }) if want.purpose == Purpose::Artifact => {
                    let at_url = Pointer::root().at("artifact").at("url").to_string();
                    let problem = Problem { pointer: Some(at_url), ..absent(error) };
                    let problem = Problem { code: codes::ARTIFACT_URL.to_owned(), ..problem };
                    found.push(self.of_entry(problem, listed));
                }
                Err(FetchError::NoFileName { .. }) => {}
                Err(error) => found.push(finding(absent(error), &name_of(&want), listed.id())),
            }
        }
        self.packages += judged.iter().filter(|judged| judged.is_ruleset).count();
        self.problems.extend(found.into_iter().flatten());
        Ok(())
    }

    /// Where the catalog was published, when it was read from there.
    fn catalog(&self) -> Option<Url> {
        match &self.request.fetch.source {
            CatalogSource::Web(address) => Some(address.url().clone()),
            CatalogSource::Local(_) => None,
        }
    }

    /// What was found of an entry before any of its files is looked at.
    fn about_itself(&self, listed: &Listed<'_>, judged: &mut Judged) -> Vec<Problem> {
        let problems = std::mem::take(&mut judged.problems);
        let mut found: Vec<Problem> = problems.into_iter().map(|problem| self.of_entry(problem, listed)).collect();
        if let (Some(root), Some(id)) = (&self.tree.root, listed.id().filter(|_| judged.is_ruleset)) {
            found.extend(icon::check(root, id));
        }
        found
    }

    /// A finding about an entry, whose pointer begins there.
    fn of_entry(&self, problem: Problem, listed: &Listed<'_>) -> Problem {
        let pointer = format!("{}{}", listed.at, problem.pointer.as_deref().unwrap_or_default());
        let problem = Problem { pointer: Some(pointer), ..problem };
        finding(problem, &self.tree.documents[listed.document].name, listed.id())
    }
}

/// A file as findings name it: where files of catalogs lie, by the last part of its address.
fn name_of(want: &Want) -> String {
    format!("{ARTIFACTS}{}", want.url.file_name())
}
