//! What a newer rulepack of the same schema has written into our record besides what this one knows: it is written back
//! with whatever it stands beside (docs/spec/commands.md#store-6).

use serde::de::{DeserializeOwned, Deserializer, Error as _};
use serde::ser::{Error as _, Serializer};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::ops::{Deref, DerefMut};

/// A part of our record, and how it was read. Reading it costs no more than a copy of its text: what of it is unknown is
/// looked for when it is written.
#[derive(Clone, Debug, Default)]
pub struct WithRest<T> {
    known: T,
    read: Option<Box<RawValue>>,
}

impl<T> From<T> for WithRest<T> {
    fn from(known: T) -> Self {
        WithRest { known, read: None }
    }
}

impl<T> Deref for WithRest<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.known
    }
}

impl<T> DerefMut for WithRest<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.known
    }
}

/// Two that say the same are the same, however they were read.
impl<T: PartialEq> PartialEq for WithRest<T> {
    fn eq(&self, other: &Self) -> bool {
        self.known == other.known
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for WithRest<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let read = Box::<RawValue>::deserialize(from)?;
        let known = serde_json::from_str(read.get()).map_err(D::Error::custom)?;
        Ok(WithRest { known, read: Some(read) })
    }
}

impl<T: Serialize + DeserializeOwned> Serialize for WithRest<T> {
    fn serialize<S: Serializer>(&self, into: S) -> Result<S::Ok, S::Error> {
        let Some(read) = self.read.as_ref().map(|read| read.get()) else { return self.known.serialize(into) };
        let as_read = || -> serde_json::Result<[Value; 2]> {
            Ok([serde_json::from_str(read)?, serde_json::to_value(serde_json::from_str::<T>(read)?)?])
        };
        let [read, then] = as_read().map_err(S::Error::custom)?;
        let mut now = serde_json::to_value(&self.known).map_err(S::Error::custom)?;
        match carry_over(&read, &then, &mut now) {
            true => now.serialize(into),
            // In the order of its own keys, as all that nobody has added to.
            false => self.known.serialize(into),
        }
    }
}

/// Writes into `now` what `read` has and `then`, which is the same as far as it is known, has not. What has gone since
/// takes along what stood beside it, and so does what says something else now: a signature of other bytes is none.
/// Whether there was anything.
fn carry_over(read: &Value, then: &Value, now: &mut Value) -> bool {
    let mut any = false;
    match (read, then, now) {
        (Value::Object(read), Value::Object(then), Value::Object(now)) if !says_one_thing(then) || then == now => {
            for (key, read) in read {
                match (then.get(key), now.get_mut(key)) {
                    (Some(then), Some(now)) => any |= carry_over(read, then, now),
                    (None, None) => {
                        now.insert(key.clone(), read.clone());
                        any = true;
                    }
                    // It went, or came.
                    (Some(_), None) | (None, Some(_)) => {}
                }
            }
        }
        (Value::Array(read), Value::Array(then), Value::Array(now)) => {
            for now in now {
                if let Some(at) = then.iter().position(|then| then == now)
                    && let Some(read) = read.get(at)
                {
                    any |= carry_over(read, &then[at], now);
                }
            }
        }
        _ => {}
    }
    any
}

/// Whether an object is about nothing but what its own keys say, as a file's size and hash: one with another is about
/// another thing.
fn says_one_thing(object: &Map<String, Value>) -> bool {
    object.values().all(|value| value.is_string() || value.is_number())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn carried(read: Value, then: Value, mut now: Value) -> Value {
        carry_over(&read, &then, &mut now);
        now
    }

    #[test]
    fn what_is_unknown_stays_with_what_it_stands_beside() {
        let read = json!({"x": 1, "file": {"hash": "a", "x": 2}, "all": [{"n": 1, "x": 3}, {"n": 2, "x": [4]}], "gone": {"h": 1, "x": 5}});
        let then = json!({"file": {"hash": "a"}, "all": [{"n": 1}, {"n": 2}], "gone": {"h": 1}});
        assert_eq!(carried(read.clone(), then.clone(), then.clone()), read);
        let now = json!({"file": {"hash": "b"}, "all": [{"n": 2}, {"n": 3}], "new": true});
        let after = json!({"x": 1, "file": {"hash": "b"}, "all": [{"n": 2, "x": [4]}, {"n": 3}], "new": true});
        assert_eq!(carried(read, then, now), after);
    }

    #[test]
    fn it_is_written_back_from_a_copy_that_was_changed() {
        #[derive(Clone, Default, Serialize, Deserialize)]
        struct Known {
            n: u64,
            list: Vec<u64>,
        }
        let mut copy = serde_json::from_str::<WithRest<Known>>(r#"{"n": 1, "x": 1.10, "list": []}"#).unwrap().clone();
        copy.n = 2;
        let text = serde_json::to_string(&copy).unwrap();
        assert_eq!(text, r#"{"list":[],"n":2,"x":1.1}"#);
        assert_eq!(serde_json::to_string(&WithRest::from(Known::default())).unwrap(), r#"{"n":0,"list":[]}"#);
    }
}
