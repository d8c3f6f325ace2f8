//! Bytes that lie on this machine's disk: a catalog in a folder, and its files beside it.

use super::error::{AskedFor, Because, FetchError, FileOrigin};
use super::index::{self, InvalidCatalog, MAX_CATALOG};
use super::settings::Want;
use crate::disk::{Receiving, Unverified, Verified, open_plain, read_plain_up_to};
use crate::types::{Cancel, Digester, Expected, HttpsUrl, SafePath};
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// How much is read and hashed at a time.
const CHUNK: usize = 64 << 10;

/// How much room is made at once for a file by its declared size, which may be a lie.
const MOST_AT_ONCE: usize = 8 << 20;

/// The catalog a path stands for: itself, or the one in the folder (docs/spec/commands.md#sources). Absolute.
///
/// # Errors
/// `file-not-found` with every place looked at, and what the system says otherwise.
pub fn catalog_path(path: &Path) -> Result<PathBuf, FetchError> {
    let path = std::path::absolute(path).map_err(|error| FetchError::Io { path: path.to_owned(), error })?;
    let looked = match fs::metadata(&path) {
        Ok(found) if found.is_file() => return Ok(path),
        // A pipe would be waited for without a limit, and no signal ends that wait.
        Ok(found) if !found.is_dir() => {
            let error = io::Error::new(io::ErrorKind::InvalidInput, "it is neither a regular file nor a folder");
            return Err(FetchError::Io { path, error });
        }
        Ok(_) => vec![path.join("catalog.json"), path.join("catalog").join("catalog.json")],
        // A file in the place of a folder on the way is as good as nothing.
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => vec![path],
        Err(error) => return Err(FetchError::Io { path, error }),
    };
    match looked.iter().find(|path| path.is_file()) {
        Some(found) => Ok(found.clone()),
        None => Err(FetchError::NotFound { asked_for: AskedFor::Catalog, what: "the catalog".to_owned(), looked }),
    }
}

/// The text of a catalog, or of a file beside it, that may be one.
///
/// # Errors
/// `invalid-catalog` for what no reading can make JSON of (too large, a byte order mark, a web page, not UTF-8), and
/// what the system says.
pub fn catalog_text(path: &Path) -> Result<String, FetchError> {
    let invalid = |invalid| FetchError::Catalog { place: FileOrigin::File(path.to_owned()), invalid };
    index::text(read_catalog(path)?).map_err(invalid)
}

/// The bytes of a catalog, or the first one too many to be told from.
pub(super) fn read_catalog(path: &Path) -> Result<Vec<u8>, FetchError> {
    let failed = |error| FetchError::Io { path: path.to_owned(), error };
    let body = read_plain_up_to(path, MAX_CATALOG.0 + 1).map_err(failed)?;
    if body.len() as u64 > MAX_CATALOG.0 {
        return Err(FetchError::Catalog {
            place: FileOrigin::File(path.to_owned()),
            invalid: InvalidCatalog::TooLarge,
        });
    }
    Ok(body)
}

/// Where files are looked for by name.
#[derive(Clone, Debug)]
pub enum ArtifactFolder {
    /// `artifacts/` beside the catalog in this folder, or one folder up (docs/spec/commands.md#sources).
    Beside(PathBuf),
    /// The folder of a mirror, which holds the files themselves.
    Mirror(PathBuf),
}

impl ArtifactFolder {
    /// Opens and hashes the file that an address ends in.
    ///
    /// # Errors
    /// `file-not-found` naming every place looked at; what [`Verified::file`] finds otherwise, with the advice
    /// for line ends that Git has changed.
    pub fn take(&self, want: &Want, cancel: &Cancel) -> Result<Verified<File>, FetchError> {
        let found = self.find(&file_name(&want.url)?)?;
        let file = open_plain(&found).map_err(|error| FetchError::Io { path: found.clone(), error })?;
        let again = file.try_clone().map_err(|error| FetchError::Io { path: found.clone(), error })?;
        Verified::file(file, want.expected, cancel).map_err(|why| explained(why, found, again, want.expected, cancel))
    }

    /// All the bytes of the file that an address ends in, hashed as they are read: for what is small by its declared
    /// size and looked at at once.
    ///
    /// # Errors
    /// As of [`ArtifactFolder::take`].
    pub fn read(&self, want: &Want, cancel: &Cancel) -> Result<Verified<Vec<u8>>, FetchError> {
        let found = self.find(&file_name(&want.url)?)?;
        let file = open_plain(&found).map_err(|error| FetchError::Io { path: found.clone(), error })?;
        received(&file, want.expected, cancel).map_err(|why| explained(why, found, file, want.expected, cancel))
    }

