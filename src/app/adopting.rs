//! Language packs that lie beside a version and that our own record does not know of: another program put the version
//! there, or the record was lost. Only one whose very bytes are known is taken for one that rulepack put there, which
//! goes when another comes. Any other is somebody's own work, and stays (docs/spec/commands.md#store-8).

use super::App;
use crate::catalog::MAX_PACK;
use crate::store::{ImportedVersion, KeptPack, LOCALES, Layout, Offered, Receipt, Snapshot, files_below};
use crate::types::{Expected, Language, PackageId, Version};
use std::path::Path;

/// A version with packs beside it that nothing told so far to be ours; the catalog may.
pub(super) struct Unknown {
    id: PackageId,
    version: Version,
    packs: Vec<KeptPack>,
}

impl App {
    /// Fills in the packs of versions that rulepack did not install, or does not remember to have. Gives those of which
    /// it cannot tell.
    pub(super) fn adopt_packs(&self, snapshot: &mut Snapshot) -> Vec<Unknown> {
        for (id, imported) in &mut snapshot.state.imported {
            let is_unsure = |kept: &ImportedVersion| kept.rebuilt && kept.pack.is_none();
            for (version, kept) in imported.versions.iter_mut().filter(|(_, kept)| is_unsure(kept)) {
                // What is imported with a translation leaves a copy of that in the cache.
                let root = self.store.layout().import(id, *version);
                kept.pack = self.packs_beside(&root).find(|pack| self.is_cached(pack));
            }
        }
        self.adopt_packs_of_packages(snapshot)
    }

    /// The same of packs that were unknown before the catalog was read, if it was by now. Whether it tells of any.
    pub(super) fn adopt_offered(&self, unknown: &[Unknown], snapshot: &mut Snapshot) -> bool {
        let mut has_found = false;
        for Unknown { id, version, packs } in unknown {
            let package = snapshot.state.packages.get_mut(id);
            let receipt = package.and_then(|package| package.versions.get_mut(version.as_str()));
            let is_ours = |pack: &&KeptPack| self.is_offered(pack, id, version);
            if let Some((receipt, pack)) = receipt.zip(packs.iter().find(is_ours)) {
                receipt.pack = Some(pack.clone());
                has_found = true;
            }
        }
        has_found
    }

    fn adopt_packs_of_packages(&self, snapshot: &mut Snapshot) -> Vec<Unknown> {
        let lacks_a_pack = |receipt: &Receipt| receipt.artifact.is_none() && receipt.pack.is_none();
        let mut receipts = snapshot.state.packages.values().flat_map(|package| package.versions.values());
        // Which most runs find.
        if !receipts.any(lacks_a_pack) {
            return Vec::new();
        }
        let mut unknown = Vec::new();
        for installed in snapshot.registry.rulesets() {
            let previous = installed.previous.as_ref().map(|previous| &previous.version);
            for version in [Some(&installed.version), previous].into_iter().flatten() {
                let package = snapshot.state.packages.get_mut(&installed.id);
                let receipt = package.and_then(|package| package.versions.get_mut(version.as_str()));
                // What rulepack installed it remembers the pack of, or that there is none.
                if let Some(receipt) = receipt.filter(|receipt| lacks_a_pack(receipt)) {
                    match self.known_pack(&installed.id, version, receipt) {
                        Ok(pack) => receipt.pack = Some(pack),
                        Err(packs) if packs.is_empty() => {}
                        Err(packs) => {
                            unknown.push(Unknown { id: installed.id.clone(), version: version.clone(), packs })
                        }
                    }
                }
            }
        }
        unknown
    }

    /// The pack of a version that the cache has too or that was offered for just that version; else all there are.
    fn known_pack(&self, id: &PackageId, version: &Version, receipt: &Receipt) -> Result<KeptPack, Vec<KeptPack>> {
        let mut unknown = Vec::new();
        for pack in self.packs_beside(&self.store.layout().version(id, version)) {
            if receipt.left.contains(&pack) {
                continue;
            }
            if is_among(&receipt.offered, &pack) || self.is_cached(&pack) || self.is_offered(&pack, id, version) {
                return Ok(pack);
            }
            unknown.push(pack);
        }
        Err(unknown)
    }

    fn is_offered(&self, pack: &KeptPack, id: &PackageId, version: &Version) -> bool {
        self.offered(id, version).is_some_and(|offered| is_among(&offered, pack))
    }

    fn is_cached(&self, pack: &KeptPack) -> bool {
        matches!(self.fetcher.cached(pack.file), Ok(Some(_)))
    }

    /// The packs in a version folder, by name; each is read when it is come to.
    fn packs_beside(&self, root: &Path) -> impl Iterator<Item = KeptPack> {
        // Where the disk does not say, nothing is taken for ours.
        let files = files_below(self.store.layout(), &root.join(LOCALES)).unwrap_or_default();
        let languages = files.into_iter().filter_map(|path| {
            let name = path.strip_suffix(".json")?;
            name.parse::<Language>().ok().filter(|language| language.to_string() == name)
        });
        languages.filter_map(move |language| {
            let bytes = self.read_kept(&Layout::pack_in(root, &language), MAX_PACK.0 + 1).ok()?;
            (bytes.len() as u64 <= MAX_PACK.0).then(|| KeptPack { language, file: Expected::of(&bytes) })
        })
    }
}

fn is_among(offered: &[Offered], pack: &KeptPack) -> bool {
    offered.iter().any(|offered| offered.language == pack.language && offered.file == pack.file)
}
