use crate::types::Version;

/// The lane that always exists, and that the catalog for engines older than the lanes is a copy of.
pub const FIRST_LANE: u32 = 2;
/// The most major versions a range may span.
const MOST_MAJORS: u32 = 20;

/// The engine versions a package is for: from `min` on, below `max_exclusive`.
#[derive(Clone, Debug)]
pub struct EngineRange {
    /// The first version it holds.
    pub min: Version,
    /// The first version after those it holds.
    pub max_exclusive: Version,
}

impl EngineRange {
    /// Whether a version lies in it.
    pub fn contains(&self, engine: &Version) -> bool {
        self.min.precedence(engine).is_le() && engine.precedence(&self.max_exclusive).is_lt()
    }

    /// Whether the lane of a major engine version lists a package of this range: it reaches above N.0.0 and begins
    /// below (N+1).0.0 (docs/spec/catalog.md#lanes-and-preview).
    pub fn is_in_lane(&self, lane: u32) -> bool {
        let release = |major: u32| format!("{major}.0.0").parse::<Version>().ok();
        release(lane).is_some_and(|first| self.max_exclusive.precedence(&first).is_gt())
            && lane.checked_add(1).and_then(release).is_some_and(|next| self.min.precedence(&next).is_lt())
    }

    /// The lanes that list a package of this range, in order; none for one that spans more than lanes are made for.
    pub fn lanes(&self) -> impl Iterator<Item = u32> {
        // A prerelease of the next major version begins below that version.
        let reached = self.majors().map(|(first, last)| first.saturating_sub(1).max(FIRST_LANE)..=last);
        reached.into_iter().flatten().filter(|lane| self.is_in_lane(*lane))
    }

    /// The major versions of its ends, unless they lie too far apart.
    fn majors(&self) -> Option<(u32, u32)> {
        let major = |version: &Version| version.major().parse::<u32>().ok();
        let (first, last) = (major(&self.min)?, major(&self.max_exclusive)?);
        (last.saturating_sub(first) <= MOST_MAJORS).then_some((first, last))
    }

    /// Why no lane of a catalog lists a package of this range, if none does.
    pub(super) fn lane_fault(&self) -> Option<String> {
        let EngineRange { min, max_exclusive: max } = self;
        let is_plain = |version: &Version| version.is_canonical() && !version.as_str().contains('-');
        if !is_plain(min) || !is_plain(max) || min.precedence(max).is_ge() {
            return Some(format!("no lane of the catalog covers the range from {min} to {max}"));
        }
        if self.majors().is_none() {
            return Some(format!("engines from {min} to below {max} span more than {MOST_MAJORS} major versions"));
        }
        let is_listed = self.lanes().next().is_some();
        (!is_listed).then(|| format!("engines below {max} have no lane; the first lane is for {FIRST_LANE}.0.0"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(min: &str, max: &str) -> EngineRange {
        EngineRange { min: min.parse().unwrap(), max_exclusive: max.parse().unwrap() }
    }

    #[test]
    fn a_range_stands_in_the_lanes_it_reaches() {
        for (min, max, lanes) in [
            ("2.3.0", "3.0.0", vec![2]),
            ("2.3.0", "4.0.0", vec![2, 3]),
            ("3.2.0", "3.3.0", vec![3]),
            ("2.3.0", "3.0.1", vec![2, 3]),
            ("3.0.0-rc.1", "4.0.0", vec![2, 3]),
            ("1.0.0", "3.0.0", vec![2]),
            ("1.0.0", "2.0.0", vec![]),
            ("2.0.0", "22.0.0", (2..22).collect()),
            ("2.0.0", "23.0.0", vec![]),
            ("2.0.0", "99999999999.0.0", vec![]),
        ] {
            assert_eq!(range(min, max).lanes().collect::<Vec<_>>(), lanes, "{min} {max}");
        }
    }

    #[test]
    fn a_range_that_no_lane_lists_says_why() {
        for (min, max, why) in [
            ("2.3.0-rc.1", "4.0.0", "no lane"),
            ("2.3.0", "04.0.0", "no lane"),
            ("4.0.0", "2.3.0", "no lane"),
            ("2.3.0", "2.3.0", "no lane"),
            ("2.0.0", "23.0.0", "more than 20"),
            ("2.0.0", "99999999999.0.0", "more than 20"),
            ("1.0.0", "2.0.0", "engines below 2.0.0 have no lane"),
        ] {
            let fault = range(min, max).lane_fault();
            assert!(fault.as_ref().is_some_and(|fault| fault.contains(why)), "{min} {max}: {fault:?}");
        }
        for (min, max) in [("2.3.0", "2.4.0"), ("1.0.0", "2.0.1"), ("0.0.0", "20.0.0")] {
            assert_eq!(range(min, max).lane_fault(), None, "{min} {max}");
        }
    }
}
