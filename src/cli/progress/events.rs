use super::Face;
use crate::face::term::json_safe;
use crate::types::{Code, Reporter, Transfer, TransferKind, Wait, Warning};
use schemars::JsonSchema;
use serde::Serialize;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::Write;
use std::time::{Duration, Instant};

/// The least time between two `advanced` events of one download.
const BEAT: Duration = Duration::from_millis(100);

/// One JSON object a line, for programs (`--progress json`; its schema is `rulepack schema progress`).
///
/// An `advanced` event comes at most ten times a second for each download; the last always comes, before `finished` or
/// `failed`. `bytes` goes back when an attempt starts over.
pub struct Events {
    into: RefCell<Box<dyn Write>>,
    downloads: RefCell<BTreeMap<usize, Download>>,
    /// The package the step is about.
    package: RefCell<Option<String>>,
}

/// A line of `--progress json` on stderr. Each names the package, the language and the kind of file it is about, `null`
/// where it is about none.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "event", rename_all = "camelCase")]
#[schemars(rename = "Progress")]
pub enum Event<'a> {
    /// A step begins.
    Step {
        /// One short line for people.
        text: &'a str,
        #[serde(flatten)]
        about: About<'a>,
    },
    /// So much of the step is done, of so much in all.
    Advanced {
        done: u64,
        of: u64,
        #[serde(flatten)]
        about: About<'a>,
    },
    /// A download begins, comes in, or ends.
    Download {
        state: State,
        /// Tells it from the other downloads of this run.
        id: usize,
        /// What people know it by.
        label: &'a str,
        /// How many bytes have come by now; goes back when an attempt starts over.
        bytes: u64,
        /// Its size, in bytes.
        total: u64,
        #[serde(flatten)]
        about: About<'a>,
    },
    /// Nothing happens for a while: a retry, another rulepack that is busy.
    Waiting {
        /// One short line for people.
        why: &'a str,
        /// How long, where that is known.
        seconds: Option<f64>,
        /// The code of what went wrong, where something did, such as `http-error` or `locked`.
        code: Option<&'a str>,
        #[serde(flatten)]
        about: About<'a>,
    },
    /// A package is in place, complete: whatever becomes of the run, it stays.
    Placed {
        /// What happened to it, in the words of `action` in `result.packages`.
        action: &'a str,
        #[serde(flatten)]
        about: About<'a>,
    },
    /// A warning, as it also stands in the answer of `--json`.
    Warning {
        code: &'a str,
        message: &'a str,
        #[serde(flatten)]
        about: About<'a>,
    },
}

/// What an event is about.
#[derive(Clone, Copy, Default, Serialize, JsonSchema)]
pub struct About<'a> {
    /// The id of a package.
    pub package: Option<&'a str>,
    /// The language of a language pack.
    pub language: Option<&'a str>,
    /// The kind of file that is downloaded.
    pub kind: Option<TransferKind>,
}

impl<'a> About<'a> {
    fn package(package: Option<&'a str>) -> Self {
        About { package, ..About::default() }
    }
}

#[derive(Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "DownloadState")]
pub enum State {
    Started,
    Advanced,
    Finished,
    Failed,
}

struct Download {
    transfer: Transfer,
    bytes: u64,
    /// How many bytes were last told, and when.
    told: (u64, Instant),
}

impl Download {
    fn of(transfer: &Transfer, now: Instant) -> Self {
        Download { transfer: transfer.clone(), bytes: 0, told: (0, now) }
    }

    fn event(&self, id: usize, state: State) -> Event<'_> {
        let Transfer { label, package, language, kind, bytes: total } = &self.transfer;
        let about = About { package: package.as_deref(), language: language.as_deref(), kind: Some(*kind) };
        Event::Download { state, id, label, bytes: self.bytes, total: *total, about }
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

fn line(event: &Event<'_>) -> String {
    // Texts and numbers always serialise; there is nothing else in an event.
    json_safe(serde_json::to_string(event).unwrap_or_default())
}

impl Events {
    pub fn new(into: impl Write + 'static) -> Self {
        Events { into: RefCell::new(Box::new(into)), downloads: RefCell::default(), package: RefCell::default() }
    }

