//! Files as they lie there, read once and no further than they can be of use.

use crate::catalog::MAX_PACK;
use crate::types::{Cancel, Code, Failure, is_stream, open_plain, read_plain_up_to};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// The most bytes read of a text: no ruleset, catalog file, manifest or language pack is larger.
pub(super) const MAX_TEXT: u64 = MAX_PACK.0;

/// How often a wait for a pipe looks whether the reader has asked to stop.
const LOOK: Duration = Duration::from_millis(50);

/// The bytes of a text, and one more of what is too large to be one.
pub(super) fn text(path: &Path) -> Result<Vec<u8>, Failure> {
    plain(path, MAX_TEXT + 1)
}

/// The bytes of a plain file, at most so many.
pub(super) fn plain(path: &Path, most: u64) -> Result<Vec<u8>, Failure> {
    read_plain_up_to(path, most).map_err(|error| failure(path, &error))
}

/// The same, of a file that need not be there.
pub(super) fn text_if_there(path: &Path) -> Result<Option<Vec<u8>>, Failure> {
    match text(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(failure) if failure.code == Code::FileNotFound => Ok(None),
        Err(failure) => Err(failure),
    }
}

/// The bytes of what an argument names, at most so many. It may be a pipe: `--against <(git show v1:ruleset.json)`.
pub fn named(path: &Path, most: u64, cancel: &Cancel) -> Result<Vec<u8>, Failure> {
    if !is_stream(path) {
        return plain(path, most);
    }
    let opened = path.to_owned();
    stream(path, move || File::open(opened), most, cancel)
}

/// The same, of a text.
pub(super) fn named_text(path: &Path, cancel: &Cancel) -> Result<Vec<u8>, Failure> {
    named(path, MAX_TEXT + 1, cancel)
}

/// The bytes of what may never begin and never end. Neither opening nor reading it can be called off, so both are left
/// to a thread that nobody waits for once the reader has asked to stop.
fn stream<R: Read>(
    path: &Path,
    open: impl FnOnce() -> io::Result<R> + Send + 'static,
    most: u64,
    cancel: &Cancel,
) -> Result<Vec<u8>, Failure> {
    let (done, waiting) = mpsc::channel();
    // Whoever stopped waiting has no use for the bytes.
    thread::spawn(move || drop(done.send(open().and_then(|from| some(from, most)))));
    loop {
        match waiting.recv_timeout(LOOK) {
            Ok(read) => return read.map_err(|error| failure(path, &error)),
            Err(RecvTimeoutError::Timeout) if !cancel.is_asked() => {}
            Err(_) => return Err(Failure::new(Code::Interrupted, "interrupted")),
        }
    }
}

/// What stdin is called where a file's path would stand.
pub const STDIN: &str = "<stdin>";

/// The bytes of stdin, at most so many.
pub fn stdin(most: u64, cancel: &Cancel) -> Result<Vec<u8>, Failure> {
    stream(Path::new(STDIN), || Ok(io::stdin()), most, cancel)
}

/// A plain file, open.
pub(super) fn open(path: &Path) -> Result<File, Failure> {
    open_plain(path).map_err(|error| failure(path, &error))
}

pub(super) fn some(from: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The names of the JSON files in a folder, sorted, hidden ones left out; none where there is no such folder.
pub(super) fn json_files(folder: &Path) -> Result<Vec<String>, Failure> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if is_missing(&error) => return Ok(Vec::new()),
        Err(error) => return Err(failure(folder, &error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let name = entry.map_err(|error| failure(folder, &error))?.file_name();
        // A name that is no text is no name a package could have; what begins with a dot some system or editor left there.
        names.extend(name.into_string().ok().filter(|name| name.ends_with(".json") && !name.starts_with('.')));
    }
    names.sort();
    Ok(names)
}

/// Why a file cannot be read.
pub fn failure(path: &Path, error: &io::Error) -> Failure {
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
