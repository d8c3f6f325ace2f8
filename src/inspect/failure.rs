use crate::disk::refused_link;
use crate::types::{Code, Failure};
use std::io;
use std::path::Path;

/// Why a file cannot be read.
pub fn failure(path: &Path, error: &io::Error) -> Failure {
    if let Some(link) = refused_link(error) {
        let message = format!("`{}` is a link, and links within a folder are not followed", link.display());
        return Failure::new(Code::UnsafePath, message).hint("put the file or folder itself in its place");
    }
    let path = path.display();
    if is_missing(error) {
        return Failure::new(Code::FileNotFound, format!("there is no `{path}`"))
            .hint("relative paths begin at the current folder");
    }
    Failure::new(Code::of_io(error), format!("`{path}` cannot be read: {error}"))
}

pub(crate) fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}
