//! Getting what a plan needs, without the lock: downloads side by side, artifacts unpacked and checked in a staging
//! folder, packs checked. What is here is kept when a plan must be made again, so nothing is fetched twice.

use super::App;
use super::pack::{PackPlan, Supply};
use super::plan::{PackagePlan, Plan, VersionStep};
use crate::catalog::{Entry, Manifest, PackOffer};
use crate::disk::Verified;
use crate::fetch::{Purpose, Want};
use crate::ruleset;
use crate::store::{AddPack, KeptPack, Layout, StagedVersion, Staging};
use crate::types::{Code, Expected, Failure, HttpsUrl, PackageId, Sha256, Version};
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// What has been fetched and staged so far, or why it could not be.
#[derive(Default)]
pub(super) struct Stage {
    staging: Option<Staging>,
    versions: HashMap<Key, Result<StagedVersion, Failure>>,
    packs: HashMap<Key, Result<AddPack, Failure>>,
}

/// What tells one needed file from another: what it is for, and its bytes. The same bytes for another purpose are held
/// against another manifest or locale, and are moved to another place.
type Key = (String, Sha256);

impl Stage {
    /// Whether everything a package needs has been tried, or enough of it to know that it cannot be done.
    pub fn covers(&self, package: &PackagePlan) -> bool {
        self.failure_of(package).is_some() || wants_of(package).iter().all(|want| self.has(want))
    }

    /// What a plan needs that has not been tried, each once.
    pub fn missing(&self, plan: &Plan) -> Vec<Needed> {
        let mut seen = HashSet::new();
        let wants = plan.packages.iter().filter(|package| !self.covers(package)).flat_map(wants_of);
        wants.filter(|want| !self.has(want) && seen.insert(want.key())).collect()
    }

    /// Whether anything is ready to be put in place.
    pub fn holds_something(&self) -> bool {
        self.versions.values().any(Result::is_ok) || self.packs.values().any(Result::is_ok)
    }

    fn has(&self, want: &Needed) -> bool {
        match want {
            Needed::Version(entry) => self.versions.contains_key(&version_key(entry)),
            Needed::Pack { offer, id, .. } => self.packs.contains_key(&pack_key(id, offer)),
        }
    }

    /// Why the version a package needs could not be had.
    fn failure_of(&self, package: &PackagePlan) -> Option<&Failure> {
        match &package.step {
            VersionStep::Place { entry, .. } => self.versions.get(&version_key(entry))?.as_ref().err(),
            _ => None,
        }
    }

    /// Writes into the plan what could not be had, so that it says what is left to do. The pack of a version put in
    /// place is the commit's to decide, which may bring another along.
    pub fn mark_failures(&self, plan: &mut Plan) {
        for package in &mut plan.packages {
            if let Some(failure) = self.failure_of(package) {
                *package = package.failing(failure.clone());
                continue;
            }
            while let PackPlan::Fetch { offer, old, because, .. } = &package.pack
                && let Some(Err(failure)) = self.packs.get(&pack_key(&package.id, offer))
            {
                if let Some(older) = package.pack.fallen_back(&plan.language, failure) {
                    package.pack = older;
                    continue;
                }
                if matches!(package.step, VersionStep::Stay(_)) {
                    let failure = because.as_ref().unwrap_or(failure).clone();
                    package.pack = PackPlan::after_failure(&plan.language, old.clone(), failure);
                }
                break;
            }
        }
    }

    /// The staged folder of an entry's artifact. It is moved away when it is put in place, and back where that fails.
    pub fn version(&self, entry: &Entry) -> Result<StagedVersion, Failure> {
        let missing = || Err(Failure::new(Code::Internal, "an artifact that was never staged was asked for"));
        self.versions.get(&version_key(entry)).cloned().unwrap_or_else(missing)
    }

    /// The staged file of a pack, which is taken out likewise.
    pub fn take_pack(&mut self, id: &str, offer: &PackOffer) -> Result<AddPack, Failure> {
        let missing = || Err(Failure::new(Code::Internal, "a pack that was never fetched was asked for"));
        self.packs.remove(&pack_key(id, offer)).unwrap_or_else(missing)
    }

