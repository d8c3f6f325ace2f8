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

pub use cache::{CacheUsage, cache_clean, cache_usage};
pub use client::ClientError;
pub use copy::CatalogCopy;
pub use downloads::{Downloads, Next};
pub use error::{AskedFor, BadRedirect, Because, FetchError, Place};
pub use fault::Fault;
pub use fetcher::Fetcher;
pub use header::Row;
pub use index::{InvalidCatalog, MAX_CATALOG};
pub use local::{Shelf, catalog_path, catalog_text};
pub use settings::{Purpose, Settings, Want};
pub use source::{InvalidSource, Mirror, Source, WebAddress};
