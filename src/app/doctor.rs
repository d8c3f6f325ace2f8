//! Holding everything on disk against what was put there, and mending it.

use super::execute::Mode;
use super::pack::{Kept, PackPlan, Source};
use super::plan::{PackagePlan, Plan};
use super::report::{Action, Diagnosis, DiagnosisSummary, Repaired};
use super::{App, own_files};
use crate::catalog::Manifest;
use crate::store::{
    Change, FileCheck, Flaw, Installed, LOCALES, OwnFile, Previous, Put, Registry, Snapshot, StoreError, Transaction,
    check_files, files_below,
};
use crate::types::{Coded, Failure, PackageId, Pointer, Problem, Severity, Version};
use std::collections::{BTreeMap, BTreeSet};

/// What one look over the store found.
#[derive(Default)]
struct Findings {
    problems: Vec<Problem>,
    packages: usize,
    files: usize,
    /// The rulesets whose active version must be put there again.
    broken: BTreeSet<PackageId>,
    /// The rulesets whose version before can no longer be gone back to.
    broken_previous: BTreeSet<PackageId>,
}

impl App {
    /// Looks over everything installed, byte by byte; with `repair`, mends what can be mended and looks again. What
    /// is wrong afterwards is told with the reason why it could not be mended.
    pub fn doctor(&self, repair: bool) -> Result<Diagnosis, Failure> {
        let mut repaired = Vec::new();
        let snapshot = match self.store.read() {
            Ok(snapshot) => snapshot,
            Err(error @ (StoreError::DamagedRegistry { .. } | StoreError::MissingRegistry { .. })) if repair => {
                let lock = self.store.lock_only(&*self.on)?;
                // A change that cannot be finished without a registry is finished once there is one.
                let told = self.store.tidy(&lock).unwrap_or_default();
                self.warnings.borrow_mut().extend(told);
                if let Some(action) = self.store.rebuild_registry(&lock)? {
                    let file = Some(self.store.layout().registry().display().to_string());
                    repaired.push(Repaired { code: error.code().to_string(), package: None, file, action });
                }
                drop(lock);
                self.store.read()?
            }
            Err(error) if matches!(error, StoreError::DamagedRegistry { .. } | StoreError::MissingRegistry { .. }) => {
                return Ok(self.beyond_reading(&error));
            }
            Err(error) => return Err(error.into()),
        };
        self.warnings.borrow_mut().extend(snapshot.warnings);
        let before = self.look(|snapshot| self.look_over(snapshot), |found| found.problems.is_empty())?;
        if !repair || before.problems.is_empty() {
            return Ok(diagnosis(before, repaired, BTreeMap::new()));
        }
        let why_not = self.mend(&before)?;
        let after = self.look_over(&self.read()?)?;
        let gone = before.problems.iter().filter(|problem| !after.problems.contains(problem));
        repaired.extend(gone.map(|problem| Repaired {
            code: problem.code.clone(),
            package: problem.package.clone(),
            file: problem.file.clone(),
            action: problem.message.clone(),
        }));
        Ok(diagnosis(after, repaired, why_not))
    }

    /// A registry that cannot be read is the one finding there is without repair.
    fn beyond_reading(&self, error: &StoreError) -> Diagnosis {
        let mut problem = Problem::error(error.code().as_str(), &Pointer::root(), error.to_string());
        problem.pointer = None;
        problem.hint = error.hint();
        problem.file = Some(self.store.layout().registry().display().to_string());
        let findings = Findings { problems: vec![problem], ..Findings::default() };
        diagnosis(findings, Vec::new(), BTreeMap::new())
    }

    fn look_over(&self, snapshot: &Snapshot) -> Result<Findings, Failure> {
        self.on.step("Checking every file");
        let mut found = Findings::default();
        for ruleset in snapshot.registry.rulesets() {
            self.look_at_ruleset(&ruleset, snapshot, &mut found)?;
        }
        self.look_for_leftovers(snapshot, &mut found);
        Ok(found)
    }

