use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::fmt;

/// Reads a text into a tree. The last of a key counts, as everywhere; that there was one before is told beside it.
pub(super) fn tree(text: &str) -> serde_json::Result<(Value, bool)> {
    let mut has_repeated = false;
    let mut from = serde_json::Deserializer::from_str(text);
    let value = Tree { has_repeated: &mut has_repeated }.deserialize(&mut from)?;
    from.end()?;
    Ok((value, has_repeated))
}

/// What makes a [`Value`]. That type's own reading does not tell of keys written twice, and finding them in the text
/// takes as long as reading it.
struct Tree<'r> {
    has_repeated: &'r mut bool,
}

impl Tree<'_> {
    fn inner(&mut self) -> Tree<'_> {
        Tree { has_repeated: self.has_repeated }
    }
}

impl<'de> DeserializeSeed<'de> for Tree<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Tree<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(self.inner())? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = members.next_key::<String>()? {
            let value = members.next_value_seed(self.inner())?;
            *self.has_repeated |= object.insert(key, value).is_some();
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::repeated_keys;
    use proptest::prelude::*;

    /// Texts of few keys, so that some come twice.
    fn text() -> impl Strategy<Value = String> {
        let leaf =
            prop::sample::select(vec!["1", "-2", "0.1", "1e400", "18446744073709551616", "null", "true", "\"a\""]);
        leaf.prop_map(str::to_owned).prop_recursive(4, 32, 4, |inner| {
            let key = prop::sample::select(vec!["a", "b", "\\u0061", ""]);
            let member = (key, inner.clone()).prop_map(|(key, value)| format!("\"{key}\": {value}"));
            prop_oneof![
                prop::collection::vec(inner, 0..4).prop_map(|items| format!("[{}]", items.join(", "))),
                prop::collection::vec(member, 0..4).prop_map(|members| format!("{{{}}}", members.join(", "))),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_read_is_what_serde_reads_and_the_text_has_the_same_keys_twice(text in text(), cut in 0..40_usize) {
            let cut = text.get(..cut).unwrap_or(&text);
            for text in [text.as_str(), cut, &text.replacen(':', "", 1), &text.replacen(',', "]", 1)] {
                let wanted: Result<Value, String> = serde_json::from_str(text).map_err(|error| error.to_string());
                match tree(text) {
                    Ok((read, has_repeated)) => {
                        prop_assert_eq!(Ok(read), wanted);
                        prop_assert_eq!(has_repeated, !repeated_keys(text.as_bytes()).is_empty(), "{}", text);
                    }
                    Err(error) => prop_assert_eq!(Err(error.to_string()), wanted),
                }
            }
        }
    }

    #[test]
    fn a_key_written_twice_at_any_depth_is_told() {
        for (text, has_repeated) in [
            (r#"{"a": 1, "b": {"a": 1}}"#, false),
            (r#"[{"a": {"b": 1, "\u0062": 2}}]"#, true),
            (r#"{"a": [1], "a": [2]}"#, true),
        ] {
            assert_eq!(tree(text).unwrap().1, has_repeated, "{text}");
        }
        assert_eq!(tree(r#"{"a": 1, "a": 2}"#).unwrap().0, serde_json::json!({"a": 2}));
    }
}
