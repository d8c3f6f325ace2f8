//! Holding everything on disk against what was put there, and mending it.

use super::findings::{Findings, Part, WhyNot};
use super::imports::LocalRuleset;
use super::keeping::left_over;
use super::report::{Diagnosis, DiagnosisSummary, Repaired};
use super::rollback::manifest_before;
use super::{App, own_files, pack_file, record_error, unreadable_record};
use crate::catalog::Manifest;
use crate::store::{
    Flaw, Installed, LOCALES, OwnFile, Owner, Previous, Registry, Snapshot, Store, StoreError, check_files, files_below,
};
use crate::threads;
use crate::types::{Cancel, Coded, Failure, PackageId, Pointer, Problem, Rule, Severity, Version, codes};
use std::collections::HashSet;
use std::path::PathBuf;

impl App {
    /// Looks over everything installed, byte by byte; with `repair`, mends what can be mended and looks again. What
    /// is wrong afterwards is told with the reason why it could not be mended.
    pub(crate) fn doctor(&self, repair: bool) -> Result<Diagnosis, Failure> {
        let mut repaired = Vec::new();
        let aside = self.store.files_set_aside()?;
        let snapshot = match self.store.read_strictly() {
            Ok(snapshot) => snapshot,
            Err(error @ (StoreError::DamagedRegistry { .. } | StoreError::MissingRegistry { .. })) if repair => {
                let lock = self.store.lock_only(&*self.reporter)?;
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
        let before = self.look(|snapshot| self.look_over(snapshot, &aside), |found| found.problems.is_empty())?;
        if !repair || before.problems.is_empty() {
            return Ok(diagnosis(before, repaired, WhyNot::new()));
        }
        let why_not = self.mend(&before)?;
        let after = self.look(|snapshot| self.look_over(snapshot, &aside), |found| found.problems.is_empty());
        let after = after.map_err(|failure| Failure {
            message: format!("the repairs are done, but cannot be checked: {}", failure.message),
            ..failure
        })?;
        let left: HashSet<&Problem> = after.problems.iter().collect();
        let gone = before.problems.iter().filter(|problem| !left.contains(problem));
        repaired.extend(gone.map(|problem| Repaired {
            code: problem.code.to_string(),
            package: problem.package.clone(),
            file: problem.file.clone(),
            action: problem.message.clone(),
        }));
        Ok(diagnosis(after, repaired, why_not))
    }

    /// A registry that cannot be read is the one finding there is without repair.
    fn beyond_reading(&self, error: &StoreError) -> Diagnosis {
        let file = Some(self.store.layout().registry().display().to_string());
        let mut problem = store_problem(Severity::Error, error.code().rule(), file, error.to_string());
        problem.hint = error.hint();
        let findings = Findings { problems: vec![problem], ..Findings::default() };
        diagnosis(findings, Vec::new(), WhyNot::new())
    }

    /// `aside` are the files earlier runs set aside; one that this run set aside is no news to its reader.
    fn look_over(&self, snapshot: &Snapshot, aside: &[PathBuf]) -> Result<Findings, Failure> {
        self.reporter.step("Checking every file", None);
        let mut found = Findings::default();
        let look = Look { store: &self.store, cancel: &self.cancel, snapshot };
        self.look_for_lost_records(snapshot, &mut found)?;
        // What an older record says of its version counts no more.
        let mut rulesets = snapshot.registry.rulesets();
        rulesets.retain(|ruleset| !found.records.contains(&ruleset.id));
        for one in threads::map(&rulesets, |ruleset| look.look_at(ruleset)) {
            found.add(one?);
        }
        let locals: Vec<LocalRuleset> = every_local(snapshot).collect();
        for one in threads::map(&locals, |ruleset| look.look_at_local(ruleset)) {
            found.add(one?);
        }
        found.packages += snapshot.state.imported.len();
        for id in snapshot.registry.unreadable_rulesets() {
            let failure = unreadable_record(&id);
            let mut problem = Problem {
                package: Some(id),
                ..store_problem(Severity::Error, codes::UNREADABLE_RECORD, None, failure.message)
            };
            problem.hint = failure.hint;
            found.problems.push(problem);
        }
        self.look_for_leftovers(aside, &mut found)?;
        self.look_for_orphans(snapshot, &mut found);
        Ok(found)
    }

    /// What the registry has lost to another program that wrote it at the same moment.
    fn look_for_lost_records(&self, snapshot: &Snapshot, found: &mut Findings) -> Result<(), Failure> {
        for lost in &snapshot.lost {
            if self.store.record_again(lost)?.is_none() {
                continue;
            }
            let file = Some(self.store.layout().registry().display().to_string());
            let instead = match &lost.instead {
                None => "no record of it".to_owned(),
                Some(version) => format!("an older record, of version {version}"),
            };
            let text = format!(
                "version {} was installed and is intact, but the registry has {instead}: another program overwrote it",
                lost.version
            );
            found.records.insert(lost.id.clone());
            found.problems.push(problem(codes::LOST_RECORD, &lost.id, file, text));
        }
        Ok(())
    }

    fn look_for_leftovers(&self, aside: &[PathBuf], found: &mut Findings) -> Result<(), Failure> {
        let still_there = self.store.files_set_aside()?;
        for file in aside.iter().filter(|file| still_there.contains(file)) {
            let text = "an unreadable file that an earlier run set aside";
            let mut problem = warn(codes::SET_ASIDE, file.display().to_string(), text.to_owned());
            problem.hint = Some("remove it once you no longer need anything in it".to_owned());
            found.problems.push(problem);
        }
        if self.store.is_unsettled() {
            let file = self.store.layout().intent().display().to_string();
            let text = "an interrupted change, which the next command that changes anything finishes";
            found.problems.push(warn(codes::UNFINISHED_CHANGE, file, text.to_owned()));
        }
        for folder in self.store.dead_staging() {
            let text = "left over from a killed run; the next command that changes anything removes it";
            found.problems.push(warn(codes::LEFTOVER_STAGING, folder.display().to_string(), text.to_owned()));
        }
        Ok(())
    }

    fn look_for_orphans(&self, snapshot: &Snapshot, found: &mut Findings) {
        let versions = or_told(self.store.version_folders(), self.store.layout().versions(), found);
        for (id, version) in versions {
            let is_lost = found.records.contains(&id);
            if is_lost || is_named(&snapshot.registry, &id, &version) || is_foreign(&snapshot.registry, &id) {
                continue;
            }
            let file = self.store.layout().version(&id, &version).display().to_string();
            let text = format!("version {version} is not recorded in the registry");
            let mut orphan = warn(codes::ORPHAN_VERSION, file, text);
            orphan.package = Some(id.to_string());
            orphan.hint = Some(match self.store.manifest_on_disk(&id, &version).ok().flatten() {
                Some(manifest) if manifest.kinds.iter().any(|kind| kind != "ruleset") => {
                    let kinds = manifest.kinds.join(", ");
                    format!("install {id} in the engine, or remove the folder: it is not a ruleset ({kinds})")
                }
                _ => format!("run `rulepack install {id}` to take over the folder, or remove it"),
            });
            found.problems.push(orphan);
        }
        let besides = or_told(self.store.folders_besides(), self.store.layout().versions(), found);
        for (id, name) in besides.into_iter().filter(|(id, _)| !is_foreign(&snapshot.registry, id)) {
            let file = self.store.layout().package(&id).join(name).display().to_string();
            let mut beside = warn(codes::EXTRA_FILE, file, "not a version of the package".to_owned());
            beside.package = Some(id.to_string());
            beside.hint = Some("remove it if nobody needs what is in it; rulepack leaves it alone".to_owned());
            found.problems.push(beside);
        }
        let imports = or_told(self.store.import_folders(), self.store.layout().imports(), found);
        for (id, version) in imports {
            let owner = Owner::Imported(id.clone());
            if snapshot.state.imported.get(&id).is_some_and(|imported| imported.versions.contains_key(&version)) {
                continue;
            }
            let file = self.store.layout().import(&id, version).display().to_string();
            let mut orphan =
                warn(codes::ORPHAN_VERSION, file, format!("version {version} is not recorded as imported"));
            orphan.package = Some(owner.to_string());
            orphan.hint = Some("import its file again to take over the folder, or remove it".to_owned());
            found.problems.push(orphan);
        }
    }
}

/// The folders below one of the store; that they cannot be listed is a finding.
fn or_told<T>(folders: Result<Vec<T>, StoreError>, root: PathBuf, found: &mut Findings) -> Vec<T> {
    folders.unwrap_or_else(|error| {
        let text = format!("cannot look for folders without a record: {}", Failure::from(error));
        found.problems.push(warn(codes::DAMAGED_FILE, root.display().to_string(), text));
        Vec::new()
    })
}

/// A finding that is no error.
fn warn(code: &'static Rule, file: String, text: String) -> Problem {
    store_problem(Severity::Warning, code, Some(file), text)
}

/// A look at the rulesets, which can be taken at several at the same time.
struct Look<'a> {
    store: &'a Store,
    cancel: &'a Cancel,
    snapshot: &'a Snapshot,
}

impl Look<'_> {
    fn look_at(&self, ruleset: &Installed) -> Result<Findings, Failure> {
        let mut found = Findings { packages: 1, ..Findings::default() };
        let id = &ruleset.id;
        if let Some(failure) = record_error(ruleset) {
            found.records.insert(id.clone());
            found.problems.push(problem(codes::RECORD_ERROR, id, None, failure.message));
        }
        let root = self.store.layout().version(id, &ruleset.version);
        let manifest = match Manifest::parse(ruleset.manifest.get()) {
            Ok(manifest) if manifest.id == *id && manifest.version == ruleset.version => manifest,
            Ok(_) => {
                let text = "its record in the registry has the manifest of another package or version";
                found.broken.insert(id.clone());
                found.problems.push(problem(codes::DAMAGED_RECORD, id, None, text));
                return Ok(found);
            }
            Err(reasons) => {
                let reasons: Vec<String> = reasons.iter().map(Problem::reason).collect();
                let text = format!("the manifest in its record cannot be read: {}", reasons.join("; "));
                found.broken.insert(id.clone());
                found.problems.push(problem(codes::DAMAGED_RECORD, id, None, text));
                return Ok(found);
            }
        };
        let pack = self.snapshot.state.receipt(id, &ruleset.version).and_then(|receipt| receipt.pack.clone());
        if self.store.is_missing(&root) {
            let text = format!("the folder of version {} is missing", ruleset.version);
            found.broken.insert(id.clone());
            found.problems.push(problem(codes::MISSING_VERSION, id, Some(root.display().to_string()), text));
        } else {
            let own = own_files(&manifest, &self.snapshot.state, id, &ruleset.version, pack.as_ref());
            let pack_path = pack.as_ref().map(|pack| format!("{LOCALES}/{}.json", pack.language));
            for flaw in self.check(&root, &own, &mut found)? {
                let file = Some(root.join(flaw.path()).display().to_string());
                let is_pack = Some(flaw.path()) == pack_path.as_deref();
                let code = code_of(&flaw, is_pack);
                let broken = if is_pack { &mut found.broken_pack } else { &mut found.broken };
                broken.insert(id.clone());
                found.problems.push(problem(code, id, file, flaw.to_string()));
            }
            let mut declared = OwnFile::paths(&own);
            declared.extend(self.look_for_packs_that_went(id, &ruleset.version, &mut found));
            let present = files_below(self.store.layout(), &root).unwrap_or_else(|error| {
                found.broken.insert(id.clone());
                found.problems.push(problem(
                    codes::DAMAGED_FILE,
                    id,
                    Some(root.display().to_string()),
                    not_listed(&error),
                ));
                Vec::new()
            });
            for path in present.into_iter().filter(|path| !declared.contains(path)) {
                let in_locales = path.strip_prefix(LOCALES).is_some_and(|rest| rest.starts_with('/'));
                let (code, text) = match in_locales && path.ends_with(".json") {
                    true => (codes::UNRECORDED_PACK, "a language pack that rulepack has no record of"),
                    false => (codes::EXTRA_FILE, "not part of the package"),
                };
                let mut extra = problem(code, id, Some(root.join(path).display().to_string()), text);
                extra.severity = Severity::Warning;
                extra.hint = in_locales.then(|| "remove it if nobody needs it; rulepack leaves it alone".to_owned());
                found.problems.push(extra);
            }
        }
        if let Some(previous) = &ruleset.previous {
            self.look_at_previous(ruleset, previous, &mut found)?;
        }
        Ok(found)
    }

