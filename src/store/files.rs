//! File operations that are on the disk when they return, and that never show a half-written file.

use super::layout::STAGING_PREFIX;
use crate::{crash, threads};
use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Replaces a file's content in one step: readers see the old bytes or the new ones. An existing file keeps its
/// mode; a new one follows the umask (contract, section 4).
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    prepare(path, bytes)?.put()?;
    sync_folder(folder_of(path))
}

/// New content of a file, on the disk and waiting for its name.
pub struct Prepared {
    file: tempfile::NamedTempFile,
    path: PathBuf,
}

/// Writes what a file will hold beside it, under a name that is swept when this process dies.
pub fn prepare(path: &Path, bytes: &[u8]) -> io::Result<Prepared> {
    let mode = fs::symlink_metadata(path).ok().filter(Metadata::is_file).map(|meta| meta.permissions());
    crash::operation()?;
    let mut file = ordinary(0o666).prefix(STAGING_PREFIX).tempfile_in(folder_of(path))?;
    crash::point("file-made");
    file.write_all(bytes)?;
    if let Some(mode) = mode {
        file.as_file().set_permissions(mode)?;
    }
    sync_file(file.as_file())?;
    crash::point("file-prepared");
    Ok(Prepared { file, path: path.to_owned() })
}

impl Prepared {
    /// Gives it its name: on an error the old content still has it. Needs no room on the disk any more. Whoever calls
    /// it flushes the folder, which is a step of its own: that it fails does not take the name back.
    pub fn put(self) -> io::Result<()> {
        persist(self.file, &self.path)?;
        crash::point("file-replaced");
        Ok(())
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new("."))
}

/// Moves a finished temporary file over its name. On Windows a virus scanner may hold the target for a moment.
fn persist(mut file: tempfile::NamedTempFile, path: &Path) -> io::Result<()> {
    crash::operation()?;
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
    crash::operation()?;
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

/// Makes temporary files or folders with this mode, of which the umask takes its part; their own default is for
/// secrets.
#[cfg(unix)]
pub fn ordinary(mode: u32) -> tempfile::Builder<'static, 'static> {
    use std::os::unix::fs::PermissionsExt;
    let mut builder = tempfile::Builder::new();
    builder.permissions(fs::Permissions::from_mode(mode));
    builder
}

/// Makes temporary files or folders, which inherit their folder's rights.
#[cfg(not(unix))]
pub fn ordinary(_: u32) -> tempfile::Builder<'static, 'static> {
    tempfile::Builder::new()
}

/// Makes what was created, renamed or removed in a folder survive a power cut.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(windows) {
        // Windows has no handle on a folder to flush; its renames are journalled.
        return Ok(());
    }
    match sync_file(&File::open(folder)?) {
        // Some network and shared folders know no flushing of folders; then this is as durable as it gets.
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => Ok(()),
        done => done,
    }
}

/// Makes what was written to a file survive a power cut. A test that only kills processes can do without the wait.
pub fn sync_file(file: &File) -> io::Result<()> {
    crash::operation()?;
    if crash::pretends("no-power-cuts") { Ok(()) } else { file.sync_all() }
}

/// How many files or folders are synced at the same time.
const SYNCS_AT_ONCE: usize = 8;

/// The same for many: a disk makes one write of what is asked of it at the same time.
pub fn sync_all<T: Sync>(all: &[T], sync: impl Fn(&T) -> io::Result<()> + Sync) -> io::Result<()> {
    threads::map_on(SYNCS_AT_ONCE, all, sync).into_iter().collect()
}

/// Exchanges two folders in one step. `Ok(false)` where the system or the file system cannot.
#[cfg(any(target_os = "linux", target_os = "macos"))]
pub fn exchange(a: &Path, b: &Path) -> io::Result<bool> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    crash::operation()?;
    if crash::pretends("no-exchange") {
        return Ok(false);
    }
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

/// Removes a file; that it is gone already is as good.
pub fn remove_if_there(path: &Path) -> io::Result<()> {
    crash::operation()?;
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

/// The first name of `path` + `suffix`, `path` + `suffix` + `.1` and so on that nothing has.
pub fn free_name(path: &Path, suffix: &str) -> PathBuf {
    let mut base = path.as_os_str().to_owned();
    base.push(suffix);
    let numbered = (1..).map(|n| {
        let mut name = base.clone();
        name.push(format!(".{n}"));
        PathBuf::from(name)
    });
    let mut names = std::iter::once(PathBuf::from(&base)).chain(numbered);
    names.find(|name| !exists(name)).unwrap_or_else(|| unreachable!("one of endless names is free"))
}

/// Whether a file could not be opened because too many are open already, which says nothing about the file.
#[cfg(unix)]
pub fn is_of_this_process(error: &io::Error) -> bool {
    use rustix::io::Errno;
    matches!(Errno::from_io_error(error), Some(Errno::MFILE | Errno::NFILE))
}

/// Never: Windows knows no such limit.
#[cfg(not(unix))]
pub fn is_of_this_process(_: &io::Error) -> bool {
    false
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
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
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
