//! Filing a ruleset that somebody shares under `local/` and its own id (docs/spec/checks.md#t14, #t15).
//!
//! It shares the look, the lock and the commit of all changes, and not their plan: that brings installed rulesets in
//! line with a catalog, and here there is none. What is filed is in hand before anything is decided, and never fetched.

use super::App;
use super::imports::LocalRuleset;
use super::report::{Action, ErrorReport, LanguagePack, PackStatus, PackageChange};
use crate::catalog::{MANIFEST, MAX_PACK, RULESET};
use crate::disk::Verified;
use crate::inspect::{self, Package, Reading, Summary};
use crate::json::equal;
use crate::ruleset::{Essentials, catalog_files, check_pack, essentials_of};
use crate::store::{
    AddPack, Change, ImportedVersion, KeptPack, Layout, OwnFile, Owner, PackChange, Put, Snapshot, StagedVersion,
    Staging, Transaction,
};
use crate::types::{Code, Expected, Failure, Language, PackageId, Problem, SafePath, Warning, codes};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

/// The answer of `import`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ImportReport {
    /// The language a translation was looked for in.
    pub language: String,
    /// What was filed; empty where the file has errors.
    pub packages: Vec<PackageChange>,
    /// Everything that is wrong with the file.
    pub problems: Vec<Problem>,
    pub summary: Summary,
}

/// What came of an import.
#[derive(Debug)]
pub struct Imported {
    pub report: ImportReport,
    pub failures: Vec<Failure>,
}

/// A shared ruleset, ready to be filed.
struct Filing {
    id: PackageId,
    version: u64,
    name: String,
    /// What its rules are: `ruleset.json` and the catalog files it names, by path.
    rules: BTreeMap<SafePath, Verified<Vec<u8>>>,
    manifest: Option<(SafePath, Verified<Vec<u8>>)>,
    /// The one translation to keep (T15).
    pack: Option<(Language, Verified<Vec<u8>>)>,
}

/// What is to be done.
enum Step {
    /// The version is put in place, over what `replaced` names.
    Place { action: Action, replaced: Vec<OwnFile> },
    /// These rules are filed already.
    Stay,
}

impl App {
    /// Looks at a shared file as `check` does, and files it where nothing is wrong with it. Of its translations only
    /// the one in the language in force is kept. A version filed once never gets other rules; imported again it takes
    /// the new file's translation, and keeps the one it has where the file has none (docs/spec/checks.md#t14,
    /// docs/spec/decisions.md#q39).
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is no ruleset, or the store cannot be changed. What is wrong with the ruleset is
    /// among the findings, and then nothing is filed.
    pub(crate) fn import(&self, file: &Path) -> Result<Imported, Failure> {
        self.reporter.step("Checking the ruleset", None);
        let Reading { problems, summary, warnings, package } = inspect::read_shared(file, &self.cancel)?;
        warnings.into_iter().for_each(|warning| self.warn(warning));
        let language = self.language(&self.read()?.state);
        let mut report = ImportReport { language: language.to_string(), packages: Vec::new(), problems, summary };
        let Some(package) = package.filter(|_| summary.errors == 0) else {
            return Ok(Imported { report, failures: Vec::new() });
        };
        package.refuse_in_part(&self.cancel)?;
        let filing = Filing::of(self, package, &language)?;
        let look = |snapshot: &Snapshot| Ok((filing.step(self, snapshot)?, snapshot.clone()));
        // What is refused in a store that another run is changing may be right a moment later.
        let (step, snapshot) = self.look(look, |(step, _)| step.is_ok())?;
        let filed = step.map(|step| self.file(&filing, &step, &language, &snapshot));
        let (row, failures) = match filed.unwrap_or_else(|refused| Ok(Err(refused)))? {
            Ok(row) => (row, Vec::new()),
            Err(failure) => (filing.refused(&failure), vec![failure]),
        };
        report.packages.push(row);
        Ok(Imported { report, failures })
    }

