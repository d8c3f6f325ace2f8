use super::entry::{Links, Listing};
use crate::catalog::{MANIFEST, Manifest, RULESET};
use crate::json::{Object, excerpt, list, pretty, text, texts};
use crate::publish::line_ends::published;
use crate::publish::read::{self, json_files};
use crate::types::{Code, Failure, Pointer, SafePath};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// A package as its author keeps it: `manifest.json`, `ruleset.json`, `catalogs/`, `locales/`; where there are notes to
/// publish, `CHANGELOG.md`; where a store page is to show more than the manifest says, `listing.json`.
#[derive(Debug)]
pub struct Folder {
    pub path: PathBuf,
    /// The text of `manifest.json`. What it says of files and assets need not be true, or there, yet.
    pub manifest: String,
    /// What goes into the artifact: `ruleset.json`, the catalogs by name, whatever else the manifest lists as an asset,
    /// then whatever else it declares that is there.
    pub files: Vec<(SafePath, Vec<u8>)>,
    /// How many of the files are assets.
    pub assets: usize,
    /// The language packs by the tag each file is named for. `locales/en.json` is the package's own listing and none of
    /// them (open question Q41).
    pub packs: Vec<(String, Vec<u8>)>,
    pub changelog: Option<String>,
    /// What a store page needs and no manifest says, where the folder has a `listing.json`.
    pub listing: Option<(Listing, Links)>,
}

/// A `listing.json`: what an entry says beside its manifest, its files and its packs.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ListingFile {
    #[serde(rename = "$schema")]
    _schema: Option<String>,
    category: Option<String>,
    icon_url: Option<String>,
    documentation_url: Option<String>,
}

impl Folder {
    /// The package folders of `dir`: itself, those in its `packages/`, or those right in it, by name.
    ///
    /// # Errors
    ///
    /// `file-not-found` when there is none.
    pub fn find(dir: &Path) -> Result<Vec<PathBuf>, Failure> {
        fs::metadata(dir).map_err(|error| read::failure(dir, &error))?;
        // One that is there and cannot be read, or has no manifest yet, is not passed over: it would leave the catalog.
        let is_package = |dir: &Path| [MANIFEST, RULESET].iter().any(|name| dir.join(name).symlink_metadata().is_ok());
        if is_package(dir) {
            return Ok(vec![dir.to_owned()]);
        }
        let packages = dir.join("packages");
        let parent = if packages.is_dir() { packages.as_path() } else { dir };
        let mut folders: Vec<PathBuf> =
            names_in(parent)?.into_iter().map(|name| parent.join(name)).filter(|path| is_package(path)).collect();
        folders.sort();
        if folders.is_empty() {
            let message = format!("{} holds no package folder", dir.display());
            let hint =
                "a package folder holds manifest.json and ruleset.json; they lie in DIR, DIR/packages or are DIR";
            return Err(Failure::new(Code::FileNotFound, message).hint(hint));
        }
        Ok(folders)
    }

    /// Reads a package folder.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let manifest = utf8(&path.join(MANIFEST), read(&path.join(MANIFEST))?)?;
        let mut files = vec![(safe(RULESET)?, read(&path.join(RULESET))?)];
        for name in json_files(&path.join("catalogs"))? {
            let place = format!("catalogs/{name}");
            files.push((safe(&place)?, read(&path.join(&place))?));
        }
        for asset in other_assets(&manifest) {
            let asset = safe(&asset)?;
            let bytes = read(&path.join(asset.as_str()))?;
            files.push((asset, bytes));
        }
        let assets = files.len();
        for name in declared(&manifest).into_iter().filter(|name| is_other(name)) {
            let name = safe(&name)?;
            let place = name.below(path);
            if place.is_file() && files.iter().all(|(known, _)| *known != name) {
                files.push((name, read(&place)?));
            }
        }
        let mut packs = Vec::new();
        for name in json_files(&path.join("locales"))? {
            if let Some(tag) = name.strip_suffix(".json").filter(|tag| !tag.eq_ignore_ascii_case("en")) {
                packs.push((tag.to_owned(), read(&path.join("locales").join(&name))?));
            }
        }
        let changelog = text_if_there(&path.join("CHANGELOG.md"))?;
        let listing = read_listing(&path.join("listing.json"))?;
        Ok(Folder { path: path.to_owned(), manifest, files, assets, packs, changelog, listing })
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

    /// Where the manifest lies.
    pub fn manifest_path(&self) -> PathBuf {
        self.path.join(MANIFEST)
    }

    fn refuse(&self, why: &str) -> Failure {
        Failure::new(Code::InvalidEntry, format!("{} {why}", self.manifest_path().display()))
    }
}

fn read_listing(path: &Path) -> Result<Option<(Listing, Links)>, Failure> {
    let Some(text) = text_if_there(path)? else { return Ok(None) };
    let file: ListingFile = serde_json::from_str(&text).map_err(|error| {
        let message = format!("{} cannot be used: {error}", path.display());
        Failure::new(Code::InvalidEntry, message)
            .hint("it may have category, iconUrl and documentationUrl, each a text")
    })?;
    let listing = file.category.map(|category| Listing { category }).unwrap_or_default();
    Ok(Some((listing, Links { icon_url: file.icon_url, documentation_url: file.documentation_url })))
}

fn text_if_there(path: &Path) -> Result<Option<String>, Failure> {
    read::text_if_there(path)?.map(|bytes| utf8(path, bytes)).transpose()
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

/// The names in a folder in order, hidden ones left out; none where there is no folder.
fn names_in(folder: &Path) -> Result<Vec<String>, Failure> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(read::failure(folder, &error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let name = entry.map_err(|error| read::failure(folder, &error))?.file_name().to_string_lossy().into_owned();
        if !name.starts_with('.') {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

/// The bytes of a file as they are published.
fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let bytes = read::plain(path, u64::MAX)?;
    Ok(published(&path.to_string_lossy(), &bytes).into_owned())
}

fn utf8(path: &Path, bytes: Vec<u8>) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(|_| Failure::new(Code::InvalidEntry, format!("{} is not UTF-8", path.display())))
}

/// The text of a JSON value, unread.
pub(super) fn raw(text: String) -> Result<Box<RawValue>, String> {
    RawValue::from_string(text).map_err(|error| format!("is not JSON: {error}"))
}
