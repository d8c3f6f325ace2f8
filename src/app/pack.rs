//! Which language pack a ruleset should have, and what that means for the one it has (contract, section 5).

use super::report::PackReason;
use crate::catalog::{Entry, PackOffer};
use crate::store::KeptPack;
use crate::types::{Failure, Language, Version};

/// What will happen to the language pack of one installed version.
#[derive(Clone, Debug)]
pub enum PackPlan {
    /// Nothing is said of it: the package fails or goes.
    Nothing,
    /// English needs none; one that is there goes.
    NotNeeded { drop: Option<KeptPack> },
    /// The catalog lists none for the language; one that is there goes.
    NotListed { drop: Option<KeptPack> },
    /// The one there is the one wanted.
    Keep(KeptPack),
    /// One is wanted that is not there. `old` is what is there now.
    Fetch { offer: Box<PackOffer>, old: Option<KeptPack> },
    /// One is wanted and cannot be had.
    Unavailable { reason: PackReason, failure: Option<Failure>, drop: Option<KeptPack>, kept: Option<KeptPack> },
}

/// What the catalog says of an installed version.
pub enum Source<'a> {
    /// The entry is for this very version.
    Entry(&'a Entry),
    /// The entry is for another version, which cannot supply packs.
    OtherVersion,
    /// The catalog has no usable entry of this id.
    Unlisted,
    /// The catalog could not be read, and why.
    NoCatalog(&'a Failure),
}

impl<'a> Source<'a> {
    /// What an entry, if there is one, is to an installed version.
    pub fn of(entry: Option<&'a Entry>, installed: &Version) -> Self {
        match entry {
            Some(entry) if entry.manifest.version == *installed => Source::Entry(entry),
            Some(_) => Source::OtherVersion,
            None => Source::Unlisted,
        }
    }
}

impl PackPlan {
    /// Decides for one version: `kept` is the pack on disk, as far as it really is there.
    pub fn make(language: &Language, source: &Source, kept: Option<KeptPack>) -> Self {
        if language.is_english() {
            return PackPlan::NotNeeded { drop: kept };
        }
        // Without the entry of this version, a pack that serves the language is still the right one.
        let serves = kept.as_ref().is_some_and(|kept| language.fallbacks().contains(&kept.language));
        let unavailable = |reason, failure, kept: Option<KeptPack>| match kept {
            Some(kept) if serves => PackPlan::Keep(kept),
            drop => PackPlan::Unavailable { reason, failure, drop, kept: None },
        };
        match source {
            Source::Entry(entry) => match entry.pack_for(language) {
                None => PackPlan::NotListed { drop: kept },
                Some(offer) => match kept {
                    Some(kept) if kept.language == offer.language && kept.file == offer.file.expected => {
                        PackPlan::Keep(kept)
                    }
                    old => PackPlan::Fetch { offer: Box::new(offer.clone()), old },
                },
            },
            Source::OtherVersion => unavailable(PackReason::OtherVersion, None, kept),
            Source::Unlisted if serves => unavailable(PackReason::OtherVersion, None, kept),
            Source::Unlisted => PackPlan::NotListed { drop: kept },
            Source::NoCatalog(failure) => unavailable(super::pack_reason(failure.code), Some((*failure).clone()), kept),
        }
    }

    /// What a fetch that failed turns into. On a change of language the old pack goes all the same; one that serves
    /// the language stays until the better one can be had.
    pub fn after_failure(language: &Language, old: Option<KeptPack>, failure: Failure) -> Self {
        let reason = super::pack_reason(failure.code);
        let (kept, drop) = match old {
            Some(old) if language.fallbacks().contains(&old.language) => (Some(old), None),
            old => (None, old),
        };
        PackPlan::Unavailable { reason, failure: Some(failure), drop, kept }
    }

    /// Whether carrying it out changes anything on disk.
    pub fn changes_anything(&self) -> bool {
        match self {
            PackPlan::Nothing | PackPlan::Keep(_) => false,
            PackPlan::NotNeeded { drop } | PackPlan::NotListed { drop } | PackPlan::Unavailable { drop, .. } => {
                drop.is_some()
            }
            PackPlan::Fetch { .. } => true,
        }
    }

    /// The offer to download, when there is one.
    pub fn wanted(&self) -> Option<&PackOffer> {
        match self {
            PackPlan::Fetch { offer, .. } => Some(offer),
            _ => None,
        }
    }
}
