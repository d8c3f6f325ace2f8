use super::report::ErrorReport;
use super::{App, interrupted};
use crate::inspect::{StoredSheet, read_sheets};
use crate::ruleset::{Migrated, Migrator, Moved};
use crate::threads;
use crate::types::Failure;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};
use std::path::PathBuf;

/// The answer of `migrate`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MigratedSheets {
    /// In the order they were given.
    pub sheets: Vec<MigratedSheet>,
}

/// What became of one sheet.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MigratedSheet {
    /// Where it was read.
    pub source: String,
    /// The sheet as it is now; nothing where it was refused. As text, which takes a fraction of the memory of
    /// thousands.
    #[schemars(with = "Option<Value>")]
    pub sheet: Option<Box<RawValue>>,
    /// The version it was stored at.
    pub from: Option<u64>,
    /// The version it is at now.
    pub to: Option<u64>,
    /// Whether it is other than before.
    pub changed: bool,
    /// What moved, in order.
    pub steps: Vec<Moved>,
    /// Why it was left alone.
    pub error: Option<ErrorReport>,
}

impl App {
    /// Brings stored sheets to the version of the ruleset's sheet. One that cannot be read, is newer, or is another
    /// ruleset's is left alone, and the others go on; gives why beside the answer. Nothing is written.
    pub(crate) fn migrate(&self, name: &str, sheets: &[PathBuf]) -> Result<(MigratedSheets, Vec<Failure>), Failure> {
        let source = self.source(name)?;
        let (sheets, warnings) = read_sheets(sheets, &self.cancel)?;
        warnings.into_iter().for_each(|warning| self.warn(warning));
        let migrator = Migrator::new(&source.ruleset);
        let cancel = &self.cancel;
        let told = threads::map(&sheets, |stored| {
            if cancel.is_asked() { Err(interrupted()) } else { Ok(row(stored, migrated(&migrator, stored))) }
        });
        let (sheets, failures): (Vec<_>, Vec<_>) = told.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
        Ok((MigratedSheets { sheets }, failures.into_iter().flatten().collect()))
    }
}

/// Reads a sheet and brings it to the newest version.
fn migrated(migrator: &Migrator<'_>, stored: &StoredSheet) -> Result<Migrated, Failure> {
    migrator.migrate(stored.json()?).map_err(|refused| stored.refusal(refused))
}

fn row(stored: &StoredSheet, migrated: Result<Migrated, Failure>) -> (MigratedSheet, Option<Failure>) {
    let source = stored.source.clone();
    match migrated {
        Ok(Migrated { sheet, from, to, changed, steps }) => {
            let sheet = to_raw_value(&sheet).ok();
            (MigratedSheet { source, sheet, from: Some(from), to: Some(to), changed, steps, error: None }, None)
        }
        Err(failure) => {
            let error = Some(ErrorReport::from(&failure));
            let row =
                MigratedSheet { source, sheet: None, from: None, to: None, changed: false, steps: Vec::new(), error };
            (row, Some(failure))
        }
    }
}