    /// Packs beside a version that went and are still there; gives their paths in its folder.
    fn look_for_packs_that_went(&self, id: &PackageId, version: &Version, found: &mut Findings) -> Vec<String> {
        let root = self.store.layout().version(id, version);
        let left = left_over(self.store.layout(), &self.snapshot.state, id, version);
        let paths: Vec<String> = left.iter().map(|left| pack_file(left).path).collect();
        for path in &paths {
            let text = "an old language pack that could not be moved to the cache or removed";
            let mut problem = problem(codes::LEFTOVER_PACK, id, Some(root.join(path).display().to_string()), text);
            problem.severity = Severity::Warning;
            let hint = "check that the file can be removed and the cache is writable, then run `rulepack sync`";
            problem.hint = Some(hint.to_owned());
            found.problems.push(problem);
        }
        paths
    }

    /// Nobody but its reader has what was imported, so what is wrong with it is mended by the file it came from.
    fn look_at_local(&self, ruleset: &LocalRuleset) -> Result<Findings, Failure> {
        let mut found = Findings::default();
        let LocalRuleset { id, version, kept } = ruleset;
        let (owner, root) = (ruleset.owner(), self.store.layout().import(id, *version));
        let again = format!("import the file of version {version} again: `rulepack import FILE`");
        let about = |severity, code: &'static Rule, file: String, text: String, hint: &str| {
            let problem = store_problem(severity, code, Some(file), text);
            Problem { package: Some(owner.to_string()), hint: Some(hint.to_owned()), ..problem }
        };
        if self.store.is_missing(&root) {
            let text = format!("the folder of version {version} is missing");
            let file = root.display().to_string();
            found.problems.push(about(Severity::Error, codes::MISSING_VERSION, file, text, &again));
            return Ok(found);
        }
        let own = kept.all_files();
        let pack = kept.pack.as_ref().map(|pack| format!("{LOCALES}/{}.json", pack.language));
        for flaw in self.check(&root, &own, &mut found)? {
            let file = root.join(flaw.path()).display().to_string();
            let code = code_of(&flaw, Some(flaw.path()) == pack.as_deref());
            found.problems.push(about(Severity::Error, code, file, flaw.to_string(), &again));
        }
        let declared = OwnFile::paths(&own);
        let present = files_below(self.store.layout(), &root).unwrap_or_else(|error| {
            let (file, text) = (root.display().to_string(), not_listed(&error));
            found.problems.push(about(Severity::Error, codes::DAMAGED_FILE, file, text, &again));
            Vec::new()
        });
        for path in present.into_iter().filter(|path| !declared.contains(path)) {
            let file = root.join(path).display().to_string();
            let text = "not part of what was imported".to_owned();
            let hint = "remove it if nobody needs it; rulepack leaves it alone";
            found.problems.push(about(Severity::Warning, codes::EXTRA_FILE, file, text, hint));
        }
        Ok(found)
    }

    fn look_at_previous(&self, ruleset: &Installed, previous: &Previous, found: &mut Findings) -> Result<(), Failure> {
        let (id, version) = (&ruleset.id, &previous.version);
        let root = self.store.layout().version(id, version);
        let why = match manifest_before(self.store, ruleset, previous) {
            Err(failure) => Some(failure.message),
            Ok(manifest) => {
                let own = own_files(&manifest, &self.snapshot.state, id, version, None);
                let flaws: Vec<String> = self.check(&root, &own, found)?.iter().map(ToString::to_string).collect();
                (!flaws.is_empty()).then(|| flaws.join("; "))
            }
        };
        self.look_for_packs_that_went(id, version, found);
        if let Some(why) = why {
            let text = format!("version {version}, kept for rollback, has changed since it was installed: {why}");
            found.broken_previous.insert(id.clone());
            found.problems.push(problem(codes::DAMAGED_PREVIOUS, id, Some(root.display().to_string()), text));
        }
        Ok(())
    }

    fn check(&self, root: &std::path::Path, own: &[OwnFile], found: &mut Findings) -> Result<Vec<Flaw>, Failure> {
        found.files += own.len();
        Ok(check_files(self.store.layout(), root, own, self.cancel)?)
    }
}

