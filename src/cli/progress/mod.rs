//! What people and programs see while work goes on: the three faces of [`Reporter`], all on stderr.
//!
//! Progress is a courtesy: a write that fails here is no failure of the work, one that blocks does not block it, and
//! nothing of it is needed to understand the report at the end.

mod aside;
mod bars;
mod events;
mod lines;

use crate::types::{Reporter, Silent, Warning};
use aside::Aside;
use bars::Bars;
pub use events::Event;
use events::Events;
use lines::Lines;
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
enum Kind {
    Bars,
    Lines,
    Events,
    Nothing,
}

impl Mode {
    fn face(self, setting: Setting) -> Kind {
        match self {
            // Asked for by name, so `--quiet` does not take it away: it is for programs, not for people.
            Mode::Json => Kind::Events,
            Mode::None => Kind::Nothing,
            Mode::Auto if setting.quiet || (setting.json && !setting.terminal) => Kind::Nothing,
            Mode::Auto if setting.terminal && !setting.dumb => Kind::Bars,
            Mode::Auto => Kind::Lines,
        }
    }
}

/// What shows progress: it hears what the work tells, and now and then that time went by.
pub trait Face: Reporter {
    /// Some time went by.
    fn tick(&self) {}

    /// What the report will warn of.
    fn warning(&self, _warning: &Warning) {}

    /// Text that goes to stderr as it is.
    fn text(&self, _text: &[u8]) {}
}

/// What people are told when a package is in place.
fn placed(package: &str, action: &str) -> String {
    format!("{package}: {}", action.replace('-', " "))
}

/// The progress of one run, for as long as it goes on.
pub struct Progress {
    kind: Kind,
    aside: Option<Aside>,
}

impl Progress {
    /// Begins to show it as it fits; where the system has no thread to spare, nothing is shown.
    pub fn start(mode: Mode, setting: Setting) -> Self {
        let kind = mode.face(setting);
        let make = move || -> Box<dyn Face> {
            match kind {
                Kind::Events => Box::new(Events::new(io::stderr())),
                // What counts is what indicatif finds: where it draws nothing, lines are better than nothing.
                Kind::Bars => match Bars::on_stderr(setting.coloured) {
                    Some(bars) => Box::new(bars),
                    None => Box::new(Lines::new(io::stderr())),
                },
                Kind::Lines | Kind::Nothing => Box::new(Lines::new(io::stderr())),
            }
        };
        let aside = if kind == Kind::Nothing { None } else { Aside::start(make) };
        Progress { kind, aside }
    }

    /// What the work tells it by.
    pub fn reporter(&self) -> Box<dyn Reporter> {
        self.aside.as_ref().and_then(Aside::reporter).unwrap_or_else(|| Box::new(Silent))
    }

    /// The work is done. What was drawn is gone when this returns, so that the report stands alone. Only events go on
    /// to the end of the run: stderr is theirs then, and everything else goes there by them.
    pub fn end(self) -> Option<Aside> {
        self.aside.filter(|_| self.kind == Kind::Events)
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
        crate::types::Wait { why: why.to_owned(), seconds: None, code: None, package: None, language: None, kind: None }
    }

    #[test]
    fn the_face_fits_the_setting() {
        let nowhere = Setting::default();
        let terminal = Setting { terminal: true, ..nowhere };
        assert_eq!(Mode::Auto.face(terminal), Kind::Bars);
        assert_eq!(Mode::Auto.face(nowhere), Kind::Lines);
        assert_eq!(Mode::Auto.face(Setting { dumb: true, ..terminal }), Kind::Lines);
        assert_eq!(Mode::Auto.face(Setting { quiet: true, ..terminal }), Kind::Nothing);
        assert_eq!(Mode::Auto.face(Setting { json: true, ..nowhere }), Kind::Nothing);
        assert_eq!(Mode::Auto.face(Setting { json: true, ..terminal }), Kind::Bars);
        assert_eq!(Mode::None.face(terminal), Kind::Nothing);
        assert_eq!(Mode::Json.face(Setting { json: true, quiet: true, ..nowhere }), Kind::Events);
    }
}
