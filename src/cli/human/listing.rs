use super::changes::NONE_YET;
use crate::app::{Listing, Outdated, OutdatedPackage, OutdatedReason, Soundness};
use crate::face::term::{Cell, Column, Overflow, Role, Stream, Table, count};
use crate::face::{Report, to_json};
use serde_json::value::RawValue;

impl Report for Listing {
    fn json(&self) -> Box<RawValue> {
        to_json(self)
    }

    fn show(&self, out: &mut Stream, _verbose: bool) {
        if self.packages.is_empty() {
            out.line("No rulesets are installed. `rulepack search` shows what is available.");
            return;
        }
        let columns = [
            Column::left("ID").role(Role::Id),
            Column::left("VERSION"),
            Column::left("PREVIOUS").role(Role::Dim),
            Column::left("LANGUAGE"),
            Column::left("STATE"),
            Column::left("NAME"),
        ];
        let mut table = Table::new(columns).overflow(Overflow::Shorten);
        for package in &self.packages {
            let language = package.language_pack.as_ref().and_then(|pack| pack.language.clone());
            let state = match (package.state, package.held) {
                (Soundness::Damaged, _) => Cell::new("damaged").role(Role::Error),
                (Soundness::Ok, true) => Cell::new("held").role(Role::Warn),
                (Soundness::Ok, false) => Cell::new("ok").role(Role::Ok),
            };
            table.push([
                Cell::new(&package.id),
                Cell::new(&package.version),
                Cell::new(package.previous_version.as_deref().unwrap_or("-")),
                Cell::new(language.as_deref().unwrap_or("en")),
                state,
                Cell::new(package.name.as_deref().unwrap_or("")),
            ]);
        }
        out.print(&table.render(out.look()));
        if self.packages.iter().any(|package| package.state == Soundness::Damaged) {
            advise(out, "`rulepack doctor` shows what is damaged.");
        }
    }
}

/// A word on what to do next, for people alone: a script that reads the table gets nothing but the table.
fn advise(out: &mut Stream, text: &str) {
    if out.look().terminal {
        out.line("");
        out.line(out.look().palette.paint(Role::Dim, text));
    }
}

impl Report for Outdated {
    fn json(&self) -> Box<RawValue> {
        to_json(self)
    }

    fn show(&self, out: &mut Stream, _verbose: bool) {
        if self.installed == 0 {
            out.line(NONE_YET);
            return;
        }
        if self.packages.is_empty() {
            let installed = count(self.installed as u64, "installed ruleset", "installed rulesets");
            out.line(format!("Nothing to update among {installed}"));
            return;
        }
        let columns = [
            Column::left("ID").role(Role::Id),
            Column::left("INSTALLED"),
            Column::left("AVAILABLE"),
            Column::left("WHY"),
            Column::left("NAME"),
        ];
        let mut table = Table::new(columns).overflow(Overflow::Shorten);
        for package in &self.packages {
            let why = match package.reason {
                OutdatedReason::Newer => Cell::new("newer").role(Role::Ok),
                OutdatedReason::Republished => Cell::new("republished").role(Role::Ok),
                OutdatedReason::Declined => Cell::new("declined").role(Role::Warn),
                OutdatedReason::Held => Cell::new("held").role(Role::Warn),
            };
            table.push([
                Cell::new(&package.id),
                Cell::new(&package.version),
                Cell::new(&package.available),
                why,
                Cell::new(package.name.as_deref().unwrap_or("")),
            ]);
        }
        out.print(&table.render(out.look()));
        let takes =
            |package: &OutdatedPackage| matches!(package.reason, OutdatedReason::Newer | OutdatedReason::Republished);
        if self.packages.iter().any(takes) {
            advise(out, "`rulepack update` installs those that are newer or republished.");
        }
    }
}
