use crate::publish::unreadable;
use crate::types::{Code, Failure, read_plain};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, TempDir};

/// What the names of everything begin with that is not yet, or not any more, in its place.
const STAGING: &str = ".rulepack-build-";
/// The file in a staging folder whose lock shows that its build lives.
const LOCK: &str = "lock";

/// What is built, before it is where it belongs: nothing is replaced until all of it is there, and then each file at once.
pub struct Output {
    out: PathBuf,
    /// Before the folder it lies in, which it would keep from being removed on some systems.
    _lock: File,
    staged: TempDir,
    /// Paths from `out`, in the order they were put: what refers to others comes after them.
    files: Vec<String>,
    /// Paths from `out` of what is no part of the catalog any more.
    stale: Vec<String>,
    /// Files outside `out`, each with what it gets.
    sources: Vec<(PathBuf, Vec<u8>)>,
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

    /// A file of the sources that is to read otherwise.
    pub fn put_source(&mut self, path: &Path, bytes: &[u8]) {
        path.parent().into_iter().for_each(sweep);
        if is(path, bytes) {
            self.unchanged += 1;
        } else {
            self.sources.push((path.to_owned(), bytes.to_owned()));
        }
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
            sources.iter().map(|(path, bytes)| Replacement::of(path, bytes)).collect::<Result<_, _>>()?;
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

/// What takes the place of a source, beside it.
struct Replacement<'a> {
    /// As its author knows it.
    name: &'a Path,
    /// Where it really lies: a link stays one.
    place: PathBuf,
    staged: NamedTempFile,
}

impl<'a> Replacement<'a> {
    fn of(name: &'a Path, bytes: &[u8]) -> Result<Self, Failure> {
        let made = || {
            let place = fs::canonicalize(name)?;
            let folder = place.parent().unwrap_or(Path::new("."));
            let mut staged = tempfile::Builder::new().prefix(STAGING).tempfile_in(folder)?;
            staged.as_file().lock()?;
            staged.write_all(bytes)?;
            keep_mode(&place, staged.as_file())?;
            Ok(Replacement { name, place, staged })
        };
        made().map_err(|error| failed(name, &error))
    }

    fn take_place(self) -> Result<String, Failure> {
        self.staged.persist(&self.place).map_err(|error| failed(self.name, &error.error))?;
        Ok(self.name.display().to_string())
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

/// Removes what killed builds left in a folder. What a living one works on is locked, and left.
fn sweep(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(STAGING)) {
        let path = entry.path();
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let lock = File::open(if is_folder { path.join(LOCK) } else { path.clone() });
        let is_left = lock.is_ok_and(|lock| lock.try_lock().is_ok());
        // One that cannot be removed is no reason not to build.
        let _ = match (is_left, is_folder) {
            (true, true) => fs::remove_dir_all(path),
            (true, false) => fs::remove_file(path),
            (false, _) => Ok(()),
        };
    }
}

fn is(path: &Path, bytes: &[u8]) -> bool {
    read_plain(path).is_ok_and(|kept| kept == bytes)
}

/// A temporary file is for its owner alone; what takes a file's place is for those that file was for.
fn keep_mode(path: &Path, staged: &File) -> io::Result<()> {
    staged.set_permissions(fs::metadata(path)?.permissions())
}

fn failed(path: &Path, error: &io::Error) -> Failure {
    Failure::new(Code::of_io(error), format!("{} cannot be written: {error}", path.display()))
}
