//! Everything that is wrong with a catalog and with every file it lists, as a maintainer wants to know it before
//! publishing. It makes every check that installing makes, so what passes here installs; and many more.
//!
//! ```text
//! tree ── listed ─┬─ documents, lanes, notes      what holds of the documents and between them
//!                 └─ work ── entry ── files ─┬─ artifact ── of a ruleset, what is inside
//!                      │                   └─ pack ────── coverage
//!                      └─ icon, pages
//! ```

mod artifact;
mod documents;
mod entry;
mod files;
mod icon;
mod lanes;
mod listed;
mod look;
mod notes;
mod official;
mod only;
mod order;
mod pack;
mod pages;
mod siblings;
mod summary;
mod tree;
mod work;

pub use pack::Coverage;
pub use summary::{LeftOut, OfKinds, Summary};
pub(super) use tree::lane;

use crate::catalog::Envelope;
use crate::fetch::{CatalogSource, FetchError, Fetcher, Mirror, Settings, Want};
use crate::inspect::Findings;
use crate::json::{document, locate};
use crate::threads;
use crate::types::{Cancel, Failure, Pointer, Problem, Problems, Reporter, Rule, Warning, codes};
use files::Files;
use listed::Listed;
use only::Only;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use summary::Looked;
use tree::Tree;
use work::Work;

/// What the names of artifacts and packs begin with in findings, wherever they lie.
const ARTIFACTS: &str = "artifacts/";

/// What is to be verified, and how.
#[derive(Clone, Debug)]
pub struct Request {
    /// The catalog, and where its files are. Whatever is in the cache, what is not on this disk is fetched anew, to see
    /// that it is there (B04).
    pub fetch: Settings,
    /// Only the packages whose ids fit one of these, when there are any: `*` stands for any characters, `?` for one.
    pub only: Vec<String>,
    /// Whether of a catalog that is served nothing is asked for but itself and the files it lists.
    pub shallow: bool,
    /// Whether it is somebody's own catalog, wherever its files are to lie.
    pub own: bool,
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

/// What a run came to.
pub struct Verified {
    pub verification: Verification,
    pub warnings: Vec<Warning>,
    /// That the reader asked to stop before it was done.
    pub interrupted: Option<Failure>,
}

/// Looks at a catalog, at every file it lists, and at what they hold. The order of the findings is that of the
/// documents.
///
/// # Errors
/// When there is no catalog or it cannot be had, when nothing in any of its documents is what the request names, and
/// when the reader asked to stop before it was read. Everything else is a finding, files that cannot be reached
/// included.
pub fn verify(request: &Request, cancel: &Cancel, reporter: &dyn Reporter) -> Result<Verified, Failure> {
    let mut settings = request.fetch.clone();
    settings.refresh |= !settings.offline;
    let mut fetcher = Fetcher::new(settings.clone(), cancel.clone());
    if !settings.offline {
        fetcher = fetcher.past_cache();
    }
    let mut tree = Tree::read(&settings.source, &fetcher, reporter)?;
    let asks = !settings.offline && !request.shallow && matches!(settings.source, CatalogSource::Web(_));
    let unhad = look_around(&mut tree, &settings.source, asks.then_some(&fetcher), reporter);

    let Documents { all, moments, unread, mut problems } = Documents::read(&tree);
    let only = Only(&request.only);
    only.refuse_strangers(&all)?;
    problems.extend(documents::check(&tree.documents, &moments));
    problems.extend(lanes::check(&tree, &all, &unread));
    problems.extend(notes::check(&tree, &all));

    let files = Files::new(&settings, tree.root.as_deref(), &fetcher, cancel, reporter);
    let official = official::branch(&settings.source, &all).filter(|_| !request.own);
    let (coverage, mut looked, asked) = (Vec::new(), Looked::at_documents(&tree), asks.then_some(&fetcher));
    match unhad {
        Some(unhad) => looked.leave_out("lanes and notes", unhad, "they cannot be fetched"),
        None => looked.leave_all_out("other lanes and notes", "only the catalog itself was requested"),
    }
    let mut work = Work { tree: &tree, only, official, files, asks: asked, problems, coverage, looked };
    work.look_into(&all, reporter);

    let Work { problems, coverage, looked, .. } = work;
    let mut problems = problems.into_vec();
    locate_all(&tree, &mut problems);
    // What is wrong with the catalog itself before what is wrong with its files.
    problems.sort_by_key(|problem| problem.file.as_deref().is_some_and(|file| file.starts_with(ARTIFACTS)));
    let Findings { problems, summary } = Findings::new(problems, looked.packages, looked.files, request.strict);
    let lanes = tree.documents.iter().map(|document| document.name.clone()).collect();
    let summary = looked.sum_up(lanes, summary);
    let roots = tree.root.iter().flat_map(|root| std::iter::once(root.as_path()).chain(root.parent()));
    let roots = roots.map(Path::to_owned).collect();
    let artifacts = match &settings.mirror {
        Some(Mirror::Folder(folder)) => Some(folder.clone()),
        _ => None,
    };
    let verification = Verification { problems, summary, coverage, roots, artifacts };
    let interrupted = cancel.is_asked().then(|| FetchError::Interrupted.into());
    Ok(Verified { verification, warnings: fetcher.take_warnings(), interrupted })
}

/// Asks for what lies beside a catalog that is served, and tells how much of it could not be had; nothing where nobody
/// is asked. Of one on disk all that lies there has been read.
fn look_around(
    tree: &mut Tree,
    source: &CatalogSource,
    asks: Option<&Fetcher>,
    reporter: &dyn Reporter,
) -> Option<usize> {
    match source {
        CatalogSource::Local(_) => Some(0),
        CatalogSource::Web(address) => asks.map(|fetcher| siblings::ask(tree, address, fetcher, reporter)),
    }
}

/// What the documents of a catalog hold.
struct Documents<'t> {
    all: Vec<Listed<'t>>,
    /// What the `generatedAt` of each says.
    moments: Vec<Option<String>>,
    /// Those whose entries nobody knows.
    unread: BTreeSet<&'t str>,
    problems: Problems,
}

