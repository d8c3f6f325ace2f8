//! The same fight computed once more, by code that shares nothing with [`super::fight`] but what goes in and what is
//! compared: it reads the rule's JSON itself each time, finds times by trying them, and knows everybody by name. It is
//! slow and plain on purpose.

mod evaluate;
mod shares;
#[cfg(test)]
mod tests;
mod time;

use super::fight::Sheet;
use super::snapshot::{FighterState, Modifier, Snapshot};
use evaluate::evaluate;
use serde_json::Value;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use time::Runner;

/// What was done in a fight, with the dice that fell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Move {
    Advance,
    Pass { actor: String },
    Act { actor: String, action: String, target: Option<String>, throws: Vec<i64> },
}

/// A fight of the referee's own, under a rule that has no finding.
#[derive(Clone, Debug)]
pub struct Referee<'r> {
    rule: &'r Value,
    people: BTreeMap<String, Person>,
    lasting: Vec<Modifier>,
    /// Whose gauges are full, in the order they may act.
    queue: Vec<String>,
    /// Everybody in the order of turns.
    line: Vec<String>,
    /// How many places of the line have been gone over, those of the dead included.
    gone_over: usize,
    has_acted: bool,
}

#[derive(Clone, Debug)]
struct Person {
    /// Never changed, and shared by what the fight was before a move and is after it.
    sheet: Rc<Sheet>,
    has: BTreeMap<String, i64>,
    gauge: i128,
    inventory: Vec<(String, i64)>,
}

/// The referee does not allow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused;

impl<'r> Referee<'r> {
    pub fn start(rule: &'r Value, sheets: &[Sheet]) -> Result<Self, Refused> {
        let mut people = BTreeMap::new();
        for sheet in sheets {
            let has = BTreeMap::new();
            let person = Person { sheet: Rc::new(sheet.clone()), has, gauge: 0, inventory: sheet.inventory.clone() };
            people.insert(sheet.id.clone(), person);
        }
        let mut line: Vec<String> = people.keys().cloned().collect();
        let (lasting, queue) = (Vec::new(), Vec::new());
        let mut referee = Referee { rule, people, lasting, queue, line: Vec::new(), gone_over: 0, has_acted: false };
        if referee.people.len() != sheets.len() {
            return Err(Refused);
        }
        let names: Vec<String> = line.clone();
        for name in &names {
            for pool in referee.pools() {
                let id = pool["id"].as_str().ok_or(Refused)?;
                let own = match pool["source"].as_str() {
                    Some("combat_state") => 0,
                    _ => referee.people[name].sheet.pools.get(id).map_or(0, |(current, _)| *current),
                };
                let most = referee.most(name, id);
                referee.people.get_mut(name).ok_or(Refused)?.has.insert(id.to_owned(), own.max(0).min(most));
            }
        }
        match referee.kind() {
            Some("threshold") => {
                let alive = names.iter().filter(|name| referee.lives(name));
                if alive.map(|name| referee.speed(name)).collect::<Result<Vec<i64>, Refused>>()?.iter().any(|s| *s <= 0)
                {
                    return Err(Refused);
                }
            }
            Some("initiative") => {
                // One after the other: whoever is left with the highest value, the first by name.
                let mut rest = std::mem::take(&mut line);
                while let Some(best) = rest.iter().map(|name| referee.people[name].sheet.initiative).max() {
                    let (first, others): (Vec<String>, Vec<String>) =
                        rest.into_iter().partition(|name| referee.people[name].sheet.initiative == best);
                    line.extend(first);
                    rest = others;
                }
            }
            _ => {}
        }
        referee.line = line;
        Ok(referee)
    }

