//! What every code means, why it matters and how to mend it. The examples are run through the checker by a test, so each
//! code here is raised by its wrong example and not by its right one; another test holds the codes here and those in the
//! sources to each other.

mod artifacts;
mod catalogs;
mod df_combat;
mod df_dice;
mod df_rules;
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

pub use page::page;
pub use report::{CodeReport, ExampleReport, Explained};
pub use snippet::{Snippet, snippets};

use crate::types::{Code, suggest};

/// Codes that are about the same thing.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// The heading, without a full stop.
    pub about: &'static str,
    pub codes: &'static [Explanation],
}

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
    Group { about: "DiceFrame: rules, worlds and packs", codes: df_rules::ALL },
    Group { about: "DiceFrame: combat blocks, and the fights by them", codes: df_combat::ALL },
    Group { about: "DiceFrame: what every check of `audit dice` is held to", codes: df_dice::ALL },
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

/// What there is to say about one code of a problem or an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explanation {
    pub code: &'static str,
    pub severity: Level,
    /// What is wrong, in a sentence.
    pub meaning: &'static str,
    /// What goes wrong when it stays.
    pub why: &'static str,
    /// What to do.
    pub mend: &'static str,
    /// Where the rule comes from: a section of the specification, by its path in this repository.
    pub source: &'static str,
    /// None for what no file can show, such as a server that cannot be reached.
    pub example: Option<Example>,
}

impl Explanation {
    /// The number a command exits with when this is why it failed; none for what a check finds or a command warns of.
    pub fn exit(&self) -> Option<u8> {
        let failure = Code::ALL.iter().find(|failure| failure.as_str() == self.code);
        failure.filter(|_| self.severity == Level::Failure).map(|failure| failure.exit())
    }
}

/// What a code does to a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// A finding of a check that fails it.
    Error,
    /// A finding of a check that passes it, unless it is strict.
    Warning,
    /// An error when the manifest declares no newer API than the last whose keys are all known (1.66), else a warning
    /// (docs/spec/decisions.md#q27).
    Either,
    /// The failure of a command.
    Failure,
}

impl Level {
    pub const ALL: [Level; 4] = [Level::Error, Level::Warning, Level::Either, Level::Failure];

    /// What it is called beside a code.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Either => "error or warning",
            Level::Failure => "failure",
        }
    }

    /// What it does to a run, in a sentence.
    pub const fn meaning(self) -> &'static str {
        match self {
            Level::Error => "A check that finds it fails, with exit code 10.",
            Level::Warning => "It is told and the work goes on; a check passes, unless `--strict` makes it an error.",
            Level::Either => {
                "An error, but only a warning where the manifest declares a newer Capability API than 1.66, the last whose \
                 keys are all known: what looks wrong here may be right there."
            }
            Level::Failure => "A command stops with it, or leaves that ruleset as it was and goes on with the next.",
        }
    }
}

/// A small wrong file and its right neighbour: what to change in the example catalog (`catalog-example/`), or in the
/// example pack of DiceFrame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    pub base: Base,
    pub wrong: &'static [Edit],
    /// Nothing where it is right to leave the wrong thing out.
    pub right: &'static [Edit],
}

/// What an example is a change to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// `packages/ember-roads`: dice are thrown and added up; items, catalogs, combat, layers and migrations.
    Sum,
    /// `packages/gravewatch`: a pool of dice is thrown; wound tracks.
    Pool,
    /// The whole folder: `catalog.json` and `artifacts/`.
    Catalog,
    /// `testdata/diceframe/packs-harbor`: a pack of DiceFrame with rules, a world and a combat block.
    Harbor,
}

/// One value of one file, written anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The path within the base.
    pub file: &'static str,
    /// RFC 6901; a last part of `-` appends to a list. The empty pointer is the whole file, whose text then need not be
    /// JSON.
    pub at: &'static str,
    /// JSON text; nothing takes the value (or the file) away.
    pub to: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;
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