/// Every version of every imported ruleset: all of them are kept, and can be asked for by a game that was made with
/// one.
fn every_local(snapshot: &Snapshot) -> impl Iterator<Item = LocalRuleset> {
    snapshot.state.imported.iter().flat_map(|(id, imported)| {
        let versions = imported.versions.iter();
        versions.map(|(version, kept)| LocalRuleset { id: id.clone(), version: *version, kept: kept.clone() })
    })
}

/// That what a folder holds beside what was put there is not known.
fn not_listed(error: &std::io::Error) -> String {
    format!("cannot list the folder: {error}")
}

/// What is said of a file that is not as it was put there.
fn code_of(flaw: &Flaw, is_pack: bool) -> &'static Rule {
    match (flaw, is_pack) {
        (Flaw::Missing(_), true) => codes::MISSING_PACK,
        (_, true) => codes::DAMAGED_PACK,
        (Flaw::Missing(_), false) => codes::MISSING_FILE,
        (_, false) => codes::DAMAGED_FILE,
    }
}

fn problem(code: &'static Rule, id: &PackageId, file: Option<String>, text: impl Into<String>) -> Problem {
    Problem { package: Some(id.to_string()), ..store_problem(Severity::Error, code, file, text) }
}

/// A finding about the store as a whole, or a file of it.
fn store_problem(severity: Severity, code: &'static Rule, file: Option<String>, text: impl Into<String>) -> Problem {
    let mut problem = Problem::new(code, &Pointer::root(), text);
    problem.severity = severity;
    problem.pointer = None;
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

/// What of a ruleset a finding is about.
fn part_of(code: &'static Rule) -> Part {
    if code == codes::DAMAGED_PREVIOUS {
        Part::Previous
    } else if [codes::DAMAGED_PACK, codes::MISSING_PACK].contains(&code) {
        Part::Pack
    } else {
        Part::Active
    }
}

fn diagnosis(found: Findings, repaired: Vec<Repaired>, why_not: WhyNot) -> Diagnosis {
    let mut problems = found.problems;
    for problem in &mut problems {
        // What is no error was not to be mended.
        let package = problem.package.clone().filter(|_| problem.severity == Severity::Error);
        let reason = package.and_then(|package| why_not.get(&(package, part_of(problem.code))));
        problem.hint = match reason {
            Some(reason) => Some(format!("it cannot be repaired: {reason}")),
            None if problem.hint.is_none() && problem.severity == Severity::Error => {
                Some("run `rulepack doctor --repair` to repair it if possible".to_owned())
            }
            None => problem.hint.take(),
        };
    }
    let count = |severity: Severity| severity.count(&problems);
    let summary = DiagnosisSummary {
        errors: count(Severity::Error),
        warnings: count(Severity::Warning),
        packages: found.packages,
        files: found.files,
    };
    Diagnosis { problems, summary, repaired }
}
