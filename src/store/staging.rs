//! Folders of work in progress: held by the process that made them, swept by the next writer once it is gone.

use super::layout::STAGING_PREFIX;
use super::{Layout, StoreError, files};
use crate::crash;
use crate::types::{SafePath, Verified};
use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// The file in a staging folder whose lock tells that its process is alive.
pub(super) const HOLD: &str = "hold";

/// A folder of this process's own, beside the version folders so that moving out of it is one rename.
#[derive(Debug)]
pub struct Staging {
    path: PathBuf,
    /// The folders above that were not there before, innermost first: they go again if nothing comes of the work.
    new_parents: Vec<PathBuf>,
    made: std::cell::Cell<usize>,
    /// Held open: its lock is what keeps others from sweeping the folder.
    _hold: File,
}

impl Staging {
    pub fn make(layout: &Layout) -> Result<Self, StoreError> {
        let packages = layout.packages();
        let new_parents = packages.ancestors().take_while(|folder| !files::exists(folder)).map(Path::to_owned);
        let new_parents: Vec<PathBuf> = new_parents.collect();
        loop {
            let make = || files::ordinary(0o777).prefix(STAGING_PREFIX).tempdir_in(packages);
            let folder =
                files::in_folder(packages, make).map_err(StoreError::io("make a staging folder in", packages))?;
            crash::point("staging-made");
            match hold(folder.path()) {
                Ok(Some(hold)) => {
                    return Ok(Staging { path: folder.keep(), new_parents, made: Default::default(), _hold: hold });
                }
                // A sweeper came between making and holding it: make another.
                Ok(None) => {}
                Err(error) => return Err(StoreError::io("hold", folder.path())(error)),
            }
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A name for something to stage, never used before in this folder.
    pub fn fresh(&self) -> PathBuf {
        let n = self.made.get();
        self.made.set(n + 1);
        self.path.join(format!("{n}"))
    }

    /// A new folder to stage a version in.
    pub fn folder(&self) -> Result<PathBuf, StoreError> {
        let path = self.fresh();
        fs::create_dir(&path).map_err(StoreError::io("make", &path))?;
        crash::point("unpacking");
        Ok(path)
    }

    /// Stages one file, on the disk when this returns.
    pub fn file(&self, bytes: &Verified<Vec<u8>>) -> Result<PathBuf, StoreError> {
        let path = self.fresh();
        write_new(&path, bytes.get()).map_err(StoreError::io("write", &path))?;
        crash::point("pack-staged");
        Ok(path)
    }
}

impl Drop for Staging {
    /// A courtesy: what is left behind all the same, the next writer sweeps.
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
        // Refused where anything is in them by now.
        let _ = self.new_parents.iter().try_for_each(fs::remove_dir);
    }
}

/// Makes and locks the hold file; `None` when the folder was swept meanwhile.
fn hold(folder: &Path) -> io::Result<Option<File>> {
    let path = folder.join(HOLD);
    let file = match File::options().read(true).write(true).create_new(true).open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(None),
        Err(TryLockError::Error(error)) => return Err(error),
    }
    // Locked, but perhaps only after a sweeper had removed the name.
    Ok(path.exists().then_some(file))
}

/// Writes a file that is not there yet, durably.
fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::options().write(true).create_new(true).open(path)?;
    file.write_all(bytes)?;
    files::sync_file(&file)
}

/// Removes the staging folders whose process is gone. Runs under the store lock and after any intent is settled,
/// since an intent names what lies in a dead run's staging folder.
pub(super) fn sweep(layout: &Layout) {
    for path in leftovers(layout) {
        // A link is removed as a link.
        if !files::is_real_folder(&path) {
            let _ = fs::remove_file(&path);
            continue;
        }
        match File::options().read(true).write(true).open(path.join(HOLD)) {
            Ok(hold) => {
                if hold.try_lock().is_ok() {
                    let _ = fs::remove_dir_all(&path);
                }
            }
            // Its maker may be about to create the hold file: only an empty folder is taken away then, which the
            // maker notices. A folder with content and no hold file is a half-swept one.
            Err(_) => {
                if fs::remove_dir(&path).is_err() && !path.join(HOLD).exists() {
                    let _ = fs::remove_dir_all(&path);
                }
            }
        }
    }
}

