//! What `doctor` finds, and what its mending could not mend.

use crate::types::{PackageId, Problem};
use std::collections::{BTreeMap, BTreeSet};

/// What one look over the store found.
#[derive(Default)]
pub(super) struct Findings {
    pub(super) problems: Vec<Problem>,
    pub(super) packages: usize,
    pub(super) files: usize,
    /// The rulesets whose active version must be put there again.
    pub(super) broken: BTreeSet<PackageId>,
    /// The rulesets whose language pack must be.
    pub(super) broken_pack: BTreeSet<PackageId>,
    /// The rulesets whose version before must be: it can no longer be gone back to.
    pub(super) broken_previous: BTreeSet<PackageId>,
    /// The rulesets whose record is to be written again, and nothing else.
    pub(super) records: BTreeSet<PackageId>,
}

impl Findings {
    pub(super) fn add(&mut self, mut more: Findings) {
        self.problems.append(&mut more.problems);
        self.packages += more.packages;
        self.files += more.files;
        self.broken.extend(more.broken);
        self.broken_pack.extend(more.broken_pack);
        self.broken_previous.extend(more.broken_previous);
        self.records.extend(more.records);
    }
}

/// Why parts of rulesets could not be mended, by the id.
pub(super) type WhyNot = BTreeMap<(String, Part), String>;

/// What of a ruleset is mended by itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    Active,
    Pack,
    Previous,
}
