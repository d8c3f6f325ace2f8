//! Where display strings come from: a `ruleset.json`, a package folder, or an artifact.

use super::file::pack_of;
use super::{Malformed, Pack, csv, po};
use crate::catalog::RULESET;
use crate::json::document;
use crate::publish::artifact;
use crate::publish::companion::Companion;
use crate::publish::folder::Folder;
use crate::publish::kind::{Kind, kind_of};
use crate::publish::read;
use crate::publish::unread::{Unread, below};
use crate::types::{Cancel, Code, Failure, Language, OpenFolder, Problem, Warning, codes};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// A ruleset with its catalog files, what its manifest says in English, and the pack that lies with it.
#[derive(Debug)]
pub(super) struct Source {
    pub ruleset: Value,
    pub catalogs: Vec<(String, Value)>,
    pub name: Option<String>,
    pub description: Option<String>,
    /// That of the language asked for.
    pub pack: Option<Pack>,
    pub warnings: Vec<Warning>,
}

/// The texts of a package, not yet read.
#[derive(Default)]
struct Texts {
    ruleset: Vec<u8>,
    catalogs: BTreeMap<String, Vec<u8>>,
    name: Option<String>,
    description: Option<String>,
    pack: Option<Pack>,
}

/// Reads what is at a path.
pub(super) fn open(path: &Path, language: Option<&Language>, cancel: &Cancel) -> Result<Source, Failure> {
    if path.is_dir() {
        return of_folder(path, Folder::read(read::folder(path)?)?, language)?.read(path);
    }
    let bytes = read::named_text(path, cancel)?;
    let texts = match kind_of(path, &bytes) {
        Ok(Kind::Ruleset) if path.file_name().is_some_and(|name| name == RULESET) => {
            of_folder(path, Folder::of_ruleset(read::folder_of(path)?, bytes)?, language)?
        }
        Ok(Kind::Ruleset) => {
            let Companion { ruleset, catalogs, unread, .. } = Companion::of_ruleset(path, bytes)?;
            unread.refuse_links()?;
            Texts { ruleset, catalogs, pack: beside(path, language)?, ..Texts::default() }
        }
        Ok(Kind::Zip | Kind::Bundle) => of_artifact(path, language, cancel)?,
        Ok(_) => return Err(no_ruleset(path, "it is another file")),
        Err(problem) => return Err(no_ruleset(path, &problem.message)),
    };
    texts.read(path)
}

fn of_folder(path: &Path, folder: Option<Folder>, language: Option<&Language>) -> Result<Texts, Failure> {
    let nothing = || no_ruleset(path, "no ruleset.json lies there");
    let folder = folder.ok_or_else(nothing)?;
    folder.refuse_unread()?;
    let manifest =
        folder.manifest.and_then(|manifest| document(&manifest, codes::MANIFEST_SHAPE).ok()).unwrap_or_default();
    let text = |key: &str| manifest.get(key).and_then(Value::as_str).map(str::to_owned);
    let pack = match folder.locales.iter().find(|path| language.is_some_and(|language| is_for(path, language))) {
        Some(path) => Some(pack_in(&folder.root, path)?),
        None => None,
    };
    Ok(Texts {
        ruleset: folder.ruleset.ok_or_else(nothing)?,
        catalogs: folder.catalogs,
        name: text("name"),
        description: text("description"),
        pack,
    })
}

fn of_artifact(path: &Path, language: Option<&Language>, cancel: &Cancel) -> Result<Texts, Failure> {
    let file = read::open(path)?;
    let opened = artifact::open(file, &path.display().to_string(), cancel)?;
    let held = opened.held.ok_or_else(|| {
        let why = opened.problems.first().map(Problem::reason).unwrap_or_default();
        let failure = Failure::new(Code::InvalidArtifact, format!("`{}` cannot be used: {why}", path.display()));
        failure.hint("`rulepack check` tells everything that is wrong with it")
    })?;
    let inside =
        held.locales.into_iter().find(|(path, _)| language.is_some_and(|language| is_for(path.as_str(), language)));
    let pack = match inside {
        Some((name, bytes)) => Some(Pack { name: name.as_str().to_owned(), bytes, converted: false }),
        None => beside(path, language)?,
    };
    Ok(Texts {
        ruleset: held.ruleset,
        catalogs: held.catalogs,
        name: Some(held.manifest.name),
        description: Some(held.manifest.description),
        pack,
    })
}

