//! Carrying a change out, and undoing it when a step fails. `settle` finishes it when the process that began it died.
//!
//! The order is: intent, folders and packs into place, our record, the engine's records, removals, intent gone.
//! Everything staged is complete and on the disk before the intent is written, so from then on any run can finish.

use super::change::{Before, Befores, Change, PackChange, Transaction};
use super::clean_up::{Cleaned, clean_up};
use super::intent::{Intent, close_intent};
use super::owner::Owner;
use super::record::Fault;
use super::recording::{record_all, refuse_if_changed};
use super::settle::{By, settle};
use super::steps::{Done, put_in_place, undo};
use super::{Layout, Registry, Snapshot, StoreError, StoreLock, files, intent, record, staging};
use crate::crash;
use crate::types::{Code, Coded, Warning, codes};

/// Carries a transaction out that was made from what the store was by then. On an error everything is as before; where
/// another program has changed the very package meanwhile, as that program left it.
///
/// Gives back what the reader should know: files that were not rulepack's to remove and stayed.
pub(super) fn commit(
    layout: &Layout,
    lock: &StoreLock,
    now: &Snapshot,
    transaction: &Transaction,
) -> Result<Vec<Warning>, StoreError> {
    if transaction.is_empty() {
        return Ok(Vec::new());
    }
    let befores = befores(now, transaction);
    refuse_if_changed(transaction, &befores, &Registry::read(layout)?)?;
    let (with_intent, mut told) = (transaction.needs_intent(), Vec::new());
    let mut intent = Intent::of(transaction, &befores);
    if with_intent {
        told = settle_one_before(layout, lock)?;
        staging::sync_names(layout, transaction)?;
        // It may have its name and only not be flushed: a change told to have failed must not be finished later.
        intent.write(layout).map_err(|error| intent::take_back(layout, error))?;
        crash::point("intent-written");
    }
    let mut done = Vec::new();
    let made = place_all(layout, transaction, &mut done)
        .and_then(|()| record_all(layout, transaction, &befores, &mut done))
        .and_then(|()| if with_intent { intent.write_made(layout) } else { Ok(()) });
    if let Err(error) = made {
        if with_intent && matches!(error, StoreError::ChangedMeanwhile { .. }) {
            return give_way(layout, lock, transaction, error);
        }
        // What could not be undone is left to the next run, which still finds the intent.
        return Err(match undo(layout, done) {
            Ok(()) if with_intent => intent::take_back(layout, error),
            Ok(()) => error,
            Err(why) => StoreError::Half { error: Box::new(error), why: why.to_string() },
        });
    }
    crash::point("recorded");
    let Cleaned { mut warnings, is_done } = clean_up(layout, transaction);
    warnings.append(&mut told);
    // The change is made; an intent that stays is settled by the next run, which goes on removing.
    if with_intent
        && is_done
        && let Err(error) = close_intent(layout)
    {
        warnings.push(unfinished(&error));
    }
    Ok(warnings)
}

/// An earlier change may not have been closed; its intent is never written over. Where nothing of it is left but what
/// cannot be put back beside its package, for what lies in the way, that is set aside: it holds up no other change.
fn settle_one_before(layout: &Layout, lock: &StoreLock) -> Result<Vec<Warning>, StoreError> {
    let look = || match files::metadata(&layout.intent()) {
        Ok(there) => Ok(there.is_some_and(|there| there.is_file())),
        Err(error) => Err(StoreError::io("look at", &layout.intent())(error)),
    };
    if !look()? {
        return Ok(Vec::new());
    }
    let mut warnings = settle(layout, lock, By::InterruptedRun)?;
    if look()? {
        warnings.push(intent::set_leftovers_aside(layout)?);
    }
    Ok(warnings)
}

/// Another program has changed a package right under the change: what became of it is looked at as after a run that
/// died, which undoes or finishes each package by what its record says now.
fn give_way(
    layout: &Layout,
    lock: &StoreLock,
    transaction: &Transaction,
    error: StoreError,
) -> Result<Vec<Warning>, StoreError> {
    let warnings = settle(layout, lock, By::ThisRun)?;
    // Of several the others are done, and the warning names the one that is not.
    if transaction.changes.len() == 1 { Err(error) } else { Ok(warnings) }
}

/// What the records said of the packages that change.
fn befores(now: &Snapshot, transaction: &Transaction) -> Befores {
    let before = |owner: &Owner| match owner {
        Owner::Package(id) => {
            Before { record: now.registry.mark(id), state: now.state.packages.get(id).cloned(), imported: None }
        }
        Owner::Imported(id) => Before { imported: now.state.imported.get(id).cloned(), ..Before::default() },
    };
    transaction.changes.iter().map(|change| (change.id.clone(), before(&change.id))).collect()
}

fn place_all(layout: &Layout, transaction: &Transaction, done: &mut Vec<Done>) -> Result<(), StoreError> {
    for change in &transaction.changes {
        if let Some(place) = &change.place {
            let target = layout.folder(&change.id, &place.version);
            put_in_place(layout, &layout.packages().join(&place.staged), &target, done)?;
            crash::point("folder-placed");
        }
        for PackChange { version, add, .. } in &change.packs {
            let Some(add) = add else { continue };
            let target = Layout::pack_in(&layout.folder(&change.id, version), &add.pack.language);
            put_in_place(layout, &layout.packages().join(&add.staged), &target, done)
                .map_err(|why| no_place_for_pack(change, why))?;
            crash::point("pack-placed");
        }
    }
    Ok(())
}

/// A pack whose place is at fault costs its ruleset the language and nothing else (docs/spec/commands.md#store-3). What
/// lacks room or files to open has them for the rest of the change as little.
fn no_place_for_pack(change: &Change, why: StoreError) -> StoreError {
    let is_its_place = match &why {
        StoreError::Io { source, .. } => Code::of_io(source) == Code::Io && !files::is_of_this_process(source),
        why => matches!(why, StoreError::Link { .. }),
    };
    match is_its_place {
        true => StoreError::NoPlaceForPack { package: change.id.to_string(), why: Box::new(why) },
        false => why,
    }
}

/// Finishes what others left, then sweeps what the dead had staged. What every writer does first. In a store of a newer
/// rulepack nothing is touched.
pub(super) fn tidy(layout: &Layout, lock: &StoreLock) -> Result<Vec<Warning>, StoreError> {
    let path = layout.state();
    match record::read(&path) {
        Ok(Some(bytes)) => {
            if let Err(Fault::Newer(found)) = record::refuse_newer(&bytes) {
                return Err(StoreError::Newer { path, found });
            }
        }
        Err(link @ StoreError::LinkedRecord { .. }) => return Err(link),
        // What else there is to say of it, whoever reads it says.
        Ok(None) | Err(_) => {}
    }
    let warnings = settle(layout, lock, By::InterruptedRun)?;
    staging::sweep(layout);
    Ok(warnings)
}

/// How a reader names what went wrong while it tried to finish somebody else's change.
pub(super) fn unfinished(error: &StoreError) -> Warning {
    Warning::new(
        codes::UNFINISHED_CHANGE,
        format!("cannot finish an interrupted change yet: {error} ({})", error.code()),
    )
}
