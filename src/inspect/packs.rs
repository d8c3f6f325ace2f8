//! One language pack, wherever it was found.

use crate::catalog::MAX_PACK;
use crate::json::locate;
use crate::ruleset::{Originals, PackReport, check_pack_against};
use crate::types::{Language, Pointer, Problem, Version, codes};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// Everything that is wrong with a language pack, with its places. `originals` are the display strings of its ruleset,
/// where that is at hand.
pub(crate) fn judge_pack(bytes: &[u8], language: &Language, originals: Option<&Originals<'_>>) -> Vec<Problem> {
    if bytes.len() as u64 > MAX_PACK.0 {
        let message = format!("it is larger than {MAX_PACK}, the limit for a language pack");
        return vec![Problem { pointer: None, ..Problem::new(codes::T10, &Pointer::root(), message) }];
    }
    report(bytes, language, originals).problems
}

/// What a maintainer should know of a language pack, each finding with its place, in the order of the file.
pub(crate) fn report(bytes: &[u8], language: &Language, originals: Option<&Originals<'_>>) -> PackReport {
    let mut report = check_pack_against(bytes, language, originals);
    locate(bytes, &mut report.problems);
    sort_by_place(&mut report.problems);
    report
}

/// Findings without a place, which sum others up, come last.
pub(crate) fn sort_by_place(problems: &mut [Problem]) {
    problems.sort_by_key(|problem| (problem.line.unwrap_or(u64::MAX), problem.column));
}

/// [`judge_pack`] of a pack of a package, whose name has to tell its language.
pub(crate) fn judge_named_pack(path: &Path, bytes: &[u8], originals: Option<&Originals<'_>>) -> Vec<Problem> {
    match named_for(path) {
        Some(language) => judge_pack(bytes, &language, originals),
        None => {
            let message = "the file is not named after a language";
            let problem = Problem { pointer: None, ..Problem::new(codes::PACK_LANGUAGE, &Pointer::root(), message) };
            vec![problem.hint("name it after its language tag, such as `ru.json`, `pt-BR.json` or `zh-Hans.json`")]
        }
    }
}

/// The language a pack is for: the one its file is named for, where that is plain, else what it says itself.
pub(crate) fn language_of(path: &Path, bytes: &[u8]) -> Language {
    named_for(path).or_else(|| said_in(bytes)).unwrap_or_else(Language::english)
}

/// `locales/<language>.json`, or `<id>-<version>.<language>.json` (T01).
fn named_for(path: &Path) -> Option<Language> {
    let stem = path.file_name()?.to_str()?.strip_suffix(".json")?;
    if path.parent().and_then(Path::file_name).is_some_and(|folder| folder == "locales") {
        return stem.parse().ok();
    }
    let (package, language) = stem.rsplit_once('.')?;
    language.parse().ok().filter(|_| ends_in_version(package))
}

/// The names an artifact may have that lies beside this pack, of the same package and version.
pub(crate) fn artifacts_beside(path: &Path) -> Vec<PathBuf> {
    let stem = path.file_name().and_then(|name| name.to_str()?.strip_suffix(".json"));
    let package = stem.and_then(|stem| stem.rsplit_once('.')).map(|(package, _)| package);
    match package.filter(|package| ends_in_version(package)) {
        Some(package) => ["ruleset.json", "zip"].map(|kind| path.with_file_name(format!("{package}.{kind}"))).into(),
        None => Vec::new(),
    }
}

/// The name of the pack that a catalog would list for an artifact: `<id>-<version>.<language>.json` beside
/// `<id>-<version>.ruleset.json` or `<id>-<version>.zip`.
pub(crate) fn pack_beside(artifact: &Path, language: &Language) -> Option<String> {
    let name = artifact.file_name()?.to_str()?;
    let package = name.strip_suffix(".ruleset.json").or_else(|| name.strip_suffix(".zip"))?;
    Some(format!("{package}.{language}.json"))
}

fn ends_in_version(package: &str) -> bool {
    package.match_indices('-').any(|(at, _)| package[at + 1..].parse::<Version>().is_ok())
}

fn said_in(bytes: &[u8]) -> Option<Language> {
    #[derive(Deserialize)]
    struct Pack {
        #[serde(rename = "_meta")]
        meta: Meta,
    }
    #[derive(Deserialize)]
    struct Meta {
        locale: Language,
    }
    serde_json::from_slice::<Pack>(bytes).ok().map(|pack| pack.meta.locale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pack_is_for_the_language_in_its_name_or_the_one_it_says() {
        let pack = br#"{"_meta": {"locale": "ru", "direction": "ltr"}, "ruleset": {}}"#;
        for (name, language) in [
            ("locales/pt-BR.json", "pt-BR"),
            ("ember-roads-1.0.0.zh-Hans.json", "zh-Hans"),
            ("a-1.0.0-rc.1.de.json", "de"),
            ("my-pack.json", "ru"),
            ("de.json", "ru"),
            ("a.b.de.json", "ru"),
            ("locales/not a language.json", "ru"),
        ] {
            assert_eq!(language_of(Path::new(name), pack).as_str(), language, "{name}");
        }
        assert!(language_of(Path::new("x"), b"{").is_english());
    }

    #[test]
    fn findings_have_their_places_and_the_english_listing_needs_no_strings() {
        let pack = b"{\n  \"_meta\": {\"locale\": \"ru\", \"direction\": \"up\"}\n}";
        let told = |language: &str| {
            let problems = judge_pack(pack, &language.parse().unwrap(), None);
            problems.into_iter().map(|p| (p.code, p.line.unwrap(), p.column.unwrap())).collect::<Vec<_>>()
        };
        assert!(told("ru").contains(&(codes::T07, 1, 1)));
        assert!(told("ru").contains(&(codes::T03, 2, 42)));
        assert!(told("en").iter().all(|(code, ..)| *code != codes::T07));
    }
}
