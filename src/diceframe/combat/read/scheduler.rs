use super::super::block::{Consumed, Overflow, Scheduler, Threshold, Turns};
use super::Reader;
use super::formula::FormulaUse;
use super::node::{Node, wanted};
use crate::diceframe::codes;
use serde_json::Value;

const KEYS: [&str; 7] = ["kind", "gauge", "speed", "threshold", "overflow", "consume", "speed_formula"];
const GAUGE: &str = "action_gauge";
const SPEED: &str = "action_speed";
const FULL: i64 = 100;

impl Reader<'_> {
    /// The scheduler; `Some(None)` where the block has none. Its name for the speed is kept for the actions.
    pub(super) fn scheduler(&mut self, block: &Node<'_>) -> Option<Option<Scheduler>> {
        let value = match block.get("scheduler") {
            None | Some(Value::Null) => return Some(None),
            Some(value) => value,
        };
        let node = Node::read(value, block.at.at("scheduler"), codes::C02, "`scheduler`", self.problems)?;
        node.report_strangers(&KEYS, self.problems);
        let kind = self.kind_of_scheduler(&node);
        let gauge = node.optional_text("gauge", codes::C06, self.problems).unwrap_or(GAUGE).to_owned();
        let speed = node.optional_text("speed", codes::C06, self.problems).unwrap_or(SPEED).to_owned();
        self.speed = Some(speed.clone());
        let formula = node.get("speed_formula");
        let speed_formula =
            formula.and_then(|value| self.formula(value, node.at.at("speed_formula"), FormulaUse::Speed, codes::C07));
        let turns = match kind? {
            "threshold" => {
                let full = node.optional_count("threshold", codes::C03, self.problems).unwrap_or(FULL);
                let overflow = [("carry", Overflow::Carry), ("clamp", Overflow::Clamp)];
                let overflow = node.optional_word("overflow", codes::C04, &overflow, self.problems);
                let consume = [("reset", Consumed::Reset), ("carry", Consumed::Carry)];
                let consume = node.optional_word("consume", codes::C05, &consume, self.problems);
                Turns::Threshold(Threshold {
                    full,
                    overflow: overflow.unwrap_or(Overflow::Carry),
                    consume: consume.unwrap_or(Consumed::Reset),
                    speed: speed_formula,
                })
            }
            "initiative" => Turns::Initiative,
            _ => Turns::RoundRobin,
        };
        Some(Some(Scheduler { gauge, speed, turns }))
    }

    /// The only word of the block around which blanks do not count.
    fn kind_of_scheduler(&mut self, node: &Node<'_>) -> Option<&'static str> {
        let Some(value) = node.get("kind") else {
            self.report(codes::C02, &node.at, "`kind` is missing");
            return None;
        };
        let kinds = ["threshold", "initiative", "round_robin"];
        let kind = value.as_str().and_then(|text| kinds.into_iter().find(|kind| *kind == text.trim()));
        if kind.is_none() {
            let want = "one of `threshold`, `initiative`, `round_robin`";
            self.report(codes::C02, &node.at.at("kind"), wanted("kind", value, want));
        }
        kind
    }
}
