/// The most names suggested.
const MOST: usize = 3;
/// Longer texts are no misspelt ids (ids have at most 80 characters) and would only be slow to compare.
const LONGEST: usize = 100;

/// The known names, at most three, that somebody who wrote `unknown` may have meant, the likeliest first.
///
/// A name is likely when at most a third of it is misspelt (exchanged neighbours count once), or when one is part of
/// the other. Case does not count, and `_` and spaces stand for `-`.
pub fn suggest<'a>(unknown: &str, known: impl Iterator<Item = &'a str>) -> Vec<String> {
    if unknown.chars().count() > LONGEST {
        return Vec::new();
    }
    let wanted = folded(unknown);
    let mut likely: Vec<(usize, usize, &str)> = known
        .filter(|name| *name != unknown)
        .filter_map(|name| likeness(&wanted, &folded(name)).map(|(kind, distance)| (kind, distance, name)))
        .collect();
    likely.sort_unstable();
    likely.dedup();
    likely.into_iter().take(MOST).map(|(.., name)| name.to_owned()).collect()
}

/// How far two names are apart, misspellings before parts; nothing when they are too far.
fn likeness(wanted: &str, name: &str) -> Option<(usize, usize)> {
    let (wanted_length, name_length) = (wanted.chars().count(), name.chars().count());
    let within = wanted_length.max(name_length).max(3) / 3;
    // The distance is at least the difference in length, which costs nothing to see.
    if wanted_length.abs_diff(name_length) <= within {
        let distance = strsim::osa_distance(wanted, name);
        if distance <= within && distance < wanted_length {
            return Some((0, distance));
        }
    }
    // One letter is part of too much.
    let part = |part: &str, length: usize, whole: &str| length >= 2 && whole.contains(part);
    let is_part = part(wanted, wanted_length, name) || part(name, name_length, wanted);
    is_part.then(|| (1, wanted_length.abs_diff(name_length)))
}

fn folded(name: &str) -> String {
    name.trim().to_lowercase().replace(['_', ' '], "-")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const KNOWN: [&str; 6] = ["ember-roads", "ember-tides", "5e-2014", "ruleset-5e-2014", "tideglass", "zine"];

    fn suggestions(unknown: &str) -> Vec<String> {
        suggest(unknown, KNOWN.into_iter())
    }

    #[test]
    fn misspelt_and_partial_names_are_found() {
        assert_eq!(suggestions("ember-raods"), ["ember-roads"]);
        assert_eq!(suggestions("Ember Roads"), ["ember-roads"]);
        assert_eq!(suggestions("ember"), ["ember-roads", "ember-tides"]);
        assert_eq!(suggestions("5e"), ["5e-2014", "ruleset-5e-2014"]);
        assert_eq!(suggestions("the-zine-ruleset"), ["zine"]);
        assert_eq!(suggestions("tideglas"), ["tideglass"]);
    }

    #[test]
    fn what_is_nothing_alike_is_not_suggested() {
        for unknown in ["", "x", "e", "quite-another", &"ember-roads".repeat(100)] {
            assert_eq!(suggestions(unknown), [""; 0], "{unknown}");
        }
    }

    proptest! {
        #[test]
        fn at_most_three_known_names_each_once(
            unknown in "[a-c-]{0,8}",
            known in proptest::collection::vec("[a-c-]{0,8}", 0..20),
        ) {
            let found = suggest(&unknown, known.iter().map(String::as_str));
            prop_assert!(found.len() <= MOST);
            for (i, name) in found.iter().enumerate() {
                prop_assert!(known.contains(name) && *name != unknown);
                prop_assert!(!found[..i].contains(name));
            }
        }
    }
}
