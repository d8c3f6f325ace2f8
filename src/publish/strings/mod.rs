//! For translators: every display string of a ruleset, as a file to fill, and how much of it a language pack has done.

mod csv;
mod file;
mod po;
mod source;
mod spots;

pub use file::Format;

use crate::inspect::{report, sort_by_place};
use crate::ruleset::{self, Coverage, DisplayString, Originals, PackReport, PackTexts, Use, display_strings, is_blank};
use crate::types::{Cancel, Code, Failure, Language, Problem, Severity, Warning};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use source::Translatable;
use spots::Spots;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

/// What is asked for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// A `ruleset.json`, a package folder, or an artifact.
    pub path: PathBuf,
    pub language: Option<Language>,
    /// A language pack, or a PO file or table of this command with its translations in it. Without one, that of the
    /// language counts which is part of the package or lies beside the artifact.
    pub pack: Option<PathBuf>,
    /// The file that is wanted, to be written out of what is translated already.
    pub format: Option<Format>,
}

/// A ruleset's display strings beside what a language pack makes of them: the `result` of `strings`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Translation {
    /// `null` where none was named and no pack names one.
    pub language: Option<String>,
    /// The pack that was read: its path, which within an artifact is that of the file in it.
    pub pack: Option<String>,
    pub coverage: Coverage,
    /// The part that is translated, rounded down.
    pub percent: usize,
    pub package: Card,
    /// In reading order.
    pub strings: Vec<Line>,
    /// What the pack translates and the ruleset does not show (any longer), in the order of the pack.
    pub stale: Vec<Stale>,
    /// What is wrong with the pack.
    pub problems: Vec<Problem>,
    #[serde(skip)]
    pub ruleset: Option<String>,
    #[serde(skip)]
    pub schema: Option<String>,
    /// `ltr` or `rtl`; empty where no language is known.
    #[serde(skip)]
    pub direction: String,
    #[serde(skip)]
    pub warnings: Vec<Warning>,
}

/// The texts of the catalog's card.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Card {
    pub name: CardText,
    pub description: CardText,
}

#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct CardText {
    /// What the manifest says; `null` without one.
    pub text: Option<String>,
    pub translation: Option<String>,
}

/// A display string.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Line {
    /// In English.
    pub text: String,
    /// `null` while there is none.
    pub translation: Option<String>,
    pub uses: Vec<Use>,
}

/// A key of a pack that is no display string.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Stale {
    pub text: String,
    pub translation: String,
}

impl Translation {
    /// Whether the pack has errors.
    pub fn has_errors(&self) -> bool {
        self.problems.iter().any(|problem| problem.severity == Severity::Error)
    }

    /// The strings nobody has translated, in which a blank text is no translation.
    pub fn missing(&self) -> impl Iterator<Item = &Line> {
        self.strings.iter().filter(|line| line.translation.is_none())
    }

    /// The texts of the card nobody has translated, by their keys in the pack's `package`.
    pub fn missing_of_card(&self) -> impl Iterator<Item = (&'static str, &CardText)> {
        let texts = [("package.name", &self.package.name), ("package.description", &self.package.description)];
        texts.into_iter().filter(|(_, text)| text.translation.is_none())
    }

    /// The strings whose translation is the English text.
    pub fn identical(&self) -> impl Iterator<Item = &Line> {
        self.strings.iter().filter(|line| line.translation.as_ref() == Some(&line.text))
    }
}

/// Reads a ruleset's display strings, and holds a language pack against them.
///
/// # Errors
///
/// `file-not-found`, `io`; `invalid-artifact`, `not-a-ruleset`, `invalid-ruleset` for a path whose strings cannot be
/// read; `usage` for English, which needs no pack. When a file is to be written, a pack that could not be installed is
/// `invalid-pack` or `locale-mismatch`: what cannot be read would be lost from the file without a word.
pub fn strings(request: &Request, cancel: &Cancel) -> Result<Translation, Failure> {
    let language = request.language.as_ref();
    if language.is_some_and(|language| language.as_str() == "en") {
        let failure = Failure::new(Code::Usage, "a ruleset is already in English and needs no pack for it");
        return Err(failure.hint("give the language to translate into, such as `--language ru`"));
    }
    let source = source::open(&request.path, language, cancel)?;
    let pack = match &request.pack {
        Some(path) => Some(source::read_pack(path, language, cancel)?),
        None => source.pack.clone(),
    };
    let texts = pack.as_ref().and_then(|pack| PackTexts::read(&pack.bytes));
    let language = match (language, &texts) {
        (Some(language), _) => Some(language.clone()),
        // A pack without a language of its own is for the check below to refuse.
        (None, Some(texts)) => texts.locale.as_ref().and_then(|locale| locale.parse().ok()),
        (None, None) => None,
    };
    let writes_file = request.format.is_some() || request.language.is_none();
    if let Some(pack) = pack.as_ref().filter(|_| writes_file) {
        usable(pack, language.as_ref())?;
    }
    Ok(compare(source, language, pack, texts.unwrap_or_default()))
}

