use super::names::Names;
use super::node::{Node, Spelling};
use serde_json::Value;
use std::collections::BTreeMap;

/// The name of the ruleset's own file, in a package and in every finding.
pub const FILE: &str = "ruleset.json";

/// How the keys of each file are written, where that is not as they are looked at.
pub type Spellings = BTreeMap<String, Spelling>;

/// A ruleset with its catalog files, as the rules between its parts see it.
#[derive(Debug)]
pub struct Whole<'a> {
    pub root: Node<'a>,
    pub names: Names<'a>,
    pub catalogs: Vec<Catalog<'a>>,
    /// The catalog files that could be read, named by a catalog or not.
    pub files: Vec<Node<'a>>,
    /// The paths of those that are there but could not be read.
    pub unread: &'a [String],
    /// Whether it came without any of its catalog files.
    pub is_alone: bool,
}

/// A catalog with its entries, wherever they stand.
#[derive(Debug)]
pub struct Catalog<'a> {
    /// What `ruleset.json` declares.
    pub header: Node<'a>,
    /// The root of its file, if its entries stand in one that could be read.
    pub file: Option<Node<'a>>,
    /// Inline, or out of its file.
    pub entries: Vec<Node<'a>>,
}

impl<'a> Catalog<'a> {
    pub fn of(header: Node<'a>, files: &[Node<'a>]) -> Self {
        let asset = header.text_of("asset");
        let file = asset.and_then(|asset| files.iter().find(|file| file.file() == asset)).cloned();
        let entries = file.as_ref().unwrap_or(&header).list("entries").collect();
        Catalog { header, file, entries }
    }

    /// `rows`, `creatures` or `items`; another word, or none at all, where that is misspelt.
    pub fn holds(&self) -> &'a str {
        self.header.get("holds").map_or("rows", |holds| holds.text().unwrap_or_default())
    }

    /// Whether its entries are known: a file that is missing or cannot be read is reported as such, once, and what it
    /// may hold is not judged.
    pub fn is_read(&self) -> bool {
        self.file.is_some() || !self.header.has("asset")
    }
}

impl<'a> Whole<'a> {
    /// `files` are the catalog files by path, of those that could be read.
    pub fn new(ruleset: &'a Value, files: &'a [(String, Value)]) -> Self {
        static AS_IT_IS: Spellings = Spellings::new();
        Whole::of(ruleset, ruleset, files, &AS_IT_IS)
    }

    /// Of one that may be looked at in `part`: what is declared in `all` of it can be named.
    pub fn of(part: &'a Value, all: &'a Value, files: &'a [(String, Value)], spellings: &'a Spellings) -> Self {
        let root = |value, file| Node::root_written_as(value, file, spellings.get(file));
        let files: Vec<_> = files.iter().map(|(path, value)| root(value, path.as_str())).collect();
        let (names, root) = (Names::of(&root(all, FILE)), root(part, FILE));
        let catalogs = root.list("catalogs").map(|header| Catalog::of(header, &files)).collect();
        Whole { names, catalogs, root, files, unread: &[], is_alone: false }
    }

    /// The paths of all catalog files that are there.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(Node::file).chain(self.unread.iter().map(String::as_str))
    }
}