    fn look_at_ruleset(&self, ruleset: &Installed, snapshot: &Snapshot, found: &mut Findings) -> Result<(), Failure> {
        found.packages += 1;
        let id = &ruleset.id;
        let root = self.store.layout().version(id, &ruleset.version);
        let manifest = match Manifest::parse(ruleset.manifest.get()) {
            Ok(manifest) if manifest.id == *id && manifest.version == ruleset.version => manifest,
            Ok(_) => {
                let text = "its record in the registry carries the manifest of another package or version";
                found.broken.insert(id.clone());
                found.problems.push(problem("damaged-record", id, None, text));
                return Ok(());
            }
            Err(reasons) => {
                let reasons: Vec<String> = reasons.iter().map(Problem::reason).collect();
                let text = format!("the manifest in its record cannot be read: {}", reasons.join("; "));
                found.broken.insert(id.clone());
                found.problems.push(problem("damaged-record", id, None, text));
                return Ok(());
            }
        };
        let pack = snapshot.state.receipt(id, &ruleset.version).and_then(|receipt| receipt.pack.clone());
        if !root.is_dir() {
            let text = format!("the folder of version {} is missing", ruleset.version);
            found.broken.insert(id.clone());
            found.problems.push(problem("missing-version", id, Some(root.display().to_string()), text));
        } else {
            let own = own_files(&manifest, &snapshot.state, id, &ruleset.version, pack.as_ref());
            let pack_path = pack.as_ref().map(|pack| format!("{LOCALES}/{}.json", pack.language));
            for flaw in self.check(&root, &own, found)? {
                let file = Some(root.join(flaw.path()).display().to_string());
                let is_pack = Some(flaw.path()) == pack_path.as_deref();
                let code = match (&flaw, is_pack) {
                    (Flaw::Missing(_), true) => "missing-pack",
                    (_, true) => "damaged-pack",
                    (Flaw::Missing(_), false) => "missing-file",
                    (_, false) => "damaged-file",
                };
                if !is_pack {
                    found.broken.insert(id.clone());
                }
                found.problems.push(problem(code, id, file, flaw.to_string()));
            }
            let declared = OwnFile::paths(&own);
            for path in files_below(&root).into_iter().filter(|path| !declared.contains(path)) {
                let in_locales = path.strip_prefix(LOCALES).is_some_and(|rest| rest.starts_with('/'));
                let (code, text) = match in_locales && path.ends_with(".json") {
                    true => ("unrecorded-pack", "a language pack that rulepack has no record of"),
                    false => ("extra-file", "not part of the package; rulepack leaves it alone"),
                };
                let mut extra = problem(code, id, Some(root.join(path).display().to_string()), text);
                extra.severity = Severity::Warning;
                found.problems.push(extra);
            }
        }
        match &ruleset.previous {
            Some(previous) => self.look_at_previous(ruleset, previous, snapshot, found),
            None => Ok(()),
        }
    }

    fn look_at_previous(
        &self,
        ruleset: &Installed,
        previous: &Previous,
        snapshot: &Snapshot,
        found: &mut Findings,
    ) -> Result<(), Failure> {
        let (id, version) = (&ruleset.id, &previous.version);
        let root = self.store.layout().version(id, version);
        let why = match self.manifest_before(ruleset, previous) {
            Err(failure) => Some(failure.message),
            Ok(manifest) => {
                let own = own_files(&manifest, &snapshot.state, id, version, None);
                let flaws: Vec<String> = self.check(&root, &own, found)?.iter().map(ToString::to_string).collect();
                (!flaws.is_empty()).then(|| flaws.join("; "))
            }
        };
        if let Some(why) = why {
            let text = format!("version {version}, kept for rollback, is not as it was installed: {why}");
            found.broken_previous.insert(id.clone());
            found.problems.push(problem("damaged-previous", id, Some(root.display().to_string()), text));
        }
        Ok(())
    }

    fn check(&self, root: &std::path::Path, own: &[OwnFile], found: &mut Findings) -> Result<Vec<Flaw>, Failure> {
        let checks: Vec<FileCheck> = own
            .iter()
            .map(|file| FileCheck { root: root.to_owned(), path: file.path.clone(), expected: file.expected })
            .collect();
        found.files += checks.len();
        Ok(check_files(&checks, &self.cancel)?.into_iter().flatten().collect())
    }

