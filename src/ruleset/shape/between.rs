//! The rules between the keys of one object.

use super::language::Rule;
use super::place::ValuePlace;
use super::say;
use super::strangers::Meant;
use super::walk::Walk;
use crate::types::{self, codes};
use serde_json::Value;

impl Walk<'_> {
    /// What is between the keys. `faulty` are the keys whose values are wrong already: nothing is concluded from these.
    pub fn rule(&mut self, rule: Rule, object: &Meant, faulty: &[&str], at: &ValuePlace) {
        self.rule_as(None, rule, object, faulty, at);
    }

    /// The same under another code than the usual one of the rule.
    fn rule_as(
        &mut self,
        code: Option<&'static types::Rule>,
        rule: Rule,
        object: &Meant,
        faulty: &[&str],
        at: &ValuePlace,
    ) {
        let sound = |key: &str| object.get(key).filter(|_| !faulty.contains(&key));
        let number = |key: &str| sound(key).and_then(Value::as_f64);
        let code = |usual| code.unwrap_or(usual);
        match rule {
            Rule::As(code, rule) => self.rule_as(Some(code), *rule, object, faulty, at),
            Rule::ExactlyOne(keys) => {
                let there: Vec<&str> = keys.iter().copied().filter(|key| object.contains_key(key)).collect();
                let has = match there.as_slice() {
                    [_] => return,
                    [] => "none".to_owned(),
                    several => say::keys(several),
                };
                let message = || format!("{at} has {has}, but exactly one of {} is required", say::keys(keys));
                self.report(code(codes::EXACTLY_ONE), at, message);
            }
            Rule::AtLeastOne(keys) => {
                if !keys.iter().any(|key| object.contains_key(key)) {
                    let message = || format!("{at} has none of {}, but at least one is required", say::keys(keys));
                    self.report(code(codes::AT_LEAST_ONE), at, message);
                }
            }
            Rule::SaysSomething(keys) => {
                let says = |key: &&str| match object.get(key) {
                    Some(_) if faulty.contains(key) => true,
                    Some(Value::Array(items)) => !items.is_empty(),
                    Some(Value::Object(members)) => members.keys().any(|key| key != "$comment"),
                    value => value.is_some(),
                };
                if !keys.iter().any(says) {
                    let message = || format!("{at} has no effect: it has none of {}", say::keys(keys));
                    self.report(code(codes::AT_LEAST_ONE), at, message);
                }
            }
            Rule::OnlyBeside(key, other) => {
                if object.contains_key(key) && !object.contains_key(other) {
                    let message = format!("`{key}` requires `{other}`, which is missing");
                    self.stray(code(codes::STRAY_KEY), key, at, message);
                }
            }
            Rule::Excludes(key, others) => {
                for other in others.iter().filter(|other| object.contains_key(key) && object.contains_key(other)) {
                    self.stray(
                        code(codes::STRAY_KEY),
                        other,
                        at,
                        format!("`{other}` is not allowed together with `{key}`"),
                    );
                }
            }
            Rule::OnlyWith(key, by, words) => {
                let word = sound(by).and_then(Value::as_str);
                if let Some(word) = word.filter(|word| object.contains_key(key) && !words.contains(word)) {
                    let message =
                        format!("`{key}` is only allowed if `{by}` is {}, but it is `{word}`", say::one_of(words));
                    self.stray(code(codes::STRAY_KEY), key, at, message);
                }
            }
            Rule::NeededBy(key, by, word) => {
                if sound(by).and_then(Value::as_str) == Some(word) && !object.contains_key(key) {
                    let message = || format!("{at} has no `{key}`, which is required if `{by}` is `{word}`");
                    self.report(code(codes::MISSING_KEY), at, message);
                }
            }
            Rule::NotZero(key) => {
                if number(key) == Some(0.0) {
                    let message = || format!("`{key}` is 0, which changes nothing");
                    self.report(code(codes::OUT_OF_RANGE), &ValuePlace::Key(at, key), message);
                }
            }
            Rule::NoMoreThan(key, other) => {
                if let Some((least, most)) = number(key).zip(number(other)).filter(|(number, most)| number > most) {
                    let message = || format!("`{key}` is {least}, above `{other}` ({most})");
                    self.report(code(codes::RANGE_ORDER), &ValuePlace::Key(at, key), message);
                }
            }
            Rule::NotBelow(low, high) => {
                if let Some((least, most)) = number(low).zip(number(high)).filter(|(least, most)| most < least) {
                    let message = || format!("`{high}` is {most}, below `{low}` ({least})");
                    self.report(code(codes::RANGE_ORDER), &ValuePlace::Key(at, high), message);
                }
            }
            Rule::Range => {
                let (min, max, default) = (number("min"), number("max"), number("default"));
                if let Some((min, max)) = min.zip(max).filter(|(min, max)| min > max) {
                    let message = || format!("`max` is {max}, below `min` ({min})");
                    return self.report(codes::MIN_ABOVE_MAX, &ValuePlace::Key(at, "max"), message);
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
                    self.bad_default(
                        at,
                        &format!("{units} characters long"),
                        &format!("more than `maxLength` ({max})"),
                    );
                }
            }
            Rule::DefaultAmongValues => {
                let Some((default, values)) = sound("default").zip(sound("values").and_then(Value::as_array)) else {
                    return;
                };
                if !values.contains(default) {
                    self.bad_default(at, &say::found(default), "not one of `values`");
                }
            }
            Rule::Closed(..) => (),
        }
    }

    /// A finding about a key that stands where it does not belong.
    fn stray(&mut self, code: &'static types::Rule, key: &str, at: &ValuePlace, message: String) {
        self.found.push(self.problem(code, &ValuePlace::Key(at, key), message).at_key());
    }

    fn bad_default(&mut self, at: &ValuePlace, is: &str, how: &str) {
        let at = ValuePlace::Key(at, "default");
        self.report(codes::DEFAULT_OUT_OF_RANGE, &at, || format!("{at} is {is}, {how}"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::language::*;
    use super::super::walk::tests::check;
    use crate::types::codes;
    use serde_json::json;

    #[test]
    fn rules_between_keys() {
        const CHOICE: Shape =
            record!({ "a?": ANY, "b?": ANY, "c?": ANY }, Rule::ExactlyOne(&["a", "b"]), Rule::OnlyBeside("c", "a"));
        check(
            CHOICE,
            &[json!({"a": null}), json!({"a": 1, "c": 1}), json!({"b": 1})],
            &[
                (json!({}), "exactly-one"),
                (json!({"a": 1, "b": 1}), "exactly-one"),
                (json!({"b": 1, "c": 1}), "stray-key /c"),
            ],
        );
        const SOME: Shape = record!({ "a?": ANY, "b?": ANY }, Rule::AtLeastOne(&["a", "b"]));
        check(SOME, &[json!({"a": 1}), json!({"a": 1, "b": 1})], &[(json!({"$comment": 1}), "at-least-one")]);
        const OWN: Shape = record!({ "a?": DECIMAL }, Rule::Closed(codes::L02, "in a layer"));
        check(OWN, &[json!({"$comment": 1})], &[(json!({"a": "1"}), "wrong-type /a"), (json!({"b": 1}), "L02 /b")]);
    }

    #[test]
    fn rules_about_what_stands_beside_what() {
        const SAYS: Shape = record!({ "a?": ANY, "b?": mapping(&ANY, 0..=9) }, Rule::SaysSomething(&["a", "b"]));
        check(
            SAYS,
            &[json!({"a": false}), json!({"a": [0]}), json!({"b": {"x": 1}}), json!({"a": [], "b": {"x": 1}})],
            &[
                (json!({}), "at-least-one"),
                (json!({"a": []}), "at-least-one"),
                (json!({"b": {"$comment": 1}}), "at-least-one"),
                // One fault is one finding.
                (json!({"b": []}), "wrong-type /b"),
            ],
        );
        const EXCLUDES: Shape = record!({ "a?": ANY, "b?": ANY, "c?": ANY }, Rule::Excludes("a", &["b", "c"]));
        check(
            EXCLUDES,
            &[json!({"a": 1}), json!({"b": 1, "c": 1})],
            &[(json!({"a": false, "b": null}), "stray-key /b"), (json!({"a": 1, "c": []}), "stray-key /c")],
        );
        const WITH: Shape = record!({ "to": ANY, "a?": ANY }, Rule::OnlyWith("a", "to", &["x", "y"]));
        check(
            WITH,
            &[json!({"to": "x", "a": 1}), json!({"to": "z"}), json!({"to": 3, "a": 1})],
            &[(json!({"to": "z", "a": false}), "stray-key /a")],
        );
        const NEEDED: Shape = record!({ "by": ANY, "a?": ANY }, Rule::NeededBy("a", "by", "x"));
        check(NEEDED, &[json!({"by": "x", "a": 1}), json!({"by": "y"})], &[(json!({"by": "x"}), "missing-key")]);
        const NUMBERS: Shape = record!(
            { "low?": DECIMAL, "high?": DECIMAL, "most?": DECIMAL },
            Rule::NotZero("low"),
            Rule::NotBelow("low", "high"),
            Rule::NoMoreThan("low", "most"),
        );
        check(
            NUMBERS,
            &[json!({"low": 2, "high": 2, "most": 2}), json!({"high": 0}), json!({"low": -1, "high": 0})],
            &[
                (json!({"low": 0}), "out-of-range /low"),
                (json!({"low": 2, "high": 1.5}), "range-order /high"),
                (json!({"low": 2, "most": 1}), "range-order /low"),
                (json!({"low": "2", "high": 1}), "wrong-type /low"),
            ],
        );
    }

    #[test]
    fn a_default_is_one_of_what_it_stands_for() {
        const RANGE: Shape = record!({ "min?": DECIMAL, "max?": integer(0..=9), "default?": DECIMAL }, Rule::Range);
        check(
            RANGE,
            &[
                json!({"min": 1, "max": 1, "default": 1}),
                json!({"min": 5}),
                json!({"default": 5}),
                json!({"max": 5, "min": 1}),
            ],
            &[
                (json!({"min": 5, "max": 3}), "min-above-max /max"),
                (json!({"min": 5, "max": 3, "default": 9}), "min-above-max /max"),
                (json!({"min": 5, "default": 4}), "default-out-of-range /default"),
                (json!({"max": 5, "default": 5.5}), "default-out-of-range /default"),
                // One fault is one finding.
                (json!({"min": 5, "max": -1}), "out-of-range /max"),
                (json!({"min": 5, "max": 9, "default": null}), "wrong-type /default"),
            ],
        );
        const FITS: Shape = record!({ "maxLength": integer(1..=9), "default?": string(0..=5) }, Rule::DefaultFits);
        check(
            FITS,
            &[json!({"maxLength": 2, "default": "😀"}), json!({"maxLength": 2})],
            &[(json!({"maxLength": 2, "default": "abc"}), "default-out-of-range /default")],
        );
        const AMONG: Shape =
            record!({ "values": array(&string(1..=9), 0..=9), "default?": ANY }, Rule::DefaultAmongValues);
        check(
            AMONG,
            &[json!({"values": ["a", "b"], "default": "b"}), json!({"values": []})],
            &[
                (json!({"values": ["a"], "default": "A"}), "default-out-of-range /default"),
                (json!({"values": ["a"], "default": 3}), "default-out-of-range /default"),
                (json!({"values": "a", "default": "b"}), "wrong-type /values"),
            ],
        );
    }
}
