use super::Face;
use crate::types::{Reporter, Transfer, Wait, Warning};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The least time between two ticks of what is drawn.
const TICK: Duration = Duration::from_millis(120);
/// How much may wait to be told before it is no longer told how far things are.
const BUSY: usize = 256;
/// How much may wait before nothing more is taken down: nobody reads.
const FULL: usize = 16_384;
/// How long the end of the work waits for a reader who reads nothing.
const PATIENCE: Duration = Duration::from_millis(250);
/// How long it waits for one who reads slowly.
const MOST_PATIENCE: Duration = Duration::from_secs(1);

/// Progress on a thread of its own, so that a reader of stderr who does not read never holds up the work: what waits
/// to be told is bounded, and how far things are goes unsaid first.
///
/// Dropping it ends the telling: whatever was drawn is gone then, unless nobody takes it.
pub struct Aside {
    into: Option<Queue>,
    ended: Receiver<()>,
}

/// What there is to tell, as it goes from the work to the thread that tells it.
enum Told {
    Step { text: String, package: Option<String> },
    Advanced { done: u64, of: u64 },
    Started { download: usize, transfer: Transfer },
    Bytes { download: usize, bytes: u64 },
    Finished { download: usize, done: bool },
    Waiting(Wait),
    Placed { package: String, action: String },
    Warning(Warning),
    Text(Vec<u8>),
}

#[derive(Clone)]
struct Queue {
    into: Sender<Told>,
    length: Arc<AtomicUsize>,
}

impl Queue {
    /// Whether it was taken.
    fn put(&self, told: Told, most: usize) -> bool {
        if self.length.load(Ordering::Relaxed) >= most {
            return false;
        }
        self.length.fetch_add(1, Ordering::Relaxed);
        self.into.send(told).is_ok()
    }
}

impl Aside {
    /// Starts it with the face that `make` makes there. `None` where the system has no thread to spare: progress is a
    /// courtesy.
    pub fn start(make: impl FnOnce() -> Box<dyn Face> + Send + 'static) -> Option<Self> {
        let (into, heard) = channel();
        let (end, ended) = channel();
        let queue = Queue { into, length: Arc::default() };
        let length = Arc::clone(&queue.length);
        let tell = move || {
            // Sent by being dropped, however this ends.
            let _end: Sender<()> = end;
            tell_all(&*make(), &heard, &length);
        };
        thread::Builder::new().name("progress".into()).spawn(tell).ok()?;
        Some(Aside { into: Some(queue), ended })
    }

    pub fn reporter(&self) -> Option<Box<dyn Reporter>> {
        let queue = self.into.clone()?;
        Some(Box::new(Reports { queue, unsaid: RefCell::default() }))
    }

    pub fn warning(&self, warning: &Warning) {
        if let Some(queue) = &self.into {
            queue.put(Told::Warning(warning.clone()), FULL);
        }
    }

    /// For text that goes to stderr between events.
    pub fn writer(&self) -> Option<impl io::Write + use<>> {
        self.into.clone().map(Texts)
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        let Some(Queue { into, length }) = self.into.take() else { return };
        drop(into);
        let end = Instant::now() + MOST_PATIENCE;
        let mut left = length.load(Ordering::Relaxed);
        while self.ended.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            let now_left = length.load(Ordering::Relaxed);
            if now_left == left || Instant::now() > end {
                return;
            }
            left = now_left;
        }
    }
}

