use crate::diceframe::rules::AuditReport;
use crate::face::term::{Stream, count};
use crate::face::{Format, Report, annotation, show_problems, show_verdict, to_json};
use serde_json::value::RawValue;
use std::path::PathBuf;

/// What `audit rules` tells.
pub struct AuditedRules {
    pub report: AuditReport,
    pub format: Format,
    /// Paths below this folder are shown from there on.
    pub base: PathBuf,
}

impl AuditedRules {
    fn show_summary(&self, out: &mut Stream) {
        let summary = &self.report.summary;
        let looked = [
            count(summary.rules as u64, "rule", "rules"),
            count(summary.worlds as u64, "world", "worlds"),
            count(summary.packs as u64, "pack", "packs"),
        ];
        let done = format!("{} audited", looked.join(", "));
        show_verdict(&done, (summary.errors, summary.warnings), &self.report.problems, out);
    }
}

impl Report for AuditedRules {
    fn json(&self) -> Box<RawValue> {
        to_json(&self.report)
    }

    fn show(&self, out: &mut Stream, verbose: bool) {
        if self.format == Format::Github {
            self.report.problems.iter().for_each(|problem| out.line(annotation(problem, &self.base)));
            return;
        }
        show_problems(&self.report.problems, &self.base, verbose, out);
        self.show_summary(out);
    }

    fn show_aside(&self, err: &mut Stream) {
        if self.format == Format::Github {
            self.show_summary(err);
        }
    }
}
