//! The audit of dice: campaigns played by every rule with each check computed anew, formulas rolled, and distributions
//! held against what is expected of fair dice.

mod campaign;
mod distribution;
mod formulas;
mod plan;
mod referee;
mod report;
mod subject;
#[cfg(test)]
mod tests;

pub use report::{CheckDetail, DistributionReport, FormulaReport, Report, ScenarioReport, VerdictCounts};
pub use subject::{Subject, subjects, synthetic};

use crate::diceframe::rules::DiceSystem;
use crate::threads;
use crate::types::{Cancel, Code, Coded, Problem, did_you_mean, suggest};
use sha2::{Digest, Sha256};

/// The seed of an audit that names none.
pub const DEFAULT_SEED: u64 = 20_260_822;
/// The fewest samples a distribution may be judged by.
pub const MIN_SAMPLES: u32 = 1000;
/// The most players a campaign may have.
pub const MAX_PLAYERS: u32 = 6;

/// How thorough an audit is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// Rounds a rule, at least one.
    pub rounds: u32,
    /// Players a round, from 1 to [`MAX_PLAYERS`].
    pub players: u32,
    /// Throws a distribution, at least [`MIN_SAMPLES`].
    pub distribution_samples: u32,
    pub seed: u64,
    /// Only the rules of these ids; none for all of them.
    pub only: Vec<String>,
    /// Whether every check is reported and not only counted.
    pub details: bool,
}

/// Why there is no report.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoAudit {
    /// An id that no rule has, those nearest to it, and how many rules could not be read and might have had it.
    #[error("unknown rule `{id}`")]
    UnknownRule { id: String, nearest: Vec<String>, unread: usize },
    #[error("interrupted")]
    Interrupted,
}

impl Coded for NoAudit {
    fn code(&self) -> Code {
        match self {
            NoAudit::UnknownRule { .. } => Code::Usage,
            NoAudit::Interrupted => Code::Interrupted,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            NoAudit::UnknownRule { nearest, .. } if !nearest.is_empty() => did_you_mean(nearest),
            NoAudit::UnknownRule { unread: 1.., .. } => {
                Some("some rules cannot be read; run `rulepack audit rules` for the reasons".to_owned())
            }
            NoAudit::UnknownRule { .. } => Some("give `--rule` the `rule_id` of an audited rule".to_owned()),
            NoAudit::Interrupted => None,
        }
    }
}

/// Audits these rules. `problems` are what kept others from being read; they count as errors.
///
/// The same order over the same rules gives the same report, on however many processors; and what is reported of one
/// rule does not depend on which others there are.
pub fn audit(
    subjects: &[Subject],
    mut problems: Vec<Problem>,
    order: &Order,
    cancel: &Cancel,
) -> Result<Report, NoAudit> {
    let subjects = chosen(subjects, &order.only, problems.len())?;
    let systems = |wanted| subjects.iter().any(|subject| subject.dice_system() == Some(wanted));
    let in_use = [DiceSystem::D20, DiceSystem::D100].into_iter().filter(|system| systems(*system));
    // Without a choice of rules, dice are held to account whether a rule uses them or not.
    let dice: Vec<DiceSystem> =
        if order.only.is_empty() { vec![DiceSystem::D20, DiceSystem::D100] } else { in_use.collect() };
    let mut scenarios = Vec::new();
    for played in threads::map(&subjects, |subject| campaign::play(subject, order, cancel)) {
        match played {
            Ok(scenario) => scenarios.push(scenario),
            Err(problem) => problems.push(*problem),
        }
    }
    let formulas = threads::map(&formulas::chosen(&dice, order), |formula| formulas::roll(formula, order));
    let distributions =
        threads::map(&distribution::chosen(&dice, order), |sampled| distribution::sample(*sampled, order, cancel));
    if cancel.is_asked() {
        return Err(NoAudit::Interrupted);
    }
    Ok(Report::of(order, scenarios, formulas, distributions, problems))
}

/// The rules of these ids; all of them where there are none. Several may share an id: a rule and its translations.
/// `unread` more could not be read.
pub(in crate::diceframe) fn chosen<'s>(
    subjects: &'s [Subject],
    only: &[String],
    unread: usize,
) -> Result<Vec<&'s Subject>, NoAudit> {
    let names = || subjects.iter().map(|subject| subject.name.as_str());
    if let Some(id) = only.iter().find(|id| !names().any(|name| name == *id)) {
        return Err(NoAudit::UnknownRule { id: id.clone(), nearest: suggest(id, names()), unread });
    }
    let is_chosen = |subject: &&Subject| only.is_empty() || only.contains(&subject.name);
    Ok(subjects.iter().filter(is_chosen).collect())
}

/// The seed of one part of an audit: the parts must not see the same faces, nor depend on each other's number. A part
/// has one name: two of these seeds laid over each other would cancel what the order asks for.
fn seed_of(order: &Order, part: &str) -> u64 {
    let digest = Sha256::digest(part.as_bytes());
    let (first, _) = digest.split_at(8);
    order.seed ^ first.iter().fold(0, |seed, byte| (seed << 8) | u64::from(*byte))
}
