//! One fight by the rules of a block: time, turns and actions. All of it is decided here and nothing by who acts; a
//! refusal leaves everything as it was.

mod event;
mod gauges;
mod intent;
mod order;
mod pools;
mod refusal;
mod sheet;
#[cfg(test)]
mod tests;

pub use event::Event;
pub use gauges::{Advance, Gauges, Standing, StandsStill};
pub use intent::Intent;
pub use order::Order;
pub use pools::{Changed, Pool, Pools};
pub use refusal::Refusal;
pub use sheet::Sheet;

use super::block::{Action, Combat, Effect, PoolOrigin, Threshold, Turns};
use super::formula::{Formula, FormulaError, Roll, Scope};
use super::snapshot::{FighterState, Modifier, Snapshot};
use intent::Ledger;
use std::collections::BTreeMap;

/// Where faces come from: the sum of such a throw.
pub type Throw<'t> = &'t mut dyn FnMut(Roll) -> i64;

/// A fight under way.
#[derive(Clone, Debug)]
pub struct Fight<'c> {
    combat: &'c Combat,
    hp: usize,
    /// In the order of their ids, by which everybody is known here.
    fighters: Vec<Fighter>,
    modifiers: Vec<Modifier>,
    clock: Clock,
    ledger: Ledger,
}

#[derive(Clone, Debug)]
struct Fighter {
    id: String,
    attributes: BTreeMap<String, i64>,
    initiative: i64,
    pools: Pools,
    inventory: Vec<(String, i64)>,
}

#[derive(Clone, Debug)]
enum Clock {
    /// Nothing is scheduled: whoever is alive may act.
    Free,
    Gauges(Gauges),
    Order(Order),
}

/// What an action comes to for one actor at one moment.
struct Priced<'c> {
    action: &'c Action,
    costs: Vec<i64>,
    amounts: Vec<i64>,
}

impl<'c> Fight<'c> {
    /// Begins a fight. `order` is that of `round_robin`, by id, where the host declares one.
    pub fn start(combat: &'c Combat, mut sheets: Vec<Sheet>, order: Option<&[String]>) -> Result<Self, Refusal> {
        sheets.sort_by(|a, b| a.id.cmp(&b.id));
        if let Some(pair) = sheets.windows(2).find(|pair| pair[0].id == pair[1].id) {
            return Err(Refusal::TwoOfOneId(pair[0].id.clone()));
        }
        let fighters: Vec<Fighter> = sheets.into_iter().map(|sheet| Fighter::of(sheet, combat)).collect();
        let (hp, clock) = (combat.hp(), Clock::Free);
        let mut fight = Fight { combat, hp, fighters, modifiers: Vec::new(), clock, ledger: Ledger::default() };
        fight.clock = match combat.scheduler.as_ref().map(|scheduler| &scheduler.turns) {
            None => Clock::Free,
            Some(Turns::Threshold(threshold)) => {
                let gauges = Gauges::start(threshold, &fight.standings(threshold)?);
                Clock::Gauges(gauges.map_err(|StandsStill(who)| fight.stands_still(who))?)
            }
            Some(Turns::Initiative) => {
                let initiatives: Vec<i64> = fight.fighters.iter().map(|fighter| fighter.initiative).collect();
                Clock::Order(Order::by_initiative(&initiatives))
            }
            Some(Turns::RoundRobin) => Clock::Order(Order::of(fight.declared(order)?)),
        };
        Ok(fight)
    }

    /// The places of those an order names, who must be everybody; without one the order of ids.
    fn declared(&self, order: Option<&[String]>) -> Result<Vec<usize>, Refusal> {
        let everybody: Vec<usize> = (0..self.fighters.len()).collect();
        let Some(order) = order else { return Ok(everybody) };
        let places: Option<Vec<usize>> = order.iter().map(|id| self.find(id)).collect();
        let places = places.ok_or(Refusal::BadOrder)?;
        let mut sorted = places.clone();
        sorted.sort_unstable();
        if sorted == everybody { Ok(places) } else { Err(Refusal::BadOrder) }
    }

    fn find(&self, id: &str) -> Option<usize> {
        self.fighters.binary_search_by(|fighter| fighter.id.as_str().cmp(id)).ok()
    }

    fn stands_still(&self, who: usize) -> Refusal {
        Refusal::StandsStill(self.fighters[who].id.clone())
    }

    fn is_alive(&self, who: usize) -> bool {
        self.fighters[who].pools.current(self.hp) > 0
    }

