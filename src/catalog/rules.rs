//! What a package must meet to be a ruleset of a catalog, known from its manifest alone
//! (docs/spec/catalog.md#ruleset-packages).

use super::RULESET;
use super::draft::{Draft, Entrypoint};
use super::findings::Findings;
use super::offers::PACKS_API;
use crate::json::excerpt;
use crate::types::{Api, Pointer, Problem, Severity, codes};
use std::collections::HashSet;

/// The sizes from which on the engine does not read a file it has installed (K9).
const MAX_RULESET: u64 = 256 << 10;
const MAX_CATALOG: u64 = 1 << 20;

/// Where a manifest comes from, which decides whether its package may carry translations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// The entry of a catalog: its packs are listed there (K11).
    Entry,
    /// A file somebody shares, or has at hand (K12).
    File,
}

/// Holds a manifest, which stands at `at`, against K1 to K3, K5, K7 to K9, K11 and K12. K4, K6 and K10 need the files
/// themselves.
pub(super) fn judge_ruleset(draft: &Draft, at: &Pointer, origin: Origin, found: &mut Findings) {
    judge_assets(draft, at, found);
    judge_api(draft, at, found);
    judge_data_only(draft, at, found);
    judge_files(draft, at, origin, found);
}

/// Whether a path means `ruleset.json`, however it is written (K1).
pub fn means_ruleset(path: &str) -> bool {
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.pop().is_none() => return false,
            ".." => {}
            name => parts.push(name),
        }
    }
    parts == [RULESET]
}

/// K1 and K5, then K8. What only means `ruleset.json` is not listed in files[] under the same text, so K8 refuses it.
fn judge_assets(draft: &Draft, at: &Pointer, found: &mut Findings) {
    let Some(assets) = &draft.assets else { return };
    let paths = || at.at("contributions").at("assets").at("paths");
    if !assets.iter().any(|path| means_ruleset(path)) {
        found.refuse(codes::K1, &draft.assets_at, "`ruleset.json` is not listed in the assets of this ruleset");
    }
    for (index, path) in assets.iter().enumerate() {
        if path.starts_with("catalogs/") && !is_catalog_file(path) {
            found.refuse(
                codes::K5,
                &paths().at(index),
                format!("`{}` is not the name of a catalog file", excerpt(path)),
            );
        }
    }
    judge_assets_declared(draft, at, found);
}

/// K8, which holds for packages of every kind (docs/spec/catalog.md#assets).
pub(super) fn judge_assets_declared(draft: &Draft, at: &Pointer, found: &mut Findings) {
    let listed: HashSet<&str> = draft.paths().collect();
    let undeclared = draft.assets.iter().flatten().enumerate().filter(|(_, path)| !listed.contains(path.as_str()));
    for (index, path) in undeclared {
        let at = at.at("contributions").at("assets").at("paths").at(index);
        found.refuse(codes::K8, &at, format!("the asset `{}` is not in files[]", excerpt(path)));
    }
}

/// `^catalogs/[a-z][a-z0-9_]{0,39}\.json$` (K3).
fn is_catalog_file(path: &str) -> bool {
    let id = path.strip_prefix("catalogs/").and_then(|name| name.strip_suffix(".json")).unwrap_or_default();
    let word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    id.len() <= 40 && id.starts_with(|first: char| first.is_ascii_lowercase()) && id.bytes().all(word)
}

/// K2 and K3: what a package holds needs an API that knows it. An API that could not be read has its own reason.
fn judge_api(draft: &Draft, at: &Pointer, found: &mut Findings) {
    let needs = |minor| match (draft.schema, draft.api) {
        (Some(1), _) => Some("the manifest has schemaVersion 1, which does not declare one".to_owned()),
        (_, Some(api)) if api < Api { major: 1, minor } => Some(format!("the manifest declares {api}")),
        _ => None,
    };
    let place = || at.at(if draft.schema == Some(1) { "schemaVersion" } else { "capabilityApi" });
    if let Some(why) = needs(20) {
        let message = format!("a ruleset requires Capability API 1.20, but {why}");
        found.reasons.push(Problem::new(codes::K2, &place(), message).needing(Api { major: 1, minor: 20 }));
    }
    if let Some(why) = needs(21)
        && draft.assets.iter().flatten().any(|path| is_catalog_file(path))
    {
        let message = format!("catalog files require Capability API 1.21, but {why}");
        found.reasons.push(Problem::new(codes::K3, &place(), message).needing(Api { major: 1, minor: 21 }));
    }
}

