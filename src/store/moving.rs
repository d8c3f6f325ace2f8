//! Moving something to another name, also where the system renames no folders.

use super::files::{folder_of, is_real_folder, while_held};
use super::folder::Folder;
use crate::crash;
use std::fs;
use std::io;
use std::path::Path;

/// Renames. A folder of an overlay's lower layer cannot be renamed as a whole (`EXDEV`): what it holds is moved one by
/// one, and back if that fails.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    crash::operation()?;
    let renamed = match crash::pretends("no-rename-of-folders") && from.is_dir() {
        true => Err(io::ErrorKind::CrossesDevices.into()),
        false => while_held(|| fs::rename(from, to)),
    };
    match renamed {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices && is_real_folder(from)? => carry(from, to)
            .inspect_err(|_| {
                let _ = carry(to, from);
            }),
        renamed => renamed,
    }
}

/// Moves what a folder holds into another, made if there is none, and removes it: for a folder that cannot be renamed,
/// and for one of which a part was moved already. Nothing that is there is replaced.
pub fn carry(from: &Path, to: &Path) -> io::Result<()> {
    let folder = |path: &Path| {
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let parent = Folder::below(folder_of(path), Path::new(""))?.ok_or(io::ErrorKind::NotFound)?;
        Ok::<_, io::Error>((parent, name.to_owned()))
    };
    let ((from, name), (to, new_name)) = (folder(from)?, folder(to)?);
    from.carry(&name, &to, &new_name)
}
