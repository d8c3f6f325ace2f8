//! The arithmetic of `proficiency_formula` once more: brought into the order of a stack machine by the shunting yard,
//! and run there. It reads what the parser of [`crate::diceframe::dice::text_formula`] has accepted, and tells nobody
//! what is wrong with anything else.

/// Steps of a stack machine.
#[derive(Debug)]
pub(super) struct Program(Vec<Step>);

#[derive(Clone, Debug, PartialEq)]
enum Step {
    Push(i128),
    Level,
    Negate,
    /// `+`, `-`, `*`, `/`, or `~` for `//`.
    Combine(char),
    Call(String, usize),
}

/// What waits in the yard.
enum Waiting {
    Step(Step),
    Parenthesis,
    /// A call and how many commas it has had.
    Call(String, usize),
}

impl Program {
    pub fn compile(text: &str) -> Option<Self> {
        let mut yard = Yard { signs: text.chars().filter(|sign| !sign.is_whitespace()).collect(), ..Yard::default() };
        while yard.step()? {}
        Some(Program(yard.done))
    }

    /// Its value at a level; any other name is 0.
    pub fn run(&self, level: i64) -> Option<i64> {
        let mut stack: Vec<i128> = Vec::new();
        for step in &self.0 {
            let value = match step {
                Step::Push(number) => *number,
                Step::Level => level.into(),
                Step::Negate => 0_i128.checked_sub(stack.pop()?)?,
                Step::Combine(sign) => {
                    let (right, left) = (stack.pop()?, stack.pop()?);
                    combine(*sign, left, right)?
                }
                Step::Call(name, takes) => {
                    let mut values = stack.split_off(stack.len().checked_sub(*takes)?);
                    values.sort_unstable();
                    match name.as_str() {
                        "max" => *values.last()?,
                        "min" => *values.first()?,
                        "abs" => i128::try_from(values.first()?.unsigned_abs()).ok()?,
                        _ => *values.first()?,
                    }
                }
            };
            stack.push(value);
        }
        i32::try_from(stack.pop()?).ok().map(i64::from)
    }
}

fn combine(sign: char, left: i128, right: i128) -> Option<i128> {
    match sign {
        '+' => left.checked_add(right),
        '-' => left.checked_sub(right),
        '*' => left.checked_mul(right),
        '/' => {
            let size = i128::try_from(left.unsigned_abs().checked_div(right.unsigned_abs())?).ok()?;
            Some(if (left < 0) == (right < 0) { size } else { -size })
        }
        _ if right < 0 => left.checked_neg()?.checked_div_euclid(right.checked_neg()?),
        _ => left.checked_div_euclid(right),
    }
}

#[derive(Default)]
struct Yard {
    signs: Vec<char>,
    at: usize,
    waiting: Vec<Waiting>,
    done: Vec<Step>,
    /// Whether the last thing read was an operand.
    after_operand: bool,
}

impl Yard {
    /// Reads one thing; false at the end.
    fn step(&mut self) -> Option<bool> {
        let Some(sign) = self.signs.get(self.at).copied() else {
            while let Some(waiting) = self.waiting.pop() {
                let Waiting::Step(step) = waiting else { return None };
                self.done.push(step);
            }
            return Some(false);
        };
        if sign.is_alphanumeric() || sign == '_' {
            self.word();
            return Some(true);
        }
        self.at += 1;
        match sign {
            '(' => self.waiting.push(Waiting::Parenthesis),
            ')' => self.close()?,
            ',' => {
                self.release(0);
                let Some(Waiting::Call(_, commas)) = self.waiting.last_mut() else { return None };
                *commas += 1;
                self.after_operand = false;
            }
            '-' if !self.after_operand => self.waiting.push(Waiting::Step(Step::Negate)),
            '+' if !self.after_operand => {}
            _ => {
                let is_double = sign == '/' && self.signs.get(self.at) == Some(&'/');
                self.at += usize::from(is_double);
                let step = Step::Combine(if is_double { '~' } else { sign });
                self.release(rank(&step));
                self.waiting.push(Waiting::Step(step));
                self.after_operand = false;
            }
        }
        Some(true)
    }