impl<'t> Documents<'t> {
    fn read(tree: &'t Tree) -> Self {
        let mut problems: Problems = tree.problems.clone().into();
        let (mut all, mut unread, mut moments) = (Vec::new(), BTreeSet::new(), Vec::new());
        for (number, document) in tree.documents.iter().enumerate() {
            let (elements, moment, found) = match Envelope::read(&document.text) {
                Ok(Envelope { elements, generated_at, reasons, notes }) => {
                    (elements, generated_at, [reasons, notes].concat())
                }
                Err(why) => (None, None, vec![no_object(codes::INVALID_CATALOG, "the catalog", &why, &document.text)]),
            };
            if elements.is_none() {
                unread.insert(document.name.as_str());
            }
            moments.push(moment.filter(|_| elements.is_some()));
            let elements: Vec<(usize, &str)> = elements.into_iter().flatten().enumerate().collect();
            all.extend(threads::map(&elements, |(index, text)| Listed::new(number, *index, text)));
            problems.extend(found.into_iter().map(|problem| finding(problem, &document.name, None)));
        }
        Documents { all, moments, unread, problems }
    }
}

/// Everything that is wrong with the entry alone, were it all of a catalog on disk. Pointers begin at the entry.
pub(super) fn problems_of_entry(text: &str) -> Vec<Problem> {
    let listed = [Listed::new(0, 0, text)];
    entry::judge_made(&listed[0], official::of_artifacts(&listed)).problems.into_vec()
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

/// A file as findings name it: where files of catalogs lie, by the last part of its address.
fn name_of(want: &Want) -> String {
    format!("{ARTIFACTS}{}", want.url.file_name())
}
