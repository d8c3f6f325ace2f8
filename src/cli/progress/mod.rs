//! What people and programs see while work goes on: the three faces of [`Reporter`], all on stderr.
//!
//! Progress is a courtesy: a write that fails here is no failure of the work, and nothing of it is needed to
//! understand the report at the end.

mod bars;
mod events;
mod lines;

use crate::types::{Reporter, Silent};
pub use bars::Bars;
pub use events::{Events, warning_event};
pub use lines::Lines;
use std::io;

/// What `--progress` asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Mode {
    /// Bars on a terminal, lines elsewhere; with --json nothing unless stderr is a terminal
    #[default]
    Auto,
    None,
    /// One JSON event a line on stderr
    Json,
}

/// Where and how the process runs, as far as progress depends on it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Setting {
    /// `--quiet`
    pub quiet: bool,
    /// `--json`
    pub json: bool,
    /// Whether stderr is a terminal.
    pub terminal: bool,
    /// Whether `TERM` says that the terminal cannot move its cursor.
    pub dumb: bool,
    /// Whether stderr is coloured.
    pub coloured: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Face {
    Bars,
    Lines,
    Events,
    Nothing,
}

impl Mode {
    fn face(self, setting: Setting) -> Face {
        match self {
            // Asked for by name, so `--quiet` does not take it away: it is for programs, not for people.
            Mode::Json => Face::Events,
            Mode::None => Face::Nothing,
            Mode::Auto if setting.quiet || (setting.json && !setting.terminal) => Face::Nothing,
            Mode::Auto if setting.terminal && !setting.dumb => Face::Bars,
            Mode::Auto => Face::Lines,
        }
    }
}

/// The reporter that fits. Bars disappear when it is dropped: drop it before anything else is written to stderr.
pub fn choose(mode: Mode, setting: Setting) -> Box<dyn Reporter> {
    match mode.face(setting) {
        Face::Nothing => Box::new(Silent),
        Face::Events => Box::new(Events::new(io::stderr())),
        Face::Lines => Box::new(Lines::new(io::stderr())),
        // What counts is what indicatif finds: where it draws nothing, lines are better than nothing.
        Face::Bars => match Bars::on_stderr(setting.coloured) {
            Some(bars) => Box::new(bars),
            None => Box::new(Lines::new(io::stderr())),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::rc::Rc;

    /// What was written, still readable when the writer has been given away.
    #[derive(Clone, Default)]
    pub(super) struct Written(Rc<RefCell<Vec<u8>>>);

    impl io::Write for Written {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.borrow_mut().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Written {
        pub(super) fn text(&self) -> String {
            String::from_utf8(self.0.borrow().clone()).unwrap()
        }
    }

    /// A download of this label and size, as tests tell it.
    pub(super) fn transfer(label: &str, bytes: u64) -> crate::types::Transfer {
        let kind = crate::types::TransferKind::Artifact;
        crate::types::Transfer { label: label.to_owned(), package: None, language: None, kind, bytes }
    }

    /// A wait without anything but its reason.
    pub(super) fn wait(why: &str) -> crate::types::Wait {
        crate::types::Wait { why: why.to_owned(), seconds: None, code: None, package: None }
    }

    #[test]
    fn the_face_fits_the_setting() {
        let nowhere = Setting::default();
        let terminal = Setting { terminal: true, ..nowhere };
        assert_eq!(Mode::Auto.face(terminal), Face::Bars);
        assert_eq!(Mode::Auto.face(nowhere), Face::Lines);
        assert_eq!(Mode::Auto.face(Setting { dumb: true, ..terminal }), Face::Lines);
        assert_eq!(Mode::Auto.face(Setting { quiet: true, ..terminal }), Face::Nothing);
        assert_eq!(Mode::Auto.face(Setting { json: true, ..nowhere }), Face::Nothing);
        assert_eq!(Mode::Auto.face(Setting { json: true, ..terminal }), Face::Bars);
        assert_eq!(Mode::None.face(terminal), Face::Nothing);
        assert_eq!(Mode::Json.face(Setting { json: true, quiet: true, ..nowhere }), Face::Events);
    }
}