    /// What everybody adds to their gauge at this moment.
    fn standings(&self, threshold: &Threshold) -> Result<Vec<Standing>, Refusal> {
        (0..self.fighters.len())
            .map(|who| {
                let fighter = &self.fighters[who];
                let is_alive = self.is_alive(who);
                // Nobody asks how fast the dead are.
                let speed = if is_alive { self.speed(who, threshold) } else { Ok(0) };
                let speed = speed.map_err(|why| Refusal::NoSpeed { who: fighter.id.clone(), why })?;
                Ok(Standing { is_alive, speed, initiative: fighter.initiative })
            })
            .collect()
    }

    /// The formula and every modifier that still lasts, and not below 0.
    fn speed(&self, who: usize, threshold: &Threshold) -> Result<i64, FormulaError> {
        let own = match &threshold.speed {
            None => Threshold::USUAL_SPEED,
            Some(formula) => self.evaluate(formula, who, &mut |_| 0)?,
        };
        let stat = self.combat.scheduler.as_ref().map(|scheduler| scheduler.speed.as_str());
        let is_mine = |modifier: &&Modifier| {
            modifier.entity == self.fighters[who].id && Some(modifier.stat.as_str()) == stat && modifier.remaining > 0
        };
        let modified: i64 = self.modifiers.iter().filter(is_mine).map(|modifier| modifier.delta).sum();
        Ok(own.saturating_add(modified).max(0))
    }

    fn evaluate(&self, formula: &Formula, who: usize, throw: Throw<'_>) -> Result<i64, FormulaError> {
        formula.evaluate(&mut Eyes { combat: self.combat, fighter: &self.fighters[who], throw })
    }

    /// Lets time go on to the next who can act. Where everybody alive can already, or nobody is alive or scheduled,
    /// nothing happens and no duration is spent.
    pub fn advance(&mut self) -> Result<Vec<Event>, Refusal> {
        let scheduled = self.combat.scheduler.as_ref().map(|scheduler| &scheduler.turns);
        let standings = match scheduled {
            Some(Turns::Threshold(threshold)) => self.standings(threshold)?,
            _ => Vec::new(),
        };
        let alive: Vec<bool> = (0..self.fighters.len()).map(|who| self.is_alive(who)).collect();
        let advance = match &mut self.clock {
            Clock::Free => None,
            Clock::Order(order) => order.advance(|who| alive[who]).map(|who| Advance { time: 1, ready: vec![who] }),
            Clock::Gauges(gauges) => {
                let advance = gauges.advance(&standings);
                advance.map_err(|StandsStill(who)| self.stands_still(who))?
            }
        };
        let Some(Advance { time, ready }) = advance else { return Ok(Vec::new()) };
        if time > 0 {
            self.modifiers.iter_mut().for_each(|modifier| modifier.remaining -= 1);
            self.modifiers.retain(|modifier| modifier.remaining > 0);
        }
        let mut events = vec![Event::Advanced { time: i64::try_from(time).unwrap_or(i64::MAX) }];
        events.extend(ready.into_iter().map(|who| Event::Ready { entity: self.fighters[who].id.clone() }));
        Ok(events)
    }

    /// Does what is intended, all of it or nothing. The same intent again gives the same events again and changes
    /// nothing. Costs and then effects are evaluated once each, in the order they are written, with the actor's pools
    /// as they are before.
    pub fn perform(&mut self, intent: &Intent, throw: Throw<'_>) -> Result<Vec<Event>, Refusal> {
        if intent.id.is_empty() || intent.id.chars().count() > Intent::LONGEST_ID {
            return Err(Refusal::BadIntentId);
        }
        match self.ledger.replay(intent) {
            Ok(None) => {}
            Ok(Some(events)) => return Ok(events.to_vec()),
            Err(()) => return Err(Refusal::IntentConflict(intent.id.clone())),
        }
        let actor = self.ready_actor(&intent.actor)?;
        let action = self.combat.action(&intent.action).ok_or_else(|| Refusal::NoAction(intent.action.clone()))?;
        let target = match intent.targets.as_slice() {
            [] => actor,
            [target] => self.find(target).ok_or_else(|| Refusal::NoTarget(target.clone()))?,
            _ => return Err(Refusal::TooManyTargets),
        };
        let priced = self.price(actor, &self.combat.actions[action], throw)?;
        let events = self.apply(actor, target, &priced);
        self.ledger.record(intent, &events);
        Ok(events)
    }

    /// Uses the turn of somebody who is ready for nothing.
    pub fn pass(&mut self, actor: &str) -> Result<Vec<Event>, Refusal> {
        let actor = self.ready_actor(actor)?;
        Ok(self.consume(actor).into_iter().collect())
    }

