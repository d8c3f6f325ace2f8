use super::{Colour, Look, Palette};
use crate::types::{Code, Failure};
use anstream::AutoStream;
use anstream::stream::{AsLockedWrite, RawStream};
use std::io::{self, ErrorKind, IsTerminal, Write};

/// The columns taken for a terminal that does not tell how many it has.
const USUAL_WIDTH: usize = 80;

/// Where results go (`out`) and everything else (`err`). The one place that writes to either, progress apart.
pub struct Screen {
    pub out: Stream,
    pub err: Stream,
}

impl Screen {
    /// The process's own stdout and stderr. Neither is kept locked: a progress bar draws on stderr from its own thread.
    pub fn of_process(colour: Colour, variable: impl Fn(&str) -> Option<String>) -> Self {
        let look = |terminal: bool, columns: Option<terminal_size::Width>| Look {
            palette: Palette::new(colour.decide(&variable, terminal)),
            width: if terminal { columns.map_or(USUAL_WIDTH, |width| width.0.into()) } else { usize::MAX },
            terminal,
        };
        let (out, err) = (io::stdout(), io::stderr());
        let out_look = look(out.is_terminal(), terminal_size::terminal_size_of(&out).map(|size| size.0));
        let err_look = look(err.is_terminal(), terminal_size::terminal_size_of(&err).map(|size| size.0));
        Screen::looking(out_look, err_look)
    }

    /// The same where it is known how both look.
    pub fn looking(out: Look, err: Look) -> Self {
        Screen { out: stream(io::stdout(), out), err: stream(io::stderr(), err) }
    }

    /// Flushes both. A reader that went away is no failure; anything else that kept text from being written is, and
    /// results count before the rest. That results were lost is told on stderr, since nobody else will.
    pub fn finish(self) -> Result<(), Failure> {
        let Screen { out, mut err } = self;
        let out = out.finish().map_err(|error| unwritten("stdout", &error));
        if let Err(lost) = &out {
            err.print(&super::failure(lost, err.look()));
        }
        let err = err.finish().map_err(|error| unwritten("stderr", &error));
        out.and(err)
    }
}

fn unwritten(stream: &str, error: &io::Error) -> Failure {
    Failure::new(Code::of_io(error), format!("cannot write to {stream}: {error}"))
}

/// Consoles of older Windows versions obey no escape sequences; there anstream turns them into calls.
fn stream(raw: impl RawStream + AsLockedWrite + 'static, look: Look) -> Stream {
    if look.palette.is_coloured() { Stream::new(AutoStream::always(raw), look) } else { Stream::new(raw, look) }
}

/// One of the two streams: a writer, and how text for it is laid out.
///
/// Writing never fails on the spot. Once the reader has gone away (`| head`) the rest is dropped without a word; any
/// other error is kept for the end.
pub struct Stream {
    into: Box<dyn Write>,
    look: Look,
    state: State,
}

enum State {
    /// Nothing was written, so there is nothing to flush: that would wait for whoever writes to the same stream.
    Unused,
    Open,
    ReaderGone,
    Failed(io::Error),
}

impl Stream {
    pub fn new(into: impl Write + 'static, look: Look) -> Self {
        Stream { into: Box::new(into), look, state: State::Unused }
    }

    pub fn look(&self) -> Look {
        self.look
    }

    /// Writes the text as it is.
    pub fn print(&mut self, text: &str) {
        if matches!(self.state, State::Unused | State::Open) && !text.is_empty() {
            let written = self.into.write_all(text.as_bytes());
            self.note(written);
        }
    }

    /// Writes the text and ends the line.
    pub fn line(&mut self, text: impl std::fmt::Display) {
        self.print(&format!("{text}\n"));
    }

    fn note(&mut self, written: io::Result<()>) {
        match written {
            Ok(()) => self.state = State::Open,
            Err(error) if error.kind() == ErrorKind::BrokenPipe => self.state = State::ReaderGone,
            Err(error) => self.state = State::Failed(error),
        }
    }

    fn finish(mut self) -> io::Result<()> {
        if matches!(self.state, State::Open) {
            let flushed = self.into.flush();
            self.note(flushed);
        }
        match self.state {
            State::Unused | State::Open | State::ReaderGone => Ok(()),
            State::Failed(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::rc::Rc;

    /// Takes some writes, then fails in one way for ever.
    struct Failing {
        written: Rc<RefCell<Vec<u8>>>,
        writes_left: usize,
        with: ErrorKind,
    }

    impl Write for Failing {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.writes_left = self.writes_left.checked_sub(1).ok_or(self.with)?;
            self.written.borrow_mut().extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn screen(writes: usize, with: ErrorKind) -> (Screen, Rc<RefCell<Vec<u8>>>) {
        let written = Rc::new(RefCell::new(Vec::new()));
        let out = Stream::new(Failing { written: written.clone(), writes_left: writes, with }, Look::PLAIN);
        (Screen { out, err: Stream::new(io::sink(), Look::PLAIN) }, written)
    }

    #[test]
    fn a_reader_that_goes_away_is_no_failure() {
        let (mut screen, written) = screen(1, ErrorKind::BrokenPipe);
        for line in ["one", "two", "three"] {
            screen.out.line(line);
        }
        assert_eq!(screen.finish(), Ok(()));
        assert_eq!(*written.borrow(), b"one\n");
    }

    #[test]
    fn any_other_error_is_told_at_the_end() {
        let (mut screen, _) = screen(0, ErrorKind::StorageFull);
        screen.out.print("result");
        let failure = screen.finish().unwrap_err();
        assert_eq!(failure.code, Code::DiskFull);
        assert!(failure.message.starts_with("cannot write to stdout: "), "{failure}");

        let (mut screen, _) = self::screen(0, ErrorKind::PermissionDenied);
        screen.out.print("result");
        assert_eq!(screen.finish().unwrap_err().code, Code::Io);
    }
}
