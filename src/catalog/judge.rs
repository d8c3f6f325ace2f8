use super::Manifest;
use crate::types::{Api, Code, Failure, NEWEST_KNOWN_API, Version};

/// Why a package is not for this engine: nothing when it is.
///
/// Without `engine` the range is not judged; without `api` the newest one this tool knows stands in
/// (docs/spec/commands.md#sources). A manifest that declares no API suits every engine
/// (docs/spec/catalog.md#schema-version-2).
pub fn incompatibilities(manifest: &Manifest, engine: Option<&Version>, api: Option<Api>) -> Vec<Failure> {
    let Manifest { id, version, engine: range, api: wanted, .. } = manifest;
    let mut failures = Vec::new();
    if let Some(engine) = engine.filter(|engine| !range.contains(engine)) {
        let message = format!(
            "{id} {version} requires an engine from {} to below {}, but this is engine {engine}",
            range.min, range.max_exclusive
        );
        let hint = if engine.precedence(&range.min).is_lt() {
            format!("update the engine to {} or newer", range.min)
        } else {
            "ask its publisher for a version for this engine".to_owned()
        };
        failures.push(Failure::new(Code::IncompatibleEngine, message).hint(hint).package(id));
    }
    let known = api.unwrap_or(NEWEST_KNOWN_API);
    if let Some(wanted) = wanted.filter(|wanted| !known.runs(*wanted)) {
        let (whose, hint) = match api {
            Some(_) => ("this engine has", "update the engine"),
            None => (
                "this rulepack knows versions up to",
                "update rulepack, or give the engine's API with `--capability-api`",
            ),
        };
        let message = format!("{id} {version} requires Capability API {wanted}, but {whose} {known}");
        failures.push(Failure::new(Code::IncompatibleApi, message).hint(hint).package(id));
    }
    failures
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    fn codes(engine: Option<&str>, api: Option<&str>) -> Vec<Code> {
        let manifest = sample::manifest(|manifest| {
            manifest["engine"] = serde_json::json!({"min": "2.3.0", "maxExclusive": "3.0.0"});
            manifest["capabilityApi"] = serde_json::json!({"major": 1, "minor": 812});
        });
        let engine = engine.map(|text| text.parse().unwrap());
        let failures = incompatibilities(&manifest, engine.as_ref(), api.map(|text| text.parse().unwrap()));
        failures.iter().map(|failure| failure.code).collect()
    }

    #[test]
    fn the_range_holds_its_lower_end_and_not_its_upper() {
        for fits in ["2.3.0", "2.99.0", "3.0.0-rc.1"] {
            assert_eq!(codes(Some(fits), None), [], "{fits}");
        }
        for other in ["2.2.9", "2.3.0-rc.1", "3.0.0", "10.0.0"] {
            assert_eq!(codes(Some(other), None), [Code::IncompatibleEngine], "{other}");
        }
        assert_eq!(codes(None, None), []);
    }

    #[test]
    fn an_api_runs_what_is_not_newer_and_of_its_major() {
        assert_eq!(codes(None, Some("1.812")), []);
        assert_eq!(codes(None, Some("1.811")), [Code::IncompatibleApi]);
        assert_eq!(codes(None, Some("2.900")), [Code::IncompatibleApi]);
        assert_eq!(codes(Some("1.0.0"), Some("1.9")), [Code::IncompatibleEngine, Code::IncompatibleApi]);
        let newer = sample::manifest(|manifest| manifest["capabilityApi"]["minor"] = 814.into());
        let failures = incompatibilities(&newer, None, None);
        assert!(failures[0].message.contains("1.814") && failures[0].message.contains("1.813"));
    }

    #[test]
    fn the_message_names_the_range_and_the_engine() {
        let manifest = sample::manifest(|_| ());
        let failure = incompatibilities(&manifest, Some(&"9.1.0".parse().unwrap()), None).remove(0);
        for part in ["2.3.0", "4.0.0", "9.1.0"] {
            assert!(failure.message.contains(part), "{}", failure.message);
        }
        assert_eq!(failure.package.as_deref(), Some("ember-roads"));
    }
}
