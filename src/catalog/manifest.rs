use super::EngineRange;
use crate::json::{self, Object};
use crate::types::{Api, Expected, Language, PackageId, Pointer, SafePath, Version};
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A package's manifest: what rulepack reads of it, beside the text as published, which is what is carried on.
#[derive(Clone, Debug)]
pub struct Manifest {
    /// The manifest as published, unknown keys included.
    pub raw: Arc<RawValue>,
    /// The package.
    pub id: PackageId,
    /// Its English name.
    pub name: String,
    /// Its version, which is not the one its ruleset counts.
    pub version: Version,
    /// Empty when none is given.
    pub description: String,
    /// The engines it is for.
    pub engine: EngineRange,
    /// Only schema version 2 declares one; a version 1 manifest suits every engine.
    pub api: Option<Api>,
    /// What kinds of package it says it is, such as `ruleset`.
    pub kinds: Vec<String>,
    /// `contributions.assets.paths`, as written.
    pub assets: Vec<String>,
    /// What an artifact of it holds besides the manifest.
    pub files: Vec<DeclaredFile>,
    /// Name and description in other languages; not the language packs.
    pub localizations: BTreeMap<Language, Localization>,
}

/// One file of a package, as its manifest declares it.
#[derive(Clone, Debug)]
pub struct DeclaredFile {
    /// Where it lies in the package.
    pub path: SafePath,
    /// What its bytes must be.
    pub expected: Expected,
}

/// What a manifest says of its package in one more language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Localization {
    /// The name in the language.
    pub name: Option<String>,
    /// The description in the language.
    pub description: Option<String>,
}

impl Manifest {
    /// Whether a file is among the package's assets: what the engine reads of it, where a file that is declared in
    /// files[] alone is only stored. Compared as written, as K8 holds assets against files[].
    pub fn has_asset(&self, path: &str) -> bool {
        self.assets.iter().any(|asset| asset == path)
    }

    /// Whether it is a ruleset's.
    pub fn is_ruleset(&self) -> bool {
        self.kinds.iter().any(|kind| kind == "ruleset")
    }

    /// Whether two manifests say the same: equal as JSON with the defaults filled in; the order of keys does not count,
    /// the order of arrays does (docs/spec/catalog.md#archives). Keys nobody knows yet count too.
    pub fn says_the_same_as(&self, other: &Manifest) -> bool {
        /// The keys that may be left out and what leaving them out means (docs/spec/catalog.md#common-keys).
        const DEFAULTS: [(&str, &str); 2] = [("description", "\"\""), ("restartRequired", "false")];
        let (Ok(ours), Ok(theirs)) = (self.object(), other.object()) else { return false };
        let keys: BTreeSet<&str> = ours.fields().chain(theirs.fields()).map(|(key, _)| key).collect();
        keys.into_iter().all(|key| {
            let default = DEFAULTS.iter().find(|(name, _)| *name == key).map(|(_, value)| *value);
            let ours = ours.get(key).map(RawValue::get).or(default);
            let theirs = theirs.get(key).map(RawValue::get).or(default);
            ours.zip(theirs).is_some_and(|(ours, theirs)| json::equal(ours, theirs))
        })
    }

    fn object(&self) -> Result<Object<'_>, String> {
        Object::parse(self.raw.get(), Pointer::root())
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;
    use crate::types::codes;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn wrong(edit: impl FnOnce(&mut Value)) -> Vec<String> {
        let mut manifest = sample::entry(|_| ())["manifest"].take();
        edit(&mut manifest);
        let problems = Manifest::parse(&manifest.to_string()).err().unwrap_or_default();
        problems
            .iter()
            .map(|problem| format!("{} {}", problem.code, problem.pointer.as_deref().unwrap_or_default()))
            .collect()
    }

