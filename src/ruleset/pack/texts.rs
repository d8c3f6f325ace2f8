use crate::json::{in_order, text};
use serde_json::value::RawValue;
use std::borrow::Cow;

/// What stands in a language pack, read loosely: what has another type than it should is passed over. Whether the pack
/// is one is [`super::check_pack`]'s to say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackTexts {
    /// `$schema`.
    pub schema: Option<String>,
    /// `_meta.locale`.
    pub locale: Option<String>,
    /// `_meta.direction`.
    pub direction: Option<String>,
    /// `package.name`.
    pub name: Option<String>,
    /// `package.description`.
    pub description: Option<String>,
    /// English and translation, in the order of the file. A key written twice is here twice.
    pub strings: Vec<(String, String)>,
}

impl PackTexts {
    /// Nothing when the bytes are no JSON object.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let mut texts = PackTexts::default();
        for (key, value) in in_order(std::str::from_utf8(bytes).ok()?, usize::MAX).ok()? {
            match key.as_ref() {
                "$schema" => texts.schema = text_in(value).map(Cow::into_owned),
                "_meta" => [texts.locale, texts.direction] = texts_under(value, ["locale", "direction"]),
                "package" => [texts.name, texts.description] = texts_under(value, ["name", "description"]),
                "ruleset" => {
                    let strings = in_order(value.get(), usize::MAX).unwrap_or_default().into_iter();
                    let owned = |(key, value)| Some((Cow::into_owned(key), text_in(value)?.into_owned()));
                    texts.strings = strings.filter_map(owned).collect();
                }
                _ => {}
            }
        }
        Some(texts)
    }
}

fn text_in(value: &RawValue) -> Option<Cow<'_, str>> {
    text(0, usize::MAX)(value).ok()
}

/// Of a key written twice the last counts.
fn texts_under<const N: usize>(object: &RawValue, keys: [&str; N]) -> [Option<String>; N] {
    let members = in_order(object.get(), usize::MAX).unwrap_or_default();
    keys.map(|key| {
        let mut last_first = members.iter().rev().filter(|(name, _)| name == key);
        last_first.find_map(|(_, value)| text_in(value)).map(Cow::into_owned)
    })
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
