use super::package::Package;
use crate::catalog::RULESET;
use crate::json::{Aim, places};
use crate::ruleset::minimum_api;
use crate::types::{Api, Cancel};
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
    /// Looks for it in a ruleset and its catalog files.
    pub(crate) fn of(package: &Package, cancel: &Cancel) -> Option<Self> {
        let documents = package.documents(cancel);
        let parsed = documents.ruleset.as_ref().filter(|ruleset| Value::is_object(ruleset))?;
        let (api, needs) = minimum_api(parsed, &documents.files).unwrap_or((FIRST, Vec::new()));
        let needed_by = needs.into_iter().map(|need| {
            let text = need.file.as_ref().and_then(|path| package.catalogs.get(path)).or(package.ruleset.as_ref());
            let pointer = need.pointer.to_string();
            let aim = [Aim { pointer: &pointer, at_key: true }];
            let place = places(text.map(Vec::as_slice).unwrap_or_default(), &aim).remove(0);
            let file = package.root.name_of(need.file.as_deref().unwrap_or(RULESET));
            NeededBy { feature: need.feature.to_owned(), file, pointer, line: place.line, column: place.column }
        });
        let needed_by = needed_by.collect();
        Some(MinimumApi { file: package.root.name_of(RULESET), api: api.to_string(), needed_by })
    }
}
