use crate::types::{Api, Expected, PackageId, Problem, SafePath, Version};
use serde_json::value::RawValue;

/// A package's manifest: what rulepack reads of it, beside the text as published, which is what is carried on.
#[derive(Clone, Debug)]
pub struct Manifest {
    /// The manifest as published, unknown keys included.
    pub raw: Box<RawValue>,
    pub id: PackageId,
    pub name: String,
    pub version: Version,
    pub description: String,
    pub engine: EngineRange,
    /// Only schema version 2 declares one; a version 1 manifest suits every engine.
    pub api: Option<Api>,
    pub kinds: Vec<String>,
    pub files: Vec<DeclaredFile>,
}

/// The engine versions a package is for: from `min` on, below `max_exclusive`.
#[derive(Clone, Debug)]
pub struct EngineRange {
    pub min: Version,
    pub max_exclusive: Version,
}

/// One file of a package, as its manifest declares it.
#[derive(Clone, Debug)]
pub struct DeclaredFile {
    pub path: SafePath,
    pub expected: Expected,
}

impl EngineRange {
    pub fn contains(&self, engine: &Version) -> bool {
        self.min.precedence(engine).is_le() && engine.precedence(&self.max_exclusive).is_lt()
    }
}

impl Manifest {
    /// Reads a manifest from its JSON text, with every reason why it cannot be one.
    pub fn parse(_text: &str) -> Result<Self, Vec<Problem>> {
        todo!()
    }

    /// Whether two manifests say the same: equal as JSON with the defaults filled in; the order of keys does not
    /// count, the order of arrays does (catalog format, section 12).
    pub fn says_the_same_as(&self, _other: &Manifest) -> bool {
        todo!()
    }

    pub fn is_ruleset(&self) -> bool {
        self.kinds.iter().any(|kind| kind == "ruleset")
    }
}
