//! A language, once had, is not lost (docs/spec/commands.md#language): what an installed version was offered is
//! remembered, a pack that goes is kept in the cache, and what could not be removed is tried again.

use super::App;
use crate::catalog::{Entry, FileOffer, PackOffer};
use crate::disk::Verified;
use crate::store::{
    Change, KeptPack, Layout, Offered, Owner, PackChange, Put, Receipt, Snapshot, State, StoreError, StoreLock,
    Transaction, metadata,
};
use crate::types::{Failure, Language, PackageId, Version};
use std::fs::Metadata;
use std::path::Path;

/// Every pack that an entry offers.
pub(super) fn offered_by(entry: &Entry) -> Vec<Offered> {
    let offered = |pack: &PackOffer| Offered {
        language: pack.language.clone(),
        url: pack.file.url.clone(),
        file: pack.file.expected,
        name: Some(pack.name.clone()),
    };
    entry.packs.iter().map(offered).collect()
}

/// How many packs of one language a version is remembered to have been offered: the one listed, and the one before
/// under the same version.
const OF_A_LANGUAGE: usize = 2;

/// What the very version of an entry was offered before.
pub(super) fn offered_before<'a>(state: &'a State, entry: &Entry) -> &'a [Offered] {
    let receipt = state.receipt(&entry.manifest.id, &entry.manifest.version);
    receipt.map(|receipt| receipt.offered.as_slice()).unwrap_or_default()
}

/// What an entry offers now, and what it offered before and may still be in the cache.
pub(super) fn offered_since(now: Vec<Offered>, before: &[Offered]) -> Vec<Offered> {
    let mut all = now;
    for old in before {
        let same = all.iter().filter(|other| other.language == old.language);
        if same.clone().count() < OF_A_LANGUAGE && same.clone().all(|other| other.file != old.file) {
            all.push(old.clone());
        }
    }
    all
}

/// A pack that was offered, as an entry offers it. What is on its card besides is nobody's concern by then.
pub(super) fn as_offer(offered: &Offered) -> PackOffer {
    PackOffer {
        language: offered.language.clone(),
        file: FileOffer { url: offered.url.clone(), expected: offered.file },
        name: offered.name.clone().unwrap_or_default(),
        description: String::new(),
    }
}

impl App {
    /// The packs for a reader of `language` that a version was offered, and that the cache still has or that were left
    /// beside the version, the best first.
    pub(super) fn at_hand(
        &self,
        state: &State,
        id: &PackageId,
        version: &Version,
        language: &Language,
    ) -> Vec<PackOffer> {
        let Some(Receipt { offered, left, .. }) = state.receipt(id, version) else { return Vec::new() };
        let is_left = |offered: &Offered| left.iter().any(|left| left.file == offered.file);
        let is_had = |offered: &&Offered| is_left(offered) || self.fetcher.seems_cached(offered.file);
        let serving = |wanted: &Language| {
            let wanted = wanted.clone();
            offered.iter().filter(move |offered| offered.language == wanted)
        };
        language.fallbacks().iter().flat_map(serving).filter(is_had).map(as_offer).collect()
    }

    /// What the catalog offers an installed version, if it was read in this run and lists that very version.
    pub(super) fn offered(&self, id: &PackageId, version: &Version) -> Option<Vec<Offered>> {
        let shelf = self.shelf_at_hand()?;
        let entry = shelf.ruleset(id.as_str()).ok()??;
        (entry.manifest.version == *version).then(|| offered_by(&entry))
    }

    /// Names what leaves the cache last: every pack that an installed version has or was offered.
    pub(super) fn cherish(&self, state: &State) {
        let receipts = state.packages.values().flat_map(|package| package.versions.values());
        let packs = |receipt: &Receipt| {
            let offered = receipt.offered.iter().map(|offered| offered.file.sha256);
            offered.chain(receipt.pack.iter().map(|pack| pack.file.sha256)).collect::<Vec<_>>()
        };
        self.fetcher.cherish(receipts.flat_map(packs));
    }

