//! A package in hand: a ruleset and what lies with it, read once, however it lies there.

use super::documents::Documents;
use super::failure::failure;
use super::layout::{CATALOGS, CHANGELOG, LISTING, LOCALES};
use super::misnamed::{Misnamed, misnamed};
use super::read::{self, STDIN};
use super::root::Root;
use super::unread::{AllUnread, Unread};
use crate::catalog::{MANIFEST, Manifest, RULESET};
use crate::disk::{FileKind, OpenFolder};
use crate::json::document;
use crate::package::{Container, Contents, Wrapping};
use crate::ruleset::{catalog_files, misnamed_catalog_files};
use crate::types::{Api, Cancel, Code, Failure, Language, Problem, SafePath, codes};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::OnceLock;

/// How a package lies there.
#[derive(Debug)]
pub(crate) enum Form {
    /// As its author has it: `ruleset.json`, `catalogs/`, `locales/` and, if there is one, `manifest.json`.
    Folder(OpenFolder),
    /// As it is published, or shared.
    Packed(Container),
    /// A `ruleset.json` alone, with those of its catalog files that lie beside it.
    Lone,
}

/// A ruleset and what lies with it, as stored.
#[derive(Debug)]
pub struct Package {
    pub root: Root,
    pub(crate) form: Form,
    /// The text of `manifest.json`, where there is one.
    pub manifest: Option<Vec<u8>>,
    /// What it declares, however much else is wrong with it.
    pub declared: Option<Manifest>,
    /// The text of `ruleset.json`; only a folder may have none.
    pub ruleset: Option<Vec<u8>>,
    /// The catalog files that lie there, by path. One that cannot be read counts as there, and as holding nothing.
    pub catalogs: BTreeMap<String, Vec<u8>>,
    /// Language packs by path. They are large and few are wanted: those of a folder are read when they are.
    packs: BTreeMap<String, Option<Vec<u8>>>,
    /// Links, and the catalog files that cannot be read.
    pub(crate) unread: AllUnread,
    documents: OnceLock<Documents>,
}

impl Package {
    /// Reads what lies in a folder; nothing, where neither a ruleset nor a manifest does. No link is followed.
    pub(crate) fn in_folder(folder: OpenFolder) -> Result<Option<Self>, Failure> {
        let mut unread = AllUnread::default();
        let ruleset = unread.unless_link(read::text_if_there(&folder, RULESET))?;
        Package::of_folder(folder, ruleset, unread)
    }

    /// The folder around a `ruleset.json` that was named, and so read already.
    pub(crate) fn with_folder(self, path: &Path) -> Result<Self, Failure> {
        let around = Package::of_folder(read::folder_of(path)?, self.ruleset.clone(), AllUnread::default())?;
        Ok(around.unwrap_or(self))
    }

    fn of_folder(folder: OpenFolder, ruleset: Option<Vec<u8>>, mut unread: AllUnread) -> Result<Option<Self>, Failure> {
        let manifest = unread.unless_link(read::text_if_there(&folder, MANIFEST))?;
        let misnamed = misnamed(&folder).map_err(|error| failure(folder.path(), &error))?;
        misnamed.into_iter().for_each(|misnamed| unread.add_misnamed(misnamed));
        let is_there = |file, text: &Option<Vec<u8>>| text.is_some() || unread.covers(file);
        if !is_there(MANIFEST, &manifest) && !is_there(RULESET, &ruleset) {
            return Ok(None);
        }
        let mut catalogs = catalogs_in(&folder, ruleset.as_deref(), false, &mut unread)?;
        for misnamed in misnamed_catalogs(ruleset.as_deref(), &catalogs) {
            catalogs.remove(&misnamed.file);
            catalogs.insert(misnamed.wanted.clone(), Vec::new());
            unread.add_misnamed(misnamed);
        }
        let names = unread.unless_link(read::json_files(&folder, LOCALES))?;
        let packs: BTreeMap<_, _> = names.into_iter().map(|name| (format!("{LOCALES}/{name}"), None)).collect();
        for link in links(&folder, manifest.as_deref(), &packs) {
            unread.add(link);
        }
        let declared = manifest.as_ref().and_then(|text| Manifest::read(&String::from_utf8_lossy(text)).0);
        let path = std::path::absolute(folder.path()).map_err(|error| failure(folder.path(), &error))?;
        let (root, form, documents) = (Root::Folder(path), Form::Folder(folder), OnceLock::new());
        Ok(Some(Package { root, form, manifest, declared, ruleset, catalogs, packs, unread, documents }))
    }

