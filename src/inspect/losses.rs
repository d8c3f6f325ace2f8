//! What stored sheets lose by a new version, sheet by sheet.

use super::against::edition;
use super::package::Package;
use super::sheets::StoredSheet;
use crate::ruleset::{Losses, Lost};
use crate::threads;
use crate::types::{Cancel, Failure, MOST_TOLD};
use schemars::JsonSchema;
use serde::Serialize;

/// What one stored sheet loses.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SheetLosses {
    /// Where it was read.
    pub source: String,
    /// The stored values that the new version has no place for, once it has migrated the sheet.
    pub lost: Vec<Lost>,
    /// How many more there are that are not told.
    pub more: usize,
    /// Why it was left alone.
    pub refused: Option<String>,
}

/// Runs the migrations of `new` on sheets of `old`, and tells what each loses; beside it, why sheets were left alone.
/// Of all sheets together at most [`MOST_TOLD`] values are told, and the others counted.
///
/// # Errors
/// When it is asked to stop.
pub(crate) fn losses(
    (new, old): (&Package, &Package),
    sheets: &[StoredSheet],
    cancel: &Cancel,
) -> Result<(Vec<SheetLosses>, Vec<Failure>), Failure> {
    let editions = edition(new.documents(cancel)).zip(edition(old.documents(cancel)));
    let Some((new, old)) = editions else { return Ok((Vec::new(), Vec::new())) };
    let losses = Losses::of(new, old);
    let lost_of = |stored: &StoredSheet| -> Result<Result<Vec<Lost>, Failure>, Failure> {
        cancel.stop_if_asked()?;
        Ok(stored.json().and_then(|sheet| losses.of_sheet(sheet).map_err(|refused| stored.refusal(refused))))
    };
    let (mut rows, mut failures, mut room) = (Vec::new(), Vec::new(), MOST_TOLD);
    for (stored, lost) in sheets.iter().zip(threads::map(sheets, lost_of)) {
        let (source, mut row) = (stored.source.clone(), SheetLosses::default());
        match lost? {
            Ok(lost) => {
                row.more = lost.len().saturating_sub(room);
                row.lost = lost.into_iter().take(room).collect();
                room -= row.lost.len();
            }
            Err(failure) => {
                row.refused = Some(failure.message.clone());
                failures.push(failure);
            }
        }
        rows.push(SheetLosses { source, ..row });
    }
    Ok((rows, failures))
}
