//! Making a record anew that cannot be read, from what is on disk beside it.

use super::layout::LOCALES;
use super::{KeptPack, Layout, PackageState, Receipt, Registry, State, StoreLock, commit, files};
use crate::types::{Expected, Language, Version, Warning};
use std::fs;
use std::path::Path;

/// Our own record out of the registry and the version folders. The bad file is set aside and the new one written
/// when the lock is free; a run that cannot write reads the rebuilt record all the same.
pub(super) fn state(layout: &Layout, command: &str, registry: &Registry, why: &serde_json::Error) -> (State, Warning) {
    let mut state = State::empty();
    for installed in registry.rulesets() {
        let previous = installed.previous.map(|previous| previous.version);
        let mut package = PackageState {
            active: Some(installed.version.clone()),
            previous: previous.clone(),
            installed_at: Some(installed.installed_at),
            ..Default::default()
        };
        for version in [Some(installed.version), previous].into_iter().flatten() {
            let receipt = receipt(&layout.version(&installed.id, &version));
            package.versions.insert(version.to_string(), receipt);
        }
        state.packages.insert(installed.id, package);
    }
    let mut text = format!(
        "rulepack.json could not be read ({why}) and was rebuilt from the version folders; the language set and holds are lost"
    );
    if let Some(_lock) = StoreLock::try_take(layout, command) {
        let written = commit::set_aside(&layout.state())
            .map(|aside| text.push_str(&format!("; the old file is {}", aside.display())))
            .is_ok_and(|()| files::replace(&layout.state(), state.to_text().as_bytes()).is_ok());
        if !written {
            text.push_str("; the rebuilt one could not be written");
        }
    }
    (state, Warning::new("state-rebuilt", text))
}

/// What can be told of a version folder by looking at it.
pub(super) fn receipt(folder: &Path) -> Receipt {
    let manifest = fs::read(folder.join(super::MANIFEST)).ok().map(|bytes| Expected::of(&bytes));
    Receipt { artifact: None, manifest, pack: only_pack(folder) }
}

/// The one language pack in a version folder. Of several the first by name is taken: `doctor` names the others.
fn only_pack(folder: &Path) -> Option<KeptPack> {
    let mut packs: Vec<_> = fs::read_dir(folder.join(LOCALES))
        .ok()?
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let language: Language = name.strip_suffix(".json")?.parse().ok()?;
            (name == format!("{language}.json") && entry.file_type().ok()?.is_file())
                .then_some((language, entry.path()))
        })
        .collect();
    packs.sort();
    let (language, path) = packs.into_iter().next()?;
    Some(KeptPack { language, file: Expected::of(&fs::read(path).ok()?) })
}

/// A version as a folder name.
pub(super) fn version_of(folder: &Path) -> Option<Version> {
    folder.file_name()?.to_str()?.parse().ok()
}