    /// Stages a copy of a pack that lies in a version folder; `None` when it is not the one that was put there.
    pub fn copy_of(&mut self, app: &App, root: &Path, pack: &KeptPack) -> Result<Option<AddPack>, Failure> {
        let path = Layout::pack_in(root, &pack.language);
        let bytes = app.read_kept(&path, pack.file.bytes.0 + 1).ok();
        let Some(bytes) = bytes.and_then(|bytes| Verified::held(bytes, pack.file).ok()) else { return Ok(None) };
        Ok(Some(self.staging(app)?.pack(&pack.language, &bytes)?))
    }

    fn staging(&mut self, app: &App) -> Result<&Staging, Failure> {
        if self.staging.is_none() {
            self.staging = Some(app.store.staging()?);
        }
        self.staging.as_ref().ok_or_else(|| Failure::new(Code::Internal, "no staging folder"))
    }

    /// A folder for what has no other place while it is downloaded.
    pub fn scratch(&mut self, app: &App) -> Result<PathBuf, Failure> {
        Ok(self.staging(app)?.path().to_owned())
    }

    /// Stages what has come of a file that is needed. A package's own faults are kept for when it is its turn; only a
    /// fault that concerns all ends here.
    pub fn take_in(
        &mut self,
        app: &App,
        needed: &Needed,
        file: Result<Verified<File>, Failure>,
    ) -> Result<(), Failure> {
        match needed {
            Needed::Version(entry) => {
                let staged = file.and_then(|file| self.unpack(app, &entry.manifest, file, Some(&entry.artifact.url)));
                app.stop_if_asked()?;
                self.versions.insert(version_key(entry), staged);
            }
            Needed::Pack { offer, version, id, .. } => {
                let staged = file
                    .and_then(|file| checked_pack(offer, &file))
                    .and_then(|pack| Ok(self.staging(app)?.pack(&offer.language, &pack)?));
                let staged = match (staged, version) {
                    // It may have been left where it was.
                    (Err(failure), Some((id, version))) if !is_stop(&failure) => {
                        let left = KeptPack { language: offer.language.clone(), file: offer.file.expected };
                        let copy = self.copy_of(app, &app.store.layout().version(id, version), &left);
                        copy.ok().flatten().ok_or(failure)
                    }
                    (staged, _) => staged,
                };
                self.packs.insert(pack_key(id, offer), staged);
            }
        }
        Ok(())
    }

    /// Fetches and stages all that a plan needs and is not here yet.
    pub fn fill(&mut self, app: &App, plan: &Plan) -> Result<(), Failure> {
        let needed = self.missing(plan);
        if needed.is_empty() {
            return Ok(());
        }
        let scratch = self.scratch(app)?;
        let wants: Vec<Want> = needed.iter().map(Needed::to_want).collect();
        let files = app.fetcher.files(&wants, &scratch, &*app.reporter);
        app.stop_if_asked()?;
        needed.iter().zip(files).try_for_each(|(want, file)| self.take_in(app, want, file.map_err(Failure::from)))
    }

    /// The version an artifact in the cache unpacks to, if the cache still has it.
    pub fn version_again(
        &mut self,
        app: &App,
        manifest: &Manifest,
        artifact: Expected,
    ) -> Result<Option<StagedVersion>, Failure> {
        let file = app.fetcher.cached(artifact)?;
        file.map(|file| self.unpack(app, manifest, file, None)).transpose()
    }

    /// Stages a pack that was put beside a version: the one there, else the one in the cache.
    pub fn pack_again(&mut self, app: &App, root: &Path, pack: &KeptPack) -> Result<Option<AddPack>, Failure> {
        if let Some(staged) = self.copy_of(app, root, pack)? {
            return Ok(Some(staged));
        }
        let Some(file) = app.fetcher.cached(pack.file)? else { return Ok(None) };
        Ok(Some(self.staging(app)?.pack(&pack.language, &file.read()?)?))
    }

