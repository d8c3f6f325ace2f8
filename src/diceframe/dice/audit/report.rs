//! What an audit reports, with the keys of DiceFrame's own script in camel case.

use super::Order;
use crate::diceframe::dice::check::Mode;
use crate::diceframe::dice::verdict::Verdict;
use crate::types::Problem;
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "DiceAudit")]
pub struct Report {
    /// Whether nothing at all was found.
    pub ok: bool,
    pub seed: u64,
    pub rounds_per_rule: u32,
    pub players_per_round: u32,
    pub distribution_samples: u32,
    /// Checks asked for: rules × rounds × players.
    pub total_actions: u64,
    /// Checks made: rules without dice make none.
    pub total_checks: u64,
    pub scenario_error_count: u64,
    pub formula_error_count: u64,
    /// How many distributions failed.
    pub distribution_error_count: u64,
    pub scenarios: Vec<ScenarioReport>,
    pub formulas: Vec<FormulaReport>,
    pub distributions: Vec<DistributionReport>,
    /// Rules that could not be played, and why.
    pub problems: Vec<Problem>,
}

/// The campaign of one rule.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScenarioReport {
    /// The rule's id.
    pub name: String,
    /// The rule's file; none for one made for the audit.
    pub file: Option<String>,
    /// `d20`, `d100` or `none`.
    pub dice_system: String,
    pub actions: u64,
    pub checks: u64,
    pub verdicts: VerdictCounts,
    pub error_count: u64,
    /// The first 20 of them. Each begins with the number of the statement that does not hold, E01 to E15, or says why a
    /// check was not made.
    pub errors: Vec<String>,
    /// Every check, where details were asked for.
    pub details: Vec<CheckDetail>,
}

/// How often each verdict came up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct VerdictCounts {
    pub critical: u64,
    pub extreme: u64,
    pub hard: u64,
    pub regular: u64,
    pub success: u64,
    pub failure: u64,
    pub fumble: u64,
}

impl VerdictCounts {
    pub(super) fn count(&mut self, verdict: Verdict) {
        *match verdict {
            Verdict::Critical => &mut self.critical,
            Verdict::Extreme => &mut self.extreme,
            Verdict::Hard => &mut self.hard,
            Verdict::Regular => &mut self.regular,
            Verdict::Success => &mut self.success,
            Verdict::Failure => &mut self.failure,
            Verdict::Fumble => &mut self.fumble,
        } += 1;
    }
}

/// One check; keys of the other dice system are null.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckDetail {
    pub round: u32,
    pub player: u32,
    /// `ordinary`, `attack` or `opposed`.
    pub action: &'static str,
    /// Whether the rule has the check rolled at all.
    pub roll_required: bool,
    pub attribute: Option<String>,
    pub attribute_value: Option<i32>,
    pub skill: Option<&'static str>,
    pub skill_value: Option<i32>,
    pub level: Option<i32>,
    pub requested_dc: Option<i32>,
    pub dc: Option<i64>,
    pub threshold: Option<u32>,
    pub circumstance_modifier: Option<i32>,
    /// `normal`, `advantage` or `disadvantage`.
    pub requested_advantage_mode: &'static str,
    /// The same, as it was rolled.
    pub advantage_mode: &'static str,
    /// Why that is not what was requested; empty where it is.
    pub advantage_note: &'static str,
    pub rolls: Option<Vec<u32>>,
    /// d20: the die that counts.
    pub natural: Option<u32>,
    /// d100: the candidate that counts.
    pub roll: Option<u32>,
    /// d20: what the attribute gives.
    pub attribute_modifier: Option<i64>,
    /// d20: what `skill_value_to_bonus` gives for the skill; 0 without a skill, and where proficiency takes its place.
    pub skill_bonus: Option<i64>,
    /// d20: what `proficiency_formula` gives at `level`; 0 where proficiency has no say.
    pub proficiency_bonus: Option<i64>,
    /// d20: the three before it and `circumstanceModifier`, added up.
    pub modifier: Option<i64>,
    pub total: Option<i64>,
    pub verdict: Option<Verdict>,
    pub independently_verified: bool,
}

/// What a mode is called in a report.
pub(super) const fn mode_name(mode: Option<Mode>) -> &'static str {
    match mode {
        None => "normal",
        Some(Mode::Advantage) => "advantage",
        Some(Mode::Disadvantage) => "disadvantage",
    }
}

/// What a formula came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FormulaReport {
    pub formula: String,
    pub samples: u32,
    /// Of the totals.
    pub observed_min: i64,
    pub observed_max: i64,
    pub error_count: u64,
}

/// How often each face came up, against how often it should have.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DistributionReport {
    /// `d20` and `d100`, alone or with what is kept of several.
    pub dice: String,
    pub samples: u32,
    pub mean: f64,
    pub expected_mean: f64,
    /// Of the face that came up least, never seen ones included.
    pub min_count: u64,
    pub max_count: u64,
    /// The farthest any face is from what is expected of it, in standard deviations; at most 6 passes.
    pub max_z: f64,
    pub chi_square: f64,
    /// What `chiSquare` must not exceed.
    pub chi_limit: f64,
    pub ok: bool,
}

impl Report {
    pub(super) fn of(
        order: &Order,
        scenarios: Vec<ScenarioReport>,
        formulas: Vec<FormulaReport>,
        distributions: Vec<DistributionReport>,
        problems: Vec<Problem>,
    ) -> Self {
        let scenario_error_count = scenarios.iter().map(|scenario| scenario.error_count).sum();
        let formula_error_count = formulas.iter().map(|formula| formula.error_count).sum();
        let distribution_error_count = distributions.iter().filter(|distribution| !distribution.ok).count() as u64;
        let errors: u64 = scenario_error_count + formula_error_count + distribution_error_count;
        Report {
            ok: errors == 0 && problems.is_empty(),
            seed: order.seed,
            rounds_per_rule: order.rounds,
            players_per_round: order.players,
            distribution_samples: order.distribution_samples,
            total_actions: scenarios.iter().map(|scenario| scenario.actions).sum(),
            total_checks: scenarios.iter().map(|scenario| scenario.checks).sum(),
            scenario_error_count,
            formula_error_count,
            distribution_error_count,
            scenarios,
            formulas,
            distributions,
            problems,
        }
    }
}