    /// Files it, or says why it is refused. Everything is staged without the lock, and looked at again under it.
    fn file(
        &self,
        filing: &Filing,
        step: &Step,
        language: &Language,
        snapshot: &Snapshot,
    ) -> Result<Result<PackageChange, Failure>, Failure> {
        self.store.sweep();
        if matches!(step, Step::Stay) && !filing.changes_pack(self, snapshot) {
            return Ok(Ok(filing.row(self, Action::Unchanged, false, language, [snapshot, snapshot])));
        }
        let staging = self.store.staging()?;
        let staged = filing.stage(&staging)?;
        self.stop_if_asked()?;
        let (lock, now) = self.lock()?;
        let step = match filing.step(self, &now)? {
            Ok(step) => step,
            Err(refused) => return Ok(Err(refused)),
        };
        let (change, action) = filing.change(self, step, &staged, &staging, &now)?;
        let mut after = now.clone();
        if let Put::Set(imported) = &change.imported {
            after.state.imported.insert(filing.id.clone(), imported.clone());
        }
        self.put(&lock, &now, &Transaction::of(change))?;
        drop(lock);
        if let Some((_, translation)) = &filing.pack {
            // By this it is known again should our record be lost.
            self.fetcher.keep(translation)?;
        }
        Ok(Ok(filing.row(self, action, filing.pack.is_some(), language, [&now, &after])))
    }
}

/// A filing, staged.
struct Staged {
    version: StagedVersion,
    pack: Option<AddPack>,
}

impl Filing {
    fn of(app: &App, mut package: Package, language: &Language) -> Result<Self, Failure> {
        let offered: Vec<Language> = package.languages().collect();
        let pack = match language.pick(&offered) {
            Some(own) if !language.is_english() => {
                package.translation(own)?.map(|bytes| (own.clone(), bytes.into_owned()))
            }
            _ => None,
        };
        if let Some((own, bytes)) = &pack {
            // A folder's packs are read again; what is kept is what was looked at.
            check_pack(bytes, own)?;
        }
        let document = package.take_documents(&app.cancel).ruleset.unwrap_or_default();
        let assets: HashSet<&str> = catalog_files(&document).into_iter().collect();
        let catalogs: BTreeMap<SafePath, Vec<u8>> = package
            .catalogs
            .into_iter()
            .filter_map(|(path, bytes)| Some((path.parse::<SafePath>().ok()?, bytes)))
            .filter(|(path, _)| assets.contains(path.as_str()))
            .collect();
        let Essentials { id, version, name } =
            essentials_of(&document, |asset| catalogs.keys().any(|path| path.as_str() == asset)).map_err(
                |problems| {
                    let reasons: Vec<String> = problems.iter().map(Problem::reason).collect();
                    Failure::new(Code::InvalidRuleset, reasons.join("; "))
                },
            )?;
        let id = id.parse().map_err(|_| {
            Failure::new(Code::UnsafePath, format!("`{id}` cannot be the name of a folder on every system"))
                .hint("ask its author for another id")
        })?;
        let named = |name: &str, bytes| {
            let path = name.parse().map_err(|_| Failure::new(Code::Internal, format!("{name} is not a path")))?;
            Ok::<_, Failure>((path, as_it_is(bytes)?))
        };
        let mut rules = BTreeMap::from([named(RULESET, package.ruleset.unwrap_or_default())?]);
        for (path, bytes) in catalogs {
            rules.insert(path, as_it_is(bytes)?);
        }
        Ok(Filing {
            id,
            version,
            name,
            rules,
            manifest: package.manifest.map(|manifest| named(MANIFEST, manifest)).transpose()?,
            pack: pack.map(|(own, bytes)| Ok::<_, Failure>((own, as_it_is(bytes)?))).transpose()?,
        })
    }

    fn owner(&self) -> Owner {
        Owner::Imported(self.id.clone())
    }

