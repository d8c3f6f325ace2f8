use crate::disk::refused_link;
use crate::types::{Code, Failure};
use std::io;
use std::path::Path;

/// Why a file cannot be read.
pub fn failure(path: &Path, error: &io::Error) -> Failure {
    if let Some(link) = refused_link(error) {
        let message = format!("`{}` is a link, and links within a folder are not followed", link.display());
        return Failure::new(Code::UnsafePath, message).hint("replace the link by the file or folder itself");
    }
    let path = path.display();
    if is_missing(error) {
        return Failure::new(Code::FileNotFound, format!("cannot find `{path}`"))
            .hint("check the path: it is relative to the current folder");
    }
    Failure::new(Code::of_io(error), format!("cannot read `{path}`: {error}"))
}

pub(crate) fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}
