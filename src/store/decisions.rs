//! The engine's record of versions the reader declined, `update-decisions-v1.json`
//! (docs/spec/catalog.md#engine-registry).

use crate::types::PackageId;
use serde_json::{Map, Value, json};

/// The declined version of each package. A file that cannot be read counts as empty, as it does to the engine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decisions(Map<String, Value>);

impl Decisions {
    pub fn parse(bytes: &[u8]) -> Self {
        let fits = read(bytes).filter(|document| document.get("schemaVersion").and_then(Value::as_f64) == Some(1.0));
        Decisions(fits.and_then(|document| document.as_object().cloned()).unwrap_or_default())
    }

    /// Whether these bytes are such a record.
    pub fn is_readable(bytes: &[u8]) -> bool {
        schema_of(bytes) == Some(1.0)
    }

    /// Whether a newer engine wrote them.
    pub fn is_newer(bytes: &[u8]) -> bool {
        schema_of(bytes).is_some_and(|schema| schema > 1.0)
    }

    /// The version of this package the reader does not want.
    pub fn declined(&self, id: &PackageId) -> Option<&str> {
        self.0.get("declined")?.get(id.as_str())?.get("version")?.as_str()
    }

    /// Declines a version, or takes the decision back.
    pub fn set(&mut self, id: &PackageId, version: Option<&str>, now: &str) {
        self.0.insert("schemaVersion".to_owned(), json!(1));
        let declined = self.0.entry("declined").or_insert_with(|| json!({}));
        if !declined.is_object() {
            *declined = json!({});
        }
        if let Some(declined) = declined.as_object_mut() {
            match version {
                Some(version) => declined.insert(id.to_string(), json!({ "version": version, "declinedAt": now })),
                None => declined.remove(id.as_str()),
            };
        }
    }

    pub fn to_text(&self) -> String {
        format!("{:#}\n", Value::Object(self.0.clone()))
    }
}

fn schema_of(bytes: &[u8]) -> Option<f64> {
    read(bytes)?.get("schemaVersion")?.as_f64()
}

fn read(bytes: &[u8]) -> Option<Value> {
    if crate::json::too_much(bytes).is_some() {
        return None;
    }
    serde_json::from_slice(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn others_decisions_stay() {
        let theirs = br#"{"schemaVersion":1,"declined":{"chess":{"version":"2.0.0","declinedAt":"x"}},"more":1}"#;
        let mut decisions = Decisions::parse(theirs);
        let demo: PackageId = "demo".parse().unwrap();
        decisions.set(&demo, Some("1.1.0"), "2026-01-01T00:00:00.000Z");
        let again = Decisions::parse(decisions.to_text().as_bytes());
        assert_eq!(again.declined(&demo), Some("1.1.0"));
        assert_eq!(again.declined(&"chess".parse().unwrap()), Some("2.0.0"));
        assert!(again.to_text().contains("more"));
        decisions.set(&demo, None, "");
        assert_eq!(decisions.declined(&demo), None);
    }

    #[test]
    fn a_file_that_cannot_be_read_is_empty() {
        for wrong in ["", "[]", "{\"schemaVersion\":2,\"declined\":{}}", "{\"schemaVersion\":1,\"declined\":[]}"] {
            let decisions = Decisions::parse(wrong.as_bytes());
            assert_eq!(decisions.declined(&"demo".parse().unwrap()), None);
        }
    }
}
