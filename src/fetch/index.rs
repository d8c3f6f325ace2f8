use crate::catalog::{self, Envelope};
use crate::types::{ByteSize, PackageId};
use std::ops::Range;

/// The most bytes a catalog may have (docs/spec/commands.md#reading-entries).
pub const MAX_CATALOG: ByteSize = ByteSize::mib(32);

/// Where one element of `packages[]` stands in the body, and the id it can be looked up by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Element {
    /// `manifest.id`, if there is one that a reader could ask for.
    pub id: Option<PackageId>,
    /// Its bytes, without white space around them.
    pub range: Range<usize>,
}

/// Why a body is not a catalog at all. What is wrong within one entry is never among these.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidCatalog {
    #[error("it is larger than {}, the limit for a catalog", MAX_CATALOG)]
    TooLarge,
    #[error("it is empty")]
    Empty,
    #[error("it begins with a byte order mark, which JSON does not allow")]
    ByteOrderMark,
    #[error("it is a web page")]
    WebPage,
    #[error("it is not valid UTF-8 (byte {at})")]
    NotUtf8 { at: usize },
    #[error("it {0}")]
    NoObject(String),
    #[error("{0}")]
    Envelope(String),
}

/// The body as text, if it can be a catalog's.
pub(super) fn text(body: Vec<u8>) -> Result<String, InvalidCatalog> {
    if body.len() as u64 > MAX_CATALOG.0 {
        return Err(InvalidCatalog::TooLarge);
    }
    if body.starts_with(b"\xef\xbb\xbf") || body.starts_with(b"\xff\xfe") || body.starts_with(b"\xfe\xff") {
        return Err(InvalidCatalog::ByteOrderMark);
    }
    match body.trim_ascii_start().first() {
        None => return Err(InvalidCatalog::Empty),
        Some(b'<') => return Err(InvalidCatalog::WebPage),
        Some(_) => {}
    }
    String::from_utf8(body).map_err(|error| InvalidCatalog::NotUtf8 { at: error.utf8_error().valid_up_to() })
}

