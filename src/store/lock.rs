use super::{Layout, StoreError, files};
use crate::types::{Cancel, Code, Deadline, Reporter, Wait};
use serde::{Deserialize, Serialize};
use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// The right to change the store. Whatever changes it takes a reference to this; the operating system frees the
/// lock when its holder dies, however it dies (contract, section 4, rule 4).
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
        on: &dyn Reporter,
    ) -> Result<Self, StoreError> {
        let path = layout.lock();
        let file = files::in_folder(layout.packages(), || open(&path)).map_err(StoreError::io("open", &path))?;
        let started = Instant::now();
        let mut told = false;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self::held(file, command)),
                Err(TryLockError::Error(error)) => return Err(StoreError::io("lock", &path)(error)),
                Err(TryLockError::WouldBlock) => {}
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
                on.waiting(&Wait {
                    why: format!("Waiting for {}", holder(&file)),
                    seconds: None,
                    code: Some(Code::Locked),
                    package: None,
                });
            }
            std::thread::sleep(PAUSE.min(patience));
        }
    }

    /// Takes the lock only if nobody holds it: what a reader does that finds something to finish.
    pub fn try_take(layout: &Layout, command: &str) -> Option<Self> {
        let file = open(&layout.lock()).ok()?;
        file.try_lock().ok()?;
        Some(Self::held(file, command))
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

fn open(path: &Path) -> io::Result<File> {
    // Read and write, never append: Windows refuses to lock append-only handles.
    File::options().read(true).write(true).create(true).truncate(false).open(path)
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
