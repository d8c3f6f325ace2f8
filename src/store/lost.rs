//! Records of ours that the registry has lost: the engine reads it, changes it and writes it back without our lock, so
//! what was written in between is gone again. Our own record, written by nobody else, still tells.

use super::{Installed, Layout, PackageState, Previous, Registry, State, StoreError, rebuild};
use crate::types::{Cancel, PackageId, Version};
use std::collections::BTreeMap;

/// A ruleset that our own record has at one version, and the registry not at all or as it was before.
#[derive(Clone, Debug)]
pub struct Lost {
    pub id: PackageId,
    pub version: Version,
    /// What the registry says in its place.
    pub instead: Option<Version>,
    previous: Option<Version>,
    installed_at: String,
}

/// Holds our own record against the registry. Gives what the registry has lost, as far as the records tell; and forgets
/// by which bytes a version was installed where another program has put it there since.
pub(super) fn compare(registry: &Registry, state: &mut State) -> Vec<Lost> {
    let rulesets: BTreeMap<&PackageId, &Installed> =
        registry.sorted().into_iter().map(|ruleset| (&ruleset.id, ruleset)).collect();
    let mut all = Vec::new();
    for (id, package) in &mut state.packages {
        let present = rulesets.get(id).copied();
        if present.is_some() || !registry.has(id.as_str()) {
            all.extend(lost(id, package, present));
        }
        if let Some(present) = present {
            forget_bytes_of_others(package, present);
        }
    }
    all
}

/// A ruleset that the registry has lost. What the engine did since then is no loss: what it installed was installed
/// later than ours or at a version we never had, and what it rolled back has no version before.
fn lost(id: &PackageId, package: &PackageState, present: Option<&Installed>) -> Option<Lost> {
    let (version, installed_at) = (package.active.as_ref()?, package.installed_at.as_ref()?);
    if let Some(present) = present {
        let went_back = moment(&present.installed_at)? < moment(installed_at)?;
        let is_before = present.installed_at == *installed_at
            && package.previous.as_ref() == Some(&present.version)
            && present.previous.as_ref().map(|previous| &previous.version) == Some(version);
        let is_known = package.versions.contains_key(present.version.as_str());
        if present.version == *version || !is_known || !(went_back || is_before) {
            return None;
        }
    }
    Some(Lost {
        id: id.clone(),
        version: version.clone(),
        instead: present.map(|present| present.version.clone()),
        previous: package.previous.clone(),
        installed_at: installed_at.clone(),
    })
}

/// Where the registry has a record later than ours, its files are those that declares.
fn forget_bytes_of_others(package: &mut PackageState, present: &Installed) {
    let ours = package.installed_at.as_deref().and_then(moment);
    if ours.is_none() || moment(&present.installed_at) <= ours {
        return;
    }
    let previous = present.previous.as_ref().map(|previous| &previous.version);
    for version in [Some(&present.version), previous].into_iter().flatten() {
        if let Some(receipt) = package.versions.get_mut(version.as_str()) {
            receipt.manifest = None;
            // The version before it may have left as it was; what it declares is held against these all the same.
            receipt.artifact = receipt.artifact.filter(|_| *version != present.version);
        }
    }
}

fn moment(text: &str) -> Option<jiff::Timestamp> {
    text.parse().ok()
}

impl Lost {
    /// The record again, if the version folder is whole: the engine's uninstall takes that away. A version before that
    /// is not whole any more is not named.
    pub(super) fn record(&self, layout: &Layout, cancel: &Cancel) -> Result<Option<Installed>, StoreError> {
        let Some(manifest) = rebuild::whole(layout, &self.id, &self.version, cancel)? else { return Ok(None) };
        let previous = match &self.previous {
            Some(version) => rebuild::whole(layout, &self.id, version, cancel)?,
            None => None,
        };
        Ok(Some(Installed {
            id: self.id.clone(),
            version: self.version.clone(),
            manifest: manifest.raw,
            previous: previous.map(|manifest| Previous { version: manifest.version, manifest: Some(manifest.raw) }),
            installed_at: self.installed_at.clone(),
            legacy: false,
            fault: None,
        }))
    }
}
