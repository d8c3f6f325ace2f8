use super::super::formula::{Formula, Limits, Roll};
use super::Reader;
use super::node::{Node, differs, wanted};
use crate::diceframe::codes;
use crate::json::excerpt;
use crate::types::{Pointer, Problems, Rule};
use serde_json::Value;

/// Where a formula stands, which decides what it may read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FormulaUse {
    /// A cost or an effect.
    Amount,
    /// Attributes and constants only.
    Speed,
}

/// What has been read of one formula so far.
#[derive(Default)]
struct Tally {
    nodes: usize,
    dice: usize,
    /// A limit is exceeded, which is told once; nothing more is read then.
    is_over: bool,
}

impl Reader<'_> {
    /// The formula a value is. What is no node at all is a finding under `code`: C07 for a speed, C31 otherwise.
    pub(super) fn formula(
        &mut self,
        value: &Value,
        at: Pointer,
        place: FormulaUse,
        code: &'static Rule,
    ) -> Option<Formula> {
        if !value.is_object() {
            self.report(code, &at, differs("a formula", value, "an object with `op`"));
            return None;
        }
        self.node(value, at, 0, place, &mut Tally::default())
    }

    fn node(
        &mut self,
        value: &Value,
        at: Pointer,
        depth: usize,
        place: FormulaUse,
        tally: &mut Tally,
    ) -> Option<Formula> {
        if tally.is_over {
            return None;
        }
        tally.nodes += 1;
        if depth > Limits::DEPTH {
            return self.over(tally, &at, format!("the formula is nested deeper than {} levels", Limits::DEPTH));
        }
        if tally.nodes > Limits::NODES {
            return self.over(tally, &at, format!("the formula has more than {} nodes", Limits::NODES));
        }
        let node = Node::read(value, at, codes::C31, "a formula", self.problems)?;
        let op = match node.get("op") {
            None => {
                self.report(codes::C31, &node.at, "`op` is missing");
                return None;
            }
            Some(op) => op,
        };
        let leaf = |key: &str, problems: &mut Problems| node.report_strangers(&["op", key], problems);
        match op.as_str().unwrap_or_default() {
            "constant" => {
                leaf("value", self.problems);
                self.constant(&node)
            }
            "attribute" => {
                leaf("id", self.problems);
                self.attribute(&node)
            }
            "resource" if place == FormulaUse::Amount => {
                leaf("id", self.problems);
                self.resource_of(&node)
            }
            "dice" if place == FormulaUse::Amount => {
                leaf("formula", self.problems);
                self.dice(&node, tally)
            }
            "dice" => {
                self.report(codes::C08, &node.at, "dice are not allowed in `speed_formula`");
                None
            }
            op @ ("resource" | "derived_stat" | "equipment_stat") if place == FormulaUse::Speed => {
                self.report(codes::C09, &node.at, format!("`{op}` is not allowed in `speed_formula`"));
                None
            }
            op @ ("add" | "min" | "max" | "subtract" | "multiply" | "negate") => {
                leaf("args", self.problems);
                self.operation(op, &node, depth, place, tally)
            }
            _ => {
                let want = "one of `constant`, `attribute`, `resource`, `dice`, `add`, `subtract`, `multiply`, `min`, \
                            `max`, `negate`";
                self.report(codes::C31, &node.at.at("op"), wanted("op", op, want));
                None
            }
        }
    }

    fn over(&mut self, tally: &mut Tally, at: &Pointer, message: String) -> Option<Formula> {
        tally.is_over = true;
        self.report(codes::C32, at, message);
        None
    }

    fn constant(&mut self, node: &Node<'_>) -> Option<Formula> {
        let Some(value) = node.get("value") else {
            self.report(codes::C33, &node.at, "`value` is missing");
            return None;
        };
        if value.as_i64().is_none() {
            let want = "a 64-bit integer without a decimal point";
            self.report(codes::C33, &node.at.at("value"), wanted("value", value, want));
        }
        value.as_i64().map(Formula::Constant)
    }

    fn attribute(&mut self, node: &Node<'_>) -> Option<Formula> {
        let id = node.text("id", codes::C34, self.problems)?;
        if !self.attributes.contains_key(id) {
            let message = format!("`{}` is not declared in `attributes` of this rule", excerpt(id));
            self.report(codes::C34, &node.at.at("id"), message);
            return None;
        }
        Some(Formula::Attribute(id.to_owned()))
    }

    fn resource_of(&mut self, node: &Node<'_>) -> Option<Formula> {
        let id = node.text("id", codes::C35, self.problems)?;
        if !self.resources.as_ref()?.contains_key(id) {
            let message = format!("`{}` is not declared in `resources`", excerpt(id));
            self.report(codes::C35, &node.at.at("id"), message);
            return None;
        }
        Some(Formula::Resource(id.to_owned()))
    }

    fn dice(&mut self, node: &Node<'_>, tally: &mut Tally) -> Option<Formula> {
        tally.dice += 1;
        if tally.dice > Limits::DICE {
            return self.over(tally, &node.at, format!("the formula has more than {} dice nodes", Limits::DICE));
        }
        let Some(value) = node.get("formula") else {
            self.report(codes::C36, &node.at, "`formula` is missing");
            return None;
        };
        let roll = value.as_str().and_then(roll);
        if roll.is_none() {
            let want = "exactly `NdM`, with 1 to 100 dice of 2 to 9999 sides";
            self.report(codes::C36, &node.at.at("formula"), wanted("formula", value, want));
        }
        roll.map(Formula::Dice)
    }

    fn operation(
        &mut self,
        op: &str,
        node: &Node<'_>,
        depth: usize,
        place: FormulaUse,
        tally: &mut Tally,
    ) -> Option<Formula> {
        let args = node.list("args", codes::C31, self.problems)?;
        let at = node.at.at("args");
        let takes = match op {
            "negate" => Some(1),
            "subtract" | "multiply" => Some(2),
            _ => None,
        };
        let fits = takes.map_or(!args.is_empty(), |takes| args.len() == takes);
        if !fits {
            let takes = takes.map_or("at least 1".to_owned(), |takes| takes.to_string());
            self.report(codes::C31, &at, format!("`{op}` has {} arguments, but takes {takes}", args.len()));
        }
        let mut terms = Vec::with_capacity(args.len().min(Limits::NODES));
        for (index, arg) in args.iter().enumerate() {
            let term = self.node(arg, at.at(index), depth + 1, place, tally);
            terms.extend(term);
            if tally.is_over {
                return None;
            }
        }
        if terms.len() != args.len() || !fits {
            return None;
        }
        Some(match op {
            "add" => Formula::Add(terms),
            "min" => Formula::Min(terms),
            "max" => Formula::Max(terms),
            "negate" => Formula::Negate(Box::new(terms.pop()?)),
            op => {
                let pair: Box<[Formula; 2]> = Box::new(terms.try_into().ok()?);
                if op == "subtract" { Formula::Subtract(pair) } else { Formula::Multiply(pair) }
            }
        })
    }
}

