//! A check of a d20: roll and modifiers must reach the difficulty class.

use super::mode::{Advantage, Mode};
use super::read::{flag, integer, mechanic, object};
use super::request::{CheckKind, Defender, ProficiencyFault, Refusal, Request, Skill};
use super::roll::Roll;
use super::{USUAL_SKILL, attribute, circumstance};
use crate::diceframe::codes;
use crate::diceframe::dice::faces::Faces;
use crate::diceframe::dice::text_formula::{DEFAULT_PROFICIENCY, TextFormula, ValueError};
use crate::diceframe::dice::verdict::Verdict;
use crate::types::{Pointer, Problem};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// `max_check_dc` where a rule has none that can be read.
const USUAL_CAP: i32 = 20;
const MAX_CAP: i32 = 40;
/// `dc_table.normal` where a rule has none.
const NORMAL_DC: i32 = 15;
const USUAL_DIFFICULTIES: [(&str, i32); 3] = [("轻松", -2), ("标准", 0), ("硬核", 2)];

/// A rule whose checks are d20.
#[derive(Clone, Debug)]
pub struct D20 {
    advantage: Advantage,
    cap: i64,
    normal_dc: i64,
    difficulties: BTreeMap<String, i32>,
    critical: Critical,
    attack_critical: Critical,
    armor_class: Option<ArmorClass>,
    /// The formula, where skills are a matter of proficiency.
    proficiency: Option<TextFormula>,
    attack_proficiency: bool,
    /// Least skill value to bonus, by value.
    bonuses: Vec<(i64, i64)>,
}

/// The naturals that decide whatever the total is; none where that is switched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Critical {
    success: Option<u32>,
    failure: Option<u32>,
}

/// How hard somebody is to hit (`attack_target`).
#[derive(Clone, Copy, Debug)]
struct ArmorClass {
    base: i64,
    include_armor: bool,
    min: i64,
    max: i64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct D20Outcome {
    pub mode: Option<Mode>,
    pub roll: Roll,
    /// All of `parts` together.
    pub modifier: i64,
    pub parts: Parts,
    pub total: i64,
    /// The difficulty class as it counted.
    pub dc: i64,
    /// What the other side of an opposed check came to, to be kept for a retry.
    pub opponent: Option<i64>,
    pub verdict: Verdict,
}

/// What a modifier is made of; a part that has no say is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    pub attribute: i64,
    /// What `skill_value_to_bonus` gives; nothing where skills are a matter of proficiency.
    pub skill: i64,
    /// What `proficiency_formula` gives.
    pub proficiency: i64,
    /// As it counts, from -20 to 20.
    pub circumstance: i64,
}

impl D20 {
    pub(super) fn of(resolved: &Value) -> Result<Self, Box<Problem>> {
        let mechanic = mechanic(resolved);
        let critical = Critical::of(mechanic);
        let by_proficiency = resolved.get("skill_mode").and_then(Value::as_str) == Some("proficiency");
        Ok(D20 {
            advantage: Advantage::of(mechanic, "d20_keep_high_low"),
            cap: integer(resolved.get("max_check_dc")).unwrap_or(USUAL_CAP).clamp(1, MAX_CAP).into(),
            normal_dc: integer(resolved.pointer("/dc_table/normal")).unwrap_or(NORMAL_DC).into(),
            difficulties: difficulties(resolved),
            critical,
            attack_critical: object(mechanic, "attack_critical").map_or(critical, Critical::clamped),
            armor_class: object(mechanic, "attack_target").and_then(ArmorClass::of),
            proficiency: if by_proficiency { Some(proficiency(resolved)?) } else { None },
            attack_proficiency: flag(resolved.get("attack_proficiency"), false),
            bonuses: bonuses(resolved),
        })
    }

    /// Resolves a check. The opponent of an opposed one rolls first.
    pub fn resolve(&self, request: &Request, dice: &mut impl Faces) -> Result<D20Outcome, Refusal> {
        let is_attack = matches!(request.kind, CheckKind::Attack { .. });
        let parts = self.parts(request, is_attack)?;
        let modifier = parts.sum();
        let opponent = match request.kind {
            CheckKind::Opposed { opponent } => {
                Some(i64::from(Roll::d20(None, dice)?.value) + attribute_modifier(opponent))
            }
            _ => None,
        };
        let dc = match (request.kind, self.armor_class, opponent) {
            (CheckKind::Attack { defender: Some(defender) }, Some(armor_class), _) => armor_class.against(defender),
            (_, _, Some(total)) => total.clamp(1, self.cap),
            _ => self.dc(request).clamp(1, self.cap),
        };
        let mode = self.advantage.mode(request.modes, request.claimed, request.helped);
        let roll = Roll::d20(mode, dice)?;
        let total = i64::from(roll.value) + modifier;
        let critical = if is_attack { self.attack_critical } else { self.critical };
        let verdict = critical.verdict(roll.value).unwrap_or(match total >= dc {
            true => Verdict::Success,
            false => Verdict::Failure,
        });
        Ok(D20Outcome { mode, roll, modifier, parts, total, dc, opponent, verdict })
    }

    /// What is asked for, else what the rule has for a normal check at the difficulty of the game.
    fn dc(&self, request: &Request) -> i64 {
        let usual = || {
            let shift = request.difficulty.and_then(|name| self.difficulties.get(name));
            self.normal_dc + i64::from(shift.copied().unwrap_or(0))
        };
        request.target.map_or_else(usual, i64::from)
    }