fn tell_all(face: &dyn Face, heard: &Receiver<Told>, length: &AtomicUsize) {
    let mut ticked = Instant::now();
    loop {
        match heard.recv_timeout(TICK) {
            Ok(told) => {
                tell(face, told);
                length.fetch_sub(1, Ordering::Relaxed);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        if ticked.elapsed() >= TICK {
            face.tick();
            ticked = Instant::now();
        }
    }
}

fn tell(face: &dyn Face, told: Told) {
    match told {
        Told::Step { text, package } => face.step(&text, package.as_deref()),
        Told::Advanced { done, of } => face.step_advanced(done, of),
        Told::Started { download, transfer } => face.download_started(download, &transfer),
        Told::Bytes { download, bytes } => face.download_advanced(download, bytes),
        Told::Finished { download, done } => face.download_finished(download, done),
        Told::Waiting(wait) => face.waiting(&wait),
        Told::Placed { package, action } => face.placed(&package, &action),
        Told::Warning(warning) => face.warning(&warning),
        Told::Text(text) => face.text(&text),
    }
}

/// What the work tells.
struct Reports {
    queue: Queue,
    /// How far downloads are that went on unsaid.
    unsaid: RefCell<BTreeMap<usize, u64>>,
}

impl Reports {
    fn put(&self, told: Told) {
        self.queue.put(told, FULL);
    }
}

impl Reporter for Reports {
    fn step(&self, text: &str, package: Option<&str>) {
        self.put(Told::Step { text: text.to_owned(), package: package.map(str::to_owned) });
    }

    fn step_advanced(&self, done: u64, of: u64) {
        self.queue.put(Told::Advanced { done, of }, if done < of { BUSY } else { FULL });
    }

    fn download_started(&self, download: usize, transfer: &Transfer) {
        self.put(Told::Started { download, transfer: transfer.clone() });
    }

    fn download_advanced(&self, download: usize, bytes: u64) {
        if self.queue.put(Told::Bytes { download, bytes }, BUSY) {
            self.unsaid.borrow_mut().remove(&download);
        } else {
            self.unsaid.borrow_mut().insert(download, bytes);
        }
    }

    fn download_finished(&self, download: usize, done: bool) {
        if let Some(bytes) = self.unsaid.borrow_mut().remove(&download) {
            self.put(Told::Bytes { download, bytes });
        }
        self.put(Told::Finished { download, done });
    }

    fn waiting(&self, wait: &Wait) {
        self.put(Told::Waiting(wait.clone()));
    }

    fn placed(&self, package: &str, action: &str) {
        self.put(Told::Placed { package: package.to_owned(), action: action.to_owned() });
    }
}

struct Texts(Queue);

impl io::Write for Texts {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.put(Told::Text(bytes.to_owned()), FULL);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;
    use std::sync::mpsc::sync_channel;

    /// Notes what it hears, once it is let go on.
    struct Noted {
        heard: Arc<Mutex<Vec<String>>>,
        go_on: Receiver<()>,
    }

    impl Noted {
        fn note(&self, text: String) {
            let _ = self.go_on.recv();
            self.heard.lock().unwrap().push(text);
        }
    }

    impl Reporter for Noted {
        fn step(&self, text: &str, _: Option<&str>) {
            self.note(text.to_owned());
        }

        fn download_advanced(&self, download: usize, bytes: u64) {
            self.note(format!("{download} at {bytes}"));
        }

        fn download_finished(&self, download: usize, done: bool) {
            self.note(format!("{download} {done}"));
        }
    }

    impl Face for Noted {}

    #[test]
    fn nobody_who_reads_holds_up_nothing_and_what_counts_is_told_when_somebody_does() {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let (let_go, go_on) = sync_channel::<()>(0);
        let noted = Arc::clone(&heard);
        let aside = Aside::start(move || Box::new(Noted { heard: noted, go_on })).unwrap();
        let reporter = aside.reporter().unwrap();
        reporter.step("first", None);
        (0..100_000).for_each(|bytes| reporter.download_advanced(7, bytes));
        reporter.download_finished(7, true);
        reporter.step("last", None);
        assert!(heard.lock().unwrap().is_empty());
        // From here on it is let go on without being asked.
        drop(let_go);
        drop(reporter);
        drop(aside);
        let heard = heard.lock().unwrap();
        assert_eq!(heard[..2], ["first", "7 at 0"]);
        assert_eq!(heard[heard.len() - 3..], ["7 at 99999", "7 true", "last"]);
        assert!(heard.len() < BUSY + 10, "{}", heard.len());
    }

    #[test]
    fn the_end_waits_for_nobody_who_does_not_read() {
        let (let_go, go_on) = sync_channel::<()>(0);
        let aside = Aside::start(move || Box::new(Noted { heard: Arc::default(), go_on })).unwrap();
        let reporter = aside.reporter().unwrap();
        (0..FULL * 2).for_each(|_| reporter.step("again", None));
        let queue = aside.into.clone().unwrap();
        assert!(queue.length.load(Ordering::Relaxed) <= FULL);
        drop((reporter, queue));
        let asked = Instant::now();
        drop(aside);
        assert!(asked.elapsed() < MOST_PATIENCE * 5, "{:?}", asked.elapsed());
        drop(let_go);
    }
}
