//! Making a record anew that cannot be read, from what is on disk beside it. What the disk does not say is not taken
//! for absence: no record is made then that would lack it (docs/spec/commands.md#store-6).

use super::{
    Flaw, Imported, ImportedVersion, Installed, Layout, OwnFile, Owner, PackageState, Previous, Receipt, Registry,
    State, StoreError, StoreLock, aside, check_files, files, tree,
};
use crate::catalog::{MANIFEST, Manifest, RULESET};
use crate::disk::FileKind;
use crate::types::{Cancel, Expected, PackageId, Version, Warning, codes};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// Our own record out of what can be read of it, the registry and the version folders.
pub(super) fn state(layout: &Layout, registry: &Registry, bytes: &[u8]) -> Result<State, StoreError> {
    let mut state = State::salvage(bytes);
    for (id, imported) in imports(layout)? {
        let known = state.imported.entry(id).or_default();
        for (number, version) in imported.versions {
            known.versions.entry(number).or_insert(version);
        }
    }
    receipts(layout, registry, &mut state);
    Ok(state)
}

/// Sets a damaged record of ours aside and writes the one rebuilt.
pub(super) fn set_right(
    layout: &Layout,
    registry: &Registry,
    bytes: &[u8],
    why: &str,
) -> Result<(State, Warning), StoreError> {
    let path = layout.state();
    let state = state(layout, registry, bytes)?;
    let aside = aside::copy_aside(&path)?;
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
) -> Result<(State, Warning), StoreError> {
    let taken = lock.is_none().then(|| StoreLock::try_take(layout, command)).flatten();
    let written = lock.or(taken.as_ref()).and_then(|_| set_right(layout, registry, bytes, why).ok());
    if let Some(written) = written {
        return Ok(written);
    }
    let state = state(layout, registry, bytes)?;
    let warning = rebuilt(&state, why, "; the rebuilt one cannot be written");
    Ok((state, warning))
}

fn rebuilt(state: &State, why: &str, where_to: &str) -> Warning {
    let held = state.packages.values().filter(|package| package.held).count();
    let kept = match (&state.language, held) {
        (None, 0) => "the language setting and the holds are lost".to_owned(),
        (language, held) => {
            let language = language.as_ref().map_or("none".to_owned(), ToString::to_string);
            format!("recovered the language setting ({language}) and {held} holds")
        }
    };
    let text = format!("rulepack.json cannot be read ({why}) and was rebuilt from the version folders; {kept}");
    Warning::new(codes::STATE_REBUILT, text + where_to)
}

/// Fills in what is not remembered of installed versions: another program put them there, or the record was lost. A
/// folder that cannot be looked into stays unremembered, so that nothing is taken for ours there; a later look may
/// tell.
pub(super) fn receipts(layout: &Layout, registry: &Registry, state: &mut State) {
    for installed in registry.sorted() {
        let package = state.packages.entry(installed.id.clone()).or_default();
        let previous = installed.previous.as_ref().map(|previous| &previous.version);
        package.active = Some(installed.version.clone());
        package.previous = previous.cloned();
        package.installed_at.get_or_insert_with(|| installed.installed_at.clone());
        for version in [Some(&installed.version), previous].into_iter().flatten() {
            let folder = layout.version(&installed.id, version);
            if !package.versions.contains_key(version.as_str())
                && let Ok(receipt) = receipt(layout, &folder)
            {
                package.versions.insert(version.to_string(), receipt);
            }
        }
    }
}

/// What can be told of a version folder by looking at it. Whose a language pack in it is cannot.
fn receipt(layout: &Layout, folder: &Path) -> io::Result<Receipt> {
    let Some(folder) = layout.open_own(folder)? else { return Ok(Receipt::default()) };
    let manifest = tree::plain(&folder, MANIFEST)?.map(|bytes| Expected::of(&bytes));
    Ok(Receipt { manifest, ..Receipt::default() })
}

/// What was imported, by looking at the folders: of a version whose `ruleset.json` says that it is just that.
pub(super) fn imports(layout: &Layout) -> Result<BTreeMap<PackageId, Imported>, StoreError> {
    let mut imports: BTreeMap<PackageId, Imported> = BTreeMap::new();
    for (id, version) in import_folders(layout)? {
        let path = layout.import(&id, version);
        let kept = imported_version(layout, &path, &id, version).map_err(StoreError::io("look into", &path))?;
        if let Some(kept) = kept {
            imports.entry(id).or_default().versions.insert(version, kept);
        }
    }
    Ok(imports)
}

/// The version folders of imported rulesets, in order.
pub(super) fn import_folders(layout: &Layout) -> Result<Vec<(PackageId, u64)>, StoreError> {
    let mut found = Vec::new();
    for id in named::<PackageId>(layout, &layout.imports())? {
        let names = folders(layout, &layout.home(&Owner::Imported(id.clone())))?;
        let versions = names.iter().filter_map(|name| Some((name, name.parse::<u64>().ok()?)));
        found.extend(versions.filter(|(name, version)| version.to_string() == **name).map(|(_, n)| (id.clone(), n)));
    }
    found.sort();
    Ok(found)
}

