//! Whether what is installed looks sound, told without reading it: by sizes and times (docs/spec/commands.md#results).
//! Only what changed since it was put there is hashed, so that a page that opens need not wait; `list` and `doctor`
//! hash it all.

use super::report::Soundness;
use super::{App, manifest_of, own_files, pack_file};
use crate::catalog::MANIFEST;
use crate::store::{Installed, KeptPack, Snapshot, check_files};
use crate::types::Failure;
use serde::Deserialize;
use std::borrow::Cow;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// What a page is told of a ruleset besides its version and its pack.
#[derive(Clone, Debug)]
pub struct Sight {
    pub state: Soundness,
    pub held: bool,
    pub installed_at: String,
}

/// As much of a manifest as a glance takes.
#[derive(Deserialize)]
struct Declared<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    #[serde(borrow)]
    version: Cow<'a, str>,
    #[serde(borrow)]
    files: Vec<File<'a>>,
}

#[derive(Deserialize)]
struct File<'a> {
    #[serde(borrow)]
    path: Cow<'a, str>,
    bytes: u64,
}

impl App {
    /// How an installed ruleset looks, with the pack that stays beside it.
    pub(super) fn sight(
        &self,
        installed: &Installed,
        pack: Option<&KeptPack>,
        snapshot: &Snapshot,
    ) -> Result<Sight, Failure> {
        let is_sound = match self.touched(installed, pack, snapshot) {
            Some(touched) if touched.is_empty() => true,
            Some(touched) => self.are_as_put(installed, pack, &touched, snapshot)?,
            None => false,
        };
        Ok(Sight {
            state: if is_sound && installed.fault.is_none() { Soundness::Ok } else { Soundness::Damaged },
            held: snapshot.state.is_held(&installed.id),
            installed_at: installed.installed_at.clone(),
        })
    }

    /// The files that are of their size and newer than what is recorded of them, so that only their bytes can tell;
    /// nothing where one is missing or not of its size.
    fn touched(&self, installed: &Installed, pack: Option<&KeptPack>, snapshot: &Snapshot) -> Option<Vec<String>> {
        let (id, version) = (&installed.id, &installed.version);
        let root = self.store.layout().version(id, version);
        if !is_folder(&root) || !root.parent().is_some_and(is_folder) {
            return None;
        }
        let stored = snapshot.state.receipt(id, version).and_then(|receipt| receipt.manifest);
        let files = declared(installed)?.into_iter();
        let files = files.chain([(MANIFEST.to_owned(), stored.map(|manifest| manifest.bytes.0))]);
        let files = files.chain(pack.map(|pack| (pack_file(pack).path, Some(pack.file.bytes.0))));
        let put_at = moment(&installed.installed_at);
        let mut touched = Vec::new();
        for (path, bytes) in files {
            let meta = std::fs::symlink_metadata(path.split('/').fold(root.clone(), |at, part| at.join(part)));
            let meta = meta.ok().filter(|meta| meta.is_file() && bytes.is_none_or(|bytes| meta.len() == bytes))?;
            let is_older = meta.modified().ok().zip(put_at).is_some_and(|(changed, put_at)| changed <= put_at);
            if !is_older {
                touched.push(path);
            }
        }
        Some(touched)
    }

    fn are_as_put(
        &self,
        installed: &Installed,
        pack: Option<&KeptPack>,
        touched: &[String],
        snapshot: &Snapshot,
    ) -> Result<bool, Failure> {
        let Some(manifest) = manifest_of(installed) else { return Ok(false) };
        let mut own = own_files(&manifest, &snapshot.state, &installed.id, &installed.version, pack);
        own.retain(|file| touched.contains(&file.path));
        let root = self.store.layout().version(&installed.id, &installed.version);
        Ok(check_files(self.store.layout(), &root, &own, &self.cancel)?.is_empty())
    }
}

/// The files of a version and their sizes, if its record holds the manifest of this very version.
fn declared(installed: &Installed) -> Option<Vec<(String, Option<u64>)>> {
    let Ok(declared) = serde_json::from_str::<Declared>(installed.manifest.get()) else {
        let files = manifest_of(installed)?.files.into_iter();
        return Some(files.map(|file| (file.path.to_string(), Some(file.expected.bytes.0))).collect());
    };
    let is_own = declared.id == installed.id.as_str() && declared.version == installed.version.as_str();
    is_own.then(|| declared.files.into_iter().map(|file| (file.path.into_owned(), Some(file.bytes))).collect())
}

/// A link is none: what lies behind it is not rulepack's.
fn is_folder(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|meta| meta.is_dir())
}

/// A moment as a record has it, which is cut to the millisecond, so it may have been a little later.
fn moment(written: &str) -> Option<SystemTime> {
    let moment = written.parse::<jiff::Timestamp>().ok()?.as_millisecond();
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_millis(u64::try_from(moment).ok()? + 1))
}
