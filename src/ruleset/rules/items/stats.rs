use crate::json::excerpt;
use crate::ruleset::node::Node;
use crate::ruleset::rules::fights::clauses::Words;
use crate::ruleset::rules::refs::{self, unknown};
use crate::types::{Problem, Problems, codes};
use std::collections::BTreeSet;

/// What is wanted at a place that takes either a value or `{"stat": …}`, the stat of the item that holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wanted {
    Number,
    Dice,
    /// One ability, or a list of them.
    Ability,
    Skill,
    DamageType,
}

impl Wanted {
    /// The types of stat that can give it. Which fit words and dice is a reading: an enum is named by the rules, and text
    /// is not refused.
    fn types(self) -> &'static [&'static str] {
        match self {
            Wanted::Number => &["number"],
            Wanted::Dice => &["dice", "text", "enum"],
            Wanted::Ability | Wanted::Skill | Wanted::DamageType => &["enum", "text"],
        }
    }
}

/// Checks such places, and says of the words of one stat only once that they do not fit.
#[derive(Debug)]
pub struct OrStat<'w, 'a> {
    words: Words<'w, 'a>,
    told: BTreeSet<(&'a str, Wanted)>,
}

impl<'w, 'a> OrStat<'w, 'a> {
    pub fn new(words: Words<'w, 'a>) -> Self {
        OrStat { words, told: BTreeSet::new() }
    }

    /// What stands under `key`: the names in it, or the stat it refers to.
    pub fn check(&mut self, holder: &Node<'a>, key: &str, wanted: Wanted, found: &mut Problems) {
        let Some(place) = holder.get(key) else { return };
        if place.has("stat") {
            let stat = refs::typed(&self.words.names.stats, &place, "stat", wanted.types(), found);
            if let Some(stat) = stat.filter(|stat| stat.text_of("type") == Some("enum")) {
                self.check_values(stat, wanted, found);
            }
            return;
        }
        for word in place.items().chain(std::iter::once(place)) {
            if let Some(name) = word.text() {
                self.check_word(name, &word, wanted, found);
            }
        }
    }

    fn check_word(&self, name: &str, place: &Node<'a>, wanted: Wanted, found: &mut Problems) {
        match wanted {
            Wanted::Number | Wanted::Dice => {}
            Wanted::Ability => drop(self.words.names.abilities.named(name, place, found)),
            Wanted::Skill => drop(self.words.names.skills.named(name, place, found)),
            Wanted::DamageType => self.words.fight.damage_type_named(name, place, found),
        }
    }

    /// Every value an item may have for an enum stat is one that can stand here.
    fn check_values(&mut self, stat: &Node<'a>, wanted: Wanted, found: &mut Problems) {
        let names = self.words.names;
        let Some(id) = stat.text_of("id") else { return };
        let (what, likely): (_, Vec<&str>) = match wanted {
            Wanted::Number | Wanted::Dice => return,
            Wanted::Ability => (names.abilities.what(), names.abilities.iter().map(|(id, _)| id).collect()),
            Wanted::Skill => (names.skills.what(), names.skills.iter().map(|(id, _)| id).collect()),
            Wanted::DamageType => ("damage type", Vec::new()),
        };
        let fits = |word: &str| match wanted {
            Wanted::DamageType => self.words.fight.is_damage_type(word),
            Wanted::Skill => names.skills.may_have(word),
            _ => names.abilities.may_have(word),
        };
        let values = stat.list("values");
        let misfits: Vec<_> = values.filter(|value| value.text().is_some_and(|word| !fits(word))).collect();
        if misfits.is_empty() || !self.told.insert((id, wanted)) {
            return;
        }
        for value in misfits {
            let word = value.text().unwrap_or_default();
            let problem = unknown(what, word, &value, &found.suggest(word, likely.iter().copied()));
            let message = format!("{}, and items take one from the stat `{}`", problem.message, excerpt(id));
            found.push(Problem { code: codes::STAT_WORDS.to_owned(), message, ..problem });
        }
    }
}

/// The names in `toHit` of an attack or a use. Its `proficiency` is a value reference, and they are checked elsewhere.
pub fn check_to_hit<'a>(or_stat: &mut OrStat<'_, 'a>, holder: &Node<'a>, found: &mut Problems) {
    let Some(to_hit) = holder.get("toHit") else { return };
    let wanted = [
        ("abilities", Wanted::Ability),
        ("skill", Wanted::Skill),
        ("bonus", Wanted::Number),
        ("target", Wanted::Number),
    ];
    for (key, wanted) in wanted {
        or_stat.check(&to_hit, key, wanted, found);
    }
}
