use super::names::Names;
use super::node::Node;
use serde_json::Value;

/// The name of the ruleset's own file, in a package and in every finding.
pub const FILE: &str = "ruleset.json";

/// A ruleset with its catalog files, as the rules between its parts see it.
#[derive(Debug)]
pub struct Whole<'a> {
    pub root: Node<'a>,
    pub names: Names<'a>,
    pub catalogs: Vec<Catalog<'a>>,
}

/// A catalog with its entries, wherever they stand.
#[derive(Debug)]
pub struct Catalog<'a> {
    /// What `ruleset.json` declares.
    pub header: Node<'a>,
    /// Inline, or out of its file.
    pub entries: Vec<Node<'a>>,
}

impl Catalog<'_> {
    /// `rows`, `creatures` or `items`.
    pub fn holds(&self) -> &str {
        self.header.text_of("holds").unwrap_or("rows")
    }
}

impl<'a> Whole<'a> {
    /// `files` are the catalog files by path, of those that could be read.
    pub fn new(ruleset: &'a Value, files: &'a [(String, Value)]) -> Self {
        let root = Node::root(ruleset, FILE);
        let catalogs = root.list("catalogs").map(|header| Catalog { entries: entries(&header, files), header });
        Whole { names: Names::of(&root), catalogs: catalogs.collect(), root }
    }
}

fn entries<'a>(header: &Node<'a>, files: &'a [(String, Value)]) -> Vec<Node<'a>> {
    let file = header.text_of("asset").and_then(|asset| files.iter().find(|(path, _)| path == asset));
    match file {
        Some((path, value)) => Node::root(value, path).list("entries").collect(),
        None => header.list("entries").collect(),
    }
}
