use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// A JSON value, of which only texts are looked at: borrowed from the file unless written with escapes.
pub(super) enum Value<'de> {
    Text(Cow<'de, str>),
    /// Read by whoever reads objects here.
    Object,
    /// Anything else, by the name of its type.
    Other(&'static str),
}

impl Value<'_> {
    pub(super) fn type_name(&self) -> &'static str {
        match self {
            Value::Text(_) => "text",
            Value::Object => "an object",
            Value::Other(name) => name,
        }
    }
}

/// Who reads the members of an object, should the value be one.
pub(super) trait OnObject<'de> {
    fn object<M: MapAccess<'de>>(self, map: M) -> Result<(), M::Error>;
}

/// Passes over objects.
struct PassOver;

impl<'de> OnObject<'de> for PassOver {
    fn object<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(())
    }
}

impl<'de> Deserialize<'de> for Value<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Reading(PassOver))
    }
}

/// Reads any value, objects by the one inside.
pub(super) struct Reading<O>(pub O);

impl<'de, O: OnObject<'de>> Visitor<'de> for Reading<O> {
    type Value = Value<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Value<'de>, E> {
        Ok(Value::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value<'de>, E> {
        Ok(Value::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Value<'de>, E> {
        Ok(Value::Other("a boolean"))
    }

    fn visit_u64<E>(self, _: u64) -> Result<Value<'de>, E> {
        Ok(Value::Other("a number"))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Value<'de>, E> {
        Ok(Value::Other("a number"))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Value<'de>, E> {
        Ok(Value::Other("a number"))
    }

    fn visit_unit<E>(self) -> Result<Value<'de>, E> {
        Ok(Value::Other("null"))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value<'de>, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Value::Other("a list"))
    }

    fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<Value<'de>, M::Error> {
        self.0.object(map)?;
        Ok(Value::Object)
    }
}
