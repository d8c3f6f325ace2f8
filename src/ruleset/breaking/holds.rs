use crate::ruleset::node::Node;
use crate::types::count;
use serde_json::Value;
use std::collections::HashSet;
use std::fmt;

/// The most characters a text of dice has (docs/spec/checks.md#dice-text).
const DICE: f64 = 40.0;
/// The bonuses a sheet may give where it says nothing of them (docs/spec/checks.md#sheet).
const BONUSES: (f64, f64) = (-20.0, 40.0);

/// What can be stored for something. A bound that is not there, or is worked out in play, is none.
#[derive(Clone, Debug, PartialEq)]
pub enum Holds<'a> {
    /// Nothing of its own.
    Nothing,
    Number {
        min: Option<f64>,
        max: Option<f64>,
        is_whole: bool,
    },
    /// At most so many UTF-16 units.
    Text(Option<f64>),
    Words(Vec<&'a str>),
    Flag,
    Dice,
    /// At most so many rows.
    Rows(Option<f64>),
    /// At most so many marks of wounds.
    Marks(Option<f64>),
}

/// What became of what can be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Whatever could be stored still can.
    None,
    Narrower,
    /// Another type, which reads nothing of what was stored.
    Other,
}

impl Holds<'_> {
    /// What became of `self`, which is this now.
    pub fn change(&self, now: &Holds<'_>) -> Change {
        let narrower = |is_narrower: bool| if is_narrower { Change::Narrower } else { Change::None };
        match (self, now) {
            (Holds::Nothing, _) | (_, Holds::Nothing) => Change::None,
            (
                Holds::Number { min, max, is_whole },
                Holds::Number { min: now_min, max: now_max, is_whole: now_whole },
            ) => {
                let is_higher = min.zip(*now_min).is_some_and(|(was, is)| is > was);
                narrower(is_higher || is_lower(*max, *now_max) || (*now_whole && !is_whole))
            }
            (Holds::Text(was), Holds::Text(is))
            | (Holds::Rows(was), Holds::Rows(is))
            | (Holds::Marks(was), Holds::Marks(is)) => narrower(is_lower(*was, *is)),
            (Holds::Words(words), Holds::Text(most)) => {
                let longest = words.iter().map(|word| units(word)).fold(0.0, f64::max);
                narrower(is_lower(Some(longest), *most))
            }
            (Holds::Dice, Holds::Text(most)) => narrower(is_lower(Some(DICE), *most)),
            (Holds::Words(was), Holds::Words(is)) => {
                let known: HashSet<&str> = is.iter().copied().collect();
                narrower(was.iter().any(|word| !known.contains(word)))
            }
            (was, is) if was.is_like(is) => Change::None,
            _ => Change::Other,
        }
    }

    /// Whether both are of one type.
    pub fn is_like(&self, other: &Holds<'_>) -> bool {
        self.type_name() == other.type_name()
    }

    pub fn type_name(&self) -> &'static str {
        match self {
            Holds::Nothing => "nothing",
            Holds::Number { .. } => "number",
            Holds::Text(_) => "text",
            Holds::Words(_) => "words",
            Holds::Flag => "flag",
            Holds::Dice => "dice",
            Holds::Rows(_) => "rows",
            Holds::Marks(_) => "marks",
        }
    }

    /// Whether a stored value can be read as one of these.
    pub fn takes(&self, value: &Value) -> bool {
        match self {
            Holds::Nothing => true,
            Holds::Number { min, max, is_whole } => value.as_f64().is_some_and(|number| {
                let is_between = min.is_none_or(|min| number >= min) && max.is_none_or(|max| number <= max);
                is_between && (!is_whole || number.fract() == 0.0)
            }),
            Holds::Text(most) => value.as_str().is_some_and(|text| !is_lower(Some(units(text)), *most)),
            Holds::Dice => value.is_string(),
            Holds::Words(words) => value.as_str().is_some_and(|text| words.contains(&text)),
            Holds::Flag => value.is_boolean(),
            Holds::Rows(most) => value.as_array().is_some_and(|rows| !is_lower(Some(rows.len() as f64), *most)),
            Holds::Marks(most) => {
                let marks = value["marks"].as_array().map_or(0, Vec::len);
                value.is_object() && !is_lower(Some(marks as f64), *most)
            }
        }
    }
}

