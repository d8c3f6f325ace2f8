use super::formula::Formula;
use std::fmt;

/// Values a formula can have: every one of them lies within, though not everything within need be one. What has no
/// bound has the last number there is for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub low: i128,
    pub high: i128,
}

impl Range {
    pub const ANY: Range = Range { low: i128::MIN, high: i128::MAX };

    /// Between two numbers, whichever is the larger.
    pub fn new(a: i128, b: i128) -> Self {
        Range { low: a.min(b), high: a.max(b) }
    }

    /// This number and all above.
    pub fn from(low: i128) -> Self {
        Range { low, high: i128::MAX }
    }

    /// Whether no value is within `low..=high`.
    pub fn is_outside(self, low: i128, high: i128) -> bool {
        self.high < low || high < self.low
    }

    /// The values of a formula over the values of its names; faces of dice are from 1 to their number of sides.
    pub fn of(formula: &Formula, attribute: &dyn Fn(&str) -> Range, resource: &dyn Fn(&str) -> Range) -> Range {
        let of = |formula: &Formula| Range::of(formula, attribute, resource);
        match formula {
            Formula::Constant(value) => Range::new((*value).into(), (*value).into()),
            Formula::Attribute(id) => attribute(id),
            Formula::Resource(id) => resource(id),
            Formula::Dice(dice) => {
                let (count, sides) = (i128::from(dice.count), i128::from(dice.sides));
                Range { low: count, high: count * sides }
            }
            Formula::Negate(term) => of(term).negated(),
            Formula::Subtract(terms) => of(&terms[0]).plus(of(&terms[1]).negated()),
            Formula::Multiply(terms) => of(&terms[0]).times(of(&terms[1])),
            Formula::Add(terms) => joined(terms.iter().map(of), Range::plus),
            Formula::Min(terms) => {
                joined(terms.iter().map(of), |a, b| Range { low: a.low.min(b.low), high: a.high.min(b.high) })
            }
            Formula::Max(terms) => {
                joined(terms.iter().map(of), |a, b| Range { low: a.low.max(b.low), high: a.high.max(b.high) })
            }
        }
    }

    fn negated(self) -> Self {
        Range { low: 0_i128.saturating_sub(self.high), high: 0_i128.saturating_sub(self.low) }
    }

    fn plus(self, other: Self) -> Self {
        Range { low: self.low.saturating_add(other.low), high: self.high.saturating_add(other.high) }
    }

    fn times(self, other: Self) -> Self {
        let corners = [
            self.low.saturating_mul(other.low),
            self.low.saturating_mul(other.high),
            self.high.saturating_mul(other.low),
            self.high.saturating_mul(other.high),
        ];
        corners[1..].iter().fold(Range::new(corners[0], corners[0]), |range, corner| Range {
            low: range.low.min(*corner),
            high: range.high.max(*corner),
        })
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Range::ANY => f.write_str("any number"),
            Range { low, high } if low == high => write!(f, "{low}"),
            Range { low, high: i128::MAX } => write!(f, "{low} or more"),
            Range { low: i128::MIN, high } => write!(f, "{high} or less"),
            Range { low, high } => write!(f, "{low} to {high}"),
        }
    }
}

fn joined(ranges: impl Iterator<Item = Range>, join: impl Fn(Range, Range) -> Range) -> Range {
    ranges.reduce(join).unwrap_or(Range::new(0, 0))
}
