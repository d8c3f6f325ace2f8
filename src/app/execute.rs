//! Carrying a plan out: fetch and stage, lock, look again, commit, say what became of it.

use super::pack::PackPlan;
use super::plan::{PackagePlan, Plan, Step};
use super::report::{Action, Changes, ErrorReport, LanguagePack, PackReason, PackStatus, PackageChange};
use super::stage::{Stage, is_stop};
use super::{App, BETWEEN_LOOKS, LOOKS, manifest_of, own_files};
use crate::catalog::Manifest;
use crate::store::{
    AddPack, Change, Discard, Installed, KeptPack, Layout, OwnFile, PackChange, PackageState, Place, Previous, Put,
    Receipt, Snapshot, State, StoreLock, Transaction,
};
use crate::types::{Code, Coded, Failure, Language, PackageId, Version, Warning};

/// How a command wants its plan carried out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mode {
    /// Make the plan and say it, but do nothing.
    pub dry_run: bool,
    /// A wanted pack that cannot be had is a failure.
    pub require_pack: bool,
}

/// What a changing command answers, and what went wrong on the way, in the order of the packages.
pub struct Outcome {
    pub changes: Changes,
    pub failures: Vec<Failure>,
}

impl App {
    /// Makes the plan, fetches what it needs, and makes it again under the lock: whatever other runs did meanwhile
    /// is looked at before anything is changed. Only when the new plan needs files that were not fetched is the lock
    /// let go once more.
    pub(super) fn carry_out(
        &self,
        mode: Mode,
        make_plan: impl Fn(&Snapshot) -> Result<Plan, Failure>,
    ) -> Result<Outcome, Failure> {
        let mut snapshot = self.read()?;
        let mut stage = Stage::default();
        let mut looks = 0;
        loop {
            let mut plan = make_plan(&snapshot)?;
            if plan.fails_anywhere() && looks < LOOKS && self.store.has_moved_since(&snapshot) {
                looks += 1;
                self.stop_if_asked()?;
                std::thread::sleep(BETWEEN_LOOKS);
                snapshot = self.read()?;
                continue;
            }
            if mode.dry_run {
                return Ok(self.report(plan, mode));
            }
            // Not only under the lock: a run that has nothing to do, or dies again in its download, never takes it.
            self.store.sweep();
            if !plan.changes_anything(&snapshot.state) {
                return Ok(self.report(plan, mode));
            }
            stage.fill(self, &plan)?;
            self.stop_if_asked()?;
            // What could not be had changes nothing; where nothing else is left to do, the store is not touched.
            stage.mark_failures(&mut plan);
            if !plan.changes_anything(&snapshot.state) {
                return Ok(self.report(plan, mode));
            }
            let (lock, mut fresh) = self.store.lock(&*self.on)?;
            self.warnings.borrow_mut().append(&mut fresh.warnings);
            let mut plan = make_plan(&fresh)?;
            if stage.covers(&plan) {
                stage.mark_failures(&mut plan);
                let plan = self.commit(&lock, plan, &fresh, &mut stage)?;
                drop(lock);
                return Ok(self.report(plan, mode));
            }
            drop(lock);
            snapshot = fresh;
        }
    }

    /// Commits a plan, package by package; packs alone, which a change of language moves for all at once, go in one
    /// transaction together with the language itself.
    fn commit(&self, lock: &StoreLock, mut plan: Plan, now: &Snapshot, stage: &mut Stage) -> Result<Plan, Failure> {
        let mut packs = Transaction { changes: Vec::new(), language: plan.remember.clone() };
        let language = plan.language.clone();
        for package in &mut plan.packages {
            self.stop_if_asked()?;
            let added = self.added_pack(package, &language, stage)?;
            if matches!(package.step, Step::Stay(_)) {
                if let Some(change) = self.pack_change(package, &language, added, &now.state) {
                    packs.changes.push(change);
                }
                continue;
            }
            let change = match self.change_of(package, &language, added, now, stage) {
                Ok(Some(change)) => change,
                Ok(None) => continue,
                Err(failure) if is_stop(&failure) => return Err(failure),
                Err(failure) => {
                    *package = package.failing(failure);
                    continue;
                }
            };
            let transaction = Transaction { changes: vec![change], language: None };
            match self.store.commit(lock, &transaction) {
                Ok(warnings) => warnings.into_iter().for_each(|warning| self.warn(warning)),
                Err(error) => *package = package.failing(error.into()),
            }
        }
        self.commit_packs(lock, packs, &mut plan)?;
        Ok(plan)
    }

