//! What every code means, why it matters and how to mend it. The examples are run through the checker by a test, so each
//! code here is raised by its wrong example and not by its right one.

mod artifacts;
mod catalogs;
mod entries;
mod failures;
mod fights;
mod layers;
mod packs;
mod publishing;
mod shape;
mod sheet;

/// Every code there is, by what it is about.
pub fn all() -> impl Iterator<Item = &'static Explanation> {
    let parts = [
        shape::ALL,
        sheet::ALL,
        entries::ALL,
        fights::ALL,
        layers::ALL,
        packs::ALL,
        catalogs::ALL,
        artifacts::ALL,
        publishing::ALL,
        failures::ALL,
    ];
    parts.into_iter().flatten()
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
    /// Where the rule comes from: a section of the format's description, or an open question and our reading of it.
    pub source: &'static str,
    /// None for what no file can show, such as a server that cannot be reached.
    pub example: Option<Example>,
}

/// What a code does to a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// A finding of a check that fails it.
    Error,
    /// A finding of a check that passes it, unless it is strict.
    Warning,
    /// An error when the manifest declares no newer API than this tool knows, else a warning.
    Either,
    /// The failure of a command.
    Failure,
}

/// A small wrong file and its right neighbour: what to change in the example catalog (`catalog-example/`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    pub base: Base,
    pub wrong: &'static [Edit],
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
