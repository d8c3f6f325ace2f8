//! Mending what `doctor` found: from the catalog, from the cache, else by going back to the version before.

use super::change::{note_record, remembered};
use super::doctor::{Findings, Look};
use super::execute::Mode;
use super::pack::{Kept, PackPlan, Source};
use super::plan::{PackagePlan, Plan};
use super::report::Action;
use super::rollback::manifest_before;
use super::stage::{Stage, StagedVersion, is_stop};
use super::{App, manifest_of};
use crate::catalog::{Entry, Manifest};
use crate::store::{AddPack, Change, Installed, PackChange, Place, Previous, Put, Receipt, Snapshot, Transaction};
use crate::types::{Code, Expected, Failure, PackageId, Version};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What is still to be mended.
struct Broken {
    active: BTreeSet<PackageId>,
    previous: BTreeSet<PackageId>,
    /// Why not, of what could not be.
    why_not: BTreeMap<String, String>,
}

/// Which of a ruleset's two versions is meant.
#[derive(Clone, Copy, PartialEq)]
enum Which {
    Active,
    Previous,
}

/// A version whose very bytes are at hand again.
struct Found {
    manifest: Manifest,
    artifact: Expected,
    staged: StagedVersion,
}

impl App {
    /// Mends what was found. Gives, for each ruleset that could not be mended, why not.
    pub(super) fn mend(&self, found: &Findings) -> Result<BTreeMap<String, String>, Failure> {
        let mut snapshot = self.mend_records(found)?;
        self.warnings.borrow_mut().append(&mut snapshot.warnings);
        let mut broken =
            Broken { active: found.broken.clone(), previous: found.broken_previous.clone(), why_not: BTreeMap::new() };
        // The version before first: going back to it may be what mends the active one.
        for which in [Which::Previous, Which::Active] {
            self.restore_all(which, &snapshot, &mut broken)?;
        }
        let outcome = self.carry_out(Mode::default(), |snapshot| {
            let language = self.language(&snapshot.state);
            let mut packages = Vec::new();
            for ruleset in snapshot.registry.rulesets() {
                // Another run may have mended it since.
                packages.push(if broken.active.contains(&ruleset.id) && !self.is_intact(&ruleset, None, snapshot)? {
                    self.plan_mending(&ruleset, &broken, snapshot)
                } else {
                    self.plan_pack_mending(&ruleset, snapshot)?
                });
            }
            Ok(Plan { language, packages, remember: None, warnings: Vec::new() })
        })?;
        for failure in outcome.failures {
            if let Some(package) = &failure.package {
                broken.why_not.insert(package.clone(), failure.message.clone());
            }
        }
        self.forget_previous(&broken)?;
        Ok(broken.why_not)
    }

    /// Puts there again what needs nothing of the catalog as it is now, and crosses it off.
    fn restore_all(&self, which: Which, snapshot: &Snapshot, broken: &mut Broken) -> Result<(), Failure> {
        let ids = if which == Which::Active { &broken.active } else { &broken.previous };
        for id in ids.clone() {
            let Some(ruleset) = snapshot.registry.ruleset(&id) else { continue };
            match self.restore(which, &ruleset, snapshot) {
                Ok(false) => {}
                Ok(true) if which == Which::Active => drop(broken.active.remove(&id)),
                Ok(true) => drop(broken.previous.remove(&id)),
                Err(failure) if is_stop(&failure) => return Err(failure),
                Err(failure) => drop(broken.why_not.insert(id.to_string(), failure.message)),
            }
        }
        Ok(())
    }

    /// Puts one version there again if its bytes are to be had. `false` when they are not.
    fn restore(&self, which: Which, ruleset: &Installed, snapshot: &Snapshot) -> Result<bool, Failure> {
        let Some(version) = which.version(ruleset) else { return Ok(false) };
        let mut stage = Stage::default();
        let Some(found) = self.bytes_again(which, ruleset, &version, snapshot, &mut stage)? else { return Ok(false) };
        let receipt = snapshot.state.receipt(&ruleset.id, &version).cloned().unwrap_or_default();
        let added = match receipt.pack {
            Some(pack) => {
                let root = self.store.layout().version(&ruleset.id, &version);
                stage.pack_again(self, &root, &pack)?.map(|staged| AddPack { pack, staged })
            }
            None => None,
        };
        let (lock, now) = self.store.lock(&*self.on)?;
        let Some(ruleset) = now.registry.ruleset(&ruleset.id) else { return Ok(false) };
        if which.version(&ruleset).as_ref() != Some(&version) {
            // Another run has changed it meanwhile, and looked at it for that.
            return Ok(false);
        }
        let change = self.restoring(which, ruleset, found, added, &now);
        let warnings = self.store.commit(&lock, &now, &Transaction { changes: vec![change], language: None })?;
        warnings.into_iter().for_each(|warning| self.warn(warning));
        Ok(true)
    }

    /// The bytes of a version: of an active one out of the cache, where the catalog does not list it any more (else it
    /// is installed again like any other); of the version before out of the cache, else as the catalog lists it.
    fn bytes_again(
        &self,
        which: Which,
        ruleset: &Installed,
        version: &Version,
        snapshot: &Snapshot,
        stage: &mut Stage,
    ) -> Result<Option<Found>, Failure> {
        let listed = self.listed(&ruleset.id, version);
        if which == Which::Active && listed.is_some() {
            return Ok(None);
        }
        let receipt = snapshot.state.receipt(&ruleset.id, version);
        let artifact = receipt.and_then(|receipt| receipt.artifact);
        if let Some((manifest, artifact)) = self.manifest_again(which, ruleset).zip(artifact)
            && let Some(staged) = stage.version_again(self, &manifest, artifact)?
        {
            return Ok(Some(Found { manifest, artifact, staged }));
        }
        let Some(entry) = listed else { return Ok(None) };
        let wanted = PackagePlan::places(&entry, None, Action::Reinstalled, PackPlan::Nothing);
        let language = self.language(&snapshot.state);
        let plan = Plan { language, packages: vec![wanted], remember: None, warnings: Vec::new() };
        stage.fill(self, &plan)?;
        let staged = stage.take_version(&entry)?;
        Ok(Some(Found { manifest: entry.manifest.clone(), artifact: entry.artifact.expected, staged }))
    }

