use super::super::block::{Combat, Turns};
use super::super::fight::Event;
use super::super::snapshot::FighterState;
use super::Order;
use crate::diceframe::dice::audit::Subject;
use crate::diceframe::rules::said;
use crate::types::{Problem, Severity};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// What an audit found: the `result` of `audit combat`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    pub ok: bool,
    pub seed: u64,
    pub rounds_per_rule: u32,
    pub players: u32,
    /// File by file, each from its top to its end.
    pub problems: Vec<Problem>,
    pub summary: Summary,
    pub rules: Vec<RuleReport>,
}

/// How much was looked at and fought, and how much is wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    pub rules: usize,
    /// Those with a combat block without errors.
    pub fought: usize,
    pub fights: u64,
    pub rounds: u64,
    /// Actions that were done.
    pub actions: u64,
    /// How often two computations of the same state were compared.
    pub comparisons: u64,
    pub errors: usize,
    pub warnings: usize,
}

/// The fights under one rule.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RuleReport {
    pub rule_id: String,
    pub file: Option<String>,
    /// Whether the rule has a combat block at all.
    pub declared: bool,
    /// Whether it was fought by: a block with errors is not.
    pub fought: bool,
    /// `threshold`, `initiative` or `round_robin`; null where nothing is scheduled.
    pub scheduler: Option<String>,
    pub fights: u64,
    /// Fights in which one side went down.
    pub ended: u64,
    /// Fights in which nobody could do anything any more.
    pub stuck: u64,
    /// Fights that were given up for their length.
    pub too_long: u64,
    pub rounds: u64,
    pub comparisons: u64,
    /// Of those comparisons.
    pub disagreements: usize,
    pub actions: Vec<ActionReport>,
    /// The first fight; null where none was asked for.
    pub trace: Option<Vec<Step>>,
}

/// What became of one action.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActionReport {
    pub id: String,
    pub tried: u64,
    pub done: u64,
    /// Times it could not be paid.
    pub unpaid: u64,
    /// Times the result of a formula was refused.
    pub refused: u64,
}

/// One step of a fight, and the state after it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    /// From 1; 0 is the start.
    pub round: u64,
    #[serde(rename = "move")]
    pub what: Move,
    /// Why it was refused; the state is as before then.
    pub refused: Option<String>,
    pub events: Vec<Event>,
    /// Who may act, the first first.
    pub ready: Vec<String>,
    pub fighters: Vec<FighterReport>,
}

/// What somebody tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Move {
    Start,
    Advance,
    Pass {
        actor: String,
    },
    Act {
        actor: String,
        action: String,
        /// Null is the actor.
        target: Option<String>,
    },
}

/// A fighter at one moment.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FighterReport {
    pub id: String,
    /// By the id of the resource.
    pub pools: BTreeMap<String, i64>,
    /// Null where there are no gauges.
    pub gauge: Option<i64>,
}

impl From<FighterState<'_>> for FighterReport {
    fn from(state: FighterState<'_>) -> Self {
        let gauge = state.gauge.map(|gauge| i64::try_from(gauge).unwrap_or(i64::MAX));
        let pools = state.pools.into_iter().map(|(id, has)| (id.to_owned(), has)).collect();
        FighterReport { id: state.id.to_owned(), pools, gauge }
    }
}

impl Report {
    pub(super) fn of(order: &Order, rules: Vec<RuleReport>, problems: Vec<Problem>) -> Self {
        let count = |severity: Severity| severity.count(&problems);
        let sum = |of: fn(&RuleReport) -> u64| rules.iter().map(of).sum();
        let summary = Summary {
            rules: rules.len(),
            fought: rules.iter().filter(|rule| rule.fought).count(),
            fights: sum(|rule| rule.fights),
            rounds: sum(|rule| rule.rounds),
            actions: sum(|rule| rule.actions.iter().map(|action| action.done).sum()),
            comparisons: sum(|rule| rule.comparisons),
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
        };
        let (seed, rounds_per_rule, players) = (order.seed, order.rounds, order.players);
        Report { ok: summary.errors == 0, seed, rounds_per_rule, players, problems, summary, rules }
    }
}

impl RuleReport {
    /// Of a rule before its fights.
    pub(super) fn of(rule: &Subject, combat: Option<&Combat>) -> Self {
        let scheduler = combat.and_then(|combat| combat.scheduler.as_ref()).map(|scheduler| match scheduler.turns {
            Turns::Threshold(_) => "threshold",
            Turns::Initiative => "initiative",
            Turns::RoundRobin => "round_robin",
        });
        RuleReport {
            rule_id: rule.name.clone(),
            file: rule.file.clone(),
            declared: said(&rule.resolved, "combat").is_some(),
            fought: combat.is_some(),
            scheduler: scheduler.map(str::to_owned),
            fights: 0,
            ended: 0,
            stuck: 0,
            too_long: 0,
            rounds: 0,
            comparisons: 0,
            disagreements: 0,
            actions: Vec::new(),
            trace: None,
        }
    }
}