    /// Commits all packs and the language in one step. Only where that cannot be, each stands alone, so that a folder
    /// with something in the way costs nobody but its own ruleset the pack.
    fn commit_packs(&self, lock: &StoreLock, packs: Transaction, plan: &mut Plan) -> Result<(), Failure> {
        match self.store.commit(lock, &packs) {
            Ok(warnings) => {
                warnings.into_iter().for_each(|warning| self.warn(warning));
                return Ok(());
            }
            Err(error) if packs.changes.is_empty() || self.store.is_unsettled() => return Err(error.into()),
            // What has no room together has none apart: some of it would be changed, and some not.
            Err(error) if error.code() == Code::DiskFull => {
                let failure = Failure::from(error);
                if packs.language.is_some() {
                    return Err(failure);
                }
                for change in packs.changes {
                    fail(plan, &change.id, failure.clone());
                }
                return Ok(());
            }
            Err(_) => {}
        }
        let Transaction { changes, language } = packs;
        self.store.commit(lock, &Transaction { changes: Vec::new(), language })?;
        for change in changes {
            let id = change.id.clone();
            match self.store.commit(lock, &Transaction { changes: vec![change], language: None }) {
                Ok(warnings) => warnings.into_iter().for_each(|warning| self.warn(warning)),
                Err(error) => fail(plan, &id, error.into()),
            }
        }
        Ok(())
    }

    /// The pack to put beside a package, staged; the plan says why, when there is none.
    fn added_pack(
        &self,
        package: &mut PackagePlan,
        language: &Language,
        stage: &mut Stage,
    ) -> Result<Option<AddPack>, Failure> {
        let PackPlan::Fetch { offer, old } = &package.pack else { return Ok(None) };
        match stage.take_pack(&package.id, offer) {
            Ok(staged) => {
                let pack = KeptPack { language: offer.language.clone(), file: offer.file.expected };
                return Ok(Some(AddPack { pack, staged }));
            }
            Err(failure) if is_stop(&failure) => return Err(failure),
            Err(failure) => package.pack = PackPlan::after_failure(language, old.clone(), failure),
        }
        // Where the folder is replaced, a pack that stays has to come along.
        let (Step::Place { entry, .. }, PackPlan::Unavailable { drop, kept, .. }) = (&package.step, &mut package.pack)
        else {
            return Ok(None);
        };
        let Some(pack) = kept.clone() else { return Ok(None) };
        let root = self.store.layout().version(&entry.manifest.id, &entry.manifest.version);
        let staged = stage.copy_of(self, &root, &pack)?;
        if staged.is_none() {
            *drop = kept.take();
        }
        Ok(staged.map(|staged| AddPack { pack, staged }))
    }

    /// The change of a package that stays at its version: its pack alone.
    fn pack_change(
        &self,
        package: &PackagePlan,
        language: &Language,
        added: Option<AddPack>,
        state: &State,
    ) -> Option<Change> {
        let Step::Stay(installed) = &package.step else { return None };
        if added.is_none() && package.pack.dropped().is_none() {
            return None;
        }
        let mut change = Change::of(&installed.id);
        let mut remembered = remembered(state, installed);
        let receipt = remembered.versions.entry(installed.version.to_string()).or_default();
        let settled = self.settled(&installed.id, &installed.version, language, &package.pack);
        let remove = receipt.put_pack(added.as_ref().map(|added| added.pack.clone()), settled);
        change.packs.push(PackChange { version: installed.version.clone(), add: added, remove });
        change.state = Put::Set(remembered);
        Some(change)
    }

    fn change_of(
        &self,
        package: &PackagePlan,
        language: &Language,
        added: Option<AddPack>,
        now: &Snapshot,
        stage: &mut Stage,
    ) -> Result<Option<Change>, Failure> {
        match &package.step {
            Step::Stay(_) | Step::Fail(_) => Ok(None),
            Step::Place { entry, over } => {
                let staged = stage.take_version(entry)?;
                let receipt = Receipt {
                    artifact: Some(entry.artifact.expected),
                    manifest: Some(staged.manifest),
                    pack: added.as_ref().map(|added| added.pack.clone()),
                    settled: self.settled(&entry.manifest.id, &entry.manifest.version, language, &package.pack),
                };
                let place = Place {
                    version: entry.manifest.version.clone(),
                    staged: staged.path,
                    files: staged.files,
                    replaced: self.files_of_version(
                        &entry.manifest.id,
                        &entry.manifest.version,
                        over.as_ref(),
                        &now.state,
                    ),
                };
                Ok(Some(self.place_change(&entry.manifest, over.as_ref(), place, receipt, added, now)))
            }
            Step::Back { from } => Ok(self.back_change(from, added, &now.state)),
            Step::Remove(installed) => Ok(Some(self.remove_change(installed, &now.state))),
        }
    }

