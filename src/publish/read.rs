//! Files as they lie there, read once and no further than they can be of use.

use crate::catalog::MAX_PACK;
use crate::types::{Code, Failure};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The most bytes read of a text: no ruleset, catalog file, manifest or language pack is larger.
pub(super) const MAX_TEXT: u64 = MAX_PACK.0;

/// The bytes of a text, and one more of what is too large to be one.
pub(super) fn text(path: &Path) -> Result<Vec<u8>, Failure> {
    open(path).and_then(|file| some(&file, MAX_TEXT + 1)).map_err(|error| failure(path, &error))
}

/// The same, of a file that need not be there.
pub(super) fn text_if_there(path: &Path) -> Result<Option<Vec<u8>>, Failure> {
    match text(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(failure) if failure.code == Code::FileNotFound => Ok(None),
        Err(failure) => Err(failure),
    }
}

pub(super) fn open(path: &Path) -> io::Result<File> {
    File::open(path)
}

pub(super) fn some(from: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The names of the JSON files in a folder, sorted; none where there is no such folder.
pub(super) fn json_files(folder: &Path) -> Result<Vec<String>, Failure> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if is_missing(&error) => return Ok(Vec::new()),
        Err(error) => return Err(failure(folder, &error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let name = entry.map_err(|error| failure(folder, &error))?.file_name();
        // A name that is no text is no name a package could have.
        names.extend(name.into_string().ok().filter(|name| name.ends_with(".json")));
    }
    names.sort();
    Ok(names)
}

pub(super) fn failure(path: &Path, error: &io::Error) -> Failure {
    let path = path.display();
    if is_missing(error) {
        return Failure::new(Code::FileNotFound, format!("there is no `{path}`"))
            .hint("relative paths begin at the current folder");
    }
    Failure::new(Code::of_io(error), format!("`{path}` cannot be read: {error}"))
}

fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}
