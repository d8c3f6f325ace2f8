//! Folders of work in progress: held by the process that made them, swept by the next writer once it is gone.

use super::change::{AddPack, Transaction, VersionPlacement};
use super::limits::STAGING_PREFIX;
use super::own_file::OwnFile;
use super::state::KeptPack;
use super::{Layout, StoreError, files, lock, record};
use crate::catalog::{MANIFEST, Manifest};
use crate::crash;
use crate::disk::{Verified, open_plain_nofollow_with};
use crate::package::{self, Contents, Sink};
use crate::types::{Cancel, Expected, Failure, Language, SafePath};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// The file in a staging folder whose lock tells that its process is alive.
pub(super) const HOLD: &str = "hold";

/// A folder of this process's own, beside the version folders so that moving out of it is one rename.
#[derive(Debug)]
pub struct Staging {
    path: PathBuf,
    /// The file that tells of a change in the making, which may name what lies here.
    intent: PathBuf,
    /// The folders above that were not there before, innermost first: they go again if nothing comes of the work.
    new_parents: Vec<PathBuf>,
    made: std::cell::Cell<usize>,
    /// Held open: its lock is what keeps others from sweeping the folder.
    _hold: File,
}

impl Staging {
    pub fn make(layout: &Layout) -> Result<Self, StoreError> {
        layout.refuse_link()?;
        let packages = layout.packages();
        let new_parents = not_there(packages).map_err(StoreError::io("look at", packages))?;
        loop {
            let make = || files::ordinary(0o777).prefix(STAGING_PREFIX).tempdir_in(packages);
            let folder =
                files::in_folder(packages, make).map_err(StoreError::io("make a staging folder in", packages))?;
            crash::point("staging-made");
            match hold(folder.path()) {
                Ok(Some(hold)) => {
                    let (path, intent) = (folder.keep(), layout.intent());
                    return Ok(Staging { path, intent, new_parents, made: Default::default(), _hold: hold });
                }
                // A sweeper came between making and holding it: make another.
                Ok(None) => {}
                Err(error) => return Err(StoreError::no_lock(folder.path())(error)),
            }
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A name for something to stage, never used before in this folder.
    fn fresh(&self) -> PathBuf {
        let n = self.made.get();
        self.made.set(n + 1);
        self.path.join(format!("{n}"))
    }

    /// Whether an unfinished change names what lies here, which may then be the only copy of what was there before.
    /// Where the disk does not say it does.
    fn is_named(&self) -> bool {
        let name = self.path.file_name().unwrap_or_default().as_encoded_bytes();
        let names = |intent: &[u8]| intent.windows(name.len()).any(|window| window == name);
        match files::metadata(&self.intent) {
            Ok(Some(there)) if there.is_file() => {
                record::read(&self.intent).map_or(true, |intent| intent.is_some_and(|intent| names(&intent)))
            }
            Ok(_) => false,
            Err(_) => true,
        }
    }

    /// Something in it as an intent names it: relative to the packages folder.
    fn name_of(&self, path: &Path) -> String {
        let below = path.strip_prefix(self.path.parent().unwrap_or(&self.path)).unwrap_or(path);
        below.to_string_lossy().replace('\\', "/")
    }

    fn draft(&self) -> Result<Draft, StoreError> {
        let root = self.fresh();
        fs::create_dir(&root).map_err(StoreError::io("make", &root))?;
        crash::point("unpacking");
        let staged = StagedVersion { path: self.name_of(&root), files: Vec::new() };
        Ok(Draft { sink: Some(FolderSink::new(&root)), root, staged })
    }

    /// Unpacks an artifact, each of its files held against the manifest. The draft is a version once what is in it has
    /// been judged and it is finished.
    ///
    /// # Errors
    /// What is wrong with the artifact (docs/spec/commands.md#artifacts), and what the disk says.
    pub fn unpack(
        &self,
        artifact: Verified<File>,
        manifest: &Manifest,
        cancel: &Cancel,
    ) -> Result<(Draft, Contents), Failure> {
        let mut draft = self.draft()?;
        let contents = package::unpack(artifact.into_inner(), manifest, draft.sink(), cancel)?;
        draft.sink().put(MANIFEST, &contents.wrapping.manifest_json).map_err(StoreError::io("write", &draft.root))?;
        let declared = manifest.files.iter().map(|file| OwnFile::new(file.path.as_str(), file.expected));
        let stored = OwnFile::new(MANIFEST, Expected::of(&contents.wrapping.manifest_json));
        draft.staged.files = declared.chain([stored]).collect();
        Ok((draft, contents))
    }

    /// Stages a version of files that are at hand.
    ///
    /// # Errors
    /// What the disk says.
    pub fn version<'a>(
        &self,
        files: impl IntoIterator<Item = (&'a SafePath, &'a Verified<Vec<u8>>)>,
    ) -> Result<StagedVersion, StoreError> {
        let mut draft = self.draft()?;
        for (path, bytes) in files {
            let sink = draft.sink();
            let written = sink.begin(path).and_then(|()| sink.write(bytes.get())).and_then(|()| sink.end());
            written.map_err(StoreError::io("write", &draft.root))?;
            draft.staged.files.push(OwnFile::new(path.as_str(), bytes.expected()));
        }
        draft.finish()
    }

    /// Stages a language pack, on the disk when this returns.
    ///
    /// # Errors
    /// What the disk says.
    pub fn pack(&self, language: &Language, bytes: &Verified<Vec<u8>>) -> Result<AddPack, StoreError> {
        let path = self.fresh();
        write_new(&path, bytes.get()).map_err(StoreError::io("write", &path))?;
        crash::point("pack-staged");
        let pack = KeptPack { language: language.clone(), file: bytes.expected() };
        Ok(AddPack { pack, staged: self.name_of(&path) })
    }
}

/// A version folder made of verified bytes and whole on the disk: of nothing else a [`VersionPlacement`] is made.
#[derive(Clone, Debug)]
pub struct StagedVersion {
    /// Relative to the packages folder.
    pub(super) path: String,
    pub(super) files: Vec<OwnFile>,
}

impl StagedVersion {
    /// All it holds, and what each file must be.
    pub fn files(&self) -> &[OwnFile] {
        &self.files
    }

