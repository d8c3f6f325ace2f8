use super::{Layout, StoreError, files};
use crate::disk::open_plain_nofollow_with;
use crate::types::{Cancel, Code, Deadline, Reporter, Wait};
use serde::{Deserialize, Serialize};
use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// The right to change the store. Whatever changes it takes a reference to this; the operating system frees the lock
/// when its holder dies, however it dies (docs/spec/commands.md#store-4).
#[derive(Debug)]
pub struct StoreLock {
    /// Held open: closing it is what frees the lock.
    _file: File,
}

/// Who holds the lock, written into the lock file so that a waiting run can say so.
#[derive(Serialize, Deserialize)]
struct Holder {
    pid: u32,
    command: String,
}

/// How often a busy lock is tried again. The lock is held for milliseconds, so waiting long would be the slow part.
const PAUSE: Duration = Duration::from_millis(15);

impl StoreLock {
    /// Waits for the lock up to `patience`. `command` is what other runs are told this one is doing.
    pub fn take(
        layout: &Layout,
        patience: Duration,
        deadline: Deadline,
        command: &str,
        cancel: &Cancel,
        reporter: &dyn Reporter,
    ) -> Result<Self, StoreError> {
        layout.refuse_link()?;
        let path = layout.lock();
        let file = files::in_folder(layout.packages(), || open(&path)).map_err(|error| cannot_open(&path, error))?;
        let started = Instant::now();
        let mut told = false;
        loop {
            if try_lock(&file).map_err(StoreError::no_lock(&path))? {
                return Ok(Self::held(file, command));
            }
            if cancel.is_asked() {
                return Err(StoreError::Interrupted);
            }
            if deadline.is_over() {
                return Err(StoreError::Deadline { path, holder: holder(&file) });
            }
            if started.elapsed() >= patience {
                return Err(StoreError::Locked {
                    path: path.clone(),
                    holder: holder(&file),
                    seconds: patience.as_secs(),
                });
            }
            if !told && started.elapsed() > Duration::from_millis(500) {
                told = true;
                reporter.waiting(&Wait {
                    why: format!("Waiting for {}", holder(&file)),
                    seconds: None,
                    code: Some(Code::Locked),
                    package: None,
                    language: None,
                    kind: None,
                });
            }
            std::thread::sleep(PAUSE.min(patience));
        }
    }

    /// Takes the lock only if nobody holds it: what a reader does that finds something to finish.
    pub fn try_take(layout: &Layout, command: &str) -> Option<Self> {
        layout.refuse_link().ok()?;
        let file = open(&layout.lock()).ok()?;
        try_lock(&file).ok()?.then(|| Self::held(file, command))
    }

    fn held(mut file: File, command: &str) -> Self {
        let holder = Holder { pid: std::process::id(), command: command.to_owned() };
        // Only a courtesy to those who wait: a full disk must not keep the lock from working.
        let _ = serde_json::to_vec(&holder).map(|text| {
            let _ = file.set_len(0);
            let _ = file.seek(SeekFrom::Start(0));
            let _ = file.write_all(&text);
        });
        StoreLock { _file: file }
    }
}

/// Opens the lock file, and makes it where there is none. A link or anything else in its place is refused before a byte
/// of it is touched: what it leads to would be written to, or made.
fn open(path: &Path) -> io::Result<File> {
    // Read and write, never append: Windows refuses to lock append-only handles.
    let options = &mut File::options();
    files::patiently(|| open_plain_nofollow_with(options.read(true).write(true).create(true).truncate(false), path))
}

fn cannot_open(path: &Path, error: io::Error) -> StoreError {
    match files::metadata(path) {
        Ok(Some(there)) if there.is_symlink() => StoreError::Link { path: path.to_owned() },
        _ => StoreError::io("open", path)(error),
    }
}

/// Takes the lock of a file if nobody has it.
///
/// # Errors
/// Where the file system knows no locks, as some shared and network folders do not.
pub(super) fn try_lock(file: &File) -> io::Result<bool> {
    if crate::crash::pretends("no-locks") {
        return Err(io::ErrorKind::Unsupported.into());
    }
    match system_lock(file) {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// The standard library has no locks on Android, whose kernel has.
#[cfg(target_os = "android")]
fn system_lock(file: &File) -> Result<(), TryLockError> {
    use rustix::fs::{FlockOperation, flock};
    match flock(file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(()),
        Err(rustix::io::Errno::WOULDBLOCK) => Err(TryLockError::WouldBlock),
        Err(error) => Err(TryLockError::Error(error.into())),
    }
}

#[cfg(not(target_os = "android"))]
fn system_lock(file: &File) -> Result<(), TryLockError> {
    file.try_lock()
}

fn holder(mut file: &File) -> String {
    let mut text = String::new();
    let read = file.seek(SeekFrom::Start(0)).and_then(|_| file.take(4096).read_to_string(&mut text));
    match read.ok().and_then(|_| serde_json::from_str::<Holder>(&text).ok()) {
        Some(holder) => format!("`rulepack {}` (process {})", holder.command, holder.pid),
        None => "another rulepack".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Silent;

    #[test]
    fn a_second_holder_is_told_who_is_first() {
        let dir = tempfile::tempdir().unwrap();
        let layout = Layout::new(dir.path());
        let take =
            || StoreLock::take(&layout, Duration::ZERO, Deadline::NONE, "install demo", &Cancel::default(), &Silent);
        let first = take().unwrap();
        let refused = take().unwrap_err().to_string();
        assert!(refused.contains("install demo") && refused.contains(&std::process::id().to_string()), "{refused}");
        assert!(StoreLock::try_take(&layout, "list").is_none());
        drop(first);
        assert!(take().is_ok());
    }
}