    fn parts(&self, request: &Request, is_attack: bool) -> Result<Parts, ProficiencyFault> {
        let is_proficient = request.skill.is_some() || (is_attack && self.attack_proficiency);
        let (skill, proficiency) = match (&self.proficiency, request.skill) {
            (Some(formula), _) if is_proficient => (0, bonus_at(formula, request.level.unwrap_or(1))?),
            (None, Some(skill)) => (self.bonus(skill), 0),
            _ => (0, 0),
        };
        Ok(Parts {
            attribute: attribute_modifier(request.attribute),
            skill,
            proficiency,
            circumstance: circumstance(request.circumstance),
        })
    }

    /// The bonus of the highest value in the table that the skill reaches (docs/spec/diceframe.md#reading-5).
    fn bonus(&self, skill: Skill) -> i64 {
        let value = skill.value.filter(|value| *value != 0).map_or(USUAL_SKILL, i64::from);
        let reached = self.bonuses.partition_point(|(least, _)| *least <= value);
        reached.checked_sub(1).map_or(0, |last| self.bonuses[last].1)
    }
}

impl Parts {
    const fn sum(self) -> i64 {
        self.attribute + self.skill + self.proficiency + self.circumstance
    }
}

/// Five steps to either side of 10, two points a step, rounded down.
fn attribute_modifier(value: Option<i32>) -> i64 {
    (attribute(value) - 10).div_euclid(2)
}

fn bonus_at(formula: &TextFormula, level: i32) -> Result<i64, ProficiencyFault> {
    match formula.value(&|name| (name == "level").then_some(level.into())) {
        Ok(bonus) => i32::try_from(bonus).map(i64::from).map_err(|_| ProficiencyFault::TooLarge),
        Err(ValueError::DivisionByZero) => Err(ProficiencyFault::DivisionByZero),
        Err(ValueError::Overflow) => Err(ProficiencyFault::TooLarge),
    }
}

fn proficiency(resolved: &Value) -> Result<TextFormula, Box<Problem>> {
    let fault = |why: String| {
        let pointer = Pointer::root().at("proficiency_formula");
        Box::new(Problem::new(codes::D19, &pointer, format!("`proficiency_formula` is invalid: {why}")))
    };
    let text = match resolved.get("proficiency_formula") {
        None | Some(Value::Null) => DEFAULT_PROFICIENCY,
        Some(said) => said.as_str().ok_or_else(|| fault("it is not text".to_owned()))?,
    };
    let formula = TextFormula::parse(text).map_err(|error| fault(error.to_string()))?;
    if formula.divides_by_constant_zero() { Err(fault("it divides by zero".to_owned())) } else { Ok(formula) }
}

fn difficulties(resolved: &Value) -> BTreeMap<String, i32> {
    match resolved.get("difficulty_dc_modifiers").and_then(Value::as_object) {
        Some(declared) => {
            declared.iter().filter_map(|(name, shift)| Some((name.clone(), integer(Some(shift))?))).collect()
        }
        None => USUAL_DIFFICULTIES.map(|(name, shift)| (name.to_owned(), shift)).into(),
    }
}

fn bonuses(resolved: &Value) -> Vec<(i64, i64)> {
    let Some(table) = resolved.get("skill_value_to_bonus").and_then(Value::as_object) else { return Vec::new() };
    let rows = table.iter().filter_map(|(least, bonus)| {
        let least: i32 = least.trim().parse().ok()?;
        Some((least.into(), integer(Some(bonus))?.into()))
    });
    // Two spellings of one value: the later one counts, as in any table written twice.
    rows.collect::<BTreeMap<i64, i64>>().into_iter().collect()
}

impl Critical {
    /// What a rule that says nothing has.
    const USUAL: Critical = Critical { success: Some(20), failure: Some(1) };

    fn of(mechanic: Option<&Map<String, Value>>) -> Self {
        let Some(declared) = object(mechanic, "critical") else { return Critical::USUAL };
        let face = |key: &str| {
            let natural = u32::try_from(integer(declared.get(key))?).ok()?;
            (1..=20).contains(&natural).then_some(natural)
        };
        Critical { success: face("success"), failure: face("failure") }
    }

    /// `attack_critical`, where a natural that there is not is the nearest one that there is.
    fn clamped(declared: &Map<String, Value>) -> Self {
        let face = |key: &str| integer(declared.get(key)).map(|natural| natural.clamp(1, 20) as u32);
        Critical { success: face("success"), failure: face("failure") }
    }

    /// What a natural decides alone. Where both would, it is a success.
    fn verdict(self, natural: u32) -> Option<Verdict> {
        if self.success.is_some_and(|least| natural >= least) {
            Some(Verdict::Critical)
        } else if self.failure.is_some_and(|most| natural <= most) {
            Some(Verdict::Fumble)
        } else {
            None
        }
    }
}

impl ArmorClass {
    fn of(declared: &Map<String, Value>) -> Option<Self> {
        let number = |key: &str, usual: i32| i64::from(integer(declared.get(key)).unwrap_or(usual));
        (declared.get("type").and_then(Value::as_str) == Some("armor_class")).then(|| ArmorClass {
            base: number("base", 10),
            include_armor: flag(declared.get("include_armor"), true),
            min: number("min", 1),
            max: number("max", 40),
        })
    }

    /// What it takes to hit; the cap of ordinary checks does not matter here, nor does what was asked for.
    fn against(self, defender: Defender) -> i64 {
        let armor = if self.include_armor { i64::from(defender.armor) } else { 0 };
        (self.base + attribute_modifier(defender.attribute) + armor).min(self.max).max(self.min)
    }
}
