use crate::app::{Listing, Outdated, OutdatedReason, Soundness};
use crate::cli::answer::{Report, to_json};
use crate::cli::term::{Cell, Column, Overflow, Role, Stream, Table};
use serde_json::value::RawValue;

impl Report for Listing {
    fn json(&self) -> Box<RawValue> {
        to_json(self)
    }

    fn show(&self, out: &mut Stream, _verbose: bool) {
        if self.packages.is_empty() {
            out.line("No rulesets are installed. `rulepack search` shows what there is.");
            return;
        }
        let columns = [
            Column::left("ID").role(Role::Id),
            Column::left("VERSION"),
            Column::left("BEFORE").role(Role::Dim),
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
    }
}

impl Report for Outdated {
    fn json(&self) -> Box<RawValue> {
        to_json(self)
    }

    fn show(&self, out: &mut Stream, _verbose: bool) {
        if self.packages.is_empty() {
            out.line("Everything installed is at the catalog's version.");
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
    }
}
