//! What a publisher says: the entries of a catalog, their manifests, the language packs they list, and the rules that
//! hold for addresses and lanes.
//!
//! [`Envelope::read`] finds the elements of `packages[]`. [`Element::read`] judges one of them by everything that can be
//! known before a download, if it is a ruleset, and [`Element::judge`] whatever it is; each entry stands alone (B01).
//! [`Manifest::parse`] reads a manifest from wherever one comes, an artifact or a shared file.

mod draft;
mod element;
mod engine_range;
mod entry;
mod envelope;
mod findings;
mod judge;
mod manifest;
mod notes;
mod offers;
mod official;
mod other_kinds;
mod reading;
mod rules;
#[cfg(test)]
mod sample;

pub(crate) use draft::MANIFEST_KEYS;
pub(crate) use element::Element;
pub use engine_range::EngineRange;
pub(crate) use engine_range::FIRST_LANE;
pub use entry::{Card, Entry, FileOffer, PackOffer, Reading};
pub(crate) use envelope::{Envelope, MAX_ENTRIES};
pub use judge::incompatibilities;
pub use manifest::{DeclaredFile, Localization, Manifest};
pub use notes::{Note, Notes, read_notes};
pub(crate) use offers::unlistable_language;
pub use offers::{MAX_ARTIFACT, MAX_PACK, MAX_PACKS};
pub(crate) use official::{
    Branch, is_official_file, official_artifacts, official_catalog, official_faults, official_icon, official_root,
    on_branch,
};
pub use other_kinds::KINDS;
pub use reading::read_entry;
pub(crate) use reading::{Judged, read_store_page};

/// The file of a package that holds its manifest: in an archive, in the engine's folder and in an author's.
pub const MANIFEST: &str = "manifest.json";
/// The file of a package that holds its ruleset.
pub const RULESET: &str = "ruleset.json";
