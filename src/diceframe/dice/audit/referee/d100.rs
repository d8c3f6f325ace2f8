use super::{Complaints, count, middle, mode};
use crate::diceframe::codes;
use crate::diceframe::dice::check::{D100Outcome, Request};
use crate::diceframe::dice::verdict::Verdict;
use serde_json::Value;

pub(in super::super) struct Referee {
    rule: Value,
    /// By threshold, then by roll, both from 1.
    verdicts: Vec<[Verdict; 100]>,
}

impl Referee {
    pub fn of(rule: &Value) -> Self {
        Referee { rule: rule.clone(), verdicts: (1..100).map(painted).collect() }
    }

    pub(super) fn watch(&self, request: &Request, outcome: &D100Outcome, complaints: &mut Complaints) {
        let rolled = mode(&self.rule, "coc_bonus_penalty", request, false);
        complaints.hold(codes::E08, "the mode", outcome.mode, rolled);
        complaints.hold_roll(&outcome.roll, 100, rolled);
        // The tens are thrown once each, the units only once for all of them.
        if let [first, others @ ..] = outcome.roll.rolls.as_slice()
            && let Some(other) = others.iter().find(|other| other.abs_diff(*first) % 10 != 0)
        {
            complaints.add(codes::E01, format_args!("{first} and {other} have different units digits"));
        }
        let threshold = threshold(request);
        complaints.hold(codes::E06, "the threshold", i64::from(outcome.threshold), threshold);
        let row = usize::try_from(threshold - 1).ok().and_then(|row| self.verdicts.get(row));
        let verdict = row.and_then(|row| row.get((outcome.roll.value as usize).wrapping_sub(1)));
        complaints.hold(codes::E07, "the verdict", Some(&outcome.verdict), verdict);
        let missing = i64::from(outcome.roll.value) - threshold;
        let affordable = verdict == Some(&Verdict::Failure) && missing <= i64::from(request.luck);
        let cost = affordable.then_some(missing);
        complaints.hold(codes::E07, "the cost in luck", outcome.luck_cost.map(i64::from), cost);
    }
}

fn threshold(request: &Request) -> i64 {
    let base = match (request.skill, count(request.attribute, 10)) {
        (Some(skill), _) => count(skill.value, 20),
        (None, large @ 21..) => large,
        (None, small) => (small << 2) + small,
    };
    middle(1, base + middle(-20, request.circumstance.into(), 20), 99)
}

/// All verdicts at one threshold, one layer of paint over the other.
fn painted(threshold: usize) -> [Verdict; 100] {
    let mut verdicts = [Verdict::Failure; 100];
    let layers = [(1, Verdict::Regular), (2, Verdict::Hard), (5, Verdict::Extreme)];
    for (times, verdict) in layers {
        for roll in (1..=100).take_while(|roll| roll * times <= threshold) {
            verdicts[roll - 1] = verdict;
        }
    }
    let fumbles = if threshold >= 50 { 99.. } else { 95.. };
    verdicts[fumbles].fill(Verdict::Fumble);
    verdicts[0] = Verdict::Critical;
    verdicts
}
