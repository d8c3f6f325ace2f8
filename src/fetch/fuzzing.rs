//! Doors for `tests/fuzz`: what of this room meets untrusted bytes and is called by nothing outside of it.

use super::header::Header;
use super::{CatalogCopy, InvalidCatalog, patience};
use crate::fetch::header::Validators;
use std::time::{Duration, SystemTime};

/// A catalog as its source gave it.
pub fn catalog(body: &[u8]) -> Result<CatalogCopy, InvalidCatalog> {
    CatalogCopy::new("https://example.org/".to_owned(), SystemTime::UNIX_EPOCH, Validators::default(), body.to_vec())
}

/// The head of a kept copy: read, its rows looked at, and written again.
pub fn copy_header(copy: &[u8]) -> Option<String> {
    let (range, _) = Header::place(copy)?;
    let header = Header::parse(String::from_utf8(copy.get(range)?.to_vec()).ok()?)?;
    let body = std::str::from_utf8(copy).unwrap_or_default();
    header.rows().for_each(|row| {
        let _ = row.of(body);
    });
    // Each of these looks through all of them, so not all are asked for.
    header.rows().take(16).filter_map(|row| row.id).for_each(|id| {
        header.rows_of(id).for_each(|row| assert_eq!(row.id, Some(id)));
    });
    Some(header.write())
}

/// The head of a kept copy of this body.
pub fn header_of(copy: &CatalogCopy) -> String {
    copy.written_header()
}

/// A `Retry-After`.
pub fn retry_after(text: &str) -> Option<Duration> {
    patience::retry_after(text, SystemTime::UNIX_EPOCH)
}
