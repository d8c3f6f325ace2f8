//! Fights under one rule, one after the other, each move followed by the referee.

use super::super::block::{Action, Combat, Effect};
use super::super::fight::{Event, Fight, Intent, Refusal, Sheet};
use super::super::formula::Roll;
use super::super::referee::{self, Referee};
use super::report::{ActionReport, FighterReport, Move, RuleReport, Step};
use super::{Order, party};
use crate::diceframe::dice::{Faces, Generator};
use crate::types::Cancel;
use serde_json::Value;
use std::collections::BTreeMap;

/// A fight is given up after so many rounds for each fighter.
const LONGEST: u64 = 250;
/// A fight is given up when everybody passed so many turns in a row.
const IDLE: u64 = 20;
/// How many disagreements of the referee are told.
const SHOWN: usize = 20;

/// What the fights under a rule came to.
#[derive(Clone, Debug, Default)]
pub(super) struct Campaign {
    pub fights: u64,
    /// Fights in which one side went down.
    pub ended: u64,
    /// Fights in which nobody could do anything any more.
    pub stuck: u64,
    /// Fights given up for their length.
    pub too_long: u64,
    pub rounds: u64,
    /// By the place of the action.
    pub actions: Vec<Tally>,
    /// Starts and advances that were refused, and the first reason.
    pub stalled: u64,
    pub first_stall: Option<Refusal>,
    /// How often the two computations were compared.
    pub compared: u64,
    pub disagreements: Vec<String>,
    /// The first fight.
    pub trace: Vec<Step>,
}

impl Campaign {
    /// Puts what was counted into the report on its rule.
    pub(super) fn report_to(self, report: &mut RuleReport, combat: &Combat) {
        let tallies = combat.actions.iter().zip(self.actions);
        let actions = tallies.map(|(action, tally)| ActionReport {
            id: action.id.clone(),
            tried: tally.tried,
            done: tally.done,
            unpaid: tally.unpaid,
            refused: tally.refused.values().map(|(times, _)| times).sum(),
        });
        report.actions = actions.collect();
        report.fights = self.fights;
        report.ended = self.ended;
        report.stuck = self.stuck;
        report.too_long = self.too_long;
        report.rounds = self.rounds;
        report.comparisons = self.compared;
        report.disagreements = self.disagreements.len();
        report.trace = (!self.trace.is_empty()).then_some(self.trace);
    }
}

/// What became of an action.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    pub tried: u64,
    pub done: u64,
    /// There was too little of a pool or of an item.
    pub unpaid: u64,
    /// A formula's result was refused: how often, and the first reason, by where it stands.
    pub refused: BTreeMap<Amount, (u64, Refusal)>,
}

/// Which amount of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Amount {
    Cost(usize),
    Effect(usize),
}

pub(super) fn fight(rule: &Value, combat: &Combat, order: &Order, cancel: &Cancel) -> Campaign {
    let actions = vec![Tally::default(); combat.actions.len()];
    let campaign = Campaign { actions, ..Campaign::default() };
    let dice = Generator::seeded(order.seed);
    let mut arena = Arena { rule, combat, dice, campaign, is_traced: order.trace };
    while arena.campaign.rounds < order.rounds.into() && !cancel.is_asked() {
        let left = u64::from(order.rounds) - arena.campaign.rounds;
        let sheets = party::draw(rule, combat, order.players, &mut arena.dice);
        arena.one_fight(&sheets, left);
        arena.campaign.fights += 1;
        arena.is_traced = false;
    }
    arena.campaign
}

struct Arena<'r> {
    rule: &'r Value,
    combat: &'r Combat,
    dice: Generator,
    campaign: Campaign,
    is_traced: bool,
}

/// Two computations of one fight.
struct Pair<'r> {
    fight: Fight<'r>,
    referee: Referee<'r>,
    /// Of this fight.
    round: u64,
    moves: u64,
    /// Turns passed since somebody did something.
    idle: u64,
}

