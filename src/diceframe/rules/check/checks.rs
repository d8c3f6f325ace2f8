//! D16, D33, D34: the cap of difficulties, and what `check_mechanic` says that nobody obeys.

use super::super::dice_system::DiceSystem;
use super::super::read::{kind, said};
use crate::diceframe::codes;
use crate::types::{Pointer, Problem, Problems};
use serde_json::Value;

/// The highest difficulty a d20 rule may ask for.
const MAX_DC: i64 = 40;

pub(super) fn check(rule: &Value, dice: DiceSystem, problems: &mut Problems) {
    cap(rule, dice, problems);
    let Some(mechanic) = said(rule, "check_mechanic") else { return };
    let at = Pointer::root().at("check_mechanic");
    if !mechanic.is_object() {
        let message = format!("`check_mechanic` is {}, but should be an object; it is ignored", kind(mechanic));
        problems.push(Problem::new(codes::D33, &at, message));
        return;
    }
    if let Some(said) = said(mechanic, "dice").filter(|said| *said != dice.name()) {
        let message = format!("`dice` is {}, but the dice system is {}", kind(said), dice.name());
        problems.push(Problem::new(codes::D33, &at.at("dice"), message));
    }
    match dice {
        DiceSystem::D20 => d20_criticals(mechanic, &at, problems),
        DiceSystem::D100 => d100_criticals(mechanic, &at.at("critical"), problems),
        DiceSystem::None => {}
    }
}

/// D16: an integer and nothing that could be read as one (docs/spec/diceframe.md#reading-4).
fn cap(rule: &Value, dice: DiceSystem, problems: &mut Problems) {
    let Some(cap) = rule.get("max_check_dc").filter(|_| dice == DiceSystem::D20) else { return };
    if !cap.as_i64().is_some_and(|cap| (1..=MAX_DC).contains(&cap)) {
        let message = format!("`max_check_dc` is {}, but should be a whole number from 1 to {MAX_DC}", kind(cap));
        problems.push(Problem::new(codes::D16, &Pointer::root().at("max_check_dc"), message));
    }
}

fn is_face(value: &Value) -> bool {
    value.as_i64().is_some_and(|face| (1..=20).contains(&face))
}

fn d20_criticals(mechanic: &Value, at: &Pointer, problems: &mut Problems) {
    let mut warn = |at: &Pointer, message: String| problems.push(Problem::new(codes::D34, at, message));
    if let Some(critical) = mechanic.get("critical") {
        let at = at.at("critical");
        if !critical.is_object() {
            warn(&at, format!("`critical` is {}, not an object, so 20 and 1 are used", kind(critical)));
        }
        for key in ["success", "failure"] {
            if let Some(face) = said(critical, key).filter(|face| !is_face(face)) {
                warn(&at.at(key), format!("`{key}` is {}, which a d20 does not have, so it is ignored", kind(face)));
            }
        }
    }
    // For attacks a number is clamped and not dropped (docs/spec/diceframe.md#d20-checks).
    let attack = mechanic.get("attack_critical").unwrap_or(&Value::Null);
    for key in ["success", "failure"] {
        if let Some(number) = attack.get(key).and_then(Value::as_f64).filter(|number| !(1.0..=20.0).contains(number)) {
            let taken = number.clamp(1.0, 20.0);
            warn(&at.at("attack_critical").at(key), format!("`{key}` is {number}, but is used as {taken}"));
        }
    }
}

/// The thresholds of a d100 are fixed; the words for them are decoration (docs/spec/diceframe.md#reading-13).
fn d100_criticals(mechanic: &Value, at: &Pointer, problems: &mut Problems) {
    let mut warn = |at: &Pointer, message: String| problems.push(Problem::new(codes::D34, at, message));
    let Some(critical) = said(mechanic, "critical") else { return };
    let Some(members) = critical.as_object() else {
        return warn(at, format!("`critical` is {}, which has no effect with a d100", kind(critical)));
    };
    for (key, value) in members {
        let is_usual = match key.as_str() {
            "success" => value.as_i64() == Some(1),
            "failure_rule" => value == "coc7e",
            _ => false,
        };
        if !is_usual {
            let message =
                format!("`{}` has no effect with a d100, whose thresholds are fixed", crate::json::excerpt(key));
            warn(&at.at(key), message);
        }
    }
}
