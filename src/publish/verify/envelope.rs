use super::no_object;
use crate::json::{Object, integer, list, text};
use crate::types::{Pointer, Problem, Problems, Rule, Severity, codes};
use jiff::Timestamp;
use serde_json::value::RawValue;

/// The keys of an envelope that the engine knows; it drops every other without a word (docs/spec/catalog.md#catalog).
const KEYS: [&str; 4] = ["schemaVersion", "generatedAt", "packages", "provenance"];

/// The elements of `packages[]`, each as it is written, and all that is wrong around them. Nothing where no elements can
/// be told.
pub(super) fn read<'t>(document: &'t str, found: &mut Problems) -> Option<Vec<&'t str>> {
    const CODE: &Rule = codes::CATALOG_ENVELOPE;
    let root = Pointer::root();
    let envelope = match Object::parse(document, root.clone()) {
        Ok(envelope) => envelope,
        Err(why) => {
            found.push(no_object(codes::INVALID_CATALOG, "the catalog", &why, document));
            return None;
        }
    };
    envelope.report_repeated(found);
    envelope.required("schemaVersion", CODE, integer(1, 1), found);
    envelope.required("generatedAt", codes::GENERATED_AT, moment, found);
    for (key, _) in envelope.fields().filter(|(key, _)| !KEYS.contains(key)) {
        let message = format!("`{}` is no key of a catalog; the engine drops it", crate::json::excerpt(key));
        found.push(Problem::new(codes::UNKNOWN_KEY, &root.at(key), message).severity(Severity::Warning));
    }
    let elements = envelope.required("packages", CODE, list, found)?;
    Some(elements.into_iter().map(RawValue::get).collect())
}

/// A moment in UTC, written the one way JavaScript writes it.
fn moment(value: &RawValue) -> Result<(), String> {
    let written = text(1, 64)(value)?;
    let canonical = |moment: Timestamp| moment.strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string();
    match written.parse::<Timestamp>().map(canonical) {
        Ok(canonical) if canonical == written => Ok(()),
        Ok(canonical) => Err(format!("is `{written}`, where the one spelling of that moment is `{canonical}`")),
        Err(_) => Err(format!("is `{written}`, where a moment such as `2026-11-30T00:00:00.000Z` is wanted")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(document: &str) -> Vec<String> {
        let mut found = Problems::default();
        read(document, &mut found);
        found.iter().map(|problem| format!("{} {}", problem.code, problem.pointer.as_deref().unwrap())).collect()
    }

    #[test]
    fn the_elements_are_given_as_they_are_written() {
        let document =
            r#"{"schemaVersion":1.0,"generatedAt":"1970-01-01T00:00:00.000Z","packages":[ {"a":1 }, null, 3]}"#;
        assert_eq!(told(document), [""; 0]);
        assert_eq!(read(document, &mut Problems::default()).unwrap(), [r#"{"a":1 }"#, "null", "3"]);
        assert_eq!(read("{}", &mut Problems::default()), None);
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
        for wrong in [
            "3",
            "\"\"",
            "\"2026-11-30\"",
            "\"2026-11-30T12:30:00Z\"",
            "\"2026-11-30T12:30:00.000+00:00\"",
            "\"2026-02-30T12:30:00.000Z\"",
            "\"2026-11-30 12:30:00.000Z\"",
            "\"2026-11-30T12:30:00.0000Z\"",
        ] {
            assert_eq!(with("1", wrong, "[]"), ["generated-at /generatedAt"], "{wrong}");
        }
        assert_eq!(told("{}"), ["catalog-envelope ", "generated-at ", "catalog-envelope "]);
        assert_eq!(told("[]"), ["invalid-catalog "]);
        assert_eq!(told("{"), ["invalid-catalog "]);
    }

    #[test]
    fn of_a_key_written_twice_the_last_value_counts_and_it_is_told() {
        let document = r#"{"schemaVersion":2,"generatedAt":"1970-01-01T00:00:00.000Z","packages":[1],"packages":[2],
            "schemaVersion":1}"#;
        let mut found = Problems::default();
        assert_eq!(read(document, &mut found).unwrap(), ["2"]);
        let told: Vec<_> = found.iter().map(|it| (it.code.as_str(), it.severity, it.pointer.as_deref())).collect();
        let twice = |at| ("duplicate-key", Severity::Warning, Some(at));
        assert_eq!(told, [twice("/packages"), twice("/schemaVersion")]);
    }

    #[test]
    fn what_is_no_json_is_told_where_it_stops_being_some() {
        let mut found = Problems::default();
        read("{\n \"schemaVersion\": 1,\n \"packages\": [}\n}", &mut found);
        assert_eq!((found[0].line, found[0].column), (Some(3), Some(15)));
    }

    #[test]
    fn what_the_engine_drops_is_a_warning() {
        let document =
            r#"{"schemaVersion":1,"generatedAt":"1970-01-01T00:00:00.000Z","packages":[],"x":1,"provenance":{}}"#;
        assert_eq!(told(document), ["unknown-key /x"]);
    }
}
