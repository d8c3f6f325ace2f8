//! What stands around the entries of a catalog (docs/spec/catalog.md#catalog).

use super::findings::Findings;
use crate::json::{MAX_ITEMS, Object, excerpt, integer, list, text};
use crate::types::{Pointer, Problem, Rule, Severity, codes};
use jiff::Timestamp;
use serde_json::value::RawValue;

/// The most entries a catalog may have: far above any that fits into a catalog with real entries, and low enough that a
/// body of nothing but commas cannot fill the memory.
pub const MAX_ENTRIES: usize = MAX_ITEMS;

/// The keys that the engine knows; it drops every other without a word.
const KEYS: [&str; 4] = ["schemaVersion", "generatedAt", "packages", "provenance"];

/// A catalog taken apart down to its elements.
#[derive(Debug)]
pub struct Envelope<'t> {
    /// The elements of `packages[]`, each as it is written; nothing where none can be told.
    pub elements: Option<Vec<&'t str>>,
    /// What `generatedAt` says, whatever that is.
    pub generated_at: Option<String>,
    /// Why it is no catalog.
    pub reasons: Vec<Problem>,
    /// What an installer lets pass and `catalog verify` reports.
    pub notes: Vec<Problem>,
}

impl<'t> Envelope<'t> {
    /// Judges the envelope only: each element is its reader's to judge (B01).
    ///
    /// # Errors
    /// Why it is no JSON object, to follow the name of what was read: "is an array, but should be an object".
    pub fn read(body: &'t str) -> Result<Self, String> {
        const CODE: &Rule = codes::CATALOG_ENVELOPE;
        let root = Pointer::root();
        let envelope = Object::parse(body, root.clone())?;
        let Findings { mut reasons, mut notes } = Findings::default();
        envelope.report_repeated(&mut notes);
        envelope.required("schemaVersion", CODE, integer(1, 1), &mut reasons);
        let generated = envelope.required("generatedAt", codes::GENERATED_AT, text(0, usize::MAX), &mut reasons);
        if let Some(why) = generated.as_ref().and_then(|written| no_moment(written)) {
            let message = format!("`generatedAt` is {why}");
            notes.push(Problem::new(codes::GENERATED_AT, &root.at("generatedAt"), message));
        }
        for (key, _) in envelope.fields().filter(|(key, _)| !KEYS.contains(key)) {
            let message = format!("unknown key `{}`, which the engine drops", excerpt(key));
            notes.push(Problem::new(codes::UNKNOWN_KEY, &root.at(key), message).severity(Severity::Warning));
        }
        let elements = envelope.required("packages", CODE, list, &mut reasons);
        let elements = elements.map(|elements| elements.into_iter().map(RawValue::get).collect());
        let generated_at = generated.map(Into::into);
        Ok(Envelope { elements, generated_at, reasons: reasons.into_vec(), notes: notes.into_vec() })
    }
}

/// Why a text is no moment in UTC, written the one way JavaScript writes it.
fn no_moment(written: &str) -> Option<String> {
    let shown = excerpt(written);
    let canonical = |moment: Timestamp| moment.strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string();
    match written.parse::<Timestamp>().map(canonical) {
        Ok(canonical) if canonical == written => None,
        Ok(canonical) => Some(format!("`{shown}`, but should be written as `{canonical}`")),
        Err(_) => Some(format!("`{shown}`, but should be a time such as `2026-11-30T00:00:00.000Z`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reasons, then the notes.
    fn told(document: &str) -> Vec<String> {
        let Envelope { reasons, notes, .. } = Envelope::read(document).unwrap();
        let told = |problem: &Problem| format!("{} {}", problem.code, problem.pointer.as_deref().unwrap());
        reasons.iter().map(told).chain(notes.iter().map(|note| format!("({})", told(note)))).collect()
    }

    fn elements(document: &str) -> Option<Vec<&str>> {
        Envelope::read(document).unwrap().elements
    }

    #[test]
    fn the_elements_are_given_as_they_are_written() {
        let document =
            r#"{"schemaVersion":1.0,"generatedAt":"1970-01-01T00:00:00.000Z","packages":[ {"a":1 }, null, 3]}"#;
        assert_eq!(told(document), [""; 0]);
        assert_eq!(elements(document).unwrap(), [r#"{"a":1 }"#, "null", "3"]);
        assert_eq!(elements("{}"), None);
    }

    #[test]
    fn every_key_of_the_envelope_has_its_rule() {
        let with = |schema: &str, moment: &str, packages: &str| {
            told(&format!(r#"{{"schemaVersion":{schema},"generatedAt":{moment},"packages":{packages}}}"#))
        };
        let moment = "\"2026-11-30T12:30:00.000Z\"";
        assert_eq!(with("1", moment, "[]"), [""; 0]);
        for schema in ["2", "\"1\"", "null", "1.5"] {
            assert_eq!(with(schema, moment, "[]"), ["catalog-envelope /schemaVersion"], "{schema}");
        }
        for packages in ["{}", "null", "\"\""] {
            assert_eq!(with("1", moment, packages), ["catalog-envelope /packages"], "{packages}");
        }
        assert_eq!(with("1", "3", "[]"), ["generated-at /generatedAt"]);
        for odd in [
            "\"\"",
            "\"2026-11-30\"",
            "\"2026-11-30T12:30:00Z\"",
            "\"2026-11-30T12:30:00.000+00:00\"",
            "\"2026-02-30T12:30:00.000Z\"",
            "\"2026-11-30 12:30:00.000Z\"",
            "\"2026-11-30T12:30:00.0000Z\"",
        ] {
            assert_eq!(with("1", odd, "[]"), ["(generated-at /generatedAt)"], "{odd}");
        }
        assert_eq!(told("{}"), ["catalog-envelope ", "generated-at ", "catalog-envelope "]);
        assert_eq!(Envelope::read("[]").unwrap_err(), "is an array, but should be an object");
        assert!(Envelope::read("{").unwrap_err().contains("line 1"));
    }

    #[test]
    fn of_a_key_written_twice_the_last_value_counts_and_it_is_told() {
        let document = r#"{"schemaVersion":2,"generatedAt":"1970-01-01T00:00:00.000Z","packages":[1],"packages":[2],
            "schemaVersion":1}"#;
        assert_eq!(elements(document).unwrap(), ["2"]);
        assert_eq!(told(document), ["(duplicate-key /packages)", "(duplicate-key /schemaVersion)"]);
    }

    #[test]
    fn what_the_engine_drops_is_a_note() {
        let document =
            r#"{"schemaVersion":1,"generatedAt":"1970-01-01T00:00:00.000Z","packages":[],"x":1,"provenance":{}}"#;
        assert_eq!(told(document), ["(unknown-key /x)"]);
    }
}
