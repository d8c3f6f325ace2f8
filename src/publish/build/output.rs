use crate::types::{Code, Failure};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, TempDir};

/// What is built, before it is where it belongs: nothing is replaced until all of it is there, and then each file at once.
pub struct Output {
    out: PathBuf,
    staged: TempDir,
    /// Paths from `out`, in the order they were put: what refers to others comes after them.
    files: Vec<String>,
    /// Files outside `out`, each beside the text it gets.
    sources: Vec<(PathBuf, NamedTempFile)>,
    unchanged: usize,
}

impl Output {
    pub fn new(out: &Path) -> Result<Self, Failure> {
        fs::create_dir_all(out).map_err(|error| failed(out, &error))?;
        let staged = tempfile::Builder::new().prefix(".rulepack-build-").tempdir_in(out);
        let staged = staged.map_err(|error| failed(out, &error))?;
        Ok(Output { out: out.to_owned(), staged, files: Vec::new(), sources: Vec::new(), unchanged: 0 })
    }

    /// One file of the catalog, by its path from the catalog's folder.
    pub fn put(&mut self, path: &str, bytes: &[u8]) -> Result<(), Failure> {
        let place = self.staged.path().join(path);
        if let Some(folder) = place.parent() {
            fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
        }
        fs::write(&place, bytes).map_err(|error| failed(&place, &error))?;
        self.files.push(path.to_owned());
        Ok(())
    }

    /// A file of the sources that is to read otherwise.
    pub fn put_source(&mut self, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        if is(path, bytes) {
            self.unchanged += 1;
            return Ok(());
        }
        let folder = path.parent().unwrap_or(Path::new("."));
        let staged = NamedTempFile::new_in(folder).and_then(|mut file| {
            file.write_all(bytes)?;
            keep_mode(path, file.as_file())?;
            Ok(file)
        });
        self.sources.push((path.to_owned(), staged.map_err(|error| failed(path, &error))?));
        Ok(())
    }

    /// Where all of it lies until it is published, to be looked at.
    pub fn staged(&self) -> &Path {
        self.staged.path()
    }

    /// Puts everything in its place. Gives the files that changed and the number of those that did not.
    pub fn publish(self) -> Result<(Vec<String>, usize), Failure> {
        let Output { out, staged, files, sources, mut unchanged } = self;
        let mut written = Vec::new();
        for path in files {
            let (from, to) = (staged.path().join(&path), out.join(&path));
            let bytes = fs::read(&from).map_err(|error| failed(&from, &error))?;
            if is(&to, &bytes) {
                unchanged += 1;
                continue;
            }
            if let Some(folder) = to.parent() {
                fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
            }
            fs::rename(&from, &to).map_err(|error| failed(&to, &error))?;
            written.push(path);
        }
        for (path, staged) in sources {
            staged.persist(&path).map_err(|error| failed(&path, &error.error))?;
            written.push(path.display().to_string());
        }
        Ok((written, unchanged))
    }
}

fn is(path: &Path, bytes: &[u8]) -> bool {
    fs::read(path).is_ok_and(|kept| kept == bytes)
}

/// A temporary file is for its owner alone; what takes a file's place is for those that file was for.
fn keep_mode(path: &Path, staged: &fs::File) -> std::io::Result<()> {
    staged.set_permissions(fs::metadata(path)?.permissions())
}

fn failed(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(Code::of_io(error), format!("{} cannot be written: {error}", path.display()))
}
