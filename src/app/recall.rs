//! What the catalog said of a version when it was put on disk: enough to put it there once more after the catalog has
//! moved on.

use super::App;
use crate::catalog::{Entry, FileOffer, Manifest, PackOffer};
use crate::store::{KeptPack, State};
use crate::types::HttpsUrl;
use std::rc::Rc;

impl App {
    /// The entry a version came from, with the one pack it keeps, if its receipt tells and the artifact can be had
    /// without a network.
    pub(super) fn recall(&self, manifest: Manifest, state: &State) -> Option<Rc<Entry>> {
        let receipt = state.receipt(&manifest.id, &manifest.version)?;
        let artifact = FileOffer { url: receipt.url.clone()?, expected: receipt.artifact? };
        if !self.fetcher.borrow().is_at_hand(&artifact.url, artifact.expected) {
            return None;
        }
        let packs = receipt.pack.iter().filter_map(|pack| pack_beside(&artifact.url, pack, &manifest)).collect();
        Some(Rc::new(Entry { manifest, artifact, packs, notes: Vec::new() }))
    }
}

/// A pack as the catalog listed it: its name and its place are fixed (contract, section 3).
fn pack_beside(artifact: &HttpsUrl, pack: &KeptPack, manifest: &Manifest) -> Option<PackOffer> {
    let url = format!("{}{}-{}.{}.json", artifact.folder(), manifest.id, manifest.version, pack.language);
    Some(PackOffer {
        language: pack.language.clone(),
        file: FileOffer { url: url.parse().ok()?, expected: pack.file },
        name: manifest.name.clone(),
        description: manifest.description.clone(),
    })
}
