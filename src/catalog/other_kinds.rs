//! What a package of another kind than a ruleset must meet, known from its manifest alone
//! (docs/spec/catalog.md#assets). What runs in it is its author's and the engine's matter.

use super::draft::{Draft, ENTRYPOINTS};
use super::findings::Findings;
use super::rules::{judge_assets_declared, means_ruleset};
use crate::json::{Object, excerpt, texts};
use crate::types::{Api, NEWEST_KNOWN_API, Pointer, Severity, codes};
use serde_json::value::RawValue;
use std::collections::HashSet;

/// The kinds of package there are (docs/spec/catalog.md#common-keys).
pub const KINDS: [&str; 5] = ["agent", "maps", "conversation-calls", "turn-game", "ruleset"];

/// The permissions there are (docs/spec/catalog.md#common-keys), each with the minor version of the Capability API that
/// brought it, where that is known.
const PERMISSIONS: [(&str, Option<u32>); 13] = [
    ("achievements", Some(36)),
    ("agent-runtime", None),
    ("chat-read", None),
    ("chat-write", None),
    ("conversation-actions", None),
    ("mari-actions", Some(50)),
    ("network", None),
    ("prompt-context", None),
    ("routes", None),
    ("scenes", Some(66)),
    ("storage", None),
    ("tools", Some(19)),
    ("ui", None),
];

/// The slots that show something of the package's own, which its client entrypoint draws.
const DRAWN_SLOTS: [&str; 2] = ["game-surface", "home-browser-tab"];

/// Holds a manifest against the rules of the kinds it names, as far as they are not a ruleset's.
pub(super) fn judge_other(draft: &Draft, manifest: &Object<'_>, found: &mut Findings) {
    // A newer engine may know words that this tool does not.
    let is_newer = draft.api.is_some_and(|api| !NEWEST_KNOWN_API.runs(api));
    let strange = if is_newer { Severity::Warning } else { Severity::Error };
    judge_kinds(draft, manifest.at(), strange, found);
    judge_permissions(draft, manifest.at(), strange, found);
    judge_entrypoints(draft, manifest.at(), found);
    judge_assets_declared(draft, manifest.at(), found);
    judge_contributions(draft, manifest, found);
}

/// A slip in a kind takes a ruleset out of the catalog without a word.
fn judge_kinds(draft: &Draft, at: &Pointer, strange: Severity, found: &mut Findings) {
    let at = at.at("kind");
    let mut is_known = true;
    for (index, kind) in draft.kinds.iter().enumerate().filter(|(_, kind)| !KINDS.contains(&kind.as_str())) {
        is_known = false;
        found.note_as(
            strange,
            codes::MANIFEST_KIND,
            &at.at(index),
            format!("`{}` is not a known kind of package", excerpt(kind)),
        );
    }
    let has_ruleset = || draft.assets.iter().flatten().any(|path| means_ruleset(path));
    if is_known && has_ruleset() {
        found.note(codes::K1, &at, "a package with `ruleset.json` among its assets must be of kind `ruleset`");
    }
    if draft.kinds.iter().any(|kind| kind == "turn-game") && !draft.has_entrypoint("server") {
        let message = "a package of kind `turn-game` needs the entrypoint `server`";
        found.note(codes::ENTRYPOINT_MISSING, &at, message);
    }
}

fn judge_permissions(draft: &Draft, at: &Pointer, strange: Severity, found: &mut Findings) {
    let at_permissions = at.at("permissions");
    for (index, permission) in draft.permissions.iter().enumerate() {
        let place = at_permissions.at(index);
        match PERMISSIONS.iter().find(|(known, _)| known == permission) {
            Some((_, Some(minor))) => needs_api(draft, &place, &format!("permission `{permission}`"), *minor, found),
            Some((_, None)) => {}
            None => {
                let message = format!("`{}` is not a known permission", excerpt(permission));
                found.note_as(strange, codes::MANIFEST_PERMISSIONS, &place, message);
            }
        }
        if permission == "routes" && !draft.restart_required {
            let message = "a package that asks for `routes` needs `restartRequired` to be true";
            found.note(codes::MANIFEST_RESTART_REQUIRED, &place, message);
        }
    }
}

