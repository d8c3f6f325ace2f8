use super::findings::show_problems;
use crate::cli::answer::{Report, to_json};
use crate::cli::args::Format;
use crate::cli::github::annotation;
use crate::cli::term::{Role, Stream, clean, count};
use crate::contentpack::rules::AuditReport;
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
        let palette = out.look().palette;
        let summary = &self.report.summary;
        let number = |number: usize, one: &str, many: &str| count(number as u64, one, many);
        let looked = [
            number(summary.rules, "rule", "rules"),
            number(summary.worlds, "world", "worlds"),
            number(summary.packs, "pack", "packs"),
        ];
        let (errors, warnings) = (summary.errors, summary.warnings);
        let told: Vec<String> = [(errors, "error", "errors"), (warnings, "warning", "warnings")]
            .into_iter()
            .filter(|(found, ..)| *found > 0)
            .map(|(found, one, many)| number(found, one, many))
            .collect();
        let (role, told) = match (errors, warnings) {
            (0, 0) => (Role::Ok, "all is well".to_owned()),
            (0, _) => (Role::Warn, told.join(", ")),
            _ => (Role::Error, told.join(", ")),
        };
        out.line(format!("{} audited: {}", looked.join(", "), palette.paint(role, told)));
        if let Some(worst) = self.report.problems.iter().min_by_key(|problem| problem.severity) {
            out.line(format!("`rulepack explain {}` tells what a code means and how to mend it.", clean(&worst.code)));
        }
    }
}

impl Report for AuditedRules {
    fn json(&self) -> Box<RawValue> {
        to_json(&self.report)
    }

    fn show(&self, out: &mut Stream, _verbose: bool) {
        if self.format == Format::Github {
            self.report.problems.iter().for_each(|problem| out.line(annotation(problem, &self.base)));
            return;
        }
        show_problems(&self.report.problems, &self.base, out);
        self.show_summary(out);
    }

    fn show_aside(&self, err: &mut Stream) {
        if self.format == Format::Github {
            self.show_summary(err);
        }
    }
}
