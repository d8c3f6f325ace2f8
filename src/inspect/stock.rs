//! The manifest in a package folder, held against what lies there.

use super::artifact::judge_manifest;
use super::line_ends::published;
use super::package::{Form, Package, is_listing};
use crate::catalog::{MAX_ARTIFACT, RULESET};
use crate::json::{document_and_repeats, locate, whole_number};
use crate::types::{Expected, Pointer, Problem, SafePath, codes};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::HashSet;

impl Package {
    /// Judges the manifest as `catalog build` would write it: with what the files really are, and all that is there.
    /// That its own files[] says something else is a warning only, and nothing where it `is_rewritten`.
    pub(super) fn judge_manifest(&self, text: &[u8], is_rewritten: bool) -> Vec<Problem> {
        let mut problems = match document_and_repeats(text, codes::MANIFEST_SHAPE) {
            Err(problem) => vec![*problem],
            Ok((mut manifest, repeats)) => match self.take_stock(&mut manifest) {
                Some(stale) => {
                    let stale = if is_rewritten { Vec::new() } else { stale };
                    [judge_manifest(manifest.to_string().as_bytes()), stale, repeats].concat()
                }
                None => judge_manifest(text),
            },
        };
        locate(text, &mut problems);
        problems
    }

    /// Brings files[] in line with the folder, and tells where it was not; a folder's manifest may leave it out.
    /// Nothing is done where it is no list.
    fn take_stock(&self, manifest: &mut Value) -> Option<Vec<Problem>> {
        let mut stale = self.take_stock_of_assets(manifest);
        let assets: Vec<String> = manifest
            .pointer("/contributions/assets/paths")
            .and_then(Value::as_array)
            .map(|paths| paths.iter().filter_map(Value::as_str).map(str::to_owned).collect())
            .unwrap_or_default();
        let manifest = manifest.as_object_mut()?;
        let is_written = manifest.contains_key("files");
        let files = manifest.entry("files").or_insert_with(|| json!([])).as_array_mut()?;
        let at = Pointer::root().at("files");
        for (index, file) in files.iter_mut().enumerate() {
            let Some(path) = file["path"].as_str().and_then(|path| path.parse::<SafePath>().ok()) else { continue };
            if self.unread.covers(path.as_str()) {
                continue;
            }
            let Some(actual) = self.measure(&path) else {
                let message = format!("`{path}` is listed in files[], but is not in the folder");
                stale.push(stale_manifest(&at.at(index).at("path"), message));
                continue;
            };
            let is_declared = |actual: &Expected| {
                whole_number(&file["bytes"]) == Some(actual.bytes.0)
                    && file["sha256"].as_str() == Some(&actual.sha256.to_string())
            };
            if !is_declared(&actual) && !self.measure_published(&path).is_some_and(|actual| is_declared(&actual)) {
                stale.push(stale_manifest(&at.at(index), format!("`{path}` differs from what files[] says")));
                (file["bytes"], file["sha256"]) = (json!(actual.bytes.0), json!(actual.sha256));
            }
        }
        let mut listed: HashSet<String> =
            files.iter().filter_map(|file| file["path"].as_str()).map(str::to_owned).collect();
        let packs = self.packs().filter(|path| !is_listing(path));
        for path in assets.iter().map(String::as_str).chain(packs) {
            if listed.contains(path) {
                continue;
            }
            let actual = match self.unread.covers(path) {
                // It is there all the same, whatever is in it.
                true => Some(Expected::of(b"?")),
                false => path.parse().ok().and_then(|path| self.measure(&path)),
            };
            let Some(actual) = actual else { continue };
            // Packs are published beside the artifact, or added to it by whoever shares it.
            if is_written && !path.starts_with("locales/") {
                stale.push(stale_manifest(&at, format!("`{path}` is not listed in files[]")));
            }
            listed.insert(path.to_owned());
            files.push(json!({"path": path, "bytes": actual.bytes.0, "sha256": actual.sha256}));
        }
        Some(stale)
    }

    /// The same of `contributions.assets.paths`: the catalogs that are there are among them, and so is the ruleset
    /// where there are no contributions at all. Contributions without the ruleset are left as they are: a build does
    /// not mend what a package contributes (N130).
    fn take_stock_of_assets(&self, manifest: &mut Value) -> Vec<Problem> {
        let at = Pointer::root().at("contributions").at("assets").at("paths");
        let is_written = manifest.pointer(&at.to_string()).is_some();
        let has_contributions = manifest.get("contributions").is_some();
        if has_contributions && !is_written {
            return Vec::new();
        }
        let mut parent = Some(&mut *manifest);
        for key in ["contributions", "assets"] {
            let object = parent.and_then(Value::as_object_mut);
            parent = object.map(|object| object.entry(key).or_insert_with(|| json!({})));
        }
        let paths =
            parent.and_then(Value::as_object_mut).map(|assets| assets.entry("paths").or_insert_with(|| json!([])));
        let Some(paths) = paths.and_then(Value::as_array_mut) else { return Vec::new() };
        let is_there = !has_contributions && (self.ruleset.is_some() || self.unread.covers(RULESET));
        let own = is_there.then_some(RULESET).into_iter().chain(self.catalogs.keys().map(String::as_str));
        let listed: HashSet<String> = paths.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        let mut stale = Vec::new();
        for path in own {
            if !listed.contains(path) {
                paths.push(json!(path));
                stale.extend(is_written.then(|| stale_manifest(&at, format!("`{path}` is not listed in the assets"))));
            }
        }
        stale
    }

    fn measure(&self, path: &SafePath) -> Option<Expected> {
        self.bytes_of(path).map(|bytes| Expected::of(&bytes))
    }

    /// What a build publishes of a file, which a checkout may have given other line ends.
    fn measure_published(&self, path: &SafePath) -> Option<Expected> {
        self.bytes_of(path).map(|bytes| Expected::of(&published(path.as_str(), &bytes)))
    }

    fn bytes_of(&self, path: &SafePath) -> Option<Cow<'_, [u8]>> {
        let read = match path.as_str() {
            RULESET => self.ruleset.as_ref(),
            other => self.catalogs.get(other),
        };
        match read {
            Some(bytes) => Some(Cow::Borrowed(bytes)),
            None => match &self.form {
                Form::Folder(folder) => folder.read_up_to(path.as_str(), MAX_ARTIFACT.0 + 1).ok().map(Cow::Owned),
                _ => None,
            },
        }
    }
}

fn stale_manifest(at: &Pointer, message: String) -> Problem {
    Problem::new(codes::STALE_MANIFEST, at, message).hint("update files[] with `rulepack catalog build`")
}
