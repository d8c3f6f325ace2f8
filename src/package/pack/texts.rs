use serde::de::{Deserializer, MapAccess, Visitor};
use serde::{Deserialize, de};
use serde_json::Value;
use std::fmt;

/// What stands in a language pack, read loosely: what has another type than it should is passed over. Whether the pack
/// is one is [`super::check_pack`]'s to say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackTexts {
    pub schema: Option<String>,
    pub locale: Option<String>,
    pub direction: Option<String>,
    pub name: Option<String>,
    pub description: Option<String>,
    /// English and translation, in the order of the file. A key written twice is here twice.
    pub strings: Vec<(String, String)>,
}

impl PackTexts {
    /// Nothing when the bytes are no JSON object.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let Members(root) = serde_json::from_slice(bytes).ok()?;
        let mut texts = PackTexts::default();
        for (key, value) in root {
            match (key.as_str(), value) {
                ("$schema", Part::Text(text)) => texts.schema = Some(text),
                ("_meta", Part::Object(meta)) => {
                    texts.locale = text_of(&meta, "locale");
                    texts.direction = text_of(&meta, "direction");
                }
                ("package", Part::Object(package)) => {
                    texts.name = text_of(&package, "name");
                    texts.description = text_of(&package, "description");
                }
                ("ruleset", Part::Object(strings)) => texts.strings = strings,
                _ => {}
            }
        }
        Some(texts)
    }
}

fn text_of(members: &[(String, String)], key: &str) -> Option<String> {
    members.iter().rev().find(|(name, _)| name == key).map(|(_, text)| text.clone())
}

/// The members of an object, in its order.
struct Members<T>(Vec<(String, T)>);

/// A part of a pack: a text, an object's texts, or something that belongs to none.
enum Part {
    Text(String),
    Object(Vec<(String, String)>),
    Other,
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Members<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct InOrder<T>(std::marker::PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for InOrder<T> {
            type Value = Members<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Members<T>, M::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        from.deserialize_map(InOrder(std::marker::PhantomData))
    }
}

impl<'de> Deserialize<'de> for Part {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let raw = Box::<serde_json::value::RawValue>::deserialize(from)?;
        let raw = raw.get();
        Ok(match raw.as_bytes().first() {
            Some(b'"') => Part::Text(serde_json::from_str(raw).map_err(de::Error::custom)?),
            Some(b'{') => {
                let Members(members) = serde_json::from_str::<Members<Value>>(raw).map_err(de::Error::custom)?;
                let texts = members.into_iter().filter_map(|(key, value)| match value {
                    Value::String(text) => Some((key, text)),
                    _ => None,
                });
                Part::Object(texts.collect())
            }
            _ => Part::Other,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_is_read_in_its_order() {
        let pack = r#"{"$schema":"s","_meta":{"locale":"ru","direction":"ltr"},"package":{"name":"n","description":""},
                       "ruleset":{"b":"1","a":"","c":3,"b":"2"},"more":[1]}"#;
        let strings = [("b", "1"), ("a", ""), ("b", "2")];
        let some = |text: &str| Some(text.to_owned());
        let expected = PackTexts {
            schema: some("s"),
            locale: some("ru"),
            direction: some("ltr"),
            name: some("n"),
            description: some(""),
            strings: strings.map(|(key, text)| (key.to_owned(), text.to_owned())).into(),
        };
        assert_eq!(PackTexts::read(pack.as_bytes()), Some(expected));
    }

    #[test]
    fn what_is_no_pack_gives_what_it_can() {
        for empty in ["{}", r#"{"_meta":1,"package":[],"ruleset":"x"}"#, r#"{"_meta":{"locale":null}}"#] {
            assert_eq!(PackTexts::read(empty.as_bytes()), Some(PackTexts::default()), "{empty}");
        }
        for no_object in ["", "[]", "{", "\u{feff}{}"] {
            assert_eq!(PackTexts::read(no_object.as_bytes()), None, "{no_object}");
        }
    }
}