    fn ready_actor(&self, id: &str) -> Result<usize, Refusal> {
        let actor = self.find(id).ok_or_else(|| Refusal::NoActor(id.to_owned()))?;
        if !self.is_alive(actor) {
            return Err(Refusal::ActorDown(id.to_owned()));
        }
        let is_ready = match &self.clock {
            Clock::Free => true,
            Clock::Gauges(gauges) => gauges.is_ready(actor),
            Clock::Order(order) => order.is_ready(actor),
        };
        if is_ready { Ok(actor) } else { Err(Refusal::NotReady(id.to_owned())) }
    }

    /// Every amount of an action, each allowed, and all of it there to be paid.
    fn price(&self, actor: usize, action: &'c Action, throw: Throw<'_>) -> Result<Priced<'c>, Refusal> {
        let resource = |at: usize| self.combat.resources[at].id.clone();
        let mut costs = Vec::with_capacity(action.costs.len());
        for cost in &action.costs {
            let amount = self.evaluate(&cost.amount, actor, throw);
            costs.push(amount.map_err(|why| Refusal::NoCost { resource: resource(cost.resource), why })?);
        }
        let mut amounts = Vec::with_capacity(action.effects.len());
        for (effect, declared) in action.effects.iter().enumerate() {
            let amount = self.evaluate(declared.amount(), actor, throw);
            amounts.push(amount.map_err(|why| Refusal::NoAmount { effect, why })?);
        }
        for (cost, amount) in action.costs.iter().zip(&costs) {
            let (amount, there) = (*amount, self.fighters[actor].pools.current(cost.resource));
            if amount < 0 {
                return Err(Refusal::NegativeCost { resource: resource(cost.resource), amount });
            }
            if amount > there {
                return Err(Refusal::TooDear { resource: resource(cost.resource), amount, there });
            }
        }
        for (effect, (declared, amount)) in action.effects.iter().zip(&amounts).enumerate() {
            let is_damage = matches!(declared, Effect::Damage { .. });
            if *amount == 0 || (is_damage && *amount < 0) {
                return Err(Refusal::NoEffect { effect, amount: *amount });
            }
        }
        if let Some(item) = &action.consumes {
            let there = self.fighters[actor].count(&item.name);
            if there < item.quantity {
                let (item, quantity) = (item.name.clone(), item.quantity);
                return Err(Refusal::ItemMissing { item, quantity, there });
            }
        }
        Ok(Priced { action, costs, amounts })
    }

    /// Carries out what has been found to be possible.
    fn apply(&mut self, actor: usize, target: usize, priced: &Priced<'_>) -> Vec<Event> {
        let Priced { action, costs, amounts } = priced;
        let mut events = Vec::new();
        for (cost, amount) in action.costs.iter().zip(costs).filter(|(_, amount)| **amount > 0) {
            let change = self.fighters[actor].pools.change(cost.resource, -amount);
            events.push(self.changed(actor, change, action));
        }
        if let Some(item) = &action.consumes {
            self.fighters[actor].take(&item.name, item.quantity);
        }
        for (effect, amount) in action.effects.iter().zip(amounts) {
            match effect {
                Effect::Damage { damage_type, .. } => {
                    let resources = &self.combat.resources;
                    let pools = &mut self.fighters[target].pools;
                    let changes = pools.damage(*amount, damage_type.as_deref(), resources, self.hp);
                    let applied = changes.iter().map(|change| change.before - change.after).sum();
                    events.extend(changes.into_iter().map(|change| self.changed(target, change, action)));
                    events.push(Event::DamageApplied {
                        target: self.fighters[target].id.clone(),
                        amount: *amount,
                        applied,
                        damage_type: damage_type.clone(),
                        source_action: action.id.clone(),
                    });
                }
                Effect::Change { resource, .. } => {
                    let change = self.fighters[target].pools.change(*resource, *amount);
                    events.push(self.changed(target, change, action));
                }
                Effect::Modify { stat, duration, .. } => {
                    let entity = self.fighters[target].id.clone();
                    let (stat, delta, remaining) = (stat.clone(), *amount, *duration);
                    let source_action = action.id.clone();
                    let told = (entity.clone(), stat.clone());
                    self.modifiers.push(Modifier { entity, stat, delta, remaining });
                    let (target, stat) = told;
                    events.push(Event::BuffApplied { target, stat, delta, duration: remaining, source_action });
                }
            }
        }
        events.extend(self.consume(actor));
        if let Clock::Gauges(gauges) = &mut self.clock {
            for who in [actor, target] {
                if self.fighters[who].pools.current(self.hp) == 0 {
                    gauges.bury(who);
                }
            }
        }
        events
    }

    fn changed(&self, who: usize, change: Changed, action: &Action) -> Event {
        let Changed { resource, before, after } = change;
        Event::ResourceChanged {
            entity: self.fighters[who].id.clone(),
            resource: self.combat.resources[resource].id.clone(),
            before,
            delta: after - before,
            after,
            source_action: action.id.clone(),
        }
    }

    fn consume(&mut self, actor: usize) -> Option<Event> {
        match &mut self.clock {
            Clock::Free => return None,
            Clock::Gauges(gauges) => gauges.consume(actor),
            Clock::Order(order) => order.consume(),
        }
        Some(Event::Consumed { entity: self.fighters[actor].id.clone() })
    }

    /// Who may act now, in the order they became ready; nobody where nothing is scheduled.
    pub fn ready(&self) -> Vec<&str> {
        let who: Vec<usize> = match &self.clock {
            Clock::Free => Vec::new(),
            Clock::Gauges(gauges) => gauges.queue().collect(),
            Clock::Order(order) => order.current().filter(|who| self.is_alive(*who)).into_iter().collect(),
        };
        who.into_iter().map(|who| self.fighters[who].id.as_str()).collect()
    }

    /// Who is alive, in the order of ids.
    pub fn alive(&self) -> impl Iterator<Item = &str> {
        (0..self.fighters.len()).filter(|who| self.is_alive(*who)).map(|who| self.fighters[who].id.as_str())
    }

    /// Everything there is to know of the fight at this moment, to compare with.
    pub fn snapshot(&self) -> Snapshot<'_> {
        let fighter = |who: usize| {
            let fighter = &self.fighters[who];
            let ids = self.combat.resources.iter().map(|resource| resource.id.as_str());
            let pools = ids.enumerate().map(|(at, id)| (id, fighter.pools.current(at))).collect();
            let gauge = match &self.clock {
                Clock::Gauges(gauges) => Some(gauges.filled(who)),
                Clock::Free | Clock::Order(_) => None,
            };
            FighterState { id: &fighter.id, pools, gauge, items: &fighter.inventory }
        };
        Snapshot {
            fighters: (0..self.fighters.len()).map(fighter).collect(),
            ready: self.ready(),
            modifiers: &self.modifiers,
            round: match &self.clock {
                Clock::Order(order) => Some(order.round()),
                Clock::Free | Clock::Gauges(_) => None,
            },
        }
    }
}