    fn filed<'a>(&self, snapshot: &'a Snapshot) -> Option<&'a ImportedVersion> {
        snapshot.state.imported.get(&self.id)?.versions.get(&self.version)
    }

    /// What the store as it is asks for; refused where other rules are filed under this version.
    fn step(&self, app: &App, snapshot: &Snapshot) -> Result<Result<Step, Failure>, Failure> {
        let Some(filed) = self.filed(snapshot) else {
            let active = snapshot.state.imported.get(&self.id).and_then(|imported| imported.active());
            let action = match active {
                Some((active, _)) if active < self.version => Action::Updated,
                _ => Action::Installed,
            };
            return Ok(Ok(Step::Place { action, replaced: Vec::new() }));
        };
        let is_whole = app.local_flaws(&self.id, self.version, &filed.files)?.is_empty();
        let root = app.store.layout().import(&self.id, self.version);
        Ok(match (self.has_rules_of(app, filed, is_whole.then_some(root.as_path())), is_whole) {
            (true, true) => Ok(Step::Stay),
            (true, false) => Ok(Step::Place { action: Action::Reinstalled, replaced: filed.all_files() }),
            (false, _) => Err(self.other_rules()),
        })
    }

    /// Whether what was filed has the same rules: the same files that say the same. Where they are damaged, the hashes
    /// of what they were have to do.
    fn has_rules_of(&self, app: &App, filed: &ImportedVersion, root: Option<&Path>) -> bool {
        let own: Vec<&OwnFile> = filed.files.iter().filter(|file| file.path != MANIFEST).collect();
        let is_same = |file: &&OwnFile| {
            let path = file.path.parse::<SafePath>().ok();
            let Some((path, rules)) = path.and_then(|path| self.rules.get_key_value(&path)) else { return false };
            let is_the_file = Some(rules.expected()) == file.expected;
            is_the_file || root.is_some_and(|root| says_the_same(app, &path.below(root), rules.get()))
        };
        own.len() == self.rules.len() && own.iter().all(is_same)
    }

    fn other_rules(&self) -> Failure {
        let text = format!("version {} of {} is already imported, with different rules", self.version, self.owner());
        Failure::new(Code::InvalidRuleset, text)
            .package(self.owner())
            .hint("raise `version` in ruleset.json: an imported version keeps its rules")
    }

    /// Whether the file brings another translation than the one kept.
    fn changes_pack(&self, app: &App, snapshot: &Snapshot) -> bool {
        let Some(pack) = self.pack() else { return false };
        let Some(filed) = self.filed(snapshot) else { return true };
        let flaws = app.local_flaws(&self.id, self.version, &filed.all_files());
        let is_damaged = flaws.is_ok_and(|flaws| !flaws.is_empty());
        filed.pack.as_ref() != Some(&pack) || is_damaged
    }

    fn pack(&self) -> Option<KeptPack> {
        self.pack.as_ref().map(|(language, bytes)| KeptPack { language: language.clone(), file: bytes.expected() })
    }

    fn stage(&self, staging: &Staging) -> Result<Staged, Failure> {
        let manifest = self.manifest.as_ref().map(|(path, bytes)| (path, bytes));
        let version = staging.version(self.rules.iter().chain(manifest))?;
        let pack = self.pack.as_ref().map(|(language, bytes)| staging.pack(language, bytes)).transpose()?;
        Ok(Staged { version, pack })
    }

    fn change(
        &self,
        app: &App,
        step: Step,
        staged: &Staged,
        staging: &Staging,
        now: &Snapshot,
    ) -> Result<(Change, Action), Failure> {
        let folder = self.version.to_string();
        let mut change = Change::about(self.owner());
        let mut remembered = now.state.imported.get(&self.id).cloned().unwrap_or_default();
        let old = self.filed(now).and_then(|filed| filed.pack.clone());
        let mut add = staged.pack.clone();
        let (action, version) = match step {
            Step::Stay => match self.filed(now) {
                Some(filed) => (Action::Unchanged, filed.clone()),
                None => return Err(Failure::new(Code::Internal, "what is filed is gone under the lock")),
            },
            Step::Place { action, replaced } => {
                if let (None, Some(kept)) = (&add, &old) {
                    // The folder is replaced, so what it keeps has to come along.
                    add = self.copy_of(app, kept, staging)?;
                }
                let files = staged.version.files().to_vec();
                change.place = Some(staged.version.clone().place(&folder, replaced));
                let installed_at = crate::store::now();
                (action, ImportedVersion { name: self.name.clone(), installed_at, files, pack: None, rebuilt: false })
            }
        };
        let pack = match (&add, action) {
            (Some(add), _) => Some(add.pack.clone()),
            (None, Action::Unchanged) => old.clone(),
            (None, _) => None,
        };
        if add.is_some() {
            let remove = old.filter(|old| Some(old) != pack.as_ref());
            change.packs.push(PackChange { version: folder, add, remove });
        }
        remembered.versions.insert(self.version, ImportedVersion { pack, ..version });
        change.imported = Put::Set(remembered);
        // Nothing is changed of what stays but its translation.
        let action = if action == Action::Unchanged { Action::Switched } else { action };
        Ok((change, action))
    }

    /// The translation kept, staged to come along with a folder that is put there again.
    fn copy_of(&self, app: &App, kept: &KeptPack, staging: &Staging) -> Result<Option<AddPack>, Failure> {
        let path = Layout::pack_in(&app.store.layout().import(&self.id, self.version), &kept.language);
        let bytes = app.read_kept(&path, kept.file.bytes.0 + 1).ok();
        let bytes = bytes.and_then(|bytes| Verified::held(bytes, kept.file).ok());
        Ok(bytes.map(|bytes| staging.pack(&kept.language, &bytes)).transpose()?)
    }

    /// What is told of it. `brought` says whether its translation was put there just now.
    fn row(
        &self,
        app: &App,
        action: Action,
        brought: bool,
        language: &Language,
        [before, after]: [&Snapshot; 2],
    ) -> PackageChange {
        let active =
            before.state.imported.get(&self.id).and_then(|imported| imported.active()).map(|(version, _)| version);
        if let Some(newer) = active.filter(|active| *active > self.version) {
            let text = format!("version {} is imported, but the newer version {newer} stays active", self.version);
            app.warn(Warning::new(codes::NOT_NEWEST, text).about(self.owner()));
        }
        let ruleset = self.filed(after).map(|kept| LocalRuleset {
            id: self.id.clone(),
            version: self.version,
            kept: kept.clone(),
        });
        let name = ruleset.as_ref().map(|ruleset| app.local_name(ruleset, language));
        PackageChange {
            id: self.owner().to_string(),
            name: Some(name.unwrap_or_else(|| self.name.clone())),
            version: Some(self.version.to_string()),
            previous_version: active.filter(|active| *active < self.version).map(|active| active.to_string()),
            action,
            path: Some(app.store.layout().import(&self.id, self.version).display().to_string()),
            language_pack: ruleset.map(|ruleset| pack_row(app, &ruleset, language, brought)),
            state: None,
            held: None,
            installed_at: None,
            error: None,
        }
    }

    fn refused(&self, failure: &Failure) -> PackageChange {
        PackageChange {
            id: self.owner().to_string(),
            name: Some(self.name.clone()),
            version: Some(self.version.to_string()),
            previous_version: None,
            action: Action::Failed,
            path: None,
            language_pack: None,
            state: None,
            held: None,
            installed_at: None,
            error: Some(ErrorReport::from(failure)),
        }
    }
}