impl<'r> Arena<'r> {
    /// Fights until a side is down, nothing can happen any more, or the rounds are used up.
    fn one_fight(&mut self, sheets: &[Sheet], rounds: u64) {
        let fight = Fight::start(self.combat, sheets.to_vec(), None);
        let referee = Referee::start(self.rule, sheets);
        let (fight, referee) = match (fight, referee) {
            (Ok(fight), Ok(referee)) => (fight, referee),
            (Err(refusal), Err(_)) => {
                self.campaign.rounds += 1;
                return self.stall(refusal);
            }
            (fight, _) => {
                self.campaign.rounds += 1;
                let told = fight.err().map_or("can begin".to_owned(), |refusal| format!("cannot begin: {refusal}"));
                return self.disagree(format!("a fight {told}, but the referee disagrees"));
            }
        };
        let mut pair = Pair { fight, referee, round: 0, moves: 0, idle: 0 };
        self.compare(&pair, "the start");
        self.trace(&pair, Move::Start, Ok(&[]));
        while pair.round < rounds {
            pair.round += 1;
            self.campaign.rounds += 1;
            if !self.round(&mut pair) {
                return;
            }
            let standing = |side: char| pair.fight.alive().filter(|id| id.starts_with(side)).count() as u64;
            let (players, enemies) = (standing('p'), standing('e'));
            if players == 0 || enemies == 0 {
                self.campaign.ended += 1;
                return;
            }
            if pair.idle >= IDLE * (players + enemies) {
                self.campaign.stuck += 1;
                return;
            }
            if pair.round >= LONGEST * sheets.len() as u64 {
                self.campaign.too_long += 1;
                return;
            }
        }
    }

    /// One advance and what everybody does who is ready by then; false where time stands still.
    fn round(&mut self, pair: &mut Pair<'r>) -> bool {
        if self.combat.scheduler.is_none() {
            let everybody: Vec<String> = pair.fight.alive().map(str::to_owned).collect();
            for actor in everybody {
                if pair.fight.alive().any(|id| id == actor) {
                    self.turn(pair, &actor);
                }
            }
            return true;
        }
        let went = pair.fight.advance();
        self.follow(pair, &referee::Move::Advance, went.is_ok());
        self.trace(pair, Move::Advance, went.as_deref());
        if let Err(refusal) = went {
            self.stall(refusal);
            return false;
        }
        // Whoever keeps a full gauge by acting is ready again, and waits for the next round.
        let ready: Vec<String> = pair.fight.ready().into_iter().map(str::to_owned).collect();
        for actor in ready {
            if pair.fight.ready().contains(&actor.as_str()) {
                self.turn(pair, &actor);
            }
        }
        true
    }

    /// Tries the actions in a random order until one is done; passes where none is.
    fn turn(&mut self, pair: &mut Pair<'r>, actor: &str) {
        let mut left: Vec<usize> = (0..self.combat.actions.len()).collect();
        while !left.is_empty() {
            let action = left.swap_remove(self.below(left.len()));
            if self.attempt(pair, actor, action) {
                pair.idle = 0;
                return;
            }
        }
        pair.idle += 1;
        if self.combat.scheduler.is_some() {
            let went = pair.fight.pass(actor);
            self.follow(pair, &referee::Move::Pass { actor: actor.to_owned() }, went.is_ok());
            self.trace(pair, Move::Pass { actor: actor.to_owned() }, went.as_deref());
        }
    }

    fn attempt(&mut self, pair: &mut Pair<'r>, actor: &str, action: usize) -> bool {
        let declared = &self.combat.actions[action];
        let target = self.target(pair, actor, declared);
        pair.moves += 1;
        let intent = Intent {
            id: format!("{}-{}", self.campaign.fights, pair.moves),
            actor: actor.to_owned(),
            action: declared.id.clone(),
            targets: target.clone().into_iter().collect(),
        };
        let mut throws = Vec::new();
        let dice = &mut self.dice;
        let mut throw = |roll: Roll| {
            let sum = (0..roll.count).map(|_| i64::from(dice.face(roll.sides))).sum();
            throws.push(sum);
            sum
        };
        let went = pair.fight.perform(&intent, &mut throw);
        let (actor, id) = (actor.to_owned(), declared.id.clone());
        let done = referee::Move::Act { actor: actor.clone(), action: id.clone(), target: target.clone(), throws };
        self.follow(pair, &done, went.is_ok());
        self.trace(pair, Move::Act { actor, action: id, target }, went.as_deref());
        self.campaign.actions[action].count(declared, self.combat, went.as_ref().err());
        went.is_ok()
    }