    /// Each key with a value that passes beside one that does not.
    #[test]
    fn every_key_has_its_pattern_and_limit() {
        let text = |count| json!("x".repeat(count));
        let digest = json!("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        let rows: Vec<(&str, &str, Value, Value)> = vec![
            ("/schemaVersion", "manifest-schema-version", json!(2.0), json!("2")),
            ("/schemaVersion", "manifest-schema-version", json!(2), json!(0)),
            ("/id", "manifest-id", text(80), text(81)),
            ("/id", "manifest-id", json!("a-1"), json!("A-1")),
            ("/id", "manifest-id", json!("cone"), json!("con")),
            ("/name", "manifest-name", text(120), text(121)),
            ("/name", "manifest-name", json!("😀".repeat(60)), json!("😀".repeat(61))),
            ("/name", "manifest-name", json!("x"), json!("")),
            ("/version", "manifest-version", json!("1.0.0-rc.1"), json!("1.0.0+1")),
            ("/version", "manifest-version", json!("01.0.0"), json!("1.0")),
            ("/description", "manifest-description", text(2000), text(2001)),
            ("/description", "manifest-description", json!(""), Value::Null),
            ("/engine/min", "manifest-engine", json!("2.3.0-rc.1"), json!("")),
            ("/engine/maxExclusive", "manifest-engine", json!("9.0.0"), json!(9)),
            ("/engine", "manifest-engine", json!({"min": "1.0.0", "maxExclusive": "2.0.0"}), json!("2.3.0")),
            ("/kind", "manifest-kind", json!(["ruleset", "new-kind"]), json!([])),
            ("/kind", "manifest-kind", json!(["agent"]), json!([1])),
            ("/entrypoints", "manifest-entrypoints", json!({"server": "a.js"}), json!([])),
            ("/contributions", "manifest-contributions", json!({}), json!([])),
            ("/contributions/assets", "manifest-contributions", json!({"paths": []}), json!([])),
            ("/contributions/assets/paths", "manifest-contributions", json!(["a.png"]), json!([1])),
            ("/permissions", "manifest-permissions", json!(["network"]), json!("network")),
            ("/restartRequired", "manifest-restart-required", json!(true), json!("no")),
            ("/capabilityApi", "manifest-capability-api", json!({"major": 1, "minor": 0}), Value::Null),
            ("/capabilityApi/major", "manifest-capability-api", json!(2), json!(0)),
            ("/capabilityApi/minor", "manifest-capability-api", json!(9.0), json!(-1)),
            (
                "/builtAgainst",
                "manifest-built-against",
                json!({"engineVersion": "2.3.0", "engineCommit": "a".repeat(40)}),
                json!(1),
            ),
            ("/builtAgainst/engineVersion", "manifest-built-against", json!("3.0.0"), json!("3")),
            ("/builtAgainst/engineCommit", "manifest-built-against", json!("a".repeat(40)), json!("A".repeat(40))),
            ("/files/0/path", "unsafe-path", json!("a/b.json"), json!("../b.json")),
            ("/files/0/path", "unsafe-path", json!("a.json"), json!("")),
            ("/files/0/path", "manifest-files", json!("a.json"), json!(3)),
            ("/files/0/sha256", "manifest-files", digest, json!("A".repeat(64))),
            ("/files/0/bytes", "manifest-files", json!(0), json!(-1)),
            ("/files/0/bytes", "manifest-files", json!(104_857_600), json!(104_857_601)),
            ("/files/0", "manifest-files", json!({"path": "a", "sha256": "0".repeat(64), "bytes": 1}), json!([])),
        ];
        for (place, code, right, not) in rows {
            let put = |value: &Value| wrong(|manifest| *manifest.pointer_mut(place).unwrap() = value.clone());
            assert_eq!(put(&right), [""; 0], "{place} {right}");
            assert_eq!(put(&not), [format!("{code} {place}")], "{place} {not}");
        }
    }

    #[test]
    fn every_required_key_is_missed_and_no_other() {
        let keys: Vec<String> = sample::entry(|_| ())["manifest"].as_object().unwrap().keys().cloned().collect();
        let missed: Vec<String> = keys
            .into_iter()
            .filter(|key| !wrong(|manifest| drop(manifest.as_object_mut().unwrap().remove(key))).is_empty())
            .collect();
        assert_eq!(
            missed,
            [
                "builtAgainst",
                "capabilityApi",
                "engine",
                "entrypoints",
                "files",
                "id",
                "kind",
                "name",
                "permissions",
                "schemaVersion",
                "version"
            ]
        );
    }

    #[test]
    fn version_1_declares_no_api() {
        let first = |keep: &str| {
            wrong(|manifest| {
                manifest["schemaVersion"] = json!(1);
                let second = ["capabilityApi", "builtAgainst"];
                manifest.as_object_mut().unwrap().retain(|key, _| key == keep || !second.contains(&key.as_str()));
            })
        };
        assert_eq!(first(""), [""; 0]);
        assert_eq!(first("capabilityApi"), ["manifest-capability-api /capabilityApi"]);
        assert_eq!(first("builtAgainst"), ["manifest-built-against /builtAgainst"]);
    }

    #[test]
    fn no_two_files_are_one_and_none_is_the_manifest() {
        let second = |path: &str| wrong(|manifest| manifest["files"][1]["path"] = path.into());
        assert_eq!(second("Ruleset.JSON"), ["duplicate-path /files/1/path"]);
        assert_eq!(second("ruleset.json/x"), ["duplicate-path /files/1/path"]);
        assert_eq!(second("manifest.json"), ["manifest-path /files/1/path"]);
        assert_eq!(second("MANIFEST.json"), ["manifest-path /files/1/path"]);
        for right in ["ruleset2.json", "a/ruleset.json", "a/manifest.json", "locales/ru.json"] {
            assert_eq!(second(right), [""; 0], "{right}");
        }
    }

