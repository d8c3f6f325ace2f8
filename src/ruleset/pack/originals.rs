use super::pair::Original;
use std::collections::HashMap;
use std::sync::OnceLock;

/// How many strings are compared with a key before it is looked up among all.
const NEAR: usize = 3;

/// The English display strings of one ruleset, made ready to hold any number of language packs against them.
#[derive(Debug, Default)]
pub struct Originals<'a> {
    by_text: HashMap<&'a str, usize>,
    all: Vec<Original<'a>>,
    /// Made when the first text is looked for that is spelled otherwise.
    by_sound: OnceLock<HashMap<String, usize>>,
    is_in_part: bool,
}

impl<'a> Originals<'a> {
    /// Makes display strings ready to be held against packs.
    pub fn new(strings: impl IntoIterator<Item = impl Into<Original<'a>>>) -> Self {
        let mut originals = Originals::default();
        for string in strings {
            let (next, string) = (originals.all.len(), string.into());
            if *originals.by_text.entry(string.text).or_insert(next) == next {
                originals.all.push(string);
            }
        }
        originals
    }

    /// The same where the ruleset may have more strings than these: a key that is none of them is not called stale.
    pub fn in_part(self) -> Self {
        Originals { is_in_part: true, ..self }
    }

    /// Whether the ruleset may have more strings than these.
    pub fn is_in_part(&self) -> bool {
        self.is_in_part
    }

    /// How many different strings there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The number of a string, from 0 on. Most packs keep the ruleset's order and leave out a string here and there, so
    /// the likely one and those behind it are looked at first.
    pub(super) fn number(&self, text: &str, likely: usize) -> Option<usize> {
        let mut near = self.all.iter().enumerate().skip(likely).take(NEAR);
        let found = near.find(|(_, original)| original.text == text);
        found.map(|(number, _)| number).or_else(|| self.by_text.get(text).copied())
    }

    /// The string of a number.
    pub(super) fn get(&self, number: usize) -> &Original<'a> {
        &self.all[number]
    }

    /// The string that differs from this text in nothing but case, blank space or the kind of quotes and dashes.
    pub(super) fn spelled_otherwise(&self, text: &str) -> Option<&'a str> {
        let sounds = || self.all.iter().enumerate().map(|(number, original)| (sound(original.text), number)).collect();
        let number = self.by_sound.get_or_init(sounds).get(&sound(text))?;
        Some(self.all[*number].text)
    }
}

fn sound(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let plain = |c| match c {
        '‘' | '’' => '\'',
        '“' | '”' => '"',
        '‐' | '‑' | '–' | '—' => '-',
        other => other,
    };
    words.join(" ").to_lowercase().chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_is_found_wherever_it_was_looked_for_first() {
        let strings: Vec<String> = (0..3 * NEAR).map(|number| number.to_string()).collect();
        let originals = Originals::new(strings.iter().map(String::as_str));
        for likely in [0, 1, NEAR, strings.len() - 1, strings.len(), usize::MAX] {
            let found: Vec<_> = strings.iter().filter_map(|text| originals.number(text, likely)).collect();
            assert_eq!(found, (0..strings.len()).collect::<Vec<_>>(), "{likely}");
            assert_eq!(originals.number("none", likely), None);
        }
    }

    #[test]
    fn a_string_spelled_otherwise_is_found() {
        let originals = Originals::new(["Old motor", "The warden's lamp", "Old motor"]);
        assert_eq!(originals.len(), 2);
        assert_eq!(originals.spelled_otherwise(" old  Motor"), Some("Old motor"));
        assert_eq!(originals.spelled_otherwise("The warden’s lamp"), Some("The warden's lamp"));
        assert_eq!(originals.spelled_otherwise("New motor"), None);
        assert!(Originals::default().is_empty());
    }
}
