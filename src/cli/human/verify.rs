use crate::face::term::{Cell, Column, Role, Stream, Table, count};
use crate::face::{Format, Report, annotation, show_problems, show_verdict, to_json};
use crate::publish::verify::{Coverage, LeftOut, OfKinds, Summary, Verification};
use crate::types::{ByteSize, Problem};
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
        show_looked(summary, problems, out);
    }

    fn show_aside(&self, err: &mut Stream) {
        if self.format == Format::Github {
            show_looked(&self.verification.summary, &self.verification.problems, err);
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

/// What was looked at, what was not, and how much is wrong with it. Nothing is known to be well that was not opened.
fn show_looked(summary: &Summary, problems: &[Problem], out: &mut Stream) {
    for LeftOut { what, count, why } in &summary.left_out {
        let what = match count {
            None => what.clone(),
            Some(1) => format!("1 {}", what.trim_end_matches('s')),
            Some(count) => format!("{count} {what}"),
        };
        out.line(format!("Not looked at: {what}; {why}."));
    }
    let of_kinds = |OfKinds { kinds, packages }: &OfKinds| match kinds.is_empty() {
        true => format!("{packages} of no kind"),
        false => format!("{packages} {}", kinds.join(" + ")),
    };
    let kinds: Vec<String> = summary.kinds.iter().map(of_kinds).collect();
    let packages = count(summary.packages as u64, "package", "packages");
    let packages = if kinds.is_empty() { packages } else { format!("{packages} ({})", kinds.join(", ")) };
    let catalogs = count(summary.lanes.len() as u64, "catalog", "catalogs");
    let files = count(summary.files as u64, "file", "files");
    let looked = format!("{packages} in {catalogs} checked, {files} of {}", ByteSize(summary.bytes));
    match summary.left_out.is_empty() {
        _ if summary.files == 0 && problems.is_empty() => out.line(looked),
        false if problems.is_empty() => out.line(format!("{looked}: no problems found")),
        _ => show_verdict(&looked, (summary.errors, summary.warnings), problems, out),
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
