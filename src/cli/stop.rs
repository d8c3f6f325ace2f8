//! The end that the reader asks for: Ctrl-C, a polite kill, a terminal that goes away.
//!
//! The first signal asks the work to end at its next step and to tell what it came to; a second one ends the process at
//! once. Whatever holds the run up meanwhile, a reader that does not read or a disk that does not answer, it is over
//! within a second (docs/spec/commands.md#signals). That may be in the middle of a change: a killed run leaves nothing
//! that the next does not finish or undo.

use crate::types::Cancel;
use std::process;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// The exit code of a run that was interrupted.
const INTERRUPTED: i32 = 130;
/// How soon a signal is noticed.
const BEAT: Duration = Duration::from_millis(20);
/// How long after the signal the run may still tell what it came to. Then it is told on its behalf.
const TO_TELL: Duration = Duration::from_millis(600);
/// How long after the signal the process ends, whatever it does.
const TO_END: Duration = Duration::from_millis(750);

/// What is said where the work itself does not come to it.
pub type LastWords = Box<dyn FnOnce() + Send>;

/// The right to speak: whoever takes the last words answers for this run, once.
type Turn = Arc<Mutex<Option<LastWords>>>;

/// A run that can be stopped.
pub struct Stop {
    cancel: Cancel,
    turn: Turn,
}

impl Stop {
    /// Listens from here on.
    pub fn listen(last_words: LastWords) -> Self {
        let stop = Stop { cancel: Cancel::default(), turn: Arc::new(Mutex::new(Some(last_words))) };
        listen_for_signals(&stop.cancel);
        let (cancel, turn) = (stop.cancel.clone(), Arc::clone(&stop.turn));
        // Without a thread for it, a first signal still asks and a second one still ends the process.
        let _ = thread::Builder::new().name("stop".into()).spawn(move || watch(&cancel, &turn));
        stop
    }

    /// The same for a run that only has a text to print.
    pub fn listen_while_printing() {
        Stop::listen(Box::new(|| {})).begin_to_tell();
    }

    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// From here on the run speaks for itself. Does not return when that was done on its behalf: the process ends.
    pub fn begin_to_tell(&self) {
        if take(&self.turn).is_none() {
            loop {
                thread::park();
            }
        }
    }
}

fn take(turn: &Turn) -> Option<LastWords> {
    turn.lock().unwrap_or_else(PoisonError::into_inner).take()
}

fn watch(cancel: &Cancel, turn: &Turn) {
    while !cancel.is_asked() {
        thread::sleep(BEAT);
    }
    let turn = Arc::clone(turn);
    // On a thread of its own, since telling may wait for a reader as well.
    let _ = thread::Builder::new().name("last words".into()).spawn(move || {
        thread::sleep(TO_TELL);
        if let Some(last_words) = take(&turn) {
            last_words();
            process::exit(INTERRUPTED);
        }
    });
    thread::sleep(TO_END);
    process::exit(INTERRUPTED);
}

#[cfg(unix)]
fn listen_for_signals(cancel: &Cancel) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        // The order counts: what ends the process is asked before the flag is set for the first time. That a signal
        // cannot be listened for only means that it does what it always does.
        let _ = signal_hook::flag::register_conditional_shutdown(signal, INTERRUPTED, cancel.flag().clone());
        let _ = signal_hook::flag::register(signal, cancel.flag().clone());
    }
}

/// Ctrl-C, Ctrl-Break, and what ends a console.
#[cfg(windows)]
fn listen_for_signals(cancel: &Cancel) {
    use std::sync::atomic::Ordering;
    let asked = cancel.flag().clone();
    let _ = ctrlc::set_handler(move || {
        if asked.swap(true, Ordering::Relaxed) {
            process::exit(INTERRUPTED);
        }
    });
}

#[cfg(not(any(unix, windows)))]
fn listen_for_signals(_: &Cancel) {}
