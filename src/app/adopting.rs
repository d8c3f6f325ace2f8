//! Language packs that lie beside a version and that our own record does not know of: another program put the version
//! there, or the record was lost. Only one whose very bytes are known is taken for a pack of the catalog's, which goes
//! when another comes. Any other is somebody's own work, and stays (docs/spec/commands.md#store-8).

use super::App;
use crate::catalog::MAX_PACK;
use crate::store::{KeptPack, LOCALES, Layout, Receipt, Snapshot, files_below};
use crate::types::{Expected, Language, PackageId, Version};

impl App {
    /// Fills in the packs of versions that rulepack did not install, or does not remember to have. Whether it found any.
    pub(super) fn adopt_packs(&self, snapshot: &mut Snapshot) -> bool {
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

    /// The pack in a version folder, the first by name, that the cache has too or that was offered for just that version.
    fn known_pack(&self, id: &PackageId, version: &Version, receipt: &Receipt) -> Option<KeptPack> {
        let root = self.store.layout().version(id, version);
        // Where the disk does not say, nothing is taken for ours.
        let files = files_below(self.store.layout(), &root.join(LOCALES)).ok()?;
        let languages = files.iter().filter_map(|path| {
            let name = path.strip_suffix(".json")?;
            name.parse::<Language>().ok().filter(|language| language.to_string() == name)
        });
        let packs = languages.filter_map(|language| {
            let bytes = self.read_kept(&Layout::pack_in(&root, &language), MAX_PACK.0 + 1).ok()?;
            (bytes.len() as u64 <= MAX_PACK.0).then(|| KeptPack { language, file: Expected::of(&bytes) })
        });
        packs.into_iter().find(|pack| {
            let is_it =
                |offered: &crate::store::Offered| offered.language == pack.language && offered.file == pack.file;
            !receipt.left.contains(pack)
                && (receipt.offered.iter().any(is_it)
                    || matches!(self.fetcher.cached(pack.file), Ok(Some(_)))
                    || self.offered(id, version).is_some_and(|offered| offered.iter().any(is_it)))
        })
    }
}
