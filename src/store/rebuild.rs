//! Making a record anew that cannot be read, from what is on disk beside it.

use super::layout::LOCALES;
use super::{
    Imported, ImportedVersion, Installed, KeptPack, Layout, OwnFile, Owner, Previous, Receipt, Registry, State,
    StoreError, StoreLock, check_files, commit, files, tree,
};
use crate::catalog::{MANIFEST, Manifest, RULESET};
use crate::types::{Cancel, Expected, Language, PackageId, Version, Warning, read_plain};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

/// Our own record out of what can be read of it, the registry and the version folders.
pub(super) fn state(layout: &Layout, registry: &Registry, bytes: &[u8]) -> State {
    let mut state = State::salvage(bytes);
    for (id, imported) in imports(layout) {
        let known = state.imported.entry(id).or_default();
        for (number, version) in imported.versions {
            known.versions.entry(number).or_insert(version);
        }
    }
    receipts(layout, registry, &mut state);
    state
}

/// Sets a damaged record of ours aside and writes the one rebuilt.
pub(super) fn set_right(
    layout: &Layout,
    registry: &Registry,
    bytes: &[u8],
    why: &str,
) -> Result<(State, Warning), StoreError> {
    let path = layout.state();
    let state = state(layout, registry, bytes);
    let aside = commit::copy_aside(&path)?;
    files::replace(&path, state.to_text().as_bytes()).map_err(StoreError::io("write", &path))?;
    let warning = rebuilt(&state, why, &format!("; the old file is {}", aside.display()));
    Ok((state, warning))
}

/// The same for a run that may not be able to write, which reads the rebuilt record all the same.
pub(super) fn set_right_if_free(
    layout: &Layout,
    command: &str,
    lock: Option<&StoreLock>,
    registry: &Registry,
    bytes: &[u8],
    why: &str,
) -> (State, Warning) {
    let taken = lock.is_none().then(|| StoreLock::try_take(layout, command)).flatten();
    let written = lock.or(taken.as_ref()).and_then(|_| set_right(layout, registry, bytes, why).ok());
    written.unwrap_or_else(|| {
        let state = state(layout, registry, bytes);
        let warning = rebuilt(&state, why, "; the rebuilt one could not be written");
        (state, warning)
    })
}

fn rebuilt(state: &State, why: &str, where_to: &str) -> Warning {
    let held = state.packages.values().filter(|package| package.held).count();
    let kept = match (&state.language, held) {
        (None, 0) => "the language set and holds are lost".to_owned(),
        (language, held) => {
            let language = language.as_ref().map_or("none".to_owned(), ToString::to_string);
            format!("of the language set and the holds this much was still to be read: {language}, {held} held")
        }
    };
    let text = format!("rulepack.json could not be read ({why}) and was rebuilt from the version folders; {kept}");
    Warning::new("state-rebuilt", text + where_to)
}

/// Fills in what is not remembered of installed versions: another program put them there, or the record was lost.
pub(super) fn receipts(layout: &Layout, registry: &Registry, state: &mut State) {
    for installed in registry.sorted() {
        let package = state.packages.entry(installed.id.clone()).or_default();
        let previous = installed.previous.as_ref().map(|previous| &previous.version);
        package.active = Some(installed.version.clone());
        package.previous = previous.cloned();
        package.installed_at.get_or_insert_with(|| installed.installed_at.clone());
        for version in [Some(&installed.version), previous].into_iter().flatten() {
            let folder = layout.version(&installed.id, version);
            package.versions.entry(version.to_string()).or_insert_with(|| receipt(&folder));
        }
    }
}

