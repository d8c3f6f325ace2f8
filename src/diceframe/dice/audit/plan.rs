//! What is asked for, action by action. It follows from their number alone, but for attributes, which are drawn.

use super::subject::Subject;
use crate::diceframe::codes;
use crate::diceframe::dice::check::{CheckKind, Defender, Mode, Request, Skill};
use crate::diceframe::dice::faces::Generator;
use crate::diceframe::rules::DiceSystem;
use crate::types::{Pointer, Problem};
use serde_json::Value;

/// What an attribute reaches from and to where a rule does not say (docs/spec/diceframe.md#reading-31).
const USUAL_RANGE: (i32, i32) = (3, 18);
/// The attribute of a rule that declares none.
const USUAL_ATTRIBUTE: &str = "dex";

/// The built-in rule whose campaign is fixed.
const FIXED: &str = "dnd5e";
/// Its players, in turn: attribute, its value, and the difficulty class before the shift of the round.
const FIXED_PARTY: [(&str, i32, i32); 6] =
    [("str", 16, 12), ("dex", 16, 14), ("int", 15, 15), ("wis", 14, 13), ("cha", 16, 15), ("con", 14, 16)];
const FIXED_SHIFTS: [i32; 5] = [-2, 0, 0, 1, 2];

/// What a campaign of one rule asks for.
#[derive(Clone, Debug)]
pub(super) struct Plan<'s> {
    system: DiceSystem,
    attribute: &'s str,
    range: (i32, i32),
    is_fixed: bool,
    /// Whether the rule says anything of attacks.
    attacks: bool,
    players: u32,
}

/// One action.
#[derive(Clone, Debug)]
pub(super) struct Action<'s> {
    pub round: u32,
    pub player: u32,
    pub attribute: &'s str,
    pub requested: Option<Mode>,
    pub request: Request<'static>,
}

impl<'s> Plan<'s> {
    /// Fails for a rule whose first attribute has no values (D18).
    pub fn of(subject: &'s Subject, system: DiceSystem, players: u32) -> Result<Self, Box<Problem>> {
        let rule = &subject.resolved;
        let first = rule.pointer("/attributes/0");
        let bound = |key: &str, usual: i32| {
            let said = first.and_then(|attribute| attribute.get(key)?.as_i64());
            said.map_or(usual, |bound| bound.clamp(i32::MIN.into(), i32::MAX.into()) as i32)
        };
        let range = (bound("min", USUAL_RANGE.0), bound("max", USUAL_RANGE.1));
        if range.0 > range.1 {
            let pointer = Pointer::root().at("attributes").at(0);
            let message = format!("the attribute ranges from {} down to {}", range.0, range.1);
            return Err(Box::new(Problem::new(codes::D18, &pointer, message)));
        }
        let mechanic = |key: &str| rule.pointer("/check_mechanic").and_then(|mechanic| mechanic.get(key));
        Ok(Plan {
            system,
            attribute: first
                .and_then(|attribute| attribute.get("key").and_then(Value::as_str))
                .unwrap_or(USUAL_ATTRIBUTE),
            range,
            is_fixed: subject.name == FIXED,
            attacks: ["attack_target", "attack_critical"].into_iter().any(|key| mechanic(key).is_some()),
            players,
        })
    }

    /// The action of a player in a round, both counted from 1. `values` draws attributes and nothing else.
    pub fn action(&self, round: u32, player: u32, values: &mut Generator) -> Action<'s> {
        let number = (u64::from(round) - 1) * u64::from(self.players) + u64::from(player);
        // Below 1,000, so that it fits whatever it is used for.
        let cycle = |factor: u64, length: u64| (factor * (number % length) % length) as i32;
        let requested = match (u64::from(round) + u64::from(player) - 2) % 3 {
            0 => None,
            1 => Some(Mode::Advantage),
            _ => Some(Mode::Disadvantage),
        };
        let request = match self.system {
            DiceSystem::D20 | DiceSystem::None => self.d20(cycle, values),
            DiceSystem::D100 => self.d100(cycle, values),
        };
        let mut request = Request {
            modes: requested.into(),
            // Now and then a player claims the mode in words, or another one helps.
            claimed: cycle(1, 7) == 0,
            helped: self.players > 1 && cycle(1, 4) == 0,
            ..request
        };
        let mut attribute = self.attribute;
        if self.is_fixed {
            let (name, value, dc) = FIXED_PARTY[(player as usize - 1) % FIXED_PARTY.len()];
            let shift = FIXED_SHIFTS[(round as usize - 1) % FIXED_SHIFTS.len()];
            attribute = name;
            request = Request { attribute: Some(value), circumstance: 0, target: Some(dc + shift), ..request };
        }
        Action { round, player, attribute, requested, request }
    }

    /// Every kind of check, difficulties beyond every cap, and a matched skill every other time.
    fn d20(&self, cycle: impl Fn(u64, u64) -> i32, values: &mut Generator) -> Request<'static> {
        let kind = match cycle(1, 5) {
            3 if self.attacks => {
                let defender = Defender { attribute: Some(4 + cycle(13, 23)), armor: cycle(7, 9) };
                CheckKind::Attack { defender: (cycle(1, 3) != 0).then_some(defender) }
            }
            4 => CheckKind::Opposed { opponent: Some(3 + cycle(5, 16)) },
            _ => CheckKind::Ordinary,
        };
        Request {
            kind,
            attribute: Some(values.between(self.range.0, self.range.1)),
            skill: (cycle(1, 2) == 0).then(|| Skill { value: Some(cycle(37, 100)) }),
            level: Some(1 + cycle(1, 20)),
            circumstance: cycle(1, 11) - 5,
            target: Some(1 + cycle(17, 45)),
            ..Request::default()
        }
    }

    /// Skills of every value, and an attribute every fourth time.
    fn d100(&self, cycle: impl Fn(u64, u64) -> i32, values: &mut Generator) -> Request<'static> {
        Request {
            attribute: Some(values.between(self.range.0, self.range.1)),
            skill: (cycle(1, 4) != 1).then(|| Skill { value: Some(1 + cycle(37, 99)) }),
            circumstance: cycle(1, 9) - 4,
            luck: cycle(1, 40),
            ..Request::default()
        }
    }
}
