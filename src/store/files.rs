//! File operations that are on the disk when they return, and that never show a half-written file.

use super::limits::STAGING_PREFIX;
use crate::disk::open_plain_nofollow;
use crate::types::folded;
use crate::{crash, threads};
use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Replaces a file's content in one step: readers see the old bytes or the new ones. An existing file keeps its mode; a
/// new one follows the umask (docs/spec/commands.md#the-store).
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
    let old = metadata(path)?;
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "something else, or a link, is in its place"));
    }
    crash::operation()?;
    let mut file = ordinary(0o666).prefix(STAGING_PREFIX).tempfile_in(folder_of(path))?;
    crash::point("file-made");
    file.write_all(bytes)?;
    if let Some(old) = old {
        keep_mode(file.as_file(), &old)?;
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

/// Gives a file the mode of another. A disk that knows no modes, or lets nobody change them (Android's shared storage),
/// has given all files the same.
fn keep_mode(file: &File, old: &Metadata) -> io::Result<()> {
    if file.metadata()?.permissions() == old.permissions() {
        return Ok(());
    }
    let refused = crash::pretends("no-chmod").then(|| io::ErrorKind::PermissionDenied.into());
    match refused.map_or_else(|| file.set_permissions(old.permissions()), Err) {
        Err(error) if matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::Unsupported) => Ok(()),
        done => done,
    }
}

/// The folder that something lies in.
pub fn folder_of(path: &Path) -> &Path {
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
pub fn while_held(mut rename: impl FnMut() -> io::Result<()>) -> io::Result<()> {
    let mut patience = HELD_FILE_TRIES;
    loop {
        match rename() {
            Err(error) if patience > 0 && is_held(&error) => patience -= 1,
            done => return done,
        }
        std::thread::sleep(HELD_FILE_PAUSE);
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
    sync_folder_handle(&patiently(|| File::open(folder))?)
}

/// The same for a folder that is open.
pub fn sync_folder_handle(folder: &File) -> io::Result<()> {
    match sync_file(folder) {
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

/// How many files or folders are synced at the same time, at most.
const SYNCS_AT_ONCE: usize = 8;

/// The same for many: a disk makes one write of what is asked of it at the same time.
pub fn sync_all<T: Sync>(all: &[T], sync: impl Fn(&T) -> io::Result<()> + Sync) -> io::Result<()> {
    threads::map_on(SYNCS_AT_ONCE.min(most_open()), all, sync).into_iter().collect()
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
        // The last is what an overlay says of a folder of its lower layer.
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP | Errno::XDEV) => Ok(false),
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
        make_folders(folder)?;
        match make() {
            Err(error) if error.kind() == io::ErrorKind::NotFound && patience > 0 => patience -= 1,
            made => return made,
        }
    }
}

/// Makes a folder and those above it, each flushed into its parent.
fn make_folders(folder: &Path) -> io::Result<()> {
    let parent = folder.parent().map(|parent| if parent.as_os_str().is_empty() { Path::new(".") } else { parent });
    let mut made = fs::create_dir(folder);
    if made.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
        && let Some(parent) = parent.filter(|parent| !parent.is_dir())
    {
        make_folders(parent)?;
        made = fs::create_dir(folder);
    }
    match made {
        Ok(()) => parent.map_or(Ok(()), sync_folder),
        Err(_) if folder.is_dir() => Ok(()),
        Err(error) => Err(error),
    }
}

/// Copies a plain file to a name that nothing has, durably; its mode is what the umask makes it.
pub fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut bytes = open_plain_nofollow(from)?;
    crash::operation()?;
    let mut copy = File::options().write(true).create_new(true).open(to)?;
    io::copy(&mut bytes, &mut copy)?;
    sync_file(&copy)?;
    sync_folder(folder_of(to))
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
pub fn free_name(path: &Path, suffix: &str) -> io::Result<PathBuf> {
    let mut base = path.as_os_str().to_owned();
    base.push(suffix);
    let numbered = (1..).map(|n| {
        let mut name = base.clone();
        name.push(format!(".{n}"));
        PathBuf::from(name)
    });
    for name in std::iter::once(PathBuf::from(&base)).chain(numbered) {
        if !exists(&name)? {
            return Ok(name);
        }
    }
    unreachable!("one of endless names is free")
}

/// Whether a file could not be opened because too many are open already, which says nothing about the file.
#[cfg(unix)]
pub fn is_of_this_process(error: &io::Error) -> bool {
    use rustix::io::Errno;
    matches!(Errno::from_io_error(error), Some(Errno::MFILE | Errno::NFILE))
}

/// Whether the disk itself cannot read or write something any more, which is so tomorrow as well.
#[cfg(unix)]
pub fn is_broken(error: &io::Error) -> bool {
    use rustix::io::Errno;
    Errno::from_io_error(error) == Some(Errno::IO)
}

/// The same, by what Windows says of a bad sector or checksum.
#[cfg(not(unix))]
pub fn is_broken(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(23 | 27 | 1117))
}

/// Never: Windows knows no such limit.
#[cfg(not(unix))]
pub fn is_of_this_process(_: &io::Error) -> bool {
    false
}

/// Opens something, waiting a moment where too many files are open: others of this process are about to be closed.
pub fn patiently<T>(mut open: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    let mut patience = CROWDED_TRIES;
    loop {
        match open() {
            Err(error) if patience > 0 && is_of_this_process(&error) => patience -= 1,
            opened => return opened,
        }
        std::thread::sleep(CROWDED_PAUSE);
    }
}

const CROWDED_TRIES: u32 = 40;
const CROWDED_PAUSE: std::time::Duration = std::time::Duration::from_millis(10);

/// How many files a part of the work may keep open: less where the process may have few.
#[cfg(unix)]
pub fn most_open() -> usize {
    let most = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    most.map_or(MOST_OPEN, |most| usize::try_from(most / 8).map_or(MOST_OPEN, |most| most.clamp(1, MOST_OPEN)))
}

/// How many files a part of the work may keep open.
#[cfg(not(unix))]
pub fn most_open() -> usize {
    MOST_OPEN
}

const MOST_OPEN: usize = 64;

/// What is known of what has this name, itself and not what it leads to. `None` where nothing has, and an error where
/// the disk does not say.
pub fn metadata(path: &Path) -> io::Result<Option<Metadata>> {
    crash::question()?;
    match fs::symlink_metadata(path) {
        Ok(there) => Ok(Some(there)),
        // The second is said of what would lie below a file.
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether anything has this name, a dangling link included.
pub fn exists(path: &Path) -> io::Result<bool> {
    Ok(metadata(path)?.is_some())
}

/// By which other name a disk that does not tell letters' case, or how accents are written, found what is at this path.
pub fn other_spelling(path: &Path) -> io::Result<Option<OsString>> {
    let Some(wanted) = path.file_name() else { return Ok(None) };
    crash::question()?;
    let names: io::Result<Vec<OsString>> = fs::read_dir(folder_of(path))?.map(|entry| Ok(entry?.file_name())).collect();
    let mut names = names?;
    if names.iter().any(|name| name == wanted) {
        return Ok(None);
    }
    let fold = |name: &OsString| folded(&name.to_string_lossy());
    let spelling = fold(&wanted.to_owned());
    names.retain(|name| fold(name) == spelling);
    Ok(names.pop())
}

/// Whether this is a folder itself and no link to one.
pub fn is_real_folder(path: &Path) -> io::Result<bool> {
    Ok(metadata(path)?.is_some_and(|there| there.is_dir()))
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
