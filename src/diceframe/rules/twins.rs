//! D17: one `rule_id`, several rules.

use super::extends::rules_folder;
use super::source::SourceFile;
use crate::diceframe::codes;
use crate::json::excerpt;
use crate::types::{Pointer, Problem};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Tells of every file that has the id of one before it, unless the two are the same rule in two languages.
pub(super) fn check<'r>(rules: impl IntoIterator<Item = (&'r str, &'r Arc<SourceFile>)>) -> Vec<Problem> {
    let mut first: BTreeMap<&str, Vec<(Named, &Arc<SourceFile>)>> = BTreeMap::new();
    let mut problems = Vec::new();
    for (id, source) in rules {
        let (known, own) = (first.entry(id).or_default(), Named::of(&source.path));
        if let Some((_, other)) = known.iter().find(|(other, _)| !own.is_twin_of(other)) {
            let message = format!("`{}` is also the `rule_id` of {}", excerpt(id), other.name());
            let problem = Problem::new(codes::D17, &Pointer::root().at("rule_id"), message);
            problems.push(Problem { file: Some(source.name()), ..problem });
        }
        if tells_more(&own, known) {
            known.push((own, source));
        }
    }
    problems
}

/// What the name of a rule file says of what it is.
#[derive(PartialEq, Eq)]
struct Named {
    pack: PathBuf,
    /// Its name but for the language; nothing where it lies in a folder `locales`.
    stem: Option<String>,
}

impl Named {
    fn of(path: &Path) -> Self {
        let is_locale = path.components().any(|part| part.as_os_str() == "locales");
        Named { pack: rules_folder(path), stem: (!is_locale).then(|| stem(path)) }
    }

    /// Whether two files of the same pack are one rule in two languages: they have the same name but for a trailing
    /// `_<language>`, or one lies in a folder `locales` (docs/spec/diceframe.md#reading-12).
    fn is_twin_of(&self, other: &Named) -> bool {
        let differ = self.stem.is_some() && other.stem.is_some() && self.stem != other.stem;
        self.pack == other.pack && !differ
    }
}

/// Whether there may be a file with the same id that is a twin of all known and none of this one. Of two packs, and in
/// each of two that are no twins, no file is a twin of all; a third is only the one that came first.
fn tells_more(own: &Named, known: &[(Named, &Arc<SourceFile>)]) -> bool {
    let of_pack = known.iter().filter(|(other, _)| other.pack == own.pack).count();
    let packs: BTreeSet<_> = known.iter().map(|(other, _)| &other.pack).collect();
    let is_new = known.iter().all(|(other, _)| other != own);
    is_new && of_pack < 3 && (of_pack > 0 || packs.len() < 2)
}

/// The name of a rule file without what tells its language: `harbor_en`, `harbor_zh_CN` and `harbor_pt-BR` are
/// `harbor`.
fn stem(path: &Path) -> String {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut parts: Vec<&str> = name.split('_').collect();
    let is_language = |part: &&str| {
        let (language, more) = part.split_once('-').unwrap_or((part, ""));
        language.len() == 2 && language.bytes().all(|byte| byte.is_ascii_lowercase()) && is_region(more)
    };
    match parts.as_slice() {
        [_, .., last] if is_language(last) => drop(parts.pop()),
        [_, .., language, region] if is_language(language) && !region.is_empty() && is_region(region) => {
            parts.truncate(parts.len() - 2);
        }
        _ => {}
    }
    parts.join("_")
}

/// A region or script as it stands behind a language, or nothing.
fn is_region(text: &str) -> bool {
    let is_upper = |byte: u8| byte.is_ascii_uppercase();
    let is_script = text.len() == 4 && text.bytes().next().is_some_and(is_upper);
    text.is_empty() || (text.len() == 2 && text.bytes().all(is_upper)) || is_script
}

#[cfg(test)]
mod tests {
    use super::*;

    fn are_twins(one: &Path, other: &Path) -> bool {
        Named::of(one).is_twin_of(&Named::of(other))
    }

    #[test]
    fn d17_twins_differ_in_their_language_alone() {
        for (one, other) in [
            ("p/content/rules/harbor.json", "p/content/rules/harbor_en.json"),
            ("p/content/rules/harbor_ja.json", "p/content/rules/harbor_en.json"),
            ("p/content/rules/harbor_zh_CN.json", "p/content/rules/harbor_pt-BR.json"),
            ("p/content/rules/harbor_zh-Hans.json", "p/content/rules/harbor.json"),
            ("p/content/rules/harbor.json", "p/content/rules/locales/en/port.json"),
        ] {
            assert!(are_twins(Path::new(one), Path::new(other)), "{one} {other}");
        }
        for (one, other) in [
            ("p/content/rules/harbor.json", "q/content/rules/harbor.json"),
            ("p/content/rules/harbor.json", "p/content/rules/harbor_v2.json"),
            ("p/content/rules/harbor.json", "p/content/rules/harbor_dnd.json"),
            ("p/content/rules/en.json", "p/content/rules/ja.json"),
        ] {
            assert!(!are_twins(Path::new(one), Path::new(other)), "{one} {other}");
        }
    }
}
