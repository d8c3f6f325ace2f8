//! What has come of a file so far. It stays in the cache when a download is cut off, by whatever, and the next run goes on
//! where it ended (contract, section 3). Nothing in it is believed: the file is verified as a whole.

use super::cache::{Cache, Folder, PART, read_here};
use super::header::Validators;
use crate::types::{Sha256, open_plain_nofollow_with};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The most a kept validator has.
const MAX_TAG: u64 = 2048;

/// A part that this run alone writes: it is locked as long as its file is open.
pub(super) struct Part {
    path: PathBuf,
    /// Where it is noted by what the source knows the file.
    tag: PathBuf,
}

impl Cache {
    /// The part of a file that an earlier run left, if there is one that nobody else is at.
    pub fn left_part(&self, digest: Sha256) -> Option<(File, Part)> {
        let part = self.part_of(digest);
        self.folder(Folder::Files).ok()?;
        let file = open(&part.path, false).ok()?;
        is_ours(&file, &part.path).then_some((file, part))
    }

    /// A new part to write; nothing while another run is at the same one.
    ///
    /// # Errors
    /// What the system says where no file can be made.
    pub fn new_part(&self, digest: Sha256) -> io::Result<Option<(File, Part)>> {
        let part = self.part_of(digest);
        self.folder(Folder::Files)?;
        let file = open(&part.path, true)?;
        Ok(is_ours(&file, &part.path).then_some((file, part)))
    }

    fn part_of(&self, digest: Sha256) -> Part {
        let path = self.path(Folder::Files, &format!("{PART}{digest}"));
        let tag = path.with_extension("tag");
        Part { path, tag }
    }
}

impl Part {
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the source knew the file by when the part came from it, as `If-Range` takes it: a strong tag, else a date.
    pub fn known_by(&self) -> Option<String> {
        let text = read_here(&self.tag, MAX_TAG).ok()?;
        let text = String::from_utf8(text).ok()?;
        (!text.is_empty() && text.bytes().all(|b| (b' '..=b'~').contains(&b))).then_some(text)
    }

    /// Notes what the source knows the file by that begins to come.
    pub fn note(&self, validators: &Validators) {
        let Validators { etag, last_modified } = validators;
        let strong = etag.as_ref().filter(|etag| !etag.starts_with("W/"));
        // Without it the next run asks for the rest all the same; what comes is verified.
        let _ = fs::remove_file(&self.tag);
        if let Some(text) = strong.or(last_modified.as_ref()) {
            let tag = open_plain_nofollow_with(File::options().write(true).create_new(true), &self.tag);
            let _ = tag.and_then(|mut tag| tag.write_all(text.as_bytes()));
        }
    }

    /// Gives the whole file its name.
    ///
    /// # Errors
    /// What the system says.
    pub fn keep(self, file: &File, cache: &Cache, name: &str) -> io::Result<()> {
        fs::rename(&self.path, cache.path(Folder::Files, name))?;
        let _ = fs::remove_file(&self.tag);
        // Others may read it now, which on some systems a lock forbids.
        let _ = file.unlock();
        Ok(())
    }

    /// Throws it away.
    pub fn discard(self) {
        let _ = fs::remove_file(&self.path);
        let _ = fs::remove_file(&self.tag);
    }
}

fn open(path: &Path, make: bool) -> io::Result<File> {
    open_plain_nofollow_with(File::options().read(true).write(true).create(make), path)
}

/// Locks the file, and tells whether it is still the part: the run that had it before may have finished it meanwhile and
/// given it its name.
fn is_ours(file: &File, path: &Path) -> bool {
    file.try_lock().is_ok() && is_same(file, path)
}

#[cfg(unix)]
fn is_same(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let (Ok(open), Ok(there)) = (file.metadata(), fs::symlink_metadata(path)) else { return false };
    // One that has another name as well is somebody else's, too.
    open.nlink() == 1 && (open.dev(), open.ino()) == (there.dev(), there.ino())
}

/// A file that is open keeps its name there, unless who has it open gives it another.
#[cfg(not(unix))]
fn is_same(_: &File, path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|there| there.is_file())
}
