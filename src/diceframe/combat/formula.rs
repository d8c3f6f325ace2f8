/// A bounded formula: a tree of a few known operations over whole numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    Constant(i64),
    Attribute(String),
    Resource(String),
    Dice(Roll),
    Negate(Box<Formula>),
    Subtract(Box<[Formula; 2]>),
    Multiply(Box<[Formula; 2]>),
    /// At least one term, as for the two below.
    Add(Vec<Formula>),
    Min(Vec<Formula>),
    Max(Vec<Formula>),
}

/// How large a formula may be, and its result.
#[derive(Clone, Copy, Debug)]
pub struct Limits;

impl Limits {
    /// Nesting; the root is at 0.
    pub const DEPTH: usize = 8;
    pub const NODES: usize = 64;
    pub const DICE: usize = 8;
    /// A result is from the negative of this to this. What leads to it may be larger
    /// (docs/spec/diceframe.md#reading-18).
    pub const RESULT: i64 = 100_000;
}

/// `NdM`: so many dice of so many sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Roll {
    /// 1 to 100.
    pub count: u32,
    /// 2 to 9999.
    pub sides: u32,
}

/// What a formula's names stand for.
pub trait Scope {
    /// The value of an attribute, if the fighter has it.
    fn attribute(&self, id: &str) -> Option<i64>;
    /// What a pool holds, if the fighter has it.
    fn resource(&self, id: &str) -> Option<i64>;
    /// The sum of the faces.
    fn roll(&mut self, dice: Roll) -> i64;
}

/// Why a formula has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormulaError {
    #[error("unknown attribute `{0}`")]
    NoAttribute(String),
    #[error("unknown resource `{0}`")]
    NoResource(String),
    #[error("an intermediate value is too large")]
    Overflow,
    #[error("the result {0} is beyond ±{max}", max = Limits::RESULT)]
    OutOfBounds(i128),
}

impl Formula {
    /// The result; every die is thrown once, in the order it is written.
    pub fn evaluate(&self, scope: &mut impl Scope) -> Result<i64, FormulaError> {
        let result = self.value(scope)?;
        match i64::try_from(result) {
            Ok(fits) if (-Limits::RESULT..=Limits::RESULT).contains(&fits) => Ok(fits),
            _ => Err(FormulaError::OutOfBounds(result)),
        }
    }

    fn value(&self, scope: &mut impl Scope) -> Result<i128, FormulaError> {
        let checked = |value: Option<i128>| value.ok_or(FormulaError::Overflow);
        let [a, b] = match self {
            Formula::Constant(value) => return Ok((*value).into()),
            Formula::Attribute(id) => {
                let value = scope.attribute(id).ok_or_else(|| FormulaError::NoAttribute(id.clone()))?;
                return Ok(value.into());
            }
            Formula::Resource(id) => {
                let value = scope.resource(id).ok_or_else(|| FormulaError::NoResource(id.clone()))?;
                return Ok(value.into());
            }
            Formula::Dice(dice) => return Ok(scope.roll(*dice).into()),
            Formula::Negate(term) => return checked(term.value(scope)?.checked_neg()),
            Formula::Add(terms) => return fold(terms, scope, i128::checked_add),
            Formula::Min(terms) => return fold(terms, scope, |a, b| Some(a.min(b))),
            Formula::Max(terms) => return fold(terms, scope, |a, b| Some(a.max(b))),
            Formula::Subtract(terms) | Formula::Multiply(terms) => terms.as_ref(),
        };
        let (a, b) = (a.value(scope)?, b.value(scope)?);
        checked(if matches!(self, Formula::Multiply(_)) { a.checked_mul(b) } else { a.checked_sub(b) })
    }
}

fn fold(terms: &[Formula], scope: &mut impl Scope, join: fn(i128, i128) -> Option<i128>) -> Result<i128, FormulaError> {
    let mut terms = terms.iter();
    // An empty list cannot be read; nothing added up is nothing.
    let Some(first) = terms.next() else { return Ok(0) };
    let first = first.value(scope)?;
    terms.try_fold(first, |so_far, term| join(so_far, term.value(scope)?).ok_or(FormulaError::Overflow))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Sheet;

    impl Scope for Sheet {
        fn attribute(&self, id: &str) -> Option<i64> {
            (id == "str").then_some(12)
        }

        fn resource(&self, id: &str) -> Option<i64> {
            (id == "hp").then_some(30)
        }

        fn roll(&mut self, dice: Roll) -> i64 {
            dice.count.into()
        }
    }

    fn constant(value: i64) -> Formula {
        Formula::Constant(value)
    }

    fn times(a: Formula, b: Formula) -> Formula {
        Formula::Multiply(Box::new([a, b]))
    }

    #[test]
    fn every_operation() {
        let str = || Formula::Attribute("str".into());
        let of = |formula: Formula| formula.evaluate(&mut Sheet);
        assert_eq!(of(str()), Ok(12));
        assert_eq!(of(Formula::Resource("hp".into())), Ok(30));
        assert_eq!(of(Formula::Dice(Roll { count: 3, sides: 6 })), Ok(3));
        assert_eq!(of(Formula::Negate(Box::new(str()))), Ok(-12));
        assert_eq!(of(Formula::Subtract(Box::new([constant(5), str()]))), Ok(-7));
        assert_eq!(of(times(str(), constant(-2))), Ok(-24));
        assert_eq!(of(Formula::Add(vec![str(), constant(1), constant(-20)])), Ok(-7));
        assert_eq!(of(Formula::Min(vec![str(), constant(1), constant(20)])), Ok(1));
        assert_eq!(of(Formula::Max(vec![str(), constant(1), constant(20)])), Ok(20));
        assert_eq!(of(Formula::Attribute("con".into())), Err(FormulaError::NoAttribute("con".into())));
        assert_eq!(of(Formula::Resource("qi".into())), Err(FormulaError::NoResource("qi".into())));
    }

    #[test]
    fn only_the_last_result_is_bounded_and_overflow_is_refused() {
        let of = |formula: Formula| formula.evaluate(&mut Sheet);
        let huge = || times(constant(i64::MAX), constant(i64::MAX));
        assert_eq!(of(constant(100_000)), Ok(100_000));
        assert_eq!(of(constant(-100_000)), Ok(-100_000));
        assert_eq!(of(constant(100_001)), Err(FormulaError::OutOfBounds(100_001)));
        assert_eq!(of(constant(-100_001)), Err(FormulaError::OutOfBounds(-100_001)));
        assert_eq!(of(times(huge(), constant(0))), Ok(0));
        assert_eq!(of(times(times(huge(), constant(9)), constant(0))), Err(FormulaError::Overflow));
    }
}