/// Whether a file of `locales/` is named for a language, however it spells it.
fn is_for(path: &str, language: &Language) -> bool {
    let name = path.strip_prefix("locales/").and_then(|name| name.strip_suffix(".json"));
    name.and_then(|name| name.parse::<Language>().ok()).is_some_and(|named| named == *language)
}

/// The pack that a catalog would list for an artifact: `<id>-<version>.<language>.json` beside
/// `<id>-<version>.ruleset.json`.
fn beside(artifact: &Path, language: Option<&Language>) -> Result<Option<Pack>, Failure> {
    let name = artifact.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_suffix(".ruleset.json"));
    let Some((name, language)) = name.zip(language) else { return Ok(None) };
    match pack_in(&read::folder_of(artifact)?, &format!("{name}.{language}.json")) {
        Ok(pack) => Ok(Some(pack)),
        Err(unread) if unread.is_missing() => Ok(None),
        Err(unread) => Err(unread.into()),
    }
}

/// A language pack that lies with its ruleset. Nobody named it, so it is no link.
fn pack_in(folder: &OpenFolder, path: &str) -> Result<Pack, Unread> {
    let bytes = read::text_in(folder, path)?;
    Ok(Pack { name: told(&below(folder.path(), path)), bytes, converted: false })
}

fn told(path: &Path) -> String {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string()
}

/// A language pack for a language, or what becomes one: a `.po` or `.csv` file.
pub(super) fn read_pack(path: &Path, language: Option<&Language>, cancel: &Cancel) -> Result<Pack, Failure> {
    let name = told(path);
    let bytes = read::named_text(path, cancel)?;
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_ascii_lowercase();
    let reads = match extension.as_str() {
        "po" => po::read,
        "csv" => csv::read,
        _ => return Ok(Pack { name, bytes, converted: false }),
    };
    let invalid = |why: String| Failure::new(Code::InvalidPack, format!("`{name}`{why}"));
    let text = String::from_utf8(bytes).map_err(|_| invalid(" is not UTF-8".to_owned()).hint("save it as UTF-8"))?;
    let texts = reads(&text).map_err(|Malformed { line, why }| invalid(format!(": line {line} {why}")))?;
    if let (Some(wanted), Some(written)) = (language, &texts.locale)
        && written.parse::<Language>().ok().as_ref() != Some(wanted)
    {
        return Err(Failure::new(Code::LocaleMismatch, format!("`{name}` is for `{written}`, not for `{wanted}`")));
    }
    Ok(Pack { name, bytes: pack_of(&texts, language).into_bytes(), converted: true })
}

fn no_ruleset(path: &Path, why: &str) -> Failure {
    let failure = Failure::new(Code::NotARuleset, format!("`{}` holds no ruleset: {why}", path.display()));
    failure.hint("name a ruleset.json, the folder of a package, or an artifact")
}

impl Texts {
    /// Reads them as JSON. A catalog file that is not there or cannot be read is a warning: the rest can be translated.
    fn read(mut self, path: &Path) -> Result<Source, Failure> {
        let ruleset = document(&self.ruleset, codes::RULESET_JSON).map_err(|problem| {
            let place = problem.line.zip(problem.column).map(|(line, column)| format!(":{line}:{column}"));
            let place = format!("{}{}", path.display(), place.unwrap_or_default());
            let failure = Failure::new(Code::InvalidRuleset, format!("the ruleset of `{place}`: {}", problem.message));
            Failure { hint: problem.hint, ..failure }
        })?;
        let mut catalogs: Vec<(String, Value)> = Vec::new();
        let mut warnings = Vec::new();
        for catalog in ruleset.get("catalogs").and_then(Value::as_array).into_iter().flatten() {
            let Some(asset) = catalog.get("asset").and_then(Value::as_str) else { continue };
            if catalogs.iter().any(|(path, _)| path == asset) {
                continue;
            }
            let read = match self.catalogs.remove(asset) {
                Some(bytes) => document(&bytes, codes::CATALOG_JSON).map_err(|problem| problem.message),
                None => Err("there is no such file".to_owned()),
            };
            match read {
                Ok(catalog) => catalogs.push((asset.to_owned(), catalog)),
                Err(why) => {
                    let message = format!("the strings of `{asset}` are left out: {why}");
                    warnings.push(Warning::new(codes::CATALOG_LEFT_OUT, message));
                }
            }
        }
        let Texts { name, description, pack, .. } = self;
        Ok(Source { ruleset, catalogs, name, description, pack, warnings })
    }
}
