//! A ruleset as its author or a friend shares it: a `ruleset.json`, a bundle, a zip or a package folder. Looked into as
//! `check` does, and read, so that what is used afterwards is what was checked.

use super::inspect::Documents;
use super::look::{Context, Look};
use super::read;
use super::report::{Findings, Summary};
use crate::types::{Cancel, Code, Failure, Language, OpenFolder, Problem, Warning, codes};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// What reading a shared ruleset gave.
#[derive(Debug)]
pub struct Reading {
    /// Everything that is wrong with it but for API gates: a ruleset is read by the engine at hand, so it needs no API
    /// (docs/spec/decisions.md#q38). That a package with translations declares 1.811 (T08) is among them all the same.
    pub problems: Vec<Problem>,
    pub summary: Summary,
    pub warnings: Vec<Warning>,
    /// What it holds, as far as it could be opened; there may be errors in it.
    pub shared: Option<Shared>,
}

/// The files of a shared ruleset.
#[derive(Debug)]
pub struct Shared {
    /// The text of `manifest.json`, where there is one.
    pub manifest: Option<Vec<u8>>,
    pub ruleset: Vec<u8>,
    /// The catalog files that lie with it, by path.
    pub catalogs: BTreeMap<String, Vec<u8>>,
    /// What the two hold.
    pub documents: Documents,
    pub(super) locales: BTreeMap<Language, Locale>,
}

/// Where a translation is.
#[derive(Debug)]
pub(super) enum Locale {
    Read(Vec<u8>),
    /// Packs are large and one is wanted: those of a folder are read when it is known which.
    In(Arc<OpenFolder>, String),
}

impl Shared {
    /// The languages it has translations in.
    pub fn languages(&self) -> impl Iterator<Item = &Language> + Clone {
        self.locales.keys()
    }

    /// Its translation in just this language.
    ///
    /// # Errors
    ///
    /// When a file that was there a moment ago cannot be read.
    pub fn locale(&self, language: &Language) -> Result<Option<Vec<u8>>, Failure> {
        match self.locales.get(language) {
            None => Ok(None),
            Some(Locale::Read(bytes)) => Ok(Some(bytes.clone())),
            Some(Locale::In(folder, path)) => Ok(Some(read::text_in(folder, path)?)),
        }
    }
}

/// The languages that files of `locales/` are named for. English is the ruleset itself, and its file translates nothing.
pub(super) fn by_language(files: impl IntoIterator<Item = (String, Locale)>) -> BTreeMap<Language, Locale> {
    let named = files.into_iter().filter_map(|(path, file)| {
        let name = path.strip_prefix("locales/")?.strip_suffix(".json")?;
        Some((name.parse::<Language>().ok()?, file))
    });
    named.filter(|(language, _)| !language.is_english()).collect()
}

/// Looks into the ruleset at a path, everything it holds.
///
/// # Errors
///
/// When the path cannot be read, or is something else than a ruleset.
pub fn read_shared(path: &Path, cancel: &Cancel) -> Result<Reading, Failure> {
    let context = Context { companion: None, originals: None, before: None, cancel };
    let Look { what, mut problems, packages, files, warnings, shared, .. } = context.look_at(path)?;
    if shared.is_none() && problems.is_empty() {
        let message = format!("`{}` is no ruleset but a {what}", path.display());
        return Err(Failure::new(Code::NotARuleset, message)
            .hint("name a ruleset.json, the folder of a package, or an artifact (zip or bundle)"));
    }
    problems.retain(|problem| problem.code != codes::K10);
    let Findings { problems, summary } = Findings::new(problems, packages, files, false);
    Ok(Reading { problems, summary, warnings, shared })
}
