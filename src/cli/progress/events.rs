use crate::cli::term::json_safe;
use crate::types::{Reporter, Transfer, Wait, Warning};
use serde::Serialize;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::Write;
use std::time::{Duration, Instant};

/// The least time between two `advanced` events of one download.
const BEAT: Duration = Duration::from_millis(100);

/// One JSON object a line, for programs (`--progress json`).
///
/// An `advanced` event comes at most ten times a second for each download; the last always comes, before `finished` or
/// `failed`. `bytes` goes back when an attempt starts over.
pub struct Events {
    into: RefCell<Box<dyn Write>>,
    downloads: RefCell<BTreeMap<usize, Download>>,
}

#[derive(Serialize)]
#[serde(tag = "event", rename_all = "camelCase")]
enum Event<'a> {
    Step { text: &'a str },
    Advanced { done: u64, of: u64 },
    Download { state: State, id: usize, label: &'a str, bytes: u64, total: u64 },
    Waiting { why: &'a str },
    Warning(&'a Warning),
}

#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
enum State {
    Started,
    Advanced,
    Finished,
    Failed,
}

struct Download {
    label: String,
    total: u64,
    bytes: u64,
    /// How many bytes were last told, and when.
    told: (u64, Instant),
}

impl Download {
    fn event(&self, id: usize, state: State) -> Event<'_> {
        Event::Download { state, id, label: &self.label, bytes: self.bytes, total: self.total }
    }

    /// Takes the bytes there are now; whether it is time to tell.
    fn advance(&mut self, bytes: u64, now: Instant) -> bool {
        self.bytes = bytes;
        let due = now.saturating_duration_since(self.told.1) >= BEAT && self.told.0 != bytes;
        if due {
            self.told = (bytes, now);
        }
        due
    }

    fn is_behind(&self) -> bool {
        self.told.0 != self.bytes
    }
}

/// A warning as an event: one line without its end, for whoever writes warnings to stderr while events go there.
pub fn warning_event(warning: &Warning) -> String {
    line(&Event::Warning(warning))
}

fn line(event: &Event<'_>) -> String {
    // Texts and numbers always serialise; there is nothing else in an event.
    json_safe(serde_json::to_string(event).unwrap_or_default())
}

impl Events {
    pub fn new(into: impl Write + 'static) -> Self {
        Events { into: RefCell::new(Box::new(into)), downloads: RefCell::default() }
    }

    fn emit(&self, event: &Event<'_>) {
        let line = line(event) + "\n";
        // Nobody is there to hear of it, and the work does not depend on it.
        let _ = self.into.borrow_mut().write_all(line.as_bytes());
    }
}

impl Reporter for Events {
    fn step(&self, text: &str, _package: Option<&str>) {
        self.emit(&Event::Step { text });
    }

    fn step_advanced(&self, done: u64, of: u64) {
        self.emit(&Event::Advanced { done, of });
    }

    fn download_started(&self, id: usize, transfer: &Transfer) {
        let download =
            Download { label: transfer.label.clone(), total: transfer.bytes, bytes: 0, told: (0, Instant::now()) };
        self.emit(&download.event(id, State::Started));
        self.downloads.borrow_mut().insert(id, download);
    }

    fn download_advanced(&self, id: usize, bytes: u64) {
        if let Some(download) = self.downloads.borrow_mut().get_mut(&id)
            && download.advance(bytes, Instant::now())
        {
            self.emit(&download.event(id, State::Advanced));
        }
    }

    fn download_finished(&self, id: usize, done: bool) {
        let Some(download) = self.downloads.borrow_mut().remove(&id) else { return };
        if download.is_behind() {
            self.emit(&download.event(id, State::Advanced));
        }
        self.emit(&download.event(id, if done { State::Finished } else { State::Failed }));
    }

    fn waiting(&self, wait: &Wait) {
        self.emit(&Event::Waiting { why: &wait.why });
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Written, transfer, wait};
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn every_line_is_one_event() {
        let written = Written::default();
        let events = Events::new(written.clone());
        events.step("Reading\nthe \u{202e}catalog", None);
        events.download_started(3, &transfer("ember-roads 1.0.0", 10));
        events.download_advanced(3, 10);
        events.download_advanced(9, 10);
        events.download_finished(3, true);
        events.download_finished(3, true);
        events.waiting(&wait("busy"));
        let text = written.text();
        assert!(text.starts_with(r#"{"event":"step","text":"Reading\nthe \u202ecatalog"}"#), "{text}");
        let seen: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let download = |state, bytes| {
            let label = "ember-roads 1.0.0";
            json!({"event": "download", "state": state, "id": 3, "label": label, "bytes": bytes, "total": 10})
        };
        assert_eq!(
            seen[1..],
            [
                download("started", 0),
                download("advanced", 10),
                download("finished", 10),
                json!({"event": "waiting", "why": "busy"})
            ]
        );
    }

    #[test]
    fn advances_are_told_ten_times_a_second_at_most() {
        let start = Instant::now();
        let mut download = Download { label: String::new(), total: 1000, bytes: 0, told: (0, start) };
        let told =
            (0..1000_u32).filter(|ms| download.advance(u64::from(*ms), start + Duration::from_millis((*ms).into())));
        assert_eq!(told.count(), 9);
        assert!(download.is_behind());
        assert!(!download.advance(900, start + BEAT * 20));
        assert!(download.advance(0, start + BEAT * 20));
        assert!(!download.is_behind());
    }

    #[test]
    fn a_warning_is_an_event_too() {
        let warning = Warning::new("stale-catalog", "old \u{9b}copy").about("ember-roads");
        assert_eq!(
            warning_event(&warning),
            r#"{"event":"warning","code":"stale-catalog","message":"old \u009bcopy","package":"ember-roads"}"#
        );
    }
}