    fn emit(&self, event: &Event<'_>) {
        self.text((line(event) + "\n").as_bytes());
    }
}

impl Reporter for Events {
    fn step(&self, text: &str, package: Option<&str>) {
        self.package.replace(package.map(str::to_owned));
        self.emit(&Event::Step { text, about: About::package(package) });
    }

    fn step_advanced(&self, done: u64, of: u64) {
        self.emit(&Event::Advanced { done, of, about: About::package(self.package.borrow().as_deref()) });
    }

    fn download_started(&self, id: usize, transfer: &Transfer) {
        let download = Download::of(transfer, Instant::now());
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
        let Wait { why, seconds, code, package, language, kind } = wait;
        let about = About { package: package.as_deref(), language: language.as_deref(), kind: *kind };
        self.emit(&Event::Waiting { why, seconds: *seconds, code: code.map(Code::as_str), about });
    }

    fn placed(&self, package: &str, action: &str) {
        self.emit(&Event::Placed { action, about: About::package(Some(package)) });
    }
}

impl Face for Events {
    fn warning(&self, warning: &Warning) {
        let Warning { code, message, package } = warning;
        self.emit(&Event::Warning { code: code.as_str(), message, about: About::package(package.as_deref()) });
    }

    fn text(&self, text: &[u8]) {
        // Nobody is there to hear of it, and the work does not depend on it.
        let _ = self.into.borrow_mut().write_all(text);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Written, transfer, wait};
    use super::*;
    use crate::types::codes;
    use serde_json::{Value, json};

    #[test]
    fn every_line_is_one_event_with_every_key() {
        let written = Written::default();
        let events = Events::new(written.clone());
        events.step("Reading\nthe \u{202e}catalog", None);
        events.step("Unpacking", Some("ember-roads"));
        events.step_advanced(2, 5);
        let pack = TransferKind::LanguagePack;
        let (package, language) = (Some("ember-roads".to_owned()), Some("ru".to_owned()));
        events.download_started(3, &Transfer { package, language, kind: pack, ..transfer("ember-roads 1.0.0", 10) });
        events.download_advanced(3, 10);
        events.download_advanced(9, 10);
        events.download_finished(3, true);
        events.download_finished(3, true);
        events.waiting(&Wait { seconds: Some(1.5), code: Some(Code::HttpError), ..wait("busy") });
        events.placed("ember-roads", "updated");
        events.warning(&Warning::new(codes::STALE_CATALOG, "old \u{9b}copy").about("ember-roads"));
        let text = written.text();
        assert!(text.starts_with(r#"{"event":"step","text":"Reading\nthe \u202ecatalog","package":null"#), "{text}");
        assert!(text.ends_with("\n") && text.contains(r"old \u009bcopy"), "{text}");
        let seen: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let of = |package: Option<&str>, mut event: Value| {
            let about = json!({"package": package, "language": null, "kind": null});
            event.as_object_mut().unwrap().extend(about.as_object().unwrap().clone());
            event
        };
        let ours = Some("ember-roads");
        let download = |state, bytes| {
            json!({"event": "download", "state": state, "id": 3, "label": "ember-roads 1.0.0", "bytes": bytes,
                "total": 10, "package": ours, "language": "ru", "kind": "language-pack"})
        };
        assert_eq!(
            seen[1..],
            [
                of(ours, json!({"event": "step", "text": "Unpacking"})),
                of(ours, json!({"event": "advanced", "done": 2, "of": 5})),
                download("started", 0),
                download("advanced", 10),
                download("finished", 10),
                of(None, json!({"event": "waiting", "why": "busy", "seconds": 1.5, "code": "http-error"})),
                of(ours, json!({"event": "placed", "action": "updated"})),
                of(ours, json!({"event": "warning", "code": "stale-catalog", "message": "old \u{9b}copy"})),
            ]
        );
    }

    #[test]
    fn advances_are_told_ten_times_a_second_at_most() {
        let start = Instant::now();
        let mut download = Download::of(&transfer("", 1000), start);
        let told =
            (0..1000_u32).filter(|ms| download.advance(u64::from(*ms), start + Duration::from_millis((*ms).into())));
        assert_eq!(told.count(), 9);
        assert!(download.is_behind());
        assert!(!download.advance(900, start + BEAT * 20));
        assert!(download.advance(0, start + BEAT * 20));
        assert!(!download.is_behind());
    }
}
