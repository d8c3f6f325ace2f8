//! Files as they lie there, read once and no further than they can be of use.

use super::failure::{failure, is_missing};
use super::unread::Unread;
use crate::catalog::MAX_PACK;
use crate::disk::{OpenFolder, is_stream, open_plain, read_plain_up_to};
use crate::types::{Cancel, Code, Failure};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// The most bytes read of a text: no ruleset, catalog file, manifest or language pack is larger.
pub(crate) const MAX_TEXT: u64 = MAX_PACK.0;

/// How often a wait for a pipe looks whether the reader has asked to stop.
const LOOK: Duration = Duration::from_millis(50);

/// The bytes of a plain file that was named, at most so many.
pub(crate) fn plain(path: &Path, most: u64) -> Result<Vec<u8>, Failure> {
    read_plain_up_to(path, most).map_err(|error| failure(path, &error))
}

/// The folder at a path that was named, open.
pub(crate) fn folder(path: &Path) -> Result<OpenFolder, Failure> {
    OpenFolder::open(path).map_err(|error| failure(path, &error))
}

/// The folder that the file at a path lies in, open.
pub(crate) fn folder_of(path: &Path) -> Result<OpenFolder, Failure> {
    folder(path.parent().unwrap_or(Path::new("")))
}

/// The bytes of a plain file in a folder, at most so many.
pub(crate) fn plain_in(folder: &OpenFolder, path: &str, most: u64) -> Result<Vec<u8>, Unread> {
    folder.read_up_to(path, most).map_err(|error| Unread::new(folder, path, &error))
}

/// The bytes of a text in a folder, and one more of what is too large to be one.
pub(crate) fn text_in(folder: &OpenFolder, path: &str) -> Result<Vec<u8>, Unread> {
    plain_in(folder, path, MAX_TEXT + 1)
}

/// The same, of a file that need not be there.
pub(crate) fn text_if_there(folder: &OpenFolder, path: &str) -> Result<Option<Vec<u8>>, Unread> {
    match text_in(folder, path) {
        Err(unread) if unread.is_missing() => Ok(None),
        read => read.map(Some),
    }
}

/// The bytes of what an argument names, at most so many. It may be a pipe: `--against <(git show v1:ruleset.json)`.
pub fn named(path: &Path, most: u64, cancel: &Cancel) -> Result<Vec<u8>, Failure> {
    if !is_stream(path) {
        return plain(path, most);
    }
    let opened = path.to_owned();
    stream(path, move || File::open(&opened), most, cancel)
}

/// The same, of a text.
pub(crate) fn named_text(path: &Path, cancel: &Cancel) -> Result<Vec<u8>, Failure> {
    named(path, MAX_TEXT + 1, cancel)
}

/// The bytes of what may never begin and never end. Neither opening nor reading it can be called off, so both are left
/// to a thread that nobody waits for once the reader has asked to stop. Where the system gives no thread they are done
/// here.
fn stream<R: Read>(
    path: &Path,
    open: impl Fn() -> io::Result<R> + Clone + Send + 'static,
    most: u64,
    cancel: &Cancel,
) -> Result<Vec<u8>, Failure> {
    let (done, waiting) = mpsc::channel();
    let read = move || open().and_then(|from| some(from, most));
    let aside = read.clone();
    // Whoever stopped waiting has no use for the bytes.
    if thread::Builder::new().spawn(move || drop(done.send(aside()))).is_err() {
        return read().map_err(|error| failure(path, &error));
    }
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
pub(crate) fn open(path: &Path) -> Result<File, Failure> {
    open_plain(path).map_err(|error| failure(path, &error))
}

pub(crate) fn some(from: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Whether anything lies at a path in a folder.
pub(crate) fn is_there(folder: &OpenFolder, path: &str) -> Result<bool, Unread> {
    let found = folder.find(path).map_err(|error| Unread::new(folder, path, &error))?;
    Ok(found.is_some())
}

/// The names of the JSON files in a folder within one, sorted, hidden ones left out; none where there is no such
/// folder.
pub(crate) fn json_files(root: &OpenFolder, folder: &str) -> Result<Vec<String>, Unread> {
    let names = match root.below(folder).and_then(|folder| folder.names()) {
        Ok(names) => names,
        Err(error) if is_missing(&error) => return Ok(Vec::new()),
        Err(error) => return Err(Unread::new(root, folder, &error)),
    };
    // A name that is no text is no name a package could have; what begins with a dot some system or editor left there.
    let names = names.into_iter().filter_map(|name| name.into_string().ok());
    Ok(names.filter(|name| name.ends_with(".json") && !name.starts_with('.')).collect())
}
