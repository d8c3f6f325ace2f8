//! Mending what `doctor` found. A version is put there again by the very bytes it was installed by, out of the cache or
//! from a catalog that still lists just those; so is its language pack. What cannot be had again is told and left: no
//! other version takes its place, held or not, and none is forgotten.
//!
//! It shares the fetching, the lock and the commit of all changes, and not their loop over one plan: a plan has one
//! step for a ruleset and goes by what the catalog says, a repair may mend both versions of one and goes by what was
//! recorded.

use super::change::{note_record, remembered};
use super::findings::{Findings, Part, WhyNot};
use super::pack::{PackPlan, Supply};
use super::plan::{PackagePlan, Plan};
use super::report::Action;
use super::rollback::manifest_before;
use super::stage::{Stage, is_stop};
use super::{App, manifest_of};
use crate::catalog::{Entry, Manifest, PackOffer};
use crate::store::{
    AddPack, Change, Installed, KeptPack, PackChange, Previous, Put, Snapshot, StagedVersion, Transaction,
};
use crate::types::{Code, Expected, Failure, PackageId, Version};
use std::rc::Rc;

/// Which of a ruleset's two versions is meant.
#[derive(Clone, Copy, PartialEq)]
enum Which {
    Active,
    Previous,
}

/// One version that is not as it was installed.
struct Job {
    which: Which,
    ruleset: Installed,
    version: Version,
    /// Whether its files must be put there again; else it is its pack alone.
    whole: bool,
}

/// A version whose very bytes are at hand again.
struct Found {
    manifest: Manifest,
    artifact: Expected,
    staged: StagedVersion,
}

impl App {
    /// Mends what was found. Gives, for each part of a ruleset that could not be mended, why not.
    pub(super) fn mend(&self, found: &Findings) -> Result<WhyNot, Failure> {
        let mut snapshot = self.mend_records(found)?;
        self.warnings.borrow_mut().append(&mut snapshot.warnings);
        self.cherish(&snapshot.state);
        let jobs = jobs(found, &snapshot);
        let mut stage = Stage::default();
        self.fetch_again(&jobs, &snapshot, &mut stage)?;
        let mut why_not = WhyNot::new();
        for job in &jobs {
            let Err(failure) = self.mend_one(job, &snapshot, &mut stage) else { continue };
            if is_stop(&failure) {
                return Err(failure);
            }
            for part in job.parts() {
                let whys = why_not.entry((job.ruleset.id.to_string(), *part)).or_default();
                if !whys.contains(&failure.message) {
                    let join = if whys.is_empty() { "" } else { "; " };
                    whys.push_str(&format!("{join}{}", failure.message));
                }
            }
        }
        Ok(why_not)
    }

    /// Downloads, side by side, what the cache has not got and the catalog still lists.
    fn fetch_again(&self, jobs: &[Job], snapshot: &Snapshot, stage: &mut Stage) -> Result<(), Failure> {
        let mut packages = Vec::new();
        for job in jobs {
            self.stop_if_asked()?;
            let pack = match self.pack_to_fetch(job, snapshot)? {
                Some(offer) => PackPlan::fetch(offer, Supply::Catalog, None),
                None => PackPlan::Nothing,
            };
            let artifact = job.artifact(snapshot);
            let in_cache = match artifact {
                Some(artifact) => self.fetcher.cached(artifact)?.is_some(),
                None => false,
            };
            // What the cache can mend needs no catalog.
            let entry = if job.whole && !in_cache { self.listed(job, snapshot).ok() } else { None };
            packages.push(match entry {
                Some(entry) => PackagePlan::places(&entry, None, Action::Reinstalled, pack),
                None => PackagePlan::stays(&job.ruleset, Action::Switched, pack),
            });
        }
        let language = self.language(&snapshot.state);
        stage.fill(self, &Plan { language, packages, remember: None, warnings: Vec::new() })
    }

    /// Puts one version there again, or its pack.
    ///
    /// # Errors
    /// Why it, or a part of it, could not be had or put there.
    fn mend_one(&self, job: &Job, snapshot: &Snapshot, stage: &mut Stage) -> Result<(), Failure> {
        let found = if job.whole { Some(self.bytes_again(job, snapshot, stage)?) } else { None };
        let pack = self.pack_again(job, snapshot, stage)?;
        if found.is_none() && pack.is_none() {
            return self.pack_is_there(job, snapshot);
        }
        let (lock, now) = self.lock()?;
        let Some(ruleset) = now.registry.ruleset(&job.ruleset.id) else { return Ok(()) };
        if job.which.version(&ruleset).as_ref() != Some(&job.version) {
            // Another run has changed it meanwhile, and looked at it for that.
            return Ok(());
        }
        let lacks_pack = found.is_some() && pack.is_none() && job.pack(&now).is_some();
        let mut change = self.mending(job, ruleset, found, pack, &now);
        self.keep_what_goes(&mut change, &now.state)?;
        self.put(&lock, &now, &Transaction::of(change))?;
        if lacks_pack { Err(no_pack()) } else { Ok(()) }
    }

