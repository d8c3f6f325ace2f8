//! D25, D32, D37: what skills are worth.

use super::super::dice_system::DiceSystem;
use super::super::read::{is_truthy, kind, said};
use super::super::source::SourceFile;
use crate::diceframe::codes;
use crate::json::excerpt;
use crate::types::{Pointer, Problem, Problems};
use serde_json::Value;
use std::collections::HashSet;
use std::sync::Arc;

const TABLE: &str = "skill_value_to_bonus";

/// The skill value a bonus is asked for: what a good skill has where values go to 100.
const GOOD: i64 = 80;

pub(super) fn check(rule: &Value, dice: DiceSystem, chain: &[Arc<SourceFile>], problems: &mut Problems) {
    budget(rule, dice, problems);
    order(chain, problems);
    entries(rule, problems);
}

/// The bonus of a skill value: that of the highest threshold at or below it, in whatever order they stand
/// (docs/spec/diceframe.md#reading-5).
pub(super) fn bonus(rule: &Value, value: i64) -> i64 {
    let steps = rule.get(TABLE).and_then(Value::as_object).into_iter().flatten();
    let reached = steps.filter_map(|(threshold, bonus)| {
        let threshold: i64 = threshold.trim().parse().ok()?;
        (threshold <= value).then_some((threshold, bonus.as_i64()?))
    });
    reached.max().map_or(0, |(_, bonus)| bonus)
}

/// D25: caps of skills that are no numbers. D32: a d20 rule with skills whose values are worth nothing.
fn budget(rule: &Value, dice: DiceSystem, problems: &mut Problems) {
    let at = Pointer::root();
    let mut spender = ["skills", "skill_pools"].into_iter().find(|key| rule.get(key).is_some_and(is_truthy));
    for key in ["skill_point_total", "max_skill_value"] {
        let Some(points) = said(rule, key) else { continue };
        match points.as_f64() {
            Some(points) if points > 0.0 => spender = spender.or(Some(key)),
            Some(_) => {}
            None => {
                // DiceFrame stops at whatever it cannot compare with 0; a boolean it can.
                let code = if points.is_boolean() { codes::D32 } else { codes::D25 };
                let message = format!("`{key}` is {}, but should be a number", kind(points));
                problems.push(Problem::new(code, &at.at(key), message));
            }
        }
    }
    let is_proficiency = rule.get("skill_mode").is_some_and(|mode| mode == "proficiency");
    let Some(spender) = spender.filter(|_| dice == DiceSystem::D20 && !is_proficiency) else { return };
    if bonus(rule, GOOD) == 0 {
        let place = if rule.get(TABLE).is_some() { TABLE } else { spender };
        let message = format!("a skill of {GOOD} gives no bonus: `{TABLE}` has no step at or below it");
        let hint = "add such a step, or set `skill_mode` to `proficiency`";
        problems.push(Problem::new(codes::D32, &at.at(place), message).hint(hint));
    }
}

/// D37: thresholds and bonuses that are no whole numbers.
fn entries(rule: &Value, problems: &mut Problems) {
    let at = Pointer::root().at(TABLE);
    let table = match said(rule, TABLE) {
        None => return,
        Some(Value::Object(table)) => table,
        Some(other) => {
            let message = format!("`{TABLE}` is {}, but should be an object", kind(other));
            return problems.push(Problem::new(codes::D37, &at, message));
        }
    };
    for (threshold, bonus) in table {
        if threshold.trim().parse::<i64>().is_err() {
            let message = format!("`{}` is not a threshold: expected a whole number", excerpt(threshold));
            problems.push(Problem::new(codes::D37, &at.at(threshold), message).at_key());
        } else if bonus.as_i64().is_none() {
            let message = format!("the bonus is {}, but should be a whole number", kind(bonus));
            problems.push(Problem::new(codes::D37, &at.at(threshold), message));
        }
    }
}

/// D37: DiceFrame goes by the order in which the steps are written and takes the last that is reached, so only an
/// ascending table means what it says.
fn order(chain: &[Arc<SourceFile>], problems: &mut Problems) {
    let written = written_order(chain);
    let steps: Vec<(i64, &String)> = written.iter().filter_map(|key| Some((key.trim().parse().ok()?, key))).collect();
    let fall = steps.windows(2).find(|pair| pair[0].0 >= pair[1].0);
    if let Some([(_, before), (_, key)]) = fall {
        let message = format!("`{key}` comes after `{before}`, but DiceFrame uses the last step reached");
        let at = Pointer::root().at(TABLE).at(key);
        problems.push(Problem::new(codes::D37, &at, message).at_key().hint("write the steps in ascending order"));
    }
}

/// The thresholds in the order the merged table has them: those of the farthest ancestor first.
fn written_order(chain: &[Arc<SourceFile>]) -> Vec<String> {
    let (mut keys, mut seen) = (Vec::new(), HashSet::new());
    for source in chain.iter().rev().filter(|source| source.value.get(TABLE).is_some()) {
        match source.keys_under(TABLE) {
            Some(written) => keys.extend(written.iter().filter(|key| seen.insert(key.as_str())).cloned()),
            // What is no object replaces what was inherited.
            None => {
                keys.clear();
                seen.clear();
            }
        }
    }
    keys
}
