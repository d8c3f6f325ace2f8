//! The scheduler of the kind `threshold`: gauges fill with time, and whoever's is full may act.

use super::super::block::{Consumed, Overflow, Threshold};
use std::cmp::Ordering;
use std::collections::VecDeque;

/// What the gauges need to know of a fighter at a moment. Fighters are known by their place in the order of their ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    pub is_alive: bool,
    /// With every modifier; what a unit of time adds.
    pub speed: i64,
    /// The modifier of initiative, which decides between those who are full at the same moment with the same speed.
    pub initiative: i64,
}

/// Somebody alive does not move: time cannot be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StandsStill(pub usize);

/// Units of time that went by, and who became ready by them, in the order of their arrival.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advance {
    pub time: i128,
    pub ready: Vec<usize>,
}

/// The gauges of a fight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gauges {
    full: i128,
    overflow: Overflow,
    consume: Consumed,
    filled: Vec<i128>,
    /// Who may act, the first first. Any of them may.
    queue: VecDeque<usize>,
}

impl Gauges {
    /// Empty gauges. Everybody alive must have a speed above 0.
    pub fn start(threshold: &Threshold, standings: &[Standing]) -> Result<Self, StandsStill> {
        let still = standings.iter().position(|standing| standing.is_alive && standing.speed <= 0);
        match still {
            Some(who) => Err(StandsStill(who)),
            None => Ok(Gauges {
                full: threshold.full.into(),
                overflow: threshold.overflow,
                consume: threshold.consume,
                filled: vec![0; standings.len()],
                queue: VecDeque::new(),
            }),
        }
    }

    /// Lets the least time go by after which somebody more is ready. Nothing where everybody alive is.
    pub fn advance(&mut self, standings: &[Standing]) -> Result<Option<Advance>, StandsStill> {
        let is_pending = |who: &usize| standings[*who].is_alive && self.filled[*who] < self.full;
        let pending: Vec<usize> = (0..standings.len()).filter(is_pending).collect();
        if let Some(still) = pending.iter().find(|who| standings[**who].speed <= 0) {
            return Err(StandsStill(*still));
        }
        let before = self.filled.clone();
        let time = pending.iter().map(|who| self.time_to_fill(*who, standings)).min().unwrap_or_default();
        for who in pending {
            let filled = self.filled[who] + time * i128::from(standings[who].speed);
            self.filled[who] = match self.overflow {
                Overflow::Carry => filled,
                Overflow::Clamp => filled.min(self.full),
            };
        }
        let is_new =
            |who: &usize| standings[*who].is_alive && self.filled[*who] >= self.full && !self.queue.contains(who);
        let mut ready: Vec<usize> = (0..standings.len()).filter(is_new).collect();
        // A stable sort of what is in the order of ids: these decide last.
        ready.sort_by(|a, b| {
            let missing = |who: usize| (self.full - before[who]).max(0);
            let (fast, slow) = (standings[*a], standings[*b]);
            arrival(missing(*a), fast.speed, missing(*b), slow.speed)
                .then(slow.speed.cmp(&fast.speed))
                .then(slow.initiative.cmp(&fast.initiative))
        });
        self.queue.extend(&ready);
        Ok((time > 0 || !ready.is_empty()).then_some(Advance { time, ready }))
    }

    /// Units of time until this gauge is full, rounded up. Its owner moves.
    fn time_to_fill(&self, who: usize, standings: &[Standing]) -> i128 {
        let (missing, speed) = (self.full - self.filled[who], i128::from(standings[who].speed));
        (missing + speed - 1) / speed
    }

    pub fn is_ready(&self, who: usize) -> bool {
        self.queue.contains(&who)
    }

    /// Takes what acting costs from a gauge whose owner is ready.
    pub fn consume(&mut self, who: usize) {
        self.queue.retain(|ready| *ready != who);
        self.filled[who] = match self.consume {
            Consumed::Reset => 0,
            Consumed::Carry => self.filled[who] - self.full,
        };
        if self.filled[who] >= self.full {
            self.queue.push_back(who);
        }
    }

    /// The dead are never ready.
    pub fn bury(&mut self, who: usize) {
        self.queue.retain(|ready| *ready != who);
    }

    pub fn filled(&self, who: usize) -> i128 {
        self.filled[who]
    }

    pub fn queue(&self) -> impl Iterator<Item = usize> {
        self.queue.iter().copied()
    }
}

