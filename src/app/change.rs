//! From what is planned for one package to the change of the store that brings it about.

use super::keeping::{left_over, offered_before, offered_by, offered_since};
use super::pack::PackPlan;
use super::plan::{PackagePlan, VersionStep};
use super::stage::Stage;
use super::{App, manifest_of, own_files, pack_file};
use crate::catalog::Manifest;
use crate::store::{
    AddPack, Change, Discard, Installed, KeptPack, OwnFile, Owner, PackChange, PackageState, Previous, Put, Receipt,
    Snapshot, State, VersionPlacement, WithRest,
};
use crate::types::{Failure, Language, PackageId, Version};

impl App {
    /// The change of a package that stays at its version: its pack alone.
    pub(super) fn pack_change(
        &self,
        package: &PackagePlan,
        language: &Language,
        added: Option<AddPack>,
        state: &State,
    ) -> Result<Option<Change>, Failure> {
        let VersionStep::Stay(installed) = &package.step else { return Ok(None) };
        let moves = added.is_some() || package.pack.dropped().is_some();
        if !moves && package.left.is_empty() {
            return Ok(None);
        }
        let mut change = Change::of(&installed.id);
        let mut remembered = remembered(state, installed);
        let receipt = remembered.versions.entry(installed.version.to_string()).or_default();
        if moves {
            let settled = self.settled(&installed.id, &installed.version, language, &package.pack);
            if let Some(offered) = self.offered(&installed.id, &installed.version) {
                receipt.offered = offered_since(offered, &receipt.offered);
            }
            let remove = receipt.put_pack(added.as_ref().map(|added| added.pack.clone()), settled);
            change.packs.push(PackChange { version: installed.version.to_string(), add: added, remove });
        }
        for (version, left) in &package.left {
            let receipt = remembered.versions.entry(version.to_string()).or_default();
            receipt.left.retain(|other| other != left);
            // Another in its place is the end of it.
            if receipt.pack.as_ref().is_none_or(|pack| pack.language != left.language) {
                let (version, remove) = (version.to_string(), Some(left.clone()));
                change.packs.push(PackChange { version, add: None, remove });
            }
        }
        change.state = Put::Set(remembered);
        self.keep_what_goes(&mut change, state)?;
        let is_as_before = matches!(&change.state, Put::Set(after) if state.packages.get(&installed.id) == Some(after));
        Ok((!change.packs.is_empty() || !is_as_before).then_some(change))
    }

    /// The change of a package whose version changes or goes. The packs that go by it are in the cache by then.
    pub(super) fn change_of(
        &self,
        package: &PackagePlan,
        language: &Language,
        added: Option<AddPack>,
        now: &Snapshot,
        stage: &mut Stage,
    ) -> Result<Option<Change>, Failure> {
        let mut change = match &package.step {
            VersionStep::Stay(_) | VersionStep::Fail(_) => None,
            VersionStep::Place { entry, over } => {
                let staged = stage.version(entry)?;
                let receipt = Receipt {
                    artifact: Some(entry.artifact.expected),
                    manifest: staged.manifest(),
                    pack: added.as_ref().map(|added| added.pack.clone()),
                    offered: offered_since(offered_by(entry), offered_before(&now.state, entry)),
                    settled: self.settled(&entry.manifest.id, &entry.manifest.version, language, &package.pack),
                    ..Receipt::default()
                };
                let (id, version) = (&entry.manifest.id, &entry.manifest.version);
                let place = staged.place(version, self.files_of_version(id, version, over.as_ref(), &now.state));
                Some(self.place_change(&entry.manifest, over.as_ref(), place, receipt, added, now))
            }
            VersionStep::Back { from } => self.back_change(from, added, &now.state),
            VersionStep::Remove(installed) => Some(self.remove_change(installed, &now.state)?),
            VersionStep::Forget(id) => Some(forget_change(id, &now.state)),
        };
        change.iter_mut().try_for_each(|change| self.keep_what_goes(change, &now.state))?;
        Ok(change)
    }