fn imported_version(layout: &Layout, path: &Path, id: &PackageId, version: u64) -> io::Result<Option<ImportedVersion>> {
    #[derive(serde::Deserialize)]
    struct Named {
        id: String,
        version: u64,
        name: String,
    }
    let Some(folder) = layout.open_own(path)? else { return Ok(None) };
    let ruleset = tree::plain(&folder, RULESET)?.unwrap_or_default();
    let Ok(named) = serde_json::from_slice::<Named>(&ruleset) else { return Ok(None) };
    if named.id != id.as_str() || named.version != version {
        return Ok(None);
    }
    let mut files = Vec::new();
    for path in tree::files_below(layout, path)? {
        if path == RULESET || path == MANIFEST || path.starts_with("catalogs/") {
            let Some(bytes) = tree::plain(&folder, &path)? else { return Ok(None) };
            files.push(OwnFile { path, expected: Some(Expected::of(&bytes)) });
        }
    }
    // Whose a translation beside it is, its bytes alone do not tell.
    Ok(Some(ImportedVersion { name: named.name, installed_at: super::now(), files, pack: None, rebuilt: true }))
}

/// The versions of one package, besides those known, whose folders hold the manifest of just that version, oldest
/// first. A copy somebody made under another name is none.
pub(super) fn versions_besides(layout: &Layout, id: &PackageId, known: &[Version]) -> Result<Vec<Version>, StoreError> {
    let mut versions = Vec::new();
    for version in named::<Version>(layout, &layout.package(id))? {
        if !known.contains(&version) && manifest_in(layout, id, &version)?.is_some() {
            versions.push(version);
        }
    }
    versions.sort_by(Version::precedence);
    Ok(versions)
}

/// The text of the manifest in a version folder.
pub(super) fn manifest_text(layout: &Layout, id: &PackageId, version: &Version) -> io::Result<Option<String>> {
    let folder = layout.open_own(&layout.version(id, version))?;
    let bytes = folder.map(|folder| tree::plain(&folder, MANIFEST)).transpose()?.flatten();
    Ok(bytes.and_then(|bytes| String::from_utf8(bytes).ok()))
}

/// The manifest in a version folder, if it is that version's.
pub(super) fn manifest_in(layout: &Layout, id: &PackageId, version: &Version) -> Result<Option<Manifest>, StoreError> {
    let text = manifest_text(layout, id, version);
    let text = text.map_err(StoreError::io("read", &layout.version(id, version).join(MANIFEST)))?;
    let manifest = text.and_then(|text| Manifest::parse(&text).ok());
    Ok(manifest.filter(|manifest| manifest.id == *id && manifest.version == *version))
}

/// The names of the folders in a folder of the store.
fn folders(layout: &Layout, path: &Path) -> Result<Vec<String>, StoreError> {
    let entries = layout.open_own(path).and_then(|folder| folder.map_or(Ok(Vec::new()), |folder| folder.entries()));
    let entries = entries.map_err(StoreError::io("list", path))?.into_iter();
    Ok(entries.filter_map(|(name, found)| name.into_string().ok().filter(|_| found == FileKind::Folder)).collect())
}

/// What of them is the name of something.
fn named<T: std::str::FromStr>(layout: &Layout, path: &Path) -> Result<Vec<T>, StoreError> {
    Ok(folders(layout, path)?.iter().filter_map(|name| name.parse().ok()).collect())
}

/// The version folders on disk, of every package, in order.
pub(super) fn version_folders(layout: &Layout) -> Result<Vec<(PackageId, Version)>, StoreError> {
    let mut found = Vec::new();
    for id in named::<PackageId>(layout, &layout.versions())? {
        let versions = named::<Version>(layout, &layout.package(&id))?.into_iter();
        found.extend(versions.map(|version| (id.clone(), version)));
    }
    found.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.precedence(&b.1)));
    Ok(found)
}

/// The folders beside the versions of every package that are no version, such as `1.0.0.kept`, in order.
pub(super) fn folders_besides(layout: &Layout) -> Result<Vec<(PackageId, String)>, StoreError> {
    let mut found = Vec::new();
    for id in named::<PackageId>(layout, &layout.versions())? {
        let names = folders(layout, &layout.package(&id))?.into_iter();
        found.extend(names.filter(|name| name.parse::<Version>().is_err()).map(|name| (id.clone(), name)));
    }
    found.sort();
    Ok(found)
}

