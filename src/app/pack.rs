//! Which language pack a ruleset should have, and what that means for the one it has (docs/spec/commands.md#language).

use super::report::PackReason;
use super::shelf::CatalogAnswer;
use crate::catalog::{Entry, PackOffer};
use crate::store::KeptPack;
use crate::types::{Failure, Language, Version};

/// The pack recorded for an installed version, where something lies in its place.
#[derive(Clone, Debug)]
pub struct Kept {
    pub pack: KeptPack,
    /// Whether it can be the pack recorded. One that was edited cannot: it goes when another comes, and no sooner.
    pub whole: bool,
}

impl Kept {
    pub fn serves(&self, language: &Language) -> bool {
        self.whole && self.fits(language)
    }

    /// Whether it is in a language of the reader's, edited or not.
    fn fits(&self, language: &Language) -> bool {
        language.fallbacks().contains(&self.pack.language)
    }

    /// The pack that goes where there is no other for the reader: not one of the reader's language that was edited,
    /// which stays as it is.
    fn dropped(self, language: &Language) -> Option<KeptPack> {
        (!self.fits(language)).then_some(self.pack)
    }
}

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
    Fetch {
        offer: Box<PackOffer>,
        from: Supply,
        old: Option<Kept>,
        /// Older ones in the cache, the best first, for when this one cannot be had or is refused.
        standby: Vec<PackOffer>,
        /// Why this is such an older one.
        because: Option<Failure>,
    },
    /// One is wanted and cannot be had.
    Unavailable { reason: PackReason, failure: Option<Failure>, drop: Option<KeptPack>, kept: Option<KeptPack> },
}

/// Where a wanted pack is to be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Supply {
    /// From where the catalog's entry of this very version says, or the cache.
    Catalog,
    /// From the cache alone: the catalog cannot supply it, and the version is remembered to have been offered it.
    Cache,
}