    /// The catalog's entry of this id, if it is of this version.
    fn listed(&self, id: &PackageId, version: &Version) -> Option<Rc<Entry>> {
        let entry = self.shelf().and_then(|shelf| shelf.offered(id.as_str())).ok()?;
        (entry.manifest.version == *version).then_some(entry)
    }

    /// The manifest a version was installed by: as recorded, else as it lies in its folder.
    fn manifest_again(&self, which: Which, ruleset: &Installed) -> Option<Manifest> {
        let recorded = match which {
            Which::Active => manifest_of(ruleset),
            Which::Previous => manifest_before(&self.store, ruleset, ruleset.previous.as_ref()?).ok(),
        };
        recorded.or_else(|| self.store.manifest_on_disk(&ruleset.id, &which.version(ruleset)?))
    }

    fn restoring(
        &self,
        which: Which,
        ruleset: Installed,
        found: Found,
        added: Option<AddPack>,
        now: &Snapshot,
    ) -> Change {
        let Found { manifest, artifact, staged } = found;
        let version = manifest.version.clone();
        let mut change = Change::of(&ruleset.id);
        change.place = Some(Place {
            version: version.to_string(),
            staged: staged.path,
            files: staged.files,
            replaced: self.files_of_version(&ruleset.id, &version, Some(&ruleset), &now.state),
        });
        let record = match which {
            Which::Active => Installed { manifest: manifest.raw, ..ruleset },
            Which::Previous => {
                let previous = Some(Previous { version: version.clone(), manifest: Some(manifest.raw) });
                Installed { previous, ..ruleset }
            }
        };
        let mut remembered = remembered(&now.state, &record);
        let pack = added.as_ref().map(|added| added.pack.clone());
        let old = remembered.versions.remove(version.as_str()).unwrap_or_default();
        let settled = if pack == old.pack { old.settled } else { None };
        let receipt = Receipt { artifact: Some(artifact), manifest: Some(staged.manifest), pack, settled, ..old };
        remembered.versions.insert(version.to_string(), receipt);
        change.packs.push(PackChange { version: version.to_string(), add: added, remove: old.pack });
        note_record(&mut remembered, &record);
        change.record = Put::Set(record.to_record());
        change.state = Put::Set(remembered);
        change
    }

    /// A ruleset whose active version is damaged: the catalog's same version again, else the version before.
    fn plan_mending(&self, ruleset: &Installed, broken: &Broken, snapshot: &Snapshot) -> PackagePlan {
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
            Ok(plan) if !broken.previous.contains(&ruleset.id) => plan,
            _ => {
                let why = broken.why_not.get(id).unwrap_or(&why);
                let text = format!(
                    "{id} {} could not be put there again: {why}; neither the cache nor a version before can stand in",
                    ruleset.version
                );
                let failure = Failure::new(Code::DamagedPackage, text);
                let hint =
                    format!("`rulepack update {id}` takes the catalog's version, `rulepack uninstall {id}` removes it");
                PackagePlan::failed_at(Some(ruleset), id, failure.hint(hint))
            }
        }
    }

    /// A sound ruleset: its pack is fetched again unless the very bytes recorded are there.
    fn plan_pack_mending(&self, ruleset: &Installed, snapshot: &Snapshot) -> Result<PackagePlan, Failure> {
        let recorded = snapshot.state.receipt(&ruleset.id, &ruleset.version).and_then(|receipt| receipt.pack.clone());
        let Some(kept) = recorded else {
            return Ok(PackagePlan::stays(ruleset, Action::Unchanged, PackPlan::Nothing));
        };
        if self.has_its_bytes(&ruleset.id, &ruleset.version, &kept)? {
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

    /// A version that can no longer be gone back to is no longer named as one; its files stay where they are. One that
    /// only could not be put there this time is kept for the next.
    fn forget_previous(&self, broken: &Broken) -> Result<(), Failure> {
        let unmended = broken.previous.iter().filter(|id| !broken.why_not.contains_key(id.as_str()));
        let unmended: Vec<&PackageId> = unmended.collect();
        if unmended.is_empty() {
            return Ok(());
        }
        let (lock, mut snapshot) = self.store.lock(&*self.on)?;
        self.warnings.borrow_mut().append(&mut snapshot.warnings);
        let mut transaction = Transaction::default();
        for id in unmended {
            let Some(ruleset) = snapshot.registry.ruleset(id) else { continue };
            let Some(previous) = &ruleset.previous else { continue };
            // Another run may have put a sound one there since.
            let look = Look { store: &self.store, cancel: &self.cancel, snapshot: &snapshot };
            let mut now = Findings::default();
            look.look_at_previous(&ruleset, previous, &mut now)?;
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
        self.warnings.borrow_mut().extend(self.store.commit(&lock, &snapshot, &transaction)?);
        Ok(())
    }
}

impl Which {
    fn version(self, ruleset: &Installed) -> Option<Version> {
        match self {
            Which::Active => Some(ruleset.version.clone()),
            Which::Previous => ruleset.previous.as_ref().map(|previous| previous.version.clone()),
        }
    }
}