/// Each entrypoint is one that engines know, and a declared file (docs/spec/catalog.md#archives).
fn judge_entrypoints(draft: &Draft, at: &Pointer, found: &mut Findings) {
    let declared: HashSet<&str> = draft.paths().collect();
    for entrypoint in &draft.entrypoints {
        let place = at.at("entrypoints").at(&entrypoint.key);
        if !ENTRYPOINTS.contains(&entrypoint.key.as_str()) {
            let message = format!("`{}` is not a key this tool knows here", excerpt(&entrypoint.key));
            found.note(codes::UNKNOWN_KEY, &place, message);
            continue;
        }
        match &entrypoint.path {
            Some(path) if path.is_empty() || declared.contains(path.as_str()) => {}
            Some(path) => {
                let message = format!("the entrypoint `{}` is not in files[]", excerpt(path));
                found.note(codes::ENTRYPOINT_FILE, &place, message);
            }
            None => {
                let message = format!("`{}` should be the path of a file", entrypoint.key);
                found.note(codes::MANIFEST_ENTRYPOINTS, &place, message);
            }
        }
    }
}

/// What the contributions need of the Capability API and of the entrypoints.
fn judge_contributions(draft: &Draft, manifest: &Object<'_>, found: &mut Findings) {
    let at = manifest.at().at("contributions");
    let Some(contributions) = inner(manifest, "contributions") else { return };
    if contributions.get("assets").is_some() {
        needs_api(draft, &at.at("assets"), "a list of assets", 10, found);
        if draft.assets.as_ref().is_some_and(Vec::is_empty) {
            let message = "the list of assets is empty";
            found.note(codes::MANIFEST_CONTRIBUTIONS, &at.at("assets").at("paths"), message);
        }
    }
    if let Some(surface) = inner(&contributions, "gameSurface") {
        for (key, minor) in [("setup", 18), ("prepareBeforeStart", 17)] {
            if surface.get(key).is_some() {
                needs_api(draft, &surface.at().at(key), &format!("`gameSurface.{key}`"), minor, found);
            }
        }
    }
    for (index, slot) in contributions.get("slots").map(slots).unwrap_or_default().iter().enumerate() {
        let place = at.at("slots").at(index);
        if slot == "home-widget" {
            needs_api(draft, &place, "the slot `home-widget`", 35, found);
        }
        if DRAWN_SLOTS.contains(&slot.as_str()) && !draft.has_entrypoint("client") {
            let message = format!("a package in the slot `{slot}` needs the entrypoint `client`");
            found.note(codes::ENTRYPOINT_MISSING, &place, message);
        }
    }
}

/// The object under a key, if there is one.
fn inner<'t>(object: &Object<'t>, key: &str) -> Option<Object<'t>> {
    Object::parse(object.get(key)?.get(), object.at().at(key)).ok()
}

/// Slots that are listed by name; what else a list of them may hold is not known.
fn slots(value: &RawValue) -> Vec<String> {
    texts(value).unwrap_or_default()
}

