/// Hears what is going on while it goes on. The core never draws: it tells a reporter, and the command line
/// decides whether that becomes a bar, a line or an event.
///
/// Every method does nothing unless implemented.
pub trait Reporter {
    /// A step begins: one short line without a full stop, such as `Reading the catalog`.
    fn step(&self, _text: &str) {}

    /// So much of the step is done, of so much in all.
    fn step_advanced(&self, _done: u64, _of: u64) {}

    /// A download begins; `download` tells it from the others of this run.
    fn download_started(&self, _download: usize, _label: &str, _bytes: u64) {}

    /// So many of its bytes have come by now; goes back to a smaller number when an attempt starts over.
    fn download_advanced(&self, _download: usize, _bytes: u64) {}

    /// It ended, well or not.
    fn download_finished(&self, _download: usize, _done: bool) {}

    /// Nothing happens for a while, and why: a retry, a held lock.
    fn waiting(&self, _why: &str) {}
}

/// Hears nothing.
pub struct Silent;

impl Reporter for Silent {}
