use super::Face;
use crate::face::term::clean;
use crate::types::{ByteSize, Reporter, Transfer, Wait};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::Write;

/// One line a step, one for each download once it is there: for logs and for terminals that cannot move their cursor.
pub struct Lines {
    into: RefCell<Box<dyn Write>>,
    /// Label and size of the downloads under way.
    downloads: RefCell<BTreeMap<usize, (String, ByteSize)>>,
}

impl Lines {
    pub fn new(into: impl Write + 'static) -> Self {
        Lines { into: RefCell::new(Box::new(into)), downloads: RefCell::default() }
    }

    fn line(&self, text: &str) {
        let line = format!("{}\n", clean(text));
        // Nobody is there to hear of it, and the work does not depend on it.
        let _ = self.into.borrow_mut().write_all(line.as_bytes());
    }
}

impl Reporter for Lines {
    fn step(&self, text: &str, _package: Option<&str>) {
        self.line(text);
    }

    fn download_started(&self, download: usize, transfer: &Transfer) {
        self.downloads.borrow_mut().insert(download, (transfer.label.clone(), ByteSize(transfer.bytes)));
    }

    /// A download that failed gets no line: the report says why.
    fn download_finished(&self, download: usize, done: bool) {
        let ended = self.downloads.borrow_mut().remove(&download);
        if let Some((label, size)) = ended.filter(|_| done) {
            self.line(&format!("Fetched {label} ({size})"));
        }
    }

    fn waiting(&self, wait: &Wait) {
        self.line(&wait.why);
    }
}

impl Face for Lines {}

#[cfg(test)]
mod tests {
    use super::super::tests::{Written, transfer, wait};
    use super::*;

    #[test]
    fn a_line_a_step_and_one_a_download() {
        let written = Written::default();
        let lines = Lines::new(written.clone());
        lines.step("Reading the catalog", None);
        lines.download_started(0, &transfer("ember-roads 1.0.0", 1_363_149));
        lines.download_started(1, &transfer("bad\u{1b}[2J\n", 1));
        lines.download_advanced(0, 4096);
        lines.download_finished(1, true);
        lines.download_finished(0, true);
        lines.download_started(0, &transfer("other", 1));
        lines.download_finished(0, false);
        lines.download_finished(7, true);
        lines.waiting(&wait("Trying again in 2 seconds: the server is busy"));
        // The report says it.
        lines.placed("ember-roads", "rolled-back");
        assert_eq!(
            written.text(),
            "Reading the catalog\nFetched bad\\u{1b}[2J\\n (1 B)\nFetched ember-roads 1.0.0 (1.3 MiB)\nTrying again in \
             2 seconds: the server is busy\n"
        );
    }
}
