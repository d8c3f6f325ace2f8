use super::{App, interrupted};
use crate::types::Failure;
use std::io::{self, Read};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// How long somebody who asked to stop waits at most while nothing comes.
const PATIENCE: Duration = Duration::from_millis(50);

impl App {
    /// All of stdin, or why it cannot be read. It is read on a thread of its own: a read that waits for a terminal hears
    /// nobody who asks to stop.
    ///
    /// # Errors
    ///
    /// When it is asked to stop.
    pub(super) fn stdin(&self) -> Result<io::Result<Vec<u8>>, Failure> {
        let (send, receive) = channel();
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let read = io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes);
            // Nobody listens any more who was asked to stop.
            let _ = send.send(read);
        });
        loop {
            match receive.recv_timeout(PATIENCE) {
                Ok(read) => return Ok(read),
                Err(RecvTimeoutError::Timeout) => self.stop_if_asked()?,
                Err(RecvTimeoutError::Disconnected) => return Err(interrupted()),
            }
        }
    }
}