/// What the catalog says of an installed version.
pub enum PackSource<'a> {
    /// The entry is for this very version.
    Entry(&'a Entry),
    /// The entry is for another version, which cannot supply packs.
    OtherVersion(&'a Entry),
    /// The catalog has no usable entry of this id.
    Unlisted,
    /// The catalog could not be read, and why.
    NoCatalog(&'a Failure),
}

impl<'a> PackSource<'a> {
    /// What the catalog's answer to an id is to an installed version.
    pub fn said(answer: &'a Result<CatalogAnswer, Failure>, installed: &Version) -> Self {
        match answer {
            Ok(CatalogAnswer::Ruleset(entry)) => PackSource::of(Some(entry), installed),
            Ok(CatalogAnswer::OtherKind(_) | CatalogAnswer::Unusable(_) | CatalogAnswer::Missing) => {
                PackSource::of(None, installed)
            }
            Err(failure) => PackSource::NoCatalog(failure),
        }
    }

    /// What an entry, if there is one, is to an installed version.
    pub fn of(entry: Option<&'a Entry>, installed: &Version) -> Self {
        match entry {
            Some(entry) if entry.manifest.version == *installed => PackSource::Entry(entry),
            Some(entry) => PackSource::OtherVersion(entry),
            None => PackSource::Unlisted,
        }
    }

    /// The catalog's entry, of whichever version.
    pub fn entry(&self) -> Option<&'a Entry> {
        match self {
            PackSource::Entry(entry) | PackSource::OtherVersion(entry) => Some(entry),
            PackSource::Unlisted | PackSource::NoCatalog(_) => None,
        }
    }
}

impl PackPlan {
    /// Decides for one version that stays: `kept` is the pack on disk. `at_hand` are those that this version
    /// was offered and the cache still has, for when the catalog can supply none.
    pub fn make(language: &Language, source: &PackSource, kept: Option<Kept>, at_hand: Vec<PackOffer>) -> Self {
        if language.is_english() {
            return PackPlan::NotNeeded { drop: pack_of(kept) };
        }
        // Without the entry of this version, a pack that serves the language is still the right one.
        let serves = kept.as_ref().is_some_and(|kept| kept.serves(language));
        let had = |kept: Option<Kept>, at_hand: Vec<PackOffer>, otherwise: &dyn Fn(Option<KeptPack>) -> PackPlan| {
            match kept {
                Some(kept) if serves => PackPlan::Keep(kept.pack),
                old => {
                    let mut had = at_hand.into_iter();
                    match had.next() {
                        Some(offer) => PackPlan::fetch(offer, Supply::Cache, old).or(had.collect()),
                        None => otherwise(old.and_then(|old| old.dropped(language))),
                    }
                }
            }
        };
        let unavailable = |reason, failure: Option<&Failure>, drop| {
            let failure = failure.cloned();
            PackPlan::Unavailable { reason, failure, drop, kept: None }
        };
        match source {
            PackSource::Entry(entry) => match entry.pack_for(language) {
                None => PackPlan::NotListed { drop: pack_of(kept) },
                Some(offer) => match kept {
                    Some(Kept { pack, whole: true })
                        if pack.language == offer.language && pack.file == offer.file.expected =>
                    {
                        PackPlan::Keep(pack)
                    }
                    old => {
                        let mut standby = if serves { Vec::new() } else { at_hand };
                        standby.retain(|had| had.file.expected != offer.file.expected);
                        PackPlan::fetch(offer.clone(), Supply::Catalog, old).or(standby)
                    }
                },
            },
            PackSource::OtherVersion(_) => {
                had(kept, at_hand, &|drop| unavailable(PackReason::OtherVersion, None, drop))
            }
            PackSource::Unlisted => had(kept, at_hand, &|drop| PackPlan::NotListed { drop }),
            PackSource::NoCatalog(failure) => {
                had(kept, at_hand, &|drop| unavailable(super::pack_reason(failure.code), Some(failure), drop))
            }
        }
    }

    /// Decides for an entry's version that is put in place: its pack comes with it. `kept` is the pack of what is
    /// installed now, which can stand in for one that cannot be had when it is of the `same_version`.
    pub fn of_placed(language: &Language, entry: &Entry, kept: Option<Kept>, same_version: bool) -> Self {
        match entry.pack_for(language) {
            Some(offer) => PackPlan::fetch(offer.clone(), Supply::Catalog, kept.filter(|_| same_version)),
            None if language.is_english() => PackPlan::NotNeeded { drop: pack_of(kept) },
            None => PackPlan::NotListed { drop: pack_of(kept) },
        }
    }

    pub fn fetch(offer: PackOffer, from: Supply, old: Option<Kept>) -> Self {
        PackPlan::Fetch { offer: Box::new(offer), from, old, standby: Vec::new(), because: None }
    }

    /// The same with others to fall back on.
    fn or(self, standby: Vec<PackOffer>) -> Self {
        match self {
            PackPlan::Fetch { offer, from, old, because, .. } => PackPlan::Fetch { offer, from, old, standby, because },
            plan => plan,
        }
    }

    /// What is left to try once the one listed could not be had, where nothing that is there serves the language: a
    /// language, once had, is not lost (docs/spec/commands.md#language).
    pub fn fallen_back(&self, language: &Language, failure: &Failure) -> Option<Self> {
        let PackPlan::Fetch { old, standby, because, .. } = self else { return None };
        let (offer, rest) = standby.split_first()?;
        let is_needed = !old.as_ref().is_some_and(|old| old.serves(language));
        is_needed.then(|| PackPlan::Fetch {
            offer: Box::new(offer.clone()),
            from: Supply::Cache,
            old: old.clone(),
            standby: rest.to_vec(),
            // Why the one wanted first is not there.
            because: Some(because.as_ref().unwrap_or(failure).clone()),
        })
    }

    /// What is told of it once it is carried out: an older one is no more than what there is for now.
    pub fn told(self) -> Self {
        match self {
            PackPlan::Fetch { offer, because: Some(failure), .. } => PackPlan::Unavailable {
                reason: super::pack_reason(failure.code),
                failure: Some(failure),
                drop: None,
                kept: Some(KeptPack { language: offer.language.clone(), file: offer.file.expected }),
            },
            plan => plan,
        }
    }

    /// What a fetch that failed turns into. On a change of language the old pack goes all the same; one that serves
    /// the language stays until the better one can be had.
    pub fn after_failure(language: &Language, old: Option<Kept>, failure: Failure) -> Self {
        let reason = super::pack_reason(failure.code);
        let (kept, drop) = match old {
            Some(old) if old.serves(language) => (Some(old.pack), None),
            old => (None, old.and_then(|old| old.dropped(language))),
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

    /// The offer to fetch, when there is one, and from where.
    pub fn wanted(&self) -> Option<(&PackOffer, Supply)> {
        match self {
            PackPlan::Fetch { offer, from, .. } => Some((offer, *from)),
            _ => None,
        }
    }
}

fn pack_of(kept: Option<Kept>) -> Option<KeptPack> {
    kept.map(|kept| kept.pack)
}
