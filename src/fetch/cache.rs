use super::error::FetchError;
use crate::disk::{FileKind, OpenFolder, Unverified, Verified, open_plain_nofollow_with, read_up_to, refused_link};
use crate::types::{ByteSize, Cancel, Expected, Sha256};
use std::cell::RefCell;
use std::collections::HashSet;
use std::fs::{self, File, Metadata, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tempfile::{NamedTempFile, TempPath};

/// How much the downloaded files in the cache may take together.
const MAX_FILES: ByteSize = ByteSize::mib(512);

/// What the name of a file that is still being written begins with.
const TEMP: &str = ".tmp-";

/// What the name of what has come of a file or a catalog begins with; the rest is what it will be called.
pub(super) const PART: &str = ".part-";

/// After how long without a change an unfinished file is a dead run's. A living one ends a silent connection long
/// before.
const ABANDONED: Duration = Duration::from_secs(3600);

/// After how long nobody is expected to go on with a part, or to care what an address once failed with.
const FORGOTTEN: Duration = Duration::from_secs(7 * 24 * 3600);

/// The folders of the cache.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Folder {
    /// Downloads, each under its SHA-256.
    Files,
    /// Catalog copies, each under the SHA-256 of its source's address.
    Catalogs,
    /// What addresses failed with, each under the SHA-256 of its address.
    Setbacks,
    /// Empty files whose locks say that somebody is asking for a catalog, each under its copy's name.
    Turns,
}

impl Folder {
    const ALL: [Folder; 4] = [Folder::Files, Folder::Catalogs, Folder::Setbacks, Folder::Turns];

    /// What takes room, as against what runs tell each other.
    const LARGE: [Folder; 2] = [Folder::Files, Folder::Catalogs];

    fn below(self, cache: &Path) -> PathBuf {
        cache.join(match self {
            Folder::Files => "files",
            Folder::Catalogs => "catalogs",
            Folder::Setbacks => "setbacks",
            Folder::Turns => "turns",
        })
    }
}

/// What a cache takes up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheUsage {
    pub bytes: u64,
    pub files: u64,
}

/// What earlier runs have fetched. Everything in it can be fetched again, and nothing in it is believed unchecked.
pub(super) struct Cache {
    dir: PathBuf,
    most: ByteSize,
    /// What goes last: the language packs of what is installed.
    cherished: RefCell<HashSet<Sha256>>,
}

impl Cache {
    /// Names the folder, and does nothing to it.
    pub fn new(dir: &Path) -> Self {
        Cache { dir: dir.to_owned(), most: MAX_FILES, cherished: RefCell::default() }
    }

    /// Names what goes last when room is made.
    pub fn cherish(&self, packs: impl IntoIterator<Item = Sha256>) {
        self.cherished.borrow_mut().extend(packs);
    }

    /// Keeps bytes that are on this machine, unless they are here already.
    pub fn put(&self, bytes: &Verified<Vec<u8>>, cancel: &Cancel) -> Result<(), FetchError> {
        self.put_from(bytes.expected(), cancel, |temp| temp.write_all(bytes.get()))
    }

    /// The same of a file, which is left standing at its start. What was written is read again when it is used.
    pub fn put_file(&self, file: &Verified<File>, cancel: &Cancel) -> Result<(), FetchError> {
        self.put_from(file.expected(), cancel, |temp| {
            let mut from = file.get();
            io::copy(&mut from, temp.as_file_mut())?;
            from.seek(SeekFrom::Start(0)).map(drop)
        })
    }

    fn put_from(
        &self,
        expected: Expected,
        cancel: &Cancel,
        write: impl FnOnce(&mut NamedTempFile) -> io::Result<()>,
    ) -> Result<(), FetchError> {
        match self.find(expected, cancel) {
            Ok(Some(_)) => return Ok(()),
            // Another is written in the place of one that cannot be read.
            Ok(None) | Err(FetchError::Io { .. }) => {}
            Err(error) => return Err(error),
        }
        let name = expected.sha256.to_string();
        let path = self.path(Folder::Files, &name);
        let kept = self.create(Folder::Files).and_then(|mut temp| {
            write(&mut temp)?;
            self.keep(Folder::Files, temp.into_temp_path(), &name)
        });
        kept.map_err(|error| FetchError::Io { path, error })
    }

