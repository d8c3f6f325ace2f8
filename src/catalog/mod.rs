//! What a publisher says: the catalog envelope, its entries and their manifests.

mod entry;
mod manifest;

pub use entry::{Entry, FileOffer, PackOffer, Reading};
pub use manifest::{DeclaredFile, EngineRange, Manifest};
