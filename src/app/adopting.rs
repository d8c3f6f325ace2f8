//! Language packs that lie beside a version and that our own record does not know of: another program put the version
//! there, or the record was lost. Only one whose very bytes are known is taken for one that rulepack put there, which
//! goes when another comes. Any other is somebody's own work, and stays (docs/spec/commands.md#store-8).

use super::App;
use crate::catalog::MAX_PACK;
use crate::store::{KeptPack, LOCALES, Layout, Offered, Receipt, Snapshot, files_below};
use crate::types::{Expected, Language, PackageId, Version};
use std::path::Path;

impl App {
    /// Fills in the packs of versions that rulepack did not install, or does not remember to have. Whether it found any.
    pub(super) fn adopt_packs(&self, snapshot: &mut Snapshot) -> bool {
        let of_packages = self.adopt_packs_of_packages(snapshot);
        let mut of_imports = false;
        for (id, imported) in &mut snapshot.state.imported {
            for (version, kept) in imported.versions.iter_mut().filter(|(_, kept)| kept.pack.is_none()) {
                // What is imported with a translation leaves a copy of that in the cache.
                kept.pack = self.pack_beside(&self.store.layout().import(id, *version), |pack| self.is_cached(pack));
                of_imports |= kept.pack.is_some();
            }
        }
        of_packages || of_imports
    }

    fn adopt_packs_of_packages(&self, snapshot: &mut Snapshot) -> bool {
        let lacks_a_pack = |receipt: &Receipt| receipt.artifact.is_none() && receipt.pack.is_none();
        let mut receipts = snapshot.state.packages.values().flat_map(|package| package.versions.values());
        // Which most runs find.
        if !receipts.any(lacks_a_pack) {
            return false;
        }
        let mut has_found = false;
        for installed in snapshot.registry.rulesets() {
            let previous = installed.previous.as_ref().map(|previous| &previous.version);
            for version in [Some(&installed.version), previous].into_iter().flatten() {
                let package = snapshot.state.packages.get_mut(&installed.id);
                let receipt = package.and_then(|package| package.versions.get_mut(version.as_str()));
                // What rulepack installed it remembers the pack of, or that there is none.
                if let Some(receipt) = receipt.filter(|receipt| lacks_a_pack(receipt)) {
                    receipt.pack = self.known_pack(&installed.id, version, receipt);
                    has_found |= receipt.pack.is_some();
                }
            }
        }
        has_found
    }

    /// The pack of a version that the cache has too or that was offered for just that version.
    fn known_pack(&self, id: &PackageId, version: &Version, receipt: &Receipt) -> Option<KeptPack> {
        self.pack_beside(&self.store.layout().version(id, version), |pack| {
            let is_it = |offered: &Offered| offered.language == pack.language && offered.file == pack.file;
            !receipt.left.contains(pack)
                && (receipt.offered.iter().any(is_it)
                    || self.is_cached(pack)
                    || self.offered(id, version).is_some_and(|offered| offered.iter().any(is_it)))
        })
    }

    fn is_cached(&self, pack: &KeptPack) -> bool {
        matches!(self.fetcher.cached(pack.file), Ok(Some(_)))
    }

    /// The pack in a version folder, the first by name that is known.
    fn pack_beside(&self, root: &Path, is_known: impl Fn(&KeptPack) -> bool) -> Option<KeptPack> {
        // Where the disk does not say, nothing is taken for ours.
        let files = files_below(self.store.layout(), &root.join(LOCALES)).ok()?;
        let languages = files.iter().filter_map(|path| {
            let name = path.strip_suffix(".json")?;
            name.parse::<Language>().ok().filter(|language| language.to_string() == name)
        });
        let mut packs = languages.filter_map(|language| {
            let bytes = self.read_kept(&Layout::pack_in(root, &language), MAX_PACK.0 + 1).ok()?;
            (bytes.len() as u64 <= MAX_PACK.0).then(|| KeptPack { language, file: Expected::of(&bytes) })
        });
        packs.find(is_known)
    }
}
