use super::whole::Whole;
use serde_json::Value;

/// A text that players see, and where a ruleset uses it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DisplayString {
    pub text: String,
    /// In reading order, at least one.
    pub uses: Vec<Use>,
}

/// One place of a display string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// `ruleset.json`, or a catalog file's path.
    pub file: String,
    pub pointer: String,
}

/// Every display string of a ruleset and its catalogs, once, in reading order (ruleset checks, section 10; which texts
/// are shown is open question Q19).
pub fn display_strings(ruleset: &Value, files: &[(String, Value)]) -> Vec<DisplayString> {
    let whole = Whole::new(ruleset, files);
    let name = whole.root.get("name");
    let shown = name.iter().filter_map(|node| {
        let place = Use { file: node.file().to_owned(), pointer: node.at().to_string() };
        Some(DisplayString { text: node.text()?.to_owned(), uses: vec![place] })
    });
    shown.collect()
}
