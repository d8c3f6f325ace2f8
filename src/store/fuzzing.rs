//! Doors for `tests/fuzz`: what of this room meets bytes that others wrote and is called by nothing outside of it.

use super::{Registry, State, intent};

/// The engine's registry, or why it is none.
pub fn registry(bytes: &[u8]) -> Result<Registry, String> {
    Registry::parse(bytes).map_err(|fault| format!("{fault:?}"))
}

/// Our own record, or why it is none.
pub fn state(bytes: &[u8]) -> Result<State, String> {
    State::parse(bytes).map_err(|fault| format!("{fault:?}"))
}

/// Every path the intent of a change names, or why it is set aside.
pub fn intent(bytes: &[u8]) -> Result<Vec<String>, String> {
    let transaction = intent::read_intent(bytes).map_err(|fault| format!("{fault:?}"))?.transaction;
    let paths = transaction.changes.iter().flat_map(|change| {
        let place = change.place.iter().flat_map(|place| {
            let files = place.files.iter().chain(&place.replaced).map(|file| &file.path);
            files.chain([&place.staged])
        });
        let packs = change.packs.iter().filter_map(|pack| Some(&pack.add.as_ref()?.staged));
        let discarded = change.discard.iter().flat_map(|discard| &discard.files).map(|file| &file.path);
        place.chain(packs).chain(discarded).cloned().collect::<Vec<_>>()
    });
    Ok(paths.collect())
}