    /// An enemy for what hurts; oneself or a friend for the rest.
    fn target(&mut self, pair: &Pair<'_>, actor: &str, action: &Action) -> Option<String> {
        let hurts = |effect: &Effect| match effect {
            Effect::Damage { .. } => true,
            Effect::Change { amount, .. } | Effect::Modify { amount, .. } => self.combat.range(amount).high <= 0,
        };
        let is_foe = action.effects.iter().any(hurts);
        if !is_foe && self.below(2) == 0 {
            return None;
        }
        let side = actor.chars().next();
        let candidates: Vec<&str> = pair.fight.alive().filter(|id| (id.chars().next() == side) != is_foe).collect();
        let chosen = self.below(candidates.len().max(1));
        candidates.get(chosen).map(|id| (*id).to_owned())
    }

    /// A number below another that is above 0.
    fn below(&mut self, bound: usize) -> usize {
        let most = i32::try_from(bound).unwrap_or(i32::MAX).saturating_sub(1);
        usize::try_from(self.dice.between(0, most)).unwrap_or_default()
    }

    /// Has the referee do the same, and compares.
    fn follow(&mut self, pair: &mut Pair<'r>, done: &referee::Move, went: bool) {
        let followed = pair.referee.follow(done).is_ok();
        if followed != went {
            let (ours, theirs) = if went { ("done", "refused") } else { ("refused", "done") };
            self.disagree(format!("{ours} here, but {theirs} by the referee: {done:?}"));
        }
        self.compare(pair, "a move");
    }

    fn compare(&mut self, pair: &Pair<'r>, after: &str) {
        self.campaign.compared += 1;
        if pair.fight.snapshot() != pair.referee.snapshot() {
            let (fight, round) = (self.campaign.fights + 1, pair.round);
            self.disagree(format!(
                "after {after} in round {round} of fight {fight}, the referee has a different state"
            ));
        }
    }

    fn disagree(&mut self, message: String) {
        if self.campaign.disagreements.len() < SHOWN {
            self.campaign.disagreements.push(message);
        }
    }

    fn stall(&mut self, refusal: Refusal) {
        self.campaign.stalled += 1;
        self.campaign.first_stall.get_or_insert(refusal);
    }

    fn trace(&mut self, pair: &Pair<'_>, what: Move, went: Result<&[Event], &Refusal>) {
        if !self.is_traced {
            return;
        }
        let snapshot = pair.fight.snapshot();
        self.campaign.trace.push(Step {
            round: pair.round,
            what,
            refused: went.err().map(ToString::to_string),
            events: went.unwrap_or_default().to_vec(),
            ready: snapshot.ready.into_iter().map(str::to_owned).collect(),
            fighters: snapshot.fighters.into_iter().map(FighterReport::from).collect(),
        });
    }
}

impl Tally {
    fn count(&mut self, action: &Action, combat: &Combat, refusal: Option<&Refusal>) {
        self.tried += 1;
        let Some(refusal) = refusal else {
            self.done += 1;
            return;
        };
        let cost = |resource: &str| {
            let place = action.costs.iter().position(|cost| combat.resources[cost.resource].id == resource);
            Amount::Cost(place.unwrap_or_default())
        };
        let amount = match refusal {
            Refusal::NoCost { resource, .. } | Refusal::NegativeCost { resource, .. } => cost(resource),
            Refusal::NoAmount { effect, .. } | Refusal::NoEffect { effect, .. } => Amount::Effect(*effect),
            _ => {
                self.unpaid += 1;
                return;
            }
        };
        self.refused.entry(amount).or_insert_with(|| (0, refusal.clone())).0 += 1;
    }
}
