//! What a newer rulepack of the same schema has written into our record besides what this one knows: it is written back
//! with whatever it stands beside (docs/spec/commands.md#store-6).

use serde::de::{DeserializeOwned, Deserializer, Error as _};
use serde::ser::{Error as _, Serializer};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, HashMap};
use std::ops::{Deref, DerefMut};

/// A part of our record, and how it was read. Reading it costs no more than a copy of its text: what of it is unknown
/// is looked for when it is written.
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
        let Some(read) = &self.read else { return self.known.serialize(into) };
        let then = serde_json::from_str::<T>(read.get()).and_then(serde_json::to_value).map_err(S::Error::custom)?;
        let now = serde_json::to_value(&self.known).map_err(S::Error::custom)?;
        match carry_over(read, &then, &now) {
            Some(all) => all.serialize(into),
            // In the order of its own keys, as all that nobody has added to.
            None => self.known.serialize(into),
        }
    }
}

/// The keys of a whole record that this rulepack does not know, each as it was written.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Others(BTreeMap<String, Box<RawValue>>);

impl Others {
    pub(super) fn keep(&mut self, key: String, value: Box<RawValue>) {
        self.0.insert(key, value);
    }
}

impl PartialEq for Others {
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len()
            && self.0.iter().zip(&other.0).all(|(one, other)| (one.0, one.1.get()) == (other.0, other.1.get()))
    }
}

/// What is known as it is now, and what is not as it was written: of any depth, and every number to its last digit.
#[derive(Serialize)]
#[serde(untagged)]
enum All<'a> {
    Known(&'a Value),
    Unknown(&'a RawValue),
    Object(BTreeMap<String, All<'a>>),
    Array(Vec<All<'a>>),
}

/// `now` with what `read` has and `then`, which is the same as far as it is known, has not; nothing where there is no
/// such thing. What has gone since takes along what stood beside it, and so does what says something else now: a
/// signature of other bytes is none.
fn carry_over<'a>(read: &'a RawValue, then: &Value, now: &'a Value) -> Option<All<'a>> {
    match (then, now) {
        (Value::Object(then), Value::Object(now)) if !says_one_thing(then) || then == now => {
            let read: BTreeMap<String, &RawValue> = serde_json::from_str(read.get()).ok()?;
            let mut any = false;
            let mut all = BTreeMap::new();
            for (key, now) in now {
                let inner = then.get(key).zip(read.get(key)).and_then(|(then, read)| carry_over(read, then, now));
                any |= inner.is_some();
                all.insert(key.clone(), inner.unwrap_or(All::Known(now)));
            }
            for (key, read) in read {
                if !then.contains_key(&key) && !now.contains_key(&key) {
                    any = true;
                    all.insert(key, All::Unknown(read));
                }
            }
            any.then_some(All::Object(all))
        }
        (Value::Array(then), Value::Array(now)) => {
            let read: Vec<&RawValue> = serde_json::from_str(read.get()).ok()?;
            let before: HashMap<String, usize> = (0..then.len()).rev().map(|at| (then[at].to_string(), at)).collect();
            let carried = |now: &'a Value| {
                let at = *before.get(&now.to_string())?;
                carry_over(read.get(at)?, &then[at], now)
            };
            let mut any = false;
            let all = now.iter().map(|now| carried(now).inspect(|_| any = true).unwrap_or(All::Known(now))).collect();
            any.then_some(All::Array(all))
        }
        _ => None,
    }
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

    fn carried(read: &str, then: &Value, now: &Value) -> String {
        let read: &RawValue = serde_json::from_str(read).unwrap();
        carry_over(read, then, now).map_or_else(|| now.to_string(), |all| serde_json::to_string(&all).unwrap())
    }

    #[test]
    fn what_is_unknown_stays_with_what_it_stands_beside() {
        let read = r#"{"all":[{"n":1,"x":3},{"n":2,"x":[4]}],"file":{"hash":"a","x":2},"gone":{"h":1,"x":5},"x":1}"#;
        let then = json!({"file": {"hash": "a"}, "all": [{"n": 1}, {"n": 2}], "gone": {"h": 1}});
        assert_eq!(carried(read, &then, &then), read);
        let now = json!({"file": {"hash": "b"}, "all": [{"n": 2}, {"n": 3}], "new": true});
        let after = r#"{"all":[{"n":2,"x":[4]},{"n":3}],"file":{"hash":"b"},"new":true,"x":1}"#;
        assert_eq!(carried(read, &then, &now), after);
    }

    #[test]
    fn what_is_unknown_is_written_as_it_was_however_deep_it_is() {
        let read = format!(r#"{{"n":1,"x":{}1.10{}}}"#, "[".repeat(5_000), "]".repeat(5_000));
        assert_eq!(carried(&read, &json!({"n": 1}), &json!({"n": 1})), read);
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
        assert_eq!(text, r#"{"list":[],"n":2,"x":1.10}"#);
        assert_eq!(serde_json::to_string(&WithRest::from(Known::default())).unwrap(), r#"{"n":0,"list":[]}"#);
    }
}