    /// The bytes of a version: out of the cache, else as the catalog still lists them.
    fn bytes_again(&self, job: &Job, snapshot: &Snapshot, stage: &mut Stage) -> Result<Found, Failure> {
        if let Some((manifest, artifact)) = self.manifest_again(job)?.zip(job.artifact(snapshot)) {
            match stage.version_again(self, &manifest, artifact) {
                Ok(Some(staged)) => return Ok(Found { manifest, artifact, staged }),
                Err(failure) if is_stop(&failure) => return Err(failure),
                Ok(None) | Err(_) => {}
            }
        }
        let entry = self.listed(job, snapshot)?;
        // It may be that the cache only seemed to have it.
        let wanted = PackagePlan::places(&entry, None, Action::Reinstalled, PackPlan::Nothing);
        let language = self.language(&snapshot.state);
        stage.fill(self, &Plan { language, packages: vec![wanted], remember: None, warnings: Vec::new() })?;
        let staged = stage.version(&entry)?;
        Ok(Found { manifest: entry.manifest.clone(), artifact: entry.artifact.expected, staged })
    }

    /// The catalog's entry, if it lists the very bytes that the version was installed by.
    fn listed(&self, job: &Job, snapshot: &Snapshot) -> Result<Rc<Entry>, Failure> {
        let (id, version) = (&job.ruleset.id, &job.version);
        let entry = self.shelf().and_then(|shelf| shelf.offered(id.as_str()))?;
        let offered = &entry.manifest.version;
        let take = match snapshot.state.is_held(id) {
            true => format!("`rulepack unhold {id}` and then `rulepack update {id}`"),
            false => format!("`rulepack update {id}`"),
        };
        if offered != version {
            let text = format!("{version} is not in the cache, and the catalog lists {offered}");
            let next = if job.is_active() { format!("; {take} installs that") } else { String::new() };
            return Err(Failure::new(Code::DamagedPackage, text + &next));
        }
        let same = match (job.artifact(snapshot), self.manifest_again(job)?) {
            (Some(artifact), _) => artifact.sha256 == entry.artifact.expected.sha256,
            (None, Some(manifest)) => manifest.says_the_same_as(&entry.manifest),
            // Nothing is known of it that could be another.
            (None, None) => true,
        };
        match same {
            true => Ok(entry),
            false => {
                let text = format!("the catalog has republished {version}; {take} installs it");
                Err(Failure::new(Code::DamagedPackage, text))
            }
        }
    }

    /// The manifest a version was installed by: as recorded, else as it lies in its folder.
    fn manifest_again(&self, job: &Job) -> Result<Option<Manifest>, Failure> {
        let before = |previous: &Previous| manifest_before(&self.store, &job.ruleset, previous).ok();
        let recorded = match job.which {
            Which::Active => manifest_of(&job.ruleset),
            Which::Previous => job.ruleset.previous.as_ref().and_then(before),
        };
        match recorded {
            Some(manifest) => Ok(Some(manifest)),
            None => Ok(self.store.manifest_on_disk(&job.ruleset.id, &job.version)?),
        }
    }

    /// The pack to download: as the catalog lists it for this very version, where neither the version's folder nor the
    /// cache has the one recorded.
    fn pack_to_fetch(&self, job: &Job, snapshot: &Snapshot) -> Result<Option<PackOffer>, Failure> {
        let Some(pack) = job.pack(snapshot) else { return Ok(None) };
        let id = &job.ruleset.id;
        if self.has_its_bytes(id, &job.version, &pack)? || self.fetcher.cached(pack.file)?.is_some() {
            return Ok(None);
        }
        let entry = self.shelf().and_then(|shelf| shelf.offered(id.as_str()));
        let entry = entry.ok().filter(|entry| entry.manifest.version == job.version);
        Ok(entry.and_then(|entry| entry.packs.iter().find(|offer| offer.language == pack.language).cloned()))
    }

