//! Where display strings come from: a `ruleset.json`, a package folder, or an artifact.

use super::Pack;
use crate::catalog::Manifest;
use crate::json::document;
use crate::package::{self, Sink};
use crate::types::{ByteSize, Cancel, Code, Failure, Language, SafePath, Warning};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};

const RULESET: &str = "ruleset.json";
const MANIFEST: &str = "manifest.json";

/// The largest language pack (catalog format, section 8; open question Q4).
const MAX_PACK: ByteSize = ByteSize::mib(8);

/// A ruleset with its catalog files, what its manifest says in English, and the pack that lies with it.
#[derive(Debug, Default)]
pub(super) struct Source {
    pub ruleset: Value,
    /// What the ruleset calls itself.
    pub id: Option<String>,
    pub catalogs: Vec<(String, Value)>,
    pub name: Option<String>,
    pub description: Option<String>,
    /// `locales/<language>.json`, where a language was asked for.
    pub pack: Option<Pack>,
    pub warnings: Vec<Warning>,
}

/// Reads what is at a path.
pub(super) fn open(path: &Path, language: Option<&Language>, cancel: &Cancel) -> Result<Source, Failure> {
    let found = fs::metadata(path).map_err(|error| unreadable(path, &error))?;
    if found.is_dir() {
        return beside(path, &path.join(RULESET), language);
    }
    if !found.is_file() {
        return Err(Failure::new(Code::Io, format!("`{}` is neither a plain file nor a folder", path.display())));
    }
    let mut file = File::open(path).map_err(|error| unreadable(path, &error))?;
    match package::manifest_inside(&mut file, cancel) {
        Ok(manifest) => artifact(path, file, &manifest, language, cancel),
        Err(fault) if begins_as_zip(&mut file).map_err(|error| unreadable(path, &error))? => {
            Err(named(path, fault.into()))
        }
        // No bundle: a ruleset, or what cannot be read as one either.
        Err(_) => beside(path.parent().unwrap_or(Path::new("")), path, language),
    }
}

fn begins_as_zip(file: &mut File) -> io::Result<bool> {
    let mut head = Vec::new();
    file.rewind()?;
    file.take(4).read_to_end(&mut head)?;
    Ok(head == b"PK\x03\x04")
}

/// A ruleset whose catalogs, manifest and packs lie in a folder.
fn beside(folder: &Path, ruleset: &Path, language: Option<&Language>) -> Result<Source, Failure> {
    let bytes = read(ruleset, package::MAX_KEPT)?;
    let mut files = Files { there: BTreeMap::new(), folder: Some(folder) };
    let mut source = read_ruleset(ruleset, &bytes, &mut files)?;
    if let Some(manifest) = fs::read(folder.join(MANIFEST)).ok().and_then(|bytes| document(&bytes, "manifest").ok()) {
        let text = |key: &str| manifest.get(key).and_then(Value::as_str).map(str::to_owned);
        (source.name, source.description) = (text("name"), text("description"));
    }
    if let Some(language) = language {
        let path = folder.join("locales").join(format!("{language}.json"));
        if path.is_file() {
            source.pack = Some(Pack { name: super::shown(&path), bytes: read_pack(&path)? });
        }
    }
    Ok(source)
}

/// A zip or a bundle, held against its own manifest.
fn artifact(
    path: &Path,
    file: File,
    manifest: &[u8],
    language: Option<&Language>,
    cancel: &Cancel,
) -> Result<Source, Failure> {
    let invalid = |why: String| named(path, Failure::new(Code::InvalidArtifact, why));
    let manifest = String::from_utf8_lossy(manifest);
    let manifest = Manifest::parse(&manifest).map_err(|reasons| {
        let why = reasons.first().map(|problem| problem.reason()).unwrap_or_default();
        invalid(format!("its manifest cannot be used: {why}"))
    })?;
    let mut locale =
        Locale { wanted: language.map(|language| format!("locales/{language}.json")), ..Locale::default() };
    let contents =
        package::unpack(file, &manifest, &mut locale, cancel).map_err(|faults| named(path, faults.into()))?;
    let there = contents.catalogs.into_iter().map(|(path, bytes)| (path.as_str().to_owned(), bytes)).collect();
    let source = read_ruleset(path, &contents.ruleset, &mut Files { there, folder: None })?;
    let pack = locale.wanted.zip(locale.bytes).map(|(name, bytes)| Pack { name, bytes });
    Ok(Source { name: Some(manifest.name), description: Some(manifest.description), pack, ..source })
}

