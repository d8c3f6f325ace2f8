use super::entry::{Links, Listing};
use crate::catalog::{MANIFEST, MAX_ARTIFACT, Manifest, RULESET};
use crate::disk::{FileKind, OpenFolder};
use crate::inspect::{CHANGELOG, Form, LISTING, Listing as ListingFile, Package, PackageFolder, Unread};
use crate::inspect::{is_listing, published, read};
use crate::json::{Object, excerpt, list, pretty, text, texts};
use crate::types::{Code, Failure, Pointer, SafePath, Severity};
use serde_json::value::RawValue;
use std::collections::HashSet;

/// A package as its author keeps it: `manifest.json`, `ruleset.json`, `catalogs/`, `locales/`; where there are notes to
/// publish, `CHANGELOG.md`; where a store page is to show more than the manifest says, `listing.json`.
#[derive(Debug)]
pub struct Folder {
    pub place: PackageFolder,
    /// The text of `manifest.json`. What it says of files and assets need not be true, or there, yet.
    pub manifest: String,
    /// What goes into the artifact: `ruleset.json`, the catalogs by name, whatever else the manifest lists as an asset,
    /// then whatever else it declares that is there.
    pub files: Vec<(SafePath, Vec<u8>)>,
    /// How many of the files are assets.
    pub assets: usize,
    /// The language packs by the tag each file is named for. `locales/en.json` is the package's own listing and none of
    /// them (docs/spec/decisions.md#q41).
    pub packs: Vec<(String, Vec<u8>)>,
    pub changelog: Option<String>,
    /// What a store page needs and no manifest says, where the folder has a `listing.json`.
    pub listing: Option<(Listing, Links)>,
}

impl Folder {
    /// Reads a package folder. No link is followed in it.
    pub fn read(place: &PackageFolder) -> Result<Self, Failure> {
        let package = Package::in_folder(place.open()?)?.ok_or_else(|| missing(place, RULESET))?;
        package.refuse_unread()?;
        let Package { manifest, ruleset, catalogs, form: Form::Folder(root), .. } = &package else {
            return Err(Failure::new(Code::Internal, "a folder is none"));
        };
        let there = |name: &str, text: &Option<Vec<u8>>| match text {
            Some(text) => Ok(published(name, text).into_owned()),
            None => Err(missing(place, name)),
        };
        let manifest = utf8(root, MANIFEST, there(MANIFEST, manifest)?)?;
        let mut files = vec![(safe(RULESET)?, there(RULESET, ruleset)?)];
        for (path, text) in catalogs {
            files.push((safe(path)?, published(path, text).into_owned()));
        }
        for asset in other_assets(&manifest) {
            let asset = safe(&asset)?;
            let bytes = read(root, asset.as_str())?;
            files.push((asset, bytes));
        }
        let assets = files.len();
        let mut known: HashSet<SafePath> = files.iter().map(|(name, _)| name.clone()).collect();
        for name in declared(&manifest).into_iter().filter(|name| is_other(name)) {
            let name = safe(&name)?;
            // Nothing there is what the check told of already.
            let found = root.find(name.as_str()).map_err(|error| Unread::new(root, name.as_str(), &error))?;
            if matches!(found, Some(FileKind::File | FileKind::Link)) && known.insert(name.clone()) {
                let bytes = read(root, name.as_str())?;
                files.push((name, bytes));
            }
        }
        let mut packs = Vec::new();
        for path in package.packs().filter(|path| !is_listing(path)) {
            let tag = path.strip_prefix("locales/").and_then(|name| name.strip_suffix(".json"));
            packs.push((tag.unwrap_or_default().to_owned(), published(path, &package.pack_at(path)?).into_owned()));
        }
        let changelog = text_if_there(root, CHANGELOG)?;
        let listing = read_listing(root)?;
        Ok(Folder { place: place.clone(), manifest, files, assets, packs, changelog, listing })
    }