    fn place_change(
        &self,
        manifest: &Manifest,
        over: Option<&Installed>,
        place: Place,
        receipt: Receipt,
        added: Option<AddPack>,
        now: &Snapshot,
    ) -> Change {
        let state = &now.state;
        let version = manifest.version.clone();
        let previous = match over {
            Some(over) if over.version == version => over.previous.clone(),
            Some(over) => Some(left_behind(over)),
            None => None,
        };
        let record = Installed {
            id: manifest.id.clone(),
            version: version.clone(),
            manifest: manifest.raw.clone(),
            previous,
            installed_at: crate::store::now(),
            legacy: false,
        };
        let mut change = Change::of(&manifest.id);
        let mut remembered = over.map(|over| remembered(state, over)).unwrap_or_default();
        let mut old_receipts = std::mem::take(&mut remembered.versions);
        // It goes with the folder that is replaced. A run that finishes this one may find the folder so like the new
        // one that it leaves it in place.
        let old_pack = old_receipts.remove(version.as_str()).and_then(|old| old.pack);
        for (kept, mut old) in old_receipts {
            if record.previous.as_ref().is_some_and(|previous| previous.version.as_str() == kept) {
                // The version left keeps no pack (contract, section 4, rule 7).
                if let (Some(pack), Ok(version)) = (old.put_pack(None, None), kept.parse()) {
                    change.packs.push(PackChange { version, add: None, remove: Some(pack) });
                }
                remembered.versions.insert(kept, old);
            }
        }
        remembered.versions.insert(version.to_string(), receipt);
        note_record(&mut remembered, &record);
        change.discard = self.outdated_versions(&record, over, state);
        change.place = Some(place);
        change.packs.push(PackChange { version, add: added, remove: old_pack });
        change.record = Put::Set(record.to_record());
        change.state = Put::Set(remembered);
        // What was declined is not wanted yet when something older is put there again.
        let declined = now.decisions.declined(&manifest.id).and_then(|version| version.parse::<Version>().ok());
        if declined.is_none_or(|declined| declined.precedence(&manifest.version).is_le()) {
            change.declined = Put::Remove;
        }
        change
    }

    fn back_change(&self, from: &Installed, added: Option<AddPack>, state: &State) -> Option<Change> {
        let previous = from.previous.as_ref()?;
        let manifest = previous.manifest.clone()?;
        let version = previous.version.clone();
        let record = Installed { version, manifest, previous: Some(left_behind(from)), ..from.clone() };
        let mut change = Change::of(&from.id);
        let mut remembered = remembered(state, from);
        let left = remembered.versions.entry(from.version.to_string()).or_default();
        if let Some(pack) = left.put_pack(None, None) {
            change.packs.push(PackChange { version: from.version.clone(), add: None, remove: Some(pack) });
        }
        let active = remembered.versions.entry(record.version.to_string()).or_default();
        active.put_pack(added.as_ref().map(|added| added.pack.clone()), None);
        change.packs.push(PackChange { version: record.version.clone(), add: added, remove: None });
        note_record(&mut remembered, &record);
        change.record = Put::Set(record.to_record());
        change.state = Put::Set(remembered);
        change.declined = Put::Set(from.version.clone());
        Some(change)
    }

    fn remove_change(&self, installed: &Installed, state: &State) -> Change {
        let mut change = Change::of(&installed.id);
        let mut versions = self.known_versions(installed, state);
        versions.push(installed.version.clone());
        change.discard = versions
            .into_iter()
            .map(|version| {
                let files = self.files_of_version(&installed.id, &version, Some(installed), state);
                Discard { version, files, keep_edited: false }
            })
            .collect();
        change.record = Put::Remove;
        change.state = Put::Remove;
        change.declined = Put::Remove;
        change
    }

    /// The versions that go once `record` stands: all rulepack knows of but the active one and the one before.
    fn outdated_versions(&self, record: &Installed, over: Option<&Installed>, state: &State) -> Vec<Discard> {
        let Some(over) = over else { return Vec::new() };
        let stays = |version: &Version| {
            *version == record.version || record.previous.as_ref().is_some_and(|previous| previous.version == *version)
        };
        let mut versions = self.known_versions(over, state);
        versions.retain(|version| !stays(version));
        versions
            .into_iter()
            .map(|version| {
                let files = self.files_of_version(&over.id, &version, Some(over), state);
                Discard { version, files, keep_edited: true }
            })
            .collect()
    }

