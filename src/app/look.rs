//! What is looked at before a plan is made: facts of a ruleset, as data. Plans are functions of these, of the records
//! as they were read and of what is asked for, and look at nothing themselves. What a plan does not depend on is not
//! looked at, and no file is hashed where a page waits.

use super::keeping::left_over;
use super::pack::Kept;
use super::{App, manifest_of};
use crate::catalog::{Entry, Manifest, PackOffer, incompatibilities};
use crate::store::{Installed, KeptPack, Snapshot};
use crate::types::{Api, Failure, Language, Version};

/// What all plans of a run go by: the records as read, and what the run was told.
#[derive(Clone, Copy)]
pub(super) struct Terms<'a> {
    pub snapshot: &'a Snapshot,
    pub language: &'a Language,
    /// Not judged when absent.
    pub engine: Option<&'a Version>,
    /// The newest known when absent.
    pub api: Option<Api>,
}

/// What there is of an installed version besides its record.
#[derive(Clone, Debug, Default)]
pub(super) struct There {
    /// Whether its folder is there.
    pub folder: bool,
    /// The pack recorded for it.
    pub pack: Option<Kept>,
    /// The packs it was offered that can be had without a network, the best first.
    pub at_hand: Vec<PackOffer>,
    /// Packs that went before and are still there, each with the version it lies beside.
    pub left: Vec<(Version, KeptPack)>,
}

impl Terms<'_> {
    /// Refuses what this engine would not run, before anything is downloaded.
    pub fn refuse_incompatible(&self, manifest: &Manifest) -> Result<(), Failure> {
        match incompatibilities(manifest, self.engine, self.api).into_iter().next() {
            Some(failure) => Err(failure),
            None => Ok(()),
        }
    }

    /// Whether the catalog has other bytes under the installed version. What another program installed has no receipt;
    /// there the manifest, with the hash of every file, tells.
    pub fn is_republished(&self, entry: &Entry, installed: &Installed) -> bool {
        if entry.manifest.version != installed.version {
            return false;
        }
        let receipt = self.snapshot.state.receipt(&installed.id, &installed.version);
        match receipt.and_then(|receipt| receipt.artifact) {
            Some(artifact) => artifact.sha256 != entry.artifact.expected.sha256,
            None => !Manifest::parse(installed.manifest.get())
                .is_ok_and(|manifest| manifest.says_the_same_as(&entry.manifest)),
        }
    }
}

impl App {
    pub(super) fn terms<'a>(&'a self, snapshot: &'a Snapshot, language: &'a Language) -> Terms<'a> {
        Terms { snapshot, language, engine: self.options.engine.as_ref(), api: self.options.api }
    }

    /// What there is of the active version, without the cache.
    pub(super) fn there(&self, installed: &Installed, terms: Terms) -> There {
        let (id, version, state) = (&installed.id, &installed.version, &terms.snapshot.state);
        let pack = self.recorded_pack(state, id, version);
        let is_in_folder = pack.as_ref().is_some_and(|kept| kept.whole);
        let folder = is_in_folder || !self.store.has_no_folder(&self.store.layout().version(id, version));
        let previous = installed.previous.as_ref().map(|previous| &previous.version);
        let left = [Some(version), previous].into_iter().flatten().flat_map(|version| {
            let left = left_over(self.store.layout(), state, id, version);
            left.into_iter().map(|pack| (version.clone(), pack))
        });
        There { folder, pack, at_hand: Vec::new(), left: left.collect() }
    }

    /// The same with what the cache has for it, which is asked, and hashes what it has, only where no pack serves
    /// already.
    pub(super) fn there_and_at_hand(&self, installed: &Installed, terms: Terms) -> There {
        self.with_what_is_at_hand(self.there(installed, terms), installed, terms)
    }

    pub(super) fn with_what_is_at_hand(&self, there: There, installed: &Installed, terms: Terms) -> There {
        if !there.folder || there.pack.as_ref().is_some_and(|kept| kept.serves(terms.language)) {
            return there;
        }
        let at_hand = self.at_hand(&terms.snapshot.state, &installed.id, &installed.version, terms.language);
        There { at_hand, ..there }
    }

    /// The same where every file is read: the pack is whole only with the very bytes recorded.
    pub(super) fn examined(&self, installed: &Installed, terms: Terms) -> Result<There, Failure> {
        let mut there = self.there(installed, terms);
        if let Some(kept) = &mut there.pack {
            kept.whole = kept.whole && self.has_its_bytes(&installed.id, &installed.version, &kept.pack)?;
        }
        Ok(self.with_what_is_at_hand(there, installed, terms))
    }

    /// Whether the record and every file are what was installed, the pack given among them. A record that the engine
    /// marked as faulty is not: the engine does not load what it names.
    pub(super) fn is_intact(
        &self,
        installed: &Installed,
        pack: Option<&KeptPack>,
        snapshot: &Snapshot,
    ) -> Result<bool, Failure> {
        let Some(manifest) = manifest_of(installed).filter(|_| installed.fault.is_none()) else { return Ok(false) };
        Ok(self.flaws(&snapshot.state, &installed.id, &installed.version, &manifest, pack)?.is_empty())
    }
}