    /// The same put in its place as a version's folder. `replaced` is what rulepack or the engine had put into the
    /// folder it replaces.
    pub fn place(self, version: impl ToString, replaced: Vec<OwnFile>) -> VersionPlacement {
        VersionPlacement { version: version.to_string(), staged: self.path, files: self.files, replaced }
    }

    /// The `manifest.json` in it.
    pub fn manifest(&self) -> Option<Expected> {
        self.files.iter().find(|file| file.path == MANIFEST)?.expected
    }
}

/// A version folder in the making. It goes again unless it is finished, which frees its room early.
#[derive(Debug)]
pub struct Draft {
    root: PathBuf,
    /// Taken when it is finished.
    sink: Option<FolderSink>,
    staged: StagedVersion,
}

impl Draft {
    fn sink(&mut self) -> &mut FolderSink {
        self.sink.as_mut().unwrap_or_else(|| unreachable!("only finishing takes it, and the draft with it"))
    }

    /// Makes everything in it durable.
    ///
    /// # Errors
    /// What the disk says.
    pub fn finish(mut self) -> Result<StagedVersion, StoreError> {
        self.sink().finish().map_err(StoreError::io("write", &self.root))?;
        self.sink = None;
        Ok(self.staged.clone())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if self.sink.is_some() {
            let _ = fs::remove_dir_all(&self.root);
        }
    }
}

impl Drop for Staging {
    /// A courtesy: what is left behind all the same, the next writer sweeps. While a change is unfinished it is left to
    /// whoever finishes that.
    fn drop(&mut self) {
        if self.is_named() {
            return;
        }
        let _ = fs::remove_dir_all(&self.path);
        // Refused where anything is in them by now.
        let _ = self.new_parents.iter().try_for_each(fs::remove_dir);
    }
}

/// Makes the names of what a change has staged survive a power cut, which comes before the intent that tells of them.
pub(super) fn sync_names(layout: &Layout, transaction: &Transaction) -> Result<(), StoreError> {
    let folders: BTreeSet<PathBuf> =
        transaction.staged().filter_map(|staged| Some(layout.packages().join(staged).parent()?.to_owned())).collect();
    for folder in folders.iter().map(PathBuf::as_path).chain([layout.packages()]) {
        files::sync_folder(folder).map_err(StoreError::io("flush", folder))?;
    }
    Ok(())
}

/// A folder that is not there, and those above it that are not, innermost first.
fn not_there(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut missing = Vec::new();
    for folder in folder.ancestors().filter(|folder| !folder.as_os_str().is_empty()) {
        if files::exists(folder)? {
            break;
        }
        missing.push(folder.to_owned());
    }
    Ok(missing)
}

/// Makes and locks the hold file; `None` when the folder was swept meanwhile.
fn hold(folder: &Path) -> io::Result<Option<File>> {
    let path = folder.join(HOLD);
    let file = match File::options().read(true).write(true).create_new(true).open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    if !lock::try_lock(&file)? {
        return Ok(None);
    }
    // Locked, but perhaps only after a sweeper had removed the name.
    Ok(files::exists(&path)?.then_some(file))
}

/// Writes a file that is not there yet, durably.
fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::options().write(true).create_new(true).open(path)?;
    file.write_all(bytes)?;
    files::sync_file(&file)
}

/// Removes the staging folders whose process is gone. Runs under the store lock and after any intent is settled, since
/// an intent names what lies in a dead run's staging folder; while one is there, or the disk does not say, nothing is
/// removed.
pub(super) fn sweep(layout: &Layout) {
    if may_be_begun(&layout.intent()) {
        return;
    }
    for path in leftovers(layout).unwrap_or_default() {
        // What cannot be looked at or removed now is left to the next run.
        let _ = sweep_one(&path);
    }
}