    fn find(&self, name: &SafePath) -> Result<PathBuf, FetchError> {
        let looked = self.places(name);
        match looked.iter().find(|path| path.is_file()) {
            Some(path) => Ok(path.clone()),
            None => Err(FetchError::NotFound { asked_for: AskedFor::File, what: format!("the file `{name}`"), looked }),
        }
    }

    fn places(&self, name: &SafePath) -> Vec<PathBuf> {
        let artifacts = |folder: &Path| name.below(&folder.join("artifacts"));
        match self {
            ArtifactFolder::Beside(folder) => {
                std::iter::once(folder.as_path()).chain(folder.parent()).map(artifacts).collect()
            }
            ArtifactFolder::Mirror(folder) => vec![name.below(folder)],
        }
    }
}

fn received(mut file: &File, expected: Expected, cancel: &Cancel) -> Result<Verified<Vec<u8>>, Unverified> {
    let size = usize::try_from(expected.bytes.0).unwrap_or(usize::MAX);
    if size < CHUNK {
        // One byte more, to see that it ends.
        let mut bytes = Vec::with_capacity(size + 1);
        file.take(size as u64 + 1).read_to_end(&mut bytes)?;
        return Ok(Verified::held(bytes, expected)?);
    }
    let mut receiving = Receiving::new(Vec::with_capacity(size.min(MOST_AT_ONCE)), expected);
    let mut chunk = vec![0; CHUNK];
    loop {
        if cancel.is_asked() {
            return Err(Unverified::Interrupted);
        }
        match file.read(&mut chunk)? {
            0 => return receiving.finish(),
            n => receiving.take(&chunk[..n])?,
        }
    }
}

/// What kept the file at `path` from being the expected one, with what is likely to have happened to it.
fn explained(why: Unverified, path: PathBuf, mut file: File, expected: Expected, cancel: &Cancel) -> FetchError {
    match why {
        Unverified::Mismatch(mismatch) => {
            let because = if begins_as_a_page(&mut file).unwrap_or(false) {
                Some(Because::WebPage)
            } else {
                fits_with_lf(&mut file, expected, cancel).unwrap_or(false).then_some(Because::LineEnds)
            };
            FetchError::Mismatch { place: FileOrigin::File(path), mismatch, because }
        }
        Unverified::Io(error) => FetchError::Io { path, error },
        Unverified::Interrupted => FetchError::Interrupted,
    }
}

/// Whether a web page was saved in the place of the file (B22).
fn begins_as_a_page(file: &mut File) -> io::Result<bool> {
    let mut start = [0; 64];
    file.seek(SeekFrom::Start(0))?;
    let read = file.read(&mut start)?;
    Ok(start[..read].trim_ascii_start().starts_with(b"<"))
}

/// Whether the file would be the expected one if every CRLF were LF (B10).
fn fits_with_lf(file: &mut File, expected: Expected, cancel: &Cancel) -> io::Result<bool> {
    let mut digester = Digester::new(expected);
    let mut chunk = vec![0; CHUNK];
    let mut lf = Vec::with_capacity(chunk.len() + 1);
    let mut held_cr = false;
    file.seek(SeekFrom::Start(0))?;
    loop {
        let read = if cancel.is_asked() { 0 } else { file.read(&mut chunk)? };
        lf.clear();
        for byte in &chunk[..read] {
            if held_cr && *byte != b'\n' {
                lf.push(b'\r');
            }
            held_cr = *byte == b'\r';
            if !held_cr {
                lf.push(*byte);
            }
        }
        if read == 0 && held_cr {
            lf.push(b'\r');
        }
        if digester.update(&lf).is_err() {
            return Ok(false);
        }
        if read == 0 {
            return Ok(digester.finish().is_ok());
        }
    }
}

/// The name a file is looked for by: the last part of its address, if that is a plain file name
/// (docs/spec/commands.md#sources).
pub(super) fn file_name(url: &HttpsUrl) -> Result<SafePath, FetchError> {
    let name = url.file_name().parse::<SafePath>().ok().filter(|name| name.parts().count() == 1);
    name.ok_or_else(|| FetchError::NoFileName { address: url.to_string() })
}

#[cfg(test)]
mod tests {
    use super::super::settings::Purpose;
    use super::*;
    use crate::types::{Code, Coded};