    fn look_for_leftovers(&self, snapshot: &Snapshot, found: &mut Findings) {
        let warn = |code: &str, file: String, text: String| {
            let mut problem = Problem::warning(code, &Pointer::root(), text);
            problem.pointer = None;
            problem.file = Some(file);
            problem
        };
        if self.store.is_unsettled() {
            let file = self.store.layout().intent().display().to_string();
            let text = "a change was begun and not finished; the next command that changes anything finishes it";
            found.problems.push(warn("unfinished-change", file, text.to_owned()));
        }
        for folder in self.store.dead_staging() {
            let text = "left by a run that was killed; the next command that changes anything removes it";
            found.problems.push(warn("leftover-staging", folder.display().to_string(), text.to_owned()));
        }
        for (id, version) in self.store.version_folders() {
            if is_named(&snapshot.registry, &id, &version) || is_foreign(&snapshot.registry, &id) {
                continue;
            }
            let file = self.store.layout().version(&id, &version).display().to_string();
            let text = format!("version {version} is in no record of the registry");
            let mut orphan = warn("orphan-version", file, text);
            orphan.package = Some(id.to_string());
            found.problems.push(orphan);
        }
    }

    /// Mends what was found. Gives, for each ruleset that could not be mended, why not.
    fn mend(&self, found: &Findings) -> Result<BTreeMap<String, String>, Failure> {
        let (lock, mut tidied) = self.store.lock(&*self.on)?;
        self.warnings.borrow_mut().append(&mut tidied.warnings);
        drop(lock);
        let mut why_not = BTreeMap::new();
        let outcome = self.carry_out(Mode::default(), |snapshot| {
            let language = self.language(&snapshot.state);
            let mut packages = Vec::new();
            for ruleset in snapshot.registry.rulesets() {
                // Another run may have mended it since.
                packages.push(if found.broken.contains(&ruleset.id) && !self.is_intact(&ruleset, None, snapshot)? {
                    self.plan_mending(&ruleset, found, snapshot)
                } else {
                    self.plan_pack_mending(&ruleset, snapshot)?
                });
            }
            Ok(Plan { language, packages, remember: None, warnings: Vec::new() })
        })?;
        for failure in outcome.failures {
            if let Some(package) = &failure.package {
                why_not.insert(package.clone(), failure.message.clone());
            }
        }
        self.forget_broken_previous(found)?;
        Ok(why_not)
    }

    /// A ruleset whose active version is damaged: the catalog's same version again, else the version before.
    fn plan_mending(&self, ruleset: &Installed, found: &Findings, snapshot: &Snapshot) -> PackagePlan {
        let id = ruleset.id.as_str();
        let offered = self.shelf().and_then(|shelf| shelf.offered(id));
        let why = match &offered {
            Ok(entry) if entry.manifest.version == ruleset.version => {
                return self.plan_place(entry, ruleset.clone(), Action::Reinstalled, snapshot);
            }
            Ok(entry) => format!("the catalog has version {} only", entry.manifest.version),
            Err(failure) => failure.message.clone(),
        };
        match self.plan_rollback(id, snapshot) {
            Ok(plan) if !found.broken_previous.contains(&ruleset.id) => plan,
            _ => {
                let text = format!("{id} {} could not be put there again: {why}", ruleset.version);
                let failure = Failure::new(crate::types::Code::DamagedPackage, text);
                let hint =
                    format!("`rulepack update {id}` takes the catalog's version, `rulepack uninstall {id}` removes it");
                PackagePlan::failed_at(Some(ruleset), id, failure.hint(hint))
            }
        }
    }

