use crate::app::{ImportReport, MigratedSheets, Translated};
use crate::cli::human::changes::{Asked, Told};
use crate::cli::human::summary::show_summary;
use crate::face::term::{Role, Stream, clean, json_safe};
use crate::face::{Report, show_problems, to_json, to_line};
use serde_json::Value;
use serde_json::value::RawValue;
use std::path::PathBuf;

/// What `import` tells.
pub struct Filed {
    pub report: ImportReport,
    /// Paths below this folder are shown from there on.
    pub base: PathBuf,
}

impl Report for Filed {
    fn json(&self) -> Box<RawValue> {
        to_json(&self.report)
    }

    fn show(&self, out: &mut Stream, verbose: bool) {
        let ImportReport { language, packages, problems, summary } = &self.report;
        show_problems(problems, &self.base, verbose, out);
        if !problems.is_empty() {
            show_summary(summary, problems, out);
        }
        if packages.is_empty() {
            out.line("Nothing was imported.");
            return;
        }
        let changes = crate::app::Changes { language: language.clone(), packages: packages.clone() };
        Told { changes, asked: Asked::Packages, dry_run: false }.show(out, verbose);
    }

    fn is_asked_for(&self) -> bool {
        !self.report.problems.is_empty()
    }
}

impl Report for Translated {
    fn json(&self) -> Box<RawValue> {
        to_json(self)
    }

    /// One a line, in the order they were asked for.
    fn show(&self, out: &mut Stream, _verbose: bool) {
        self.texts.iter().for_each(|text| out.line(clean(&text.translation)));
    }
}

/// What `migrate` tells.
pub struct Migration {
    pub sheets: MigratedSheets,
    /// What moved where is told instead of the sheets.
    pub explain: bool,
}

impl Report for Migration {
    fn json(&self) -> Box<RawValue> {
        to_json(&self.sheets)
    }

    /// One sheet as it is to be saved, several one a line.
    fn show(&self, out: &mut Stream, _verbose: bool) {
        if self.explain {
            return self.tell(out);
        }
        let is_one = self.sheets.sheets.len() == 1;
        for sheet in self.sheets.sheets.iter().filter_map(|migrated| migrated.sheet.as_ref()) {
            match is_one {
                true => out.line(json_safe(laid_out(sheet))),
                false => out.line(to_line(sheet)),
            }
        }
    }
}

/// JSON over several lines, for a file that people read.
fn laid_out(json: &RawValue) -> String {
    let value: Result<Value, _> = serde_json::from_str(json.get());
    value.map_or_else(|_| json.get().to_owned(), |value| format!("{value:#}"))
}

impl Migration {
    fn tell(&self, out: &mut Stream) {
        let palette = out.look().palette;
        for migrated in &self.sheets.sheets {
            // Why it was refused is told among the failures.
            let (Some(from), Some(to)) = (migrated.from, migrated.to) else { continue };
            let source = palette.paint(Role::Id, clean(&migrated.source));
            match (migrated.changed, from == to) {
                (false, _) => out.line(format!("{source}: already at version {to}")),
                (true, true) => out.line(format!("{source}: stays at version {to}")),
                (true, false) => out.line(format!("{source}: from version {from} to {to}")),
            }
            for moved in &migrated.steps {
                let value = match &moved.value {
                    Value::Null => String::new(),
                    value => format!(" = {}", crate::face::term::shorten(&value.to_string(), 40)),
                };
                let places = match (moved.from.as_deref(), moved.to.as_deref()) {
                    (Some(from), Some(to)) => format!("{from} -> {to}{value}"),
                    (None, Some(to)) => format!("{to}{value}"),
                    (Some(from), None) => format!("{from} dropped"),
                    (None, None) => String::new(),
                };
                out.line(format!("  {:<9} {}", moved.kind, clean(&places)));
                out.line(format!("            {}", palette.paint(Role::Dim, clean(&moved.why))));
            }
        }
    }
}
