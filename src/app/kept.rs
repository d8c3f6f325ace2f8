//! Files of the store as they lie there now.

use super::App;
use crate::disk::{FileKind, OpenFolder, refused_link};
use crate::store::StoreError;
use crate::types::Failure;
use std::io;
use std::path::Path;

impl App {
    /// The bytes of a plain file below the data folder, at most so many. The data folder was named and may be a link;
    /// below it none is followed (docs/spec/commands.md#store-9).
    pub(super) fn read_kept(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        self.kept(path, |data, below| data.read_up_to(below, most))
    }

    /// Whether a plain file lies at a path below the data folder.
    pub(super) fn has_kept(&self, path: &Path) -> Result<bool, Failure> {
        match self.kept(path, |data, below| data.find(below)) {
            Err(error) if refused_link(&error).is_some() => Ok(false),
            found => Ok(found.map_err(StoreError::io("look at", path))? == Some(FileKind::File)),
        }
    }

    fn kept<T>(&self, path: &Path, ask: impl Fn(OpenFolder, &Path) -> io::Result<T>) -> io::Result<T> {
        let data = self.store.layout().data();
        let below = path.strip_prefix(data).map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))?;
        ask(OpenFolder::open(data)?, below)
    }
}