fn pack_row(app: &App, ruleset: &LocalRuleset, language: &Language, brought: bool) -> LanguagePack {
    match &ruleset.kept.pack {
        Some(pack) => {
            let status = if brought { PackStatus::Fetched } else { PackStatus::Current };
            LanguagePack::kept(status, pack, &app.local_root(ruleset))
        }
        None if language.is_english() => LanguagePack::none(PackStatus::NotNeeded),
        None => LanguagePack::none(PackStatus::NotListed),
    }
}

/// A file of the reader's own, which nobody declared anything of: it is what it is, and is held to that from now on.
fn as_it_is(bytes: Vec<u8>) -> Result<Verified<Vec<u8>>, Failure> {
    let expected = Expected::of(&bytes);
    Verified::held(bytes, expected).map_err(|why| Failure::new(Code::Internal, why.to_string()))
}

/// Whether a file says the same as these bytes: another order of keys and other blanks are not other rules.
fn says_the_same(app: &App, path: &Path, bytes: &[u8]) -> bool {
    let filed = app.read_kept(path, MAX_PACK.0 + 1).unwrap_or_default();
    match (std::str::from_utf8(&filed), std::str::from_utf8(bytes)) {
        (Ok(filed), Ok(shared)) => equal(filed, shared),
        _ => false,
    }
}
