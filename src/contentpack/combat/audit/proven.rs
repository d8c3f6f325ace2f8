//! What no fight can be otherwise: errors.

use super::super::block::{Combat, Effect, Resource, Source};
use super::super::proofs::{Flaw, Place, flaws};
use crate::json::excerpt;
use crate::types::{Pointer, Problem, Problems};
use std::collections::BTreeSet;

pub(super) fn find(combat: &Combat, problems: &mut Problems) {
    let flaws = flaws(combat);
    for (place, flaw) in &flaws {
        let code = match flaw {
            Flaw::OutOfBounds(_) => "formula-out-of-bounds",
            Flaw::NegativeCost(_) | Flaw::NoDamage(_) | Flaw::NoChange => "action-never-payable",
            Flaw::NoSpeed(_) => "gauge-never-fills",
        };
        problems.push(Problem::error(code, &place.pointer(), flaw.to_string()));
    }
    let mut impossible: BTreeSet<usize> = flaws.iter().filter_map(|(place, _)| place.action()).collect();
    // Below nobody's means: what can be had of a pool may depend on another action that nobody can pay.
    loop {
        let dear: Vec<(Place, Problem)> = too_dear(combat, &impossible);
        if dear.is_empty() {
            break;
        }
        for (place, problem) in dear {
            impossible.extend(place.action());
            problems.push(problem);
        }
    }
    let ends = (0..combat.actions.len()).any(|at| !impossible.contains(&at) && can_end(combat, at));
    if !ends {
        let at = Pointer::root().at("combat").at("actions");
        problems.push(match combat.actions.is_empty() {
            // A rule may leave all harm to the GM.
            true => Problem::warning("fight-not-ended", &at, "there are no actions, so no fight ends by this block"),
            false => Problem::error("fight-never-ends", &at, "no action that can be paid ever takes life"),
        });
    }
}

/// The costs above the most that a pool can hold, of actions that were thought possible.
fn too_dear(combat: &Combat, impossible: &BTreeSet<usize>) -> Vec<(Place, Problem)> {
    let mut dear = Vec::new();
    let possible = combat.actions.iter().enumerate().filter(|(at, _)| !impossible.contains(at));
    for (at, action) in possible {
        for (cost, declared) in action.costs.iter().enumerate() {
            let least = combat.range(&declared.amount).low;
            let most = most(combat, declared.resource, impossible);
            if most.is_some_and(|most| least > most.into()) {
                let pool = excerpt(&combat.resources[declared.resource].id);
                let most = most.unwrap_or_default();
                let message = format!("it costs {least} of `{pool}` or more, and nobody ever has more than {most}");
                let place = Place::Cost(at, cost);
                dear.push((place, Problem::error("action-never-payable", &place.pointer(), message)));
                break;
            }
        }
    }
    dear
}

/// The most a pool ever holds, where that can be told.
fn most(combat: &Combat, resource: usize, impossible: &BTreeSet<usize>) -> Option<i64> {
    let Resource { source, maximum, .. } = &combat.resources[resource];
    match source {
        Source::Hp => *maximum,
        Source::Stat { max, .. } => Some(maximum.unwrap_or(*max)),
        Source::CombatState => {
            let fills = |effect: &Effect| match effect {
                Effect::Change { resource: filled, amount } => *filled == resource && combat.range(amount).high > 0,
                Effect::Damage { .. } | Effect::Modify { .. } => false,
            };
            let possible = combat.actions.iter().enumerate().filter(|(at, _)| !impossible.contains(at));
            let is_filled = possible.flat_map(|(_, action)| &action.effects).any(fills);
            if is_filled { *maximum } else { Some(0) }
        }
    }
}

/// Whether an action can take life, of others or as its price.
fn can_end(combat: &Combat, action: usize) -> bool {
    let hp = combat.hp();
    let action = &combat.actions[action];
    let takes = |effect: &Effect| match effect {
        Effect::Damage { amount, .. } => combat.range(amount).high > 0,
        Effect::Change { resource, amount } => *resource == hp && combat.range(amount).low < 0,
        Effect::Modify { .. } => false,
    };
    let is_paid_with_life = action.costs.iter().any(|cost| cost.resource == hp && combat.range(&cost.amount).high > 0);
    is_paid_with_life || action.effects.iter().any(takes)
}
