//! Everything that is wrong with what a package holds, each finding with its file's path in the package.

use super::documents::Documents;
use super::known::Known;
use super::layout::LISTING;
use super::listing::Listing;
use super::package::{Form, Package, is_listing};
use super::packs::judge_named_pack;
use super::read;
use crate::catalog::{MANIFEST, MAX_PACKS, RULESET, unlistable_language};
use crate::json::locate;
use crate::ruleset::{self, Originals, Setting};
use crate::threads;
use crate::types::{Api, Cancel, Pointer, Problem, codes};
use std::collections::BTreeMap;
use std::path::Path;

/// What a look into a ruleset and its catalog files gave.
#[derive(Debug, Default)]
pub struct Inspection {
    /// Each with its file as the package names it (`ruleset.json`, `catalogs/knacks.json`), its pointer, and its line
    /// and column in the bytes given.
    pub problems: Vec<Problem>,
    /// What there is to translate.
    pub known: Known,
}

/// Everything that is wrong with a ruleset and its catalog files, given as stored. `declared` is the API of the
/// manifest they belong to; a lone `ruleset.json` has none.
///
/// Stops when asked to; what it then says is of no use.
pub fn inspect(
    ruleset: &[u8],
    catalogs: &BTreeMap<String, Vec<u8>>,
    declared: Option<Api>,
    cancel: &Cancel,
) -> Inspection {
    let setting = Setting { declared, needs_api: true, ..Setting::default() };
    judge(ruleset, catalogs, &Documents::read(Some(ruleset), catalogs, cancel), setting, cancel)
}

/// What a package is looked into for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To tell its author all that is wrong with it.
    #[default]
    Check,
    /// To be built: its manifest is about to be written anew, and what that says of the files is no finding.
    Build,
    /// To be read by the engine at hand, so it needs no API (docs/spec/decisions.md#q38), nor anything that only a
    /// build reads.
    Import,
}

/// The same of what is read already; which catalog files are not is worked out here.
fn judge(
    ruleset: &[u8],
    catalogs: &BTreeMap<String, Vec<u8>>,
    documents: &Documents,
    setting: Setting<'_>,
    cancel: &Cancel,
) -> Inspection {
    let mut problems = Vec::new();
    let files = || catalogs.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice()));
    for (path, bytes) in [(RULESET, ruleset)].into_iter().chain(files()) {
        // What a manifest lists is held to its size there.
        if setting.declared.is_none() {
            problems.extend(ruleset::oversize(path, bytes.len()));
        }
        problems.extend_from_slice(documents.faults(path));
    }
    let mut known = Known::default();
    if let Some(parsed) = documents.ruleset.as_ref().filter(|_| !cancel.is_asked()) {
        let is_read = |path: &&String| documents.files.iter().any(|(read, _)| read == *path);
        let unread: Vec<String> = catalogs.keys().filter(|path| !is_read(path)).cloned().collect();
        problems.extend(ruleset::check_in(parsed, &documents.files, Setting { unread: &unread, ..setting }, cancel));
        if !cancel.is_asked() {
            known = documents.known();
        }
    }
    locate_all(&mut problems, files().chain([(RULESET, ruleset)]).take_while(|_| !cancel.is_asked()));
    Inspection { problems, known }
}

impl Package {
    /// Everything that is wrong with it. Stops when asked to; what it then says is of no use.
    pub fn inspect(&self, cancel: &Cancel) -> Inspection {
        self.inspect_for(Purpose::Check, cancel)
    }

