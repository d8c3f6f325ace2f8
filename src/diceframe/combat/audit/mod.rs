//! The audit of combat: many fights under every rule that declares a block, each move computed twice, and what can be
//! told of a block without a fight.

mod campaign;
mod party;
mod proven;
mod report;
mod seen;
#[cfg(test)]
mod tests;

pub use crate::diceframe::dice::audit::{DEFAULT_SEED, MAX_PLAYERS};
pub use report::{ActionReport, FighterReport, Move, Report, RuleReport, Step, Summary};

use super::{read, warnings};
use crate::diceframe::dice::audit::{NoAudit, Subject, chosen};
use crate::diceframe::rules::{gather, in_order};
use crate::threads;
use crate::types::{Cancel, Code, Failure, Problem, Problems, Warning};
use std::path::PathBuf;

/// What to audit, and how thoroughly.
#[derive(Clone, Debug, Default)]
pub struct Order {
    /// A DiceFrame root, whose own rules are audited with the paths.
    pub host: Option<PathBuf>,
    /// Files, packs and folders of packs.
    pub paths: Vec<PathBuf>,
    /// Only the rules of these ids; none for all of them.
    pub only: Vec<String>,
    /// Rounds a rule. A round is one advance of the scheduler and what everybody does who is ready by then, or one turn
    /// of everybody where nothing is scheduled. A fight that ends is followed by another.
    pub rounds: u32,
    /// Players, from 1 to [`MAX_PLAYERS`], and as many enemies.
    pub players: u32,
    pub seed: u64,
    /// Whether the first fight of each rule is told step by step.
    pub trace: bool,
    /// Takes every warning for an error.
    pub strict: bool,
}

/// Audits the combat of rules. The same order over the same files gives the same report; what is reported of one rule
/// does not depend on which others there are. A path that does not exist or a rule that is not there is
/// wrong usage, and so is a search that finds no rule at all.
pub fn audit(order: &Order, cancel: &Cancel) -> Result<(Report, Vec<Warning>), Failure> {
    let gathered = gather(order.host.as_deref(), &order.paths, cancel)?;
    let rules: Vec<Subject> = gathered.rules.into_iter().map(Subject::from).collect();
    if rules.is_empty() && gathered.problems.is_empty() {
        let hint = "give rule files, packs, or folders of packs";
        return Err(Failure::new(Code::Usage, "no rules were found to fight by").hint(hint));
    }
    let chosen = chosen(&rules, &order.only, gathered.problems.len())?;
    let audited = threads::map(&chosen, |rule| one(rule, order, cancel));
    if cancel.is_asked() {
        return Err(NoAudit::Interrupted.into());
    }
    let mut problems = gathered.problems;
    let mut reports = Vec::with_capacity(audited.len());
    for (report, found) in audited {
        reports.push(report);
        problems.extend(found);
    }
    Ok((Report::of(order, reports, in_order(problems, order.strict)), gathered.warnings))
}

/// One rule: what its block breaks, what is proven of it, what its fights show.
fn one(rule: &Subject, order: &Order, cancel: &Cancel) -> (RuleReport, Vec<Problem>) {
    let mut problems = Problems::default();
    let combat = read(&rule.resolved, &mut problems);
    let mut report = RuleReport::of(rule, combat.as_ref());
    if let Some(combat) = &combat {
        warnings::warn(combat, &mut problems);
        // What the rules' audit warns of as C43 is an error here, under a code of its own.
        let proven = problems.apart(|proven| proven::find(combat, proven));
        let campaign = campaign::fight(&rule.resolved, combat, order, cancel);
        let seen = problems.apart(|seen| seen::find(combat, &campaign, &proven, seen));
        problems.extend(proven);
        problems.extend(seen);
        campaign.report_to(&mut report, combat);
    }
    rule.place(&mut problems);
    (report, problems.into_vec())
}