/// `NdM` as it can be thrown: no modifier, no blank, no leading zero, nothing left out
/// (docs/spec/diceframe.md#reading-17).
fn roll(text: &str) -> Option<Roll> {
    let number = |text: &str, longest: usize| {
        let plain = text.len() <= longest && !text.starts_with('0') && text.bytes().all(|b| b.is_ascii_digit());
        plain.then(|| text.parse::<u32>().ok()).flatten()
    };
    let (count, sides) = text.split_once('d')?;
    let (count, sides) = (number(count, 3)?, number(sides, 4)?);
    (count <= 100 && sides >= 2).then_some(Roll { count, sides })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_dice_that_can_be_thrown_are_read() {
        assert_eq!(roll("1d6"), Some(Roll { count: 1, sides: 6 }));
        assert_eq!(roll("100d9999"), Some(Roll { count: 100, sides: 9999 }));
        assert_eq!(roll("1d2"), Some(Roll { count: 1, sides: 2 }));
        for wrong in [
            "d6", "0d6", "01d6", "1d06", "101d6", "999d9999", "1d1", "1d10000", "1d6+1", "1D6", " 1d6", "1d6 ", "1d",
            "", "+1d6", "1d6d6", "१d6",
        ] {
            assert_eq!(roll(wrong), None, "{wrong}");
        }
    }
}