    /// The versions of a package, besides the active one, that the registry or our receipts name or that lie on disk:
    /// the engine leaves the folders of older versions behind.
    fn known_versions(&self, installed: &Installed, state: &State) -> Vec<Version> {
        let receipts = state.packages.get(&installed.id).into_iter().flat_map(|package| package.versions.keys());
        let mut versions: Vec<Version> = receipts.filter_map(|version| version.parse().ok()).collect();
        versions.extend(installed.previous.as_ref().map(|previous| previous.version.clone()));
        versions.extend(self.store.versions_on_disk(&installed.id));
        versions.retain(|version| *version != installed.version);
        versions.sort_by(|a, b| a.as_str().cmp(b.as_str()));
        versions.dedup();
        versions
    }

    /// What was put into a version folder, by the manifest the registry has for it or the one that lies in it.
    pub(super) fn files_of_version(
        &self,
        id: &PackageId,
        version: &Version,
        installed: Option<&Installed>,
        state: &State,
    ) -> Vec<OwnFile> {
        let pack = state.receipt(id, version).and_then(|receipt| receipt.pack.as_ref());
        let manifests = [
            installed
                .filter(|installed| installed.version == *version)
                .map(|installed| installed.manifest.get().to_owned()),
            installed
                .and_then(|installed| installed.previous.as_ref())
                .filter(|previous| previous.version == *version)
                .and_then(|previous| Some(previous.manifest.as_ref()?.get().to_owned())),
            self.store.manifest_text(id, version).ok(),
        ];
        let manifest = manifests.into_iter().flatten().find_map(|text| Manifest::parse(&text).ok());
        manifest.map(|manifest| own_files(&manifest, state, id, version, pack)).unwrap_or_default()
    }

    /// What became of a plan that was carried out, or that there was nothing to do about.
    fn report(&self, plan: Plan, mode: Mode) -> Outcome {
        plan.warnings.iter().for_each(|warning| self.warn(warning.clone()));
        let mut failures = Vec::new();
        let mut packages = Vec::new();
        for package in plan.packages {
            let missing = mode.require_pack.then(|| missing_pack(&package)).flatten();
            let (row, failed) = self.row(package);
            failures.extend(failed.or(missing));
            packages.push(row);
        }
        Outcome { changes: Changes { language: plan.language.to_string(), packages }, failures }
    }

    fn row(&self, package: PackagePlan) -> (PackageChange, Option<Failure>) {
        let removed = package.action == Action::Removed;
        let root = package
            .active
            .as_ref()
            .zip(package.version.as_ref())
            .map(|(id, version)| self.store.layout().version(id, version));
        if let PackPlan::Unavailable { reason, failure, .. } = &package.pack {
            self.warn(unavailable_warning(*reason, failure.as_ref()).about(&package.id));
        }
        let language_pack = root.as_ref().and_then(|root| pack_row(&package.pack, root));
        let failure = match package.step {
            Step::Fail(failure) => Some(failure),
            _ => None,
        };
        let row = PackageChange {
            id: package.id,
            name: package.name,
            version: package.version.map(|version| version.to_string()),
            previous_version: package.previous.map(|version| version.to_string()),
            action: package.action,
            path: root.filter(|_| !removed).map(|root| root.display().to_string()),
            language_pack,
            error: failure.as_ref().map(ErrorReport::from),
        };
        (row, failure)
    }
}

impl Plan {
    /// Whether something cannot be done, which may only be so in a store that another run is changing.
    fn fails_anywhere(&self) -> bool {
        self.packages.iter().any(|package| matches!(package.step, Step::Fail(_)))
    }

    /// Whether carrying the plan out changes anything; a language already remembered does not.
    fn changes_anything(&self, state: &State) -> bool {
        let language = self.remember.as_ref().is_some_and(|language| *language != state.language);
        language || self.packages.iter().any(PackagePlan::changes_anything)
    }
}

fn fail(plan: &mut Plan, id: &PackageId, failure: Failure) {
    if let Some(package) = plan.packages.iter_mut().find(|package| package.id == id.as_str()) {
        *package = package.failing(failure);
    }
}

impl PackPlan {
    /// The pack that goes.
    fn dropped(&self) -> Option<&KeptPack> {
        match self {
            PackPlan::Nothing | PackPlan::Keep(_) => None,
            PackPlan::NotNeeded { drop } | PackPlan::NotListed { drop } | PackPlan::Unavailable { drop, .. } => {
                drop.as_ref()
            }
            PackPlan::Fetch { old, .. } => old.as_ref().map(|old| &old.pack),
        }
    }
}

