use icu_normalizer::ComposingNormalizerBorrowed;
use icu_properties::CodePointMapData;
use icu_properties::props::{GeneralCategory, GeneralCategoryGroup};

/// A text as `route` compares it: composed, in lower case, blanks as one space (docs/spec/decisions.md#q16).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Folded(String);

impl Folded {
    pub fn of(text: &str) -> Self {
        let composed = ComposingNormalizerBorrowed::new_nfc().normalize(text);
        Folded(composed.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// Whether `words` stands in this text as whole words: only letters join a word, so "Fighter3" names a fighter and
    /// "Fighters" does not (MR5). Words with blanks between them are a phrase (docs/spec/decisions.md#q42).
    pub fn names(&self, words: &Folded) -> bool {
        let (text, words) = (self.0.as_str(), words.0.as_str());
        !words.is_empty()
            && text.match_indices(words).any(|(at, _)| {
                let before = text[..at].chars().next_back();
                let after = text[at + words.len()..].chars().next();
                !before.is_some_and(is_letter) && !after.is_some_and(is_letter)
            })
    }
}

/// A mark put on a letter is part of it.
fn is_letter(sign: char) -> bool {
    sign.is_alphabetic() || GeneralCategoryGroup::Mark.contains(CodePointMapData::<GeneralCategory>::new().get(sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_letters_join_a_word() {
        for (text, word, named) in [
            ("Fighter3", "fighter", true),
            ("FIGHTER", "fighter", true),
            ("Fighters", "fighter", false),
            ("a fighter, mostly", "Fighter", true),
            ("prize-fighter", "fighter", true),
            ("prizefighter fighter", "fighter", true),
            ("Боец 3", "боец", true),
            ("Бойцы", "боец", false),
            ("Hedge  Wizard 2", "hedge wizard", true),
            ("Hedge Wizards", "hedge wizard", false),
            ("Cafe\u{301}", "cafe", false),
            ("Cafe\u{301}", "café", true),
            ("", "fighter", false),
            ("x", "", false),
        ] {
            assert_eq!(Folded::of(text).names(&Folded::of(word)), named, "{text} {word}");
        }
    }
}