    /// The manifest with `files[]` and `contributions.assets.paths` as they are, everything else and the order of keys
    /// as its author wrote it, in the two-space form all of the catalog's files have.
    ///
    /// # Errors
    ///
    /// `invalid-entry`, with every reason, for what then is no manifest.
    pub fn complete_manifest(&self) -> Result<(String, Manifest), Failure> {
        let text = super::manifest::complete(&self.manifest, &self.files, self.assets)
            .and_then(|text| pretty(&text).map_err(|error| format!("is not JSON: {error}")))
            .map_err(|why| self.refuse(&why))?;
        let read = Manifest::parse(&text).map_err(|problems| {
            let reasons: Vec<String> = problems.iter().map(crate::types::Problem::reason).collect();
            self.refuse(&format!("cannot be used: {}", reasons.join("; ")))
        })?;
        Ok((text, read))
    }

    fn refuse(&self, why: &str) -> Failure {
        Failure::new(Code::InvalidEntry, format!("{} {why}", self.place.path().join(MANIFEST).display()))
    }
}

fn missing(place: &PackageFolder, name: &str) -> Failure {
    Failure::new(Code::FileNotFound, format!("there is no `{}`", place.path().join(name).display()))
}

fn read_listing(root: &OpenFolder) -> Result<Option<(Listing, Links)>, Failure> {
    let Some(text) = read::text_if_there(root, LISTING)? else { return Ok(None) };
    let (file, problems) = ListingFile::read(&text);
    if let Some(problem) = problems.into_iter().find(|problem| problem.severity == Severity::Error) {
        let message = format!("{} cannot be used: {}", root.path().join(LISTING).display(), problem.reason());
        return Err(Failure { hint: problem.hint, ..Failure::new(Code::InvalidEntry, message) });
    }
    let listing = file.category.map(|category| Listing { category }).unwrap_or_default();
    Ok(Some((listing, Links { icon_url: file.icon_url, documentation_url: file.documentation_url })))
}

fn text_if_there(root: &OpenFolder, path: &str) -> Result<Option<String>, Failure> {
    read::text_if_there(root, path)?.map(|bytes| utf8(root, path, bytes)).transpose()
}

/// Assets beside the ruleset and its catalogs, which are taken as they lie in the folder.
fn other_assets(manifest: &str) -> Vec<String> {
    let listed = || {
        let manifest = Object::parse(manifest, Pointer::root()).ok()?;
        let contributions = Object::parse(manifest.get("contributions")?.get(), Pointer::root()).ok()?;
        let assets = Object::parse(contributions.get("assets")?.get(), Pointer::root()).ok()?;
        texts(assets.get("paths")?).ok()
    };
    let mut assets = listed().unwrap_or_default();
    assets.retain(|path| is_other(path));
    assets
}

/// The paths of a manifest's files[].
fn declared(manifest: &str) -> Vec<String> {
    let files = || list(Object::parse(manifest, Pointer::root()).ok()?.get("files")?).ok();
    let path = |file: &RawValue| {
        let file = Object::parse(file.get(), Pointer::root()).ok()?;
        text(1, usize::MAX)(file.get("path")?).ok().map(Into::into)
    };
    files().unwrap_or_default().into_iter().filter_map(path).collect()
}

/// Whether a path is neither the ruleset's nor that of a catalog file, nor of the packs' folder.
fn is_other(path: &str) -> bool {
    let is_catalog = path.strip_prefix("catalogs/").is_some_and(|name| name.ends_with(".json") && !name.contains('/'));
    path != RULESET && !is_catalog && !path.starts_with("locales/")
}

fn safe(path: &str) -> Result<SafePath, Failure> {
    path.parse().map_err(|error| Failure::new(Code::UnsafePath, format!("`{}`: {error}", excerpt(path))))
}

/// The bytes of a file as they are published.
fn read(root: &OpenFolder, path: &str) -> Result<Vec<u8>, Failure> {
    let bytes = read::plain_in(root, path, MAX_ARTIFACT.0 + 1)?;
    Ok(published(path, &bytes).into_owned())
}

fn utf8(root: &OpenFolder, path: &str, bytes: Vec<u8>) -> Result<String, Failure> {
    let refuse = |_| Failure::new(Code::InvalidEntry, format!("{} is not UTF-8", root.path().join(path).display()));
    String::from_utf8(bytes).map_err(refuse)
}

/// The text of a JSON value, unread.
pub(super) fn raw(text: String) -> Result<Box<RawValue>, String> {
    RawValue::from_string(text).map_err(|error| format!("is not JSON: {error}"))
}