    /// A folder of the cache, made where it is not there. A link in its place is not followed: the cache's folder is
    /// the reader's to choose, what lies in it is not (docs/spec/commands.md#store-9).
    pub fn folder(&self, folder: Folder) -> io::Result<PathBuf> {
        fs::create_dir_all(folder.below(&self.dir))?;
        self.folder_there(folder)
    }

    /// The same where it is there already.
    pub fn folder_there(&self, folder: Folder) -> io::Result<PathBuf> {
        let dir = folder.below(&self.dir);
        match fs::symlink_metadata(&dir)?.is_dir() {
            true => Ok(dir),
            false => Err(io::Error::new(io::ErrorKind::NotADirectory, "expected a folder, found a link")),
        }
    }

    /// The right to ask for a catalog, which one run has at a time, as long as it holds this open; nothing while
    /// another has it.
    ///
    /// # Errors
    /// What the system says where there can be no such right.
    pub fn turn(&self, name: &str) -> io::Result<Option<File>> {
        let path = self.folder(Folder::Turns)?.join(name);
        let file =
            open_plain_nofollow_with(File::options().read(true).write(true).create(true).truncate(false), &path)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(file)),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Where something with this name lies, if it does.
    pub fn path(&self, folder: Folder, name: &str) -> PathBuf {
        folder.below(&self.dir).join(name)
    }

    /// The file with this content, hashed again (B28). One that rotted is removed, so that it is fetched again.
    ///
    /// # Errors
    /// That the disk does not say what it holds, and [`FetchError::Interrupted`].
    pub fn find(&self, expected: Expected, cancel: &Cancel) -> Result<Option<Verified<File>>, FetchError> {
        let path = self.path(Folder::Files, &expected.sha256.to_string());
        let Ok(file) = open_here(&path) else { return Ok(None) };
        match Verified::file(file, expected, cancel) {
            Ok(verified) => {
                // What was used last goes last. In a cache that cannot be written nothing ever goes.
                let _ = verified.get().set_modified(SystemTime::now());
                Ok(Some(verified))
            }
            Err(Unverified::Interrupted) => Err(FetchError::Interrupted),
            Err(Unverified::Io(error)) => Err(FetchError::Io { path, error }),
            Err(Unverified::Mismatch(_)) => {
                // If it stays, the next download replaces it.
                let _ = fs::remove_file(&path);
                Ok(None)
            }
        }
    }

    /// A file to write into before it gets its name; gone by itself if it never does.
    pub fn create(&self, folder: Folder) -> io::Result<NamedTempFile> {
        let dir = self.folder(folder)?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(TEMP);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // Narrowed by the umask, like every new file; the builder's own default is for secrets.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        builder.tempfile_in(dir)
    }

    /// Gives a written file its name, replacing what had it. It need not be synced: what a power cut leaves of it
    /// is told by its digest.
    pub fn keep(&self, folder: Folder, temp: TempPath, name: &str) -> io::Result<()> {
        temp.persist(self.path(folder, name)).map_err(|error| error.error)
    }

    /// Makes room: unfinished files of dead runs go, then the files used longest ago, the cherished after all others,
    /// but never one of `spared`. As good as it can: a file that cannot be removed is left.
    pub fn prune(&self, spared: &HashSet<Sha256>) {
        self.sweep();
        let files = ours(&Folder::Files.below(&self.dir)).unwrap_or_default();
        let mut total: u64 = files.iter().map(|(_, about)| about.len()).sum();
        let may_go = |path: &Path| match name_of(path).strip_prefix(PART) {
            Some(_) => !is_being_written(path),
            None => name_of(path).parse().is_ok_and(|digest| !spared.contains(&digest)),
        };
        let files = files.into_iter().filter(|(path, _)| may_go(path));
        let is_cherished =
            |path: &Path| name_of(path).parse().is_ok_and(|digest| self.cherished.borrow().contains(&digest));
        let mut oldest_first: Vec<_> =
            files.map(|(path, about)| (is_cherished(&path), about.modified().ok(), about.len(), path)).collect();
        oldest_first.sort();
        for (_, _, bytes, path) in oldest_first {
            if total <= self.most.0 {
                break;
            }
            if fs::remove_file(&path).is_ok() {
                total -= bytes;
            }
        }
    }