    /// What an artifact holds that is as `manifest` declares; `packs` by path. `name` is the artifact's own.
    pub(crate) fn unpacked(
        name: &str,
        manifest: Manifest,
        contents: Contents,
        packs: BTreeMap<SafePath, Vec<u8>>,
    ) -> Self {
        let Contents { wrapping: Wrapping { container, .. }, ruleset, catalogs } = contents;
        let by_name =
            |files: BTreeMap<SafePath, Vec<u8>>| files.into_iter().map(|(path, bytes)| (path.to_string(), bytes));
        Package {
            root: match container {
                Container::Bare => Root::Ruleset(name.into()),
                Container::Zip | Container::Bundle => Root::Artifact(name.to_owned()),
            },
            form: Form::Packed(container),
            manifest: Some(manifest.raw.get().as_bytes().to_vec()),
            declared: Some(manifest),
            ruleset: Some(ruleset),
            catalogs: by_name(catalogs).collect(),
            packs: by_name(packs).map(|(path, bytes)| (path, Some(bytes))).collect(),
            unread: AllUnread::default(),
            documents: OnceLock::new(),
        }
    }

    /// A lone ruleset at a path, with those of its catalog files that lie beside it. Beside [`STDIN`] lies nothing.
    pub(crate) fn lone(path: &Path, ruleset: Vec<u8>) -> Result<Self, Failure> {
        let mut unread = AllUnread::default();
        let catalogs = match path == Path::new(STDIN) {
            true => BTreeMap::new(),
            false => catalogs_in(&read::folder_of(path)?, Some(&ruleset), true, &mut unread)?,
        };
        unread.refuse_others()?;
        let (manifest, declared, ruleset, packs) = (None, None, Some(ruleset), BTreeMap::new());
        let (root, form, documents) = (Root::Ruleset(path.to_owned()), Form::Lone, OnceLock::new());
        Ok(Package { root, form, manifest, declared, ruleset, catalogs, packs, unread, documents })
    }

    /// What its ruleset and catalog files hold, read when it is first asked for. Stops when asked to; what it then
    /// gives is of no use.
    pub fn documents(&self, cancel: &Cancel) -> &Documents {
        self.documents.get_or_init(|| Documents::read(self.ruleset.as_deref(), &self.catalogs, cancel))
    }

    /// The same, taken out of it.
    pub fn take_documents(&mut self, cancel: &Cancel) -> Documents {
        self.documents(cancel);
        self.documents.take().unwrap_or_default()
    }

    /// A finding as readers see it.
    pub fn tell(&self, problem: Problem) -> Problem {
        let problem = self.root.tell(problem);
        let id = || self.declared.as_ref().map(|manifest| manifest.id.to_string());
        Problem { package: problem.package.clone().or_else(id), ..problem }
    }

    /// For whoever needs every file that lies in it.
    ///
    /// # Errors
    /// The first that is not read: `unsafe-path` where it is a link.
    pub fn refuse_unread(&self) -> Result<(), Failure> {
        self.unread.refuse_any()
    }

    /// For whoever needs the ruleset as JSON.
    ///
    /// # Errors
    /// `invalid-ruleset` with the place where it is none.
    pub(crate) fn refuse_broken(&self, cancel: &Cancel) -> Result<(), Failure> {
        let documents = self.documents(cancel);
        let broken = documents.faults(RULESET).first().filter(|_| documents.ruleset.is_none());
        let Some(Problem { line, column, message, hint, .. }) = broken else { return Ok(()) };
        let place = line.zip(*column).map(|(line, column)| format!(":{line}:{column}")).unwrap_or_default();
        let text = format!("cannot read `{}{place}` as a ruleset: {message}", self.root.name_of(RULESET));
        Err(Failure { hint: hint.clone(), ..Failure::new(Code::InvalidRuleset, text) })
    }

    /// For whoever needs every catalog file the ruleset names. Checks only warn of a lone `ruleset.json` without them,
    /// since its author may have them elsewhere; without them it is not the ruleset.
    ///
    /// # Errors
    /// `invalid-ruleset` with the first that does not lie beside it.
    pub fn refuse_in_part(&self, cancel: &Cancel) -> Result<(), Failure> {
        let Some(asset) = self.documents(cancel).lacks().next() else { return Ok(()) };
        let text = format!("`{}` needs `{asset}`, which is not beside it", self.root.name());
        Err(Failure::new(Code::InvalidRuleset, text)
            .hint("give the folder with all of its files, or a bundle or zip that contains them"))
    }

    /// The Capability API it declares.
    pub fn api(&self) -> Option<Api> {
        self.declared.as_ref()?.api
    }

    /// The paths of its language packs.
    pub fn packs(&self) -> impl Iterator<Item = &str> {
        self.packs.keys().map(String::as_str)
    }

    /// The languages it has translations in. English is the ruleset itself, and its file translates nothing.
    pub fn languages(&self) -> impl Iterator<Item = Language> {
        self.packs().filter_map(language_of).filter(|language| !language.is_english())
    }

    /// The path of its pack for just this language, however its name spells that.
    pub fn pack_for(&self, language: &Language) -> Option<&str> {
        self.packs().find(|path| language_of(path).as_ref() == Some(language))
    }