    #[test]
    fn limits_that_keep_hostile_manifests_small() {
        let file = |n: usize| json!({"path": format!("f{n}"), "sha256": "0".repeat(64), "bytes": 1});
        let many = |count| wrong(|manifest| manifest["files"] = (0..count).map(file).collect());
        assert_eq!(many(8191), [""; 0]);
        assert_eq!(many(8192), ["manifest-files /files"]);
        assert_eq!(many(0), ["manifest-files /files"]);
        let assets = |count| {
            let paths: Vec<String> = (0..count).map(|n| format!("{n}.png")).collect();
            wrong(|manifest| manifest["contributions"]["assets"]["paths"] = json!(paths))
        };
        assert_eq!(assets(256), [""; 0]);
        assert_eq!(assets(257), ["asset-count /contributions/assets/paths"]);
        let broken = wrong(|manifest| manifest["files"] = json!(vec![json!({}); 8191]));
        assert_eq!((broken.len(), broken[180].as_str()), (181, "manifest-files "));
        let nested = |levels: usize| {
            let text = sample::entry(|_| ())["manifest"].to_string();
            let deep = format!("{{\"x\":{}{},", "[".repeat(levels), "]".repeat(levels));
            Manifest::parse(&text.replacen('{', &deep, 1))
        };
        assert!(nested(99).is_ok());
        assert_eq!(nested(100).unwrap_err()[0].code, codes::MANIFEST_DEPTH);
    }

    #[test]
    fn what_is_no_manifest_says_so_and_a_newer_one_too() {
        for text in ["", "[]", "{", "<html>", "null"] {
            assert_eq!(Manifest::parse(text).unwrap_err()[0].code, codes::MANIFEST_SHAPE, "{text}");
        }
        assert_eq!(wrong(|manifest| manifest["schemaVersion"] = json!(3)), ["newer-manifest /schemaVersion"]);
    }

    #[test]
    fn manifests_are_compared_as_the_engine_compares_them() {
        let same = |a: &Value, b: &str| {
            let parse = |text: &str| Manifest::parse(text).unwrap();
            let (a, b) = (parse(&a.to_string()), parse(b));
            assert_eq!(a.says_the_same_as(&b), b.says_the_same_as(&a));
            a.says_the_same_as(&b)
        };
        let ordinary = sample::entry(|_| ())["manifest"].take();
        let edited = |edit: &dyn Fn(&mut Value)| {
            let mut manifest = ordinary.clone();
            edit(&mut manifest);
            manifest.to_string()
        };
        let without = |key: &'static str| edited(&move |manifest| drop(manifest.as_object_mut().unwrap().remove(key)));
        let spelled = edited(&|manifest| manifest["files"][1]["bytes"] = json!(812.0));
        let reversed = {
            let pairs: Vec<_> =
                ordinary.as_object().unwrap().iter().rev().map(|(k, v)| format!("{k:?}: {v}")).collect();
            format!("{{ {} }}", pairs.join(" , "))
        };
        for text in [ordinary.to_string(), without("restartRequired"), spelled, reversed] {
            assert!(same(&ordinary, &text), "{text}");
        }
        let undescribed: Value = serde_json::from_str(&without("description")).unwrap();
        assert!(same(&undescribed, &edited(&|manifest| manifest["description"] = json!(""))));
        for text in [
            without("description"),
            without("localizations"),
            edited(&|manifest| manifest["restartRequired"] = json!(true)),
            edited(&|manifest| manifest["x"] = json!(null)),
            edited(&|manifest| manifest["files"].as_array_mut().unwrap().reverse()),
            edited(&|manifest| manifest["name"] = json!("ember roads")),
        ] {
            assert!(!same(&ordinary, &text), "{text}");
        }
    }

    #[test]
    fn a_manifest_that_stands_alone_is_judged_by_all_there_is_and_may_list_translations() {
        let told = |edit: &dyn Fn(&mut Value)| {
            let mut manifest = sample::entry(|_| ())["manifest"].take();
            edit(&mut manifest);
            let (read, problems) = Manifest::read(&manifest.to_string());
            let told = problems.iter().map(|p| format!("{} {}", p.code, p.pointer.as_deref().unwrap()));
            (read.is_some(), told.collect::<Vec<_>>())
        };
        let translation = json!({"path": "locales/ru.json", "sha256": "0".repeat(64), "bytes": 1});
        let list = |manifest: &mut Value| manifest["files"].as_array_mut().unwrap().push(translation.clone());
        assert_eq!(told(&|_| ()), (true, vec![]));
        assert_eq!(told(&list), (true, vec![]));
        let (_, old) = told(&|manifest| {
            list(manifest);
            manifest["capabilityApi"]["minor"] = json!(810);
        });
        assert_eq!(old, ["T08 /capabilityApi"]);
        assert_eq!(told(&|manifest| manifest["kind"] = json!(["agent"])), (true, vec!["K7 /kind".to_owned()]));
        assert_eq!(told(&|manifest| manifest["x"] = json!(1)), (true, vec!["unknown-key /x".to_owned()]));
        assert_eq!(told(&|manifest| manifest["id"] = json!("No")), (false, vec!["manifest-id /id".to_owned()]));
        assert_eq!(Manifest::read("[]").1[0].code, codes::MANIFEST_SHAPE);
    }

