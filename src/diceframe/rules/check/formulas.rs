//! D19, D35: the formulas written as text.

use super::super::read::{kind, said};
use super::attributes;
use crate::diceframe::codes;
use crate::diceframe::dice::text_formula::{HP_NAMES, PROFICIENCY_NAMES, TextFormula};
use crate::json::excerpt;
use crate::types::{Pointer, Problem, Problems, did_you_mean};
use serde_json::Value;

pub(super) fn check(rule: &Value, problems: &mut Problems) {
    let hp: Vec<&str> = attributes::keys(rule).into_iter().chain(HP_NAMES).collect();
    formula(rule, "hp_formula", &hp, problems);
    formula(rule, "proficiency_formula", &PROFICIENCY_NAMES, problems);
}

fn formula(rule: &Value, key: &str, known: &[&str], problems: &mut Problems) {
    let Some(written) = said(rule, key) else { return };
    let at = Pointer::root().at(key);
    let Some(text) = written.as_str() else {
        let message = format!("`{key}` is {}, but should be a formula", kind(written));
        return problems.push(Problem::new(codes::D19, &at, message));
    };
    let formula = match TextFormula::parse(text) {
        Ok(formula) => formula,
        Err(error) => {
            let message = format!("`{key}` is \"{}\", which is not a formula: {error}", excerpt(text));
            return problems.push(Problem::new(codes::D19, &at, message));
        }
    };
    if formula.divides_by_constant_zero() {
        problems.push(Problem::new(codes::D19, &at, format!("`{key}` divides by zero, whatever its names stand for")));
    }
    for name in formula.names().into_iter().filter(|name| !known.contains(name)) {
        let message = format!("`{key}` uses the unknown name `{}`, which counts as 0", excerpt(name));
        let problem = Problem::new(codes::D35, &at, message);
        let problem = match did_you_mean(&problems.suggest(name, known.iter().copied())) {
            Some(question) => problem.hint(question),
            None => problem.hint(format!("use one of {}", known.join(", "))),
        };
        problems.push(problem);
    }
}