    /// Keeps in the cache every pack that goes by this change, whatever was there before. One that was edited is kept
    /// beside its ruleset instead. One that the cache cannot take, which is said, stays where it is, and goes when the
    /// cache can; unless its folder or another pack of the language takes its place.
    ///
    /// # Errors
    /// `interrupted` only.
    pub(super) fn keep_what_goes(&self, change: &mut Change, state: &State) -> Result<(), Failure> {
        // Who uninstalls wants nothing of it any more.
        if matches!(change.record, Put::Remove) {
            return Ok(());
        }
        let Change { id, place, packs, state: after, discard, .. } = change;
        for pack in packs.iter_mut() {
            let Some(old) = pack.remove.clone() else { continue };
            let is_replaced = place.as_ref().is_some_and(|place| place.version == pack.version)
                || pack.add.as_ref().is_some_and(|add| add.pack.language == old.language);
            if !self.keep(id, &pack.version, &old)?
                && !is_replaced
                && let Put::Set(after) = &mut *after
                && let Some(receipt) = after.versions.get_mut(&pack.version)
            {
                pack.remove = None;
                receipt.left.push(old);
            }
        }
        packs.retain(|pack| pack.add.is_some() || pack.remove.is_some());
        let Owner::Package(package) = &*id else { return Ok(()) };
        for discard in discard.iter() {
            let receipt = state.packages.get(package).and_then(|package| package.versions.get(&discard.version));
            if let Some(pack) = receipt.and_then(|receipt| receipt.pack.as_ref()) {
                self.keep(id, &discard.version, pack)?;
            }
        }
        Ok(())
    }

    /// Whether a pack is in the cache by now, or is not what lies in its place.
    fn keep(&self, owner: &Owner, version: &str, pack: &KeptPack) -> Result<bool, Failure> {
        let path = Layout::pack_in(&self.store.layout().folder(owner, version), &pack.language);
        let bytes = self.read_kept(&path, pack.file.bytes.0 + 1).ok();
        let Some(whole) = bytes.and_then(|bytes| Verified::held(bytes, pack.file).ok()) else { return Ok(true) };
        Ok(self.fetcher.keep(&whole)?)
    }

    /// Takes the lock, and looks at the store as it is by then: what is changed is decided by that.
    pub(super) fn lock(&self) -> Result<(StoreLock, Snapshot), Failure> {
        let (lock, now) = self.store.lock(&*self.reporter)?;
        Ok((lock, self.looked(now)))
    }

    /// What a look under the lock has to say is said, and packs that are there unrecorded count as kept.
    pub(super) fn looked(&self, mut now: Snapshot) -> Snapshot {
        self.warnings.borrow_mut().append(&mut now.warnings);
        self.adopt_packs(&mut now);
        now
    }

    /// Carries a change of the store out, says what it has to say, and remembers the packs that could not be removed.
    pub(super) fn put(&self, lock: &StoreLock, now: &Snapshot, transaction: &Transaction) -> Result<(), StoreError> {
        let warnings = self.store.commit(lock, now, transaction)?;
        warnings.into_iter().for_each(|warning| self.warn(warning));
        let left: Vec<Change> =
            transaction.changes.iter().filter_map(|change| still_there(self.store.layout(), change)).collect();
        // What cannot be remembered is found by `doctor`.
        if !left.is_empty()
            && let Ok(now) = self.store.look_again(lock)
        {
            let _ = self.store.commit(lock, &now, &Transaction { changes: left, language: None });
        }
        Ok(())
    }
}

/// The change that remembers what went by another and is still there.
fn still_there(layout: &Layout, change: &Change) -> Option<Change> {
    let (Owner::Package(id), Put::Set(state)) = (&change.id, &change.state) else { return None };
    let mut state = state.clone();
    let mut any = false;
    for PackChange { version, remove, .. } in &change.packs {
        let (Some(old), Some(receipt)) = (remove, state.versions.get_mut(version)) else { continue };
        if receipt.pack.as_ref().is_none_or(|pack| pack.language != old.language)
            && is_there(&layout.folder(&change.id, version), old)
            && !receipt.left.contains(old)
        {
            receipt.left.push(old.clone());
            any = true;
        }
    }
    any.then(|| Change { state: Put::Set(state), ..Change::of(id) })
}

/// Whether something of the size of a pack lies in its place, as far as the disk says.
fn is_there(root: &Path, pack: &KeptPack) -> bool {
    let is_it = |found: Metadata| found.is_file() && found.len() == pack.file.bytes.0;
    metadata(&Layout::pack_in(root, &pack.language)).map_or(true, |found| found.is_some_and(is_it))
}

/// The packs beside a version that went by an earlier change and could not be removed.
pub(super) fn left_over(layout: &Layout, state: &State, id: &PackageId, version: &Version) -> Vec<KeptPack> {
    let Some(receipt) = state.receipt(id, version).filter(|receipt| !receipt.left.is_empty()) else {
        return Vec::new();
    };
    let root = layout.version(id, version);
    let in_use = |left: &KeptPack| receipt.pack.as_ref().is_some_and(|pack| pack.language == left.language);
    receipt.left.iter().filter(|left| !in_use(left) && is_there(&root, left)).cloned().collect()
}
