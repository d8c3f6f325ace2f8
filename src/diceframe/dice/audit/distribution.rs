//! Whether faces come up as often as they should. Only gross bias shows; this replaces no other test.

use super::report::DistributionReport;
use super::{Order, seed_of};
use crate::diceframe::dice::check::{Mode, Roll};
use crate::diceframe::dice::faces::Generator;
use crate::diceframe::rules::DiceSystem;
use crate::types::Cancel;

/// How far a face may be from what is expected of it, in standard deviations, and how far the sum of squares: at six,
/// fair dice fail about once in sixty thousand audits.
const LIMIT: f64 = 6.0;
/// From here on the rarest value of any kept roll, one in a thousand, is expected five times: fewer, and the statistics
/// mean little.
const SAMPLES_OF_KEPT: u32 = 5000;

/// A kind of roll that is sampled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sampled {
    system: DiceSystem,
    mode: Option<Mode>,
}

/// Plain dice always, and what is kept of several where there are samples enough for it.
pub(super) fn chosen(dice: &[DiceSystem], order: &Order) -> Vec<Sampled> {
    let modes = [None, Some(Mode::Advantage), Some(Mode::Disadvantage)];
    let is_worth = |mode: &Option<Mode>| mode.is_none() || order.distribution_samples >= SAMPLES_OF_KEPT;
    let modes = modes.into_iter().filter(is_worth);
    modes.flat_map(|mode| dice.iter().map(move |system| Sampled { system: *system, mode })).collect()
}

/// Stops when asked to; what it then says is of no use.
pub(super) fn sample(sampled: Sampled, order: &Order, cancel: &Cancel) -> DistributionReport {
    let name = sampled.name();
    let odds = sampled.odds();
    let mut dice = Generator::seeded(seed_of(order, &format!("distribution of {name}")));
    let mut counts = vec![0_u64; odds.len()];
    for _ in (0..order.distribution_samples).take_while(|_| !cancel.is_asked()) {
        let rolled = match sampled.system {
            DiceSystem::D100 => Roll::d100_in(sampled.mode, &mut dice),
            _ => Roll::d20(sampled.mode, &mut dice),
        };
        // What is no value of these dice is missing from the counts and so fails the test.
        let place = rolled.ok().and_then(|roll| counts.get_mut((roll.value as usize).wrapping_sub(1)));
        if let Some(count) = place {
            *count += 1;
        }
    }
    judge(name, &odds, &counts, order.distribution_samples)
}

/// Counts against odds, value by value from 1.
fn judge(name: &str, odds: &[f64], counts: &[u64], samples: u32) -> DistributionReport {
    let n = f64::from(samples);
    let (mut max_z, mut chi_square) = (0_f64, 0_f64);
    let (mut mean, mut expected_mean) = (0_f64, 0_f64);
    for (value, (odds, count)) in (1..).zip(odds.iter().zip(counts)) {
        let (count, expected) = (*count as f64, n * odds);
        let off = count - expected;
        max_z = max_z.max(off.abs() / (expected * (1.0 - odds)).sqrt());
        chi_square += off * off / expected;
        mean += f64::from(value) * count / n;
        expected_mean += f64::from(value) * odds;
    }
    let freedom = (odds.len() - 1) as f64;
    let chi_limit = freedom + LIMIT * (2.0 * freedom).sqrt();
    let everything_counted = counts.iter().sum::<u64>() == u64::from(samples);
    DistributionReport {
        dice: name.to_owned(),
        samples,
        mean: rounded(mean, 6),
        expected_mean: rounded(expected_mean, 6),
        min_count: counts.iter().copied().min().unwrap_or(0),
        max_count: counts.iter().copied().max().unwrap_or(0),
        max_z: rounded(max_z, 4),
        chi_square: rounded(chi_square, 4),
        chi_limit: rounded(chi_limit, 4),
        ok: everything_counted && max_z <= LIMIT && chi_square <= chi_limit,
    }
}

fn rounded(number: f64, digits: i32) -> f64 {
    let factor = 10_f64.powi(digits);
    (number * factor).round() / factor
}

impl Sampled {
    const fn name(self) -> &'static str {
        match (self.system, self.mode) {
            (DiceSystem::D100, None) => "d100",
            (DiceSystem::D100, Some(Mode::Advantage)) => "d100 bonus",
            (DiceSystem::D100, Some(Mode::Disadvantage)) => "d100 penalty",
            (_, None) => "d20",
            (_, Some(Mode::Advantage)) => "d20 advantage",
            (_, Some(Mode::Disadvantage)) => "d20 disadvantage",
        }
    }

    /// The exact odds of every value from 1, by going through all rolls there are.
    fn odds(self) -> Vec<f64> {
        match (self.system, self.mode) {
            (DiceSystem::D100, None) => vec![0.01; 100],
            (DiceSystem::D100, Some(mode)) => {
                let rolls = (0..10).flat_map(|units| {
                    let candidate = move |tens: usize| if tens + units == 0 { 100 } else { 10 * tens + units };
                    (0..100).map(move |tens| (candidate(tens / 10), candidate(tens % 10)))
                });
                shares(100, rolls, mode)
            }
            (_, None) => vec![0.05; 20],
            (_, Some(mode)) => shares(20, (0..400).map(|pair| (pair / 20 + 1, pair % 20 + 1)), mode),
        }
    }
}

