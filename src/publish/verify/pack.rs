//! What a language pack holds, and how much of its ruleset it translates.

use super::finding;
use crate::inspect::report;
use crate::ruleset::{Originals, PackReport};
use crate::types::{Language, Problem};
use schemars::JsonSchema;
use serde::Serialize;

/// How much of a ruleset a language pack translates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Coverage {
    /// The package.
    pub id: String,
    pub language: String,
    /// What there is to translate: display strings, and the name and description of the card.
    pub strings: usize,
    /// How much of it has a text in the language.
    pub translated: usize,
    /// How much of it has none: left out, or left empty.
    pub missing: usize,
    /// What the pack translates and the ruleset does not have.
    pub stale: usize,
}

impl Coverage {
    /// The part that is translated, rounded down, so that 100 means all.
    pub fn percent(&self) -> usize {
        (self.translated * 100).checked_div(self.strings).unwrap_or(100)
    }
}

/// Everything that is wrong with a language pack, and what it covers of its ruleset, where that could be read.
pub(super) fn look(
    bytes: &[u8],
    language: &Language,
    originals: Option<&Originals<'_>>,
    name: &str,
    id: &str,
) -> (Vec<Problem>, Option<Coverage>) {
    let PackReport { problems, coverage } = report(bytes, language, originals);
    let problems = problems.into_iter().map(|problem| finding(problem, name, Some(id))).collect();
    let coverage = originals.map(|_| Coverage {
        id: id.to_owned(),
        language: language.to_string(),
        strings: coverage.strings,
        translated: coverage.translated,
        missing: coverage.missing,
        stale: coverage.stale,
    });
    (problems, coverage)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pack_is_told_with_file_package_and_place_and_counted() {
        let originals = Originals::new(["Grit", "Sneak", "Brawn"]);
        let pack = "{\"_meta\":{\"locale\":\"ru\",\"direction\":\"ltr\"},\"package\":{\"name\":\"x\",\"description\":\"y\"},\n\"ruleset\":{\"Grit\":\"a\",\"Sneak\":\"\",\n\"X\":\"b\"}}";
        let language = "ru".parse().unwrap();
        let (problems, coverage) = look(pack.as_bytes(), &language, Some(&originals), "artifacts/a-1.0.0.ru.json", "a");
        let stale = &problems[0];
        assert_eq!((stale.file.as_deref(), stale.package.as_deref()), (Some("artifacts/a-1.0.0.ru.json"), Some("a")));
        assert_eq!((stale.line, problems.len()), (Some(3), 1));
        let coverage = coverage.unwrap();
        assert_eq!((coverage.strings, coverage.translated, coverage.missing, coverage.stale), (5, 3, 2, 1));
        assert_eq!(coverage.percent(), 60);
        assert_eq!(look(pack.as_bytes(), &language, None, "x", "a").1, None);
    }
}
