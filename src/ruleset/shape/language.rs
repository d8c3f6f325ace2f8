//! The words the tables are written in. A table is constant data; [`super::walk`] holds values against it.

use crate::types;
use std::ops::RangeInclusive;

/// What a value has to be.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// Whatever it is: our sources do not describe it, or somebody else judges it.
    Any,
    /// `true` or `false`.
    Flag,
    /// `true`; what is not so is left out.
    Yes,
    Number(Number),
    /// One of these numbers.
    Numbers(&'static [f64]),
    Text(Text),
    /// One of these words.
    Words(&'static [&'static str]),
    List {
        items: &'static Shape,
        min: usize,
        max: usize,
        /// Whether no two items may be the same text.
        distinct: bool,
    },
    /// An object with keys of the author's own.
    Mapping {
        values: &'static Shape,
        min: usize,
        max: usize,
    },
    /// 1 to `max` pairs of a threshold and a value, the thresholds strictly rising.
    Steps {
        values: &'static Shape,
        max: usize,
    },
    /// An object with exactly the keys of these groups.
    Record {
        groups: &'static [Keys],
        rules: &'static [Rule],
    },
    /// The one that has the JSON type of the value.
    Either(&'static [Shape]),
    /// A record that has further keys by the word its `key` holds.
    ByKey {
        key: &'static str,
        shared: &'static [Keys],
        cases: &'static [Case],
    },
    /// `with` where the key is there.
    Having {
        key: &'static str,
        with: &'static Shape,
        without: &'static Shape,
    },
    /// The one for the ruleset's own `resolution.kind`.
    ByResolution(&'static [(&'static str, Shape)]),
}

/// A finite number.
#[derive(Clone, Copy, Debug)]
pub struct Number {
    pub whole: bool,
    pub min: f64,
    pub max: f64,
    /// Whether `min` itself is too small.
    pub above_min: bool,
}

/// Text of `min` to `max` UTF-16 units.
#[derive(Clone, Copy, Debug)]
pub struct Text {
    pub min: usize,
    pub max: usize,
    pub form: Form,
}

/// What text looks like (docs/spec/checks.md#ground-rules).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Free,
    /// It may stand in a prompt.
    Safe,
    /// The same, without `"`.
    SafeUnquoted,
    /// It may stand in a catalog.
    Catalog,
    SheetId,
    EntryId,
    /// `<catalog>/<entry>`.
    LootItem,
    Dice,
}

/// Keys that go together.
pub type Keys = &'static [Key];

/// A key an object may or must have.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    pub name: &'static str,
    pub optional: bool,
    pub shape: Shape,
}

/// What else a record has when its key holds this word.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub word: &'static str,
    pub keys: Keys,
    pub rules: &'static [Rule],
}

