use crate::types::{Pointer, Problem, Problems};

/// The most findings of either kind told of one entry: a few bytes of a catalog can hold a finding each, and what is kept
/// of an entry must not outgrow it by orders of magnitude.
const MOST: usize = 200;

/// What was found while reading an entry or a manifest.
#[derive(Debug)]
pub(super) struct Findings {
    /// What makes it unusable.
    pub reasons: Problems,
    /// What an installer lets pass and `catalog verify` reports.
    pub notes: Problems,
}

impl Default for Findings {
    fn default() -> Self {
        Findings { reasons: Problems::at_most(MOST), notes: Problems::at_most(MOST) }
    }
}

impl Findings {
    pub fn refuse(&mut self, code: &str, at: &Pointer, message: impl Into<String>) {
        self.reasons.push(Problem::error(code, at, message));
    }

    pub fn note(&mut self, code: &str, at: &Pointer, message: impl Into<String>) {
        self.notes.push(Problem::error(code, at, message));
    }

    pub fn warn(&mut self, code: &str, at: &Pointer, message: impl Into<String>) {
        self.notes.push(Problem::warning(code, at, message));
    }

    /// The reasons and the notes, each with the package it is about and what can be done.
    pub fn complete(self, package: Option<&str>) -> (Vec<Problem>, Vec<Problem>) {
        let (mut reasons, mut notes) = (self.reasons.into_vec(), self.notes.into_vec());
        for problem in reasons.iter_mut().chain(&mut notes) {
            problem.package = package.map(str::to_owned);
            problem.hint = problem.hint.take().or_else(|| hint(&problem.code).map(str::to_owned));
        }
        (reasons, notes)
    }
}

/// What a publisher does about a finding of this code, where the message does not say it already.
fn hint(code: &str) -> Option<&'static str> {
    Some(match code {
        "K1" => "a ruleset package has the kind `ruleset` and lists `ruleset.json` in contributions.assets.paths",
        "K2" => "declare schemaVersion 2 and capabilityApi 1.20 or newer",
        "K3" => "declare capabilityApi 1.21 or newer",
        "K5" => "name a catalog file `catalogs/<catalog id>.json`, the id in lowercase letters, digits and `_`",
        "K7" => "a ruleset carries data only: the one kind `ruleset`, no entrypoints, no permissions, no restart",
        "K8" => "list every asset in files[] with its sha256 and bytes",
        "K9" => "the engine reads a ruleset.json of at most 262,144 bytes and catalog files of at most 1,048,576",
        "K11" => "publish translations as language packs in the entry's `locales`, not inside the package",
        "T08" => "declare capabilityApi 1.811 or newer, the first to know language packs",
        "T10" => "English is the ruleset itself; list at most 40 packs in other languages",
        "artifact-url" => "give the whole https address the published file has",
        "pack-url" => "publish a pack in the artifact's folder, over https, as `<id>-<version>.<language>.json`",
        "artifact-sha256" | "pack-sha256" => "compute it over the published bytes: 64 lowercase hexadecimal digits",
        "blob-url" => "use the raw file's address; a blob address answers with a web page",
        "engine-range" => {
            "write plain x.y.z versions, `min` below `maxExclusive`, that reach an engine from 2.0.0 on and span 20 majors at most"
        }
        "manifest-depth" => "flatten what is nested that deep",
        "newer-manifest" => "a newer rulepack is needed to read it",
        "official-url" => "official artifacts lie in `artifacts/` as `<id>-<version>.ruleset.json` or `.zip`",
        "pack-language" => "write the tag as the engine names its own packs: `ru`, `pt-BR`, `zh-Hans`",
        "unknown-key" => "the engine leaves out an entry with a key it does not know",
        "unsafe-path" => "use a relative path of plain names that means the same file on every system",
        _ => return None,
    })
}
