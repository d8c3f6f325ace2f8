//! What the records beside the version folders have in common: a plain file each, no link, no larger than they may be.

use super::limits::MOST_RECORD;
use super::{StoreError, files};
use crate::crash;
use crate::disk::read_plain_nofollow_up_to;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::io;
use std::path::Path;

/// Why a file is no record this tool may touch.
#[derive(Debug)]
pub(super) enum Fault {
    Damaged(String),
    /// What a later program wrote, and its schema as it stands there.
    Newer(String),
}

/// The bytes of a record, `None` where there is none. An error of the disk is never absence, and what a link leads to
/// is not read (docs/spec/commands.md#store-6, #store-9).
pub(super) fn read(path: &Path) -> Result<Option<Vec<u8>>, StoreError> {
    crash::question().map_err(StoreError::io("read", path))?;
    match files::patiently(|| read_plain_nofollow_up_to(path, MOST_RECORD + 1)) {
        Ok(bytes) if bytes.len() as u64 > MOST_RECORD => Err(StoreError::OversizedRecord { path: path.to_owned() }),
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => match files::metadata(path) {
            Ok(Some(there)) if there.is_symlink() => Err(StoreError::LinkedRecord { path: path.to_owned() }),
            _ => Err(StoreError::io("read", path)(error)),
        },
    }
}

/// Says which schema a record of ours has, if it is not the one there is.
pub(super) fn refuse_newer(bytes: &[u8]) -> Result<(), Fault> {
    #[derive(Deserialize)]
    struct Versioned<'a> {
        #[serde(borrow)]
        schema: Option<&'a RawValue>,
    }
    let found: Versioned = serde_json::from_slice(bytes).map_err(|error| Fault::Damaged(error.to_string()))?;
    is_one("schema", found.schema)
}

/// Whether a schema is 1, which is all there has been yet. As the engine reads numbers, `1e0` is.
pub(super) fn is_one(key: &str, schema: Option<&RawValue>) -> Result<(), Fault> {
    let Some(schema) = schema.map(RawValue::get) else { return Err(Fault::Damaged(format!("{key} is missing"))) };
    match schema.parse::<f64>() {
        Ok(1.0) => Ok(()),
        Ok(version) if version > 1.0 => Err(Fault::Newer(schema.to_owned())),
        _ => Err(Fault::Damaged(format!("{key} is {schema:.40}"))),
    }
}
