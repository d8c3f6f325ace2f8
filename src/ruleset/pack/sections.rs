//! The objects a pack is made of, one type each.

use super::Check;
use super::against::{CARD_TEXTS, Key};
use super::marks::is_blank;
use super::value::{OnObject, Reading, Value};
use crate::types::{Pointer, Problem, Rule, codes};
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess};
use std::collections::HashSet;

const TEXT: &str = "text";

/// One object of a pack: what it does with each member, and what must not be missing.
trait Members {
    /// The rule that objects of this kind follow.
    const RULE: &'static Rule;

    /// Whether `key`, which comes next, stood here before; nothing where the object keeps no account of it itself.
    fn repeats(&mut self, _key: &str, _check: &mut Check<'_>) -> Option<bool> {
        None
    }

    /// Takes the value of `key`. Where it stands is worked out only for findings.
    fn member<'de, M: MapAccess<'de>>(
        &mut self,
        key: &str,
        map: &mut M,
        check: &mut Check<'_>,
        here: &Pointer,
    ) -> Result<(), M::Error>;

    /// The object has ended.
    fn end(&mut self, _check: &mut Check<'_>, _here: &Pointer) {}
}

/// Reads an object, each key once; a value of another type is a finding.
pub(super) struct Section<'c, 'a, T> {
    pub check: &'c mut Check<'a>,
    pub place: &'c Pointer,
    pub of: T,
}

impl<'de, T: Members> DeserializeSeed<'de> for Section<'_, '_, T> {
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

impl<'de, T: Members> OnObject<'de> for Section<'_, '_, T> {
    fn object<M: MapAccess<'de>>(mut self, mut map: M) -> Result<(), M::Error> {
        let mut seen = HashSet::new();
        while let Some(Value::Text(key)) = map.next_key()? {
            let repeats = self.of.repeats(&key, self.check);
            self.of.member(&key, &mut map, self.check, self.place)?;
            if repeats.unwrap_or_else(|| seen.contains(&key)) {
                self.check.key_error(T::RULE, &self.place.at(&key), "is a duplicate key");
            }
            if repeats.is_none() {
                seen.insert(key);
            }
        }
        self.of.end(self.check, self.place);
        Ok(())
    }
}

/// The whole pack (T02, T07).
#[derive(Default)]
pub(super) struct Root {
    meta: bool,
    package: bool,
    ruleset: bool,
}

impl Members for Root {
    const RULE: &'static Rule = codes::T02;

    fn member<'de, M: MapAccess<'de>>(
        &mut self,
        key: &str,
        map: &mut M,
        check: &mut Check<'_>,
        here: &Pointer,
    ) -> Result<(), M::Error> {
        let place = here.at(key);
        match key {
            "_meta" => {
                self.meta = true;
                map.next_value_seed(Section { check, place: &place, of: Meta::default() })
            }
            "package" => {
                self.package = true;
                map.next_value_seed(Section { check, place: &place, of: Package::default() })
            }
            "ruleset" => {
                self.ruleset = true;
                map.next_value_seed(Section { check, place: &place, of: Strings::default() })
            }
            "$schema" => {
                let value: Value<'_> = map.next_value()?;
                if !matches!(value, Value::Text(_)) {
                    check.other_type(codes::T02, &place, value.type_name(), TEXT);
                }
                Ok(())
            }
            _ => {
                map.next_value::<IgnoredAny>()?;
                check.key_error(
                    codes::T02,
                    &place,
                    "is not part of a language pack: expected `$schema`, `_meta`, `package` or `ruleset`",
                );
                Ok(())
            }
        }
    }