/// How often each value is the one kept of two. A bonus die keeps the lower candidate, advantage the higher face.
fn shares(values: usize, rolls: impl Iterator<Item = (usize, usize)>, mode: Mode) -> Vec<f64> {
    let lower = (mode == Mode::Advantage) == (values == 100);
    let mut counts = vec![0_u32; values];
    let mut all = 0_u32;
    for (first, second) in rolls {
        counts[if lower { first.min(second) } else { first.max(second) } - 1] += 1;
        all += 1;
    }
    counts.iter().map(|count| f64::from(*count) / f64::from(all)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [(DiceSystem, Option<Mode>, f64); 6] = [
        (DiceSystem::D20, None, 10.5),
        (DiceSystem::D20, Some(Mode::Advantage), 13.825),
        (DiceSystem::D20, Some(Mode::Disadvantage), 7.175),
        (DiceSystem::D100, None, 50.5),
        (DiceSystem::D100, Some(Mode::Advantage), 34.0),
        (DiceSystem::D100, Some(Mode::Disadvantage), 67.0),
    ];

    #[test]
    fn the_odds_of_kept_dice_are_exact() {
        for (system, mode, mean) in ALL {
            let odds = Sampled { system, mode }.odds();
            let of = |from: usize, to: usize| odds[from - 1..to].iter().sum::<f64>();
            assert!((of(1, odds.len()) - 1.0).abs() < 1e-9);
            let found: f64 = (1..).zip(&odds).map(|(value, odds)| f64::from(value) * odds).sum();
            assert!((found - mean).abs() < 1e-9, "{system:?} {mode:?}: {found}");
            let per_thousand = |from, to| (of(from, to) * 1000.0).round() as u32;
            match (system, mode) {
                (DiceSystem::D100, Some(Mode::Advantage)) => {
                    assert_eq!(
                        [(1, 1), (100, 100), (1, 50), (96, 100)].map(|(a, b)| per_thousand(a, b)),
                        [19, 1, 750, 5]
                    );
                }
                (DiceSystem::D100, Some(Mode::Disadvantage)) => {
                    assert_eq!(
                        [(1, 1), (100, 100), (1, 50), (96, 100)].map(|(a, b)| per_thousand(a, b)),
                        [1, 19, 250, 95]
                    );
                }
                _ => {}
            }
        }
    }

    #[test]
    fn the_limits_are_those_of_the_original() {
        let limit = |name, sides: usize| {
            judge(name, &vec![1.0 / sides as f64; sides], &vec![50; sides], 50 * sides as u32).chi_limit
        };
        assert_eq!((limit("d20", 20), limit("d100", 100)), (55.9865, 183.4275));
    }

    #[test]
    fn z_and_chi_square_are_computed_as_written() {
        // n = 1000, p = 0.05: 80 is 30 above 50, and √(1000 · 0.05 · 0.95) = 6.892.
        let mut counts = [50; 20];
        (counts[0], counts[1]) = (80, 20);
        let judged = judge("d20", &[0.05; 20], &counts, 1000);
        assert_eq!((judged.max_z, judged.chi_square, judged.ok), (4.3529, 36.0, true));
        assert_eq!((judged.min_count, judged.max_count), (20, 80));
        assert_eq!((judged.mean, judged.expected_mean), (10.47, 10.5));
        // 42 above is more than six deviations, though the sum of squares still passes: 2 · 21² / 50 + …
        (counts[0], counts[1]) = (92, 50);
        (counts[2], counts[3]) = (29, 29);
        let judged = judge("d20", &[0.05; 20], &counts, 1000);
        assert!(judged.max_z > 6.0 && judged.chi_square < judged.chi_limit && !judged.ok, "{judged:?}");
        // The other way round: no face is far off, all of them together are.
        let counts: Vec<u64> = (0..20).map(|face| if face % 2 == 0 { 62 } else { 38 }).collect();
        let judged = judge("d20", &[0.05; 20], &counts, 1000);
        assert!(judged.max_z < 6.0 && judged.chi_square > judged.chi_limit && !judged.ok, "{judged:?}");
        // A throw that shows no face of the die is missing.
        assert!(!judge("d20", &[0.05; 20], &[50; 20], 1001).ok);
    }

    fn order(distribution_samples: u32, seed: u64) -> Order {
        Order { rounds: 1, players: 1, distribution_samples, seed, only: Vec::new(), details: false }
    }

    #[test]
    fn the_seed_moves_every_distribution() {
        let with_seed = |seed| {
            let order = order(5000, seed);
            let sampled = chosen(&[DiceSystem::D20, DiceSystem::D100], &order);
            sampled.into_iter().map(|sampled| sample(sampled, &order, &Cancel::default())).collect::<Vec<_>>()
        };
        let (one, other) = (with_seed(1), with_seed(2));
        assert_eq!(one, with_seed(1));
        assert_eq!(one.len(), ALL.len());
        for (one, other) in one.iter().zip(&other) {
            assert_ne!((one.mean, one.chi_square), (other.mean, other.chi_square), "{}", one.dice);
        }
    }

    #[test]
    fn our_dice_are_fair() {
        let order = order(200_000, super::super::DEFAULT_SEED);
        let sampled = chosen(&[DiceSystem::D20, DiceSystem::D100], &order);
        assert_eq!(sampled.len(), ALL.len());
        for sampled in sampled {
            let report = sample(sampled, &order, &Cancel::default());
            assert!(report.ok, "{report:?}");
        }
    }
}