    /// The pack of a version, staged: the one beside it where its whole folder is put there again, else out of the
    /// cache, else as it was downloaded.
    fn pack_again(&self, job: &Job, snapshot: &Snapshot, stage: &mut Stage) -> Result<Option<AddPack>, Failure> {
        let Some(pack) = job.pack(snapshot) else { return Ok(None) };
        let id = &job.ruleset.id;
        if !job.whole && self.has_its_bytes(id, &job.version, &pack)? {
            return Ok(None);
        }
        let root = self.store.layout().version(id, &job.version);
        if let Some(again) = stage.pack_again(self, &root, &pack)? {
            return Ok(Some(again));
        }
        let Some(offer) = self.pack_to_fetch(job, snapshot)? else { return Ok(None) };
        match stage.take_pack(id.as_str(), &offer) {
            // The ruleset itself is mended all the same.
            Err(failure) if job.whole && !is_stop(&failure) => Ok(None),
            taken => Ok(Some(taken?)),
        }
    }

    /// Whether there is nothing to mend about a pack after all.
    fn pack_is_there(&self, job: &Job, snapshot: &Snapshot) -> Result<(), Failure> {
        match job.pack(snapshot) {
            Some(pack) if !self.has_its_bytes(&job.ruleset.id, &job.version, &pack)? => Err(no_pack()),
            _ => Ok(()),
        }
    }

    fn mending(
        &self,
        job: &Job,
        ruleset: Installed,
        found: Option<Found>,
        added: Option<AddPack>,
        now: &Snapshot,
    ) -> Change {
        let version = &job.version;
        let mut change = Change::of(&ruleset.id);
        let mut remembered = remembered(&now.state, &ruleset);
        if let Some(Found { manifest, artifact, staged }) = found {
            let receipt = remembered.versions.entry(version.to_string()).or_default();
            receipt.artifact = Some(artifact);
            receipt.manifest = staged.manifest();
            let replaced = self.files_of_version(&ruleset.id, version, Some(&ruleset), &now.state);
            change.place = Some(staged.place(version, replaced));
            let mut record = ruleset;
            match job.which {
                Which::Active => record.manifest = manifest.raw,
                Which::Previous => {
                    record.previous = Some(Previous { version: version.clone(), manifest: Some(manifest.raw) });
                }
            }
            note_record(&mut remembered, &record);
            change.record = Put::Set(record.to_record());
        }
        let receipt = remembered.versions.entry(version.to_string()).or_default();
        // One that could not be had stays recorded, so that whoever can have it puts it there.
        if let Some(added) = added {
            let settled = receipt.settled.clone().filter(|_| receipt.pack.as_ref() == Some(&added.pack));
            let remove = receipt.put_pack(Some(added.pack.clone()), settled);
            change.packs.push(PackChange { version: version.to_string(), add: Some(added), remove });
        }
        change.state = Put::Set(remembered);
        change
    }
}

fn no_pack() -> Failure {
    let text = "the language pack is neither in the cache nor listed for this version; `rulepack sync` fetches one as \
                soon as it is available";
    Failure::new(Code::DamagedPackage, text)
}

/// What there is to do. The version before goes first: of what it has in common with the active one nothing is lost.
fn jobs(found: &Findings, snapshot: &Snapshot) -> Vec<Job> {
    let job = |which: Which, whole: bool| {
        move |id: &PackageId| {
            let ruleset = snapshot.registry.ruleset(id)?;
            let version = which.version(&ruleset)?;
            Some(Job { which, ruleset, version, whole })
        }
    };
    let previous = found.broken_previous.iter().filter_map(job(Which::Previous, true));
    let active = found.broken.iter().filter_map(job(Which::Active, true));
    let packs = found.broken_pack.difference(&found.broken).filter_map(job(Which::Active, false));
    previous.chain(active).chain(packs).collect()
}

impl Job {
    /// What it mends.
    fn parts(&self) -> &'static [Part] {
        match (self.which, self.whole) {
            (Which::Previous, _) => &[Part::Previous],
            (Which::Active, true) => &[Part::Active, Part::Pack],
            (Which::Active, false) => &[Part::Pack],
        }
    }

    fn is_active(&self) -> bool {
        self.which == Which::Active
    }

    /// The artifact the version came from, where that is known.
    fn artifact(&self, snapshot: &Snapshot) -> Option<Expected> {
        snapshot.state.receipt(&self.ruleset.id, &self.version)?.artifact
    }

    /// The pack recorded beside it.
    fn pack(&self, snapshot: &Snapshot) -> Option<KeptPack> {
        snapshot.state.receipt(&self.ruleset.id, &self.version)?.pack.clone()
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