impl Fighter {
    fn of(sheet: Sheet, combat: &Combat) -> Self {
        let Sheet { id, attributes, initiative, pools: own, inventory } = sheet;
        let pool = |resource: &super::block::Resource| {
            let (current, maximum) = match (&resource.source, own.get(&resource.id)) {
                (PoolOrigin::CombatState, _) | (_, None) => (0, None),
                (_, Some(pool)) => *pool,
            };
            let maximum = resource.maximum.or(maximum);
            Pool { current: current.max(0).min(maximum.unwrap_or(i64::MAX)), maximum }
        };
        let pools = Pools::new(combat.resources.iter().map(pool).collect());
        Fighter { id, attributes, initiative, pools, inventory }
    }

    /// How many of an item there are in all rows together.
    fn count(&self, item: &str) -> i64 {
        let rows = self.inventory.iter().filter(|(name, _)| name == item);
        rows.fold(0, |sum: i64, (_, quantity)| sum.saturating_add((*quantity).max(0)))
    }

    /// Takes so many, row by row. As many must be there.
    fn take(&mut self, item: &str, mut quantity: i64) {
        for (_, there) in self.inventory.iter_mut().filter(|(name, there)| name == item && *there > 0) {
            let taken = quantity.min(*there);
            *there -= taken;
            quantity -= taken;
        }
    }
}

/// What a formula sees: its actor and the dice.
struct Eyes<'e> {
    combat: &'e Combat,
    fighter: &'e Fighter,
    throw: Throw<'e>,
}

impl Scope for Eyes<'_> {
    fn attribute(&self, id: &str) -> Option<i64> {
        self.fighter.attributes.get(id).copied()
    }

    fn resource(&self, id: &str) -> Option<i64> {
        self.combat.resource(id).map(|at| self.fighter.pools.current(at))
    }

    fn roll(&mut self, dice: Roll) -> i64 {
        (self.throw)(dice)
    }
}
