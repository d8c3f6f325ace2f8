//! Files of the store as they lie there now.

use super::App;
use crate::types::OpenFolder;
use std::io;
use std::path::Path;

impl App {
    /// The bytes of a plain file below the data folder, at most so many. The data folder was named and may be a link;
    /// below it none is followed (contract, section 4, rule 9).
    pub(super) fn read_kept(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        let data = self.store.layout().data();
        let below = path.strip_prefix(data).map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))?;
        OpenFolder::open(data)?.read_up_to(below, most)
    }
}
