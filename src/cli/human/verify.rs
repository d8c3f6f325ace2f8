use super::summary::show_summary;
use crate::face::term::{Cell, Column, Role, Stream, Table};
use crate::face::{Format, Report, annotation, show_problems, to_json};
use crate::publish::verify::{Coverage, Verification};
use crate::types::Problem;
use serde_json::value::RawValue;
use std::path::PathBuf;

/// What `catalog verify` tells.
pub struct Verify {
    pub verification: Verification,
    pub format: Format,
    /// Paths below this folder are shown from there on.
    pub base: PathBuf,
}

impl Report for Verify {
    fn json(&self) -> Box<RawValue> {
        to_json(&self.verification)
    }

    fn show(&self, out: &mut Stream, verbose: bool) {
        let Verification { problems, summary, coverage, .. } = &self.verification;
        if self.format == Format::Github {
            problems
                .iter()
                .map(|problem| self.on_disk(problem))
                .for_each(|problem| out.line(annotation(&problem, &self.base)));
            return;
        }
        show_problems(problems, &self.base, verbose, out);
        show_coverage(coverage, verbose, out);
        show_summary(summary, problems, out);
    }

    fn show_aside(&self, err: &mut Stream) {
        if self.format == Format::Github {
            show_summary(&self.verification.summary, &self.verification.problems, err);
        }
    }
}

impl Verify {
    /// The finding with the path its file has on this disk, if it has one: GitHub shows annotations beside files of the
    /// repository only.
    fn on_disk(&self, problem: &Problem) -> Problem {
        let path = |file: &Option<String>| {
            let file = file.as_deref()?;
            let (outer, inner) = file.split_once('!').map_or((file, None), |(outer, inner)| (outer, Some(inner)));
            let path = self.verification.path_of(outer)?.to_str()?.to_owned();
            Some(inner.map_or_else(|| path.clone(), |inner| format!("{path}!{inner}")))
        };
        Problem {
            file: path(&problem.file).or_else(|| problem.file.clone()),
            artifact: path(&problem.artifact).or_else(|| problem.artifact.clone()),
            ..problem.clone()
        }
    }
}

/// A row for each ruleset: how many strings there are to translate, and how much of them each language has. What is
/// translated and no longer shown is told for whoever asked for more.
fn show_coverage(coverage: &[Coverage], verbose: bool, out: &mut Stream) {
    let columns = [Column::left("RULESET").role(Role::Id), Column::right("STRINGS"), Column::left("TRANSLATED")];
    let mut table = Table::new(columns);
    for of_one in coverage.chunk_by(|one, next| one.id == next.id) {
        let [first, ..] = of_one else { continue };
        let language = |covered: &Coverage| {
            let stale = match covered.stale {
                stale @ 1.. if verbose => format!(" ({stale} stale)"),
                _ => String::new(),
            };
            format!("{} {}%{stale}", covered.language, covered.percent())
        };
        let languages: Vec<String> = of_one.iter().map(language).collect();
        table.push([Cell::new(&first.id), Cell::new(first.strings), Cell::new(languages.join(", "))]);
    }
    if !table.is_empty() {
        out.print(&table.render(out.look()));
        out.line("");
    }
}