    fn kind(&self) -> Option<&'r str> {
        self.rule["combat"]["scheduler"]["kind"].as_str().map(str::trim)
    }

    fn pools(&self) -> Vec<&'r Value> {
        self.rule["combat"]["resources"].as_array().into_iter().flatten().collect()
    }

    fn pool(&self, id: &str) -> Option<&'r Value> {
        self.pools().into_iter().find(|pool| pool["id"] == id)
    }

    fn life(&self) -> Option<&'r str> {
        self.pools().into_iter().find(|pool| pool["source"] == "hp")?["id"].as_str()
    }

    /// The most somebody can have of a pool.
    fn most(&self, name: &str, id: &str) -> i64 {
        let Some(pool) = self.pool(id) else { return 0 };
        if let Some(maximum) = pool["maximum"].as_i64() {
            return maximum;
        }
        let of_sheet = self.people[name].sheet.pools.get(id).filter(|_| pool["source"] != "combat_state");
        of_sheet.and_then(|(_, most)| *most).unwrap_or(i64::MAX)
    }

    fn has(&self, name: &str, id: &str) -> i64 {
        self.people.get(name).and_then(|person| person.has.get(id)).copied().unwrap_or_default()
    }

    fn lives(&self, name: &str) -> bool {
        self.life().is_some_and(|life| self.has(name, life) > 0)
    }

    fn compute(&self, formula: &Value, name: &str, throws: &mut VecDeque<i64>) -> Result<i64, Refused> {
        let person = self.people.get(name).ok_or(Refused)?;
        let result = evaluate(formula, &person.sheet.attributes, &person.has, throws).ok_or(Refused)?;
        if result.abs() > 100_000 { Err(Refused) } else { Ok(result as i64) }
    }

    fn speed(&self, name: &str) -> Result<i64, Refused> {
        let scheduler = &self.rule["combat"]["scheduler"];
        let mut speed = match &scheduler["speed_formula"] {
            Value::Null => 25,
            formula => self.compute(formula, name, &mut VecDeque::new())?,
        };
        let stat = scheduler["speed"].as_str().unwrap_or("action_speed");
        for Modifier { entity, stat: changed, delta, .. } in &self.lasting {
            if entity == name && changed == stat {
                speed += delta;
            }
        }
        Ok(if speed < 0 { 0 } else { speed })
    }

    /// Does a move, or nothing at all.
    pub fn follow(&mut self, done: &Move) -> Result<(), Refused> {
        match done {
            Move::Advance => self.advance(),
            Move::Pass { actor } => {
                self.may_act(actor)?;
                self.turn_is_used(actor);
                Ok(())
            }
            Move::Act { actor, action, target, throws } => {
                let mut after = self.clone();
                after.act(actor, action, target.as_deref().unwrap_or(actor), throws)?;
                *self = after;
                Ok(())
            }
        }
    }

    fn advance(&mut self) -> Result<(), Refused> {
        let time_went_by = match self.kind() {
            Some("threshold") => self.fill()?,
            Some(_) => self.next_in_line(),
            None => false,
        };
        if time_went_by {
            for lasting in &mut self.lasting {
                lasting.remaining -= 1;
            }
            self.lasting.retain(|lasting| lasting.remaining != 0);
        }
        Ok(())
    }

    fn fill(&mut self) -> Result<bool, Refused> {
        let scheduler = &self.rule["combat"]["scheduler"];
        let full = i128::from(scheduler["threshold"].as_i64().unwrap_or(100));
        let mut runners = Vec::new();
        for name in self.people.keys().filter(|name| self.lives(name)) {
            let (speed, gauge) = (self.speed(name)?, self.people[name].gauge);
            if speed <= 0 && gauge < full {
                return Err(Refused);
            }
            let initiative = self.people[name].sheet.initiative;
            runners.push(Runner { name: name.clone(), gauge, speed: speed.into(), initiative });
        }
        let time = time::until_the_first(&runners, full);
        for runner in runners.iter().filter(|runner| runner.gauge < full) {
            let mut gauge = runner.gauge + runner.speed * time;
            if scheduler["overflow"] == "clamp" && gauge > full {
                gauge = full;
            }
            self.people.get_mut(&runner.name).ok_or(Refused)?.gauge = gauge;
        }
        runners.retain(|runner| self.people[&runner.name].gauge >= full && !self.queue.contains(&runner.name));
        while !runners.is_empty() {
            let mut first = 0;
            for other in 1..runners.len() {
                if runners[other].comes_before(&runners[first], full) {
                    first = other;
                }
            }
            self.queue.push(runners.remove(first).name);
        }
        Ok(time > 0)
    }

    fn next_in_line(&mut self) -> bool {
        if !self.line.iter().any(|name| self.lives(name)) {
            return false;
        }
        for _ in 0..self.line.len() {
            self.gone_over += 1;
            if self.lives(&self.line[(self.gone_over - 1) % self.line.len()]) {
                self.has_acted = false;
                return true;
            }
        }
        false
    }

    /// Whose turn it is in the line.
    fn in_turn(&self) -> Option<&String> {
        let place = self.gone_over.checked_sub(1)?;
        self.line.get(place % self.line.len()).filter(|_| !self.has_acted)
    }

    fn may_act(&self, actor: &str) -> Result<(), Refused> {
        let ready = match self.kind() {
            Some("threshold") => self.queue.iter().any(|name| name == actor),
            Some(_) => self.in_turn().is_some_and(|name| name == actor),
            None => self.people.contains_key(actor),
        };
        if ready && self.lives(actor) { Ok(()) } else { Err(Refused) }
    }

    fn turn_is_used(&mut self, actor: &str) {
        self.has_acted = true;
        if self.kind() != Some("threshold") {
            return;
        }
        let scheduler = &self.rule["combat"]["scheduler"];
        let full = i128::from(scheduler["threshold"].as_i64().unwrap_or(100));
        self.queue.retain(|name| name != actor);
        if let Some(person) = self.people.get_mut(actor) {
            person.gauge = if scheduler["consume"] == "carry" { person.gauge - full } else { 0 };
            if person.gauge >= full {
                self.queue.push(actor.to_owned());
            }
        }
    }

    fn act(&mut self, actor: &str, action: &str, target: &str, throws: &[i64]) -> Result<(), Refused> {
        self.may_act(actor)?;
        if !self.people.contains_key(target) {
            return Err(Refused);
        }
        let actions = self.rule["combat"]["actions"].as_array().ok_or(Refused)?;
        let action = actions.iter().find(|known| known["id"] == action).ok_or(Refused)?;
        let list = |key: &str| action[key].as_array().map_or(&[][..], Vec::as_slice);
        let mut throws: VecDeque<i64> = throws.iter().copied().collect();
        let mut amounts = Vec::new();
        for item in list("costs").iter().chain(list("effects")) {
            amounts.push(self.compute(&item["amount"], actor, &mut throws)?);
        }
        if !throws.is_empty() {
            return Err(Refused);
        }
        let effects = amounts.split_off(list("costs").len());
        for (cost, amount) in list("costs").iter().zip(amounts) {
            let id = cost["resource"].as_str().ok_or(Refused)?;
            let left = self.has(actor, id) - amount;
            if amount < 0 || left < 0 {
                return Err(Refused);
            }
            self.set(actor, id, left)?;
        }
        if let Some(item) = action["consume_item"]["item"].as_str() {
            self.use_up(actor, item, action["consume_item"]["qty"].as_i64().unwrap_or(1))?;
        }
        for (effect, amount) in list("effects").iter().zip(effects) {
            self.affect(target, effect, amount)?;
        }
        self.turn_is_used(actor);
        let dead: Vec<String> = self.queue.iter().filter(|name| !self.lives(name)).cloned().collect();
        self.queue.retain(|name| !dead.contains(name));
        Ok(())
    }

    fn set(&mut self, name: &str, id: &str, value: i64) -> Result<(), Refused> {
        self.people.get_mut(name).ok_or(Refused)?.has.insert(id.to_owned(), value);
        Ok(())
    }

    /// One by one from the first row that has any.
    fn use_up(&mut self, name: &str, item: &str, quantity: i64) -> Result<(), Refused> {
        let rows = &mut self.people.get_mut(name).ok_or(Refused)?.inventory;
        let mut missing = quantity;
        for row in rows {
            if row.0 == item && row.1 > 0 && missing > 0 {
                let left = if row.1 > missing { row.1 - missing } else { 0 };
                missing -= row.1 - left;
                row.1 = left;
            }
        }
        if missing > 0 { Err(Refused) } else { Ok(()) }
    }

    fn affect(&mut self, target: &str, effect: &Value, amount: i64) -> Result<(), Refused> {
        let named = effect["resource"].as_str();
        match effect["kind"].as_str() {
            Some("damage") if amount > 0 => {
                let life = self.life().ok_or(Refused)?;
                let has = &self.people.get(target).ok_or(Refused)?.has;
                let shields = shares::shields(&self.pools(), effect["damage_type"].as_str());
                for (id, left) in shares::after_damage(amount, &shields, life, has) {
                    self.set(target, &id, left)?;
                }
            }
            Some("resource_change") if amount != 0 => {
                let id = named.ok_or(Refused)?;
                let (sum, most) = (self.has(target, id).saturating_add(amount), self.most(target, id));
                self.set(
                    target,
                    id,
                    if sum < 0 {
                        0
                    } else if sum > most {
                        most
                    } else {
                        sum
                    },
                )?;
            }
            Some("modify_stat") if amount != 0 => self.lasting.push(Modifier {
                entity: target.to_owned(),
                stat: named.ok_or(Refused)?.to_owned(),
                delta: amount,
                remaining: effect["duration"].as_i64().ok_or(Refused)?,
            }),
            _ => return Err(Refused),
        }
        Ok(())
    }

    pub fn snapshot(&self) -> Snapshot<'_> {
        let kind = self.kind();
        let mut fighters = Vec::with_capacity(self.people.len());
        for (id, person) in &self.people {
            let pools = person.has.iter().map(|(id, has)| (id.as_str(), *has)).collect();
            let gauge = (kind == Some("threshold")).then_some(person.gauge);
            fighters.push(FighterState { id, pools, gauge, items: &person.inventory });
        }
        let turns = matches!(kind, Some("initiative" | "round_robin"));
        let in_turn = self.in_turn().map(String::as_str).filter(|name| turns && self.lives(name));
        Snapshot {
            fighters,
            ready: if turns { in_turn.into_iter().collect() } else { self.queue.iter().map(String::as_str).collect() },
            modifiers: &self.lasting,
            round: turns.then(|| 1 + self.gone_over.saturating_sub(1) as u64 / self.line.len().max(1) as u64),
        }
    }
}
