use super::summary::show_summary;
use crate::face::term::{Role, Stream, clean, count, json_safe};
use crate::face::{Report, show_problems, shown_path, to_json};
use crate::publish::{Built, MadeEntry};
use crate::types::{ByteSize, Severity};
use serde_json::value::RawValue;
use std::path::PathBuf;

/// What `catalog build` tells.
pub struct Build {
    pub built: Built,
    /// Paths below this folder are shown from there on.
    pub base: PathBuf,
}

impl Report for Build {
    fn json(&self) -> Box<RawValue> {
        to_json(&self.built)
    }

    fn show(&self, out: &mut Stream, verbose: bool) {
        let palette = out.look().palette;
        let Built { out: folder, problems, summary, packages, written, removed, unchanged } = &self.built;
        if summary.errors > 0 {
            show_problems(problems, &self.base, verbose, out);
            show_summary(summary, problems, out);
            out.line("Nothing was written.");
            return;
        }
        for package in packages {
            let languages = match package.languages.as_slice() {
                [] => "English".to_owned(),
                languages => format!("English, {}", languages.join(", ")),
            };
            let name = palette.paint(Role::Id, clean(&package.id));
            out.line(format!("{name} {}: {}, {}", package.version, ByteSize(package.bytes), clean(&languages)));
        }
        if verbose {
            written.iter().for_each(|path| out.line(format!("  wrote {}", clean(path))));
        }
        let written = count(written.len() as u64, "file", "files");
        for path in removed {
            out.line(format!("{} removed: no package supports the engines of this lane", clean(path)));
        }
        out.line(format!("{written} written in {}, {unchanged} unchanged", clean(shown_path(folder, &self.base))));
    }

    /// What does not keep it from being published is said beside it.
    fn show_aside(&self, err: &mut Stream) {
        if self.built.summary.errors == 0 {
            show_problems(&self.built.problems, &self.base, false, err);
        }
    }
}

/// What `catalog entry` tells: the entry alone on stdout, to be put into a catalog.
pub struct Entry {
    pub made: MadeEntry,
    /// Paths below this folder are shown from there on.
    pub base: PathBuf,
}

impl Report for Entry {
    fn json(&self) -> Box<RawValue> {
        to_json(&self.made)
    }

    fn show(&self, out: &mut Stream, _verbose: bool) {
        self.made.text.iter().for_each(|text| out.line(json_safe(text.clone())));
    }

    fn show_aside(&self, err: &mut Stream) {
        let MadeEntry { problems, summary, .. } = &self.made;
        show_problems(problems, &self.base, false, err);
        if problems.iter().any(|problem| problem.severity == Severity::Error) {
            show_summary(summary, problems, err);
        }
    }
}
