use crate::app::Diagnosis;
use crate::face::term::{Role, Stream, clean, count};
use crate::face::{Report, to_json};
use crate::types::Severity;
use serde_json::value::RawValue;

/// A diagnosis, and whether mending was asked for.
pub struct Checkup {
    pub diagnosis: Diagnosis,
    pub repair: bool,
}

impl Report for Checkup {
    fn json(&self) -> Box<RawValue> {
        to_json(&self.diagnosis)
    }

    fn show(&self, out: &mut Stream, _verbose: bool) {
        let palette = out.look().palette;
        let Diagnosis { problems, summary, repaired } = &self.diagnosis;
        for mended in repaired {
            let package = mended.package.as_deref().map(|package| format!("{}: ", clean(package))).unwrap_or_default();
            let word = palette.paint(Role::Ok, format!("mended[{}]:", mended.code));
            out.line(format!("{word} {package}{}", clean(&mended.action)));
        }
        for problem in problems {
            let (word, role) = match problem.severity {
                Severity::Error => ("error", Role::Error),
                Severity::Warning => ("warning", Role::Warn),
            };
            let package = problem.package.as_deref().map(|package| format!("{}: ", clean(package))).unwrap_or_default();
            let word = palette.paint(role, format!("{word}[{}]:", problem.code));
            out.line(format!("{word} {package}{}", clean(&problem.message)));
            if let Some(file) = &problem.file {
                out.line(format!("  file: {}", clean(file)));
            }
            if let Some(hint) = &problem.hint {
                out.line(format!("  hint: {}", clean(hint)));
            }
        }
        let looked = format!(
            "{} and {} checked",
            count(summary.packages as u64, "ruleset", "rulesets"),
            count(summary.files as u64, "file", "files")
        );
        let found = match (summary.errors, summary.warnings) {
            (0, 0) => "no problems found".to_owned(),
            (errors, warnings) => format!(
                "{}, {}",
                count(errors as u64, "error", "errors"),
                count(warnings as u64, "warning", "warnings")
            ),
        };
        out.line(format!("{looked}: {found}"));
        if summary.errors > 0 && !self.repair {
            out.line("`rulepack doctor --repair` repairs what can be repaired.");
        }
    }
}
