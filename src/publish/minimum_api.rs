use crate::json::{Aim, document, places};
use crate::ruleset::minimum_api;
use crate::types::{Api, codes};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

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
    /// Looks for it in a ruleset and its catalog files, each with its path and its text; `ruleset` is the first.
    pub(super) fn of(ruleset: (&str, &[u8]), catalogs: &[(String, &[u8])]) -> Option<Self> {
        let (file, text) = ruleset;
        let read = |text: &[u8]| document(text, codes::RULESET_JSON).ok();
        let parsed = read(text).filter(Value::is_object)?;
        let files: Vec<(String, Value)> =
            catalogs.iter().filter_map(|(path, text)| Some((path.clone(), read(text)?))).collect();
        let (api, needs) = minimum_api(&parsed, &files).unwrap_or((FIRST, Vec::new()));
        let needed_by = needs.into_iter().map(|need| {
            let catalog = catalogs.iter().find(|(path, _)| Some(path) == need.file.as_ref());
            let text = catalog.map_or(text, |(_, text)| text);
            let pointer = need.pointer.to_string();
            let place = places(text, &[Aim { pointer: &pointer, at_key: true }]).remove(0);
            let file = need.file.unwrap_or_else(|| file.to_owned());
            NeededBy { feature: need.feature.to_owned(), file, pointer, line: place.line, column: place.column }
        });
        let needed_by = needed_by.collect();
        Some(MinimumApi { file: file.to_owned(), api: api.to_string(), needed_by })
    }
}