    #[test]
    fn the_manifest_is_kept_as_published() {
        let published = sample::entry(|_| ())["manifest"].to_string().replacen('{', "{ \"x\" : 1.10 ,", 1);
        let manifest = Manifest::parse(&format!("\n{published} ")).unwrap();
        assert_eq!(manifest.raw.get(), published);
    }

    #[test]
    fn the_home_page_of_a_localization_is_judged_too() {
        let told = |value: Value| sample::notes(|entry| entry["manifest"]["localizations"]["de"] = value);
        let at = "manifest-localizations /manifest/localizations/de";
        for (wrong, place) in [
            (json!({"homeBrowserTab": 3}), "/homeBrowserTab"),
            (json!({"homeBrowserTab": {"label": ""}}), "/homeBrowserTab/label"),
            (json!({"homeBrowserTab": {"label": "x".repeat(41)}}), "/homeBrowserTab/label"),
            (json!({"homeBrowserTab": {"ariaLabel": "x".repeat(101)}}), "/homeBrowserTab/ariaLabel"),
            (json!({"homeWidgets": []}), "/homeWidgets"),
            (json!({"homeWidgets": {"a_b": {}}}), "/homeWidgets/a_b"),
            (json!({"homeWidgets": {"a": null}}), "/homeWidgets/a"),
            (json!({"homeWidgets": {"a": {"label": "x".repeat(81)}}}), "/homeWidgets/a/label"),
            (json!({"homeWidgets": {"a": {"description": "x".repeat(201)}}}), "/homeWidgets/a/description"),
        ] {
            assert_eq!(told(wrong.clone()), [format!("{at}{place}")], "{wrong}");
        }
        for (wrong, place) in [
            (json!({"homeBrowserTab": {"labl": "x"}}), "/homeBrowserTab/labl"),
            (json!({"homeWidgets": {"a": {"icon": "x"}}}), "/homeWidgets/a/icon"),
        ] {
            assert_eq!(told(wrong), [format!("unknown-key /manifest/localizations/de{place}")]);
        }
        let fine = json!({
            "homeBrowserTab": {"label": "x".repeat(40), "ariaLabel": "x".repeat(100)},
            "homeWidgets": {"a-1": {"label": "x".repeat(80), "description": "x".repeat(200)}, "b": {"description": ""}},
        });
        assert_eq!(told(fine), [""; 0]);
    }

    #[test]
    fn what_only_maintainers_mind_is_noted() {
        let noted = |edit: &dyn Fn(&mut Value)| sample::notes(|entry| edit(&mut entry["manifest"]));
        let engine = |min: &str, max: &str| {
            let range = json!({"min": min, "maxExclusive": max});
            noted(&|manifest| manifest["engine"] = range.clone())
        };
        assert_eq!(engine("2.3.0-rc.1", "4.0.0"), ["engine-range /manifest/engine"]);
        assert_eq!(engine("2.3.0", "2.4.0"), [""; 0]);
        assert_eq!(engine("2.4.0", "3.0.0"), ["built-against-range /manifest/builtAgainst/engineVersion"]);
        // Which holds no engine at all, that it was built against either.
        assert_eq!(engine("2.3.0", "2.3.0"), ["engine-range /manifest/engine"]);
        let assets = |path: &'static str| {
            noted(&move |manifest| {
                manifest["files"][1]["path"] = path.into();
                manifest["contributions"]["assets"]["paths"][1] = path.into();
            })
        };
        assert_eq!(assets("notes.txt"), ["asset-paths /manifest/contributions/assets/paths/1"]);
        assert_eq!(assets("art.WEBP"), [""; 0]);
        let version = sample::notes(|entry| {
            entry.as_object_mut().unwrap().remove("locales");
            entry["manifest"]["version"] = json!("01.0.0");
        });
        assert_eq!(version, ["version-spelling /manifest/version"]);
    }

    proptest! {
        #[test]
        fn no_text_panics(text in any::<String>()) {
            let _ = Manifest::parse(&text);
        }
    }
}