    fn sweep(&self) {
        let now = SystemTime::now();
        for (path, about) in Folder::ALL.iter().flat_map(|folder| ours(&folder.below(&self.dir)).unwrap_or_default()) {
            // A clock that was ahead and has been put right leaves files of the future, which are no younger.
            let age =
                about.modified().map(|changed| now.duration_since(changed).unwrap_or_else(|ahead| ahead.duration()));
            let name = name_of(&path);
            let limit = match name {
                _ if name.starts_with(TEMP) => ABANDONED,
                _ if name.starts_with(PART) || path.parent() == Some(&Folder::Setbacks.below(&self.dir)) => FORGOTTEN,
                _ => continue,
            };
            if age.is_ok_and(|age| age > limit) && !is_being_written(&path) {
                // The next run tries again.
                let _ = fs::remove_file(&path);
            }
        }
    }
}

/// What the cache in this folder takes up; nothing when there is none.
///
/// # Errors
/// When its folders cannot be read.
pub fn cache_usage(dir: &Path) -> Result<CacheUsage, FetchError> {
    let mut usage = CacheUsage::default();
    for folder in Folder::LARGE.map(|folder| folder.below(dir)) {
        for (_, about) in ours(&folder).map_err(|error| FetchError::Io { path: folder, error })? {
            usage.bytes += about.len();
            usage.files += 1;
        }
    }
    Ok(usage)
}

/// Removes what the cache keeps in this folder, and nothing else, and says how much that was. Files somebody else
/// put there stay.
///
/// # Errors
/// At the first file that cannot be removed.
pub fn cache_clean(dir: &Path) -> Result<CacheUsage, FetchError> {
    let mut removed = CacheUsage::default();
    for kind in Folder::ALL {
        let folder = kind.below(dir);
        let found = ours(&folder).map_err(|error| FetchError::Io { path: folder.clone(), error })?;
        for (path, about) in found {
            match fs::remove_file(&path) {
                Ok(()) if Folder::LARGE.contains(&kind) => {
                    removed.bytes += about.len();
                    removed.files += 1;
                }
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(FetchError::Io { path, error }),
            }
        }
        // Fails while somebody else's files are in it, as it should.
        let _ = fs::remove_dir(&folder);
    }
    Ok(removed)
}

/// The files in a folder of the cache that the cache put there: told by their names, links never followed.
fn ours(folder: &Path) -> io::Result<Vec<(PathBuf, Metadata)>> {
    let (Some(cache), Some(own)) = (folder.parent(), folder.file_name()) else { return Ok(Vec::new()) };
    let entries = match OpenFolder::open(cache).and_then(|cache| cache.below(own)).and_then(|folder| folder.entries()) {
        Ok(entries) => entries,
        Err(error) if is_none(&error) => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut found = Vec::new();
    for (name, _) in entries.into_iter().filter(|(_, found)| *found == FileKind::File) {
        let path = folder.join(name);
        let name = name_of(&path);
        let is_at_work = [TEMP, PART].iter().any(|prefix| name.starts_with(prefix));
        if !is_at_work && name.parse::<Sha256>().is_err() {
            continue;
        }
        // Another run may have removed it in between.
        if let Ok(about) = fs::symlink_metadata(&path)
            && about.is_file()
        {
            found.push((path, about));
        }
    }
    Ok(found)
}

/// Whether there is no folder of the cache: nothing, or a link or something else in its place.
fn is_none(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) || refused_link(error).is_some()
}

/// Opens a plain file of the cache, by its path as [`Cache::path`] gives it. Only the cache's own folder may be reached
/// through links.
pub(super) fn open_here(path: &Path) -> io::Result<File> {
    let cache = path.parent().and_then(Path::parent).ok_or(io::ErrorKind::InvalidInput)?;
    let below = path.strip_prefix(cache).map_err(|_| io::ErrorKind::InvalidInput)?;
    OpenFolder::open(cache)?.file(below)
}

/// The bytes of one, at most so many.
pub(super) fn read_here(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_up_to(open_here(path)?, most)
}

/// Whether a run that lives is writing this part.
fn is_being_written(path: &Path) -> bool {
    name_of(path).starts_with(PART) && open_here(path).is_ok_and(|file| file.try_lock().is_err())
}