/// What can be told of a version folder by looking at it.
pub(super) fn receipt(folder: &Path) -> Receipt {
    let manifest = read_plain(&folder.join(MANIFEST)).ok().map(|bytes| Expected::of(&bytes));
    Receipt { manifest, pack: only_pack(folder), ..Receipt::default() }
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

/// What was imported, by looking at the folders: of a version whose `ruleset.json` says that it is just that.
pub(super) fn imports(layout: &Layout) -> BTreeMap<PackageId, Imported> {
    let mut imports: BTreeMap<PackageId, Imported> = BTreeMap::new();
    for (id, version) in import_folders(layout) {
        if let Some(kept) = imported_version(layout, &layout.import(&id, version), &id, version) {
            imports.entry(id).or_default().versions.insert(version, kept);
        }
    }
    imports
}

/// The version folders of imported rulesets, in order.
pub(super) fn import_folders(layout: &Layout) -> Vec<(PackageId, u64)> {
    let mut found = Vec::new();
    for id in folders(&layout.imports()).iter().filter_map(|name| name.parse::<PackageId>().ok()) {
        let names = folders(&layout.home(&Owner::Imported(id.clone())));
        let versions = names.iter().filter_map(|name| Some((name, name.parse::<u64>().ok()?)));
        found.extend(versions.filter(|(name, version)| version.to_string() == **name).map(|(_, n)| (id.clone(), n)));
    }
    found.sort();
    found
}

fn imported_version(layout: &Layout, folder: &Path, id: &PackageId, version: u64) -> Option<ImportedVersion> {
    #[derive(serde::Deserialize)]
    struct Named {
        id: String,
        version: u64,
        name: String,
    }
    let named: Named = serde_json::from_slice(&read_plain(&folder.join(RULESET)).ok()?).ok()?;
    if named.id != id.as_str() || named.version != version {
        return None;
    }
    let is_own = |path: &String| path == RULESET || path == MANIFEST || path.starts_with("catalogs/");
    let own = tree::files_below(layout, folder).ok()?.into_iter().filter(is_own);
    let files: Option<Vec<OwnFile>> = own
        .map(|path| {
            let bytes = read_plain(&path.split('/').fold(folder.to_owned(), |at, part| at.join(part))).ok()?;
            Some(OwnFile { path, expected: Some(Expected::of(&bytes)) })
        })
        .collect();
    Some(ImportedVersion {
        name: named.name,
        installed_at: super::now(),
        files: files?,
        pack: only_pack(folder),
        others: Default::default(),
    })
}

/// The versions of one package whose folders hold the manifest of just that version, oldest first. A copy somebody made
/// under another name is none.
pub(super) fn versions_of(layout: &Layout, id: &PackageId) -> Vec<Version> {
    let names = folders(&layout.package(id));
    let versions = names.iter().filter_map(|name| name.parse::<Version>().ok());
    let mut versions: Vec<Version> = versions.filter(|version| manifest_in(layout, id, version).is_some()).collect();
    versions.sort_by(Version::precedence);
    versions
}

/// The text of the manifest in a version folder.
pub(super) fn manifest_text(layout: &Layout, id: &PackageId, version: &Version) -> io::Result<String> {
    let bytes = read_plain(&layout.version(id, version).join(MANIFEST))?;
    String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// The manifest in a version folder, if it is that version's.
pub(super) fn manifest_in(layout: &Layout, id: &PackageId, version: &Version) -> Option<Manifest> {
    let text = manifest_text(layout, id, version).ok()?;
    Manifest::parse(&text).ok().filter(|manifest| manifest.id == *id && manifest.version == *version)
}

fn folders(path: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(path) else { return Vec::new() };
    let real = entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    real.filter_map(|entry| entry.file_name().into_string().ok()).collect()
}

/// The version folders on disk, of every package, in order.
pub(super) fn version_folders(layout: &Layout) -> Vec<(PackageId, Version)> {
    let mut found = Vec::new();
    for id in folders(&layout.versions()).iter().filter_map(|name| name.parse::<PackageId>().ok()) {
        let versions = folders(&layout.package(&id));
        let versions = versions.iter().filter_map(|name| name.parse::<Version>().ok());
        found.extend(versions.map(|version| (id.clone(), version)));
    }
    found.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.precedence(&b.1)));
    found
}

/// The manifest of a version folder, if that holds all it declares.
pub(super) fn whole(
    layout: &Layout,
    id: &PackageId,
    version: &Version,
    cancel: &Cancel,
) -> Result<Option<Manifest>, StoreError> {
    let Some(manifest) = manifest_in(layout, id, version) else { return Ok(None) };
    let root = layout.version(id, version);
    let flaws = check_files(layout, &root, &declared(&manifest), cancel).map_err(StoreError::unverified(&root))?;
    Ok(flaws.is_empty().then_some(manifest))
}

/// The files a manifest declares, each with what it must be.
pub(super) fn declared(manifest: &Manifest) -> Vec<OwnFile> {
    let own = manifest.files.iter();
    own.map(|file| OwnFile { path: file.path.to_string(), expected: Some(file.expected) }).collect()
}

/// A registry out of the version folders: of each package the version our own record says was active, else the newest
/// that is whole; of a ruleset our record does not know, the newest but one is the version before. Other packages of the
/// engine get their record back as well. Asked to stop, it gives none: files not looked at are not files that are gone.
pub(super) fn registry(layout: &Layout, state: &State, cancel: &Cancel) -> Result<Registry, StoreError> {
    let mut whole: BTreeMap<PackageId, Vec<Manifest>> = BTreeMap::new();
    for (id, version) in version_folders(layout) {
        if let Some(manifest) = self::whole(layout, &id, &version, cancel)? {
            whole.entry(id).or_default().push(manifest);
        }
    }
    let mut registry = Registry::default();
    for (id, mut manifests) in whole {
        let remembered = state.packages.get(&id);
        let wanted = remembered.and_then(|package| package.active.as_ref());
        let at = manifests.iter().position(|manifest| Some(&manifest.version) == wanted).unwrap_or(manifests.len() - 1);
        let active = manifests.remove(at);
        let kept = remembered.and_then(|package| package.previous.as_ref());
        let previous = match remembered {
            Some(_) => manifests.into_iter().find(|manifest| Some(&manifest.version) == kept),
            None => manifests.pop().filter(|_| active.kinds.iter().all(|kind| kind == "ruleset")),
        };
        let installed = Installed {
            id: id.clone(),
            version: active.version.clone(),
            manifest: active.raw.clone(),
            previous: previous.map(|manifest| Previous { version: manifest.version, manifest: Some(manifest.raw) }),
            installed_at: remembered.and_then(|package| package.installed_at.clone()).unwrap_or_else(super::now),
            legacy: false,
            fault: None,
        };
        registry.put(&id, Some(installed.to_record()));
    }
    registry.make_present();
    Ok(registry)
}
