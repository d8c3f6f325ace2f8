//! Time grows with the input and not with its square: every list and every map of every format is filled with a thousand
//! and with ten thousand items, each in several ways, and ten times the items may take no more than about ten times as
//! long.
//!
//! Which lists and maps there are is read off samples that use all there is (`testdata`), so a new key is walked without
//! being named here. Time is that of the thread alone, compared only with itself, and a case is given three chances.
//!
//! `cargo test` walks a part, another with each value of `RULEPACK_GROWTH_PART`. All of it, and with a hundred thousand:
//!
//! ```sh
//! RULEPACK_GROWTH=all cargo test --release --test growth -- --nocapture
//! ```

mod clock;
mod crowd;
mod formats;

use clock::spent;
use crowd::{Crowd, crowds};
use formats::{FORMATS, Format};
use std::time::Duration;

/// How many times as long ten times as much may take. What is linear comes to ten and a little, what is quadratic to a
/// hundred; nothing in between has a name.
const MOST: f64 = 30.0;
/// What is over sooner than this says nothing about growth.
const TOO_SHORT: Duration = Duration::from_millis(20);

struct Case<'f> {
    format: &'f Format,
    crowd: Crowd,
}

impl Case<'_> {
    fn name(&self) -> String {
        format!("{} {}", self.format.name, self.crowd.name())
    }

    fn run(&self, items: usize) -> Duration {
        let input = self.crowd.with(items);
        (self.format.prepare)(&input);
        spent(|| (self.format.run)(&input))
    }

    /// What is wrong with its growth from `few` items to `many`.
    fn fault(&self, few: usize, many: usize) -> Option<String> {
        let allowed = MOST * (many / few) as f64 / 10.0;
        let mut told = String::new();
        for _ in 0..3 {
            let (short, long) = (self.run(few), self.run(many));
            let grown = long.as_secs_f64() / short.max(TOO_SHORT / 10).as_secs_f64();
            if long < TOO_SHORT || grown < allowed {
                return None;
            }
            told = format!("{}: {few} items take {short:?}, {many} take {long:?}: {grown:.0} times", self.name());
        }
        Some(told)
    }
}

#[test]
fn time_grows_with_the_input_and_not_with_its_square() {
    let only = std::env::var("RULEPACK_GROWTH_ONLY").unwrap_or_default();
    let sizes: Vec<usize> = std::env::var("RULEPACK_GROWTH_SIZES")
        .map_or(vec![1_000, 10_000], |sizes| sizes.split(',').map(|size| size.parse().unwrap()).collect());
    let cases = FORMATS.iter().flat_map(|format| {
        (format.samples)().into_iter().flat_map(|sample| crowds(&sample)).map(move |crowd| Case { format, crowd })
    });
    let mut faults = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for case in cases.filter(|case| case.name().contains(&only)) {
        if !seen.insert(case.name()) {
            continue;
        }
        if let Ok(list) = std::env::var("RULEPACK_GROWTH_LIST") {
            let n: usize = list.parse().unwrap();
            eprintln!("{:?} {}", case.run(n), case.name());
            continue;
        }
        for pair in sizes.windows(2) {
            if let Some(fault) = case.fault(pair[0], pair[1]) {
                eprintln!("{fault}");
                faults.push(fault);
            }
        }
    }
    eprintln!("{} cases", seen.len());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