    /// The text of a pack of it.
    ///
    /// # Errors
    /// When a file that was there a moment ago cannot be read.
    pub(crate) fn pack_at(&self, path: &str) -> Result<Cow<'_, [u8]>, Unread> {
        match (&self.form, self.packs.get(path)) {
            (Form::Folder(folder), _) => Ok(Cow::Owned(read::text_in(folder, path)?)),
            (_, read) => Ok(Cow::Borrowed(read.and_then(Option::as_deref).unwrap_or_default())),
        }
    }

    /// Its translation in just this language.
    ///
    /// # Errors
    /// When a file that was there a moment ago cannot be read.
    pub fn translation(&self, language: &Language) -> Result<Option<Cow<'_, [u8]>>, Failure> {
        self.pack_for(language).map(|path| self.pack_at(path)).transpose().map_err(Failure::from)
    }
}

/// The language a file of `locales/` is named for.
fn language_of(path: &str) -> Option<Language> {
    path.strip_prefix("locales/")?.strip_suffix(".json")?.parse().ok()
}

/// The catalog files that lie in a folder, or those of them that the ruleset names. Where their own folder is not read,
/// those it names count as there.
fn catalogs_in(
    folder: &OpenFolder,
    ruleset: Option<&[u8]>,
    only_named: bool,
    unread: &mut AllUnread,
) -> Result<BTreeMap<String, Vec<u8>>, Failure> {
    let named = || -> HashSet<String> {
        let ruleset = ruleset.and_then(|text| document(text, codes::RULESET_JSON).ok()).unwrap_or_default();
        catalog_files(&ruleset).into_iter().map(str::to_owned).collect()
    };
    let names = unread.unless_link(read::json_files(folder, CATALOGS))?;
    if unread.covers(CATALOGS) {
        return Ok(named().into_iter().filter(|asset| unread.covers(asset)).map(|it| (it, Vec::new())).collect());
    }
    // The ruleset is read only where it is asked what it names.
    let named = (only_named && !names.is_empty()).then(named);
    let is_wanted = |path: &String| named.as_ref().is_none_or(|named| named.contains(path));
    let paths = names.into_iter().map(|name| format!("{CATALOGS}/{name}")).filter(is_wanted);
    let read = |path: String| {
        let bytes = read::text_in(folder, &path).unwrap_or_else(|file| {
            unread.add(file);
            Vec::new()
        });
        (path, bytes)
    };
    Ok(paths.map(read).collect())
}

/// The catalog files that the ruleset names otherwise: they are there for what is missing.
fn misnamed_catalogs(ruleset: Option<&[u8]>, catalogs: &BTreeMap<String, Vec<u8>>) -> Vec<Misnamed> {
    let parsed = ruleset.filter(|_| !catalogs.is_empty()).and_then(|text| document(text, codes::RULESET_JSON).ok());
    let parsed = parsed.unwrap_or_default();
    if catalog_files(&parsed).iter().all(|asset| catalogs.contains_key(*asset)) {
        return Vec::new();
    }
    let says = |text: &[u8]| document(text, codes::CATALOG_JSON).unwrap_or_default();
    let files: Vec<(String, Value)> = catalogs.iter().map(|(path, text)| (path.clone(), says(text))).collect();
    let misnamed = misnamed_catalog_files(&parsed, &files).into_iter().filter(|misnamed| !misnamed.is_asset_wrong);
    misnamed.map(|it| Misnamed { file: it.file.to_owned(), wanted: it.asset.to_owned() }).collect()
}

/// Whether it is the package's own listing, which is in English, translates nothing and is not published
/// (docs/spec/decisions.md#q41).
pub(crate) fn is_listing(path: &str) -> bool {
    path.eq_ignore_ascii_case("locales/en.json")
}

/// The links among what is not read yet: a package that is fine here must be fine where it is built.
fn links<T>(root: &OpenFolder, manifest: Option<&[u8]>, packs: &BTreeMap<String, T>) -> Vec<Unread> {
    let manifest = manifest.and_then(|text| document(text, codes::MANIFEST_SHAPE).ok()).unwrap_or_default();
    let listed = |pointer: &str| manifest.pointer(pointer).and_then(Value::as_array).into_iter().flatten();
    let files = listed("/files").map(|file| &file["path"]);
    let declared = files.chain(listed("/contributions/assets/paths")).filter_map(Value::as_str);
    let declared = declared.filter(|path| *path != RULESET && path.parse::<SafePath>().is_ok());
    let paths = declared.chain(packs.keys().map(String::as_str)).chain([CHANGELOG, LISTING]);
    let link = |path: &str| match root.find(path) {
        // What it is said to be is for whoever opens it.
        Ok(Some(FileKind::Link)) => root.file(path).err(),
        Ok(_) => None,
        Err(error) => Some(error),
    };
    let links = paths.filter_map(|path| Some(Unread::new(root, path, &link(path)?)));
    links.filter(Unread::is_link).collect()
}
