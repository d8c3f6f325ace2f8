//! Where display strings come from: a `ruleset.json`, a package folder, or an artifact.

use super::file::pack_of;
use super::spots::in_words;
use super::{MadeOf, Pack, csv, po};
use crate::catalog::RULESET;
use crate::inspect::{Form, pack_beside, read, ruleset_at};
use crate::json::{document, place_of};
use crate::types::{Cancel, Code, Failure, Language, Warning, codes};
use serde_json::Value;
use std::path::Path;

/// A ruleset with its catalog files, what its manifest says in English, and the pack that lies with it.
#[derive(Debug)]
pub(super) struct Translatable {
    pub ruleset: Value,
    pub catalogs: Vec<(String, Value)>,
    pub name: Option<String>,
    pub description: Option<String>,
    /// That of the language asked for.
    pub pack: Option<Pack>,
    pub warnings: Vec<Warning>,
}

/// Reads what is at a path. A catalog file that is not there or cannot be read is a warning: the rest can be
/// translated.
pub(super) fn open(path: &Path, language: Option<&Language>, cancel: &Cancel) -> Result<Translatable, Failure> {
    let mut package = ruleset_at(path, cancel)?;
    if matches!(package.form, Form::Lone) && path.file_name().is_some_and(|name| name == RULESET) {
        package = package.with_folder(path)?;
        package.refuse_unread()?;
    }
    let pack = match language.and_then(|language| package.pack_for(language)) {
        Some(inner) => Some(Pack::new(
            match package.form {
                Form::Packed(_) => inner.to_owned(),
                Form::Folder(_) | Form::Lone => package.root.name_of(inner),
            },
            package.pack_at(inner)?.into_owned(),
        )),
        None if matches!(package.form, Form::Folder(_)) => None,
        None => beside(path, language)?,
    };
    let manifest = package
        .manifest
        .as_ref()
        .and_then(|manifest| document(manifest, codes::MANIFEST_SHAPE).ok())
        .unwrap_or_default();
    let text = |key: &str| manifest.get(key).and_then(Value::as_str).map(str::to_owned);
    package.refuse_broken(cancel)?;
    let documents = package.take_documents(cancel);
    cancel.stop_if_asked()?;
    let left_out = |asset: &str| {
        let why = documents.faults(asset).first().map_or("no such file", |problem| &problem.message);
        Warning::new(codes::CATALOG_LEFT_OUT, format!("skipped the strings of `{asset}`: {why}"))
    };
    let warnings = documents.lacks().map(left_out).collect();
    let ruleset = documents.ruleset.unwrap_or_default();
    Ok(Translatable {
        ruleset,
        catalogs: documents.files,
        name: text("name"),
        description: text("description"),
        pack,
        warnings,
    })
}

/// The pack that a catalog would list for an artifact. Nobody named it, so it is no link.
fn beside(artifact: &Path, language: Option<&Language>) -> Result<Option<Pack>, Failure> {
    let Some(name) = language.and_then(|language| pack_beside(artifact, language)) else { return Ok(None) };
    let bytes = read::text_if_there(&read::folder_of(artifact)?, &name)?;
    Ok(bytes.map(|bytes| Pack::new(told(&artifact.with_file_name(name)), bytes)))
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
        _ => return Ok(Pack::new(name, bytes)),
    };
    let invalid = |why: String| Failure::new(Code::InvalidPack, format!("`{name}`: {why}"));
    let file = String::from_utf8(bytes).map_err(|error| {
        let place = place_of(error.as_bytes(), error.utf8_error().valid_up_to());
        invalid(format!("{}: this is not UTF-8", in_words(place))).hint("save it as UTF-8")
    })?;
    let (texts, spots) = reads(&file).map_err(|malformed| invalid(malformed.in_words(&file)))?;
    if let (Some(wanted), Some(written)) = (language, &texts.locale)
        && written.parse::<Language>().ok().as_ref() != Some(wanted)
    {
        let place = spots.place_of_locale(&file).map(|place| format!(" ({})", in_words(place))).unwrap_or_default();
        let message = format!("`{name}` is for `{written}`, not for `{wanted}`{place}");
        return Err(Failure::new(Code::LocaleMismatch, message));
    }
    Ok(Pack { name, bytes: pack_of(&texts, language).into_bytes(), made_of: Some(MadeOf { file, spots }) })
}
