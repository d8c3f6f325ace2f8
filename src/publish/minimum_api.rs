use super::inspect::Documents;
use crate::json::{Aim, places};
use crate::ruleset::minimum_api;
use crate::types::Api;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// The API that the first rulesets came with (docs/spec/checks.md#capability-api-gates).
const FIRST: Api = Api { major: 1, minor: 20 };

/// The oldest Capability API that knows everything a ruleset uses: what the manifest of its package has to declare.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MinimumApi {
    /// The ruleset's file.
    pub file: String,
    pub api: String,
    /// What needs it; empty where every ruleset does.
    pub needed_by: Vec<NeededBy>,
}

/// A place that needs the API.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NeededBy {
    /// What is used there.
    pub feature: String,
    /// The ruleset's file, or a catalog file of it.
    pub file: String,
    pub pointer: String,
    pub line: u64,
    pub column: u64,
}

impl MinimumApi {
    /// Looks for it in a ruleset, given with the name it is told under, and in its catalog files by path, whose names
    /// `name_of` tells; `documents` are what all these hold.
    pub(super) fn of(
        ruleset: (&str, &[u8]),
        catalogs: &BTreeMap<String, Vec<u8>>,
        documents: &Documents,
        name_of: impl Fn(&str) -> String,
    ) -> Option<Self> {
        let (file, text) = ruleset;
        let parsed = documents.ruleset.as_ref().filter(|ruleset| Value::is_object(ruleset))?;
        let (api, needs) = minimum_api(parsed, &documents.files).unwrap_or((FIRST, Vec::new()));
        let needed_by = needs.into_iter().map(|need| {
            let text = need.file.as_ref().and_then(|path| catalogs.get(path)).map_or(text, Vec::as_slice);
            let pointer = need.pointer.to_string();
            let place = places(text, &[Aim { pointer: &pointer, at_key: true }]).remove(0);
            let file = need.file.map_or_else(|| file.to_owned(), |path| name_of(&path));
            NeededBy { feature: need.feature.to_owned(), file, pointer, line: place.line, column: place.column }
        });
        let needed_by = needed_by.collect();
        Some(MinimumApi { file: file.to_owned(), api: api.to_string(), needed_by })
    }
}