/// As a message says it: "takes …".
impl fmt::Display for Holds<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Holds::Nothing => write!(f, "nothing"),
            Holds::Number { min, max, is_whole } => {
                write!(f, "{}", if *is_whole { "whole numbers" } else { "numbers" })?;
                match (min, max) {
                    (Some(min), Some(max)) => write!(f, " from {min} to {max}"),
                    (Some(min), None) => write!(f, " of at least {min}"),
                    (None, Some(max)) => write!(f, " up to {max}"),
                    (None, None) => Ok(()),
                }
            }
            Holds::Text(Some(most)) => write!(f, "text of at most {}", count(*most as u64, "character", "characters")),
            Holds::Text(None) => write!(f, "text"),
            Holds::Words(words) if words.len() == 1 => write!(f, "1 value"),
            Holds::Words(words) => write!(f, "one of {} values", words.len()),
            Holds::Flag => write!(f, "yes or no"),
            Holds::Dice => write!(f, "dice"),
            Holds::Rows(Some(most)) => write!(f, "at most {}", count(*most as u64, "row", "rows")),
            Holds::Rows(None) => write!(f, "rows"),
            Holds::Marks(Some(most)) => write!(f, "at most {}", count(*most as u64, "wound", "wounds")),
            Holds::Marks(None) => write!(f, "wounds"),
        }
    }
}

/// Of an ability.
pub fn number<'a>(node: &Node<'a>) -> Holds<'a> {
    Holds::Number { min: node.number_of("min"), max: node.number_of("max"), is_whole: true }
}

/// Of a field or a column; of an unknown type, which the shape refuses, nothing is known.
pub fn typed<'a>(node: &Node<'a>) -> Holds<'a> {
    match node.text_of("type") {
        Some("number") => {
            let (min, max) = (node.number_of("min"), node.number_of("max"));
            let is_whole = node.get("integer").and_then(|integer| integer.flag()) != Some(false);
            Holds::Number { min, max, is_whole }
        }
        Some("text" | "longtext") => text(node),
        Some("boolean") => Holds::Flag,
        Some("enum") => words(node),
        Some("dice") => Holds::Dice,
        _ => Holds::Nothing,
    }
}

/// Of a text.
pub fn text<'a>(node: &Node<'a>) -> Holds<'a> {
    Holds::Text(node.number_of("maxLength"))
}

/// Of a live state, or an enum.
pub fn words<'a>(node: &Node<'a>) -> Holds<'a> {
    Holds::Words(node.list("values").filter_map(|value| value.text()).collect())
}

/// Of a list.
pub fn rows<'a>(node: &Node<'a>) -> Holds<'a> {
    Holds::Rows(node.number_of("maxItems"))
}

/// Of a live pool, whose most may be a number.
pub fn pool<'a>(node: &Node<'a>) -> Holds<'a> {
    let max = node.get("max").and_then(|max| max.number_of("const"));
    Holds::Number { min: None, max, is_whole: false }
}

/// Of a track: a number, or the marks of wounds.
pub fn track<'a>(node: &Node<'a>) -> Holds<'a> {
    let most = node.get("max");
    let max = most.as_ref().and_then(|max| max.number().or_else(|| max.number_of("const")));
    match node.has("kinds") {
        true => Holds::Marks(max),
        false => Holds::Number { min: node.number_of("min"), max, is_whole: true },
    }
}

/// Of `bonusRange`, or of the sheet without one.
pub fn bonuses<'a>(node: &Node<'a>) -> Holds<'a> {
    let (min, max) = (node.number_of("min").unwrap_or(BONUSES.0), node.number_of("max").unwrap_or(BONUSES.1));
    Holds::Number { min: Some(min), max: Some(max), is_whole: true }
}

/// Whether a bound is lower now; one that is not known is not.
fn is_lower(was: Option<f64>, is: Option<f64>) -> bool {
    was.zip(is).is_some_and(|(was, is)| is < was)
}

fn units(text: &str) -> f64 {
    text.encode_utf16().count() as f64
}
