//! The referee: it computes every check anew, from the rule's own JSON and the dice as they fell.
//!
//! Nothing here comes from the resolver it watches over, not the reading of a rule and not the arithmetic, and where
//! there are two ways to compute something this is the other one: verdicts are looked up in painted tables, thresholds
//! compared by multiplication, formulas run on a stack. All that both know is what a request, a roll and a verdict are.
//!
//! The numbers of the statements are those of the spec (docs/spec/diceframe.md#referee-codes). E12 and E13, that the
//! roller's own flags for criticals and fumbles agree with the verdict, are missing: the verdict is the only place here
//! that says so.

mod arithmetic;
mod d100;
mod d20;
#[cfg(test)]
mod tests;

use crate::diceframe::codes;
use crate::diceframe::dice::check::{Mode, Outcome, Request, Roll};
use crate::types::Rule;
use serde_json::Value;

/// Who holds the checks of one rule to what the rule declares.
pub(super) enum Referee {
    D20(d20::Referee),
    D100(d100::Referee),
    None,
}

impl Referee {
    pub fn of(rule: &Value) -> Self {
        match rule["dice_system"].as_str().unwrap_or_default().to_lowercase().as_str() {
            "none" => Referee::None,
            "d100" => Referee::D100(d100::Referee::of(rule)),
            _ => Referee::D20(d20::Referee::of(rule)),
        }
    }

    /// Whatever does not hold of an outcome, each with the number of its statement.
    pub fn complaints(&self, request: &Request, outcome: Option<&Outcome>) -> Vec<String> {
        let mut complaints = Complaints::default();
        match (self, outcome) {
            (Referee::None, None) => {}
            (Referee::None, Some(_)) => complaints.add(codes::E15, "a rule without checks made a check"),
            (Referee::D20(referee), Some(Outcome::D20(outcome))) => referee.watch(request, outcome, &mut complaints),
            (Referee::D100(referee), Some(Outcome::D100(outcome))) => {
                referee.watch(request, outcome, &mut complaints);
            }
            (_, None) => complaints.add(codes::E14, "no check was made"),
            (_, Some(_)) => complaints.add(codes::E01, "the dice belong to another rule"),
        }
        complaints.0
    }
}

#[derive(Default)]
struct Complaints(Vec<String>);

impl Complaints {
    fn add(&mut self, statement: &Rule, text: impl std::fmt::Display) {
        self.0.push(format!("{statement}: {text}"));
    }

    fn hold<T: PartialEq + std::fmt::Debug>(&mut self, statement: &Rule, what: &str, is: T, should: T) {
        if is != should {
            self.add(statement, format_args!("{what} is {is:?}, but should be {should:?}"));
        }
    }

    /// E01, E02 and E09 to E11: faces, how many there are, and which one is kept.
    fn hold_roll(&mut self, roll: &Roll, sides: u32, mode: Option<Mode>) {
        let all = roll.rolls.iter().chain([&roll.value]);
        if all.into_iter().any(|face| *face == 0 || *face > sides) {
            self.add(codes::E01, format_args!("{:?} has a value that a d{sides} does not have", roll.rolls));
        }
        if !roll.rolls.contains(&roll.value) {
            self.add(codes::E02, format_args!("{} counts, but is not one of {:?}", roll.value, roll.rolls));
        }
        let statement = match mode {
            Some(Mode::Advantage) => codes::E09,
            Some(Mode::Disadvantage) => codes::E10,
            None => codes::E11,
        };
        self.hold(statement, "the number of dice", roll.rolls.len(), if mode.is_some() { 2 } else { 1 });
        let mut sorted = roll.rolls.clone();
        sorted.sort_unstable();
        // Advantage is the high end of a d20 and the low end of a d100.
        let high = (sides == 20) == (mode == Some(Mode::Advantage));
        if let Some(kept) = if high { sorted.last() } else { sorted.first() } {
            self.hold(statement, "the die that counts", roll.value, *kept);
        }
    }
}

/// An integer of JSON, by its text; what is beyond 32 bits is their end.
fn number(value: &Value) -> Option<i64> {
    let written = value.is_number().then(|| value.to_string())?;
    let number: i128 = written.parse().ok()?;
    Some(number.min(i128::from(i32::MAX)).max(i128::from(i32::MIN)) as i64)
}

/// The middle one of three.
fn middle(a: i64, b: i64, c: i64) -> i64 {
    let mut three = [a, b, c];
    three.sort_unstable();
    three[1]
}

fn count(value: Option<i32>, usual: i64) -> i64 {
    match value {
        None | Some(0) => usual,
        Some(value) => value as i64,
    }
}

/// How a rule whose mode has this type has a request rolled.
fn mode(rule: &Value, wanted: &str, request: &Request, helpers_count: bool) -> Option<Mode> {
    let declared = &rule["check_mechanic"]["advantage"];
    if declared["type"] != wanted {
        return None;
    }
    let counts = !request.claimed || declared["allow_explicit"].as_bool().unwrap_or(true);
    let (up, down) = (request.modes.advantage && counts, request.modes.disadvantage && counts);
    let helped = request.helped && helpers_count && !up && !down;
    let up = up || (helped && declared["assistance_grants"] == "advantage");
    let down = down || (helped && declared["assistance_grants"] == "disadvantage");
    match i8::from(up) - i8::from(down) {
        1 => Some(Mode::Advantage),
        -1 => Some(Mode::Disadvantage),
        _ => None,
    }
}
