//! Where bytes come from: https, a folder, the cache.
//!
//! ```text
//! Fetcher ─ catalog ─► copy (kept, header, index) ─┐
//!    │                                             ├─ download ─ request ─ client     when it is not here
//!    └───── files ───► local, cache ───────────────┘     │           └ fault          what went wrong
//!                                                        └ patience                   when to try again
//! ```
//!
//! Where they come from never matters: files leave this room only as [`crate::disk::Verified`], and a catalog
//! copy checks every byte it hands out. Nothing here knows what the bytes mean, except for the envelope of a
//! catalog, which must be understood to find its entries.

mod cache;
mod catalog;
mod client;
mod copy;
mod download;
mod downloads;
mod error;
mod fault;
mod fetcher;
mod files;
#[doc(hidden)]
pub mod fuzzing;
mod glance;
mod header;
mod hosts;
mod index;
mod local;
mod notes;
mod part;
mod patience;
mod request;
mod setbacks;
mod settings;
mod source;
#[cfg(test)]
mod tests;

pub(crate) use cache::{CacheUsage, cache_clean, cache_usage};
pub(crate) use copy::CatalogCopy;
pub(crate) use downloads::Next;
pub(crate) use error::{AskedFor, Because, FetchError, FileOrigin};
pub(crate) use fetcher::Fetcher;
pub(crate) use glance::text_of;
pub(crate) use index::InvalidCatalog;
pub(crate) use local::{ArtifactFolder, catalog_path, catalog_text};
pub use settings::Settings;
pub(crate) use settings::{Purpose, Want};
pub use source::{CatalogSource, InvalidSource, Mirror, WebAddress};
