use super::names::Names;
use super::node::Node;
use crate::types::{Api, NEWEST_KNOWN_API, Severity};
use serde_json::Value;

/// The name of the ruleset's own file, in a package and in every finding.
pub const FILE: &str = "ruleset.json";

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
    /// How bad a key is that no layer has (docs/spec/decisions.md#q27).
    pub unknown_keys: Severity,
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

    /// Whether its entries are known: a file that is missing or cannot be read is reported as such, once, and what it may
    /// hold is not judged.
    pub fn is_read(&self) -> bool {
        self.file.is_some() || !self.header.has("asset")
    }
}

impl<'a> Whole<'a> {
    /// `files` are the catalog files by path, of those that could be read.
    pub fn new(ruleset: &'a Value, files: &'a [(String, Value)]) -> Self {
        let root = Node::root(ruleset, FILE);
        let files: Vec<_> = files.iter().map(|(path, value)| Node::root(value, path)).collect();
        let catalogs = root.list("catalogs").map(|header| Catalog::of(header, &files)).collect();
        Whole { names: Names::of(&root), catalogs, root, files, unread: &[], unknown_keys: Severity::Error }
    }

    /// The same of one that is looked at in part: what is declared in all of it can be named.
    pub fn in_part(part: &'a Value, files: &'a [(String, Value)], all: &'a Value) -> Self {
        Whole { names: Names::of(&Node::root(all, FILE)), ..Whole::new(part, files) }
    }

    /// The paths of all catalog files that are there.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(Node::file).chain(self.unread.iter().map(String::as_str))
    }

    /// The same of a package that declares this API. What a layer may hold is described up to the newest API known here,
    /// other keys only up to 1.66.
    pub fn declaring(self, declared: Option<Api>) -> Self {
        let is_newer = declared.is_some_and(|declared| declared > NEWEST_KNOWN_API);
        Whole { unknown_keys: if is_newer { Severity::Warning } else { Severity::Error }, ..self }
    }

    /// The same with the paths of catalog files that are there but could not be read.
    pub fn with_unread(self, unread: &'a [String]) -> Self {
        Whole { unread, ..self }
    }
}