/// Finds every element of `packages[]`, in the order of the document. Judges the envelope only: each element is
/// its reader's to judge (B01).
pub(super) fn index(body: &str) -> Result<Vec<Element>, InvalidCatalog> {
    let Envelope { elements, reasons, .. } = Envelope::read(body).map_err(InvalidCatalog::NoObject)?;
    if let Some(first) = reasons.into_iter().next() {
        return Err(InvalidCatalog::Envelope(first.message));
    }
    let element = |text: &str| {
        let id = catalog::Element::of(text).id().and_then(|id| id.parse().ok());
        // A borrowed value is a part of the very text it was read from.
        let start = text.as_ptr().addr() - body.as_ptr().addr();
        Element { id, range: start..start + text.len() }
    };
    Ok(elements.into_iter().flatten().map(element).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn envelope(packages: &str) -> String {
        format!(r#"{{"schemaVersion":1,"generatedAt":"2026-01-01T00:00:00.000Z","packages":{packages},"new":[1]}}"#)
    }

    fn ids(body: &str) -> Vec<Option<String>> {
        let id = |element: Element| element.id.map(|id| id.to_string());
        index(body).unwrap().into_iter().map(id).collect()
    }

    #[test]
    fn an_entry_is_found_whatever_is_wrong_with_it() {
        let body = envelope(
            r#"[{"manifest":{"id":"a"}}, null, 3, [], {}, {"manifest":null}, {"manifest":{"id":7}},
                {"manifest":{"id":"Not An Id"}}, {"m\u0061nifest":{"id":"b\u002dc","more":{"id":"x"}},"id":"y"},
                {"manifest":{"id":"a"},"manifest":{"id":"z","id":"last"}}]"#,
        );
        let expected = [Some("a"), None, None, None, None, None, None, None, Some("b-c"), Some("last")];
        assert_eq!(ids(&body), expected.map(|id| id.map(str::to_owned)));
    }

    #[test]
    fn only_the_envelope_can_be_wrong() {
        let whole = |text: &str| super::text(text.as_bytes().to_vec()).and_then(|body| index(&body).map(|_| ()));
        assert_eq!(whole(&envelope("[]")), Ok(()));
        assert_eq!(whole(r#"{"schemaVersion":1.0,"generatedAt":"","packages":[]}"#), Ok(()));
        for (wrong, says) in [
            ("", "empty"),
            (" \n", "empty"),
            ("\u{feff}{}", "byte order mark"),
            ("\n <!DOCTYPE html>", "web page"),
            ("{", "line 1"),
            ("[]", "but should be an object"),
            (r#"[1,"",[]]"#, "but should be an object"),
            ("{}", "`schemaVersion` is missing"),
            (r#"{"schemaVersion":2,"generatedAt":"","packages":{}}"#, "`schemaVersion` is the number 2"),
            (r#"{"schemaVersion":"1","generatedAt":"","packages":[]}"#, "`schemaVersion`"),
            (r#"{"schemaVersion":1,"packages":[]}"#, "`generatedAt` is missing"),
            (r#"{"schemaVersion":1,"generatedAt":5,"packages":[]}"#, "`generatedAt` is the number 5"),
            (r#"{"schemaVersion":1,"generatedAt":"","packages":{"a":1}}"#, "`packages` is"),
            (r#"{"schemaVersion":1,"generatedAt":"","packages":null}"#, "`packages` is null"),
            // Of a key written twice the last value counts.
            (r#"{"schemaVersion":1,"schemaVersion":2,"generatedAt":"","packages":[]}"#, "is the number 2"),
            (r#"{"schemaVersion":1,"generatedAt":"","packages":[]} x"#, "trailing"),
        ] {
            let error = whole(wrong).expect_err(wrong).to_string();
            assert!(error.contains(says), "{wrong}: {error}");
        }
        assert_eq!(text(b"{\"a\":\"\xff\"}".to_vec()), Err(InvalidCatalog::NotUtf8 { at: 6 }));
    }

    #[test]
    fn of_a_key_written_twice_the_last_value_counts() {
        let body =
            envelope(r#"[{"manifest":{"id":"a"}}]"#).replace("\"new\":[1]", r#""packages":[{"manifest":{"id":"b"}}]"#);
        assert_eq!(ids(&body), [Some("b".to_owned())]);
    }

    #[test]
    fn nothing_a_server_chooses_fills_the_memory() {
        let many = envelope(&format!("[{}0]", "0,".repeat(catalog::MAX_ENTRIES)));
        assert!(index(&many).unwrap_err().to_string().contains("65537 items"));
        let large = vec![b' '; MAX_CATALOG.0 as usize + 1];
        assert_eq!(text(large), Err(InvalidCatalog::TooLarge));
        let deep = envelope(&format!("[{}{}]", "[".repeat(100_000), "]".repeat(100_000)));
        assert_eq!(index(&deep).map(|found| found.len()), Ok(1));
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::btree_map(any::<String>(), inner, 0..6)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn every_range_reads_as_its_element(elements in prop::collection::vec(any_json(), 0..12), pretty: bool) {
            let value = json!({"schemaVersion": 1, "generatedAt": "", "packages": elements, "é": "…"});
            let body = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
            let found = index(&body).unwrap();
            prop_assert_eq!(found.len(), elements.len());
            for (element, place) in elements.iter().zip(&found) {
                let again: Value = serde_json::from_str(&body[place.range.clone()]).unwrap();
                prop_assert_eq!(&again, element);
                let id = element.pointer("/manifest/id").and_then(Value::as_str);
                prop_assert_eq!(place.id.as_ref().map(PackageId::as_str), id.filter(|id| id.parse::<PackageId>().is_ok()));
            }
        }

        #[test]
        fn no_text_panics(body in any::<String>(), bytes in any::<Vec<u8>>()) {
            let _ = index(&body);
            let _ = index(&envelope(&body));
            let _ = text(bytes);
        }
    }
}
