//! The objects a pack is made of, one type each.

use super::value::{OnObject, Reading, Value};
use super::{Check, excerpt};
use crate::types::{Pointer, Problem};
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess};
use std::collections::HashSet;

const TEXT: &str = "a text";

/// One object of a pack: what it does with each member, and what must not be missing.
trait Members {
    /// The rule that objects of this kind follow.
    const RULE: &'static str;

    /// Takes the value of `key`, and gives the number the key is known by, if it is. Where it stands is worked out only
    /// for findings.
    fn member<'de, M: MapAccess<'de>>(
        &mut self,
        key: &str,
        map: &mut M,
        check: &mut Check<'_, '_>,
        here: &Pointer,
    ) -> Result<Option<usize>, M::Error>;

    /// The object has ended.
    fn end(&mut self, _check: &mut Check<'_, '_>, _here: &Pointer) {}
}

/// Reads an object, each key once; a value of another type is a finding.
pub(super) struct Section<'c, 'a, 'o, T> {
    pub check: &'c mut Check<'a, 'o>,
    pub place: &'c Pointer,
    pub of: T,
}

impl<'de, T: Members> DeserializeSeed<'de> for Section<'_, '_, '_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        let Section { check, place, of } = self;
        let value = from.deserialize_any(Reading(Section { check: &mut *check, place, of }))?;
        if !matches!(value, Value::Object) {
            check.other_type(T::RULE, place, value.type_name(), "an object");
        }
        Ok(())
    }
}

impl<'de, T: Members> OnObject<'de> for Section<'_, '_, '_, T> {
    fn object<M: MapAccess<'de>>(mut self, mut map: M) -> Result<(), M::Error> {
        let mut seen = HashSet::new();
        let mut numbers = Numbers::default();
        while let Some(Value::Text(key)) = map.next_key()? {
            let number = self.of.member(&key, &mut map, self.check, self.place)?;
            let twice = match number {
                Some(number) => numbers.add(number).is_err().then_some(key),
                None => seen.replace(key),
            };
            if let Some(twice) = twice {
                self.check.error(T::RULE, &self.place.at(twice), "stands twice");
            }
        }
        self.of.end(self.check, self.place);
        Ok(())
    }
}

/// A set of small numbers.
#[derive(Default)]
struct Numbers(Vec<u64>);

impl Numbers {
    /// Fails if the number is there already.
    fn add(&mut self, number: usize) -> Result<(), ()> {
        let (word, bit) = (number / 64, 1 << (number % 64));
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        let is_there = self.0[word] & bit != 0;
        self.0[word] |= bit;
        if is_there { Err(()) } else { Ok(()) }
    }
}

/// The whole pack (T02, T07).
#[derive(Default)]
pub(super) struct Root {
    meta: bool,
    ruleset: bool,
}

impl Members for Root {
    const RULE: &'static str = "T02";

    fn member<'de, M: MapAccess<'de>>(
        &mut self,
        key: &str,
        map: &mut M,
        check: &mut Check<'_, '_>,
        here: &Pointer,
    ) -> Result<Option<usize>, M::Error> {
        let place = here.at(key);
        match key {
            "_meta" => {
                self.meta = true;
                map.next_value_seed(Section { check, place: &place, of: Meta::default() })?;
            }
            "package" => map.next_value_seed(Section { check, place: &place, of: Package })?,
            "ruleset" => {
                self.ruleset = true;
                map.next_value_seed(Section { check, place: &place, of: Strings })?;
            }
            "$schema" => {
                let value: Value<'_> = map.next_value()?;
                if !matches!(value, Value::Text(_)) {
                    check.other_type("T02", &place, value.type_name(), TEXT);
                }
            }
            _ => {
                map.next_value::<IgnoredAny>()?;
                check.error("T02", &place, "is no part of a language pack: $schema, _meta, package and ruleset are");
            }
        }
        Ok(None)
    }

    fn end(&mut self, check: &mut Check<'_, '_>, here: &Pointer) {
        if !self.meta {
            check.error("T03", here, "has no `_meta`, so its language is not known");
        }
        if !self.ruleset {
            check.error("T07", here, "has no `ruleset`, so it translates nothing");
        }
    }
}

/// `_meta` (T03).
#[derive(Default)]
struct Meta {
    locale: bool,
    direction: bool,
}

impl Members for Meta {
    const RULE: &'static str = "T03";

    fn member<'de, M: MapAccess<'de>>(
        &mut self,
        key: &str,
        map: &mut M,
        check: &mut Check<'_, '_>,
        here: &Pointer,
    ) -> Result<Option<usize>, M::Error> {
        let place = here.at(key);
        match (key, map.next_value()?) {
            ("locale", Value::Text(locale)) => {
                self.locale = true;
                check.locale(&place, &locale);
            }
            ("direction", Value::Text(direction)) => {
                self.direction = true;
                if direction != "ltr" && direction != "rtl" {
                    check.error("T03", &place, format!("is `{}`, where ltr or rtl is wanted", excerpt(&direction)));
                }
            }
            ("locale" | "direction", other) => {
                self.locale |= key == "locale";
                self.direction |= key == "direction";
                check.other_type("T03", &place, other.type_name(), TEXT);
            }
            _ => check.error("T03", &place, "is no part of `_meta`: locale and direction are"),
        }
        Ok(None)
    }

    fn end(&mut self, check: &mut Check<'_, '_>, here: &Pointer) {
        if !self.locale {
            check.error("T03", here, "has no `locale`, so the pack's language is not known");
        }
        if !self.direction {
            let hint = "add \"direction\": \"ltr\", or \"rtl\" for a language written from right to left";
            check.found(Problem::warning("T03", here, "has no `direction`").hint(hint));
        }
    }
}

/// `package` (T04; that its texts should not be empty is the maintainers' wish, T06).
struct Package;

impl Members for Package {
    const RULE: &'static str = "T04";

    fn member<'de, M: MapAccess<'de>>(
        &mut self,
        key: &str,
        map: &mut M,
        check: &mut Check<'_, '_>,
        here: &Pointer,
    ) -> Result<Option<usize>, M::Error> {
        let place = here.at(key);
        match (key, map.next_value()?) {
            ("name" | "description", Value::Text(text)) if text.is_empty() => {
                check.found(Problem::warning("T06", &place, "is empty"));
            }
            ("name" | "description", Value::Text(_)) => {}
            ("name" | "description", other) => check.other_type("T04", &place, other.type_name(), TEXT),
            _ => check.error("T04", &place, "is no part of `package`: name and description are"),
        }
        Ok(None)
    }
}

/// `ruleset`: text to text (T05).
struct Strings;

impl Members for Strings {
    const RULE: &'static str = "T05";

    fn member<'de, M: MapAccess<'de>>(
        &mut self,
        key: &str,
        map: &mut M,
        check: &mut Check<'_, '_>,
        here: &Pointer,
    ) -> Result<Option<usize>, M::Error> {
        check.facts.strings += 1;
        match map.next_value()? {
            Value::Text(text) => {
                check.facts.translated += usize::from(!text.is_empty());
                Ok((check.on)(key, &text))
            }
            other => {
                check.other_type("T05", &here.at(key), other.type_name(), TEXT);
                Ok(None)
            }
        }
    }
}
