use super::Face;
use crate::face::term::{clean, shorten};
use crate::types::{Reporter, Transfer, Wait};
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeMap;

/// How many columns of a label are shown beside its bar.
const LABEL: usize = 24;

/// A line for the step that goes on, a bar for how far it is where that is known, and one for each download, redrawn in
/// place and gone when this is dropped.
pub struct Bars {
    all: MultiProgress,
    /// Drawn from the first text on: an empty spinner says nothing.
    step: OnceCell<ProgressBar>,
    step_style: ProgressStyle,
    step_text: RefCell<String>,
    /// How far the step is.
    step_bar: RefCell<Option<ProgressBar>>,
    waiting: Cell<bool>,
    downloads: RefCell<BTreeMap<usize, ProgressBar>>,
    bar_style: ProgressStyle,
}

impl Bars {
    /// Bars on stderr, or nothing where it cannot show them.
    pub fn on_stderr(coloured: bool) -> Option<Self> {
        let all = MultiProgress::with_draw_target(ProgressDrawTarget::stderr());
        (!all.is_hidden()).then(|| Bars::new(all, coloured))
    }

    fn new(all: MultiProgress, coloured: bool) -> Self {
        let (step_style, bar_style) = styles(coloured);
        Bars {
            all,
            step: OnceCell::new(),
            step_style,
            step_text: RefCell::default(),
            step_bar: RefCell::default(),
            waiting: Cell::new(false),
            downloads: RefCell::default(),
            bar_style,
        }
    }

    fn say(&self, text: &str) {
        let step = self
            .step
            .get_or_init(|| self.all.insert(0, ProgressBar::new_spinner().with_style(self.step_style.clone())));
        step.set_message(clean(text).into_owned());
    }

    /// Whatever was waited for has come.
    fn goes_on(&self) {
        if self.waiting.replace(false) {
            self.say(&self.step_text.borrow());
        }
    }
}

/// How far a step is.
const STEP_BAR: &str = "  {wide_bar} {pos:>7} of {len} {eta:>4}";

/// How the step and a download are laid out; a bar is left from 60 columns on.
fn templates(coloured: bool) -> (&'static str, &'static str) {
    if coloured {
        ("{spinner:.cyan} {wide_msg}", "  {msg:24} {wide_bar:.cyan/dim} {bytes:>10} {bytes_per_sec:>12} {eta:>4}")
    } else {
        ("{spinner} {wide_msg}", "  {msg:24} {wide_bar} {bytes:>10} {bytes_per_sec:>12} {eta:>4}")
    }
}

fn styles(coloured: bool) -> (ProgressStyle, ProgressStyle) {
    let (step, bar) = templates(coloured);
    // A template that did not parse would cost the looks, not the work; a test holds that these do.
    let spinner = ProgressStyle::with_template(step).unwrap_or_else(|_| ProgressStyle::default_spinner());
    let bar = ProgressStyle::with_template(bar).unwrap_or_else(|_| ProgressStyle::default_bar());
    (spinner, bar)
}

impl Reporter for Bars {
    fn step(&self, text: &str, _package: Option<&str>) {
        self.waiting.set(false);
        self.step_text.replace(text.to_owned());
        self.step_bar.take().iter().for_each(ProgressBar::finish_and_clear);
        self.say(text);
    }

    fn step_advanced(&self, done: u64, of: u64) {
        self.goes_on();
        let mut bar = self.step_bar.borrow_mut();
        let bar = bar.get_or_insert_with(|| {
            let style = ProgressStyle::with_template(STEP_BAR).unwrap_or_else(|_| ProgressStyle::default_bar());
            self.all.add(ProgressBar::new(of).with_style(style))
        });
        bar.set_length(of);
        bar.set_position(done);
    }

    fn download_started(&self, download: usize, transfer: &Transfer) {
        self.goes_on();
        let bar = self.all.add(ProgressBar::new(transfer.bytes).with_style(self.bar_style.clone()));
        bar.set_message(shorten(&transfer.label, LABEL).into_owned());
        if let Some(same) = self.downloads.borrow_mut().insert(download, bar) {
            same.finish_and_clear();
        }
    }

    fn download_advanced(&self, download: usize, bytes: u64) {
        self.goes_on();
        if let Some(bar) = self.downloads.borrow().get(&download) {
            bar.set_position(bytes);
        }
    }

    fn download_finished(&self, download: usize, _done: bool) {
        self.goes_on();
        if let Some(bar) = self.downloads.borrow_mut().remove(&download) {
            bar.finish_and_clear();
            self.all.remove(&bar);
        }
    }

    fn waiting(&self, wait: &Wait) {
        self.waiting.set(true);
        self.say(&wait.why);
    }

    /// Shown until something goes on, like a wait.
    fn placed(&self, package: &str, action: &str) {
        self.waiting.set(true);
        self.say(&super::placed(package, action));
    }
}

impl Face for Bars {
    fn tick(&self) {
        if let Some(step) = self.step.get() {
            step.tick();
        }
    }
}