/// The manifest of a version folder, if that holds all it declares.
pub(super) fn whole(
    layout: &Layout,
    id: &PackageId,
    version: &Version,
    cancel: &Cancel,
) -> Result<Option<Manifest>, StoreError> {
    let Some(manifest) = manifest_in(layout, id, version)? else { return Ok(None) };
    let root = layout.version(id, version);
    let flaws = check_files(layout, &root, &declared(&manifest), cancel).map_err(StoreError::unverified(&root))?;
    Ok(flaws.is_empty().then_some(manifest))
}

/// The files a manifest declares, each with what it must be.
pub(super) fn declared(manifest: &Manifest) -> Vec<OwnFile> {
    let own = manifest.files.iter();
    own.map(|file| OwnFile { path: file.path.to_string(), expected: Some(file.expected) }).collect()
}

/// A registry out of our own record and the version folders: of each package the versions our record names, whatever
/// became of their files, which `doctor` looks at next. Of a package our record does not know, or where a folder has no
/// manifest that fits it, whole folders decide: the newest is active, and of a ruleset the newest but one is the
/// version before. Other packages of the engine get their record back as well.
///
/// # Errors
/// Where the disk does not say what a folder holds; and asked to stop: files not looked at are not files that are gone.
pub(super) fn registry(layout: &Layout, state: &State, cancel: &Cancel) -> Result<Registry, StoreError> {
    let mut folders: BTreeMap<PackageId, Vec<Version>> = BTreeMap::new();
    for (id, version) in version_folders(layout)? {
        folders.entry(id).or_default().push(version);
    }
    let mut registry = Registry::default();
    for (id, versions) in folders {
        let remembered = state.packages.get(&id).map(|package| &**package);
        let active = remembered.and_then(|package| package.active.as_ref());
        let (active, previous) = match as_remembered(layout, state, &id, active)? {
            Some(active) => {
                let version = remembered.and_then(|package| package.previous.as_ref());
                let previous = match as_remembered(layout, state, &id, version)? {
                    None => version.map(|version| surely_whole(layout, &id, version, cancel)).transpose()?.flatten(),
                    previous => previous,
                };
                (active, previous)
            }
            None => match by_whole_folders(layout, &id, &versions, remembered, cancel)? {
                Some(found) => found,
                None => continue,
            },
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

/// The manifest in the folder of a version that our own record names, if it is the one put there.
fn as_remembered(
    layout: &Layout,
    state: &State,
    id: &PackageId,
    version: Option<&Version>,
) -> Result<Option<Manifest>, StoreError> {
    let Some(version) = version else { return Ok(None) };
    let Some(manifest) = manifest_in(layout, id, version)? else { return Ok(None) };
    let recorded = state.receipt(id, version).and_then(|receipt| receipt.manifest);
    let Some(recorded) = recorded else { return Ok(Some(manifest)) };
    let text = manifest_text(layout, id, version);
    let text = text.map_err(StoreError::io("read", &layout.version(id, version).join(MANIFEST)))?;
    Ok(text.is_some_and(|text| Expected::of(text.as_bytes()) == recorded).then_some(manifest))
}

/// The active version and the one before, by the folders that are whole.
fn by_whole_folders(
    layout: &Layout,
    id: &PackageId,
    versions: &[Version],
    remembered: Option<&PackageState>,
    cancel: &Cancel,
) -> Result<Option<(Manifest, Option<Manifest>)>, StoreError> {
    let mut manifests = Vec::new();
    for version in versions {
        manifests.extend(surely_whole(layout, id, version, cancel)?);
    }
    let wanted = remembered.and_then(|package| package.active.as_ref());
    let newest = manifests.len().checked_sub(1);
    let at = manifests.iter().position(|manifest| Some(&manifest.version) == wanted).or(newest);
    let Some(at) = at else { return Ok(None) };
    let active = manifests.remove(at);
    let kept = remembered.and_then(|package| package.previous.as_ref());
    let previous = match wanted {
        Some(_) => manifests.into_iter().find(|manifest| Some(&manifest.version) == kept),
        None => manifests.pop().filter(|_| active.kinds.iter().all(|kind| kind == "ruleset")),
    };
    Ok(Some((active, previous)))
}

/// The manifest of a version folder, if that holds all it declares.
///
/// # Errors
/// Also where the disk does not give a file: it may be as it was put there.
fn surely_whole(
    layout: &Layout,
    id: &PackageId,
    version: &Version,
    cancel: &Cancel,
) -> Result<Option<Manifest>, StoreError> {
    let Some(manifest) = manifest_in(layout, id, version)? else { return Ok(None) };
    let root = layout.version(id, version);
    let flaws = check_files(layout, &root, &declared(&manifest), cancel).map_err(StoreError::unverified(&root))?;
    for flaw in &flaws {
        if let Flaw::Unreadable { path, why } = flaw {
            return Err(StoreError::io("read", &root.join(path))(io::Error::other(why.clone())));
        }
    }
    Ok(flaws.is_empty().then_some(manifest))
}
