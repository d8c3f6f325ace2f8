/// The most names suggested.
const MOST: usize = 3;
/// Longer texts are no misspelt ids (ids have at most 80 characters) and would only be slow to compare.
const LONGEST: usize = 100;

/// The known names, at most three, that somebody who wrote `unknown` may have meant, the likeliest first.
///
/// A name is likely when at most a third of it is misspelt (exchanged neighbours count once), or when one is part of
/// the other. Case does not count, and `_` and spaces stand for `-`.
pub fn suggest<'a>(unknown: &str, known: impl Iterator<Item = &'a str>) -> Vec<String> {
    Effort { left: u64::MAX }.suggest(unknown, known)
}

/// The hint that asks for the likeliest names, as [`suggest`] gives them; none where there are none.
pub fn did_you_mean(likely: &[impl AsRef<str>]) -> Option<String> {
    let (last, before) = likely.split_last()?;
    let before: Vec<String> = before.iter().map(|name| format!("`{}`", name.as_ref())).collect();
    let before = if before.is_empty() { String::new() } else { format!("{} or ", before.join(", ")) };
    Some(format!("did you mean {before}`{}`?", last.as_ref()))
}

/// The keys that may stand where an unknown one does: the first few of these.
pub fn known_here(names: &[&str]) -> Option<String> {
    const LISTED: usize = 6;
    let listed: Vec<String> = names.iter().take(LISTED).map(|name| format!("`{name}`")).collect();
    let more = match names.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(" and {more} more, which `-v` lists"),
    };
    (!listed.is_empty()).then(|| format!("known keys here: {}{more}", listed.join(", ")))
}

/// How much comparing of names is still bearable, in letters held against letters. Every name somebody misspelt is held
/// against every one there is, so the work grows with the product of the two.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    left: u64,
}

impl Default for Effort {
    /// Some tenth of a second: a thousand names misspelt, of a thousand that there are.
    fn default() -> Self {
        Effort { left: 30_000_000 }
    }
}

impl Effort {
    /// [`suggest`], or nothing once too much has been compared.
    pub fn suggest<'a>(&mut self, unknown: &str, known: impl Iterator<Item = &'a str>) -> Vec<String> {
        self.likely(unknown, known).into_iter().map(|(.., name)| name.to_owned()).collect()
    }

    /// Those of them that are misspellings: that one name is part of the other is not enough.
    pub fn misspelt<'a>(&mut self, unknown: &str, known: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
        let likely = self.likely(unknown, known).into_iter();
        likely.filter(|(kind, ..)| *kind == MISSPELT).map(|(.., name)| name).collect()
    }

    fn likely<'a>(&mut self, unknown: &str, known: impl Iterator<Item = &'a str>) -> Vec<(usize, usize, &'a str)> {
        if self.left == 0 || unknown.len() > 4 * LONGEST || unknown.chars().count() > LONGEST {
            return Vec::new();
        }
        let wanted = folded(unknown);
        let mut likely: Vec<(usize, usize, &'a str)> = Vec::new();
        for name in known.filter(|name| *name != unknown && name.len() <= 4 * LONGEST) {
            self.left = self.left.saturating_sub(effort(&wanted, name));
            if self.left == 0 {
                return Vec::new();
            }
            likely.extend(likeness(&wanted, &folded(name)).map(|(kind, distance)| (kind, distance, name)));
            // What is alike may be as many as all there are.
            if likely.len() > MANY {
                likely = likeliest(likely);
            }
        }
        likeliest(likely)
    }
}

/// How a name is likely: misspelt rather than a part of another.
const MISSPELT: usize = 0;

/// What it takes to hold two names against each other.
fn effort(one: &str, other: &str) -> u64 {
    const EACH: u64 = 16;
    let (one, other) = (one.len() as u64, other.len() as u64);
    // Names that differ much in length are not compared letter by letter.
    if one.abs_diff(other) <= one.max(other).max(3) / 3 { EACH + one * other } else { EACH + one + other }
}

/// How many alike are kept before only the likeliest are.
const MANY: usize = 100;

fn likeliest(mut likely: Vec<(usize, usize, &str)>) -> Vec<(usize, usize, &str)> {
    likely.sort_unstable();
    likely.dedup();
    likely.truncate(MOST);
    likely
}

/// How far two names are apart, misspellings before parts; nothing when they are too far.
fn likeness(wanted: &str, name: &str) -> Option<(usize, usize)> {
    let (wanted_length, name_length) = (wanted.chars().count(), name.chars().count());
    let within = wanted_length.max(name_length).max(3) / 3;
    // The distance is at least the difference in length, which costs nothing to see.
    if wanted_length.abs_diff(name_length) <= within {
        let distance = strsim::osa_distance(wanted, name);
        if distance <= within && distance < wanted_length {
            return Some((MISSPELT, distance));
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

    #[test]
    fn names_without_end_are_no_longer_compared() {
        let known: Vec<String> = (0..2000).map(|n| format!("ember-{n}")).collect();
        let mut effort = Effort::default();
        let told: Vec<bool> = (0..2000)
            .map(|n| !effort.suggest(&format!("embers-{n}"), known.iter().map(String::as_str)).is_empty())
            .collect();
        assert!(told[..100].iter().all(|told| *told));
        assert!(told[1900..].iter().all(|told| !told));
        assert_eq!(effort.left, 0);
        assert_eq!(effort.suggest("ember-1x", known.iter().map(String::as_str)), [""; 0]);
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
