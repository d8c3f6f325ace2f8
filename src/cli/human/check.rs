use super::summary::show_summary;
use crate::face::term::{Role, Stream, clean, count, cut};
use crate::face::{Format, Report, annotation, show_problems, shown_path, to_json};
use crate::inspect::{CheckReport, MinimumApi, SheetLosses};
use serde_json::value::RawValue;
use std::path::{Path, PathBuf};

/// The most places told of what needs an API.
const PLACES: usize = 3;
/// The most values told of what a sheet loses, unless all are asked for.
const LOSSES: usize = 20;
/// The most columns of a value that is lost.
const WIDEST: usize = 60;

/// What `check` tells.
pub struct Check {
    pub report: CheckReport,
    /// What was looked at, by path, in words.
    pub looked_at: Vec<(String, String)>,
    pub format: Format,
    /// Paths below this folder are shown from there on.
    pub base: PathBuf,
}

impl Report for Check {
    fn json(&self) -> Box<RawValue> {
        to_json(&self.report)
    }

    fn show(&self, out: &mut Stream, verbose: bool) {
        let Check { report, looked_at, format, base } = self;
        if *format == Format::Github {
            report.problems.iter().for_each(|problem| out.line(annotation(problem, base)));
            return;
        }
        show_problems(&report.problems, base, verbose, out);
        if report.problems.is_empty() || verbose {
            for (path, what) in looked_at {
                out.line(format!("{}: {}", clean(shown_path(path, base)), clean(what)));
            }
        }
        report.minimum_api.iter().for_each(|minimum| show_minimum(minimum, base, out));
        report.sheets.iter().flatten().for_each(|sheet| show_losses(sheet, base, verbose, out));
        show_summary(&report.summary, &report.problems, out);
    }

    fn show_aside(&self, err: &mut Stream) {
        if self.format == Format::Github {
            show_summary(&self.report.summary, &self.report.problems, err);
        }
    }
}

/// What a sheet loses, a value a line. Why one was left alone is told as a failure.
fn show_losses(sheet: &SheetLosses, base: &Path, verbose: bool, out: &mut Stream) {
    let SheetLosses { source, lost, more, refused } = sheet;
    if refused.is_some() {
        return;
    }
    let source = clean(shown_path(source, base)).into_owned();
    let all = lost.len() + more;
    if all == 0 {
        return out.line(format!("{source} loses nothing"));
    }
    out.line(format!("{source} loses {}:", count(all as u64, "value", "values")));
    let told = if verbose { lost.len() } else { lost.len().min(LOSSES) };
    for lost in &lost[..told] {
        let value = lost.value.to_string();
        let value = cut(clean(&value), WIDEST);
        out.line(format!("  {} {value}: {}", clean(&lost.pointer), clean(&lost.why)));
    }
    if all > told {
        out.line(format!("  and {} more", all - told));
    }
}

fn show_minimum(minimum: &MinimumApi, base: &Path, out: &mut Stream) {
    let palette = out.look().palette;
    let file = clean(shown_path(&minimum.file, base)).into_owned();
    let api = palette.paint(Role::Strong, &minimum.api);
    out.line(format!(
        "{file} needs Capability API {api} or newer{}",
        if minimum.needed_by.is_empty() { "" } else { ":" }
    ));
    for needed in minimum.needed_by.iter().take(PLACES) {
        let place = format!("{}:{}:{}", clean(shown_path(&needed.file, base)), needed.line, needed.column);
        out.line(format!("  {} {}", clean(&needed.feature), palette.paint(Role::Dim, format!("at {place}"))));
    }
    match minimum.needed_by.len().saturating_sub(PLACES) {
        0 => {}
        more => out.line(format!("  and in {} more", count(more as u64, "place", "places"))),
    }
}