/// A version as the one before. A manifest that is not its own would hide the whole record from the engine, which
/// without one looks into the version's folder.
fn left_behind(installed: &Installed) -> Previous {
    Previous { version: installed.version.clone(), manifest: manifest_of(installed).map(|manifest| manifest.raw) }
}

/// What our record says of an installed ruleset, brought in line with the registry.
pub(super) fn remembered(state: &State, installed: &Installed) -> PackageState {
    let mut package = state.packages.get(&installed.id).cloned().unwrap_or_default();
    note_record(&mut package, installed);
    package
}

pub(super) fn note_record(package: &mut PackageState, record: &Installed) {
    package.active = Some(record.version.clone());
    package.previous = record.previous.as_ref().map(|previous| previous.version.clone());
    package.installed_at = Some(record.installed_at.clone());
}

fn pack_row(pack: &PackPlan, root: &std::path::Path) -> Option<LanguagePack> {
    let bare = |status| LanguagePack { status, language: None, path: None, sha256: None, bytes: None, reason: None };
    let there = |status, kept: &KeptPack| LanguagePack {
        language: Some(kept.language.to_string()),
        path: Some(Layout::pack_in(root, &kept.language).display().to_string()),
        sha256: Some(kept.file.sha256.to_string()),
        bytes: Some(kept.file.bytes.0),
        ..bare(status)
    };
    Some(match pack {
        PackPlan::Nothing => return None,
        PackPlan::Keep(kept) => there(PackStatus::Current, kept),
        PackPlan::NotNeeded { drop: Some(_) } | PackPlan::NotListed { drop: Some(_) } => bare(PackStatus::Removed),
        PackPlan::NotNeeded { .. } => bare(PackStatus::NotNeeded),
        PackPlan::NotListed { .. } => bare(PackStatus::NotListed),
        PackPlan::Fetch { offer, .. } => {
            there(PackStatus::Fetched, &KeptPack { language: offer.language.clone(), file: offer.file.expected })
        }
        PackPlan::Unavailable { reason, kept, .. } => {
            let row = match kept {
                Some(kept) => there(PackStatus::Unavailable, kept),
                None => bare(PackStatus::Unavailable),
            };
            LanguagePack { reason: Some(*reason), ..row }
        }
    })
}

fn unavailable_warning(reason: PackReason, failure: Option<&Failure>) -> Warning {
    match (reason, failure) {
        (PackReason::OtherVersion, _) => Warning::new(
            "pack-unavailable",
            "the catalog now is for another version, so there is no language pack for the installed one; it is in English",
        ),
        // Says of itself that it is of a language pack.
        (PackReason::Offline, Some(failure)) => Warning::new("pack-unavailable", failure.message.clone()),
        (_, Some(failure)) => {
            Warning::new("pack-unavailable", format!("the language pack could not be had: {}", failure.message))
        }
        (_, None) => Warning::new("pack-unavailable", "the language pack could not be had"),
    }
}

/// The failure `--require-pack` makes of a wanted pack that is not there: 5 where it could not be reached, else 4.
fn missing_pack(package: &PackagePlan) -> Option<Failure> {
    let (code, text) = match &package.pack {
        PackPlan::NotListed { .. } => (Code::InvalidPack, "the catalog lists no language pack for this language"),
        PackPlan::Unavailable { reason, .. } => match reason {
            PackReason::Offline => (Code::Offline, "the language pack could not be had offline"),
            PackReason::HttpError => (Code::HttpError, "the language pack could not be fetched"),
            PackReason::SizeMismatch => (Code::SizeMismatch, "the language pack has not the size the catalog lists"),
            PackReason::ChecksumMismatch => {
                (Code::ChecksumMismatch, "the language pack is not the one the catalog lists")
            }
            PackReason::LocaleMismatch => (Code::LocaleMismatch, "the language pack is for another language"),
            PackReason::InvalidPack => (Code::InvalidPack, "the language pack has not the shape of one"),
            PackReason::OtherVersion => (Code::InvalidPack, "the catalog has language packs of another version only"),
        },
        _ => return None,
    };
    let hint = match &package.pack {
        PackPlan::Unavailable { kept: Some(_), .. } => {
            "the ruleset is there, with the pack it had; leave --require-pack out to accept that"
        }
        _ => "the ruleset is there, in English; leave --require-pack out to accept that",
    };
    Some(Failure::new(code, text).hint(hint).package(&package.id))
}
