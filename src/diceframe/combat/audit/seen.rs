//! What the fights showed and nothing proves: warnings. That the two computations disagree is an error, of this tool.

use super::super::block::Combat;
use super::super::proofs::FormulaPlace;
use super::campaign::{Amount, Campaign, Tally};
use crate::diceframe::codes;
use crate::json::excerpt;
use crate::types::{Pointer, Problem, Problems, Rule};
use std::collections::BTreeSet;

pub(super) fn find(combat: &Combat, campaign: &Campaign, proven: &[Problem], problems: &mut Problems) {
    let block = Pointer::root().at("combat");
    for message in &campaign.disagreements {
        let hint = "report this with the rule: it is a bug in rulepack, not in the rule";
        problems.push(Problem::new(codes::REFEREE_DISAGREES, &block, message.clone()).hint(hint));
    }
    // What is proven of a place need not be told as seen there, too.
    let proven: BTreeSet<String> = proven.iter().filter_map(|problem| problem.pointer.clone()).collect();
    let mut tell = |code: &'static Rule, at: &Pointer, message: String| {
        if !proven.contains(&at.to_string()) {
            problems.push(Problem::new(code, at, message));
        }
    };
    if let Some(refusal) = &campaign.first_stall {
        let message = format!("time stopped in {} of {} fights: {refusal}", campaign.stalled, campaign.fights);
        tell(codes::GAUGE_STALLED, &FormulaPlace::Speed.pointer(), message);
    }
    for (at, tally) in campaign.actions.iter().enumerate() {
        for (amount, (times, refusal)) in &tally.refused {
            let place = match amount {
                Amount::Cost(cost) => FormulaPlace::Cost(at, *cost),
                Amount::Effect(effect) => FormulaPlace::Effect(at, *effect),
            };
            let message = format!("refused {times} of {} times: {refusal}", tally.tried);
            tell(codes::FORMULA_REFUSED, &place.pointer(), message);
        }
        let Tally { tried, done, unpaid, .. } = tally;
        if *tried > 0 && *done == 0 && unpaid == tried && !is_told(&proven, at) {
            let id = excerpt(&combat.actions[at].id);
            let message = format!("`{id}` was tried {tried} times, but nobody could ever pay for it");
            tell(codes::ACTION_NEVER_PAID, &block.at("actions").at(at), message);
        }
    }
    let given_up = campaign.stuck + campaign.too_long;
    if given_up > 0 {
        let Campaign { stuck, too_long, fights, .. } = campaign;
        let message = format!(
            "{given_up} of {fights} fights did not end: in {stuck} nobody could act any more, {too_long} took too long"
        );
        tell(codes::FIGHT_NOT_ENDED, &block.at("actions"), message);
    }
}

/// Whether something is proven of an action or within it.
fn is_told(proven: &BTreeSet<String>, action: usize) -> bool {
    let within = format!("/combat/actions/{action}/");
    proven.range(within.clone()..).next().is_some_and(|pointer| pointer.starts_with(&within))
}
