//! Holds a value against a shape. Every fault is one finding; nothing of a value that has the wrong type is looked at
//! further.

use super::crowd::looked_at;
use super::language::{Case, Key, Keys, Number, Rule, Shape, Text};
use super::mend::{Misspelt, Respelt};
use super::place::ValuePlace;
use super::say;
use super::strangers::{Meant, Renamed, Stranger};
use crate::json::fits;
use crate::types::{self, Problem, Problems, Severity, at_most, codes, count, did_you_mean};
use serde_json::{Map, Value};
use std::cell::LazyCell;
use std::collections::HashSet;

type Object = Map<String, Value>;

/// How a key is refused that its object does not have.
#[derive(Clone, Copy)]
struct Refusal {
    code: &'static types::Rule,
    /// Where there is no such key: the end of the sentence.
    within: &'static str,
    severity: Severity,
}

impl Refusal {
    /// As no engine will ever know `__proto__`.
    const OF_ANY_ENGINE: Refusal = Refusal { code: codes::UNKNOWN_KEY, within: "here", severity: Severity::Error };
}

/// One file being held against its shape.
pub struct Walk<'a> {
    pub file: &'a str,
    /// How bad a key is that the shape does not have and nothing else speaks against.
    pub unknown_keys: Severity,
    /// The same where all keys are known that the newest engine known here has.
    pub closed_keys: Severity,
    /// The ruleset's `resolution.kind`.
    pub resolution: Option<&'a str>,
    pub found: &'a mut Problems,
    /// Whether a list was far longer than it may be.
    pub is_crowded: bool,
    pub misspelt: Misspelt,
}

