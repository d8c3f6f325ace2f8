//! What has come of a file or a catalog so far. It stays in the cache when a download is cut off, by whatever, and the
//! next run goes on where it ended (docs/spec/commands.md#a-page-is-waiting). Nothing in it is believed of a file,
//! which is verified as a whole. Of a catalog nothing is declared, so its part is gone on with only where the source
//! vouches for its being of the same body.

use super::cache::{Cache, Folder, PART, open_here, read_here};
use crate::disk::open_plain_nofollow_with;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// The most a kept mark has.
const MAX_TAG: u64 = 8 << 10;

/// A part that this run alone writes: it is locked as long as its file is open.
pub(super) struct Part {
    path: PathBuf,
    /// Where its mark is noted.
    tag: PathBuf,
}

/// By what a source knows what it sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// As `If-Range` takes it: a strong tag, or a date that is as good as one.
    pub validator: String,
    /// The address that sends it, as it may be shown: another one may use the same tag for something else.
    pub place: String,
}

impl Cache {
    /// The part that an earlier run left under this name, if there is one that nobody else is at.
    pub fn left_part(&self, folder: Folder, name: &str) -> Option<(File, Part)> {
        self.open_part(folder, name, false).ok().flatten()
    }

    /// A part to write, with nothing in it; nothing while another run is at the same one.
    ///
    /// # Errors
    /// What the system says where no file can be made.
    pub fn new_part(&self, folder: Folder, name: &str) -> io::Result<Option<(File, Part)>> {
        let part = self.open_part(folder, name, true)?;
        part.map(|(file, part)| file.set_len(0).map(|()| (file, part))).transpose()
    }

    /// What is there of a part by now, whoever is at it, in a file of its own. It may have been written to meanwhile.
    ///
    /// # Errors
    /// What the system says, also where there is none.
    pub fn copy_of_part(&self, folder: Folder, name: &str) -> io::Result<NamedTempFile> {
        let mut part = open_here(&self.path(folder, &format!("{PART}{name}")))?;
        let mut copy = self.create(folder)?;
        io::copy(&mut part, copy.as_file_mut())?;
        Ok(copy)
    }

    fn open_part(&self, folder: Folder, name: &str, make: bool) -> io::Result<Option<(File, Part)>> {
        let dir = if make { self.folder(folder)? } else { self.folder_there(folder)? };
        let path = dir.join(format!("{PART}{name}"));
        let file = open_plain_nofollow_with(File::options().read(true).write(true).create(make), &path)?;
        let tag = path.with_extension("tag");
        Ok(is_ours(&file, &path).then_some((file, Part { path, tag })))
    }
}

impl Part {
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the source knew it by when the part came from it.
    pub fn mark(&self) -> Option<Mark> {
        let text = String::from_utf8(read_here(&self.tag, MAX_TAG).ok()?).ok()?;
        let (validator, place) = text.split_once('\n')?;
        let is_plain = |text: &str| !text.is_empty() && text.bytes().all(|b| (b' '..=b'~').contains(&b));
        is_plain(validator).then(|| Mark { validator: validator.to_owned(), place: place.to_owned() })
    }

    /// Notes what the source knows it by that begins to come, if anything.
    pub fn note(&self, mark: Option<&Mark>) -> io::Result<()> {
        let _ = fs::remove_file(&self.tag);
        let Some(Mark { validator, place }) = mark else { return Ok(()) };
        let mut tag = open_plain_nofollow_with(File::options().write(true).create_new(true), &self.tag)?;
        tag.write_all(format!("{validator}\n{place}").as_bytes())
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

/// Locks the file, and tells whether it is still the part: the run that had it before may have finished it meanwhile
/// and given it its name.
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