/// A language pack as it was found.
#[derive(Clone, Debug)]
struct Pack {
    name: String,
    bytes: Vec<u8>,
    /// The PO file or table that the bytes were made of.
    made_of: Option<MadeOf>,
}

/// A PO file or a table, and where its texts stand.
#[derive(Clone, Debug)]
struct MadeOf {
    file: String,
    spots: Spots,
}

impl Pack {
    fn new(name: String, bytes: Vec<u8>) -> Self {
        Pack { name, bytes, made_of: None }
    }
}

/// Whether a pack can be merged into a file.
fn usable(pack: &Pack, language: Option<&Language>) -> Result<(), Failure> {
    let Some(language) = language else {
        let failure = Failure::new(Code::InvalidPack, format!("`{}` has no language", pack.name));
        return Err(failure.hint(match pack.made_of {
            Some(_) => "give it with `--language`",
            None => "add `\"_meta\": {\"locale\": …, \"direction\": …}` to the language pack",
        }));
    };
    ruleset::check_pack(&pack.bytes, language).map(drop).map_err(|fault| {
        let mut problems = [fault.problem().clone()];
        let place = pack.made_of.as_ref().map(|made_of| made_of.spots.locate(&made_of.file, &mut problems));
        let place = place.and_then(|()| Some(format!(":{}:{}", problems[0].line?, problems[0].column?)));
        let failure = Failure::from(fault);
        let hint = failure.hint.clone().unwrap_or_else(|| {
            format!(
                "run `rulepack strings … --language {language} --pack …` without `--format` for all of its problems"
            )
        });
        let place = place.unwrap_or_default();
        Failure { message: format!("`{}{place}`: {}", pack.name, failure.message), ..failure }.hint(hint)
    })
}

fn compare(source: Translatable, language: Option<Language>, pack: Option<Pack>, texts: PackTexts) -> Translation {
    let display = display_strings(&source.ruleset, &source.catalogs);
    let originals = Originals::new(&display);
    let report = match pack.as_ref().zip(language.as_ref()) {
        Some((pack, language)) => checked(pack, language, &originals),
        None => PackReport { problems: Vec::new(), coverage: Coverage::nothing_of(originals.len()) },
    };
    let known: HashSet<&str> = display.iter().map(|string| string.text.as_str()).collect();
    // Of a key written twice the last counts, as it does to the engine.
    let mut translations: HashMap<String, String> = HashMap::new();
    let mut stale = Vec::new();
    for (text, translation) in texts.strings {
        match known.contains(text.as_str()) {
            true => drop(translations.insert(text, translation)),
            false => stale.push(Stale { text, translation }),
        }
    }
    let not_empty = |text: &String| !is_blank(text);
    let card = |text: Option<String>, translation: Option<String>| CardText {
        text: text.filter(not_empty),
        translation: translation.filter(not_empty),
    };
    let strings = display.into_iter().map(|DisplayString { text, uses, .. }| {
        let translation = translations.remove(&text).filter(not_empty);
        Line { text, translation, uses }
    });
    Translation {
        pack: pack.map(|pack| pack.name),
        percent: report.coverage.percent(),
        coverage: report.coverage,
        package: Card { name: card(source.name, texts.name), description: card(source.description, texts.description) },
        strings: strings.collect(),
        stale,
        problems: report.problems,
        ruleset: source.ruleset.get("id").and_then(Value::as_str).map(str::to_owned),
        schema: texts.schema,
        direction: texts
            .direction
            .or(language.as_ref().map(|language| language.direction().to_owned()))
            .unwrap_or_default(),
        language: language.map(|language| language.to_string()),
        warnings: source.warnings,
    }
}

/// What is wrong with a pack and where.
fn checked(pack: &Pack, language: &Language, originals: &Originals<'_>) -> PackReport {
    let report = match &pack.made_of {
        Some(MadeOf { file, spots }) => {
            let mut report = ruleset::check_pack_against(&pack.bytes, language, Some(originals));
            spots.locate(file, &mut report.problems);
            sort_by_place(&mut report.problems);
            report
        }
        None => report(&pack.bytes, language, Some(originals)),
    };
    let problems = report.problems.into_iter().map(|problem| problem.in_file(&pack.name)).collect();
    PackReport { problems, ..report }
}
