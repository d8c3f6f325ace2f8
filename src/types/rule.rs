//! What a code stands for: the rule that was broken, how bad that is, and how it is explained. The rules themselves are
//! made of tables (`docs/codes/README.md`).

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

/// Codes that are about the same thing.
#[derive(Debug)]
pub struct Group {
    /// The heading, without a full stop.
    pub about: &'static str,
    /// In the order of the page.
    pub codes: &'static [Rule],
}

/// The rule of one code of a problem or an error, and all there is to say about it. It is known by its code, which no
/// other has, and is that code wherever it is shown or written.
#[derive(Debug)]
pub struct Rule {
    /// The stable code.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Level,
    /// What is wrong, in a sentence.
    pub meaning: &'static str,
    /// What goes wrong when it stays.
    pub why: &'static str,
    /// What to do.
    pub mend: &'static str,
    /// Where the rule comes from: a section of the specification, by its path in this repository.
    pub source: &'static str,
    /// What is said with each finding on what to do, unless that depends on what was found.
    pub hint: Option<&'static str>,
    /// None for what no file can show, such as a server that cannot be reached.
    pub example: Option<Example>,
}

impl Rule {
    /// The code, as programs read it.
    pub const fn as_str(&self) -> &'static str {
        self.code
    }

    /// One of this code that nothing is known of.
    #[cfg(test)]
    pub(crate) fn named(code: &str) -> &'static Self {
        let code = String::leak(code.to_owned());
        let (meaning, why, mend, source, hint, example) = ("", "", "", "", None, None);
        Box::leak(Box::new(Rule { code, severity: Level::Error, meaning, why, mend, source, hint, example }))
    }
}

impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        self.code == other.code
    }
}

impl Eq for Rule {}

impl Ord for Rule {
    fn cmp(&self, other: &Self) -> Ordering {
        self.code.cmp(other.code)
    }
}

impl PartialOrd for Rule {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for Rule {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.code.hash(state);
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.code)
    }
}

impl serde::Serialize for Rule {
    fn serialize<S: serde::Serializer>(&self, into: S) -> Result<S::Ok, S::Error> {
        into.serialize_str(self.code)
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
    /// An error, but for a key that nothing speaks against where the manifest declares an API whose keys are not all
    /// known (docs/spec/decisions.md#q27).
    Either,
    /// The failure of a command.
    Failure,
}

impl Level {
    /// Every level.
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
            Level::Warning => {
                "It is reported and the command continues; a check still passes, unless `--strict` is given."
            }
            Level::Either => {
                "An error, but only a warning if the manifest declares a Capability API newer than the last version \
                 whose keys are all known (1.813 for layers and migrations, 1.66 for everything else) and nothing \
                 speaks for a mistake: what looks wrong here may be right there."
            }
            Level::Failure => {
                "It stops the command, or leaves that ruleset unchanged and the command continues with the next."
            }
        }
    }
}

/// A small wrong file and its right neighbour: what to change in the example catalog (`catalog-example/`), or in the
/// example pack of DiceFrame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// What is changed.
    pub base: Base,
    /// What it is held against, as a change to the base as well: the version published before. None where the code
    /// takes one version only.
    pub old: Option<&'static [Edit]>,
    /// The change that raises the code.
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
    #[cfg(feature = "diceframe")]
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