    /// The same of what counts for a purpose.
    pub(crate) fn inspect_for(&self, purpose: Purpose, cancel: &Cancel) -> Inspection {
        let mut problems = Vec::new();
        if let (Form::Folder(_), Some(manifest)) = (&self.form, &self.manifest) {
            let found = self.judge_manifest(manifest, purpose == Purpose::Build);
            problems.extend(found.into_iter().map(|problem| problem.in_file(MANIFEST)));
        }
        if purpose != Purpose::Import {
            problems.extend(self.no_manifest());
            problems.extend(self.judge_listing());
        }
        let mut known = Known::default();
        match &self.ruleset {
            Some(ruleset) => {
                let setting = Setting {
                    declared: self.api(),
                    needs_api: purpose != Purpose::Import,
                    is_alone: matches!(self.form, Form::Lone) && self.catalogs.is_empty(),
                    ..Setting::default()
                };
                let inside = judge(ruleset, &self.catalogs, self.documents(cancel), setting, cancel);
                problems.extend(inside.problems);
                known = inside.known;
                if let Form::Packed(_) = self.form {
                    problems.extend(self.undeclared_assets(ruleset, cancel));
                }
            }
            None if self.unread.covers(RULESET) => {}
            None => {
                let problem =
                    Problem::new(codes::NOT_A_RULESET, &Pointer::root(), "the package contains no ruleset.json");
                problems.push(Problem { pointer: None, ..problem });
            }
        }
        self.unread.tell(&mut problems);
        let originals = known.originals();
        let packs: Vec<&str> = self.packs().collect();
        let of_packs = threads::map(&packs, |path| match cancel.is_asked() {
            true => Vec::new(),
            false => self.judge_pack(path, originals.as_ref()),
        });
        problems.extend(of_packs.into_iter().flatten());
        if let Form::Folder(_) = self.form {
            problems.extend(self.unlistable_packs());
        }
        drop(originals);
        Inspection { problems, known }
    }

    /// A package folder without a manifest can be played like any other, but not published.
    fn no_manifest(&self) -> Option<Problem> {
        let lacks = matches!(self.form, Form::Folder(_)) && self.manifest.is_none() && self.ruleset.is_some();
        lacks.then(|| {
            let message = "there is no `manifest.json`, so this folder can be imported but not published";
            let problem = Problem::new(codes::NO_MANIFEST, &Pointer::root(), message);
            Problem { pointer: None, ..problem }.in_file(MANIFEST)
        })
    }

    /// What is wrong with the `listing.json` of a folder, which a build reads.
    fn judge_listing(&self) -> Vec<Problem> {
        let Form::Folder(folder) = &self.form else { return Vec::new() };
        let found = match read::text_if_there(folder, LISTING) {
            Ok(text) => text.map(|text| Listing::read(&text).1).unwrap_or_default(),
            // A link is told of already.
            Err(unread) if self.unread.covers(&unread.file) => Vec::new(),
            Err(unread) => vec![unread.problem()],
        };
        found.into_iter().map(|problem| problem.in_file(LISTING)).collect()
    }

    /// What a manifest says of an artifact's assets: a catalog file in files[] alone is none that the ruleset could
    /// name (K4).
    fn undeclared_assets(&self, ruleset: &[u8], cancel: &Cancel) -> Vec<Problem> {
        // That there are no assets at all is K1's to say.
        let manifest = self.declared.as_ref().filter(|manifest| !manifest.assets.is_empty());
        let parsed = self.documents(cancel).ruleset.as_ref();
        let Some((manifest, parsed)) = manifest.zip(parsed).filter(|_| !cancel.is_asked()) else { return Vec::new() };
        // Of those that are not there at all it is told already.
        let is_fine = |path: &str| manifest.has_asset(path) || !self.catalogs.contains_key(path);
        let mut problems = ruleset::missing_files(parsed, is_fine);
        locate(ruleset, &mut problems);
        problems
    }

