use crate::face::show_verdict;
use crate::face::term::{Stream, count};
use crate::inspect::Summary;
use crate::types::Problem;

/// Shows how much was looked at and how much is wrong with it, and where to read more of that.
pub fn show_summary(summary: &Summary, problems: &[Problem], out: &mut Stream) {
    let looked = format!("{} checked", count(summary.files as u64, "file", "files"));
    if summary.files == 0 && problems.is_empty() {
        // What could not be looked at is a failure, told after this; nothing is known to be well.
        return out.line(looked);
    }
    show_verdict(&looked, (summary.errors, summary.warnings), problems, out);
}