fn needs_api(draft: &Draft, at: &Pointer, what: &str, minor: u32, found: &mut Findings) {
    let needed = Api { major: 1, minor };
    let why = match (draft.schema, draft.api) {
        (Some(1), _) => "a manifest of schemaVersion 1 declares none".to_owned(),
        (_, Some(api)) if api < needed => format!("the manifest declares {api}"),
        _ => return,
    };
    found.note(codes::PACKAGE_API, at, format!("{what} needs Capability API {needed}: {why}"));
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use crate::catalog::Element;
    use serde_json::{Value, json};

    /// A sound package of several kinds, after `edit`, as `code place` of everything told of it.
    fn told(edit: impl FnOnce(&mut Value)) -> Vec<String> {
        let entry = sample::entry(|entry| {
            entry.as_object_mut().unwrap().remove("locales");
            let manifest = &mut entry["manifest"];
            manifest["kind"] = json!(["agent", "turn-game"]);
            manifest["files"][0]["path"] = json!("server.js");
            manifest["files"][1]["path"] = json!("icons/home.png");
            manifest["entrypoints"] = json!({"server": "server.js", "client": "server.js", "agents": ""});
            manifest["contributions"] = json!({
                "assets": {"paths": ["icons/home.png"]},
                "slots": ["home-widget", "game-surface"],
                "gameSurface": {"setup": {}},
            });
            manifest["permissions"] = json!(["routes", "scenes", "ui"]);
            manifest["restartRequired"] = json!(true);
            edit(entry);
        });
        let text = entry.to_string();
        let judged = Element::of(&text).judge();
        let all = judged.reasons.iter().chain(&judged.notes);
        all.map(|problem| format!("{} {}", problem.code, problem.pointer.as_deref().unwrap_or_default())).collect()
    }

    fn of_manifest(pointer: &str, value: Value) -> Vec<String> {
        told(|entry| *entry["manifest"].pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = value)
    }

    #[test]
    fn a_sound_package_passes_and_each_slip_has_its_place() {
        assert_eq!(told(|_| ()), [""; 0]);
        for (pointer, value, wanted) in [
            ("/kind/0", json!("agnet"), "manifest-kind /manifest/kind/0"),
            ("/permissions/2", json!("everything"), "manifest-permissions /manifest/permissions/2"),
            ("/restartRequired", json!(false), "manifest-restart-required /manifest/permissions/0"),
            ("/entrypoints/server", json!("other.js"), "entrypoint-file /manifest/entrypoints/server"),
            ("/entrypoints/server", json!(7), "manifest-entrypoints /manifest/entrypoints/server"),
            ("/contributions/assets/paths/0", json!("a.png"), "K8 /manifest/contributions/assets/paths/0"),
            ("/contributions/assets/paths", json!([]), "manifest-contributions /manifest/contributions/assets/paths"),
            ("/capabilityApi/minor", json!(65), "package-api /manifest/permissions/1"),
        ] {
            assert_eq!(of_manifest(pointer, value.clone()), [wanted], "{pointer} {value}");
        }
    }

    #[test]
    fn what_needs_an_entrypoint_says_which() {
        let without =
            |key: &str| told(|entry| drop(entry["manifest"]["entrypoints"].as_object_mut().unwrap().remove(key)));
        assert_eq!(without("server"), ["entrypoint-missing /manifest/kind"]);
        assert_eq!(without("client"), ["entrypoint-missing /manifest/contributions/slots/1"]);
        assert_eq!(without("agents"), [""; 0]);
        let strange = told(|entry| entry["manifest"]["entrypoints"]["wasm"] = json!("server.js"));
        assert_eq!(strange, ["unknown-key /manifest/entrypoints/wasm"]);
    }

    #[test]
    fn a_newer_engine_may_know_words_that_are_strange_here() {
        let newer = |entry: &mut Value| {
            entry["manifest"]["capabilityApi"]["minor"] = json!(9999);
            entry["manifest"]["permissions"] = json!(["agent-runtime", "ui", "dreams"]);
        };
        assert!(told(newer).contains(&"manifest-permissions /manifest/permissions/2".to_owned()));
        let text = sample::entry(|entry| {
            newer(entry);
            entry["manifest"]["kind"] = json!(["hologram"]);
        });
        let judged = Element::of(&text.to_string()).judge();
        let strange = judged.notes.iter().filter(|note| note.message.contains("hologram"));
        assert!(strange.map(|note| note.severity).eq([crate::types::Severity::Warning]));
    }

    #[test]
    fn nothing_of_a_newer_api_is_asked_of_a_first_manifest_without_any() {
        let first = |edit: fn(&mut Value)| {
            told(|entry| {
                let manifest = &mut entry["manifest"];
                manifest["schemaVersion"] = json!(1);
                manifest.as_object_mut().unwrap().retain(|key, _| key != "capabilityApi" && key != "builtAgainst");
                manifest["permissions"] = json!(["ui"]);
                manifest["contributions"] = json!({"conversationGame": {}, "agentDetail": {}});
                edit(manifest);
            })
        };
        assert_eq!(first(|_| ()), [""; 0]);
        assert_eq!(
            first(|manifest| manifest["permissions"] = json!(["tools"])),
            ["package-api /manifest/permissions/0"]
        );
    }

    #[test]
    fn what_belongs_to_rulesets_alone_is_told() {
        let packs = sample::entry(|_| ())["locales"].clone();
        assert_eq!(told(|entry| entry["locales"] = packs), ["locales-shape /locales"]);
        let listed = told(|entry| {
            entry["manifest"]["files"][1]["path"] = json!("ruleset.json");
            entry["manifest"]["contributions"]["assets"]["paths"] = json!(["ruleset.json"]);
        });
        assert_eq!(listed, ["K1 /manifest/kind"]);
    }

    #[test]
    fn an_entry_without_a_category_and_strange_contributions_are_remarked_on() {
        let warned = |edit: fn(&mut Value)| {
            let entry = sample::entry(|entry| {
                entry.as_object_mut().unwrap().remove("locales");
                entry["manifest"]["kind"] = json!(["agent"]);
                entry["manifest"]["contributions"] = json!({});
                edit(entry);
            });
            let judged = Element::of(&entry.to_string()).judge();
            assert!(judged.notes.iter().all(|note| note.severity == crate::types::Severity::Warning));
            judged
                .notes
                .iter()
                .map(|note| format!("{} {}", note.code, note.pointer.as_deref().unwrap()))
                .collect::<Vec<_>>()
        };
        assert_eq!(warned(|_| ()), [""; 0]);
        assert_eq!(warned(|entry| drop(entry.as_object_mut().unwrap().remove("category"))), ["entry-category "]);
        let strange = warned(|entry| entry["manifest"]["contributions"]["holograms"] = json!([]));
        assert_eq!(strange, ["unknown-key /manifest/contributions/holograms"]);
    }
}