/// What has to hold between the keys of one object.
#[derive(Clone, Copy, Debug)]
pub enum Rule {
    ExactlyOne(&'static [&'static str]),
    AtLeastOne(&'static [&'static str]),
    /// At least one of them, and not as an empty list or object.
    SaysSomething(&'static [&'static str]),
    /// The first key only where the second one is.
    OnlyBeside(&'static str, &'static str),
    /// None of these keys where the first one is, whatever they hold.
    Excludes(&'static str, &'static [&'static str]),
    /// The key only where the second one holds one of these words.
    OnlyWith(&'static str, &'static str, &'static [&'static str]),
    /// The key has to be there where the second one holds this word.
    NeededBy(&'static str, &'static str, &'static str),
    /// The number is not 0.
    NotZero(&'static str),
    /// The second number is no less than the first.
    NotBelow(&'static str, &'static str),
    /// The first number is no more than the second.
    NoMoreThan(&'static str, &'static str),
    /// `min` is at most `max`, and a `default` lies between them.
    Range,
    /// `default` is no longer than `maxLength`.
    DefaultFits,
    /// `default` is one of `values`.
    DefaultAmongValues,
    /// Its keys are all known up to the newest API known here (docs/spec/decisions.md#q27). Another one is told under
    /// this code; the words end the sentence that there is no such key.
    Closed(&'static types::Rule, &'static str),
    /// A rule that has a code of its own.
    As(&'static types::Rule, &'static Rule),
}

/// No limit but the file's size.
pub const MANY: usize = usize::MAX;

pub const ANY: Shape = Shape::Any;
pub const BOOLEAN: Shape = Shape::Flag;
pub const YES: Shape = Shape::Yes;
pub const STEP_TABLE: Shape = steps(&DECIMAL, 100);
/// Any number.
pub const DECIMAL: Shape = number(false, f64::NEG_INFINITY, f64::INFINITY);

/// Any whole number.
pub const WHOLE: Shape = number(true, f64::NEG_INFINITY, f64::INFINITY);

pub const fn integer(range: RangeInclusive<i32>) -> Shape {
    number(true, *range.start() as f64, *range.end() as f64)
}

pub const fn integer_from(min: i32) -> Shape {
    number(true, min as f64, f64::INFINITY)
}

pub const fn decimal(range: RangeInclusive<i32>) -> Shape {
    number(false, *range.start() as f64, *range.end() as f64)
}

pub const fn decimal_from(min: i32) -> Shape {
    number(false, min as f64, f64::INFINITY)
}

/// Greater than 0 and at most `max`.
pub const fn above_zero(max: f64) -> Shape {
    Shape::Number(Number { whole: false, min: 0.0, max, above_min: true })
}

const fn number(whole: bool, min: f64, max: f64) -> Shape {
    Shape::Number(Number { whole, min, max, above_min: false })
}

/// Free text.
pub const fn string(length: RangeInclusive<usize>) -> Shape {
    formed(Form::Free, length)
}

/// Prompt-safe text.
pub const fn safe(max: usize) -> Shape {
    formed(Form::Safe, 1..=max)
}

pub const fn formed(form: Form, length: RangeInclusive<usize>) -> Shape {
    Shape::Text(Text { min: *length.start(), max: *length.end(), form })
}

pub const fn one_of(words: &'static [&'static str]) -> Shape {
    Shape::Words(words)
}

pub const fn array(items: &'static Shape, length: RangeInclusive<usize>) -> Shape {
    Shape::List { items, min: *length.start(), max: *length.end(), distinct: false }
}

/// A list in which no text stands twice.
pub const fn distinct(items: &'static Shape, length: RangeInclusive<usize>) -> Shape {
    Shape::List { items, min: *length.start(), max: *length.end(), distinct: true }
}

pub const fn steps(values: &'static Shape, max: usize) -> Shape {
    Shape::Steps { values, max }
}

pub const fn mapping(values: &'static Shape, size: RangeInclusive<usize>) -> Shape {
    Shape::Mapping { values, min: *size.start(), max: *size.end() }
}

pub const fn either(shapes: &'static [Shape]) -> Shape {
    Shape::Either(shapes)
}

pub const fn having(key: &'static str, with: &'static Shape, without: &'static Shape) -> Shape {
    Shape::Having { key, with, without }
}

/// A key, optional when its name ends with `?`.
pub const fn key(name: &'static str, shape: Shape) -> Key {
    match name.as_bytes() {
        [.., b'?'] => Key { name: name.split_at(name.len() - 1).0, optional: true, shape },
        _ => Key { name, optional: false, shape },
    }
}

/// A group of keys: `keys!({"id": ID, "section?": ID})`.
macro_rules! keys {
    ({ $($name:literal : $shape:expr),* $(,)? }) => {
        &[$($crate::ruleset::shape::language::key($name, $shape)),*]
    };
}

/// An object with exactly these keys, after those of the groups named first, and with the rules that follow:
/// `record!({..AMOUNT, "type?": safe(40)}, Rule::AtLeastOne(&["dice", "flat"]))`.
macro_rules! record {
    ({ $(.. $group:ident,)* $($name:literal : $shape:expr),* $(,)? } $(, $rule:expr)* $(,)?) => {
        $crate::ruleset::shape::language::Shape::Record {
            groups: &[$($group,)* $crate::ruleset::shape::language::keys!({ $($name: $shape),* })],
            rules: &[$($rule),*],
        }
    };
}

/// A record with keys of its own by the word of one key:
/// `by_key!("op", {..DERIVED}, {"sum" => {"of": VALUES}; "scale" => {"of": VALUE, "multiplier": DECIMAL}})`.
macro_rules! by_key {
    (
        $key:literal,
        { $(.. $group:ident),* $(,)? },
        { $($word:literal => { $($keys:tt)* });* $(;)? }
    ) => {
        $crate::ruleset::shape::language::Shape::ByKey {
            key: $key,
            shared: &[$($group),*],
            cases: &[$($crate::ruleset::shape::language::Case {
                word: $word,
                keys: $crate::ruleset::shape::language::keys!({ $($keys)* }),
                rules: &[],
            }),*],
        }
    };
}

pub(super) use {by_key, keys, record};
