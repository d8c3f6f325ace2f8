//! What every code means, why it matters and how to mend it. The examples are run through the checker by a test, so each
//! code here is raised by its wrong example and not by its right one; another test holds the codes here and those in the
//! sources to each other.

mod artifacts;
mod catalogs;
mod entries;
mod failures;
mod fights;
mod installed;
mod layers;
mod notices;
mod packs;
mod page;
mod publishing;
mod report;
mod shape;
mod sheet;
mod snippet;

pub use crate::types::explanation::{Base, Edit, Example, Explanation, Group, Level};
pub use page::page;
pub use report::{CodeReport, ExampleReport, Explained};
pub use snippet::{Snippet, snippets};

#[cfg(feature = "diceframe")]
use crate::diceframe;
use crate::types::suggest;

/// Every code there is, by what it is about: first what an author meets, then what maintainers meet, then what
/// installing can come to.
pub const GROUPS: &[Group] = &[
    Group { about: "The shape of a ruleset: keys, types, bounds, text", codes: shape::ALL },
    Group { about: "Ids and references, checks, the sheet, rests and guidance", codes: sheet::ALL },
    Group { about: "A ruleset's catalogs: entries, creatures, items", codes: entries::ALL },
    Group { about: "Items as a whole, battle and combat", codes: fights::ALL },
    Group { about: "Layers, migrations, and the Capability API that features need", codes: layers::ALL },
    Group { about: "Language packs", codes: packs::ALL },
    Group { about: "The entries of a published catalog, and manifests", codes: catalogs::ALL },
    Group { about: "Artifacts and the files of a package", codes: artifacts::ALL },
    Group { about: "Publishing: lanes, notes, official addresses", codes: publishing::ALL },
    #[cfg(feature = "diceframe")]
    diceframe::CODES[0],
    #[cfg(feature = "diceframe")]
    diceframe::CODES[1],
    #[cfg(feature = "diceframe")]
    diceframe::CODES[2],
    Group { about: "Why a command fails", codes: failures::ALL },
    Group { about: "What `doctor` finds", codes: installed::ALL },
    Group { about: "What a command warns of and goes on", codes: notices::ALL },
];

/// Every code there is, in the order of [`GROUPS`].
pub fn all() -> impl Iterator<Item = &'static Explanation> {
    GROUPS.iter().flat_map(|group| group.codes)
}

/// The explanation of a code, whatever the case it is written in; else the codes nearest to it, at most three.
pub fn find(code: &str) -> Result<&'static Explanation, Vec<String>> {
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
            let Explanation { code, meaning, why, mend, source, .. } = explained;
            assert!(seen.insert(code.to_ascii_lowercase()), "{code} is explained twice");
            for text in [meaning, why, mend] {
                assert!(text.ends_with(['.', '?']) && !text.contains("  "), "{code}: {text:?}");
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
            let explained = find(failure.as_str()).unwrap();
            assert_eq!((explained.severity, explained.exit()), (Level::Failure, Some(failure.exit())), "{failure}");
        }
        let known: BTreeSet<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
        for explained in all().filter(|explained| !known.contains(explained.code)) {
            assert!(explained.severity != Level::Failure && explained.exit().is_none(), "{}", explained.code);
        }
    }
}