/// Which of `missing / speed` comes first, exactly. What was full before has arrived, whatever its speed is by now.
fn arrival(a: i128, speed_a: i64, b: i128, speed_b: i64) -> Ordering {
    let over = |missing: i128, speed: i64| if missing == 0 { 1 } else { i128::from(speed) };
    // Both factors fit 64 bits.
    (a * over(b, speed_b)).cmp(&(b * over(a, speed_a)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn threshold(overflow: Overflow, consume: Consumed) -> Threshold {
        Threshold { full: 100, overflow, consume, speed: None }
    }

    fn standings(speeds: &[i64]) -> Vec<Standing> {
        speeds.iter().map(|speed| Standing { is_alive: true, speed: *speed, initiative: 0 }).collect()
    }

    fn started(overflow: Overflow, consume: Consumed, speeds: &[i64]) -> (Gauges, Vec<Standing>) {
        let standings = standings(speeds);
        (Gauges::start(&threshold(overflow, consume), &standings).unwrap(), standings)
    }

    fn advanced(gauges: &mut Gauges, standings: &[Standing]) -> (i128, Vec<usize>) {
        let Advance { time, ready } = gauges.advance(standings).unwrap().unwrap();
        (time, ready)
    }

    use Consumed::Reset;
    use Overflow::{Carry, Clamp};

    #[test]
    fn the_faster_is_ready_first_and_the_slower_keeps_what_it_has() {
        // goblin, x
        let (mut gauges, standings) = started(Carry, Reset, &[10, 25]);
        assert_eq!(advanced(&mut gauges, &standings), (4, vec![1]));
        assert_eq!((gauges.filled(0), gauges.filled(1)), (40, 100));
    }

    #[test]
    fn those_ready_at_once_come_by_arrival_speed_initiative_and_id() {
        // amy, goblin, zed
        let (mut gauges, mut standings) = started(Carry, Reset, &[60, 50, 50]);
        standings[2].initiative = 9;
        assert_eq!(advanced(&mut gauges, &standings), (2, vec![0, 2, 1]));
    }

    #[test]
    fn arrival_is_compared_as_fractions() {
        // early, late
        let (mut gauges, standings) = started(Carry, Reset, &[2, 51]);
        gauges.filled[0] = 97;
        assert_eq!(advanced(&mut gauges, &standings), (2, vec![0, 1]));
        // By overflow the second would come first: 101 and 102.
        assert_eq!((gauges.filled(0), gauges.filled(1)), (101, 102));
    }

    #[test]
    fn carry_with_carry_keeps_the_surplus() {
        let (mut gauges, standings) = started(Carry, Consumed::Carry, &[60]);
        assert_eq!(advanced(&mut gauges, &standings), (2, vec![0]));
        assert_eq!(gauges.filled(0), 120);
        gauges.consume(0);
        assert_eq!((gauges.filled(0), gauges.is_ready(0)), (20, false));

        let (mut gauges, standings) = started(Carry, Consumed::Carry, &[250]);
        assert_eq!(advanced(&mut gauges, &standings), (1, vec![0]));
        assert_eq!(gauges.filled(0), 250);
        gauges.consume(0);
        assert_eq!((gauges.filled(0), gauges.is_ready(0)), (150, true));
        assert_eq!(gauges.advance(&standings), Ok(None), "everybody is ready");
    }

    #[test]
    fn clamp_stops_at_the_threshold() {
        let (mut gauges, standings) = started(Clamp, Reset, &[60, 10]);
        assert_eq!(advanced(&mut gauges, &standings), (2, vec![0]));
        assert_eq!((gauges.filled(0), gauges.filled(1)), (100, 20));
    }

    fn all_act(gauges: &mut Gauges) {
        while let Some(who) = gauges.queue.front().copied() {
            gauges.consume(who);
        }
    }

    /// foe 33, p1 40, p2 24: each acts as soon as it can.
    fn turns(consume: Consumed, advances: usize) -> String {
        let names = ["foe", "p1", "p2"];
        let (mut gauges, standings) = started(Carry, consume, &[33, 40, 24]);
        let mut told = Vec::new();
        for _ in 0..advances {
            let (_, ready) = advanced(&mut gauges, &standings);
            told.push(ready.iter().map(|who| names[*who]).collect::<Vec<_>>().join(","));
            all_act(&mut gauges);
        }
        told.join(" | ")
    }

    #[test]
    fn a_fight_of_three() {
        assert_eq!(turns(Reset, 6), "p1 | foe | p2 | p1 | foe | p1");
        assert_eq!(turns(Consumed::Carry, 8), "p1 | foe | p2,p1 | foe | p1 | p2 | foe,p1 | foe,p1,p2");
    }

    #[test]
    fn who_is_full_waits_and_time_goes_on_for_the_others() {
        let (mut gauges, standings) = started(Carry, Reset, &[10, 25]);
        advanced(&mut gauges, &standings);
        assert_eq!(advanced(&mut gauges, &standings), (6, vec![0]));
        assert_eq!((gauges.filled(0), gauges.filled(1)), (100, 100));
        assert_eq!(gauges.queue().collect::<Vec<_>>(), [1, 0]);
    }

    #[test]
    fn the_dead_are_never_ready_and_never_accumulate() {
        let (mut gauges, mut standings) = started(Carry, Reset, &[10, 25]);
        standings[1].is_alive = false;
        assert_eq!(advanced(&mut gauges, &standings), (10, vec![0]));
        assert_eq!(gauges.filled(1), 0);
        gauges.bury(0);
        assert!(!gauges.is_ready(0));
    }

    #[test]
    fn whoever_is_raised_with_a_full_gauge_is_ready_again() {
        let (mut gauges, standings) = started(Carry, Reset, &[10]);
        advanced(&mut gauges, &standings);
        gauges.bury(0);
        assert_eq!(advanced(&mut gauges, &standings), (0, vec![0]));
    }

    #[test]
    fn nobody_alive_may_stand_still() {
        let mut standing = standings(&[0, 25]);
        assert_eq!(Gauges::start(&threshold(Carry, Reset), &standing), Err(StandsStill(0)));
        standing[0].is_alive = false;
        let mut gauges = Gauges::start(&threshold(Carry, Reset), &standing).unwrap();
        standing[1].speed = 0;
        assert_eq!(gauges.advance(&standing), Err(StandsStill(1)));
    }

    #[test]
    fn the_largest_numbers_are_no_danger() {
        let huge = Threshold { full: i64::MAX, ..threshold(Carry, Consumed::Carry) };
        let standings = standings(&[1, i64::MAX - 1, 3]);
        let mut gauges = Gauges::start(&huge, &standings).unwrap();
        assert_eq!(advanced(&mut gauges, &standings), (2, vec![1]));
        for _ in 0..9 {
            gauges.advance(&standings).unwrap();
            all_act(&mut gauges);
        }
    }
}