    /// A sound ruleset: its pack is fetched again unless the very bytes recorded are there.
    fn plan_pack_mending(&self, ruleset: &Installed, snapshot: &Snapshot) -> Result<PackagePlan, Failure> {
        let root = self.store.layout().version(&ruleset.id, &ruleset.version);
        let recorded = snapshot.state.receipt(&ruleset.id, &ruleset.version).and_then(|receipt| receipt.pack.clone());
        let Some(kept) = recorded else {
            return Ok(PackagePlan::stays(ruleset, Action::Unchanged, PackPlan::Nothing));
        };
        let check = FileCheck { root, path: format!("{LOCALES}/{}.json", kept.language), expected: Some(kept.file) };
        if check_files(&[check], &self.cancel)?.iter().all(Option::is_none) {
            return Ok(PackagePlan::stays(ruleset, Action::Unchanged, PackPlan::Keep(kept)));
        }
        let entry = self.shelf().ok().and_then(|shelf| shelf.ruleset(ruleset.id.as_str()).ok().flatten());
        let source = Source::of(entry.as_deref(), &ruleset.version);
        let pack = match PackPlan::make(&self.language(&snapshot.state), &source, None) {
            PackPlan::Fetch { offer, .. } => PackPlan::Fetch { offer, old: Some(Kept { pack: kept, whole: false }) },
            // A damaged pack that cannot be had again goes: the ruleset is whole in English.
            _ => PackPlan::NotListed { drop: Some(kept) },
        };
        Ok(PackagePlan::stays(ruleset, Action::Unchanged, pack))
    }

    /// A version that can no longer be gone back to is no longer named as one; its files stay where they are.
    fn forget_broken_previous(&self, found: &Findings) -> Result<(), Failure> {
        if found.broken_previous.is_empty() {
            return Ok(());
        }
        let (lock, mut snapshot) = self.store.lock(&*self.on)?;
        self.warnings.borrow_mut().append(&mut snapshot.warnings);
        let mut transaction = Transaction::default();
        for id in &found.broken_previous {
            let Some(ruleset) = snapshot.registry.ruleset(id) else { continue };
            let Some(previous) = &ruleset.previous else { continue };
            // Another run may have put a sound one there since.
            let mut now = Findings::default();
            self.look_at_previous(&ruleset, previous, &snapshot, &mut now)?;
            if now.broken_previous.is_empty() {
                continue;
            }
            let mut change = Change::of(id);
            let forgotten = Installed { previous: None, ..ruleset };
            let mut remembered = snapshot.state.packages.get(id).cloned().unwrap_or_default();
            remembered.previous = None;
            remembered.versions.retain(|version, _| version == forgotten.version.as_str());
            change.record = Put::Set(forgotten.to_record());
            change.state = Put::Set(remembered);
            transaction.changes.push(change);
        }
        self.warnings.borrow_mut().extend(self.store.commit(&lock, &transaction)?);
        Ok(())
    }
}

fn problem(code: &str, id: &PackageId, file: Option<String>, text: impl Into<String>) -> Problem {
    let mut problem = Problem::error(code, &Pointer::root(), text);
    problem.pointer = None;
    problem.package = Some(id.to_string());
    problem.file = file;
    problem
}

fn is_named(registry: &Registry, id: &PackageId, version: &Version) -> bool {
    registry.ruleset(id).is_some_and(|ruleset| {
        ruleset.version == *version || ruleset.previous.is_some_and(|previous| previous.version == *version)
    })
}

/// Whether the id is a package of another kind, whose folders are the engine's business.
fn is_foreign(registry: &Registry, id: &PackageId) -> bool {
    registry.has(id.as_str()) && registry.ruleset(id).is_none()
}

fn diagnosis(found: Findings, repaired: Vec<Repaired>, why_not: BTreeMap<String, String>) -> Diagnosis {
    let mut problems = found.problems;
    for problem in &mut problems {
        let reason = problem.package.as_ref().and_then(|package| why_not.get(package));
        problem.hint = match reason {
            Some(reason) => Some(format!("it could not be mended: {reason}")),
            None if problem.hint.is_none() && problem.severity == Severity::Error => {
                Some("`rulepack doctor --repair` mends it where it can".to_owned())
            }
            None => problem.hint.take(),
        };
    }
    let count = |severity| problems.iter().filter(|problem| problem.severity == severity).count();
    let summary = DiagnosisSummary {
        errors: count(Severity::Error),
        warnings: count(Severity::Warning),
        packages: found.packages,
        files: found.files,
    };
    Diagnosis { problems, summary, repaired }
}