impl Drop for Bars {
    fn drop(&mut self) {
        for bar in self.downloads.borrow().values() {
            bar.finish_and_clear();
        }
        self.step_bar.take().iter().for_each(ProgressBar::finish_and_clear);
        if let Some(step) = self.step.get() {
            step.finish_and_clear();
        }
        // The report stands alone. A terminal that cannot be cleared is gone.
        let _ = self.all.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{transfer, wait};
    use super::*;
    use indicatif::TermLike;
    use std::io;
    use std::sync::{Arc, Mutex};

    const WIDTH: u16 = 120;

    /// A terminal just good enough to know what is on it.
    #[derive(Clone, Debug, Default)]
    struct Terminal(Arc<Mutex<Shown>>);

    #[derive(Debug, Default)]
    struct Shown {
        lines: Vec<String>,
        row: usize,
        column: usize,
    }

    impl Terminal {
        fn shown(&self) -> Vec<String> {
            let lines = &self.0.lock().unwrap().lines;
            lines.iter().map(|line| line.trim_end().to_owned()).filter(|line| !line.is_empty()).collect()
        }

        fn with(&self, change: impl FnOnce(&mut Shown)) -> io::Result<()> {
            change(&mut self.0.lock().unwrap());
            Ok(())
        }
    }

    impl Shown {
        fn put(&mut self, text: &str) {
            for c in text.chars() {
                // As terminals do: at the right edge only the next character goes to the next line.
                if c != '\r' && c != '\n' && self.column == usize::from(WIDTH) {
                    (self.row, self.column) = (self.row + 1, 0);
                }
                match c {
                    '\r' => self.column = 0,
                    '\n' => (self.row, self.column) = (self.row + 1, 0),
                    c => {
                        let rows = self.lines.len().max(self.row + 1);
                        self.lines.resize(rows, String::new());
                        let mut line: Vec<char> = self.lines[self.row].chars().collect();
                        line.resize(line.len().max(self.column + 1), ' ');
                        line[self.column] = c;
                        self.lines[self.row] = line.into_iter().collect();
                        self.column += 1;
                    }
                }
            }
        }
    }

    impl TermLike for Terminal {
        fn width(&self) -> u16 {
            WIDTH
        }

        fn move_cursor_up(&self, n: usize) -> io::Result<()> {
            self.with(|shown| shown.row = shown.row.saturating_sub(n))
        }

        fn move_cursor_down(&self, n: usize) -> io::Result<()> {
            self.with(|shown| shown.row += n)
        }

        fn move_cursor_right(&self, n: usize) -> io::Result<()> {
            self.with(|shown| shown.column += n)
        }

        fn move_cursor_left(&self, n: usize) -> io::Result<()> {
            self.with(|shown| shown.column = shown.column.saturating_sub(n))
        }

        fn write_line(&self, text: &str) -> io::Result<()> {
            self.with(|shown| {
                shown.put(text);
                shown.put("\n");
            })
        }

        fn write_str(&self, text: &str) -> io::Result<()> {
            self.with(|shown| shown.put(text))
        }

        fn clear_line(&self) -> io::Result<()> {
            self.with(|shown| {
                shown.column = 0;
                if let Some(line) = shown.lines.get_mut(shown.row) {
                    line.clear();
                }
            })
        }

        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    fn bars(terminal: &Terminal) -> Bars {
        let target = ProgressDrawTarget::term_like(Box::new(terminal.clone()));
        Bars::new(MultiProgress::with_draw_target(target), false)
    }

    #[test]
    fn a_step_and_a_bar_for_each_download_and_nothing_left_at_the_end() {
        let terminal = Terminal::default();
        let bars = bars(&terminal);
        bars.step("Reading the catalog", None);
        assert!(terminal.shown()[0].ends_with("Reading the catalog"), "{:?}", terminal.shown());
        bars.download_started(0, &transfer("ember-roads 1.0.0", 2048));
        bars.download_started(1, &transfer("bad\u{1b}[2J\u{202e} of a length that no line has room for", 10));
        bars.download_advanced(0, 1024);
        bars.download_advanced(5, 1);
        let shown = terminal.shown();
        assert_eq!(shown.len(), 3, "{shown:?}");
        assert!(shown[1].contains("ember-roads 1.0.0") && shown[1].contains("1.00 KiB"), "{shown:?}");
        assert!(shown[2].contains(r"bad\u{1b}[2J\u{202e} of…"), "{shown:?}");
        bars.download_finished(1, false);
        assert_eq!(terminal.shown().len(), 2);
        drop(bars);
        assert_eq!(terminal.shown(), [""; 0]);
    }

    #[test]
    fn a_wait_is_shown_until_something_goes_on() {
        let terminal = Terminal::default();
        let bars = bars(&terminal);
        bars.step("Fetching", None);
        bars.download_started(0, &transfer("ember-roads", 10));
        bars.waiting(&wait("Trying again in 2 seconds"));
        assert!(terminal.shown()[0].ends_with("Trying again in 2 seconds"));
        bars.download_advanced(0, 5);
        assert!(terminal.shown()[0].ends_with("Fetching"));
    }

    #[test]
    fn the_templates_parse() {
        for coloured in [true, false] {
            let (step, bar) = templates(coloured);
            assert!(ProgressStyle::with_template(step).is_ok() && ProgressStyle::with_template(bar).is_ok());
        }
    }
}
