use super::arithmetic::Program;
use super::{Complaints, count, middle, mode, number};
use crate::diceframe::codes;
use crate::diceframe::dice::check::{CheckKind, D20Outcome, Request};
use crate::diceframe::dice::verdict::Verdict;
use serde_json::Value;

/// What each natural from 1 decides alone.
type Painted = [Option<Verdict>; 20];

pub(in super::super) struct Referee {
    rule: Value,
    ordinary: Painted,
    attack: Painted,
    cap: i64,
    /// Least skill value and bonus, as the file has them.
    bonuses: Vec<(i64, i64)>,
    /// Where skills are a matter of proficiency: the formula, if it can be read.
    proficiency: Option<Option<Program>>,
}

impl Referee {
    pub fn of(rule: &Value) -> Self {
        let mechanic = &rule["check_mechanic"];
        let ordinary = match &mechanic["critical"] {
            Value::Object(_) => {
                painted(|key| number(&mechanic["critical"][key]).filter(|face| (1..=20).contains(face)))
            }
            _ => painted(|key| Some(if key == "success" { 20 } else { 1 })),
        };
        let attack = match &mechanic["attack_critical"] {
            Value::Object(declared) => painted(|key| Some(middle(1, number(declared.get(key)?)?, 20))),
            _ => ordinary,
        };
        let proficiency = (rule["skill_mode"] == "proficiency").then(|| {
            let text = rule["proficiency_formula"].as_str().unwrap_or("max(2, 2 + (level - 1) // 4)");
            Program::compile(text)
        });
        let rows = rule["skill_value_to_bonus"].as_object().into_iter().flatten();
        let bonuses = rows.filter_map(|(least, bonus)| {
            let least: i32 = least.trim().parse().ok()?;
            Some((i64::from(least), number(bonus)?))
        });
        Referee {
            cap: number(&rule["max_check_dc"]).map_or(20, |cap| middle(1, cap, 40)),
            bonuses: bonuses.collect(),
            proficiency,
            ordinary,
            attack,
            rule: rule.clone(),
        }
    }

    pub(super) fn watch(&self, request: &Request, outcome: &D20Outcome, complaints: &mut Complaints) {
        let rolled = mode(&self.rule, "d20_keep_high_low", request, true);
        complaints.hold(codes::E08, "the mode", outcome.mode, rolled);
        complaints.hold_roll(&outcome.roll, 20, rolled);
        let natural = i64::from(outcome.roll.value);
        let Some((skill, proficiency)) = self.skill(request) else {
            return complaints.add(codes::E03, "cannot recompute the proficiency bonus");
        };
        let (recorded, circumstance) = (outcome.parts, middle(-20, request.circumstance.into(), 20));
        let parts = [
            ("the attribute's part of the modifier", recorded.attribute, halves(request.attribute)),
            ("the skill bonus", recorded.skill, skill),
            ("the proficiency bonus", recorded.proficiency, proficiency),
            ("the circumstances' part of the modifier", recorded.circumstance, circumstance),
        ];
        for (what, is, should) in parts {
            complaints.hold(codes::E03, what, is, should);
        }
        let modifier = parts.iter().map(|(_, _, should)| should).sum::<i64>();
        complaints.hold(codes::E03, "the modifier", outcome.modifier, modifier);
        complaints.hold(codes::E04, "the total", outcome.total, natural + modifier);
        let dc = self.dc(request, outcome, complaints);
        complaints.hold(codes::E05, "the difficulty class", outcome.dc, dc);
        let painted = if matches!(request.kind, CheckKind::Attack { .. }) { &self.attack } else { &self.ordinary };
        let alone = usize::try_from(natural - 1).ok().and_then(|face| painted.get(face)).copied().flatten();
        let reached = [Verdict::Failure, Verdict::Success][usize::from(natural + modifier - dc >= 0)];
        complaints.hold(codes::E07, "the verdict", outcome.verdict, alone.unwrap_or(reached));
    }

    /// What the table of skills gives, and what proficiency does; never both.
    fn skill(&self, request: &Request) -> Option<(i64, i64)> {
        let attacks = matches!(request.kind, CheckKind::Attack { .. });
        let proficient =
            |formula: &Option<Program>| Some((0, formula.as_ref()?.run(request.level.unwrap_or(1).into())?));
        match (&self.proficiency, request.skill) {
            (Some(formula), Some(_)) => proficient(formula),
            (Some(formula), None) if attacks && self.rule["attack_proficiency"] == true => proficient(formula),
            (Some(_), None) | (None, None) => Some((0, 0)),
            (None, Some(skill)) => {
                let value = count(skill.value, 20);
                let reached = self.bonuses.iter().filter(|(least, _)| *least <= value);
                Some((reached.max_by_key(|(least, _)| *least).map_or(0, |(_, bonus)| *bonus), 0))
            }
        }
    }

    fn dc(&self, request: &Request, outcome: &D20Outcome, complaints: &mut Complaints) -> i64 {
        let target = &self.rule["check_mechanic"]["attack_target"];
        let opponent = match request.kind {
            CheckKind::Attack { defender: Some(defender) } if target["type"] == "armor_class" => {
                let setting = |key: &str, usual| number(&target[key]).unwrap_or(usual);
                let armored = target["include_armor"] != false;
                let class =
                    setting("base", 10) + halves(defender.attribute) + i64::from(armored) * i64::from(defender.armor);
                let (least, most) = (setting("min", 1), setting("max", 40));
                return if least > most { least } else { middle(least, class, most) };
            }
            CheckKind::Opposed { opponent } => opponent,
            _ => return middle(1, self.wanted(request), self.cap),
        };
        let Some(against) = outcome.opponent else {
            complaints.add(codes::E05, "an opposed check has no opponent");
            return outcome.dc;
        };
        let natural = against - halves(opponent);
        if !(1..=20).contains(&natural) {
            complaints.add(codes::E05, format_args!("the opponent's natural roll is {natural}"));
        }
        middle(1, against, self.cap)
    }

    fn wanted(&self, request: &Request) -> i64 {
        if let Some(target) = request.target {
            return target.into();
        }
        let name = request.difficulty.unwrap_or_default();
        let shift = match &self.rule["difficulty_dc_modifiers"] {
            Value::Object(declared) => declared.get(name).and_then(number).unwrap_or(0),
            _ => match name {
                "轻松" => -2,
                "硬核" => 2,
                _ => 0,
            },
        };
        number(&self.rule["dc_table"]["normal"]).unwrap_or(15) + shift
    }
}

/// The verdict of each natural: fumbles up to one face, criticals from another one on, painted over them.
fn painted(face: impl Fn(&str) -> Option<i64>) -> Painted {
    let mut painted = [None; 20];
    let faces = 1_i64..=20;
    for natural in faces.clone().take_while(|natural| face("failure").is_some_and(|most| *natural <= most)) {
        painted[natural as usize - 1] = Some(Verdict::Fumble);
    }
    for natural in faces.rev().take_while(|natural| face("success").is_some_and(|least| *natural >= least)) {
        painted[natural as usize - 1] = Some(Verdict::Critical);
    }
    painted
}

/// Half of an attribute, less five.
fn halves(attribute: Option<i32>) -> i64 {
    (count(attribute, 10) >> 1) - 5
}
