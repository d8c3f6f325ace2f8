//! D09 to D15, D30: advantage and disadvantage, as a rule declares them.

use super::super::dice_system::DiceSystem;
use super::super::read::{is_truthy, kind, said};
use crate::diceframe::codes;
use crate::types::{Pointer, Problem, Problems, Rule};
use serde_json::Value;

const KEEP_HIGH_LOW: &str = "d20_keep_high_low";
const BONUS_PENALTY: &str = "coc_bonus_penalty";

pub(super) fn check(rule: &Value, dice: DiceSystem, problems: &mut Problems) {
    let at = Pointer::root().at("check_mechanic").at("advantage");
    match rule.get("check_mechanic").and_then(|mechanic| said(mechanic, "advantage")) {
        None => undeclared(rule, problems),
        Some(advantage) if !advantage.is_object() => {
            let message = format!("`advantage` is {}, but should be an object", kind(advantage));
            problems.push(Problem::new(codes::D09, &at, message));
        }
        Some(advantage) => declared(advantage, &at, dice, problems),
    }
}

fn declared(advantage: &Value, at: &Pointer, dice: DiceSystem, problems: &mut Problems) {
    let mut wrong =
        |code: &'static Rule, key: &str, message: String| problems.push(Problem::new(code, &at.at(key), message));
    let of = match said(advantage, "type") {
        None => Some(""),
        Some(value) => value.as_str().filter(|of| ["", KEEP_HIGH_LOW, BONUS_PENALTY].contains(of)).or_else(|| {
            let wanted = format!("{KEEP_HIGH_LOW}, {BONUS_PENALTY} or nothing");
            wrong(codes::D10, "type", format!("`type` is {}, but should be {wanted}", kind(value)));
            None
        }),
    };
    if of == Some(KEEP_HIGH_LOW) && dice != DiceSystem::D20 {
        let message = format!("`{KEEP_HIGH_LOW}` is for d20, but the dice system is {}", dice.name());
        wrong(codes::D11, "type", message);
    }
    if of == Some(BONUS_PENALTY) && dice != DiceSystem::D100 {
        let message = format!("`{BONUS_PENALTY}` is for d100, but the dice system is {}", dice.name());
        wrong(codes::D12, "type", message);
    }
    if let Some(explicit) = advantage.get("allow_explicit").filter(|explicit| !explicit.is_boolean()) {
        let message = format!("`allow_explicit` is {}, but should be true or false", kind(explicit));
        wrong(codes::D13, "allow_explicit", message);
    }
    if let Some(grants) = said(advantage, "assistance_grants") {
        if !["", "advantage", "disadvantage"].iter().any(|known| grants == known) {
            let found = kind(grants);
            let message = format!("`assistance_grants` is {found}, but should be advantage, disadvantage or nothing");
            wrong(codes::D14, "assistance_grants", message);
        }
        if is_truthy(grants) && of != Some(KEEP_HIGH_LOW) {
            let message = format!("helpers can only grant anything with `{KEEP_HIGH_LOW}`");
            wrong(codes::D15, "assistance_grants", message);
        }
    }
}

/// What older engines inferred from other keys when nothing was declared. Nothing is inferred here
/// (docs/spec/diceframe.md#reading-3).
fn undeclared(rule: &Value, problems: &mut Problems) {
    let mechanics = rule.get("mechanics").and_then(Value::as_str);
    let (key, inferred) = if mechanics == Some("coc7e_core") {
        ("mechanics", BONUS_PENALTY)
    } else if rule.get("bonus_dice").is_some_and(is_truthy) {
        ("bonus_dice", BONUS_PENALTY)
    } else if mechanics == Some("dnd5e_core") {
        ("mechanics", KEEP_HIGH_LOW)
    } else {
        return;
    };
    let message = format!("`{key}` has no effect without `check_mechanic.advantage`");
    let hint = format!("if the rule has advantage, declare it with `\"type\": \"{inferred}\"`");
    problems.push(Problem::new(codes::D30, &Pointer::root().at(key), message).hint(hint));
}
