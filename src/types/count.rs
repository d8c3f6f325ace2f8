/// A number with the noun or verb that it governs: `1 ruleset`, `3 rulesets`.
pub fn count(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// The end of a sentence about too many of something: `at most 1 is allowed`, `at most 3 are allowed`.
pub fn at_most(number: u64) -> String {
    format!("at most {}", count(number, "is allowed", "are allowed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_follow_their_number() {
        assert_eq!(count(1, "entry", "entries"), "1 entry");
        assert_eq!((at_most(1), at_most(2)), ("at most 1 is allowed".to_owned(), "at most 2 are allowed".to_owned()));
        assert_eq!(count(0, "entry", "entries"), "0 entries");
    }
}