fn name_of(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(cache: &Cache, bytes: &[u8], age: u64) -> Sha256 {
        let mut temp = cache.create(Folder::Files).unwrap();
        temp.write_all(bytes).unwrap();
        temp.as_file().set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
        let digest = Sha256::of(bytes);
        cache.keep(Folder::Files, temp.into_temp_path(), &digest.to_string()).unwrap();
        digest
    }

    fn has(cache: &Cache, digest: Sha256) -> bool {
        cache.path(Folder::Files, &digest.to_string()).exists()
    }

    #[test]
    fn what_was_used_longest_ago_goes_first_and_never_what_was_just_written() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache { cherished: RefCell::default(), dir: dir.path().to_owned(), most: ByteSize(25) };
        let oldest = put(&cache, b"0123456789", 500);
        let used = put(&cache, b"1234567890", 400);
        let middle = put(&cache, b"2345678901", 300);
        let written = put(&cache, b"3456789012", 900);
        assert!(cache.find(Expected::of(b"1234567890"), &Cancel::default()).unwrap().is_some());
        cache.prune(&HashSet::from([written]));
        assert_eq!([oldest, used, middle, written].map(|file| has(&cache, file)), [false, true, false, true]);
    }

    #[test]
    fn unfinished_files_of_dead_runs_go_and_those_of_living_ones_stay() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::new(dir.path());
        let living = cache.create(Folder::Files).unwrap();
        let dead = cache.create(Folder::Catalogs).unwrap();
        dead.as_file().set_modified(SystemTime::now() - 2 * ABANDONED).unwrap();
        cache.prune(&HashSet::new());
        assert!(living.path().exists() && !dead.path().exists());

        let of_the_future = cache.create(Folder::Files).unwrap();
        of_the_future.as_file().set_modified(SystemTime::now() + 2 * ABANDONED).unwrap();
        cache.prune(&HashSet::new());
        assert!(living.path().exists() && !of_the_future.path().exists());
    }

    #[test]
    fn cleaning_takes_only_what_the_cache_made() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(cache_usage(dir.path()).unwrap(), CacheUsage::default());
        assert_eq!(cache_clean(&dir.path().join("none")).unwrap(), CacheUsage::default());
        let cache = Cache::new(dir.path());
        put(&cache, b"abc", 0);
        put(&cache, b"defg", 0);
        let theirs = [cache.path(Folder::Files, "notes.txt"), dir.path().join("other")];
        theirs.iter().for_each(|path| fs::write(path, b"theirs").unwrap());
        let all = CacheUsage { bytes: 7, files: 2 };
        assert_eq!(cache_usage(dir.path()).unwrap(), all);
        assert_eq!(cache_clean(dir.path()).unwrap(), all);
        assert_eq!(cache_usage(dir.path()).unwrap(), CacheUsage::default());
        assert!(theirs.iter().all(|path| path.exists()));
        fs::remove_file(&theirs[0]).unwrap();
        cache_clean(dir.path()).unwrap();
        assert!(!dir.path().join("files").exists());
    }

    #[cfg(unix)]
    #[test]
    fn no_link_in_the_cache_is_followed() {
        let (dir, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let cache = Cache::new(dir.path());
        let digest = put(&cache, b"abc", 0);
        let (files, moved) = (dir.path().join("files"), outside.path().join("files"));
        fs::rename(&files, &moved).unwrap();
        std::os::unix::fs::symlink(&moved, &files).unwrap();
        assert!(cache.find(Expected::of(b"abc"), &Cancel::default()).unwrap().is_none());
        let name = digest.to_string();
        assert!(cache.left_part(Folder::Files, &name).is_none() && cache.new_part(Folder::Files, &name).is_err());
        assert_eq!(cache_usage(dir.path()).unwrap(), CacheUsage::default());
        cache.prune(&HashSet::new());
        assert_eq!(cache_clean(dir.path()).unwrap(), CacheUsage::default());
        assert_eq!(fs::read(moved.join(digest.to_string())).unwrap(), b"abc");
    }

    #[test]
    fn an_interrupt_ends_the_hashing() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::new(dir.path());
        put(&cache, b"abc", 0);
        let cancel = Cancel::default();
        cancel.flag().store(true, std::sync::atomic::Ordering::Relaxed);
        assert!(matches!(cache.find(Expected::of(b"abc"), &cancel), Err(FetchError::Interrupted)));
    }
}
