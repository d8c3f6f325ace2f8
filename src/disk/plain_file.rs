//! Files that are there at once and can be read again. A pipe or a device would be waited for, and no signal ends that.
//!
//! What a person named is read through links, as every tool does. What lies in a folder of ours, or of a package, is
//! read as it lies there ([`open_plain_nofollow`]): the question what it is and the opening are one act, so that
//! nothing can be put in its place between the two.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Why an opening was refused: there is a link, wherever it leads.
#[derive(Debug, thiserror::Error)]
#[error("it is a link, and links are not followed here")]
struct LinkRefused {
    at: PathBuf,
}

/// Where the link lies for which an opening was refused, if it was for one.
pub fn refused_link(error: &io::Error) -> Option<&Path> {
    let refused: Option<&LinkRefused> = error.get_ref().and_then(|inner| inner.downcast_ref());
    refused.map(|refused| refused.at.as_path())
}

/// Whether there is something at the path that is read once, from beginning to end: a pipe or a device.
pub fn is_stream(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Opens a plain file, also through links.
///
/// # Errors
/// What the system says, and that there is something else at the path.
pub fn open_plain(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    at_once(&mut options, Links::Follow);
    plain_only(options.open(path)?)
}

/// Opens a plain file for reading. A link in its place is an error, wherever it leads; links among the folders on
/// the way are the caller's to judge.
///
/// # Errors
/// `InvalidInput` where there is a link, a pipe or a device, `IsADirectory` for a folder; else what the system says.
pub fn open_plain_nofollow(path: &Path) -> io::Result<File> {
    open_plain_nofollow_with(OpenOptions::new().read(true), path)
}

/// The same, opened as `options` say. With `truncate` what is there would be lost before it is known what it is:
/// use [`File::set_len`] on what comes back.
///
/// # Errors
/// As [`open_plain_nofollow`].
pub fn open_plain_nofollow_with(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    at_once(options, Links::Refuse);
    let is_link = |error: &io::Error| is_link_refused(error) || refused_link(error).is_some();
    let opened = options.open(path).and_then(plain_only);
    opened.map_err(|error| if is_link(&error) { not_followed(path) } else { error })
}

/// The bytes of a plain file, also through links.
///
/// # Errors
/// As [`read_plain_up_to`].
pub fn read_plain(path: &Path) -> io::Result<Vec<u8>> {
    read_plain_up_to(path, u64::MAX)
}

/// The bytes of a plain file, at most so many, also through links.
///
/// # Errors
/// As [`open_plain`], and what reading ends with.
pub fn read_plain_up_to(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_up_to(open_plain(path)?, most)
}

/// The bytes of a plain file that is no link, at most so many.
///
/// # Errors
/// As [`open_plain_nofollow`], and what reading ends with.
pub fn read_plain_nofollow_up_to(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_up_to(open_plain_nofollow(path)?, most)
}

/// What is left to read of an open file, at most so many bytes.
///
/// # Errors
/// What reading ends with.
pub fn read_up_to(file: File, most: u64) -> io::Result<Vec<u8>> {
    let size = file.metadata()?.len().min(most);
    let mut bytes = Vec::new();
    // Room for all of it at once; without, reading begins with 32 bytes.
    bytes.try_reserve_exact(usize::try_from(size).unwrap_or(usize::MAX))?;
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// An open file, if it is a plain one.
pub fn plain_only(file: File) -> io::Result<File> {
    match file.metadata()?.file_type() {
        found if found.is_file() => Ok(file),
        found if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        found if found.is_symlink() => Err(not_followed(Path::new(""))),
        _ => Err(neither()),
    }
}

/// The failure of a pipe, a socket or a device being where a file should.
pub(super) fn neither() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "it is neither a regular file nor a folder")
}

/// The failure of a link being at `path`.
pub(super) fn not_followed(path: &Path) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, LinkRefused { at: path.to_owned() })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Links {
    Follow,
    Refuse,
}

/// Lets an opening come back at once whatever is there: a pipe is not waited for, a terminal not taken.
#[cfg(unix)]
fn at_once(options: &mut OpenOptions, links: Links) {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;
    let mut flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    flags.set(OFlags::NOFOLLOW, links == Links::Refuse);
    options.custom_flags(flags.bits().cast_signed());
}

/// On Windows a link is opened itself where it is not to be followed, and a folder can be told from what may not be
/// read.
#[cfg(windows)]
fn at_once(options: &mut OpenOptions, links: Links) {
    use std::os::windows::fs::OpenOptionsExt;
    const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;
    const FILE_FLAG_BACKUP_SEMANTICS: u32 = 0x0200_0000;
    options.custom_flags(match links {
        Links::Follow => FILE_FLAG_BACKUP_SEMANTICS,
        Links::Refuse => FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT,
    });
}

#[cfg(not(any(unix, windows)))]
fn at_once(_: &mut OpenOptions, _: Links) {}

/// Whether an opening was refused since a link is there: `EMLINK` is what FreeBSD says.
#[cfg(unix)]
fn is_link_refused(error: &io::Error) -> bool {
    use rustix::io::Errno;
    matches!(Errno::from_io_error(error), Some(Errno::LOOP | Errno::MLINK))
}

#[cfg(not(unix))]
fn is_link_refused(_: &io::Error) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_file_is_opened_and_a_folder_is_told() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a");
        fs::write(&file, "bytes").unwrap();
        assert_eq!(read_plain_nofollow_up_to(&file, 3).unwrap(), b"byt");
        assert_eq!(read_plain(&file).unwrap(), b"bytes");
        for open in [open_plain, open_plain_nofollow] {
            assert_eq!(open(dir.path()).unwrap_err().kind(), io::ErrorKind::IsADirectory);
            assert_eq!(open(&dir.path().join("none")).unwrap_err().kind(), io::ErrorKind::NotFound);
        }
    }

    #[cfg(unix)]
    #[test]
    fn neither_a_pipe_nor_a_link_is_waited_for_or_followed() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::write(at("file"), "bytes").unwrap();
        std::os::unix::fs::symlink("file", at("link")).unwrap();
        std::os::unix::fs::symlink("nowhere", at("dangling")).unwrap();
        rustix::fs::mknodat(rustix::fs::CWD, at("pipe"), rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
        assert_eq!(read_plain(&at("link")).unwrap(), b"bytes");
        for name in ["link", "dangling", "pipe"] {
            let error = open_plain_nofollow(&at(name)).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{name}: {error}");
            assert_eq!(refused_link(&error).is_some(), name != "pipe", "{name}: {error}");
        }
        let mut making = OpenOptions::new();
        making.write(true).create(true);
        assert!(open_plain_nofollow_with(&mut making, &at("dangling")).is_err());
        assert!(!at("nowhere").exists());
        assert_eq!(open_plain(&at("pipe")).unwrap_err().kind(), io::ErrorKind::InvalidInput);
    }
}
