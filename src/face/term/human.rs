/// How long ago something was, in its largest whole unit: `3 minutes`. Months have 30 days here, years 365.
pub fn age(seconds: u64) -> String {
    const UNITS: [(u64, &str, &str); 5] = [
        (365 * 86_400, "year", "years"),
        (30 * 86_400, "month", "months"),
        (86_400, "day", "days"),
        (3_600, "hour", "hours"),
        (60, "minute", "minutes"),
    ];
    let unit = UNITS.into_iter().find(|(length, ..)| seconds >= *length);
    let (length, one, many) = unit.unwrap_or((1, "second", "seconds"));
    count(seconds / length, one, many)
}

/// A number with its noun: `1 ruleset`, `3 rulesets`.
pub fn count(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_told_in_their_largest_unit() {
        for (seconds, text) in [
            (0, "0 seconds"),
            (1, "1 second"),
            (59, "59 seconds"),
            (60, "1 minute"),
            (7_199, "1 hour"),
            (3 * 86_400, "3 days"),
            (75 * 86_400, "2 months"),
            (800 * 86_400, "2 years"),
        ] {
            assert_eq!(age(seconds), text);
        }
        assert!(age(u64::MAX).ends_with(" years"));
    }

    #[test]
    fn nouns_follow_their_number() {
        assert_eq!(count(1, "entry", "entries"), "1 entry");
        assert_eq!(count(0, "entry", "entries"), "0 entries");
    }
}
