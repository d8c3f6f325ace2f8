//! Files that are there at once and can be read again. A pipe or a device would be waited for, and no signal ends that.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// Whether there is something at the path that is read once, from beginning to end: a pipe or a device.
pub fn is_stream(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Opens a plain file.
///
/// # Errors
/// What the system says, and that there is something else at the path.
pub fn open_plain(path: &Path) -> io::Result<File> {
    match fs::metadata(path)? {
        found if found.is_file() => File::open(path),
        found if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        _ => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is neither a plain file nor a folder")),
    }
}

/// The bytes of a plain file.
///
/// # Errors
/// As [`read_plain_up_to`].
pub fn read_plain(path: &Path) -> io::Result<Vec<u8>> {
    read_plain_up_to(path, u64::MAX)
}

/// The bytes of a plain file, at most so many.
///
/// # Errors
/// As [`open_plain`], and what reading ends with.
pub fn read_plain_up_to(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = open_plain(path)?;
    let size = file.metadata()?.len().min(most);
    let mut bytes = Vec::new();
    // Room for all of it at once; without, reading begins with 32 bytes.
    bytes.try_reserve_exact(usize::try_from(size).unwrap_or(usize::MAX))?;
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}