/// K7: a ruleset is data, nothing that runs. That it is of schema version 2 is K2's to say.
fn judge_data_only(draft: &Draft, at: &Pointer, found: &mut Findings) {
    if !draft.kinds.iter().all(|kind| kind == "ruleset") || draft.kinds.len() > 1 {
        let message = format!(
            "a ruleset must be of the kind `ruleset` only, but this one is of {}",
            excerpt(&draft.kinds.join(", "))
        );
        found.refuse(codes::K7, &at.at("kind"), message);
    }
    for Entrypoint { key, .. } in &draft.entrypoints {
        let message = format!("a ruleset cannot have entrypoints, but this one has `{}`", excerpt(key));
        found.refuse(codes::K7, &at.at("entrypoints").at(key), message);
    }
    if !draft.permissions.is_empty() {
        let message =
            format!("a ruleset cannot ask for permissions, but this one asks for {}", draft.permissions.len());
        found.refuse(codes::K7, &at.at("permissions"), message);
    }
    if draft.restart_required {
        found.refuse(codes::K7, &at.at("restartRequired"), "a ruleset cannot require a restart");
    }
}

/// K9, which the engine holds against a ruleset only when it reads it, and K11 or, of a shared file, K12: such a
/// package may carry translations, and then needs an API that knows them (T08).
fn judge_files(draft: &Draft, at: &Pointer, origin: Origin, found: &mut Findings) {
    let mut translations = 0;
    for file in &draft.files {
        let Some(path) = &file.path else { continue };
        let folded = path.folded();
        if folded == "locales" || folded.starts_with("locales/") {
            translations += 1;
            if origin == Origin::Entry {
                found.refuse(codes::K11, &file.at, format!("a ruleset of a catalog cannot contain `{path}`"));
            }
        }
        let bytes = file.expected.map_or(0, |expected| expected.bytes.0);
        let at = || file.at.at("bytes");
        if path.as_str() == RULESET && bytes > MAX_RULESET {
            let message = format!("`{path}` has {bytes} bytes, more than {MAX_RULESET}");
            // Whether engines after 1.66 still hold to it is not known (docs/spec/decisions.md#q28).
            let is_known = draft.api.is_none_or(|api| api <= Api { major: 1, minor: 66 });
            found.note_as(if is_known { Severity::Error } else { Severity::Warning }, codes::K9, &at(), message);
        } else if is_catalog_file(path.as_str()) && bytes > MAX_CATALOG {
            found.note(codes::K9, &at(), format!("`{path}` has {bytes} bytes, more than {MAX_CATALOG}"));
        }
    }
    if origin == Origin::File && translations > 0 && draft.api.is_some_and(|api| api < PACKS_API) {
        let message = format!("a package that contains translations requires Capability API {PACKS_API}");
        found.reasons.push(Problem::new(codes::T08, &at.at("capabilityApi"), message).needing(PACKS_API));
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{notes, reasons};
    use serde_json::{Value, json};

    fn of_manifest(edit: impl FnOnce(&mut Value)) -> Vec<String> {
        reasons(|entry| edit(&mut entry["manifest"]))
    }

    fn with_asset(path: &str) -> Vec<String> {
        of_manifest(|manifest| {
            let mut file = manifest["files"][1].clone();
            file["path"] = path.into();
            manifest["files"].as_array_mut().unwrap().push(file);
            manifest["contributions"]["assets"]["paths"].as_array_mut().unwrap().push(path.into());
        })
    }

    #[test]
    fn k1_a_ruleset_lists_ruleset_json_among_its_assets() {
        let paths = "/manifest/contributions/assets/paths";
        assert_eq!(
            of_manifest(|m| m["contributions"]["assets"]["paths"] = json!(["catalogs/knacks.json"])),
            [format!("K1 {paths}")]
        );
        assert_eq!(of_manifest(|m| m["contributions"] = json!({})), ["K1 /manifest/contributions"]);
        assert_eq!(of_manifest(|m| m["contributions"]["assets"]["paths"] = json!([])), [format!("K1 {paths}")]);
        assert_eq!(of_manifest(|m| drop(m.as_object_mut().unwrap().remove("contributions"))), ["K1 /manifest"]);
        for meant in ["./ruleset.json", "art/../ruleset.json", ".//ruleset.json"] {
            let told = of_manifest(|m| m["contributions"]["assets"]["paths"] = json!([meant]));
            assert_eq!(told, [format!("K8 {paths}/0")], "{meant}");
        }
        for other in ["../ruleset.json", "art/ruleset.json", "Ruleset.json"] {
            assert!(!super::means_ruleset(other), "{other}");
        }
        assert_eq!(of_manifest(|m| m["contributions"]["assets"]["paths"] = json!(["ruleset.json"])), [""; 0]);
    }

    #[test]
    fn k2_and_k3_the_api_knows_rulesets_and_catalogs() {
        let declared = |minor: u32, assets: Value| {
            reasons(|entry| {
                entry.as_object_mut().unwrap().remove("locales");
                entry["manifest"]["capabilityApi"]["minor"] = minor.into();
                entry["manifest"]["contributions"]["assets"]["paths"] = assets;
            })
        };
        let (alone, both) = (json!(["ruleset.json"]), json!(["ruleset.json", "catalogs/knacks.json"]));
        let place = "/manifest/capabilityApi";
        assert_eq!(declared(19, alone.clone()), [format!("K2 {place}")]);
        assert_eq!(declared(20, alone), [""; 0]);
        assert_eq!(declared(20, both.clone()), [format!("K3 {place}")]);
        assert_eq!(declared(21, both), [""; 0]);
    }

    #[test]
    fn k2_a_manifest_of_version_1_is_no_ruleset() {
        let first = of_manifest(|manifest| {
            manifest["schemaVersion"] = 1.into();
            manifest.as_object_mut().unwrap().retain(|key, _| key != "capabilityApi" && key != "builtAgainst");
        });
        assert_eq!(first, ["K2 /manifest/schemaVersion", "K3 /manifest/schemaVersion"]);
    }

    #[test]
    fn k5_a_catalog_file_is_named_for_its_catalog() {
        for wrong in
            ["catalogs/Spells.json", "catalogs/a/b.json", "catalogs/1a.json", "catalogs/a.png", "catalogs/a-b.json"]
        {
            assert_eq!(with_asset(wrong), ["K5 /manifest/contributions/assets/paths/2"], "{wrong}");
        }
        for right in ["catalogs/a.json", "catalogs/spells_2.json", "art/Cover-1.PNG"] {
            assert_eq!(with_asset(right), [""; 0], "{right}");
        }
        assert_eq!(with_asset(&format!("catalogs/{}.json", "a".repeat(41))).len(), 1);
        assert_eq!(with_asset(&format!("catalogs/{}.json", "a".repeat(40))), [""; 0]);
    }

    #[test]
    fn k7_a_ruleset_is_data_only() {
        assert_eq!(of_manifest(|m| m["kind"] = json!(["ruleset", "agent"])), ["K7 /manifest/kind"]);
        assert_eq!(
            of_manifest(|m| m["entrypoints"]["server"] = json!("server.js")),
            ["K7 /manifest/entrypoints/server"]
        );
        assert_eq!(of_manifest(|m| m["entrypoints"]["wasm"] = json!("run.wasm")), ["K7 /manifest/entrypoints/wasm"]);
        assert_eq!(of_manifest(|m| m["entrypoints"]["x-none"] = json!(true)), [""; 0]);
        assert_eq!(of_manifest(|m| m["permissions"] = json!(["network"])), ["K7 /manifest/permissions"]);
        assert_eq!(of_manifest(|m| m["restartRequired"] = json!(true)), ["K7 /manifest/restartRequired"]);
        assert_eq!(of_manifest(|m| drop(m.as_object_mut().unwrap().remove("restartRequired"))), [""; 0]);
    }

    #[test]
    fn k8_every_asset_is_a_declared_file() {
        let place = "/manifest/contributions/assets/paths";
        assert_eq!(of_manifest(|m| drop(m["files"].as_array_mut().unwrap().remove(0))), [format!("K8 {place}/0")]);
        let elsewhere = of_manifest(|m| m["contributions"]["assets"]["paths"][1] = "./catalogs/knacks.json".into());
        assert_eq!(elsewhere, [format!("K8 {place}/1")]);
        assert_eq!(with_asset("art/cover.png"), [""; 0]);
    }

    #[test]
    fn k9_a_file_too_large_for_the_engine_is_noted_and_no_reason() {
        let sized = |file: usize, bytes: u64, minor: u32| {
            notes(|entry| {
                entry.as_object_mut().unwrap().remove("locales");
                entry["manifest"]["capabilityApi"]["minor"] = minor.into();
                entry["manifest"]["files"][file]["bytes"] = bytes.into();
            })
        };
        for minor in [66, 67] {
            assert_eq!(sized(0, 262_145, minor), ["K9 /manifest/files/0/bytes"]);
            assert_eq!(sized(1, 1_048_577, minor), ["K9 /manifest/files/1/bytes"]);
            assert_eq!(sized(0, 262_144, minor), [""; 0]);
            assert_eq!(sized(1, 1_048_576, minor), [""; 0]);
        }
    }

    #[test]
    fn k11_a_ruleset_of_a_catalog_carries_no_translations() {
        let with_file = |path: &str| of_manifest(|manifest| manifest["files"][1]["path"] = path.into());
        let k11 = |told: Vec<String>| told.iter().any(|reason| reason == "K11 /manifest/files/1");
        for wrong in ["locales/ru.json", "locales/en.json", "Locales/ru.json", "locales"] {
            assert!(k11(with_file(wrong)), "{wrong}");
        }
        for right in ["locale/ru.json", "art/locales/ru.json", "locales.json"] {
            assert!(!k11(with_file(right)), "{right}");
        }
    }
}
