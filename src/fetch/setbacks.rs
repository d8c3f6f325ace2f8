//! What failed a moment ago, address by address, so that a page that opens again does not wait for it again
//! (docs/spec/commands.md#a-page-is-waiting). Kept in the cache: each run is a process of its own.

use super::cache::{Cache, Folder, read_here};
use super::error::FetchError;
use crate::types::{Code, Coded, Expected, Sha256, redacted};
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::time::{Duration, SystemTime};
use url::Url;

/// For how long an address is left alone that did not say for how long.
const USUAL: Duration = Duration::from_secs(60);

/// The longest that is believed. What was noted for longer was noted under another clock.
pub(super) const MOST: Duration = Duration::from_secs(24 * 3600);

/// More than a note ever has.
const MAX_NOTE: u64 = 64 << 10;

/// One address that failed.
#[derive(Serialize, Deserialize)]
struct Note {
    /// As it may be shown.
    url: String,
    /// Until when it is left alone, in seconds since 1970.
    until: u64,
    code: String,
    message: String,
    /// Of bytes that did not fit, what they were held against: another file under the same address is another matter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    wanted: Option<Expected>,
}

impl Cache {
    /// Notes what an address failed with, if it is the address that failed. Only a courtesy to the next run.
    /// `wanted` is the file that was asked for.
    pub fn note_setback(&self, url: &Url, wanted: Option<Expected>, error: &FetchError, now: SystemTime) {
        let Some(wait) = leaves_alone_for(error) else { return };
        let (Some(until), message) = (seconds(now.checked_add(wait.min(MOST))), text_of(error)) else { return };
        let wanted = wanted.filter(|_| matches!(error, FetchError::Mismatch { .. }));
        let note = Note { url: redacted(url), until, code: error.code().to_string(), message, wanted };
        let _ = self.create(Folder::Setbacks).and_then(|mut temp| {
            temp.write_all(&serde_json::to_vec(&note)?)?;
            self.keep(Folder::Setbacks, temp.into_temp_path(), &name(url))
        });
    }

    /// What an address failed with when it was asked for this file last, however long ago.
    pub fn last_setback(&self, url: &Url, wanted: Option<Expected>) -> Option<Code> {
        self.note_of(url, wanted).map(|(_, code)| code)
    }

    fn note_of(&self, url: &Url, wanted: Option<Expected>) -> Option<(Note, Code)> {
        let bytes = read_here(&self.path(Folder::Setbacks, &name(url)), MAX_NOTE).ok()?;
        let note: Note = serde_json::from_slice(&bytes).ok()?;
        let code = NOTED.into_iter().find(|code| code.as_str() == note.code)?;
        (note.wanted.is_none() || note.wanted == wanted).then_some((note, code))
    }

    /// What an address failed with, if that was so short a time ago that it is to be left alone.
    pub fn setback(&self, url: &Url, wanted: Option<Expected>, now: SystemTime) -> Option<FetchError> {
        let (note, code) = self.note_of(url, wanted)?;
        let left = Duration::from_secs(note.until.checked_sub(seconds(Some(now))?)?);
        if left.is_zero() || left > MOST {
            return None;
        }
        Some(FetchError::Setback { url: redacted(url), code, why: note.message, left })
    }

    /// Forgets what an address failed with: it has answered.
    pub fn forget_setback(&self, url: &Url) {
        let _ = std::fs::remove_file(self.path(Folder::Setbacks, &name(url)));
    }
}

/// The kinds of failure that are an address's own.
const NOTED: [Code; 5] =
    [Code::Network, Code::HttpError, Code::SizeMismatch, Code::ChecksumMismatch, Code::InvalidCatalog];

/// How long an address is to be left alone; nothing when it was not the address that failed.
fn leaves_alone_for(error: &FetchError) -> Option<Duration> {
    match error {
        FetchError::Status { wait, .. } => Some(wait.unwrap_or(USUAL)),
        FetchError::Setback { .. } => None,
        error => NOTED.contains(&error.code()).then_some(USUAL),
    }
}

fn text_of(error: &FetchError) -> String {
    let message = error.to_string();
    let url = error.url().unwrap_or_default();
    // The address is said anew by whoever reads it.
    message.strip_prefix(&url).map_or(message.as_str(), |rest| rest.trim_start_matches([':', ' '])).to_owned()
}

fn seconds(time: Option<SystemTime>) -> Option<u64> {
    time?.duration_since(SystemTime::UNIX_EPOCH).ok().map(|time| time.as_secs())
}

fn name(url: &Url) -> String {
    Sha256::of(url.as_str().as_bytes()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fetch::fault::Fault;

    #[test]
    fn an_address_is_left_alone_for_a_while_and_not_longer_and_not_for_what_was_this_machine_s_fault() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::new(dir.path());
        let url = Url::parse("https://example.org/a?token=secret").unwrap();
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000);
        let later = |seconds| now + Duration::from_secs(seconds);
        let io = FetchError::Io { path: "x".into(), error: std::io::Error::other("no") };
        cache.note_setback(&url, None, &io, now);
        assert!(cache.setback(&url, None, now).is_none());
        let fault = Fault::Silence(Duration::from_secs(1));
        let error = FetchError::Network { url: redacted(&url), fault, proxy: None, answered: false };
        cache.note_setback(&url, None, &error, now);
        let told = cache.setback(&url, None, later(59)).unwrap();
        assert_eq!(told.code(), Code::Network);
        assert!(told.to_string().contains("nothing was received") && !told.to_string().contains("secret"), "{told}");
        assert!(cache.setback(&url, None, later(60)).is_none());
        // A clock that was ahead.
        assert!(cache.setback(&url, None, now - Duration::from_secs(3 * 24 * 3600)).is_none());
        let [one, other] = [b"one", b"two"].map(|bytes| Some(Expected::of(bytes)));
        let mismatch = Expected::of(b"one").check(b"two").unwrap_err();
        let place = crate::fetch::FileOrigin::Web(redacted(&url));
        cache.note_setback(&url, one, &FetchError::Mismatch { place, mismatch, because: None }, now);
        assert!(cache.setback(&url, one, now).is_some() && cache.setback(&url, other, now).is_none());
        // That it is not left alone any more is not forgetting it.
        assert!(cache.setback(&url, one, later(61)).is_none());
        assert_eq!([one, other].map(|wanted| cache.last_setback(&url, wanted)), [Some(Code::ChecksumMismatch), None]);
        cache.forget_setback(&url);
        assert!(cache.setback(&url, None, now).is_none() && cache.last_setback(&url, one).is_none());
    }
}