    fn take(shelf: &ArtifactFolder, name: &str, expected: Expected) -> Result<Verified<File>, FetchError> {
        let url = format!("https://example.org/artifacts/{name}").parse().unwrap();
        let want = Want {
            url,
            expected,
            label: name.to_owned(),
            package: None,
            purpose: Purpose::Artifact,
            cache_only: false,
        };
        let read = shelf.read(&want, &Cancel::default());
        let taken = shelf.take(&want, &Cancel::default());
        match (&read, &taken) {
            (Ok(read), Ok(taken)) => assert_eq!(*read.get(), *taken.read().unwrap().get()),
            (Err(read), Err(taken)) => assert_eq!(read.to_string(), taken.to_string()),
            _ => panic!("{read:?} {taken:?}"),
        }
        taken
    }

    fn write(path: &Path, bytes: &[u8]) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    #[test]
    fn a_folder_stands_for_the_catalog_in_it() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        let error = catalog_path(root).unwrap_err();
        assert_eq!(error.code(), Code::FileNotFound);
        assert!(error.to_string().contains("catalog.json") && error.to_string().contains(" and "), "{error}");
        assert_eq!(catalog_path(&root.join("none")).unwrap_err().code(), Code::FileNotFound);

        let inner = root.join("catalog").join("catalog.json");
        write(&inner, b"{}");
        assert_eq!(catalog_path(root).unwrap(), inner);
        assert_eq!(catalog_path(&inner).unwrap(), inner);
        write(&root.join("catalog.json"), b"{}");
        assert_eq!(catalog_path(root).unwrap(), root.join("catalog.json"));
    }

    #[test]
    fn files_lie_beside_the_catalog_or_one_folder_up_and_nowhere_else() {
        let dir = tempfile::tempdir().unwrap();
        let catalog = dir.path().join("catalog");
        let abc = Expected::of(b"abc");
        let beside = |file: &str| take(&ArtifactFolder::Beside(catalog.clone()), file, abc);
        write(&catalog.join("artifacts").join("a"), b"abc");
        write(&dir.path().join("artifacts").join("b"), b"abc");
        write(&catalog.join("c"), b"abc");
        assert!(beside("a").is_ok() && beside("b").is_ok());
        let error = beside("c").unwrap_err();
        assert_eq!(error.code(), Code::FileNotFound);
        assert_eq!(error.to_string().matches("artifacts").count(), 2, "{error}");

        let mirror = ArtifactFolder::Mirror(catalog.clone());
        assert!(take(&mirror, "c", abc).is_ok());
        assert!(take(&mirror, "a", abc).is_err());
    }

    #[test]
    fn line_ends_that_git_changed_are_named() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("f");
        let hint = |original: &[u8], found: &[u8]| {
            fs::write(&path, found).unwrap();
            let shelf = ArtifactFolder::Mirror(dir.path().to_owned());
            let error = take(&shelf, "f", Expected::of(original)).unwrap_err();
            assert!(matches!(error.code(), Code::SizeMismatch | Code::ChecksumMismatch));
            error.hint().filter(|hint| hint.contains(".gitattributes"))
        };
        assert!(hint(b"{\n}\n", b"{\r\n}\r\n").is_some());
        assert!(hint(b"a\rb\n\r", b"a\rb\r\n\r").is_some());
        assert!(hint(b"{\n}\n", b"{\r\n}\r\n ").is_none());
        assert!(hint(b"abc", b"abd").is_none());
        let line = [b"x".repeat(65_535), b"\n".to_vec()].concat();
        let changed = [b"x".repeat(65_535), b"\r\n".to_vec()].concat();
        assert!(hint(&line.repeat(3), &changed.repeat(3)).is_some());
    }

    #[test]
    fn a_page_in_the_place_of_a_file_is_named() {
        let dir = tempfile::tempdir().unwrap();
        write(&dir.path().join("f"), b"\n <!DOCTYPE html>\n");
        let error = take(&ArtifactFolder::Mirror(dir.path().to_owned()), "f", Expected::of(b"{}")).unwrap_err();
        assert!(error.to_string().contains("HTML"), "{error}");
    }

    #[test]
    fn a_catalog_too_large_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("catalog.json");
        File::create(&path).unwrap().set_len(MAX_CATALOG.0 + 1).unwrap();
        let error = read_catalog(&path).unwrap_err();
        assert_eq!(error.code(), Code::InvalidCatalog);
        assert!(error.to_string().contains("32.0 MiB"), "{error}");
    }
}