    /// What keeps an entry from listing the packs, whatever is in them: the names they lie there under, and how many
    /// there are (T10).
    fn unlistable_packs(&self) -> Vec<Problem> {
        let packs: Vec<&str> = self.packs().filter(|path| !is_listing(path)).collect();
        let mut problems: Vec<Problem> = packs
            .iter()
            .filter_map(|path| {
                let code = path.strip_prefix("locales/").and_then(|name| name.strip_suffix(".json"))?;
                Some(Problem { pointer: None, ..unlistable_language(code)? }.in_file(*path))
            })
            .collect();
        if self.manifest.is_some() && packs.len() > MAX_PACKS {
            let message = format!("{} language packs, but at most {MAX_PACKS} are allowed", packs.len());
            problems.push(Problem { pointer: None, ..Problem::new(codes::T10, &Pointer::root(), message) });
        }
        problems
    }

    fn judge_pack(&self, path: &str, originals: Option<&Originals<'_>>) -> Vec<Problem> {
        match self.pack_at(path) {
            Ok(bytes) => {
                let found = judge_named_pack(Path::new(path), &bytes, originals);
                found.into_iter().map(|problem| problem.in_file(path)).collect()
            }
            // Links are told of already.
            Err(unread) if self.unread.covers(&unread.file) => Vec::new(),
            Err(unread) => vec![unread.problem()],
        }
    }
}

/// Finds the places of findings in several files. A file nothing was found in is not looked through.
fn locate_all<'t>(problems: &mut [Problem], texts: impl Iterator<Item = (&'t str, &'t [u8])>) {
    for (path, text) in texts {
        let mut here = problems.iter_mut().filter(|problem| problem.file.as_deref() == Some(path)).peekable();
        if here.peek().is_some() {
            locate(text, here);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(ruleset: &str, catalogs: &[(&str, &str)]) -> Vec<String> {
        let catalogs = catalogs.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect();
        let found = inspect(ruleset.as_bytes(), &catalogs, None, &Cancel::default()).problems;
        let told = found.iter().map(|p| {
            let place = |number: Option<u64>| number.map_or("?".to_owned(), |number| number.to_string());
            format!("{} {}:{}:{}", p.code, p.file.as_deref().unwrap_or("?"), place(p.line), place(p.column))
        });
        told.collect()
    }

    #[test]
    fn what_cannot_be_read_and_what_is_written_twice_has_its_place_in_its_file() {
        let found = told("{\n  \"id\": 1,\n  \"id\": 2\n}", &[("catalogs/a.json", "{\n]"), ("catalogs/b.json", "{}")]);
        assert!(found.contains(&"duplicate-key ruleset.json:3:3".to_owned()), "{found:?}");
        assert!(found.contains(&"catalog-json catalogs/a.json:2:1".to_owned()), "{found:?}");
        assert_eq!(told("{", &[]), ["ruleset-json ruleset.json:1:1"]);
    }

    #[test]
    fn a_catalog_file_that_cannot_be_read_is_there_all_the_same() {
        let ruleset =
            r#"{"catalogs": [{"id": "a", "asset": "catalogs/a.json"}, {"id": "b", "asset": "catalogs/b.json"}]}"#;
        let found = told(ruleset, &[("catalogs/a.json", "{"), ("catalogs/c.json", "{")]);
        let of_files: Vec<_> = found.iter().filter(|told| told.starts_with('K')).map(String::as_str).collect();
        assert_eq!(of_files, ["K4 ruleset.json:1:77", "K6 catalogs/c.json:1:1"]);
    }

    #[test]
    fn nobody_is_told_what_nobody_waits_for() {
        let cancel = Cancel::default();
        cancel.flag().store(true, std::sync::atomic::Ordering::Relaxed);
        let inspection = inspect(br#"{"name": "x", "layers": 3}"#, &BTreeMap::new(), None, &cancel);
        assert!(inspection.problems.is_empty() && inspection.known.originals().is_none());
    }

    #[test]
    fn every_finding_has_a_line_and_a_column() {
        let every_place = told("{\"schemaVersion\": 2, \"layers\": 3}", &[("catalogs/a.json", "[]")]);
        assert!(every_place.iter().all(|told| !told.contains('?')), "{every_place:?}");
    }
}
