//! The small arithmetic of `hp_formula` and `proficiency_formula`: integers, names, `+ - * / //`, parentheses and the
//! calls `max`, `min`, `abs`, `int`. It is another language than the formula trees of a `combat` block.

mod parse;

use std::fmt;

/// What `hp_formula` is where a rule has none.
pub const DEFAULT_HP: &str = "10 + con * 5";
/// What `proficiency_formula` is where a rule has none.
pub const DEFAULT_PROFICIENCY: &str = "max(2, 2 + (level - 1) // 4)";
/// What `hp_formula` may name beside the keys of the rule's attributes.
pub const HP_NAMES: [&str; 2] = ["con_mod", "class_hp_die"];
/// What `proficiency_formula` may name.
pub const PROFICIENCY_NAMES: [&str; 1] = ["level"];
/// How deep a formula may nest, its outermost operation being at 0. `1 + 1 + 1` nests twice: each sum holds the one
/// before it.
pub const MAX_DEPTH: usize = 50;

/// A formula that could be read. Nothing of it is ever run as code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextFormula {
    root: Node,
}

impl TextFormula {
    /// Reads a formula; blanks between its parts do not matter.
    pub fn parse(text: &str) -> Result<Self, SyntaxError> {
        parse::formula(text).map(|root| TextFormula { root })
    }

    /// Every name in it, each once, in the order of their first appearance. Names are told apart by case.
    pub fn names(&self) -> Vec<&str> {
        let mut names = Vec::new();
        self.root.visit(&mut |node| {
            if let Kind::Name(name) = &node.kind
                && !names.contains(&name.as_str())
            {
                names.push(name);
            }
        });
        names
    }

    /// Whether it holds a division whose divisor is 0 whatever its names stand for, because it has none.
    pub fn divides_by_constant_zero(&self) -> bool {
        let mut found = false;
        self.root.visit(&mut |node| {
            if let Kind::Binary(Binary::Divide | Binary::FloorDivide, _, divisor) = &node.kind {
                found |= divisor.is_constant() && divisor.value(&|_| None) == Ok(0);
            }
        });
        found
    }

    /// Its value. Every step is an integer: `/` cuts towards zero, `//` rounds down. A name that `value_of` does not
    /// know is 0, as it is for the host, which is why an audit must look at [`TextFormula::names`].
    pub fn value(&self, value_of: &impl Fn(&str) -> Option<i64>) -> Result<i128, ValueError> {
        self.root.value(value_of)
    }
}

/// Why a text is no formula. Positions count characters from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SyntaxError {
    #[error("it is empty")]
    Empty,
    #[error("expected a number, a name or `(` at the end")]
    Ends,
    #[error("unexpected `{found}` at character {at}")]
    Unexpected { found: char, at: usize },
    #[error("unclosed `(` at character {at}")]
    Unclosed { at: usize },
    #[error("the number at character {at} is too large")]
    TooLarge { at: usize },
    #[error("`{name}` cannot be called; only `max`, `min`, `abs` and `int` can")]
    UnknownCall { name: String },
    #[error("`{call}` takes {takes}, not {given}")]
    Arguments { call: Call, takes: &'static str, given: usize },
    #[error("it is nested more than {MAX_DEPTH} levels deep")]
    TooDeep,
}

/// Why a formula has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ValueError {
    #[error("it divides by zero")]
    DivisionByZero,
    #[error("an intermediate value does not fit in 128 bits")]
    Overflow,
}

/// One part of a formula, and how many more it nests.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Node {
    kind: Kind,
    height: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Number(i64),
    Name(String),
    Plus(Box<Node>),
    Minus(Box<Node>),
    Binary(Binary, Box<Node>, Box<Node>),
    Call(Call, Vec<Node>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    FloorDivide,
}

/// What a formula may call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    Max,
    Min,
    Abs,
    /// Changes nothing: every step is an integer.
    Int,
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Call::Max => "max",
            Call::Min => "min",
            Call::Abs => "abs",
            Call::Int => "int",
        })
    }
}

impl Node {
    /// A node over others. Checked here and not once at the end: a chain of a million sums must not be built first.
    fn new(kind: Kind) -> Result<Self, SyntaxError> {
        let below = match &kind {
            Kind::Number(_) | Kind::Name(_) => None,
            Kind::Plus(part) | Kind::Minus(part) => Some(part.height),
            Kind::Binary(_, left, right) => Some(left.height.max(right.height)),
            Kind::Call(_, parts) => parts.iter().map(|part| part.height).max(),
        };
        let height = below.map_or(0, |height| height + 1);
        if height > MAX_DEPTH { Err(SyntaxError::TooDeep) } else { Ok(Node { kind, height }) }
    }

    fn visit<'n>(&'n self, look: &mut impl FnMut(&'n Node)) {
        look(self);
        match &self.kind {
            Kind::Number(_) | Kind::Name(_) => {}
            Kind::Plus(part) | Kind::Minus(part) => part.visit(look),
            Kind::Binary(_, left, right) => {
                left.visit(look);
                right.visit(look);
            }
            Kind::Call(_, parts) => parts.iter().for_each(|part| part.visit(look)),
        }
    }

    fn is_constant(&self) -> bool {
        let mut constant = true;
        self.visit(&mut |node| constant &= !matches!(node.kind, Kind::Name(_)));
        constant
    }

    fn value(&self, value_of: &impl Fn(&str) -> Option<i64>) -> Result<i128, ValueError> {
        match &self.kind {
            Kind::Number(number) => Ok(i128::from(*number)),
            Kind::Name(name) => Ok(value_of(name).map_or(0, i128::from)),
            Kind::Plus(part) => part.value(value_of),
            Kind::Minus(part) => part.value(value_of)?.checked_neg().ok_or(ValueError::Overflow),
            Kind::Binary(operation, left, right) => operation.of(left.value(value_of)?, right.value(value_of)?),
            Kind::Call(call, parts) => {
                let values = parts.iter().map(|part| part.value(value_of)).collect::<Result<Vec<_>, _>>()?;
                call.of(&values)
            }
        }
    }
}

impl Binary {
    fn of(self, left: i128, right: i128) -> Result<i128, ValueError> {
        if right == 0 && matches!(self, Binary::Divide | Binary::FloorDivide) {
            return Err(ValueError::DivisionByZero);
        }
        let value = match self {
            Binary::Add => left.checked_add(right),
            Binary::Subtract => left.checked_sub(right),
            Binary::Multiply => left.checked_mul(right),
            Binary::Divide => left.checked_div(right),
            // The quotient cut towards zero is one too high where something is left over and the signs differ.
            Binary::FloorDivide => left.checked_div(right).map(|quotient| {
                let rest = left - quotient * right;
                quotient - i128::from(rest != 0 && (rest < 0) != (right < 0))
            }),
        };
        value.ok_or(ValueError::Overflow)
    }
}

impl Call {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "max" => Call::Max,
            "min" => Call::Min,
            "abs" => Call::Abs,
            "int" => Call::Int,
            _ => return None,
        })
    }

    /// The call on its arguments, of which the parser has seen to it that there is at least one.
    fn of(self, values: &[i128]) -> Result<i128, ValueError> {
        let value = match self {
            Call::Max => values.iter().max().copied(),
            Call::Min => values.iter().min().copied(),
            Call::Abs => values.first().and_then(|value| value.checked_abs()),
            Call::Int => values.first().copied(),
        };
        value.ok_or(ValueError::Overflow)
    }
}

#[cfg(test)]
mod tests;
