//! Whether the rules of the official catalog hold (docs/spec/catalog.md#official-addresses).

use super::listed::Listed;
use crate::catalog::{Branch, is_official_file, official_root};
use crate::fetch::CatalogSource;

/// The branch the official catalog is read from, if it is that. Decided once for all entries: by the address it is read
/// from, or, of one on disk, by where all its artifacts are to lie. One that lists some of the official artifacts
/// beside its own is somebody's own catalog.
pub(super) fn branch(source: &CatalogSource, all: &[Listed<'_>]) -> Option<Branch> {
    match source {
        CatalogSource::Web(address) => official_root(address.url()),
        CatalogSource::Local(_) => of_artifacts(all),
    }
}

/// The same of entries alone.
pub(super) fn of_artifacts(all: &[Listed<'_>]) -> Option<Branch> {
    let mut artifacts = all.iter().filter_map(|listed| listed.artifact.as_deref()).peekable();
    artifacts.peek()?;
    artifacts.all(is_official_file).then_some(Branch::Main)
}