impl Walk<'_> {
    /// Goes no deeper once nobody waits for what is found.
    pub fn check(&mut self, value: &Value, shape: &Shape, at: &ValuePlace) {
        if self.found.is_stopped() {
            return;
        }
        match (shape, value) {
            (Shape::Any, _) | (Shape::Flag, Value::Bool(_)) | (Shape::Yes, Value::Bool(true)) => (),
            (Shape::Yes, Value::Bool(false)) => {
                let problem =
                    self.problem(codes::NOT_A_CHOICE, at, format!("{at} is false, but only true has a meaning"));
                self.found.push(problem.hint("omit the key"));
            }
            (Shape::Number(wanted), Value::Number(_)) => self.number(value, *wanted, at),
            (Shape::Numbers(choices), Value::Number(_)) => self.numbers(value, choices, at),
            (Shape::Text(wanted), Value::String(text)) => self.text(text, *wanted, at),
            (Shape::Words(words), Value::String(word)) => self.word(word, words, at),
            (Shape::List { items, min, max, distinct }, Value::Array(list)) => {
                self.size(list.len(), *min, *max, "item", at);
                for (index, item) in list.iter().enumerate() {
                    self.check(item, items, &ValuePlace::Item(at, index));
                }
                if *distinct {
                    self.repeats(list, at);
                }
            }
            (Shape::Steps { values, max }, Value::Array(rows)) => self.steps(rows, values, *max, at),
            (Shape::Mapping { values, min, max }, Value::Object(object)) => {
                self.size(members(object, at).count(), *min, *max, "key", at);
                for (key, value) in members(object, at) {
                    let at = ValuePlace::Key(at, key);
                    match key {
                        "__proto__" => self.unknown_key(&at, Refusal::OF_ANY_ENGINE),
                        _ => self.check(value, values, &at),
                    }
                }
            }
            (Shape::Record { groups, rules }, Value::Object(object)) => self.record(object, groups, None, rules, at),
            (Shape::ByKey { key, shared, cases }, Value::Object(object)) => self.by_key(object, key, shared, cases, at),
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

    pub(super) fn problem(&self, code: &'static types::Rule, at: &ValuePlace, message: String) -> Problem {
        Problem { file: Some(self.file.to_owned()), ..Problem::new(code, &at.pointer(), message) }
    }

    pub fn report(&mut self, code: &'static types::Rule, at: &ValuePlace, message: impl FnOnce() -> String) {
        if !self.is_only_counted(code, Severity::Error) {
            self.found.push(self.problem(code, at, message()));
        }
    }

    /// Whether there is no room left to tell a finding. It is counted then, and need not be put into words.
    fn is_only_counted(&mut self, code: &'static types::Rule, severity: Severity) -> bool {
        self.found.is_only_counted(code, severity, Some(self.file))
    }

    fn wrong_type(&mut self, value: &Value, wanted: &Shape, at: &ValuePlace) {
        if self.is_only_counted(codes::WRONG_TYPE, Severity::Error) {
            return;
        }
        let message = format!("{at} is {}, but should be {}", say::found(value), say::wanted(wanted));
        let problem = self.problem(codes::WRONG_TYPE, at, message);
        self.found.push(problem.hint_if(say::instead(value, wanted)));
    }

    fn number(&mut self, value: &Value, wanted: Number, at: &ValuePlace) {
        let Some(number) = value.as_f64() else { return };
        if wanted.whole && number.fract() != 0.0 {
            return self.wrong_type(value, &Shape::Number(wanted), at);
        }
        let is_too_small = if wanted.above_min { number <= wanted.min } else { number < wanted.min };
        if is_too_small || number > wanted.max {
            self.report(codes::OUT_OF_RANGE, at, || format!("{at} is {value}, but should be {}", say::range(wanted)));
        }
    }

    fn numbers(&mut self, value: &Value, choices: &[f64], at: &ValuePlace) {
        if !value.as_f64().is_some_and(|number| choices.contains(&number)) {
            let choices: Vec<String> = choices.iter().map(f64::to_string).collect();
            self.report(codes::NOT_A_CHOICE, at, || format!("{at} is {value}, but should be {}", choices.join(" or ")));
        }
    }

    fn text(&mut self, text: &str, Text { min, max, form }: Text, at: &ValuePlace) {
        if text.is_empty() && min > 0 {
            return self.report(codes::EMPTY_TEXT, at, || format!("{at} is empty"));
        }
        if !fits(text, min, max) {
            let units = text.encode_utf16().count();
            self.report(codes::TOO_LONG, at, || {
                let units = count(units as u64, "character", "characters");
                format!("{at} is {units} long, but {}", at_most(max as u64))
            });
        }
        if let Some(fault) = form.fault(text)
            && !self.is_only_counted(fault.code, Severity::Error)
        {
            let problem = self.problem(fault.code, at, format!("{at} ({}) {}", say::quoted(text), fault.why));
            let respelt = form.respelt(text).filter(|respelt| fits(respelt, min, max));
            self.misspelt.respelt.extend(respelt.clone().map(|to| {
                let file = self.file.to_owned();
                Respelt { file, at: at.pointer(), to }
            }));
            self.found.push(problem.hint_if(respelt.map(|respelt| format!("write `{respelt}`"))));
        }
    }

    fn word(&mut self, word: &str, words: &[&str], at: &ValuePlace) {
        const FEW: usize = 8;
        if words.contains(&word) || self.is_only_counted(codes::NOT_A_CHOICE, Severity::Error) {
            return;
        }
        let (wanted, otherwise) = match words.len() {
            ..=FEW => (say::one_of(words), None),
            many => (format!("one of {many} words"), Some(format!("write {}", say::one_of(words)))),
        };
        let message = format!("{at} is {}, but should be {wanted}", say::quoted(word));
        let problem = self.problem(codes::NOT_A_CHOICE, at, message);
        let hint = self.likely(word, words).or(otherwise);
        self.found.push(problem.hint_if(hint));
    }

    /// `what` is what one of them is called.
    fn size(&mut self, size: usize, min: usize, max: usize, what: &str, at: &ValuePlace) {
        let has = || format!("{at} has {}", count(size as u64, what, &format!("{what}s")));
        self.is_crowded |= size > looked_at(max);
        if size < min {
            self.report(codes::TOO_FEW, at, || {
                format!("{}, but at least {}", has(), count(min as u64, "is required", "are required"))
            });
        } else if size > max {
            self.report(codes::TOO_MANY, at, || format!("{}, but {}", has(), at_most(max as u64)));
        }
    }

    fn repeats(&mut self, list: &[Value], at: &ValuePlace) {
        let mut seen = HashSet::new();
        for (index, item) in list.iter().enumerate() {
            if let Some(text) = item.as_str().filter(|text| !seen.insert(*text)) {
                let message = || format!("{at} contains {} more than once", say::quoted(text));
                self.report(codes::REPEATED_VALUE, &ValuePlace::Item(at, index), message);
            }
        }
    }

    fn steps(&mut self, rows: &[Value], values: &Shape, max: usize, at: &ValuePlace) {
        self.size(rows.len(), 1, max, "step", at);
        let mut last = f64::NEG_INFINITY;
        for (index, row) in rows.iter().enumerate() {
            let at = &ValuePlace::Item(at, index);
            let Some([threshold, value]) = row.as_array().map(Vec::as_slice) else {
                let message = || format!("{at} is {}, but should be [threshold, value], two numbers", say::found(row));
                self.report(codes::STEP_TABLE, at, message);
                continue;
            };
            self.check(value, values, &ValuePlace::Item(at, 1));
            let at = ValuePlace::Item(at, 0);
            let Some(number) = threshold.as_f64() else {
                let message = || format!("the threshold {at} is {}, but should be a number", say::found(threshold));
                self.report(codes::STEP_TABLE, &at, message);
                continue;
            };
            if number <= last {
                let message = || format!("the threshold {at} is {number}, but should be more than {last} before it");
                self.report(codes::STEP_TABLE, &at, message);
            }
            last = last.max(number);
        }
    }

    fn by_key(&mut self, object: &Object, key: &'static str, shared: &[Keys], cases: &[Case], at: &ValuePlace) {
        let Some(value) = object.get(key) else { return self.missing_key(key, at) };
        let place = ValuePlace::Key(at, key);
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
        at: &ValuePlace,
    ) {
        let own = case.map_or(&[][..], |(_, case)| case.keys);
        let known = || groups.iter().copied().chain([own]).flatten();
        let refusal = self.refusal(rules);
        let names = LazyCell::new(|| {
            let deciding = case.map(|(key, _)| key).into_iter();
            deciding.chain(known().map(|key| key.name)).collect::<Vec<&'static str>>()
        });
        let mut faulty = Vec::new();
        let mut meant = Meant::of(object);
        for (name, value) in members(object, at) {
            let before = self.found.found();
            match known().find(|key| key.name == name) {
                Some(key) => self.check(value, &key.shape, &ValuePlace::Key(at, name)),
                None if case.is_some_and(|(key, _)| key == name) => (),
                None if name == "__proto__" => {
                    let refusal = Refusal { severity: Severity::Error, ..refusal };
                    self.unknown_key(&ValuePlace::Key(at, name), refusal);
                }
                None => {
                    let to = self.stranger(name, &names, &meant, refusal, at);
                    if let Some(key) = to.and_then(|to| known().find(|key| key.name == to)) {
                        self.check(value, &key.shape, &ValuePlace::Key(at, name));
                        meant.rename(name, key.name);
                        faulty.push(key.name);
                    }
                }
            }
            if self.found.found() > before {
                faulty.push(name);
            }
        }
        // What is between the keys is judged as if each were what it was meant to be.
        for Key { name, .. } in known().filter(|key| !key.optional && !meant.contains_key(key.name)) {
            self.missing_key(name, at);
        }
        for rule in rules {
            self.rule(*rule, &meant, &faulty, at);
        }
    }

    /// Tells of a key that its object does not have, and gives the one it was meant to be where that is missing.
    fn stranger(
        &mut self,
        name: &str,
        names: &[&'static str],
        object: &Meant,
        refusal: Refusal,
        at: &ValuePlace,
    ) -> Option<&'static str> {
        // Where there is no room left to tell it, it is an error without a closer look.
        if refusal.severity == Severity::Error && self.is_only_counted(refusal.code, refusal.severity) {
            return None;
        }
        let is_there = |key: &str| object.contains_key(key);
        let stranger = Stranger::of(name, names, is_there, self.found);
        let severity = if stranger.is_mistaken() { Severity::Error } else { refusal.severity };
        let problem = self.unknown(&ValuePlace::Key(at, name), Refusal { severity, ..refusal });
        self.found.push(stranger.told(problem, names, is_there));
        let to = stranger.likeliest(is_there)?;
        self.misspelt.renamed.push(Renamed { file: self.file.to_owned(), at: at.pointer(), from: name.to_owned(), to });
        Some(to)
    }

    /// How keys are refused that an object of these rules does not have.
    fn refusal(&self, rules: &[Rule]) -> Refusal {
        let closed = rules.iter().find_map(|rule| match rule {
            Rule::Closed(code, within) => Some(Refusal { code, within, severity: self.closed_keys }),
            _ => None,
        });
        closed.unwrap_or(Refusal { severity: self.unknown_keys, ..Refusal::OF_ANY_ENGINE })
    }

    fn missing_key(&mut self, key: &str, at: &ValuePlace) {
        self.report(codes::MISSING_KEY, at, || format!("{at} has no `{key}`"));
    }

    fn unknown_key(&mut self, at: &ValuePlace, refusal: Refusal) {
        let problem = self.unknown(at, refusal);
        self.found.push(problem);
    }

    fn unknown(&self, at: &ValuePlace, Refusal { code, within, severity }: Refusal) -> Problem {
        let message = match severity {
            Severity::Error => format!("unknown key {at} {within}"),
            Severity::Warning => format!("unknown key {at} {within}; a newer engine may know it"),
        };
        self.problem(code, at, message).severity(severity).at_key()
    }

    /// What somebody may have meant.
    fn likely(&mut self, unknown: &str, known: &[&str]) -> Option<String> {
        did_you_mean(&self.found.suggest(unknown, known.iter().copied()))
    }
}

/// What an object holds. `$comment` may stand anywhere and `$schema` at the top of a file; both mean nothing.
fn members<'v>(object: &'v Object, at: &ValuePlace) -> impl Iterator<Item = (&'v str, &'v Value)> + use<'v> {
    let is_top = matches!(at, ValuePlace::Root);
    let members = object.iter().map(|(key, value)| (key.as_str(), value));
    members.filter(move |(key, _)| *key != "$comment" && !(is_top && *key == "$schema"))
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::language::*;
    use super::*;
    use serde_json::json;

    fn problems(shape: &Shape, value: Value) -> Vec<Problem> {
        let mut found = Problems::default();
        let unknown_keys = Severity::Warning;
        let mut walk = Walk {
            file: "ruleset.json",
            unknown_keys,
            closed_keys: Severity::Error,
            resolution: Some("dice-pool"),
            found: &mut found,
            is_crowded: false,
            misspelt: Misspelt::default(),
        };
        walk.check(&value, shape, &ValuePlace::Root);
        found.into_vec()
    }

    /// Each finding's code and pointer.
    fn told(shape: &Shape, value: Value) -> Vec<String> {
        let place = |problem: Problem| format!("{} {}", problem.code, problem.pointer.unwrap()).trim_end().to_owned();
        problems(shape, value).into_iter().map(place).collect()
    }

    /// Nothing is told of what is right, and of what is wrong one thing each: its code and pointer.
    pub fn check(shape: Shape, right: &[Value], wrong: &[(Value, &str)]) {
        for value in right {
            assert_eq!(told(&shape, value.clone()), [""; 0], "{value}");
        }
        for (value, code) in wrong {
            assert_eq!(told(&shape, value.clone()), [*code], "{value}");
        }
    }

    #[test]
    fn numbers_are_javascripts() {
        let (wrong, far) = ("wrong-type", "out-of-range");
        check(
            integer(-2..=5),
            &[json!(-2), json!(5), json!(3.0), json!(-0.0)],
            &[(json!(6), far), (json!(-3), far), (json!(1e300), far), (json!(2.5), wrong), (json!("3"), wrong)],
        );
        check(above_zero(1.0), &[json!(0.001), json!(1)], &[(json!(0), far), (json!(1.5), far), (json!(true), wrong)]);
        check(decimal_from(0), &[json!(0), json!(1e300)], &[(json!(-0.5), far), (Value::Null, wrong)]);
        check(DECIMAL, &[json!(u64::MAX), json!(i64::MIN), json!(1e-300)], &[(json!([1]), wrong)]);
        check(Shape::Numbers(&[0.5, 2.0]), &[json!(0.5), json!(2)], &[(json!(1), "not-a-choice"), (json!("2"), wrong)]);
    }

    #[test]
    fn text_is_counted_in_utf_16_units() {
        check(
            safe(2),
            &[json!("ab"), json!("😀")],
            &[
                (json!(""), "empty-text"),
                (json!("😀a"), "too-long"),
                (json!("a["), "unsafe-text"),
                (json!(1), "wrong-type"),
            ],
        );
        check(string(0..=1), &[json!(""), json!("\n")], &[(json!("ab"), "too-long")]);
        assert_eq!(told(&safe(2), json!("a\nb")), ["too-long", "unsafe-text"]);
    }

    #[test]
    fn closed_lists_are_closed() {
        check(one_of(&["down", "up"]), &[json!("up")], &[(json!("Up"), "not-a-choice"), (json!(true), "wrong-type")]);
        check(YES, &[json!(true)], &[(json!(false), "not-a-choice"), (json!(1), "wrong-type")]);
        check(BOOLEAN, &[json!(true), json!(false)], &[(json!("true"), "wrong-type"), (Value::Null, "wrong-type")]);
        let hint = |shape, value| problems(shape, value).remove(0).hint.unwrap_or_default();
        const ROUND: Shape = one_of(&["nearest", "up"]);
        assert_eq!(hint(&ROUND, json!("nearst")), "did you mean `nearest`?");
        const LONG: Shape = one_of(&["ab", "cd", "ef", "gh", "ij", "kl", "mn", "op", "qr"]);
        assert!(hint(&LONG, json!("xyz")).ends_with("`op` or `qr`"));
        assert!(problems(&LONG, json!("xyz"))[0].message.contains("one of 9 words"));
    }

    #[test]
    fn lists_and_mappings_are_bounded() {
        const LIST: Shape = distinct(&string(1..=9), 1..=3);
        check(
            LIST,
            &[json!(["a", "b", "c"])],
            &[
                (json!([]), "too-few"),
                (json!(["a", "b", "c", "d"]), "too-many"),
                (json!(["a", ""]), "empty-text /1"),
                (json!(["a", "b", "a"]), "repeated-value /2"),
                (json!({"0": "a"}), "wrong-type"),
            ],
        );
        const PAIR: Shape = array(&string(1..=9), 2..=2);
        assert!(problems(&PAIR, json!(["a"]))[0].message.contains(" has 1 item, "));
        assert!(problems(&PAIR, json!([]))[0].message.contains(" has 0 items, "));
        assert_eq!(
            told(&LIST, json!(["a", "a", "a", 3])),
            ["too-many", "wrong-type /3", "repeated-value /1", "repeated-value /2"]
        );
        const MAPPING: Shape = mapping(&DECIMAL, 1..=2);
        check(
            MAPPING,
            &[json!({"a/b": 1, "$comment": ["any", "thing"]})],
            &[
                (json!({"$comment": 3}), "too-few"),
                (json!({"a": 1, "b": 2, "c": 3}), "too-many"),
                (json!({"a/b": "1"}), "wrong-type /a~1b"),
                (json!({"__proto__": 1}), "unknown-key /__proto__"),
            ],
        );
    }

    #[test]
    fn a_step_table_rises() {
        check(
            STEP_TABLE,
            &[json!([[1, 0]]), json!([[-3, 2], [0.5, 2], [7, -1]])],
            &[
                (json!([]), "too-few"),
                (json!([[1, 0], [1, 2]]), "step-table /1/0"),
                (json!([[1, 0], [5, 2], [3, 2], [6, 1]]), "step-table /2/0"),
                (json!([[1]]), "step-table /0"),
                (json!([[1, 2, 3]]), "step-table /0"),
                (json!([{"1": 2}]), "step-table /0"),
                (json!([["1", 2]]), "step-table /0/0"),
                (json!([[1, null]]), "wrong-type /0/1"),
                (json!({"1": 2}), "wrong-type"),
                (json!((0..101).map(|step| [step, 0]).collect::<Vec<_>>()), "too-many"),
            ],
        );
        assert_eq!(told(&STEP_TABLE, json!((0..100).map(|step| [step, 0]).collect::<Vec<_>>())), [""; 0]);
    }

    const NAMED: Keys = keys!({ "id": string(1..=9) });

    #[test]
    fn a_record_has_its_keys_and_no_others() {
        const RECORD: Shape = record!({ ..NAMED, "label?": string(1..=9) });
        check(
            RECORD,
            &[json!({"id": "a"}), json!({"id": "a", "label": "A", "$comment": null, "$schema": "…"})],
            &[
                (json!({"label": "A"}), "missing-key"),
                (json!({"id": "a", "lable": "A"}), "unknown-key /lable"),
                (json!({"id": "a", "ID": "a"}), "unknown-key /ID"),
                (json!({"ID": "a"}), "unknown-key /ID"),
                (json!({"id": "a", "__proto__": {}}), "unknown-key /__proto__"),
                (json!({"id": null}), "wrong-type /id"),
                (json!([]), "wrong-type"),
            ],
        );
        let unknown = problems(&RECORD, json!({"id": "a", "lable": "A"})).remove(0);
        assert_eq!((unknown.severity, unknown.hint.as_deref()), (Severity::Error, Some("did you mean `label`?")));
        let unknown = problems(&RECORD, json!({"id": "a", "moonPhase": "A"})).remove(0);
        let hint = Some("known keys here: `label`");
        assert_eq!((unknown.severity, unknown.hint.as_deref()), (Severity::Warning, hint));
    }

    #[test]
    fn schema_means_nothing_at_the_top_alone() {
        const OUTER: Shape = record!({ "inner": record!({}) });
        assert_eq!(told(&OUTER, json!({"$schema": 1, "inner": {"$schema": 1}})), ["unknown-key /inner/$schema"]);
    }

    #[test]
    fn a_union_is_chosen_by_type_key_or_word() {
        const EITHER: Shape = either(&[integer(1..=9), string(1..=3)]);
        check(
            EITHER,
            &[json!(9), json!("abc")],
            &[(json!(10), "out-of-range"), (json!("abcd"), "too-long"), (json!([]), "wrong-type")],
        );
        const HAVING: Shape = having("const", &record!({ "const": DECIMAL }), &record!({ "column": DECIMAL }));
        check(
            HAVING,
            &[json!({"const": 1}), json!({"column": 1})],
            &[
                (json!({"const": 1, "column": 1}), "unknown-key /column"),
                (json!({}), "missing-key"),
                (json!(1), "wrong-type"),
            ],
        );
        const BY_KEY: Shape = by_key!("op", { ..NAMED }, { "sum" => { "of": DECIMAL }; "none" => {} });
        check(
            BY_KEY,
            &[json!({"op": "sum", "id": "a", "of": 1}), json!({"op": "none", "id": "a"})],
            &[
                (json!({"op": "none", "id": "a", "of": 1}), "unknown-key /of"),
                (json!({"op": "sum", "id": "a"}), "missing-key"),
                (json!({"op": "none"}), "missing-key"),
                (json!({"op": "sums"}), "not-a-choice /op"),
                (json!({"op": 3}), "wrong-type /op"),
                (json!({"id": "a"}), "missing-key"),
            ],
        );
    }

    #[test]
    fn what_follows_the_rulesets_kind_is_not_judged_without_one() {
        const LADDER: Shape = Shape::ByResolution(&[("dice-sum", DECIMAL), ("dice-pool", BOOLEAN)]);
        check(LADDER, &[json!(true)], &[(json!(1), "wrong-type")]);
        const OTHER: Shape = Shape::ByResolution(&[("dice-sum", DECIMAL)]);
        check(OTHER, &[json!(true), json!("anything")], &[]);
    }

    #[test]
    fn messages_say_what_is_there_and_what_is_wanted() {
        const NEEDS: Shape = record!({ "a": ANY });
        const NESTED: Shape = record!({ "rows?": array(&array(&integer(1..=5), 0..=9), 0..=9) });
        for (shape, value, message) in [
            (NESTED, json!({"rows": [[1], [2, 30]]}), "`rows[1][1]` is 30, but should be a whole number from 1 to 5"),
            (NESTED, json!({"rows": [[1.5]]}), "`rows[0][0]` is the number 1.5, but should be a whole number"),
            (NESTED, json!({"rows": 3}), "`rows` is the number 3, but should be an array"),
            (NEEDS, json!({}), "the file has no `a`"),
            (above_zero(1.0), json!(0), "the file is 0, but should be a number above 0 and up to 1"),
            (
                either(&[DECIMAL, BOOLEAN]),
                json!("x"),
                "the file is the text \"x\", but should be a number or true or false",
            ),
            (one_of(&["a", "b", "c"]), json!("d"), "the file is \"d\", but should be `a`, `b` or `c`"),
        ] {
            assert_eq!(problems(&shape, value)[0].message, message);
        }
    }
}
