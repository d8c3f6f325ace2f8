use crate::types::{ByteSize, PackageId};
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// The most bytes a catalog may have (docs/spec/commands.md#reading-entries).
pub const MAX_CATALOG: ByteSize = ByteSize::mib(32);

/// The most entries a catalog may have: far above any that fits into [`MAX_CATALOG`] with real entries, and low
/// enough that a body of nothing but commas cannot fill the memory.
pub const MAX_ENTRIES: usize = 65_536;

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
    #[error("it is larger than the {} a catalog may have", MAX_CATALOG)]
    TooLarge,
    #[error("it has more than the {} entries a catalog may have", MAX_ENTRIES)]
    TooManyEntries,
    #[error("it is empty")]
    Empty,
    #[error("it begins with a byte order mark, which JSON must not have")]
    ByteOrderMark,
    #[error("a web page came instead of a catalog")]
    WebPage,
    #[error("it is not UTF-8 text (byte {at})")]
    NotUtf8 { at: usize },
    #[error("it cannot be read: {0}")]
    Json(String),
    #[error("`{member}` {found}, where {wanted} is wanted")]
    Envelope { member: &'static str, found: String, wanted: &'static str },
}

/// What the engine reads of the envelope; every other key is dropped, as it does. Of a key written twice the last value
/// counts, as it does to JavaScript.
#[derive(Default)]
struct Envelope<'a> {
    schema_version: Option<&'a RawValue>,
    generated_at: Option<&'a RawValue>,
    packages: Option<&'a RawValue>,
}

impl<'de> Deserialize<'de> for Envelope<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Members;

        impl<'de> Visitor<'de> for Members {
            type Value = Envelope<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Envelope<'de>, A::Error> {
                let mut envelope = Envelope::default();
                while let Some(Key(key)) = object.next_key()? {
                    match key.as_ref() {
                        "schemaVersion" => envelope.schema_version = object.next_value()?,
                        "generatedAt" => envelope.generated_at = object.next_value()?,
                        "packages" => envelope.packages = object.next_value()?,
                        _ => drop(object.next_value::<IgnoredAny>()?),
                    }
                }
                Ok(envelope)
            }
        }

        from.deserialize_map(Members)
    }
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
    let envelope: Envelope = serde_json::from_str(body).map_err(json)?;
    let missing = |member, wanted| InvalidCatalog::Envelope { member, found: "is missing".to_owned(), wanted };

    let schema = envelope.schema_version.ok_or_else(|| missing("schemaVersion", "1"))?;
    // The engine's integers are JSON numbers without a fraction, so 1.0 is 1 (docs/spec/catalog.md#reading-rules).
    if serde_json::from_str::<serde_json::Number>(schema.get()).ok().and_then(|n| n.as_f64()) != Some(1.0) {
        return Err(InvalidCatalog::Envelope { member: "schemaVersion", found: is(schema), wanted: "1" });
    }
    let generated = envelope.generated_at.ok_or_else(|| missing("generatedAt", "a text"))?;
    if !generated.get().starts_with('"') {
        return Err(InvalidCatalog::Envelope { member: "generatedAt", found: is(generated), wanted: "a text" });
    }
    let packages = envelope.packages.ok_or_else(|| missing("packages", "a list"))?;
    if !packages.get().starts_with('[') {
        return Err(InvalidCatalog::Envelope { member: "packages", found: is(packages), wanted: "a list" });
    }

    let mut elements = Vec::new();
    let mut reader = serde_json::Deserializer::from_str(packages.get());
    let complete = reader.deserialize_seq(Elements { body, found: &mut elements }).map_err(json)?;
    if complete { Ok(elements) } else { Err(InvalidCatalog::TooManyEntries) }
}

fn json(error: serde_json::Error) -> InvalidCatalog {
    InvalidCatalog::Json(excerpt(&error.to_string(), 160))
}

fn is(value: &RawValue) -> String {
    format!("is `{}`", excerpt(value.get(), 40))
}

fn excerpt(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Collects the elements of the list; says whether there were no more than may be.
struct Elements<'b, 'f> {
    body: &'b str,
    found: &'f mut Vec<Element>,
}

impl<'de: 'b, 'b> Visitor<'de> for Elements<'b, '_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<bool, A::Error> {
        while let Some(element) = list.next_element::<&'de RawValue>()? {
            if self.found.len() == MAX_ENTRIES {
                while list.next_element::<IgnoredAny>()?.is_some() {}
                return Ok(false);
            }
            let text = element.get();
            // A borrowed value is a part of the very text it was read from.
            let start = text.as_ptr().addr() - self.body.as_ptr().addr();
            self.found.push(Element { id: id_of(text), range: start..start + text.len() });
        }
        Ok(true)
    }
}

/// The id of an entry, as well as it can be told: whatever else is wrong with it, it can then be found by name and
/// refused with its reasons.
fn id_of(element: &str) -> Option<PackageId> {
    let manifest = Member("manifest").of(element)?;
    let id = Member("id").of(manifest)?;
    serde_json::from_str(id).ok()
}

/// The last value under a key, as JavaScript reads an object that has it twice.
struct Member(&'static str);

impl Member {
    fn of(self, object: &str) -> Option<&str> {
        let mut reader = serde_json::Deserializer::from_str(object);
        self.deserialize(&mut reader).ok().flatten()
    }
}

impl<'de> DeserializeSeed<'de> for Member {
    type Value = Option<&'de str>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Member {
    type Value = Option<&'de str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Self::Value, A::Error> {
        let mut last = None;
        while let Some(key) = object.next_key::<Key>()? {
            if key.0 == self.0 {
                last = Some(object.next_value::<&'de RawValue>()?.get());
            } else {
                object.next_value::<IgnoredAny>()?;
            }
        }
        Ok(last)
    }
}

/// An object's key, borrowed where it holds no escapes.
struct Key<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Key<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Text;

        impl<'de> Visitor<'de> for Text {
            type Value = Key<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key")
            }

            fn visit_borrowed_str<E: serde::de::Error>(self, text: &'de str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Borrowed(text)))
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Owned(text.to_owned())))
            }
        }

        from.deserialize_str(Text).map_err(D::Error::custom)
    }
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
            ("[]", "a JSON object"),
            (r#"[1,"",[]]"#, "a JSON object"),
            ("{}", "`schemaVersion` is missing"),
            (r#"{"schemaVersion":2,"generatedAt":"","packages":{}}"#, "`schemaVersion` is `2`"),
            (r#"{"schemaVersion":"1","generatedAt":"","packages":[]}"#, "`schemaVersion`"),
            (r#"{"schemaVersion":1,"packages":[]}"#, "`generatedAt` is missing"),
            (r#"{"schemaVersion":1,"generatedAt":5,"packages":[]}"#, "`generatedAt` is `5`"),
            (r#"{"schemaVersion":1,"generatedAt":"","packages":{"a":1}}"#, "`packages` is"),
            (r#"{"schemaVersion":1,"generatedAt":"","packages":null}"#, "`packages` is missing"),
            // Of a key written twice the last value counts.
            (r#"{"schemaVersion":1,"schemaVersion":2,"generatedAt":"","packages":[]}"#, "`schemaVersion` is `2`"),
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
        let many = envelope(&format!("[{}0]", "0,".repeat(MAX_ENTRIES)));
        assert_eq!(index(&many), Err(InvalidCatalog::TooManyEntries));
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