    /// A number, a name or a call with its parenthesis.
    fn word(&mut self) {
        let rest = &self.signs[self.at..];
        let is_of_it = |sign: &&char| sign.is_alphanumeric() || **sign == '_';
        let word: String = rest.iter().take_while(is_of_it).collect();
        self.at += word.chars().count();
        if self.signs.get(self.at) == Some(&'(') {
            self.at += 1;
            self.waiting.push(Waiting::Call(word, 0));
            return;
        }
        self.done.push(match word.parse() {
            Ok(number) => Step::Push(number),
            Err(_) if word == "level" => Step::Level,
            Err(_) => Step::Push(0),
        });
        self.after_operand = true;
    }

    fn close(&mut self) -> Option<()> {
        self.release(0);
        if let Waiting::Call(name, commas) = self.waiting.pop()? {
            // A comma after the last argument separates nothing.
            let takes = commas + usize::from(self.after_operand);
            self.done.push(Step::Call(name, takes));
        }
        self.after_operand = true;
        Some(())
    }

    /// Lets go whatever waits and binds at least as tightly.
    fn release(&mut self, least: u8) {
        while let Some(Waiting::Step(step)) = self.waiting.last()
            && rank(step) >= least
        {
            self.done.push(step.clone());
            self.waiting.pop();
        }
    }
}

/// How tightly a step binds.
fn rank(step: &Step) -> u8 {
    match step {
        Step::Combine('+' | '-') => 1,
        Step::Combine(_) => 2,
        _ => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diceframe::dice::text_formula::TextFormula;
    use proptest::prelude::*;

    fn both(text: &str, level: i64) -> Result<(), TestCaseError> {
        let Ok(formula) = TextFormula::parse(text) else { return Ok(()) };
        let value = formula.value(&|name| (name == "level").then_some(level));
        let value = value.ok().and_then(|value| i32::try_from(value).ok()).map(i64::from);
        let program = Program::compile(text);
        prop_assert_eq!(program.and_then(|program| program.run(level)), value, "{}", text);
        Ok(())
    }

    #[test]
    fn it_agrees_on_what_is_usual() {
        for text in ["max(2, 2 + (level - 1) // 4)", "-level // 2 * 3 - -4", "min(abs(-3), int(7/2),)", "2*-3+level"] {
            for level in -5..25 {
                both(text, level).unwrap();
            }
        }
    }

    fn formula() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![(0..30_u32).prop_map(|n| n.to_string()), Just("level".to_owned()), Just("x".to_owned())];
        leaf.prop_recursive(4, 24, 3, |inner| {
            let sign = prop_oneof![Just("+"), Just("-"), Just("*"), Just("/"), Just("//"), Just(" - -"), Just("*+")];
            let call = prop_oneof![Just("max"), Just("min")];
            prop_oneof![
                4 => (inner.clone(), sign, inner.clone()).prop_map(|(left, sign, right)| format!("{left}{sign}{right}")),
                1 => inner.clone().prop_map(|part| format!("({part})")),
                1 => inner.clone().prop_map(|part| format!("-{part}")),
                1 => inner.clone().prop_map(|part| format!("abs({part})")),
                1 => (call, prop::collection::vec(inner, 1..4)).prop_map(|(call, parts)| format!("{call}({})", parts.join(", "))),
            ]
        })
    }

    proptest! {
        #[test]
        fn it_never_disagrees(text in formula(), level in -30_i64..30) {
            both(&text, level)?;
        }

        #[test]
        fn it_never_disagrees_on_any_text(text in "[-+*/()0-3a, ]{0,14}") {
            both(&text, 1)?;
        }

        #[test]
        fn no_text_makes_it_panic(text in "\\PC{0,30}|[-+*/(),0-9a]{0,30}") {
            if let Some(program) = Program::compile(&text) {
                program.run(i64::MAX);
            }
        }
    }
}
