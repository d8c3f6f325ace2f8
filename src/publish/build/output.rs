use crate::catalog::MANIFEST;
use crate::disk::{OpenFolder, read_plain};
use crate::inspect::{PackageFolder, unreadable};
use crate::types::{Code, Failure};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// What the names of everything begin with that is not yet, or not any more, in its place.
const STAGING: &str = ".rulepack-build-";
/// The file in a staging folder whose lock shows that its build lives.
const LOCK: &str = "lock";

/// What is built, before it is where it belongs: nothing is replaced until all of it is there, and then each file at
/// once.
pub struct Output {
    out: PathBuf,
    /// Before the folder it lies in, which it would keep from being removed on some systems.
    _lock: File,
    staged: TempDir,
    /// Paths from `out`, in the order they were put: what refers to others comes after them.
    files: Vec<String>,
    /// Paths from `out` of what is no part of the catalog any more.
    stale: Vec<String>,
    /// The packages whose manifests are to say something else, each with that.
    sources: Vec<(PackageFolder, Vec<u8>)>,
    unchanged: usize,
}

/// What became of the files of an [`Output`].
#[derive(Debug, Default)]
pub struct Published {
    pub written: Vec<String>,
    pub removed: Vec<String>,
    pub unchanged: usize,
}

impl Output {
    pub fn new(out: &Path) -> Result<Self, Failure> {
        fs::create_dir_all(out).map_err(|error| failed(out, &error))?;
        sweep(out);
        let staged = tempfile::Builder::new().prefix(STAGING).tempdir_in(out);
        let staged = staged.map_err(|error| failed(out, &error))?;
        let lock = held(staged.path()).map_err(|error| failed(staged.path(), &error))?;
        let (files, stale, sources) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Output { out: out.to_owned(), _lock: lock, staged, files, stale, sources, unchanged: 0 })
    }

    /// One file of the catalog, by its path from the catalog's folder.
    pub fn put(&mut self, path: &str, bytes: &[u8]) -> Result<(), Failure> {
        self.stage(path, bytes)?;
        self.files.push(path.to_owned());
        Ok(())
    }

    /// A file that is part of the catalog and stays as it is, if it is there.
    pub fn keep(&mut self, path: &str) -> Result<(), Failure> {
        let place = self.out.join(path);
        match read_plain(&place) {
            Ok(bytes) => self.stage(path, &bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(unreadable(&place, &error)),
        }
    }

    /// A file that is no part of the catalog any more.
    pub fn remove(&mut self, path: String) {
        self.stale.push(path);
    }

    fn stage(&self, path: &str, bytes: &[u8]) -> Result<(), Failure> {
        let place = self.staged.path().join(path);
        if let Some(folder) = place.parent() {
            fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
        }
        fs::write(&place, bytes).map_err(|error| failed(&place, &error))
    }

    /// What the manifest of a source is to say.
    pub fn put_source(&mut self, package: &PackageFolder, manifest: &[u8]) -> Result<(), Failure> {
        let folder = package.open()?;
        sweep_files(&folder);
        let is_so = folder.read_up_to(MANIFEST, manifest.len() as u64 + 1).is_ok_and(|kept| kept == manifest);
        if is_so {
            self.unchanged += 1;
        } else {
            self.sources.push((package.clone(), manifest.to_owned()));
        }
        Ok(())
    }

    /// Where all of it lies until it is published, to be looked at.
    pub fn staged(&self) -> &Path {
        self.staged.path()
    }

    /// Puts everything in its place.
    pub fn publish(self) -> Result<Published, Failure> {
        let Output { out, staged, files, stale, sources, unchanged, _lock } = self;
        let mut published = Published { unchanged, ..Published::default() };
        let sources: Vec<_> =
            sources.iter().map(|(package, bytes)| Replacement::of(package, bytes)).collect::<Result<_, _>>()?;
        for path in files {
            let (from, to) = (staged.path().join(&path), out.join(&path));
            let bytes = fs::read(&from).map_err(|error| failed(&from, &error))?;
            if is(&to, &bytes) {
                published.unchanged += 1;
                continue;
            }
            if let Some(folder) = to.parent() {
                fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
            }
            fs::rename(&from, &to).map_err(|error| failed(&to, &error))?;
            published.written.push(path);
        }
        for path in stale {
            let place = out.join(&path);
            fs::remove_file(&place).map_err(|error| failed(&place, &error))?;
            // Whatever else lies there is not ours.
            let _ = place.parent().map(fs::remove_dir);
            published.removed.push(path);
        }
        for source in sources {
            published.written.push(source.take_place()?);
        }
        Ok(published)
    }
}

