//! What no fight can be otherwise: errors.

use super::super::block::{Action, Combat, Effect, PoolOrigin, Resource};
use super::super::proofs::{Flaw, FormulaPlace, flaws};
use crate::diceframe::codes;
use crate::json::excerpt;
use crate::types::{Pointer, Problem, Problems};
use std::collections::{BTreeSet, VecDeque};

pub(super) fn find(combat: &Combat, problems: &mut Problems) {
    let flaws = flaws(combat);
    for (place, flaw) in &flaws {
        let code = match flaw {
            Flaw::OutOfBounds(_) => codes::FORMULA_OUT_OF_BOUNDS,
            Flaw::NegativeCost(_) | Flaw::NoDamage(_) | Flaw::NoChange => codes::ACTION_NEVER_PAYABLE,
            Flaw::NoSpeed(_) => codes::GAUGE_NEVER_FILLS,
        };
        problems.push(Problem::new(code, &place.pointer(), flaw.to_string()));
    }
    let mut impossible: BTreeSet<usize> = flaws.iter().filter_map(|(place, _)| place.action()).collect();
    too_dear(combat, &mut impossible, problems);
    let hp = combat.hp();
    let ends = (0..combat.actions.len()).any(|at| !impossible.contains(&at) && can_end(combat, at, hp));
    if !ends {
        let at = Pointer::root().at("combat").at("actions");
        problems.push(match combat.actions.is_empty() {
            // A rule may leave all harm to the GM.
            true => Problem::new(codes::FIGHT_NOT_ENDED, &at, "there are no actions, so no fight can end"),
            false => Problem::new(codes::FIGHT_NEVER_ENDS, &at, "no affordable action ever reduces life"),
        });
    }
}

/// Below nobody's means: the costs above the most that a pool can hold. What can be had of a pool may depend on another
/// action that nobody can pay, so with each that is found those are looked at again that live on what it fills.
fn too_dear(combat: &Combat, impossible: &mut BTreeSet<usize>, problems: &mut Problems) {
    let mut fillers = vec![0_usize; combat.resources.len()];
    let mut payers: Vec<Vec<usize>> = vec![Vec::new(); combat.resources.len()];
    for (at, action) in combat.actions.iter().enumerate().filter(|(at, _)| !impossible.contains(at)) {
        filled(combat, action).for_each(|resource| fillers[resource] += 1);
        action.costs.iter().for_each(|cost| payers[cost.resource].push(at));
    }
    let mut suspects: VecDeque<usize> = (0..combat.actions.len()).collect();
    while let Some(at) = suspects.pop_front() {
        if impossible.contains(&at) {
            continue;
        }
        let Some(problem) = dear_cost(combat, at, &fillers) else { continue };
        problems.push(problem);
        impossible.insert(at);
        for resource in filled(combat, &combat.actions[at]) {
            fillers[resource] -= 1;
            if fillers[resource] == 0 {
                suspects.extend(payers[resource].drain(..));
            }
        }
    }
}

/// The pools an action can fill.
fn filled<'c>(combat: &'c Combat, action: &'c Action) -> impl Iterator<Item = usize> + use<'c> {
    action.effects.iter().filter_map(|effect| match effect {
        Effect::Change { resource, amount } => (combat.range(amount).high > 0).then_some(*resource),
        Effect::Damage { .. } | Effect::Modify { .. } => None,
    })
}

/// The first cost of an action above the most its pool can hold.
fn dear_cost(combat: &Combat, at: usize, fillers: &[usize]) -> Option<Problem> {
    combat.actions[at].costs.iter().enumerate().find_map(|(cost, declared)| {
        let least = combat.range(&declared.amount).low;
        let most = most(combat, declared.resource, fillers).filter(|most| least > (*most).into())?;
        let pool = excerpt(&combat.resources[declared.resource].id);
        let message = format!("it costs at least {least} of `{pool}`, but nobody ever has more than {most}");
        Some(Problem::new(codes::ACTION_NEVER_PAYABLE, &FormulaPlace::Cost(at, cost).pointer(), message))
    })
}

/// The most a pool ever holds, where that can be told; `fillers` is how many possible actions fill each.
fn most(combat: &Combat, resource: usize, fillers: &[usize]) -> Option<i64> {
    let Resource { source, maximum, .. } = &combat.resources[resource];
    match source {
        PoolOrigin::Hp => *maximum,
        PoolOrigin::Stat { max, .. } => Some(maximum.unwrap_or(*max)),
        PoolOrigin::CombatState if fillers[resource] > 0 => *maximum,
        PoolOrigin::CombatState => Some(0),
    }
}

/// Whether an action can take life, the resource `hp`, of others or as its price.
fn can_end(combat: &Combat, action: usize, hp: usize) -> bool {
    let action = &combat.actions[action];
    let takes = |effect: &Effect| match effect {
        Effect::Damage { amount, .. } => combat.range(amount).high > 0,
        Effect::Change { resource, amount } => *resource == hp && combat.range(amount).low < 0,
        Effect::Modify { .. } => false,
    };
    let is_paid_with_life = action.costs.iter().any(|cost| cost.resource == hp && combat.range(&cost.amount).high > 0);
    is_paid_with_life || action.effects.iter().any(takes)
}
