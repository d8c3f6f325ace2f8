//! What every code means, why it matters and how to mend it, as the tables say it (`docs/codes/README.md`). The
//! examples are run through the checker by a test, so each code is raised by its wrong example and not by its right
//! one.

mod page;
mod report;
mod snippet;

pub use crate::types::rule::{Base, Edit, Example, Group, Level, Rule};
pub use page::page;
pub use report::Explained;
pub use snippet::{Snippet, snippets};

#[cfg(feature = "diceframe")]
use crate::diceframe;
use crate::types::{codes, suggest};

/// Every code there is, by what it is about: first what an author meets, then what maintainers meet, then what
/// installing can come to.
pub const GROUPS: &[&Group] = &[
    &codes::SHAPE,
    &codes::SHEET,
    &codes::ENTRIES,
    &codes::FIGHTS,
    &codes::EFFECTS,
    &codes::TURNS,
    &codes::LAYERS,
    &codes::BREAKING,
    &codes::PACKS,
    &codes::CATALOGS,
    &codes::ARTIFACTS,
    &codes::PUBLISHING,
    #[cfg(feature = "diceframe")]
    diceframe::GROUPS[0],
    #[cfg(feature = "diceframe")]
    diceframe::GROUPS[1],
    #[cfg(feature = "diceframe")]
    diceframe::GROUPS[2],
    &codes::FAILURES,
    &codes::INSTALLED,
    &codes::NOTICES,
];

/// Every code there is, in the order of [`GROUPS`].
pub fn all() -> impl Iterator<Item = &'static Rule> {
    GROUPS.iter().flat_map(|group| group.codes)
}

/// The explanation of a code, whatever the case it is written in; else the codes nearest to it, at most three.
pub fn find(code: &str) -> Result<&'static Rule, Vec<String>> {
    let written = code.trim();
    all()
        .find(|explained| explained.code.eq_ignore_ascii_case(written))
        .ok_or_else(|| suggest(written, all().map(|explained| explained.code)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Code;
    use std::collections::BTreeSet;

    #[test]
    fn every_code_is_explained_once_and_in_whole_sentences() {
        let mut seen = BTreeSet::new();
        for explained in all() {
            let Rule { code, meaning, why, mend, source, hint, .. } = explained;
            assert!(seen.insert(code.to_ascii_lowercase()), "{code} is explained twice");
            for text in [meaning, why, mend] {
                assert!(text.ends_with(['.', '?']) && !text.contains("  "), "{code}: {text:?}");
            }
            if let Some(hint) = hint {
                let is_lower_case = !hint.starts_with(|first: char| first.is_uppercase());
                assert!(is_lower_case && !hint.ends_with('.') && !hint.contains("  "), "{code}: {hint:?}");
            }
            assert!(!source.is_empty() && !source.ends_with('.'), "{code}: {source:?}");
        }
    }

    #[test]
    fn a_code_is_found_in_any_case_and_a_misspelt_one_leads_to_its_neighbours() {
        assert_eq!(find("k1").unwrap().code, "K1");
        assert_eq!(find(" Checksum-Mismatch ").unwrap().code, "checksum-mismatch");
        assert_eq!(find("checksum_mismatch").unwrap_err(), ["checksum-mismatch"]);
        assert_eq!(find("").unwrap_err(), [""; 0]);
    }

    #[test]
    fn every_failure_has_its_exit_number_and_nothing_else_has_one() {
        for failure in Code::ALL {
            let explained = failure.rule();
            assert_eq!((explained.severity, explained.exit()), (Level::Failure, Some(failure.exit())), "{failure}");
        }
        for explained in all().filter(|explained| explained.exit().is_none()) {
            assert!(explained.severity != Level::Failure, "{explained}");
        }
    }
}
