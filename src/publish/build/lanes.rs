use crate::catalog::EngineRange;
use crate::types::Version;

/// The most major versions one range spans (catalog format, section 7).
const MOST: u64 = 20;

/// The major engine versions whose lane holds a package of this range: those with a version in it.
pub fn lanes(range: &EngineRange) -> Vec<u64> {
    let Ok(first) = range.min.major().parse::<u64>() else { return Vec::new() };
    let begins = |major: u64| format!("{major}.0.0").parse::<Version>().ok();
    let is_in = |major: &u64| begins(*major).is_some_and(|begin| begin.precedence(&range.max_exclusive).is_lt());
    (first..first.saturating_add(MOST)).take_while(is_in).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_in_the_lane_of_every_major_version_it_reaches_into() {
        for (min, max_exclusive, expected) in [
            ("2.3.0", "3.0.0", vec![2]),
            ("2.3.0", "4.0.0", vec![2, 3]),
            ("3.2.0", "3.3.0", vec![3]),
            ("2.3.0", "3.0.1", vec![2, 3]),
        ] {
            let range = EngineRange { min: min.parse().unwrap(), max_exclusive: max_exclusive.parse().unwrap() };
            assert_eq!(lanes(&range), expected, "{min} {max_exclusive}");
        }
    }
}
