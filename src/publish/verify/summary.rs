//! How much of a catalog was looked at, and what was not.

use super::listed::Listed;
use super::tree::Tree;
use crate::inspect::Summary as Counts;
use schemars::JsonSchema;
use serde::Serialize;

/// What was looked at, what was not and why, and how much is wrong with it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    pub errors: usize,
    pub warnings: usize,
    /// Packages looked into, of every kind.
    pub packages: usize,
    /// The same by the kinds they are of.
    pub kinds: Vec<OfKinds>,
    /// Files read, those within an artifact not counted.
    pub files: usize,
    /// The bytes of those files.
    pub bytes: u64,
    /// The catalogs that were read: `catalog.json`, `v2/catalog.json`.
    pub lanes: Vec<String>,
    /// What was not looked at.
    pub left_out: Vec<LeftOut>,
}

/// How many packages are of the same kinds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfKinds {
    /// As the manifests name them; empty where they name none.
    pub kinds: Vec<String>,
    pub packages: usize,
}

/// What was not looked at, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LeftOut {
    /// Such as `icons`.
    pub what: String,
    /// How many of them; nothing where that is not known.
    pub count: Option<usize>,
    pub why: String,
}

/// What is counted while a catalog is looked at.
#[derive(Debug, Default)]
pub(super) struct Looked {
    pub packages: usize,
    pub kinds: Vec<OfKinds>,
    pub files: usize,
    pub bytes: u64,
    left_out: Vec<LeftOut>,
}

impl Looked {
    /// Its documents have been read.
    pub fn at_documents(tree: &Tree) -> Self {
        let mut looked = Looked { files: tree.problems.len(), ..Looked::default() };
        let texts = tree.documents.iter().map(|document| &document.text);
        texts.chain(tree.notes.iter().map(|notes| &notes.text)).for_each(|text| looked.file(text.len() as u64));
        looked
    }

    /// A package of these kinds was looked into.
    pub fn package(&mut self, listed: &Listed<'_>) {
        self.packages += 1;
        match self.kinds.iter_mut().find(|of| of.kinds == listed.kinds) {
            Some(of) => of.packages += 1,
            None => self.kinds.push(OfKinds { kinds: listed.kinds.clone(), packages: 1 }),
        }
    }

    /// A file of so many bytes was read.
    pub fn file(&mut self, bytes: u64) {
        self.files += 1;
        self.bytes += bytes;
    }

    /// So many more of something were not looked at, for a reason.
    pub fn leave_out(&mut self, what: &str, count: usize, why: &str) {
        match self.left_out.iter_mut().find(|left| left.what == what && left.why == why) {
            Some(left) => left.count = left.count.map(|known| known + count),
            None if count == 0 => {}
            None => self.left_out.push(LeftOut { what: what.to_owned(), count: Some(count), why: why.to_owned() }),
        }
    }

    /// None of something was looked at, however many there are.
    pub fn leave_all_out(&mut self, what: &str, why: &str) {
        self.left_out.push(LeftOut { what: what.to_owned(), count: None, why: why.to_owned() });
    }

    /// The kinds most packages are of come first.
    pub fn sum_up(mut self, lanes: Vec<String>, counts: Counts) -> Summary {
        self.kinds.sort_by(|a, b| b.packages.cmp(&a.packages).then_with(|| a.kinds.cmp(&b.kinds)));
        let Looked { packages, kinds, files, bytes, left_out } = self;
        let Counts { errors, warnings, .. } = counts;
        Summary { errors, warnings, packages, kinds, files, bytes, lanes, left_out }
    }
}