    /// `url` is where the artifact came from, for whoever is told that it cannot be used.
    fn unpack(
        &mut self,
        app: &App,
        manifest: &Manifest,
        file: Verified<File>,
        url: Option<&HttpsUrl>,
    ) -> Result<StagedVersion, Failure> {
        app.reporter.step(&format!("Unpacking {} {}", manifest.id, manifest.version), Some(manifest.id.as_str()));
        let (draft, contents) = self.staging(app)?.unpack(file, manifest, &app.cancel).map_err(|mut failure| {
            failure.url = failure.url.or_else(|| url.map(ToString::to_string));
            failure
        })?;
        // A catalog file that is no asset is none that the ruleset could name (K4).
        let mut catalogs = contents.catalogs;
        catalogs.retain(|path, _| manifest.has_asset(path.as_str()));
        ruleset::essentials(&contents.ruleset, &catalogs, manifest.api).map_err(|problems| {
            let reasons: Vec<String> = problems.iter().map(|problem| problem.reason()).collect();
            let text = format!("the ruleset inside is invalid: {}", reasons.join("; "));
            Failure::new(Code::InvalidRuleset, text).hint("ask its author to fix it; what is installed is unchanged")
        })?;
        Ok(draft.finish()?)
    }
}

fn checked_pack(offer: &PackOffer, file: &Verified<File>) -> Result<Verified<Vec<u8>>, Failure> {
    let bytes = file.read()?;
    ruleset::check_pack(bytes.get(), &offer.language).map_err(|fault| {
        let mut failure = Failure::from(fault);
        failure.url.get_or_insert_with(|| offer.file.url.to_string());
        failure
    })?;
    Ok(bytes)
}

fn version_key(entry: &Entry) -> Key {
    (entry.manifest.id.to_string(), entry.artifact.expected.sha256)
}

fn pack_key(id: &str, offer: &PackOffer) -> Key {
    (format!("{id} {}", offer.language), offer.file.expected.sha256)
}

/// One file a plan needs.
pub(super) enum Needed {
    Version(Rc<Entry>),
    Pack {
        offer: Box<PackOffer>,
        from: Supply,
        id: String,
        /// The version it goes beside, where that is in its place already.
        version: Option<(PackageId, Version)>,
    },
}

impl Needed {
    fn key(&self) -> Key {
        match self {
            Needed::Version(entry) => version_key(entry),
            Needed::Pack { offer, id, .. } => pack_key(id, offer),
        }
    }

    pub fn to_want(&self) -> Want {
        match self {
            Needed::Version(entry) => Want {
                url: entry.artifact.url.clone(),
                expected: entry.artifact.expected,
                label: format!("{} {}", entry.manifest.id, entry.manifest.version),
                package: Some(entry.manifest.id.to_string()),
                purpose: Purpose::Artifact,
                cache_only: false,
            },
            Needed::Pack { offer, from, id, .. } => Want {
                url: offer.file.url.clone(),
                expected: offer.file.expected,
                label: format!("{id} in {}", offer.language),
                package: Some(id.clone()),
                purpose: Purpose::Pack(offer.language.clone()),
                cache_only: *from == Supply::Cache,
            },
        }
    }
}

/// What one package of a plan needs. The pack is asked for together with the artifact, so that both come at once.
fn wants_of(package: &PackagePlan) -> Vec<Needed> {
    let version = match &package.step {
        VersionStep::Place { entry, .. } => Some(Needed::Version(entry.clone())),
        _ => None,
    };
    let pack = package.pack.wanted().map(|(offer, from)| Needed::Pack {
        offer: Box::new(offer.clone()),
        from,
        id: package.id.clone(),
        version: package.active.clone().zip(package.version.clone()).filter(|_| version.is_none()),
    });
    version.into_iter().chain(pack).collect()
}

/// The failure of a run that was asked to stop, which is nobody's own.
pub(super) fn is_stop(failure: &Failure) -> bool {
    failure.code == Code::Interrupted
}