/// What takes the place of a package's manifest, beside it. Whatever became of the folder's path, it is that folder.
struct Replacement {
    /// The manifest, as its author knows it.
    name: PathBuf,
    folder: OpenFolder,
    /// The name it has until it is in place.
    staged: Option<String>,
    /// Locked, so that no other build takes it for left over.
    file: File,
}

impl Replacement {
    fn of(package: &PackageFolder, bytes: &[u8]) -> Result<Self, Failure> {
        let name = package.path().join(MANIFEST);
        let folder = package.open()?;
        let (staged, file) = new_file(&folder).map_err(|error| failed(&name, &error))?;
        let mut new = Replacement { name, folder, staged: Some(staged), file };
        new.fill(bytes).map_err(|error| failed(&new.name, &error))?;
        Ok(new)
    }

    fn fill(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.lock()?;
        self.file.write_all(bytes)?;
        keep_mode(&self.folder.file(MANIFEST)?, &self.file)
    }

    fn take_place(mut self) -> Result<String, Failure> {
        if let Some(staged) = &self.staged {
            self.folder.rename(staged, &self.folder, MANIFEST).map_err(|error| failed(&self.name, &error))?;
        }
        self.staged = None;
        Ok(self.name.display().to_string())
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        // What stays is swept by the next build.
        let _ = self.staged.take().map(|staged| self.folder.remove(staged));
    }
}

/// A file of a name that nothing had.
fn new_file(folder: &OpenFolder) -> io::Result<(String, File)> {
    let mut number = 0;
    loop {
        let name = format!("{STAGING}{}-{number}", std::process::id());
        match folder.create(&name) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            made => return Ok((name, made?)),
        }
    }
}

/// The lock of a new staging folder. It gets its name when it is held, so that nobody sweeps the folder before that.
fn held(folder: &Path) -> io::Result<File> {
    let unnamed = folder.join("unnamed");
    let lock = File::create(&unnamed)?;
    lock.lock()?;
    fs::rename(unnamed, folder.join(LOCK))?;
    Ok(lock)
}

/// Removes what killed builds left in the folder of a catalog. What a living one works on is locked, and left.
fn sweep(out: &Path) {
    let Ok(folder) = OpenFolder::open(out) else { return };
    sweep_files(&folder);
    for name in left_over(&folder) {
        let is_left = folder.file(Path::new(&name).join(LOCK)).is_ok_and(|lock| lock.try_lock().is_ok());
        if is_left {
            // One that cannot be removed is no reason not to build.
            let _ = fs::remove_dir_all(out.join(name));
        }
    }
}

/// The same of single files.
fn sweep_files(folder: &OpenFolder) {
    for name in left_over(folder) {
        if folder.file(&name).is_ok_and(|file| file.try_lock().is_ok()) {
            let _ = folder.remove(name);
        }
    }
}

fn left_over(folder: &OpenFolder) -> Vec<String> {
    let names = folder.names().unwrap_or_default().into_iter().filter_map(|name| name.into_string().ok());
    names.filter(|name| name.starts_with(STAGING)).collect()
}

fn is(path: &Path, bytes: &[u8]) -> bool {
    read_plain(path).is_ok_and(|kept| kept == bytes)
}

/// A new file is for its owner alone; what takes a file's place is for those that file was for.
fn keep_mode(kept: &File, staged: &File) -> io::Result<()> {
    let (kept, own) = (kept.metadata()?.permissions(), staged.metadata()?.permissions());
    if kept == own { Ok(()) } else { staged.set_permissions(kept) }
}

fn failed(path: &Path, error: &io::Error) -> Failure {
    Failure::new(Code::of_io(error), format!("cannot write {}: {error}", path.display()))
}
