//! The order of a lane's entries: by name, as JavaScript's `localeCompare` sorts names
//! (docs/spec/catalog.md#lanes-and-preview).

/// Whether a name certainly sorts after the one that follows it.
///
/// What two languages would sort otherwise is nobody's mistake, so only what all agree on is told: letters A to Z and
/// digits, without case, before anything else counts; a space or a mark before a digit, a digit before a letter. Names
/// that first differ in any other character may stand either way round.
pub(super) fn is_out_of_order(name: &str, next: &str) -> bool {
    let mut names = name.chars().zip(next.chars()).skip_while(|(a, b)| a.eq_ignore_ascii_case(b));
    match names.next() {
        Some((a, b)) => kind(a).zip(kind(b)).is_some_and(|(a, b)| a > b),
        // One begins as the other does: the shorter one comes first. Of names that differ in case alone, either may.
        None => {
            let rest = name.chars().nth(next.chars().count());
            rest.is_some_and(|first| kind(first).is_some())
        }
    }
}

/// The place of a character among others: its class, then itself. Nothing where languages differ, or marks do.
fn kind(c: char) -> Option<(u8, char)> {
    match c {
        ' ' => Some((0, ' ')),
        '0'..='9' => Some((1, c)),
        'a'..='z' | 'A'..='Z' => Some((2, c.to_ascii_lowercase())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_every_language_sorts_alike_is_out_of_order() {
        for (first, second) in [
            ("Ember Roads", "Gravewatch"),
            ("ember", "Gravewatch"),
            ("5e", "Ember"),
            ("Ember", "Ember Roads"),
            ("Ember Roads", "Embers"),
            ("Ember 2", "Ember A"),
        ] {
            assert!(!is_out_of_order(first, second), "{first} {second}");
            assert!(is_out_of_order(second, first), "{second} {first}");
        }
        for (first, second) in
            [("Ember", "ember"), ("Ärger", "Zorn"), ("Aé", "Af"), ("A-b", "Ab"), ("x", "x"), ("日", "中"), ("", "")]
        {
            assert!(!is_out_of_order(first, second) && !is_out_of_order(second, first), "{first} {second}");
        }
    }
}