/// Catalog files: those already read, or those of a folder.
struct Files<'a> {
    there: BTreeMap<String, Vec<u8>>,
    folder: Option<&'a Path>,
}

impl Files<'_> {
    fn take(&mut self, path: &str) -> Result<Vec<u8>, String> {
        if let Some(bytes) = self.there.remove(path) {
            return Ok(bytes);
        }
        let folder = self.folder.ok_or("it is not in the artifact")?;
        let path = path.parse::<SafePath>().map_err(|error| error.to_string())?;
        read(&path.below(folder), package::MAX_KEPT).map_err(|failure| failure.message)
    }
}

/// A ruleset and the catalog files it names. One that cannot be read is a warning: the rest can be translated.
fn read_ruleset(path: &Path, bytes: &[u8], files: &mut Files<'_>) -> Result<Source, Failure> {
    let ruleset = document(bytes, "ruleset-json").map_err(|problem| {
        let place =
            problem.line.zip(problem.column).map(|(line, column)| format!(":{line}:{column}")).unwrap_or_default();
        let failure = Failure::new(Code::InvalidRuleset, format!("`{}{place}`: {}", path.display(), problem.message));
        Failure { hint: problem.hint, ..failure }
    })?;
    if ruleset.get("sheet").is_none() && ruleset.get("resolution").is_none() {
        let failure = Failure::new(Code::NotARuleset, format!("`{}` holds no ruleset", path.display()));
        return Err(failure.hint("name a ruleset.json, a package folder, or an artifact"));
    }
    let mut source = Source::default();
    for catalog in ruleset.get("catalogs").and_then(Value::as_array).into_iter().flatten() {
        let Some(asset) = catalog.get("asset").and_then(Value::as_str) else { continue };
        if source.catalogs.iter().any(|(path, _)| path == asset) {
            continue;
        }
        let parsed =
            files.take(asset).and_then(|bytes| document(&bytes, "catalog-json").map_err(|problem| problem.reason()));
        match parsed {
            Ok(catalog) => source.catalogs.push((asset.to_owned(), catalog)),
            Err(why) => {
                let message = format!("the strings of `{asset}` are left out: {why}");
                source.warnings.push(Warning::new("catalog-left-out", message));
            }
        }
    }
    let id = ruleset.get("id").and_then(Value::as_str).map(str::to_owned);
    Ok(Source { ruleset, id, ..source })
}

/// A language pack.
pub(super) fn read_pack(path: &Path) -> Result<Vec<u8>, Failure> {
    read(path, MAX_PACK)
}

fn read(path: &Path, most: ByteSize) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| unreadable(path, &error))?;
    file.take(most.0 + 1).read_to_end(&mut bytes).map_err(|error| unreadable(path, &error))?;
    if bytes.len() as u64 > most.0 {
        let message = format!("`{}` has more than {most}, which is the most that is read", path.display());
        return Err(Failure::new(Code::SizeMismatch, message));
    }
    Ok(bytes)
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    let path = PathBuf::from(super::shown(path));
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
            Failure::new(Code::FileNotFound, format!("there is no `{}`", path.display()))
        }
        _ => Failure::new(Code::of_io(error), format!("cannot read `{}`: {error}", path.display())),
    }
}

fn named(path: &Path, failure: Failure) -> Failure {
    Failure { message: format!("`{}`: {}", path.display(), failure.message), ..failure }
}

/// Keeps one translation out of all files of an artifact.
#[derive(Default)]
struct Locale {
    wanted: Option<String>,
    is_here: bool,
    bytes: Option<Vec<u8>>,
}

impl Sink for Locale {
    fn begin(&mut self, path: &SafePath) -> io::Result<()> {
        self.is_here = self.wanted.as_deref() == Some(path.as_str());
        if self.is_here {
            self.bytes = Some(Vec::new());
        }
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.bytes {
            Some(kept) if self.is_here => kept.extend_from_slice(bytes),
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        self.is_here = false;
        Ok(())
    }
}