    fn end(&mut self, check: &mut Check<'_>, here: &Pointer) {
        if !self.meta {
            check.error(codes::T03, here, "has no `_meta`, so its language is unknown");
        }
        if !self.package && check.maintainer {
            let hint = "add `\"package\": {\"name\": …, \"description\": …}`, which the catalog shows";
            check.find(Problem::new(codes::T06, here, "the pack has no `package`").hint(hint));
        }
        // A maintainer's `locales/en.json` is the package's own listing, and the ruleset itself is English.
        let is_listing = check.maintainer && check.listed.is_english();
        if !self.ruleset && !is_listing {
            check.error(codes::T07, here, "has no `ruleset`, so it translates nothing");
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
    const RULE: &'static Rule = codes::T03;

    fn member<'de, M: MapAccess<'de>>(
        &mut self,
        key: &str,
        map: &mut M,
        check: &mut Check<'_>,
        here: &Pointer,
    ) -> Result<(), M::Error> {
        let place = here.at(key);
        match (key, map.next_value()?) {
            ("locale", Value::Text(locale)) => {
                self.locale = true;
                check.locale(&place, &locale);
            }
            ("direction", Value::Text(direction)) => {
                self.direction = true;
                check.direction(&place, &direction);
            }
            ("locale" | "direction", other) => {
                self.locale |= key == "locale";
                self.direction |= key == "direction";
                check.other_type(codes::T03, &place, other.type_name(), TEXT);
            }
            _ => check.key_error(codes::T03, &place, "is not part of `_meta`: expected `locale` or `direction`"),
        }
        Ok(())
    }

    fn end(&mut self, check: &mut Check<'_>, here: &Pointer) {
        if !self.locale {
            check.error(codes::T03, here, "has no `locale`, so the pack's language is unknown");
        }
        if !self.direction {
            let hint = "add `\"direction\": \"ltr\"`, or `\"rtl\"` for a language written from right to left";
            check.wish(Problem::new(codes::T03, here, "`_meta` has no `direction`").hint(hint));
        }
    }
}

/// The most UTF-16 units of the package's name and description: those of a manifest's own localizations, which stand on
/// the same card (docs/spec/decisions.md#q23).
const CARD: [(&str, usize); CARD_TEXTS] = [("name", 120), ("description", 2000)];

/// `package` (T04). That both texts should be there, not empty and not too long is the maintainers' wish (T06).
#[derive(Default)]
struct Package {
    /// Whether each of [`CARD`] is there.
    there: [bool; CARD_TEXTS],
}

impl Members for Package {
    const RULE: &'static Rule = codes::T04;

    fn member<'de, M: MapAccess<'de>>(
        &mut self,
        key: &str,
        map: &mut M,
        check: &mut Check<'_>,
        here: &Pointer,
    ) -> Result<(), M::Error> {
        let place = here.at(key);
        let value = map.next_value()?;
        let Some(at) = CARD.iter().position(|(name, _)| *name == key) else {
            check.key_error(codes::T04, &place, "is not part of `package`: expected `name` or `description`");
            return Ok(());
        };
        self.there[at] = true;
        match value {
            Value::Text(text) if is_blank(&text) => {
                let what = if text.is_empty() { "is empty" } else { "shows nothing" };
                check.wish(Problem::new(codes::T06, &place, format!("`{key}` {what}")))
            }
            Value::Text(text) => {
                check.card(at, &text, &place);
                let (units, most) = (text.encode_utf16().count(), CARD[at].1);
                if check.maintainer && units > most {
                    let message = format!("is {units} characters long, but at most {most} are allowed");
                    check.error(codes::T06, &place, message);
                }
            }
            other => check.other_type(codes::T04, &place, other.type_name(), TEXT),
        }
        Ok(())
    }

    fn end(&mut self, check: &mut Check<'_>, here: &Pointer) {
        for ((name, _), there) in CARD.iter().zip(self.there) {
            if !there && check.maintainer {
                check.error(codes::T06, here, format!("has no `{name}`"));
            }
        }
    }
}

/// `ruleset`: text to text (T05).
#[derive(Default)]
struct Strings {
    /// What the key that comes next is, where that is known.
    key: Option<Key>,
}

impl Members for Strings {
    const RULE: &'static Rule = codes::T05;

    fn repeats(&mut self, key: &str, check: &mut Check<'_>) -> Option<bool> {
        self.key = check.against.as_mut().map(|against| against.meet(key));
        match self.key? {
            Key::Original(_) => Some(false),
            Key::Again => Some(true),
            Key::Stale => None,
        }
    }

    fn member<'de, M: MapAccess<'de>>(
        &mut self,
        key: &str,
        map: &mut M,
        check: &mut Check<'_>,
        here: &Pointer,
    ) -> Result<(), M::Error> {
        check.facts.strings += 1;
        let value = map.next_value()?;
        if let (Some(Key::Stale), Some(against)) = (self.key, &mut check.against) {
            against.stale(key, here);
        }
        match value {
            Value::Text(text) if text.is_empty() => {}
            Value::Text(text) => {
                check.facts.translated += usize::from(!is_blank(&text));
                check.string(key, self.key, &text, here);
            }
            other => check.other_type(codes::T05, &here.at(key), other.type_name(), TEXT),
        }
        Ok(())
    }

    fn end(&mut self, check: &mut Check<'_>, here: &Pointer) {
        let strangers = check.against.as_mut().map(|against| against.strangers(here)).unwrap_or_default();
        check.found.extend(strangers);
    }
}
