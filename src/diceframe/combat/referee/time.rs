use std::cmp::Ordering;

/// Somebody alive whose gauge fills.
#[derive(Clone, Debug)]
pub(super) struct Runner {
    pub name: String,
    pub gauge: i128,
    pub speed: i128,
    pub initiative: i64,
}

/// The least whole time after which a gauge that is not full is; 0 where all are full. It is found by trying: twice as
/// long until it is enough, then halving what is left open.
pub(super) fn until_the_first(runners: &[Runner], full: i128) -> i128 {
    let running: Vec<&Runner> = runners.iter().filter(|runner| runner.gauge < full).collect();
    if running.is_empty() {
        return 0;
    }
    let is_enough = |time: i128| running.iter().any(|runner| runner.gauge + runner.speed * time >= full);
    let mut enough = 1;
    while !is_enough(enough) {
        enough *= 2;
    }
    let mut too_little = 0;
    while enough - too_little > 1 {
        let middle = (enough + too_little) / 2;
        if is_enough(middle) {
            enough = middle;
        } else {
            too_little = middle;
        }
    }
    enough
}

impl Runner {
    /// Whether this one is ready before another, both filling their gauges from where they are.
    pub(super) fn comes_before(&self, other: &Runner, full: i128) -> bool {
        let way = |runner: &Runner| if runner.gauge >= full { (0, 1) } else { (full - runner.gauge, runner.speed) };
        match compare(way(self), way(other)) {
            Ordering::Less => return true,
            Ordering::Greater => return false,
            Ordering::Equal => {}
        }
        if self.speed != other.speed {
            return self.speed > other.speed;
        }
        if self.initiative != other.initiative {
            return self.initiative > other.initiative;
        }
        self.name < other.name
    }
}

/// Compares two fractions of numbers from 0 on, by their whole parts and then, turned over, by what is left.
fn compare((a, b): (i128, i128), (c, d): (i128, i128)) -> Ordering {
    let (whole, other) = (a / b, c / d);
    if whole != other {
        return whole.cmp(&other);
    }
    match (a % b, c % d) {
        (0, 0) => Ordering::Equal,
        (0, _) => Ordering::Less,
        (_, 0) => Ordering::Greater,
        (rest, other) => compare((d, other), (b, rest)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn fractions_compare_as_their_cross_products(
            a in 0..9999_i128, b in 1..9999_i128, c in 0..9999_i128, d in 1..9999_i128
        ) {
            prop_assert_eq!(compare((a, b), (c, d)), (a * d).cmp(&(c * b)));
        }
    }
}