/// Whether a change may be unfinished, which it may where the disk does not say. A folder tells of none.
fn may_be_begun(intent: &Path) -> bool {
    files::metadata(intent).map_or(true, |there| there.is_some_and(|there| !there.is_dir()))
}

fn sweep_one(path: &Path) -> io::Result<()> {
    // A link is removed as a link.
    if !files::is_real_folder(path)? {
        return files::remove_if_there(path);
    }
    match look_at_hold(path)? {
        Hold::Held => Ok(()),
        Hold::Free(_hold) => fs::remove_dir_all(path),
        // Its maker may be about to create the hold file: only an empty folder is taken away then, which the
        // maker notices. A folder with content and no hold file is a half-swept one.
        Hold::Missing => match fs::remove_dir(path) {
            Err(error) if is_not_empty(&error) && !files::exists(&path.join(HOLD))? => fs::remove_dir_all(path),
            removed => removed,
        },
    }
}

fn is_not_empty(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::DirectoryNotEmpty | io::ErrorKind::AlreadyExists)
}

/// What the hold file of a staging folder says of its process.
enum Hold {
    Held,
    /// Its process is gone; locked by us as long as this is there.
    Free(#[allow(dead_code)] File),
    Missing,
}

fn look_at_hold(folder: &Path) -> io::Result<Hold> {
    // Not a folder is a file that was to get its name.
    if !files::is_real_folder(folder)? {
        return Ok(Hold::Missing);
    }
    let options = &mut File::options();
    match files::patiently(|| open_plain_nofollow_with(options.read(true).write(true), &folder.join(HOLD))) {
        Ok(hold) if lock::try_lock(&hold)? => Ok(Hold::Free(hold)),
        Ok(_) => Ok(Hold::Held),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Hold::Missing),
        Err(error) => Err(error),
    }
}

/// Every staging folder there is, held or not.
pub(super) fn leftovers(layout: &Layout) -> io::Result<Vec<PathBuf>> {
    let Some(packages) = layout.open(layout.packages())? else { return Ok(Vec::new()) };
    let names = packages.entries()?.into_iter().map(|(name, _)| name);
    let staging = names.filter(|name| name.to_str().is_some_and(|name| name.starts_with(STAGING_PREFIX)));
    Ok(staging.map(|name| layout.packages().join(name)).collect())
}

/// Whether the process that made this staging folder is gone, for certain.
pub(super) fn is_dead(folder: &Path) -> bool {
    matches!(look_at_hold(folder), Ok(Hold::Free(_) | Hold::Missing))
}

/// Writes the files of a version into a staged folder, as `package::unpack` delivers them.
#[derive(Debug)]
struct FolderSink {
    root: PathBuf,
    folders: BTreeSet<PathBuf>,
    open: Option<BufWriter<File>>,
    /// Written and not yet synced.
    written: Vec<File>,
    /// How many of them are kept open, to be synced together.
    most_open: usize,
}

impl FolderSink {
    /// Writes below `root`, which is there and empty.
    fn new(root: &Path) -> Self {
        FolderSink {
            root: root.to_owned(),
            folders: BTreeSet::from([root.to_owned()]),
            open: None,
            written: Vec::new(),
            most_open: files::most_open(),
        }
    }

    /// Writes a whole file beside those that are unpacked.
    fn put(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let mut file = self.make_file(&self.root.join(name))?;
        file.write_all(bytes)?;
        self.written.push(file);
        Ok(())
    }

    /// Makes everything written durable, folders included.
    fn finish(&mut self) -> io::Result<()> {
        self.sync_written()?;
        let folders: Vec<PathBuf> = self.folders.iter().cloned().collect();
        files::sync_all(&folders, |folder| files::sync_folder(folder))?;
        crash::point("version-staged");
        Ok(())
    }

    fn sync_written(&mut self) -> io::Result<()> {
        files::sync_all(&std::mem::take(&mut self.written), files::sync_file)
    }

    /// Makes a file that is not there. Where too many are open, those written so far are done with first.
    fn make_file(&mut self, path: &Path) -> io::Result<File> {
        let make = || File::options().write(true).create_new(true).open(path);
        match make() {
            Err(error) if files::is_of_this_process(&error) => {
                self.sync_written()?;
                files::patiently(make)
            }
            made => made,
        }
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

impl Sink for FolderSink {
    fn begin(&mut self, path: &SafePath) -> io::Result<()> {
        self.make_folders(path)?;
        let file = self.make_file(&path.below(&self.root))?;
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
        if self.written.len() < self.most_open { Ok(()) } else { self.sync_written() }
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
        let draft = alive.draft().unwrap();
        let root = draft.root.clone();
        drop(draft);
        assert!(!root.exists(), "what is not finished goes");
        alive.draft().unwrap().finish().unwrap();
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