    fn place_change(
        &self,
        manifest: &Manifest,
        over: Option<&Installed>,
        place: VersionPlacement,
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
            fault: None,
        };
        let mut change = Change::of(&manifest.id);
        let mut remembered = over.map(|over| remembered(state, over)).unwrap_or_default();
        let mut old_receipts = std::mem::take(&mut remembered.versions);
        // It goes with the folder that is replaced. A run that finishes this one may find the folder so like the new
        // one that it leaves it in place.
        let old_pack = old_receipts.remove(version.as_str()).and_then(|old| old.pack);
        for (kept, mut old) in old_receipts {
            if record.previous.as_ref().is_some_and(|previous| previous.version.as_str() == kept) {
                // The version left keeps no pack (docs/spec/commands.md#store-7).
                if let Some(pack) = old.put_pack(None, None) {
                    change.packs.push(PackChange { version: kept.clone(), add: None, remove: Some(pack) });
                }
                remembered.versions.insert(kept, old);
            }
        }
        remembered.versions.insert(version.to_string(), receipt);
        note_record(&mut remembered, &record);
        change.discard = self.outdated_versions(&record, over, state);
        change.place = Some(place);
        change.packs.push(PackChange { version: version.to_string(), add: added, remove: old_pack });
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
            change.packs.push(PackChange { version: from.version.to_string(), add: None, remove: Some(pack) });
        }
        let active = remembered.versions.entry(record.version.to_string()).or_default();
        active.put_pack(added.as_ref().map(|added| added.pack.clone()), None);
        if let Some(offered) = self.offered(&record.id, &record.version) {
            active.offered = offered_since(offered, &active.offered);
        }
        change.packs.push(PackChange { version: record.version.to_string(), add: added, remove: None });
        note_record(&mut remembered, &record);
        change.record = Put::Set(record.to_record());
        change.state = Put::Set(remembered);
        change.declined = Put::Set(from.version.clone());
        Some(change)
    }

    fn remove_change(&self, installed: &Installed, state: &State) -> Result<Change, Failure> {
        let mut change = Change::of(&installed.id);
        let mut versions = recorded_versions(installed, state);
        versions.extend(self.store.versions_besides(&installed.id, &versions)?);
        change.discard = versions
            .into_iter()
            .map(|version| {
                let files = self.files_of_version(&installed.id, &version, Some(installed), state);
                Discard { version: version.to_string(), files }
            })
            .collect();
        change.record = Put::Remove;
        change.state = Put::Remove;
        change.declined = Put::Remove;
        Ok(change)
    }

    /// The versions that go once `record` stands: all rulepack knows of but the active one and the one before.
    fn outdated_versions(&self, record: &Installed, over: Option<&Installed>, state: &State) -> Vec<Discard> {
        let Some(over) = over else { return Vec::new() };
        let stays = |version: &Version| {
            *version == record.version || record.previous.as_ref().is_some_and(|previous| previous.version == *version)
        };
        let mut versions = recorded_versions(over, state);
        // The engine leaves the folders of older versions behind. Where the disk does not say they stay for the next
        // change.
        versions.extend(self.store.versions_besides(&over.id, &versions).unwrap_or_default());
        versions.retain(|version| !stays(version));
        versions
            .into_iter()
            .map(|version| {
                let files = self.files_of_version(&over.id, &version, Some(over), state);
                Discard { version: version.to_string(), files }
            })
            .collect()
    }

    /// What was put into a version folder, by the manifest the registry has for it or the one that lies in it. What no
    /// manifest that can be read names is not taken for ours.
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
            self.store.manifest_text(id, version).ok().flatten(),
        ];
        let manifest = manifests.into_iter().flatten().find_map(|text| Manifest::parse(&text).ok());
        let mut files = manifest.map(|manifest| own_files(&manifest, state, id, version, pack)).unwrap_or_default();
        files.extend(left_over(self.store.layout(), state, id, version).iter().map(pack_file));
        files
    }
}

/// The versions of a package that the registry or our receipts name.
fn recorded_versions(installed: &Installed, state: &State) -> Vec<Version> {
    let receipts = state.packages.get(&installed.id).into_iter().flat_map(|package| package.versions.keys());
    let mut versions: Vec<Version> = receipts.filter_map(|version| version.parse().ok()).collect();
    versions.extend(installed.previous.as_ref().map(|previous| previous.version.clone()));
    versions.push(installed.version.clone());
    versions.sort_by(|a, b| a.as_str().cmp(b.as_str()));
    versions.dedup();
    versions
}

/// Takes every version of an imported ruleset away.
fn forget_change(id: &PackageId, state: &State) -> Change {
    let mut change = Change::about(Owner::Imported(id.clone()));
    let versions = state.imported.get(id).into_iter().flat_map(|imported| &imported.versions);
    change.discard =
        versions.map(|(version, kept)| Discard { version: version.to_string(), files: kept.all_files() }).collect();
    change.imported = Put::Remove;
    change
}

impl PackPlan {
    /// The pack that goes.
    pub(super) fn dropped(&self) -> Option<&KeptPack> {
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
pub(super) fn remembered(state: &State, installed: &Installed) -> WithRest<PackageState> {
    let mut package = state.packages.get(&installed.id).cloned().unwrap_or_default();
    note_record(&mut package, installed);
    package
}

pub(super) fn note_record(package: &mut PackageState, record: &Installed) {
    package.active = Some(record.version.clone());
    package.previous = record.previous.as_ref().map(|previous| previous.version.clone());
    package.installed_at = Some(record.installed_at.clone());
}
