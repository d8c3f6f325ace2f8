//! Holds a value against a shape. Every fault is one finding; nothing of a value that has the wrong type is looked at
//! further.

use super::language::{Case, Key, Keys, Number, Rule, Shape, Text};
use super::place::Place;
use super::say;
use crate::json::fits;
use crate::types::{Problem, Severity, suggest};
use serde_json::{Map, Value};
use std::collections::HashSet;

/// One file being held against its shape.
pub struct Walk<'a> {
    pub file: &'a str,
    /// How bad a key is that the shape does not have.
    pub unknown_keys: Severity,
    /// The ruleset's `resolution.kind`.
    pub resolution: Option<&'a str>,
    pub found: &'a mut Vec<Problem>,
}

type Object = Map<String, Value>;

impl Walk<'_> {
    pub fn check(&mut self, value: &Value, shape: &Shape, at: &Place) {
        match (shape, value) {
            (Shape::Any, _) | (Shape::Flag, Value::Bool(_)) | (Shape::Yes, Value::Bool(true)) => (),
            (Shape::Yes, Value::Bool(false)) => {
                let problem = self.error("not-a-choice", at, format!("{at} is false, where only true has a meaning"));
                self.found.push(problem.hint("leave the key out"));
            }
            (Shape::Number(wanted), Value::Number(_)) => self.number(value, *wanted, at),
            (Shape::Numbers(choices), Value::Number(_)) => self.numbers(value, choices, at),
            (Shape::Text(wanted), Value::String(text)) => self.text(text, *wanted, at),
            (Shape::Words(words), Value::String(word)) => self.word(word, words, at),
            (Shape::List { items, min, max, distinct }, Value::Array(list)) => {
                self.size(list.len(), *min, *max, "items", at);
                for (index, item) in list.iter().enumerate() {
                    self.check(item, items, &Place::Item(at, index));
                }
                if *distinct {
                    self.repeats(list, at);
                }
            }
            (Shape::StepTable, Value::Array(rows)) => self.step_table(rows, at),
            (Shape::Mapping { values, min, max }, Value::Object(object)) => {
                self.size(members(object, at).count(), *min, *max, "keys", at);
                for (key, value) in members(object, at) {
                    let at = Place::Key(at, key);
                    match key {
                        "__proto__" => self.unknown_key(key, &at, Severity::Error, &[]),
                        _ => self.check(value, values, &at),
                    }
                }
            }
            (Shape::Record { groups, rules }, Value::Object(object)) => self.record(object, groups, None, rules, at),
            (Shape::ByKey { key, shared, cases }, Value::Object(object)) => self.by_key(object, key, shared, cases, at),
            (Shape::ByPresence(shapes), Value::Object(object)) => {
                if let Some(shape) = self.exactly_one(object, shapes, |(key, _)| key, at) {
                    self.check(value, &shape.1, at);
                }
            }
            (Shape::Having { key, with, without }, Value::Object(object)) => {
                self.check(value, if object.contains_key(*key) { with } else { without }, at);
            }
            (Shape::Either(shapes), _) => match shapes.iter().find(|shape| say::has_type(shape, value)) {
                Some(shape) => self.check(value, shape, at),
                None => self.wrong_type(value, shape, at),
            },
            (Shape::ByResolution(shapes), _) => {
                // Without a kind there is nothing to hold it against, and that is reported where the kind stands.
                if let Some((_, shape)) = shapes.iter().find(|(kind, _)| Some(*kind) == self.resolution) {
                    self.check(value, shape, at);
                }
            }
            _ => self.wrong_type(value, shape, at),
        }
    }

    fn error(&self, code: &str, at: &Place, message: String) -> Problem {
        Problem { file: Some(self.file.to_owned()), ..Problem::error(code, &at.pointer(), message) }
    }

    fn report(&mut self, code: &str, at: &Place, message: String) {
        self.found.push(self.error(code, at, message));
    }

    fn wrong_type(&mut self, value: &Value, wanted: &Shape, at: &Place) {
        let message = format!("{at} is {}, where {} is wanted", say::found(value), say::wanted(wanted));
        self.report("wrong-type", at, message);
    }

    fn number(&mut self, value: &Value, wanted: Number, at: &Place) {
        let Some(number) = value.as_f64() else { return };
        if wanted.whole && number.fract() != 0.0 {
            return self.wrong_type(value, &Shape::Number(wanted), at);
        }
        let is_too_small = if wanted.above_min { number <= wanted.min } else { number < wanted.min };
        if is_too_small || number > wanted.max {
            self.report("out-of-range", at, format!("{at} is {value}, where {} is wanted", say::range(wanted)));
        }
    }

    fn numbers(&mut self, value: &Value, choices: &[f64], at: &Place) {
        if !value.as_f64().is_some_and(|number| choices.contains(&number)) {
            let choices: Vec<String> = choices.iter().map(f64::to_string).collect();
            self.report("not-a-choice", at, format!("{at} is {value}, where {} is wanted", choices.join(" or ")));
        }
    }

    fn text(&mut self, text: &str, Text { min, max, form }: Text, at: &Place) {
        if text.is_empty() && min > 0 {
            return self.report("empty-text", at, format!("{at} is empty"));
        }
        if !fits(text, min, max) {
            let units = text.encode_utf16().count();
            self.report("too-long", at, format!("{at} is {units} characters long, where at most {max} are allowed"));
        }
        if let Some(fault) = form.fault(text) {
            self.report(fault.code, at, format!("{at} ({}) {}", say::quoted(text), fault.why));
        }
    }

    fn word(&mut self, word: &str, words: &[&str], at: &Place) {
        if words.contains(&word) {
            return;
        }
        let message = format!("{at} is {}, where {} is wanted", say::quoted(word), say::one_of(words));
        let problem = self.error("not-a-choice", at, message);
        self.found.push(with_likely(problem, word, words.iter().copied()));
    }

    fn size(&mut self, size: usize, min: usize, max: usize, what: &str, at: &Place) {
        if size < min {
            self.report("too-few", at, format!("{at} has {size} {what}, where at least {min} must be"));
        } else if size > max {
            self.report("too-many", at, format!("{at} has {size} {what}, where at most {max} are allowed"));
        }
    }

    fn repeats(&mut self, list: &[Value], at: &Place) {
        let mut seen = HashSet::new();
        for (index, item) in list.iter().enumerate() {
            if let Some(text) = item.as_str().filter(|text| !seen.insert(*text)) {
                let message = format!("{} stands in {at} more than once", say::quoted(text));
                self.report("repeated-value", &Place::Item(at, index), message);
            }
        }
    }

    fn step_table(&mut self, rows: &[Value], at: &Place) {
        self.size(rows.len(), 1, 100, "steps", at);
        let mut last = f64::NEG_INFINITY;
        for (index, row) in rows.iter().enumerate() {
            let at = Place::Item(at, index);
            let pair = row.as_array().map(Vec::as_slice);
            let Some([threshold, Value::Number(_)]) = pair else {
                let message = format!("{at} is {}, where [threshold, value], two numbers, is wanted", say::found(row));
                self.report("step-table", &at, message);
                continue;
            };
            let Some(number) = threshold.as_f64() else {
                let message = format!("the threshold of {at} is {}, where a number is wanted", say::found(threshold));
                self.report("step-table", &at, message);
                continue;
            };
            if number <= last {
                let message = format!("the threshold of {at} is {number}, no more than {last} before it");
                self.report("step-table", &at, message);
            }
            last = last.max(number);
        }
    }

    fn by_key(&mut self, object: &Object, key: &'static str, shared: &[Keys], cases: &[Case], at: &Place) {
        let Some(value) = object.get(key) else { return self.missing_key(key, at) };
        let place = Place::Key(at, key);
        let Some(word) = value.as_str() else { return self.wrong_type(value, &Shape::Words(&[]), &place) };
        match cases.iter().find(|case| case.word == word) {
            Some(case) => self.record(object, shared, Some((key, case)), case.rules, at),
            None => {
                let words: Vec<&str> = cases.iter().map(|case| case.word).collect();
                self.word(word, &words, &place);
            }
        }
    }

    fn record(
        &mut self,
        object: &Object,
        groups: &[Keys],
        case: Option<(&'static str, &Case)>,
        rules: &[Rule],
        at: &Place,
    ) {
        let own = case.map_or(&[][..], |(_, case)| case.keys);
        let known = || groups.iter().copied().chain([own]).flatten();
        let mut faulty = Vec::new();
        for (name, value) in members(object, at) {
            let before = self.found.len();
            match known().find(|key| key.name == name) {
                Some(key) => self.check(value, &key.shape, &Place::Key(at, name)),
                None if case.is_some_and(|(key, _)| key == name) => (),
                None => {
                    let wanted: Vec<&str> =
                        known().map(|key| key.name).filter(|key| !object.contains_key(*key)).collect();
                    self.unknown_key(name, &Place::Key(at, name), self.unknown_keys, &wanted);
                }
            }
            if self.found.len() > before {
                faulty.push(name);
            }
        }
        for Key { name, .. } in known().filter(|key| !key.optional && !object.contains_key(key.name)) {
            self.missing_key(name, at);
        }
        for rule in rules {
            self.rule(*rule, object, &faulty, at);
        }
    }

    fn missing_key(&mut self, key: &str, at: &Place) {
        self.report("missing-key", at, format!("{at} has no `{key}`"));
    }

    /// `wanted` are the keys that could stand there instead.
    fn unknown_key(&mut self, name: &str, at: &Place, severity: Severity, wanted: &[&str]) {
        let message = match severity {
            Severity::Error => format!("there is no key {at} here"),
            Severity::Warning => format!("there is no key {at} here that this tool knows"),
        };
        let problem = Problem { severity, ..self.error("unknown-key", at, message) };
        self.found.push(with_likely(problem, name, wanted.iter().copied()));
    }

    /// What is between the keys. `faulty` are the keys whose values are wrong already: nothing is concluded from these.
    fn rule(&mut self, rule: Rule, object: &Object, faulty: &[&str], at: &Place) {
        let sound = |key: &str| object.get(key).filter(|_| !faulty.contains(&key));
        let number = |key: &str| sound(key).and_then(Value::as_f64);
        match rule {
            Rule::ExactlyOne(keys) => drop(self.exactly_one(object, keys, |key| key, at)),
            Rule::AtLeastOne(keys) => {
                if !keys.iter().any(|key| object.contains_key(*key)) {
                    let message = format!("{at} has none of {}, where at least one must be", say::keys(keys));
                    self.report("at-least-one", at, message);
                }
            }
            Rule::OnlyBeside(key, other) => {
                if object.contains_key(key) && !object.contains_key(other) {
                    let message = format!("`{key}` stands without `{other}`, to which it belongs");
                    self.report("stray-key", &Place::Key(at, key), message);
                }
            }
            Rule::Range => {
                let (min, max, default) = (number("min"), number("max"), number("default"));
                if let Some((min, max)) = min.zip(max).filter(|(min, max)| min > max) {
                    let message = format!("`max` is {max}, below `min` ({min})");
                    return self.report("min-above-max", &Place::Key(at, "max"), message);
                }
                let Some(default) = default else { return };
                let broken = min.filter(|min| default < *min).map(|min| format!("below `min` ({min})"));
                let broken = broken.or(max.filter(|max| default > *max).map(|max| format!("above `max` ({max})")));
                if let Some(how) = broken {
                    self.bad_default(at, &default.to_string(), &how);
                }
            }
            Rule::DefaultFits => {
                let text = sound("default").and_then(Value::as_str);
                let Some((text, max)) = text.zip(number("maxLength")) else { return };
                let units = text.encode_utf16().count();
                if units as f64 > max {
                    self.bad_default(at, &format!("{units} characters long"), &format!("over `maxLength` ({max})"));
                }
            }
            Rule::DefaultAmongValues => {
                let Some((default, values)) = sound("default").zip(sound("values").and_then(Value::as_array)) else {
                    return;
                };
                if !values.contains(default) {
                    self.bad_default(at, &say::found(default), "none of `values`");
                }
            }
        }
    }

    fn bad_default(&mut self, at: &Place, is: &str, how: &str) {
        let at = Place::Key(at, "default");
        self.report("default-out-of-range", &at, format!("{at} is {is}, {how}"));
    }

    /// The one of the candidates whose key is there; reports none or several.
    fn exactly_one<'s, T>(
        &mut self,
        object: &Object,
        candidates: &'s [T],
        key: impl Fn(&'s T) -> &'s str,
        at: &Place,
    ) -> Option<&'s T> {
        let there: Vec<&T> = candidates.iter().filter(|one| object.contains_key(key(one))).collect();
        if let [one] = there.as_slice() {
            return Some(one);
        }
        let all: Vec<&str> = candidates.iter().map(&key).collect();
        let message = if there.is_empty() {
            format!("{at} has none of {}, where exactly one must be", say::keys(&all))
        } else {
            let there: Vec<&str> = there.into_iter().map(key).collect();
            format!("{at} has {}, where exactly one of {} must be", say::keys(&there), say::keys(&all))
        };
        self.report("exactly-one", at, message);
        None
    }
}

/// What an object holds. `$comment` may stand anywhere and `$schema` at the top of a file; both mean nothing.
fn members<'v>(object: &'v Object, at: &Place) -> impl Iterator<Item = (&'v str, &'v Value)> + use<'v> {
    let is_top = matches!(at, Place::Root);
    let members = object.iter().map(|(key, value)| (key.as_str(), value));
    members.filter(move |(key, _)| *key != "$comment" && !(is_top && *key == "$schema"))
}

fn with_likely<'k>(problem: Problem, unknown: &str, known: impl Iterator<Item = &'k str>) -> Problem {
    match suggest(unknown, known).as_slice() {
        [] => problem,
        likely => problem.hint(format!("did you mean `{}`?", likely.join("` or `"))),
    }
}
