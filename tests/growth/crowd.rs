//! A document in which one list or map has many items.

use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// How the items of a crowd differ from each other.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// As the sample has them, over and over.
    Alike,
    /// Each with an id or key of its own.
    Named,
    /// Each with texts nobody else has.
    Strange,
    /// Each of a kind that stands nowhere.
    Wrong,
}

const WAYS: [Way; 4] = [Way::Alike, Way::Named, Way::Strange, Way::Wrong];

/// One place of a sample, to be filled.
#[derive(Clone, Debug)]
pub struct Crowd {
    sample: Value,
    pointer: String,
    /// The pointer with `*` for each index.
    place: String,
    way: Way,
}

/// Every list and map of a sample, filled in every way.
pub fn crowds(sample: &Value) -> Vec<Crowd> {
    let mut places = Vec::new();
    containers(sample, String::new(), String::new(), &mut BTreeSet::new(), &mut places);
    let ways = |(pointer, place): (String, String)| {
        let crowd = move |way| Crowd { sample: sample.clone(), pointer: pointer.clone(), place: place.clone(), way };
        WAYS.into_iter().map(crowd)
    };
    places.into_iter().flat_map(ways).collect()
}

fn containers(
    value: &Value,
    pointer: String,
    place: String,
    seen: &mut BTreeSet<String>,
    into: &mut Vec<(String, String)>,
) {
    let is_new = seen.insert(place.clone());
    match value {
        Value::Array(items) => {
            if is_new {
                into.push((pointer.clone(), place.clone()));
            }
            for (index, item) in items.iter().enumerate() {
                containers(item, format!("{pointer}/{index}"), format!("{place}/*"), seen, into);
            }
        }
        Value::Object(members) => {
            if is_new {
                into.push((pointer.clone(), place.clone()));
            }
            for (key, member) in members {
                let key = key.replace('~', "~0").replace('/', "~1");
                containers(member, format!("{pointer}/{key}"), format!("{place}/{key}"), seen, into);
            }
        }
        _ => {}
    }
}

impl Crowd {
    pub fn name(&self) -> String {
        format!("{} {:?}", self.place, self.way).to_lowercase()
    }

    /// The document with so many items at the place, beside those it has.
    pub fn with(&self, items: usize) -> Vec<u8> {
        let mut document = self.sample.clone();
        match document.pointer_mut(&self.pointer).unwrap() {
            Value::Array(list) => {
                let models = if list.is_empty() { vec![Value::from("x")] } else { list.clone() };
                list.extend((0..items).map(|n| self.way.made(&models[n % models.len()], n)));
            }
            Value::Object(members) => {
                let models: Vec<Value> = members.values().cloned().collect();
                let model = |n: usize| models.get(n % models.len().max(1)).cloned().unwrap_or_else(|| "x".into());
                let more: Map<String, Value> =
                    (0..items).map(|n| (format!("x{n}"), self.way.made(&model(n), n))).collect();
                members.extend(more);
            }
            _ => unreachable!("a container"),
        }
        document.to_string().into_bytes()
    }
}

impl Way {
    fn made(self, model: &Value, n: usize) -> Value {
        match self {
            Way::Alike => model.clone(),
            Way::Wrong => Value::from(n),
            Way::Named => match model {
                Value::String(text) => format!("{text}{n}").into(),
                Value::Object(members) => {
                    let mut members = members.clone();
                    if let Some(id) = members.get_mut("id") {
                        *id = format!("{}{n}", id.as_str().unwrap_or("x")).into();
                    }
                    members.into()
                }
                other => other.clone(),
            },
            Way::Strange => strange(model, n),
        }
    }
}

fn strange(model: &Value, n: usize) -> Value {
    match model {
        Value::String(text) => format!("{text}{n}").into(),
        Value::Array(items) => items.iter().map(|item| strange(item, n)).collect(),
        Value::Object(members) => {
            members.iter().map(|(key, value)| (key.clone(), strange(value, n))).collect::<Map<_, _>>().into()
        }
        other => other.clone(),
    }
}