/// Every staging folder there is, held or not.
pub(super) fn leftovers(layout: &Layout) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(layout.packages()) else { return Vec::new() };
    let is_staging = |path: &PathBuf| {
        path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(STAGING_PREFIX))
    };
    entries.flatten().map(|entry| entry.path()).filter(is_staging).collect()
}

/// Whether the process that made this staging folder is gone.
pub(super) fn is_dead(folder: &Path) -> bool {
    match File::options().read(true).write(true).open(folder.join(HOLD)) {
        Ok(hold) => hold.try_lock().is_ok(),
        Err(_) => true,
    }
}

/// Writes the files of a version into a staged folder, as `package::unpack` delivers them.
pub struct FolderSink {
    root: PathBuf,
    folders: BTreeSet<PathBuf>,
    open: Option<BufWriter<File>>,
    /// Written and not yet synced.
    written: Vec<File>,
}

impl FolderSink {
    /// How many written files are kept open, to be synced together.
    const MOST_OPEN: usize = 64;

    /// Writes below `root`, which is there and empty.
    pub fn new(root: &Path) -> Self {
        FolderSink {
            root: root.to_owned(),
            folders: BTreeSet::from([root.to_owned()]),
            open: None,
            written: Vec::new(),
        }
    }

    /// Writes a whole file beside those that are unpacked.
    pub fn put(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let mut file = File::options().write(true).create_new(true).open(self.root.join(name))?;
        file.write_all(bytes)?;
        self.written.push(file);
        Ok(())
    }

    /// Makes everything written durable, folders included.
    pub fn finish(mut self) -> io::Result<()> {
        self.sync_written()?;
        let folders: Vec<PathBuf> = self.folders.iter().cloned().collect();
        files::sync_all(&folders, |folder| files::sync_folder(folder))?;
        crash::point("version-staged");
        Ok(())
    }

    fn sync_written(&mut self) -> io::Result<()> {
        files::sync_all(&std::mem::take(&mut self.written), files::sync_file)
    }

    fn make_folders(&mut self, path: &SafePath) -> io::Result<()> {
        let mut folder = self.root.clone();
        let parts: Vec<&str> = path.parts().collect();
        for part in &parts[..parts.len() - 1] {
            folder.push(part);
            if !self.folders.contains(&folder) {
                fs::create_dir(&folder)?;
                self.folders.insert(folder.clone());
            }
        }
        Ok(())
    }
}

impl crate::package::Sink for FolderSink {
    fn begin(&mut self, path: &SafePath) -> io::Result<()> {
        self.make_folders(path)?;
        let file = File::options().write(true).create_new(true).open(path.below(&self.root))?;
        self.open = Some(BufWriter::with_capacity(64 << 10, file));
        crash::point("unpacking-file");
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.open {
            Some(file) => file.write_all(bytes),
            None => Err(io::Error::other("no file is open")),
        }
    }

    fn end(&mut self) -> io::Result<()> {
        if let Some(file) = self.open.take() {
            self.written.push(file.into_inner().map_err(|error| error.into_error())?);
        }
        if self.written.len() < Self::MOST_OPEN { Ok(()) } else { self.sync_written() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_folders_of_the_dead_are_swept() {
        let dir = tempfile::tempdir().unwrap();
        let layout = Layout::new(dir.path());
        let alive = Staging::make(&layout).unwrap();
        alive.folder().unwrap();
        let dead = layout.packages().join(".staging-dead");
        fs::create_dir(&dead).unwrap();
        fs::write(dead.join(HOLD), "").unwrap();
        fs::write(dead.join("0"), "").unwrap();
        let half_swept = layout.packages().join(".staging-half");
        fs::create_dir_all(half_swept.join("deep")).unwrap();
        let foreign = layout.packages().join("staging-notes");
        fs::create_dir(&foreign).unwrap();
        sweep(&layout);
        assert!(alive.path().exists() && foreign.exists());
        assert!(!dead.exists() && !half_swept.exists());
        let path = alive.path().to_owned();
        drop(alive);
        assert!(!path.exists());
    }
}
