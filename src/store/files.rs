//! File operations that are on the disk when they return, and that never show a half-written file.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, Write};
use std::path::Path;

/// Replaces a file's content in one step: readers see the old bytes or the new ones. An existing file keeps its
/// mode; a new one follows the umask (contract, section 4).
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mode = fs::symlink_metadata(path).ok().filter(Metadata::is_file).map(|meta| meta.permissions());
    let mut builder = tempfile::Builder::new();
    let prefix = format!(".{}-", path.file_name().unwrap_or(OsStr::new("file")).to_string_lossy());
    builder.prefix(&prefix).permissions(ordinary_mode());
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    if let Some(mode) = mode {
        file.as_file().set_permissions(mode)?;
    }
    file.as_file().sync_all()?;
    persist(file, path)?;
    sync_folder(folder)
}

/// Moves a finished temporary file over its name. On Windows a virus scanner may hold the target for a moment.
fn persist(mut file: tempfile::NamedTempFile, path: &Path) -> io::Result<()> {
    let mut patience = HELD_FILE_TRIES;
    loop {
        match file.persist(path) {
            Ok(_) => return Ok(()),
            Err(failed) if patience > 0 && is_held(&failed.error) => file = failed.file,
            Err(failed) => return Err(failed.error),
        }
        patience -= 1;
        std::thread::sleep(HELD_FILE_PAUSE);
    }
}

/// Renames, waiting a few seconds where another program holds the file (Windows; B16).
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    let mut patience = HELD_FILE_TRIES;
    loop {
        match fs::rename(from, to) {
            Err(error) if patience > 0 && is_held(&error) => {
                patience -= 1;
                std::thread::sleep(HELD_FILE_PAUSE);
            }
            done => return done,
        }
    }
}

const HELD_FILE_TRIES: u32 = 50;
const HELD_FILE_PAUSE: std::time::Duration = std::time::Duration::from_millis(100);

fn is_held(error: &io::Error) -> bool {
    cfg!(windows) && matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ResourceBusy)
}

/// What a new file gets before the umask takes its part.
#[cfg(unix)]
pub fn ordinary_mode() -> Permissions {
    use std::os::unix::fs::PermissionsExt;
    Permissions::from_mode(0o666)
}

/// What a new file gets: Windows inherits the folder's rights.
#[cfg(not(unix))]
pub fn ordinary_mode() -> Permissions {
    // The permissions of any ordinary file: not read-only.
    fs::metadata(".").map(|meta| meta.permissions()).unwrap_or_else(|_| unreachable!("the current folder is there"))
}

/// Makes what was created, renamed or removed in a folder survive a power cut.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(windows) {
        // Windows has no handle on a folder to flush; its renames are journalled.
        return Ok(());
    }
    File::open(folder)?.sync_all()
}

/// Exchanges two folders in one step. `Ok(false)` where the system or the file system cannot.
#[cfg(any(target_os = "linux", target_os = "macos"))]
pub fn exchange(a: &Path, b: &Path) -> io::Result<bool> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    match renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(true),
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Exchanges two folders in one step, which this system cannot.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
pub fn exchange(_: &Path, _: &Path) -> io::Result<bool> {
    Ok(false)
}

/// Makes something in a folder, and the folder first where it is not there. A run that fails takes the folder away
/// again if it is empty, perhaps just between the two.
pub fn in_folder<T>(folder: &Path, make: impl Fn() -> io::Result<T>) -> io::Result<T> {
    let mut patience = 10;
    loop {
        fs::create_dir_all(folder)?;
        match make() {
            Err(error) if error.kind() == io::ErrorKind::NotFound && patience > 0 => patience -= 1,
            made => return made,
        }
    }
}

/// The bytes of a file, `None` where there is none.
pub fn read_if_there(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Removes a file; that it is gone already is as good.
pub fn remove_if_there(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

/// Whether anything has this name, a dangling link included.
pub fn exists(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Whether this is a folder itself and no link to one.
pub fn is_real_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|meta| meta.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replaced_file_keeps_its_mode_and_leaves_no_temporary() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.json");
        replace(&path, b"one").unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
            replace(&path, b"two").unwrap();
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn two_folders_change_places() {
        let dir = tempfile::tempdir().unwrap();
        let (a, b) = (dir.path().join("a"), dir.path().join("b"));
        fs::create_dir(&a).unwrap();
        fs::create_dir(&b).unwrap();
        fs::write(a.join("x"), "").unwrap();
        if exchange(&a, &b).unwrap() {
            assert!(b.join("x").exists() && !a.join("x").exists());
        }
    }
}
