//! Files that could not be read: they are kept beside what takes their place.

use super::{Layout, StoreError, files};
use std::path::{Path, PathBuf};

/// What a file that could not be read is called from then on, after its own name.
pub(super) const DAMAGED: &str = ".damaged";

/// The files that were set aside, in order.
pub(super) fn files_set_aside(layout: &Layout) -> Result<Vec<PathBuf>, StoreError> {
    let own = [layout.registry(), layout.state(), layout.intent(), layout.decisions()];
    let is_aside = |path: &PathBuf| {
        let name = path.as_os_str().to_string_lossy().into_owned();
        own.iter().any(|file| name.starts_with(&format!("{}{DAMAGED}", file.display())))
    };
    let folder = layout.packages();
    let entries = layout.open_own(folder).and_then(|open| open.map_or(Ok(Vec::new()), |open| open.entries()));
    let entries = entries.map_err(StoreError::io("list", folder))?.into_iter();
    let mut aside: Vec<PathBuf> = entries.map(|(name, _)| folder.join(name)).filter(is_aside).collect();
    aside.sort();
    Ok(aside)
}

/// Copies a file that cannot be read and will be replaced in its place, where it keeps its mode and is never missing.
pub(super) fn copy_aside(path: &Path) -> Result<PathBuf, StoreError> {
    let aside = files::free_name(path, DAMAGED).map_err(StoreError::io("copy aside", path))?;
    files::copy(path, &aside).map_err(StoreError::io("copy aside", path))?;
    Ok(aside)
}
